//! A person asks for another language, the same way on each platform: what the bot says from then on is in it.

use super::person::Anybody;
use super::stage::{Plan, Platform, Stage};

const STAY: &str = r#"
schema = 1
id = "stay"
languages = ["en", "it"]
title = { en = "Stay", it = "Soggiorno" }

[[field]]
id = "nights"
kind = "integer"
label = { en = "Nights", it = "Notti" }
ask = { en = "How many nights?", it = "Quante notti?" }
"#;

async fn asks_for_italian(person: &Anybody) {
    person.opens("stay").await;
    person.sees("How many nights?").await;
    person.writes("parla italiano").await;
    person.sees("otti?").await;
    person.writes("3").await;
    person.sees("È tutto giusto?").await;
    person.writes("sì").await;
    person.sees("Soggiorno” è stato inviato").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_language_that_is_asked_for_is_spoken_on_every_platform() {
    let stage = Stage::set(Plan { forms: vec![STAY.to_owned()], ..Plan::default() }).await;
    let people: Vec<Anybody> = Platform::ALL.into_iter().map(|platform| stage.alone(platform, "Ada")).collect();
    stage.start(None).await;
    stage.connected().await;
    super::all(people.iter().map(asks_for_italian).collect()).await;
    stage.is_quiet().await;
    assert_eq!(stage.submitted("stay"), vec![serde_json::json!({"nights": 3}); Platform::ALL.len()]);
    stage.assert_nothing_was_refused();
}
