//! How many people come, told without a number: "just me", "my wife and I".

use super::ledger::Ledger;
use super::reader::Reader;
use super::score::Tide;
use super::spans::Board;
use crate::form::kind::{Found, Strength};
use crate::form::{Kind, Value};

/// Fills the only open count of people.
pub(super) fn fill(reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger, tide: &Tide) {
    let counts = |no: &usize| {
        let slot = board.slots.get(*no);
        slot.is_some_and(|slot| slot.people && matches!(slot.field.kind, Kind::Integer(_))) && !ledger.has(*no)
    };
    let mut all = (0..board.slots.len()).filter(counts);
    let (Some(no), None) = (all.next(), all.next()) else { return };
    let Some(slot) = board.slots.get(no) else { return };
    for at in 0..reader.said.words.len() {
        let clause = reader.clause_of(at);
        let end = reader.clauses.get(clause).map_or(0, |clause| clause.words.end);
        let Some((len, count)) = reader.at(|lang| &lang.naming.crowd, at, end) else { continue };
        let corrects = tide.reviewing || tide.correcting.get(clause).copied().unwrap_or(false);
        // "Just me and Ann."
        let goes_on = reader.len(|lang| &lang.sentence.join, at + len, end) > 0;
        if !goes_on && (slot.value.is_none() || slot.asked || corrects) && ledger.is_free(at..at + len) {
            let span = reader.raw_range(at..at + len);
            ledger.fill(reader, no, Found { span, value: Value::Integer(*count), strength: Strength::Typed }, true);
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::engine::understand::testing::Stage;

    const CAB: &str = r#"
id = "cab"
title = "Cab"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "riders"
kind = "integer"
label = "Passengers"

[[field]]
id = "shared"
kind = "yes_no"
label = "Shared"
"#;

    #[rstest]
    #[case("en", "a cab, just me", "riders=1")]
    #[case("en", "it's for my wife and me", "riders=2")]
    #[case("en", "just me and Ann", "")]
    #[case("en", "tell me more", "")]
    #[case("it", "solo io", "riders=1")]
    #[case("es", "solo yo", "riders=1")]
    #[case("de", "nur ich", "riders=1")]
    #[case("fr", "juste moi", "riders=1")]
    #[case("ar", "أنا فقط", "riders=1")]
    fn people_are_told_without_a_number(#[case] lang: &'static str, #[case] said: &str, #[case] expected: &str) {
        let line = Stage::new(CAB, "").speaking(lang).line(said);
        let fills = line.split("; ").filter(|part| part.contains('=')).collect::<Vec<_>>().join("; ");
        assert_eq!(fills, expected, "{said}");
    }
}
