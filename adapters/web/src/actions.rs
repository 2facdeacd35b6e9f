//! The nine actions that tell an API client which widget to draw, and the body they travel in.

use std::collections::BTreeMap;

use formwright_chat as chat;
use serde::Serialize;
use serde_json::Value;

/// What a client is to show next.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "action", rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ClientAction {
    /// A text bubble.
    Message {
        /// What to show.
        text: String,
    },
    /// A text input.
    AskText(Ask),
    /// A list to pick one from; the label picked is the answer.
    AskDropdown(AskOptions),
    /// A list to pick several from; the labels picked, with commas between, are the answer.
    AskCheckbox(AskOptions),
    /// A date picker.
    AskDate(Ask),
    /// A picker of date and time.
    AskDatetime(Ask),
    /// A picker of a place.
    AskLocation(Ask),
    /// A tool that the client runs; its outcome comes back in `tool_results`.
    ToolCall {
        /// Which tool.
        tool_name: String,
        /// Its arguments by name.
        tool_args: Value,
        /// Names this call; `tool_results` may bring it back.
        call_id: String,
        /// What to show meanwhile.
        message: String,
    },
    /// The form is submitted, and nothing follows it.
    FormComplete {
        /// The answers by field.
        data: Value,
        /// What to show.
        message: String,
    },
}

/// A question.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ask {
    /// Path of the field.
    pub field_id: String,
    /// Short name of the field.
    pub label: String,
    /// What to show above the widget.
    pub message: String,
}

/// A question with options.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AskOptions {
    /// Path of the field.
    pub field_id: String,
    /// Short name of the field.
    pub label: String,
    /// Labels, in the author's order.
    pub options: Vec<String>,
    /// What to show above the widget.
    pub message: String,
}

/// Answer to `POST /api/chat`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ChatResponse {
    /// What to show, for clients that draw one widget at a time.
    pub action: ClientAction,
    /// Names the conversation; send it with the next message.
    pub conversation_id: String,
    /// The answers so far by field path; null where sensitive.
    pub answers: BTreeMap<String, Value>,
    /// The replies in full, for clients that draw every widget.
    pub replies: Vec<chat::Reply>,
    /// How far the form is.
    pub progress: Option<chat::Progress>,
    /// The form being filled.
    pub form: Option<String>,
    /// `Incomplete`, `WaitConfirm`, `InReview`, `Complete` or `Closed`.
    pub state: Option<String>,
    /// Path of the field being asked.
    pub asked: Option<String>,
    /// What was sent and not taken, with the reasons; left out where there is nothing of the kind.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rejected: Vec<Rejection>,
}

/// Something that was sent and not taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Rejection {
    /// Path of the field that refuses a value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// The client's tool whose result no call waits for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// Why.
    pub reason: String,
}

/// Answer to `GET /api/conversation/{id}`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ConversationResponse {
    /// What was to be shown last.
    pub action: ClientAction,
    /// Names the conversation.
    pub conversation_id: String,
    /// The session, with the replies given last.
    pub session: chat::SessionView,
    /// The number of the newest notice that it takes account of: listen for those after it.
    pub notices: u64,
}
