//! Durable whole turns a second: load, then one commit of session, seen event, replies and an outbox entry.
//!
//! `cargo bench --bench store` prints a table. Every commit of SQLite waits for its sync; callers share it. Redis syncs each
//! second, and takes each event in before its turn, as the bot does; it is left out where there is no `redis-server`.
//!
//! `-- forget [CONVERSATIONS]` measures forgetting a client with so many, 100,000 where it is not said, and others meanwhile;
//! `-- size [ORDERS]` what orders take on the disk.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a bench prints its table")]

#[path = "store/forget.rs"]
mod forget;
#[path = "redis/server.rs"]
mod server;
#[path = "store/size.rs"]
mod size;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use formwright::engine::Session;
use formwright::store::redis::RedisOptions;
use formwright::store::{
    Commit, Committed, MemoryStore, Outgoing, Packed, Parcel, RedisStore, Replicas as _, Seal, SessionKey, SqliteStore,
    Store, StoreError,
};
use formwright_chat as chat;
use jiff::{SignedDuration, Timestamp};
use server::Server;

const SESSIONS: u64 = 1_000;
const RUN: Duration = Duration::from_secs(3);

fn main() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let Ok(runtime) = runtime else { return eprintln!("no runtime") };
    let mut words = std::env::args().skip(1).filter(|word| !word.starts_with('-'));
    let what = words.next().unwrap_or_default();
    let many = words.next().and_then(|many| many.parse().ok());
    match what.as_str() {
        "forget" => return runtime.block_on(forget::run(many.unwrap_or(100_000))),
        "size" => return runtime.block_on(size::run(many.unwrap_or(10_000))),
        _ => {}
    }
    println!("| store | callers | outbox | turns/s | p50 ms | p99 ms | conflicts |");
    println!("|---|---|---|---|---|---|---|");
    for (callers, outbox) in [(1, false), (8, false), (32, false), (32, true)] {
        match tempfile::tempdir() {
            Ok(directory) => match SqliteStore::open(&directory.path().join("store.db")) {
                Ok(store) => runtime.block_on(measure("SQLite", Arc::new(store), callers, outbox)),
                Err(error) => eprintln!("{error}"),
            },
            Err(error) => eprintln!("{error}"),
        }
    }
    runtime.block_on(measure("memory", Arc::new(MemoryStore::new()), 32, false));
    for (callers, outbox, sealed) in [(1, false, true), (32, false, false), (32, false, true), (32, true, true)] {
        let Some(server) = Server::start() else { return };
        let measured = async {
            let store = store(&server, sealed).await?;
            measure(if sealed { "Redis, sealed" } else { "Redis" }, Arc::new(store), callers, outbox).await;
            Ok::<_, StoreError>(())
        };
        if let Err(error) = runtime.block_on(measured) {
            eprintln!("{error}");
        }
    }
}

/// A store in a Redis that owns everything.
async fn store(server: &Server, sealed: bool) -> Result<RedisStore, StoreError> {
    let mut options = RedisOptions::new(server.url.clone())?;
    if sealed {
        options.seal = Seal::new(&[[7; 32]], false);
    }
    let store = RedisStore::connect(options).await?;
    let mut tries = 0;
    loop {
        match store.renew().await {
            Err(_) if tries < 50 => tokio::time::sleep(Duration::from_millis(100)).await,
            renewed => return renewed.map(|_| store),
        }
        tries += 1;
    }
}

async fn measure(name: &str, store: Arc<dyn Store>, callers: u64, outbox: bool) {
    let conflicts = Arc::new(AtomicU64::new(0));
    let start = Instant::now();
    let tasks: Vec<_> = (0..callers)
        .map(|caller| tokio::spawn(call(Arc::clone(&store), caller, outbox, Arc::clone(&conflicts), start)))
        .collect();
    let mut times = Vec::new();
    for task in tasks {
        times.extend(task.await.unwrap_or_default());
    }
    let seconds = start.elapsed().as_secs_f64();
    times.sort();
    let at = |part: usize| times.get(times.len() * part / 100).map_or(0.0, |time| time.as_secs_f64() * 1_000.0);
    #[expect(clippy::cast_precision_loss, reason = "a rate for people")]
    let rate = times.len() as f64 / seconds;
    let (p50, p99, conflicts) = (at(50), at(99), conflicts.load(Ordering::Relaxed));
    println!("| {name} | {callers} | {outbox} | {rate:.0} | {p50:.2} | {p99:.2} | {conflicts} |");
}

/// Runs turns one after the other until the time is over; gives how long each took.
async fn call(
    store: Arc<dyn Store>,
    caller: u64,
    outbox: bool,
    conflicts: Arc<AtomicU64>,
    start: Instant,
) -> Vec<Duration> {
    let mut times = Vec::new();
    let mut no = caller;
    while start.elapsed() < RUN {
        // Callers meet now and then.
        no = no.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407 + caller);
        let user = chat::UserId::new(format!("user {}", (no >> 33) % SESSIONS));
        let began = Instant::now();
        loop {
            match turn(&*store, &user, &format!("{caller} {}", times.len()), outbox).await {
                Some(Committed::Done) => break,
                Some(Committed::AlreadyMine | Committed::Conflict | Committed::Stale) => {
                    conflicts.fetch_add(1, Ordering::Relaxed)
                }
                None => return times,
            };
        }
        times.push(began.elapsed());
    }
    times
}

fn place(channel: &str) -> chat::Place {
    chat::Place {
        platform: chat::Platform::new("web"),
        workspace: String::new(),
        channel: channel.to_owned(),
        thread: None,
    }
}

fn reply() -> chat::Reply {
    chat::Reply { say: vec!["x".repeat(1_500)], lang: "en".to_owned(), ..chat::Reply::default() }
}

/// A session that was answered.
fn session(place: &chat::Place, user: &chat::UserId) -> Result<Packed, StoreError> {
    let mut session = Session::new(place.clone(), user.clone());
    session.last = vec![reply()];
    Packed::new(session)
}

fn entry(id: &str, lane: &str, place: &chat::Place, user: &chat::UserId) -> Outgoing {
    let now = Timestamp::now();
    Outgoing {
        id: id.to_owned(),
        lane: lane.to_owned(),
        parcel: Parcel::Reply { place: place.clone(), user: user.clone(), reply: Box::new(reply()) },
        due: now,
        attempts: 0,
        created: now,
        last_error: None,
    }
}

async fn turn(store: &dyn Store, user: &chat::UserId, id: &str, outbox: bool) -> Option<Committed> {
    let place = place("bench");
    let key = SessionKey::new(&place, user);
    if store.replicas().is_some() {
        let event = chat::Event {
            id: chat::EventId::new(id),
            place: place.clone(),
            user: chat::User { id: user.clone(), name: None, locale: None, zone: None },
            at: Timestamp::now(),
            action: chat::Action::Say { text: "two large pizzas, please".to_owned() },
            terms: chat::Terms::default(),
        };
        store.accept(&key, &event).await.map_err(|error| eprintln!("{error}")).ok()?;
    }
    let stored = store.load(&key).await.map_err(|error| eprintln!("{error}")).ok()?;
    let now = Timestamp::now();
    let entry = entry(id, key.as_str(), &place, user);
    let commit = Commit {
        merged: Vec::new(),
        key,
        version: stored.version,
        event: Some(chat::EventId::new(id)),
        turn: id.to_owned(),
        session: session(&place, user).map_err(|error| eprintln!("{error}")).ok(),
        expires: now + SignedDuration::from_hours(24),
        replies: vec![reply()],
        outbox: if outbox { vec![entry] } else { Vec::new() },
        submissions: Vec::new(),
        now,
    };
    store.commit(&commit).await.map_err(|error| eprintln!("{error}")).ok()
}
