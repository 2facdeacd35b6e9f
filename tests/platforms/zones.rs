//! Somebody whose platform does not know their time zone is asked for it when a time hangs on it, and answers in words or,
//! where there is a button for that, by sharing where they are.

use super::person::Anybody;
use super::stage::{Plan, Platform, Stage};

const CALL: &str = r#"
schema = 1
id = "call"
title = "Call"

[[field]]
id = "at"
kind = "datetime"
label = "Time"
ask = "When shall we call?"
"#;

/// Says a time as seen from now, is asked for the zone, and finds it in the review.
async fn tells(person: &Anybody, zone: impl AsyncFnOnce(&Anybody), town: &str) {
    person.opens("call").await;
    person.sees("When shall we call?").await;
    person.writes("in two hours").await;
    person.sees("Which time zone are you in?").await;
    zone(person).await;
    person.sees(&format!("those of {town}")).await;
    person.sees(&format!("Times are {town} time.")).await;
    person.writes("yes").await;
    person.sees("has been submitted").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_zone_is_asked_for_and_told_in_words_or_by_a_place() {
    let stage = Stage::set(Plan { forms: vec![CALL.to_owned()], ..Plan::default() }).await;
    let [ada, ben] = ["Ada", "Ben"].map(|name| stage.alone(Platform::Telegram, name));
    let cleo = stage.alone(Platform::Discord, "Cleo");
    stage.start(None).await;
    stage.connected().await;
    tells(&ada, async |ada| ada.writes("Tokyo").await, "Tokyo").await;
    tells(&ben, async |ben| ben.gives_place(41.9, 12.5).await, "Rome").await;
    tells(&cleo, async |cleo| cleo.writes("New York").await, "New York").await;
    assert_eq!(stage.submissions("call", 3).await.len(), 3);
    stage.assert_nothing_was_refused();
}
