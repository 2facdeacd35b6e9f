//! Days said by how far they are from another one: "two days later", "the same day", "start a day earlier", "a day longer".
//!
//! They are reckoned from a day said before in the same message, from the answer that stands, or from the other one of
//! two. Where there is no such day, they are no answer by themselves.

mod hours;
mod lasting;

use std::ops::Range;

use jiff::civil::Date;

use super::Scene;
use super::ledger::{Filled, Ledger};
use super::prepare::corrects;
use super::reader::Reader;
use super::spans::{Board, Slot, with_context};
use super::turns::{role_before, turn_at};
use crate::so_far::Pending;
use formwright_form::cues::Role;
use formwright_form::kind::date::{Apart, From, apart};
use formwright_form::kind::{Strength, overlap};
use formwright_form::{Kind, Value};

/// A distance in a message.
pub(super) struct Hit {
    words: Range<usize>,
    raw: Range<usize>,
    apart: Apart,
}

/// Finds the distances in a message, and puts days in the place of those that are reckoned from a day said before:
/// "from 3 December, back two days later". Gives the others.
pub(super) fn find(scene: &Scene<'_>, reader: &Reader<'_>, board: &mut Board<'_>) -> Vec<Hit> {
    let Some(slot) = board.slots.iter().find(|slot| is_day(&slot.field.kind)) else { return Vec::new() };
    let hits = with_context(scene, &slot.path, slot.field, |cx| apart(reader.said, cx));
    let hits = hits.into_iter().map(|apart| {
        let raw = apart.span.clone();
        Hit { words: reader.words_of(&raw), raw, apart }
    });
    // "Any day before that" is none of them.
    let any = |hit: &Hit| {
        let before = hit.words.start.checked_sub(1);
        before.is_some_and(|no| reader.len(|lang| &lang.number.counting, no, hit.words.start) > 0)
    };
    let hits = hits.filter(|hit| !any(hit));
    hits.filter(|hit| !settle(board, hit)).collect()
}

/// Reckons a distance from the day said before it; tells whether there is one.
fn settle(board: &mut Board<'_>, hit: &Hit) -> bool {
    if !matches!(hit.apart.from, From::Other | From::Either) {
        return false;
    }
    let before = board.cands.iter().filter(|cand| cand.words.end <= hit.words.start && cand.strength > Strength::Weak);
    let days = before.filter_map(|cand| match cand.value {
        Value::Date(day) | Value::DateRange { end: day, .. } => Some((cand.words.clone(), day)),
        _ => None,
    });
    let Some((said, from)) = days.max_by_key(|(words, _)| words.end) else { return false };
    let Some(day) = hit.apart.day(from) else { return false };
    board.set_day(&hit.words, &hit.raw, day);
    for cand in &mut board.cands {
        if let Value::DateRange { start, end } = &mut cand.value
            && cand.words == said
            && start == end
            && *start <= day
        {
            *end = day;
            cand.words.end = hit.words.end;
            cand.raw.end = hit.raw.end;
        }
    }
    true
}

/// Works out the distances that are reckoned from answers, and takes them out of what other fields may find.
pub(super) fn fill(scene: &Scene<'_>, reader: &Reader<'_>, board: &mut Board<'_>, ledger: &mut Ledger, hits: Vec<Hit>) {
    for hit in hits {
        if !ledger.is_free(hit.words.clone()) {
            continue;
        }
        let moved = About { scene, reader, board, hit: &hit }.moved();
        if moved.is_empty() {
            continue;
        }
        let clause = reader.clause(hit.words.start);
        let clause = clause.map_or(hit.words.clone(), |clause| clause.words.clone());
        for cand in &mut board.cands {
            if overlap(&cand.words, &hit.words) {
                cand.negated = true;
            }
        }
        // What stands beside it says which day it is.
        for no in clause {
            let taken = board.cands.iter().any(|cand| !cand.negated && cand.words.contains(&no));
            if hit.words.contains(&no) || is_small(reader, board, no) && !taken {
                ledger.claim(no..no + 1);
            }
        }
        for (slot, value) in moved {
            let Hit { words, raw, .. } = &hit;
            ledger.fills.push(Filled {
                slot,
                value,
                raw: raw.clone(),
                words: words.clone(),
                sure: true,
                named: true,
                shift: 0,
                replaces: true,
            });
        }
    }
    hours::fill(scene, reader, board, ledger);
    lasting::fill(scene, reader, board, ledger);
}

fn is_day(kind: &Kind) -> bool {
    matches!(kind, Kind::Date(_) | Kind::DateRange(_))
}

/// Whether a word beside a distance says only which day it is, or nothing.
fn is_small(reader: &Reader<'_>, board: &Board<'_>, no: usize) -> bool {
    let end = reader.said.words.len();
    let phrase = |no: usize| {
        let role = turn_at(reader, no, end).map_or(0, |(len, _)| len);
        role.max(reader.len(|lang| &lang.control.edit, no, end))
    };
    let named = || board.mentions.iter().any(|mention| mention.words.contains(&no));
    reader.is_idle(no) || named() || (no.saturating_sub(2)..=no).any(|from| from + phrase(from) > no)
}

/// A distance, and where it was said.
struct About<'x, 'a> {
    scene: &'x Scene<'a>,
    reader: &'x Reader<'x>,
    board: &'x Board<'a>,
    hit: &'x Hit,
}

impl<'a> About<'_, 'a> {
    /// The fields that it changes, and their new values.
    fn moved(&self) -> Vec<(usize, Value)> {
        if self.goes_into_words() {
            return Vec::new();
        }
        let one = |moved: Option<(usize, Value)>| moved.into_iter().collect::<Vec<_>>();
        if self.hit.apart.from == From::Last {
            return one(self.stretched());
        }
        let asked = self.board.asked.filter(|no| self.slot(*no).is_some_and(|slot| is_day(&slot.field.kind)));
        let role = self.role();
        if let Some(no) = self.named() {
            return one(self.off_own(no, role).or_else(|| self.off_other(no)));
        }
        let open = asked.filter(|no| self.slot(*no).is_some_and(|slot| slot.value.is_none()));
        if let Some(no) = open {
            return one(self.off_other(no));
        }
        if let Some(no) = asked {
            return one(self.off_own(no, role).or_else(|| self.off_other(no)));
        }
        if let Some(role) = role {
            let held = self.only(|slot| slot.value.is_some() && (slot.role == Some(role) || is_range(slot)));
            return one(held.and_then(|no| self.off_own(no, Some(role)).or_else(|| self.off_other(no))));
        }
        let words = 0..self.reader.said.words.len();
        let reviewing =
            matches!(self.scene.draft.pending, Pending::Review | Pending::PageReview { .. } | Pending::WhatToChange);
        if !(reviewing || self.hit.apart.from == From::Held || corrects(self.reader, words) || self.is_all()) {
            return Vec::new();
        }
        if let Some(no) = self.only(|slot| slot.value.is_some()) {
            return one(self.off_own(no, None));
        }
        let Some((first, second)) = self.pair() else { return Vec::new() };
        let both = self.off_own(first, None).zip(self.off_own(second, None));
        // The end that moves away from the other goes first, so that they never stand the wrong way round.
        both.map_or(
            Vec::new(),
            |(first, second)| if self.hit.apart.is_back() { vec![first, second] } else { vec![second, first] },
        )
    }

    /// Whether the words may as well be part of the text that was asked.
    fn goes_into_words(&self) -> bool {
        let Some(asked) = self.board.asked.and_then(|no| self.slot(no)) else { return false };
        asked.takes_any_words() && !self.is_all()
    }

    /// Whether nothing else is said.
    fn is_all(&self) -> bool {
        let inside = |no: usize| self.hit.words.contains(&no) || is_small(self.reader, self.board, no);
        (0..self.reader.said.words.len()).all(inside)
    }

    fn slot(&self, no: usize) -> Option<&Slot<'a>> {
        self.board.slots.get(no)
    }

    fn only(&self, fits: impl Fn(&Slot<'a>) -> bool) -> Option<usize> {
        let day = |no: &usize| self.slot(*no).is_some_and(|slot| is_day(&slot.field.kind) && fits(slot));
        let mut days = (0..self.board.slots.len()).filter(day);
        days.next().filter(|_| days.next().is_none())
    }

    /// The first and the second of two days that are held.
    fn pair(&self) -> Option<(usize, usize)> {
        let held = |role: Role| self.only(|slot| slot.role == Some(role) && !is_range(slot) && slot.value.is_some());
        held(Role::First).zip(held(Role::Second))
    }

    /// What the words around make of it: "start a day earlier" the first of two.
    fn role(&self) -> Option<Role> {
        let ends = self.board.ends.days();
        let before = role_before(self.reader, self.hit.words.start, ends);
        let clause = self.reader.clause(self.hit.words.start)?;
        let inside = |no: &usize| !self.hit.words.contains(no);
        before.or_else(|| {
            clause.words.clone().filter(inside).find_map(|no| {
                let (len, turn) = turn_at(self.reader, no, clause.words.end)?;
                // A preposition alone may stand before anything.
                let telling = !(no..no + len).all(|no| self.reader.is_idle(no));
                telling.then(|| ends.role(turn))
            })
        })
    }

    /// The only field that is named beside it.
    fn named(&self) -> Option<usize> {
        const NAMED: f32 = 0.75;
        let clause = self.reader.clause_of(self.hit.words.start);
        self.only(|slot| {
            let mut mentions = self.board.mentions_of(slot);
            mentions.any(|mention| {
                let beside = self.reader.clause_of(mention.words.start) == clause;
                let inside = self.hit.words.contains(&mention.words.start);
                beside && !inside && mention.weight >= NAMED && !mention.cue
            })
        })
    }

    /// So far from what the field holds; of a range one end, or both.
    fn off_own(&self, no: usize, role: Option<Role>) -> Option<(usize, Value)> {
        let apart = &self.hit.apart;
        // "The week after" is that of the only day there is.
        if apart.from == From::Other && !(self.is_all() && self.only(|_| true) == Some(no)) {
            return None;
        }
        let value = match (self.slot(no)?.value?, role) {
            (Value::Date(day), _) => Value::Date(apart.day(*day)?),
            (Value::DateRange { start, end }, Some(Role::First)) => {
                Value::DateRange { start: apart.day(*start)?, end: *end }
            }
            (Value::DateRange { start, end }, Some(Role::Second)) => {
                Value::DateRange { start: *start, end: apart.day(*end)? }
            }
            (Value::DateRange { start, end }, None) => {
                Value::DateRange { start: apart.day(*start)?, end: apart.day(*end)? }
            }
            _ => return None,
        };
        Some((no, value))
    }

    /// So far from the other one of two days, or from the last day before the field in the form.
    fn off_other(&self, no: usize) -> Option<(usize, Value)> {
        if self.hit.apart.from == From::Held {
            return None;
        }
        let slot = self.slot(no).filter(|slot| !is_range(slot))?;
        let held = |other: &&Slot<'a>| other.path != slot.path && other.value.is_some() && is_day(&other.field.kind);
        let others = || self.board.slots.iter().filter(held);
        let pair = others().find(|other| slot.role.is_some() && other.role.is_some() && other.role != slot.role);
        let before = || others().rfind(|other| other.field.no < slot.field.no);
        let other = pair.or_else(before).or_else(|| others().next())?;
        let (Value::Date(day) | Value::DateRange { end: day, .. }) = other.value? else { return None };
        Some((no, Value::Date(self.hit.apart.day(*day)?)))
    }

    /// What stands, so much longer or shorter.
    fn stretched(&self) -> Option<(usize, Value)> {
        let asked = self.board.asked.and_then(|no| self.slot(no));
        if asked.is_some_and(|slot| matches!(slot.field.kind, Kind::Duration(_) | Kind::Integer(_) | Kind::Number(_))) {
            return None;
        }
        let longer = |day: &Date| self.hit.apart.day(*day);
        if let Some(no) = self.only(|slot| is_range(slot) && slot.value.is_some()) {
            let Value::DateRange { start, end } = self.slot(no)?.value? else { return None };
            return Some((no, Value::DateRange { start: *start, end: longer(end)? }));
        }
        let (_, second) = self.pair()?;
        let Value::Date(day) = self.slot(second)?.value? else { return None };
        Some((second, Value::Date(longer(day)?)))
    }
}

fn is_range(slot: &Slot<'_>) -> bool {
    matches!(slot.field.kind, Kind::DateRange(_))
}

#[cfg(test)]
mod tests;
