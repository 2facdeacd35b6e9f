//! The fake by itself, through plain HTTP: what it takes, and each kind of refusal.

use serde_json::{Value, json};

use super::*;
use crate::telegram::hook::exchange;

struct Bot {
    fake: TelegramFake,
}

impl Bot {
    async fn start() -> Self {
        Self { fake: TelegramFake::start().await }
    }

    async fn call(&self, method: &str, body: Value) -> (u16, Value) {
        self.call_as(&self.fake.token(), method, &body).await
    }

    async fn call_as(&self, token: &str, method: &str, body: &Value) -> (u16, Value) {
        let url = format!("{}/bot{token}/{method}", self.fake.url());
        let headers = [("content-type", "application/json")];
        // A lost connection is no status and no answer.
        let answer = exchange("POST", &url, &headers, body.to_string().as_bytes()).await;
        let (status, answer) = answer.unwrap_or_default();
        (status, serde_json::from_slice(&answer).unwrap_or(Value::Null))
    }

    async fn done(&self, method: &str, body: Value) -> Value {
        let (status, mut answer) = self.call(method, body).await;
        assert_eq!(status, 200, "{answer}");
        answer["result"].take()
    }

    async fn refused(&self, method: &str, body: Value) -> String {
        let (status, answer) = self.call(method, body).await;
        assert_ne!(status, 200, "{answer}");
        assert_eq!(answer["error_code"], status);
        format!("{status} {}", answer["description"].as_str().unwrap())
    }

    async fn meets(&self, name: &str) -> Seat {
        let seat = self.fake.person(name).in_private();
        seat.writes("hello").await;
        seat
    }

    async fn updates(&self, body: Value) -> Vec<Value> {
        self.done("getUpdates", body).await.as_array().unwrap().clone()
    }
}

#[tokio::test]
async fn a_bot_knows_itself_under_any_spelling_of_the_method() {
    let bot = Bot::start().await;
    for method in ["getMe", "GetMe", "getme"] {
        let me = bot.done(method, json!({})).await;
        assert_eq!((&me["is_bot"], &me["username"]), (&json!(true), &json!("FormBot")));
        assert_eq!(me["can_read_all_group_messages"], false);
    }
    assert_eq!(bot.call_as("1:wrong", "getMe", &json!({})).await.0, 401);
    assert_eq!(bot.refused("getTea", json!({})).await, "404 Not Found: method not found");
    assert_eq!(bot.fake.refusals().len(), 2);
}

#[tokio::test]
async fn html_is_read_as_telegram_reads_it() {
    let bot = Bot::start().await;
    let ada = bot.meets("Ada").await;
    let send = |text: &str| json!({"chat_id": ada.chat_id(), "text": text, "parse_mode": "HTML"});
    let sent = bot
        .done("sendMessage", send(" 🍕 <b>bold <i>both</i></b> &lt;&#38;&#x41; <a href=\"https://x.org\">x</a>\n"))
        .await;
    assert_eq!(sent["text"], "🍕 bold both <&A x");
    let entities = json!([
        {"type": "italic", "offset": 8, "length": 4},
        {"type": "bold", "offset": 3, "length": 9},
        {"type": "text_link", "url": "https://x.org", "offset": 17, "length": 1},
    ]);
    assert_eq!(sent["entities"], entities);
    let wrong = [
        ("<h1>x</h1>", "Unsupported start tag \"h1\" at byte offset 0"),
        ("a <b>x", "Can't find end tag corresponding to start tag \"b\""),
        ("<b>x</i>", "Unmatched end tag at byte offset 4, expected \"</b>\", found \"</i>\""),
        ("x</b>", "Unexpected end tag at byte offset 1"),
        ("1 < 2", "Unclosed start tag at byte offset 2"),
        ("salt & pepper", "Unescaped \"&\" at byte offset 5 (the fake is strict here)"),
        ("&nbsp;", "Unescaped \"&\" at byte offset 0 (the fake is strict here)"),
        ("<span>x</span>", "Tag \"span\" must have class \"tg-spoiler\" at byte offset 0"),
    ];
    for (text, why) in wrong {
        let refused = bot.refused("sendMessage", send(text)).await;
        assert_eq!(refused, format!("400 Bad Request: can't parse entities: {why}"));
    }
    assert!(bot.refused("sendMessage", send("<b> \u{202e} </b>")).await.contains("message text is empty"));
}

#[tokio::test]
async fn lengths_count_after_the_markup_in_utf_16() {
    let bot = Bot::start().await;
    let ada = bot.meets("Ada").await;
    let send = |text: String| json!({"chat_id": ada.chat_id(), "text": text, "parse_mode": "HTML"});
    bot.done("sendMessage", send(format!("<b>{}</b>", "🍕".repeat(2048)))).await;
    let long = bot.refused("sendMessage", send(format!("{}a", "🍕".repeat(2048)))).await;
    assert_eq!(long, "400 Bad Request: message is too long");
}

#[tokio::test]
async fn keyboards_have_limits() {
    let bot = Bot::start().await;
    let ada = bot.meets("Ada").await;
    let office = bot.fake.group("Office");
    let send = |chat: i64, markup: Value| json!({"chat_id": chat, "text": "x", "reply_markup": markup});
    let key = |data: &str| json!({"text": "x", "callback_data": data});
    let wrong = [
        (json!([[key("")]]), "BUTTON_DATA_INVALID"),
        (json!([[key(&"ä".repeat(33))]]), "BUTTON_DATA_INVALID"),
        (json!([vec![key("x"); 9]]), "9 buttons in a row"),
        (json!(vec![vec![key("x"); 8]; 13]), "REPLY_MARKUP_TOO_LONG"),
        (json!([[{"text": "x"}]]), "Text buttons are unallowed"),
        (json!([[{"text": "", "callback_data": "x"}]]), "must be non-empty"),
        (json!([[{"text": "x", "callback_data": "x", "url": "https://x.org"}]]), "Exactly one type"),
        (json!([[{"text": "x", "url": "x.org"}]]), "Wrong HTTP URL"),
        (
            json!([[{"text": "x", "callback_data": "x", "color": "red"}]]),
            "unknown parameter \"reply_markup.inline_keyboard[0][0].color\"",
        ),
        (json!([[{"text": "x", "callback_data": "x", "style": "blue"}]]), "style"),
    ];
    for (rows, why) in wrong {
        let refused = bot.refused("sendMessage", send(ada.chat_id(), json!({"inline_keyboard": rows}))).await;
        assert!(refused.contains(why), "{refused} is not about {why}");
    }
    bot.done("sendMessage", send(ada.chat_id(), json!({"inline_keyboard": vec![vec![key(&"x".repeat(64)); 8]; 12]})))
        .await;
    for asks in ["request_contact", "request_location"] {
        let keyboard = json!({"keyboard": [[{"text": "x", asks: true}]]});
        bot.done("sendMessage", send(ada.chat_id(), keyboard.clone())).await;
        let refused = bot.refused("sendMessage", send(office.id(), keyboard)).await;
        assert!(refused.contains("can be requested in private chats only"), "{refused}");
    }
    let hint = json!({"force_reply": true, "input_field_placeholder": "x".repeat(65)});
    assert!(bot.refused("sendMessage", send(ada.chat_id(), hint)).await.contains("1-64 characters"));
}

#[tokio::test]
async fn requests_must_fit_the_description() {
    let bot = Bot::start().await;
    let ada = bot.meets("Ada").await.chat_id();
    let wrong = [
        (json!({"chat_id": ada}), "message text is empty"),
        (json!({"text": "x"}), "chat_id is empty"),
        (json!({"chat_id": ada, "text": "x", "colour": 1}), "unknown parameter \"colour\""),
        (json!({"chat_id": ada, "text": 7}), "\"text\" must be of type str"),
        (json!({"chat_id": ada, "text": "x", "reply_markup": {}}), "object expected as reply markup"),
        (json!({"chat_id": ada, "text": "x", "parse_mode": "MarkdownV2"}), "unsupported parse_mode"),
        (json!({"chat_id": ada, "text": "x", "message_thread_id": 5}), "message thread not found"),
        (
            json!({"chat_id": ada, "text": "x", "reply_parameters": {"message_id": 9999}}),
            "message to be replied not found",
        ),
        (json!({"chat_id": 999, "text": "x"}), "chat not found"),
    ];
    for (body, why) in wrong {
        let refused = bot.refused("sendMessage", body).await;
        assert!(refused.starts_with("400") && refused.contains(why), "{refused} is not about {why}");
    }
    // Forms and addresses carry everything as text.
    let form = format!("chat_id={ada}&text=a+form&disable_notification=true");
    let url = format!("{}/bot{}/sendMessage", bot.fake.url(), bot.fake.token());
    let headers = [("content-type", "application/x-www-form-urlencoded")];
    assert_eq!(exchange("POST", &url, &headers, form.as_bytes()).await.unwrap().0, 200);
    assert_eq!(exchange("GET", &format!("{url}?chat_id={ada}&text=address"), &[], b"").await.unwrap().0, 200);
    assert_eq!(exchange("POST", &url, &[("content-type", "application/json")], b"{").await.unwrap().0, 400);
}

#[tokio::test]
async fn who_cannot_be_written_to_is_not() {
    let bot = Bot::start().await;
    let office = bot.fake.group("Office");
    let ben = bot.fake.person("Ben");
    let send = |chat: i64| json!({"chat_id": chat, "text": "x"});
    assert_eq!(bot.refused("sendMessage", send(ben.id())).await, "400 Bad Request: chat not found");
    ben.in_group(&office).writes("hi").await;
    let stranger = "403 Forbidden: bot can't initiate conversation with a user";
    assert_eq!(bot.refused("sendMessage", send(ben.id())).await, stranger);
    let ada = bot.meets("Ada").await;
    ada.blocks_bot(true).await;
    assert_eq!(bot.refused("sendMessage", send(ada.chat_id())).await, "403 Forbidden: bot was blocked by the user");
    let old = office.id();
    office.becomes_supergroup();
    let (status, answer) = bot.call("sendMessage", send(old)).await;
    assert_eq!((status, answer["parameters"]["migrate_to_chat_id"].as_i64()), (400, Some(office.id())));
    office.throws_bot_out();
    let out = bot.refused("sendMessage", send(office.id())).await;
    assert_eq!(out, "403 Forbidden: bot was kicked from the supergroup chat");
}

#[tokio::test]
async fn messages_are_edited_and_deleted_by_the_rules() {
    let bot = Bot::start().await;
    let ada = bot.meets("Ada").await;
    let chat = ada.chat_id();
    let keys = json!({"inline_keyboard": [[{"text": "A", "callback_data": "a"}]]});
    let sent = bot.done("sendMessage", json!({"chat_id": chat, "text": "one", "reply_markup": keys})).await;
    let at = |text: &str| json!({"chat_id": chat, "message_id": sent["message_id"], "text": text});
    bot.done("editMessageText", at("two")).await;
    assert_eq!(ada.last(), "two");
    assert!(ada.buttons().is_empty(), "an edit without a keyboard takes it away");
    let same = bot.refused("editMessageText", at("two")).await;
    assert!(same.contains("message is not modified"), "{same}");
    let keyless = json!({"chat_id": chat, "message_id": sent["message_id"]});
    assert!(bot.refused("editMessageReplyMarkup", keyless.clone()).await.contains("not modified"));
    let none = json!({"chat_id": chat, "message_id": 77, "text": "x"});
    assert!(bot.refused("editMessageText", none).await.contains("message to edit not found"));
    let keyboard = json!({"chat_id": chat, "text": "k", "reply_markup": {"keyboard": [["A"]]}});
    let keyboard = bot.done("sendMessage", keyboard).await;
    let edit = json!({"chat_id": chat, "message_id": keyboard["message_id"], "text": "x"});
    assert!(bot.refused("editMessageText", edit).await.contains("message can't be edited"));
    bot.done("deleteMessage", keyless.clone()).await;
    assert!(bot.refused("deleteMessage", keyless).await.contains("message to delete not found"));
    let old = json!({"chat_id": chat, "message_id": keyboard["message_id"]});
    bot.fake.time_passes(Duration::from_secs(49 * 3600));
    assert!(bot.refused("deleteMessage", old).await.contains("can't be deleted for everyone"));
}

#[tokio::test]
async fn a_press_is_answered_once_and_in_time() {
    let bot = Bot::start().await;
    let ada = bot.meets("Ada").await;
    let keys = json!({"inline_keyboard": [[{"text": "☐ A", "callback_data": "a"}]]});
    bot.done("sendMessage", json!({"chat_id": ada.chat_id(), "text": "one", "reply_markup": keys})).await;
    ada.presses("A").await;
    ada.presses("A").await;
    let updates = bot.updates(json!({})).await;
    let query = |no: usize| updates[updates.len() - no]["callback_query"].clone();
    assert_eq!((&query(1)["data"], &query(1)["message"]["text"]), (&json!("a"), &json!("one")));
    let answer =
        |query: &Value, text: &str| json!({"callback_query_id": query["id"], "text": text, "show_alert": true});
    assert!(bot.refused("answerCallbackQuery", answer(&query(2), &"x".repeat(201))).await.contains("MESSAGE_TOO_LONG"));
    bot.done("answerCallbackQuery", answer(&query(2), "thanks")).await;
    ada.is_told("thanks").await;
    let old = "400 Bad Request: query is too old and response timeout expired or query ID is invalid";
    assert_eq!(bot.refused("answerCallbackQuery", answer(&query(2), "again")).await, old);
    bot.fake.time_passes(Duration::from_secs(60));
    assert_eq!(bot.refused("answerCallbackQuery", answer(&query(1), "late")).await, old);
}

#[tokio::test]
async fn updates_wait_until_they_are_confirmed() {
    let bot = Bot::start().await;
    let ada = bot.meets("Ada").await;
    ada.writes("two").await;
    let first = bot.updates(json!({"limit": 1})).await;
    assert_eq!(first, bot.updates(json!({"limit": 1})).await, "what is not confirmed comes again");
    let next = first[0]["update_id"].as_i64().unwrap() + 1;
    let second = bot.updates(json!({"offset": next})).await;
    assert_eq!(second[0]["message"]["text"], "two");
    assert!(bot.updates(json!({"offset": next + 1})).await.is_empty());
    bot.fake.redelivers();
    assert_eq!(bot.updates(json!({"offset": next + 1})).await.len(), 2);
    // Only what the bot asks for.
    bot.updates(json!({"allowed_updates": ["callback_query"]})).await;
    ada.writes("three").await;
    assert!(bot.updates(json!({})).await.is_empty());
    bot.updates(json!({"allowed_updates": []})).await;
    bot.fake.holds_updates();
    ada.writes("four").await;
    ada.edits("five").await;
    bot.fake.releases_updates(true);
    let updates = bot.updates(json!({})).await;
    assert_eq!(updates[0]["edited_message"]["text"], "five");
    assert_eq!(updates[1]["message"]["text"], "four");
    bot.fake.time_passes(Duration::from_secs(25 * 3600));
    assert!(bot.updates(json!({})).await.is_empty());
}

#[tokio::test]
async fn a_long_poll_ends_with_news_with_another_poller_or_with_its_socket() {
    let bot = Bot::start().await;
    let ada = bot.fake.person("Ada").in_private();
    let wait = json!({"timeout": 20});
    let (updates, ()) = tokio::join!(bot.updates(wait.clone()), async {
        bot.fake.is_called("getUpdates", 1).await;
        ada.writes("hello").await;
    });
    let next = json!({"timeout": 20, "offset": updates[0]["update_id"].as_i64().unwrap() + 1});
    let (first, second) = tokio::join!(bot.call("getUpdates", next.clone()), async {
        bot.fake.is_called("getUpdates", 2).await;
        bot.updates(json!({})).await
    });
    assert!(first.0 == 409 && first.1["description"].as_str().unwrap().contains("terminated by other getUpdates"));
    assert!(second.is_empty());
    let (cut, ()) = tokio::join!(bot.call("getUpdates", next), async {
        bot.fake.is_called("getUpdates", 4).await;
        bot.fake.drop_sockets();
    });
    assert_eq!(cut.1, Value::Null);
    bot.done("setWebhook", json!({"url": "https://forms.example/hook"})).await;
    assert!(bot.refused("getUpdates", json!({})).await.starts_with("409 Conflict: can't use getUpdates"));
    bot.done("deleteWebhook", json!({})).await;
    bot.updates(json!({})).await;
}

#[tokio::test]
async fn a_webhook_gets_each_update_until_it_takes_it() {
    let bot = Bot::start().await;
    let bad = [
        json!({"url": "http://forms.example/hook"}),
        json!({"url": "https://forms.example", "secret_token": "é"}),
        json!({"url": "https://forms.example", "secret_token": "x".repeat(257)}),
        json!({"url": "https://forms.example", "max_connections": 101}),
    ];
    for body in bad {
        assert!(bot.refused("setWebhook", body).await.starts_with("400"));
    }
    let (seen, mut gets) = tokio::sync::mpsc::unbounded_channel();
    let tries = Arc::new(std::sync::atomic::AtomicU16::new(0));
    let hook = move |headers: axum::http::HeaderMap, axum::Json(update): axum::Json<Value>| {
        let no = tries.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        let secret = headers.get("x-telegram-bot-api-secret-token").cloned();
        seen.send((secret, update["message"]["text"].as_str().unwrap_or_default().to_owned())).unwrap();
        async move { if no == 0 { axum::http::StatusCode::SERVICE_UNAVAILABLE } else { axum::http::StatusCode::OK } }
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    bot.fake.leads("https://forms.example", &format!("http://{}", listener.local_addr().unwrap()));
    tokio::spawn(async move { axum::serve(listener, axum::Router::new().fallback(hook)).await });
    bot.done("setWebhook", json!({"url": "https://forms.example/hook", "secret_token": "s3cret"})).await;
    let ada = bot.fake.person("Ada").in_private();
    ada.writes("one").await;
    ada.writes("two").await;
    for wanted in ["one", "one", "two"] {
        let (secret, text) = gets.recv().await.unwrap();
        assert_eq!((secret.unwrap().to_str().unwrap(), text.as_str()), ("s3cret", wanted));
    }
    bot.fake.takes_everything().await;
    let info = bot.done("getWebhookInfo", json!({})).await;
    assert_eq!(info["last_error_message"], "Wrong response from the webhook: 503");
}

#[tokio::test]
async fn too_many_messages_are_refused_and_pauses_must_be_kept() {
    let rates = Rates { each: Duration::from_secs(60), ..Rates::default() };
    let bot = Bot { fake: TelegramFake::start_with(Settings { rates, ..Settings::default() }).await };
    let ada = bot.meets("Ada").await.chat_id();
    let send = |chat: i64| json!({"chat_id": chat, "text": "x"});
    for _ in 0..5 {
        bot.done("sendMessage", send(ada)).await;
    }
    let (status, answer) = bot.call("sendMessage", send(ada)).await;
    assert_eq!(status, 429);
    assert!((50..=60).contains(&answer["parameters"]["retry_after"].as_u64().unwrap()));
    let office = bot.fake.group("Office").id();
    for _ in 0..20 {
        bot.done("sendMessage", send(office)).await;
    }
    assert_eq!(bot.refused("sendMessage", send(office)).await.split(' ').next(), Some("429"));
    bot.fake.time_passes(Duration::from_secs(61));
    assert_eq!(bot.fake.refusals_but(&["Too Many Requests"]).len(), 0);
    let before = bot.fake.refusals().len();
    bot.fake.next_answers([Fault::TooMany(7)]);
    assert_eq!(bot.call("sendMessage", send(office)).await.1["parameters"]["retry_after"], 7);
    assert_eq!(bot.fake.refusals().len(), before, "what the test set is no refusal");
    assert_eq!(bot.call("sendMessage", send(office)).await.0, 429, "the pause was not kept");
    assert_eq!(bot.fake.refusals().len(), before + 1);
    bot.fake.time_passes(Duration::from_secs(8));
    bot.done("sendMessage", send(office)).await;
}

#[tokio::test]
async fn faults_happen_once_each() {
    let bot = Bot::start().await;
    let ada = bot.meets("Ada").await;
    let send = json!({"chat_id": ada.chat_id(), "text": "x"});
    bot.fake.next_answers([Fault::Status(502), Fault::Drop]);
    bot.fake.next_answers_to("sendMessage", [Fault::DropAfter]);
    assert_eq!(bot.call("sendMessage", send.clone()).await, (502, Value::Null));
    assert_eq!(bot.call("sendMessage", send.clone()).await.1, Value::Null);
    assert_eq!(ada.count(), 0);
    assert_eq!(bot.call("sendMessage", send).await.1, Value::Null);
    assert_eq!(ada.count(), 1, "it happened, only the answer was lost");
    assert!(!bot.fake.has_faults_left() && bot.fake.refusals().is_empty());
}

#[tokio::test]
async fn in_groups_the_bot_hears_what_is_meant_for_it() {
    let bot = Bot::start().await;
    let office = bot.fake.forum("Office");
    let ada = bot.fake.person("Ada").in_topic(&office, "Lunch");
    let topic = office.topic("Lunch");
    let sent =
        bot.done("sendMessage", json!({"chat_id": office.id(), "text": "Which?", "message_thread_id": topic})).await;
    assert_eq!((&sent["message_thread_id"], &sent["is_topic_message"]), (&json!(topic), &json!(true)));
    for text in ["idle talk", "/start@otherbot", "/start", "@FormBot hi", "mail x@formbot.org"] {
        ada.writes(text).await;
    }
    ada.replies("Which?", "Diavola").await;
    bot.fake.other_bot("Loud").in_topic(&office, "Lunch").writes("@FormBot hi").await;
    let heard = bot.updates(json!({})).await;
    let texts: Vec<&str> = heard.iter().map(|update| update["message"]["text"].as_str().unwrap()).collect();
    assert_eq!(texts, ["/start", "@FormBot hi", "Diavola"]);
    assert_eq!(heard[0]["message"]["reply_to_message"]["forum_topic_created"]["name"], "Lunch");
    assert_eq!(heard[1]["message"]["entities"][0], json!({"type": "mention", "offset": 0, "length": 8}));
    assert_eq!(heard[2]["message"]["reply_to_message"]["text"], "Which?");
    let own = json!({"chat_id": office.id(), "message_id": heard[0]["message"]["message_id"]});
    assert!(bot.refused("deleteMessage", own.clone()).await.contains("message can't be deleted"));
    office.has_bot_as_admin(true);
    bot.done("deleteMessage", own).await;
    ada.writes("more idle talk").await;
    assert_eq!(bot.updates(json!({})).await.len(), 4);
}

#[tokio::test]
async fn an_opened_input_line_makes_the_next_message_an_answer() {
    let bot = Bot::start().await;
    let office = bot.fake.group("Office");
    let (ada, ben) = (bot.fake.person("Ada").in_group(&office), bot.fake.person("Ben").in_group(&office));
    ada.writes("/pizza").await;
    let asked = bot.updates(json!({})).await[0]["message"]["message_id"].clone();
    let force = json!({"force_reply": true, "selective": true});
    let ask = json!({
        "chat_id": office.id(), "text": "How many?", "reply_markup": force, "reply_parameters": {"message_id": asked},
    });
    bot.done("sendMessage", ask).await;
    ada.is_asked_to_reply().await;
    ben.writes("not for the bot").await;
    ada.writes("two").await;
    ada.writes("nor this").await;
    let heard = bot.updates(json!({})).await;
    assert_eq!(heard.len(), 2);
    assert_eq!(heard[1]["message"]["reply_to_message"]["text"], "How many?");
}

#[tokio::test]
async fn people_send_numbers_places_photos_and_files() {
    let bot = Bot::start().await;
    let ada = bot.meets("Ada").await;
    let keyboard = json!({"keyboard": [[{"text": "My number", "request_contact": true}], ["Skip"]]});
    bot.done("sendMessage", json!({"chat_id": ada.chat_id(), "text": "Number?", "reply_markup": keyboard})).await;
    ada.presses("My number").await;
    ada.presses("Skip").await;
    ada.shares_location(45.0, 9.0).await;
    ada.sends_photo(&[7; 5000], "the damage").await;
    ada.sends_album(&[&[1; 40], &[2; 40]], "both").await;
    ada.sends_file("cv.pdf", "application/pdf", b"%PDF").await;
    let updates = bot.updates(json!({})).await;
    let message = |no: usize| updates[no]["message"].clone();
    assert_eq!(message(1)["contact"]["user_id"], ada.person().id());
    assert_eq!(message(1)["reply_to_message"]["text"], "Number?");
    assert_eq!(message(2)["text"], "Skip");
    assert_eq!(message(3)["location"]["latitude"], 45.0);
    assert_eq!(message(4)["photo"].as_array().unwrap().len(), 3);
    assert_eq!(message(5)["media_group_id"], message(6)["media_group_id"]);
    assert_eq!((&message(5)["caption"], &message(6)["caption"]), (&json!("both"), &Value::Null));
    let file = bot.done("getFile", json!({"file_id": message(7)["document"]["file_id"]})).await;
    let path = file["file_path"].as_str().unwrap();
    let url = format!("{}/file/bot{}/{path}", bot.fake.url(), bot.fake.token());
    assert_eq!(exchange("GET", &url, &[], b"").await.unwrap(), (200, b"%PDF".to_vec()));
    assert!(bot.refused("getFile", json!({"file_id": "x"})).await.contains("wrong file_id"));
}

#[tokio::test]
async fn the_bot_sends_files_as_forms() {
    let bot = Bot::start().await;
    let ada = bot.meets("Ada").await;
    let part =
        |name: &str, value: &str| format!("--b\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n");
    let file = "--b\r\ncontent-disposition: form-data; name=\"document\"; filename=\"a.txt\"\r\ncontent-type: text/plain\r\n\r\nhello\r\n";
    let body = format!("{}{file}{}--b--\r\n", part("chat_id", &ada.chat_id().to_string()), part("caption", "a file"));
    let url = format!("{}/bot{}/sendDocument", bot.fake.url(), bot.fake.token());
    let headers = [("content-type", "multipart/form-data; boundary=b")];
    let (status, answer) = exchange("POST", &url, &headers, body.as_bytes()).await.unwrap();
    let sent: Value = serde_json::from_slice(&answer).unwrap();
    assert_eq!((status, &sent["result"]["document"]["file_name"]), (200, &json!("a.txt")));
    ada.sees("a file").await;
}

#[tokio::test]
async fn menus_are_checked_and_shown_by_language() {
    let bot = Bot::start().await;
    let commands = |name: &str| json!([{"command": name, "description": "x"}]);
    bot.done("setMyCommands", json!({"commands": commands("start")})).await;
    bot.done("setMyCommands", json!({"commands": commands("inizio"), "language_code": "it"})).await;
    assert_eq!((bot.fake.menu("de"), bot.fake.menu("it")), (vec!["start".to_owned()], vec!["inizio".to_owned()]));
    let wrong = [
        json!({"commands": commands("Start")}),
        json!({"commands": commands("a-b")}),
        json!({"commands": commands(&"a".repeat(33))}),
        json!({"commands": [{"command": "a", "description": ""}]}),
        json!({"commands": commands("a"), "language_code": "it-IT"}),
        json!({"commands": vec![json!({"command": "a", "description": "x"}); 101]}),
    ];
    for body in wrong {
        assert!(bot.refused("setMyCommands", body).await.starts_with("400"));
    }
}

#[tokio::test]
async fn mentions_that_would_wake_somebody_up_are_noted() {
    let bot = Bot::start().await;
    let ada = bot.meets("Ada").await.chat_id();
    for text in ["hello @ada_person", "<a href=\"tg://user?id=7001\">x</a>", "<code>@ada_person</code>", "@nobody_here"]
    {
        bot.done("sendMessage", json!({"chat_id": ada, "text": text, "parse_mode": "HTML"})).await;
    }
    assert_eq!(bot.fake.pings().len(), 2, "{:?}", bot.fake.pings());
}

#[tokio::test]
async fn a_screen_is_a_picture_in_words() {
    let bot = Bot::start().await;
    let ada = bot.meets("Ada").await;
    let keys = json!({"inline_keyboard": [[{"text": "A", "callback_data": "a"}, {"text": "B", "callback_data": "b"}]]});
    bot.done("sendMessage", json!({"chat_id": ada.chat_id(), "text": "Which\none?", "reply_markup": keys})).await;
    assert_eq!(ada.screen(), "── Ada ──\nAda: hello\nForms: Which\n    one?\n    [A] [B]\n");
}
