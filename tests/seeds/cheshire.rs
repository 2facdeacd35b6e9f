//! Forms of Cheshire Cat.

use std::os::unix::fs::PermissionsExt as _;
use std::sync::{Arc, Mutex};

use axum::extract::State;
use axum::{Json, Router};
use serde_json::{Value, json};

use super::visitor::{Visitor, action, folder, serving, words};
use crate::platforms::person::Person as _;
use crate::platforms::stage::{Plan, Platform, Stage};
use crate::program::Server;

super::played! { "cheshire.md",
    declarative_model_with_validators = "declarative model with validators";
    name_and_description = "name and description";
    start_examples = "start examples";
    stop_examples = "stop examples";
    semantic_trigger_plus_choice_among_candidates = "semantic trigger plus choice among candidates";
    start_and_extract_on_the_same_message = "start and extract on the same message";
    any_order_multi_field_extraction = "any-order, multi-field extraction";
    run_time_schema = "run-time schema";
    sanitize = "sanitize";
    merge = "merge";
    missing_list = "missing list";
    invalid_list_with_reasons = "invalid list with reasons";
    exit_check_every_turn = "exit check every turn";
    optional_confirm = "optional confirm";
    change_at_confirm = "change at confirm";
    submit_returns_the_output_shown_in_the_chat = "submit returns the output shown in the chat";
    every_phase_overridable = "every phase overridable";
    forms_switched_on_and_off_at_run_time = "forms switched on and off at run time";
    lenient_json_from_models = "lenient JSON from models";
    nested_fields_and_lists = "nested fields and lists";
    tools_during_a_form = "tools during a form";
    sub_forms = "sub-forms";
}

const LAMP: &str = r#"
id = "lamp"
title = "Street lamp"
description = "Report a street lamp that is dark"

[[field]]
id = "street"
kind = "text"
label = "Road"
ask = "In which street?"
"#;

/// A file in the folder of forms is a form; any other is none. It is there without a restart.
#[tokio::test]
async fn registration() {
    let server = serving(&[("notes.txt", LAMP)], &[]);
    let mut visitor = Visitor::of(std::sync::Arc::clone(&server));
    let forms = |listed: &Value| listed["schemas"].as_array().unwrap().iter().any(|form| form["id"] == "lamp");
    assert!(!forms(&visitor.json("api/schemas").await), "notes are no form");
    std::fs::write(server.folder.path().join("forms/lamp.toml"), LAMP).unwrap();
    let said =
        visitor.until(json!({"user_message": "report a dark street lamp"}), |answer| answer["form"] == "lamp").await;
    assert_eq!(said["asked"], "street", "{said}");
    let listed = visitor.json("api/schemas").await;
    let lamp = listed["schemas"].as_array().unwrap().iter().find(|form| form["id"] == "lamp").unwrap();
    assert_eq!(
        (&lamp["title"], &lamp["description"]),
        (&json!("Street lamp"), &json!("Report a street lamp that is dark"))
    );
}

/// A form that does something when it is confirmed, by a tool that the client runs.
pub(super) const DEED: &str = r#"
id = "deed"
title = "Deed"
description = "Do the deed"
run = "do_it"

[[field]]
id = "what"
kind = "text"
label = "Task"
ask = "What shall be done?"

[[tool]]
id = "do_it"
kind = "client"
params = { what = "what" }
output = [{ id = "receipt" }]
answer = "Done: {{ receipt }}."
"#;

/// Incomplete while something is asked, then looked over, and closed once what it is for has been done; complete is passed
/// through in the turn that does it.
#[tokio::test]
async fn four_state_machine() {
    let mut visitor = Visitor::new();
    assert_eq!(visitor.opens("deed").await["state"], "Incomplete");
    let review = visitor.says("the dishes").await;
    assert_eq!((&review["state"], &review["asked"]), (&json!("WaitConfirm"), &Value::Null), "{review}");
    let changed = visitor.says("no").await;
    assert_eq!(changed["state"], "WaitConfirm", "a no alone asks what to change: {changed}");
    let review = visitor.says("task: the windows").await;
    assert_eq!(
        (&review["state"], &review["answers"]["what"]),
        (&json!("WaitConfirm"), &json!("the windows")),
        "{review}"
    );
    let call = visitor.says("yes").await;
    assert_eq!(
        (action(&call), &call["state"]),
        ("TOOL_CALL", &json!("WaitConfirm")),
        "not closed before it is done: {call}"
    );
    let done = visitor.brings(&call["action"], json!({"receipt": "R1"})).await;
    assert_eq!((action(&done), &done["state"]), ("FORM_COMPLETE", &json!("Closed")), "{done}");
    assert!(words(&done).contains("Done: R1."), "{done}");
}

/// What begins next in a conversation is told the form that was finished before it.
#[tokio::test]
async fn finished_form_readable_by_later_hooks() {
    const BILL: &str = "id = \"bill\"\ntitle = \"Bill\"\n[[field]]\nid = \"mail\"\nkind = \"email\"\nask = \"To which address?\"\n\
        [[tool]]\nid = \"greet\"\nkind = \"command\"\ncommand = \"greet\"\n\
        [[hook]]\nphase = \"message\"\npart = \"start\"\ntool = \"greet\"\n";
    let folder = folder(&[("lamp.toml", LAMP), ("bill.toml", BILL)]);
    let (script, told) = (folder.path().join("greet.sh"), folder.path().join("told.json"));
    std::fs::write(&script, format!("#!/bin/sh\ncat > {}\necho '{{}}'\n", told.display())).unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    let settings = format!("[tools.commands]\ngreet = [\"{}\"]\n", script.display());
    std::fs::write(folder.path().join("formwright.toml"), settings).unwrap();
    let mut visitor = Visitor::of(std::sync::Arc::new(Server::start_in(folder, &[])));
    visitor.opens("lamp").await;
    visitor.says("via Roma").await;
    assert_eq!(action(&visitor.says("yes").await), "FORM_COMPLETE");
    assert_eq!(visitor.opens("bill").await["asked"], "mail");
    let told: Value = serde_json::from_slice(&std::fs::read(told).unwrap()).unwrap();
    let args = told.get("args").unwrap_or(&told);
    assert_eq!(args["before"], json!({"form": "lamp", "answers": {"street": "via Roma"}}), "{told}");
}

/// Who may use which form where is the operator's; in another place the form is not even offered.
#[tokio::test(flavor = "multi_thread")]
async fn allowed_forms_per_place() {
    let second = LAMP.replace("lamp", "shed").replace("Street shed", "Garden shed");
    let plan = Plan {
        forms: vec![LAMP.to_owned(), second],
        only: Some(Platform::Telegram),
        config: "[telegram]\naccess = [{ forms = [\"lamp\"] }]\n".to_owned(),
        ..Plan::default()
    };
    let stage = Stage::serving(plan).await;
    let ada = stage.alone(Platform::Telegram, "Ada");
    ada.writes("hello").await;
    ada.sees("Street lamp").await;
    assert!(!ada.read().iter().any(|message| message.contains("Garden shed")), "{:?}", ada.read());
    ada.writes("/shed").await;
    ada.sees("cannot use this form here").await;
    ada.opens("lamp").await;
    ada.sees("In which street?").await;
    // Elsewhere, on the page, there is no such rule.
    let page = stage.page().await;
    page.opens("shed").await;
    page.sees("In which street?").await;
}

/// A question with options is a message with buttons, and a press answers it.
#[tokio::test(flavor = "multi_thread")]
async fn telegram_buttons() {
    let plan = Plan {
        forms: vec![crate::platforms::lunch::LUNCH.to_owned()],
        only: Some(Platform::Telegram),
        ..Plan::default()
    };
    let stage = Stage::serving(plan).await;
    let ada = stage.alone(Platform::Telegram, "Ada");
    ada.opens("lunch").await;
    ada.writes("Ada").await;
    ada.sees("Which dish?").await;
    ada.presses("Fish").await;
    ada.sees("Is everything right?").await;
    ada.presses("Confirm").await;
    ada.sees("has been submitted").await;
    stage.is_quiet().await;
    assert_eq!(stage.submitted("lunch"), [json!({"name": "Ada", "dish": "fish"})]);
    stage.assert_nothing_was_refused();
}

/// A program that listens is told what happens to a form: each change with what was there before, and how it ended.
#[tokio::test]
async fn lifecycle_events() {
    let heard: Arc<Mutex<Vec<Value>>> = Arc::default();
    let hear = |State(heard): State<Arc<Mutex<Vec<Value>>>>, Json(told): Json<Value>| async move {
        heard.lock().unwrap().push(told);
    };
    let ears = Router::new().fallback(hear).with_state(Arc::clone(&heard));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    tokio::spawn(async move { axum::serve(listener, ears).await });
    let form = format!("{LAMP}\n[[listen]]\nto = \"http://{address}/\"\n");
    let mut visitor = Visitor::of(serving(&[("lamp.toml", &form)], &[("FORMWRIGHT__HTTP__LOCAL", &address)]));
    visitor.opens("lamp").await;
    for words in ["Via Roma", "change the road to Via Milano", "yes"] {
        visitor.says(words).await;
    }
    let told = || heard.lock().unwrap().clone();
    let all_came = || told().last().is_some_and(|last| last["type"] == "event.closed");
    for _ in 0..400 {
        if all_came() {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    let kinds: Vec<String> = told().iter().map(|told| told["type"].as_str().unwrap().to_owned()).collect();
    let expected = ["started", "changed", "validated", "changed", "validated", "submitted", "closed"];
    assert!(kinds.iter().cloned().eq(expected.map(|kind| format!("event.{kind}"))), "{kinds:?}");
    let second = &told()[3]["data"];
    assert_eq!((&second["before"], &second["after"]), (&json!("Via Roma"), &json!("Via Milano")));
}
