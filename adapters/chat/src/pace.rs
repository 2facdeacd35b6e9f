//! How fast a platform may be written to. Pure: the time is given, and the caller waits.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};

/// At most `count` in each `per`, evenly after a burst of `count`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// How many, at least 1.
    pub count: u32,
    /// In how long.
    pub per: SignedDuration,
}

impl Rate {
    /// At most `count` in each `per`.
    pub const fn new(count: u32, per: SignedDuration) -> Self {
        Self { count, per }
    }

    fn interval(self) -> SignedDuration {
        self.per / i32::try_from(self.count.max(1)).unwrap_or(i32::MAX)
    }
}

/// Lanes, each with the moment from which it is free: a channel, a route, the whole platform.
#[derive(Debug, Default)]
pub struct Pace {
    /// When the lane would be empty if nothing more were sent (a leaky bucket's theoretical arrival time).
    lanes: BTreeMap<String, Timestamp>,
    /// Until when the platform has told us to be silent, by lane.
    held: BTreeMap<String, Timestamp>,
}

/// Lanes kept before those that are free are forgotten.
const LANES: usize = 10_000;

impl Pace {
    /// When something may be sent that counts in each of these lanes; takes its place in them. The moment may be `now`.
    pub fn book(&mut self, lanes: &[(&str, Rate)], now: Timestamp) -> Timestamp {
        let at = self.when(lanes, now);
        for (lane, rate) in lanes {
            let arrival = self.lanes.get(*lane).copied().unwrap_or(now).max(now);
            self.lanes.insert((*lane).to_owned(), arrival + rate.interval());
        }
        if self.lanes.len() > LANES {
            self.lanes.retain(|_, arrival| *arrival > now);
            self.held.retain(|_, until| *until > now);
        }
        at
    }

    /// When something could be sent that counts in each of these lanes. Takes no place.
    pub fn when(&self, lanes: &[(&str, Rate)], now: Timestamp) -> Timestamp {
        lanes.iter().map(|(lane, rate)| self.free_at(lane, *rate, now)).fold(now, Timestamp::max)
    }

    /// The platform said to wait: nothing leaves in this lane before `until`.
    pub fn hold(&mut self, lane: &str, until: Timestamp) {
        let held = self.held.entry(lane.to_owned()).or_insert(until);
        *held = until.max(*held);
    }

    fn free_at(&self, lane: &str, rate: Rate, now: Timestamp) -> Timestamp {
        let held = self.held.get(lane).copied().unwrap_or(now);
        let arrival = self.lanes.get(lane).copied().unwrap_or(now);
        let full = rate.per - rate.interval();
        (arrival - full).max(held).max(now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: SignedDuration = SignedDuration::from_secs(1);

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_millisecond(1_800_000_000_000 + millis).unwrap()
    }

    #[test]
    fn a_burst_goes_at_once_and_the_rest_evenly() {
        let mut pace = Pace::default();
        let times: Vec<Timestamp> = (0..5).map(|_| pace.book(&[("chat", Rate::new(2, SECOND))], at(0))).collect();
        assert_eq!(times, [at(0), at(0), at(500), at(1000), at(1500)]);
    }

    #[test]
    fn the_slowest_lane_decides_and_a_held_one_waits() {
        let mut pace = Pace::default();
        let all = ("all", Rate::new(30, SECOND));
        assert_eq!(pace.book(&[("a", Rate::new(1, SECOND)), all], at(0)), at(0));
        assert_eq!(pace.book(&[("a", Rate::new(1, SECOND)), all], at(0)), at(1000));
        assert_eq!(pace.book(&[("b", Rate::new(1, SECOND)), all], at(0)), at(0));
        pace.hold("b", at(7000));
        assert_eq!(pace.book(&[("b", Rate::new(1, SECOND)), all], at(2000)), at(7000));
    }
}
