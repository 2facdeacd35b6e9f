//! The adapter against a small Bot API on loopback, and a scripted product.

mod double;
mod platform;

use std::sync::Arc;
use std::time::Duration;

use formwright_chat::{
    Access, AccessRule, Action, Adapter as _, Delivery, DeliveryError, FormCard, HostError, Input, Place, Platform,
    Pressed, Reply, ReplyId, UserId, conformance,
};
use formwright_fakes::host::FakeHost;
use serde_json::{Value, json};

use self::double::Telegram;
use crate::{Groups, TelegramAdapter, TelegramSettings, Transport, Webhook};

/// A running adapter between the two.
struct Bench {
    telegram: Telegram,
    host: Arc<FakeHost>,
    adapter: Arc<TelegramAdapter>,
    running: tokio::task::JoinHandle<Result<(), formwright_chat::AdapterError>>,
    stop: Option<tokio::sync::oneshot::Sender<()>>,
}

impl Bench {
    async fn new() -> Self {
        Self::with(|_| {}).await
    }

    async fn with(change: impl FnOnce(&mut TelegramSettings)) -> Self {
        let form = FormCard {
            id: "pizza-order".into(),
            title: "Pizza order".into(),
            description: String::new(),
            fields: 3,
            ..FormCard::default()
        };
        let host = Arc::new(FakeHost::with_forms(vec![form]));
        Self::over(Telegram::start().await, host, change)
    }

    fn over(telegram: Telegram, host: Arc<FakeHost>, change: impl FnOnce(&mut TelegramSettings)) -> Self {
        let mut settings =
            TelegramSettings { token: "42:TOKEN".into(), api_url: telegram.url(), ..TelegramSettings::default() };
        change(&mut settings);
        let adapter = Arc::new(TelegramAdapter::new(settings).unwrap());
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let shutdown = Box::pin(async move { drop(stopped.await) });
        let running = tokio::spawn(Arc::clone(&adapter).run(Arc::clone(&host) as _, shutdown));
        Self { telegram, host, adapter, running, stop: Some(stop) }
    }

    /// Ends the adapter, and gives what the next one finds.
    async fn end(mut self) -> (Telegram, Arc<FakeHost>) {
        drop(self.stop.take());
        self.running.await.unwrap().unwrap();
        (self.telegram, self.host)
    }

    async fn delivered(&self, delivery: &Delivery) {
        while let Err(DeliveryError::Later { .. }) = self.adapter.deliver(delivery).await {
            tokio::task::yield_now().await;
        }
    }
}

fn place(chat: i64) -> Place {
    Place { platform: Platform::new("telegram"), workspace: String::new(), channel: chat.to_string(), thread: None }
}

fn delivery(id: &str, chat: i64, reply: Reply) -> Delivery {
    Delivery { id: ReplyId::new(id), place: place(chat), user: UserId::new("7"), reply, attempt: 0, overtaken: false }
}

/// The same reply on another screen.
fn another(reply: &Reply, bits: u128) -> Reply {
    let old = reply.nonce().unwrap().as_str().to_owned();
    let new = formwright_chat::Nonce::new(bits);
    serde_json::from_str(&serde_json::to_string(reply).unwrap().replace(&old, new.as_str())).unwrap()
}

fn text(chat: i64, words: &str) -> Value {
    let kind = if chat < 0 { "supergroup" } else { "private" };
    json!({"message": {"message_id": 500, "from": {"id": 7, "is_bot": false, "first_name": "Ada", "language_code": "en"},
        "chat": {"id": chat, "type": kind}, "date": 1, "text": words}})
}

fn press(user: i64, chat: i64, message: i64, data: &str) -> Value {
    json!({"callback_query": {"id": "q1", "from": {"id": user, "is_bot": false, "first_name": "Ada", "language_code": "en"},
        "message": {"message_id": message, "chat": {"id": chat, "type": "private"}, "date": 1}, "chat_instance": "1", "data": data}})
}

#[tokio::test]
async fn a_message_is_stored_before_telegram_is_told() {
    let bench = Bench::new().await;
    bench.host.refuse(vec![HostError::Unavailable("full".into())]);
    bench.telegram.bring(text(7, "hello"));
    let events = bench.host.wait_for_events(1).await;
    assert_eq!(events[0].action, Action::Say { text: "hello".to_owned() });
    assert_eq!((events[0].place.clone(), events[0].user.locale.as_deref()), (place(7), Some("en")));
    bench.telegram.wait_for("sendChatAction", 1).await;
    bench.telegram.confirmed(1).await;
    let offset = bench.host.note("telegram", "offset").unwrap();
    assert_eq!((offset["bot"].as_i64(), offset["next"].as_i64()), (Some(42), Some(2)));
}

#[tokio::test]
async fn a_group_is_reached_while_the_bot_is_in_it() {
    let bench = Bench::new().await;
    bench.telegram.bring(text(7, "hello"));
    bench.telegram.confirmed(1).await;
    let status = |status: &str| json!({"ok": true, "result": {"status": status}});
    let refused = |code: u16, why: &str| json!({"ok": false, "error_code": code, "description": why});
    let answers = [
        (-5, status("member"), "reached"),
        (-5, status("left"), "the bot is not in the group -5; add it there"),
        (-5, refused(400, "Bad Request: chat not found"), "Telegram refuses (400): Bad Request: chat not found"),
        (-5, refused(502, "Bad Gateway"), "not known"),
        (7, json!({"ok": true, "result": {"id": 7}}), "reached"),
    ];
    for (chat, answer, want) in answers {
        bench.telegram.fail(if chat < 0 { "getChatMember" } else { "getChat" }, 0, answer);
        let found = match bench.adapter.reach(&place(chat)).await {
            Ok(()) => "reached".to_owned(),
            Err(DeliveryError::Later { .. }) => "not known".to_owned(),
            Err(error) => error.to_string(),
        };
        assert_eq!(found, want);
    }
    let nowhere = Place { channel: "general".to_owned(), ..place(1) };
    assert!(matches!(bench.adapter.reach(&nowhere).await, Err(DeliveryError::Never { .. })));
}

#[tokio::test]
async fn everybody_who_writes_while_nothing_can_be_kept_is_told_once_and_answered_later() {
    let bench = Bench::new().await;
    bench.telegram.bring(text(7, "hello"));
    bench.telegram.confirmed(1).await;
    bench.host.be_away(true);
    let mut ben = text(8, "hello from Ben");
    ben["message"]["from"]["id"] = json!(8);
    for update in [text(7, "one"), text(-5, "idle talk"), ben, text(7, "two")] {
        bench.telegram.bring(update);
    }
    let told = bench.telegram.wait_shown(2).await;
    let chats: Vec<i64> = told.iter().filter_map(|message| message["chat_id"].as_i64()).collect();
    assert_eq!(chats, [7, 8]);
    assert!(told.iter().all(|message| message["text"].as_str().unwrap().starts_with("I cannot keep anything")));
    // No replica may ask for updates now; this one does, so that people are told all the same.
    bench.host.lose_leads();
    let mut cid = text(9, "anybody there?");
    cid["message"]["from"]["id"] = json!(9);
    bench.telegram.bring(cid);
    assert_eq!(bench.telegram.wait_shown(3).await[2]["chat_id"], 9);
    bench.host.be_away(false);
    let said = bench.host.wait_for_events(5).await;
    let ada = said.iter().filter(|event| event.user.id.as_str() == "7").map(|event| event.action.clone());
    let words = |text: &str| Action::Say { text: text.to_owned() };
    assert_eq!(ada.collect::<Vec<_>>(), [words("hello"), words("one"), words("two")]);
    assert_eq!(bench.telegram.shown().len(), 3);
}

#[tokio::test]
async fn a_press_is_answered_and_its_words_are_shown_when_the_next_question_comes() {
    let bench = Bench::new().await;
    let question = conformance::one_of(3);
    bench.delivered(&delivery("d1", 7, question.clone())).await;
    let sent = bench.telegram.wait_for("sendMessage", 1).await;
    let button = sent[0]["reply_markup"]["inline_keyboard"][0][1].clone();
    assert_eq!(button["text"], "Option 2");
    bench.telegram.bring(press(7, 7, 1, button["callback_data"].as_str().unwrap()));
    let events = bench.host.wait_for_events(1).await;
    let Action::Press { presses } = &events[0].action else { panic!("{events:?}") };
    let token = question.questions[0].token.clone();
    assert_eq!(presses[0].value, Pressed::Options { tokens: vec![token.option(1)] });
    let answer = bench.telegram.wait_for("answerCallbackQuery", 1).await;
    assert!(answer[0]["text"].is_null());
    bench.delivered(&delivery("d2", 7, another(&question, 2))).await;
    let edit = bench.telegram.wait_for("editMessageText", 1).await;
    assert_eq!(edit[0]["message_id"], 1);
    assert!(edit[0]["text"].as_str().unwrap().ends_with("✓ <b>Option 2</b>"), "{}", edit[0]);
    assert!(edit[0]["reply_markup"].is_null());
    // The old button is over now.
    bench.telegram.bring(press(7, 7, 1, button["callback_data"].as_str().unwrap()));
    let answers = bench.telegram.wait_for("answerCallbackQuery", 2).await;
    assert_eq!(answers[1]["show_alert"], true);
    assert_eq!(bench.host.events().len(), 1);
}

#[tokio::test]
async fn an_answer_that_was_typed_only_takes_the_widget_away() {
    let bench = Bench::new().await;
    let question = conformance::one_of(3);
    bench.delivered(&delivery("d1", 7, question.clone())).await;
    bench.delivered(&delivery("d2", 7, another(&question, 2))).await;
    let edit = bench.telegram.wait_for("editMessageReplyMarkup", 1).await;
    assert_eq!(edit[0], json!({"chat_id": 7, "message_id": 1}));
}

#[tokio::test]
async fn the_buttons_of_somebody_else_change_nothing() {
    let bench = Bench::new().await;
    let question = conformance::several(3);
    bench.delivered(&delivery("d1", 7, question.clone())).await;
    let token = question.questions[0].token.option(1);
    for data in [format!("{token}~t0"), format!("{}~d", question.questions[0].token), "rubbish".to_owned()] {
        bench.telegram.bring(press(8, 7, 1, &data));
    }
    let answers = bench.telegram.wait_for("answerCallbackQuery", 3).await;
    assert!(answers.iter().all(|answer| answer["show_alert"] == true));
    assert!(answers.iter().all(|answer| answer["text"].as_str().unwrap().chars().count() <= crate::limits::ALERT));
    assert_eq!(bench.host.events(), []);
    let note = bench.host.note("telegram", &format!("screen/{}", token.nonce.as_str())).unwrap();
    assert_eq!(note["ticked"], json!({}));
}

#[tokio::test]
async fn ticks_are_drawn_in_place_and_sent_together() {
    let bench = Bench::new().await;
    let question = conformance::several(3);
    bench.delivered(&delivery("d1", 7, question.clone())).await;
    let token = question.questions[0].token.clone();
    bench.telegram.bring(press(7, 7, 1, &format!("{}~t0", token.option(2))));
    bench.telegram.bring(press(7, 7, 1, &format!("{token}~d")));
    let events = bench.host.wait_for_events(1).await;
    let Action::Press { presses } = &events[0].action else { panic!() };
    assert_eq!(presses[0].value, Pressed::Options { tokens: vec![token.option(2)] });
    let edits = bench.telegram.wait_for("editMessageText", 1).await;
    assert!(edits[0]["reply_markup"].to_string().contains("☑ Option 3"));
    assert_eq!(bench.host.events().len(), 1, "ticks never reach the product");
}

#[tokio::test]
async fn a_delivery_that_is_tried_again_goes_on_where_it_stopped() {
    let bench = Bench::new().await;
    bench.telegram.confirmed(0).await;
    let mut reply = conformance::one_of(3);
    reply.say = vec!["words ".repeat(1500)];
    let first = delivery("d1", 7, reply);
    bench.telegram.fail("sendMessage", 1, json!({"ok": false, "error_code": 502, "description": "Bad Gateway"}));
    assert!(matches!(bench.adapter.deliver(&first).await, Err(DeliveryError::Later { after: None, .. })));
    let before = bench.telegram.calls("sendMessage").len();
    bench.delivered(&first).await;
    bench.delivered(&first).await;
    let sent = bench.telegram.shown();
    assert_eq!(sent.len(), 3, "each piece once: {}", sent.len());
    assert!(bench.telegram.calls("sendMessage").len() <= before + 3);
    assert!(sent[..2].iter().all(|message| message["reply_markup"].is_null()));
}

#[tokio::test]
async fn an_edit_names_the_message_that_it_changes() {
    let bench = Bench::new().await;
    bench.telegram.bring(text(7, "12 people"));
    let mut edit = text(7, "13 people");
    let message = edit["message"].take();
    bench.telegram.bring(json!({"edited_message": message}));
    // Of what nobody in the group has said to the bot, no edit is any of its business.
    let mut idle = text(-5, "idle talk");
    idle["edited_message"] = idle["message"].take();
    bench.telegram.bring(idle);
    bench.telegram.bring(text(7, "done"));
    let events = bench.host.wait_for_events(3).await;
    let message = events[0].terms.message.clone().unwrap();
    assert_eq!(events[1].action, Action::Edit { message, text: "13 people".to_owned() });
    assert_eq!(events[2].action, Action::Say { text: "done".to_owned() });
}

#[tokio::test]
async fn a_refused_token_stops_all_that_is_sent_and_is_told() {
    let bench = Bench::new().await;
    bench.telegram.confirmed(0).await;
    assert_eq!(bench.adapter.trouble(), None);
    let refusal = json!({"ok": false, "error_code": 401, "description": "Unauthorized"});
    bench.telegram.fail("sendMessage", 0, refusal);
    let first = delivery("d1", 7, conformance::one_of(2));
    for delivery in [&first, &delivery("d2", 8, conformance::one_of(2))] {
        let refused = bench.adapter.deliver(delivery).await;
        assert!(matches!(refused, Err(DeliveryError::Later { after: None, .. })), "{refused:?}");
    }
    assert!(bench.adapter.trouble().is_some_and(|why| why.contains("telegram.token")));
    assert_eq!(bench.telegram.calls("sendMessage").len(), 1, "nothing more is sent, to nobody");
    assert!(bench.adapter.api.is_known().await);
    assert_eq!(bench.adapter.trouble(), None);
    bench.delivered(&first).await;
    assert_eq!(bench.telegram.shown().len(), 1);
}

#[rstest::rstest]
#[case(json!({"ok": false, "error_code": 403, "description": "Forbidden: bot was blocked by the user"}), None)]
#[case(json!({"ok": false, "error_code": 400, "description": "Bad Request: chat not found"}), None)]
#[case(json!({"ok": false, "error_code": 429, "description": "Too Many Requests: retry after 90", "parameters": {"retry_after": 90}}), Some(90))]
#[tokio::test]
async fn what_telegram_refuses_is_tried_again_only_where_that_is_of_use(
    #[case] answer: Value,
    #[case] wait: Option<u64>,
) {
    let bench = Bench::new().await;
    bench.telegram.confirmed(0).await;
    bench.telegram.fail("sendMessage", 0, answer);
    let error = bench.adapter.deliver(&delivery("d1", 7, conformance::one_of(2))).await.unwrap_err();
    match (error, wait) {
        (DeliveryError::Later { after, .. }, Some(wait)) => assert_eq!(after, Some(Duration::from_secs(wait))),
        (DeliveryError::Unwanted { .. }, None) => {}
        (error, _) => panic!("{error:?}"),
    }
    if wait.is_some() {
        // The chat is left alone until then, without asking Telegram again.
        let calls = bench.telegram.calls("sendMessage").len();
        let held = bench.adapter.deliver(&delivery("d2", 7, Reply { say: vec!["x".into()], ..Reply::default() })).await;
        assert!(matches!(held, Err(DeliveryError::Later { after: Some(_), .. })), "{held:?}");
        assert_eq!(bench.telegram.calls("sendMessage").len(), calls);
    }
}

#[tokio::test]
async fn a_private_question_of_a_group_is_asked_in_private_and_answered_for_the_group() {
    let bench = Bench::new().await;
    bench.telegram.confirmed(0).await;
    let mut secret = conformance::asking(Input::Text { long: false, max_chars: None, example: None, secret: true });
    secret.private = true;
    // The person has never started the bot.
    bench.telegram.shut(7);
    bench.delivered(&delivery("d1", -100, secret.clone())).await;
    let shown = bench.telegram.shown();
    assert_eq!(shown.len(), 1);
    assert_eq!(shown[0]["chat_id"], -100);
    let link = shown[0]["reply_markup"]["inline_keyboard"][0][0]["url"].as_str().unwrap().to_owned();
    assert!(!shown[0].to_string().contains("field 0"), "the question is not put in the group");
    let start = link.strip_prefix("https://t.me/FormBot?start=").unwrap().to_owned();
    bench.telegram.open(7);
    bench.telegram.bring(text(7, &format!("/start {start}")));
    let shown = bench.telegram.wait_shown(2).await;
    assert_eq!(shown[1]["chat_id"], 7);
    bench.telegram.wait_note(&bench.host, "aside/7").await;
    bench.telegram.bring(text(7, "the secret"));
    let events = bench.host.wait_for_events(1).await;
    assert_eq!(events[0].place, place(-100));
    assert_eq!(events[0].action, Action::Say { text: "the secret".to_owned() });
    let deleted = bench.telegram.wait_for("deleteMessage", 1).await;
    assert_eq!(deleted[0], json!({"chat_id": 7, "message_id": 500}));
}

#[tokio::test]
async fn a_shared_contact_that_nobody_else_may_see_is_deleted() {
    let bench = Bench::new().await;
    let mut phone = conformance::asking(Input::Phone { country: None });
    phone.private = true;
    bench.delivered(&delivery("d1", 7, phone)).await;
    let mut shared = text(7, "");
    shared["message"]["contact"] = json!({"phone_number": "+393337654321", "first_name": "Bob", "user_id": 8});
    bench.telegram.bring(shared);
    let events = bench.host.wait_for_events(1).await;
    assert!(matches!(events[0].action, Action::Press { .. }));
    let deleted = bench.telegram.wait_for("deleteMessage", 1).await;
    assert_eq!(deleted[0]["chat_id"], 7);
}

#[tokio::test]
async fn a_question_in_a_group_opens_the_input_line_of_the_person_who_is_asked() {
    let bench = Bench::new().await;
    bench.telegram.bring(text(-100, "/pizza_order@formbot"));
    let events = bench.host.wait_for_events(1).await;
    assert_eq!(events[0].action, Action::Open { form: Some("pizza-order".to_owned()) });
    bench.delivered(&delivery("d1", -100, conformance::asking(Input::Email))).await;
    let shown = bench.telegram.shown();
    assert_eq!(shown[0]["reply_parameters"]["message_id"], 500);
    assert_eq!(shown[0]["reply_markup"]["selective"], true);
    // Now what the person says counts, and what others say does not.
    let mut other = text(-100, "hello all");
    other["message"]["from"]["id"] = json!(8);
    bench.telegram.bring(other);
    bench.telegram.bring(text(-100, "ada@example.com"));
    bench.telegram.bring(text(-100, "skip"));
    let events = bench.host.wait_for_events(3).await;
    assert_eq!(events[1].action, Action::Say { text: "ada@example.com".to_owned() });
    assert!(matches!(events[2].action, Action::Press { .. }));
}

#[tokio::test]
async fn a_keyboard_is_taken_away_when_the_next_question_has_buttons() {
    let bench = Bench::new().await;
    let phone = conformance::asking(Input::Phone { country: None });
    bench.delivered(&delivery("d1", 7, phone.clone())).await;
    bench.delivered(&delivery("d2", 7, another(&conformance::one_of(2), 5))).await;
    let shown = bench.telegram.shown();
    assert_eq!(shown[0]["reply_markup"]["keyboard"][0][0]["request_contact"], true);
    assert_eq!(shown[1]["reply_markup"], json!({"remove_keyboard": true}));
    assert!(shown[2]["reply_markup"]["inline_keyboard"].is_array());
    assert_eq!(bench.telegram.calls("editMessageText").len() + bench.telegram.calls("editMessageReplyMarkup").len(), 0);
}

#[tokio::test]
async fn files_that_were_sent_together_answer_together() {
    let bench = Bench::new().await;
    for no in 0..3 {
        let mut update = text(7, "");
        update["message"]["media_group_id"] = json!("g1");
        update["message"]["document"] =
            json!({"file_id": format!("f{no}"), "file_name": format!("{no}.pdf"), "file_size": 10});
        bench.telegram.bring(update);
    }
    let events = bench.host.wait_for_events(1).await;
    let Action::Attach { files, .. } = &events[0].action else { panic!() };
    assert_eq!(files.iter().map(|file| file.id.as_str()).collect::<Vec<_>>(), ["f0", "f1", "f2"]);
}

#[tokio::test]
async fn a_group_that_moves_keeps_its_sessions() {
    let bench = Bench::new().await;
    bench.telegram.confirmed(0).await;
    let moved = json!({"ok": false, "error_code": 400, "description": "Bad Request: group chat was upgraded to a supergroup chat",
        "parameters": {"migrate_to_chat_id": -1_001_500}});
    bench.telegram.fail("sendMessage", 0, moved);
    bench.delivered(&delivery("d1", -500, conformance::one_of(2))).await;
    assert_eq!(bench.telegram.shown()[0]["chat_id"], -1_001_500);
    bench.telegram.bring(text(-1_001_500, "@FormBot hello"));
    bench.telegram.bring(text(-1_001_500, "Option 1"));
    let events = bench.host.wait_for_events(2).await;
    assert!(events.iter().all(|event| event.place == place(-500)), "{events:?}");
}

#[tokio::test]
async fn the_menu_is_set_in_each_language() {
    let bench = Bench::new().await;
    let menus = bench.telegram.wait_for("setMyCommands", 6).await;
    assert_eq!(menus[1]["language_code"], "it");
    assert_eq!(menus[1]["commands"][1], json!({"command": "pizza_order", "description": "Pizza order"}));
}

#[tokio::test]
async fn a_form_in_a_group_may_lead_to_the_private_chat() {
    let bench = Bench::with(|settings| settings.groups = Groups::Private).await;
    bench.telegram.bring(text(-100, "/pizza_order"));
    let shown = bench.telegram.wait_shown(1).await;
    let url = &shown[0]["reply_markup"]["inline_keyboard"][0][0]["url"];
    assert_eq!(url, "https://t.me/FormBot?start=pizza-order");
    bench.telegram.bring(text(7, "/start pizza-order"));
    let events = bench.host.wait_for_events(1).await;
    assert_eq!(events[0].action, Action::Open { form: Some("pizza-order".to_owned()) });
    assert_eq!(events[0].place, place(7));
}

#[tokio::test]
async fn a_link_opens_a_form_and_brings_values_for_it() {
    let bench = Bench::new().await;
    // "pizza-order?source=fair", and the same of a form that is not there.
    bench.telegram.bring(text(7, "/start cGl6emEtb3JkZXI_c291cmNlPWZhaXI"));
    let events = bench.host.wait_for_events(1).await;
    assert_eq!(events[0].action, Action::Open { form: Some("pizza-order".to_owned()) });
    assert_eq!(events[0].terms.prefill.0, [("source".to_owned(), "fair".to_owned())].into());
    bench.telegram.bring(text(7, "/start bm9uZT9zb3VyY2U9ZmFpcg"));
    bench.telegram.bring(text(7, "hello"));
    let events = bench.host.wait_for_events(2).await;
    assert_eq!(events[1].action, Action::Say { text: "hello".to_owned() });
    assert!(events[1].terms.prefill.is_empty());
}

#[tokio::test]
async fn who_may_use_no_form_may_be_forgotten() {
    let rule = AccessRule { users: vec!["8".to_owned()], ..AccessRule::default() };
    let bench = Bench::with(|settings| settings.access = Access { rules: vec![rule] }).await;
    for words in ["hello", "/forget", "Vergiss mich!"] {
        bench.telegram.bring(text(7, words));
    }
    let said = bench.host.wait_for_events(2).await.into_iter().map(|event| event.action).collect::<Vec<_>>();
    let says = |text: &str| Action::Say { text: text.to_owned() };
    assert_eq!(said, [says("forget me"), says("Vergiss mich!")]);
}

#[tokio::test]
async fn what_the_product_refuses_is_said_and_not_asked_for_again() {
    let bench = Bench::new().await;
    bench.host.refuse(vec![HostError::Refused("too long".into()), HostError::Busy { retry_after: 3 }]);
    bench.telegram.bring(text(7, "a"));
    bench.telegram.bring(text(7, "b"));
    bench.telegram.bring(text(7, "c"));
    let events = bench.host.wait_for_events(1).await;
    assert_eq!(events[0].action, Action::Say { text: "c".to_owned() });
    let shown = bench.telegram.wait_shown(2).await;
    assert!(shown.iter().any(|message| message["text"] == "too long"));
}

#[tokio::test]
async fn after_a_restart_nothing_comes_twice_and_old_buttons_still_count() {
    let bench = Bench::new().await;
    let question = conformance::one_of(2);
    bench.delivered(&delivery("d1", 7, question.clone())).await;
    bench.telegram.bring(text(7, "hello"));
    bench.host.wait_for_events(1).await;
    bench.telegram.confirmed(1).await;
    let (telegram, host) = bench.end().await;
    let bench = Bench::over(telegram, host, |_| {});
    let token = question.questions[0].token.option(0);
    bench.telegram.bring(press(7, 7, 1, &token.to_string()));
    let events = bench.host.wait_for_events(2).await;
    assert!(matches!(events[1].action, Action::Press { .. }));
}

#[tokio::test]
async fn a_token_that_is_none_ends_with_a_sentence() {
    let telegram = Telegram::start().await;
    telegram.fail("getMe", 0, json!({"ok": false, "error_code": 401, "description": "Unauthorized"}));
    let bench = Bench::over(telegram, Arc::new(FakeHost::default()), |_| {});
    let error = bench.running.await.unwrap().unwrap_err().to_string();
    assert!(error.contains("telegram.token") && !error.contains("TOKEN"), "{error}");
}

#[tokio::test]
async fn a_webhook_takes_only_what_telegram_brings_and_says_so_once_it_is_stored() {
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let bench = Bench::with(|settings| {
        settings.transport = Transport::Webhook;
        settings.webhook = Webhook {
            listen: port,
            public_url: "https://forms.example/hook".to_owned(),
            secret: "a-secret-of-the-hook".to_owned(),
        };
    })
    .await;
    let set = bench.telegram.wait_for("setWebhook", 1).await;
    assert_eq!(set[0]["secret_token"], "a-secret-of-the-hook");
    let url = format!("http://{port}/hook");
    let bring = async |secret: Option<&str>, body: &str| double::post(&url, secret, body).await;
    let mut update = text(7, "hello");
    update["update_id"] = json!(1);
    let update = update.to_string();
    for wrong in [None, Some(""), Some("a-secret-of-the-hoo"), Some("A-secret-of-the-hook")] {
        assert_eq!(bring(wrong, &update).await, 401, "{wrong:?}");
    }
    assert_eq!(bench.host.events(), []);
    let right = Some("a-secret-of-the-hook");
    assert_eq!(bring(right, "{").await, 400);
    assert_eq!(bring(right, &" ".repeat(crate::limits::UPDATE_BYTES + 1)).await, 413);
    for unread in
        ["{}", "[]", "null", r#"{"update_id":"1","message":7}"#, r#"{"update_id":9,"something_new":{"id":1}}"#]
    {
        assert_eq!(bring(right, unread).await, 200, "{unread}: it is of no use to bring it again");
    }
    assert_eq!(bench.host.events(), []);
    tokio::time::pause();
    assert_eq!(double::post_part(&url, right, &update, update.len() + 1).await, 408);
    tokio::time::resume();
    bench.host.refuse(vec![HostError::Unavailable("full".into())]);
    assert_eq!(bring(right, &update).await, 503);
    assert_eq!(bring(right, &update).await, 200);
    assert_eq!(bring(right, &update).await, 200);
    assert_eq!(bench.host.events().len(), 1);
    assert_eq!(bench.telegram.calls("getUpdates").len(), 0);
}
