//! What this Redis survives: told to the operator at start, and asked before a person is told "submitted".

use std::time::{Duration, Instant};

use redis::Value;

use super::keys::all;
use super::link::all as side_by_side;
use super::{Link, RedisStore};
use crate::store::StoreError;

/// How long a replica of the server may take to confirm a write.
const PATIENCE: Duration = Duration::from_millis(500);

/// How long a server that had replicas is expected to have one again. After that it promises what one without promises.
const BEREFT: Duration = Duration::from_secs(600);

/// What a Redis survives, by its own settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Survival {
    /// One line for the operator.
    pub line: String,
    /// Why this Redis is not to be used: it throws records away when its memory is full.
    pub refused: Option<String>,
}

/// What earlier questions told about the replicas of the server.
#[derive(Debug, Default)]
pub(super) struct Settled {
    /// When there were some.
    had_replicas: Option<Instant>,
    /// The history that the server writes: another one after a failover.
    history: Option<String>,
}

impl RedisStore {
    /// Reads from the server's settings what it survives.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] while it cannot be asked. Settings that a provider does not show are no error: the
    /// line says so.
    pub async fn survival(&self) -> Result<Survival, StoreError> {
        let info = words(self.link.ask(&redis::cmd("INFO")).await?);
        let mut command = redis::cmd("CONFIG");
        command.arg("GET").arg(&["maxmemory-policy", "appendonly", "appendfsync", "save"]);
        // Providers of managed servers forbid the question; what `INFO` tells must do.
        let config = self.link.ask(&command).await.map(words).unwrap_or_default();
        Ok(survival(&info, &config, self.evicting_ok))
    }
}

fn survival(info: &[String], config: &[String], evicting_ok: bool) -> Survival {
    let fact = |name: &str| {
        let line = |line: &String| line.strip_prefix(name)?.strip_prefix(':').map(str::to_owned);
        info.iter().find_map(line)
    };
    let setting = |name: &str| config.iter().position(|word| word == name).and_then(|at| config.get(at + 1)).cloned();
    let aof = setting("appendonly").map(|value| value == "yes").or_else(|| Some(fact("aof_enabled")? == "1"));
    let snapshots = setting("save").is_some_and(|value| !value.is_empty());
    let kill = match aof {
        Some(true) => "yes",
        Some(false) if snapshots => "only up to the last snapshot: switch `appendonly` on",
        Some(false) => "no, nothing is written to disk: switch `appendonly` on",
        None => "its settings cannot be read",
    };
    let power = match (aof, setting("appendfsync").as_deref()) {
        (Some(true), Some("always")) => "yes",
        (Some(true), Some("everysec")) => "all but the last second",
        (Some(true), Some(_)) => "all but what the system had not written yet, some 30 s",
        (Some(true), None) => "its settings cannot be read",
        (Some(false), _) => kill,
        (None, _) => "its settings cannot be read",
    };
    let failover = match primaries(info).iter().map(|primary| primary.replicas).min() {
        Some(0) => "there is no replica to fail over to".to_owned(),
        Some(number) => {
            format!("{number} connected, the last answers may be asked again, what is said to be submitted is kept")
        }
        None => "its replicas cannot be read".to_owned(),
    };
    let version = fact("valkey_version").map(|version| format!("Valkey {version}"));
    let version = version.or_else(|| Some(format!("Redis {}", fact("redis_version")?)));
    let version = version.unwrap_or_else(|| "Redis".to_owned());
    let line = format!("{version} survives: process kill: {kill}; power cut: {power}; failover: {failover}");
    let policy = setting("maxmemory-policy").or_else(|| fact("maxmemory_policy"));
    let refused = policy.filter(|policy| policy != "noeviction" && !evicting_ok).map(|policy| {
        format!(
            "this Redis throws sessions away when its memory is full (maxmemory-policy is {policy}): \
             set it to noeviction"
        )
    });
    Survival { line, refused }
}

/// Whether all that was written before now would outlive the server that took it. Where it never had replicas, that is
/// all that was promised; where it had some, one of them must have it.
pub(super) async fn settle(store: &RedisStore) -> Result<bool, StoreError> {
    let info = words(store.careful.ask(redis::cmd("INFO").arg("replication")).await?);
    let primaries = primaries(&info);
    {
        let mut settled = store.settled.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if primaries.iter().any(|primary| primary.replicas > 0) {
            settled.had_replicas = Some(Instant::now());
        }
        let history: String = primaries.into_iter().map(|primary| primary.history).collect();
        // After a failover nobody knows what the new server has of what the old one took.
        let before = settled.history.replace(history.clone());
        if before.is_some_and(|before| before != history) {
            return Ok(false);
        }
        if settled.had_replicas.is_none_or(|seen| seen.elapsed() > BEREFT) {
            return Ok(true);
        }
    }
    // A write of our own comes first: on a new connection `WAIT` waits for nothing.
    let reached = store.careful.written_and_waited(store, PATIENCE).await?;
    Ok(reached >= 1)
}

impl Link {
    /// Writes something and waits until a replica has it, and with it all that was written before; gives how many have.
    async fn written_and_waited(&self, store: &RedisStore, patience: Duration) -> Result<u64, StoreError> {
        let write = |key: String| {
            let mut command = redis::cmd("SET");
            command.arg(key).arg(1).arg("PX").arg(60_000);
            command
        };
        let mut wait = redis::cmd("WAIT");
        wait.arg(1).arg(patience.as_millis().to_string());
        if self.is_cluster() {
            let marks = all().map(|partition| write(store.names.settled(partition.0)));
            let marks: Vec<_> = marks.collect();
            let written = side_by_side(marks.iter().map(|mark| self.ask::<Value>(mark))).await;
            written.into_iter().collect::<Result<Vec<_>, _>>()?;
            return self.ask(&wait).await;
        }
        let mut pipeline = redis::pipe();
        pipeline.add_command(write(store.names.settled(0))).ignore().add_command(wait);
        let (reached,): (u64,) = self.ask_together(&pipeline).await?;
        Ok(reached)
    }
}

/// A server that takes writes, by its own account.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Primary {
    history: String,
    replicas: u32,
}

/// The servers that take writes, in an order that does not change. Those of a cluster answer one after the other, and
/// their replicas among them.
fn primaries(info: &[String]) -> Vec<Primary> {
    let mut found = Vec::new();
    let mut connected = None;
    for (name, value) in info.iter().filter_map(|line| line.split_once(':')) {
        match name {
            "role" => connected = (value == "master").then_some(0),
            "connected_slaves" => connected = connected.and_then(|_| value.parse().ok()),
            "master_replid" => {
                let primary = |replicas| Primary { history: value.to_owned(), replicas };
                found.extend(connected.take().map(primary));
            }
            _ => {}
        }
    }
    found.sort();
    found
}

/// The lines and words of an answer, in order, from however many servers. An empty word is a word.
fn words(value: Value) -> Vec<String> {
    let lines = |text: &str| text.split('\n').map(|line| line.trim_end().to_owned()).collect();
    match value {
        Value::BulkString(bytes) => lines(&String::from_utf8_lossy(&bytes)),
        Value::SimpleString(text) => lines(&text),
        Value::VerbatimString { text, .. } => lines(&text),
        Value::Array(items) => items.into_iter().flat_map(words).collect(),
        Value::Map(pairs) => pairs.into_iter().flat_map(|(key, value)| [key, value]).flat_map(words).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_clusters_servers_those_count_that_take_writes() {
        let node = |role: &str, replicas: u32, history: &str| {
            let text =
                format!("# Replication\r\nrole:{role}\r\nconnected_slaves:{replicas}\r\nmaster_replid:{history}\r\n");
            (Value::SimpleString(format!("node {history}")), Value::BulkString(text.into_bytes()))
        };
        let answer = Value::Map(vec![node("master", 2, "b"), node("slave", 0, "b"), node("master", 1, "a")]);
        let primary = |history: &str, replicas| Primary { history: history.to_owned(), replicas };
        assert_eq!(primaries(&words(answer)), [primary("a", 1), primary("b", 2)]);
    }

    #[test]
    fn what_a_provider_does_not_show_is_said_to_be_unknown() {
        let info = ["valkey_version:8.0.1", "maxmemory_policy:volatile-lru"].map(str::to_owned);
        let survival = survival(&info, &[], false);
        assert_eq!(
            survival.line,
            "Valkey 8.0.1 survives: process kill: its settings cannot be read; \
             power cut: its settings cannot be read; failover: its replicas cannot be read"
        );
        assert!(survival.refused.is_some_and(|why| why.contains("volatile-lru")));
    }
}
