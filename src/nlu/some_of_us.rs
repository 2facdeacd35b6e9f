//! Some of those who come, told of by themselves: "one of us is vegetarian", "two of us will be late". How many all are is not
//! said. "Two of us", "there are two of us" and "two of us are coming" count all.

use std::ops::Range;

use super::reader::Reader;
use super::spans::{Board, Cand, Slot};

/// Takes out the numbers of some of those who come where only those who come are counted, before they take the place of the
/// number of all: "a table for 4, one of us is vegetarian".
pub(super) fn take_out(reader: &Reader<'_>, board: &mut Board<'_>) {
    let count = reader.said.words.len();
    if !(0..count).any(|no| reader.len(|lang| &lang.naming.of_us, no, count) > 0) {
        return;
    }
    let people = |cand: &Cand| {
        let mut takers = board.takers(cand).iter().filter_map(|no| board.slots.get(*no));
        takers.all(Slot::counts_people)
    };
    let some: Vec<bool> =
        board.cands.iter().map(|cand| people(cand) && is_of_some_of_us(reader, &cand.words)).collect();
    board.put_aside(some);
}

/// Whether a number counts some of those who come, of whom something is said.
pub(super) fn is_of_some_of_us(reader: &Reader<'_>, number: &Range<usize>) -> bool {
    let clause = reader.clause_words(number.start);
    let us = reader.len(|lang| &lang.naming.of_us, number.end, clause.end);
    if us == 0 {
        return false;
    }
    // "The two of us" are all.
    let all = number.start.checked_sub(1).filter(|no| *no >= clause.start);
    if all.is_some_and(|no| reader.len(|lang| &lang.sentence.articles, no, number.start) > 0) {
        return false;
    }
    // "There are two of us."
    let there = |no: usize| {
        let there = reader.at(|lang| &lang.control.there, no, number.start).is_some();
        there || reader.len(|lang| &lang.number.people_before, no, number.start) > 0
    };
    let leads = |no: usize| {
        let join = reader.len(|lang| &lang.sentence.join, no, number.start) > 0;
        join || reader.is_idle(no) && !reader.is_copula(no, number.start) && !there(no)
    };
    if !(clause.start..number.start).all(leads) {
        return false;
    }
    let verb = number.end + us;
    let is = reader.len(|lang| &lang.sentence.is, verb, clause.end);
    let is = is.max(reader.len(|lang| &lang.naming.of_one, verb, clause.end));
    let said = verb + is..clause.end;
    let coming = |no: usize| reader.len(|lang| &lang.naming.attends, no, clause.end) > 0;
    is > 0 && said.clone().any(|no| !reader.is_idle(no)) && !said.into_iter().any(coming)
}
