//! The tables of messages, for tests.

use std::collections::{BTreeMap, BTreeSet};

use crate::prompt::{self, Wordings};

/// Codes of the languages.
pub(crate) const CODES: [&str; 6] = ["en", "it", "es", "de", "fr", "ar"];

/// The messages of a language with their wordings.
pub(crate) fn messages(code: &str) -> BTreeMap<String, Vec<String>> {
    let source = std::fs::read_to_string(format!("{}/prompt/{code}.toml", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let table: BTreeMap<String, Wordings> = toml::from_str(&source).unwrap_or_else(|e| panic!("{code}: {e}"));
    table.into_iter().map(|(name, wordings)| (name, wordings.0)).collect()
}

/// Names of the facts in a wording.
pub(crate) fn facts(wording: &str) -> BTreeSet<String> {
    prompt::braces(wording).map(str::to_owned).collect()
}
