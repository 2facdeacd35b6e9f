//! Days that lie back by the words around them, and years of two digits.

use rstest::rstest;

use super::*;

#[rstest]
#[case("en", "since Monday", "=2026-11-16")]
#[case("en", "it happened on Saturday", "=2026-11-14")]
#[case("en", "the accident was on the 12th", "=2026-11-12")]
#[case("en", "it broke down on 3 May", "=2026-05-03")]
#[case("en", "on Saturday my phone was stolen", "=2026-11-14")]
#[case("it", "è successo sabato", "=2026-11-14")]
#[case("it", "non funziona da lunedì", "=2026-11-16")]
#[case("es", "ocurrió el sábado", "=2026-11-14")]
#[case("es", "el coche está averiado desde el lunes", "=2026-11-16")]
#[case("de", "seit Montag", "=2026-11-16")]
#[case("de", "am Samstag ist es passiert", "=2026-11-14")]
#[case("de", "mein Handy wurde am Samstag gestohlen", "=2026-11-14")]
#[case("fr", "depuis lundi", "=2026-11-16")]
#[case("fr", "l'accident s'est produit samedi", "=2026-11-14")]
#[case("ar", "منذ يوم الاثنين", "=2026-11-16")]
#[case("ar", "وقع الحادث يوم السبت", "=2026-11-14")]
fn what_has_happened_lies_back(#[case] lang: &str, #[case] text: &str, #[case] day: &str) {
    assert_eq!(reads(&Date::default(), lang, text), day);
}

#[rstest]
#[case("en", "I want it since Monday", "=2026-11-23")]
#[case("en", "it broke, can you come on Saturday", "=2026-11-21")]
#[case("en", "we came late and want to come on Saturday", "=2026-11-21")]
#[case("en", "I bought tickets for Saturday", "=2026-11-21")]
#[case("en", "can you repair on Saturday what was stolen", "=2026-11-21")]
#[case("it", "si è rotto, potete venire sabato", "=2026-11-21")]
#[case("es", "se rompió, quiero una cita el sábado", "=2026-11-21")]
#[case("de", "ich möchte am Samstag kommen", "=2026-11-21")]
#[case("de", "ich habe am Samstag Zeit", "=2026-11-21")]
#[case("fr", "j'ai perdu ma clé, pouvez-vous venir samedi", "=2026-11-21")]
#[case("ar", "أريد موعدا يوم السبت", "=2026-11-21")]
fn what_is_wished_is_to_come(#[case] lang: &str, #[case] text: &str, #[case] day: &str) {
    assert_eq!(reads(&Date::default(), lang, text), day);
}

#[rstest]
#[case("5 dec 85", "=1985-12-05")]
#[case("born 5 Dec '85", "=1985-12-05")]
#[case("December 5 85", "=1985-12-05")]
#[case("the 5th of December 85", "=1985-12-05")]
#[case("5 dec 40", "=2026-12-05")]
#[case("5 dec 12", "=2026-12-05")]
#[case("5 dec 45 people", "=2026-12-05")]
fn two_digits_that_are_no_day_are_a_year_gone_by(#[case] text: &str, #[case] day: &str) {
    assert_eq!(reads(&Date::default(), "en", text), day);
}

#[rstest]
#[case("5 dec 05", "=2005-12-05")]
#[case("5 dec 40", "=1940-12-05")]
#[case("Dec 5, 85", "=1985-12-05")]
#[case("5 may 85 in Rome", "=1985-05-05")]
#[case("5 12 85", "~1985-05-12|~1985-12-05")]
#[case("15 12 85", "~1985-12-15")]
fn where_days_lie_back_any_two_digits_are_a_year(#[case] text: &str, #[case] day: &str) {
    assert_eq!(reads(&past(), "en", text), day);
}

#[rstest]
#[case("the third of the fifth seventy one", "=1971-05-03")]
#[case("the 3rd of the 5th 1971", "=1971-05-03")]
#[case("25051971", "~1971-05-25")]
#[case("03051971", "~1971-03-05|~1971-05-03")]
#[case("99991971", "-")]
fn a_day_of_birth_may_have_its_month_by_number(#[case] text: &str, #[case] day: &str) {
    assert_eq!(reads(&past(), "en", text), day);
}
