//! Variables that are no settings, and look as if somebody had meant one.

use std::collections::BTreeMap;

use super::{PREFIX, Settings};

/// Most letters that a name may be off by.
const OFF: usize = 1;

/// What to write instead of a variable with one underscore where two belong. One that the settings name as a secret's
/// place is what it should be.
pub(super) fn meant(variables: &BTreeMap<String, String>, file: &str) -> Option<String> {
    let known = serde_json::to_value(Settings::default()).unwrap_or_default();
    let keys = known.as_object().into_iter().flatten().flat_map(|(section, keys)| {
        let keys = keys.as_object().into_iter().flat_map(serde_json::Map::keys);
        keys.map(move |key| (section.to_uppercase(), key.to_uppercase()))
    });
    let keys: Vec<(String, String)> = keys.collect();
    variables.iter().filter(|(_, value)| !value.is_empty()).find_map(|(name, _)| {
        let rest = name.strip_prefix(PREFIX)?.strip_prefix('_').filter(|rest| !rest.starts_with('_'))?;
        let named = format!("env:{name}");
        if file.contains(&named) || variables.values().any(|value| *value == named) {
            return None;
        }
        let off = |(section, key): &(String, String)| strsim::osa_distance(rest, &format!("{section}_{key}"));
        let (section, key) = keys.iter().min_by_key(|key| off(key)).filter(|key| off(key) <= OFF)?;
        Some(format!("{name} is no setting: write {PREFIX}__{section}__{key}"))
    })
}
