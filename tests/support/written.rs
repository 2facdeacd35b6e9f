//! How a reply is written down in a transcript.

use std::fmt::Write as _;

use formwright_chat as chat;

pub(super) fn write_reply(reply: &chat::Reply, out: &mut String) {
    let private = if reply.private { "(private) " } else { "" };
    for (i, paragraph) in reply.say.iter().enumerate() {
        let _ = writeln!(out, "< {}{paragraph}", if i == 0 { private } else { "" });
    }
    if let Some(card) = &reply.card {
        let _ = writeln!(out, "  | {}", card.title);
        for row in &card.rows {
            let fixed = if row.edit.is_none() { " (fixed)" } else { "" };
            let _ = writeln!(out, "  | {}: {} [{:?}]{fixed}", row.label, row.value, row.source);
        }
    }
    if let Some(call) = &reply.tool_call {
        let _ = writeln!(out, "=> client runs {} {}", call.tool, call.args);
    }
    let mut widgets: Vec<String> = reply.questions.iter().map(widget).collect();
    widgets.extend(reply.buttons.iter().map(|button| format!("[{}]", button.label)));
    if !widgets.is_empty() {
        let _ = writeln!(out, "  {}", widgets.join(" "));
    }
}

fn widget(question: &chat::Question) -> String {
    let held = question.prefill.as_ref().map(|held| format!(" {held}")).unwrap_or_default();
    match &question.input {
        chat::Input::Options { options, multiple, .. } => {
            let labels: Vec<&str> = options.iter().map(|option| option.label.as_str()).collect();
            format!("{}<{}>", if *multiple { "any of " } else { "" }, labels.join("|"))
        }
        other => {
            let json = serde_json::to_value(other).unwrap();
            format!("{{{}{held}}}", json["type"].as_str().unwrap())
        }
    }
}
