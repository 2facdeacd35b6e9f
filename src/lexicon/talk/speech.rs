//! `[speech]`: words that a model may put around an author's words, and those that turn what is said.

use serde::Deserialize;

use crate::phrases::{Phrases, list};

/// Words that a model may put around an author's words, and those that turn what is said.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SpeechWords {
    /// What denies or limits what is said: "not", "only", "unless".
    #[serde(deserialize_with = "list")]
    pub turn: Phrases<()>,
    /// What says nothing by itself: articles, pronouns, "is", thanks and greetings. No word that tells a place, a time or
    /// what may and must be.
    #[serde(deserialize_with = "list")]
    pub small: Phrases<()>,
    /// Who does, has or gets something: "you", "our", "who". In other places they turn a sentence round.
    #[serde(deserialize_with = "list")]
    pub person: Phrases<()>,
    /// What says nothing by itself in a question: "which", "of", "would you like".
    #[serde(deserialize_with = "list")]
    pub asking: Phrases<()>,
    /// What a question is the same without: "on", "in", "give".
    #[serde(deserialize_with = "list")]
    pub light: Phrases<()>,
    /// Ends of words that stand for each other without another meaning, in pairs: "", "s".
    pub endings: Vec<(String, String)>,
}

impl SpeechWords {
    /// Whether one word is the other, or another form of it. Of short words every letter counts.
    pub fn is_same(&self, a: &str, b: &str) -> bool {
        const SHORTEST_STEM: usize = 4;
        let turned = |a: &str, b: &str, from: &str, to: &str| match (a.strip_suffix(from), b.strip_suffix(to)) {
            (Some(one), Some(other)) => one == other && one.chars().count() >= SHORTEST_STEM,
            _ => false,
        };
        a == b || self.endings.iter().any(|(from, to)| turned(a, b, from, to) || turned(a, b, to, from))
    }
}
