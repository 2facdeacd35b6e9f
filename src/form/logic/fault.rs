//! What is wrong with an expression or a template, found when the form is loaded.

use std::ops::Range;

/// What is wrong, where, and what to change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What kind of mistake.
    pub kind: FaultKind,
    /// What is wrong, a sentence without full stop.
    pub message: String,
    /// What to change.
    pub help: Option<String>,
    /// Byte range in the expression or template; always on character boundaries.
    pub span: Range<usize>,
}

/// What kind of mistake a [`Fault`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FaultKind {
    /// It cannot be read.
    Syntax,
    /// It is longer or more deeply nested than the limits.
    TooLarge,
    /// A name that is no field, variable, member or function.
    UnknownName,
    /// A function with the wrong arguments.
    Arguments,
    /// A part of the language that forms do not have.
    Unsupported,
    /// Values of these types do not go together.
    Type,
    /// The result is not what the place needs.
    Result,
}

impl Fault {
    /// A fault without help.
    pub fn new(kind: FaultKind, message: impl Into<String>, span: Range<usize>) -> Self {
        Self { kind, message: message.into(), help: None, span }
    }

    /// Adds what to change.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds the candidate that is nearest to a mistyped name, if one is near.
    #[must_use]
    pub fn did_you_mean<'a>(self, name: &str, candidates: impl Iterator<Item = &'a str>) -> Self {
        match nearest(name, candidates) {
            Some(near) => self.help(format!("did you mean `{near}`?")),
            None => self,
        }
    }
}

/// The candidate that is nearest to a mistyped name, if one is near: at most a third of its letters differ.
pub fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let lower = name.to_lowercase();
    let most = (name.chars().count() / 3).max(1);
    candidates
        .map(|candidate| (strsim::osa_distance(&lower, &candidate.to_lowercase()), candidate))
        .filter(|(distance, _)| *distance <= most)
        .min()
        .map(|(_, candidate)| candidate)
}
