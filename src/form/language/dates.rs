//! `[date]`: how days, times and lengths of time are said.

use serde::Deserialize;

/// How days, times and lengths of time are said.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DateWords {}
