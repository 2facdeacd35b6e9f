use formwright_chat as chat;
use jiff::Timestamp;
use serde_json::json;

use crate::effect::Effect;
use crate::engine::Engine;
use crate::input::{Happening, Input};
use crate::lifecycle::{Ran, Told, Turned, What};
use crate::session::Session;
use formwright_form::{Catalog, FormId, ToolId};
use formwright_load::{Syntax, load};
use formwright_nlu::Pending;

const FORM: &str = r#"
id = "trip"
title = "Trip"

[[field]]
id = "people"
kind = "integer"
label = "People"
ask = "How many people?"
max = 8

[[field]]
id = "beds"
kind = "computed"
result = "integer"
value = "people + 1"

[[field]]
id = "code"
kind = "text"
label = "Code"
ask = "Which code?"
sensitive = true
check = [{ that = "size(value) > 3", else = "Codes are longer." }]
"#;

/// A person in a form, and what was told of each turn.
struct Stage {
    engine: Engine,
    session: Session,
    turns: u32,
    /// Answers that clients were told of as complete.
    completed: Vec<serde_json::Value>,
}

impl Stage {
    fn new() -> Self {
        Self::with(&[FORM])
    }

    fn with(forms: &[&str]) -> Self {
        let mut catalog = Catalog::default();
        for form in forms {
            let loaded = load(form, Syntax::Toml);
            catalog.insert(loaded.form.unwrap_or_else(|| panic!("{:?}", loaded.problems)));
        }
        let place = chat::Place {
            platform: chat::Platform::new("web"),
            workspace: String::new(),
            channel: "c".to_owned(),
            thread: None,
        };
        Self {
            engine: Engine::new(catalog),
            session: Session::new(place, chat::UserId::new("ann")),
            turns: 0,
            completed: Vec::new(),
        }
    }

    /// What a turn is told to have done, without ids and times.
    fn does(&mut self, happening: Happening) -> Vec<serde_json::Value> {
        self.turns += 1;
        let now = Timestamp::from_second(1_800_000_000 + i64::from(self.turns)).unwrap();
        let before = self.session.clone();
        let expired = matches!(happening, Happening::Expiry);
        let input = Input { now, nonce: chat::Nonce::new(self.turns.into()), event: happening };
        let step = self.engine.step(self.session.clone(), input);
        let (mut submissions, mut refused, mut left) = (Vec::new(), Vec::new(), Vec::new());
        for effect in step.effects {
            match effect {
                Effect::Submit(submission) => submissions.push(*submission),
                Effect::Refused(what) => refused.push(*what),
                Effect::Left(draft) => left.push(*draft),
                Effect::Reply(reply) => self.completed.extend(reply.complete),
                _ => {}
            }
        }
        self.session = step.session;
        let turned = Turned {
            id: "t",
            at: now,
            before: Some(&before),
            after: &self.session,
            expired,
            submissions: &submissions,
            refused: &refused,
            ran: &[],
            left: &left,
        };
        let told = turned.told(self.engine.catalog(), |_| true);
        for (no, told) in told.iter().enumerate() {
            assert_eq!((told.id.as_str(), told.user.as_str()), (&*format!("t.{no}"), "ann"));
            let again: Told = serde_json::from_value(serde_json::to_value(told).unwrap()).unwrap();
            assert_eq!(again, *told);
        }
        told.iter().map(|told| serde_json::to_value(&told.what).unwrap()).collect()
    }

    fn acts(&mut self, action: chat::Action) -> Vec<serde_json::Value> {
        let event = chat::Event {
            id: chat::EventId::new(self.turns.to_string()),
            place: self.session.place.clone(),
            user: chat::User { id: chat::UserId::new("ann"), name: None, locale: None, zone: None },
            at: Timestamp::UNIX_EPOCH,
            action,
            terms: chat::Terms::default(),
        };
        self.does(Happening::Event(Box::new(event)))
    }

    fn opens(&mut self) -> Vec<serde_json::Value> {
        self.acts(chat::Action::Open { form: Some("trip".to_owned()) })
    }

    fn says(&mut self, text: &str) -> Vec<serde_json::Value> {
        self.acts(chat::Action::Say { text: text.to_owned() })
    }
}

fn ids(told: &[serde_json::Value]) -> Vec<&str> {
    told.iter().map(|what| what["event"].as_str().unwrap()).collect()
}

#[test]
fn a_form_is_told_from_its_beginning_to_its_end() {
    let mut stage = Stage::new();
    assert_eq!(stage.opens(), [json!({"event": "started"})]);
    assert_eq!(
        stage.says("3"),
        [
            json!({"event": "changed", "field": "beds", "after": 4, "source": "computed"}),
            json!({"event": "changed", "field": "people", "after": 3, "source": "said"}),
            json!({"event": "validated", "accepted": ["people"], "refused": [], "state": "Incomplete"}),
        ]
    );
    let told = stage.says("people 5");
    assert!(told.contains(&json!({"event": "changed", "field": "people", "before": 3, "after": 5, "source": "said"})));
    assert_eq!(ids(&stage.says("what is this?")), Vec::<&str>::new(), "nothing has happened to the form");
    assert_eq!(ids(&stage.says("open sesame")), ["changed", "validated"]);
    assert_eq!(
        stage.says("yes"),
        [json!({"event": "submitted", "revision": 1}), json!({"event": "closed", "how": "submitted"})]
    );
    assert_eq!(ids(&stage.says("thanks")), Vec::<&str>::new());
}

#[test]
fn a_refusal_is_told_with_its_reason_unless_the_answer_is_sensitive() {
    let mut stage = Stage::new();
    stage.opens();
    let told = stage.says("12");
    assert_eq!(ids(&told), ["validated"]);
    assert_eq!(told[0]["refused"][0]["field"], "people");
    assert!(told[0]["refused"][0]["why"].as_str().unwrap().contains('8'), "{told:?}");
    stage.says("2");
    let told = stage.says("x7");
    assert_eq!(
        told,
        [json!({"event": "validated", "accepted": [], "refused": [{"field": "code"}], "state": "Incomplete"})]
    );
    let told = stage.says("swordfish");
    assert_eq!(told[0], json!({"event": "changed", "field": "code", "source": "said", "sensitive": true}));
    assert!(!serde_json::to_string(&told).unwrap().contains("swordfish"));
}

#[test]
fn how_a_form_ends_is_told() {
    let mut stage = Stage::new();
    stage.opens();
    stage.says("3");
    stage.says("cancel");
    assert_eq!(stage.says("yes"), [json!({"event": "closed", "how": "cancelled"})]);
    assert_eq!(stage.says("undo"), [json!({"event": "reopened"})]);
    stage.says("start over");
    let told = stage.says("yes");
    assert_eq!(
        told[1],
        json!({"event": "changed", "field": "people", "before": 3}),
        "the same form, with nothing in it"
    );
    assert_eq!(stage.does(Happening::Expiry), [json!({"event": "closed", "how": "expired"})]);
}

#[test]
fn what_nobody_listens_to_is_not_told() {
    let mut stage = Stage::new();
    let before = stage.session.clone();
    stage.opens();
    let turned = Turned {
        id: "t",
        at: Timestamp::UNIX_EPOCH,
        before: Some(&before),
        after: &stage.session,
        expired: false,
        submissions: &[],
        refused: &[],
        ran: &[],
        left: &[],
    };
    assert_eq!(turned.told(stage.engine.catalog(), |form| !form.listen.is_empty()), []);
}

#[test]
fn tools_are_told_as_they_were_run() {
    let mut stage = Stage::new();
    let before = stage.session.clone();
    stage.opens();
    let ran = [("trip", true), ("trip", false), ("other", true)].map(|(form, ok)| Ran {
        form: FormId::new(form),
        tool: ToolId::new("beds"),
        ok,
    });
    let turned = Turned {
        id: "t",
        at: Timestamp::UNIX_EPOCH,
        before: Some(&before),
        after: &stage.session,
        expired: false,
        submissions: &[],
        refused: &[],
        ran: &ran,
        left: &[],
    };
    let told = turned.told(stage.engine.catalog(), |_| true);
    let run = |ok| What::ToolRun { tool: ToolId::new("beds"), ok };
    assert!(told.into_iter().map(|told| told.what).eq([What::Started, run(true), run(false)]));
}

#[test]
fn a_form_that_was_filled_in_for_another_is_told_to_its_end() {
    const PARENT: &str = r#"
        id = "permit"
        title = "Permit"
        [[field]]
        id = "plate"
        kind = "text"
        max_chars = 6
        form = { form = "car", gives = { plate = "number" } }
    "#;
    const SUB: &str = r#"
        id = "car"
        title = "Car"
        confirm = false
        [[field]]
        id = "number"
        kind = "text"
    "#;
    let open = || chat::Action::Open { form: Some("permit".to_owned()) };
    let mut stage = Stage::with(&[PARENT, SUB]);
    assert_eq!(ids(&stage.acts(open())), ["started", "started"]);
    let told = stage.says("AB123");
    let over = json!({"event": "closed", "how": "returned"});
    assert!(told.contains(&json!({"event": "changed", "field": "number", "after": "AB123", "source": "said"})));
    assert!(told.contains(&json!({"event": "changed", "field": "plate", "after": "AB123", "source": "said"})));
    assert!(told.contains(&over), "{told:?}");

    // What the first form does not take is said there, with the reason.
    let mut stage = Stage::with(&[PARENT, SUB]);
    stage.acts(open());
    let told = stage.says("AB123CD");
    let refused = told.iter().find_map(|told| told["refused"][0]["field"].as_str());
    assert!(told.contains(&over) && refused == Some("plate"), "{told:?}");
    assert!(stage.session.last[0].say.iter().any(|said| said.contains('6')), "{:?}", stage.session.last[0].say);

    // One that is gone leads back too.
    let mut stage = Stage::with(&[PARENT, SUB]);
    stage.acts(open());
    stage.engine = Stage::with(&[PARENT]).engine;
    stage.says("AB123");
    assert_eq!(stage.session.draft.as_ref().map(|draft| draft.form.as_str()), Some("permit"));
}

#[test]
fn each_of_two_forms_that_are_sent_in_one_turn_is_told_and_reaches_the_client() {
    const FIRST: &str = r#"
        id = "one"
        title = "One"
        confirm = false
        then = { form = "two", with = { b = "a" } }
        [[field]]
        id = "a"
        kind = "text"
    "#;
    const SECOND: &str = r#"
        id = "two"
        title = "Two"
        confirm = false
        [[field]]
        id = "b"
        kind = "text"
    "#;
    let mut stage = Stage::with(&[FIRST, SECOND]);
    stage.acts(chat::Action::Open { form: Some("one".to_owned()) });
    let told = stage.says("rosemary");
    let changed = |field: &str| {
        told.iter().any(|what| what["event"] == "changed" && what["field"] == field && what["after"] == "rosemary")
    };
    assert!(changed("a") && changed("b"), "{told:?}");
    assert_eq!(stage.completed, [json!({"a": "rosemary"}), json!({"b": "rosemary"})]);
}

#[test]
fn what_a_client_refuses_is_told_as_a_run_of_its_tool() {
    const TRACE: &str = r#"
        id = "trace"
        title = "Trace"
        [[field]]
        id = "number"
        kind = "text"
        [[field]]
        id = "due"
        kind = "date"
        default_from = { tool = "find", output = "eta" }
        [[tool]]
        id = "find"
        kind = "client"
        params = { number = "number" }
        output = [{ id = "eta", kind = "date" }]
        refusal = "error"
    "#;
    let mut stage = Stage::with(&[TRACE]);
    stage.session.place.platform = chat::Platform::new("web");
    stage.acts(chat::Action::Open { form: Some("trace".to_owned()) });
    stage.says("77");
    let find = |result| {
        let result = chat::ToolResult { call: None, tool: "find".to_owned(), result };
        chat::Action::ToolResults { results: vec![result] }
    };
    let runs = |told: &[serde_json::Value]| {
        told.iter().filter(|what| what["event"] == "tool_run").map(|what| what["ok"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(runs(&stage.acts(find(json!({"error": "There is no parcel 77."})))), [json!(false)]);
    let asked = stage.session.draft.as_ref().map(|draft| &draft.pending);
    assert!(matches!(asked, Some(Pending::Field { path, .. }) if path.to_string() == "number"), "{asked:?}");
    assert_eq!(runs(&stage.says("78")), [json!(null); 0]);
    assert_eq!(runs(&stage.acts(find(json!({"eta": "2027-01-30"})))), [json!(true)]);
}
