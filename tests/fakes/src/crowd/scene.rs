//! The three platforms, and the program that serves them.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;
use tokio::process::{Child, Command};

use super::Crowd;
use super::script::forms;
use crate::discord::{self, DiscordFake};
use crate::latency::Latency;
use crate::slack::{self, SlackFake};
use crate::telegram::{self, TelegramFake};

/// How long the program may take to start or to stop.
const START: Duration = Duration::from_secs(60);
/// Longer than any crowd stays: people leave by their own patience.
const FOREVER: Duration = Duration::from_secs(24 * 60 * 60);

/// How hard the platforms are. Their rate limits are always the documented ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pressure {
    /// Calls take as long as they usually do, and who is not answered within three seconds is told so.
    Real,
    /// Calls take a tenth of that, and the platforms wait for the program: for a machine with much else to do.
    Light,
}

/// The platforms with a program of one's own. It is killed when it is dropped.
pub struct Scene {
    pub(super) slack: SlackFake,
    pub(super) discord: DiscordFake,
    pub(super) telegram: TelegramFake,
    program: Child,
    folder: TempDir,
}

impl Scene {
    /// Starts the program for a crowd, and waits until it is connected.
    ///
    /// # Errors
    /// Where it cannot be started, or does not connect.
    pub async fn open(program: &Path, crowd: &Crowd, pressure: Pressure) -> std::io::Result<Self> {
        let (slack, discord, telegram) = platforms(pressure).await;
        let folder = tempfile::tempdir()?;
        std::fs::create_dir(folder.path().join("forms"))?;
        for (id, form) in forms(crowd.people, crowd.together) {
            std::fs::write(folder.path().join(format!("forms/{id}.toml")), form)?;
        }
        let log = std::fs::File::create(folder.path().join("log.txt"))?;
        let program = Command::new(program)
            .args(["run", "--forms", "forms", "--listen", "127.0.0.1:0"])
            .current_dir(folder.path())
            .env("NO_COLOR", "1")
            .env("FORMWRIGHT__SLACK__TOKEN", slack.bot_token())
            .env("FORMWRIGHT__SLACK__APP_TOKEN", slack.app_token())
            .env("FORMWRIGHT__SLACK__API_URL", slack.api_url())
            .env("FORMWRIGHT__DISCORD__TOKEN", discord.token())
            .env("FORMWRIGHT__DISCORD__API_URL", discord.api_url())
            .env("FORMWRIGHT__TELEGRAM__TOKEN", telegram.token())
            .env("FORMWRIGHT__TELEGRAM__API_URL", telegram.url())
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            .kill_on_drop(true)
            .spawn()?;
        let scene = Self { slack, discord, telegram, program, folder };
        let connected = async {
            scene.slack.wait_for_connections(1).await;
            scene.discord.connected().await;
            scene.telegram.is_called("getUpdates", 1).await;
        };
        match tokio::time::timeout(START, connected).await {
            Ok(()) => Ok(scene),
            Err(_) => Err(std::io::Error::other(format!("the program does not connect\n{}", scene.log()))),
        }
    }

    /// What the program has printed and logged.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("log.txt")).unwrap_or_default()
    }

    /// What was submitted so far: the note to the kitchen, or the form where it has none; sorted.
    pub fn submitted(&self) -> Vec<String> {
        let files = std::fs::read_dir(self.folder.path().join("data/submissions"));
        let mut submitted = Vec::new();
        for file in files.into_iter().flatten().flatten() {
            let form = file.path().file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let lines = std::fs::read_to_string(file.path()).unwrap_or_default();
            let lines = lines.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
            let note = |line: Value| line["answers"]["note"].as_str().map(str::to_owned);
            submitted.extend(lines.map(|line| note(line).unwrap_or_else(|| form.clone())));
        }
        submitted.sort();
        submitted
    }

    /// People whom a platform has told that nobody answered them in time.
    pub fn given_up(&self) -> Vec<String> {
        let mut all = self.slack.unanswered();
        all.extend(self.discord.unanswered());
        all
    }

    /// How often the program called too early, on Slack, Discord and Telegram.
    pub fn limited(&self) -> [usize; 3] {
        let too_early = |refusals: Vec<String>| refusals.iter().filter(|line| line.contains("429")).count();
        [self.slack.limited(), too_early(self.discord.refusals()), too_early(self.telegram.refusals())]
    }

    /// What was refused for another reason than that it was called too early.
    pub fn refusals(&self) -> Vec<String> {
        let mut all = self.slack.refusals();
        all.extend(self.discord.refusals().into_iter().filter(|line| !line.contains("429")));
        all.extend(self.telegram.refusals_but(&["429"]));
        all
    }

    /// Ends the program.
    ///
    /// # Errors
    /// Where it does not end.
    pub async fn close(mut self) -> std::io::Result<()> {
        self.program.kill().await
    }
}

/// With the documented rate limits.
async fn platforms(pressure: Pressure) -> (SlackFake, DiscordFake, TelegramFake) {
    let part = match pressure {
        Pressure::Real => 1,
        Pressure::Light => 10,
    };
    let takes = |latency: Latency| Latency { least: latency.least / part, most: latency.most / part };
    let in_a_hurry = pressure == Pressure::Real;
    let slack = SlackFake::start().await;
    let limits = slack::Limits::default();
    slack.limits(slack::Limits { latency: takes(limits.latency), ..limits });
    slack.set_windows(|windows| {
        windows.patience = FOREVER;
        if !in_a_hurry {
            (windows.trigger, windows.answer) = (START, START);
        }
    });
    let answer_within = if in_a_hurry { discord::Options::default().answer_within } else { START };
    let latency = takes(Latency::millis(80, 150));
    let options = discord::Options { patience: FOREVER, answer_within, latency, ..discord::Options::default() };
    let latency = takes(Latency::millis(50, 120));
    let settings = telegram::Settings { patience: FOREVER, latency, ..telegram::Settings::default() };
    (slack, DiscordFake::start_with(options).await, TelegramFake::start_with(settings).await)
}
