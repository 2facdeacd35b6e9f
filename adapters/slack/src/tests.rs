//! What becomes of what comes in, over a scripted product. No call of the Web API gets through here: nobody listens at
//! its address. The fake platform's tests show the rest.

mod fake;
mod live;
mod order;

use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode};
use chat::{
    Access, AccessRule, Action, Fault, FormCard, Host as _, HostError, Nonce, Place, Platform, Press, Pressed, Screen,
    SessionView, Token, UserId, conformance,
};
use formwright_chat as chat;
use formwright_fakes::host::FakeHost;
use hmac::{Hmac, KeyInit as _, Mac as _};
use jiff::Timestamp;
use rstest::rstest;
use serde_json::{Value, json};

use crate::api::Api;
use crate::bot::Bot;
use crate::intake::ack::Ack;
use crate::receive::serve;
use crate::{limits, translate};

const BOT: &str = "U0BOT";
const SECRET: &str = "a-signing-secret";

fn fixture(name: &str) -> Value {
    let path = format!("{}/src/tests/fixtures/{name}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn card(id: &str) -> FormCard {
    FormCard {
        id: id.to_owned(),
        title: format!("The {id} form"),
        description: String::new(),
        fields: 3,
        ..FormCard::default()
    }
}

fn bot_with(host: &Arc<FakeHost>, access: Access) -> Arc<Bot> {
    // Port 9 discards; nobody listens there in a test.
    Arc::new(Bot::new(
        Api::new("http://127.0.0.1:9/api", "xoxb-test", "slack.token"),
        host.clone(),
        access,
        BOT.to_owned(),
    ))
}

fn started() -> (Arc<FakeHost>, Arc<Bot>) {
    let host = Arc::new(FakeHost::with_forms(vec![card("pizza-order"), card("injury-report")]));
    let bot = bot_with(&host, Access::default());
    (host, bot)
}

fn thread() -> Place {
    Place {
        platform: Platform::new("slack"),
        workspace: "T0TEAM".to_owned(),
        channel: "C0GENERAL".to_owned(),
        thread: Some("1780000000.000200".to_owned()),
    }
}

fn token(slot: u16) -> Token {
    Token::new(&Nonce::new(7), slot)
}

/// A reply's tokens all of one screen.
fn worn(mut reply: chat::Reply) -> chat::Reply {
    for question in reply.questions.iter_mut().chain(&mut reply.page) {
        question.token.nonce = Nonce::new(7);
        if let chat::Input::Options { options, .. } = &mut question.input {
            options.iter_mut().for_each(|option| option.token.nonce = Nonce::new(7));
        }
    }
    reply.buttons.iter_mut().for_each(|button| button.token.nonce = Nonce::new(7));
    reply
}

async fn shown(bot: &Bot, owner: &str, reply: chat::Reply) {
    let messages = vec!["C0GENERAL:1780000000.000500".to_owned()];
    bot.screens.keep(&Screen::new(UserId::new(owner), thread(), worn(reply), messages)).await.unwrap();
}

async fn screen(bot: &Bot) -> Screen {
    bot.screens.find(&Nonce::new(7)).await.unwrap().unwrap()
}

fn open(form: &str) -> SessionView {
    SessionView {
        form: Some(form.to_owned()),
        state: "Incomplete".to_owned(),
        answers: Vec::new(),
        asked: None,
        parked: Vec::new(),
        last: Vec::new(),
        debug: Value::Null,
    }
}

fn act(action: &Value) -> Value {
    let mut payload = fixture("block_actions");
    payload["actions"] = json!([action]);
    payload
}

fn button(token: &Token) -> Value {
    json!({"action_id": token.to_string(), "type": "button", "action_ts": "1.0"})
}

async fn interact(bot: &Arc<Bot>, payload: &Value) -> Ack {
    bot.receive(translate::interaction(payload)).await
}

async fn event(bot: &Arc<Bot>, payload: &Value) -> Ack {
    bot.receive(translate::event(payload, BOT)).await
}

#[tokio::test]
async fn a_direct_message_is_said_where_it_was_written() {
    let (host, bot) = started();
    assert_eq!(event(&bot, &fixture("message_im")).await, Ack::Empty);
    let events = host.events();
    assert_eq!(events[0].id.as_str(), "msg/D0ADA/1780000000.000100");
    assert_eq!((events[0].place.channel.as_str(), &events[0].place.thread), ("D0ADA", &None));
    assert!(!events[0].terms.unheard);
    assert_eq!(events[0].action, Action::Say { text: "I want a pizza & a <beer>".to_owned() });
}

#[tokio::test]
async fn a_mention_starts_a_thread_and_comes_once() {
    let (host, bot) = started();
    let mention = fixture("app_mention");
    let mut same = mention.clone();
    same["event"]["type"] = json!("message");
    for payload in [&mention, &same, &mention] {
        assert_eq!(event(&bot, payload).await, Ack::Empty);
    }
    let events = host.events();
    assert_eq!(events.len(), 1);
    assert_eq!(events[0].place, thread());
    assert_eq!(events[0].action, Action::Say { text: "pizza please".to_owned() });
}

#[tokio::test]
async fn in_a_channel_only_who_has_something_under_way_is_heard_without_a_mention() {
    let (host, bot) = started();
    let mut reply = fixture("message_file_share");
    assert_eq!(event(&bot, &reply).await, Ack::Empty);
    assert_eq!(host.events(), []);
    shown(&bot, "U0ADA", conformance::one_of(3)).await;
    event(&bot, &reply).await;
    assert!(matches!(&host.events()[0].action, Action::Attach { files, .. } if files.len() == 1));
    // Somebody else in the same thread.
    reply["event"]["user"] = json!("U0BOB");
    reply["event"]["ts"] = json!("1780000000.000301");
    event(&bot, &reply).await;
    assert_eq!(host.events().len(), 1);
}

#[tokio::test]
async fn a_thread_below_a_message_of_the_bot_belongs_to_the_direct_message() {
    let (host, bot) = started();
    let mut message = fixture("message_im");
    message["event"]["thread_ts"] = json!("1779999999.000100");
    event(&bot, &message).await;
    message["event"]["ts"] = json!("1780000000.000101");
    message["event"]["parent_user_id"] = json!(BOT);
    event(&bot, &message).await;
    let threads: Vec<Option<String>> = host.events().into_iter().map(|event| event.place.thread).collect();
    assert_eq!(threads, [Some("1779999999.000100".to_owned()), None]);
}

#[tokio::test]
async fn what_is_not_stored_is_not_acknowledged() {
    let (host, bot) = started();
    let down = || HostError::Unavailable("down".to_owned());
    host.refuse(vec![down(), HostError::Busy { retry_after: 3 }, HostError::Refused("No.".to_owned())]);
    assert_eq!(event(&bot, &fixture("message_im")).await, Ack::Never);
    // Sent again it would be refused again: the person is told, Slack is not asked for it.
    assert_eq!(event(&bot, &fixture("message_im")).await, Ack::Empty);
    assert_eq!(event(&bot, &fixture("message_im")).await, Ack::Empty);
    assert_eq!(event(&bot, &fixture("message_im")).await, Ack::Empty);
    assert_eq!(host.events().len(), 1);
}

#[tokio::test]
async fn a_press_is_taken_once_and_its_words_are_noted() {
    let (host, bot) = started();
    shown(&bot, "U0ADA", conformance::one_of(3)).await;
    let payload = act(&button(&token(0).option(1)));
    for _ in 0..2 {
        assert_eq!(interact(&bot, &payload).await, Ack::Empty);
    }
    let events = host.events();
    assert_eq!(events.len(), 1);
    assert_eq!(events[0].place, thread());
    let press = Press { token: token(0), value: Pressed::Options { tokens: vec![token(0).option(1)] } };
    assert_eq!(events[0].action, Action::Press { presses: vec![press] });
    assert_eq!(screen(&bot).await.answer.as_deref(), Some("Option 2"));
}

#[tokio::test]
async fn check_boxes_are_sent_together() {
    let (host, bot) = started();
    shown(&bot, "U0ADA", conformance::several(5)).await;
    let tick = json!({"action_id": format!("{}~in", token(0)), "type": "checkboxes", "selected_options": []});
    assert_eq!(interact(&bot, &act(&tick)).await, Ack::Empty);
    assert_eq!(host.events(), []);
    assert_eq!(interact(&bot, &fixture("block_actions")).await, Ack::Empty);
    let tokens = vec![token(0).option(0), token(0).option(2)];
    let press = Press { token: token(0), value: Pressed::Options { tokens } };
    assert_eq!(host.events()[0].action, Action::Press { presses: vec![press] });
    assert_eq!(screen(&bot).await.answer.as_deref(), Some("Option 1, Option 3"));
}

#[tokio::test]
async fn nothing_ticked_is_no_answer_where_one_is_needed() {
    let (host, bot) = started();
    shown(&bot, "U0ADA", conformance::several(5)).await;
    let mut payload = fixture("block_actions");
    payload["state"] = json!({"values": {}});
    assert_eq!(interact(&bot, &payload).await, Ack::Empty);
    assert_eq!(host.events(), []);
}

#[rstest]
#[case::another_persons("U0BOB", button(&token(1)), false)]
#[case::of_a_question_that_is_over("U0ADA", button(&token(1)), true)]
#[case::never_shown("U0ADA", button(&Token::new(&Nonce::new(8), 1)), false)]
#[case::an_option_not_offered("U0ADA", button(&token(0).option(9)), false)]
#[case::a_slot_not_shown("U0ADA", button(&token(40)), false)]
#[case::no_token("U0ADA", json!({"action_id": "x", "type": "button"}), false)]
#[case::an_option_of_another_screen("U0ADA", json!({"action_id": token(0).to_string(), "type": "static_select",
    "selected_option": {"value": Token::new(&Nonce::new(8), 0).option(1).to_string()}}), false)]
#[tokio::test]
async fn a_press_that_does_not_count_changes_nothing(#[case] owner: &str, #[case] action: Value, #[case] over: bool) {
    let (host, bot) = started();
    shown(&bot, owner, conformance::one_of(3)).await;
    if over {
        bot.amend(&Nonce::new(7), |screen| screen.over = true).await.unwrap();
    }
    let before = screen(&bot).await;
    assert_eq!(interact(&bot, &act(&action)).await, Ack::Empty);
    assert_eq!(host.events(), []);
    assert_eq!(screen(&bot).await, before);
}

#[tokio::test]
async fn a_private_answer_is_not_noted() {
    let (host, bot) = started();
    let mut reply = conformance::one_of(3);
    reply.private = true;
    shown(&bot, "U0ADA", reply).await;
    interact(&bot, &act(&button(&token(0).option(1)))).await;
    assert_eq!(host.events().len(), 1);
    assert_eq!(screen(&bot).await.answer, None);
}

#[tokio::test]
async fn a_refused_press_leaves_no_answer_behind() {
    let (host, bot) = started();
    shown(&bot, "U0ADA", conformance::one_of(3)).await;
    host.refuse(vec![HostError::Unavailable("down".to_owned())]);
    assert_eq!(interact(&bot, &act(&button(&token(0).option(1)))).await, Ack::Never);
    assert_eq!(screen(&bot).await.answer, None);
}

/// The page that the fixture of a sent modal fills.
fn page() -> chat::Reply {
    let mut reply = conformance::page(vec![conformance::inputs()[0].clone(); 12]);
    for (slot, question) in (1u16..).zip(&mut reply.page) {
        question.token.slot = slot;
    }
    reply.page[1].input = conformance::options(2, 3, false);
    reply.page[2].input = conformance::options(3, 3, true);
    reply.page[2].required = false;
    reply
}

#[tokio::test]
async fn a_sent_modal_is_tried_first_and_problems_stand_at_their_fields() {
    let (host, bot) = started();
    shown(&bot, "U0ADA", page()).await;
    let problem = |slot: u16, words: &str| Fault { token: token(slot), problem: words.to_owned() };
    host.find_fault(vec![problem(1, "Too many."), problem(5, "In the past.")]);
    let answer = interact(&bot, &fixture("view_submission")).await;
    let errors = json!({token(1).to_string(): "Too many.", format!("{}~from", token(5)): "In the past."});
    assert_eq!(answer, Ack::With(json!({"response_action": "errors", "errors": errors})));
    assert_eq!(host.events(), []);

    host.find_fault(Vec::new());
    let answer = interact(&bot, &fixture("view_submission")).await;
    assert_eq!(answer, Ack::With(json!({"response_action": "clear"})));
    let Action::Press { presses } = host.events().remove(0).action else { panic!() };
    let filled = presses.iter().filter(|press| press.value != Pressed::Empty);
    assert_eq!((presses.len(), filled.count()), (12, 9), "what was left empty is told too");
    assert!(screen(&bot).await.answer.unwrap().starts_with("Field 0: Via Roma 1\n"));
}

#[tokio::test]
async fn a_modal_that_is_over_says_so_in_its_place() {
    let (host, bot) = started();
    let answer = interact(&bot, &fixture("view_submission")).await;
    assert!(matches!(answer, Ack::With(answer) if answer["response_action"] == "update"));
    assert_eq!(host.events(), []);
}

#[tokio::test]
async fn a_type_ahead_is_answered_from_the_screen_to_its_owner_only() {
    let (_, bot) = started();
    shown(&bot, "U0ADA", conformance::one_of(250)).await;
    let ask = |user: &str| {
        json!({"type": "block_suggestion", "user": {"id": user}, "team": {"id": "T0TEAM"},
            "action_id": token(0).to_string(), "value": "250"})
    };
    let Ack::With(answer) = interact(&bot, &ask("U0ADA")).await else { panic!() };
    assert_eq!(answer["options"][0]["text"]["text"], "Option 250");
    assert_eq!(interact(&bot, &ask("U0BOB")).await, Ack::With(json!({"options": []})));
}

#[rstest]
#[case("pizza-order", Action::Open { form: Some("pizza-order".to_owned()) })]
#[case("the PIZZA-order form", Action::Open { form: Some("pizza-order".to_owned()) })]
#[case("", Action::Open { form: None })]
#[case("two pizzas please", Action::Say { text: "two pizzas please".to_owned() })]
#[tokio::test]
async fn a_slash_command_starts(#[case] text: &str, #[case] action: Action) {
    let (host, bot) = started();
    let command = json!({"command": "/formwright", "text": text, "user_id": "U0ADA", "team_id": "T0TEAM",
        "channel_id": "C0GENERAL", "trigger_id": "1.2.3", "response_url": "http://127.0.0.1:9/r"});
    for _ in 0..2 {
        assert_eq!(bot.receive(translate::command(&command)).await, Ack::Empty);
    }
    let events = host.events();
    assert_eq!(events.len(), 1);
    assert_eq!(events[0].action, action);
    assert_eq!(events[0].place, Place { thread: None, ..thread() });
    assert!(events[0].terms.unheard, "the person alone sees what is asked");
}

#[tokio::test]
async fn who_may_not_use_a_form_is_told_so() {
    let host = Arc::new(FakeHost::with_forms(vec![card("pizza-order"), card("injury-report")]));
    let rule = AccessRule { forms: vec!["pizza-order".to_owned()], ..AccessRule::default() };
    let bot = bot_with(&host, Access { rules: vec![rule] });
    let command = json!({"command": "/formwright", "text": "injury-report", "user_id": "U0ADA", "team_id": "T0TEAM",
        "channel_id": "C0GENERAL", "trigger_id": "1.2.3"});
    let answer = bot.receive(translate::command(&command)).await;
    assert!(matches!(answer, Ack::With(answer) if answer["response_type"] == "ephemeral"));
    assert_eq!(host.events(), []);
}

#[tokio::test]
async fn who_may_use_no_form_may_be_forgotten_by_command_and_in_words() {
    let host = Arc::new(FakeHost::with_forms(vec![card("pizza-order"), card("injury-report")]));
    let rule = AccessRule { channels: vec!["C0ELSE".to_owned()], ..AccessRule::default() };
    let bot = bot_with(&host, Access { rules: vec![rule] });
    let mut message = fixture("message_im");
    assert_eq!(event(&bot, &message).await, Ack::Empty);
    assert_eq!(host.events(), []);
    let command = json!({"command": "/formwright", "text": "forget me", "user_id": "U0ADA", "team_id": "T0TEAM",
        "channel_id": "C0GENERAL", "trigger_id": "1.2.3"});
    assert_eq!(bot.receive(translate::command(&command)).await, Ack::Empty);
    message["event"]["text"] = json!("Forget me.");
    message["event"]["ts"] = json!("1780000000.000101");
    assert_eq!(event(&bot, &message).await, Ack::Empty);
    let actions: Vec<Action> = host.events().into_iter().map(|event| event.action).collect();
    let says = |text: &str| Action::Say { text: text.to_owned() };
    assert_eq!(actions, [says("forget me"), says("Forget me.")]);
}

#[tokio::test]
async fn a_form_is_started_from_home_and_from_a_message() {
    let (host, bot) = started();
    let mut press = fixture("block_actions");
    press["view"] = json!({"type": "home", "private_metadata": "{\"channel\":\"D0ADA\"}"});
    press["actions"] = json!([{"action_id": "start:form0", "type": "button", "value": "pizza-order"}]);
    assert_eq!(interact(&bot, &press).await, Ack::Empty);
    let shortcut = json!({"type": "message_action", "user": {"id": "U0ADA"}, "team": {"id": "T0TEAM"},
        "callback_id": "form:injury-report", "trigger_id": "9.9.9", "channel": {"id": "C0GENERAL"},
        "message_ts": "1780000000.000200", "message": {"ts": "1780000000.000200"}});
    assert_eq!(interact(&bot, &shortcut).await, Ack::Empty);
    let events = host.events();
    assert_eq!((events[0].place.channel.as_str(), &events[0].place.thread), ("D0ADA", &None));
    assert_eq!(events[1].place, thread());
    assert_eq!(events[1].action, Action::Open { form: Some("injury-report".to_owned()) });
}

#[tokio::test]
async fn a_form_is_picked_from_a_list() {
    let (host, bot) = started();
    let view = crate::render::picker(&host.forms(), "{\"channel\":\"D0ADA\"}", "it");
    let picked = view["blocks"][0]["element"]["options"][1].clone();
    let sent = |value: &Value| {
        json!({"type": "view_submission", "user": {"id": "U0ADA"}, "team": {"id": "T0TEAM"}, "trigger_id": "3.2.1",
            "view": {"id": "V1", "callback_id": view["callback_id"], "private_metadata": view["private_metadata"],
                "state": {"values": {"forms": {"forms": {"type": "radio_buttons", "selected_option": {"value": value}}}}}}})
    };
    let answer = interact(&bot, &sent(&picked["value"])).await;
    assert_eq!(answer, Ack::With(json!({"response_action": "clear"})));
    assert_eq!(host.events()[0].action, Action::Open { form: Some("injury-report".to_owned()) });
    let answer = interact(&bot, &sent(&json!("no-such-form"))).await;
    assert!(matches!(answer, Ack::With(answer) if answer["response_action"] == "update"));
}

#[tokio::test]
async fn what_is_under_way_by_the_view_alone_is_heard_too() {
    let (host, bot) = started();
    host.show(open("pizza-order"));
    event(&bot, &fixture("message_file_share")).await;
    assert_eq!(host.events().len(), 1);
}

fn signed(body: &str, kind: &str) -> Request<Body> {
    let at = Timestamp::now().as_second().to_string();
    let mut mac = Hmac::<sha2::Sha256>::new_from_slice(SECRET.as_bytes()).unwrap();
    mac.update(format!("v0:{at}:{body}").as_bytes());
    let hex: String = mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
    Request::post("/slack/events")
        .header("content-type", kind)
        .header("x-slack-request-timestamp", at)
        .header("x-slack-signature", format!("v0={hex}"))
        .body(Body::from(body.to_owned()))
        .unwrap()
}

async fn served(bot: &Arc<Bot>, request: Request<Body>) -> (StatusCode, String) {
    let response = serve::answer(bot, SECRET, request).await;
    let status = response.status();
    (status, String::from_utf8(to_bytes(response.into_body(), 100_000).await.unwrap().to_vec()).unwrap())
}

#[tokio::test]
async fn over_http_a_request_is_read_after_its_signature_only() {
    let (host, bot) = started();
    let challenge = json!({"type": "url_verification", "challenge": "c-1"}).to_string();
    let (status, answer) = served(&bot, signed(&challenge, "application/json")).await;
    assert_eq!((status, answer.as_str()), (StatusCode::OK, "{\"challenge\":\"c-1\"}"));

    let message = fixture("message_im").to_string();
    let forged = |change: &dyn Fn(&mut Request<Body>)| {
        let mut request = signed(&message, "application/json");
        change(&mut request);
        request
    };
    let forgeries = [
        forged(&|request| drop(request.headers_mut().remove("x-slack-signature"))),
        forged(&|request| drop(request.headers_mut().remove("x-slack-request-timestamp"))),
        forged(&|request| *request.body_mut() = Body::from(format!("{message} "))),
        forged(&|request| drop(request.headers_mut().insert("x-slack-request-timestamp", "1".parse().unwrap()))),
        forged(&|request| assert!(request.headers_mut().append("x-slack-signature", "v0=00".parse().unwrap()))),
    ];
    for request in forgeries {
        assert_eq!(served(&bot, request).await.0, StatusCode::UNAUTHORIZED);
    }
    assert_eq!(host.events(), []);
    assert_eq!(served(&bot, signed(&message, "application/json")).await, (StatusCode::OK, String::new()));
    assert_eq!(host.events().len(), 1);
    assert_eq!(served(&bot, signed("not json", "application/json")).await.0, StatusCode::BAD_REQUEST);
    let long = "x".repeat(limits::REQUEST_BYTES + 1);
    assert_eq!(served(&bot, signed(&long, "application/json")).await.0, StatusCode::PAYLOAD_TOO_LARGE);
    host.refuse(vec![HostError::Unavailable("down".to_owned())]);
    assert_eq!(served(&bot, signed(&message, "application/json")).await.0, StatusCode::SERVICE_UNAVAILABLE);
}

#[tokio::test(start_paused = true)]
async fn over_http_a_body_that_does_not_come_is_not_waited_for() {
    let (host, bot) = started();
    let mut request = signed(&fixture("message_im").to_string(), "application/json");
    let never = futures_util::stream::pending::<Result<axum::body::Bytes, std::convert::Infallible>>();
    *request.body_mut() = Body::from_stream(never);
    assert_eq!(served(&bot, request).await.0, StatusCode::REQUEST_TIMEOUT);
    assert_eq!(host.events(), []);
}

#[tokio::test]
async fn over_http_interactions_and_commands_come_as_forms() {
    let (host, bot) = started();
    shown(&bot, "U0ADA", conformance::one_of(3)).await;
    let encoded: String =
        act(&button(&token(0).option(1))).to_string().bytes().map(|byte| format!("%{byte:02X}")).collect();
    let form = "application/x-www-form-urlencoded";
    assert_eq!(served(&bot, signed(&format!("payload={encoded}"), form)).await.0, StatusCode::OK);
    let command = "command=%2Fformwright&text=pizza-order&user_id=U0ADA&team_id=T0TEAM&channel_id=D0ADA&trigger_id=5.5";
    assert_eq!(served(&bot, signed(command, form)).await.0, StatusCode::OK);
    assert_eq!(served(&bot, signed("ssl_check=1&token=x", form)).await.0, StatusCode::OK);
    let actions: Vec<Action> = host.events().into_iter().map(|event| event.action).collect();
    assert!(matches!(actions.as_slice(), [Action::Press { .. }, Action::Open { form: Some(_) }]), "{actions:?}");
}

#[tokio::test(start_paused = true)]
async fn an_event_is_stored_before_anybody_asks_who_sent_it() {
    // It takes connections and never answers.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let api = Api::new(&format!("http://{}/api", silent.local_addr().unwrap()), "xoxb-test", "slack.token");
    let host = Arc::new(FakeHost::default());
    let bot = Arc::new(Bot::new(api, host.clone(), chat::Access::default(), BOT.to_owned()));
    let start = tokio::time::Instant::now();
    let said = json!({"type": "event_callback", "team_id": "T0TEAM", "event": {"type": "message", "user": "U0NEW",
        "channel": "D0NEW", "channel_type": "im", "text": "hello", "ts": "1780000200.000001"}});
    assert_eq!(event(&bot, &said).await, Ack::Empty);
    assert_eq!((host.events().len(), start.elapsed()), (1, std::time::Duration::ZERO));
    // Whoever asks waits a while, and then knows nothing.
    assert_eq!(bot.person("U0NEW").await.name, None);
    assert!(start.elapsed() > std::time::Duration::ZERO);
}
