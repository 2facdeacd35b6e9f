//! What is called outside of a turn: lookups in advance.

use serde_json::json;

use super::*;
use crate::form::load::{Syntax, load};

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
    let (calls, directory) = (Arc::<Mutex<Vec<String>>>::default(), tempfile::tempdir().unwrap());
    let seen = Arc::clone(&calls);
    let dishes = move |id: String, args: serde_json::Value| {
        seen.lock().unwrap().push(format!("{id} {args}"));
        async { Ok(json!([{"id": "soup", "name": "Soup"}, {"id": "fish", "name": "Fish"}])) }
    };
    let loaded = load(text, Syntax::Toml);
    let mut catalog = Catalog::default();
    catalog.insert(loaded.form.unwrap_or_else(|| panic!("{:#?}", loaded.problems)));
    let runtime = Runtime::new(Parts {
        store: Arc::new(crate::store::memory::MemoryStore::default()),
        conversation: Arc::new(Engine::new(catalog)),
        model: None,
        tools: Tools::new().function_with_id(function, dishes),
        opener: Opener::new(directory.path().to_owned()).unwrap(),
        sinks: BTreeMap::new(),
        listen: Vec::new(),
        listeners: Vec::new(),
        adapters: Vec::new(),
        schema: |_| serde_json::Value::Null,
        clock: Clock::system(),
        limits: Limits { burst: 100, ..Limits::default() },
    });
    (runtime, calls, directory)
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
