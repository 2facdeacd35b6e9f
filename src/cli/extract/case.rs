//! A labelled message: its form in a few words, what is asked, what was said, and what that means.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value as Json, json};

use super::score::is_right;
use crate::engine::{Engine, Extracted, Heard, SlotChoice, SlotChoices, Unheard};
use crate::form::load::sheet::name_of;
use crate::form::load::{Syntax, load};
use crate::form::{Catalog, FormId};

/// A labelled message.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Case {
    pub(super) id: String,
    /// What sort of message it is.
    #[serde(default)]
    pub(super) stratum: Option<String>,
    pub(super) form: Sheet,
    pub(super) message: String,
    /// The field that was just asked for.
    #[serde(default)]
    pub(super) pending_field: Option<String>,
    /// The person's clock; what it says of the zone is left aside.
    now: String,
    /// The language of the form and of the person; English where it is left out.
    #[serde(default)]
    pub(super) lang: Option<String>,
    /// What is filled already.
    #[serde(default)]
    pub(super) filled: BTreeMap<String, Json>,
    /// What the message says; nothing where only predictions are wanted.
    #[serde(default)]
    pub(super) expect: BTreeMap<String, Json>,
    /// Other right values.
    #[serde(default)]
    pub(super) accept: BTreeMap<String, Vec<Json>>,
    /// Fields whose values are neither right nor wrong.
    #[serde(default)]
    pub(super) ignore: Vec<String>,
    /// What a model replies where it is asked about the message; none where there is no model.
    #[serde(default)]
    reply: Option<Json>,
}

/// The fields of a case.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Sheet {
    pub(super) fields: Vec<Field>,
}

/// One field.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Field {
    pub(super) id: String,
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) label: String,
    #[serde(default)]
    description: Option<String>,
    #[serde(default)]
    options: Vec<String>,
    #[serde(default)]
    min: Option<Json>,
    #[serde(default)]
    max: Option<Json>,
    /// Where no field of the sheet says whether it is, all are.
    #[serde(default)]
    required: Option<bool>,
    #[serde(default)]
    pub(super) subtype: Option<String>,
    #[serde(default)]
    prefer: Option<String>,
    #[serde(default)]
    region: Option<String>,
    #[serde(default)]
    pattern: Option<String>,
}

/// Currencies that amounts may be in: those of today and some of before.
const CURRENCIES: &[&str] = &[
    "USD", "EUR", "GBP", "JPY", "CNY", "INR", "AUD", "CAD", "CHF", "SEK", "NOK", "DKK", "KRW", "BRL", "MXN", "RUB",
    "TRY", "ZAR", "PLN", "CZK", "HUF", "ILS", "AED", "SAR", "QAR", "KWD", "BHD", "OMR", "JOD", "EGP", "LBP", "MAD",
    "TND", "DZD", "HKD", "SGD", "NZD", "TWD", "THB", "MYR", "IDR", "PHP", "VND", "PKR", "BDT", "LKR", "NGN", "KES",
    "GHS", "UAH", "RON", "BGN", "HRK", "RSD", "ISK", "ARS", "CLP", "COP", "PEN", "UYU", "BOB", "MNT", "KZT", "IRR",
    "IQD", "AFN", "ALL", "AMD", "ANG", "AOA", "ATS", "AWG", "AZN", "BAM", "BBD", "BEF", "BIF", "BMD", "BND", "BSD",
    "BTN", "BWP", "BYN", "BZD", "CDF", "CRC", "CUP", "CVE", "DEM", "DJF", "DOP", "ERN", "ESP", "ETB", "FIM", "FJD",
    "FKP", "FRF", "GEL", "GIP", "GMD", "GNF", "GRD", "GTQ", "GYD", "HNL", "HTG", "IEP", "ITL", "JMD", "KGS", "KHR",
    "KMF", "KPW", "KYD", "LAK", "LRD", "LSL", "LYD", "MDL", "MGA", "MKD", "MMK", "MOP", "MRU", "MUR", "MVR", "MWK",
    "MZN", "NAD", "NIO", "NLG", "NPR", "PAB", "PGK", "PTE", "PYG", "RWF", "SBD", "SCR", "SDG", "SHP", "SLE", "SOS",
    "SRD", "SSP", "STN", "SVC", "SYP", "SZL", "TJS", "TMT", "TOP", "TTD", "TZS", "UGX", "UZS", "VES", "VUV", "WST",
    "XAF", "XCD", "XOF", "XPF", "YER", "ZMW",
];

impl Field {
    /// The field as a form file has it.
    fn written(&self, id: &str, required: bool) -> Json {
        let kind = match self.kind.as_str() {
            "text" if self.pattern.is_some() => "pattern",
            "boolean" => "yes_no",
            "enum" => "choice",
            other => other,
        };
        let mut field = Map::new();
        let mut put = |key: &str, value: Json| field.insert(key.to_owned(), value);
        put("id", json!(id));
        put("kind", json!(kind));
        put("label", json!(self.label));
        put("required", json!(self.required.unwrap_or(required)));
        if let Some(text) = &self.description {
            put("help", json!(text));
        }
        if let Some(min) = &self.min {
            put("min", min.clone());
        }
        if let Some(max) = &self.max {
            put("max", max.clone());
        }
        match kind {
            "choice" => {
                // Named by their number: "A+" and "A-" are two options.
                let options = self.options.iter().enumerate();
                let option = |(no, label)| json!({ "id": format!("o{no}"), "label": label });
                put("options", options.map(option).collect());
            }
            "pattern" => {
                put("regex", json!(self.pattern));
            }
            "text" => {
                if let Some(subtype) = &self.subtype {
                    put("subtype", json!(subtype));
                }
            }
            "money" => {
                put("currency", json!("USD"));
                put("currencies", json!(CURRENCIES));
            }
            "phone" => {
                if let Some(region) = &self.region {
                    put("country", json!(region));
                }
            }
            "date" | "datetime" => {
                if let Some(prefer) = &self.prefer {
                    put("prefer", json!(prefer));
                }
            }
            _ => {}
        }
        Json::Object(field)
    }
}

/// Reads cases; forms that come again are made once.
#[derive(Debug, Default)]
pub(super) struct Reader {
    engines: BTreeMap<String, Engine>,
}

impl Reader {
    /// What a case's message gives. Who is asked whether a value is right says yes where it is, and no where it is not.
    pub(super) fn given(&mut self, case: &Case) -> Result<Given, String> {
        let names = names(case);
        let Extracted { values, asked } = self.hear(case, &names, Engine::extract)?;
        let mut given = Given::default();
        for (field, name) in case.form.fields.iter().zip(&names) {
            if let Some(value) = values.get(name) {
                given.values.insert(field.id.clone(), value.clone());
            }
            let Some(value) = asked.get(name) else { continue };
            given.asked.insert(field.id.clone(), value.clone());
            if is_right(case, field, value) {
                given.values.insert(field.id.clone(), value.clone());
            }
        }
        Ok(given)
    }

    /// What each field of a case could be filled with: for each candidate its value and its features, and the features of
    /// leaving the field as it is.
    pub(super) fn choices(&mut self, case: &Case) -> Result<Vec<FieldChoices>, String> {
        let names = names(case);
        let choices = self.hear(case, &names, Engine::weigh)?;
        let engine = self.engine(case, &names)?;
        let form = engine.catalog().form(&FormId::new("case")).cloned().ok_or("the form is gone")?;
        let of = |slot: SlotChoices| {
            let no = names.iter().position(|name| *name == slot.path.to_string())?;
            let (field, asked) = (form.field_at(&slot.path)?, case.form.fields.get(no)?);
            let value = |value: &crate::form::Value| {
                let data = field.kind.behaviour().json(value);
                let option = data.as_str().and_then(|id| id.strip_prefix('o')?.parse::<usize>().ok());
                let label = option.and_then(|no| asked.options.get(no)).map(|label| Json::from(label.clone()));
                label.unwrap_or(data)
            };
            let candidates = slot
                .candidates
                .into_iter()
                .map(|SlotChoice { value: of, likely, features, .. }| Choice { value: value(&of), likely, features })
                .collect();
            Some(FieldChoices { field: no, nothing: slot.nothing, candidates })
        };
        Ok(choices.into_iter().filter_map(of).collect())
    }

    /// What is made of a case's message.
    fn hear<R>(
        &mut self,
        case: &Case,
        names: &[String],
        hear: impl FnOnce(&Engine, Heard<'_>) -> Result<R, Unheard>,
    ) -> Result<R, String> {
        let mine = |id: &str| {
            let found = case.form.fields.iter().zip(names).find(|(field, _)| field.id == id);
            found.map(|(_, name)| name.as_str()).ok_or_else(|| format!("there is no field `{id}`"))
        };
        let engine = self.engine(case, names)?;
        let clock = case.now.get(..19).unwrap_or(&case.now);
        let clock: jiff::civil::DateTime = clock.parse().map_err(|error| format!("`now`: {error}"))?;
        let now = clock.to_zoned(jiff::tz::TimeZone::UTC).map_err(|error| format!("`now`: {error}"))?.timestamp();
        let mut filled = BTreeMap::new();
        for (id, value) in &case.filled {
            filled.insert(mine(id)?.to_owned(), value.clone());
        }
        let pending = case.pending_field.as_deref().map(mine).transpose()?;
        let reply = case.reply.as_ref().map(|reply| names_as(reply, &mine).to_string());
        let (form, reply) = (FormId::new("case"), reply.as_deref());
        let heard = Heard { form: &form, filled: &filled, pending, message: &case.message, now, reply };
        hear(&engine, heard).map_err(|error| error.to_string())
    }

    /// The engine with a case's form.
    fn engine(&mut self, case: &Case, names: &[String]) -> Result<Engine, String> {
        let none_says = case.form.fields.iter().all(|field| field.required.is_none());
        let named = case.form.fields.iter().zip(names);
        let fields: Vec<Json> = named.map(|(field, name)| field.written(name, none_says)).collect();
        let lang = case.lang.as_deref().unwrap_or("en");
        let text = json!({ "id": "case", "title": "Case", "languages": [lang], "fields": fields }).to_string();
        if let Some(engine) = self.engines.get(&text) {
            return Ok(engine.clone());
        }
        let engine = made(&text)?;
        self.engines.insert(text, engine.clone());
        Ok(engine)
    }
}

/// What a case's message gives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Given {
    /// By field: what was taken, and what was asked about and is right.
    pub(super) values: BTreeMap<String, Json>,
    /// By field: what was asked about.
    pub(super) asked: BTreeMap<String, Json>,
}

/// What a field of a case could be filled with.
#[derive(Clone, Debug)]
pub(super) struct FieldChoices {
    /// Its place in the case's form.
    pub(super) field: usize,
    /// The features of leaving it as it is.
    pub(super) nothing: Vec<u32>,
    /// What it could be filled with.
    pub(super) candidates: Vec<Choice>,
}

/// A value that a field could be filled with.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub(super) value: Json,
    /// 0 to 1.
    pub(super) likely: f32,
    pub(super) features: Vec<u32>,
}

/// The names of a case's fields as a form may have them: what a file calls them may be none.
fn names(case: &Case) -> Vec<String> {
    case.form.fields.iter().map(|field| name_of(&field.id).to_string()).collect()
}

/// A model's reply with the fields by the names that they have in the form.
fn names_as<'a>(reply: &Json, name: &impl Fn(&str) -> Result<&'a str, String>) -> Json {
    let mut reply = reply.clone();
    for update in reply["updates"].as_array_mut().into_iter().flatten() {
        if let Some(named) = update["field"].as_str().and_then(|field| name(field).ok()) {
            update["field"] = json!(named);
        }
    }
    reply
}

fn made(text: &str) -> Result<Engine, String> {
    let loaded = load(text, Syntax::Json);
    let form = loaded.form.ok_or_else(|| {
        let why: Vec<String> = loaded.problems.iter().map(|problem| problem.message.clone()).collect();
        format!("its form has errors: {}", why.join("; "))
    })?;
    let mut catalog = Catalog::default();
    catalog.insert(form);
    Ok(Engine::new(catalog))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    const BOOKING: &str = r#"[
        { "id": "how many", "type": "integer", "label": "number of people", "min": 1 },
        { "id": "day", "type": "date", "label": "date" },
        { "id": "room", "type": "enum", "label": "room", "options": ["inside", "on the terrace"] },
        { "id": "blood", "type": "enum", "label": "blood type", "options": ["A+", "A-"] }
    ]"#;

    #[rstest]
    #[case::that_starts_a_form("a table for 4 on 3 December", None, json!({}), json!({"how many": 4, "day": "2026-12-03"}))]
    #[case::that_answers("4", Some("how many"), json!({}), json!({"how many": 4}))]
    #[case::with_an_option("on the terrace", Some("room"), json!({}), json!({"room": "on the terrace"}))]
    #[case::with_a_sign("A-", Some("blood"), json!({}), json!({"blood": "A-"}))]
    #[case::that_corrects("no, 5 people", None, json!({"how many": 4, "day": "2026-12-03", "room": "inside"}), json!({"how many": 5}))]
    fn a_message_is_heard_where_it_is_said(
        #[case] message: &str,
        #[case] pending: Option<&str>,
        #[case] filled: Json,
        #[case] values: Json,
    ) {
        let fields: Json = serde_json::from_str(BOOKING).unwrap();
        let case = json!({
            "id": "1", "form": { "fields": fields }, "message": message, "pending_field": pending, "filled": filled,
            "now": "2026-11-21T10:00:00+01:00", "expect": {},
        });
        let case: Case = serde_json::from_value(case).unwrap();
        assert_eq!(json!(Reader::default().given(&case).unwrap().values), values);
    }

    #[test]
    fn a_field_that_is_not_there_is_named() {
        let case = json!({
            "id": "1", "form": { "fields": [{ "id": "n", "type": "integer", "label": "n" }] }, "message": "4",
            "pending_field": "seats", "now": "2026-11-21T10:00:00Z", "expect": {},
        });
        let case: Case = serde_json::from_value(case).unwrap();
        assert_eq!(Reader::default().given(&case).unwrap_err(), "there is no field `seats`");
    }
}
