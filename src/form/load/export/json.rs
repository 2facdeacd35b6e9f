//! Writes JSON.

use serde_json::Value as Json;

use crate::keys::{FORM, named};
use crate::node::{Data, Node};

/// The form as JSON.
pub(super) fn write(root: &Node) -> String {
    let value = exact(&named(root, &FORM, true));
    // A value that was read has no keys that are not text, which is all that could fail.
    format!("{}\n", serde_json::to_string_pretty(&value).unwrap_or_default())
}

/// A tree as JSON, with numbers that would change as texts, which are read as the same number.
pub(super) fn exact(node: &Node) -> Json {
    match &node.data {
        Data::Number(digits) => match node.json() {
            Json::Number(number) if same(&number.to_string(), digits) => Json::Number(number),
            _ => Json::String(digits.clone()),
        },
        Data::List(items) => items.iter().map(exact).collect(),
        Data::Map(entries) => entries.iter().map(|entry| (entry.key.clone(), exact(&entry.node))).collect(),
        Data::Null | Data::Bool(_) | Data::Text(_) | Data::Moment(_) => node.json(),
    }
}

fn same(one: &str, other: &str) -> bool {
    let decimal = |digits: &str| digits.parse::<rust_decimal::Decimal>().ok();
    one == other || decimal(one).is_some_and(|one| decimal(other) == Some(one))
}
