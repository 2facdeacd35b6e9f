//! A "no" that takes back what was said before and answers nothing: "no wait, Saturday", "no sorry, 3 adults".

use std::ops::Range;

use super::ledger::Ledger;
use super::reader::Reader;
use super::spans::Board;

/// Whether a plain no begins what corrects an answer that is there already, rather than answering what was asked.
pub(super) fn is_by(reader: &Reader<'_>, board: &Board<'_>, ledger: &Ledger, no: &Range<usize>) -> bool {
    let count = reader.said.words.len();
    let correct = |at: usize| reader.len(|lang| &lang.sentence.correct, at, count);
    // "No wait", "oh no".
    let longer = |at: usize| correct(at) > no.len() && at + correct(at) >= no.end;
    if (no.start.saturating_sub(1)..=no.start).any(longer) {
        return true;
    }
    let next = (no.end..count).find(|at| !reader.is_mark(*at)).unwrap_or(count);
    let behind = correct(next);
    let changes = |start: usize| {
        let held = |slot: usize| board.slots.get(slot).is_some_and(|slot| slot.value.is_some() && !slot.asked);
        ledger.fills.iter().any(|filled| filled.words.start >= start && held(filled.slot))
    };
    behind > 0 && reader.len(|lang| &lang.sentence.join, next, count) < behind && changes(next + behind)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::Stage;

    const ROOM: &str = r#"
id = "room"
title = "Room"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "adults"
kind = "integer"
label = { en = "Adults", it = "Adulti", es = "Adultos", de = "Erwachsene", fr = "Adultes", ar = "البالغون" }

[[field]]
id = "breakfast"
kind = "yes_no"
label = { en = "Breakfast", it = "Colazione", es = "Desayuno", de = "Frühstück", fr = "Petit-déjeuner", ar = "الإفطار" }
"#;

    #[rstest]
    #[case("en", "no wait, 3 adults", "adults=3")]
    #[case("en", "no sorry, 3 adults", "adults=3")]
    #[case("en", "no, I meant 3 adults", "adults=3")]
    #[case("en", "no wait", "")]
    #[case("en", "no hang on", "")]
    #[case("en", "oh no!", "")]
    #[case("en", "no rush", "")]
    #[case("de", "keine Eile", "")]
    #[case("it", "no aspetta, 3 adulti", "adults=3")]
    #[case("es", "no, espera, 3 adultos", "adults=3")]
    #[case("de", "nein warte, 3 Erwachsene", "adults=3")]
    #[case("fr", "non attends, 3 adultes", "adults=3")]
    #[case("ar", "لا انتظر، 3 بالغين", "adults=3")]
    #[case("en", "no", "breakfast=false")]
    #[case("en", "no sorry", "breakfast=false")]
    #[case("en", "no, thanks", "breakfast=false")]
    fn a_no_that_corrects_answers_nothing(#[case] lang: &'static str, #[case] said: &str, #[case] expected: &str) {
        let stage = Stage::new(ROOM, "breakfast").speaking(lang).having("adults=2");
        assert_eq!(stage.fills(said), expected, "{said}");
    }
}
