//! What people do: the one type into which every platform is translated.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::place::{EventId, MessageId, Place, User};
use crate::protocol::link::Prefill;
use crate::{Brought, CaseCode, CaseNews, Token};

/// One thing a person did, whatever the platform.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// Deduplicates: an event with an id that was seen has no effect.
    pub id: EventId,
    /// Where it happened.
    pub place: Place,
    /// Who did it.
    pub user: User,
    /// When the adapter received it.
    pub at: Timestamp,
    /// What was done.
    pub action: Action,
    /// On what terms it counts.
    #[serde(default, skip_serializing_if = "Terms::is_plain")]
    pub terms: Terms,
}

/// On what terms an event counts. Plainly: for the person's own session, meant for the bot, with every form at hand.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Terms {
    /// Ids of the forms that the person may use here; none where they may use all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forms: Option<Vec<String>>,
    /// Said among people, not to the bot: what is not understood is none of its business.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub overheard: bool,
    /// What the person writes at the place is not heard, but where it has the bot's name: nobody invites them to write.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unheard: bool,
    /// It is for the session that everybody at the place shares. The host decides that, whatever the adapter says.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub shared: bool,
    /// Its sender waits for the replies: they are kept with the event, and do not leave by the outbox. The host decides
    /// that too.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub waits: bool,
    /// It is for a case at a desk. The host decides that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub case: Option<CaseCode>,
    /// No form is begun or gone on with but one that came along: beside that, only questions are answered.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub answers_only: bool,
    /// A form that the event brings along. The session keeps it for as long as it needs it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub brought: Option<Box<Brought>>,
    /// What the form that the event opens begins with, as far as that lets links fill its fields.
    #[serde(skip_serializing_if = "Prefill::is_empty")]
    pub prefill: Prefill,
    /// The message that said it, where the platform tells of its edits: an [`Action::Edit`] of it names the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<MessageId>,
    /// The messages that were joined to be read as one, oldest first. Only the host joins messages.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub joined: Vec<Joined>,
    /// Tells the sender's requests apart, where they choose the ids of events themselves: what comes under the same id with
    /// another one is refused, and has no effect.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<String>,
}

/// One of several messages that were read as one.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Joined {
    /// The message.
    pub message: MessageId,
    /// What it says.
    pub text: String,
}

impl Terms {
    /// Whether there is nothing to say about them.
    pub fn is_plain(&self) -> bool {
        *self == Self::default()
    }

    /// Whether the person may use a form.
    pub fn allow(&self, form: &str) -> bool {
        self.forms.as_ref().is_none_or(|forms| forms.iter().any(|allowed| allowed == form))
    }

    /// Whether two messages count on the same terms, so that they may be read as one.
    pub fn alike(&self, other: &Self) -> bool {
        Self { message: other.message.clone(), ..self.clone() } == *other
    }
}

/// What a person did.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Action {
    /// Opened the chat, optionally on a form chosen by id.
    Open {
        /// The chosen form.
        form: Option<String>,
    },
    /// Asked for a form in words, in another session than the form belongs to: the host brings them where it does.
    Start {
        /// The form.
        form: String,
        /// The words, for the answers in them; may be empty.
        text: String,
    },
    /// The other side of a case did something. Only the host makes it: from an adapter it is refused.
    Case {
        /// The case.
        code: CaseCode,
        /// What was done.
        news: CaseNews,
    },
    /// Wrote a message.
    Say {
        /// The message as written.
        text: String,
    },
    /// Changed an earlier message, which now reads otherwise.
    ///
    /// Edits of messages that the bot never read are harmless: an adapter need not know which ones it did.
    Edit {
        /// The message, as its own event named it in [`Terms::message`].
        message: MessageId,
        /// All of it, as it reads now.
        text: String,
    },
    /// Pressed or filled widgets: one press for a button, several for a page of fields sent together.
    Press {
        /// In the order of the screen.
        presses: Vec<Press>,
    },
    /// Sent files, with the text that came along.
    Attach {
        /// Metadata only: contents stay with the platform.
        files: Vec<FileRef>,
        /// Caption.
        text: String,
    },
    /// Shared a place on the map.
    Share {
        /// The place.
        location: LocationRef,
    },
    /// Results of tools that the client ran.
    ToolResults {
        /// In the order of arrival.
        results: Vec<ToolResult>,
    },
}

/// One widget used: which one, and with what value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Press {
    /// The opaque id that the widget wore.
    pub token: Token,
    /// What it was set to.
    pub value: Pressed,
}

/// The value of a used widget.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Pressed {
    /// A button, which says everything by its token.
    Button,
    /// Options picked in a select, by the tokens they wore.
    Options {
        /// May be empty: nothing picked is an answer to an optional multi-select.
        tokens: Vec<Token>,
    },
    /// What an input holds: a date picker's `2026-11-20`, a number field's `3`, a text field's words.
    Text {
        /// As the widget gives it.
        text: String,
    },
    /// Nothing: a field of a form that was left empty. What it held is taken away, and it is not asked again.
    Empty,
    /// Uploaded files.
    Files {
        /// Metadata only.
        files: Vec<FileRef>,
    },
    /// A place on the map.
    Location {
        /// The place.
        location: LocationRef,
    },
}

/// A file that a platform keeps.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRef {
    /// The platform's id or address of the file.
    pub id: String,
    /// File name as given by the sender.
    pub name: String,
    /// Media type as given by the sender.
    pub media_type: String,
    /// Size in bytes; none where it is not known, as of a link, or where the platform did not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
}

/// A point on the map with what is known of its address.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct LocationRef {
    /// Degrees north, −90 to 90.
    #[serde(alias = "latitude")]
    pub lat: f64,
    /// Degrees east, −180 to 180.
    #[serde(alias = "longitude")]
    pub lng: f64,
    /// Address or name of the place.
    pub address: Option<String>,
    /// City.
    pub city: Option<String>,
    /// Country.
    pub country: Option<String>,
}

/// What a client's tool returned.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolResult {
    /// The call's id, where the client kept it.
    pub call: Option<String>,
    /// The tool's name.
    pub tool: String,
    /// What it returned.
    pub result: serde_json::Value,
}
