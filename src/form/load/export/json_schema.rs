//! Writes the JSON Schema of what a form collects. How it is asked for has no place there.

use formwright_form::Form;
use formwright_form::problem::Problems;
use serde_json::{Value as Json, json};

use super::lost;
use crate::describe::submission::submission_schema;
use crate::json_schema;
use crate::keys::tables;
use crate::lost::Lost;
use crate::node::Node;

/// The schema, with what it does not say.
pub(super) fn write(root: &Node, form: &Form, told: &mut Vec<Lost>) -> String {
    let mut schema = submission_schema(form);
    if let Some(about) = root.at("description").and_then(Node::first_text) {
        schema["description"] = json!(about);
    }
    describe(&mut schema, tables(root, "field"));
    let written = format!("{}\n", serde_json::to_string_pretty(&schema).unwrap_or_default());
    // What is not read back was lost on the way.
    let again = json_schema::read(&written, None, form.id.as_str(), &mut Vec::new(), &mut Problems::new());
    told.extend(lost::between(root, &again));
    written
}

/// Questions and values given beforehand, which the schema of submissions does not need.
fn describe(schema: &mut Json, fields: &[Node]) {
    for field in fields {
        let Some(id) = field.at("id").and_then(Node::text) else { continue };
        let Some(property) = schema.get_mut("properties").and_then(|all| all.get_mut(id)) else { continue };
        if let Some(ask) = field.at("ask").or_else(|| field.at("help")).and_then(Node::first_text) {
            property["description"] = json!(ask);
        }
        for (ours, theirs) in [("default", "default"), ("fixed", "const")] {
            if let Some(value) = field.at(ours) {
                property[theirs] = super::json::exact(value);
            }
        }
        let members = tables(field, "field");
        let inner = if property.get("items").is_some() { property.get_mut("items") } else { Some(property) };
        if let Some(inner) = inner.filter(|_| !members.is_empty()) {
            describe(inner, members);
        }
    }
}
