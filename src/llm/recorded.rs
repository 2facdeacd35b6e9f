//! A model that was recorded: replays what a real one said, for tests and demonstrations.
//!
//! A cassette is a folder with one JSON file for each request. Without a recording a call fails and nothing is sent
//! anywhere; with `record`, a real model is asked and its reply kept.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use formwright_chat as chat;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::Model;
use formwright_engine::{CallError, ModelCall};

/// See the module.
pub struct Recorded {
    dir: PathBuf,
    /// Asked where there is no recording; its reply is kept.
    record: Option<Arc<dyn Model>>,
    calls: AtomicU64,
    missing: AtomicU64,
}

impl std::fmt::Debug for Recorded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Recorded").field("dir", &self.dir).finish_non_exhaustive()
    }
}

/// One recording.
#[derive(Debug, Serialize, Deserialize)]
struct Recording {
    /// The changing part of the request, for whoever reads the file.
    message: String,
    /// What the model said.
    reply: String,
}

impl Recorded {
    /// Replays the recordings of a folder.
    pub fn replay(dir: impl Into<PathBuf>) -> Self {
        Self { dir: dir.into(), record: None, calls: AtomicU64::default(), missing: AtomicU64::default() }
    }

    /// Replays the recordings of a folder, and asks a model for those that are missing.
    pub fn record(dir: impl Into<PathBuf>, model: Arc<dyn Model>) -> Self {
        Self { record: Some(model), ..Self::replay(dir) }
    }

    /// How many requests had no recording, and nobody to make one.
    pub fn missing(&self) -> u64 {
        self.missing.load(Ordering::Relaxed)
    }

    fn file(&self, call: &ModelCall) -> PathBuf {
        // The call's own name is new each time and is no part of what is asked.
        let mut hash = Sha256::new();
        for part in [call.system.as_str(), &call.message, &call.schema.to_string()] {
            hash.update(part.len().to_le_bytes());
            hash.update(part);
        }
        self.dir.join(format!("{}.json", chat::hex(&hash.finalize()[..12])))
    }
}

#[async_trait]
impl Model for Recorded {
    async fn ask(&self, user: &chat::UserId, call: &ModelCall) -> Result<String, CallError> {
        let no = self.calls.fetch_add(1, Ordering::Relaxed);
        let file = self.file(call);
        let failed = |why: String| CallError::broken(format!("{}: {why}", file.display()), false);
        match tokio::fs::read(&file).await {
            Ok(bytes) => {
                let recording: Recording = serde_json::from_slice(&bytes).map_err(|error| failed(error.to_string()))?;
                return Ok(recording.reply);
            }
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(failed(error.to_string())),
            Err(_) => {}
        }
        let Some(model) = &self.record else {
            self.missing.fetch_add(1, Ordering::Relaxed);
            return Err(failed("no recording of this request".to_owned()));
        };
        let reply = model.ask(user, call).await?;
        let recording = Recording { message: call.message.clone(), reply };
        let text = serde_json::to_string_pretty(&recording).map_err(|error| failed(error.to_string()))?;
        tokio::fs::create_dir_all(&self.dir).await.map_err(|error| failed(error.to_string()))?;
        // Whoever reads it meanwhile finds all of it or nothing.
        let half = file.with_extension(format!("{no}.tmp"));
        tokio::fs::write(&half, text + "\n").await.map_err(|error| failed(error.to_string()))?;
        tokio::fs::rename(&half, &file).await.map_err(|error| failed(error.to_string()))?;
        Ok(recording.reply)
    }

    fn deadline(&self) -> Option<Duration> {
        self.record.as_ref().and_then(|model| model.deadline())
    }

    fn health(&self) -> chat::ModelHealth {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let asked = self.record.as_ref().map(|model| model.health()).unwrap_or_default();
        chat::ModelHealth { calls: read(&self.calls), failures: asked.failures + read(&self.missing), ..asked }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Says(&'static str);

    #[async_trait]
    impl Model for Says {
        async fn ask(&self, _: &chat::UserId, _: &ModelCall) -> Result<String, CallError> {
            Ok(self.0.to_owned())
        }
    }

    fn call(name: &str, message: &str) -> ModelCall {
        ModelCall {
            call: name.to_owned(),
            system: "rules".to_owned(),
            message: message.to_owned(),
            schema: serde_json::json!({}),
            max_tokens: 60,
        }
    }

    #[tokio::test]
    async fn what_was_recorded_is_replayed_and_nothing_else() {
        let dir = tempfile::tempdir().expect("a folder");
        let ada = chat::UserId::new("ada");
        let recording = Recorded::record(dir.path(), Arc::new(Says("{}")));
        assert_eq!(recording.ask(&ada, &call("1", "two pizzas")).await.expect("a reply"), "{}");
        let replay = Recorded::replay(dir.path());
        assert_eq!(replay.ask(&ada, &call("2", "two pizzas")).await.expect("a reply"), "{}");
        let missing = replay.ask(&ada, &call("3", "three pizzas")).await.expect_err("not recorded");
        assert!(missing.for_log.contains("no recording"), "{}", missing.for_log);
        assert_eq!((replay.missing(), replay.health().calls), (1, 2));
    }
}
