//! Windows that were sent: their fields become presses of the questions they were made of.

use chat::{FileRef, Input, Press, Pressed, Question, Reply, Wire};
use formwright_chat as chat;
use serde_json::Value;

use super::json::{file, mention, text, texts};
use super::press::option;
use crate::wire_op::Op;

/// What a field of a window holds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Filled {
    /// Words; empty where nothing was typed.
    Text(String),
    /// What was picked, people and channels as mentions with names.
    Values(Vec<String>),
    /// Files that were sent.
    Files(Vec<FileRef>),
}

/// The fields of a window by their ids, whatever they stand in: labels, or rows as older windows have them.
pub(crate) fn window(data: &Value) -> Vec<(Wire, Filled)> {
    let mut fields = Vec::new();
    collect(&data["components"], &data["resolved"], &mut fields);
    fields
}

fn collect(components: &Value, resolved: &Value, fields: &mut Vec<(Wire, Filled)>) {
    for component in components.as_array().into_iter().flatten() {
        collect(&component["components"], resolved, fields);
        if component["component"].is_object() {
            fields.extend(field(&component["component"], resolved));
        }
        fields.extend(field(component, resolved));
    }
}

fn field(component: &Value, resolved: &Value) -> Option<(Wire, Filled)> {
    let wire = component["custom_id"].as_str()?.parse().ok()?;
    let kind = component["type"].as_u64().unwrap_or_default();
    let filled = match kind {
        4 => Filled::Text(component["value"].as_str().unwrap_or_default().trim().to_owned()),
        19 => {
            let ids = texts(&component["values"]);
            Filled::Files(ids.iter().filter_map(|id| file(&resolved["attachments"][id])).collect())
        }
        // Radio buttons have one value, or none.
        21 => Filled::Values(text(&component["value"]).into_iter().collect()),
        _ => Filled::Values(texts(&component["values"]).into_iter().map(|id| mention(kind, id, resolved)).collect()),
    };
    Some((wire, filled))
}

/// The presses of a window's fields, in the order of the window. A field left empty says so, except where nothing picked
/// is an answer.
pub(crate) fn presses(fields: &[(Wire, Filled)], reply: &Reply) -> Vec<Press> {
    let press = |(wire, filled): &(Wire, Filled)| {
        let question = reply.question(&wire.token)?;
        let empty = is_empty(filled).then_some(Pressed::Empty);
        let value = pressed(question, filled).or(empty)?;
        Some(Press { token: question.token.clone(), value })
    };
    fields.iter().filter_map(press).collect()
}

fn is_empty(filled: &Filled) -> bool {
    match filled {
        Filled::Text(words) => words.is_empty(),
        Filled::Values(values) => values.is_empty(),
        Filled::Files(files) => files.is_empty(),
    }
}

fn pressed(question: &Question, filled: &Filled) -> Option<Pressed> {
    match filled {
        Filled::Text(words) => (!words.is_empty()).then(|| Pressed::Text { text: words.clone() }),
        Filled::Files(files) => (!files.is_empty()).then(|| Pressed::Files { files: files.clone() }),
        Filled::Values(values) => match &question.input {
            Input::Options { multiple, min, .. } => {
                let tokens = values.iter().filter_map(|value| option(value, &question.token)).collect::<Vec<_>>();
                let none_is_an_answer = *multiple && *min == 0;
                (!tokens.is_empty() || none_is_an_answer).then_some(Pressed::Options { tokens })
            }
            Input::Rating { .. } => {
                let wire: Wire = values.first()?.parse().ok()?;
                let Some(Op::Value(text)) = wire.op.as_deref().and_then(Op::read) else { return None };
                Some(Pressed::Text { text })
            }
            _ => values.first().map(|value| Pressed::Text { text: value.clone() }),
        },
    }
}
