//! Who listens to a form is told what happens to it, by the real program.

use axum::body::Bytes;

use super::*;

const HEARD: &str = r#"
id = "parcel"
title = "Parcel"

[[field]]
id = "street"
kind = "text"
ask = "In which street?"

[[field]]
id = "floor"
kind = "integer"
ask = "On which floor?"
max = 9

[[field]]
id = "code"
kind = "text"
ask = "What is the code of the door?"
sensitive = true

[[listen]]
to = "http://127.0.0.1:PORT/own"
secret = "env:SHOPS_AUTH"
events = ["changed", "closed"]
"#;

const TOLD_ALL: &str = r#"
[http]
local = ["127.0.0.1:PORT"]

[sinks]
office = { kind = "webhook", url = "http://127.0.0.1:PORT/all" }

[listen]
office = { to = "office" }
"#;

/// What was told at a path: the id, whether it was signed, and the body.
type Heard = Arc<Mutex<Vec<(String, String, bool, Value)>>>;

async fn ears(heard: Heard) -> u16 {
    let hear = |State(heard): State<Heard>, uri: Uri, headers: HeaderMap, body: Bytes| async move {
        let signed = headers.get("webhook-signature").is_some_and(|sum| sum.to_str().unwrap().starts_with("v1,"));
        let id = headers["webhook-id"].to_str().unwrap().to_owned();
        heard.lock().unwrap().push((uri.path().to_owned(), id, signed, serde_json::from_slice(&body).unwrap()));
    };
    let router = Router::new().fallback(hear).with_state(heard);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move { axum::serve(listener, router).await });
    port
}

fn listened_to(folder: &std::path::Path, port: u16, form: &str, settings: &str) -> Command {
    let command = program(folder, port, settings);
    std::fs::write(folder.join("forms/parcel.toml"), form.replace("PORT", &port.to_string())).unwrap();
    command
}

/// What is told at a path, once the last of it has come.
async fn told(heard: &Heard, path: &str) -> Vec<(String, bool, Value)> {
    for _ in 0..200 {
        let all = heard.lock().unwrap().clone();
        let there = all.into_iter().filter(|(at, ..)| at == path).map(|(_, id, signed, body)| (id, signed, body));
        let there: Vec<_> = there.collect();
        if there.last().is_some_and(|(.., body)| body["type"] == "event.closed") {
            return there;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("what was told at {path} came to no end: {:?}", heard.lock().unwrap());
}

#[tokio::test]
async fn webhooks_are_told_what_happens_in_its_order() {
    let (folder, heard) = (tempfile::tempdir().unwrap(), Heard::default());
    let port = ears(Arc::clone(&heard)).await;
    let mut server = Server::start(listened_to(folder.path(), port, HEARD, TOLD_ALL));
    for words in ["", "Elm Street 1", "70", "7", "sesame", "yes"] {
        server.say(words).await;
    }
    let own = told(&heard, "/own").await;
    let ids: std::collections::BTreeSet<&String> = own.iter().map(|(id, ..)| id).collect();
    assert_eq!(ids.len(), own.len(), "each has an id of its own: {own:?}");
    assert!(own.iter().all(|(_, signed, _)| *signed));
    let data = |(.., body): &(String, bool, Value)| body["data"].clone();
    let own: Vec<Value> = own.iter().map(data).collect();
    let brief = |told: &Value| json!([told["event"], told["field"], told["before"], told["after"], told["source"]]);
    assert_eq!(
        own.iter().map(brief).collect::<Vec<_>>(),
        [
            json!(["changed", "street", null, "Elm Street 1", "said"]),
            json!(["changed", "floor", null, 7, "said"]),
            json!(["changed", "code", null, null, "said"]),
            json!(["closed", null, null, null, null]),
        ]
    );
    assert!(own.iter().all(|told| told["form"] == "parcel" && told["submission"] == own[0]["submission"]));
    assert_eq!(own[3]["how"], "submitted");

    let all = told(&heard, "/all").await;
    assert!(all.iter().all(|(_, signed, _)| !*signed), "it says nothing of a secret");
    let kinds: Vec<String> = all.iter().map(|(.., body)| body["type"].as_str().unwrap().to_owned()).collect();
    let expected = ["started", "changed", "validated", "validated", "changed", "validated", "changed", "validated"];
    let expected = expected.into_iter().chain(["submitted", "closed"]).map(|kind| format!("event.{kind}"));
    assert!(kinds.iter().cloned().eq(expected), "{kinds:?}");
    let refused = &all[3].2["data"]["refused"][0];
    assert_eq!(refused["field"], "floor");
    assert!(refused["why"].as_str().unwrap().contains('9'), "{refused}");
    assert!(!format!("{:?}", heard.lock().unwrap()).contains("sesame"), "what is sensitive stays here");
}

const TOOLED: &str = r#"
id = "parcel"
title = "Parcel"

[[field]]
id = "shop"
kind = "text"
ask = "Which shop?"

[[field]]
id = "hour"
kind = "choice"
ask = "At what hour?"
options_from = { tool = "hours" }

[[tool]]
id = "hours"
kind = "command"
command = "hours"
params = { shop = "shop" }

[[tool]]
id = "order"
kind = "command"
command = "hours"

[[hook]]
phase = "next"
tool = "order"

[[listen]]
to = "http://127.0.0.1:PORT/own"
events = ["tool_run", "closed"]
"#;

#[tokio::test]
async fn a_tool_is_told_when_it_was_run_and_a_hook_is_not() {
    let (folder, heard) = (tempfile::tempdir().unwrap(), Heard::default());
    let port = ears(Arc::clone(&heard)).await;
    let mut server = Server::start(listened_to(folder.path(), port, TOOLED, SETTINGS));
    for words in ["", "s1", "9", "yes"] {
        server.say(words).await;
    }
    let brief = |(.., body): &(String, bool, Value)| json!([body["type"], body["data"]["tool"], body["data"]["ok"]]);
    let told: Vec<Value> = told(&heard, "/own").await.iter().map(brief).collect();
    assert_eq!(told, [json!(["event.tool_run", "hours", true]), json!(["event.closed", null, null])]);
}

#[rstest::rstest]
#[case::elsewhere("to = \"office\"", "to = \"kitchen\"", "listen: `kitchen`: there is no such webhook in the settings")]
#[case::no_webhook(
    "kind = \"webhook\", url = \"http://127.0.0.1:PORT/all\"",
    "kind = \"jsonl\"",
    "listen: `office`: it is no webhook"
)]
#[case::no_event(
    "to = \"office\"",
    "to = \"office\", events = [\"opened\"]",
    "listen.office: `opened` is nothing that happens"
)]
#[case::closed("local = [\"127.0.0.1:PORT\"]", "", "nothing can be posted to its address: `127.0.0.1:9` is not public")]
#[test]
fn who_cannot_be_told_ends_the_start(#[case] part: &str, #[case] other: &str, #[case] why: &str) {
    let folder = tempfile::tempdir().unwrap();
    let settings = TOLD_ALL.replace(part, other);
    assert_ne!(settings, TOLD_ALL);
    let output = listened_to(folder.path(), 9, HEARD, &settings).output().unwrap();
    let printed = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(printed.contains(why), "{printed}");
    assert_eq!(output.status.code(), Some(3), "{printed}");
}
