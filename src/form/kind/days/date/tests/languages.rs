//! Days in the other languages.

use rstest::rstest;

use super::*;

#[rstest]
#[case("domani", "=2026-11-21")]
#[case("dopodomani", "=2026-11-22")]
#[case("l'altro ieri", "=2026-11-18")]
#[case("stasera", "=2026-11-20")]
#[case("lunedì", "=2026-11-23")]
#[case("lunedi prossimo", "=2026-11-23")]
#[case("venerdì scorso", "=2026-11-13")]
#[case("fra tre giorni", "=2026-11-23")]
#[case("tra una settimana", "=2026-11-27")]
#[case("due settimane fa", "=2026-11-06")]
#[case("il 3 maggio", "=2027-05-03")]
#[case("l'8 maggio 2027", "=2027-05-08")]
#[case("il primo maggio", "=2027-05-01")]
#[case("tre maggio", "=2027-05-03")]
#[case("venerdì 27 novembre", "=2026-11-27")]
#[case("mercoledì della prossima settimana", "=2026-11-25")]
#[case("a fine mese", "=2026-11-30")]
#[case("Natale", "=2026-12-25")]
#[case("a Ferragosto", "=2027-08-15")]
#[case("lunedì santo", "=2027-03-22")]
#[case("30 febbraio", "!date_not_real")]
#[case("tomorrow", "=2026-11-21")]
fn italian(#[case] text: &str, #[case] day: &str) {
    assert_eq!(reads(&Date::default(), "it", text), day);
}

#[rstest]
#[case("mañana", "=2026-11-21")]
#[case("pasado mañana", "=2026-11-22")]
#[case("ayer", "=2026-11-19")]
#[case("el próximo lunes", "=2026-11-23")]
#[case("el lunes que viene", "=2026-11-23")]
#[case("el viernes pasado", "=2026-11-13")]
#[case("dentro de tres días", "=2026-11-23")]
#[case("en 2 semanas", "=2026-12-04")]
#[case("hace tres semanas", "=2026-10-30")]
#[case("el 3 de mayo", "=2027-05-03")]
#[case("el 3 de mayo de 2027", "=2027-05-03")]
#[case("el primero de mayo", "=2027-05-01")]
#[case("Nochevieja", "=2026-12-31")]
#[case("el 02/03", "=2027-03-02")]
fn spanish(#[case] text: &str, #[case] day: &str) {
    assert_eq!(reads(&Date::default(), "es", text), day);
}

#[rstest]
#[case("morgen", "=2026-11-21")]
#[case("übermorgen", "=2026-11-22")]
#[case("vorgestern", "=2026-11-18")]
#[case("heute Abend", "=2026-11-20")]
#[case("nächsten Montag", "=2026-11-23")]
#[case("am Montag", "=2026-11-23")]
#[case("letzten Dienstag", "=2026-11-17")]
#[case("Freitag nächster Woche", "=2026-11-27")]
#[case("in drei Tagen", "=2026-11-23")]
#[case("in einer Woche", "=2026-11-27")]
#[case("vor zwei Wochen", "=2026-11-06")]
#[case("am 3. Mai", "=2027-05-03")]
#[case("3. Mai 2027", "=2027-05-03")]
#[case("am dritten Mai", "=2027-05-03")]
#[case("am 3.5.", "=2027-05-03")]
#[case("den 03.05.2027", "=2027-05-03")]
#[case("am einundzwanzigsten Mai", "=2027-05-21")]
#[case("Heiligabend", "=2026-12-24")]
#[case("Ende des Monats", "=2026-11-30")]
fn german(#[case] text: &str, #[case] day: &str) {
    assert_eq!(reads(&Date::default(), "de", text), day);
}

#[rstest]
#[case("demain", "=2026-11-21")]
#[case("après-demain", "=2026-11-22")]
#[case("aujourd'hui", "=2026-11-20")]
#[case("avant-hier", "=2026-11-18")]
#[case("ce soir", "=2026-11-20")]
#[case("lundi prochain", "=2026-11-23")]
#[case("vendredi dernier", "=2026-11-13")]
#[case("dans trois jours", "=2026-11-23")]
#[case("dans une semaine", "=2026-11-27")]
#[case("il y a deux semaines", "=2026-11-06")]
#[case("le 3 mai", "=2027-05-03")]
#[case("le 1er mai 2027", "=2027-05-01")]
#[case("le premier mai", "=2027-05-01")]
#[case("le trois mai", "=2027-05-03")]
#[case("vendredi de la semaine prochaine", "=2026-11-27")]
#[case("à Noël", "=2026-12-25")]
#[case("fin du mois", "=2026-11-30")]
fn french(#[case] text: &str, #[case] day: &str) {
    assert_eq!(reads(&Date::default(), "fr", text), day);
}

#[rstest]
#[case("غدا", "=2026-11-21")]
#[case("غدًا", "=2026-11-21")]
#[case("بعد غد", "=2026-11-22")]
#[case("أمس", "=2026-11-19")]
#[case("اليوم", "=2026-11-20")]
#[case("الاثنين القادم", "=2026-11-23")]
#[case("يوم الجمعة الماضي", "=2026-11-13")]
#[case("بعد ثلاثة أيام", "=2026-11-23")]
#[case("بعد يومين", "=2026-11-22")]
#[case("قبل أسبوعين", "=2026-11-06")]
#[case("بكرا", "=2026-11-21")]
#[case("اليوم الوطني", "-")]
#[case("3 مايو", "=2027-05-03")]
#[case("٣ مايو ٢٠٢٧", "=2027-05-03")]
#[case("الجمعة 27 نوفمبر 2026", "=2026-11-27")]
fn arabic(#[case] text: &str, #[case] day: &str) {
    assert_eq!(reads(&Date::default(), "ar", text), day);
}

#[rstest]
#[case("en", "Friday 20 November 2026")]
#[case("en-US", "Friday, November 20, 2026")]
#[case("it", "venerdì 20 novembre 2026")]
#[case("es", "viernes, 20 de noviembre de 2026")]
#[case("de", "Freitag, 20. November 2026")]
#[case("fr", "vendredi 20 novembre 2026")]
#[case("ar", "الجمعة 20 نوفمبر 2026")]
fn a_day_is_shown_in_full(#[case] locale: &str, #[case] shown: &str) {
    let day = Value::Date(civil::date(2026, 11, 20));
    assert_eq!(at(NOW, locale, |cx| Date::default().show(&day, cx)), shown);
}

#[test]
fn a_refusal_tells_the_bound_as_shown() {
    let kind = Date { max: Some(Bound::TODAY), ..Date::default() };
    let refusal = at(NOW, "it", |cx| kind.check(&Value::Date(civil::date(2027, 1, 1)), cx).unwrap_err());
    assert_eq!(refusal.facts["max"], "venerdì 20 novembre 2026");
    assert_eq!(refusal.facts["date"], "venerdì 1 gennaio 2027");
}
