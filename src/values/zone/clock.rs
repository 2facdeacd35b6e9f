//! A time zone by the time that it is there.

use formwright_text::Said;
use jiff::tz::Offset;

use super::read::Known;
use super::{POPULOUS, get, likely, offset_name};
use crate::reading::{Context, Reading};
use crate::value::Value;
use crate::when;
use crate::when::Line;
use crate::when::hour::clock::Bare;

/// How far a time that somebody tells may be from the clock of the zone they are in.
const LATE_MINUTES: i64 = 20;
/// Distances from UTC, in quarters of an hour, that clocks have beside the whole hours.
const ODD_QUARTERS: [i64; 11] = [-38, -14, 14, 18, 22, 23, 26, 35, 38, 42, 51];
/// Most zones that one hour is taken to mean.
const MOST: usize = 5;

/// The zones in which it is the time that the message tells: those of the person's language first, then those that most
/// people live in, then the bare distance from UTC.
pub fn by_clock(said: &Said, known: &Known<'_>) -> Vec<String> {
    let offsets = told_offsets(said, known);
    let has = |name: &&str| get(name).is_some_and(|zone| offsets.contains(&zone.to_offset(known.now)));
    let home = likely(known.region, known.lang.code);
    let mut zones: Vec<&str> = home.iter().copied().filter(has).collect();
    if zones.len() == 1 && (home.len() == 1 || known.region.is_some()) {
        return vec![zones.remove(0).to_owned()];
    }
    zones.extend(POPULOUS.iter().filter(|name| has(name) && !home.contains(*name)));
    zones.truncate(MOST);
    zones.into_iter().map(str::to_owned).chain(offsets.iter().copied().map(offset_name)).collect()
}

/// The distances from UTC at which it is the time that the message tells.
fn told_offsets(said: &Said, known: &Known<'_>) -> Vec<Offset> {
    let utc = known.now.to_zoned(jiff::tz::TimeZone::UTC);
    let cx = Context { now: &utc, lang: known.lang, region: known.region, options: &[], other: false, held: None };
    let line = Line::new(said, &cx);
    let hits = when::times(&line, Bare::Asked).into_iter().map(|hit| hit.map(Value::Time)).collect();
    let times = match when::reading(&line, hits, "not_a_time") {
        Reading::Value(found) => vec![found.value],
        Reading::Ambiguous(all) => all.into_iter().map(|found| found.value).collect(),
        Reading::Refused(..) | Reading::Nothing => Vec::new(),
    };
    let minutes = |time: jiff::civil::Time| i64::from(time.hour()) * 60 + i64::from(time.minute());
    let mut offsets = Vec::new();
    for value in times {
        let Value::Time(time) = value else { continue };
        let ahead = minutes(time) - minutes(utc.time());
        for ahead in [ahead - 1440, ahead, ahead + 1440] {
            offsets.extend(nearest(ahead).filter(|offset| !offsets.contains(offset)));
        }
    }
    offsets
}

/// The distance from UTC that clocks have somewhere and that is nearest to so many minutes.
fn nearest(minutes: i64) -> Option<Offset> {
    let hours = (-12..=14).map(|hour| hour * 60);
    let all = hours.chain(ODD_QUARTERS.iter().map(|quarters| quarters * 15));
    let (_, best) = all.map(|of| ((of - minutes).abs(), of)).filter(|(late, _)| *late <= LATE_MINUTES).min()?;
    Offset::from_seconds(i32::try_from(best * 60).ok()?).ok()
}
