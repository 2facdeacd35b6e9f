//! Forms that people at a desk approve, and people who talk to them: the same script on each platform at once.

use super::person::Anybody;
use super::stage::{Plan, Platform, Stage};

/// A form of a platform's own desk.
fn form(desk: &str) -> String {
    format!(
        r#"
schema = 1
id = "leave-{desk}"
title = "Leave {desk}"
review = {{ by = "{desk}", needs = 2 }}
handoff = "{desk}"

[[field]]
id = "days"
kind = "integer"
label = "Days"
ask = "How many days?"
"#
    )
}

fn name(platform: Platform) -> &'static str {
    match platform {
        Platform::Telegram => "telegram",
        Platform::Slack => "slack",
        Platform::Discord => "discord",
    }
}

/// Everything but the program: a desk on each platform, with the people who sit there.
async fn set() -> (Stage, Vec<[Anybody; 3]>) {
    let forms = Platform::ALL.map(|platform| form(name(platform))).to_vec();
    let mut stage = Stage::set(Plan { forms, ..Plan::default() }).await;
    let mut people = Vec::new();
    for platform in Platform::ALL {
        let [ben, carla] = stage.desk(platform, name(platform), ["Ben", "Carla"]);
        people.push([stage.alone(platform, "Ada"), ben, carla]);
    }
    (stage, people)
}

/// Fills in a form up to its review, and confirms it.
async fn sends(ada: &Anybody, desk: &str, days: &str) {
    ada.opens(&format!("leave-{desk}")).await;
    ada.sees("How many days?").await;
    ada.writes(days).await;
    ada.sees("Is everything right?").await;
    ada.presses_under("Is everything right?", "Confirm").await;
    ada.sees("is sent for approval").await;
}

/// The code that somebody has read last.
fn code(person: &Anybody) -> String {
    let read = person.read();
    let at = |text: &String| text.rfind("F-").and_then(|at| text.get(at + 2..at + 10)).map(str::to_owned);
    read.iter().rev().find_map(at).unwrap_or_else(|| panic!("no reference in {read:#?}"))
}

async fn first_half(ada: &Anybody, ben: &Anybody, desk: &str) {
    sends(ada, desk, "5").await;
    ben.sees("is waiting for approval").await;
    ben.presses_under("is waiting for approval", "Approve").await;
    ben.sees("One more approval is needed").await;
    ben.presses_under("is waiting for approval", "Approve").await;
    ben.hears_alone("You have done that already").await;
}

async fn second_half(ada: &Anybody, ben: &Anybody, carla: &Anybody, desk: &str) {
    carla.presses_under("is waiting for approval", "Approve").await;
    carla.sees("was approved by").await;
    ada.sees("has been submitted").await;
    ben.sees("was approved by").await;
    ben.presses_old("Approve").await;
    ben.hears_alone("was approved by").await;
    sends(ada, desk, "9").await;
    ben.sees("is waiting for approval").await;
    let code = code(ada);
    ben.answers("is waiting for approval", &format!("#{code} changes days: three at most")).await;
    ada.sees("asks you to change Days: three at most").await;
    ada.writes("3").await;
    ada.sees("Shall I send it?").await;
    ada.presses_under("Shall I send it?", "Confirm").await;
    ada.sees("is sent for approval again").await;
    carla.sees("is waiting for approval again").await;
    carla.presses_under("is waiting for approval again", "Approve").await;
    carla.sees("One more approval is needed").await;
    ben.answers("is waiting for approval again", &format!("#{code} approve")).await;
    ben.sees(&format!("F-{code} was approved by")).await;
    ada.sees("has been submitted").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_people_approve_what_a_third_sends_on_every_platform() {
    let (stage, people) = set().await;
    stage.start(None).await;
    stage.connected().await;
    let halves = Platform::ALL.into_iter().zip(&people);
    super::all(halves.map(|(platform, [ada, ben, _])| first_half(ada, ben, name(platform))).collect()).await;
    stage.is_quiet().await;
    stage.kill().await;
    stage.start(None).await;
    stage.connected().await;
    let halves = Platform::ALL.into_iter().zip(&people);
    super::all(halves.map(|(platform, [ada, ben, carla])| second_half(ada, ben, carla, name(platform))).collect())
        .await;
    stage.is_quiet().await;
    for platform in Platform::ALL {
        let submitted = stage.submitted(&format!("leave-{}", name(platform)));
        assert_eq!(submitted, [serde_json::json!({"days": 5}), serde_json::json!({"days": 3})]);
    }
    stage.assert_nothing_was_refused();
}

async fn talk([ada, ben, carla]: &[Anybody; 3], desk: &str) {
    ada.opens(&format!("leave-{desk}")).await;
    ada.sees("How many days?").await;
    ada.writes("talk to a person").await;
    ada.sees("I have asked for a person").await;
    ben.sees("would like to talk to somebody").await;
    ben.presses_under("would like to talk to somebody", "Claim").await;
    ada.sees("is here. What you write goes to").await;
    ada.writes("Do half days count?").await;
    carla.sees("Do half days count?").await;
    let said = carla.read();
    let at = |text: &String| text.find('#').and_then(|at| text.get(at + 1..at + 9)).map(str::to_owned);
    let code = said.iter().rev().find_map(at).unwrap_or_else(|| panic!("no code in {said:#?}"));
    ben.answers("Do half days count?", &format!("#{code} They do, as halves.")).await;
    ada.sees("They do, as halves.").await;
    ben.presses_under("Do half days count?", "Hand back").await;
    ada.sees("has left the conversation").await;
    ada.writes("2").await;
    ada.sees("Is everything right?").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn somebody_talks_to_a_person_on_every_platform() {
    let (stage, people) = set().await;
    stage.start(None).await;
    stage.connected().await;
    let talks = Platform::ALL.into_iter().zip(&people);
    super::all(talks.map(|(platform, people)| talk(people, name(platform))).collect()).await;
    stage.is_quiet().await;
    stage.assert_nothing_was_refused();
}
