//! What a tool that takes submissions is called with.

use serde_json::{Map, Value as Json};

use super::Tool;

/// Arguments of a tool for a finished form: each param is the answer of the field that it names, null where there is none. A
/// tool without params is given all answers.
pub fn args_of_answers(tool: &Tool, answers: &Json) -> Json {
    if tool.params.is_empty() {
        return answers.clone();
    }
    let answer = |path: &str| path.split('.').try_fold(answers, |at, id| at.get(id.trim())).cloned();
    let args = tool.params.iter().map(|(name, expr)| (name.clone(), answer(&expr.source).unwrap_or_default()));
    Json::Object(args.collect::<Map<_, _>>())
}

/// Whether an expression is the name of a field and nothing more: all that can be said of a finished form.
pub fn names_a_field(source: &str) -> bool {
    let plain = |id: &str| !id.is_empty() && id.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    source.split('.').all(|id| plain(id.trim()))
}
