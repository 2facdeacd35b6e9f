//! `pattern`: words of a given shape.

/// Words of a given shape.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// The shape the whole answer must have.
    pub regex: regex::Regex,
    /// The shape in words, for people ("two letters and four digits").
    pub shape: Option<crate::form::Text>,
    /// Letters are turned to upper case first.
    pub upper: bool,
}

super::stub!(Pattern);
