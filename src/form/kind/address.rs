//! `address`: a postal address as one text.

/// A postal address as one text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Address {
    /// Whether a house number is needed; yes by default.
    pub house_number: bool,
}

super::stub!(Address);
