//! Two days said as one stretch, for two fields: "5 to 9 December", "Friday to Sunday".

use std::ops::Range;

use super::Scene;
use super::ledger::Ledger;
use super::reader::Reader;
use super::spans::{Board, Slot, with_context};
use crate::form::cues::Role;
use crate::form::kind::date_range::DateRange;
use crate::form::kind::{FieldKind as _, Found, Strength};
use crate::form::{Kind, Value};

/// Fills the two open days that are the first and the second of two, or all there are, from a stretch with both ends.
pub(super) fn fill(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) {
    let open = |(no, slot): &(usize, &Slot<'_>)| {
        matches!(slot.field.kind, Kind::Date(_)) && slot.value.is_none() && !ledger.has(*no)
    };
    let days: Vec<(usize, &Slot<'_>)> = board.slots.iter().enumerate().filter(open).collect();
    let only = |role| {
        let mut of = days.iter().filter(|(_, slot)| slot.role == Some(role)).map(|(no, _)| *no);
        of.next().filter(|_| of.next().is_none())
    };
    // An arrival begins a stay and ends a journey: two days that are all a form has are in its order.
    let (first, second) = match (only(Role::First), only(Role::Second), days.as_slice()) {
        (Some(first), Some(second), _) => (first, second),
        (_, _, [(first, _), (second, _)]) => (*first, *second),
        _ => return,
    };
    let Some(slot) = board.slots.get(first) else { return };
    let found = with_context(scene, &slot.path, slot.field, |cx| DateRange::default().find(reader.said, cx));
    let mut stretches = found.into_iter().filter_map(|found| {
        let words = reader.words_of(&found.span);
        let Value::DateRange { start, end } = found.value else { return None };
        let meant = start < end && found.strength > Strength::Weak && parts_at(reader, &words).is_some();
        (meant && ledger.is_free(words.clone())).then_some((found.span, words, start, end))
    });
    let (Some((span, words, start, end)), None) = (stretches.next(), stretches.next()) else { return };
    drop(stretches);
    for (slot, day) in [(first, start), (second, end)] {
        let found = Found { span: span.clone(), value: Value::Date(day), strength: Strength::Typed };
        if ledger.fill(reader, slot, found, true) {
            ledger.last_was_named();
        }
    }
    ledger.claim(words);
}

/// Where one end stops and the other begins: "to", "until", a dash. A length ("for 3 nights") has no such word.
fn parts_at(reader: &Reader<'_>, words: &Range<usize>) -> Option<usize> {
    let dash = |no: usize| matches!(reader.said.word(no), "-" | "/");
    let to = |no: usize| reader.len(|lang| &lang.sentence.second, no, words.end) > 0;
    (words.start + 1..words.end).find(|no| dash(*no) || to(*no))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::engine::understand::testing::Stage;

    const STAY: &str = r#"
id = "stay"
title = "Hotel"
languages = ["en", "fr", "de"]

[[field]]
id = "arrival"
kind = "date"
label = { en = "Arrival", fr = "Arrivée", de = "Anreise" }

[[field]]
id = "departure"
kind = "date"
label = { en = "Departure", fr = "Départ", de = "Abreise" }

[[field]]
id = "people"
kind = "integer"
label = { en = "People", fr = "Personnes", de = "Personen" }
"#;

    #[rstest]
    #[case("en", "5 to 9 December", "arrival=2026-12-05; departure=2026-12-09")]
    #[case("en", "from 5 to 9 December for 2 people", "arrival=2026-12-05; departure=2026-12-09; people=2")]
    #[case("en", "Friday to Sunday", "arrival=2026-11-27; departure=2026-11-29")]
    #[case("en", "2026-12-05 to 2026-12-09", "arrival=2026-12-05; departure=2026-12-09")]
    #[case("fr", "du 4 au 8 décembre", "arrival=2026-12-04; departure=2026-12-08")]
    #[case("de", "vom 4. bis 8. Dezember", "arrival=2026-12-04; departure=2026-12-08")]
    fn both_ends_of_a_stretch_are_kept(#[case] lang: &'static str, #[case] said: &str, #[case] expected: &str) {
        assert_eq!(Stage::new(STAY, "").speaking(lang).fills(said), expected, "{said}");
    }
}
