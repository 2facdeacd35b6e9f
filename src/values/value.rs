//! Canonical values: what a field holds once its parser has accepted it.

use std::collections::BTreeMap;

use jiff::civil;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::id::{FieldId, OptionId};

/// A value in its canonical form. Stored; its JSON is part of the stored format.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "t", content = "v", rename_all = "snake_case")]
pub enum Value {
    /// Words: `text`, `long_text`, `email`, `url`, `pattern`, `phone` (E.164 where the country is known), `address`, `hidden`, and `other` of a choice.
    Text(String),
    /// `integer`, `rating`.
    Integer(i64),
    /// `number`, `percent` (12.5 means 12.5 %).
    Number(Decimal),
    /// `money`.
    Money {
        /// In units of the currency.
        amount: Decimal,
        /// ISO 4217 code.
        currency: String,
    },
    /// `yes_no`.
    Bool(bool),
    /// `choice`: an option of the field.
    Option(OptionId),
    /// `choices`: picked options in the field's order, then words of one's own.
    Options {
        /// Options of the field.
        picked: Vec<OptionId>,
        /// Words of one's own, where the field takes them.
        other: Option<String>,
    },
    /// `date`.
    Date(civil::Date),
    /// `time`.
    Time(civil::Time),
    /// `datetime`, in the person's time zone.
    DateTime(civil::DateTime),
    /// `datetime` in an hour that the clock shows twice.
    RepeatedTime {
        /// In the person's time zone.
        at: civil::DateTime,
        /// Seconds ahead of UTC, which tell the two apart.
        offset: i32,
    },
    /// `duration`, in seconds.
    Duration(i64),
    /// `date_range`, both days included.
    DateRange {
        /// First day.
        start: civil::Date,
        /// Last day.
        end: civil::Date,
    },
    /// `person` or `channel` of the platform.
    Entity {
        /// The platform's id, or the name where only that is known.
        id: String,
        /// What people read.
        name: String,
    },
    /// `file`.
    Files(Vec<formwright_chat::FileRef>),
    /// `location`.
    Location(formwright_chat::LocationRef),
    /// Items of a `list` of text-like fields, and members of groups when a whole subtree is spoken of.
    List(Vec<Value>),
    /// Members of a `group` when a whole subtree is spoken of.
    Group(BTreeMap<FieldId, Value>),
}
