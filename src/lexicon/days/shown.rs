//! `[date.show]`: how days, times and lengths of time are shown.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::dates::Unit;

/// How values are shown. `{weekday}`, `{day}`, `{month}` and `{year}` stand for their parts.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Show {
    /// A day.
    pub date: String,
    /// A day in regions that write the month first, where the language is written there.
    pub date_month_first: Option<String>,
    /// The first of the month where it is not `1`.
    pub first: Option<String>,
    /// Between a day and a time.
    pub at: String,
    /// Between the first and the last day.
    pub to: String,
    /// After times before noon, in regions with a 12-hour clock.
    pub am: String,
    /// After times after noon.
    pub pm: String,
    /// Names of units for 1 and more, or for 1, 2, 3 to 10 and more; `=` stands before forms that say how many themselves.
    pub units: BTreeMap<Unit, Vec<String>>,
}
