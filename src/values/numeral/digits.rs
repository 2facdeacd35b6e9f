//! Numbers in digits: grouping and decimals told apart by shape first, by convention where the shape leaves it open.

use rust_decimal::Decimal;

use formwright_text::{Class, Said};

/// Digits read as a number.
#[derive(Debug)]
pub(crate) struct Digits {
    /// One past its last word.
    pub(crate) to: usize,
    /// The value.
    pub(crate) value: Decimal,
    /// The value in the other convention.
    pub(crate) other: Option<Decimal>,
    /// Over and under the line, where it was written so.
    pub(crate) fraction: Option<(u32, u32)>,
}

/// The longest run looked at: more groups than any number has.
const MOST_GROUPS: usize = 10;

/// Reads digits that start at a word. None where there are none, or where they are no number (`12.03.2026`, `10.0.0.1`).
pub(crate) fn at(said: &Said, no: usize, point: char, space_groups: bool) -> Option<Digits> {
    if said.word(no) == "." && !said.is_glued(no) && said.is_glued(no + 1) && is_digits(said, no + 1) {
        let value = number(said, &[], Some(no + 1))?;
        return Some(Digits { to: no + 2, value, other: None, fraction: None });
    }
    if !is_digits(said, no) {
        return None;
    }
    if let Some(fraction) = fraction(said, no) {
        return Some(fraction);
    }
    let run = Run::at(said, no, space_groups);
    let groups = run.groups();
    let (value, other) = match *run.marks() {
        [] => (number(said, groups, None)?, None),
        // `1 234,56`, `1'234`.
        [.., mark] if run.is_grouped(said, groups.len()) => {
            let whole = number(said, groups, None)?;
            match (mark, groups) {
                ('.' | ',', [left, right]) => {
                    let decimal = number(said, std::slice::from_ref(left), Some(*right))?;
                    if mark == point { (decimal, Some(whole)) } else { (whole, Some(decimal)) }
                }
                _ => (whole, None),
            }
        }
        [.., mark @ ('.' | ',')] if run.marks().len() == 1 || run.is_grouped_otherwise(said, mark) => {
            let (last, whole) = groups.split_last()?;
            (number(said, whole, Some(*last))?, None)
        }
        _ => return None,
    };
    let to = run.groups().last()? + 1;
    if run.marks().is_empty()
        && let Some(part) = fraction(said, to)
        && !said.is_glued(to)
        && part.value < Decimal::ONE
        && let Some(sum) = value.checked_add(part.value)
    {
        return Some(Digits { to: part.to, value: sum, other: None, fraction: None });
    }
    Some(Digits { to, value, other, fraction: None })
}

/// One past a number whose groups of three are told apart by spaces, its decimals with it: `1 200,50`. None where there is
/// no such group.
pub(crate) fn spaced_end(said: &Said, no: usize) -> Option<usize> {
    let groups = (no + 1..said.words.len()).take_while(|no| is_spaced(said, *no)).count();
    let end = no + 1 + groups;
    let decimals = matches!(said.word(end), "," | ".") && said.is_glued(end) && is_digits(said, end + 1);
    (groups > 0).then_some(if decimals && said.is_glued(end + 1) { end + 2 } else { end })
}

/// One past the run of digits and marks that starts at a word, where [`at`] found no number in it; else `no`.
pub(crate) fn run_end(said: &Said, no: usize) -> usize {
    let mut to = no;
    while is_digits(said, to) {
        to += 1;
        if matches!(said.word(to), "." | "," | "'")
            && said.is_glued(to)
            && said.is_glued(to + 1)
            && is_digits(said, to + 1)
        {
            to += 1;
        }
    }
    to
}

/// Groups of digits with the marks between them.
struct Run {
    groups: [usize; MOST_GROUPS],
    marks: [char; MOST_GROUPS],
    len: usize,
}

impl Run {
    fn at(said: &Said, no: usize, space_groups: bool) -> Self {
        let mut run = Self { groups: [no; MOST_GROUPS], marks: [' '; MOST_GROUPS], len: 1 };
        let mut last = no;
        while run.len < MOST_GROUPS {
            let (next, mark) = match said.word(last + 1) {
                mark @ ("." | "," | "'")
                    if said.is_glued(last + 1) && said.is_glued(last + 2) && is_digits(said, last + 2) =>
                {
                    (last + 2, mark.chars().next().unwrap_or(' '))
                }
                _ if is_spaced(said, last + 1) => (last + 1, ' '),
                _ => break,
            };
            run.groups[run.len] = next;
            run.marks[run.len - 1] = mark;
            run.len += 1;
            last = next;
        }
        run.without_false_spaces(said, space_groups)
    }

    /// Spaces group digits only as in `1 234 567`; in languages that group by commas only where there are several: anything else is several numbers side by side, or a telephone number.
    fn without_false_spaces(mut self, said: &Said, space_groups: bool) -> Self {
        let spaces = self.marks().iter().take_while(|&&mark| mark == ' ').count();
        let long = |at: usize| said.word(self.groups[at]).len();
        let phone = spaces >= 2 && long(0) == 3 && !is_no_break(said, self.groups[1]);
        // Where spaces do not group, only several of them tell: "1 414 021".
        let usual = space_groups || spaces > 0 && is_no_break(said, self.groups[1]);
        let grouped = !phone && spaces > usize::from(!usual) && self.is_grouped(said, spaces + 1);
        let only_decimals_after = self.len - 1 - spaces <= 1;
        let more = is_digits(said, self.groups[self.len - 1] + 1) && !said.is_glued(self.groups[self.len - 1] + 1);
        if let Some(first) = self.marks().iter().position(|&mark| mark == ' ')
            && (!grouped || !only_decimals_after || more)
        {
            self.len = first + 1;
        }
        self
    }

    fn groups(&self) -> &[usize] {
        &self.groups[..self.len]
    }

    fn marks(&self) -> &[char] {
        &self.marks[..self.len - 1]
    }

    /// Whether the first `count` groups are one number in groups of three, or as in India, with the same mark throughout.
    fn is_grouped(&self, said: &Said, count: usize) -> bool {
        let len = |at: usize| said.word(self.groups[at]).len();
        let mark = self.marks[0];
        let same = self.marks[..count - 1].iter().all(|&other| other == mark);
        let first = said.word(self.groups[0]);
        let threes = (1..count).all(|at| len(at) == 3) && len(0) <= 3;
        let indian =
            mark == ',' && count > 2 && len(0) <= 2 && len(count - 1) == 3 && (1..count - 1).all(|at| len(at) == 2);
        count > 1 && same && (threes || indian) && !first.starts_with('0')
    }

    /// Whether all but the last group are grouped by another mark than the last.
    fn is_grouped_otherwise(&self, said: &Said, last: char) -> bool {
        self.len > 2 && self.marks[0] != last && self.is_grouped(said, self.len - 1)
    }
}

/// `3/4`, `½`, `1½`, but not `3/4/2026`.
fn fraction(said: &Said, no: usize) -> Option<Digits> {
    let line = said.word(no + 1);
    if !is_digits(said, no) || !matches!(line, "/" | "⁄") || !is_digits(said, no + 2) {
        return None;
    }
    let chained =
        matches!(said.word(no + 3), "/" | "-" | ":" | "," | ".") && said.is_glued(no + 3) && said.is_glued(no + 4);
    let glued_before = said.is_glued(no) && matches!(said.word(no.wrapping_sub(1)), "/" | "-" | ":" | "." | ",");
    let before_letters =
        said.is_glued(no + 3) && said.words.get(no + 3).is_some_and(|word| word.class == Class::Letters);
    if !said.is_glued(no + 1) || !said.is_glued(no + 2) || chained || glued_before || before_letters {
        return None;
    }
    let (mut over, mut whole) = (said.word(no), "");
    if line == "⁄" {
        // `1½` is `11⁄2` in the normal form: only what the one character unfolds to is over the line.
        let raw = said.raw.get(said.raw_words(no..no + 3)).unwrap_or_default();
        if raw.chars().next_back().is_some_and(is_vulgar) {
            let before = (raw.chars().count() - 1).min(over.len());
            (whole, over) = (over.get(..before)?, over.get(before..)?);
        }
    }
    let under: u32 = said.word(no + 2).parse().ok().filter(|under| (1..=1000).contains(under))?;
    let over: u32 = over.parse().ok()?;
    let part = Decimal::from(over).checked_div(Decimal::from(under)).map(super::sum::rounded)?;
    let to = no + 3;
    if line == "⁄" {
        let whole: Decimal = if whole.is_empty() { Decimal::ZERO } else { whole.parse().ok()? };
        return Some(Digits {
            to,
            value: super::sum::rounded(whole.checked_add(part)?).normalize(),
            other: None,
            fraction: None,
        });
    }
    Some(Digits { to, value: part.normalize(), other: None, fraction: Some((over, under)) })
}

/// One character that is a whole fraction: `½`.
fn is_vulgar(c: char) -> bool {
    matches!(c, '\u{bc}'..='\u{be}' | '\u{2150}'..='\u{215f}' | '\u{2189}')
}

fn is_digits(said: &Said, no: usize) -> bool {
    said.words.get(no).is_some_and(|word| word.class == Class::Digits)
}

/// Whether word `no` is three digits after exactly one white space.
fn is_spaced(said: &Said, no: usize) -> bool {
    let Some(before) = no.checked_sub(1) else { return false };
    let (Some(a), Some(b)) = (said.words.get(before), said.words.get(no)) else { return false };
    b.class == Class::Digits && said.word(no).len() == 3 && said.text(a.span.end..b.span.start).chars().count() == 1
}

/// Whether the space before a word is one that keeps numbers together.
fn is_no_break(said: &Said, no: usize) -> bool {
    let start = said.raw_words(no..no + 1).start;
    let space = said.raw.get(..start).and_then(|before| before.chars().next_back());
    matches!(space, Some('\u{a0}' | '\u{202f}' | '\u{2009}'))
}

/// The number of these groups of digits, the last ones behind the decimal mark. None where it has too many digits.
fn number(said: &Said, whole: &[usize], decimals: Option<usize>) -> Option<Decimal> {
    let mut digits: i128 = 0;
    for &group in whole.iter().chain(decimals.iter()) {
        for byte in said.word(group).bytes() {
            digits = digits.checked_mul(10)?.checked_add(i128::from(byte.checked_sub(b'0')?))?;
        }
    }
    let scale = decimals.map_or(0, |group| said.word(group).len());
    Decimal::try_from_i128_with_scale(digits, u32::try_from(scale).ok()?).ok()
}
