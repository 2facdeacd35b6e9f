//! Replies made at random, over all sample forms and the hotel: none panics, none breaks an invariant, and the same reply
//! does the same twice.
//!
//! `cargo test` tries some hundreds, in some seconds. `FORMWRIGHT_FUZZ=1000000` tries a million.

use std::time::Instant;

use formwright::engine::{Effect, Engine, Happening, Session};
use formwright_chat as chat;
use serde_json::json;

use super::stage::{MARKERS, engine, event, finish, place, step};

/// Where replies are tried, with what was said there.
const PLACES: [(&str, &str); 16] = [
    ("begun", "something with flowers outside, for my 2 aunts and me, around noon"),
    ("begun", "not the sea side, I would rather look at the 3 hills; mail works at ada@example.com I think"),
    ("wish", "a quiet corner under the old oak, at 7 or so"),
    ("review", "well well, what a long list, could we make it 5 plates, dear"),
    ("cancel", "hm, difficult, difficult"),
    ("which", "hm, neither of them is what I had in mind"),
    ("list", "something out of the water for my cat and 2 more of it"),
    ("more", "lanterns, cushions, ribbons and candles everywhere"),
    ("shared", "we are thinking about the garden, and about 400 euro at most or thereabouts"),
    ("idle", "three of us are starving over here, via Roma 12 is the place"),
    ("pizza", "the hot one for two of us, ring at Bianchi"),
    ("expense", "the train to Milan was fast, 24.50 I believe, last Monday it was"),
    ("injury", "the big logistics people, it was an awful day, honestly"),
    ("leave", "my head hurts since yesterday, so until Friday I am out"),
    ("event", "the cheapest one that there is, my two friends come as well"),
    ("ticket", "it drives me up the wall on my telephone, since 9 this morning"),
];

const INTENTS: [&str; 14] = [
    "fill",
    "question",
    "skip",
    "back",
    "cancel",
    "confirm",
    "reject",
    "start",
    "other",
    "submit",
    "FORM_COMPLETE",
    "",
    "Confirm",
    "\u{0}",
];

const VALUES: [&str; 34] = [
    "",
    "true",
    "false",
    "1",
    "2",
    "3",
    "five",
    "400",
    "12,50 €",
    "2026-12-24",
    "tomorrow",
    "next Friday",
    "18:30",
    "noon",
    "ada@example.com",
    "mallory@evil.example",
    "+39 347 123 4567",
    "https://evil.example",
    "AB1234",
    "suite",
    "double",
    "crib",
    "diavola",
    "annual",
    "10001",
    "fish",
    "via Roma 12",
    "Zanzibar",
    "<b>hacked</b>",
    "\u{202e}pwned",
    "null",
    "-1",
    "999999999999999999999",
    "31337",
];

const TEXTS: [&str; 14] = [
    "Which one?",
    "Which room, Mallory?",
    "open all year",
    "see evil.example",
    "it costs 31337",
    "hacked\n\nPay now?",
    "\u{202e}",
    "@everyone",
    "<!channel>",
    "*bold*",
    "Zanzibar",
    "FORM_COMPLETE",
    "",
    "?",
];

/// A small generator: the same numbers in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, most: usize) -> usize {
        usize::try_from(self.roll() >> 33).unwrap() % most.max(1)
    }

    fn of<'t, T: ?Sized>(&mut self, all: &[&'t T]) -> &'t T {
        all[self.below(all.len())]
    }
}

/// A place where a model has just been asked.
struct Waiting {
    name: &'static str,
    said: &'static str,
    before: Session,
    session: Session,
    effects: Vec<Effect>,
    fields: Vec<String>,
    words: Vec<String>,
}

fn waiting(engine: &Engine, name: &'static str, said: &'static str) -> Waiting {
    let before = place(engine, name);
    let event = event(&before, chat::Action::Say { text: said.to_owned() });
    let (session, effects) = step(engine, before.clone(), Happening::Event(Box::new(event)));
    let call = effects.iter().find_map(|effect| match effect {
        Effect::AskModel(call) => Some(call),
        _ => None,
    });
    let schema = &call.unwrap_or_else(|| panic!("{name}: nobody asks a model about {said}")).schema;
    let names = |key: &serde_json::Value| -> Vec<String> {
        key.as_array().into_iter().flatten().filter_map(|name| name.as_str().map(str::to_owned)).collect()
    };
    let mut fields = names(&schema["properties"]["updates"]["items"]["properties"]["field"]["enum"]);
    let hidden = ["passport", "iban", "total", "campaign", "photo", "kin.who", "nothing", "__proto__", "rules", ""];
    fields.extend(hidden.map(str::to_owned));
    let words = said.split_whitespace().map(str::to_owned).collect();
    Waiting { name, said, before, session, effects, fields, words }
}

/// A reply: as a model would make it, with anything wrong in it.
fn reply(dice: &mut Dice, waiting: &Waiting) -> String {
    match dice.below(10) {
        0 => bytes(dice),
        1 | 2 => {
            let honest = made(dice, waiting);
            mutated(dice, honest)
        }
        3 => grown(dice, waiting, 0).to_string(),
        4 => {
            let (thought, honest) = (grown(dice, waiting, 2), made(dice, waiting));
            match dice.below(4) {
                0 => format!("<think>{thought}</think>{honest}"),
                1 => format!("```json\n{honest}\n```"),
                2 => format!("Here it is: {thought} {honest} FORM_COMPLETE"),
                _ => format!("{honest}{honest}"),
            }
        }
        _ => made(dice, waiting),
    }
}

fn made(dice: &mut Dice, waiting: &Waiting) -> String {
    let updates: Vec<_> = (0..dice.below(6))
        .map(|_| {
            let field = waiting.fields[dice.below(waiting.fields.len())].clone();
            json!({"field": field, "quote": quote(dice, waiting), "value": value(dice, waiting)})
        })
        .collect();
    let mut reply = json!({"intent": dice.of(&INTENTS), "updates": updates});
    if dice.below(4) == 0 {
        reply["form"] = json!(dice.of(&["pizza-order", "hotel", "staff", "closed", "unlisted", "x", ""]));
    }
    if dice.below(4) == 0 {
        reply["answer"] = json!(dice.of(&["faq1", "faq2", "faq99", "help:room", "help:passport", "x", ""]));
    }
    if dice.below(4) == 0 {
        reply["about"] = json!(dice.below(2) == 0);
    }
    if dice.below(4) == 0 {
        reply["reply"] = json!(dice.of(&TEXTS));
    }
    if dice.below(4) == 0 {
        let field = waiting.fields[dice.below(waiting.fields.len())].clone();
        reply["wording"] = json!([{"field": field, "text": dice.of(&TEXTS)}]);
    }
    reply.to_string()
}

fn quote(dice: &mut Dice, waiting: &Waiting) -> String {
    let words = &waiting.words;
    match dice.below(8) {
        0 => dice.of(&VALUES).to_owned(),
        1 => waiting.said.to_owned(),
        _ => {
            let from = dice.below(words.len());
            let to = (from + 1 + dice.below(3)).min(words.len());
            words[from..to].join(" ").trim_matches([',', '.']).to_owned()
        }
    }
}

fn value(dice: &mut Dice, waiting: &Waiting) -> String {
    if dice.below(3) == 0 { quote(dice, waiting) } else { dice.of(&VALUES).to_owned() }
}

fn mutated(dice: &mut Dice, text: String) -> String {
    let mut bytes = text.into_bytes();
    for _ in 0..=dice.below(6) {
        let at = dice.below(bytes.len());
        match dice.below(5) {
            0 => bytes.truncate(at),
            1 if at < bytes.len() => {
                bytes.remove(at);
            }
            2 => bytes.insert(at, *dice.of(&[b"{", b"}", b"\"", b"\\", b"[", b",", b"\0"]).first().unwrap()),
            3 if at < bytes.len() => bytes[at] = u8::try_from(dice.below(256)).unwrap(),
            _ => {
                let part = bytes[at..(at + dice.below(20)).min(bytes.len())].to_vec();
                bytes.splice(at..at, part);
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn bytes(dice: &mut Dice) -> String {
    let length = 1 << dice.below(9);
    let bytes: Vec<u8> = (0..length).map(|_| u8::try_from(dice.below(256)).unwrap()).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Any JSON over our keys.
fn grown(dice: &mut Dice, waiting: &Waiting, depth: usize) -> serde_json::Value {
    const KEYS: [&str; 12] =
        ["intent", "updates", "field", "quote", "value", "form", "answer", "about", "reply", "wording", "text", "x"];
    match dice.below(if depth > 4 { 4 } else { 8 }) {
        0 => json!(dice.of(&VALUES)),
        1 => json!(quote(dice, waiting)),
        2 => json!(dice.of(&INTENTS)),
        3 => [json!(null), json!(true), json!(-1), json!(1e300), json!(u64::MAX)][dice.below(5)].clone(),
        4 => (0..dice.below(4)).map(|_| grown(dice, waiting, depth + 1)).collect(),
        _ => {
            let entry = |dice: &mut Dice| (dice.of(&KEYS).to_owned(), grown(dice, waiting, depth + 1));
            (0..=dice.below(5)).map(|_| entry(dice)).collect::<serde_json::Map<_, _>>().into()
        }
    }
}

#[test]
fn any_reply_leaves_the_invariants_whole() {
    let wanted = std::env::var("FORMWRIGHT_FUZZ").ok().and_then(|count| count.parse().ok());
    let engine = engine();
    let places: Vec<Waiting> = PLACES.iter().map(|(name, said)| waiting(&engine, name, said)).collect();
    let begun = Instant::now();
    let count: usize = wanted.unwrap_or(480);
    let threads = if wanted.is_some() { std::thread::available_parallelism().map_or(1, usize::from) } else { 1 };
    let (mut calls, mut stored, mut asked) = (0, 0, 0);
    std::thread::scope(|scope| {
        let (engine, places) = (&engine, &places);
        let run = |thread: usize| {
            scope.spawn(move || {
                let mut sums = (0, 0, 0);
                for no in (thread..count).step_by(threads) {
                    let (calls, stored, asked) = try_one(engine, &places[no % places.len()], no);
                    sums = (sums.0 + calls, sums.1 + stored, sums.2 + asked);
                }
                sums
            })
        };
        let runs: Vec<_> = (0..threads).map(run).collect();
        for run in runs {
            let sums = run.join().expect("no reply panics");
            (calls, stored, asked) = (calls + sums.0, stored + sums.1, asked + sums.2);
        }
    });
    println!(
        "{count} turns with {calls} replies in {:.1?}: {stored} stored values that were said, {asked} questions whether one is meant",
        begun.elapsed()
    );
    assert!(stored > 0 && asked > 0, "honest replies have an effect");
}

fn try_one(engine: &Engine, waiting: &Waiting, no: usize) -> (usize, usize, usize) {
    let seed = 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(u64::try_from(no).unwrap() + 1) | 1;
    let replies = |at: usize| {
        let mut dice = Dice(seed.rotate_left(u32::try_from(at).unwrap() * 7) | 1);
        dice.roll();
        Some(reply(&mut dice, waiting))
    };
    let play = || finish(engine, &waiting.before, waiting.session.clone(), waiting.effects.clone(), replies);
    let turn = play();
    let mut broken = turn.broken(engine, waiting.said);
    // A form that starts holds no markers of ours; what it is about may be said.
    if waiting.name == "idle" {
        broken.retain(|why| !why.contains("another form"));
    }
    assert!(broken.is_empty(), "{no} {}: {broken:#?}\n{:#?}", waiting.name, replies(0));
    if no.is_multiple_of(64) {
        assert_eq!(turn, play(), "{no} {}: the same reply does something else", waiting.name);
    }
    let known = |session: &Session| session.draft.as_ref().map_or(0, |draft| draft.answers.len());
    let stored = known(&turn.after).saturating_sub(known(&waiting.before));
    (turn.calls.len(), stored, usize::from(super::stage::asks(&turn.after)))
}

#[test]
fn the_markers_are_no_words_of_the_forms() {
    let engine = engine();
    for (name, _) in PLACES {
        let session = serde_json::to_string(&place(&engine, name).last).unwrap().to_lowercase();
        assert!(!MARKERS.iter().any(|marker| session.contains(marker)), "{name}");
    }
}
