//! What a model is told of the question that a message answers.

use formwright_chat as chat;

use crate::draft::filling::Filling;
use crate::model;
use formwright_form::{Path, Value};
use formwright_nlu::{Command, Pending, is_sensitive, name_of};

/// What was asked last, confirmations and choices among readings too.
pub(crate) fn asked_last(filling: &Filling<'_>) -> String {
    let name = |path: &Path| filling.form.field_at(path).and_then(|field| name_of(filling.form, field.no));
    let asked = match &filling.draft().pending {
        Pending::Field { path, .. } => name(path),
        Pending::MoreItems { list } => Some(format!("whether there is more for {list}")),
        Pending::Review | Pending::PageReview { .. } => Some("whether everything is right".to_owned()),
        Pending::WhatToChange => Some("what to change".to_owned()),
        Pending::Sure { then, .. } => Some(format!("whether to {}", deed(filling, then))),
        Pending::Which { readings, .. } => {
            let readings: Vec<String> = readings.iter().map(|(label, _)| model::words::value(label)).collect();
            Some(format!("which was meant: {}", readings.join("; ")))
        }
        Pending::Nothing | Pending::Tool { .. } => None,
    };
    asked.unwrap_or_else(|| "nothing".to_owned())
}

/// The bot's own last line, as far as it is told.
pub(crate) fn last_line(replies: &[chat::Reply]) -> Option<String> {
    let line = replies.iter().rev().find_map(|reply| reply.say.last())?;
    Some(model::words::value(line)).filter(|line| !line.is_empty())
}

fn deed(filling: &Filling<'_>, command: &Command) -> String {
    let shown = |path: &Path, value: &Value| match filling.form.field_at(path) {
        Some(field) if is_sensitive(filling.form, field) => "that".to_owned(),
        _ => model::words::value(&filling.show(path, value)),
    };
    let name = |path: &Path| {
        let field = filling.form.field_at(path).and_then(|field| name_of(filling.form, field.no));
        field.unwrap_or_else(|| path.to_string())
    };
    match command {
        Command::Fill { path, value, .. } => format!("take {} for {}", shown(path, value), name(path)),
        Command::Together { fills } => fills.iter().map(|fill| deed(filling, fill)).collect::<Vec<_>>().join(", "),
        Command::Clear { path } => format!("take {} out", name(path)),
        Command::Cancel => "cancel the form".to_owned(),
        _ => "do that".to_owned(),
    }
}
