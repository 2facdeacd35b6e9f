//! What is read out of a tool's result, and what of it is worth keeping. Pure.

use std::collections::BTreeMap;

use formwright_values::{Context, OptionId, Path, Value};
use serde_json::Value as Json;

use super::{Output, Tool};
use crate::choices::OptionsFrom;
use crate::kind::Kind;
use crate::logic::Extra;
use crate::options::{dig, is_row_key};
use crate::text::clean;

/// Most bytes of JSON that a draft keeps of one result.
pub const MOST_KEPT: usize = 64 * 1024;
/// Longest words for the person out of a result, in characters.
const LONGEST_WORDS: usize = 300;
/// Most bytes of JSON of one output.
const LONGEST_OUTPUT: usize = 32 * 1024;
/// How deep rows are looked for.
const MAX_DEPTH: usize = 6;

/// Outputs by path, each as its kind keeps it; keys of the result that are no output are dropped. Numbers and truths serve
/// as text, and text that is JSON serves as what it says.
///
/// # Errors
/// What is wrong with the result, for the log: it names the output, never the value.
pub fn outputs(tool: &Tool, result: &Json, cx: &Context<'_>) -> Result<BTreeMap<String, Value>, String> {
    let mut read = BTreeMap::new();
    for output in &tool.outputs {
        match find(result, &output.at) {
            Some(found) if size(found) > LONGEST_OUTPUT => {
                return Err(format!("its output `{}` has more than {LONGEST_OUTPUT} bytes", output.name));
            }
            Some(found) => {
                let value = accepted(output, found, cx);
                let kind = output.kind.name();
                let value =
                    value.ok_or_else(|| format!("its output `{}` is no value of kind `{kind}`", output.name))?;
                read.insert(output.name.clone(), value);
            }
            None if output.required => {
                return Err(format!("its output `{}` is missing at `{}`", output.name, output.at.join(".")));
            }
            None => {}
        }
    }
    Ok(read)
}

/// Whether a result is what was asked for. A tool without such a condition is content with any.
pub fn is_complete(tool: &Tool, args: &Json, outputs: &BTreeMap<String, Value>, now: &jiff::Zoned) -> bool {
    let Some(complete) = &tool.complete else { return true };
    let mut extra = Extra::none();
    for (name, arg) in args.as_object().into_iter().flatten() {
        extra = extra.with(name, arg);
    }
    for (name, value) in outputs {
        extra = extra.with(name, value);
    }
    complete.holds(&Path::default(), &super::Nothing, &extra, now) == Some(true)
}

/// Words for the person where the tool says that its results have them: one line, without anything that is not text.
pub fn refusal(tool: &Tool, result: &Json) -> Option<String> {
    if tool.refusal.is_empty() {
        return None;
    }
    let words = clean(find(result, &tool.refusal)?.as_str()?);
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    let cut: String = words.chars().take(LONGEST_WORDS).collect();
    let words = if cut.len() < words.len() { format!("{cut}…") } else { cut };
    (!words.is_empty()).then_some(words)
}

/// What a draft keeps of a result for the fields that choose from it: their rows, with the keys that options are made of,
/// at most [`MOST_KEPT`] bytes. Gives how many options were left out as well. Without such fields an empty list is.
pub fn kept(readers: &[&OptionsFrom], result: &Json, langs: &[&str]) -> (Json, usize) {
    if readers.is_empty() {
        return (Json::Array(Vec::new()), 0);
    }
    let offered = |of: &Json| readers.iter().map(|from| dig(of, from, langs)).collect::<Vec<_>>();
    let wanted = offered(result);
    let mut slim = pruned(result, readers, 0, false);
    if offered(&slim) != wanted {
        slim = result.clone();
    }
    let mut most = wanted.iter().map(Vec::len).max().unwrap_or(0);
    while size(&slim) > MOST_KEPT && most > 1 {
        most = (most / 2).max(1);
        slim = shortened(&slim, most);
    }
    let left = wanted.iter().zip(offered(&slim)).map(|(all, kept)| all.len().saturating_sub(kept.len())).sum();
    (slim, left)
}

/// The value at a path; of a list, a number picks a row, and a name is looked up in the first. `null` is none.
fn find<'j>(json: &'j Json, path: &[String]) -> Option<&'j Json> {
    let found = path.iter().try_fold(json, |json, key| match json {
        Json::Array(rows) => match key.parse::<usize>() {
            Ok(no) => rows.get(no),
            Err(_) => rows.first()?.get(key),
        },
        other => other.get(key),
    })?;
    (!found.is_null()).then_some(found)
}

fn accepted(output: &Output, json: &Json, cx: &Context<'_>) -> Option<Value> {
    let id = |json: &Json| json.as_str().map(str::trim).filter(|id| !id.is_empty()).map(OptionId::new);
    #[expect(clippy::wildcard_enum_match_arm, reason = "only options have no list to be compared with here")]
    match &output.kind {
        Kind::Choice(_) => id(json).map(Value::Option),
        Kind::Choices(_) => {
            let picked = json.as_array()?.iter().map(id).collect::<Option<_>>()?;
            Some(Value::Options { picked, other: None })
        }
        kind => {
            let accept = |json: &Json| kind.behaviour().accept(json, cx).ok();
            let other = match json {
                Json::String(text) => serde_json::from_str(text.trim()).ok(),
                Json::Number(_) | Json::Bool(_) => Some(Json::String(json.to_string())),
                Json::Null | Json::Array(_) | Json::Object(_) => None,
            };
            accept(json).or_else(|| accept(&other?))
        }
    }
}

/// The lists of a result, their rows with the keys that options are made of.
fn pruned(json: &Json, readers: &[&OptionsFrom], depth: usize, in_row: bool) -> Json {
    match json {
        _ if depth > MAX_DEPTH => json.clone(),
        Json::Array(rows) => rows.iter().map(|row| pruned(row, readers, depth + 1, true)).collect(),
        Json::Object(entries) if in_row => {
            let inner = |value: &Json| value.is_array() || value.is_object();
            let wanted = |(key, value): &(&String, &Json)| {
                readers.iter().any(|from| is_row_key(key, from) || from.row.is_some() && inner(value))
            };
            let kept = entries.iter().filter(wanted);
            Json::Object(kept.map(|(key, value)| (key.clone(), value.clone())).collect())
        }
        Json::Object(entries) => {
            // A table of labels by id is a list too.
            let plain = entries.values().all(|value| !value.is_array());
            let kept = entries.iter().filter(|(_, value)| plain || value.is_array() || value.is_object());
            let kept = kept.map(|(key, value)| (key.clone(), pruned(value, readers, depth + 1, false)));
            Json::Object(kept.collect())
        }
        other => other.clone(),
    }
}

/// The same with at most so many rows in a list.
fn shortened(json: &Json, most: usize) -> Json {
    match json {
        Json::Array(rows) => rows.iter().take(most).cloned().collect(),
        Json::Object(entries) => {
            let entries = entries.iter().map(|(key, value)| match value {
                Json::Array(_) | Json::Object(_) => (key.clone(), shortened(value, most)),
                other => (key.clone(), other.clone()),
            });
            let entries: serde_json::Map<String, Json> = entries.collect();
            if entries.len() > most && entries.values().all(Json::is_string) {
                return Json::Object(entries.into_iter().take(most).collect());
            }
            Json::Object(entries)
        }
        other => other.clone(),
    }
}

fn size(json: &Json) -> usize {
    serde_json::to_string(json).map_or(usize::MAX, |text| text.len())
}

#[cfg(test)]
mod tests {
    use formwright_values::ToolId;
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    fn from(at: Option<&str>) -> OptionsFrom {
        OptionsFrom {
            tool: ToolId::new("rows"),
            at: at.map(str::to_owned),
            row: None,
            id: None,
            label: None,
            home: None,
        }
    }

    #[rstest]
    #[case::words(None, json!(["a", "b"]), json!(["a", "b"]))]
    #[case::rows(None, json!({"total": 2, "items": [{"id": 1, "name": "One", "secret": "x", "history": [1, 2]}]}),
        json!({"items": [{"id": 1, "name": "One"}]}))]
    #[case::languages(None, json!([{"code": 1, "name_en": "One", "nameAr": "واحد", "x": 1}]),
        json!([{"code": 1, "name_en": "One", "nameAr": "واحد"}]))]
    #[case::bare_languages(None, json!([{"id": 1, "english": "One", "x": 1}]), json!([{"id": 1, "english": "One"}]))]
    #[case::table(None, json!({"a": "One", "b": "Two"}), json!({"a": "One", "b": "Two"}))]
    #[case::path(Some("data.free"), json!({"data": {"free": ["a"], "at": "noon"}}), json!({"data": {"free": ["a"]}}))]
    fn of_rows_only_what_options_are_made_of_is_kept(
        #[case] at: Option<&str>,
        #[case] result: Json,
        #[case] expected: Json,
    ) {
        let from = from(at);
        assert_eq!(kept(&[&from], &result, &["en"]), (expected, 0));
        assert_eq!(kept(&[], &result, &["en"]), (json!([]), 0));
    }

    #[test]
    fn a_large_result_is_cut() {
        let rows: Vec<Json> =
            (0..2000).map(|no| json!({"id": no, "name": format!("{no} {}", "x".repeat(100))})).collect();
        let from = from(None);
        let (kept, left) = kept(&[&from], &json!({"items": rows}), &["en"]);
        let offered = dig(&kept, &from, &["en"]).len();
        assert!(size(&kept) <= MOST_KEPT && offered > 100, "{offered}");
        assert_eq!(offered + left, 2000);
    }
}
