//! `[frame]`: what people put around an answer in free words.

use serde::Deserialize;

use crate::phrases::{Phrases, list};

/// What people put around an answer in free words. Smaller than the fillers: words that may belong to the answer stay.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FrameWords {
    /// Before an answer of any length: "the answer is".
    #[serde(deserialize_with = "list")]
    pub lead: Phrases<()>,
    /// Before a short answer: "it's".
    #[serde(deserialize_with = "list")]
    pub short_lead: Phrases<()>,
    /// After an answer: "please".
    #[serde(deserialize_with = "list")]
    pub tail: Phrases<()>,
    /// Before a channel's name, or after it: "channel".
    #[serde(deserialize_with = "list")]
    pub channel: Phrases<()>,
}
