//! `[option]`: words around the options of a choice.

use serde::Deserialize;

use crate::phrases::{Phrases, list};

/// Words around the options of a choice.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OptionWords {
    /// Before the number an option is shown with: "option", "number".
    #[serde(deserialize_with = "list")]
    pub number: Phrases<()>,
    /// Those of them that announce an option even inside a sentence: "option".
    #[serde(deserialize_with = "list")]
    pub announce: Phrases<()>,
    /// Standing for an option after its place: "one" of "the second one".
    #[serde(deserialize_with = "list")]
    pub one: Phrases<()>,
    /// "last".
    #[serde(deserialize_with = "list")]
    pub last: Phrases<()>,
    /// Every option: "all of them".
    #[serde(deserialize_with = "list")]
    pub all: Phrases<()>,
    /// No option: "none of these".
    #[serde(deserialize_with = "list")]
    pub none: Phrases<()>,
    /// Takes back what follows "all": "except".
    #[serde(deserialize_with = "list")]
    pub except: Phrases<()>,
    /// Turn down what follows, beside the plain negations: "instead of", "I hate".
    #[serde(deserialize_with = "list")]
    pub not: Phrases<()>,
    /// Turn down what stands before: German "nicht".
    #[serde(deserialize_with = "list")]
    pub not_after: Phrases<()>,
    /// Look like a negation and are none: "why not".
    #[serde(deserialize_with = "list")]
    pub not_negation: Phrases<()>,
    /// May stand between a negation and what it turns down: "the", "want".
    #[serde(deserialize_with = "list")]
    pub between: Phrases<()>,
    /// Join picks: "and".
    #[serde(deserialize_with = "list")]
    pub and: Phrases<()>,
    /// Join what is turned down, or leave open which: "or".
    #[serde(deserialize_with = "list")]
    pub or: Phrases<()>,
    /// What follows replaces what was said before: "no wait", "actually".
    #[serde(deserialize_with = "list")]
    pub correction: Phrases<()>,
    /// Say that the person has not decided, or want something of the bot: no words of one's own. One word only at the
    /// beginning: "not sure", "you choose", "show me".
    #[serde(deserialize_with = "list")]
    pub open: Phrases<()>,
    /// As `open`, where nothing else is said: "whatever", "something else".
    #[serde(deserialize_with = "list")]
    pub vague: Phrases<()>,
    /// Common words that also are options at times: inside a sentence they hardly ever mean the option.
    #[serde(deserialize_with = "list")]
    pub weak: Phrases<()>,
    /// Phrases that say how somebody is spoken to: "phone call".
    #[serde(deserialize_with = "list")]
    pub spoken: Phrases<()>,
    /// In the names of fields that ask how somebody is reached: "contact".
    #[serde(deserialize_with = "list")]
    pub reaching: Phrases<()>,
    /// Phrases in which the words of an option mean something else: "give me a second", "green card".
    #[serde(deserialize_with = "list")]
    pub idiom: Phrases<()>,
    /// Whom somebody does something to that has the same word as an option: "you" in "to phone you".
    #[serde(deserialize_with = "list")]
    pub object: Phrases<()>,
    /// Right before a word that is a verb where a thing follows: "to" of "to book a flight".
    #[serde(deserialize_with = "list")]
    pub doing: Phrases<()>,
    /// Such a thing, without an article: "it".
    #[serde(deserialize_with = "list")]
    pub acted_on: Phrases<()>,
    /// Words that tell how something is, of which many a thing may be spoken: "small", "green", "second". Before or behind
    /// what the form does not know they mean no option.
    #[serde(deserialize_with = "list")]
    pub quality: Phrases<()>,
    /// Before how something seems to be: "sounds".
    #[serde(deserialize_with = "list")]
    pub seems: Phrases<()>,
    /// Before what matters, behind what does not: "but".
    #[serde(deserialize_with = "list")]
    pub however: Phrases<()>,
    /// Before what is enough, whatever else: "as long as" in "as long as it's cheap".
    #[serde(deserialize_with = "list")]
    pub provided: Phrases<()>,
    /// Before what somebody remarks, where nobody asked: "that's".
    #[serde(deserialize_with = "list")]
    pub remark: Phrases<()>,
    /// Before an option that something is compared with: "bigger than", "less".
    #[serde(deserialize_with = "list")]
    pub compared: Phrases<()>,
    /// How much of a quality, one word each: "very", "too".
    #[serde(deserialize_with = "list")]
    pub degree: Phrases<()>,
    /// Before a quality that there is too much of: "too" of "too small".
    #[serde(deserialize_with = "list")]
    pub excess: Phrases<()>,
    /// Common words that are never a misspelling of something else.
    #[serde(deserialize_with = "list")]
    pub common: Phrases<()>,
}
