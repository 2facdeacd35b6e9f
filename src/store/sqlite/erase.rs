//! Removing what belongs to a person, by the indexes of who owns a record and who took part in it.

use std::collections::BTreeSet;

use rusqlite::types::ToSql;
use rusqlite::{Connection, params};

use super::outbox::{DEAD, DELIVERED};
use super::people::{PIECE, drop_parts, kept, read};
use super::row::Bodies;
use super::statements::{change, rows};
use crate::records::whose;
use crate::{Erased, ErasedSubmission, Erasure, SessionKey, StoreError};

/// Whose records are removed.
#[derive(Clone)]
pub(super) struct Meant {
    platform: String,
    ranges: Vec<(String, String)>,
    spare: String,
}

/// What one write removed.
#[derive(Default)]
pub(super) struct Removed {
    counts: Erased,
    submissions: Vec<super::people::Kept>,
    undelivered: BTreeSet<String>,
    /// Records that somebody was named for.
    shared: u64,
}

impl Removed {
    /// Whether there was nothing.
    pub(super) fn is_nothing(&self) -> bool {
        self.counts.total() + self.shared == 0
    }

    pub(super) fn add_to(self, gone: &mut Erasure, bodies: &Bodies) {
        gone.counts.add(&self.counts);
        let submissions = self.submissions.iter().filter_map(|kept| read(bodies, kept));
        gone.submissions.extend(submissions.map(ErasedSubmission::from));
        gone.undelivered.extend(self.undelivered);
    }

    fn is_full(&self) -> bool {
        self.counts.total() + self.shared >= u64::from(PIECE)
    }
}

impl Meant {
    pub(super) fn new(platform: &str, user: &str, spare: Option<&SessionKey>) -> Self {
        let spare = spare.map(|key| key.as_str().to_owned()).unwrap_or_default();
        Self { platform: platform.to_owned(), ranges: whose::ranges(user), spare }
    }

    /// Removes some records, one kind after the other. What is on its way goes after the submission that it carries, so
    /// that no receipt takes it for delivered. Sessions go last, together with the events that wait for their turn.
    pub(super) fn some(&self, tx: &Connection) -> Result<Removed, StoreError> {
        let mut removed = Removed::default();
        for (from, to) in &self.ranges {
            let range = Range { tx, of: [&self.platform, from, to], spare: &self.spare };
            let kinds = [
                Range::submissions,
                Range::with_others,
                Range::entries,
                Range::notes,
                Range::done_events,
                Range::sessions,
            ];
            for kind in kinds {
                if removed.is_full() {
                    return Ok(removed);
                }
                kind(&range, &mut removed)?;
            }
        }
        Ok(removed)
    }
}

/// People whose ids lie side by side.
struct Range<'a> {
    tx: &'a Connection,
    of: [&'a String; 3],
    spare: &'a String,
}

impl Range<'_> {
    /// Runs a statement with the platform, both ends of the range, the spared session and the size of a piece.
    fn each<T>(
        &self,
        sql: &str,
        make: impl FnMut(&rusqlite::Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        let [platform, from, to] = self.of;
        let all: [(&str, &dyn ToSql); 5] =
            [(":platform", platform), (":from", from), (":to", to), (":spare", self.spare), (":piece", &PIECE)];
        let used: Vec<_> = all.into_iter().filter(|(name, _)| sql.contains(name)).collect();
        rows(self.tx, sql, &used[..], make)
    }

    fn submissions(&self, removed: &mut Removed) -> Result<(), StoreError> {
        const SOME: &str = "DELETE FROM submission WHERE seq IN (SELECT seq FROM submission
            WHERE platform = :platform AND user BETWEEN :from AND :to LIMIT :piece) RETURNING id, revision, body";
        let gone = self.each(SOME, kept)?;
        gone.iter().try_for_each(|(id, revision, _)| drop_parts(self.tx, &format!("{id}.{revision}")))?;
        removed.counts.submissions += gone.len() as u64;
        removed.submissions.extend(gone);
        Ok(())
    }

    /// A form filled together goes whole with the first of those who filled it.
    fn with_others(&self, removed: &mut Removed) -> Result<(), StoreError> {
        const SOME: &str = "SELECT DISTINCT record FROM part
            WHERE platform = :platform AND user BETWEEN :from AND :to AND record <> :spare LIMIT :piece";
        const SESSION: &str = "DELETE FROM session WHERE key = ?1";
        const SUBMISSION: &str =
            "DELETE FROM submission WHERE id = ?1 AND revision = CAST(?2 AS INTEGER) RETURNING id, revision, body";
        let records: Vec<String> = self.each(SOME, |row| row.get(0))?;
        removed.shared += records.len() as u64;
        for record in &records {
            removed.counts.sessions += change(self.tx, SESSION, params![record])?;
            if let Some((id, revision)) = record.rsplit_once('.') {
                let gone = rows(self.tx, SUBMISSION, params![id, revision], kept)?;
                removed.counts.submissions += gone.len() as u64;
                removed.submissions.extend(gone);
            }
            drop_parts(self.tx, record)?;
        }
        Ok(())
    }

    fn entries(&self, removed: &mut Removed) -> Result<(), StoreError> {
        const SOME: &str = "DELETE FROM outbox WHERE seq IN (SELECT seq FROM outbox
            WHERE platform = :platform AND user BETWEEN :from AND :to LIMIT :piece) RETURNING state, id";
        for (state, id) in self.each(SOME, |row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?)))? {
            if state == DEAD {
                removed.counts.dead_letters += 1;
            } else {
                removed.counts.outbox += 1;
            }
            if state != DELIVERED {
                removed.undelivered.insert(id);
            }
        }
        Ok(())
    }

    fn notes(&self, removed: &mut Removed) -> Result<(), StoreError> {
        const SOME: &str = "DELETE FROM note WHERE platform = :platform AND key IN (SELECT key FROM note
            WHERE platform = :platform AND user BETWEEN :from AND :to LIMIT :piece) RETURNING 1";
        removed.counts.notes += self.each(SOME, |_| Ok(()))?.len() as u64;
        Ok(())
    }

    fn done_events(&self, removed: &mut Removed) -> Result<(), StoreError> {
        const SOME: &str = "DELETE FROM event WHERE seq IN (SELECT seq FROM event
            WHERE platform = :platform AND user BETWEEN :from AND :to AND done = 1 AND key <> :spare LIMIT :piece)
            RETURNING key, id";
        self.events(SOME, removed)
    }

    fn sessions(&self, removed: &mut Removed) -> Result<(), StoreError> {
        const OPEN: &str = "DELETE FROM event
            WHERE platform = :platform AND user BETWEEN :from AND :to AND done = 0 AND key <> :spare RETURNING key, id";
        const ANSWERS: &str = "DELETE FROM answer
            WHERE platform = :platform AND user BETWEEN :from AND :to AND key <> :spare RETURNING 1";
        const SOME: &str = "DELETE FROM session WHERE key IN (SELECT key FROM session
            WHERE platform = :platform AND user BETWEEN :from AND :to AND key <> :spare LIMIT :piece) RETURNING key";
        self.events(OPEN, removed)?;
        removed.counts.answers += self.each(ANSWERS, |_| Ok(()))?.len() as u64;
        let gone: Vec<String> = self.each(SOME, |row| row.get(0))?;
        removed.counts.sessions += gone.len() as u64;
        gone.iter().try_for_each(|key| drop_parts(self.tx, key))
    }

    /// Events, and what a model answered in their turns: those of a session that several share lie under its key.
    fn events(&self, sql: &str, removed: &mut Removed) -> Result<(), StoreError> {
        const ANSWERS: &str = "DELETE FROM answer WHERE key = ?1 AND event = ?2";
        let gone = self.each(sql, |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)))?;
        removed.counts.events += gone.len() as u64;
        for (key, id) in gone {
            removed.counts.answers += change(self.tx, ANSWERS, params![key, id])?;
        }
        Ok(())
    }
}
