//! The end of a step: what comes next is decided, drawn and replied.

use formwright_chat as chat;

use super::ask::Drawing;
use super::decide::Next;
use super::fill::Filling;
use super::session::State;
use super::talk::Talk;
use super::{Effect, Step};
use formwright_form::Path;

/// Most forms that one step goes through: forms that ask nothing may name each other in a circle.
const MOST_FORMS: usize = 8;

impl Talk<'_> {
    /// Decides what comes next, draws it, and ends the step.
    pub(super) fn finish(mut self) -> Step {
        if let Some(form) = self.elsewhere.take() {
            let text = std::mem::take(&mut self.words);
            return Step { session: self.session, effects: vec![Effect::Move { form, text }] };
        }
        if self.session.forgetting.is_some() {
            return self.ask_whether_to_forget();
        }
        if self.unmoved && !self.session.last.is_empty() {
            return self.say_the_same();
        }
        if let Some(case) = self.quiet.take() {
            // What two people say to each other leaves what is asked as it is.
            let (say, lang) = (std::mem::take(&mut self.notes), self.world.speaks.code.to_owned());
            let shared = self.session.shared;
            let reply = chat::Reply { say, lang, shared, case: Some(case), ..chat::Reply::default() };
            self.effects.push(Effect::Reply(Box::new(reply)));
            return Step { session: self.session, effects: self.effects };
        }
        self.settle_zone();
        let lang = self.lang.unwrap_or(self.world.speaks.code).to_owned();
        let mut drawing = Drawing::new(self.world.nonce.clone(), lang);
        for _ in 0..MOST_FORMS {
            let Some((form, draft)) = self.take_draft() else { break };
            let world = self.world.speaking(&form);
            world.speaks.code.clone_into(&mut drawing.reply.lang);
            drawing.reply.ahead = world.ahead();
            let mut filling = Filling::new(&form, &world, draft);
            filling.goes_on = self.answered_question;
            let opens = self.go_to_next(&mut filling, &mut drawing);
            drawing.reply.form = Some(form.id.to_string());
            drawing.reply.title = Some(filling.heading());
            // Deciding changes no answers; what it noted (skipped notes) is no step of its own to undo.
            let draft = filling.journal.draft;
            match opens {
                Some(at) => self.open_for(&form, draft, at),
                None if matches!(draft.state, State::Closed | State::InReview) => self.close(&form, draft),
                None => {
                    self.session.draft = Some(draft);
                    break;
                }
            }
        }
        for (label, role, command) in std::mem::take(&mut self.buttons) {
            drawing.button(label, role, command);
        }
        let mut reply = drawing.show(&mut self.session);
        reply.shared = self.session.shared;
        let mut say = std::mem::take(&mut self.notes);
        say.append(&mut reply.say);
        say.retain(|paragraph| !paragraph.trim().is_empty());
        reply.say = say;
        self.reword(&mut reply);
        reply.complete = self.complete.take().map(|(_, answers)| answers);
        reply.recalls = self.recalls;
        reply.conceals = self.conceals;
        reply.rejected = std::mem::take(&mut self.rejected);
        reply.answered = self.answered(&reply);
        let says = !reply.say.is_empty() || reply.tool_call.is_some();
        if says || self.effects.iter().any(|effect| matches!(effect, Effect::CallTool(_))) {
            self.note_what_was_asked();
        }
        if says {
            self.session.last = vec![reply.clone()];
            self.effects.push(Effect::Reply(Box::new(reply)));
        }
        Step { session: self.session, effects: self.effects }
    }

    /// Shows again what is waited for, with what was not taken: no wording is used up, and its widgets still work.
    fn say_the_same(mut self) -> Step {
        if let Some(mut reply) = self.session.last.last().cloned() {
            reply.rejected = std::mem::take(&mut self.rejected);
            // What was said before what is asked has been heard.
            if !reply.questions.is_empty() || reply.card.is_some() || reply.tool_call.is_some() {
                let before = reply.say.len().saturating_sub(1);
                reply.say.drain(..before);
            }
            self.effects.push(Effect::Reply(Box::new(reply)));
        }
        Step { session: self.session, effects: self.effects }
    }

    /// Asks what comes next, or does it; gives the field whose form is to be filled in first.
    fn go_to_next(&mut self, filling: &mut Filling<'_>, drawing: &mut Drawing) -> Option<Path> {
        self.take_up_waiting(filling);
        match filling.decide(&mut self.notes) {
            Next::Wait => {
                if self.card {
                    let card = super::review::card(filling, |path| drawing.edit(path), None);
                    drawing.reply.card = Some(card);
                }
                filling.ask(drawing);
                if filling.is_kept_and_done() {
                    let text = filling.farewell();
                    drawing.reply.say.push(text);
                }
            }
            Next::Open(at) => return Some(at),
            Next::Call(call) => self.effects.push(Effect::CallTool(call)),
            Next::ClientCall(call) => {
                let message = filling.form.tools.get(&call.tool).and_then(|tool| tool.message.as_ref());
                let does = super::deeds::is_under_way(filling.draft());
                let standard = if does { "deed_running" } else { "tool_running" };
                let text =
                    message.map_or_else(|| filling.say(standard, &[]), |text| filling.text(text, &Path::default()));
                drawing.reply.say.push(text);
                drawing.reply.tool_call =
                    Some(chat::ToolCall { call: call.call, tool: call.tool.to_string(), args: call.args });
            }
            Next::Submit => {
                if !self.submit(filling) {
                    // Something no longer holds and is open again.
                    if let Next::Open(at) = filling.decide(&mut self.notes) {
                        return Some(at);
                    }
                    filling.ask(drawing);
                }
            }
        }
        None
    }
}
