//! Results of tools, run by us or by the person's client.

use formwright_chat as chat;

use crate::command::change;
use crate::draft::filling::{self, Filling};
use crate::effect::Effect;
use crate::flow::settle;
use crate::input::{self, CallError, Failing, Outcome};
use crate::prompt;
use crate::session::{Draft, side_effect};
use crate::talk::Talk;
use crate::tools::calls::{self, Taken};
use crate::tools::{answer, fetch, side_effects};
use formwright_form::{ToolId, ToolRun};
use formwright_nlu::Pending;

/// Most answers that are named where a tool refused them.
const MOST_GIVEN: usize = 6;

/// Takes the results that a client brings; only those of the call that is open count. Nothing at all is the word of a
/// client that has no such tool. Tells whether any was taken.
pub(crate) fn tool_results(talk: &mut Talk<'_>, results: &[chat::ToolResult]) -> bool {
    let mut taken = false;
    for result in results {
        let call = talk.session.draft.as_ref().and_then(|draft| match &draft.pending {
            Pending::Tool { call, tool, client: true } => {
                let named = result.call.as_ref().is_none_or(|theirs| theirs == call);
                (named && tool.as_str() == result.tool).then(|| call.clone())
            }
            _ => None,
        });
        if call.is_some() || came_late(talk, result) {
            taken = true;
        } else {
            talk.saying.rejected.push(chat::Rejected::Result { tool: result.tool.clone() });
        }
        if call.is_some() && result.result.is_null() {
            // The client knows no such tool, so it has not run it either.
            let rows = |draft: &Draft, tool: &ToolId| rows_of(talk, draft, tool);
            let waits = talk.session.draft.as_ref().and_then(|draft| match &draft.pending {
                Pending::Tool { call, tool, client: true } => Some((call.clone(), rows(draft, tool))),
                _ => None,
            });
            go_on_without(talk, waits, None);
        } else if let Some(call) = call {
            let failed = result.result.get("error").is_some();
            let result = if failed { Err(client_failure(talk, result)) } else { Ok(result.result.clone()) };
            tool_outcome(talk, &Outcome { call, result });
        }
    }
    talk.saying.unmoved = !taken;
    taken
}

/// Takes the result of a call that is not waited for any more but has had none yet; tells whether it is one.
fn came_late(talk: &mut Talk<'_>, result: &chat::ToolResult) -> bool {
    let Some((form, draft)) = settle::take_draft(talk) else { return false };
    let tool = ToolId::new(&result.tool);
    let world = talk.world.speaking(&form);
    let mut filling = Filling::new(&form, &world, draft);
    if let Some(key) = result.call.as_ref().and_then(|call| side_effect::deed_of_call(filling.draft(), call)) {
        let does =
            side_effects::has_failed_deed(&filling) && result.result.get("error").is_none() && !result.result.is_null();
        if does {
            side_effects::deed_outcome(&mut talk.saying, &mut filling, &key, Ok(result.result.clone()));
        }
        settle::put_draft(talk, filling);
        return does;
    }
    let of_call =
        filling.draft().tools.get(&tool).is_some_and(|state| {
            result.call.as_ref() == Some(&state.call) && state.result.is_none() && state.failures > 0
        });
    let args = filling.draft().tools.get(&tool).map(|state| state.args.clone()).unwrap_or_default();
    let fits = of_call && result.result.get("error").is_none();
    let taken = fits.then(|| calls::take(&mut filling, &tool, &args, &result.result).ok()).flatten();
    let any = taken.is_some();
    if let Some(taken) = taken {
        keep_result(&mut filling, &tool, taken);
        talk.saying.notes.append(&mut filling.told);
    }
    settle::put_draft(talk, filling);
    any
}

/// Why a client did not run a tool; in its words where the form says that there are some.
fn client_failure(talk: &Talk<'_>, result: &chat::ToolResult) -> CallError {
    let form = talk.session.draft.as_ref().and_then(|draft| talk.engine.form_of(draft));
    let tool = form.as_ref().and_then(|form| form.tools.get(&ToolId::new(&result.tool)));
    let words = tool.and_then(|tool| formwright_form::tool::refusal(tool, &result.result));
    let failed = CallError::broken(format!("client tool {} failed", result.tool), true);
    match words {
        Some(words) => {
            let failing = input::Failing::Refused { fields: std::collections::BTreeMap::new() };
            CallError { for_person: Some(words), failing, ..failed }
        }
        None => failed,
    }
}

/// Takes the outcome of a tool; tells whether anybody waited for it.
pub(crate) fn tool_outcome(talk: &mut Talk<'_>, outcome: &Outcome) -> bool {
    let waits = talk.session.draft.as_ref().and_then(|draft| match &draft.pending {
        Pending::Tool { call, tool, .. } if *call == outcome.call => Some(tool.clone()),
        _ => None,
    });
    let Some(tool) = waits else { return false };
    let Some((form, draft)) = settle::take_draft(talk) else { return false };
    let world = talk.world.speaking(&form);
    let mut filling = Filling::new(&form, &world, draft);
    change::let_go(&mut filling);
    if let Some(key) = side_effect::deed_of_call(filling.draft(), &outcome.call) {
        side_effects::deed_outcome(&mut talk.saying, &mut filling, &key, outcome.result.clone());
        log_faults(&mut talk.effects, &mut filling);
        settle::put_draft(talk, filling);
        return true;
    }
    let args = filling.draft().tools.get(&tool).map(|state| state.args.clone()).unwrap_or_default();
    let taken = outcome.result.clone().and_then(|result| calls::take(&mut filling, &tool, &args, &result));
    match taken {
        Ok(taken) => keep_result(&mut filling, &tool, taken),
        Err(error) => {
            if let Some(state) = filling.journal.draft.tools.get_mut(&tool) {
                state.failures += 1;
            }
            if is_awaited(&filling, &tool) {
                let refused = matches!(error.failing, Failing::Refused { .. }) && error.for_person.is_some();
                talk.saying.notes.extend(heard(&filling, &tool, error));
                if refused {
                    ask_again_what_was_refused(&mut filling, &tool);
                }
                let human = form.human.as_ref().map(|text| filling.text(text, &formwright_form::Path::default()));
                talk.saying.notes.extend(human.map(|human| filling.say("human", &[("human", &human)])));
            }
        }
    }
    talk.saying.notes.append(&mut filling.told);
    log_faults(&mut talk.effects, &mut filling);
    settle::put_draft(talk, filling);
    true
}

/// Puts on the log what a form or its tools did wrong.
fn log_faults(effects: &mut Vec<Effect>, filling: &mut Filling<'_>) {
    let form = &filling.form.id;
    let faults = std::mem::take(&mut filling.faults).into_iter().map(|why| format!("{form}: {why}"));
    effects.extend(faults.map(Effect::Fault));
}

/// Stops waiting for a client's tool that will not come: its rows in the form file serve instead. Whoever wants to leave
/// is told that nothing is waited for any more.
pub(crate) fn give_up_on_client(talk: &mut Talk<'_>, leaves: bool) {
    let waits = talk.session.draft.as_ref().and_then(|draft| match &draft.pending {
        // Nobody knows whether the client has done it: rows do not stand for that.
        Pending::Tool { call, client: true, .. } if side_effect::is_under_way(draft) => Some((call.clone(), None)),
        Pending::Tool { call, tool, client: true } => Some((call.clone(), rows_of(talk, draft, tool))),
        _ => None,
    });
    let form = talk.session.draft.as_ref().and_then(|draft| talk.engine.form_of(draft)).filter(|_| leaves);
    let told = form.map(|form| {
        let world = talk.world.speaking(&form);
        prompt::Voice { world: &world, form: Some(&form) }.say("tool_let_go", &[])
    });
    go_on_without(talk, waits, told);
}

/// Goes on without a client's result, for which the person hears these words where there are any.
fn go_on_without(talk: &mut Talk<'_>, waits: Option<(String, Option<serde_json::Value>)>, told: Option<String>) {
    let Some((call, rows)) = waits else { return };
    let error = || CallError { for_person: told, ..CallError::broken("the client did not run the tool", true) };
    tool_outcome(talk, &Outcome { call, result: rows.ok_or_else(error) });
}

/// The rows in the form file that serve where no client runs a tool.
fn rows_of(talk: &Talk<'_>, draft: &Draft, tool: &ToolId) -> Option<serde_json::Value> {
    let form = talk.engine.form_of(draft)?;
    let tool = form.tools.get(tool)?;
    let ToolRun::Client { fallback, .. } = &tool.run else { return None };
    let args = &draft.tools.get(&tool.id)?.args;
    (!fallback.is_empty()).then(|| formwright_form::tool::data_rows(tool, args, &talk.world.now).into())
}

/// What the person hears of a failure: the words of whoever refused, else whose matter it is.
fn heard(filling: &Filling<'_>, tool: &ToolId, error: CallError) -> Vec<String> {
    let (standard, fields) = match error.failing {
        Failing::Refused { fields } => ("tool_refused", fields),
        Failing::Denied => ("tool_denied", std::collections::BTreeMap::new()),
        Failing::Broken => ("tool_failed", std::collections::BTreeMap::new()),
    };
    let words: Vec<String> = error.for_person.into_iter().chain(fields.into_values()).collect();
    if !words.is_empty() {
        return words;
    }
    match given_to(filling, tool).filter(|_| standard == "tool_refused") {
        Some(given) => vec![filling.say("tool_refused_of", &[("list", &given)])],
        None => vec![filling.say(standard, &[])],
    }
}

/// The answers that a tool was called with, as the person may see them; none where it was given none of theirs.
fn given_to(filling: &Filling<'_>, tool: &ToolId) -> Option<String> {
    let tool = filling.form.tools.get(tool)?;
    let reads = |no| tool.params.iter().any(|(_, expr)| expr.reads.contains(no));
    let given = filling.draft().answers.iter().filter_map(|(path, answer)| {
        let field = filling.form.field_at(path).filter(|field| reads(&field.no))?;
        let shown = !matches!(field.kind, formwright_form::Kind::Hidden(_));
        shown.then(|| format!("{}: {}", filling.label(path), filling.show(path, &answer.value)))
    });
    let given: Vec<String> = given.take(MOST_GIVEN).collect();
    (!given.is_empty()).then(|| given.join("; "))
}

/// Takes out what the person gave a tool that has words against it, so that it is asked again. Of several nobody knows
/// which it is: they are offered again. Whoever gives the same again goes on with it: the tool is not asked twice.
fn ask_again_what_was_refused(filling: &mut Filling<'_>, id: &ToolId) {
    let form = filling.form;
    let Some(tool) = form.tools.get(id) else { return };
    let reads: std::collections::BTreeSet<_> =
        tool.params.iter().flat_map(|(_, expr)| expr.reads.iter().copied()).collect();
    let paths = reads.into_iter().filter_map(|no| form.path_near(no, &formwright_form::Path::default()));
    let given = |path: &formwright_form::Path| {
        let source = filling.draft().answers.get(path).map(|answer| answer.source);
        matches!(source, Some(chat::Source::Said | chat::Source::Pressed))
    };
    let given: Vec<_> = paths.filter(given).collect();
    if given.is_empty() {
        return;
    }
    // A result that comes after all is for what was given before.
    if let Some(state) = filling.journal.draft.tools.get_mut(id) {
        state.call.clear();
    }
    for path in &given {
        let value = filling.draft().answers.get(path).map(|answer| answer.value.clone());
        filling.store(path, None);
        filling.follow(path);
        if given.len() > 1 {
            filling.journal.set_offered(path, value);
        }
        let asked = filling.journal.draft.asked.entry(path.clone()).or_default();
        asked.failures = asked.earlier.saturating_add(1);
    }
}

/// Whether a person waits for what a tool gives: nobody does where only fields read it that are never asked.
fn is_awaited(filling: &Filling<'_>, tool: &ToolId) -> bool {
    let mut readers = filling.form.fields.iter().filter(|field| field.tools().any(|used| used == tool)).peekable();
    readers.peek().is_none() || readers.any(|field| !matches!(field.kind, formwright_form::Kind::Hidden(_)))
}

fn keep_result(filling: &mut Filling<'_>, tool: &ToolId, taken: Taken) {
    let now = filling.world.now.timestamp();
    let Some(state) = filling.journal.draft.tools.get_mut(tool) else { return };
    state.result = Some(taken.rows);
    state.outputs = taken.outputs;
    state.at = now;
    state.failures = 0;
    let (args, outputs) = (state.args.clone(), state.outputs.clone());
    let form = filling.form;
    take_back_offered(filling, tool);
    fetch::bring(filling, tool);
    filling.told.extend(form.tools.get(tool).and_then(|tool| answer::answer_of(filling, tool, &args, &outputs)));
}

/// Answers set aside while their options were unknown come back if they are still offered.
fn take_back_offered(filling: &mut Filling<'_>, tool: &ToolId) {
    let form = filling.form;
    for field in &form.fields {
        let from = field.choices.as_ref().and_then(|choices| choices.from.as_ref());
        if from.is_none_or(|from| from.tool != *tool) {
            continue;
        }
        for path in offered_within(filling.draft()) {
            if form.field_at(&path).is_none_or(|at| at.no != field.no) {
                continue;
            }
            let Some(value) = filling.draft().offered.get(&path).cloned() else { continue };
            let offer = filling::Offer { value, source: chat::Source::Said, quote: None };
            let _ = filling.fill(&path, offer);
        }
    }
}

fn offered_within(draft: &Draft) -> Vec<formwright_form::Path> {
    draft.offered.keys().cloned().collect()
}
