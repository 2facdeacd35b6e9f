//! A form ends with a submission.

use chat::ButtonRole::Primary;
use formwright_chat as chat;

use super::fill::Filling;
use super::review::answers_json;
use super::session::{Draft, Pending, State};
use super::talk::Talk;
use super::{CallError, Command, Effect, Provenance, Submission};
use crate::form::{Form, Path};

impl Talk<'_> {
    /// Submits the form if everything still holds; the answers that no longer do are asked again.
    pub(super) fn submit(&mut self, filling: &mut Filling<'_>) -> bool {
        // Time has passed since the answers were given: "not in the future" may have changed, options may be gone.
        let paths: Vec<Path> = filling.draft().answers.keys().cloned().collect();
        for path in &paths {
            if let Some(field) = filling.form.field_at(path) {
                let _ = filling.reconsider(field, path);
            }
        }
        if filling.draft().todo.first().is_some_and(|addr| !addr.is_later()) {
            return false;
        }
        let draft = &mut filling.journal.draft;
        draft.revision += 1;
        draft.state = State::Complete;
        draft.pending = Pending::Nothing;
        let submission = self.submission(filling.form, filling.draft());
        let name = if submission.revision > 1 { "submitted_again" } else { "submitted" };
        let title = filling.form.title.pick(&filling.world.tags()).to_owned();
        let reference = reference(&submission.id);
        self.notes.push(filling.say(name, &[("title", &title), ("reference", &reference)]));
        self.complete = Some(submission.answers.clone());
        self.effects.push(Effect::Submit(Box::new(submission)));
        filling.journal.draft.state = State::Closed;
        true
    }

    fn submission(&self, form: &Form, draft: &Draft) -> Submission {
        let sensitive = |path: &Path| form.field_at(path).is_some_and(|field| field.sensitive);
        Submission {
            id: draft.submission.clone(),
            revision: draft.revision,
            form: form.id.clone(),
            version: form.version.clone(),
            at: self.world.now.timestamp(),
            place: self.session.place.clone(),
            user: self.session.owner.clone(),
            answers: answers_json(form, draft),
            provenance: draft
                .answers
                .iter()
                .map(|(path, answer)| Provenance {
                    field: path.clone(),
                    source: answer.source,
                    quote: answer.quote.clone().filter(|_| !sensitive(path)),
                    at: answer.at,
                })
                .collect(),
        }
    }

    /// A submission could not be delivered: the answers are still here, and the person may try again.
    pub(super) fn delivery_failed(&mut self, error: &CallError) {
        match &error.for_person {
            Some(words) => self.notes.push(words.clone()),
            None => self.note("submit_failed", &[]),
        }
        self.button("button_retry", &[], Primary, Command::Retry);
    }

    /// Sends the form that closed last again, under the same id: a receiver that has it already takes it once.
    pub(super) fn retry_submission(&mut self) {
        let closed = self.session.closed.as_ref().filter(|draft| !draft.cancelled && draft.revision > 0);
        let found = closed.and_then(|draft| Some((self.engine.form_of(draft)?, draft)));
        let Some((form, draft)) = found else { return self.note("nothing_to_retry", &[]) };
        let submission = self.submission(&form, draft);
        self.effects.push(Effect::Submit(Box::new(submission)));
        self.note("retrying", &[]);
    }
}

/// The submission id in a form that people can read out: its first eight letters and digits.
fn reference(id: &str) -> String {
    let letters: String = id.chars().skip(2).filter(char::is_ascii_alphanumeric).take(8).collect();
    format!("F-{}", letters.to_ascii_uppercase())
}

/// The name a submission's delivery has among outside calls.
pub fn delivery_call(submission: &str) -> String {
    format!("deliver:{submission}")
}
