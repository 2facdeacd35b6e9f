//! A field: what is asked, of which kind, when, and what must hold.

use formwright_values::{FieldId, FormId, ToolId, Value};

pub use super::field_no::FieldNo;

use super::choices::Choices;
use super::logic::Expr;
use super::{Kind, Text};

/// A form that is filled in for a field of another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubForm {
    /// Which.
    pub form: FormId,
    /// Which fields here take which of its answers; those of the same ids where there are none.
    pub gives: Vec<(FieldId, FieldId)>,
    /// Where the file says so.
    pub place: super::problem::Place,
}

impl SubForm {
    /// How deep forms may lie in each other: the form, one for a field of it, one for a field of that.
    pub const DEEPEST: usize = 3;
}

/// A field of a form.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its own index.
    pub no: FieldNo,
    /// The group or list it is a member of.
    pub parent: Option<FieldNo>,
    /// Permanent name inside its parent.
    pub id: FieldId,
    /// What it holds. Groups and lists are kinds too.
    pub kind: Kind,
    /// Short name for people; from the id where the author gave none.
    pub label: Text,
    /// The question, a variant per attempt; empty where the author gave none.
    pub ask: Vec<Text>,
    /// What to say when the person asks for help with this field.
    pub help: Option<Text>,
    /// What to say when the person asks why this is needed.
    pub why: Option<Text>,
    /// Examples of an answer.
    pub examples: Vec<Text>,
    /// Words that announce this field in a sentence, beside its label and id ("deliver to", "my number is").
    pub cues: Vec<Text>,
    /// Whether an answer is needed.
    pub required: Required,
    /// Shown only while this holds; unknown hides.
    pub show_when: Option<Expr>,
    /// Fields with whose answers this one goes: when one of them changes, it is asked anew.
    pub reset_with: Vec<FieldNo>,
    /// What must hold of the answer.
    pub checks: Vec<Check>,
    /// From where it may be filled.
    pub fill: Fill,
    /// Whether a link, or whoever starts the form, may fill it.
    pub from_link: bool,
    /// Where a value comes from without asking.
    pub source: AnswerSource,
    /// Never in a prompt, a log, a public channel or a metric; masked in reviews.
    pub sensitive: bool,
    /// Free guidance for a model's wording; never logic.
    pub guidance: Option<Text>,
    /// What a good answer is, judged by a model where there is one.
    pub judge: Option<Judge>,
    /// Read back and confirmed once ("you said X — right?") when read from free text or brought by a tool.
    pub verify: Option<Verify>,
    /// For `choice` and `choices`: what is offered.
    pub choices: Option<Choices>,
    /// The form that is filled in for it.
    pub form: Option<SubForm>,
    /// Index into [`super::Form::pages`].
    pub page: u16,
}

impl Field {
    /// Tools that it looks things up with: for its options, its value, its checks.
    pub fn tools(&self) -> impl Iterator<Item = &ToolId> {
        let offers = self.choices.as_ref().and_then(|choices| choices.from.as_ref()).map(|from| &from.tool);
        let brings = if let AnswerSource::FromTool { tool, .. } = &self.source { Some(tool) } else { None };
        offers.into_iter().chain(brings).chain(self.checks.iter().filter_map(|check| check.that.tool()))
    }
}

/// Whether an answer is needed.
#[derive(Clone, Debug)]
pub enum Required {
    /// Always.
    Yes,
    /// Offered once, may be skipped.
    No,
    /// While this holds.
    When(Expr),
}

/// A condition an answer must meet, with what to say when it does not.
#[derive(Clone, Debug)]
pub struct Check {
    /// The condition.
    pub that: Condition,
    /// What the person did wrong and how to mend it.
    pub or_else: Text,
}

/// What decides about an answer.
#[derive(Clone, Debug)]
pub enum Condition {
    /// An expression: `value` is the answer, other fields by their ids.
    Expr(Expr),
    /// A tool, which is run with the answer in place.
    Tool(ToolId),
}

impl Condition {
    /// The expression, if it is one.
    pub fn expr(&self) -> Option<&Expr> {
        match self {
            Self::Expr(expr) => Some(expr),
            Self::Tool(_) => None,
        }
    }

    /// The tool, if one decides.
    pub fn tool(&self) -> Option<&ToolId> {
        match self {
            Self::Expr(_) => None,
            Self::Tool(tool) => Some(tool),
        }
    }
}

/// That an answer is read back to the person before it counts.
#[derive(Clone, Debug, Default)]
pub struct Verify {
    /// Why, said with the question; none says nothing more.
    pub why: Option<Text>,
}

/// From where a field may be filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Fill {
    /// From any message.
    Any,
    /// From words only when it was asked.
    Asked,
    /// Only from its widget or its exact option, never read out of a sentence.
    Widget,
}

/// Where a value comes from without asking.
#[derive(Clone, Debug)]
pub enum AnswerSource {
    /// The person.
    Person,
    /// The person; filled beforehand, shown at the review, may be changed.
    Default(Value),
    /// As `Default`, worked out when first needed.
    DefaultFrom(Expr),
    /// As `Default`, brought by a tool when it is first needed.
    FromTool {
        /// The tool.
        tool: ToolId,
        /// Which of its outputs.
        output: String,
    },
    /// Always this; never asked, cannot be changed.
    Fixed(Value),
    /// Worked out from other answers whenever they change; never asked.
    Computed(Expr),
}

/// What a good answer to a free-text field is.
#[derive(Clone, Debug)]
pub struct Judge {
    /// The author's words.
    pub criterion: Text,
}

/// A step of the form.
#[derive(Clone, Debug)]
pub struct Page {
    /// Its id in the file; empty for the one page of a form without any.
    pub id: String,
    /// Its name for people.
    pub title: Option<Text>,
    /// Whether the person looks the page over before the next begins.
    pub review: bool,
    /// Run when the person has confirmed the page; the next begins when it has succeeded.
    pub submit: Option<ToolId>,
    /// Shown only while this holds.
    pub show_when: Option<Expr>,
}
