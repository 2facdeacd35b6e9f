//! How days, times and lengths of time are shown to a person.

use formwright_lexicon::Language;
use formwright_lexicon::dates::Unit;
use jiff::civil::{Date, Time};

use super::day::numeric;
use crate::reading::Context;

/// Regions that show times on a 12-hour clock.
const CLOCK12: [&str; 8] = ["US", "CA", "AU", "NZ", "PH", "IN", "PK", "EG"];

/// "Friday 20 November 2026".
pub fn date(date: Date, cx: &Context<'_>) -> String {
    let words = &cx.lang.date;
    let month_first = words.show.date_month_first.as_deref().filter(|_| numeric::month_first(cx.region));
    let index = |no: i8| usize::try_from(no - 1).unwrap_or(0);
    let weekday = words.weekdays.get(index(date.weekday().to_monday_one_offset()));
    let (Some(weekday), Some(month)) = (weekday, words.months.get(index(date.month()))) else {
        return date.to_string();
    };
    let day = match (&words.show.first, date.day()) {
        (Some(first), 1) => first.clone(),
        (_, day) => day.to_string(),
    };
    let pattern = month_first.unwrap_or(&words.show.date);
    let year = format!("{:04}", date.year());
    let texts = [("{weekday}", weekday.as_str()), ("{day}", &day), ("{month}", month), ("{year}", &year)];
    texts.into_iter().fold(pattern.to_owned(), |text, (name, value)| text.replace(name, value))
}

/// "17:30", or "5:30 pm" in regions with a 12-hour clock. Seconds only where there are any.
pub fn time(time: Time, cx: &Context<'_>) -> String {
    let show = &cx.lang.date.show;
    let twelve = !show.am.is_empty()
        && cx.region.is_some_and(|region| CLOCK12.iter().any(|other| other.eq_ignore_ascii_case(region)));
    let seconds = if time.second() == 0 { String::new() } else { format!(":{:02}", time.second()) };
    if !twelve {
        return format!("{:02}:{:02}{seconds}", time.hour(), time.minute());
    }
    let (hour, half) = match time.hour() {
        0 => (12, &show.am),
        hour @ 1..12 => (hour, &show.am),
        12 => (12, &show.pm),
        hour => (hour - 12, &show.pm),
    };
    format!("{hour}:{:02}{seconds} {half}", time.minute())
}

/// "Friday 20 November 2026 at 17:30".
pub fn moment(moment: jiff::civil::DateTime, cx: &Context<'_>) -> String {
    let at = &cx.lang.date.show.at;
    let space = if at.is_empty() { "" } else { " " };
    format!("{}{space}{at} {}", date(moment.date(), cx), time(moment.time(), cx))
}

/// "Monday 3 May 2027 to Friday 7 May 2027".
pub fn range(start: Date, end: Date, cx: &Context<'_>) -> String {
    if start == end {
        return date(start, cx);
    }
    format!("{} {} {}", date(start, cx), cx.lang.date.show.to, date(end, cx))
}

/// "2 hours 30 minutes". Weeks where they come out even.
pub fn duration(seconds: i64, cx: &Context<'_>) -> String {
    let sign = if seconds < 0 { "-" } else { "" };
    let total = seconds.unsigned_abs();
    let weeks = total.is_multiple_of(604_800) && total > 0;
    let parts = [
        (Unit::Week, if weeks { total / 604_800 } else { 0 }),
        (Unit::Day, if weeks { 0 } else { total / 86_400 }),
        (Unit::Hour, total / 3600 % 24),
        (Unit::Minute, total / 60 % 60),
        (Unit::Second, total % 60),
    ];
    let mut shown: Vec<String> =
        parts.into_iter().filter(|(_, n)| *n > 0).map(|(unit, n)| counted(n, unit, cx.lang)).collect();
    if shown.is_empty() {
        shown.push(counted(0, Unit::Minute, cx.lang));
    }
    format!("{sign}{}", shown.join(" "))
}

/// "3 days".
fn counted(n: u64, unit: Unit, lang: &Language) -> String {
    let Some(forms) = lang.date.show.units.get(&unit) else { return format!("{n}") };
    let no = match (n, forms.len()) {
        (1, _) => 0,
        (_, 0..=2) => 1,
        (2, _) => 1,
        (0 | 3..=10, _) => 2,
        _ => 3,
    };
    let form = forms.get(no).or(forms.last()).map_or("", String::as_str);
    match form.strip_prefix('=') {
        Some(whole) => whole.to_owned(),
        None => format!("{n} {form}"),
    }
}
