//! The sample forms are good, for the loader and for an editor that only knows the schema.

use formwright::form::load::{json_schema, submission_schema};
use formwright::form::problem::{Look, render};

use super::{files, load_file, name};

#[test]
fn every_sample_loads_without_a_warning() {
    let samples = files("forms");
    assert_eq!(samples.len(), 6);
    for file in samples {
        let (text, loaded) = load_file(&file);
        assert!(loaded.problems.is_empty(), "{}", render(&name(&file), &text, &loaded.problems, Look::Drawn));
        let form = loaded.form.unwrap();
        assert!(name(&file).starts_with(form.id.as_str()));
        assert!(jsonschema::validator_for(&submission_schema(&form)).is_ok());
    }
}

#[test]
fn every_sample_fits_the_schema() {
    let schema = jsonschema::validator_for(&json_schema()).unwrap();
    for file in files("forms") {
        let text = std::fs::read_to_string(&file).unwrap();
        let form: serde_json::Value = match file.extension().and_then(|ending| ending.to_str()) {
            Some("toml") => toml::from_str(&text).unwrap(),
            Some("json") => serde_json::from_str(&text).unwrap(),
            _ => serde_saphyr::from_str(&text).unwrap(),
        };
        let errors: Vec<String> =
            schema.iter_errors(&form).map(|e| format!("{} at {}", e, e.instance_path())).collect();
        assert_eq!(errors, [""; 0], "{}", name(&file));
    }
}

#[test]
fn the_schema_refuses_what_the_loader_refuses() {
    let schema = jsonschema::validator_for(&json_schema()).unwrap();
    let form = |field: serde_json::Value| serde_json::json!({ "id": "a", "title": "A", "fields": [field] });
    let good = form(serde_json::json!({ "id": "a", "kind": "integer", "min": 1 }));
    assert!(schema.is_valid(&good));
    for bad in [
        serde_json::json!({ "id": "a", "kind": "integer", "min": "today" }),
        serde_json::json!({ "id": "a", "kind": "integer", "currency": "EUR" }),
        serde_json::json!({ "id": "a", "kind": "money" }),
        serde_json::json!({ "id": "a-b", "kind": "text" }),
        serde_json::json!({ "id": "a", "kind": "text", "lable": "x" }),
    ] {
        assert!(!schema.is_valid(&form(bad.clone())), "{bad}");
    }
}

#[test]
fn a_submission_schema_describes_the_answers() {
    let file = super::root().join("forms/expense-claim.toml");
    let schema = submission_schema(&load_file(&file).1.form.unwrap());
    assert_eq!(schema["required"], serde_json::json!(["purpose", "cost_center", "items", "iban", "correct"]));
    let properties = schema["properties"].as_object().unwrap();
    assert!(properties.keys().eq(["purpose", "cost_center", "items", "total", "justification", "iban", "correct"]));
    assert_eq!(schema["properties"]["items"]["minItems"], 1);
    assert_eq!(schema["properties"]["items"]["maxItems"], 30);
    let item = &schema["properties"]["items"]["items"];
    assert_eq!(item["required"], serde_json::json!(["category", "spent_on", "amount"]));
    assert_eq!(item["properties"]["amount"]["title"], "Amount");
}
