//! The end of two is not before their start. Where one of them stands, the other one on its wrong side is refused, and the person
//! is told from when or until when it may be; where both were said, neither is taken. What the form itself checks is left to it.

use jiff::civil::Time;

use super::Scene;
use super::ledger::{Filled, Ledger, shown};
use super::near;
use super::reader::Reader;
use super::spans::{Board, Slot};
use formwright_form::cues::Role;
use formwright_form::kind::Refusal;
use formwright_form::{Kind, Value};

/// First hour at which may begin what ends on the next day.
const EVENING: i8 = 17;
/// First hour at which a night is over.
const MORNING: i8 = 6;

/// What to do about two that are the wrong way round.
enum Wrong {
    /// The other one stands: this one is refused.
    Refuse(Refusal),
    /// Both were said: this one and the other one are left out.
    LeaveOut(usize),
}

/// Takes out what is on the wrong side of the other one of two.
pub(super) fn keep(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) {
    turn_to_the_later_half(reader, board, ledger);
    let mut no = 0;
    while let Some(filled) = ledger.fills.get(no) {
        match wrong(scene, board, ledger, filled) {
            None => no += 1,
            Some(Wrong::Refuse(why)) => {
                let filled = ledger.fills.remove(no);
                ledger.refused.push((filled.slot, filled.raw, why));
            }
            Some(Wrong::LeaveOut(other)) => {
                let one = filled.slot;
                let of_pair = |filled: &Filled| filled.slot == one || filled.slot == other;
                let (gone, kept) = std::mem::take(&mut ledger.fills).into_iter().partition(of_pair);
                ledger.fills = kept;
                let gone: Vec<Filled> = gone;
                for filled in gone {
                    ledger.claimed.get_mut(filled.words).into_iter().for_each(|claimed| claimed.fill(false));
                }
                no = 0;
            }
        }
    }
}

/// Of an end that may be of either half of the day, the one behind the start: "it starts at 7 pm and ends by 11".
fn turn_to_the_later_half(reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) {
    for no in 0..ledger.fills.len() {
        let Some(filled) = ledger.fills.get(no) else { return };
        let ends = board.slots.get(filled.slot).is_some_and(|slot| slot.role == Some(Role::Second));
        let Some((other_no, other)) = near::other_slot(board, filled.slot).filter(|_| ends) else { continue };
        let said = ledger.fills.iter().find(|filled| filled.slot == other_no).map(|filled| &filled.value);
        let (Some(Value::Time(start)), Value::Time(end)) = (said.or(other.value), &filled.value) else { continue };
        let behind = |value: &Value| matches!(value, Value::Time(time) if time > start);
        let same = board.cands.iter().find(|cand| cand.words == filled.words && behind(&cand.value));
        let said = same.map(|cand| cand.value.clone());
        let bare = filled.words.clone().all(|no| reader.is_digits(no)) && end.hour() < 12;
        let later = || Time::new(end.hour() + 12, end.minute(), 0, 0).ok().filter(|time| bare && time > start);
        if let (true, Some(later)) = (end < start, said.or_else(|| later().map(Value::Time)))
            && let Some(filled) = ledger.fills.get_mut(no)
        {
            filled.value = later;
        }
    }
}

fn wrong(scene: &Scene<'_>, board: &Board<'_>, ledger: &Ledger, filled: &Filled) -> Option<Wrong> {
    let slot = board.slots.get(filled.slot).filter(|_| filled.shift == 0)?;
    let (other_no, other) = near::other_slot(board, filled.slot)?;
    if !slot.field.checks.is_empty() || !other.field.checks.is_empty() || !follow_each_other(board, slot) {
        return None;
    }
    let said = ledger.fills.iter().find(|filled| filled.slot == other_no).map(|filled| &filled.value);
    let held = said.or(other.value)?;
    let ends = slot.role == Some(Role::Second);
    let (start, end) = if ends { (held, &filled.value) } else { (&filled.value, held) };
    if !is_before(end, start) {
        return None;
    }
    if said.is_some() {
        return Some(Wrong::LeaveOut(other_no));
    }
    let (code, bound, fact) = match (&filled.value, ends) {
        (Value::Time(_), true) => ("time_too_early", "min", "time"),
        (Value::Time(_), false) => ("time_too_late", "max", "time"),
        (_, true) => ("date_too_early", "min", "date"),
        (_, false) => ("date_too_late", "max", "date"),
    };
    let why = Refusal::new(code).fact(bound, shown(scene, other, held));
    Some(Wrong::Refuse(why.fact(fact, shown(scene, slot, &filled.value))))
}

/// Whether two of a kind follow each other: days do, times do on the same day.
fn follow_each_other(board: &Board<'_>, slot: &Slot<'_>) -> bool {
    let day = |slot: &&Slot<'_>| matches!(slot.field.kind, Kind::Date(_) | Kind::Datetime(_));
    let range = |slot: &Slot<'_>| matches!(slot.field.kind, Kind::DateRange(_));
    !matches!(slot.field.kind, Kind::Time(_))
        || board.slots.iter().filter(day).count() < 2 && !board.slots.iter().any(range)
}

/// Whether an end is before its start. What begins in the evening or ends in the night may end on the next day.
fn is_before(end: &Value, start: &Value) -> bool {
    if let (Value::Time(end), Value::Time(start)) = (end, start) {
        return end < start && start.hour() < EVENING && end.hour() >= MORNING;
    }
    near::moment(end).zip(near::moment(start)).is_some_and(|(end, start)| end < start)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::Stage;

    const STAY: &str = r#"
id = "stay"
title = "Hotel"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "first"
kind = "date"
label = { en = "First day", it = "Primo giorno", es = "Primer día", de = "Erster Tag", fr = "Premier jour", ar = "أول يوم" }

[[field]]
id = "last"
kind = "date"
label = { en = "Last day", it = "Ultimo giorno", es = "Último día", de = "Letzter Tag", fr = "Dernier jour", ar = "آخر يوم" }

[[field]]
id = "people"
kind = "integer"
label = { en = "People", it = "Persone", es = "Personas", de = "Personen", fr = "Personnes", ar = "الأشخاص" }
"#;

    const SHIFT: &str = r#"
id = "shift"
title = "Shift"

[[field]]
id = "begins"
kind = "time"
label = "From"

[[field]]
id = "ends"
kind = "time"
label = "Until"
"#;

    #[rstest]
    #[case("from 9 December, back on 3 December", "")]
    #[case("check out on 3 December, check in on 9 December", "")]
    #[case("we arrive on Tuesday and leave on Monday", "first=2026-11-24; last=2026-11-30")]
    #[case("we arrive on Tuesday and leave on Thursday", "first=2026-11-24; last=2026-11-26")]
    #[case("from the 20th to the 12th of July", "~=first=2026-12-20")]
    #[case("from 28 to 3 June", "")]
    #[case("from 12 June to 10 June", "")]
    #[case("from the 3rd to the 12th of July", "first=2027-07-03; last=2027-07-12")]
    #[case("from 28 December, back on 3 January", "first=2026-12-28; last=2027-01-03")]
    fn nobody_leaves_before_they_arrive(#[case] said: &str, #[case] expected: &str) {
        assert_eq!(Stage::new(STAY, "").fills(said), expected, "{said}");
    }

    #[rstest]
    #[case("en", "last", "first=2027-05-17", "10 May", "!last date_too_early \"10 May\"")]
    #[case("en", "last", "first=2027-05-17", "17 May", "last=2027-05-17")]
    #[case("en", "first", "last=2027-05-17", "20 May", "!first date_too_late \"20 May\"")]
    #[case("it", "first", "last=2027-05-17", "20 maggio", "!first date_too_late \"20 maggio\"")]
    #[case("es", "last", "first=2027-05-17", "el 10 de mayo", "!last date_too_early \"el 10 de mayo\"")]
    #[case("de", "last", "first=2027-05-17", "10. Mai", "!last date_too_early \"10. Mai\"")]
    #[case("fr", "first", "last=2027-05-17", "20 mai", "!first date_too_late \"20 mai\"")]
    #[case("ar", "last", "first=2027-05-17", "10 مايو", "!last date_too_early \"10 مايو\"")]
    #[case(
        "en",
        "people",
        "first=2027-05-14; last=2027-05-17",
        "the first day is 20 May",
        "!first date_too_late \"20 May\""
    )]
    fn a_day_on_the_wrong_side_of_the_one_that_stands_is_refused(
        #[case] lang: &'static str,
        #[case] asked: &str,
        #[case] having: &str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        let line = Stage::new(STAY, asked).speaking(lang).having(having).fills(said);
        assert_eq!(line, expected, "{said}");
    }

    #[rstest]
    #[case("ends", "begins=09:00", "8am", "!ends time_too_early \"8am\"")]
    #[case("ends", "begins=09:00", "5pm", "ends=17:00")]
    #[case("ends", "begins=19:00", "by 11", "ends=23:00")]
    #[case("ends", "begins=19:00", "11", "ends=23:00")]
    #[case("ends", "begins=22:00", "6am", "ends=06:00")]
    #[case("ends", "begins=14:00", "2am", "ends=02:00")]
    #[case("begins", "ends=17:00", "6pm", "begins=18:00")]
    #[case("begins", "ends=12:00", "2pm", "!begins time_too_late \"2pm\"")]
    fn a_time_on_the_wrong_side_is_refused_where_no_night_lies_between(
        #[case] asked: &str,
        #[case] having: &str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        assert_eq!(Stage::new(SHIFT, asked).having(having).fills(said), expected, "{said}");
    }
}
