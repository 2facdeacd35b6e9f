//! A person wants to be forgotten: asked back once, then the runtime erases what is kept of them.
//!
//! It comes before anything a form may make of the words, and what is said is never a form's own text: no form can
//! switch it off.

use formwright_chat as chat;

use super::ask::Drawing;
use super::press::{Pressing, look_up};
use super::prompt::Voice;
use super::session::Slot;
use super::talk::Talk;
use super::{Command, Effect, Step};
use formwright_form::kind::Said;
use formwright_nlu::{agrees_to_be_forgotten, wants_to_be_forgotten};

/// What a message or press means to whom was asked whether everything shall be deleted.
enum Reply {
    Yes,
    No,
    Else,
}

impl Talk<'_> {
    /// Deals with somebody who wants to be forgotten, or was asked whether they do; tells whether there is nothing more to
    /// be done about the event.
    pub(super) fn forgets(&mut self, event: &chat::Event) -> bool {
        let asked = self.session.forgetting.take();
        if asked.as_ref().is_some_and(|user| *user != event.user.id) && self.presses_forget(&event.action).is_some() {
            self.session.forgetting = asked;
            self.note("not_yours", &[]);
            return true;
        }
        if asked.as_ref() == Some(&event.user.id) {
            match self.reply_to_forget(&event.action) {
                Reply::Yes => {
                    // The receipt is in the language in which it was asked.
                    let asked = self.session.last.last().map(|reply| reply.lang.clone());
                    let lang = asked.unwrap_or_else(|| self.world.speaks.code.to_owned());
                    self.effects.push(Effect::Forget { lang });
                    return true;
                }
                Reply::No => {
                    self.note("forget_kept", &[]);
                    return true;
                }
                // Whoever goes on with something else has not agreed.
                Reply::Else => self.note("forget_kept", &[]),
            }
        }
        let chat::Action::Say { text } = &event.action else { return false };
        let Some(lang) = wants_to_be_forgotten(&Said::new(text), self.world.lang) else { return false };
        self.world.speak(lang);
        self.session.forgetting = Some(event.user.id.clone());
        true
    }

    fn reply_to_forget(&self, action: &chat::Action) -> Reply {
        let said = match action {
            chat::Action::Say { text } => Said::new(text),
            _ => {
                return match self.presses_forget(action) {
                    Some(true) => Reply::Yes,
                    Some(false) => Reply::No,
                    None => Reply::Else,
                };
            }
        };
        if let Some(Command::Forget { yes }) = self.said_label(&said) {
            return if yes { Reply::Yes } else { Reply::No };
        }
        if self.agrees_in_the_buttons_words(&said) {
            return Reply::Yes;
        }
        // Who says it once more means it.
        if wants_to_be_forgotten(&said, self.world.lang).is_some() {
            return Reply::Yes;
        }
        match agrees_to_be_forgotten(&said, self.world.lang) {
            Some(true) => Reply::Yes,
            Some(false) => Reply::No,
            None => Reply::Else,
        }
    }

    /// "OK, delete everything": the words of the button after a yes.
    fn agrees_in_the_buttons_words(&self, said: &Said) -> bool {
        let slots = self.session.screen.iter().flat_map(|screen| &screen.slots);
        let mut labels = slots.filter_map(|slot| match slot {
            Slot::Do { command: Command::Forget { yes: true }, label } => Some(Said::new(label).norm),
            Slot::Do { .. } | Slot::Field { .. } => None,
        });
        let before = labels.find_map(|label| said.norm.trim_end_matches(['.', '!']).strip_suffix(&label));
        before.is_some_and(|before| agrees_to_be_forgotten(&Said::new(before), self.world.lang) == Some(true))
    }

    /// What a press of one of the two buttons of the question says.
    fn presses_forget(&self, action: &chat::Action) -> Option<bool> {
        let chat::Action::Press { presses } = action else { return None };
        presses.iter().find_map(|press| match look_up(&self.session, &press.token) {
            Pressing::Now(Slot::Do { command: Command::Forget { yes }, .. }) => Some(yes),
            _ => None,
        })
    }

    /// Whether everything that is kept of the person is to be erased: then this step says nothing by itself.
    pub(super) fn is_forgotten(&self) -> bool {
        self.effects.iter().any(|effect| matches!(effect, Effect::Forget { .. }))
    }

    /// Ends the step with the question whether everything shall be deleted. The form waits as it is.
    pub(super) fn ask_whether_to_forget(mut self) -> Step {
        let voice = Voice { world: &self.world, form: None };
        let heard = |text: &String| self.session.last.iter().any(|reply| reply.say.contains(text));
        let mut wordings: Vec<String> =
            (0..voice.turns("forget_sure").max(1)).map(|turn| voice.say_turn("forget_sure", turn, &[])).collect();
        let fresh = wordings.iter().position(|text| !heard(text)).unwrap_or(0);
        let question = wordings.swap_remove(fresh);
        let (delete, keep) = (voice.say("forget_yes", &[]), voice.say("forget_no", &[]));
        let mut drawing = Drawing::new(self.world.nonce.clone(), self.world.speaks.code.to_owned());
        drawing.button(delete, chat::ButtonRole::Danger, Command::Forget { yes: true });
        drawing.button(keep, chat::ButtonRole::Plain, Command::Forget { yes: false });
        let mut reply = drawing.show(&mut self.session);
        reply.shared = self.session.shared;
        // It is nobody else's business.
        reply.private = self.session.shared;
        reply.say = std::mem::take(&mut self.notes);
        reply.say.push(question);
        self.session.last = vec![reply.clone()];
        self.effects.push(Effect::Reply(Box::new(reply)));
        Step { session: self.session, effects: self.effects }
    }
}
