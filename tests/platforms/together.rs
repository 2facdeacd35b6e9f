//! A form that a channel fills in together: two people answer its questions in turn, on each platform at once.

use serde_json::json;

use super::person::Anybody;
use super::stage::{Plan, Platform, Stage};

const FORM: &str = r#"
schema = 1
id = "party"
title = "Party"
description = "Plan the party"
scope = "channel"

[[field]]
id = "dish"
kind = "choice"
ask = "Which dish?"
options = ["Soup", "Fish"]

[[field]]
id = "guests"
kind = "integer"
ask = "How many guests?"

[[field]]
id = "drink"
kind = "choice"
ask = "Which drink?"
options = ["Water", "Wine"]
"#;

/// Ada begins, Ben answers what she was asked, she goes on, he looks it over, and she sends it.
async fn plan([ada, ben]: [Anybody; 2]) {
    ada.opens("party").await;
    ada.sees("Which dish?").await;
    ben.presses_under("Which dish?", "Soup").await;
    ben.sees("How many guests?").await;
    ben.writes("7").await;
    ben.sees("Which drink?").await;
    ada.presses_under("Which drink?", "Wine").await;
    ada.sees("Is everything right?").await;
    ben.presses_under("Is everything right?", "Confirm").await;
    ben.sees("has been submitted").await;
    let read = ada.read();
    assert!(read.iter().any(|message| message.contains("has been submitted")), "{read:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn two_people_fill_in_one_form_together_on_every_platform() {
    let stage = Stage::serving(Plan { forms: vec![FORM.to_owned()], ..Plan::default() }).await;
    let mut plans = Vec::new();
    for platform in Platform::ALL {
        plans.push(plan(stage.together(platform, "office", ["Ada", "Ben"]).await));
    }
    super::all(plans).await;
    stage.is_quiet().await;
    let planned = json!({"dish": "soup", "guests": 7, "drink": "wine"});
    assert_eq!(stage.submitted("party"), vec![planned; Platform::ALL.len()]);
    stage.assert_nothing_was_refused();
}
