//! The real program against all chat platforms at once: people fill in forms by sentences, by widgets and by both, and the
//! same answers give the same submission wherever they were given.

mod injury;

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use formwright_fakes::discord::DiscordFake;
use formwright_fakes::slack::SlackFake;
use formwright_fakes::telegram::TelegramFake;
use serde_json::Value;

const PATIENCE: Duration = Duration::from_secs(30);

/// The platforms, and the program that serves them.
struct Stage {
    telegram: TelegramFake,
    slack: SlackFake,
    discord: DiscordFake,
    program: Child,
    folder: tempfile::TempDir,
}

impl Stage {
    async fn new() -> Self {
        let (telegram, slack) = (TelegramFake::start().await, SlackFake::start().await);
        let discord = DiscordFake::start().await;
        let folder = tempfile::tempdir().unwrap();
        let program = start(folder.path(), &telegram, &slack, &discord);
        let stage = Self { telegram, slack, discord, program, folder };
        stage.connected().await;
        stage
    }

    /// Waits until what keeps a connection has one.
    async fn connected(&self) {
        self.slack.wait_for_connections(1).await;
        self.discord.connected().await;
    }

    /// The answers of the submissions of a form, once there are so many.
    async fn submissions(&self, form: &str, count: usize) -> Vec<Value> {
        let file = self.folder.path().join(format!("data/submissions/{form}.jsonl"));
        let submitted = async {
            loop {
                let lines = std::fs::read_to_string(&file).unwrap_or_default();
                let lines: Vec<Value> = lines.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
                if lines.len() >= count {
                    return lines.into_iter().map(|line| line["answers"].clone()).collect();
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        tokio::time::timeout(PATIENCE, submitted)
            .await
            .unwrap_or_else(|_| panic!("{form} was not submitted {count} times"))
    }

    /// Nothing was sent that a platform would have refused, but for what was sent too soon and came again.
    fn assert_nothing_was_refused(&self) {
        assert_eq!(self.telegram.refusals_but(&["429"]), Vec::<String>::new());
        assert_eq!(self.slack.refusals(), Vec::<String>::new());
        assert_eq!(self.discord.refusals(), Vec::<String>::new());
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

fn start(folder: &Path, telegram: &TelegramFake, slack: &SlackFake, discord: &DiscordFake) -> Child {
    let forms = Path::new(env!("CARGO_MANIFEST_DIR")).join("forms");
    let log = std::fs::File::create(folder.join("log.txt")).unwrap();
    Command::new(env!("CARGO_BIN_EXE_formwright"))
        .args(["run", "--listen", "127.0.0.1:0", "--forms"])
        .arg(forms)
        .current_dir(folder)
        .envs([
            ("FORMWRIGHT__TELEGRAM__TOKEN", telegram.token()),
            ("FORMWRIGHT__TELEGRAM__API_URL", telegram.url()),
            ("FORMWRIGHT__SLACK__TOKEN", slack.bot_token().to_owned()),
            ("FORMWRIGHT__SLACK__APP_TOKEN", slack.app_token().to_owned()),
            ("FORMWRIGHT__SLACK__API_URL", slack.api_url()),
            ("FORMWRIGHT__DISCORD__TOKEN", discord.token()),
            ("FORMWRIGHT__DISCORD__API_URL", discord.api_url()),
            ("NO_COLOR", "1".to_owned()),
        ])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(log)
        .spawn()
        .unwrap()
}

const ORDER: &str = "two spicy pizzas to via Roma 12, my number is 347 123 4567";

#[tokio::test(flavor = "multi_thread")]
async fn a_pizza_ordered_in_a_sentence_is_the_same_on_every_platform() {
    let stage = Stage::new().await;
    let telegram = async {
        let ada = stage.telegram.person("Ada").in_private();
        ada.writes("/pizza_order").await;
        ada.sees("Which pizza").await;
        ada.writes(ORDER).await;
        ada.sees("Diavola").await;
        ada.presses("Confirm").await;
        ada.sees("Your order number is").await;
    };
    let slack = async {
        let ada = stage.slack.person("Ada").in_private();
        ada.writes("I want pizza").await;
        ada.sees("Which pizza").await;
        ada.writes(ORDER).await;
        ada.sees("Diavola").await;
        ada.presses("Confirm").await;
        ada.sees("Your order number is").await;
    };
    let discord = async {
        let ada = stage.discord.person("Ada").in_private();
        ada.writes("I want pizza").await;
        ada.sees("Which pizza").await;
        ada.writes(ORDER).await;
        ada.sees("Diavola").await;
        ada.presses("Confirm").await;
        ada.sees("Your order number is").await;
    };
    tokio::join!(telegram, slack, discord);
    let submitted = stage.submissions("pizza-order", 3).await;
    assert!(submitted.iter().all(|answers| *answers == submitted[0]), "{submitted:#?}");
    assert_eq!(submitted[0]["pizza"], "diavola");
    assert_eq!(submitted[0]["phone"], "+393471234567");
    stage.assert_nothing_was_refused();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_answered_before_a_kill_is_there_after_it() {
    let mut stage = Stage::new().await;
    let telegram = stage.telegram.person("Ada").in_private();
    telegram.writes("/pizza_order").await;
    telegram.presses("Diavola").await;
    telegram.sees("How many").await;
    let slack = stage.slack.person("Ada").in_private();
    slack.writes("I want pizza").await;
    slack.sees("Which pizza").await;

    stage.program.kill().unwrap();
    stage.program.wait().unwrap();
    telegram.writes("2, to via Roma 12, my number is 347 123 4567").await;
    stage.program = start(stage.folder.path(), &stage.telegram, &stage.slack, &stage.discord);
    stage.connected().await;
    telegram.presses("Confirm").await;
    telegram.sees("Your order number is").await;
    slack.chooses("Diavola").await;
    slack.sees("How many").await;
    slack.writes("2, to via Roma 12, my number is 347 123 4567").await;
    slack.presses("Confirm").await;
    slack.sees("Your order number is").await;

    let submitted = stage.submissions("pizza-order", 2).await;
    assert_eq!(submitted.len(), 2);
    assert!(submitted.iter().all(|answers| *answers == submitted[0]), "{submitted:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pizza_ordered_by_widgets_is_the_same_on_every_platform() {
    let stage = Stage::new().await;
    let telegram = async {
        let ada = stage.telegram.person("Ada").with_phone("+393471234567").in_private();
        ada.writes("/pizza_order").await;
        ada.presses("Diavola").await;
        ada.sees("How many").await;
        ada.writes("2").await;
        ada.sees("deliver").await;
        ada.writes("via Roma 12").await;
        ada.sees("number").await;
        ada.shares_contact().await;
        ada.presses("Confirm").await;
        ada.sees("Your order number is").await;
    };
    let slack = async {
        let ada = stage.slack.person("Ada").in_private();
        ada.writes("I want pizza").await;
        ada.chooses("Diavola").await;
        ada.sees("How many").await;
        ada.writes("2").await;
        ada.sees("deliver").await;
        ada.writes("via Roma 12").await;
        ada.sees("number").await;
        ada.writes("+39 347 123 4567").await;
        ada.presses("Confirm").await;
        ada.sees("Your order number is").await;
    };
    let discord = async {
        let ada = stage.discord.person("Ada").in_private();
        ada.runs("pizza-order").await;
        ada.sees("Which pizza").await;
        ada.presses("Diavola").await;
        ada.sees("How many").await;
        ada.writes("2").await;
        ada.sees("deliver").await;
        ada.writes("via Roma 12").await;
        ada.sees("number").await;
        ada.writes("+39 347 123 4567").await;
        ada.presses("Confirm").await;
        ada.sees("Your order number is").await;
    };
    tokio::join!(telegram, slack, discord);
    let submitted = stage.submissions("pizza-order", 3).await;
    assert!(submitted.iter().all(|answers| *answers == submitted[0]), "{submitted:#?}");
    stage.assert_nothing_was_refused();
}
