//! What is drawn: the suite of all adapters, pictures of typical screens, and anything that can be made up.

use formwright_chat::conformance::{self, faults};
use formwright_chat::{Card, CardRow, Input, Reply, Source, Token};
use jiff::civil::date;
use proptest::prelude::*;
use serde_json::Value;

use super::check::{self, draw};
use crate::render::{self, Canvas, Turned, modal};
use crate::wire_op::Op;

#[test]
fn every_reply_of_the_suite_is_within_limits_and_can_be_answered() {
    for direct in [false, true] {
        let faults = faults(|reply| draw(reply, direct));
        assert!(faults.is_empty(), "direct: {direct}\n{}", faults.join("\n"));
    }
}

fn show(reply: &Reply) -> String {
    let canvas = Canvas::new(false, date(2026, 11, 20));
    pretty(&Value::Array(render::messages(reply, &canvas)))
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap()
}

#[test]
fn a_choice_is_buttons_a_list_a_select_and_a_long_one_pages() {
    insta::assert_snapshot!("one_of_3", show(&conformance::one_of(3)));
    insta::assert_snapshot!("one_of_6", show(&conformance::one_of(6)));
    let canvas = Canvas::new(false, date(2026, 11, 20)).turn(0, Turned::Page(1));
    insta::assert_snapshot!("several_of_60", pretty(&render::messages(&conformance::several(60), &canvas)[0]));
}

#[test]
fn a_review_is_a_card_with_a_button_at_each_answer() {
    insta::assert_snapshot!("review_of_2", show(&conformance::review(2)));
    let long = show(&conformance::review(40));
    assert!(long.contains("\"type\": 3") && !long.contains("\"type\": 9"), "{long}");
}

#[test]
fn a_page_of_fields_is_a_window_of_five() {
    let reply = conformance::page(vec![
        Input::Text { long: false, max_chars: Some(50), example: Some("Ada".to_owned()), secret: false },
        conformance::options(0, 3, false),
        conformance::options(0, 4, true),
        Input::Rating { min: 1, max: 5 },
        Input::File { accept: Vec::new(), max_bytes: None, max_files: 20 },
        Input::Email,
    ]);
    let token = reply.questions[0].token.clone();
    let window = modal::window(&reply, &Op::Form, &token, &[]).unwrap();
    assert_eq!(check::modal_faults(&window), Vec::<String>::new());
    insta::assert_snapshot!("page", pretty(&window));
}

#[test]
fn what_was_answered_is_shown_without_its_widget() {
    let reply = conformance::one_of(3);
    let mut screen = formwright_chat::Screen::new(
        formwright_chat::UserId::new("1"),
        super::guild(),
        reply,
        vec!["5/800".to_owned()],
    );
    screen.answer = Some("Diavola *hot*".to_owned());
    let message = render::over(&screen, &Canvas::new(false, date(2026, 11, 20)));
    assert_eq!(message["components"], serde_json::json!([]));
    assert!(message["content"].as_str().unwrap().ends_with("\n✓ Diavola \\*hot\\*"), "{message}");
}

fn words() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        proptest::sample::select(&conformance::HOSTILE[..]).prop_map(str::to_owned),
        (1_usize..2500).prop_map(|length| "\\*w ".repeat(length / 4)),
    ]
}

fn input() -> impl Strategy<Value = Input> {
    let options = (words(), 0_u16..60, any::<bool>(), any::<bool>(), 0_u32..5, proptest::option::of(0_u32..40))
        .prop_map(|(label, count, multiple, other, min, max)| {
            let mut input = conformance::options(0, count, multiple);
            if let Input::Options { options, other: own, min: least, max: most, .. } = &mut input {
                (*own, *least, *most) = (other, min, max);
                for option in options.iter_mut().step_by(3) {
                    option.label.clone_from(&label);
                    option.detail = Some(label.clone());
                    option.picked = other;
                }
            }
            input
        });
    prop_oneof![
        options,
        proptest::sample::select(conformance::inputs()),
        (any::<u32>(), any::<u32>()).prop_map(|(min, max)| Input::Rating { min, max }),
        (words(), words()).prop_map(|(min, max)| Input::Date { min: Some(min), max: Some(max) }),
        (words(), any::<Option<u32>>()).prop_map(|(example, max_chars)| Input::Text {
            long: true,
            max_chars,
            example: Some(example),
            secret: false
        }),
    ]
}

prop_compose! {
    fn any_reply()(
        inputs in proptest::collection::vec(input(), 1..7),
        words in words(),
        buttons in 0_u16..60,
        rows in 0_u16..110,
        parts in any::<[bool; 4]>(),
    ) -> Reply {
        let mut reply = conformance::page(inputs);
        reply.say.push(words.clone());
        for question in reply.questions.iter_mut().chain(&mut reply.page) {
            question.label.clone_from(&words);
            question.help = Some(words.clone());
            question.prefill = parts[3].then(|| words.clone());
            question.required = parts[2];
        }
        let button = reply.buttons[0].clone();
        reply.buttons = (0..buttons)
            .map(|no| {
                let token = Token { slot: 1000 + no, ..button.token.clone() };
                formwright_chat::Button { token, label: words.clone(), ..button.clone() }
            })
            .collect();
        reply.private = parts[0];
        if parts[1] {
            let row = |no: u16| CardRow {
                field: String::new(),
                label: words.clone(),
                value: words.clone(),
                source: Source::Said,
                edit: Some(Token { slot: 2000 + no, ..button.token.clone() }),
            };
            reply.card = Some(Card { title: words.clone(), rows: (0..rows).map(row).collect() });
        }
        reply
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn any_reply_is_drawn_within_limits(reply in any_reply(), direct in any::<bool>()) {
        let drawn = draw(&reply, direct);
        prop_assert!(drawn.broken.is_empty(), "{:?}", drawn.broken);
    }
}
