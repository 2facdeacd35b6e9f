//! Moments that are told by their distance from now, for a day and a time of two fields: "in two hours", "nineteen hours from
//! now", after midnight as well; and "now" where something is asked for: "a table for two now", not "I live in Oslo now".

use std::ops::Range;

use super::ledger::Ledger;
use super::reader::Reader;
use super::spans::{Board, Cand, Slot, with_context};
use super::{Scene, stretch};
use formwright_form::kind::date::{FromNow, from_now};
use formwright_form::kind::{Strength, overlap};
use formwright_form::{Kind, Value};
use formwright_lexicon::{Language, Phrases};

/// Fills the only open day and the only open time from the only moment that is told by its distance from now.
pub(super) fn fill(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) {
    let only = |fits: fn(&Kind) -> bool| {
        let mut all = board.slots.iter().enumerate().filter(|(_, slot)| fits(&slot.field.kind));
        let open = |(no, slot): &(usize, &Slot<'_>)| slot.value.is_none() && !ledger.has(*no);
        all.next().filter(open).filter(|_| all.next().is_none())
    };
    let Some((day, slot)) = only(|kind| matches!(kind, Kind::Date(_))) else { return };
    let Some((time, _)) = only(|kind| matches!(kind, Kind::Time(_))) else { return };
    let found = with_context(scene, &slot.path, slot.field, |cx| from_now(reader.said, cx));
    let [moment] = found.as_slice() else { return };
    let words = reader.words_of(&moment.span);
    // "Tomorrow in an hour" tells another day, and what was said in passing or is denied tells none.
    let when = |cand: &&Cand| matches!(cand.value, Value::Date(_) | Value::Time(_) | Value::DateTime(_));
    let own = |cand: &Cand| overlap(&cand.words, &words);
    let other = |cand: &Cand| if own(cand) { cand.negated || cand.old } else { cand.strength > Strength::Weak };
    let apart = board.cands.iter().filter(when).any(other) || board.passing.iter().filter(when).any(own);
    if apart || !ledger.is_free(words.clone()) || !is_meant(scene, reader, moment, &words) {
        return;
    }
    let ends = [(day, Value::Date(moment.at.date())), (time, Value::Time(moment.at.time()))];
    stretch::take(reader, ledger, words, ends);
}

/// Whether a moment lies ahead, and "now" is when something is wanted: at the end of a wish or a question that says more, or
/// the whole answer where a day or a time was asked for.
fn is_meant(scene: &Scene<'_>, reader: &Reader<'_>, moment: &FromNow, words: &Range<usize>) -> bool {
    if !moment.now {
        return moment.at > scene.now.datetime();
    }
    let Some(clause) = reader.clause(words.start) else { return false };
    let all = clause.words.clone();
    let len = |table: fn(&Language) -> &Phrases<()>, no: usize| reader.len(table, no, all.end);
    let wanted = (all.start..words.start).find(|no| len(|lang| &lang.naming.wants, *no) > 0);
    // "I want to book now" may tell when one books.
    let from = wanted.or_else(|| clause.question.then_some(all.start));
    let tells = |no: usize| !reader.is_idle(no) && len(|lang| &lang.naming.wants, no) == 0;
    let says_more = from.is_some_and(|from| (from..words.start).any(tells));
    // "I'm in Oslo now", "from now".
    let here = (all.start..words.start).any(|no| len(|lang| &lang.going.hence, no) > 0);
    let since = words.start.checked_sub(1).is_some_and(|no| {
        let turn = len(|lang| &lang.sentence.first, no).max(len(|lang| &lang.sentence.second, no));
        turn > 0 && no + turn == words.start
    });
    // "Now for a party of nine" goes on, "now that I know" does not.
    let ends = reader.is_idle(words.end) || words.end == all.end;
    says_more && !here && !since && ends
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::{Stage, sorted};

    const TABLE: &str = r#"
id = "table"
title = "A table"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "day"
kind = "date"
label = { en = "Date", it = "Data", es = "Fecha", de = "Datum", fr = "Date", ar = "التاريخ" }

[[field]]
id = "hour"
kind = "time"
label = { en = "Time", it = "Ora", es = "Hora", de = "Uhrzeit", fr = "Heure", ar = "الوقت" }

[[field]]
id = "guests"
kind = "integer"
label = { en = "Guests", it = "Ospiti", es = "Invitados", de = "Gäste", fr = "Invités", ar = "الضيوف" }
"#;

    #[rstest]
    #[case("en", "a table for 4 people in two hours", "day=2026-11-21; guests=4; hour=12:00")]
    #[case("en", "a table for 4 people in seventeen hours", "day=2026-11-22; guests=4; hour=03:00")]
    #[case("en", "a table for 4 people forty hours from now", "day=2026-11-23; guests=4; hour=02:00")]
    #[case("en", "can I get a table for 4 people now?", "day=2026-11-21; guests=4; hour=10:00")]
    #[case("it", "un tavolo per 4 persone tra due ore", "day=2026-11-21; guests=4; hour=12:00")]
    #[case("es", "una mesa para 4 personas dentro de dos horas", "day=2026-11-21; guests=4; hour=12:00")]
    #[case("de", "ein Tisch für 4 Personen in zwei Stunden", "day=2026-11-21; guests=4; hour=12:00")]
    #[case("fr", "une table pour 4 personnes dans deux heures", "day=2026-11-21; guests=4; hour=12:00")]
    #[case("ar", "طاولة لـ 4 أشخاص بعد ساعتين", "day=2026-11-21; guests=4; hour=12:00")]
    #[case("en", "my knee hurts now", "")]
    #[case("en", "I want to book now", "")]
    #[case("en", "now I need a table for 4 people", "guests=4")]
    #[case("en", "I live in Oslo now", "")]
    #[case("en", "I'll call back in an hour", "")]
    fn a_distance_from_now_tells_the_day_and_the_time(
        #[case] lang: &'static str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        assert_eq!(sorted(&Stage::new(TABLE, "").speaking(lang).fills(said)), sorted(expected), "{said}");
    }
}
