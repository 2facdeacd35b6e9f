//! Logic of Typeform: jumps from a field to a later one, by what was answered.

use std::collections::BTreeMap;

use super::super::jumps::{Jump, Met, When, and, met, not, or};
use super::super::{Build, whole};
use super::{Choices, lose};
use crate::json_schema::{entry, words};
use crate::lost::{Lost, cited};
use crate::node::{Data, Node};
use crate::xls::expression::xpath::{Expr, Op};
use crate::xls::known::Holds;

/// Most conditions in each other.
const DEEPEST: usize = 12;

/// The fields, each shown when the jumps of the document lead to it.
pub(super) fn put(build: &Build, document: &Node, fields: Vec<(&Node, Option<Node>)>, choices: &Choices) -> Vec<Node> {
    let name = |field: &Node| field.at("ref").or_else(|| field.at("id")).and_then(Node::text).map(str::to_owned);
    let numbers: BTreeMap<String, usize> =
        fields.iter().enumerate().filter_map(|(no, (field, _))| Some((name(field)?, no))).collect();
    let mut jumps: Vec<Vec<Jump>> = vec![Vec::new(); fields.len()];
    for logic in build.tables(document, "logic") {
        let of = logic.at("ref").and_then(Node::text).unwrap_or_default();
        let from = numbers.get(of).copied().filter(|_| logic.at("type").and_then(Node::text) == Some("field"));
        if from.is_some() {
            build.marks.take_all(logic, &["type", "ref"]);
        }
        let place = format!("logic of `{of}`");
        let owner = from.and_then(|from| fields.get(from)).map_or(logic, |(field, _)| field);
        for action in build.tables(logic, "actions") {
            let to = action.at("details").and_then(|details| details.at("to"));
            let value = to.and_then(|to| to.at("value")?.text());
            let to = match to.and_then(|to| to.at("type")?.text()) {
                Some("thankyou") => Some(fields.len()),
                Some("field") => value.and_then(|value| numbers.get(value).copied()),
                _ => None,
            };
            let is_jump = action.at("action").and_then(Node::text) == Some("jump");
            let told = |why: &str| {
                lose(build, (&place, owner), format!("{why}: {}", cited(&action.json().to_string())), action);
            };
            let (Some(from), Some(to), true) = (from, to, is_jump) else {
                told("what is no jump between fields");
                continue;
            };
            if to <= from {
                told("a jump back");
                continue;
            }
            let own = jumps.get_mut(from);
            match action.at("condition").map(|when| condition(build, when, choices, 0)) {
                Some(Some(when)) if readable(build, &when) => {
                    mark(build, action, to == fields.len());
                    own.into_iter().for_each(|own| own.push(Jump { when: when.clone(), to }));
                }
                _ => {
                    told("a jump under a condition that has no counterpart");
                    own.into_iter().for_each(|own| own.push(Jump { when: When::Unknown, to }));
                }
            }
        }
    }
    let met = met(&jumps);
    fields.into_iter().zip(met).filter_map(|((at, field), met)| Some(shown(build, at, field?, met))).collect()
}

/// Notes what a jump says; at which end it comes out is not said here.
fn mark(build: &Build, action: &Node, is_end: bool) {
    build.marks.take_all(action, &["action", "details", "condition"]);
    if let Some(details) = action.at("details") {
        let to = build.marks.take(details, "to");
        to.into_iter().for_each(|to| build.marks.take_all(to, if is_end { &["type"] } else { &["type", "value"] }));
    }
    let when = action.at("condition");
    when.into_iter().for_each(|when| said(build, when));
}

fn said(build: &Build, condition: &Node) {
    build.marks.take_all(condition, &["op", "vars", "type", "value"]);
    condition.at("vars").map(Node::items).unwrap_or_default().iter().for_each(|var| said(build, var));
}

fn readable(build: &Build, when: &When) -> bool {
    !matches!(when, When::If(expr) if build.condition(expr, &[]).is_none())
}

/// A field that is shown when it is come to; where that is not known it may be left out.
fn shown(build: &Build, at: &Node, mut field: Node, met: Met) -> Node {
    let id = field.at("id").and_then(Node::text).unwrap_or_default().to_owned();
    let code = match &met {
        Met::If(expr) => build.condition(expr, std::slice::from_ref(&id)),
        Met::Always | Met::Unknown => None,
    };
    let asked = field.at("kind").and_then(Node::text).is_some_and(|kind| !matches!(kind, "note" | "group"));
    let has = field.at("required").is_some();
    let Data::Map(entries) = &mut field.data else { return field };
    match code {
        Some(code) => entries.push(entry("show_when", words(&code, &at.span))),
        None if met == Met::Always => {}
        None => {
            let lost = Lost::new(format!("question `{id}`"), "which jumps lead past it");
            build.lost.borrow_mut().push(lost.of(&whole(at)));
            if asked && !has {
                entries.push(entry("required", Node { span: 0..0, data: Data::Bool(false) }));
            }
        }
    }
    field
}

/// A condition; none where it has no counterpart.
fn condition(build: &Build, node: &Node, choices: &Choices, depth: usize) -> Option<When> {
    let op = node.at("op")?.text()?;
    let vars = node.at("vars").map(Node::items).unwrap_or_default();
    if op == "always" {
        return vars.is_empty().then_some(When::Always);
    }
    if matches!(op, "and" | "or") && depth < DEEPEST {
        let inner = |var: &Node| match condition(build, var, choices, depth + 1)? {
            When::If(expr) => Some(expr),
            When::Always | When::Unknown => None,
        };
        let all: Option<Vec<Expr>> = vars.iter().map(inner).collect();
        return all?.into_iter().reduce(if op == "and" { and } else { or }).map(When::If);
    }
    if vars.len() != 2 {
        return None;
    }
    let of = vars.iter().find(|var| matches!(var.at("type").and_then(Node::text), Some("field" | "hidden")))?;
    let name = of.at("value")?.text()?;
    let holds = build.known.named(name)?.holds;
    let field = || Box::new(Expr::Field(name.to_owned()));
    let against = vars.iter().find(|var| matches!(var.at("type").and_then(Node::text), Some("choice" | "constant")))?;
    let value = against.at("value")?;
    let value = match &value.data {
        Data::Text(text) if against.at("type").and_then(Node::text) == Some("choice") => {
            Expr::Text(choices.get(&(name.to_owned(), text.clone()))?.clone())
        }
        Data::Text(text) => Expr::Text(text.clone()),
        Data::Number(digits) => Expr::Number(digits.clone()),
        Data::Bool(truth) if holds == Holds::YesNo => Expr::Text(if *truth { "yes" } else { "no" }.to_owned()),
        _ => return None,
    };
    let call = |name: &str| Expr::Call(name.to_owned(), vec![*field(), value.clone()]);
    let two = |op: Op| Expr::Two(op, field(), Box::new(value.clone()));
    let is = || if holds == Holds::Choices { call("selected") } else { two(Op::Equal) };
    Some(When::If(match op {
        "is" | "equal" | "on" => is(),
        "is_not" | "not_equal" | "not_on" => not(is()),
        "contains" if holds == Holds::Text => call("contains"),
        "not_contains" if holds == Holds::Text => not(call("contains")),
        "begins_with" if holds == Holds::Text => call("starts-with"),
        "ends_with" if holds == Holds::Text => call("ends-with"),
        "greater_than" | "later_than" => two(Op::Greater),
        "greater_equal_than" | "later_than_or_on" => two(Op::GreaterEqual),
        "lower_than" | "earlier_than" => two(Op::Less),
        "lower_equal_than" | "earlier_than_or_on" => two(Op::LessEqual),
        _ => return None,
    }))
}
