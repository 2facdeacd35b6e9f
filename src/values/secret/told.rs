//! Secrets that no name stands right before: "sunshine is my password", "use sunshine as the password", "the password I
//! use is sunshine".

use std::ops::Range;

use formwright_lexicon as language;
use formwright_lexicon::secret::SecretWords;
use formwright_lexicon::{Language, Phrases};
use formwright_text::{Class, Said};

use super::{at, end_of_run, is_about, is_small, may_announce, past_link};

/// Most words between the name of a secret and "is".
const FAR: usize = 4;

/// Secrets whose name stands after them, or further before them, as bytes of a message.
pub(crate) fn after(said: &Said) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for no in (0..said.words.len()).filter(|no| may_announce(said, *no)) {
        let Some((len, digits)) = name(said, no) else { continue };
        let end = no + len;
        let secret = named_after(said, no, end).or_else(|| {
            let far = if digits { None } else { in_brackets(said, end).or_else(|| made(said, no, end)) };
            far.or_else(|| past_gap(said, end))
        });
        let fits = |words: &Range<usize>| !digits || words.clone().all(|no| is_digits(said, no) || is_mark(said, no));
        found.extend(secret.filter(fits).map(|words| said.raw_words(words)));
    }
    found
}

/// The length of a name of a secret, and whether such a secret is made of digits.
fn name(said: &Said, no: usize) -> Option<(usize, bool)> {
    let word = at(said, no, |words| &words.word).map(|len| (len, false));
    let digits = [at(said, no, |words| &words.digits), at(said, no, |words| &words.number)];
    let digits = digits.into_iter().flatten().max().map(|len| (len, true));
    word.into_iter().chain(digits).max_by_key(|(len, _)| *len)
}

/// "sunshine is my password", "use sunshine as the password": one run at the start of what is said, then a link, and
/// nothing after the name.
fn named_after(said: &Said, name: usize, end: usize) -> Option<Range<usize>> {
    let whose = whose_before(said, name)?;
    let link = |table: fn(&SecretWords) -> &Phrases<()>| {
        let from = whose.saturating_sub(2);
        (from..whose).find(|no| at(said, *no, table).is_some_and(|len| no + len == whose))
    };
    let (is, uses) = (link(|words| &words.is), link(|words| &words.uses));
    let to = is.or(uses)?;
    let mut from = to.checked_sub(1)?;
    while from > 0 && said.is_glued(from) {
        from -= 1;
    }
    let starts = uses.is_some() || from == 0 || is_mark(said, from - 1) || joins(said, from - 1);
    let ends = uses.is_some() || said.words.get(end).is_none_or(|_| is_mark(said, end) || joins(said, end));
    (starts && ends && is_secret(said, from)).then_some(from..to)
}

/// Where "my" or "the" stands before the name of a secret.
fn whose_before(said: &Said, name: usize) -> Option<usize> {
    (name.saturating_sub(3)..name).find(|no| at(said, *no, |words| &words.whose).is_some_and(|len| no + len == name))
}

/// "my password (sunshine)".
fn in_brackets(said: &Said, end: usize) -> Option<Range<usize>> {
    const SHORTEST: usize = 4;
    let inside = said.word(end) == "(" && said.word(end + 2) == ")" && said.word(end + 1).len() >= SHORTEST;
    (inside && is_secret(said, end + 1)).then_some(end + 1..end + 2)
}

/// "I set the password to sunshine".
fn made(said: &Said, name: usize, end: usize) -> Option<Range<usize>> {
    let start = end + at(said, end, |words| &words.to)?;
    let from = name.saturating_sub(FAR);
    let makes = (from..name).any(|no| at(said, no, |words| &words.set).is_some());
    (makes && is_secret(said, start)).then(|| start..end_of_run(said, start))
}

/// "the password I use is sunshine", "the password for my account is sunshine".
fn past_gap(said: &Said, end: usize) -> Option<Range<usize>> {
    at(said, end, |words| &words.gap)?;
    let links = |no: &usize| at(said, *no, |words| &words.is).is_some() && !is_mark(said, *no);
    let is = (end + 1..=end + FAR).take_while(|no| !is_mark(said, *no)).find(links)?;
    let (start, _) = past_link(said, is);
    is_secret(said, start).then(|| start..end_of_run(said, start))
}

/// Whether what stands at a word may be a secret: no word that anybody says beside the name of one.
fn is_secret(said: &Said, no: usize) -> bool {
    !is_about(said, no) && !is_small(said, no)
}

fn is_mark(said: &Said, no: usize) -> bool {
    said.words.get(no).is_none_or(|word| word.class == Class::Mark)
}

fn is_digits(said: &Said, no: usize) -> bool {
    said.words.get(no).is_some_and(|word| word.class == Class::Digits)
}

fn joins(said: &Said, no: usize) -> bool {
    let joins = |lang: &Language| lang.sentence.join.starts(said, no);
    language::all().any(joins)
}
