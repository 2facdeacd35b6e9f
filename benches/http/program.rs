//! The program that is measured, and what is put into its Redis.

use std::io;
use std::process::Stdio;
use std::time::{Duration, Instant};

use tokio::process::{Child, Command};

use super::caller::Caller;
use super::server::Server;

/// Ticks in a second of the processor times that Linux tells.
const TICKS: f64 = 100.0;
/// Sessions that one script copies: Redis does nothing else meanwhile.
const COPIES: usize = 1_000;

/// The program with a data directory of its own; killed when dropped.
pub(crate) struct Program {
    child: Child,
    pub(crate) address: String,
    pub(crate) took: Duration,
    _data: tempfile::TempDir,
}

impl Program {
    /// Starts the program and waits until it answers.
    pub(crate) async fn start(settings: &[(&str, &str)]) -> io::Result<Self> {
        let data = tempfile::tempdir()?;
        let address = free_address()?;
        let began = Instant::now();
        let child = Command::new(env!("CARGO_BIN_EXE_formwright"))
            .args(["run", "--listen", &address, "--forms", "forms", "--data"])
            .arg(data.path())
            .env("FORMWRIGHT__LOG__LEVEL", "error")
            // Every caller comes from this machine, with a new cookie for each conversation.
            .env("FORMWRIGHT__WEB__CONVERSATIONS_PER_ADDRESS", "1000000")
            .envs(settings.iter().copied())
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
    pub(crate) fn resident(&self) -> io::Result<f64> {
        self.memory("VmRSS")
    }

    /// A part of the memory in MB: `RssFile` is the program itself, which its processes share, `RssAnon` what it made.
    pub(crate) fn memory(&self, part: &str) -> io::Result<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id().unwrap_or_default()))?;
        let line = status.lines().find_map(|line| line.strip_prefix(part)?.strip_prefix(':')).unwrap_or_default();
        let kilobytes: f64 = line.trim().trim_end_matches(" kB").parse().unwrap_or_default();
        Ok(kilobytes / 1024.0)
    }

    /// Processor time used so far, in seconds.
    pub(crate) fn busy(&self) -> io::Result<f64> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id().unwrap_or_default()))?;
        // After the name, which may hold anything, the 12th and 13th are the times in user and system mode.
        let after = stat.rsplit_once(')').map_or("", |(_, after)| after);
        let ticks = after.split_whitespace().skip(11).take(2).filter_map(|text| text.parse::<f64>().ok());
        Ok(ticks.sum::<f64>() / TICKS)
    }
}

async fn is_ready(address: &str) -> bool {
    let Ok(mut caller) = Caller::connect(address).await else { return false };
    caller.is_well().await
}

/// Stores copies of some session, numbered in this range.
pub(crate) async fn multiply(redis: &Server, mut copies: std::ops::Range<usize>) -> redis::RedisResult<()> {
    let client = redis::Client::open(redis.url.as_str())?;
    let mut connection = client.get_multiplexed_async_connection().await?;
    let sessions: Vec<String> = redis::cmd("KEYS").arg("*:s:*").query_async(&mut connection).await?;
    let script = redis::Script::new(include_str!("multiply.lua"));
    while !copies.is_empty() {
        let end = copies.end.min(copies.start + COPIES);
        let mut call = script.key(sessions.first().map(String::as_str).unwrap_or_default());
        let _: () = call.arg(copies.start).arg(end - 1).invoke_async(&mut connection).await?;
        copies.start = end;
    }
    Ok(())
}

pub(crate) fn free_address() -> io::Result<String> {
    Ok(std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?.to_string())
}
