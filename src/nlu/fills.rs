//! The commands that fill the fields whose values were found.

use std::ops::Range;

use jiff::civil::Date;

use super::ledger::Filled;
use super::place::counted;
use super::prepare::corrects;
use super::reader::Reader;
use super::spans::{Board, Slot, new_item, with_context};
use super::steer::is_optional;
use super::trimmed::trimmed;
use super::turns::role_before;
use super::{Scene, assign, items};
use crate::command::Command;
use crate::so_far::Pending;
use formwright_form::cues::Role;
use formwright_form::kind::{Found, Reading, Said};
use formwright_form::{Kind, Path, Value};
use formwright_lexicon::control::Control;

/// The commands that fill slots: none where one holds the value already, an item first where it lies in a new one.
pub(super) fn fill_commands(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    fills: &[Filled],
) -> Vec<Command> {
    let mut commands = Vec::new();
    let mut items: Vec<Path> = Vec::new();
    let reviews = matches!(scene.draft.pending, Pending::Review | Pending::PageReview { .. } | Pending::WhatToChange);
    for filled in fills {
        let Some(slot) = board.slots.get(filled.slot) else { continue };
        if slot.value == Some(&filled.value) && !slot.asked && filled.shift == 0 {
            continue;
        }
        let path = items::shifted(scene, slot, filled.shift);
        let new = new_item(scene, &path);
        // "Change the second guest to Zoe" begins no item, whatever else it may mean.
        if new.is_some() && reviews && speaks_of_one(scene, reader, board, &filled.words) {
            continue;
        }
        if let Some((list, item)) = new.filter(|(_, item)| !items.contains(item)) {
            items.push(item);
            commands.push(Command::AddItem { list });
        }
        let quote = super::ledger::quote(reader, &filled.raw).unwrap_or_default();
        let value = match (slot.value, &slot.field.kind) {
            (Some(have), Kind::Choices(_)) if adds_to(reader, slot, filled) => {
                assign::union(have.clone(), &filled.value)
            }
            (Some(have), Kind::DateRange(_)) if !filled.replaces => other_end(scene, reader, slot, have, filled),
            _ => trimmed(reader, slot, scene.lang, &filled.value).unwrap_or_else(|| filled.value.clone()),
        };
        // What is needed is not answered by nothing.
        let nothing = matches!(&value, Value::Options { picked, other: None } if picked.is_empty());
        let clears = nothing && filled.replaces && !is_optional(scene, &path);
        let fill = |path| Command::Fill { path, value, quote: Some(quote) };
        commands.push(if clears { Command::Clear { path } } else { fill(path) });
    }
    commands
}

/// Whether the clause around some words puts something right, or takes something out, or counts the item it is about.
fn speaks_of_one(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, words: &Range<usize>) -> bool {
    let clause = reader.clause_words(words.start);
    let from = reader.past_filler(clause.clone());
    let begins_with = |len: fn(&Reader<'_>, usize, usize) -> usize| {
        [clause.start, from].into_iter().any(|no| len(reader, no, clause.end) > 0)
    };
    // "Another expense 12 euros" is no twelfth one.
    let adds = |reader: &Reader<'_>, no, end| {
        let whole = reader.at(|lang| &lang.control.whole, no, end).filter(|(_, what)| **what == Control::Add);
        reader.len(|lang| &lang.control.add, no, end).max(whole.map_or(0, |(len, _)| len))
    };
    if begins_with(adds) {
        return false;
    }
    begins_with(|reader, no, end| reader.len(|lang| &lang.control.clear, no, end))
        || corrects(reader, clause.clone())
        || counted(scene, reader, &board.mentions, clause).is_some()
}

/// "Until the 16th" moves one end of the days given before.
fn other_end(scene: &Scene<'_>, reader: &Reader<'_>, slot: &Slot<'_>, have: &Value, filled: &Filled) -> Value {
    let (Value::DateRange { start, end }, Value::DateRange { start: first, end: last }) = (have, &filled.value) else {
        return filled.value.clone();
    };
    let from = filled.words.start;
    let second = reader.len(|lang| &lang.sentence.second, from, filled.words.end) > 0;
    let ends = scene.form.cues().ends.of(&slot.field.kind);
    let role = if second { Some(Role::Second) } else { role_before(reader, from, ends) };
    match role {
        Some(Role::Second) if first == last => {
            let end = rolled(scene, reader, slot, filled, *last, *start);
            if *start <= end { Value::DateRange { start: *start, end } } else { filled.value.clone() }
        }
        Some(Role::First) if first == last && first <= end => Value::DateRange { start: *first, end: *end },
        _ => filled.value.clone(),
    }
}

/// A day that was taken to be before another one it has to come after, read once more as seen from that one. Only the week,
/// the month or the year may be another for that: "tomorrow" stays what it is.
fn rolled(scene: &Scene<'_>, reader: &Reader<'_>, slot: &Slot<'_>, filled: &Filled, end: Date, start: Date) -> Date {
    /// Longest stay, in days, that may reach into the next month or year without its being said.
    const MOST: i32 = 183;
    if end >= start {
        return end;
    }
    let words = Said::new(reader.said.raw.get(filled.raw.clone()).unwrap_or_default());
    let kind = slot.field.kind.behaviour();
    let read_from = |from: Date| {
        let now = from.to_zoned(scene.now.time_zone().clone()).ok()?;
        let scene = Scene { now: &now, ..*scene };
        match with_context(&scene, &slot.path, slot.field, |cx| kind.read(&words, cx)) {
            Reading::Value(Found { value: Value::Date(day) | Value::DateRange { end: day, .. }, .. }) => Some(day),
            _ => None,
        }
    };
    let Some(day) = read_from(start).filter(|day| *day >= start) else { return end };
    let same_number = || day.day() == end.day() && (day - start).get_days() <= MOST;
    // "Friday to Sunday" ends on the Sunday behind that Friday; what is a day of the week stays it from wherever it is read.
    let is_weekday = || {
        let next = start.tomorrow().ok().and_then(read_from);
        (day - start).get_days() < 7
            && day.weekday() == end.weekday()
            && next.is_some_and(|next| next.weekday() == end.weekday())
    };
    if same_number() || is_weekday() { day } else { end }
}

/// Whether picked options come to those picked before: they do unless the field was asked, something is taken out, or the
/// sentence corrects.
fn adds_to(reader: &Reader<'_>, slot: &Slot<'_>, filled: &Filled) -> bool {
    let clause = reader.clause_words(filled.words.start);
    let said = clause.start..filled.words.start;
    let adds = said.clone().any(|no| reader.len(|lang| &lang.control.add, no, filled.words.start) > 0);
    !filled.replaces && (adds || (!slot.asked && !corrects(reader, clause)))
}
