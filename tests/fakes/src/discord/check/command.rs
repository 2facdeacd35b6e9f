//! Rules of commands beside their shape.

use std::collections::BTreeSet;

use serde_json::Value;

use super::shapes::COMMAND;
use super::{Findings, units};
use crate::discord::refusal::Refusal;

/// Languages that Discord is translated into.
const LOCALES: [&str; 34] = [
    "ar", "bg", "cs", "da", "de", "el", "en-GB", "en-US", "es-419", "es-ES", "fi", "fr", "he", "hi", "hr", "hu", "id",
    "it", "ja", "ko", "lt", "nl", "no", "pl", "pt-BR", "ro", "ru", "sv-SE", "th", "tr", "uk", "vi", "zh-CN", "zh-TW",
];

/// A list of commands that takes the place of those before.
pub(in super::super) fn commands(body: &Value, found: &mut Findings) -> Result<(), Refusal> {
    let Some(list) = body.as_array() else {
        found.fault("LIST_TYPE_CONVERT", "Only iterables may be used in a ListType");
        return found.verdict();
    };
    let mut names = BTreeSet::new();
    for (no, command) in list.iter().enumerate() {
        found.within(no, |found| {
            found.object(command, COMMAND);
            let kind = command["type"].as_u64().unwrap_or(1);
            one(command, kind, found);
            if !names.insert((kind, command["name"].as_str().unwrap_or_default())) {
                found.fault_at(
                    "name",
                    "APPLICATION_COMMANDS_DUPLICATE_NAME",
                    "Application command names must be unique",
                );
            }
        });
    }
    found.verdict()?;
    let typed = list.iter().filter(|command| command["type"].as_u64().unwrap_or(1) == 1).count();
    if typed > 100 { Err(Refusal::too_many_commands()) } else { Ok(()) }
}

fn one(command: &Value, kind: u64, found: &mut Findings) {
    if kind == 1 {
        name(command, found);
        if command["description"].as_str().is_none_or(str::is_empty) {
            found.fault_at("description", "BASE_TYPE_REQUIRED", "This field is required");
        }
    }
    localized(command, found);
    let options = command["options"].as_array().map_or(&[][..], Vec::as_slice);
    let mut names = BTreeSet::new();
    let mut optional = false;
    found.within("options", |found| {
        for (no, option) in options.iter().enumerate() {
            found.within(no, |found| {
                name(option, found);
                localized(option, found);
                if !names.insert(option["name"].as_str().unwrap_or_default()) {
                    found.fault_at(
                        "name",
                        "APPLICATION_COMMAND_OPTIONS_NAME_DUPLICATED",
                        "Option names must be unique",
                    );
                }
                let required = option["required"].as_bool() == Some(true);
                if required && optional {
                    let why = "Required options must be placed before non-required options";
                    found.fault("APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", why);
                }
                optional |= !required;
                let completes = option["autocomplete"].as_bool() == Some(true);
                if completes && option["choices"].as_array().is_some_and(|choices| !choices.is_empty()) {
                    let why = "Options with autocomplete may not have choices";
                    found.fault_at("autocomplete", "APPLICATION_COMMAND_AUTOCOMPLETE_WITH_CHOICES", why);
                }
                if completes && !matches!(option["type"].as_u64(), Some(3 | 4 | 10)) {
                    let why = "Only strings, integers and numbers may be completed";
                    found.fault_at("autocomplete", "APPLICATION_COMMAND_AUTOCOMPLETE_INVALID_TYPE", why);
                }
            });
        }
    });
    let size: usize = [command].into_iter().chain(options).map(length).sum();
    if size > 8000 {
        found.fault("APPLICATION_COMMAND_TOO_LARGE", "Command exceeds maximum size (8000)");
    }
}

fn length(part: &Value) -> usize {
    ["name", "description"].iter().filter_map(|key| part[*key].as_str()).map(units).sum()
}

/// Small letters, digits, `-`, `_` and `'`.
fn name(part: &Value, found: &mut Findings) {
    let Some(name) = part["name"].as_str() else { return };
    let fits = |c: char| (c.is_alphanumeric() && !c.is_uppercase()) || matches!(c, '-' | '_' | '\'');
    if name.is_empty() || !name.chars().all(fits) {
        let why = "Command name is invalid";
        found.fault_at("name", "APPLICATION_COMMAND_INVALID_NAME", why);
    }
}

fn localized(part: &Value, found: &mut Findings) {
    for key in ["name_localizations", "description_localizations"] {
        for locale in part[key].as_object().into_iter().flatten().map(|(locale, _)| locale) {
            if !LOCALES.contains(&locale.as_str()) {
                found.fault_at(key, "DICT_TYPE_KEY_CHOICES", format!("{locale}: not a language of Discord"));
            }
        }
    }
}
