//! Times of day told by how far they are from another one: "two hours after midnight", "10 minutes before 9 pm", "une heure
//! avant midi".

use jiff::civil::Time;

use super::clock::{Bare, Clock};
use super::{Line, Strength};
use crate::form::language::dates::Mark;

/// Seconds of a day.
const DAY: i64 = 86_400;

impl Line<'_> {
    /// Reads a time that lies so far before or after one that is sure, on the same day.
    pub(super) fn clock_by_distance(&self, at: usize) -> Option<Clock> {
        let lasting = self.length(at)?;
        let seconds = Some(lasting.length).filter(|by| by.seconds > 0 && by.days == 0 && by.months == 0)?.seconds;
        // "For two hours from noon" is how long something lasts.
        let lasts = self.follows(at, &[Mark::For]) || self.mark(lasting.end, Mark::From).is_some();
        if lasts || self.mark(lasting.end, Mark::On).is_some() {
            return None;
        }
        let (next, sign) = match (self.mark(lasting.end, Mark::Before), self.mark(lasting.end, Mark::After)) {
            (Some(next), _) => (next, -1),
            (None, Some(next)) => (next, 1),
            (None, None) => return None,
        };
        let base = self.clock(self.skip(next, &[Mark::The]), None, Bare::Never)?;
        let [time] = base.times[..] else { return None };
        let of_day = i64::from(time.hour()) * 3600 + i64::from(time.minute()) * 60 + i64::from(time.second());
        // What lies before midnight is of the evening.
        let of_day = if of_day == 0 && sign < 0 { DAY } else { of_day };
        let moved = of_day.checked_add(seconds.checked_mul(sign)?).filter(|moved| (0..DAY).contains(moved))?;
        let part = |n: i64| i8::try_from(n).ok();
        let time = Time::new(part(moved / 3600)?, part(moved / 60 % 60)?, part(moved % 60)?, 0).ok()?;
        (base.strength > Strength::Weak).then(|| Clock { end: base.end, times: vec![time], strength: Strength::Typed })
    }
}
