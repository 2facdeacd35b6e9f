//! Payloads as Discord sends them, and what is read from them.

use rstest::rstest;
use serde_json::Value;

use crate::translate;

#[rstest]
#[case::command("command_in_guild", include_str!("fixtures/command_in_guild.json"))]
#[case::select("select_in_direct_message", include_str!("fixtures/select_in_direct_message.json"))]
#[case::window("window_of_labels", include_str!("fixtures/window_of_labels.json"))]
fn an_interaction_is_read_as_it_comes(#[case] name: &str, #[case] raw: &str) {
    let raw: Value = serde_json::from_str(raw).unwrap();
    insta::assert_debug_snapshot!(name, translate::interaction(&raw).unwrap());
}

#[test]
fn a_message_is_read_as_it_comes() {
    let raw: Value = serde_json::from_str(include_str!("fixtures/message_with_file.json")).unwrap();
    let message = translate::message(&raw, None, "1100000000000000099").unwrap();
    // What `{:?}` does not show.
    let file = serde_json::json!({
        "id": "https://cdn.discordapp.com/attachments/1/2/plan.pdf", "name": "plan.pdf",
        "media_type": "application/pdf", "bytes": 1024,
    });
    assert_eq!(serde_json::to_value(&message.files).unwrap(), serde_json::json!([file]));
    insta::assert_debug_snapshot!("message_with_file", message);
}

/// Whatever is missing or of another type: nothing panics, and what cannot be read is nothing.
#[test]
fn payloads_with_holes_are_survived() {
    let whole: Value = serde_json::from_str(include_str!("fixtures/window_of_labels.json")).unwrap();
    let mut paths = Vec::new();
    collect(&whole, String::new(), &mut paths);
    for path in paths {
        for other in
            [Value::Null, Value::from(-1), Value::from("x"), serde_json::json!([[]]), serde_json::json!({"a": {}})]
        {
            let mut raw = whole.clone();
            *raw.pointer_mut(&path).unwrap() = other;
            let _ = translate::interaction(&raw);
            let _ = translate::message(&raw, None, "99");
        }
    }
}

fn collect(value: &Value, at: String, paths: &mut Vec<String>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(key, value)| collect(value, format!("{at}/{key}"), paths)),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(no, item)| collect(item, format!("{at}/{no}"), paths));
        }
        _ => {}
    }
    paths.push(at);
}
