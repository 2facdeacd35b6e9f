use proptest::prelude::*;
use rstest::rstest;

use super::*;
use crate::kind::days::testing::{NOW, at, finds, is_total, reads, shown_is_read_back, words};

#[rstest]
#[case("from 3 to 7 May", "=2027-05-03/2027-05-07")]
#[case("3–7 May", "=2027-05-03/2027-05-07")]
#[case("3-7 May 2028", "=2028-05-03/2028-05-07")]
#[case("May 3 until May 7", "=2027-05-03/2027-05-07")]
#[case("May 3-7", "=2027-05-03/2027-05-07")]
#[case("May 3rd to 7th, 2028", "=2028-05-03/2028-05-07")]
#[case("between the 3rd and the 7th of May", "=2027-05-03/2027-05-07")]
#[case("3 May to 7 June", "=2027-05-03/2027-06-07")]
#[case("3 May to 7 May 2026", "=2026-05-03/2026-05-07")]
#[case("28 December - 3 January", "=2026-12-28/2027-01-03")]
#[case("Monday to Friday", "=2026-11-23/2026-11-27")]
#[case("Monday-Friday", "=2026-11-23/2026-11-27")]
#[case("from Monday through next Friday", "=2026-11-23/2026-11-27")]
#[case("tomorrow until Tuesday", "=2026-11-21/2026-11-24")]
#[case("today to the 25th", "=2026-11-20/2026-11-25")]
#[case("from the 28th to the 3rd", "=2026-11-28/2026-12-03")]
#[case("2026-05-03/2026-05-07", "=2026-05-03/2026-05-07")]
#[case("2026-05-03 to 2026-05-07", "=2026-05-03/2026-05-07")]
#[case("31/12/2026 - 13/01/2027", "=2026-12-31/2027-01-13")]
#[case("5/3/2027 - 7/3/2027", "=2027-05-03/2027-07-03|=2027-03-05/2027-03-07")]
#[case("12/03/2027 - 15/03/2027", "=2027-03-12/2027-03-15")]
#[case("15/03/2027 - 05/04/2027", "=2027-03-15/2027-04-05")]
#[case("03/15/2027 - 05/04/2027", "=2027-03-15/2027-05-04")]
#[case("Aug 3-14", "=2027-08-03/2027-08-14")]
#[case("next week", "=2026-11-23/2026-11-29")]
#[case("this week", "=2026-11-16/2026-11-22")]
#[case("the weekend", "=2026-11-21/2026-11-22")]
#[case("next weekend", "=2026-11-28/2026-11-29")]
#[case("next month", "=2026-12-01/2026-12-31")]
#[case("February 2028", "=2028-02-01/2028-02-29")]
#[case("for 3 days from Monday", "=2026-11-23/2026-11-25")]
#[case("3 days from Monday", "=2026-11-23/2026-11-25")]
#[case("two weeks from 1 December", "=2026-12-01/2026-12-14")]
#[case("a week from Monday", "=2026-11-30/2026-11-30")]
#[case("the week of 7 December", "=2026-12-07/2026-12-13")]
#[case("the week of the 9th of December", "=2026-12-07/2026-12-13")]
#[case("7/12 - 11/12", "=2027-07-12/2027-11-12|=2026-12-07/2026-12-11")]
#[case("from Monday for a week", "=2026-11-23/2026-11-29")]
#[case("the next 3 days", "=2026-11-20/2026-11-22")]
#[case("tomorrow", "=2026-11-21/2026-11-21")]
#[case("Friday next week", "=2026-11-27/2026-11-27")]
#[case("Monday to Wednesday next week", "=2026-11-23/2026-11-25")]
#[case("from Tuesday till Friday this week", "=2026-11-17/2026-11-20")]
#[case("Thursday and Friday of next week", "=2026-11-26/2026-11-27")]
#[case("Tuesday through Thursday the week after next", "=2026-12-01/2026-12-03")]
#[case("the week after next", "=2026-11-30/2026-12-06")]
#[case("next week from Monday to Wednesday", "=2026-11-23/2026-11-25")]
#[case("Saturday to Tuesday next week", "=2026-11-21/2026-11-24")]
#[case("today and tomorrow", "=2026-11-20/2026-11-21")]
#[case("from today to tomorrow", "=2026-11-20/2026-11-21")]
#[case("Monday and Tuesday", "=2026-11-23/2026-11-24")]
#[case("3 and 4 May", "=2027-05-03/2027-05-04")]
#[case("the 3rd to the 5th of May", "=2027-05-03/2027-05-05")]
#[case("off from Monday, back on Thursday", "=2026-11-23/2026-11-25|=2026-11-23/2026-11-26")]
#[case("Monday and Thursday", "=2026-11-23/2026-11-23|=2026-11-26/2026-11-26")]
#[case("20 December to 3 January", "=2026-12-20/2027-01-03")]
#[case("from 14 August to 3 August", "!range_backwards")]
#[case("31 April to 3 May", "!date_not_real")]
#[case("31 to 3 April", "!date_not_real")]
#[case("7 to 3 May", "!range_backwards")]
#[case("2026-05-07/2026-05-03", "!range_backwards")]
#[case("29 Feb 2027", "!date_not_real")]
#[case("3 people", "-")]
fn ranges(#[case] text: &str, #[case] range: &str) {
    assert_eq!(reads(&DateRange::default(), "en", text), range);
}

#[test]
fn ranges_are_found_with_their_quotes() {
    let pair = |quote: &str, range: &str| (quote.to_owned(), range.to_owned());
    let found = |text| finds(&DateRange::default(), "en", text);
    assert_eq!(found("I'm away from 3 to 7 May, then back"), [pair("from 3 to 7 May", "=2027-05-03/2027-05-07")]);
    let days = [pair("tomorrow", "=2026-11-21/2026-11-21"), pair("3 May", "=2027-05-03/2027-05-03")];
    assert_eq!(found("see you tomorrow, or on 3 May"), days, "a day alone is a range of one");
}

#[rstest]
#[case("it", "dal 3 al 7 maggio", "=2027-05-03/2027-05-07")]
#[case("it", "da lunedì a venerdì", "=2026-11-23/2026-11-27")]
#[case("de", "ab Montag, zurück am Donnerstag", "=2026-11-23/2026-11-25|=2026-11-23/2026-11-26")]
#[case("it", "la settimana prossima", "=2026-11-23/2026-11-29")]
#[case("it", "giovedì e venerdì della settimana prossima", "=2026-11-26/2026-11-27")]
#[case("es", "el jueves y viernes de esta semana", "=2026-11-19/2026-11-20")]
#[case("de", "Dienstag bis Donnerstag letzte Woche", "=2026-11-10/2026-11-12")]
#[case("fr", "mardi et mercredi de la semaine dernière", "=2026-11-10/2026-11-11")]
#[case("it", "il fine settimana", "=2026-11-21/2026-11-22")]
#[case("it", "per 3 giorni da lunedì", "=2026-11-23/2026-11-25")]
#[case("es", "del 3 al 7 de mayo", "=2027-05-03/2027-05-07")]
#[case("es", "de lunes a viernes", "=2026-11-23/2026-11-27")]
#[case("es", "la próxima semana", "=2026-11-23/2026-11-29")]
#[case("de", "vom 3. bis 7. Mai", "=2027-05-03/2027-05-07")]
#[case("de", "3.–7. Mai 2028", "=2028-05-03/2028-05-07")]
#[case("de", "von Montag bis Freitag", "=2026-11-23/2026-11-27")]
#[case("de", "nächste Woche", "=2026-11-23/2026-11-29")]
#[case("de", "am Wochenende", "=2026-11-21/2026-11-22")]
#[case("fr", "du 3 au 7 mai", "=2027-05-03/2027-05-07")]
#[case("fr", "du lundi au vendredi", "=2026-11-23/2026-11-27")]
#[case("fr", "la semaine prochaine", "=2026-11-23/2026-11-29")]
#[case("ar", "من 3 إلى 7 مايو", "=2027-05-03/2027-05-07")]
#[case("ar", "من الاثنين إلى الجمعة", "=2026-11-23/2026-11-27")]
#[case("ar", "الأسبوع القادم", "=2026-11-23/2026-11-29")]
fn other_languages(#[case] locale: &str, #[case] text: &str, #[case] range: &str) {
    assert_eq!(reads(&DateRange::default(), locale, text), range);
}

#[rstest]
#[case(json!("2026-12-01/2026-12-03"), "")]
#[case(json!({ "start": "2026-12-01", "end": "2026-12-05" }), "")]
#[case(json!({ "start": "2026-12-01", "end": "2026-12-06" }), "range_too_long")]
#[case(json!("2026-12-03/2026-12-01"), "range_backwards")]
#[case(json!("2026-11-19/2026-11-21"), "date_in_past")]
#[case(json!("2027-12-30/2028-01-01"), "date_too_late")]
#[case(json!("next weekend"), "")]
#[case(json!([1, 2]), "not_a_date_range")]
fn data_is_accepted_within_bounds(#[case] data: serde_json::Value, #[case] code: &str) {
    let kind =
        DateRange { min: Some(Bound::TODAY), max: Some(Bound::Day(civil::date(2027, 12, 31))), max_days: Some(5) };
    let refusal = at(NOW, "en", |cx| kind.accept(&data, cx).err());
    assert_eq!(refusal.map_or_else(String::new, |refusal| refusal.code), code);
}

#[test]
fn a_range_is_submitted_as_its_two_days() {
    let value = range((civil::date(2026, 5, 3), civil::date(2026, 5, 7)));
    assert_eq!(DateRange::default().json(&value), json!({ "start": "2026-05-03", "end": "2026-05-07" }));
    assert_eq!(
        at(NOW, "de", |cx| DateRange::default().show(&value, cx)),
        "Sonntag, 3. Mai 2026 bis Donnerstag, 7. Mai 2026"
    );
}

proptest! {
    #[test]
    fn any_words_give_a_result(text in words()) {
        is_total(&DateRange::default(), &text);
    }

    #[test]
    fn any_text_gives_a_result(text in "\\PC{0,40}") {
        is_total(&DateRange::default(), &text);
    }

    #[test]
    fn what_is_shown_is_read_back(days in 0_i32..100_000, long in 0_i32..800) {
        let day = |n: i32| civil::date(1900, 1, 1).checked_add(jiff::Span::new().days(n)).unwrap();
        shown_is_read_back(&DateRange::default(), &range((day(days), day(days + long))));
    }
}

#[rstest]
#[case::gone_by("from 1 to 3 November", "=2026-11-01/2026-11-03|=2027-11-01/2027-11-03")]
#[case::one_day("on 3 November", "=2026-11-03/2026-11-03|=2027-11-03/2027-11-03")]
#[case::in_digits("2026-11-01 - 2026-11-03", "=2026-11-01/2026-11-03")]
#[case::too_long_ago("from 1 to 3 May", "=2027-05-01/2027-05-03")]
#[case::nearer_to_come("from 1 to 3 December", "=2026-12-01/2026-12-03")]
#[case::days_of_the_week("Monday to Wednesday", "=2026-11-23/2026-11-25")]
fn days_gone_by_where_they_are_taken(#[case] text: &str, #[case] range: &str) {
    let min = Bound::FromToday { years: 0, months: 0, days: -60 };
    assert_eq!(reads(&DateRange { min: Some(min), ..DateRange::default() }, "en", text), range);
}
