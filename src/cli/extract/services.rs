//! Services for the property tests: what their forms ask for, and wishes said in clauses that may stand in any order. They are
//! kept as data, in every language: `tests/extraction/services.jsonl`.

use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::{Value as Json, json};

use super::case::Case;

/// A service in a language.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Service {
    pub(super) lang: String,
    fields: Vec<Json>,
    /// Clauses, each with how many values it tells.
    pub(super) clauses: Vec<(String, usize)>,
}

/// A table in a restaurant, a flight with two ends, a claim and an order, in every language.
pub(super) static SERVICES: LazyLock<Vec<Service>> = LazyLock::new(|| {
    let lines = include_str!("../../../tests/extraction/services.jsonl").lines();
    lines.map(|line| serde_json::from_str(line).unwrap()).collect()
});

impl Service {
    /// A message where nothing was asked yet.
    pub(super) fn case(&self, message: &str) -> Case {
        let case = json!({
            "id": "1", "form": { "fields": self.fields }, "message": message, "now": "2026-11-21T10:00:00",
            "lang": self.lang, "expect": {},
        });
        serde_json::from_value(case).unwrap()
    }

    /// Clauses put into one message.
    pub(super) fn joined(&self, clauses: &[(String, usize)]) -> String {
        let mark = if self.lang == "ar" { "، " } else { ", " };
        clauses.iter().map(|(clause, _)| clause.as_str()).collect::<Vec<_>>().join(mark)
    }
}
