//! One assignment of all slots at once: every slot gets one of its candidates or nothing, and no token is used twice.

use std::ops::Range;

use formwright_form::kind::overlap;

/// A slot with its choices; the first is nothing.
#[derive(Debug)]
pub(crate) struct Choices {
    /// How likely each is, of this slot alone: they add up to 1.
    pub(crate) likely: Vec<f32>,
    /// The tokens that each uses up; none for nothing.
    pub(crate) tokens: Vec<Option<Range<usize>>>,
}

/// Most choices of a slot that are tried, and most assignments that are kept while slots are added.
const TRIED: usize = 5;
const KEPT: usize = 48;

/// A part of an assignment.
#[derive(Clone, Debug)]
struct State {
    score: f32,
    picks: Vec<usize>,
    used: Vec<Range<usize>>,
}

/// The most likely assignment: the number of the choice of each slot.
pub(crate) fn assign(slots: &[&Choices]) -> Vec<usize> {
    // The surest first, so that what they use up is known early.
    let mut order: Vec<usize> = (0..slots.len()).collect();
    order.sort_by(|a, b| nothing(slots[*a]).total_cmp(&nothing(slots[*b])).then(a.cmp(b)));
    let mut states = vec![State { score: 0.0, picks: vec![0; slots.len()], used: Vec::new() }];
    for no in order {
        let slot = slots[no];
        let mut tried: Vec<usize> = (1..slot.likely.len()).collect();
        tried.sort_by(|a, b| slot.likely[*b].total_cmp(&slot.likely[*a]).then(a.cmp(b)));
        tried.truncate(TRIED);
        let mut next = Vec::with_capacity(states.len() * (tried.len() + 1));
        for state in &states {
            for choice in std::iter::once(0).chain(tried.iter().copied()) {
                let tokens = slot.tokens[choice].as_ref();
                if tokens.is_some_and(|tokens| state.used.iter().any(|used| overlap(used, tokens))) {
                    continue;
                }
                let mut state = state.clone();
                state.score += (slot.likely[choice] + 1e-9).ln();
                state.picks[no] = choice;
                state.used.extend(tokens.cloned());
                next.push(state);
            }
        }
        next.sort_by(|a, b| b.score.total_cmp(&a.score));
        next.truncate(KEPT);
        states = next;
    }
    states.into_iter().next().map(|state| state.picks).unwrap_or_default()
}

fn nothing(slot: &Choices) -> f32 {
    slot.likely.first().copied().unwrap_or(1.0)
}

/// How likely each choice is, of scores.
pub(crate) fn likely(scores: &[f32]) -> Vec<f32> {
    let most = scores.iter().copied().fold(f32::MIN, f32::max);
    let all: Vec<f32> = scores.iter().map(|score| (score - most).exp()).collect();
    let sum: f32 = all.iter().sum();
    all.into_iter().map(|one| one / sum).collect()
}
