//! Whatever a person does, in whatever order: a step ends, ends the same way twice, survives being stored, and never says
//! the same question twice, nor one that no correction touches. (`Chat` checks the first three at every step.)

use std::collections::{BTreeMap, BTreeSet};

use formwright::engine::{Effect, Engine, Happening};
use formwright::form::load::{Syntax, load};
use formwright::form::{Catalog, Value};
use formwright_chat as chat;
use jiff::Zoned;
use proptest::prelude::*;

use crate::support::chat::{Chat, sample_forms};

const SAYINGS: &[&str] = &[
    "yes",
    "no",
    "cancel",
    "undo",
    "redo",
    "back",
    "skip",
    "review",
    "help",
    "why?",
    "resume",
    "forms",
    "0",
    "3",
    "",
    "two spicy pizzas to via Roma 12, my number is 347 123 4567",
    "no, make it a margherita",
    "not correct",
    "none",
    "change the address",
    "add another",
    "remove the last",
    "the second one is 15 euro",
    "mark the rest as no",
    "I want to claim expenses",
    "I hurt myself at work",
    "yesterday",
    "next Friday at 9:30",
    "02/03/2026",
    "30 February",
    "ada@example.com",
    "from 3 to 7 May",
    "12,50 €",
    "is delivery free?",
    "talk to a person",
    "None",
    "مرحبا",
    "٣",
    "via Roma 12",
    "SA-1040",
    "client dinner",
    "Ada Lovelace",
    "my card is 4111 1111 1111 1111",
];

#[derive(Clone, Debug)]
enum Deed {
    Say(String),
    Open(Option<&'static str>),
    /// Presses a widget of the last reply: which, and what it is set to.
    Press(usize, chat::Pressed),
    /// Presses an option of the last question.
    Pick(u16),
    /// Presses something that no screen ever wore.
    Forge(u128, u16, Option<u16>),
    ToolResults(serde_json::Value),
    Expire,
}

fn deed() -> impl Strategy<Value = Deed> {
    let forms =
        vec!["pizza-order", "expense-claim", "injury-report", "leave-request", "event-signup", "support-ticket", "x"];
    let location = chat::LocationRef { lat: 45.0, lng: 9.0, address: None, city: None, country: None };
    prop_oneof![
        8 => prop::sample::select(SAYINGS).prop_map(|text| Deed::Say(text.to_owned())),
        1 => any::<String>().prop_map(Deed::Say),
        1 => prop::option::of(prop::sample::select(forms)).prop_map(Deed::Open),
        6 => (0..12_usize).prop_map(|no| Deed::Press(no, chat::Pressed::Button)),
        2 => (0..4_usize, "[0-9:.-]{0,12}|[a-z ]{0,20}").prop_map(|(no, text)| Deed::Press(no, chat::Pressed::Text { text })),
        1 => (0..3_usize).prop_map(move |no| Deed::Press(no, chat::Pressed::Location { location: location.clone() })),
        4 => (0..6_u16).prop_map(Deed::Pick),
        1 => (any::<u128>(), any::<u16>(), any::<Option<u16>>()).prop_map(|(n, slot, option)| Deed::Forge(n, slot, option)),
        1 => prop::sample::select(vec![serde_json::json!([{"id": "a", "name": "A"}]), serde_json::json!({"error": "no"}), serde_json::json!(3)])
            .prop_map(Deed::ToolResults),
        1 => Just(Deed::Expire),
    ]
}

/// Turns a deed into an action on what is shown now; `None` where there is nothing to do it to.
fn action(deed: &Deed, shown: Option<&chat::Reply>) -> Option<chat::Action> {
    let press = |token, value| chat::Action::Press { presses: vec![chat::Press { token, value }] };
    Some(match deed {
        Deed::Say(text) => chat::Action::Say { text: text.clone() },
        Deed::Open(form) => chat::Action::Open { form: form.map(str::to_owned) },
        Deed::Press(no, value) => {
            let reply = shown?;
            let rows = reply.card.iter().flat_map(|card| &card.rows).filter_map(|row| row.edit.clone());
            let tokens = reply.questions.iter().map(|question| question.token.clone());
            let tokens = tokens.chain(reply.buttons.iter().map(|button| button.token.clone())).chain(rows);
            press(tokens.collect::<Vec<_>>().get(*no)?.clone(), value.clone())
        }
        Deed::Pick(no) => {
            let token = shown?.questions.first()?.token.clone();
            press(token.clone(), chat::Pressed::Options { tokens: vec![token.option(*no)] })
        }
        Deed::Forge(nonce, slot, option) => {
            let token = chat::Token { nonce: chat::Nonce::new(*nonce), slot: *slot, option: *option };
            press(token, chat::Pressed::Button)
        }
        Deed::ToolResults(result) => {
            let tool = shown?.tool_call.as_ref().map_or("none", |call| call.tool.as_str()).to_owned();
            let result = chat::ToolResult { call: None, tool, result: result.clone() };
            chat::Action::ToolResults { results: vec![result] }
        }
        Deed::Expire => return None,
    })
}

fn begun(engine: &Engine, platform: &str) -> Chat {
    let now: Zoned = "2026-03-20T10:00[Europe/Rome]".parse().unwrap();
    Chat::new(engine.clone(), now, "en", platform)
}

/// So many cases; what failed is kept in this folder.
fn beside_the_source(cases: u32) -> ProptestConfig {
    let persistence = proptest::test_runner::FileFailurePersistence::WithSource("regressions");
    ProptestConfig { cases, failure_persistence: Some(Box::new(persistence)), ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(beside_the_source(48))]

    #[test]
    fn any_conversation_goes_on(deeds in prop::collection::vec(deed(), 1..40), web in any::<bool>()) {
        let engine = Engine::new(sample_forms());
        let mut chat = begun(&engine, if web { "web" } else { "terminal" });
        let mut shown: Option<chat::Reply> = None;
        let mut asked: BTreeSet<(String, String, String)> = BTreeSet::new();
        for deed in &deeds {
            let happening = match action(deed, shown.as_ref()) {
                Some(action) => Happening::Event(Box::new(chat.event("ada", action))),
                None if matches!(deed, Deed::Expire) => Happening::Expiry,
                None => continue,
            };
            for effect in chat.happen(happening) {
                let Effect::Reply(reply) = effect else { continue };
                for question in &reply.questions {
                    let draft = chat.session.draft.as_ref().expect("a question belongs to a form");
                    let key = (draft.submission.clone(), question.field.clone(), question.ask.clone());
                    // Results that nobody waits for change nothing: what is asked stands as it is.
                    let stands = matches!(deed, Deed::ToolResults(_));
                    let new = asked.insert(key) || stands;
                    prop_assert!(new, "{} is asked again in the words {:?}", question.field, question.ask);
                }
                shown = Some(*reply);
            }
        }
    }
}

const TRIP: &str = r#"
schema = 1
id = "trip"
title = "Trip"
[[field]]
id = "people"
kind = "integer"
label = "People"
[[field]]
id = "beds"
kind = "integer"
label = "Beds"
check = [{ that = "beds <= people", else = "There are more beds than people." }]
[[field]]
id = "car"
kind = "yes_no"
label = "Car"
[[field]]
id = "seats"
kind = "integer"
label = "Seats"
show_when = "car"
[[field]]
id = "roof"
kind = "yes_no"
label = "Roof box"
show_when = "seats > 2"
[[field]]
id = "nights"
kind = "integer"
label = "Nights"
[[field]]
id = "dogs"
kind = "integer"
label = "Dogs"
required = false
"#;

#[derive(Clone, Copy, Debug)]
enum Move {
    /// Answers what is asked, or leaves it out.
    Answer(u8),
    /// Changes an answer given before: which, and to what.
    Correct(u8, u8),
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let one = prop_oneof![
        3 => any::<u8>().prop_map(Move::Answer),
        1 => (any::<u8>(), any::<u8>()).prop_map(|(which, to)| Move::Correct(which, to)),
    ];
    prop::collection::vec(one, 1..40)
}

/// What a move does where this is shown; `None` where there is nothing to do.
fn deed_of(step: Move, chat: &Chat, shown: &chat::Reply) -> Option<chat::Action> {
    let press = |token, value| chat::Action::Press { presses: vec![chat::Press { token, value }] };
    let number = |n: u8| (n % 5).to_string();
    match step {
        Move::Answer(n) => {
            let question = shown.questions.first()?;
            let token = question.token.clone();
            let skip = shown.buttons.iter().find(|button| button.label == "Skip" && n % 3 == 0);
            Some(match (&question.input, skip) {
                (_, Some(skip)) => press(skip.token.clone(), chat::Pressed::Button),
                (chat::Input::Options { .. }, _) => {
                    press(token.clone(), chat::Pressed::Options { tokens: vec![token.option(u16::from(n % 2))] })
                }
                _ => press(token, chat::Pressed::Text { text: number(n) }),
            })
        }
        Move::Correct(which, to) => {
            let draft = chat.session.draft.as_ref()?;
            let given: Vec<_> = draft.answers.keys().map(ToString::to_string).collect();
            let field = given.get(usize::from(which).checked_rem(given.len())?)?;
            let (label, truth) = match field.as_str() {
                "car" => ("Car", true),
                "roof" => ("Roof box", true),
                "people" => ("People", false),
                "beds" => ("Beds", false),
                "seats" => ("Seats", false),
                "nights" => ("Nights", false),
                _ => ("Dogs", false),
            };
            let value = if truth { if to % 2 == 0 { "yes".to_owned() } else { "no".to_owned() } } else { number(to) };
            Some(chat::Action::Say { text: format!("{label}: {value}") })
        }
    }
}

/// Whether an answer may be asked for again: the form no longer allows it, or it was shown the door by its condition.
fn may_be_asked_again(field: &str, had: &Value, now: &BTreeMap<String, Value>) -> bool {
    let number = |name: &str| match now.get(name) {
        Some(Value::Integer(n)) => Some(*n),
        _ => None,
    };
    match (field, had) {
        ("beds", Value::Integer(beds)) => number("people").is_some_and(|people| *beds > people),
        ("seats", _) => now.get("car") != Some(&Value::Bool(true)),
        ("roof", _) => number("seats").is_none_or(|seats| seats <= 2),
        _ => false,
    }
}

proptest! {
    #![proptest_config(beside_the_source(128))]

    #[test]
    fn no_unaffected_field_is_asked_again(moves in moves()) {
        let loaded = load(TRIP, Syntax::Toml);
        let mut catalog = Catalog::default();
        catalog.insert(loaded.form.unwrap_or_else(|| panic!("{:?}", loaded.problems)));
        let mut chat = begun(&Engine::new(catalog), "terminal");
        let mut shown: Option<chat::Reply> = None;
        let mut had: BTreeMap<String, Value> = BTreeMap::new();
        let mut skipped: BTreeSet<String> = BTreeSet::new();
        let open = chat::Action::Open { form: Some("trip".to_owned()) };
        for step in std::iter::once(None).chain(moves.into_iter().map(Some)) {
            let action = match (step, &shown) {
                (Some(step), Some(shown)) => deed_of(step, &chat, shown),
                _ => Some(open.clone()),
            };
            let Some(action) = action else { continue };
            let event = chat.event("ada", action.clone());
            for effect in chat.happen(Happening::Event(Box::new(event))) {
                if let Effect::Reply(reply) = effect {
                    shown = Some(*reply);
                }
            }
            let draft = chat.session.draft.as_ref().expect("nothing confirms or cancels");
            let now: BTreeMap<String, Value> =
                draft.answers.iter().map(|(path, answer)| (path.to_string(), answer.value.clone())).collect();
            for (field, value) in had.iter().filter(|(field, _)| !now.contains_key(*field)) {
                let lost = may_be_asked_again(field, value, &now);
                prop_assert!(lost, "{field} lost its answer {value:?} by {action:?}: {now:?}");
            }
            for question in shown.iter().flat_map(|reply| &reply.questions) {
                let field = &question.field;
                prop_assert!(!now.contains_key(field), "{field} is asked though it is answered, after {action:?}");
                prop_assert!(!skipped.contains(field), "{field} is asked though it was left out, after {action:?}");
            }
            had = now;
            skipped = draft.skipped.iter().map(ToString::to_string).collect();
        }
    }
}

#[test]
fn no_forged_button_has_an_effect() {
    let engine = Engine::new(sample_forms());
    let mut chat = begun(&engine, "terminal");
    chat.line("(open pizza-order)");
    chat.line("two spicy pizzas");
    let before = chat.session.draft.clone().unwrap();
    let mut bits = 1_u128;
    let mut forge = |no: u16, present: &chat::Nonce| {
        bits = bits.wrapping_mul(0x2545_f491_4f6c_dd1d_1234_5678_9abc_def1).wrapping_add(7);
        let option = (no.is_multiple_of(3)).then_some(no % 5);
        // Some name the present screen, and a widget that is not on it.
        let token = match no % 10 {
            0 => chat::Token { nonce: present.clone(), slot: 1_000 + no, option },
            _ => chat::Token { nonce: chat::Nonce::new(bits), slot: no % 7, option },
        };
        let value = match no % 4 {
            0 => chat::Pressed::Text { text: "margherita".to_owned() },
            1 => chat::Pressed::Options { tokens: vec![token.option(0)] },
            _ => chat::Pressed::Button,
        };
        chat::Press { token, value }
    };
    // As many in an event as the runtime lets through: 100,000 in all.
    for _ in 0..500 {
        let present = chat.session.screen.as_ref().unwrap().nonce.clone();
        let presses = (0..200).map(|no| forge(no, &present)).collect();
        let event = chat.event("ada", chat::Action::Press { presses });
        let effects = chat.happen(Happening::Event(Box::new(event)));
        assert!(!effects.iter().any(|effect| matches!(effect, Effect::Submit(_))));
    }
    let after = chat.session.draft.unwrap();
    assert_eq!((after.answers, after.todo, after.state), (before.answers, before.todo, before.state));
}
