//! Which value goes to which field: by the words around it, not by order. What fits two fields equally is asked.

use std::ops::Range;

use super::ledger::{Ledger, fill_command, possible, quote, shown};
use super::named::label;
use super::reader::Reader;
use super::score::{Scored, Tide, score};
use super::spans::{Board, Cand};
use super::{Scene, Unsure, elsewhere};
use formwright_form::cues::Role;
use formwright_form::kind::{Found, Reading, Strength, overlap};
use formwright_form::{Kind, Value};

/// Scores closer than this are equally good.
const TIE: f32 = 0.5;
/// Most fields a value is kept for, and most readings a person is asked to choose from.
const MOST: usize = 6;

/// Gives every value that is free its field.
pub(super) fn assign(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger, tide: &Tide) {
    let before = ledger.fills.len();
    by_score(scene, reader, board, ledger, tide);
    ledger.scored = ledger.fills.iter().skip(before).map(|filled| filled.slot).collect();
}

fn by_score(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger, tide: &Tide) {
    let mut pairs = pairs(reader, board, ledger, tide);
    pairs.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.cand.cmp(&b.cand)).then(a.slot.cmp(&b.slot)));
    for no in 0..pairs.len() {
        let Some(pair) = pairs.get(no) else { break };
        let Some((cand, slot)) = open(board, ledger, pair) else { continue };
        let rest: Vec<&Scored> = pairs.iter().filter(|other| open(board, ledger, other).is_some()).collect();
        let same_words = |other: &&&Scored| {
            let words = board.cands.get(other.cand).map(|other| &other.words);
            other.cand == pair.cand || words == Some(&cand.words)
        };
        let ties: Vec<&Scored> = rest
            .iter()
            .filter(|other| other.slot != pair.slot && other.score > pair.score - TIE)
            .filter(same_words)
            .copied()
            .collect();
        // 02/03 of which either may be the month, five of either half of the day.
        let open_readings: Vec<&Scored> = rest
            .iter()
            .filter(|other| other.slot == pair.slot && other.cand != pair.cand && is_moment(&slot.field.kind))
            .filter(same_words)
            .copied()
            .collect();
        let begins = |scored: &Scored| board.slots.get(scored.slot).is_some_and(|slot| slot.role == Some(Role::First));
        let ends = |scored: &Scored| board.slots.get(scored.slot).is_some_and(|slot| slot.role == Some(Role::Second));
        let held = |scored: &Scored| board.slots.get(scored.slot).is_some_and(|slot| slot.value.is_some());
        // Of a journey whose two days are there already, either may be put right.
        let all_held = held(pair) && ties.iter().all(|other| held(other));
        // One day for a journey is when it begins; the pair of its end comes later, and finds the words taken.
        if !all_held && ties.len() == 1 && ends(pair) && ties.iter().all(|other| begins(other)) {
            continue;
        }
        if !(ties.is_empty() || !all_held && begins(pair) && ties.iter().all(|other| ends(other))) {
            let all: Vec<&Scored> = ties.into_iter().chain(open_readings).collect();
            ask_which_field(scene, reader, board, ledger, pair, &all);
            continue;
        }
        if !open_readings.is_empty() {
            let all = std::iter::once(pair).chain(open_readings.iter().copied());
            let all: Vec<&Cand> = all.filter_map(|scored| board.cands.get(scored.cand)).collect();
            match possible(scene, reader, board, slot, &all, |cand| &cand.value).as_deref() {
                // What the field does not take is not offered.
                Err(why) => {
                    ledger.claim(cand.words.clone());
                    ledger.refused.push((pair.slot, cand.raw.clone(), why.clone()));
                }
                Ok([only]) => {
                    let found = Found { span: only.raw.clone(), value: only.value.clone(), strength: only.strength };
                    if ledger.fill(reader, pair.slot, found, pair.sure) && pair.named {
                        ledger.last_was_named();
                    }
                }
                Ok(_) => ask_which_value(scene, reader, board, ledger, pair, &open_readings),
            }
            continue;
        }
        let elsewhere = |other: &Scored| {
            rest.iter()
                .any(|third| third.cand == other.cand && third.slot != pair.slot && third.score > other.score - TIE)
        };
        let rivals: Vec<&Scored> = rest
            .iter()
            .filter(|other| other.slot == pair.slot && other.score > pair.score - 2.0 * TIE)
            .filter(|other| !touches(board, other.cand, &cand.words) && !elsewhere(other))
            .copied()
            .collect();
        let several = matches!(slot.field.kind, Kind::Choices(_));
        let equal = |other: &&&Scored| board.cands.get(other.cand).is_some_and(|found| found.value == cand.value);
        if several {
            let all: Vec<&Cand> = std::iter::once(cand)
                .chain(
                    rest.iter()
                        .filter(|other| other.slot == pair.slot && other.cand != pair.cand)
                        .filter_map(|other| board.cands.get(other.cand)),
                )
                .collect();
            merge(reader, ledger, pair, &all);
        } else if rivals.iter().any(|other| !equal(&other)) {
            ask_which_value(scene, reader, board, ledger, pair, &rivals);
        } else {
            let found = Found { span: cand.raw.clone(), value: cand.value.clone(), strength: cand.strength };
            let others = board.alternatives(reader, pair.slot, &cand.words);
            if !others.is_empty() && others.iter().all(|other| ledger.is_free(other.words.clone())) {
                ledger.note(scene, reader, board, pair.slot, Reading::Value(found));
                continue;
            }
            if ledger.fill(reader, pair.slot, found, pair.sure) && pair.named {
                ledger.last_was_named();
            }
            for rival in rivals {
                let words = board.cands.get(rival.cand).map(|cand| cand.words.clone());
                words.into_iter().for_each(|words| ledger.claim(words));
            }
        }
    }
}

fn pairs(reader: &Reader<'_>, board: &Board<'_>, ledger: &Ledger, tide: &Tide) -> Vec<Scored> {
    let mut pairs = Vec::new();
    // "12 Mill Lane should be 14 Mill Lane": the number of what gives way counts nothing.
    let out = |cand: &&Cand| (cand.old || cand.negated) && cand.strength > Strength::Weak;
    let gives_way: Vec<&Cand> = board.cands.iter().filter(out).collect();
    for (no, cand) in board.cands.iter().enumerate() {
        let part_of_old = gives_way.iter().any(|old| elsewhere::is_part_of(&cand.words, &old.words));
        if cand.negated || cand.old || part_of_old || !ledger.is_free(cand.words.clone()) {
            continue;
        }
        let mut own: Vec<Scored> = board
            .takers(cand)
            .iter()
            .filter(|slot| !ledger.has(**slot))
            .filter_map(|slot| score(reader, board, tide, *slot, no))
            .collect();
        own.sort_by(|a, b| b.score.total_cmp(&a.score));
        // A value that fits ever so many fields equally says nothing about any of them.
        let flood = own.len() > MOST && own.first().zip(own.get(MOST)).is_some_and(|(a, b)| a.score < b.score + TIE);
        if !flood {
            own.truncate(MOST);
            pairs.extend(own);
        }
    }
    pairs
}

/// Whether the same words may be several values of a kind.
fn is_moment(kind: &Kind) -> bool {
    matches!(kind, Kind::Date(_) | Kind::Time(_) | Kind::Datetime(_) | Kind::DateRange(_))
}

fn open<'b, 'a>(
    board: &'b Board<'a>,
    ledger: &Ledger,
    pair: &Scored,
) -> Option<(&'b Cand, &'b super::spans::Slot<'a>)> {
    let cand = board.cands.get(pair.cand)?;
    let slot = board.slots.get(pair.slot)?;
    (ledger.is_free(cand.words.clone()) && !ledger.has(pair.slot)).then_some((cand, slot))
}

fn touches(board: &Board<'_>, cand: usize, words: &Range<usize>) -> bool {
    board.cands.get(cand).is_some_and(|other| overlap(&other.words, words))
}

/// The same words fit several fields: the person is asked which.
fn ask_which_field(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    ledger: &mut Ledger,
    pair: &Scored,
    ties: &[&Scored],
) {
    let mut readings = Vec::new();
    let mut slots = std::collections::BTreeSet::new();
    for scored in std::iter::once(pair).chain(ties.iter().copied()) {
        let Some((cand, slot)) = open(board, ledger, scored) else { continue };
        if !slots.insert((scored.slot, if is_moment(&slot.field.kind) { scored.cand } else { 0 })) {
            continue;
        }
        let Some(quote) = quote(reader, &cand.raw) else { continue };
        let text = format!("{}: {}", label(scene, &slot.path), shown(scene, slot, &cand.value));
        readings.push((text, fill_command(slot, cand.value.clone(), quote)));
    }
    let Some(cand) = board.cands.get(pair.cand) else { return };
    if (2..=MOST).contains(&readings.len()) {
        ledger.unsure.push((pair.slot, Unsure { readings }));
        ledger.claim(cand.words.clone());
    } else {
        ledger.close(cand.words.clone());
    }
}

/// Several values fit the same field: the person is asked which.
fn ask_which_value(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    ledger: &mut Ledger,
    pair: &Scored,
    rivals: &[&Scored],
) {
    let Some(slot) = board.slots.get(pair.slot) else { return };
    let all: Vec<usize> = std::iter::once(pair.cand).chain(rivals.iter().map(|rival| rival.cand)).collect();
    let mut readings: Vec<(String, crate::Command)> = Vec::new();
    for cand in all.iter().filter_map(|no| board.cands.get(*no)) {
        let Some(quote) = quote(reader, &cand.raw) else { continue };
        let reading = (shown(scene, slot, &cand.value), fill_command(slot, cand.value.clone(), quote));
        if readings.iter().all(|(text, _)| *text != reading.0) {
            readings.push(reading);
        }
        ledger.claim(cand.words.clone());
    }
    readings.truncate(MOST);
    if readings.len() > 1 {
        ledger.unsure.push((pair.slot, Unsure { readings }));
    }
}

/// Several options of one field, all of them meant.
fn merge(reader: &Reader<'_>, ledger: &mut Ledger, pair: &Scored, all: &[&Cand]) {
    let mut merged: Option<Value> = None;
    let mut span: Option<Range<usize>> = None;
    let mut taken: Vec<Range<usize>> = Vec::new();
    for cand in all {
        if taken.iter().any(|words| overlap(&cand.words, words)) {
            continue;
        }
        taken.push(cand.words.clone());
        merged = Some(match merged {
            None => cand.value.clone(),
            Some(so_far) => union(so_far, &cand.value),
        });
        let so_far = span.unwrap_or_else(|| cand.raw.clone());
        span = Some(so_far.start.min(cand.raw.start)..so_far.end.max(cand.raw.end));
    }
    let (Some(value), Some(span), Some(first)) = (merged, span, all.first()) else { return };
    if ledger.fill(reader, pair.slot, Found { span, value, strength: first.strength }, pair.sure) {
        taken.into_iter().for_each(|words| ledger.claim(words));
    }
}

/// Both of two values of a `choices` field.
pub(super) fn union(one: Value, two: &Value) -> Value {
    match (one, two) {
        (Value::Options { mut picked, other }, Value::Options { picked: more, other: words }) => {
            for option in more {
                if !picked.contains(option) {
                    picked.push(option.clone());
                }
            }
            Value::Options { picked, other: other.or_else(|| words.clone()) }
        }
        (one, _) => one,
    }
}

/// A value of a `choices` field without the options of another.
pub(super) fn without(one: &Value, two: &Value) -> Option<Value> {
    match (one, two) {
        (Value::Options { picked, other }, Value::Options { picked: gone, .. }) => {
            let left = picked.iter().filter(|option| !gone.contains(option)).cloned().collect();
            Some(Value::Options { picked: left, other: other.clone() })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::Stage;

    const STAY: &str = r#"
id = "stay"
title = "Stay"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "check_in"
kind = "date"
label = "Check-in"

[[field]]
id = "check_out"
kind = "date"
label = "Check-out"
"#;

    #[rstest]
    #[case("en", "no wait, Saturday")]
    #[case("en", "make it Saturday")]
    #[case("it", "no, sabato")]
    #[case("es", "no, sábado")]
    #[case("de", "nein, Samstag")]
    #[case("fr", "non, samedi")]
    fn which_of_two_days_that_are_there_is_put_right_is_asked(#[case] lang: &'static str, #[case] said: &str) {
        let both = "check_in=2026-11-27; check_out=2026-11-29";
        let line = Stage::new(STAY, "").speaking(lang).having(both).fills(said);
        assert_eq!(line, "?(check_in=2026-11-28 | check_out=2026-11-28)", "{said}");
    }

    #[rstest]
    #[case("no, until Saturday", "check_out=2026-11-28")]
    #[case("the check-in is Saturday", "check_in=2026-11-28")]
    fn one_that_is_named_is_put_right(#[case] said: &str, #[case] expected: &str) {
        let both = "check_in=2026-11-27; check_out=2026-11-29";
        assert_eq!(Stage::new(STAY, "").having(both).fills(said), expected, "{said}");
    }
}
