//! Yes/no fields that a sentence answers by their names: "with parking", "no pets", "smoking should be allowed".

use super::Scene;
use super::ledger::Ledger;
use super::reader::Reader;
use super::score::Tide;
use super::spans::Board;
use crate::form::cues::{Mention, stem};
use crate::form::kind::{Found, Strength};
use crate::form::language::{Language, Phrases};
use crate::form::{Kind, Value};

/// The name of a yes/no field with "with" or "without" before it is an answer.
pub(super) fn fill(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger, tide: &Tide) {
    let absent = |mention: &Mention| scene.form.cues().is_of_absence(mention.field) && mention.weight < 1.0;
    for mention in whole_names(reader, board).into_iter().filter(|mention| !absent(mention)) {
        let Some(no) = board.slot_of(mention.field).filter(|no| !ledger.has(*no)) else { continue };
        let Some(slot) = board.slots.get(no).filter(|slot| matches!(slot.field.kind, Kind::YesNo(_))) else { continue };
        let clause = reader.clause_of(mention.words.start);
        let corrects = tide.changes(clause);
        if !ledger.is_free(mention.words.clone()) || (slot.value.is_some() && !slot.asked && !corrects) {
            continue;
        }
        let clause = reader.clauses.get(clause).map_or(0, |clause| clause.words.start);
        let from = mention.words.start.saturating_sub(3).max(clause);
        let end = mention.words.start;
        let len = |table: fn(&Language) -> &Phrases<()>, no: usize| reader.len(table, no, end);
        let reaches = |no: usize, len: usize| len > 0 && (no + len..end).all(|no| reader.is_idle(no));
        // "I have no pets" has none.
        let denied = (from..end).find(|no| {
            reaches(*no, len(|lang| &lang.yes_no.negation, *no)) || reaches(*no, len(|lang| &lang.control.clear, *no))
        });
        let said = |no: &usize| {
            let with = len(|lang| &lang.sentence.with, *no).max(len(|lang| &lang.sentence.is, *no));
            reaches(*no, with.max(len(|lang| &lang.everyday.has, *no)))
        };
        let before = denied.map(|no| (no, false)).or_else(|| (from..end).find(said).map(|no| (no, true)));
        let Some(((start, yes), end)) = before.map(|before| (before, mention.words.end)).or_else(|| {
            let (end, yes) = granted_after(reader, mention.words.end)?;
            Some(((mention.words.start, yes), end))
        }) else {
            continue;
        };
        let span = reader.raw_range(start..end);
        let found = Found { span, value: Value::Bool(yes), strength: Strength::Typed };
        ledger.fill(reader, no, found, true);
    }
}

/// Names of fields, those said in two words beside each other as one: "outdoor seating" of "seating outdoors".
fn whole_names(reader: &Reader<'_>, board: &Board<'_>) -> Vec<Mention> {
    const ENOUGH: f32 = 0.6;
    let beside = |one: &Mention, two: &Mention| {
        let yes_no = board.slot_of(one.field).and_then(|no| board.slots.get(no));
        let yes_no = yes_no.is_some_and(|slot| matches!(slot.field.kind, Kind::YesNo(_)));
        let other = stem(reader.said.plain(one.words.start)) != stem(reader.said.plain(two.words.start));
        yes_no && one.field == two.field && one.words.end == two.words.start && other
    };
    let pairs = board.mentions.iter().filter_map(|one| {
        let pair = board.mentions.iter().find(|two| beside(one, two));
        pair.map(|two| Mention {
            words: one.words.start..two.words.end,
            weight: one.weight + two.weight,
            ..one.clone()
        })
    });
    let mut all: Vec<Mention> =
        pairs.chain(board.mentions.iter().cloned()).filter(|name| name.weight >= ENOUGH).collect();
    all.sort_by_key(|name| std::cmp::Reverse(name.words.len()));
    all
}

/// Where what is said of a name right before a word ends, and whether the thing is to be: "(pets) should be allowed", "(a
/// garage) would be nice", "(insurance) isn't needed".
fn granted_after(reader: &Reader<'_>, from: usize) -> Option<(usize, bool)> {
    let clause = reader.clauses.get(reader.clause_of(from.checked_sub(1)?))?.words.end;
    let ends = |no: usize| no >= clause || (no..clause).all(|no| reader.is_idle(no));
    let wished = |no: usize| reader.len(|lang| &lang.sentence.wished, no, clause);
    if wished(from) > 0 && ends(from + wished(from)) {
        return Some((from + wished(from), true));
    }
    let granted = |no: usize| reader.len(|lang| &lang.sentence.granted, no, clause);
    let at = (from..clause).find(|no| granted(*no) > 0)?;
    let denied = (from..at).find(|no| reader.len(|lang| &lang.yes_no.negation, *no, at) > 0);
    let with =
        |no: usize| reader.len(|lang| &lang.sentence.with, no, at).max(reader.len(|lang| &lang.sentence.is, no, at));
    let leads = at > from && at - from <= 3 && (from..at).all(|no| reader.is_idle(no) || with(no) > 0);
    match denied {
        None => leads.then_some((at + granted(at), true)),
        // "Pets are not allowed" may be said of a house; what is not needed is not wanted.
        Some(_) => {
            let needed = reader.len(|lang| &lang.sentence.needed, at, clause);
            (needed > 0 && at - from <= 3).then_some((at + needed, false))
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::engine::understand::testing::Stage;

    const FLAT: &str = r#"
id = "flat"
title = "Flat"

[[field]]
id = "pets"
kind = "yes_no"
label = "Pets allowed"

[[field]]
id = "seats"
kind = "yes_no"
label = "Seating outdoors"

[[field]]
id = "furnished"
kind = "yes_no"
label = "Furnished"

[[field]]
id = "garage"
kind = "yes_no"
label = "Has garage"

[[field]]
id = "cleaned"
kind = "yes_no"
label = "Add cleaning service"
"#;

    #[rstest]
    #[case("somewhere that allows pets", "pets=true")]
    #[case("pets should be allowed", "pets=true")]
    #[case("pets are not allowed", "")]
    #[case("no pets", "pets=false")]
    #[case("I love outdoor seating", "seats=true")]
    #[case("without outdoor seating", "seats=false")]
    #[case("completely furnished", "furnished=true")]
    #[case("it is furnished", "furnished=true")]
    #[case("are pets allowed?", "")]
    #[case("I read about pets", "")]
    #[case("two rooms, and a garage would be nice", "garage=true")]
    #[case("it should come with cleaning", "cleaned=true")]
    #[case("cleaning isn't needed", "cleaned=false")]
    #[case("we have two cats and add cleaning too", "pets=true; cleaned=true")]
    #[case("do you think a garage would be nice?", "")]
    #[case("I have no garage and 2 bedrooms please", "garage=false")]
    #[case("nobody is furnished", "furnished=false")]
    fn a_name_in_a_sentence_answers_its_field(#[case] said: &str, #[case] expected: &str) {
        let line = Stage::new(FLAT, "").line(said);
        let fills = line.split("; ").filter(|part| part.contains('=')).collect::<Vec<_>>().join("; ");
        assert_eq!(fills, expected, "{said}");
    }
}
