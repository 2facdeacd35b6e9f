//! How long prompts are: a table in `prompt-sizes.md`, written by `UPDATE=1 cargo test --test main sizes`, with what is
//! aimed at; and that a long form is condensed by what is known of it, never by cutting a text.

use std::fmt::Write as _;

use formwright::engine::{Engine, ModelCall, ModelUse};
use formwright::form::Catalog;

use super::stage::{chat as begin, form, turn};
use crate::support::chat::sample_forms;

const FILE: &str = "tests/hostile/prompt-sizes.md";
const UNCLEAR: &str = "hm, let me think about that for a moment";
/// The injury report in plain words: what is put to a model is one judged text, and twice something unclear.
const INJURY: [&str; 17] = [
    "najd",
    "sales assistant",
    "yes",
    "it was on 14 November 2026, at half past nine in the morning",
    "15 November 2026",
    UNCLEAR,
    "16 November 2026",
    "I slipped on the wet floor of the store room and fell on my wrist.",
    "an injury at the place of work",
    "a fall or slip",
    "{pin: 24.7136, 46.6753}",
    "on the road",
    UNCLEAR,
    "the police came",
    "yes",
    "050 123 4567",
    "{files: report.pdf 1200}",
];

/// About how many tokens a text has: few have more than one for three and a half letters.
fn tokens(text: &str) -> usize {
    text.chars().count() * 2 / 7 + 1
}

fn names(call: &ModelCall) -> Vec<&str> {
    let names = call.schema["properties"]["updates"]["items"]["properties"]["field"]["enum"].as_array();
    names.into_iter().flatten().filter_map(|name| name.as_str()).collect()
}

/// A form of so many fields of the common kinds.
fn generated(count: usize) -> String {
    let mut text = format!("id = \"of{count}\"\ntitle = \"A form of {count} fields\"\n");
    for no in 0..count {
        let (kind, label, more) = match no % 8 {
            0 => ("choice", "Size of the parcel", "options = [\"Small\", \"Medium\", \"Large\"]"),
            1 => ("integer", "Number of parcels", "min = 1\nmax = 99"),
            2 => ("date", "Day of delivery", ""),
            3 => ("yes_no", "Insured", ""),
            4 => ("email", "Address for the invoice", ""),
            5 => ("money", "Declared value", "currency = \"EUR\""),
            6 => ("long_text", "What is inside", ""),
            _ => ("time", "Earliest hour", ""),
        };
        let ask = format!("ask = \"Would you tell us, please: {label}, number {no}?\"");
        let _ = writeln!(text, "[[field]]\nid = \"f{no}\"\nkind = \"{kind}\"\nlabel = \"{label} {no}\"\n{ask}\n{more}");
    }
    text
}

fn engine_of(text: &str, uses: ModelUse) -> Engine {
    let mut catalog = Catalog::default();
    catalog.insert(form(text));
    Engine::new(catalog).with_model(Some(uses))
}

/// The call about an unclear message at the start of a form.
fn call(engine: &Engine, lines: &[&str]) -> ModelCall {
    let session = begin(engine, lines).session;
    let turn = turn_of_all(engine, &session, UNCLEAR);
    turn.into_iter().next().unwrap_or_else(|| panic!("{lines:?}: no model is asked"))
}

fn turn_of_all(engine: &Engine, session: &formwright::engine::Session, said: &str) -> Vec<ModelCall> {
    turn(engine, session, said, None).calls
}

#[test]
fn prompts_are_as_short_as_is_aimed_at() {
    let samples = Engine::new(sample_forms()).with_model(Some(ModelUse::default()));
    let mut table = String::from(
        "# How long prompts are\n\nWritten by `UPDATE=1 cargo test --test main sizes`. Tokens are reckoned at three and a \
         half letters each. Aim: 350 and 25 for each field in what comes first and never changes, 200 in what changes.\n\n\
         | form | fields | first | aim | changes | reply schema |\n|---|---|---|---|---|---|\n",
    );
    let mut missed = Vec::new();
    let mut row = |name: &str, call: &ModelCall| {
        let hidden = call.message.lines().find_map(|line| line.strip_prefix("Not asked for now: "));
        let told = names(call).len() + hidden.map_or(0, |names| names.split(", ").count());
        let (fields, first, changes) = (told, tokens(&call.system), tokens(&call.message));
        let aim = 350 + 25 * fields;
        let schema = tokens(&call.schema.to_string());
        let _ = writeln!(table, "| {name} | {fields} | {first} | {aim} | {changes} | {schema} |");
        if first > aim || changes > 200 {
            missed.push(format!("{name}: {first} of {aim}, {changes} of 200\n{}\n{}", call.system, call.message));
        }
    };
    let forms = ["pizza-order", "injury-report", "expense-claim", "leave-request", "event-signup", "support-ticket"];
    for name in forms {
        let second: &[&str] = match name {
            "expense-claim" => &["(open expense-claim)", "Trade fair in Milan"],
            "event-signup" => &["(open event-signup)", "my name is Ada Lovelace"],
            _ => &[],
        };
        let open = format!("(open {name})");
        let first = [open.as_str()];
        row(name, &call(&samples, if second.is_empty() { &first } else { second }));
    }
    for count in [10, 50, 200] {
        let engine = engine_of(&generated(count), ModelUse::default());
        let open = format!("(open of{count})");
        row(&format!("generated, of {count} fields"), &call(&engine, &[&open]));
    }

    let mut person = begin(&samples, &["(open injury-report)"]);
    let (mut asked, mut spent, mut always, mut said) = (0, 0, 0, 0);
    for line in INJURY {
        if !line.starts_with('{') {
            let calls = turn_of_all(&samples, &person.session, line);
            let cost = calls.iter().map(|call| tokens(&call.system) + tokens(&call.message) + 60).sum::<usize>();
            (asked, spent, said) = (asked + calls.len(), spent + cost, said + 1);
        }
        person.line(line);
        let told = samples.explain(&person.session, UNCLEAR, super::stage::now().timestamp(), None);
        always += told.call.map_or(0, |call| tokens(&call.system) + tokens(&call.message) + 60);
    }
    let whole = tokens(&std::fs::read_to_string("forms/injury-report.toml").unwrap()) * INJURY.len();
    let _ = writeln!(
        table,
        "\nThe injury report in {} messages, {said} of them words: {asked} calls, {spent} tokens in all. With the form's \
         text sent each time it would be {whole}; if a model were asked each time, {always}. Aim: a quarter.",
        INJURY.len()
    );
    println!("{table}");
    assert!(missed.is_empty(), "{}", missed.join("\n"));
    assert!(spent * 4 <= whole && asked >= 1, "{spent} of {whole}, {asked} calls");
    let present = std::fs::read_to_string(FILE).unwrap_or_default();
    if present != table {
        assert!(std::env::var_os("UPDATE").is_some(), "{FILE} is out of date: run it with UPDATE=1\n{table}");
        std::fs::write(FILE, table).unwrap();
    }
}

#[test]
fn what_comes_first_is_the_same_at_every_message() {
    let samples = Engine::new(sample_forms()).with_model(Some(ModelUse::default()));
    let mut person = begin(&samples, &["(open injury-report)"]);
    let mut first = std::collections::BTreeSet::new();
    for line in INJURY {
        first.extend(turn_of_all(&samples, &person.session, UNCLEAR).into_iter().map(|call| call.system));
        person.line(line);
    }
    assert_eq!(first.len(), 1, "{first:#?}");
    let engine = super::stage::engine();
    let places = ["begun", "review", "list", "which", "cancel", "edit guests"];
    let calls = places.map(|place| turn_of_all(&engine, &super::stage::place(&engine, place), UNCLEAR));
    let first: std::collections::BTreeSet<String> = calls.into_iter().flatten().map(|call| call.system).collect();
    assert_eq!(first.len(), 1, "{first:#?}");
}

#[test]
fn the_message_comes_last_and_the_rules_are_all_there() {
    let samples = Engine::new(sample_forms()).with_model(Some(ModelUse::default()));
    let call = call(&samples, &["(open pizza-order)"]);
    assert!(call.message.ends_with(&format!("The message:\n<<<\n{UNCLEAR}\n>>>")), "{}", call.message);
    insta::assert_snapshot!("pizza_prompt", format!("{}\n=====\n{}", call.system, call.message));
}

#[test]
fn a_long_form_is_condensed_to_what_is_missing_and_what_hangs_on_it() {
    let mut text = generated(60);
    text.push_str("[[field]]\nid = \"last\"\nkind = \"integer\"\nlabel = \"Last\"\n");
    text.push_str("[[field]]\nid = \"hangs\"\nkind = \"integer\"\nlabel = \"Hangs\"\nrequired_when = \"last > 3\"\n");
    let uses = ModelUse { prompt_tokens: 300, ..ModelUse::default() };
    let engine = engine_of(&text, uses);
    let session = begin(&engine, &["(open of60)", "Medium", "3", "tomorrow"]).session;
    let first = turn_of_all(&engine, &session, UNCLEAR).remove(0);
    // Asked first, then open, in the form's order; what is answered has no room.
    let told = names(&first);
    assert_eq!(told[..3], ["f3", "f4", "f5"], "{}", first.message);
    assert!(!told.contains(&"f0") && told.len() < 60 && told.len() > 5, "{told:?}");
    assert!(!first.system.contains("f3 ") && first.message.contains("- f3 yes_no"), "{}", first.message);
    for line in first.message.lines().filter(|line| line.starts_with("- f")) {
        assert!(!line.contains('…'), "{line}");
    }
    // The prefix stays the same all the same.
    let later = begin(&engine, &["(open of60)", "Medium", "3", "tomorrow", "yes"]).session;
    let later = turn_of_all(&engine, &later, UNCLEAR).remove(0);
    assert_eq!(later.system, first.system);
    assert_eq!(names(&later)[0], "f4");
    // Where little is open, what hangs on it comes before what is answered.
    let mut nearly = session.clone();
    let draft = nearly.draft.as_mut().unwrap();
    let answer = draft.answers.values().next().unwrap().clone();
    for no in 0..60 {
        draft.answers.insert(super::stage::path(&format!("f{no}")), answer.clone());
    }
    draft.answers.insert(super::stage::path("hangs"), answer);
    draft.pending = formwright::engine::session::Pending::Field { path: super::stage::path("last"), editing: false };
    let explained = engine.explain(&nearly, UNCLEAR, super::stage::now().timestamp(), None);
    let call = explained.call.expect("a model is asked");
    assert_eq!(names(&call)[..3], ["last", "hangs", "f0"], "{}", call.message);
}

#[test]
fn a_long_text_is_left_out_whole_and_its_label_stays() {
    let long = "on the one hand ".repeat(60) + "never the suite";
    let text = format!(
        "id = \"inn\"\ntitle = \"Inn\"\nguidance = \"{long}\"\n[[field]]\nid = \"bed\"\nkind = \"choice\"\nlabel = \"Bed to \
         sleep in\"\nask = \"{long}\"\nguidance = \"{long}\"\noptions = [\"Soft\", \"Hard\"]\n"
    );
    let engine = engine_of(&text, ModelUse::default());
    let call = call(&engine, &["(open inn)"]);
    assert!(call.system.contains("- bed choice, Bed to sleep in: Soft; Hard\n"), "{}", call.system);
    assert!(!call.system.contains("hand") && !call.system.contains('…'), "{}", call.system);
}
