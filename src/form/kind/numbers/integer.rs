//! `integer`: a whole number.
//!
//! "two", `12`, "a dozen", "2 pizzas" (with `pizzas` as unit), `1.234` in Italian.

use formwright_chat as chat;
use formwright_text::Said;
use formwright_values::numeral::Numeral;
use formwright_values::{Context, Found, Reading, Refusal, Strength, Value, numeric};
use rust_decimal::Decimal;
use serde_json::{Map, Value as Json, json};

use crate::choices::Choices;
use crate::kind::behaviour::FieldKind;

/// A whole number.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Integer {
    /// Least value.
    pub min: Option<i64>,
    /// Greatest value.
    pub max: Option<i64>,
    /// What is counted ("pizzas", "people"): words in every language that make a number mean this field.
    pub unit: Vec<String>,
}

impl Integer {
    /// The years that it takes, where its bounds are years: a year said as a date ("built in May 2016") counts too.
    pub fn years(&self) -> Option<std::ops::RangeInclusive<i64>> {
        const YEARS: std::ops::RangeInclusive<i64> = 1_000..=2_999;
        let bounds = self.min.zip(self.max).filter(|(min, max)| YEARS.contains(min) && YEARS.contains(max));
        bounds.map(|(min, max)| min..=max)
    }
}

/// The whole number meant. What the language writes as decimals is none, zeros or not: `1.000` may be a thousand
/// elsewhere.
fn whole(numeral: &Numeral, kind: &Integer, cx: &Context<'_>) -> Result<i64, Refusal> {
    let value = numeral.value;
    if !value.is_integer() || (numeral.other.is_some() && value.scale() > 0) {
        return Err(Refusal::new("not_whole"));
    }
    i64::try_from(value).map_err(|_| {
        if value.is_sign_negative() {
            Refusal::new("number_too_small").fact("min", show(kind.min.unwrap_or(i64::MIN), cx))
        } else {
            Refusal::new("number_too_big").fact("max", show(kind.max.unwrap_or(i64::MAX), cx))
        }
    })
}

fn show(value: i64, cx: &Context<'_>) -> String {
    numeric::format(Decimal::from(value), None, numeric::GROUP_COUNTS, cx)
}

impl FieldKind for Integer {
    fn find(&self, said: &Said, cx: &Context<'_>) -> Vec<Found> {
        let mut found =
            numeric::find(said, cx, &self.unit, |numeral| whole(numeral, self, cx).ok().map(Value::Integer));
        if let Some(years) = self.years() {
            let known = |span: &std::ops::Range<usize>| found.iter().any(|found| found.span == *span);
            let years = (0..said.words.len()).filter_map(|no| {
                let span = said.raw_words(no..no + 1);
                let year = said.word(no).parse().ok().filter(|year| years.contains(year) && !known(&span))?;
                Some(Found { span, value: Value::Integer(year), strength: Strength::Weak })
            });
            let years: Vec<Found> = years.collect();
            found.extend(years);
        }
        found
    }

    fn read(&self, said: &Said, cx: &Context<'_>) -> Reading {
        numeric::read(said, cx, &self.unit, |numeral| whole(numeral, self, cx).map(Value::Integer))
    }

    fn accept(&self, data: &Json, cx: &Context<'_>) -> Result<Value, Refusal> {
        let value = Value::Integer(whole(&numeric::of_data(data, cx)?, self, cx)?);
        self.check(&value, cx)?;
        Ok(value)
    }

    fn check(&self, value: &Value, cx: &Context<'_>) -> Result<(), Refusal> {
        let Value::Integer(value) = value else { return Err(Refusal::new("not_a_number")) };
        match (self.min, self.max) {
            (Some(min), _) if *value < min => Err(Refusal::new("number_too_small").fact("min", show(min, cx))),
            (_, Some(max)) if *value > max => Err(Refusal::new("number_too_big").fact("max", show(max, cx))),
            _ => Ok(()),
        }
    }

    fn show(&self, value: &Value, cx: &Context<'_>) -> String {
        if let Value::Integer(value) = value { show(*value, cx) } else { String::new() }
    }

    fn json(&self, value: &Value) -> Json {
        if let Value::Integer(value) = value { json!(value) } else { Json::Null }
    }

    fn schema(&self, _: Option<&Choices>) -> Json {
        let mut schema = Map::from_iter([("type".to_owned(), json!("integer"))]);
        schema.extend(self.min.map(|min| ("minimum".to_owned(), json!(min))));
        schema.extend(self.max.map(|max| ("maximum".to_owned(), json!(max))));
        Json::Object(schema)
    }

    fn input(&self, _: &chat::Token, _: Option<&Value>, _: &Context<'_>) -> chat::Input {
        chat::Input::Number {
            integer: true,
            min: self.min.map(|min| min.to_string()),
            max: self.max.map(|max| max.to_string()),
            unit: self.unit.first().cloned(),
        }
    }

    fn prefill(&self, value: &Value) -> Option<String> {
        if let Value::Integer(value) = value { Some(value.to_string()) } else { None }
    }

    fn samples(&self, _: Option<&Choices>) -> Vec<Value> {
        let (min, max) = (self.min.unwrap_or(i64::MIN), self.max.unwrap_or(i64::MAX));
        let plain = if min <= 1 && 1 <= max { 1 } else { min };
        // Expressions overflow at the ends of the type, which says nothing about the form.
        let least = self.min.unwrap_or(0).min(max);
        let most = self.max.unwrap_or(1_000_000).max(least);
        [plain, least, most].map(Value::Integer).to_vec()
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::kind::testing::{cx, finds, reads};

    fn pizzas() -> Integer {
        Integer { min: Some(1), max: Some(20), unit: vec!["pizza".into(), "pizzas".into(), "pizze".into()] }
    }

    #[rstest]
    #[case("en", "two pizzas to via Roma 12", &["two pizzas=2 Exact", "12=12 Weak"])]
    #[case("en", "2 large pizzas please", &["2=2 Exact"])]
    #[case("en", "Pizzas: 3", &["3=3 Exact"])]
    #[case("en", "one pizza", &["one pizza=1 Exact"])]
    #[case("en", "a pizza", &[])]
    #[case("it", "una pizza", &["una pizza=1 Weak"])]
    #[case("it", "sei pizze", &["sei pizze=6 Exact"])]
    #[case("it", "sei sicuro?", &["sei=6 Weak"])]
    #[case("en", "2 drinks", &["2=2 Weak"])]
    #[case("en", "2, thanks", &["2=2 Typed"])]
    #[case("en", "half a dozen pizzas", &["half a dozen pizzas=6 Exact"])]
    fn its_unit_makes_a_number_its_own(#[case] lang: &'static str, #[case] text: &str, #[case] expected: &[&str]) {
        assert_eq!(finds(&pizzas(), text, &cx(lang)), expected);
    }

    #[rstest]
    #[case("table for 4 at 7pm", &["4=4 Typed", "7=7 Weak"])]
    #[case("a party of 8", &["8=8 Typed"])]
    #[case("€12 for 20%", &[])]
    #[case("on May 3 at 5:30", &["5=5 Weak", "30=30 Weak"])]
    #[case("call +39 347 123 4567", &[])]
    #[case("5 chairs at 10 each", &["5=5 Typed"])]
    #[case("20123 Milano, order AB12", &["20123=20123 Weak"])]
    #[case("5 people on May 4, 2018", &["5=5 Typed"])]
    #[case("from 1 to 3 December", &[])]
    #[case("from 1 to 3", &["1=1 Weak", "3=3 Weak"])]
    #[case("a 3 star hotel for 2", &["3=3 Weak", "2=2 Typed"])]
    #[case("221 Baker Street", &["221=221 Weak"])]
    #[case("the first one", &["first=1 Weak", "one=1 Weak"])]
    #[case("a box of 40 x 30 cm", &[])]
    #[case("40 x 30 x 20, 3 of them", &["3=3 Typed"])]
    #[case("2 x 5 kg", &["2=2 Typed", "5=5 Weak"])]
    #[case("2026-11-20", &["2026=2026 Weak", "11=11 Weak", "20=20 Weak"])]
    #[case("11/20/2026", &[])]
    #[case("2.5 of them", &[])]
    fn what_is_no_count_is_not_taken_for_one(#[case] text: &str, #[case] expected: &[&str]) {
        assert_eq!(finds(&Integer::default(), text, &cx("en")), expected);
    }

    #[rstest]
    #[case("en", "4", "4=4 Typed")]
    #[case("en", "it's 4, please", "4=4 Typed")]
    #[case("en", "zero", "zero=0 Typed")]
    #[case("en", "0", "0=0 Typed")]
    #[case("en", "one", "one=1 Typed")]
    #[case("en", "I don't know which one", "")]
    #[case("en", "-3", "-3=-3 Typed")]
    #[case("en", "1.234", "1.234?not_whole")]
    #[case("en", "1.000", "1.000?not_whole")]
    #[case("en", "1,234", "1,234=1234 Typed")]
    #[case("it", "1.234", "1.234=1234 Typed")]
    #[case("en", "2.5", "2.5?not_whole")]
    #[case("en", "99999999999999999999", "99999999999999999999?number_too_big")]
    #[case("en", "2 or 3", "2=2 Weak | 3=3 Weak")]
    #[case("en", "4 people, at 7 pm", "4=4 Typed")]
    #[case("en", "at 7 pm", "")]
    #[case("en", "347 123 4567", "")]
    #[case("en", "0347 1234567", "")]
    #[case("en", "03471234567", "")]
    #[case("en", "+39 347 1234567", "")]
    #[case("it", "0347 1234567", "")]
    #[case("en", "347-123-4567", "")]
    #[case("en", "007", "007=7 Weak")]
    #[case("en", "\u{2212}3", "\u{2212}3=-3 Typed")]
    #[case("en", "\u{2212} 3", "\u{2212} 3=-3 Typed")]
    #[case("en", "- 3", "- 3=-3 Typed")]
    #[case("en", "minus three", "minus three=-3 Typed")]
    #[case("it", "meno tre", "meno tre=-3 Typed")]
    #[case("en", "20 each", "20=20 Weak")]
    #[case("en", "three days", "three=3 Weak")]
    #[case("en", "third", "third=3 Typed")]
    #[case("de", "wir sind zu fünft, also fünf", "zu fünft=5 Typed")]
    #[case("ar", "خمسة وعشرون", "خمسة وعشرون=25 Typed")]
    #[case("en", "two hundred and five", "two hundred and five=205 Typed")]
    fn the_answer_to_its_question(#[case] lang: &'static str, #[case] text: &str, #[case] expected: &str) {
        assert_eq!(reads(&Integer::default(), text, &cx(lang)), expected);
    }

    #[rstest]
    #[case(json!(3), Ok(3))]
    #[case(json!("3"), Ok(3))]
    #[case(json!(3.0), Ok(3))]
    #[case(json!(" three "), Ok(3))]
    #[case(json!(3.5), Err("not_whole"))]
    #[case(json!(0), Err("number_too_small"))]
    #[case(json!(21), Err("number_too_big"))]
    #[case(json!("3 apples and 4 pears"), Err("not_a_number"))]
    #[case(json!(true), Err("not_a_number"))]
    fn data_is_accepted_within_the_bounds(#[case] data: Json, #[case] expected: Result<i64, &str>) {
        let got = pizzas().accept(&data, &cx("en"));
        assert_eq!(got.map_err(|refusal| refusal.code), expected.map(Value::Integer).map_err(str::to_owned));
    }

    #[rstest]
    #[case("no more than 5", "")]
    #[case("at least 2 pizzas", "")]
    #[case("between 2 and 4", "2=2 Weak | 4=4 Weak")]
    #[case("guests: -3", "-3=-3 Typed")]
    fn a_bound_or_two_readings_are_no_answer(#[case] text: &str, #[case] expected: &str) {
        assert_eq!(reads(&Integer::default(), text, &cx("en")), expected);
    }

    #[test]
    fn a_number_past_all_bounds_is_told_the_fields_own() {
        let Reading::Refused(_, refusal) = pizzas().read(&Said::new("999999999999999999999999"), &cx("en")) else {
            panic!("taken");
        };
        assert_eq!(refusal, Refusal::new("number_too_big").fact("max", "20"));
    }

    #[test]
    fn a_refusal_tells_the_bound() {
        let refusal = pizzas().check(&Value::Integer(21), &cx("en")).unwrap_err();
        assert_eq!(refusal, Refusal::new("number_too_big").fact("max", "20"));
    }
}
