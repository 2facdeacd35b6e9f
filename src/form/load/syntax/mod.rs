//! Text to a tree of keys: TOML, YAML and JSON.

pub(super) mod json;
pub(super) mod toml;
pub(super) mod yaml;
