//! `[denial]`: words that say that what stands beside them is not meant.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::Phrases;
use super::phrases::list;

/// What a value may be of.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Topic {
    /// Beside a value, say that it is of this: "was born".
    #[serde(deserialize_with = "list")]
    pub said: Phrases<()>,
    /// In names, help and questions of fields that ask for it: "birth".
    #[serde(deserialize_with = "list")]
    pub name: Phrases<()>,
}

/// Words that say that what stands beside them in a part of a sentence is not meant.
///
/// Also such as are an answer by themselves elsewhere: "no", "nicht".
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DenialWords {
    /// Deny what follows: "not", "nobody", "anything but", "I hate".
    #[serde(deserialize_with = "list")]
    pub before: Phrases<()>,
    /// Deny what stands before them where they end a part of a sentence: German "nicht".
    #[serde(deserialize_with = "list")]
    pub after: Phrases<()>,
    /// Begin with such a word and deny nothing: "not only", "why not", "no it's".
    #[serde(deserialize_with = "list")]
    pub none: Phrases<()>,
    /// End what is denied, what follows is meant: "but", "sondern".
    #[serde(deserialize_with = "list")]
    pub but: Phrases<()>,
    /// An answer by themselves, which before a verb denies it: Spanish "no".
    #[serde(deserialize_with = "list")]
    pub verbal: Phrases<()>,
    /// Deny what is told of the words before them: "must not", "isn't".
    #[serde(deserialize_with = "list")]
    pub told: Phrases<()>,
    /// Say that something was so at another time: "last year".
    #[serde(deserialize_with = "list")]
    pub past: Phrases<()>,
    /// Stand before what is only a limit: "not before".
    #[serde(deserialize_with = "list")]
    pub limit: Phrases<()>,
    /// Name somebody else: "my boss".
    #[serde(deserialize_with = "list")]
    pub others: Phrases<()>,
    /// Behind somebody else, say that the person is meant too or wants it for them: "and me", "needs".
    #[serde(deserialize_with = "list")]
    pub shared: Phrases<()>,
    /// Name somebody whom no field asks about: "his sister".
    #[serde(deserialize_with = "list")]
    pub another: Phrases<()>,
    /// Right behind a value, say that it does not suit: "is too" in "200 is too much".
    #[serde(deserialize_with = "list")]
    pub too: Phrases<()>,
    /// Say that there is no more what was spoken of: "died".
    #[serde(deserialize_with = "list")]
    pub gone: Phrases<()>,
    /// What days and amounts may be of that few fields ask for, by what it is: birth, income.
    pub elsewhere: BTreeMap<String, Topic>,
    /// Go on with what the speaker does for it: "so I" of "my sister marries so I come".
    #[serde(deserialize_with = "list")]
    pub mine: Phrases<()>,
    /// Deny what was asked for: "that is not" in "that is not a product".
    #[serde(deserialize_with = "list")]
    pub that: Phrases<()>,
    /// Say that something stays as it is: "keep".
    #[serde(deserialize_with = "list")]
    pub keep: Phrases<()>,
}
