//! What the small words of a sentence make of its values: turned round, or replaced by a later one.

use std::ops::Range;

use super::quotes::is_bounded;
use super::reader::Reader;
use super::score::Tide;
use super::spans::{Board, Cand};
use super::turns::roles;
use super::{either, elsewhere, guard, scales};
use crate::so_far::Pending;
use formwright_form::kind::Strength;
use formwright_form::{Kind, Value};
use formwright_lexicon::{Language, Phrases};

/// Marks values that are not meant, and gathers what the message does to the others. `refused` tells that control words
/// before refuse or cancel something.
pub(super) fn prepare(reader: &Reader<'_>, board: &mut Board<'_>, pending: &Pending, refused: bool) -> Tide {
    let mut cands = std::mem::take(&mut board.cands);
    for no in 0..cands.len() {
        let kind = cands.get(no).and_then(|cand| board.kind_of(cand));
        let (Some(kind), Some(cand)) = (kind, cands.get_mut(no)) else { continue };
        cand.negated = is_negated(reader, kind, cand)
            || is_now_of_a_sentence(reader, cand)
            || is_part(reader, kind, cand)
            || elsewhere::is_unsuitable(reader, &cand.words)
            || scales::is_of_a_part(reader, &cand.words);
    }
    either::leave_open(reader, &mut cands);
    either::open_before(reader, &mut cands);
    replace(reader, board, &mut cands);
    let gives_way = |clause: usize| {
        cands.iter().any(|cand| (cand.negated || cand.old) && reader.clause_of(cand.words.start) == clause)
    };
    let correcting = reader.clauses.iter().enumerate();
    let correcting = correcting.map(|(no, clause)| refused || gives_way(no) || corrects(reader, clause.words.clone()));
    let mut correcting: Vec<bool> = correcting.collect();
    // "On second thought, a table for one": what only turns round turns the rest of its sentence.
    for no in 1..reader.clauses.len() {
        let before = &reader.clauses[no - 1];
        let later = correcting[no..].contains(&true);
        let turns = correcting[no - 1] && !later && !before.stop && before.words.clone().all(|no| reader.is_idle(no));
        correcting[no] |= turns;
    }
    let roles = roles(reader, board, &cands);
    let whole = whole(reader, board, &cands);
    board.cands = cands;
    let reviewing = matches!(
        pending,
        Pending::Review | Pending::PageReview { .. } | Pending::WhatToChange | Pending::MoreItems { .. }
    );
    Tide { correcting, reviewing, roles, whole }
}

/// The values whose words are the whole message: one in the words of an option, else the only one that resembles
/// something, else several of the same field.
fn whole(reader: &Reader<'_>, board: &Board<'_>, cands: &[Cand]) -> Vec<usize> {
    let covered = |of: &[usize]| {
        let within = |no: usize| of.iter().filter_map(|of| cands.get(*of)).any(|cand| cand.words.contains(&no));
        !of.is_empty() && (0..reader.said.words.len()).all(|no| reader.is_idle(no) || within(no))
    };
    let exact = |no: &usize| cands.get(*no).is_some_and(|cand| cand.strength == Strength::Exact);
    if let Some(one) = (0..cands.len()).filter(exact).find(|no| covered(&[*no])) {
        return vec![one];
    }
    let mut alone = (0..cands.len()).filter(|no| covered(&[*no]));
    if let (Some(one), None) = (alone.next(), alone.next()) {
        return vec![one];
    }
    let options = |no: &usize| {
        let kind = cands.get(*no).and_then(|cand| board.kind_of(cand));
        exact(no) && matches!(kind, Some(Kind::Choice(_)))
    };
    let first = (0..cands.len()).find(options).and_then(|no| cands.get(no));
    let alike = |no: &usize| cands.get(*no).zip(first).is_some_and(|(cand, first)| cand.alike == first.alike);
    let several: Vec<usize> = (0..cands.len()).filter(options).filter(alike).collect();
    if covered(&several) { several } else { Vec::new() }
}

/// Whether a clause corrects something said before.
pub(super) fn corrects(reader: &Reader<'_>, words: Range<usize>) -> bool {
    words.clone().any(|no| marks_correction(reader, no, words.end) || takes_back(reader, no, words.end))
        || reader.begins(|lang| &lang.control.edit, words.clone())
        || makes(reader, words.clone())
}

/// Whether a clause says what something is to be: "make lunch 18".
fn makes(reader: &Reader<'_>, words: Range<usize>) -> bool {
    [words.start, reader.past_filler(words.clone())].into_iter().any(|no| {
        let len = reader.len(|lang| &lang.sentence.make, no, words.end);
        len > 0 && no + len < words.end
    })
}

/// Whether "instead of" starts at a word; "not" alone takes nothing back.
fn takes_back(reader: &Reader<'_>, no: usize, end: usize) -> bool {
    let instead = reader.len(|lang| &lang.sentence.instead, no, end);
    instead > 0 && instead > reader.len(|lang| &lang.yes_no.negation, no, end)
}

/// Whether a phrase that takes something back starts at a word; words that only join clauses do not count.
pub(super) fn marks_correction(reader: &Reader<'_>, no: usize, end: usize) -> bool {
    let correct = reader.len(|lang| &lang.sentence.correct, no, end);
    // "Sorry to bother you" takes nothing back, and "tulips instead of roses" not the tulips.
    correct > 0
        && correct > reader.len(|lang| &lang.sentence.join, no, end)
        && correct >= reader.len(|lang| &lang.sentence.instead, no, end)
        && correct >= reader.len(|lang| &lang.sentence.courtesy, no, end)
        // "Three should be enough."
        && correct >= reader.len(|lang| &lang.naming.pleases, no, end)
}

/// Whether a word begins to put right what was said before, "no" among them.
pub(super) fn begins_correction(reader: &Reader<'_>, no: usize, end: usize) -> bool {
    marks_correction(reader, no, end) || reader.len(|lang| &lang.yes_no.no, no, end) > 0
}

/// Whether words say nothing but that something is put right.
pub(super) fn only_corrects(reader: &Reader<'_>, mut words: Range<usize>) -> bool {
    let end = words.end;
    words.all(|no| reader.is_idle(no) || reader.len(|lang| &lang.sentence.correct, no, end) > 0)
}

/// Whether a moment is the "now" that only tells what is so other than before: "now it's a bird".
fn is_now_of_a_sentence(reader: &Reader<'_>, cand: &Cand) -> bool {
    let moment = matches!(cand.value, Value::Date(_) | Value::DateTime(_) | Value::Time(_));
    let Range { start, end } = cand.words.clone();
    moment && reader.len(|lang| &lang.denial.now, start, reader.said.words.len()) > end - start
}

/// Whether digits are part of a number rather than one: "the number ends in 8, not 7".
fn is_part(reader: &Reader<'_>, kind: &Kind, cand: &Cand) -> bool {
    let number = matches!(kind, Kind::Integer(_) | Kind::Number(_) | Kind::Rating(_) | Kind::Money(_) | Kind::Time(_));
    let start = reader.clause_start(cand.words.start);
    number && (start..cand.words.start).any(|no| reader.len(|lang| &lang.sentence.part, no, cand.words.start) > 0)
}

fn is_negated(reader: &Reader<'_>, kind: &Kind, cand: &Cand) -> bool {
    if matches!(kind, Kind::YesNo(_)) {
        return false;
    }
    let start = reader.clause_start(cand.words.start);
    let option = matches!(kind, Kind::Choice(_) | Kind::Choices(_));
    if is_denied_behind(reader, &cand.words) {
        return true;
    }
    let from = cand.words.start.saturating_sub(4).max(start);
    (from..cand.words.start).any(|no| {
        let negation = reader.len(|lang| &lang.yes_no.negation, no, cand.words.start);
        if negation == 0 || reader.changes(no, cand.words.start) > 0 {
            return false;
        }
        if is_bounded(reader, no..cand.words.start) {
            return false;
        }
        let adjacent = no + negation == cand.words.start;
        let plain = reader.len(|lang| &lang.yes_no.no, no, cand.words.start) >= negation;
        let verb = reader.is_verbal_negation(no, cand.words.start);
        let reach = no + negation..cand.words.start;
        let broken = reach.clone().any(|no| {
            !reader.is_idle(no)
                || marks_correction(reader, no, cand.words.start)
                || reader.len(|lang| &lang.sentence.join, no, cand.words.start) > 0
                || reader.len(|lang| &lang.denial.but, no, cand.words.start) > 0
        });
        let denies = denies(reader, no, cand.words.start, adjacent);
        if plain && !verb && !denies {
            option && (adjacent || guard::is_of_denied_noun(reader, &cand.words))
        } else {
            !broken
        }
    })
}

/// Whether a value is denied right behind it: "lunedì no, martedì", "Montag kann ich nicht".
fn is_denied_behind(reader: &Reader<'_>, words: &Range<usize>) -> bool {
    let end = reader.clause_end(words.start);
    let Some(last) = end.checked_sub(1).filter(|last| *last >= words.end) else { return false };
    let denies = |no: &usize| {
        let len = reader.len(|lang| &lang.denial.after, *no, end);
        len > 0 && no + len == last + 1
    };
    let from = (words.end..end).find(denies);
    from.is_some_and(|from| (words.end..from).all(|no| reader.is_idle(no)))
}

/// Whether a word that can be an answer by itself denies what follows it: "keine vier", and before a verb "no somos".
fn denies(reader: &Reader<'_>, no: usize, end: usize, adjacent: bool) -> bool {
    let len = |table: fn(&Language) -> &Phrases<()>| reader.len(table, no, end);
    let before = len(|lang| &lang.denial.before);
    let means_it = before > 0 && len(|lang| &lang.denial.none) <= before;
    let verbal = !adjacent && len(|lang| &lang.denial.verbal) > 0;
    means_it && (len(|lang| &lang.yes_no.firm) == 0 || verbal)
}

/// Values that a later one replaces: "3, sorry, 4", "3 instead of 2", "change 2 to 3".
fn replace(reader: &Reader<'_>, board: &Board<'_>, cands: &mut [Cand]) {
    const FAR: usize = 8;
    const FARTHEST: usize = 14;
    for first in 0..cands.len() {
        for second in first + 1..cands.len() {
            let (Some(one), Some(two)) = (cands.get(first), cands.get(second)) else { continue };
            // What was denied is replaced by nothing: "venerdì non posso, sabato".
            if one.negated || two.negated || one.alike != two.alike || two.words.start < one.words.end {
                continue;
            }
            // "Make it 3. Make it at half past 10": what is part of another value takes no one's place.
            let part = |other: &Cand| {
                let around = other.words.start <= two.words.start && two.words.end <= other.words.end;
                around
                    && other.words.len() > two.words.len()
                    && other.alike != two.alike
                    && other.strength > Strength::Weak
            };
            if two.strength == Strength::Weak && cands.iter().any(part) {
                continue;
            }
            let between = one.words.end..two.words.start;
            // "We land at 2 pm, so 3 pm", "6 people, no wait my brother is coming too so 7".
            let hence = || {
                let so = |no: &usize| reader.len(|lang| &lang.sentence.leads_to, *no, between.end) > 0;
                between.clone().find(so).is_some_and(|no| (no..between.end).all(|no| reader.is_idle(no)))
            };
            if between.len() > FARTHEST || between.len() > FAR && !hence() {
                continue;
            }
            // "8 no, 9", "8, no, 9": what stands before a comma takes back what was said before it.
            let denies = |no: usize| {
                let len = reader.len(|lang| &lang.sentence.instead, no, between.end);
                let answers = len > 0 && reader.len(|lang| &lang.sentence.correct, no, between.end) >= len;
                len > 0 && !(answers && (no + len..between.end).any(|no| reader.is_mark(no)))
            };
            let instead = between.clone().any(denies);
            let taken_back = between.clone().any(|no| marks_correction(reader, no, between.end));
            let present = board
                .takers(one)
                .iter()
                .filter_map(|slot| board.slots.get(*slot))
                .any(|slot| slot.value == Some(&one.value));
            let ought =
                present && between.clone().any(|no| reader.len(|lang| &lang.sentence.ought, no, between.end) > 0);
            let into = present
                && between
                    .clone()
                    .any(|no| reader.len(|lang| &lang.sentence.into, no, between.end) == between.end - no);
            // "Jane's party is on Friday, ours is on Saturday", "the table seats 8 but we are only 6".
            let own = || {
                let own = |no: usize| reader.len(|lang| &lang.denial.own, no, between.end);
                between.clone().any(|no| own(no) > 0 && (no + own(no)..between.end).all(|no| reader.is_idle(no)))
            };
            // "It was 300 last year but now 400."
            let now = || between.clone().any(|no| reader.len(|lang| &lang.denial.now, no, between.end) > 1);
            // "Move it from Tuesday to Thursday."
            let moves = || {
                let from = one.words.start.saturating_sub(1);
                let clause = reader.clause_start(from);
                let to = reader.len(|lang| &lang.sentence.second, between.start, between.end);
                let first = reader.len(|lang| &lang.sentence.first, from, one.words.start);
                let moved = |no: usize| reader.len(|lang| &lang.sentence.moves, no, from) > 0;
                to > 0 && to == between.len() && first == 1 && (clause..from).any(moved)
            };
            if instead {
                if let Some(two) = cands.get_mut(second) {
                    two.negated = true;
                }
            } else if (taken_back || ought || into || hence() || own() || now() || moves())
                && let Some(one) = cands.get_mut(first)
            {
                one.old = true;
            }
        }
    }
}
