//! Every request that a fake receives, as one JSON line, so that it can be judged by others.

use std::io::Write as _;
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock, PoisonError};

use serde_json::{Value, json};

/// Headers that hold secrets: their value is not written.
const SECRET: [&str; 4] = ["authorization", "cookie", "x-telegram-bot-api-secret-token", "x-slack-signature"];

static FILE: OnceLock<Option<Mutex<std::fs::File>>> = OnceLock::new();

/// Writes down a request to a platform. `path` must come without tokens; `body` is JSON where the request was, else a
/// description of it.
pub fn record(platform: &str, method: &str, path: &str, headers: &[(String, String)], body: &Value) {
    let Some(file) = FILE.get_or_init(open) else { return };
    let hide = |(name, value): &(String, String)| {
        let name = name.to_ascii_lowercase();
        let value = if SECRET.contains(&name.as_str()) { "…".to_owned() } else { value.clone() };
        (name, Value::String(value))
    };
    let headers: serde_json::Map<String, Value> = headers.iter().map(hide).collect();
    let line = json!({"platform": platform, "method": method, "path": path, "headers": headers, "body": body});
    let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
    // A recording that cannot be written fails no test: it is for readers.
    let _ = file.write_all(format!("{line}\n").as_bytes());
}

fn open() -> Option<Mutex<std::fs::File>> {
    let file = file()?;
    std::fs::create_dir_all(file.parent()?).ok()?;
    std::fs::OpenOptions::new().create(true).append(true).open(file).ok().map(Mutex::new)
}

/// `target/recordings/<process>.jsonl`, beside the build that the test runs from: what this process records.
pub fn file() -> Option<PathBuf> {
    let test = std::env::current_exe().ok()?;
    let target = test.ancestors().find(|dir| dir.join("CACHEDIR.TAG").is_file())?;
    Some(target.join("recordings").join(format!("{}.jsonl", std::process::id())))
}
