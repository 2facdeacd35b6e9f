//! Validators of `SurveyJS`: bounds, shapes, and expressions as checks.

use super::super::draft::{Draft, is_number, is_some};
use super::expression;
use crate::json_schema::{check, words};
use crate::node::{Data, Node};
use crate::xls::expression::to_cel;
use crate::xls::expression::xpath::Expr;
use crate::xls::known::Holds;

/// Puts what validators say.
pub(super) fn put(draft: &mut Draft<'_>) {
    if matches!(draft.kind, "note" | "computed" | "group" | "list" | "file") {
        return;
    }
    let mut checks = Vec::new();
    for validator in draft.build.tables(draft.element, "validators") {
        one(draft, validator, &mut checks);
    }
    if !checks.is_empty() {
        let span = draft.element.span.clone();
        draft.put("check", Node { span, data: Data::List(checks) });
    }
}

fn one(draft: &mut Draft<'_>, validator: &Node, checks: &mut Vec<Node>) {
    let sort = validator.at("type").and_then(Node::text).unwrap_or_default().trim_end_matches("validator");
    let is_text = matches!(draft.kind, "text" | "long_text");
    let marks = &draft.build.marks;
    match sort {
        "numeric" if draft.kind == "number" => {
            marks.take(validator, "type");
            draft.copy(validator, "minValue", "min", is_number);
            draft.copy(validator, "maxValue", "max", is_number);
        }
        "text" if is_text => {
            marks.take(validator, "type");
            draft.copy(validator, "minLength", "min_chars", is_some);
            draft.copy(validator, "maxLength", "max_chars", is_some);
        }
        "answercount" if draft.kind == "choices" => {
            marks.take(validator, "type");
            draft.copy(validator, "minCount", "min", is_some);
            draft.copy(validator, "maxCount", "max", is_some);
        }
        "email" if draft.kind == "text" => {
            marks.take(validator, "type");
            draft.is("email");
        }
        "email" if draft.kind == "email" => marks.take_all(validator, &["type"]),
        "regex" if is_text => {
            if let Some(pattern) = validator.at("regex").and_then(Node::text) {
                marks.take_all(validator, &["type", "regex"]);
                let that = format!("value.matches({})", formwright_form::logic::quoted(pattern));
                checks.push(said(draft, validator, &that));
            }
        }
        "expression" => {
            let source = validator.at("expression").and_then(Node::text).unwrap_or_default();
            let expr = expression(draft, source).map(|expr| itself(expr, &draft.name));
            let place = draft.build.place(&draft.path, Holds::of(draft.kind));
            if let Some(that) = expr.and_then(|expr| to_cel::condition_of(&expr, place)) {
                marks.take_all(validator, &["type", "expression"]);
                checks.push(said(draft, validator, &that));
            }
        }
        _ => {}
    }
}

/// A check with what is said where it does not hold.
fn said(draft: &Draft<'_>, validator: &Node, that: &str) -> Node {
    let span = validator.span.clone();
    let otherwise = draft.text(validator, "text");
    let mut check = check(that, "This answer is not right here.", &span);
    if let (Some(text), Data::Map(entries)) = (otherwise, &mut check.data) {
        entries.retain(|entry| entry.key != "else");
        entries.push(crate::json_schema::entry("else", text));
    } else if let Data::Map(entries) = &mut check.data {
        for entry in entries.iter_mut().filter(|entry| entry.key == "else") {
            entry.node = words(entry.node.text().unwrap_or_default(), &(0..0));
        }
    }
    check
}

/// An expression about a question as it is checked with its answer.
fn itself(expr: Expr, name: &str) -> Expr {
    match expr {
        Expr::Field(of) if of == name => Expr::This,
        Expr::Two(op, left, right) => Expr::Two(op, Box::new(itself(*left, name)), Box::new(itself(*right, name))),
        Expr::Call(of, args) => Expr::Call(of, args.into_iter().map(|arg| itself(arg, name)).collect()),
        Expr::Minus(inner) => Expr::Minus(Box::new(itself(*inner, name))),
        other => other,
    }
}
