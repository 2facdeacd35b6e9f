//! Corrections of other answers while words are asked: "sorry, make it until the 16th", "not Paolo, Pietro".

use super::Scene;
use super::asked::covers;
use super::ledger::{Ledger, shown};
use super::prepare::corrects;
use super::reader::Reader;
use super::spans::{Board, read};
use crate::form::Kind;
use crate::form::kind::text::Subtype;
use crate::form::kind::{Reading, Said, Strength};

/// Reads a correction of an answer given before, where that is all a message says: "sorry, make it until the 16th".
pub(super) fn corrected(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) -> bool {
    const MOST_WORDS: usize = 12;
    let all = 0..reader.said.words.len();
    if all.len() > MOST_WORDS || !ledger.fills.is_empty() || !corrects(reader, all.clone()) {
        return false;
    }
    let start = all.clone().find(|no| {
        let correct = reader.len(|lang| &lang.sentence.correct, *no, all.end);
        correct == 0 && !reader.is_mark(*no) && reader.filler(*no, all.end) == 0
    });
    let words = start.unwrap_or(0)..all.end;
    let mut hits = Vec::new();
    for (no, slot) in board.slots.iter().enumerate() {
        let changeable = !slot.asked && slot.value.is_some() && !slot.takes_any_words();
        if !changeable || matches!(slot.field.kind, Kind::YesNo(_)) {
            continue;
        }
        for part in [all.clone(), words.clone()] {
            if let Reading::Value(found) = read(scene, reader, slot, part)
                && found.strength > Strength::Weak
                && covers(reader, &reader.words_of(&found.span), all.clone())
            {
                hits.push((no, found));
                break;
            }
        }
    }
    match (hits.pop(), hits.is_empty()) {
        (Some((no, found)), true) => ledger.fill(reader, no, found, true),
        _ => false,
    }
}

/// Reads another name in the place of one given before: "not Paolo, Pietro".
pub(super) fn renamed(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) -> bool {
    let Some(last) = reader.clauses.last().map(|clause| clause.words.clone()) else { return false };
    for (no, slot) in board.slots.iter().enumerate() {
        let person = slot.subtype() == Some(Subtype::Person) || matches!(slot.field.kind, Kind::Person(_));
        let Some(value) = slot.value.filter(|_| person) else { continue };
        let held = Said::new(&shown(scene, slot, value));
        let same = |at: usize| (0..held.words.len()).any(|no| held.plain(no) == reader.said.plain(at));
        let gives_way = (0..last.start).any(|at| {
            let before = at.saturating_sub(2)..at;
            same(at) && before.clone().any(|no| reader.len(|lang| &lang.yes_no.negation, no, at) > 0)
        });
        if !gives_way || ledger.has(no) {
            continue;
        }
        if let Reading::Value(found) = read(scene, reader, slot, last.clone())
            && ledger.fill(reader, no, found, true)
        {
            ledger.claim(0..reader.said.words.len());
            return true;
        }
    }
    false
}
