use std::collections::BTreeSet;

use chat::conformance::{self, Drawn};
use chat::{Token, Wire};
use proptest::prelude::*;
use rstest::rstest;

use super::*;

const SCENE: Scene<'_> = Scene { closed: false, zone: Some("Europe/Rome") };

/// Walks all of a payload, with the key that leads to each value.
fn walk<'a>(value: &'a Value, visit: &mut dyn FnMut(&'a Value)) {
    visit(value);
    match value {
        Value::Array(all) => all.iter().for_each(|one| walk(one, visit)),
        Value::Object(all) => all.values().for_each(|one| walk(one, visit)),
        _ => {}
    }
}

/// What breaks Block Kit's reference in these blocks.
fn broken(blocks: &[Value], modal: bool) -> Vec<String> {
    let mut faults = Vec::new();
    let limit = if modal { limits::VIEW_BLOCKS } else { limits::MESSAGE_BLOCKS };
    let mut say = |fault: String| faults.push(fault);
    if blocks.is_empty() || blocks.len() > limit {
        say(format!("{} blocks", blocks.len()));
    }
    let mut ids = BTreeSet::new();
    for block in blocks {
        if let Some(id) = block["block_id"].as_str()
            && !ids.insert(id)
        {
            say(format!("two blocks {id}"));
        }
        let kind = block["type"].as_str().unwrap_or_default();
        let elements = block["elements"].as_array().map_or(0, Vec::len);
        match kind {
            "section" if block.get("text").is_none() && block.get("fields").is_none() => {
                say("empty section".to_owned());
            }
            "actions" if !(1..=limits::ACTIONS_ELEMENTS).contains(&elements) => say(format!("{elements} elements")),
            "context" if !(1..=limits::CONTEXT_ELEMENTS).contains(&elements) => say(format!("{elements} in context")),
            "input" if !modal => say("an input in a message".to_owned()),
            "section" | "actions" | "context" | "header" | "input" => {}
            other => say(format!("block {other}")),
        }
        let mut actions = BTreeSet::new();
        walk(block, &mut |value| {
            let count = |value: &Value| value.as_str().map_or(0, |text| text.chars().count());
            let mut at_most = |what: &str, key: &str, least: usize, most: usize| {
                if value.get(key).is_some() && !(least..=most).contains(&count(&value[key])) {
                    say(format!("{what}: {key} of {}", count(&value[key])));
                }
            };
            at_most("any", "block_id", 1, limits::ID);
            at_most("any", "action_id", 1, limits::ID);
            let text = |pointer: &str| value.pointer(pointer).map(count);
            let mut bounded = |pointer: &str, most: usize| {
                if text(pointer).is_some_and(|count| !(1..=most).contains(&count)) {
                    say(format!("{pointer} of {:?} in {kind}", text(pointer)));
                }
            };
            bounded("/placeholder/text", limits::PLACEHOLDER);
            bounded("/label/text", limits::INPUT_LABEL);
            bounded("/hint/text", limits::INPUT_LABEL);
            bounded("/description/text", limits::OPTION_DESCRIPTION);
            bounded("/text/text", limits::SECTION_TEXT);
            let kind = value["type"].as_str().unwrap_or_default();
            match kind {
                "header" => bounded("/text/text", limits::HEADER_TEXT),
                "button" => bounded("/text/text", limits::BUTTON_TEXT),
                _ if value.get("value").is_some() && value.get("text").is_some() => {
                    bounded("/text/text", limits::OPTION_TEXT);
                    bounded("/value", limits::OPTION_VALUE);
                }
                _ => {}
            }
            if let Some(options) = value["options"].as_array() {
                let ticks = matches!(kind, "radio_buttons" | "checkboxes");
                let most = if ticks { limits::TICK_OPTIONS } else { limits::SELECT_OPTIONS };
                if options.is_empty() || options.len() > most {
                    say(format!("{} options in {kind}", options.len()));
                }
                let initial =
                    value["initial_options"].as_array().into_iter().flatten().chain(value.get("initial_option"));
                initial
                    .filter(|one| !options.contains(one))
                    .for_each(|_| say("an initial option not offered".to_owned()));
            }
            let in_modals_only =
                ["number_input", "email_text_input", "url_text_input", "file_input", "plain_text_input"];
            if !modal && in_modals_only.contains(&kind) {
                say(format!("{kind} in a message"));
            }
            if let Some(action) = value["action_id"].as_str()
                && !actions.insert(action)
            {
                say(format!("two actions {action}"));
            }
        });
    }
    faults
}

fn tokens(value: &Value) -> BTreeSet<Token> {
    let mut tokens = BTreeSet::new();
    walk(value, &mut |value| {
        for key in ["action_id", "value"] {
            let wire = value[key].as_str().and_then(|id| id.parse::<Wire>().ok());
            tokens.extend(wire.map(|wire| wire.token));
        }
    });
    tokens
}

/// What buttons and options say: to a screen reader, where that is something else.
fn labels(value: &Value) -> Vec<(Token, String)> {
    let mut labels = Vec::new();
    walk(value, &mut |value| {
        let wire = ["action_id", "value"].iter().find_map(|key| value[*key].as_str()?.parse::<Wire>().ok());
        let label = value["accessibility_label"].as_str().or(value["text"]["text"].as_str());
        labels.extend(wire.zip(label).map(|(wire, label)| (wire.token, label.to_owned())));
    });
    labels
}

fn seen(value: &Value, seen: &mut String) {
    walk(value, &mut |value| {
        if let (Some(_), Some(text)) = (value["type"].as_str(), value["text"].as_str()) {
            seen.push_str(text);
            seen.push('\n');
        }
    });
}

fn draw(reply: &chat::Reply) -> Drawn {
    let mut drawn = Drawn::default();
    let parts = render(reply, &SCENE);
    for part in &parts {
        drawn.broken.extend(broken(&part.blocks, false));
        if !(1..=limits::MESSAGE_TEXT).contains(&part.text.chars().count()) {
            drawn.broken.push(format!("text of {}", part.text.chars().count()));
        }
        let blocks = json!(part.blocks);
        seen(&blocks, &mut drawn.seen);
        drawn.reachable.extend(tokens(&blocks));
        drawn.labels.extend(labels(&blocks));
        let rest = over(part.clone(), Some("an answer"), true);
        drawn.broken.extend(broken(&rest.blocks, false));
        if !tokens(&json!(rest.blocks)).is_empty() {
            drawn.broken.push("an answered message wears widgets".to_owned());
        }
    }
    drawn.broken.extend(words_only(reply).iter().flat_map(|part| broken(&part.blocks, false)));
    let opens = parts.iter().any(|part| json!(part.blocks).to_string().contains("~form"));
    if let Some(view) = modal(reply, &SCENE) {
        drawn.broken.extend(broken(view["blocks"].as_array().unwrap(), true));
        for key in ["title", "submit", "close"] {
            if !(1..=limits::MODAL_TITLE).contains(&view[key]["text"].as_str().unwrap().chars().count()) {
                drawn.broken.push(format!("{key} of the modal"));
            }
        }
        if opens {
            drawn.reachable.extend(tokens(&view));
        }
    }
    for question in &reply.questions {
        let chat::Input::Options { options, .. } = &question.input else { continue };
        if !is_listed(options) {
            for option in options {
                drawn.reachable.extend(tokens(&suggestions(Some(question), &option.label)));
            }
        }
    }
    drawn
}

#[test]
fn every_reply_is_drawn_within_the_limits() {
    let faults = conformance::faults(draw);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_reply_is_drawn_in_an_ephemeral_message_too() {
    for (name, reply) in conformance::replies() {
        for part in render(&reply, &Scene { closed: true, zone: None }) {
            assert_eq!(broken(&part.blocks, false), Vec::<String>::new(), "{name}");
            // What is written there is not heard.
            let promised = say(Word::OrType, &reply.lang);
            assert!(!json!(part.blocks).to_string().contains(promised), "{name}");
        }
    }
}

/// The kinds of elements that wear tokens, in the order drawn.
fn kinds(reply: &chat::Reply) -> String {
    let parts = render(reply, &SCENE);
    let mut kinds: Vec<String> = Vec::new();
    walk(&parts.last().map_or(Value::Null, |part| json!(part.blocks)), &mut |value| {
        if value.get("action_id").is_some() {
            kinds.push(value["type"].as_str().unwrap().to_owned());
        }
    });
    kinds.dedup();
    kinds.join(" ")
}

#[rstest]
#[case(conformance::options(0, 2, false), "radio_buttons button")]
#[case(conformance::options(0, 10, false), "radio_buttons button")]
#[case(conformance::options(0, 11, false), "static_select button")]
#[case(conformance::options(0, 100, false), "static_select button")]
#[case(conformance::options(0, 101, false), "external_select button")]
#[case(conformance::options(0, 3, true), "checkboxes button")]
#[case(conformance::options(0, 30, true), "multi_static_select button")]
#[case(conformance::options(0, 300, true), "multi_external_select button")]
#[case(chat::Input::Date { min: None, max: None }, "datepicker button")]
#[case(chat::Input::Time { min: None, max: None }, "timepicker button")]
#[case(chat::Input::DateTime { min: None, max: None }, "datetimepicker button")]
#[case(chat::Input::DateRange { min: None, max: None }, "datepicker button")]
#[case(chat::Input::Person, "users_select button")]
#[case(chat::Input::Channel, "channels_select button")]
#[case(chat::Input::Rating { min: 1, max: 5 }, "button")]
#[case(chat::Input::Email, "button")]
fn each_question_has_the_widget_that_fits(#[case] input: chat::Input, #[case] want: &str) {
    assert_eq!(kinds(&conformance::asking(input)), want);
}

/// The elements of the modal of everything, in order.
#[test]
fn a_page_of_everything_is_a_modal_of_input_blocks() {
    let view = modal(&conformance::page(conformance::inputs()), &SCENE).unwrap();
    let kinds: Vec<&str> = view["blocks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|block| block["element"]["type"].as_str().unwrap_or_default())
        .collect();
    insta::assert_snapshot!(kinds.join("\n"), @r"
    plain_text_input
    plain_text_input
    plain_text_input
    number_input
    number_input
    radio_buttons
    static_select
    radio_buttons
    checkboxes
    datepicker
    timepicker
    timepicker
    datetimepicker
    datepicker
    datepicker
    plain_text_input
    plain_text_input
    email_text_input
    url_text_input
    users_select
    channels_select
    file_input
    plain_text_input
    ");
}

#[test]
fn what_a_person_wrote_is_neither_mention_nor_link() {
    for words in conformance::HOSTILE {
        let reply = conformance::with_words(words);
        for part in render(&reply, &SCENE) {
            assert!(!part.text.contains(['<', '>']), "{}", part.text);
            walk(&json!(part.blocks), &mut |value| {
                if value["type"] == "mrkdwn" {
                    assert!(!value["text"].as_str().unwrap().contains(['<', '>']), "{value}");
                }
            });
        }
    }
}

#[test]
fn a_type_ahead_offers_what_begins_with_the_words_first() {
    let reply = conformance::one_of(250);
    let found = suggestions(reply.questions.first(), "option 25");
    let labels: Vec<&str> =
        found["options"].as_array().unwrap().iter().map(|option| option["text"]["text"].as_str().unwrap()).collect();
    assert_eq!(labels, ["Option 25", "Option 250"]);
    assert_eq!(suggestions(reply.questions.first(), "")["options"].as_array().unwrap().len(), 100);
    assert_eq!(suggestions(None, "x"), json!({"options": []}));
}

#[test]
fn a_pizza_question_as_slack_gets_it() {
    let mut reply = conformance::one_of(2);
    if let chat::Input::Options { options, .. } = &mut reply.questions[0].input {
        options[0].label = "Margherita".to_owned();
        options[0].detail = None;
        options[1].label = "Diavola".to_owned();
    }
    let asked = render(&reply, &SCENE).remove(0);
    let answered = over(asked.clone(), Some("Diavola"), true);
    let pretty = |part: &Part| format!("{}\n{:#}", part.text, json!(part.blocks));
    insta::assert_snapshot!(format!("{}\n\n{}", pretty(&asked), pretty(&answered)));
}

fn any_input() -> impl Strategy<Value = chat::Input> {
    let bound = proptest::option::of(-1000i32..1000).prop_map(|bound| bound.map(|bound| bound.to_string()));
    prop_oneof![
        (any::<bool>(), proptest::option::of(any::<u32>()), proptest::option::of(".*"), any::<bool>())
            .prop_map(|(long, max_chars, example, secret)| chat::Input::Text { long, max_chars, example, secret }),
        (any::<bool>(), bound.clone(), bound).prop_map(|(integer, min, max)| chat::Input::Number {
            integer,
            min,
            max,
            unit: None
        }),
        (0u32..20, 0u32..200).prop_map(|(min, max)| chat::Input::Rating { min, max }),
        (0u16..300, any::<bool>(), any::<bool>(), proptest::collection::vec((".{0,200}", any::<bool>()), 0..300))
            .prop_map(|(count, multiple, other, words)| {
                let mut input = conformance::options(0, count, multiple);
                if let chat::Input::Options { options, other: own, .. } = &mut input {
                    *own = other;
                    for (option, (label, picked)) in options.iter_mut().zip(words) {
                        option.label = label;
                        option.picked = picked;
                    }
                }
                input
            }),
        proptest::sample::select(conformance::inputs()),
        (proptest::collection::vec("[.*/a-z]{0,8}", 0..4), any::<u32>())
            .prop_map(|(accept, max_files)| chat::Input::File { accept, max_bytes: None, max_files }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_reply_renders_within_limits(
        inputs in proptest::collection::vec(any_input(), 1..8),
        words in ".{0,400}",
        repeat in 1usize..40,
        prefill in proptest::option::of(prop_oneof![Just("2026-05-03".to_owned()), Just("12:30".to_owned()), ".{0,30}"]),
        rows in 0u16..80,
    ) {
        let mut reply = conformance::page(inputs);
        reply.say = vec![words.repeat(repeat)];
        reply.questions[0].ask = words.clone();
        reply.questions[0].help = Some(words.clone());
        reply.questions[0].problem = Some(words.clone());
        reply.questions[0].prefill = prefill;
        reply.page.iter_mut().for_each(|question| question.label.clone_from(&words));
        if rows > 0 {
            reply.card = conformance::review(rows).card;
            reply.card.iter_mut().flat_map(|card| &mut card.rows).for_each(|row| row.value.clone_from(&words));
        }
        let drawn = draw(&reply);
        prop_assert!(drawn.broken.is_empty(), "{:?}", drawn.broken);
    }
}

#[test]
fn words_are_escaped_once_in_notifications_too() {
    let row = chat::CardRow {
        field: "food".to_owned(),
        label: "Food & drink".to_owned(),
        value: "1 < 2".to_owned(),
        source: chat::Source::Said,
        edit: None,
    };
    let card = chat::Card { title: "Costs".to_owned(), rows: vec![row] };
    let parts = render(&chat::Reply { card: Some(card), ..chat::Reply::default() }, &SCENE);
    let text: String = parts.iter().map(|part| part.text.as_str()).collect();
    assert!(text.contains("Food &amp; drink") && !text.contains("&amp;amp;"), "{text}");
}
