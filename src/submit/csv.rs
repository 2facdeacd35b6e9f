//! CSV: a row a submission, a column a field, safe to open in a spreadsheet.

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use serde_json::Value;

use super::file::{Change, Format, Records};
use super::{Sink, SinkError, blocking};
use formwright_engine::Submission;

/// Columns that every file has, before those of the fields. No field id begins like these.
const FIXED: [&str; 7] = ["_id", "_revision", "_form", "_version", "_at", "_platform", "_user"];

/// Appends submissions to a file, one row each.
///
/// The header has the form's fields, members of groups as `group.member`. A field that the file does not know adds a
/// column: the file is then written anew, with empty cells in older rows. Lists are JSON in one cell. `_zone` is the zone of
/// the times, where there are any.
pub struct Csv {
    records: Arc<Mutex<Records<Rows>>>,
}

struct Rows {
    /// Columns that the form has, whether answered or not.
    fields: Vec<String>,
    header: Vec<String>,
    /// Where the file must be written anew from.
    path: PathBuf,
}

impl Csv {
    /// A sink that appends to this file. `schema` is the form's JSON Schema, from which the columns are taken.
    pub fn new(path: PathBuf, schema: Option<&Value>) -> Self {
        let mut fields = Vec::new();
        if let Some(schema) = schema {
            schema_columns(schema, "", &mut fields);
        }
        let rows = Rows { fields, header: Vec::new(), path: path.clone() };
        Self { records: Arc::new(Mutex::new(Records::new(path, rows))) }
    }
}

#[async_trait]
impl Sink for Csv {
    async fn deliver(&self, _id: &str, submission: &Submission) -> Result<(), SinkError> {
        let (records, submission) = (Arc::clone(&self.records), submission.clone());
        blocking(move || {
            let mut records = records.lock().unwrap_or_else(PoisonError::into_inner);
            records.add(&submission).map_err(SinkError::retry)
        })
        .await
    }
}

impl Format for Rows {
    const SHOWS_ITS_END: bool = false;

    fn is_whole(&self, lines: &[u8]) -> bool {
        lines.iter().filter(|byte| **byte == b'"').fold(true, |whole, _| !whole)
    }

    fn see(&mut self, record: &[u8]) -> Option<(String, u32)> {
        let cells = parse(record).into_iter().next()?;
        if self.header.is_empty() {
            self.header = cells;
            return None;
        }
        let cell = |name: &str| cells.get(self.header.iter().position(|column| column == name)?);
        Some((unguarded(cell("_id")?).to_owned(), cell("_revision")?.parse().ok()?))
    }

    fn forget(&mut self) {
        self.header.clear();
    }

    fn write(&mut self, submission: &Submission) -> io::Result<Change> {
        let cells = cells(submission);
        let known = FIXED.iter().copied().chain(self.fields.iter().map(String::as_str));
        let wanted = known.chain(cells.iter().map(|(column, _)| column.as_str()));
        let mut header = self.header.clone();
        for column in wanted {
            if !header.iter().any(|known| known == column) {
                header.push(column.to_owned());
            }
        }
        let value = |column: &String| cells.iter().find(|(name, _)| name == column).map_or("", |(_, cell)| cell);
        let row: Vec<&str> = header.iter().map(value).collect();
        if header == self.header {
            return Ok(Change::Append(lines([row])?));
        }
        let old = if self.header.is_empty() { Vec::new() } else { std::fs::read(&self.path)? };
        let older = parse(&old).into_iter().skip(1).map(|mut cells| {
            cells.resize(header.len(), String::new());
            cells
        });
        let older: Vec<Vec<String>> = older.collect();
        let older = older.iter().map(|cells| cells.iter().map(String::as_str).collect());
        let first = header.iter().map(String::as_str).collect();
        Ok(Change::Rewrite(lines(std::iter::once(first).chain(older).chain([row]))?))
    }
}

/// A submission's cells by column.
fn cells(submission: &Submission) -> Vec<(String, String)> {
    let fixed = [
        guarded(&submission.id),
        submission.revision.to_string(),
        guarded(submission.form.as_str()),
        guarded(submission.version.as_str()),
        submission.at.to_string(),
        guarded(submission.place.platform.as_str()),
        guarded(submission.user.as_str()),
    ];
    let mut cells: Vec<_> = FIXED.iter().map(|name| (*name).to_owned()).zip(fixed).collect();
    let mut answers = Vec::new();
    flatten(&submission.answers, "", &mut answers);
    cells.extend(answers.into_iter().map(|(column, value)| (column, cell(value))));
    // Files of forms without times have no such column.
    cells.extend(submission.zone.iter().map(|zone| ("_zone".to_owned(), guarded(zone))));
    cells
}

/// Leaves of nested objects, by dotted name.
pub(super) fn flatten<'a>(value: &'a Value, name: &str, into: &mut Vec<(String, &'a Value)>) {
    match value {
        Value::Object(members) if !members.is_empty() || name.is_empty() => {
            members.iter().for_each(|(key, member)| flatten(member, &column(name, key), into));
        }
        Value::Object(_) | Value::Array(_) | Value::String(_) | Value::Number(_) | Value::Bool(_) | Value::Null => {
            into.push((name.to_owned(), value));
        }
    }
}

fn schema_columns(schema: &Value, name: &str, into: &mut Vec<String>) {
    match schema.get("properties").and_then(Value::as_object) {
        Some(members) => members.iter().for_each(|(key, member)| schema_columns(member, &column(name, key), into)),
        None if name.is_empty() => {}
        None => into.push(name.to_owned()),
    }
}

/// The column of a member; a field that begins like the fixed columns is kept apart from them.
fn column(outer: &str, key: &str) -> String {
    match outer {
        "" if key.starts_with('_') => format!("field.{key}"),
        "" => key.to_owned(),
        outer => format!("{outer}.{key}"),
    }
}

fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => guarded(text),
        Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => value.to_string(),
    }
}

/// Text that a spreadsheet would run as a formula gets a `'` before it; numbers stay as they are.
fn guarded(text: &str) -> String {
    let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let number = text.strip_prefix('-').is_some_and(|rest| rest.parse::<f64>().is_ok());
    if formula && !number { format!("'{text}") } else { text.to_owned() }
}

fn unguarded(cell: &str) -> &str {
    cell.strip_prefix('\'').unwrap_or(cell)
}

fn parse(bytes: &[u8]) -> Vec<Vec<String>> {
    let mut reader = ::csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(bytes);
    let row = |row: ::csv::ByteRecord| row.iter().map(|cell| String::from_utf8_lossy(cell).into_owned()).collect();
    reader.byte_records().filter_map(Result::ok).map(row).collect()
}

fn lines<'a>(rows: impl IntoIterator<Item = Vec<&'a str>>) -> io::Result<Vec<u8>> {
    let mut writer = ::csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
    for row in rows {
        writer.write_record(row)?;
    }
    writer.into_inner().map_err(|error| io::Error::other(error.to_string()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::submission;
    use super::*;

    async fn deliver(sink: &Csv, id: &str, answers: Value) {
        sink.deliver("any", &submission(id, 1, answers)).await.unwrap();
    }

    fn read(path: &std::path::Path) -> String {
        std::fs::read_to_string(path).unwrap()
    }

    #[tokio::test]
    async fn columns_come_from_the_form_and_then_from_the_answers() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("pizza.csv");
        let schema = json!({"properties": {
            "pizza": {"type": "string"},
            "address": {"properties": {"street": {}, "city": {}}},
            "items": {"type": "array"},
        }});
        let sink = Csv::new(path.clone(), Some(&schema));
        deliver(&sink, "a", json!({"pizza": "diavola", "address": {"city": "Milan"}})).await;
        deliver(&sink, "b", json!({"pizza": "two\n\"lines\"", "items": [{"n": 1}], "wine": true})).await;
        deliver(&sink, "a", json!({"pizza": "never"})).await;
        deliver(&Csv::new(path.clone(), Some(&schema)), "b", json!({"pizza": "never"})).await;
        insta::assert_snapshot!(read(&path), @r#"
        _id,_revision,_form,_version,_at,_platform,_user,pizza,address.street,address.city,items,wine
        a,1,pizza-order,0a1b,1970-01-01T00:00:00Z,web,ann,diavola,,Milan,,
        b,1,pizza-order,0a1b,1970-01-01T00:00:00Z,web,ann,"two
        ""lines""",,,"[{""n"":1}]",true
        "#);
    }

    #[tokio::test]
    async fn no_cell_is_a_formula() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("pizza.csv");
        let answers = json!({
            "a": "=1+1", "b": "+39", "c": "-2+3", "d": "@SUM(1)", "e": "\t=1", "f": "-12.50", "g": -3, "_h": "x",
        });
        deliver(&Csv::new(path.clone(), None), "=id", answers.clone()).await;
        deliver(&Csv::new(path.clone(), None), "=id", answers).await;
        insta::assert_snapshot!(read(&path), @"
        _id,_revision,_form,_version,_at,_platform,_user,a,b,c,d,e,f,g,field._h
        '=id,1,pizza-order,0a1b,1970-01-01T00:00:00Z,web,ann,'=1+1,'+39,'-2+3,'@SUM(1),'\t=1,-12.50,-3,x
        ");
    }

    #[tokio::test]
    async fn a_torn_row_is_cut_off_though_it_ends_in_a_line() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("pizza.csv");
        let answers = || json!({"note": "first\nsecond\nthird"});
        deliver(&Csv::new(path.clone(), None), "a", answers()).await;
        let good = read(&path);
        deliver(&Csv::new(path.clone(), None), "b", answers()).await;
        let whole = read(&path);
        for cut in good.len()..whole.len() {
            std::fs::write(&path, &whole[..cut]).unwrap();
            deliver(&Csv::new(path.clone(), None), "b", answers()).await;
            assert_eq!(read(&path), whole, "cut at {cut}");
        }
    }
}
