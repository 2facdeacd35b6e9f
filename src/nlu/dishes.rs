//! Dishes that somebody orders: "I'd like a large pepper pizza".

use std::ops::Range;

use super::Scene;
use super::ledger::Ledger;
use super::named_sort::{Sort, own_words, sort};
use super::reader::Reader;
use super::spans::{Board, Cand};
use formwright_form::Kind;
use formwright_form::kind::Strength;
use formwright_lexicon::{Language, Phrases};
use formwright_text::stem;

/// Most words that tell what is on a dish.
const MOST_TOPPINGS: usize = 3;

/// Fills the field for a dish that was not asked, from "I'd like a large pepper pizza".
pub(super) fn served(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) {
    let dish = |no: &usize| {
        let slot = board.slots.get(*no);
        slot.is_some_and(|slot| slot.value.is_none() && !slot.asked && sort(reader, slot) == Some(Sort::Dish))
    };
    let mut all = (0..board.slots.len()).filter(dish);
    let (Some(no), None) = (all.next(), all.next()) else { return };
    let Some(slot) = board.slots.get(no).filter(|_| !ledger.has(no)) else { return };
    let own = own_words(scene, reader, slot);
    for clause in &reader.clauses {
        let words = clause.words.clone();
        let negated = |no: usize| reader.len(|lang| &lang.yes_no.negation, no, words.end) > 0;
        let wants = |no: usize| {
            let len = |table: fn(&Language) -> &Phrases<()>| reader.len(table, no, words.end);
            len(|lang| &lang.naming.wants).max(len(|lang| &lang.naming.picks))
        };
        let Some(lead) = words.clone().find(|no| wants(*no) > 0).filter(|_| !words.clone().any(negated)) else {
            continue;
        };
        let is_own =
            |no: &usize| !reader.is_capital(*no) && own.iter().any(|word| word == stem(reader.said.plain(*no)));
        let from = lead + wants(lead);
        let Some(noun) = (from..words.end).find(is_own) else { continue };
        let says = |no: usize, table: fn(&Language) -> &Phrases<()>| reader.len(table, no, noun) > 0;
        let tells = |no: &usize| {
            !reader.is_idle(*no)
                && !reader.is_of_number(*no)
                && !board.is_of_option(*no)
                && !says(*no, |lang| &lang.naming.selects)
                && !says(*no, |lang| &lang.sentence.praise)
                && !says(*no, |lang| &lang.naming.general)
                && !says(*no, |lang| &lang.naming.wants)
        };
        let Some(start) = (from..noun).rev().take_while(tells).last() else { continue };
        // "The four cheese pizza."
        let numbered = start >= from + 2
            && reader.is_of_number(start - 1)
            && reader.len(|lang| &lang.naming.the, start - 2, start) > 0;
        let start = start - usize::from(numbered);
        let led = (from..start).all(|no| reader.is_idle(no) || reader.is_of_number(no) || board.is_of_option(no));
        if led
            && noun - start <= MOST_TOPPINGS
            && ledger.is_free(start..noun)
            && ledger.take(scene, reader, board, no, start..noun)
        {
            ledger.claim(noun..noun + 1);
            return;
        }
    }
}

/// Whether a quality is said of a dish that the form is about, whatever is on it: "large" of "a large pepper pizza".
pub(super) fn is_ordered(reader: &Reader<'_>, board: &Board<'_>, quality: &Range<usize>, end: usize) -> bool {
    let dish = |no: usize| {
        let own = board.mentions.iter().any(|mention| mention.words.contains(&no));
        own && reader.len(|lang| &lang.naming.dish, no, end) > 0
    };
    let reach = quality.end..end.min(quality.end + MOST_TOPPINGS + 1);
    reach.take_while(|no| !reader.is_idle(*no)).any(dish)
}

/// Past options that stand before a name: "large" of "large pepperoni".
pub(super) fn past_options(reader: &Reader<'_>, board: &Board<'_>, words: Range<usize>) -> usize {
    let option = |no: usize| {
        let fits = |cand: &&Cand| cand.words.start == no && cand.strength > Strength::Weak;
        let choice = |cand: &&Cand| matches!(board.kind_of(cand), Some(Kind::Choice(_) | Kind::Choices(_)));
        board.cands.iter().filter(fits).find(choice).map(|cand| cand.words.end)
    };
    let the = words.start.checked_sub(1).is_some_and(|no| reader.len(|lang| &lang.naming.the, no, words.start) > 0);
    let mut start = words.start;
    while start < words.end {
        match option(start) {
            Some(end) if end < words.end && end > start => start = end,
            _ if !the && reader.is_of_number(start) && start + 1 < words.end => start += 1,
            _ => break,
        }
    }
    start
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::{Stage, sorted};

    const ORDER: &str = r#"
id = "order"
title = "X1"

[[field]]
id = "pizza"
kind = "text"
label = "Pizza"

[[field]]
id = "size"
kind = "choice"
label = "Size"
options = ["Small", "Large"]

[[field]]
id = "many"
kind = "integer"
label = "How many"
"#;

    #[rstest]
    #[case("", "I'd like a large spicy chicken pizza please", "size=large; pizza=spicy chicken")]
    #[case("pizza", "I'd like a spicy chicken pizza please", "pizza=spicy chicken")]
    #[case("pizza", "I'll do a capricciosa", "pizza=capricciosa")]
    #[case("pizza", "I'd like a pizza", "")]
    #[case("pizza", "can I get the four cheese pizza?", "pizza=four cheese")]
    #[case("", "can you bring a pizza", "")]
    fn what_is_on_a_dish_names_it(#[case] asked: &str, #[case] said: &str, #[case] expected: &str) {
        assert_eq!(sorted(&Stage::new(ORDER, asked).fills(said)), sorted(expected), "{said}");
    }
}
