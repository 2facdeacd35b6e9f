//! A code before what it is: "74103 is the zip", "9988 7712 is my account number".

use super::ledger::Ledger;
use super::reader::Reader;
use super::spans::{Board, Slot};
use formwright_form::kind::Found;
use formwright_form::kind::text::Subtype;

/// Fills open fields for codes whose names follow.
pub(super) fn fill(reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) {
    let code = |slot: &Slot<'_>| slot.subtype() == Some(Subtype::Code) && (slot.value.is_none() || slot.asked);
    for (no, slot) in board.slots.iter().enumerate() {
        if !code(slot) || ledger.has(no) {
            continue;
        }
        let found = board.mentions_of(slot).find_map(|mention| {
            let other = board.mentions.iter().any(|other| {
                let is_code = board.slot_of(other.field).and_then(|no| board.slots.get(no)).is_some_and(code);
                is_code
                    && other.field != mention.field
                    && other.words == mention.words
                    && other.weight >= mention.weight
            });
            let at = mention.words.start;
            let own = |end: usize| {
                let is = reader.len(|lang| &lang.sentence.is, end, at);
                is > 0 && reader.clause_of(end) == reader.clause_of(at) && (end + is..at).all(|no| reader.is_idle(no))
            };
            let mut cands = board.cands.iter().filter(|_| !other);
            cands.find(|cand| {
                board.takers(cand).contains(&no) && own(cand.words.end) && ledger.is_free(cand.words.clone())
            })
        });
        if let Some(cand) = found {
            let found = Found { span: cand.raw.clone(), value: cand.value.clone(), strength: cand.strength };
            ledger.fill_named(reader, no, found);
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::Stage;

    const MOVE: &str = r#"
id = "move"
title = "Removal"

[[field]]
id = "zip"
kind = "text"
label = "Current zip code"
subtype = "code"

[[field]]
id = "account"
kind = "text"
label = "Account number"
subtype = "code"

[[field]]
id = "city"
kind = "text"
label = "City"
subtype = "place"

[[field]]
id = "login"
kind = "text"
label = "Username"
"#;

    #[rstest]
    #[case("I want to move out of Oslo next month, 74103 is the zip there", "zip=74103; city=Oslo")]
    #[case("well, 99887712 is my account number and I want to move", "account=99887712")]
    #[case("my user name is blue.heron", "login=blue.heron")]
    #[case("user name blue.heron", "login=blue.heron")]
    fn a_code_may_stand_before_its_name(#[case] said: &str, #[case] expected: &str) {
        let line = Stage::new(MOVE, "").line(said);
        let mut fills: Vec<&str> = line.split("; ").filter(|part| part.contains('=')).collect();
        let mut expected: Vec<&str> = expected.split("; ").collect();
        fills.sort_unstable();
        expected.sort_unstable();
        assert_eq!(fills, expected, "{line}");
    }
}
