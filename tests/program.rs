//! The real program from outside: what its commands print, and what its HTTP API takes and refuses.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use formwright_chat as chat;
use serde_json::{Value, json};

mod server;
mod watched;

pub(crate) use server::Server;

const PATIENCE: Duration = Duration::from_secs(60);
const ORDER: &str = "two spicy pizzas to via Roma 12, my number is 347 123 4567";

fn program(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_formwright"));
    command.current_dir(folder).env("NO_COLOR", "1").stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(folder: &Path, args: &[&str], typed: impl AsRef<[u8]>) -> (Output, String) {
    let mut process = program(folder).args(args).stdin(Stdio::piped()).spawn().unwrap();
    process.stdin.take().unwrap().write_all(typed.as_ref()).unwrap();
    let output = process.wait_with_output().unwrap();
    let printed = [output.stdout.as_slice(), output.stderr.as_slice()].concat();
    (output, String::from_utf8(printed).unwrap())
}

#[test]
fn a_form_is_tried_with_lines_from_a_pipe() {
    let folder = tempfile::tempdir().unwrap();
    let typed = format!("{ORDER}\nskip\nno\nskip\nyes\n");
    let (output, printed) = run(folder.path(), &["try", "pizza-order"], &typed);
    assert!(output.status.success(), "{printed}");
    let (_, answers) = printed.rsplit_once("\n{\n").expect("it prints the submission");
    let answers: Value = serde_json::from_str(&format!("{{\n{answers}")).unwrap();
    assert_eq!((&answers["pizza"], &answers["phone"]), (&json!("diavola"), &json!("+393471234567")), "{printed}");
}

#[test]
fn what_cannot_be_taken_from_a_pipe_is_said_and_the_form_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let mut typed = b"caf\xe9 and 30\n".to_vec();
    typed.extend(format!("{}\n", "x".repeat(100_000)).bytes());
    typed.extend(format!("{ORDER}\nskip\nno\nskip\nyes\n").bytes());
    let (output, printed) = run(folder.path(), &["try", "pizza-order"], typed);
    assert!(output.status.success() && printed.contains("\n{\n"), "{printed}");
    for refused in ["characters that are no text", "That message is too long"] {
        assert_eq!(printed.matches(refused).count(), 1, "{printed}");
    }
}

#[test]
fn without_a_folder_of_forms_every_command_has_the_samples() {
    let folder = tempfile::tempdir().unwrap();
    let (output, printed) = run(folder.path(), &["check"], "");
    assert!(output.status.success() && printed.contains("pizza-order.toml: ok"), "{printed}");
    let (output, printed) = run(folder.path(), &["schema", "leave-request"], "");
    assert!(output.status.success() && printed.contains("\"type\": \"object\""), "{printed}");
}

#[tokio::test]
async fn submissions_of_a_form_that_is_not_there_are_an_error() {
    let server = Server::start(&[("FORMWRIGHT__LOG__LEVEL", "warn")]);
    let begun = server.chat(&mut None, &json!({"form": "pizza-order"})).await;
    assert_eq!(begun.0, 200);
    let (output, printed) = run(server.folder.path(), &["submissions", "--form", "pizza-order"], "");
    assert!(output.status.success() && printed.contains("no submissions yet"), "{printed}");
    let (output, printed) = run(server.folder.path(), &["submissions", "--form", "nosuch"], "");
    assert_eq!(output.status.code(), Some(1), "{printed}");
    assert!(printed.contains("no form `nosuch`") && printed.contains("leave-request, pizza-order"), "{printed}");
}

#[tokio::test]
async fn a_form_is_switched_off_and_on_while_the_bot_runs() {
    let server = Server::start(&[]);
    let forms = |args: &[&str]| run(server.folder.path(), &[&["forms"], args].concat(), "");
    let mut begun = None;
    let (status, body) = server.chat(&mut begun, &json!({"form": "pizza-order"})).await;
    assert_eq!((status, &body["state"]), (200, &json!("Incomplete")), "{body}");
    let conversation = body["conversation_id"].clone();

    let (output, printed) = forms(&["off", "pizza-order", "--say", "The oven is cold. Back on Monday!"]);
    assert!(output.status.success() && printed.contains("`pizza-order` is off"), "{printed}");
    let (_, printed) = forms(&[]);
    assert!(printed.contains("off: The oven is cold") && printed.contains("leave-request"), "{printed}");
    let off = server.until(|body| body.to_string().contains("The oven is cold. Back on Monday!")).await;
    assert!(off["form"].is_null(), "{off}");

    // Who is filling it in goes on.
    let message = json!({"user_message": "two margheritas", "conversation_id": conversation});
    let (status, body) = server.chat(&mut begun, &message).await;
    assert_eq!((status, &body["form"]), (200, &json!("pizza-order")), "{body}");

    let (_, printed) = forms(&["on", "pizza-order"]);
    assert!(printed.contains("`pizza-order` is on"), "{printed}");
    server.until(|body| body["form"] == "pizza-order").await;
    let (output, printed) = forms(&["off", "pizza"]);
    assert_eq!(output.status.code(), Some(1), "{printed}");
    let (_, printed) = forms(&["on", "pizza-order"]);
    assert!(printed.contains("is on already"), "{printed}");
}

#[tokio::test]
async fn an_unknown_time_zone_is_refused_by_name() {
    let server = Server::start(&[]);
    let (status, body) = server.chat(&mut None, &json!({"form": "pizza-order", "zone": "Europe/Atlantis"})).await;
    assert_eq!((status, &body["error"]["code"]), (400, &json!("unknown_zone")), "{body}");
    assert!(body["error"]["message"].as_str().unwrap().contains("Europe/Atlantis"), "{body}");
    let (status, body) = server.chat(&mut None, &json!({"form": "pizza-order", "zone": "Europe/Rome"})).await;
    assert_eq!(status, 200, "{body}");
}

#[tokio::test]
async fn a_form_comes_with_a_request_where_that_is_allowed() {
    let server = Server::start(&[("FORMWRIGHT__WEB__INLINE_FORMS", "true")]);
    let forms = [
        "schema = 1\nid = \"lunch\"\ntitle = \"Lunch\"\nsubmit = [\"boss\"]\n[[field]]\nid = \"dish\"\nkind = \"text\"\n\
         [[sink]]\nid = \"boss\"\nkind = \"jsonl\"\nfile = \"elsewhere.jsonl\"\n",
        "id: lunch\ntitle: Lunch\nfield:\n  - id: dish\n    kind: text\n",
        "---\nid: lunch\ntitle: Lunch\nfield:\n  - id: dish\n    kind: text\n---\n# Guidance that is not read\n",
        r#"{"id": "lunch", "title": "Lunch", "field": [{"id": "dish", "kind": "text"}]}"#,
        "# Form Pilot: Lunch\n\n## Field Summary Table\n\n| # | Field ID | Type | Required | Ask User |\n|---|---|---|---|---|\n\
         | 1 | `dish` | text | Yes | \"What would you like?\" |\n",
    ];
    let mut names = std::collections::BTreeSet::new();
    for text in forms {
        let mut cookie = None;
        let (status, begun) = server.chat(&mut cookie, &json!({"form_context_md": text})).await;
        assert_eq!((status, &begun["asked"]), (200, &json!("dish")), "{text}\n{begun}");
        names.insert(begun["form"].to_string());
        for said in ["Soup", "yes"] {
            let body = json!({"conversation_id": begun["conversation_id"], "user_message": said});
            let (status, answer) = server.chat(&mut cookie, &body).await;
            assert_eq!(status, 200, "{answer}");
            if said == "yes" {
                assert_eq!(answer["action"]["action"], "FORM_COMPLETE", "{answer}");
            }
        }
    }
    assert_eq!(names.len(), forms.len(), "another text is another form: {names:?}");
    let listed = server.get("api/schemas", None).await.to_string();
    assert!(!listed.contains("lunch"), "it is nobody else's");
    assert!(
        !server.folder.path().join("data/submissions/elsewhere.jsonl").exists(),
        "it does not choose where answers go"
    );
    let (status, refused) = server.chat(&mut None, &json!({"form_context_md": "id: lunch\ntitel: Lunch\n"})).await;
    assert_eq!((status, &refused["error"]["code"]), (422, &json!("refused")), "{refused}");
    assert!(refused["error"]["message"].as_str().unwrap().contains("titel"), "{refused}");
}

#[cfg(unix)]
#[tokio::test]
async fn while_it_drains_it_is_not_ready_and_still_takes_messages() {
    let mut server = Server::start(&[("FORMWRIGHT__OPS__DRAIN", "60")]);
    let process = server.process.id().to_string();
    let stop = || assert!(Command::new("kill").args(["-TERM", &process]).status().unwrap().success());
    let ready = async |server: &Server| {
        server.client.get(format!("{}health/ready", server.address)).send().await.unwrap().status().as_u16()
    };
    assert_eq!(ready(&server).await, 200);
    stop();
    let turns_unready = async {
        while ready(&server).await != 503 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, turns_unready).await.unwrap();
    assert_eq!(server.chat(&mut None, &json!({"form": "pizza-order"})).await.0, 200);
    // Who asks again does not wait for a minute.
    stop();
    let ended = tokio::task::spawn_blocking(move || server.process.wait().unwrap());
    let ended = tokio::time::timeout(Duration::from_secs(30), ended).await.unwrap().unwrap();
    assert!(ended.success(), "{ended}");
}

/// Whether words stand in any file of a folder.
fn found_in(folder: &Path, words: &str) -> bool {
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file());
    files.into_iter().any(|path| std::fs::read(path).unwrap().windows(words.len()).any(|at| at == words.as_bytes()))
}

#[tokio::test]
async fn a_person_is_forgotten_by_command_and_by_word() {
    let server = Server::start(&[("FORMWRIGHT__LOG__LEVEL", "warn")]);
    let data = server.folder.path().join("data");
    let mut users = Vec::new();
    let mut chats = Vec::new();
    for street in ["via Aldebaran 12", "via Betelgeuse 34"] {
        let mut cookie = None;
        let order = format!("two spicy pizzas to {street}, my number is 347 123 4567");
        let (status, begun) = server.chat(&mut cookie, &json!({"form": "pizza-order", "user_message": order})).await;
        assert_eq!(status, 200, "{begun}");
        for said in ["skip", "no", "skip", "yes"] {
            let body = json!({"conversation_id": begun["conversation_id"], "user_message": said});
            assert_eq!(server.chat(&mut cookie, &body).await.0, 200);
        }
        chats.push((cookie, begun["conversation_id"].clone()));
        let (_, printed) = run(server.folder.path(), &["submissions", "--format", "json"], "");
        let submissions: Value = serde_json::from_str(&printed).unwrap();
        users.push(submissions[users.len()]["user"].as_str().expect("it is submitted").to_owned());
        assert!(found_in(&data, street), "it was written");
    }
    let forget = |args: &[&str]| run(server.folder.path(), &[&["forget", &users[0]], args].concat(), "yes\n");

    let (output, printed) = forget(&[]);
    assert!(output.status.code() == Some(1) && printed.contains("add `--yes`"), "{printed}");
    let (output, printed) = forget(&["--yes", "--platform", "slack"]);
    assert!(output.status.code() == Some(1) && printed.contains("nothing is kept of"), "{printed}");
    assert!(found_in(&data, "via Aldebaran 12"));

    let (output, printed) = forget(&["--yes"]);
    assert!(output.status.success(), "{printed}");
    for part in ["removed at", "web", "delivered before", "pizza-order.jsonl"] {
        assert!(printed.contains(part), "{part}: {printed}");
    }
    assert!(!found_in(&data, "via Aldebaran 12") && found_in(&data, "via Betelgeuse 34"));
    let (output, printed) = forget(&["--yes", "--json"]);
    let empty: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), &empty["removed"]), (Some(1), &json!({})), "{printed}");

    let (cookie, conversation) = &mut chats[1];
    let mut last = Value::Null;
    for said in ["forget me", "yes"] {
        let body = json!({"conversation_id": conversation, "user_message": said});
        let (status, answer) = server.chat(cookie, &body).await;
        assert_eq!(status, 200, "{answer}");
        last = answer;
    }
    assert!(last.to_string().contains("was deleted on"), "{last}");
    assert!(!found_in(&data, "via Betelgeuse 34"));
    let (_, printed) = run(server.folder.path(), &["submissions"], "");
    assert_eq!(printed, "no submissions yet\n");
}

/// Bits that look random and are the same in every run.
fn bits(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb)
}

#[tokio::test]
async fn thousands_of_forged_buttons_change_nothing() {
    let server = Server::start(&[]);
    let mut cookie = None;
    let (_, begun) = server.chat(&mut cookie, &json!({"form": "pizza-order"})).await;
    let conversation = &begun["conversation_id"];
    let said = json!({"conversation_id": conversation, "user_message": ORDER});
    let (_, before) = server.chat(&mut cookie, &said).await;
    let own: chat::Token = serde_json::from_value(before["replies"][0]["buttons"][0]["token"].clone()).unwrap();

    let seed = &mut 7;
    for _ in 0..10 {
        let forged = (0..200).map(|no| {
            let nonce = chat::Nonce::new(u128::from(bits(seed)) << 64 | u128::from(bits(seed)));
            // Some have the present screen's name and a widget that is not on it.
            let nonce = if no % 4 == 0 { &own.nonce } else { &nonce };
            let token = chat::Token::new(nonce, 100 + u16::try_from(bits(seed) % 60_000).unwrap());
            if no % 2 == 0 { json!({"token": token}) } else { json!({"token": token, "options": [token.option(0)]}) }
        });
        let forged = json!({"conversation_id": conversation, "presses": forged.collect::<Vec<_>>()});
        let (status, after) = server.chat(&mut cookie, &forged).await;
        assert_eq!(status, 200, "{after}");
        assert_eq!((&after["answers"], &after["state"]), (&before["answers"], &before["state"]));
    }
    for _ in 0..1_000 {
        let rubbish: String =
            (0..bits(seed) % 40).map(|_| char::from(33 + u8::try_from(bits(seed) % 90).unwrap())).collect();
        let body = json!({"conversation_id": conversation, "press": {"token": rubbish}});
        let (status, refused) = server.chat(&mut cookie, &body).await;
        assert_eq!((status, &refused["error"]["code"]), (400, &json!("bad_token")), "{rubbish} {refused}");
    }
    let conversation = conversation.as_str().unwrap();
    let view = server.get(&format!("api/conversation/{conversation}"), cookie.as_deref()).await;
    assert_eq!(view["session"]["answers"].as_array().unwrap().len(), before["answers"].as_object().unwrap().len());
}

/// Forged, doubled, of another tool, or too large: the call that is open waits for its own result, and takes one.
#[tokio::test]
async fn a_tools_result_counts_for_the_open_call_and_once() {
    const TOOL: &str = "get_establishments";
    let server = Server::start(&[]);
    let mut cookie = None;
    let (_, begun) = server.chat(&mut cookie, &json!({"form": "injury-report"})).await;
    let (conversation, call) = (&begun["conversation_id"], begun["action"]["call_id"].as_str().unwrap());
    let works = |name: &str| json!({"establishments": [{"registrationNo": "77", "name": name}]});
    let bring = |results: &[(&str, &str, Value)]| {
        let results: Vec<Value> = results
            .iter()
            .map(|(call, tool, result)| json!({"call_id": call, "tool_name": tool, "result": result}))
            .collect();
        json!({"conversation_id": conversation, "tool_results": results})
    };
    for forged in [
        ("F-forged", TOOL, works("Forged")),
        ("", TOOL, works("Nameless")),
        (call, "submit_final", works("Another tool")),
        (&format!("{call}x"), TOOL, works("Longer")),
    ] {
        let (status, after) = server.chat(&mut cookie, &bring(&[forged])).await;
        assert_eq!(
            (status, &after["action"]["call_id"]),
            (200, &begun["action"]["call_id"]),
            "it still waits: {after}"
        );
        assert_eq!((&after["answers"], &after["asked"]), (&begun["answers"], &begun["asked"]));
    }
    let (status, refused) = server.chat(&mut cookie, &bring(&[(call, TOOL, works(&"x".repeat(64 * 1024)))])).await;
    assert_eq!((status, &refused["error"]["code"]), (413, &json!("body_too_big")), "{refused}");
    assert!(refused["error"]["message"].as_str().unwrap().contains("Send less at once"), "{refused}");
    // The first of two counts; the same again, or another one for the same call, changes nothing.
    let twice = bring(&[(call, TOOL, works("Harbour")), (call, TOOL, works("Somebody else"))]);
    let (_, after) = server.chat(&mut cookie, &twice).await;
    assert_eq!(after["action"]["options"], json!(["Harbour"]), "{after}");
    for _ in 0..2 {
        let (_, again) = server.chat(&mut cookie, &bring(&[(call, TOOL, works("Late"))])).await;
        assert_eq!(
            (&again["action"]["options"], &again["answers"]),
            (&json!(["Harbour"]), &after["answers"]),
            "{again}"
        );
    }
}
