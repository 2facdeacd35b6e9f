//! A time zone in words: a place, a zone's own name, letters like CET, a distance from UTC, the time that it is there.

use formwright_lexicon::Language;
use formwright_text::Said;
use jiff::Timestamp;
use jiff::tz::Offset;

use super::{POPULOUS, get, likely, names, offset_name, offset_of};
use crate::Value;
use crate::kind::FieldKind as _;
use crate::kind::time::Time;
use crate::kind::{Context, Reading};

/// What is known of who says it.
#[derive(Clone, Copy, Debug)]
pub struct Known<'a> {
    /// When it is said.
    pub now: Timestamp,
    /// In which language.
    pub lang: &'a Language,
    /// Region of the person's locale.
    pub region: Option<&'a str>,
}

/// Letters that stand for a zone, with the zones they may mean.
const LETTERS: &[(&str, &[&str])] = &[
    ("UTC", &["UTC"]),
    ("GMT", &["UTC"]),
    ("WET", &["Europe/Lisbon"]),
    ("WEST", &["Europe/Lisbon"]),
    ("BST", &["Europe/London"]),
    ("CET", &["Europe/Berlin"]),
    ("CEST", &["Europe/Berlin"]),
    ("MEZ", &["Europe/Berlin"]),
    ("MESZ", &["Europe/Berlin"]),
    ("EET", &["Europe/Athens", "Europe/Kyiv", "Africa/Cairo"]),
    ("EEST", &["Europe/Athens", "Europe/Kyiv"]),
    ("MSK", &["Europe/Moscow"]),
    ("TRT", &["Europe/Istanbul"]),
    ("IST", &["Asia/Kolkata", "Asia/Jerusalem", "Europe/Dublin"]),
    ("PKT", &["Asia/Karachi"]),
    ("GST", &["Asia/Dubai"]),
    ("ICT", &["Asia/Bangkok"]),
    ("WIB", &["Asia/Jakarta"]),
    ("SGT", &["Asia/Singapore"]),
    ("HKT", &["Asia/Hong_Kong"]),
    ("JST", &["Asia/Tokyo"]),
    ("KST", &["Asia/Seoul"]),
    ("AWST", &["Australia/Perth"]),
    ("ACST", &["Australia/Adelaide", "Australia/Darwin"]),
    ("AEST", &["Australia/Sydney", "Australia/Brisbane"]),
    ("AEDT", &["Australia/Sydney"]),
    ("NZST", &["Pacific/Auckland"]),
    ("NZDT", &["Pacific/Auckland"]),
    ("WAT", &["Africa/Lagos"]),
    ("CAT", &["Africa/Maputo"]),
    ("EAT", &["Africa/Nairobi"]),
    ("SAST", &["Africa/Johannesburg"]),
    ("NST", &["America/St_Johns"]),
    ("AST", &["America/Halifax", "Asia/Riyadh"]),
    ("ET", &["America/New_York"]),
    ("EST", &["America/New_York"]),
    ("EDT", &["America/New_York"]),
    ("CT", &["America/Chicago"]),
    ("CST", &["America/Chicago", "Asia/Shanghai"]),
    ("CDT", &["America/Chicago"]),
    ("MT", &["America/Denver"]),
    ("MST", &["America/Denver", "America/Phoenix"]),
    ("MDT", &["America/Denver"]),
    ("PT", &["America/Los_Angeles"]),
    ("PST", &["America/Los_Angeles"]),
    ("PDT", &["America/Los_Angeles"]),
    ("AKST", &["America/Anchorage"]),
    ("HST", &["Pacific/Honolulu"]),
    ("ART", &["America/Argentina/Buenos_Aires"]),
    ("BRT", &["America/Sao_Paulo"]),
    ("CLT", &["America/Santiago"]),
    ("COT", &["America/Bogota"]),
    ("PET", &["America/Lima"]),
];

/// German letters, with those that the database has in their place.
const GERMAN: [(&str, &str); 2] = [("MEZ", "CET"), ("MESZ", "CEST")];

/// How far a time that somebody tells may be from the clock of the zone they are in.
const LATE_MINUTES: i64 = 20;
/// Distances from UTC, in quarters of an hour, that clocks have beside the whole hours.
const ODD_QUARTERS: [i64; 11] = [-38, -14, 14, 18, 22, 23, 26, 35, 38, 42, 51];
/// Most zones that one hour is taken to mean.
const MOST: usize = 5;

/// The zones that a message may name, the likeliest first; none where it names none. `UTC` and fixed distances are zones.
pub fn read(said: &Said, known: &Known<'_>) -> Vec<String> {
    if let Some(name) = own_name(&said.raw) {
        return vec![name];
    }
    if let Some(offset) = distance(said) {
        return vec![offset_name(offset)];
    }
    let named = names::named(said);
    if !named.is_empty() {
        return named;
    }
    letters(said, known)
}

/// `Europe/Rome`, however it is spelt, among other words.
fn own_name(text: &str) -> Option<String> {
    let words = text.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '(' | ')' | '"' | '`'));
    let mut names = words.map(|word| word.trim_matches(['.', '!', '?'])).filter(|word| word.contains('/'));
    names.find_map(super::canonical)
}

/// "UTC+2", "GMT -3:30", or a distance alone: "+02:00".
fn distance(said: &Said) -> Option<Offset> {
    let text: String =
        said.norm.chars().filter(|c| !c.is_whitespace()).map(|c| if c == '−' { '-' } else { c }).collect();
    let behind = ["utc", "gmt"].iter().find_map(|prefix| text.split_once(prefix)).map(|(_, behind)| behind);
    let rest = behind.or_else(|| text.starts_with(['+', '-']).then_some(text.as_str()))?;
    let west = rest.starts_with('-');
    let rest = rest.strip_prefix(['+', '-'])?;
    let digits = rest.find(|c: char| !c.is_ascii_digit() && c != ':' && c != '.').unwrap_or(rest.len());
    let rest = rest.get(..digits)?.trim_end_matches(['.', ':']);
    let (hours, minutes) = match (rest.split_once([':', '.']), rest.len()) {
        (Some(parts), _) => parts,
        (None, 1 | 2) => (rest, "0"),
        (None, 4) => rest.split_at(2),
        (None, _) => return None,
    };
    let minutes = if minutes == "5" { "30" } else { minutes };
    let number = |digits: &str| digits.parse::<u8>().ok().map(i32::from);
    offset_of(west, number(hours)?, number(minutes)?)
}

/// The zones that letters may mean, in capitals.
pub fn of_letters(word: &str) -> Option<(&'static str, &'static [&'static str])> {
    LETTERS.iter().find(|(letters, _)| *letters == word).copied()
}

/// Whether letters are how the database calls a clock in winter or in summer.
pub fn is_called(letters: &str, abbreviation: &str) -> bool {
    GERMAN.iter().find(|(german, _)| *german == letters).map_or(letters, |(_, known)| known) == abbreviation
}

/// The zones of letters: in capitals, or the whole message in any. Where the person's own zones have the clock that they
/// mean, it is one of these.
fn letters(said: &Said, known: &Known<'_>) -> Vec<String> {
    let whole = said.words.len() == 1;
    let written = |letters: &str| said.raw.split(|c: char| !c.is_alphanumeric()).any(|word| word == letters);
    let is_said = |letters: &str| written(letters) || whole && said.raw.trim().eq_ignore_ascii_case(letters);
    // What stands behind them was no distance that clocks have.
    let distant = said.norm.contains(['+', '-']);
    let meant = LETTERS.iter().find(|(letters, _)| is_said(letters));
    let Some((_, zones)) = meant.filter(|(_, zones)| !distant || *zones != ["UTC"]) else { return Vec::new() };
    let clock = |name: &str| get(name).map(|zone| zone.to_offset(known.now));
    let same = |zone: &&&str| zones.iter().any(|meant| clock(meant) == clock(zone));
    let own = likely(known.region, known.lang.code);
    if let ([only], Some(zone)) = (*zones, own.iter().find(same)) {
        let named = if *only == "UTC" { *only } else { *zone };
        return vec![named.to_owned()];
    }
    zones.iter().map(|zone| (*zone).to_owned()).collect()
}

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
    let times = match Time::default().read(said, &cx) {
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
