//! Functions of expressions. Each can be called as `f(x, y)` or as `x.f(y)`.

use std::ops::RangeInclusive;

use jiff::civil;
use rust_decimal::prelude::ToPrimitive as _;
use rust_decimal::{Decimal, RoundingStrategy};

use super::ops::{self, DAY, overflow};
use super::{MAX_TEXT, Machine, Result, Stop, by_type, failed};
use crate::logic::datum::Datum;
use crate::logic::node::{Binary, Node};

macro_rules! functions {
    ($($(#[doc = $doc:literal])+ $variant:ident = $name:literal, $arity:expr, $usage:literal;)+) => {
        /// A function of expressions.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Function {
            $($(#[doc = $doc])+ $variant,)+
        }

        /// Every function's name, how it is written, and what it does: for the reference.
        pub const REFERENCE: &[(&str, &str, &str)] = &[
            ("answered", "answered(field)", "whether there is an answer; `has(field)` is the same"),
            ("currency", "currency(money_field)", "the currency's code"),
            ("matches", "text.matches('pattern')", "whether the pattern is found in the text"),
            $(($name, $usage, concat!($($doc),+)),)+
        ];

        pub(crate) fn by_name(name: &str) -> Option<Function> {
            match name {
                $($name => Some(Function::$variant),)+
                _ => None,
            }
        }

        impl Function {
            pub(crate) fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }

            /// Number of arguments, the one before the dot included.
            pub(crate) fn arity(self) -> RangeInclusive<usize> {
                match self {
                    $(Self::$variant => $arity,)+
                }
            }

            pub(crate) fn usage(self) -> &'static str {
                match self {
                    $(Self::$variant => concat!("write `", $usage, "`"),)+
                }
            }
        }
    };
}

functions! {
    #[doc = "number of items, members or characters"]
    Size = "size", 1..=1, "size(list)";
    #[doc = "all numbers of a list together; 0 for none"]
    Sum = "sum", 1..=1, "sum(list)";
    #[doc = "the least of a list or of the values given"]
    Min = "min", 1..=16, "min(list)";
    #[doc = "the greatest of a list or of the values given"]
    Max = "max", 1..=16, "max(list)";
    #[doc = "rounded to so many decimals, none by default; halves away from zero"]
    Round = "round", 1..=2, "round(number, decimals)";
    #[doc = "the next whole number up"]
    Ceil = "ceil", 1..=1, "ceil(number)";
    #[doc = "the next whole number down"]
    Floor = "floor", 1..=1, "floor(number)";
    #[doc = "without its sign"]
    Abs = "abs", 1..=1, "abs(number)";
    #[doc = "in small letters"]
    Lower = "lower", 1..=1, "lower(text)";
    #[doc = "in capital letters"]
    Upper = "upper", 1..=1, "upper(text)";
    #[doc = "without white space around"]
    Trim = "trim", 1..=1, "trim(text)";
    #[doc = "whether the text begins with these words"]
    StartsWith = "startsWith", 2..=2, "text.startsWith('words')";
    #[doc = "whether the text ends with these words"]
    EndsWith = "endsWith", 2..=2, "text.endsWith('words')";
    #[doc = "whether the text holds these words, or the list this item"]
    Contains = "contains", 2..=2, "text.contains('words')";
    #[doc = "the texts of a list with this between"]
    Join = "join", 1..=2, "join(list, ', ')";
    #[doc = "whole days from the second day to the first, negative where the first is earlier"]
    Days = "days", 2..=2, "days(later, earlier)";
    #[doc = "full years from the second day to the first: `years(today, birth_date)` is an age"]
    Years = "years", 2..=2, "years(later, earlier)";
    #[doc = "a day: `date('2026-11-20')`; of a date and time, its day"]
    Date = "date", 1..=1, "date('2026-11-20')";
    #[doc = "a date and time: `timestamp('2026-11-20T15:00:00')`"]
    Timestamp = "timestamp", 1..=1, "timestamp('2026-11-20T15:00:00')";
    #[doc = "a length of time: `duration('7d')`, `duration('168h')`, `duration('1h30m')`"]
    Duration = "duration", 1..=1, "duration('168h')";
    #[doc = "the year"]
    Year = "getFullYear", 1..=1, "date.getFullYear()";
    #[doc = "the month, from 0"]
    Month = "getMonth", 1..=1, "date.getMonth()";
    #[doc = "the day of the month, from 1"]
    DayOfMonth = "getDate", 1..=1, "date.getDate()";
    #[doc = "the day of the week, 0 for Sunday"]
    DayOfWeek = "getDayOfWeek", 1..=1, "date.getDayOfWeek()";
    #[doc = "the hour of a date and time; whole hours of a duration"]
    Hours = "getHours", 1..=1, "time.getHours()";
    #[doc = "the minute of a date and time; whole minutes of a duration"]
    Minutes = "getMinutes", 1..=1, "time.getMinutes()";
    #[doc = "a number, date or yes/no as a text"]
    Text = "string", 1..=1, "string(value)";
    #[doc = "a whole number, decimals cut off"]
    Int = "int", 1..=1, "int(value)";
    #[doc = "a decimal number"]
    Double = "double", 1..=1, "double(value)";
}

pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    REFERENCE.iter().map(|(name, ..)| *name).chain(["has", "all", "exists", "exists_one", "filter", "map"])
}

pub(crate) fn call(machine: &mut Machine<'_>, function: Function, args: &[Datum], node: &Node) -> Result {
    use Function as F;
    match (function, args) {
        (F::Size, [Datum::List(items)]) => int(items.len()),
        (F::Size, [Datum::Map(entries)]) => int(entries.len()),
        (F::Size, [Datum::Text(text)]) => {
            machine.spend_text(text.len(), node)?;
            int(text.chars().count())
        }
        (F::Sum, [Datum::List(items)]) => items.iter().try_fold(Datum::Int(0), |sum, item| match (&sum, item) {
            // The sum of no durations is 0, so the first one replaces it.
            (Datum::Int(0), Datum::Duration(_)) => Ok(item.clone()),
            _ => ops::binary(machine, Binary::Add, &sum, item, node),
        }),
        (F::Min, [Datum::List(items)]) => extreme(machine, Binary::Less, items, node),
        (F::Max, [Datum::List(items)]) => extreme(machine, Binary::Greater, items, node),
        (F::Min, items) if items.len() > 1 => extreme(machine, Binary::Less, items, node),
        (F::Max, items) if items.len() > 1 => extreme(machine, Binary::Greater, items, node),
        (F::Round, [number]) => rounded(function, number, 0, RoundingStrategy::MidpointAwayFromZero, node),
        (F::Round, [number, Datum::Int(decimals)]) => {
            let decimals = u32::try_from(*decimals).unwrap_or(0).min(28);
            rounded(function, number, decimals, RoundingStrategy::MidpointAwayFromZero, node)
        }
        (F::Ceil, [number]) => rounded(function, number, 0, RoundingStrategy::ToPositiveInfinity, node),
        (F::Floor, [number]) => rounded(function, number, 0, RoundingStrategy::ToNegativeInfinity, node),
        (F::Abs, [Datum::Int(n)]) => n.checked_abs().map(Datum::Int).ok_or_else(|| overflow(node)),
        (F::Abs, [Datum::Number(n)]) => Ok(Datum::Number(n.abs())),
        (F::Abs, [Datum::Duration(n)]) => n.checked_abs().map(Datum::Duration).ok_or_else(|| overflow(node)),
        (F::Lower | F::Upper | F::Trim, [Datum::Text(text)]) => {
            machine.spend_text(text.len(), node)?;
            Ok(Datum::text(match function {
                F::Lower => text.to_lowercase(),
                F::Upper => text.to_uppercase(),
                _ => text.trim().to_owned(),
            }))
        }
        (F::StartsWith, [Datum::Text(text), Datum::Text(part)]) => Ok(Datum::Bool(text.starts_with(&**part))),
        (F::EndsWith, [Datum::Text(text), Datum::Text(part)]) => Ok(Datum::Bool(text.ends_with(&**part))),
        (F::Contains, [Datum::Text(text), Datum::Text(part)]) => {
            machine.spend_text(text.len(), node)?;
            Ok(Datum::Bool(text.contains(&**part)))
        }
        (F::Contains, [list @ Datum::List(_), item]) => ops::binary(machine, Binary::In, item, list, node),
        (F::Join, [Datum::List(items)]) => join(machine, items, ", ", node),
        (F::Join, [Datum::List(items), Datum::Text(between)]) => join(machine, items, between, node),
        (F::Days, [later, earlier]) => {
            let (later, earlier) = (day(function, later, node)?, day(function, earlier, node)?);
            Ok(Datum::Int(later.duration_since(earlier).as_secs() / DAY))
        }
        (F::Years, [later, earlier]) => {
            let (later, earlier) = (day(function, later, node)?, day(function, earlier, node)?);
            let span = later.since((jiff::Unit::Year, earlier)).map_err(|_| overflow(node))?;
            Ok(Datum::Int(i64::from(span.get_years())))
        }
        (F::Date | F::Timestamp | F::Duration, [value]) => convert_time(function, value, node),
        (F::Hours, [Datum::Duration(seconds)]) => Ok(Datum::Int(seconds / 3600)),
        (F::Minutes, [Datum::Duration(seconds)]) => Ok(Datum::Int(seconds / 60)),
        (F::Hours, [Datum::DateTime(time)]) => Ok(Datum::Int(time.hour().into())),
        (F::Minutes, [Datum::DateTime(time)]) => Ok(Datum::Int(time.minute().into())),
        (F::Year | F::Month | F::DayOfMonth | F::DayOfWeek, [value]) => {
            let day = day(function, value, node)?;
            Ok(Datum::Int(match function {
                F::Year => day.year().into(),
                F::Month => i64::from(day.month()) - 1,
                F::DayOfMonth => day.day().into(),
                _ => day.weekday().to_sunday_zero_offset().into(),
            }))
        }
        (F::Text | F::Int | F::Double, [value]) => convert(function, value, node),
        _ => Err(wrong(function, args, node)),
    }
}

#[expect(clippy::unnecessary_wraps, reason = "an arm of `call` like its neighbours")]
fn int(size: usize) -> Result {
    Ok(Datum::Int(i64::try_from(size).unwrap_or(i64::MAX)))
}

fn wrong(function: Function, args: &[Datum], node: &Node) -> Stop {
    let types: Vec<&str> = args.iter().map(Datum::type_name).collect();
    let message = format!("`{}` does not go with a {}", function.name(), types.join(" and a "));
    by_type(node, message)
}

fn extreme(machine: &mut Machine<'_>, wanted: Binary, items: &[Datum], node: &Node) -> Result {
    let mut items = items.iter();
    let Some(mut best) = items.next() else { return Err(Stop::Unknown) };
    for item in items {
        if ops::compare(machine, wanted, item, best, node)?.is_lt() == (wanted == Binary::Less) {
            best = item;
        }
    }
    Ok(best.clone())
}

fn rounded(function: Function, number: &Datum, decimals: u32, how: RoundingStrategy, node: &Node) -> Result {
    match number {
        Datum::Int(n) => Ok(Datum::Int(*n)),
        Datum::Number(n) => Ok(Datum::Number(n.round_dp_with_strategy(decimals, how))),
        other => Err(wrong(function, std::slice::from_ref(other), node)),
    }
}

fn join(machine: &mut Machine<'_>, items: &[Datum], between: &str, node: &Node) -> Result {
    let mut joined = String::new();
    for (no, item) in items.iter().enumerate() {
        let Datum::Text(text) = item else { return Err(wrong(Function::Join, std::slice::from_ref(item), node)) };
        if no > 0 {
            joined.push_str(between);
        }
        joined.push_str(text);
        machine.spend(1, node)?;
        if joined.len() > MAX_TEXT {
            return Err(failed(node, "the text grows too long"));
        }
    }
    Ok(Datum::text(joined))
}

fn day(function: Function, value: &Datum, node: &Node) -> Result<civil::Date> {
    match value {
        Datum::Date(date) => Ok(*date),
        Datum::DateTime(time) => Ok(time.date()),
        other => Err(wrong(function, std::slice::from_ref(other), node)),
    }
}

fn convert_time(function: Function, value: &Datum, node: &Node) -> Result {
    let read = match (function, value) {
        (Function::Date, Datum::Date(_)) | (Function::Timestamp, Datum::DateTime(_)) => Some(value.clone()),
        (Function::Duration, Datum::Duration(_)) => Some(value.clone()),
        (Function::Date, Datum::DateTime(time)) => Some(Datum::Date(time.date())),
        (Function::Timestamp, Datum::Date(date)) => Some(Datum::DateTime(date.to_datetime(civil::Time::midnight()))),
        (Function::Date, Datum::Text(text)) => text.parse().ok().map(Datum::Date),
        (Function::Timestamp, Datum::Text(text)) => timestamp(text).map(Datum::DateTime),
        (Function::Duration, Datum::Text(text)) => duration(text).map(Datum::Duration),
        _ => return Err(wrong(function, std::slice::from_ref(value), node)),
    };
    read.ok_or_else(|| match value {
        Datum::Text(text) => failed(node, format!("`{}` cannot read {text:?}", function.name())),
        other => wrong(function, std::slice::from_ref(other), node),
    })
}

/// `2026-11-20T15:00:00`, with a zone or without; a zone's own local time is taken.
fn timestamp(text: &str) -> Option<civil::DateTime> {
    text.trim_end_matches(['Z', 'z']).parse().ok()
}

/// `7d`, `168h`, `1h30m`, `-5s`.
fn duration(text: &str) -> Option<i64> {
    let (sign, mut rest) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text),
    };
    let mut seconds = Decimal::ZERO;
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !(c.is_ascii_digit() || c == '.'))?;
        let (number, tail) = rest.split_at(digits);
        let unit_end = tail.find(|c: char| c.is_ascii_digit() || c == '.').unwrap_or(tail.len());
        let (unit, tail) = tail.split_at(unit_end);
        let unit = match unit {
            "w" => Decimal::from(7 * DAY),
            "d" => Decimal::from(DAY),
            "h" => Decimal::from(3600),
            "m" => Decimal::from(60),
            "s" => Decimal::ONE,
            "ms" => Decimal::new(1, 3),
            _ => return None,
        };
        seconds = seconds.checked_add(number.parse::<Decimal>().ok()?.checked_mul(unit)?)?;
        rest = tail;
    }
    seconds.to_i64().map(|seconds| sign * seconds)
}

fn convert(function: Function, value: &Datum, node: &Node) -> Result {
    let read = match (function, value) {
        (Function::Text, Datum::Text(_)) => Some(value.clone()),
        (Function::Text, Datum::Bool(b)) => Some(Datum::text(b.to_string())),
        (Function::Text, Datum::Int(n)) => Some(Datum::text(n.to_string())),
        (Function::Text, Datum::Number(n)) => Some(Datum::text(n.normalize().to_string())),
        (Function::Text, Datum::Date(date)) => Some(Datum::text(date.to_string())),
        (Function::Text, Datum::DateTime(time)) => Some(Datum::text(time.to_string())),
        (Function::Int, Datum::Int(_)) => Some(value.clone()),
        (Function::Int, Datum::Number(n)) => n.to_i64().map(Datum::Int),
        (Function::Int, Datum::Text(text)) => text.trim().parse().ok().map(Datum::Int),
        (Function::Double, Datum::Int(n)) => Some(Datum::Number(Decimal::from(*n))),
        (Function::Double, Datum::Number(_)) => Some(value.clone()),
        (Function::Double, Datum::Text(text)) => text.trim().parse().ok().map(Datum::Number),
        _ => return Err(wrong(function, std::slice::from_ref(value), node)),
    };
    read.ok_or_else(|| failed(node, format!("`{}` cannot read this value", function.name())))
}
