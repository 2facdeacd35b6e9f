//! The answers looked at as a whole: what hooks put right, what they ask first, and what is to be done at the end.

use std::collections::BTreeSet;
use std::sync::Arc;

use formwright_chat as chat;

use crate::ask::{question, receipt, review};
use crate::command::link;
use crate::draft::filling::{Filled, Filling, Offer};
use crate::effect::Effect;
use crate::phase::{self, Answer, Submitting, Wrong};
use crate::saying::Saying;
use crate::session::Draft;
use crate::talk::Talk;
use crate::tools::{deciding, hooks, purpose};
use formwright_form::{Form, Kind, Path, Phase, Value};

/// How often the answers are looked at again because looking at them changed them.
const ROUNDS: usize = 3;

/// Most characters of what is wrong with the answers as a whole.
const MOST_SAID: usize = 300;

/// Looks at the answers as a whole, once for each state of them: what does not go together is taken out, and what is
/// asked next is decided.
pub(crate) fn settle(talk: &mut Talk<'_>, filling: &mut Filling<'_>) {
    deciding::decide_by_tools(talk, filling);
    if !talk.engine.phases.contains_key(&filling.form.id)
        && let Some(hooked) = &mut filling.journal.draft.hooked
    {
        // What a program chose that is gone holds no more.
        hooked.submit = None;
    }
    let phases = [Phase::Validate, Phase::Next, Phase::Confirm];
    if !phases.into_iter().any(|phase| hooks::has_hook(talk.engine, filling.form, phase)) {
        return;
    }
    for _ in 0..ROUNDS {
        let seen = fingerprint(filling);
        if filling.draft().hooked.as_ref().is_some_and(|hooked| hooked.seen == seen) {
            break;
        }
        let hooked = filling.journal.draft.hooked.get_or_insert_default();
        (hooked.seen, hooked.against) = (seen, None);
        if !filling.draft().answers.is_empty()
            && let Some(answer) = hooks::hook(talk, filling, Phase::Validate, |_| {})
        {
            put_right(talk, filling, answer);
        }
        if let Some(answer) = hooks::hook(talk, filling, Phase::Next, |_| {}) {
            ask_first(talk, filling, answer);
        }
        let open = filling.draft().todo.first().is_some_and(|addr| !addr.is_later());
        if !open && let Some(answer) = hooks::hook(talk, filling, Phase::Confirm, |_| {}) {
            filling.journal.draft.hooked.get_or_insert_default().confirm = answer.needed;
        }
        let submit = if open { None } else { submit_by_program(talk, filling) };
        if let Some(hooked) = &mut filling.journal.draft.hooked {
            hooked.submit = submit;
        }
    }
    // A hook may have put answers in.
    deciding::decide_by_tools(talk, filling);
}

/// What a program has done once everything is confirmed, where that is not the form's to say.
fn submit_by_program(talk: &mut Talk<'_>, filling: &Filling<'_>) -> Option<Submitting> {
    let phases = talk.engine.phases.get(&filling.form.id)?;
    let submit = phase::by_program(&**phases, Phase::Submit, &hooks::at(talk, filling, Phase::Submit, true))?.submit?;
    if let Submitting::Run { tool, .. } = &submit
        && !filling.form.tools.get(tool).is_some_and(|tool| purpose::only_does(filling.form, tool))
    {
        talk.effects.push(Effect::Fault(format!(
                "{}: `{tool}`, which a program has run in the place of `submit`, is no tool of the form that nothing else uses: \
                 declare it in the form, and have no field, page or hook name it",
                filling.form.id
            )));
    }
    Some(submit)
}

fn put_right(talk: &mut Talk<'_>, filling: &mut Filling<'_>, answer: Answer) {
    for (name, json) in answer.values.into_iter().flatten() {
        let Some(path) = hooks::field_of(&mut talk.effects, filling, Phase::Validate, &name) else { continue };
        if json.is_null() {
            if filling.clear(&path) {
                talk.saying.notes.push(filling.say("cleared", &[("label", &filling.label(&path))]));
            }
        } else if let Ok(value) = link::read_value(filling, &path, &json) {
            let offer = Offer { value: value.clone(), source: chat::Source::Tool, quote: None };
            if let Filled::Stored(old) = filling.fill(&path, offer) {
                tell_put_right(&mut talk.saying, filling, &path, old.as_ref(), &value);
            }
        }
    }
    for Wrong { field, text } in answer.errors {
        if field.is_empty() {
            let text: String = formwright_form::text::clean(&text).chars().take(MOST_SAID).collect();
            filling.journal.draft.hooked.get_or_insert_default().against.get_or_insert(text);
            continue;
        }
        let Some(path) = hooks::field_of(&mut talk.effects, filling, Phase::Validate, &field) else { continue };
        deciding::drop_answer(talk, filling, &path, &text);
    }
}

/// Tells the person of a value that a hook has put in: their answers are theirs.
fn tell_put_right(saying: &mut Saying, filling: &Filling<'_>, path: &Path, old: Option<&Value>, value: &Value) {
    if filling.form.field_at(path).is_none_or(|field| matches!(field.kind, Kind::Hidden(_))) {
        return;
    }
    let (label, value) = (filling.label(path), filling.show(path, value));
    let Some(old) = old.map(|old| filling.show(path, old)) else {
        return saying.note_value(filling.say("noted_value", &[("label", &label), ("value", &value)]));
    };
    saying.notes.push(filling.say("changed", &[("label", &label), ("value", &value), ("old", &old)]));
}

fn ask_first(talk: &mut Talk<'_>, filling: &mut Filling<'_>, answer: Answer) {
    let named = |talk: &mut Talk, name: &str| hooks::field_of(&mut talk.effects, filling, Phase::Next, name);
    let ask = answer.ask.and_then(|name| named(talk, &name));
    let out: BTreeSet<Path> = answer.leave_out.iter().filter_map(|name| named(talk, name)).collect();
    let hooked = filling.journal.draft.hooked.get_or_insert_default();
    hooked.ask = ask;
    let before = std::mem::replace(&mut hooked.left_out, out.clone());
    for path in before.symmetric_difference(&out) {
        if let Some(field) = filling.form.field_at(path) {
            for changed in filling.reconsider(field, path) {
                filling.follow(&changed);
            }
        }
    }
}

/// A number that changes with the answers and with what is still to be asked.
fn fingerprint(filling: &Filling<'_>) -> u64 {
    let draft = filling.draft();
    let text = serde_json::json!([review::answers_json(filling.form, draft), draft.skipped, draft.todo]).to_string();
    question::fingerprint(&text)
}

pub(crate) fn take_draft(talk: &mut Talk<'_>) -> Option<(Arc<Form>, Draft)> {
    let draft = talk.session.draft.take()?;
    // `catch_up` has seen to it that the form is there.
    let form = talk.engine.form_of(&draft)?;
    Some((form, draft))
}

pub(crate) fn put_draft(talk: &mut Talk<'_>, mut filling: Filling<'_>) {
    settle(talk, &mut filling);
    receipt::say_what_followed(&mut talk.saying, &mut filling);
    let mut draft = filling.journal.finish();
    draft.touched = talk.world.now.timestamp();
    talk.session.draft = Some(draft);
}
