//! Rules of modals beside their shape.

use std::collections::BTreeSet;

use serde_json::Value;

use super::message::picks;
use super::shapes::MODAL;
use super::{Findings, units};
use crate::discord::refusal::Refusal;

/// A modal.
pub(in super::super) fn modal(data: &Value, found: &mut Findings) -> Result<(), Refusal> {
    found.within("data", |found| {
        found.object(data, MODAL);
        let mut ids = BTreeSet::new();
        let parts = data["components"].as_array().map_or(&[][..], Vec::as_slice);
        found.within("components", |found| {
            for (no, part) in parts.iter().enumerate() {
                found.within(no, |found| match part["type"].as_u64() {
                    Some(18) => found.within("component", |found| input(&part["component"], &mut ids, found)),
                    Some(1) => row(part, &mut ids, found),
                    _ => {}
                });
            }
        });
    });
    found.verdict()
}

fn row(row: &Value, ids: &mut BTreeSet<String>, found: &mut Findings) {
    for (no, input) in row["components"].as_array().into_iter().flatten().enumerate() {
        found.within("components", |found| {
            found.within(no, |found| {
                if input["label"].as_str().is_none() {
                    found.fault_at("label", "BASE_TYPE_REQUIRED", "This field is required");
                }
                self::input(input, ids, found);
            });
        });
    }
}

fn input(input: &Value, ids: &mut BTreeSet<String>, found: &mut Findings) {
    if let Some(id) = input["custom_id"].as_str()
        && !ids.insert(id.to_owned())
    {
        found.fault_at("custom_id", "COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated");
    }
    match input["type"].as_u64() {
        Some(4) => text(input, found),
        Some(kind) => {
            picks(input, kind, found);
            // In modals, unlike in messages, a field is required unless it says otherwise.
            let required = input["required"].as_bool().unwrap_or(true);
            if required && matches!(kind, 3 | 5..=8 | 19 | 22) && input["min_values"].as_u64() == Some(0) {
                let why = "A required field takes at least one value";
                found.fault_at("min_values", "COMPONENT_REQUIRED_MIN_VALUES_INVALID", why);
            }
            if input["disabled"].as_bool() == Some(true) {
                found.fault_at("disabled", "MODAL_COMPONENT_DISABLED", "No component of a modal can be disabled");
            }
        }
        None => {}
    }
}

fn text(input: &Value, found: &mut Findings) {
    let length = input["value"].as_str().map_or(0, units) as u64;
    let (least, most) = (input["min_length"].as_u64().unwrap_or(0), input["max_length"].as_u64().unwrap_or(4000));
    if least > most {
        found.fault_at("min_length", "TEXT_INPUT_MIN_GREATER_THAN_MAX", "min_length must not exceed max_length");
    }
    if length > most || (length > 0 && length < least) {
        let message = format!("Must be between {least} and {most} in length.");
        found.fault_at("value", "BASE_TYPE_BAD_LENGTH", message);
    }
}
