//! Values strung together, with nothing between them but commas: "samantha wells, 808-555-0167, 45 kapiolani blvd", "lorraine
//! from duluth 55802". What stands between those that are sure can only be for a person, or before a postcode for a town.

use std::ops::Range;

use super::bare::only;
use super::between::is_labelled;
use super::ledger::Ledger;
use super::reader::Reader;
use super::spans::{Board, Slot};
use super::{Scene, routes};
use formwright_form::Kind;
use formwright_form::kind::Strength;
use formwright_form::kind::text::Subtype;
use formwright_lexicon::Language;
use formwright_lexicon::given::is_given;
use formwright_lexicon::sentence::Announced;
use formwright_text::{Class, stem};

/// Most words of a name that nothing announces.
const MOST: usize = 3;
/// Most words of a message of such values.
const MOST_IN_ALL: usize = 24;

/// Fills the only open field for a town from what stands before a postcode, and that for a person from what stands by itself.
pub(super) fn fill(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) {
    let asks = reader.clauses.iter().any(|clause| clause.question);
    if ledger.fills.is_empty() || asks || reader.said.words.len() > MOST_IN_ALL {
        return;
    }
    let town = only(board, ledger, |slot| slot.subtype() == Some(Subtype::Place) && slot.role.is_none());
    // The town beside a postcode that was asked for is none where it may be part of the answer.
    let coded = board.asked.and_then(|no| board.slots.get(no)).is_some_and(is_postal);
    let town = town.filter(|_| !coded);
    let person = only(board, ledger, |slot| slot.subtype() == Some(Subtype::Person));
    if town.is_none() && person.is_none() {
        return;
    }
    let string = Strung { scene, reader, board };
    if let Some(slot) = town {
        let runs = string.runs(ledger);
        let fits = |run: &&Range<usize>| {
            let beside = string.leads_to_postcode(ledger, run.end) || string.ends_behind_postcode(ledger, run);
            beside && string.is_town(run)
        };
        if let Some(run) = runs.iter().find(fits) {
            ledger.take(scene, reader, board, slot, run.clone());
        }
    }
    if let Some(slot) = person {
        let runs = string.runs(ledger);
        let mut names = runs.iter().filter(|run| string.is_apart(ledger, run) && string.is_person(run));
        if let (Some(name), None) = (names.next(), names.next()) {
            ledger.take(scene, reader, board, slot, name.clone());
        }
    }
}

/// Whether a field is for a postcode, by its name.
pub(super) fn is_postal(slot: &Slot<'_>) -> bool {
    slot.is_code() && is_labelled(slot, |lang, word| lang.going.postal.word(word).is_some())
}

/// Whether a field is for a postcode, and some words have more digits than any: "347 123 4567".
pub(super) fn is_no_postcode(reader: &Reader<'_>, slot: &Slot<'_>, words: &Range<usize>) -> bool {
    const LONGEST: usize = 9;
    let digits = words.clone().filter(|no| reader.is_digits(*no)).map(|no| reader.said.word(no).len());
    digits.sum::<usize>() > LONGEST && is_postal(slot)
}

/// Whether words that nothing announces may be what a field for a person or a place wants.
pub(super) fn is_likely(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    slot: &Slot<'_>,
    words: &Range<usize>,
) -> bool {
    let string = Strung { scene, reader, board };
    let capitals = words.clone().all(|no| reader.is_capital(no));
    match slot.subtype() {
        Some(Subtype::Person) => string.is_person(words) || capitals || string.begins(words),
        _ => string.is_town(words) || capitals,
    }
}

/// A message whose values are strung together.
struct Strung<'a> {
    scene: &'a Scene<'a>,
    reader: &'a Reader<'a>,
    board: &'a Board<'a>,
}

impl Strung<'_> {
    /// Words in a row that mean something and belong to nothing understood.
    fn runs(&self, ledger: &Ledger) -> Vec<Range<usize>> {
        let mut runs: Vec<Range<usize>> = Vec::new();
        for no in 0..self.reader.said.words.len() {
            let letters = self.reader.said.words.get(no).is_some_and(|word| word.class == Class::Letters);
            let given = is_given(self.reader.said.plain(no));
            let open = given && ledger.is_free(no..no + 1) || !ledger.explains(self.reader, no);
            if !letters || !open || self.labels(no) || self.is_passing(no) {
                continue;
            }
            match runs.last_mut() {
                Some(last) if last.end == no => last.end = no + 1,
                _ => runs.push(no..no + 1),
            }
        }
        runs
    }

    /// Whether a word names a field, or announces what one is reached at.
    fn labels(&self, no: usize) -> bool {
        let named = |field, weight: f32| weight >= 1.0 && self.board.slot_of(field).is_some();
        let mut mentions = self.board.mentions.iter();
        mentions.any(|mention| mention.words.contains(&no) && named(mention.field, mention.weight))
            || [Announced::Phone, Announced::Email].into_iter().any(|what| self.reader.announces(what, no, no + 1) > 0)
            || !self.reader.is_idle(no) && self.reader.announces(Announced::Date, no, no + 1) > 0
    }

    fn is_passing(&self, no: usize) -> bool {
        let value = |kind: &Kind| !matches!(kind, Kind::Text(_) | Kind::LongText(_));
        self.board.passing.iter().any(|cand| cand.words.contains(&no))
            || self.board.cands.iter().any(|cand| {
                let sure = cand.strength > Strength::Weak && self.board.kind_of(cand).is_some_and(value);
                sure && cand.words.contains(&no)
            })
    }

    /// Whether a word stands for itself in a sentence of the language, so that it is no part of a name.
    fn is_word(&self, no: usize) -> bool {
        let plain = self.reader.said.plain(no);
        let any = |table: fn(&Language, &str) -> bool| self.reader.langs().any(|lang| table(lang, plain));
        self.scene.form.cues().knows(stem(plain))
            || any(|lang, word| lang.option.common.word(word).is_some())
            || any(|lang, word| lang.name.nobody.word(word).is_some())
            || any(|lang, word| lang.name.none.word(word).is_some())
            || any(|lang, word| lang.sentence.verb.word(word).is_some())
    }

    /// Whether words name somebody: one of them is a given name and the others may be, or all have capitals.
    fn is_person(&self, words: &Range<usize>) -> bool {
        let given = |no: usize| is_given(self.reader.said.plain(no));
        let lang = self.reader.own_lang();
        let capital = |no: usize| self.reader.is_capital(no);
        let own = words.clone().all(|no| given(no) || !self.is_word(no));
        let initial = |no: usize| no > words.start && self.reader.said.plain(no).chars().count() == 1;
        // "Tom baker": one word that the language has may be a last name.
        let whole = words.clone().filter(|no| !initial(*no)).count();
        let known = words.clone().filter(|no| !given(*no) && !initial(*no) && !self.reader.is_unknown(*no)).count();
        let named = words.clone().any(given) && (known == 0 || known == 1 && given(words.start) && whole == 2);
        let capitals = words.len() > 1 && words.clone().all(capital) && lang.code != "de";
        let capitals = capitals && !routes::are_ends(self.reader, self.board, words);
        (1..=MOST).contains(&words.len()) && own && (named || capitals)
    }

    /// Whether a message begins with words that the language has not: "bailey okafor 8283".
    fn begins(&self, words: &Range<usize>) -> bool {
        let first = self.left(words.start).is_none();
        first && words.clone().all(|no| self.reader.is_strange(no) && !self.is_word(no))
    }

    /// Whether words may name a town: none is a word of the language but "new" and the like.
    fn is_town(&self, words: &Range<usize>) -> bool {
        let of_town = |no: usize| self.reader.len(|lang| &lang.naming.town, no, words.end) > 0 && no + 1 < words.end;
        let lang = self.reader.own_lang();
        let own = |no: usize| {
            let capital = self.reader.is_capital(no) && lang.code != "de";
            !self.is_word(no) && (self.reader.is_unknown(no) || capital) || of_town(no)
        };
        (1..=MOST).contains(&words.len()) && words.clone().all(own)
    }

    /// The word before another, past marks and what means nothing at the beginning: none where the message begins.
    fn left(&self, start: usize) -> Option<usize> {
        let before = (0..start).rev().find(|no| !self.reader.is_mark(*no))?;
        let clause = self.reader.clause_words(before);
        let lead = |no: usize| {
            let len = self.reader.len(|lang| &lang.name.perhaps, no, start);
            len.max(self.reader.len(|lang| &lang.name.is, no, start)).max(self.reader.filler(no, start))
        };
        // "Hi, it's …"
        let mut no = clause.start;
        while no < start && lead(no) > 0 {
            no += lead(no);
        }
        if no < start { Some(before) } else { self.left_of_clause(clause.start) }
    }

    fn left_of_clause(&self, start: usize) -> Option<usize> {
        if start == 0 { None } else { self.left(start) }
    }

    /// Whether a run stands between values, marks or the ends of the message, and no sentence goes on around it.
    fn is_apart(&self, ledger: &Ledger, run: &Range<usize>) -> bool {
        let count = self.reader.said.words.len();
        let taken = |no: usize| ledger.claimed.get(no).copied().unwrap_or(false) || self.labels(no);
        let join = |no: usize| self.reader.len(|lang| &lang.sentence.join, no, count) == 1;
        let before = run.start.checked_sub(1);
        let left = before.is_none_or(|no| {
            let joined = join(no) && no.checked_sub(1).is_some_and(taken);
            // "Hi its …", "name …".
            let clause = self.reader.clause_start(run.start);
            let led = (clause..run.start).any(|at| {
                let len = self.reader.len(|lang| &lang.name.perhaps, at, run.start);
                at + len == run.start && len > 0 && self.is_introducing(at, run.start)
            });
            let filler = self.reader.past_filler(clause..run.start) == run.start;
            self.reader.is_mark(no) || taken(no) || joined || led || filler
        });
        let place = |no: usize| self.reader.announces(Announced::Place, no, count) > 0;
        let after = |no: usize| self.reader.len(|lang| &lang.name.after, no, count) > 0;
        let end = run.end;
        // "Ana and tom" are two.
        let join = |no: usize| join(no) && (taken(no + 1) || self.reader.is_idle(no + 1));
        left && (end >= count || self.reader.is_mark(end) || taken(end) || join(end) || place(end) || after(end))
    }

    /// Whether words before a name tell of whom it is: not "for", behind which it may be somebody else's.
    fn is_introducing(&self, at: usize, end: usize) -> bool {
        let len = self.reader.len(|lang| &lang.name.introduces, at, end);
        let name = self.reader.len(|lang| &lang.sentence.stop, at, end) == 1 && self.reader.said.plain(at).len() > 3;
        at + len == end || name || self.reader.len(|lang| &lang.frame.short_lead, at, end) == end - at
    }

    /// Whether a postcode is what follows a word: "duluth 55802", "tacoma, zip 98402".
    fn leads_to_postcode(&self, ledger: &Ledger, end: usize) -> bool {
        ledger.fills.iter().any(|filled| {
            let between = end..filled.words.start;
            let slot = self.board.slots.get(filled.slot);
            end <= filled.words.start
                && between.len() <= MOST
                && between.clone().all(|no| self.reader.is_mark(no) || self.reader.is_idle(no) || self.labels(no))
                && slot.is_some_and(is_postal)
        })
    }

    /// Whether words right behind a postcode end the message: "zip is 55802 duluth".
    fn ends_behind_postcode(&self, ledger: &Ledger, run: &Range<usize>) -> bool {
        run.end == self.reader.said.words.len()
            && ledger
                .fills
                .iter()
                .any(|filled| filled.words.end == run.start && self.board.slots.get(filled.slot).is_some_and(is_postal))
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::{Stage, sorted};

    const CABLE: &str = r#"
id = "cable"
title = "Service"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "name"
kind = "text"
subtype = "person"
label = { en = "Name", it = "Nome", es = "Nombre", de = "Name", fr = "Nom", ar = "الاسم" }

[[field]]
id = "city"
kind = "text"
subtype = "place"
label = { en = "City", it = "Città", es = "Ciudad", de = "Stadt", fr = "Ville", ar = "المدينة" }

[[field]]
id = "zip"
kind = "text"
subtype = "code"
label = { en = "Zip code", it = "CAP", es = "Código postal", de = "Postleitzahl", fr = "Code postal", ar = "الرمز البريدي" }

[[field]]
id = "phone"
kind = "phone"
label = { en = "Phone number", it = "Telefono", es = "Teléfono", de = "Telefon", fr = "Téléphone", ar = "الهاتف" }

[[field]]
id = "born"
kind = "date"
prefer = "past"
label = { en = "Date of birth", it = "Data di nascita", es = "Fecha de nacimiento", de = "Geburtsdatum", fr = "Date de naissance", ar = "تاريخ الميلاد" }
"#;

    #[rstest]
    #[case(
        "en",
        "deborah kline, 808-555-0142, topeka, 66603",
        "name=deborah kline; phone=8085550142; city=topeka; zip=66603"
    )]
    #[case("en", "vikram from tulsa 74103", "city=tulsa; name=vikram; zip=74103")]
    #[case("en", "hi, its tom baker, 808-555-0142", "name=tom baker; phone=8085550142")]
    #[case("en", "topeka, zip 66603 and carol j stephens", "city=topeka; name=carol j stephens; zip=66603")]
    #[case("en", "Ines Prado, 4 May 1980", "name=Ines Prado; born=1980-05-04")]
    #[case("en", "808-555-0142 samantha", "name=samantha; phone=8085550142")]
    #[case("en", "808-555-0142 for samantha", "phone=8085550142")]
    #[case("en", "deborah needs a new router, 808-555-0142", "phone=8085550142")]
    #[case("en", "internet down 66603", "zip=66603")]
    #[case("en", "knee pain, 808-555-0142", "phone=8085550142")]
    #[case("en", "moved house, zip 66603", "zip=66603")]
    #[case("en", "ana and tom, 808-555-0142", "phone=8085550142")]
    #[case("en", "my name is olaf zip code is 66603", "name=olaf; zip=66603")]
    #[case("en", "i live in topeka", "city=topeka")]
    #[case("en", "i live in fear", "~=city=fear")]
    #[case("it", "chiara conti, 347 123 4567", "name=chiara conti; phone=3471234567")]
    #[case("it", "guasto internet, 347 123 4567", "phone=3471234567")]
    #[case("es", "lorena vidal, 612 345 678", "name=lorena vidal; phone=612345678")]
    #[case("de", "jürgen brandt, 030 1234567", "name=jürgen brandt; phone=0301234567")]
    #[case("de", "Störung Internet, 030 1234567", "phone=0301234567")]
    #[case("fr", "thierry morel, 01 23 45 67 89", "name=thierry morel; phone=0123456789")]
    #[case("ar", "فاطمة, 050 123 4567", "name=فاطمة; phone=0501234567")]
    fn what_stands_between_values_is_a_name_or_a_town(
        #[case] lang: &'static str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        let fills = Stage::new(CABLE, "").speaking(lang).fills(said);
        assert_eq!(sorted(&fills), sorted(expected), "{said}");
    }

    #[rstest]
    #[case("i'm in topeka", "city=topeka")]
    #[case("we live in topeka right now", "city=topeka")]
    #[case("the hague", "city=the hague")]
    fn an_asked_town_stands_behind_small_words(#[case] said: &str, #[case] expected: &str) {
        assert_eq!(Stage::new(CABLE, "city").fills(said), expected, "{said}");
    }
}
