//! What is known of a person's time zone.

use serde::{Deserialize, Serialize};

/// What is known of a person's time zone beside what the platform tells. Stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "by", content = "zone", rename_all = "snake_case")]
pub enum OwnZone {
    /// The person told it.
    Told(String),
    /// It follows from an answer: a phone number of a country with one clock, a place on the map.
    Found(String),
    /// The person was asked and did not tell.
    Skipped,
}
