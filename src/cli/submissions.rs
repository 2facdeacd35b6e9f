//! `formwright submissions`: what was submitted, as a table, CSV or JSON.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{Failure, Format, pretty, print, table, unknown_form};
use crate::engine::is_sensitive;
use crate::form::field::FieldNo;
use crate::form::{Catalog, Form, FormId};
use crate::runtime::{Store, Submission};

/// Stands for an answer that is not shown.
const HIDDEN: &str = "[hidden]";

/// Which submissions are printed, and how.
#[derive(Clone, Copy, Debug)]
pub struct Listing<'a> {
    /// Only this form's.
    pub form: Option<&'a str>,
    /// As what.
    pub format: Format,
    /// At most so many, the newest.
    pub limit: u32,
    /// With the answers to sensitive fields.
    pub sensitive: bool,
}

/// Prints submissions, oldest first. `catalog` has the forms that are known though nobody has submitted one.
///
/// # Errors
/// [`Failure::Asked`] where there is no such form, and never was; [`Failure::Undone`] where the store cannot be read, and
/// where some submissions cannot: the others are printed.
pub async fn run(store: &dyn Store, catalog: &Catalog, listing: Listing<'_>) -> Result<(), Failure> {
    let Listing { form, format, limit, sensitive } = listing;
    let mut list = store.submissions(form, limit).await.map_err(|error| Failure::Undone(error.to_string()))?;
    if let Some(form) = form.filter(|form| list.is_empty() && catalog.form(&FormId::new(*form)).is_none()) {
        let submitted = store.submissions(None, u32::MAX).await.map_err(|error| Failure::Undone(error.to_string()))?;
        let submitted = submitted.iter().map(|submission| submission.form.as_str());
        let known: BTreeSet<&str> = catalog.forms().map(|form| form.id.as_str()).chain(submitted).collect();
        return Err(unknown_form(form, known));
    }
    if !sensitive {
        list.iter_mut().for_each(|submission| hide(catalog.form(&submission.form).map(AsRef::as_ref), submission));
    }
    match format {
        Format::Json => print(&format!("{}\n", pretty(&list)?))?,
        Format::Csv => print(&csv(&list)?)?,
        Format::Table if list.is_empty() && store.unreadable() == 0 => print("no submissions yet\n")?,
        Format::Table => print(&as_table(&list))?,
    }
    match store.unreadable() {
        0 => Ok(()),
        missing => Err(Failure::Undone(format!(
            "this is not all: {missing} cannot be read, because they are damaged or sealed with a key that is not set"
        ))),
    }
}

/// Hides the answers to sensitive fields; of a form or field that is not known any more, all.
fn hide(form: Option<&Form>, submission: &mut Submission) {
    hide_answers(form, &mut submission.answers);
    for origin in &mut submission.provenance {
        let field = form.and_then(|form| Some((form, form.field_at(&origin.field)?)));
        if field.is_none_or(|(form, field)| is_sensitive(form, field)) {
            origin.quote = None;
        }
    }
}

fn hide_answers(form: Option<&Form>, answers: &mut Value) {
    let answers = answers.as_object_mut().into_iter().flatten();
    answers.for_each(|(id, answer)| hide_member(form, None, id, answer));
}

fn hide_member(form: Option<&Form>, parent: Option<FieldNo>, id: &str, answer: &mut Value) {
    let member = |form: &Form| form.fields.iter().position(|field| field.parent == parent && field.id.as_str() == id);
    let Some((form, field)) = form.and_then(|form| Some((form, form.fields.get(member(form)?)?))) else {
        *answer = HIDDEN.into();
        return;
    };
    let plain = form.plain_item(field.no).and_then(|no| form.field(no));
    if !answer.is_null() && (field.sensitive || plain.is_some_and(|item| item.sensitive)) {
        *answer = HIDDEN.into();
    } else if plain.is_none() && !form.members(field.no).is_empty() {
        let items: Vec<&mut Value> = match answer {
            Value::Array(items) => items.iter_mut().collect(),
            group => vec![group],
        };
        for (id, answer) in items.into_iter().filter_map(Value::as_object_mut).flatten() {
            hide_member(Some(form), Some(field.no), id, answer);
        }
    }
}

fn as_table(list: &[Submission]) -> String {
    let rows: Vec<Vec<String>> = list
        .iter()
        .map(|submission| {
            let at = submission.at.strftime("%Y-%m-%d %H:%M").to_string();
            let answers = submission.answers.as_object().into_iter().flatten();
            let answers: Vec<String> = answers.map(|(field, value)| format!("{field}={}", cell(value))).collect();
            let id = format!("{}.{}", submission.id, submission.revision);
            vec![at, submission.form.to_string(), submission.user.to_string(), id, clip(&answers.join(" "), 100)]
        })
        .collect();
    table(&["when (UTC)", "form", "user", "id", "answers"], &rows)
}

fn csv(list: &[Submission]) -> Result<String, Failure> {
    let failed = |error: csv::Error| Failure::Undone(error.to_string());
    let objects = || list.iter().filter_map(|submission| submission.answers.as_object());
    let mut seen = BTreeSet::new();
    let fields: Vec<&String> = objects().flat_map(|answers| answers.keys()).filter(|key| seen.insert(*key)).collect();
    let mut writer = csv::Writer::from_writer(Vec::new());
    let head = ["id", "revision", "form", "at", "platform", "user"].into_iter().map(str::to_owned);
    writer.write_record(head.chain(fields.iter().map(|field| guarded(field)))).map_err(failed)?;
    for s in list {
        let fixed = [
            s.id.clone(),
            s.revision.to_string(),
            s.form.to_string(),
            s.at.to_string(),
            s.place.platform.to_string(),
            guarded(s.user.as_str()),
        ];
        let answers = fields.iter().map(|field| s.answers.get(field.as_str()).map(cell).unwrap_or_default());
        writer.write_record(fixed.into_iter().chain(answers.map(|text| guarded(&text)))).map_err(failed)?;
    }
    let bytes = writer.into_inner().map_err(|error| Failure::Undone(error.to_string()))?;
    String::from_utf8(bytes).map_err(|error| Failure::Undone(error.to_string()))
}

/// A value on one line.
fn cell(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::String(text) => text.replace(['\n', '\r', '\t'], " "),
        other => other.to_string(),
    }
}

/// A cell that a spreadsheet will not take for a formula.
fn guarded(text: &str) -> String {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { format!("'{text}") } else { text.to_owned() }
}

fn clip(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::form::load::{Syntax, load};

    const FORM: &str = r#"
        id = "visit"
        title = "Visit"
        [[field]]
        id = "name"
        kind = "text"
        [[field]]
        id = "pin"
        kind = "text"
        sensitive = true
        [[field]]
        id = "codes"
        kind = "list"
        of = "text"
        sensitive = true
        [[field]]
        id = "guests"
        kind = "list"
        [[field.field]]
        id = "first"
        kind = "text"
        [[field.field]]
        id = "passport"
        kind = "text"
        sensitive = true
    "#;

    #[test]
    fn answers_to_sensitive_fields_are_hidden_wherever_they_lie() {
        let mut catalog = Catalog::default();
        catalog.insert(load(FORM, Syntax::Toml).form.unwrap());
        let mut answers = json!({
            "name": "Ada", "pin": "4711", "codes": ["a", "b"], "guests": [{"first": "Ben", "passport": "X1"}], "old": 1,
        });
        let shown = json!({
            "name": "Ada", "pin": HIDDEN, "codes": HIDDEN, "guests": [{"first": "Ben", "passport": HIDDEN}], "old": HIDDEN,
        });
        hide_answers(catalog.form(&FormId::new("visit")).map(AsRef::as_ref), &mut answers);
        assert_eq!(answers, shown);
        hide_answers(None, &mut answers);
        assert_eq!(answers["name"], HIDDEN, "a form that is not there any more");
    }
}
