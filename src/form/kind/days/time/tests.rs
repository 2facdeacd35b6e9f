use civil::time;
use proptest::prelude::*;
use rstest::rstest;

use super::*;
use crate::kind::days::testing::{NOW, at, finds, is_total, reads, shown_is_read_back, words};

#[rstest]
#[case("fünf vor halb acht abends", "=19:25")]
#[case("zehn nach halb neun morgens", "=08:40")]
fn minutes_about_the_half(#[case] text: &str, #[case] time: &str) {
    assert_eq!(reads(&Time::default(), "de", text), time);
}

#[rstest]
#[case("nine hundred hours", "=09:00")]
#[case("oh seven thirty", "~07:30")]
#[case("zero seven thirty", "~07:30")]
#[case("at seventeen hundred", "=17:00")]
#[case("at 22:30 hours", "=22:30")]
#[case("it lasts 2:30 hours", "-")]
#[case("1845", "=18:45")]
#[case("0845", "=08:45")]
#[case("845", "-")]
#[case("8 05 am", "=08:05")]
#[case("8:05:30", "=08:05:30")]
fn the_hours_of_the_whole_day(#[case] text: &str, #[case] time: &str) {
    assert_eq!(reads(&Time::default(), "en", text), time);
}

#[rstest]
#[case("5 pm", "=17:00")]
#[case("5pm", "=17:00")]
#[case("5 p.m.", "=17:00")]
#[case("3 p . m .", "=15:00")]
#[case("7p", "=19:00")]
#[case("at 5A.", "=05:00")]
#[case("9:00a", "=09:00")]
#[case("12 am", "=00:00")]
#[case("12 pm", "=12:00")]
#[case("17:30", "=17:30")]
#[case("05:30", "=05:30")]
#[case("12:34:25", "=12:34:25")]
#[case("5.30pm", "=17:30")]
#[case("1140 a.m.", "=11:40")]
#[case("at 1730", "=17:30")]
#[case("17h30", "=17:30")]
#[case("15h", "=15:00")]
#[case("24:00", "=00:00")]
#[case("17:00 CET", "=17:00")]
#[case("17:00 UTC", "=18:00|=19:00")]
#[case("17:00 Tokyo time", "=09:00|=10:00")]
#[case("17:00 Springfield time", "!zone_not_known")]
#[case("9 am EST", "=15:00")]
#[case("fifteen thirty p m", "=15:30")]
#[case("seven thirty five pm", "=19:35")]
#[case("six-thirty pm", "=18:30")]
#[case("half past five in the afternoon", "=17:30")]
#[case("quarter to nine pm", "=20:45")]
#[case("a quarter past noon", "=12:15")]
#[case("15 to noon", "=11:45")]
#[case("15 past seven in the morning", "=07:15")]
#[case("in half an hour", "=10:45")]
#[case("in 2 hours", "=12:15")]
#[case("an hour ago", "=09:15")]
#[case("in 20 hours", "-")]
#[case("noon", "=12:00")]
#[case("midnight", "=00:00")]
#[case("mid-day", "=12:00")]
#[case("8 in the evening", "=20:00")]
#[case("in the afternoon at 7", "=19:00")]
#[case("tonight at 8", "=20:00")]
#[case("9 tomorrow night", "=21:00")]
#[case("at 3 in the morning", "=03:00")]
#[case("1pm mountain time", "=13:00")]
#[case("13 o'clock", "=13:00")]
fn times_that_are_clear(#[case] text: &str, #[case] time: &str) {
    assert_eq!(reads(&Time::default(), "en", text), time);
}

#[rstest]
#[case("en", "10 hours before noon", "=02:00")]
#[case("en", "half an hour before midnight", "=23:30")]
#[case("en", "10 minutes after 9 pm", "=21:10")]
#[case("en", "two hours after midnight", "=02:00")]
#[case("en", "for two hours from noon", "=12:00")]
#[case("en", "24 hours before noon", "=12:00")]
#[case("it", "due ore dopo mezzogiorno", "=14:00")]
#[case("es", "dos horas después del mediodía", "=14:00")]
#[case("de", "eine Stunde vor Mitternacht", "=23:00")]
#[case("fr", "une heure avant midi", "=11:00")]
#[case("ar", "ساعتين بعد منتصف الليل", "=02:00")]
fn a_time_is_told_by_its_distance_from_another(#[case] locale: &str, #[case] text: &str, #[case] time: &str) {
    assert_eq!(reads(&Time::default(), locale, text), time, "{text}");
}

#[rstest]
#[case("at 7", "~07:00|~19:00")]
#[case("7", "~07:00|~19:00")]
#[case("about 3", "~15:00|~03:00")]
#[case("around 8ish", "~08:00|~20:00")]
#[case("7 o'clock", "=07:00|=19:00")]
#[case("half past five", "=17:30|=05:30")]
#[case("quarter to nine", "=08:45|=20:45")]
#[case("half three", "=15:30|=03:30")]
#[case("3:30", "=15:30|=03:30")]
#[case("at 12", "~12:00")]
#[case("18", "~18:00")]
fn morning_or_afternoon_is_asked_back(#[case] text: &str, #[case] times: &str) {
    assert_eq!(reads(&Time::default(), "en", text), times);
}

#[rstest]
#[case(9, 18, "at 7", "~07:00|~19:00")]
#[case(9, 18, "at 3", "~15:00")]
#[case(9, 18, "at 10", "~10:00")]
#[case(18, 23, "7:30", "=19:30")]
#[case(22, 6, "at 5", "~05:00")]
fn bounds_settle_morning_or_afternoon(#[case] min: i8, #[case] max: i8, #[case] text: &str, #[case] read: &str) {
    let kind = Time { min: Some(time(min, 0, 0, 0)), max: Some(time(max, 0, 0, 0)) };
    assert_eq!(reads(&kind, "en", text), read);
}

#[rstest]
#[case("en", "Friday 9.30", "=09:30|=21:30")]
#[case("en", "good evening, at 8", "~08:00|~20:00")]
#[case("fr", "pour quinze jours", "-")]
#[case("es", "a las 20 horas", "=20:00")]
fn times_beside_days_and_greetings(#[case] lang: &str, #[case] text: &str, #[case] times: &str) {
    assert_eq!(reads(&Time::default(), lang, text), times);
}

#[rstest]
#[case("5 people")]
#[case("3/5")]
#[case("12/31/2026")]
#[case("25:00")]
#[case("10:75")]
#[case("1:1")]
#[case("4a")]
#[case("dozens o'clock")]
#[case("12:30:45:10")]
#[case("from 3 to 7 May")]
#[case("2 hours")]
#[case("+39 347 123")]
#[case("room 1730")]
#[case("insured until 2027")]
#[case("fine, thank you")]
fn what_is_no_time_is_not_found(#[case] text: &str) {
    assert_eq!(finds(&Time::default(), "en", text), []);
}

#[test]
fn times_are_found_with_their_quotes() {
    let pair = |quote: &str, time: &str| (quote.to_owned(), time.to_owned());
    let found = |text| finds(&Time::default(), "en", text);
    assert_eq!(found("table for 5 at 8.30pm tomorrow"), [pair("8.30pm", "=20:30")]);
    assert_eq!(found("at 8 tomorrow evening, or noon"), [pair("8", "=20:00"), pair("noon", "=12:00")]);
    assert_eq!(found("come at 7"), [pair("7", "~07:00"), pair("7", "~19:00")]);
}

#[rstest]
#[case("it", "alle 17 e 30", "=17:30")]
#[case("it", "alle 17:30", "=17:30")]
#[case("it", "ore 9.15", "=09:15")]
#[case("it", "le nove e mezza di sera", "=21:30")]
#[case("it", "alle otto meno un quarto di mattina", "=07:45")]
#[case("it", "alle 5 del pomeriggio", "=17:00")]
#[case("it", "stasera alle 8", "=20:00")]
#[case("it", "mezzogiorno", "=12:00")]
#[case("it", "mezzogiorno e mezza", "=12:30")]
#[case("it", "alle 5", "~17:00|~05:00")]
#[case("it", "5:30", "=05:30")]
#[case("es", "a las cinco y media de la tarde", "=17:30")]
#[case("es", "a las 9 de la mañana", "=09:00")]
#[case("es", "las ocho menos cuarto de la noche", "=19:45")]
#[case("es", "al mediodía", "=12:00")]
#[case("es", "a las 17:30", "=17:30")]
#[case("es", "mañana a las 9 de la noche", "=21:00")]
#[case("de", "17 Uhr", "=17:00")]
#[case("de", "17 Uhr 30", "=17:30")]
#[case("de", "um 17.30 Uhr", "=17:30")]
#[case("de", "halb sechs", "=17:30|=05:30")]
#[case("de", "halb sechs abends", "=17:30")]
#[case("de", "Viertel vor neun morgens", "=08:45")]
#[case("de", "heute Abend um 8", "=20:00")]
#[case("de", "um acht Uhr morgens", "=08:00")]
#[case("de", "Mitternacht", "=00:00")]
#[case("fr", "17h30", "=17:30")]
#[case("fr", "à dix-huit heures trente", "=18:30")]
#[case("fr", "dix neuf heures quinze", "=19:15")]
#[case("fr", "à 17 heures 30", "=17:30")]
#[case("fr", "neuf heures et demie du soir", "=21:30")]
#[case("fr", "huit heures moins le quart du matin", "=07:45")]
#[case("fr", "midi et demi", "=12:30")]
#[case("fr", "minuit moins le quart", "=23:45")]
#[case("fr", "minuit", "=00:00")]
#[case("fr", "midi moins cinq", "=11:55")]
#[case("fr", "minuit moins vingt", "=23:40")]
#[case("fr", "à midi et quart", "=12:15")]
#[case("fr", "à midi et deux couverts", "=12:00")]
#[case("it", "mezzogiorno meno dieci", "=11:50")]
#[case("it", "mezzanotte e venti", "=00:20")]
#[case("it", "mezzogiorno e tre persone", "=12:00")]
#[case("es", "mediodía menos cinco", "=11:55")]
#[case("es", "al mediodía y cuarto", "=12:15")]
#[case("ar", "منتصف الليل إلا خمس دقائق", "=23:55")]
#[case("fr", "à 5 h de l'après-midi", "=17:00")]
#[case("ar", "الساعة 5 مساء", "=17:00")]
#[case("ar", "الساعة الخامسة والنصف مساءً", "=17:30")]
#[case("ar", "الثامنة إلا ربعا صباحا", "=07:45")]
#[case("ar", "ثمانية ونص مساء", "=20:30")]
#[case("ar", "الساعة تسعة الصبح", "=09:00")]
#[case("ar", "التاسعة إلا عشر دقائق صباحا", "=08:50")]
#[case("ar", "منتصف الليل", "=00:00")]
#[case("fr", "à 19h56min30s", "=19:56:30")]
#[case("it", "alle 12h34min25s", "=12:34:25")]
#[case("es", "15h50min6s", "=15:50:06")]
#[case("en", "19h56min", "=19:56")]
#[case("de", "8 Uhr 30", "=08:30")]
#[case("fr", "7 heures 30 minutes et 20 secondes", "=07:30:20")]
#[case("en", "seven oh five am", "=07:05")]
#[case("ar", "التاسعة وخمس وعشرون دقيقة صباحا", "=09:25")]
#[case("ar", "السابعة وسبع دقائق صباحا", "=07:07")]
#[case("ar", "السادسة مغربا", "=18:00")]
#[case("ar", "١٧:٣٠", "=17:30")]
fn other_languages(#[case] locale: &str, #[case] text: &str, #[case] read: &str) {
    assert_eq!(reads(&Time::default(), locale, text), read);
}

#[rstest]
#[case("en", time(17, 30, 0, 0), "17:30")]
#[case("en-US", time(17, 30, 0, 0), "5:30 pm")]
#[case("en-US", time(0, 5, 0, 0), "12:05 am")]
#[case("en-US", time(12, 0, 9, 0), "12:00:09 pm")]
#[case("de-DE", time(7, 5, 0, 0), "07:05")]
#[case("ar-EG", time(17, 30, 0, 0), "5:30 م")]
fn a_time_is_shown_as_the_region_writes_it(#[case] locale: &str, #[case] value: civil::Time, #[case] shown: &str) {
    assert_eq!(at(NOW, locale, |cx| Time::default().show(&Value::Time(value), cx)), shown);
}

#[rstest]
#[case(9, 18, "08:59", "time_too_early")]
#[case(9, 18, "18:01", "time_too_late")]
#[case(9, 18, "12:00", "")]
#[case(22, 6, "23:00", "")]
#[case(22, 6, "05:00", "")]
#[case(22, 6, "12:00", "time_too_early")]
fn times_out_of_bounds_are_refused(#[case] min: i8, #[case] max: i8, #[case] text: &str, #[case] code: &str) {
    let kind = Time { min: Some(time(min, 0, 0, 0)), max: Some(time(max, 0, 0, 0)) };
    let refusal = at(NOW, "en", |cx| kind.accept(&json!(text), cx).err());
    assert_eq!(refusal.map_or_else(String::new, |refusal| refusal.code), code);
}

#[test]
fn data_is_accepted_in_its_standard_form_and_in_words() {
    at(NOW, "en", |cx| {
        let accept = |data| Time::default().accept(&data, cx).map(|value| Time::default().json(&value));
        assert_eq!(accept(json!("17:30")), Ok(json!("17:30")));
        assert_eq!(accept(json!("17:30:05")), Ok(json!("17:30:05")));
        assert_eq!(accept(json!("noon")), Ok(json!("12:00")));
        assert_eq!(accept(json!("at 7")).unwrap_err().code, "not_a_time");
        assert_eq!(accept(json!(17)).unwrap_err().code, "not_a_time");
    });
}

proptest! {
    #[test]
    fn any_words_give_a_result(text in words()) {
        is_total(&Time::default(), &text);
    }

    #[test]
    fn any_text_gives_a_result(text in "\\PC{0,40}") {
        is_total(&Time::default(), &text);
    }

    #[test]
    fn what_is_shown_is_read_back(hour in 0_i8..24, minute in 0_i8..60) {
        // Where twelve hours are counted, 5:30 alone stays open; a region or a leading zero settles it.
        shown_is_read_back(&Time::default(), &Value::Time(time(hour, minute, 0, 0)));
    }
}

#[test]
fn the_widget_knows_the_bounds() {
    let kind = Time { min: Some(time(18, 30, 0, 0)), max: Some(time(22, 0, 0, 0)) };
    let token = chat::Token::new(&chat::Nonce::new(1), 0);
    let input = at(NOW, "en", |cx| kind.input(&token, None, cx));
    assert_eq!(input, chat::Input::Time { min: Some("18:30".to_owned()), max: Some("22:00".to_owned()) });
}
