use tempfile::TempDir;

use super::super::conformance::crowds::join;
use super::super::conformance::{
    Bench, at, commit, conformance_tests, event, key, outgoing, place, reply, submission, user,
};
use super::disk::{rescue, schema};
use super::*;
use crate::Parcel;

struct Sqlite {
    store: Option<SqliteStore>,
    directory: TempDir,
}

impl Sqlite {
    fn file(&self) -> std::path::PathBuf {
        self.directory.path().join("store.db")
    }

    /// Changes the file behind the store's back.
    fn tamper(&self, sql: &str) {
        let connection = rusqlite::Connection::open(self.file()).unwrap();
        assert!(connection.execute(sql, []).unwrap() > 0, "{sql}");
    }
}

impl Bench for Sqlite {
    type Store = SqliteStore;

    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(&directory.path().join("store.db")).unwrap();
        Self { store: Some(store), directory }
    }

    fn store(&self) -> &SqliteStore {
        self.store.as_ref().unwrap()
    }

    fn reopen(mut self) -> Self {
        self.store = None;
        self.store = Some(SqliteStore::open(&self.file()).unwrap());
        self
    }
}

conformance_tests!(Sqlite);

mod with_a_key {
    use super::*;

    struct Sealed(Sqlite);

    impl Sealed {
        fn open(bench: &Sqlite) -> SqliteStore {
            SqliteStore::sealed(&bench.file(), Seal::new(&[[7; 32]], false)).unwrap()
        }
    }

    impl Bench for Sealed {
        type Store = SqliteStore;

        fn new() -> Self {
            let mut bench = Sqlite::new();
            bench.store = Some(Self::open(&bench));
            Self(bench)
        }

        fn store(&self) -> &SqliteStore {
            self.0.store()
        }

        fn reopen(mut self) -> Self {
            self.0.store = None;
            self.0.store = Some(Self::open(&self.0));
            self
        }
    }

    conformance_tests!(Sealed);

    fn opened(bench: &Sqlite, keys: &[[u8; 32]], takes_open: bool) -> SqliteStore {
        SqliteStore::sealed(&bench.file(), Seal::new(keys, takes_open)).unwrap()
    }

    #[tokio::test]
    async fn who_lacks_the_key_is_refused_and_destroys_nothing() {
        let mut bench = Sqlite::new();
        bench.store = None;
        let store = opened(&bench, &[[1; 32]], false);
        store.use_keys().await.unwrap();
        let turn = Commit { outbox: vec![outgoing("o", "lane", "ann", 0)], ..commit("ann", 0, "t1") };
        store.commit(&turn).await.unwrap();
        let now = Timestamp::now();
        for other in [opened(&bench, &[], false), opened(&bench, &[[2; 32]], false)] {
            for refused in [other.check_keys().await, other.use_keys().await, other.load(&key("ann")).await.map(drop)] {
                assert!(matches!(&refused, Err(StoreError::Sealed(_))), "{refused:?}");
            }
            assert_eq!(other.due(now, now, 10).await.unwrap(), []);
            let waiting = other.outbox(OutboxState::Waiting, 10).await.unwrap();
            assert!(waiting[0].last_error.as_ref().is_some_and(|error| error.contains("not set")), "{waiting:?}");
            assert!(other.backlog().await.unwrap().unreadable > 0);
        }
        assert!(store.load(&key("ann")).await.unwrap().session.is_some());
        assert_eq!(store.outbox(OutboxState::Dead, 10).await.unwrap(), []);
    }

    #[tokio::test]
    async fn what_an_older_key_sealed_is_sealed_anew_until_that_key_is_not_needed() {
        let mut bench = Sqlite::new();
        bench.store = None;
        let store = opened(&bench, &[], false);
        store.use_keys().await.unwrap();
        let turn = Commit {
            event: Some(chat::EventId::new("e")),
            outbox: vec![outgoing("o", "lane", "ann", 0)],
            submissions: vec![submission("s", 1, "pizza", "ann")],
            ..commit("ann", 0, "t1")
        };
        store.commit(&turn).await.unwrap();
        store.accept(&key("ann"), &event("open", "ann")).await.unwrap();
        assert!(opened(&bench, &[[1; 32]], false).use_keys().await.is_err(), "what is not sealed would be lost");
        opened(&bench, &[[1; 32]], true).use_keys().await.unwrap();
        let store = opened(&bench, &[[2; 32], [1; 32]], true);
        store.use_keys().await.unwrap();
        let done = store.reseal().await.unwrap();
        assert_eq!(done.sealed, 5);
        assert!(done.left.len() == 2 && done.left.values().all(|left| *left == 0), "{done:?}");
        assert_eq!(store.reseal().await.unwrap(), Resealed::default());
        let store = opened(&bench, &[[2; 32]], false);
        store.use_keys().await.unwrap();
        assert_eq!(store.submissions(None, 10).await.unwrap(), [submission("s", 1, "pizza", "ann")]);
        assert!(store.load(&key("ann")).await.unwrap().session.is_some());
        assert_eq!(store.open_events(10).await.unwrap().len(), 1);
        assert!(matches!(store.seen(&key("ann"), &chat::EventId::new("e")).await.unwrap(), Some(Accepted::Done(_))));
        assert_eq!(store.unreadable(), 0);
    }

    #[tokio::test]
    async fn no_word_of_a_person_stands_in_a_file_and_no_row_serves_in_anothers_place() {
        let bench = Sealed::new();
        let store = bench.store();
        let turn = Commit {
            event: Some(chat::EventId::new("e")),
            replies: vec![super::super::super::conformance::reply("canary-reply")],
            outbox: vec![outgoing("canary-out", "lane", "ann", 0)],
            submissions: vec![submission("s", 1, "pizza", "ann")],
            ..commit("ann", 0, "canary-session")
        };
        store.commit(&turn).await.unwrap();
        store.accept(&key("ann"), &event("open", "ann")).await.unwrap();
        for word in ["canary-reply", "\"say\":[\"canary-out", "diavola", "spicy", "\"lang\":\"canary-session"] {
            assert!(!found_in(bench.0.directory.path(), word), "{word}");
        }
        store.commit(&commit("ben", 0, "t2")).await.unwrap();
        bench.0.tamper("UPDATE session SET (body, checksum) = (SELECT body, checksum FROM session WHERE user = 'ann')");
        assert!(matches!(store.load(&key("ben")).await, Err(StoreError::Damaged(_))));
        bench.0.tamper("UPDATE session SET version = version + 1 WHERE user = 'ann'");
        assert!(matches!(store.load(&key("ann")).await, Err(StoreError::Damaged(_))));
    }
}

#[tokio::test]
async fn a_damaged_session_is_told_and_never_served() {
    let bench = Sqlite::new();
    let tampering = [
        "UPDATE session SET body = replace(body, 't1', 't2')",
        "UPDATE session SET body = substr(body, 1, 20)",
        "UPDATE session SET checksum = x'00'",
    ];
    for (no, sql) in tampering.iter().enumerate() {
        let version = bench.store().load(&key("ann")).await.map_or(no as u64, |stored| stored.version);
        bench.store().commit(&commit("ann", version, "t1")).await.unwrap();
        bench.tamper(sql);
        let error = bench.store().load(&key("ann")).await.unwrap_err();
        assert!(matches!(error, StoreError::Damaged(_)), "{error}");
        bench.store().delete(&key("ann")).await.unwrap();
    }
}

#[tokio::test]
async fn a_session_moved_to_another_key_is_damaged() {
    let bench = Sqlite::new();
    bench.store().commit(&commit("ann", 0, "t1")).await.unwrap();
    bench.store().commit(&commit("ben", 0, "t2")).await.unwrap();
    bench.tamper("UPDATE session SET (body, checksum) = (SELECT body, checksum FROM session WHERE user = 'ann')");
    assert!(bench.store().load(&key("ann")).await.is_ok());
    assert!(matches!(bench.store().load(&key("ben")).await, Err(StoreError::Damaged(_))));
}

#[tokio::test]
async fn a_damaged_event_entry_or_submission_holds_up_no_other() {
    let bench = Sqlite::new();
    for id in ["bad", "good"] {
        bench.store().accept(&key("ann"), &event(id, "ann")).await.unwrap();
    }
    let entries = ["bad", "good"].map(|id| outgoing(id, "lane", "ann", 0)).to_vec();
    let submissions = ["bad", "good"].map(|id| submission(id, 1, "pizza", "ann")).to_vec();
    bench.store().commit(&Commit { outbox: entries, submissions, ..commit("ann", 0, "t1") }).await.unwrap();
    bench.tamper("UPDATE event SET body = '{' WHERE id = 'bad'");
    bench.tamper("UPDATE outbox SET body = '{' WHERE id = 'bad'");
    bench.tamper("UPDATE submission SET body = '{' WHERE id = 'bad'");
    assert_eq!(bench.store().submissions(None, 10).await.unwrap(), [submission("good", 1, "pizza", "ann")]);
    assert_eq!(bench.store().open_events(10).await.unwrap(), [event("good", "ann")]);
    let now = Timestamp::now();
    assert_eq!(bench.store().due(now, now, 10).await.unwrap(), []);
    assert_eq!(bench.store().due(now, now, 10).await.unwrap()[0].id, "good");
    let dead = bench.store().outbox(OutboxState::Dead, 10).await.unwrap();
    assert_eq!((dead[0].id.as_str(), &dead[0].parcel), ("bad", &Parcel::Erased));
    assert!(dead[0].last_error.as_ref().is_some_and(|error| error.starts_with("damaged record")));
}

#[tokio::test]
async fn erasing_leaves_no_byte_in_any_file() {
    const CANARY: &str = "canary-8c21";
    let bench = Sqlite::new();
    let turn = Commit {
        event: Some(chat::EventId::new("e")),
        replies: vec![reply(CANARY)],
        outbox: ["waiting", "delivered", "dead"].map(|id| outgoing(&format!("{CANARY} {id}"), id, CANARY, 0)).to_vec(),
        submissions: vec![submission("s", 1, "pizza", CANARY)],
        ..commit(CANARY, 0, "t1")
    };
    bench.store().commit(&turn).await.unwrap();
    bench.store().accept(&key(CANARY), &event("open", CANARY)).await.unwrap();
    for (what, ended) in [("delivered", Delivery::Done), ("dead", Delivery::Dead { error: CANARY.to_owned() })] {
        bench.store().mark(&format!("{CANARY} {what}"), ended, at(1)).await.unwrap();
    }
    let (platform, owner) = (place().platform, Some(user(CANARY)));
    let note = chat::Note { platform, key: CANARY.to_owned(), owner, value: Some(serde_json::json!(CANARY)) };
    bench.store().set_note(&note, at(0)).await.unwrap();
    bench.store().keep_answer((&key(CANARY), &chat::EventId::new("open")), CANARY, CANARY, at(0)).await.unwrap();
    assert!(found_in(bench.directory.path(), CANARY), "it was written");
    bench.store().erase(&place().platform, &user(CANARY), None).await.unwrap();
    assert!(!found_in(bench.directory.path(), CANARY));
}

#[tokio::test]
async fn forgetting_submissions_leaves_no_byte_in_any_file() {
    const CANARY: &str = "canary-5f70";
    let bench = Sqlite::new();
    let submissions = vec![submission(CANARY, 1, "pizza", "ann")];
    bench.store().commit(&Commit { submissions, ..commit("ann", 0, "t1") }).await.unwrap();
    assert!(found_in(bench.directory.path(), CANARY), "it was written");
    assert_eq!(bench.store().forget_submissions(&FormId::new("pizza"), at(1)).await.unwrap(), 1);
    assert!(!found_in(bench.directory.path(), CANARY));
}

#[tokio::test]
async fn a_file_without_times_of_submission_gets_them() {
    let bench = Sqlite::new();
    let submissions = ["good", "bad"].map(|id| submission(id, 1, "pizza", "ann")).to_vec();
    bench.store().commit(&Commit { submissions, ..commit("ann", 0, "t1") }).await.unwrap();
    bench.tamper("UPDATE submission SET body = '{' WHERE id = 'bad'");
    let connection = rusqlite::Connection::open(bench.file()).unwrap();
    connection
        .execute_batch(
            "DROP INDEX answer_person; DROP TABLE mark; DROP INDEX submission_at; ALTER TABLE submission DROP COLUMN at; PRAGMA user_version = 3",
        )
        .unwrap();
    let bench = bench.reopen();
    let mut statement = connection.prepare("SELECT at FROM submission ORDER BY seq").unwrap();
    let times = statement.query_map([], |row| row.get(0));
    let times: Vec<i64> = times.unwrap().collect::<Result<_, _>>().unwrap();
    assert_eq!(times[0], at(0).as_millisecond());
    assert!(times[1] > times[0], "one that cannot be read is as old as this opening");
    assert_eq!(bench.store().forget_submissions(&FormId::new("pizza"), at(1)).await.unwrap(), 1);
}

/// Files that SQLite keeps beside the database.
fn beside(bench: &Sqlite) -> Vec<String> {
    let names = std::fs::read_dir(bench.directory.path()).unwrap();
    let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| name != "store.db").collect();
    names.sort();
    names
}

#[tokio::test]
async fn a_store_that_is_closed_is_one_file_and_one_that_rests_has_an_empty_log() {
    let bench = Sqlite::new();
    bench.store().commit(&commit("ann", 0, "t1")).await.unwrap();
    let log = bench.directory.path().join("store.db-wal");
    assert!(std::fs::metadata(&log).unwrap().len() > 0);
    bench.store().rest().await.unwrap();
    assert_eq!(std::fs::metadata(&log).unwrap().len(), 0);
    bench.store().commit(&commit("ben", 0, "t1")).await.unwrap();
    bench.store().close().await.unwrap();
    assert_eq!(beside(&bench), Vec::<String>::new());
    let error = bench.store().commit(&commit("cem", 0, "t1")).await.unwrap_err();
    assert!(matches!(error, StoreError::Unavailable(_)), "{error}");
    bench.store().load(&key("ann")).await.unwrap_err();
    let bench = bench.reopen();
    assert_eq!(bench.store().session_count().await.unwrap(), 2);
}

#[cfg(unix)]
#[tokio::test]
async fn a_file_that_was_moved_away_is_not_written_to_until_it_is_back() {
    let bench = Sqlite::new();
    bench.store().commit(&commit("ann", 0, "t1")).await.unwrap();
    let (folder, away) = (bench.directory.path(), tempfile::tempdir().unwrap());
    let moved = away.path().join("moved");
    for name in ["store.db", "store.db-wal"] {
        std::fs::rename(folder.join(name), &moved).unwrap();
        let error = bench.store().commit(&commit("ben", 0, "t1")).await.unwrap_err().to_string();
        assert!(error.contains(name) && error.contains("moved away"), "{error}");
        assert!(!error.contains(folder.to_str().unwrap()), "health tells it to everybody: {error}");
        std::fs::write(folder.join(name), "another").unwrap();
        let replaced = bench.store().commit(&commit("ben", 0, "t1")).await;
        assert!(matches!(replaced, Err(StoreError::Unavailable(_))), "{replaced:?}");
        std::fs::rename(&moved, folder.join(name)).unwrap();
    }
    assert_eq!(bench.store().commit(&commit("ben", 0, "t1")).await.unwrap(), Committed::Done);
}

fn served(bench: &Sqlite) -> Result<SqliteStore, StoreError> {
    SqliteStore::serving(&bench.file(), Seal::none())
}

#[tokio::test]
async fn an_empty_file_is_begun_afresh_and_told_and_what_its_log_holds_is_taken_over() {
    let mut bench = Sqlite::new();
    bench.store().commit(&commit("ann", 0, "t1")).await.unwrap();
    let log = std::fs::read(bench.directory.path().join("store.db-wal")).unwrap();
    bench.store().close().await.unwrap();
    bench.store = None;
    let store = served(&bench).unwrap();
    assert_eq!(store.notices(), Vec::<String>::new());
    store.close().await.unwrap();
    std::fs::write(bench.file(), "").unwrap();
    bench.store = Some(served(&bench).unwrap());
    let told = bench.store().notices();
    assert!(told[0].contains("was empty"), "{told:?}");
    assert_eq!(bench.store().session_count().await.unwrap(), 0);
    bench.store().close().await.unwrap();
    std::fs::write(bench.file(), "").unwrap();
    std::fs::write(bench.directory.path().join("store.db-wal"), &log).unwrap();
    let store = served(&bench).unwrap();
    assert!(store.notices()[0].contains("it is empty and its log is not"), "{:?}", store.notices());
    assert!(store.load(&key("ann")).await.unwrap().session.is_some(), "taken over from the log");
    let aside = beside(&bench).into_iter().find(|name| name.ends_with("Z-wal")).unwrap();
    assert_eq!(std::fs::read(bench.directory.path().join(aside)).unwrap(), log, "as it was");
}

/// What is told while the program runs is to be followed.
#[tokio::test]
async fn what_was_emptied_while_it_is_open_is_well_again_after_a_new_start() {
    let mut bench = Sqlite::new();
    for no in 0..40 {
        bench.store().commit(&commit(&format!("u{no}"), 0, "t1")).await.unwrap();
    }
    std::fs::File::options().write(true).open(bench.file()).unwrap().set_len(0).unwrap();
    let killed = tempfile::tempdir().unwrap();
    for name in ["store.db", "store.db-wal"] {
        std::fs::copy(bench.directory.path().join(name), killed.path().join(name)).unwrap();
    }
    let _ = bench.store().close().await;
    bench.store = None;
    for file in [bench.file(), killed.path().join("store.db")] {
        let store = SqliteStore::serving(&file, Seal::none()).unwrap();
        assert_eq!(store.session_count().await.unwrap(), 40, "{:?}", store.notices());
    }
}

/// Every table, and rows of several pages.
async fn filled() -> Sqlite {
    let mut bench = Sqlite::new();
    for no in 0..60 {
        let (name, id) = (format!("u{no}"), format!("e{no}"));
        let (store, event) = (bench.store(), event(&id, &name));
        store.keep_answer((&key(&name), &event.id), "read", &"answer ".repeat(20), at(0)).await.unwrap();
        store.accept(&key(&name), &event).await.unwrap();
        let platform = place().platform;
        let value = Some(serde_json::json!("screen"));
        store
            .set_note(&chat::Note { platform, key: id.clone(), owner: Some(user(&name)), value }, at(0))
            .await
            .unwrap();
        let outbox = vec![outgoing(&"long ".repeat(1 + no % 7 * 200), &name, &name, 0)];
        let submissions = vec![submission(&id, 1, "pizza", &name)];
        store.commit(&Commit { outbox, submissions, ..commit(&name, 0, "t1") }).await.unwrap();
    }
    bench.tamper("INSERT INTO part SELECT key, platform, user || ' and others' FROM session");
    bench.store().close().await.unwrap();
    bench.store = None;
    bench
}

#[tokio::test]
async fn a_damaged_page_costs_its_own_rows_and_no_others() {
    const TABLES: &str = "('session', 'event', 'outbox', 'submission', 'note', 'answer')";
    let bench = filled().await;
    let connection = rusqlite::Connection::open(bench.file()).unwrap();
    let number = |sql: &str| row::unsigned(connection.query_row(sql, [], |row| row.get(0)).unwrap());
    let rows_of = |name: &str| number(&format!("SELECT count(*) FROM {name}"));
    let all: u64 = TABLES.split('\'').filter(|name| name.len() > 3).map(rows_of).sum();
    let rows_on = |page: usize| {
        number(&format!(
            "SELECT coalesce(sum(CASE pagetype WHEN 'leaf' THEN ncell WHEN 'overflow' THEN 1 ELSE
                 CASE WHEN name IN ('note', 'answer') THEN ncell ELSE 0 END END), 0)
             FROM dbstat WHERE pageno = {page} AND name IN {TABLES}"
        ))
    };
    let bytes = std::fs::read(bench.file()).unwrap();
    let pages = bytes.len() / 4096;
    assert!(pages > 40, "{pages}");
    let on: Vec<u64> = (1..=pages).map(rows_on).collect();
    drop(connection);
    let taken_over = |damaged: &[u8]| {
        std::fs::write(bench.file(), damaged).unwrap();
        let mut fresh = rusqlite::Connection::open_in_memory().unwrap();
        schema::migrate(&mut fresh).unwrap();
        let taken = rescue::take_over(&mut fresh, &bench.file()).unwrap();
        assert_eq!(std::fs::read(bench.file()).unwrap(), damaged, "it is only read");
        let count = |sql| row::unsigned(fresh.query_row(sql, [], |row| row.get(0)).unwrap());
        let parts = count("SELECT count(*) FROM part");
        (taken - parts, parts == count("SELECT count(*) FROM session"))
    };
    let mut seed = 7_u32;
    let mut noise = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        seed.to_be_bytes()[0]
    };
    assert_eq!(taken_over(&bytes), (all, true));
    let mut sums = [0, 0, 0];
    for page in 0..pages {
        let (cut, _) = taken_over(&bytes[..page * 4096 + 1000]);
        let gone: u64 = on[page..].iter().sum();
        assert!(cut <= all && cut + gone >= all, "cut in page {page}: {cut} of {all}, {gone} were behind");
        let mut damaged = bytes.clone();
        damaged[page * 4096..][..4096].fill(0);
        let (zeros, named) = taken_over(&damaged);
        assert!(named, "page {page}: who took part stands in an index too");
        damaged[page * 4096..][..4096].fill_with(&mut noise);
        let (noises, _) = taken_over(&damaged);
        for left in [zeros, noises] {
            assert!(left <= all && left + on[page] >= all, "page {page}: {left} of {all}, {} were there", on[page]);
        }
        sums = [sums[0] + cut, sums[1] + zeros, sums[2] + noises];
    }
    println!("{all} rows in {pages} pages; left on average: {:?}", sums.map(|sum| sum / pages as u64));
}

#[tokio::test]
async fn a_file_that_is_cut_short_is_taken_over() {
    let bench = filled().await;
    let bytes = std::fs::read(bench.file()).unwrap();
    std::fs::write(bench.file(), &bytes[..bytes.len() - 4096]).unwrap();
    let store = served(&bench).unwrap();
    assert!(store.notices()[0].contains("was damaged"), "{:?}", store.notices());
    assert_eq!(store.session_count().await.unwrap(), 60);
    let version = store.load(&key("u1")).await.unwrap().version;
    assert_eq!(store.commit(&commit("u1", version, "t2")).await.unwrap(), Committed::Done);
}

#[tokio::test]
async fn what_was_taken_over_is_used_though_the_start_ended_before_it_was_in_its_place() {
    let bench = filled().await;
    let bytes = std::fs::read(bench.file()).unwrap();
    std::fs::write(bench.file(), &bytes[..bytes.len() - 4096]).unwrap();
    served(&bench).unwrap().close().await.unwrap();
    // As it is between two renames: the new file waits, and of the damaged one the log is still there.
    std::fs::rename(bench.file(), crate::sqlite::disk::place::beside(&bench.file(), ".rescued")).unwrap();
    std::fs::write(crate::sqlite::disk::place::beside(&bench.file(), "-wal"), "the log of the damaged file").unwrap();
    assert_eq!(served(&bench).unwrap().session_count().await.unwrap(), 60);
    let aside = std::fs::read_dir(bench.directory.path()).unwrap();
    let logs = aside.filter(|entry| {
        let name = entry.as_ref().unwrap().file_name();
        name.to_string_lossy().contains("damaged") && name.to_string_lossy().ends_with("-wal")
    });
    assert_eq!(logs.count(), 1);
}

#[tokio::test]
async fn a_damaged_file_is_put_aside_and_what_can_be_read_of_it_taken_over() {
    let mut bench = Sqlite::new();
    for no in 0..400 {
        let (name, id) = (format!("u{no}"), format!("s{no}"));
        let submissions = vec![submission(&id, 1, "pizza", &name)];
        bench.store().commit(&Commit { submissions, ..commit(&name, 0, "t1") }).await.unwrap();
    }
    bench.store().close().await.unwrap();
    bench.store = None;
    // One page in the middle of the submissions.
    let connection = rusqlite::Connection::open(bench.file()).unwrap();
    let page: i64 = connection
        .query_row(
            "SELECT pageno FROM dbstat WHERE name = 'submission' AND pagetype = 'leaf' LIMIT 1 OFFSET 10",
            [],
            |row| row.get(0),
        )
        .unwrap();
    drop(connection);
    let mut bytes = std::fs::read(bench.file()).unwrap();
    let at = usize::try_from(page - 1).unwrap() * 4096;
    bytes[at..at + 4096].fill(0xff);
    std::fs::write(bench.file(), &bytes).unwrap();

    let store = served(&bench).unwrap();
    let told = store.notices().join("");
    assert!(told.contains("was damaged") && told.contains("put aside"), "{told}");
    assert!(!told.contains(bench.directory.path().to_str().unwrap()), "health tells it to everybody: {told}");
    assert_eq!(store.session_count().await.unwrap(), 400);
    let left = store.submissions(None, 1_000).await.unwrap().len();
    assert!((300..400).contains(&left), "{left}");
    let version = store.load(&key("u1")).await.unwrap().version;
    assert_eq!(store.commit(&commit("u1", version, "t2")).await.unwrap(), Committed::Done);
    store.close().await.unwrap();
    let aside = beside(&bench);
    assert!(aside.len() == 1 && aside[0].starts_with("store.db.damaged-"), "{aside:?}");
    assert_eq!(std::fs::read(bench.directory.path().join(&aside[0])).unwrap(), bytes, "as it was");
}

#[tokio::test]
async fn what_is_no_database_is_put_aside_and_damage_that_shows_later_throws_no_session_away() {
    let mut bench = Sqlite::new();
    bench.store().close().await.unwrap();
    bench.store = None;
    let text = "not a database at all, but long enough to look at".repeat(50);
    std::fs::write(bench.file(), &text).unwrap();
    let store = served(&bench).unwrap();
    assert!(store.notices()[0].contains("0 records"), "{:?}", store.notices());
    store.commit(&commit("ann", 0, "t1")).await.unwrap();
    store.writer.empty_log().await.unwrap();
    let bytes = std::fs::read(bench.file()).unwrap();
    let mut damaged = bytes.clone();
    damaged[4096..].fill(0xff);
    std::fs::write(bench.file(), &damaged).unwrap();
    let error = store.load(&key("ann")).await.unwrap_err();
    assert!(matches!(&error, StoreError::Unavailable(why) if why.to_string().contains("is damaged")), "{error}");
    assert_eq!(store.notices().len(), 2);
}

/// Who gave answers stood in the body alone where it is not sealed.
#[tokio::test]
async fn a_file_that_does_not_name_who_took_part_does_so_from_then_on() {
    let bench = Sqlite::new();
    let mut json = serde_json::to_value(submission("together", 1, "pizza", "ben")).unwrap();
    let given = serde_json::json!({ "field": "size", "source": "said", "quote": null, "at": at(0), "by": "ann" });
    json["provenance"] = serde_json::json!([given]);
    let submissions = vec![serde_json::from_value(json).unwrap()];
    bench.store().commit(&Commit { submissions, ..commit("ben", 0, "t1") }).await.unwrap();
    bench.tamper("DELETE FROM part");
    let connection = rusqlite::Connection::open(bench.file()).unwrap();
    connection.execute_batch("DROP INDEX answer_person; PRAGMA user_version = 5").unwrap();
    let bench = bench.reopen();
    let erased = bench.store().erase(&place().platform, &user("ann"), None).await.unwrap();
    assert_eq!(erased.counts.submissions, 1);
}

async fn fill_pages(bench: &Sqlite) -> u64 {
    let large = chat::Reply { say: vec!["x".repeat(200_000)], ..chat::Reply::default() };
    for no in 0..20 {
        let (event, replies) = (Some(chat::EventId::new(no.to_string())), vec![large.clone()]);
        let turn = Commit { event, replies, session: None, ..commit("ann", 0, &no.to_string()) };
        bench.store().commit(&turn).await.unwrap();
    }
    bench.store().writer.empty_log().await.unwrap();
    std::fs::metadata(bench.file()).unwrap().len()
}

#[tokio::test(start_paused = true)]
async fn the_space_of_what_is_removed_is_given_back_but_for_some() {
    let bench = Sqlite::new();
    let full = fill_pages(&bench).await;
    assert!(full > 4_000_000, "{full}");
    bench.store().erase(&place().platform, &user("ann"), None).await.unwrap();
    let left = std::fs::metadata(bench.file()).unwrap().len();
    assert!(left < 1_500_000, "{left}");
}

#[tokio::test(start_paused = true)]
async fn a_file_that_cannot_give_space_back_learns_it() {
    let mut bench = Sqlite::new();
    bench.store = None;
    let connection = rusqlite::Connection::open(bench.file()).unwrap();
    connection.execute_batch("PRAGMA auto_vacuum = NONE; VACUUM").unwrap();
    drop(connection);
    let bench = bench.reopen();
    fill_pages(&bench).await;
    bench.store().learn_to_shrink().await.unwrap();
    bench.store().erase(&place().platform, &user("ann"), None).await.unwrap();
    let left = std::fs::metadata(bench.file()).unwrap().len();
    assert!(left < 1_500_000, "{left}");
}

fn found_in(directory: &Path, text: &str) -> bool {
    let files = std::fs::read_dir(directory).unwrap().map(|entry| std::fs::read(entry.unwrap().path()).unwrap());
    files.into_iter().any(|bytes| bytes.windows(text.len()).any(|window| window == text.as_bytes()))
}

#[tokio::test]
async fn a_conflict_in_a_group_takes_back_nothing_of_the_others() {
    let bench = Sqlite::new();
    let names: Vec<String> = (0..30).map(|no| format!("u{no}")).collect();
    for name in names.iter().step_by(3) {
        bench.store().commit(&commit(name, 0, "first")).await.unwrap();
    }
    // Requests of one group: every third is refused.
    let turns: Vec<Commit> = names.iter().map(|name| commit(name, 0, "second")).collect();
    let all = turns.iter().map(|turn| bench.store().commit(turn));
    let ended = join(all).await;
    assert_eq!(ended.iter().filter(|ended| matches!(ended, Ok(Committed::Conflict))).count(), 10);
    assert_eq!(ended.iter().filter(|ended| matches!(ended, Ok(Committed::Done))).count(), 20);
    assert_eq!(bench.store().session_count().await.unwrap(), 30);
}

#[tokio::test]
async fn a_full_disk_is_an_error_that_passes() {
    let bench = Sqlite::new();
    bench.store().commit(&commit("ann", 0, "t1")).await.unwrap();
    let pages = |pages: &'static str| {
        bench.store().writer.write(move |tx| {
            tx.query_row(&format!("PRAGMA max_page_count = {pages}"), [], |_| Ok(())).map_err(row::unavailable)
        })
    };
    pages("1").await.unwrap();
    let mut large = commit("ben", 0, "t2");
    large.replies = vec![chat::Reply { say: vec!["x".repeat(200_000)], ..chat::Reply::default() }];
    large.event = Some(chat::EventId::new("e1"));
    let error = bench.store().commit(&large).await.unwrap_err();
    assert!(matches!(error, StoreError::Unavailable(_)), "{error}");
    assert_eq!(bench.store().load(&key("ben")).await.unwrap().session, None);
    pages("1000000").await.unwrap();
    assert_eq!(bench.store().commit(&large).await.unwrap(), Committed::Done);
}

#[tokio::test]
async fn two_stores_may_have_one_file() {
    let bench = Sqlite::new();
    let other = SqliteStore::open(&bench.file()).unwrap();
    bench.store().commit(&commit("ann", 0, "t1")).await.unwrap();
    assert_eq!(other.commit(&commit("ann", 0, "t2")).await.unwrap(), Committed::Conflict);
    let version = other.load(&key("ann")).await.unwrap().version;
    assert_eq!(other.commit(&commit("ann", version, "t2")).await.unwrap(), Committed::Done);
    assert_eq!(bench.store().load(&key("ann")).await.unwrap().session.unwrap().lang.as_deref(), Some("t2"));
}

#[test]
fn a_file_of_a_newer_program_or_of_none_is_refused() {
    let bench = Sqlite::new();
    let connection = rusqlite::Connection::open(bench.file()).unwrap();
    connection.pragma_update(None, "user_version", 999).unwrap();
    let error = SqliteStore::open(&bench.file()).unwrap_err().to_string();
    assert!(error.contains("use a newer program"), "{error}");

    let text = bench.directory.path().join("notes.txt");
    std::fs::write(&text, "not a database at all, but long enough to look at".repeat(50)).unwrap();
    assert!(matches!(SqliteStore::open(&text), Err(StoreError::Damaged(_))));
}
