//! Which fields a model may name: what is hidden only where something still open may bring it into view.

use rstest::rstest;

use super::stage::{chat, event, form, step};
use formwright::engine::{Effect, Engine, Happening, ModelUse};
use formwright::form::Catalog;
use formwright_chat as chat_words;

const FORM: &str = r#"
id = "visit"
title = "Visit"

[[page]]
id = "main"
title = "Main"

[[page]]
id = "more"
title = "More"
show_when = "how == 'car'"

[[field]]
id = "how"
page = "main"
kind = "choice"
label = "How"
ask = "How do you come?"
options = ["car", "train"]

[[field]]
id = "plate"
kind = "text"
label = "Plate"
ask = "Which plate?"
show_when = "how == 'car'"

[[field]]
id = "class"
kind = "choice"
label = "Class"
ask = "Which class?"
options = ["first", "second"]
show_when = "how == 'train'"

[[field]]
id = "lounge"
kind = "yes_no"
label = "Lounge"
ask = "Do you want to wait in the lounge?"
show_when = "class == 'first'"

[[field]]
id = "garage"
page = "more"
kind = "text"
label = "Garage"
ask = "Which garage?"

[[field]]
id = "day"
page = "main"
kind = "date"
label = "Day"
ask = "Which day?"
"#;

#[rstest]
#[case::all_may_appear(&[], &["class", "day", "garage", "how", "lounge", "plate"], None)]
#[case::by_train(&["train"], &["class", "day", "how", "lounge"], Some("Not asked for now: plate, garage."))]
#[case::second_class(&["train", "second"], &["class", "day", "how"], Some("Not asked for now: plate, lounge, garage."))]
fn hidden_fields_are_offered_where_they_may_appear(
    #[case] answers: &[&str],
    #[case] offered: &[&str],
    #[case] told: Option<&str>,
) {
    let mut catalog = Catalog::default();
    catalog.insert(form(FORM));
    let engine = Engine::new(catalog).with_model(Some(ModelUse::default()));
    let lines: Vec<&str> = ["(open visit)"].into_iter().chain(answers.iter().copied()).collect();
    let session = chat(&engine, &lines).session;
    let mut said = event(&session, chat_words::Action::Say { text: "somehow or other, qwertz".to_owned() });
    said.terms.forms = None;
    let (_, effects) = step(&engine, session, Happening::Event(Box::new(said)));
    let call = effects.iter().find_map(|effect| match effect {
        Effect::AskModel(call) => Some(call),
        _ => None,
    });
    let call = call.expect("a call");
    let names = &call.schema["properties"]["updates"]["items"]["properties"]["field"]["enum"];
    let mut names: Vec<&str> = names.as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    names.sort_unstable();
    assert_eq!(names, offered);
    assert_eq!(call.message.lines().find(|line| line.starts_with("Not asked")), told);
}
