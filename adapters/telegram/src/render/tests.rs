use std::collections::BTreeSet;

use formwright_chat::conformance::{self, Drawn};
use formwright_chat::{Button, ButtonRole, Card, CardRow, Choice, Nonce, Source, Token, Wire};
use jiff::civil::date;
use proptest::prelude::*;
use rstest::rstest;

use super::*;

fn today() -> Date {
    date(2026, 11, 21)
}

fn frame() -> Frame<'static> {
    Frame::new(today(), false)
}

/// What a reader of HTML sees; a complaint where it is not well-formed or uses more than the two tags.
fn seen(html: &str) -> Result<String, String> {
    let mut out = String::new();
    let mut open: Option<&str> = None;
    let mut rest = html;
    while let Some(at) = rest.find(['<', '&', '>']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let (len, next) = match rest {
            _ if rest.starts_with("&amp;") => (5, Some('&')),
            _ if rest.starts_with("&lt;") => (4, Some('<')),
            _ if rest.starts_with("&gt;") => (4, Some('>')),
            _ if rest.starts_with("&quot;") => (6, Some('"')),
            _ if open.is_none() && rest.starts_with("<b>") => (3, None),
            _ if open.is_none() && rest.starts_with("<i>") => (3, None),
            _ if open.is_some_and(|tag| rest.strip_prefix("</").is_some_and(|end| end.starts_with(tag))) => (4, None),
            _ => return Err(format!("markup at {}", rest.chars().take(10).collect::<String>())),
        };
        match next {
            Some(c) => out.push(c),
            None => open = if rest.starts_with("</") { None } else { Some(&rest[1..2]) },
        }
        rest = &rest[len..];
    }
    out.push_str(rest);
    if open.is_some() { Err("a tag is not closed".to_owned()) } else { Ok(out) }
}

/// Checks what is drawn against the limits, and follows every widget to what it leads to.
fn inspect(reply: &Reply, group: bool) -> Drawn {
    let mut drawn = Drawn::default();
    let mut views: Vec<Option<View>> = vec![None];
    let mut known: BTreeSet<(u16, String)> = BTreeSet::new();
    while let Some(view) = views.pop() {
        let messages = draw(reply, &Frame { today: today(), group, screen: None, view: view.as_ref() });
        for (no, message) in messages.iter().enumerate() {
            check(message, &mut drawn);
            if no + 1 < messages.len() && message.markup != Markup::Bare {
                drawn.broken.push("widgets above the last message".to_owned());
            }
            let Markup::Inline(rows) = &message.markup else { continue };
            for key in rows.iter().flatten() {
                let Does::Press(wire) = &key.does else { continue };
                let op = wire.op.clone().unwrap_or_default();
                if op.is_empty() {
                    drawn.labels.push((wire.token.clone(), key.label.clone()));
                }
                if op.is_empty() || wire.token.option.is_some() {
                    drawn.reachable.insert(wire.token.clone());
                } else if op.starts_with(['p', 'c', 'b', 'h', 'Y', 's']) && known.insert((wire.token.slot, op.clone()))
                {
                    // Months without end are not followed.
                    if known.len() < 40 {
                        views.push(Some(View { slot: wire.token.slot, op }));
                    }
                }
            }
        }
    }
    drawn
}

fn check(message: &Message, drawn: &mut Drawn) {
    let mut broken = Vec::new();
    match seen(&message.html) {
        Ok(text) => {
            if html::units(&text) > limits::TEXT {
                broken.push(format!("{} units", html::units(&text)));
            }
            if text.trim().is_empty() {
                broken.push("a message without words".to_owned());
            }
            drawn.seen.push_str(&text);
            drawn.seen.push('\n');
        }
        Err(error) => broken.push(error),
    }
    let json = message.json();
    let markup = &json["reply_markup"];
    if let Some(rows) = markup["inline_keyboard"].as_array() {
        let count: usize = rows.iter().map(|row| row.as_array().map_or(0, Vec::len)).sum();
        if count > limits::BUTTONS || count == 0 {
            broken.push(format!("{count} buttons"));
        }
        for row in rows.iter().filter_map(|row| row.as_array()) {
            if row.is_empty() || row.len() > limits::ROW {
                broken.push(format!("{} buttons in a row", row.len()));
            }
            for key in row {
                let label = key["text"].as_str().unwrap_or_default();
                let data = key["callback_data"].as_str().unwrap_or_default();
                if label.trim().is_empty() || label.chars().count() > limits::LABEL {
                    broken.push(format!("a button’s words: {label:?}"));
                }
                if !(1..=limits::CALLBACK_DATA).contains(&data.len()) || data.parse::<Wire>().is_err() {
                    broken.push(format!("a button’s data: {data:?}"));
                }
                drawn.seen.push_str(label);
                drawn.seen.push('\n');
            }
        }
    }
    if let Some(hint) = markup["input_field_placeholder"].as_str()
        && !(1..=limits::PLACEHOLDER).contains(&hint.chars().count())
    {
        broken.push(format!("a hint of {} characters", hint.chars().count()));
    }
    for key in markup["keyboard"].as_array().into_iter().flatten().filter_map(|row| row.as_array()).flatten() {
        let label = key["text"].as_str().unwrap_or_default();
        if label.trim().is_empty() {
            broken.push("a key without words".to_owned());
        }
        drawn.seen.push_str(label);
        drawn.seen.push('\n');
    }
    drawn.broken.extend(broken);
}

#[rstest]
#[case::in_private(false)]
#[case::in_a_group(true)]
fn every_widget_is_drawn_within_the_limits(#[case] group: bool) {
    let faults = conformance::faults(|reply| inspect(reply, group));
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn an_answered_message_has_the_answer_and_no_widgets_within_the_limits() {
    for (name, reply) in conformance::replies() {
        for answer in ["Diavola", &"ä😀".repeat(5000), "<b>"] {
            let Some(message) = answered(&reply, answer) else { continue };
            let mut drawn = Drawn::default();
            check(&message, &mut drawn);
            assert!(drawn.broken.is_empty(), "{name}: {:?}", drawn.broken);
            assert!(message.markup == Markup::Bare && message.html.contains('✓'));
        }
    }
}

/// A keyboard as a person sees it, a row a line.
fn picture(messages: &[Message]) -> String {
    let mut out = String::new();
    for message in messages {
        out.push_str(&message.html);
        out.push('\n');
        match &message.markup {
            Markup::Bare => {}
            Markup::Inline(rows) => {
                for row in rows {
                    let labels: Vec<String> = row.iter().map(|key| format!("[{}]", key.label)).collect();
                    out.push_str(&labels.join(" "));
                    out.push('\n');
                }
            }
            other => out.push_str(&format!("{}\n", other.json().unwrap_or_default())),
        }
    }
    out
}

fn turned(reply: &Reply, op: &str) -> String {
    let view = View { slot: 0, op: op.to_owned() };
    picture(&draw(reply, &Frame { view: Some(&view), ..frame() }))
}

#[test]
fn a_list_to_pick_from() {
    insta::assert_snapshot!(picture(&draw(&conformance::one_of(6), &frame())));
}

#[test]
fn a_long_list_to_tick() {
    let reply = conformance::several(40);
    insta::assert_snapshot!(turned(&reply, "p2"));
}

#[test]
fn a_calendar_and_what_it_turns_to() {
    let day = |day: &str| Some(day.to_owned());
    let reply = conformance::asking(Input::Date { min: day("2026-11-10"), max: day("2027-02-03") });
    let views = ["", "m2027-02", "y2026", "Y2020"].map(|op| turned(&reply, op));
    insta::assert_snapshot!(views.join("\n"));
}

#[test]
fn a_range_is_picked_in_two_steps() {
    let mut reply = conformance::asking(Input::DateRange { min: None, max: None });
    reply.lang = "ar".to_owned();
    insta::assert_snapshot!([turned(&reply, ""), turned(&reply, "d2026-11-25")].join("\n"));
}

#[test]
fn a_clock_of_hours_and_minutes() {
    let reply = conformance::asking(Input::DateTime { min: None, max: None });
    insta::assert_snapshot!(["d2026-12-24", "h2026-12-24T17"].map(|op| turned(&reply, op)).join("\n"));
}

#[test]
fn a_review_with_edit_buttons() {
    insta::assert_snapshot!(picture(&draw(&conformance::review(5), &frame())));
}

#[test]
fn a_telephone_number_is_shared_in_private_and_written_in_a_group() {
    let reply = conformance::asking(Input::Phone { country: Some("IT".to_owned()) });
    let group = Frame { group: true, ..frame() };
    insta::assert_snapshot!([picture(&draw(&reply, &frame())), picture(&draw(&reply, &group))].join("\n"));
}

#[test]
fn a_scale_and_a_hint() {
    let mut rating = conformance::asking(Input::Rating { min: 0, max: 10 });
    rating.questions[0].help = Some("10 is best".to_owned());
    let file =
        conformance::asking(Input::File { accept: vec!["image/*".into()], max_bytes: Some(5_000_000), max_files: 1 });
    insta::assert_snapshot!([picture(&draw(&rating, &frame())), picture(&draw(&file, &frame()))].join("\n"));
}

#[test]
fn what_is_sent_for_a_question() {
    let messages = draw(&conformance::asking(conformance::options(0, 2, false)), &frame());
    insta::assert_snapshot!(serde_json::to_string_pretty(&messages[0].json()).unwrap());
}

/// Words of all kinds: short, long, hostile.
fn words() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[ -~]{0,40}",
        1 => "\\PC{0,300}",
        1 => proptest::sample::select(conformance::HOSTILE.to_vec()).prop_map(str::to_owned),
        1 => (1usize..3000).prop_map(|count| "x🍕 ".repeat(count)),
    ]
}

fn input() -> impl Strategy<Value = Input> {
    let options = (proptest::collection::vec((words(), proptest::option::of(words())), 0..130), any::<bool>());
    let options = options.prop_map(|(labels, multiple)| {
        let token = Token::new(&Nonce::new(9), 0);
        let option = |(no, (label, detail))| Choice { token: token.option(no), label, detail, picked: no % 2 == 0 };
        let options = (0..).zip(labels).map(option).collect();
        Input::Options { options, multiple, min: 0, max: Some(2), other: multiple }
    });
    prop_oneof![options, proptest::sample::select(conformance::inputs())]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_reply_is_drawn_within_the_limits(
        say in proptest::collection::vec(words(), 0..4), ask in words(), help in proptest::option::of(words()),
        input in input(), buttons in proptest::collection::vec(words(), 0..40),
        rows in proptest::collection::vec((words(), words(), any::<bool>()), 0..30), group: bool,
    ) {
        let token = |slot| Token::new(&Nonce::new(9), slot);
        let mut reply = conformance::asking(input);
        reply.say = say;
        reply.questions[0].ask = ask.clone();
        reply.questions[0].label = ask;
        reply.questions[0].help = help;
        let button = |(slot, label)| Button { token: token(slot), label, role: ButtonRole::Plain };
        reply.buttons = (1u16..).zip(buttons).map(button).collect();
        let row = |(slot, (label, value, edit)): (u16, (String, String, bool))| CardRow {
            field: "f".to_owned(), label, value, source: Source::Said, edit: edit.then(|| token(slot)),
        };
        let rows: Vec<CardRow> = (100u16..).zip(rows).map(row).collect();
        reply.card = (!rows.is_empty()).then(|| Card { title: "T".to_owned(), rows });
        let drawn = inspect(&reply, group);
        prop_assert!(drawn.broken.is_empty(), "{:?}", drawn.broken);
    }
}
