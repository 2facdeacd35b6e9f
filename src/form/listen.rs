//! Who is told what happens to a form while it is filled in.

use std::collections::BTreeSet;

use formwright_values::SinkId;

use super::Sink;

/// A listener: where it is, and what it is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listen {
    /// Where it is.
    pub to: To,
    /// What it is told; never empty.
    pub events: BTreeSet<Lifecycle>,
}

/// Where a listener is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum To {
    /// A webhook.
    Webhook(Sink),
    /// A webhook of the settings, by its name there.
    Settings(SinkId),
}

/// What can happen to a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Lifecycle {
    /// It was begun.
    Started,
    /// It was closed, and is filled in again.
    Reopened,
    /// A tool was run for it.
    ToolRun,
    /// An answer is another one.
    Changed,
    /// Answers were weighed.
    Validated,
    /// It was submitted.
    Submitted,
    /// It is over.
    Closed,
}

impl Lifecycle {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Started, Self::Reopened, Self::ToolRun, Self::Changed, Self::Validated, Self::Submitted, Self::Closed];

    /// Its name in form files, in settings and in what is told.
    pub fn name(self) -> &'static str {
        match self {
            Self::Started => "started",
            Self::Reopened => "reopened",
            Self::ToolRun => "tool_run",
            Self::Changed => "changed",
            Self::Validated => "validated",
            Self::Submitted => "submitted",
            Self::Closed => "closed",
        }
    }

    /// What has this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|event| event.name() == name)
    }
}
