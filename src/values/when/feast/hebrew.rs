//! Days of the Hebrew calendar, by its fixed arithmetic (E. M. Reingold and N. Dershowitz, *Calendrical Calculations*).
//!
//! A day of it begins on the evening before; the day told is the one that follows.

use jiff::ToSpan as _;
use jiff::civil::{Date, date};

/// Days from the beginning of its count to 2000-01-01.
const BEFORE_2000: i64 = 1_373_427 + 730_120;

/// A day in a year of the Gregorian calendar. Months are counted from Nisan; the twelfth is the last before the next one.
pub(crate) fn in_year(year: i16, month: i8, day: i8) -> Option<Date> {
    let autumn = (7..=9).contains(&month);
    let hebrew = i64::from(year) + if autumn { 3761 } else { 3760 };
    let before = i64::from(day) - 1;
    let days = if autumn {
        let of_heshvan = if length(hebrew) % 10 == 5 { 30 } else { 29 };
        new_year(hebrew) + [0, 30, 30 + of_heshvan].get(usize::try_from(month - 7).ok()?)? + before
    } else {
        // From Nisan to the next new year, and in the last month before Nisan, every year has as many days.
        let nisan = new_year(hebrew + 1) - 177;
        let leap = if length(hebrew) > 380 { 30 } else { 0 };
        let from_nisan = match month {
            1..=6 => [0, 30, 59, 89, 118, 148].get(usize::try_from(month - 1).ok()?).copied()?,
            12 => -29,
            11 => -59 - leap,
            10 => -88 - leap,
            _ => return None,
        };
        nisan + from_nisan + before
    };
    date(2000, 1, 1).checked_add((days - BEFORE_2000).days()).ok().filter(|date| date.year() == year)
}

/// Days from the beginning of the count to a new year.
fn new_year(year: i64) -> i64 {
    let (last, this, next) = (elapsed(year - 1), elapsed(year), elapsed(year + 1));
    this + match (next - this, this - last) {
        (356, _) => 2,
        (_, 382) => 1,
        _ => 0,
    }
}

fn length(year: i64) -> i64 {
    new_year(year + 1) - new_year(year)
}

/// Days from the beginning of the count to the new moon of a new year, put off where its day of the week forbids it.
fn elapsed(year: i64) -> i64 {
    let months = (235 * year - 234).div_euclid(19);
    let parts = 12_084 + 13_753 * months;
    let day = 29 * months + parts.div_euclid(25_920);
    if (3 * (day + 1)).rem_euclid(7) < 3 { day + 1 } else { day }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[rstest::rstest]
    #[case::new_year(7, 1, date(2023, 9, 16))]
    #[case::atonement(7, 10, date(2026, 9, 21))]
    #[case::lights(9, 25, date(2024, 12, 26))]
    #[case::lights(9, 25, date(2025, 12, 15))]
    #[case::trees(11, 15, date(2024, 1, 25))]
    #[case::purim(12, 14, date(2024, 3, 24))]
    #[case::purim(12, 14, date(2026, 3, 3))]
    #[case::passover(1, 15, date(2018, 3, 31))]
    #[case::weeks(3, 6, date(2026, 5, 22))]
    #[case::ninth_of_av(5, 9, date(2026, 7, 23))]
    fn a_day_is_found(#[case] month: i8, #[case] day: i8, #[case] on: Date) {
        assert_eq!(in_year(on.year(), month, day), Some(on));
    }

    #[test]
    fn no_year_panics() {
        for year in [-9999, -1, 0, 9999] {
            assert!((1..=12).all(|month| in_year(year, month, 1).is_none_or(|date| date.year() == year)));
        }
    }
}
