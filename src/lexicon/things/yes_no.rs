//! `[yes_no]`: words for yes and no.

use serde::Deserialize;

use crate::phrases::Phrases;

/// Words for yes and no.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct YesNoWords {
    /// Ways to say yes: "yes", "sure", "that's right", "go ahead".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub yes: Phrases<()>,
    /// Ways to say no: "no", "not at all", "not correct".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub no: Phrases<()>,
    /// Words that turn what follows round: "not", "without", "don't".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub negation: Phrases<()>,
    /// Those of them that are an answer with what nobody did behind them: "nobody" of "nobody was hurt".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub nobody: Phrases<()>,
    /// Words that lead an author's phrase and fall away under a negation: "with".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub with: Phrases<()>,
    /// Answers that are neither: "not sure", "no idea", "I don't know".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub unsure: Phrases<()>,
    /// Those of them that take back no yes before them: "no problem" of "sure, no problem".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub harmless: Phrases<()>,
    /// Negations that reach over "and" too: "without" of "without wifi and parking".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub throughout: Phrases<()>,
    /// Forms that mean yes or no whatever follows: "yes", "no", but not "right", "good".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub firm: Phrases<()>,
    /// Words in the name of what somebody consents to: "I agree", "privacy policy".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub consent: Phrases<()>,
    /// Say that something is still to come: "not yet".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub yet: Phrases<()>,
    /// Behind a yes, say that it holds of a part only: "most of them", "but not".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub partly: Phrases<()>,
    /// Behind a yes and "but", say that it is not settled: "I'll ask".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub put_off: Phrases<()>,
    /// Yeses that may be courtesy before a question, besides those that are not firm: German "gern".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub soft: Phrases<()>,
    /// Yes as shown to people.
    pub show_yes: String,
    /// No as shown to people.
    pub show_no: String,
}
