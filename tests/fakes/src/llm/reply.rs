//! The text that a model gives, and the body that carries it.

use serde_json::{Value, json};

use super::schema::fitted;
use super::{Mode, Prompt};

/// Tokens of thinking in [`Mode::Thinking`].
const THOUGHT: u64 = 900;

/// What is sent with status 200.
pub(super) fn body(request: &Value, prompt: &Prompt, said: &str, mode: Mode, no: usize) -> Value {
    let text = text(request, prompt, said, mode);
    let room = ["max_tokens", "max_completion_tokens"].iter().find_map(|name| request[*name].as_u64()).unwrap_or(4_096);
    let mut message = json!({"role": "assistant", "content": text, "refusal": null});
    let mut finish = "stop";
    let mut thought = 0;
    match mode {
        Mode::Reasoning => {
            message["content"] = "".into();
            message["reasoning_content"] = text.clone().into();
        }
        Mode::Whitespace => {
            message["content"] = format!("{{{}", "\n\t ".repeat(usize::try_from(room).unwrap_or(600))).into();
            finish = "length";
        }
        Mode::Parts => {
            let middle = (text.len() / 2..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(0);
            let (first, second) = text.split_at(middle);
            message["content"] = json!([{"type": "text", "text": first}, {"type": "text", "text": second}]);
        }
        Mode::ToolCalls => {
            message["content"] = Value::Null;
            let function = json!({"name": "reading", "arguments": text});
            message["tool_calls"] = json!([{"id": "call_1", "type": "function", "function": function}]);
            finish = "tool_calls";
        }
        Mode::Thinking => {
            thought = THOUGHT.min(room);
            if room <= THOUGHT {
                message["content"] = "".into();
                finish = "length";
            }
            message["reasoning_content"] = "Let me see what the person says.".into();
        }
        _ => {}
    }
    let tokens = |text: &str| u64::try_from(text.chars().count().div_ceil(4)).unwrap_or(u64::MAX);
    let (prompted, replied) = (tokens(&prompt.system) + tokens(&prompt.message), tokens(&text) + thought);
    json!({
        "id": format!("chatcmpl-{no}"), "object": "chat.completion", "created": 1_700_000_000, "model": request["model"],
        "choices": [{"index": 0, "message": message, "logprobs": null, "finish_reason": finish}],
        "usage": {
            "prompt_tokens": prompted, "completion_tokens": replied, "total_tokens": prompted + replied,
            "completion_tokens_details": {"reasoning_tokens": thought},
        },
    })
}

fn text(request: &Value, prompt: &Prompt, said: &str, mode: Mode) -> String {
    let honest = object_in(said);
    let spoilt = match mode {
        Mode::Prose => {
            return "I think they would like the second one. Shall I go on with the next question?".to_owned();
        }
        Mode::Talkative => {
            return format!("Sure! Here is what I read in it:\n\n{said}\n\nLet me know if you need more.");
        }
        Mode::Fences => return format!("```json\n{said}\n```"),
        Mode::ThinkBlock => {
            let thought = r#"{"intent":"cancel","updates":[]}"#;
            return format!("<think>\nThey want to stop? {thought} No, they answer.\n</think>\n\n{said}");
        }
        Mode::Truncated => return said.chars().take(said.chars().count() / 2).collect(),
        Mode::Empty => return String::new(),
        Mode::WrongJson => return r#"{"name":"get_weather","arguments":{"city":"Rome"}}"#.to_owned(),
        Mode::OtherLanguage => {
            return "はい、わかりました。お客様は二番目のものをご希望です。次の質問に進みましょうか。".to_owned();
        }
        Mode::Megabyte => return format!("{}{said}", "Well, let me think. ".repeat(52_429)),
        Mode::UnknownIntent => with(&honest, "intent", json!("launch_missiles")),
        Mode::EarlyCompletion => {
            json!({"action": "FORM_COMPLETE", "intent": "confirm", "updates": [], "data": {"confirmed": true}})
        }
        Mode::Invented => with(&honest, "updates", updates(prompt, |_| "as we said before".to_owned())),
        Mode::Misquoted => with(&honest, "updates", updates(prompt, |no| word(prompt, no))),
        Mode::Disapproving => with(&honest, "about", json!(false)),
        _ => honest,
    };
    let format = &request["response_format"];
    match format["type"].as_str() {
        Some("json_schema") if mode.keeps_to_schemas() => fitted(&spoilt, &format["json_schema"]["schema"]).to_string(),
        Some("json_schema" | "json_object") => spoilt.to_string(),
        _ => format!("Here you are: {spoilt}"),
    }
}

/// The object in what the reader says; an empty one where there is none.
fn object_in(said: &str) -> Value {
    let found = said.find('{').and_then(|at| serde_json::Deserializer::from_str(&said[at..]).into_iter().next());
    found.and_then(Result::ok).unwrap_or_else(|| json!({}))
}

fn with(reply: &Value, key: &str, value: Value) -> Value {
    let mut reply = reply.clone();
    reply[key] = value;
    reply
}

/// A value for every field.
fn updates(prompt: &Prompt, quote: impl Fn(usize) -> String) -> Value {
    const VALUES: [&str; 6] = ["John Doe", "true", "42", "2026-12-24", "john.doe@mail.example", "+1 202 555 0143"];
    let value = |no: usize| VALUES[no % VALUES.len()];
    let update = |(no, field): (usize, &String)| json!({"field": field, "quote": quote(no), "value": value(no)});
    Value::Array(prompt.fields.iter().enumerate().map(update).collect())
}

/// A word out of the message.
fn word(prompt: &Prompt, no: usize) -> String {
    let words: Vec<&str> = prompt.said.as_deref().unwrap_or_default().split_whitespace().collect();
    words.get(no % words.len().max(1)).copied().unwrap_or_default().to_owned()
}
