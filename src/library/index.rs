//! An index of documents: SQLite's FTS5 in memory, and the passages themselves.

use std::sync::{Mutex, PoisonError};

use rusqlite::{Connection, params};

use super::split::{Part, split};
use super::words::{beginning, words};
use crate::form::context::Document;

/// Most passages that are looked at for one question.
const MOST: usize = 32;

/// Words are put in as they are compared, so the tokenizer has nothing to fold that was not folded.
const TABLE: &str = "CREATE VIRTUAL TABLE passage USING fts5(heading, body, \
    tokenize = \"unicode61 remove_diacritics 2\", prefix = '3 4 5', content = '');";

/// Documents that can be searched.
#[derive(Debug)]
pub(super) struct Index {
    parts: Vec<Part>,
    db: Mutex<Connection>,
}

impl Index {
    /// Indexes documents.
    pub(super) fn of(documents: &[Document]) -> rusqlite::Result<Self> {
        let parts: Vec<Part> = documents.iter().flat_map(split).collect();
        let mut db = Connection::open_in_memory()?;
        db.execute_batch(TABLE)?;
        let all = db.transaction()?;
        {
            let mut insert = all.prepare("INSERT INTO passage (rowid, heading, body) VALUES (?1, ?2, ?3)")?;
            for (no, part) in (0_i64..).zip(&parts) {
                let heading = words(&part.headings.join("\n")).join(" ");
                insert.execute(params![no, heading, words(&part.text).join(" ")])?;
            }
        }
        all.commit()?;
        Ok(Self { parts, db: Mutex::new(db) })
    }

    /// How many passages there are.
    pub(super) fn len(&self) -> usize {
        self.parts.len()
    }

    /// The passages that have some of these words, in any form; those that FTS ranks first come first.
    pub(super) fn having(&self, terms: &[&str]) -> rusqlite::Result<Vec<&Part>> {
        let query = terms.iter().filter_map(|term| quoted(term)).collect::<Vec<_>>().join(" OR ");
        if query.is_empty() {
            return Ok(Vec::new());
        }
        let db = self.db.lock().unwrap_or_else(PoisonError::into_inner);
        let mut found = db.prepare_cached(
            "SELECT rowid FROM passage WHERE passage MATCH ?1 ORDER BY bm25(passage, 4.0, 1.0), rowid LIMIT ?2",
        )?;
        let rows =
            found.query_map(params![query, i64::try_from(MOST).unwrap_or(i64::MAX)], |row| row.get::<_, i64>(0))?;
        let rows: Vec<i64> = rows.collect::<rusqlite::Result<_>>()?;
        Ok(rows.into_iter().filter_map(|no| self.parts.get(usize::try_from(no).ok()?)).collect())
    }

    /// How many passages have a word, in any form.
    pub(super) fn count(&self, term: &str) -> rusqlite::Result<u32> {
        let Some(query) = quoted(term) else { return Ok(0) };
        let db = self.db.lock().unwrap_or_else(PoisonError::into_inner);
        let mut count = db.prepare_cached("SELECT count(*) FROM passage WHERE passage MATCH ?1")?;
        count.query_row([query], |row| row.get(0))
    }
}

/// A word as FTS takes it, in all its forms. Nothing of FTS's own syntax can be in it.
fn quoted(term: &str) -> Option<String> {
    let letters: String = beginning(term).chars().filter(|c| c.is_alphanumeric()).collect();
    (!letters.is_empty()).then(|| {
        let star = if letters.contains(char::is_numeric) || letters.chars().count() < 3 { "" } else { "*" };
        format!("\"{letters}\"{star}")
    })
}
