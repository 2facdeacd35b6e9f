//! The parts of an address that a form asks for by themselves: of "5 Mill Street, Reno, Nevada 89501" the street, the town, the
//! state and the postcode. Where one of its parts has no field of its own, the address stays whole.

use std::ops::Range;

use super::Scene;
use super::ledger::{Filled, Ledger, in_a_line};
use super::reader::Reader;
use super::realms::{self, Realms};
use super::spans::{Board, Slot, read};
use super::strung::is_postal;
use formwright_form::Value;
use formwright_form::kind::Reading;
use formwright_form::kind::text::Subtype;

/// Most words of a postcode: "BA", "1", "2", "AB".
const CODE: usize = 4;
/// Most words of a town.
const TOWN: usize = 4;

/// Gives the parts of the only street their own fields.
pub(super) fn part(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) {
    part_code(scene, reader, board, ledger);
    let street = |slot: &Slot<'_>| slot.subtype() == Some(Subtype::Address);
    let mut streets = ledger.fills.iter().enumerate();
    let at = streets.find(|(_, filled)| board.slots.get(filled.slot).is_some_and(street));
    let Some((at, whole)) = at.map(|(at, filled)| (at, filled.words.clone())) else { return };
    if board.slots.iter().filter(|slot| street(slot)).count() != 1 {
        return;
    }
    let Some(parts) = Parts::of(reader, board, ledger, whole) else { return };
    let street = in_a_line(reader, parts.street.clone());
    let Some(filled) = ledger.fills.get_mut(at) else { return };
    (filled.value, filled.raw, filled.words) =
        (Value::Text(street), reader.raw_range(parts.street.clone()), parts.street);
    let others: Vec<usize> = parts.others.iter().map(|(slot, _)| *slot).collect();
    ledger.fills.retain(|filled| !others.contains(&filled.slot));
    realms::fill_parts(scene, reader, board, ledger, parts.others);
}

/// Takes the letters of a state out of a postcode, where the form asks for the state: "ID 83701".
fn part_code(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) {
    let postal = |filled: &Filled| board.slots.get(filled.slot).is_some_and(is_postal);
    let Some(filled) = ledger.fills.iter_mut().find(|filled| postal(filled)) else { return };
    let Range { start, end } = filled.words.clone();
    if end - start != 2 || !reader.is_digits(start + 1) || reader.said.word(start + 1).len() != 5 {
        return;
    }
    let realms = Realms::around(board, |(_, slot)| slot.value.is_none());
    let parts = realms.parts(reader, start..start + 1);
    let [(slot, letters)] = parts.as_slice() else { return };
    if !realms.is_land(*slot) {
        return;
    }
    let words = start + 1..end;
    let Some(Reading::Value(found)) = board.slots.get(filled.slot).map(|of| read(scene, reader, of, words.clone()))
    else {
        return;
    };
    (filled.value, filled.raw, filled.words) = (found.value, found.span, words);
    if !ledger.has(*slot) {
        realms::fill_parts(scene, reader, board, ledger, [(*slot, letters.clone())]);
    }
}

/// The words of a street and of what stands behind it, each with its field.
struct Parts {
    street: Range<usize>,
    others: Vec<(usize, Range<usize>)>,
}

impl Parts {
    fn of(reader: &Reader<'_>, board: &Board<'_>, ledger: &Ledger, whole: Range<usize>) -> Option<Self> {
        let inside = |words: &Range<usize>| whole.start <= words.start && words.start <= whole.end + 1;
        let open = |(no, slot): &(usize, &Slot<'_>)| {
            let mut own = ledger.fills.iter().filter(|filled| filled.slot == *no);
            slot.value.is_none() && own.all(|filled| inside(&filled.words))
        };
        let mut codes = board.slots.iter().enumerate().filter(open).filter(|(_, slot)| is_postal(slot));
        let code_slot = codes.next().map(|(no, _)| no);
        let realms = Realms::around(board, open);
        // "In Bath BA1 2AB", where the street was taken to end inside the code, or before it.
        let free = |to: usize| {
            let own = |no: usize| {
                ledger.fills.iter().any(|filled| Some(filled.slot) == code_slot && filled.words.contains(&no))
            };
            (whole.end..to).all(|no| own(no) || ledger.is_free(no..no + 1))
        };
        let coded = |to: &usize| {
            let (_, code) = cut_postcode(reader, whole.start..*to);
            !code.is_empty() && code.start <= whole.end && free(*to)
        };
        let most = reader.said.words.len().min(whole.end + CODE);
        let end = (whole.end + 1..=most).rev().find(coded).unwrap_or(whole.end);
        let whole = realms::with_lands(reader, whole.start..end);
        let (tail, code) = cut_postcode(reader, whole.clone());
        let split = split_street(reader, tail.clone())?;
        let (street, mut town) = split;
        // "10115 Berlin"
        let leading = code.is_empty().then(|| leading_postcode(reader, &town)).flatten();
        let code = leading.map_or(code, |no| {
            town.start = no + 1;
            no..no + 1
        });
        let letters = town.clone().filter(|no| !reader.is_mark(*no)).count();
        if letters == 0 || letters > TOWN + 2 || town.clone().any(|no| reader.is_digits(no)) {
            return None;
        }
        let mut others = realms.parts(reader, town.clone());
        // "Building B" and "Rose Cottage" are parts of the street, and "ring twice" is no part of the address.
        let proven = !code.is_empty() || others.len() > 1;
        let of_house = town.clone().any(|no| is_of_house(reader, no));
        if !proven && (of_house || !town.clone().all(|no| reader.is_mark(no) || reader.is_capital(no))) {
            return None;
        }
        let covered: usize = others.iter().map(|(_, words)| words.len()).sum();
        let marks = town.clone().filter(|no| reader.is_mark(*no)).count();
        if covered + marks < town.len() || !others.iter().any(|(slot, _)| realms.is_town(*slot)) {
            return None;
        }
        if !code.is_empty() {
            others.push((code_slot?, code));
        }
        Some(Self { street, others })
    }
}

/// Whether a word belongs to a house or a street: "cottage", "building", "road".
fn is_of_house(reader: &Reader<'_>, no: usize) -> bool {
    let end = reader.said.words.len();
    reader.langs().any(|lang| {
        let street = &lang.street;
        let tables = [&street.after, &street.perhaps_after, &street.unit, &street.unit_after, &street.house];
        tables.into_iter().any(|table| table.word_at(reader.said, no).is_some())
    }) || reader.len(|lang| &lang.street.unit_alone, no, end) > 0
}

/// An address without the postcode at its end, and that: five digits or nine, "SW1A 2AA", "K1A 0B1".
fn cut_postcode(reader: &Reader<'_>, words: Range<usize>) -> (Range<usize>, Range<usize>) {
    let Range { start, end } = words;
    let text = |from: usize| reader.raw_text(from..end).to_uppercase();
    let starts = (start + 1..end).rev().take(8).filter(|from| !reader.said.is_glued(*from));
    let longest = starts.filter(|from| is_postcode(&text(*from))).last();
    longest.map_or((start..end, end..end), |from| {
        let comma = usize::from(reader.said.word(from - 1) == ",");
        (start..from - comma, from..end)
    })
}

/// Whether words have the shape of a postcode that stands behind a town.
fn is_postcode(text: &str) -> bool {
    let shape: String = text
        .chars()
        .map(|c| match c {
            '0'..='9' => '9',
            'A'..='Z' => 'A',
            other => other,
        })
        .collect();
    let (out, inner) = shape.split_once(' ').unwrap_or(("", ""));
    let british = inner == "9AA" && matches!(out, "A9" | "A99" | "AA9" | "AA99" | "A9A" | "AA9A");
    british || matches!(shape.as_str(), "9999" | "99999" | "99999-9999" | "A9A 9A9")
}

/// The postcode that a town begins with: "10115 Berlin".
fn leading_postcode(reader: &Reader<'_>, town: &Range<usize>) -> Option<usize> {
    let code = |no: usize| reader.is_digits(no) && (4..=6).contains(&reader.said.word(no).len());
    Some(town.start).filter(|no| code(*no) && no + 1 < town.end)
}

/// A street, and what stands behind its last comma but those before a land, or behind "in".
fn split_street(reader: &Reader<'_>, words: Range<usize>) -> Option<(Range<usize>, Range<usize>)> {
    let within = |no: &usize| reader.len(|lang| &lang.street.within, *no, words.end) == 1 && !reader.is_capital(*no);
    if let Some(no) = (words.start + 2..words.end).rev().find(within) {
        return Some((words.start..no, no + 1..words.end));
    }
    let lands = |from: usize| realms::with_lands(reader, from..from) == (from..words.end);
    let commas = (words.start + 1..words.end).rev().filter(|no| reader.said.word(*no) == ",");
    let comma = commas.into_iter().find(|no| !lands(*no))?;
    Some((words.start..comma, comma + 1..words.end))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::{Stage, sorted};

    const HOME: &str = r#"
id = "home"
title = "Home"
languages = ["en", "de"]

[[field]]
id = "street"
kind = "text"
label = "Street address"
subtype = "address"

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
id = "zip"
kind = "text"
label = "Postcode"
subtype = "code"
"#;

    #[rstest]
    #[case("en", "9 Oak Street, Salem, Oregon 97301", "street=9 Oak Street; city=Salem; state=Oregon; zip=97301")]
    #[case("en", "9 Oak Street in Salem, OR", "street=9 Oak Street; city=Salem; state=OR")]
    #[case("en", "4 Abbey Road, Leeds LS1 4AB", "street=4 Abbey Road; city=Leeds; zip=LS1 4AB")]
    #[case("en", "4 Quay Street in Bath BA1 2AB", "city=Bath; street=4 Quay Street; zip=BA1 2AB")]
    #[case("en", "9 Oak Street", "street=9 Oak Street")]
    #[case("de", "Lindenstraße 5, 10115 Berlin", "street=Lindenstraße 5; city=Berlin; zip=10115")]
    fn an_address_gives_its_parts_to_their_fields(
        #[case] lang: &'static str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        let filled = Stage::new(HOME, "street").speaking(lang).fills(said);
        assert_eq!(sorted(&filled), sorted(expected), "{said}");
    }
}
