//! An answer to a yes/no question that settles nothing yet: "sure, what does it cost?", "yes, but not against rabies", "yes,
//! but I'll ask my wife"; and days told beside it of what was asked: "not yet, the appointment is on Friday".

use std::ops::Range;

use super::guard::somebody;
use super::reader::Reader;
use formwright_lexicon::{Language, Phrases};

/// Whether what follows a yes in the same sentence makes it half a yes, or puts it off.
pub(super) fn is_hedged(reader: &Reader<'_>, answer: &Range<usize>) -> bool {
    let from = reader.clause_of(answer.start);
    let clauses = reader.clauses.get(from..).unwrap_or_default();
    let sentence = clauses.iter().position(|clause| clause.stop).map_or(clauses.len(), |no| no + 1);
    let end = clauses.get(..sentence).and_then(<[_]>::last).map_or(0, |clause| clause.words.end);
    let len = |table: fn(&Language) -> &Phrases<()>, no: usize| reader.len(table, no, end);
    let takes_back = |no: usize| {
        let partly = len(|lang| &lang.yes_no.partly, no);
        // "But not before nine" takes nothing back.
        let limit = partly > 1 && len(|lang| &lang.denial.limit, no + partly - 1) > 0;
        let joins = no.checked_sub(1).is_some_and(|before| len(|lang| &lang.sentence.join, before) > 0);
        partly > 0 && !limit || joins && len(|lang| &lang.yes_no.put_off, no) > 0
    };
    (answer.end..end).any(takes_back) || is_soft(reader, answer) && asks_at_once(reader, answer)
}

/// Whether the sentence goes on with what an answer depends on: "yes if it costs nothing", "ok only if it's free", but not
/// "yes if possible".
pub(super) fn is_conditional(reader: &Reader<'_>, value: &Range<usize>) -> bool {
    let from = reader.clause_of(value.start);
    let rest = reader.clauses.iter().skip(from);
    let sentence = rest.clone().position(|clause| clause.stop).map_or(usize::MAX, |no| no + 1);
    rest.take(sentence).any(|clause| {
        let end = clause.words.end;
        (clause.words.start.max(value.end)..end).any(|no| {
            let len = reader.len(|lang| &lang.denial.condition, no, end);
            let polite = reader.len(|lang| &lang.sentence.courtesy, no, end).max(reader.filler(no, end));
            let strict = len > 1 && no + len < end;
            len > 0 && (strict || polite < len.max(2) && (no + len..end).any(|no| !reader.is_idle(no)))
        })
    })
}

/// Whether a value is what might be if something else is so: "if it's sunny we'd sit outside", but not "if there is none I'd
/// like one with wifi".
pub(super) fn is_behind_a_condition(reader: &Reader<'_>, value: &Range<usize>) -> bool {
    let last = reader.clause_of(value.start);
    let stop = |no: usize| reader.clauses.get(no).is_some_and(|clause| clause.stop);
    let first = (0..last).rev().find(|no| stop(*no)).map_or(0, |no| no + 1);
    let len = |table: fn(&Language) -> &Phrases<()>, no: usize| reader.len(table, no, value.start);
    let said = |from: usize, table: fn(&Language) -> &Phrases<()>| (from..value.start).any(|no| len(table, no) > 0);
    reader.clauses.iter().take(last + 1).skip(first).any(|clause| {
        let supposes = |no: usize| {
            let supposes = len(|lang| &lang.denial.supposes, no);
            supposes > 0
                && said(no + supposes, |lang| &lang.denial.might)
                && !said(no + supposes, |lang| &lang.naming.wants)
        };
        let start = reader.past_filler(clause.words.clone());
        supposes(clause.words.start) || supposes(start)
    })
}

/// Whether what a yes or no is said of is but some of them: "2 of them are vaccinated", "some of them".
pub(super) fn is_of_some(reader: &Reader<'_>, answer: &Range<usize>) -> bool {
    let len = |table: fn(&Language) -> &Phrases<()>, no: usize| reader.len(table, no, answer.end);
    let some = |no: usize| {
        let counted = no > 0 && reader.is_of_number(no - 1) && len(|lang| &lang.naming.of_them, no) > 0;
        let but = len(|lang| &lang.denial.but, no) > 0;
        counted || len(|lang| &lang.yes_no.partly, no) > 1 && !but && no < answer.start
    };
    (reader.clause_start(answer.start)..answer.end).any(some)
}

/// Whether nobody does something but for a time: "nobody is home before 5".
pub(super) fn is_for_a_time(reader: &Reader<'_>, answer: &Range<usize>) -> bool {
    let clause = reader.clause_words(answer.start);
    let nobody = |no: usize| reader.len(|lang| &lang.yes_no.nobody, no, clause.end) > 0;
    (clause.start..answer.end).any(nobody) && (answer.start..clause.end).any(|no| reader.is_of_number(no))
}

/// Whether a yes is one of courtesy: "sure", "ok", but not "yes".
fn is_soft(reader: &Reader<'_>, answer: &Range<usize>) -> bool {
    let len = |table: fn(&Language) -> &Phrases<()>| reader.len(table, answer.start, answer.end);
    len(|lang| &lang.yes_no.yes) > len(|lang| &lang.yes_no.firm) || len(|lang| &lang.yes_no.soft) > 0
}

/// Whether a question goes on in the sentence of an answer, and nothing else is said.
fn asks_at_once(reader: &Reader<'_>, answer: &Range<usize>) -> bool {
    let no = reader.clause_of(answer.start);
    let plain = |clause: usize| {
        let words = reader.clauses.get(clause).map_or(0..0, |clause| clause.words.clone());
        words.into_iter().all(|no| answer.contains(&no) || reader.is_idle(no))
    };
    let marks = |words: &Range<usize>| words.clone().all(|no| reader.is_mark(no));
    let question =
        |clause: usize| reader.clauses.get(clause).is_some_and(|clause| clause.question || marks(&clause.words));
    // Spanish "claro, ¿…": what begins a question ends what is before it.
    let comma = reader.said.word(answer.end) == ",";
    let goes_on = comma || reader.clauses.get(no).is_some_and(|clause| !clause.stop);
    goes_on && plain(no) && no + 1 < reader.clauses.len() && (no + 1..reader.clauses.len()).all(question)
}

/// Whether a day behind an answer is when what was asked is or was done: it is not done yet, or somebody else does it.
pub(super) fn tells_when(reader: &Reader<'_>, answer: Range<usize>, day: usize) -> bool {
    let len = |table: fn(&Language) -> &Phrases<()>, no: usize| reader.len(table, no, day);
    if (answer.end..day).any(|no| len(|lang| &lang.naming.wants, no) > 0) {
        return false;
    }
    let yet = (answer.start..answer.end).any(|no| len(|lang| &lang.yes_no.yet, no) > 0);
    let subject = (answer.end..day).find(|no| {
        let small = reader.is_mark(*no) || len(|lang| &lang.sentence.join, *no) > 0 || reader.filler(*no, day) > 0;
        !small || len(|lang| &lang.naming.third, *no) > 0
    });
    let another = |no: usize| len(|lang| &lang.naming.third, no) > 0 || somebody(reader, no..day).is_some();
    yet || subject.is_some_and(another)
}

/// Whether words tell why somebody does not know: "it's my mum's car" behind "not sure".
pub(super) fn is_excuse(reader: &Reader<'_>, words: &Range<usize>) -> bool {
    let clause = reader.clause_words(words.start);
    let unsure = |before: &Range<usize>| {
        let start = reader.past_filler(before.clone());
        let len = reader.len(|lang| &lang.option.open, start, before.end);
        len > 0 && start + len == before.end
    };
    let open = reader.clause_of(words.start).checked_sub(1).and_then(|no| reader.clauses.get(no));
    let ours = (clause.start..clause.end).find(|no| !reader.is_idle(*no) || reader.is_mark(*no));
    let ours = ours.unwrap_or(clause.end).saturating_sub(2).max(clause.start);
    open.is_some_and(|open| unsure(&open.words))
        && (ours..clause.end.min(ours + 3)).any(|no| reader.len(|lang| &lang.naming.ours, no, clause.end) > 0)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::Stage;

    const KENNEL: &str = r#"
id = "kennel"
title = "Kennel"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "vaccinated"
kind = "yes_no"
label = "Vaccinated"
ask = "Is your dog vaccinated?"

[[field]]
id = "arrival"
kind = "date"
label = { en = "Arrival", it = "Arrivo", es = "Llegada", de = "Anreise", fr = "Arrivée", ar = "الوصول" }
"#;

    #[rstest]
    #[case("en", "sure, what would that cost?")]
    #[case("en", "ok, how long does that take?")]
    #[case("it", "certo, quanto costa?")]
    #[case("es", "claro, ¿cuánto cuesta?")]
    #[case("de", "gern, was kostet das?")]
    #[case("fr", "d'accord, combien ça coûte ?")]
    #[case("en", "yes, but not against rabies")]
    #[case("en", "yes, most of them")]
    #[case("en", "yes, except the puppy")]
    #[case("en", "yes I think so, but I'll ask my wife")]
    #[case("it", "sì, ma devo chiedere a mia moglie")]
    #[case("es", "sí, pero tengo que preguntar a mi mujer")]
    #[case("de", "ja, aber nicht gegen Tollwut")]
    #[case("fr", "oui, mais je dois demander à ma femme")]
    #[case("ar", "نعم، لكن ليس كلهم")]
    fn half_a_yes_is_no_answer(#[case] lang: &'static str, #[case] said: &str) {
        let line = Stage::new(KENNEL, "vaccinated").speaking(lang).fills(said);
        assert!(!line.starts_with("vaccinated"), "{said}: {line}");
    }

    #[rstest]
    #[case("en", "yes, and what does a week cost?", "vaccinated=true; ask \"and what does a week cost?\"")]
    #[case("en", "sure, no problem", "vaccinated=true")]
    #[case("en", "yes", "vaccinated=true")]
    #[case("en", "yes, but not before nine", "vaccinated=true")]
    #[case("en", "not yet, the appointment is on Friday", "vaccinated=false; ~=arrival=2026-11-27")]
    #[case("en", "not yet but she will be on Monday", "vaccinated=false")]
    #[case("en", "no, he gets them next Tuesday", "vaccinated=false")]
    #[case("en", "yes, she had the last one on 3 February", "vaccinated=true")]
    #[case("it", "non ancora, ho appuntamento venerdì", "vaccinated=false; ~=arrival=2026-11-27")]
    #[case("es", "todavía no, tengo cita el viernes", "vaccinated=false; ~=arrival=2026-11-27")]
    #[case("de", "noch nicht, der Termin ist am Freitag", "vaccinated=false; ~=arrival=2026-11-27")]
    #[case("fr", "pas encore, j'ai rendez-vous vendredi", "vaccinated=false; ~=arrival=2026-11-27")]
    #[case("ar", "ليس بعد، الموعد يوم الجمعة", "vaccinated=false; ~=arrival=2026-11-27")]
    fn a_day_told_with_the_answer_is_no_other_fields(
        #[case] lang: &'static str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        let stage = Stage::new(KENNEL, "vaccinated").speaking(lang);
        assert_eq!(stage.fills(said), expected, "{said}");
    }

    #[test]
    fn a_day_of_a_field_that_is_named_beside_the_answer_is_its_own() {
        let line = Stage::new(KENNEL, "vaccinated").fills("not yet, the arrival is on Friday");
        assert!(line.contains("arrival=") && line.contains("vaccinated=false"), "{line}");
    }

    #[rstest]
    #[case("vaccinated", "2 of them are vaccinated")]
    #[case("vaccinated", "my brother is vaccinated")]
    #[case("", "3 dogs, 2 of them are vaccinated")]
    fn what_is_said_of_some_or_of_others_is_no_answer(#[case] asked: &str, #[case] said: &str) {
        let line = Stage::new(KENNEL, asked).fills(said);
        assert!(!line.starts_with("vaccinated"), "{said}: {line}");
    }
}
