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

const LEADING: &str = r#"
id = "parcel"
title = "Parcel"
confirm = false
run = "hours"
then = { form = "receipt", with = { to = "shop" } }

[[field]]
id = "shop"
kind = "text"
ask = "Which shop?"

[[tool]]
id = "hours"
kind = "command"
command = "hours"
params = { shop = "shop" }

[[listen]]
to = "http://127.0.0.1:PORT/own"
events = ["tool_run", "submitted", "closed"]
"#;

const LED_TO: &str = r#"
id = "receipt"
title = "Receipt"
confirm = false

[[field]]
id = "to"
kind = "text"
ask = "To whom?"

[[listen]]
to = "http://127.0.0.1:PORT/next"
events = ["submitted", "closed"]
"#;

#[tokio::test]
async fn of_two_forms_that_are_sent_at_once_both_reach_the_client_and_who_listens() {
    let (folder, heard) = (tempfile::tempdir().unwrap(), Heard::default());
    let port = ears(Arc::clone(&heard)).await;
    let command = listened_to(folder.path(), port, LEADING, SETTINGS);
    std::fs::write(folder.path().join("forms/receipt.toml"), LED_TO.replace("PORT", &port.to_string())).unwrap();
    let mut server = Server::start(command);
    server.say("").await;
    let answer: Value = serde_json::from_str(&server.say("s1").await).unwrap();
    let replies = answer["replies"].as_array().unwrap();
    let done = replies.iter().map(|reply| json!([reply["form"], reply["complete"]]));
    assert_eq!(done.collect::<Vec<_>>(), [json!(["parcel", {"shop": "s1"}]), json!(["receipt", {"to": "s1"}])]);
    assert_eq!(answer["action"]["data"], json!({"to": "s1"}), "{answer}");
    let brief = |(.., body): &(String, bool, Value)| body["type"].as_str().unwrap().to_owned();
    let own: Vec<String> = told(&heard, "/own").await.iter().map(brief).collect();
    assert_eq!(own, ["event.tool_run", "event.submitted", "event.closed"]);
    let next: Vec<String> = told(&heard, "/next").await.iter().map(brief).collect();
    assert_eq!(next, ["event.submitted", "event.closed"]);
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
