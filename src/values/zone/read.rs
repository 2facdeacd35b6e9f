//! A time zone in words: a place, a zone's own name, letters like CET, a distance from UTC, the time that it is there.

use formwright_lexicon::Language;
use formwright_text::Said;
use jiff::Timestamp;
use jiff::tz::Offset;

use super::{get, likely, names, offset_name, offset_of};

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
