//! How often a model is asked: never for presses and for what code explains, once at most for anything else.

use formwright::engine::{Effect, Engine, Happening, ModelUse, Outcome, Session};
use formwright_chat as chat;

use super::stage::{chat as begin, engine, now, turn};
use crate::support::chat::{Chat, sample_forms};

/// The sample forms filled in plain words and by widgets; files and places come from widgets.
const PLAIN: [(&str, &[&str]); 6] = [
    (
        "pizza-order",
        &["two spicy pizzas to via Roma 12, my number is 347 123 4567", "at quarter past eight in the evening", "no"],
    ),
    (
        "injury-report",
        &[
            "najd",
            "sales assistant",
            "yes",
            "it was on 14 November 2026, at half past nine in the morning",
            "15 November 2026",
            "16 November 2026",
            "I slipped on the wet floor of the store room and fell on my wrist.",
            "an injury at the place of work",
            "a fall or slip",
            "{pin: 24.7136, 46.6753}",
            "on the road",
            "the police came",
            "yes",
            "050 123 4567",
            "{files: report.pdf 1200}",
        ],
    ),
    (
        "expense-claim",
        &[
            "Trade fair in Milan",
            "SA-1040",
            "travel",
            "yesterday",
            "24.50",
            "skip",
            "no",
            "IT60X0542811101000000123456",
            "yes",
        ],
    ),
    ("leave-request", &["annual leave", "3 to 7 December", "skip", "Grace Hopper", "skip"]),
    ("event-signup", &["my name is Ada Lovelace", "ada@example.com", "live stream", "no", "yes"]),
    (
        "support-ticket",
        &[
            "the web app",
            "a small thing",
            "Export to PDF gives an empty file",
            "I pressed Export, expected a report of ten pages, and the file was empty.",
            "yesterday at 15:30",
            "skip",
            "skip",
            "Ada Lovelace",
            "ada@example.com",
        ],
    ),
];

/// Words that code cannot explain.
const UNCLEAR: [&str; 8] = [
    "hm, let me think about that for a moment",
    "the sun is shining over here",
    "my aunt liked it better last summer",
    "something with flowers outside",
    "it drives me up the wall",
    "who owns that place really?",
    "as you wish, dear friend of mine",
    "whatever floats your boat",
];

fn with_model(lines: &[&str]) -> Chat {
    let engine = Engine::new(sample_forms());
    let mut chat = begin(&engine, lines);
    chat.engine = engine.with_model(Some(ModelUse::default()));
    chat
}

/// What a person does, and how often a model is asked about it: it says nothing of use.
fn calls(chat: &mut Chat, action: chat::Action) -> (usize, Option<chat::Reply>) {
    let event = chat.event("ada", action);
    let mut effects = chat.happen(Happening::Event(Box::new(event)));
    let (mut count, mut reply) = (0, None);
    loop {
        let mut call = None;
        for effect in effects {
            match effect {
                Effect::AskModel(asked) => call = Some(asked.call),
                Effect::Reply(said) => reply = Some(*said),
                _ => {}
            }
        }
        let Some(call) = call else { return (count, reply) };
        count += 1;
        let result = Ok(serde_json::json!(r#"{"intent":"other","updates":[]}"#));
        effects = chat.happen(Happening::Outcome(Outcome { call, result }));
    }
}

#[test]
fn plain_conversations_need_no_model() {
    let mut asked = Vec::new();
    for (form, lines) in PLAIN {
        let mut chat = with_model(&[&format!("(open {form})")]);
        for line in lines {
            let seen = chat.line(line);
            assert!(!seen.contains("!! "), "{form}: {line}: {seen}");
            if seen.contains("=> model") {
                asked.push(format!("{form}: {line}"));
            }
        }
        let draft = chat.session.draft.as_ref();
        let rest = draft.map(|draft| format!("{:?} {:?}", draft.pending, draft.answers.keys().collect::<Vec<_>>()));
        println!("{form}: {} messages; then {}", lines.len(), rest.unwrap_or_default());
    }
    // Only texts that their author has judged are for a model to read.
    assert_eq!(
        asked,
        [
            "injury-report: I slipped on the wet floor of the store room and fell on my wrist.",
            "support-ticket: I pressed Export, expected a report of ten pages, and the file was empty.",
        ]
    );
}

#[test]
fn a_press_is_never_put_to_a_model() {
    let mut presses = 0;
    for form in PLAIN.map(|(form, _)| form) {
        for way in 0..12_usize {
            let mut chat = with_model(&[]);
            let open = chat::Action::Open { form: Some(form.to_owned()) };
            let (count, mut shown) = calls(&mut chat, open);
            assert_eq!(count, 0);
            for no in 0..12_usize {
                let Some(reply) = shown.clone() else { break };
                let Some(press) = some_press(&reply, way * 31 + no * 7) else { break };
                let (count, next) = calls(&mut chat, chat::Action::Press { presses: vec![press] });
                assert_eq!(count, 0, "{form}: a press asks a model");
                presses += 1;
                shown = next.or(shown);
            }
        }
    }
    assert!(presses > 200, "{presses}");
}

/// One of the widgets of a reply, with a value of its kind.
fn some_press(reply: &chat::Reply, no: usize) -> Option<chat::Press> {
    let mut presses = Vec::new();
    for question in &reply.questions {
        let value = match &question.input {
            chat::Input::Options { options, .. } if !options.is_empty() => {
                let token = options[no % options.len()].token.clone();
                chat::Pressed::Options { tokens: vec![token] }
            }
            chat::Input::Date { .. } => chat::Pressed::Text { text: "2026-11-16".to_owned() },
            chat::Input::Time { .. } => chat::Pressed::Text { text: "12:30".to_owned() },
            _ => chat::Pressed::Text { text: ["3", "words of any kind", "SA-1040"][no % 3].to_owned() },
        };
        presses.push(chat::Press { token: question.token.clone(), value });
    }
    let buttons = reply.buttons.iter().map(|button| button.token.clone());
    presses.extend(buttons.map(|token| chat::Press { token, value: chat::Pressed::Button }));
    let count = presses.len();
    presses.into_iter().nth(no.checked_rem(count)?)
}

#[test]
fn any_other_turn_asks_once_at_most() {
    let engine = Engine::new(sample_forms()).with_model(Some(ModelUse::default()));
    let reply = Some(r#"{"intent":"other","updates":[]}"#);
    let mut asked = 0;
    let mut ask = |session: &Session, what: &str| {
        for words in UNCLEAR {
            let count = turn(&engine, session, words, reply).calls.len();
            assert!(count <= 1, "{what}: {words} asks {count} times");
            asked += count;
        }
    };
    for (form, lines) in PLAIN {
        let mut person = begin(&engine, &[&format!("(open {form})")]);
        for line in lines {
            ask(&person.session, &format!("{form} before {line}"));
            person.line(line);
        }
    }
    ask(&begin(&engine, &["(open)"]).session, "idle");
    assert!(asked > 100, "{asked}");
}

#[test]
fn a_reply_that_is_none_is_asked_for_again_as_often_as_is_set() {
    for retries in [0, 1, 3] {
        let uses = ModelUse { retries, ..ModelUse::default() };
        let engine = engine().with_model(Some(uses));
        let session = super::stage::place(&engine, "begun");
        let turn = turn(&engine, &session, "something with flowers outside", Some("no idea"));
        assert_eq!(turn.calls.len(), usize::try_from(retries).unwrap() + 1);
        assert!(now() < turn.after.draft.unwrap().touched.to_zoned(jiff::tz::TimeZone::UTC));
    }
}
