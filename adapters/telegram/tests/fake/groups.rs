//! In groups: who is heard, whose button it is, and what is asked in private.

use std::sync::Arc;

use formwright_chat::{Action, Adapter as _, Delivery, Reply, conformance};
use formwright_fakes::telegram::{Rates, Settings, TelegramFake};
use formwright_telegram::TelegramSettings;
use serde_json::json;

use crate::bench::{Bench, pizzas, said, words};

#[tokio::test]
async fn another_persons_button_is_nobody_elses() {
    let bench = Bench::start().await;
    let office = bench.fake.group("Office");
    let (ada, ben) = (bench.fake.person("Ada").in_group(&office), bench.fake.person("Ben").in_group(&office));
    ada.writes("@FormBot pizza").await;
    let event = bench.event(1).await;
    assert_eq!(said(&event), "pizza");
    bench.replies(&event, pizzas(1)).await;
    ben.presses_of(&ada, "Diavola").await;
    ben.is_told("somebody else").await;
    assert_eq!(bench.host.events().len(), 1);
    ada.presses("Diavola").await;
    assert_eq!(bench.event(2).await.user.id, event.user.id);
    bench.ends_well().await;
}

#[tokio::test]
async fn in_a_group_the_input_line_is_opened_for_who_is_asked() {
    let bench = Bench::start().await;
    let office = bench.fake.supergroup("Office");
    let (ada, ben) = (bench.fake.person("Ada").in_group(&office), bench.fake.person("Ben").in_group(&office));
    ada.uses("pizza_order").await;
    let event = bench.event(1).await;
    assert_eq!(event.action, Action::Open { form: Some("pizza-order".to_owned()) });
    bench.replies(&event, words(1, "How many?")).await;
    ada.is_asked_to_reply().await;
    ben.writes("let us eat").await;
    ada.writes("two").await;
    assert_eq!(said(&bench.event(2).await), "two");
    bench.ends_well().await;
}

#[tokio::test]
async fn topics_have_sessions_of_their_own() {
    let bench = Bench::start().await;
    let office = bench.fake.forum("Office");
    let ada = bench.fake.person("Ada");
    let (lunch, sick) = (ada.in_topic(&office, "Lunch"), ada.in_topic(&office, "Sick"));
    lunch.writes("@FormBot pizza").await;
    let pizza = bench.event(1).await;
    sick.writes("@FormBot my arm hurts").await;
    let injury = bench.event(2).await;
    assert_ne!(pizza.place, injury.place);
    bench.replies(&pizza, pizzas(1)).await;
    bench.replies(&injury, words(2, "When was it?")).await;
    lunch.sees("Which pizza?").await;
    sick.sees("When was it?").await;
    assert!(!sick.does_see("Which pizza?") && !lunch.does_see("When was it?"));
    bench.ends_well().await;
}

#[tokio::test]
async fn a_sensitive_question_of_a_group_is_asked_in_private() {
    let bench = Bench::start().await;
    let office = bench.fake.group("Office");
    let ada = bench.fake.person("Ada").in_group(&office);
    ada.writes("@FormBot injury").await;
    let event = bench.event(1).await;
    bench.replies(&event, Reply { private: true, ..words(1, "What is your diagnosis?") }).await;
    assert!(!ada.does_see("diagnosis"));
    let link = ada.buttons()[0][0].clone();
    let aside = ada.follows(&link).await;
    aside.sees("What is your diagnosis?").await;
    aside.writes("a broken arm").await;
    let answer = bench.event(2).await;
    assert_eq!((said(&answer).as_str(), &answer.place), ("a broken arm", &event.place));
    aside.no_longer_sees_own("a broken arm").await;
    bench.replies(&event, words(2, "When was it?")).await;
    ada.sees("When was it?").await;
    // The bot may write to strangers no sooner than they have begun.
    assert_eq!(bench.fake.refusals_but(&["can't initiate conversation"]), Vec::<String>::new());
}

#[tokio::test]
async fn what_is_nobodys_answer_is_nothing() {
    let bench = Bench::start().await;
    let office = bench.fake.group("Office");
    office.has_bot_as_admin(true);
    let ada = bench.fake.person("Ada").in_group(&office);
    bench.fake.other_bot("Loud").in_group(&office).writes("@FormBot pizza").await;
    ada.writes("idle talk").await;
    ada.edits("@FormBot pizza").await;
    office.welcomes(&bench.fake.person("Ben"));
    bench.fake.brings(json!({"poll": {"id": "1"}}));
    bench.fake.brings(json!({"message": {"message_id": 1, "date": 0, "chat": {"id": 5, "type": "moon"}}}));
    bench.fake.brings(json!({"message": "rubbish"}));
    bench.fake.takes_everything().await;
    assert_eq!(bench.host.events(), Vec::new());
    bench.ends_well().await;
}

#[tokio::test]
async fn a_group_that_moves_keeps_its_sessions() {
    let bench = Bench::start().await;
    let office = bench.fake.group("Office");
    let ada = bench.fake.person("Ada").in_group(&office);
    ada.writes("@FormBot pizza").await;
    let event = bench.event(1).await;
    ada.sees_typing().await;
    office.becomes_supergroup();
    bench.fake.takes_everything().await;
    bench.replies(&event, pizzas(1)).await;
    ada.presses("Diavola").await;
    assert_eq!(bench.event(2).await.place, event.place);
    bench.ends_well().await;
}

#[tokio::test]
async fn hostile_and_long_words_are_shown_whole_and_wake_nobody_up() {
    let fake = TelegramFake::start_with(Settings { rates: Rates::none(), ..Settings::default() }).await;
    let bench = Bench::start_over(fake, TelegramSettings::default()).await;
    let odd = |name: &str| name.starts_with("hostile") || name.ends_with(" 3001 characters");
    let replies: Vec<(String, Reply)> = conformance::replies().into_iter().filter(|(name, _)| odd(name)).collect();
    assert!(replies.len() > 10);
    let mut deliveries = Vec::new();
    for (no, (name, reply)) in replies.into_iter().enumerate() {
        let person = bench.fake.person(&format!("P{no}"));
        person.in_private().writes("hello").await;
        let home = bench.event(2 * no + 1).await;
        let group = bench.fake.group(&format!("G{no}"));
        person.in_group(&group).writes("@FormBot hello").await;
        let shared = bench.event(2 * no + 2).await;
        deliveries.push((name.clone(), bench.delivery(&home, reply.clone())));
        deliveries.push((name, bench.delivery(&shared, reply)));
    }
    let send = |(name, delivery): (String, Delivery)| {
        let adapter = Arc::clone(&bench.adapter);
        tokio::spawn(async move {
            let sent = adapter.deliver(&delivery).await;
            assert!(sent.is_ok(), "{name}: {sent:?}");
        })
    };
    let all: Vec<_> = deliveries.into_iter().map(send).collect();
    for one in all {
        one.await.unwrap();
    }
    bench.ends_well().await;
}

#[tokio::test]
async fn two_people_in_one_group_do_not_mix() {
    let bench = Bench::start().await;
    let office = bench.fake.supergroup("Office");
    let seats = ["Ada", "Ben"].map(|name| bench.fake.person(name).in_group(&office));
    let mut events = Vec::new();
    for (no, seat) in seats.iter().enumerate() {
        seat.writes("@FormBot pizza").await;
        events.push(bench.event(no + 1).await);
    }
    bench.replies(&events[0], words(1, "How many, Ada?")).await;
    bench.replies(&events[1], words(2, "How many, Ben?")).await;
    seats[1].is_asked_to_reply().await;
    seats[1].writes("five").await;
    assert_eq!(bench.event(3).await.user.id, events[1].user.id);
    seats[0].writes("six").await;
    let six = bench.event(4).await;
    assert_eq!((said(&six).as_str(), &six.user.id), ("six", &events[0].user.id));
    bench.ends_well().await;
}
