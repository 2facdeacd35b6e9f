//! `long_text`: several lines of words.

/// Several lines of words.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LongText {
    /// Least number of characters.
    pub min_chars: Option<u32>,
    /// Greatest number of characters.
    pub max_chars: Option<u32>,
}

super::stub!(LongText);
