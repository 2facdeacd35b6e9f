//! The real program, served to three fake platforms at once.

use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use formwright::store::{OutboxState, SqliteStore, Store as _};
use formwright_fakes::discord::{self, DiscordFake};
use formwright_fakes::slack::SlackFake;
use formwright_fakes::telegram::{self, TelegramFake};
use serde_json::Value;
use tokio::process::{Child, Command};
use tokio::sync::Mutex;

use super::person::Anybody;
use super::person::page::Page;
use super::person::terminal::Terminal;

/// How long anything may take on a machine with much else to do.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A chat platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Platform {
    Telegram,
    Slack,
    Discord,
}

impl Platform {
    pub(crate) const ALL: [Self; 3] = [Self::Telegram, Self::Slack, Self::Discord];
}

/// The settings of a desk on each platform: its platform, its channel and its workspace. An empty one is not set.
const TELEGRAM_DESK: [&str; 3] = [
    "FORMWRIGHT__DESK__TELEGRAM__PLATFORM",
    "FORMWRIGHT__DESK__TELEGRAM__CHANNEL",
    "FORMWRIGHT__DESK__TELEGRAM__WORKSPACE",
];
const SLACK_DESK: [&str; 3] =
    ["FORMWRIGHT__DESK__SLACK__PLATFORM", "FORMWRIGHT__DESK__SLACK__CHANNEL", "FORMWRIGHT__DESK__SLACK__WORKSPACE"];
const DISCORD_DESK: [&str; 3] = [
    "FORMWRIGHT__DESK__DISCORD__PLATFORM",
    "FORMWRIGHT__DESK__DISCORD__CHANNEL",
    "FORMWRIGHT__DESK__DISCORD__WORKSPACE",
];

/// Set for a program that the test runs itself as.
pub(crate) const OWN: &str = "FORMWRIGHT_TEST_OWN";

/// What the program is started with.
#[derive(Clone, Default)]
pub(crate) struct Plan {
    /// Forms, as TOML or JSON; the samples where there are none.
    pub(crate) forms: Vec<String>,
    /// The one platform that is served; all where none is named.
    pub(crate) only: Option<Platform>,
    /// The program is one of the test's own, with a function: the test of this name.
    pub(crate) own: Option<&'static str>,
    /// Whoever presses something is told that nobody answered after three seconds, as platforms do. Elsewhere they have
    /// patience: a busy machine is late, and what becomes of that is tried here and by each adapter.
    pub(crate) in_a_hurry: bool,
    /// Settings that only a file can hold.
    pub(crate) config: String,
    /// Further settings, as variables.
    pub(crate) settings: Vec<(&'static str, String)>,
}

/// The platforms, and the program that serves them. It is killed at the end.
pub(crate) struct Stage {
    program: Mutex<Option<Child>>,
    pub(crate) telegram: TelegramFake,
    pub(crate) slack: SlackFake,
    pub(crate) discord: DiscordFake,
    plan: Plan,
    folder: tempfile::TempDir,
}

impl Stage {
    /// The sample forms on all platforms.
    pub(crate) async fn new() -> Self {
        Self::serving(Plan::default()).await
    }

    /// The program is running, and what keeps a connection has one.
    pub(crate) async fn serving(plan: Plan) -> Self {
        let stage = Self::set(plan).await;
        stage.start(None).await;
        stage.connected().await;
        stage
    }

    /// Everything but the program.
    pub(crate) async fn set(plan: Plan) -> Self {
        let telegram = telegram::Settings { patience: PATIENCE, ..telegram::Settings::default() };
        let mut discord = discord::Options { patience: PATIENCE, ..discord::Options::default() };
        let slack = SlackFake::start().await;
        slack.set_windows(|windows| windows.patience = PATIENCE);
        if !plan.in_a_hurry {
            discord.answer_within = PATIENCE;
            slack.set_windows(|windows| (windows.trigger, windows.answer) = (PATIENCE, PATIENCE));
        }
        let (telegram, discord) = (TelegramFake::start_with(telegram).await, DiscordFake::start_with(discord).await);
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("forms")).unwrap();
        std::fs::write(folder.path().join("formwright.toml"), &plan.config).unwrap();
        for (no, form) in plan.forms.iter().enumerate() {
            let ending = if form.starts_with('{') { "json" } else { "toml" };
            std::fs::write(folder.path().join(format!("forms/{no}.{ending}")), form).unwrap();
        }
        Self { program: Mutex::default(), telegram, slack, discord, plan, folder }
    }

    /// Starts the program, with a point at which it is to end.
    pub(crate) async fn start(&self, fault: Option<&str>) {
        let forms = self.forms();
        let log = std::fs::File::options().create(true).append(true).open(self.folder.path().join("log.txt"));
        let mut command = match self.plan.own {
            Some(name) => {
                let mut command = Command::new(std::env::current_exe().unwrap());
                command.args(["--exact", name]).env(OWN, "1");
                command
            }
            None => {
                let mut command = Command::new(env!("CARGO_BIN_EXE_formwright"));
                command.args(["run", "--forms"]).arg(forms);
                command
            }
        };
        command.current_dir(self.folder.path());
        command.env("NO_COLOR", "1").env("FORMWRIGHT__WEB__LISTEN", "127.0.0.1:0");
        command.envs(self.tokens()).envs(self.plan.settings.iter().cloned());
        command.envs(fault.map(|fault| ("FORMWRIGHT_FAULT", fault)));
        let out = std::fs::File::create(self.folder.path().join("out.txt")).unwrap();
        command.stdin(Stdio::null()).stdout(out).stderr(log.unwrap()).kill_on_drop(true);
        *self.program.lock().await = Some(command.spawn().unwrap());
    }

    /// The folder of the forms that are served.
    fn forms(&self) -> PathBuf {
        match self.plan.forms.as_slice() {
            [] => PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("forms"),
            _ => self.folder.path().join("forms"),
        }
    }

    fn tokens(&self) -> Vec<(&'static str, String)> {
        let mut tokens = Vec::new();
        if self.serves(Platform::Telegram) {
            tokens.push(("FORMWRIGHT__TELEGRAM__TOKEN", self.telegram.token()));
            tokens.push(("FORMWRIGHT__TELEGRAM__API_URL", self.telegram.url()));
        }
        if self.serves(Platform::Slack) {
            tokens.push(("FORMWRIGHT__SLACK__TOKEN", self.slack.bot_token().to_owned()));
            tokens.push(("FORMWRIGHT__SLACK__API_URL", self.slack.api_url()));
            if !self.is_set("FORMWRIGHT__SLACK__SIGNING_SECRET") {
                tokens.push(("FORMWRIGHT__SLACK__APP_TOKEN", self.slack.app_token().to_owned()));
            }
        }
        if self.serves(Platform::Discord) {
            tokens.push(("FORMWRIGHT__DISCORD__TOKEN", self.discord.token()));
            // What two people in one channel do to each other shows only where both read along.
            tokens.push(("FORMWRIGHT__DISCORD__SERVERS", "here".to_owned()));
            tokens.push(("FORMWRIGHT__DISCORD__API_URL", self.discord.api_url()));
            tokens.push(("FORMWRIGHT__DISCORD__PUBLIC_KEY", self.discord.public_key()));
        }
        tokens
    }

    fn serves(&self, platform: Platform) -> bool {
        self.plan.only.is_none_or(|only| only == platform)
    }

    fn is_set(&self, name: &str) -> bool {
        self.plan.settings.iter().any(|(key, _)| *key == name)
    }

    /// Everything that the platforms would not like to be known.
    pub(crate) fn secrets(&self) -> Vec<String> {
        let (_, telegram) =
            self.telegram.token().split_once(':').map(|(id, key)| (id.to_owned(), key.to_owned())).unwrap();
        let slack = [self.slack.bot_token(), self.slack.app_token(), formwright_fakes::slack::SIGNING_SECRET];
        let interactions = "aW50ZXJhY3Rpb246".to_owned();
        slack.map(str::to_owned).into_iter().chain([telegram, self.discord.token(), interactions]).collect()
    }

    /// Waits until what keeps a connection has one.
    pub(crate) async fn connected(&self) {
        if self.serves(Platform::Slack) && !self.is_set("FORMWRIGHT__SLACK__SIGNING_SECRET") {
            self.slack.wait_for_connections(1).await;
        }
        if self.serves(Platform::Discord) {
            self.discord.connected().await;
        }
    }

    /// Ends the program as suddenly as can be.
    pub(crate) async fn kill(&self) {
        let mut program = self.program.lock().await;
        program.as_mut().unwrap().kill().await.unwrap();
    }

    /// Waits until the program has come to a bad end.
    pub(crate) async fn dies(&self) {
        let mut program = self.program.lock().await;
        let status = program.as_mut().unwrap().wait().await.unwrap();
        assert!(!status.success(), "the program has ended by itself\n{}", self.log());
    }

    /// What the program has printed for the operator, once it holds this.
    pub(crate) async fn printed(&self, words: &str) -> String {
        let read = || std::fs::read_to_string(self.folder.path().join("out.txt")).unwrap_or_default();
        let there = async {
            while !read().contains(words) {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        let in_time = tokio::time::timeout(PATIENCE, there).await.is_ok();
        assert!(in_time, "no “{words}” in {}\n{}", read(), self.log());
        read()
    }

    /// How often a platform has told a person that nobody answered.
    pub(crate) fn unanswered(&self) -> usize {
        self.discord.unanswered().len() + self.slack.unanswered().len()
    }

    /// What the program has logged.
    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("log.txt")).unwrap_or_default()
    }

    /// A person in private, on each platform.
    pub(crate) fn in_private(&self, name: &str) -> [Anybody; 3] {
        Platform::ALL.map(|platform| self.alone(platform, name))
    }

    /// A person in private on one platform.
    pub(crate) fn alone(&self, platform: Platform, name: &str) -> Anybody {
        match platform {
            Platform::Telegram => Arc::new(self.telegram.person(name).in_private()),
            Platform::Slack => Arc::new(self.slack.person(name).in_private()),
            Platform::Discord => Arc::new(self.discord.person(name).in_private()),
        }
    }

    /// Where the web page of the program that runs now is.
    pub(crate) async fn page_address(&self) -> String {
        const AT: &str = "the page is at ";
        let printed = self.printed(AT).await;
        printed.split_once(AT).unwrap().1.lines().next().unwrap_or_default().to_owned()
    }

    /// A person at the web page of the program that runs now.
    pub(crate) async fn page(&self) -> Arc<Page> {
        let address = self.page_address().await;
        Arc::new(Page::new(address.trim_start_matches("http://").trim_end_matches('/')))
    }

    /// Every file that the program has written, but those of sinks, which are the receivers'.
    pub(crate) fn written(&self) -> Vec<(String, Vec<u8>)> {
        let mut folders = vec![self.folder.path().to_owned()];
        let mut files = Vec::new();
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_file() {
                    files.push((path.display().to_string(), std::fs::read(&path).unwrap()));
                } else if !path.ends_with("data/submissions") && !path.ends_with("forms") {
                    folders.push(path);
                }
            }
        }
        files
    }

    /// A person at a terminal, with the same forms.
    pub(crate) fn terminal(&self) -> Arc<Terminal> {
        Arc::new(Terminal::new(self.forms()))
    }

    /// Two people in one channel of a platform: a group, a thread, a channel of a server.
    pub(crate) async fn together(&self, platform: Platform, channel: &str, names: [&str; 2]) -> [Anybody; 2] {
        match platform {
            Platform::Telegram => {
                let group = self.telegram.supergroup(channel);
                names.map(|name| Arc::new(self.telegram.person(name).in_group(&group)) as Anybody)
            }
            Platform::Slack => {
                self.slack.channel(channel);
                self.slack.person("Carla").in_channel(channel).writes("Where do we eat?").await;
                let [first, second] = names.map(|name| self.slack.person(name).in_channel(channel));
                let thread = "Where do we eat?";
                [Arc::new(first.in_thread_of(thread).await), Arc::new(second.in_thread_of(thread).await)]
            }
            Platform::Discord => names.map(|name| Arc::new(self.discord.person(name).in_channel(channel)) as Anybody),
        }
    }

    /// A desk named after its platform, with two people at it: a group, a channel, a channel of a server. For a program
    /// that is not started yet.
    pub(crate) fn desk(&mut self, platform: Platform, channel: &str, names: [&str; 2]) -> [Anybody; 2] {
        let (keys, place, people): ([&'static str; 3], [String; 3], [Anybody; 2]) = match platform {
            Platform::Telegram => {
                let group = self.telegram.supergroup(channel);
                let people = names.map(|name| Arc::new(self.telegram.person(name).in_group(&group)) as Anybody);
                (TELEGRAM_DESK, ["telegram".to_owned(), group.id().to_string(), String::new()], people)
            }
            Platform::Slack => {
                let id = self.slack.channel(channel);
                let people = names.map(|name| Arc::new(self.slack.person(name).in_channel(channel)) as Anybody);
                (SLACK_DESK, ["slack".to_owned(), id, "T0FAKE".to_owned()], people)
            }
            Platform::Discord => {
                let people = names.map(|name| self.discord.person(name).in_channel(channel));
                let place = ["discord".to_owned(), people[0].channel_id(), people[0].guild_id()];
                (DISCORD_DESK, place, people.map(|person| Arc::new(person) as Anybody))
            }
        };
        self.plan.settings.extend(keys.into_iter().zip(place));
        people
    }

    /// What the program has stored.
    pub(crate) fn store(&self) -> SqliteStore {
        SqliteStore::open(&self.folder.path().join("data/formwright.db")).unwrap()
    }

    /// Waits until everything has been taken up and delivered.
    pub(crate) async fn is_quiet(&self) {
        let store = self.store();
        let quiet = async {
            loop {
                let open = store.open_events(1).await.unwrap();
                if open.is_empty() && store.outbox(OutboxState::Waiting, 1).await.unwrap().is_empty() {
                    return;
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        let in_time = tokio::time::timeout(PATIENCE, quiet).await.is_ok();
        assert!(in_time, "there is something left to do\n{}", self.log());
    }

    /// Every row of every table that the program has stored.
    pub(crate) fn stored(&self) -> Vec<String> {
        let database = rusqlite::Connection::open(self.folder.path().join("data/formwright.db")).unwrap();
        let rows = |query: &str| -> Vec<String> {
            let mut select = database.prepare(query).unwrap();
            let width = select.column_count();
            let cells = |row: &rusqlite::Row<'_>| -> rusqlite::Result<Vec<rusqlite::types::Value>> {
                (0..width).map(|no| row.get(no)).collect()
            };
            let rows = select.query_map([], cells).unwrap();
            rows.map(|row| format!("{:?}", row.unwrap())).collect()
        };
        let text = |row: String| row.split('"').nth(1).unwrap().to_owned();
        let tables = rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").into_iter().map(text);
        tables.flat_map(|table| rows(&format!("SELECT '{table}', * FROM \"{table}\" ORDER BY 2, 3"))).collect()
    }

    /// The answers of the submissions of a form now.
    pub(crate) fn submitted(&self, form: &str) -> Vec<Value> {
        let file = self.folder.path().join(format!("data/submissions/{form}.jsonl"));
        let lines = std::fs::read_to_string(file).unwrap_or_default();
        let lines = lines.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        lines.map(|line| line["answers"].clone()).collect()
    }

    /// The answers of the submissions of a form, once there are so many.
    pub(crate) async fn submissions(&self, form: &str, count: usize) -> Vec<Value> {
        let submitted = async {
            while self.submitted(form).len() < count {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        let in_time = tokio::time::timeout(PATIENCE, submitted).await.is_ok();
        assert!(in_time, "{form} was not submitted {count} times\n{}", self.log());
        self.submitted(form)
    }

    /// Nothing was sent that a platform would have refused, but for what was sent too soon and came again.
    pub(crate) fn assert_nothing_was_refused(&self) {
        assert_eq!(self.telegram.refusals_but(&["429"]), Vec::<String>::new());
        assert_eq!(self.slack.refusals(), Vec::<String>::new());
        assert_eq!(self.discord.refusals(), Vec::<String>::new());
    }
}
