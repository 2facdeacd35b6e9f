//! Everything at once: three replicas at one Redis, people on the API, on Slack, on Discord and on Telegram, and somebody
//! who kills, freezes, cuts, repeats and mixes up at random. The book must be exact in the end.
//!
//! `FORMWRIGHT_NEMESIS=600` runs it for so many seconds, `FORMWRIGHT_NEMESIS_SEED=7` with other misfortunes.

mod book;
mod people;
mod trouble;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use formwright_fakes::discord::{self, DiscordFake};
use formwright_fakes::slack::SlackFake;
use formwright_fakes::telegram::{self, TelegramFake};
use futures_util::future::join_all;

use self::book::Book;
use super::proxy::Proxy;
use super::server::{Server, WRITES_FIRST, at_hand, named};
use super::{Bot, Stage};
use crate::platforms::stage::Platform;

const REPLICAS: usize = 3;
const AT_THE_API: u64 = 5;
const ON_EACH_PLATFORM: u64 = 2;
/// How long somebody waits for an answer: a takeover after a takeover, and the pauses of what is tried again.
const PATIENCE: Duration = Duration::from_secs(180);

/// A row of numbers that is the same for the same seed.
struct Dice(AtomicU64);

impl Dice {
    fn new(seed: u64) -> Self {
        Self(AtomicU64::new(seed))
    }

    fn roll(&self, sides: u64) -> u64 {
        let mut x = self.0.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::Relaxed);
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (x ^ (x >> 31)) % sides
    }

    fn millis(&self, from: u64, to: u64) -> Duration {
        Duration::from_millis(from + self.roll(to - from))
    }

    fn replica(&self) -> usize {
        usize::try_from(self.roll(REPLICAS as u64)).unwrap()
    }
}

/// The replicas, each behind a line of its own, and the platforms.
struct Field {
    stage: Stage,
    telegram: TelegramFake,
    slack: SlackFake,
    discord: DiscordFake,
    server: Mutex<Server>,
    lines: Vec<Proxy>,
    bots: Vec<tokio::sync::Mutex<Option<Bot>>>,
    addresses: Vec<String>,
    book: Mutex<Book>,
    over: AtomicBool,
}

/// What the programs have logged stays where the test fails.
impl Drop for Field {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.stage.folder.disable_cleanup(true);
            // Where nobody reads along, nobody needs to know.
            let _ = writeln!(std::io::stdout(), "nemesis: the logs are in {}", self.stage.folder.path().display());
        }
    }
}

impl Field {
    async fn new() -> Self {
        let server = Server::start(&WRITES_FIRST);
        let stage = Stage::new().await;
        let telegram = telegram::Settings { patience: PATIENCE, ..telegram::Settings::default() };
        let discord = discord::Options { patience: PATIENCE, ..discord::Options::default() };
        let (telegram, discord) = (TelegramFake::start_with(telegram).await, DiscordFake::start_with(discord).await);
        let slack = SlackFake::start().await;
        // Slack tries for six minutes; here it tries as long at a steady pace.
        slack.set_windows(|windows| (windows.patience, windows.tries) = (PATIENCE, 120));
        let mut lines = Vec::new();
        for _ in 0..REPLICAS {
            lines.push(Proxy::before(server.port).await);
        }
        let (book, over) = (Mutex::default(), AtomicBool::new(false));
        let (server, bots, addresses) = (Mutex::new(server), Vec::new(), Vec::new());
        let mut field = Self { stage, telegram, slack, discord, server, lines, bots, addresses, book, over };
        for no in 0..REPLICAS {
            let bot = field.start(no);
            super::up(&bot).await;
            field.addresses.push(bot.address.clone());
            field.bots.push(tokio::sync::Mutex::new(Some(bot)));
        }
        field
    }

    fn start(&self, no: usize) -> Bot {
        let operations = self.stage.free_address(&format!("operations{no}"));
        let settings = [
            ("FORMWRIGHT__OPS__LISTEN", operations),
            ("FORMWRIGHT__TELEGRAM__TOKEN", self.telegram.token()),
            ("FORMWRIGHT__TELEGRAM__API_URL", self.telegram.url()),
            ("FORMWRIGHT__SLACK__TOKEN", self.slack.bot_token().to_owned()),
            ("FORMWRIGHT__SLACK__APP_TOKEN", self.slack.app_token().to_owned()),
            ("FORMWRIGHT__SLACK__API_URL", self.slack.api_url()),
            ("FORMWRIGHT__DISCORD__TOKEN", self.discord.token()),
            ("FORMWRIGHT__DISCORD__API_URL", self.discord.api_url()),
        ];
        let settings: Vec<(&str, &str)> = settings.iter().map(|(name, value)| (*name, value.as_str())).collect();
        self.stage.bot(&format!("replica{no}"), &self.lines[no].url(), &settings)
    }

    fn book(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// What the store still holds to be done, and what it could not read, by the metrics of all replicas.
    async fn left(&self) -> BTreeMap<String, f64> {
        const NAMES: [&str; 4] = [
            "formwright_intake_events",
            "formwright_outbox_entries{state=\"waiting\"}",
            "formwright_outbox_entries{state=\"dead\"}",
            "formwright_unreadable_records",
        ];
        let mut left = BTreeMap::new();
        for no in 0..REPLICAS {
            let url = format!("http://{}/metrics", self.stage.free_address(&format!("operations{no}")));
            let Ok(response) = self.stage.client.get(url).send().await else { continue };
            let text = response.text().await.unwrap_or_default();
            let lines = text.lines().filter_map(|line| line.rsplit_once(' '));
            for (name, value) in lines.filter(|(name, _)| NAMES.contains(name)) {
                let most: &mut f64 = left.entry(name.to_owned()).or_default();
                *most = most.max(value.parse().unwrap());
            }
        }
        left
    }

    /// Waits until nothing is left to be done; gives what is left all the same.
    async fn settles(&self) -> BTreeMap<String, f64> {
        let since = Instant::now();
        loop {
            let mut left = self.left().await;
            let known = left.len();
            left.retain(|_, value| *value > 0.0);
            if (known > 2 && left.is_empty()) || since.elapsed() > PATIENCE {
                return left;
            }
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
    }

    /// How often a partition has changed hands.
    fn takeovers(&self) -> u64 {
        let server = self.server.lock().unwrap_or_else(PoisonError::into_inner);
        let keys: Vec<String> = server.ask(redis::cmd("KEYS").arg("*:epoch").to_owned()).unwrap();
        let epochs = keys.iter().filter_map(|key| server.ask::<String>(redis::cmd("GET").arg(key).to_owned()));
        let numbers = epochs.filter_map(|epoch| epoch.split(' ').next()?.parse::<u64>().ok());
        numbers.map(|number| number.saturating_sub(1)).sum()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_book_is_exact_whatever_happens_to_three_replicas() {
    if !at_hand() {
        return;
    }
    let number = |name: &str, otherwise: u64| std::env::var(name).map_or(otherwise, |text| text.parse().unwrap());
    let (seconds, seed) = (number("FORMWRIGHT_NEMESIS", 15), number("FORMWRIGHT_NEMESIS_SEED", 20_261_122));
    println!("nemesis: {seconds} s, seed {seed}, {}", named());
    let field = Arc::new(Field::new().await);
    let writers = (0..AT_THE_API).map(|no| people::writer(&field, no, Dice::new(seed ^ (no + 1))));
    let seats = Platform::ALL.into_iter().flat_map(|platform| (0..ON_EACH_PLATFORM).map(move |no| (platform, no)));
    let chatters = seats.enumerate().map(|(at, (platform, no))| {
        let dice = Dice::new(seed ^ (1000 + at as u64));
        people::chatter(&field, platform, no, dice)
    });
    let misfortunes = async {
        let end = Instant::now() + Duration::from_secs(seconds);
        trouble::until(&field, seed, end).await;
        field.over.store(true, Ordering::Relaxed);
    };
    tokio::join!(join_all(writers), join_all(chatters), misfortunes);

    let forms = field.book().told.len();
    field.stage.delivered_within(forms, PATIENCE).await;
    let left = field.settles().await;
    // What is doubled may come late.
    tokio::time::sleep(Duration::from_secs(1)).await;
    let (effects, takeovers) = (field.stage.effects(), field.takeovers());
    let book = field.book();
    println!("{}", book.tells(seed, takeovers));
    let complaints = book.complaints(&effects);
    assert!(complaints.is_empty(), "seed {seed}: {complaints:#?}");
    assert!(left.is_empty(), "seed {seed}: left to be done, or not read: {left:?}");
    assert!(forms > 5, "hardly anything happened");
}
