//! `money`: an amount in a currency.

use rust_decimal::Decimal;

/// An amount in a currency.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Money {
    /// Currency taken when none is said; ISO 4217.
    pub currency: String,
    /// Currencies taken; empty takes only `currency`.
    pub currencies: Vec<String>,
    /// Least amount.
    pub min: Option<Decimal>,
    /// Greatest amount.
    pub max: Option<Decimal>,
}

super::stub!(Money);
