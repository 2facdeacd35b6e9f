mod brought;
mod desks;
mod edits;
mod forget;
mod listening;
mod platforms;
mod replicas;
mod tools;
mod zones;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicI64, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use chat::HostError;
use formwright_chat as chat;
use jiff::{SignedDuration, Timestamp};
use rstest::rstest;

use super::*;
use formwright_engine::{Effect, Engine, Happening, Input, Session, Step, Submission, ToolCall};
use formwright_form::{Catalog, FormId, ToolId};
use formwright_http::{Dns, Guarded};
use formwright_load::{Syntax, load};
use formwright_store::{
    Accepted, Commit, Committed, Delivery, Erasure, MemoryStore, OutboxState, Outgoing, Packed, Safety, StoreError,
    Stored, Written,
};
use formwright_submit::Opener;

/// Says what it hears, counts in the session, and does what it is told.
struct Parrot(Catalog);

impl Conversation for Parrot {
    fn rehearse(&self, _: &Session, _: &chat::Event, _: Timestamp) -> Vec<chat::Fault> {
        Vec::new()
    }

    fn step(&self, mut session: Session, input: Input) -> Step {
        let count = session.zone.as_deref().and_then(|n| n.parse::<u32>().ok()).unwrap_or(0);
        let mut effects = Vec::new();
        let mut say = |text: String| {
            let complete = (text == "saved").then(|| serde_json::json!({"size": count}));
            let reply = chat::Reply { say: vec![text], complete, ..chat::Reply::default() };
            effects.push(Effect::Reply(Box::new(reply)));
        };
        match input.event {
            Happening::Event(event) => {
                session.zone = Some((count + 1).to_string());
                let chat::Action::Say { text } = event.action else { return Step { session, effects } };
                match text.as_str() {
                    "panic" => panic!("as told"),
                    "grow" => session.lang = Some("x".repeat(300_000)),
                    "look up" => effects.push(Effect::CallTool(ToolCall {
                        call: input.nonce.as_str().to_owned(),
                        form: FormId::new("pizza"),
                        version: formwright_form::FormVersion::new(""),
                        tool: ToolId::new("menu"),
                        args: serde_json::Value::Null,
                        purpose: formwright_engine::Purpose::Know,
                    })),
                    "order" => {
                        say("saved".to_owned());
                        let form = self.0.form(&FormId::new("pizza")).unwrap();
                        effects.push(Effect::Submit(Box::new(Submission {
                            id: format!("order of {}", event.user.id),
                            revision: 1,
                            form: form.id.clone(),
                            version: form.version.clone(),
                            at: input.now,
                            place: event.place,
                            user: event.user.id,
                            shared: event.terms.shared,
                            answers: serde_json::json!({"size": count}),
                            provenance: Vec::new(),
                            review: None,
                            zone: None,
                        })));
                    }
                    text => say(format!("{count}: {text}")),
                }
            }
            Happening::Outcome(outcome) => say(format!("{:?}", outcome.result.map_err(|error| error.for_log))),
            Happening::Expiry => say("expired".to_owned()),
            Happening::Again(_) => {}
        }
        Step { session, effects }
    }

    fn view(&self, session: &Session, now: Timestamp) -> chat::SessionView {
        Engine::default().view(session, now)
    }

    fn standing(&self, session: &Session) -> chat::Standing {
        Engine::default().standing(session)
    }

    fn is_unfinished(&self, _: &Session, text: &str) -> bool {
        text != "whole"
    }

    fn with_forms(&self, catalog: Catalog) -> Arc<dyn Conversation> {
        Arc::new(Self(catalog))
    }

    fn catalog(&self) -> &Catalog {
        &self.0
    }
}

/// What a store's next commits meet with.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Trouble {
    /// The write does not happen.
    Lost,
    /// The write happens, its acknowledgement does not come.
    Unacknowledged,
    /// Another process is faster.
    Overtaken,
}

/// A store in memory that can be in trouble.
#[derive(Default)]
struct Flaky {
    inner: MemoryStore,
    troubles: Mutex<Vec<Trouble>>,
    damaged: Mutex<Option<SessionKey>>,
    /// How many ends of deliveries it does not note.
    deaf: AtomicU32,
    /// Whether what is written would outlive the machine.
    safety: Mutex<Safety>,
    /// Writes fail with this, or never end where it is empty.
    full: Mutex<Option<&'static str>>,
    /// Has all sessions, where it is there.
    other: std::sync::OnceLock<replicas::Other>,
}

#[async_trait]
impl Store for Flaky {
    async fn commit(&self, commit: &Commit) -> Result<Committed, StoreError> {
        let away = || StoreError::unavailable("away");
        if *self.full.lock().unwrap() == Some("") {
            return std::future::pending().await;
        }
        let trouble = self.troubles.lock().unwrap().pop();
        match trouble {
            None => self.inner.commit(commit).await,
            Some(Trouble::Lost) => Err(away()),
            Some(Trouble::Unacknowledged) => {
                self.inner.commit(commit).await.unwrap();
                Err(away())
            }
            Some(Trouble::Overtaken) => {
                let mut session = Session::new(place("web"), chat::UserId::new("ann"));
                session.zone = Some("100".to_owned());
                let (turn, event) = ("another process's".to_owned(), None);
                let session = Some(Packed::new(session).unwrap());
                let faster = Commit { turn, event, session, outbox: Vec::new(), ..commit.clone() };
                self.inner.commit(&faster).await.unwrap();
                self.inner.commit(commit).await
            }
        }
    }
    async fn load(&self, key: &SessionKey) -> Result<Stored, StoreError> {
        if self.damaged.lock().unwrap().as_ref() == Some(key) {
            return Err(StoreError::damaged("bits fell over"));
        }
        self.inner.load(key).await
    }
    async fn delete(&self, key: &SessionKey) -> Result<bool, StoreError> {
        *self.damaged.lock().unwrap() = None;
        self.inner.delete(key).await
    }
    fn replicas(&self) -> Option<&dyn formwright_store::Replicas> {
        self.other.get().map(|other| other as _)
    }
    async fn behind(&self, lane: &str, id: &str) -> Result<Vec<Outgoing>, StoreError> {
        self.inner.behind(lane, id).await
    }
    async fn note(&self, platform: &chat::Platform, key: &str) -> Result<Option<serde_json::Value>, StoreError> {
        if let Some(why) = *self.full.lock().unwrap() {
            return Err(StoreError::unavailable(why));
        }
        self.inner.note(platform, key).await
    }
    async fn set_note(&self, note: &chat::Note, now: Timestamp) -> Result<(), StoreError> {
        let full = *self.full.lock().unwrap();
        match full {
            None => self.inner.set_note(note, now).await,
            Some("") => std::future::pending().await,
            Some(why) => Err(StoreError::unavailable(why)),
        }
    }
    async fn mark(&self, id: &str, delivery: Delivery, now: Timestamp) -> Result<(), StoreError> {
        let deaf = |left: u32| left.checked_sub(1);
        if self.deaf.fetch_update(Ordering::Relaxed, Ordering::Relaxed, deaf).is_ok() {
            return Err(StoreError::unavailable("away"));
        }
        self.inner.mark(id, delivery, now).await
    }
    async fn accept(&self, key: &SessionKey, event: &chat::Event) -> Result<Accepted, StoreError> {
        self.inner.accept(key, event).await
    }
    async fn open_events(&self, limit: u32) -> Result<Vec<chat::Event>, StoreError> {
        self.inner.open_events(limit).await
    }
    async fn seen(&self, key: &SessionKey, event: &chat::EventId) -> Result<Option<Accepted>, StoreError> {
        self.inner.seen(key, event).await
    }
    async fn due(&self, now: Timestamp, until: Timestamp, limit: u32) -> Result<Vec<Outgoing>, StoreError> {
        self.inner.due(now, until, limit).await
    }
    async fn release(&self) -> Result<u64, StoreError> {
        self.inner.release().await
    }
    async fn outbox(&self, state: OutboxState, limit: u32) -> Result<Vec<Outgoing>, StoreError> {
        self.inner.outbox(state, limit).await
    }
    async fn replay(&self, id: &str, now: Timestamp) -> Result<bool, StoreError> {
        self.inner.replay(id, now).await
    }
    async fn submissions(&self, form: Option<&str>, limit: u32) -> Result<Vec<Submission>, StoreError> {
        self.inner.submissions(form, limit).await
    }
    async fn erase(
        &self,
        platform: &chat::Platform,
        user: &chat::UserId,
        spare: Option<&SessionKey>,
    ) -> Result<Erasure, StoreError> {
        self.inner.erase(platform, user, spare).await
    }
    async fn forget_submissions(&self, form: &FormId, before: Timestamp) -> Result<u64, StoreError> {
        self.inner.forget_submissions(form, before).await
    }
    async fn expired(&self, now: Timestamp, limit: u32) -> Result<Vec<SessionKey>, StoreError> {
        self.inner.expired(now, limit).await
    }
    async fn sweep(&self, before: Timestamp) -> Result<u64, StoreError> {
        self.inner.sweep(before).await
    }
    async fn session_count(&self) -> Result<u64, StoreError> {
        self.inner.session_count().await
    }
    async fn settle(&self, _: &Written) -> Result<Safety, StoreError> {
        Ok(*self.safety.lock().unwrap())
    }
    async fn keep_answer(
        &self,
        event: (&SessionKey, &chat::EventId),
        call: &str,
        answer: &str,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.inner.keep_answer(event, call, answer, now).await
    }
    async fn kept_answer(
        &self,
        event: (&SessionKey, &chat::EventId),
        call: &str,
    ) -> Result<Option<String>, StoreError> {
        self.inner.kept_answer(event, call).await
    }
}

/// A platform that writes down what is said to whom, and can be out of order for a number of deliveries.
#[derive(Default)]
struct Slack {
    /// Its name, where it is another platform.
    name: Option<&'static str>,
    /// It answers nothing.
    hangs: std::sync::atomic::AtomicBool,
    said: Mutex<Vec<String>>,
    failures: AtomicU32,
    /// The person has blocked the bot.
    blocked: std::sync::atomic::AtomicBool,
    /// Why the platform takes nothing.
    trouble: Mutex<Option<String>>,
    /// What it says of places, where it does not say that all can be reached.
    unreached: Mutex<Option<chat::DeliveryError>>,
    /// Where it is set, every delivery looks up what was noted.
    host: std::sync::OnceLock<Arc<dyn chat::Host>>,
}

#[async_trait]
impl chat::Adapter for Slack {
    fn platform(&self) -> chat::Platform {
        chat::Platform::new(self.name.unwrap_or("slack"))
    }
    fn shares_places(&self) -> bool {
        true
    }
    fn trouble(&self) -> Option<String> {
        self.trouble.lock().unwrap().clone()
    }
    async fn reach(&self, _: &chat::Place) -> Result<(), chat::DeliveryError> {
        self.unreached.lock().unwrap().clone().map_or(Ok(()), Err)
    }
    async fn run(self: Arc<Self>, _: Arc<dyn chat::Host>, _: chat::Shutdown) -> Result<(), chat::AdapterError> {
        Ok(())
    }
    async fn deliver(&self, delivery: &chat::Delivery) -> Result<(), chat::DeliveryError> {
        let chat::Delivery { user, reply, .. } = delivery;
        if self.hangs.load(Ordering::Relaxed) {
            return std::future::pending().await;
        }
        if self.blocked.load(Ordering::Relaxed) {
            return Err(chat::DeliveryError::unwanted("blocked"));
        }
        if self.failures.try_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1)).is_ok() {
            return Err(chat::DeliveryError::later("slack is down"));
        }
        if let Some(error @ chat::DeliveryError::Never { .. }) = self.unreached.lock().unwrap().clone() {
            return Err(error);
        }
        if let Some(host) = self.host.get() {
            host.recall(&self.platform(), "sent")
                .await
                .map_err(|error| chat::DeliveryError::later(error.to_string()))?;
        }
        self.said.lock().unwrap().push(format!("{user}: {}", reply.say.join(" / ")));
        Ok(())
    }
}

/// A runtime with its surroundings.
struct Stage {
    store: Arc<Flaky>,
    slack: Arc<Slack>,
    telegram: Arc<Slack>,
    runtime: Arc<Runtime>,
    host: Arc<dyn chat::Host>,
    seconds: Arc<AtomicI64>,
    /// How often the tool was called.
    looked_up: Arc<AtomicU32>,
    directory: tempfile::TempDir,
}

const PIZZA: &str = r#"
schema = 1
id = "pizza"
title = "Pizza"
description = "Order a pizza"
submit = SINKS
[[field]]
id = "size"
kind = "integer"
ask = "How large?"
[[sink]]
id = "kitchen"
kind = "webhook"
url = "http://127.0.0.1:1/"
"#;

fn catalog(sinks: &str) -> Catalog {
    of(&PIZZA.replace("SINKS", sinks))
}

/// The form of a text.
fn of(text: &str) -> Catalog {
    let loaded = load(text, Syntax::Toml);
    let mut catalog = Catalog::default();
    catalog.insert(loaded.form.unwrap_or_else(|| panic!("{:?}", loaded.problems)));
    catalog
}

impl Stage {
    fn new() -> Self {
        Self::with(Arc::new(Parrot(catalog(r#"["log"]"#))))
    }

    fn with(conversation: Arc<dyn Conversation>) -> Self {
        Self::merging(conversation, Duration::ZERO)
    }

    fn merging(conversation: Arc<dyn Conversation>, merge_window: Duration) -> Self {
        Self::over(Arc::default(), conversation, merge_window)
    }

    /// A process over a store that another one may have written.
    fn over(store: Arc<Flaky>, conversation: Arc<dyn Conversation>, merge_window: Duration) -> Self {
        Self::clocked(store, conversation, merge_window, None)
    }

    /// A process with a clock of its own; without one, its clock moves when the test wants, and nobody waits for it.
    fn clocked(
        store: Arc<Flaky>,
        conversation: Arc<dyn Conversation>,
        merge_window: Duration,
        own: Option<Clock>,
    ) -> Self {
        let (slack, seconds) = (Arc::<Slack>::default(), Arc::<AtomicI64>::default());
        let telegram = Arc::new(Slack { name: Some("telegram"), ..Slack::default() });
        let directory = tempfile::tempdir().unwrap();
        let clock = Arc::clone(&seconds);
        let looked_up = Arc::<AtomicU32>::default();
        let looks = Arc::clone(&looked_up);
        let menu = move |_| {
            looks.fetch_add(1, Ordering::Relaxed);
            async { Ok("diavola".into()) }
        };
        let start = Timestamp::UNIX_EPOCH + SignedDuration::from_hours(24 * 365 * 50);
        let kitchen = Guarded::new(["127.0.0.1:1".parse().unwrap()].into(), Arc::new(Dns)).unwrap();
        let runtime = Runtime::new(Parts {
            store: Arc::clone(&store) as _,
            conversation,
            model: None,
            tools: Tools::new().function("menu", menu),
            opener: Opener::new(directory.path().to_owned()).unwrap().sending(kitchen),
            sinks: BTreeMap::new(),
            listen: Vec::new(),
            listeners: Vec::new(),
            adapters: vec![Arc::clone(&slack) as _, Arc::clone(&telegram) as _],
            schema: |_| serde_json::Value::Null,
            clock: own.unwrap_or_else(|| {
                Clock::new(move || start + SignedDuration::from_secs(clock.load(Ordering::Relaxed)))
            }),
            limits: Limits { burst: 100, merge_window, ..Limits::default() },
        });
        let host = runtime.host();
        Self { store, slack, telegram, runtime, host, seconds, looked_up, directory }
    }

    fn pass(&self, seconds: i64) {
        self.seconds.fetch_add(seconds, Ordering::Relaxed);
    }

    async fn says(&self, id: &str, text: &str) -> Result<Vec<String>, HostError> {
        let turn = self.host.converse(event("web", id, text)).await?;
        Ok(turn.replies.into_iter().map(|reply| reply.say.join(" / ")).collect())
    }

    /// Everything queued is done, and everything due delivered.
    async fn settle(&self) -> Vec<String> {
        self.runtime.mailboxes.settle(Duration::from_secs(10)).await;
        while self.runtime.deliver_due().await > 0 {
            self.runtime.mailboxes.settle(Duration::from_secs(10)).await;
        }
        self.slack.said.lock().unwrap().clone()
    }

    fn submitted(&self) -> usize {
        let file = self.directory.path().join("pizza.jsonl");
        std::fs::read_to_string(file).map_or(0, |text| text.lines().count())
    }
}

fn place(platform: &str) -> chat::Place {
    chat::Place {
        platform: chat::Platform::new(platform),
        workspace: String::new(),
        channel: "c".to_owned(),
        thread: None,
    }
}

fn event(platform: &str, id: &str, text: &str) -> chat::Event {
    chat::Event {
        id: chat::EventId::new(id),
        place: place(platform),
        user: chat::User { id: chat::UserId::new("ann"), name: None, locale: None, zone: None },
        at: Timestamp::UNIX_EPOCH,
        action: chat::Action::Say { text: text.to_owned() },
        terms: chat::Terms::default(),
    }
}

#[tokio::test]
async fn a_repeated_event_has_no_effect_and_gives_the_first_replies() {
    let stage = Stage::new();
    assert_eq!(stage.says("e1", "hello").await.unwrap(), ["0: hello"]);
    assert_eq!(stage.says("e2", "again").await.unwrap(), ["1: again"]);
    assert_eq!(stage.says("e1", "hello").await.unwrap(), ["0: hello"]);
    assert_eq!(stage.says("e3", "third").await.unwrap(), ["2: third"]);
}

#[tokio::test]
async fn an_event_that_comes_again_while_it_is_worked_on_waits_for_the_first_answer() {
    let stage = Stage::new();
    let says = || stage.says("e1", "look up");
    let (first, second, third) = tokio::join!(says(), says(), says());
    let first = first.unwrap();
    assert_eq!((second.unwrap(), third.unwrap()), (first.clone(), first));
    assert_eq!(stage.looked_up.load(Ordering::Relaxed), 1, "nothing is asked twice");
    assert!(stage.runtime.asked.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn events_of_a_session_are_worked_on_one_after_the_other() {
    let stage = Stage::new();
    let tasks: Vec<_> = (0..30)
        .map(|no| {
            let host = Arc::clone(&stage.host);
            tokio::spawn(async move { host.converse(event("web", &format!("e{no}"), "x")).await.unwrap() })
        })
        .collect();
    let mut counts = Vec::new();
    for task in tasks {
        counts.push(task.await.unwrap().replies[0].say[0].clone());
    }
    counts.sort_by_key(std::string::String::len);
    counts.sort_by_key(|text| text.trim_end_matches(": x").parse::<u32>().unwrap());
    assert_eq!(counts, (0..30).map(|no| format!("{no}: x")).collect::<Vec<_>>());
}

#[tokio::test]
async fn accepted_events_are_answered_through_the_outbox_in_order_and_once() {
    let stage = Stage::new();
    stage.slack.failures.store(1, Ordering::Relaxed);
    for (id, text) in [("e1", "one"), ("e2", "two"), ("e1", "one"), ("e3", "three")] {
        stage.host.accept(event("slack", id, text)).await.unwrap();
    }
    assert_eq!(stage.settle().await, [""; 0], "the first failed and holds up the others");
    stage.pass(2);
    assert_eq!(stage.settle().await, ["ann: 0: one", "ann: 1: two", "ann: 2: three"]);
    stage.host.accept(event("slack", "e2", "two")).await.unwrap();
    assert_eq!(stage.settle().await.len(), 3);
}

#[tokio::test]
async fn an_accepted_event_whose_process_died_is_worked_on_after_the_restart() {
    let stage = Stage::new();
    let lost = event("slack", "e1", "still here?");
    stage.store.accept(&Runtime::key(&lost.place, &lost.user.id), &lost).await.unwrap();
    for _ in 0..2 {
        stage.runtime.take_up_open_events().await.unwrap();
    }
    assert_eq!(stage.settle().await, ["ann: 0: still here?"]);
}

#[rstest]
#[case::not_written(&[Trouble::Lost], "0: hello")]
#[case::written_but_not_told(&[Trouble::Unacknowledged], "0: hello")]
#[case::both(&[Trouble::Unacknowledged, Trouble::Lost, Trouble::Lost], "0: hello")]
#[case::overtaken(&[Trouble::Overtaken], "100: hello")]
#[tokio::test]
async fn a_turn_counts_once_whatever_the_store_goes_through(#[case] troubles: &[Trouble], #[case] reply: &str) {
    let stage = Stage::new();
    *stage.store.troubles.lock().unwrap() = troubles.to_vec();
    assert_eq!(stage.says("e1", "hello").await.unwrap(), [reply]);
    let next: u32 = reply.split(':').next().unwrap().parse().unwrap();
    assert_eq!(stage.says("e2", "more").await.unwrap(), [format!("{}: more", next + 1)]);
}

#[tokio::test]
async fn a_store_that_stays_away_is_told_and_an_accepted_event_waits_for_it() {
    let stage = Stage::new();
    *stage.store.troubles.lock().unwrap() = vec![Trouble::Lost; 5];
    assert!(matches!(stage.says("e1", "hello").await, Err(HostError::Unavailable(_))));
    assert_eq!(stage.says("e1", "hello").await.unwrap(), ["0: hello"]);

    *stage.store.troubles.lock().unwrap() = vec![Trouble::Lost; 25];
    for (id, text) in [("e2", "there?"), ("e3", "still?")] {
        stage.host.accept(event("slack", id, text)).await.unwrap();
    }
    assert_eq!(stage.settle().await, ["ann: 0: there?", "ann: 1: still?"], "the first is not overtaken");
}

#[tokio::test(start_paused = true)]
async fn who_waits_for_a_store_that_hangs_gets_an_honest_no_in_time_and_the_turn_goes_on() {
    let stage = Stage::new();
    *stage.store.full.lock().unwrap() = Some("");
    let since = tokio::time::Instant::now();
    assert!(matches!(stage.says("e1", "hello").await, Err(HostError::Unavailable(_))));
    assert!((4..=8).contains(&since.elapsed().as_secs()), "{:?}", since.elapsed());
    assert_eq!(stage.runtime.mailboxes.load().0, 1);
}

#[tokio::test]
async fn that_there_is_trouble_is_told_though_the_store_is_away_and_once_where_it_arrives() {
    let stage = Stage::new();
    assert!(stage.slack.host.set(Arc::clone(&stage.host)).is_ok());
    *stage.store.full.lock().unwrap() = Some("away");
    stage.slack.failures.store(1, Ordering::Relaxed);
    let turn = turn::Turn::asked(event("slack", "e1", "hello"));
    for _ in 0..3 {
        stage.runtime.tell_trouble(&turn).await;
    }
    let said = stage.slack.said.lock().unwrap().clone();
    assert!(said.len() == 1 && said[0].contains("There is a short trouble here"), "{said:?}");
}

const NOT_SAFE: &str = "Your answers are saved and on their way. I am still making sure that they are kept safely.";

#[tokio::test]
async fn who_waits_is_told_of_a_submission_only_once_it_is_safe() {
    let stage = Stage::new();
    *stage.store.safety.lock().unwrap() = Safety::NotYet;
    for _ in 0..2 {
        assert_eq!(stage.says("e1", "order").await.unwrap(), [NOT_SAFE]);
    }
    assert_eq!(stage.says("e2", "hello").await.unwrap(), ["1: hello"], "other words need no safety");
    *stage.store.safety.lock().unwrap() = Safety::Safe;
    assert_eq!(stage.says("e1", "order").await.unwrap(), ["saved"]);
}

#[tokio::test]
async fn who_asks_again_is_told_that_it_was_submitted_only_once_it_is_safe() {
    let stage = Stage::with(Arc::new(Engine::new(catalog(r#"["log"]"#))));
    let opens = chat::Event { action: chat::Action::Open { form: Some("pizza".to_owned()) }, ..event("web", "e1", "") };
    stage.host.converse(opens).await.unwrap();
    let review = stage.host.converse(event("web", "e2", "30")).await.unwrap().replies.remove(0);
    let press = chat::Press { token: review.buttons[0].token.clone(), value: chat::Pressed::Button };
    let presses = async |id: &str| {
        let action = chat::Action::Press { presses: vec![press.clone()] };
        let turn = stage.host.converse(chat::Event { action, ..event("web", id, "") }).await.unwrap();
        turn.replies.into_iter().flat_map(|reply| reply.say).collect::<Vec<_>>()
    };
    *stage.store.safety.lock().unwrap() = Safety::NotYet;
    for id in ["e3", "e4"] {
        assert_eq!(presses(id).await, [NOT_SAFE], "{id}");
    }
    *stage.store.safety.lock().unwrap() = Safety::Safe;
    let said = presses("e4").await;
    assert!(said[0].contains("has been submitted already"), "{said:?}");
}

#[tokio::test]
async fn who_was_answered_too_early_is_told_by_whoever_reads_the_outbox_next() {
    let stage = Stage::new();
    *stage.store.safety.lock().unwrap() = Safety::NotYet;
    for _ in 0..2 {
        let turn = stage.host.converse(event("slack", "e1", "order")).await.unwrap();
        assert_eq!(turn.replies[0].say, [NOT_SAFE]);
    }
    // Nothing of the first process is left but its store.
    *stage.store.safety.lock().unwrap() = Safety::Safe;
    stage.pass(5);
    assert_eq!(stage.settle().await, ["ann: saved"], "once, though the message came twice");
    assert_eq!(stage.submitted(), 1);
}

#[tokio::test]
async fn the_word_that_is_owed_does_not_die_while_it_is_not_true() {
    let stage = Stage::new();
    *stage.store.safety.lock().unwrap() = Safety::NotYet;
    stage.host.converse(event("slack", "e1", "order")).await.unwrap();
    for _ in 0..20 {
        stage.pass(60);
        assert_eq!(stage.settle().await, [""; 0]);
    }
    *stage.store.safety.lock().unwrap() = Safety::Safe;
    stage.pass(60);
    assert_eq!(stage.settle().await, ["ann: saved"]);
}

#[tokio::test]
async fn the_word_that_was_not_true_for_long_is_told_soon_where_it_does_not_arrive_at_once() {
    let stage = Stage::new();
    *stage.store.safety.lock().unwrap() = Safety::NotYet;
    stage.host.accept(event("slack", "e1", "order")).await.unwrap();
    for _ in 0..5 {
        stage.settle().await;
        stage.pass(6);
    }
    *stage.store.safety.lock().unwrap() = Safety::Safe;
    stage.slack.failures.store(1, Ordering::Relaxed);
    assert_ne!(stage.settle().await.last().unwrap(), "ann: saved");
    stage.pass(10);
    assert_eq!(stage.settle().await.last().unwrap(), "ann: saved", "what was not true yet is no failure");
}

#[tokio::test]
async fn who_sent_what_was_lost_is_asked_again() {
    let stage = Stage::new();
    *stage.store.safety.lock().unwrap() = Safety::Lost;
    let said = stage.says("e1", "order").await.unwrap();
    assert!(said[0].contains("was not kept"), "{said:?}");
    assert_eq!(said.iter().filter(|said| *said == "saved").count(), 0);
    stage.host.accept(event("slack", "e2", "order")).await.unwrap();
    let told = stage.settle().await;
    assert!(told.len() == 1 && told[0].contains("was not kept"), "{told:?}");
}

#[tokio::test]
async fn a_message_that_tells_of_a_submission_waits_until_it_is_safe_and_says_so_once() {
    let stage = Stage::new();
    *stage.store.safety.lock().unwrap() = Safety::NotYet;
    stage.host.accept(event("slack", "e1", "order")).await.unwrap();
    for _ in 0..3 {
        assert_eq!(stage.settle().await, [format!("ann: {NOT_SAFE}")]);
        stage.pass(20);
    }
    *stage.store.safety.lock().unwrap() = Safety::Safe;
    stage.pass(60);
    assert_eq!(stage.settle().await.last().unwrap(), "ann: saved");
    assert_eq!((stage.settle().await.len(), stage.submitted()), (2, 1));
}

#[tokio::test]
async fn a_submission_leaves_once_it_is_safe_or_after_a_minute() {
    for (safe_after, held) in [(3, 3), (1_000, 60)] {
        let stage = Stage::new();
        *stage.store.safety.lock().unwrap() = Safety::NotYet;
        stage.host.accept(event("slack", "e1", "order")).await.unwrap();
        stage.settle().await;
        let mut waited = 0;
        while stage.submitted() == 0 && waited < 100 {
            stage.pass(1);
            waited += 1;
            if waited >= safe_after {
                *stage.store.safety.lock().unwrap() = Safety::Safe;
            }
            stage.settle().await;
        }
        assert!((held..=held + 2).contains(&waited), "{waited} s");
    }
}

#[tokio::test]
async fn a_tool_is_called_and_its_outcome_goes_on() {
    let stage = Stage::new();
    assert_eq!(stage.says("e1", "look up").await.unwrap(), [r#"Ok(String("diavola"))"#]);
}

#[tokio::test]
async fn a_submission_takes_effect_once_though_its_delivery_is_repeated() {
    let stage = Stage::new();
    assert_eq!(stage.says("e1", "order").await.unwrap(), ["saved"]);
    stage.store.deaf.store(u32::MAX, Ordering::Relaxed);
    for _ in 0..3 {
        assert_eq!(stage.runtime.deliver_due().await, 1);
        stage.pass(61);
    }
    stage.store.deaf.store(0, Ordering::Relaxed);
    stage.settle().await;
    assert_eq!(stage.submitted(), 1);
    assert_eq!(stage.store.submissions(None, 10).await.unwrap().len(), 1);
    assert_eq!(stage.store.outbox(OutboxState::Waiting, 10).await.unwrap(), []);
}

#[tokio::test]
async fn the_end_of_a_delivery_is_noted_though_the_store_is_away_for_a_moment() {
    let stage = Stage::new();
    stage.host.accept(event("slack", "e1", "hello")).await.unwrap();
    stage.store.deaf.store(3, Ordering::Relaxed);
    assert_eq!(stage.settle().await, ["ann: 0: hello"]);
    assert_eq!(
        stage.store.outbox(OutboxState::Waiting, 10).await.unwrap(),
        [],
        "what follows does not wait for a lease"
    );
}

#[tokio::test]
async fn an_unreachable_sink_is_tried_for_a_day_while_others_are_not_held_up_and_then_the_owner_is_told() {
    let stage = Stage::with(Arc::new(Parrot(catalog(r#"["kitchen", "file", "log"]"#))));
    stage.host.accept(event("slack", "e1", "order")).await.unwrap();
    assert_eq!(stage.settle().await, ["ann: saved"]);
    assert_eq!(stage.submitted(), 1);
    let mut pauses = Vec::new();
    loop {
        let waiting = stage.store.outbox(OutboxState::Waiting, 10).await.unwrap();
        let Some(entry) = waiting.iter().find(|entry| entry.id.ends_with("kitchen")) else { break };
        let pause = entry.due.duration_since(stage.runtime.clock.now()).as_secs();
        pauses.push(pause);
        stage.pass(pause - 1);
        assert_eq!(stage.runtime.deliver_due().await, 0, "not before its time");
        stage.pass(2);
        assert_eq!(stage.runtime.deliver_due().await, 1);
    }
    for (pause, planned) in pauses.iter().zip([5, 60, 300, 1_800, 7_200, 18_000, 36_000]) {
        assert!((planned..=planned + planned / 10 + 1).contains(pause), "{pauses:?}");
    }
    assert_eq!(pauses.len(), 7);
    let dead = stage.store.outbox(OutboxState::Dead, 10).await.unwrap();
    assert_eq!((dead[0].id.as_str(), dead[0].attempts), ("order of ann.1.kitchen", 8));
    assert!(stage.settle().await[1].contains("cannot be reached"));
}

#[tokio::test]
async fn a_dead_letter_that_is_submitted_again_is_delivered_again() {
    let stage = Stage::new();
    stage.says("e1", "order").await.unwrap();
    let id = "order of ann.1.log";
    let now = stage.runtime.clock.now();
    stage.store.mark(id, Delivery::Dead { error: "410".to_owned() }, now).await.unwrap();
    stage.settle().await;
    assert_eq!(stage.submitted(), 0);
    stage.says("e2", "order").await.unwrap();
    stage.settle().await;
    assert_eq!(stage.submitted(), 1);
}

#[tokio::test]
async fn a_draft_expires_with_a_notice_unless_it_was_touched() {
    let stage = Stage::with(Arc::new(Engine::new(catalog(r#"["log"]"#))));
    stage.host.accept(event("slack", "e1", "pizza")).await.unwrap();
    stage
        .host
        .accept(chat::Event {
            action: chat::Action::Open { form: Some("pizza".to_owned()) },
            ..event("slack", "e2", "")
        })
        .await
        .unwrap();
    let before = stage.settle().await.len();
    stage.pass(6 * 86_400);
    stage.host.accept(event("slack", "e3", "help")).await.unwrap();
    let touched = stage.settle().await.len();
    stage.pass(2 * 86_400);
    stage.runtime.expire().await.unwrap();
    assert_eq!((stage.settle().await.len(), before + 1), (touched, touched), "it was touched two days ago");
    stage.pass(6 * 86_400);
    stage.runtime.expire().await.unwrap();
    let said = stage.settle().await;
    assert_eq!(said.len(), touched + 1);
    assert!(said[touched].contains("Pizza"), "{said:?}");
    assert_eq!(stage.host.session_count().await.unwrap(), 0);
}

#[tokio::test]
async fn a_draft_is_kept_as_long_as_the_settings_say_where_its_form_does_not() {
    let read = |more: &str| load(&PIZZA.replace("SINKS", &format!("[\"log\"]\n{more}")), Syntax::Toml).form.unwrap();
    for (more, days) in [("", 2), ("keep = { drafts = \"1d\" }", 1)] {
        let mut catalog = Catalog::default();
        catalog.insert(read(more));
        catalog.keep_drafts(2 * 86_400);
        let stage = Stage::with(Arc::new(Engine::new(catalog)));
        // Forms that are read again change nothing of it.
        let mut set = forms::FormSet::default();
        set.catalog.insert(read(more));
        stage.runtime.change_forms(|before| forms::replace(before, set));
        let opens = chat::Action::Open { form: Some("pizza".to_owned()) };
        stage.host.converse(chat::Event { action: opens, ..event("web", "e1", "") }).await.unwrap();
        for (passes, left) in [(days * 86_400 - 60, 1), (120, 0)] {
            stage.pass(passes);
            stage.runtime.expire().await.unwrap();
            stage.settle().await;
            assert_eq!(stage.host.session_count().await.unwrap(), left, "{more}");
        }
    }
}

#[tokio::test]
async fn a_sender_is_told_what_was_too_much() {
    let stage = Stage::new();
    let refused = stage.says("e1", &"x".repeat(20_000)).await.unwrap_err();
    assert!(matches!(refused, HostError::Refused(words) if words.contains("too long")));
    let refused = stage.says("e2", "grow").await.unwrap_err();
    assert!(matches!(refused, HostError::Refused(words) if words.contains("too long")));
    assert_eq!(stage.says("e3", "small").await.unwrap(), ["0: small"], "what was refused changed nothing");
    stage.host.accept(event("slack", "e4", "grow")).await.unwrap();
    assert!(stage.settle().await[0].contains("too long"));
    let mut sent = 0;
    let busy = loop {
        match stage.says(&format!("r{sent}"), "x").await {
            Ok(_) => sent += 1,
            Err(error) => break error,
        }
    };
    assert!(matches!(busy, HostError::Busy { retry_after: 1 }), "{busy}");
    assert!(sent > 90);
}

#[tokio::test]
async fn a_turn_that_ends_badly_holds_up_no_other() {
    let stage = Stage::new();
    assert!(matches!(stage.says("e1", "panic").await, Err(HostError::Unavailable(_))));
    assert_eq!(stage.says("e2", "hello").await.unwrap(), ["0: hello"]);
}

#[tokio::test]
async fn a_damaged_session_starts_again_with_an_apology() {
    let stage = Stage::new();
    stage.says("e1", "hello").await.unwrap();
    let key = Runtime::key(&place("web"), &chat::UserId::new("ann"));
    *stage.store.damaged.lock().unwrap() = Some(key);
    assert_eq!(stage.host.view(&place("web"), &chat::UserId::new("ann")).await.unwrap(), None);
    let replies = stage.says("e2", "hello").await.unwrap();
    assert!(replies[0].starts_with("I am sorry") && replies[0].ends_with("0: hello"), "{replies:?}");
    assert_eq!(stage.says("e3", "hello").await.unwrap(), ["1: hello"]);
}

#[tokio::test]
async fn a_reset_throws_the_session_away() {
    let stage = Stage::new();
    let ann = chat::UserId::new("ann");
    assert!(!stage.host.reset(&place("web"), &ann).await.unwrap());
    stage.says("e1", "hello").await.unwrap();
    assert!(stage.host.view(&place("web"), &ann).await.unwrap().is_some());
    assert!(stage.host.reset(&place("web"), &ann).await.unwrap());
    assert_eq!(stage.host.session_count().await.unwrap(), 0);
    assert_eq!(stage.says("e2", "hello").await.unwrap(), ["0: hello"]);
}

#[tokio::test]
async fn after_a_restart_no_event_overtakes_one_accepted_before() {
    let stage = Stage::new();
    for (id, text) in [("e1", "first"), ("e2", "second")] {
        let event = event("slack", id, text);
        stage.store.accept(&Runtime::key(&event.place, &event.user.id), &event).await.unwrap();
    }
    stage.host.accept(event("slack", "e2", "second")).await.unwrap();
    stage.host.accept(event("slack", "e3", "third")).await.unwrap();
    assert_eq!(stage.settle().await, ["ann: 0: first", "ann: 1: second", "ann: 2: third"]);
}

#[tokio::test]
async fn forms_are_listed_for_adapters() {
    let stage = Stage::new();
    let card = chat::FormCard {
        id: "pizza".to_owned(),
        title: "Pizza".to_owned(),
        description: "Order a pizza".to_owned(),
        fields: 1,
        ..chat::FormCard::default()
    };
    assert_eq!(stage.host.forms(), [card]);
    assert!(stage.host.form_schema("pizza").is_some());
    assert_eq!(stage.host.form_schema("../pizza"), None);
}

#[tokio::test]
async fn a_runtime_delivers_until_it_is_stopped() {
    let stage = Stage::new();
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let running = tokio::spawn(Arc::clone(&stage.runtime).run(async { drop(stopped.await) }));
    stage.host.accept(event("slack", "e1", "order")).await.unwrap();
    while stage.submitted() == 0 || stage.slack.said.lock().unwrap().is_empty() {
        tokio::task::yield_now().await;
    }
    stop.send(()).unwrap();
    tokio::time::timeout(Duration::from_secs(10), running).await.unwrap().unwrap();
}

#[tokio::test]
async fn short_messages_in_a_row_are_read_together_and_each_once() {
    let stage = Stage::merging(Arc::new(Parrot(catalog(r#"["log"]"#))), Duration::from_millis(1500));
    for (id, text) in [("e1", "two"), ("e2", "spicy"), ("e2", "spicy"), ("e3", "pizzas")] {
        stage.host.accept(event("slack", id, text)).await.unwrap();
    }
    let press = chat::Press { token: chat::Token::new(&chat::Nonce::new(1), 0), value: chat::Pressed::Button };
    let action = chat::Action::Press { presses: vec![press] };
    stage.host.accept(chat::Event { action, ..event("slack", "e4", "") }).await.unwrap();
    assert_eq!(stage.settle().await, ["ann: 0: two\nspicy\npizzas"], "a press does not wait");
    for id in ["e1", "e2", "e3"] {
        let key = Runtime::key(&place("slack"), &chat::UserId::new("ann"));
        let seen = stage.store.seen(&key, &chat::EventId::new(id)).await.unwrap();
        assert!(matches!(seen, Some(Accepted::Done(_))), "{id}");
    }
}

#[tokio::test]
async fn messages_in_a_row_are_read_in_the_order_in_which_they_were_written() {
    let stage = Stage::merging(Arc::new(Parrot(catalog(r#"["log"]"#))), Duration::from_millis(1500));
    for (id, text) in [("e3", "pizzas"), ("e1", "two"), ("e2", "spicy")] {
        stage.host.accept(event("slack", id, text)).await.unwrap();
    }
    let press = chat::Press { token: chat::Token::new(&chat::Nonce::new(1), 0), value: chat::Pressed::Button };
    let action = chat::Action::Press { presses: vec![press] };
    stage.host.accept(chat::Event { action, ..event("slack", "e4", "") }).await.unwrap();
    assert_eq!(stage.settle().await, ["ann: 0: two\nspicy\npizzas"], "several connections may overtake each other");
}

#[tokio::test]
async fn an_adapter_finds_its_notes_again_and_erasing_a_person_takes_theirs() {
    let stage = Stage::new();
    let platform = chat::Platform::new("slack");
    let note = |key: &str, owner: Option<&str>| chat::Note {
        platform: platform.clone(),
        key: key.to_owned(),
        owner: owner.map(chat::UserId::new),
        value: Some(serde_json::json!(key)),
    };
    stage.host.remember(note("offset", None)).await.unwrap();
    stage.host.remember(note("screen", Some("ann"))).await.unwrap();
    assert_eq!(stage.host.recall(&platform, "screen").await.unwrap(), Some("screen".into()));
    stage.runtime.store.erase(&platform, &chat::UserId::new("ann"), None).await.unwrap();
    assert_eq!(stage.host.recall(&platform, "screen").await.unwrap(), None);
    assert_eq!(stage.host.recall(&platform, "offset").await.unwrap(), Some("offset".into()));
}

#[tokio::test]
async fn health_is_a_write_that_was_tried() {
    let stage = Stage::new();
    assert!(stage.host.health().await.is_ok());
    *stage.store.full.lock().unwrap() = Some("database or disk is full");
    assert!(stage.host.health().await.is_ok(), "what was tried this second holds");
    stage.pass(1);
    let error = stage.host.health().await.unwrap_err().to_string();
    assert!(error.ends_with("store unavailable: database or disk is full"), "{error}");
    *stage.store.full.lock().unwrap() = Some("");
    stage.pass(1);
    let error = stage.host.health().await.unwrap_err().to_string();
    assert!(error.ends_with("the store took no write within 2 seconds"), "{error}");
    *stage.store.full.lock().unwrap() = None;
    assert!(stage.host.health().await.is_ok());
}

#[tokio::test]
async fn a_turn_that_was_not_kept_is_a_matter_of_health_until_one_is() {
    let stage = Stage::new();
    let lost = || *stage.store.troubles.lock().unwrap() = vec![Trouble::Lost; 5];
    lost();
    stage.says("e1", "hello").await.unwrap_err();
    let error = stage.host.health().await.unwrap_err().to_string();
    assert!(error.contains("the last turn could not be kept"), "{error}");
    stage.says("e1", "hello").await.unwrap();
    assert!(stage.host.health().await.is_ok());
    lost();
    stage.says("e2", "hello").await.unwrap_err();
    stage.pass(60);
    assert!(stage.host.health().await.is_ok(), "nobody knows any more, so it is tried");
}

#[tokio::test]
async fn a_folder_that_takes_no_files_is_told_and_what_is_submitted_waits() {
    let stage = Stage::new();
    let folder = stage.directory.path();
    std::fs::remove_dir_all(folder).unwrap();
    std::fs::write(folder, "no folder").unwrap();
    assert!(stage.host.health().await.is_ok(), "what people say is kept");
    let told = stage.host.notices().join("");
    assert!(told.contains("no file can be written") && !told.contains('/'), "{told}");
    stage.host.converse(event("slack", "e1", "order")).await.unwrap();
    stage.settle().await;
    assert_eq!(stage.submitted(), 0);
    std::fs::remove_file(folder).unwrap();
    std::fs::create_dir(folder).unwrap();
    stage.pass(10);
    stage.settle().await;
    assert_eq!(stage.submitted(), 1);
    assert!(stage.host.health().await.is_ok());
    assert_eq!(stage.host.notices(), Vec::<String>::new());
}

#[tokio::test]
async fn a_store_that_is_back_is_well_at_the_next_question() {
    let stage = Stage::new();
    *stage.store.troubles.lock().unwrap() = vec![Trouble::Lost; 5];
    *stage.store.full.lock().unwrap() = Some("moved away");
    stage.says("e1", "hello").await.unwrap_err();
    let error = stage.host.health().await.unwrap_err().to_string();
    assert!(error.contains("moved away"), "{error}");
    *stage.store.full.lock().unwrap() = None;
    stage.pass(1);
    assert!(stage.host.health().await.is_ok());
}

#[tokio::test]
async fn who_asks_for_a_form_that_is_off_is_told_so() {
    let mut off = load(LUNCH, Syntax::Toml).form.unwrap();
    let id = off.id.to_string();
    off.enabled = false;
    let mut catalog = Catalog::default();
    catalog.insert(off);
    let stage = Stage::with(Arc::new(Engine::new(catalog)));
    let told = |lang: &str| stage.host.when_off(&id, Some(lang)).unwrap();
    assert!(told("en").ends_with("cannot be filled in at the moment. Pick another form, or try again later."));
    assert!(told("it-IT").contains("al momento non si può compilare"));
    assert_eq!(stage.host.when_off("other", None), None);
}

const LUNCH: &str = r#"
schema = 1
id = "lunch"
title = "Team lunch"
scope = "channel"
start_examples = ["team lunch"]
[[field]]
id = "people"
kind = "integer"
ask = "How many are you?"
[[field]]
id = "where"
kind = "text"
ask = "Where do you eat?"
"#;

/// Ann and Ben in one channel, with a form of their own and one for all.
fn channel() -> Stage {
    let mut forms = catalog(r#"["log"]"#);
    let loaded = load(LUNCH, Syntax::Toml);
    forms.insert(loaded.form.unwrap_or_else(|| panic!("{:?}", loaded.problems)));
    Stage::with(Arc::new(Engine::new(forms)))
}

fn by(who: &str, event: chat::Event) -> chat::Event {
    chat::Event { user: chat::User { id: chat::UserId::new(who), ..event.user }, ..event }
}

async fn answers(stage: &Stage, key: &SessionKey) -> Vec<(String, Option<String>)> {
    let session = stage.store.load(key).await.unwrap().session;
    let draft = session.and_then(|session| session.draft.clone());
    let answers = draft.map(|draft| draft.answers).unwrap_or_default().into_iter();
    answers.map(|(path, answer)| (path.to_string(), answer.by.map(|by| by.to_string()))).collect()
}

#[tokio::test]
async fn a_form_of_all_is_filled_by_all_and_ones_own_beside_it() {
    let stage = channel();
    let all = SessionKey::of_place(&place("slack"));
    let ben = SessionKey::new(&place("slack"), &chat::UserId::new("ben"));
    stage.host.accept(event("slack", "e1", "team lunch")).await.unwrap();
    let said = stage.settle().await;
    assert!(said.last().is_some_and(|said| said.contains("How many are you?")), "{said:?}");
    stage.host.accept(by("ben", event("slack", "e2", "5"))).await.unwrap();
    stage.settle().await;
    assert_eq!(answers(&stage, &all).await, [("people".to_owned(), Some("ben".to_owned()))]);
    let open = chat::Action::Open { form: Some("pizza".to_owned()) };
    stage.host.accept(by("ben", chat::Event { action: open, ..event("slack", "e3", "") })).await.unwrap();
    stage.settle().await;
    stage.host.accept(by("ben", event("slack", "e4", "32"))).await.unwrap();
    stage.host.accept(event("slack", "e5", "at Luini")).await.unwrap();
    // What comes again stays where it was.
    stage.host.accept(by("ben", event("slack", "e2", "5"))).await.unwrap();
    stage.settle().await;
    assert_eq!(answers(&stage, &ben).await, [("size".to_owned(), None)]);
    let both = [("people".to_owned(), Some("ben".to_owned())), ("where".to_owned(), Some("ann".to_owned()))];
    assert_eq!(answers(&stage, &all).await, both);
    let seen = stage.host.view(&place("slack"), &chat::UserId::new("carl")).await.unwrap();
    assert_eq!(seen.and_then(|view| view.form).as_deref(), Some("lunch"), "who comes along sees it too");
    stage.runtime.store.erase(&chat::Platform::new("slack"), &chat::UserId::new("ben"), None).await.unwrap();
    assert!(stage.store.load(&all).await.unwrap().session.is_none(), "nothing of Ben is left");
}

#[tokio::test]
async fn two_people_at_once_are_two_messages() {
    let mut forms = catalog(r#"["log"]"#);
    forms.insert(load(LUNCH, Syntax::Toml).form.unwrap());
    let stage = Stage::merging(Arc::new(Engine::new(forms)), Duration::from_secs(1));
    let begin = chat::Action::Open { form: Some("lunch".to_owned()) };
    stage.host.accept(chat::Event { action: begin, ..event("slack", "e1", "") }).await.unwrap();
    stage.settle().await;
    stage.host.accept(event("slack", "e2", "5")).await.unwrap();
    stage.host.accept(by("ben", event("slack", "e3", "at Luini"))).await.unwrap();
    let open = chat::Action::Open { form: None };
    stage.host.accept(by("ben", chat::Event { action: open, ..event("slack", "e4", "") })).await.unwrap();
    stage.settle().await;
    let all = answers(&stage, &SessionKey::of_place(&place("slack"))).await;
    assert_eq!(all, [("people".to_owned(), Some("ann".to_owned())), ("where".to_owned(), Some("ben".to_owned()))]);
}

#[tokio::test]
async fn who_asks_for_a_form_of_all_in_a_web_chat_fills_it_alone() {
    let stage = channel();
    let said = stage.says("e1", "team lunch").await.unwrap();
    assert!(said.join(" ").contains("How many are you?"), "{said:?}");
    assert!(stage.store.load(&SessionKey::of_place(&place("web"))).await.unwrap().session.is_none());
}
