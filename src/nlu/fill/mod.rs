//! Which words fill which field: candidates of every slot, weighed by named features, and one assignment of all slots at once.
//!
//! The steps in `content.rs` come first, and what they fill stays. Here the slots that they left open are filled: a value that
//! is nearly sure is taken, one that is likely is asked about, and anything else is left to its question.

mod analysis;
mod candidate;
mod feature;
mod link;
mod recognize;
mod search;
mod slots;
mod weights;

use std::ops::Range;

use formwright_form::kind::{Found, Reading, Strength, overlap};
use formwright_form::{Path, Value};
use formwright_text::root;

use self::analysis::Analysis;
use self::candidate::{Candidate, Rule, Source};
use self::feature::Feature;
use self::link::{Rivals, Surroundings};
use self::search::Choices;
use self::slots::{SlotClass, SlotFacts};
use self::weights::Weights;
use crate::ledger::Ledger;
use crate::reader::Reader;
use crate::score::{self, Tide};
use crate::slot::Slot;
use crate::spans::{Board, cand, read, takes};
use crate::{Scene, passing, replaced};

/// From here on a value is taken.
const TAKEN: f32 = 0.9;
/// From here on the person is asked whether it is meant.
const ASKED: f32 = 0.5;
/// The same of a yes or no that only the field's name tells: to speak of a thing is no answer yet.
const ASKED_YES_NO: f32 = 0.75;

/// What a slot may be filled with.
#[derive(Clone, Debug, PartialEq)]
pub struct SlotChoices {
    /// The field.
    pub path: Path,
    /// The features of leaving it as it is.
    pub nothing: Vec<u32>,
    /// What it may be filled with.
    pub candidates: Vec<SlotChoice>,
}

/// A value that a slot may be filled with.
#[derive(Clone, Debug, PartialEq)]
pub struct SlotChoice {
    /// The value.
    pub value: Value,
    /// Bytes of the message.
    pub span: Range<usize>,
    /// How likely it is: 0 to 1.
    pub likely: f32,
    /// What weighs for and against it: numbers of features, see [`feature_name`].
    pub features: Vec<u32>,
}

/// The name of a feature, as the table of weights has it.
pub fn feature_name(feature: u32) -> String {
    feature::name(feature)
}

/// How many features there are.
pub fn feature_count() -> usize {
    feature::count()
}

/// A candidate with its features.
type Weighed = (Candidate, Vec<Feature>);

/// The choices of a slot.
struct Open<'a> {
    slot: SlotFacts<'a>,
    candidates: Vec<Weighed>,
    nothing: Vec<Feature>,
    choices: Choices,
}

/// Fills the slots that are open with the most likely of their candidates, where that is likely enough. Where the scene asks
/// for what was weighed, that is given and nothing is filled.
pub(crate) fn fill(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    ledger: &mut Ledger,
    tide: &Tide,
) -> Vec<SlotChoices> {
    let analysis = Analysis::new(reader, scene.lang);
    let all = weigh(scene, reader, board, ledger, tide, &analysis);
    // What weights are fitted on is independent of the weights.
    if scene.explains {
        return all.into_iter().filter_map(|open| told(board, &analysis, open)).collect();
    }
    let picks = search::assign(&all.iter().map(|open| &open.choices).collect::<Vec<_>>());
    for (open, pick) in all.iter().zip(picks) {
        let (Some(no), Some(slot)) = (pick.checked_sub(1), board.slots.get(open.slot.no)) else { continue };
        let likely = open.choices.likely.get(pick).copied().unwrap_or(0.0);
        let Some((candidate, _)) = open.candidates.get(no) else { continue };
        let enough = if candidate.source == Source::Named { ASKED_YES_NO } else { ASKED };
        // An answer that stands is changed where that is said: it is named, or something is put right.
        let stands = slot.value.is_some() && !open.slot.asked;
        let another = open.slot.peers > 1 || board.asked.is_some();
        let untold = stands && another && !is_named(board, slot) && !(analysis.corrects && open.slot.peers == 1);
        if likely < enough || untold || ledger.has(open.slot.no) {
            continue;
        }
        let found = found(scene, reader, &analysis, slot, candidate);
        if is_of_something_else(scene, reader, board, slot, &found) {
            continue;
        }
        let sure = likely >= TAKEN && (open.slot.asked || !needs_a_name(open.slot.class) || is_named(board, slot));
        if takes(scene, slot, &found.value) && ledger.fill(reader, open.slot.no, found, true) && !sure {
            ledger.doubted.push(open.slot.no);
        }
    }
    Vec::new()
}

/// Whether values of a class are never taken where nothing names their field: they are asked about.
fn needs_a_name(class: SlotClass) -> bool {
    matches!(class, SlotClass::Money | SlotClass::Date | SlotClass::Person | SlotClass::Place)
}

/// Whether most of a slot's name is said.
fn is_named(board: &Board<'_>, slot: &Slot<'_>) -> bool {
    const MOST: f32 = 0.5;
    board.mentions_of(slot).any(|mention| mention.weight > MOST)
}

/// What every slot may be filled with, and how likely each is of this slot alone.
fn weigh<'a>(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &'a Board<'a>,
    ledger: &Ledger,
    tide: &Tide,
    analysis: &Analysis<'_>,
) -> Vec<Open<'a>> {
    let slots = slots::facts(&board.slots, scene.lang);
    let mut all = recognize::candidates(scene, reader, board, tide, analysis, &slots);
    let of = |candidate: &Candidate| slots.iter().find(|slot| slot.no == candidate.slot);
    all.retain(|candidate| {
        is_meant(ledger, analysis, candidate)
            && of(candidate).is_some_and(|slot| is_in_scope(analysis, slot, candidate))
    });
    for slot in &slots {
        tell_filled(ledger, analysis, slot, &mut all);
    }
    let surroundings = Surroundings::new(scene, board, analysis, &slots, &all);
    let weights = Weights::fitted();
    let weighed: Vec<(Vec<Weighed>, Vec<Feature>, Choices)> = slots
        .iter()
        .enumerate()
        .map(|(place, slot)| {
            let own: Vec<&Candidate> = all.iter().filter(|candidate| candidate.slot == slot.no).collect();
            let filled = match (ledger.fills.iter().any(|filled| filled.slot == slot.no), ledger.has(slot.no)) {
                (true, _) => 1,
                (_, true) => 2,
                _ => 0,
            };
            let rivals = Rivals::new(&own);
            let nothing = surroundings.of_nothing(place, filled, own.len());
            let with = |candidate: &&Candidate| ((*candidate).clone(), surroundings.of(place, candidate, &rivals));
            let candidates: Vec<Weighed> = own.iter().map(with).collect();
            let sums = candidates.iter().map(|(_, features)| weights.sum(features));
            let scores: Vec<f32> = std::iter::once(weights.sum(&nothing)).chain(sums).collect();
            let mut likely = search::likely(&scores);
            join_equal(&mut likely, &candidates);
            let uses =
                |candidate: &Candidate| !matches!(candidate.source, Source::Named | Source::Telling | Source::Sense);
            let tokens = candidates.iter().map(|(candidate, _)| uses(candidate).then(|| candidate.tokens.clone()));
            let tokens = std::iter::once(None).chain(tokens).collect();
            (candidates, nothing, Choices { likely, tokens })
        })
        .collect();
    let open = |(slot, (candidates, nothing, choices))| Open { slot, candidates, nothing, choices };
    slots.into_iter().zip(weighed).map(open).collect()
}

/// Whether a candidate's words may hold a value: no control words, and not explained already.
fn is_meant(ledger: &Ledger, analysis: &Analysis<'_>, candidate: &Candidate) -> bool {
    let words = analysis.words_of(&candidate.tokens);
    let any = |list: &[bool]| list.get(words.clone()).is_some_and(|part| part.contains(&true));
    let named = candidate.source == Source::Named;
    let of_own = ledger.fills.iter().any(|filled| filled.slot == candidate.slot);
    let explained = !named && !of_own && any(&ledger.claimed);
    !(any(&ledger.closed) || explained)
}

/// Whether a candidate's words can be a value of the slot: they are not denied, and not the name of the slot alone. A yes or no
/// may be named in a denial, and an asked text may hold one.
fn is_in_scope(analysis: &Analysis<'_>, slot: &SlotFacts<'_>, candidate: &Candidate) -> bool {
    let tokens = analysis.tokens.get(candidate.tokens.clone()).unwrap_or_default();
    if slot.class == SlotClass::YesNo {
        let asks = tokens.iter().any(|token| token.asked_about);
        return !(asks && candidate.source == Source::Named);
    }
    let denied = tokens.first().is_some_and(|token| token.negated) && !(slot.asked && slot.class == SlotClass::Thing);
    let mut telling = tokens.iter().filter(|token| !token.function && !token.kind.is_mark());
    let names = candidate.value.is_none() && telling.all(|token| slot.name.contains(root(&token.plain)));
    !denied && !names
}

/// Whether a value is said of something else than the slot, or only in passing.
fn is_of_something_else(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    slot: &Slot<'_>,
    found: &Found,
) -> bool {
    /// From here on the words around a value name the slot.
    const NAMED: f32 = 2.0;
    let Some(cand) = cand(reader, slot.alike, found.clone()) else { return true };
    let named = replaced::cue_or_that_of_old(reader, board, slot, &cand) >= NAMED;
    passing::is_in_passing(scene, reader, board, &cand) || score::is_out(reader, board, slot, &cand, named, false)
}

/// Tells the candidates of a slot what the steps before made of it, and adds what they filled where none is that.
fn tell_filled(ledger: &Ledger, analysis: &Analysis<'_>, slot: &SlotFacts<'_>, all: &mut Vec<Candidate>) {
    let Some(filled) = ledger.fills.iter().find(|filled| filled.slot == slot.no) else { return };
    let rule = match (filled.named, filled.sure) {
        (true, _) => Rule::Named,
        (_, true) => Rule::Sure,
        _ => Rule::Unsure,
    };
    let tokens = analysis.tokens_of(&filled.raw);
    let mut found = false;
    for candidate in all.iter_mut().filter(|candidate| candidate.slot == slot.no) {
        let same = match &candidate.value {
            Some(value) => *value == filled.value && overlap(&candidate.tokens, &tokens),
            None => candidate.tokens == tokens,
        };
        candidate.rule = if same { rule } else { Rule::Differs };
        if same && !found {
            candidate.value = Some(filled.value.clone());
        }
        found |= same;
    }
    if !found {
        let value = Some(filled.value.clone());
        let filled =
            Candidate { strength: Strength::Typed, rule, ..Candidate::new(slot.no, tokens, value, Source::Rule) };
        all.push(filled);
    }
}

/// Equal values stand together: the likeliest of them gets what all have.
fn join_equal(likely: &mut [f32], candidates: &[Weighed]) {
    for (no, (candidate, _)) in candidates.iter().enumerate() {
        let Some(value) = &candidate.value else { continue };
        let equal = candidates.iter().enumerate().filter(|(_, (other, _))| other.value.as_ref() == Some(value));
        let equal: Vec<usize> = equal.map(|(other, _)| other + 1).collect();
        if equal.len() < 2 || equal.first() != Some(&(no + 1)) {
            continue;
        }
        let sum: f32 = equal.iter().map(|no| likely[*no]).sum();
        let best = equal.iter().copied().max_by(|a, b| likely[*a].total_cmp(&likely[*b])).unwrap_or(no + 1);
        for other in equal {
            likely[other] = if other == best { sum } else { 0.0 };
        }
    }
}

/// A candidate's value; of words what the field reads them as, where it reads all of them.
fn found(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    analysis: &Analysis<'_>,
    slot: &Slot<'_>,
    candidate: &Candidate,
) -> Found {
    let span = analysis.raw(&candidate.tokens);
    if let Some(value) = candidate.value.clone() {
        return Found { span, value, strength: candidate.strength };
    }
    let words = analysis.words_of(&candidate.tokens);
    if reader.raw_range(words.clone()) == span
        && let Reading::Value(found) = read(scene, reader, slot, words)
    {
        return found;
    }
    let text = analysis.text(&candidate.tokens).split_whitespace().collect::<Vec<_>>().join(" ");
    Found { span, value: Value::Text(text), strength: Strength::Weak }
}

/// What was weighed for a slot.
fn told(board: &Board<'_>, analysis: &Analysis<'_>, open: Open<'_>) -> Option<SlotChoices> {
    let path = board.slots.get(open.slot.no)?.path.clone();
    let likely = open.choices.likely.into_iter().skip(1);
    let choice = |((candidate, features), likely): (Weighed, f32)| {
        let words = || Value::Text(analysis.text(&candidate.tokens).to_owned());
        let span = analysis.raw(&candidate.tokens);
        SlotChoice { value: candidate.value.clone().unwrap_or_else(words), span, likely, features }
    };
    Some(SlotChoices {
        path,
        nothing: open.nothing,
        candidates: open.candidates.into_iter().zip(likely).map(choice).collect(),
    })
}
