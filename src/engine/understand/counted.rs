//! What a number counts, by the words right around it: "2 bags", "we are 4", "send 50", "from noon to 1", "4 nights".

use std::ops::Range;

use super::between::counts;
use super::reader::Reader;
use super::score::is_number;
use super::spans::{Board, Cand, Slot};
use crate::form::Kind;
use crate::form::kind::Strength;
use crate::form::language::sentence::Announced;

/// Whether a number is followed by the name of another field for numbers, and not by that of its own: the 2 of "2 bags".
pub(super) fn counts_other(board: &Board<'_>, slot: &Slot<'_>, cand: &Cand) -> bool {
    const ENOUGH: f32 = 0.7;
    let number = |no: usize| board.slots.get(no).is_some_and(|slot| is_number(&slot.field.kind));
    let named = |own: bool| {
        board.mentions.iter().any(|mention| {
            let here = mention.words.start == cand.words.end && mention.weight >= ENOUGH;
            here && (mention.field == slot.field.no) == own && board.slot_of(mention.field).is_some_and(number)
        })
    };
    named(false) && !counts(board, slot, cand)
}

/// Whether a number is what somebody sends or pays: "send 50 to Ann", "pay Ann 50".
pub(super) fn is_remitted(reader: &Reader<'_>, words: &Range<usize>) -> bool {
    const REACH: usize = 4;
    let clause = reader.clauses.get(reader.clause_of(words.start)).map_or(0..0, |clause| clause.words.clone());
    let sends = |no: usize| {
        let len = reader.len(|lang| &lang.naming.remits, no, words.start);
        len > 0 && (no + len..words.start).all(|no| reader.is_idle(no) || reader.is_capital(no))
    };
    let to = reader.len(|lang| &lang.naming.whom, words.end, clause.end) > 0;
    let alone = words.end >= clause.end || to || reader.is_idle(words.end);
    alone && (words.start.saturating_sub(REACH).max(clause.start)..words.start).any(sends)
}

/// Whether a number is that of all who come: "we are 4", "4 people".
pub(super) fn is_of_all(reader: &Reader<'_>, cand: &Cand) -> bool {
    const REACH: usize = 3;
    let Range { start, end } = cand.words.clone();
    let are = (start.saturating_sub(REACH)..start).any(|no| {
        let len = reader.len(|lang| &lang.number.people_before, no, start);
        len > 0 && no + len == start
    });
    are || reader.len(|lang| &lang.naming.everybody, end, reader.clause_end(start)) > 0
}

/// Whether a number ends a stretch that begins with a time: the 1 of "from noon to 1".
pub(super) fn ends_hours(reader: &Reader<'_>, board: &Board<'_>, cand: &Cand) -> bool {
    let time = |other: &&Cand| {
        let between = other.words.end..cand.words.start;
        let to = reader.len(|lang| &lang.sentence.second, between.start, between.end);
        let dash = between.len() == 1 && matches!(reader.said.word(between.start), "-" | "–");
        let joined = !between.is_empty() && (to == between.len() || dash);
        joined && other.strength > Strength::Weak && matches!(board.kind_of(other), Some(Kind::Time(_)))
    };
    let counted = reader.len(|lang| &lang.number.people, cand.words.end, reader.clause_end(cand.words.start)) > 0;
    !counted && board.cands.iter().any(|other| time(&other))
}

/// Whether a number counts something that is no field's business: "terminal 4", "4 nights".
pub(super) fn is_of_something_else(reader: &Reader<'_>, board: &Board<'_>, cand: &Cand, look_back: bool) -> bool {
    let clause = reader.clauses.get(reader.clause_of(cand.words.start));
    let (start, end) = clause.map_or((0, 0), |clause| (clause.words.start, clause.words.end));
    let within = |no: usize| {
        board.cands.iter().find(|other| {
            other.words.contains(&no) && !other.words.contains(&cand.words.start) && other.strength > Strength::Weak
        })
    };
    let mut next = cand.words.end;
    while let Some(other) = within(next).filter(|_| next < end) {
        next = other.words.end;
    }
    let known = |no: usize| {
        reader.is_idle(no) || board.mentions.iter().any(|mention| mention.words.contains(&no)) || reader.is_digits(no)
    };
    if next < end && !known(next) {
        return true;
    }
    let alone = next >= end || reader.is_idle(next);
    let Some(before) = cand.words.start.checked_sub(1).filter(|no| *no >= start && look_back) else { return false };
    let compared = (before.saturating_sub(1)..=before).any(|no| {
        let len = reader.len(|lang| &lang.sentence.compare, no, cand.words.start);
        len > 0 && no + len == cand.words.start
    });
    if compared {
        return true;
    }
    let time = |what| reader.announces(what, before, cand.words.start) > 0;
    alone
        && next == cand.words.end
        && (!known(before) && within(before).is_none() || time(Announced::Time) || time(Announced::Date))
}
