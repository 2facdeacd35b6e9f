//! What a model costs in privacy: nothing of it is in the log, however much is logged.

use formwright_fakes::llm::{KEY, Mode, ModelFake, Settings, obedient};
use tokio::task::JoinSet;

use super::person::fill;
use super::program::{Program, model_at};
use super::scripts::{meanings, scripts};

/// Words of the scripts that only a person says.
const WORDS: [&str; 6] = ["uncle", "347 123", "via Roma", "hot one", "a few for the family", "3471234567"];

async fn is_discreet(settings: Settings, mode: Mode, level: &'static str) {
    let fake = ModelFake::start_with(settings, mode, obedient(&meanings())).await;
    let mut settings = model_at(&fake.url());
    settings.push(("FORMWRIGHT__LOG__LEVEL", level.to_owned()));
    let program = Program::start(settings, &[]).await;
    fill(&program, &scripts().remove(0)).await;
    program.tells("model fake-mini at").await;
    let log = program.log();
    assert!(!level.starts_with("trace") || log.contains("TRACE"), "much is logged\n{log}");
    for words in WORDS.into_iter().chain([KEY]) {
        let line = log.lines().find(|line| line.to_lowercase().contains(&words.to_lowercase()));
        assert_eq!(line, None, "{mode:?} at {level}: {words:?} is logged");
    }
    // Where the probe has found the key refused, nobody else need ask.
    assert!(!fake.calls().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_words_of_a_person_and_the_key_are_never_logged() {
    let other = || Settings { key: "sk-another-key".to_owned(), ..Settings::default() };
    let cases = [
        (Settings::default(), Mode::Honest, "trace"),
        (Settings::default(), Mode::Html, "trace,async_openai=trace"),
        (Settings::default(), Mode::Truncated, "trace"),
        (Settings::default(), Mode::NoFormat, "async_openai::client=trace,rlibphonenumber::phonenumberutil=trace"),
        (Settings::default(), Mode::ServerErrors, "trace"),
        (other(), Mode::Honest, "trace"),
    ];
    let mut running = JoinSet::new();
    for (settings, mode, level) in cases {
        running.spawn(is_discreet(settings, mode, level));
    }
    running.join_all().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sensitive_values_do_not_reach_a_prompt() {
    let fake = ModelFake::start(Mode::Honest, obedient(&meanings())).await;
    let program = Program::start(model_at(&fake.url()), &[]).await;
    for script in scripts() {
        fill(&program, &script).await;
    }
    let asked: Vec<String> = fake.calls().iter().map(|call| call.body.to_string()).collect();
    assert!(asked.len() > scripts().len());
    for hidden in ["IT60X0542811101000000123456", "050 123 4567", "501234567", "- iban (", "- emergencyMobileNumber ("]
    {
        let found = asked.iter().find(|body| body.contains(hidden));
        assert_eq!(found, None, "{hidden} is in a prompt");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_line_about_the_model_is_shown_at_every_level_and_delays_nothing() {
    let fake = ModelFake::start(Mode::Hang, obedient(&[])).await;
    let mut settings = model_at(&fake.url());
    settings.push(("FORMWRIGHT__LOG__LEVEL", "off".to_owned()));
    settings.push(("FORMWRIGHT__MODEL__TIMEOUT", "1".to_owned()));
    let program = Program::start(settings, &[]).await;
    // It serves though the model has not answered yet.
    assert_eq!(program.health().await.0, 200);
    let line = program.tells("model fake-mini at").await;
    assert!(line.ends_with("it did not answer in time. Forms go on without it, and it is tried again"), "{line}");
}
