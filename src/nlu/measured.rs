//! Numbers of another unit than a field counts in, which are that many in its own: "500 g" of kilos, "two weeks" of days, "a
//! fortnight". What cannot be told exactly is left alone.

use std::ops::Range;

use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive as _;

use super::ledger::Ledger;
use super::reader::Reader;
use super::score::Tide;
use super::spans::{Board, takes, with_context};
use super::{Scene, elsewhere, passing};
use formwright_form::cues::Counts;
use formwright_form::kind::duration::Duration;
use formwright_form::kind::{Found, Strength, numeral, overlap};
use formwright_form::{Kind, Value};
use formwright_lexicon::measure::{STOREY, convert};

/// Most words of a number.
const MOST: usize = 5;

/// Fills open fields for numbers that count in a unit.
pub(super) fn fill(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger, tide: &Tide) {
    if board.slots.iter().any(|slot| slot.counts.is_some()) {
        units(scene, reader, board, ledger, tide);
        ground(reader, board, ledger);
        lengths(scene, reader, board, ledger);
    }
}

/// "500 g" of a weight in kilos.
fn units(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger, tide: &Tide) {
    let end = reader.said.words.len();
    for no in 1..end {
        let Some((len, unit)) = reader.at(|lang| &lang.number.measure.said, no, end) else { continue };
        let number = |start: usize| numeral::at(reader.said, start, scene.lang, scene.region);
        let before = (no.saturating_sub(MOST)..no).filter_map(number).find(|number| number.words.end == no);
        let Some(number) = before else { continue };
        let words = number.words.start..no + len;
        let corrects = tide.changes(reader.clause_of(words.start));
        let fits = |slot: usize| {
            let slot = board.slots.get(slot)?;
            let Some(Counts::In(own)) = slot.counts else { return None };
            let open = slot.value.is_none() || slot.asked || corrects;
            // "A 10 km run" is no height of a million centimetres.
            let fits = |number: &Decimal| {
                slot.asked || as_value(&slot.field.kind, *number).is_some_and(|value| takes(scene, slot, &value))
            };
            convert(number.value, unit, own).filter(|_| open && **own != **unit).filter(fits)
        };
        if !ledger.is_free(words.clone()) || passing::is_not_meant(scene, reader, board, &number.words) {
            continue;
        }
        if let Some((slot, value)) = only(board, fits) {
            take(reader, board, ledger, slot, &words, value);
        }
    }
}

/// "Ground floor" of the only field for a floor, where it takes none.
fn ground(reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) {
    let fits = |no: usize| {
        let slot = board.slots.get(no).filter(|slot| slot.value.is_none() || slot.asked)?;
        let Kind::Integer(kind) = &slot.field.kind else { return None };
        let takes = kind.min.is_none_or(|min| min <= 0) && slot.counts.is_some_and(|counts| counts.is(STOREY));
        takes.then_some(Decimal::ZERO)
    };
    let found = (0..reader.said.words.len()).find_map(|no| {
        Some(no..no + reader.len(|lang| &lang.number.ground, no, reader.clause_end(no)))
            .filter(|words| !words.is_empty())
    });
    if let Some(words) = found.filter(|words| ledger.is_free(words.clone()))
        && let Some((slot, value)) = only(board, fits)
    {
        take(reader, board, ledger, slot, &words, value);
    }
}

/// "Two weeks" where days are asked for, "a fortnight" of weeks.
fn lengths(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) {
    let timed = |no: usize| {
        let slot = board.slots.get(no)?;
        let Some(Counts::Time(unit)) = slot.counts else { return None };
        (slot.value.is_none() || slot.asked).then_some(*unit)
    };
    let Some(first) = (0..board.slots.len()).find(|no| timed(*no).is_some()).and_then(|no| board.slots.get(no)) else {
        return;
    };
    let all = with_context(scene, &first.path, first.field, |cx| Duration::lengths(reader.said, cx));
    let [(raw, length)] = all.as_slice() else { return };
    let words = reader.words_of(raw);
    let asked = board.asked.filter(|no| timed(*no).is_some());
    let counted = |no: usize| numeral::at(reader.said, no, scene.lang, scene.region).is_some();
    let lasts = || {
        let before = words.start.saturating_sub(3)..words.start;
        before.clone().any(|no| reader.len(|lang| &lang.naming.lasts, no, words.start) == words.start - no)
    };
    let bare = || lasts() || !words.clone().any(counted) && !is_one(reader, &words);
    // "Every fortnight", "three quarters of a year".
    let every = words.start.checked_sub(1).is_some_and(|no| {
        let of = reader.len(|lang| &lang.number.of, no, words.start);
        of.max(reader.len(|lang| &lang.number.before, no, words.start)) > 0 || reader.is_of_number(no)
    });
    let dated = board.cands.iter().any(|cand| {
        let date = matches!(board.kind_of(cand), Some(Kind::Date(_) | Kind::DateRange(_) | Kind::Duration(_)));
        date && cand.strength > Strength::Weak && overlap(&cand.words, &words)
    });
    if every || dated || !ledger.is_free(words.clone()) || asked.is_none() && !bare() {
        return;
    }
    // "Half a day" where days are asked for is no 12 hours of another field.
    let fits = |no: usize| length.count_in(timed(no).filter(|_| asked.is_none_or(|asked| asked == no))?);
    if let Some((slot, value)) = only(board, fits) {
        take(reader, board, ledger, slot, &words, value);
    }
}

/// Whether a length begins with an article, as "a week" of "twice a week" does.
fn is_one(reader: &Reader<'_>, words: &Range<usize>) -> bool {
    reader.len(|lang| &lang.sentence.articles, words.start, words.end) > 0 && reader.is_unit_of_time(words.end - 1)
}

/// The asked field, or the only one, that takes what is said, and the value.
fn only(board: &Board<'_>, fits: impl Fn(usize) -> Option<Decimal>) -> Option<(usize, Decimal)> {
    let asked = board.asked.and_then(|no| Some((no, fits(no)?)));
    let mut all = (0..board.slots.len()).filter_map(|no| Some((no, fits(no)?)));
    asked.or_else(|| all.next().filter(|_| all.next().is_none()))
}

fn take(reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger, no: usize, words: &Range<usize>, number: Decimal) {
    let Some(slot) = board.slots.get(no).filter(|slot| !elsewhere::is_told_of(reader, board, slot, words)) else {
        return;
    };
    let Some(value) = as_value(&slot.field.kind, number) else { return };
    let found = Found { span: reader.raw_range(words.clone()), value, strength: Strength::Typed };
    if !ledger.has(no) {
        ledger.fill_named(reader, no, found);
    }
}

/// A number as a field of some kind holds it.
fn as_value(kind: &Kind, number: Decimal) -> Option<Value> {
    match kind {
        Kind::Integer(_) => number.is_integer().then(|| number.to_i64()).flatten().map(Value::Integer),
        Kind::Number(_) => Some(Value::Number(number)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::{Stage, sorted};

    const PARCEL: &str = r#"
id = "parcel"
title = "Parcel"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "weight_kg"
kind = "number"
label = { en = "Weight (kg)", it = "Peso (kg)", es = "Peso (kg)", de = "Gewicht (kg)", fr = "Poids (kg)", ar = "الوزن (كغ)" }

[[field]]
id = "height_cm"
kind = "integer"
label = "Height (cm)"

[[field]]
id = "weeks"
kind = "integer"
label = { en = "Weeks of storage", it = "Settimane", es = "Semanas", de = "Wochen", fr = "Semaines", ar = "الأسابيع" }

[[field]]
id = "pieces"
kind = "integer"
label = "Pieces"

[[field]]
id = "floor"
kind = "integer"
label = { en = "Floor", it = "Piano", es = "Piso", de = "Stock", fr = "Étage", ar = "الطابق" }
"#;

    #[rstest]
    #[case("en", "", "it weighs about 32 kg", "weight_kg=32")]
    #[case("en", "", "4.5 kilos and 80 cm high", "height_cm=80; weight_kg=4.5")]
    #[case("en", "", "hi, 6.2kg in all", "weight_kg=6.2")]
    #[case("en", "weight_kg", "500 g", "weight_kg=0.5")]
    #[case("en", "weight_kg", "20 lbs", "~=weight_kg=20")]
    #[case("en", "weight_kg", "two kilos and a half", "weight_kg=2.5")]
    #[case("en", "weight_kg", "5 and a half kilos last time we checked", "weight_kg=5.5")]
    #[case("en", "", "it is 1.2 m high", "height_cm=120")]
    #[case("en", "", "for a fortnight", "weeks=2")]
    #[case("en", "weeks", "14 days", "weeks=2")]
    #[case("en", "weeks", "10 days", "~=weeks=10")]
    #[case("en", "", "twice a week", "")]
    #[case("en", "weeks", "half of a week", "")]
    #[case("en", "pieces", "just the one", "pieces=1")]
    #[case("en", "", "we live on the 4th floor", "floor=4")]
    #[case("en", "", "it goes to the sixth floor", "floor=6")]
    #[case("en", "", "it is on the ground floor", "floor=0")]
    #[case("fr", "", "au rez-de-chaussée", "floor=0")]
    #[case("it", "", "pesa 7 chili", "weight_kg=7")]
    #[case("it", "weight_kg", "tre chili e mezzo", "weight_kg=3.5")]
    #[case("it", "", "abito al quinto piano", "floor=5")]
    #[case("es", "weight_kg", "cuatro kilos y medio", "weight_kg=4.5")]
    #[case("es", "", "son 14 kilos", "weight_kg=14")]
    #[case("de", "", "zusammen 12,5 kg", "weight_kg=12.5")]
    #[case("de", "", "wir wohnen im vierten Stock", "floor=4")]
    #[case("fr", "weight_kg", "deux kilos et demi", "weight_kg=2.5")]
    #[case("fr", "", "9 kilos", "weight_kg=9")]
    #[case("ar", "weight_kg", "كيلو ونصف", "weight_kg=1.5")]
    #[case("ar", "weeks", "أسبوعين", "weeks=2")]
    fn a_unit_tells_the_field_and_is_turned_into_its_own(
        #[case] lang: &'static str,
        #[case] asked: &str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        let line = Stage::new(PARCEL, asked).speaking(lang).fills(said);
        assert_eq!(sorted(&line).join("; "), expected, "{said}");
    }

    #[rstest]
    #[case("there is no piano")]
    fn a_floor_is_called_so_in_the_persons_language_alone(#[case] said: &str) {
        let form = PARCEL.replace("it = \"Piano\", ", "");
        assert!(!Stage::new(&form, "").takes(said).contains("weight"), "{said}");
    }
}
