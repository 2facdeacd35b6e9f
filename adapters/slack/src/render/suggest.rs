//! What a type-ahead menu offers.

use formwright_chat as chat;
use serde_json::{Value, json};

use super::blocks;
use crate::limits;

/// The options of a question that fit what was typed, as `block_suggestion` is answered: those that begin with it first.
pub(crate) fn suggestions(question: Option<&chat::Question>, query: &str) -> Value {
    let Some(chat::Input::Options { options, .. }) = question.map(|question| &question.input) else {
        return json!({"options": []});
    };
    let query = query.trim().to_lowercase();
    let rank = |option: &chat::Choice| {
        let label = option.label.to_lowercase();
        if label.starts_with(&query) {
            Some(0)
        } else if label.split(|c: char| !c.is_alphanumeric()).any(|word| word.starts_with(&query)) {
            Some(1)
        } else {
            let detail = option.detail.as_deref().unwrap_or_default().to_lowercase();
            (label.contains(&query) || detail.contains(&query)).then_some(2)
        }
    };
    let mut found: Vec<(u8, &chat::Choice)> =
        options.iter().filter_map(|option| Some((rank(option)?, option))).collect();
    found.sort_by_key(|(rank, _)| *rank);
    let options: Vec<Value> = found
        .into_iter()
        .take(limits::SELECT_OPTIONS)
        .map(|(_, option)| blocks::option(&option.token.to_string(), &option.label, option.detail.as_deref()))
        .collect();
    json!({"options": options})
}
