//! Numbers that stand for all the numbers a field can have, where an expression only compares it.

#![expect(clippy::wildcard_enum_match_arm, reason = "only kinds of numbers, and numbers written out, have edges")]

use formwright_values::Value;
use rust_decimal::Decimal;

use super::datum::Datum;
use super::node::{Binary, Node, Op};
use super::{Expr, Samples};
use crate::Kind;
use crate::field_no::FieldNo;

/// Values of a number field at, below and above each number that an expression compares it with, within the field's bounds:
/// what holds for these holds for all. Empty where the field is no number, lies in a list, or is used otherwise.
pub(super) fn edges(samples: &Samples<'_>, expr: &Expr, no: FieldNo) -> Vec<Value> {
    let Some(field) = samples.single(no) else { return Vec::new() };
    let (min, max) = match &field.kind {
        Kind::Integer(kind) => (kind.min.map(Decimal::from), kind.max.map(Decimal::from)),
        Kind::Rating(kind) => (Some(kind.min.into()), Some(kind.max.into())),
        Kind::Number(kind) => (kind.min, kind.max),
        _ => return Vec::new(),
    };
    let is_it = |node: &Node| samples.field_of(node, None).is_some_and(|field| field.no == no);
    let (mut read, mut compared, mut numbers) = (0, 0, Vec::new());
    expr.root.visit(&mut |node| {
        read += usize::from(is_it(node));
        let Op::Binary(sign, left, right) = &node.op else { return };
        let compares = !matches!(
            sign,
            Binary::Add | Binary::Subtract | Binary::Multiply | Binary::Divide | Binary::Modulo | Binary::In
        );
        for (one, other) in [(left, right), (right, left)] {
            if let Some(number) = number(other).filter(|_| compares && is_it(one)) {
                compared += 1;
                numbers.push(number);
            }
        }
    });
    if read == 0 || read != compared {
        return Vec::new();
    }
    numbers.sort_unstable();
    let pairs = numbers.iter().zip(numbers.iter().skip(1));
    let between: Vec<Decimal> = pairs.filter_map(|(one, next)| Some(one.checked_add(*next)? / Decimal::TWO)).collect();
    let around = numbers.iter().flat_map(|number| {
        [number.checked_sub(Decimal::ONE), Some(*number), number.checked_add(Decimal::ONE)].into_iter().flatten()
    });
    let whole = !matches!(field.kind, Kind::Number(_));
    let mut all: Vec<Decimal> = around.chain(between).chain(min).chain(max).collect();
    if whole {
        all = all.iter().flat_map(|number| [number.floor(), number.ceil()]).collect();
    }
    all.retain(|number| min.is_none_or(|min| *number >= min) && max.is_none_or(|max| *number <= max));
    all.sort_unstable();
    all.dedup();
    let value = |number: Decimal| {
        if whole { i64::try_from(number).ok().map(Value::Integer) } else { Some(Value::Number(number)) }
    };
    all.into_iter().filter_map(value).collect()
}

/// A number written out.
fn number(node: &Node) -> Option<Decimal> {
    match &node.op {
        Op::Literal(Datum::Int(number)) => Some((*number).into()),
        Op::Literal(Datum::Number(number)) => Some(*number),
        Op::Negate(inner) => number(inner).map(|number| -number),
        _ => None,
    }
}
