//! What a FormPilot client is told. Pure.

use formwright_chat::{AnswerView, Reply, SessionView};
use serde_json::{Map, Value, json};

use crate::render;

/// What a form begins with: words alone. What is asked first comes with the next answer.
pub(super) fn greeting(replies: &[Reply]) -> Value {
    json!({ "action": "MESSAGE", "text": render::greeting(replies) })
}

/// The action that stands for the replies of a turn. A question's label is the question itself.
pub(super) fn action(replies: &[Reply], view: Option<&SessionView>) -> Value {
    if let Some(choice) = choice(replies, view) {
        return choice;
    }
    let mut action = json!(render::action(replies));
    let Some(map) = action.as_object_mut() else { return action };
    map.remove("call_id");
    let question = replies.last().and_then(|reply| reply.questions.first());
    if let (Some(label), Some(question)) = (map.get_mut("label"), question) {
        *label = question.ask.as_str().into();
    }
    if let Some(Value::Object(args)) = map.get_mut("tool_args") {
        for arg in args.values_mut() {
            if let Some(label) = label_of(arg, view) {
                *arg = label.into();
            }
        }
    }
    if let Some(Value::Object(data)) = map.get_mut("data") {
        // What was picked in fields that lie in others stays as it is sent.
        let known = view.into_iter().flat_map(|view| &view.answers).filter(|answer| !answer.value.is_null());
        for answer in known {
            if let Some(value) = data.get_mut(&answer.field) {
                *value = as_written(answer);
            }
        }
    }
    action
}

/// Two readings, or a yes and a no, as a list to pick from: buttons that stand alone, with nothing to look over.
fn choice(replies: &[Reply], view: Option<&SessionView>) -> Option<Value> {
    let view = view.filter(|view| view.under_way().is_some())?;
    let last = replies.last()?;
    let else_shown =
        !last.questions.is_empty() || last.card.is_some() || last.tool_call.is_some() || last.complete.is_some();
    if else_shown || last.buttons.len() < 2 {
        return None;
    }
    let options: Vec<&str> = last.buttons.iter().map(|button| button.label.as_str()).collect();
    let field = view.asked.as_deref().unwrap_or_default();
    let (label, message) = (last.say.last(), render::greeting(replies));
    Some(json!({
        "action": "ASK_DROPDOWN", "field_id": field, "label": label, "options": options, "message": message,
    }))
}

/// The label of the option that an argument of a tool stands for; none where it is no answer's, or two answers' of which
/// each has another.
fn label_of(arg: &Value, view: Option<&SessionView>) -> Option<String> {
    let answers = view.into_iter().flat_map(|view| &view.answers);
    let mut labels = answers.filter(|answer| answer.value == *arg).map(|answer| answer.picked.as_slice());
    let [label] = labels.next()? else { return None };
    labels.all(|other| other == std::slice::from_ref(label)).then(|| label.clone())
}

/// The answers so far, by field.
pub(super) fn answers(view: Option<&SessionView>) -> Map<String, Value> {
    let answers = view.into_iter().flat_map(|view| &view.answers);
    answers.map(|answer| (answer.field.clone(), as_written(answer))).collect()
}

/// An answer with options as their author wrote them.
fn as_written(answer: &AnswerView) -> Value {
    match (answer.picked.as_slice(), &answer.value) {
        ([], value) => value.clone(),
        (picked, Value::Array(_)) => json!(picked),
        ([one, ..], _) => one.as_str().into(),
    }
}

#[cfg(test)]
mod tests {
    use formwright_chat::{Button, ButtonRole, Card, Nonce, Token};

    use super::*;

    #[test]
    fn readings_are_a_list_and_a_review_is_none() {
        let button = |no: u16, label: &str| Button {
            token: Token::new(&Nonce::new(1), no),
            label: label.to_owned(),
            role: ButtonRole::Plain,
        };
        let buttons = vec![button(0, "First day: 1 May"), button(1, "Last day: 1 May")];
        let reply = Reply { say: vec!["Which did you mean?".to_owned()], buttons, ..Reply::default() };
        let view = |state: &str| SessionView {
            form: Some("leave".to_owned()),
            state: state.to_owned(),
            answers: Vec::new(),
            asked: None,
            parked: Vec::new(),
            last: Vec::new(),
            debug: Value::Null,
        };
        let asked = action(std::slice::from_ref(&reply), Some(&view("Incomplete")));
        let list = json!({
            "action": "ASK_DROPDOWN", "field_id": "", "label": "Which did you mean?",
            "options": ["First day: 1 May", "Last day: 1 May"], "message": "Which did you mean?",
        });
        assert_eq!(asked, list);
        assert_eq!(action(std::slice::from_ref(&reply), Some(&view("Closed")))["action"], "MESSAGE");
        let review = Reply { card: Some(Card { title: String::new(), rows: Vec::new() }), ..reply };
        assert_eq!(action(&[review], Some(&view("WaitConfirm")))["action"], "MESSAGE");
    }
}
