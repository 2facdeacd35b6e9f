//! What REST refuses.

use std::time::Duration;

use rstest::rstest;
use serde_json::{Value, json};

use super::{Bot, buttons};
use crate::discord::{Answer, DiscordFake, Options};

fn row(components: Value) -> Value {
    json!({"content": "x", "components": [{"type": 1, "components": components}]})
}

fn button(id: &str) -> Value {
    json!({"type": 2, "style": 1, "label": "ok", "custom_id": id})
}

fn select(options: usize) -> Value {
    let options: Vec<Value> = (0..options).map(|no| json!({"label": "l", "value": no.to_string()})).collect();
    json!({"type": 3, "custom_id": "list", "options": options})
}

fn sheet(components: Value) -> Value {
    json!({"flags": 1 << 15, "components": components})
}

fn words(count: usize) -> Value {
    (0..count).map(|_| json!({"type": 10, "content": "w"})).collect()
}

#[rstest]
#[case::long(json!({"content": "x".repeat(2001)}), "content", "BASE_TYPE_MAX_LENGTH")]
#[case::long_in_units(json!({"content": "😀".repeat(1001)}), "content", "BASE_TYPE_MAX_LENGTH")]
#[case::wrong_type(json!({"content": 5}), "content", "STRING_TYPE_CONVERT")]
#[case::flags(json!({"content": "x", "flags": 64}), "flags", "MESSAGE_FLAGS_INVALID")]
#[case::nonce(json!({"content": "x", "nonce": "n".repeat(26)}), "nonce", "NONCE_TYPE_TOO_LONG")]
#[case::mentions(json!({"content": "x", "allowed_mentions": {"parse": ["users"], "users": ["1"]}}), "allowed_mentions",
    "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE")]
#[case::mention_kind(json!({"content": "x", "allowed_mentions": {"parse": ["here"]}}), "allowed_mentions.parse.0", "BASE_TYPE_CHOICES")]
#[case::embed(json!({"embeds": [{"title": "t".repeat(257)}]}), "embeds.0.title", "BASE_TYPE_MAX_LENGTH")]
#[case::embeds(json!({"embeds": (0..2).map(|_| json!({"description": "t".repeat(4000)})).collect::<Vec<_>>()}), "embeds",
    "MAX_EMBED_SIZE_EXCEEDED")]
#[case::reply_to_none(json!({"content": "x", "message_reference": {"message_id": "1"}}), "message_reference",
    "MESSAGE_REFERENCE_UNKNOWN_MESSAGE")]
#[case::rows(json!({"content": "x", "components": (0..6).map(|no| json!({"type": 1, "components": [button(&no.to_string())]})).collect::<Vec<_>>()}),
    "components", "BASE_TYPE_BAD_LENGTH")]
#[case::no_row(json!({"content": "x", "components": [button("a")]}), "components.0.type", "UNION_TYPE_CHOICES")]
#[case::sheet_without_flag(json!({"content": "x", "components": [{"type": 10, "content": "w"}]}), "components.0.type", "UNION_TYPE_CHOICES")]
#[case::six_buttons(row((0..6).map(|no| button(&no.to_string())).collect()), "components.0.components", "BASE_TYPE_BAD_LENGTH")]
#[case::empty_row(row(json!([])), "components.0.components", "BASE_TYPE_BAD_LENGTH")]
#[case::two_selects(row(json!([select(2), {"type": 5, "custom_id": "p"}])), "components.0.components", "COMPONENT_LAYOUT_WIDTH_EXCEEDED")]
#[case::select_and_button(row(json!([select(2), button("b")])), "components.0.components", "COMPONENT_LAYOUT_WIDTH_EXCEEDED")]
#[case::same_id(row(json!([button("a"), button("a")])), "components.0.components.1.custom_id", "COMPONENT_CUSTOM_ID_DUPLICATED")]
#[case::no_id(row(json!([{"type": 2, "style": 1, "label": "x"}])), "components.0.components.0.custom_id", "BUTTON_COMPONENT_CUSTOM_ID_REQUIRED")]
#[case::empty_id(row(json!([button("")])), "components.0.components.0.custom_id", "BASE_TYPE_REQUIRED")]
#[case::long_id(row(json!([button(&"i".repeat(101))])), "components.0.components.0.custom_id", "BASE_TYPE_BAD_LENGTH")]
#[case::label(row(json!([{"type": 2, "style": 1, "label": "l".repeat(81), "custom_id": "a"}])), "components.0.components.0.label",
    "BASE_TYPE_MAX_LENGTH")]
#[case::no_label(row(json!([{"type": 2, "style": 1, "custom_id": "a"}])), "components.0.components.0", "BUTTON_COMPONENT_INVALID_LABEL")]
#[case::link_with_id(row(json!([{"type": 2, "style": 5, "label": "x", "url": "https://a.b", "custom_id": "a"}])), "components.0.components.0",
    "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE")]
#[case::no_options(row(json!([select(0)])), "components.0.components.0.options", "BASE_TYPE_BAD_LENGTH")]
#[case::options(row(json!([select(26)])), "components.0.components.0.options", "BASE_TYPE_BAD_LENGTH")]
#[case::same_value(row(json!([{"type": 3, "custom_id": "s", "options": [{"label": "a", "value": "1"}, {"label": "b", "value": "1"}]}])),
    "components.0.components.0.options.1.value", "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED")]
#[case::more_than_there_are(row(json!([{"type": 3, "custom_id": "s", "max_values": 2, "options": [{"label": "a", "value": "1"}]}])),
    "components.0.components.0.options", "BASE_TYPE_BAD_LENGTH")]
#[case::defaults(row(json!([{"type": 3, "custom_id": "s", "options": [{"label": "a", "value": "1", "default": true},
    {"label": "b", "value": "2", "default": true}]}])), "components.0.components.0.options", "SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES")]
#[case::placeholder(row(json!([{"type": 5, "custom_id": "s", "placeholder": "p".repeat(151)}])), "components.0.components.0.placeholder",
    "BASE_TYPE_MAX_LENGTH")]
#[case::text_input(row(json!([{"type": 4, "custom_id": "s", "style": 1}])), "components.0.components.0.type", "UNION_TYPE_CHOICES")]
#[case::sheet_with_content(json!({"content": "x", "flags": 1 << 15, "components": [{"type": 10, "content": "w"}]}), "content",
    "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2")]
#[case::sheet_of_41(sheet(json!([{"type": 17, "components": words(40)}])), "components", "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED")]
#[case::sheet_text(sheet(json!([{"type": 10, "content": "a".repeat(2001)}, {"type": 10, "content": "b".repeat(2000)}])), "components",
    "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED")]
#[case::empty_words(sheet(json!([{"type": 10, "content": ""}])), "components.0.content", "BASE_TYPE_REQUIRED")]
#[case::section(sheet(json!([{"type": 9, "components": words(4), "accessory": button("a")}])), "components.0.components", "BASE_TYPE_BAD_LENGTH")]
#[case::no_accessory(sheet(json!([{"type": 9, "components": words(1)}])), "components.0.accessory", "BASE_TYPE_REQUIRED")]
#[case::nested(sheet(json!([{"type": 17, "components": [{"type": 17, "components": words(1)}]}])), "components.0.components.0.type",
    "UNION_TYPE_CHOICES")]
#[tokio::test]
async fn a_malformed_message_is_refused_with_its_path(#[case] body: Value, #[case] path: &str, #[case] code: &str) {
    let fake = DiscordFake::start().await;
    let ada = fake.person("Ada");
    let (status, answer) = Bot::of(&fake).send(&ada, body).await;
    assert_eq!((status, &answer["code"]), (400, &json!(50035)), "{answer}");
    let at = path.split('.').fold(&answer["errors"], |at, key| &at[key]);
    let codes: Vec<&str> = at["_errors"].as_array().into_iter().flatten().filter_map(|e| e["code"].as_str()).collect();
    assert!(codes.contains(&code), "{answer:#}");
    assert_eq!(fake.refusals().len(), 1);
    assert_eq!(ada.screen(), "");
}

#[tokio::test]
async fn what_fits_is_shown_and_its_components_are_numbered() {
    let fake = DiscordFake::start().await;
    let (bot, ada) = (Bot::of(&fake), fake.person("Ada"));
    let (status, message) = bot.send(&ada, buttons(&["Diavola", "Margherita"])).await;
    assert_eq!((status, &message["components"][0]["components"][1]["id"]), (200, &json!(3)), "{message}");
    let container = json!([{"type": 17, "components": words(39)}]);
    assert_eq!(bot.send(&ada, sheet(container)).await.0, 200);
    assert_eq!(bot.send(&ada, json!({"content": "😀".repeat(1000)})).await.0, 200);
    assert!(ada.screen().contains("[Diavola] [Margherita]"), "{}", ada.screen());
    assert_eq!(fake.refusals(), Vec::<String>::new());
}

#[tokio::test]
async fn a_key_that_nobody_reads_is_remarked_and_the_message_sent() {
    let fake = DiscordFake::start().await;
    let (bot, ada) = (Bot::of(&fake), fake.person("Ada"));
    assert_eq!(bot.send(&ada, json!({"content": "x", "component": []})).await.0, 200);
    assert_eq!(fake.refusals(), ["message: Discord reads no “component”"]);
}

#[rstest]
#[case::empty("POST /channels/{dm}/messages", json!({"content": " "}), 400, 50006)]
#[case::no_channel("POST /channels/123/messages", json!({"content": "x"}), 404, 10003)]
#[case::hidden("POST /channels/{hidden}/messages", json!({"content": "x"}), 403, 50001)]
#[case::muted("POST /channels/{muted}/messages", json!({"content": "x"}), 403, 50013)]
#[case::blocked("POST /channels/{blocked}/messages", json!({"content": "x"}), 403, 50007)]
#[case::no_message("PATCH /channels/{dm}/messages/123", json!({"content": "x"}), 404, 10008)]
#[case::not_own("PATCH /channels/{lunch}/messages/{hers}", json!({"content": "x"}), 403, 50005)]
#[case::not_in_direct("DELETE /channels/{dm}/messages/{private}", Value::Null, 403, 50003)]
#[case::may_not_delete("DELETE /channels/{keeps}/messages/{kept}", Value::Null, 403, 50013)]
#[case::nobody("POST /users/@me/channels", json!({"recipient_id": "5"}), 404, 10013)]
#[case::no_recipient("POST /users/@me/channels", json!({}), 400, 50035)]
#[case::limit("GET /channels/{lunch}/messages?limit=101", Value::Null, 400, 50035)]
#[case::no_interaction("POST /interactions/1/t/callback", json!({"type": 6}), 404, 10062)]
#[case::no_webhook("POST /webhooks/1100000000000000099/t", json!({"content": "x"}), 404, 10015)]
#[case::other_application("PUT /applications/5/commands", json!([]), 403, 20012)]
#[case::no_command("DELETE /applications/1100000000000000099/commands/5", Value::Null, 404, 10063)]
#[case::no_route("GET /nowhere", Value::Null, 404, 0)]
#[case::no_method("DELETE /users/@me", Value::Null, 405, 0)]
#[case::command_name("PUT /applications/1100000000000000099/commands", json!([{"name": "Pizza Order", "description": "d"}]), 400, 50035)]
#[case::command_description("PUT /applications/1100000000000000099/commands", json!([{"name": "pizza"}]), 400, 50035)]
#[case::command_twice("PUT /applications/1100000000000000099/commands",
    json!([{"name": "pizza", "description": "d"}, {"name": "pizza", "description": "d"}]), 400, 50035)]
#[case::command_locale("PUT /applications/1100000000000000099/commands",
    json!([{"name": "pizza", "description": "d", "description_localizations": {"en": "d"}}]), 400, 50035)]
#[case::commands("PUT /applications/1100000000000000099/commands",
    (0..101).map(|no| json!({"name": format!("c{no}"), "description": "d"})).collect(), 400, 30032)]
#[tokio::test]
async fn a_request_without_right_or_aim_is_refused(
    #[case] line: &str,
    #[case] body: Value,
    #[case] status: u16,
    #[case] code: u64,
) {
    let fake = DiscordFake::start().await;
    let ada = fake.person("Ada");
    let ben = fake.person("Ben");
    ben.blocks_the_bot();
    ada.in_channel("lunch").writes("hello").await;
    ada.in_channel("keeps").writes("hello").await;
    ada.writes("hello").await;
    let mut line = line.to_owned();
    for name in ["hidden", "muted", "lunch", "keeps"] {
        line = line.replace(&format!("{{{name}}}"), &ada.in_channel(name).channel_id());
    }
    fake.hides_channel("hidden");
    fake.mutes_in("muted");
    fake.forbids_deleting_in("keeps");
    line = line.replace("{dm}", &ada.channel_id()).replace("{blocked}", &ben.channel_id());
    line = line.replace("{hers}", &ada.in_channel("lunch").messages()[0].id);
    line = line.replace("{kept}", &ada.in_channel("keeps").messages()[0].id);
    line = line.replace("{private}", &ada.messages()[0].id);
    let (got, answer) = Bot::of(&fake).ask(&line, body).await;
    assert_eq!((got, answer["code"].as_u64()), (status, Some(code)), "{answer}");
    assert_eq!(fake.refusals().len(), 1, "{:?}", fake.refusals());
}

#[tokio::test]
async fn a_wrong_token_is_refused_and_counts_towards_the_ban() {
    let fake = DiscordFake::start().await;
    let mut bot = Bot::of(&fake);
    bot.token = "Bot other".to_owned();
    assert_eq!(bot.ask("GET /users/@me", Value::Null).await.0, 401);
    assert_eq!(fake.invalid_requests(), 1);
}

#[tokio::test]
async fn the_same_nonce_sends_one_message() {
    let fake = DiscordFake::start().await;
    let (bot, ada) = (Bot::of(&fake), fake.person("Ada"));
    let body = json!({"content": "once", "nonce": "7", "enforce_nonce": true});
    let (_, first) = bot.send(&ada, body.clone()).await;
    let (_, second) = bot.send(&ada, body).await;
    assert_eq!(first["id"], second["id"]);
    let unforced = json!({"content": "twice", "nonce": "7"});
    bot.send(&ada, unforced.clone()).await;
    bot.send(&ada, unforced).await;
    assert_eq!(ada.messages().len(), 3);
}

#[tokio::test]
async fn history_gives_what_came_after_the_newest_first() {
    let fake = DiscordFake::start().await;
    let (bot, ada) = (Bot::of(&fake), fake.person("Ada").in_channel("lunch"));
    for words in ["one", "two", "three", "four"] {
        ada.writes(words).await;
    }
    let line = format!("GET /channels/{}/messages?limit=2&after={}", ada.channel_id(), ada.messages()[0].id);
    let (_, page) = bot.ask(&line, Value::Null).await;
    let words: Vec<&str> = page.as_array().unwrap().iter().filter_map(|one| one["content"].as_str()).collect();
    assert_eq!(words, ["three", "two"]);
}

#[tokio::test]
async fn the_sixth_message_is_limited_and_the_headers_said_so() {
    let rate = (5, Duration::from_secs(30));
    let fake = DiscordFake::start_with(Options { channel_rate: rate, ..Options::default() }).await;
    let (bot, ada) = (Bot::of(&fake), fake.person("Ada"));
    let line = format!("POST /channels/{}/messages", ada.channel_id());
    for left in ["4", "3", "2", "1", "0"] {
        let (status, headers, _) = bot.ask_for_headers(&line, json!({"content": "x"})).await;
        assert_eq!((status, headers["x-ratelimit-remaining"].to_str().unwrap()), (200, left));
    }
    let (status, headers, body) = bot.ask_for_headers(&line, json!({"content": "x"})).await;
    assert_eq!((status, headers["x-ratelimit-scope"].to_str().unwrap()), (429, "user"));
    let body: Value = serde_json::from_str(&body).unwrap();
    assert!(body["retry_after"].as_f64().unwrap() > 20.0 && body["global"] == json!(false), "{body}");
}

#[tokio::test]
async fn what_answers_an_interaction_is_outside_the_global_limit() {
    let fake = DiscordFake::start_with(Options { global_rate: 1, ..Options::default() }).await;
    let bot = Bot::of(&fake);
    let limited = async |line: &str| bot.ask_for_headers(line, json!({"content": "x"})).await.1;
    let global = |headers: &reqwest::header::HeaderMap| headers.contains_key("x-ratelimit-global");
    let mut seen = Vec::new();
    // Where a second has passed between two of them, a further one is limited.
    for _ in 0..3 {
        seen.push(global(&limited("GET /gateway").await));
    }
    assert!(seen.contains(&true), "{seen:?}");
    for line in
        ["POST /webhooks/1/token", "PATCH /webhooks/1/token/messages/@original", "POST /interactions/1/t/callback"]
    {
        assert!(!global(&limited(line).await), "{line}");
    }
}

#[rstest]
#[case::limited(Answer::Limited { after: 0.4, global: true }, 429)]
#[case::bare(Answer::LimitedBare, 429)]
#[case::proxy(Answer::LimitedByProxy { after: 65 }, 429)]
#[case::down(Answer::Status(502), 502)]
#[case::slow(Answer::Slow(Duration::from_millis(5)), 200)]
#[tokio::test]
async fn scripted_answers_come_once_and_to_the_route_they_are_for(#[case] answer: Answer, #[case] status: u16) {
    let fake = DiscordFake::start().await;
    let (bot, ada) = (Bot::of(&fake), fake.person("Ada"));
    fake.next_answers_to("POST /channels", vec![answer]);
    assert_eq!(bot.ask("GET /users/@me", Value::Null).await.0, 200);
    assert_eq!(bot.send(&ada, json!({"content": "x"})).await.0, status);
    assert_eq!(bot.send(&ada, json!({"content": "x"})).await.0, 200);
}

#[rstest]
#[case::nothing_done(Answer::Drop, 0)]
#[case::done(Answer::Lost, 1)]
#[tokio::test]
async fn a_broken_connection_leaves_open_what_was_done(#[case] answer: Answer, #[case] messages: usize) {
    let fake = DiscordFake::start().await;
    let ada = fake.person("Ada");
    fake.next_answers(vec![answer]);
    let bot = Bot::of(&fake);
    let url = format!("{}/api/v10/channels/{}/messages", bot.base, ada.channel_id());
    let sent = bot.client.post(url).header("authorization", &bot.token).json(&json!({"content": "x"})).send().await;
    let broken = match sent {
        Ok(response) => response.bytes().await.is_err(),
        Err(_) => true,
    };
    assert!(broken);
    assert_eq!(ada.messages().len(), messages);
}

#[tokio::test]
async fn files_come_with_a_payload() {
    let fake = DiscordFake::start().await;
    let (bot, ada) = (Bot::of(&fake), fake.person("Ada"));
    let part =
        |name: &str, body: &str| format!("--b\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{body}\r\n");
    let file = "--b\r\ncontent-disposition: form-data; name=\"files[0]\"; filename=\"a.txt\"\r\ncontent-type: text/plain\r\n\r\nhi\r\n";
    let body = format!("{}{file}--b--\r\n", part("payload_json", "{\"content\":\"see\"}"));
    let url = format!("{}/api/v10/channels/{}/messages", bot.base, ada.channel_id());
    let request = bot.client.post(url).header("authorization", &bot.token).body(body);
    let response = request.header("content-type", "multipart/form-data; boundary=b").send().await.unwrap();
    assert_eq!(response.status().as_u16(), 200);
    assert_eq!(ada.screen(), "Formwright:\n  see\n  (file a.txt)\n");
}

#[rstest]
#[case::usual(json!({"content": "<@{ben}> @everyone"}), &["Ben", "@everyone"])]
#[case::none(json!({"content": "<@{ben}> @everyone", "allowed_mentions": {"parse": []}}), &[])]
#[case::named(json!({"content": "<@{ben}> @here", "allowed_mentions": {"users": ["{ben}"]}}), &["Ben"])]
#[case::sheet(json!({"flags": 1 << 15, "components": [{"type": 10, "content": "<@!{ben}>"}]}), &["Ben"])]
#[tokio::test]
async fn pings_are_counted(#[case] body: Value, #[case] pinged: &[&str]) {
    let fake = DiscordFake::start().await;
    let (ada, ben) = (fake.person("Ada").in_channel("lunch"), fake.person("Ben"));
    let body = serde_json::from_str(&body.to_string().replace("{ben}", &ben.id())).unwrap();
    assert_eq!(Bot::of(&fake).send(&ada, body).await.0, 200);
    assert_eq!(fake.pings(), pinged);
}
