//! How many people come, told without a number: "just me", "my wife and I".

use std::ops::Range;

use rust_decimal::prelude::ToPrimitive as _;

use super::Scene;
use super::ledger::Ledger;
use super::reader::Reader;
use super::score::Tide;
use super::spans::{Board, Slot};
use crate::form::cues::Mention;
use crate::form::kind::{Found, Said, Strength, numeral, overlap};
use crate::form::{Kind, Value};

/// Share of a field's name that is its own rather than a word like it.
const OWN: f32 = 0.76;
/// Most small words before who comes.
const MOST_BEFORE: usize = 3;

/// The only open count of people.
fn open(board: &Board<'_>, ledger: &Ledger) -> Option<usize> {
    let counts = |no: &usize| {
        let slot = board.slots.get(*no);
        slot.is_some_and(|slot| slot.people && matches!(slot.field.kind, Kind::Integer(_))) && !ledger.has(*no)
    };
    let mut all = (0..board.slots.len()).filter(counts);
    all.next().filter(|_| all.next().is_none())
}

/// Whether a count may be filled by what a clause says.
fn may_fill(slot: &Slot<'_>, tide: &Tide, clause: usize) -> bool {
    let corrects = tide.changes(clause);
    slot.value.is_none() || slot.asked || corrects
}

/// Fills the only open count of people.
pub(super) fn fill(reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger, tide: &Tide) {
    let Some(no) = open(board, ledger) else { return };
    let Some(slot) = board.slots.get(no) else { return };
    for at in 0..reader.said.words.len() {
        let clause = reader.clause_of(at);
        let end = reader.clauses.get(clause).map_or(0, |clause| clause.words.end);
        let Some((len, count)) = reader.at(|lang| &lang.naming.crowd, at, end) else { continue };
        // "Just me and Ann."
        let goes_on = reader.len(|lang| &lang.sentence.join, at + len, end) > 0;
        if !goes_on && may_fill(slot, tide, clause) && ledger.is_free(at..at + len) {
            let span = reader.raw_range(at..at + len);
            ledger.fill(reader, no, Found { span, value: Value::Integer(*count), strength: Strength::Typed }, true);
            return;
        }
    }
}

/// Adds up who comes, where only one field counts people: "12 adults and 5 children", "me and my two sisters".
pub(super) fn add_up(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger, tide: &Tide) {
    let Some(no) = open(board, ledger) else { return };
    let Some(slot) = board.slots.get(no) else { return };
    let into_words = board.asked.and_then(|no| board.slots.get(no)).is_some_and(Slot::takes_any_words);
    let sums = (0..reader.said.words.len()).find_map(|at| sum(scene, reader, at));
    let Some((words, Some(count))) = sums.filter(|_| !into_words) else { return };
    // A field for adults is none for children.
    let named = |mention: &Mention| {
        let of = board.slot_of(mention.field).and_then(|no| board.slots.get(no));
        let number = of.is_some_and(|of| matches!(of.field.kind, Kind::Integer(_) | Kind::Number(_)));
        number && mention.weight >= OWN && overlap(&mention.words, &words)
    };
    let free = ledger.is_free(words.clone()) && may_fill(slot, tide, reader.clause_of(words.start));
    if free && !board.mentions.iter().any(named) {
        let span = reader.raw_range(words);
        ledger.fill(reader, no, Found { span, value: Value::Integer(count), strength: Strength::Typed }, true);
    }
}

/// Several people or groups one after another, from a word on, and how many they are; `None` for how many where the list
/// goes on with somebody who is not counted.
fn sum(scene: &Scene<'_>, reader: &Reader<'_>, start: usize) -> Option<(Range<usize>, Option<i64>)> {
    let count = reader.said.words.len();
    let joint = |no: usize| match reader.said.word(no) {
        "," | "،" | "+" | "&" => 1,
        _ => reader.len(|lang| &lang.sentence.join, no, count),
    };
    let joints = |no: usize| joint(no) + if joint(no) > 0 { joint(no + joint(no)) } else { 0 };
    let (mut end, mut total) = group(scene, reader, start)?;
    let (mut groups, mut last) = (1, total);
    loop {
        let next = end + joints(end);
        // In Arabic "and" is written together with what it joins.
        let joined = next > end || reader.said.word(end).starts_with('و');
        let Some((after, more)) = group(scene, reader, next).filter(|_| joined) else { break };
        // "… and I would like": whoever speaks ends the list, or begins a sentence.
        let alone = after < reader.clause_end(after - 1) && group(scene, reader, after + joints(after)).is_none();
        if alone && is_speaker(reader, after - 1) {
            return Some((start..end, None));
        }
        (end, total, groups, last) = (after, total.checked_add(more)?, groups + 1, more);
    }
    let next = end + joints(end);
    // "… and Ann".
    let goes_on = next > end && next < reader.clause_end(end - 1) && reader.is_capital(next) && !reader.is_idle(next);
    // "I have two kids and my wife is a doctor."
    let told = last == 1 && reader.len(|lang| &lang.sentence.is, end, reader.clause_end(end - 1)) > 0;
    (groups > 1).then_some((start..end, (!goes_on && !told).then_some(total)))
}

/// Who comes, as one of a list: "12 adults", "my two sisters", "me"; the word behind.
fn group(scene: &Scene<'_>, reader: &Reader<'_>, start: usize) -> Option<(usize, i64)> {
    let count = reader.said.words.len();
    let company = |no: usize| reader.at(|lang| &lang.naming.company, no, count);
    let mut no = start;
    // "My", "my other", "a".
    while no < start + MOST_BEFORE && company(no).is_none() && reader.is_idle(no) && !reader.is_mark(no) {
        if number_at(scene, reader, no).is_some() {
            break;
        }
        no += 1;
    }
    if let Some((end, number)) = number_at(scene, reader, no) {
        let (len, _) = company(end)?;
        return Some((end + len, number));
    }
    let (len, one) = company(no)?;
    (*one > 0).then_some((no + len, *one))
}

/// A whole number at a word, and the word behind it.
fn number_at(scene: &Scene<'_>, reader: &Reader<'_>, no: usize) -> Option<(usize, i64)> {
    if let Some(number) =
        numeral::at(reader.said, no, scene.lang, scene.region).filter(|number| number.words.start == no)
    {
        return number
            .value
            .is_integer()
            .then(|| number.value.to_i64())
            .flatten()
            .map(|value| (number.words.end, value));
    }
    // In Arabic "and" is written together with what it joins.
    let word = Said::new(reader.said.word(no).strip_prefix('و')?);
    let number = numeral::at(&word, 0, scene.lang, scene.region)?;
    number.value.to_i64().map(|value| (no + 1, value))
}

/// Whether a word is one with which somebody speaks of themselves as who does something: "I".
fn is_speaker(reader: &Reader<'_>, no: usize) -> bool {
    reader.len(|lang| &lang.sentence.speaker, no, no + 1) > 0
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

    #[rstest]
    #[case("en", "12 adults and 5 children", "riders=17")]
    #[case("en", "a cab for me and my two sisters", "riders=3")]
    #[case("en", "my wife, two kids and me", "riders=4")]
    #[case("en", "10 of us plus 2 kids", "riders=12")]
    #[case("en", "two adults and two suitcases", "riders=2")]
    #[case("en", "me, my wife and Ann", "")]
    #[case("en", "me and my kids", "")]
    #[case("en", "a friend and I also need a cab", "")]
    #[case("it", "12 adulti e 5 bambini", "riders=17")]
    #[case("it", "io e le mie due sorelle", "riders=3")]
    #[case("es", "dos adultos y tres niños", "riders=5")]
    #[case("es", "yo y mis dos hermanas", "riders=3")]
    #[case("de", "12 Erwachsene und 5 Kinder", "riders=17")]
    #[case("de", "ich und meine zwei Schwestern", "riders=3")]
    #[case("de", "wir sind zu fünft", "riders=5")]
    #[case("fr", "12 adultes et 5 enfants", "riders=17")]
    #[case("fr", "moi et mes deux sœurs", "riders=3")]
    #[case("ar", "12 بالغا و5 أطفال", "riders=17")]
    #[case("ar", "أنا وأختاي", "riders=3")]
    #[case("ar", "أنا وثلاثة أصدقاء", "riders=4")]
    fn people_of_one_count_are_added_up(
        #[case] lang: &'static str,
        #[case] said: &str,
        #[case] expected: &str,
        #[values("", "riders")] asked: &str,
    ) {
        assert_eq!(Stage::new(CAB, asked).speaking(lang).fills(said), expected, "{said}");
    }

    #[rstest]
    #[case("Adults", "12 adults and 5 children", "riders=12")]
    #[case("Guests", "12 adults and 5 children", "riders=17")]
    fn children_are_no_adults(#[case] label: &str, #[case] said: &str, #[case] expected: &str) {
        let form = CAB.replace("Passengers", label);
        assert_eq!(Stage::new(&form, "").fills(said), expected, "{said}");
    }
}
