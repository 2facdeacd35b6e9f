//! The real program, with a model or without.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use formwright_fakes::llm::{KEY, MODEL};
use serde_json::Value;
use tokio::process::{Child, Command};

/// How long anything may take on a machine with much else to do.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

/// The program, serving the sample forms; killed at the end.
pub(crate) struct Program {
    process: Child,
    pub(crate) address: String,
    pub(crate) client: reqwest::Client,
    folder: tempfile::TempDir,
}

/// The variables that name a model at this address.
pub(crate) fn model_at(url: &str) -> Vec<(&'static str, String)> {
    vec![
        ("FORMWRIGHT__MODEL__BASE_URL", url.to_owned()),
        ("FORMWRIGHT__MODEL__KEY", KEY.to_owned()),
        ("FORMWRIGHT__MODEL__NAME", MODEL.to_owned()),
    ]
}

/// The program without a model, whatever the test runs in.
pub(crate) fn command(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_formwright"));
    command.current_dir(folder).env("NO_COLOR", "1").kill_on_drop(true);
    for name in ["OPENAI_BASE_URL", "OPENAI_API_KEY", "CUSTOM_LLM_API_ENDPOINT", "CUSTOM_LLM_API_KEY"] {
        command.env_remove(name);
    }
    command
}

impl Program {
    /// Starts it on a free port.
    pub(crate) async fn start(settings: Vec<(&'static str, String)>, args: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let log = std::fs::File::options().create(true).append(true).open(folder.path().join("log.txt")).unwrap();
        let mut command = command(folder.path());
        command.args(["run", "--listen", "127.0.0.1:0", "--forms", concat!(env!("CARGO_MANIFEST_DIR"), "/forms")]);
        command.args(args).env("FORMWRIGHT__DATA__STORE", "memory").envs(settings);
        command.stdin(Stdio::null()).stdout(log.try_clone().unwrap()).stderr(log);
        let process = command.spawn().unwrap();
        let client = formwright::http::client().unwrap();
        let mut program = Self { process, address: String::new(), client, folder };
        let line = program.tells("the page is at ").await;
        line.trim().strip_prefix("the page is at ").unwrap().clone_into(&mut program.address);
        program
    }

    /// What it has written, for the operator and as its log.
    pub(crate) fn log(&self) -> String {
        log_in(self.folder.path())
    }

    /// Waits until it has written this; the line.
    pub(crate) async fn tells(&self, what: &str) -> String {
        let told = async {
            loop {
                let log = self.log();
                let whole = log.split_inclusive('\n').filter(|line| line.ends_with('\n'));
                if let Some(line) = whole.map(str::trim_end).find(|line| line.contains(what)) {
                    return line.to_owned();
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        let in_time = tokio::time::timeout(PATIENCE, told).await;
        in_time.unwrap_or_else(|_| panic!("it does not tell {what}:\n{}", self.log()))
    }

    /// What `/api/health` says.
    pub(crate) async fn health(&self) -> (u16, Value) {
        let response = self.client.get(format!("{}api/health", self.address)).send().await.unwrap();
        (response.status().as_u16(), response.json().await.unwrap())
    }

    /// The answers of the one submission of a form, as they have arrived in its file. A file's id is the platform's own.
    pub(crate) async fn submitted(&self, form: &str) -> Value {
        let file = self.folder.path().join(format!("data/submissions/{form}.jsonl"));
        let arrived = async {
            loop {
                let text = std::fs::read_to_string(&file).unwrap_or_default();
                if text.ends_with('\n') {
                    return text;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        let text = tokio::time::timeout(PATIENCE, arrived).await;
        let text = text.unwrap_or_else(|_| panic!("no {}\n{}", file.display(), self.log()));
        assert_eq!(text.lines().count(), 1, "{text}");
        let mut answers = serde_json::from_str::<Value>(&text).unwrap()["answers"].take();
        if let Some(id) = answers.pointer_mut("/requiredDocs/0/id") {
            *id = "".into();
        }
        answers
    }

    /// Asks it to stop, as an operator does; its exit code.
    pub(crate) async fn stop(mut self) -> (Option<i32>, String) {
        let id = self.process.id().unwrap().to_string();
        let asked = Command::new("kill").args(["-TERM", &id]).status().await.unwrap();
        assert!(asked.success());
        let ended = tokio::time::timeout(PATIENCE, self.process.wait()).await.expect("it stops").unwrap();
        (ended.code(), self.log())
    }
}

fn log_in(folder: &Path) -> String {
    std::fs::read_to_string(folder.join("log.txt")).unwrap_or_default()
}
