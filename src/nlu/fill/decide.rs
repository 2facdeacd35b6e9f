//! What becomes of the likeliest candidate of a slot: it is taken, the person is asked about it, or the slot is left to its
//! question.

use std::ops::Range;

use formwright_form::Value;
use formwright_form::kind::{Found, Reading, Strength, overlap};

use super::Open;
use super::analysis::Analysis;
use super::candidate::{Candidate, Source};
use super::slots::SlotClass;
use crate::command::Command;
use crate::ledger::Ledger;
use crate::reader::Reader;
use crate::slot::Slot;
use crate::spans::{Board, cand, read, takes};
use crate::{Scene, passing, replaced, score};

/// From here on a value is taken.
const TAKEN: f32 = 0.85;
/// The same of words, where words were asked for.
const TAKEN_WORDS: f32 = 0.95;
/// From here on the person is asked whether it is meant.
const ASKED: f32 = 0.4;
/// The same of words, where words were asked for: what the steps before made nothing of is seldom an answer.
const ASKED_WORDS: f32 = 0.6;
/// From here on one of several values is meant that the person would else be asked to choose from.
const CHOSEN: f32 = 0.7;
/// From here on a value takes the place of the one that had the best score, and of one that a step filled for a reason of its
/// own.
const REPLACES_SCORED: f32 = 0.6;
const REPLACES: f32 = 0.8;
/// Below these the person is asked whether a value is meant that was filled: of a slot that is named, or that alone takes
/// such values where but one is said; the one that had the best score; and one that a step filled for a reason of its own.
const DOUBTED_ALONE: f32 = 0.25;
const DOUBTED_SCORED: f32 = 0.7;
const DOUBTED: f32 = 0.3;
/// So many values make a wish of a question: "could I get a slot for two on Monday at 9?"
const VALUES_OF_A_WISH: usize = 2;

/// What decisions are made with.
pub(super) struct Decision<'a> {
    pub(super) scene: &'a Scene<'a>,
    pub(super) reader: &'a Reader<'a>,
    pub(super) board: &'a Board<'a>,
    pub(super) analysis: &'a Analysis<'a>,
}

impl Decision<'_> {
    /// Fills the slots with the candidates picked for them.
    pub(super) fn carry_out(&self, ledger: &mut Ledger, all: &[Open<'_>], picks: &[usize], questions: &[Range<usize>]) {
        for (open, pick) in all.iter().zip(picks) {
            self.about_filled(ledger, open, *pick);
        }
        let mut values: Vec<(&Open<'_>, f32, Found)> = Vec::new();
        for (open, pick) in all.iter().zip(picks) {
            let filled = ledger.fills.iter().any(|filled| filled.slot == open.slot.no);
            let Some((candidate, likely)) = open.picked(*pick).filter(|_| !filled) else { continue };
            if let Some(found) = self.value(ledger, open, candidate, likely) {
                values.push((open, likely, found));
            }
        }
        // A question that holds one value asks; one that holds more tells.
        let within = |question: &Range<usize>, found: &Found| overlap(question, &self.reader.words_of(&found.span));
        let asks = |question: &Range<usize>| {
            values.iter().filter(|(.., found)| within(question, found)).count() < VALUES_OF_A_WISH
        };
        let asking: Vec<&Range<usize>> = questions.iter().filter(|question| asks(question)).collect();
        for (open, likely, found) in values {
            if !asking.iter().any(|question| within(question, &found)) {
                self.fill(ledger, open, likely, found);
            }
        }
    }

    /// Doubts what a slot was filled with, or takes it out, where another of its candidates is much likelier.
    fn about_filled(&self, ledger: &mut Ledger, open: &Open<'_>, pick: usize) {
        let no = open.slot.no;
        let mut fills = ledger.fills.iter().filter(|filled| filled.slot == no);
        let (Some(filled), None) = (fills.next(), fills.next()) else { return };
        let slot = self.board.slots.get(no);
        let said_again = slot.is_some_and(|slot| slot.value == Some(&filled.value));
        // What the field does not take is refused with its reason.
        let refused = slot.is_some_and(|slot| !takes(self.scene, slot, &filled.value));
        let announced = slot.is_some_and(|slot| self.is_announced(slot, &filled.words));
        // Nor is the answer to a question doubted, nor what a step found by the field's name: "change the number to 79".
        let scored = ledger.scored.contains(&no);
        let told = announced || open.slot.asked || filled.named && !scored;
        if filled.words.is_empty() || said_again || refused || told {
            return;
        }
        let is_it = |candidate: &Candidate| match &candidate.value {
            Some(value) => *value == filled.value,
            None => self.analysis.raw(&candidate.tokens) == filled.raw,
        };
        let likely = open.candidates.iter().zip(open.choices.likely.iter().skip(1));
        let likely: f32 = likely.filter(|((candidate, _), _)| is_it(candidate)).map(|(_, likely)| *likely).sum();
        let doubted = match (filled.named || is_alone(open), scored) {
            (true, _) => DOUBTED_ALONE,
            (_, true) => DOUBTED_SCORED,
            _ => DOUBTED,
        };
        let replaced = if scored { REPLACES_SCORED } else { REPLACES };
        // What the same words are read as is not for weights to say, nor where a text begins and ends.
        let reread = |other: &Candidate| overlap(&self.analysis.words_of(&other.tokens), &filled.words);
        if let Some((other, likely)) = open.picked(pick).filter(|(other, _)| !is_it(other) && !reread(other))
            && likely >= replaced
        {
            if let Some(found) = self.value(ledger, open, other, likely) {
                ledger.fills.retain(|filled| filled.slot != no);
                self.fill(ledger, open, likely, found);
            }
        } else if likely < doubted {
            ledger.doubted.push(no);
        }
    }

    /// The value that a candidate gives its slot, where that is likely enough and nothing speaks against it.
    fn value(&self, ledger: &Ledger, open: &Open<'_>, candidate: &Candidate, likely: f32) -> Option<Found> {
        let slot = self.board.slots.get(open.slot.no)?;
        // An answer that stands is changed where that is said: it is named, or something is put right.
        let stands = slot.value.is_some() && !open.slot.asked;
        let another = open.slot.peers > 1 || self.board.asked.is_some();
        let untold = stands && another && !self.is_named(slot) && !(self.analysis.corrects && open.slot.peers == 1);
        let refused = ledger.refused.iter().any(|(refused, ..)| *refused == open.slot.no);
        if likely < enough(ledger, open, slot) || untold || refused {
            return None;
        }
        let found = self.found(slot, candidate);
        let words = self.reader.words_of(&found.span);
        let used = candidate.source.uses_words() && ledger.fills.iter().any(|filled| overlap(&filled.words, &words));
        let usable = !used && !self.is_of_something_else(slot, &found) && takes(self.scene, slot, &found.value);
        usable.then_some(found)
    }

    /// Fills a slot; the person is asked about it where it is not nearly sure.
    fn fill(&self, ledger: &mut Ledger, open: &Open<'_>, likely: f32, found: Found) {
        let no = open.slot.no;
        let Some(slot) = self.board.slots.get(no) else { return };
        if !ledger.fill(self.reader, no, found, true) {
            return;
        }
        let of_slot = |(_, command): &(String, Command)| command.filled() == Some(&slot.path);
        ledger.unsure.retain(|(_, unsure)| !unsure.readings.iter().any(of_slot));
        let told = open.slot.asked || !needs_a_name(open.slot.class) || self.is_named(slot);
        let taken = if open.slot.asked && open.slot.is_words { TAKEN_WORDS } else { TAKEN };
        if likely < taken || !told {
            ledger.doubted.push(no);
        }
    }

    /// Whether a value is said of something else than the slot, or only in passing.
    fn is_of_something_else(&self, slot: &Slot<'_>, found: &Found) -> bool {
        /// From here on the words around a value name the slot.
        const NAMED: f32 = 2.0;
        let Self { scene, reader, board, .. } = self;
        let Some(cand) = cand(reader, slot.alike, found.clone()) else { return true };
        let named = replaced::cue_or_that_of_old(reader, board, slot, &cand) >= NAMED;
        passing::is_in_passing(scene, reader, board, &cand) || score::is_out(reader, board, slot, &cand, named, false)
    }

    /// Whether a slot's name stands right before words, with nothing but a mark between: "parcel number: 7".
    fn is_announced(&self, slot: &Slot<'_>, words: &Range<usize>) -> bool {
        const ALL: f32 = 0.9;
        self.board.mentions_of(slot).any(|mention| {
            let mut between = mention.words.end..words.start;
            mention.weight >= ALL && mention.words.end < words.start && between.all(|no| self.reader.is_mark(no))
        })
    }

    /// Whether most of a slot's name is said.
    fn is_named(&self, slot: &Slot<'_>) -> bool {
        const MOST: f32 = 0.5;
        self.board.mentions_of(slot).any(|mention| mention.weight > MOST)
    }

    /// A candidate's value; of words what the field reads them as, where it reads all of them.
    fn found(&self, slot: &Slot<'_>, candidate: &Candidate) -> Found {
        let span = self.analysis.raw(&candidate.tokens);
        if let Some(value) = candidate.value.clone() {
            return Found { span, value, strength: candidate.strength };
        }
        let words = self.analysis.words_of(&candidate.tokens);
        if self.reader.raw_range(words.clone()) == span
            && let Reading::Value(found) = read(self.scene, self.reader, slot, words)
        {
            return found;
        }
        let text = self.analysis.text(&candidate.tokens).split_whitespace().collect::<Vec<_>>().join(" ");
        Found { span, value: Value::Text(text), strength: Strength::Weak }
    }
}

/// Whether values of a class are never taken where nothing names their field: they are asked about.
fn needs_a_name(class: SlotClass) -> bool {
    matches!(class, SlotClass::Money | SlotClass::Date | SlotClass::Person | SlotClass::Place)
}

/// How likely a value has to be. Which of several fields is meant the weights may tell sooner than which of two readings;
/// which of two things that are said, only the person.
fn enough(ledger: &Ledger, open: &Open<'_>, slot: &Slot<'_>) -> f32 {
    let of_slot = |(_, command): &(String, Command)| command.filled() == Some(&slot.path);
    let quote = |(_, command): &(String, Command)| match command {
        Command::Fill { quote, .. } => quote.clone(),
        _ => None,
    };
    let mut choices = ledger.unsure.iter().map(|(_, unsure)| &unsure.readings);
    match choices.find(|readings| readings.iter().all(of_slot)) {
        Some(readings) if open.slot.asked || readings.windows(2).any(|two| quote(&two[0]) != quote(&two[1])) => {
            f32::INFINITY
        }
        Some(_) => CHOSEN,
        None if open.slot.asked && open.slot.is_words => ASKED_WORDS,
        None => ASKED,
    }
}

/// Whether no other slot takes such values, and no other such value is said.
fn is_alone(open: &Open<'_>) -> bool {
    let typed = open.candidates.iter().filter(|(candidate, _)| candidate.source == Source::Typed);
    let mut places = typed.map(|(candidate, _)| &candidate.tokens);
    let first = places.next();
    open.slot.peers == 1 && first.is_some() && places.all(|place| Some(place) == first)
}
