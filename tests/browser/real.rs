//! The page over the real engine, with the forms of this repository.

use std::collections::BTreeMap;
use std::sync::Arc;

use formwright::engine::Engine;
use formwright::form::Catalog;
use formwright::form::load::{Syntax, load};
use formwright::runtime::{Clock, Limits, Parts, Runtime};
use formwright::store::memory::MemoryStore;
use formwright::submit::Opener;
use formwright::tool::Tools;
use formwright_web::{WebAdapter, WebSettings};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::driver::Browser;
use super::open;

async fn serve() -> (String, tempfile::TempDir) {
    let mut catalog = Catalog::default();
    for file in [
        "pizza-order.toml",
        "injury-report.toml",
        "leave-request.yaml",
        "expense-claim.toml",
        "event-signup.json",
        "support-ticket.toml",
    ] {
        let text = std::fs::read_to_string(format!("{}/forms/{file}", env!("CARGO_MANIFEST_DIR"))).unwrap();
        let loaded = load(&text, Syntax::of(file).unwrap());
        catalog.insert(loaded.form.unwrap_or_else(|| panic!("{:?}", loaded.problems)));
    }
    let directory = tempfile::tempdir().unwrap();
    let runtime = Runtime::new(Parts {
        store: Arc::new(MemoryStore::new()),
        conversation: Arc::new(Engine::new(catalog)),
        tools: Tools::new(),
        opener: Opener::new(directory.path().to_owned()).unwrap(),
        sinks: BTreeMap::new(),
        adapters: vec![],
        schema: |_| serde_json::Value::Null,
        clock: Clock::system(),
        limits: Limits { burst: 1000, ..Limits::default() },
    });
    let host = runtime.host();
    tokio::spawn(runtime.run(std::future::pending()));
    let adapter = WebAdapter::new(WebSettings::default()).unwrap();
    let port = std::env::var("SCRATCH_PORT").unwrap_or("0".into());
    let listener = TcpListener::bind(format!("127.0.0.1:{port}")).await.unwrap();
    let address = format!("http://{}/", listener.local_addr().unwrap());
    tokio::spawn(async move { adapter.serve(listener, host, Box::pin(std::future::pending())).await });
    (address, directory)
}

/// What the page asks now: a question's label, `review`, or `done`.
const ASKED: &str = "
    if (sessionStorage.getItem('formwright.queue') !== '[]' || document.querySelector('.typing')) return null;
    const open = document.querySelector('.widget:not(.closed) legend');
    if (open) return open.textContent;
    if (document.querySelector('.complete')) return 'done';
    return document.querySelector('.card:not(.closed)') ? 'review' : null";

/// How a person answers a question.
enum By {
    /// Sets the widget's input and sends it.
    Set(&'static str),
    /// Sets one of the widget's inputs, by its label, and sends it.
    SetIn(&'static str, &'static str),
    /// Presses a button.
    Press(&'static str),
    /// Writes a message.
    Say(&'static str),
    /// Gives a file to the widget.
    File,
}

/// Answers what is asked until the form is done; gives the labels in the order of asking.
async fn fill(browser: &Browser, answers: &[(&str, By)]) -> Vec<String> {
    let mut order = Vec::new();
    while order.len() < 60 {
        browser.until(&format!("return (() => {{ {ASKED} }})() !== null"), vec![]).await;
        let asked = browser.client.execute(ASKED, vec![]).await.unwrap().as_str().unwrap().to_owned();
        order.push(asked.clone());
        if asked == "done" {
            return order;
        }
        let Some((_, by)) = answers.iter().find(|(label, _)| *label == asked) else {
            panic!("{asked} is asked\n{}", browser.text("#log").await);
        };
        browser.picture(&format!("{}-{}", order.len(), asked.to_lowercase().replace(' ', "-"))).await;
        match by {
            By::Press(label) => browser.press(label).await,
            By::Say(text) => browser.say(text).await,
            By::Set(value) => {
                browser.set(&open(":is(input, select, textarea)"), value).await;
                browser.click(&open(".go button")).await;
            }
            By::SetIn(label, value) => {
                browser.set(&open(&format!("input[aria-label={label}]")), value).await;
                browser.click(&open(".go button")).await;
            }
            By::File => {
                let folder = tempfile::tempdir().unwrap();
                let path = folder.path().join("report.pdf");
                std::fs::write(&path, "report").unwrap();
                browser.keys(&open("input[type=file]"), &path.display().to_string()).await;
                browser.click(&open(".go button")).await;
            }
        }
    }
    panic!("no end: {order:?}");
}

/// The one submission in a file of the data directory.
fn submitted(data: &std::path::Path, form: &str) -> Value {
    let text = std::fs::read_to_string(data.join(format!("{form}.jsonl"))).unwrap();
    assert_eq!(text.lines().count(), 1, "{text}");
    serde_json::from_str(&text).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pizza_is_ordered_by_widgets() {
    let Some(browser) = Browser::start().await else { return };
    let (address, data) = serve().await;
    browser.client.goto(&address).await.unwrap();
    browser.click("[data-form=pizza-order]").await;
    let answers = [
        ("Pizza", By::Press("Diavola")),
        ("How many", By::Set("2")),
        ("Address", By::Set("via Roma 12")),
        ("Phone", By::Set("347 123 4567")),
        ("Delivery time", By::Set("20:15")),
        ("Extra chili oil", By::Press("Yes")),
        ("Notes for the driver", By::Press("Skip")),
        ("review", By::Press("Confirm")),
    ];
    let order = fill(&browser, &answers).await;
    assert_eq!(order.len(), answers.len() + 1, "{order:?}");
    let answers = &submitted(data.path(), "pizza-order")["answers"];
    assert_eq!(answers["phone"], "+393471234567");
    assert_eq!((&answers["pizza"], &answers["count"], &answers["chili"]), (&json!("diavola"), &json!(2), &json!(true)));
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pizza_is_ordered_by_typing() {
    let Some(browser) = Browser::start().await else { return };
    let (address, data) = serve().await;
    browser.client.goto(&address).await.unwrap();
    browser.find(".form").await;
    browser.poster().await;
    browser.say("two spicy pizzas to via Roma 12, my number is 347 123 4567").await;
    let answers = [
        ("Delivery time", By::Say("quarter past eight in the evening")),
        ("Extra chili oil", By::Say("yes please")),
        ("Notes for the driver", By::Say("third floor, ring at Bianchi")),
        ("review", By::Say("yes")),
    ];
    let order = fill(&browser, &answers).await;
    assert_eq!(order.len(), answers.len() + 1, "{order:?}");
    let answers = &submitted(data.path(), "pizza-order")["answers"];
    assert_eq!((&answers["pizza"], &answers["count"]), (&json!("diavola"), &json!(2)));
    assert_eq!((&answers["delivery_time"], &answers["phone"]), (&json!("20:15"), &json!("+393471234567")));
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_injury_is_reported_by_widgets() {
    let Some(browser) = Browser::start().await else { return };
    let (address, data) = serve().await;
    browser.client.goto(&address).await.unwrap();
    browser.click("[data-form=injury-report]").await;
    let answers = [
        ("Employer", By::Press("Najd Building Materials")),
        ("Occupation", By::Press("Sales assistant, from January 2024")),
        ("Day of the injury", By::Set("2026-03-02")),
        ("Time of the injury", By::Set("09:30")),
        ("First day unable to work", By::Set("2026-03-02")),
        ("Day you told your employer", By::Set("2026-03-03")),
        ("What happened", By::Set("I slipped on the wet floor and fell on my wrist.")),
        ("Kind of injury", By::Press("Injury at the place of work")),
        ("Cause of the injury", By::Press("Fall or slip")),
        ("Place of the injury", By::SetIn("Address", "24.7136, 46.6753")),
        ("Treatment has begun", By::Press("Yes")),
        ("Kind of place", By::Press("Road")),
        ("Authority that came", By::Press("Police")),
        ("Emergency contact", By::Set("050 123 4567")),
        ("Documents", By::File),
        ("review", By::Say("yes")),
    ];
    fill(&browser, &answers).await;
    let answers = &submitted(data.path(), "injury-report")["answers"];
    assert_eq!(answers["selectedEstablishment"], "10002");
    assert_eq!(answers["injuryTime"], "09:30");
    browser.close().await;
}
