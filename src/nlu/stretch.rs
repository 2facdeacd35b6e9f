//! Two days said as one stretch, for two fields: "5 to 9 December", "Friday to Sunday".

use std::ops::Range;

use jiff::civil::Date;

use super::Scene;
use super::ledger::Ledger;
use super::prepare::{begins_correction, only_corrects};
use super::reader::Reader;
use super::spans::{Board, Cand, Slot, with_context};
use formwright_form::cues::Role;
use formwright_form::kind::date_range::DateRange;
use formwright_form::kind::{FieldKind as _, Found, Said, Strength};
use formwright_form::{Kind, Value};
use formwright_lexicon::dates::Mark;

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
    let stretches = |said: &Said| with_context(scene, &slot.path, slot.field, |cx| DateRange::default().find(said, cx));
    let mut said = stretches(reader.said).into_iter().filter_map(|found| {
        let words = reader.words_of(&found.span);
        let ends = ends_of(&found)?;
        (parts_at(reader, &words).is_some() && ledger.is_free(words.clone())).then_some((words, ends))
    });
    let (Some((mut words, mut ends)), None) = (said.next(), said.next()) else { return };
    drop(said);
    if let Some((until, corrected)) = corrected(reader, board, &words) {
        let found = stretches(&Said::new(&corrected));
        // What was said first is not meant any more, whatever is.
        let [only] = found.as_slice() else { return };
        let Some(meant) = ends_of(only) else { return };
        (words.end, ends) = (until, meant);
    }
    let [start, end] = ends;
    take(reader, ledger, words, [(first, Value::Date(start)), (second, Value::Date(end))]);
}

/// Both days of a stretch that is meant.
fn ends_of(found: &Found) -> Option<[Date; 2]> {
    let Value::DateRange { start, end } = found.value else { return None };
    (start < end && found.strength > Strength::Weak).then_some([start, end])
}

/// The words of a stretch with the end that takes the place of one behind it, and where that ends: "from Monday to Friday, no
/// wait, Saturday".
fn corrected(reader: &Reader<'_>, board: &Board<'_>, words: &Range<usize>) -> Option<(usize, String)> {
    const FURTHEST: usize = 6;
    let parts = parts_at(reader, words)?;
    let day = |cand: &&Cand| {
        let behind = words.end <= cand.words.start && cand.words.start <= words.end + FURTHEST;
        behind && !cand.negated && cand.strength > Strength::Weak && matches!(board.kind_of(cand), Some(Kind::Date(_)))
    };
    let day = board.cands.iter().find(day)?;
    let between = words.end..day.words.start;
    let corrects = between.clone().any(|no| begins_correction(reader, no, between.end));
    if !corrects || !only_corrects(reader, between.clone()) {
        return None;
    }
    let begins = |no: usize| {
        let first = reader.len(|lang| &lang.sentence.first, no, between.end);
        first > 0 && first >= reader.len(|lang| &lang.sentence.second, no, between.end) && no + first == between.end
    };
    let text = match between.clone().find(|no| begins(*no)) {
        Some(from) => format!("{} {}", reader.raw_text(from..day.words.end), reader.raw_text(parts..words.end)),
        None => format!("{} {}", reader.raw_text(words.start..parts + 1), reader.raw_text(day.words.clone())),
    };
    Some((day.words.end, text))
}

/// Fills two fields with the ends of a stretch, said in the same words.
pub(super) fn take(reader: &Reader<'_>, ledger: &mut Ledger, words: Range<usize>, ends: [(usize, Value); 2]) {
    for (slot, value) in ends {
        let found = Found { span: reader.raw_range(words.clone()), value, strength: Strength::Typed };
        ledger.fill_named(reader, slot, found);
    }
    ledger.claim(words);
}

/// Where one end stops and the other begins: "to", "until", a dash, the "and" of "between". A length ("for 3 nights") has no such word.
fn parts_at(reader: &Reader<'_>, words: &Range<usize>) -> Option<usize> {
    let dash = |no: usize| matches!(reader.said.word(no), "-" | "/");
    // "A partire da" begins.
    let first = |no: usize| reader.len(|lang| &lang.sentence.first, no, words.end);
    let to = |no: usize| reader.len(|lang| &lang.sentence.second, no, words.end) > first(no);
    let between = reader.is_date_mark(words.start, |mark| mark == Mark::Between);
    let and = |no: usize| between && reader.len(|lang| &lang.sentence.join, no, words.end) > 0;
    (words.start + 1..words.end).find(|no| dash(*no) || to(*no) || and(*no))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::{Stage, sorted};

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
    #[case("en", "between 5 and 9 December", "arrival=2026-12-05; departure=2026-12-09")]
    #[case("fr", "entre le 4 et le 8 décembre", "arrival=2026-12-04; departure=2026-12-08")]
    #[case("de", "zwischen dem 4. und 8. Dezember", "arrival=2026-12-04; departure=2026-12-08")]
    fn both_ends_of_a_stretch_are_kept(#[case] lang: &'static str, #[case] said: &str, #[case] expected: &str) {
        assert_eq!(Stage::new(STAY, "").speaking(lang).means(said), expected, "{said}");
    }

    #[rstest]
    #[case("en", "from Monday to Friday, no wait, Saturday", "arrival=2026-11-23; departure=2026-11-28")]
    #[case("en", "from Monday to Friday, sorry, from Tuesday", "arrival=2026-11-24; departure=2026-11-27")]
    #[case("en", "3 December to 5 December, no, to 6 December", "arrival=2026-12-03; departure=2026-12-06")]
    #[case("en", "from 3 to 5 December, I meant 6 December", "arrival=2026-12-03; departure=2026-12-06")]
    #[case("de", "vom 5. bis 7. Dezember, nein, bis 8. Dezember", "arrival=2026-12-05; departure=2026-12-08")]
    #[case("fr", "du 5 au 7 décembre, non, au 8 décembre", "arrival=2026-12-05; departure=2026-12-08")]
    fn the_last_end_said_is_meant(#[case] lang: &'static str, #[case] said: &str, #[case] expected: &str) {
        assert_eq!(Stage::new(STAY, "").speaking(lang).fills(said), expected, "{said}");
    }

    /// Of a stay leaving is the end, of a journey it is the beginning.
    const TRIP: &str = r#"
id = "trip"
title = "Trip"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "out"
kind = "date"
label = { en = "Departure", it = "Partenza", es = "Fecha de salida", de = "Hinfahrt", fr = "Date de départ", ar = "تاريخ الذهاب" }

[[field]]
id = "back"
kind = "date"
label = { en = "Return", it = "Ritorno", es = "Fecha de regreso", de = "Rückfahrt", fr = "Date de retour", ar = "تاريخ العودة" }
"#;

    #[rstest]
    #[case("en", "I leave on Sunday and arrive on Friday")]
    #[case("en", "we arrive on Friday and leave on Sunday")]
    #[case("en", "on Sunday we leave and on Friday we arrive")]
    #[case("en", "checking out on Sunday, checking in on Friday")]
    #[case("fr", "on arrive vendredi et on repart dimanche")]
    #[case("fr", "on part dimanche et on arrive vendredi")]
    #[case("de", "wir kommen am Freitag an und reisen am Sonntag ab")]
    #[case("de", "wir reisen am Sonntag ab und kommen am Freitag an")]
    fn arriving_begins_a_stay_and_leaving_ends_it(#[case] lang: &'static str, #[case] said: &str) {
        let line = Stage::new(STAY, "").speaking(lang).means(said);
        let mut fills: Vec<&str> = line.split("; ").collect();
        fills.sort_unstable();
        assert_eq!(fills, ["arrival=2026-11-27", "departure=2026-11-29"], "{said}");
    }

    #[rstest]
    #[case("en", "leaving on Friday and back on Sunday")]
    #[case("en", "I return on Sunday and leave on Friday")]
    #[case("it", "partiamo venerdì e torniamo domenica")]
    #[case("es", "volvemos el domingo y salimos el viernes")]
    #[case("de", "wir fahren am Freitag und kommen am Sonntag zurück")]
    #[case("fr", "on revient dimanche et on part vendredi")]
    #[case("ar", "نعود يوم الأحد ونغادر يوم الجمعة")]
    fn leaving_begins_a_journey(#[case] lang: &'static str, #[case] said: &str) {
        let line = Stage::new(TRIP, "").speaking(lang).means(said);
        let mut fills: Vec<&str> = line.split("; ").collect();
        fills.sort_unstable();
        assert_eq!(fills, ["back=2026-11-29", "out=2026-11-27"], "{said}");
    }

    /// What is done with one's own begins with handing it over and ends with collecting it; a hire the other way round.
    const KENNEL: &str = r#"
id = "kennel"
title = "Cats"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "brought"
kind = "date"
label = { en = "Drop-off date", it = "Consegna", es = "Entrega", de = "Abgabe", fr = "Dépôt", ar = "التسليم" }

[[field]]
id = "fetched"
kind = "date"
label = { en = "Pick-up date", it = "Ritiro", es = "Recogida", de = "Abholung", fr = "Récupération", ar = "الاستلام" }
"#;

    #[rstest]
    #[case("en", "from 20 December till 2 January")]
    #[case("en", "drop-off 20 December, pick-up 2 January")]
    #[case("en", "drop-off date 20 December, pick-up date 2 January")]
    #[case("en", "dropping her off on 20 December and collecting her on 2 January")]
    #[case("en", "pick-up on 2 January and drop-off on 20 December")]
    #[case("it", "consegna il 20 dicembre, ritiro il 2 gennaio")]
    #[case("es", "entrega el 20 de diciembre y recogida el 2 de enero")]
    #[case("de", "Abgabe am 20. Dezember, Abholung am 2. Januar")]
    #[case("fr", "dépôt le 20 décembre et récupération le 2 janvier")]
    #[case("ar", "التسليم 20 ديسمبر والاستلام 2 يناير")]
    fn what_is_ones_own_is_handed_over_first(#[case] lang: &'static str, #[case] said: &str) {
        let line = Stage::new(KENNEL, "").speaking(lang).means(said);
        assert_eq!(sorted(&line), ["brought=2026-12-20", "fetched=2027-01-02"], "{said}");
    }

    #[rstest]
    #[case("from 20 December till 2 January")]
    #[case("drop-off on 2 January and pick-up on 20 December")]
    fn what_is_hired_is_collected_first(#[case] said: &str) {
        let (before, fields) = KENNEL.split_once("[[field]]").unwrap();
        let (one, two) = fields.split_once("[[field]]").unwrap();
        let line = Stage::new(&format!("{before}[[field]]{two}\n[[field]]{one}"), "").means(said);
        assert_eq!(sorted(&line), ["brought=2027-01-02", "fetched=2026-12-20"], "{said}");
    }

    #[rstest]
    #[case("en", "we leave on the 9th", "people")]
    #[case("en", "sorry, check out on the 9th", "people")]
    #[case("en", "we leave on the 9th", "departure")]
    #[case("de", "wir reisen am 9. ab", "departure")]
    #[case("fr", "on repart le 9", "departure")]
    fn who_leaves_ends_the_stay(#[case] lang: &'static str, #[case] said: &str, #[case] asked: &str) {
        let stage = Stage::new(STAY, asked).speaking(lang).having("arrival=2026-12-05");
        assert_eq!(stage.means(said), "departure=2026-12-09", "{said}");
    }
}
