//! Times of day told by how far they are from another one: "two hours after midnight", "10 minutes before 9 pm", "une heure
//! avant midi", "midi moins cinq".

use formwright_lexicon::dates::{Mark, Term, Unit};
use formwright_text::Class;
use jiff::civil::Time;

use super::clock::{Bare, Clock};
use crate::when::{Line, Strength};

/// Seconds of a day.
const DAY: i64 = 86_400;

impl Line<'_> {
    /// Reads a time that lies so far before or after one that is sure, on the same day.
    pub(crate) fn clock_by_distance(&self, at: usize) -> Option<Clock> {
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
        (base.strength > Strength::Weak).then(|| Clock { zone: base.zone, ..Clock::one(base.end, time) })
    }

    /// Minutes that are added to noon and midnight, or taken from them: "mezzanotte e mezza", "midi moins cinq".
    pub(crate) fn minutes_behind(&self, at: usize) -> Option<(usize, i16)> {
        let named = self.pick(at, |term| if let Term::AfterHour(minutes) = term { Some(minutes) } else { None });
        let counted = |(mark, sign): (Mark, i16)| {
            let (end, minutes) = self.cardinal(self.mark(at, mark)?).filter(|(_, n)| (1..60).contains(n))?;
            let minute = |term| matches!(term, Term::Unit(Unit::Minute)).then_some(());
            let minutes_end = self.pick(end, minute).map(|(end, ())| end);
            // "À midi et 4 personnes" and "à midi et deux couverts" have no minutes.
            let alone = end == self.len() || self.class(end) == Some(Class::Mark);
            let is_minutes = minutes_end.is_some() || sign < 0 || alone && minutes % 5 == 0;
            is_minutes.then_some((minutes_end.unwrap_or(end), sign * i16::try_from(minutes).ok()?))
        };
        named.or_else(|| [(Mark::Minus, -1), (Mark::Plus, 1)].into_iter().find_map(counted))
    }
}
