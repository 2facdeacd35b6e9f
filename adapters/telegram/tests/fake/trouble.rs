//! What goes wrong: updates twice, a store that is full, pauses, lost connections, a bot that is blocked.

use std::sync::Arc;
use std::time::Duration;

use formwright_chat::{Adapter as _, Delivery, DeliveryError, HostError, Nonce, Pressed, Token};
use formwright_fakes::host::FakeHost;
use formwright_fakes::telegram::{Fault, TelegramFake, post};
use formwright_telegram::{TelegramAdapter, TelegramSettings};

use crate::bench::{Bench, pizzas, pressed, said, toppings, words};

#[tokio::test]
async fn updates_that_come_twice_count_once_also_after_a_restart() {
    let mut bench = Bench::start().await;
    let (ada, hello) = bench.meets("Ada").await;
    bench.replies(&hello, pizzas(1)).await;
    ada.presses("Diavola").await;
    bench.event(2).await;
    bench.fake.takes_everything().await;
    bench.fake.redelivers();
    bench.restart().await;
    ada.writes("and one more").await;
    assert_eq!(said(&bench.event(3).await), "and one more");
    bench.replies(&hello, words(2, "How many?")).await;
    ada.sees("✓ Diavola").await;
    assert_eq!(bench.fake.refusals_but(&["query is too old", "terminated by other"]), Vec::<String>::new());
}

#[tokio::test]
async fn presses_that_come_twice_alert_nobody_and_take_nothing_back() {
    let mut bench = Bench::start().await;
    let (ada, hello) = bench.meets("Ada").await;
    bench.replies(&hello, toppings(1)).await;
    ada.picks(&["Olives", "Ham"]).await;
    ada.sees("☑ Ham").await;
    // The process ends before Telegram knows what was taken: every tick comes once more.
    ends_before_telegram_knows(&mut bench).await;
    ada.presses("Done (2)").await;
    let token = Token::new(&Nonce::new(1), 0);
    let both = Pressed::Options { tokens: vec![token.option(0), token.option(1)] };
    assert_eq!(pressed(&bench.event(2).await).value, both);
    bench.replies(&hello, words(2, "How many?")).await;
    ada.sees("✓ Olives, Ham").await;
    ends_before_telegram_knows(&mut bench).await;
    ada.writes("two").await;
    assert_eq!(said(&bench.event(3).await), "two");
    assert_eq!(ada.told(), Vec::<String>::new(), "{}", ada.screen());
    assert!(ada.does_see("✓ Olives, Ham"));
    assert_eq!(bench.fake.refusals_but(&["message is not modified", "terminated by other"]), Vec::<String>::new());
}

async fn ends_before_telegram_knows(bench: &mut Bench) {
    bench.fake.takes_everything().await;
    bench.stop().await;
    bench.host.forget_note("telegram", "offset");
    bench.fake.redelivers_unanswered();
    bench.restart().await;
    bench.fake.answers_all_presses().await;
}

#[tokio::test]
async fn what_the_store_cannot_take_is_asked_for_again_in_order() {
    let bench = Bench::start().await;
    let ada = bench.fake.person("Ada").in_private();
    let broken = || HostError::Unavailable("the disk is full".to_owned());
    bench.host.refuse(vec![broken(), broken()]);
    ada.writes("one").await;
    ada.writes("two").await;
    let events = bench.host.wait_for_events(2).await;
    let texts: Vec<String> = events.iter().map(said).collect();
    assert_eq!(texts, ["one", "two"]);
    bench.fake.takes_everything().await;
    bench.ends_well().await;
}

#[tokio::test]
async fn refusals_of_the_product_are_told() {
    let bench = Bench::start().await;
    let ada = bench.fake.person("Ada").in_private();
    bench.host.refuse(vec![HostError::Refused("That is too long.".to_owned())]);
    ada.writes("a very long story").await;
    ada.sees("That is too long.").await;
    bench.fake.takes_everything().await;
    assert_eq!(bench.host.events(), Vec::new());
    bench.ends_well().await;
}

#[tokio::test]
async fn pauses_are_kept_and_trouble_is_tried_again() {
    let bench = Bench::start().await;
    let (ada, hello) = bench.meets("Ada").await;
    let delivery = bench.delivery(&hello, pizzas(1));
    bench.fake.next_answers_to("sendMessage", [Fault::TooMany(2)]);
    let wait = bench.adapter.deliver(&delivery).await.unwrap_err();
    assert!(
        matches!(wait, DeliveryError::Later { after: Some(after), .. } if after == Duration::from_secs(2)),
        "{wait:?}"
    );
    bench.fake.next_answers_to("sendMessage", [Fault::Status(502), Fault::Drop]);
    // It waits for the pause to end by itself.
    for attempt in 1..=2 {
        let again = Delivery { attempt, ..delivery.clone() };
        assert!(matches!(bench.adapter.deliver(&again).await, Err(DeliveryError::Later { .. })));
    }
    bench.adapter.deliver(&Delivery { attempt: 3, ..delivery.clone() }).await.unwrap();
    bench.adapter.deliver(&Delivery { attempt: 4, ..delivery }).await.unwrap();
    assert_eq!(ada.count(), 1, "a delivery that is tried again is not shown again");
    // After an answer that was lost it is looked for the message first.
    assert_eq!(bench.fake.refusals_but(&["message to edit not found"]), Vec::<String>::new());
}

#[tokio::test]
async fn buttons_whose_sending_went_without_an_answer_are_found_again() {
    let bench = Bench::start().await;
    let (ada, hello) = bench.meets("Ada").await;
    let delivery = bench.delivery(&hello, pizzas(1));
    bench.fake.next_answers_to("sendMessage", [Fault::DropAfter]);
    assert!(matches!(bench.adapter.deliver(&delivery).await, Err(DeliveryError::Later { .. })));
    bench.adapter.deliver(&Delivery { attempt: 1, ..delivery }).await.unwrap();
    assert_eq!(ada.count(), 1, "{}", ada.screen());
    ada.presses("Diavola").await;
    bench.event(2).await;
    bench.replies(&hello, words(2, "How many?")).await;
    ada.sees("✓ Diavola").await;
    assert_eq!(bench.fake.refusals_but(&["message is not modified"]), Vec::<String>::new());
}

#[tokio::test]
async fn a_message_that_is_there_twice_counts_once_and_loses_its_buttons() {
    let bench = Bench::start().await;
    let (ada, hello) = bench.meets("Ada").await;
    let delivery = bench.delivery(&hello, pizzas(1));
    bench.fake.next_answers_to("sendMessage", [Fault::DropAfter]);
    assert!(bench.adapter.deliver(&delivery).await.is_err());
    // Nobody can look for it: the one who looks gets no answer either.
    bench.fake.next_answers_to("editMessageReplyMarkup", [Fault::Drop]);
    bench.adapter.deliver(&Delivery { attempt: 1, ..delivery }).await.unwrap();
    assert_eq!(ada.count(), 2, "{}", ada.screen());
    ada.presses("Diavola").await;
    bench.event(2).await;
    bench.replies(&hello, words(2, "How many?")).await;
    ada.sees("✓ Diavola").await;
    ada.presses("Margherita").await;
    ada.is_told("already answered").await;
    ada.no_longer_sees("Margherita").await;
    assert_eq!(bench.host.events().len(), 2, "the second one is no answer");
    bench.ends_well().await;
}

#[tokio::test]
async fn a_lost_edit_does_not_hold_the_conversation() {
    let bench = Bench::start().await;
    let (ada, hello) = bench.meets("Ada").await;
    bench.replies(&hello, pizzas(1)).await;
    ada.presses("Diavola").await;
    bench.event(2).await;
    bench.fake.next_answers_to("editMessageText", [Fault::DropAfter]);
    bench.adapter.deliver(&bench.delivery(&hello, words(2, "How many?"))).await.unwrap();
    // The edit had happened: that the message is not modified is no error.
    ada.sees("✓ Diavola").await;
    assert_eq!(ada.count(), 2);
    assert_eq!(bench.fake.refusals_but(&["message is not modified"]), Vec::<String>::new());
}

#[tokio::test]
async fn who_has_blocked_the_bot_gets_nothing_more() {
    let bench = Bench::start().await;
    let (ada, hello) = bench.meets("Ada").await;
    ada.blocks_bot(true).await;
    let blocked = bench.adapter.deliver(&bench.delivery(&hello, pizzas(1))).await;
    assert!(matches!(blocked, Err(DeliveryError::Unwanted { .. })), "{blocked:?}");
    assert_eq!(bench.fake.refusals_but(&["blocked by the user"]), Vec::<String>::new());
}

#[tokio::test]
async fn polling_goes_on_after_dropped_sockets_outages_and_another_poller() {
    let bench = Bench::start().await;
    let ada = bench.fake.person("Ada").in_private();
    bench.fake.drop_sockets();
    ada.writes("one").await;
    bench.event(1).await;
    bench.fake.is_down(true);
    ada.writes("two").await;
    bench.fake.is_down(false);
    bench.event(2).await;
    let other = format!("{}/bot{}/getUpdates", bench.fake.url(), bench.fake.token());
    bench.fake.takes_everything().await;
    let _ = post(&other, &[], b"{}").await;
    ada.writes("three").await;
    assert_eq!(said(&bench.event(3).await), "three");
    assert_eq!(bench.fake.refusals_but(&["terminated by other getUpdates"]), Vec::<String>::new());
}

#[tokio::test]
async fn a_webhook_of_before_is_taken_away_for_polling() {
    let fake = TelegramFake::start().await;
    let set = format!("{}/bot{}/setWebhook", fake.url(), fake.token());
    assert_eq!(post(&set, &[], br#"{"url": "https://old.example/hook"}"#).await, Ok(200));
    let ada = fake.person("Ada").in_private();
    ada.writes("waiting").await;
    let bench = Bench::start_over(fake, TelegramSettings::default()).await;
    assert_eq!(said(&bench.event(1).await), "waiting");
    assert_eq!(bench.fake.webhook(), None);
    bench.ends_well().await;
}

#[tokio::test]
async fn a_token_that_telegram_does_not_know_is_named() {
    let fake = TelegramFake::start().await;
    let settings = TelegramSettings { token: "1:wrong".to_owned(), api_url: fake.url(), ..TelegramSettings::default() };
    let adapter = Arc::new(TelegramAdapter::new(settings).unwrap());
    let host: Arc<FakeHost> = Arc::default();
    let error = adapter.run(host, Box::pin(std::future::pending())).await.unwrap_err();
    let error = error.to_string();
    assert!(error.contains("telegram.token") && !error.contains("wrong"), "{error}");
}
