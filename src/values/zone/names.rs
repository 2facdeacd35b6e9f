//! What places are called that a zone is theirs: towns that zones are named after, other towns, countries.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use formwright_lexicon::Phrases;
use formwright_text::Said;
use serde::Deserialize;

use super::LANDS;

/// Zones by name of place, whatever the language.
static PLACES: LazyLock<Phrases<Vec<Box<str>>>> = LazyLock::new(|| {
    let mut zones: BTreeMap<String, Vec<Box<str>>> = BTreeMap::new();
    let mut add = |place: &str, zone: &str| {
        let of_place = zones.entry(place.to_lowercase()).or_default();
        if !of_place.iter().any(|known| **known == *zone) {
            of_place.push(zone.into());
        }
    };
    for (zone, by_lang) in &FILE.zone {
        by_lang.values().flatten().for_each(|place| add(place, zone));
    }
    for zone in LANDS.values().flatten() {
        // What is named in three parts is a small town of a region.
        if let Some((_, town)) = zone.split_once('/').filter(|(_, town)| !town.contains('/')) {
            add(&town.replace('_', " "), zone);
        }
    }
    // Of a country with several zones the most populous is offered first.
    let order: Vec<&str> = LANDS.values().flatten().copied().collect();
    for of_place in zones.values_mut() {
        of_place.sort_by_key(|zone| order.iter().position(|known| **known == **zone));
    }
    Phrases::new(zones)
});

/// Words for time zones themselves.
static SPOKEN: LazyLock<Phrases<()>> =
    LazyLock::new(|| Phrases::new(FILE.spoken.values().flatten().map(|words| (words, ()))));

static FILE: LazyLock<File> = LazyLock::new(|| {
    // The file is part of the program and a test reads it.
    toml::from_str(include_str!("names.toml")).unwrap_or_else(|error| panic!("names.toml: {error}"))
});

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    spoken: BTreeMap<String, Vec<String>>,
    clock: BTreeMap<String, Vec<String>>,
    zone: BTreeMap<String, BTreeMap<String, Vec<String>>>,
}

/// Whether the table names places of a zone.
pub(crate) fn has(zone: &str) -> bool {
    FILE.zone.contains_key(zone)
}

/// How each language speaks of the clock of a place, which "{}" stands for.
pub(crate) fn clocks() -> impl Iterator<Item = (&'static str, &'static [String])> {
    FILE.clock.iter().map(|(lang, patterns)| (lang.as_str(), patterns.as_slice()))
}

/// The zones of a place that is all of a text.
pub(crate) fn of_place(text: &str) -> Option<&'static [Box<str>]> {
    let said = Said::new(text);
    let (len, zones) = PLACES.at(&said, 0)?;
    (len == said.words.len()).then_some(zones.as_slice())
}

/// Whether a message speaks of time zones, in any language: "my time zone is Berlin".
pub(crate) fn is_spoken_of(said: &Said) -> bool {
    (0..said.words.len()).any(|no| SPOKEN.at(said, no).is_some())
}

/// The zones of the places that a message names. Where one lies in another ("Austin, Texas"), those that both have.
pub(crate) fn named(said: &Said) -> Vec<String> {
    let mut found: Option<Vec<&str>> = None;
    let mut no = 0;
    while no < said.words.len() {
        let Some((len, zones)) = PLACES.at(said, no) else {
            no += 1;
            continue;
        };
        no += len;
        let zones = zones.iter().map(|zone| &**zone);
        found = Some(match found {
            None => zones.collect(),
            Some(before) => {
                let zones: Vec<&str> = zones.collect();
                let both: Vec<&str> = before.iter().copied().filter(|zone| zones.contains(zone)).collect();
                if both.is_empty() { before.into_iter().chain(zones).collect() } else { both }
            }
        });
    }
    found.unwrap_or_default().into_iter().map(str::to_owned).collect()
}

/// The zones of the table.
#[cfg(test)]
pub(crate) fn zones() -> impl Iterator<Item = &'static str> {
    FILE.zone.keys().map(String::as_str)
}
