//! A bare number where a time or a day was asked for: "8 would be perfect", "I work until 7, so 8" are no numbers of guests.

use std::ops::Range;

use super::Scene;
use super::asked::{MOST_TELLING, meant};
use super::counted::{has_another_noun, is_of_all};
use super::ledger::Ledger;
use super::reader::Reader;
use super::score::{Tide, is_number, score};
use super::spans::{Board, Cand, Slot, read};
use formwright_form::Kind;
use formwright_form::kind::{Found, Reading, overlap};

/// Fills the asked time or day from the only number of the message, where nothing says what it counts.
pub(super) fn fill(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger, tide: &Tide) {
    let Some(no) = board.asked.filter(|no| !ledger.has(*no)) else { return };
    let moment = |slot: &&Slot<'_>| matches!(slot.field.kind, Kind::Time(_) | Kind::Date(_));
    let Some(slot) = board.slots.get(no).filter(moment) else { return };
    if (0..reader.said.words.len()).filter(|no| !reader.is_idle(*no)).count() > MOST_TELLING {
        return;
    }
    let numbers = board.cands.iter().enumerate().filter(|(no, cand)| counts_nothing(reader, board, tide, *no, cand));
    let mut words = numbers.map(|(_, cand)| cand.words.clone());
    let (Some(words), None) = (words.next(), words.next()) else { return };
    let reading = meant(scene, reader, board, slot, read(scene, reader, slot, words.clone()));
    let whole = |found: &Found| reader.words_of(&found.span) == words;
    let fits = match &reading {
        Reading::Value(found) => whole(found),
        Reading::Ambiguous(all) => all.iter().all(whole),
        Reading::Refused(..) | Reading::Nothing => false,
    };
    if fits {
        ledger.note(scene, reader, board, no, reading);
    }
}

/// Whether a value is a number with nothing before it in its part of the sentence, and nothing that says what it counts.
fn counts_nothing(reader: &Reader<'_>, board: &Board<'_>, tide: &Tide, no: usize, cand: &Cand) -> bool {
    let Range { start, end } = cand.words.clone();
    let told = |slot: &usize| score(reader, board, tide, *slot, no).is_some_and(|scored| scored.sure);
    let other = |other: &Cand| other.alike != cand.alike && overlap(&other.words, &cand.words);
    board.kind_of(cand).is_some_and(is_number)
        && !cand.old
        && !cand.negated
        && reader.len(|lang| &lang.number.doubtful, start, end) == 0
        && stands_first(reader, start)
        && !board.cands.iter().any(other)
        && !board.takers(cand).iter().any(told)
        && !is_of_all(reader, cand)
        && !has_another_noun(reader, board, cand, true)
}

/// Whether nothing that means anything stands before a word in its part of the sentence, or behind "so" in it; what asks
/// answers nothing.
fn stands_first(reader: &Reader<'_>, at: usize) -> bool {
    let Some(clause) = reader.clause(at).filter(|clause| !clause.question && !clause.tentative) else { return false };
    let so = (clause.words.start..at).rfind(|no| reader.len(|lang| &lang.sentence.leads_to, *no, at) > 0);
    (so.unwrap_or(clause.words.start)..at).all(|no| reader.is_idle(no))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::Stage;

    const TABLE: &str = r#"
id = "table"
title = "Table"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "guests"
kind = "integer"
label = { en = "Guests", it = "Ospiti", es = "Comensales", de = "Gäste", fr = "Convives", ar = "الضيوف" }
min = 1
max = 20

[[field]]
id = "at"
kind = "time"
label = { en = "Time", it = "Ora", es = "Hora", de = "Uhrzeit", fr = "Heure", ar = "الساعة" }
min = "12:00"
max = "23:00"
"#;

    #[rstest]
    #[case::would("en", "8 would be perfect", "at=20:00")]
    #[case::prefers("en", "I'd prefer 8", "at=20:00")]
    #[case::so("en", "I work until 7 so 8 would be perfect", "at=20:00")]
    #[case::too_early("en", "6 is too early so 7", "at=19:00")]
    #[case::guests("en", "8 guests would be perfect", "guests=8")]
    #[case::we("en", "we are 8", "guests=8")]
    #[case::of_us("en", "there will be 8 of us", "guests=8")]
    #[case::we_in_french("fr", "nous sommes 8", "guests=8")]
    #[case::chairs("en", "we need 8 chairs", "~=guests=8")]
    #[case::total("en", "that'll be 7 total", "guests=7")]
    #[case::italian("it", "le 8 sarebbe perfetto", "at=20:00")]
    #[case::german("de", "8 wäre perfekt", "at=20:00")]
    fn a_bare_number_is_the_time_that_was_asked_for(
        #[case] lang: &'static str,
        #[case] message: &str,
        #[case] expected: &str,
    ) {
        assert_eq!(Stage::new(TABLE, "at").speaking(lang).fills(message), expected, "{message}");
    }
}
