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
