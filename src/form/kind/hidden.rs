//! `hidden`: filled by the link or API that started the form; never shown.

/// Filled by the link or API that started the form; never shown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hidden {}

super::stub!(Hidden);
