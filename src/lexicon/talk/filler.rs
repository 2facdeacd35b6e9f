//! `[filler]`: words that mean nothing around an answer.

use formwright_text::Said;
use serde::Deserialize;

use crate::phrases::Phrases;

/// Words that mean nothing around an answer.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FillerWords {
    /// Said before, after or around an answer: "it's", "please", "I'd say", "the answer is", "um".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub around: Phrases<()>,
}

impl FillerWords {
    /// How many words of filler start at a word; marks other than those of numbers and codes count as filler. 0 where
    /// none do.
    pub fn words_at(&self, said: &Said, no: usize) -> usize {
        if let Some((words, ())) = self.around.at(said, no) {
            return words;
        }
        usize::from(matches!(
            said.word(no),
            "," | "." | "!" | "?" | ";" | ":" | "…" | "\"" | "'" | "(" | ")" | "،" | "؟" | "¿" | "¡"
        ))
    }

    /// Whether a word belongs to a phrase of several words of filler: "mille" in "grazie mille".
    pub fn is_inside(&self, said: &Said, no: usize) -> bool {
        const LONGEST: usize = 5;
        (no.saturating_sub(LONGEST)..no)
            .any(|from| self.around.at(said, from).is_some_and(|(words, ())| from + words > no))
    }

    /// Whether words `from..to` hold nothing but filler and marks.
    pub fn is_all(&self, said: &Said, words: std::ops::Range<usize>) -> bool {
        let mut no = words.start;
        while no < words.end {
            match self.words_at(said, no) {
                0 => return false,
                some => no += some,
            }
        }
        true
    }
}
