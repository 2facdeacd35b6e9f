//! `[name]`: how people say who they are.

use serde::Deserialize;

use crate::phrases::{Phrases, list};

/// How people say who they are.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NameWords {
    /// Every thing has a capital, not only names: German "Fensterplatz".
    #[serde(default)]
    pub things_have_capitals: bool,
    /// Before a name and nothing else: "my name is".
    #[serde(deserialize_with = "list")]
    pub is: Phrases<()>,
    /// Before a name, but before other things too: "I'm".
    #[serde(deserialize_with = "list")]
    pub perhaps: Phrases<()>,
    /// Those of them behind which one word with a capital that the language has not is a name: "I'm".
    #[serde(deserialize_with = "list")]
    pub introduces: Phrases<()>,
    /// Endings of words for where people come from, which are no names behind those: "ian" of "I'm Slovenian".
    pub peoples: Vec<String>,
    /// Before a name, where nothing but a pronoun stands before: "is called" in "he is called", not in "my dog is called".
    #[serde(deserialize_with = "list")]
    pub called: Phrases<()>,
    /// After a name: "is my name", "here".
    #[serde(deserialize_with = "list")]
    pub after: Phrases<()>,
    /// In the names of fields for the first half of a name: "first name".
    #[serde(deserialize_with = "list")]
    pub first: Phrases<()>,
    /// In the names of fields for the other half: "surname".
    #[serde(deserialize_with = "list")]
    pub last: Phrases<()>,
    /// Before the name that something is booked in: "under". One word behind it is the last name.
    #[serde(deserialize_with = "list")]
    pub booked: Phrases<()>,
    /// Before a name in a message without capitals, of words that the language has not: "for", "under".
    #[serde(deserialize_with = "list")]
    pub small: Phrases<()>,
    /// Before a name that [`Self::down`] follows: "put".
    #[serde(deserialize_with = "list")]
    pub puts: Phrases<()>,
    /// Behind such a name: "down".
    #[serde(deserialize_with = "list")]
    pub down: Phrases<()>,
    /// Before a name that was written wrong: "should be".
    #[serde(deserialize_with = "list")]
    pub corrected: Phrases<()>,
    /// What a name stands right behind with a small word between: "reservation" of "a reservation for Okafor".
    #[serde(deserialize_with = "list")]
    pub bookings: Phrases<()>,
    /// Before the name of somebody else than who speaks: "his name is".
    #[serde(deserialize_with = "list")]
    pub theirs: Phrases<()>,
    /// Small words inside names: "van", "de la".
    #[serde(deserialize_with = "list")]
    pub particles: Phrases<()>,
    /// Those of them that nothing but a name follows, whatever it sounds like: "my name is".
    #[serde(deserialize_with = "list")]
    pub surely: Phrases<()>,
    /// What follows "I'm" or "call me" and is no name: "interested", "tomorrow". What has several words is none by itself either.
    #[serde(deserialize_with = "list")]
    pub none: Phrases<()>,
    /// What people write about beside their details, and is nobody's name: "outage".
    #[serde(deserialize_with = "list")]
    pub nobody: Phrases<()>,
    /// Endings of long words in small letters that are no names behind "I'm": "ing" of "waiting".
    pub endings: Vec<String>,
    /// Whoever speaks, without a name: "it's me".
    #[serde(deserialize_with = "list")]
    pub me: Phrases<()>,
    /// Small words that begin names as well: "will".
    #[serde(deserialize_with = "list")]
    pub also: Phrases<()>,
    /// Somebody by what they are to another: "my brother", "el hermano de".
    #[serde(deserialize_with = "list")]
    pub kin: Phrases<()>,
    /// Words that end a name written in small letters: "and", "from".
    #[serde(deserialize_with = "list")]
    pub stop: Phrases<()>,
}
