//! Houses by where something is or comes from, where a field is for the name of one: "two seats at the roxy 12", "a table at
//! nopiro", "order it from Marcello's in Leeds".

use std::ops::Range;

use super::ledger::Ledger;
use super::reader::Reader;
use super::spans::{Board, Cand, Slot};
use super::titles::title_from;
use super::{Scene, going, name_end, named_sort, sought};
use formwright_form::cues::Role;
use formwright_form::kind::Strength;
use formwright_form::kind::text::Subtype;
use formwright_form::{Kind, Value};
use formwright_lexicon::{Language, Phrases};
use formwright_text::stem;

/// Most words of the name of a house.
const MOST: usize = 7;

/// Fills the only open field for the name of a house.
pub(super) fn fill(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) {
    let mut all = (0..board.slots.len())
        .filter(|no| board.slots.get(*no).is_some_and(|slot| named_sort::is_house_field(reader, slot)));
    let (Some(no), None) = (all.next(), all.next()) else { return };
    let Some(slot) = board.slots.get(no).filter(|slot| slot.value.is_none() && !ledger.has(no)) else { return };
    for at in 0..reader.said.words.len() {
        let house = there(scene, reader, board, slot, at).or_else(|| bought(reader, board, at));
        let house = house.or_else(|| booked(reader, board, at));
        let Some(words) = house.filter(|words| ledger.is_free(words.clone())) else { continue };
        if ledger.take(scene, reader, board, no, words) {
            ledger.claim(at..at + 1);
            return;
        }
    }
}

/// "At the roxy 12", "at nopiro", "at the Rex".
fn there(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    slot: &Slot<'_>,
    at: usize,
) -> Option<Range<usize>> {
    let end = reader.clause_end(at);
    let len = reader.len(|lang| &lang.naming.at, at, end);
    if len == 0 || reader.is_capital(at) && at > reader.clause_start(at) || going::has_been(reader, &(at..at + len)) {
        return None;
    }
    // "Inn at the Park" is one name.
    if slot.asked && at.checked_sub(1).is_some_and(|no| reader.is_capital(no)) {
        return None;
    }
    // "I work at …" names no house that one goes to.
    let works = |no: usize| {
        let lead = reader.len(|lang| &lang.naming.leads, no, end);
        lead > 0 && no + lead == at + len
    };
    if (at.saturating_sub(3)..=at).any(works) {
        return None;
    }
    let from = at + len;
    let start = from + if reader.is_capital(from) { 0 } else { reader.len(|lang| &lang.sentence.articles, from, end) };
    let words = name(reader, board, start, end);
    let first = words.start;
    let says = |table: fn(&Language) -> &Phrases<()>| reader.len(table, first, end) > 0;
    let known = || {
        let word = stem(reader.said.plain(first));
        scene.form.cues().knows(word)
            || slot.labels.iter().any(|label| (0..label.words.len()).any(|no| stem(label.plain(no)) == word))
            || says(|lang| &lang.naming.general)
            || says(|lang| &lang.naming.selects)
            || says(|lang| &lang.naming.pointing)
            || says(|lang| &lang.naming.ours)
            || says(|lang| &lang.sentence.praise)
            || reader.is_unit_of_time(first)
    };
    let public = words.end.checked_sub(1).is_some_and(|no| reader.len(|lang| &lang.naming.public, no, no + 1) > 0);
    let proper = reader.is_capital(first) && !reader.is_idle(first);
    // "The beach" is a place, and perhaps no house.
    let shows = || board.slots.iter().any(|slot| named_sort::is_work_field(reader, slot));
    let strange = words.clone().any(|no| reader.is_strange(no)) && (start == from || words.len() > 1 || shows());
    let proper = proper && sought::is_name(reader, board, &words, true);
    let fits = proper || !known() && !public && (name_end::is_house(reader, &words) || strange);
    (!words.is_empty() && fits).then_some(words)
}

/// "Order a pie from Marcello's", where nothing goes from one place to another.
fn bought(reader: &Reader<'_>, board: &Board<'_>, at: usize) -> Option<Range<usize>> {
    let clause = reader.clause_words(at);
    let len = reader.len(|lang| &lang.naming.sells, at, clause.end);
    let orders = || (clause.start..at).any(|no| reader.len(|lang| &lang.naming.orders, no, at) > 0);
    let leaves = |slot: &Slot<'_>| slot.subtype() == Some(Subtype::Place) && slot.role == Some(Role::First);
    let start = at + len;
    if len == 0 || !reader.is_capital(start) || !orders() || board.slots.iter().any(leaves) {
        return None;
    }
    Some(name(reader, board, start, clause.end)).filter(|words| sought::is_name(reader, board, words, true))
}

/// "Book Albany Pump Station", "a table for the Breadline Cafe": a name in capitals that ends as those of houses do.
fn booked(reader: &Reader<'_>, board: &Board<'_>, at: usize) -> Option<Range<usize>> {
    let end = reader.clause_end(at);
    let wants = reader.len(|lang| &lang.naming.wants, at, end);
    let meant = reader.len(|lang| &lang.number.for_people, at, end);
    let lead = wants.max(meant);
    let from = at + lead;
    if lead == 0 || from >= end || reader.is_capital(at) && at > reader.clause_start(at) {
        return None;
    }
    let start = from + if reader.is_capital(from) { 0 } else { reader.len(|lang| &lang.naming.the, from, end) };
    let words = Some(start).filter(|start| reader.is_capital(*start)).map(|start| name(reader, board, start, end))?;
    let served = |no: usize| {
        let len = reader.len(|lang| &lang.naming.eatery, no, words.end);
        len > 0 && no + len == words.end && no > words.start
    };
    // "The Best Restaurant", "a Thai Restaurant": what stands before the sort has to be a name.
    let told = |no: usize| {
        let len = |table: fn(&Language) -> &Phrases<()>| reader.len(table, no, words.end);
        let how = len(|lang| &lang.sentence.praise).max(len(|lang| &lang.naming.selects));
        let word = reader.said.plain(no);
        let tongue = |lang: &Language| {
            lang.tongue.name.values().flatten().any(|name| name == word) || lang.naming.nowhere.word(word).is_some()
        };
        reader.is_idle(no) || how.max(len(|lang| &lang.option.quality)) > 0 || reader.langs().any(tongue)
    };
    let named = !words.is_empty() && !(words.start..words.end - 1).all(told);
    let house = words.clone().any(served) || wants > 0 && name_end::is_house(reader, &words);
    (named && house && sought::is_name(reader, board, &words, true)).then_some(words)
}

/// The words of a house's name from a word on: capitals, or small letters up to what leads on to something else.
fn name(reader: &Reader<'_>, board: &Board<'_>, start: usize, end: usize) -> Range<usize> {
    let taken = |no: usize| {
        // "Roxy 12": a bare number is part of it.
        let bare =
            |cand: &Cand| matches!(cand.value, Value::Integer(_)) && cand.words.len() == 1 && reader.is_digits(no);
        board.cands.iter().any(|cand| {
            cand.words.contains(&no)
                && cand.strength > Strength::Weak
                && !bare(cand)
                && !matches!(board.kind_of(cand), Some(Kind::Text(_)))
        })
    };
    let capital = reader.is_capital(start);
    let tells = |no: usize| no < end && !reader.is_mark(no) && !reader.is_idle(no) && !taken(no);
    let numbered = |no: usize| {
        let ends = no + 1 >= end || reader.is_idle(no + 1) || taken(no + 1);
        no > start && no < end && reader.is_digits(no) && !taken(no) && ends
    };
    let mut stop = start;
    if capital {
        stop = title_from(reader, board, start, end).end.max(start);
    }
    while stop < end && stop - start < MOST {
        if numbered(stop) {
            stop += 1;
            break;
        }
        if !capital && tells(stop) && !reader.is_digits(stop) {
            stop += 1;
            continue;
        }
        // "The roxy at pacifica fields", "Movies at Midway".
        let at = reader.len(|lang| &lang.naming.at, stop, end);
        let inner = stop > start && at > 0 && tells(stop + at) && !reader.is_digits(stop + at);
        let proper = if capital {
            reader.is_capital(stop + at)
        } else {
            reader.is_strange(stop + at) || reader.is_strange(start)
        };
        if !(inner && proper) {
            break;
        }
        stop += at;
        stop = if capital { title_from(reader, board, stop, end).end.max(stop + 1) } else { stop + 1 };
    }
    start..stop
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::{Stage, sorted};

    const EVENING: &str = r#"
id = "evening"
title = "X1"

[[field]]
id = "film"
kind = "text"
label = "Movie"

[[field]]
id = "cinema"
kind = "text"
label = "Theatre"

[[field]]
id = "city"
kind = "text"
label = "City"
subtype = "place"

[[field]]
id = "seats"
kind = "integer"
label = "Tickets"

[[field]]
id = "hour"
kind = "time"
label = "Time"
"#;

    #[rstest]
    #[case("2 tickets at roxaline cinemas 16 for 8:00 pm", "cinema=roxaline cinemas 16; hour=20:00; seats=2")]
    #[case("two tickets at the Elm Square in Leeds", "seats=2; cinema=Elm Square; city=Leeds")]
    #[case("5 tickets at the roxaline at elmira fields", "seats=5; cinema=roxaline at elmira fields")]
    #[case("I'd like to buy tickets from Roxaline at Midway", "cinema=Roxaline at Midway")]
    #[case("2 tickets at the end of the week", "seats=2")]
    #[case("2 tickets at the lowest price", "seats=2")]
    #[case("2 tickets at 8 pm", "seats=2; hour=20:00")]
    fn one_is_at_a_house_and_in_a_town(#[case] said: &str, #[case] expected: &str) {
        assert_eq!(sorted(&Stage::new(EVENING, "").fills(said)), sorted(expected), "{said}");
    }

    const TABLE: &str = r#"
id = "table"
title = "X1"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "house"
kind = "text"
label = "Restaurant"

[[field]]
id = "city"
kind = "text"
label = "City"
subtype = "place"

[[field]]
id = "people"
kind = "integer"
label = "Guests"
"#;

    #[rstest]
    #[case("en", "I want to book Elm Pump Station in Leeds", "city=Leeds; house=Elm Pump Station")]
    #[case("en", "a table for the Marlow Coffee Shop in Leeds", "city=Leeds; house=Marlow Coffee Shop")]
    #[case("en", "a seat in Leeds for Marlow Diner", "city=Leeds; house=Marlow Diner")]
    #[case("en", "a table for the Marlow School", "~=house=Marlow School")]
    #[case("en", "I need The Best Restaurant", "")]
    #[case("en", "a table for Italian Restaurant", "~=house=Italian")]
    #[case("en", "a restaurant close-by in Leeds for 4 people", "city=Leeds; people=4; ~=house=close-by")]
    #[case("en", "a restaurant in the area for 4 people", "people=4")]
    #[case("it", "un tavolo per la Trattoria Marlow", "~=house=Trattoria Marlow")]
    #[case("de", "ein Tisch für Marlow Restaurant in Bonn", "city=Bonn; house=Marlow Restaurant")]
    fn a_name_that_ends_as_a_house_does_is_one(#[case] lang: &'static str, #[case] said: &str, #[case] expected: &str) {
        assert_eq!(sorted(&Stage::new(TABLE, "").speaking(lang).fills(said)), sorted(expected), "{said}");
    }
}
