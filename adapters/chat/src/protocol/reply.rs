//! What is said and drawn: the one type from which every platform draws.

use jiff::tz::Offset;
use jiff::{Timestamp, civil};
use serde::{Deserialize, Serialize};

use super::card::Card;
use super::place::text_id;
use crate::{CaseMark, Nonce, Token};

text_id! {
    /// Stable id of a reply: the same again when it is delivered again.
    ReplyId
}

/// One message to the person, with what is to be drawn under it.
///
/// All text is plain: the adapter escapes it for its platform.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Reply {
    /// Paragraphs, in order. Together with the numbered fallback of the widgets they are enough to answer by text.
    pub say: Vec<String>,
    /// BCP 47 tag of the language of `say`.
    pub lang: String,
    /// Id of the form that it is about; none where it is about none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub form: Option<String>,
    /// What its questions are a part of, in the language of `say`: the page where the form has several, else the form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What the person has answered of what the reply before asked, for the place where it was asked. What is
    /// sensitive is masked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answered: Vec<Answered>,
    /// What is asked now: one question in a chat, several on a page of fields.
    pub questions: Vec<Question>,
    /// Further open questions of the same page, for platforms that can draw several fields as one form. Their tokens are
    /// of the same screen; a person who writes is not asked them now.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub page: Vec<Question>,
    /// Answers to look over, each with its edit button.
    pub card: Option<Card>,
    /// Controls: confirm, skip, back, undo, pick a form and the like.
    pub buttons: Vec<Button>,
    /// How far the form is.
    pub progress: Option<Progress>,
    /// A tool for the client to run; its result comes back as [`crate::Action::ToolResults`].
    pub tool_call: Option<ToolCall>,
    /// The finished answers by field id, null where sensitive; set in the reply that tells of the submission.
    pub complete: Option<serde_json::Value>,
    /// Tells of a submission that an earlier reply has told of.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub recalls: bool,
    /// What the person wrote or pressed holds what is not to be shown again: whoever keeps it beside the replies masks it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub conceals: bool,
    /// What was brought and not taken. The person reads the reasons in the rest of the reply.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rejected: Vec<Rejected>,
    /// For the person's eyes only (ephemeral message, direct message).
    pub private: bool,
    /// Of a session that everybody at the place shares: what is not private is for all of them to press.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shared: bool,
    /// How many seconds the person's clock is ahead of UTC, where the platform does not know it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ahead: Option<i32>,
    /// About a case at a desk: its messages are apart from all others at the place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub case: Option<CaseMark>,
}

impl Reply {
    /// The screen its widgets are of; none where it has no widgets.
    pub fn nonce(&self) -> Option<&Nonce> {
        let questions = self.questions.iter().chain(&self.page).map(|question| &question.token);
        let edits = self.card.iter().flat_map(|card| &card.rows).filter_map(|row| row.edit.as_ref());
        questions.chain(self.buttons.iter().map(|button| &button.token)).chain(edits).next().map(|token| &token.nonce)
    }

    /// Which day it is for the person, as far as that is known.
    pub fn day(&self, now: Timestamp) -> civil::Date {
        let ahead = Offset::from_seconds(self.ahead.unwrap_or_default()).unwrap_or(Offset::UTC);
        ahead.to_datetime(now).date()
    }

    /// The question a token belongs to, asked now or on the page.
    pub fn question(&self, token: &Token) -> Option<&Question> {
        let same = |question: &&Question| question.token.nonce == token.nonce && question.token.slot == token.slot;
        self.questions.iter().chain(&self.page).find(same)
    }
}

/// Something that was brought and not taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rejected {
    /// A value that its field refuses.
    Field {
        /// Path of the field.
        field: String,
        /// What the person is told.
        reason: String,
    },
    /// A result of a client's tool that no call waits for.
    Result {
        /// The tool's name, as the client sent it.
        tool: String,
    },
}

/// An answer as it was understood.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answered {
    /// Path of the field.
    pub field: String,
    /// Short name of the field.
    pub label: String,
    /// The answer as shown to a person; a sensitive one is masked.
    pub value: String,
}

/// A field to be answered now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// Path of the field: `phone`, `items[2].amount`.
    pub field: String,
    /// Names the widget on the wire.
    pub token: Token,
    /// Short name of the field.
    pub label: String,
    /// The question as put to the person.
    pub ask: String,
    /// The author's help text.
    pub help: Option<String>,
    /// Whether an answer is needed.
    pub required: bool,
    /// What went wrong with the previous try.
    pub problem: Option<String>,
    /// What the widget holds at first, in the widget's own format.
    pub prefill: Option<String>,
    /// Which widget fits.
    pub input: Input,
}

/// The widget that fits a field. An adapter that cannot draw it falls back to text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Input {
    /// Words.
    Text {
        /// Several lines.
        long: bool,
        /// Greatest number of characters.
        max_chars: Option<u32>,
        /// An example of an answer.
        example: Option<String>,
        /// To be masked while typed.
        secret: bool,
    },
    /// A number; `min`, `max` and `step` are decimal numerals.
    Number {
        /// Whole numbers only.
        integer: bool,
        /// Least value.
        min: Option<String>,
        /// Greatest value.
        max: Option<String>,
        /// Unit or currency shown beside the number.
        unit: Option<String>,
    },
    /// Points on a scale, drawn as stars where the platform can; the answer is a numeral.
    Rating {
        /// Fewest points.
        min: u32,
        /// Most points.
        max: u32,
    },
    /// One or several of a list.
    Options {
        /// What is offered, in the author's order.
        options: Vec<Choice>,
        /// Several may be picked.
        multiple: bool,
        /// Least number of picks.
        min: u32,
        /// Greatest number of picks.
        max: Option<u32>,
        /// Words of one's own are an answer too.
        other: bool,
    },
    /// A calendar day; bounds and answer are `YYYY-MM-DD`.
    Date {
        /// Earliest day.
        min: Option<String>,
        /// Latest day.
        max: Option<String>,
    },
    /// A time of day; bounds and answer are `HH:MM`. Where the earliest is after the latest, midnight lies between them:
    /// [`crate::Hours`] tells which times count.
    Time {
        /// Earliest.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        min: Option<String>,
        /// Latest.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        max: Option<String>,
    },
    /// Day and time, answer `YYYY-MM-DDTHH:MM`.
    DateTime {
        /// Earliest.
        min: Option<String>,
        /// Latest.
        max: Option<String>,
    },
    /// First and last day, answer `YYYY-MM-DD/YYYY-MM-DD`.
    DateRange {
        /// Earliest day.
        min: Option<String>,
        /// Latest day.
        max: Option<String>,
    },
    /// A length of time, answer in words or ISO 8601.
    Duration,
    /// A telephone number.
    Phone {
        /// ISO 3166 code of the country whose numbers may be written without prefix.
        country: Option<String>,
    },
    /// An e-mail address.
    Email,
    /// A web address.
    Url,
    /// A person of the platform.
    Person,
    /// A channel of the platform.
    Channel,
    /// Files to upload.
    File {
        /// Media types or name endings taken; empty takes all.
        accept: Vec<String>,
        /// Greatest size of one file in bytes.
        max_bytes: Option<u64>,
        /// Greatest number of files.
        max_files: u32,
    },
    /// A place on the map.
    Location,
}

/// An option of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    /// Names it on the wire.
    pub token: Token,
    /// What the person reads.
    pub label: String,
    /// A second line.
    pub detail: Option<String>,
    /// Picked already.
    pub picked: bool,
}

/// A button.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Button {
    /// Names it on the wire.
    pub token: Token,
    /// What the person reads.
    pub label: String,
    /// How it is drawn.
    pub role: ButtonRole,
}

/// What a button is for, and so how it is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ButtonRole {
    /// The expected next step: confirm, yes.
    Primary,
    /// Any other.
    Plain,
    /// Throws something away: cancel, remove.
    Danger,
}

/// How far the form is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// Visible fields with an answer.
    pub answered: u32,
    /// Visible fields that take one.
    pub total: u32,
}

/// A tool for the client to run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// Names the call; the result must bring it back.
    pub call: String,
    /// Which tool.
    pub tool: String,
    /// Its arguments by name.
    pub args: serde_json::Value,
}
