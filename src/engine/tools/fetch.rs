//! Values that tools bring: looked up when their field's turn comes, for fields that are never asked at once, and not at all
//! where the person has said them already.

use formwright_chat as chat;
use serde_json::Value as Json;

use crate::ask::verify;
use crate::draft::filling::{Filled, Filling, Offer};
use crate::session::ToolState;
use crate::tools::calls::{self, Next, Taken};
use crate::tools::{answer, purpose};
use formwright_form::field::Field;
use formwright_form::{AnswerSource, Kind, Path, Tool, ToolId, ToolRun, Value, tool};
use formwright_nlu::Command;

/// The call that fields wait for which are never asked; rows of the form file serve at once.
pub(crate) fn fetch_unasked(filling: &mut Filling<'_>) -> Option<Next> {
    let form = filling.form;
    let hidden =
        |field: &&Field| matches!(field.kind, Kind::Hidden(_)) && matches!(field.source, AnswerSource::FromTool { .. });
    form.fields.iter().filter(hidden).find_map(|field| fetch_field(filling, field))
}

/// The call that the field at a path waits for. Rows of the form file serve at once.
pub(crate) fn fetch_for(filling: &mut Filling<'_>, path: &Path) -> Option<Next> {
    let form = filling.form;
    let (tool, args) = due(filling, form.field_at(path)?, path)?;
    look_up(filling, tool, args)
}

/// The call that any field waits for which has not had its turn: it is looked over now.
pub(crate) fn fetch_rest(filling: &mut Filling<'_>) -> Option<Next> {
    let form = filling.form;
    form.fields.iter().find_map(|field| fetch_field(filling, field))
}

fn fetch_field(filling: &mut Filling<'_>, field: &Field) -> Option<Next> {
    if !matches!(field.source, AnswerSource::FromTool { .. }) {
        return None;
    }
    filling.instances(field.no, &Path::default()).iter().find_map(|path| fetch_for(filling, path))
}

/// The tool that is to be asked for a field, if it is needed and can be.
fn due<'a>(filling: &Filling<'a>, field: &Field, path: &Path) -> Option<(&'a Tool, Json)> {
    let AnswerSource::FromTool { tool, .. } = &field.source else { return None };
    let draft = filling.draft();
    let settled = draft.answers.contains_key(path) || draft.skipped.contains(path) || draft.emptied.contains(path);
    // What does something is not run to know what it would give.
    if settled || purpose::does(filling.form, tool) || draft.is_hidden(path) || filling.page_is_hidden(field) {
        return None;
    }
    let tool = filling.form.tools.get(tool)?;
    let args = tool::args(tool, path, draft, &filling.world.now)?;
    let asked = |state: &ToolState| state.args == args && (state.result.is_some() || state.failures > 0);
    (!draft.tools.get(&tool.id).is_some_and(asked)).then_some((tool, args))
}

fn look_up<'a>(filling: &mut Filling<'a>, tool: &'a Tool, args: Json) -> Option<Next> {
    let Some(rows) = rows_at_hand(filling, tool, &args) else {
        return match calls::call(filling, tool, args) {
            Next::Wait => None,
            next => Some(next),
        };
    };
    let taken = calls::take(filling, &tool.id, &args, &rows);
    let failed = taken.is_err();
    looked_up(filling, tool, args, taken.ok());
    if let Some(state) = filling.journal.draft.tools.get_mut(&tool.id).filter(|_| failed) {
        state.failures = 1;
    }
    None
}

/// Keeps what a tool gave that was not called by the draft; with none, that it was asked.
pub(crate) fn looked_up<'a>(filling: &mut Filling<'a>, tool: &'a Tool, args: Json, taken: Option<Taken>) {
    let mut state = ToolState { args, at: filling.world.now.timestamp(), ..ToolState::default() };
    if let Some(taken) = taken {
        filling.told.extend(answer::answer_of(filling, tool, &state.args, &taken.outputs));
        (state.result, state.outputs) = (Some(taken.rows), taken.outputs);
    }
    filling.journal.draft.tools.insert(tool.id.clone(), state);
    bring(filling, &tool.id);
}

/// What a tool gives without a call: the rows in the form file.
pub(crate) fn rows_at_hand(filling: &Filling<'_>, tool: &Tool, args: &Json) -> Option<Json> {
    let here = match &tool.run {
        ToolRun::Data { .. } => true,
        ToolRun::Client { .. } => !filling.world.client_tools,
        ToolRun::Function | ToolRun::Http(_) | ToolRun::Command { .. } => false,
    };
    here.then(|| tool::data_rows(tool, args, &filling.world.now).into())
}

/// Fills the fields that a tool brings values for. What the person said stays; what is to be confirmed is asked first.
pub(crate) fn bring(filling: &mut Filling<'_>, id: &ToolId) {
    let form = filling.form;
    for field in &form.fields {
        let AnswerSource::FromTool { tool, output } = &field.source else { continue };
        if tool != id {
            continue;
        }
        for path in filling.instances(field.no, &Path::default()) {
            let value = filling.draft().tools.get(id).and_then(|state| state.outputs.get(output)).cloned();
            let draft = filling.draft();
            let given = draft.answers.get(&path).is_some_and(|answer| answer.source != chat::Source::Tool);
            if given || draft.skipped.contains(&path) || draft.emptied.contains(&path) {
                continue;
            }
            let Some(value) = value.and_then(|value| as_answer(filling, id, output, field, &path, &value)) else {
                continue;
            };
            bring_value(filling, field, &path, value);
        }
    }
}

fn bring_value(filling: &mut Filling<'_>, field: &Field, path: &Path, value: Value) {
    let asks = field.verify.is_some() && !matches!(field.kind, Kind::Hidden(_));
    if asks && !filling.draft().verified.contains(path) && !filling.draft().is_hidden(path) {
        if filling.vet(field, path, &value).is_ok() {
            let then = Command::Fill { path: path.clone(), value, quote: None };
            verify::ask_whether_found(filling, path, Box::new(then));
        }
        return;
    }
    match filling.fill(path, Offer { value, source: chat::Source::Tool, quote: None }) {
        Filled::Refused(refusal) => {
            filling.faults.push(format!("{path} does not take what its tool brought ({})", refusal.code));
        }
        Filled::Stored(_) | Filled::Same | Filled::Aside | Filled::Locked => {}
    }
}

/// An output as the field keeps it.
fn as_answer(
    filling: &mut Filling<'_>,
    tool: &ToolId,
    output: &str,
    field: &Field,
    path: &Path,
    value: &Value,
) -> Option<Value> {
    let of = filling.form.tools.get(tool)?.outputs.iter().find(|one| one.name == output)?;
    let json = of.kind.behaviour().json(value);
    let offered = filling.offered(field, path);
    match field.kind.behaviour().accept(&json, &filling.context(field, &offered)) {
        Ok(value) => Some(value),
        Err(refusal) => {
            filling.faults.push(format!("output `{output}` of tool {tool} is no value of {path} ({})", refusal.code));
            None
        }
    }
}

/// Whether a value came from the field's tool, and is not the person's own.
pub(crate) fn is_brought(filling: &Filling<'_>, field: &Field, path: &Path, value: &Value) -> bool {
    let AnswerSource::FromTool { tool, output } = &field.source else { return false };
    let state = filling.draft().tools.get(tool).filter(|_| is_still_brought(filling, field, path));
    let brought = state.and_then(|state| state.outputs.get(output));
    let of = filling.form.tools.get(tool).and_then(|tool| tool.outputs.iter().find(|one| one.name == *output));
    let json = |kind: &Kind, value: &Value| kind.behaviour().json(value);
    brought.zip(of).is_some_and(|(brought, of)| json(&of.kind, brought) == json(&field.kind, value))
}

/// Whether what the field's tool brought was brought for the answers as they are.
pub(crate) fn is_still_brought(filling: &Filling<'_>, field: &Field, path: &Path) -> bool {
    let AnswerSource::FromTool { tool, .. } = &field.source else { return false };
    let Some(tool) = filling.form.tools.get(tool) else { return false };
    let state = filling.draft().tools.get(&tool.id);
    if purpose::does(filling.form, &tool.id) {
        return state.is_some_and(|state| state.result.is_some());
    }
    let args = tool::args(tool, path, filling.draft(), &filling.world.now);
    state.is_some_and(|state| state.result.is_some() && args.as_ref() == Some(&state.args))
}
