//! Constraints that are nothing but bounds: `. >= 1 and . <= 10`, `string-length(.) <= 200`, `regex(., '[A-Z]+')`.

use std::ops::Range;

use super::columns::{entry, words};
use super::expression::xpath::{Expr, Op, parse};
use crate::node::{Data, Entry, Node};

/// Takes a constraint over as keys of the field; tells whether all of it was.
pub(super) fn taken(source: &str, kind: &str, span: &Range<usize>, keys: &mut Vec<Entry>) -> bool {
    let Some(expr) = parse(source) else { return false };
    let mut found = Vec::new();
    if !each(&expr, kind, &mut found) || found.is_empty() {
        return false;
    }
    let twice = found.iter().any(|(key, _)| found.iter().filter(|(other, _)| other == key).count() > 1);
    if twice || found.iter().any(|(key, _)| keys.iter().any(|known| known.key == *key)) {
        return false;
    }
    for (key, value) in found {
        let node = match value {
            Bound::Number(digits) => Node { span: span.clone(), data: Data::Number(digits) },
            Bound::Text(text) => words(text, span),
        };
        keys.push(entry(key, node));
    }
    true
}

enum Bound {
    Number(String),
    Text(String),
}

fn each(expr: &Expr, kind: &str, found: &mut Vec<(&'static str, Bound)>) -> bool {
    match expr {
        Expr::Two(Op::And, left, right) => each(left, kind, found) && each(right, kind, found),
        Expr::Two(op, left, right) => {
            let bound = one(*op, left, right, kind);
            let some = bound.is_some();
            found.extend(bound);
            some
        }
        _ => false,
    }
}

fn one(op: Op, left: &Expr, right: &Expr, kind: &str) -> Option<(&'static str, Bound)> {
    let least = match op {
        Op::GreaterEqual => true,
        Op::LessEqual => false,
        _ => return None,
    };
    let number = || match right {
        Expr::Number(digits) => Some(Bound::Number(digits.clone())),
        Expr::Minus(inner) => match inner.as_ref() {
            Expr::Number(digits) => Some(Bound::Number(format!("-{digits}"))),
            _ => None,
        },
        _ => None,
    };
    match (left, kind) {
        (Expr::This, "integer" | "number") => Some((if least { "min" } else { "max" }, number()?)),
        (Expr::This, "date") => {
            let day = match right {
                Expr::Call(name, args) if name == "today" && args.is_empty() => "today".to_owned(),
                Expr::Call(name, args) if name == "date" => match args.as_slice() {
                    [Expr::Text(day)] => day.clone(),
                    _ => return None,
                },
                _ => return None,
            };
            Some((if least { "min" } else { "max" }, Bound::Text(day)))
        }
        (Expr::Call(name, args), "text" | "long_text") if name == "string-length" && *args == [Expr::This] => {
            Some((if least { "min_chars" } else { "max_chars" }, number()?))
        }
        (Expr::Call(name, args), "choices") if name == "count-selected" && *args == [Expr::This] => {
            Some((if least { "min" } else { "max" }, number()?))
        }
        _ => None,
    }
}
