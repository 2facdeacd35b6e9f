//! The same forms, by sentences, by widgets and by both, on all five adapters at once: the same answers give the same
//! submission everywhere.

use std::sync::Arc;

use formwright_chat::conformance::people;
use formwright_fakes::record;
use serde_json::{Value, json};

use super::person::{Anybody, Person as _, Played};
use super::scripts::{self, Script, WAYS};
use super::stage::{Plan, Platform, Stage};

/// Plays the scripts one after the other.
async fn fills_in(person: Anybody, scripts: &[Script]) {
    for script in scripts {
        script.play(person.as_ref()).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_answers_are_the_same_submission_however_and_wherever_they_are_given() {
    let stage = Stage::new().await;
    let scripts = scripts::all();
    let terminals: Vec<_> = WAYS.iter().map(|_| stage.terminal()).collect();
    let mut played = Vec::new();
    for ((way, scripts), terminal) in WAYS.iter().zip(&scripts).zip(&terminals) {
        let [first, second, third] = stage.in_private(&format!("Ada {way}"));
        let page: Anybody = stage.page().await;
        let all: [Anybody; 5] = [first, second, third, page, terminal.clone()];
        played.extend(all.map(|person| fills_in(person, scripts)));
    }
    super::all(played).await;

    // Three chat platforms and the page, each in three ways; a terminal prints what it would submit.
    for form in ["pizza-order", "injury-report"] {
        let mut submitted = stage.submissions(form, 4 * WAYS.len()).await;
        stage.is_quiet().await;
        assert_eq!(stage.submitted(form).len(), 4 * WAYS.len());
        let mut shown: Vec<_> = terminals.iter().flat_map(|terminal| terminal.submitted(form)).collect();
        assert_eq!(shown.len(), WAYS.len(), "{form}");
        submitted.iter_mut().chain(&mut shown).for_each(without_ids);
        let mut expected = expected(form);
        for answers in submitted {
            assert_eq!(answers, expected, "{form}");
        }
        // A terminal shows the person what is sent, but for what is sensitive.
        if form == "injury-report" {
            expected["emergencyMobileNumber"] = Value::Null;
        }
        for answers in shown {
            assert_eq!(answers, expected, "{form}");
        }
    }
    stage.assert_nothing_was_refused();
    assert_everything_is_recorded(&stage);
}

/// What was sent to each platform is there for others to judge, and no secret with it.
fn assert_everything_is_recorded(stage: &Stage) {
    let text = std::fs::read_to_string(record::file().unwrap()).unwrap();
    // Another test may be writing the last line.
    let (lines, _) = text.rsplit_once('\n').unwrap();
    for (platform, path) in [("slack", "chat.postMessage"), ("discord", "/messages"), ("telegram", "/sendMessage")] {
        let sent = lines
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap())
            .find(|sent| sent["platform"] == platform && sent["path"].as_str().is_some_and(|sent| sent.contains(path)));
        let sent = sent.unwrap_or_else(|| panic!("nothing of {platform}"));
        assert!(["POST", "PATCH"].contains(&sent["method"].as_str().unwrap()), "{sent}");
        assert!(sent["headers"].is_object() && sent["body"].is_object(), "{sent}");
    }
    for secret in stage.secrets() {
        assert!(!lines.contains(&secret), "a secret is recorded: {secret}");
    }
}

/// A file's id is its platform's own.
fn without_ids(answers: &mut Value) {
    if let Some(file) = answers.get_mut("requiredDocs").and_then(|files| files.get_mut(0)) {
        assert!(file["id"].as_str().is_some_and(|id| !id.is_empty()), "{file}");
        file["id"] = "".into();
    }
}

fn expected(form: &str) -> Value {
    if form == "pizza-order" {
        return json!({"pizza": "diavola", "count": 2, "address": "via Roma 12", "phone": "+393471234567",
            "delivery_time": "20:15", "chili": true});
    }
    let [hurt, stopped, told] = scripts::days();
    json!({
        "selectedEstablishment": "10002", "selectedOccupation": "10002-1",
        "injuryDate": hurt, "injuryTime": "09:30", "workDisabilityDate": stopped, "contributorInformedDate": told,
        "injuryOccurred": scripts::HAPPENED, "selectedInjuryType": "1", "selectedInjuryReason": "11",
        "locationResults": {"lat": 24.7136, "lng": 46.6753}, "treatmentStarted": true, "placeType": "road",
        "governmentSector": "police", "emergencyMobileNumber": "+966501234567",
        "requiredDocs": [{"id": "", "name": "report.pdf", "media_type": "application/pdf", "bytes": 15}],
        "enableReportInjuryWithoutBottomSheet": "off",
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn every_kind_of_field_is_answered_in_words_on_every_platform() {
    let stage = Stage::serving(Plan { forms: vec![people::KINDS.to_owned()], ..Plan::default() }).await;
    let terminal = stage.terminal();
    let [first, second, third] = stage.in_private("Ada");
    let everybody: [Anybody; 5] = [first, second, third, stage.page().await, terminal.clone()];
    super::all(everybody.map(async |person| people::by_words(&Played(person)).await).into()).await;
    let mut submitted = stage.submissions("kinds", 4).await;
    submitted.extend(terminal.submitted("kinds"));
    assert_eq!(submitted.len(), 5);
    for answers in submitted {
        assert_eq!(answers, people::written());
    }
    stage.assert_nothing_was_refused();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_is_its_owners_and_a_widget_counts_once_on_every_platform() {
    let stage = Stage::serving(Plan { forms: vec![people::SUPPER.to_owned()], ..Plan::default() }).await;
    let (terminal, page) = (stage.terminal(), stage.page().await);
    let mut pairs: Vec<[Anybody; 2]> = Vec::new();
    for platform in Platform::ALL {
        pairs.push(stage.together(platform, "kitchen", ["Ada", "Eve"]).await);
    }
    pairs.push([page.clone(), Arc::new(page.stranger())]);
    // Nobody else sits at a terminal: another one is another form.
    let elsewhere = stage.terminal();
    elsewhere.opens("supper").await;
    pairs.push([terminal.clone(), elsewhere]);
    let played = pairs.into_iter().map(async |[owner, other]| {
        people::by_its_owner(&Played(owner), &Played(other)).await;
    });
    super::all(played.collect()).await;
    stage.is_quiet().await;
    let mut submitted = stage.submitted("supper");
    submitted.extend(terminal.submitted("supper"));
    assert_eq!(submitted, vec![people::owned(); 5]);
    stage.assert_nothing_was_refused();
}
