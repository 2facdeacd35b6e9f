//! What a turn came to, as a form-filler client takes it: nine variables. Pure.

use formwright_chat::{Filled, Reply, SheetView, Source};
use serde_json::{Map, Value, json};

use super::wire::{self, FillRequest};
use crate::limits;

/// Keys of `filled_fields` that tell where a value came from.
const PROVENANCE: [&str; 4] = ["confidence", "source", "at", "quote"];
/// Where a value may have come from.
const SOURCES: [&str; 5] = ["user", "ai", "default", "server", "computed"];
/// How a summary in the history begins.
const SUMMARY: &str = "So far: ";

/// The nine variables after a turn. `repeatable` gives words without secrets.
pub(super) fn answer(
    request: &FillRequest,
    thread: String,
    replies: &[Reply],
    view: Option<&SheetView>,
    repeatable: &dyn Fn(&str) -> String,
) -> Value {
    let words = words(replies);
    let nothing = SheetView::default();
    let seen = view.unwrap_or(&nothing);
    let status = match view {
        Some(view) if view.done => "completed",
        // Nothing is missing or asked: only the last message was not understood.
        Some(view) if view.missing.is_empty() && !view.waits => "in_progress",
        Some(_) => "awaiting_info",
        None if replies.iter().any(|reply| !reply.questions.is_empty()) => "awaiting_info",
        None => "in_progress",
    };
    json!({
        "user_message": said(request, &request.message, repeatable),
        "form_fields": fields(request, seen, repeatable),
        "filled_fields": filled_fields(request, seen, repeatable),
        "missing_fields": seen.missing.iter().map(|missing| match &missing.reason {
            None => wire::id_as_sent(request, &missing.id),
            Some(reason) => json!({ "data_id": wire::id_as_sent(request, &missing.id), "reason": reason }),
        }).collect::<Vec<_>>(),
        "current_field": current(request, seen, repeatable),
        "conversation_history": history(request, seen, &words, repeatable),
        "status": status,
        "response_message": words,
        "thread_id": thread,
    })
}

/// The fields as they came, with the values that they have now, and none that were refused for what they are.
fn fields(request: &FillRequest, view: &SheetView, repeatable: &dyn Fn(&str) -> String) -> Vec<Value> {
    let field = |sent: &Map<String, Value>| {
        let mut field = sent.clone();
        let key = wire::VALUE.into_iter().find(|key| sent.contains_key(*key)).unwrap_or(wire::VALUE[0]);
        if let Some(filled) = wire::id_of(sent).and_then(|id| view.filled.iter().find(|filled| filled.id == id)) {
            field.insert(key.to_owned(), value_of(request, filled));
        } else if sent.contains_key(key) && request.is_password(sent)
            || sent.get(key).is_some_and(|value| !is_clean(value, repeatable))
        {
            field.insert(key.to_owned(), Value::Null);
        }
        Value::Object(field)
    };
    request.fields.iter().map(field).collect()
}

/// Everything that is known and that the request's fields do not hold: each field once.
fn filled_fields(request: &FillRequest, view: &SheetView, repeatable: &dyn Fn(&str) -> String) -> Vec<Value> {
    let news = view.filled.iter().filter(|filled| !is_held(request, filled));
    news.map(|filled| {
        let mut object = json!({
            "data_id": wire::id_as_sent(request, &filled.id),
            "fieldValue": value_of(request, filled),
            "confidence": confidence(filled),
            "source": source(filled),
            "at": filled.at.to_string(),
        });
        if let Some(quote) = &filled.quote {
            object["quote"] = repeatable(quote).into();
        }
        // What a client without a thread sends back keeps where it came from.
        if filled.source == Source::Pressed
            && let Some(before) = sent_back(request, filled)
        {
            for key in PROVENANCE {
                if let Some(told) = before.get(key).and_then(|told| provenance(key, told, repeatable)) {
                    object[key] = told;
                }
            }
        }
        object
    })
    .collect()
}

fn sent_back<'r>(request: &'r FillRequest, filled: &Filled) -> Option<&'r Map<String, Value>> {
    let same = |sent: &&Map<String, Value>| {
        wire::id_of(sent).as_deref() == Some(&filled.id)
            && wire::find(sent, &wire::VALUE).is_some_and(|value| same(value, &filled.value))
    };
    request.filled.iter().rev().find(same)
}

/// What a client says of a value that we told it of, where it can be so.
fn provenance(key: &str, told: &Value, repeatable: &dyn Fn(&str) -> String) -> Option<Value> {
    match (key, told) {
        ("confidence", Value::Number(number)) => {
            number.as_f64().filter(|number| (0.0..=1.0).contains(number)).map(|_| told.clone())
        }
        ("source", Value::String(source)) if source == "model" => Some("ai".into()),
        ("source", Value::String(source)) => SOURCES.contains(&source.as_str()).then(|| told.clone()),
        ("at", Value::String(at)) => at.parse::<jiff::Timestamp>().ok().map(|at| at.to_string().into()),
        ("quote", Value::String(quote)) => {
            Some(repeatable(&quote.chars().take(limits::FILL_WORDS).collect::<String>()).into())
        }
        _ => None,
    }
}

/// How sure a value is: a table of cases, not a measure.
fn confidence(filled: &Filled) -> f64 {
    match filled.source {
        Source::Said if filled.verified => 1.0,
        Source::Said if filled.by_model => 0.8,
        Source::Said => 0.95,
        Source::Pressed | Source::Tool | Source::Default | Source::Fixed | Source::Computed => 1.0,
    }
}

fn source(filled: &Filled) -> &'static str {
    match filled.source {
        Source::Said if filled.by_model => "ai",
        Source::Said => "user",
        Source::Pressed | Source::Tool => "server",
        Source::Default | Source::Fixed => "default",
        Source::Computed => "computed",
    }
}

/// A value as the client writes it: its own spelling of the keys of options.
fn value_of(request: &FillRequest, filled: &Filled) -> Value {
    let Some(sent) = request.fields.iter().rfind(|sent| wire::id_of(sent).as_deref() == Some(&filled.id)) else {
        return filled.value.clone();
    };
    match &filled.value {
        Value::String(key) => wire::key_as_sent(sent, key),
        Value::Array(keys) => keys
            .iter()
            .map(|key| key.as_str().map_or_else(|| key.clone(), |key| wire::key_as_sent(sent, key)))
            .collect(),
        other => other.clone(),
    }
}

fn is_held(request: &FillRequest, filled: &Filled) -> bool {
    let own = |sent: &&Map<String, Value>| wire::id_of(sent).as_deref() == Some(&filled.id);
    let sent = request.fields.iter().rfind(own).and_then(|sent| wire::find(sent, &wire::VALUE));
    sent.is_some_and(|value| same(value, &filled.value))
}

/// Whether two values say the same: "5" and 5 do.
fn same(one: &Value, other: &Value) -> bool {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    match (one, other) {
        (Value::Array(ones), Value::Array(others)) => {
            ones.len() == others.len() && ones.iter().zip(others).all(|(one, other)| same(one, other))
        }
        (Value::Null, Value::String(text)) | (Value::String(text), Value::Null) => text.is_empty(),
        _ => one == other || text(one) == text(other),
    }
}

/// The request's own field that is asked about, with what an answer has to be.
fn current(request: &FillRequest, view: &SheetView, repeatable: &dyn Fn(&str) -> String) -> Value {
    let Some(focus) = &view.focus else { return Value::Null };
    let own = |sent: &&Map<String, Value>| wire::id_of(sent).as_deref() == Some(&focus.id);
    let mut field = request.fields.iter().rfind(own).cloned().unwrap_or_else(|| {
        let mut field = Map::new();
        field.insert("data_id".to_owned(), wire::id_as_sent(request, &focus.id));
        field.insert("fieldLabel".to_owned(), json!(focus.label));
        field
    });
    let secret = request.is_password(&field);
    field.retain(|key, value| !wire::VALUE.contains(&key.as_str()) || !secret && is_clean(value, repeatable));
    let rule = || wire::find(&field, &["validation_message", "validationMessage"]).and_then(Value::as_str);
    let reason = view.missing.iter().find(|missing| missing.id == focus.id).and_then(|missing| missing.reason.clone());
    let wrong = focus.problem.clone().or(reason);
    let hint = rule().map(str::to_owned).or(focus.hint.clone());
    let message = wire::sentences(wrong.into_iter().chain(hint));
    field.insert("validation_message".to_owned(), repeatable(&message).into());
    Value::Object(field)
}

/// One summary, then what was said: the last of it, nothing twice in a row, nothing that may not be repeated.
fn history(request: &FillRequest, view: &SheetView, words: &str, repeatable: &dyn Fn(&str) -> String) -> Vec<Value> {
    let summary = summary(view).map(|summary| json!({ "role": "system", "content": repeatable(&summary) }));
    let earlier = request.history.iter().filter_map(|entry| {
        let role = entry.get("role")?.as_str().filter(|role| matches!(*role, "user" | "assistant" | "system"))?;
        let content = entry.get("content")?.as_str()?;
        let ours = role == "system" && content.starts_with(SUMMARY);
        (!ours && !content.trim().is_empty()).then(|| (role.to_owned(), content.to_owned()))
    });
    let now = [("user", request.message.as_str()), ("assistant", words)];
    let now = now.into_iter().filter(|(_, words)| !words.is_empty());
    let mut said: Vec<(String, String)> =
        earlier.chain(now.map(|(role, words)| (role.to_owned(), words.to_owned()))).collect();
    said.dedup();
    let surplus = said.len().saturating_sub(limits::FILL_HISTORY);
    let repeated = said.drain(surplus..).map(|(role, content)| {
        let content = if role == "user" { self::said(request, &content, repeatable) } else { repeatable(&content) };
        json!({ "role": role, "content": content })
    });
    summary.into_iter().chain(repeated.collect::<Vec<_>>()).collect()
}

/// The person's words as they may be said back: nothing of those that name a field for a password, or answer one.
fn said(request: &FillRequest, words: &str, repeatable: &dyn Fn(&str) -> String) -> String {
    let now = request.at_password && words == request.message;
    let mut passwords = request.passwords.iter().filter(|name| name.contains(char::is_alphabetic));
    let hush = !words.is_empty() && (now || passwords.any(|name| names(words, name)));
    if hush { "[…]".to_owned() } else { repeatable(words) }
}

/// Whether words hold a name as whole words, in whatever case.
fn names(words: &str, name: &str) -> bool {
    let (words, name) = (words.to_lowercase(), name.to_lowercase());
    let in_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    words.match_indices(&name).any(|(at, found)| {
        let (before, after) = (words.get(..at), words.get(at + found.len()..));
        !in_word(before.and_then(|before| before.chars().next_back()))
            && !in_word(after.and_then(|after| after.chars().next()))
    })
}

fn summary(view: &SheetView) -> Option<String> {
    if view.filled.is_empty() && view.missing.is_empty() {
        return None;
    }
    let told = view.filled.iter().filter(|filled| !filled.value.is_null()).map(|filled| {
        let value = filled.value.as_str().map_or_else(|| filled.value.to_string(), str::to_owned);
        format!("{}: {value}.", filled.label)
    });
    let open: Vec<&str> = view.missing.iter().map(|missing| missing.label.as_str()).collect();
    let open = (!open.is_empty()).then(|| format!("Open: {}.", open.join(", ")));
    Some(format!("{SUMMARY}{}", told.chain(open).collect::<Vec<_>>().join(" ")))
}

/// Everything a person must read: what is said, what was wrong, the question, and what can be picked in place of words.
fn words(replies: &[Reply]) -> String {
    let mut words: Vec<String> = Vec::new();
    for reply in replies {
        words.extend(reply.say.iter().filter(|said| !said.is_empty()).cloned());
        for question in &reply.questions {
            for text in question.problem.iter().chain([&question.ask]) {
                if !words.contains(text) {
                    words.push(text.clone());
                }
            }
        }
    }
    let last = replies.last().filter(|reply| reply.questions.is_empty());
    let labels: Vec<&str> =
        last.map(|reply| reply.buttons.iter().map(|button| button.label.as_str()).collect()).unwrap_or_default();
    if !labels.is_empty() {
        words.push(format!("({})", labels.join(" / ")));
    }
    words.join("\n")
}

fn is_clean(value: &Value, repeatable: &dyn Fn(&str) -> String) -> bool {
    match value {
        Value::String(text) => repeatable(text) == *text,
        Value::Array(items) => items.iter().all(|item| is_clean(item, repeatable)),
        Value::Object(entries) => entries.values().all(|item| is_clean(item, repeatable)),
        Value::Null | Value::Bool(_) | Value::Number(_) => true,
    }
}
