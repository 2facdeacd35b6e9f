//! Values that leave open which is meant: "5 or 7", "Saturday, maybe Sunday", "if it rains on Monday we leave Tuesday".

use std::ops::Range;

use super::reader::Reader;
use super::spans::Cand;
use formwright_form::Value;
use formwright_form::kind::{Strength, overlap};
use formwright_lexicon::dates::Mark;
use formwright_lexicon::{Language, Phrases};

/// Whether one of two values is meant, the first of which stands before the other: "5 or 7", and of numbers "5-7" and
/// "between five and seven".
pub(super) fn are_alternatives(reader: &Reader<'_>, one: &Cand, two: &Cand, number: bool) -> bool {
    let between = one.words.end..two.words.start;
    if between.is_empty() {
        return false;
    }
    // "Sunday evening, maybe Monday".
    let past = between.start + usize::from(!number && reader.is_part_of_day(between.start));
    let past = past + usize::from(reader.said.word(past) == ",");
    // "Saturday, maybe Sunday".
    let len = |table: fn(&Language) -> &Phrases<()>| reader.len(table, past, between.end);
    let or = past + len(|lang| &lang.sentence.or).max(len(|lang| &lang.sentence.perhaps)) == between.end;
    let short = |cand: &Cand| cand.words.clone().all(|no| reader.said.word(no).len() <= 3 || !reader.is_digits(no));
    let dash = || between.len() == 1 && reader.said.word(between.start) == "-" && short(one) && short(two);
    // "12, 3 of whom are children."
    let or = or && (past < between.end || !counts_else(reader, &two.words));
    let begins = |no: usize| {
        let len = reader.len(|lang| &lang.sentence.first, no, one.words.start);
        len > 0 && (no + len..one.words.start).all(|no| reader.is_idle(no))
    };
    let ends = || {
        let to = reader.len(|lang| &lang.sentence.second, between.start, between.end);
        to.max(reader.len(|lang| &lang.sentence.join, between.start, between.end)) == between.len()
    };
    let range = || (one.words.start.saturating_sub(3)..one.words.start).any(begins) && ends();
    or || number && (dash() || range())
}

/// Whether nothing but "and" stands between two values, the first of which stands before the other: "on Monday and Friday".
pub(super) fn are_joined(reader: &Reader<'_>, one: &Cand, two: &Cand) -> bool {
    let between = one.words.end..two.words.start;
    let start = between.start + usize::from(reader.said.word(between.start) == ",");
    let join = start + reader.len(|lang| &lang.sentence.join, start, between.end.max(start));
    join > start && (join..between.end).all(|no| reader.is_idle(no) && !reader.is_mark(no))
}

/// Whether a number counts something that the words behind it tell: "two are old", "3 of whom", "three can't eat nuts".
pub(super) fn counts_else(reader: &Reader<'_>, number: &Range<usize>) -> bool {
    let end = reader.said.words.len();
    let next = number.end;
    let len = |table: fn(&Language) -> &Phrases<()>, no: usize| reader.len(table, no, end);
    let some = |no: usize| len(|lang| &lang.naming.of_them, no) > 0;
    let told = !reader.is_idle(next) && !reader.is_mark(next) && !reader.is_of_number(next);
    let does = || len(|lang| &lang.sentence.speaker, next) > 0 || reader.is_copula(next, end);
    some(next) || some(number.start.saturating_sub(2)) || next < end && (told || does())
}

/// Marks days of which the first is part of what the other one depends on: "if it rains on Monday we leave Tuesday".
pub(super) fn leave_open(reader: &Reader<'_>, cands: &mut [Cand]) {
    let day = |cand: &Cand| matches!(cand.value, Value::Date(_) | Value::DateTime(_)) && cand.strength > Strength::Weak;
    let starts = || cands.iter().filter(|cand| day(cand)).map(|cand| cand.words.start);
    let (Some(first), Some(last)) = (starts().min(), starts().max()) else { return };
    let said = |table: fn(&Language) -> &Phrases<()>, no: usize| reader.len(table, no, last) > 0;
    let depends = |no: usize| said(|lang| &lang.denial.condition, no) && reader.filler(no, first) == 0;
    let then = |no: usize| said(|lang| &lang.sentence.speaker, no) || said(|lang| &lang.sentence.join, no);
    if first < last && (0..first).any(depends) && (first + 1..last).any(then) {
        cands.iter_mut().filter(|cand| day(cand)).for_each(|cand| cand.negated = true);
    }
}

/// Marks a bare number behind "maybe" as an alternative of what stands before it, which it leaves open: "at eight, maybe
/// nine", "for 2 drivers, or 3". It is no other field's.
pub(super) fn open_before(reader: &Reader<'_>, cands: &mut [Cand]) {
    let bare = |cand: &Cand| cand.words.clone().all(|no| reader.is_of_number(no));
    let Some((or, number)) = cands.iter().filter(|cand| bare(cand)).find_map(|cand| {
        let or = or_before(reader, cand.words.start)?;
        (!counts_else(reader, &cand.words)).then(|| (or, cand.words.clone()))
    }) else {
        return;
    };
    let end = or - usize::from(or > 0 && reader.said.word(or - 1) == ",");
    // "At eight".
    let announced = |no: usize| reader.is_date_mark(no, |mark| matches!(mark, Mark::At));
    let at = |words: &Range<usize>| (words.start.saturating_sub(2)..=words.start).any(announced);
    let before = |cand: &Cand| match cand.value {
        Value::Time(_) => (cand.strength > Strength::Weak || at(&cand.words)) && cand.words.end == end,
        Value::DateTime(_) | Value::Money { .. } => cand.strength > Strength::Weak && cand.words.end == end,
        // The unit of what is counted stands between.
        Value::Integer(_) => cand.words.end + 1 == end && !reader.is_mark(cand.words.end),
        _ => false,
    };
    let Some(open) = cands.iter().find(|cand| before(cand)).map(|cand| cand.words.clone()) else { return };
    cands
        .iter_mut()
        .filter(|cand| cand.words == number || overlap(&cand.words, &open))
        .for_each(|cand| cand.negated = true);
}

/// Where the words for one of two that stand right before a word begin: "or maybe".
fn or_before(reader: &Reader<'_>, no: usize) -> Option<usize> {
    const LONGEST: usize = 3;
    let len = |table: fn(&Language) -> &Phrases<()>, at: usize| reader.len(table, at, no);
    (no.saturating_sub(LONGEST)..no).find(|at| {
        let found = [len(|lang| &lang.sentence.or, *at), len(|lang| &lang.sentence.perhaps, *at)];
        found.contains(&(no - at))
    })
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::{Stage, sorted};

    const STAY: &str = r#"
id = "stay"
title = "Stay"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "check_in"
kind = "date"
label = "Check-in"

[[field]]
id = "check_out"
kind = "date"
label = "Check-out"
"#;

    #[rstest]
    #[case("en", "check_in", "Saturday, maybe Sunday")]
    #[case("en", "check_in", "Saturday, or perhaps Sunday")]
    #[case("en", "check_out", "till Sunday evening, maybe Monday")]
    #[case("it", "check_in", "sabato, forse domenica")]
    #[case("es", "check_in", "sábado, quizás domingo")]
    #[case("de", "check_in", "Samstag, vielleicht Sonntag")]
    #[case("fr", "check_in", "samedi, peut-être dimanche")]
    fn one_of_two_days_is_asked(#[case] lang: &'static str, #[case] asked: &str, #[case] said: &str) {
        let line = Stage::new(STAY, asked).speaking(lang).fills(said);
        assert!(line.is_empty() || line.starts_with('?'), "{said}: {line}");
    }

    #[rstest]
    #[case("if it rains on Monday we leave on Tuesday")]
    #[case("if my passport comes by Monday, then Wednesday")]
    fn days_that_depend_on_something_are_asked(#[case] said: &str) {
        assert_eq!(Stage::new(STAY, "check_in").fills(said), "", "{said}");
    }

    const PIZZA: &str = r#"
id = "pizza"
title = "Pizza"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "count"
kind = "integer"
label = "Pizzas"

[[field]]
id = "time"
kind = "time"
label = "Delivery time"

[[field]]
id = "day"
kind = "date"
label = "Day"
"#;

    #[rstest]
    #[case("en", "bring it tomorrow at eight, maybe nine", "day=2026-11-22")]
    #[case("en", "2 pizzas at 7 pm, or perhaps 8", "count=2; ~=time=08:00")]
    #[case("en", "at 8 pm, 9 pizzas", "count=9; time=20:00")]
    #[case("it", "alle otto, forse nove", "")]
    #[case("es", "a las ocho, quizás nueve", "")]
    #[case("de", "um acht, vielleicht neun", "")]
    #[case("fr", "à huit heures, peut-être neuf", "~=time=09:00")]
    fn a_number_behind_maybe_leaves_the_time_open_and_counts_nothing(
        #[case] lang: &'static str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        let line = Stage::new(PIZZA, "").speaking(lang).line(said);
        let fills: Vec<&str> = sorted(&line).into_iter().filter(|part| part.contains('=')).collect();
        assert_eq!(fills.join("; "), expected, "{said}: {line}");
    }
}
