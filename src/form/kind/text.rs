//! `text`: a line of words.

/// A line of words.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Text {
    /// Least number of characters.
    pub min_chars: Option<u32>,
    /// Greatest number of characters.
    pub max_chars: Option<u32>,
    /// What the words name, which helps to find them in a sentence.
    pub subtype: Option<Subtype>,
    /// Letters the answer is limited to.
    pub letters: Option<Vec<Script>>,
}

/// What words name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Subtype {
    /// A person's name.
    Person,
    /// A town, street or other place.
    Place,
    /// A postal address.
    Address,
    /// A code of letters and digits.
    Code,
}

/// A script of letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Script {
    /// A to Z with accents.
    Latin,
    /// Arabic.
    Arabic,
    /// Cyrillic.
    Cyrillic,
    /// Greek.
    Greek,
}

super::stub!(Text);
