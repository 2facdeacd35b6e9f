use chat::{Nonce, Press, Pressed, Token, Wire};
use formwright_chat as chat;
use proptest::prelude::*;
use rstest::rstest;
use serde_json::{Value, json};

use super::*;

fn fixture(name: &str) -> Value {
    let path = format!("{}/src/tests/fixtures/{name}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn who() -> Who {
    Who { id: "U0ADA".to_owned(), workspace: "T0TEAM".to_owned() }
}

fn token(slot: u16) -> Token {
    Token::new(&Nonce::new(7), slot)
}

#[test]
fn a_direct_message_is_read() {
    let Incoming::Message(message) = event(&fixture("message_im"), "U0BOT") else { panic!() };
    assert_eq!(
        message,
        Message {
            who: who(),
            channel: "D0ADA".to_owned(),
            thread: None,
            ts: "1780000000.000100".to_owned(),
            direct: true,
            edited: None,
            below_bot: false,
            mention: false,
            calls_another: false,
            text: "I want a pizza & a <beer>".to_owned(),
            marked: "I want a pizza &amp; a &lt;beer&gt;".to_owned(),
            files: Vec::new(),
        }
    );
}

#[test]
fn a_mention_is_the_same_message_as_the_message_itself() {
    let Incoming::Message(mention) = event(&fixture("app_mention"), "U0BOT") else { panic!() };
    let mut same = fixture("app_mention");
    same["event_id"] = json!("Ev0OTHER");
    same["event"]["type"] = json!("message");
    let Incoming::Message(message) = event(&same, "U0BOT") else { panic!() };
    assert_eq!(mention, message);
    assert!(mention.mention);
    assert_eq!(mention.text, "pizza please");
    assert_eq!(mention.id(), "msg/C0GENERAL/1780000000.000200");
}

#[test]
fn files_are_taken_by_reference() {
    let Incoming::Message(message) = event(&fixture("message_file_share"), "U0BOT") else { panic!() };
    let file = chat::FileRef {
        id: "F0PHOTO".to_owned(),
        name: "scar.jpg".to_owned(),
        media_type: "image/jpeg".to_owned(),
        bytes: Some(4242),
    };
    assert_eq!(message.files, [file]);
    assert_eq!(message.thread.as_deref(), Some("1780000000.000200"));
}

#[rstest]
#[case(json!({"bot_id": "B1"}))]
#[case(json!({"user": "U0BOT"}))]
#[case(json!({"subtype": "message_changed"}))]
#[case(json!({"subtype": "message_deleted", "hidden": true}))]
#[case(json!({"subtype": "channel_join"}))]
#[case(json!({"user": null}))]
#[case(json!({"type": "reaction_added"}))]
#[case(json!({"type": "something_new"}))]
#[case(json!({"channel": null}))]
fn what_is_no_message_of_a_person_is_nothing(#[case] change: Value) {
    let mut payload = fixture("message_im");
    for (key, value) in change.as_object().unwrap() {
        payload["event"][key] = value.clone();
    }
    assert_eq!(event(&payload, "U0BOT"), Incoming::Nothing);
}

#[test]
fn odd_payloads_are_nothing() {
    for odd in [json!(null), json!([]), json!({"type": 3}), json!({"type": "event_callback"}), json!("x")] {
        assert_eq!(event(&odd, "U0BOT"), Incoming::Nothing);
        assert_eq!(interaction(&odd), Incoming::Nothing);
        assert_eq!(command(&odd), Incoming::Nothing);
    }
    let challenge = json!({"type": "url_verification", "challenge": "c", "token": "t"});
    assert_eq!(event(&challenge, "U0BOT"), Incoming::Challenge("c".to_owned()));
}

#[test]
fn home_is_told_with_its_direct_message() {
    let home = Home { who: who(), channel: "D0ADA".to_owned() };
    assert_eq!(event(&fixture("app_home_opened"), "U0BOT"), Incoming::Home(home));
}

#[test]
fn a_press_carries_its_place_and_what_all_widgets_hold() {
    let Incoming::Act(act) = interaction(&fixture("block_actions")) else { panic!() };
    assert_eq!(act.who, who());
    assert_eq!((act.channel.as_deref(), act.thread.as_deref()), (Some("C0GENERAL"), Some("1780000000.000200")));
    assert!(!act.ephemeral);
    let wire: Wire = act.action_id.parse().unwrap();
    assert_eq!(click(&wire, &act.action, None), Click::Done);
    let collected = collect(&act.values, None);
    let picked = Pressed::Options { tokens: vec![token(0).option(0), token(0).option(2)] };
    assert_eq!(collected.presses, [Press { token: token(0), value: picked }]);
}

#[rstest]
#[case(json!({"type": "button"}), "", Click::Press(Press { token: token(3), value: Pressed::Button }))]
#[case(json!({"type": "button"}), "~v4", Click::Press(Press { token: token(3), value: Pressed::Text { text: "4".to_owned() } }))]
#[case(json!({"type": "button"}), "~form", Click::Open)]
#[case(json!({"type": "button"}), "~vain", Click::Nothing)]
#[case(json!({"type": "checkboxes", "selected_options": []}), "~in", Click::Nothing)]
#[case(json!({"type": "datepicker", "selected_date": "2026-05-03"}), "", Click::Press(Press { token: token(3), value: Pressed::Text { text: "2026-05-03".to_owned() } }))]
#[case(json!({"type": "datepicker", "selected_date": null}), "", Click::Nothing)]
#[case(json!({"type": "users_select", "selected_user": "U2"}), "", Click::Press(Press { token: token(3), value: Pressed::Text { text: "<@U2>".to_owned() } }))]
#[case(json!({"type": "channels_select", "selected_channel": "C2"}), "", Click::Press(Press { token: token(3), value: Pressed::Text { text: "<#C2>".to_owned() } }))]
#[case(json!({"type": "brand_new", "selected_thing": 1}), "", Click::Nothing)]
fn each_widget_means_something(#[case] action: Value, #[case] op: &str, #[case] want: Click) {
    let wire = format!("{}{op}", token(3)).parse().unwrap();
    assert_eq!(click(&wire, &action, None), want);
}

#[test]
fn an_option_and_an_entry_of_a_menu_are_pressed_by_their_own_tokens() {
    let wire = Wire::press(&token(0).option(1));
    let press = Press { token: token(0), value: Pressed::Options { tokens: vec![token(0).option(1)] } };
    assert_eq!(click(&wire, &json!({"type": "button"}), None), Click::Press(press.clone()));
    let select = json!({"type": "static_select", "selected_option": {"value": token(0).option(1).to_string()}});
    assert_eq!(click(&Wire::press(&token(0)), &select, None), Click::Press(press));
    let menu = json!({"type": "static_select", "selected_option": {"value": token(12).to_string()}});
    let edit = Press { token: token(12), value: Pressed::Button };
    assert_eq!(click(&Wire::op(&token(10), "edit"), &menu, None), Click::Press(edit));
}

#[test]
fn a_sent_modal_is_read_whole() {
    let Incoming::Submission(sent) = interaction(&fixture("view_submission")) else { panic!() };
    assert_eq!((sent.callback.as_str(), sent.metadata.as_str()), ("form", token(0).nonce.as_str()));
    let collected = collect(&sent.values, Some("Europe/Rome"));
    let shown: Vec<String> = collected
        .presses
        .iter()
        .map(|press| format!("{} {}", press.token.slot, serde_json::to_string(&press.value).unwrap()))
        .collect();
    insta::assert_snapshot!(shown.join("\n"), @r#"
    0 {"type":"text","text":"Via Roma 1"}
    1 {"type":"text","text":"3"}
    2 {"type":"options","tokens":["HAAAAAAAAAAAAAAAAAAAAA.2.1"]}
    3 {"type":"options","tokens":[]}
    4 {"type":"text","text":"2026-05-28T22:26+02:00"}
    5 {"type":"text","text":"2026-05-03/2026-05-07"}
    6 {"type":"files","files":[{"id":"F0PHOTO","name":"scar.jpg","media_type":"image/jpeg","bytes":4242}]}
    7 {"type":"text","text":"<@U0BOB>"}
    9 {"type":"text","text":"my own"}
    10 {"type":"text","text":"12:30"}
    12 {"type":"text","text":"4"}
    "#);
    // A problem with the range is shown at its first day.
    assert_eq!(collected.blocks[&token(5)], Wire::op(&token(5), "from").to_string());
}

#[test]
fn a_moment_without_a_known_zone_keeps_its_offset() {
    let values = json!({"b": {token(0).to_string(): {"type": "datetimepicker", "selected_date_time": 1_780_000_000}}});
    let text = Pressed::Text { text: "2026-05-28T20:26:40Z".to_owned() };
    assert_eq!(collect(&values, None).presses, [Press { token: token(0), value: text }]);
}

#[test]
fn other_interactions_are_read() {
    let suggestion = json!({"type": "block_suggestion", "user": {"id": "U0ADA"}, "team": {"id": "T0TEAM"},
        "action_id": token(0).to_string(), "value": "dia"});
    let want = Suggestion { who: who(), action_id: token(0).to_string(), query: "dia".to_owned() };
    assert_eq!(interaction(&suggestion), Incoming::Suggestion(want));
    let shortcut = json!({"type": "shortcut", "user": {"id": "U0ADA", "team_id": "T0TEAM"}, "team": null,
        "callback_id": "formwright", "trigger_id": "1.2.3"});
    let want = Shortcut { who: who(), trigger: "1.2.3".to_owned(), callback: "formwright".to_owned(), at: None };
    assert_eq!(interaction(&shortcut), Incoming::Shortcut(want));
    let on_message = json!({"type": "message_action", "user": {"id": "U0ADA"}, "team": {"id": "T0TEAM"},
        "callback_id": "formwright", "trigger_id": "1.2.3", "channel": {"id": "C1"}, "message_ts": "5.6",
        "message": {"ts": "5.6", "text": "x"}});
    let Incoming::Shortcut(shortcut) = interaction(&on_message) else { panic!() };
    assert_eq!(shortcut.at, Some(("C1".to_owned(), "5.6".to_owned())));
}

#[test]
fn a_slash_command_is_read_from_its_form() {
    let body = "token=x&team_id=T0TEAM&channel_id=C0GENERAL&channel_name=general&user_id=U0ADA&command=%2Fformwright\
                &text=+pizza-order+&response_url=https%3A%2F%2Fhooks.slack.example%2F1&trigger_id=1.2.3";
    let Incoming::Command(read) = command(&Value::Object(form::decode(body))) else { panic!() };
    assert_eq!((read.text.as_str(), read.channel.as_str()), ("pizza-order", "C0GENERAL"));
    assert_eq!(read.response_url.as_deref(), Some("https://hooks.slack.example/1"));
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "<[@#!]?[A-Za-z0-9:|^]{0,12}>?.{0,20}".prop_map(Value::from),
        "H[A]{21}[.][0-9]{1,3}(~[a-z0-9]{1,5})?".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::btree_map(".{0,8}", inner, 0..4).prop_map(|map| map.into_iter().collect()),
        ]
    })
}

/// Puts a value somewhere into a payload.
fn spoil(payload: &mut Value, at: &mut usize, with: &Value) {
    if *at == 0 {
        *payload = with.clone();
    }
    *at = at.wrapping_sub(1);
    match payload {
        Value::Object(all) => all.values_mut().for_each(|value| spoil(value, at, with)),
        Value::Array(all) => all.iter_mut().for_each(|value| spoil(value, at, with)),
        _ => {}
    }
}

proptest! {
    #[test]
    fn any_payload_is_read_without_a_panic(with in any_json(), at in 0usize..120) {
        let names = ["message_im", "message_file_share", "app_mention", "app_home_opened", "block_actions", "view_submission"];
        for name in names {
            let mut payload = fixture(name);
            spoil(&mut payload, &mut at.clone(), &with);
            event(&payload, "U0BOT");
            command(&payload);
            if let Incoming::Act(act) = interaction(&payload) {
                collect(&act.values, Some("Europe/Rome"));
                if let Ok(wire) = act.action_id.parse() {
                    click(&wire, &act.action, None);
                }
            }
            if let Incoming::Submission(sent) = interaction(&payload) {
                collect(&sent.values, Some("no/zone"));
            }
        }
        event(&with, "");
        form::decode(&with.to_string());
    }
}
