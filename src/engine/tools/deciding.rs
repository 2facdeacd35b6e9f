//! Checks by a tool: an answer that is good otherwise is put to the tool that decides about it, in the step that takes it.
//!
//! Nothing is kept that the tool is against, and nothing that it could not be asked about: that is offered again.

use serde_json::{Value as Json, json};

use crate::ask::question;
use crate::command::change;
use crate::draft::filling::{AUTHORS_WORDS, Filling};
use crate::draft::order;
use crate::effect::{Effect, ToolCall};
use crate::input::{CallError, Failing};
use crate::talk::Talk;
use crate::tools::{answer, calls, hooks};
use formwright_form::field::Check;
use formwright_form::kind::Refusal;
use formwright_form::{Field, Form, Path, Tool, Value, tool};
use formwright_nlu::{Answer, Pending};

/// What a tool has against an answer.
enum Against {
    /// It says no, in these words or in the author's.
    Refused(Option<String>),
    /// It could not be asked, and has these words for the person.
    Unknown(Option<String>),
}

/// Puts answers to the tools that decide about them: each once, and again when what the tool is told has changed.
pub(crate) fn decide_by_tools(talk: &mut Talk<'_>, filling: &mut Filling<'_>) {
    let form = filling.form;
    if !form.fields.iter().any(|field| deciding(form, field).next().is_some()) {
        return;
    }
    let paths: Vec<Path> = filling.draft().answers.keys().cloned().collect();
    for path in paths {
        let Some(field) = form.field_at(&path) else { continue };
        let calls: Vec<(&Check, &Tool, Json)> = deciding(form, field)
            .filter_map(|(check, tool)| Some((check, tool, told_of(filling, field, &path, tool)?)))
            .collect();
        if calls.is_empty() {
            continue;
        }
        let told: Vec<Json> = calls.iter().map(|(_, tool, args)| json!([tool.id, args])).collect();
        let seen = question::fingerprint(&Json::Array(told).to_string());
        if filling.draft().decided.get(&path) == Some(&seen) {
            continue;
        }
        match verdict(talk, filling, calls) {
            None => {
                filling.journal.draft.decided.insert(path, seen);
            }
            Some((check, Against::Refused(words))) => {
                let value = filling.draft().answers.get(&path).map(|answer| answer.value.clone());
                let words = words.unwrap_or_else(|| filling.text_about(&check.or_else, &path, value.as_ref()));
                take_out(talk, filling, &path, &words);
            }
            // The step is taken again with what it lacks.
            Some((_, Against::Unknown(_))) if talk.lookups.lacks() => return,
            Some((_, Against::Unknown(words))) => {
                let value = filling.draft().answers.get(&path).map(|answer| answer.value.clone());
                let words = words.unwrap_or_else(|| filling.say("check_failed", &[("label", &filling.label(&path))]));
                take_out(talk, filling, &path, &words);
                if !filling.draft().answers.contains_key(&path) {
                    filling.journal.set_offered(&path, value);
                }
            }
        }
    }
    let draft = &mut filling.journal.draft;
    draft.decided.retain(|path, _| draft.answers.contains_key(path));
}

/// The first that is not in favour; none where all are.
fn verdict<'f>(
    talk: &mut Talk<'_>,
    filling: &mut Filling<'_>,
    calls: Vec<(&'f Check, &'f Tool, Json)>,
) -> Option<(&'f Check, Against)> {
    for (check, tool, args) in calls {
        let call = format!("{}-check", talk.world.nonce.as_str());
        let call = ToolCall::of(filling.form, &tool.id, call, args.clone());
        let against = match talk.lookups.ask(call).cloned() {
            Some(Ok(result)) => match judged(filling, tool, &args, &result) {
                Ok(None) => {
                    let outputs = calls::outputs(filling, tool, &result).unwrap_or_default();
                    talk.saying.notes.extend(answer::answer_of(filling, tool, &args, &outputs));
                    None
                }
                Ok(against) => against,
                Err(why) => {
                    talk.effects.push(Effect::Fault(format!("{}: {why}", filling.form.id)));
                    Some(Against::Unknown(None))
                }
            },
            Some(Err(error)) => Some(refused(&error)),
            None => Some(Against::Unknown(None)),
        };
        if let Some(against) = against {
            return Some((check, against));
        }
    }
    None
}

/// Takes an answer out with the reason. One that was there before this step, and that nobody was against, is back then.
fn take_out(talk: &mut Talk<'_>, filling: &mut Filling<'_>, path: &Path, words: &str) {
    let now = filling.draft().answers.get(path).map(|answer| answer.value.clone());
    let before = filling.journal.change.answers.get(path).cloned().flatten();
    let before = before.filter(|before| Some(&before.value) != now.as_ref());
    replace(talk, filling, path, before, words);
}

/// Takes an answer out with the reason.
pub(crate) fn drop_answer(talk: &mut Talk<'_>, filling: &mut Filling<'_>, path: &Path, words: &str) {
    replace(talk, filling, path, None, words);
}

fn replace(talk: &mut Talk<'_>, filling: &mut Filling<'_>, path: &Path, with: Option<Answer>, words: &str) {
    let Some(answer) = filling.draft().answers.get(path).cloned() else { return };
    let facts = (filling.label(path), filling.show(path, &answer.value));
    talk.saying.take_back_note(&filling.say("noted_value", &[("label", &facts.0), ("value", &facts.1)]));
    if let Some(Some(old)) = filling.journal.change.answers.get(path) {
        let old = filling.show(path, &old.value.clone());
        let note = filling.say("changed", &[("label", &facts.0), ("value", &facts.1), ("old", &old)]);
        talk.saying.notes.retain(|said| *said != note);
    }
    let earlier = filling.draft().asked.get(path).map_or(0, |asked| asked.earlier);
    filling.store(path, with);
    filling.journal.draft.asked.entry(path.clone()).or_default().failures = earlier;
    filling.follow(path);
    ask_again(talk, filling, path);
    let _ = change::refuse(talk, filling, path, Refusal::new(AUTHORS_WORDS).fact("text", words.to_owned()));
}

/// Stays at the question that an answer was taken out of, where it is the one that was just answered or comes next.
fn ask_again(talk: &Talk<'_>, filling: &mut Filling<'_>, path: &Path) {
    let draft = filling.draft();
    let addr = order::addr(filling.form, path).filter(|addr| draft.todo.contains(addr));
    let answered = |(_, was): &(String, Pending)| matches!(was, Pending::Field { path: asked, .. } if asked == path);
    let here = talk.was.as_ref().is_some_and(answered) || hooks::first_open(filling) == addr;
    if addr.is_some() && draft.pending == Pending::Nothing && here {
        let draft = &mut filling.journal.draft;
        draft.trail.retain(|seen| seen != path);
        draft.pending = Pending::Field { path: path.clone(), editing: false };
    }
}

/// What a tool is told of an answer; none while an answer that it needs beside is not there.
fn told_of(filling: &Filling<'_>, field: &Field, path: &Path, tool: &Tool) -> Option<Json> {
    if tool.params.is_empty() {
        let value = &filling.draft().answers.get(path)?.value;
        return Some(json!({ "value": field.kind.behaviour().json(value) }));
    }
    tool::args(tool, path, filling.draft(), &filling.world.now)
}

/// What a result says: yes or no as it is, or by an output of that kind, by `is_complete`, or in words for the person.
/// Where the tool has such words and says none, it has nothing against the answer.
fn judged(filling: &Filling<'_>, tool: &Tool, args: &Json, result: &Json) -> Result<Option<Against>, String> {
    if let Json::Bool(yes) = result {
        return Ok((!yes).then_some(Against::Refused(None)));
    }
    if let Some(words) = tool::refusal(tool, result) {
        return Ok(Some(Against::Refused(Some(words))));
    }
    let outputs = calls::outputs(filling, tool, result).map_err(|why| format!("tool {}: {why}", tool.id))?;
    let no = outputs.values().any(|value| *value == Value::Bool(false));
    if no || !tool::is_complete(tool, args, &outputs, &filling.world.now) {
        return Ok(Some(Against::Refused(None)));
    }
    let says = tool.complete.is_some() || !tool.refusal.is_empty();
    let yes = says || outputs.values().any(|value| matches!(value, Value::Bool(_)));
    if yes { Ok(None) } else { Err(format!("tool {} says neither yes nor no", tool.id)) }
}

fn refused(error: &CallError) -> Against {
    match &error.failing {
        Failing::Refused { fields } => {
            Against::Refused(error.for_person.clone().or_else(|| fields.values().next().cloned()))
        }
        Failing::Denied | Failing::Broken => Against::Unknown(error.for_person.clone()),
    }
}

/// The tools that decide about a field, with the checks they stand in.
fn deciding<'f>(form: &'f Form, field: &'f Field) -> impl Iterator<Item = (&'f Check, &'f Tool)> {
    field.checks.iter().filter_map(|check| Some((check, form.tools.get(check.that.tool()?)?)))
}
