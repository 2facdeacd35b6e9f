//! A town, a state and a country that a form asks for side by side: "in Albany, New York", "in Sri Lanka"; and the town
//! beside the two ends of a ride.

use std::ops::Range;

use super::Scene;
use super::between::is_called;
use super::ledger::Ledger;
use super::reader::Reader;
use super::spans::{Board, Slot};
use formwright_form::cues::Role;
use formwright_form::kind::Said;
use formwright_form::kind::text::Subtype;
use formwright_lexicon::lands::{Land, lands};

/// Longest letters that stand for a land: "NSW", "USA".
const LETTERS: usize = 3;

/// Which fields are open for a town, for a state and for a country.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Realms {
    town: Option<usize>,
    state: Option<usize>,
    country: Option<usize>,
}

impl Realms {
    /// The fields that are open for each, where a form asks for several places.
    pub(super) fn of(board: &Board<'_>, ledger: &Ledger) -> Self {
        let several = board.slots.iter().filter(|slot| slot.subtype() == Some(Subtype::Place)).count() > 1;
        let open = |(no, slot): &(usize, &Slot<'_>)| (slot.value.is_none() || slot.asked) && !ledger.has(*no);
        if several { Self::around(board, open) } else { Self::default() }
    }

    /// The fields for each, of those that are open.
    pub(super) fn around<'a>(board: &'a Board<'_>, open: impl Fn(&(usize, &'a Slot<'a>)) -> bool) -> Self {
        let mut realms = Self::default();
        let places = board.slots.iter().enumerate().filter(|(_, slot)| slot.subtype() == Some(Subtype::Place));
        for (no, slot) in places.filter(|(no, slot)| slot.role.is_none() && open(&(*no, slot))) {
            let called = |table| slot.labels.iter().any(|label| is_called(label, table));
            let town = || called(|lang| &lang.going.town);
            // "Country or state" is for either.
            let either = |label: &Said| {
                is_called(label, |lang| &lang.going.state) && is_called(label, |lang| &lang.going.country)
            };
            if slot.labels.iter().any(either) && !town() {
                realms.state.get_or_insert(no);
                realms.country.get_or_insert(no);
                continue;
            }
            let kept = match () {
                () if town() => &mut realms.town,
                () if called(|lang| &lang.going.state) => &mut realms.state,
                () if called(|lang| &lang.going.country) => &mut realms.country,
                () => continue,
            };
            kept.get_or_insert(no);
        }
        realms
    }

    /// Whether a field is for a state or a country.
    pub(super) fn is_land(self, slot: usize) -> bool {
        [self.state, self.country].contains(&Some(slot))
    }

    /// Whether a field is for a town.
    pub(super) fn is_town(self, slot: usize) -> bool {
        self.town == Some(slot)
    }

    /// Whether one of the fields is such a one.
    pub(super) fn has(self, slot: usize) -> bool {
        [self.town, self.state, self.country].contains(&Some(slot))
    }

    /// The fields that words for a place fill, each with its part of them: "Albany" and "New York" of "Albany, New York".
    /// None where the words do not tell what they are.
    pub(super) fn parts(self, reader: &Reader<'_>, words: Range<usize>) -> Vec<(usize, Range<usize>)> {
        let Range { start, end } = with_lands(reader, words);
        let (country, rest) = cut(reader, start..end, |land| land == Land::Country);
        let (state, town) = cut(reader, rest, |land| matches!(land, Land::State | Land::Code | Land::Behind));
        // "In New York" is a town, and nobody knows what Georgia is.
        let land = if town.is_empty() { land_of(reader, state.clone()) } else { None };
        let (state, town) = if land == Some(Land::Behind) { (end..end, state) } else { (state, town) };
        let unsure =
            land_of(reader, town.clone()) == Some(Land::Unsure) && self != Self { town: self.town, ..Self::default() };
        // "In OR" may be anything.
        let code = land == Some(Land::Code) && (reader.is_idle(end - 1) || self.state.is_none());
        if unsure || code {
            return Vec::new();
        }
        // What has no field of its own stays with the town.
        let mut town = town;
        if !town.is_empty() {
            town.end = match () {
                () if self.state.is_none() && !state.is_empty() => state.end,
                () if self.country.is_none() && state.is_empty() && !country.is_empty() => country.end,
                () => town.end,
            };
        }
        // "Ohio, USA" where one field is for either.
        let (state, country) = match (state.is_empty(), country.is_empty()) {
            (false, false) if self.state == self.country => (state.start..country.end, end..end),
            _ => (state, country),
        };
        let all = [(self.town, town), (self.state, state), (self.country, country)];
        all.into_iter()
            .filter(|(_, words)| !words.is_empty())
            .filter_map(|(slot, words)| Some((slot?, words)))
            .collect()
    }
}

/// Fills fields for places, each with its part of what was said; tells whether it did.
pub(super) fn fill_parts(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    ledger: &mut Ledger,
    parts: impl IntoIterator<Item = (usize, Range<usize>)>,
) -> bool {
    let mut filled = false;
    for (no, words) in parts {
        filled |= ledger.take(scene, reader, board, no, words);
    }
    filled
}

/// Whether words at `at` say in which town or land something is, rather than whence or whither: "in", "near", "for" of "the
/// forecast for Oslo".
pub(super) fn is_inside(reader: &Reader<'_>, at: usize, len: usize) -> bool {
    reader.len(|lang| &lang.going.inside, at, at + len) == len || tells_of(reader, at, at + len) == len
}

/// Words before the town or land that something is told of, or near which it is: "for" of "the weather forecast for Oslo",
/// "nearby"; 0 where there are none.
pub(super) fn tells_of(reader: &Reader<'_>, at: usize, end: usize) -> usize {
    let near = reader.len(|lang| &lang.going.nearby, at, end);
    if near > 0 {
        return near;
    }
    let len = reader.len(|lang| &lang.going.about, at, end);
    if len == 0 {
        return 0;
    }
    // "The weather is perfect for golf" tells what it is.
    let told = (reader.clause_start(at)..at).rfind(|no| reader.len(|lang| &lang.going.told, *no, at) > 0);
    told.map_or(0, |told| if (told..at).any(|no| reader.is_copula(no, at)) { 0 } else { len })
}

/// Whether nothing stands behind the name that something is told of but what leads on: not "the forecast for Maria's wedding".
pub(super) fn is_told(reader: &Reader<'_>, board: &Board<'_>, name: &Range<usize>) -> bool {
    let (end, next) = (reader.clause_end(name.start), name.end);
    let owns = name.end.checked_sub(1).is_some_and(|no| reader.said.plain(no).ends_with("'s"));
    !owns && (next >= end || reader.is_idle(next) || reader.is_mark(next) || board.has_value_at(next))
}

/// Whether words are a land of several that are joined: "Delaware" of "Delaware and Lehigh Corridor".
pub(super) fn goes_on(reader: &Reader<'_>, words: &Range<usize>) -> bool {
    let end = reader.clause_end(words.start);
    let join = reader.len(|lang| &lang.sentence.join, words.end, end);
    let next = words.end + join;
    let next = next + reader.len(|lang| &lang.naming.the, next, end);
    join > 0 && land_of(reader, words.clone()).is_some() && next < end && reader.is_proper(next)
}

/// How many words from one on name a land; 0 where none do.
pub(super) fn land_len(reader: &Reader<'_>, at: usize) -> usize {
    let found = |code: &str| lands(code)?.at(reader.said, at).map(|(len, _)| len);
    reader.langs().filter_map(|lang| found(lang.code)).max().unwrap_or(0)
}

/// Whether a name has the town behind it in which it is: "from the Old Mill in Oslo".
pub(super) fn lies_in(reader: &Reader<'_>, name: &Range<usize>) -> bool {
    let end = reader.clause_end(name.start);
    let inside = reader.len(|lang| &lang.going.inside, name.end, end);
    let len = inside.max(reader.len(|lang| &lang.naming.at, name.end, end));
    len > 0 && name.end + len < end && reader.is_proper(name.end + len) && !reader.is_idle(name.end + len)
}

/// Whether the town beside the ends of a ride is told by what is said of one of them: where it begins, unless an end is open
/// that the words may be.
pub(super) fn is_of_town(board: &Board<'_>, ledger: &Ledger, role: Role) -> bool {
    let end = |role: Role| {
        board
            .slots
            .iter()
            .enumerate()
            .filter(move |(_, slot)| slot.subtype() == Some(Subtype::Place) && slot.role == Some(role))
    };
    let open = |(no, slot): (usize, &Slot<'_>)| slot.value.is_none() && !ledger.has(no);
    match role {
        Role::First => !end(Role::First).any(open),
        Role::Second => end(Role::Second).next().is_none(),
    }
}

/// A place with the lands that stand behind it, each after a comma.
pub(super) fn with_lands(reader: &Reader<'_>, words: Range<usize>) -> Range<usize> {
    let Range { start, mut end } = words;
    let known = |from: usize| {
        let to = (from..from + 1 + LETTERS).rev().find(|to| land_of(reader, from..*to + 1).is_some());
        to.map(|to| to + 1)
    };
    while reader.said.word(end) == ","
        && let Some(to) = known(end + 1)
    {
        end = to;
    }
    start..end
}

/// The land at the end of words that is of some sort, and what stands before it.
fn cut(reader: &Reader<'_>, words: Range<usize>, is: fn(Land) -> bool) -> (Range<usize>, Range<usize>) {
    let Range { start, end } = words;
    let found = (start..end).find(|no| land_of(reader, *no..end).is_some_and(is));
    let Some(at) = found else { return (end..end, start..end) };
    let comma = at > start && reader.said.word(at - 1) == ",";
    // "In Maine" alone, "Bath, Maine".
    let rest = start..at - usize::from(comma);
    (at..end, rest)
}

/// The land that words name. Letters that stand for one are capitals, or stand behind a comma.
fn land_of(reader: &Reader<'_>, words: Range<usize>) -> Option<Land> {
    let found = reader.langs().find_map(|lang| lands(lang.code)?.at(reader.said, words.start));
    let (_, land) = found.filter(|(len, _)| *len == words.len())?;
    let text = reader.raw_text(words.clone());
    let letters = text.chars().filter(|c| c.is_alphabetic());
    let short = letters.clone().count() <= LETTERS && text.is_ascii();
    let comma = words.start > 0 && reader.said.word(words.start - 1) == ",";
    (!short || comma || letters.clone().all(char::is_uppercase)).then_some(*land)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::{Stage, sorted};

    const TABLE: &str = r#"
id = "table"
title = "A table"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "city"
kind = "text"
label = "City"
subtype = "place"

[[field]]
id = "state"
kind = "text"
label = "State"
subtype = "place"

[[field]]
id = "country"
kind = "text"
label = "Country"
subtype = "place"

[[field]]
id = "people"
kind = "integer"
label = "People"
"#;

    #[rstest]
    #[case("en", "a table for 4 in Marlow Springs", "city=Marlow Springs; people=4")]
    #[case("en", "a table in Bexley, Ohio for 4", "city=Bexley; people=4; state=Ohio")]
    #[case("en", "somewhere in Marlow UT for 4", "city=Marlow; people=4; state=UT")]
    #[case("en", "a table in Marlow, UT, USA", "city=Marlow; country=USA; state=UT")]
    #[case("en", "a table in New Zealand", "country=New Zealand")]
    #[case("en", "a table in Vermont", "state=Vermont")]
    #[case("en", "a table in New York", "city=New York")]
    #[case("en", "a table in Utica, New York", "city=Utica; state=New York")]
    #[case("en", "a table in Georgia", "~=city=Georgia")]
    #[case("en", "we are in trouble", "")]
    #[case("en", "a table in an hour", "")]
    #[case("it", "un tavolo a Lucca", "city=Lucca")]
    #[case("it", "un tavolo in Svizzera", "country=Svizzera")]
    #[case("es", "una mesa en Burgos, España", "city=Burgos; country=España")]
    #[case("de", "ein Tisch in Bregenz, Österreich", "city=Bregenz; country=Österreich")]
    #[case("fr", "une table à Namur, Belgique", "city=Namur; country=Belgique")]
    #[case("ar", "طاولة في ألمانيا", "country=ألمانيا")]
    fn a_place_goes_to_the_field_for_what_it_is(
        #[case] lang: &'static str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        assert_eq!(sorted(&Stage::new(TABLE, "").speaking(lang).fills(said)), sorted(expected), "{said}");
    }

    const WEATHER: &str = r#"
id = "weather"
title = "X1"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "city"
kind = "text"
label = "City"
subtype = "place"

[[field]]
id = "land"
kind = "text"
label = "Country or state"
subtype = "place"

[[field]]
id = "day"
kind = "date"
label = "Date"
"#;

    #[rstest]
    #[case("en", "what is the weather in Marlow Kenya", "city=Marlow; land=Kenya")]
    #[case("en", "how is the weather in Marlow, South Korea?", "city=Marlow; land=South Korea")]
    #[case("en", "is it hot in Trinidad and Tobago", "land=Trinidad and Tobago")]
    #[case(
        "en",
        "is it hot in Fort Marlow Springs Bosnia and Herzegovina",
        "city=Fort Marlow Springs; land=Bosnia and Herzegovina"
    )]
    #[case("en", "is it hot in the Netherlands tomorrow", "day=2026-11-22; land=Netherlands")]
    #[case("en", "is it hot in Austin, Texas, USA", "city=Austin; land=Texas, USA")]
    #[case("en", "is it hot in New York, USA", "city=New York; land=USA")]
    #[case("en", "is it hot in Georgia", "~=city=Georgia")]
    #[case("en", "is it hot in Ohio and the Lakes Heritage Area", "~=city=Ohio")]
    #[case("en", "tell me the weather forecast for Marlow", "city=Marlow")]
    #[case("en", "what is the forecast for Kenya", "land=Kenya")]
    #[case("en", "the forecast in Ohio for Marlow on Sunday", "city=Marlow; day=2026-11-22; land=Ohio")]
    #[case("en", "the forecast for Sunday in Marlow", "city=Marlow; day=2026-11-22")]
    #[case("en", "the forecast for Maria's wedding", "~=city=Maria's")]
    #[case("en", "the weather is perfect for Golf", "~=city=Golf")]
    #[case("en", "it is a present for Anna", "~=city=Anna")]
    #[case("en", "the weather nearby Marlow", "city=Marlow")]
    #[case("en", "the weather not far from Marlow", "city=Marlow")]
    #[case("en", "the weather nearby please", "")]
    #[case("en", "what is the weather in Marlow Park tomorrow", "city=Marlow Park; day=2026-11-22")]
    #[case("en", "what will the weather be on October 19, 2027?", "day=2027-10-19")]
    #[case("en", "what will the weather be like in Marlow thank you", "city=Marlow")]
    #[case("it", "le previsioni per Lucca, Italia", "city=Lucca; land=Italia")]
    #[case("it", "il tempo non lontano da Lucca", "city=Lucca")]
    #[case("es", "el pronóstico para Burgos España", "city=Burgos; land=España")]
    #[case("de", "die Vorhersage für Bregenz, Österreich", "city=Bregenz; land=Österreich")]
    #[case("de", "das Wetter nicht weit von Bregenz", "city=Bregenz")]
    #[case("fr", "la météo pour Namur, Belgique", "city=Namur; land=Belgique")]
    #[case("ar", "الطقس في عمان الأردن", "city=عمان; land=الأردن")]
    fn what_is_told_of_a_place_names_it(#[case] lang: &'static str, #[case] said: &str, #[case] expected: &str) {
        assert_eq!(sorted(&Stage::new(WEATHER, "").speaking(lang).fills(said)), sorted(expected), "{said}");
    }
}
