use serde::Serialize;
use serde_json::Value;

/// A screen as one platform gets it, for looking at before anybody does.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Preview {
    /// What it is on the platform: `message`, `window`.
    pub what: String,
    /// The payload as it would be sent.
    pub payload: Value,
    /// The same as a drawing of characters: buttons as `[Label]`, choices as `( ) Label`, ticks as `[ ] Label`.
    pub picture: String,
    /// Where it is less than the form asks for, each a sentence with the platform's limit: what stands behind pages or a
    /// search, what is cut short, what must be written because there is no widget for it.
    pub losses: Vec<String>,
}
