//! The forms of a corpus, in the languages in which they are filled in: `forms.json` beside its messages.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use serde_json::{Map, Value as Json, json};

/// A form that cases name.
#[derive(Clone, Debug, Deserialize)]
struct Form {
    id: String,
    /// When messages are said.
    now: String,
    /// Region of phone numbers where people write English.
    #[serde(default)]
    region: Option<String>,
    fields: Vec<Map<String, Json>>,
}

/// Forms by id.
#[derive(Clone, Debug, Default)]
pub(super) struct Forms(BTreeMap<String, Form>);

impl Forms {
    /// The forms beside a file of cases; none where it has none beside it.
    ///
    /// # Errors
    /// Why the file of forms cannot be read.
    pub(super) fn beside(cases: &Path) -> Result<Self, String> {
        let file = cases.with_file_name("forms.json");
        let Ok(text) = std::fs::read_to_string(&file) else { return Ok(Self::default()) };
        let forms: Vec<Form> = serde_json::from_str(&text).map_err(|error| format!("{}: {error}", file.display()))?;
        Ok(Self(forms.into_iter().map(|form| (form.id.clone(), form)).collect()))
    }

    /// A case that names its form, with the form in the place of the name; others as they are.
    ///
    /// # Errors
    /// There is no such form.
    pub(super) fn put_into(&self, case: &mut Json) -> Result<(), String> {
        let Some(name) = case.get("form").and_then(Json::as_str) else { return Ok(()) };
        let form = self.0.get(name).ok_or_else(|| format!("there is no form `{name}` in forms.json"))?;
        let text = |key: &str| case.get(key).and_then(Json::as_str);
        let lang = text("lang").unwrap_or("en");
        // Somebody who writes another language than the form's.
        let form_lang = text("form_lang").unwrap_or(lang);
        let region = match lang {
            "en" => form.region.as_deref(),
            "it" => Some("IT"),
            "es" => Some("ES"),
            "de" => Some("DE"),
            "fr" => Some("FR"),
            _ => None,
        };
        let fields: Vec<Json> = form.fields.iter().map(|field| in_language(field, form_lang, region)).collect();
        let now = json!(form.now);
        case["form"] = json!({ "fields": fields });
        if case.get("now").is_none() {
            case["now"] = now;
        }
        Ok(())
    }
}

/// A field with its texts in a language, English where it has none in that.
fn in_language(field: &Map<String, Json>, lang: &str, region: Option<&str>) -> Json {
    let mut field = field.clone();
    for key in ["label", "description", "options"] {
        if let Some(Json::Object(by_lang)) = field.get(key) {
            let own = by_lang.get(lang).or_else(|| by_lang.get("en")).cloned();
            field.insert(key.to_owned(), own.unwrap_or_default());
        }
    }
    if field.get("type").and_then(Json::as_str) == Some("phone")
        && let Some(region) = region
    {
        field.insert("region".to_owned(), json!(region));
    }
    Json::Object(field)
}
