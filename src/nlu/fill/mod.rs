//! Which words fill which field: candidates of every slot, weighed by named features, and one assignment of all slots at once.
//!
//! The steps in `content.rs` come first. What they filled is one candidate of its slot among others here, and gives way to a
//! likelier one.

mod analysis;
mod candidate;
mod decide;
mod feature;
mod frames;
mod link;
mod recognize;
mod search;
mod slots;
mod weights;

use std::ops::Range;

use formwright_form::kind::{Found, Strength, overlap};
use formwright_form::{Path, Value};
use formwright_text::root;

use self::analysis::Analysis;
use self::candidate::{Aside, Candidate, Rule, Source};
use self::feature::Feature;
use self::link::{Rivals, Surroundings};
use self::search::Choices;
use self::slots::{SlotClass, SlotFacts};
use self::weights::Weights;
use crate::ledger::Ledger;
use crate::pieces::Piece;
use crate::reader::Reader;
use crate::score::Tide;
use crate::spans::{Board, cand};
use crate::{Scene, elsewhere, passing, replaced, score};

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

/// What a feature weighs.
pub fn feature_weight(feature: u32) -> f32 {
    Weights::fitted().sum(&[feature])
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

impl Open<'_> {
    /// The candidate that an assignment picked, with how likely it is; none for nothing.
    fn picked(&self, pick: usize) -> Option<(&Candidate, f32)> {
        let (candidate, _) = self.candidates.get(pick.checked_sub(1)?)?;
        Some((candidate, self.choices.likely.get(pick).copied()?))
    }
}

/// Fills each slot with the most likely of its candidates, where that is likely enough: see [`decide`]. Where the scene asks
/// for what was weighed, that is given and nothing is filled.
pub(crate) fn fill(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    ledger: &mut Ledger,
    tide: &Tide,
    pieces: &[Piece],
) -> Vec<SlotChoices> {
    let analysis = Analysis::new(reader, scene.lang);
    let questions = pieces.iter().filter(|piece| piece.is_question()).map(|piece| piece.whole.clone());
    let questions: Vec<Range<usize>> = questions.collect();
    let all = weigh(scene, reader, board, ledger, tide, &analysis, &questions);
    // What weights are fitted on is independent of the weights.
    if scene.explains {
        return all.into_iter().filter_map(|open| told(board, &analysis, open)).collect();
    }
    let picks = search::assign(&all.iter().map(|open| &open.choices).collect::<Vec<_>>());
    decide::Decision { scene, reader, board, analysis: &analysis }.carry_out(ledger, &all, &picks, &questions);
    Vec::new()
}

/// What every slot may be filled with, and how likely each is of this slot alone.
fn weigh<'a>(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &'a Board<'a>,
    ledger: &Ledger,
    tide: &Tide,
    analysis: &Analysis<'_>,
    questions: &[Range<usize>],
) -> Vec<Open<'a>> {
    let slots = slots::facts(&board.slots, scene.lang);
    let mut all = recognize::candidates(scene, reader, board, tide, analysis, &slots);
    let of = |candidate: &Candidate| slots.iter().find(|slot| slot.no == candidate.slot);
    for candidate in &mut all {
        let words = analysis.words_of(&candidate.tokens);
        let other = ledger.fills.iter().find(|filled| filled.slot != candidate.slot && overlap(&filled.words, &words));
        candidate.taken = other.map(|filled| filled.named);
        candidate.aside = aside(scene, reader, board, analysis, candidate);
    }
    all.retain(|candidate| {
        is_meant(ledger, analysis, questions, candidate)
            && !is_of_a_name(board, analysis, candidate)
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
            let uses = |candidate: &Candidate| candidate.source.uses_words().then(|| candidate.tokens.clone());
            let tokens = candidates.iter().map(|(candidate, _)| uses(candidate));
            let tokens = std::iter::once(None).chain(tokens).collect();
            (candidates, nothing, Choices { likely, tokens })
        })
        .collect();
    let open = |(slot, (candidates, nothing, choices))| Open { slot, candidates, nothing, choices };
    slots.into_iter().zip(weighed).map(open).collect()
}

/// Of what else than its slot a candidate's value is said.
fn aside(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    analysis: &Analysis<'_>,
    candidate: &Candidate,
) -> Option<Aside> {
    /// From here on the words around a value name the slot.
    const NAMED: f32 = 2.0;
    let (slot, value) = (board.slots.get(candidate.slot)?, candidate.value.clone()?);
    let found = Found { span: analysis.raw(&candidate.tokens), value, strength: candidate.strength };
    let cand = cand(reader, slot.alike, found)?;
    if score::is_number(&slot.field.kind) && elsewhere::is_age(reader, board, slot, &cand.words) {
        return Some(Aside::Age);
    }
    if passing::is_in_passing(scene, reader, board, &cand) {
        return Some(Aside::InPassing);
    }
    let named = replaced::cue_or_that_of_old(reader, board, slot, &cand) >= NAMED;
    score::is_out(reader, board, slot, &cand, named, false).then_some(Aside::OfAnother)
}

/// Whether a candidate's words may hold a value: they are no control words. A question may.
fn is_meant(ledger: &Ledger, analysis: &Analysis<'_>, questions: &[Range<usize>], candidate: &Candidate) -> bool {
    let words = analysis.words_of(&candidate.tokens);
    let closed = ledger.closed.get(words.clone()).is_some_and(|closed| closed.contains(&true));
    !closed || questions.iter().any(|question| overlap(question, &words))
}

/// Whether a value is read out of the name of another field: "change the first day" tells no number, and a field's name no
/// option that is like it.
fn is_of_a_name(board: &Board<'_>, analysis: &Analysis<'_>, candidate: &Candidate) -> bool {
    const ALL: f32 = 0.9;
    let words = analysis.words_of(&candidate.tokens);
    let own = board.slots.get(candidate.slot).map(|slot| slot.field.no);
    let longer = |name: &Range<usize>| name.len() > words.len() || candidate.likeness.is_some();
    let within = |name: &Range<usize>| longer(name) && name.start <= words.start && words.end <= name.end;
    let mut others = board.mentions.iter().filter(|mention| Some(mention.field) != own && mention.weight >= ALL);
    candidate.value.is_some() && others.any(|mention| within(&mention.words))
}

/// Whether a candidate's words can be a value of the slot: they are not denied, not the name of the slot alone, no option
/// that is told of something else, and nobody's age. A yes or no may be named in a denial, and an asked text may hold one.
fn is_in_scope(analysis: &Analysis<'_>, slot: &SlotFacts<'_>, candidate: &Candidate) -> bool {
    let tokens = analysis.tokens.get(candidate.tokens.clone()).unwrap_or_default();
    if slot.class == SlotClass::YesNo {
        let asks = tokens.iter().any(|token| token.asked_about);
        return !(asks && candidate.source == Source::Named);
    }
    let denied = tokens.first().is_some_and(|token| token.negated) && !(slot.asked && slot.class == SlotClass::Thing);
    let mut telling = tokens.iter().filter(|token| !token.function && !token.kind.is_mark());
    let names = candidate.value.is_none() && telling.all(|token| slot.name.contains(root(&token.plain)));
    let aside = match candidate.aside {
        Some(Aside::Age) => true,
        Some(_) => slot.class == SlotClass::Choice,
        None => false,
    };
    !denied && !names && !aside
}

/// Tells the candidates of a slot what the steps before made of it, and adds what they filled where none is that.
fn tell_filled(ledger: &Ledger, analysis: &Analysis<'_>, slot: &SlotFacts<'_>, all: &mut Vec<Candidate>) {
    let Some(filled) = ledger.fills.iter().find(|filled| filled.slot == slot.no) else { return };
    let rule = match (filled.named, filled.sure) {
        _ if !ledger.scored.contains(&slot.no) => Rule::Step,
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
