//! Which form a message asks for.

use std::collections::BTreeSet;

use super::FormPick;
use super::reader::Reader;
use crate::form::cues::stem;
use crate::form::kind::Said;
use crate::form::language::Language;
use crate::form::{Form, Text};

/// Least fit for a form to be picked.
const FITS: f32 = 0.6;
/// Forms whose fit differs by less are equally good.
const TIE: f32 = 0.08;

/// Picks the form that a message asks for, by start examples, title, and the words its fields know; the description
/// settles ties. A message that only resembles a start example ("I ordered a pizza yesterday"), a question, or a refusal
/// does not start a form.
pub fn pick_form(forms: &[&Form], said: &Said, lang: &Language) -> FormPick {
    if said.words.len() > super::MAX_WORDS {
        return FormPick::None;
    }
    let reader = Reader::new(said, lang);
    if reader.clauses.first().is_none_or(|clause| clause.question) || negated(&reader) {
        return FormPick::None;
    }
    let words = Words::of(&reader);
    let mut fits: Vec<(f32, &Form)> = forms
        .iter()
        .filter(|form| form.enabled)
        .map(|form| (fit(form, &reader, &words), *form))
        .filter(|(fit, _)| *fit >= FITS)
        .collect();
    fits.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let Some(best) = fits.first().map(|(fit, _)| *fit) else { return FormPick::None };
    fits.retain(|(fit, _)| *fit > best - TIE);
    match fits.as_slice() {
        [(fit, one)] => FormPick::One(one.id.clone(), fit.min(1.0)),
        several => FormPick::Several(several.iter().map(|(_, form)| form.id.clone()).collect()),
    }
}

/// How well the best start example of a form fits: 1 where the message says the same.
pub(super) fn fit_of(form: &Form, reader: &Reader<'_>) -> f32 {
    fit(form, reader, &Words::of(reader))
}

/// How well a message says one of these texts: 1 where it says the same.
pub(super) fn likeness<'t>(texts: impl IntoIterator<Item = &'t Text>, reader: &Reader<'_>) -> f32 {
    let words = Words::of(reader);
    let score = |text: &String| {
        let (theirs, meaningful) = example(text, reader);
        if meaningful.is_empty() { 0.0 } else { agreement(&theirs, &meaningful, &words) }
    };
    texts.into_iter().flat_map(|text| text.by_lang.values()).map(score).fold(0.0, f32::max)
}

/// The words of a message.
struct Words {
    all: BTreeSet<String>,
    meaningful: BTreeSet<String>,
}

impl Words {
    fn of(reader: &Reader<'_>) -> Self {
        let count = reader.said.words.len();
        let word = |no: usize| stem(reader.said.plain(no)).to_owned();
        let all = (0..count).filter(|no| !reader.is_mark(*no)).map(word).collect();
        let meaningful = (0..count).filter(|no| !reader.is_idle(*no) && !reader.is_digits(*no)).map(word).collect();
        Self { all, meaningful }
    }
}

fn fit(form: &Form, reader: &Reader<'_>, words: &Words) -> f32 {
    if words.all.is_empty() {
        return 0.0;
    }
    let known = |word: &String| known_words(form, word);
    let unknown = words.meaningful.iter().filter(|word| !known(word)).count();
    let said = words.meaningful.len() - unknown;
    let plain = |count: usize| f32::from(u16::try_from(count).unwrap_or(u16::MAX));
    // Values are not words of the form: a sentence with many of them still asks for it.
    let explained = if words.meaningful.is_empty() { 1.0 } else { plain(said) / plain(words.meaningful.len()) };
    let texts = form.start_examples.iter().chain(std::iter::once(&form.title));
    let mut best = 0.0_f32;
    for text in texts.flat_map(|text| text.by_lang.values()) {
        let (theirs, meaningful) = example(text, reader);
        if theirs.is_empty() {
            continue;
        }
        if theirs == words.all {
            return 1.1;
        }
        let telling = if meaningful.is_empty() { &theirs } else { &meaningful };
        let here = if meaningful.is_empty() { &words.all } else { &words.meaningful };
        let common = telling.iter().filter(|word| here.contains(*word)).count();
        let covered = plain(common) / plain(telling.len());
        let whole = plain(theirs.intersection(&words.all).count()) / plain(theirs.len());
        if common == 0 {
            continue;
        }
        best = best.max(0.65 * covered.min(1.0) * explained.max(0.01).sqrt() + 0.25 * explained + 0.1 * whole);
    }
    // Without a word of the examples or the title in it, no message asks for the form.
    if best == 0.0 || explained <= 0.5 {
        return 0.0;
    }
    let described = form.description.by_lang.values().map(|text| Said::new(text)).fold(0.0_f32, |most, text| {
        let theirs: BTreeSet<String> = (0..text.words.len()).map(|no| stem(text.plain(no)).to_owned()).collect();
        let common = words.meaningful.iter().filter(|word| theirs.contains(*word)).count();
        most.max(plain(common) / plain(words.meaningful.len().max(1)))
    });
    best + 0.1 * described
}

/// Whether a form's title, examples, description, labels or options know a word.
fn known_words(form: &Form, word: &str) -> bool {
    form.cues().knows(word)
}

fn example(text: &str, reader: &Reader<'_>) -> (BTreeSet<String>, BTreeSet<String>) {
    let said = Said::new(text);
    let mut all = BTreeSet::new();
    let mut meaningful = BTreeSet::new();
    for no in 0..said.words.len() {
        let word = said.plain(no);
        if !word.chars().any(char::is_alphanumeric) {
            continue;
        }
        all.insert(stem(word).to_owned());
        if !reader.is_stop(word) {
            meaningful.insert(stem(word).to_owned());
        }
    }
    (all, meaningful)
}

fn agreement(all: &BTreeSet<String>, meaningful: &BTreeSet<String>, words: &Words) -> f32 {
    if *all == words.all {
        return 1.0;
    }
    let plain = |count: usize| f32::from(u16::try_from(count).unwrap_or(u16::MAX));
    let common = plain(meaningful.intersection(&words.meaningful).count());
    let (theirs, here) = (plain(meaningful.len()), plain(words.meaningful.len().max(1)));
    2.0 * common / (theirs + here)
}

/// Whether the message refuses: "I don't want pizza".
fn negated(reader: &Reader<'_>) -> bool {
    let Some(clause) = reader.clauses.first() else { return false };
    clause.words.clone().take(4).any(|no| reader.len(|lang| &lang.yes_no.negation, no, clause.words.end) > 0)
}
