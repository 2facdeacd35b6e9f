//! The questions of a form as expressions know them: where each lies and what it holds.

use std::collections::{BTreeMap, BTreeSet};

use formwright_form::kind::KindName;

/// What a question holds, as far as expressions go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holds {
    Text,
    Number,
    Day,
    Moment,
    Choice,
    Choices,
    YesNo,
    List,
    Other,
    /// Nothing that the expression could read: only what is checked has an answer already.
    Nothing,
}

impl Holds {
    /// By the name of a field's kind.
    pub(crate) fn of(kind: &str) -> Self {
        match KindName::of(kind) {
            Some(
                KindName::Text
                | KindName::LongText
                | KindName::Email
                | KindName::Phone
                | KindName::Url
                | KindName::Pattern
                | KindName::Hidden,
            ) => Self::Text,
            Some(KindName::Integer | KindName::Number | KindName::Percent | KindName::Rating | KindName::Money) => {
                Self::Number
            }
            Some(KindName::Date) => Self::Day,
            Some(KindName::Datetime) => Self::Moment,
            Some(KindName::Choice) => Self::Choice,
            Some(KindName::Choices) => Self::Choices,
            Some(KindName::YesNo) => Self::YesNo,
            Some(KindName::List) => Self::List,
            Some(
                KindName::Time
                | KindName::Duration
                | KindName::DateRange
                | KindName::Person
                | KindName::Channel
                | KindName::File
                | KindName::Location
                | KindName::Address
                | KindName::Group
                | KindName::Note
                | KindName::Computed,
            ) => Self::Other,
            None => Self::Other,
        }
    }
}

/// One question.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    /// Its name in the workbook.
    pub(crate) name: String,
    /// Ids from the top of the form down to it.
    pub(crate) path: Vec<String>,
    /// What it holds.
    pub(crate) holds: Holds,
    /// How many of the ids, from the top, lead to a list that it lies in: 0 where it lies in none.
    pub(crate) list: usize,
}

/// The questions of a form as its expressions name them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Questions {
    /// All of them, those in groups and lists among them.
    all: Vec<Question>,
    by_name: BTreeMap<String, Vec<usize>>,
    by_path: BTreeMap<Vec<String>, usize>,
    /// Those that the form has no place for.
    gone: BTreeSet<usize>,
    /// Names of the groups that are pages, which no path has here.
    pub(crate) pages: BTreeSet<String>,
}

impl Questions {
    /// Adds a question.
    pub(crate) fn add(&mut self, question: Question) {
        let no = self.all.len();
        self.by_name.entry(question.name.clone()).or_default().push(no);
        self.by_path.entry(question.path.clone()).or_insert(no);
        self.all.push(question);
    }

    /// Notes that the form has no place for the question at these ids. Tells whether that is new.
    pub(crate) fn leave_out(&mut self, path: &[String]) -> bool {
        self.by_path.get(path).is_some_and(|no| self.gone.insert(*no))
    }

    /// Whether the form has no place for the question at these ids.
    pub(crate) fn is_gone(&self, path: &[String]) -> bool {
        self.by_path.get(path).is_some_and(|no| self.gone.contains(no))
    }

    /// A question by its name; none where two have it.
    pub(crate) fn named(&self, name: &str) -> Option<&Question> {
        match self.by_name.get(name)?.as_slice() {
            [only] => self.here(*only),
            _ => None,
        }
    }

    fn here(&self, no: usize) -> Option<&Question> {
        self.all.get(no).filter(|_| !self.gone.contains(&no))
    }

    /// The questions that lie in no list, as the params of a tool that are made of them: by their own ids.
    pub(crate) fn as_params(&self) -> Self {
        let mut alone = Self::default();
        for (no, question) in self.all.iter().enumerate().filter(|(_, question)| question.list == 0) {
            let path: Vec<String> = question.path.last().cloned().into_iter().collect();
            alone.add(Question { path: path.clone(), ..question.clone() });
            if self.gone.contains(&no) {
                alone.leave_out(&path);
            }
        }
        alone
    }

    /// The question at these ids.
    pub(crate) fn at(&self, path: &[String]) -> Option<&Question> {
        self.by_path.get(path).and_then(|no| self.here(*no))
    }

    /// The question at the end of a path: from the question at `at` so many steps up, else from the top, then down by names.
    pub(crate) fn along(&self, up: Option<usize>, names: &[String], at: &[String]) -> Option<&Question> {
        let (mut above, names) = match up {
            Some(up) if up > at.len() + usize::from(!self.pages.is_empty()) => return None,
            Some(up) => (at.get(..at.len().saturating_sub(up))?.to_vec(), names),
            // The first name is that of the form.
            None => (Vec::new(), names.get(1..)?),
        };
        let mut found = None;
        for name in names {
            if above.is_empty() && self.pages.contains(name) {
                continue;
            }
            let beside = |question: &&Question| question.path.split_last().is_some_and(|(_, parents)| parents == above);
            let named = self.by_name.get(name).map(Vec::as_slice).unwrap_or_default();
            let next = only(named.iter().filter_map(|no| self.here(*no)).filter(beside))?;
            above.clone_from(&next.path);
            found = Some(next);
        }
        found
    }

    /// How a question is written at a place among others: `group.member`. None where it lies in a list that the place
    /// does not lie in.
    pub(crate) fn seen_from(question: &Question, at: &[String]) -> Option<String> {
        let parents = at.split_last().map_or(&[][..], |(_, parents)| parents);
        let common = question.path.iter().zip(parents).take_while(|(one, other)| one == other).count();
        let common = common.min(question.path.len().checked_sub(1)?);
        (question.list <= common).then(|| question.path.get(common..).unwrap_or_default().join("."))
    }

    /// The values of a question in all items of its list: `items.map(i, i.amount)`.
    pub(crate) fn over_items(&self, question: &Question, at: &[String]) -> Option<String> {
        let list = question.path.get(..question.list).filter(|list| !list.is_empty())?;
        let list = Self::seen_from(self.at(list)?, at)?;
        Some(format!("{list}.map(i, i.{})", question.path.get(question.list..)?.join(".")))
    }
}

fn only<'q>(mut found: impl Iterator<Item = &'q Question>) -> Option<&'q Question> {
    found.next().filter(|_| found.next().is_none())
}
