//! `percent`: a percentage.

use rust_decimal::Decimal;

/// A percentage.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Percent {
    /// Least value; 0 by default.
    pub min: Option<Decimal>,
    /// Greatest value; 100 by default.
    pub max: Option<Decimal>,
}

super::stub!(Percent);
