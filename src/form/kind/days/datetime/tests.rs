use proptest::prelude::*;
use rstest::rstest;

use super::*;
use crate::kind::days::testing::{NOW, at, finds, is_total, reads, reads_holding, shown_is_read_back, words};

#[rstest]
#[case("tomorrow at 5pm", "=2026-11-21T17:00")]
#[case("5 pm tomorrow", "=2026-11-21T17:00")]
#[case("tomorrow, 17:30", "=2026-11-21T17:30")]
#[case("tomorrow morning at 7", "=2026-11-21T07:00")]
#[case("tonight at 8", "=2026-11-20T20:00")]
#[case("10, tonight", "=2026-11-20T22:00")]
#[case("at 8 in the evening on Sunday", "=2026-11-22T20:00")]
#[case("Sunday early morning at 8:00", "=2026-11-22T08:00")]
#[case("Monday 9 in the evening", "=2026-11-23T21:00")]
#[case("next Monday @ noon", "=2026-11-23T12:00")]
#[case("3 May 2027 at half past five pm", "=2027-05-03T17:30")]
#[case("May 5, 2027, 20 min past eight in the evening", "=2027-05-05T20:20")]
#[case("march eighteenth nine thirty am", "=2027-03-18T09:30")]
#[case("Monday the 24th of May at 6 pm", "=2027-05-24T18:00")]
#[case("at 7:30 PM on Fri, Aug 6, 2027", "=2027-08-06T19:30")]
#[case("5/22/2027(Sat)-11:30 AM", "=2027-05-22T11:30")]
#[case("2026-05-03T17:30", "=2026-05-03T17:30")]
#[case("2026-05-03T17:30:00Z", "=2026-05-03T19:30")]
#[case("2026-05-03T17:30:00.000Z", "=2026-05-03T19:30")]
#[case("2026-05-03 17:30:15", "=2026-05-03T17:30:15")]
#[case("23.04.2027 14:55", "=2027-04-23T14:55")]
#[case("in two hours", "=2026-11-20T12:15")]
#[case("in 90 minutes", "=2026-11-20T11:45")]
#[case("30 minutes later", "=2026-11-20T10:45")]
#[case("1 day 2 hours ago", "=2026-11-19T08:15")]
#[case("now", "=2026-11-20T10:15")]
#[case("for 2 on Friday at 8 pm", "=2026-11-27T20:00")]
#[case("for 6 tonight at 9", "=2026-11-20T21:00")]
#[case("tomorrow at 5", "=2026-11-21T17:00|=2026-11-21T05:00")]
#[case("02/03/2027 at 17:00", "=2027-02-03T17:00|=2027-03-02T17:00")]
#[case("25/3/27 @ 8:49:19", "=2027-03-25T08:49:19")]
#[case("tomorrow at 8:00:20", "=2026-11-21T08:00:20")]
#[case("Sat Nov 28 14:30:06 2026", "=2026-11-28T14:30:06")]
#[case("Nov 28 at 2 pm 2027", "=2027-11-28T14:00")]
#[case("tomorrow 8 05 am", "=2026-11-21T08:05")]
#[case("end of tomorrow", "=2026-11-21T23:59")]
#[case("by the end of this Sunday", "=2026-11-22T23:59")]
#[case("by next Friday please, around half past 6 in the evening", "=2026-11-27T18:30")]
fn days_with_times(#[case] text: &str, #[case] moment: &str) {
    assert_eq!(reads(&Datetime::default(), "en", text), moment);
}

#[rstest]
#[case(Prefer::Future, "17:30", "~2026-11-20T17:30")]
#[case(Prefer::Future, "9 am", "~2026-11-21T09:00")]
#[case(Prefer::Past, "17:30", "~2026-11-19T17:30")]
#[case(Prefer::Past, "9 am", "~2026-11-20T09:00")]
#[case(Prefer::Past, "Monday at 9 am", "=2026-11-16T09:00")]
#[case(Prefer::Past, "last night at 8", "=2026-11-19T20:00")]
fn a_time_alone_is_on_the_nearest_day(#[case] prefer: Prefer, #[case] text: &str, #[case] moment: &str) {
    assert_eq!(reads(&Datetime { prefer, ..Datetime::default() }, "en", text), moment);
}

#[rstest]
#[case("tomorrow", "!time_missing")]
#[case("3 May", "!time_missing")]
#[case("30 Feb", "!date_not_real")]
#[case("hello", "-")]
#[case("99", "-")]
fn a_day_alone_is_not_enough(#[case] text: &str, #[case] read: &str) {
    assert_eq!(reads(&Datetime::default(), "en", text), read);
}

#[rstest]
#[case("en", "on Friday at 25:00", "!time_not_real")]
#[case("en", "Friday at 26", "!time_not_real")]
#[case("en", "tomorrow at 5:75 pm", "!time_not_real")]
#[case("en", "tomorrow at 25 o'clock", "!time_not_real")]
#[case("en", "Friday at ٢٥:٠٠", "!time_not_real")]
#[case("en", "Friday at ١٧:٣٠", "=2026-11-27T17:30")]
#[case("en", "tomorrow at ٥ pm", "=2026-11-21T17:00")]
#[case("it", "venerdì alle 25", "!time_not_real")]
#[case("de", "Freitag um 25 Uhr", "!time_not_real")]
#[case("fr", "vendredi à 25h", "!time_not_real")]
#[case("es", "el viernes a las 25", "!time_not_real")]
#[case("ar", "غدا الساعة ٢٥:٠٠", "!time_not_real")]
#[case("ar", "غدا الساعة ٥ مساء", "=2026-11-21T17:00")]
#[case("ar", "غدا الساعة الخامسة مساء", "=2026-11-21T17:00")]
#[case("ar", "٣/٥/٢٠٢٧ ٨:٣٠ م", "=2027-05-03T20:30")]
#[case("ar", "غدا عند الخامسة مساء", "=2026-11-21T17:00")]
fn a_time_that_no_clock_shows_is_not_dropped(#[case] locale: &str, #[case] text: &str, #[case] read: &str) {
    assert_eq!(reads(&Datetime::default(), locale, text), read);
}

#[rstest]
#[case("de", "in diesem Moment", "=2026-11-20T10:15")]
#[case("es", "en este momento", "=2026-11-20T10:15")]
#[case("fr", "en ce moment", "=2026-11-20T10:15")]
#[case("it", "in questo istante", "=2026-11-20T10:15")]
#[case("ar", "في هذه اللحظة", "=2026-11-20T10:15")]
#[case("fr", "le lendemain à 8h", "=2026-11-21T08:00")]
#[case("de", "am nächsten Tag um 20:00", "=2026-11-21T20:00")]
#[case("es", "al día siguiente a las 20:00", "=2026-11-21T20:00")]
#[case("it", "il giorno dopo alle 20:00", "=2026-11-21T20:00")]
#[case("ar", "اليوم التالي الساعة 20:00", "=2026-11-21T20:00")]
#[case("fr", "mercredi 26/10/2016 à 15h50min6s", "=2016-10-26T15:50:06")]
#[case("ar", "بعد ساعتين ونصف", "=2026-11-20T12:45")]
fn moments_told_by_now(#[case] locale: &str, #[case] text: &str, #[case] moment: &str) {
    assert_eq!(reads(&Datetime::default(), locale, text), moment);
}

#[rstest]
#[case("make it 4 pm", "=2027-06-04T16:00")]
#[case("at 18:30", "=2027-06-04T18:30")]
#[case("at 5", "~2027-06-04T17:00|~2027-06-04T05:00")]
#[case("tomorrow", "=2026-11-21T09:15")]
#[case("Monday at 8 am", "=2026-11-23T08:00")]
#[case("tomorrow at 25:00", "!time_not_real")]
fn a_part_keeps_the_rest_of_what_is_held(#[case] text: &str, #[case] read: &str) {
    let held = Value::DateTime(jiff::civil::date(2027, 6, 4).at(9, 15, 0, 0));
    assert_eq!(reads_holding(&Datetime::default(), &held, text), read);
}

#[rstest]
#[case("at 5", "~2027-06-04T17:00|~2027-06-04T05:00")]
#[case("5 pm", "=2027-06-04T17:00")]
#[case("half past eight in the evening", "=2027-06-04T20:30")]
#[case("rather on Saturday", "!time_missing")]
#[case("Saturday at 5 pm", "=2026-11-21T17:00")]
fn a_time_goes_with_the_day_said_before(#[case] text: &str, #[case] read: &str) {
    let day = Value::Date(jiff::civil::date(2027, 6, 4));
    assert_eq!(reads_holding(&Datetime::default(), &day, text), read);
}

#[rstest]
#[case("en", "29 February 2027 at 10:00", "29 February 2027")]
#[case("en", "at 6 pm on 31 April 2027", "31 April 2027")]
#[case("en", "31.04.2027 18:00", "31.04.2027")]
#[case("en", "32 December at 10:00", "32 December")]
#[case("en", "the 32nd of December at 10:00", "the 32nd of December")]
#[case("en", "December 32 at 10:00", "December 32")]
#[case("en", "2027-02-29T10:00", "2027-02-29")]
#[case("en", "2027-13-01 10:00", "2027-13-01")]
#[case("it", "30 febbraio 2027 alle 10:00", "30 febbraio 2027")]
#[case("es", "el 30 de febrero a las 18:00", "el 30 de febrero")]
#[case("de", "am 31. April 2027 um 18:00", "31. April 2027")]
#[case("de", "am 32. Dezember um 18 Uhr", "32. Dezember")]
#[case("fr", "le 30 février à 18h", "30 février")]
#[case("ar", "٣٠ فبراير ٢٠٢٧ الساعة ٥ مساء", "٣٠ فبراير ٢٠٢٧")]
fn a_time_beside_a_day_that_is_none_is_of_no_other_day(
    #[case] locale: &str,
    #[case] text: &str,
    #[case] day: &str,
    #[values(false, true)] holding: bool,
) {
    let held = Value::DateTime(jiff::civil::date(2027, 6, 4).at(9, 15, 0, 0));
    at(NOW, locale, |cx| {
        let cx = Context { held: Some(&held).filter(|_| holding), ..*cx };
        let said = Said::new(text);
        assert_eq!(Datetime::default().find(&said, &cx).len(), 0, "{text}");
        let Reading::Refused(_, refusal) = Datetime::default().read(&said, &cx) else { panic!("{text}") };
        assert_eq!((refusal.code.as_str(), refusal.facts["said"].as_str()), ("date_not_real", day));
    });
}

#[rstest]
#[case("it", "a 13.30", "~2026-11-20T13:30")]
#[case("en", "around 11.45", "~2026-11-20T11:45")]
fn a_time_with_a_dot_is_no_such_day(#[case] locale: &str, #[case] text: &str, #[case] read: &str) {
    assert_eq!(reads(&Datetime::default(), locale, text), read);
}

#[rstest]
#[case("en", "30 November at 24:00", "=2026-12-01T00:00")]
#[case("en", "24:00 on 30 November", "=2026-12-01T00:00")]
#[case("en", "2027-06-01T24:00", "=2027-06-02T00:00")]
#[case("de", "am 30. November um 24 Uhr", "=2026-12-01T00:00")]
#[case("fr", "le 30 novembre à 24h", "=2026-12-01T00:00")]
#[case("en", "30 November at 00:00", "=2026-11-30T00:00")]
#[case("en", "30 November at quarter to 24", "=2026-11-30T23:45")]
#[case("en", "24:00", "~2026-11-21T00:00")]
fn twenty_four_begins_the_next_day(#[case] locale: &str, #[case] text: &str, #[case] read: &str) {
    assert_eq!(reads(&Datetime::default(), locale, text), read);
}

#[test]
fn twenty_four_begins_the_day_after_the_one_said_before() {
    let day = Value::Date(jiff::civil::date(2027, 6, 4));
    assert_eq!(reads_holding(&Datetime::default(), &day, "at 24:00"), "=2027-06-05T00:00");
    at(NOW, "en", |cx| {
        let accept = |data| Datetime::default().accept(&data, cx).map(|value| Datetime::default().json(&value));
        assert_eq!(accept(json!("2027-06-01T24:00")), Ok(json!("2027-06-02T00:00")));
    });
}

#[rstest]
#[case("1 June 2027 at 14:30 UTC", "=2027-06-01T16:30")]
#[case("1 June 2027 at 14:30 (UTC)", "=2027-06-01T16:30")]
#[case("14:30 UTC on 1 June 2027", "=2027-06-01T16:30")]
#[case("1 June 2027 at 2 pm gmt", "=2027-06-01T16:00")]
#[case("1 June 2027 at 14:30 GMT+5:30", "=2027-06-01T11:00")]
#[case("1 June 2027 at 14:30 UTC -3", "=2027-06-01T19:30")]
#[case("1 June 2027 at 8 in the evening UTC", "=2027-06-01T22:00")]
#[case("1 June 2027 at noon UTC", "=2027-06-01T14:00")]
#[case("2027-06-01T12:00:00+05:30", "=2027-06-01T08:30")]
#[case("2027-06-01T12:00:00-0500", "=2027-06-01T19:00")]
#[case("2027-06-01 23:30+00:00", "=2027-06-02T01:30")]
#[case("1 June 2027 at 9 am EST", "=2027-06-01T15:00")]
#[case("1 December 2026 at 17:00 PST", "=2026-12-02T02:00")]
#[case("1 June 2027 at 14:30 CEST", "=2027-06-01T14:30")]
#[case("1 June 2027 at 14:30 IST", "=2027-06-01T11:00|=2027-06-01T13:30|=2027-06-01T15:30")]
#[case("9:30 UTC", "~2026-11-20T10:30|~2026-11-20T22:30")]
#[case("tomorrow at 5 pm, est. two hours", "=2026-11-21T17:00")]
#[case("tomorrow at 17:00 est", "=2026-11-21T17:00")]
#[case("TOMORROW AT 17:00 EST", "=2026-11-21T23:00")]
#[case("TOMORROW AT 17:00 ET ALORS", "=2026-11-21T17:00")]
fn a_zone_behind_a_time_is_heeded(#[case] text: &str, #[case] read: &str) {
    assert_eq!(reads(&Datetime::default(), "en", text), read);
}

#[rstest]
#[case("en", "1 June 2027 at 3 pm New York time", "=2027-06-01T21:00")]
#[case("en", "1 June 2027, 3 pm in new york time", "=2027-06-01T21:00")]
#[case("en", "1 June 2027 at 3 pm (New York time)", "=2027-06-01T21:00")]
#[case("en", "3 pm on 1 June 2027, Tokyo time", "=2027-06-01T08:00")]
#[case("en", "1 June 2027 at 9 am eastern time", "=2027-06-01T15:00")]
#[case("it", "1 giugno 2027 alle 9 ora di Londra", "=2027-06-01T10:00|=2027-06-01T22:00")]
#[case("it", "1 giugno 2027 alle 15:00, ora di New York", "=2027-06-01T21:00")]
#[case("es", "1 de junio de 2027 a las 15:00 hora de Londres", "=2027-06-01T16:00")]
#[case("de", "1. Juni 2027 um 15 Uhr Londoner Zeit", "=2027-06-01T16:00")]
#[case("de", "1. Juni 2027 um 15 Uhr nach New Yorker Zeit", "=2027-06-01T21:00")]
#[case("de", "1. Juni 2027 um 15 Uhr Ortszeit London", "=2027-06-01T16:00")]
#[case("fr", "1er juin 2027 à 15h heure de Londres", "=2027-06-01T16:00")]
#[case("ar", "1 يونيو 2027 الساعة 15:00 بتوقيت لندن", "=2027-06-01T16:00")]
#[case("en", "1 June 2027 at 3 pm Springfield time", "!zone_not_known")]
#[case("de", "1. Juni 2027 um 15 Uhr Entenhausener Zeit", "!zone_not_known")]
#[case("it", "1 giugno 2027 alle 15:00 ora di Paperopoli", "!zone_not_known")]
#[case("de", "1. Juni 2027, um 15 Uhr Zeit", "=2027-06-01T15:00")]
#[case("it", "1 giugno 2027 alle 15:00, ora di pranzo", "=2027-06-01T15:00")]
#[case("en", "1 June 2027 at 3 pm, lunch time", "=2027-06-01T15:00")]
#[case("en", "1 June 2027, 3 pm Show Time", "=2027-06-01T15:00")]
fn the_clock_of_a_place_is_heeded(#[case] lang: &str, #[case] text: &str, #[case] read: &str) {
    assert_eq!(reads(&Datetime::default(), lang, text), read);
}

#[rstest]
#[case("2:30 am CET", "2027-10-31T02:30+01:00")]
#[case("2:30 am CEST", "2027-10-31T02:30+02:00")]
#[case("02:30 MEZ", "2027-10-31T02:30+01:00")]
#[case("00:30 UTC", "2027-10-31T02:30+02:00")]
fn a_zone_tells_which_of_two_hours_alike_is_meant(#[case] time: &str, #[case] moment: &str) {
    at(NOW, "en", |cx| {
        let said = Said::new(&format!("31 October 2027 at {time}"));
        let Reading::Value(found) = Datetime::default().read(&said, cx) else { panic!("{time}") };
        assert_eq!(Datetime::default().json(&found.value), json!(moment));
        assert_eq!(Datetime::default().check(&found.value, cx), Ok(()));
    });
}

#[test]
fn the_time_that_cannot_be_is_named() {
    let reading = at(NOW, "en", |cx| Datetime::default().read(&Said::new("on Friday at 25:00 please"), cx));
    let Reading::Refused(span, refusal) = reading else { panic!("{reading:?}") };
    assert_eq!((span, refusal.facts["said"].as_str()), (3..18, "25:00"));
}

#[test]
fn the_day_that_lacks_a_time_is_told() {
    let reading = at(NOW, "en", |cx| Datetime::default().read(&Said::new("on 3 May"), cx));
    let Reading::Refused(span, refusal) = reading else { panic!("{reading:?}") };
    assert_eq!((span, refusal.facts["date"].as_str()), (3..8, "Monday 3 May 2027"));
}

#[test]
fn moments_are_found_with_their_quotes() {
    let pair = |quote: &str, moment: &str| (quote.to_owned(), moment.to_owned());
    assert_eq!(
        finds(&Datetime::default(), "en", "I land on 3 May at 5 pm, and leave in 3 days"),
        [pair("3 May at 5 pm", "=2027-05-03T17:00")]
    );
    assert_eq!(finds(&Datetime::default(), "en", "call at 5 pm"), [pair("5 pm", "~2026-11-20T17:00")]);
}

#[rstest]
#[case("it", "domani alle 17 e 30", "=2026-11-21T17:30")]
#[case("it", "alle 9 di mattina del 3 maggio", "=2027-05-03T09:00")]
#[case("it", "fra due ore", "=2026-11-20T12:15")]
#[case("it", "entro la fine di domani", "=2026-11-21T23:59")]
#[case("es", "al final del lunes", "=2026-11-23T23:59")]
#[case("fr", "à la fin de demain", "=2026-11-21T23:59")]
#[case("it", "stasera alle 8", "=2026-11-20T20:00")]
#[case("es", "mañana a las 5 de la tarde", "=2026-11-21T17:00")]
#[case("es", "el próximo lunes a las 17:30", "=2026-11-23T17:30")]
#[case("es", "dentro de dos horas", "=2026-11-20T12:15")]
#[case("de", "morgen um 17 Uhr", "=2026-11-21T17:00")]
#[case("de", "nächsten Montag um halb sechs abends", "=2026-11-23T17:30")]
#[case("de", "in einer Stunde", "=2026-11-20T11:15")]
#[case("fr", "demain à 17h30", "=2026-11-21T17:30")]
#[case("fr", "lundi prochain à midi", "=2026-11-23T12:00")]
#[case("fr", "demain après-midi à cinq heures", "=2026-11-21T17:00")]
#[case("fr", "dans deux heures", "=2026-11-20T12:15")]
#[case("ar", "غدا الساعة 5 مساء", "=2026-11-21T17:00")]
#[case("ar", "بعد ساعتين", "=2026-11-20T12:15")]
fn other_languages(#[case] locale: &str, #[case] text: &str, #[case] read: &str) {
    assert_eq!(reads(&Datetime::default(), locale, text), read);
}

#[test]
fn data_with_a_zone_becomes_local_time() {
    at(NOW, "en", |cx| {
        let accept = |data| Datetime::default().accept(&data, cx).map(|value| Datetime::default().json(&value));
        assert_eq!(accept(json!("2026-05-03T17:30")), Ok(json!("2026-05-03T17:30")));
        assert_eq!(accept(json!("2026-05-03T17:30:00Z")), Ok(json!("2026-05-03T19:30")));
        assert_eq!(accept(json!("tomorrow at noon")), Ok(json!("2026-11-21T12:00")));
        assert_eq!(accept(json!("2026-05-03")).unwrap_err().code, "time_missing");
        assert_eq!(accept(json!(5)).unwrap_err().code, "not_a_datetime");
    });
}

#[test]
fn hours_are_counted_across_a_change_of_clocks() {
    at("2026-03-29T01:30:00+01:00[Europe/Rome]", "en", |cx| {
        let read = |text: &str| match Datetime::default().read(&Said::new(text), cx) {
            Reading::Value(found) => Datetime::default().show(&found.value, cx),
            other => format!("{other:?}"),
        };
        assert_eq!(read("in an hour"), "Sunday 29 March 2026 at 03:30");
        assert_eq!(read("today at 02:30"), "Sunday 29 March 2026 at 02:30");
    });
}

#[test]
fn a_moment_is_shown_in_full() {
    let moment = Value::DateTime(jiff::civil::date(2026, 11, 20).at(17, 30, 0, 0));
    let shown = |locale| at(NOW, locale, |cx| Datetime::default().show(&moment, cx));
    assert_eq!(shown("en-US"), "Friday, November 20, 2026 at 5:30 pm");
    assert_eq!(shown("it"), "venerdì 20 novembre 2026 alle 17:30");
    assert_eq!(shown("de"), "Freitag, 20. November 2026 um 17:30");
}

proptest! {
    #[test]
    fn any_words_give_a_result(text in words()) {
        is_total(&Datetime::default(), &text);
    }

    #[test]
    fn any_text_gives_a_result(text in "\\PC{0,40}") {
        is_total(&Datetime::default(), &text);
    }

    #[test]
    fn what_is_shown_is_read_back(days in 0_i32..100_000, hour in 0_i8..24, minute in 0_i8..60) {
        let day = jiff::civil::date(1900, 1, 1).checked_add(jiff::Span::new().days(days)).unwrap();
        shown_is_read_back(&Datetime::default(), &Value::DateTime(day.at(hour, minute, 0, 0)));
    }
}
