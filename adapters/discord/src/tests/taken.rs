//! What comes in: who may press what, what is stored, and what Discord is answered.

use formwright_chat::conformance;
use formwright_chat::words::{Word, say};
use formwright_chat::{
    Access, AccessRule, Action, Fault, HostError, Input, Press, Pressed, Reply, Screen, UserId, Wire,
};
use rstest::rstest;
use serde_json::{Value, json};

use super::check::{message_faults, modal_faults};
use super::{guild, here, host, intake, intake_with, interaction, now};
use crate::DiscordSettings;
use crate::intake::{Intake, Taken};
use crate::translate;
use crate::wire_op::Op;

const ADA: &str = "1";

async fn shown(intake: &Intake, reply: &Reply) {
    let screen = Screen::new(UserId::new(ADA), guild(), reply.clone(), vec!["5/800".to_owned()]);
    intake.screens.keep(&screen).await.unwrap();
}

fn pressed(wire: &Wire) -> Value {
    interaction(3, json!({"custom_id": wire.to_string(), "component_type": 2}))
}

fn picked(wire: &Wire, values: &[String]) -> Value {
    interaction(3, json!({"custom_id": wire.to_string(), "component_type": 3, "values": values}))
}

fn sent(wire: &Wire, fields: Value) -> Value {
    interaction(5, json!({"custom_id": wire.to_string(), "components": fields}))
}

fn is_whisper(body: &Value, words: &str) -> bool {
    let ephemeral = body["data"]["flags"].as_u64().unwrap_or_default() & crate::limits::FLAG_EPHEMERAL != 0;
    body["type"] == 4 && ephemeral && body["data"]["content"].as_str().unwrap_or_default().contains(words)
}

#[tokio::test]
async fn a_press_is_stored_and_the_message_shows_the_answer() {
    let host = host();
    let intake = intake(&host);
    let reply = conformance::one_of(3);
    shown(&intake, &reply).await;
    let question = reply.questions[0].token.clone();
    let answer = intake.interaction(&pressed(&Wire::press(&question.option(1))), now()).await.unwrap();
    assert_eq!(answer.body["type"], 7);
    assert!(answer.body["data"]["content"].as_str().unwrap().ends_with("✓ Option 2"), "{answer:?}");
    assert_eq!(answer.body["data"]["components"], json!([]));
    assert_eq!(answer.draws.as_deref(), Some("5/800"));
    let event = host.events().remove(0);
    assert_eq!((event.id.as_str(), event.place, event.user.name.as_deref()), ("interaction/700", guild(), Some("Ada")));
    let value = Pressed::Options { tokens: vec![question.option(1)] };
    assert_eq!(event.action, Action::Press { presses: vec![Press { token: question.clone(), value }] });
    let mut stale = pressed(&Wire::press(&question.option(2)));
    stale["id"] = "701".into();
    let over = intake.interaction(&stale, now()).await.unwrap();
    assert!(is_whisper(&over.body, "already answered"), "{over:?}");
    // The same press comes again after a restart: its message is drawn as it stands, and nobody is told off.
    let again = intake.interaction(&pressed(&Wire::press(&question.option(1))), now()).await.unwrap();
    assert_eq!((&again.body["type"], &again.body["data"]["components"]), (&json!(7), &json!([])));
    assert!(again.body["data"]["content"].as_str().unwrap().ends_with("✓ Option 2"), "{again:?}");
    assert_eq!(host.events().len(), 1);
}

#[rstest]
#[case::unknown(json!({"data": {"custom_id": "AAAAAAAAAAAAAAAAAAAAAA.0", "component_type": 2}}), Word::Over)]
#[case::rubbish(json!({"data": {"custom_id": "hello", "component_type": 2}}), Word::Over)]
#[case::anothers(json!({"member": {"user": {"id": "2", "username": "bob"}}}), Word::NotYours)]
#[tokio::test]
async fn what_does_not_count_is_said_privately_and_stores_nothing(#[case] change: Value, #[case] word: Word) {
    let host = host();
    let intake = intake(&host);
    let reply = conformance::one_of(3);
    shown(&intake, &reply).await;
    let mut raw = pressed(&Wire::press(&reply.questions[0].token.option(1)));
    change.as_object().unwrap().iter().for_each(|(key, value)| raw[key] = value.clone());
    let answer = intake.interaction(&raw, now()).await.unwrap();
    assert!(is_whisper(&answer.body, &say(word, "en")[..10]), "{answer:?}");
    assert_eq!(message_faults(&answer.body["data"]), Vec::<String>::new());
    assert!(host.events().is_empty());
}

#[rstest]
#[case::own(json!({"name": "pizza-order"}), Some("pizza-order"))]
#[case::any(json!({"name": "form"}), None)]
#[case::named(json!({"name": "form", "options": [{"name": "form", "value": "injury-report"}]}), Some("injury-report"))]
#[case::titled(json!({"name": "form", "options": [{"name": "form", "value": "Pizza Order"}]}), Some("pizza-order"))]
#[tokio::test]
async fn a_command_opens_a_form_and_the_person_is_told_to_wait(#[case] data: Value, #[case] form: Option<&str>) {
    let host = host();
    let intake = intake(&host);
    let answer = intake.interaction(&interaction(2, data), now()).await.unwrap();
    assert_eq!(answer.body, json!({"type": 5}));
    assert_eq!(host.events()[0].action, Action::Open { form: form.map(str::to_owned) });
    let hooks = intake.notes.hooks(&guild(), &UserId::new(ADA), now()).await.unwrap();
    assert!(hooks[0].thinking && hooks[0].token == "tok");
}

#[rstest]
#[case::private(DiscordSettings::default(), true)]
#[case::here(here(), false)]
#[tokio::test]
async fn nobody_is_invited_to_write_where_words_are_not_heard(
    #[case] settings: DiscordSettings,
    #[case] unheard: bool,
) {
    let host = host();
    let command = interaction(2, json!({"name": "pizza-order"}));
    intake_with(&host, settings).interaction(&command, now()).await.unwrap();
    assert_eq!(host.events()[0].terms.unheard, unheard);
}

#[tokio::test]
async fn a_command_that_comes_again_once_it_was_answered_does_not_wait_again() {
    let host = host();
    let intake = intake(&host);
    let command = interaction(2, json!({"name": "pizza-order"}));
    intake.interaction(&command, now()).await.unwrap();
    let (place, ada) = (guild(), UserId::new(ADA));
    intake.notes.change_hooks(&place, &ada, now(), |hooks| hooks[0].thinking = false).await.unwrap();
    intake.interaction(&command, now()).await.unwrap();
    let hooks = intake.notes.hooks(&place, &ada, now()).await.unwrap();
    assert_eq!((hooks.len(), hooks[0].thinking), (1, false), "its answer would be overwritten");
}

#[tokio::test]
async fn who_may_use_no_form_may_be_forgotten_by_command() {
    let host = host();
    let (forms, roles) = (vec!["pizza-order".to_owned()], vec!["nobody".to_owned()]);
    let access = Access { rules: vec![AccessRule { forms, roles, ..AccessRule::default() }] };
    let intake = intake_with(&host, DiscordSettings { access, ..DiscordSettings::default() });
    let answer = intake.interaction(&interaction(2, json!({"name": "forget"})), now()).await.unwrap();
    assert_eq!(answer.body, json!({"type": 5, "data": {"flags": 64}}), "they alone see it");
    assert_eq!(host.events()[0].action, Action::Say { text: "forget me".to_owned() });
    let direct = |id: &str, words: &str| written(json!({"id": id, "guild_id": null, "content": words}));
    assert!(matches!(intake.message(direct("10", "hello"), now()).await, Ok(Taken::Declined(_))));
    assert!(matches!(intake.message(direct("11", "Forget me."), now()).await, Ok(Taken::Stored { .. })));
}

#[rstest]
#[case::busy(HostError::Busy { retry_after: 3 }, "a lot at once")]
#[case::refused(HostError::Refused("No *such* form.".to_owned()), "No \\*such\\* form.")]
#[case::down(HostError::Unavailable("disk".to_owned()), "try again")]
#[tokio::test]
async fn what_the_host_does_not_take_is_said_privately(#[case] error: HostError, #[case] words: &str) {
    let host = host();
    let intake = intake(&host);
    host.refuse(vec![error]);
    let answer = intake.interaction(&interaction(2, json!({"name": "pizza-order"})), now()).await.unwrap();
    assert!(is_whisper(&answer.body, words), "{answer:?}");
    assert_eq!(intake.notes.hooks(&guild(), &UserId::new(ADA), now()).await.unwrap(), []);
}

#[tokio::test]
async fn forms_are_completed_while_typing_and_only_those_one_may_use() {
    let host = host();
    let (forms, roles) = (vec!["pizza-order".to_owned()], vec!["r1".to_owned()]);
    let access = Access { rules: vec![AccessRule { forms, roles, ..AccessRule::default() }] };
    let intake = intake_with(&host, DiscordSettings { access, ..DiscordSettings::default() });
    let typing = interaction(4, json!({"name": "form", "options": [{"name": "form", "value": "", "focused": true}]}));
    let answer = intake.interaction(&typing, now()).await.unwrap();
    assert_eq!(answer.body, json!({"type": 8, "data": {"choices": [{"name": "Pizza order", "value": "pizza-order"}]}}));
    let denied = intake.interaction(&interaction(2, json!({"name": "injury-report"})), now()).await.unwrap();
    assert!(is_whisper(&denied.body, "cannot use this form"), "{denied:?}");
    assert!(host.events().is_empty());
}

#[tokio::test]
async fn a_long_list_is_ticked_over_pages_searched_and_sent_at_once() {
    let host = host();
    let intake = intake(&host);
    let reply = conformance::several(60);
    shown(&intake, &reply).await;
    let token = reply.questions[0].token.clone();
    let empty = intake.interaction(&pressed(&Op::Send.on(&token)), now()).await.unwrap();
    assert!(is_whisper(&empty.body, "Tick at least one"), "{empty:?}");
    let page = intake.interaction(&pressed(&Op::Page(1).on(&token)), now()).await.unwrap();
    assert_eq!(page.body["type"], 7);
    let select = page.body["data"]["components"][0]["components"][0].clone();
    let mut ticked =
        picked(&Op::Tick(Some(1)).on(&token), &[token.option(26).to_string(), token.option(30).to_string()]);
    ticked["message"]["components"] = page.body["data"]["components"].clone();
    assert_eq!(select["custom_id"], ticked["data"]["custom_id"]);
    let drawn = intake.interaction(&ticked, now()).await.unwrap();
    let defaults = drawn.body["data"]["components"][0]["components"][0]["options"].as_array().unwrap().iter();
    assert_eq!(defaults.filter(|option| option["default"] == true).count(), 2);
    let window = intake.interaction(&pressed(&Op::Search.on(&token)), now()).await.unwrap();
    assert_eq!((window.body["type"].as_u64(), modal_faults(&window.body["data"])), (Some(9), Vec::new()));
    let search = |words: &str| {
        let input = json!({"type": 4, "custom_id": Wire::press(&token).to_string(), "value": words});
        sent(&Op::Search.on(&token), json!([{"type": 18, "component": input}]))
    };
    let none = intake.interaction(&search("pineapple"), now()).await.unwrap();
    assert!(is_whisper(&none.body, "Nothing found"), "{none:?}");
    let found = intake.interaction(&search("option 59"), now()).await.unwrap();
    let options = found.body["data"]["components"][0]["components"][0]["options"].clone();
    assert_eq!((options.as_array().unwrap().len(), options[0]["label"].as_str()), (1, Some("Option 59")));
    assert!(host.events().is_empty());
    let answer = intake.interaction(&pressed(&Op::Send.on(&token)), now()).await.unwrap();
    assert!(answer.body["data"]["content"].as_str().unwrap().ends_with("✓ Option 27, Option 31"), "{answer:?}");
    let value = Pressed::Options { tokens: vec![token.option(26), token.option(30)] };
    assert_eq!(host.events()[0].action, Action::Press { presses: vec![Press { token, value }] });
}

#[tokio::test]
async fn a_moment_is_picked_by_day_hour_and_minute() {
    let host = host();
    let intake = intake(&host);
    let reply = conformance::asking(Input::DateTime { min: None, max: None });
    shown(&intake, &reply).await;
    let token = reply.questions[0].token.clone();
    let pick = Op::Pick.on(&token);
    for step in [Op::Day("2026-11-24".to_owned()), Op::Hour("2026-11-24T14".to_owned())] {
        let answer = intake.interaction(&picked(&pick, &[step.on(&token).to_string()]), now()).await.unwrap();
        assert_eq!((answer.body["type"].as_u64(), message_faults(&answer.body["data"])), (Some(7), Vec::new()));
    }
    let last = Op::Value("2026-11-24T14:30".to_owned()).on(&token).to_string();
    intake.interaction(&picked(&pick, &[last]), now()).await.unwrap();
    let value = Pressed::Text { text: "2026-11-24T14:30".to_owned() };
    assert_eq!(host.events()[0].action, Action::Press { presses: vec![Press { token, value }] });
}

fn page() -> Reply {
    let text = |secret| Input::Text { long: false, max_chars: None, example: None, secret };
    let file = Input::File { accept: Vec::new(), max_bytes: None, max_files: 3 };
    conformance::page(vec![
        text(false),
        conformance::options(0, 3, false),
        conformance::options(0, 4, true),
        file,
        text(true),
    ])
}

fn filled(reply: &Reply) -> Value {
    let token = |no: usize| if no == 0 { &reply.questions[0].token } else { &reply.page[no - 1].token };
    let label = |component: Value| json!({"type": 18, "id": 1, "component": component});
    json!([
        label(json!({"type": 4, "custom_id": token(0).to_string(), "value": "Ada"})),
        label(json!({"type": 21, "custom_id": token(1).to_string(), "value": token(1).option(2).to_string()})),
        label(json!({"type": 22, "custom_id": token(2).to_string(),
            "values": [token(2).option(0).to_string(), token(2).option(3).to_string(), "forged"]})),
        label(json!({"type": 19, "custom_id": token(3).to_string(), "values": ["31"]})),
        label(json!({"type": 4, "custom_id": token(4).to_string(), "value": "hunter2"})),
    ])
}

fn form(reply: &Reply) -> Value {
    let mut raw = sent(&Op::Form.on(&reply.questions[0].token), filled(reply));
    raw["data"]["resolved"] = json!({"attachments": {"31": {"id": "31", "filename": "a.png", "size": 12,
        "content_type": "image/png", "url": "https://cdn.example/a.png"}}});
    raw
}

#[tokio::test]
async fn a_page_is_filled_in_as_one_window_and_secrets_are_not_repeated() {
    let host = host();
    let intake = intake(&host);
    let reply = page();
    shown(&intake, &reply).await;
    let opened = intake.interaction(&pressed(&Op::Form.on(&reply.questions[0].token)), now()).await.unwrap();
    assert_eq!((opened.body["type"].as_u64(), modal_faults(&opened.body["data"])), (Some(9), Vec::new()));
    let answer = intake.interaction(&form(&reply), now()).await.unwrap();
    let content = answer.body["data"]["content"].as_str().unwrap();
    assert!(content.ends_with("✓ Field 0: Ada\n✓ Field 10: Option 3\n✓ Field 11: Option 1, Option 4\n✓ Field 12: a.png\n✓ Field 13: Answered"), "{content}");
    let Action::Press { presses } = host.events().remove(0).action else { panic!("a press") };
    insta::assert_snapshot!("page_presses", serde_json::to_string_pretty(&presses).unwrap());
}

#[tokio::test]
async fn a_fault_is_told_privately_and_the_window_opens_again_as_it_was_sent() {
    let host = host();
    let intake = intake(&host);
    let reply = page();
    shown(&intake, &reply).await;
    let token = reply.questions[0].token.clone();
    host.find_fault(vec![Fault { token: token.clone(), problem: "That is too short.".to_owned() }]);
    let told = intake.interaction(&form(&reply), now()).await.unwrap();
    assert!(is_whisper(&told.body, "Field 0: That is too short."), "{told:?}");
    assert!(host.events().is_empty());
    assert!(!host.note("discord", &format!("draft/{}", token.nonce.as_str())).unwrap().to_string().contains("hunter2"));
    let fix: Wire = told.body["data"]["components"][0]["components"][0]["custom_id"].as_str().unwrap().parse().unwrap();
    let opened = intake.interaction(&pressed(&fix), now()).await.unwrap();
    assert_eq!((opened.body["type"].as_u64(), modal_faults(&opened.body["data"])), (Some(9), Vec::new()));
    assert_eq!(opened.body["data"]["components"][0]["component"]["value"], "Ada");
    assert_eq!(opened.body["data"]["components"][1]["component"]["options"][2]["default"], true);
    host.find_fault(Vec::new());
    let mut again = form(&reply);
    again["message"]["id"] = "801".into();
    let answer = intake.interaction(&again, now()).await.unwrap();
    assert_eq!((answer.body["type"].as_u64(), answer.draws), (Some(7), None));
    assert_eq!(host.events().len(), 1);
}

#[tokio::test]
async fn a_picked_person_is_told_with_the_name() {
    let host = host();
    let intake = intake(&host);
    let reply = conformance::asking(Input::Person);
    shown(&intake, &reply).await;
    let token = reply.questions[0].token.clone();
    let mut raw = picked(&Wire::press(&token), &["42".to_owned()]);
    raw["data"]["component_type"] = 5.into();
    raw["data"]["resolved"] = json!({"users": {"42": {"id": "42", "username": "grace", "global_name": "Grace <H>"}}});
    let answer = intake.interaction(&raw, now()).await.unwrap();
    assert!(answer.body["data"]["content"].as_str().unwrap().ends_with(r"✓ \@Grace  H "), "{answer:?}");
    let value = Pressed::Text { text: "<@42|Grace  H >".to_owned() };
    assert_eq!(host.events()[0].action, Action::Press { presses: vec![Press { token, value }] });
}

fn written(change: Value) -> translate::Heard {
    let mut raw = json!({"id": "10", "type": 0, "channel_id": "5", "guild_id": "7", "content": "diavola", "mentions": [],
        "author": {"id": ADA, "username": "ada"}, "member": {"roles": []}, "attachments": []});
    change.as_object().unwrap().iter().for_each(|(key, value)| raw[key] = value.clone());
    translate::message(&raw, None, "99").unwrap()
}

#[tokio::test]
async fn in_a_server_only_messages_that_concern_the_bot_are_stored() {
    let host = host();
    let intake = intake(&host);
    assert_eq!(intake.message(written(json!({})), now()).await.unwrap(), Taken::NotMeant);
    let named = json!({"content": "<@99>", "mentions": [{"id": "99"}]});
    assert_eq!(intake.message(written(named), now()).await.unwrap(), Taken::Stored { exposed: false });
    assert_eq!(host.events()[0].action, Action::Open { form: None });
    shown(&intake, &conformance::one_of(3)).await;
    let answered = written(json!({"id": "11"}));
    assert_eq!(intake.message(answered, now()).await.unwrap(), Taken::Stored { exposed: false });
    let other = written(json!({"id": "12", "author": {"id": "2", "username": "bob"}}));
    assert_eq!(intake.message(other, now()).await.unwrap(), Taken::NotMeant);
    assert_eq!(host.events().len(), 2);
    assert_eq!(intake.notes.watched().await.unwrap().0["5"].after, "11");
}

#[tokio::test]
async fn a_private_question_is_answered_in_a_direct_message_and_a_secret_in_the_open_is_exposed() {
    let host = host();
    let intake = intake(&host);
    let mut reply = conformance::asking(Input::Text { long: false, max_chars: None, example: None, secret: true });
    reply.private = true;
    shown(&intake, &reply).await;
    let aside = crate::intake::notes::Aside { channel: "6".to_owned(), nonce: reply.nonce().unwrap().clone() };
    intake.notes.keep_aside(&UserId::new(ADA), Some(&aside)).await.unwrap();
    let direct = written(json!({"channel_id": "6", "guild_id": null}));
    assert_eq!(intake.message(direct, now()).await.unwrap(), Taken::Stored { exposed: false });
    assert_eq!(host.events()[0].place, guild());
    // What is said among others is for them; what is said to the bot is an answer that they have seen.
    let open = written(json!({"id": "11"}));
    assert_eq!(intake.message(open, now()).await.unwrap(), Taken::NotMeant);
    let named = written(json!({"id": "12", "mentions": [{"id": "99"}]}));
    assert_eq!(intake.message(named, now()).await.unwrap(), Taken::Stored { exposed: true });
}

#[tokio::test]
async fn a_store_that_is_down_loses_no_message() {
    let host = host();
    let intake = intake(&host);
    host.refuse(vec![HostError::Unavailable("disk".to_owned()), HostError::Busy { retry_after: 2 }]);
    let direct = || written(json!({"guild_id": null}));
    assert!(matches!(intake.message(direct(), now()).await, Err(HostError::Unavailable(_))));
    assert!(matches!(intake.message(direct(), now()).await, Ok(Taken::Declined(_))));
    assert!(matches!(intake.message(direct(), now()).await, Ok(Taken::Stored { .. })));
    assert_eq!(host.events().len(), 1);
}
