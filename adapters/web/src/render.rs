//! `chat::Reply` to the action JSON of the API. Pure.

use formwright_chat::{Card, Input, Question, Rejected, Reply, SessionView, Standing};

use crate::actions::{Ask, AskOptions, ChatResponse, ClientAction, ConversationResponse, Rejection};

/// The body that answers a turn. A turn without replies shows again what was said last.
pub(crate) fn response(
    conversation_id: String,
    replies: Vec<Reply>,
    last: &[Reply],
    standing: Option<Standing>,
) -> ChatResponse {
    let shown = if replies.is_empty() { last } else { &replies };
    let action = action(shown);
    let progress = shown.iter().rev().find_map(|reply| reply.progress);
    let state = standing.as_ref().map(|standing| standing.state.clone());
    let Standing { form, answers, asked, .. } = standing.unwrap_or_default();
    let rejected = replies.iter().flat_map(|reply| &reply.rejected).map(rejection).collect();
    ChatResponse { action, conversation_id, answers, replies, progress, form, state, asked, rejected }
}

fn rejection(rejected: &Rejected) -> Rejection {
    match rejected {
        Rejected::Field { field, reason } => {
            Rejection { field: Some(field.clone()), tool: None, reason: reason.clone() }
        }
        Rejected::Result { tool } => Rejection {
            field: None,
            tool: Some(tool.clone()),
            reason:
                "No call of this conversation waits for this result. Send results once, with the call_id of the call."
                    .to_owned(),
        },
    }
}

/// The body that shows a session.
pub(crate) fn conversation(conversation_id: String, session: SessionView, notices: u64) -> ConversationResponse {
    ConversationResponse { action: action(&session.last), conversation_id, session, notices }
}

/// The one action that stands for the replies of a turn: what the last one asks, with the words of all.
pub(crate) fn action(replies: &[Reply]) -> ClientAction {
    let message = words(replies);
    let Some(last) = replies.last() else { return ClientAction::Message { text: message } };
    // What was submitted led to another form, or back to one: that is shown, and not that all is done.
    let goes_on = last.tool_call.is_some() || !last.questions.is_empty() || last.card.is_some();
    if let Some(data) = last.complete.as_ref().filter(|_| !goes_on) {
        return ClientAction::FormComplete { data: data.clone(), message };
    }
    if let Some(call) = &last.tool_call {
        return ClientAction::ToolCall {
            tool_name: call.tool.clone(),
            tool_args: call.args.clone(),
            call_id: call.call.clone(),
            message,
        };
    }
    match last.questions.first() {
        Some(question) if offers_nothing(question) => ClientAction::Message { text: message },
        Some(question) => ask(question, message),
        None => ClientAction::Message { text: message },
    }
}

/// The paragraphs of a turn, without the one that tells of a tool which the client is to run.
pub(crate) fn greeting(replies: &[Reply]) -> String {
    let said = replies.iter().flat_map(|reply| {
        let calls = usize::from(reply.tool_call.is_some());
        reply.say.iter().take(reply.say.len().saturating_sub(calls))
    });
    said.filter(|said| !said.is_empty()).cloned().collect::<Vec<_>>().join("\n\n")
}

fn ask(question: &Question, message: String) -> ClientAction {
    let Question { field, label, input, .. } = question;
    let (field_id, label) = (field.clone(), label.clone());
    match input {
        Input::Options { options, multiple, .. } => {
            if options.is_empty() {
                return ClientAction::AskText(Ask { field_id, label, message });
            }
            let options = options.iter().map(|option| option.label.clone()).collect();
            let ask = AskOptions { field_id, label, options, message };
            if *multiple { ClientAction::AskCheckbox(ask) } else { ClientAction::AskDropdown(ask) }
        }
        Input::Date { .. } => ClientAction::AskDate(Ask { field_id, label, message }),
        Input::DateTime { .. } => ClientAction::AskDatetime(Ask { field_id, label, message }),
        Input::Location => ClientAction::AskLocation(Ask { field_id, label, message }),
        Input::Text { .. }
        | Input::Number { .. }
        | Input::Rating { .. }
        | Input::Time { .. }
        | Input::DateRange { .. }
        | Input::Duration
        | Input::Phone { .. }
        | Input::Email
        | Input::Url
        | Input::Person
        | Input::Channel
        | Input::File { .. } => ClientAction::AskText(Ask { field_id, label, message }),
    }
}

/// Whether a question is about options, of which there are none now: its tool has failed. Only buttons help then.
fn offers_nothing(question: &Question) -> bool {
    matches!(&question.input, Input::Options { options, other: false, .. } if options.is_empty())
}

/// Everything a person must read, as plain text: paragraphs, what went wrong, questions, the review, the buttons' words.
fn words(replies: &[Reply]) -> String {
    let mut paragraphs: Vec<String> = Vec::new();
    for (no, reply) in replies.iter().enumerate() {
        paragraphs.extend(reply.say.iter().filter(|said| !said.is_empty()).cloned());
        for question in &reply.questions {
            for text in question.problem.iter().chain([&question.ask]) {
                add(&mut paragraphs, text);
            }
        }
        if let Some(card) = &reply.card {
            paragraphs.push(card_text(card));
        }
        if no + 1 == replies.len() && !reply.buttons.is_empty() && reply.questions.first().is_none_or(offers_nothing) {
            let labels: Vec<String> = reply.buttons.iter().map(|button| format!("[{}]", button.label)).collect();
            paragraphs.push(labels.join(" "));
        }
    }
    paragraphs.join("\n\n")
}

/// Adds a paragraph unless an earlier one says it already.
fn add(paragraphs: &mut Vec<String>, text: &str) {
    if !text.is_empty() && !paragraphs.iter().any(|said| said.contains(text)) {
        paragraphs.push(text.to_owned());
    }
}

fn card_text(card: &Card) -> String {
    let rows = card.rows.iter().map(|row| format!("{}: {}", row.label, row.value));
    let title = (!card.title.is_empty()).then(|| card.title.clone());
    title.into_iter().chain(rows).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests;
