//! A person at a terminal: `formwright try` with lines from a pipe. What is listed is picked by its number, as it says.

use std::path::PathBuf;
use std::process::Stdio;

use async_trait::async_trait;
use formwright_chat::conformance::people::Told;
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::{Child, ChildStdout, Command};
use tokio::sync::Mutex;

use super::Person;
use crate::platforms::stage::PATIENCE;

/// A terminal, and what is on it.
pub(crate) struct Terminal {
    /// Where the form files are.
    forms: PathBuf,
    /// Where the person's own files are.
    folder: tempfile::TempDir,
    program: Mutex<Option<(Child, ChildStdout)>>,
    printed: std::sync::Mutex<Vec<String>>,
    form: std::sync::Mutex<String>,
    ended: std::sync::Mutex<Vec<(String, Value)>>,
}

impl Terminal {
    pub(crate) fn new(forms: PathBuf) -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self {
            forms,
            folder,
            program: Mutex::default(),
            printed: std::sync::Mutex::default(),
            form: std::sync::Mutex::default(),
            ended: std::sync::Mutex::default(),
        }
    }

    /// The answers to a form that were printed at its end, as often as there was one.
    pub(crate) fn submitted(&self, form: &str) -> Vec<Value> {
        let ended = self.ended.lock().unwrap();
        ended.iter().filter(|(ended, _)| ended == form).map(|(_, answers)| answers.clone()).collect()
    }

    /// Reads what is printed, up to the next prompt or to the end.
    async fn reads_on(&self) {
        let mut program = self.program.lock().await;
        let Some((child, output)) = program.as_mut() else { panic!("nothing runs here") };
        let mut bytes = Vec::new();
        let to_the_prompt =
            async { while !bytes.ends_with(b"\n> ") && output.read_buf(&mut bytes).await.unwrap() > 0 {} };
        let in_time = tokio::time::timeout(PATIENCE, to_the_prompt).await.is_ok();
        let printed = String::from_utf8_lossy(&bytes).into_owned();
        assert!(in_time, "no prompt comes: {printed}");
        if !printed.ends_with("\n> ") {
            let status = child.wait().await.unwrap();
            assert!(status.success(), "{status}: {printed}");
            let answers = printed.split_once("\n{\n").map(|(_, rest)| serde_json::from_str(&format!("{{{rest}")));
            let form = self.form.lock().unwrap().clone();
            self.ended.lock().unwrap().extend(answers.map(|answers| (form, answers.unwrap())));
        }
        self.printed.lock().unwrap().push(printed);
    }

    /// The number of what is listed under this label, and the label itself where the list has none.
    fn number_of(&self, label: &str) -> String {
        let printed = self.read().pop().unwrap_or_default();
        let fits = |line: &str| {
            let (number, named) = line.trim().split_once(". ")?;
            let bare = named.split(" — ").next().unwrap_or_default();
            let same = bare == label || bare == format!("[{label}]");
            (same && number.bytes().all(|byte| byte.is_ascii_digit())).then(|| number.to_owned())
        };
        printed.lines().find_map(fits).unwrap_or_else(|| label.to_owned())
    }
}

#[async_trait]
impl Person for Terminal {
    async fn opens(&self, form: &str) {
        form.clone_into(&mut self.form.lock().unwrap());
        let mut command = Command::new(env!("CARGO_BIN_EXE_formwright"));
        command.args(["try", form, "--lang", "en", "--forms"]).arg(&self.forms).current_dir(self.folder.path());
        command.env("NO_COLOR", "1").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.kill_on_drop(true).spawn().unwrap();
        let output = child.stdout.take().unwrap();
        *self.program.lock().await = Some((child, output));
        self.reads_on().await;
    }

    async fn writes(&self, words: &str) {
        {
            let mut program = self.program.lock().await;
            let input = program.as_mut().and_then(|(child, _)| child.stdin.as_mut()).unwrap();
            // A line is all that a terminal takes.
            input.write_all(format!("{}\n", words.replace('\n', " ")).as_bytes()).await.unwrap();
        }
        self.reads_on().await;
    }

    async fn sees(&self, words: &str) {
        let printed = self.read().pop().unwrap_or_default();
        assert!(printed.contains(words), "no “{words}” in {printed}");
    }

    async fn presses(&self, label: &str) {
        self.writes(&self.number_of(label)).await;
    }

    async fn sends_file(&self, name: &str, _: &str, bytes: &[u8]) {
        std::fs::write(self.folder.path().join(name), bytes).unwrap();
        self.writes(name).await;
    }

    /// A number answers what is asked now: what was listed before cannot be pressed any more.
    async fn presses_old(&self, _: &str) {}

    async fn is_told(&self, _: Told) {}

    fn read(&self) -> Vec<String> {
        self.printed.lock().unwrap().clone()
    }
}
