//! Written attacks, one a line in `attacks.txt`: where · what the person says · what the model replies · what is expected.
//!
//! Every line must leave the invariants whole. Without an expectation the turn must come out exactly as it does with a
//! model that is down: the same answers, the same words.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use formwright::engine::Session;
use formwright::engine::session::{Draft, Pending};
use serde_json::{Value as Json, json};

use super::stage::{Turn, engine, pending, place, turn};

struct Attack<'a> {
    place: &'a str,
    said: String,
    reply: String,
    expected: &'a str,
}

fn attacks(text: &str) -> Vec<Attack<'_>> {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let attack = |line| {
        let parts: Vec<&str> = str::split(line, " | ").collect();
        let [place, said, reply, rest @ ..] = parts.as_slice() else { panic!("no attack: {line}") };
        let expected = rest.first().copied().unwrap_or("nothing");
        Attack { place, said: unescaped(said), reply: written(reply), expected }
    };
    lines.map(attack).collect()
}

/// `\n`, `\0`, `\u{…}` and `\x{N:text}`, which is the text so many times.
fn unescaped(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        out.push_str(before);
        let braces = |after: &'_ str| {
            after.get(2..).and_then(|inner| inner.split_once('}')).map(|(a, b)| (a.to_owned(), b.to_owned()))
        };
        rest = match after.chars().next() {
            Some('n') => {
                out.push('\n');
                &after[1..]
            }
            Some('0') => {
                out.push('\0');
                &after[1..]
            }
            Some(c @ ('u' | 'x')) if after.get(1..2) == Some("{") => {
                let (inner, _) = braces(after).unwrap();
                if c == 'u' {
                    out.push(char::from_u32(u32::from_str_radix(&inner, 16).unwrap()).unwrap());
                } else {
                    let (times, text) = inner.split_once(':').unwrap();
                    out.push_str(&text.repeat(times.parse().unwrap()));
                }
                &after[2 + inner.len() + 1..]
            }
            _ => {
                out.push('\\');
                after
            }
        };
    }
    out.push_str(rest);
    out
}

/// A reply: as it stands, or after `~` in short: `~fill guests "tired" "4"; form="x"; about=false; wording guests "…"`.
fn written(text: &str) -> String {
    let Some(short) = text.strip_prefix('~') else { return unescaped(text) };
    let (intent, rest) = short.split_once(' ').unwrap_or((short, ""));
    let mut reply = json!({"intent": intent, "updates": [], "wording": []});
    let mut quoted = false;
    let parts = rest.split(|c| {
        quoted ^= c == '"';
        c == ';' && !quoted
    });
    for part in parts.map(str::trim).filter(|part| !part.is_empty()) {
        let words: Vec<String> = part.split('"').map(unescaped).collect();
        match words.as_slice() {
            [field, quote, _, value, _] => {
                let update = json!({"field": field.trim(), "quote": quote, "value": value});
                reply["updates"].as_array_mut().unwrap().push(update);
            }
            [key, value, _] if key.starts_with("wording ") => {
                let wording = json!({"field": key["wording ".len()..].trim(), "text": value});
                reply["wording"].as_array_mut().unwrap().push(wording);
            }
            [key, value, _] => reply[key.trim().trim_end_matches('=')] = Json::String(value.clone()),
            [key] => {
                let (key, value) = key.split_once('=').unwrap();
                reply[key] = serde_json::from_str(value).unwrap();
            }
            _ => panic!("cannot read {part}"),
        }
    }
    reply.to_string()
}

#[test]
fn no_attack_succeeds() {
    let engine = engine();
    let text = std::fs::read_to_string("tests/hostile/attacks.txt").unwrap();
    let attacks = attacks(&text);
    assert!(attacks.len() >= 300, "{} attacks are too few", attacks.len());
    let mut places = BTreeMap::new();
    let mut wrong = String::new();
    let mut count = 0;
    for attack in &attacks {
        let session = places.entry(attack.place).or_insert_with(|| place(&engine, attack.place));
        let under = turn(&engine, session, &attack.said, Some(&attack.reply));
        let alone = turn(&engine, session, &attack.said, None);
        let mut broken = under.broken(&engine, &attack.said);
        broken.extend(unexpected(attack.expected, &under, &alone));
        if !broken.is_empty() {
            count += 1;
            let _ = writeln!(wrong, "{} | {:.80} | {:.200}", attack.place, attack.said, attack.reply);
            let _ = broken.iter().try_for_each(|why| writeln!(wrong, "    {why:.600}"));
        }
    }
    assert!(wrong.is_empty(), "{count} of {} attacks succeed\n{wrong}", attacks.len());
}

/// The draft as if nothing were remembered of what a model proposed.
fn without_proposals(session: &Session) -> Option<Draft> {
    let mut draft = session.draft.clone();
    draft.iter_mut().flat_map(|draft| &mut draft.history).for_each(|heard| heard.proposed.clear());
    draft
}

/// What is not as expected.
fn unexpected(expected: &str, under: &Turn, alone: &Turn) -> Option<String> {
    let changed = || {
        let (under, alone) = (under.answers(), alone.answers());
        let value = |answers: &BTreeMap<String, formwright::engine::session::Answer>, path: &str| {
            answers.get(path).map(|answer| serde_json::to_value(&answer.value).unwrap()["v"].clone())
        };
        let paths: std::collections::BTreeSet<&String> = under.keys().chain(alone.keys()).collect();
        let differing = paths.into_iter().filter(|path| value(&under, path) != value(&alone, path));
        let told = |path: &String| format!("{path}={}", value(&under, path).unwrap_or_default());
        differing.map(told).collect::<Vec<_>>().join(", ")
    };
    let (what, rest) = expected.split_once(' ').unwrap_or((expected, ""));
    if what != "uncalled" && under.calls.is_empty() {
        return Some("the model was not asked".to_owned());
    }
    let asks = matches!(pending(&under.after), Pending::Sure { .. } | Pending::Which { .. });
    match what {
        "uncalled" => (!under.calls.is_empty()).then(|| "the model was asked".to_owned()),
        "nothing" => {
            let same = without_proposals(&under.after) == alone.after.draft && under.effects == alone.effects;
            (!same).then(|| format!("it has an effect: {} / {}\n    {}", changed(), under.says(), alone.says()))
        }
        "stores" => (changed() != rest).then(|| format!("it stores {}", changed())),
        "asks" => {
            let kept = changed().is_empty() && asks;
            (!kept).then(|| format!("it does not ask: {} {:?}", changed(), pending(&under.after)))
        }
        "says" => {
            let kept = changed().is_empty() && under.says().contains(rest);
            (!kept).then(|| format!("it says {} {}", changed(), under.says()))
        }
        "moves" => (!changed().is_empty() || asks).then(|| format!("it does more than move: {}", changed())),
        other => panic!("{other} is no expectation"),
    }
}
