//! What one lane remembers: the calls in its window, those that wait, and what the platform refused.

use std::collections::BTreeSet;
use std::ops::Bound;

use tokio::time::Instant;

use super::{CALM, Rate, When};

/// The time that a call was promised, and its number. Calls leave in this order.
pub(super) type Promise = (Instant, u64);

/// What a lane remembers.
#[derive(Debug, Default)]
pub(super) struct Track {
    /// Calls made within the window, and those that wait for their time: when each counts, and what it was promised.
    pub(super) places: BTreeSet<(Instant, Promise)>,
    /// Until when nothing leaves, because the platform said so.
    pub(super) held: Option<Instant>,
    /// The narrower lane that was refused last, and until when.
    pub(super) blamed: Option<(String, Instant)>,
    /// From when on nothing in here matters any more.
    pub(super) stale: Option<Instant>,
}

impl Track {
    pub(super) fn hold(&mut self, until: Instant) {
        self.held = self.held.max(Some(until));
        self.matters_until(until + CALM);
    }

    pub(super) fn matters_until(&mut self, until: Instant) {
        self.stale = self.stale.max(Some(until));
    }

    /// Whether the platform has refused something lately.
    pub(super) fn is_calm(&self, at: Instant) -> bool {
        self.held.is_some_and(|until| until + CALM > at)
    }

    pub(super) fn earliest(&self, rate: When, from: Instant) -> Instant {
        let from = self.held.map_or(from, |until| until.max(from));
        match rate {
            When::Always(rate) => self.fit(rate, from),
            When::OnceRefused(rate) if self.is_calm(from) => self.fit(rate.evenly(), from),
            When::OnceRefused(_) => from,
        }
    }

    /// The earliest time from `from` on at which one more place leaves no window with too many.
    fn fit(&self, rate: Rate, from: Instant) -> Instant {
        let ends = self.places.iter().map(|(at, _)| *at + rate.per).filter(|end| *end > from);
        let mut ends = std::iter::once(from).chain(ends);
        ends.find(|at| self.has_room(rate, *at)).unwrap_or(from)
    }

    /// Places that count in the window that ends at a moment, and later ones.
    fn since(&self, at: Instant, rate: Rate) -> impl Iterator<Item = &(Instant, Promise)> {
        // What was promised never comes after what counts.
        let after = |from| Bound::Excluded((from, (from, u64::MAX)));
        self.places.range((at.checked_sub(rate.per).map_or(Bound::Unbounded, after), Bound::Unbounded))
    }

    /// Until when places that were promised before one leave no room for it.
    pub(super) fn crowded(&self, rate: When, promise: Promise, now: Instant) -> Option<Instant> {
        let When::Always(rate) = rate else { return None };
        let before: Vec<_> = self.since(now, rate).filter(|(_, other)| *other < promise).collect();
        before.len().checked_sub(rate.most()).and_then(|first| before.get(first)).map(|(counts, _)| *counts + rate.per)
    }

    fn has_room(&self, rate: Rate, at: Instant) -> bool {
        let near = self.since(at, rate).take_while(|(time, _)| *time < at + rate.per);
        let (mut near, most): (Vec<Instant>, usize) = (near.map(|(time, _)| *time).collect(), rate.most());
        near.push(at);
        near.sort_unstable();
        near.windows(most + 1).all(|window| window[most].duration_since(window[0]) >= rate.per)
    }
}
