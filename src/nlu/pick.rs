//! Which form a message asks for.

use std::collections::BTreeSet;
use std::ops::Range;

use super::reader::Reader;
use super::{FormPick, courtesy, weigh};
use formwright_form::cues::Example;
use formwright_form::kind::Said;
use formwright_form::{Form, FormId};
use formwright_lexicon as language;
use formwright_lexicon::Language;
use formwright_text::stem;

/// Least fit for a form to be picked.
pub(super) const FITS: f32 = 0.6;
/// Fit of a form whose start example is said word for word.
const EXACT: f32 = 2.0;
/// Forms whose fit differs by less are equally good.
const TIE: f32 = 0.08;

/// Picks the form that a message asks for: by start examples and title, with the words its fields know and the description
/// for ties; where that gives none, by the words of all these texts. A message with one such word among others ("I ordered a
/// pizza yesterday"), a question, or a refusal does not start a form.
pub fn pick_form(forms: &[&Form], said: &Said, lang: &Language) -> FormPick {
    if said.words.len() > super::MAX_WORDS {
        return FormPick::None;
    }
    let plain = courtesy::plainly(said, lang);
    let reader = Reader::new(plain.as_ref().unwrap_or(said), lang);
    let Some(first) = reader.clauses.first() else { return FormPick::None };
    // "I cannot log in" may be a start example: in its very words it starts the form.
    let least = if first.question || negated(&reader) { EXACT } else { FITS };
    let words = Words::of(&reader);
    let mut fits: Vec<(f32, &Form)> = forms
        .iter()
        .filter(|form| form.enabled)
        .map(|form| (fit(form, &words), *form))
        .filter(|(fit, _)| *fit >= least)
        .collect();
    fits.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let Some(best) = fits.first().map(|(fit, _)| *fit) else {
        return if first.question { FormPick::None } else { by_words(forms, &reader) };
    };
    fits.retain(|(fit, _)| *fit > best - TIE);
    let mut fitting: Vec<FormId> = fits.iter().map(|(_, form)| form.id.clone()).collect();
    if best < EXACT {
        // "report" is a word of the one form's title, and of what the other is for.
        let others = forms.iter().filter(|form| form.enabled && weigh::knows_all(form, &reader));
        let others: Vec<FormId> = others.map(|form| form.id.clone()).filter(|id| !fitting.contains(id)).collect();
        fitting.extend(others);
    }
    match fitting.as_slice() {
        [one] => FormPick::One(one.clone(), best.min(1.0)),
        _ => FormPick::Several(fitting),
    }
}

/// The form that a message clearly asks for, of those that are switched off.
pub fn pick_off<'f>(forms: &[&'f Form], said: &Said, lang: &Language) -> Option<&'f Form> {
    if said.words.len() > super::MAX_WORDS {
        return None;
    }
    let reader = Reader::new(said, lang);
    let words = Words::of(&reader);
    let off = forms.iter().filter(|form| !form.enabled).map(|form| (fit(form, &words), *form));
    let best = off.max_by(|(a, _), (b, _)| a.total_cmp(b));
    best.filter(|(fit, _)| *fit >= FITS && !negated(&reader)).map(|(_, form)| form)
}

/// The one other language of a form in whose words alone a message asks for it.
pub fn asked_for_in(form: &Form, said: &Said, lang: &Language) -> Option<&'static Language> {
    let fit_in = |lang: &Language| {
        let words = Words::of(&Reader::new(said, lang));
        fit_among(form, &words, form.cues().starts.iter().filter(|example| example.lang == lang.code))
    };
    let is_written_in = |lang: &Language| form.cues().starts.iter().any(|example| example.lang == lang.code);
    if said.words.len() > super::MAX_WORDS || !is_written_in(lang) || fit_in(lang) >= FITS {
        return None;
    }
    let others = language::all().filter(|other| other.code != lang.code && is_written_in(other));
    let mut fits: Vec<_> = others.map(|other| (fit_in(other), other)).filter(|(fit, _)| *fit >= FITS).collect();
    fits.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    match fits.as_slice() {
        [(_, one)] => Some(one),
        [(best, one), (next, _), ..] if best - next > TIE => Some(one),
        _ => None,
    }
}

/// Picks by single words, where no start example or title is said.
fn by_words(forms: &[&Form], reader: &Reader<'_>) -> FormPick {
    let enabled: Vec<&Form> = forms.iter().copied().filter(|form| form.enabled).collect();
    let likeliest = weigh::likeliest(&enabled, reader);
    match likeliest.as_slice() {
        [] => FormPick::None,
        [one] => FormPick::One(one.clone(), FITS),
        _ => FormPick::Several(likeliest),
    }
}

/// How well the best start example of a form fits: 1 where the message says the same.
pub(super) fn fit_of(form: &Form, reader: &Reader<'_>) -> f32 {
    fit(form, &Words::of(reader))
}

/// How well the best start example of a form fits a message without some of its words.
pub(super) fn fit_beside(form: &Form, reader: &Reader<'_>, without: &[Range<usize>]) -> f32 {
    let mut words = Words::of(reader);
    let inside = |no: usize| without.iter().any(|words| words.contains(&no));
    let word = |no: usize| stem(reader.said.plain(no)).to_owned();
    let left = |no: &usize| !reader.is_idle(*no) && !reader.is_digits(*no) && !inside(*no);
    words.meaningful = (0..reader.said.words.len()).filter(left).map(word).collect();
    fit(form, &words)
}

/// How well a message says one of these texts: 1 where it says the same.
pub(super) fn likeness(texts: &[Example], reader: &Reader<'_>) -> f32 {
    if texts.is_empty() {
        return 0.0;
    }
    let words = Words::of(reader);
    texts.iter().map(|text| agreement(text, &words)).fold(0.0, f32::max)
}

/// Whether a message says one of these texts of several words, and nothing else.
pub(super) fn is_one_of(texts: &[Example], reader: &Reader<'_>) -> bool {
    if texts.is_empty() {
        return false;
    }
    let words = Words::of(reader);
    texts.iter().any(|text| text.all.len() > 1 && text.all == words.all)
}

/// Whether a message says one of these texts: every word of it, and next to nothing else.
pub(super) fn says(texts: &[Example], reader: &Reader<'_>) -> bool {
    if texts.is_empty() {
        return false;
    }
    let words = Words::of(reader);
    texts.iter().any(|text| {
        let whole = !text.all.is_empty() && text.all.is_subset(&words.all);
        whole && words.meaningful.len() <= text.telling.len() + 1
    })
}

/// Whether a message says one of these texts of several words, and no other word with a meaning of its own.
pub(super) fn says_only(texts: &[Example], reader: &Reader<'_>) -> bool {
    let words = Words::of(reader);
    whole(texts, &words).any(|text| words.meaningful.is_subset(&text.all))
}

/// The words of a message that say one of these texts of several words.
pub(super) fn words_of(texts: &[Example], reader: &Reader<'_>) -> Vec<usize> {
    let words = Words::of(reader);
    let Some(text) = whole(texts, &words).max_by_key(|text| text.all.len()) else { return Vec::new() };
    (0..reader.said.words.len()).filter(|no| text.all.contains(stem(reader.said.plain(*no)))).collect()
}

/// Those of these texts of several words that are in a message, every word of them.
fn whole<'a>(texts: &'a [Example], words: &'a Words) -> impl Iterator<Item = &'a Example> {
    texts.iter().filter(|text| text.all.len() > 1 && !text.telling.is_empty() && text.all.is_subset(&words.all))
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

fn fit(form: &Form, words: &Words) -> f32 {
    fit_among(form, words, form.cues().starts.iter())
}

/// How well the best of some start examples of a form fits a message.
fn fit_among<'f>(form: &Form, words: &Words, starts: impl Iterator<Item = &'f Example>) -> f32 {
    if words.all.is_empty() {
        return 0.0;
    }
    let known = |word: &String| known_words(form, word);
    let unknown = words.meaningful.iter().filter(|word| !known(word)).count();
    let said = words.meaningful.len() - unknown;
    let plain = |count: usize| f32::from(u16::try_from(count).unwrap_or(u16::MAX));
    // Values are not words of the form: a sentence with many of them still asks for it.
    let explained = if words.meaningful.is_empty() { 1.0 } else { plain(said) / plain(words.meaningful.len()) };
    let mut best = 0.0_f32;
    for Example { all, telling, .. } in starts.filter(|example| !example.all.is_empty()) {
        if *all == words.all {
            return EXACT;
        }
        let (telling, here) = if telling.is_empty() { (all, &words.all) } else { (telling, &words.meaningful) };
        let common = telling.intersection(here).count();
        if common == 0 {
            continue;
        }
        let covered = plain(common) / plain(telling.len());
        let whole = plain(all.intersection(&words.all).count()) / plain(all.len());
        best = best.max(0.65 * covered * explained.max(0.01).sqrt() + 0.25 * explained + 0.1 * whole);
    }
    // Without a word of the examples or the title in it, no message asks for the form.
    if best == 0.0 || explained <= 0.5 {
        return 0.0;
    }
    let described = form.cues().described.iter().fold(0.0_f32, |most, text| {
        let common = words.meaningful.intersection(&text.all).count();
        most.max(plain(common) / plain(words.meaningful.len().max(1)))
    });
    best + 0.1 * described
}

/// Whether a form's title, examples, description, labels or options know a word.
fn known_words(form: &Form, word: &str) -> bool {
    form.cues().knows(word)
}

fn agreement(text: &Example, words: &Words) -> f32 {
    if text.telling.is_empty() {
        return 0.0;
    }
    if text.all == words.all {
        return 1.0;
    }
    let plain = |count: usize| f32::from(u16::try_from(count).unwrap_or(u16::MAX));
    let common = plain(text.telling.intersection(&words.meaningful).count());
    let (theirs, here) = (plain(text.telling.len()), plain(words.meaningful.len().max(1)));
    2.0 * common / (theirs + here)
}

/// Whether the message refuses: "I don't want pizza".
fn negated(reader: &Reader<'_>) -> bool {
    let Some(clause) = reader.clauses.first() else { return false };
    let start = clause.words.start;
    negation_at(reader, start..clause.words.end.min(start + 4)).is_some()
}

/// The first word of a range with which a negation begins.
pub(super) fn negation_at(reader: &Reader<'_>, words: Range<usize>) -> Option<usize> {
    let end = words.end;
    words.into_iter().find(|no| reader.len(|lang| &lang.yes_no.negation, *no, end) > 0)
}
