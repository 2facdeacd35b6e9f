//! Enumerations: several items of a list of plain values in one message.

use std::ops::Range;

use super::Scene;
use super::items::filled;
use super::ledger::Ledger;
use super::reader::Reader;
use super::spans::{Board, Slot, read};
use super::steer::list_of;
use crate::so_far::Pending;
use formwright_form::kind::Reading;

/// Fills items of a list of words: "a, b and c".
pub(super) fn plain(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    ledger: &mut Ledger,
    no: usize,
    words: &Range<usize>,
) {
    let Some(slot) = board.slots.get(no) else { return };
    for (shift, part) in parted(reader, words).into_iter().enumerate() {
        if let Reading::Value(found) = read(scene, reader, slot, bare(reader, board, part.clone())) {
            let shift = u32::try_from(shift).unwrap_or(u32::MAX);
            ledger.claim(part);
            let words = reader.words_of(&found.span);
            ledger.fills.push(filled(no, found.value, found.span, words, shift));
        }
    }
}

/// A part without what only leads up to it or is polite: "my guest is called Rob", "Rob please".
fn bare(reader: &Reader<'_>, board: &Board<'_>, part: Range<usize>) -> Range<usize> {
    let small = |no: usize| reader.is_idle(no) || board.mentions.iter().any(|mention| mention.words.contains(&no));
    let links = |no: usize| {
        let called = reader.len(|lang| &lang.name.called, no, part.end);
        called.max(reader.len(|lang| &lang.sentence.is, no, part.end))
    };
    let leads = part.clone().take_while(|no| links(*no) > 0 || small(*no));
    let start = leads.filter(|no| links(*no) > 0).last().map_or(part.start, |no| no + links(no));
    let polite = |no: &usize| reader.len(|lang| &lang.sentence.courtesy, *no, part.end) == part.end - no;
    let end = (start + 1..part.end).find(polite).unwrap_or(part.end);
    if start < end { start..end } else { part }
}

/// Fills items of a list of values other than words: "bob@mail.example, ann@mail.example". What is no such value is
/// refused beside the others.
pub(super) fn each(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) {
    let at_hand = |slot: &Slot<'_>| match scene.draft.pending {
        Pending::MoreItems { list } => list_of(scene, &slot.path).as_ref() == Some(list),
        _ => slot.asked,
    };
    let fits = |slot: &Slot<'_>| slot.is_item() && !slot.takes_any_words() && at_hand(slot);
    let Some((no, slot)) = board.slots.iter().enumerate().find(|(_, slot)| fits(slot)) else { return };
    let whole = 0..reader.said.words.len();
    let parts = parted(reader, &whole);
    if parts.len() < 2 || !ledger.is_free(whole) {
        return;
    }
    let readings: Vec<Reading> = parts.iter().map(|part| read(scene, reader, slot, part.clone())).collect();
    let is_clear = |reading: &Reading| matches!(reading, Reading::Value(_) | Reading::Refused(..));
    if !readings.iter().all(is_clear) || !readings.iter().any(|reading| matches!(reading, Reading::Value(_))) {
        return;
    }
    let mut shift = 0;
    for (part, reading) in parts.into_iter().zip(readings) {
        ledger.claim(part);
        match reading {
            Reading::Value(found) => {
                let words = reader.words_of(&found.span);
                ledger.fills.push(filled(no, found.value, found.span, words, shift));
                shift += 1;
            }
            Reading::Refused(span, why) => ledger.refused.push((no, span, why)),
            Reading::Ambiguous(_) | Reading::Nothing => {}
        }
    }
}

/// The parts of an enumeration: "a, b and c".
pub(super) fn parted(reader: &Reader<'_>, words: &Range<usize>) -> Vec<Range<usize>> {
    let breaks = |no: usize| match reader.said.word(no) {
        "," | ";" | "،" | "؛" => 1,
        _ if reader.line_starts(no) => 0,
        _ => reader.len(|lang| &lang.sentence.join, no, words.end),
    };
    let mut parts: Vec<Range<usize>> = Vec::new();
    let mut start = words.start;
    let mut at = words.start;
    while at < words.end {
        let len = breaks(at);
        if len > 0 || (reader.line_starts(at) && at > start) {
            parts.push(start..at);
            start = at + len;
        }
        at += len.max(1);
    }
    parts.push(start..words.end);
    parts.retain(|part| !part.is_empty());
    parts
}
