//! `number`: a decimal number.
//!
//! `12.5`, "two and a half", "1.5 million", `3/4`, "70 kg" (with `kg` as unit).

use formwright_chat as chat;
use rust_decimal::Decimal;
use serde_json::{Map, Value as Json, json};

use super::numeral::Numeral;
use super::{Context, FieldKind, Found, Reading, Refusal, Said, numeric};
use crate::form::{Choices, Value};

/// A decimal number.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Number {
    /// Least value.
    pub min: Option<Decimal>,
    /// Greatest value.
    pub max: Option<Decimal>,
    /// Greatest number of decimals.
    pub decimals: Option<u32>,
    /// Unit words.
    pub unit: Vec<String>,
}

impl Number {
    /// The number meant: the reading with fewer decimals where the field does not take as many.
    fn value(&self, numeral: &Numeral) -> Decimal {
        let fits = |value: Decimal| self.decimals.is_none_or(|decimals| value.normalize().scale() <= decimals);
        match numeral.other {
            Some(other) if !fits(numeral.value) && fits(other) => other.normalize(),
            _ => numeral.value.normalize(),
        }
    }
}

fn show(value: Decimal, cx: &Context<'_>) -> String {
    numeric::format(value, None, numeric::GROUP_COUNTS, cx)
}

impl FieldKind for Number {
    fn find(&self, said: &Said, cx: &Context<'_>) -> Vec<Found> {
        numeric::find(said, cx, &self.unit, |numeral| Some(Value::Number(self.value(numeral))))
    }

    fn read(&self, said: &Said, cx: &Context<'_>) -> Reading {
        numeric::read(said, cx, &self.unit, |numeral| Ok(Value::Number(self.value(numeral))))
    }

    fn accept(&self, data: &Json, cx: &Context<'_>) -> Result<Value, Refusal> {
        let value = Value::Number(self.value(&numeric::of_data(data, cx)?));
        self.check(&value, cx)?;
        Ok(value)
    }

    fn check(&self, value: &Value, cx: &Context<'_>) -> Result<(), Refusal> {
        let Value::Number(value) = value else { return Err(Refusal::new("not_a_number")) };
        if let Some(decimals) = self.decimals
            && value.normalize().scale() > decimals
        {
            let code = if decimals == 0 { "not_whole" } else { "too_many_decimals" };
            return Err(Refusal::new(code).fact("decimals", decimals.to_string()));
        }
        numeric::within(*value, self.min, self.max, |bound| show(bound, cx))?;
        numeric::exact_in_json(*value)
    }

    fn show(&self, value: &Value, cx: &Context<'_>) -> String {
        if let Value::Number(value) = value { show(*value, cx) } else { String::new() }
    }

    fn json(&self, value: &Value) -> Json {
        if let Value::Number(value) = value { numeric::to_json(*value) } else { Json::Null }
    }

    fn schema(&self, _: Option<&Choices>) -> Json {
        let mut schema = Map::from_iter([("type".to_owned(), json!("number"))]);
        schema.extend(self.min.map(|min| ("minimum".to_owned(), numeric::to_json(min))));
        schema.extend(self.max.map(|max| ("maximum".to_owned(), numeric::to_json(max))));
        Json::Object(schema)
    }

    fn input(&self, _: &chat::Token, _: Option<&Value>, _: &Context<'_>) -> chat::Input {
        chat::Input::Number {
            integer: self.decimals == Some(0),
            min: self.min.map(|min| min.normalize().to_string()),
            max: self.max.map(|max| max.normalize().to_string()),
            unit: self.unit.first().cloned(),
        }
    }

    fn prefill(&self, value: &Value) -> Option<String> {
        if let Value::Number(value) = value { Some(value.normalize().to_string()) } else { None }
    }

    fn samples(&self, _: Option<&Choices>) -> Vec<Value> {
        let step = Decimal::new(15, self.decimals.unwrap_or(1).min(1));
        samples(self.min, self.max, step).map(Value::Number).to_vec()
    }
}

/// A plain value, the least and the greatest, within the bounds.
pub(super) fn samples(min: Option<Decimal>, max: Option<Decimal>, plain: Decimal) -> [Decimal; 3] {
    let least = min.unwrap_or_default().min(max.unwrap_or(Decimal::MAX));
    let most = max.unwrap_or(Decimal::from(1_000_000)).max(least);
    [plain.clamp(least, most), least, most]
}
