//! What a model's quote and value are worth to a field, and which fields it may propose values for.

use std::ops::Range;

use super::ledger::Ledger;
use super::quotes::{find, is_beside};
use super::reader::Reader;
use super::spans::{Board, Slot, takes_words as takes_any};
use super::steer::list_of;
use super::verdict::Drop;
use super::{Scene, kin};
use crate::command::Command;
use crate::proposal::is_sensitive;
use formwright_form::field::Fill;
use formwright_form::kind::{Refusal, Said};
use formwright_form::{Field, Kind, Value};

/// What a proposed value is worth.
pub(super) enum Worth {
    /// With the part of the quote that it stands in.
    Sure(Value, Range<usize>),
    Doubtful(Value),
    Several(Vec<Value>),
    Refused(Refusal),
    None(Drop),
}

/// Whether a model may propose a value for a field: not for what nobody else may see, nor for what words do not fill.
pub(super) fn may_be_proposed(scene: &Scene<'_>, field: &Field) -> bool {
    let widget = field.fill == Fill::Widget || matches!(field.kind, Kind::File(_) | Kind::Location(_));
    !widget && takes_any(field, true) && !is_sensitive(scene.form, field)
}

/// Whether an address or a name in passing may be somebody else's: nobody asked for it or said what it is for.
pub(super) fn may_be_anothers(scene: &Scene<'_>, board: &Board<'_>, slot: &Slot<'_>) -> bool {
    let in_list = list_of(scene, &slot.path).is_some();
    takes_words(&slot.field.kind) && !slot.asked && !in_list && board.mentions_of(slot).next().is_none()
}

/// Whether what code took for a field is somebody else's by the words around it: the person is asked whether it is meant.
pub(super) fn is_anothers(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    ledger: &Ledger,
    command: &Command,
) -> bool {
    let Command::Fill { path, .. } = command else { return false };
    ledger.fills_of(board, path).any(|(filled, slot)| {
        let anothers = !filled.named && may_be_anothers(scene, board, slot) && is_beside(reader, &filled.raw, true);
        anothers && !kin::is_meant(reader, slot, &filled.words)
    })
}

/// Whether a value is the person's own words, rather than what they mean: then every letter must be theirs.
pub(super) fn is_made_of_words(kind: &Kind, value: &Value) -> bool {
    match value {
        Value::Options { other, .. } => other.is_some(),
        Value::Text(_) | Value::Entity { .. } => matches!(kind, Kind::Choice(_)) || takes_words(kind),
        _ => false,
    }
}

/// Whether a field's values are words, or letters and digits of some shape.
pub(super) fn takes_words(kind: &Kind) -> bool {
    matches!(
        kind,
        Kind::Text(_)
            | Kind::LongText(_)
            | Kind::Address(_)
            | Kind::Email(_)
            | Kind::Phone(_)
            | Kind::Url(_)
            | Kind::Pattern(_)
            | Kind::Person(_)
            | Kind::Channel(_)
    )
}

/// Words for a field that takes any: those of the value where they stand in the quote, else the quote. A value that has
/// little in common with its quote is another's.
pub(super) fn words_of(quote: &str, value: &str) -> Worth {
    let (said, meant) = (Said::new(quote), Said::new(value));
    let quoted = |no: &usize| (0..said.words.len()).any(|at| said.word(at) == meant.word(*no));
    let common = (0..meant.words.len()).filter(quoted).count();
    if common * 2 < meant.words.len() {
        return Worth::None(Drop::NoValue);
    }
    let span = find(&said, value).unwrap_or(0..quote.len());
    let words = quote.get(span.clone()).unwrap_or(quote).trim();
    if words.is_empty() {
        return Worth::None(Drop::NoValue);
    }
    Worth::Sure(Value::Text(words.to_owned()), span)
}
