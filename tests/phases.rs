//! Phases in a program's hands, as `src/engine/phase.rs` tells: each example of the documentation, in a conversation.

use std::sync::Arc;

use formwright::engine::{Asking, At, Engine, Phases, Submitting, Values, Wrong};
use formwright::form::load::{Syntax, load};
use formwright::form::{Catalog, FormId, Part, ToolId};
use serde_json::json;

use crate::support::chat::Chat;

const ORDER: &str = r#"
id = "order"
title = "Order"
[[field]]
id = "what"
kind = "text"
label = "What"
ask = "What do you need?"
[[field]]
id = "amount"
kind = "integer"
label = "Amount"
ask = "How much is it?"
[[field]]
id = "from"
kind = "time"
label = "From"
ask = "From when?"
[[field]]
id = "until"
kind = "time"
label = "Until"
ask = "Until when?"
check = [{ that = "value > from", else = "It ends before it begins." }]
[[field]]
id = "vat"
kind = "text"
label = "VAT number"
ask = "What is the VAT number?"
"#;

const TOOLS: &str = r#"
[[tool]]
id = "shop"
kind = "function"
answer = "It is on its way."
[[tool]]
id = "boss"
kind = "function"
answer = "The boss has to agree."
"#;

fn chat(phases: impl Phases) -> Chat {
    let mut catalog = Catalog::default();
    catalog.insert(load(&format!("{ORDER}{TOOLS}"), Syntax::Toml).form.unwrap());
    let engine = Engine::new(catalog).with_phases(FormId::new("order"), Arc::new(phases));
    let now = "2026-11-20T09:00[UTC]".parse().unwrap();
    Chat::new(engine, now, "en", "web")
}

fn play(phases: impl Phases, lines: &[&str]) -> String {
    let mut chat = chat(phases);
    lines.iter().map(|line| chat.line(line)).collect()
}

const ALL: &[&str] = &["(open order)", "chairs", "49", "12:00 to 10:00", "DE123"];

#[derive(Debug)]
struct SmallOrdersGoOut;

impl Phases for SmallOrdersGoOut {
    fn needs_confirmation(&self, at: &At) -> Option<bool> {
        Some(at.answers["amount"].as_u64().is_none_or(|amount| amount >= 50))
    }

    fn sanitize(&self, _: &At, mut given: Values) -> Values {
        if let (Some(from), Some(until)) = (given.get("from").cloned(), given.get("until").cloned())
            && from.as_str() > until.as_str()
        {
            given.extend([("from".to_owned(), until), ("until".to_owned(), from)]);
        }
        given
    }
}

#[test]
fn confirmation_is_skipped_and_reversed_times_are_swapped() {
    let seen = play(SmallOrdersGoOut, ALL);
    assert!(seen.contains("=> submit order #1"), "{seen}");
    assert!(seen.contains("from = \"10:00\"") && seen.contains("until = \"12:00\""), "{seen}");
    let seen = play(SmallOrdersGoOut, &["(open order)", "chairs", "50", "10:00 to 12:00", "DE123"]);
    assert!(!seen.contains("=> submit") && seen.contains("[Confirm]"), "{seen}");
}

#[derive(Debug)]
struct PrivatePeopleHaveNoVat;

impl Phases for PrivatePeopleHaveNoVat {
    fn next(&self, at: &At) -> Option<Asking> {
        let private = at.answers["what"].as_str().is_some_and(|what| what.contains("my kitchen"));
        let leave_out = if private { vec!["vat".to_owned()] } else { Vec::new() };
        Some(Asking { ask: Some("amount".to_owned()), leave_out })
    }

    fn message(&self, at: &At, part: Part, say: Vec<String>) -> Vec<String> {
        if part != Part::Confirm {
            return say;
        }
        vec![format!("So {} for {}.", at.answers["what"].as_str().unwrap_or_default(), at.answers["amount"])]
    }
}

#[test]
fn the_schema_depends_on_the_answers_and_the_recap_is_the_programs() {
    let seen = play(PrivatePeopleHaveNoVat, &["(open order)", "49", "a table for my kitchen", "10:00 to 12:00"]);
    let (amount, what) = (seen.find("How much is it?"), seen.find("What do you need?"));
    assert!(amount.is_some() && amount < what, "{seen}");
    assert!(seen.contains("< So a table for my kitchen for 49.\n") && !seen.contains("VAT number?"), "{seen}");
    let seen = play(PrivatePeopleHaveNoVat, &["(open order)", "49", "chairs", "10:00 to 12:00"]);
    assert!(seen.contains("What is the VAT number?"), "{seen}");
}

#[derive(Debug)]
struct Parser;

impl Phases for Parser {
    fn extract(&self, at: &At) -> Option<Values> {
        let (what, amount) = at.message.strip_prefix("ART:")?.split_once('/')?;
        Some(Values::from([("what".to_owned(), json!(what)), ("amount".to_owned(), json!(amount))]))
    }

    fn validate(&self, at: &At) -> Vec<Wrong> {
        let many = at.answers["amount"].as_u64().is_some_and(|amount| amount > 1000);
        let wrong = Wrong { field: "amount".to_owned(), text: "Ask the boss above 1000.".to_owned() };
        if many { vec![wrong] } else { Vec::new() }
    }

    fn stop(&self, at: &At) -> Option<bool> {
        Some(at.message == "never mind then")
    }

    fn confirmed(&self, at: &At) -> Option<bool> {
        (at.message == "engage").then_some(true)
    }
}

#[test]
fn a_program_reads_messages_judges_answers_and_ends_the_form() {
    let seen = play(Parser, &["(open order)", "ART:chairs/1200", "900", "10:00 to 12:00", "DE123", "engage"]);
    assert!(seen.contains("Ask the boss above 1000."), "{seen}");
    assert!(seen.contains("what = \"chairs\"") && seen.contains("amount = 900"), "{seen}");
    let seen = play(Parser, &["(open order)", "cancel", "never mind then"]);
    assert_eq!(seen.matches("is cancelled").count(), 1, "{seen}");
}

#[derive(Debug)]
struct BigOrdersGoToTheBoss;

impl Phases for BigOrdersGoToTheBoss {
    fn submit(&self, at: &At) -> Option<Submitting> {
        let tool = match at.answers["amount"].as_u64()? {
            0 => return Some(Submitting::Nothing),
            7 => "nobody",
            1..1000 => "shop",
            _ => "boss",
        };
        let args = json!({"what": at.answers["what"], "total": at.answers["amount"]});
        Some(Submitting::Run { tool: ToolId::new(tool), args })
    }
}

#[test]
fn a_program_says_what_is_done_before_the_form_is_sent() {
    let order = |amount: &'static str| ["(open order)", "chairs", amount, "10:00 to 12:00", "DE123", "yes"];
    let seen = play(BigOrdersGoToTheBoss, &[&["(tool shop {})"], &order("49")[..]].concat());
    let (call, submit) = (seen.find(r#"=> call shop {"what":"chairs","total":49}"#), seen.find("=> submit order #1"));
    assert!(call.is_some() && call < submit && seen.contains("It is on its way."), "{seen}");
    let seen = play(BigOrdersGoToTheBoss, &[&["(tool boss {})"], &order("2000")[..]].concat());
    assert!(seen.contains("=> call boss") && seen.contains("=> submit order #1"), "{seen}");
    let seen = play(BigOrdersGoToTheBoss, &order("0"));
    assert!(!seen.contains("=> call") && seen.contains("=> submit order #1"), "{seen}");
}

#[test]
fn what_a_program_has_done_and_fails_is_tried_again_before_anything_is_sent() {
    let mut chat = chat(BigOrdersGoToTheBoss);
    let mut lines = |lines: &[&str]| lines.iter().map(|line| chat.line(line)).collect::<String>();
    let seen = lines(&["(open order)", "chairs", "49", "10:00 to 12:00", "DE123", "(tool shop fails)", "yes"]);
    assert!(seen.contains("=> call shop") && !seen.contains("=> submit"), "{seen}");
    let seen =
        lines(&["(tool shop refuses amount: So many chairs are not there.)", "yes", "(tool shop {})", "4", "yes"]);
    assert!(seen.contains("So many chairs are not there."), "{seen}");
    assert!(
        seen.contains(r#"=> call shop {"what":"chairs","total":4}"#) && seen.contains("=> submit order #1"),
        "{seen}"
    );
}

#[test]
fn where_no_tool_can_do_what_a_program_wants_nothing_is_sent() {
    let seen = play(BigOrdersGoToTheBoss, &["(open order)", "chairs", "7", "10:00 to 12:00", "DE123", "yes"]);
    assert!(seen.contains("=> log order: `nobody`") && !seen.contains("=> submit"), "{seen}");
}
