//! Birds that may be nowhere: what people say, what the operator keeps secret. A whole run with everything logged, on all
//! platforms, with errors on the way; then they are looked for wherever the program has written or answered.

use std::time::Duration;

use super::collector::Collector;
use crate::platforms::person::Anybody;
use crate::platforms::stage::{PATIENCE, Plan, Stage};

/// The answer to a field marked sensitive, and to one that is not.
const SENSITIVE: &str = "Zanzibarkolibri";
const PLAIN: &str = "Quokkapelikan";
/// Said, and understood by nobody.
const NOISE: &str = "Blaufusstoelpel";
/// What people are called.
const NAME: &str = "Wombatine";
/// The key of the data, of an API client, and of a webhook.
const DATA_KEY: &str = "c0ffee00c0ffee01c0ffee02c0ffee03c0ffee04c0ffee05c0ffee06c0ffee07";
const API_KEY: &str = "api-key-of-the-canary-0123456789abcdef";
const HOOK: &str = "whsec-of-the-canary-0123456789";

/// The webhook's receiver is away: what is to be delivered stays in the outbox.
const FORM: &str = r#"
schema = 1
id = "birds"
title = "Birds"
submit = ["log", "aviary"]

[[field]]
id = "secret_bird"
kind = "text"
sensitive = true
ask = "Which bird is secret?"

[[field]]
id = "bird"
kind = "text"
ask = "Which bird is not?"

[[field]]
id = "many"
kind = "integer"
label = "Number of birds"
ask = "What is the number of birds?"

[[sink]]
id = "aviary"
kind = "webhook"
url = "http://127.0.0.1:9/birds"
secret = "env:CANARY_HOOK"
"#;

async fn tells_of_birds(person: Anybody) {
    person.opens("birds").await;
    person.sees("Which bird is secret?").await;
    person.writes(SENSITIVE).await;
    person.sees("Which bird is not?").await;
    person.writes(PLAIN).await;
    person.sees("What is the number of birds?").await;
    person.writes(NOISE).await;
    person.sees("does not look like an answer").await;
    person.writes("3").await;
    person.sees("check your answers").await;
    person.writes("yes").await;
}

/// What the page answers to those who ask for what is not there, or as they may not.
async fn error_pages(address: &str) -> Vec<String> {
    let client = formwright::http::client().unwrap();
    let chat = || client.post(format!("{address}api/chat")).header("content-type", "application/json");
    let requests = [
        client.get(format!("{address}{SENSITIVE}")),
        client.get(format!("{address}api/schemas/{SENSITIVE}")),
        client.get(format!("{address}api/conversation/{SENSITIVE}")),
        chat().body(format!("{{\"user_message\": {SENSITIVE}}}")),
        chat().body(format!("{{\"user_message\": \"{SENSITIVE}\", \"conversation_id\": \"{PLAIN}\"}}")),
        chat().body(format!("{{\"press\": {{\"token\": \"{SENSITIVE}\"}}}}")),
        chat().bearer_auth(API_KEY.replace("canary", SENSITIVE)).body("{}"),
        chat().bearer_auth(API_KEY).body(format!("{{\"user_message\": [\"{PLAIN}\"]}}")),
        chat().header("content-length", "9999999").body(SENSITIVE),
    ];
    let mut pages = Vec::new();
    for request in requests {
        // One that cannot be sent has no answer.
        if let Ok(answer) = request.send().await {
            assert!(!answer.status().is_success(), "{answer:?}");
            let headers = format!("{:?}", answer.headers());
            pages.push(format!("{headers} {}", answer.text().await.unwrap_or_default()));
        }
    }
    pages
}

/// What must not be in these bytes, and is.
fn found_in(bytes: &[u8], canaries: &[String]) -> Vec<String> {
    let low = bytes.to_ascii_lowercase();
    let holds = |canary: &String| {
        let canary = canary.to_ascii_lowercase();
        low.windows(canary.len()).any(|window| window == canary.as_bytes())
    };
    canaries.iter().filter(|canary| holds(canary)).cloned().collect()
}

/// Asserts that none of the canaries is in it, and shows where one is.
fn assert_none(what: &str, bytes: &[u8], canaries: &[String]) {
    let found = found_in(bytes, canaries);
    let text = String::from_utf8_lossy(bytes).to_ascii_lowercase();
    let line =
        |canary: &String| text.lines().find(|line| line.contains(&canary.to_ascii_lowercase())).map(str::to_owned);
    let shown: Vec<_> = found.iter().map(line).collect();
    assert!(found.is_empty(), "{what} holds {found:?}: {shown:#?}");
}

/// Plays the whole run: with everything logged, sealed or not.
async fn run(sealed: bool) -> (Stage, Collector, Vec<String>) {
    let collector = Collector::start().await;
    let mut settings = vec![
        ("FORMWRIGHT__LOG__LEVEL", "trace".to_owned()),
        ("FORMWRIGHT__OPS__LISTEN", "127.0.0.1:0".to_owned()),
        ("FORMWRIGHT__TRACES__ENDPOINT", collector.url.clone()),
        ("OTEL_BSP_SCHEDULE_DELAY", "100".to_owned()),
        ("FORMWRIGHT__WEB__KEYS__AVIARY", "env:CANARY_API_KEY".to_owned()),
        ("CANARY_API_KEY", API_KEY.to_owned()),
        ("CANARY_HOOK", HOOK.to_owned()),
        ("FORMWRIGHT__HTTP__LOCAL", "127.0.0.1:9".to_owned()),
        ("CANARY_DATA_KEY", DATA_KEY.to_owned()),
    ];
    if sealed {
        settings.push(("FORMWRIGHT__DATA__KEY", "env:CANARY_DATA_KEY".to_owned()));
    }
    let stage = Stage::serving(Plan { forms: vec![FORM.to_owned()], settings, ..Plan::default() }).await;
    let [first, second, third] = stage.in_private(NAME);
    let page: Anybody = stage.page().await;
    let people = [first, second, third, page].map(tells_of_birds);
    crate::platforms::all(people.into()).await;
    stage.submissions("birds", 4).await;
    collector.receives("delivery").await;
    let address = stage.page_address().await;
    let pages = error_pages(&address).await;
    assert!(pages.len() >= 6, "{pages:?}");
    (stage, collector, pages)
}

/// What `/metrics` gives, once the deliveries are counted.
async fn measured(stage: &Stage) -> String {
    const AT: &str = "health and metrics are at ";
    let printed = stage.printed(AT).await;
    let address = printed.split_once(AT).unwrap().1.lines().next().unwrap().to_owned();
    let client = formwright::http::client().unwrap();
    let counted = async {
        loop {
            let text = client.get(format!("{address}metrics")).send().await.unwrap().text().await.unwrap();
            if text.contains(r#"target="aviary",result="retry""#) {
                return text;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    tokio::time::timeout(PATIENCE, counted).await.expect("deliveries are counted")
}

#[tokio::test(flavor = "multi_thread")]
async fn what_people_say_and_what_is_secret_is_nowhere_but_sealed() {
    let (stage, collector, pages) = run(true).await;
    let said = [SENSITIVE, PLAIN, NOISE].map(str::to_owned);
    let mut secrets = stage.secrets();
    secrets.extend([DATA_KEY, API_KEY, HOOK].map(str::to_owned));
    let all: Vec<String> = said.iter().chain(&secrets).cloned().collect();

    let measured = measured(&stage).await;
    assert!(
        measured.contains(r#"formwright_answered_total{form="birds",field="secret_bird",source="said"} 4"#),
        "{measured}"
    );
    let log = stage.log();
    assert!(log.contains("TRACE") && log.contains("a turn has ended"), "much is logged");
    let named: Vec<String> = all.iter().cloned().chain([NAME.to_owned()]).collect();
    assert_none("/metrics", measured.as_bytes(), &named);
    assert_none("a span", &collector.bytes(), &named);
    assert_none("the log", log.as_bytes(), &all);
    assert_none("an error page", pages.join("\n").as_bytes(), &all);
    let files = stage.written();
    // Most of it may be in the write-ahead log still.
    let database = files.iter().filter(|(name, _)| name.contains("formwright.db"));
    assert!(database.map(|(_, bytes)| bytes.len()).sum::<usize>() > 8192, "there is a database");
    for (name, bytes) in files {
        assert_none(&name, &bytes, &all);
    }
}

/// Without a key the database holds what people said, as it must to go on with it; that is what the guide says. Secrets of
/// the operator's are not in it all the same.
#[tokio::test(flavor = "multi_thread")]
async fn without_a_key_the_database_alone_holds_what_people_said() {
    let (stage, _collector, _pages) = run(false).await;
    let said = [SENSITIVE, PLAIN, NOISE].map(str::to_owned);
    let mut secrets = stage.secrets();
    secrets.extend([DATA_KEY, API_KEY, HOOK].map(str::to_owned));
    // Discord's token of one interaction, good for a quarter of an hour, is kept with what is to be answered by it.
    secrets.retain(|secret| !secret.starts_with("aW50ZXJhY3Rpb246"));
    let mut holds = false;
    for (name, bytes) in stage.written() {
        assert_none(&name, &bytes, &secrets);
        if name.contains("formwright.db") {
            holds |= !found_in(&bytes, &said).is_empty();
        } else {
            assert_none(&name, &bytes, &said);
        }
    }
    assert!(holds, "the canaries are found where they are");
}
