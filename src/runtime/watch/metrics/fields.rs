//! What a turn did to the fields of its forms: asked, answered, abandoned; and what became of a request at a desk.

use formwright_chat::Source;
use jiff::Timestamp;

use crate::forms::inline::is_inline;
use formwright_engine::session::{Draft, Pending};
use formwright_engine::{Session, Submission};
use formwright_form::{FormId, Path, Seg};

/// Something that happened to a form. Forms that came with a request are not counted: their ids are not ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Noted {
    /// A field was asked.
    Asked(String, String),
    /// A field was answered, from this source.
    Answered(String, String, &'static str),
    /// The form was left unfinished at this field.
    Abandoned(String, String),
    /// The form was submitted.
    Submitted(String),
    /// This became of a request at a desk: which desk, what about.
    Case(String, &'static str, &'static str),
}

/// What a turn that began then has done. `over`: it takes the session away.
pub(crate) fn noted(
    before: Option<&Session>,
    after: &Session,
    submissions: &[Submission],
    began: Timestamp,
    over: bool,
) -> Vec<Noted> {
    let mut noted = Vec::new();
    let known = |draft: &Draft| before.and_then(|before| find(before, &draft.submission));
    for draft in after.draft.iter().chain(&after.closed).filter(|draft| !is_inline(&draft.form)) {
        let was = known(draft);
        for (path, answer) in draft.answers.iter().filter(|(_, answer)| answer.at >= began) {
            if was.and_then(|was| was.answers.get(path)).is_none_or(|was| was.value != answer.value) {
                noted.push(Noted::Answered(name(&draft.form), field(path), source(answer.source)));
            }
        }
    }
    if let Some(draft) = after.draft.as_ref().filter(|draft| !is_inline(&draft.form))
        && let Pending::Field { path, .. } = &draft.pending
    {
        let times = |draft: &Draft| draft.asked.get(path).map_or(0, |asked| asked.times);
        if times(draft) > known(draft).map_or(0, times) {
            noted.push(Noted::Asked(name(&draft.form), field(path)));
        }
    }
    let lives = |draft: &&Draft| !over && alive(after).any(|other| other.submission == draft.submission);
    let submitted = |draft: &&Draft| {
        after.closed.as_ref().is_some_and(|other| other.submission == draft.submission && !other.cancelled)
    };
    if let Some(before) = before {
        let left = alive(before).filter(|draft| !is_inline(&draft.form) && !lives(draft) && !submitted(draft));
        noted.extend(left.map(|draft| Noted::Abandoned(name(&draft.form), left_at(before, draft))));
    }
    if let Some(case) = &after.case {
        let was = before.and_then(|before| before.case.as_ref()).map(|case| &case.affair);
        let became = case.affair.since(was);
        noted.extend(became.map(|became| Noted::Case(case.request.desk.clone(), case.affair.about.name(), became)));
    }
    let own = submissions.iter().filter(|submission| !is_inline(&submission.form));
    noted.extend(own.map(|submission| Noted::Submitted(name(&submission.form))));
    noted
}

fn alive(session: &Session) -> impl Iterator<Item = &Draft> {
    session.draft.iter().chain(&session.parked).chain(&session.reviewing)
}

fn find<'a>(session: &'a Session, submission: &str) -> Option<&'a Draft> {
    alive(session).chain(&session.closed).find(|draft| draft.submission == submission)
}

/// Where a draft stood: the field asked, or the review.
fn left_at(session: &Session, draft: &Draft) -> String {
    match &draft.pending {
        Pending::Field { path, .. } => field(path),
        Pending::MoreItems { list } => field(list),
        Pending::Review | Pending::PageReview { .. } | Pending::WhatToChange => "(review)".to_owned(),
        Pending::Nothing | Pending::Which { .. } | Pending::Sure { .. } | Pending::Tool { .. } => {
            let shown = session.past.iter().rev().find_map(|past| past.path.as_ref());
            shown.map_or_else(|| "(none)".to_owned(), field)
        }
    }
}

fn name(form: &FormId) -> String {
    form.as_str().to_owned()
}

/// A field by the ids of the form file: items of a list are one field.
fn field(path: &Path) -> String {
    let mut name = String::new();
    for seg in path.segs() {
        if let Seg::Field(id) = seg {
            if !name.is_empty() {
                name.push('.');
            }
            name.push_str(id.as_str());
        }
    }
    name
}

fn source(source: Source) -> &'static str {
    match source {
        Source::Said => "said",
        Source::Pressed => "pressed",
        Source::Tool => "tool",
        Source::Default => "default",
        Source::Fixed => "fixed",
        Source::Computed => "computed",
    }
}
