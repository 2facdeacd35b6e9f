//! What is told of a value without being it: the day that bounds the one meant ("after Christmas"), the time that is so long
//! after another ("an hour later"), the number that no field takes and that belongs to the words asked for, the amount of
//! another unit or for another time ("1,680 a year" of a monthly bill).

use std::ops::Range;

use super::Scene;
use super::reader::Reader;
use super::spans::{Board, Cand, Slot, takes};
use formwright_form::cues::Counts;
use formwright_form::kind::Said;
use formwright_lexicon::Language;
use formwright_lexicon::dates::{Mark, Term};

/// Whether a day only bounds the one that is meant: "after Christmas", "some time before the 5th"; not "from the 5th".
pub(super) fn is_open_bound(reader: &Reader<'_>, words: &Range<usize>) -> bool {
    let of = |no: usize| reader.is_date_mark(no, |mark| mark == Mark::Of);
    let skip = |no: &usize| of(*no) || reader.len(|lang| &lang.sentence.articles, *no, words.start) > 0;
    let bounds = |no: usize| {
        let is = |mark: Mark| reader.is_date_mark(no, |other| other == mark);
        (is(Mark::After) || is(Mark::Before)) && ![Mark::From, Mark::On].into_iter().any(is)
    };
    // "Before we move out on 30 November".
    let told = |no: usize| bounds(no) && reader.len(|lang| &lang.sentence.speaker, no + 1, words.start) > 0;
    let before = (0..words.start).rev().find(|no| !skip(no));
    before.is_some_and(bounds) || (reader.clause_start(words.start)..words.start).any(told)
}

/// Whether a time is only the latest there may be: "Thursday before noon".
pub(super) fn is_latest(reader: &Reader<'_>, words: &Range<usize>) -> bool {
    words.start.checked_sub(1).is_some_and(|no| reader.is_date_mark(no, |mark| mark == Mark::Before))
}

/// Whether an amount is for another time than a field is called by: "1,680 a year" of a "monthly bill".
pub(super) fn is_at_another_rate(reader: &Reader<'_>, slot: &Slot<'_>, words: &Range<usize>) -> bool {
    let every = |no: usize| reader.at(|lang| &lang.number.every, no, reader.clause_end(words.start));
    let Some((_, said)) = every(words.end) else { return false };
    let of_label = |label: &Said, no: usize| {
        reader.langs().find_map(|lang| lang.number.every.at(label, no)).map(|(_, unit)| *unit)
    };
    let own = |label: &Said| (0..label.words.len()).find_map(|no| of_label(label, no));
    slot.labels.iter().find_map(own).is_some_and(|own| own != *said)
}

/// Whether an amount is for all together where a field asks for that of one: "1,200 in total" of a "budget per head".
pub(super) fn is_of_all_together(reader: &Reader<'_>, slot: &Slot<'_>, words: &Range<usize>) -> bool {
    let total = reader.len(|lang| &lang.sentence.total, words.end, reader.clause_end(words.start));
    let each = |label: &Said, no: usize| reader.langs().any(|lang| lang.number.each.starts(label, no));
    total > 0 && slot.labels.iter().any(|label| (0..label.words.len()).any(|no| each(label, no)))
}

/// Whether a number is that of ten years: "the 1930s".
pub(super) fn is_decade(reader: &Reader<'_>, words: &Range<usize>) -> bool {
    let digits = reader.said.word(words.start);
    let ends = |no: usize, lang: &Language| lang.number.plural.iter().any(|end| reader.said.plain(no) == end);
    let plural = |no: usize| reader.said.is_glued(no) && reader.langs().any(|lang| ends(no, lang));
    digits.len() == 4 && digits.ends_with('0') && plural(words.start + 1)
}

/// Whether a number counts in another unit than a field does: "900 square feet" of square metres.
pub(super) fn is_of_another_unit(reader: &Reader<'_>, slot: &Slot<'_>, words: &Range<usize>) -> bool {
    let Some(Counts::In(own)) = slot.counts else { return false };
    let said = |no: usize| reader.at(|lang| &lang.number.measure.said, no, reader.said.words.len());
    let inside = (words.start + 1..words.end).find_map(|no| said(no).filter(|(len, _)| no + len == words.end));
    inside.or_else(|| said(words.end)).is_some_and(|(_, unit)| own != unit)
}

/// Whether a time is told from another that is not known: "they came an hour later".
pub(super) fn is_later(reader: &Reader<'_>, board: &Board<'_>, cand: &Cand) -> bool {
    let holds = board.takers(cand).iter().any(|no| board.slots.get(*no).is_some_and(|slot| slot.value.is_some()));
    let later = |no: usize| reader.is_date_mark(no, |mark| mark == Mark::LaterOn);
    // "Une heure plus tard" has its last words behind the hour; "at 3 later today" is at 3.
    let Range { start, end } = cand.words;
    let leads = || board.cands.iter().any(|other| (end..=end + 1).contains(&other.words.start));
    // "Half an hour after 8 pm" has the time that it is told from.
    let clock = |no: usize| {
        let term = |lang: &Language| {
            lang.date.beginning_at(reader.said, no).iter().any(|phrase| matches!(phrase.term, Term::Clock(_)))
        };
        reader.is_of_number(no) || reader.is_digits(no) || reader.langs().any(term)
    };
    let open = |no: usize| later(no) && !(no + 1..end).any(clock);
    !holds && ((start + 1..end).any(open) || later(end) && !leads())
}

/// Whether a number belongs to the words that are asked for, and no field takes it: "get fit for a 10 km run".
pub(super) fn is_of_asked_words(scene: &Scene<'_>, board: &Board<'_>, cand: &Cand) -> bool {
    let asked =
        board.asked.and_then(|no| board.slots.get(no)).is_some_and(|slot| slot.is_free() && slot.subtype().is_none());
    asked
        && board.takers(cand).iter().filter_map(|no| board.slots.get(*no)).all(|slot| !takes(scene, slot, &cand.value))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::Stage;

    const VISIT: &str = r#"
id = "visit"
title = "Visit"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "day"
kind = "date"
label = "Day"

[[field]]
id = "time"
kind = "time"
label = "Time"

[[field]]
id = "note"
kind = "text"
label = "Note"
"#;

    #[rstest]
    #[case("en", "straight after Christmas", "")]
    #[case("en", "some time before the 5th", "")]
    #[case("en", "once, before we move out on 30 November", "")]
    #[case("en", "from the 5th", "day=2026-12-05")]
    #[case("en", "the day after Christmas", "day=2026-12-26")]
    #[case("es", "después de Navidad", "")]
    #[case("de", "nach Weihnachten", "")]
    fn a_day_that_bounds_another_is_none(#[case] lang: &'static str, #[case] said: &str, #[case] expected: &str) {
        assert_eq!(Stage::new(VISIT, "day").speaking(lang).fills(said), expected, "{said}");
    }

    #[rstest]
    #[case("en", "they came an hour later", "")]
    #[case("fr", "ils sont venus une heure plus tard", "")]
    #[case("en", "I'll be there at 3 pm later today", "time=15:00; day=2026-11-21")]
    #[case("en", "they came half an hour after 8 pm", "time=20:30")]
    fn so_long_after_another_time_is_none(#[case] lang: &'static str, #[case] said: &str, #[case] expected: &str) {
        assert_eq!(Stage::new(VISIT, "").speaking(lang).fills(said), expected, "{said}");
    }

    const GOAL: &str = r#"
id = "goal"
title = "Gym"

[[field]]
id = "weight"
kind = "number"
label = "Weight in kg"
min = 30
max = 250

[[field]]
id = "height"
kind = "integer"
label = "Height in cm"
min = 100
max = 230

[[field]]
id = "goal"
kind = "text"
label = "Goal"
"#;

    #[rstest]
    #[case("get fit for a 10 km run", "goal=get fit for a 10 km run")]
    #[case("lose 5 kg for the wedding", "goal=lose 5 kg for the wedding")]
    fn a_number_that_no_field_takes_stays_in_the_words_asked_for(#[case] said: &str, #[case] expected: &str) {
        assert_eq!(Stage::new(GOAL, "goal").fills(said), expected, "{said}");
    }

    const SOLAR: &str = r#"
id = "solar"
title = "Solar panels"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "bill"
kind = "money"
label = { en = "Monthly electricity bill", it = "Bolletta mensile", es = "Factura mensual", de = "Monatliche Rechnung", fr = "Facture mensuelle", ar = "الفاتورة الشهرية" }
currency = "EUR"

[[field]]
id = "built"
kind = "integer"
label = "Year it was built"
min = 1700
max = 2026

[[field]]
id = "postcode"
kind = "text"
subtype = "code"
label = "Postcode"
"#;

    #[rstest]
    #[case("en", "1,680 a year", "")]
    #[case("en", "we pay 1,680 euros per year", "~=bill={\"amount\":\"1680.00\",\"currency\":\"EUR\"}")]
    #[case("en", "140 a month", r#"bill={"amount":"140.00","currency":"EUR"}"#)]
    #[case("it", "1.500 euro all'anno", "~=bill={\"amount\":\"1500.00\",\"currency\":\"EUR\"}")]
    #[case("es", "140 euros al mes", r#"bill={"amount":"140.00","currency":"EUR"}"#)]
    #[case("de", "1680 Euro im Jahr", "~=bill={\"amount\":\"1680.00\",\"currency\":\"EUR\"}")]
    #[case("fr", "1680 euros par an", "~=bill={\"amount\":\"1680.00\",\"currency\":\"EUR\"}")]
    #[case("ar", "1680 يورو في السنة", "~=bill={\"amount\":\"1680.00\",\"currency\":\"EUR\"}")]
    #[case(
        "en",
        "120 to 150 depending on the season",
        r#"?(bill={"amount":"120.00","currency":"EUR"} | bill={"amount":"150.00","currency":"EUR"})"#
    )]
    fn an_amount_for_another_time_is_not_the_one_asked_for(
        #[case] lang: &'static str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        assert_eq!(Stage::new(SOLAR, "bill").speaking(lang).fills(said), expected, "{said}");
    }

    #[rstest]
    #[case("", "it's a 1930s house", "")]
    #[case("built", "1930s", "")]
    #[case("built", "1930", "built=1930")]
    fn ten_years_are_no_year(#[case] asked: &str, #[case] said: &str, #[case] expected: &str) {
        assert_eq!(Stage::new(SOLAR, asked).fills(said), expected, "{said}");
    }

    #[rstest]
    #[case("can you come on Friday before noon", "day=2026-11-27")]
    #[case("Friday by noon", "day=2026-11-27; time=12:00")]
    fn the_latest_time_is_none(#[case] said: &str, #[case] expected: &str) {
        assert_eq!(Stage::new(VISIT, "").fills(said), expected, "{said}");
    }
}
