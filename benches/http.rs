//! The whole program over HTTP: cold start, durable turns a second, memory with many open sessions.
//!
//! `cargo bench --bench http` starts the real program with the sample forms and talks to it from this same machine, so
//! that the load takes its share of the cores. Every turn is on disk before it is answered.
#![expect(clippy::print_stdout, reason = "a bench prints its table")]

use std::io;
use std::process::Stdio;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};

const CALLERS: usize = 32;
const RUN: Duration = Duration::from_secs(5);
const OPEN_SESSIONS: usize = 10_000;
const STARTS: usize = 5;

/// An order in six turns: a sentence that fills four fields, three optional ones, and the confirmation.
const ORDER: [&str; 5] = ["two spicy pizzas to via Roma 12, my number is 347 123 4567", "skip", "no", "skip", "yes"];

fn main() -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        println!("| what | result |");
        println!("|---|---|");
        let mut starts = Vec::new();
        for _ in 0..STARTS {
            starts.push(Server::start().await?.took);
        }
        starts.sort();
        println!("| cold start to ready, median of {STARTS} | {:.0} ms |", millis(starts[STARTS / 2]));
        turns().await?;
        memory().await
    })
}

async fn turns() -> io::Result<()> {
    let server = Server::start().await?;
    let start = Instant::now();
    let callers: Vec<_> = (0..CALLERS).map(|_| tokio::spawn(orders(server.address.clone(), start))).collect();
    let (mut times, mut orders) = (Vec::new(), 0);
    for caller in callers {
        let (own, placed) = caller.await??;
        times.extend(own);
        orders += placed;
    }
    let seconds = start.elapsed().as_secs_f64();
    times.sort();
    let at = |part: usize| times.get(times.len() * part / 100).map_or(0.0, |time| millis(*time));
    #[expect(clippy::cast_precision_loss, reason = "a rate for people")]
    let rate = |n: usize| n as f64 / seconds;
    println!("| HTTP turns/s, {CALLERS} callers | {:.0} ({:.0} orders/s) |", rate(times.len()), rate(orders));
    println!("| HTTP turn, p50 and p99 | {:.1} and {:.1} ms |", at(50), at(99));
    Ok(())
}

async fn memory() -> io::Result<()> {
    let server = Server::start().await?;
    let before = server.resident()?;
    let share = OPEN_SESSIONS / CALLERS + 1;
    let openers: Vec<_> = (0..CALLERS).map(|_| tokio::spawn(open(server.address.clone(), share))).collect();
    for opener in openers {
        opener.await??;
    }
    let after = server.resident()?;
    println!("| resident memory at start | {before:.0} MB |");
    println!("| resident memory with {OPEN_SESSIONS} open sessions | {after:.0} MB |");
    Ok(())
}

/// Places orders until the time is over; gives how long each turn took, and how many orders were placed.
async fn orders(address: String, start: Instant) -> io::Result<(Vec<Duration>, usize)> {
    let mut caller = Caller::connect(&address).await?;
    let (mut times, mut placed) = (Vec::new(), 0);
    while start.elapsed() < RUN {
        caller.cookie = None;
        let began = Instant::now();
        let opened = caller.post(r#"{"form":"pizza-order"}"#).await?;
        times.push(began.elapsed());
        let conversation = text_after(&opened, r#""conversation_id":""#);
        for message in ORDER {
            let began = Instant::now();
            let body = format!(r#"{{"conversation_id":"{conversation}","user_message":"{message}"}}"#);
            let answer = caller.post(&body).await?;
            times.push(began.elapsed());
            placed += usize::from(message == "yes" && answer.contains("FORM_COMPLETE"));
        }
    }
    Ok((times, placed))
}

async fn open(address: String, sessions: usize) -> io::Result<()> {
    let mut caller = Caller::connect(&address).await?;
    for _ in 0..sessions {
        caller.cookie = None;
        let opened = caller.post(r#"{"form":"pizza-order"}"#).await?;
        let conversation = text_after(&opened, r#""conversation_id":""#);
        let body = format!(r#"{{"conversation_id":"{conversation}","user_message":"{}"}}"#, ORDER[0]);
        caller.post(&body).await?;
    }
    Ok(())
}

/// The program with a data directory of its own; killed when dropped.
struct Server {
    child: Child,
    address: String,
    took: Duration,
    _data: tempfile::TempDir,
}

impl Server {
    /// Starts the program and waits until it answers.
    async fn start() -> io::Result<Self> {
        let data = tempfile::tempdir()?;
        let address = std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?.to_string();
        let began = Instant::now();
        let child = Command::new(env!("CARGO_BIN_EXE_formwright"))
            .args(["run", "--listen", &address, "--forms", "forms", "--data"])
            .arg(data.path())
            .env("FORMWRIGHT__LOG__LEVEL", "error")
            // Every caller comes from this machine, with a new cookie for each conversation.
            .env("FORMWRIGHT__WEB__CONVERSATIONS_PER_ADDRESS", "1000000")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .kill_on_drop(true)
            .spawn()?;
        while !is_ready(&address).await {
            if began.elapsed() > Duration::from_secs(30) {
                return Err(io::Error::other("the program did not start"));
            }
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        Ok(Self { child, address, took: began.elapsed(), _data: data })
    }

    /// Resident memory in MB.
    fn resident(&self) -> io::Result<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id().unwrap_or_default()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
        let kilobytes: f64 = line.trim().trim_end_matches(" kB").parse().unwrap_or_default();
        Ok(kilobytes / 1024.0)
    }
}

async fn is_ready(address: &str) -> bool {
    let Ok(mut caller) = Caller::connect(address).await else { return false };
    caller.send("GET", "/api/health", "").await.is_ok_and(|(status, _)| status == 200)
}

/// One kept connection that speaks as little HTTP as will do.
struct Caller {
    stream: TcpStream,
    cookie: Option<String>,
    host: String,
}

impl Caller {
    async fn connect(address: &str) -> io::Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, cookie: None, host: address.to_owned() })
    }

    async fn post(&mut self, body: &str) -> io::Result<String> {
        match self.send("POST", "/api/chat", body).await? {
            (200, text) => Ok(text),
            (status, text) => Err(io::Error::other(format!("{status}: {text}"))),
        }
    }

    async fn send(&mut self, method: &str, path: &str, body: &str) -> io::Result<(u16, String)> {
        let cookie = self.cookie.as_ref().map(|cookie| format!("cookie: {cookie}\r\n")).unwrap_or_default();
        let (host, length) = (&self.host, body.len());
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {host}\r\n{cookie}content-type: application/json\r\n\
             content-length: {length}\r\n\r\n{body}"
        );
        self.stream.write_all(request.as_bytes()).await?;
        let mut bytes = Vec::with_capacity(8 * 1024);
        loop {
            if self.stream.read_buf(&mut bytes).await? == 0 {
                return Err(io::Error::other("the connection was closed"));
            }
            let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") else { continue };
            let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
            let length: usize = header(&head, "content-length").parse().unwrap_or_default();
            if bytes.len() < end + 4 + length {
                bytes.reserve(end + 4 + length - bytes.len());
                while bytes.len() < end + 4 + length {
                    self.stream.read_buf(&mut bytes).await?;
                }
            }
            let set = header(&head, "set-cookie");
            if !set.is_empty() {
                self.cookie = set.split(';').next().map(str::to_owned);
            }
            let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_default();
            return Ok((status, String::from_utf8_lossy(&bytes[end + 4..]).into_owned()));
        }
    }
}

fn header<'a>(head: &'a str, name: &str) -> &'a str {
    let named = |line: &'a str| line.split_once(':').filter(|(key, _)| key.eq_ignore_ascii_case(name));
    head.lines().find_map(named).map_or("", |(_, value)| value.trim())
}

fn text_after<'a>(text: &'a str, mark: &str) -> &'a str {
    let rest = text.split_once(mark).map_or("", |(_, rest)| rest);
    rest.split('"').next().unwrap_or_default()
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}
