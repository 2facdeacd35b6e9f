//! `[brief]`: short texts, and what is said where they are asked for and is no answer.

use serde::Deserialize;

use crate::phrases::{Phrases, list};

/// Words about short texts.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BriefWords {
    /// In the names of fields that are answered by a sentence: "reason", "what".
    #[serde(deserialize_with = "list")]
    pub told: Phrases<()>,
    /// In the names of fields for words that others will read: "card message".
    #[serde(deserialize_with = "list")]
    pub wording: Phrases<()>,
    /// In the names of fields for a text that may begin with a greeting of its own: "message".
    #[serde(deserialize_with = "list")]
    pub letter: Phrases<()>,
    /// In the names of fields for what sort of animal one is: "breed".
    #[serde(deserialize_with = "list")]
    pub breed: Phrases<()>,
    /// Before what sort of animal one is: "she's".
    #[serde(deserialize_with = "list")]
    pub it_is: Phrases<()>,
    /// Say that something happened, will happen or has not yet: "was", "will", "haven't".
    #[serde(deserialize_with = "list")]
    pub event: Phrases<()>,
    /// With which sentences begin that tell of somebody or something: "my", "he".
    #[serde(deserialize_with = "list")]
    pub subject: Phrases<()>,
    /// Ask politely for what follows: "please".
    #[serde(deserialize_with = "list")]
    pub please: Phrases<()>,
    /// What somebody is asked to do: "deliver".
    #[serde(deserialize_with = "list")]
    pub order: Phrases<()>,
    /// Animals that have names: "dog".
    #[serde(deserialize_with = "list")]
    pub pet: Phrases<()>,
    /// The same where one word says whose it is, as Arabic does.
    #[serde(deserialize_with = "list")]
    pub own_pet: Phrases<()>,
    /// In the names of fields for a thing with a maker and a model: "make and model".
    #[serde(deserialize_with = "list")]
    pub make: Phrases<()>,
    /// In the names of fields for who makes a thing, and before whom that is: "make", "brand".
    #[serde(deserialize_with = "list")]
    pub brand: Phrases<()>,
    /// Behind who makes a thing, are no model: "dealer".
    #[serde(deserialize_with = "list")]
    pub no_model: Phrases<()>,
    /// In the names of fields for a thing's model, and before it.
    #[serde(deserialize_with = "list")]
    pub model: Phrases<()>,
    /// In the names of fields for a colour.
    #[serde(deserialize_with = "list")]
    pub colour: Phrases<()>,
    /// Colours: "black".
    #[serde(deserialize_with = "list")]
    pub shade: Phrases<()>,
    /// Before a colour, belong to it: "dark".
    #[serde(deserialize_with = "list")]
    pub tint: Phrases<()>,
}
