//! Arithmetic and comparison. Whole and decimal numbers mix; decimals are exact.

use std::cmp::Ordering;

use jiff::civil;
use rust_decimal::Decimal;

use super::{MAX_TEXT, Machine, Result, Stop, by_type, failed};
use crate::logic::datum::Datum;
use crate::logic::node::{Binary, Node};

/// Seconds of a day.
pub(crate) const DAY: i64 = 86_400;

pub(crate) fn negate(value: &Datum, node: &Node) -> Result {
    match value {
        Datum::Int(n) => n.checked_neg().map(Datum::Int).ok_or_else(|| overflow(node)),
        Datum::Number(n) => Ok(Datum::Number(-*n)),
        Datum::Duration(seconds) => seconds.checked_neg().map(Datum::Duration).ok_or_else(|| overflow(node)),
        other => Err(by_type(node, format!("a {} has no opposite", other.type_name()))),
    }
}

pub(crate) fn binary(machine: &mut Machine<'_>, binary: Binary, left: &Datum, right: &Datum, node: &Node) -> Result {
    let truth = match binary {
        Binary::Equal => equal(machine, left, right, node)?,
        Binary::NotEqual => !equal(machine, left, right, node)?,
        Binary::Less => compare(machine, binary, left, right, node)?.is_lt(),
        Binary::LessEqual => compare(machine, binary, left, right, node)?.is_le(),
        Binary::Greater => compare(machine, binary, left, right, node)?.is_gt(),
        Binary::GreaterEqual => compare(machine, binary, left, right, node)?.is_ge(),
        Binary::In => contains(machine, left, right, node)?,
        Binary::Add => return add(machine, left, right, node),
        Binary::Subtract => return subtract(left, right, node),
        Binary::Multiply | Binary::Divide | Binary::Modulo => return scale(binary, left, right, node),
    };
    Ok(Datum::Bool(truth))
}

/// Whether two values are the same. Values of different types are not, and in the strict check at load they are a mistake.
pub(crate) fn equal(machine: &mut Machine<'_>, left: &Datum, right: &Datum, node: &Node) -> Result<bool> {
    machine.spend(1, node)?;
    if let (Some(left), Some(right)) = (left.number(), right.number()) {
        return Ok(left == right);
    }
    Ok(match (left, right) {
        (Datum::Null, _) | (_, Datum::Null) => left == right,
        (Datum::Bool(left), Datum::Bool(right)) => left == right,
        (Datum::Text(left), Datum::Text(right)) => {
            machine.spend_text(left.len(), node)?;
            left == right
        }
        (Datum::Duration(left), Datum::Duration(right)) => left == right,
        (Datum::List(left), Datum::List(right)) => {
            if left.len() != right.len() {
                return Ok(false);
            }
            for (left, right) in left.iter().zip(right.iter()) {
                if !equal(machine, left, right, node)? {
                    return Ok(false);
                }
            }
            true
        }
        (Datum::Map(left), Datum::Map(right)) => {
            if left.len() != right.len() {
                return Ok(false);
            }
            for ((left_key, left), (right_key, right)) in left.iter().zip(right.iter()) {
                if left_key != right_key || !equal(machine, left, right, node)? {
                    return Ok(false);
                }
            }
            true
        }
        _ => match (moment(left), moment(right)) {
            (Some(left), Some(right)) => left == right,
            _ if machine.strict => return Err(never(Binary::Equal, left, right, node)),
            _ => false,
        },
    })
}

/// Which of two values comes first.
pub(crate) fn compare(
    machine: &mut Machine<'_>,
    binary: Binary,
    left: &Datum,
    right: &Datum,
    node: &Node,
) -> Result<Ordering> {
    machine.spend(1, node)?;
    if let (Some(left), Some(right)) = (left.number(), right.number()) {
        return Ok(left.cmp(&right));
    }
    match (left, right) {
        (Datum::Bool(left), Datum::Bool(right)) => Ok(left.cmp(right)),
        (Datum::Text(left), Datum::Text(right)) => {
            machine.spend_text(left.len(), node)?;
            Ok(left.cmp(right))
        }
        (Datum::Duration(left), Datum::Duration(right)) => Ok(left.cmp(right)),
        _ => match (moment(left), moment(right)) {
            (Some(left), Some(right)) => Ok(left.cmp(&right)),
            _ => Err(never(binary, left, right, node)),
        },
    }
}

/// A date as its midnight, or a date and time.
fn moment(value: &Datum) -> Option<civil::DateTime> {
    match value {
        Datum::Date(date) => Some(date.to_datetime(civil::Time::midnight())),
        Datum::DateTime(time) => Some(*time),
        Datum::Null
        | Datum::Bool(_)
        | Datum::Int(_)
        | Datum::Number(_)
        | Datum::Text(_)
        | Datum::Duration(_)
        | Datum::List(_)
        | Datum::Map(_) => None,
    }
}

fn contains(machine: &mut Machine<'_>, item: &Datum, list: &Datum, node: &Node) -> Result<bool> {
    match (item, list) {
        (item, Datum::List(items)) => {
            for other in items.iter() {
                if equal(machine, item, other, node)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        (Datum::Text(key), Datum::Map(entries)) => Ok(entries.contains_key(key)),
        (item, list) => Err(never(Binary::In, item, list, node)),
    }
}

fn add(machine: &mut Machine<'_>, left: &Datum, right: &Datum, node: &Node) -> Result {
    match (left, right) {
        (Datum::Int(left), Datum::Int(right)) => left.checked_add(*right).map(Datum::Int).ok_or_else(|| overflow(node)),
        (Datum::Text(left), Datum::Text(right)) => {
            if left.len() + right.len() > MAX_TEXT {
                return Err(failed(node, "the text grows too long"));
            }
            machine.spend_text(left.len() + right.len(), node)?;
            Ok(Datum::text(format!("{left}{right}")))
        }
        (Datum::List(left), Datum::List(right)) => {
            let size = u32::try_from(left.len() + right.len()).unwrap_or(u32::MAX);
            machine.spend(size, node)?;
            Ok(Datum::list(left.iter().chain(right.iter()).cloned()))
        }
        (Datum::Duration(left), Datum::Duration(right)) => {
            left.checked_add(*right).map(Datum::Duration).ok_or_else(|| overflow(node))
        }
        (Datum::Duration(seconds), time @ (Datum::Date(_) | Datum::DateTime(_)))
        | (time @ (Datum::Date(_) | Datum::DateTime(_)), Datum::Duration(seconds)) => later(time, *seconds, node),
        _ => decimal(Binary::Add, left, right, node),
    }
}

fn subtract(left: &Datum, right: &Datum, node: &Node) -> Result {
    if let (Some(left), Some(right)) = (moment(left), moment(right)) {
        return Ok(Datum::Duration(left.duration_since(right).as_secs()));
    }
    match (left, right) {
        (Datum::Int(left), Datum::Int(right)) => left.checked_sub(*right).map(Datum::Int).ok_or_else(|| overflow(node)),
        (Datum::Duration(left), Datum::Duration(right)) => {
            left.checked_sub(*right).map(Datum::Duration).ok_or_else(|| overflow(node))
        }
        (time @ (Datum::Date(_) | Datum::DateTime(_)), Datum::Duration(seconds)) => {
            later(time, seconds.checked_neg().ok_or_else(|| overflow(node))?, node)
        }
        _ => decimal(Binary::Subtract, left, right, node),
    }
}

/// A date stays a date while whole days are added.
fn later(time: &Datum, seconds: i64, node: &Node) -> Result {
    let moment = moment(time).and_then(|at| at.checked_add(jiff::SignedDuration::from_secs(seconds)).ok());
    let moment = moment.ok_or_else(|| overflow(node))?;
    Ok(match time {
        Datum::Date(_) if seconds % DAY == 0 => Datum::Date(moment.date()),
        _ => Datum::DateTime(moment),
    })
}

fn scale(binary: Binary, left: &Datum, right: &Datum, node: &Node) -> Result {
    match (left, right) {
        (Datum::Int(left), Datum::Int(right)) => {
            let result = match binary {
                Binary::Multiply => left.checked_mul(*right),
                _ if *right == 0 => return Err(failed(node, "division by zero")),
                Binary::Divide => left.checked_div(*right),
                _ => left.checked_rem(*right),
            };
            result.map(Datum::Int).ok_or_else(|| overflow(node))
        }
        (Datum::Duration(seconds), Datum::Int(n)) | (Datum::Int(n), Datum::Duration(seconds))
            if binary == Binary::Multiply =>
        {
            seconds.checked_mul(*n).map(Datum::Duration).ok_or_else(|| overflow(node))
        }
        _ => decimal(binary, left, right, node),
    }
}

fn decimal(binary: Binary, left: &Datum, right: &Datum, node: &Node) -> Result {
    let (Some(a), Some(b)) = (left.number(), right.number()) else {
        return Err(never(binary, left, right, node));
    };
    let result = match binary {
        Binary::Add => a.checked_add(b),
        Binary::Subtract => a.checked_sub(b),
        Binary::Multiply => a.checked_mul(b),
        _ if b == Decimal::ZERO => return Err(failed(node, "division by zero")),
        Binary::Divide => a.checked_div(b),
        _ => a.checked_rem(b),
    };
    result.map(Datum::Number).ok_or_else(|| overflow(node))
}

fn never(binary: Binary, left: &Datum, right: &Datum, node: &Node) -> Stop {
    let (left, right, sign) = (left.type_name(), right.type_name(), binary.sign());
    by_type(node, format!("`{sign}` does not go with a {left} and a {right}"))
}

pub(crate) fn overflow(node: &Node) -> Stop {
    failed(node, "the result is too large")
}
