//! One address that holds thousands of silent connections, while everybody else asks.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tokio::io::AsyncReadExt as _;
use tokio::net::TcpSocket;
use tokio::task::JoinSet;

use super::caller::Caller;
use super::millis;
use super::program::{Program, free_address};

const SILENT: usize = 5_000;
/// Where the silent ones come from; everybody else comes from 127.0.0.1.
const STRANGER: [u8; 4] = [127, 0, 0, 2];
/// After which a connection that was refused or ended is opened again.
const AGAIN: Duration = Duration::from_secs(1);
/// How long others ask, each with a new connection for each request.
const RUN: Duration = Duration::from_secs(20);
const ASKERS: usize = 4;

/// What is asked: a name for it, and on which of the two addresses.
const ASKED: [(&str, bool); 4] =
    [("the page", false), ("a turn of the API", false), ("liveness", true), ("readiness", true)];

pub(crate) async fn ask_beside() -> io::Result<()> {
    formwright_listen::raise_limit();
    let ops = free_address()?;
    let program = Program::start(&[("FORMWRIGHT__OPS__LISTEN", &ops)]).await?;
    print_times("nobody beside them", &ask(&program.address, &ops).await?);
    let address: SocketAddr = program.address.parse().map_err(io::Error::other)?;
    let (open, opened) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let mut silent = JoinSet::new();
    for _ in 0..SILENT {
        silent.spawn(keep_silent(address, Arc::clone(&open), Arc::clone(&opened)));
    }
    while opened.load(Ordering::Relaxed) < SILENT {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    print_times(&format!("{SILENT} silent from one address"), &ask(&program.address, &ops).await?);
    let (open, opened) = (open.load(Ordering::Relaxed), opened.load(Ordering::Relaxed));
    println!("| strangers | connections of that address: opened, and held at the end | {opened}, {open} |");
    Ok(())
}

/// Opens a connection, says nothing, and opens another one when it has ended.
async fn keep_silent(address: SocketAddr, open: Arc<AtomicUsize>, opened: Arc<AtomicUsize>) {
    loop {
        let connected = async {
            let socket = TcpSocket::new_v4()?;
            socket.bind(SocketAddr::from((STRANGER, 0)))?;
            socket.connect(address).await
        };
        if let Ok(mut stream) = connected.await {
            opened.fetch_add(1, Ordering::Relaxed);
            open.fetch_add(1, Ordering::Relaxed);
            let mut refusal = Vec::new();
            let _ = stream.read_to_end(&mut refusal).await;
            open.fetch_sub(1, Ordering::Relaxed);
        }
        tokio::time::sleep(AGAIN).await;
    }
}

/// Asks for everything in turn; gives how long each took.
async fn ask(address: &str, ops: &str) -> io::Result<[Vec<Duration>; ASKED.len()]> {
    let mut askers = JoinSet::new();
    for _ in 0..ASKERS {
        let (address, ops) = (address.to_owned(), ops.to_owned());
        askers.spawn(async move {
            let mut times: [Vec<Duration>; ASKED.len()] = Default::default();
            let began = Instant::now();
            while began.elapsed() < RUN {
                for (no, (what, of_operators)) in ASKED.into_iter().enumerate() {
                    let began = Instant::now();
                    let mut caller = Caller::connect(if of_operators { &ops } else { &address }).await?;
                    match what {
                        "the page" => caller.get("/").await?,
                        "liveness" => caller.get("/health/live").await?,
                        "readiness" => caller.get("/health/ready").await?,
                        _ => drop(caller.begin("pizza-order").await?),
                    }
                    times[no].push(began.elapsed());
                }
            }
            Ok::<_, io::Error>(times)
        });
    }
    let mut all: [Vec<Duration>; ASKED.len()] = Default::default();
    while let Some(times) = askers.join_next().await {
        all.iter_mut().zip(times??).for_each(|(all, times)| all.extend(times));
    }
    all.iter_mut().for_each(|times| times.sort());
    Ok(all)
}

fn print_times(beside: &str, times: &[Vec<Duration>; ASKED.len()]) {
    for ((what, _), times) in ASKED.iter().zip(times) {
        let at = |part: usize| times.get(times.len() * part / 100).or(times.last()).map_or(0.0, |time| millis(*time));
        let (half, most, longest) = (at(50), at(99), at(100));
        println!("| strangers | {beside}: {what}, p50 / p99 / longest | {half:.1} / {most:.1} / {longest:.1} ms |");
    }
}
