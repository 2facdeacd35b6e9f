//! The clock of a place in words: "New York time", "Berliner Zeit", "ora di Roma".

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

use formwright_lexicon::Language;
use formwright_text::Said;

use super::names;

/// Most words in the name of a place.
const LONGEST: usize = 4;

/// How each language speaks of the clock of a place.
static PATTERNS: LazyLock<BTreeMap<&'static str, Vec<Pattern>>> = LazyLock::new(|| {
    names::clocks()
        .map(|(lang, patterns)| (lang, patterns.iter().filter_map(|text| Pattern::new(text)).collect()))
        .collect()
});

/// One way to speak of the clock of a place: "{}er Zeit" has an ending and a word behind the place.
#[derive(Debug)]
struct Pattern {
    before: Vec<&'static str>,
    beginning: &'static str,
    ending: &'static str,
    behind: Vec<&'static str>,
}

/// The clock of a place that is spoken of from a word on: how many words, and the zones that the place may have, none
/// where it is not known. A place that is not known counts only where it is written as a name.
pub fn clock_of_place(said: &Said, no: usize, lang: &Language) -> Option<(usize, &'static [Box<str>])> {
    let patterns = || lang.and_english().filter_map(|lang| PATTERNS.get(lang.code)).flatten();
    let known = patterns().find_map(|pattern| pattern.read(said, no, |place| pattern.zones(said, place)));
    known.or_else(|| patterns().find_map(|pattern| pattern.read(said, no, |place| pattern.is_name(said, no, place))))
}

impl Pattern {
    fn new(text: &'static str) -> Option<Self> {
        let (before, behind) = text.split_once("{}")?;
        let (before, beginning) = before.rsplit_once(' ').unwrap_or(("", before));
        let (ending, behind) = behind.split_once(' ').unwrap_or((behind, ""));
        let words = |text: &'static str| text.split_whitespace().collect();
        Some(Self { before: words(before), beginning, ending, behind: words(behind) })
    }

    /// Reads the pattern from a word on, with the longest place that `read` takes.
    fn read<T>(&self, said: &Said, no: usize, read: impl Fn(Range<usize>) -> Option<T>) -> Option<(usize, T)> {
        let place = no + self.before.len();
        let stands =
            |words: &[&str], at: usize| (at..).zip(words).all(|(at, word)| said.word(at) == word.to_lowercase());
        let longest = LONGEST.min(said.words.len().saturating_sub(place));
        let end_of = |len: usize| place + len + self.behind.len();
        let fits = |len: &usize| stands(&self.before, no) && stands(&self.behind, place + len);
        (1..=longest).rev().filter(fits).find_map(|len| Some((end_of(len) - no, read(place..place + len)?)))
    }

    fn zones(&self, said: &Said, place: Range<usize>) -> Option<&'static [Box<str>]> {
        let text = said.norm.get(said.words.get(place.start)?.span.start..said.words.get(place.end - 1)?.span.end)?;
        names::of_place(text.strip_prefix(self.beginning)?.strip_suffix(self.ending)?)
    }

    /// Whether a place is written as a name, and the words around it are not: "Show Time" is a title.
    fn is_name(&self, said: &Said, no: usize, place: Range<usize>) -> Option<&'static [Box<str>]> {
        let written = |words: &[&str], at: usize| {
            (at..).zip(words).all(|(at, word)| said.raw.get(said.raw_words(at..at + 1)) == Some(*word))
        };
        let around = written(&self.before, no) && written(&self.behind, place.end);
        let glued =
            said.word(place.start).starts_with(self.beginning) && said.word(place.end - 1).ends_with(self.ending);
        let caseless = |word: &str| word.chars().all(|c| c.is_alphabetic() && !c.is_lowercase());
        let name = |no: usize| said.is_capital(no) || caseless(said.word(no));
        (around && glued && place.into_iter().all(name)).then_some(&[])
    }
}
