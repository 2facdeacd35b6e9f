//! Days, times of day and lengths of time as form files write them.

use jiff::civil;

use formwright_values::when::bound::Bound;

/// Seconds in a unit of a length of time.
fn seconds(unit: &str) -> Option<i64> {
    Some(match unit {
        "s" => 1,
        "m" | "min" => 60,
        "h" => 3_600,
        "d" => 86_400,
        "w" => 604_800,
        _ => return None,
    })
}

/// Reads a length of time such as `7d` or `1h 30m` as seconds.
pub fn length(text: &str) -> Option<i64> {
    let parts = parts(text)?;
    let total =
        parts.iter().try_fold(0i64, |total, (count, unit)| total.checked_add(count.checked_mul(seconds(unit)?)?))?;
    Some(total)
}

/// Reads `2026-03-01`, `today`, `today-18y`, `today+1m 2d`.
pub(super) fn day(text: &str) -> Option<Bound> {
    let text = text.trim();
    let Some(distance) = text.strip_prefix("today") else {
        return text.parse::<civil::Date>().ok().map(Bound::Day);
    };
    let distance = distance.trim();
    let (mut years, mut months, mut days) = (0, 0, 0);
    if !distance.is_empty() {
        let (sign, distance) = match (distance.strip_prefix('-'), distance.strip_prefix('+')) {
            (Some(distance), _) => (-1, distance),
            (_, Some(distance)) => (1, distance),
            _ => return None,
        };
        for (count, unit) in parts(distance)? {
            let count = i32::try_from(count).ok().filter(|count| *count <= 100_000)? * sign;
            match unit {
                "y" => years = i16::try_from(count).ok()?,
                "m" => months = count,
                "w" => days += count * 7,
                "d" => days += count,
                _ => return None,
            }
        }
    }
    Some(Bound::FromToday { years, months, days })
}

/// Reads `18:30`.
pub(super) fn clock(text: &str) -> Option<civil::Time> {
    text.trim().parse().ok()
}

/// Numbers with units; `None` where there are none or something else.
fn parts(text: &str) -> Option<Vec<(i64, &str)>> {
    let mut rest = text.trim();
    let mut parts = Vec::new();
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit())?;
        let (number, after) = rest.split_at(digits);
        let after = after.trim_start();
        let letters = after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len());
        let (unit, after) = after.split_at(letters);
        parts.push((number.parse().ok()?, unit));
        rest = after.trim_start();
    }
    (!parts.is_empty()).then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[rstest::rstest]
    #[case("7d", Some(604_800))]
    #[case("1h 30m", Some(5_400))]
    #[case("90 s", Some(90))]
    #[case("", None)]
    #[case("7", None)]
    #[case("7 fortnights", None)]
    #[case("99999999999999999d", None)]
    fn a_length_is_read(#[case] text: &str, #[case] seconds: Option<i64>) {
        assert_eq!(length(text), seconds);
    }

    #[rstest::rstest]
    #[case("today", Some((0, 0, 0)))]
    #[case("today-100y", Some((-100, 0, 0)))]
    #[case("today + 2w 1d", Some((0, 0, 15)))]
    #[case("today-1m", Some((0, -1, 0)))]
    #[case("today 5d", None)]
    #[case("todayish", None)]
    #[case("today+99999y", None)]
    fn a_distance_from_today_is_read(#[case] text: &str, #[case] distance: Option<(i16, i32, i32)>) {
        let bound = distance.map(|(years, months, days)| Bound::FromToday { years, months, days });
        assert_eq!(day(text), bound);
    }

    #[test]
    fn a_day_is_read() {
        assert_eq!(day("2028-02-29"), Some(Bound::Day(civil::date(2028, 2, 29))));
        assert_eq!(day("2027-02-29"), None);
        assert_eq!(clock("18:30"), Some(civil::time(18, 30, 0, 0)));
        assert_eq!(clock("25:00"), None);
    }
}
