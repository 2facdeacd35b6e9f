//! Features of typed values: what else their words may be, how many there are, and whether they are in range.

use formwright_form::kind::date;
use formwright_form::{Kind, Value};
use formwright_text::root;
use rust_decimal::Decimal;

use super::super::analysis::TokenKind;
use super::super::candidate::{Candidate, Source};
use super::super::feature::F;
use super::super::slots::{SlotClass, SlotFacts};
use super::{List, Rivals, Surroundings};

impl Surroundings<'_> {
    pub(super) fn of_typed(
        &self,
        place: usize,
        slot: &SlotFacts<'_>,
        candidate: &Candidate,
        rivals: &Rivals<'_>,
        list: &mut List,
    ) {
        let at = &candidate.tokens;
        let within = self
            .typed
            .iter()
            .find(|typed| typed.tokens != *at && typed.tokens.start <= at.start && at.end <= typed.tokens.end);
        if let Some(typed) = within {
            list.both(F::WithinTyped, typed.class as usize, 0);
        }
        if let Some(typed) = self.typed.iter().find(|typed| typed.tokens == *at && typed.class != slot.class) {
            list.add(F::SameAs, typed.class as usize, typed.strength as usize);
        }
        if candidate.source == Source::Typed && rivals.typed.len() == 1 {
            list.both(F::Sole, self.asked_state(place), slot.peers);
        }
        let readings: Vec<&&Candidate> =
            rivals.all.iter().filter(|other| other.tokens == *at && other.source != Source::Rule).collect();
        if readings.len() > 1 && !matches!(candidate.value, Some(Value::Bool(_))) {
            let no = readings.iter().position(|other| other.value == candidate.value).unwrap_or(0);
            list.add(F::Reading, no, 0);
        }
        let field = self.board.slots.get(slot.no).map(|of| of.field);
        if slot.class == SlotClass::Number {
            let next = self.analysis.tokens.get(at.end);
            let noun = next.filter(|next| matches!(next.kind, TokenKind::Word | TokenKind::Capital));
            if let Some(noun) = noun {
                list.add(F::CountsNoun, usize::from(slot.name.contains(root(&noun.plain))), 0);
            }
            let amount = match &candidate.value {
                Some(Value::Integer(whole)) => Some(Decimal::from(*whole)),
                Some(Value::Number(number)) => Some(*number),
                _ => None,
            };
            if amount.is_some_and(|amount| amount >= Decimal::from(1000)) {
                list.add(F::Big, 0, 0);
            }
        }
        if let (Some(field), Some(value)) = (field, &candidate.value) {
            if matches!(slot.class, SlotClass::Number | SlotClass::Money) && !in_range(&field.kind, value) {
                list.both(F::OutOfRange, 0, 0);
            }
            let day = match value {
                Value::Date(day) => Some(*day),
                Value::DateTime(at) => Some(at.date()),
                _ => None,
            };
            if let (Some(day), Some(past)) = (day, prefers_past(&field.kind)) {
                list.add(F::Prefers, usize::from(day >= self.today) + 2 * usize::from(!past), 0);
            }
        }
    }
}

fn in_range(kind: &Kind, value: &Value) -> bool {
    let within = |amount: Decimal, min: Option<Decimal>, max: Option<Decimal>| {
        min.is_none_or(|min| amount >= min) && max.is_none_or(|max| amount <= max)
    };
    match (kind, value) {
        (Kind::Integer(kind), Value::Integer(whole)) => {
            kind.min.is_none_or(|min| *whole >= min) && kind.max.is_none_or(|max| *whole <= max)
        }
        (Kind::Number(kind), Value::Number(number)) => within(*number, kind.min, kind.max),
        (Kind::Money(kind), Value::Money { amount, .. }) => within(*amount, kind.min, kind.max),
        _ => true,
    }
}

/// Whether a field is for days that are past rather than for days ahead; none where it is for no day.
fn prefers_past(kind: &Kind) -> Option<bool> {
    match kind {
        Kind::Date(kind) => Some(kind.prefer == date::Prefer::Past),
        Kind::Datetime(kind) => Some(kind.prefer == date::Prefer::Past),
        _ => None,
    }
}
