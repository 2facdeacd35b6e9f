//! Holds answers of the API against its own description.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use jsonschema::Validator;
use serde_json::{Value, json};

/// Where every refusal is named.
const REFUSALS: &str = include_str!("../../../../tests/README.md");

/// The description, with a validator for each schema that was asked for.
pub(crate) struct Described {
    description: Value,
    validators: Mutex<BTreeMap<String, Validator>>,
}

impl Described {
    pub(crate) fn new(description: Value) -> Self {
        Self { description, validators: Mutex::default() }
    }

    /// What is wrong with an answer: a body that its description does not allow, or a request that is not described and is
    /// answered as if it were there.
    pub(crate) fn wrong_with(&self, method: &str, path: &str, status: u16, body: &[u8]) -> Option<String> {
        let path = path.split('?').next().unwrap_or_default();
        if !path.starts_with("/api") && path != "/health/ready" {
            return None;
        }
        let told = |why: String| Some(format!("{method} {path} {status}: {why}\n{}", String::from_utf8_lossy(body)));
        let described = self.operation(method, path);
        if described.is_none() && (200..300).contains(&status) && method != "OPTIONS" {
            return told("it is not described".to_owned());
        }
        let refusal = json!({ "default": { "$ref": "#/components/responses/Error" } });
        let responses = described.map_or(&refusal, |operation| &operation["responses"]);
        let response = match responses.get(status.to_string()) {
            Some(response) => response,
            None if status < 400 => return (!body.is_empty()).then(|| told("it has a body".to_owned())).flatten(),
            None => &responses["default"],
        };
        let response = response["$ref"].as_str().map_or(response, |reference| {
            self.description.pointer(reference.trim_start_matches('#')).expect("what is referred to is there")
        });
        let content = &response["content"]["application/json"];
        let Some(schema) = content["schema"]["$ref"].as_str() else {
            return if content.is_object() { None } else { told("there is no such response".to_owned()) };
        };
        let Ok(body) = serde_json::from_slice::<Value>(body) else { return told("it is no JSON".to_owned()) };
        let mut validators = self.validators.lock().unwrap_or_else(PoisonError::into_inner);
        let validator = validators.entry(schema.to_owned()).or_insert_with(|| {
            let all = json!({ "$ref": schema, "components": self.description["components"] });
            jsonschema::options().with_draft(jsonschema::Draft::Draft202012).build(&all).expect("it is a schema")
        });
        if let Some(code) = body["error"]["code"].as_str()
            && !REFUSALS.contains(&format!("`{code}`"))
        {
            return told(format!("`{code}` is not in the table of refusals in tests/README.md"));
        }
        let errors: Vec<String> =
            validator.iter_errors(&body).map(|error| format!("{}: {error}", error.instance_path())).collect();
        if errors.is_empty() { None } else { told(errors.join("\n")) }
    }

    fn operation(&self, method: &str, path: &str) -> Option<&Value> {
        let fits = |template: &str| {
            let (mut parts, mut asked) = (template.split('/'), path.split('/'));
            parts.by_ref().all(|part| asked.next().is_some_and(|asked| part.starts_with('{') || part == asked))
                && asked.next().is_none()
        };
        let paths = self.description["paths"].as_object()?;
        // What is spelled out comes before what has a name in it.
        let found =
            paths.iter().filter(|(template, _)| fits(template)).min_by_key(|(template, _)| template.contains('{'));
        found?.1.get(method.to_ascii_lowercase())
    }
}
