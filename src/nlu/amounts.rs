//! Numbers that a plain count does not tell: a price where an amount is a number ("75 bucks"), none ("no checked bags"), the
//! least that will do ("at least 3 bathrooms", "a rating of 4 or better"), and a year ("from last year").

use std::ops::Range;

use super::ledger::Ledger;
use super::reader::Reader;
use super::score::{Tide, is_number};
use super::spans::{Board, Slot, read, takes, with_context};
use super::{Scene, measured};
use formwright_form::cues::Mention;
use formwright_form::kind::money::Money;
use formwright_form::kind::{FieldKind as _, Found, Reading, Said, Strength, numeral};
use formwright_form::{Kind, Value};
use formwright_lexicon::sentence::Announced;

/// Least share of a field's name that names it here.
const LEAST: f32 = 0.25;

/// Fills open fields for numbers.
pub(super) fn fill(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger, tide: &Tide) {
    priced(scene, reader, board, ledger, tide);
    none(scene, reader, board, ledger);
    least(scene, reader, board, ledger);
    years(scene, reader, board, ledger);
    measured::fill(scene, reader, board, ledger, tide);
}

fn is_open(board: &Board<'_>, ledger: &Ledger, no: usize) -> bool {
    board.slots.get(no).is_some_and(|slot| slot.value.is_none() || slot.asked) && !ledger.has(no)
}

/// "75 bucks" of an amount that is a plain number.
fn priced(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger, tide: &Tide) {
    let number = |slot: &Slot<'_>| matches!(&slot.field.kind, Kind::Number(kind) if kind.unit.is_empty());
    let mut all = (0..board.slots.len()).filter(|no| {
        board
            .slots
            .get(*no)
            .is_some_and(|slot| matches!(slot.field.kind, Kind::Money(_)) || number(slot) && is_of_money(reader, slot))
    });
    let (Some(no), None) = (all.next(), all.next()) else { return };
    let Some(slot) = board.slots.get(no).filter(|slot| number(slot) && !ledger.has(no)) else { return };
    let money = Money { currency: "USD".to_owned(), ..Money::default() };
    let found = with_context(scene, &slot.path, slot.field, |cx| money.find(reader.said, cx));
    let mut sure = found.into_iter().filter(|found| found.strength == Strength::Exact);
    let (Some(price), None) = (sure.next(), sure.next()) else { return };
    let words = reader.words_of(&price.span);
    let corrects = tide.changes(reader.clause_of(words.start));
    if (slot.value.is_none() || slot.asked || corrects)
        && ledger.is_free(words.clone())
        && let Reading::Value(found) = read(scene, reader, slot, words)
    {
        ledger.fill(reader, no, found, true);
    }
}

/// Whether a number is an amount of money, by its name or by what explains it.
fn is_of_money(reader: &Reader<'_>, slot: &Slot<'_>) -> bool {
    let money = |text: &Said, no: usize| {
        reader.langs().any(|lang| {
            let cue = lang.sentence.cue.of(Announced::Money);
            cue.is_some_and(|cue| cue.starts(text, no)) || lang.number.currencies.starts(text, no)
        })
    };
    slot.labels.iter().chain(slot.helps).any(|text| (0..text.words.len()).any(|no| money(text, no)))
}

/// "No checked bags": none of what is counted.
fn none(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) {
    for (no, slot) in board.slots.iter().enumerate() {
        if !matches!(slot.field.kind, Kind::Integer(_)) || !is_open(board, ledger, no) {
            continue;
        }
        if !takes(scene, slot, &Value::Integer(0)) {
            continue;
        }
        let own = |no: usize| {
            let weight = |own: bool| {
                let mentions = board.mentions.iter().filter(|mention| mention.words.contains(&no));
                let of = mentions.filter(|mention| {
                    (mention.field == slot.field.no) == own && board.slot_of(mention.field).is_some()
                });
                of.map(|mention| mention.weight).fold(0.0_f32, f32::max)
            };
            weight(true) >= LEAST && weight(true) >= weight(false)
        };
        let found = (0..reader.said.words.len()).find_map(|at| {
            let end = reader.clause_end(at);
            let (negation, ()) = reader.at(|lang| &lang.yes_no.negation, at, end)?;
            let start = at + negation + reader.len(|lang| &lang.sentence.articles, at + negation, end);
            let stop = (start..end).find(|no| !own(*no)).unwrap_or(end);
            let whole = stop >= end || reader.is_idle(stop);
            (stop > start && whole).then_some(at..stop)
        });
        let Some(words) = found.filter(|words| ledger.is_free(words.clone())) else { continue };
        let found = Found { span: reader.raw_range(words), value: Value::Integer(0), strength: Strength::Typed };
        ledger.fill_named(reader, no, found);
    }
}

/// "At least 3 bathrooms", "rated 4 or higher": the least that will do of what is looked for. Of people it is no number.
fn least(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) {
    let count = reader.said.words.len();
    let bounds = |no: usize| {
        reader.len(|lang| &lang.sentence.floor, no, count).max(reader.len(|lang| &lang.sentence.upward, no, count)) > 0
    };
    // Most messages bound nothing.
    let words = if (0..count).any(bounds) { 0..count } else { 0..0 };
    for at in words {
        let end = reader.clause_end(at);
        let floor = reader.len(|lang| &lang.sentence.floor, at, end);
        let Some(number) = numeral::at(reader.said, at + floor, scene.lang, scene.region) else { continue };
        let number = number.words;
        let upward = reader.len(|lang| &lang.sentence.upward, number.end, end);
        if number.start != at + floor || floor.max(upward) == 0 || number.end > end || !ledger.is_free(at..number.end) {
            continue;
        }
        let from = if upward > 0 { reader.clause_of(at).saturating_sub(1) } else { reader.clause_of(at) };
        let from = reader.clauses.get(from).map_or(at, |clause| clause.words.start);
        let distance = |mention: &Mention| {
            let idle = |words: Range<usize>| words.into_iter().all(|no| reader.is_idle(no));
            match () {
                () if mention.weight < LEAST => None,
                () if mention.words.start >= number.end && idle(number.end..mention.words.start) => Some(0),
                () if from <= mention.words.start && mention.words.end <= at => Some(at - mention.words.end + 1),
                () => None,
            }
        };
        let fits = |no: &usize| {
            let slot = board.slots.get(*no);
            slot.is_some_and(|slot| is_number(&slot.field.kind) && !slot.people) && is_open(board, ledger, *no)
        };
        let near = |no: usize| {
            let slot = board.slots.get(no)?;
            Some((board.mentions_of(slot).filter_map(distance).min()?, no))
        };
        let Some((_, no)) = (0..board.slots.len()).filter(fits).filter_map(near).min() else { continue };
        if let Some(slot) = board.slots.get(no)
            && let Reading::Value(found) = read(scene, reader, slot, number.clone())
            && ledger.fill_named(reader, no, found)
        {
            ledger.claim(at..number.end + upward);
        }
    }
}

/// "From last year", of the only field for a year.
fn years(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) {
    let years = |slot: &Slot<'_>| match &slot.field.kind {
        Kind::Integer(kind) => kind.years(),
        _ => None,
    };
    let mut all = (0..board.slots.len()).filter(|no| board.slots.get(*no).is_some_and(|slot| years(slot).is_some()));
    let (Some(no), None) = (all.next(), all.next()) else { return };
    let Some(range) = board.slots.get(no).and_then(years).filter(|_| is_open(board, ledger, no)) else { return };
    for at in 0..reader.said.words.len() {
        let Some((len, apart)) = reader.at(|lang| &lang.naming.year, at, reader.clause_end(at)) else { continue };
        let year = i64::from(scene.now.year()) + apart;
        let words = at..at + len;
        if range.contains(&year) && ledger.is_free(words.clone()) {
            let found = Found { span: reader.raw_range(words), value: Value::Integer(year), strength: Strength::Typed };
            ledger.fill_named(reader, no, found);
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::Stage;

    const FLAT: &str = r#"
id = "flat"
title = "Flat"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "rent"
kind = "number"
label = "Rent amount"

[[field]]
id = "baths"
kind = "integer"
label = "Number of bathrooms"

[[field]]
id = "bags"
kind = "integer"
label = "Number of checked bags"
min = 0

[[field]]
id = "rating"
kind = "number"
label = "Rating"

[[field]]
id = "built"
kind = "integer"
label = "Year"
min = 1900
max = 2100

[[field]]
id = "guests"
kind = "integer"
label = "Guests"
min = 1
"#;

    #[rstest]
    #[case("en", "it may cost 75 bucks", "rent=75")]
    #[case("en", "60 dolars a week", "rent=60")]
    #[case("en", "no checked bags please", "bags=0")]
    #[case("en", "no guests", "")]
    #[case("en", "with at least three bathrooms", "baths=3")]
    #[case("en", "rated at least 4.5", "rating=4.5")]
    #[case("en", "it needs good reviews, 4 or higher", "rating=4")]
    #[case("en", "we are at least 3 guests", "")]
    #[case("en", "one from last year", "built=2025")]
    #[case("en", "last year we had no luck", "")]
    #[case("it", "uno dell'anno scorso", "built=2025")]
    #[case("es", "uno del año pasado", "built=2025")]
    #[case("de", "eine vom letzten Jahr", "built=2025; ~=rent=1")]
    #[case("fr", "un de l'année dernière", "built=2025")]
    fn a_number_is_told_in_other_words(#[case] lang: &'static str, #[case] said: &str, #[case] expected: &str) {
        let line = Stage::new(FLAT, "").speaking(lang).line(said);
        let fills: Vec<&str> = line.split("; ").filter(|part| part.contains('=')).collect();
        assert_eq!(fills.join("; "), expected, "{line}");
    }
}
