//! What is the same for every candidate of a message, looked up once.

use std::ops::Range;

use formwright_form::kind::Strength;
use formwright_text::root;

use super::super::analysis::Analysis;
use super::super::slots::{SlotClass, SlotFacts};
use super::{Explained, Typed};

/// Counted of some part of a message.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counted {
    /// All but marks.
    pub(super) words: usize,
    /// Those that name something.
    pub(super) telling: usize,
    /// Those of them that nothing explains.
    pub(super) unexplained: usize,
}

/// What candidates are compared with, by slot and token.
#[derive(Debug)]
pub(super) struct Prepared {
    tokens: usize,
    /// By slot and token: it is of the slot's name; it is of its help.
    names: Vec<bool>,
    helps: Vec<bool>,
    /// By token: it is of some slot's name.
    names_any: Vec<bool>,
    senses: usize,
    /// By slot and sense: see [`Self::whose`].
    whose: Vec<Option<u8>>,
    /// Counted before each token, and in all.
    before: Vec<Counted>,
    /// How many places have a typed value of each class.
    spans: Vec<(SlotClass, usize)>,
}

impl Prepared {
    pub(super) fn new(
        analysis: &Analysis<'_>,
        slots: &[SlotFacts<'_>],
        explained: &[Option<Explained>],
        typed: &[Typed],
    ) -> Self {
        let roots: Vec<&str> = analysis.tokens.iter().map(|token| root(&token.plain)).collect();
        let of = |slot: &SlotFacts<'_>, help: bool| -> Vec<bool> {
            let set = if help { &slot.help } else { &slot.name };
            roots.iter().map(|root| set.contains(*root)).collect()
        };
        let names: Vec<bool> = slots.iter().flat_map(|slot| of(slot, false)).collect();
        let helps = slots.iter().flat_map(|slot| of(slot, true)).collect();
        let names_any = roots.iter().map(|root| slots.iter().any(|slot| slot.name.contains(*root))).collect();
        let mut whose = Vec::with_capacity(slots.len() * analysis.senses.len());
        for slot in slots {
            for (_, sense) in &analysis.senses {
                let own = slot.senses.contains(sense);
                let others = slots.iter().any(|other| other.no != slot.no && other.senses.contains(sense));
                whose.push(match (own, others) {
                    (true, false) => Some(0),
                    (true, true) => Some(1),
                    (false, true) => Some(2),
                    (false, false) => None,
                });
            }
        }
        let mut before = Vec::with_capacity(roots.len() + 1);
        let mut so_far = Counted::default();
        for (token, explained) in analysis.tokens.iter().zip(explained) {
            before.push(so_far);
            let word = !token.kind.is_mark();
            let telling = word && !token.function;
            so_far.words += usize::from(word);
            so_far.telling += usize::from(telling);
            so_far.unexplained += usize::from(telling && explained.is_none());
        }
        before.push(so_far);
        let mut places: Vec<(SlotClass, usize, usize)> = typed
            .iter()
            .filter(|typed| typed.strength > Strength::Weak)
            .map(|typed| (typed.class, typed.tokens.start, typed.tokens.end))
            .collect();
        places.sort_unstable();
        places.dedup();
        let mut spans: Vec<(SlotClass, usize)> = Vec::new();
        for (class, ..) in places {
            match spans.last_mut().filter(|(last, _)| *last == class) {
                Some((_, count)) => *count += 1,
                None => spans.push((class, 1)),
            }
        }
        Self { tokens: roots.len(), names, helps, names_any, senses: analysis.senses.len(), whose, before, spans }
    }

    /// Whether a token is of a slot's name.
    pub(super) fn names(&self, place: usize, token: usize) -> bool {
        self.names.get(place * self.tokens + token).copied().unwrap_or(false)
    }

    /// Whether a token is of a slot's help.
    pub(super) fn helps(&self, place: usize, token: usize) -> bool {
        self.helps.get(place * self.tokens + token).copied().unwrap_or(false)
    }

    /// Whether a token is of some slot's name.
    pub(super) fn names_any(&self, token: usize) -> bool {
        self.names_any.get(token).copied().unwrap_or(false)
    }

    /// Whether a sense of the message is of a slot alone (0), of it and others (1), or of others alone (2).
    pub(super) fn whose(&self, place: usize, sense: usize) -> Option<usize> {
        self.whose.get(place * self.senses + sense).copied().flatten().map(usize::from)
    }

    /// The words outside of some tokens.
    pub(super) fn outside(&self, tokens: &Range<usize>) -> Counted {
        let at = |no: usize| self.before.get(no).or(self.before.last()).copied().unwrap_or_default();
        let (start, end, all) = (at(tokens.start), at(tokens.end), at(self.tokens));
        Counted {
            words: all.words - (end.words - start.words),
            telling: all.telling - (end.telling - start.telling),
            unexplained: all.unexplained - (end.unexplained - start.unexplained),
        }
    }

    /// How many places have a typed value of a class that is no weak one.
    pub(super) fn spans_of(&self, class: SlotClass) -> usize {
        self.spans.iter().find(|(of, _)| *of == class).map_or(0, |(_, count)| *count)
    }
}
