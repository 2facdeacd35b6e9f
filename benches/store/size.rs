//! What orders take on the disk: real conversations with the sample form, and a week of them worked out from that.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a bench prints its table")]

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use formwright::engine::Engine;
use formwright::form::load::submission_schema;
use formwright::runtime::{Clock, Limits, Parts, Runtime, Tools, forms};
use formwright::store::{SqliteStore, Store as _};
use formwright::submit::Opener;
use formwright_chat as chat;
use jiff::Timestamp;

/// What somebody says who orders a pizza.
const SAID: [&str; 5] = ["two spicy pizzas to via Roma 12, my number is 347 123 4567", "skip", "no", "skip", "yes"];
/// A week of a hundred orders a minute, two days of them, and one.
const ORDERS: [(&str, u64); 3] = [("week", 7), ("two days", 2), ("day", 1)];
const ORDERS_A_DAY: u64 = 100 * 60 * 24;
/// How long the rows of a table are kept: submissions for good, what was said and sent two days, closed sessions a day.
const KEPT: [(&str, usize); 4] = [("submission", 0), ("event", 1), ("outbox", 1), ("session", 2)];

/// Has orders taken and tells what they take.
pub(super) async fn run(orders: u64) {
    if let Err(error) = measure(orders).await {
        eprintln!("{error}");
    }
}

async fn measure(orders: u64) -> Result<(), Box<dyn std::error::Error>> {
    let directory = tempfile::tempdir()?;
    let file = directory.path().join("store.db");
    let store = Arc::new(SqliteStore::open(&file)?);
    let runtime = Runtime::new(Parts {
        store: Arc::<SqliteStore>::clone(&store),
        conversation: Arc::new(Engine::new(forms::samples().catalog)),
        tools: Tools::new(),
        model: None,
        opener: Opener::new(directory.path().join("submissions"))?,
        sinks: BTreeMap::new(),
        listen: Vec::new(),
        listeners: Vec::new(),
        adapters: Vec::new(),
        schema: submission_schema,
        clock: Clock::system(),
        limits: Limits::default(),
    });
    let empty = bytes_by_table(&file)?;
    let host = runtime.host();
    let mut taken = Vec::new();
    for part in 0..16 {
        let host = Arc::clone(&host);
        taken.push(tokio::spawn(async move {
            for no in (part..orders).step_by(16) {
                order(&*host, no).await?;
            }
            Ok::<_, chat::HostError>(())
        }));
    }
    for part in taken {
        part.await??;
    }
    while runtime.deliver_due().await > 0 {}
    store.rest().await?;
    let submitted = store.submissions(None, u32::MAX).await?.len() as u64;
    let full = bytes_by_table(&file)?;
    println!("{submitted} orders of {} messages each were taken\n", SAID.len() + 1);
    println!("| kept | a row's table | bytes an order | MB of {ORDERS_A_DAY} orders a day |");
    println!("|---|---|---|---|");
    let (mut week, mut grows) = (0, 0);
    for (table, kept) in KEPT {
        let of = |sizes: &BTreeMap<String, u64>| sizes.get(table).copied().unwrap_or_default();
        let each = (of(&full) - of(&empty)) / submitted.max(1);
        let (length, days) = ORDERS[kept];
        let all = each * ORDERS_A_DAY * days;
        week += all;
        grows += if kept == 0 { each * ORDERS_A_DAY } else { 0 };
        println!("| {length} | {table} | {each} | {} |", all / 1_000_000);
    }
    let [week, grows] = [week, grows].map(|bytes| bytes / 1_000_000);
    println!("\na week: {week} MB, and {grows} MB more with each day that submissions are kept");
    Ok(())
}

async fn order(host: &dyn chat::Host, no: u64) -> Result<(), chat::HostError> {
    let open = chat::Action::Open { form: Some("pizza-order".to_owned()) };
    let say = |text: &&str| chat::Action::Say { text: (*text).to_owned() };
    for (step, action) in std::iter::once(open).chain(SAID.iter().map(say)).enumerate() {
        let user = chat::UserId::new(format!("key:shop:{no:016x}"));
        let event = chat::Event {
            id: chat::EventId::new(format!("{no}.{step}")),
            place: super::place(&format!("conversation {no:016x}")),
            user: chat::User { id: user, name: None, locale: Some("en".to_owned()), zone: None },
            at: Timestamp::now(),
            action,
            terms: chat::Terms::default(),
        };
        host.converse(event).await?;
    }
    Ok(())
}

/// Bytes of each table with its indexes.
fn bytes_by_table(file: &Path) -> Result<BTreeMap<String, u64>, rusqlite::Error> {
    const SIZES: &str =
        "SELECT s.tbl_name, sum(d.pgsize) FROM dbstat d JOIN sqlite_schema s ON s.name = d.name GROUP BY 1";
    let connection = rusqlite::Connection::open(file)?;
    let mut sizes = connection.prepare(SIZES)?;
    let sizes = sizes.query_map([], |row| Ok((row.get(0)?, row.get::<_, i64>(1)?.unsigned_abs())))?;
    sizes.collect()
}
