//! `formwright submissions`: what was submitted, as a table, CSV or JSON.

use std::collections::BTreeSet;

use super::{Failure, Format, pretty, print, table, unknown_form};
use crate::form::{Catalog, FormId};
use crate::runtime::{Store, Submission};

/// Prints submissions, oldest first. `catalog` has the forms that are known though nobody has submitted one.
///
/// # Errors
/// [`Failure::Asked`] where there is no such form, and never was; [`Failure::Undone`] where the store cannot be read, and
/// where some submissions cannot: the others are printed.
pub async fn run(
    store: &dyn Store,
    catalog: &Catalog,
    form: Option<&str>,
    format: Format,
    limit: u32,
) -> Result<(), Failure> {
    let list = store.submissions(form, limit).await.map_err(|error| Failure::Undone(error.to_string()))?;
    if let Some(form) = form.filter(|form| list.is_empty() && catalog.form(&FormId::new(*form)).is_none()) {
        let submitted = store.submissions(None, u32::MAX).await.map_err(|error| Failure::Undone(error.to_string()))?;
        let submitted = submitted.iter().map(|submission| submission.form.as_str());
        let known: BTreeSet<&str> = catalog.forms().map(|form| form.id.as_str()).chain(submitted).collect();
        return Err(unknown_form(form, known));
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
