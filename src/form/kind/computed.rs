//! `computed`: worked out from other answers.

/// Worked out from other answers.
#[derive(Clone, Debug)]
pub struct Computed {
    /// How the value is shown and stored: the kind of the result.
    pub result: Box<super::Kind>,
}

super::stub!(Computed);
