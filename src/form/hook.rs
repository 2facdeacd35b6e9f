//! Tools in the place of the engine's own phases.

use formwright_values::ToolId;

/// A phase of the conversation that a form's tool, or a program, may take into its own hands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Whether a message leaves the form.
    Stop,
    /// Which values are in a message.
    Extract,
    /// Values are put right before they are checked.
    Sanitize,
    /// Whether the answers go together.
    Validate,
    /// What is asked next, and what is not asked at all.
    Next,
    /// Whether the answers are to be confirmed, and whether a message confirms them.
    Confirm,
    /// What is done once everything is confirmed, before the form is sent. In a form file it is the form's `run`.
    Submit,
    /// What is said.
    Message(Option<Part>),
}

/// When a message is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// The form begins.
    Start,
    /// Something is asked.
    Incomplete,
    /// The answers are shown and are to be confirmed.
    Confirm,
    /// The form was sent or dropped.
    Closed,
}

/// A tool in the place of a phase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hook {
    /// The tool: a function, or a call over the network or of a program.
    pub tool: ToolId,
    /// Where the tool fails, say so and change nothing; else the engine goes its own way.
    pub closed: bool,
    /// Whether it is told sensitive answers too.
    pub sensitive: bool,
}

impl Phase {
    /// Its name in form files and in what a tool is told.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stop => "stop",
            Self::Extract => "extract",
            Self::Sanitize => "sanitize",
            Self::Validate => "validate",
            Self::Next => "next",
            Self::Confirm => "confirm",
            Self::Submit => "submit",
            Self::Message(_) => "message",
        }
    }

    /// The phase that a hook of this name takes into its hands; of a message `part` says when.
    pub fn named(name: &str, part: Option<Part>) -> Option<Self> {
        let plain = [Self::Stop, Self::Extract, Self::Sanitize, Self::Validate, Self::Next, Self::Confirm];
        plain.into_iter().chain([Self::Message(part)]).find(|phase| phase.name() == name)
    }
}

impl Part {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Start, Self::Incomplete, Self::Confirm, Self::Closed];

    /// Its name in form files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Incomplete => "incomplete",
            Self::Confirm => "confirm",
            Self::Closed => "closed",
        }
    }
}
