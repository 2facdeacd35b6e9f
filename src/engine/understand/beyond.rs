//! What is told of a value without being it: the day that bounds the one meant ("after Christmas"), the time that is so long
//! after another ("an hour later"), the number that no field takes and that belongs to the words asked for.

use std::ops::Range;

use super::Scene;
use super::reader::Reader;
use super::spans::{Board, Cand, Slot, takes};
use crate::form::cues::Counts;
use crate::form::language::dates::Mark;

/// Whether a day only bounds the one that is meant: "after Christmas", "some time before the 5th"; not "from the 5th".
pub(super) fn is_open_bound(reader: &Reader<'_>, words: &Range<usize>) -> bool {
    let of = |no: usize| reader.is_date_mark(no, |mark| mark == Mark::Of);
    let skip = |no: &usize| of(*no) || reader.len(|lang| &lang.sentence.articles, *no, words.start) > 0;
    let bounds = |no: usize| {
        let is = |mark: Mark| reader.is_date_mark(no, |other| other == mark);
        (is(Mark::After) || is(Mark::Before)) && ![Mark::From, Mark::On].into_iter().any(is)
    };
    // "Before we move out on 30 November".
    let told = |no: usize| bounds(no) && reader.len(|lang| &lang.sentence.speaker, no + 1, words.start) > 0;
    let before = (0..words.start).rev().find(|no| !skip(no));
    before.is_some_and(bounds) || (reader.clause_start(words.start)..words.start).any(told)
}

/// Whether a number counts in another unit than a field does: "900 square feet" of square metres.
pub(super) fn is_of_another_unit(reader: &Reader<'_>, slot: &Slot<'_>, words: &Range<usize>) -> bool {
    let Some(Counts::In(own)) = slot.counts else { return false };
    let said = |no: usize| reader.at(|lang| &lang.number.measure.said, no, reader.said.words.len());
    let inside = (words.start + 1..words.end).find_map(|no| said(no).filter(|(len, _)| no + len == words.end));
    inside.or_else(|| said(words.end)).is_some_and(|(_, unit)| own != unit)
}

/// Whether a time is told from another that is not known: "they came an hour later".
pub(super) fn is_later(reader: &Reader<'_>, board: &Board<'_>, cand: &Cand) -> bool {
    let holds = board.takers(cand).iter().any(|no| board.slots.get(*no).is_some_and(|slot| slot.value.is_some()));
    let later = |no: usize| reader.is_date_mark(no, |mark| mark == Mark::LaterOn);
    // "Une heure plus tard" has its last words behind the hour; "at 3 later today" is at 3.
    let Range { start, end } = cand.words;
    let leads = || board.cands.iter().any(|other| (end..=end + 1).contains(&other.words.start));
    !holds && ((start + 1..end).any(later) || later(end) && !leads())
}

/// Whether a number belongs to the words that are asked for, and no field takes it: "get fit for a 10 km run".
pub(super) fn is_of_asked_words(scene: &Scene<'_>, board: &Board<'_>, cand: &Cand) -> bool {
    let asked =
        board.asked.and_then(|no| board.slots.get(no)).is_some_and(|slot| slot.is_free() && slot.subtype().is_none());
    asked
        && board.takers(cand).iter().filter_map(|no| board.slots.get(*no)).all(|slot| !takes(scene, slot, &cand.value))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::engine::understand::testing::Stage;

    const VISIT: &str = r#"
id = "visit"
title = "Visit"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "day"
kind = "date"
label = "Day"

[[field]]
id = "time"
kind = "time"
label = "Time"

[[field]]
id = "note"
kind = "text"
label = "Note"
"#;

    #[rstest]
    #[case("en", "straight after Christmas", "")]
    #[case("en", "some time before the 5th", "")]
    #[case("en", "once, before we move out on 30 November", "")]
    #[case("en", "from the 5th", "day=2026-12-05")]
    #[case("en", "the day after Christmas", "day=2026-12-26")]
    #[case("es", "después de Navidad", "")]
    #[case("de", "nach Weihnachten", "")]
    fn a_day_that_bounds_another_is_none(#[case] lang: &'static str, #[case] said: &str, #[case] expected: &str) {
        assert_eq!(Stage::new(VISIT, "day").speaking(lang).fills(said), expected, "{said}");
    }

    #[rstest]
    #[case("en", "they came an hour later", "")]
    #[case("fr", "ils sont venus une heure plus tard", "")]
    #[case("en", "I'll be there at 3 pm later today", "time=15:00; day=2026-11-21")]
    fn so_long_after_another_time_is_none(#[case] lang: &'static str, #[case] said: &str, #[case] expected: &str) {
        assert_eq!(Stage::new(VISIT, "").speaking(lang).fills(said), expected, "{said}");
    }

    const GOAL: &str = r#"
id = "goal"
title = "Gym"

[[field]]
id = "weight"
kind = "number"
label = "Weight in kg"
min = 30
max = 250

[[field]]
id = "height"
kind = "integer"
label = "Height in cm"
min = 100
max = 230

[[field]]
id = "goal"
kind = "text"
label = "Goal"
"#;

    #[rstest]
    #[case("get fit for a 10 km run", "goal=get fit for a 10 km run")]
    #[case("lose 5 kg for the wedding", "goal=lose 5 kg for the wedding")]
    fn a_number_that_no_field_takes_stays_in_the_words_asked_for(#[case] said: &str, #[case] expected: &str) {
        assert_eq!(Stage::new(GOAL, "goal").fills(said), expected, "{said}");
    }
}
