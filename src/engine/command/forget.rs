//! A person wants to be forgotten: asked back once, then the runtime erases what is kept of them.
//!
//! It comes before anything a form may make of the words, and what is said is never a form's own text: no form can
//! switch it off.

use formwright_chat as chat;

use crate::ask::drawing::Drawing;
use crate::effect::{Effect, Step};
use crate::prompt::Voice;
use crate::session::Session;
use crate::session::screen::{self, Pressing, Slot};
use crate::talk::{self, Talk};
use formwright_form::kind::Said;
use formwright_nlu::{Command, agrees_to_be_forgotten, wants_to_be_forgotten};

/// What a message or press means to whom was asked whether everything shall be deleted.
enum Reply {
    Yes,
    No,
    Else,
}

/// Deals with somebody who wants to be forgotten, or was asked whether they do; tells whether there is nothing more to
/// be done about the event.
pub(crate) fn forgets(talk: &mut Talk<'_>, event: &chat::Event) -> bool {
    let asked = talk.session.forgetting.take();
    if asked.as_ref().is_some_and(|user| *user != event.user.id)
        && presses_forget(&talk.session, &event.action).is_some()
    {
        talk.session.forgetting = asked;
        talk.note("not_yours", &[]);
        return true;
    }
    if asked.as_ref() == Some(&event.user.id) {
        match reply_to_forget(talk, &event.action) {
            Reply::Yes => {
                // The receipt is in the language in which it was asked.
                let asked = talk.session.last.last().map(|reply| reply.lang.clone());
                let lang = asked.unwrap_or_else(|| talk.world.speaks.code.to_owned());
                talk.effects.push(Effect::Forget { lang });
                return true;
            }
            Reply::No => {
                talk.note("forget_kept", &[]);
                return true;
            }
            // Whoever goes on with something else has not agreed.
            Reply::Else => talk.note("forget_kept", &[]),
        }
    }
    let chat::Action::Say { text } = &event.action else { return false };
    let Some(lang) = wants_to_be_forgotten(&Said::new(text), talk.world.lang) else { return false };
    talk.world.speak(lang);
    talk.session.forgetting = Some(event.user.id.clone());
    true
}

fn reply_to_forget(talk: &Talk<'_>, action: &chat::Action) -> Reply {
    let said = match action {
        chat::Action::Say { text } => Said::new(text),
        _ => {
            return match presses_forget(&talk.session, action) {
                Some(true) => Reply::Yes,
                Some(false) => Reply::No,
                None => Reply::Else,
            };
        }
    };
    if let Some(Command::Forget { yes }) = talk::said_label(&talk.session, &said) {
        return if yes { Reply::Yes } else { Reply::No };
    }
    if agrees_in_the_buttons_words(talk, &said) {
        return Reply::Yes;
    }
    // Who says it once more means it.
    if wants_to_be_forgotten(&said, talk.world.lang).is_some() {
        return Reply::Yes;
    }
    match agrees_to_be_forgotten(&said, talk.world.lang) {
        Some(true) => Reply::Yes,
        Some(false) => Reply::No,
        None => Reply::Else,
    }
}

/// "OK, delete everything": the words of the button after a yes.
fn agrees_in_the_buttons_words(talk: &Talk<'_>, said: &Said) -> bool {
    let slots = talk.session.screen.iter().flat_map(|screen| &screen.slots);
    let mut labels = slots.filter_map(|slot| match slot {
        Slot::Do { command: Command::Forget { yes: true }, label } => Some(Said::new(label).norm),
        Slot::Do { .. } | Slot::Field { .. } => None,
    });
    let before = labels.find_map(|label| said.norm.trim_end_matches(['.', '!']).strip_suffix(&label));
    before.is_some_and(|before| agrees_to_be_forgotten(&Said::new(before), talk.world.lang) == Some(true))
}

/// What a press of one of the two buttons of the question says.
fn presses_forget(session: &Session, action: &chat::Action) -> Option<bool> {
    let chat::Action::Press { presses } = action else { return None };
    presses.iter().find_map(|press| match screen::look_up(session, &press.token) {
        Pressing::Now(Slot::Do { command: Command::Forget { yes }, .. }) => Some(yes),
        _ => None,
    })
}

/// Whether everything that is kept of the person is to be erased: then this step says nothing by itself.
pub(crate) fn is_forgotten(effects: &[Effect]) -> bool {
    effects.iter().any(|effect| matches!(effect, Effect::Forget { .. }))
}

/// Ends the step with the question whether everything shall be deleted. The form waits as it is.
pub(crate) fn ask_whether_to_forget(mut talk: Talk<'_>) -> Step {
    let voice = Voice { world: &talk.world, form: None };
    let heard = |text: &String| talk.session.last.iter().any(|reply| reply.say.contains(text));
    let mut wordings: Vec<String> =
        (0..voice.turns("forget_sure").max(1)).map(|turn| voice.say_turn("forget_sure", turn, &[])).collect();
    let fresh = wordings.iter().position(|text| !heard(text)).unwrap_or(0);
    let question = wordings.swap_remove(fresh);
    let (delete, keep) = (voice.say("forget_yes", &[]), voice.say("forget_no", &[]));
    let mut drawing = Drawing::new(talk.world.nonce.clone(), talk.world.speaks.code.to_owned());
    drawing.button(delete, chat::ButtonRole::Danger, Command::Forget { yes: true });
    drawing.button(keep, chat::ButtonRole::Plain, Command::Forget { yes: false });
    let mut reply = drawing.show(&mut talk.session);
    reply.shared = talk.session.shared;
    // It is nobody else's business.
    reply.private = talk.session.shared;
    reply.say = std::mem::take(&mut talk.saying.notes);
    reply.say.push(question);
    talk.session.last = vec![reply.clone()];
    talk.effects.push(Effect::Reply(Box::new(reply)));
    Step { session: talk.session, effects: talk.effects }
}
