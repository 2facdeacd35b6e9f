//! A form ends with a submission.

use chat::ButtonRole::Primary;
use formwright_chat as chat;

use super::fill::Filling;
use super::review::answers_json;
use super::session::{Draft, Pending, Slot, State};
use super::talk::Talk;
use super::{CallError, Command, Effect, Provenance, Submission};
use formwright_form::{Form, Path};

impl Talk<'_> {
    /// Submits the form if everything still holds; the answers that no longer do are asked again.
    pub(super) fn submit(&mut self, filling: &mut Filling<'_>) -> bool {
        if filling.draft().approval.as_ref().is_some_and(|approval| !approval.decisions.is_empty()) {
            // What was approved is submitted, and nothing else.
            self.complete_form(filling);
            return true;
        }
        self.decide_by_tools(filling);
        // Time has passed since the answers were given: "not in the future" may have changed, options may be gone.
        let paths: Vec<Path> = filling.draft().answers.keys().cloned().collect();
        for path in &paths {
            if let Some(field) = filling.form.field_at(path) {
                let _ = filling.reconsider(field, path);
            }
        }
        let lists: Vec<Path> = filling.draft().lists.keys().cloned().collect();
        for list in &lists {
            filling.refresh_more(list);
        }
        if filling.draft().todo.first().is_some_and(|addr| !addr.is_later()) {
            return false;
        }
        if let Some((path, why)) = filling.unworkable() {
            let label = filling.form.field_at(&path).map(|field| field.label.pick(&filling.world.tags()).to_owned());
            let label = label.unwrap_or_default();
            self.notes.push(filling.say("cannot_work_out", &[("label", &label)]));
            self.effects.push(Effect::Fault(format!(
                "{} cannot be submitted, a value cannot be worked out: {why}",
                filling.form.id
            )));
            return false;
        }
        filling.journal.draft.pending = Pending::Nothing;
        if !filling.form.submits && self.is_for_another(filling.draft()) {
            filling.journal.draft.state = State::Closed;
            return true;
        }
        if filling.needs_approval() {
            return self.send_for_approval(filling);
        }
        self.complete_form(filling);
        true
    }

    /// The id of a submission to come. Two that begin in one step have two.
    pub(super) fn new_submission(&mut self) -> String {
        self.begun += 1;
        submission_id(&self.world.nonce, self.begun - 1)
    }

    /// Submits the form as it is.
    pub(super) fn complete_form(&mut self, filling: &mut Filling<'_>) {
        let draft = &mut filling.journal.draft;
        draft.revision += 1;
        (draft.state, draft.undelivered) = (State::Complete, false);
        let submission = self.submission(filling.form, filling.draft());
        self.tell_of_the_one_before();
        let name = if submission.revision > 1 { "submitted_again" } else { "submitted" };
        let title = filling.form.title.pick(&filling.world.tags_of(filling.form)).to_owned();
        let reference = reference(&submission.id).to_owned();
        self.notes.push(filling.say(name, &[("title", &title), ("reference", &reference)]));
        let shown = super::review::open_answers_json(filling.form, filling.draft());
        self.complete = Some((submission.form.clone(), shown));
        self.effects.push(Effect::Submit(Box::new(submission)));
        filling.journal.draft.state = State::Closed;
    }

    /// Where a form was submitted in this step already, it has a reply of its own, with what was said by then: its answers
    /// reach the client too.
    fn tell_of_the_one_before(&mut self) {
        let Some((form, answers)) = self.complete.take() else { return };
        let mut say = std::mem::take(&mut self.notes);
        (self.noted, self.needs) = (None, None);
        say.retain(|paragraph| !paragraph.trim().is_empty());
        let known = self.engine.catalog().form(&form).cloned();
        let reply = chat::Reply {
            say,
            lang: known
                .as_ref()
                .map_or(self.world.speaks.code, |form| self.world.speaking(form).speaks.code)
                .to_owned(),
            shared: self.session.shared,
            title: known.map(|form| self.title(&form)),
            form: Some(form.to_string()),
            complete: Some(answers),
            ..chat::Reply::default()
        };
        self.effects.push(Effect::Reply(Box::new(reply)));
    }

    /// Whether a draft gives its answers to a form that waits for them.
    fn is_for_another(&self, draft: &Draft) -> bool {
        let awaits = |to: &str| self.session.parked.iter().any(|parked| parked.submission == to);
        draft.returns.as_ref().is_some_and(|returns| awaits(&returns.to))
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
            shared: self.session.shared,
            answers: answers_json(form, draft),
            zone: super::zone::zone_of_answers(form, draft),
            review: super::desk::reviewed(form, draft),
            provenance: draft
                .answers
                .iter()
                .map(|(path, answer)| Provenance {
                    field: path.clone(),
                    source: answer.source,
                    quote: answer.quote.clone().filter(|_| !sensitive(path)),
                    at: answer.at,
                    by: answer.by.clone(),
                })
                .collect(),
        }
    }

    /// Tells who presses again what came of the form that closed last; tells whether it was submitted.
    pub(super) fn say_already_submitted(&mut self) -> bool {
        self.say_of_submitted("already_submitted")
    }

    /// Says something of the form that was submitted last; tells whether there is one.
    pub(super) fn say_of_submitted(&mut self, name: &str) -> bool {
        let closed = self.session.closed.as_ref().filter(|draft| !draft.cancelled && draft.revision > 0);
        let Some(draft) = closed else { return false };
        let reference = reference(&draft.submission).to_owned();
        self.recalls = true;
        match self.engine.form_of(draft) {
            Some(form) => {
                let title = self.title(&form);
                self.note_of(&form, name, &[("title", &title), ("reference", &reference)]);
            }
            None => self.note(name, &[("title", ""), ("reference", &reference)]),
        }
        true
    }

    /// A submission could not be delivered: the answers are still here, and the person may try again.
    pub(super) fn delivery_failed(&mut self, error: &CallError) {
        if let Some(draft) = &mut self.session.closed {
            draft.undelivered = true;
        }
        self.notes.extend(error.for_person.clone());
        let Some(form) = self.session.closed.as_ref().and_then(|draft| self.engine.form_of(draft)) else {
            if error.for_person.is_none() {
                self.note("submit_failed", &[]);
            }
            return self.button("button_retry", &[], Primary, Command::Retry);
        };
        if error.for_person.is_none() {
            self.note_of(&form, "submit_failed", &[]);
        }
        self.button_of(&form, "button_retry", &[], Primary, Command::Retry);
    }

    /// Sends the form that closed last again, where it was given up, under the same id: a receiver that has it already
    /// takes it once.
    pub(super) fn retry_submission(&mut self) {
        let offered = |slot: &Slot| matches!(slot, Slot::Do { command: Command::Retry, .. });
        let is_offered = self.session.screen.iter().flat_map(|screen| &screen.slots).any(offered);
        let is_under_way = self.session.closed.as_ref().is_some_and(|draft| !draft.undelivered);
        if is_under_way && !is_offered && self.say_already_submitted() {
            return;
        }
        let closed = self.session.closed.as_ref().filter(|draft| !draft.cancelled && draft.revision > 0);
        let found = closed.and_then(|draft| Some((self.engine.form_of(draft)?, draft)));
        let Some((form, draft)) = found else { return self.note("nothing_to_retry", &[]) };
        let submission = self.submission(&form, draft);
        self.effects.push(Effect::Submit(Box::new(submission)));
        self.note_of(&form, "retrying", &[]);
    }
}

/// The id of a submission to come: 26 letters and digits that people can read out, made of the step's random bits. `no`
/// tells those of one step apart.
pub(super) fn submission_id(nonce: &chat::Nonce, no: u32) -> String {
    // Crockford's base 32: no I, L, O or U to be mistaken.
    const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    let apart = std::iter::repeat_n(b'+', usize::try_from(no).unwrap_or(0));
    let bits =
        nonce.as_str().bytes().chain(apart).fold(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d_u128, |hash, byte| {
            (hash ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b)
        });
    let letter = |i: u32| char::from(ALPHABET[usize::try_from((bits >> (5 * i)) & 31).unwrap_or(0)]);
    format!("F-{}", (0..26).map(letter).collect::<String>())
}

/// How the person is told the submission's id: its beginning, by which it is found in every list.
pub(super) fn reference(id: &str) -> &str {
    id.get(..10).unwrap_or(id)
}

/// The name a submission's delivery has among outside calls.
pub fn delivery_call(submission: &str) -> String {
    format!("deliver:{submission}")
}
