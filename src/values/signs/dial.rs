//! Runs of digits that may be telephone numbers.

use std::ops::Range;

use formwright_text::{Class, Said};

use super::cards;

/// What is dialled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dial {
    /// Digits only, without `+` and international prefix.
    pub digits: String,
    /// Written with `+` or `00`.
    pub international: bool,
    /// Digits after "ext".
    pub extension: Option<String>,
}

/// Least and greatest number of digits.
const DIGITS: std::ops::RangeInclusive<usize> = 7..=17;

impl Dial {
    /// Whether a run with no valid number in it still looks like one: the person is then told what is wrong with it.
    pub fn is_plausible(&self, said: &Said, words: &Range<usize>) -> bool {
        let groups = groups(said, words.clone());
        let years = groups.len() == 2
            && groups.iter().all(|group| said.word(group.start).len() == 4)
            && self.digits.starts_with(['1', '2']);
        self.international || self.digits.len() >= 8 && !years || self.digits.len() == 7 && groups.len() <= 3
    }
}

/// Runs of digits with the marks that stand in telephone numbers, as words; seven digits at least, no card numbers,
/// dates, times, amounts or coordinates.
pub fn runs(said: &Said) -> Vec<Range<usize>> {
    let digits: usize = said.words.iter().filter(|word| word.class == Class::Digits).map(|word| word.span.len()).sum();
    if digits < *DIGITS.start() {
        return Vec::new();
    }
    let mut runs = Vec::new();
    let mut no = 0;
    while no < said.words.len() {
        let opens = matches!(said.word(no), "+" | "(") && may_follow(said, no);
        if !opens && !is_digits(said, no) {
            no += 1;
            continue;
        }
        let mut end = no + 1;
        while end < said.words.len() && may_follow(said, end) {
            end += 1;
        }
        while end > no && !is_digits(said, end - 1) {
            end -= 1;
        }
        let end = end.max(no + 1);
        let run = no..extension(said, end).map_or(end, |(end, _)| end);
        let inside_word = no > 0 && said.is_glued(no) && said.words[no - 1].class == Class::Letters;
        let runs_on = said.is_glued(end) && said.words.get(end).is_some_and(|word| word.class == Class::Letters);
        let runs_on = runs_on && run.end == end;
        if !inside_word && !runs_on && is_run(said, no..end) {
            runs.push(run.clone());
        }
        no = run.end;
    }
    runs
}

/// Runs in groups as only telephone numbers are written: three or more, or a prefix with a long number.
pub(crate) fn dialled(said: &Said) -> Vec<Range<usize>> {
    runs(said).into_iter().filter(|run| is_grouped(said, run.clone())).collect()
}

/// Whether digits stand in groups as only those of telephone numbers do.
pub fn is_grouped(said: &Said, words: Range<usize>) -> bool {
    const PREFIX: usize = 4;
    const LONG: usize = 6;
    let groups: Vec<&str> = words.filter(|&no| is_digits(said, no)).map(|no| said.word(no)).collect();
    match groups.as_slice() {
        [] | [_] => false,
        [first, second] => first.starts_with('0') || first.len() <= PREFIX && second.len() >= LONG,
        [_, _, _, ..] => true,
    }
}

fn is_digits(said: &Said, no: usize) -> bool {
    said.words.get(no).is_some_and(|word| word.class == Class::Digits)
}

/// Whether a word goes on with a number: digits, or one mark between digits.
fn may_follow(said: &Said, no: usize) -> bool {
    let digits_near = |no: usize| is_digits(said, no) || matches!(said.word(no), "(" | ")") && is_digits(said, no + 1);
    match said.word(no) {
        "(" => is_digits(said, no + 1) || said.word(no + 1) == "+" && is_digits(said, no + 2),
        "+" => is_digits(said, no + 1) && (no == 0 || !is_digits(said, no - 1)),
        ")" => no > 0 && is_digits(said, no - 1),
        "-" | "." | "/" => digits_near(no + 1) || said.word(no + 1) == "-" && is_digits(said, no + 2),
        _ => is_digits(said, no),
    }
}

/// Digits glued together by marks, as words: the parts that spaces separate.
fn groups(said: &Said, words: Range<usize>) -> Vec<Range<usize>> {
    let mut groups: Vec<Range<usize>> = Vec::new();
    for no in words {
        match groups.last_mut() {
            Some(group) if said.is_glued(no) => group.end = no + 1,
            _ => groups.push(no..no + 1),
        }
    }
    groups
}

/// Whether a run is long enough and nothing else.
fn is_run(said: &Said, words: Range<usize>) -> bool {
    let numbers: Vec<&str> = words.clone().filter(|&no| is_digits(said, no)).map(|no| said.word(no)).collect();
    let marks: String = words.clone().filter(|&no| !is_digits(said, no)).map(|no| said.word(no)).collect();
    let digits = numbers.concat();
    let lens: Vec<usize> = numbers.iter().map(|number| number.len()).collect();
    let glued = groups(said, words.clone()).len() == 1;
    let date = glued
        && matches!(lens.as_slice(), [1 | 2, 1 | 2, 4] | [4, 1 | 2, 1 | 2])
        && matches!(marks.as_str(), "--" | ".." | "//");
    let times = marks.contains('.') && lens.iter().all(|len| *len <= 2) && lens.len() <= 4 && digits.len() <= 8;
    let decimal = marks == "." && lens.len() == 2 && glued;
    let server = marks == "..." && lens.len() == 4 && lens.iter().all(|len| *len <= 3) && glued;
    let amount = lens.len() > 1
        && lens.iter().skip(1).all(|len| *len == 3)
        && lens[0] <= 3
        && !marks.is_empty()
        && marks.chars().all(|c| c == '.')
        && digits.ends_with("000");
    let unit = said
        .words
        .get(words.end)
        .is_some_and(|next| matches!(said.text(next.span.clone()), "%" | "€" | "$" | "£" | "°" | ":"));
    DIGITS.contains(&digits.len())
        && !(date || times || decimal || server || amount || unit)
        && !is_card(said, words.start, &digits)
        && !cards::is_grouped(&lens)
}

/// An extension after a number: the word after it and its digits.
fn extension(said: &Said, no: usize) -> Option<(usize, String)> {
    const WORDS: [&str; 8] = ["ext", "extn", "x", "extension", "int", "interno", "durchwahl", "poste"];
    let no = no + usize::from(matches!(said.word(no), "," | ";"));
    let hash = said.word(no) == "#";
    if !hash && !WORDS.contains(&said.plain(no)) {
        return None;
    }
    let mut no = no + 1;
    while matches!(said.word(no), "." | ":" | "#" | "=") {
        no += 1;
    }
    let digits = said.word(no);
    (is_digits(said, no) && digits.len() <= 7).then(|| (no + 1, digits.to_owned()))
}

/// What a whole run dials; none where it holds anything but a number, or a card's number.
pub fn dial(said: &Said, words: Range<usize>) -> Option<Dial> {
    let mut dial = Dial { digits: String::new(), international: false, extension: None };
    let mut no = words.start;
    while no < words.end {
        match said.word(no) {
            "+" if dial.digits.is_empty() => dial.international = true,
            "(" | ")" | "-" | "." | "/" => {}
            _ if is_digits(said, no) => dial.digits.push_str(said.word(no)),
            _ => {
                let (end, digits) = extension(said, no).filter(|(end, _)| *end == words.end)?;
                dial.extension = Some(digits);
                no = end;
                continue;
            }
        }
        no += 1;
    }
    if !dial.international && dial.digits.starts_with("00") {
        dial.digits.drain(..2);
        dial.international = true;
    }
    // "+44 (0)20 …": the zero is dialled only inside the country.
    if dial.international && said.text(0..said.norm.len()).contains("(0)") {
        let at = words.clone().find(|&no| said.word(no) == "0" && said.word(no + 1) == ")");
        let before = at.map(|at| {
            words
                .clone()
                .take_while(|&no| no < at)
                .filter(|&no| is_digits(said, no))
                .map(|no| said.word(no).len())
                .sum::<usize>()
        });
        if let Some(before) = before.filter(|before| dial.digits.get(*before..*before + 1) == Some("0")) {
            dial.digits.remove(before);
        }
    }
    (!dial.digits.is_empty() && dial.digits.len() <= 20 && (dial.international || !cards::is_card(&dial.digits)))
        .then_some(dial)
}

/// A number with a country's prefix and that of a line in a house behind a hyphen, "+86 20 61302222-8866": the words without
/// the latter, and all that is dialled.
pub fn with_branch(said: &Said, run: Range<usize>) -> Option<(Range<usize>, Dial)> {
    const LINE: std::ops::RangeInclusive<usize> = 1..=5;
    let line = run.end.checked_sub(1).filter(|&no| is_digits(said, no) && LINE.contains(&said.word(no).len()))?;
    let hyphen = line.checked_sub(1).filter(|&no| said.word(no) == "-" && said.is_glued(no) && said.is_glued(line))?;
    let number = run.start..hyphen;
    let dial = dial(said, number.clone()).filter(|dial| dial.international && dial.extension.is_none())?;
    Some((number, Dial { extension: Some(said.word(line).to_owned()), ..dial }))
}

/// Parts of a run that may each be the number, the longest first: a house number or postcode may stand beside it.
pub fn candidates(said: &Said, run: Range<usize>) -> Vec<(Range<usize>, Dial)> {
    const MOST_GROUPS: usize = 9;
    let groups = groups(said, run);
    if groups.len() > MOST_GROUPS {
        return Vec::new();
    }
    let mut parts: Vec<Range<usize>> = Vec::new();
    for len in (1..=groups.len()).rev() {
        parts.extend((0..=groups.len() - len).map(|at| groups[at].start..groups[at + len - 1].end));
    }
    let digits = |dial: &Dial| DIGITS.contains(&dial.digits.len());
    parts.into_iter().filter_map(|part| Some((part.clone(), dial(said, part).filter(digits)?))).collect()
}

/// Whether a message's digits are those of a card.
pub fn holds_card(said: &Said) -> bool {
    let digits: String = (0..said.words.len()).filter(|&no| is_digits(said, no)).map(|no| said.word(no)).collect();
    cards::is_card(&digits)
}

/// Whether digits from a word on are a card's number: with a country's prefix, "+49 151 …", they are none.
fn is_card(said: &Said, start: usize, digits: &str) -> bool {
    !matches!((said.word(start), said.word(start + 1)), ("+", _) | ("(", "+")) && cards::is_card(digits)
}
