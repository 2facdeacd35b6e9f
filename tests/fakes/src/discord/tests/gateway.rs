//! What the gateway says, and when it hangs up.

use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use rstest::rstest;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

use super::{Bot, buttons};
use crate::discord::{DiscordFake, Options};

type Stream = tokio_tungstenite::WebSocketStream<tokio_tungstenite::MaybeTlsStream<tokio::net::TcpStream>>;

/// A connection that says what it is told to.
struct Line(Stream);

/// What comes over it.
#[derive(Debug, PartialEq)]
enum Heard {
    Frame(Value),
    Closed(u16),
    Gone,
}

impl Line {
    async fn to(fake: &DiscordFake) -> Self {
        let url = fake.api_url().replace("http", "ws") + "/?v=10&encoding=json";
        let mut line = Self(tokio_tungstenite::connect_async(url).await.unwrap().0);
        let Heard::Frame(hello) = line.hear().await else { panic!("no hello") };
        assert_eq!(hello["op"], json!(10));
        line
    }

    async fn say(&mut self, frame: Value) {
        self.0.send(Message::text(frame.to_string())).await.unwrap();
    }

    async fn hear(&mut self) -> Heard {
        loop {
            match self.0.next().await {
                Some(Ok(Message::Text(text))) => return Heard::Frame(serde_json::from_str(text.as_str()).unwrap()),
                Some(Ok(Message::Close(frame))) => {
                    return frame.map_or(Heard::Gone, |frame| Heard::Closed(frame.code.into()));
                }
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return Heard::Gone,
            }
        }
    }

    /// The next event of a name.
    async fn event(&mut self, name: &str) -> Value {
        loop {
            match self.hear().await {
                Heard::Frame(frame) if frame["t"].as_str() == Some(name) => return frame,
                Heard::Frame(_) => {}
                other => panic!("{other:?} before {name}"),
            }
        }
    }

    async fn ready(fake: &DiscordFake, intents: u64) -> (Self, Value) {
        let mut line = Self::to(fake).await;
        line.say(identify(fake, intents)).await;
        let ready = line.event("READY").await;
        (line, ready)
    }
}

const ALL: u64 = 1 | 1 << 9 | 1 << 12 | 1 << 15;

fn identify(fake: &DiscordFake, intents: u64) -> Value {
    let properties = json!({"os": "linux", "browser": "b", "device": "d"});
    json!({"op": 2, "d": {"token": fake.token(), "intents": intents, "properties": properties, "shard": [0, 1]}})
}

#[rstest]
#[case::token(json!({"op": 2, "d": {"token": "x", "intents": 1, "properties": {}}}), 4004)]
#[case::opcode(json!({"op": 99}), 4001)]
#[case::too_early(json!({"op": 3, "d": {}}), 4003)]
#[case::nonsense(json!("x"), 4001)]
#[tokio::test]
async fn a_wrong_first_word_closes_the_connection(#[case] frame: Value, #[case] code: u16) {
    let fake = DiscordFake::start().await;
    let mut line = Line::to(&fake).await;
    line.say(frame).await;
    assert_eq!(line.hear().await, Heard::Closed(code));
    assert_eq!(fake.refusals().len(), 1);
}

#[rstest]
#[case::members(ALL | 1 << 1, true, 4014)]
#[case::content(ALL, false, 4014)]
#[case::unknown(1 << 40, true, 4013)]
#[tokio::test]
async fn intents_must_exist_and_be_granted(#[case] intents: u64, #[case] reads: bool, #[case] code: u16) {
    let fake = DiscordFake::start_with(Options { reads, ..Options::default() }).await;
    let mut line = Line::to(&fake).await;
    line.say(identify(&fake, intents)).await;
    assert_eq!(line.hear().await, Heard::Closed(code));
}

#[tokio::test]
async fn a_second_identify_closes_the_connection() {
    let fake = DiscordFake::start().await;
    let (mut line, _) = Line::ready(&fake, 1).await;
    line.event("GUILD_CREATE").await;
    line.say(identify(&fake, 1)).await;
    assert_eq!(line.hear().await, Heard::Closed(4005));
}

#[tokio::test]
async fn heartbeats_are_answered_and_missed_ones_end_the_connection() {
    let heartbeat = Duration::from_millis(50);
    let fake = DiscordFake::start_with(Options { heartbeat, ..Options::default() }).await;
    let (mut line, _) = Line::ready(&fake, 1 << 9).await;
    line.say(json!({"op": 1, "d": 1})).await;
    assert_eq!(line.hear().await, Heard::Frame(json!({"op": 11, "s": null, "t": null, "d": null})));
    assert_eq!(line.hear().await, Heard::Closed(4009));
}

#[tokio::test]
async fn a_dropped_connection_is_resumed_and_hears_what_it_missed() {
    let fake = DiscordFake::start().await;
    let ada = fake.person("Ada");
    let (mut line, ready) = Line::ready(&fake, ALL).await;
    fake.drop_sockets();
    while line.hear().await != Heard::Gone {}
    ada.writes("one").await;
    ada.writes("two").await;
    let resume =
        |seq: u64| json!({"op": 6, "d": {"token": fake.token(), "session_id": ready["d"]["session_id"], "seq": seq}});
    let mut line = Line::to(&fake).await;
    line.say(resume(2)).await;
    assert_eq!(line.event("MESSAGE_CREATE").await["d"]["content"], json!("one"));
    assert_eq!(line.event("MESSAGE_CREATE").await["d"]["content"], json!("two"));
    line.event("RESUMED").await;
    let mut ahead = Line::to(&fake).await;
    ahead.say(resume(99)).await;
    assert_eq!(ahead.hear().await, Heard::Closed(4007));
}

#[tokio::test]
async fn a_session_that_is_unknown_is_invalid() {
    let fake = DiscordFake::start().await;
    let mut line = Line::to(&fake).await;
    line.say(json!({"op": 6, "d": {"token": fake.token(), "session_id": "x", "seq": 1}})).await;
    assert_eq!(line.hear().await, Heard::Frame(json!({"op": 9, "s": null, "t": null, "d": false})));
    line.say(identify(&fake, ALL)).await;
    line.event("READY").await;
}

#[rstest]
#[case::not_granted(ALL & !(1 << 15), "")]
#[case::granted(ALL, "a pizza")]
#[tokio::test]
async fn words_are_read_by_right_or_mention(#[case] intents: u64, #[case] read: &str) {
    let fake = DiscordFake::start().await;
    let (mut line, _) = Line::ready(&fake, intents).await;
    let ada = fake.person("Ada").in_channel("lunch");
    ada.writes("a pizza").await;
    assert_eq!(line.event("MESSAGE_CREATE").await["d"]["content"], json!(read));
    ada.writes("@Formwright hello").await;
    assert_eq!(line.event("MESSAGE_CREATE").await["d"]["content"], json!("<@1100000000000000099> hello"));
    ada.in_private().writes("secret").await;
    assert_eq!(line.event("MESSAGE_CREATE").await["d"]["content"], json!("secret"));
}

#[tokio::test]
async fn events_come_twice_and_in_another_order_where_a_test_says_so() {
    let fake = DiscordFake::start().await;
    let (mut line, _) = Line::ready(&fake, ALL).await;
    let ada = fake.person("Ada");
    fake.holds_events();
    ada.writes("one").await;
    ada.writes("two").await;
    fake.releases_reversed();
    fake.redelivers(1);
    for words in ["two", "one", "one"] {
        assert_eq!(line.event("MESSAGE_CREATE").await["d"]["content"], json!(words));
    }
}

#[tokio::test]
async fn the_gateway_asks_for_what_it_wants() {
    let fake = DiscordFake::start().await;
    let (mut line, _) = Line::ready(&fake, 1 << 9).await;
    fake.asks_to_reconnect();
    fake.asks_for_heartbeat();
    fake.invalidates(true);
    for op in [7, 1, 9] {
        let Heard::Frame(frame) = line.hear().await else { panic!("no frame") };
        assert_eq!(frame["op"], json!(op));
    }
    fake.closes_with(4000);
    assert_eq!(line.hear().await, Heard::Closed(4000));
    fake.gateway_down(true);
    let url = fake.api_url().replace("http", "ws") + "/?v=10&encoding=json";
    assert!(tokio_tungstenite::connect_async(url).await.is_err());
}

#[tokio::test]
async fn presses_come_as_interactions() {
    let fake = DiscordFake::start().await;
    let (mut line, _) = Line::ready(&fake, ALL).await;
    let (bot, ada) = (Bot::of(&fake), fake.person("Ada").speaking("it").called("Countess").in_thread("lunch", "today"));
    bot.send(&ada, buttons(&["Diavola"])).await;
    let answering = async {
        let event = line.event("INTERACTION_CREATE").await;
        let (id, token) = (event["d"]["id"].as_str().unwrap(), event["d"]["token"].as_str().unwrap());
        bot.ask(&format!("POST /interactions/{id}/{token}/callback"), json!({"type": 6})).await;
        event["d"].clone()
    };
    let ((), event) = tokio::join!(ada.presses("Diavola"), answering);
    assert_eq!(event["data"]["custom_id"], json!("press Diavola"));
    assert_eq!((&event["locale"], &event["member"]["nick"]), (&json!("it"), &json!("Countess")));
    assert_eq!(event["channel"]["type"], json!(11));
    assert_eq!(event["message"]["components"][0]["components"][0]["label"], json!("Diavola"));
    assert_eq!(fake.refusals(), Vec::<String>::new());
}
