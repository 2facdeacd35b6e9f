//! Names and values in turn, with no sentence around them: "make Mahindra model TUV 300 year 2010", "departure Mumbai
//! arrival Goa". Part of a field's name is enough there.

use std::ops::Range;

use super::Scene;
use super::ledger::Ledger;
use super::reader::Reader;
use super::spans::{Board, Slot, read};
use formwright_form::cues::Mention;
use formwright_form::kind::text::Subtype;
use formwright_form::kind::{Reading, Strength};

/// Most words of a value.
const MOST: usize = 4;

/// Fills text fields from clauses that are nothing but names and values.
pub(super) fn fill(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) {
    for clause in reader.clauses.iter().filter(|clause| !clause.question) {
        let names = names(reader, board, clause.words.clone());
        let begins = names.first().is_some_and(|(_, name)| name.start == reader.past_filler(clause.words.clone()));
        if names.len() < 2 || !begins {
            continue;
        }
        let ends = names.iter().skip(1).map(|(_, name)| name.start).chain([clause.words.end]);
        let pairs: Vec<(usize, Range<usize>)> = names
            .iter()
            .zip(ends)
            .map(|((slot, name), end)| (*slot, value(reader, board, *slot, name.end..end)))
            .collect();
        if pairs.iter().all(|(slot, words)| is_value(reader, board, *slot, words)) {
            for ((slot, words), (_, name)) in pairs.into_iter().zip(names) {
                let Some(of) = board.slots.get(slot).filter(|of| takes_words(of) && !ledger.has(slot)) else {
                    continue;
                };
                if ledger.is_free(words.clone())
                    && let Reading::Value(found) = read(scene, reader, of, words)
                    && ledger.fill_named(reader, slot, found)
                {
                    ledger.claim(name);
                }
            }
        }
    }
}

fn takes_words(slot: &Slot<'_>) -> bool {
    slot.is_free() && !slot.is_long() && slot.subtype() != Some(Subtype::Address)
}

/// Where the clause speaks of one field and no other, from left to right; each field once.
fn names(reader: &Reader<'_>, board: &Board<'_>, clause: Range<usize>) -> Vec<(usize, Range<usize>)> {
    let within = |mention: &&Mention| clause.start <= mention.words.start && mention.words.end <= clause.end;
    let mut all: Vec<&Mention> = board.mentions.iter().filter(within).collect();
    all.sort_by(|a, b| (a.words.start, b.words.end).cmp(&(b.words.start, a.words.end)));
    let mut names: Vec<(usize, Range<usize>)> = Vec::new();
    for mention in &all {
        let others = all.iter().any(|other| {
            let as_long = other.words.start <= mention.words.start && mention.words.end <= other.words.end;
            other.field != mention.field && as_long
        });
        let after_last = names.last().is_none_or(|(_, last)| last.end <= mention.words.start);
        let Some(slot) = board.slot_of(mention.field).filter(|_| !others && after_last && !mention.unit) else {
            continue;
        };
        let small = reader.said.plain(mention.words.start).chars().count() < 3;
        if !small && names.iter().all(|(known, _)| *known != slot) {
            names.push((slot, mention.words.clone()));
        }
    }
    names
}

/// The words behind a name, without the rest of it ("of the car") and what joins them to the next.
fn value(reader: &Reader<'_>, board: &Board<'_>, slot: usize, words: Range<usize>) -> Range<usize> {
    let Some(slot) = board.slots.get(slot) else { return words };
    let of_name = |no: usize| board.mentions_of(slot).any(|mention| mention.words.contains(&no));
    let nothing = |no: &usize| reader.is_idle(*no) || of_name(*no);
    let start = words.clone().find(|no| !nothing(no)).unwrap_or(words.end);
    let end = (start..words.end).rev().find(|no| !reader.is_idle(*no)).map_or(start, |last| last + 1);
    start..end
}

/// Whether words can be nothing but a field's value: of a typed field they hold one.
fn is_value(reader: &Reader<'_>, board: &Board<'_>, slot: usize, words: &Range<usize>) -> bool {
    let Some(of) = board.slots.get(slot) else { return false };
    let few = (1..=MOST).contains(&words.len());
    if !takes_words(of) {
        let own = board.cands.iter().filter(|cand| board.takers(cand).contains(&slot));
        let inside = own.filter(|cand| words.start <= cand.words.start && cand.words.end <= words.end);
        return inside.map(|cand| cand.words.len() + 1).max().is_some_and(|most| words.len() <= most);
    }
    let telling = |no: usize| {
        let verb = reader.len(|lang| &lang.sentence.verb, no, words.end) > 0;
        let typed = board.cands.iter().any(|cand| cand.strength > Strength::Weak && cand.words.contains(&no));
        !verb && !reader.is_idle(no) && (!typed || reader.is_digits(no))
    };
    few && words.clone().all(telling)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::Stage;

    const CAR: &str = r#"
id = "car"
title = "Insurance"

[[field]]
id = "f1"
kind = "text"
label = "Car brand"

[[field]]
id = "f2"
kind = "text"
label = "Car model"

[[field]]
id = "f3"
kind = "integer"
label = "Year of the car"
min = 1950
max = 2030

[[field]]
id = "f4"
kind = "text"
label = "Departure city"
subtype = "place"

[[field]]
id = "f5"
kind = "text"
label = "Arrival city"
subtype = "place"
"#;

    #[rstest]
    #[case("brand Fiat model Panda", "f1=Fiat; f2=Panda")]
    #[case("make fiat model panda 4x4 year 2019", "f1=fiat; f2=panda 4x4; f3=2019")]
    #[case("brand of the car skoda model of the car octavia", "f1=skoda; f2=octavia")]
    #[case("car brand Fiat car model Panda", "f1=Fiat; f2=Panda")]
    #[case("departure lyon arrival nice", "f4=lyon; f5=nice")]
    #[case("the brand and the model are on the invoice", "")]
    #[case("my model broke and the brand is unknown to me", "")]
    fn names_and_values_in_turn_need_no_sentence(#[case] said: &str, #[case] expected: &str) {
        assert_eq!(Stage::new(CAR, "").fills(said), expected, "{said}");
    }
}
