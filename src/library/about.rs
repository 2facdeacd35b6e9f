//! Which passage a question is about, if any is.
//!
//! FTS ranks passages, and always one is first. Whether that answers anything is told by how much of the question is in
//! it: each word counts by how rare it is in the documents, and one that they do not have at all as one that is there once.

use formwright_chat::words::primary;

use super::excerpt::excerpt;
use super::index::Index;
use super::split::Part;
use super::words::{Term, denies, is_same, terms, words};
use formwright_engine::Passage;

/// Least share of a question that is in the passage which answers it.
const LEAST: f64 = 0.6;
/// The same of a question of many words: it tells more than what it asks about.
const LEAST_OF_LONG: f64 = 0.45;
/// How many telling words are many.
const LONG: usize = 3;
/// The same where the question says all of the heading.
const LEAST_BELOW_HEADING: f64 = 0.3;
/// As many passages a document is taken to have at least: in a short one no word is rare.
const FEW: f64 = 8.0;
/// What the headings add to the fit of a passage that have all of the question in them.
const HEADED: f64 = 0.5;
/// What it adds that the question says all of the heading.
const NAMED: f64 = 0.15;
/// What it adds that a passage begins with what is asked about.
const OPENS: f64 = 0.1;
/// What is left of the fit below a heading that denies what the question does not; and where only the question does.
const DENIED: f64 = 0.6;
const NOT_DENIED: f64 = 0.8;

/// A question in the words of one language, each with how rare it is and in how many passages.
struct Asked<'q> {
    question: &'q str,
    lang: &'q str,
    terms: Vec<(f64, u32, Term)>,
}

/// The passage that a question is about: of a document in its language, else of one in another, by the words of that.
pub(super) fn find(index: &Index, question: &str, lang: &str) -> rusqlite::Result<Option<Passage>> {
    let own = primary(lang);
    let found = find_in(index, question, own, |part| part.langs.is_empty() || speaks(part, own))?;
    if let Some((_, passage)) = found {
        return Ok(Some(passage));
    }
    let mut best: Option<(f64, Passage)> = None;
    for other in index.langs().into_iter().filter(|other| *other != own) {
        let found = find_in(index, question, other, |part| speaks(part, other) && !speaks(part, own))?;
        best = match (best, found) {
            (Some(best), Some(found)) if found.0 <= best.0 => Some(best),
            (best, found) => found.or(best),
        };
    }
    Ok(best.map(|(_, passage)| Passage { own: false, ..passage }))
}

fn speaks(part: &Part, lang: &str) -> bool {
    part.langs.iter().any(|tag| primary(tag) == lang)
}

/// The passage of some documents that a question is about, and how well it fits.
fn find_in(
    index: &Index,
    question: &str,
    lang: &str,
    of: impl Fn(&Part) -> bool,
) -> rusqlite::Result<Option<(f64, Passage)>> {
    let terms = terms(question, lang);
    // Without one word that says something by itself, nothing is asked about but what a heading says in such words.
    if !terms.iter().any(|term| term.weight >= 1.0) {
        return headed_so(index, question, of);
    }
    let all = f64::from(u32::try_from(index.len()).unwrap_or(u32::MAX)).max(FEW);
    let mut weighed = Vec::new();
    for term in terms {
        let count = index.count(&term.words)?;
        let often = f64::from(count).max(1.0);
        let rare = (1.0 + (all - often + 0.5) / (often + 0.5)).ln();
        weighed.push((term.weight * rare, count, term));
    }
    let asked = Asked { question, lang, terms: weighed };
    let words: Vec<&str> = asked.terms.iter().flat_map(|(.., term)| &term.words).map(String::as_str).collect();
    let found = index.having(&words, of)?;
    // Of those that fit alike, what FTS puts first.
    let mut best: Option<(f64, &Part)> = None;
    for part in found {
        let fit = asked.fit(part);
        if fit > best.map_or(0.0, |(fit, _)| fit) {
            best = Some((fit, part));
        }
    }
    Ok(best.map(|(fit, part)| {
        let (source, text) = (part.headings.join(" › "), excerpt(&part.text, &words));
        let named =
            asked.says_heading(part) && asked.telling().all(|term| part.below().any(|heading| term.is_in(&heading)));
        (fit, Passage { source, text, fit, own: true, named })
    }))
}

/// The passage whose heading a question says in words of which none says something by itself: "How long it takes".
fn headed_so(index: &Index, question: &str, of: impl Fn(&Part) -> bool) -> rusqlite::Result<Option<(f64, Passage)>> {
    let asked = words(question);
    let all: Vec<&str> = asked.iter().map(String::as_str).collect();
    let says = |part: &&Part| {
        let heading = part.headings().next_back().map(|heading| words(heading)).unwrap_or_default();
        let mut said = asked.iter();
        heading.len() > 1 && heading.iter().all(|word| said.any(|said| is_same(said, word)))
    };
    let found = index.having(&all, of)?.into_iter().find(says);
    Ok(found.map(|part| {
        let (source, text) = (part.headings.join(" › "), excerpt(&part.text, &all));
        (1.0, Passage { source, text, fit: 1.0, own: true, named: false })
    }))
}

impl Asked<'_> {
    fn telling(&self) -> impl Iterator<Item = &Term> {
        self.terms.iter().map(|(.., term)| term).filter(|term| term.weight >= 1.0)
    }

    /// Whether the question says all of the nearest heading, below the document's name.
    fn says_heading(&self, part: &Part) -> bool {
        let Some(heading) = part.headings().next_back() else { return false };
        let heading: Vec<Term> = terms(heading, self.lang).into_iter().filter(|term| term.weight >= 1.0).collect();
        let said = |of: &Term| self.terms.iter().any(|(.., term)| of.words.first().is_some_and(|word| term.is(word)));
        !heading.is_empty() && heading.iter().all(said)
    }

    /// How well a passage fits; 0 where the question is not about it.
    fn fit(&self, part: &Part) -> f64 {
        let body = words(&part.text);
        let below: Vec<String> = part.below().flatten().collect();
        let title = part.headings.first().filter(|_| part.names > 0).map(|title| words(title)).unwrap_or_default();
        let sum = |within: &dyn Fn(&Term) -> bool| -> f64 {
            self.terms.iter().filter(|(.., term)| within(term)).map(|(weight, ..)| weight).sum()
        };
        let whole = sum(&|_| true);
        let covered = sum(&|term| term.is_in(&body) || term.is_in(&below) || term.is_in(&title)) / whole;
        let headed = sum(&|term| term.is_in(&below)) / whole;
        let told = sum(&|term| term.is_in(&body) || term.is_in(&below)) / whole;
        let named = self.says_heading(part);
        let least = match named {
            true => LEAST_BELOW_HEADING,
            false if self.telling().count() >= LONG => LEAST_OF_LONG,
            false => LEAST,
        };
        if covered < least || told <= 0.0 {
            return 0.0;
        }
        let met: Vec<&Term> = self.telling().filter(|term| term.is_in(&body) || term.is_in(&below)).collect();
        let opens = |term: &&Term| body.iter().take(6).any(|word| term.is(word));
        // A passage is not about what it mentions once and in passing, but where nothing else is asked and none else has it.
        if let [only] = met.as_slice() {
            let often = body.iter().filter(|word| only.is(word)).count();
            let sole = matches!(self.terms.as_slice(), [(_, 1, _)]);
            if often < 2 && !sole && !opens(only) && !only.is_in(&below) && !only.is_in(&title) {
                return 0.0;
            }
        }
        let opens = if met.iter().any(opens) { OPENS } else { 0.0 };
        let named = if named { NAMED } else { 0.0 };
        // What stands below a heading that denies is still about what only it names.
        let by_heading = met.iter().all(|term| term.is_in(&below));
        let turned = match (part.headings().any(|heading| denies(heading)), denies(self.question)) {
            (true, false) if by_heading => DENIED,
            (false, true) => NOT_DENIED,
            _ => 1.0,
        };
        (covered + HEADED * headed + opens + named) * turned
    }
}
