//! `choice`: one of several options.

/// One of several options.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Choice {}

super::stub!(Choice);
