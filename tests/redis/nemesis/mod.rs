//! Everything at once: three replicas at one Redis, people on the API and on a chat platform, and somebody who kills,
//! freezes and cuts at random. The book must be exact in the end.
//!
//! `FORMWRIGHT_NEMESIS=600` runs it for so many seconds, `FORMWRIGHT_NEMESIS_SEED=7` with other misfortunes.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use formwright_fakes::telegram::{self, TelegramFake};

use super::proxy::{Fault, Proxy};
use super::server::{Server, WRITES_FIRST, at_hand};
use super::{Answer, Bot, Person, Stage, things};

const REPLICAS: usize = 3;
const AT_THE_API: u64 = 6;
const ON_TELEGRAM: usize = 2;
const THINGS: u32 = 5;

/// A row of numbers that is the same for the same seed.
struct Dice(AtomicU64);

impl Dice {
    fn roll(&self, sides: u64) -> u64 {
        let mut x = self.0.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::Relaxed);
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (x ^ (x >> 31)) % sides
    }

    fn millis(&self, from: u64, to: u64) -> Duration {
        Duration::from_millis(from + self.roll(to - from))
    }
}

/// The replicas, each behind a line of its own.
struct Field {
    stage: Stage,
    telegram: TelegramFake,
    lines: Vec<Proxy>,
    bots: Vec<tokio::sync::Mutex<Bot>>,
    addresses: Vec<String>,
    /// Whose forms were confirmed and told to be submitted.
    told: Mutex<BTreeSet<String>>,
    over: AtomicBool,
    kills: AtomicU64,
}

impl Field {
    async fn new(server: &Server) -> Self {
        let stage = Stage::new().await;
        let patience = Duration::from_secs(120);
        let telegram = TelegramFake::start_with(telegram::Settings { patience, ..telegram::Settings::default() }).await;
        let mut lines = Vec::new();
        for _ in 0..REPLICAS {
            lines.push(Proxy::before(server.port).await);
        }
        let bots: Vec<Bot> = lines.iter().enumerate().map(|(no, line)| start(&stage, &telegram, no, line)).collect();
        for bot in &bots {
            super::up(bot).await;
        }
        let addresses = bots.iter().map(|bot| bot.address.clone()).collect();
        let bots = bots.into_iter().map(tokio::sync::Mutex::new).collect();
        let (told, over, kills) = (Mutex::default(), AtomicBool::new(false), AtomicU64::new(0));
        Self { stage, telegram, lines, bots, addresses, told, over, kills }
    }

    async fn restart(&self, no: usize, dice: &Dice) {
        let mut bot = self.bots[no].lock().await;
        if dice.roll(3) == 0 {
            bot.signal("-TERM");
            let _ = tokio::time::timeout(Duration::from_secs(30), bot.child.wait()).await;
        }
        let _ = bot.child.kill().await;
        tokio::time::sleep(dice.millis(0, 1500)).await;
        *bot = start(&self.stage, &self.telegram, no, &self.lines[no]);
        self.kills.fetch_add(1, Ordering::Relaxed);
    }

    /// Stops a replica in the middle of whatever it does, for longer than its leases hold or not.
    async fn freeze(&self, no: usize, time: Duration) {
        let bot = self.bots[no].lock().await;
        bot.signal("-STOP");
        tokio::time::sleep(time).await;
        bot.signal("-CONT");
    }
}

fn start(stage: &Stage, telegram: &TelegramFake, no: usize, line: &Proxy) -> Bot {
    let (token, url) = (telegram.token(), telegram.url());
    let settings = [("FORMWRIGHT__TELEGRAM__TOKEN", token.as_str()), ("FORMWRIGHT__TELEGRAM__API_URL", url.as_str())];
    stage.bot(&format!("replica{no}"), &line.url(), &settings)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_book_is_exact_whatever_happens_to_three_replicas() {
    if !at_hand() {
        return;
    }
    let number = |name: &str, otherwise: u64| std::env::var(name).map_or(otherwise, |text| text.parse().unwrap());
    let (seconds, seed) = (number("FORMWRIGHT_NEMESIS", 20), number("FORMWRIGHT_NEMESIS_SEED", 20_261_122));
    println!("nemesis: {seconds} s, seed {seed}");
    let mut server = Server::start(&WRITES_FIRST);
    let field = Arc::new(Field::new(&server).await);
    let dice = Dice(AtomicU64::new(seed));
    let api: Vec<_> = (0..AT_THE_API).map(|no| tokio::spawn(writer(Arc::clone(&field), no, seed))).collect();
    let chat: Vec<_> = (0..ON_TELEGRAM).map(|no| tokio::spawn(chatter(Arc::clone(&field), no))).collect();

    let end = Instant::now() + Duration::from_secs(seconds);
    while Instant::now() < end {
        tokio::time::sleep(dice.millis(200, 1200)).await;
        let no = usize::try_from(dice.roll(REPLICAS as u64)).unwrap();
        let line = &field.lines[no];
        match dice.roll(9) {
            0 | 1 => field.restart(no, &dice).await,
            2 => {
                let (field, time) = (Arc::clone(&field), dice.millis(500, 13_000));
                tokio::spawn(async move { field.freeze(no, time).await });
            }
            3 => line.during(Fault::Blackhole, dice.millis(500, 4000)).await,
            4 => line.during(Fault::DropReplies, dice.millis(300, 3000)).await,
            5 => line.during(Fault::Reset, dice.millis(100, 2000)).await,
            6 => line.during(Fault::Latency(dice.millis(5, 150)), dice.millis(500, 2000)).await,
            7 => line.during(Fault::Garbage, dice.millis(50, 500)).await,
            _ => {
                server.kill();
                tokio::time::sleep(dice.millis(50, 1500)).await;
                server.run();
            }
        }
    }
    field.over.store(true, Ordering::Relaxed);
    for person in api.into_iter().chain(chat) {
        person.await.unwrap();
    }

    let told = field.told.lock().unwrap().clone();
    field.stage.delivered(told.len()).await;
    // What is doubled may come late.
    tokio::time::sleep(Duration::from_secs(2)).await;
    let effects = field.stage.effects();
    let lost: Vec<_> = told.iter().filter(|name| !effects.contains_key(*name)).collect();
    let doubled: Vec<_> = effects.iter().filter(|(_, times)| times.len() > 1).collect();
    let wrong: Vec<_> = effects.iter().filter(|(_, times)| times.iter().any(|one| *one != things(THINGS))).collect();
    let invented: Vec<_> = effects.keys().filter(|name| !told.contains(*name)).collect();
    println!("nemesis: {} forms, {} restarts, seed {seed}", told.len(), field.kills.load(Ordering::Relaxed));
    assert!(told.len() > ON_TELEGRAM, "hardly anything happened");
    assert_eq!((lost, doubled, wrong, invented), (vec![], vec![], vec![], vec![]), "seed {seed}");
}

/// Fills in form after form at the API, each message at any replica; every fourth one twice, at two of them at once.
async fn writer(field: Arc<Field>, no: u64, seed: u64) {
    let dice = Dice(AtomicU64::new(seed ^ (no + 1)));
    let mut forms = 0;
    while !field.over.load(Ordering::Relaxed) {
        forms += 1;
        let name = format!("w{no}x{forms}");
        let mut person = Person::new(&field.stage, &name);
        let any = || field.addresses[usize::try_from(dice.roll(REPLICAS as u64)).unwrap()].clone();
        let words = [name.clone()].into_iter().chain((1..=THINGS).map(|no| format!("thing{no}")));
        person.says(&mut { any }, None).await;
        for words in words.chain(["that is all".to_owned()]) {
            if dice.roll(4) == 0 {
                let (mut twin, body) = (person.cookie.clone(), person.next(Some(&words)));
                person.said -= 1;
                let (there, mut here) = (any(), any);
                let twice = field.stage.ask(&there, &mut twin, &body);
                let (_, _): (Answer, _) = tokio::join!(twice, person.says(&mut here, Some(&words)));
            } else {
                person.says(&mut { any }, Some(&words)).await;
            }
        }
        person.confirms(&mut { any }).await;
        field.told.lock().unwrap().insert(name);
    }
}

/// Fills in form after form on Telegram, where nobody is asked to wait.
async fn chatter(field: Arc<Field>, no: usize) {
    let mut forms = 0;
    while !field.over.load(Ordering::Relaxed) {
        forms += 1;
        let name = format!("t{no}x{forms}");
        let seat = field.telegram.person(&name).in_private();
        seat.uses("diary").await;
        seat.sees("What is your name?").await;
        seat.writes(&name).await;
        seat.sees("Item 1?").await;
        for no in 1..=THINGS {
            seat.writes(&format!("thing{no}")).await;
            let since = Instant::now();
            while !seat.read().iter().any(|shown| shown.contains(&format!("thing{no}"))) {
                assert!(
                    since.elapsed() < Duration::from_secs(120),
                    "{name}: thing{no} is not seen:\n{}",
                    seat.screen()
                );
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
        seat.writes("that is all").await;
        seat.sees("Please check your answers").await;
        seat.writes("yes").await;
        seat.sees("has been submitted").await;
        field.told.lock().unwrap().insert(name);
    }
}
