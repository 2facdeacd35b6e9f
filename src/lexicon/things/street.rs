//! `[street]`: words of postal addresses.

use serde::Deserialize;

use crate::phrases::{Phrases, list};

/// Words of postal addresses.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StreetWords {
    /// Before the street's name: "via", "rue".
    #[serde(deserialize_with = "list")]
    pub before: Phrases<()>,
    /// After the street's name: "street".
    #[serde(deserialize_with = "list")]
    pub after: Phrases<()>,
    /// As `after`, but common in other places too: "drive", "place".
    #[serde(deserialize_with = "list")]
    pub perhaps_after: Phrases<()>,
    /// Endings of street names written in one word: "strasse".
    pub endings: Vec<String>,
    /// Before a house number: "n.", "number".
    #[serde(deserialize_with = "list")]
    pub number: Phrases<()>,
    /// After a house number: "bis".
    #[serde(deserialize_with = "list")]
    pub number_after: Phrases<()>,
    /// Before the number or letter of a part of a house: "apartment", "floor".
    #[serde(deserialize_with = "list")]
    pub unit: Phrases<()>,
    /// After the number of a part of a house: "3rd floor".
    #[serde(deserialize_with = "list")]
    pub unit_after: Phrases<()>,
    /// A part of a house that needs no number: "ground floor".
    #[serde(deserialize_with = "list")]
    pub unit_alone: Phrases<()>,
    /// Begins or ends the name of a house: "cottage", "villa".
    #[serde(deserialize_with = "list")]
    pub house: Phrases<()>,
    /// A house without number: "no number".
    #[serde(deserialize_with = "list")]
    pub no_number: Phrases<()>,
    /// Name no place to somebody who does not know it, where nothing else does: "home", "the office".
    #[serde(deserialize_with = "list")]
    pub unnamed: Phrases<()>,
    /// Between a street and its town: "in".
    #[serde(deserialize_with = "list")]
    pub within: Phrases<()>,
    /// Before an address: "my address is", "deliver to".
    #[serde(deserialize_with = "list")]
    pub lead: Phrases<()>,
}
