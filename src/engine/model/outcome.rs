//! What a model answered, acted on.

use std::borrow::Cow;

use serde_json::Value as Json;

use crate::ask::confirm;
use crate::command::change::Then;
use crate::command::{self, allowed};
use crate::draft::filling::Filling;
use crate::flow::settle;
use crate::handle::{act, say};
use crate::input::Outcome;
use crate::model::reply::{self, Unreadable};
use crate::model::{self, Asking, Waiting, texts};
use crate::talk::Talk;
use formwright_form::FormId;
use formwright_form::kind::Said;
use formwright_nlu::{Believed, Command, Intent, Proposal, Understood};

/// Takes what came of a call. One that failed leaves the message to code.
pub(crate) fn model_outcome(talk: &mut Talk<'_>, mut waiting: Waiting, outcome: &Outcome) {
    let proposal = match &outcome.result {
        Ok(Json::String(text)) => reply::read(text),
        Ok(_) => Err(Unreadable::NoObject),
        Err(_) => return hear_with(talk, &waiting, Asking::Never),
    };
    let why = match proposal {
        Ok(proposal) => return hear_with(talk, &waiting, Asking::Answered(Box::new(proposal))),
        Err(why) => why,
    };
    waiting.failures += 1;
    let draft = settle::take_draft(talk);
    let own = draft.as_ref().and_then(|(form, _)| form.model.retries);
    let retries = own.or_else(|| talk.engine.model().map(|uses| uses.retries)).unwrap_or_default();
    let again = waiting.failures <= retries;
    let said = Said::new(&waiting.text);
    if let Some((form, draft)) = draft {
        let world = talk.world.speaking(&form);
        let filling = Filling::new(&form, &world, draft);
        if again {
            model::ask::call_model(talk, Some(&filling), &said, waiting.clone(), Some(why.words()));
        }
        talk.session.draft = Some(filling.journal.draft);
    } else if again {
        model::ask::call_model(talk, None, &said, waiting.clone(), Some(why.words()));
    }
    if !again {
        hear_with(talk, &waiting, Asking::Never);
    }
}

/// Starts the form that a model takes a message to ask for, with what it proposes for its fields; tells whether
/// there is one.
pub(crate) fn start_proposed(talk: &mut Talk<'_>, mut proposal: Box<Proposal>, text: &str) -> bool {
    let id = proposal.form.take().filter(|_| matches!(proposal.intent, Intent::Start | Intent::Fill));
    let Some(id) = id.map(FormId::new) else { return false };
    let form = talk.engine.startable().into_iter().find(|form| form.id == id);
    if !form.is_some_and(|form| form.model.allowed && allowed::may_use(&talk.world, &form)) {
        return false;
    }
    let prefix = format!("{id}/");
    proposal.updates.retain_mut(|update| {
        let field = update.field.strip_prefix(&prefix).map(str::to_owned);
        field.is_some_and(|field| {
            update.field = field;
            true
        })
    });
    proposal.intent = Intent::Fill;
    if command::begin::start(talk, &id, Some(text)) {
        talk.model = Asking::Answered(proposal);
        act::hear_on(talk, text);
    }
    true
}

/// Acts on a message as code and a model understood it together.
pub(crate) fn act_on_proposal(
    talk: &mut Talk<'_>,
    filling: &mut Filling<'_>,
    code: Understood,
    proposal: &Proposal,
    said: &Said,
) -> Then {
    let (mut code, mut proposal) = (code, Cow::Borrowed(proposal));
    model::ask::refuse_what_is_not_about(filling, &mut code, &mut proposal, said);
    let proposal = &*proposal;
    let by_code = model::ask::fills(&code.commands);
    let Believed { understood, doubtful, verdicts } = model::ask::believed(talk, filling, code, proposal, said);
    filling.by_model =
        model::ask::fills(&understood.commands).difference(&by_code).map(|(path, _)| path.clone()).collect();
    talk.weighed = Some((proposal.intent, verdicts));
    texts::keep_wordings(filling, proposal);
    let only_asks = understood.commands.iter().all(|command| matches!(command, Command::Ask { .. }));
    let nothing_else = only_asks && understood.unsure.is_empty() && understood.refused.is_empty();
    if nothing_else && let Some(text) = texts::answer_to_question(filling, proposal, &said.raw) {
        talk.saying.notes.push(text);
        return Then::Go;
    }
    if doubtful.is_empty() {
        return act::act_on(talk, filling, understood, said);
    }
    let code_has_nothing =
        understood.commands.is_empty() && understood.refused.is_empty() && understood.unsure.is_empty();
    let aside = code_has_nothing && !confirm::waits(filling, &doubtful);
    let then = if aside { Then::Go } else { act::act_on(talk, filling, understood, said) };
    if matches!(then, Then::Go | Then::Vain) {
        confirm::ask_about(talk, filling, doubtful);
    }
    then
}

fn hear_with(talk: &mut Talk<'_>, waiting: &Waiting, model: Asking) {
    talk.saying.notes.clone_from(&waiting.notes);
    talk.model = model;
    if waiting.starts {
        act::hear_on(talk, &waiting.text);
    } else {
        say::say(talk, &waiting.text);
    }
}
