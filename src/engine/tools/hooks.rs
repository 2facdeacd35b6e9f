//! Phases that a form's tool or a program has taken into its own hands: what they are told, and what comes of it.

use std::collections::BTreeMap;

use formwright_chat as chat;
use serde_json::Value as Json;

use crate::ask::review;
use crate::command::{change, link};
use crate::draft::filling::Filling;
use crate::draft::{fresh, order};
use crate::effect::{Effect, Purpose, ToolCall};
use crate::engine::Engine;
use crate::model::{self, mask};
use crate::phase::{self, Answer, At, Before, Missing, Values, Wrong};
use crate::prompt::refusal;
use crate::session::screen::Addr;
use crate::session::{Draft, State};
use crate::sheet;
use crate::talk::Talk;
use formwright_form::kind::Said;
use formwright_form::{Form, Hook, Part, Path, Phase};
use formwright_nlu::{Command, Pending, Understood, is_sensitive};

/// Most bytes of an answer: a conversation has to keep what is said in it.
const MOST_TOLD: usize = 64 * 1024;

/// Whether the message leaves the form, where that is not the engine's to decide.
pub(crate) fn stop_by_hook(talk: &mut Talk<'_>, filling: &Filling<'_>) -> Option<bool> {
    let answer = hook(talk, filling, Phase::Stop, |_| {})?;
    talk.saying.notes.extend(answer.say.into_iter().flat_map(phase::Says::paragraphs));
    answer.stop
}

/// Whether the message at a review confirms the answers, where that is not the engine's to decide.
pub(crate) fn confirmed_by_hook(talk: &mut Talk<'_>, filling: &Filling<'_>) -> Option<bool> {
    if !matches!(filling.draft().pending, Pending::Review | Pending::PageReview { .. }) {
        return None;
    }
    hook(talk, filling, Phase::Confirm, |_| {})?.confirmed
}

/// What was understood with the values that a hook finds in the message in place of the engine's.
pub(crate) fn extracted(
    talk: &mut Talk<'_>,
    filling: &mut Filling<'_>,
    understood: Understood,
    said: &Said,
) -> Understood {
    let Some(values) = hook(talk, filling, Phase::Extract, |_| {}).and_then(|answer| answer.values) else {
        return understood;
    };
    // What is found is found: there is nothing left for a model.
    talk.model = model::Asking::Never;
    let fills = commands_of(talk, filling, values, |_| Some(said.raw.clone()));
    let mut commands = understood.commands;
    commands.retain(|command| fills.is_empty() && !matches!(command, Command::Fill { .. }));
    commands.extend(fills);
    Understood { commands, ..Understood::default() }
}

/// Commands with their values put right before they are checked.
pub(crate) fn sanitized(talk: &mut Talk<'_>, filling: &mut Filling<'_>, commands: Vec<Command>) -> Vec<Command> {
    if !has_hook(talk.engine, filling.form, Phase::Sanitize) {
        return commands;
    }
    let mut quotes = BTreeMap::new();
    let mut given = Values::new();
    for command in &commands {
        if let Command::Fill { path, value, quote } = command
            && let Some(field) = filling.form.field_at(path)
        {
            given.insert(path.to_string(), field.kind.behaviour().json(value));
            quotes.insert(path.to_string(), quote.clone());
        }
    }
    if given.is_empty() {
        return commands;
    }
    let all = talk.engine.phases.contains_key(&filling.form.id)
        || hook_of(filling.form, Phase::Sanitize).is_some_and(|hook| hook.sensitive);
    given.retain(|name, _| all || !is_kept_from_others(filling, name));
    let told = given.clone();
    let answer = hook(talk, filling, Phase::Sanitize, |at| at.given = Some(told.clone()));
    let Some(mut values) = answer.and_then(|answer| answer.values) else { return commands };
    // What is left out stays as it is.
    for (name, json) in &given {
        values.entry(name.clone()).or_insert_with(|| json.clone());
    }
    if values == given {
        return commands;
    }
    // Who names a field that is not there has not put anything right.
    if values.keys().any(|name| field_of(&mut talk.effects, filling, Phase::Sanitize, name).is_none()) {
        return commands;
    }
    // A value that is taken out was never said.
    values.retain(|name, value| !value.is_null() || !given.contains_key(name));
    let any = quotes.values().next().cloned().flatten();
    let fills = commands_of(talk, filling, values, |name| quotes.get(name).cloned().unwrap_or_else(|| any.clone()));
    let untold = |command: &Command| match command {
        Command::Fill { path, .. } => {
            !given.contains_key(&path.to_string()) && !fills.iter().any(|fill| fill.filled() == Some(path))
        }
        _ => true,
    };
    let others = commands.into_iter().filter(untold).collect::<Vec<_>>();
    others.into_iter().chain(fills).collect()
}

/// What is said in place of a reply's own paragraphs, what is asked last.
pub(crate) fn reword(talk: &mut Talk<'_>, reply: &mut chat::Reply) {
    let just_now = |closed: &&Draft| talk.was.as_ref().is_some_and(|(submission, _)| *submission == closed.submission);
    let closed = talk.session.closed.as_ref().filter(just_now);
    let Some(draft) = talk.session.draft.as_ref().or(closed).cloned() else { return };
    let Some(form) = talk.engine.form_of(&draft) else { return };
    let part = match draft.state {
        State::Closed | State::Complete => Part::Closed,
        State::WaitConfirm | State::InReview => Part::Confirm,
        State::Incomplete if talk.saying.needs.is_some() => Part::Start,
        State::Incomplete => Part::Incomplete,
    };
    let phase = Phase::Message(Some(part));
    if !has_hook(talk.engine, &form, phase) {
        return;
    }
    let world = talk.world.speaking(&form);
    let filling = Filling::new(&form, &world, draft);
    if reply.say.is_empty() && reply.questions.is_empty() {
        return;
    }
    let asks = reply.questions.first().map(|question| question.ask.clone()).filter(|ask| !ask.is_empty());
    let mut say = reply.say.clone();
    say.extend(asks.clone().filter(|ask| !say.contains(ask)));
    let answer = hook(talk, &filling, phase, |at| at.say = Some(say.clone()));
    let Some(say) = answer.and_then(|answer| answer.say) else { return };
    let mut say = say.paragraphs();
    say.retain(|paragraph| !paragraph.trim().is_empty());
    // Nobody is left without an answer or a question.
    let Some(last) = say.last() else { return };
    if let Some(question) = reply.questions.first_mut().filter(|_| asks.is_some()) {
        question.ask.clone_from(last);
    }
    reply.say = say;
}

/// Values as commands. What is no value of its field is refused with the reason.
fn commands_of(
    talk: &mut Talk<'_>,
    filling: &mut Filling<'_>,
    values: Values,
    quote: impl Fn(&str) -> Option<String>,
) -> Vec<Command> {
    let mut commands = Vec::new();
    for (name, json) in values {
        let Some(path) = field_of(&mut talk.effects, filling, Phase::Extract, &name) else { continue };
        if json.is_null() {
            commands.push(Command::Clear { path });
            continue;
        }
        match link::read_value(filling, &path, &json) {
            Ok(value) => commands.push(Command::Fill { path, value, quote: quote(&name) }),
            Err(refusal) => {
                let _ = change::refuse(talk, filling, &path, refusal);
            }
        }
    }
    commands
}

/// The path of a field that a hook names.
pub(crate) fn field_of(effects: &mut Vec<Effect>, filling: &Filling<'_>, phase: Phase, name: &str) -> Option<Path> {
    let path = name.parse::<Path>().ok().filter(|_| is_field(filling.form, name));
    if path.is_none() {
        let why =
            format!("{}: what takes the place of `{}` names a field that is not there", filling.form.id, phase.name());
        effects.push(Effect::Fault(why));
    }
    path
}

pub(crate) fn has_hook(engine: &Engine, form: &Form, phase: Phase) -> bool {
    engine.phases.contains_key(&form.id) || hook_of(form, phase).is_some()
}

/// What stands in the place of a phase gives: the program first, then the form's tool; none where neither does, or it
/// is not known yet.
pub(crate) fn hook(talk: &mut Talk<'_>, filling: &Filling<'_>, phase: Phase, more: impl Fn(&mut At)) -> Option<Answer> {
    if let Some(phases) = talk.engine.phases.get(&filling.form.id) {
        let mut at = at(talk, filling, phase, true);
        more(&mut at);
        if let Some(answer) = phase::by_program(&**phases, phase, &at) {
            return Some(answer);
        }
    }
    let hook = hook_of(filling.form, phase)?;
    let args = match filling.form.tools.get(&hook.tool)? {
        tool if tool.params.is_empty() => {
            let mut at = at(talk, filling, phase, hook.sensitive);
            more(&mut at);
            serde_json::to_value(at).ok()?
        }
        // Its own params; while one of them is not known, the engine goes its own way.
        tool => formwright_form::tool::args(tool, &Path::default(), filling.draft(), &talk.world.now)?,
    };
    let call = format!("{}-{}", talk.world.nonce.as_str(), phase.name());
    let call = ToolCall::of(filling.form, &hook.tool, call, args).to(Purpose::Decide);
    let answer = match talk.lookups.ask(call)? {
        Ok(json) if json.to_string().len() > MOST_TOLD => Err(format!("it has more than {MOST_TOLD} bytes")),
        Ok(json) => Answer::read(json),
        Err(_) => {
            forbid(talk, hook, phase);
            return None;
        }
    };
    // Where nothing may be passed over, who names a field that is not there has said nothing.
    let strange = |answer: &Answer| {
        let mut names = answer.names();
        names.find(|name| !is_field(filling.form, name)).map(|name| format!("there is no field `{name}`"))
    };
    let answer = answer.and_then(|answer| match strange(&answer).filter(|_| hook.closed) {
        Some(why) => Err(why),
        None => Ok(answer),
    });
    match answer {
        Ok(answer) => Some(answer),
        Err(why) => {
            forbid(talk, hook, phase);
            let why = format!(
                "{}: tool `{}` gives what is no answer of `{}`: {why}",
                filling.form.id,
                hook.tool,
                phase.name()
            );
            talk.effects.push(Effect::Fault(why));
            None
        }
    }
}

/// Takes nothing of the step where a hook fails that may not be passed over. Whoever wants to leave can, whatever has
/// failed.
fn forbid(talk: &mut Talk<'_>, hook: &Hook, phase: Phase) {
    if hook.closed && phase != Phase::Stop {
        let name = if phase == Phase::Validate { "not_checked" } else { "tool_failed" };
        talk.lookups.forbidden.get_or_insert(name);
    }
}

/// The message as others may read it. What is refused as a secret nobody is told.
fn message_for(talk: &Talk<'_>, filling: &Filling<'_>, sensitive: bool) -> String {
    match (talk.answers_a_secret, sensitive) {
        (true, true) => talk.words.clone(),
        (true, false) => String::new(),
        (false, true) => sheet::repeatable(&talk.words),
        (false, false) => mask::without_secrets(filling, &Said::new(&talk.words)),
    }
}

/// Where the conversation stands.
pub(crate) fn at(talk: &Talk<'_>, filling: &Filling<'_>, phase: Phase, sensitive: bool) -> At {
    let draft = filling.draft();
    let needed = |path: &Path| filling.form.field_at(path).is_some_and(|field| filling.needs(field, path));
    let missing = filling.open_fields().filter(needed);
    let missing = missing.map(|path| Missing { field: path.to_string(), label: filling.label(&path) });
    let invalid = draft.asked.iter().filter_map(|(path, asked)| {
        let text = refusal::refusal(filling, path, asked.refusal.as_ref()?);
        Some(Wrong { field: path.to_string(), text })
    });
    let before = talk.session.closed.as_ref().filter(|closed| !closed.cancelled && closed.revision > 0);
    let before = before.and_then(|closed| {
        let form = talk.engine.form_of(closed)?;
        Some(Before { form: form.id.to_string(), answers: answers(&form, closed, false) })
    });
    At {
        phase: phase.name(),
        part: match phase {
            Phase::Message(part) => part.map(Part::name),
            _ => None,
        },
        form: filling.form.id.to_string(),
        state: format!("{:?}", draft.state),
        message: message_for(talk, filling, sensitive),
        lang: filling.world.speaks.code.to_owned(),
        answers: answers(filling.form, draft, sensitive),
        given: None,
        say: None,
        missing: missing.collect(),
        invalid: invalid.collect(),
        before,
    }
}

/// The question to ask first: a hook's, else the first in the order of asking.
pub(crate) fn first_open(filling: &Filling<'_>) -> Option<Addr> {
    let todo = &filling.draft().todo;
    let asked = filling.draft().hooked.as_ref().and_then(|hooked| order::addr(filling.form, hooked.ask.as_ref()?));
    let asked = asked.filter(|addr| todo.contains(addr));
    asked.or_else(|| todo.first().filter(|addr| !addr.is_later()).cloned())
}

/// Whether the person looks over the answers before they are sent. What a link alone has filled is always looked over.
pub(crate) fn is_confirmed(filling: &Filling<'_>) -> bool {
    let by_link = filling.form.fields.iter().any(|field| field.from_link) && !fresh::is_begun(filling.draft());
    by_link || filling.draft().hooked.as_ref().and_then(|hooked| hooked.confirm).unwrap_or(filling.form.confirm)
}

fn hook_of(form: &Form, phase: Phase) -> Option<&Hook> {
    let any = matches!(phase, Phase::Message(_)).then_some(Phase::Message(None));
    form.hooks.get(&phase).or_else(|| form.hooks.get(&any?))
}

fn is_field(form: &Form, name: &str) -> bool {
    name.parse::<Path>().is_ok_and(|path| form.field_at(&path).is_some())
}

/// Whether an answer is none of others' business. `name` is the path of its field.
fn is_kept_from_others(filling: &Filling<'_>, name: &str) -> bool {
    let field = name.parse::<Path>().ok().and_then(|path| filling.form.field_at(&path));
    field.is_none_or(|field| is_sensitive(filling.form, field))
}

/// Answers as a submission has them.
pub(crate) fn answers(form: &Form, draft: &Draft, sensitive: bool) -> Json {
    if sensitive {
        return review::answers_json(form, draft);
    }
    let mut open = draft.clone();
    open.answers.retain(|path, _| form.field_at(path).is_some_and(|field| !is_sensitive(form, field)));
    review::answers_json(form, &open)
}

#[cfg(test)]
mod tests {
    use formwright_chat as chat;
    use rstest::rstest;
    use serde_json::{Value as Json, json};

    use crate::effect::Effect;
    use crate::engine;
    use crate::input::{Happening, Input, Outcome};
    use crate::session::Session;
    use formwright_form::Catalog;
    use formwright_load::{Syntax, load};

    fn told(form: &str, messages: &[&str]) -> String {
        told_where(form, messages, &json!({}))
    }

    /// All that hooks are told while a person says something and each hook gives this.
    fn told_where(form: &str, messages: &[&str], gives: &Json) -> String {
        let mut catalog = Catalog::default();
        let loaded = load(form, Syntax::Toml);
        catalog.insert(loaded.form.unwrap_or_else(|| panic!("{:#?}", loaded.problems)));
        let engine = engine::Engine::new(catalog);
        let place = chat::Place {
            platform: chat::Platform::new("terminal"),
            workspace: String::new(),
            channel: "1".to_owned(),
            thread: None,
        };
        let ada = chat::User { id: chat::UserId::new("ada"), name: None, locale: Some("en".to_owned()), zone: None };
        let now: jiff::Timestamp = "2026-11-20T09:00:00Z".parse().unwrap();
        let mut session = Session::new(place.clone(), ada.id.clone());
        let mut told = String::new();
        let open = chat::Action::Open { form: Some("door".to_owned()) };
        let said = messages.iter().map(|text| chat::Action::Say { text: (*text).to_owned() });
        for (no, action) in (1_u32..).zip(std::iter::once(open).chain(said)) {
            let event = chat::Event {
                id: chat::EventId::new(no.to_string()),
                place: place.clone(),
                user: ada.clone(),
                at: now,
                action,
                terms: chat::Terms::default(),
            };
            let nonce = chat::Nonce::new(no.into());
            let mut input = Some(Input { now, nonce, event: Happening::Event(Box::new(event)) });
            while let Some(next) = input.take() {
                let step = engine.step(session, next);
                session = step.session;
                for effect in step.effects {
                    if let Effect::LookUp(lookup) = effect {
                        told.push_str(&format!("{} {}\n", lookup.call.tool, lookup.call.args));
                        let call = lookup.call.call.clone();
                        input = Some(lookup.answered(Outcome { call, result: Ok(gives.clone()) }));
                    }
                }
            }
        }
        told
    }

    const FORM: &str = r#"
        id = "door"
        title = "Door"

        [[field]]
        id = "name"
        kind = "text"
        label = "Name"
        ask = "Your name?"

        [[field]]
        id = "word"
        kind = "text"
        label = "Password"
        ask = "The word?"
        sensitive = true

        [[tool]]
        id = "ask"
        kind = "function"
    "#;

    fn form(sensitive: bool) -> String {
        let phases = ["stop", "extract", "sanitize", "validate", "next", "confirm", "message"];
        let hook = |phase| format!("[[hook]]\nphase = \"{phase}\"\ntool = \"ask\"\nsensitive = {sensitive}\n");
        format!("{FORM}\n{}", phases.map(hook).concat())
    }

    #[test]
    fn a_hook_is_told_what_is_needed_and_missing() {
        let optional = FORM.replace("sensitive = true", "required = false");
        let hook = "[[hook]]\nphase = \"next\"\ntool = \"ask\"\n";
        let told = told(&format!("{optional}\n{hook}"), &["Bob"]);
        let missing: Vec<_> = told.lines().filter_map(|line| line.split("\"missing\":").nth(1)).collect();
        assert!(missing[0].starts_with(r#"[{"field":"name","label":"Name"}]"#), "{told}");
        assert!(missing[1].starts_with("[]"), "what may be left out is not missing: {told}");
    }

    #[rstest]
    #[case::answered(&["Bob", "sesame"])]
    #[case::said_by_name(&["Bob", "sesame", "change the password to sesame"])]
    fn a_hook_is_told_what_is_sensitive_only_where_the_form_says_so(#[case] messages: &[&str]) {
        let open = told(&form(false), messages);
        assert!(open.contains("Bob") && !open.contains("sesame"), "{open}");
        assert!(told(&form(true), messages).contains("sesame"));
    }

    #[rstest]
    #[case::nothing(json!({ "values": {} }), "Bob")]
    #[case::another(json!({ "values": { "name": "Bobby" } }), "Bobby")]
    #[case::taken_out(json!({ "values": { "name": null } }), "")]
    fn what_a_hook_leaves_out_stays_and_null_takes_it_out(#[case] gives: Json, #[case] kept: &str) {
        let form = format!("{FORM}\n[[hook]]\nphase = \"sanitize\"\ntool = \"ask\"\n").replace("sensitive = true", "");
        let told = told_where(&form, &["Bob", "well"], &gives);
        let last = told.lines().last().and_then(|line| line.strip_prefix("ask ")).unwrap();
        let last: Json = serde_json::from_str(last).unwrap();
        assert_eq!(last["answers"]["name"].as_str().unwrap_or_default(), kept, "{told}");
    }

    #[test]
    fn no_hook_is_told_what_is_refused_as_a_secret() {
        let all = told(&form(true), &["my card is 4111 1111 1111 1111"]);
        assert!(all.contains("my card is") && !all.contains("4111"), "{all}");
    }
}
