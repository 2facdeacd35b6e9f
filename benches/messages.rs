//! Understanding of messages without a model, on a form of ten fields: how long a message takes and what it allocates, and
//! with `-- fuzz [MESSAGES] [SEED]` that no message ends it and each is understood the same twice. `-- slowest` names the
//! messages that take longest.
//!
//! The messages are those of `tests/extraction/messages.jsonl`, in six languages; fuzzing mixes their words.

#![expect(clippy::print_stdout, reason = "a bench prints its table")]

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use formwright::engine::{Engine, Heard, Unheard};
use formwright::form::load::{Syntax, load};
use formwright::form::{Catalog, FormId};
use jiff::Timestamp;
use serde_json::Value as Json;

/// The program's own, with each allocation counted.
#[global_allocator]
static ALLOCATOR: divan::AllocProfiler<mimalloc::MiMalloc> = divan::AllocProfiler::new(mimalloc::MiMalloc);

const LANGUAGES: &[&str] = &["en", "it", "es", "de", "fr", "ar"];

fn main() {
    let told: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    match told.split_first() {
        Some((first, rest)) if first == "fuzz" => {
            let number = |no: usize, default: u64| rest.get(no).and_then(|word| word.parse().ok()).unwrap_or(default);
            fuzz(number(0, 1_000_000), number(1, 7));
        }
        Some((first, _)) if first == "slowest" => slowest(),
        _ => {
            percentiles();
            divan::main();
        }
    }
}

/// A booking of ten fields, one of each common kind.
fn form(lang: &str) -> String {
    format!(
        r#"
schema = 1
id = "bench"
title = "Booking"
languages = ["{lang}"]

[[field]]
id = "people"
kind = "integer"
label = "Number of people"
min = 1
max = 20

[[field]]
id = "day"
kind = "date"
label = "Day"

[[field]]
id = "time"
kind = "time"
label = "Time"

[[field]]
id = "name"
kind = "text"
label = "Name"
subtype = "person"

[[field]]
id = "phone"
kind = "phone"
label = "Phone number"

[[field]]
id = "mail"
kind = "email"
label = "E-mail"

[[field]]
id = "room"
kind = "choice"
label = "Room"
options = ["Garden", "Library", "Terrace", "Cellar"]

[[field]]
id = "budget"
kind = "money"
label = "Budget"
currency = "EUR"

[[field]]
id = "pets"
kind = "yes_no"
label = "Pets allowed"

[[field]]
id = "city"
kind = "text"
label = "City"
subtype = "place"
"#
    )
}

const FIELDS: [&str; 10] = ["people", "day", "time", "name", "phone", "mail", "room", "budget", "pets", "city"];

fn engine(lang: &str) -> Engine {
    let loaded = load(&form(lang), Syntax::Toml);
    let mut catalog = Catalog::default();
    catalog.insert(loaded.form.unwrap_or_else(|| panic!("{:?}", loaded.problems)));
    Engine::new(catalog)
}

/// The messages of a language.
fn messages(lang: &str) -> Vec<String> {
    let file = include_str!("../tests/extraction/messages.jsonl");
    let cases = file.lines().filter_map(|line| serde_json::from_str::<Json>(line).ok());
    let own = |case: &Json| case.get("lang").and_then(Json::as_str).unwrap_or("en") == lang;
    let text = |case: Json| case.get("message").and_then(Json::as_str).map(str::to_owned);
    cases.filter(own).filter_map(text).collect()
}

fn hear(engine: &Engine, message: &str, pending: Option<&str>) -> Result<BTreeMap<String, Json>, Unheard> {
    let now = Timestamp::from_second(1_790_000_000).unwrap_or_default();
    let filled = BTreeMap::new();
    let heard = Heard { form: &FormId::new("bench"), filled: &filled, pending, message, now, reply: None };
    engine.extract(heard).map(|extracted| extracted.values)
}

/// What one message allocates: divan's table counts the bytes.
#[divan::bench(args = LANGUAGES)]
fn understood(bencher: divan::Bencher<'_, '_>, lang: &str) {
    let (engine, messages) = (engine(lang), messages(lang));
    let mut no = 0;
    bencher
        .with_inputs(|| {
            no += 1;
            messages[no % messages.len()].clone()
        })
        .bench_local_refs(|message| hear(&engine, message, None));
}

/// Prints how long half of the messages take at most, and 99 in a hundred: of all that was timed, and of each message's median,
/// which what else the machine does does not reach.
fn percentiles() {
    let (mut all, mut all_medians) = (Vec::new(), Vec::new());
    for lang in LANGUAGES {
        let mut timed = in_turn(lang);
        let mut medians: Vec<Duration> = timed.iter_mut().map(|(_, times)| share(times, 500)).collect();
        let mut times: Vec<Duration> = timed.into_iter().flat_map(|(_, times)| times).collect();
        print_times(lang, &mut times, &mut medians);
        all.extend(times);
        all_medians.extend(medians);
    }
    print_times("all", &mut all, &mut all_medians);
}

/// Prints the messages that take longest, each with its median.
fn slowest() {
    let of_lang = |lang: &&'static str| in_turn(lang).into_iter().map(|timed| (*lang, timed)).collect::<Vec<_>>();
    let timed = LANGUAGES.iter().flat_map(of_lang);
    let mut all: Vec<_> = timed.map(|(lang, (message, mut times))| (share(&mut times, 500), lang, message)).collect();
    all.sort_unstable_by(|one, other| other.cmp(one));
    for (time, lang, message) in all.iter().take(40) {
        println!("{time:?} {lang} {message}");
    }
}

/// The messages of a language, each with the times it took: all are heard in turn, as if each came from another person.
fn in_turn(lang: &str) -> Vec<(String, Vec<Duration>)> {
    const ROUNDS: usize = 301;
    let engine = engine(lang);
    let mut timed: Vec<(String, Vec<Duration>)> =
        messages(lang).into_iter().map(|message| (message, Vec::with_capacity(ROUNDS))).collect();
    for round in 0..=ROUNDS {
        for (message, times) in &mut timed {
            let start = Instant::now();
            let _ = divan::black_box(hear(&engine, message, None));
            times.extend((round > 0).then(|| start.elapsed()));
        }
    }
    timed
}

fn print_times(what: &str, times: &mut [Duration], medians: &mut [Duration]) {
    let (half, most) = (share(times, 500), share(times, 990));
    let (median_half, median_most) = (share(medians, 500), share(medians, 990));
    println!(
        "{what:>4}: {} messages, p50 {half:?}, p99 {most:?}; medians p50 {median_half:?}, p99 {median_most:?}",
        medians.len()
    );
}

/// What so many in a thousand take at most.
fn share(times: &mut [Duration], thousandths: usize) -> Duration {
    times.sort_unstable();
    times.get(times.len() * thousandths / 1_000).copied().unwrap_or_default()
}

/// Hears so many messages of mixed words, each twice, on every core.
fn fuzz(count: u64, seed: u64) {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get) as u64;
    let start = Instant::now();
    std::thread::scope(|scope| {
        for core in 0..cores {
            scope.spawn(move || fuzz_part(count / cores, seed ^ (core << 32)));
        }
    });
    println!("{} messages, each heard twice alike, in {:?}", count / cores * cores, start.elapsed());
}

fn fuzz_part(count: u64, seed: u64) {
    let engines: Vec<(Engine, Engine)> = LANGUAGES.iter().map(|lang| (engine(lang), engine(lang))).collect();
    let said: Vec<String> = LANGUAGES.iter().flat_map(|lang| messages(lang)).collect();
    let words: Vec<&str> = said.iter().flat_map(|message| message.split_inclusive(' ')).collect();
    let mut dice = Dice(seed);
    for _ in 0..count {
        let message = mixed(&mut dice, &said, &words);
        let (one, two) = &engines[dice.below(engines.len())];
        let pending = FIELDS.get(dice.below(FIELDS.len() * 2)).copied();
        let heard = catch_unwind(AssertUnwindSafe(|| (hear(one, &message, pending), hear(two, &message, pending))));
        let alike = heard.is_ok_and(|(first, second)| format!("{first:?}") == format!("{second:?}"));
        assert!(alike, "ended by {message:?}, or heard differently; asked {pending:?}");
    }
}

/// A message whose words, letters and marks are mixed up.
fn mixed(dice: &mut Dice, said: &[String], words: &[&str]) -> String {
    const ODD: &[&str] = &[
        ",", ".", "?", "!", ":", "\n", "-", "/", "@", "#", "'", "\"", "(", ")", "€", "$", "0", "7", "31", "2026",
        "no ", "not ", "to ", "from ", "and ", "or ", "name ", "\u{301}", "\u{202e}", "\u{0}", "\t", "ß", "İ", "ﬁ",
        "٣", "披", "👍",
    ];
    let mut text = match dice.below(3) {
        0 => (0..=dice.below(12)).map(|_| words[dice.below(words.len())]).collect(),
        _ => said[dice.below(said.len())].clone(),
    };
    for _ in 0..dice.below(5) {
        let chars: Vec<char> = text.chars().collect();
        let at = dice.below(chars.len() + 1);
        let (head, tail) = (chars[..at].iter().collect::<String>(), chars[at..].iter().collect::<String>());
        text = match dice.below(4) {
            0 => head + tail.get(tail.chars().next().map_or(0, char::len_utf8)..).unwrap_or_default(),
            1 => tail + " " + &head,
            2 => head + words[dice.below(words.len())] + &tail,
            _ => head + ODD[dice.below(ODD.len())] + &tail,
        };
    }
    text
}

/// Numbers without pattern, the same for the same seed (`SplitMix64`).
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mix = self.0;
        mix = (mix ^ (mix >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mix = (mix ^ (mix >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mix ^ (mix >> 31)) % (end.max(1) as u64)).unwrap_or(0)
    }
}
