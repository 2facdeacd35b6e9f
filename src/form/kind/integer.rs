//! `integer`: a whole number.
//!
//! "two", `12`, "a dozen", "2 pizzas" (with `pizzas` as unit), `1.234` in Italian.

use formwright_chat as chat;
use rust_decimal::Decimal;
use serde_json::{Map, Value as Json, json};

use super::numeral::Numeral;
use super::{Context, FieldKind, Found, Reading, Refusal, Said, numeric};
use crate::form::{Choices, Value};

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

/// The whole number meant; `1.234` is one thousand where it cannot be a fraction.
fn whole(numeral: &Numeral) -> Result<i64, Refusal> {
    let value = match numeral.other {
        Some(other) if !numeral.value.is_integer() && other.is_integer() => other,
        _ => numeral.value,
    };
    if !value.is_integer() {
        return Err(Refusal::new("not_whole"));
    }
    i64::try_from(value).map_err(|_| {
        if value.is_sign_negative() {
            Refusal::new("number_too_small").fact("min", i64::MIN.to_string())
        } else {
            Refusal::new("number_too_big").fact("max", i64::MAX.to_string())
        }
    })
}

fn show(value: i64, cx: &Context<'_>) -> String {
    numeric::format(Decimal::from(value), None, numeric::GROUP_COUNTS, cx)
}

impl FieldKind for Integer {
    fn find(&self, said: &Said, cx: &Context<'_>) -> Vec<Found> {
        numeric::find(said, cx, &self.unit, |numeral| whole(numeral).ok().map(Value::Integer))
    }

    fn read(&self, said: &Said, cx: &Context<'_>) -> Reading {
        numeric::read(said, cx, &self.unit, |numeral| whole(numeral).map(Value::Integer))
    }

    fn accept(&self, data: &Json, cx: &Context<'_>) -> Result<Value, Refusal> {
        let value = Value::Integer(whole(&numeric::of_data(data, cx)?)?);
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
