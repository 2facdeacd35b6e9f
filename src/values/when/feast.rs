//! Feasts: the days of one in a year.

mod hebrew;
mod lunar;
mod sky;

use formwright_lexicon::dates::{Holiday, Mark, Term};
use jiff::civil::{Date, Weekday};
use jiff::{Span, ToSpan as _};

use super::bound::Prefer;
use super::day::calendar::Day;
use super::day::week::Which;
use super::{Anchor, Line, Strength};

impl Line<'_> {
    /// "Christmas", "last Easter", "Easter 2027", "Easter next year".
    pub(crate) fn feast(&self, at: usize, anchor: Anchor) -> Option<Day> {
        let (which, from) = self.which(at).map_or((None, at), |(end, which)| (Some(which), end));
        let (end, feast) = self.holiday(from)?;
        if let Some((end, year)) = self.year_said(self.skip_commas(end, &[Mark::Of, Mark::In])) {
            let dates = in_year(feast, year);
            return (!dates.is_empty()).then(|| Day::new(end, dates, Strength::Typed));
        }
        let anchor = match which {
            Some(Which::Last) => Anchor { prefer: Prefer::Past, ..anchor },
            Some(_) => Anchor { prefer: Prefer::Future, ..anchor },
            None => anchor,
        };
        Some(Day { open_year: which.is_none(), ..Day::one(end, anchor.nearest_feast(feast)?, Strength::Typed)? })
    }

    /// A feast's name.
    pub(crate) fn holiday(&self, at: usize) -> Option<(usize, Holiday)> {
        self.pick(at, |term| if let Term::Holiday(feast) = term { Some(feast) } else { None })
    }
}

/// The days of a feast in a year: one, two where its calendar is shorter, none where it has none or it is not known.
pub(crate) fn in_year(feast: Holiday, year: i16) -> Vec<Date> {
    if let Holiday::Islamic(month, day) = feast {
        return lunar::islamic(year, month, day);
    }
    day_in(feast, year).into_iter().collect()
}

fn day_in(feast: Holiday, year: i16) -> Option<Date> {
    let shift = |day: Date, days: i16| day.checked_add(Span::new().days(days)).ok();
    match feast {
        Holiday::Fixed(month, day) => Date::new(year, month, day).ok(),
        Holiday::Easter(days) => shift(easter(year)?, days),
        Holiday::Orthodox(days) => shift(orthodox(year)?, days),
        Holiday::Nth(month, nth, weekday, days) => {
            let weekday = Weekday::from_monday_one_offset(weekday).ok()?;
            shift(Date::new(year, month, 1).ok()?.nth_weekday_of_month(nth, weekday).ok()?, days)
        }
        Holiday::From(month, day, weekday) => {
            let weekday = Weekday::from_monday_one_offset(weekday).ok()?;
            Date::new(year, month, day).ok()?.yesterday().ok()?.nth_weekday(1, weekday).ok()
        }
        Holiday::Chinese(month, day, days, hours) => shift(lunar::chinese(year, month, day, hours)?, days),
        Holiday::Islamic(..) => None,
        Holiday::Hebrew(month, day, moves) => {
            let date = hebrew::in_year(year, month, day)?;
            let weekday = usize::try_from(date.weekday().to_monday_zero_offset()).ok()?;
            shift(date, i16::from(*moves.get(weekday)?))
        }
        Holiday::Hindu(month, day, minutes, days) => shift(lunar::hindu(year, month, day, minutes)?, days),
        Holiday::Sun(longitude, minutes) => lunar::sun_enters(year, longitude, minutes, false),
        Holiday::Sidereal(longitude, minutes, days) => shift(lunar::sun_enters(year, longitude, minutes, true)?, days),
    }
}

/// Easter Sunday, reckoned as the Gregorian calendar does (the "anonymous" method).
fn easter(year: i16) -> Option<Date> {
    let y = i32::from(year);
    let (a, b, c) = (y.rem_euclid(19), y.div_euclid(100), y.rem_euclid(100));
    let (d, e) = (b.div_euclid(4), b.rem_euclid(4));
    let g = (8 * b + 13).div_euclid(25);
    let h = (19 * a + b - d - g + 15).rem_euclid(30);
    let (i, k) = (c / 4, c % 4);
    let l = (32 + 2 * e + 2 * i - h - k).rem_euclid(7);
    let m = (a + 11 * h + 19 * l) / 433;
    let month = (h + l - 7 * m + 90) / 25;
    let day = (h + l - 7 * m + 33 * month + 19).rem_euclid(32);
    Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
}

/// Easter Sunday of the Julian calendar, as a day of the Gregorian one.
fn orthodox(year: i16) -> Option<Date> {
    let y = i32::from(year);
    let (a, b, c) = (y.rem_euclid(4), y.rem_euclid(7), y.rem_euclid(19));
    let d = (19 * c + 15).rem_euclid(30);
    let e = (2 * a + 4 * b - d + 34).rem_euclid(7);
    let (month, day) = ((d + e + 114) / 31, (d + e + 114) % 31 + 1);
    let julian = Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()?;
    julian.checked_add((y.div_euclid(100) - y.div_euclid(400) - 2).days()).ok()
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[rstest::rstest]
    #[case(Holiday::Easter(0), date(2010, 4, 4))]
    #[case(Holiday::Easter(0), date(2019, 4, 21))]
    #[case(Holiday::Easter(0), date(2026, 4, 5))]
    #[case(Holiday::Easter(-2), date(2027, 3, 26))]
    #[case(Holiday::Orthodox(0), date(2018, 4, 8))]
    #[case(Holiday::Orthodox(-2), date(2020, 4, 17))]
    #[case(Holiday::Nth(11, 4, 4, 1), date(2010, 11, 26))]
    #[case(Holiday::Nth(5, -1, 1, 0), date(2026, 5, 25))]
    #[case(Holiday::Fixed(12, 25), date(2026, 12, 25))]
    #[case(Holiday::From(11, 27, 7), date(2026, 11, 29))]
    #[case(Holiday::From(11, 2, 2), date(2024, 11, 5))]
    #[case(Holiday::Chinese(1, 1, -1, 8), date(2026, 2, 16))]
    #[case(Holiday::Hebrew(2, 5, [1, 0, 0, 0, -1, -2, 0]), date(2018, 4, 19))]
    #[case(Holiday::Hindu(12, 15, 1080, 1), date(2025, 3, 14))]
    #[case(Holiday::Sidereal(270, 705, 1), date(2018, 1, 15))]
    fn a_feast_is_on_its_day(#[case] feast: Holiday, #[case] day: Date) {
        assert_eq!(in_year(feast, day.year()), [day]);
    }

    #[test]
    fn no_year_panics() {
        for year in [-9999, -400, -1, 0, 1, 9999] {
            in_year(Holiday::Easter(-400), year);
            in_year(Holiday::Orthodox(400), year);
        }
        assert_eq!(in_year(Holiday::Fixed(2, 29), 2027), []);
    }
}
