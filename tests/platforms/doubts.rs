//! Values that only a language model reads in a message are asked in one question, on each platform: some by a button,
//! the rest by yes. There are more buttons than fit into a row, and labels longer than any platform takes.

use formwright_fakes::llm::{Mode, ModelFake, obedient};
use serde_json::{Value, json};

use super::person::Anybody;
use super::stage::{Plan, Platform, Stage};
use crate::model::program::model_at;

/// More buttons than Discord has room for, with "Yes" and "No".
const FIELDS: usize = 26;

/// Two letters that stand for a field.
fn letters(no: usize) -> String {
    [no / 6, no % 6].map(|no| char::from(b'a' + u8::try_from(no).unwrap())).into_iter().collect()
}

/// Words that mean nothing without a model.
fn words(no: usize) -> String {
    format!("zum{}", letters(no))
}

fn form() -> String {
    let field = |no: usize| {
        let name = if no == 0 { String::new() } else { " with a very long name".repeat(5) };
        format!(
            r#"
            [[field]]
            id = "{0}"
            kind = "choice"
            label = "Item {0}"
            ask = "Which colour?"
            options = [{{ id = "red", label = "Red" }}, {{ id = "blue", label = "Blue{name}" }}]
            "#,
            letters(no)
        )
    };
    let fields: String = (0..FIELDS).map(field).collect();
    format!("schema = 1\nid = \"many\"\ntitle = \"Many\"\n{fields}")
}

async fn answers(person: &Anybody) {
    person.opens("many").await;
    person.sees("Which colour?").await;
    let said: Vec<String> = (0..FIELDS).map(words).collect();
    person.writes(&said.join(", ")).await;
    person.sees("Is all of it right?").await;
    person.presses("Only Item aa: Blue").await;
    person.sees("Is all of this right?").await;
    person.writes("yes, but item ba is red").await;
    person.sees("Is everything right?").await;
    person.writes("yes").await;
    person.sees("has been submitted").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn many_doubts_are_one_question_on_every_platform() {
    let names: Vec<(String, String)> = (0..FIELDS).map(|no| (words(no), letters(no))).collect();
    let meanings: Vec<_> = names.iter().map(|(words, field)| (words.as_str(), field.as_str(), "blue")).collect();
    let fake = ModelFake::start(Mode::Honest, obedient(&meanings)).await;
    let stage = Stage::set(Plan { forms: vec![form()], settings: model_at(&fake.url()), ..Plan::default() }).await;
    let people: Vec<Anybody> = Platform::ALL.into_iter().map(|platform| stage.alone(platform, "Ada")).collect();
    stage.start(None).await;
    stage.connected().await;
    super::all(people.iter().map(answers).collect()).await;
    stage.is_quiet().await;
    let wanted: Value =
        names.iter().map(|(_, field)| (field.clone(), json!(if field == "ba" { "red" } else { "blue" }))).collect();
    assert_eq!(stage.submitted("many"), vec![wanted; Platform::ALL.len()]);
    stage.assert_nothing_was_refused();
}
