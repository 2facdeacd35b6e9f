//! What the person is asked before it is done: what only a model says of a message, all its values in one question, of which
//! each is settled by itself.

use formwright_chat::ButtonRole::{Danger, Plain, Primary};

use crate::ask::drawing::Drawing;
use crate::ask::verify::{VERIFY, VERIFY_ALL, VERIFY_FOUND};
use crate::draft::filling::Filling;
use crate::draft::order;
use crate::talk::Talk;
use formwright_form::{Path, Value};
use formwright_nlu::{Command, Pending, UNASKED_CHANGE};

/// Asks whether what only the model says is to be done: all values in one question, what else there is after it.
pub(crate) fn ask_about(talk: &Talk<'_>, filling: &mut Filling<'_>, doubtful: Vec<Command>) {
    let after = waits(filling, &doubtful);
    let (mut fills, others): (Vec<_>, Vec<_>) = doubtful.into_iter().partition(|doubt| doubt.filled().is_some());
    // What became known in the meantime is not asked.
    let known = |doubt: &Command| match doubt {
        Command::Fill { path, value, .. } => {
            filling.draft().answers.get(path).is_some_and(|answer| answer.value == *value)
        }
        _ => false,
    };
    fills.retain(|doubt| !known(doubt));
    let values = if fills.len() > 1 { vec![Command::Together { fills }] } else { fills };
    let questions: Vec<_> = values.into_iter().chain(others).map(|doubt| asks_about(talk, filling, doubt)).collect();
    let mut questions = questions.into_iter();
    if !after && let Some(first) = questions.next() {
        filling.journal.draft.pending = first;
    }
    // Out of the form, or into another, is not asked later: the person would have forgotten why.
    let keeps = |question: &Pending| matches!(question, Pending::Sure { then, .. } if **then != Command::Cancel);
    filling.journal.draft.waiting.splice(0..0, questions.filter(keeps));
}

/// The question whether something that only the model says is to be done.
fn asks_about(talk: &Talk<'_>, filling: &Filling<'_>, command: Command) -> Pending {
    let question = match &command {
        Command::Start { form } => {
            let title = talk.engine.catalog().form(form).map(|form| talk.title(form)).unwrap_or_default();
            let stay = filling.say("button_go_on", &[]);
            let readings = vec![(title, command), (stay, Command::Repeat)];
            return Pending::Which { readings, again: false };
        }
        Command::Fill { path, .. } if filling.draft().answers.contains_key(path) && !order::is_asked(filling, path) => {
            UNASKED_CHANGE
        }
        Command::Together { .. } => VERIFY_ALL,
        Command::Clear { .. } => "sure_clear",
        Command::Cancel => "sure_cancel",
        _ => VERIFY,
    };
    Pending::Sure { then: Box::new(command), question: question.to_owned() }
}

/// The button that takes one of several values that were read back: "Only Day: 3 May".
pub(crate) fn only(filling: &Filling<'_>, fill: &Command) -> String {
    let Command::Fill { path, value, .. } = fill else { return String::new() };
    filling.say("button_only", &[("label", &filling.label(path)), ("value", &filling.show(path, value))])
}

/// The label of a field, a value for it, and the answer that it has, as they are shown.
fn change_to(filling: &Filling<'_>, path: &Path, value: &Value) -> (String, String, Option<String>) {
    let old = filling.draft().answers.get(path).map(|answer| filling.show(path, &answer.value));
    (filling.label(path), filling.show(path, value), old)
}

/// Draws the question whether something is to be done.
pub(crate) fn ask_sure(filling: &mut Filling<'_>, drawing: &mut Drawing, then: &Command, question: &str) {
    let text = match then {
        Command::Together { fills } => {
            let value = |fill: &Command| match fill {
                Command::Fill { path, value, .. } => {
                    let (label, value, old) = change_to(filling, path, value);
                    let name = if old.is_some() { "noted_change" } else { "noted_value" };
                    filling.say(name, &[("label", &label), ("value", &value), ("old", &old.unwrap_or_default())])
                }
                _ => String::new(),
            };
            let values: Vec<String> = fills.iter().map(value).collect();
            filling.say_next(question, &[("values", &values.join(" "))])
        }
        Command::Fill { path, value, .. } => {
            let (label, value, old) = change_to(filling, path, value);
            filling.say_next(question, &[("label", &label), ("value", &value), ("old", &old.unwrap_or_default())])
        }
        Command::Clear { path } => filling.say_next(question, &[("label", &filling.label(path))]),
        _ => {
            let count = filling.draft().answers.len();
            let title = filling.form.title.pick(&filling.world.tags_of(filling.form)).to_owned();
            let name = match count {
                _ if filling.form.stays && matches!(then, Command::Cancel) => "sheet_sure_cancel",
                0 if matches!(then, Command::Cancel) => "sure_cancel_none",
                1 if matches!(then, Command::Cancel) => "sure_cancel_one",
                _ => question,
            };
            filling.say_next(name, &[("title", &title), ("count", &count.to_string())])
        }
    };
    drawing.reply.say.push(text);
    if matches!(question, VERIFY | VERIFY_FOUND | VERIFY_ALL) {
        for path in then.fills().iter().filter_map(Command::filled) {
            let why = filling.form.field_at(path).and_then(|field| field.verify.as_ref()?.why.as_ref());
            drawing.reply.say.extend(why.map(|why| filling.text(why, path)));
        }
    }
    let role = if matches!(then, Command::Cancel | Command::Restart) { Danger } else { Primary };
    drawing.button(filling.say("button_yes", &[]), role, Command::Confirm);
    if let Command::Together { fills } = then {
        for fill in fills {
            let label = only(filling, fill);
            drawing.button(label, Plain, Command::Together { fills: vec![fill.clone()] });
        }
    }
    drawing.button(filling.say("button_no", &[]), Plain, Command::Deny);
}

/// Whether a value for a field is one of several that are read back in one question.
pub(crate) fn is_read_back_with_others(filling: &Filling<'_>, path: &Path) -> bool {
    let Pending::Sure { then, .. } = &filling.draft().pending else { return false };
    matches!(then.as_ref(), Command::Together { fills } if fills.iter().any(|fill| fill.filled() == Some(path)))
}

/// Whether what is asked comes before what only the model says; not where the person wants out of it all.
pub(crate) fn waits(filling: &Filling<'_>, doubtful: &[Command]) -> bool {
    let cancels = doubtful.contains(&Command::Cancel);
    match &filling.draft().pending {
        Pending::Sure { then, .. } => !cancels || **then == Command::Cancel,
        Pending::Which { .. } => !cancels,
        _ => false,
    }
}
