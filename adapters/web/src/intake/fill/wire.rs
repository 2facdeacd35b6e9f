//! What a form-filler client sends, in the spellings that such clients use, to a [`Sheet`]. Pure.

use formwright_chat::{Given, Sheet, SheetField, SheetKind, SheetOption};
use serde_json::{Map, Value};

use crate::error::ApiError;
use crate::limits;
use crate::translate;

/// Keys by which a field, an option and a value are found, the usual one first.
const ID: [&str; 5] = ["data_id", "field_id", "dataId", "fieldId", "id"];
const LABEL: [&str; 4] = ["fieldLabel", "field_label", "label", "title"];
const TYPE: [&str; 3] = ["fieldType", "field_type", "type"];
/// Keys of a field's value.
pub(super) const VALUE: [&str; 3] = ["fieldValue", "field_value", "value"];
const REQUIRED: [&str; 3] = ["is_required", "required", "isRequired"];
const RULE: [&str; 2] = ["validation_message", "validationMessage"];
const HELP: [&str; 6] = ["description", "help", "fieldContext", "field_context", "context", "hint"];
const OPTION_KEY: [&str; 4] = ["key", "value", "id", "code"];
const OPTION_LABEL: [&str; 6] = ["label", "text", "name", "value", "title", "key"];

/// Body of `POST /api/fill`.
#[derive(Debug)]
pub(super) struct FillRequest {
    pub(super) message: String,
    /// The fields as they came, those that are no questions too.
    pub(super) fields: Vec<Map<String, Value>>,
    pub(super) filled: Vec<Map<String, Value>>,
    pub(super) history: Vec<Value>,
    pub(super) thread: Option<String>,
    pub(super) event_id: Option<String>,
    pub(super) locale: Option<String>,
    pub(super) zone: Option<String>,
    /// The fields that are questions; none where the request has no form.
    pub(super) sheet: Option<Sheet>,
    /// Names of the fields for passwords, and whether one of them is the current field.
    pub(super) passwords: Vec<String>,
    pub(super) at_password: bool,
}

/// Whether a field's name is that of a secret.
type NamesASecret<'a> = &'a dyn Fn(&str) -> bool;

/// Reads a body. Keys that it does not know are passed over: a client's own state holds more than this. Fields are for
/// passwords by their type, or by a name that `names_a_secret` knows.
pub(super) fn request(body: &[u8], names_a_secret: NamesASecret<'_>) -> Result<FillRequest, ApiError> {
    let all: Map<String, Value> = translate::parse(body)?;
    all.iter().try_for_each(|(key, value)| check_strings(key, value))?;
    let fields = objects(&all, "form_fields")?;
    let filled = objects(&all, "filled_fields")?;
    let history = list(&all, "conversation_history")?.to_vec();
    let missing = list(&all, "missing_fields")?;
    at_most("form_fields", fields.len(), limits::FILL_FIELDS)?;
    at_most("filled_fields", filled.len(), limits::FILL_FIELDS)?;
    let passwords: Vec<String> =
        fields.iter().filter(|field| is_password(field, names_a_secret)).flat_map(names).collect();
    let current = first(all.get("current_field")).and_then(named);
    let mut request = FillRequest {
        at_password: current.is_some_and(|current| passwords.contains(&current)),
        message: translate::message("user_message", text(&all, "user_message")?.unwrap_or_default())?,
        sheet: sheet(&fields, &filled, missing, all.get("current_field"), &passwords)?,
        passwords,
        thread: text(&all, "thread_id")?.filter(|thread| !thread.is_empty()),
        event_id: text(&all, "event_id")?,
        locale: text(&all, "locale")?,
        zone: text(&all, "zone")?,
        fields,
        filled,
        history,
    };
    request.message = request.message.trim().to_owned();
    if request.thread.as_deref().is_some_and(|thread| !translate::is_name(thread)) {
        return Err(translate::bad_name("bad_thread_id", "thread_id"));
    }
    translate::check_ids(request.event_id.as_deref(), request.locale.as_deref(), request.zone.as_deref())?;
    Ok(request)
}

/// The client's name of a field, or of what is said of one.
pub(super) fn id_of(object: &Map<String, Value>) -> Option<String> {
    find(object, &ID).and_then(scalar).filter(|id| !id.trim().is_empty())
}

fn sheet(
    fields: &[Map<String, Value>],
    filled: &[Map<String, Value>],
    missing: &[Value],
    current: Option<&Value>,
    passwords: &[String],
) -> Result<Option<Sheet>, ApiError> {
    if fields.is_empty() {
        return Ok(None);
    }
    // A reason tells what was wrong with a value; that one is needed, the field says itself.
    let wanted = missing.iter().filter(|entry| entry.get("reason").is_none());
    let wanted: Vec<String> = wanted.filter_map(named).collect();
    let mut sheet = Sheet::default();
    for (no, sent) in fields.iter().enumerate() {
        let Some(kind) = kind(sent) else { continue };
        let Some(id) = id_of(sent) else {
            let words = format!("form_fields[{no}] has no data_id. Give every field an id that stays the same.");
            return Err(ApiError::bad("no_data_id", words));
        };
        if id.len() > limits::NAME_BYTES {
            let words = format!("the data_id of form_fields[{no}] is longer than {} bytes.", limits::NAME_BYTES);
            return Err(ApiError::bad("no_data_id", words));
        }
        let secret = passwords.contains(&id);
        let kind = if secret { SheetKind::Page } else { kind };
        let required = wanted.contains(&id) || find(sent, &REQUIRED).is_some_and(is_true);
        if kind == SheetKind::Page && !required {
            continue;
        }
        let help = sentences([words(sent, &HELP), words(sent, &RULE)].into_iter().flatten());
        let bound = |keys: &[&str]| find(sent, keys).and_then(scalar);
        let field = SheetField {
            label: words(sent, &LABEL).unwrap_or_else(|| id.clone()),
            kind,
            required,
            secret,
            options: options(sent),
            help: Some(help).filter(|help| !help.is_empty()),
            min: bound(&["min"]),
            max: bound(&["max"]),
            max_chars: bound(&["maxLength", "max_length", "maxlength"]).and_then(|most| most.parse().ok()),
            value: find(sent, &VALUE).cloned().unwrap_or_default(),
            id,
        };
        // A field that comes twice is the later one.
        match sheet.fields.iter_mut().find(|other| other.id == field.id) {
            Some(other) => *other = field,
            None => sheet.fields.push(field),
        }
    }
    let given = |object: &Map<String, Value>| {
        let value = find(object, &VALUE).cloned()?;
        let told = object.get("at").and_then(Value::as_str).is_some_and(|at| at.parse::<jiff::Timestamp>().is_ok());
        Some(Given { id: id_of(object)?, value, told })
    };
    sheet.filled = filled.iter().filter_map(given).collect();
    sheet.focus = first(current).and_then(named);
    Ok((!sheet.fields.is_empty()).then_some(sheet))
}

/// The first of several current fields is the one that counts.
fn first(current: Option<&Value>) -> Option<&Value> {
    current.and_then(|current| current.as_array().map_or(Some(current), |all| all.first()))
}

impl FillRequest {
    /// Whether a field is for a password: what it holds, and what is said of it, is said back nowhere.
    pub(super) fn is_password(&self, sent: &Map<String, Value>) -> bool {
        id_of(sent).is_some_and(|id| self.passwords.contains(&id))
    }
}

/// Whether a field is for a password: by its type, or by the name of a line to write in.
fn is_password(sent: &Map<String, Value>, names_a_secret: NamesASecret<'_>) -> bool {
    let typed = find(sent, &TYPE).and_then(Value::as_str).unwrap_or_default().trim().eq_ignore_ascii_case("password");
    let line = matches!(kind(sent), Some(SheetKind::Line | SheetKind::Integer | SheetKind::Number));
    typed || line && names(sent).any(|name| names_a_secret(&name.replace(['_', '-', '.'], " ")))
}

/// What a field is called: its label and its id.
fn names(sent: &Map<String, Value>) -> impl Iterator<Item = String> {
    words(sent, &LABEL).into_iter().chain(id_of(sent))
}

/// What a field holds, by its type; none for what is no question.
fn kind(sent: &Map<String, Value>) -> Option<SheetKind> {
    let kind = find(sent, &TYPE).and_then(Value::as_str).unwrap_or("input").trim().to_ascii_lowercase();
    let several = find(sent, &["multiple"]).is_some_and(is_true);
    let choices = sent.get("options").is_some_and(|options| options.as_array().is_some_and(|all| !all.is_empty()));
    Some(match kind.as_str() {
        "input" | "text" | "string" | "line" => SheetKind::Line,
        "textarea" | "longtext" | "long_text" => SheetKind::Long,
        "select" | "dropdown" | "combobox" | "radio" | "choice" if several => SheetKind::Several,
        "select" | "dropdown" | "combobox" | "radio" | "choice" => SheetKind::One,
        "select-multiple" | "multiselect" | "multi-select" | "multi_select" | "checkboxes" => SheetKind::Several,
        "checkbox" if choices => SheetKind::Several,
        "checkbox" | "boolean" | "switch" | "toggle" => SheetKind::Tick,
        "integer" => SheetKind::Integer,
        "number" | "decimal" => SheetKind::Number,
        "date" => SheetKind::Date,
        "email" => SheetKind::Email,
        "tel" | "phone" => SheetKind::Phone,
        "url" => SheetKind::Url,
        "button" | "submit" | "reset" | "section" | "heading" | "header" | "fieldset" | "group" | "panel" | "label"
        | "paragraph" | "divider" | "image" | "link" | "html" | "hidden" => return None,
        _ => SheetKind::Page,
    })
}

fn options(sent: &Map<String, Value>) -> Vec<SheetOption> {
    let all = sent.get("options").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let option = |option: &Value| match option {
        Value::Object(option) => {
            let key = find(option, &OPTION_KEY).and_then(scalar)?;
            let label = find(option, &OPTION_LABEL).and_then(scalar).unwrap_or_else(|| key.clone());
            let synonyms = find(option, &["synonyms", "aliases"]).and_then(Value::as_array);
            let synonyms = synonyms.into_iter().flatten().filter_map(scalar).map(|word| one_line(&word)).collect();
            Some(SheetOption { key, label: one_line(&label), synonyms })
        }
        other => scalar(other).map(|key| SheetOption { label: one_line(&key), key, synonyms: Vec::new() }),
    };
    all.iter().filter_map(option).collect()
}

/// The field's own spelling of an option's key, which may be a number.
pub(super) fn key_as_sent(sent: &Map<String, Value>, key: &str) -> Value {
    let all = sent.get("options").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let own = all.iter().find_map(|option| {
        let value = option.as_object().map_or(Some(option), |option| find(option, &OPTION_KEY))?;
        (scalar(value).as_deref() == Some(key)).then(|| value.clone())
    });
    own.unwrap_or_else(|| key.into())
}

/// A field's name as the client spells it, which may be a number.
pub(super) fn id_as_sent(request: &FillRequest, id: &str) -> Value {
    let all = request.fields.iter().chain(&request.filled);
    let own = all.filter(|sent| id_of(sent).as_deref() == Some(id)).find_map(|sent| find(sent, &ID).cloned());
    own.unwrap_or_else(|| id.into())
}

/// The field that an entry of `missing_fields`, or a current field, is about.
fn named(entry: &Value) -> Option<String> {
    match entry {
        Value::Object(entry) => id_of(entry),
        other => scalar(other),
    }
}

/// The first key that is there.
pub(super) fn find<'v>(object: &'v Map<String, Value>, keys: &[&str]) -> Option<&'v Value> {
    keys.iter().find_map(|key| object.get(*key))
}

fn words(object: &Map<String, Value>, keys: &[&str]) -> Option<String> {
    let words = one_line(find(object, keys)?.as_str()?);
    let words: String = words.chars().take(limits::FILL_WORDS).collect();
    (!words.is_empty()).then_some(words)
}

/// Texts one after the other, each with an end of its own.
pub(super) fn sentences(texts: impl Iterator<Item = String>) -> String {
    texts.fold(String::new(), |before, text| match before.chars().last() {
        None => text,
        Some('.' | '!' | '?' | '…' | ':' | '؟') => format!("{before} {text}"),
        Some(_) => format!("{before}. {text}"),
    })
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(truth) => Some(truth.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

fn is_true(value: &Value) -> bool {
    match value {
        Value::Bool(truth) => *truth,
        Value::String(text) => matches!(text.trim().to_ascii_lowercase().as_str(), "true" | "yes" | "1" | "required"),
        Value::Number(number) => number.as_f64().is_some_and(|number| number != 0.0),
        Value::Null | Value::Array(_) | Value::Object(_) => false,
    }
}

fn text(all: &Map<String, Value>, key: &str) -> Result<Option<String>, ApiError> {
    match all.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(ApiError::bad("bad_json", format!("{key} must be a text. See /api/fill/schema.json."))),
    }
}

fn list<'v>(all: &'v Map<String, Value>, key: &str) -> Result<&'v [Value], ApiError> {
    match all.get(key) {
        None | Some(Value::Null) => Ok(&[]),
        Some(Value::Array(list)) => Ok(list),
        Some(_) => Err(ApiError::bad("bad_json", format!("{key} must be a list. See /api/fill/schema.json."))),
    }
}

fn objects(all: &Map<String, Value>, key: &str) -> Result<Vec<Map<String, Value>>, ApiError> {
    let object = |(no, entry): (usize, &Value)| {
        let wrong = || ApiError::bad("bad_json", format!("{key}[{no}] must be an object. See /api/fill/schema.json."));
        entry.as_object().cloned().ok_or_else(wrong)
    };
    list(all, key)?.iter().enumerate().map(object).collect()
}

/// Refuses characters that make text lie, wherever they stand.
fn check_strings(key: &str, value: &Value) -> Result<(), ApiError> {
    match value {
        Value::String(text) => translate::check_text(key, text),
        Value::Array(items) => items.iter().try_for_each(|item| check_strings(key, item)),
        Value::Object(entries) => entries.values().try_for_each(|item| check_strings(key, item)),
        Value::Null | Value::Bool(_) | Value::Number(_) => Ok(()),
    }
}

fn at_most(key: &str, count: usize, limit: usize) -> Result<(), ApiError> {
    if count > limit {
        return Err(ApiError::too_big("too_many", format!("{key} holds {count} entries; at most {limit} are taken.")));
    }
    Ok(())
}
