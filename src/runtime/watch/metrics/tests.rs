use std::collections::BTreeSet;

use formwright_chat::{self as chat, ModelHealth};
use jiff::Timestamp;

use super::*;
use formwright_engine::{Effect, Engine, Happening, Input, Session, Submission};
use formwright_form::Catalog;
use formwright_load::{Syntax, load};
use formwright_store::Backlog;

const LUNCH: &str = r#"
    id = "lunch"
    title = "Lunch"

    [[field]]
    id = "dish"
    kind = "choice"
    ask = "Which dish?"
    options = ["Soup", "Fish"]

    [[field]]
    id = "guests"
    kind = "integer"
    ask = "How many guests?"
"#;

/// Everything that can be measured, once.
fn everything() -> String {
    let metrics = Metrics::default();
    for phase in Phase::ALL {
        metrics.took(phase, Duration::from_millis(3));
    }
    metrics.turn("web", "done");
    metrics.accepted(Duration::from_millis(3));
    metrics.dropped(Dropped::Rate);
    metrics.delivery("reply", "slack", "done");
    metrics.store_failed("commit");
    let (form, field) = (|| "lunch".to_owned(), || "dish".to_owned());
    metrics.note(vec![
        Noted::Asked(form(), field()),
        Noted::Answered(form(), field(), "said"),
        Noted::Abandoned(form(), field()),
        Noted::Submitted(form()),
        Noted::Case("leads".to_owned(), "review", "opened"),
    ]);
    let model = Some(ModelHealth { calls: 2, prompt_tokens: 900, ..ModelHealth::default() });
    let stored = Some((7, Backlog { waiting: 3, oldest_waiting: Some(Timestamp::UNIX_EPOCH), ..Backlog::default() }));
    let now = Timestamp::from_second(40).unwrap();
    metrics.text(&Looked { now, mailboxes: (2, 5), stored, partitions: Some(64), model })
}

#[test]
fn what_is_measured_reads_as_prometheus_wants_it() {
    let text = everything();
    for line in [
        "# TYPE formwright_turns counter",
        r#"formwright_turns_total{platform="web",result="done"} 1"#,
        r#"formwright_turn_seconds_bucket{le="0.005",phase="load"} 1"#,
        r#"formwright_answered_total{form="lunch",field="dish",source="said"} 1"#,
        r#"formwright_cases_total{desk="leads",about="review",event="opened"} 1"#,
        r#"formwright_outbox_entries{state="waiting"} 3"#,
        "formwright_outbox_oldest_seconds 40.0",
        "formwright_model_calls_total 2",
        r#"formwright_model_tokens_total{kind="prompt"} 900"#,
        "formwright_partitions 64",
        "formwright_sessions 7",
        "formwright_store_up 1",
    ] {
        assert!(text.lines().any(|found| found == line), "no {line} in\n{text}");
    }
    assert!(text.ends_with("# EOF\n"));
    let away = Metrics::default().text(&Looked::default());
    assert!(away.contains("formwright_store_up 0") && !away.contains("formwright_sessions"), "{away}");
}

#[test]
fn the_guide_lists_what_is_measured_and_nothing_else() {
    let text = everything();
    let kind = |line: &str| line.strip_prefix("# TYPE ").map(str::to_owned);
    let measured: BTreeSet<String> = text
        .lines()
        .filter_map(kind)
        .map(|line| match line.split_once(' ') {
            Some((name, "counter")) => format!("{name}_total"),
            Some((name, _)) => name.to_owned(),
            None => line,
        })
        .collect();
    let guide = include_str!("../../../../deploy/README.md");
    let row = |line: &str| Some(line.strip_prefix("| `formwright_")?.split_once('`')?.0.split('{').next()?.to_owned());
    let listed: BTreeSet<String> = guide.lines().filter_map(row).map(|name| format!("formwright_{name}")).collect();
    assert_eq!(listed, measured);
}

/// A person who fills in the form; what is noted of each turn.
struct Person {
    engine: Engine,
    session: Session,
    no: u32,
}

impl Person {
    fn new() -> Self {
        let mut catalog = Catalog::default();
        catalog.insert(load(LUNCH, Syntax::Toml).form.unwrap());
        let place = chat::Place {
            platform: chat::Platform::new("web"),
            workspace: String::new(),
            channel: "c".to_owned(),
            thread: None,
        };
        Self { engine: Engine::new(catalog), session: Session::new(place, chat::UserId::new("ann")), no: 0 }
    }

    fn happens(&mut self, event: Happening, over: bool) -> Vec<Noted> {
        self.no += 1;
        let now = Timestamp::from_second(i64::from(self.no) * 60).unwrap();
        let input = Input { now, nonce: chat::Nonce::new(self.no.into()), event };
        let step = self.engine.step(self.session.clone(), input);
        let submitted = |effect: &Effect| match effect {
            Effect::Submit(submission) => Some((**submission).clone()),
            _ => None,
        };
        let submissions: Vec<Submission> = step.effects.iter().filter_map(submitted).collect();
        let noted = noted(Some(&self.session), &step.session, &submissions, now, over);
        self.session = step.session;
        noted
    }

    fn does(&mut self, action: chat::Action) -> Vec<Noted> {
        let event = chat::Event {
            id: chat::EventId::new(self.no.to_string()),
            place: self.session.place.clone(),
            user: chat::User { id: self.session.owner.clone(), name: None, locale: Some("en".to_owned()), zone: None },
            at: Timestamp::UNIX_EPOCH,
            action,
            terms: chat::Terms::default(),
        };
        self.happens(Happening::Event(Box::new(event)), false)
    }

    fn opens(&mut self) -> Vec<Noted> {
        self.does(chat::Action::Open { form: Some("lunch".to_owned()) })
    }

    fn says(&mut self, text: &str) -> Vec<Noted> {
        self.does(chat::Action::Say { text: text.to_owned() })
    }
}

fn asked(field: &str) -> Noted {
    Noted::Asked("lunch".to_owned(), field.to_owned())
}

fn said(field: &str) -> Noted {
    Noted::Answered("lunch".to_owned(), field.to_owned(), "said")
}

fn abandoned(field: &str) -> Noted {
    Noted::Abandoned("lunch".to_owned(), field.to_owned())
}

#[test]
fn questions_and_answers_are_counted_once() {
    let mut ann = Person::new();
    assert_eq!(ann.opens(), [asked("dish")]);
    assert_eq!(ann.says("qwertz"), [asked("dish")], "asked once more");
    assert_eq!(ann.says("soup"), [said("dish"), asked("guests")]);
    assert_eq!(ann.says("2"), [said("guests")]);
    assert_eq!(ann.says("yes"), [Noted::Submitted("lunch".to_owned())]);
    assert_eq!(ann.says("thanks"), []);
}

#[test]
fn a_form_left_unfinished_is_counted_where_it_stood() {
    let mut ann = Person::new();
    ann.opens();
    ann.says("soup");
    let mut noted = ann.says("cancel");
    if noted.is_empty() {
        noted = ann.says("yes");
    }
    assert_eq!(noted, [abandoned("guests")]);
    let mut ben = Person::new();
    ben.opens();
    assert_eq!(ben.happens(Happening::Expiry, true), [abandoned("dish")]);
    let mut eve = Person::new();
    eve.opens();
    eve.says("soup, 2 guests");
    assert_eq!(eve.happens(Happening::Expiry, true), [abandoned("(review)")]);
}

#[test]
#[ignore = "a measure: run it alone, with --release"]
fn measuring_costs_little() {
    let metrics = Metrics::default();
    let mut ann = Person::new();
    ann.opens();
    let before = ann.session.clone();
    ann.says("soup");
    let began = Instant::now();
    let turns = 100_000_u32;
    for _ in 0..turns {
        for phase in Phase::ALL {
            let at = Instant::now();
            metrics.took(phase, at.elapsed());
        }
        metrics.turn("web", "done");
        metrics.note(noted(Some(&before), &ann.session, &[], Timestamp::from_second(120).unwrap(), false));
    }
    let each = began.elapsed().as_nanos() / u128::from(turns);
    assert!(each < 2_000, "{each} ns a turn");
}
