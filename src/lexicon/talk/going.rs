//! `[going]`: where one is, where one has to be, and what tells the two apart.

use serde::Deserialize;

use crate::phrases::{Phrases, list};

/// Where one is, and where one has to be.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GoingWords {
    /// End where one is: "I'm in".
    #[serde(deserialize_with = "list")]
    pub hence: Phrases<()>,
    /// End where one comes from, other than `hence`: "I come from".
    #[serde(deserialize_with = "list")]
    pub home: Phrases<()>,
    /// End where one has been: "I was in".
    #[serde(deserialize_with = "list")]
    pub been: Phrases<()>,
    /// End where one has to be: "be in".
    #[serde(deserialize_with = "list")]
    pub hither: Phrases<()>,
    /// Say that one goes to a place that was named: "fly there".
    #[serde(deserialize_with = "list")]
    pub thither: Phrases<()>,
    /// Say why one goes to a place: "visiting".
    #[serde(deserialize_with = "list")]
    pub visits: Phrases<()>,
    /// End where one comes from and goes back to: "return home to".
    #[serde(deserialize_with = "list")]
    pub homeward: Phrases<()>,
    /// Before where one gets something: "collect it".
    #[serde(deserialize_with = "list")]
    pub collects: Phrases<()>,
    /// Before where one gives it back: "drop it off".
    #[serde(deserialize_with = "list")]
    pub hands_back: Phrases<()>,
    /// Before another place in the place of one: "try".
    #[serde(deserialize_with = "list")]
    pub tries: Phrases<()>,
    /// Behind where somebody is: "right now".
    #[serde(deserialize_with = "list")]
    pub now: Phrases<()>,
    /// Begin what names no place: "somewhere warm", "wherever you like", "the same as last time".
    #[serde(deserialize_with = "list")]
    pub vague: Phrases<()>,
    /// End with a word that else leads to a place: "due to", "thanks to".
    #[serde(deserialize_with = "list")]
    pub astray: Phrases<()>,
    /// In the names of fields for postcodes: "zip".
    #[serde(deserialize_with = "list")]
    pub postal: Phrases<()>,
    /// In the names of fields for towns: "city".
    #[serde(deserialize_with = "list")]
    pub town: Phrases<()>,
    /// In the names of fields for parts of a country: "state".
    #[serde(deserialize_with = "list")]
    pub state: Phrases<()>,
    /// In the names of fields for countries: "country".
    #[serde(deserialize_with = "list")]
    pub country: Phrases<()>,
    /// Before the town, state or country where something is: "in", "near".
    #[serde(deserialize_with = "list")]
    pub inside: Phrases<()>,
    /// Of what is told of a town or a land: "weather forecast".
    #[serde(deserialize_with = "list")]
    pub told: Phrases<()>,
    /// Between that and the town or land: "for".
    #[serde(deserialize_with = "list")]
    pub about: Phrases<()>,
    /// Before a town or a land near which something is, where no small letters name one: "nearby", "not far from".
    #[serde(deserialize_with = "list")]
    pub nearby: Phrases<()>,
    /// Before the street where something is: "on".
    #[serde(deserialize_with = "list")]
    pub along: Phrases<()>,
    /// What one is going to do, where "going to" leads to no place: "run".
    #[serde(deserialize_with = "list")]
    pub deeds: Phrases<()>,
    /// Before where a ride begins: "pick me up from".
    #[serde(deserialize_with = "list")]
    pub rides_from: Phrases<()>,
    /// Before where it ends: "take me to".
    #[serde(deserialize_with = "list")]
    pub rides_to: Phrases<()>,
    /// Before where somebody goes who names a place: "to", "for".
    #[serde(deserialize_with = "list")]
    pub whither: Phrases<()>,
    /// Words with the article in them: Italian "al", German "zum".
    #[serde(deserialize_with = "list")]
    pub with_the: Phrases<()>,
}
