//! What is taken out of a tool's result, and why it may be no result at all. Results of a client and of ours are looked at
//! in the same way.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use crate::draft::filling::Filling;
use crate::effect;
use crate::input::{CallError, Failing};
use crate::session::{self, side_effect};
use formwright_form::kind::Context;
use formwright_form::{OptionsFrom, Path, Tool, ToolId, Value, tool};
use formwright_nlu::Pending;

/// What a draft keeps of a result.
#[derive(Debug, PartialEq)]
pub(crate) struct Taken {
    /// Rows, where fields choose from them.
    pub(crate) rows: Json,
    /// Outputs by name.
    pub(crate) outputs: BTreeMap<String, Value>,
}

/// Takes what is needed out of a result.
pub(crate) fn take(filling: &mut Filling<'_>, id: &ToolId, args: &Json, result: &Json) -> Result<Taken, CallError> {
    let form = filling.form;
    let Some(tool) = form.tools.get(id) else {
        return Err(CallError::broken(format!("there is no tool {id}"), false));
    };
    let outputs = outputs(filling, tool, result).map_err(|why| wrong(filling, tool, result, why))?;
    if !tool::is_complete(tool, args, &outputs, &filling.world.now) {
        return Err(wrong(filling, tool, result, "`is_complete` does not hold".to_owned()));
    }
    let readers: Vec<&OptionsFrom> = form
        .fields
        .iter()
        .filter_map(|field| field.choices.as_ref()?.from.as_ref())
        .filter(|from| from.tool == *id)
        .collect();
    let tags = filling.world.tags();
    if !readers.is_empty() && readers.iter().all(|from| formwright_form::options::dig(result, from, &tags).is_empty()) {
        let for_person = is_empty(result).then(|| nothing_offered(filling, id));
        return Err(CallError {
            for_person,
            ..CallError::broken(format!("tool {id} gave nothing to choose from"), true)
        });
    }
    if let Some((first, second)) = readers.iter().find_map(|from| formwright_form::options::two_lists(result, from)) {
        filling.faults.push(format!(
            "tool {id} gave two lists, `{first}` and `{second}`: the options are those of `{first}`; say which with \
                 `options_from = {{ tool = \"{id}\", at = \"…\" }}`"
        ));
    }
    let (rows, left) = tool::kept(&readers, result, &tags);
    if left > 0 {
        filling.faults.push(format!("tool {id} gave more than a conversation keeps: {left} options are not offered"));
    }
    Ok(Taken { rows, outputs })
}

/// Outputs of a tool by name.
pub(crate) fn outputs(filling: &Filling<'_>, tool: &Tool, result: &Json) -> Result<BTreeMap<String, Value>, String> {
    let cx = Context {
        now: &filling.world.now,
        lang: filling.world.speaks,
        region: filling.world.region.as_deref(),
        options: &[],
        other: true,
        held: None,
    };
    tool::outputs(tool, result, &cx)
}

/// A result that will not do: a refusal where the tool has words for the person, and the tool's fault otherwise.
fn wrong(filling: &mut Filling<'_>, tool: &Tool, result: &Json, why: String) -> CallError {
    let for_log = format!("tool {}: {why}", tool.id);
    match tool::refusal(tool, result) {
        Some(words) => CallError {
            for_person: Some(words),
            for_log,
            retry: false,
            failing: Failing::Refused { fields: BTreeMap::new() },
        },
        None => {
            filling.faults.push(for_log.clone());
            CallError::broken(for_log, true)
        }
    }
}

/// That a tool has nothing to choose from, for the field that waits for it.
fn nothing_offered(filling: &Filling<'_>, tool: &ToolId) -> String {
    let waits = |field: &&formwright_form::Field| {
        field.choices.as_ref().and_then(|choices| choices.from.as_ref()).is_some_and(|from| from.tool == *tool)
    };
    let field = filling.form.fields.iter().find(waits);
    let label = field.map(|field| field.label.pick(&filling.world.tags()).to_owned()).unwrap_or_default();
    filling.say("tool_no_options", &[("label", &label)])
}

/// Whether a result is a list without rows, rather than no list.
fn is_empty(result: &Json) -> bool {
    match result {
        Json::Array(rows) => rows.is_empty(),
        Json::Object(entries) => {
            entries.values().any(|value| value.as_array().is_some_and(Vec::is_empty)) && !entries.contains_key("error")
        }
        _ => false,
    }
}

/// What comes next.
#[derive(Debug, PartialEq)]
pub(crate) enum Next {
    /// Wait for the person: what for stands in [`Pending`].
    Wait,
    /// Fill in the form of this field first.
    Open(Path),
    /// Ask a tool first.
    Call(effect::ToolCall),
    /// Have the client run a tool first.
    ClientCall(effect::ToolCall),
    /// Everything is there and nothing is to be confirmed.
    Submit,
}

pub(crate) fn call(filling: &mut Filling<'_>, tool: &Tool, args: serde_json::Value) -> Next {
    let failed = |state: &session::ToolState| state.args == args && state.failures > 0;
    if filling.draft().tools.get(&tool.id).is_some_and(failed) {
        return Next::Wait;
    }
    // A client that is still at it is asked for the same call: its result must find whom it is for.
    let client = matches!(tool.run, formwright_form::ToolRun::Client { .. });
    let running =
        |state: &&session::ToolState| client && state.args == args && state.result.is_none() && state.failures == 0;
    let known = filling.draft().tools.get(&tool.id).filter(running).map(|state| state.call.clone());
    let call = known.unwrap_or_else(|| format!("{}-{}", filling.world.nonce.as_str(), tool.id));
    open_call(filling, tool, args, call)
}

/// Calls a tool under an id.
pub(crate) fn open_call(filling: &mut Filling<'_>, tool: &Tool, args: serde_json::Value, call: String) -> Next {
    let client = matches!(tool.run, formwright_form::ToolRun::Client { .. });
    let state = session::ToolState {
        args: args.clone(),
        call: call.clone(),
        at: filling.world.now.timestamp(),
        ..session::ToolState::default()
    };
    filling.journal.draft.tools.insert(tool.id.clone(), state);
    filling.journal.draft.pending = Pending::Tool { call: call.clone(), tool: tool.id.clone(), client };
    let does = side_effect::deed_of_call(filling.draft(), &call).is_some();
    let purpose = if does { effect::Purpose::Do } else { effect::Purpose::Know };
    let call = effect::ToolCall::of(filling.form, &tool.id, call, args).to(purpose);
    if client { Next::ClientCall(call) } else { Next::Call(call) }
}
