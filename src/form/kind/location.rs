//! `location`: a point on the map with its address.

/// A point on the map with its address.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Location {}

super::stub!(Location);
