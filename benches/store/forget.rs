//! How long it takes to forget a client of the API with many conversations, and what others notice of it.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a bench prints its table")]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use formwright::engine::Submission;
use formwright::form::{FormId, FormVersion};
use formwright::store::{SqliteStore, Store, StoreError};
use formwright_chat as chat;
use jiff::{SignedDuration, Timestamp};

use super::server::Server;
use super::{entry, place, reply, session, turn};
use formwright::store::{Commit, SessionKey};

/// Writers that fill the store side by side.
const FILLERS: u64 = 64;
/// Others who have conversations meanwhile, and how long each thinks between two turns.
const OTHERS: u64 = 32;
const THINK: Duration = Duration::from_millis(100);
/// How long others are watched before.
const BEFORE: Duration = Duration::from_secs(10);

/// Measures on SQLite, by the server and by a command beside it, and on Redis.
pub(super) async fn run(conversations: u64) {
    println!(
        "| store | conversations | records | s | others p50 / p99 / max ms before | others p50 / p99 / max ms meanwhile |"
    );
    println!("|---|---|---|---|---|---|");
    for beside in [false, true] {
        let Ok(directory) = tempfile::tempdir() else { return eprintln!("no folder") };
        let file = directory.path().join("store.db");
        let made = SqliteStore::open(&file).and_then(|serves| {
            let serves: Arc<dyn Store> = Arc::new(serves);
            let forgets = if beside { Arc::new(SqliteStore::open(&file)?) } else { Arc::clone(&serves) };
            Ok((serves, forgets))
        });
        let name = if beside { "SQLite, by `formwright forget`" } else { "SQLite, by the server" };
        let measured = match made {
            Ok((serves, forgets)) => measure(name, &serves, &*forgets, conversations).await,
            Err(error) => Err(error),
        };
        if let Err(error) = measured {
            eprintln!("{error}");
        }
    }
    let Some(server) = Server::start() else { return };
    let measured = async {
        let serves: Arc<dyn Store> = Arc::new(super::store(&server, true).await?);
        measure("Redis, sealed", &serves, &*serves, conversations).await
    };
    if let Err(error) = measured.await {
        eprintln!("{error}");
    }
}

async fn measure(
    name: &str,
    serves: &Arc<dyn Store>,
    forgets: &dyn Store,
    conversations: u64,
) -> Result<(), StoreError> {
    let fillers: Vec<_> =
        (0..FILLERS).map(|filler| tokio::spawn(fill(Arc::clone(serves), filler, conversations))).collect();
    for filler in fillers {
        filler.await.map_err(StoreError::unavailable)??;
    }
    let before = watch(serves, async { tokio::time::sleep(BEFORE).await }).await.1;
    let began = Instant::now();
    let (platform, shop) = (place("").platform, chat::UserId::new("key:shop"));
    let erasing = forgets.erase(&platform, &shop, None);
    let (gone, meanwhile) = watch(serves, erasing).await;
    let (seconds, gone) = (began.elapsed().as_secs_f64(), gone?);
    let (records, sessions) = (gone.counts.total(), gone.counts.sessions);
    println!("| {name} | {sessions} | {records} | {seconds:.1} | {} | {} |", spread(before), spread(meanwhile));
    Ok(())
}

/// Runs something while others have conversations; gives how long each of their turns took.
async fn watch<T>(store: &Arc<dyn Store>, work: impl Future<Output = T>) -> (T, Vec<Duration>) {
    let over = Arc::new(AtomicBool::new(false));
    let others: Vec<_> =
        (0..OTHERS).map(|other| tokio::spawn(converse(Arc::clone(store), other, Arc::clone(&over)))).collect();
    let done = work.await;
    over.store(true, Ordering::Relaxed);
    let mut times = Vec::new();
    for other in others {
        times.extend(other.await.unwrap_or_default());
    }
    (done, times)
}

async fn converse(store: Arc<dyn Store>, other: u64, over: Arc<AtomicBool>) -> Vec<Duration> {
    let user = chat::UserId::new(format!("other {other}"));
    let mut times = Vec::new();
    tokio::time::sleep(THINK * u32::try_from(other).unwrap_or_default() / 32).await;
    while !over.load(Ordering::Relaxed) {
        let began = Instant::now();
        let id = format!("{other} {}", Timestamp::now().as_nanosecond());
        if turn(&*store, &user, &id, true).await.is_none() {
            break;
        }
        times.push(began.elapsed());
        tokio::time::sleep(THINK).await;
    }
    times
}

/// A part of the client's conversations: each a session, three events, a submission and a delivery of it.
async fn fill(store: Arc<dyn Store>, filler: u64, conversations: u64) -> Result<(), StoreError> {
    for no in (filler..conversations).step_by(usize::try_from(FILLERS).unwrap_or(1)) {
        // People come in no order.
        let user = chat::UserId::new(format!("key:shop:{:016x}", no.wrapping_mul(0x9E37_79B9_7F4A_7C15)));
        let place = place(&format!("c{no}"));
        let (now, id) = (Timestamp::now(), format!("s{no}"));
        let submission = Submission {
            id: id.clone(),
            revision: 1,
            form: FormId::new("pizza"),
            version: FormVersion::new("v1"),
            at: now,
            place: place.clone(),
            user: user.clone(),
            shared: false,
            answers: serde_json::json!({ "pizza": "diavola", "address": "via Roma 12", "phone": "+393471234567" }),
            provenance: Vec::new(),
            review: None,
            zone: None,
        };
        let commit = Commit {
            key: SessionKey::new(&place, &user),
            version: 0,
            event: Some(chat::EventId::new("3")),
            merged: ["1", "2"].map(chat::EventId::new).to_vec(),
            turn: id.clone(),
            session: Some(session(&place, &user)?),
            expires: now + SignedDuration::from_hours(24),
            replies: vec![reply()],
            outbox: vec![entry(&format!("{id}.1.log"), &id, &place, &user)],
            submissions: vec![submission],
            now,
        };
        store.commit(&commit).await?;
    }
    Ok(())
}

fn spread(mut times: Vec<Duration>) -> String {
    times.sort();
    let at = |part: usize| times.get((times.len() * part / 100).min(times.len().saturating_sub(1)));
    let shown = [50, 99, 100].map(|part| at(part).map_or(0.0, |time| time.as_secs_f64() * 1_000.0));
    format!("{:.1} / {:.1} / {:.1}", shown[0], shown[1], shown[2])
}
