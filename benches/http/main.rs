//! The whole program over HTTP: cold start, durable turns a second with SQLite and with Redis, memory, a slow model,
//! strangers who hold connections.
//!
//! `cargo bench --bench http` starts the real program with the sample forms and talks to it from this same machine, so
//! that the load, and Redis, take their share of the cores. Every turn is durable before it is answered. Beside the rate it
//! tells the program's own processor time: how many turns one core would do. Give words to run only the parts whose names
//! begin with one of them: `cargo bench --bench http -- redis`.
#![expect(clippy::print_stdout, reason = "a bench prints its table")]

mod caller;
mod model;
mod program;
#[path = "../redis/server.rs"]
mod server;
mod strangers;

use std::io;
use std::time::{Duration, Instant};

use caller::Caller;
use program::Program;
use server::Server;

const CALLERS: usize = 32;
const RUN: Duration = Duration::from_secs(5);
const OPEN_SESSIONS: usize = 10_000;
const STARTS: usize = 5;
/// The other sessions that are stored while turns are measured.
const STORED: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];

/// An order in six turns: a sentence that fills four fields, three optional ones, and the confirmation.
const ORDER: [&str; 5] = ["two spicy pizzas to via Roma 12, my number is 347 123 4567", "skip", "no", "skip", "yes"];

fn main() -> io::Result<()> {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let is_wanted = |part: &str| wanted.is_empty() || wanted.iter().any(|word| part.starts_with(word.as_str()));
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        println!("| part | what | result |");
        println!("|---|---|---|");
        if is_wanted("start") {
            starts().await?;
        }
        if is_wanted("sqlite") {
            turns("sqlite", &[Program::start(&[]).await?]).await?;
        }
        if is_wanted("memory") {
            memory().await?;
        }
        if is_wanted("redis") {
            replicas().await?;
        }
        if is_wanted("stored") {
            stored().await?;
        }
        if is_wanted("model") {
            model::turns().await?;
        }
        if is_wanted("strangers") {
            strangers::ask_beside().await?;
        }
        Ok(())
    })
}

async fn starts() -> io::Result<()> {
    let mut starts = Vec::new();
    for _ in 0..STARTS {
        starts.push(Program::start(&[]).await?.took);
    }
    starts.sort();
    println!("| start | cold start to ready, median of {STARTS} | {:.0} ms |", millis(starts[STARTS / 2]));
    Ok(())
}

/// With one program at a Redis, and with two that share it.
async fn replicas() -> io::Result<()> {
    for (part, count) in [("redis", 1), ("redis, 2 replicas", 2)] {
        let Some(redis) = Server::start() else { return Ok(()) };
        let mut programs = Vec::new();
        for _ in 0..count {
            programs.push(Program::start(&[("FORMWRIGHT__REDIS__URL", &redis.url)]).await?);
        }
        // Until each has its share of the sessions.
        tokio::time::sleep(Duration::from_secs(3)).await;
        turns(part, &programs).await?;
    }
    Ok(())
}

/// What a turn costs while ever more sessions lie beside it.
async fn stored() -> io::Result<()> {
    let Some(redis) = Server::start() else { return Ok(()) };
    let program = [Program::start(&[("FORMWRIGHT__REDIS__URL", &redis.url)]).await?];
    open(program[0].address.clone(), 1).await?;
    let mut there = 1;
    for count in STORED {
        program::multiply(&redis, there..count).await.map_err(io::Error::other)?;
        there = count;
        turns(&format!("stored {count}"), &program).await?;
    }
    Ok(())
}

/// Places orders for a while, callers spread over the programs.
async fn turns(part: &str, programs: &[Program]) -> io::Result<()> {
    let busy = || programs.iter().map(Program::busy).sum::<io::Result<f64>>();
    let (start, before) = (Instant::now(), busy()?);
    let addresses = programs.iter().map(|program| program.address.clone()).cycle();
    let callers: Vec<_> = addresses.take(CALLERS).map(|address| tokio::spawn(orders(address, start))).collect();
    let (mut times, mut orders) = (Vec::new(), 0);
    for caller in callers {
        let (own, placed) = caller.await??;
        times.extend(own);
        orders += placed;
    }
    let used = busy()? - before;
    print_turns(part, times, start.elapsed(), used);
    println!("| {part} | orders/s | {:.0} |", rate(orders, start.elapsed().as_secs_f64()));
    Ok(())
}

/// `used` is the processor time of the program, in seconds.
fn print_turns(part: &str, mut times: Vec<Duration>, took: Duration, used: f64) {
    times.sort();
    let at = |part: usize| times.get(times.len() * part / 100).map_or(0.0, |time| millis(*time));
    println!("| {part} | turns/s | {:.0} |", rate(times.len(), took.as_secs_f64()));
    println!("| {part} | turns in a second of one core | {:.0} |", rate(times.len(), used));
    println!("| {part} | turn, p50 and p99 | {:.1} and {:.1} ms |", at(50), at(99));
}

async fn memory() -> io::Result<()> {
    let program = Program::start(&[]).await?;
    let [before, code, heap] = ["VmRSS", "RssFile", "RssAnon"].map(|part| program.memory(part));
    let (before, code, heap) = (before?, code?, heap?);
    let share = OPEN_SESSIONS / CALLERS + 1;
    let openers: Vec<_> = (0..CALLERS).map(|_| tokio::spawn(open(program.address.clone(), share))).collect();
    for opener in openers {
        opener.await??;
    }
    let after = program.resident()?;
    let each = (after - before) * 1024.0 / f64::from(u32::try_from(OPEN_SESSIONS).unwrap_or(u32::MAX));
    println!(
        "| memory | at start: in all, of the program's file, of the heap | {before:.0}, {code:.0}, {heap:.0} MB |"
    );
    println!("| memory | with {OPEN_SESSIONS} open sessions; each | {after:.0} MB; {each:.1} kB |");
    Ok(())
}

/// Places orders until the time is over; gives how long each turn took, and how many orders were placed.
async fn orders(address: String, start: Instant) -> io::Result<(Vec<Duration>, usize)> {
    let mut caller = Caller::connect(&address).await?;
    let (mut times, mut placed) = (Vec::new(), 0);
    while start.elapsed() < RUN {
        let began = Instant::now();
        let conversation = caller.begin("pizza-order").await?;
        times.push(began.elapsed());
        for message in ORDER {
            let began = Instant::now();
            let answer = caller.say(&conversation, message).await?;
            times.push(began.elapsed());
            placed += usize::from(message == "yes" && answer.contains("FORM_COMPLETE"));
        }
    }
    Ok((times, placed))
}

async fn open(address: String, sessions: usize) -> io::Result<()> {
    let mut caller = Caller::connect(&address).await?;
    for _ in 0..sessions {
        let conversation = caller.begin("pizza-order").await?;
        caller.say(&conversation, ORDER[0]).await?;
    }
    Ok(())
}

#[expect(clippy::cast_precision_loss, reason = "a rate for people")]
fn rate(n: usize, seconds: f64) -> f64 {
    n as f64 / seconds
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}
