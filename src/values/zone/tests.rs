use formwright_lexicon::language;
use rstest::rstest;

use super::*;

const NOW: &str = "2026-11-20T14:07:00Z";

fn reads(tag: &str, text: &str) -> String {
    let (lang, region) = tag.split_once('-').map_or((tag, None), |(lang, region)| (lang, Some(region)));
    let known = Known { now: NOW.parse().unwrap(), lang: language(lang), region };
    let said = Said::new(text);
    let named = read(&said, &known);
    if named.is_empty() { by_clock(&said, &known).join(" ") } else { named.join(" ") }
}

#[rstest]
#[case("en", "Berlin", "Europe/Berlin")]
#[case("en", "I'm in Berlin, Germany", "Europe/Berlin")]
#[case("en", "my time zone is new york", "America/New_York")]
#[case("en", "Europe/Rome", "Europe/Rome")]
#[case("en", "it's europe/rome.", "Europe/Rome")]
#[case("en", "Austin, Texas", "America/Chicago")]
#[case("en", "Arizona", "America/Phoenix")]
#[case("en", "Russia", "Europe/Moscow Asia/Yekaterinburg Asia/Novosibirsk Asia/Vladivostok")]
#[case("it", "Milano", "Europe/Rome")]
#[case("it", "sono a Londra", "Europe/London")]
#[case("es", "estoy en Ciudad de México", "America/Mexico_City")]
#[case("de", "München", "Europe/Berlin")]
#[case("de", "Ich bin in Österreich", "Europe/Vienna")]
#[case("fr", "à Genève", "Europe/Zurich")]
#[case("ar", "أنا في القاهرة", "Africa/Cairo")]
#[case("en", "no idea", "")]
#[case("en", "yes", "")]
fn a_place_names_a_zone(#[case] lang: &str, #[case] text: &str, #[case] zones: &str) {
    assert_eq!(reads(lang, text), zones, "{text}");
}

#[rstest]
#[case("en", "UTC", "UTC")]
#[case("en", "UTC+2", "+02:00")]
#[case("en", "gmt -3:30", "-03:30")]
#[case("en", "UTC +5.5", "+05:30")]
#[case("en", "+0530", "+05:30")]
#[case("en", "-11", "-11:00")]
#[case("en", "UTC+25", "")]
#[case("en", "UTC-13", "")]
#[case("en", "I use UTC+1", "+01:00")]
#[case("it", "CET", "Europe/Rome")]
#[case("de", "MEZ", "Europe/Berlin")]
#[case("fr", "cet", "Europe/Paris")]
#[case("en", "CET", "Europe/Berlin")]
#[case("en", "pst", "America/Los_Angeles")]
#[case("en", "IST", "Asia/Kolkata Asia/Jerusalem Europe/Dublin")]
#[case("en", "we met at once", "")]
fn a_distance_or_letters_name_a_zone(#[case] lang: &str, #[case] text: &str, #[case] zones: &str) {
    assert_eq!(reads(lang, text), zones, "{text}");
}

#[rstest]
#[case("it", "sono le 15:10", "Europe/Rome")]
#[case("de", "hier ist es 15 Uhr", "Europe/Berlin")]
#[case("en-US", "it's 9 am here", "America/New_York")]
#[case("en-US", "it's 7:06 am", "America/Denver America/Phoenix -07:00")]
#[case("en", "it's 3 pm here", "Europe/Berlin Africa/Lagos +01:00")]
#[case("en", "19:40", "Asia/Kolkata +05:30")]
#[case("en", "03:07", "Pacific/Auckland -11:00 +13:00")]
fn the_time_that_it_is_there_names_a_zone(#[case] lang: &str, #[case] text: &str, #[case] zones: &str) {
    assert_eq!(reads(lang, text), zones, "{text}");
}

#[test]
fn every_zone_of_the_tables_is_one() {
    let of_lands = LANDS.values().flatten().copied();
    let likely = BY_LANGUAGE.iter().flat_map(|(_, zones)| zones.iter().copied());
    for name in of_lands.chain(likely).chain(POPULOUS.iter().copied()).chain(names::zones()) {
        assert_eq!(canonical(name).as_deref(), Some(name), "{name}");
        assert!(get(name).is_some(), "{name}");
    }
    assert!(LANDS.len() > 240, "{}", LANDS.len());
}

#[rstest]
#[case("IT", Some("Europe/Rome"))]
#[case("DE", Some("Europe/Berlin"))]
#[case("CN", None)]
#[case("US", None)]
#[case("ES", None)]
#[case("ZZ", None)]
fn a_country_with_one_clock_has_a_zone(#[case] code: &str, #[case] zone: Option<&str>) {
    assert_eq!(of_country(code, NOW.parse().unwrap()), zone);
}

#[rstest]
#[case(45.4642, 9.19, Some("Europe/Rome"))]
#[case(19.07, 72.88, Some("Asia/Kolkata"))]
#[case(47.6, -122.33, Some("America/Los_Angeles"))]
#[case(32.3, -106.75, Some("America/Denver"))]
#[case(91.0, 0.0, None)]
#[case(f64::NAN, 0.0, None)]
fn a_point_on_the_map_has_a_zone(#[case] lat: f64, #[case] lng: f64, #[case] zone: Option<&str>) {
    let location = formwright_chat::LocationRef { lat, lng, address: None, city: None, country: None };
    assert_eq!(at(&location).as_deref(), zone);
}

#[rstest]
#[case("Europe/Rome", Some("Europe/Rome"), "Rome")]
#[case("america/new_york", Some("America/New_York"), "New York")]
#[case("UTC", Some("UTC"), "UTC")]
#[case("+05:30", Some("+05:30"), "UTC+5:30")]
#[case("-03:00", Some("-03:00"), "UTC-3")]
#[case("+15:00", None, "+15:00")]
#[case("Mars/Olympus", None, "Olympus")]
fn a_zone_has_a_name_for_programs_and_one_for_people(
    #[case] name: &str,
    #[case] known: Option<&str>,
    #[case] shown: &str,
) {
    assert_eq!(canonical(name).as_deref(), known);
    assert_eq!(label(known.unwrap_or(name)), shown);
}

#[rstest]
#[case(Some("IT"), "en", &["Europe/Rome"])]
#[case(Some("US"), "en", &["America/New_York", "America/Chicago", "America/Denver", "America/Phoenix", "America/Los_Angeles", "America/Anchorage", "Pacific/Honolulu"])]
#[case(None, "de", &["Europe/Berlin"])]
#[case(Some("FR"), "fr", &["Europe/Paris"])]
fn likely_zones_are_those_of_the_region_then_of_the_language(
    #[case] region: Option<&str>,
    #[case] lang: &str,
    #[case] zones: &[&str],
) {
    assert_eq!(likely(region, lang), zones);
}
