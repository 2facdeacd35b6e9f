//! A value that takes the place of another in the same message is of the field that the other was said of: "4 guests, no, make
//! it 5" counts guests, and so does "last time we had 4 guests, this time 5".

use super::reader::Reader;
use super::score::cue;
use super::spans::{Board, Cand, Slot};

/// How clearly the words around a value name a field, or those around what gives way to it.
pub(super) fn cue_or_that_of_old(reader: &Reader<'_>, board: &Board<'_>, slot: &Slot<'_>, cand: &Cand) -> f32 {
    let own = cue(reader, board, slot, cand);
    let old = if own < 2.0 { given_way(reader, board, cand) } else { None };
    old.map_or(own, |old| own.max(cue(reader, board, slot, old)))
}

/// Whether what gives way to a value is named as another field's.
pub(super) fn is_of_another(reader: &Reader<'_>, board: &Board<'_>, slot: &Slot<'_>, cand: &Cand) -> bool {
    let Some(old) = given_way(reader, board, cand) else { return false };
    let others = board.takers(cand).iter().filter_map(|no| board.slots.get(*no));
    let mut others = others.filter(|other| other.field.no != slot.field.no);
    others.any(|other| cue(reader, board, other, old) >= 2.0)
}

/// What gives way to a value: the nearest one before it that is taken back, or that is of another time where words between
/// lead to the present.
fn given_way<'b>(reader: &Reader<'_>, board: &'b Board<'_>, cand: &Cand) -> Option<&'b Cand> {
    let before = |old: &&Cand| old.alike == cand.alike && old.words.end <= cand.words.start;
    let now = |old: &&Cand| {
        (old.words.end..cand.words.start).any(|no| reader.len(|lang| &lang.denial.now, no, cand.words.start) > 0)
    };
    let old = board.cands.iter().filter(|old| old.old).rfind(before);
    old.or_else(|| board.passing.iter().filter(before).rfind(now))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::{Stage, sorted};

    const STAY: &str = r#"
id = "stay"
title = "Hotel"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "rooms"
kind = "integer"
label = { en = "Rooms", it = "Camere", es = "Habitaciones", de = "Zimmer", fr = "Chambres", ar = "غرف" }

[[field]]
id = "guests"
kind = "integer"
label = { en = "Guests", it = "Ospiti", es = "Huéspedes", de = "Gäste", fr = "Invités", ar = "ضيوف" }

[[field]]
id = "budget"
kind = "money"
label = "Budget"
currency = "EUR"
"#;

    #[rstest]
    #[case("en", "5 guests, actually make it 6", "guests=6")]
    #[case("en", "not 4 but 5 guests, actually make it 6", "guests=6")]
    #[case("en", "2 rooms, no wait, 3", "rooms=3")]
    #[case("en", "we had 3 rooms last time, this time just 1", "rooms=1")]
    #[case("it", "5 ospiti, anzi 6", "guests=6")]
    #[case("es", "5 huéspedes, perdón, 6", "guests=6")]
    #[case("de", "5 Gäste, nein, 6", "guests=6")]
    #[case("fr", "5 invités, pardon, 6", "guests=6")]
    #[case("ar", "5 ضيوف، عفوا، 6", "guests=6")]
    fn what_takes_the_place_of_a_value_goes_to_its_field(
        #[case] lang: &'static str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        let line = Stage::new(STAY, "").speaking(lang).fills(said);
        // "Perdón" alone asks to have the question again.
        let mut fills = sorted(&line);
        fills.retain(|part| part.contains('='));
        assert_eq!(fills, sorted(expected), "{said}");
    }
}
