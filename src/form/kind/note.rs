//! `note`: text shown, nothing asked.

/// Text shown, nothing asked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Note {}

super::stub!(Note);
