//! `yes_no`: yes or no.

/// Yes or no.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct YesNo {
    /// Phrases that mean yes here ("with wifi").
    pub yes: Vec<String>,
    /// Phrases that mean no here.
    pub no: Vec<String>,
}

super::stub!(YesNo);
