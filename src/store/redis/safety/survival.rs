//! What this Redis survives: told to the operator at start.

use redis::Value;

use crate::StoreError;
use crate::redis::RedisStore;

/// What a Redis survives, by its own settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Survival {
    /// One line for the operator.
    pub line: String,
    /// Why this Redis is not to be used: it throws records away when its memory is full.
    pub refused: Option<String>,
}

impl RedisStore {
    /// Reads from the server's settings what it survives.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] while it cannot be asked. Settings that a provider does not show are no error: the
    /// line says so.
    pub async fn survival(&self) -> Result<Survival, StoreError> {
        let info = self.link.ask_if_allowed(&redis::cmd("INFO")).await?.map(words);
        let mut command = redis::cmd("CONFIG");
        command.arg("GET").arg(&["maxmemory-policy", "appendonly", "appendfsync", "save"]);
        // Providers of managed servers forbid the question; what `INFO` tells must do.
        let config = self.link.ask_if_allowed(&command).await?.map(words);
        let told = survival(&info.clone().unwrap_or_default(), &config.clone().unwrap_or_default(), self.evicting_ok);
        Ok(match (info, config) {
            (Some(_), _) => told,
            (None, config) => Survival { line: told.line + without(config.is_some()), ..told },
        })
    }
}

/// What is not known of a server that forbids questions.
fn without(config: bool) -> &'static str {
    if config {
        "; this user may not ask INFO: whether there are replicas is found out by WAIT alone"
    } else {
        "; this user may not ask INFO and CONFIG GET: whether this Redis throws conversations away is not known, and \
         whether there are replicas is found out by WAIT alone (deploy/README.md has the rights that are needed)"
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
    let sync = setting("appendfsync");
    let kill = match (aof, sync.as_deref()) {
        // While a sync takes long it answers, for two seconds at most, before it writes.
        (Some(true), Some("everysec")) => "yes, but for up to two seconds where its disk lags",
        (Some(true), None) => "its settings cannot be read",
        (Some(true), Some(_)) => "yes",
        (Some(false), _) if snapshots => "only up to the last snapshot: switch `appendonly` on",
        (Some(false), _) => "no, nothing is written to disk: switch `appendonly` on",
        (None, _) => "its settings cannot be read",
    };
    let power = match (aof, sync.as_deref()) {
        (Some(true), Some("always")) => "yes",
        (Some(true), Some("everysec")) => "all but the last second or two",
        (Some(true), Some(_)) => "all but what the system had not written yet, some 30 s",
        (Some(true), None) => "its settings cannot be read",
        (Some(false), _) => kill,
        (None, _) => "its settings cannot be read",
    };
    let failover = match primaries(info).into_iter().min() {
        Some(0) => "there is no replica to fail over to".to_owned(),
        Some(number) => {
            format!("{number} connected, the last answers may be asked again, what is said to be submitted is kept")
        }
        None => "its replicas cannot be read".to_owned(),
    };
    let version = fact("valkey_version").map(|version| format!("Valkey {version}"));
    let version = version.or_else(|| Some(format!("Redis {}", fact("redis_version")?)));
    let version = version.unwrap_or_else(|| "Redis".to_owned());
    let policy = setting("maxmemory-policy").or_else(|| fact("maxmemory_policy"));
    let full = match policy.as_deref() {
        Some("noeviction") => "yes, it takes nothing in then".to_owned(),
        Some(policy) => format!("no, it throws conversations away then ({policy})"),
        None => "its settings cannot be read".to_owned(),
    };
    let line = format!(
        "{version} survives: process kill: {kill}; power cut: {power}; failover: {failover}; full memory: {full}"
    );
    let refused = evicting(policy.as_deref()).filter(|_| !evicting_ok);
    Survival { line, refused }
}

/// Why a server is not to be used that does this when its memory is full.
pub(crate) fn evicting(policy: Option<&str>) -> Option<String> {
    policy.filter(|policy| *policy != "noeviction").map(|policy| {
        format!(
            "this Redis throws sessions away when its memory is full (maxmemory-policy is {policy}): \
             set it to noeviction"
        )
    })
}

/// How many replicas the servers have, at most; none where it does not tell.
pub(crate) fn followers(info: &[String]) -> Option<u32> {
    primaries(info).into_iter().max()
}

/// How many replicas each server has that takes writes, by its own account. Those of a cluster answer one after the other,
/// and their replicas among them.
fn primaries(info: &[String]) -> Vec<u32> {
    let (mut found, mut is_primary) = (Vec::new(), false);
    for (name, value) in info.iter().filter_map(|line| line.split_once(':')) {
        match name {
            "role" => is_primary = value == "master",
            "connected_slaves" if is_primary => found.extend(value.parse::<u32>()),
            _ => {}
        }
    }
    found
}

/// The lines and words of an answer, in order, from however many servers. An empty word is a word.
pub(crate) fn words(value: Value) -> Vec<String> {
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
        let node = |role: &str, replicas: u32| {
            let text = format!("# Replication\r\nrole:{role}\r\nconnected_slaves:{replicas}\r\nmaster_replid:a\r\n");
            (Value::SimpleString(format!("node {replicas}")), Value::BulkString(text.into_bytes()))
        };
        let answer = Value::Map(vec![node("master", 0), node("slave", 3), node("master", 1)]);
        assert_eq!(primaries(&words(answer)), [0, 1]);
    }

    #[test]
    fn what_a_provider_does_not_show_is_said_to_be_unknown() {
        let info = ["valkey_version:8.0.1", "maxmemory_policy:volatile-lru"].map(str::to_owned);
        let survival = survival(&info, &[], false);
        assert_eq!(
            survival.line,
            "Valkey 8.0.1 survives: process kill: its settings cannot be read; \
             power cut: its settings cannot be read; failover: its replicas cannot be read; \
             full memory: no, it throws conversations away then (volatile-lru)"
        );
        assert!(survival.refused.is_some_and(|why| why.contains("volatile-lru")));
    }
}
