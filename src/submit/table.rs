//! A table in a SQLite file: a row a submission, for reports and other programs.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use rusqlite::types::Value as Cell;
use rusqlite::{Connection, params};
use serde_json::Value;

use super::csv::flatten;
use super::{Sink, SinkError, blocking};
use formwright_engine::Submission;

/// Inserts submissions into a table, one row for each id and revision; the same again overwrites its row.
///
/// Each field has a column, made when it is first needed; members of groups are `group.member`, lists are JSON. The
/// whole of the answers is in `_answers`; `_zone` is the zone of the times, where there are any.
pub struct Table {
    connection: Arc<Mutex<Option<Connection>>>,
    path: PathBuf,
    name: String,
}

impl Table {
    /// A sink for this table of this file; both are made when the first submission comes.
    pub fn new(path: PathBuf, table: String) -> Self {
        Self { connection: Arc::default(), path, name: table }
    }
}

#[async_trait]
impl Sink for Table {
    async fn deliver(&self, _id: &str, submission: &Submission) -> Result<(), SinkError> {
        let (connection, path) = (Arc::clone(&self.connection), self.path.clone());
        let (table, submission) = (self.name.clone(), submission.clone());
        blocking(move || {
            let mut connection = connection.lock().unwrap_or_else(PoisonError::into_inner);
            let open = match connection.take() {
                Some(open) => open,
                None => open(&path, &table)?,
            };
            // A connection that failed is not kept: the next try opens the file anew.
            put(&open, &table, &submission).map_err(SinkError::retry)?;
            *connection = Some(open);
            Ok(())
        })
        .await
    }
}

fn open(path: &std::path::Path, table: &str) -> Result<Connection, SinkError> {
    if let Some(directory) = path.parent() {
        std::fs::create_dir_all(directory).map_err(SinkError::retry)?;
    }
    let make = || -> rusqlite::Result<Connection> {
        let connection = Connection::open(path)?;
        connection.busy_timeout(Duration::from_secs(5))?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.execute_batch(&format!(
            "CREATE TABLE IF NOT EXISTS {} (_id TEXT NOT NULL, _revision INTEGER NOT NULL, _form TEXT NOT NULL,
             _version TEXT NOT NULL, _at TEXT NOT NULL, _platform TEXT NOT NULL, _user TEXT NOT NULL,
             _answers TEXT NOT NULL, PRIMARY KEY (_id, _revision))",
            quoted(table)
        ))?;
        Ok(connection)
    };
    make().map_err(SinkError::retry)
}

fn put(connection: &Connection, table: &str, submission: &Submission) -> rusqlite::Result<()> {
    connection.execute_batch("BEGIN IMMEDIATE")?;
    let done = put_row(connection, table, submission);
    connection.execute_batch(if done.is_ok() { "COMMIT" } else { "ROLLBACK" })?;
    done
}

fn put_row(connection: &Connection, table: &str, submission: &Submission) -> rusqlite::Result<()> {
    let named = quoted(table);
    let Submission { id, revision, form, version, at, place, user, answers, zone, .. } = submission;
    connection.execute(
        &format!(
            "INSERT OR REPLACE INTO {named} (_id, _revision, _form, _version, _at, _platform, _user, _answers)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"
        ),
        params![
            id,
            revision,
            form.as_str(),
            version.as_str(),
            at.to_string(),
            place.platform.as_str(),
            user.as_str(),
            answers.to_string()
        ],
    )?;
    let mut fields = Vec::new();
    flatten(answers, "", &mut fields);
    let zone = zone.clone().map(Value::from);
    fields.extend(zone.iter().map(|zone| ("_zone".to_owned(), zone)));
    let mut known = connection.prepare("SELECT name FROM pragma_table_info(?1)")?;
    let known: Vec<String> = known.query_map([table], |row| row.get(0))?.collect::<Result<_, _>>()?;
    for (column, value) in fields {
        // SQLite's names are the same in upper and lower case.
        if !known.iter().any(|known| known.eq_ignore_ascii_case(&column)) {
            connection.execute(&format!("ALTER TABLE {named} ADD COLUMN {}", quoted(&column)), [])?;
        }
        let set = format!("UPDATE {named} SET {} = ?3 WHERE _id = ?1 AND _revision = ?2", quoted(&column));
        connection.execute(&set, params![id, revision, cell(value)])?;
    }
    Ok(())
}

fn cell(value: &Value) -> Cell {
    match value {
        Value::Null => Cell::Null,
        Value::Bool(yes) => Cell::Integer(i64::from(*yes)),
        Value::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(integer), _) => Cell::Integer(integer),
            (None, Some(real)) => Cell::Real(real),
            (None, None) => Cell::Text(number.to_string()),
        },
        Value::String(text) => Cell::Text(text.clone()),
        Value::Array(_) | Value::Object(_) => Cell::Text(value.to_string()),
    }
}

/// A name as SQL takes it, whatever is in it.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::submission;
    use super::*;

    #[tokio::test]
    async fn a_submission_is_one_row_and_its_fields_are_columns() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("deep/submissions.db");
        let sink = Table::new(path.clone(), "odd \"name\"; --'x".to_owned());
        let answers = json!({"pizza": "diavola", "n": 2, "wine": true, "a": {"city": "Milan"}, "x\"; --": [1]});
        for (id, revision) in [("a", 1), ("a", 1), ("a", 2), ("b", 1)] {
            sink.deliver("any", &submission(id, revision, answers.clone())).await.unwrap();
        }
        let again = Table::new(path.clone(), "odd \"name\"; --'x".to_owned());
        again.deliver("any", &submission("a", 1, json!({"PIZZA": "other", "new": "column"}))).await.unwrap();

        let connection = Connection::open(path).unwrap();
        let rows: Vec<(String, u32, Option<String>, Option<i64>)> = connection
            .prepare("SELECT _id, _revision, pizza, wine FROM \"odd \"\"name\"\"; --'x\" ORDER BY 1, 2")
            .unwrap()
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))
            .unwrap()
            .collect::<Result<_, _>>()
            .unwrap();
        let row = |id: &str, revision, pizza: &str, wine| (id.to_owned(), revision, Some(pizza.to_owned()), wine);
        let expected = [row("a", 1, "other", None), row("a", 2, "diavola", Some(1)), row("b", 1, "diavola", Some(1))];
        assert_eq!(rows, expected);
    }
}
