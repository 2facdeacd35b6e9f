mod languages;
mod past;
mod reckoned;
mod whole;

use jiff::Span;
use proptest::prelude::*;
use rstest::rstest;

use super::*;
use crate::kind::days::testing::{NOW, at, finds, is_total, reads, shown_is_read_back, words};

fn past() -> Date {
    Date { prefer: Prefer::Past, ..Date::default() }
}

#[rstest]
#[case("today", "=2026-11-20")]
#[case("Tomorrow!", "=2026-11-21")]
#[case("it's tomorrow, please", "=2026-11-21")]
#[case("the day after tomorrow", "=2026-11-22")]
#[case("yesterday", "=2026-11-19")]
#[case("the day before yesterday", "=2026-11-18")]
#[case("tonight", "=2026-11-20")]
#[case("this morning", "=2026-11-20")]
#[case("tomorrow evening", "=2026-11-21")]
fn days_from_today(#[case] text: &str, #[case] day: &str) {
    assert_eq!(reads(&Date::default(), "en", text), day);
}

#[rstest]
#[case("Friday", "=2026-11-27")]
#[case("Thursday", "=2026-11-26")]
#[case("on Saturday", "=2026-11-21")]
#[case("on sat", "=2026-11-21")]
#[case("sat", "~2026-11-21")]
#[case("this Friday", "=2026-11-20")]
#[case("this Sunday", "=2026-11-22")]
#[case("coming Friday", "=2026-11-27")]
#[case("next Monday", "=2026-11-23")]
#[case("next Saturday", "=2026-11-28")]
#[case("last Tuesday", "=2026-11-17")]
#[case("last Friday", "=2026-11-13")]
#[case("Monday week", "=2026-11-30")]
#[case("Friday next week", "=2026-11-27")]
#[case("next week on Wednesday", "=2026-11-25")]
#[case("Tuesday of this week", "=2026-11-17")]
#[case("Monday last week", "=2026-11-09")]
#[case("Thursday or Friday last week", "=2026-11-12|=2026-11-13")]
#[case("Monday, Wednesday and Friday last week", "=2026-11-09|=2026-11-11|=2026-11-13")]
#[case("Tuesday of the week after next", "=2026-12-01")]
#[case("the week before last, on Friday", "=2026-11-06")]
#[case("Monday after next", "=2026-11-30")]
#[case("three Mondays from now", "=2026-12-07")]
#[case("the fourth Friday from now", "=2026-12-18")]
fn days_of_the_week(#[case] text: &str, #[case] day: &str) {
    assert_eq!(reads(&Date::default(), "en", text), day);
}

#[rstest]
#[case("in 3 days", "=2026-11-23")]
#[case("in two weeks", "=2026-12-04")]
#[case("in 3 weeks time", "=2026-12-11")]
#[case("in a fortnight's time", "=2026-12-04")]
#[case("a week from Friday", "=2026-12-04")]
#[case("two days after tomorrow", "=2026-11-23")]
#[case("2 weeks before Christmas", "=2026-12-11")]
#[case("3 weeks ago", "=2026-10-30")]
#[case("1 month 2 days ago", "=2026-10-18")]
#[case("a couple of months from now", "=2027-01-20")]
#[case("in a month", "=2026-12-20")]
#[case("a year ago", "=2025-11-20")]
#[case("a year ago today", "=2025-11-20")]
#[case("a decade ago", "=2016-11-20")]
#[case("two weeks ago yesterday", "=2026-11-05")]
#[case("today next week", "=2026-11-27")]
#[case("a fortnight", "~2026-12-04")]
#[case("in 3D", "-")]
#[case("in 999999999 years", "-")]
fn days_far_from_another(#[case] text: &str, #[case] day: &str) {
    assert_eq!(reads(&Date::default(), "en", text), day);
}

#[rstest]
#[case("3 May", "=2027-05-03")]
#[case("3rd of May", "=2027-05-03")]
#[case("2nd of the month", "=2026-12-02")]
#[case("the 3rd of May", "=2027-05-03")]
#[case("May 3rd", "=2027-05-03")]
#[case("May 3", "=2027-05-03")]
#[case("May the third", "=2027-05-03")]
#[case("May 3rd 2027", "=2027-05-03")]
#[case("May 3rd, 2030", "=2030-05-03")]
#[case("3 May '31", "=2031-05-03")]
#[case("31-Oct-74", "=1974-10-31")]
#[case("12 June eighty-five", "=1985-06-12")]
#[case("12 June fifty people", "=2027-06-12")]
#[case("Saturday (5 December)", "=2026-12-05")]
#[case("16. Nov. 2026", "=2026-11-16")]
#[case("Oct/2", "=2027-10-02")]
#[case("20 November", "=2026-11-20")]
#[case("19 November", "=2027-11-19")]
#[case("twenty second of June", "=2027-06-22")]
#[case("September the twenty-first nineteen seventy eight", "=1978-09-21")]
#[case("jan twenty one two thousand and eighteen", "=2018-01-21")]
#[case("Wed, 22 of Jan", "=2027-01-22")]
#[case("Monday, 7 December", "=2026-12-07")]
#[case("Tuesday 24th", "=2026-11-24")]
#[case("Fri, Aug 7, 2026", "=2026-08-07")]
#[case("29 Feb", "=2028-02-29")]
#[case("30 Feb", "!date_not_real")]
#[case("31 June", "!date_not_real")]
#[case("29 February 2027", "!date_not_real")]
#[case("May", "-")]
#[case("May 2027", "-")]
#[case("may I ask", "-")]
#[case("this may be it", "-")]
fn days_and_months(#[case] text: &str, #[case] day: &str) {
    assert_eq!(reads(&Date::default(), "en", text), day);
}

#[rstest]
#[case("en", "2009 May 22nd", "=2009-05-22")]
#[case("en", "2027, May 22", "=2027-05-22")]
#[case("en", "the 2027-May-22 meeting", "=2027-05-22")]
#[case("en", "2027 22 May", "=2027-05-22")]
#[case("en", "in the year 1980 on the 2nd of February", "=1980-02-02")]
#[case("en", "2027 February 30", "!date_not_real")]
#[case("en", "2027 May 10 pm", "-")]
#[case("en", "the second of February in the year 1980", "=1980-02-02")]
#[case("it", "il 2 febbraio dell'anno 1980", "=1980-02-02")]
#[case("es", "el 2 de febrero del año 1980", "=1980-02-02")]
#[case("de", "am 2. Februar im Jahr 1980", "=1980-02-02")]
#[case("fr", "le 2 février de l'année 1980", "=1980-02-02")]
#[case("fr", "le 2 février en l'an 1980", "=1980-02-02")]
#[case("ar", "2 فبراير من سنة 1980", "=1980-02-02")]
#[case("en", "final Thursday in April", "=2027-04-29")]
fn a_year_stands_in_front_or_is_called_one(#[case] locale: &str, #[case] text: &str, #[case] day: &str) {
    assert_eq!(reads(&Date::default(), locale, text), day, "{text}");
}

#[rstest]
#[case("en", "version 1.1.30")]
#[case("en", "Version: 1.1.30")]
#[case("en", "see section 3.1.20")]
#[case("it", "la versione 1.1.30")]
#[case("es", "la versión 1.1.30")]
#[case("de", "Kapitel 3.1.20")]
#[case("fr", "la version 1.1.30")]
#[case("ar", "الإصدار 1.1.30")]
fn the_number_of_a_version_or_chapter_is_no_day(#[case] locale: &str, #[case] text: &str) {
    assert_eq!(finds(&Date::default(), locale, text), [], "{text}");
}

#[rstest]
#[case("en", "2026-12-31", "=2026-12-31")]
#[case("en", "2026/12/31", "=2026-12-31")]
#[case("en", "31.12.2026", "=2026-12-31")]
#[case("en", "31/12", "=2026-12-31")]
#[case("en", "12/31", "=2026-12-31")]
#[case("en", "12/31/2026", "=2026-12-31")]
#[case("en", "31-12-26", "=2026-12-31")]
#[case("en", "5/5", "=2027-05-05")]
#[case("en", "02/03", "=2027-02-03|=2027-03-02")]
#[case("en", "02/03/2027", "=2027-02-03|=2027-03-02")]
#[case("en-CA", "02/03/2027", "=2027-02-03|=2027-03-02")]
#[case("en-US", "02/03", "=2027-02-03")]
#[case("en-GB", "02/03", "=2027-03-02")]
#[case("en-US", "31/12/2026", "=2026-12-31")]
#[case("en", "02.03.2027", "=2027-03-02")]
#[case("en", "2027-02-03", "=2027-02-03")]
#[case("en", "20261231", "~2026-12-31")]
#[case("en", "٣١/١٢/٢٠٢٦", "=2026-12-31")]
#[case("en", "05/05/89", "=1989-05-05")]
#[case("en", "05/05/45", "=2045-05-05")]
#[case("en", "05/05/47", "=1947-05-05")]
#[case("en", "30/02/2026", "!date_not_real")]
#[case("en", "2026-02-30", "!date_not_real")]
#[case("en", "2027-02-29", "!date_not_real")]
#[case("en", "99/99/2026", "!date_not_real")]
#[case("en", "5", "-")]
#[case("en", "99", "-")]
#[case("en", "10am", "-")]
#[case("en", "24/7", "-")]
#[case("en", "version 1.2.3", "-")]
#[case("en", "347 123 4567", "-")]
#[case("en", "+39-02-03-2026-11", "-")]
#[case("en", "10.3.2026.5", "-")]
#[case("en", "2026", "-")]
fn days_in_digits(#[case] locale: &str, #[case] text: &str, #[case] day: &str) {
    assert_eq!(reads(&Date::default(), locale, text), day);
}

#[rstest]
#[case("end of the month", "=2026-11-30")]
#[case("the end of next month", "=2026-12-31")]
#[case("end of February", "=2027-02-28")]
#[case("end of the year", "=2026-12-31")]
#[case("beginning of next week", "=2026-11-23")]
#[case("first Monday of June", "=2027-06-07")]
#[case("last Friday in October", "=2027-10-29")]
#[case("second Monday of last month", "=2026-10-12")]
#[case("the last day of May", "=2027-05-31")]
#[case("15th day of next month", "=2026-12-15")]
#[case("the 8th of this month", "=2026-11-08")]
#[case("fifth Monday of February 2027", "!date_not_real")]
#[case("the 5th", "~2026-12-05")]
#[case("the 25th", "~2026-11-25")]
#[case("5th", "~2026-12-05")]
#[case("the 31st", "~2026-12-31")]
#[case("on 15", "~2026-12-15")]
#[case("on the 15th", "=2026-12-15")]
#[case("on the 5th floor", "~2026-12-05")]
fn days_of_a_month(#[case] text: &str, #[case] day: &str) {
    assert_eq!(reads(&Date::default(), "en", text), day);
}

#[rstest]
#[case("Christmas", "=2026-12-25")]
#[case("on Christmas Eve", "=2026-12-24")]
#[case("New Year's Eve", "=2026-12-31")]
#[case("new years eve 2027", "=2027-12-31")]
#[case("last Christmas", "=2025-12-25")]
#[case("Easter", "=2027-03-28")]
#[case("Thanksgiving", "=2026-11-26")]
#[case("Halloween", "=2027-10-31")]
fn feasts(#[case] text: &str, #[case] day: &str) {
    assert_eq!(reads(&Date::default(), "en", text), day);
}

#[rstest]
#[case("Friday", "=2026-11-13")]
#[case("3 May", "=2026-05-03")]
#[case("31/12", "=2025-12-31")]
#[case("31/12/26", "=1926-12-31")]
#[case("the 25th", "~2026-10-25")]
#[case("Christmas", "=2025-12-25")]
#[case("29 Feb", "=2024-02-29")]
#[case("two weeks", "~2026-11-06")]
#[case("this Monday", "=2026-11-16")]
#[case("today", "=2026-11-20")]
fn the_past_is_preferred_where_it_is_wanted(#[case] text: &str, #[case] day: &str) {
    assert_eq!(reads(&past(), "en", text), day);
}

#[rstest]
#[case("Friday 5 December 2026", "=2026-12-05|=2026-12-04")]
#[case("Monday 25 November", "=2026-11-25|=2026-11-23")]
#[case("Saturday 5 December 2026", "=2026-12-05")]
#[case("Friday 9.30", "=2026-11-27")]
#[case("Friday 9.10", "=2026-11-27")]
#[case("Friday 4.12", "=2026-12-04")]
#[case("9.30", "-")]
fn a_name_that_does_not_fit_its_date_is_asked_back(#[case] text: &str, #[case] day: &str) {
    assert_eq!(reads(&Date::default(), "en", text), day);
}

#[rstest]
#[case("en", "for a week from 3 April", "=2027-04-03")]
#[case("en", "for ten days starting Monday", "=2026-11-23")]
#[case("en", "for 5 days beginning March 10", "=2027-03-10")]
#[case("en", "a week from 3 April", "=2027-04-10")]
#[case("en", "3 days a week from 3 April", "=2027-04-03")]
#[case("it", "per una settimana dal 3 aprile", "=2027-04-03")]
#[case("it", "una settimana a partire da lunedì", "=2026-11-23")]
#[case("es", "por una semana desde el 3 de abril", "=2027-04-03")]
#[case("de", "eine Woche ab dem 3. April", "=2027-04-03")]
#[case("fr", "pour une semaine à partir du 3 avril", "=2027-04-03")]
#[case("ar", "لمدة أسبوع من 3 أبريل", "=2027-04-03")]
#[case("en", "10 days in December", "-")]
#[case("es", "10 días en diciembre", "-")]
#[case("de", "10 Tage im Dezember", "-")]
#[case("fr", "10 jours en décembre", "-")]
#[case("es", "a las 8", "-")]
#[case("it", "alle 8", "-")]
#[case("de", "Guten Morgen", "-")]
#[case("de", "Guten Morgen, übermorgen bitte", "=2026-11-22")]
#[case("es", "buenos días, mañana", "=2026-11-21")]
#[case("de", "heute in acht Tagen", "=2026-11-27")]
#[case("de", "Montag in acht Tagen", "=2026-11-30")]
#[case("fr", "dans huit jours", "=2026-11-27")]
#[case("fr", "dans quinze jours", "=2026-12-04")]
fn lengths_hours_and_greetings_are_no_days(#[case] lang: &str, #[case] text: &str, #[case] day: &str) {
    assert_eq!(reads(&Date::default(), lang, text), day);
}

#[test]
fn days_are_found_with_their_quotes() {
    let found = |text| finds(&Date::default(), "en", text);
    let pair = |quote: &str, day: &str| (quote.to_owned(), day.to_owned());
    assert_eq!(
        found("from “next Monday” at 5 pm, back on Dec. 3rd 2026"),
        [pair("next Monday", "=2026-11-23"), pair("Dec. 3rd 2026", "=2026-12-03")]
    );
    assert_eq!(found("leave 02/03"), [pair("02/03", "=2027-02-03"), pair("02/03", "=2027-03-02")]);
    assert_eq!(found("I pay $ 12 December 27"), [pair("December 27", "=2026-12-27")]);
    assert_eq!(found("2 tickets for 30 Feb, 5 people, May 10:30"), []);
    assert_eq!(found("it is up-to-date, my e-mail was re-sat"), []);
}

#[rstest]
#[case("today", Some(Bound::TODAY))]
#[case("today-100y", Some(Bound::FromToday { years: -100, months: 0, days: 0 }))]
#[case("today+2w", Some(Bound::FromToday { years: 0, months: 0, days: 14 }))]
#[case("today + 1y -3d", Some(Bound::FromToday { years: 1, months: 0, days: -3 }))]
#[case("2026-05-03", Some(Bound::Day(civil::date(2026, 5, 3))))]
#[case("tomorrow", None)]
#[case("today+", None)]
#[case("today2w", None)]
#[case("today+99999999999d", None)]
#[case("2026-02-30", None)]
#[case("", None)]
fn bounds_are_read(#[case] text: &str, #[case] bound: Option<Bound>) {
    assert_eq!(text.parse::<Bound>().ok(), bound);
    if let Some(bound) = bound {
        assert_eq!(bound.to_string().parse(), Ok(bound));
    }
}

#[rstest]
#[case(Some("today"), None, "2026-11-19", "date_in_past")]
#[case(None, Some("today"), "2026-11-21", "date_in_future")]
#[case(Some("2026-01-01"), None, "2025-12-31", "date_too_early")]
#[case(Some("today-100y"), Some("today"), "1926-11-19", "date_too_early")]
#[case(Some("today"), Some("today+2w"), "2026-12-05", "date_too_late")]
#[case(Some("today"), Some("today+2w"), "2026-12-04", "")]
#[case(Some("today"), Some("today"), "2026-11-20", "")]
fn days_out_of_bounds_are_refused(
    #[case] min: Option<&str>,
    #[case] max: Option<&str>,
    #[case] day: &str,
    #[case] code: &str,
) {
    let bound = |text: &str| text.parse().unwrap();
    let kind = Date { min: min.map(bound), max: max.map(bound), ..Date::default() };
    let refusal = at(NOW, "en", |cx| kind.accept(&json!(day), cx).err());
    assert_eq!(refusal.map_or_else(String::new, |refusal| refusal.code), code);
}

#[rstest]
#[case("12/11/2026", "=2026-11-12")]
#[case("02/03/2026", "=2026-02-03|=2026-03-02")]
#[case("02/03/2027", "=2027-02-03")]
#[case("the same day", "-")]
#[case("the next day", "-")]
fn an_order_that_the_bounds_forbid_is_not_offered(#[case] text: &str, #[case] day: &str) {
    let kind = Date { max: Some(Bound::TODAY), prefer: Prefer::Past, ..Date::default() };
    assert_eq!(reads(&kind, "en", text), day);
}

#[test]
fn today_is_the_persons_own_day() {
    for (now, day) in [
        ("2026-11-20T23:30:00-08:00[America/Los_Angeles]", "2026-11-20"),
        ("2026-11-21T08:30:00+01:00[Europe/Rome]", "2026-11-21"),
    ] {
        at(now, "en", |cx| {
            let value = Date::default().accept(&json!("today"), cx).unwrap();
            assert_eq!(Date::default().json(&value), json!(day));
        });
    }
}

#[test]
fn the_widget_knows_the_bounds() {
    let kind = Date { min: Some(Bound::TODAY), max: "today+1y".parse().ok(), ..Date::default() };
    let token = chat::Token::new(&chat::Nonce::new(1), 0);
    let input = at(NOW, "en", |cx| kind.input(&token, None, cx));
    assert_eq!(input, chat::Input::Date { min: Some("2026-11-20".to_owned()), max: Some("2027-11-20".to_owned()) });
}

proptest! {
    #[test]
    fn any_text_gives_a_result(text in "\\PC{0,40}") {
        is_total(&Date::default(), &text);
        is_total(&past(), &text);
    }

    #[test]
    fn any_words_of_the_grammar_give_a_result(text in words()) {
        is_total(&Date::default(), &text);
        is_total(&past(), &text);
    }

    #[test]
    fn every_day_is_read_in_iso_and_as_shown(days in 0_i32..700_000) {
        let day = civil::date(1, 1, 1).checked_add(Span::new().days(days + 365_000)).unwrap();
        assert_eq!(reads(&Date::default(), "en", &day.to_string()), format!("={day}"));
        shown_is_read_back(&Date::default(), &Value::Date(day));
    }
}
