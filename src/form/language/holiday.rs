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
}

impl FromStr for Holiday {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let bad = || format!("not a feast: {text}");
        let number = |part: &str| if part.is_empty() { Ok(0) } else { part.parse::<i16>().map_err(|_| bad()) };
        let small = |part: &str| part.parse::<i8>().map_err(|_| bad());
        if let Some(days) = text.strip_prefix("easter") {
            return Ok(Self::Easter(number(days)?));
        }
        if let Some(days) = text.strip_prefix("orthodox") {
            return Ok(Self::Orthodox(number(days)?));
        }
        if let Some((month, rest)) = text.split_once(':') {
            let (nth, rest) = rest.split_once(':').ok_or_else(bad)?;
            let (weekday, days) = rest.split_once('+').unwrap_or((rest, ""));
            return Ok(Self::Nth(small(month)?, small(nth)?, small(weekday)?, number(days)?));
        }
        let (month, day) = text.split_once('-').ok_or_else(bad)?;
        Ok(Self::Fixed(small(month)?, small(day)?))
    }
}
