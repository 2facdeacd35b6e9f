//! Times of a day that a clock offers.

use jiff::civil::{Date, Time};

/// Times of a day that may be picked: what a clock offers. Where the first is after the last, midnight lies between them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hours {
    min: Option<Time>,
    max: Option<Time>,
}

impl Hours {
    /// Between two bounds as [`crate::Input::Time`] has them; what cannot be read bounds nothing.
    pub fn new(min: Option<&str>, max: Option<&str>) -> Self {
        let time = |text: Option<&str>| text.and_then(|text| text.parse().ok());
        Self { min: time(min), max: time(max) }
    }

    /// Those of a day, between two bounds as [`crate::Input::DateTime`] has them.
    pub fn of_day(day: Date, min: Option<&str>, max: Option<&str>) -> Self {
        let of = |bound: Option<&str>| {
            let (date, time) = bound?.split_once('T')?;
            date.parse().is_ok_and(|date: Date| date == day).then(|| time.parse().ok())?
        };
        Self { min: of(min), max: of(max) }
    }

    /// Whether a time may be picked.
    pub fn allow(&self, time: Time) -> bool {
        let after = self.min.is_none_or(|min| time >= min);
        let before = self.max.is_none_or(|max| time <= max);
        match (self.min, self.max) {
            (Some(min), Some(max)) if min > max => after || before,
            _ => after && before,
        }
    }

    /// The times of an hour that may be picked, so many minutes apart.
    pub fn within(&self, hour: i8, step: u8) -> Vec<Time> {
        let minutes = (0..60).step_by(usize::from(step.max(1)));
        minutes.filter_map(|minute| Time::new(hour, minute, 0, 0).ok()).filter(|time| self.allow(*time)).collect()
    }

    /// The hours with such times, from `first` on around the clock, or from the first that may be picked where there are
    /// bounds on both sides. All hours where none has any: then the bounds lie closer than the steps.
    pub fn open(&self, first: i8, step: u8) -> Vec<i8> {
        let first = self.min.filter(|_| self.max.is_some()).map_or(first, Time::hour);
        let clock: Vec<i8> = (0..24).map(|no| (first + no).rem_euclid(24)).collect();
        let open: Vec<i8> = clock.iter().copied().filter(|hour| !self.within(*hour, step).is_empty()).collect();
        if open.is_empty() { clock } else { open }
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::{date, time};

    use super::*;

    #[test]
    fn hours_without_a_time_to_pick_are_left_out() {
        let all = [6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 0, 1, 2, 3, 4, 5];
        let cases: [(&str, &str, &[i8]); 6] = [
            ("", "", &all),
            ("18:30", "22:00", &[18, 19, 20, 21, 22]),
            ("22:00", "01:30", &[22, 23, 0, 1]),
            ("21:00", "", &[21, 22, 23]),
            ("", "07:00", &[6, 7, 0, 1, 2, 3, 4, 5]),
            ("18:58", "20:00", &[19, 20]),
        ];
        for (min, max, open) in cases {
            assert_eq!(Hours::new(Some(min), Some(max)).open(6, 5), open, "{min} {max}");
        }
    }

    #[test]
    fn the_minutes_of_a_bounded_hour_are_those_that_count() {
        let hours = Hours::new(Some("18:50"), Some("19:05"));
        assert_eq!(hours.within(18, 5), [time(18, 50, 0, 0), time(18, 55, 0, 0)]);
        assert_eq!(hours.within(19, 5), [time(19, 0, 0, 0), time(19, 5, 0, 0)]);
        assert!(hours.within(20, 5).is_empty());
        assert_eq!(Hours::new(Some("18:01"), Some("18:04")).open(0, 5).len(), 24, "a time between is written");
    }

    #[test]
    fn bounds_of_moments_count_on_their_day() {
        let of = |day| Hours::of_day(day, Some("2026-11-20T10:00"), Some("2026-11-22T12:00"));
        assert!(!of(date(2026, 11, 20)).allow(time(9, 0, 0, 0)));
        assert!(of(date(2026, 11, 21)).allow(time(9, 0, 0, 0)));
        assert!(!of(date(2026, 11, 22)).allow(time(12, 1, 0, 0)));
    }
}
