//! Days and times by what stands beside them: a time right beside a day is of the same end of two ("return it on Sunday at
//! 6pm" tells the end time, whatever else is open), and an answer in front goes before what is told behind it ("8:15, and I'd
//! fetch her at 3").

use std::ops::Range;

use super::either;
use super::ledger::{Filled, Ledger};
use super::near::other_slot;
use super::prepare::corrects;
use super::reader::Reader;
use super::score::is_number;
use super::spans::{Board, Cand};
use formwright_form::Value;
use formwright_form::cues::Role;
use formwright_form::kind::{Strength, overlap};
use formwright_lexicon::{Language, Phrases};

/// Moves the times that were given to the other end than the day beside them.
pub(super) fn follow_days(reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) {
    let moves: Vec<(usize, usize)> =
        (0..ledger.fills.len()).filter_map(|no| moved(reader, board, ledger, no)).collect();
    let free = |to: usize| {
        ledger
            .fills
            .iter()
            .enumerate()
            .all(|(no, filled)| filled.slot != to || moves.iter().any(|(from, _)| *from == no))
    };
    if !moves.iter().all(|(_, to)| free(*to)) {
        return;
    }
    for (no, to) in moves {
        if let Some(filled) = ledger.fills.get_mut(no) {
            filled.slot = to;
        }
    }
}

/// The number of a filled time and the field that it is for, where the day beside it is of that one's end.
fn moved(reader: &Reader<'_>, board: &Board<'_>, ledger: &Ledger, no: usize) -> Option<(usize, usize)> {
    let time = ledger.fills.get(no).filter(|filled| matches!(filled.value, Value::Time(_)))?;
    let role = |filled: &Filled| -> Option<Role> { board.slots.get(filled.slot)?.role };
    let (other, of) = other_slot(board, time.slot)?;
    let days = ledger.fills.iter().filter(|filled| matches!(filled.value, Value::Date(_)));
    let day = days.filter(|day| is_beside(reader, &day.words, &time.words)).find_map(role)?;
    (Some(day) != role(time) && of.role == Some(day)).then_some((no, other))
}

/// Whether nothing but small words stands between two values: "Sunday at 6pm", "6pm on Sunday".
fn is_beside(reader: &Reader<'_>, one: &Range<usize>, two: &Range<usize>) -> bool {
    let between = one.end.min(two.end)..one.start.max(two.start);
    let joins = |no: usize| reader.len(|lang| &lang.sentence.join, no, between.end) > 0;
    between.len() <= 3 && between.clone().all(|no| reader.is_idle(no) && !reader.is_mark(no) && !joins(no))
}

/// Whether an asked day, time or number is all that the first part of a message says, and another part tells more: "8:15, and
/// I'd fetch her at 3", "12, 3 of whom are children". "Saturday, maybe Sunday" leaves it open, and so does "12, 13".
pub(super) fn stands_in_front(reader: &Reader<'_>, board: &Board<'_>, slot: usize, cand: &Cand) -> bool {
    let Some(first) = reader.clauses.first().filter(|first| cand.words.end <= first.words.end) else { return false };
    let end = reader.said.words.len();
    let len = |table: fn(&Language) -> &Phrases<()>, no: usize| reader.len(table, no, end);
    let some = |no: usize| len(|lang| &lang.naming.of_them, no) > 0;
    // "Three should be enough, with 2 baths."
    let pleases = reader.len(|lang| &lang.naming.pleases, cand.words.end, first.words.end);
    let alone = |no: usize| (cand.words.start..cand.words.end + pleases).contains(&no) || reader.is_idle(no);
    let second = reader.clauses.get(1).map_or(0..0, |clause| clause.words.clone());
    let ends = first.words.clone().all(alone) && !second.is_empty() && !corrects(reader, second);
    let moment = matches!(cand.value, Value::Date(_) | Value::Time(_) | Value::DateTime(_));
    let later = |other: &&Cand| other.words.start >= cand.words.end && board.takers(other).contains(&slot);
    let number = || board.slots.get(slot).is_some_and(|slot| is_number(&slot.field.kind));
    let counts = || number() && board.cands.iter().filter(later).all(|other| either::counts_else(reader, &other.words));
    let before = || (first.words.start..cand.words.end).all(alone);
    (ends && (moment || counts()) || before() && some(cand.words.end) && counts())
        && board.alternatives(reader, slot, &cand.words).is_empty()
}

/// Whether a time is but the beginning of a day: "from 3" of "from 3 June".
pub(super) fn begins_a_day(board: &Board<'_>, time: &Cand) -> bool {
    let day = |other: &Cand| {
        let goes_on = overlap(&other.words, &time.words) && other.words.end > time.words.end;
        goes_on && other.strength > Strength::Weak && matches!(other.value, Value::Date(_))
    };
    matches!(time.value, Value::Time(_)) && board.cands.iter().any(day)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::{Stage, sorted};

    const VAN: &str = r#"
id = "van"
title = "Van"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "from_day"
kind = "date"
label = "Start date"

[[field]]
id = "from_hour"
kind = "time"
label = "Start time"

[[field]]
id = "to_day"
kind = "date"
label = "End date"

[[field]]
id = "to_hour"
kind = "time"
label = "End time"
"#;

    const BOTH: &str = "from_day=2026-11-27; from_hour=09:00; to_day=2026-11-29; to_hour=18:00";

    #[rstest]
    #[case("en", "", "pick it up on Friday at 9am and return it on Sunday at 6pm", BOTH)]
    #[case("en", "", "return it on Sunday at 6pm and pick it up on Friday at 9am", BOTH)]
    #[case("en", "", "I'll bring it back on Sunday at 6pm", "to_day=2026-11-22; to_hour=18:00")]
    #[case("en", "to_day", "Sunday 6pm", "to_day=2026-11-22; to_hour=18:00")]
    #[case("it", "to_day", "domenica alle 18", "to_day=2026-11-22; to_hour=18:00")]
    #[case("es", "to_day", "el domingo a las 18:00", "to_day=2026-11-22; to_hour=18:00")]
    #[case("de", "to_day", "Sonntag um 18 Uhr", "to_day=2026-11-22; to_hour=18:00")]
    #[case("fr", "to_day", "dimanche à 18h", "to_day=2026-11-22; to_hour=18:00")]
    fn a_time_beside_a_day_is_of_the_same_end(
        #[case] lang: &'static str,
        #[case] asked: &str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        let line = Stage::new(VAN, asked).speaking(lang).means(said);
        assert_eq!(sorted(&line).join("; "), expected, "{said}");
    }

    const CLASS: &str = r#"
id = "class"
title = "Class"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "day"
kind = "date"
label = "Day"

[[field]]
id = "hour"
kind = "time"
label = "Time"
"#;

    #[rstest]
    #[case("en", "8:15 am, and I'd fetch her at 3", "hour=08:15")]
    #[case("en", "8:15, and I'd fetch her at 3", "hour=08:15")]
    #[case("it", "alle 8:15, e la riprendo alle 15", "hour=08:15")]
    #[case("de", "8:15 Uhr, und ich hole sie um 15 Uhr ab", "hour=08:15")]
    #[case("fr", "8h15, et je la reprends à 15h", "hour=08:15")]
    fn the_time_in_front_is_the_answer(#[case] lang: &'static str, #[case] said: &str, #[case] expected: &str) {
        let line = Stage::new(CLASS, "hour").having("day=2026-11-27").speaking(lang).fills(said);
        assert_eq!(line, expected, "{said}");
    }

    #[rstest]
    #[case("en", "from 3 June", "day=2027-06-03")]
    #[case("de", "ab 3. Juni", "day=2027-06-03")]
    #[case("fr", "à partir du 3 juin", "day=2027-06-03")]
    fn a_day_of_the_month_is_no_time(#[case] lang: &'static str, #[case] said: &str, #[case] expected: &str) {
        assert_eq!(Stage::new(CLASS, "").speaking(lang).fills(said), expected, "{said}");
    }

    const PARTY: &str = r#"
id = "party"
title = "Party"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "guests"
kind = "integer"
label = { en = "Guests", it = "Ospiti", es = "Invitados", de = "Gäste", fr = "Invités", ar = "الضيوف" }

[[field]]
id = "paid"
kind = "yes_no"
label = "Vegetarian"
"#;

    #[rstest]
    #[case("en", "12, 3 of whom are children", "guests=12")]
    #[case("en", "about 20, 5 of them kids", "~=guests=20")]
    #[case("en", "12, three can't eat nuts", "guests=12")]
    #[case("de", "12, davon sind 3 krank", "guests=12")]
    #[case("en", "12, no 13", "guests=13")]
    fn the_number_in_front_is_the_answer(#[case] lang: &'static str, #[case] said: &str, #[case] expected: &str) {
        assert_eq!(Stage::new(PARTY, "guests").speaking(lang).fills(said), expected, "{said}");
    }

    #[rstest]
    #[case("en", "12, 13")]
    #[case("en", "12, 13 with the baby")]
    fn of_two_numbers_alike_none_is_taken(#[case] lang: &'static str, #[case] said: &str) {
        let line = Stage::new(PARTY, "guests").speaking(lang).fills(said);
        assert!(!line.starts_with("guests=12"), "{said}: {line}");
    }
}
