//! Numbers in words: "two hundred and five", "ventuno", "einundzwanzig", "quatre-vingt-dix-neuf", "three point five".

use formwright_lexicon::Language;
use formwright_lexicon::number::Atom;
use formwright_text::{Class, Said};
use rust_decimal::Decimal;

use super::sum::{Figures, Join, Sum, rounded};

/// Words read as a number.
#[derive(Debug)]
pub(crate) struct Spoken {
    /// One past its last word.
    pub(crate) to: usize,
    /// The value.
    pub(crate) value: Decimal,
    /// A place in a row, not a count.
    pub(crate) ordinal: bool,
}

/// Reads number words that start at a word.
pub(crate) fn at(said: &Said, no: usize, lang: &Language) -> Option<Spoken> {
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
pub(crate) fn after(said: &Said, no: usize, value: Decimal, lang: &Language) -> Option<Spoken> {
    at_unsigned(said, no, Sum::of_digits(value), lang).filter(|spoken| !spoken.ordinal)
}

fn at_unsigned(said: &Said, start: usize, mut sum: Sum, lang: &Language) -> Option<Spoken> {
    let mut no = start;
    let mut to = None;
    let mut join = Join::default();
    loop {
        if let Some(last) = sum.last_scale().filter(|_| said.word(no) == "," && !join.and)
            && let Some(group) = group_behind_comma(said, no + 1, last, lang)
        {
            let value = rounded(sum.value()?.checked_add(group.value)?).normalize();
            return Some(Spoken { value, ..group });
        }
        if let Some((end, scale)) = of_scale(said, no, lang).filter(|_| sum.fraction) {
            if !sum.push(Atom::Scale(scale), Join::default(), lang) {
                break;
            }
            (no, to) = (end, Some(end));
            continue;
        }
        let figures = || figures(said, no, lang).filter(|figures| sum.takes_figures(figures, join));
        let Some((words, atoms)) =
            piece(said, no, lang).or_else(|| Some((1, Atoms::One(Atom::Value(figures()?.value)))))
        else {
            break;
        };
        if !may_stand(no == start, said, no) {
            break;
        }
        match atoms {
            Atoms::One(Atom::And) if !sum.is_empty() && !join.and => join.and = true,
            Atoms::One(Atom::Article) if !join.article => join.article = true,
            Atoms::One(Atom::Point) if (to.is_some() || begins(said, no, lang)) && !join.and && !join.article => {
                let Some((end, value)) = decimals(said, no + words, sum.value()?, lang) else { break };
                let (to, value) = scaled(said, end, value, lang)?;
                return Some(Spoken { to, value, ordinal: false });
            }
            Atoms::One(atom) => {
                if !sum.push(atom, join, lang) {
                    if join.and
                        && sum.takes_part()
                        && let Some((end, part)) = part_at(said, no, lang)
                    {
                        let value = rounded(sum.value()?.checked_add(part)?).normalize();
                        return Some(Spoken { to: end, value, ordinal: false });
                    }
                    // "three twenty firsts"
                    let Some((end, parts)) = tens_of_parts(said, no, lang) else { break };
                    if join.and || !sum.push(Atom::Parts(parts), join, lang) {
                        break;
                    }
                    (no, to, join) = (end, Some(end), Join::default());
                    continue;
                }
                (to, join) = (Some(no + words), Join::default());
            }
            Atoms::Many(mut atoms) => {
                // "وخمسة" begins a number too.
                if no == start && sum.is_empty() && atoms.first() == Some(&Atom::And) {
                    atoms.remove(0);
                }
                let Some(longer) = sum.push_all(&atoms, join, lang) else { break };
                (sum, to, join) = (longer, Some(no + words), Join::default());
            }
        }
        no += words;
    }
    Some(Spoken { to: to?, value: rounded(sum.value()?).normalize(), ordinal: sum.ordinal })
}

/// The "one hundred and eleven" of "a thousand, one hundred and eleven": hundreds or more, and less than the scale before.
/// Smaller numbers behind a comma are others of a list.
fn group_behind_comma(said: &Said, no: usize, scale: Decimal, lang: &Language) -> Option<Spoken> {
    let group =
        at_unsigned(said, no, Sum::default(), lang).filter(|group| !group.ordinal && group.value.is_integer())?;
    let spelled = said.words.get(no).is_some_and(|word| word.class == Class::Letters);
    let fits = group.value >= Decimal::ONE_HUNDRED && group.value < scale;
    // "One thousand, two hundred, fifty" are three.
    let listed = said.word(group.to) == "," && piece(said, group.to + 1, lang).is_some();
    (spelled && fits && !listed).then_some(group)
}

/// "of a million" behind a part: one past it, and the scale.
fn of_scale(said: &Said, no: usize, lang: &Language) -> Option<(usize, Decimal)> {
    let (of, ()) = lang.number.of.at(said, no)?;
    let article = match lang.number.atoms.at(said, no + of) {
        Some((words, Atom::Article)) => words,
        Some((words, Atom::Value(one))) if *one == Decimal::ONE => words,
        _ => 0,
    };
    match lang.number.atoms.at(said, no + of + article) {
        Some((words, Atom::Scale(scale) | Atom::Collective(scale))) => Some((no + of + article + words, *scale)),
        _ => None,
    }
}

/// The "three quarters" of "seven and three quarters": one past it, and its value.
fn part_at(said: &Said, no: usize, lang: &Language) -> Option<(usize, Decimal)> {
    let (words, Atom::Value(count)) = lang.number.atoms.at(said, no)? else { return None };
    let (more, part) = lang.number.atoms.at(said, no + words)?;
    let value = match part {
        Atom::Parts(parts) => count.checked_div(*parts)?,
        Atom::Fraction(part) => count.checked_mul(*part)?,
        _ => return None,
    };
    (value < Decimal::ONE && value > Decimal::ZERO).then_some((no + words + more, value))
}

/// "twenty firsts": one past it, and how many make one.
fn tens_of_parts(said: &Said, no: usize, lang: &Language) -> Option<(usize, Decimal)> {
    let (tens, Atom::Value(n)) = lang.number.atoms.at(said, no)? else { return None };
    let (ones, Atom::Parts(parts)) = lang.number.atoms.at(said, no + tens)? else { return None };
    let composed = *n >= Decimal::from(20) && (*n % Decimal::TEN).is_zero() && *parts < Decimal::TEN;
    composed.then(|| (no + tens + ones, *n + *parts))
}

/// The "21" of "3 hundred and 21".
fn figures(said: &Said, no: usize, lang: &Language) -> Option<Figures> {
    let word = said.words.get(no).filter(|word| word.class == Class::Digits && word.span.len() <= 3)?;
    if said.is_glued(no) || said.is_glued(no + 1) && !matches!(said.word(no + 1), "." | "," | "!" | "?" | ";" | ")") {
        return None;
    }
    let scaled = matches!(lang.number.atoms.at(said, no + 1), Some((_, Atom::Scale(_))));
    Some(Figures { value: said.text(word.span.clone()).parse().ok()?, scaled })
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
    if let Some(rest) = lang.number.and_prefix.and_then(|prefix| plain.strip_prefix(prefix)) {
        // "وستة عشر"
        if let Some((more, atom)) = lang.number.atoms.led_by(rest, said, no + 1) {
            return Some((1 + more, Atoms::Many(vec![Atom::And, *atom])));
        }
    }
    if let Some(prefix) = lang.number.for_prefix
        && let Some(atom) = plain.strip_prefix(prefix).and_then(|rest| lang.number.atoms.word(rest))
    {
        return Some((1, Atoms::One(*atom)));
    }
    if lang.number.may_be_compound(plain) {
        let mut atoms = Vec::new();
        return compound(plain, lang, &mut atoms, &mut 200).then_some((1, Atoms::Many(atoms)));
    }
    None
}

/// "twenty-one", "quatre-vingt-dix": the longest known piece each time.
fn hyphenated(word: &str, lang: &Language) -> Option<Vec<Atom>> {
    let mut atoms: Vec<Atom> = Vec::new();
    let mut rest = word;
    while !rest.is_empty() {
        let mut end = rest.len();
        let atom = loop {
            if let Some(atom) = lang.number.atoms.word(rest.get(..end)?) {
                break *atom;
            }
            end = rest.get(..end)?.rfind('-')?;
        };
        // "twenty-first", "twenty-firsts"
        match (atoms.last().copied(), atom) {
            (Some(Atom::Value(tens)), Atom::Ordinal(ones)) if ones < Decimal::TEN && tens < Decimal::ONE_HUNDRED => {
                atoms.pop();
                atoms.push(Atom::Ordinal(tens + ones));
            }
            (Some(Atom::Value(tens)), Atom::Parts(ones)) if ones < Decimal::TEN && tens >= Decimal::from(20) => {
                atoms.pop();
                atoms.push(Atom::Parts(tens + ones));
            }
            _ => atoms.push(atom),
        }
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
            Atom::Article | Atom::Collective(_) | Atom::Fraction(_) | Atom::Parts(_) => false,
            Atom::Point | Atom::Minus => false,
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

/// Whether "point" at a word begins a number, "point five", and leads to nothing else: at the beginning, and not Spanish "con".
fn begins(said: &Said, no: usize, lang: &Language) -> bool {
    no == 0 && !lang.yes_no.with.starts(said, no)
}

/// The scales behind decimals, "million" of "two point seven million": one past them, and the value.
fn scaled(said: &Said, no: usize, value: Decimal, lang: &Language) -> Option<(usize, Decimal)> {
    match lang.number.atoms.at(said, no) {
        Some((words, Atom::Scale(scale))) => scaled(said, no + words, value.checked_mul(*scale)?.normalize(), lang),
        _ => Some((no, value)),
    }
}

/// Decimals said one by one ("point two five") or as a number ("virgola venticinque"): one past them, and the value.
fn decimals(said: &Said, start: usize, whole: Decimal, lang: &Language) -> Option<(usize, Decimal)> {
    let mut spelled = String::new();
    let mut no = start;
    while spelled.len() < 12 {
        match piece(said, no, lang) {
            Some((1, Atoms::One(Atom::Value(digit)))) if digit < Decimal::TEN && digit.is_integer() => {
                spelled.push_str(&digit.to_string());
            }
            _ if lang.number.nought.starts(said, no) => spelled.push('0'),
            _ => break,
        }
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
