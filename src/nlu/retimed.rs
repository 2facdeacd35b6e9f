//! A bare number that puts a time right in the same breath: "at 8 pm, actually 9", and where a time is asked "8, no wait, 9".

use std::ops::Range;

use jiff::civil::Time;

use super::Scene;
use super::amend::is_hour_word;
use super::ledger::{Ledger, possible};
use super::prepare::marks_correction;
use super::reader::Reader;
use super::spans::{Board, Cand, Slot, read};
use formwright_form::kind::{Found, Reading, Strength, overlap};
use formwright_form::{Kind, Value};

/// An hour in the place of another.
pub(super) struct Retimed {
    slot: usize,
    found: Found,
    old: Range<usize>,
}

/// Finds an hour that stands in the place of another, where it is plain which field holds them, and takes out what else its
/// number may be: nothing gives way to that.
pub(super) fn find(scene: &Scene<'_>, reader: &Reader<'_>, board: &mut Board<'_>) -> Option<Retimed> {
    let no = field(board)?;
    let slot = board.slots.get(no)?;
    let end = reader.said.words.len();
    let mut numbers = (1..end).filter(|at| reader.is_of_number(*at) && !reader.is_of_number(at - 1));
    let (found, old) = numbers.find_map(|at| {
        let new = at..(at..end).find(|no| !reader.is_of_number(*no)).unwrap_or(end);
        let from = taken_back(reader, at).filter(|_| says_no_more(reader, new.end))?;
        let old = old_hour(scene, reader, board, slot, from)?;
        let found = instead_of(scene, reader, board, slot, &old, new)?;
        Some((found, old.words))
    })?;
    let new = reader.words_of(&found.span);
    board.cands.retain(|cand| !overlap(&cand.words, &new));
    Some(Retimed { slot: no, found, old })
}

/// Fills in what was found.
pub(super) fn fill(reader: &Reader<'_>, ledger: &mut Ledger, retimed: Option<Retimed>) {
    let Some(Retimed { slot, found, old }) = retimed else { return };
    let new = reader.words_of(&found.span);
    let free = ledger.is_free(old.clone()) && ledger.is_free(new.clone());
    if free && ledger.fill_named(reader, slot, found) {
        ledger.claim(old.start..new.start);
    }
}

/// Whether a clause has nothing more to say: "nine, please", not "nine people".
fn says_no_more(reader: &Reader<'_>, from: usize) -> bool {
    let end = reader.clause_end(from.saturating_sub(1));
    from >= end || from + reader.filler(from, end) >= end
}

/// The field whose time is spoken of: the asked one, else the only one.
fn field(board: &Board<'_>) -> Option<usize> {
    let time = |no: &usize| board.slots.get(*no).is_some_and(|slot| matches!(slot.field.kind, Kind::Time(_)));
    let mut all = (0..board.slots.len()).filter(time);
    let only = all.next().filter(|_| all.next().is_none());
    board.asked.filter(time).or(only)
}

/// Where the words begin that take back what stands before them and lead to a word: ", no wait,".
fn taken_back(reader: &Reader<'_>, at: usize) -> Option<usize> {
    let takes_back = |no: usize| {
        let no_len = reader.len(|lang| &lang.yes_no.no, no, at);
        if marks_correction(reader, no, at) {
            reader.len(|lang| &lang.sentence.correct, no, at).max(no_len)
        } else {
            no_len
        }
    };
    let led = |no: usize| is_hour_word(reader, no, at);
    let mut from = at;
    let mut taken = false;
    // The words before may overlap: "no", "no wait" and "wait" are one.
    while from > 0 {
        let before = from - 1;
        let back = (from.saturating_sub(3)..from).find(|no| no + takes_back(*no) == from && takes_back(*no) > 0);
        match back {
            Some(start) => (from, taken) = (start, true),
            None if reader.is_mark(before) || !taken && led(before) => from = before,
            None => break,
        }
    }
    taken.then_some(from)
}

/// An hour that gives way.
struct Old {
    words: Range<usize>,
    /// The hours that it may mean.
    times: Vec<Time>,
}

/// The time that stands right before a word: one that says so by itself, or a bare number that is all that was said where
/// a time is asked.
fn old_hour(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, slot: &Slot<'_>, end: usize) -> Option<Old> {
    let led = |words: &Range<usize>| {
        (words.start.saturating_sub(2)..words.start).any(|no| is_hour_word(reader, no, words.start))
    };
    let told = |cand: &&Cand| {
        let sure = cand.strength > Strength::Weak || led(&cand.words);
        cand.words.end == end && !cand.negated && sure && matches!(cand.value, Value::Time(_))
    };
    let times = |cand: &Cand| if let Value::Time(time) = cand.value { Some(time) } else { None };
    if let Some(first) = board.cands.iter().find(told) {
        let same = board.cands.iter().filter(|cand| cand.words == first.words);
        return Some(Old { words: first.words.clone(), times: same.filter_map(times).collect() });
    }
    let start = (0..end).rev().take_while(|no| reader.is_of_number(*no)).last()?;
    let alone = slot.asked && (0..start).all(|no| reader.is_idle(no));
    let found = if alone { read(scene, reader, slot, start..end) } else { Reading::Nothing };
    let times = readings(found).into_iter().filter_map(|found| time_of(&found)).collect::<Vec<_>>();
    (!times.is_empty()).then_some(Old { words: start..end, times })
}

/// The hour that a number means in the place of another: of the same half of the day, where that one tells.
fn instead_of(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    slot: &Slot<'_>,
    old: &Old,
    new: Range<usize>,
) -> Option<Found> {
    let all = readings(read(scene, reader, slot, new));
    let all = match old.times.as_slice() {
        [held] => {
            let far = |found: &Found| time_of(found).map(|time| time.duration_since(*held).abs());
            all.into_iter().min_by_key(|found| far(found)).into_iter().collect()
        }
        _ => possible(scene, reader, board, slot, &all, |found| &found.value).ok()?,
    };
    <[Found; 1]>::try_from(all).ok().map(|[only]| only)
}

fn readings(reading: Reading) -> Vec<Found> {
    match reading {
        Reading::Value(found) => vec![found],
        Reading::Ambiguous(all) => all,
        Reading::Refused(..) | Reading::Nothing => Vec::new(),
    }
}

fn time_of(found: &Found) -> Option<Time> {
    if let Value::Time(time) = found.value { Some(time) } else { None }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::{Stage, sorted};

    const TABLE: &str = r#"
id = "table"
title = "Table"
languages = ["en", "it", "es", "de", "fr"]

[[field]]
id = "people"
kind = "integer"
label = "People"

[[field]]
id = "time"
kind = "time"
label = "Time"
"#;

    #[rstest]
    #[case("en", "", "table for 4 at 8pm, actually 9", "people=4; time=21:00")]
    #[case("en", "", "at 8, sorry, 9 please", "time=21:00")]
    #[case("en", "time", "8, no 9", "time=21:00")]
    #[case("en", "time", "eight... no, nine", "time=21:00")]
    #[case("en", "time", "7:30 pm, no wait, 8", "time=20:00")]
    #[case("it", "time", "8, anzi 9", "time=21:00")]
    #[case("es", "time", "a las 8, perdón, a las 9", "time=21:00")]
    #[case("de", "time", "um 8, nein, um 9", "time=21:00")]
    #[case("fr", "time", "à 20h, non, 21h", "time=21:00")]
    fn a_number_in_the_place_of_an_hour_is_an_hour(
        #[case] lang: &'static str,
        #[case] asked: &str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        let line = Stage::new(TABLE, asked).speaking(lang).fills(said);
        let mut fills = sorted(&line);
        // "Perdón" alone asks to have the question again.
        fills.retain(|part| part.contains('='));
        assert_eq!(fills.join("; "), expected, "{said}");
    }

    #[rstest]
    #[case("", "at 8pm for 4, sorry, 5", "people=5; time=20:00")]
    #[case("", "for 4 at 8pm, no, 5 of us", "people=5; time=20:00")]
    #[case("time", "8pm, no, 9 people", "people=9; time=20:00")]
    #[case("people", "4, no, 5", "people=5")]
    fn one_that_counts_is_none(#[case] asked: &str, #[case] said: &str, #[case] expected: &str) {
        assert_eq!(sorted(&Stage::new(TABLE, asked).fills(said)).join("; "), expected, "{said}");
    }
}
