//! An index of documents: SQLite's FTS5 in memory, and the passages themselves.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use formwright_chat::words::primary;
use rusqlite::{Connection, params};

use super::split::{Part, split};
use super::words::{beginning, words};
use formwright_form::context::Document;

/// Most passages that are looked at for one question in one language.
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

    /// The passages that have some of these words, in any form, of those that `of` wants; those that FTS ranks first come
    /// first.
    pub(super) fn having(&self, terms: &[&str], of: impl Fn(&Part) -> bool) -> rusqlite::Result<Vec<&Part>> {
        let Some(query) = any_of(terms.iter().copied()) else { return Ok(Vec::new()) };
        let db = self.db.lock().unwrap_or_else(PoisonError::into_inner);
        let mut found = db.prepare_cached(
            "SELECT rowid FROM passage WHERE passage MATCH ?1 ORDER BY bm25(passage, 4.0, 1.0), rowid",
        )?;
        let mut rows = found.query([query])?;
        let mut parts = Vec::new();
        while let Some(row) = rows.next()?.filter(|_| parts.len() < MOST) {
            let part = usize::try_from(row.get::<_, i64>(0)?).ok().and_then(|no| self.parts.get(no));
            parts.extend(part.filter(|part| of(part)));
        }
        Ok(parts)
    }

    /// How many passages have one of these words, in any form.
    pub(super) fn count(&self, words: &[String]) -> rusqlite::Result<u32> {
        let Some(query) = any_of(words.iter().map(String::as_str)) else { return Ok(0) };
        let db = self.db.lock().unwrap_or_else(PoisonError::into_inner);
        let mut count = db.prepare_cached("SELECT count(*) FROM passage WHERE passage MATCH ?1")?;
        count.query_row([query], |row| row.get(0))
    }

    /// The languages of the documents: the tags by which they are told apart, `it`.
    pub(super) fn langs(&self) -> BTreeSet<&str> {
        self.parts.iter().flat_map(|part| &part.langs).map(|tag| primary(tag)).collect()
    }
}

/// What FTS is asked for some words.
fn any_of<'w>(words: impl Iterator<Item = &'w str>) -> Option<String> {
    let query = words.filter_map(quoted).collect::<Vec<_>>().join(" OR ");
    (!query.is_empty()).then_some(query)
}

/// A word as FTS takes it, in all its forms. Nothing of FTS's own syntax can be in it.
fn quoted(term: &str) -> Option<String> {
    let letters: String = beginning(term).chars().filter(|c| c.is_alphanumeric()).collect();
    (!letters.is_empty()).then(|| {
        let star = if letters.contains(char::is_numeric) || letters.chars().count() < 3 { "" } else { "*" };
        format!("\"{letters}\"{star}")
    })
}
