//! The side of whoever filled a form in that others have to approve: sent, approved, rejected, to be changed, withdrawn.

use chat::ButtonRole::Plain;
use chat::{CaseCode, CaseNews, CaseRequest, Decision, Member};
use formwright_chat as chat;

use super::{Approval, Desk, Person, Reviewed, to_desk};
use crate::begin::is_begun;
use crate::fill::Filling;
use crate::finish::reference;
use crate::session::{Answer, Draft, Pending, State};
use crate::talk::Talk;
use crate::{Command, Effect, review};
use formwright_form::{Form, Path};
use formwright_lexicon::language;

impl Filling<'_> {
    /// Whether somebody has to approve the form who has not yet.
    pub(crate) fn needs_approval(&self) -> bool {
        let approved = self.draft().approval.as_ref().is_some_and(|approval| !approval.decisions.is_empty());
        self.form.review.is_some() && !approved
    }

    /// Names of what alone may be changed; none where anything may.
    fn open_labels(&self) -> Option<String> {
        let open = &self.draft().approval.as_ref()?.open;
        let labels: Vec<String> = open.iter().map(|path| self.label(path)).collect();
        (!open.is_empty()).then(|| self.voice().list(&labels))
    }

    /// Whether the person may give another answer, as far as it lies with those who approve.
    pub(crate) fn is_open_to_change(&self, path: &Path) -> bool {
        let command = Command::Edit { path: Some(path.clone()) };
        !self.changes_what_is_approved(&command) && !self.changes_what_is_settled(&command)
    }

    /// Whether a command would change what was approved.
    fn changes_what_is_approved(&self, command: &Command) -> bool {
        let asks_what = *command == Command::Deny && self.draft().pending == Pending::Review;
        self.form.review.is_some()
            && !self.needs_approval()
            && (asks_what
                || matches!(
                    command,
                    Command::Fill { .. }
                        | Command::Together { .. }
                        | Command::Clear { .. }
                        | Command::AddItem { .. }
                        | Command::RemoveItem { .. }
                        | Command::EndList { .. }
                        | Command::Edit { .. }
                        | Command::FillRest { .. }
                        | Command::Undo
                        | Command::Redo
                        | Command::Restart
                ))
    }

    /// Whether a command would change an answer that nobody has asked to be changed.
    fn changes_what_is_settled(&self, command: &Command) -> bool {
        let Some(approval) = self.draft().approval.as_ref().filter(|approval| !approval.open.is_empty()) else {
            return false;
        };
        let around = |path: &Path| approval.open.iter().any(|open| open.is_within(path) || path.is_within(open));
        let settled = |path: &Path| {
            let locked = approval.locked.iter().any(|locked| locked.is_within(path) || path.is_within(locked));
            locked && !around(path)
        };
        match command {
            Command::Fill { path, .. } | Command::Clear { path } | Command::Edit { path: Some(path) } => settled(path),
            // Items move up when one goes: what is open would be another one's then.
            Command::AddItem { list: path } | Command::RemoveItem { item: path } => {
                let seen = approval.locked.iter().chain(&approval.open).any(|seen| seen.is_within(path));
                seen && !approval.open.iter().any(|open| path.is_within(open))
            }
            Command::Restart => true,
            _ => false,
        }
    }
}

impl Talk<'_> {
    /// Says that a command would change what may not be changed; tells whether it would.
    pub(crate) fn keeps_to_what_is_open(&mut self, filling: &Filling<'_>, command: &Command) -> bool {
        if filling.changes_what_is_approved(command) {
            self.notes.push(filling.say("approved_as_it_is", &[]));
            return true;
        }
        if !filling.changes_what_is_settled(command) {
            return false;
        }
        let labels = filling.open_labels().unwrap_or_default();
        self.notes.push(filling.say("only_these", &[("labels", &labels)]));
        true
    }

    /// Sends a finished form to those who have to approve it; tells whether there are any.
    pub(crate) fn send_for_approval(&mut self, filling: &mut Filling<'_>) -> bool {
        let Some(review) = &filling.form.review else { return false };
        if self.world.tries_out {
            let facts =
                [("title", filling.form.title.pick(&filling.world.tags_of(filling.form))), ("what", &review.by)];
            self.notes.push(filling.say("review_tried_out", &facts));
            self.complete = Some((filling.form.id.clone(), review::open_answers_json(filling.form, filling.draft())));
            filling.journal.draft.state = State::Closed;
            return true;
        }
        let Some((name, desk)) = self.engine.desks.get_key_value(&review.by) else {
            self.effects.push(Effect::Fault(format!(
                "{} is to be approved at the desk `{}`, and there is none of that name in the settings",
                filling.form.id, review.by
            )));
            self.notes.push(filling.say("no_desk", &[]));
            return false;
        };
        let approval = filling.journal.draft.approval.get_or_insert_default();
        approval.round = approval.round.saturating_add(1);
        (approval.open, approval.locked) = (Vec::new(), Vec::new());
        let (round, masked) = (approval.round, std::mem::take(&mut approval.masked));
        let other = |path: &Path, before: &Answer| {
            let now = filling.draft().answers.get(path);
            now.is_some_and(|now| now.value != before.value).then(|| path.to_string())
        };
        let request = CaseRequest {
            needs: review.needs,
            remind: review.remind,
            round,
            veiled: masked.iter().filter_map(|(path, before)| other(path, before)).collect(),
            ..self.request(filling.form, filling.draft(), name, desk)
        };
        let Some(code) = CaseCode::of_submission(&request.submission) else { return false };
        let news = CaseNews::Review { request: Box::new(request) };
        self.tell_desk(desk, &code, news, &round.to_string());
        let title = filling.form.title.pick(&filling.world.tags_of(filling.form)).to_owned();
        let draft = &mut filling.journal.draft;
        (draft.state, draft.pending, draft.confirmed) = (State::InReview, Pending::Nothing, false);
        let (told, submission) = (reference(&draft.submission).to_owned(), draft.submission.clone());
        let sentence = if round > 1 { "sent_again_for_approval" } else { "sent_for_approval" };
        self.notes.push(filling.say(sentence, &[("title", &title), ("reference", &told)]));
        self.buttons.push((filling.say("button_withdraw", &[]), Plain, Command::Withdraw { submission }));
        true
    }

    /// What a desk is told of a draft, in the desk's language.
    pub(super) fn request(&self, form: &Form, draft: &Draft, name: &str, desk: &Desk) -> CaseRequest {
        let lang = desk.lang.clone().or_else(|| form.languages.first().cloned()).unwrap_or_else(|| "en".to_owned());
        let mut world = self.world.clone();
        world.speak(language(&lang));
        let world = world.speaking(form);
        let filling = Filling::new(form, &world, draft.clone());
        let card = review::card(&filling, |_| chat::Token::new(&self.world.nonce, 0), None);
        let rows = card.rows.into_iter().map(|row| chat::CardRow { edit: None, ..row }).collect();
        CaseRequest {
            submission: draft.submission.clone(),
            desk: name.to_owned(),
            title: card.title,
            lang,
            place: self.session.place.clone(),
            person: Member { id: self.session.owner.clone(), name: self.world.name.clone() },
            shared: self.session.shared,
            forms: self.world.terms.forms.clone(),
            rows,
            empty: review::empty(&filling),
            round: 1,
            needs: 1,
            remind: None,
            said: None,
            veiled: Vec::new(),
        }
    }

    pub(super) fn tell_desk(&mut self, desk: &Desk, code: &CaseCode, news: CaseNews, count: &str) {
        let person = Person { place: &self.session.place, user: &self.session.owner, name: self.world.name.as_deref() };
        self.effects.push(to_desk(desk, code, &person, news, count, self.world.now.timestamp()));
    }

    /// Hears what a desk has done; false where nothing waits for that here.
    pub(crate) fn hear_of_case(&mut self, code: &CaseCode, news: &CaseNews) -> bool {
        if self.hear_of_talk(code, news) {
            return true;
        }
        let ours = |draft: &Draft| CaseCode::of_submission(&draft.submission).as_ref() == Some(code);
        let Some(at) = self.session.reviewing.iter().position(ours) else { return false };
        let Some(form) = self.session.reviewing.get(at).and_then(|draft| self.engine.form_of(draft)) else {
            self.effects.push(Effect::Fault(format!("the form of case {code} is gone, its answers are kept")));
            if let (CaseNews::Approved { decisions }, Some(draft)) = (news, self.session.reviewing.get_mut(at)) {
                draft.approval.get_or_insert_default().decisions.clone_from(decisions);
            }
            return false;
        };
        let draft = self.session.reviewing.remove(at);
        let title = self.title(&form);
        match news {
            CaseNews::Approved { decisions } => self.is_approved(&form, draft, decisions),
            CaseNews::Rejected { decision, why } => {
                let facts = [("title", title.as_str()), ("who", decision.user.called()), ("why", why.as_str())];
                self.note_of(&form, "rejected", &facts);
                self.gives_up(&form, draft);
            }
            CaseNews::Lapsed => {
                self.note_of(&form, "review_lapsed", &[("title", &title)]);
                self.gives_up(&form, draft);
            }
            CaseNews::Changes { decision, fields, why } => self.is_to_change(&form, draft, decision, fields, why),
            CaseNews::Unreached => {
                let facts = [("title", title.as_str()), ("reference", reference(&draft.submission))];
                self.note_of(&form, "review_away", &facts);
                self.session.reviewing.insert(at, draft);
            }
            CaseNews::Review { .. }
            | CaseNews::HandOff { .. }
            | CaseNews::Said { .. }
            | CaseNews::Withdrawn
            | CaseNews::Forgotten
            | CaseNews::Claimed { .. }
            | CaseNews::Answer { .. }
            | CaseNews::Back { .. } => {
                self.session.reviewing.insert(at, draft);
                return false;
            }
        }
        true
    }

    /// Submits what was approved while its form was not there, where it is back.
    pub(crate) fn submit_what_was_approved(&mut self) {
        let decisions = |draft: &Draft| {
            let decided = draft.approval.as_ref().map(|approval| approval.decisions.clone());
            decided.filter(|decisions| !decisions.is_empty())
        };
        let found = self.session.reviewing.iter().enumerate();
        let mut found = found.filter_map(|(at, draft)| Some((at, decisions(draft)?, self.engine.form_of(draft)?)));
        if let Some((at, decisions, form)) = found.next() {
            let draft = self.session.reviewing.remove(at);
            self.is_approved(&form, draft, &decisions);
        }
    }

    fn is_approved(&mut self, form: &Form, mut draft: Draft, decisions: &[Decision]) {
        let world = self.world.speaking(form);
        draft.approval.get_or_insert_default().decisions = decisions.to_vec();
        draft.state = State::WaitConfirm;
        let mut filling = Filling::new(form, &world, draft);
        let names: Vec<String> = decisions.iter().map(|by| by.user.called().to_owned()).collect();
        let title = self.title(form);
        let names = filling.voice().list(&names);
        self.notes.push(filling.say("approved", &[("title", &title), ("who", &names)]));
        self.lang = Some(world.speaks.code);
        if filling.owe_all() {
            // What is done first may need the person: it is their form again, and what they are in comes back after it.
            if let Some(present) = self.session.draft.take() {
                filling.journal.draft.approval.get_or_insert_default().interrupted = Some(present.form.clone());
                self.put_aside(present, form);
            }
            return self.put_draft(filling);
        }
        self.complete_form(&mut filling);
        self.close(form, filling.journal.finish());
    }

    /// Nothing comes of it.
    fn gives_up(&mut self, form: &Form, mut draft: Draft) {
        (draft.state, draft.cancelled, draft.pending) = (State::Closed, true, Pending::Nothing);
        self.session.closed = Some(draft);
        self.button_of(form, "button_undo", &[], Plain, Command::Undo);
    }

    /// A form that is brought back is a new request to those who have to approve it.
    pub(crate) fn becomes_a_new_request(&mut self, draft: &mut Draft) {
        if draft.approval.take().is_some() {
            draft.submission = self.new_submission();
        }
    }

    fn is_to_change(&mut self, form: &Form, mut draft: Draft, by: &Decision, fields: &[String], why: &str) {
        let open: Vec<Path> = fields.iter().filter_map(|field| field.parse().ok()).collect();
        let within = |path: &Path| open.iter().any(|open| path.is_within(open));
        let settled = draft.answers.keys().chain(&draft.skipped);
        let locked = settled.filter(|path| !within(path)).cloned().collect();
        draft.state = State::Incomplete;
        draft.pending = Pending::Nothing;
        draft.waiting = open.iter().map(|path| Pending::Field { path: path.clone(), editing: true }).collect();
        // What was changed before is not to be undone now.
        (draft.undo, draft.redo) = (Vec::new(), Vec::new());
        draft.touched = self.world.now.timestamp();
        let round = draft.approval.as_ref().map_or(1, |approval| approval.round);
        let sensitive = |path: &Path| form.field_at(path).is_some_and(|field| field.sensitive);
        let masked = draft.answers.iter().filter(|(path, _)| sensitive(path));
        let masked = masked.map(|(path, answer)| (path.clone(), answer.clone())).collect();
        draft.approval = Some(Box::new(Approval { round, open, locked, masked, ..Approval::default() }));
        let world = self.world.speaking(form);
        let filling = Filling::new(form, &world, draft);
        let labels = filling.open_labels().unwrap_or_default();
        let facts = [("who", by.user.called()), ("labels", labels.as_str()), ("why", why)];
        self.notes.push(filling.say("changes_wanted", &facts));
        let draft = filling.journal.draft;
        if self.session.draft.as_ref().is_some_and(is_begun) {
            // Their next answer is for the form they are in: this one waits until they are ready for it.
            self.keep_aside(draft);
            let command = Command::Resume { form: Some(form.id.clone()) };
            self.button_of(form, "button_resume", &[("title", &self.title(form))], Plain, command);
            return;
        }
        self.session.draft = Some(draft);
    }

    /// Takes back what waits for approval.
    pub(crate) fn withdraw(&mut self, submission: &str) {
        let at = self.session.reviewing.iter().position(|draft| draft.submission == submission);
        let found = at.and_then(|at| Some((at, self.engine.form_of(self.session.reviewing.get(at)?)?)));
        let Some((at, form)) = found else {
            if !self.say_already_submitted() {
                self.note("old_button", &[]);
            }
            return;
        };
        let draft = self.session.reviewing.remove(at);
        let title = self.title(&form);
        self.tell_withdrawn(&form, &draft);
        self.note_of(&form, "withdrawn", &[("title", &title)]);
        self.gives_up(&form, draft);
    }

    /// Tells the desk that nothing comes of a draft it knows of.
    pub(crate) fn lets_go_of_case(&mut self, form: &Form, draft: &Draft) {
        if draft.approval.is_some() {
            self.tell_withdrawn(form, draft);
        }
    }

    fn tell_withdrawn(&mut self, form: &Form, draft: &Draft) {
        if let Some((desk, code)) = self.engine.case_of_draft(form, draft) {
            self.tell_desk(desk, &code, CaseNews::Withdrawn, "1");
        }
    }

    /// Says what waits for approval, with a way to take it back.
    pub(crate) fn tell_what_is_in_review(&mut self) {
        let waiting: Vec<(String, _)> = self
            .session
            .reviewing
            .iter()
            .filter_map(|draft| Some((draft.submission.clone(), self.engine.form_of(draft)?)))
            .collect();
        for (submission, form) in waiting {
            let (title, told) = (self.title(&form), reference(&submission).to_owned());
            self.note_of(&form, "in_review", &[("title", &title), ("reference", &told)]);
            self.button_of(&form, "button_withdraw", &[], Plain, Command::Withdraw { submission });
        }
    }
}

/// Who approved a draft, for its submission.
pub(crate) fn reviewed(form: &Form, draft: &Draft) -> Option<Reviewed> {
    let approval = draft.approval.as_ref().filter(|approval| !approval.decisions.is_empty())?;
    let desk = form.review.as_ref().map(|review| review.by.clone()).unwrap_or_default();
    Some(Reviewed { desk, round: approval.round, approvals: approval.decisions.clone() })
}
