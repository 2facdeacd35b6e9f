//! Two places inside a sentence: "change my flight boston to miami", "departing mumbai, arriving kolkata".

use std::ops::Range;

use super::Scene;
use super::ledger::Ledger;
use super::reader::Reader;
use super::spans::{Board, Slot};
use super::turns::turn_at;
use formwright_form::cues::{Ends, Role};
use formwright_form::kind::Strength;
use formwright_form::kind::text::Subtype;
use formwright_lexicon::given::is_given;
use formwright_text::stem;

/// Most words of a place.
const MOST: usize = 3;

/// Fills two open places with what stands around the only "to" between names, or behind words for either end.
pub(super) fn fill(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    ledger: &mut Ledger,
    [first, second]: [usize; 2],
) {
    let places = Places { scene, reader, board };
    let around = || {
        let mut all = (0..reader.said.words.len()).filter_map(|no| places.around(no));
        all.next().filter(|_| all.next().is_none())
    };
    let led = || Some([places.behind(Role::First)?, places.behind(Role::Second)?]);
    let Some(both) = around().or_else(led) else { return };
    if both.iter().any(|words| !ledger.is_free(words.clone())) {
        return;
    }
    for (slot, words) in [first, second].into_iter().zip(both) {
        ledger.take(scene, reader, board, slot, words);
    }
}

/// Whether two words with capitals are rather the ends of a journey than somebody, where both ends are open and neither word is
/// a given name: "Berlin Munich tomorrow".
pub(super) fn are_ends(reader: &Reader<'_>, board: &Board<'_>, words: &Range<usize>) -> bool {
    let open = |role: Role| {
        let end = |slot: &Slot<'_>| slot.subtype() == Some(Subtype::Place) && slot.role == Some(role);
        board.slots.iter().any(|slot| end(slot) && slot.value.is_none())
    };
    let given = |no: usize| is_given(reader.said.plain(no));
    let first = words.start == reader.past_filler(0..words.end);
    words.len() == 2 && first && !words.clone().any(given) && open(Role::First) && open(Role::Second)
}

struct Places<'a> {
    scene: &'a Scene<'a>,
    reader: &'a Reader<'a>,
    board: &'a Board<'a>,
}

impl Places<'_> {
    /// Whether a word may be part of a place's name: it has a capital inside a sentence, or is none of the language's.
    fn is_proper(&self, no: usize) -> bool {
        let reader = self.reader;
        let value = self.board.cands.iter().any(|cand| cand.strength > Strength::Weak && cand.words.contains(&no));
        let capital = reader.is_capital(no) && no > reader.clause_start(no) && !reader.is_idle(no);
        let known = self.scene.form.cues().knows(stem(reader.said.plain(no)));
        let none = reader.len(|lang| &lang.name.nobody, no, no + 1) > 0 || is_given(reader.said.plain(no));
        !reader.is_mark(no) && !value && !known && !none && (capital || reader.is_strange(no))
    }

    /// "New" and "san" begin names of towns.
    fn begins_town(&self, no: usize) -> bool {
        self.reader.len(|lang| &lang.naming.town, no, no + 1) > 0
    }

    /// The places on either side of a word that leads to the second.
    fn around(&self, to: usize) -> Option<[Range<usize>; 2]> {
        let clause = self.reader.clause(to)?;
        let leads = self.reader.len(|lang| &lang.sentence.second, to, clause.words.end) == 1 && self.reader.is_idle(to);
        if !leads || clause.question {
            return None;
        }
        let mut start = (clause.words.start..to).rev().take(MOST).take_while(|no| self.is_proper(*no)).last()?;
        if start > clause.words.start && self.begins_town(start - 1) {
            start -= 1;
        }
        // "From Oslo, NO to Bergen" begins before the comma.
        if start > 0 && start == clause.words.start {
            return None;
        }
        let second = self.from(to + 1)?;
        Some([start..to, second])
    }

    /// The place that begins at a word.
    fn from(&self, start: usize) -> Option<Range<usize>> {
        let end = self.reader.clause_end(start);
        let first = start + usize::from(self.begins_town(start));
        // "Leeds/Bradford International Airport" may be longer than a name in small letters.
        let capital = |no: usize| self.reader.is_capital(no);
        let most = if capital(first) { 2 * MOST } else { MOST };
        let slash = |no: usize| self.reader.said.word(no) == "/" && capital(no - 1) && capital(no + 1);
        // "Mexico City", whatever the form calls a city.
        let named = |no: usize| {
            let small = self.reader.langs().any(|lang| lang.sentence.stop.word_at(self.reader.said, no).is_some());
            capital(no) && capital(no - 1) && !small && !self.board.has_value_at(no)
        };
        let goes_on = |no: &usize| self.is_proper(*no) || *no > first && (slash(*no) || named(*no));
        let last = (first..end).take(most).take_while(goes_on).last()?;
        Some(start..last + 1)
    }

    /// The place right behind a word for one of the ends: "departing mumbai".
    fn behind(&self, role: Role) -> Option<Range<usize>> {
        let reader = self.reader;
        (0..reader.said.words.len()).find_map(|no| {
            // "From" and "to" alone are read with what stands before them.
            let (len, turn) = turn_at(reader, no, reader.clause_end(no)).filter(|_| !reader.is_idle(no))?;
            let start = no + len + usize::from(reader.said.word(no + len) == ":");
            if Ends::PLACES.role(turn) == role { self.from(start) } else { None }
        })
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::{Stage, sorted};

    const FLIGHT: &str = r#"
id = "flight"
title = "Flight"

[[field]]
id = "origin"
kind = "text"
label = "Departure city"
subtype = "place"

[[field]]
id = "goal"
kind = "text"
label = "Arrival city"
subtype = "place"

[[field]]
id = "code"
kind = "text"
label = "Booking reference"
subtype = "code"
"#;

    #[rstest]
    #[case("i want to move my flight lisbon to new orleans ref 4KTR2M", "code=4KTR2M; goal=new orleans; origin=lisbon")]
    #[case("Please cancel the flight Turin to San Diego", "origin=Turin; goal=San Diego")]
    #[case("departing lisbon arriving turin", "origin=lisbon; goal=turin")]
    #[case("departure lisbon, arrival turin", "origin=lisbon; goal=turin")]
    #[case("i need to talk to somebody about my flight", "")]
    #[case("leaving early and arriving late", "")]
    #[case("flights from Oslo to Mexico City leaving tomorrow", "goal=Mexico City; origin=Oslo")]
    fn two_places_stand_inside_a_sentence(#[case] said: &str, #[case] expected: &str) {
        assert_eq!(sorted(&Stage::new(FLIGHT, "").fills(said)), sorted(expected), "{said}");
    }
}
