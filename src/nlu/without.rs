//! What is not wanted at all: the option for none of a thing ("no subtitles", "turn the subtitles off"), a no where that is
//! a yes/no field, and none of what is counted ("we don't plan to check any bags").

use std::ops::Range;

use super::Scene;
use super::features::negates;
use super::ledger::Ledger;
use super::reader::Reader;
use super::score::Tide;
use super::spans::{Board, Slot, takes, with_context};
use formwright_form::kind::{Found, Strength};
use formwright_form::{Kind, Value};
use formwright_lexicon as language;
use formwright_lexicon::{Language, Phrases};
use formwright_text::stem;

/// Most words between a negation and what there is none of.
const REACH: usize = 6;

/// Fills open counts with nought, and choices with their option for none.
pub(super) fn fill(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger, tide: &Tide) {
    let end = reader.said.words.len();
    let says = |tables: &[fn(&Language) -> &Phrases<()>]| {
        (0..end).any(|no| tables.iter().any(|table| reader.len(*table, no, end) > 0))
    };
    let none = says(&[|lang| &lang.naming.of_none]);
    let lacks = says(&[|lang| &lang.everyday.lacking, |lang| &lang.everyday.turns_off, |lang| &lang.everyday.off]);
    for (no, slot) in board.slots.iter().enumerate().filter(|_| none || lacks) {
        let said = match slot.field.kind {
            Kind::Integer(_) if none => any(reader, board, slot).map(|words| (words, Value::Integer(0))),
            Kind::Choice(_) if lacks => nothing_of(scene, reader, board, slot),
            Kind::YesNo(_) if lacks => taken_away(scene, reader, board, slot).map(|words| (words, Value::Bool(false))),
            _ => None,
        };
        let Some((words, value)) = said.filter(|(words, _)| !ledger.has(no) && ledger.is_free(words.clone())) else {
            continue;
        };
        let changes = matches!(value, Value::Option(_) | Value::Bool(_)) || tide.changes(reader.clause_of(words.start));
        let open = slot.value.is_none() || slot.asked || changes;
        if open && takes(scene, slot, &value) {
            let found = Found { span: reader.raw_range(words), value, strength: Strength::Typed };
            ledger.fill_named(reader, no, found);
        }
    }
}

/// "We don't have any bags": the words from the negation to the thing that a field counts.
fn any(reader: &Reader<'_>, board: &Board<'_>, slot: &Slot<'_>) -> Option<Range<usize>> {
    board.mentions_of(slot).find_map(|mention| {
        let at = mention.words.start;
        let clause = reader.clause(at).filter(|clause| !clause.question)?.words.clone();
        let none = (clause.start..at).find(|no| reader.len(|lang| &lang.naming.of_none, *no, at) == at - no)?;
        let from = none.saturating_sub(REACH).max(clause.start);
        let denies = (from..none).rev().find(|no| reader.is_verbal_negation(*no, none))?;
        let plain = |no: usize| !reader.is_of_number(no) && !reader.is_mark(no);
        (denies..none).all(plain).then_some(denies..mention.words.end)
    })
}

/// "No subtitles", "turn the subtitles off": the words, and the option for none of the thing that a field is called by.
fn nothing_of(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    slot: &Slot<'_>,
) -> Option<(Range<usize>, Value)> {
    let is_none = |label: &str| {
        let said = formwright_form::kind::Said::new(label);
        language::all().any(|lang| lang.option.none.at(&said, 0).is_some_and(|(len, ())| len == said.words.len()))
    };
    let names = |no: usize| {
        let word = stem(reader.said.plain(no));
        let telling =
            |plain: &str| !plain.is_empty() && !language::all().any(|lang| lang.sentence.stop.word(plain).is_some());
        let same = |plain: &str| telling(plain) && stem(plain) == word;
        slot.labels.iter().any(|label| (0..label.words.len()).any(|no| same(label.plain(no))))
    };
    let at = (0..reader.said.words.len()).find(|no| !reader.is_mark(*no) && names(*no))?;
    let words = lacks(reader, at)?;
    // An option that is named is meant.
    let clause = reader.clause_words(at);
    let named = board.cands.iter().any(|cand| {
        let own = board.takers(cand).iter().any(|no| board.slots.get(*no).is_some_and(|taker| taker.path == slot.path));
        own && clause.contains(&cand.words.start) && !words.contains(&cand.words.start)
    });
    if named {
        return None;
    }
    with_context(scene, &slot.path, slot.field, |cx| {
        let option = cx.options.iter().find(|option| is_none(&option.label))?;
        Some((words.clone(), Value::Option(option.id.clone())))
    })
}

/// The words around a thing that say that there is none of it, or that it is taken away.
fn lacks(reader: &Reader<'_>, at: usize) -> Option<Range<usize>> {
    let clause = reader.clause(at).filter(|clause| !clause.question || clause.tentative)?.words.clone();
    let before = (clause.start.max(at.saturating_sub(REACH / 2))..at).find(|no| {
        let len = reader.len(|lang| &lang.everyday.lacking, *no, at);
        len > 0 && (no + len..at).all(|no| reader.is_idle(no) && !reader.is_mark(no))
    });
    match before {
        Some(no) => Some(no..at + 1),
        None => turns_off(reader, at, at + 1),
    }
}

/// "Turn off the subtitles please", "subtitles off": the words that take away the thing that a yes/no field is called by.
fn taken_away(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, slot: &Slot<'_>) -> Option<Range<usize>> {
    const NAME: f32 = 0.9;
    if scene.form.cues().is_of_absence(slot.field.no) {
        return None;
    }
    board.mentions_of(slot).filter(|mention| mention.weight >= NAME).find_map(|mention| {
        let Range { start, end } = mention.words.clone();
        let words = turns_off(reader, start, end)?;
        // "Don't turn off the subtitles."
        let clause = reader.clause_start(start);
        let kept = (clause..words.start).any(|no| negates(reader, no, start) > 0);
        (!kept).then_some(words)
    })
}

/// The words around a thing that say that it is taken away: "turn off the subtitles", "the subtitles off".
fn turns_off(reader: &Reader<'_>, at: usize, behind: usize) -> Option<Range<usize>> {
    let clause = reader.clause(at).filter(|clause| !clause.question || clause.tentative)?.words.clone();
    // "Drop me at the terrace" takes nothing away.
    let whose = |no: usize| {
        let article = reader.len(|lang| &lang.sentence.articles, no, at);
        let ours = reader.len(|lang| &lang.naming.ours, no, at).max(reader.len(|lang| &lang.sentence.you, no, at));
        article.max(ours) > 0
    };
    let before = (clause.start.max(at.saturating_sub(REACH))..at).find(|no| {
        let len = reader.len(|lang| &lang.everyday.turns_off, *no, at);
        len > 0 && (no + len..at).all(whose)
    });
    if let Some(no) = before {
        return Some(no..behind);
    }
    let off =
        (behind..clause.end.min(behind + 2)).find(|no| reader.len(|lang| &lang.everyday.off, *no, clause.end) > 0)?;
    let ends = (off + 1..clause.end).all(|no| reader.is_idle(no));
    ends.then_some(at..off + 1)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::{Stage, sorted};

    const FILM: &str = r#"
id = "film"
title = "Film"

[[field]]
id = "subtitles"
kind = "choice"
label = "Subtitle language"
options = ["None", "English", "Thai"]

[[field]]
id = "kids"
kind = "integer"
label = "Children"
min = 0

[[field]]
id = "seats"
kind = "integer"
label = "Number of people"
"#;

    #[rstest]
    #[case("no subtitles please", "subtitles=none")]
    #[case("turn off the subtitles", "subtitles=none")]
    #[case("I'd like the subtitles off", "subtitles=none")]
    #[case("no English subtitles, Thai ones", "subtitles=thai")]
    #[case("there are 2 of us and we don't bring any children", "kids=0; seats=2")]
    #[case("we don't know if any children come", "")]
    fn what_is_not_wanted_is_none(#[case] said: &str, #[case] expected: &str) {
        assert_eq!(sorted(&Stage::new(FILM, "").fills(said)), sorted(expected), "{said}");
    }
}
