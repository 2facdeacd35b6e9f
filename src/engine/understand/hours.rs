//! Two times said as one stretch, for two fields: "from 3 to 4 pm", "9am-11am", "14:00-15:30", "between 2 and 4 pm".

use std::ops::Range;

use jiff::SignedDuration;
use jiff::civil::Time;

use super::ledger::Ledger;
use super::reader::Reader;
use super::score::is_number;
use super::spans::{Board, Cand, Slot, with_context};
use super::{Scene, stretch};
use crate::form::cues::Role;
use crate::form::kind::{Found, Reading, Said, Strength};
use crate::form::language::Language;
use crate::form::language::dates::Term;
use crate::form::{Kind, Value};

/// Most words of one end: "half past nine in the morning".
const LONGEST: usize = 6;

/// Most words that lead to a stretch: "a partire dalle".
const MOST_LEADING: usize = 3;

/// Hours of the day in which a stretch of bare numbers lies.
const DAY: Range<i8> = 8..18;

/// One end of a stretch.
struct End {
    words: Range<usize>,
    /// What the words mean, or may mean where they are a bare number.
    times: Vec<Time>,
    /// They say by themselves that they are a time.
    sure: bool,
    /// They say whether it is one of the morning or of the evening, or are written with a unit: "3 pm", "15h".
    told: bool,
}

impl End {
    /// The times that are meant beside another end: "3:30" before "4 pm" is of the afternoon.
    fn beside(&self, other: &Self) -> Vec<Time> {
        let later = |time: &Time| Time::new(time.hour() + 12, time.minute(), 0, 0).ok();
        let open = self.sure && !self.told && other.told;
        let more = self.times.iter().filter(|time| open && (1..12).contains(&time.hour())).filter_map(later);
        self.times.iter().copied().chain(more).collect()
    }
}

/// Fills the two open times that are the first and the second of two, or all there are, from a stretch with both ends.
pub(super) fn fill(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) {
    let open = |(no, slot): &(usize, &Slot<'_>)| {
        matches!(slot.field.kind, Kind::Time(_)) && slot.value.is_none() && !ledger.has(*no)
    };
    let times: Vec<(usize, &Slot<'_>)> = board.slots.iter().enumerate().filter(open).collect();
    let [(first, one), (second, _)] = times.as_slice() else { return };
    let (first, second) = if one.role == Some(Role::Second) { (*second, *first) } else { (*first, *second) };
    let mut stretches = (1..reader.said.words.len()).filter_map(|no| stretch_at(scene, reader, board, one, no));
    let (Some((words, start, end)), None) = (stretches.next(), stretches.next()) else { return };
    drop(stretches);
    // "At 9 am to 10 April at 5 pm" are a time and a day.
    let longer = |cand: &Cand| cand.words.start < words.end && words.end < cand.words.end;
    if !ledger.is_free(words.clone()) || board.cands.iter().any(longer) {
        return;
    }
    stretch::take(reader, ledger, words, [(first, Value::Time(start)), (second, Value::Time(end))]);
}

/// The stretch whose ends meet at a word: "to", "until", a dash, the "and" of "between". Where a time may be one of the
/// morning or of the evening, it is the one that makes the stretch shortest.
fn stretch_at(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    slot: &Slot<'_>,
    no: usize,
) -> Option<(Range<usize>, Time, Time)> {
    let count = reader.said.words.len();
    let dash = matches!(reader.said.word(no), "-" | "–" | "—");
    let to = reader.len(|lang| &lang.sentence.second, no, count);
    let and = reader.len(|lang| &lang.sentence.join, no, count);
    let len = usize::from(dash).max(to).max(and);
    if len == 0 {
        return None;
    }
    let before = ends_before(scene, reader, slot, no)?;
    let start = before.words.start;
    let lead = |no: &usize| reader.len(|lang| &lang.sentence.first, *no, start) == start - no;
    let led_from = (start.saturating_sub(MOST_LEADING)..start).find(lead);
    let led = led_from.is_some();
    let after = starts_at(scene, reader, slot, no + len)?;
    // "At 3 and 4 pm" are two times; "2-4 people" are none.
    let bare = !(before.sure || after.sure);
    if bare && !tells_hours(reader, board, &after.words, led) || !(dash || to > 0 || led) {
        return None;
    }
    let (starts, ends) = (before.beside(&after), after.beside(&before));
    let pairs = starts.iter().flat_map(|start| ends.iter().map(move |end| (*start, *end)));
    // "9 to 5" is by day.
    let by_day = |start: &Time, end: &Time| DAY.contains(&start.hour()) && *end <= jiff::civil::time(DAY.end, 0, 0, 0);
    // "From 16 to 23" can be no morning.
    let late = led && before.times.len() == 1 && after.times.len() == 1;
    // Midnight ends the day.
    let midnight = |end: &Time| *end == Time::midnight() && after.sure;
    let lasts = |start: Time, end: Time| {
        let whole = if midnight(&end) { SignedDuration::from_hours(24) } else { SignedDuration::ZERO };
        end.duration_since(start) + whole
    };
    let (start, end) = pairs
        .filter(|(start, end)| (start < end || midnight(end)) && (!bare || late || by_day(start, end)))
        .min_by_key(|(start, end)| lasts(*start, *end))?;
    Some((led_from.unwrap_or(before.words.start)..after.words.end, start, end))
}

/// Whether the last of two bare numbers counts nothing, and no days are open that they could be: "from 9 to 5".
fn tells_hours(reader: &Reader<'_>, board: &Board<'_>, last: &Range<usize>, led: bool) -> bool {
    let open =
        |fits: fn(&Kind) -> bool| board.slots.iter().filter(move |slot| slot.value.is_none() && fits(&slot.field.kind));
    let clause = reader.clause_end(last.start);
    let typed = |cand: &Cand| cand.words.start == last.end && cand.strength > Strength::Weak;
    let people = reader.len(|lang| &lang.number.people, last.end, clause) > 0;
    let idle = !people && reader.is_idle(last.end);
    let alone = last.end >= clause || idle || board.cands.iter().any(typed);
    let days = open(|kind| matches!(kind, Kind::Date(_) | Kind::Datetime(_))).count();
    let range = open(|kind| matches!(kind, Kind::DateRange(_))).next().is_some();
    alone && days < 2 && !range && (led || open(is_number).next().is_none())
}

fn ends_before(scene: &Scene<'_>, reader: &Reader<'_>, slot: &Slot<'_>, no: usize) -> Option<End> {
    (no.saturating_sub(LONGEST)..no).find_map(|start| end_of(scene, reader, slot, start..no))
}

fn starts_at(scene: &Scene<'_>, reader: &Reader<'_>, slot: &Slot<'_>, no: usize) -> Option<End> {
    let most = reader.said.words.len().min(no + LONGEST);
    (no + 1..=most).rev().find_map(|end| end_of(scene, reader, slot, no..end))
}

/// What words mean that are one end and nothing else.
fn end_of(scene: &Scene<'_>, reader: &Reader<'_>, slot: &Slot<'_>, words: Range<usize>) -> Option<End> {
    if words.is_empty() || reader.is_mark(words.start) || reader.is_mark(words.end - 1) {
        return None;
    }
    let text = reader.raw_text(words.clone()).trim();
    let only_digits = text.chars().all(|c| c.is_ascii_digit());
    if only_digits {
        let hour: i8 = text.parse().ok().filter(|hour| (0..24).contains(hour))?;
        let hours = [Some(hour), (1..12).contains(&hour).then_some(hour + 12)];
        let times: Vec<Time> = hours.into_iter().flatten().filter_map(|hour| Time::new(hour, 0, 0, 0).ok()).collect();
        return Some(End { words, times, sure: false, told: false });
    }
    // "Noon".
    let clock = |lang: &Language| {
        lang.date.beginning(reader.said.plain(words.start)).iter().any(|phrase| matches!(phrase.term, Term::Clock(_)))
    };
    if !text.contains(|c: char| c.is_ascii_digit()) && !reader.langs().into_iter().any(clock) {
        return None;
    }
    let said = Said::new(text);
    let whole = |found: &Found| found.span.start == 0 && found.span.end == text.len();
    let time = |found: &Found| match found.value {
        Value::Time(time) if whole(found) => Some(time),
        _ => None,
    };
    let reading = with_context(scene, &slot.path, slot.field, |cx| slot.field.kind.behaviour().read(&said, cx));
    let times: Vec<Time> = match &reading {
        Reading::Value(found) => time(found).into_iter().collect(),
        Reading::Ambiguous(all) => all.iter().filter_map(time).collect(),
        Reading::Refused(..) | Reading::Nothing => Vec::new(),
    };
    let told = text.chars().any(|c| !c.is_ascii_digit() && !matches!(c, ':' | '.'));
    (!times.is_empty()).then_some(End { words, times, sure: true, told })
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::engine::understand::testing::Stage;

    const ENTRY: &str = r#"
id = "entry"
title = "Calendar entry"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "start"
kind = "time"
label = { en = "Start", it = "Inizio", es = "Comienzo", de = "Beginn", fr = "Début", ar = "البداية" }

[[field]]
id = "end"
kind = "time"
label = { en = "End", it = "Fine", es = "Fin", de = "Ende", fr = "Fin", ar = "النهاية" }

[[field]]
id = "people"
kind = "integer"
label = { en = "People", it = "Persone", es = "Personas", de = "Personen", fr = "Personnes", ar = "أشخاص" }
"#;

    #[rstest]
    #[case("en", "from 3 to 4 pm", "start=15:00; end=16:00")]
    #[case("en", "9 to 11 am", "start=09:00; end=11:00")]
    #[case("en", "11 to 1 pm", "start=11:00; end=13:00")]
    #[case("en", "9am-11am", "start=09:00; end=11:00")]
    #[case("en", "14:00-15:30", "start=14:00; end=15:30")]
    #[case("en", "between 2 and 4 pm", "start=14:00; end=16:00")]
    #[case("en", "3pm until 5", "start=15:00; end=17:00")]
    #[case("en", "3:30 to 4 pm", "start=15:30; end=16:00")]
    #[case("en", "lunch from noon to 1", "start=12:00; end=13:00")]
    #[case("en", "from 10 to noon", "start=10:00; end=12:00")]
    #[case("fr", "de midi à 13h", "start=12:00; end=13:00")]
    #[case("it", "dalle 15:00 alle 16:30", "start=15:00; end=16:30")]
    #[case("es", "de 15:00 a 16:30", "start=15:00; end=16:30")]
    #[case("de", "von 15 bis 17 Uhr", "start=15:00; end=17:00")]
    #[case("fr", "de 15h à 17h", "start=15:00; end=17:00")]
    #[case("it", "dalle 16 a mezzanotte", "start=16:00; end=00:00")]
    #[case("es", "de las 16 a las 23", "start=16:00; end=23:00")]
    #[case("en", "from 8 pm to midnight", "start=20:00; end=00:00")]
    #[case("en", "2-4 people", "")]
    fn both_ends_of_a_stretch_of_hours_are_kept(
        #[case] lang: &'static str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        let line = Stage::new(ENTRY, "").speaking(lang).line(said);
        let fills: Vec<&str> =
            line.split("; ").filter(|part| part.starts_with(['s', 'e']) && part.contains('=')).collect();
        assert_eq!(fills.join("; "), expected, "{said}");
    }

    #[rstest]
    #[case("from 9 to 5", "start=09:00; end=17:00")]
    #[case("from 2 to 4", "start=14:00; end=16:00")]
    #[case("from 9 to 12", "start=09:00; end=12:00")]
    #[case("from 7 to 9", "")]
    #[case("from 2 to 4 people", "")]
    #[case("2 to 4 boxes", "")]
    fn bare_hours_of_a_stretch_are_by_day(#[case] said: &str, #[case] expected: &str) {
        let line = Stage::new(ENTRY, "").line(said);
        let fills: Vec<&str> =
            line.split("; ").filter(|part| part.starts_with(['s', 'e']) && part.contains('=')).collect();
        assert_eq!(fills.join("; "), expected, "{said}: {line}");
    }

    #[test]
    fn a_stretch_that_ends_before_it_begins_is_none_of_another_half_of_the_day() {
        let line = Stage::new(ENTRY, "").line("12:00 to 10:00");
        assert!(!line.contains("22:00"), "{line}");
    }

    #[test]
    fn the_number_of_a_day_ends_no_stretch() {
        const STAY: &str = r#"
id = "stay"
title = "Stay"

[[field]]
id = "from_day"
kind = "date"
label = "Check-in"

[[field]]
id = "from_time"
kind = "time"
label = "Check-in time"

[[field]]
id = "to_day"
kind = "date"
label = "Check-out"

[[field]]
id = "to_time"
kind = "time"
label = "Check-out time"
"#;
        let line = Stage::new(STAY, "").fills("from 3 December at 9 am to 10 December at 5 pm");
        assert!(!line.contains("10:00") && line.contains("to_day=2026-12-10"), "{line}");
    }

    #[test]
    fn both_ends_answer_the_question_for_one() {
        assert_eq!(Stage::new(ENTRY, "start").fills("from 9 to 11 am"), "start=09:00; end=11:00");
    }
}
