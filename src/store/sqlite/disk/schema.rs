//! Opening the file: settings of a connection, tables, and their migrations.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rusqlite::Connection;

use crate::records::whose::givers;
use crate::sqlite::people::took_part;
use crate::sqlite::row::{is_damage, unavailable};
use crate::{Damage, Refusal, StoreError};

/// How long a statement waits for another process.
pub(crate) const BUSY: Duration = Duration::from_secs(5);
/// Two processes that open a new file together may be told "locked" at once, in spite of [`BUSY`].
const OPEN_TRIES: u32 = 10;
const OPEN_PAUSE: Duration = Duration::from_millis(100);

/// Each brings the schema one version further; `user_version` counts those done. Never edit one that was released.
const MIGRATIONS: &[&str] = &[
    "
    CREATE TABLE counter (
        one INTEGER PRIMARY KEY CHECK (one = 1),
        n INTEGER NOT NULL
    ) STRICT;
    INSERT INTO counter VALUES (1, 0);

    CREATE TABLE session (
        key TEXT PRIMARY KEY,
        platform TEXT NOT NULL,
        user TEXT NOT NULL,
        version INTEGER NOT NULL,
        turn TEXT NOT NULL,
        expires INTEGER NOT NULL,
        body TEXT NOT NULL,
        checksum BLOB NOT NULL
    ) STRICT;
    CREATE INDEX session_expires ON session (expires);
    CREATE INDEX session_person ON session (platform, user);

    -- body is the event while done = 0, and the replies once done = 1.
    CREATE TABLE event (
        seq INTEGER PRIMARY KEY,
        key TEXT NOT NULL,
        id TEXT NOT NULL,
        platform TEXT NOT NULL,
        user TEXT NOT NULL,
        done INTEGER NOT NULL,
        turn TEXT NOT NULL,
        at INTEGER NOT NULL,
        body TEXT NOT NULL,
        UNIQUE (key, id)
    ) STRICT;
    CREATE INDEX event_open ON event (seq) WHERE done = 0;
    CREATE INDEX event_done ON event (at) WHERE done = 1;
    CREATE INDEX event_person ON event (platform, user);

    -- state: 0 waiting, 1 delivered (body erased), 2 dead letter. at is the time of the last change of state.
    CREATE TABLE outbox (
        seq INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        lane TEXT NOT NULL,
        platform TEXT NOT NULL,
        user TEXT NOT NULL,
        state INTEGER NOT NULL,
        due INTEGER NOT NULL,
        lease INTEGER NOT NULL,
        attempts INTEGER NOT NULL,
        created INTEGER NOT NULL,
        at INTEGER NOT NULL,
        last_error TEXT,
        body TEXT
    ) STRICT;
    CREATE INDEX outbox_due ON outbox (due) WHERE state = 0;
    CREATE INDEX outbox_lane ON outbox (lane, seq) WHERE state = 0;
    CREATE INDEX outbox_state ON outbox (state, seq);
    CREATE INDEX outbox_person ON outbox (platform, user);

    CREATE TABLE submission (
        seq INTEGER PRIMARY KEY,
        id TEXT NOT NULL,
        revision INTEGER NOT NULL,
        form TEXT NOT NULL,
        platform TEXT NOT NULL,
        user TEXT NOT NULL,
        body TEXT NOT NULL,
        UNIQUE (id, revision)
    ) STRICT;
    CREATE INDEX submission_form ON submission (form, seq);
    CREATE INDEX submission_person ON submission (platform, user);
",
    "
    -- What adapters note. user is null where a note is about nobody.
    CREATE TABLE note (
        platform TEXT NOT NULL,
        key TEXT NOT NULL,
        user TEXT,
        at INTEGER NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY (platform, key)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX note_person ON note (platform, user);
    CREATE INDEX note_at ON note (at) WHERE user IS NOT NULL;
",
    "
    -- What a model answered in turns that are not committed yet.
    CREATE TABLE answer (
        key TEXT NOT NULL,
        event TEXT NOT NULL,
        call TEXT NOT NULL,
        platform TEXT NOT NULL,
        user TEXT NOT NULL,
        at INTEGER NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY (key, event, call)
    ) STRICT, WITHOUT ROWID;

    -- Who took part in what is sealed: a session, by its key, or a submission, by id and revision.
    CREATE TABLE part (
        record TEXT NOT NULL,
        platform TEXT NOT NULL,
        user TEXT NOT NULL,
        PRIMARY KEY (record, platform, user)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX part_person ON part (platform, user);
",
    "
    -- When it was submitted. Of one that cannot be read, when that was found.
    ALTER TABLE submission ADD COLUMN at INTEGER NOT NULL DEFAULT 0;
    UPDATE submission SET at =
        1000 * coalesce(CASE WHEN json_valid(body) THEN unixepoch(json_extract(body, '$.at')) END, unixepoch());
    CREATE INDEX submission_at ON submission (form, at);
",
    "
    -- Which keys seal what is kept: the name of each, and something that it has sealed.
    CREATE TABLE mark (
        name TEXT PRIMARY KEY,
        mark BLOB NOT NULL
    ) STRICT, WITHOUT ROWID;
",
    "
    -- From here on `part` names everybody who took part, whether or not a record is sealed.
    CREATE INDEX answer_person ON answer (platform, user);
",
];
/// The version that begins with `part` of all records.
const ALL_PARTS: u16 = 6;

/// Opens a connection that writes; tries again while another process has the file.
pub(crate) fn open_retrying(file: &Path) -> Result<Connection, StoreError> {
    let mut tries = 1;
    loop {
        match open(file) {
            Ok(connection) => return Ok(connection),
            Err(error) if tries < OPEN_TRIES && is_busy(&error) => std::thread::sleep(OPEN_PAUSE),
            Err(error) => return Err(unusable(error)),
        }
        tries += 1;
    }
}

/// The same, with the schema brought up to date.
pub(crate) fn open_migrated(file: &Path) -> Result<Connection, StoreError> {
    let mut connection = open_retrying(file)?;
    migrate(&mut connection)?;
    Ok(connection)
}

/// Opens a connection that only reads.
pub(crate) fn open_reader(file: &Path) -> Result<Connection, StoreError> {
    let connection = Connection::open(file).map_err(unavailable)?;
    connection.busy_timeout(BUSY).map_err(unavailable)?;
    connection.pragma_update(None, "query_only", true).map_err(unavailable)?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}

/// Runs the migrations that the file has not seen, each in a transaction of its own.
pub(crate) fn migrate(connection: &mut Connection) -> Result<(), StoreError> {
    let newest = u16::try_from(MIGRATIONS.len()).unwrap_or(u16::MAX);
    loop {
        let tx = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate).map_err(unusable)?;
        let version: u16 = tx.pragma_query_value(None, "user_version", |row| row.get(0)).map_err(unusable)?;
        if version > newest {
            return Err(Refusal::Newer { found: version, known: newest }.into());
        }
        let Some(migration) = MIGRATIONS.get(usize::from(version)) else { return Ok(()) };
        tx.execute_batch(migration).map_err(unusable)?;
        if version + 1 == ALL_PARTS {
            name_all_parts(&tx)?;
        }
        tx.pragma_update(None, "user_version", version + 1).map_err(unusable)?;
        tx.commit().map_err(unusable)?;
    }
}

/// Sorts the errors of an opening: a damaged file is one that can be put aside.
pub(crate) fn unusable(error: rusqlite::Error) -> StoreError {
    if is_damage(&error) { Damage::File(Arc::new(error)).into() } else { unavailable(error) }
}

/// Names whoever took part in records that are not sealed: in those that are, they are named already.
pub(crate) fn name_all_parts(tx: &Connection) -> Result<(), StoreError> {
    const RECORDS: [&str; 2] = [
        "SELECT key, platform, body FROM session WHERE instr(body, '\"by\":\"')",
        "SELECT id || '.' || revision, platform, body FROM submission WHERE instr(body, '\"by\":\"')",
    ];
    for sql in RECORDS {
        let mut records = tx.prepare(sql).map_err(unavailable)?;
        let mut records = records.query([]).map_err(unavailable)?;
        while let Some(row) = records.next().map_err(unavailable)? {
            let text = |no: usize| row.get::<_, String>(no).map_err(unavailable);
            took_part(tx, &text(0)?, &text(1)?, &givers(&text(2)?))?;
        }
    }
    Ok(())
}

fn open(file: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(file)?;
    connection.busy_timeout(BUSY)?;
    // A file that is there already would be written to for nothing.
    if connection.pragma_query_value(None, "page_count", |row| row.get::<_, i64>(0))? == 0 {
        connection.execute_batch("PRAGMA auto_vacuum = INCREMENTAL")?;
    }
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "secure_delete", true)?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}

fn is_busy(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error_code();
    matches!(code, Some(rusqlite::ErrorCode::DatabaseBusy | rusqlite::ErrorCode::DatabaseLocked))
}
