//! How a server wants to be asked, learned from what it refuses.

use reqwest::StatusCode;
use serde_json::{Value as Json, json};

use super::failure::Failure;
use formwright_engine::ModelCall;

/// Room for thoughts, in tokens, where a model cannot reply without them.
const THOUGHTS: u32 = 2_000;

/// What a server is asked to do about the shape of its reply, best first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Shape {
    /// A JSON Schema that the server enforces.
    #[default]
    Schema,
    /// Some JSON object; the schema is in the prompt.
    Object,
    /// Nothing; the schema is in the prompt.
    Plain,
}

impl Shape {
    /// What asks for less.
    pub(super) fn next(self) -> Option<Self> {
        match self {
            Self::Schema => Some(Self::Object),
            Self::Object => Some(Self::Plain),
            Self::Plain => None,
        }
    }
}

/// What was learned of a server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Habits {
    pub(super) shape: Shape,
    /// It wants `max_completion_tokens` in place of `max_tokens`.
    pub(super) new_names: bool,
    /// It takes no temperature.
    pub(super) no_temperature: bool,
    /// It thinks before it replies, and what it thinks counts.
    pub(super) thinks: bool,
    /// It takes no message of the system: what the model is told first goes first in the user's.
    pub(super) no_system: bool,
    /// A probe has found all this to work: a refusal is about what is said, unless it names the shape.
    pub(super) confirmed: bool,
}

impl Habits {
    /// What else can be tried after a failure; none where nothing of ours was at fault.
    pub(super) fn after(self, failure: &Failure) -> Option<Self> {
        let words = match failure {
            Failure::Cut { thinking: true } if !self.thinks => return Some(Self { thinks: true, ..self }),
            Failure::Asked { status: StatusCode::BAD_REQUEST | StatusCode::UNPROCESSABLE_ENTITY, words } => {
                words.to_lowercase()
            }
            // A template that fails is told as a fault of the server.
            Failure::Asked { status: StatusCode::INTERNAL_SERVER_ERROR, words } if is_about_roles(words) => {
                return (!self.no_system).then_some(Self { no_system: true, ..self });
            }
            _ => return None,
        };
        let shaped = ["response_format", "json_schema", "json_object", "schema", "grammar"];
        let about_shape = shaped.iter().any(|word| words.contains(word));
        if self.confirmed && !about_shape {
            None
        } else if words.contains("max_tokens") && !self.new_names && !about_shape {
            Some(Self { new_names: true, ..self })
        } else if words.contains("temperature") && !self.no_temperature && !about_shape {
            Some(Self { no_temperature: true, ..self })
        } else if is_about_roles(&words) && !self.no_system && !about_shape {
            Some(Self { no_system: true, ..self })
        } else {
            let without_role = || (!self.no_system).then_some(Self { no_system: true, shape: Shape::Schema, ..self });
            self.shape.next().map(|shape| Self { shape, ..self }).or_else(without_role)
        }
    }

    /// The body of a request.
    pub(super) fn request(self, model: &str, call: &ModelCall) -> Json {
        let mut system = call.system.clone();
        if self.shape != Shape::Schema {
            system += &format!("\nThe JSON Schema of your reply:\n{}\n", call.schema);
        }
        let messages = if self.no_system {
            json!([{"role": "user", "content": format!("{}\n\n{}", system.trim_end(), call.message)}])
        } else {
            json!([{"role": "system", "content": system}, {"role": "user", "content": call.message}])
        };
        let mut request = json!({"model": model, "messages": messages, "stream": false});
        let limit = if self.new_names { "max_completion_tokens" } else { "max_tokens" };
        let thoughts = if self.thinks { THOUGHTS } else { 0 };
        request[limit] = call.max_tokens.saturating_add(thoughts).into();
        if !self.no_temperature {
            request["temperature"] = 0.into();
        }
        match self.shape {
            Shape::Schema => {
                let schema = json!({"name": "reading", "strict": true, "schema": call.schema});
                request["response_format"] = json!({"type": "json_schema", "json_schema": schema});
            }
            Shape::Object => request["response_format"] = json!({"type": "json_object"}),
            Shape::Plain => {}
        }
        request
    }
}

/// Whether a refusal is about who may say something, as the templates of some models make it: "System role not
/// supported", "Conversation roles must alternate user/assistant/…", "Developer instruction is not enabled".
pub(super) fn is_about_roles(words: &str) -> bool {
    let words = words.to_lowercase();
    let role = words.contains("role") && ["system", "alternate", "only user"].iter().any(|what| words.contains(what));
    role || ["jinja", "system instruction", "developer instruction"].iter().any(|what| words.contains(what))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("System role not supported", true)]
    #[case("Conversation roles must alternate user/assistant/user/assistant/...", true)]
    #[case("Only user and assistant roles are supported!", true)]
    #[case("Unsupported value: 'messages[0].role' does not support 'system' with this model.", true)]
    #[case("Jinja Exception: System role not supported", true)]
    #[case("Developer instruction is not enabled for models/gemma-3-27b-it", true)]
    #[case("The system is overloaded", false)]
    #[case("'response_format' needs another role of the system", false)]
    fn a_refusal_of_the_system_role_is_known(#[case] words: &str, #[case] known: bool) {
        for status in [StatusCode::BAD_REQUEST, StatusCode::UNPROCESSABLE_ENTITY] {
            let failure = Failure::Asked { status, words: words.to_owned() };
            assert_eq!(Habits::default().after(&failure).is_some_and(|habits| habits.no_system), known);
        }
    }

    #[test]
    fn a_fault_of_a_template_is_about_roles_and_no_other_is() {
        let failure =
            |words: &str| Failure::Asked { status: StatusCode::INTERNAL_SERVER_ERROR, words: words.to_owned() };
        let learned = Habits::default().after(&failure("Jinja Exception: System role not supported")).unwrap();
        assert!(learned.no_system && learned.shape == Shape::Schema);
        assert_eq!(learned.after(&failure("Jinja Exception: System role not supported")), None);
        assert_eq!(Habits::default().after(&failure("out of memory")), None);
    }

    #[test]
    fn after_every_shape_the_system_role_is_left_out_whatever_the_words_are() {
        let failure = Failure::Asked { status: StatusCode::BAD_REQUEST, words: "INVALID_ARGUMENT".to_owned() };
        let mut tried = vec![Habits::default()];
        while let Some(next) = tried.last().and_then(|habits| habits.after(&failure)) {
            tried.push(next);
        }
        let tried: Vec<_> = tried.into_iter().map(|habits| (habits.shape, habits.no_system)).collect();
        let shapes = [Shape::Schema, Shape::Object, Shape::Plain];
        assert_eq!(tried, [false, true].map(|no| shapes.map(|shape| (shape, no))).concat());
    }

    #[rstest]
    #[case("The response was filtered due to our content management policy.", false)]
    #[case("This model's maximum context length is 4096 tokens", false)]
    #[case("response_format json_schema is not supported", true)]
    fn what_a_probe_confirmed_is_unlearned_only_by_a_refusal_of_the_shape(
        #[case] words: &str,
        #[case] unlearned: bool,
    ) {
        let habits = Habits { confirmed: true, ..Habits::default() };
        let failure = Failure::Asked { status: StatusCode::BAD_REQUEST, words: words.to_owned() };
        assert_eq!(habits.after(&failure).is_some(), unlearned);
    }
}
