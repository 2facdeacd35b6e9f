//! `date`: a calendar day.

/// A calendar day.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Date {
    /// Earliest day.
    pub min: Option<Bound>,
    /// Latest day.
    pub max: Option<Bound>,
    /// Which day is meant where the year or week is left open.
    pub prefer: Prefer,
}

/// A bound of a date: a day, or a distance from today (`today`, `today-100y`, `today+2w`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// A fixed day.
    Day(jiff::civil::Date),
    /// So far from today.
    FromToday {
        /// Years, negative for the past.
        years: i16,
        /// Months.
        months: i32,
        /// Days.
        days: i32,
    },
}

/// Which day is meant where the year or week is left open ("Friday", "3 May").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Prefer {
    /// The next such day.
    #[default]
    Future,
    /// The last such day.
    Past,
}

super::stub!(Date);
