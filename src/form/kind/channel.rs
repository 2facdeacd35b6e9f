//! `channel`: a channel of the platform.

/// A channel of the platform.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Channel {}

super::stub!(Channel);
