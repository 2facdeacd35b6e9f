//! Feasts, as a language's table writes them.

use std::str::FromStr;

/// When a feast is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holiday {
    /// `12-25`: month and day.
    Fixed(i8, i8),
    /// `easter-2`: days from Easter Sunday.
    Easter(i16),
    /// `orthodox-2`: days from Orthodox Easter Sunday.
    Orthodox(i16),
    /// `11:4:4+1`: month, which of its days of the week (-1 the last), day of the week, days from there.
    Nth(i8, i8, i8, i16),
    /// `11-27>7`: the first such day of the week from a month's day on.
    From(i8, i8, i8),
    /// `chinese 1:1-1`: month and day of the Chinese calendar, days from there. `vietnamese` and `korean` reckon by their own
    /// clocks: the last number is by how many hours they are before Greenwich.
    Chinese(i8, i8, i16, i8),
    /// `islamic 10:1`: month and day of the calendar of Islam.
    Islamic(i8, i8),
    /// `hebrew 2:5 5-1 6-2`: month (from Nisan) and day of the Hebrew calendar; on these days of the week it is so many days
    /// earlier or later.
    Hebrew(i8, i8, [i8; 7]),
    /// `hindu 7:30@18:00+1`: month (from Chaitra) and day of the moon in India, the time of the day at which it is that day,
    /// days from there.
    Hindu(i8, i8, i16, i16),
    /// `sun 15@8:00`: when the sun comes to a longitude, on a clock so far before Greenwich.
    Sun(i16, i16),
    /// `sidereal 270@5:30+1`: the same in the signs of India, days from there.
    Sidereal(i16, i16, i16),
}

impl FromStr for Holiday {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        read(text).ok_or_else(|| format!("not a feast: {text}"))
    }
}

fn read(text: &str) -> Option<Holiday> {
    let number = |part: &str| if part.is_empty() { Some(0) } else { part.parse::<i16>().ok() };
    if let Some((calendar, rest)) = text.split_once(' ') {
        return of_calendar(calendar, rest);
    }
    if let Some(days) = text.strip_prefix("easter") {
        return Some(Holiday::Easter(number(days)?));
    }
    if let Some(days) = text.strip_prefix("orthodox") {
        return Some(Holiday::Orthodox(number(days)?));
    }
    if let Some((day, weekday)) = text.split_once('>') {
        let (month, day) = pair(day, '-')?;
        return Some(Holiday::From(month, day, weekday.parse().ok()?));
    }
    if let Some((month, rest)) = text.split_once(':') {
        let (nth, rest) = rest.split_once(':')?;
        let (weekday, days) = shifted(rest)?;
        return Some(Holiday::Nth(month.parse().ok()?, nth.parse().ok()?, weekday.parse().ok()?, days));
    }
    let (month, day) = pair(text, '-')?;
    Some(Holiday::Fixed(month, day))
}

fn of_calendar(calendar: &str, text: &str) -> Option<Holiday> {
    let mut words = text.split(' ');
    let (day, shift) = shifted(words.next()?)?;
    let (day, clock) = day.split_once('@').unwrap_or((day, "0:00"));
    let (hours, minutes) = clock.split_once(':')?;
    let minutes = hours.parse::<i16>().ok()?.checked_mul(60)?.checked_add(minutes.parse().ok()?)?;
    if matches!(calendar, "sun" | "sidereal") {
        let longitude = day.parse().ok()?;
        let sun = Holiday::Sun(longitude, minutes);
        return Some(if calendar == "sun" { sun } else { Holiday::Sidereal(longitude, minutes, shift) });
    }
    let (month, day) = pair(day, ':')?;
    match calendar {
        "chinese" => Some(Holiday::Chinese(month, day, shift, 8)),
        "vietnamese" => Some(Holiday::Chinese(month, day, shift, 7)),
        "korean" => Some(Holiday::Chinese(month, day, shift, 9)),
        "islamic" => Some(Holiday::Islamic(month, day)),
        "hindu" => Some(Holiday::Hindu(month, day, minutes, shift)),
        "hebrew" => {
            let mut moves = [0; 7];
            for word in words {
                let (weekday, days) = shifted(word)?;
                *moves.get_mut(weekday.parse::<usize>().ok()?.checked_sub(1)?)? = i8::try_from(days).ok()?;
            }
            Some(Holiday::Hebrew(month, day, moves))
        }
        _ => None,
    }
}

/// What stands before the days that follow a sign, and those days.
fn shifted(text: &str) -> Option<(&str, i16)> {
    let Some(sign) = text.find(['+', '-']) else { return Some((text, 0)) };
    let (day, days) = text.split_at(sign);
    Some((day, days.parse().ok()?))
}

fn pair(text: &str, mark: char) -> Option<(i8, i8)> {
    let (one, two) = text.split_once(mark)?;
    Some((one.parse().ok()?, two.parse().ok()?))
}

/// How a feast's name is also spelled: without apostrophes, without hyphens, a saint in short or in full.
pub(crate) fn spellings(name: &str) -> Vec<String> {
    let without = name.replace('\'', "");
    let saints = name.strip_prefix("st ").map(|rest| ["st. ", "saint "].map(|saint| format!("{saint}{rest}")));
    let mut all = vec![name.to_owned(), name.replace('-', " "), without.replace('-', " "), without];
    all.extend(saints.into_iter().flatten().flat_map(|name| [name.replace('\'', ""), name]));
    all.sort();
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[rstest::rstest]
    #[case("12-25", Holiday::Fixed(12, 25))]
    #[case("easter", Holiday::Easter(0))]
    #[case("orthodox-2", Holiday::Orthodox(-2))]
    #[case("11:4:4+1", Holiday::Nth(11, 4, 4, 1))]
    #[case("11:4:4-1", Holiday::Nth(11, 4, 4, -1))]
    #[case("5:-1:1", Holiday::Nth(5, -1, 1, 0))]
    #[case("11-27>7", Holiday::From(11, 27, 7))]
    #[case("chinese 1:1-1", Holiday::Chinese(1, 1, -1, 8))]
    #[case("islamic 10:1", Holiday::Islamic(10, 1))]
    #[case("hebrew 2:5 5-1 6-2 1+1", Holiday::Hebrew(2, 5, [1, 0, 0, 0, -1, -2, 0]))]
    #[case("hindu 12:15@18:00+1", Holiday::Hindu(12, 15, 1080, 1))]
    #[case("sun 15@8:00", Holiday::Sun(15, 480))]
    #[case("sidereal 270@11:45-1", Holiday::Sidereal(270, 705, -1))]
    fn is_read(#[case] text: &str, #[case] feast: Holiday) {
        assert_eq!(text.parse(), Ok(feast));
    }

    #[rstest::rstest]
    #[case("christmas")]
    #[case("12")]
    #[case("martian 1:1")]
    #[case("hebrew 2:5 8-1")]
    fn what_is_none_is_told(#[case] text: &str) {
        assert_eq!(text.parse::<Holiday>(), Err(format!("not a feast: {text}")));
    }
}
