//! What a server honours, found out by schemas that the prompt contradicts.

use reqwest::StatusCode;
use serde_json::{Value as Json, json};
use tokio::time::Instant;

use super::OpenAi;
use super::failure::Failure;
use super::habits::{Habits, Shape};
use formwright_engine::ModelCall;

/// Longest part of a refusal that is shown, in characters.
const LONGEST_WORDS: usize = 200;

/// What a probe found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// For the operator: one line.
    pub line: String,
    /// The server could be asked. Where it could not, it is worth trying later.
    pub up: bool,
}

impl OpenAi {
    /// Finds out what the server honours, and asks for that from now on. Each of at most three calls has the deadline of
    /// any other; calls on behalf of people go on meanwhile, and only those are counted.
    pub async fn probe(&self) -> Found {
        let told = |what: &str, up: bool| Found { line: format!("{}: {what}", self.name()), up };
        let mut tried = Some(Shape::Schema);
        let mut last = None;
        let mut known = self.habits();
        while let Some(shape) = tried {
            let habits = Habits { shape, confirmed: false, ..known };
            match self.exchange(&call(), habits, Instant::now() + self.settings.deadline, |_| {}).await {
                Ok((text, learned)) if is_honoured(learned.shape, &text) => {
                    self.set_habits(Habits { confirmed: true, ..learned });
                    self.breaker.answered();
                    return told(&words(learned), true);
                }
                Ok((_, learned)) => {
                    tried = learned.shape.next();
                    known = learned;
                }
                Err(failure @ (Failure::Slow | Failure::Unreachable(_))) => {
                    return told(&format!("{failure}. Forms go on without it, and it is tried again"), false);
                }
                Err(failure @ Failure::Key(_)) => {
                    // The line tells it: nobody has to be told again.
                    self.breaker.refuse(Instant::now());
                    return told(
                        &format!("{failure}; set model.key or the variable it comes from. Forms go on without it"),
                        false,
                    );
                }
                // The call itself has gone through all the ways to ask.
                Err(failure @ Failure::Asked { status: StatusCode::BAD_REQUEST, .. }) => {
                    tried = None;
                    last = Some(failure);
                }
                Err(failure) => {
                    tried = shape.next();
                    last = Some(failure);
                }
            }
        }
        match last {
            Some(Failure::Asked { status, words }) => {
                let words = self.without_key(&words);
                told(&format!("it refuses what it is asked ({status}): {words}. Forms go on without it"), false)
            }
            Some(failure) => told(&format!("{failure}. Forms go on without it, and it is tried again"), false),
            None => told(&words(Habits { shape: Shape::Plain, ..known }), true),
        }
    }

    /// A refusal's words on one line. The probe has no person's words in it, but some servers repeat the key.
    fn without_key(&self, words: &str) -> String {
        let message = serde_json::from_str::<Json>(words).ok().and_then(|body| {
            let error = &body["error"];
            error["message"].as_str().or_else(|| error.as_str()).or_else(|| body["message"].as_str()).map(str::to_owned)
        });
        let words = message.unwrap_or_else(|| words.to_owned());
        let key = String::from_utf8_lossy(self.settings.key.expose());
        let words = if key.is_empty() { words } else { words.replace(key.as_ref(), "…") };
        let words: Vec<&str> = words.split_whitespace().collect();
        let printable = |c: &char| !c.is_control();
        words.join(" ").trim_end_matches('.').chars().filter(printable).take(LONGEST_WORDS).collect()
    }
}

fn words(habits: Habits) -> String {
    let shape = match habits.shape {
        Shape::Schema => "keeps to JSON schemas",
        Shape::Object => "writes JSON, but does not keep to schemas: they are in the prompt",
        Shape::Plain => "does not promise JSON: it is asked for in the prompt",
    };
    let role =
        if habits.no_system { "; takes no system role: what it is told first goes into the message" } else { "" };
    format!("{shape}{role}")
}

fn is_honoured(shape: Shape, text: &str) -> bool {
    let reply = serde_json::from_str::<Json>(text.trim());
    match shape {
        Shape::Schema => reply.is_ok_and(|reply| reply["intent"] == "other"),
        Shape::Object => reply.is_ok_and(|reply| reply.is_object()),
        Shape::Plain => true,
    }
}

/// A question whose right answer differs from what the schema allows.
fn call() -> ModelCall {
    ModelCall {
        call: "probe".to_owned(),
        system: "Reply with the JSON object {\"intent\":\"fill\"} and nothing else.".to_owned(),
        message: "Hello".to_owned(),
        schema: json!({
            "type": "object",
            "additionalProperties": false,
            "required": ["intent"],
            "properties": {"intent": {"type": "string", "enum": ["other"]}},
        }),
        max_tokens: 60,
    }
}
