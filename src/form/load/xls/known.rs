//! The questions of a form as expressions know them: where each lies and what it holds.

use std::collections::BTreeMap;

/// What a question holds, as far as expressions go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    Text,
    Number,
    Day,
    Moment,
    Choice,
    Choices,
    YesNo,
    List,
    Other,
}

impl Holds {
    /// By the name of a field's kind.
    pub(super) fn of(kind: &str) -> Self {
        match kind {
            "text" | "long_text" | "email" | "phone" | "url" | "pattern" | "hidden" => Self::Text,
            "integer" | "number" | "percent" | "rating" | "money" => Self::Number,
            "date" => Self::Day,
            "datetime" => Self::Moment,
            "choice" => Self::Choice,
            "choices" => Self::Choices,
            "yes_no" => Self::YesNo,
            "list" => Self::List,
            _ => Self::Other,
        }
    }
}

/// One question.
#[derive(Clone, Debug)]
pub(super) struct Question {
    /// Ids from the top of the form down to it.
    pub(super) path: Vec<String>,
    /// What it holds.
    pub(super) holds: Holds,
    /// How many of the ids, from the top, lead to a list that it lies in: 0 where it lies in none.
    pub(super) list: usize,
}

/// The questions of a form by the names that its expressions have for them.
#[derive(Clone, Debug, Default)]
pub(super) struct Questions(pub(super) BTreeMap<String, Question>);

impl Questions {
    /// A question by its name.
    pub(super) fn named(&self, name: &str) -> Option<&Question> {
        self.0.get(name)
    }

    /// How a question is written at a place among others: `group.member`. None where it lies in a list that the place
    /// does not lie in.
    pub(super) fn seen_from(question: &Question, at: &[String]) -> Option<String> {
        let parents = at.split_last().map_or(&[][..], |(_, parents)| parents);
        let common = question.path.iter().zip(parents).take_while(|(one, other)| one == other).count();
        let common = common.min(question.path.len().checked_sub(1)?);
        (question.list <= common).then(|| question.path.get(common..).unwrap_or_default().join("."))
    }

    /// The values of a question in all items of its list: `items.map(i, i.amount)`.
    pub(super) fn over_items(&self, question: &Question, at: &[String]) -> Option<String> {
        let list = question.path.get(..question.list).filter(|list| !list.is_empty())?;
        let found = self.0.values().find(|other| other.path == list)?;
        let list = Self::seen_from(found, at)?;
        Some(format!("{list}.map(i, i.{})", question.path.get(question.list..)?.join(".")))
    }
}
