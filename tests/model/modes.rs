//! Whatever the model does: the forms are completed, with the submissions of a program without one.

use std::sync::Arc;

use formwright_fakes::llm::{KEY, Mode, ModelFake, obedient};
use serde_json::Value;
use tokio::task::JoinSet;

use super::person::fill;
use super::program::{Program, model_at};
use super::scripts::{meanings, scripts};

/// How many programs run at the same time.
const AT_ONCE: usize = 4;

/// Fills in every sample form, all at the same time; gives the protocols. `differ` tells whether a submission may be as it is
/// though it is not the one that was wanted.
async fn fill_all(program: Program, what: &str, differ: fn(&Value, &Value, &str) -> bool) -> (Program, String) {
    let program = Arc::new(program);
    let mut conversations = JoinSet::new();
    for script in scripts() {
        let program = Arc::clone(&program);
        conversations.spawn(async move {
            let protocol = fill(&program, &script).await;
            (script.form, program.submitted(script.form).await, script.expected, protocol)
        });
    }
    let mut protocols = String::new();
    while let Some(ended) = conversations.join_next().await {
        let (form, submitted, expected, protocol) = ended.unwrap_or_else(|failed| panic!("{what}: {failed}"));
        if !differ(&submitted, &expected, &protocol) {
            assert_eq!(submitted, expected, "{what}, {form}:\n{protocol}\n{}", program.log());
        }
        protocols += &protocol;
    }
    (Arc::into_inner(program).unwrap(), protocols)
}

/// Nothing may differ.
fn never(_: &Value, _: &Value, _: &str) -> bool {
    false
}

/// A person who sends a review unread sends what a lying model has put into free texts, but never words of anybody else.
fn in_own_words(submitted: &Value, expected: &Value, protocol: &str) -> bool {
    let said: Vec<&str> = protocol.lines().filter_map(|line| line.strip_prefix("> ")).collect();
    let own = |value: &Value| {
        let words = value["name"].as_str().or(value.as_str());
        words.is_some_and(|words| said.iter().any(|said| said.contains(words)))
    };
    let answers = submitted.as_object().unwrap();
    answers.iter().all(|(field, value)| expected.get(field) == Some(value) || own(value))
}

async fn is_completed(mode: Mode) {
    let fake = ModelFake::start(mode, obedient(&meanings())).await;
    let mut settings = model_at(&fake.url());
    let slow = matches!(mode, Mode::Hang | Mode::Drip);
    settings.push(("FORMWRIGHT__MODEL__TIMEOUT", if slow { "1" } else { "30" }.to_owned()));
    let program = Program::start(settings, &[]).await;
    let differ = if mode == Mode::Misquoted { in_own_words } else { never };
    let (program, protocols) = fill_all(program, &format!("{mode:?}"), differ).await;
    assert_eq!(fake.refusals(), [""; 0], "{mode:?}: nothing is asked that a server would refuse");
    let asked: Vec<String> =
        fake.calls().into_iter().filter(|call| !call.is_probe).map(|call| call.body.to_string()).collect();
    // Nobody is asked with a key that the probe has found refused.
    let refused = mode == Mode::WrongKey;
    assert!(refused || !asked.is_empty(), "{mode:?}: the model was asked\n{}", program.log());
    let told = program.tells("model fake-mini at").await;
    assert!(told.contains(&fake.url()), "{told}");
    let (status, health) = program.health().await;
    assert_eq!((status, &health["status"]), (200, &"ok".into()), "{mode:?}: {health}");
    let calls = health["model"]["calls"].as_u64().unwrap_or_default();
    assert!(refused || calls > 0, "{mode:?}: {health}");
    assert_eq!(health["model"]["state"] == "refused", refused, "{mode:?}: {health}");
    assert!(!program.log().contains(KEY), "{mode:?}");
    if mode == Mode::Honest {
        for (_, words) in scripts().iter().flat_map(|script| script.odd.clone()) {
            assert!(asked.iter().any(|call| call.contains(words)), "nobody asked about {words:?}\n{protocols}");
        }
        let read = protocols.matches("Is that right?").count();
        assert!(read >= 5, "{read} of the odd words were read with the model's help\n{protocols}");
        assert_eq!(health["model"]["state"], "up", "{health}");
        assert!(health["model"]["prompt_tokens"].as_u64() > health["model"]["reply_tokens"].as_u64(), "{health}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_model_every_form_is_completed() {
    let (program, _) = fill_all(Program::start(Vec::new(), &[]).await, "no model", never).await;
    let (status, health) = program.health().await;
    assert_eq!((status, &health["model"]), (200, &serde_json::json!({"state": "none"})));
    assert!(!program.log().contains("model"), "{}", program.log());
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_the_model_does_every_form_is_completed_as_without_it() {
    let mut running = JoinSet::new();
    let mut wrong = Vec::new();
    for mode in Mode::ALL {
        if running.len() == AT_ONCE {
            wrong.extend(running.join_next().await.and_then(Result::err));
        }
        running.spawn(is_completed(mode));
    }
    while let Some(ended) = running.join_next().await {
        wrong.extend(ended.err());
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_goes_away_and_comes_back_stops_nothing() {
    let fake = ModelFake::start(Mode::Honest, obedient(&meanings())).await;
    let program = Program::start(model_at(&fake.url()), &[]).await;
    program.tells("keeps to JSON schemas").await;
    fake.stop().await;
    let (program, _) = fill_all(program, "gone", never).await;
    let (status, health) = program.health().await;
    assert_eq!((status, &health["model"]["state"]), (200, &"resting".into()), "{health}");
    assert_eq!(health["model"]["calls"], health["model"]["failures"]);
}
