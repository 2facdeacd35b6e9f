//! What each slot may be filled with. Every recognizer reads the message alone: none knows what another found, and their order
//! is of no effect.

mod options;

use std::ops::Range;

use formwright_form::Value;
use formwright_lexicon::class::Class;
use formwright_lexicon::number::Atom;
use jiff::civil;

use super::analysis::{Analysis, TokenKind};
use super::candidate::{Candidate, Source};
use super::slots::{SlotClass, SlotFacts};
use crate::Scene;
use crate::reader::Reader;
use crate::score::Tide;
use crate::spans::{Board, Cand};
use formwright_text::root;

/// Longest text that is proposed where it was not asked for, and where it was, in tokens.
const LONGEST: usize = 8;
const LONGEST_ASKED: usize = 12;

/// Everything that the slots may be filled with.
pub(crate) fn candidates(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    tide: &Tide,
    analysis: &Analysis<'_>,
    slots: &[SlotFacts<'_>],
) -> Vec<Candidate> {
    let mut all = Vec::new();
    for slot in slots {
        typed(board, tide, analysis, slot, &mut all);
        match slot.class {
            SlotClass::Time => hours(reader, board, analysis, slot, &mut all),
            SlotClass::YesNo => polarity(board, analysis, slot, &mut all),
            SlotClass::Choice => options::alike(scene, reader, board, analysis, slot, &mut all),
            _ if slot.is_words => texts(analysis, slot, &mut all),
            _ => {}
        }
    }
    all
}

fn candidate(slot: &SlotFacts<'_>, tokens: Range<usize>, value: Option<Value>, source: Source) -> Candidate {
    Candidate::new(slot.no, tokens, value, source)
}

/// What the grammar of the slot's kind finds: not what is denied or replaced.
fn typed(board: &Board<'_>, tide: &Tide, analysis: &Analysis<'_>, slot: &SlotFacts<'_>, all: &mut Vec<Candidate>) {
    for (no, cand) in board.cands.iter().enumerate() {
        if !cand.negated && !cand.old && board.takers(cand).contains(&slot.no) {
            all.push(Candidate {
                strength: cand.strength,
                end: tide.roles.get(no).copied().flatten(),
                ..candidate(slot, analysis.tokens_of(&cand.raw), Some(cand.value.clone()), Source::Typed)
            });
        }
    }
}

/// A bare number up to 12 as an hour, before noon and after it.
fn hours(
    reader: &Reader<'_>,
    board: &Board<'_>,
    analysis: &Analysis<'_>,
    slot: &SlotFacts<'_>,
    all: &mut Vec<Candidate>,
) {
    for no in 0..analysis.len() {
        let token = &analysis.tokens[no];
        let number = if token.kind == TokenKind::Digits {
            token.plain.parse::<i8>().ok()
        } else {
            let atom = reader.langs().find_map(|lang| lang.number.atoms.word(&token.plain));
            match atom {
                Some(Atom::Value(value)) => i8::try_from(*value).ok(),
                _ => None,
            }
        };
        let Some(hour) = number.filter(|hour| (1..=12).contains(hour)) else { continue };
        let words = token.word..token.word + 1;
        let known = |cand: &Cand| cand.words.contains(&words.start) && board.takers(cand).contains(&slot.no);
        if board.cands.iter().any(known) {
            continue;
        }
        let half = hour % 12;
        let [first, second] = if half < 7 { [half + 12, half] } else { [half, half + 12] };
        for hour in [first, second] {
            let Ok(time) = civil::Time::new(hour, 0, 0, 0) else { continue };
            all.push(candidate(slot, no..no + 1, Some(Value::Time(time)), Source::Hour));
        }
    }
}

/// Yes and no, where the field is spoken of.
fn polarity(board: &Board<'_>, analysis: &Analysis<'_>, slot: &SlotFacts<'_>, all: &mut Vec<Candidate>) {
    let mut places: Vec<Range<usize>> = Vec::new();
    if let Some(of) = board.slots.get(slot.no) {
        places.extend(board.mentions_of(of).map(|mention| analysis.tokens_of_words(&mention.words)));
    }
    for no in 0..analysis.len() {
        let token = &analysis.tokens[no];
        let meant = |word: &String| options::how_alike(&token.plain, word).is_some();
        if !token.function && (slot.name.contains(root(&token.plain)) || slot.words.iter().any(meant)) {
            places.push(no..no + 1);
        }
    }
    let about = analysis.senses.iter().filter(|(_, sense)| slot.senses.contains(sense)).map(|(at, _)| at.clone());
    places.extend(about);
    places.sort_by_key(|place| (place.start, place.end));
    places.dedup();
    for place in places {
        for yes in [true, false] {
            all.push(candidate(slot, place.clone(), Some(Value::Bool(yes)), Source::Named));
        }
    }
}

/// Any words for a text: spans that do not begin or end with what never belongs to a value.
fn texts(analysis: &Analysis<'_>, slot: &SlotFacts<'_>, all: &mut Vec<Candidate>) {
    let longest = if slot.asked { LONGEST_ASKED } else { LONGEST };
    for start in 0..analysis.len() {
        let first = &analysis.tokens[start];
        if (first.kind.is_mark() && !matches!(first.plain.as_str(), "#" | "+" | "(")) || !may_begin(analysis, start) {
            continue;
        }
        let mut chatter = 0;
        for end in start + 1..=analysis.len().min(start + longest) {
            let last = &analysis.tokens[end - 1];
            if last.kind.is_mark() {
                // A full stop ends a text but behind an initial or a short word.
                let short = end - 1 > start && last.plain == "." && analysis.tokens[end - 2].plain.chars().count() <= 3;
                if last.kind == TokenKind::Stop && !short || matches!(last.plain.as_str(), ":" | "\"" | "(" | ")") {
                    break;
                }
                continue;
            }
            chatter += usize::from(is_chatter(last.kind));
            if chatter > 1 && !slot.asked {
                break;
            }
            if may_end(analysis, end - 1) {
                all.push(candidate(slot, start..end, None, Source::Span));
            }
        }
    }
    if slot.class == SlotClass::Thing {
        clauses(analysis, slot, all);
    }
}

/// What a longer text may be: a clause, from its start or from behind a small word, to its end or that of the next.
fn clauses(analysis: &Analysis<'_>, slot: &SlotFacts<'_>, all: &mut Vec<Candidate>) {
    const MOST_STARTS: usize = 8;
    let clause = |no: usize| analysis.tokens.get(no).map(|token| token.clause);
    let begins = |no: usize| no == 0 || clause(no) != clause(no - 1);
    for from in (0..analysis.len()).filter(|no| begins(*no)) {
        let end_of =
            |from: usize| (from..analysis.len()).find(|no| clause(*no) != clause(from)).unwrap_or(analysis.len());
        let first = end_of(from);
        let ends = [Some(first), Some(first).filter(|end| *end < analysis.len()).map(end_of)];
        let small = |no: &usize| {
            let token = &analysis.tokens[*no];
            !token.kind.is_mark()
                && (*no == from || analysis.tokens[*no - 1].function || analysis.tokens[*no - 1].kind.is_mark())
        };
        for start in (from..first).filter(small).take(MOST_STARTS) {
            for end in ends.into_iter().flatten() {
                let end = (start..end).rev().find(|no| !analysis.tokens[*no].kind.is_mark()).map_or(start, |no| no + 1);
                let longest = if slot.asked { LONGEST_ASKED } else { LONGEST };
                let proposed = end - start <= longest && may_begin(analysis, start) && may_end(analysis, end - 1);
                if end > start && !proposed {
                    all.push(candidate(slot, start..end, None, Source::Clause));
                }
            }
        }
    }
}

fn may_begin(analysis: &Analysis<'_>, no: usize) -> bool {
    use Class::{And, For, From, Is, Me, Not, Or, Polite, To, Want};
    let token = &analysis.tokens[no];
    let never = [Is, Me, Want, Polite, And, Or, From, To, For, Not];
    let never = matches!(token.kind, TokenKind::Small(class) if never.contains(&class));
    // A word may only look like one that is written with a small word: Arabic "ليون" is a town.
    !never || token.capital || analysis.is_joined(no + 1)
}

fn may_end(analysis: &Analysis<'_>, no: usize) -> bool {
    use Class::{And, At, For, From, In, Is, Me, My, Of, On, Or, The, To, With};
    let token = &analysis.tokens[no];
    let never = [Is, The, Of, From, To, For, In, On, And, Or, My, With, At, Me];
    !matches!(token.kind, TokenKind::Small(class) if never.contains(&class)) || token.capital
}

/// Whether a token is of what people say around values.
fn is_chatter(kind: TokenKind) -> bool {
    use Class::{Instead, Is, Me, Not, Past, Polite, Want, Who};
    matches!(kind, TokenKind::Small(class) if [Is, Me, Want, Polite, Not, Past, Instead, Who].contains(&class))
}
