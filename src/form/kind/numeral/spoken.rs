//! Numbers in words: "two hundred and five", "ventuno", "einundzwanzig", "quatre-vingt-dix-neuf", "three point five".

use rust_decimal::Decimal;

use crate::form::kind::Said;
use crate::form::kind::said::Class;
use crate::form::language::Language;
use crate::form::language::number::Atom;

/// Words read as a number.
#[derive(Debug)]
pub(super) struct Spoken {
    /// One past its last word.
    pub(super) to: usize,
    /// The value.
    pub(super) value: Decimal,
    /// A place in a row, not a count.
    pub(super) ordinal: bool,
}

/// Reads number words that start at a word.
pub(super) fn at(said: &Said, no: usize, lang: &Language) -> Option<Spoken> {
    if let Some((words, Atom::Minus)) = lang.number.atoms.at(said, no) {
        let next = no + words;
        let spoken = at_unsigned(said, next, Sum::default(), lang).filter(|spoken| !spoken.ordinal);
        let spoken = spoken.or_else(|| {
            let digits = super::digits::at(said, next, lang.number.decimal_mark(None), false)?;
            Some(Spoken { to: digits.to, value: digits.value, ordinal: false })
        })?;
        return Some(Spoken { value: -spoken.value, ..spoken });
    }
    at_unsigned(said, no, Sum::default(), lang)
}

/// Reads words that go on a number in digits: "million", "and a half", "dozen".
pub(super) fn after(said: &Said, no: usize, value: Decimal, lang: &Language) -> Option<Spoken> {
    let sum = Sum { group: Some(value), digits: true, ..Sum::default() };
    at_unsigned(said, no, sum, lang).filter(|spoken| !spoken.ordinal)
}

fn at_unsigned(said: &Said, start: usize, mut sum: Sum, lang: &Language) -> Option<Spoken> {
    let mut no = start;
    let mut to = None;
    let mut join = Join::default();
    while let Some((words, atoms)) = piece(said, no, lang) {
        if !may_stand(no == start, said, no) {
            break;
        }
        match atoms {
            Atoms::One(Atom::And) if !sum.is_empty() && !join.and => join.and = true,
            Atoms::One(Atom::Article) if !join.article => join.article = true,
            Atoms::One(Atom::Point) if to.is_some() && !join.and && !join.article => {
                let Some((end, value)) = decimals(said, no + words, sum.value()?, lang) else { break };
                return Some(Spoken { to: end, value, ordinal: false });
            }
            Atoms::One(atom) => {
                if !sum.push(atom, join, lang) {
                    break;
                }
                (to, join) = (Some(no + words), Join::default());
            }
            Atoms::Many(atoms) => {
                let Some(longer) = sum.push_all(&atoms, join, lang) else { break };
                (sum, to, join) = (longer, Some(no + words), Join::default());
            }
        }
        no += words;
    }
    Some(Spoken { to: to?, value: sum.value()?.normalize(), ordinal: sum.ordinal })
}

/// What stands between two atoms.
#[derive(Clone, Copy, Debug, Default)]
struct Join {
    and: bool,
    article: bool,
}

/// The atoms of a word.
enum Atoms {
    One(Atom),
    Many(Vec<Atom>),
}

/// Marks ("&") join numbers but never begin one.
fn may_stand(first: bool, said: &Said, no: usize) -> bool {
    !first || said.words.get(no).is_some_and(|word| word.class == Class::Letters)
}

/// The atoms of the word or phrase at a word.
fn piece(said: &Said, no: usize, lang: &Language) -> Option<(usize, Atoms)> {
    if let Some((words, atom)) = lang.number.atoms.at(said, no) {
        return Some((words, Atoms::One(*atom)));
    }
    let plain = said.plain(no);
    if said.words.get(no)?.class != Class::Letters || plain.len() > 80 {
        return None;
    }
    if plain.contains('-') {
        return hyphenated(plain, lang).map(|atoms| (1, Atoms::Many(atoms)));
    }
    if let Some(prefix) = lang.number.and_prefix
        && let Some(atom) = plain.strip_prefix(prefix).and_then(|rest| lang.number.atoms.word(rest))
    {
        return Some((1, Atoms::Many(vec![Atom::And, *atom])));
    }
    if lang.number.may_be_compound(plain) {
        let mut atoms = Vec::new();
        return compound(plain, lang, &mut atoms, &mut 200).then_some((1, Atoms::Many(atoms)));
    }
    None
}

/// "twenty-one", "quatre-vingt-dix": the longest known piece each time.
fn hyphenated(word: &str, lang: &Language) -> Option<Vec<Atom>> {
    let mut atoms = Vec::new();
    let mut rest = word;
    while !rest.is_empty() {
        let mut end = rest.len();
        let atom = loop {
            if let Some(atom) = lang.number.atoms.word(rest.get(..end)?) {
                break *atom;
            }
            end = rest.get(..end)?.rfind('-')?;
        };
        atoms.push(atom);
        rest = rest.get(end..)?.trim_start_matches('-');
    }
    Some(atoms)
}

/// "einundzwanzig", "duecentocinque": pieces without anything between, longest first; `tries` bounds the search.
fn compound(word: &str, lang: &Language, atoms: &mut Vec<Atom>, tries: &mut u32) -> bool {
    if word.is_empty() {
        return atoms.len() > 1;
    }
    for end in (2..=word.len().min(18)).rev() {
        let Some(piece) = word.get(..end) else { continue };
        let known = lang.number.atoms.word(piece).or_else(|| lang.number.stems.get(piece));
        let Some(atom) = known else { continue };
        let fits = match atom {
            Atom::And => !atoms.is_empty() && piece == "und",
            Atom::Value(_) | Atom::Scale(_) => true,
            Atom::Ordinal(_) => end == word.len(),
            Atom::Article | Atom::Collective(_) | Atom::Fraction(_) | Atom::Point | Atom::Minus => false,
        };
        *tries = tries.saturating_sub(1);
        if !fits || *tries == 0 {
            continue;
        }
        atoms.push(*atom);
        if compound(word.get(end..).unwrap_or_default(), lang, atoms, tries) {
            return true;
        }
        atoms.pop();
    }
    false
}

/// Decimals said one by one ("point two five") or as a number ("virgola venticinque"): one past them, and the value.
fn decimals(said: &Said, start: usize, whole: Decimal, lang: &Language) -> Option<(usize, Decimal)> {
    let mut spelled = String::new();
    let mut no = start;
    while let Some((1, Atoms::One(Atom::Value(digit)))) = piece(said, no, lang)
        && digit < Decimal::TEN
        && digit.is_integer()
        && spelled.len() < 12
    {
        spelled.push_str(&digit.to_string());
        no += 1;
    }
    if spelled.is_empty() {
        let spoken = at_unsigned(said, start, Sum::default(), lang)?;
        if spoken.ordinal || !spoken.value.is_integer() || spoken.value >= Decimal::ONE_THOUSAND {
            return None;
        }
        spelled = spoken.value.to_string();
        no = spoken.to;
    }
    let part: Decimal = format!("0.{spelled}").parse().ok()?;
    Some((no, whole.checked_add(part)?))
}

/// A number growing atom by atom.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    /// Whole groups, scaled.
    total: Decimal,
    /// The group not scaled yet.
    group: Option<Decimal>,
    /// The scale of the last whole group.
    scale: Option<Decimal>,
    /// Started with digits: takes scales, not more values.
    digits: bool,
    /// Has its fraction: takes scales only.
    fraction: bool,
    /// Takes nothing more.
    closed: bool,
    ordinal: bool,
}

impl Sum {
    fn is_empty(&self) -> bool {
        self.group.is_none() && self.scale.is_none()
    }

    fn value(&self) -> Option<Decimal> {
        self.total.checked_add(self.group.unwrap_or_default())
    }

    fn push_all(mut self, atoms: &[Atom], mut join: Join, lang: &Language) -> Option<Self> {
        for &atom in atoms {
            match atom {
                Atom::And if !self.is_empty() => join.and = true,
                Atom::Article => join.article = true,
                _ if self.push(atom, join, lang) => join = Join::default(),
                _ => return None,
            }
        }
        (!join.and && !join.article).then_some(self)
    }

    /// Takes an atom in, or changes nothing and says no.
    fn push(&mut self, atom: Atom, join: Join, lang: &Language) -> bool {
        if self.closed {
            return false;
        }
        let longer = match atom {
            Atom::Value(value) => self.with_value(value, join, lang),
            Atom::Scale(scale) => self.with_scale(scale, join),
            Atom::Collective(size) => self.with_collective(size, join),
            Atom::Fraction(part) => self.with_fraction(part, join),
            // "two and a third"
            Atom::Ordinal(value) if join.and && join.article && value > Decimal::TWO => {
                Decimal::ONE.checked_div(value).and_then(|part| self.with_fraction(part.round_dp(12), join))
            }
            Atom::Ordinal(value) => {
                let longer = if join.article { None } else { self.with_value(value, join, lang) };
                longer.map(|sum| Self { ordinal: true, closed: true, ..sum })
            }
            Atom::Article | Atom::And | Atom::Point | Atom::Minus => None,
        };
        longer.map(|longer| *self = longer).is_some()
    }

    fn with_value(mut self, value: Decimal, join: Join, lang: &Language) -> Option<Self> {
        if join.article || self.digits || self.fraction {
            return None;
        }
        self.fraction = !value.is_integer();
        self.group = Some(match self.group {
            None if self.scale.is_some_and(|scale| value >= scale) => return None,
            None => value,
            Some(group) if value < Decimal::ONE && !value.is_zero() => group.checked_add(value)?,
            Some(group) if fits(group, value, join, lang) => group.checked_add(value)?,
            Some(_) => return None,
        });
        Some(self)
    }

    fn with_scale(mut self, scale: Decimal, join: Join) -> Option<Self> {
        if (join.and || join.article) && !(self.is_empty() || self.fraction) {
            return None;
        }
        let million = Decimal::from(1_000_000);
        match self.group {
            None if scale == Decimal::ONE_HUNDRED => self.group = Some(scale),
            Some(group) if scale == Decimal::ONE_HUNDRED => {
                if group >= Decimal::ONE_HUNDRED || group.is_zero() {
                    return None;
                }
                self.group = Some(group.checked_mul(scale)?);
            }
            _ if self.scale == Some(Decimal::ONE_THOUSAND) && scale == million && self.total < million => {
                self.total = self.value()?.checked_mul(scale)?;
                (self.group, self.scale) = (None, Some(scale));
            }
            _ if self.scale.is_some_and(|last| scale >= last) => return None,
            None if self.scale.is_some() => return None,
            group => {
                let group = group.unwrap_or(Decimal::ONE);
                self.total = self.total.checked_add(group.checked_mul(scale)?)?;
                (self.group, self.scale) = (None, Some(scale));
            }
        }
        self.fraction = false;
        Some(self)
    }

    fn with_collective(mut self, size: Decimal, join: Join) -> Option<Self> {
        let count = match self.group {
            Some(group) if self.scale.is_none() && !join.and => group,
            None if self.is_empty() && join.article => Decimal::ONE,
            _ => return None,
        };
        self.group = Some(count.checked_mul(size)?);
        self.closed = true;
        Some(self)
    }

    fn with_fraction(mut self, part: Decimal, join: Join) -> Option<Self> {
        if self.fraction {
            return None;
        }
        let quarter = Decimal::new(25, 2);
        match self.group {
            None if self.is_empty() => self.group = Some(part),
            None if join.and => self.total = self.total.checked_add(part.checked_mul(self.scale?)?)?,
            Some(group) if join.and => self.group = Some(group.checked_add(part)?),
            Some(group) if group == Decimal::ONE && !self.digits => self.group = Some(part),
            // "three quarters", "twenty-one fifths"
            Some(group)
                if part <= quarter && group < Decimal::ONE_THOUSAND && group > Decimal::ZERO && group.is_integer() =>
            {
                self.group = Some(group.checked_mul(part)?);
            }
            _ => return None,
        }
        self.fraction = true;
        self.closed = self.scale.is_some();
        Some(self)
    }
}

/// Whether a value may be added to a group: "twenty" + "one", "hundred" + "five", never "two" + "three".
fn fits(group: Decimal, value: Decimal, join: Join, lang: &Language) -> bool {
    if group <= Decimal::ZERO || value <= Decimal::ZERO || !group.is_integer() || !value.is_integer() {
        return false;
    }
    let (ten, hundred) = (Decimal::TEN, Decimal::ONE_HUNDRED);
    let (ones, below) = (group % ten, group % hundred);
    if lang.number.ones_first && join.and && below > Decimal::ZERO && below < ten {
        return value >= Decimal::TWO * ten && value < hundred && (value % ten).is_zero();
    }
    if join.and && !below.is_zero() && !lang.number.and_after_tens {
        return false;
    }
    if value < ten {
        ones.is_zero() && below != ten
    } else if value < hundred {
        let sixty_or_eighty = below == Decimal::from(60) || below == Decimal::from(80);
        below.is_zero() || (value < Decimal::TWO * ten && sixty_or_eighty && lang.code == "fr")
    } else {
        value < Decimal::ONE_THOUSAND && (group % Decimal::ONE_THOUSAND).is_zero()
    }
}
