//! What a turn has done to its forms, for who listens: the session before it is held against the session after it.
//!
//! Pure, as a step is. What is sensitive is named and not shown.

#[cfg(test)]
mod tests;

use formwright_chat as chat;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::effect::{Submission, ToolCall};
use crate::session::{Draft, Session, State};
use formwright_form::{Catalog, Form, FormId, FormVersion, Lifecycle, Path, ToolId, ToolRun};
use formwright_nlu::{Answer, is_sensitive};

/// Something that happened to a form.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct Told {
    /// Stable: a repetition has the same, and the next one another.
    pub id: String,
    /// When it happened.
    pub at: Timestamp,
    /// Which form.
    pub form: FormId,
    /// Which version of it.
    pub version: FormVersion,
    /// Id of the submission that it becomes, the same from the beginning on.
    pub submission: String,
    /// Where.
    pub place: chat::Place,
    /// Whose form it is. Where several fill it together, who acted last.
    pub user: chat::UserId,
    /// What happened.
    #[serde(flatten)]
    pub what: What,
}

/// What happened to a form.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum What {
    /// It was begun.
    Started,
    /// It was cancelled or submitted, and is filled in again.
    Reopened,
    /// A tool was run for it, by the server or by the client.
    ToolRun {
        /// Which.
        tool: ToolId,
        /// Whether it gave a result.
        ok: bool,
    },
    /// An answer is another one.
    Changed {
        /// The path of its field: `phone`, `items[2].amount`.
        field: String,
        /// What it was, as a submission has it; none where there was none, or it is sensitive.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        before: Option<Json>,
        /// What it is; none where there is none, or it is sensitive.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        after: Option<Json>,
        /// Where it came from; none where there is none any more.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        source: Option<chat::Source>,
        /// Whether the values are left out because they are nobody else's business.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        sensitive: bool,
    },
    /// Answers were weighed.
    Validated {
        /// Fields whose answers were taken.
        accepted: Vec<String>,
        /// Fields whose answers were refused.
        refused: Vec<Wrong>,
        /// Where the form is now.
        state: State,
    },
    /// It was submitted.
    Submitted {
        /// 1, and one more with each corrected submission.
        revision: u32,
    },
    /// It is over.
    Closed {
        /// How it ended.
        how: Ending,
    },
}

/// An answer that was refused.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct Wrong {
    /// The path of its field.
    pub field: String,
    /// What the person was told; none where the field is sensitive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// How a form ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// It was submitted.
    Submitted,
    /// The person left it.
    Cancelled,
    /// Its time was up.
    Expired,
    /// Its answers went to the form that it was filled in for.
    Returned,
    /// Nothing is left of it: it was thrown away, or there is no such form any more.
    Dropped,
}

/// A refusal, with the draft that it happened to.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct Refused {
    /// Id of the draft's submission.
    pub submission: String,
    /// What was refused.
    pub wrong: Wrong,
}

/// A tool that the server ran in a turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Ran {
    /// The form whose tool it is.
    pub form: FormId,
    /// Which tool.
    pub tool: ToolId,
    /// Whether it gave a result.
    pub ok: bool,
}

/// A turn, as far as it has done something to forms.
#[derive(Debug)]
pub struct Turned<'a> {
    /// Names the turn.
    pub id: &'a str,
    /// When it ended.
    pub at: Timestamp,
    /// The session before it.
    pub before: Option<&'a Session>,
    /// The session after it.
    pub after: &'a Session,
    /// The session's time was up: nothing of it is kept.
    pub expired: bool,
    /// What it submitted.
    pub submissions: &'a [Submission],
    /// What it refused.
    pub refused: &'a [Refused],
    /// Tools that the server ran for it.
    pub ran: &'a [Ran],
    /// Forms that were filled in for another one, as they were when it went on: the session keeps nothing of them.
    pub left: &'a [Draft],
}

impl What {
    /// What it is, without what it is about.
    pub fn kind(&self) -> Lifecycle {
        match self {
            Self::Started => Lifecycle::Started,
            Self::Reopened => Lifecycle::Reopened,
            Self::ToolRun { .. } => Lifecycle::ToolRun,
            Self::Changed { .. } => Lifecycle::Changed,
            Self::Validated { .. } => Lifecycle::Validated,
            Self::Submitted { .. } => Lifecycle::Submitted,
            Self::Closed { .. } => Lifecycle::Closed,
        }
    }
}

impl Ran {
    /// How a call ended.
    pub fn of(call: &ToolCall, ok: bool) -> Self {
        Self { form: call.form.clone(), tool: call.tool.clone(), ok }
    }
}

impl Turned<'_> {
    /// What happened to the forms that somebody listens to, in order.
    pub fn told(&self, catalog: &Catalog, heard: impl Fn(&Form) -> bool) -> Vec<Told> {
        let mut told = Vec::new();
        let begun = self.all_after().filter(|draft| self.open_before(draft).is_none());
        let pairs = self.open().map(|was| (Some(was), self.after(was)));
        for (was, is) in pairs.chain(begun.map(|is| (self.closed_before(is), Some(is)))) {
            let Some(draft) = is.or(was) else { continue };
            let known = catalog.version(&draft.form, &draft.version).or_else(|| catalog.form(&draft.form));
            let Some(form) = known.filter(|form| heard(form)) else { continue };
            for what in self.done_to(form, was, is) {
                told.push(Told {
                    id: format!("{}.{}", self.id, told.len()),
                    at: self.at,
                    form: draft.form.clone(),
                    version: draft.version.clone(),
                    submission: draft.submission.clone(),
                    place: self.after.place.clone(),
                    user: self.after.owner.clone(),
                    what,
                });
            }
        }
        told
    }

    fn done_to(&self, form: &Form, was: Option<&Draft>, is: Option<&Draft>) -> Vec<What> {
        let mut done = Vec::new();
        let alive = is.is_some_and(|is| self.alive_after().any(|draft| std::ptr::eq(draft, is)));
        let was_open = was.is_some_and(|was| self.open().any(|draft| std::ptr::eq(draft, was)));
        if was.is_none() {
            done.push(What::Started);
        } else if alive && !was_open {
            done.push(What::Reopened);
        }
        if let Some(is) = is {
            done.extend(self.tools(form, was, is));
            let changed = changes(form, was, is);
            done.extend(changed.iter().cloned());
            done.extend(self.weighed(is, &changed));
        }
        let before = was.map_or(0, |was| was.revision);
        if let Some(draft) = is.or(was) {
            let own = self.submissions.iter().filter(|submission| submission.id == draft.submission);
            let new = own.filter(|submission| submission.revision > before);
            done.extend(new.map(|submission| What::Submitted { revision: submission.revision }));
        }
        if !alive && (was_open || was.is_none()) {
            done.push(What::Closed { how: self.ending(was, is) });
        }
        done
    }

    fn ending(&self, was: Option<&Draft>, is: Option<&Draft>) -> Ending {
        let submitted = |draft: &Draft| self.submissions.iter().any(|done| done.id == draft.submission);
        match is.or(was) {
            Some(draft) if submitted(draft) => Ending::Submitted,
            _ if self.expired => Ending::Expired,
            _ => match is {
                Some(is) if is.cancelled => Ending::Cancelled,
                Some(is) if self.left.iter().any(|left| std::ptr::eq(left, is)) => Ending::Returned,
                Some(_) => Ending::Submitted,
                None => Ending::Dropped,
            },
        }
    }

    /// Tools that were run for a draft: those that the server ran, and those of the client whose results came.
    fn tools(&self, form: &Form, was: Option<&Draft>, is: &Draft) -> Vec<What> {
        let first = self.all_after().find(|draft| draft.form == form.id);
        let own = first.is_some_and(|first| std::ptr::eq(first, is));
        let ran = self.ran.iter().filter(|ran| own && ran.form == form.id);
        let mut run: Vec<What> = ran.map(|ran| What::ToolRun { tool: ran.tool.clone(), ok: ran.ok }).collect();
        for (id, state) in &is.tools {
            let client = form.tools.get(id).is_some_and(|tool| matches!(tool.run, ToolRun::Client { .. }));
            let before = was.and_then(|was| was.tools.get(id));
            let failures = before.filter(|before| before.call == state.call).map_or(0, |before| before.failures);
            let came =
                state.result.is_some() && before.is_none_or(|before| before.result.is_none() || before.at != state.at);
            if client && (came || state.failures > failures) {
                run.push(What::ToolRun { tool: id.clone(), ok: came });
            }
        }
        run
    }

    /// What was taken and what was refused; none where nothing was weighed.
    fn weighed(&self, is: &Draft, changed: &[What]) -> Option<What> {
        let taken = changed.iter().filter_map(|what| match what {
            What::Changed { field, source: Some(source), .. } if *source != chat::Source::Computed => {
                Some(field.clone())
            }
            _ => None,
        });
        let accepted: Vec<String> = taken.collect();
        let own = self.refused.iter().filter(|refused| refused.submission == is.submission);
        let refused: Vec<Wrong> = own.map(|refused| refused.wrong.clone()).collect();
        let any = !accepted.is_empty() || !refused.is_empty();
        any.then_some(What::Validated { accepted, refused, state: is.state })
    }

    fn open(&self) -> impl Iterator<Item = &Draft> {
        self.before.into_iter().flat_map(alive)
    }

    fn open_before(&self, draft: &Draft) -> Option<&Draft> {
        self.open().find(|other| other.submission == draft.submission)
    }

    fn closed_before(&self, draft: &Draft) -> Option<&Draft> {
        let closed = self.before.and_then(|before| before.closed.as_ref());
        closed.filter(|other| other.submission == draft.submission)
    }

    fn alive_after(&self) -> impl Iterator<Item = &Draft> {
        alive(self.after).filter(|_| !self.expired)
    }

    fn closed_after(&self) -> impl Iterator<Item = &Draft> {
        self.after.closed.iter()
    }

    fn after(&self, was: &Draft) -> Option<&Draft> {
        self.all_after().find(|draft| draft.submission == was.submission)
    }

    fn all_after(&self) -> impl Iterator<Item = &Draft> {
        self.alive_after().chain(self.closed_after()).chain(self.left)
    }
}

fn alive(session: &Session) -> impl Iterator<Item = &Draft> {
    session.draft.iter().chain(&session.parked).chain(&session.reviewing)
}

/// Answers that are others than before.
fn changes(form: &Form, was: Option<&Draft>, is: &Draft) -> Vec<What> {
    let value = |draft: Option<&Draft>, path: &Path| draft.and_then(|draft| draft.answers.get(path).cloned());
    let gone = was.into_iter().flat_map(|was| was.answers.keys()).filter(|path| !is.answers.contains_key(path));
    let mut changed = Vec::new();
    for path in gone.chain(is.answers.keys()) {
        let Some(field) = form.field_at(path) else { continue };
        let (before, after) = (value(was, path), value(Some(is), path));
        if before.as_ref().map(|answer| &answer.value) == after.as_ref().map(|answer| &answer.value) {
            continue;
        }
        let sensitive = is_sensitive(form, field);
        let shown = |answer: &Answer| (!sensitive).then(|| field.kind.behaviour().json(&answer.value));
        changed.push(What::Changed {
            field: path.to_string(),
            before: before.as_ref().and_then(shown),
            after: after.as_ref().and_then(shown),
            source: after.as_ref().map(|answer| answer.source),
            sensitive,
        });
    }
    changed
}
