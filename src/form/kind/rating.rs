//! `rating`: points on a scale.

/// Points on a scale.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rating {
    /// Fewest points; 1 by default.
    pub min: i64,
    /// Most points; 5 by default.
    pub max: i64,
}

super::stub!(Rating);
