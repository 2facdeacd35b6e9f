//! Two times said as one stretch, for two fields: "from 3 to 4 pm", "9am-11am", "14:00-15:30", "between 2 and 4 pm"; on the day
//! that is said, where the fields hold a day and a time: "tomorrow from 3 to 5 pm".

use std::ops::Range;

use jiff::SignedDuration;
use jiff::civil::Time;

use super::ledger::Ledger;
use super::reader::Reader;
use super::score::is_number;
use super::spans::{Board, Cand, Slot, with_context};
use super::{Scene, halves, stretch};
use formwright_form::cues::Role;
use formwright_form::kind::date::Date;
use formwright_form::kind::{FieldKind, Found, Reading, Said, Strength, overlap, time};
use formwright_form::{Kind, Value};
use formwright_lexicon::Language;
use formwright_lexicon::dates::{Mark, Term};

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
    if let Some([first, second]) = two_open(board, ledger, |kind| matches!(kind, Kind::Time(_)))
        && let Some((words, start, end)) = only_stretch(scene, reader, board, first)
    {
        // "At 9 am to 10 April at 5 pm" are a time and a day.
        let longer = |cand: &Cand| cand.words.start < words.end && words.end < cand.words.end;
        if ledger.is_free(words.clone()) && !board.cands.iter().any(longer) {
            stretch::take(reader, ledger, words, [(first, Value::Time(start)), (second, Value::Time(end))]);
        }
    } else if let Some(ends) = two_open(board, ledger, |kind| matches!(kind, Kind::Datetime(_))) {
        on_a_day(scene, reader, board, ledger, ends);
        with_a_dash(reader, board, ledger, ends);
    }
}

/// Fills two moments from the only two that are said, with a dash between them: "Monday 9 am - Wednesday 5 pm".
fn with_a_dash(reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger, [first, second]: [usize; 2]) {
    let typed = |cand: &&Cand| board.takers(cand).contains(&first) && cand.strength > Strength::Weak;
    let mut cands = board.cands.iter().filter(typed);
    let (Some(from), Some(to), None) = (cands.next(), cands.next(), cands.next()) else { return };
    let between = from.words.end..to.words.start;
    let dash = between.len() == 1 && is_dash(reader, between.start);
    let both = from.words.start..to.words.end;
    let (Value::DateTime(start), Value::DateTime(end)) = (&from.value, &to.value) else { return };
    if dash && start < end && ledger.is_free(both.clone()) {
        stretch::take(reader, ledger, both, [(first, from.value.clone()), (second, to.value.clone())]);
    }
}

/// Fills two moments from a stretch and the only day that is said: "19 December from 9:30 till 10:45". One that ends before it
/// begins goes on after midnight.
fn on_a_day(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger, ends: [usize; 2]) {
    let [first, second] = ends;
    let Some((words, start, end)) = only_stretch(scene, reader, board, first) else { return };
    let Some(slot) = board.slots.get(first) else { return };
    let Kind::Datetime(kind) = &slot.field.kind else { return };
    let days = Date { prefer: kind.prefer, ..Date::default() };
    let found = with_context(scene, &slot.path, slot.field, |cx| days.find(reader.said, cx));
    let best = found.iter().map(|found| found.strength).max();
    let mut days = found.iter().filter(|found| Some(found.strength) == best);
    let (Some(Found { span, value: Value::Date(day), .. }), None) = (days.next(), days.next()) else { return };
    let of_day = reader.words_of(span);
    let last = if end <= start { day.tomorrow().ok() } else { Some(*day) };
    if overlap(&of_day, &words) || !ledger.is_free(words.clone()) || !ledger.is_free(of_day.clone()) {
        return;
    }
    let Some(last) = last else { return };
    let moments = [Value::DateTime(day.to_datetime(start)), Value::DateTime(last.to_datetime(end))];
    let [from, to] = moments;
    stretch::take(reader, ledger, words, [(first, from), (second, to)]);
    ledger.claim(of_day);
}

/// The two open fields of a kind, the first of the two in front.
fn two_open(board: &Board<'_>, ledger: &Ledger, fits: fn(&Kind) -> bool) -> Option<[usize; 2]> {
    let open = |(no, slot): &(usize, &Slot<'_>)| fits(&slot.field.kind) && slot.value.is_none() && !ledger.has(*no);
    let all: Vec<(usize, &Slot<'_>)> = board.slots.iter().enumerate().filter(open).collect();
    let [(first, one), (second, _)] = all.as_slice() else { return None };
    Some(if one.role == Some(Role::Second) { [*second, *first] } else { [*first, *second] })
}

/// The only stretch of a message.
fn only_stretch(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    first: usize,
) -> Option<(Range<usize>, Time, Time)> {
    let slot = board.slots.get(first)?;
    let mut stretches = (1..reader.said.words.len()).filter_map(|no| stretch_at(scene, reader, board, slot, no));
    stretches.next().filter(|_| stretches.next().is_none())
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
    let dash = is_dash(reader, no);
    let to = reader.len(|lang| &lang.sentence.second, no, count);
    let and = reader.len(|lang| &lang.sentence.join, no, count);
    // "Dalle 15 alle 17"; "من الساعة 3 إلى الساعة 5".
    let at = |no: usize| usize::from(reader.is_date_mark(no, |mark| mark == Mark::At));
    let len = usize::from(dash).max(to).max(and);
    let len = if len == 0 { at(no) } else { len + at(no + len) };
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
    if bare && !tells_hours(reader, board, slot, &after.words, led) || !(dash || to > 0 || led) {
        return None;
    }
    let (starts, ends) = (before.beside(&after), after.beside(&before));
    let pairs = starts.iter().flat_map(|start| ends.iter().map(move |end| (*start, *end)));
    // "9 to 5" is by day.
    let by_day = |start: &Time, end: &Time| DAY.contains(&start.hour()) && *end <= jiff::civil::time(DAY.end, 0, 0, 0);
    // "From 16 to 23" can be no morning.
    let late = led && before.times.len() == 1 && after.times.len() == 1;
    // "Tonight from 8 to 10."
    let part = halves::part_said(reader, board).map(halves::hours);
    let in_part = |start: &Time| before.told || part.as_ref().is_none_or(|hours| hours.contains(&start.hour()));
    // "8 pm until 2 am", where a moment has a day of its own.
    let with_day = matches!(slot.field.kind, Kind::Datetime(_));
    let overnight = |start: &Time, end: &Time| with_day && before.told && after.told && start > end;
    // Midnight ends the day.
    let midnight = |end: &Time| *end == Time::midnight() && after.sure;
    let lasts = |start: Time, end: Time| {
        let next = midnight(&end) || overnight(&start, &end);
        let whole = if next { SignedDuration::from_hours(24) } else { SignedDuration::ZERO };
        end.duration_since(start) + whole
    };
    let (start, end) = pairs
        .filter(|(start, end)| start < end || midnight(end) || overnight(start, end))
        .filter(|(start, end)| in_part(start) && (!bare || late || part.is_some() || by_day(start, end)))
        .min_by_key(|(start, end)| lasts(*start, *end))?;
    Some((led_from.unwrap_or(before.words.start)..after.words.end, start, end))
}

fn is_dash(reader: &Reader<'_>, no: usize) -> bool {
    matches!(reader.said.word(no), "-" | "–" | "—")
}

/// Whether the last of two bare numbers counts nothing, and no days are open that they could be: "from 9 to 5".
fn tells_hours(reader: &Reader<'_>, board: &Board<'_>, slot: &Slot<'_>, last: &Range<usize>, led: bool) -> bool {
    let open =
        |fits: fn(&Kind) -> bool| board.slots.iter().filter(move |slot| slot.value.is_none() && fits(&slot.field.kind));
    let clause = reader.clause_end(last.start);
    let typed = |cand: &Cand| cand.words.start == last.end && cand.strength > Strength::Weak;
    let people = reader.len(|lang| &lang.number.people, last.end, clause) > 0;
    let idle = !people && reader.is_idle(last.end);
    let alone = last.end >= clause || idle || board.cands.iter().any(typed);
    // What is told of a moment needs a day besides, which the numbers are not.
    let of_moment = matches!(slot.field.kind, Kind::Datetime(_));
    let days = open(|kind| matches!(kind, Kind::Date(_) | Kind::Datetime(_))).filter(|_| !of_moment).count();
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
    // "3 p.m." ends with a dot.
    let ends_with_mark = |last: usize| reader.is_mark(last) && reader.said.word(last) != ".";
    if words.is_empty() || reader.is_mark(words.start) || ends_with_mark(words.end - 1) {
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
        lang.date.beginning_at(reader.said, words.start).iter().any(|phrase| matches!(phrase.term, Term::Clock(_)))
    };
    if !text.contains(|c: char| c.is_ascii_digit()) && !reader.langs().any(clock) {
        return None;
    }
    let said = Said::new(text);
    let last = text.trim_end_matches('.').len();
    let whole = |found: &Found| found.span.start == 0 && (last..=text.len()).contains(&found.span.end);
    let time = |found: &Found| match found.value {
        Value::Time(time) if whole(found) => Some(time),
        _ => None,
    };
    let plain = time::Time::default();
    let of_time = matches!(slot.field.kind, Kind::Time(_));
    let kind: &dyn FieldKind = if of_time { slot.field.kind.behaviour() } else { &plain };
    let reading = with_context(scene, &slot.path, slot.field, |cx| kind.read(&said, cx));
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

    use crate::testing::Stage;

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
        let line = Stage::new(ENTRY, "").speaking(lang).means(said);
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

    const MEETING: &str = r#"
id = "meeting"
title = "Meeting"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "start"
kind = "datetime"
label = { en = "Start", it = "Inizio", es = "Comienzo", de = "Beginn", fr = "Début", ar = "البداية" }

[[field]]
id = "end"
kind = "datetime"
label = { en = "End", it = "Fine", es = "Fin", de = "Ende", fr = "Fin", ar = "النهاية" }
"#;

    #[rstest]
    #[case("en", "November 28 2 p.m. - 3 p.m.", "start=2026-11-28T14:00; end=2026-11-28T15:00")]
    #[case("en", "the party is tomorrow from 3pm to 5pm", "start=2026-11-22T15:00; end=2026-11-22T17:00")]
    #[case("en", "from 3 to 5 pm on Friday", "start=2026-11-27T15:00; end=2026-11-27T17:00")]
    #[case("en", "tomorrow evening from 7 to 9", "start=2026-11-22T19:00; end=2026-11-22T21:00")]
    #[case("en", "Friday 8pm until 2am", "start=2026-11-27T20:00; end=2026-11-28T02:00")]
    #[case("en", "Monday 9am - Wednesday 5pm", "start=2026-11-23T09:00; end=2026-11-25T17:00")]
    #[case("it", "domani dalle 15 alle 17", "start=2026-11-22T15:00; end=2026-11-22T17:00")]
    #[case("es", "mañana de 15:00 a 17:00", "start=2026-11-22T15:00; end=2026-11-22T17:00")]
    #[case("de", "morgen von 15 bis 17 Uhr", "start=2026-11-22T15:00; end=2026-11-22T17:00")]
    #[case("fr", "demain de 15h à 17h", "start=2026-11-22T15:00; end=2026-11-22T17:00")]
    #[case("ar", "غدا من الساعة 15:00 إلى الساعة 17:00", "start=2026-11-22T15:00; end=2026-11-22T17:00")]
    fn a_stretch_of_hours_lies_on_the_day_that_is_said(
        #[case] lang: &'static str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        assert_eq!(Stage::new(MEETING, "start").speaking(lang).fills(said), expected, "{said}");
    }

    #[test]
    fn both_ends_answer_the_question_for_one() {
        assert_eq!(Stage::new(ENTRY, "start").fills("from 9 to 11 am"), "start=09:00; end=11:00");
    }
}
