//! What must hold of every kind that holds numbers, and of yes/no, in every language.

use formwright_text::Said;
use formwright_values::{Context, Reading, Value};
use proptest::prelude::*;
use rust_decimal::Decimal;

use super::integer::Integer;
use super::money::Money;
use super::number::Number;
use super::percent::Percent;
use super::rating::Rating;
use super::yes_no::YesNo;
use crate::Kind;
use crate::kind::behaviour::FieldKind;
use crate::kind::testing::cx;

const TAGS: [&str; 8] = ["en", "it", "es", "de", "fr", "ar", "de-CH", "es-MX"];

fn kinds() -> Vec<Kind> {
    let unit = || vec!["pizzas".to_owned(), "metros cuadrados".to_owned(), "Straße".to_owned(), "é".to_owned()];
    vec![
        Kind::Integer(Integer { unit: unit(), ..Integer::default() }),
        Kind::Number(Number { unit: unit(), decimals: Some(3), ..Number::default() }),
        Kind::Money(Money { currency: "EUR".into(), ..Money::default() }),
        Kind::Money(Money { currency: "CAD".into(), currencies: vec!["USD".into(), "JPY".into()], ..Money::default() }),
        Kind::Percent(Percent::default()),
        Kind::Rating(Rating { min: 0, max: 10 }),
        Kind::YesNo(YesNo { yes: vec!["with wifi".into(), "con".into()], no: vec!["offline".into()] }),
    ]
}

/// The value that a shown value reads back as.
fn read_back(kind: &dyn FieldKind, value: &Value, cx: &Context<'_>) -> (String, Option<Value>) {
    let shown = kind.show(value, cx);
    let read = match kind.read(&Said::new(&shown), cx) {
        Reading::Value(found) => Some(found.value),
        Reading::Ambiguous(_) | Reading::Refused(..) | Reading::Nothing => None,
    };
    (shown, read)
}

fn check_read_back(kind: &dyn FieldKind, value: &Value) -> Result<(), TestCaseError> {
    for tag in TAGS {
        let cx = cx(tag);
        let (shown, read) = read_back(kind, value, &cx);
        prop_assert_eq!(read.as_ref(), Some(value), "{} in {}", shown, tag);
    }
    // A widget holds it in its own format, and an API client sends it as it was submitted.
    let prefilled = kind.prefill(value).map(serde_json::Value::from);
    for data in prefilled.into_iter().chain([kind.json(value)]) {
        let accepted = kind.accept(&data, &cx("it")).ok();
        prop_assert_eq!(accepted.as_ref(), Some(value), "{}", data);
    }
    Ok(())
}

proptest! {
    #![proptest_config(proptest::test_runner::Config { cases: 128, failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_text_is_taken_without_panic(
        text in "(\\PC|[0-9.,'/ €$%½-]|twenty|half|and|pizzas|con|non|not|yes|no|euros|stars|out of|x|:|★|kr|é){0,16}",
    ) {
        let said = Said::new(&text);
        for kind in kinds() {
            let kind = kind.behaviour();
            for tag in TAGS {
                let cx = cx(tag);
                for found in kind.find(&said, &cx) {
                    prop_assert!(said.raw.get(found.span).is_some_and(|quote| !quote.is_empty()));
                    let _ = (kind.check(&found.value, &cx), kind.show(&found.value, &cx), kind.json(&found.value));
                }
                match kind.read(&said, &cx) {
                    Reading::Value(found) => prop_assert!(said.raw.get(found.span).is_some()),
                    Reading::Refused(span, _) => prop_assert!(said.raw.get(span).is_some()),
                    Reading::Ambiguous(all) => prop_assert!(all.len() > 1),
                    Reading::Nothing => {}
                }
                let _ = kind.accept(&serde_json::Value::from(text.as_str()), &cx);
            }
        }
    }

    #[test]
    fn whole_numbers_read_back_as_they_are_shown(value: i64) {
        check_read_back(&Integer::default(), &Value::Integer(value))?;
    }

    #[test]
    fn numbers_read_back_as_they_are_shown(digits in -999_999_999_999_i64..1_000_000_000_000, scale in 0_u32..6) {
        let value = Value::Number(Decimal::new(digits, scale).normalize());
        check_read_back(&Number::default(), &value)?;
    }

    #[test]
    fn percentages_read_back_as_they_are_shown(hundredths in 0_i64..10_001) {
        check_read_back(&Percent::default(), &Value::Number(Decimal::new(hundredths, 2).normalize()))?;
    }

    #[test]
    fn amounts_read_back_as_they_are_shown(cents in -99_999_999_i64..100_000_000, code in 0_usize..6) {
        let codes = ["EUR", "USD", "CAD", "GBP", "CHF", "SEK"];
        let kind = Money { currency: codes[5 - code].into(), currencies: codes.map(Into::into).into(), ..Money::default() };
        let amount = Decimal::new(cents, 2).normalize();
        check_read_back(&kind, &Value::Money { amount, currency: codes[code].into() })?;
    }

    #[test]
    fn ratings_read_back_as_they_are_shown(points in 1_i64..11) {
        check_read_back(&Rating { min: 1, max: 10 }, &Value::Integer(points))?;
    }
}

#[test]
fn yes_and_no_read_back_as_they_are_shown() {
    for yes in [true, false] {
        check_read_back(&YesNo::default(), &Value::Bool(yes)).unwrap();
    }
}

#[test]
fn what_is_submitted_is_what_the_schema_says() {
    for kind in kinds() {
        let behaviour = kind.behaviour();
        let schema = jsonschema::validator_for(&behaviour.schema(None)).unwrap();
        for sample in behaviour.samples(None) {
            assert!(schema.is_valid(&behaviour.json(&sample)), "{}: {sample:?}", kind.name());
            assert_eq!(behaviour.check(&sample, &cx("en")), Ok(()), "{}: {sample:?}", kind.name());
        }
    }
}
