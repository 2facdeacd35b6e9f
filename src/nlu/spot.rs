//! Which words behind those that announce a place name it: "Rio de Janeiro", "Dallas/Fort Worth International Airport".

use std::ops::Range;

use super::reader::Reader;
use super::realms::land_len;
use super::region::with_region;
use super::score::{is_number, is_telling};
use super::small;
use super::spans::{Board, Cand};
use super::turns::turn_at;
use formwright_form::Kind;
use formwright_form::kind::Strength;
use formwright_lexicon::sentence::Announced;

/// Most words of a place.
const MOST_WORDS: usize = 4;

/// Most words of a land before one that joins them: "Democratic Republic of the Congo".
const MOST_JOINED: usize = 4;

/// The words of a name or place from a word on: capitals where the message has them, a few telling words where not.
pub(super) fn name(
    reader: &Reader<'_>,
    board: &Board<'_>,
    start: usize,
    end: usize,
    certain: bool,
    only_capitals: bool,
) -> Option<Range<usize>> {
    let count = reader.said.words.len();
    let taken = |no: usize| {
        board.cands.iter().any(|cand| {
            cand.words.contains(&no) && cand.strength > Strength::Weak && board.kind_of(cand).is_some_and(is_telling)
        })
    };
    // Months and days have capitals however somebody types.
    let capitals = (1..count).any(|no| reader.is_capital(no) && !reader.is_idle(no) && !taken(no));
    // "I have bags to check in."
    let common = |no: usize| reader.langs().any(|lang| lang.option.common.word_at(reader.said, no).is_some());
    // "New" of "new york" means little elsewhere.
    let town =
        |no: usize| no == start && reader.len(|lang| &lang.naming.town, no, no + 1) > 0 && !reader.is_idle(no + 1);
    let fits = |no: usize| {
        // "Home from Berlin I lost my phone": whoever speaks goes on about something.
        let speaker = no > start && reader.said.is_i(no);
        let letters = !reader.is_mark(no) && !reader.is_digits(no) && !speaker;
        let small = || !reader.is_idle(no) && (no == start || turn_at(reader, no, end).is_none());
        letters && !taken(no) && if capitals { reader.is_capital(no) } else { small() || town(no) }
    };
    // "Dallas/Fort Worth", "Rio de Janeiro".
    let joins = |no: usize| {
        let between = no > start && capitals && reader.is_capital(no - 1) && reader.is_capital(no + 1) && fits(no + 1);
        let slash = reader.said.word(no) == "/" && reader.said.is_glued(no) && reader.said.is_glued(no + 1);
        let small = || {
            let leads = reader.announces(Announced::Place, no, end) > 0 || turn_at(reader, no, end).is_some();
            reader.len(|lang| &lang.name.particles, no, no + 1) > 0 && !leads
        };
        // "St. Mary's Hospital."
        let stop = || reader.said.word(no) == "." && reader.len(|lang| &lang.naming.town, no - 1, no) > 0;
        // "Serbia and Montenegro."
        let land = || (start.max(no.saturating_sub(MOST_JOINED))..no).any(|at| at + land_len(reader, at) > no + 1);
        between && (slash || small() || stop()) || no > start && !taken(no) && land()
    };
    // "To 18300 Carriage Drive".
    let house = reader.is_digits(start) && (2..=5).contains(&reader.said.word(start).len()) && fits(start + 1);
    let stop = (start + usize::from(house)..end).find(|no| !fits(*no) && !joins(*no)).unwrap_or(end);
    // "Fort Worth International Airport" is longer than most.
    let sort = |no: usize| reader.len(|lang| &lang.naming.terminal, no, no + 1) > 0 && reader.is_capital(no);
    let most = (start + MOST_WORDS..stop.min(start + 2 * MOST_WORDS))
        .find(|no| sort(*no))
        .map_or(MOST_WORDS, |no| no + 1 - start);
    // "De Funiak Springs Serbia and Montenegro."
    let land = (start..stop.min(start + MOST_WORDS)).map(|at| at + land_len(reader, at)).max();
    let most = land.filter(|land| *land <= stop).map_or(most, |land| most.max(land - start));
    let words = start..stop.min(start + most + usize::from(house));
    let whole = words.end;
    let words = if capitals { small::with_terminal(reader, words, end) } else { small::place(reader, words, certain) };
    let ends_there = stop == end || reader.is_idle(stop) || taken(stop) || words.end < whole;
    // "I have bags to check in", "change it to leaving …".
    let leads = turn_at(reader, start, end).is_some();
    // "In business class", where it is an option; "in two groups".
    let option = |no: usize| {
        let other = |cand: &&Cand| {
            let kind = board.kind_of(cand);
            kind.is_some_and(|kind| is_number(kind) || matches!(kind, Kind::Choice(_) | Kind::Choices(_)))
        };
        board.cands.iter().filter(other).any(|cand| cand.words.contains(&no))
    };
    if !capitals && (leads || words.clone().all(common) || words.clone().skip(usize::from(house)).any(option)) {
        return None;
    }
    let takes = capitals || !only_capitals && ends_there;
    (!words.is_empty() && takes).then(|| with_region(reader, words, end, capitals, taken))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::Stage;

    const TRIP: &str = r#"
id = "trip"
title = "Trip"

[[field]]
id = "goal"
kind = "text"
label = "Destination"
subtype = "place"

[[field]]
id = "rooms"
kind = "integer"
label = "Rooms"
"#;

    #[rstest]
    #[case("we go to Rio de Janeiro", "goal=Rio de Janeiro")]
    #[case("I fly to Dallas/Fort Worth International Airport", "goal=Dallas/Fort Worth International Airport")]
    #[case("I need to get to St. Mary's Hospital", "goal=St. Mary's Hospital")]
    #[case("we go to Moss, and it is going to run late", "goal=Moss")]
    #[case("the party is going to run late", "")]
    #[case("on the way to Berlin I lost it", "goal=Berlin")]
    #[case("a trip to Oslo, Im allergic to dogs", "goal=Oslo")]
    #[case("a trip to Oslo, Im a nurse", "goal=Oslo")]
    fn all_of_a_place_is_its_name(#[case] said: &str, #[case] expected: &str) {
        assert_eq!(Stage::new(TRIP, "").fills(said), expected, "{said}");
    }
}
