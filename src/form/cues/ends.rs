//! Which of two a field is, by its name; and what arriving and leaving, collecting and handing over are of the two that a form
//! asks for: leaving begins a journey and ends a stay, who hires a car collects it first, who leaves a cat somewhere last.

use formwright_lexicon as language;
use formwright_lexicon::dates::cut;
use formwright_lexicon::sentence::Turn;
use formwright_lexicon::{Language, Phrases};
use formwright_text::Said;

use crate::kind::words::text::Subtype;
use crate::{Field, Kind, Text};

use super::{Role, names};

/// Which of two arriving and leaving are, and collecting and handing over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ends {
    arrive: Role,
    leave: Role,
    /// Something is handed over before it is collected.
    brought_first: bool,
}

/// The same for each sort of field.
#[derive(Clone, Copy, Debug, Default)]
pub struct AllEnds {
    days: Ends,
    times: Ends,
}

impl Default for Ends {
    /// Of days: who arrives and who leaves sets out.
    fn default() -> Self {
        Self { arrive: Role::First, leave: Role::First, brought_first: false }
    }
}

impl Ends {
    /// Of places: one leaves one of them and arrives at the other.
    pub const PLACES: Self = Self { arrive: Role::Second, leave: Role::First, brought_first: false };

    /// Which of two a word says that something is.
    pub fn role(self, turn: Turn) -> Role {
        match turn {
            Turn::First => Role::First,
            Turn::Second => Role::Second,
            Turn::Arrive => self.arrive,
            Turn::Leave => self.leave,
            Turn::Fetch if !self.brought_first => Role::First,
            Turn::Bring if self.brought_first => Role::First,
            Turn::Fetch | Turn::Bring => Role::Second,
        }
    }

    /// Of fields of one sort, by what their names say, in their order.
    fn of(turns: &[Option<Turn>], stay: bool) -> Self {
        let at = |turn| turns.iter().position(|known| *known == Some(turn));
        let leave = match (at(Turn::Arrive), at(Turn::Leave)) {
            (Some(arrive), Some(leave)) if leave < arrive => Role::First,
            (Some(_), _) => Role::Second,
            (None, Some(leave)) if at(Turn::First).is_some_and(|first| first < leave) && at(Turn::Second).is_none() => {
                Role::Second
            }
            (None, Some(_)) => Role::First,
            (None, None) if stay => Role::Second,
            (None, None) => Role::First,
        };
        // A journey from one place to another ends with the arrival.
        let arrive = if at(Turn::Arrive).is_some() && at(Turn::Leave).is_some() && leave == Role::First {
            Role::Second
        } else {
            Role::First
        };
        let before = |one: Turn, two: Turn| at(one).zip(at(two)).is_some_and(|(one, two)| one < two);
        let begun = before(Turn::Bring, Turn::Second) && at(Turn::First).is_none() && at(Turn::Fetch).is_none();
        let ended = before(Turn::First, Turn::Fetch) && at(Turn::Second).is_none() && at(Turn::Bring).is_none();
        Self { arrive, leave, brought_first: before(Turn::Bring, Turn::Fetch) || begun || ended }
    }
}

impl AllEnds {
    /// What arriving and leaving are of days.
    pub fn days(self) -> Ends {
        self.days
    }

    /// What arriving and leaving are of fields of a kind.
    pub fn of(self, kind: &Kind) -> Ends {
        match kind {
            Kind::Date(_) | Kind::Datetime(_) | Kind::DateRange(_) => self.days,
            Kind::Time(_) => self.times,
            Kind::Text(kind) if kind.subtype == Some(Subtype::Person) => Ends::default(),
            _ => Ends::PLACES,
        }
    }
}

/// Whether the day that a field asks for is the last one of something, rather than the one on which somebody leaves.
pub fn includes_last_day(field: &Field) -> bool {
    let last =
        |said: &Said| (0..said.words.len()).any(|no| language::all().any(|lang| lang.sentence.last.starts(said, no)));
    names::of(field.id.as_str(), &field.label).iter().any(last)
}

/// Whether a field's name and label say that it is for days gone by: "date of birth".
pub fn is_of_past(id: &str, label: &Text) -> bool {
    let says = |lang: &Language, said: &Said, no: usize| {
        let words = &lang.date.past.name;
        // French "d'achat".
        words.starts(said, no) || cut(said.plain(no)).any(|part| words.word(part).is_some())
    };
    let back = |said: &Said| (0..said.words.len()).any(|no| language::all().any(|lang| says(lang, said, no)));
    names::of(id, label).iter().any(back)
}

/// What arriving and leaving are of the fields of a form, and which of two each of them is.
pub(super) fn of(title: &Text, fields: &[Field]) -> (AllEnds, Vec<Option<Role>>) {
    let turns: Vec<Option<Turn>> = fields.iter().map(|field| turn(field).or_else(|| paired(fields, field))).collect();
    let of = |is_such: fn(&Kind) -> bool| -> Vec<Option<Turn>> {
        let such = fields.iter().zip(&turns).filter(|(field, _)| is_such(&field.kind));
        such.map(|(_, turn)| *turn).collect()
    };
    let stay = is_stay(title, fields);
    let days = of(|kind| matches!(kind, Kind::Date(_) | Kind::Datetime(_) | Kind::DateRange(_)));
    let times = of(|kind| matches!(kind, Kind::Time(_)));
    let (days, mut times) = (Ends::of(&days, stay), Ends::of(&times, stay));
    times.brought_first |= days.brought_first;
    let ends = AllEnds { days, times };
    let roles = fields.iter().zip(turns).map(|(field, turn)| Some(ends.of(&field.kind).role(turn?)));
    (ends, roles.collect())
}

/// What a field's names say of which of two it is: by the first word that tells, and by a preposition where none does ("de"
/// of "fecha de regreso" says nothing).
fn turn(field: &Field) -> Option<Turn> {
    let names = names::of(field.id.as_str(), &field.label);
    let said = |small: bool| {
        names.iter().find_map(|name| {
            let words = (0..name.words.len()).filter(|no| small && !is_of(name, *no) || !is_small(name.plain(*no)));
            words.into_iter().find_map(|no| language::all().find_map(|lang| turn_at(lang, name, no)))
        })
    };
    said(false).or_else(|| said(true))
}

/// What a field is of two of its kind that are told apart by their names alone: "current address" and "new address".
fn paired(fields: &[Field], field: &Field) -> Option<Turn> {
    let says = |field: &Field, table: fn(&Language) -> &Phrases<()>| {
        // French "d'origine".
        let part = |lang: &Language, word: &str| cut(word).any(|part| table(lang).word(part).is_some());
        let at = |lang, name: &Said, no| table(lang).starts(name, no) || part(lang, name.plain(no));
        let named = |name: &Said| (0..name.words.len()).any(|no| language::all().any(|lang| at(lang, name, no)));
        names::of(field.id.as_str(), &field.label).iter().any(named)
    };
    let first = |field: &Field| says(field, |lang| &lang.sentence.named_first);
    let second = |field: &Field| says(field, |lang| &lang.sentence.named_second);
    let alike = |other: &&Field| std::mem::discriminant(&other.kind) == std::mem::discriminant(&field.kind);
    let mut others = fields.iter().filter(alike).filter(|other| other.no != field.no);
    match (first(field), second(field)) {
        (true, false) => others.any(|other| second(other) || turn(other) == Some(Turn::Second)).then_some(Turn::First),
        (false, true) => others.any(|other| first(other) || turn(other) == Some(Turn::First)).then_some(Turn::Second),
        _ => None,
    }
}

fn is_small(word: &str) -> bool {
    language::all().any(|lang| lang.sentence.stop.word(word).is_some())
}

/// Whether a word only says of what the word before it is: "du" of "date du rendez-vous".
fn is_of(name: &Said, no: usize) -> bool {
    let tells = |no: usize| !name.plain(no).is_empty() && !is_small(name.plain(no));
    let of = |lang: &Language| lang.name.particles.word_at(name, no).is_some();
    no.checked_sub(1).is_some_and(tells) && tells(no + 1) && language::all().any(of)
}

/// The only turn of the longest phrase at a word.
fn turn_at(lang: &Language, name: &Said, no: usize) -> Option<Turn> {
    // French "d'arrivée".
    let part = |table: &Phrases<()>| usize::from(cut(name.plain(no)).any(|part| table.word(part).is_some()));
    let len = |table: &Phrases<()>| table.at(name, no).map_or_else(|| part(table), |(len, ())| len);
    let words = &lang.sentence;
    let all = [
        (len(&words.fetch), Turn::Fetch),
        (len(&words.bring), Turn::Bring),
        (len(&words.first), Turn::First),
        (len(&words.second), Turn::Second),
        (len(&words.arrive), Turn::Arrive),
        (len(&words.leave), Turn::Leave),
    ];
    let longest = all.iter().map(|(len, _)| *len).max().filter(|len| *len > 0)?;
    let mut such = all.iter().filter(|(len, _)| *len == longest).map(|(_, turn)| *turn);
    let turn = such.next()?;
    // What is collected is of the first as well, unless something else is told.
    let general = match turn {
        Turn::Fetch => Some(Turn::First),
        Turn::Bring => Some(Turn::Second),
        _ => None,
    };
    such.all(|other| Some(other) == general).then_some(turn)
}

/// Whether a form is about a stay somewhere, by its title or the name of a field.
fn is_stay(title: &Text, fields: &[Field]) -> bool {
    let says =
        |said: &Said| (0..said.words.len()).any(|no| language::all().any(|lang| lang.sentence.stay.starts(said, no)));
    let names = fields.iter().flat_map(|field| names::of(field.id.as_str(), &field.label));
    title.by_lang.values().map(|title| Said::new(title)).chain(names).any(|name| says(&name))
}
