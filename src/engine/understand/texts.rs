//! Words of a sentence that fill a text field: after its name ("address: …", "my address is …"), after an author's cue
//! ("deliver to …"), or after words that announce what the text names ("my name is …").

use std::ops::Range;

use super::ledger::Ledger;
use super::prepare::{corrects, role_before};
use super::reader::Reader;
use super::score::{Tide, is_telling};
use super::spans::{Board, Slot, read};
use super::{Scene, steer};
use crate::form::Kind;
use crate::form::cues::{Mention, Role};
use crate::form::kind::text::Subtype;
use crate::form::kind::{Reading, Strength, numeral};
use crate::form::language::sentence::Announced;

/// What makes the words after a name its value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Link {
    /// "address: …".
    Colon,
    /// "the address is …", "change the address to …".
    Verb,
    /// The name or cue itself: "deliver to …".
    Bare,
}

/// Fills fields that are named with a value after the name.
pub(super) fn named(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) {
    let mut mentions: Vec<&Mention> =
        board.mentions.iter().filter(|mention| board.slot_of(mention.field).is_some()).collect();
    mentions.sort_by_key(|mention| (mention.words.start, std::cmp::Reverse(mention.words.end)));
    for mention in &mentions {
        if !ledger.is_free(mention.words.clone()) {
            continue;
        }
        let Some(no) = board.slot_of(mention.field).filter(|no| !ledger.has(*no)) else { continue };
        let Some(slot) = board.slots.get(no) else { continue };
        let same = |other: &&&Mention| {
            let unit = other.unit && !mention.unit;
            other.words == mention.words && other.field != mention.field && other.weight >= mention.weight && !unit
        };
        if mentions.iter().any(|other| same(&other)) && !slot.asked {
            continue;
        }
        let Some((link, start)) = link(reader, slot, mention) else { continue };
        let end = region_end(reader, board, slot, start, link == Link::Colon);
        let region = trim(reader, start..end);
        // "Minus three" is a number.
        let number = || numeral::at(reader.said, region.start, scene.lang, scene.region).is_some();
        let turned = reader.is_negation(region.start, region.end) && !number();
        if region.is_empty() || !ledger.is_free(region.clone()) || turned {
            continue;
        }
        let reading = read(scene, reader, slot, region.clone());
        // A preposition alone announces little: what follows has to look like such a value.
        let faint = link == Link::Bare && mention.words.clone().all(|no| reader.is_idle(no));
        let looks = !reader.is_idle(region.start) && slot.subtype().is_none();
        if (link == Link::Bare && !matches!(reading, Reading::Value(_))) || (faint && !looks) {
            continue;
        }
        let filled = matches!(reading, Reading::Value(_));
        if ledger.note(scene, reader, board, no, reading) {
            ledger.claim(mention.words.start..region.start);
            if filled {
                ledger.last_was_named();
            }
            if link == Link::Verb {
                claim_verb(reader, ledger, mention.words.start);
            }
        }
    }
}

/// "Change" in "change the address to …" is understood with it.
fn claim_verb(reader: &Reader<'_>, ledger: &mut Ledger, name: usize) {
    let start = reader.clauses.get(reader.clause_of(name)).map_or(name, |clause| clause.words.start);
    for no in [start, reader.past_filler(start..name)] {
        let len = reader.len(|lang| &lang.control.edit, no, name);
        ledger.claim(no..no + len);
    }
}

/// Where the value of a mention starts, and what links the two.
fn link(reader: &Reader<'_>, slot: &Slot<'_>, mention: &Mention) -> Option<(Link, usize)> {
    let clause = reader.clauses.get(reader.clause_of(mention.words.start))?;
    let end = clause.words.end;
    let after = mention.words.end;
    let takes_words = slot.is_free() || slot.subtype().is_some() || matches!(slot.field.kind, Kind::Person(_));
    // One of several words of a text's name is too little to take what follows as the text.
    if takes_words && !slot.asked && mention.weight < 0.75 && reader.said.word(after) != ":" {
        return None;
    }
    for at in [after, after + 1] {
        if at >= end || (at > after && (!reader.is_idle(after) || reader.is_mark(after))) {
            break;
        }
        if matches!(reader.said.word(at), ":" | "=") && at + 1 < end {
            return Some((Link::Colon, at + 1));
        }
        let is = reader.len(|lang| &lang.sentence.is, at, end);
        // Italian "e" is "and" and, without its accent, "is" as well: after what is counted it joins.
        let joins = reader.len(|lang| &lang.sentence.join, at, end) >= is && mention.unit;
        if is > 0 && !joins && at + is < end {
            return Some((Link::Verb, at + is));
        }
        let into = reader.len(|lang| &lang.sentence.into, at, end);
        if into > 0 && at + into < end && corrects(reader, clause.words.start..mention.words.start) {
            return Some((Link::Verb, at + into));
        }
    }
    // "The time 21": a number by itself, which no time is elsewhere.
    let number = reader.is_digits(after) && (after + 1..end).all(|no| reader.is_mark(no));
    if number && matches!(slot.field.kind, Kind::Time(_)) && mention.weight >= 0.4 {
        return Some((Link::Bare, after));
    }
    let first = (clause.words.start..mention.words.start).all(|no| reader.is_idle(no));
    let follows = after < end && !reader.is_mark(after);
    let cue = mention.cue && follows && takes_words;
    // "The product broke down" tells of the product and names none.
    let told = reader.len(|lang| &lang.sentence.verb, after, end) > 0;
    let bare = follows && takes_words && first && mention.weight >= 1.0 && !reader.is_idle(after) && !slot.is_long();
    (cue || bare && !told).then_some((Link::Bare, after))
}

/// Fills places from the prepositions before them. Names of people and addresses announce themselves to their parsers.
pub(super) fn announced(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger, tide: &Tide) {
    let is_place = |slot: &Slot<'_>| slot.subtype() == Some(Subtype::Place);
    for (no, slot) in board.slots.iter().enumerate() {
        if !is_place(slot) || ledger.has(no) {
            continue;
        }
        let open = board.slots.iter().enumerate().filter(|(other, like)| {
            is_place(like) && (*other == no || !ledger.has(*other)) && (like.value.is_none() || like.asked)
        });
        let alone = open.count() <= 1;
        for at in 0..reader.said.words.len() {
            let clause = reader.clause_of(at);
            let end = reader.clauses.get(clause).map_or(0, |clause| clause.words.end);
            let len = reader.announces(Announced::Place, at, end);
            let correcting = tide.correcting.get(clause).copied().unwrap_or(false) || tide.reviewing;
            let may = slot.value.is_none() || slot.asked || correcting;
            if len == 0 || !may || !ledger.is_free(at..at + len) {
                continue;
            }
            let start = at + len;
            let fits = match (role_before(reader, start), slot.role) {
                (Some(said), Some(own)) => said == own,
                _ => alone || slot.asked,
            };
            // "To" goes before verbs as well.
            let verb = role_before(reader, start) == Some(Role::Second) && slot.role.is_none() && len == 1;
            let region =
                name(reader, board, start, end, len > 1, verb).filter(|region| fits && ledger.is_free(region.clone()));
            let Some(region) = region else { continue };
            if let Reading::Value(found) = read(scene, reader, slot, region.clone())
                && ledger.fill(reader, no, found, len > 1)
            {
                ledger.claim(at..region.end);
                ledger.last_was_named();
                break;
            }
        }
    }
}

/// The words of a name or place from a word on: capitals where the message has them, a few telling words where not.
fn name(
    reader: &Reader<'_>,
    board: &Board<'_>,
    start: usize,
    end: usize,
    certain: bool,
    only_capitals: bool,
) -> Option<Range<usize>> {
    let count = reader.said.words.len();
    let capitals = (1..count).any(|no| reader.is_capital(no) && !reader.is_idle(no));
    let fits = |no: usize| {
        let letters = !reader.is_mark(no) && !reader.is_digits(no);
        let taken = board.cands.iter().any(|cand| {
            cand.words.contains(&no) && cand.strength > Strength::Weak && board.kind_of(cand).is_some_and(is_telling)
        });
        letters && !taken && if capitals { reader.is_capital(no) } else { !reader.is_idle(no) }
    };
    let stop = (start..end).find(|no| !fits(*no)).unwrap_or(end);
    let words = start..stop.min(start + 4);
    let ends_there = stop == end || reader.is_idle(stop);
    let takes = capitals || (!only_capitals && ends_there && words.len() <= if certain { 3 } else { 2 });
    (!words.is_empty() && takes).then(|| with_region(reader, words, end, capitals))
}

/// A place with the region or country after its comma: "Sacramento, CA".
fn with_region(reader: &Reader<'_>, words: Range<usize>, end: usize, capitals: bool) -> Range<usize> {
    let next = reader.clauses.get(reader.clause_of(words.start) + 1).map(|clause| clause.words.clone());
    let Some(next) = next.filter(|_| words.end == end && reader.said.word(end) == ",") else { return words };
    let stop = next.clone().find(|no| reader.is_idle(*no) || reader.is_digits(*no)).unwrap_or(next.end);
    let fits = match stop - next.start {
        1 | 2 if capitals => (next.start..stop).all(|no| reader.is_capital(no)),
        1 => next.len() == 1,
        _ => false,
    };
    if fits { words.start..stop } else { words }
}

/// Where the words of a value end that start at a word: before what is said of other fields.
pub(super) fn region_end(reader: &Reader<'_>, board: &Board<'_>, slot: &Slot<'_>, start: usize, colon: bool) -> usize {
    let mut no = reader.clause_of(start);
    let mut end = start;
    loop {
        let Some(clause) = reader.clauses.get(no) else { return end };
        let from = start.max(clause.words.start);
        let cut = cut(reader, board, slot, from, clause.words.end, colon);
        if cut < clause.words.end {
            return if cut == clause.words.start { end } else { cut };
        }
        end = clause.words.end;
        let Some(next) = reader.clauses.get(no + 1) else { return end };
        let words = slot.is_free() || slot.subtype().is_some();
        let on = words && if colon { !clause.line } else { !clause.stop };
        if !on || speaks_of_another(reader, board, slot, next.words.clone(), colon) {
            return end;
        }
        no += 1;
    }
}

fn speaks_of_another(
    reader: &Reader<'_>,
    board: &Board<'_>,
    slot: &Slot<'_>,
    words: Range<usize>,
    colon: bool,
) -> bool {
    let question = reader.clauses.get(reader.clause_of(words.start)).is_some_and(|clause| clause.question);
    let other = |mention: &Mention| {
        mention.field != slot.field.no
            && mention.weight >= 1.0
            && words.start <= mention.words.start
            && mention.words.end <= words.end
    };
    let value = !slot.is_long()
        && board.cands.iter().any(|cand| {
            words.start <= cand.words.start
                && cand.words.end <= words.end
                && cand.strength > Strength::Weak
                && board.kind_of(cand).is_some_and(is_telling)
                && !board.takers(cand).iter().filter_map(|no| board.slots.get(*no)).any(|taker| taker.is_like(slot))
        });
    let own_sentence = !colon && !slot.is_long() && (words.len() > 4 || words.clone().all(|no| reader.is_idle(no)));
    board.mentions.iter().any(other)
        || value
        || own_sentence
        || (question && !colon)
        || steer::wishes(reader, words).is_some()
}

/// Where inside a clause something else begins.
fn cut(reader: &Reader<'_>, board: &Board<'_>, slot: &Slot<'_>, from: usize, end: usize, colon: bool) -> usize {
    let names_other = |no: usize| {
        board.mentions.iter().any(|mention| {
            // A code is one word or few: the name of another field ends it.
            let linked = slot.subtype() == Some(Subtype::Code)
                || matches!(reader.said.word(mention.words.end), ":" | "=")
                || reader.len(|lang| &lang.sentence.is, mention.words.end, end) > 0;
            mention.words.start == no
                && mention.words.end <= end
                && mention.field != slot.field.no
                && mention.weight >= 1.0
                && linked
        })
    };
    let value = |cand: &&super::spans::Cand| {
        let own = board.takers(cand).iter().filter_map(|no| board.slots.get(*no)).any(|taker| taker.is_like(slot));
        !own && cand.strength > Strength::Weak
    };
    for no in from + 1..end {
        if names_other(no) {
            return back(reader, from, no);
        }
        if slot.is_long() || colon {
            continue;
        }
        if board.cands.iter().filter(value).any(|cand| {
            cand.words.start == no
                && board
                    .kind_of(cand)
                    .is_some_and(|kind| is_telling(kind) && !matches!(kind, Kind::Choice(_) | Kind::Choices(_)))
        }) {
            return back(reader, from, no);
        }
        let join = reader.len(|lang| &lang.sentence.join, no, end);
        if join > 0 {
            let rest = no + join..end;
            let values = board
                .cands
                .iter()
                .filter(value)
                .any(|cand| rest.start <= cand.words.start && cand.words.end <= rest.end);
            let named =
                board.mentions.iter().any(|mention| mention.weight >= 1.0 && rest.contains(&mention.words.start));
            if values || named {
                return no;
            }
        }
    }
    end
}

/// The end of the meaningful words before a word.
fn back(reader: &Reader<'_>, from: usize, no: usize) -> usize {
    (from..no).rev().find(|no| !reader.is_idle(*no)).map_or(from, |last| last + 1)
}

/// A range without marks around it.
pub(super) fn trim(reader: &Reader<'_>, words: Range<usize>) -> Range<usize> {
    let Range { mut start, mut end } = words;
    let closing = |no: usize| {
        reader.is_mark(no)
            && !numeral::is_sign(reader.said, no)
            && !matches!(reader.said.word(no), "+" | "#" | "@" | "€" | "$" | "£" | "(" | ")" | "%" | "\"")
    };
    while start < end && closing(start) {
        start += 1;
    }
    while start < end && closing(end - 1) {
        end -= 1;
    }
    start..end
}

/// A range without the marks that separate it from what stands around it; quotes, brackets and full stops stay.
pub(super) fn trim_ends(reader: &Reader<'_>, words: Range<usize>) -> Range<usize> {
    let Range { mut start, mut end } = words;
    let parts = |no: usize| {
        matches!(reader.said.word(no), "," | ";" | ":" | "-" | "،" | "؛") && !numeral::is_sign(reader.said, no)
    };
    while start < end && parts(start) {
        start += 1;
    }
    while start < end && parts(end - 1) {
        end -= 1;
    }
    start..end
}

/// A range without the joining words at its ends: "and", "with".
pub(super) fn without_small_words(reader: &Reader<'_>, words: Range<usize>) -> Range<usize> {
    let Range { mut start, mut end } = words;
    let small = |no: usize, end: usize| reader.is_mark(no) || reader.len(|lang| &lang.sentence.join, no, end) > 0;
    while start < end && small(start, end) {
        start += 1;
    }
    while start < end && reader.is_idle(end - 1) && !reader.is_of_form(end - 1) {
        end -= 1;
    }
    start..end
}
