//! Which passage a question is about, if any is.
//!
//! FTS ranks passages, and always one is first. Whether that answers anything is told by how much of the question is in
//! it: each word counts by how rare it is in the documents, and one that they do not have at all as one that is there once.

use super::excerpt::excerpt;
use super::index::Index;
use super::split::Part;
use super::words::{Term, is_same, terms, words};
use crate::engine::Passage;

/// Least share of a question that is in the passage which answers it.
const LEAST: f64 = 0.6;
/// As many passages a document is taken to have at least: in a short one no word is rare.
const FEW: f64 = 8.0;
/// What the headings add to the fit of a passage that have all of the question in them.
const HEADED: f64 = 0.5;
/// What it adds that a passage begins with what is asked about.
const OPENS: f64 = 0.1;

/// The passage that a question is about.
pub(super) fn find(index: &Index, question: &str, lang: &str) -> rusqlite::Result<Option<Passage>> {
    let terms = terms(question, lang);
    // Without one word that says something by itself, nothing is asked about.
    if !terms.iter().any(|term| term.weight >= 1.0) {
        return Ok(None);
    }
    let all = f64::from(u32::try_from(index.len()).unwrap_or(u32::MAX)).max(FEW);
    let mut weighed = Vec::new();
    for term in terms {
        let count = f64::from(index.count(&term.word)?).max(1.0);
        let rare = (1.0 + (all - count + 0.5) / (count + 0.5)).ln();
        weighed.push((term.weight * rare, term));
    }
    let words: Vec<&str> = weighed.iter().map(|(_, term)| term.word.as_str()).collect();
    let speaks = |part: &&&Part| {
        let own = lang.split(['-', '_']).next().unwrap_or(lang);
        part.langs.is_empty() || part.langs.iter().any(|tag| tag.split('-').next() == Some(own))
    };
    let found = index.having(&words)?;
    let (own, others): (Vec<&Part>, Vec<&Part>) = found.iter().partition(|part| speaks(part));
    let best = best(&own, &weighed).or_else(|| best(&others, &weighed));
    Ok(best.map(|(fit, part)| Passage { source: part.headings.join(" › "), text: excerpt(&part.text, &words), fit }))
}

/// The passage that fits best; of those that fit alike, what FTS puts first.
fn best<'p>(parts: &[&'p Part], terms: &[(f64, Term)]) -> Option<(f64, &'p Part)> {
    let mut best: Option<(f64, &Part)> = None;
    for part in parts {
        let fit = fit(part, terms);
        if fit > best.map_or(0.0, |(fit, _)| fit) {
            best = Some((fit, part));
        }
    }
    best
}

/// How well a passage fits a question; 0 where the question is not about it.
fn fit(part: &Part, terms: &[(f64, Term)]) -> f64 {
    let body = words(&part.text);
    let (title, below) = part
        .headings
        .split_first()
        .map_or((Vec::new(), Vec::new()), |(title, below)| (words(title), words(&below.join("\n"))));
    let has = |words: &[String], term: &Term| words.iter().any(|word| is_same(word, &term.word));
    let sum = |within: &dyn Fn(&Term) -> bool| -> f64 {
        terms.iter().filter(|(_, term)| within(term)).map(|(weight, _)| weight).sum()
    };
    let whole = sum(&|_| true);
    let covered = sum(&|term| has(&body, term) || has(&below, term) || has(&title, term)) / whole;
    let headed = sum(&|term| has(&below, term)) / whole;
    let told = sum(&|term| has(&body, term) || has(&below, term)) / whole;
    if covered < LEAST || told <= 0.0 {
        return 0.0;
    }
    let telling: Vec<&Term> = terms.iter().map(|(_, term)| term).filter(|term| term.weight >= 1.0).collect();
    let met: Vec<&&Term> = telling.iter().filter(|term| has(&body, term) || has(&below, term)).collect();
    let opens = |term: &&Term| body.iter().take(6).any(|word| is_same(word, &term.word));
    // A passage is not about what it mentions once and in passing.
    if let [only] = met.as_slice() {
        let often = body.iter().filter(|word| is_same(word, &only.word)).count();
        if often < 2 && !opens(only) && !has(&below, only) && !has(&title, only) {
            return 0.0;
        }
    }
    let opens = if met.iter().any(|term| opens(term)) { OPENS } else { 0.0 };
    covered + HEADED * headed + opens
}
