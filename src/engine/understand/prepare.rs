//! What the small words of a sentence make of its values: turned round, replaced by a later one, first or second of two.

use std::ops::Range;

use super::reader::Reader;
use super::score::Tide;
use super::spans::{Board, Cand};
use super::{casts, either, elsewhere, guard, scales};
use crate::engine::session::Pending;
use crate::form::cues::{Ends, Role};
use crate::form::kind::Strength;
use crate::form::language::sentence::Turn;
use crate::form::language::{Language, Phrases};
use crate::form::{Kind, Value};

/// A list of phrases of a language.
type Table = fn(&Language) -> &Phrases<()>;

/// How many words before a value may say which of two it is.
const REACH: usize = 4;

/// Marks values that are not meant, and gathers what the message does to the others. `refused` tells that control words
/// before refuse or cancel something.
pub(super) fn prepare(reader: &Reader<'_>, board: &mut Board<'_>, pending: &Pending, refused: bool) -> Tide {
    let mut cands = std::mem::take(&mut board.cands);
    for no in 0..cands.len() {
        let kind = cands.get(no).and_then(|cand| board.kind_of(cand));
        let (Some(kind), Some(cand)) = (kind, cands.get_mut(no)) else { continue };
        cand.negated = is_negated(reader, kind, cand)
            || is_part(reader, kind, cand)
            || elsewhere::is_unsuitable(reader, &cand.words)
            || scales::is_of_a_part(reader, &cand.words);
    }
    either::leave_open(reader, &mut cands);
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
    instead > reader.len(|lang| &lang.yes_no.negation, no, end)
}

/// Whether a phrase that takes something back starts at a word; words that only join clauses do not count.
pub(super) fn marks_correction(reader: &Reader<'_>, no: usize, end: usize) -> bool {
    let correct = reader.len(|lang| &lang.sentence.correct, no, end);
    // "Sorry to bother you" takes nothing back.
    correct > reader.len(|lang| &lang.sentence.join, no, end)
        && correct >= reader.len(|lang| &lang.sentence.courtesy, no, end)
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
            if between.len() > 8 {
                break;
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
            // "We land at 2 pm, so 3 pm."
            let hence = || {
                let so = |no: &usize| reader.len(|lang| &lang.sentence.leads_to, *no, between.end) > 0;
                between.clone().find(so).is_some_and(|no| (no..between.end).all(|no| reader.is_idle(no)))
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
            } else if (taken_back || ought || into || hence() || now() || moves())
                && let Some(one) = cands.get_mut(first)
            {
                one.old = true;
            }
        }
    }
}

/// What the words before a value make of it: "from" the first, "until" the second of two.
fn roles(reader: &Reader<'_>, board: &Board<'_>, cands: &[Cand]) -> Vec<Option<Role>> {
    // Several days have both ends: "I have to leave tomorrow until Friday".
    let whole = |cand: &Cand| matches!(cand.value, Value::DateRange { start, end } if start < end);
    let option = |cand: &Cand| matches!(board.kind_of(cand), Some(Kind::Choice(_)));
    let role = |cand: &Cand| {
        let whose = || option(cand).then(|| casts::whose(reader, &cand.words)).flatten();
        whose().or_else(|| turned(reader, board, cands, cand)).filter(|_| !whole(cand))
    };
    let mut roles: Vec<Option<Role>> = cands.iter().map(role).collect();
    for (no, cand) in cands.iter().enumerate() {
        // A bare number is hardly a day of two: "for 2 tomorrow".
        let counts = |other: &Cand| {
            let digits = other.words.clone().all(|no| reader.is_digits(no));
            other.strength == Strength::Weak && digits && matches!(other.value, Value::Date(_))
        };
        let meant = |other: &(usize, &Cand)| {
            other.1.alike == cand.alike && !other.1.negated && !other.1.old && !counts(other.1)
        };
        let of_kind: Vec<usize> = cands.iter().enumerate().filter(meant).map(|(no, _)| no).collect();
        let [first, second] = of_kind[..] else { continue };
        // Two readings of the same words are one value.
        if cands.get(first).map(|cand| &cand.words) == cands.get(second).map(|cand| &cand.words) {
            continue;
        }
        // "The 3rd or the 4th of May" is one of two.
        if let (Some(one), Some(two)) = (cands.get(first), cands.get(second))
            && either::are_alternatives(reader, one, two, false)
        {
            continue;
        }
        let open = |role: Role| {
            let with = board
                .takers(cand)
                .iter()
                .filter_map(|slot| board.slots.get(*slot))
                .filter(|slot| slot.role == Some(role));
            with.count() == 1
        };
        if no != first || !open(Role::First) || !open(Role::Second) {
            continue;
        }
        match (roles.get(first).copied().flatten(), roles.get(second).copied().flatten()) {
            (None, None | Some(Role::Second)) => {
                set(&mut roles, first, Role::First);
                set(&mut roles, second, Role::Second);
            }
            // "From the 3rd, leaving on the 5th": what may begin a trip may end a stay.
            (Some(Role::First), None | Some(Role::First)) => set(&mut roles, second, Role::Second),
            (Some(Role::Second), None) => set(&mut roles, second, Role::First),
            _ => {}
        }
    }
    roles
}

fn set(roles: &mut [Option<Role>], no: usize, role: Role) {
    if let Some(slot) = roles.get_mut(no) {
        *slot = Some(role);
    }
}

/// Which of two the words around a value make of it.
fn turned(reader: &Reader<'_>, board: &Board<'_>, cands: &[Cand], cand: &Cand) -> Option<Role> {
    let kind = board.kind_of(cand)?;
    let ends = board.ends.of(kind);
    let start = cand.words.start;
    if !matches!(kind, Kind::Date(_) | Kind::Datetime(_) | Kind::DateRange(_) | Kind::Time(_)) {
        return role_before(reader, start, ends);
    }
    let other = |no: usize| {
        cands.iter().any(|other| other.alike == cand.alike && other.words.start == no && other.words != cand.words)
    };
    let clause = reader.clause_end(cand.words.start);
    let join = |no: usize| reader.len(|lang| &lang.sentence.join, no, clause) > 0;
    let end = (cand.words.end..clause).find(|no| other(*no) || join(*no)).unwrap_or(clause);
    // "We leave on Friday and on Sunday": what was said before "and" is said of the other.
    let reach = start.saturating_sub(REACH);
    let from = (reach..start).rev().find(|no| join(*no)).map_or(reach, |no| no + 1);
    // "A las 8" and "à 8 h" alone are no end.
    let letter = |no: usize| reader.said.plain(no).chars().count() == 1;
    let alike = |other: &Cand| other.alike == cand.alike && other.words != cand.words;
    let hour = || (from..start).rev().find(|no| turn_at(reader, *no, start).is_some()).is_some_and(letter);
    let only = matches!(kind, Kind::Time(_)) && !cands.iter().any(alike) && hour();
    let before = || if only { None } else { role_between(reader, from, start, ends) };
    // "On Friday back on Sunday": what stands right before another one is said of that.
    let last = (cand.words.end..end).rev().find(|no| !reader.is_idle(*no) && !reader.is_mark(*no));
    let alone = end >= clause || join(end);
    // "Wir kommen am Sonntag zurück": the end of the verb tells more than its beginning.
    let behind = || {
        let end = (cand.words.end..end).rev().find(|no| !reader.is_mark(*no))? + 1;
        let starts = cand.words.end..end;
        let found = starts
            .rev()
            .find_map(|no| reader.at(|lang| &lang.sentence.behind, no, end).filter(|(len, _)| no + len == end));
        found.map(|(_, turn)| ends.role(*turn))
    };
    let after = || {
        let last = last?;
        (cand.words.end..=last).find_map(|no| {
            let (len, turn) = turn_at(reader, no, end)?;
            (no..no + len).contains(&last).then(|| ends.role(turn))
        })
    };
    let behind = if alone { behind() } else { None };
    behind.or_else(before).or_else(|| if alone { after() } else { None })
}

/// The longest phrase at a word that says which of two something is.
pub(super) fn turn_at(reader: &Reader<'_>, no: usize, end: usize) -> Option<(usize, Turn)> {
    let len = |table: fn(&Language) -> &Phrases<()>| reader.len(table, no, end);
    let all = [
        (len(|lang| &lang.sentence.first), Turn::First),
        (len(|lang| &lang.sentence.second), Turn::Second),
        (len(|lang| &lang.sentence.arrive), Turn::Arrive),
        (len(|lang| &lang.sentence.leave), Turn::Leave),
    ];
    // The first of equally long ones.
    all.into_iter().filter(|(len, _)| *len > 0).rev().max_by_key(|(len, _)| *len)
}

/// The nearest word for the first or the second of two before a word.
pub(super) fn role_before(reader: &Reader<'_>, start: usize, ends: Ends) -> Option<Role> {
    role_between(reader, start.saturating_sub(REACH), start, ends)
}

/// The same, among the words that announce a place and those right before them: "to get it in Oslo" is not whither.
pub(super) fn role_right_before(reader: &Reader<'_>, at: usize, start: usize) -> Option<Role> {
    role_between(reader, at.saturating_sub(1), start, Ends::PLACES)
}

fn role_between(reader: &Reader<'_>, from: usize, start: usize, ends: Ends) -> Option<Role> {
    let from = from.max(reader.clause_start(start));
    let at = |no: usize| {
        let tables: [(Table, Turn); 4] = [
            (|lang| &lang.sentence.first, Turn::First),
            (|lang| &lang.sentence.second, Turn::Second),
            (|lang| &lang.sentence.arrive, Turn::Arrive),
            (|lang| &lang.sentence.leave, Turn::Leave),
        ];
        let reaching = tables.into_iter().rev().filter_map(|(table, turn)| {
            let len = reader.len(table, no, start);
            (len > 0 && (no + len..start).all(|no| reader.is_idle(no))).then_some((no + len, turn))
        });
        reaching.max_by_key(|(end, _)| *end)
    };
    let (nearest, (end, turn)) = (from..start).rev().find_map(|no| Some((no, at(no)?)))?;
    // "Out" of "check out" is part of it.
    let around = (from..nearest).find_map(|no| at(no).filter(|(other, _)| *other >= end));
    Some(ends.role(around.map_or(turn, |(_, turn)| turn)))
}
