//! What a platform shows of a form, and where that is less than the form asks for.

use serde::Serialize;
use serde_json::Value;

/// Where a platform shows less than a form asks for, as all platforms say it: what it is about, what is asked for, on which
/// platform, the limit in the way (`limit 100`, `no such widget`), and what is shown instead.
pub fn loss(about: &str, what: &str, platform: &str, limit: &str, shown: &str) -> String {
    format!("{about}: {what} on {platform} ({limit}, shown as {shown})")
}

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
