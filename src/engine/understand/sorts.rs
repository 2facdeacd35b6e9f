//! The words right before what a form is about, for the field that asks of which sort it is: "a drama movie", "pizza and
//! pasta restaurant".

use std::collections::BTreeMap;
use std::ops::Range;

use super::Scene;
use super::ledger::Ledger;
use super::reader::Reader;
use super::spans::{Board, Slot, read};
use crate::form::cues::stem;
use crate::form::kind::{Reading, Said};

/// Most words of a sort, "and" among them.
const MOST_WORDS: usize = 3;

/// Fills the only open field for a sort, in languages where the sort goes before the thing.
pub(super) fn fill(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) {
    let open = |(no, slot): &(usize, &Slot<'_>)| {
        !slot.asked && slot.value.is_none() && !ledger.has(*no) && slot.is_free() && slot.subtype().is_none()
    };
    let asks_sort = |slot: &Slot<'_>| words(&slot.field.label.by_lang).any(|word| names_a_sort(scene, &word));
    let mut sorts = board.slots.iter().enumerate().filter(open).filter(|(_, slot)| asks_sort(slot));
    let (Some((no, slot)), None) = (sorts.next(), sorts.next()) else { return };
    // What it is a sort of stands where the field is explained: "Main genre of the movie".
    let help = slot.field.help.iter().flat_map(|help| words(&help.by_lang));
    let things: Vec<String> =
        help.filter(|word| !names_a_sort(scene, word)).map(|word| stem(&word).to_owned()).collect();
    for clause in &reader.clauses {
        let denied = |no: usize| reader.len(|lang| &lang.yes_no.negation, no, clause.words.end) > 0;
        if clause.words.clone().any(denied) {
            continue;
        }
        for at in clause.words.clone() {
            let thing = things.iter().any(|thing| thing == stem(reader.said.plain(at)));
            // "A suspense genre movie."
            let named = at > clause.words.start && names_a_sort(scene, reader.said.plain(at - 1));
            let run = sort_before(scene, reader, board, ledger, clause.words.start..at - usize::from(named));
            if !thing || reader.is_idle(at) && !reader.is_of_form(at) || run.is_empty() {
                continue;
            }
            if let Reading::Value(found) = read(scene, reader, slot, run)
                && ledger.fill(reader, no, found, true)
            {
                return;
            }
        }
    }
}

/// The words at the end of some that belong to nothing else and do not praise.
fn sort_before(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    ledger: &Ledger,
    words: Range<usize>,
) -> Range<usize> {
    let end = words.end;
    let tells = |no: usize| {
        let value = board.cands.iter().any(|cand| cand.words.contains(&no));
        let known = scene.form.cues().knows(stem(reader.said.plain(no)));
        let verb = reader.len(|lang| &lang.sentence.verb, no, no + 1) > 0;
        let praise = reader.len(|lang| &lang.sentence.praise, no, no + 1) > 0;
        let free = ledger.is_free(no..no + 1) && !value && !known && !verb && !praise;
        free && !reader.is_idle(no) && !reader.is_mark(no) && !reader.is_digits(no)
    };
    let joins = |no: usize| no > words.start && reader.said.word(no) == "and" && tells(no - 1);
    let mut start = end;
    while start > words.start && end - start < MOST_WORDS && (tells(start - 1) || start < end && joins(start - 1)) {
        start -= 1;
    }
    if start < end && !tells(start) { start + 1..end } else { start..end }
}

fn words(texts: &BTreeMap<String, String>) -> impl Iterator<Item = String> {
    texts.values().flat_map(|text| {
        let said = Said::new(text);
        (0..said.words.len()).map(|no| said.plain(no).to_owned()).collect::<Vec<_>>()
    })
}

fn names_a_sort(scene: &Scene<'_>, word: &str) -> bool {
    scene.lang.sentence.sort.word(stem(word)).is_some()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::engine::understand::testing::Stage;

    const FILM: &str = r#"
id = "film"
title = "An evening"

[[field]]
id = "genre"
kind = "text"
label = "Genre"
help = "Main genre of the movie"

[[field]]
id = "where"
kind = "choice"
label = "Where"
options = ["Cinema", "Home"]
"#;

    #[rstest]
    #[case("I want to see a drama movie", "genre=drama")]
    #[case("find me some science fiction movies at home please", "genre=science fiction; where=home")]
    #[case("a suspense genre movie", "genre=suspense")]
    #[case("I want a good movie", "")]
    #[case("no drama movie please", "")]
    #[case("some movie at the cinema", "where=cinema")]
    #[case("I'd like to watch a movie at home", "where=home")]
    fn a_sort_stands_before_the_thing(#[case] said: &str, #[case] expected: &str) {
        assert_eq!(Stage::new(FILM, "").fills(said), expected, "{said}");
    }
}
