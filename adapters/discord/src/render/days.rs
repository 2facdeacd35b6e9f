//! Days and times to pick: what Discord has no widget for, as selects of quick choices. Whatever is not among them is
//! typed.

use chat::words::{Word, primary, say};
use chat::{Hours, Input, Question, Wire};
use formwright_chat as chat;
use jiff::ToSpan as _;
use jiff::civil::{Date, Time};
use serde_json::Value;

use super::kit;
use crate::limits;
use crate::wire_op::Op;

/// Abbreviated days from Monday on, and abbreviated months.
type Names = ([&'static str; 7], [&'static str; 12]);

#[rustfmt::skip]
const NAMES: [(&str, Names); 6] = [
    ("en", (["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"], ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"])),
    ("it", (["lun", "mar", "mer", "gio", "ven", "sab", "dom"], ["gen", "feb", "mar", "apr", "mag", "giu", "lug", "ago", "set", "ott", "nov", "dic"])),
    ("es", (["lun", "mar", "mié", "jue", "vie", "sáb", "dom"], ["ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sep", "oct", "nov", "dic"])),
    ("de", (["Mo", "Di", "Mi", "Do", "Fr", "Sa", "So"], ["Jan.", "Feb.", "März", "Apr.", "Mai", "Juni", "Juli", "Aug.", "Sept.", "Okt.", "Nov.", "Dez."])),
    ("fr", (["lun.", "mar.", "mer.", "jeu.", "ven.", "sam.", "dim."], ["janv.", "févr.", "mars", "avr.", "mai", "juin", "juil.", "août", "sept.", "oct.", "nov.", "déc."])),
    ("ar", (["الاثنين", "الثلاثاء", "الأربعاء", "الخميس", "الجمعة", "السبت", "الأحد"], ["يناير", "فبراير", "مارس", "أبريل", "مايو", "يونيو", "يوليو", "أغسطس", "سبتمبر", "أكتوبر", "نوفمبر", "ديسمبر"])),
];

/// Days that may be picked: bounds as the question gives them, a moment's time ignored.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bounds {
    /// Earliest.
    pub(super) min: Option<Date>,
    /// Latest.
    pub(super) max: Option<Date>,
}

impl Bounds {
    /// Reads `2026-11-24` or `2026-11-24T10:00`.
    pub(super) fn new(min: Option<&str>, max: Option<&str>) -> Self {
        let day = |text: Option<&str>| text.and_then(|text| text.get(..10)).and_then(|text| text.parse().ok());
        Self { min: day(min), max: day(max) }
    }

    /// The days of a page: from today on, from the first day where that is later. Where none is after today, from the
    /// last one back.
    fn page(self, today: Date, page: u16) -> Vec<Date> {
        let per = i64::try_from(limits::SELECT_OPTIONS).unwrap_or(25);
        let first = self.min.map_or(today, |min| min.max(today));
        let last = self.max.filter(|max| *max <= first);
        let start = i64::from(page) * per;
        let days = (start..start + per).filter_map(|no| match last {
            Some(last) => last.checked_sub(no.days()).ok(),
            None => first.checked_add(no.days()).ok(),
        });
        let within = |day: &Date| self.min.is_none_or(|min| *day >= min) && self.max.is_none_or(|max| *day <= max);
        days.take_while(within).collect()
    }

    /// Whether there is a page.
    pub(super) fn has_page(self, today: Date, page: u16) -> bool {
        page <= MAX_PAGE && !self.page(today, page).is_empty()
    }
}

/// Days are paged about two years ahead or back; others are typed.
const MAX_PAGE: u16 = 29;

/// A page of a select of days, `from` a day on. `wire` says what picking one does.
pub(super) fn days(
    question: &Question,
    lang: &str,
    bounds: Bounds,
    (from, page): (Date, u16),
    today: Date,
    wire: impl Fn(Date) -> Wire,
) -> Value {
    let option = |day: Date| kit::option(&wire(day), &day_label(day, today, lang), None, false);
    let options: Vec<Value> = bounds.page(from, page).into_iter().map(option).collect();
    kit::select(&Op::Pick.on(&question.token), say(Word::Choose, lang), options, (1, 1))
}

/// Minutes between the times that are offered.
const STEP: u8 = 5;

/// The times that may be picked; on a day, where one was picked before.
fn allowed(question: &Question, day: Option<&str>) -> Hours {
    match (&question.input, day.and_then(|day| day.parse().ok())) {
        (Input::Time { min, max }, _) => Hours::new(min.as_deref(), max.as_deref()),
        (Input::DateTime { min, max }, Some(day)) => Hours::of_day(day, min.as_deref(), max.as_deref()),
        _ => Hours::default(),
    }
}

/// A select of hours. `day` is set for a moment.
pub(super) fn hours(question: &Question, lang: &str, day: Option<&str>) -> Value {
    let hours = allowed(question, day);
    let option = |hour: i8| {
        let op = day.map_or_else(|| format!("{hour:02}"), |day| format!("{day}T{hour:02}"));
        kit::option(&Op::Hour(op).on(&question.token), &format!("{hour:02}:00 – {hour:02}:59"), None, false)
    };
    // Offices come before nights.
    let options = hours.open(6, STEP).into_iter().map(option).collect();
    kit::select(&Op::Pick.on(&question.token), say(Word::Choose, lang), options, (1, 1))
}

/// A select of minutes in an hour, `14` or `2026-11-24T14`.
pub(super) fn minutes(question: &Question, lang: &str, hour: &str) -> Value {
    let (day, clock) = hour.split_once('T').map_or((None, hour), |(day, clock)| (Some(day), clock));
    let no = clock.parse::<i8>().unwrap_or_default().clamp(0, 23);
    let mut times = allowed(question, day).within(no, STEP);
    if times.is_empty() {
        times = Hours::default().within(no, STEP);
    }
    let option = |time: Time| {
        let label = time.strftime("%H:%M").to_string();
        let value = day.map_or_else(|| label.clone(), |day| format!("{day}T{label}"));
        kit::option(&Op::Value(value).on(&question.token), &label, None, false)
    };
    let options = times.into_iter().map(option).collect();
    kit::select(&Op::Pick.on(&question.token), say(Word::Choose, lang), options, (1, 1))
}

/// `Tue 24 Nov`, with the year where it is not this one.
pub(super) fn day_label(day: Date, today: Date, lang: &str) -> String {
    let named = named(day, lang);
    let named = if day.year() == today.year() { named } else { format!("{named} {}", day.year()) };
    if day == today {
        format!("{} ({named})", say(Word::Today, lang))
    } else if today.tomorrow().ok() == Some(day) {
        format!("{} ({named})", say(Word::Tomorrow, lang))
    } else {
        named
    }
}

/// `Tue 24 Nov`.
fn named(day: Date, lang: &str) -> String {
    let (weekdays, months) = NAMES
        .iter()
        .find(|(known, _)| known.eq_ignore_ascii_case(primary(lang)))
        .map_or(NAMES[0].1, |(_, names)| *names);
    let weekday = usize::try_from(day.weekday().to_monday_zero_offset()).unwrap_or_default();
    let month = usize::try_from(day.month() - 1).unwrap_or_default();
    format!(
        "{} {} {}",
        weekdays.get(weekday).copied().unwrap_or_default(),
        day.day(),
        months.get(month).copied().unwrap_or_default()
    )
}

/// What a widget of days gives, as people write it: `Tue 24 Nov 2026, 14:30` of `2026-11-24T14:30`. None of what no such
/// widget gave.
pub(crate) fn answer(input: &Input, text: &str, lang: &str) -> Option<String> {
    let day = |text: &str| text.parse::<Date>().ok().map(|day| format!("{} {}", named(day, lang), day.year()));
    match input {
        Input::Date { .. } => day(text),
        Input::DateTime { .. } => {
            let (date, time) = text.split_once('T')?;
            Some(format!("{}, {time}", day(date)?))
        }
        Input::DateRange { .. } => {
            let (first, last) = text.split_once('/')?;
            Some(format!("{} – {}", day(first)?, day(last)?))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::open(None, None, 0, Some("2026-11-20"), 25)]
    #[case::next_page(None, None, 1, Some("2026-12-15"), 25)]
    #[case::later(Some("2027-01-05"), None, 0, Some("2027-01-05"), 25)]
    #[case::short(None, Some("2026-11-22T10:00"), 0, Some("2026-11-20"), 3)]
    #[case::past(None, Some("2020-01-31"), 0, Some("2020-01-31"), 25)]
    #[case::further_back(None, Some("2020-01-31"), 1, Some("2020-01-06"), 25)]
    #[case::past_week(Some("2020-01-25"), Some("2020-01-31"), 0, Some("2020-01-31"), 7)]
    #[case::up_to_today(Some("1926-11-20"), Some("2026-11-20"), 0, Some("2026-11-20"), 25)]
    #[case::beyond(None, Some("2026-11-22"), 1, None, 0)]
    #[case::rubbish(Some("soon"), Some("ä"), 0, Some("2026-11-20"), 25)]
    fn days_are_offered_from_today_or_back_from_the_last_one(
        #[case] min: Option<&str>,
        #[case] max: Option<&str>,
        #[case] page: u16,
        #[case] first: Option<&str>,
        #[case] count: usize,
    ) {
        let days = Bounds::new(min, max).page(date(2026, 11, 20), page);
        assert_eq!((days.first().map(ToString::to_string).as_deref(), days.len()), (first, count));
    }

    #[rstest]
    #[case(Input::Date { min: None, max: None }, "2026-11-16", Some("lun 16 nov 2026"))]
    #[case(Input::DateTime { min: None, max: None }, "2026-11-16T09:30", Some("lun 16 nov 2026, 09:30"))]
    #[case(Input::DateRange { min: None, max: None }, "2026-11-16/2026-12-01", Some("lun 16 nov 2026 – mar 1 dic 2026"))]
    #[case(Input::Date { min: None, max: None }, "next Monday", None)]
    #[case(Input::Time { min: None, max: None }, "09:30", None)]
    fn an_answer_is_shown_as_people_write_it(#[case] input: Input, #[case] text: &str, #[case] shown: Option<&str>) {
        assert_eq!(answer(&input, text, "it").as_deref(), shown);
    }

    #[rstest]
    #[case("en", date(2026, 11, 20), "Today (Fri 20 Nov)")]
    #[case("de-AT", date(2026, 11, 21), "Morgen (Sa 21 Nov.)")]
    #[case("ja", date(2027, 1, 1), "Fri 1 Jan 2027")]
    fn a_day_is_named_as_people_name_it(#[case] lang: &str, #[case] day: Date, #[case] label: &str) {
        assert_eq!(day_label(day, date(2026, 11, 20), lang), label);
    }
}
