//! Tools that do something: run when a step or the whole form is confirmed, and before what comes after it.
//!
//! A deed has an id that is made of what is stored (which submission, which step, how many were done before, with which
//! arguments), so that a turn which is computed again asks for the same deed, and other arguments never go under an id that
//! was used.

use formwright_chat as chat;
use jiff::Timestamp;
use serde_json::Value as Json;
use sha2::Digest as _;

use crate::draft::filling::{AUTHORS_WORDS, Filling};
use crate::input::{CallError, Failing};
use crate::phase::{At, Submitting};
use crate::saying::Saying;
use crate::session::side_effect::{Deed, RUN, Standing};
use crate::session::{State, ToolState};
use crate::tools::calls::{self, Next, Taken};
use crate::tools::{answer, fetch, hooks, purpose};
use formwright_form::kind::Refusal;
use formwright_form::{Form, Path, Tool, ToolId, tool};

/// Owes the deed of a page that was confirmed, unless it was done with these very answers.
pub(crate) fn owe_page(filling: &mut Filling<'_>, page: u16) {
    let Some((key, _)) = deed_of_page(filling, page) else { return };
    owe(filling, key, None);
}

/// Owes what is done when the whole form is confirmed; tells whether there is any such thing.
pub(crate) fn owe_all(filling: &mut Filling<'_>) -> bool {
    let pages = u16::try_from(filling.form.pages.len()).unwrap_or(u16::MAX);
    for page in 0..pages {
        owe_page(filling, page);
    }
    match filling.draft().hooked.as_ref().and_then(|hooked| hooked.submit.clone()) {
        // What was to be done before, and was not, is not any more.
        Some(Submitting::Nothing) => {
            filling.journal.draft.deeds.retain(|key, deed| key != RUN || deed.standing == Standing::Done);
        }
        None if filling.form.run.is_none() => {}
        chosen => owe(filling, RUN.to_owned(), chosen),
    }
    let owes = filling.draft().deeds.values().any(|deed| deed.standing == Standing::Owed);
    filling.journal.draft.confirmed = owes;
    owes
}

/// The next deed that is owed: the steps' in their order, then the form's. What needs no call is done at once.
pub(crate) fn do_owed(filling: &mut Filling<'_>, notes: &mut Vec<String>) -> Option<Next> {
    ask_again_what_has_changed(filling);
    for key in deeds_in_order(filling.form) {
        let Some(deed) = filling.draft().deeds.get(&key).filter(|deed| deed.standing == Standing::Owed).cloned() else {
            continue;
        };
        let Some(tool) = deed_tool(filling, &key) else {
            // What a program wants done can be done by no tool of the form: nothing goes out as if it were.
            if deed.chosen.is_some() {
                notes.extend(deed_stands_failed(filling, &key, None, false));
            }
            continue;
        };
        let args = deed_args(filling, &key, deed.chosen.as_ref(), deed.at);
        let same = deed.args == args && !deed.call.is_empty();
        let call = if same { deed.call.clone() } else { deed_id(filling, &key, &deed, &args) };
        let now = Deed { args: args.clone(), call: call.clone(), ..deed };
        filling.journal.draft.deeds.insert(key.clone(), now);
        if filling.world.tries_out {
            notes.push(tried_out(filling, &key, tool, &args));
            continue;
        }
        let Some(rows) = fetch::rows_at_hand(filling, tool, &args) else {
            return Some(calls::open_call(filling, tool, args, call));
        };
        let state = ToolState { args: args.clone(), call, at: filling.world.now.timestamp(), ..ToolState::default() };
        filling.journal.draft.tools.insert(tool.id.clone(), state);
        match calls::take(filling, &tool.id, &args, &rows) {
            Ok(taken) => notes.extend(deed_done(filling, &key, tool, taken)),
            Err(error) => notes.extend(deed_failed(filling, &key, tool, &error)),
        }
    }
    None
}

/// Where a form is only tried out, takes a deed for done that was not: nothing comes of it. Gives what would be done.
fn tried_out(filling: &mut Filling<'_>, key: &str, tool: &Tool, args: &Json) -> String {
    if let Some(deed) = filling.journal.draft.deeds.get_mut(key) {
        deed.done = deed.done.saturating_add(1);
        deed.standing = Standing::Done;
    }
    filling.say("deed_tried_out", &[("what", tool.id.as_str()), ("value", &args.to_string())])
}

/// Whether a deed has failed and waits for the person to try again.
pub(crate) fn has_failed_deed(filling: &Filling<'_>) -> bool {
    filling.draft().deeds.values().any(|deed| deed.standing == Standing::Failed)
}

/// Notes that a deed was done: its outputs fill their fields. Gives what is said.
pub(crate) fn deed_done<'a>(filling: &mut Filling<'a>, key: &str, tool: &'a Tool, taken: Taken) -> Option<String> {
    let deed = filling.journal.draft.deeds.get_mut(key)?;
    deed.done = deed.done.saturating_add(1);
    deed.standing = Standing::Done;
    let args = deed.args.clone();
    let now = filling.world.now.timestamp();
    if let Some(state) = filling.journal.draft.tools.get_mut(&tool.id) {
        (state.result, state.outputs, state.at, state.failures) = (Some(taken.rows), taken.outputs, now, 0);
    }
    fetch::bring(filling, &tool.id);
    let outputs = filling.draft().tools.get(&tool.id).map(|state| state.outputs.clone()).unwrap_or_default();
    answer::answer_of(filling, tool, &args, &outputs)
}

/// Notes that a deed was not done: its step is open again, and answers that it refuses are asked again. Gives what is
/// said.
pub(crate) fn deed_failed(filling: &mut Filling<'_>, key: &str, tool: &Tool, error: &CallError) -> Vec<String> {
    let mut refused = false;
    if let Failing::Refused { fields } = &error.failing {
        for (name, words) in fields {
            refused |= refuse_again(filling, tool, name, words);
        }
    }
    let mut for_person = error.for_person.clone();
    // Words about the only thing that a tool was told are about that. Where nothing is looked over, the tool runs again
    // once it has another one.
    if !refused
        && !filling.form.confirm
        && page_of_deed(filling, key).is_none()
        && matches!(error.failing, Failing::Refused { .. })
        && let (Some(words), [(name, _)]) = (&for_person, tool.params.as_slice())
        && refuse_again(filling, tool, name, words)
    {
        (for_person, refused) = (None, true);
        filling.journal.draft.deeds.remove(key);
    }
    deed_stands_failed(filling, key, for_person, refused)
}

fn deed_stands_failed(filling: &mut Filling<'_>, key: &str, for_person: Option<String>, refused: bool) -> Vec<String> {
    if let Some(deed) = filling.journal.draft.deeds.get_mut(key) {
        deed.standing = Standing::Failed;
    }
    filling.journal.draft.confirmed = false;
    if let Some(page) = page_of_deed(filling, key) {
        filling.journal.draft.pages_done.remove(&page);
    }
    let mut said: Vec<String> = for_person.into_iter().collect();
    if said.is_empty() && !refused {
        said.push(filling.say("deed_failed", &[]));
        let human = filling.form.human.as_ref().map(|text| filling.text(text, &Path::default()));
        said.extend(human.map(|human| filling.say("human", &[("human", &human)])));
    }
    said
}

/// Owes a deed: what a program has chosen, or what the form says.
fn owe(filling: &mut Filling<'_>, key: String, chosen: Option<Submitting>) {
    let now = filling.world.now.timestamp();
    let before = filling.draft().deeds.get(&key).cloned();
    let same = |deed: &Deed| {
        let ours =
            |deed: &Deed| deed.chosen.as_ref().and_then(Submitting::tool) == chosen.as_ref().and_then(Submitting::tool);
        ours(deed) && deed_args(filling, &key, chosen.as_ref(), deed.at) == deed.args
    };
    if before.as_ref().is_some_and(|deed| deed.standing == Standing::Done && same(deed)) {
        return;
    }
    let deed = match before {
        // The same deed again goes under the same id, if its arguments are the same.
        Some(deed) if deed.standing != Standing::Done && same(&deed) => Deed { standing: Standing::Owed, ..deed },
        before => Deed {
            chosen,
            args: Json::Null,
            at: now,
            call: String::new(),
            done: before.map_or(0, |deed| deed.done),
            standing: Standing::Owed,
        },
    };
    filling.journal.draft.deeds.insert(key, deed);
}

/// Whether a step's tool has done something with other answers than there are now, or, where nothing that shows was
/// undone, at all.
pub(crate) fn has_done_otherwise(filling: &Filling<'_>, at_all: bool) -> bool {
    let otherwise = |(key, deed): (&String, &Deed)| {
        let done = deed.done > 0 && page_of_deed(filling, key).is_some();
        done && (at_all || deed.args != deed_args(filling, key, deed.chosen.as_ref(), deed.at))
    };
    filling.draft().deeds.iter().any(otherwise)
}

/// A step whose answers have changed since its deed was done is confirmed again.
fn ask_again_what_has_changed(filling: &mut Filling<'_>) {
    for page in filling.draft().pages_done.clone() {
        let Some((key, _)) = deed_of_page(filling, page) else { continue };
        let done = filling.draft().deeds.get(&key).filter(|deed| deed.standing == Standing::Done);
        if done.is_some_and(|deed| deed.args != deed_args(filling, &key, None, deed.at)) {
            filling.journal.draft.pages_done.remove(&page);
        }
    }
}

/// Arguments of a deed: a program's own, or the form's, where what has no answer is `null`. A hook without params is told
/// where the conversation stands.
fn deed_args(filling: &Filling<'_>, key: &str, chosen: Option<&Submitting>, at: Timestamp) -> Json {
    if let Some(Submitting::Run { args, .. }) = chosen {
        return args.clone();
    }
    let Some(tool) = form_tool(filling, key) else { return Json::Null };
    if let Some(sensitive) = filling.form.run_told
        && tool.params.is_empty()
        && filling.form.run.as_ref() == Some(&tool.id)
    {
        return told_at_the_end(filling, sensitive);
    }
    let now = at.to_zoned(filling.world.now.time_zone().clone());
    tool::args_or_null(tool, &Path::default(), filling.draft(), &now)
}

/// What the hook of `submit` is told: where the conversation stands when everything is confirmed. The same answers in the
/// same language are the same.
fn told_at_the_end(filling: &Filling<'_>, sensitive: bool) -> Json {
    let at = At {
        phase: "submit",
        part: None,
        form: filling.form.id.to_string(),
        state: format!("{:?}", State::Complete),
        message: String::new(),
        lang: filling.world.speaks.code.to_owned(),
        answers: hooks::answers(filling.form, filling.draft(), sensitive),
        given: None,
        say: None,
        missing: Vec::new(),
        invalid: Vec::new(),
        before: None,
    };
    serde_json::to_value(at).unwrap_or_default()
}

fn deed_id(filling: &Filling<'_>, key: &str, deed: &Deed, args: &Json) -> String {
    let chosen = deed.chosen.as_ref().and_then(Submitting::tool).map(ToolId::as_str).unwrap_or_default();
    let hash = chat::hex(&sha2::Sha256::digest(format!("{chosen}{args}").as_bytes()));
    let hash: String = hash.chars().take(8).collect();
    format!("{}.{key}.{}-{hash}", filling.draft().submission, deed.done.saturating_add(1))
}

fn deed_of_page<'a>(filling: &Filling<'a>, page: u16) -> Option<(String, &'a Tool)> {
    let form = filling.form;
    let of = form.pages.get(usize::from(page)).filter(|_| !filling.draft().pages_hidden.contains(&page))?;
    Some((page_key(&of.id), form.tools.get(of.submit.as_ref()?)?))
}

fn deed_tool<'a>(filling: &Filling<'a>, key: &str) -> Option<&'a Tool> {
    let form = filling.form;
    match filling.draft().deeds.get(key).and_then(|deed| deed.chosen.as_ref()) {
        Some(chosen) => form.tools.get(chosen.tool()?).filter(|tool| purpose::only_does(form, tool)),
        None => form_tool(filling, key),
    }
}

/// The tool that the form itself names for a deed.
fn form_tool<'a>(filling: &Filling<'a>, key: &str) -> Option<&'a Tool> {
    let form = filling.form;
    let tool = match page_of_deed(filling, key) {
        Some(page) => form.pages.get(usize::from(page))?.submit.as_ref()?,
        None => form.run.as_ref()?,
    };
    form.tools.get(tool)
}

fn page_of_deed(filling: &Filling<'_>, key: &str) -> Option<u16> {
    (0..).zip(&filling.form.pages).find(|(_, page)| page_key(&page.id) == key).map(|(no, _)| no)
}

/// Asks for an answer again that a deed refuses, by the field's name or the param's; tells whether there is one.
fn refuse_again(filling: &mut Filling<'_>, tool: &Tool, name: &str, words: &str) -> bool {
    let form = filling.form;
    let read = tool.params.iter().find(|(param, _)| param == name).and_then(|(_, expr)| expr.reads.first().copied());
    let named = name.parse::<Path>().ok().filter(|path| form.field_at(path).is_some());
    let path = read.and_then(|no| form.path_near(no, &Path::default())).or(named);
    let Some(path) = path.filter(|path| filling.draft().answers.contains_key(path)) else { return false };
    filling.store(&path, None);
    filling.refresh_todo(&path);
    let words: String = formwright_form::text::clean(words).chars().take(300).collect();
    let asked = filling.journal.draft.asked.entry(path).or_default();
    asked.failures = asked.earlier.saturating_add(1);
    asked.refusal = Some(Refusal::new(AUTHORS_WORDS).fact("text", words));
    true
}

/// Takes the outcome of a deed.
pub(crate) fn deed_outcome(saying: &mut Saying, filling: &mut Filling<'_>, key: &str, result: Result<Json, CallError>) {
    let Some(tool) = deed_tool(filling, key) else { return };
    let args = filling.draft().deeds.get(key).map(|deed| deed.args.clone()).unwrap_or_default();
    match result.and_then(|result| calls::take(filling, &tool.id, &args, &result)) {
        Ok(taken) => saying.notes.extend(deed_done(filling, key, tool, taken)),
        Err(error) => {
            if let Some(state) = filling.journal.draft.tools.get_mut(&tool.id) {
                state.failures += 1;
            }
            saying.notes.extend(deed_failed(filling, key, tool, &error));
        }
    }
}

fn page_key(page: &str) -> String {
    format!("page-{page}")
}

fn deeds_in_order(form: &Form) -> Vec<String> {
    form.pages.iter().map(|page| page_key(&page.id)).chain([RUN.to_owned()]).collect()
}
