//! What a form is: data, checked, and pure. Form files are read by `formwright-load`.
//!
//! Deliberately absent: the conversation (that is the engine), files, clocks, randomness and the network.

#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]

pub mod catalog;
pub mod choices;
pub mod context;
pub mod cues;
pub mod field;
pub mod hook;
pub mod kind;
pub mod listen;
pub mod logic;
pub mod messages;
pub mod options;
pub mod patterns;
pub mod problem;
pub mod text;
pub mod tool;
pub mod tree;

use std::collections::BTreeMap;

pub use catalog::Catalog;
pub use choices::{Choices, OptionDef, OptionsFrom};
pub use field::{AnswerSource, Check, Condition, Field, Fill, Judge, Page, Required, Verify};
pub use formwright_chat::Shown;
pub use formwright_values::{FieldId, FormId, FormVersion, OptionId, Path, Seg, SinkId, ToolId, Value, zone};
pub use hook::{Hook, Part, Phase};
pub use kind::Kind;
pub use listen::{Lifecycle, Listen};
pub use text::Text;
pub use tool::{Tool, ToolRun};

use formwright_chat::words::primary;
use logic::Graph;

/// A form as the engine runs it: checked, its expressions compiled, its dependencies known.
#[derive(Clone, Debug)]
pub struct Form {
    /// Permanent name.
    pub id: FormId,
    /// Changes with the content: a session goes on with the version that it was started with.
    pub version: FormVersion,
    /// What the person sees as its name.
    pub title: Text,
    /// What it is for: how it is picked from a message, with the examples below.
    pub description: Text,
    /// Messages that start it.
    pub start_examples: Vec<Text>,
    /// Messages that leave it.
    pub stop_examples: Vec<Text>,
    /// Languages the author wrote texts in, the fallback first; never empty.
    pub languages: Vec<String>,
    /// Whether the person confirms a review before submission.
    pub confirm: bool,
    /// Whether it stands in lists of forms and is found by what people say; others are opened by id only.
    pub listed: bool,
    /// Whether it is never submitted and never closes, because whoever sent it has the answers. No key of a form file.
    pub stays: bool,
    /// How optional fields are put to the person.
    pub optional: Optional,
    /// Whether it can be started.
    pub enabled: bool,
    /// Who fills it: one person, or everybody in the channel.
    pub scope: Scope,
    /// Where one person fills it in who begins it among others; none leaves that to the platform's settings.
    pub shown: Option<Shown>,
    /// The zone of its times for people whose own is not known, as the database spells it.
    pub zone: Option<String>,
    /// Seconds an untouched draft is kept; none leaves it to [`Catalog::draft_ttl`].
    pub draft_ttl: Option<u64>,
    /// Seconds that submissions are kept in the store; none for ever.
    pub keep_submissions: Option<u64>,
    /// Said when the form starts; none takes the standard greeting.
    pub greeting: Option<Text>,
    /// The form's own help text.
    pub help: Option<Text>,
    /// Where the person is sent when the form cannot help.
    pub human: Option<Text>,
    /// Who has to approve a submission before it goes anywhere; none where nobody has to.
    pub review: Option<Review>,
    /// The desk whose people the person may talk to.
    pub handoff: Option<String>,
    /// How a language model is used, where there is one.
    pub model: ModelHints,
    /// Questions and answers about the form.
    pub faq: Vec<Faq>,
    /// Documents that questions are answered from.
    pub context: context::Context,
    /// Form-level messages that replace the standard ones, by name (see `engine::prompt`).
    pub messages: BTreeMap<String, Text>,
    /// Every field, groups and lists before their members; a [`field::FieldNo`] is an index into this.
    pub fields: Vec<Field>,
    /// How fields lie in each other: `Tree::new(&fields)`.
    pub tree: tree::Tree,
    /// Words that announce each field, built when first needed: `Default::default()`.
    pub cues: std::sync::OnceLock<cues::Cues>,
    /// Steps, in order; never empty. A form without pages has one page with all its fields.
    pub pages: Vec<Page>,
    /// Which expression reads which field.
    pub graph: Graph,
    /// Tools by id.
    pub tools: BTreeMap<ToolId, Tool>,
    /// Run when everything is confirmed, before the form is submitted.
    pub run: Option<ToolId>,
    /// Where a hook says so: it is told where the conversation stands, and with true sensitive answers too.
    pub run_told: Option<bool>,
    /// The form that begins when this one was sent.
    pub then: Option<tool::Next>,
    /// Tools in the place of phases.
    pub hooks: BTreeMap<Phase, Hook>,
    /// Whether the form says itself where it is submitted to: one that is filled in for a field of another form goes
    /// nowhere else.
    pub submits: bool,
    /// Where a submission goes, in order: ids of `sinks` or of sinks in the settings.
    pub submit: Vec<SinkId>,
    /// Sinks declared in the form.
    pub sinks: BTreeMap<SinkId, Sink>,
    /// Who is told what happens to it.
    pub listen: Vec<Listen>,
}

impl Form {
    /// Names of the desks that it needs.
    pub fn desks(&self) -> impl Iterator<Item = &str> {
        self.review.iter().map(|review| review.by.as_str()).chain(self.handoff.as_deref())
    }

    /// Whether it is written in the language of a BCP 47 tag.
    pub fn speaks(&self, tag: &str) -> bool {
        self.languages.iter().any(|own| primary(own).eq_ignore_ascii_case(primary(tag)))
    }
}

/// How optional fields are put to the person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Optional {
    /// Each is asked once, in its place, and may be skipped.
    Ask,
    /// They are offered together at the review.
    Offer,
}

/// Who fills a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The person who started it.
    User,
    /// Everybody in the channel together.
    Channel,
}

/// Who has to approve a submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Review {
    /// Name of the desk.
    pub by: String,
    /// How many people, at least one.
    pub needs: u32,
    /// Seconds until they are reminded; none for never.
    pub remind: Option<u64>,
}

/// A question people ask about the form, with its answer.
#[derive(Clone, Debug)]
pub struct Faq {
    /// Ways the question is asked.
    pub questions: Vec<Text>,
    /// The answer.
    pub answer: Text,
}

/// How a language model is used in a form.
#[derive(Clone, Debug)]
pub struct ModelHints {
    /// Whether it may read messages at all.
    pub allowed: bool,
    /// How often it is asked once more after a reply that cannot be read; none takes the settings' number.
    pub retries: Option<u32>,
    /// Whether it may answer questions in its own words, made of nothing but the form's texts.
    pub own_words: bool,
    /// How it words questions; none leaves them in the author's words.
    pub tone: Option<String>,
    /// Advice about the form as a whole.
    pub guidance: Option<Text>,
}

/// A sink declared in a form or in the settings.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Sink {
    /// Appends one JSON object a line to a file in the data directory.
    Jsonl {
        /// File name; `{form}.jsonl` by default.
        file: Option<String>,
    },
    /// Appends a row to a CSV file in the data directory.
    Csv {
        /// File name; `{form}.csv` by default.
        file: Option<String>,
    },
    /// Inserts a row into a table of a SQLite file in the data directory.
    Sqlite {
        /// File name; `submissions.db` by default.
        file: Option<String>,
        /// Table; the form's id by default.
        table: Option<String>,
    },
    /// Posts JSON, signed as Standard Webhooks describes.
    Webhook {
        /// `https://…` to a public address, or one that the operator allows in `http.local`.
        url: String,
        /// `env:NAME` or `file:PATH` of the signing secret; none sends unsigned.
        secret: Option<String>,
        /// A second secret, signed with as well while secrets rotate.
        secret_next: Option<String>,
    },
    /// Runs a tool of the form, under an id that stays the same until it has arrived. Written `tool.NAME` in `submit`.
    #[schemars(skip)]
    Tool {
        /// Which.
        tool: String,
    },
}
