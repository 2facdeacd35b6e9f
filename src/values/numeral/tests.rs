use formwright_lexicon::all as languages;
use formwright_lexicon::language;
use rstest::rstest;

use super::*;
use crate::testing;

/// The only number of a message, which must be all of it.
fn value(text: &str, lang: &str) -> String {
    let said = Said::new(text);
    match at(&said, 0, language(lang), None) {
        Some(numeral) if numeral.words == (0..said.words.len()) => numeral.value.normalize().to_string(),
        other => format!("{other:?}"),
    }
}

#[rstest]
#[case("a thousand, one-hundred and eleven", "1111")]
#[case("three million, two hundred & forty", "3000240")]
#[case("one million, five hundred thousand, two hundred and three", "1500203")]
#[case("one billion and three quarters million", "1000750000")]
#[case("two thousand and a half", "2500")]
fn groups_of_words_may_have_commas_and_parts(#[case] text: &str, #[case] expected: &str) {
    assert_eq!(value(text, "en"), expected);
}

#[rstest]
#[case("en", "one thousand, two hundred, fifty", &["1000", "200", "50"])]
#[case("en", "a thousand, fifty", &["1000", "50"])]
#[case("ar", "مليونان ونصف", &["2500000"])]
fn what_a_comma_parts_is_a_list_of_small_numbers(
    #[case] lang: &'static str,
    #[case] text: &str,
    #[case] expected: &[&str],
) {
    let found: Vec<String> =
        all(&Said::new(text), &testing::cx(lang)).iter().map(|found| found.value.normalize().to_string()).collect();
    assert_eq!(found, expected, "{text}");
}

#[rstest]
#[case("0", "0")]
#[case("12", "12")]
#[case("-5", "-5")]
#[case("+5", "5")]
#[case("1,234", "1234")]
#[case("1,234.56", "1234.56")]
#[case("1.234,56", "1234.56")]
#[case("1.234.567", "1234567")]
#[case("1'234.50", "1234.5")]
#[case("12,34,567", "1234567")]
#[case("12.5", "12.5")]
#[case("12,5", "12.5")]
#[case("1.234", "1.234")]
#[case("0,125", "0.125")]
#[case(".5", "0.5")]
#[case("٣٤", "34")]
#[case("१२", "12")]
#[case("½", "0.5")]
#[case("1½", "1.5")]
#[case("12½", "12.5")]
#[case("3/4", "0.75")]
#[case("1 1/2", "1.5")]
#[case("2k", "2000")]
#[case("1.5k", "1500")]
#[case("1.5 million", "1500000")]
#[case("3 bn", "3000000000")]
#[case("10M", "10000000")]
#[case("five point oh three", "5.03")]
#[case("point five", "0.5")]
#[case("two point seven billion", "2700000000")]
#[case("a couple of dozen", "24")]
#[case("a couple hundred", "200")]
#[case("2.33 k", "2330")]
#[case("35 lakh", "3500000")]
#[case("2 dozen", "24")]
#[case("2 and a half", "2.5")]
#[case("5 hundred", "500")]
#[case("3rd", "3")]
#[case("21st", "21")]
fn digits_are_read_by_their_shape(#[case] text: &str, #[case] expected: &str) {
    assert_eq!(value(text, "en"), expected);
}

#[rstest]
#[case("ar", "ألفين وستة عشر", "2016")]
#[case("ar", "إحدى وعشرين", "21")]
#[case("ar", "مليونان ومئة ألف", "2100000")]
#[case("ar", "ألف ومئة وخمسة عشر", "1115")]
#[case("ar", "واحد وعشرون تريليون", "21000000000000")]
#[case("ar", "خمس دزينات", "60")]
#[case("ar", "دزينتان", "24")]
#[case("ar", "ثلثان", "0.666666666666667")]
#[case("ar", "كيسين", "2")]
#[case("es", "2 mil millones", "2000000000")]
#[case("es", "un tercio", "0.333333333333333")]
#[case("es", "cinco docenas", "60")]
#[case("fr", "cinq douzaines", "60")]
#[case("it", "cinque dozzine", "60")]
#[case("de", "fünf Dutzend", "60")]
#[case("de", "dreiviertel", "0.75")]
#[case("en", "half of a dozen", "6")]
fn a_number_in_words_is_read_whole(#[case] lang: &str, #[case] text: &str, #[case] expected: &str) {
    assert_eq!(value(text, lang), expected);
}

#[rstest]
#[case("fr", "cinquante pour cent", &["50"])]
#[case("it", "cinquanta per cento", &["50"])]
#[case("es", "cincuenta por ciento", &["50"])]
#[case("en", "$ 7 . 57 a share", &["7.57"])]
#[case("en", "59 . 2 %", &["59.2"])]
#[case("en", "we paid in 1989 . 5 of us went", &["1989", "5"])]
#[case("ar", "خمسة عشر دولارا وخمسة عشر سنتا", &["15", "15"])]
fn what_belongs_to_a_number_is_no_other_one(#[case] lang: &'static str, #[case] text: &str, #[case] expected: &[&str]) {
    let found: Vec<String> =
        all(&Said::new(text), &testing::cx(lang)).iter().map(|found| found.value.normalize().to_string()).collect();
    assert_eq!(found, expected, "{text}");
}

#[rstest]
#[case("de", "Claudia Tausend wuchs hier auf")]
#[case("en", "Peter Seven")]
fn a_surname_that_is_a_numeral_names(#[case] lang: &'static str, #[case] text: &str) {
    let found = all(&Said::new(text), &testing::cx(lang)).into_owned();
    assert!(found.iter().all(|numeral| numeral.near == Near::Code), "{found:?}");
}

#[rstest]
#[case("en", "1.3x10^6", "1300000")]
#[case("en", "1.5 × 10^3", "1500")]
#[case("en", "-12e-1", "-1.2")]
#[case("en", "2.5e3", "2500")]
#[case("en", "2^10", "1024")]
#[case("en", "1.1^+23", "8.95430243255237")]
#[case("en", "⅔", "0.666666666666667")]
#[case("en", "three twenty-firsts", "0.142857142857143")]
#[case("en", "three twenty firsts", "0.142857142857143")]
#[case("en", "one twenty-first", "0.0476190476190476")]
#[case("en", "two hundredths", "0.02")]
#[case("en", "a hundred thousand trillionths", "0.0000001")]
#[case("en", "two thirds of a million", "666666.666666667")]
#[case("en", "half of a million", "500000")]
#[case("en", "two million and three fifths", "2600000")]
#[case("en", "3 hundred and 21", "321")]
#[case("en", "2 million 500 thousand", "2500000")]
#[case("en", "three hundred Cr", "3000000000")]
#[case("en", "five hundred mln", "500000000")]
#[case("en", "seven and three quarters", "7.75")]
#[case("it", "sette e tre quarti", "7.75")]
#[case("it", "tre quinti", "0.6")]
#[case("es", "dos tercios", "0.666666666666667")]
#[case("de", "drei achtel", "0.375")]
#[case("fr", "trois quarts", "0.75")]
#[case("fr", "deux tiers", "0.666666666666667")]
#[case("ar", "ثلاثة أرباع", "0.75")]
fn powers_parts_and_scales(#[case] lang: &str, #[case] text: &str, #[case] expected: &str) {
    assert_eq!(value(text, lang), expected);
}

#[rstest]
#[case("en", "1.234", "1.234", "1234")]
#[case("en", "1,234", "1234", "1.234")]
#[case("it", "1.234", "1234", "1.234")]
#[case("de", "1,234", "1.234", "1234")]
fn an_open_shape_goes_by_the_language_and_keeps_the_other_reading(
    #[case] lang: &str,
    #[case] text: &str,
    #[case] expected: &str,
    #[case] other: &str,
) {
    let numeral = at(&Said::new(text), 0, language(lang), None).unwrap();
    assert_eq!(
        (numeral.value.to_string(), numeral.other.unwrap().to_string()),
        (expected.to_owned(), other.to_owned())
    );
}

#[rstest]
#[case("es", "MX", "1.234", "1.234")]
#[case("es", "ES", "1.234", "1234")]
#[case("de", "CH", "1.234", "1.234")]
#[case("en", "za", "1,234", "1.234")]
fn a_region_may_use_the_other_mark(
    #[case] lang: &str,
    #[case] region: &str,
    #[case] text: &str,
    #[case] expected: &str,
) {
    assert_eq!(at(&Said::new(text), 0, language(lang), Some(region)).unwrap().value.to_string(), expected);
}

#[rstest]
#[case("en", "zero", "0")]
#[case("en", "twenty-one", "21")]
#[case("en", "twenty one", "21")]
#[case("en", "two hundred and five", "205")]
#[case("en", "a hundred", "100")]
#[case("en", "nineteen hundred", "1900")]
#[case("en", "one thousand two hundred thirty-four", "1234")]
#[case("en", "two million three hundred thousand", "2300000")]
#[case("en", "half", "0.5")]
#[case("en", "a half", "0.5")]
#[case("en", "half a million", "500000")]
#[case("en", "half a dozen", "6")]
#[case("en", "a dozen", "12")]
#[case("en", "a couple of", "2")]
#[case("en", "two and a half", "2.5")]
#[case("en", "two and a fourth", "2.25")]
#[case("en", "one-eighth", "0.125")]
#[case("en", "one and a half million", "1500000")]
#[case("en", "a million and a half", "1500000")]
#[case("en", "three quarters", "0.75")]
#[case("en", "three point one four", "3.14")]
#[case("en", "minus five", "-5")]
#[case("en", "three fifths", "0.6")]
#[case("en", "two thirds", "0.666666666666667")]
#[case("en", "twenty one fifths", "4.2")]
#[case("en", "forty two and a third", "42.3333333333333")]
#[case("en", "3 dz", "36")]
#[case("en", "300 Cr", "3000000000")]
#[case("en", "1 414 021 100", "1414021100")]
#[case("en", "- 1,200,000", "-1200000")]
#[case("en", "twenty-first", "21")]
#[case("it", "ventuno", "21")]
#[case("it", "ventitré", "23")]
#[case("it", "ventotto", "28")]
#[case("it", "duecentocinque", "205")]
#[case("it", "duemilatrecentoquarantasei", "2346")]
#[case("it", "centouno", "101")]
#[case("it", "mille", "1000")]
#[case("it", "tremila cinquecento", "3500")]
#[case("it", "un milione e mezzo", "1500000")]
#[case("it", "due e mezzo", "2.5")]
#[case("it", "mezza dozzina", "6")]
#[case("it", "una dozzina", "12")]
#[case("it", "tre virgola venticinque", "3.25")]
#[case("it", "1 milione", "1000000")]
#[case("es", "veintidós", "22")]
#[case("es", "treinta y cinco", "35")]
#[case("es", "ciento cinco", "105")]
#[case("es", "dos mil quinientos", "2500")]
#[case("es", "doscientos mil millones", "200000000000")]
#[case("es", "dos y media", "2.5")]
#[case("es", "media docena", "6")]
#[case("es", "tres coma cinco", "3.5")]
#[case("de", "einundzwanzig", "21")]
#[case("de", "zwei und zwanzig", "22")]
#[case("de", "dreihundertfünfundvierzig", "345")]
#[case("de", "eintausendzweihundert", "1200")]
#[case("de", "neunzehnhundert", "1900")]
#[case("de", "zweieinhalb", "2.5")]
#[case("de", "anderthalb", "1.5")]
#[case("de", "eine halbe Million", "500000")]
#[case("de", "ein Dutzend", "12")]
#[case("de", "drei Komma fünf", "3.5")]
#[case("de", "fuenfzig", "50")]
#[case("de", "dreißig", "30")]
#[case("fr", "quatre-vingt-dix-neuf", "99")]
#[case("fr", "quatre vingt dix neuf", "99")]
#[case("fr", "quatre-vingts", "80")]
#[case("fr", "soixante-quinze", "75")]
#[case("fr", "soixante et onze", "71")]
#[case("fr", "vingt-et-un", "21")]
#[case("fr", "dix-sept", "17")]
#[case("fr", "deux cent cinq", "205")]
#[case("fr", "trois mille", "3000")]
#[case("fr", "deux et demi", "2.5")]
#[case("fr", "une douzaine", "12")]
#[case("fr", "une demi-douzaine", "6")]
#[case("fr", "1 234,56", "1234.56")]
#[case("fr", "nonante", "90")]
#[case("ar", "خمسة", "5")]
#[case("ar", "خمسة وعشرون", "25")]
#[case("ar", "أحد عشر", "11")]
#[case("ar", "مئة وخمسة", "105")]
#[case("ar", "مئتان وخمسة وعشرون", "225")]
#[case("ar", "ثلاثة آلاف", "3000")]
#[case("ar", "خمس عشرة", "15")]
#[case("ar", "١٬٢٣٤٫٥", "1234.5")]
#[case("it", "twenty-one", "21")]
fn words_are_read_in_every_language(#[case] lang: &str, #[case] text: &str, #[case] expected: &str) {
    assert_eq!(value(text, lang), expected);
}

#[rstest]
#[case("anyone")]
#[case("12.03.2026")]
#[case("10.0.0.1")]
#[case("a")]
#[case("and five hundred")]
#[case("hundertwasser")]
fn what_is_no_number_is_none(#[case] text: &str) {
    for lang in languages() {
        assert_eq!(at(&Said::new(text), 0, lang, None), None, "{}", lang.code);
    }
}

#[rstest]
#[case("en", "table for 4 at 7 pm", &["4 Alone", "7 Role(Time)"])]
#[case("en", "at 7", &["7 Role(Unsure)"])]
#[case("en", "at 5:30", &["5 Role(Time)", "30 Role(Time)"])]
#[case("en", "20% off 3 shirts", &["20 Percent(1)", "3 Alone"])]
#[case("en", "$12 and 30 minutes", &["12 Currency", "30 Role(Unit)"])]
#[case("en", "call 347 123 4567", &["347 Dial", "123 Dial", "4567 Dial"])]
#[case("en", "2-3 people, 4 or 5", &["2 Range", "3 Range", "4 Range", "5 Range"])]
#[case("en", "room 12, flight BA245", &["12 Role(Name)", "245 Code"])]
#[case("en", "12 Baker Street", &["12 Role(Address)"])]
#[case("it", "in via Roma 12", &["12 Role(Address)"])]
#[case("de", "Hauptstraße 5", &["5 Role(Address)"])]
#[case("en", "the 3 May", &["3 Role(Date)"])]
#[case("en", "May 3", &["3 Role(Date)"])]
#[case("en", "we fly with a Boeing 747", &["747 Role(Name)"])]
#[case("en", "007 and 02134", &["7 Code", "2134 Code"])]
#[case("en", "10kg, 2x cola", &["10 Role(Unit)", "2 Alone"])]
#[case("en", "me42@x.com", &["42 Code"])]
#[case("en", "1,2,3", &[])]
fn what_stands_beside_a_number_is_told(#[case] lang: &'static str, #[case] text: &str, #[case] expected: &[&str]) {
    let cx = testing::cx(lang);
    let said = Said::new(text);
    let told: Vec<String> =
        all(&said, &cx).iter().map(|numeral| format!("{} {:?}", numeral.value, numeral.near)).collect();
    assert_eq!(told, expected);
}

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config { cases: 128, failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_text_is_read_without_panic(text in "(\\PC|[0-9.,'/ ½²٣-]|twenty|hundred|million|half|and|-|a|eins|cento|quatre){0,24}") {
        let said = Said::new(&text);
        for lang in languages() {
            for numeral in scan(&said, lang, None) {
                let span = said.raw_words(numeral.words.clone());
                proptest::prop_assert!(said.raw.get(span).is_some());
                proptest::prop_assert!(!numeral.words.is_empty());
            }
        }
    }

    #[test]
    fn whole_numbers_in_digits_read_back(value in proptest::num::i64::ANY) {
        let said = Said::new(&value.to_string());
        for lang in languages() {
            let read = at(&said, 0, lang, None).map(|numeral| numeral.value);
            proptest::prop_assert_eq!(read, Some(Decimal::from(value)));
        }
    }
}

#[rstest]
#[case("it", "un paio di dozzine", "24")]
#[case("it", "due virgola sette miliardi", "2700000000")]
#[case("es", "un par de docenas", "24")]
#[case("es", "dos coma siete mil millones", "2700000000")]
#[case("de", "zwei Komma sieben Milliarden", "2700000000")]
#[case("fr", "deux virgule sept milliards", "2700000000")]
#[case("ar", "مليارين", "2000000000")]
fn pairs_of_what_is_counted_and_scales_behind_decimals(#[case] lang: &str, #[case] text: &str, #[case] expected: &str) {
    assert_eq!(value(text, lang), expected);
}

#[test]
fn square_metres_are_no_millions() {
    let numerals = |text: &str| {
        let said = Said::new(text);
        all(&said, &testing::cx("en")).iter().map(|numeral| numeral.value.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(numerals("60M2")[0], "60");
    assert_eq!(numerals("60M"), ["60000000"]);
    // Without a currency beside them these are two numbers.
    assert_eq!(numerals("1 200"), ["1", "200"]);
}
