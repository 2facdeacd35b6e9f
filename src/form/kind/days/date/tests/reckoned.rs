//! Days told by another one, feasts of every calendar, and days of the week beside a date.

use rstest::rstest;

use super::*;

#[rstest]
#[case("en", "the day after Christmas", "=2026-12-26")]
#[case("en", "the day before Easter 2027", "=2027-03-27")]
#[case("en", "the Monday after Christmas", "=2026-12-28")]
#[case("en", "the Friday before 3 May", "=2027-04-30")]
#[case("en", "the first Tuesday after Easter 2027", "=2027-03-30")]
#[case("en", "the last Monday of the year", "=2026-12-28")]
#[case("en", "the first Friday of 2027", "=2027-01-01")]
#[case("en", "Sunday before last", "=2026-11-08")]
#[case("en", "Friday fortnight", "=2026-12-11")]
#[case("it", "lunedì a otto", "=2026-11-30")]
#[case("it", "il ventidue", "~2026-11-22")]
#[case("it", "l'indomani di Natale", "=2026-12-26")]
#[case("es", "de hoy en ocho", "=2026-11-27")]
#[case("de", "vorletzten Sonntag", "=2026-11-08")]
#[case("fr", "demain en huit", "=2026-11-28")]
#[case("fr", "lundi en quinze", "=2026-12-07")]
#[case("fr", "le lendemain de Noël", "=2026-12-26")]
#[case("en", "a week tomorrow", "=2026-11-28")]
#[case("en", "tomorrow week", "=2026-11-28")]
#[case("en", "3 days from today", "=2026-11-23")]
#[case("en", "a year after Christmas", "=2026-12-25")]
#[case("en", "in two years since 2025", "=2027-01-01")]
#[case("en", "Friday in two weeks", "=2026-12-04")]
#[case("en", "two weeks from now on Wednesday", "=2026-12-02")]
#[case("en", "Wednesday, three weeks from now", "=2026-12-09")]
#[case("en", "3 weeks after Christmas on Friday", "=2027-01-15")]
#[case("en", "Monday 3 weeks ago", "=2026-10-26")]
#[case("it", "il lunedì dopo Natale", "=2026-12-28")]
#[case("it", "il giorno prima di Natale", "=2026-12-24")]
#[case("it", "venerdì fra due settimane", "=2026-12-04")]
#[case("es", "el lunes después de Navidad", "=2026-12-28")]
#[case("es", "el viernes dentro de dos semanas", "=2026-12-04")]
#[case("de", "der Montag nach Weihnachten", "=2026-12-28")]
#[case("de", "am Tag vor Heiligabend", "=2026-12-23")]
#[case("de", "Freitag in zwei Wochen", "=2026-12-04")]
#[case("de", "heute in drei Wochen", "=2026-12-11")]
#[case("fr", "le lundi après Noël", "=2026-12-28")]
#[case("fr", "vendredi dans deux semaines", "=2026-12-04")]
#[case("ar", "الجمعة بعد أسبوعين", "=2026-12-04")]
fn days_told_by_another(#[case] locale: &str, #[case] text: &str, #[case] day: &str) {
    assert_eq!(reads(&Date::default(), locale, text), day);
}

#[rstest]
#[case("en", "the closest Monday to December 5th", "=2026-12-07")]
#[case("en", "the second closest Monday to December 5th", "=2026-11-30")]
#[case("en", "the nearest Friday to Christmas", "=2026-12-25")]
#[case("en", "the closest Christmas to today", "=2026-12-25")]
#[case("it", "il lunedì più vicino al 5 dicembre", "=2026-12-07")]
#[case("es", "el lunes más cercano al 5 de diciembre", "=2026-12-07")]
#[case("fr", "le lundi le plus proche du 5 décembre", "=2026-12-07")]
fn the_closest_of_several(#[case] locale: &str, #[case] text: &str, #[case] day: &str) {
    assert_eq!(reads(&Date::default(), locale, text), day);
}

#[rstest]
#[case("Wednesday 2/12", "=2026-12-02")]
#[case("this Friday-May-15", "=2027-05-15")]
#[case("Fri 15 May", "=2027-05-15")]
#[case("Wed 18 Nov", "=2026-11-18")]
#[case("Sat 15 May", "=2027-05-15")]
#[case("Monday 15 May", "=2027-05-15")]
#[case("Friday 15 May 2028", "=2028-05-15|=2028-05-12")]
#[case("Tuesday the 17th", "=2026-11-17")]
#[case("Friday the 13th", "=2026-11-13")]
#[case("Tuesday the 1st", "=2026-12-01")]
#[case("Friday the 11th", "=2026-12-11")]
#[case("Monday the 11th", "=2027-01-11")]
#[case("Wednesday the 10th", "=2026-12-10|=2026-12-09")]
#[case("Saturday 30", "=2026-11-30|=2026-11-28")]
fn the_name_of_a_day_tells_which_year_is_meant(#[case] text: &str, #[case] day: &str) {
    assert_eq!(reads(&Date::default(), "en", text), day);
}

#[rstest]
#[case("en", "May 3 of last year", "=2025-05-03")]
#[case("en", "3 March next year", "=2027-03-03")]
#[case("en", "Easter next year", "=2027-03-28")]
#[case("en", "Christmas two years ago", "=2024-12-25")]
#[case("it", "3 maggio dell'anno prossimo", "=2027-05-03")]
#[case("es", "3 de mayo del año pasado", "=2025-05-03")]
#[case("de", "3. Mai nächstes Jahr", "=2027-05-03")]
#[case("fr", "3 mai l'année dernière", "=2025-05-03")]
fn the_year_is_told_by_this_one(#[case] locale: &str, #[case] text: &str, #[case] day: &str) {
    assert_eq!(reads(&Date::default(), locale, text), day);
}

#[rstest]
#[case("en", "Chinese New Year", "=2027-02-06")]
#[case("en", "last lunar new year", "=2026-02-17")]
#[case("en", "Mid-Autumn Festival 2025", "=2025-10-06")]
#[case("en", "Hanukkah", "=2026-12-05")]
#[case("en", "Yom Kippur 2018", "=2018-09-19")]
#[case("en", "Eid al-Fitr 2026", "=2026-03-20")]
#[case("en", "eid al adha 2024", "=2024-06-16")]
#[case("en", "start of Ramadan", "=2027-02-08")]
#[case("en", "Diwali 2026", "=2026-11-08")]
#[case("en", "Diwali 2024", "-")]
#[case("en", "Holi 2025", "=2025-03-14")]
#[case("en", "Pongal 2025", "=2025-01-14")]
#[case("en", "Orthodox Easter 2026", "=2026-04-12")]
#[case("en", "St. Andrews Day", "=2026-11-30")]
#[case("en", "saint andrew's day", "=2026-11-30")]
#[case("en", "first Sunday of Advent", "=2026-11-29")]
#[case("en", "Victoria Day 2026", "=2026-05-18")]
#[case("en", "winter solstice", "=2026-12-21")]
#[case("en", "Diwali 2500", "-")]
#[case("it", "il capodanno cinese", "=2027-02-06")]
#[case("it", "giovedì grasso 2027", "=2027-02-04")]
#[case("es", "el año nuevo chino", "=2027-02-06")]
#[case("es", "Ramadán 2026", "=2026-02-18")]
#[case("de", "erster Advent", "=2026-11-29")]
#[case("de", "Opferfest 2026", "=2026-05-27")]
#[case("de", "Buß- und Bettag 2027", "=2027-11-17")]
#[case("fr", "le nouvel an chinois", "=2027-02-06")]
#[case("fr", "Aïd el-Kébir 2026", "=2026-05-27")]
#[case("ar", "عيد الفطر 2026", "=2026-03-20")]
#[case("ar", "عيد الأضحى 2024", "=2024-06-16")]
fn feasts_of_every_calendar(#[case] locale: &str, #[case] text: &str, #[case] day: &str) {
    assert_eq!(reads(&Date::default(), locale, text), day);
}
