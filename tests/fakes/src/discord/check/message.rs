//! Rules of messages beside their shape: what may go together, how much of it, and whom it pings.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{Findings, units};
use crate::discord::refusal::Refusal;

/// `EPHEMERAL`.
const EPHEMERAL: u64 = 1 << 6;
/// `IS_COMPONENTS_V2`.
const V2: u64 = 1 << 15;

/// How a message comes about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Kind {
    /// Sent to a channel.
    Sent,
    /// In answer to an interaction.
    Reply,
    /// A change of a message.
    Edit,
}

impl Kind {
    /// Flags that may be set: previews off, silent, components; ephemeral in answers.
    fn flags(self) -> u64 {
        match self {
            Self::Sent => 1 << 2 | 1 << 12 | V2,
            Self::Reply => 1 << 2 | 1 << 12 | V2 | EPHEMERAL,
            Self::Edit => 1 << 2 | V2,
        }
    }
}

/// A message as it would be after the request: `before` is what an edit changes.
pub(in super::super) fn message(
    body: &Value,
    kind: Kind,
    before: Option<&Value>,
    files: usize,
    found: &mut Findings,
) -> Result<(), Refusal> {
    let flags = body["flags"].as_u64().unwrap_or(0);
    if flags & !kind.flags() != 0 {
        found.fault_at("flags", "MESSAGE_FLAGS_INVALID", format!("Flags {flags} cannot be set here"));
    }
    let held = before.map_or(0, |before| before["flags"].as_u64().unwrap_or(0)) & V2;
    let after = |key: &str| match (body.get(key), before) {
        (None, Some(before)) => before[key].clone(),
        (given, _) => given.cloned().unwrap_or(Value::Null),
    };
    let (content, embeds, parts) = (after("content"), after("embeds"), after("components"));
    let content = content.as_str().unwrap_or_default().trim().to_owned();
    let has_embeds = embeds.as_array().is_some_and(|embeds| !embeds.is_empty());
    let none = Vec::new();
    let parts = parts.as_array().unwrap_or(&none);
    if (flags | held) & V2 != 0 {
        for (key, used) in [("content", !content.is_empty()), ("embeds", has_embeds), ("poll", !body["poll"].is_null())]
        {
            if used {
                let why = format!("The '{key}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2");
                found.fault_at(key, "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2", why);
            }
        }
        sheet(parts, found);
    } else {
        legacy(parts, found);
    }
    size_of_embeds(&embeds, found);
    allowed(&body["allowed_mentions"], found);
    components(parts, found);
    found.verdict()?;
    let empty = content.is_empty() && !has_embeds && parts.is_empty() && files == 0 && body["poll"].is_null();
    let keeps_files = before.is_some_and(|before| before["attachments"].as_array().is_some_and(|all| !all.is_empty()));
    if empty && !keeps_files { Err(Refusal::empty_message()) } else { Ok(()) }
}

fn legacy(parts: &[Value], found: &mut Findings) {
    found.within("components", |found| {
        if parts.len() > 5 {
            found.length(parts.len(), 1, 5);
        }
        for (no, part) in parts.iter().enumerate().filter(|(_, part)| part["type"].as_u64() != Some(1)) {
            let why = format!("Value of field \"type\" must be one of (1,), not {}.", part["type"]);
            found.within(no, |found| found.fault_at("type", "UNION_TYPE_CHOICES", why));
        }
    });
}

fn sheet(parts: &[Value], found: &mut Findings) {
    found.within("components", |found| {
        let count: usize = parts.iter().map(|part| nested(part).len()).sum();
        if count > 40 {
            let why = format!("A message cannot have more than 40 components, not {count}");
            found.fault("COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED", why);
        }
        let words =
            |part: &Value| nested(part).iter().filter_map(|part| part["content"].as_str()).map(units).sum::<usize>();
        let length: usize = parts.iter().map(words).sum();
        if length > 4000 {
            let why = format!("The total text of a message must be at most 4000, not {length}");
            found.fault("COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED", why);
        }
    });
}

/// A component and all inside it.
pub(in super::super) fn nested(part: &Value) -> Vec<&Value> {
    let mut all = vec![part];
    all.extend(part["components"].as_array().into_iter().flatten().flat_map(nested));
    for key in ["accessory", "component"] {
        if part[key].is_object() {
            all.extend(nested(&part[key]));
        }
    }
    all
}

/// Rules of components wherever they stand.
fn components(parts: &[Value], found: &mut Findings) {
    let mut ids = BTreeSet::new();
    found.within("components", |found| {
        for (no, part) in parts.iter().enumerate() {
            found.within(no, |found| component(part, &mut ids, found));
        }
    });
}

fn component(part: &Value, ids: &mut BTreeSet<String>, found: &mut Findings) {
    if let Some(id) = part["custom_id"].as_str()
        && !ids.insert(id.to_owned())
    {
        found.fault_at("custom_id", "COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated");
    }
    match part["type"].as_u64() {
        Some(1) => row(part, found),
        Some(2) => button(part, found),
        Some(kind @ 3..=8) => picks(part, kind, found),
        _ => {}
    }
    found.within("components", |found| {
        for (no, inner) in part["components"].as_array().into_iter().flatten().enumerate() {
            found.within(no, |found| component(inner, ids, found));
        }
    });
    if part["accessory"].is_object() {
        found.within("accessory", |found| component(&part["accessory"], ids, found));
    }
}

/// A select fills a row; five buttons do.
fn row(row: &Value, found: &mut Findings) {
    let width = |part: &Value| if part["type"].as_u64() == Some(2) { 1 } else { 5 };
    let width: u32 = row["components"].as_array().into_iter().flatten().map(width).sum();
    if width > 5 {
        found.fault_at(
            "components",
            "COMPONENT_LAYOUT_WIDTH_EXCEEDED",
            "Component layout width cannot be greater than 5",
        );
    }
}

fn button(part: &Value, found: &mut Findings) {
    let has = |key: &str| !part[key].is_null();
    match part["style"].as_u64() {
        Some(5) => {
            if !has("url") {
                found.fault_at("url", "BUTTON_COMPONENT_URL_REQUIRED", "A url button must have a url");
            }
            if has("custom_id") {
                let why = "A custom id and url cannot both be specified";
                found.fault("BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE", why);
            }
        }
        Some(6) => {}
        _ => {
            if !has("custom_id") {
                found.fault_at("custom_id", "BUTTON_COMPONENT_CUSTOM_ID_REQUIRED", "A custom id is required");
            }
            if has("url") {
                let why = "A custom id and url cannot both be specified";
                found.fault("BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE", why);
            }
        }
    }
    let label = part["label"].as_str().is_some_and(|label| !label.trim().is_empty());
    if !label && !has("emoji") && part["style"].as_u64() != Some(6) {
        found.fault("BUTTON_COMPONENT_INVALID_LABEL", "A button must have a label or an emoji");
    }
}

/// How many can be picked, of how many, and what is picked already.
pub(super) fn picks(part: &Value, kind: u64, found: &mut Findings) {
    let options = part["options"].as_array();
    let count = options.map_or(25, Vec::len) as u64;
    let least = part["min_values"].as_u64().unwrap_or(1);
    let usual = if kind == 22 { count } else { 1 };
    let most = part["max_values"].as_u64().unwrap_or(usual.max(1));
    if least > most {
        found.fault_at("min_values", "SELECT_COMPONENT_MIN_GREATER_THAN_MAX", "min_values must not exceed max_values");
    }
    let Some(options) = options else { return };
    if kind != 21 && most > count {
        found.fault_at("options", "BASE_TYPE_BAD_LENGTH", format!("Must be between {most} and 25 in length."));
    }
    let mut values = BTreeSet::new();
    for (no, option) in options.iter().enumerate() {
        if !values.insert(option["value"].as_str().unwrap_or_default()) {
            let why = "The specified option value is already used";
            let at = |found: &mut Findings| {
                found.within(no, |found| found.fault_at("value", "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", why));
            };
            found.within("options", at);
        }
    }
    let defaults = options.iter().filter(|option| option["default"].as_bool() == Some(true)).count() as u64;
    let room = if kind == 21 { 1 } else { most };
    if defaults > room {
        let why = "Too many default values set.";
        found.fault_at("options", "SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES", why);
    }
}

fn size_of_embeds(embeds: &Value, found: &mut Findings) {
    let text = |value: &Value| value.as_str().map_or(0, units);
    let size = |embed: &Value| {
        let fields = embed["fields"].as_array().into_iter().flatten();
        let fields: usize = fields.map(|field| text(&field["name"]) + text(&field["value"])).sum();
        let named = text(&embed["footer"]["text"]) + text(&embed["author"]["name"]);
        text(&embed["title"]) + text(&embed["description"]) + named + fields
    };
    let size: usize = embeds.as_array().into_iter().flatten().map(size).sum();
    if size > 6000 {
        found.fault_at("embeds", "MAX_EMBED_SIZE_EXCEEDED", "Embed size exceeds maximum size of 6000");
    }
}

fn allowed(allowed: &Value, found: &mut Findings) {
    let parse: Vec<&str> = allowed["parse"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    for key in ["users", "roles"] {
        let named = allowed[key].as_array().is_some_and(|list| !list.is_empty());
        if named && parse.contains(&key) {
            let why = format!("parse:[\"{key}\"] and {key}: [ids...] are mutually exclusive.");
            found.fault_at("allowed_mentions", "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", why);
        }
    }
}

/// Who is pinged by a message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in super::super) struct Mentions {
    /// Ids of people.
    pub(in super::super) users: BTreeSet<String>,
    /// Ids of roles.
    pub(in super::super) roles: BTreeSet<String>,
    /// Everybody, or everybody who is here.
    pub(in super::super) everyone: bool,
}

/// Whom the words of a message ping, given what it allows. Without `allowed_mentions` everybody that is named.
pub(in super::super) fn mentions(body: &Value) -> Mentions {
    let mut words = body["content"].as_str().unwrap_or_default().to_owned();
    for part in body["components"].as_array().into_iter().flatten().flat_map(nested) {
        words.push(' ');
        words.push_str(part["content"].as_str().unwrap_or_default());
    }
    let allowed = &body["allowed_mentions"];
    let all = json!(["users", "roles", "everyone"]);
    let parse = if allowed.is_null() { &all } else { &allowed["parse"] };
    let parses = |kind: &str| parse.as_array().into_iter().flatten().any(|one| one.as_str() == Some(kind));
    let lists =
        |kind: &str, id: &str| allowed[kind].as_array().into_iter().flatten().any(|one| one.as_str() == Some(id));
    let mut mentions = Mentions {
        everyone: parses("everyone") && (words.contains("@everyone") || words.contains("@here")),
        ..Mentions::default()
    };
    for (at, _) in words.match_indices("<@") {
        let Some(inner) = words[at + 2..].split_once('>').map(|(inner, _)| inner) else { continue };
        let (kind, id) = match inner.strip_prefix('&') {
            Some(id) => ("roles", id),
            None => ("users", inner.trim_start_matches('!')),
        };
        let digits = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit());
        if digits && (parses(kind) || lists(kind, id)) {
            let list = if kind == "roles" { &mut mentions.roles } else { &mut mentions.users };
            list.insert(id.to_owned());
        }
    }
    mentions
}
