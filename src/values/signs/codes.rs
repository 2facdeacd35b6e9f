//! Codes of letters and digits: booking numbers, postcodes, article numbers.

use std::ops::Range;

use formwright_lexicon::number::Role;
use formwright_lexicon::{Language, Phrases};
use formwright_text::{Class, Said};

use crate::reading::{Context, Strength};
use crate::words::free;

/// Most letters and digits of a code.
pub const LONGEST: usize = 100;

/// Runs that look like codes, as bytes of the message; groups of a code may have spaces between them: "AB12 CDE".
pub fn find(said: &Said, cx: &Context<'_>) -> Vec<(Range<usize>, Strength)> {
    let runs = runs(said);
    let text = |words: &Range<usize>| said.raw.get(said.raw_words(words.clone())).unwrap_or_default();
    let mut found = Vec::new();
    let mut no = 0;
    while let Some(first) = runs.get(no) {
        let mut last = no;
        // "FK 382 0917": capitals before two groups with digits in them.
        let capitals = || {
            let upper =
                !said.shouts() && !text(first).is_empty() && text(first).chars().all(|c| c.is_ascii_uppercase());
            let digits = |at: usize| runs.get(no + at).is_some_and(|run| text(run).contains(char::is_numeric));
            upper && digits(1) && digits(2) && goes_on(said, cx, &runs[no + 1], &runs[no + 2])
        };
        let begins = text(first).contains(char::is_alphabetic)
            && (text(first).contains(|c: char| c.is_numeric() || c == '-') || capitals());
        while begins && runs.get(last + 1).is_some_and(|next| goes_on(said, cx, &runs[last], next)) {
            last += 1;
        }
        let groups = &runs[no..=last];
        let digits = groups.iter().any(|words| text(words).contains(char::is_numeric));
        if last > no && digits && groups.iter().any(|words| text(words).contains(char::is_alphabetic)) {
            found.push((said.raw_words(first.start..runs[last].end), Strength::Typed));
            no = last + 1;
            continue;
        }
        let year = is_dated(said, cx, first);
        found.extend(strength(text(first)).filter(|_| !year).map(|strength| (said.raw_words(first.clone()), strength)));
        no += 1;
    }
    found
}

/// Words without spaces, and those with hyphens or slashes between them.
fn runs(said: &Said) -> Vec<Range<usize>> {
    let mut runs = Vec::new();
    let mut no = 0;
    while no < said.words.len() {
        let mut end = no + 1;
        while end < said.words.len() && said.is_glued(end) && is_part(said, end) {
            end += 1;
        }
        let next = end;
        while end > no + 1 && matches!(said.word(end - 1), "-" | "/" | "_") {
            end -= 1;
        }
        if is_part(said, no) && said.words[no].class != Class::Mark {
            runs.push(no..end);
        }
        no = next;
    }
    runs
}

/// Whether a code goes on with the next run: short groups, of which letters alone are capitals. A number that something else
/// follows counts it: "AB1234 2 people".
fn goes_on(said: &Said, cx: &Context<'_>, run: &Range<usize>, next: &Range<usize>) -> bool {
    const LONGEST: usize = 6;
    const LETTERS: usize = 4;
    let text = |words: &Range<usize>| said.raw.get(said.raw_words(words.clone())).unwrap_or_default();
    let group = |words: &Range<usize>| {
        let text = text(words);
        let letters = text.chars().filter(|c| c.is_alphabetic()).count();
        let digits = text.chars().any(char::is_numeric);
        let small = words.len() == 1
            && cx.lang.and_english().any(|lang| {
                let stop = lang.sentence.stop.word_at(said, words.start).is_some();
                stop || lang.option.common.word_at(said, words.start).is_some()
            });
        let capitals = !text.contains(char::is_lowercase) && letters <= LETTERS;
        letters + usize::from(digits) > 0
            && text.chars().count() <= LONGEST
            && (digits && !text.contains(char::is_lowercase) || !digits && capitals && !small)
    };
    let both = [run, next].into_iter().all(group);
    let counted = |no: usize| {
        let small = cx.lang.and_english().any(|lang| lang.sentence.stop.word_at(said, no).is_some());
        let polite = free::at(said, cx, no, |lang| &lang.frame.tail).is_some();
        said.words.get(no).is_some_and(|word| word.class == Class::Letters) && !small && !polite
    };
    let counts = !text(next).contains(char::is_alphabetic) && counted(next.end);
    next.start == run.end && both && !counts
}

/// Whether digits are a year that something happened in: "in 2021", "since 2015".
fn is_dated(said: &Said, cx: &Context<'_>, run: &Range<usize>) -> bool {
    let year =
        run.len() == 1 && said.word(run.start).len() == 4 && matches!(said.word(run.start).get(..2), Some("19" | "20"));
    let before = |no: usize| {
        let role = |lang: &Language| lang.number.before.word_at(said, no).copied();
        let unsure = |lang: &Language| matches!(role(lang), Some(Role::Unsure | Role::Date));
        said.words.get(no).is_some_and(|word| word.class == Class::Letters) && cx.lang.and_english().any(unsure)
    };
    year && run.start.checked_sub(1).is_some_and(before)
}

fn is_part(said: &Said, no: usize) -> bool {
    matches!(said.word(no), "-" | "/" | "_") || said.words.get(no).is_some_and(|word| word.class != Class::Mark)
}

/// How surely a run is a code: "AB-1234" is, "1234" may be, "5pm", "blue" and the measures "40x30x20" are not.
fn strength(run: &str) -> Option<Strength> {
    if run.split(['x', '×']).all(|side| !side.is_empty() && side.chars().all(char::is_numeric))
        && run.contains(['x', '×'])
    {
        return None;
    }
    let digits = run.chars().filter(|c| c.is_numeric()).count();
    let letters = run.chars().filter(|c| c.is_alphabetic()).count();
    let capitals = run.chars().any(char::is_uppercase);
    match (digits, letters) {
        (0, _) => None,
        _ if digits + letters > LONGEST => None,
        (4..=14, 0) => Some(Strength::Weak),
        (_, 0) => None,
        _ if digits + letters >= 4 && (capitals || digits + letters >= 6 && digits >= 2) => Some(Strength::Typed),
        _ => None,
    }
}

/// The code that a message consists of; in a longer sentence, the only run that looks like one. None where several words have
/// no digits and are no capitals, or nothing but a year is told.
pub fn whole(said: &Said, cx: &Context<'_>) -> Option<Range<usize>> {
    const SHORT: usize = 4;
    const SHORTEST: usize = 3;
    const AROUND: usize = 2;
    let words = past_name(said, cx, free::words(said, cx));
    match put_right(said, cx) {
        Some(Meant::One(group)) => return Some(said.raw_words(group)),
        Some(Meant::Either) => return None,
        None => {}
    }
    let letters: Vec<usize> = words
        .clone()
        .filter(|&no| said.word(no).chars().count() > 1 && said.words[no].class == Class::Letters)
        .collect();
    let all = find(said, cx);
    let sure: Vec<&(Range<usize>, Strength)> = all.iter().filter(|(_, strength)| *strength > Strength::Weak).collect();
    let shouts = said.shouts();
    let small = |no: &usize| is_small(said, cx, *no) && (shouts || !said.has_capital(*no));
    let surrounded = letters.len() >= SHORT || letters.iter().any(small);
    if let [(span, _)] = all.as_slice()
        && surrounded
    {
        return Some(span.clone());
    }
    if let [(span, _)] = sure.as_slice()
        && surrounded
    {
        return Some(span.clone());
    }
    let digits = words.clone().any(|no| said.words[no].class == Class::Digits);
    let dated = || {
        let runs: Vec<Range<usize>> =
            runs(said).into_iter().filter(|run| said.words[run.start].class == Class::Digits).collect();
        !runs.is_empty() && runs.iter().all(|run| is_dated(said, cx, run))
    };
    // "ONE MOMENT": where all are capitals, words that everybody knows are a sentence.
    let common =
        |no: &usize| cx.lang.and_english().any(|lang| lang.option.common.word_at(said, *no).is_some()) || small(no);
    let lower = letters.iter().any(|no| {
        said.raw
            .get(said.raw_words(*no..*no + 1))
            .is_some_and(|word| word.contains(char::is_lowercase) || !word.is_ascii())
    });
    let sentence = !digits && letters.len() > 1 && (lower || letters.iter().any(common));
    if sentence || all.is_empty() && dated() {
        return None;
    }
    // "The number on it is 45 I think", not "it ends in 45".
    if surrounded && all.is_empty() && digits {
        let mut groups = groups(said, cx).into_iter();
        let (only, None) = (groups.next()?, groups.next()) else { return None };
        let count = said
            .raw
            .get(said.raw_words(only.clone()))
            .map_or(0, |code| code.chars().filter(|c| c.is_alphanumeric()).count());
        return (count >= SHORTEST || words.len() <= only.len() + AROUND).then(|| said.raw_words(only));
    }
    Some(said.raw_words(words.start..digits_end(said, &words).unwrap_or(words.end)))
}

/// The end of digits that a word follows which belongs to no code: "66603" of "66603 topeka".
fn digits_end(said: &Said, words: &Range<usize>) -> Option<usize> {
    const LETTERS: usize = 4;
    let end = words.start + 1;
    let raw = |no: usize| said.raw.get(said.raw_words(no..no + 1)).unwrap_or_default();
    let word = |no: usize| {
        let letters = said.words.get(no).is_some_and(|word| word.class == Class::Letters) && !said.is_glued(no);
        letters && raw(no).contains(char::is_lowercase) && raw(no).chars().count() >= LETTERS
    };
    let code = said.words.get(words.start).is_some_and(|word| word.class == Class::Digits)
        && said.word(words.start).len() >= LETTERS;
    (code && end < words.end && (end..words.end).all(word)).then_some(end)
}

fn is_small(said: &Said, cx: &Context<'_>, no: usize) -> bool {
    cx.lang.and_english().any(|lang| lang.sentence.stop.word_at(said, no).is_some())
}

/// Words without the name of what they are: "12 34 56" of "the number is 12 34 56".
fn past_name(said: &Said, cx: &Context<'_>, words: Range<usize>) -> Range<usize> {
    const LONGEST: usize = 5;
    let digits = |mut words: Range<usize>| words.any(|no| said.word(no).contains(char::is_numeric));
    let is = |no: &usize| free::at(said, cx, *no, |lang| &lang.sentence.is).is_some();
    let Some(no) = (words.start + 1..words.end.min(words.start + LONGEST)).find(is) else { return words };
    let start = no + free::at(said, cx, no, |lang| &lang.sentence.is).unwrap_or(0);
    let named = (words.start..no).all(|no| said.words.get(no).is_some_and(|word| word.class == Class::Letters));
    if named && !digits(words.start..no) && digits(start..words.end) { start..words.end } else { words }
}

/// What stands between two codes of which not both are meant.
#[derive(Clone, Copy, PartialEq)]
enum Between {
    /// The first is meant: "AB-1, not AB-2".
    Instead,
    /// The second is meant: "AB-1, no wait, AB-2", "not AB-2 but AB-1".
    Correction,
    /// Either: "AB-1 or AB-2".
    Or,
}

/// Which of several codes is meant.
enum Meant {
    /// The words of it.
    One(Range<usize>),
    /// Words leave it open: "AB-1 or AB-2".
    Either,
}

/// The code that is meant of several in a message, where words tell.
fn put_right(said: &Said, cx: &Context<'_>) -> Option<Meant> {
    const MOST: usize = 24;
    let groups = if said.words.len() > MOST { return None } else { groups(said, cx) };
    let mut meant = groups.first()?.clone();
    let mut told = false;
    // "Not AB-1, AB-2".
    let denied =
        meant.start.checked_sub(1).is_some_and(|no| free::at(said, cx, no, |lang| &lang.denial.before).is_some());
    for pair in groups.windows(2) {
        let [one, two] = pair else { continue };
        match between(said, cx, one.end..two.start) {
            Some(Between::Instead) => told = true,
            Some(Between::Or) => return Some(Meant::Either),
            None if !denied => return None,
            Some(Between::Correction) | None => (told, meant) = (true, two.clone()),
        }
    }
    told.then_some(Meant::One(meant))
}

/// Runs with digits in them, those without spaces between them joined with what belongs to them: "AB12 CDE".
fn groups(said: &Said, cx: &Context<'_>) -> Vec<Range<usize>> {
    let text = |words: &Range<usize>| said.raw.get(said.raw_words(words.clone())).unwrap_or_default();
    let mut groups: Vec<Range<usize>> = Vec::new();
    for run in runs(said) {
        let digits = text(&run).contains(char::is_numeric);
        let goes = |last: &Range<usize>| goes_on(said, cx, last, &run) && between(said, cx, run.clone()).is_none();
        match groups.last_mut() {
            Some(last) if last.end == run.start && (digits || goes(last)) => last.end = run.end,
            _ if digits => groups.push(run),
            _ => {}
        }
    }
    groups
}

fn between<'a>(said: &Said, cx: &Context<'a>, words: Range<usize>) -> Option<Between> {
    let longest = |table: fn(&'a Language) -> &'a Phrases<()>| {
        words.clone().filter_map(|no| free::at(said, cx, no, table)).max().unwrap_or(0)
    };
    let but = longest(|lang| &lang.denial.but);
    let correct = longest(|lang| &lang.sentence.correct).max(but);
    let instead = longest(|lang| &lang.sentence.instead);
    match (longest(|lang| &lang.sentence.or), correct, instead) {
        (0, 0, 0) => None,
        (or, correct, instead) if or > correct.max(instead) || or > 0 && correct + instead == 0 => Some(Between::Or),
        (_, correct, instead) if instead >= correct => Some(Between::Instead),
        _ => Some(Between::Correction),
    }
}
