//! Days of calendars that follow the moon: the Chinese one, that of Islam, those of India.
//!
//! Worked out from the sky ([`super::sky`]), after E. M. Reingold and N. Dershowitz, *Calendrical Calculations*: the Chinese
//! months as fixed in 1645, the months of Umm al-Qura, the Indian months that end with the new moon. Where a day of the
//! moon falls on no single day by its rule, the day is not known.

use jiff::ToSpan as _;
use jiff::civil::Date;

use super::sky;

/// Years for which they are worked out.
const YEARS: std::ops::RangeInclusive<i16> = 1900..=2100;

/// The new moon that began the first month of the year 1 of the Hijra, counted back from the first of 2000.
const HIJRA: i32 = 17_037;

/// The hours that India is before Greenwich.
const INDIA: f64 = 5.5;

/// A day of the Chinese calendar, as reckoned so many hours before Greenwich, in the Gregorian year that its year begins in.
pub(crate) fn chinese(year: i16, month: i8, day: i8, hours: i8) -> Option<Date> {
    let hours = f64::from(hours);
    YEARS.contains(&year).then_some(())?;
    let solstice = |year: i16| sky::day(sky::sun_at(270.0, year)?, hours);
    let begins = |no: i32| sky::day(sky::new_moon(no), hours);
    let first_of = |day: Date| {
        let last = sky::new_moon_before(day) + 2;
        (last - 4..=last).rev().find(|no| begins(*no).is_some_and(|first| first <= day))
    };
    let (eleventh, next) = (first_of(solstice(year.checked_sub(1)?)?)?, first_of(solstice(year)?)?);
    let sign = |day: Date| sky::whole(sky::sun(sky::moment(day) - hours / 24.0).rem_euclid(360.0) / 30.0);
    let mut leap = next - eleventh == 13;
    let mut no = 11;
    for new in eleventh + 1..eleventh + 14 {
        let first = begins(new)?;
        // The first month in which the sun enters no sign is counted twice.
        if leap && sign(first) == sign(begins(new + 1)?) {
            leap = false;
            continue;
        }
        no = no % 12 + 1;
        if no == month && new > eleventh + 1 {
            return first.checked_add(i32::from(day - 1).days()).ok();
        }
    }
    None
}

/// The days that a day of the calendar of Islam is on in a year: two in some years.
pub(crate) fn islamic(year: i16, month: i8, day: i8) -> Vec<Date> {
    let on = |no: i32| sky::after_crescent(sky::new_moon(no))?.checked_add(i32::from(day - 1).days()).ok();
    let of_month = |no: &i32| (no + HIJRA).rem_euclid(12) == i32::from(month - 1);
    moons_of(year).filter(of_month).filter_map(on).filter(|date| date.year() == year).collect()
}

/// A day of the moon, 1 to 30, in a month of India (the first is Chaitra), as it is at an hour of the day there.
pub(crate) fn hindu(year: i16, month: i8, day: i8, minutes: i16) -> Option<Date> {
    let hour = f64::from(minutes) / 60.0;
    moons_of(year).find_map(|no| {
        let (first, last) = (sky::new_moon(no), sky::new_moon(no + 1));
        let sign = |at: f64| sky::whole((sky::sun(at) - sky::precession(at)).rem_euclid(360.0) / 30.0);
        // A month in which the sun enters no sign is added and has no feasts.
        if sign(first) == sign(last) || (sign(first) + 1) % 12 + 1 != i32::from(month) {
            return None;
        }
        let begins = sky::day(first, INDIA)?;
        let at_hour = |n: i32| {
            let date = begins.checked_add(n.days()).ok()?;
            let at = sky::moment(date) + (hour - INDIA) / 24.0;
            let of_moon = sky::whole(sky::lead(at) / 12.0) + 1;
            ((first..last).contains(&at) && of_moon == i32::from(day)).then_some(date)
        };
        // By its mean length a day of the moon is near a day of as many days.
        let around = i32::from(day) - 3..=i32::from(day) + 2;
        let mut found = around.filter_map(at_hour);
        let only = found.next().filter(|_| found.next().is_none())?;
        (only.year() == year).then_some(only)
    })
}

/// When the sun comes to a longitude, as a day on a clock so many minutes before that of Greenwich; in the signs of India
/// where `sidereal`.
pub(crate) fn sun_enters(year: i16, longitude: i16, minutes: i16, sidereal: bool) -> Option<Date> {
    YEARS.contains(&year).then_some(())?;
    let from = if sidereal { sky::precession(sky::moment(Date::new(year, 1, 1).ok()?)) } else { 0.0 };
    sky::day(sky::sun_at((f64::from(longitude) + from).rem_euclid(360.0), year)?, f64::from(minutes) / 60.0)
}

/// The new moons whose months may reach into a year.
fn moons_of(year: i16) -> impl Iterator<Item = i32> {
    let first = Date::new(year, 1, 1).ok().filter(|_| YEARS.contains(&year)).map(sky::new_moon_before);
    first.into_iter().flat_map(|first| first - 2..first + 14)
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[rstest::rstest]
    #[case(1, 1, date(1985, 2, 20))]
    #[case(1, 1, date(2013, 2, 10))]
    #[case(1, 1, date(2026, 2, 17))]
    #[case(1, 1, date(2033, 1, 31))]
    #[case(1, 1, date(2034, 2, 19))]
    #[case(5, 5, date(2025, 5, 31))]
    #[case(8, 15, date(2020, 10, 1))]
    #[case(8, 15, date(2023, 9, 29))]
    fn the_chinese_calendar(#[case] month: i8, #[case] day: i8, #[case] on: Date) {
        assert_eq!(chinese(on.year(), month, day, 8), Some(on));
    }

    #[rstest::rstest]
    #[case(1, 1, &[date(2023, 7, 19)])]
    #[case(9, 1, &[date(2026, 2, 18)])]
    #[case(10, 1, &[date(2000, 1, 8), date(2000, 12, 27)])]
    #[case(10, 1, &[date(2024, 4, 10)])]
    #[case(12, 10, &[date(2026, 5, 27)])]
    fn the_calendar_of_islam(#[case] month: i8, #[case] day: i8, #[case] on: &[Date]) {
        assert_eq!(islamic(on[0].year(), month, day), on);
    }

    #[rstest::rstest]
    #[case::diwali(7, 30, 18, date(2022, 10, 24))]
    #[case::diwali(7, 30, 18, date(2026, 11, 8))]
    #[case::ram_navami(1, 9, 12, date(2024, 4, 17))]
    #[case::guru_nanak(8, 15, 6, date(2023, 11, 27))]
    fn calendars_of_india(#[case] month: i8, #[case] day: i8, #[case] hour: i16, #[case] on: Date) {
        assert_eq!(hindu(on.year(), month, day, hour * 60), Some(on));
    }

    #[test]
    fn a_day_of_the_moon_that_is_on_two_days_at_its_hour_is_not_known() {
        assert_eq!(hindu(2024, 7, 30, 18 * 60), None);
    }

    #[test]
    fn the_sun_enters_signs() {
        assert_eq!(sun_enters(2018, 270, 705, true), Some(date(2018, 1, 14)));
        assert_eq!(sun_enters(2019, 270, 705, true), Some(date(2019, 1, 15)));
        assert_eq!(sun_enters(2026, 15, 480, false), Some(date(2026, 4, 5)));
    }

    #[test]
    fn other_years_have_none() {
        for year in [-9999, 1899, 2101, 9999] {
            assert_eq!((chinese(year, 1, 1, 8), islamic(year, 1, 1)), (None, Vec::new()));
            assert_eq!((hindu(year, 1, 1, 360), sun_enters(year, 0, 0, true)), (None, None));
        }
    }
}
