//! Words that look like one thing and are another: signs, prices, telephone numbers, choices left open.

use rstest::rstest;

use super::testing::Stage;

const DESK: &str = include_str!("testing/desk.toml");
const SHOP: &str = r#"
schema = 1
id = "shop"
title = "Order"
[[field]]
id = "chairs"
kind = "integer"
label = "Chairs"
unit = ["chair", "chairs"]
[[field]]
id = "price"
kind = "money"
currency = "EUR"
[[field]]
id = "time"
kind = "time"
label = "Delivery time"
"#;

#[rstest]
#[case::named("colour", "guests: -3", "guests=-3")]
#[case::of_no_bound("colour", "temperature: -3", "temp=-3")]
#[case::verb("colour", "the temperature is -3", "temp=-3")]
#[case::true_minus("colour", "temperature is \u{2212}3", "temp=-3")]
#[case::in_words("colour", "temperature: minus three", "temp=-3")]
#[case::decimals("colour", "temperature: -2.5", "temp=-2.5")]
#[case::asked("guests", "-3", "guests=-3")]
#[case::asked_apart("guests", "\u{2212} 3", "guests=-3")]
#[case::a_dash("phone", "guests - 3", "guests=3")]
#[case::words("note", "-3 in the shade", "note=-3 in the shade")]
fn a_sign_belongs_to_its_number(#[case] pending: &str, #[case] message: &str, #[case] expected: &str) {
    assert_eq!(Stage::new(DESK, pending).line(message), expected);
}

#[rstest]
#[case::price("chairs", "5 chairs at 10.50 each", "chairs=5; ~=price={\"amount\":\"10.50\",\"currency\":\"EUR\"}")]
#[case::whole("time", "5 chairs at 10 each", "chairs=5; ~=price={\"amount\":\"10.00\",\"currency\":\"EUR\"}")]
#[case::a_time("chairs", "5 chairs at 10:50", "chairs=5; time=10:50")]
fn a_price_is_no_time(#[case] pending: &str, #[case] message: &str, #[case] expected: &str) {
    assert_eq!(Stage::new(SHOP, pending).line(message), expected);
}

#[rstest]
#[case::phones("phone", "347 1234567 or 348 7654321", "?(phone=+393471234567 | phone=+393487654321)")]
#[case::named_phones(
    "guests",
    "phone 347 1234567 or 348 7654321",
    "?(phone=+393471234567 | phone=+393487654321); ~phone"
)]
#[case::emails("guests", "my e-mail is a@b.it or c@d.it", "?(email=a@b.it | email=c@d.it)")]
#[case::days("guests", "on 3 May or 5 May", "?(day=2027-05-03 | day=2027-05-05)")]
#[case::named_days("guests", "day: 3 May or 5 May", "?(day=2027-05-03 | day=2027-05-05)")]
#[case::counts("phone", "5 or 6 guests", "?(guests=5 | guests=6); ~guests")]
#[case::counts_asked("guests", "5 or 6", "?(guests=5 | guests=6)")]
#[case::both("guests", "347 1234567 and a@b.it", "phone=+393471234567; email=a@b.it")]
fn of_two_choices_the_person_is_asked_which(#[case] pending: &str, #[case] message: &str, #[case] expected: &str) {
    assert_eq!(Stage::new(DESK, pending).line(message), expected);
}

#[rstest]
#[case::counted("guests", "0347 1234567", "")]
#[case::mobile("guests", "347 123 4567", "phone=+393471234567")]
#[case::joined("guests", "3471234567", "phone=+393471234567")]
fn a_telephone_number_counts_nothing(#[case] pending: &str, #[case] message: &str, #[case] expected: &str) {
    let line = Stage::new(DESK, pending).line(message);
    assert!(!line.contains("guests"), "{line}");
    assert!(line.starts_with(expected), "{line}");
}

#[rstest]
#[case::floor("guests", "via del Corso 100, 3rd floor", "address=via del Corso 100, 3rd floor")]
#[case::floor_asked("address", "via del Corso 100, 3rd floor", "address=via del Corso 100, 3rd floor")]
#[case::phone("address", "via Roma 12 347 123 4567", "address=via Roma 12; phone=+393471234567")]
#[case::phone_apart("guests", "via Roma 12, 3471234567", "address=via Roma 12; phone=+393471234567")]
#[case::other_languages("guests", "via Roma 12, 3° piano", "address=via Roma 12, 3° piano")]
#[case::short_street("guests", "Hauptstr. 5, 2. Stock", "address=Hauptstr. 5, 2. Stock")]
#[case::number_first("guests", "12 rue de la Paix, 3ème étage", "address=12 rue de la Paix, 3ème étage")]
#[case::no_address("address", "12 via", "!address address_expected \"12 via\"")]
#[case::no_address_named("guests", "address: 12 via", "!address address_expected \"12 via\"")]
fn an_address_is_taken_whole(#[case] pending: &str, #[case] message: &str, #[case] expected: &str) {
    assert_eq!(Stage::new(DESK, pending).line(message), expected);
}

#[rstest]
#[case::with_its_name("guests", "my IBAN is IT60X0542811101000000123456", "later iban")]
#[case::alone("guests", "IT60X0542811101000000123456", "later iban")]
#[case::beside("guests", "2 guests, IBAN: IT60X0542811101000000123456", "guests=2; later iban")]
#[case::wrong("guests", "the IBAN is 12", "later iban")]
#[case::while_words_are_asked("note", "a party, my IBAN is IT60X0542811101000000123456", "note=a party; later iban")]
#[case::asked("iban", "IT60X0542811101000000123456", "iban=IT60X0542811101000000123456")]
#[case::yes_no("guests", "2 guests and the newsletter please", "guests=2; later newsletter")]
#[case::question("guests", "what is the newsletter?", "ask \"what is the newsletter?\"")]
fn what_is_asked_later_is_not_lost(#[case] pending: &str, #[case] message: &str, #[case] expected: &str) {
    assert_eq!(Stage::new(DESK, pending).line(message), expected);
}

#[test]
fn what_was_asked_is_asked_again() {
    let stage = Stage::new(DESK, "review").having("iban=IT60X0542811101000000123456");
    assert_eq!(stage.line("my IBAN is DE89370400440532013000"), "edit iban");
}
