//! A day put right by one of its parts: "July, not June", "I meant 1986". The rest of it stays.

use std::ops::Range;

use jiff::civil::Date;

use super::ledger::Ledger;
use super::prepare::marks_correction;
use super::reader::Reader;
use super::spans::{Board, Slot};
use super::{near, swap};
use formwright_form::kind::{Found, Strength};
use formwright_form::{Kind, Value};
use formwright_lexicon::Language;
use formwright_lexicon::dates::Term;

/// A part of a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// January is 1.
    Month(i8),
    Year(i16),
}

/// The part of a day that is all that some words say.
pub(super) fn part(reader: &Reader<'_>, words: &Range<usize>) -> Option<Part> {
    let tells = |no: &usize| !reader.is_idle(*no) && !near::is_small(reader, *no) || month(reader, *no).is_some();
    let mut telling = words.clone().filter(|no| !reader.is_mark(*no)).filter(tells);
    let no = telling.next().filter(|_| telling.next().is_none())?;
    let word = reader.said.plain(no);
    let year = || word.parse().ok().filter(|year| word.len() == 4 && (1900..2100).contains(year)).map(Part::Year);
    month(reader, no).map(Part::Month).or_else(year)
}

/// The month that a word is the name of.
pub(super) fn month(reader: &Reader<'_>, no: usize) -> Option<i8> {
    let of = |lang: &Language| {
        lang.date.beginning_at(reader.said, no).iter().find_map(|phrase| match phrase.term {
            Term::Month(month) if phrase.rest.is_empty() => Some(month),
            _ => None,
        })
    };
    reader.langs().find_map(of)
}

/// Whether a day or moment is of a month or year.
pub(super) fn holds(value: &Value, part: Part) -> bool {
    near::day(value).is_some_and(|day| match part {
        Part::Month(month) => day.month() == month,
        Part::Year(year) => day.year() == year,
    })
}

/// A day or moment with another month or year. A month is one of the year that keeps the day on its side of today.
pub(super) fn with(value: &Value, part: Part, today: Date) -> Option<Value> {
    let day = near::day(value)?;
    let (month, years) = match part {
        Part::Month(month) => (month, [day.year(), day.year() + 1, day.year() - 1]),
        Part::Year(year) => (day.month(), [year; 3]),
    };
    let same_side = |other: &Date| matches!(part, Part::Year(_)) || (*other >= today) == (day >= today);
    let mut days = years.into_iter().filter_map(|year| Date::new(year, month, day.day()).ok());
    days.find(same_side).map(|day| near::on(day, value))
}

/// Puts the only day that stands right by a month or a year, where nothing else is said behind words that take something back:
/// "sorry, I meant 1986", "no, in July".
pub(super) fn fill(reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) {
    const MOST_WORDS: usize = 8;
    let count = reader.said.words.len();
    let days = board
        .slots
        .iter()
        .enumerate()
        .filter_map(|(no, slot)| Some((no, slot.value.filter(|held| near::day(held).is_some())?)));
    let mut days = days.take(2);
    let (Some((no, held)), None) = (days.next(), days.next()) else { return };
    if count > MOST_WORDS {
        return;
    }
    let (mut start, mut corrects) = (0, false);
    while start < count {
        let len = reader.len(|lang| &lang.sentence.correct, start, count);
        corrects |= marks_correction(reader, start, count);
        match len.max(usize::from(reader.is_mark(start) || reader.is_idle(start))) {
            0 => break,
            len => start += len,
        }
    }
    let Some(part) = part(reader, &(start..count)).filter(|_| corrects && ledger.is_free(start..count)) else { return };
    // A number may be that of another answer.
    let number = |slot: &Slot<'_>| matches!(slot.field.kind, Kind::Integer(_) | Kind::Number(_) | Kind::Money(_));
    let counts = |slot: &Slot<'_>| number(slot) && (slot.asked || slot.value.is_some());
    if matches!(part, Part::Year(_)) && board.slots.iter().any(counts) {
        return;
    }
    if let Some(value) = with(held, part, board.today) {
        let found = Found { span: reader.raw_range(start..count), value, strength: Strength::Typed };
        swap::put(reader, ledger, no, found, 0..count);
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::Stage;

    const TRIP: &str = r#"
id = "trip"
title = "Trip"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "day"
kind = "date"
label = "Day"

[[field]]
id = "note"
kind = "long_text"
label = "Note"
"#;

    #[rstest]
    #[case("en", "July not June")]
    #[case("en", "in July, not in June")]
    #[case("en", "sorry, I meant July")]
    #[case("en", "July, not May")]
    #[case("it", "luglio, non giugno")]
    #[case("es", "julio, no junio")]
    #[case("de", "Juli, nicht Juni")]
    #[case("de", "Juli statt Juni")]
    #[case("fr", "juillet, pas juin")]
    #[case("ar", "يوليو وليس يونيو")]
    fn a_month_is_put_right_without_the_day(#[case] lang: &'static str, #[case] said: &str) {
        let day = if said.contains("May") { "day=2027-05-11" } else { "day=2027-06-11" };
        let line = Stage::new(TRIP, "").speaking(lang).having(day).fills(said);
        assert_eq!(line, "day=2027-07-11", "{said}");
    }

    #[rstest]
    #[case("I meant 1986")]
    #[case("sorry, 1986")]
    #[case("1986 not 1968")]
    fn a_year_is_put_right_without_the_day(#[case] said: &str) {
        let line = Stage::new(TRIP, "").having("day=1968-06-11").fills(said);
        assert_eq!(line, "day=1986-06-11", "{said}");
    }

    #[rstest]
    #[case("May is fine")]
    #[case("not June")]
    #[case("we came in July last year")]
    fn a_month_in_passing_changes_nothing(#[case] said: &str) {
        assert_eq!(Stage::new(TRIP, "").having("day=2027-06-11").fills(said), "", "{said}");
    }
}
