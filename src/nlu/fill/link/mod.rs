//! The features of a candidate: how it stands to its slot, to what is beside it, and to what else the message says.

mod names;
mod prepared;
mod typed;
mod words;

use std::ops::Range;

use formwright_form::Value;
use formwright_form::cues::Role;
use formwright_form::kind::Strength;
use formwright_lexicon::class::Class;

use self::prepared::Prepared;
use super::analysis::{Analysis, TokenKind};
use super::candidate::{Candidate, Source};
use super::feature::{F, Feature, feature};
use super::slots::{SlotClass, SlotFacts};
use crate::Scene;
use crate::spans::Board;

/// Where a slot's name is said.
struct Mention {
    tokens: Range<usize>,
    weight: f32,
    cue: bool,
    unit: bool,
}

/// What explains a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Explained {
    Mention,
    Typed,
    Weak,
}

/// A typed value, whichever slot may take it.
struct Typed {
    tokens: Range<usize>,
    class: SlotClass,
    strength: Strength,
}

/// What candidates are compared with.
pub(crate) struct Surroundings<'a> {
    analysis: &'a Analysis<'a>,
    slots: &'a [SlotFacts<'a>],
    board: &'a Board<'a>,
    /// By place in `slots`.
    mentions: Vec<Vec<Mention>>,
    explained: Vec<Option<Explained>>,
    prepared: Prepared,
    typed: Vec<Typed>,
    asked: Option<usize>,
    any_held: bool,
    today: jiff::civil::Date,
}

/// The candidates of one slot.
pub(crate) struct Rivals<'a> {
    all: &'a [&'a Candidate],
    /// The places of those that a grammar found, in order.
    typed: Vec<&'a Range<usize>>,
}

impl<'a> Rivals<'a> {
    pub(crate) fn new(all: &'a [&'a Candidate]) -> Self {
        let found = all.iter().filter(|candidate| candidate.source == Source::Typed);
        let mut typed: Vec<&Range<usize>> = found.map(|candidate| &candidate.tokens).collect();
        typed.sort_by_key(|span| (span.start, span.end));
        typed.dedup();
        Self { all, typed }
    }
}

impl<'a> Surroundings<'a> {
    pub(crate) fn new(
        scene: &Scene<'_>,
        board: &'a Board<'a>,
        analysis: &'a Analysis<'a>,
        slots: &'a [SlotFacts<'a>],
        candidates: &[Candidate],
    ) -> Self {
        let mut explained = vec![None; analysis.len()];
        let mut mentions = Vec::with_capacity(slots.len());
        for slot in slots {
            let of = board.slots.get(slot.no).into_iter().flat_map(|of| board.mentions_of(of));
            let list: Vec<Mention> = of
                .map(|mention| Mention {
                    tokens: analysis.tokens_of_words(&mention.words),
                    weight: mention.weight,
                    cue: mention.cue,
                    unit: mention.unit,
                })
                .collect();
            for mention in &list {
                mark(&mut explained, &mention.tokens, Explained::Mention);
            }
            mentions.push(list);
        }
        let mut typed = Vec::new();
        for candidate in candidates.iter().filter(|candidate| candidate.source == Source::Typed) {
            if candidate.strength > Strength::Weak {
                for part in explained.get_mut(candidate.tokens.clone()).into_iter().flatten() {
                    *part = Some(Explained::Typed);
                }
            } else if candidate.tokens.clone().all(|no| analysis.tokens[no].kind == TokenKind::Digits) {
                mark(&mut explained, &candidate.tokens, Explained::Weak);
            }
            let class = slots.iter().find(|slot| slot.no == candidate.slot).map(|slot| slot.class);
            if let Some(class) = class {
                typed.push(Typed { tokens: candidate.tokens.clone(), class, strength: candidate.strength });
            }
        }
        Self {
            analysis,
            slots,
            board,
            mentions,
            prepared: Prepared::new(analysis, slots, &explained, &typed),
            explained,
            typed,
            asked: slots.iter().position(|slot| slot.asked),
            any_held: slots.iter().any(|slot| slot.held.is_some()),
            today: scene.now.date(),
        }
    }

    /// The features of a candidate of the slot at a place in the slots, among all candidates of that slot.
    pub(crate) fn of(&self, place: usize, candidate: &Candidate, rivals: &Rivals<'_>) -> Vec<Feature> {
        let slot = &self.slots[place];
        let mut list = List::new(slot);
        if candidate.value == Some(Value::Bool(false)) {
            list.class = SlotClass::DENIED;
        }
        Self::of_source(slot, candidate, rivals, &mut list);
        self.of_question(place, slot, candidate, &mut list);
        self.of_names(place, slot, candidate, &mut list);
        self.of_senses(place, candidate, &mut list);
        self.of_roles(slot, candidate, &mut list);
        self.of_repair(slot, candidate, &mut list);
        self.of_neighbours(slot, candidate, &mut list);
        if slot.is_words {
            self.of_words(place, slot, candidate, &mut list);
        } else {
            self.of_typed(place, slot, candidate, rivals, &mut list);
        }
        list.features
    }

    fn of_source(slot: &SlotFacts<'_>, candidate: &Candidate, rivals: &Rivals<'_>, list: &mut List) {
        list.add(F::Source, candidate.source as usize, 0);
        list.add(F::Rule, candidate.rule as usize, 0);
        candidate.taken.into_iter().for_each(|named| list.both(F::Taken, usize::from(named), 0));
        candidate.aside.into_iter().for_each(|aside| list.both(F::Aside, aside as usize, 0));
        if let Some(likeness) = candidate.likeness {
            list.add(F::Cover, quantised(likeness.cover, 5), 0);
            list.add(F::Margin, quantised(likeness.margin, 4), 0);
            list.add(F::How, likeness.how as usize, 0);
        }
        if candidate.source != Source::Typed {
            return;
        }
        list.both(F::Strength, candidate.strength as usize, usize::from(slot.asked));
        if rivals.typed.len() > 1 {
            match rivals.typed.iter().position(|span| **span == candidate.tokens).filter(|_| slot.peers > 1) {
                Some(no) => list.add(F::Order, usize::from(no == slot.nth), 0),
                None => list.both(F::Rivals, 0, 0),
            }
        }
    }

    fn of_question(&self, place: usize, slot: &SlotFacts<'_>, candidate: &Candidate, list: &mut List) {
        let asked = self.asked_state(place);
        list.both(F::Asked, asked, 0);
        let rest = self.prepared.outside(&candidate.tokens);
        let free = rest.unexplained;
        if rest.words == 0 {
            list.both(F::Whole, 1, asked);
        } else if rest.telling == 0 {
            list.both(F::Whole, 0, asked);
        }
        if free == 0 {
            list.both(F::Soft, asked, slot.peers);
        }
        list.both(F::Free, free, asked);
        if self.asked.is_some_and(|no| no != place && self.slots[no].class == slot.class) {
            list.add(F::AskedPeer, 0, 0);
        }
        let corrects = usize::from(self.analysis.corrects);
        if let Some(held) = slot.held {
            list.add(F::Held, usize::from(candidate.value.as_ref() != Some(held)), corrects);
        } else if self.any_held {
            list.add(F::Held, 2, corrects);
        }
        list.add(F::Peers, slot.peers, 0);
    }

    fn of_roles(&self, slot: &SlotFacts<'_>, candidate: &Candidate, list: &mut List) {
        let mut said = 0;
        for no in (candidate.tokens.start.saturating_sub(3)..candidate.tokens.start).rev() {
            match self.analysis.tokens[no].kind {
                TokenKind::Small(Class::From) => said = 1,
                TokenKind::Small(Class::To) => said = 2,
                TokenKind::Small(_) | TokenKind::Idle => continue,
                _ if no + 1 == candidate.tokens.start => continue,
                _ => {}
            }
            break;
        }
        let own = end(slot.role);
        if said + own > 0 {
            list.both(F::Role, said, own);
        }
        if candidate.end.is_some() {
            list.add(F::TypedRole, end(candidate.end), own);
        }
        if slot.peers > 1 {
            list.add(F::Nth, slot.nth, self.prepared.spans_of(slot.class));
        }
    }

    /// Whether a word that puts something right stands between this and another value of the class.
    fn of_repair(&self, slot: &SlotFacts<'_>, candidate: &Candidate, list: &mut List) {
        let at = &candidate.tokens;
        let repairs = |between: Range<usize>| {
            let all = self.analysis.tokens.get(between).unwrap_or_default();
            let direct = all.len() <= 4;
            let right = all.iter().any(|token| token.kind == TokenKind::Small(Class::Instead));
            let no = direct && all.iter().any(|token| token.kind == TokenKind::Small(Class::Not));
            (right || no, direct)
        };
        for typed in self.typed.iter().filter(|typed| typed.class == slot.class && typed.strength > Strength::Weak) {
            let (family, (repairs, direct)) = if typed.tokens.start >= at.end {
                (0, repairs(at.end..typed.tokens.start))
            } else if typed.tokens.end <= at.start {
                (1, repairs(typed.tokens.end..at.start))
            } else {
                continue;
            };
            if repairs {
                list.both(F::Repair, family, usize::from(direct));
            }
        }
    }

    fn of_neighbours(&self, slot: &SlotFacts<'_>, candidate: &Candidate, list: &mut List) {
        let (start, end) = (candidate.tokens.start, candidate.tokens.end);
        let left = self.analysis.kind(start.checked_sub(1));
        list.both(F::Left, left.index(), 0);
        list.both(F::Right, self.analysis.kind(Some(end)).index(), 0);
        list.add(F::Left2, self.analysis.kind(start.checked_sub(2)).index(), left.index());
        list.add(F::Right2, self.analysis.kind(Some(end + 1)).index(), 0);
        let bits = |all: &[u32], no: usize| {
            let of = all.get(no).copied().unwrap_or(0);
            (0..32).filter(move |bit| of & 1 << bit != 0)
        };
        for bit in bits(&self.analysis.led, start) {
            list.both(F::Led, bit, 0);
        }
        let Some(first) = self.analysis.tokens.get(start) else { return };
        let value = match candidate.value {
            Some(Value::Bool(yes)) => 2 - usize::from(yes),
            _ => 0,
        };
        if first.negated {
            list.add(F::InNegation, value, 0);
        } else if slot.class == SlotClass::YesNo {
            let yes = matches!(candidate.value, Some(Value::Bool(true)));
            list.add(F::Affirmed, usize::from(yes), 0);
        }
        if first.denied {
            list.both(F::InDenial, value, 0);
        }
        if first.of_other {
            list.both(F::OfOther, value, 0);
        }
        if first.supposed {
            list.both(F::Supposed, value, 0);
        }
        if first.quoted {
            list.both(F::Quoted, 0, 0);
        }
        if first.past {
            list.both(F::InPast, 0, 0);
        }
        if first.asked_about {
            list.both(F::InQuestion, 0, 0);
        }
        if self.analysis.corrects {
            list.add(F::Corrects, usize::from(slot.held.is_some()), 0);
        }
        if start == 0 {
            list.both(F::First, 0, 0);
        }
    }

    /// The features of leaving a slot as it is.
    pub(crate) fn of_nothing(&self, place: usize, rule: usize, found: usize) -> Vec<Feature> {
        let slot = &self.slots[place];
        let mut list = List::new(slot);
        list.both(F::Nothing, 0, 0);
        list.both(F::NothingAsked, self.asked_state(place), 0);
        list.add(F::NothingPeers, slot.peers, 0);
        if !self.mentions[place].is_empty() {
            list.both(F::NothingMention, 0, 0);
        }
        let (mut own, mut shared) = (false, false);
        for no in 0..self.analysis.senses.len() {
            own |= self.prepared.whose(place, no) == Some(0);
            shared |= self.prepared.whose(place, no) == Some(1);
        }
        if own {
            list.both(F::NothingSense, 0, 0);
        } else if shared {
            list.both(F::NothingSense, 1, 0);
        }
        if slot.held.is_some() {
            list.both(F::NothingHeld, 0, 0);
        }
        if !slot.required {
            list.both(F::NothingOptional, 0, 0);
        }
        if self.mentions.iter().any(|mentions| !mentions.is_empty()) {
            list.both(F::NothingNamed, 0, 0);
        }
        list.both(F::NothingFound, found, 0);
        if self.analysis.asks {
            list.both(F::NothingQuestion, 0, 0);
        }
        if self.analysis.tokens.iter().all(|token| token.function || token.kind.is_mark()) {
            list.both(F::NothingIdle, 0, 0);
        }
        list.both(F::NothingRule, rule, 0);
        list.features
    }

    /// Whether nothing, this slot or another was asked.
    fn asked_state(&self, place: usize) -> usize {
        match self.asked {
            None => 0,
            Some(no) => 1 + usize::from(no != place),
        }
    }
}

/// Features being gathered for a slot of a class.
struct List {
    class: usize,
    wide: usize,
    features: Vec<Feature>,
}

impl List {
    fn new(slot: &SlotFacts<'_>) -> Self {
        let wide = if slot.is_words { SlotClass::WORDS } else { SlotClass::TYPED };
        Self { class: slot.class as usize, wide, features: Vec::with_capacity(64) }
    }

    /// Adds a feature of the slot's class.
    fn add(&mut self, family: F, a: usize, b: usize) {
        self.features.push(feature(family, a, b, self.class));
    }

    /// Adds a feature of the slot's class, and the same of all classes of words, or of all others.
    fn both(&mut self, family: F, a: usize, b: usize) {
        self.add(family, a, b);
        self.features.push(feature(family, a, b, self.wide));
    }
}

/// Which of some equal parts of 0 to 1 a number lies in.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss, reason = "a handful")]
fn quantised(share: f32, parts: usize) -> usize {
    ((share.clamp(0.0, 1.0) * parts as f32) as usize).min(parts - 1)
}

/// Which end of two something is, as a feature counts it.
fn end(role: Option<Role>) -> usize {
    match role {
        None => 0,
        Some(Role::First) => 1,
        Some(Role::Second) => 2,
    }
}

fn mark(explained: &mut [Option<Explained>], tokens: &Range<usize>, what: Explained) {
    for part in explained.get_mut(tokens.clone()).into_iter().flatten() {
        part.get_or_insert(what);
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 3")]
fn rounded(weight: f32) -> usize {
    weight.round().max(0.0) as usize
}
