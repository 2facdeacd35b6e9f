//! One step: an input comes in, commands are carried out, and what comes next is asked.

use std::sync::Arc;

use formwright_chat as chat;

use super::carry::Then;
use super::fill::Filling;
use super::finish::delivery_call;
use super::lookup::Lookups;
use super::model::Asking;
use super::phase::Phases;
use super::press::{Pressing, look_up};
use super::session::{Draft, Session, Slot, State};
use super::talk::Talk;
use super::together::meet;
use super::waiting::Meanwhile;
use super::{Effect, Engine, Happening, Input, Outcome, Step};
use formwright_form::{Catalog, Form, FormId, Kind, Value};

impl Engine {
    /// An engine for these forms.
    pub fn new(catalog: Catalog) -> Self {
        Self { catalog, ..Self::default() }
    }

    /// The same engine with other forms.
    #[must_use]
    pub fn with_forms(&self, catalog: Catalog) -> Self {
        Self { catalog, ..self.clone() }
    }

    /// The same engine with phases of a form in a program's hands.
    #[must_use]
    pub fn with_phases(mut self, form: FormId, phases: Arc<dyn Phases>) -> Self {
        self.phases.insert(form, phases);
        self
    }

    /// The same engine with documents that questions are answered from.
    #[must_use]
    pub fn with_library(mut self, library: Arc<dyn super::Library>) -> Self {
        self.library = Some(library);
        self
    }

    /// The same engine for forms that are only tried out: what a step or a form does when it is confirmed is told, and not
    /// done.
    #[must_use]
    pub fn trying_out(mut self) -> Self {
        self.tries_out = true;
        self
    }

    /// The forms.
    pub fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// Takes a session one step further. Total and deterministic: any session and any input give a result, and the same
    /// one twice.
    pub fn step(&self, session: Session, input: Input) -> Step {
        if !self.catalog.may_look_outside() {
            return self.take(session, input, &mut Lookups::default());
        }
        let (input, mut lookups) = Lookups::of(input);
        let step = self.take(session.clone(), input.clone(), &mut lookups);
        if lookups.lacks() {
            return lookups.in_place(session, input).unwrap_or(step);
        }
        match lookups.forbidden {
            Some(name) => self.not_now(session, input, name, step.effects),
            None => step,
        }
    }

    fn take(&self, mut session: Session, input: Input, lookups: &mut Lookups) -> Step {
        let to_case = |event: &Happening| matches!(event, Happening::Event(event) if event.terms.case.is_some());
        if session.case.is_some() || to_case(&input.event) {
            return self.case_step(session, &input);
        }
        if let Happening::Event(event) = &input.event {
            if let Some(reply) = self.refusal_to_others(&session, event, &input) {
                return Step { session, effects: vec![Effect::Reply(Box::new(reply))] };
            }
            if !self.concerns(&session, event) {
                return Step { session, effects: Vec::new() };
            }
            meet(&mut session, &event.user);
        }
        let mut waiting = session.model.take();
        let event = match &input.event {
            Happening::Event(event) => Some(event.as_ref()),
            Happening::Outcome(outcome) => {
                waiting = waiting.filter(|waiting| waiting.call == outcome.call);
                waiting.as_ref().map(|waiting| waiting.event.as_ref())
            }
            Happening::Expiry | Happening::Again(_) => None,
        };
        let world = self.world(&session, &input, event);
        let aside = |event: &chat::Event| event.terms.overheard && event.user.id != session.owner;
        let before = event.filter(|event| session.shared && aside(event)).map(|_| session.clone());
        let mut talk = Talk::new(self, world, session, lookups);
        talk.catch_up();
        talk.note_what_is_asked();
        match &input.event {
            Happening::Event(event) => {
                // What people say to each other in a shared place is no business of a model.
                if self.model.is_some() && before.is_none() {
                    talk.model = Asking::May(event.clone());
                }
                talk.hand_to(event);
                if let chat::Action::Case { code, news } = &event.action {
                    if !talk.hear_of_case(code, news) {
                        return Step { session: talk.session, effects: talk.effects };
                    }
                    return talk.finish();
                }
                // What people say to each other is no wish of theirs.
                if before.is_some() || !talk.forgets(event) {
                    if talk.passes_on(event) {
                        return talk.finish();
                    }
                    if !talk.event(event) {
                        talk.remember(event);
                        return Step { session: talk.session, effects: talk.effects };
                    }
                }
                if talk.is_forgotten() {
                    return Step { session: talk.session, effects: talk.effects };
                }
                if let Some(before) = before.filter(|before| talk.is_as_before(before)) {
                    return Step { session: before, effects: Vec::new() };
                }
            }
            Happening::Outcome(outcome) => {
                let failed = outcome.result.is_err();
                let heard = waiting.as_deref().map(|waiting| talk.model_outcome(waiting.clone(), outcome)).is_some();
                if !heard && !talk.outcome(outcome) {
                    return Step { session: talk.session, effects: Vec::new() };
                }
                if heard && failed {
                    talk.note_failure();
                }
            }
            Happening::Expiry => talk.expire(),
            Happening::Again(_) => {}
        }
        if talk.session.model.is_some() {
            return Step { session: talk.session, effects: talk.effects };
        }
        if let Some(event) = event {
            talk.remember(event);
        }
        talk.finish()
    }

    /// The very version a draft was started with, or the current one.
    pub(super) fn form_of(&self, draft: &Draft) -> Option<Arc<Form>> {
        self.catalog.version(&draft.form, &draft.version).or_else(|| self.catalog.form(&draft.form)).cloned()
    }

    pub(super) fn startable(&self) -> Vec<Arc<Form>> {
        self.catalog.forms().filter(|form| form.enabled && form.listed).cloned().collect()
    }
}

impl Talk<'_> {
    /// Does what a person did; false where nothing is to be said about it.
    fn event(&mut self, event: &chat::Event) -> bool {
        if let chat::Action::Edit { message, text } = &event.action {
            return self.edited(message, text);
        }
        self.act_on_event(event);
        true
    }

    fn act_on_event(&mut self, event: &chat::Event) {
        self.take_sheet(event);
        let meanwhile = self.keep_for_later(&event.action);
        if meanwhile == Meanwhile::Kept {
            return;
        }
        if !matches!(event.action, chat::Action::ToolResults { .. }) {
            self.give_up_on_client(meanwhile == Meanwhile::Leaves);
            self.hear_kept();
        }
        if self.puts_aside_what_is_not_allowed() && !event.terms.answers_only {
            match &event.action {
                chat::Action::Open { form: Some(_) } | chat::Action::Start { .. } => {}
                _ => return self.refuse_form(),
            }
        }
        match &event.action {
            chat::Action::Start { form, text } => self.start_with(&FormId::new(form), text),
            chat::Action::Open { form } => self.open(form.as_deref().map(FormId::new).as_ref()),
            chat::Action::Say { text } => self.say(text),
            chat::Action::Press { presses } => self.presses(presses),
            chat::Action::Attach { files, text } => {
                let json = serde_json::json!(files);
                self.hand_over(&json, |kind| matches!(kind, Kind::File(_)), text);
            }
            chat::Action::Share { location } if self.takes_zone_of(location) => {}
            chat::Action::Share { location } => {
                let json = serde_json::json!(location);
                self.hand_over(&json, |kind| matches!(kind, Kind::Location(_)), "");
            }
            // Heard before.
            chat::Action::Case { .. } | chat::Action::Edit { .. } => {}
            chat::Action::ToolResults { results } => {
                if self.tool_results(results) {
                    self.hear_kept();
                }
            }
        }
    }

    fn open(&mut self, form: Option<&FormId>) {
        match (form, &self.session.draft) {
            (Some(form), Some(draft)) if draft.form == *form => {}
            (Some(form), _) => {
                if !self.start(form, None) && !self.is_parked(form) {
                    self.list_forms(None);
                }
            }
            (None, Some(_)) => {}
            (None, None) if self.world.terms.answers_only => self.note("fields_needed", &[]),
            (None, None) => {
                self.invite();
                self.offer_to_resume();
            }
        }
    }

    pub(super) fn say(&mut self, text: &str) {
        text.clone_into(&mut self.words);
        if text.trim().is_empty() {
            return self.open(None);
        }
        if self.takes_up_language(text) || self.takes_up_zone(text) {
            return;
        }
        self.in_form(|talk, filling| talk.hear(filling, text), |talk| talk.hear_idle(text));
    }

    fn presses(&mut self, presses: &[chat::Press]) {
        let idle = |talk: &mut Self| {
            for press in presses {
                match look_up(&talk.session, &press.token) {
                    Pressing::Now(Slot::Do { command, .. }) => talk.carry_out_idle(command),
                    Pressing::Now(Slot::Field { .. }) | Pressing::Past(_) | Pressing::Unknown => {
                        if !talk.say_already_submitted() {
                            talk.note("old_button", &[]);
                            talk.list_forms(None);
                        }
                    }
                }
            }
        };
        self.in_form(|talk, filling| talk.press(filling, presses), idle);
    }

    /// Gives data to the asked field, or to the first open one of a kind.
    fn hand_over(&mut self, data: &serde_json::Value, fits: fn(&Kind) -> bool, text: &str) {
        let in_form = |talk: &mut Self, filling: &mut Filling<'_>| {
            if let Some(path) = filling.wants(fits) {
                let Some(field) = filling.form.field_at(&path) else { return Then::Vain };
                let accepted = field.kind.behaviour().accept(data, &filling.context(field, &[]));
                let then = match accepted {
                    Ok(value) => {
                        let fill = super::Command::Fill { path, value, quote: None };
                        talk.carry_out(filling, fill)
                    }
                    Err(refusal) => talk.refuse(filling, &path, refusal),
                };
                if then != Then::Go || text.trim().is_empty() {
                    return then;
                }
            }
            if text.trim().is_empty() { Then::Vain } else { talk.hear(filling, text) }
        };
        self.in_form(in_form, |talk| talk.hear_idle(text));
    }

    /// Runs something inside the form being filled, or something else where there is none.
    pub(super) fn in_form(
        &mut self,
        inside: impl FnOnce(&mut Self, &mut Filling<'_>) -> Then,
        idle: impl FnOnce(&mut Self),
    ) {
        let Some((form, draft)) = self.take_draft() else { return idle(self) };
        let world = self.world.speaking(&form);
        let mut filling = Filling::new(&form, &world, draft);
        let then = inside(self, &mut filling);
        self.go_on(&form, filling, then);
    }

    fn go_on(&mut self, form: &Form, mut filling: Filling<'_>, then: Then) {
        match then {
            Then::Go => {}
            Then::Model => {
                self.session.draft = Some(filling.journal.draft);
                return;
            }
            Then::Vain if filling.waits_for_failed_tool() => {
                let _ = self.retry(&mut filling);
            }
            Then::Vain => {
                filling.note_vain();
                self.notes.extend(filling.failed());
            }
            // What is done before the submission comes first.
            Then::Submit if !filling.needs_approval() && filling.owe_all() => {}
            Then::Submit => {
                if self.submit(&mut filling) {
                    return self.close(form, filling.journal.finish());
                }
            }
            Then::Cancel => {
                let draft = filling.journal.finish();
                return self.cancel_draft(draft, form);
            }
            Then::Start(id) => {
                self.put_draft(filling);
                // What asks for another form may hold answers to it.
                let words = std::mem::take(&mut self.words);
                self.speak_as_asked_for(&id, &words);
                if self.start(&id, None) && self.elsewhere.is_none() && !words.is_empty() {
                    self.hear_on(&words);
                }
                self.words = words;
                return;
            }
            Then::Resume(id) => {
                self.put_draft(filling);
                if id.is_some() || !self.session.parked.is_empty() {
                    self.resume(id.as_ref());
                }
                return;
            }
            Then::Forms => {
                self.notes.push(filling.say("welcome", &[]));
                self.list_forms(None);
            }
        }
        self.put_draft(filling);
    }

    pub(super) fn take_draft(&mut self) -> Option<(Arc<Form>, Draft)> {
        let draft = self.session.draft.take()?;
        // `catch_up` has seen to it that the form is there.
        let form = self.engine.form_of(&draft)?;
        Some((form, draft))
    }

    pub(super) fn put_draft(&mut self, mut filling: Filling<'_>) {
        self.settle(&mut filling);
        self.say_what_followed(&mut filling);
        let mut draft = filling.journal.finish();
        draft.touched = self.world.now.timestamp();
        self.session.draft = Some(draft);
    }

    fn expire(&mut self) {
        let kept: Vec<Draft> = self.session.draft.iter().chain(&self.session.parked).cloned().collect();
        for draft in kept {
            if let Some(form) = self.engine.form_of(&draft) {
                self.lets_go_of_case(&form, &draft);
            }
        }
        let Some((form, mut draft)) = self.take_draft() else { return };
        let title = self.title(&form);
        draft.state = State::Closed;
        draft.cancelled = true;
        self.session.closed = Some(draft);
        let world = self.world.speaking(&form);
        let voice = super::prompt::Voice { world: &world, form: Some(&form) };
        let seconds = i64::try_from(self.engine.catalog.draft_ttl(Some(&form))).unwrap_or(i64::MAX);
        let kind = Kind::Duration(formwright_form::kind::duration::Duration::default());
        let time = super::options::show_plain(&world, &kind, &Value::Duration(seconds));
        self.notes.push(voice.say("expired", &[("title", &title), ("time", &time)]));
    }

    /// An outside call has ended; tells whether anybody waited for it.
    fn outcome(&mut self, outcome: &Outcome) -> bool {
        let delivered = self.session.closed.as_ref().map(|draft| delivery_call(&draft.submission));
        if delivered.as_deref() == Some(outcome.call.as_str()) {
            return match &outcome.result {
                Ok(_) => false,
                Err(error) => {
                    self.delivery_failed(error);
                    true
                }
            };
        }
        self.tool_outcome(outcome)
    }
}
