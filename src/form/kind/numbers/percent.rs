//! `percent`: a percentage.
//!
//! `12.5%`, "12 percent", "per cento"; "half" is 50 %. A bare number is one where a percentage is asked for.

use formwright_chat as chat;
use formwright_text::Said;
use formwright_values::numeral::{Near, Numeral};
use formwright_values::{Context, Found, Reading, Refusal, Strength, Value, numeral, numeric};
use rust_decimal::Decimal;
use serde_json::{Value as Json, json};

use super::number;
use crate::choices::Choices;
use crate::kind::behaviour::FieldKind;

/// A percentage.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Percent {
    /// Least value; 0 by default.
    pub min: Option<Decimal>,
    /// Greatest value; 100 by default.
    pub max: Option<Decimal>,
}

impl Percent {
    fn min(&self) -> Decimal {
        self.min.unwrap_or_default()
    }

    fn max(&self) -> Decimal {
        self.max.unwrap_or(Decimal::ONE_HUNDRED)
    }
}

fn show(value: Decimal, cx: &Context<'_>) -> String {
    let space = if cx.lang.number.percent_space { "\u{a0}" } else { "" };
    format!("{}{space}%", numeric::format(value, None, numeric::GROUP_COUNTS, cx))
}

impl FieldKind for Percent {
    fn find(&self, said: &Said, cx: &Context<'_>) -> Vec<Found> {
        let numerals = numeral::all(said, cx);
        let found = numerals.iter().filter_map(|numeral| {
            let (words, strength) = match numeral.near {
                Near::Percent(words) => (numeral.words.start..numeral.words.end + words, Strength::Exact),
                _ => (numeral.words.clone(), numeric::judge(said, cx, numeral, &[])?.strength.min(Strength::Weak)),
            };
            Some(Found { span: said.raw_words(words), value: Value::Number(numeral.value.normalize()), strength })
        });
        found.collect()
    }

    fn read(&self, said: &Said, cx: &Context<'_>) -> Reading {
        let exact = self.find(said, cx).into_iter().filter(|found| found.strength == Strength::Exact);
        match numeric::choose(said, exact.map(|found| (found.span, found.strength, Ok(found.value)))) {
            Reading::Nothing => numeric::read(said, cx, &[], |numeral| Ok(of_part(numeral))),
            reading => reading,
        }
    }

    fn accept(&self, data: &Json, cx: &Context<'_>) -> Result<Value, Refusal> {
        let bare = data.as_str().and_then(|text| text.trim().strip_suffix('%')).map(|text| Json::from(text.trim_end()));
        let value = Value::Number(numeric::of_data(bare.as_ref().unwrap_or(data), cx)?.value.normalize());
        self.check(&value, cx)?;
        Ok(value)
    }

    fn check(&self, value: &Value, cx: &Context<'_>) -> Result<(), Refusal> {
        let Value::Number(value) = value else { return Err(Refusal::new("not_a_number")) };
        numeric::within(*value, Some(self.min()), Some(self.max()), |bound| show(bound, cx))?;
        numeric::exact_in_json(*value)
    }

    fn show(&self, value: &Value, cx: &Context<'_>) -> String {
        if let Value::Number(value) = value { show(*value, cx) } else { String::new() }
    }

    fn json(&self, value: &Value) -> Json {
        if let Value::Number(value) = value { numeric::to_json(*value) } else { Json::Null }
    }

    fn schema(&self, _: Option<&Choices>) -> Json {
        json!({ "type": "number", "minimum": numeric::to_json(self.min()), "maximum": numeric::to_json(self.max()) })
    }

    fn input(&self, _: &chat::Token, _: Option<&Value>, _: &Context<'_>) -> chat::Input {
        chat::Input::Number {
            integer: false,
            min: Some(self.min().normalize().to_string()),
            max: Some(self.max().normalize().to_string()),
            unit: Some("%".to_owned()),
        }
    }

    fn prefill(&self, value: &Value) -> Option<String> {
        if let Value::Number(value) = value { Some(value.normalize().to_string()) } else { None }
    }

    fn samples(&self, _: Option<&Choices>) -> Vec<Value> {
        number::samples(Some(self.min()), Some(self.max()), Decimal::new(125, 1)).map(Value::Number).to_vec()
    }
}

/// "half" and `3/4` said to a question for a percentage are parts of the whole.
fn of_part(numeral: &Numeral) -> Value {
    let part = matches!(numeral.shape, numeral::Shape::Fraction(..))
        || (!numeral.value.is_integer() && numeral.shape != numeral::Shape::Digits);
    match numeral.value.checked_mul(Decimal::ONE_HUNDRED) {
        Some(value) if part && numeral.value < Decimal::ONE => Value::Number(value.normalize()),
        _ => Value::Number(numeral.value.normalize()),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::kind::testing::{cx, finds, reads};

    #[rstest]
    #[case("en", "12.5%", "12.5%=12.5 Exact")]
    #[case("en", "12 percent", "12 percent=12 Exact")]
    #[case("it", "dodici per cento", "dodici per cento=12 Exact")]
    #[case("fr", "12,5 %", "12,5 %=12.5 Exact")]
    #[case("ar", "٢٥٪", "٢٥٪=25 Exact")]
    #[case("en", "1.234%", "1.234%=1.234 Exact")]
    #[case("it", "1.234%", "1.234%=1234 Exact")]
    #[case("en", "25", "25=25 Typed")]
    #[case("en", "half", "half=50 Typed")]
    #[case("en", "0", "0=0 Typed")]
    #[case("en", "20% of 3 months", "20%=20 Exact")]
    #[case("en", "20% or 30%", "20%=20 Exact | 30%=30 Exact")]
    fn the_answer_to_its_question(#[case] lang: &'static str, #[case] text: &str, #[case] expected: &str) {
        assert_eq!(reads(&Percent::default(), text, &cx(lang)), expected);
    }

    #[test]
    fn only_what_says_percent_stands_by_itself() {
        assert_eq!(finds(&Percent::default(), "3 shirts with 20% off", &cx("en")), ["3=3 Weak", "20%=20 Exact"]);
    }

    #[rstest]
    #[case(json!("12.5%"), Ok("12.5"))]
    #[case(json!(0), Ok("0"))]
    #[case(json!(101), Err("number_too_big"))]
    #[case(json!("-1"), Err("number_too_small"))]
    fn bounds_are_0_and_100_by_default(#[case] data: Json, #[case] expected: Result<&str, &str>) {
        let got = Percent::default().accept(&data, &cx("en"));
        let expected = expected.map(|value| Value::Number(value.parse().unwrap())).map_err(str::to_owned);
        assert_eq!(got.map_err(|refusal| refusal.code), expected);
    }
}
