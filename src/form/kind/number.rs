//! `number`: a decimal number.

use rust_decimal::Decimal;

/// A decimal number.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Number {
    /// Least value.
    pub min: Option<Decimal>,
    /// Greatest value.
    pub max: Option<Decimal>,
    /// Greatest number of decimals.
    pub decimals: Option<u32>,
    /// Unit words.
    pub unit: Vec<String>,
}

super::stub!(Number);
