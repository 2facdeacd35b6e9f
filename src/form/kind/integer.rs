//! `integer`: a whole number.

/// A whole number.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Integer {
    /// Least value.
    pub min: Option<i64>,
    /// Greatest value.
    pub max: Option<i64>,
    /// What is counted ("pizzas", "people"): words in every language that make a number mean this field.
    pub unit: Vec<String>,
}

super::stub!(Integer);
