//! Any valid form can be drawn on every platform within its limits, and be filled in there with nothing but its widgets.

mod forms;

pub(crate) use forms::form as random_form;

use std::collections::BTreeSet;

use formwright::engine::{Effect, Engine, Happening};
use formwright::form::load::{Syntax, load};
use formwright::form::{Catalog, FormId};
use formwright_chat as chat;
use formwright_chat::conformance::people;
use formwright_fakes::{discord, slack, telegram};
use jiff::Zoned;
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use serde_json::Value;

use crate::support::chat::Chat;

type Draw = fn(&chat::Reply) -> Vec<chat::Preview>;
type Judge = fn(&chat::Preview) -> Vec<String>;

/// The platforms: name, whether it draws pages, how it draws, what it would say about what is drawn.
const PLATFORMS: [(&str, bool, Draw, Judge); 5] = [
    ("slack", true, formwright_slack::preview, |drawn| [slack::faults(&drawn.payload), unfit(&drawn.payload)].concat()),
    ("discord", true, formwright_discord::preview, |drawn| match drawn.what.as_str() {
        "window" => discord::window_faults(&drawn.payload),
        _ => [discord::faults(&drawn.payload), unfit(&drawn.payload)].concat(),
    }),
    ("telegram", false, formwright_telegram::preview, |drawn| {
        [telegram::faults(&drawn.payload), unfit(&drawn.payload)].concat()
    }),
    // The page sets words as words, whatever they are.
    ("web", false, formwright_web::preview, |_| Vec::new()),
    ("terminal", false, formwright_terminal::preview, |drawn| unfit(&drawn.payload)),
];

/// The languages that forms may speak.
const LANGUAGES: &[&str] = &["en", "it", "es", "de", "fr", "ar"];

/// How many forms are made.
const CASES: u32 = 48;

/// Replies to a form of eight fields, lists and reviews with room to spare.
const LONGEST: usize = 120;

/// What a platform would say about a screen, and what on it can be neither pressed nor read.
fn faults(name: &str, reply: &chat::Reply) -> Vec<String> {
    let mut faults = Vec::new();
    for (platform, _, draw, judge) in PLATFORMS {
        let mut drawn = chat::conformance::Drawn::default();
        for preview in draw(reply) {
            let told = judge(&preview).into_iter();
            drawn.broken.extend(told.map(|fault| format!("{fault}: {}", preview.payload)));
            drawn.seen += &preview.picture;
            for wire in wires(&preview.payload) {
                drawn.reachable.extend(led_to(reply, &wire));
                drawn.reachable.insert(wire.token);
            }
        }
        let mut reply = reply.clone();
        if platform == "terminal" {
            // Its buttons are words that everybody knows; of a long list the rest is found by name.
            reply.buttons.clear();
            for question in &mut reply.questions {
                if let chat::Input::Options { options, .. } = &mut question.input {
                    options.truncate(chat::fallback::MAX_LISTED);
                    options.iter_mut().for_each(|option| option.label.retain(|c| !is_unfit(c)));
                }
            }
            let rows = reply.card.iter_mut().flat_map(|card| &mut card.rows);
            rows.for_each(|row| row.label.retain(|c| !is_unfit(c)));
        }
        faults.extend(chat::conformance::judge(&format!("{platform}, {name}"), &reply, &drawn));
    }
    faults
}

/// What a widget of the adapter's own leads to, such as the next page of a list: the options of the same question, or the
/// other rows of the card.
fn led_to(reply: &chat::Reply, wire: &chat::Wire) -> Vec<chat::Token> {
    if wire.op.is_none() {
        return Vec::new();
    }
    let edits = || reply.card.iter().flat_map(|card| &card.rows).filter_map(|row| row.edit.clone());
    match reply.question(&wire.token).map(|question| &question.input) {
        Some(chat::Input::Options { options, .. }) => options.iter().map(|option| option.token.clone()).collect(),
        _ if edits().any(|edit| edit == wire.token) => edits().collect(),
        _ => Vec::new(),
    }
}

/// Whether a character would move a cursor, end a text or turn the direction of all that follows.
fn is_unfit(c: char) -> bool {
    (c.is_control() && c != '\n' && c != '\t') || ('\u{202a}'..='\u{202e}').contains(&c)
}

fn unfit(payload: &Value) -> Vec<String> {
    match payload {
        Value::String(text) => text.chars().filter(|c| is_unfit(*c)).map(|c| format!("the character {c:?}")).collect(),
        Value::Array(all) => all.iter().flat_map(unfit).collect(),
        Value::Object(all) => all.values().flat_map(unfit).collect(),
        _ => Vec::new(),
    }
}

/// What comes back to an adapter from the widgets of a payload.
fn wires(payload: &Value) -> Vec<chat::Wire> {
    match payload {
        Value::String(text) => text.parse().ok().into_iter().collect(),
        Value::Array(all) => all.iter().flat_map(wires).collect(),
        // Slack asks for the options of such a list while a person types.
        Value::Object(all)
            if all.get("type").and_then(Value::as_str).is_some_and(|kind| kind.ends_with("external_select")) =>
        {
            let searched = all.values().flat_map(wires);
            searched.map(|wire| chat::Wire { op: Some("search".to_owned()), ..wire }).collect()
        }
        Value::Object(all) => all.values().flat_map(wires).collect(),
        _ => Vec::new(),
    }
}

fn made(form: &Value) -> Catalog {
    let loaded = load(&form.to_string(), Syntax::Json);
    let mut catalog = Catalog::default();
    catalog.insert(loaded.form.unwrap_or_else(|| panic!("{:#?}\n{form:#}", loaded.problems)));
    catalog
}

#[test]
fn every_kind_of_field_and_every_awkward_size_is_among_the_forms() {
    let mut runner = TestRunner::deterministic();
    let (mut kinds, mut made) = (BTreeSet::new(), Vec::new());
    for _ in 0..CASES {
        let form = forms::form().new_tree(&mut runner).unwrap().current();
        made.extend(forms::fields(&form));
        made.push(form);
    }
    kinds.extend(made.iter().filter_map(|field| field["kind"].as_str()));
    let named = people::KINDS.lines().filter_map(|line| line.strip_prefix("kind = \"")?.strip_suffix('"'));
    assert_eq!(kinds, named.collect());
    assert_eq!(kinds.len(), 29);
    let count = |key: &str, fits: &dyn Fn(&Value) -> bool| made.iter().filter(|one| fits(&one[key])).count();
    let more = |least: usize| move |list: &Value| list.as_array().is_some_and(|list| list.len() > least);
    let long = |label: &Value| label.as_str().is_some_and(|label| label.chars().count() > 200);
    let sizes = [
        ("25 options", count("options", &more(25))),
        ("100 options", count("options", &more(100))),
        ("a page", count("page", &more(1))),
        ("a group or a list of several fields", count("field", &more(2))),
        ("a long label", count("label", &long)),
        ("a long question", count("ask", &long)),
    ];
    assert!(sizes.iter().all(|(_, count)| *count > 2), "{sizes:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, failure_persistence: None, max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn every_screen_of_any_form_can_be_drawn_everywhere(form in forms::form(), lang in prop::sample::select(LANGUAGES)) {
        let form = forms::speaking(form, lang);
        let catalog = made(&form);
        let form = catalog.form(&FormId::new("made")).cloned().unwrap();
        let engine = Engine::new(catalog);
        let now = "2026-03-20T10:00:00Z".parse().unwrap();
        for draws_pages in [false, true] {
            for screen in engine.screens(&form, lang, draws_pages, now) {
                let private = chat::Reply { private: true, ..screen.reply.clone() };
                let faults: Vec<String> = [&screen.reply, &private].iter().flat_map(|reply| faults(&screen.name, reply)).collect();
                prop_assert!(faults.is_empty(), "{faults:#?}");
            }
        }
    }

    #[test]
    fn any_form_can_be_filled_in_with_widgets_alone(form in forms::form(), draws_pages in any::<bool>()) {
        let now: Zoned = "2026-03-20T10:00[Europe/Rome]".parse().unwrap();
        let mut chat = Chat::new(Engine::new(made(&form)), now, "en", "anywhere");
        chat.session.draws_pages = draws_pages;
        let mut action = chat::Action::Open { form: Some("made".to_owned()) };
        for no in 0..LONGEST {
            let event = chat.event("ada", action);
            let rehearsed = chat.engine.rehearse(&chat.session, &event, event.at);
            prop_assert!(rehearsed.is_empty(), "{rehearsed:?} of {event:?}");
            let effects = chat.happen(Happening::Event(Box::new(event)));
            if effects.iter().any(|effect| matches!(effect, Effect::Submit(_))) {
                return Ok(());
            }
            let mut shown = None;
            for effect in effects {
                let Effect::Reply(reply) = effect else { continue };
                let faults = faults(&format!("reply {no}"), &reply);
                prop_assert!(faults.is_empty(), "{faults:#?}");
                shown = Some(*reply);
            }
            let Some(shown) = shown else { return Err(TestCaseError::fail("nothing was said")) };
            action = answer(&shown).map_err(TestCaseError::fail)?;
        }
        prop_assert!(false, "it does not come to an end: {:?}", chat.session.draft);
    }
}

/// Answers with a widget what is asked, else goes on.
fn answer(shown: &chat::Reply) -> Result<chat::Action, String> {
    let press = |token: &chat::Token, value| {
        Ok(chat::Action::Press { presses: vec![chat::Press { token: token.clone(), value }] })
    };
    if let Some(question) = shown.questions.first() {
        return press(&question.token, filled(question));
    }
    // What is needed is added, and nothing beyond.
    let needed = shown.say.iter().any(|say| say.starts_with("At least"));
    let goes_on = ["Confirm", "Go on", "No more", "No", "Skip", "Skip all"];
    let way_on = goes_on.iter().find_map(|label| shown.buttons.iter().find(|button| button.label == *label));
    let button = if needed { shown.buttons.first() } else { way_on };
    match button {
        Some(button) => press(&button.token, chat::Pressed::Button),
        None => {
            let labels: Vec<&str> = shown.buttons.iter().map(|button| button.label.as_str()).collect();
            Err(format!("no way on: {:?} {labels:?}", shown.say))
        }
    }
}

/// What a person puts into a widget.
fn filled(question: &chat::Question) -> chat::Pressed {
    use chat::Input;
    let text = |text: &str| chat::Pressed::Text { text: text.to_owned() };
    match &question.input {
        Input::Options { options, min, .. } => {
            let count = usize::try_from((*min).max(1)).unwrap();
            chat::Pressed::Options { tokens: options.iter().take(count).map(|option| option.token.clone()).collect() }
        }
        Input::Number { min, .. } => text(min.as_deref().unwrap_or("7")),
        Input::Rating { min, .. } => text(&min.to_string()),
        Input::Date { .. } => text("2026-04-02"),
        Input::Time { min, .. } => text(min.as_deref().unwrap_or("12:30")),
        Input::DateTime { .. } => text("2026-04-02T12:30"),
        Input::DateRange { .. } => text("2026-04-02/2026-04-05"),
        Input::Duration => text("PT2H"),
        Input::Phone { .. } => text("+393471234567"),
        Input::Email => text("ada@example.com"),
        Input::Url => text("https://example.com/a"),
        Input::Person | Input::Channel => text("<@U0ADA|ada>"),
        Input::Location => {
            let location = chat::LocationRef { lat: 45.4, lng: 9.1, address: None, city: None, country: None };
            chat::Pressed::Location { location }
        }
        Input::File { .. } => {
            let file = chat::FileRef {
                id: "F1".to_owned(),
                name: "a.pdf".to_owned(),
                media_type: "application/pdf".to_owned(),
                bytes: Some(4000),
            };
            chat::Pressed::Files { files: vec![file] }
        }
        // A pattern asks for words too.
        Input::Text { .. } => text("AB1234"),
    }
}
