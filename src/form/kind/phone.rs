//! `phone`: a telephone number, kept in E.164.

/// A telephone number, kept in E.164.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Phone {
    /// ISO 3166 code of the country whose numbers may be written without prefix.
    pub country: Option<String>,
}

super::stub!(Phone);
