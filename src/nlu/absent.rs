//! Yes/no fields named for what is not there: "no accidents" says yes to "accident-free", "I had an accident" says no.

use std::ops::Range;

use super::Scene;
use super::features::{self, negation_before};
use super::ledger::Ledger;
use super::reader::Reader;
use super::score::Tide;
use super::spans::Board;
use formwright_form::cues::Cues;
use formwright_form::kind::{Found, Reading, Strength, numeral, yes_no};
use formwright_form::{Kind, Value};
use formwright_lexicon::Language;
use formwright_text::stem;

/// Most words between what says that a thing is there and the thing.
const REACH: usize = 4;
/// Most words of a part of a message that answers by naming the thing alone.
const SHORT: usize = 8;

/// Fills the open yes/no fields whose thing a message says is there, or is not.
pub(super) fn fill(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger, tide: &Tide) {
    features::fill_absent(scene, reader, board, ledger, tide);
    for (no, slot) in board.slots.iter().enumerate() {
        let cues = scene.form.cues();
        let things = cues.absent.get(slot.field.no.index()).and_then(Option::as_deref).unwrap_or_default();
        let features = cues.features.get(slot.field.no.index()).map(Vec::as_slice).unwrap_or_default();
        let open = matches!(slot.field.kind, Kind::YesNo(_)) && (slot.value.is_none() || slot.asked);
        // An author's own words for yes and no go before.
        let own = board.cands.iter().any(|cand| board.takers(cand).contains(&no));
        if things.is_empty() || !open || own || ledger.has(no) {
            continue;
        }
        let found = (0..reader.said.words.len()).filter_map(|at| {
            let named = |lang: &Language, word: &str| {
                lang.everyday.feature.named.word(word).is_some_and(|key| features.contains(&&**key))
            };
            let is_thing = |word: &str| {
                let same = things.iter().any(|thing| is_same(thing, stem(word)));
                same || reader.langs().any(|lang| named(lang, word))
            };
            said_of(scene, reader, &is_thing, slot.asked, at)
        });
        let found: Vec<(Range<usize>, bool)> = found.filter(|(words, _)| ledger.is_free(words.clone())).collect();
        let Some((words, yes)) = found.first().cloned() else { continue };
        let agree = found.iter().all(|(_, other)| *other == yes);
        // "Yes, I had an accident" says both.
        let firm = |words: &Range<usize>| reader.len(|lang| &lang.yes_no.firm, words.start, words.end) > 0;
        let plain = yes_no::said_yes_or_no(reader.said, scene.lang).is_some_and(|(words, plain)| plain && firm(&words));
        if !agree || slot.asked && plain && !yes {
            let span = reader.raw_range(0..reader.said.words.len());
            let both = [true, false].map(|yes| Found {
                span: span.clone(),
                value: Value::Bool(yes),
                strength: Strength::Typed,
            });
            ledger.note(scene, reader, board, no, Reading::Ambiguous(both.into()));
            continue;
        }
        let span = reader.raw_range(words);
        if ledger.fill_named(reader, no, Found { span, value: Value::Bool(yes), strength: Strength::Typed }) {
            found.into_iter().for_each(|(words, _)| ledger.claim(words));
        }
    }
}

/// What a message says of the thing at a word, and in which words: yes where it is not there.
fn said_of(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    is_thing: &dyn Fn(&str) -> bool,
    asked: bool,
    at: usize,
) -> Option<(Range<usize>, bool)> {
    let clause = reader.clause(at).filter(|clause| !clause.question)?.words.clone();
    let word = reader.said.plain(at);
    let told = reader.langs().filter_map(|lang| Cues::told_absent(lang, word)).any(is_thing);
    let free = reader.langs().any(|lang| lang.everyday.without.iter().any(|word| word == reader.said.plain(at + 1)));
    let free = free && at + 1 < clause.end && is_thing(word);
    let negated = negation_before(reader, clause.start..at);
    let lacking = (at.saturating_sub(REACH).max(clause.start)..at).find(|no| {
        let len = reader.len(|lang| &lang.everyday.lacking, *no, at);
        len > 0 && (no + len..at).all(|no| reader.is_idle(no) && !reader.is_mark(no))
    });
    if told || free {
        let end = at + 1 + usize::from(free);
        return Some((negated.unwrap_or(at)..end, negated.is_none()));
    }
    if !is_thing(word) {
        return None;
    }
    if let Some(no) = negated.into_iter().chain(lacking).min() {
        return Some((no..at + 1, true));
    }
    let number = |no: usize| numeral::at(reader.said, no, scene.lang, scene.region);
    if let Some(none) =
        at.checked_sub(1).filter(|no| *no >= clause.start && number(*no).is_some_and(|it| it.value.is_zero()))
    {
        return Some((none..at + 1, true));
    }
    // "I don't think that there was an accident", "perhaps an accident".
    let doubts = |no: usize| {
        let negation = reader.len(|lang| &lang.yes_no.negation, no, clause.end);
        negation.max(reader.len(|lang| &lang.yes_no.unsure, no, clause.end)) > 0
    };
    if clause.clone().any(doubts) {
        return None;
    }
    let small = |no: usize| reader.is_idle(no) && !reader.is_mark(no) || number(no).is_some();
    let had = (at.saturating_sub(REACH).max(clause.start)..at).find(|no| {
        let len = reader.len(|lang| &lang.everyday.has, *no, at);
        len > 0 && (no + len..at).all(small)
    });
    let granted = reader.len(|lang| &lang.everyday.suited, at + 1, clause.end);
    let alone = clause.clone().all(|no| no == at || reader.is_idle(no));
    let answers = asked && clause.len() <= SHORT;
    (had.is_some() || granted > 0 || alone || answers).then_some((had.unwrap_or(at)..at + 1 + granted, false))
}

/// Whether two words are the same but for their endings: "accidente" and "accidentes", "unfall" and "unfalle".
fn is_same(one: &str, two: &str) -> bool {
    const LEAST: usize = 3;
    let root = |word: &str| word.trim_end_matches(['a', 'e', 'i', 'o', 's', 'n']).len();
    one == two || root(one) >= LEAST && one.get(..root(one)) == two.get(..root(two))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::Stage;

    const CAR: &str = r#"
id = "car"
title = "Sell a car"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "accident_free"
kind = "yes_no"
label = { en = "Accident-free", it = "Senza incidenti", es = "Sin accidentes", de = "Unfallfrei", fr = "Sans accident", ar = "بدون حوادث" }

[[field]]
id = "smoke"
kind = "yes_no"
label = { en = "Non-smoking", it = "Non fumatori", es = "No fumadores", de = "Nichtraucher", fr = "Non-fumeur", ar = "لغير المدخنين" }

[[field]]
id = "gluten"
kind = "yes_no"
label = "Gluten free"

[[field]]
id = "nonstop"
kind = "yes_no"
label = "Non-stop"

[[field]]
id = "pets"
kind = "yes_no"
label = "Pets (yes/no)"
"#;

    #[rstest]
    #[case("en", "", "no accidents", "accident_free=true")]
    #[case("en", "", "it never had an accident", "accident_free=true")]
    #[case("en", "", "it's accident-free", "accident_free=true")]
    #[case("en", "", "it is not accident free", "accident_free=false")]
    #[case("en", "", "I had an accident", "accident_free=false")]
    #[case("en", "", "I read about an accident", "~=accident_free=true")]
    #[case("en", "", "maybe an accident", "~=accident_free=true")]
    #[case("en", "accident_free", "no accidents", "accident_free=true")]
    #[case("en", "accident_free", "yes, no accidents", "accident_free=true")]
    #[case("en", "accident_free", "no, I had an accident", "accident_free=false")]
    #[case("en", "accident_free", "yes, I had an accident", "?(accident_free=true | accident_free=false)")]
    #[case("en", "accident_free", "one small accident", "accident_free=false")]
    #[case("en", "accident_free", "yes", "accident_free=true")]
    #[case("en", "accident_free", "no", "accident_free=false")]
    #[case("it", "accident_free", "nessun incidente", "accident_free=true")]
    #[case("it", "accident_free", "ho avuto un incidente", "accident_free=false")]
    #[case("es", "accident_free", "ningún accidente", "accident_free=true")]
    #[case("es", "accident_free", "tuve un accidente", "accident_free=false")]
    #[case("de", "", "keine Unfälle", "accident_free=true")]
    #[case("de", "", "unfallfrei", "accident_free=true")]
    #[case("de", "accident_free", "er hatte einen Unfall", "accident_free=false")]
    #[case("fr", "accident_free", "aucun accident", "accident_free=true")]
    #[case("fr", "accident_free", "j'ai eu un accident", "accident_free=false")]
    #[case("ar", "accident_free", "بدون حوادث", "accident_free=true")]
    #[case("en", "", "no smoking please", "smoke=true")]
    #[case("en", "smoke", "non-smoking", "smoke=true")]
    #[case("it", "", "non fumatori", "smoke=true")]
    #[case("de", "", "Nichtraucher bitte", "smoke=true")]
    #[case("fr", "", "non-fumeur", "smoke=true")]
    #[case("en", "", "without gluten", "gluten=true")]
    #[case("en", "", "a direct flight", "nonstop=true")]
    #[case("en", "pets", "no pets", "pets=false")]
    fn a_yes_to_what_is_not_there_is_a_no_to_the_thing(
        #[case] lang: &'static str,
        #[case] asked: &str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        let line = Stage::new(CAR, asked).speaking(lang).line(said);
        let fills: Vec<&str> = line.split("; ").filter(|part| part.contains('=')).collect();
        assert_eq!(fills.join("; "), expected, "{said}");
    }
}
