//! Values that leave open which is meant: "5 or 7", "Saturday, maybe Sunday", "if it rains on Monday we leave Tuesday".

use std::ops::Range;

use super::reader::Reader;
use super::spans::Cand;
use crate::form::Value;
use crate::form::kind::Strength;
use crate::form::language::dates::Term;
use crate::form::language::{Language, Phrases};

/// Whether one of two values is meant, the first of which stands before the other: "5 or 7", and of numbers "5-7" and
/// "between five and seven".
pub(super) fn are_alternatives(reader: &Reader<'_>, one: &Cand, two: &Cand, number: bool) -> bool {
    let between = one.words.end..two.words.start;
    if between.is_empty() {
        return false;
    }
    // "Sunday evening, maybe Monday".
    let part = |no: usize| {
        let terms = |lang: &Language| {
            lang.date.beginning(reader.said.plain(no)).iter().any(|term| matches!(term.term, Term::Part(_)))
        };
        reader.langs().into_iter().any(terms)
    };
    let past = between.start + usize::from(!number && part(between.start));
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

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::engine::understand::testing::Stage;

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
}
