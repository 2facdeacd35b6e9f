//! Which form a message speaks of where it says none of the start examples: by the words of titles, examples and
//! descriptions, misspelt ones too. A word counts the more the fewer forms know it.
//!
//! One word that a form knows among others that it does not know is no wish for the form ("I hate pizza"). Two are, or one
//! in the company it has in the form's own texts ("at work", "is broken"), or a message of nothing else ("holiday").

use super::pick::negation_at;
use super::reader::Reader;
use formwright_form::{Form, FormId};
use formwright_text::{stem, typo};

/// Share of the best weight from which another form is as likely meant.
const AS_LIKELY: f32 = 0.85;
/// What a word in its usual company weighs more.
const COMPANY: f32 = 0.3;
/// Share of a word's weight that one of its family, or a misspelt one, has.
const ALIKE: f32 = 0.8;
/// Telling words of a message to each one that a form must know.
const TO_ONE: usize = 4;

/// What a form knows of a message.
#[derive(Default)]
struct Known {
    weight: f32,
    words: usize,
    in_company: usize,
}

/// The forms that a message speaks of, the likeliest first: several where they are equally likely.
pub(super) fn likeliest(forms: &[&Form], reader: &Reader<'_>) -> Vec<FormId> {
    let telling: Vec<usize> =
        (0..reader.said.words.len()).filter(|no| !reader.is_idle(*no) && !reader.is_digits(*no)).collect();
    let mut all: Vec<(Known, &Form)> = forms.iter().map(|form| (Known::default(), *form)).collect();
    for no in &telling {
        let weights: Vec<f32> = forms.iter().map(|form| weight(form, stem(reader.said.plain(*no)))).collect();
        let knowing = weights.iter().filter(|weight| **weight > 0.0).count();
        #[expect(clippy::cast_precision_loss, reason = "there are few forms")]
        let rarity = 1.0 / (knowing.max(1) as f32).sqrt();
        for ((known, form), weight) in all.iter_mut().zip(weights).filter(|(_, weight)| *weight > 0.0) {
            known.words += 1;
            known.weight += weight * rarity;
            if in_company(form, reader, *no) {
                known.in_company += 1;
                known.weight += COMPANY;
            }
        }
    }
    let negated = reader.clauses.iter().any(|clause| negation_at(reader, clause.words.clone()).is_some());
    all.retain(|(known, _)| {
        let enough = known.words >= 2 || known.words == telling.len();
        known.words > 0 && known.words * TO_ONE >= telling.len() && (known.in_company > 0 || enough && !negated)
    });
    all.sort_by(|(a, _), (b, _)| b.weight.total_cmp(&a.weight));
    let least = all.first().map_or(0.0, |(known, _)| known.weight * AS_LIKELY);
    all.iter().take_while(|(known, _)| known.weight >= least).map(|(_, form)| form.id.clone()).collect()
}

/// Whether a form's title, examples and description have every telling word of a message, where there is any.
pub(super) fn knows_all(form: &Form, reader: &Reader<'_>) -> bool {
    let words = 0..reader.said.words.len();
    let mut telling = words.filter(|no| !reader.is_idle(*no) && !reader.is_digits(*no)).peekable();
    telling.peek().is_some() && telling.all(|no| form.cues().about.contains_key(stem(reader.said.plain(no))))
}

/// How much a form has to do with a word: 0 to 1.
fn weight(form: &Form, word: &str) -> f32 {
    let about = &form.cues().about;
    if let Some(weight) = about.get(word) {
        return *weight;
    }
    let alike = about.iter().filter(|(known, _)| is_alike(word, known)).map(|(_, weight)| weight * ALIKE);
    alike.fold(0.0, f32::max)
}

/// Whether a word is of the family of another ("reimbursed" of "reimburse"), or most likely means it.
fn is_alike(word: &str, known: &str) -> bool {
    const STEM: usize = 4;
    const ENDING: usize = 3;
    const LONG: usize = 5;
    let (len, known_len) = (word.chars().count(), known.chars().count());
    let common = word.chars().zip(known.chars()).take_while(|(a, b)| a == b).count();
    common >= STEM && common + ENDING >= len.max(known_len)
        || len >= LONG && known_len >= LONG && typo::distance(word, known).is_some()
}

/// Whether a word has a neighbour that it has in the form's texts too: not an article, and the negation where there is one.
fn in_company(form: &Form, reader: &Reader<'_>, no: usize) -> bool {
    let pairs = &form.cues().pairs;
    let count = reader.said.words.len();
    let word = |no: usize| stem(reader.said.plain(no)).to_owned();
    let speaks = |no: usize| !reader.is_mark(no) && reader.len(|lang| &lang.sentence.articles, no, count) == 0;
    let negates = |no: usize| reader.len(|lang| &lang.yes_no.negation, no, count) > 0;
    let negated = (0..count).any(negates);
    [no.checked_sub(1).map(|before| (before, no)), Some((no, no + 1)).filter(|(_, after)| *after < count)]
        .into_iter()
        .flatten()
        .filter(|(first, second)| speaks(*first) && speaks(*second))
        .filter(|(first, _)| !negated || negates(*first))
        .any(|(first, second)| {
            let second = word(second);
            let alike = |known: &str| known == second || is_alike(&second, known);
            let first = word(first);
            pairs
                .range((first.clone(), String::new())..)
                .take_while(|(one, _)| *one == first)
                .any(|(_, two)| alike(two))
        })
}
