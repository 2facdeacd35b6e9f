//! Features of where a slot is spoken of: its name, what its name is about, and the same of other slots.

use std::ops::Range;

use formwright_form::kind::overlap;

use super::super::analysis::TokenKind;
use super::super::candidate::{Candidate, Source};
use super::super::feature::F;
use super::super::slots::SlotFacts;
use super::{Explained, List, Mention, Surroundings, rounded};

impl Surroundings<'_> {
    pub(super) fn of_names(&self, place: usize, slot: &SlotFacts<'_>, candidate: &Candidate, list: &mut List) {
        let at = &candidate.tokens;
        let mut nearest: Option<(f32, usize, usize, &Mention)> = None;
        for mention in &self.mentions[place] {
            if candidate.source == Source::Named && mention.tokens == *at {
                list.add(F::Name, rounded(mention.weight * 3.0), 0);
                continue;
            }
            let (side, between) = match (mention.tokens.end <= at.start, mention.tokens.start >= at.end) {
                (true, _) => (1, mention.tokens.end..at.start),
                (_, true) => (2, at.end..mention.tokens.start),
                _ => (3, 0..0),
            };
            let (words, broken) = self.between(&between);
            let distance = if broken { 4 } else { words.min(3) };
            #[expect(clippy::cast_precision_loss, reason = "a handful of words")]
            let rank = distance as f32 - mention.weight;
            if nearest.as_ref().is_none_or(|(known, ..)| rank < *known) {
                nearest = Some((rank, side, distance, mention));
            }
        }
        match &nearest {
            None => list.both(F::Mention, 0, 0),
            Some((_, side, distance, mention)) => {
                list.both(F::Mention, *side, *distance);
                let sort = match mention {
                    Mention { unit: true, .. } => 3,
                    Mention { cue: true, .. } => 2,
                    mention => usize::from(mention.weight >= 0.9),
                };
                list.both(F::MentionFull, sort, *side);
            }
        }
        let far = |mention: &Mention| match (mention.tokens.end <= at.start, mention.tokens.start >= at.end) {
            (true, _) => at.start - mention.tokens.end,
            (_, true) => mention.tokens.start - at.end,
            _ => 0,
        };
        let own = self.mentions[place].iter().map(far).min();
        let others = (0..self.slots.len()).filter(|no| *no != place);
        let other = others.flat_map(|no| self.mentions[no].iter().map(move |mention| (far(mention), no))).min();
        if let Some((far, no)) = other.filter(|(far, _)| own.is_none_or(|own| own > *far)) {
            list.both(F::OtherMention, far, usize::from(self.slots[no].class == slot.class));
        }
        let places = [at.start.checked_sub(1), at.start.checked_sub(2), Some(at.end), Some(at.end + 1)];
        for (side, no) in places.into_iter().enumerate() {
            let Some((no, token)) = no.and_then(|no| Some((no, self.analysis.tokens.get(no)?))) else { continue };
            if token.kind.is_mark() || token.plain.chars().count() < 2 {
                continue;
            }
            if self.prepared.names(place, no) {
                list.both(F::Beside, side, 0);
                let next = self.analysis.tokens.get(no + 1);
                let leads = next.is_some_and(|next| next.capital || self.explained[no + 1] == Some(Explained::Typed));
                if side >= 2 && leads {
                    list.both(F::LeadsOn, 0, 0);
                }
            } else if !token.function && self.prepared.helps(place, no) {
                list.both(F::Beside, side, 1);
            } else if !token.function && self.prepared.names_any(no) {
                list.both(F::Beside, side, 2);
            }
        }
        let named = |no: usize| !self.analysis.tokens[no].function && self.prepared.names(place, no);
        if candidate.source != Source::Named && at.clone().any(named) {
            list.both(F::NameInside, 0, 0);
        }
        let clause = self.analysis.tokens.get(at.start).map(|token| token.clause);
        let beside =
            (0..self.analysis.len()).filter(|no| !at.contains(no) && Some(self.analysis.tokens[*no].clause) == clause);
        let (mut name, mut help) = (false, false);
        for no in beside.filter(|no| !self.analysis.tokens[*no].function) {
            name |= self.prepared.names(place, no);
            help |= self.prepared.helps(place, no);
        }
        if name {
            list.both(F::NameInClause, 0, 0);
        }
        if help {
            list.both(F::NameInClause, 1, 0);
        }
    }

    /// What the words around a candidate are about.
    pub(super) fn of_senses(&self, place: usize, candidate: &Candidate, list: &mut List) {
        const NEAR: usize = 2;
        const FAR: usize = 6;
        let at = &candidate.tokens;
        let clause = self.analysis.tokens.get(at.start).map(|token| token.clause);
        // By side, nearest first: of a side only the nearest sense that is of any slot counts.
        let mut left: Option<(usize, usize)> = None;
        let mut right: Option<(usize, usize)> = None;
        let (mut inside, mut beside) = ([false; 3], [false; 3]);
        for (no, (span, _)) in self.analysis.senses.iter().enumerate() {
            let Some(who) = self.prepared.whose(place, no) else { continue };
            if overlap(span, at) {
                inside[who] = true;
                continue;
            }
            if self.analysis.tokens.get(span.start).map(|token| token.clause) != clause {
                continue;
            }
            beside[who] = true;
            if span.end <= at.start {
                let far = at.start - span.end;
                if far < FAR && left.is_none_or(|known| (far, who) < known) {
                    left = Some((far, who));
                }
            } else {
                let far = span.start - at.end;
                if far < FAR && right.is_none_or(|known| (far, who) < known) {
                    right = Some((far, who));
                }
            }
        }
        if let Some((far, who)) = left {
            list.both(F::Sense, usize::from(far < NEAR), who);
        }
        if let Some((far, who)) = right {
            list.both(F::Sense, 2 + usize::from(far < NEAR), who);
        }
        for who in 0..3 {
            if inside[who] {
                list.both(F::Sense, 4, who);
            }
            if beside[who] {
                list.both(F::Sense, 5, who);
            }
        }
    }

    /// Telling words between two places, and whether a sentence ends there.
    fn between(&self, tokens: &Range<usize>) -> (usize, bool) {
        let all = self.analysis.tokens.get(tokens.clone()).unwrap_or_default();
        let words = all.iter().filter(|token| !token.function && !token.kind.is_mark()).count();
        (words, all.iter().any(|token| token.kind == TokenKind::Stop))
    }
}
