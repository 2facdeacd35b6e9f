//! How far the values reach that are found in a message: a number without the option it counts ("two margheritas"), an
//! address to its postcode ("841 Baker Circle East Elmhurst NY 11370").

use std::ops::Range;

use super::bare;
use super::reader::Reader;
use super::score::is_number;
use super::spans::{Board, Cand, Slot};
use formwright_form::kind::text::Subtype;
use formwright_form::kind::{Strength, overlap};
use formwright_form::{Kind, Value};
use formwright_lexicon::Language;
use formwright_lexicon::sentence::Announced;

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

    /// Lengthens digits of a code to the groups and the letters that stand by them: "GHU 124" after "code is", "x 3948 b", "FK
    /// 382 0917".
    pub(super) fn lengthen_codes(&mut self, reader: &Reader<'_>) {
        for no in 0..self.cands.len() {
            let Some(cand) = self.cands.get(no).filter(|cand| self.is_number_of_code(reader, cand)) else { continue };
            let Range { start, end } = cand.words.clone();
            let group = |no: usize| reader.is_digits(no) && !reader.said.is_glued(no) && !reader.said.is_glued(no + 1);
            let mut start = (0..start).rev().take_while(|no| group(*no)).last().unwrap_or(start);
            let mut end = (end..reader.said.words.len()).find(|no| !group(*no)).unwrap_or(reader.said.words.len());
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

    /// Ends names in small letters where the name of another field begins: "yusuf" of "my name is yusuf confirmation code is …".
    pub(super) fn shorten_names(&mut self, reader: &Reader<'_>) {
        for no in 0..self.cands.len() {
            let Some(cand) = self.cands.get(no) else { continue };
            let takers = self.takers(cand).iter().filter_map(|no| self.slots.get(*no));
            let mut people = takers.filter(|slot| slot.subtype() == Some(Subtype::Person));
            if people.next().is_none() {
                continue;
            }
            let other = |no: &usize| {
                let of_other = |mention: &formwright_form::cues::Mention| {
                    let own = |taker: &usize| self.slots.get(*taker).is_some_and(|slot| slot.field.no == mention.field);
                    mention.words.start == *no && !self.takers(cand).iter().any(own)
                };
                !reader.is_capital(*no) && self.mentions.iter().any(of_other)
            };
            let Some(end) = (cand.words.start + 1..cand.words.end).find(other) else { continue };
            let words = cand.words.start..end;
            let raw = reader.raw_range(words.clone());
            let text = reader.said.raw.get(raw.clone()).unwrap_or_default();
            let value = Value::Text(text.split_whitespace().collect::<Vec<_>>().join(" "));
            if let Some(cand) = self.cands.get_mut(no) {
                (cand.words, cand.raw, cand.value) = (words, raw, value);
            }
        }
    }

    /// Makes one code of the groups that an answer to the question for it is made of: "EM 7730 1925 B", "QX 4471 0092".
    pub(super) fn join_asked_code(&mut self, reader: &Reader<'_>) {
        const SHORTEST: usize = 4;
        const LETTERS: usize = 4;
        let asked = self.asked.and_then(|no| self.slots.get(no)).filter(|slot| slot.subtype() == Some(Subtype::Code));
        let Some((slot, alike)) = asked.map(|slot| (slot, slot.alike)) else { return };
        let named = |no: usize| self.mentions_of(slot).any(|mention| mention.words.contains(&no));
        let group = |no: usize| !reader.is_mark(no) && (!reader.is_idle(no) || reader.is_capital(no)) && !named(no);
        let count = reader.said.words.len();
        let Some(start) = (0..count).find(|no| group(*no)) else { return };
        let end = (start..count).rev().find(|no| group(*no)).map_or(start, |last| last + 1);
        // "It's a 2 CS 51" may begin with a letter or with an article.
        let letter = |no: usize| reader.said.word(no).chars().count() == 1 && !reader.is_mark(no);
        if start.checked_sub(1).is_some_and(letter) || letter(end) {
            return;
        }
        let text = |no: usize| reader.said.raw.get(reader.raw_range(no..no + 1)).unwrap_or_default();
        let upper = |no: usize| text(no).chars().all(|c| c.is_ascii_uppercase()) && text(no).len() <= LETTERS;
        let glued = |no: usize| reader.said.is_glued(no) || reader.said.is_glued(no + 1);
        let fits = |no: usize| match () {
            () if reader.is_digits(no) => true,
            () if reader.is_mark(no) => matches!(reader.said.word(no), "-" | "/" | ".") && reader.said.is_glued(no + 1),
            () => upper(no) || glued(no) || text(no).is_ascii() && bare::is_abbreviation(reader, no),
        };
        let alphanumeric =
            (start..end).map(|no| text(no).chars().filter(|c| c.is_alphanumeric()).count()).sum::<usize>();
        let digits = (start..end).filter(|no| reader.is_digits(*no)).count();
        let else_too = |cand: &Cand| {
            let sure = cand.strength > Strength::Weak && !self.kind_of(cand).is_some_and(is_number);
            cand.alike != alike && sure && cand.words.start < end && start < cand.words.end
        };
        let denied = (0..start).any(|no| reader.len(|lang| &lang.denial.before, no, start) > 0);
        if digits == 0
            || end - start < 2
            || denied
            || alphanumeric < SHORTEST
            || !(start..end).all(fits)
            || self.cands.iter().any(else_too)
        {
            return;
        }
        let (words, raw) = (start..end, reader.raw_range(start..end));
        let value = Value::Text(reader.said.raw.get(raw.clone()).unwrap_or_default().to_owned());
        self.cands.retain(|cand| cand.alike != alike);
        self.cands.push(Cand { alike, words, raw, value, strength: Strength::Typed, negated: false, old: false });
    }

    /// Whether words are part of an address that a field for one finds.
    pub(super) fn is_of_address(&self, words: &Range<usize>) -> bool {
        self.cands.iter().any(|cand| overlap(&cand.words, words) && self.is_address(cand))
    }

    fn is_number_of_code(&self, reader: &Reader<'_>, cand: &Cand) -> bool {
        let taker = self.takers(cand).first().and_then(|no| self.slots.get(*no));
        // A code that is read out in words is told as a whole.
        let raw = reader.said.raw.get(cand.raw.clone()).unwrap_or_default();
        let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count();
        let written = || matches!(&cand.value, Value::Text(text) if letters(text) == letters(raw));
        taker.and_then(Slot::subtype) == Some(Subtype::Code)
            && cand.words.clone().any(|no| reader.is_digits(no))
            && written()
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
        let day = |no: usize| {
            let whole = |lang: &Language| lang.tells_time(reader.said.plain(no));
            !reader.is_digits(no) && !reader.is_capital(no) && reader.langs().any(whole)
        };
        let digits =
            rest.clone().filter(|no| reader.is_digits(*no)).map(|no| reader.said.word(no).len()).sum::<usize>();
        let of_address = |no: usize| !reader.is_idle(no) && !day(no) || no + 1 < stop && postcode(no + 1);
        let plain = digits <= POSTCODE && rest.clone().all(of_address);
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

    use crate::testing::Stage;

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
    #[case("9 harbour road galway h91 ireland", "~=where=9 harbour road")]
    #[case("9 mill road gary in 46401 usa phone 896 456 8526", "where=9 mill road gary in 46401 usa; phone=8964568526")]
    #[case("25 3 street and my phone is 896 456 8526", "where=25 3 street; phone=8964568526")]
    #[case("410 9 th ave s fargo nd 58103", "where=410 9 th ave s fargo nd 58103")]
    #[case("7 2 nd cross salem ph 896 456 8526", "phone=8964568526; ~=where=7 2 nd cross salem")]
    #[case("please take my address 12 oak circle north haven ct 6473", "where=12 oak circle north haven ct 6473")]
    #[case("22 Station Road in Guildford", "where=22 Station Road in Guildford")]
    #[case("to 22 Station Road in Guildford tomorrow", "where=22 Station Road in Guildford; day=2026-11-22")]
    #[case("3 via Po a Torino", "where=3 via Po a Torino")]
    #[case("Lindenweg 5 in Kassel", "~=where=Lindenweg 5 in Kassel")]
    #[case("5 rue Haute à Nantes", "where=5 rue Haute à Nantes")]
    fn an_address_goes_on_to_its_postcode(#[case] said: &str, #[case] expected: &str) {
        assert_eq!(Stage::new(ORDER, "").fills(said), expected, "{said}");
    }

    #[rstest]
    #[case("my address is 5 Elm Close, this is Ann Lee", "where=5 Elm Close")]
    #[case("5 Elm Close, I'm in after 6", "where=5 Elm Close")]
    #[case("14 elm avenue 07700 900111", "where=14 elm avenue; phone=07700900111")]
    #[case("14 elm avenue today", "where=14 elm avenue; day=2026-11-21")]
    #[case("14 Elm Avenue, Leeds", "where=14 Elm Avenue, Leeds")]
    fn an_address_that_is_asked_for_ends_before_what_is_none(#[case] said: &str, #[case] expected: &str) {
        assert_eq!(Stage::new(ORDER, "where").fills(said), expected, "{said}");
    }

    const METER: &str = r#"
id = "meter"
title = "Meter"

[[field]]
id = "meter_number"
kind = "text"
subtype = "code"
label = "Meter number"

[[field]]
id = "reading"
kind = "integer"
label = "Current meter reading"

[[field]]
id = "day"
kind = "date"
label = "Day"
"#;

    #[rstest]
    #[case("EM 7730 1925 B", "meter_number=EM 7730 1925 B")]
    #[case("1EMH0098 4421", "meter_number=1EMH0098 4421")]
    #[case("it's QX 4471 0092", "meter_number=QX 4471 0092")]
    #[case("WB-2210 4457/C", "meter_number=WB-2210 4457/C")]
    #[case("2290 7741 08", "meter_number=2290 7741 08")]
    #[case("the meter number is G4 2981 7754 A please", "meter_number=G4 2981 7754 A")]
    #[case("the meter shows 48213", "reading=48213")]
    #[case("it says 48213", "reading=48213")]
    fn a_code_that_is_asked_for_is_all_of_its_groups(#[case] said: &str, #[case] expected: &str) {
        assert_eq!(Stage::new(METER, "meter_number").fills(said), expected, "{said}");
    }
}
