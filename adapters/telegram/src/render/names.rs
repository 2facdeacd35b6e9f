//! Names of months and weekdays in the six languages, as a calendar shows them.

use formwright_chat::words::primary;

const LANGUAGES: [&str; 6] = ["en", "it", "es", "de", "fr", "ar"];

#[rustfmt::skip]
const MONTHS: [[&str; 12]; 6] = [
    ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"],
    ["gennaio", "febbraio", "marzo", "aprile", "maggio", "giugno", "luglio", "agosto", "settembre", "ottobre", "novembre", "dicembre"],
    ["enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre"],
    ["Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November", "Dezember"],
    ["janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre", "décembre"],
    ["يناير", "فبراير", "مارس", "أبريل", "مايو", "يونيو", "يوليو", "أغسطس", "سبتمبر", "أكتوبر", "نوفمبر", "ديسمبر"],
];

/// From Monday.
#[rustfmt::skip]
const DAYS: [[&str; 7]; 6] = [
    ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"],
    ["lu", "ma", "me", "gi", "ve", "sa", "do"],
    ["lu", "ma", "mi", "ju", "vi", "sá", "do"],
    ["Mo", "Di", "Mi", "Do", "Fr", "Sa", "So"],
    ["lu", "ma", "me", "je", "ve", "sa", "di"],
    ["اثنين", "ثلاثاء", "أربعاء", "خميس", "جمعة", "سبت", "أحد"],
];

fn column(lang: &str) -> usize {
    LANGUAGES.iter().position(|known| known.eq_ignore_ascii_case(primary(lang))).unwrap_or(0)
}

/// A month's name; `month` counts from 1.
pub(crate) fn month(lang: &str, month: i8) -> &'static str {
    let at = usize::try_from(month).unwrap_or(1).clamp(1, 12) - 1;
    MONTHS[column(lang)][at]
}

/// The heads of a calendar's columns, and which weekday stands first, counted from Monday.
pub(crate) fn week(lang: &str) -> (usize, [&'static str; 7]) {
    let sunday_first = ["en-us", "ar"].iter().any(|tag| lang.to_ascii_lowercase().replace('_', "-").starts_with(tag));
    let first = if sunday_first { 6 } else { 0 };
    let days = DAYS[column(lang)];
    (first, std::array::from_fn(|at| days[(at + first) % 7]))
}

/// A day in words: `24 December 2026`.
pub(crate) fn day(lang: &str, day: jiff::civil::Date) -> String {
    let dot = if column(lang) == 3 { "." } else { "" };
    format!("{}{dot} {} {}", day.day(), month(lang, day.month()), day.year())
}
