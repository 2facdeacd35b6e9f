//! Days whose words leave the month or the week open, told by a day that is known: "the 11th" puts right the 12th of April, and
//! the check-out "on the 3rd" comes after the check-in.

use std::ops::Range;

use jiff::civil::{Date, DateTime, date};

use super::Scene;
use super::counted::is_ordinal;
use super::ledger::Ledger;
use super::reader::Reader;
use super::score::Tide;
use super::spans::{Board, Cand, Slot, with_context};
use formwright_form::cues::Role;
use formwright_form::kind::{Context, Reading, Said, Strength};
use formwright_form::{Field, Kind, Value};
use formwright_lexicon::dates::{Mark, Term};
use formwright_lexicon::sentence::Announced;

/// Longest stay, in days, that may reach into the next month or year without its being said.
const MOST: i32 = 183;
/// Furthest, in days, that a day of another month may be from the one that it puts right.
const BESIDE: i32 = 15;

/// What the words of a day leave open.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    /// "The 11th".
    Month,
    /// "Sunday".
    Week,
    /// "3 January".
    Year,
}

/// Puts the days that were filled where the days that are known want them.
pub(super) fn settle(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) {
    if ledger.fills.iter().all(|filled| day(&filled.value).is_none()) {
        return;
    }
    // The end is told by the start.
    for role in [None, Some(Role::First), Some(Role::Second)] {
        for no in 0..ledger.fills.len() {
            let Some(filled) = ledger.fills.get(no).filter(|filled| !filled.replaces) else { continue };
            let Some(slot) = board.slots.get(filled.slot).filter(|slot| slot.role == role) else { continue };
            // An end that is reckoned from the start tells nothing of it.
            let reckoned = |no: usize| ledger.fills.iter().any(|filled| filled.slot == no && filled.replaces);
            let first = role == Some(Role::First);
            if first && other_slot(board, filled.slot).is_some_and(|(no, _)| reckoned(no)) {
                continue;
            }
            let other = other_end(board, ledger, filled.slot);
            if let Some(value) = nearest(scene, reader, slot, other, &filled.raw, &filled.value)
                && let Some(filled) = ledger.fills.get_mut(no)
            {
                filled.value = value;
            }
        }
    }
}

/// Whether a field is for a day and another day stands, which may tell what its words leave open.
pub(super) fn may_tell(scene: &Scene<'_>, field: &Field) -> bool {
    let is_day = matches!(field.kind, Kind::Date(_) | Kind::Datetime(_));
    is_day && scene.draft.answers.values().any(|answer| day(&answer.value).is_some())
}

/// The other one of two days or times, where there is but one of each in the same place of the form.
pub(super) fn other_slot<'b, 'a>(board: &'b Board<'a>, of: usize) -> Option<(usize, &'b Slot<'a>)> {
    let slot = board.slots.get(of)?;
    let role = slot.role?;
    let alike = |(_, other): &(usize, &Slot<'_>)| {
        std::mem::discriminant(&other.field.kind) == std::mem::discriminant(&slot.field.kind)
            && other.path.segs().len() == slot.path.segs().len()
    };
    let mut such = board.slots.iter().enumerate().filter(alike).filter(|(_, other)| other.role.is_some());
    let (one, two) = (such.next()?, such.next()?);
    let other = if one.0 == of { two } else { one };
    (such.next().is_none() && other.1.role != Some(role)).then_some(other)
}

/// The other one of two days: as said in the message, else as it stands.
pub(super) fn other_end(board: &Board<'_>, ledger: &Ledger, of: usize) -> Option<Date> {
    let (no, slot) = other_slot(board, of)?;
    let said = ledger.fills.iter().find(|filled| filled.slot == no).map(|filled| &filled.value);
    day(said.or(slot.value)?)
}

/// The day or moment that words mean beside the one that stands and the other end; `None` where they mean what they meant.
pub(super) fn nearest(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    slot: &Slot<'_>,
    other: Option<Date>,
    raw: &Range<usize>,
    value: &Value,
) -> Option<Value> {
    let (said, own) = (day(value)?, slot.value.and_then(day));
    if let Some(day) = month_said(reader).and_then(|month| of_month_said(scene, reader, slot, raw, said, month)) {
        return (day != said).then(|| on(day, value));
    }
    let known = own.or(other)?;
    let words = Words { scene, slot, said: Said::new(reader.raw_text(with_article(reader, raw))) };
    let open = words.open(said)?;
    let today = scene.now.date();
    // Of days gone by and of days to come each stays what it is.
    let same_side = |day: &Date| (*day >= today) == (said >= today);
    let keeps_order = |day: &Date| match (slot.role, other) {
        (Some(Role::First), Some(end)) => *day <= end,
        (Some(Role::Second), Some(start)) => *day >= start,
        _ => true,
    };
    let far = |day: &Date| (*day - known).get_days().abs();
    let fits = |day: &Date| same_side(day) && keeps_order(day);
    let told = |reader: &Reader<'_>| reader.words_of(raw).all(|no| !points(reader, no));
    let around = around(open, known, said);
    let best = match (open, own) {
        (Open::Month, Some(own)) => {
            let same_month = |day: &&Date| (day.year(), day.month()) == (own.year(), own.month());
            let near = || around.iter().filter(|day| fits(day) && far(day) <= BESIDE).min_by_key(|day| far(day));
            let own = around.iter().find(same_month).filter(|day| same_side(day));
            let best = own.filter(|day| keeps_order(day)).or_else(near).copied();
            best.or_else(|| other.filter(|_| slot.role == Some(Role::Second)).and_then(|start| words.from(start)))
                .or(own.copied())
        }
        (Open::Year, _) => {
            let start = other.filter(|start| slot.role == Some(Role::Second) && said < *start);
            start.and_then(|start| words.from(start))
        }
        // Of the same week, else the nearest.
        (Open::Week, Some(own)) => {
            let monday =
                |day: Date| day.checked_sub(jiff::Span::new().days(day.weekday().to_monday_zero_offset())).ok();
            let other_week = |day: &Date| monday(*day) != monday(own);
            around.into_iter().filter(|day| fits(day) && told(reader)).min_by_key(|day| (other_week(day), far(day)))
        }
        (_, None) if slot.role == Some(Role::Second) && said < known => words.from(known),
        (_, None) if slot.role == Some(Role::Second) => None,
        (Open::Month, None) => around.into_iter().rfind(fits),
        // "Leaving Friday, back Sunday" on a Friday is next week's.
        (Open::Week, None) => around.into_iter().rfind(|day| fits(day) && *day != today && told(reader)),
    };
    let best = best.filter(|day| *day != said && far(day) <= MOST)?;
    Some(on(best, value))
}

/// Puts days of which only the number is said into the month that the message names apart from them.
pub(super) fn put_into_month(scene: &Scene<'_>, reader: &Reader<'_>, board: &mut Board<'_>) {
    let Some(month) = month_said(reader) else { return };
    let moved = |cand: &Cand| {
        let slot = board.takers(cand).first().and_then(|no| board.slots.get(*no))?;
        Some(on(of_month_said(scene, reader, slot, &cand.raw, day(&cand.value)?, month)?, &cand.value))
    };
    let moved: Vec<Option<Value>> = board.cands.iter().map(moved).collect();
    for (cand, value) in board.cands.iter_mut().zip(moved) {
        if let Some(value) = value {
            cand.value = value;
            // "In May, from the 4th": the number is of a day, since its month is told.
            if cand.strength == Strength::Weak && is_number_of_day(reader, cand) {
                cand.strength = Strength::Typed;
            }
        }
    }
}

/// Whether digits are said as a day is: "the 10th", German "am 10.".
fn is_number_of_day(reader: &Reader<'_>, cand: &Cand) -> bool {
    let before = cand.words.start.checked_sub(1);
    let article = || before.is_some_and(|no| reader.is_date_mark(no, |mark| matches!(mark, Mark::The | Mark::On)));
    cand.words.clone().any(|no| reader.is_digits(no)) && (is_ordinal(reader, cand) || article())
}

/// The day that words with nothing but its number mean in the month that [`month_said`] found apart from it: 10 August in "a week
/// in August, arriving on the 10th".
fn of_month_said(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    slot: &Slot<'_>,
    raw: &Range<usize>,
    said: Date,
    (at, month): (usize, i8),
) -> Option<Date> {
    let words = Words { scene, slot, said: Said::new(reader.raw_text(with_article(reader, raw))) };
    if reader.words_of(raw).contains(&at) || words.open(said) != Some(Open::Month) {
        return None;
    }
    in_month(said, month).filter(|day| *day >= scene.now.date())
}

/// The only month that a message names behind "in", and where.
fn month_said(reader: &Reader<'_>) -> Option<(usize, i8)> {
    let terms = |no: usize| reader.langs().flat_map(move |lang| lang.date.beginning_at(reader.said, no));
    let month = |no: usize| {
        terms(no).find_map(|phrase| match phrase.term {
            Term::Month(month) if phrase.rest.is_empty() => Some((no, month)),
            _ => None,
        })
    };
    // "May I come on the 10th?"
    let led = |no: usize| {
        let marks = |before: usize| terms(before).any(|phrase| matches!(phrase.term, Term::Mark(Mark::In)));
        let before = no.checked_sub(1);
        before.is_some_and(|before| marks(before) || reader.announces(Announced::Place, before, no) > 0)
    };
    let mut all = (1..reader.said.words.len()).filter_map(month).filter(|(no, _)| led(*no));
    let first = all.next()?;
    all.all(|(_, other)| other == first.1).then_some(first)
}

/// The day of the same number in a month, in the same year or the next.
fn in_month(day: Date, month: i8) -> Option<Date> {
    let year = if month < day.month() { day.year() + 1 } else { day.year() };
    Date::new(year, month, day.day()).ok()
}

/// Whether a word points at a week as seen from today: "next", "this".
fn points(reader: &Reader<'_>, no: usize) -> bool {
    reader
        .is_date_mark(no, |mark| matches!(mark, Mark::This | Mark::Next | Mark::Coming | Mark::AfterNext | Mark::Last))
}

/// The words of a day with the small ones before it, without which a number is no day: "il 12", "am 5.".
fn with_article(reader: &Reader<'_>, raw: &Range<usize>) -> Range<usize> {
    const MOST_WORDS: usize = 3;
    let words = reader.words_of(raw);
    let clause = reader.clause_start(words.start);
    let before = (clause..words.start).rev().take(MOST_WORDS);
    let start = before.take_while(|no| is_small(reader, *no)).last().unwrap_or(words.start);
    start..words.end
}

/// Whether a word stands before a day or a time and is part of it: "on", "the", "at".
pub(super) fn is_small(reader: &Reader<'_>, no: usize) -> bool {
    reader.is_date_mark(no, |mark| matches!(mark, Mark::On | Mark::The | Mark::At | Mark::For))
}

/// Whether a day is one of two of which the first has but its number: "3 or 4 December", "the 3rd or the 4th of May".
pub(super) fn is_one_of_two(reader: &Reader<'_>, words: &Range<usize>) -> bool {
    let telling = |end: usize| (0..end).rev().find(|no| !is_small(reader, *no) && !reader.is_mark(*no));
    let Some(or) = telling(words.start).filter(|or| reader.len(|lang| &lang.sentence.or, *or, words.start) > 0) else {
        return false;
    };
    let digits = |no: usize| reader.said.word(no).starts_with(|c: char| c.is_ascii_digit());
    telling(or).is_some_and(|no| digits(no) || reader.is_of_number(no))
}

/// Whether a day ends a stretch whose start has but a higher number, of which month is not said: "from the 20th to the 12th of July".
pub(super) fn ends_another_month(reader: &Reader<'_>, words: &Range<usize>, end: Date) -> bool {
    let number = |no: usize| {
        let digits = reader.said.word(no).trim_end_matches(|c: char| !c.is_ascii_digit());
        digits.parse::<i8>().ok().filter(|day| (1..=31).contains(day))
    };
    let small = |no: &usize| is_small(reader, *no) && reader.len(|lang| &lang.sentence.second, *no, words.start) == 0;
    let Some(to) = (0..words.start).rev().find(|no| !small(no)) else { return false };
    let from = to.checked_sub(1).filter(|_| reader.len(|lang| &lang.sentence.second, to, words.start) > 0);
    // "20th" may be two words.
    let suffix = |no: usize| number(no).is_none() && reader.said.is_glued(no);
    let Some(start) = from.and_then(|no| if suffix(no) { no.checked_sub(1) } else { Some(no) }) else { return false };
    let led =
        (0..start).rev().find(|no| !is_small(reader, *no) || reader.len(|lang| &lang.sentence.first, *no, start) > 0);
    let begins = led.is_some_and(|no| reader.len(|lang| &lang.sentence.first, no, start) > 0);
    begins && number(start).is_some_and(|day| day > end.day())
}

/// Whether "the 10th" is a day and no place in a row: it puts right the only day that stands, or is said to be the end whose
/// start is said too.
pub(super) fn is_day_said(
    reader: &Reader<'_>,
    board: &Board<'_>,
    tide: &Tide,
    slot: &Slot<'_>,
    cand_no: usize,
    corrects: bool,
) -> bool {
    let Some(cand) = board.cands.get(cand_no) else { return false };
    if !is_day(slot) || !is_number_of_day(reader, cand) {
        return false;
    }
    let surer = |other: &Cand| other.alike == cand.alike && other.strength > Strength::Weak && !other.old;
    let alike = |other: &&Slot<'_>| is_day(other) && other.value.is_some();
    let ends = |no: usize, role| tide.roles.get(no).copied().flatten() == Some(role);
    let starts = |(no, other): (usize, &Cand)| {
        other.alike == cand.alike && other.strength > Strength::Weak && !other.old && !ends(no, Role::Second)
    };
    let ended = slot.role == Some(Role::Second) && ends(cand_no, Role::Second);
    corrects && board.slots.iter().filter(alike).count() == 1 && !board.cands.iter().any(surer)
        || ended && board.cands.iter().enumerate().any(starts)
}

fn is_day(slot: &Slot<'_>) -> bool {
    matches!(slot.field.kind, Kind::Date(_) | Kind::Datetime(_))
}

/// Whether words mean the day that stands where they are read as seen from it: "the 12th", "Friday".
pub(super) fn names(scene: &Scene<'_>, reader: &Reader<'_>, slot: &Slot<'_>, raw: &Range<usize>, held: &Value) -> bool {
    let words = Words { scene, slot, said: Said::new(reader.raw_text(with_article(reader, raw))) };
    day(held).is_some_and(|held| words.from(held) == Some(held))
}

/// The words of a day.
struct Words<'x, 'a> {
    scene: &'x Scene<'a>,
    slot: &'x Slot<'a>,
    said: Said,
}

impl Words<'_, '_> {
    /// What they mean as seen from a day.
    fn from(&self, from: Date) -> Option<Date> {
        let now = from.to_zoned(self.scene.now.time_zone().clone()).ok()?;
        let kind = self.slot.field.kind.behaviour();
        let reading = with_context(self.scene, &self.slot.path, self.slot.field, |cx| {
            kind.read(&self.said, &Context { now: &now, held: None, ..*cx })
        });
        match reading {
            Reading::Value(found) => day(&found.value),
            Reading::Ambiguous(all) => all.first().and_then(|found| day(&found.value)),
            // A day without its time.
            Reading::Refused(_, why) => why.facts.get("day").and_then(|day| day.parse().ok()),
            Reading::Nothing => None,
        }
    }

    /// What they leave open of the day that they were taken to mean: as seen from other days they mean others.
    fn open(&self, said: Date) -> Option<Open> {
        const FIRST: Date = date(2018, 1, 1);
        const OTHER_MONTH: Date = date(2018, 3, 2);
        const OTHER_WEEK: Date = date(2018, 1, 10);
        const OTHER_YEAR: Date = date(2025, 1, 1);
        let one = self.from(FIRST)?;
        let number = |day: Date| day.day() == said.day() && day.month() != one.month();
        if one.day() == said.day() && self.from(OTHER_MONTH).is_some_and(number) {
            return Some(Open::Month);
        }
        let near = |from: Date, day: &Date| (*day - from).get_days().abs() <= 7 && day.weekday() == said.weekday();
        let week = near(FIRST, &one) && self.from(OTHER_WEEK).is_some_and(|day| near(OTHER_WEEK, &day));
        if week {
            return Some(Open::Week);
        }
        let same = |day: Date| (day.month(), day.day()) == (said.month(), said.day());
        let year = same(one) && self.from(OTHER_YEAR).is_some_and(|day| same(day) && day.year() != one.year());
        year.then_some(Open::Year)
    }
}

/// The days around a known one that words may mean which leave this open, in their order.
fn around(open: Open, known: Date, said: Date) -> Vec<Date> {
    match open {
        Open::Month => {
            let months = (-2..=2).filter_map(|n| known.first_of_month().checked_add(jiff::Span::new().months(n)).ok());
            months.filter_map(|first| Date::new(first.year(), first.month(), said.day()).ok()).collect()
        }
        Open::Year => Vec::new(),
        Open::Week => {
            let offset = i64::from(said.weekday().since(known.weekday()));
            let days = [offset - 7, offset];
            days.into_iter().filter_map(|n| known.checked_add(jiff::Span::new().days(n)).ok()).collect()
        }
    }
}

/// The day of a day or moment.
pub(super) fn day(value: &Value) -> Option<Date> {
    match value {
        Value::Date(day) => Some(*day),
        Value::DateTime(moment) => Some(moment.date()),
        _ => None,
    }
}

/// A day or moment, on another day.
pub(super) fn on(day: Date, value: &Value) -> Value {
    match value {
        Value::DateTime(moment) => Value::DateTime(day.to_datetime(moment.time())),
        _ => Value::Date(day),
    }
}

/// A day or moment, as a moment.
pub(super) fn moment(value: &Value) -> Option<DateTime> {
    match value {
        Value::Date(day) => Some(day.at(0, 0, 0, 0)),
        Value::DateTime(moment) => Some(*moment),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::Stage;

    const HIRE: &str = r#"
id = "hire"
title = "Hire"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "start"
kind = "date"
label = { en = "Start", it = "Inizio", es = "Inicio", de = "Beginn", fr = "Début", ar = "البداية" }

[[field]]
id = "end"
kind = "date"
label = { en = "End", it = "Fine", es = "Fin", de = "Ende", fr = "Fin", ar = "النهاية" }
"#;

    #[rstest]
    #[case("start on Saturday and end on Monday", "start=2026-11-28; end=2026-11-30")]
    #[case("start today and end on Monday", "start=2026-11-21; end=2026-11-23")]
    fn a_pair_that_begins_on_the_weekday_of_today_is_of_next_week(#[case] said: &str, #[case] expected: &str) {
        assert_eq!(Stage::new(HIRE, "").fills(said), expected, "{said}");
    }

    #[rstest]
    #[case("en", "on 3 or 4 December")]
    #[case("en", "the 3rd or the 4th of May")]
    #[case("it", "il 3 o il 4 maggio")]
    #[case("de", "am 3. oder 4. Mai")]
    #[case("fr", "le 3 ou le 4 mai")]
    fn one_of_two_days_is_asked_back(#[case] lang: &'static str, #[case] said: &str) {
        let end = HIRE.rfind("[[field]]").unwrap();
        let fills = Stage::new(&HIRE[..end], "start").speaking(lang).fills(said);
        assert!(fills.is_empty() || fills.starts_with("~="), "{said}: {fills}");
    }

    const BOTH: &str = "start=2027-05-17; end=2027-05-21";

    #[rstest]
    #[case("en", "start on the 18th instead", "start=2027-05-18")]
    #[case("en", "ending on the 2nd instead", "end=2027-06-02")]
    #[case("en", "start on the 16th, not on the 17th", "start=2027-05-16")]
    #[case("en", "actually the start is on Sunday", "start=2027-05-16")]
    #[case("en", "no, start next Sunday", "start=2026-11-29")]
    #[case("it", "anzi inizio il 18", "start=2027-05-18")]
    #[case("es", "mejor inicio el 18", "start=2027-05-18")]
    #[case("de", "doch lieber Beginn am 18.", "start=2027-05-18")]
    #[case("fr", "plutôt début le 18", "start=2027-05-18")]
    fn a_day_put_right_is_of_the_month_and_week_of_the_one_that_stands(
        #[case] lang: &'static str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        assert_eq!(Stage::new(HIRE, "review").speaking(lang).having(BOTH).fills(said), expected, "{said}");
    }

    #[rstest]
    #[case("end", "start=2027-05-17", "the 3rd", "end=2027-06-03")]
    #[case("end", "start=2027-05-17", "on the 3rd", "end=2027-06-03")]
    #[case("end", "start=2027-05-17", "Friday", "end=2027-05-21")]
    #[case("start", "end=2027-05-21", "on the 9th", "start=2027-05-09")]
    #[case("start", "end=2027-05-21", "the 25th", "start=2027-04-25")]
    #[case("start", "end=2027-05-21", "Monday", "start=2027-05-17")]
    #[case("start", "end=2027-05-21", "tomorrow", "start=2026-11-22")]
    #[case("start", "end=2027-05-21", "9 March", "start=2027-03-09")]
    fn one_end_tells_the_month_of_the_other(
        #[case] asked: &str,
        #[case] having: &str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        assert_eq!(Stage::new(HIRE, asked).having(having).fills(said), expected, "{said}");
    }

    #[rstest]
    #[case("en", "on 3 December, back on the 10th", "start=2026-12-03; end=2026-12-10")]
    #[case("en", "3 December, return the 10th", "start=2026-12-03; end=2026-12-10")]
    #[case("en", "from 3 December and back on the 2nd", "start=2026-12-03; end=2027-01-02")]
    #[case("fr", "le 3 décembre, retour le 10", "start=2026-12-03; end=2026-12-10")]
    fn the_end_said_beside_the_start_is_of_its_month(
        #[case] lang: &'static str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        assert_eq!(Stage::new(HIRE, "").speaking(lang).fills(said), expected, "{said}");
    }

    #[test]
    fn moments_are_told_by_each_other_as_days_are() {
        let form = HIRE.replace("\"date\"", "\"datetime\"");
        let stage = Stage::new(&form, "end").having("start=2027-05-14T09:00");
        assert_eq!(stage.fills("Sunday 6 pm"), "end=2027-05-16T18:00");
        assert_eq!(stage.fills("the 15th at 10"), "end=2027-05-15T10:00");
        assert_eq!(stage.line("9 May at 5 pm"), "!end date_too_early \"9 May at 5 pm\"");
    }

    #[test]
    fn the_only_day_that_stands_is_put_right_by_its_number_alone() {
        let stage = Stage::new(HIRE, "review").having("start=2027-05-17");
        assert_eq!(stage.means("actually make it the 18th"), "start=2027-05-18");
        assert_eq!(Stage::new(HIRE, "review").having(BOTH).fills("actually the 18th"), "");
    }

    #[rstest]
    #[case("en", "a week in August, arriving on the 10th", "end=2027-08-16; start=2027-08-10")]
    #[case("en", "sometime in May, starting on the 12th", "start=2027-05-12")]
    #[case("it", "in agosto, inizio il 10", "start=2027-08-10")]
    #[case("fr", "en août, début le 10", "start=2027-08-10")]
    #[case("en", "start on May 28th, end on the 2nd", "start=2027-05-28; end=2027-06-02")]
    fn a_number_is_of_the_month_that_was_said_before(
        #[case] lang: &'static str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        assert_eq!(Stage::new(HIRE, "").speaking(lang).fills(said), expected, "{said}");
    }

    #[test]
    fn a_week_on_a_day_is_one_day() {
        assert_eq!(Stage::new(HIRE, "start").fills("a week on Tuesday"), "start=2026-12-01");
    }

    #[test]
    fn a_length_from_a_day_may_be_one_day_where_the_first_is_asked() {
        assert_eq!(Stage::new(HIRE, "start").fills("a fortnight from Saturday"), "");
    }
}
