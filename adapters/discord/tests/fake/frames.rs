//! Frames of the gateway: of people side by side, of one person in order, and never in the way of heartbeats.

use std::time::Duration;

use formwright_chat::{Action, Adapter as _, conformance};
use formwright_discord::Transport;
use formwright_fakes::discord::{Answer, Options};
use serde_json::{Value, json};

use crate::{Stage, delivery, options, said, unlimited};

#[tokio::test]
async fn one_person_whose_event_takes_long_holds_up_nobody_and_no_heartbeat() {
    let options = Options { heartbeat: Duration::from_millis(100), ..unlimited() };
    let stage = Stage::with(options, Transport::Gateway).await;
    let (ada, ben) = (stage.fake.person("Ada"), stage.fake.person("Ben"));
    stage.host.stall(&ada.id());
    for words in ["one", "two", "three"] {
        ada.writes(words).await;
    }
    ben.writes("four").await;
    assert_eq!(said(&stage.event(1).await), "four");
    stage.fake.beats(stage.fake.heartbeats() + 3).await;
    stage.host.go_on();
    let words: Vec<String> = stage.host.wait_for_events(4).await.iter().map(said).collect();
    assert_eq!(words, ["four", "one", "two", "three"], "what one person wrote stays in its order");
    assert_eq!(stage.fake.sessions(), (1, 0));
    stage.fine();
}

#[tokio::test]
async fn more_than_can_be_stored_costs_the_connection_and_no_event() {
    let stage = Stage::set().await;
    let (ada, ben) = (stage.fake.person("Ada"), stage.fake.person("Ben"));
    stage.host.stall(&ada.id());
    let count = 1300;
    for no in 0..count {
        ada.writes(&format!("words {no}")).await;
    }
    ben.writes("and mine").await;
    stage.host.go_on();
    let events = stage.host.wait_for_events(count + 1).await;
    let words: Vec<String> = events.iter().filter(|event| event.user.id.as_str() == ada.id()).map(said).collect();
    assert_eq!(words, (0..count).map(|no| format!("words {no}")).collect::<Vec<_>>());
    assert_eq!(stage.fake.sessions(), (1, 1), "it was taken up where everything was stored");
}

#[tokio::test]
async fn frames_that_cannot_be_read_are_passed_over() {
    let stage = Stage::set().await;
    let event = |event: &str, data: Value| json!({"op": 0, "t": event, "s": null, "d": data});
    let nonsense = [
        json!("rubbish"),
        json!([]),
        json!({}),
        json!({"op": 99, "s": null, "t": null, "d": null}),
        event("MESSAGE_CREATE", json!({})),
        event("MESSAGE_CREATE", json!("hello")),
        event("INTERACTION_CREATE", json!({"id": 7, "type": "x"})),
        event("SOMETHING_NEW", json!({"id": "7"})),
    ];
    nonsense.into_iter().for_each(|frame| stage.fake.sends_nonsense(frame));
    stage.fake.person("Ada").writes("hello").await;
    assert_eq!(said(&stage.event(1).await), "hello");
    assert_eq!(stage.host.events().len(), 1);
    stage.fine();
}

#[tokio::test]
async fn after_a_stop_in_the_midst_nothing_is_missed_that_was_not_stored() {
    let stage = Stage::set().await;
    let (ada, ben) = (stage.fake.person("Ada"), stage.fake.person("Ben"));
    stage.host.refuse(vec![formwright_chat::HostError::Unavailable("disk".to_owned())]);
    ada.writes("one").await;
    ben.writes("two").await;
    // Ben's is stored while Ada's waits for another try; the stop comes before or after that.
    stage.event(1).await;
    let stage = stage.restarts(async |_| {}).await;
    let mut words: Vec<String> = stage.host.wait_for_events(2).await.iter().map(said).collect();
    words.sort();
    assert_eq!(words, ["one", "two"]);
}

#[tokio::test]
async fn a_reply_waits_for_the_answer_to_the_press_and_the_press_is_drawn_once() {
    let stage = Stage::set().await;
    let ada = stage.fake.person("Ada").in_channel("lunch");
    ada.runs("/pizza-order").await;
    stage.reply(&stage.event(1).await, 'a', &conformance::one_of(3)).await.unwrap();
    stage.fake.next_answers_to("/callback", vec![Answer::Slow(Duration::from_millis(400))]);
    let (pressed, replied) = tokio::join!(ada.presses("Option 2"), async {
        stage.reply(&stage.event(2).await, 'b', &conformance::review(2)).await
    });
    let ((), ()) = (pressed, replied.unwrap());
    ada.sees("✓ Option 2").await;
    ada.sees("Is everything right?").await;
    let requests = stage.fake.requests();
    let drawn = requests.iter().filter(|line| line.starts_with("PATCH") && !line.ends_with("@original")).count();
    assert_eq!(drawn, 0, "{requests:#?}");
    stage.fine();
}

#[tokio::test]
async fn a_press_whose_answer_was_refused_is_drawn_beside_the_reply() {
    let stage = Stage::set().await;
    let ada = stage.fake.person("Ada").in_channel("lunch");
    ada.writes("@Formwright hello").await;
    stage.reply(&stage.event(1).await, 'a', &conformance::one_of(3)).await.unwrap();
    stage.fake.next_answers_to("/callback", vec![Answer::Refused(404, 10_062)]);
    let reply = async {
        let event = stage.event(2).await;
        assert_eq!(options(&event), [1]);
        // The interaction was never answered, so nothing can follow it: the channel is next.
        let mut reply = delivery(&event, 'b', &conformance::review(2));
        while stage.adapter.deliver(&reply).await.is_err() {
            reply.attempt += 1;
        }
    };
    tokio::join!(ada.presses("Option 2"), reply);
    ada.sees("Is everything right?").await;
    ada.sees_no_more("Option 3").await;
}

#[tokio::test]
async fn as_many_connections_are_made_as_discord_asks_for_and_as_many_at_once_as_it_allows() {
    let identify_every = Duration::from_secs(5);
    let options = Options { shards: 70, max_concurrency: 70, identify_every, ..unlimited() };
    let stage = Stage::with(options, Transport::Gateway).await;
    stage.fake.reconnected(70, 0).await;
    stage.fake.person("Ada").writes("hello").await;
    assert_eq!(said(&stage.event(1).await), "hello");
    stage.fine();
}

#[tokio::test]
async fn commands_whose_language_is_refused_are_registered_without_it() {
    let fake = formwright_fakes::discord::DiscordFake::start_with(unlimited()).await;
    fake.next_answers_to("PUT /applications", vec![Answer::Refused(400, 50_035)]);
    let stage = Stage::over(fake, formwright_chat::Access::default()).await;
    assert_eq!(stage.fake.commands(), ["form", "injury-report", "pizza-order", "forget"]);
    assert_eq!(stage.fake.translated_commands(), 0);
    let tries = stage.fake.requests().iter().filter(|line| line.starts_with("PUT /applications")).count();
    assert_eq!(tries, 2);
}

#[tokio::test]
async fn a_message_that_was_changed_is_told_as_it_is_now() {
    let stage = Stage::set().await;
    let (ada, ben) = (stage.fake.person("Ada"), stage.fake.person("Ben").in_channel("lunch"));
    ada.writes("two pizas").await;
    let first = stage.event(1).await;
    ada.edits("two pizas", "two pizzas").await;
    ben.writes("is anybody there?").await;
    ben.edits("is anybody there?", "is anybody here?").await;
    let edited = stage.event(2).await;
    let message = first.terms.message.clone().unwrap();
    assert_eq!(edited.action, Action::Edit { message, text: "two pizzas".to_owned() });
    assert_ne!(edited.id, first.id);
    ada.writes("and a cola").await;
    assert_eq!(said(&stage.event(3).await), "and a cola", "talk among others is left alone, changed or not");
    stage.fine();
}
