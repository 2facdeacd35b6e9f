//! Days that are read whole or not at all: runs of figures, years apart, places in a row in words, days told by today.

use rstest::rstest;

use super::*;

#[rstest]
#[case("fr", "20 02 14", "~2014-02-20")]
#[case("it", "20 2 14", "~2014-02-20")]
#[case("de", "04 02 2019", "~2019-02-04")]
#[case("es", "31 10", "~2027-10-31")]
#[case("fr", "le 31 10", "~2027-10-31")]
#[case("ar", "31 10", "~2027-10-31")]
#[case("en-US", "10 31", "~2027-10-31")]
#[case("en", "31 10", "~2027-10-31")]
#[case("fr", "le 31 45", "-")]
#[case("es", "20 02 14 5", "-")]
#[case("de", "7 5", "-")]
#[case("fr", "le 12/08, 2015", "=2015-08-12")]
#[case("it", "il 12/08, 2015", "=2015-08-12")]
#[case("es", "el 12/08 de 2015", "=2015-08-12")]
#[case("de", "am 12.08., 2015", "=2015-08-12")]
#[case("en-GB", "12/08, 2015", "=2015-08-12")]
#[case("ar", "12/08، 2015", "=2015-08-12")]
fn figures(#[case] locale: &str, #[case] text: &str, #[case] day: &str) {
    assert_eq!(reads(&Date::default(), locale, text), day);
}

#[rstest]
#[case("الحادي والعشرين من مايو", "=2027-05-21")]
#[case("الثالث عشر من شباط 2013", "=2013-02-13")]
#[case("الأربعاء الموافق الثالث عشر من شباط 2013", "=2013-02-13")]
#[case("التاسع والعشرون من شباط 2020", "=2020-02-29")]
#[case("الثلاثين من تموز", "=2027-07-30")]
#[case("خمسة عشر أكتوبر", "=2027-10-15")]
#[case("خمسة وعشرين مايو", "=2027-05-25")]
#[case("9 شتنبر", "=2027-09-09")]
#[case("12 غشت لعام 2030", "=2030-08-12")]
#[case("3 تشرين ثاني", "=2027-11-03")]
#[case("15 أيار/مايو 2028", "=2028-05-15")]
#[case("الجمعة الأولى من يوليو", "=2027-07-02")]
#[case("الاثنين الأخير من سبتمبر", "=2027-09-27")]
#[case("الاثنين الثامن عشر من يناير 2027", "=2027-01-18")]
#[case("الاثنين الرابع من يناير 2027", "=2027-01-04")]
#[case("اليوم الأخير", "-")]
#[case("الجمعة اللي فاتت", "=2026-11-13")]
#[case("بعد أحد عشر يوما", "=2026-12-01")]
#[case("قبل أمس", "=2026-11-18")]
fn arabic_words(#[case] text: &str, #[case] day: &str) {
    assert_eq!(reads(&Date::default(), "ar", text), day);
}

#[rstest]
#[case("en", "the next day", "=2026-11-21")]
#[case("en", "the day before", "=2026-11-19")]
#[case("de", "am nächsten Tag", "=2026-11-21")]
#[case("es", "al día siguiente", "=2026-11-21")]
#[case("fr", "le jour suivant", "=2026-11-21")]
#[case("it", "il giorno dopo", "=2026-11-21")]
#[case("ar", "اليوم التالي", "=2026-11-21")]
#[case("ar", "اليوم السابق", "=2026-11-19")]
#[case("en", "the day after my birthday", "-")]
#[case("en", "it was a bad day before that", "-")]
#[case("en", "the day after Christmas", "=2026-12-26")]
#[case("fr", "ce jour", "=2026-11-20")]
#[case("es", "este mismo día", "=2026-11-20")]
#[case("it", "questo giorno", "=2026-11-20")]
#[case("de", "am heutigen Tag", "=2026-11-20")]
#[case("en", "last week's Friday", "=2026-11-13")]
#[case("en", "the twenty-fifth", "~2026-11-25")]
#[case("ar", "الخامس عشر", "~2026-12-15")]
fn days_told_by_today(#[case] locale: &str, #[case] text: &str, #[case] day: &str) {
    assert_eq!(reads(&Date::default(), locale, text), day);
}

#[rstest]
#[case("en", "the next day")]
#[case("ar", "اليوم التالي")]
fn the_next_day_of_a_longer_message_hangs_on_another(#[case] locale: &str, #[case] text: &str) {
    assert_eq!(finds(&Date::default(), locale, text), []);
}
