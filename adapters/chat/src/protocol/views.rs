//! What a host shows of itself: forms, sessions and their answers.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::text::words::primary;
use crate::{Reply, Source};

/// Where a session stands.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// The form being filled.
    pub form: Option<String>,
    /// `Incomplete`, `WaitConfirm`, `InReview`, `Complete` or `Closed`.
    pub state: String,
    /// Canonical values by the paths of their fields; null where sensitive.
    pub answers: BTreeMap<String, serde_json::Value>,
    /// The field being asked.
    pub asked: Option<String>,
}

impl From<SessionView> for Standing {
    fn from(view: SessionView) -> Self {
        let answers = view.answers.into_iter().map(|answer| (answer.field, answer.value)).collect();
        Self { form: view.form, state: view.state, answers, asked: view.asked }
    }
}

/// A form in a list of forms.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormCard {
    /// Permanent id.
    pub id: String,
    /// Title in the form's first language.
    pub title: String,
    /// What it is for.
    pub description: String,
    /// Number of fields.
    pub fields: u32,
    /// Title and description in the form's further languages, by BCP 47 tag.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub words: BTreeMap<String, FormWords>,
    /// Everybody at a place fills it in together.
    #[serde(skip)]
    pub shared: bool,
    /// Where it is filled in when one person begins it among others; none leaves that to the platform's settings.
    #[serde(skip)]
    pub shown: Option<Shown>,
}

/// The file that a form was read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormFile {
    /// Id of the form.
    pub form: String,
    /// Title in the form's first language.
    pub title: String,
    /// The file's name, without its folder.
    pub name: String,
    /// All of it.
    pub text: Arc<str>,
}

/// Where a form of one person is filled in when it is begun among others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shown {
    /// Where it was begun, in messages that only the person sees.
    #[default]
    Private,
    /// In a direct message.
    Dm,
    /// In a thread of its own.
    Thread,
    /// Where it was begun, for everybody there to read.
    Here,
}

/// How a form is called in one language.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormWords {
    /// Title.
    pub title: String,
    /// What it is for.
    pub description: String,
}

impl FormCard {
    /// Title and description in a person's language where the form has it, else in the form's first.
    pub fn words_in(&self, lang: &str) -> FormWords {
        let exact = self.words.get(lang);
        let near = || {
            self.words.iter().find(|(tag, _)| primary(tag).eq_ignore_ascii_case(primary(lang))).map(|(_, words)| words)
        };
        let own = || FormWords { title: self.title.clone(), description: self.description.clone() };
        exact.or_else(near).cloned().unwrap_or_else(own)
    }
}

/// A session as shown to its owner.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SessionView {
    /// The form being filled.
    pub form: Option<String>,
    /// `Incomplete`, `WaitConfirm`, `InReview`, `Complete` or `Closed`.
    pub state: String,
    /// In the form's order.
    pub answers: Vec<AnswerView>,
    /// The field being asked.
    pub asked: Option<String>,
    /// Forms that wait to be resumed.
    pub parked: Vec<String>,
    /// What was said last, and what a desk is waited for, to draw again after a reload.
    pub last: Vec<Reply>,
    /// Everything else worth seeing in a debug panel; sensitive values masked.
    pub debug: serde_json::Value,
}

impl SessionView {
    /// The form that its owner is in the midst of; none where it is over, or waits for others.
    pub fn under_way(&self) -> Option<&str> {
        self.form.as_deref().filter(|_| !matches!(self.state.as_str(), "Closed" | "InReview"))
    }
}

/// One answer in a [`SessionView`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnswerView {
    /// Path of the field.
    pub field: String,
    /// Short name of the field.
    pub label: String,
    /// Canonical value; null where sensitive.
    pub value: serde_json::Value,
    /// As shown to a person; masked where sensitive.
    pub shown: String,
    /// The labels of the options picked, as they were offered; empty where the answer is no option, or sensitive.
    #[serde(skip)]
    pub picked: Vec<String>,
    /// Where it came from.
    pub source: Source,
    /// The words it was read from; none where sensitive or not said.
    pub quote: Option<String>,
}
