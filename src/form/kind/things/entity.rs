//! People and channels of a platform as they are mentioned: `<@U123|ada>`, `@ada`, `<#C1|general>`, `#general`.

use std::ops::Range;

use formwright_text::Said;
use serde_json::{Value as Json, json};

use formwright_values::{Found, Refusal, Strength, Value, answer};

/// Mentions that begin with a sign (`@` or `#`), left to right.
pub(crate) fn mentions(said: &Said, sign: char) -> Vec<Found> {
    let raw = said.raw.as_str();
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = raw.get(from..).and_then(|rest| rest.find(sign)).map(|at| from + at) {
        let next = at + sign.len_utf8();
        from = next;
        let rest = raw.get(next..).unwrap_or_default();
        let bracket = raw.get(..at).is_some_and(|before| before.ends_with('<'));
        let one = if bracket { in_brackets(rest) } else { plain(raw.get(..at).unwrap_or_default(), rest) };
        let Some((id, name, len)) = one else { continue };
        let span = at - usize::from(bracket)..next + len;
        from = span.end;
        found.push(Found { span, value: Value::Entity { id, name }, strength: Strength::Exact });
    }
    found
}

/// `U123>`, `!123>`, `U123|ada>`: the id, the name and the bytes read.
fn in_brackets(rest: &str) -> Option<(String, String, usize)> {
    let end = rest.find('>')?;
    let inner = rest.get(..end)?;
    let (id, name) = inner.split_once('|').unwrap_or((inner, ""));
    let id = id.trim_start_matches(['!', '&']);
    let good = !id.is_empty() && id.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    let name = answer::tidy_line(name);
    let name = if name.is_empty() { id.to_owned() } else { name };
    good.then(|| (id.to_owned(), name, end + 1))
}

/// `ada.lovelace`, not inside a word or an e-mail address.
fn plain(before: &str, rest: &str) -> Option<(String, String, usize)> {
    if before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '/' | '&')) {
        return None;
    }
    let end = rest.find(|c: char| !c.is_alphanumeric() && !matches!(c, '.' | '_' | '-')).unwrap_or(rest.len());
    let name = rest.get(..end)?.trim_end_matches(['.', '-', '_']);
    // "#2" is a place in a list.
    (name.contains(char::is_alphabetic)).then(|| (answer::tidy_line(name), answer::tidy_line(name), name.len()))
}

/// A name as one who is known by it alone.
pub(crate) fn named(span: Range<usize>, name: &str) -> Found {
    let name = answer::tidy_line(name);
    Found { span, value: Value::Entity { id: name.clone(), name }, strength: Strength::Weak }
}

/// Takes `{ "id", "name" }` or a mention or name as words.
pub(crate) fn accept(data: &Json, sign: char) -> Result<Value, Refusal> {
    let expected = || Refusal::new("entity_expected");
    let (id, name) = match data {
        Json::Object(facts) => {
            let text = |key: &str| facts.get(key).and_then(Json::as_str).map(answer::tidy_line);
            let id = text("id").filter(|id| !id.is_empty()).ok_or_else(expected)?;
            let name = text("name").filter(|name| !name.is_empty()).unwrap_or_else(|| id.clone());
            (id, name)
        }
        Json::String(text) => match mentions(&Said::new(text), sign).into_iter().next().map(|found| found.value) {
            Some(Value::Entity { id, name }) => (id, name),
            _ => {
                let name = answer::tidy_line(text).trim_start_matches(sign).to_owned();
                if name.is_empty() {
                    return Err(expected());
                }
                (name.clone(), name)
            }
        },
        _ => return Err(expected()),
    };
    let value = Value::Entity { id, name };
    check(&value)?;
    Ok(value)
}

pub(crate) fn check(value: &Value) -> Result<(), Refusal> {
    match value {
        Value::Entity { id, name } if !id.is_empty() => {
            answer::no_controls(id, false)?;
            answer::no_controls(name, false)
        }
        _ => Err(Refusal::new("entity_expected")),
    }
}

pub(crate) fn show(value: &Value) -> String {
    match value {
        Value::Entity { id, name } => if name.is_empty() { id } else { name }.clone(),
        _ => String::new(),
    }
}

pub(crate) fn to_json(value: &Value) -> Json {
    match value {
        Value::Entity { id, name } => json!({ "id": id, "name": name }),
        _ => Json::Null,
    }
}

pub(crate) fn schema() -> Json {
    json!({
        "type": "object",
        "properties": { "id": { "type": "string", "minLength": 1 }, "name": { "type": "string" } },
        "required": ["id", "name"],
        "additionalProperties": false,
    })
}

pub(crate) fn sample(id: &str, name: &str) -> Vec<Value> {
    vec![Value::Entity { id: id.to_owned(), name: name.to_owned() }]
}
