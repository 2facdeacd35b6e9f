//! The end of a step: what comes next is decided, drawn and replied.

use formwright_chat as chat;

use crate::ask::drawing::Drawing;
use crate::ask::{answered, question, review};
use crate::command::forget;
use crate::draft::filling::Filling;
use crate::effect::{Effect, Step};
use crate::flow::{decide, onward, settle, submit};
use crate::session::{State, side_effect};
use crate::talk::Talk;
use crate::tools::calls::Next;
use crate::tools::hooks;
use crate::zone::learn;
use crate::{handle, sheet};
use formwright_form::Path;

/// Most forms that one step goes through: forms that ask nothing may name each other in a circle.
const MOST_FORMS: usize = 8;

/// Decides what comes next, draws it, and ends the step.
pub(crate) fn finish(mut talk: Talk<'_>) -> Step {
    if let Some(form) = talk.elsewhere.take() {
        let text = std::mem::take(&mut talk.words);
        return Step { session: talk.session, effects: vec![Effect::Move { form, text }] };
    }
    if talk.session.forgetting.is_some() {
        return forget::ask_whether_to_forget(talk);
    }
    if talk.saying.unmoved && !talk.session.last.is_empty() {
        return say_the_same(talk);
    }
    if let Some(case) = talk.saying.quiet.take() {
        // What two people say to each other leaves what is asked as it is.
        let (say, lang) = (std::mem::take(&mut talk.saying.notes), talk.world.speaks.code.to_owned());
        let shared = talk.session.shared;
        let reply = chat::Reply { say, lang, shared, case: Some(case), ..chat::Reply::default() };
        talk.effects.push(Effect::Reply(Box::new(reply)));
        return Step { session: talk.session, effects: talk.effects };
    }
    learn::settle_zone(&mut talk);
    let lang = talk.lang.unwrap_or(talk.world.speaks.code).to_owned();
    let mut drawing = Drawing::new(talk.world.nonce.clone(), lang);
    for _ in 0..MOST_FORMS {
        let Some((form, draft)) = settle::take_draft(&mut talk) else { break };
        let world = talk.world.speaking(&form);
        world.speaks.code.clone_into(&mut drawing.reply.lang);
        drawing.reply.ahead = world.ahead();
        let mut filling = Filling::new(&form, &world, draft);
        filling.goes_on = talk.saying.answered_question;
        let opens = go_to_next(&mut talk, &mut filling, &mut drawing);
        drawing.reply.form = Some(form.id.to_string());
        drawing.reply.title = Some(answered::heading(&filling));
        // Deciding changes no answers; what it noted (skipped notes) is no step of its own to undo.
        let draft = filling.journal.draft;
        match opens {
            Some(at) => onward::open_for(&mut talk, &form, draft, at),
            None if matches!(draft.state, State::Closed | State::InReview) => onward::close(&mut talk, &form, draft),
            None => {
                talk.session.draft = Some(draft);
                break;
            }
        }
    }
    for (label, role, command) in std::mem::take(&mut talk.saying.buttons) {
        drawing.button(label, role, command);
    }
    let mut reply = drawing.show(&mut talk.session);
    reply.shared = talk.session.shared;
    let mut say = std::mem::take(&mut talk.saying.notes);
    say.append(&mut reply.say);
    say.retain(|paragraph| !paragraph.trim().is_empty());
    reply.say = say;
    hooks::reword(&mut talk, &mut reply);
    reply.complete = talk.saying.complete.take().map(|(_, answers)| answers);
    reply.recalls = talk.saying.recalls;
    reply.conceals = talk.saying.conceals;
    reply.rejected = std::mem::take(&mut talk.saying.rejected);
    reply.answered = answered::answered(&talk, &reply);
    let says = !reply.say.is_empty() || reply.tool_call.is_some();
    if says || talk.effects.iter().any(|effect| matches!(effect, Effect::CallTool(_))) {
        handle::late::note_what_was_asked(&mut talk);
    }
    if says {
        talk.session.last = vec![reply.clone()];
        talk.effects.push(Effect::Reply(Box::new(reply)));
    }
    Step { session: talk.session, effects: talk.effects }
}

/// Shows again what is waited for, with what was not taken: no wording is used up, and its widgets still work.
fn say_the_same(mut talk: Talk<'_>) -> Step {
    if let Some(mut reply) = talk.session.last.last().cloned() {
        reply.rejected = std::mem::take(&mut talk.saying.rejected);
        // What was said before what is asked has been heard.
        if !reply.questions.is_empty() || reply.card.is_some() || reply.tool_call.is_some() {
            let before = reply.say.len().saturating_sub(1);
            reply.say.drain(..before);
        }
        talk.effects.push(Effect::Reply(Box::new(reply)));
    }
    Step { session: talk.session, effects: talk.effects }
}

/// Asks what comes next, or does it; gives the field whose form is to be filled in first.
fn go_to_next(talk: &mut Talk<'_>, filling: &mut Filling<'_>, drawing: &mut Drawing) -> Option<Path> {
    decide::take_up_waiting(talk, filling);
    match decide::decide(filling, &mut talk.saying.notes) {
        Next::Wait => {
            if talk.saying.card {
                let card = review::card(filling, |path| drawing.edit(path), None);
                drawing.reply.card = Some(card);
            }
            question::ask(filling, drawing);
            if sheet::is_kept_and_done(filling) {
                let text = sheet::farewell(filling);
                drawing.reply.say.push(text);
            }
        }
        Next::Open(at) => return Some(at),
        Next::Call(call) => talk.effects.push(Effect::CallTool(call)),
        Next::ClientCall(call) => {
            let message = filling.form.tools.get(&call.tool).and_then(|tool| tool.message.as_ref());
            let does = side_effect::is_under_way(filling.draft());
            let standard = if does { "deed_running" } else { "tool_running" };
            let text = message.map_or_else(|| filling.say(standard, &[]), |text| filling.text(text, &Path::default()));
            drawing.reply.say.push(text);
            drawing.reply.tool_call =
                Some(chat::ToolCall { call: call.call, tool: call.tool.to_string(), args: call.args });
        }
        Next::Submit => {
            if !submit::submit(talk, filling) {
                // Something no longer holds and is open again.
                if let Next::Open(at) = decide::decide(filling, &mut talk.saying.notes) {
                    return Some(at);
                }
                question::ask(filling, drawing);
            }
        }
    }
    None
}
