//! The page of the real program, with the forms of this repository.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use super::driver::{Browser, PATIENCE};
use super::open;

/// The program, serving the sample forms; it ends with the test.
struct Program {
    process: Child,
    address: String,
    data: tempfile::TempDir,
}

impl Program {
    /// Starts it as an operator would, on a free port.
    fn start() -> Self {
        let data = tempfile::tempdir().unwrap();
        let mut process = Command::new(env!("CARGO_BIN_EXE_formwright"))
            .args(["--forms", concat!(env!("CARGO_MANIFEST_DIR"), "/forms"), "--data"])
            .arg(data.path())
            .args(["run", "--listen", "127.0.0.1:0"])
            .env("NO_COLOR", "1")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines().map_while(Result::ok);
        let line = lines.find(|line| line.contains("the page is at http://")).expect("it tells the page's address");
        let (_, address) = line.split_once("the page is at ").unwrap();
        let address = address.split_whitespace().next().unwrap().to_owned();
        Self { process, address, data }
    }

    /// The one submission of a form.
    async fn submitted(&self, form: &str) -> Value {
        let file = self.data.path().join(format!("submissions/{form}.jsonl"));
        let started = std::time::Instant::now();
        loop {
            let text = std::fs::read_to_string(&file).unwrap_or_default();
            if text.ends_with('\n') {
                assert_eq!(text.lines().count(), 1, "{text}");
                return serde_json::from_str(&text).unwrap();
            }
            assert!(started.elapsed() < PATIENCE, "no {}", file.display());
            tokio::task::yield_now().await;
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Whoever opens the page is offered the forms, and reads in its panel what has become of the one they chose: the session,
/// the answers and the last action. Nothing where there is no browser.
pub(crate) async fn chooses_a_form_and_reads_the_panel(address: &str) {
    let Some(browser) = Browser::start().await else { return };
    browser.client.goto(address).await.unwrap();
    browser.find("[data-form=support-ticket]").await;
    browser.click("[data-form=pizza-order]").await;
    browser.find(&open(".choice")).await;
    browser.say("diavola").await;
    browser.click("#debug-toggle").await;
    for told in ["pizza-order", "Incomplete", "Answers (1)", "Diavola", "Last action"] {
        browser.see("#debug", told).await;
    }
    browser.close().await;
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

/// Answers what is asked until the form is done; gives the labels in the order of asking. What is asked several times is
/// answered by its entries in turn, the last one serving on.
async fn fill(browser: &Browser, answers: &[(&str, By)]) -> Vec<String> {
    let mut order = Vec::new();
    // What is given as a file is there until the form is done, as the browser may look at it later.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("report.pdf");
    std::fs::write(&file, "report").unwrap();
    while order.len() < 60 {
        let asked = browser.told(ASKED).await;
        order.push(asked.clone());
        if asked == "done" {
            return order;
        }
        let times = order.iter().filter(|label| **label == asked).count();
        let mut entries = answers.iter().filter(|(label, _)| *label == asked);
        let Some((_, by)) = entries.nth(times - 1).or_else(|| answers.iter().rfind(|(label, _)| *label == asked))
        else {
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
                browser.keys(&open("input[type=file]"), &file.display().to_string()).await;
                browser.click(&open(".go button")).await;
            }
        }
    }
    panic!("no end: {order:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pizza_is_ordered_by_widgets() {
    let Some(browser) = Browser::start().await else { return };
    let program = Program::start();
    browser.client.goto(&program.address).await.unwrap();
    browser.click("[data-form=pizza-order]").await;
    let answers = [
        ("Pizza", By::Press("Diavola")),
        ("How many", By::Set("2")),
        ("Address", By::Set("via Roma 12")),
        ("Phone", By::Set("347 123 4567")),
        ("review", By::Press("Add Delivery time")),
        ("Delivery time", By::Set("20:15")),
        ("review", By::Press("Add Extra chili oil")),
        ("Extra chili oil", By::Press("Yes")),
        ("review", By::Press("Confirm")),
    ];
    let order = fill(&browser, &answers).await;
    assert_eq!(order.len(), answers.len() + 1, "{order:?}");
    let submission = program.submitted("pizza-order").await;
    let answers = &submission["answers"];
    assert_eq!(answers["phone"], "+393471234567");
    assert_eq!((&answers["pizza"], &answers["count"], &answers["chili"]), (&json!("diavola"), &json!(2), &json!(true)));
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pizza_is_ordered_by_typing() {
    let Some(browser) = Browser::start().await else { return };
    let program = Program::start();
    browser.client.goto(&program.address).await.unwrap();
    browser.find(".form").await;
    browser.poster().await;
    browser.say("two spicy pizzas to via Roma 12, my number is 347 123 4567").await;
    let answers = [("review", By::Say("bring it at quarter past eight in the evening")), ("review", By::Say("yes"))];
    let order = fill(&browser, &answers).await;
    assert_eq!(order.len(), answers.len() + 1, "{order:?}");
    let submission = program.submitted("pizza-order").await;
    let answers = &submission["answers"];
    assert_eq!((&answers["pizza"], &answers["count"]), (&json!("diavola"), &json!(2)));
    assert_eq!((&answers["delivery_time"], &answers["phone"]), (&json!("20:15"), &json!("+393471234567")));
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_injury_is_reported_by_widgets() {
    let Some(browser) = Browser::start().await else { return };
    let program = Program::start();
    browser.client.goto(&program.address).await.unwrap();
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
    let submission = program.submitted("injury-report").await;
    let answers = &submission["answers"];
    assert_eq!(answers["selectedEstablishment"], "10002");
    assert_eq!(answers["injuryTime"], "09:30");
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_injury_is_reported_by_typing() {
    let Some(browser) = Browser::start().await else { return };
    let program = Program::start();
    browser.client.goto(&program.address).await.unwrap();
    browser.find(".form").await;
    browser.telephone().await;
    browser.say("I want to report a work injury").await;
    let answers = [
        ("Employer", By::Say("najd")),
        ("Occupation", By::Say("sales assistant")),
        // The first step is looked over.
        ("review", By::Say("yes")),
        ("Day of the injury", By::Say("it was on 2 March 2026, at half past nine in the morning")),
        ("First day unable to work", By::Say("the day after, 3 March 2026")),
        ("Day you told your employer", By::Say("20 March 2026")),
        ("Reason for the delay", By::Say("I was in hospital and could not call anybody.")),
        ("What happened", By::Say("I slipped on the wet floor of the store room and fell on my wrist.")),
        ("Kind of injury", By::Say("an injury at the place of work")),
        ("Cause of the injury", By::Say("a fall or slip")),
        // A place is never read out of words.
        ("Place of the injury", By::SetIn("Address", "24.7136, 46.6753")),
        ("Kind of place", By::Say("other")),
        ("Authority that came", By::Say("nobody")),
        // So is the second, where an answer is corrected.
        ("review", By::Say("the time was 10 am")),
        ("review", By::Say("yes, that is right")),
        ("Emergency contact", By::Say("050 123 4567")),
        ("Documents", By::File),
        // And the whole.
        ("review", By::Say("confirm")),
    ];
    let order = fill(&browser, &answers).await;
    assert_eq!(order.last().map(String::as_str), Some("done"), "{order:?}");
    let submission = program.submitted("injury-report").await;
    let answers = &submission["answers"];
    assert_eq!((&answers["selectedEstablishment"], &answers["injuryDate"]), (&json!("10002"), &json!("2026-03-02")));
    assert_eq!((&answers["injuryTime"], &answers["governmentSector"]), (&json!("10:00"), &json!("none")));
    assert_eq!(answers["emergencyMobileNumber"], "+966501234567");
    assert_eq!(answers["delayReason"], "I was in hospital and could not call anybody.");
    browser.close().await;
}
