//! Numbers that a key cannot hold.

#![expect(clippy::wildcard_enum_match_arm, reason = "only numbers have bounds")]

use super::node::{Data, Node};
use super::shape::Shape;
use formwright_form::problem::Problem;

/// A number that cannot be kept, because it has no value or too many digits, with which can.
pub(super) fn beyond(node: &Node, shape: &Shape, key: &str) -> Option<Problem> {
    const LONGEST: usize = 40;
    let (Data::Number(written) | Data::Text(written)) = &node.data else { return None };
    let plain = written.trim_start_matches(['+', '-', '.']).to_ascii_lowercase();
    let endless = matches!(plain.as_str(), "nan" | "inf" | "infinity");
    let size: f64 = written.parse().unwrap_or(0.0);
    let (label, allowed) = match shape {
        Shape::Whole(..) | Shape::Decimal if endless => ("no number that a value can be compared with", shape.range()),
        Shape::Whole(..) if matches!(node.data, Data::Number(_)) && size.abs() >= TOO_BIG => {
            (if size < 0.0 { "too small" } else { "too big" }, shape.range())
        }
        Shape::Decimal if matches!(node.data, Data::Number(_)) => ("more digits than can be kept", shape.range()),
        _ => return None,
    };
    let cut = if written.chars().count() > LONGEST { "…" } else { "" };
    let shown: String = written.chars().take(LONGEST).collect();
    let problem = Problem::error("form::out_of_range", format!("`{key}` cannot be {shown}{cut}"));
    let without = if endless { format!("; without a bound, leave `{key}` out") } else { String::new() };
    Some(problem.at(node.span.clone(), label).help(format!("it is {allowed}{without}")))
}

/// From here on, whole numbers do not fit into 64 bits: two to the power of 63.
const TOO_BIG: f64 = 9_223_372_036_854_775_808.0;
