//! What is said in the reply of one step, beside what is asked.

use formwright_chat as chat;

use formwright_form::FormId;
use formwright_nlu::Command;

/// What is said in the reply, beside what is asked.
#[derive(Debug, Default)]
pub(crate) struct Saying {
    /// Paragraphs to say before what is asked next.
    pub(crate) notes: Vec<String>,
    /// Which of the paragraphs says what a form just started needs.
    pub(crate) needs: Option<usize>,
    /// Which of the paragraphs lists the values that were noted.
    pub(crate) noted: Option<usize>,
    /// Buttons to offer beside what is asked next.
    pub(crate) buttons: Vec<(String, chat::ButtonRole, Command)>,
    /// Show all answers before what is asked next.
    pub(crate) card: bool,
    /// A question was answered, so that what is asked now is no failed try.
    pub(crate) answered_question: bool,
    /// Nothing is asked: the reply is about this case.
    pub(crate) quiet: Option<chat::CaseMark>,
    /// The finished answers, once submitted.
    pub(crate) complete: Option<(FormId, serde_json::Value)>,
    /// What was brought and not taken.
    pub(crate) rejected: Vec<chat::Rejected>,
    /// Nothing of what was brought was taken: all stays as it is, what was said last too.
    pub(crate) unmoved: bool,
    /// It is said once more that a form was submitted.
    pub(crate) recalls: bool,
    /// What the event holds is not to be shown again.
    pub(crate) conceals: bool,
}

impl Saying {
    /// Adds a value that was noted to the paragraph that lists them.
    pub(crate) fn note_value(&mut self, value: String) {
        let Some(paragraph) = self.noted.and_then(|at| self.notes.get_mut(at)) else {
            self.noted = Some(self.notes.len());
            return self.notes.push(value);
        };
        paragraph.push(' ');
        paragraph.push_str(&value);
    }

    /// Takes a value off the paragraph of those that were noted.
    pub(crate) fn take_back_note(&mut self, value: &str) {
        if let Some(paragraph) = self.noted.and_then(|at| self.notes.get_mut(at)) {
            paragraph.replacen(value, "", 1).trim().clone_into(paragraph);
        }
    }
}
