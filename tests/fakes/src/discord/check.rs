//! Bodies of requests against the shapes that Discord publishes, and against the rules that no schema says.
//!
//! Texts are counted in UTF-16 units. A key that Discord does not know is ignored by it; here it is a remark, because
//! nothing that we send on purpose goes unread.

mod command;
mod message;
mod modal;
mod shapes;

use serde_json::Value;

use super::refusal::{Fault, Refusal};
pub(super) use command::commands;
pub(super) use message::{Kind, Mentions, mentions, message, nested};
pub(super) use modal::modal;
use shapes::Spot;
pub(super) use shapes::{AUTOCOMPLETE, CALLBACK, DIRECT, EDIT, Key, MESSAGE, REPLY, Shape, THREAD};

/// What was found wrong in a body, and what in it nobody will read.
#[derive(Debug, Default)]
pub(super) struct Findings {
    faults: Vec<Fault>,
    /// Keys that Discord ignores.
    pub(super) unread: Vec<String>,
    path: Vec<String>,
}

impl Findings {
    /// The body against its shape.
    pub(super) fn of(body: &Value, keys: &'static [Key]) -> Self {
        let mut found = Self::default();
        found.object(body, keys);
        found
    }

    /// Refused if anything is wrong.
    pub(super) fn verdict(&mut self) -> Result<(), Refusal> {
        if self.faults.is_empty() { Ok(()) } else { Err(Refusal::form(std::mem::take(&mut self.faults))) }
    }

    /// Looks at a part of the body.
    pub(super) fn within<T>(&mut self, key: impl ToString, look: impl FnOnce(&mut Self) -> T) -> T {
        self.path.push(key.to_string());
        let seen = look(self);
        self.path.pop();
        seen
    }

    /// Something is wrong here.
    pub(super) fn fault(&mut self, code: &'static str, message: impl Into<String>) {
        self.faults.push(Fault { path: self.path.clone(), code, message: message.into() });
    }

    /// Something is wrong at a key of this part.
    pub(super) fn fault_at(&mut self, key: impl ToString, code: &'static str, message: impl Into<String>) {
        self.within(key, |found| found.fault(code, message));
    }

    /// The part against the shape of an object.
    pub(super) fn object(&mut self, value: &Value, keys: &'static [Key]) {
        let Some(object) = value.as_object() else {
            return self.fault("MODEL_TYPE_CONVERT", "Only dictionaries may be used in a ModelType");
        };
        for key in keys {
            match object.get(key.name) {
                None if key.required => {
                    self.fault_at(key.name, "BASE_TYPE_REQUIRED", "This field is required");
                }
                None => {}
                Some(Value::Null) if key.required => {
                    self.fault_at(key.name, "BASE_TYPE_REQUIRED", "This field is required");
                }
                Some(Value::Null) => {}
                Some(value) => self.within(key.name, |found| found.value(value, &key.shape)),
            }
        }
        for name in object.keys().filter(|name| keys.iter().all(|key| key.name != *name)) {
            let path = [self.path.as_slice(), std::slice::from_ref(name)].concat().join(".");
            self.unread.push(path);
        }
    }

    fn value(&mut self, value: &Value, shape: &'static Shape) {
        match shape {
            Shape::Int(least, most) => self.int(value, *least, *most),
            Shape::Bool if value.is_boolean() => {}
            Shape::Bool => self.fault("BOOLEAN_TYPE_CONVERT", "Must be either true or false."),
            Shape::Text(least, most) => self.text(value, *least, *most),
            Shape::Id => {
                let is_id =
                    |text: &str| (1..=20).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
                if !value.as_str().is_some_and(is_id) && value.as_u64().is_none() {
                    self.fault("NUMBER_TYPE_COERCE", format!("Value {value} is not snowflake."));
                }
            }
            Shape::OneOf(numbers) => {
                if !value.as_i64().is_some_and(|number| numbers.contains(&number)) {
                    self.fault("BASE_TYPE_CHOICES", format!("Value must be one of {numbers:?}."));
                }
            }
            Shape::Word(words) => {
                if !value.as_str().is_some_and(|word| words.contains(&word)) {
                    self.fault("BASE_TYPE_CHOICES", format!("Value must be one of {words:?}."));
                }
            }
            Shape::Url(most) => {
                self.text(value, 0, *most);
                let known = ["http://", "https://", "discord://", "attachment://"];
                if !value.as_str().is_some_and(|url| known.iter().any(|scheme| url.starts_with(scheme))) {
                    self.fault("URL_TYPE_INVALID_URL", "Not a well formed URL.");
                }
            }
            Shape::List(inner, least, most) => self.list(value, inner, *least, *most),
            Shape::Object(keys) => self.object(value, keys),
            Shape::Texts(least, most) => match value.as_object() {
                Some(texts) => {
                    texts.iter().for_each(|(key, text)| self.within(key, |found| found.text(text, *least, *most)));
                }
                None => self.fault("DICT_TYPE_CONVERT", "Only dictionaries may be used in a DictType"),
            },
            Shape::Component(spot) => self.component(value, *spot),
            Shape::Nonce => match value {
                Value::String(text) if units(text) <= 25 => {}
                Value::Number(number) if number.is_i64() || number.is_u64() => {}
                _ => self.fault("NONCE_TYPE_TOO_LONG", "Must be an integer, or a string of 25 or fewer in length."),
            },
            Shape::Any => {}
        }
    }

    fn int(&mut self, value: &Value, least: i64, most: i64) {
        match value.as_i64() {
            Some(number) if number < least => {
                self.fault("NUMBER_TYPE_MIN", format!("int value should be greater than or equal to {least}."));
            }
            Some(number) if number > most => {
                self.fault("NUMBER_TYPE_MAX", format!("int value should be less than or equal to {most}."));
            }
            Some(_) => {}
            None => self.fault("NUMBER_TYPE_COERCE", format!("Value {value} is not int.")),
        }
    }

    fn text(&mut self, value: &Value, least: usize, most: usize) {
        match value.as_str().map(units) {
            Some(0) if least > 0 => self.fault("BASE_TYPE_REQUIRED", "This field is required"),
            Some(length) if length > most && least == 0 => {
                self.fault("BASE_TYPE_MAX_LENGTH", format!("Must be {most} or fewer in length."));
            }
            Some(length) => self.length(length, least, most),
            None => self.fault("STRING_TYPE_CONVERT", format!("Could not interpret {value} as string.")),
        }
    }

    fn list(&mut self, value: &Value, inner: &'static Shape, least: usize, most: usize) {
        let Some(items) = value.as_array() else {
            return self.fault("LIST_TYPE_CONVERT", "Only iterables may be used in a ListType");
        };
        self.length(items.len(), least, most);
        for (no, item) in items.iter().enumerate() {
            self.within(no, |found| found.value(item, inner));
        }
    }

    /// How many there may be.
    pub(super) fn length(&mut self, length: usize, least: usize, most: usize) {
        if !(least..=most).contains(&length) {
            self.fault("BASE_TYPE_BAD_LENGTH", format!("Must be between {least} and {most} in length."));
        }
    }

    fn component(&mut self, value: &Value, spot: Spot) {
        let kind = value["type"].as_u64().unwrap_or_default();
        let taken = spot.takes();
        match shapes::component(kind, spot) {
            Some(keys) if taken.contains(&kind) => self.object(value, keys),
            _ => {
                let message = format!("Value of field \"type\" must be one of {taken:?}.");
                self.fault_at("type", "UNION_TYPE_CHOICES", message);
            }
        }
    }
}

/// UTF-16 units of a text.
pub(super) fn units(text: &str) -> usize {
    text.encode_utf16().count()
}
