//! What is called outside of a turn: lookups in advance.

use serde_json::json;

use super::*;
use formwright_load::{Syntax, load};

const MENU: &str = r#"
id = "lunch"
title = "Lunch"
submit = ["log"]

[[field]]
id = "name"
kind = "text"
ask = "What is your name?"

[[field]]
id = "dish"
kind = "choice"
ask = "Which dish?"
options_from = { tool = "dishes" }

[[tool]]
id = "dishes"
kind = "function"
"#;

/// A runtime with the engine, a form, and a function that counts its calls.
fn kitchen(text: &str, function: &str) -> (Arc<Runtime>, Arc<Mutex<Vec<String>>>, tempfile::TempDir) {
    let calls = Arc::<Mutex<Vec<String>>>::default();
    let seen = Arc::clone(&calls);
    let dishes = move |id: String, args: serde_json::Value| {
        seen.lock().unwrap().push(format!("{id} {args}"));
        async { Ok(json!([{"id": "soup", "name": "Soup"}, {"id": "fish", "name": "Fish"}])) }
    };
    let (runtime, directory) = served(text, Tools::new().function_with_id(function, dishes));
    (runtime, calls, directory)
}

/// A runtime with the engine, a form and tools.
fn served(text: &str, tools: Tools) -> (Arc<Runtime>, tempfile::TempDir) {
    served_by(|engine| engine, text, tools)
}

fn served_by(with: fn(Engine) -> Engine, text: &str, tools: Tools) -> (Arc<Runtime>, tempfile::TempDir) {
    let directory = tempfile::tempdir().unwrap();
    let loaded = load(text, Syntax::Toml);
    let mut catalog = Catalog::default();
    catalog.insert(loaded.form.unwrap_or_else(|| panic!("{:#?}", loaded.problems)));
    let runtime = Runtime::new(Parts {
        store: Arc::new(formwright_store::memory::MemoryStore::default()),
        conversation: Arc::new(with(Engine::new(catalog))),
        model: None,
        tools,
        opener: Opener::new(directory.path().to_owned()).unwrap(),
        sinks: BTreeMap::new(),
        listen: Vec::new(),
        listeners: Vec::new(),
        adapters: Vec::new(),
        schema: |_| serde_json::Value::Null,
        clock: Clock::system(),
        limits: Limits { burst: 100, ..Limits::default() },
    });
    (runtime, directory)
}

async fn says(runtime: &Arc<Runtime>, id: &str, action: chat::Action) -> String {
    let event = chat::Event { action, at: Timestamp::now(), ..event("web", id, "") };
    let turn = runtime.host().converse(event).await.unwrap();
    serde_json::to_string(&turn.replies).unwrap()
}

fn opens() -> chat::Action {
    chat::Action::Open { form: Some("lunch".to_owned()) }
}

fn word(text: &str) -> chat::Action {
    chat::Action::Say { text: text.to_owned() }
}

#[tokio::test]
async fn what_a_later_question_needs_is_looked_up_while_the_person_thinks() {
    let (runtime, calls, _directory) = kitchen(MENU, "dishes");
    says(&runtime, "e1", opens()).await;
    while runtime.foreseeing.is_busy() || calls.lock().unwrap().is_empty() {
        tokio::task::yield_now().await;
    }
    let shown = says(&runtime, "e2", word("Ann")).await;
    assert!(shown.contains("Soup"), "{shown}");
    assert_eq!(calls.lock().unwrap().len(), 1, "nobody waited for it");
}

#[tokio::test]
async fn a_lookup_that_is_under_way_is_waited_for_and_not_made_twice() {
    let (gate, count) = (Arc::new(tokio::sync::Semaphore::new(0)), Arc::<Mutex<u32>>::default());
    let (open, counted) = (Arc::clone(&gate), Arc::clone(&count));
    let dishes = move |_| {
        *counted.lock().unwrap() += 1;
        let open = Arc::clone(&open);
        async move {
            let _ = open.acquire().await;
            Ok(json!([{"id": "soup", "name": "Soup"}]))
        }
    };
    let (runtime, _directory) = served(MENU, Tools::new().function("dishes", dishes));
    says(&runtime, "e1", opens()).await;
    while *count.lock().unwrap() == 0 {
        tokio::task::yield_now().await;
    }
    let opens_later = async {
        tokio::task::yield_now().await;
        gate.add_permits(1);
    };
    let (shown, ()) = tokio::join!(says(&runtime, "e2", word("Ann")), opens_later);
    assert!(shown.contains("Soup"), "{shown}");
    assert_eq!(*count.lock().unwrap(), 1);
}

#[tokio::test]
async fn a_lookup_in_advance_that_failed_is_made_again_only_when_it_is_needed() {
    let count = Arc::<Mutex<u32>>::default();
    let counted = Arc::clone(&count);
    let dishes = move |_| {
        *counted.lock().unwrap() += 1;
        async { Err(formwright_engine::CallError::broken("503", false)) }
    };
    let (runtime, _directory) = served(MENU, Tools::new().function("dishes", dishes));
    says(&runtime, "e1", opens()).await;
    while runtime.foreseeing.is_busy() || *count.lock().unwrap() == 0 {
        tokio::task::yield_now().await;
    }
    says(&runtime, "e2", word("help")).await;
    assert!(!runtime.foreseeing.is_busy());
    assert_eq!(*count.lock().unwrap(), 1);
    says(&runtime, "e3", word("Ann")).await;
    assert_eq!(*count.lock().unwrap(), 2);
}

const REGISTER: &str = r#"
id = "lunch"
title = "Lunch"
submit = ["tool.register"]
confirm = false

[[field]]
id = "name"
kind = "text"
ask = "What is your name?"

[[tool]]
id = "register"
kind = "function"
params = { who = "name" }
retries = 0
"#;

#[tokio::test]
async fn a_tool_takes_a_submission_under_the_id_of_its_delivery() {
    let (runtime, calls, _directory) = kitchen(REGISTER, "register");
    says(&runtime, "e1", opens()).await;
    says(&runtime, "e2", word("Ann")).await;
    while runtime.deliver_due().await > 0 {}
    let calls = calls.lock().unwrap();
    assert_eq!(calls.len(), 1, "{calls:?}");
    assert!(calls[0].ends_with(".1.tool.register {\"who\":\"Ann\"}"), "{calls:?}");
}

#[tokio::test]
async fn a_form_that_is_tried_out_looks_up_and_does_nothing() {
    let calls = Arc::<Mutex<Vec<&str>>>::default();
    let (looked, done) = (Arc::clone(&calls), Arc::clone(&calls));
    let tools = Tools::new().function("dishes", move |_| {
        looked.lock().unwrap().push("dishes");
        async { Ok(json!(["Soup"])) }
    });
    let tools = tools.function("order", move |_| {
        done.lock().unwrap().push("order");
        async { Ok(json!({})) }
    });
    let form = MENU.replace("submit = [\"log\"]", "confirm = false\nrun = \"order\"");
    let form = format!("{form}\n[[tool]]\nid = \"order\"\nkind = \"function\"\nparams = {{ dish = \"dish\" }}\n");
    let (runtime, _directory) = served_by(Engine::trying_out, &form, tools);
    says(&runtime, "e1", opens()).await;
    says(&runtime, "e2", word("Ann")).await;
    let shown = says(&runtime, "e3", word("soup")).await;
    assert!(shown.contains("Only tried out: `order` would be run now, with {\\\"dish\\\":\\\"Soup\\\"}."), "{shown}");
    assert!(shown.contains("has been submitted"), "{shown}");
    assert_eq!(*calls.lock().unwrap(), ["dishes"]);
}

#[tokio::test]
async fn a_form_that_is_tried_out_asks_nobody_for_approval() {
    let form = MENU.replace("submit = [\"log\"]", "confirm = false\nreview = { by = \"leads\" }\nsubmit = [\"log\"]");
    let tools = Tools::new().function("dishes", |_| async { Ok(json!(["Soup"])) });
    let (runtime, _directory) = served_by(Engine::trying_out, &form, tools);
    says(&runtime, "e1", opens()).await;
    says(&runtime, "e2", word("Ann")).await;
    let shown = says(&runtime, "e3", word("soup")).await;
    assert!(shown.contains("would be sent to the desk `leads` for approval now."), "{shown}");
    assert!(shown.contains("\"dish\":\"Soup\"") && !shown.contains("has been submitted"), "{shown}");
}
