//! Yes/no fields that are answered in other words than their names: "child-friendly" of "good for kids", "without an entry
//! fee" of "free entry". What is the same as what is told in the language files; here is how a sentence says it.

use std::ops::Range;

use super::hedged::is_behind_a_condition;
use super::ledger::Ledger;
use super::reader::Reader;
use super::score::Tide;
use super::spans::{Board, Slot};
use super::{Scene, scales};
use formwright_form::cues::Mention;
use formwright_form::kind::{Found, Said, Strength};
use formwright_form::{Kind, Value};
use formwright_lexicon::everyday::Sense;
use formwright_lexicon::{Language, Phrases};
use formwright_text::stem;

/// Most words between what is said of something and its name.
const REACH: usize = 4;
/// Most of them where other things are enumerated in between.
const FAR: usize = 8;
/// Most words before what is said of something in which a negation makes it doubtful.
const DOUBT: usize = 8;

/// Words that name an everyday thing.
struct Sign<'a> {
    words: Range<usize>,
    meanings: &'a [(Box<str>, Sense)],
    /// What the word with a hyphen says by itself: "kid-friendly", "smoke-free".
    own: Option<bool>,
}

/// Fills the open yes/no fields that are about what a sentence says is there, or is not.
pub(super) fn fill(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger, tide: &Tide) {
    fill_those(scene, reader, board, ledger, tide, true);
}

/// Fills those of them that are about what is not there: "smoke-free" of "no smoking".
pub(super) fn fill_absent(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger, tide: &Tide) {
    fill_those(scene, reader, board, ledger, tide, false);
}

/// Fills the fields in which a yes says that the thing is `there`, or those in which it says that it is not.
fn fill_those(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    ledger: &mut Ledger,
    tide: &Tide,
    there: bool,
) {
    let about = &scene.form.cues().features;
    let keys = |no: usize| {
        board.slots.get(no).and_then(|slot| about.get(slot.field.no.index())).map_or(&[][..], Vec::as_slice)
    };
    let open = |no: &usize| {
        let slot = board.slots.get(*no);
        let yes_no = slot.is_some_and(|slot| matches!(slot.field.kind, Kind::YesNo(_)));
        let wants = yes_no && slot.is_some_and(|slot| scene.form.cues().is_of_absence(slot.field.no) != there);
        wants && !keys(*no).is_empty() && !ledger.has(*no)
    };
    let slots: Vec<usize> = (0..board.slots.len()).filter(open).collect();
    if slots.is_empty() {
        return;
    }
    let signs = signs(reader);
    for slot in slots {
        let mut said: Vec<(Range<usize>, bool)> = Vec::new();
        let tells =
            |sign: &&Sign<'_>| ledger.is_free(sign.words.clone()) && !is_behind_a_condition(reader, &sign.words);
        for sign in signs.iter().filter(tells) {
            let held = board.slots.get(slot).is_some_and(|slot| slot.value.is_some() && !slot.asked);
            let corrects = || tide.corrects(reader.clause_of(sign.words.start));
            if held && !tide.reviewing && !corrects() {
                continue;
            }
            let sense = sign.meanings.iter().find(|(key, _)| keys(slot).contains(&&**key)).map(|(_, sense)| *sense);
            let told = sense.and_then(|sense| said_of(scene, reader, board, &signs, (slot, sign), sense));
            let named = board.asked == Some(slot) && sense == Some(Sense::Names);
            let alone = || (named && is_all(reader, sign)).then(|| (sign.words.clone(), true));
            said.extend(told.or_else(alone));
        }
        let Some((first, yes)) = said.first().cloned() else { continue };
        // What is said both ways is asked.
        if said.iter().any(|(_, other)| *other != yes) {
            continue;
        }
        let span = reader.raw_range(first);
        if ledger.fill_named(reader, slot, Found { span, value: Value::Bool(yes == there), strength: Strength::Typed })
        {
            said.into_iter().for_each(|(words, _)| ledger.claim(words));
        }
    }
}

/// Where a message names everyday things.
fn signs<'a>(reader: &Reader<'a>) -> Vec<Sign<'a>> {
    let mut signs = Vec::new();
    let mut no = 0;
    while no < reader.said.words.len() {
        let end = reader.clause_end(no);
        if let Some((len, meanings)) = reader.at(|lang| &lang.everyday.feature.said, no, end) {
            // "A dog allergy" is no dog.
            let other = reader.len(|lang| &lang.everyday.compound, no + len, end);
            if other > 0 {
                no += len + other;
                continue;
            }
            signs.push(Sign { words: no..no + len, meanings, own: None });
            no += len;
            continue;
        }
        // "L'assurance", "l'assicurazione".
        if let Some((_, noun)) = reader.said.plain(no).split_once('\'') {
            let found = reader.langs().find_map(|lang| lang.everyday.feature.said.word(noun));
            signs.extend(found.map(|meanings| Sign { words: no..no + 1, meanings, own: None }));
        } else if let Some((head, tail)) = reader.said.plain(no).rsplit_once('-') {
            let found = reader.langs().find_map(|lang| {
                let meanings = lang.everyday.feature.said.word(head)?;
                let is = |list: &[String]| list.iter().any(|ending| ending == tail);
                let own = if is(&lang.everyday.without) { false } else { is(&lang.everyday.endings) };
                (own || is(&lang.everyday.without)).then_some((meanings, own))
            });
            signs.extend(found.map(|(meanings, own)| Sign { words: no..no + 1, meanings, own: Some(own) }));
        }
        no += 1;
    }
    signs
}

/// What a sentence says of a thing that it names, and in which words; `None` where it says nothing, or nothing plain.
fn said_of(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    signs: &[Sign<'_>],
    (slot, sign): (usize, &Sign<'_>),
    sense: Sense,
) -> Option<(Range<usize>, bool)> {
    let clause = reader.clause(sign.words.start)?;
    // "Refundable?" and "pets allowed?" ask for it.
    let granted = |no: usize| len(reader, |lang| &lang.sentence.granted, no, clause.words.end) > 0;
    let small = |no: usize| sign.words.contains(&no) || reader.is_idle(no) || granted(no);
    let alone = || clause.words.clone().all(small);
    if clause.tentative && alone() {
        return None;
    }
    let clause = clause.words.clone();
    let Range { start, end } = sign.words.clone();
    let turned = |from: usize| negation_before(reader, clause.start..from);
    // "It is not that kids …": said of something in between.
    let doubtful = |from: usize| {
        (from.saturating_sub(DOUBT).max(clause.start)..from).any(|no| negates(reader, no, clause.end) > 0)
    };
    let plain = |from: usize, until: usize, yes: bool| match turned(from) {
        Some(no) => Some((no..until, !yes)),
        None => (!doubtful(from)).then_some((from..until, yes)),
    };
    match (sign.own, sense) {
        (Some(yes), Sense::Names) => plain(start, end, yes),
        (_, Sense::There) => plain(start, end, true),
        (_, Sense::Lacking) => plain(start, end, false).filter(|(_, yes)| !yes),
        (_, Sense::Opposite) => turned(start).map(|no| (no..end, true)),
        (_, Sense::Before) => {
            stands_before(scene, reader, board, signs, end..clause.end).then(|| plain(start, end, true)).flatten()
        }
        (None, Sense::Names) => {
            if let Some(no) = turned(start) {
                return Some((no..end, false));
            }
            let from = (start.saturating_sub(FAR).max(clause.start)..start).find(|no| {
                let len = len(reader, |lang| &lang.everyday.has, *no, start).max(len(
                    reader,
                    |lang| &lang.everyday.suits,
                    *no,
                    start,
                ));
                // "We have two dogs"; "with free parking and wifi".
                let passes = |no: usize| {
                    reader.is_idle(no)
                        || reader.is_of_number(no)
                        || scales::is_of_a_part(reader, &(no..no + 1))
                        || signs.iter().any(|sign| sign.words.contains(&no))
                        || is_of_label(board, reader, slot, no)
                };
                // "With wifi or parking" leaves open which.
                let or = |no: usize| self::len(reader, |lang| &lang.sentence.or, no, start) > 0;
                len > 0 && (*no + len..start).all(|no| passes(no) && !or(no))
            });
            // German "wir wollen die Versicherung nicht".
            let not = (end..clause.end).find(|no| {
                let not = len(reader, |lang| &lang.denial.after, *no, clause.end);
                not > 0 && no + not == clause.end
            });
            if not.is_some_and(|not| (end..not).all(|no| reader.is_idle(no))) {
                return Some((start..clause.end, false));
            }
            let after = len(reader, |lang| &lang.everyday.suited, end, clause.end);
            // "Pets are not allowed."
            let is = len(reader, |lang| &lang.sentence.is, end, clause.end);
            let told = len(reader, |lang| &lang.denial.told, end, clause.end);
            let denied = told > 0 || is > 0 && negates(reader, end + is, clause.end) > 0;
            match from {
                _ if denied => None,
                // What is enumerated in between has words of its own.
                Some(from) if signs.iter().any(|other| (from..start).contains(&other.words.start)) => {
                    plain(start, end + after, true)
                }
                Some(from) => plain(from, end + after, true),
                None if after > 0 => plain(start, end + after, true),
                None => None,
            }
        }
    }
}

/// Whether a word is one of a field's name: "free" of "free wifi".
fn is_of_label(board: &Board<'_>, reader: &Reader<'_>, slot: usize, no: usize) -> bool {
    let word = reader.said.plain(no);
    let names = |label: &Said| (0..label.words.len()).any(|at| label.plain(at) == word);
    board.slots.get(slot).is_some_and(|slot| slot.labels.iter().any(names))
}

/// Whether a thing is named and nothing else is said: "just a goldfish", "two dogs".
fn is_all(reader: &Reader<'_>, sign: &Sign<'_>) -> bool {
    let count = reader.said.words.len();
    let small = |no: usize| {
        let unsure = len(reader, |lang| &lang.yes_no.unsure, no, count);
        let turns = unsure + len(reader, |lang| &lang.denial.condition, no, count) + negates(reader, no, count);
        sign.words.contains(&no) || turns == 0 && (reader.is_idle(no) || reader.is_of_number(no))
    };
    sign.own.is_none()
        && !reader.clauses.iter().any(|clause| clause.tentative || clause.question)
        && (0..count).all(small)
}

/// Whether what the form is about follows, and no field's name: "free" in "a free child-friendly museum".
fn stands_before(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    signs: &[Sign<'_>],
    mut words: Range<usize>,
) -> bool {
    while let Some(sign) = signs.iter().find(|sign| sign.words.start == words.start) {
        words.start = sign.words.end + len(reader, |lang| &lang.everyday.suited, sign.words.end, words.end);
    }
    let no = words.start;
    let field = board.mentions.iter().any(|mention| {
        let slot = board.slot_of(mention.field).and_then(|no| board.slots.get(no));
        mention.words.contains(&no) && slot.is_some_and(|slot| matches!(slot.field.kind, Kind::YesNo(_)))
    });
    no < words.end && !field && scene.form.cues().knows(stem(reader.said.plain(no)))
}

fn len(reader: &Reader<'_>, table: fn(&Language) -> &Phrases<()>, no: usize, end: usize) -> usize {
    reader.len(table, no, end)
}

/// How many words at a word turn round what follows; none of those that mean no harm do ("don't mind"), nor a no that
/// answers something else ("no and wifi please").
pub(super) fn negates(reader: &Reader<'_>, no: usize, end: usize) -> usize {
    let negation =
        len(reader, |lang| &lang.yes_no.negation, no, end).max(len(reader, |lang| &lang.denial.before, no, end));
    if negation == 0 {
        return 0;
    }
    let means_it = len(reader, |lang| &lang.denial.none, no, end) <= negation;
    let answers = len(reader, |lang| &lang.sentence.join, no + negation, end) > 0
        && len(reader, |lang| &lang.yes_no.no, no, end) >= negation;
    if means_it && !answers && len(reader, |lang| &lang.everyday.has, no, end) <= negation { negation } else { 0 }
}

/// Where a negation starts that reaches to the end of some words; it goes no further than "but" and "and".
pub(super) fn negation_before(reader: &Reader<'_>, words: Range<usize>) -> Option<usize> {
    let end = words.end;
    let joins = |no: usize| len(reader, |lang| &lang.sentence.join, no, end) > 0;
    (end.saturating_sub(REACH).max(words.start)..end).find(|no| {
        let len = negates(reader, *no, end);
        len > 0 && (*no + len..end).all(|no| reader.is_idle(no) && !reader.is_mark(no) && !joins(no))
    })
}

/// Whether the name of a yes/no field is denied before it: "without wifi is fine".
pub(super) fn is_denied(reader: &Reader<'_>, slot: &Slot<'_>, name: &Mention) -> bool {
    let at = name.words.start;
    let clause = reader.clause_start(at);
    matches!(slot.field.kind, Kind::YesNo(_)) && negation_before(reader, clause..at).is_some()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::Stage;

    const PLACE: &str = r#"
id = "place"
title = "A place to see"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "kids"
kind = "yes_no"
label = "Good for kids"

[[field]]
id = "free"
kind = "yes_no"
label = "Free entry"

[[field]]
id = "smoke"
kind = "yes_no"
label = "Smoking allowed"

[[field]]
id = "veg"
kind = "yes_no"
label = "Vegetarian options"

[[field]]
id = "what"
kind = "choice"
label = "What"
options = ["Museum", "Park"]
"#;

    #[rstest]
    #[case("en", "a child-friendly museum", "kids=true; what=museum")]
    #[case("en", "somewhere that children can go to", "kids=true")]
    #[case("en", "it should be suitable for families", "kids=true")]
    #[case("en", "nothing child friendly please", "kids=false")]
    #[case("en", "it isn't good for children", "kids=false")]
    #[case("en", "I don't want to pay an entry fee", "free=false")]
    #[case("en", "a park without an entrance fee", "free=true; what=park")]
    #[case("en", "I don't want an admission fee", "free=true")]
    #[case("en", "a free museum", "free=true; what=museum")]
    #[case("en", "I'm free tomorrow", "free=true")]
    #[case("en", "I'd pay an entry fee", "")]
    #[case("en", "a smoke-free park", "smoke=false; what=park")]
    #[case("en", "non-smoking please", "smoke=false")]
    #[case("en", "a place where vegetarians can eat", "veg=true")]
    #[case("en", "kids are not coming along", "")]
    #[case("en", "great for kids and without an entry fee", "free=true; kids=true")]
    #[case("en", "with vegetarian food", "veg=true")]
    #[case("en", "is it good for children?", "")]
    #[case("en", "2 adults and 3 kids", "kids=true")]
    #[case("it", "un museo adatto ai bambini con ingresso gratuito", "kids=true; free=true")]
    #[case("es", "un parque apto para niños", "kids=true")]
    #[case("de", "ein kinderfreundlicher Park ohne Eintritt", "free=true; kids=false; what=park")]
    #[case("fr", "idéal pour les enfants et sans droit d'entrée", "free=true; kids=true")]
    #[case("ar", "مكان مناسب للأطفال بدون رسوم دخول", "kids=true; free=true")]
    fn a_yes_no_field_is_answered_in_everyday_words(
        #[case] lang: &'static str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        let line = Stage::new(PLACE, "").speaking(lang).means(said);
        let mut fills: Vec<&str> = line.split("; ").filter(|part| part.contains('=')).collect();
        let mut expected: Vec<&str> = expected.split("; ").filter(|part| !part.is_empty()).collect();
        fills.sort_unstable();
        expected.sort_unstable();
        assert_eq!(fills, expected, "{said}");
    }

    const CAR: &str = r#"
id = "car"
title = "Car"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "cover"
kind = "yes_no"
label = { en = "Insurance", it = "Assicurazione", es = "Seguro", de = "Versicherung", fr = "Assurance", ar = "تأمين" }

[[field]]
id = "drivers"
kind = "integer"
label = "Drivers"
"#;

    #[rstest]
    #[case("en", "we don't want the insurance after all", "true", "cover=false")]
    #[case("en", "we do want the insurance after all", "false", "cover=true")]
    #[case("it", "alla fine non vogliamo l'assicurazione", "true", "cover=false")]
    #[case("es", "al final no queremos el seguro", "true", "cover=false")]
    #[case("de", "wir wollen die Versicherung doch nicht", "true", "cover=false")]
    #[case("fr", "finalement nous ne voulons pas l'assurance", "true", "cover=false")]
    #[case("ar", "لا نريد التأمين في النهاية", "true", "cover=false")]
    fn an_answer_is_taken_back(
        #[case] lang: &'static str,
        #[case] said: &str,
        #[case] held: &str,
        #[case] expected: &str,
        #[values("review", "drivers")] pending: &str,
    ) {
        let stage = Stage::new(CAR, pending).speaking(lang).having(&format!("cover={held}"));
        assert_eq!(stage.fills(said), expected, "{said}");
    }
}
