//! Rate limits, errors, lost answers, events twice and in disorder, a store that is down.

use std::time::Duration;

use formwright_chat::words::{Word, say};
use formwright_chat::{Adapter as _, DeliveryError, HostError, conformance};
use formwright_discord::Transport;
use formwright_fakes::discord::{Answer, Options};
use rstest::rstest;

use crate::{Stage, delivery, options, said, unlimited};

#[rstest]
#[case::of_the_route(Answer::Limited { after: 1.5, global: false }, 1500)]
#[case::of_everything(Answer::Limited { after: 0.25, global: true }, 250)]
#[case::at_once(Answer::Limited { after: 0.0, global: false }, 0)]
#[case::long(Answer::Limited { after: 1337.0, global: false }, 1_337_000)]
#[case::of_the_proxy(Answer::LimitedByProxy { after: 65 }, 65_000)]
#[case::for_unknown_time(Answer::LimitedBare, 1000)]
#[tokio::test]
async fn a_limit_is_waited_out_by_the_outbox(#[case] answer: Answer, #[case] millis: u64) {
    let stage = Stage::set().await;
    let ada = stage.fake.person("Ada");
    ada.writes("hello").await;
    let event = stage.event(1).await;
    stage.fake.next_answers_to(&format!("/channels/{}/messages", ada.channel_id()), vec![answer]);
    let refused = stage.reply(&event, 'a', &conformance::one_of(3)).await.unwrap_err();
    let DeliveryError::Later { after: Some(after), .. } = refused else { panic!("{refused:?}") };
    assert_eq!(after, Duration::from_millis(millis));
    assert_eq!(ada.messages().len(), 1);
}

#[tokio::test]
async fn what_was_limited_is_sent_later_and_once() {
    let stage = Stage::set().await;
    let ada = stage.fake.person("Ada");
    ada.writes("hello").await;
    let event = stage.event(1).await;
    let limited = Answer::Limited { after: 0.05, global: false };
    stage.fake.next_answers_to("/messages", vec![limited.clone(), limited]);
    let reply = delivery(&event, 'a', &conformance::one_of(3));
    let mut tries = 0;
    while stage.adapter.deliver(&reply).await.is_err() {
        tries += 1;
    }
    assert_eq!((tries, ada.messages().len()), (2, 2));
    ada.presses("Option 1").await;
    assert_eq!(options(&stage.event(2).await), [0]);
    stage.fine();
}

#[rstest]
#[case::down(Answer::Status(500))]
#[case::gone(Answer::Status(503))]
#[case::broken(Answer::Drop)]
#[case::lost(Answer::Lost)]
#[tokio::test]
async fn what_failed_is_sent_again_and_shown_once(#[case] answer: Answer) {
    let stage = Stage::set().await;
    let ada = stage.fake.person("Ada");
    ada.writes("hello").await;
    let event = stage.event(1).await;
    stage.fake.next_answers_to(&format!("/channels/{}/messages", ada.channel_id()), vec![answer]);
    let reply = delivery(&event, 'a', &conformance::one_of(3));
    let failed = stage.adapter.deliver(&reply).await.unwrap_err();
    assert!(matches!(failed, DeliveryError::Later { .. }), "{failed:?}");
    stage.adapter.deliver(&reply).await.unwrap();
    stage.adapter.deliver(&reply).await.unwrap();
    assert_eq!(ada.messages().len(), 2, "{}", ada.screen());
    ada.presses("Option 1").await;
    ada.sees("✓ Option 1").await;
    stage.fine();
}

#[tokio::test]
async fn who_blocks_the_bot_has_answered() {
    let stage = Stage::set().await;
    let ada = stage.fake.person("Ada");
    ada.writes("hello").await;
    let event = stage.event(1).await;
    ada.blocks_the_bot();
    let answered = stage.reply(&event, 'a', &conformance::one_of(3)).await.unwrap_err();
    assert!(matches!(answered, DeliveryError::Unwanted { .. }), "{answered:?}");
    let refusals = messages_refused(&stage);
    assert!(refusals.len() == 1 && refusals[0].contains("50007"), "tried once: {refusals:?}");
}

#[rstest]
#[case::hidden("50001", |stage: &Stage| stage.fake.hides_channel("lunch"))]
#[case::muted("50013", |stage: &Stage| stage.fake.mutes_in("lunch"))]
#[case::deleted("10003", |stage: &Stage| stage.fake.deletes_channel("lunch"))]
#[tokio::test]
async fn where_the_bot_may_not_write_it_asks_in_private(#[case] code: &str, #[case] end: fn(&Stage)) {
    let stage = Stage::set().await;
    let ada = stage.fake.person("Ada").in_channel("lunch");
    ada.writes("@Formwright hello").await;
    let event = stage.event(1).await;
    end(&stage);
    for id in ['a', 'b'] {
        stage.reply(&event, id, &conformance::one_of(3)).await.unwrap();
    }
    let asked = ada.in_private();
    asked.sees(&format!("{}\n", say(Word::MayNotWrite, "en"))).await;
    asked.presses("Option 2").await;
    let answer = stage.event(2).await;
    assert_eq!((options(&answer), answer.place), (vec![1], event.place));
    let refusals = messages_refused(&stage);
    assert!(refusals.len() == 1 && refusals[0].contains(code), "a channel is not tried again: {refusals:?}");
}

/// The messages that were refused: whether the bot may show that it is writing is another matter.
fn messages_refused(stage: &Stage) -> Vec<String> {
    stage.fake.refusals().into_iter().filter(|line| line.contains("/messages")).collect()
}

#[tokio::test]
async fn a_token_that_is_refused_stops_all_sending_at_once() {
    let stage = Stage::set().await;
    let people: Vec<_> = ["Ada", "Ben", "Cleo"].map(|name| stage.fake.person(name)).into();
    for person in &people {
        person.writes("hello").await;
    }
    let events = stage.host.wait_for_events(3).await;
    stage.fake.next_answers_to("POST /channels", vec![Answer::Refused(401, 0)]);
    // Whatever shows that the bot is writing may be what is refused.
    while stage.fake.answers_left() > 0 {
        let _ = stage.reply(&events[0], 'a', &conformance::one_of(3)).await;
    }
    let before = stage.fake.requests().len();
    for (event, id) in events.iter().zip(['b', 'c', 'd']) {
        let waits = stage.reply(event, id, &conformance::one_of(3)).await.unwrap_err();
        assert!(matches!(waits, DeliveryError::Later { .. }), "{waits:?}");
    }
    assert_eq!(stage.fake.requests().len(), before);
    assert!(stage.adapter.trouble().unwrap().contains("discord.token"), "health says so");
}

#[tokio::test]
async fn six_messages_in_a_row_keep_to_the_limit() {
    let options = Options { channel_rate: (5, Duration::from_secs(5)), ..unlimited() };
    let stage = Stage::with(options, Transport::Gateway).await;
    let ada = stage.fake.person("Ada");
    ada.writes("hello").await;
    let event = stage.event(1).await;
    let mut sent = 0;
    for id in ['a', 'b', 'c', 'd', 'e', 'f'] {
        let words = formwright_chat::Reply { say: vec![format!("words {id}")], ..Default::default() };
        sent += usize::from(stage.reply(&event, id, &words).await.is_ok());
    }
    assert_eq!(sent, 6);
    stage.fine();
}

#[tokio::test]
async fn events_that_come_twice_count_once() {
    let stage = Stage::set().await;
    let ada = stage.fake.person("Ada");
    ada.writes("one").await;
    stage.reply(&stage.event(1).await, 'a', &conformance::one_of(3)).await.unwrap();
    ada.presses("Option 2").await;
    stage.event(2).await;
    stage.fake.redelivers(4);
    ada.writes("two").await;
    stage.event(3).await;
    assert_eq!(stage.host.events().len(), 3);
    ada.presses_old("Option 3").await;
    ada.sees_alone("already answered").await;
    // The press that came twice was answered already: Discord says so, and nothing else happens.
    let refusals = stage.fake.refusals();
    assert!(refusals.iter().all(|line| line.contains("40060")), "{refusals:?}");
}

#[tokio::test]
async fn events_in_disorder_are_all_taken() {
    let stage = Stage::set().await;
    let ada = stage.fake.person("Ada");
    stage.fake.holds_events();
    for words in ["one", "two", "three"] {
        ada.writes(words).await;
    }
    stage.fake.releases_reversed();
    let mut words: Vec<String> = stage.host.wait_for_events(3).await.iter().map(said).collect();
    words.sort();
    assert_eq!(words, ["one", "three", "two"]);
    stage.fine();
}

#[tokio::test]
async fn a_message_waits_for_a_store_that_is_down_and_a_press_is_told() {
    let stage = Stage::set().await;
    let ada = stage.fake.person("Ada");
    let down = || HostError::Unavailable("disk".to_owned());
    stage.host.refuse(vec![down(), down()]);
    ada.writes("one").await;
    assert_eq!(said(&stage.event(1).await), "one");
    stage.reply(&stage.event(1).await, 'a', &conformance::one_of(3)).await.unwrap();
    stage.host.refuse(vec![down()]);
    ada.presses("Option 2").await;
    ada.sees_alone("took too long").await;
    ada.presses("Option 2").await;
    assert_eq!(options(&stage.event(2).await), [1]);
    stage.fine();
}

#[rstest]
#[case::busy(HostError::Busy { retry_after: 5 }, "a lot at once")]
#[case::refused(HostError::Refused("Not today.".to_owned()), "Not today.")]
#[tokio::test]
async fn a_refusal_is_told_to_the_person(#[case] error: HostError, #[case] words: &str) {
    let stage = Stage::set().await;
    let ada = stage.fake.person("Ada");
    stage.host.refuse(vec![error]);
    ada.writes("one").await;
    ada.sees(words).await;
    assert_eq!(stage.host.events().len(), 0);
    stage.fine();
}

#[tokio::test]
async fn a_right_to_answer_that_has_ended_leaves_other_ways() {
    let options = Options { token_life: Duration::ZERO, ..unlimited() };
    let stage = Stage::with(options, Transport::Gateway).await;
    let ada = stage.fake.person("Ada").in_channel("lunch");
    ada.runs("/pizza-order").await;
    let opened = stage.event(1).await;
    stage.reply(&opened, 'a', &conformance::one_of(3)).await.unwrap();
    ada.sees("What is field 0?").await;
    let mut secret = conformance::asking(formwright_chat::Input::Email);
    secret.private = true;
    stage.reply(&opened, 'b', &secret).await.unwrap();
    ada.in_private().sees("What is field 0?").await;
    assert!(stage.fake.refusals().iter().all(|line| line.contains("50027")), "{:?}", stage.fake.refusals());
}

#[tokio::test]
async fn of_two_replies_in_a_row_only_the_last_wears_widgets() {
    let stage = Stage::set().await;
    let ada = stage.fake.person("Ada");
    ada.writes("hello").await;
    let event = stage.event(1).await;
    let mut first = delivery(&event, 'a', &conformance::one_of(3));
    first.overtaken = true;
    stage.adapter.deliver(&first).await.unwrap();
    stage.reply(&event, 'b', &conformance::one_of(2)).await.unwrap();
    assert_eq!(ada.screen().matches("Choose").count(), 1, "{}", ada.screen());
    stage.reply(&event, 'c', &conformance::review(2)).await.unwrap();
    ada.sees_no_more("Choose").await;
    ada.presses("Confirm").await;
    ada.sees("✓ Confirm").await;
    stage.fine();
}

#[tokio::test]
async fn two_people_in_one_channel_never_meet() {
    let stage = Stage::set().await;
    let (ada, ben) = (stage.fake.person("Ada").in_channel("lunch"), stage.fake.person("Ben").in_channel("lunch"));
    ada.writes("@Formwright hi").await;
    let adas = stage.event(1).await;
    ben.writes("@Formwright hi").await;
    let bens = stage.event(2).await;
    stage.reply(&adas, 'a', &conformance::one_of(3)).await.unwrap();
    stage.reply(&bens, 'b', &conformance::one_of(3)).await.unwrap();
    // The newest question is Ben's: Ada presses there first, then answers her own in words.
    ada.presses("Option 1").await;
    ada.sees_alone("somebody else").await;
    ada.writes("Option 3").await;
    ben.presses("Option 2").await;
    let events = stage.host.wait_for_events(4).await;
    for event in &events[2..] {
        if event.user.id.as_str() == ada.id() {
            assert_eq!(said(event), "Option 3");
        } else {
            assert_eq!(options(event), [1]);
        }
    }
    stage.reply(&events[0], 'c', &conformance::review(2)).await.unwrap();
    ben.sees("Is everything right?").await;
    ben.presses_of(&ada, "Confirm").await;
    ben.sees_alone("somebody else").await;
    assert_eq!(stage.host.events().len(), 4);
    stage.fine();
}

#[tokio::test]
async fn long_words_whose_second_half_was_limited_are_shown_once() {
    let stage = Stage::set().await;
    let ada = stage.fake.person("Ada").in_channel("lunch");
    let words = (0..90).map(|no| format!("sentence {no} of many, each with some words")).collect::<Vec<_>>().join("\n");
    for (id, private) in [('a', false), ('b', true)] {
        ada.runs("/pizza-order").await;
        let opened = stage.host.events().pop().unwrap();
        let limited = Answer::Limited { after: 0.0, global: false };
        let pass = Answer::Slow(Duration::ZERO);
        // Private words go all by the same route, open ones begin where the person was told to wait.
        let answers = if private { vec![pass, limited] } else { vec![limited] };
        stage.fake.next_answers_to("POST /webhooks", answers);
        let mut reply = conformance::one_of(3);
        (reply.say, reply.private) = (vec![words.clone()], private);
        let reply = delivery(&opened, id, &reply);
        while stage.adapter.deliver(&reply).await.is_err() {}
        assert_eq!(stage.fake.answers_left(), 0);
        let shown = ada.messages().into_iter().filter(|message| message.only_for_me == private);
        let shown: String = shown.map(|message| message.drawn).collect();
        assert_eq!(shown.matches("sentence 0 ").count(), 1, "private: {private}");
        assert_eq!(shown.matches("sentence 89 ").count(), 1, "private: {private}");
    }
    stage.fine();
}
