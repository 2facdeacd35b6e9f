//! How far the values reach that are found in a message: a number without the option it counts ("two margheritas"), an
//! address to its postcode ("841 Baker Circle East Elmhurst NY 11370").

use std::ops::Range;

use super::bare;
use super::reader::Reader;
use super::spans::{Board, Cand, Slot};
use crate::form::Kind;
use crate::form::Value;
use crate::form::kind::text::Subtype;
use crate::form::kind::{Strength, overlap};
use crate::form::language::sentence::Announced;

/// Most words between a street and the end of its address.
const MOST: usize = 6;
/// Most letters before the digits of a code.
const PREFIX: usize = 3;
/// Most words of a town that no postcode follows.
const TOWN: usize = 3;
/// Most digits of a postcode.
const POSTCODE: usize = 9;

impl Board<'_> {
    /// Takes an option out of the words of a number where it is the number's unit too: "two margheritas".
    pub(super) fn part_units(&mut self, reader: &Reader<'_>) {
        let is_number = |board: &Self, cand: &Cand| {
            board.kind_of(cand).is_some_and(|kind| matches!(kind, Kind::Integer(_) | Kind::Number(_)))
        };
        for no in 0..self.cands.len() {
            let Some(number) = self.cands.get(no).filter(|cand| is_number(self, cand)).map(|cand| cand.words.clone())
            else {
                continue;
            };
            let option = self.cands.iter().find(|other| {
                let inside = number.start < other.words.start && other.words.end == number.end;
                inside && other.strength == Strength::Exact && !is_number(self, other)
            });
            let Some(end) = option.map(|option| option.words.start) else { continue };
            if let Some(cand) = self.cands.get_mut(no) {
                cand.words.end = end;
                cand.raw = reader.raw_range(cand.words.clone());
            }
        }
    }

    /// Lengthens streets with a house number to whole addresses.
    pub(super) fn lengthen_addresses(&mut self, reader: &Reader<'_>) {
        for no in 0..self.cands.len() {
            let Some(cand) = self.cands.get(no).filter(|cand| self.is_address(cand)) else { continue };
            let words = cand.words.start..self.address_end(reader, cand);
            let raw = reader.raw_range(words.clone());
            let text = reader.said.raw.get(raw.clone()).unwrap_or_default().to_owned();
            if let Some(cand) = self.cands.get_mut(no).filter(|cand| words.end > cand.words.end) {
                (cand.words, cand.raw, cand.value) = (words, raw, Value::Text(text));
            }
        }
    }

    /// Lengthens digits of a code to the letters that stand by them: "GHU 124" after "code is", "x 3948 b".
    pub(super) fn lengthen_codes(&mut self, reader: &Reader<'_>) {
        for no in 0..self.cands.len() {
            let Some(cand) = self.cands.get(no).filter(|cand| self.is_number_of_code(reader, cand)) else { continue };
            let Range { mut start, mut end } = cand.words.clone();
            let own = |no: usize| {
                let named = self.mentions.iter().any(|mention| mention.words.contains(&no));
                let announced =
                    [Announced::Phone, Announced::Email].into_iter().any(|what| reader.announces(what, no, no + 1) > 0);
                !reader.is_idle(no) && !named && !announced && !reader.is_digits(no)
            };
            if let Some(before) =
                start.checked_sub(1).filter(|no| own(*no) && reader.said.word(*no).chars().count() <= PREFIX)
            {
                let leads = before.checked_sub(1).is_some_and(|no| !own(no));
                let spelled = bare::is_abbreviation(reader, before);
                start = if leads || spelled { before } else { start };
            }
            if end < reader.said.words.len() && own(end) && reader.said.word(end).chars().count() == 1 {
                end += 1;
            }
            let raw = reader.raw_range(start..end);
            let text = reader.said.raw.get(raw.clone()).unwrap_or_default().to_owned();
            if let Some(cand) = self.cands.get_mut(no).filter(|cand| cand.words != (start..end)) {
                (cand.words, cand.raw, cand.value, cand.strength) =
                    (start..end, raw, Value::Text(text), Strength::Typed);
            }
        }
    }

    fn is_number_of_code(&self, reader: &Reader<'_>, cand: &Cand) -> bool {
        let taker = self.takers(cand).first().and_then(|no| self.slots.get(*no));
        taker.and_then(Slot::subtype) == Some(Subtype::Code) && cand.words.clone().all(|no| reader.is_digits(no))
    }

    fn is_address(&self, cand: &Cand) -> bool {
        let taker = self.takers(cand).first().and_then(|no| self.slots.get(*no));
        taker.and_then(Slot::subtype) == Some(Subtype::Address) && cand.strength == Strength::Exact
    }

    fn address_end(&self, reader: &Reader<'_>, cand: &Cand) -> usize {
        let end = cand.words.end;
        let clause = reader.clause_end(cand.words.start);
        let another = |no: usize| {
            let here: Range<usize> = no..no + 1;
            let value = self.cands.iter().any(|other| {
                other.alike != cand.alike && other.strength > Strength::Weak && overlap(&other.words, &here)
            });
            let named = self.mentions.iter().any(|mention| mention.words.contains(&no));
            let announced = || {
                [Announced::Phone, Announced::Email, Announced::Url]
                    .into_iter()
                    .any(|what| reader.announces(what, no, clause) > 0)
            };
            let joined = || reader.len(|lang| &lang.sentence.join, no, clause) > 0;
            value || named || announced() || joined() || reader.is_digits(no) && reader.said.word(no).len() > POSTCODE
        };
        let stop = (end..clause).find(|no| another(*no)).unwrap_or(clause);
        let rest = end..stop;
        let postcode = |no: usize| reader.is_digits(no) && (4..=POSTCODE).contains(&reader.said.word(no).len());
        // "IN 46617": a state may be called like a small word.
        let plain = rest.clone().all(|no| !reader.is_idle(no) || no + 1 < stop && postcode(no + 1));
        let contact =
            [Announced::Phone, Announced::Email].into_iter().any(|what| reader.announces(what, stop, clause) > 0);
        // The country follows the postcode.
        let coded = rest.clone().rev().take(2).any(postcode);
        let ends = rest.len() == 1 || contact && rest.len() <= TOWN;
        let closed = ends || coded || stop > end && reader.is_digits(stop - 1);
        if plain && closed && rest.len() <= MOST { stop } else { end }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::engine::understand::testing::Stage;

    const ORDER: &str = r#"
id = "order"
title = "Order"

[[field]]
id = "where"
kind = "address"
label = "Address"

[[field]]
id = "phone"
kind = "phone"
label = "Phone"

[[field]]
id = "day"
kind = "date"
label = "Day"
"#;

    #[rstest]
    #[case("841 baker circle east elmhurst ny 11370", "where=841 baker circle east elmhurst ny 11370")]
    #[case("165 pop street uk", "where=165 pop street uk")]
    #[case("12 Main Street ring twice", "where=12 Main Street")]
    #[case("12 Main Street tomorrow", "where=12 Main Street; day=2026-11-22")]
    #[case(
        "30 memorial drive avon ma 2322 phone 896 456 8526",
        "where=30 memorial drive avon ma 2322; phone=8964568526"
    )]
    #[case("9 harbour road galway h91 ireland", "where=9 harbour road")]
    #[case("9 mill road gary in 46401 usa phone 896 456 8526", "where=9 mill road gary in 46401 usa; phone=8964568526")]
    #[case("25 3 street and my phone is 896 456 8526", "where=25 3 street; phone=8964568526")]
    #[case("410 9 th ave s fargo nd 58103", "where=410 9 th ave s fargo nd 58103")]
    #[case("7 2 nd cross salem ph 896 456 8526", "where=7 2 nd cross salem; phone=8964568526")]
    #[case("please take my address 12 oak circle north haven ct 6473", "where=12 oak circle north haven ct 6473")]
    fn an_address_goes_on_to_its_postcode(#[case] said: &str, #[case] expected: &str) {
        assert_eq!(Stage::new(ORDER, "").fills(said), expected, "{said}");
    }
}
