//! Values inside expressions.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::civil;
use rust_decimal::Decimal;
use rust_decimal::prelude::{FromPrimitive as _, ToPrimitive as _};
use serde_json::Value as Json;

use formwright_values::{OptionId, Value};

/// A value inside an expression. Cheap to clone.
#[derive(Clone, Debug, PartialEq)]
pub enum Datum {
    /// `null`, which only tool rows hold.
    Null,
    /// `yes_no` and conditions.
    Bool(bool),
    /// `integer`, `rating`, sizes.
    Int(i64),
    /// `number`, `percent`, the amount of `money`: decimal and exact.
    Number(Decimal),
    /// Words; the id of a `choice`; a time of day as `HH:MM`.
    Text(Arc<str>),
    /// `date`.
    Date(civil::Date),
    /// `datetime`, in the person's time zone.
    DateTime(civil::DateTime),
    /// `duration`, in seconds.
    Duration(i64),
    /// Lists, `choices`, files.
    List(Arc<[Datum]>),
    /// Groups, tool rows, `location`, `date_range`, `person`, one file.
    Map(Arc<BTreeMap<Arc<str>, Datum>>),
}

impl Datum {
    /// What authors call this type.
    pub(super) fn type_name(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "yes/no",
            Self::Int(_) => "whole number",
            Self::Number(_) => "number",
            Self::Text(_) => "text",
            Self::Date(_) => "date",
            Self::DateTime(_) => "date and time",
            Self::Duration(_) => "duration",
            Self::List(_) => "list",
            Self::Map(_) => "group",
        }
    }

    pub(super) fn text(text: impl AsRef<str>) -> Self {
        Self::Text(Arc::from(text.as_ref()))
    }

    pub(super) fn map<'k>(entries: impl IntoIterator<Item = (&'k str, Datum)>) -> Self {
        Self::Map(Arc::new(entries.into_iter().map(|(key, value)| (Arc::from(key), value)).collect()))
    }

    pub(super) fn list(items: impl IntoIterator<Item = Datum>) -> Self {
        Self::List(items.into_iter().collect())
    }

    /// As a number, whole or not.
    pub(super) fn number(&self) -> Option<Decimal> {
        match self {
            Self::Int(n) => Some(Decimal::from(*n)),
            Self::Number(n) => Some(*n),
            Self::Null
            | Self::Bool(_)
            | Self::Text(_)
            | Self::Date(_)
            | Self::DateTime(_)
            | Self::Duration(_)
            | Self::List(_)
            | Self::Map(_) => None,
        }
    }

    /// As JSON. Dates as ISO 8601, durations as a number of seconds. None where the value has more than `budget` parts
    /// (64 bytes of text are one).
    pub(super) fn json(&self, budget: &mut u32) -> Option<Json> {
        *budget = budget.checked_sub(1)?;
        Some(match self {
            Self::Null => Json::Null,
            Self::Bool(b) => Json::Bool(*b),
            Self::Int(n) => Json::from(*n),
            Self::Number(n) => number_json(*n),
            Self::Text(text) => {
                *budget = budget.checked_sub(u32::try_from(text.len() / 64).ok()?)?;
                Json::String(text.to_string())
            }
            Self::Date(date) => Json::String(date.to_string()),
            Self::DateTime(time) => Json::String(time.to_string()),
            Self::Duration(seconds) => Json::from(*seconds),
            Self::List(items) => Json::Array(items.iter().map(|item| item.json(budget)).collect::<Option<_>>()?),
            Self::Map(entries) => {
                let entries = entries.iter().map(|(key, value)| Some((key.to_string(), value.json(budget)?)));
                Json::Object(entries.collect::<Option<_>>()?)
            }
        })
    }
}

fn number_json(number: Decimal) -> Json {
    match number.to_i64().filter(|_| number.is_integer()) {
        Some(whole) => Json::from(whole),
        // The decimal text gives the nearest double, whose shortest text is the decimal again up to 15 digits.
        None => number.normalize().to_string().parse::<f64>().map_or(Json::Null, Json::from),
    }
}

impl From<&Json> for Datum {
    fn from(json: &Json) -> Self {
        match json {
            Json::Null => Self::Null,
            Json::Bool(b) => Self::Bool(*b),
            Json::Number(n) => match n.as_i64() {
                Some(whole) => Self::Int(whole),
                None => n.as_f64().and_then(Decimal::from_f64).map_or(Self::Null, Self::Number),
            },
            Json::String(text) => Self::text(text),
            Json::Array(items) => Self::list(items.iter().map(Self::from)),
            Json::Object(entries) => Self::map(entries.iter().map(|(key, value)| (key.as_str(), Self::from(value)))),
        }
    }
}

impl From<&Value> for Datum {
    fn from(value: &Value) -> Self {
        match value {
            Value::Text(text) => Self::text(text),
            Value::Integer(n) => Self::Int(*n),
            Value::Number(n) => Self::Number(*n),
            Value::Money { amount, .. } => Self::Number(*amount),
            Value::Bool(b) => Self::Bool(*b),
            Value::Option(id) => Self::text(id.as_str()),
            Value::Options { picked, other } => {
                let own = other.as_deref();
                Self::list(picked.iter().map(OptionId::as_str).chain(own).map(Self::text))
            }
            Value::Date(date) => Self::Date(*date),
            Value::Time(time) => Self::text(time.strftime("%H:%M").to_string()),
            Value::DateTime(time) | Value::RepeatedTime { at: time, .. } => Self::DateTime(*time),
            Value::Duration(seconds) => Self::Duration(*seconds),
            Value::DateRange { start, end } => Self::map([("start", Self::Date(*start)), ("end", Self::Date(*end))]),
            Value::Entity { id, name } => Self::map([("id", Self::text(id)), ("name", Self::text(name))]),
            Value::Files(files) => Self::list(files.iter().map(|file| {
                let bytes = file.bytes.map(|bytes| Self::Int(i64::try_from(bytes).unwrap_or(i64::MAX)));
                let told = [("id", &file.id), ("name", &file.name), ("media_type", &file.media_type)];
                let told = told.map(|(key, text)| (key, Self::text(text)));
                Self::map(told.into_iter().chain(bytes.map(|bytes| ("bytes", bytes))))
            })),
            Value::Location(place) => {
                let number = |n: f64| Decimal::from_f64(n).map(Self::Number);
                let words = |text: &Option<String>| text.as_ref().map(Self::text);
                let parts = [
                    ("lat", number(place.lat)),
                    ("lng", number(place.lng)),
                    ("address", words(&place.address)),
                    ("city", words(&place.city)),
                    ("country", words(&place.country)),
                ];
                Self::map(parts.into_iter().filter_map(|(key, value)| Some((key, value?))))
            }
            Value::List(items) => Self::list(items.iter().map(Self::from)),
            Value::Group(members) => Self::map(members.iter().map(|(id, value)| (id.as_str(), Self::from(value)))),
        }
    }
}
