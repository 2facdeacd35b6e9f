//! `[number]`: how numbers are written and said.

use serde::Deserialize;

/// How numbers are written and said.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NumberWords {}
