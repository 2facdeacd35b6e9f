//! Several items of a list in one message: "lunch 12 euro and taxi 30 euro".

use std::collections::BTreeSet;
use std::ops::Range;

use super::Scene;
use super::ledger::{Filled, Ledger};
use super::prepare::corrects;
use super::reader::Reader;
use super::score::is_telling;
use super::spans::{Board, Cand, Slot, read};
use super::steer::list_of;
use crate::engine::session::Pending;
use crate::form::kind::{Reading, Strength};
use crate::form::{Kind, Path, Seg};

/// Fills an item for each part of the message that has a value of the list's telling field, where there are several.
pub(super) fn fill(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) {
    let Some((list, keys)) = keys(scene, reader, board, ledger) else { return };
    let Some(parts) = parts(reader, &keys) else { return };
    for (shift, part) in parts.into_iter().enumerate() {
        let shift = u32::try_from(shift).unwrap_or(u32::MAX);
        for (no, slot) in board.slots.iter().enumerate().filter(|(_, slot)| slot.path.is_within(&list)) {
            let best = board
                .cands
                .iter()
                .filter(|cand| fits(cand, ledger, &part) && board.takers(cand).contains(&no))
                .filter(|cand| cand.strength > Strength::Weak)
                .max_by_key(|cand| (cand.strength, cand.words.len()));
            if let Some(cand) = best {
                ledger.claim(cand.words.clone());
                let (value, raw, words) = (cand.value.clone(), cand.raw.clone(), cand.words.clone());
                ledger.fills.push(Filled {
                    slot: no,
                    value,
                    raw,
                    words,
                    sure: true,
                    named: true,
                    shift,
                    replaces: false,
                });
            } else if slot.is_free() {
                text(scene, reader, board, ledger, no, part.clone(), shift);
            }
        }
    }
}

fn fits(cand: &Cand, ledger: &Ledger, part: &Range<usize>) -> bool {
    let inside = part.start <= cand.words.start && cand.words.end <= part.end;
    inside && !cand.negated && !cand.old && ledger.is_free(cand.words.clone())
}

/// The list, and the places of the values that tell its items apart.
fn keys(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    ledger: &Ledger,
) -> Option<(Path, Vec<Range<usize>>)> {
    for (no, slot) in board.slots.iter().enumerate() {
        let telling = is_telling(&slot.field.kind) && !matches!(slot.field.kind, Kind::Date(_) | Kind::Time(_));
        let Some(list) = list_of(scene, &slot.path).filter(|_| telling && is_of_groups(slot)) else { continue };
        let mut keys: Vec<Range<usize>> = Vec::new();
        let whole = 0..reader.said.words.len();
        for cand in board.cands.iter().filter(|cand| fits(cand, ledger, &whole)) {
            let only = board.takers(cand) == [no];
            let apart = keys.last().is_none_or(|last| last.end <= cand.words.start);
            if only && apart && cand.strength > Strength::Weak {
                keys.push(cand.words.clone());
            }
        }
        if keys.len() > 1 {
            return Some((list, keys));
        }
    }
    None
}

fn is_of_groups(slot: &Slot<'_>) -> bool {
    matches!(slot.path.segs().last(), Some(Seg::Field(_)))
}

/// A part of the message for each key, where words or marks that join stand between them.
fn parts(reader: &Reader<'_>, keys: &[Range<usize>]) -> Option<Vec<Range<usize>>> {
    let mut parts = Vec::new();
    let mut start = 0;
    for (no, key) in keys.iter().enumerate() {
        let Some(next) = keys.get(no + 1) else {
            parts.push(start..reader.said.words.len());
            break;
        };
        let joins = |no: &usize| {
            let word = reader.len(|lang| &lang.sentence.join, *no, next.start) > 0;
            word || matches!(reader.said.word(*no), "," | ";" | "+" | "&" | "،")
                || reader.clause_of(*no) != reader.clause_of(key.start)
        };
        let or = (key.end..next.start).any(|no| reader.len(|lang| &lang.sentence.or, no, next.start) > 0);
        let join = (key.end..next.start).find(joins).filter(|_| !or)?;
        parts.push(start..join);
        start = join;
    }
    Some(parts)
}

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
        if let Reading::Value(found) = read(scene, reader, slot, part.clone()) {
            let shift = u32::try_from(shift).unwrap_or(u32::MAX);
            ledger.claim(part);
            let words = reader.words_of(&found.span);
            ledger.fills.push(Filled {
                slot: no,
                value: found.value,
                raw: found.span,
                words,
                sure: true,
                named: true,
                shift,
                replaces: false,
            });
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

/// The list whose next item a message goes on to though something of an item is still asked: "and a lunch for 24 euro"
/// while the receipt of a taxi is. It tells only what the present item has already, and corrects nothing.
pub(super) fn gone_on_to(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>) -> Option<Path> {
    let Pending::Field { path, editing: false } = &scene.draft.pending else { return None };
    let list = list_of(scene, path).filter(|_| matches!(path.segs().last(), Some(Seg::Field(_))))?;
    let whole = 0..reader.said.words.len();
    let clear = |cand: &&Cand| cand.strength > Strength::Weak;
    let answers = |no: usize| board.cands.iter().filter(clear).any(|cand| board.takers(cand).contains(&no));
    let asked = board.asked.and_then(|no| Some((no, board.slots.get(no)?)));
    if corrects(reader, whole.clone()) || asked.is_some_and(|(no, slot)| slot.takes_any_words() || answers(no)) {
        return None;
    }
    let takers = board.cands.iter().filter(clear).flat_map(|cand| board.takers(cand).iter().map(move |no| (*no, cand)));
    let mut told = BTreeSet::new();
    let mut news = false;
    for (no, cand) in takers {
        let Some(slot) = board.slots.get(no).filter(|slot| slot.path.is_within(&list)) else { continue };
        news |= *slot.value? != cand.value;
        told.insert(no);
    }
    let start = reader.past_filler(whole.clone());
    let joins = [whole.start, start].into_iter().any(|no| reader.len(|lang| &lang.sentence.join, no, whole.end) > 0);
    (news && (told.len() > 1 || joins)).then_some(list)
}

/// The words of a part that no value explains, for its text field.
fn text(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    ledger: &mut Ledger,
    no: usize,
    part: Range<usize>,
    shift: u32,
) {
    let Some(slot) = board.slots.get(no) else { return };
    let telling = |no: &usize| !ledger.explains(reader, *no);
    let Some(start) = part.clone().find(telling) else { return };
    let end = (start..part.end)
        .find(|no| ledger.claimed.get(*no).copied().unwrap_or(true) || reader.is_mark(*no))
        .unwrap_or(part.end);
    let end = (start..end).rev().find(telling).map_or(end, |last| last + 1);
    if let Reading::Value(found) = read(scene, reader, slot, start..end) {
        let words = reader.words_of(&found.span);
        ledger.claim(words.clone());
        ledger.fills.push(Filled {
            slot: no,
            value: found.value,
            raw: found.span,
            words,
            sure: true,
            named: true,
            shift,
            replaces: false,
        });
    }
}

/// A slot's path, so many items further on.
pub(super) fn shifted(scene: &Scene<'_>, slot: &Slot<'_>, shift: u32) -> Path {
    let Some(list) = list_of(scene, &slot.path).filter(|_| shift > 0) else { return slot.path.clone() };
    let at = list.segs().len();
    let segs = slot.path.segs().iter().enumerate().map(|(no, seg)| match seg {
        Seg::Item(item) if no == at => Seg::Item(item.saturating_add(shift)),
        seg => seg.clone(),
    });
    Path::from_segs(segs.collect())
}
