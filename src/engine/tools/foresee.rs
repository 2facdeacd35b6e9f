//! Lookups that questions to come will need: what they are asked with is known already, so their results can be there when
//! the person comes to them.

use jiff::Timestamp;

use crate::draft::filling::Filling;
use crate::draft::order::{self, Asking};
use crate::draft::{fresh, options};
use crate::effect::ToolCall;
use crate::engine::Engine;
use crate::input::{Happening, Input};
use crate::session::{Draft, Session};
use crate::talk::Talk;
use crate::tools::{calls, fetch};
use crate::world::{self, World};
use formwright_form::kind::Said;
use formwright_form::tool::args;
use formwright_form::{AnswerSource, Field, Form, Path, Tool};

/// Most lookups that are foreseen at a time.
const MOST: usize = 2;

/// Fewest words of a message that may answer more than what is asked.
const SENTENCE: usize = 3;

/// Lookups that open questions will need and whose arguments are all known, the soonest first. Their `call` is empty: they
/// are no calls of the session. Only those whose result may be kept ([`Form::may_keep`]).
pub(crate) fn foreseen(engine: &Engine, session: &Session, now: Timestamp) -> Vec<ToolCall> {
    let Some(draft) = &session.draft else { return Vec::new() };
    let Some(form) = engine.form_of(draft).filter(|form| form.tools.values().any(|tool| form.may_keep(tool))) else {
        return Vec::new();
    };
    let input = Input { now, nonce: formwright_chat::Nonce::new(0), event: Happening::Expiry };
    let world = world::world(engine, session, &input, None).speaking(&form);
    let mut calls: Vec<ToolCall> = Vec::new();
    for addr in draft.todo.iter().filter(|addr| !addr.is_later()) {
        let Some(Asking::Field(path)) = order::asking(&form, addr) else { continue };
        let Some(field) = form.field_at(&path) else { continue };
        for (tool, args) in
            [options::awaited(&form, draft, &world, field, &path), brings(&form, draft, &world, field, &path)]
                .into_iter()
                .flatten()
        {
            let known = calls.iter().any(|call| call.tool == tool.id && call.args == args);
            let asked = draft.tools.get(&tool.id).is_some_and(|state| state.args == args);
            if known || asked || !form.may_keep(tool) {
                continue;
            }
            calls.push(ToolCall::of(&form, &tool.id, String::new(), args));
            if calls.len() == MOST {
                return calls;
            }
        }
    }
    calls
}

/// Looks up what fields choose from before the first sentence of a draft is read, for it may name one of them. What cannot
/// be looked up now is left to its time.
pub(crate) fn know_options_of(talk: &mut Talk<'_>, filling: &mut Filling<'_>, said: &Said) {
    if said.words.len() < SENTENCE || filling.form.stays || fresh::is_begun(filling.draft()) {
        return;
    }
    let form = filling.form;
    let mut due: Vec<(&Tool, serde_json::Value)> = Vec::new();
    for path in filling.open_fields() {
        let Some(field) = form.field_at(&path) else { continue };
        let awaited = options::awaited(form, filling.draft(), filling.world, field, &path);
        let new = awaited.filter(|(tool, _)| {
            form.may_keep(tool)
                && !filling.draft().tools.contains_key(&tool.id)
                && !due.iter().any(|(known, _)| known.id == tool.id)
        });
        due.extend(new);
        if due.len() == MOST {
            break;
        }
    }
    for (tool, args) in due {
        let call = format!("{}-{}", talk.world.nonce.as_str(), tool.id);
        let call = ToolCall::of(form, &tool.id, call, args.clone());
        let found = talk.lookups.ask(call).cloned();
        if talk.lookups.lacks() {
            return;
        }
        let taken = found.and_then(Result::ok).and_then(|result| calls::take(filling, &tool.id, &args, &result).ok());
        fetch::looked_up(filling, tool, args, taken);
        talk.saying.notes.append(&mut filling.told);
    }
}

/// The tool that brings a field's value, with its arguments where they are known.
fn brings<'f>(
    form: &'f Form,
    draft: &Draft,
    world: &World,
    field: &Field,
    path: &Path,
) -> Option<(&'f Tool, serde_json::Value)> {
    let AnswerSource::FromTool { tool, .. } = &field.source else { return None };
    let tool = form.tools.get(tool)?;
    let open = !draft.answers.contains_key(path) && !draft.emptied.contains(path);
    Some((tool, args(tool, path, draft, &world.now)?)).filter(|_| open)
}
