//! Connections to the gateway that end, fall silent, are taken up again, and are several.

use std::time::Duration;

use formwright_chat::{Adapter as _, conformance};
use formwright_discord::Transport;
use formwright_fakes::discord::Options;
use rstest::rstest;

use crate::{Stage, delivery, options, said, unlimited};

#[rstest]
#[case::vanished(|stage: &Stage| stage.fake.drop_sockets())]
#[case::asked_to(|stage: &Stage| stage.fake.asks_to_reconnect())]
#[case::closed(|stage: &Stage| stage.fake.closes_with(4000))]
#[case::invalid_and_resumable(|stage: &Stage| stage.fake.invalidates(true))]
#[tokio::test]
async fn a_connection_that_ends_is_taken_up_and_nothing_is_missed(#[case] end: fn(&Stage)) {
    let stage = Stage::set().await;
    let ada = stage.fake.person("Ada");
    ada.writes("one").await;
    stage.event(1).await;
    end(&stage);
    ada.writes("two").await;
    stage.fake.reconnected(1, 1).await;
    ada.writes("three").await;
    let events = stage.host.wait_for_events(3).await;
    assert_eq!(events.iter().map(said).collect::<Vec<_>>(), ["one", "two", "three"]);
    assert_eq!(stage.fake.sessions().0, 1, "the session was kept");
    stage.fine();
}

#[rstest]
#[case::invalid(|stage: &Stage| stage.fake.invalidates(false))]
#[case::timed_out(|stage: &Stage| stage.fake.closes_with(4009))]
#[case::too_far_back(|stage: &Stage| stage.fake.closes_with(4007))]
#[tokio::test]
async fn a_session_that_is_lost_begins_anew_and_the_channels_are_read(#[case] end: fn(&Stage)) {
    let stage = Stage::set().await;
    let ada = stage.fake.person("Ada").in_channel("lunch");
    ada.writes("@Formwright one").await;
    stage.reply(&stage.event(1).await, 'a', &conformance::one_of(3)).await.unwrap();
    stage.fake.gateway_down(true);
    end(&stage);
    stage.fake.forgets_sessions();
    ada.writes("two").await;
    stage.fake.gateway_down(false);
    stage.fake.reconnected(2, 0).await;
    assert_eq!(said(&stage.event(2).await), "two");
    ada.presses("Option 1").await;
    assert_eq!(stage.event(3).await.user.id.as_str(), ada.id());
    stage.fine();
}

#[tokio::test]
async fn a_silent_connection_is_left() {
    let heartbeat = Duration::from_millis(200);
    let stage = Stage::with(Options { heartbeat, ..unlimited() }, Transport::Gateway).await;
    stage.fake.beats(2).await;
    stage.fake.zombie(true);
    stage.fake.person("Ada").writes("unheard").await;
    stage.fake.beats(3).await;
    stage.fake.zombie(false);
    assert_eq!(said(&stage.event(1).await), "unheard");
    stage.fine();
}

#[rstest]
#[case::token(4004, "token")]
#[case::intents(4014, "Message Content")]
#[tokio::test]
async fn what_only_the_operator_can_mend_is_said_to_the_operator(#[case] code: u16, #[case] words: &str) {
    let stage = Stage::set().await;
    stage.fake.closes_with(code);
    let error = tokio::time::timeout(Duration::from_secs(10), stage.running).await.unwrap().unwrap().unwrap_err();
    let error = error.to_string();
    assert!(error.contains(words), "{error}");
}

#[tokio::test]
async fn a_restart_misses_nothing_and_doubles_nothing() {
    let stage = Stage::set().await;
    let ada = stage.fake.person("Ada").in_channel("lunch");
    ada.writes("@Formwright one").await;
    let first = delivery(&stage.event(1).await, 'a', &conformance::one_of(3));
    stage.adapter.deliver(&first).await.unwrap();
    let stage = stage.restarts(async |_| ada.writes("two").await).await;
    assert_eq!(said(&stage.event(2).await), "two");
    stage.adapter.deliver(&first).await.unwrap();
    assert_eq!(ada.messages().len(), 3, "{}", ada.screen());
    ada.presses("Option 3").await;
    assert_eq!(options(&stage.event(3).await), [2]);
    let stage = stage.restarts(async |fake| {
        fake.forgets_sessions();
        ada.writes("three").await;
    });
    let stage = stage.await;
    assert_eq!(said(&stage.event(4).await), "three");
    assert_eq!(stage.host.events().len(), 4);
    stage.fine();
}

#[tokio::test]
async fn sockets_that_drop_again_and_again_lose_nothing() {
    let stage = Stage::set().await;
    let ada = stage.fake.person("Ada");
    for no in 0..10 {
        ada.writes(&format!("words {no}")).await;
        stage.fake.drop_sockets();
        stage.fake.reconnected(1, no + 1).await;
    }
    let words: Vec<String> = stage.host.wait_for_events(10).await.iter().map(said).collect();
    assert_eq!(words, (0..10).map(|no| format!("words {no}")).collect::<Vec<_>>());
    stage.fine();
}

#[tokio::test]
async fn each_of_two_connections_hears_its_own() {
    let stage = Stage::with(Options { shards: 2, ..unlimited() }, Transport::Gateway).await;
    stage.fake.reconnected(2, 0).await;
    let ada = stage.fake.person("Ada");
    ada.writes("in private").await;
    stage.event(1).await;
    ada.in_channel("lunch").writes("@Formwright in a channel").await;
    let mut words: Vec<String> = stage.host.wait_for_events(2).await.iter().map(said).collect();
    words.sort();
    assert_eq!(words, ["in a channel", "in private"]);
    stage.fine();
}
