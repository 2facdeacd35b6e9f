//! What plays the model: a function from the prompt to a reply.

use std::sync::Arc;

use serde_json::{Value, json};

/// Reads a prompt and replies, as a model would.
pub type Reader = Arc<dyn Fn(&Prompt) -> String + Send + Sync>;

/// What a model is shown.
#[derive(Clone, Debug, Default)]
pub struct Prompt {
    /// The system message.
    pub system: String,
    /// The user message.
    pub message: String,
    /// What the person wrote: the part between the fences; none where there are none.
    pub said: Option<String>,
    /// The field that was asked for last, as the prompt names it.
    pub asked: Option<String>,
    /// The fields that values may be given for.
    pub fields: Vec<String>,
    /// The schema of the reply, where it came with the request or stands in the prompt.
    pub schema: Option<Value>,
}

impl Prompt {
    /// Reads a request.
    pub(super) fn of(body: &Value) -> Self {
        let content = |role: &str| {
            let messages = body["messages"].as_array().map_or(&[][..], Vec::as_slice);
            let said = messages.iter().filter(|message| message["role"] == role);
            said.filter_map(|message| message["content"].as_str()).collect::<Vec<_>>().join("\n")
        };
        let (mut system, message) = (content("system"), content("user"));
        if system.is_empty() {
            // What a system would say stands first in the message.
            system.clone_from(&message);
        }
        let said = message.split_once("<<<\n").and_then(|(_, rest)| rest.rsplit_once("\n>>>"));
        let said = said.map(|(said, _)| said.to_owned());
        let asked = message.lines().find_map(|line| line.strip_prefix("Asked last: ")).map(str::to_owned);
        let in_format = body["response_format"]["json_schema"].get("schema").cloned();
        let in_prompt = || {
            let (_, rest) = system.split_once("The JSON Schema of your reply:\n")?;
            serde_json::from_str(rest.lines().next()?).ok()
        };
        let schema = in_format.or_else(in_prompt);
        let fields = schema.as_ref().map(|schema| &schema["properties"]["updates"]["items"]["properties"]["field"]);
        let fields = fields.and_then(|field| field["enum"].as_array()).cloned().unwrap_or_default();
        let fields = fields.iter().filter_map(Value::as_str).map(str::to_owned).collect();
        Self { system, message, said, asked, fields, schema }
    }
}

/// A model that always says this.
pub fn says(text: &str) -> Reader {
    let text = text.to_owned();
    Arc::new(move |_| text.clone())
}

/// An honest model that knows the meaning of some words: each row is the words, the field and the value.
///
/// What it is told to reply when there is no message to read it repeats, as models do.
pub fn obedient(meanings: &[(&str, &str, &str)]) -> Reader {
    let meanings: Vec<(String, String, String)> =
        meanings.iter().map(|(words, field, value)| ((*words).into(), (*field).into(), (*value).into())).collect();
    Arc::new(move |prompt| {
        let Some(said) = &prompt.said else {
            let ordered = prompt.system.split_once('{').and_then(|(_, rest)| rest.split_once('}'));
            return ordered.map(|(inside, _)| format!("{{{inside}}}")).unwrap_or_default();
        };
        let known = meanings.iter().filter(|(words, field, _)| said.contains(words) && prompt.fields.contains(field));
        let updates = known.map(|(words, field, value)| json!({"field": field, "quote": words, "value": value}));
        let mut reply = json!({"intent": "fill", "updates": updates.collect::<Vec<_>>()});
        let asks_for = |key: &str| prompt.schema.as_ref().is_some_and(|schema| schema["properties"][key].is_object());
        if asks_for("about") {
            reply["about"] = true.into();
        }
        for key in ["answer", "form"] {
            if asks_for(key) {
                reply[key] = "".into();
            }
        }
        reply.to_string()
    })
}
