//! Features of words that may be a text: their shape, where they begin and end, and what else explains them.

use formwright_form::kind::overlap;

use super::super::analysis::{Token, TokenKind};
use super::super::candidate::Candidate;
use super::super::feature::F;
use super::super::slots::SlotFacts;
use super::{List, Surroundings};

impl Surroundings<'_> {
    pub(super) fn of_words(&self, place: usize, slot: &SlotFacts<'_>, candidate: &Candidate, list: &mut List) {
        let analysis = self.analysis;
        let at = candidate.tokens.clone();
        let Some(tokens) = analysis.tokens.get(at.clone()).filter(|tokens| !tokens.is_empty()) else { return };
        let marks = tokens.iter().filter(|token| token.kind.is_mark()).count();
        let words = tokens.len() - marks;
        let capitals = tokens.iter().filter(|token| token.capital).count();
        let digits = tokens.iter().filter(|token| token.plain.chars().any(|c| c.is_ascii_digit())).count();
        list.add(F::Length, tokens.len(), 0);
        let shape = match (capitals > 0 && capitals + digits >= words, tokens[0].capital, capitals > 0) {
            (true, ..) => 0,
            (_, true, _) => 1,
            (_, _, true) => 2,
            _ => 3,
        };
        list.both(F::Shape, shape, usize::from(analysis.small));
        list.both(F::Digits, usize::from(digits > 0) + usize::from(digits > 0 && digits == words), 0);
        if marks > 0 {
            let comma = tokens.iter().any(|token| token.kind == TokenKind::Comma);
            list.both(F::Marks, usize::from(!comma), 0);
        }
        let before = at.start.checked_sub(1).and_then(|no| analysis.tokens.get(no));
        let behind = analysis.tokens.get(at.end);
        if let Some(before) = before.filter(|before| before.capital) {
            list.both(F::CapitalBeside, 0, usize::from(before.function));
        }
        if let Some(behind) = behind.filter(|behind| behind.capital) {
            list.both(F::CapitalBeside, 1, usize::from(behind.function));
        }
        if tokens[0].function && !analysis.is_joined(at.start + 1) {
            list.both(F::Begins, tokens[0].kind.index(), 0);
        }
        if let Some(last) = tokens.last().filter(|last| last.function && tokens.len() > 1) {
            list.both(F::Ends, last.kind.index(), 0);
        }
        let small = tokens.iter().filter(|token| token.function && !token.capital).count();
        if small > 0 {
            list.both(F::Inside, small, 0);
        }
        let open = |no: usize| analysis.tokens.get(no).is_none_or(|token| token.function || token.kind.is_mark());
        let explained = |no: usize| self.explained.get(no).copied().flatten();
        let left = at.start.checked_sub(1).is_none_or(|no| open(no) || explained(no).is_some());
        let right = open(at.end) || explained(at.end).is_some();
        list.both(F::Bounds, usize::from(left), usize::from(right));
        if left && right && small == 0 {
            list.both(F::Chunk, usize::from(capitals > 0), 0);
        }
        let capital = |token: Option<&Token>| token.is_some_and(|token| token.capital);
        if capitals == words && !capital(before) && !capital(behind) {
            list.both(F::WholeRun, words, 0);
        }
        if let Some(what) = at.start.checked_sub(1).and_then(explained) {
            list.both(F::After, what as usize, 0);
        }
        if let Some(what) = explained(at.end) {
            list.both(F::Before, what as usize, 0);
        }
        let eaten = at.clone().filter(|no| explained(*no).is_some()).count();
        if eaten > 0 {
            list.both(F::Eats, eaten, usize::from(eaten == tokens.len()));
        }
        for typed in &self.typed {
            if typed.class == slot.class && typed.tokens == at {
                continue;
            }
            if typed.tokens == at {
                list.both(F::SameAs, typed.class as usize, typed.strength as usize);
            } else if typed.tokens.start <= at.start && at.end <= typed.tokens.end {
                list.both(F::OverTyped, 0, typed.strength as usize);
            } else if at.start <= typed.tokens.start && typed.tokens.end <= at.end {
                list.both(F::OverTyped, 1, typed.strength as usize);
            } else if overlap(&typed.tokens, &at) {
                list.both(F::OverTyped, 2, typed.strength as usize);
            }
        }
        for (no, mentions) in self.mentions.iter().enumerate() {
            if mentions.iter().any(|mention| overlap(&mention.tokens, &at)) {
                list.both(F::OverMention, usize::from(no == place), 0);
            }
        }
        let known = tokens.iter().filter(|token| !token.kind.is_mark() && token.known).count();
        list.both(F::Known, usize::from(known > 0) + usize::from(known == words), usize::from(analysis.small));
        if tokens.iter().filter(|token| token.kind == TokenKind::Word).count() == words {
            list.both(F::AllWords, 0, 0);
        }
        let clause = tokens[0].clause;
        let of_clause = |no: Option<usize>| {
            no.and_then(|no| analysis.tokens.get(no))
                .is_some_and(|token| token.clause == clause && !token.kind.is_mark())
        };
        let from = !of_clause(at.start.checked_sub(1));
        let to = !of_clause(Some(at.end));
        list.add(F::Clause, usize::from(from) + 2 * usize::from(to), self.asked_state(place));
    }
}
