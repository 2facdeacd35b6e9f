//! Of which sort the place is where one books: "a table at a gastropub", "book a brasserie in Oslo".

use std::ops::Range;

use super::Scene;
use super::casts::is_called;
use super::ledger::Ledger;
use super::reader::Reader;
use super::spans::{Board, Slot};
use formwright_lexicon::{Language, Phrases};

/// Most words of a sort of place.
const MOST: usize = 3;

/// Whether a field asks of which sort a place is: "type of venue".
pub(super) fn asks(reader: &Reader<'_>, slot: &Slot<'_>) -> bool {
    let open = slot.is_free() && !slot.is_long() && slot.subtype().is_none();
    open && is_called(reader, slot, |lang| &lang.sentence.sort) && is_called(reader, slot, |lang| &lang.naming.venue)
}

/// Fills the only open field for the sort of a place.
pub(super) fn fill(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) {
    let open = |no: &usize| {
        let slot = board.slots.get(*no);
        !ledger.has(*no) && slot.is_some_and(|slot| (slot.value.is_none() || slot.asked) && asks(reader, slot))
    };
    let mut all = (0..board.slots.len()).filter(open);
    let (Some(no), None) = (all.next(), all.next()) else { return };
    let found = (0..reader.said.words.len()).find_map(|at| sort_at(reader, board, at));
    let Some(words) = found.filter(|words| ledger.is_free(words.clone())) else { return };
    ledger.take(scene, reader, board, no, words);
}

/// The sort behind an indefinite article: "gastropub" of "at a highly rated gastropub in Oslo".
fn sort_at(reader: &Reader<'_>, board: &Board<'_>, at: usize) -> Option<Range<usize>> {
    let end = reader.clause_end(at);
    let len = |table: fn(&Language) -> &Phrases<()>, no: usize| reader.len(table, no, end);
    let article = len(|lang| &lang.sentence.articles, at);
    if article == 0 || len(|lang| &lang.naming.the, at) > 0 {
        return None;
    }
    // "A highly rated one": what praises it is no part of it.
    let praises = |no: usize| len(|lang| &lang.sentence.praise, no) > 0 || reader.said.plain(no).ends_with("ly");
    let start = (at + article..end).find(|no| !praises(*no))?;
    let value = |no: usize| board.has_value_at(no);
    let tells = |no: usize| {
        !reader.is_idle(no)
            && !reader.is_mark(no)
            && !reader.is_digits(no)
            && !reader.is_capital(no)
            && (!value(no) || len(|lang| &lang.naming.eatery, no) > 0)
    };
    let stop = (start..end.min(start + MOST + 1)).find(|no| !tells(*no)).unwrap_or(end.min(start + MOST + 1));
    // "A creole tavern" is a tavern, and "a wine bar" no bar.
    let known = (start..stop).map(|no| no..no + len(|lang| &lang.naming.eatery, no)).find(|words| !words.is_empty());
    // "A churrascaria in Oslo": a word that the language has not, and nothing else.
    let strange = || (stop == start + 1 && reader.is_unknown(start) && leads(reader, at)).then_some(start..stop);
    known.filter(|words| words.len() <= MOST && (words.end >= stop || reader.is_idle(words.end))).or_else(strange)
}

/// Whether somebody wants to book what follows, or to be there.
fn leads(reader: &Reader<'_>, at: usize) -> bool {
    let start = reader.clause_start(at);
    let ends = |table: fn(&Language) -> &Phrases<()>| {
        (start..at).any(|no| {
            let len = reader.len(table, no, at);
            len > 0 && no + len == at
        })
    };
    ends(|lang| &lang.naming.wants) || ends(|lang| &lang.naming.at) || ends(|lang| &lang.naming.spends)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::{Stage, sorted};

    const TABLE: &str = r#"
id = "table"
title = "A table"

[[field]]
id = "sort"
kind = "text"
label = "Type of venue"

[[field]]
id = "food"
kind = "text"
label = "Cuisine"
help = "Style of cooking"

[[field]]
id = "town"
kind = "text"
label = "Town"
subtype = "place"

[[field]]
id = "people"
kind = "integer"
label = "Number of people"
"#;

    #[rstest]
    #[case("a table for 4 at a popular gastropub in Moss", "people=4; sort=gastropub; town=Moss")]
    #[case("I want to book a wine bar for six people", "people=6; sort=wine bar")]
    #[case("book a churrascaria in Moss", "sort=churrascaria; town=Moss")]
    #[case("a table for a party of 4", "people=4")]
    #[case("I'd like to book a table", "")]
    #[case("book a bistro that serves thai food", "food=thai; sort=bistro")]
    fn the_sort_of_a_place_stands_behind_its_article(#[case] said: &str, #[case] expected: &str) {
        assert_eq!(sorted(&Stage::new(TABLE, "").fills(said)), sorted(expected), "{said}");
    }
}
