//! `[control]`: words that steer the conversation.

use serde::Deserialize;

/// Words that steer the conversation.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ControlWords {}
