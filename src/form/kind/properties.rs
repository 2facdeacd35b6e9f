//! What holds for every kind of words, options and places, whatever a person writes.

use formwright_chat as chat;
use formwright_text::Said;
use formwright_values::{Context, Found, Offered, Reading, Value, secret};
use proptest::prelude::*;
use rust_decimal::Decimal;

use super::behaviour::FieldKind;
use super::days::{date, date_range, datetime, duration, time};
use super::numbers::{integer, money, number, percent, rating, yes_no};
use super::parts::hidden;
use super::picks::{choice, choices};
use super::testing::{cx, offered};
use super::things::{channel, file, location, person};
use super::words::{address, email, long_text, pattern, phone, text, url};
use crate::Kind;
use crate::patterns::Patterns;

fn kinds() -> Vec<Box<dyn FieldKind>> {
    let subtype = |subtype| Box::new(text::Text { subtype: Some(subtype), ..text::Text::default() });
    vec![
        Box::new(text::Text::default()),
        subtype(text::Subtype::Person),
        subtype(text::Subtype::Place),
        subtype(text::Subtype::Address),
        subtype(text::Subtype::Code),
        Box::new(long_text::LongText::default()),
        Box::new(choice::Choice {}),
        Box::new(choices::Choices::default()),
        Box::new(email::Email::default()),
        Box::new(phone::Phone { country: Some("IT".to_owned()) }),
        Box::new(url::Url::default()),
        Box::new(pattern::Pattern::new(&Patterns::default(), r"[A-Z]{2}\d{2,4}", None, true).unwrap()),
        Box::new(person::Person {}),
        Box::new(channel::Channel {}),
        Box::new(file::File::default()),
        Box::new(location::Location::default()),
        Box::new(address::Address::default()),
        Box::new(hidden::Hidden {}),
    ]
}

fn options() -> Vec<Offered> {
    offered(&[
        "margherita=Margherita|plain one",
        "diavola=Diavola (hot)|spicy",
        "O+",
        "披萨",
        "👍",
        "road=Road accident / حادث مروري",
        "2 people",
        "No",
    ])
}

/// Words that kinds look for, put together at random, between anything else.
fn messages() -> impl Strategy<Value = String> {
    const PARTS: &[&str] = &[
        "not the diavola",
        "diabola",
        "spicy",
        "all",
        "except",
        "no",
        "and",
        "or",
        "the second one",
        "2",
        "option 3",
        "o+",
        "my name is Ada",
        "I'm",
        "van",
        "via Roma",
        "12",
        "street",
        "rue",
        "straße",
        "12 bis",
        "20121 Milano",
        "n°",
        "347 123 4567",
        "+39",
        "(0)",
        "ext. 4",
        "4111 1111 1111 1111",
        "password:",
        "is",
        "is x",
        "@ada",
        "<@U1|A>",
        "<#",
        "#x",
        "ada@example.com",
        "at",
        "dot",
        "com",
        "example.com",
        "http://",
        "45.46, 9.19",
        "S",
        "W",
        "°",
        "½",
        "ǰ",
        "ß",
        "ﬁ",
        "İ",
        "حادث",
        "٣",
        "披萨",
        "👍",
        "\u{301}",
        "\u{202e}",
        "\u{0}",
        "\n",
        "\t",
        ",",
        ".",
        "'",
        "\"",
        "“",
        "”",
        "«",
        "-",
        "–",
        "?",
        ":",
        "please",
        "thanks",
        "it's",
        "the answer is",
        "AB 1234",
        "ab12",
        "l'ultima",
        "don't",
        "n'",
        "",
        " ",
    ];
    let part = prop_oneof![6 => proptest::sample::select(PARTS).prop_map(str::to_owned), 1 => any::<String>()];
    (proptest::collection::vec((part, proptest::sample::select(&["", " ", "  ", ", "][..])), 0..9))
        .prop_map(|parts| parts.into_iter().map(|(part, space)| part + space).collect())
}

fn found_in(reading: Reading) -> Vec<Found> {
    match reading {
        Reading::Value(found) => vec![found],
        Reading::Ambiguous(all) => {
            assert!(all.len() > 1, "one reading is not ambiguous");
            all
        }
        Reading::Refused(..) | Reading::Nothing => Vec::new(),
    }
}

fn check(kind: &dyn FieldKind, said: &Said, cx: &Context<'_>) {
    let message = said.raw.as_str();
    let mut all = kind.find(said, cx);
    assert!(all.is_sorted_by_key(|found| found.span.start), "{all:?}");
    let reading = kind.read(said, cx);
    if let Reading::Refused(span, _) = &reading {
        assert!(message.get(span.clone()).is_some(), "{span:?} in {message:?}");
    }
    all.extend(found_in(reading));
    for found in all {
        let quote = message.get(found.span.clone()).unwrap_or_else(|| panic!("{found:?} in {message:?}"));
        assert!(!quote.trim().is_empty(), "{found:?} has no quote in {message:?}");
        if kind.check(&found.value, cx).is_ok() {
            let again = kind.accept(&kind.json(&found.value), cx);
            assert_eq!(again.as_ref(), Ok(&found.value), "{message:?}");
            let _ = (kind.show(&found.value, cx), kind.prefill(&found.value));
        }
    }
}

/// The capital of "ǰ" is two characters, of which the small letter is composed again.
#[test]
fn a_name_that_is_spelled_survives_its_json() {
    for kind in kinds() {
        check(&*kind, &Said::new("ǰ ǰ"), &cx("en"));
    }
}

/// A code that is read out stands among the others as it does in the message.
#[test]
fn codes_are_found_in_the_order_of_the_message() {
    for kind in kinds() {
        check(&*kind, &Said::new("tango whiskey nine four, not AB-1234"), &cx("en"));
        check(&*kind, &Said::new("not AB-1234, tango whiskey nine four"), &cx("en"));
    }
}

proptest! {
    #[test]
    fn any_message_gives_quotes_out_of_it_and_values_that_survive_their_json(
        message in messages(),
        lang in proptest::sample::select(&["en", "it-IT", "es", "de-DE", "fr", "ar-SA"][..]),
        other in any::<bool>(),
    ) {
        let options = options();
        let cx = Context { options: &options, other, ..cx(lang) };
        let said = Said::new(&message);
        for kind in kinds() {
            check(&*kind, &said, &cx);
        }
        for span in secret::secrets(&said) {
            prop_assert!(message.get(span.clone()).is_some_and(|quote| !quote.is_empty()), "{span:?}");
        }
    }

    #[test]
    fn an_options_label_names_it_in_any_case(no in 0..5_usize, upper in any::<bool>()) {
        let options = options();
        let cx = Context { options: &options, ..cx("en") };
        let label = options[no].label.clone();
        let said = Said::new(&if upper { label.to_uppercase() } else { label.to_lowercase() });
        let reading = choice::Choice {}.read(&said, &cx);
        let Reading::Value(found) = reading else { panic!("{label}: {reading:?}") };
        prop_assert_eq!(found.value, Value::Option(options[no].id.clone()));
    }
}

#[test]
fn very_long_messages_end_in_good_time() {
    let options = options();
    let cx = Context { options: &options, other: true, ..cx("en") };
    for part in ["diavola ", "1", "12 ", "a.", "@", "via ", "\"", "no the ", "é", "(", "4111 ", "<@", "at dot "] {
        let message = part.repeat(20_000 / part.len());
        let said = Said::new(&message);
        for kind in kinds() {
            check(&*kind, &said, &cx);
        }
        let _ = secret::secrets(&said);
    }
}

#[test]
fn samples_and_widgets_are_made_of_what_the_kind_takes() {
    let options = options();
    let cx = Context { options: &options, other: false, ..cx("en") };
    let slot = chat::Token::new(&chat::Nonce::new(7), 1);
    for kind in kinds() {
        for sample in kind.samples(None) {
            let _ = (kind.input(&slot, Some(&sample), &cx), kind.show(&sample, &cx));
        }
        assert!(kind.schema(None).is_object());
    }
}

/// A value of a kind whose values people write in many ways, and the kind.
fn shown() -> impl Strategy<Value = (Kind, Value)> {
    const CURRENCIES: &[&str] = &["EUR", "USD", "GBP", "JPY", "INR", "SAR", "CHF"];
    let day = |days: i32| jiff::civil::date(1950, 1, 1).saturating_add(jiff::Span::new().days(days));
    let at = |minute: i8, hour: i8| jiff::civil::time(hour, minute, 0, 0);
    let both = move |days: i32, minute, hour| jiff::civil::DateTime::from_parts(day(days), at(minute, hour));
    let decimal = |cents: i64| Decimal::new(cents, 2).normalize();
    let takes: Vec<String> = CURRENCIES.iter().map(|&code| code.to_owned()).collect();
    prop_oneof![
        (-1_000_000_000_i64..1_000_000_000)
            .prop_map(|n| (Kind::Integer(integer::Integer::default()), Value::Integer(n))),
        (-100_000_000_i64..100_000_000)
            .prop_map(move |n| (Kind::Number(number::Number::default()), Value::Number(decimal(n)))),
        (0_i64..10_000).prop_map(move |n| (Kind::Percent(percent::Percent::default()), Value::Number(decimal(n)))),
        (1_i64..=5).prop_map(|n| (Kind::Rating(rating::Rating { min: 1, max: 5 }), Value::Integer(n))),
        (0_i64..100_000_000, prop::sample::select(CURRENCIES)).prop_map(move |(n, code)| {
            let kind =
                money::Money { currency: "EUR".to_owned(), currencies: takes.clone(), ..money::Money::default() };
            let cents = if code == "JPY" { n * 100 } else { n };
            (Kind::Money(kind), Value::Money { amount: Decimal::new(cents, 2), currency: code.to_owned() })
        }),
        (0_i32..50_000).prop_map(move |n| (Kind::Date(date::Date::default()), Value::Date(day(n)))),
        (0_i8..60, 0_i8..24).prop_map(move |(m, h)| (Kind::Time(time::Time::default()), Value::Time(at(m, h)))),
        (0_i32..50_000, 0_i8..60, 0_i8..24)
            .prop_map(move |(n, m, h)| (Kind::Datetime(datetime::Datetime::default()), Value::DateTime(both(n, m, h)))),
        (0_i32..50_000, 0_i32..40).prop_map(move |(n, long)| {
            (Kind::DateRange(date_range::DateRange::default()), Value::DateRange { start: day(n), end: day(n + long) })
        }),
        (1_i64..1_000_000).prop_map(|n| (Kind::Duration(duration::Duration::default()), Value::Duration(n * 60))),
        any::<bool>().prop_map(|yes| (Kind::YesNo(yes_no::YesNo::default()), Value::Bool(yes))),
        "[a-z]{1,8}[0-9]{0,2}@[a-z]{2,8}\\.(com|org|it)"
            .prop_map(|mail| (Kind::Email(email::Email::default()), Value::Text(mail))),
        picked(),
        words(),
    ]
}

/// A choice of [`options`], one or several.
fn picked() -> impl Strategy<Value = (Kind, Value)> {
    let ids: Vec<formwright_values::OptionId> = options().into_iter().map(|option| option.id).collect();
    // "No", "O+" and "2 people" mean too much, or too little, beside other options.
    let plain = ["margherita", "diavola", "road"];
    let named: Vec<_> = ids.iter().filter(|id| plain.contains(&id.as_str())).cloned().collect();
    let some = prop::sample::subsequence(named.clone(), 1..=named.len());
    prop_oneof![
        prop::sample::select(ids).prop_map(|id| (Kind::Choice(choice::Choice {}), Value::Option(id))),
        some.prop_map(|picked| {
            (Kind::Choices(choices::Choices::default()), Value::Options { picked, other: None })
        }),
    ]
}

/// Values that are words, numbers to call and links.
fn words() -> impl Strategy<Value = (Kind, Value)> {
    const NUMBERS: &[&str] = &[
        "+393471234567",
        "+390245678901",
        "+442079460958",
        "+12125550123",
        "+4930123456",
        "+33142685300",
        "+34912345678",
        "+966501234567",
        "+971501234567",
        "+201001234567",
        "+81312345678",
        "+919876543210",
        "+442079460958;ext=42",
    ];
    const NAMES: &[&str] = &[
        "Rosa Klein",
        "Ana María López",
        "Jean-Luc Dupont",
        "Seán O'Brien",
        "Ludwig van der Berg",
        "Leïla Ben Amar",
        "Ada",
        "José",
        "Müller",
        "روزا كلاين",
        "محمد بن سالم",
        "May Summers",
        "Mark Second",
        "April Wong",
        "J. K. Lee",
    ];
    const PLACES: &[&str] = &[
        "Oslo",
        "San José",
        "New York",
        "Reggio nell'Emilia",
        "Saint-Étienne",
        "Frankfurt am Main",
        "الرياض",
        "Nice",
        "Sete",
    ];
    const ADDRESSES: &[&str] = &[
        "via Roma 12, 20121 Milano",
        "12 Baker Street, London",
        "Hauptstraße 5, 10115 Berlin",
        "5 rue de la Paix, Paris",
        "Calle Mayor 7, 28013 Madrid",
        "221B Baker Street",
        "شارع الملك فهد 15، الرياض",
    ];
    let text = |subtype| text::Text { subtype: Some(subtype), ..text::Text::default() };
    let of = move |list: &'static [&'static str], kind: Kind| {
        prop::sample::select(list).prop_map(move |word| (kind.clone(), Value::Text(word.to_owned())))
    };
    let phone = |country: Option<&str>| Kind::Phone(phone::Phone { country: country.map(str::to_owned) });
    let link = "https?://([a-z]{2,6}\\.)?[a-z]{3,8}\\.(com|org|it)(/[a-z0-9]{1,6}){0,2}(\\?[a-z]=[0-9]{1,3})?";
    let code = "[A-Z]{2,3}-?[0-9]{3,6}";
    let pattern =
        || Kind::Pattern(pattern::Pattern::new(&Patterns::default(), r"[A-Z]{2}\d{2,4}", None, true).unwrap());
    prop_oneof![
        of(NUMBERS, phone(None)),
        of(NUMBERS, phone(Some("IT"))),
        link.prop_map(|link| (Kind::Url(url::Url::default()), Value::Text(link))),
        of(NAMES, Kind::Text(text(text::Subtype::Person))),
        of(PLACES, Kind::Text(text(text::Subtype::Place))),
        of(ADDRESSES, Kind::Text(text(text::Subtype::Address))),
        of(ADDRESSES, Kind::Address(address::Address::default())),
        code.prop_map(move |code| (Kind::Text(text(text::Subtype::Code)), Value::Text(code))),
        "[A-Z]{2}[0-9]{2,4}".prop_map(move |code| (pattern(), Value::Text(code))),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    #[test]
    fn what_is_shown_of_a_value_is_read_as_that_value(
        (kind, value) in shown(),
        lang in proptest::sample::select(&["en", "en-US", "it-IT", "es", "de-DE", "fr", "ar-SA"][..]),
    ) {
        let options = options();
        let cx = Context { options: &options, ..cx(lang) };
        let kind = kind.behaviour();
        let shown = kind.show(&value, &cx);
        match kind.read(&Said::new(&shown), &cx) {
            Reading::Value(found) => prop_assert_eq!(found.value, value, "{} {:?}", lang, shown),
            other => prop_assert!(false, "{} {:?}: {:?}, and not {:?}", lang, shown, other, value),
        }
    }
}
