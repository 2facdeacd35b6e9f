//! The two halves of a day: "dinner at 9" is in the evening, and "at 9" where no day is known is the next nine o'clock.

use jiff::SignedDuration;
use jiff::civil::Time;

use super::Scene;
use super::reader::Reader;
use super::spans::{Board, Cand, Slot};
use formwright_form::kind::Strength;
use formwright_form::{Kind, Value};
use formwright_lexicon::Language;
use formwright_lexicon::dates::{Mark, Part, Term};

const HALF_A_DAY: SignedDuration = SignedDuration::from_hours(12);
/// First hour that is likelier one of the morning.
const MORNING: i8 = 7;
/// Hours at which who is open for business has appointments: half a day away from them are none.
const DAYTIME: std::ops::Range<i8> = 8..18;
/// Hours at which company meets as well.
const EVENING: std::ops::Range<i8> = 17..22;

/// Of two times that are half a day apart keeps the one that is nearer to the time that stands, else the next. Where another
/// day is known, both remain: the person is asked. Of two moments of a day to come the one at which people work remains. A meal
/// or a part of the day that is named decides before all that.
pub(super) fn keep_one<T>(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    slot: &Slot<'_>,
    times: &mut Vec<T>,
    value: impl Fn(&T) -> &Value,
) {
    let [one, two] = times.as_slice() else { return };
    if let Some(part) = clock(value(one)).zip(clock(value(two))).and_then(|_| part_said(reader, board)) {
        let of_part = |one: &T| clock(value(one)).is_some_and(|time| hours(part).contains(&time.hour()));
        if of_part(one) != of_part(two) {
            times.retain(of_part);
            return;
        }
    }
    let company = is_for_company(board);
    match (value(one), value(two)) {
        (Value::Time(one), Value::Time(two)) => {
            let (early, late, now) = (*one.min(two), *one.max(two), scene.now.time());
            if late.duration_since(early) != HALF_A_DAY {
                return;
            }
            let next = if early > now || late <= now { early } else { late };
            let gone = next == late && may_be_of_the_morning(board, early);
            let kept = match slot.value {
                Some(Value::Time(held)) => nearer(early, late, *held),
                _ if tells_another_day(scene, board) => in_working_hours(early, late, company),
                _ => (!gone).then_some(next),
            };
            times.retain(|one| kept.is_none_or(|kept| *value(one) == Value::Time(kept)));
        }
        (Value::DateTime(one), Value::DateTime(two)) if one.date() == two.date() => {
            let (early, late) = (*one.min(two), *one.max(two));
            let apart = late.duration_since(early) == HALF_A_DAY;
            let kept = match slot.value {
                _ if !apart => None,
                Some(Value::DateTime(held)) => nearer(early.time(), late.time(), held.time()),
                _ if early.date() <= scene.now.date() => None,
                _ => in_working_hours(early.time(), late.time(), company),
            };
            times.retain(|one| match (kept, value(one)) {
                (Some(kept), Value::DateTime(moment)) => moment.time() == kept,
                _ => true,
            });
        }
        _ => {}
    }
}

/// The one of two times half a day apart of a day to come at which people work; neither where company may meet then.
fn in_working_hours(early: Time, late: Time, company: bool) -> Option<Time> {
    match () {
        () if company && EVENING.contains(&late.hour()) => None,
        () if DAYTIME.contains(&early.hour()) => Some(early),
        () => DAYTIME.contains(&late.hour()).then_some(late),
    }
}

/// The time of a time or moment.
fn clock(value: &Value) -> Option<Time> {
    match value {
        Value::Time(time) => Some(*time),
        Value::DateTime(moment) => Some(moment.time()),
        _ => None,
    }
}

/// The hours that a part of the day may begin at, or a meal that is eaten in it.
pub(super) fn hours(part: Part) -> std::ops::Range<i8> {
    match part {
        Part::Morning => 5..12,
        Part::Noon => 11..16,
        Part::Afternoon => 12..19,
        Part::Evening | Part::Night => 16..24,
    }
}

/// The only part of the day that a message or the form's title names, by a meal or by itself: "tomorrow night, at 7:30".
pub(super) fn part_said(reader: &Reader<'_>, board: &Board<'_>) -> Option<Part> {
    let count = reader.said.words.len();
    let greets = |no: usize| reader.is_date_mark(no, |mark| mark == Mark::Greeting);
    let greeted = |no: usize| no.checked_sub(1).is_some_and(greets);
    let meal = |no: usize| reader.at(|lang| &lang.date.meals, no, count).map(|(_, part)| *part);
    let part = |no: usize| reader.langs().find_map(|lang| part_at(reader, lang, no)).filter(|_| !greeted(no));
    let mut said = (0..count).filter_map(|no| meal(no).or_else(|| part(no)));
    match said.next() {
        Some(first) => said.all(|other| hours(other) == hours(first)).then_some(first),
        None => reader.langs().find_map(|lang| board.title.iter().find_map(|word| lang.date.meals.word(word)).copied()),
    }
}

/// The part of a day to come that a word begins to name. A morning of today tells nothing of the time: "this morning I called".
fn part_at(reader: &Reader<'_>, lang: &Language, no: usize) -> Option<Part> {
    let said = |rest: &[Box<str>]| (no + 1..).zip(rest).all(|(no, word)| reader.said.plain(no) == word.as_ref());
    let phrase = lang.date.beginning_at(reader.said, no).iter().find(|phrase| said(&phrase.rest))?;
    match phrase.term {
        Term::Part(part) => Some(part),
        Term::DayPart(0.., part) => Some(part).filter(|part| *part > Part::Morning),
        _ => None,
    }
}

/// The one of two times half a day apart that is nearer to the one that stands; neither where that one is said again, for
/// something is to be changed.
fn nearer(early: Time, late: Time, to: Time) -> Option<Time> {
    let far = |time: Time| time.duration_since(to).abs();
    let nearer = if far(early) < far(late) { early } else { late };
    (nearer != to).then_some(nearer)
}

/// Whether a time that has gone by today may be one of the morning of a day that is still to be asked for. A company meets
/// at any hour; a single person's appointments and deliveries are as likely in the morning.
fn may_be_of_the_morning(board: &Board<'_>, early: Time) -> bool {
    let day = |slot: &Slot<'_>| matches!(slot.field.kind, Kind::Date(_) | Kind::DateRange(_)) && slot.value.is_none();
    early.hour() >= MORNING && board.slots.iter().any(day) && !is_for_company(board)
}

/// Whether a field counts people; the name of a person to call counts nobody.
fn is_for_company(board: &Board<'_>) -> bool {
    board.slots.iter().any(|slot| slot.people && !slot.is_free())
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

    use crate::testing::Stage;

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
        let form = form.replace("Note", "Contact person");
        assert_eq!(Stage::new(&form, "time").fills(said), expected, "{said}");
    }

    #[rstest]
    #[case("day=2026-11-25", "9")]
    #[case("", "at 9 tomorrow")]
    fn on_another_day_the_half_is_asked(#[case] having: &str, #[case] said: &str) {
        let understood = Stage::new(TABLE, "time").having(having).hear(said);
        assert_eq!(understood.unsure.len(), 1, "{understood:?}");
    }

    const MEAL: &str = r#"
id = "meal"
title = "Meal"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "day"
kind = "date"
label = { en = "Day", it = "Giorno", es = "Día", de = "Tag", fr = "Jour", ar = "اليوم" }

[[field]]
id = "time"
kind = "time"
label = { en = "Time", it = "Ora", es = "Hora", de = "Uhrzeit", fr = "Heure", ar = "الوقت" }

[[field]]
id = "people"
kind = "integer"
label = { en = "People", it = "Persone", es = "Personas", de = "Personen", fr = "Personnes", ar = "الأشخاص" }
"#;

    #[rstest]
    #[case("en", "dinner for 4 on 5 December at 8", "time=20:00")]
    #[case("en", "lunch on 5 December at 1 for three", "time=13:00")]
    #[case("en", "breakfast on 5 December at 9 for 4", "time=09:00")]
    #[case("en", "tomorrow night, 4 people, at 7:30", "time=19:30")]
    #[case("it", "cena per 4 il 5 dicembre alle 8", "time=20:00")]
    #[case("es", "cena para 4 el 5 de diciembre a las 9", "time=21:00")]
    #[case("de", "Abendessen für 4 am 5. Dezember um 8", "time=20:00")]
    #[case("fr", "dîner pour 4 le 5 décembre à 8 heures", "time=20:00")]
    #[case("ar", "عشاء لـ 4 أشخاص يوم 5 ديسمبر الساعة 8", "time=20:00")]
    #[case("en", "good evening, a table on 5 December at 8", "?(time=08:00 | time=20:00)")]
    #[case("en", "lunch or dinner on 5 December at 8", "?(time=08:00 | time=20:00)")]
    fn the_meal_or_part_of_the_day_says_which_half_is_meant(
        #[case] lang: &'static str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        let line = Stage::new(MEAL, "").speaking(lang).fills(said);
        assert_eq!(line.split("; ").find(|part| part.contains("time")), Some(expected), "{said}: {line}");
    }

    #[rstest]
    #[case("en", "people", "my phone is at 5%")]
    #[case("en", "people", "we live at 8 Elm Street")]
    #[case("it", "people", "sono libero dopo le 5")]
    fn a_number_that_is_no_hour_is_none(#[case] lang: &'static str, #[case] asked: &str, #[case] said: &str) {
        let line = Stage::new(MEAL, asked).speaking(lang).fills(said);
        assert!(!line.contains("time"), "{said}: {line}");
    }

    const VISIT: &str = r#"
id = "visit"
title = "Visit"
languages = ["en", "it", "es", "de", "fr"]

[[field]]
id = "at"
kind = "datetime"
label = "Appointment"
"#;

    #[rstest]
    #[case("en", "25th at 10", "at=2026-11-25T10:00")]
    #[case("en", "on the 25th at ten to four", "at=2026-11-25T15:50")]
    #[case("en", "tomorrow at 9", "at=2026-11-22T09:00")]
    #[case("it", "martedì alle 3 e un quarto", "at=2026-11-24T15:15")]
    #[case("es", "mañana a las 9", "at=2026-11-22T09:00")]
    #[case("de", "Dienstag um halb vier", "at=2026-11-24T15:30")]
    #[case("de", "übermorgen mittags", "at=2026-11-23T12:00")]
    #[case("fr", "mardi à 10 heures", "at=2026-11-24T10:00")]
    #[case("en", "tomorrow at 7", "?(at=2026-11-22T07:00 | at=2026-11-22T19:00)")]
    #[case("en", "tomorrow at 9 pm", "at=2026-11-22T21:00")]
    fn an_appointment_is_at_an_hour_of_business(
        #[case] lang: &'static str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        assert_eq!(Stage::new(VISIT, "at").speaking(lang).fills(said), expected, "{said}");
    }

    #[rstest]
    #[case("at 10", "at=2026-11-25T10:00")]
    #[case("10 not 9", "at=2026-11-25T10:00")]
    #[case("change it to 9", "?(at=2026-11-25T09:00 | at=2026-11-25T21:00)")]
    fn a_time_put_right_stays_in_its_half_of_the_day(#[case] said: &str, #[case] expected: &str) {
        let stage = Stage::new(VISIT, "review").having("at=2026-11-25T09:00");
        assert_eq!(stage.fills(said), expected, "{said}");
    }

    #[test]
    fn company_may_meet_in_the_evening() {
        let form = format!("{VISIT}\n[[field]]\nid = \"people\"\nkind = \"integer\"\nlabel = \"People\"\n");
        let understood = Stage::new(&form, "at").hear("tomorrow at 9");
        assert_eq!(understood.unsure.len() + understood.rough.len(), 1, "{understood:?}");
    }
}
