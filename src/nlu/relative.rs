//! Numbers that are said by what they differ: "one more pizza", "two fewer", "another one", "double it". They are worked
//! out from the answer that stands; where none does, or it is not clear which is meant, they are no answer by themselves.

use std::ops::Range;

use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive as _;

use super::ledger::{Filled, Ledger};
use super::reader::Reader;
use super::spans::Board;
use formwright_form::kind::overlap;
use formwright_form::{Kind, Value};

/// What words do to the number that stands.
#[derive(Clone, Copy)]
enum Change {
    Add(i64),
    Double,
}

/// Works out numbers said by their difference, and takes them out of what other fields may find.
pub(super) fn fill(reader: &Reader<'_>, board: &mut Board<'_>, ledger: &mut Ledger) {
    let count = reader.said.words.len();
    let mut found: Vec<(Range<usize>, Change)> = Vec::new();
    for cand in &board.cands {
        let number = board.kind_of(cand).is_some_and(is_count);
        let Some(by) = whole(&cand.value).filter(|_| number) else { continue };
        let clause = reader.clause_end(cand.words.start);
        for no in cand.words.start + 1..=cand.words.end.min(clause) {
            let more = reader.len(|lang| &lang.sentence.more, no, clause);
            let fewer = reader.len(|lang| &lang.sentence.fewer, no, clause);
            let words = |len: usize| cand.words.start..cand.words.end.max(no + len);
            if more > 0 {
                found.push((words(more), Change::Add(by)));
                break;
            } else if fewer > 0 {
                found.push((words(fewer), Change::Add(-by)));
                break;
            }
        }
    }
    for no in 0..count {
        let another = reader.len(|lang| &lang.sentence.another, no, count);
        let double = reader.len(|lang| &lang.sentence.double, no, count);
        if another > 0 {
            found.push((no..no + another, Change::Add(1)));
        } else if double > 0 {
            found.push((no..no + double, Change::Double));
        }
    }
    for (words, change) in found {
        if !ledger.is_free(words.clone()) {
            continue;
        }
        let counts: Vec<usize> = (0..board.slots.len())
            .filter(|no| board.slots.get(*no).is_some_and(|slot| slot.value.is_some() && is_count(&slot.field.kind)))
            .collect();
        let near = |no: &usize| {
            let slot = board.slots.get(*no);
            slot.is_some_and(|slot| {
                board.mentions_of(slot).any(|m| m.words.start <= words.end + 1 && words.start <= m.words.end)
            })
        };
        let named: Vec<usize> = counts.iter().copied().filter(near).collect();
        // "Another" may be another of anything: what it counts has to be said.
        let worded = !board.cands.iter().any(|cand| cand.words.start == words.start);
        let slot = match (named.as_slice(), counts.as_slice()) {
            ([only], _) => Some(*only),
            ([], [only]) if !worded || matches!(change, Change::Double) => Some(*only),
            _ => None,
        };
        let Some(no) = slot else { continue };
        let Some(slot) = board.slots.get(no) else { continue };
        let Some(value) = slot.value.and_then(|held| changed(held, change)) else { continue };
        for cand in &mut board.cands {
            if overlap(&cand.words, &words) {
                cand.negated = true;
            }
        }
        let raw = reader.raw_range(words.clone());
        ledger.claim(words.clone());
        ledger.fills.push(Filled { slot: no, value, raw, words, sure: true, named: true, shift: 0, replaces: true });
        return;
    }
}

fn is_count(kind: &Kind) -> bool {
    matches!(kind, Kind::Integer(_) | Kind::Number(_))
}

fn whole(value: &Value) -> Option<i64> {
    match value {
        Value::Integer(value) => Some(*value),
        Value::Number(value) if value.fract().is_zero() => value.to_i64(),
        _ => None,
    }
}

fn changed(held: &Value, change: Change) -> Option<Value> {
    match (held, change) {
        (Value::Integer(held), Change::Add(by)) => held.checked_add(by).map(Value::Integer),
        (Value::Integer(held), Change::Double) => held.checked_mul(2).map(Value::Integer),
        (Value::Number(held), Change::Add(by)) => held.checked_add(Decimal::from(by)).map(Value::Number),
        (Value::Number(held), Change::Double) => held.checked_mul(Decimal::TWO).map(Value::Number),
        _ => None,
    }
}
