//! The two halves of a day: "at 9" where no day is known is the next nine o'clock.

use jiff::SignedDuration;
use jiff::civil::Time;

use super::Scene;
use super::spans::{Board, Cand, Slot};
use crate::form::kind::Strength;
use crate::form::{Kind, Value};

const HALF_A_DAY: SignedDuration = SignedDuration::from_hours(12);
/// First hour that is likelier one of the morning.
const MORNING: i8 = 7;

/// Keeps the next of two times that are half a day apart. Where another day is known, both remain: the person is asked.
pub(super) fn keep_next<T>(scene: &Scene<'_>, board: &Board<'_>, times: &mut Vec<T>, value: impl Fn(&T) -> &Value) {
    let [one, two] = times.as_slice() else { return };
    let (Value::Time(one), Value::Time(two)) = (value(one), value(two)) else { return };
    let (early, late, now) = (*one.min(two), *one.max(two), scene.now.time());
    let next = if early > now || late <= now { early } else { late };
    let gone = next == late && may_be_of_the_morning(board, early);
    if late.duration_since(early) == HALF_A_DAY && !gone && !tells_another_day(scene, board) {
        times.retain(|one| *value(one) == Value::Time(next));
    }
}

/// Whether a time that has gone by today may be one of the morning of a day that is still to be asked for. A company meets
/// at any hour; a single person's appointments and deliveries are as likely in the morning.
fn may_be_of_the_morning(board: &Board<'_>, early: Time) -> bool {
    let day = |slot: &Slot<'_>| matches!(slot.field.kind, Kind::Date(_) | Kind::DateRange(_)) && slot.value.is_none();
    early.hour() >= MORNING && board.slots.iter().any(day) && !board.slots.iter().any(|slot| slot.people)
}

/// Whether a day other than today is known or said.
fn tells_another_day(scene: &Scene<'_>, board: &Board<'_>) -> bool {
    let today = scene.now.date();
    let another = |value: &Value| match value {
        Value::Date(day) => *day != today,
        Value::DateTime(moment) => moment.date() != today,
        Value::DateRange { start, end } => *start != today || *end != today,
        _ => false,
    };
    // "For 12 of us at 6:45" tells no twelfth.
    let meant = |cand: &&Cand| !cand.negated && !cand.old && cand.strength > Strength::Weak;
    let said = board.cands.iter().filter(meant).any(|cand| another(&cand.value));
    said || scene.draft.answers.values().any(|answer| another(&answer.value))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::engine::understand::testing::Stage;

    const TABLE: &str = r#"
id = "table"
title = "Table"

[[field]]
id = "day"
kind = "date"
label = "Day"

[[field]]
id = "time"
kind = "time"
label = "Time"

[[field]]
id = "people"
kind = "integer"
label = "People"
"#;

    #[rstest]
    #[case("", "9", "time=21:00")]
    #[case("", "11", "time=11:00")]
    #[case("", "there are 12 of us, at 6:45", "people=12; time=18:45")]
    #[case("day=2026-11-21", "at 9", "time=21:00")]
    fn a_time_with_no_day_is_the_next_one(#[case] having: &str, #[case] said: &str, #[case] expected: &str) {
        assert_eq!(Stage::new(TABLE, "time").having(having).line(said), expected);
    }

    #[rstest]
    #[case("9", "?(time=09:00 | time=21:00)")]
    #[case("9:30", "?(time=09:30 | time=21:30)")]
    #[case("at 9", "?(time=09:00 | time=21:00)")]
    #[case("11", "time=11:00")]
    #[case("5:30", "time=17:30")]
    fn a_morning_gone_by_is_not_left_out_where_the_day_is_open(#[case] said: &str, #[case] expected: &str) {
        let form = TABLE.replace("people", "note").replace("People", "Note").replace("integer", "text");
        assert_eq!(Stage::new(&form, "time").fills(said), expected, "{said}");
    }

    #[rstest]
    #[case("day=2026-11-25", "9")]
    #[case("", "at 9 tomorrow")]
    fn on_another_day_the_half_is_asked(#[case] having: &str, #[case] said: &str) {
        let understood = Stage::new(TABLE, "time").having(having).hear(said);
        assert_eq!(understood.unsure.len(), 1, "{understood:?}");
    }
}
