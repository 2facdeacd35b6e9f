//! What becomes of the likeliest candidate of a slot: it is taken, the person is asked about it, or the slot is left to its
//! question.

use std::ops::Range;

use formwright_form::Value;
use formwright_form::kind::{Found, Reading, Strength, overlap};

use super::Open;
use super::analysis::Analysis;
use super::candidate::{Candidate, Source};
use super::slots::SlotClass;
use crate::Scene;
use crate::command::Command;
use crate::ledger::Ledger;
use crate::reader::Reader;
use crate::slot::Slot;
use crate::spans::{Board, read, takes};

/// From here on a value is taken; below, the person is asked about it.
const TAKEN: f32 = 0.85;
/// From here on the person is asked whether it is meant.
const ASKED: f32 = 0.4;
/// From here on one of several readings is meant that the person would else be asked to choose from, a value takes the place
/// of one that was filled, and one that merely had the best score stays without a question.
const CHOSEN: f32 = 0.7;
/// Below this the person is asked about what else was filled: what is named, alone of its class, or had a step's own reason.
const DOUBTED: f32 = 0.5;
/// Below this the person is asked even about the answer to a question that more was said to.
const DOUBTED_ANSWER: f32 = 0.3;
/// Below this what merely had the best score is left out.
const DROPPED: f32 = 0.15;
/// So many values make a wish of a question: "could I get a slot for two on Monday at 9?"
const VALUES_OF_A_WISH: usize = 2;

/// What decisions are made with.
pub(super) struct Decision<'a> {
    pub(super) scene: &'a Scene<'a>,
    pub(super) reader: &'a Reader<'a>,
    pub(super) board: &'a Board<'a>,
    pub(super) analysis: &'a Analysis<'a>,
}

/// A value for a slot, and whether it is taken without asking: it is likely enough, nothing makes it one of something else, and
/// where its class needs that the slot is named.
struct Valued {
    found: Found,
    is_sure: bool,
}

impl Decision<'_> {
    /// Fills the slots with the candidates picked for them.
    pub(super) fn carry_out(&self, ledger: &mut Ledger, all: &[Open<'_>], picks: &[usize], questions: &[Range<usize>]) {
        for (open, pick) in all.iter().zip(picks) {
            self.about_filled(ledger, open, *pick);
        }
        let mut values: Vec<(&Open<'_>, Valued)> = Vec::new();
        for (open, pick) in all.iter().zip(picks) {
            let filled = ledger.fills.iter().any(|filled| filled.slot == open.slot.no);
            let Some((candidate, likely)) = open.picked(*pick).filter(|_| !filled) else { continue };
            if let Some(value) = self.value(ledger, open, candidate, likely) {
                values.push((open, value));
            }
        }
        // A question that holds one value asks; one that holds more tells.
        let within =
            |question: &Range<usize>, value: &Valued| overlap(question, &self.reader.words_of(&value.found.span));
        let asks = |question: &Range<usize>| {
            values.iter().filter(|(_, value)| within(question, value)).count() < VALUES_OF_A_WISH
        };
        let asking: Vec<&Range<usize>> = questions.iter().filter(|question| asks(question)).collect();
        for (open, value) in values {
            if !asking.iter().any(|question| within(question, &value)) {
                self.fill(ledger, open, value);
            }
        }
    }

    /// Doubts what a slot was filled with, or takes it out, where another of its candidates is much likelier.
    fn about_filled(&self, ledger: &mut Ledger, open: &Open<'_>, pick: usize) {
        let no = open.slot.no;
        let mut fills = ledger.fills.iter().filter(|filled| filled.slot == no);
        let (Some(filled), None) = (fills.next(), fills.next()) else { return };
        let Some(slot) = self.board.slots.get(no) else { return };
        let said_again = slot.value == Some(&filled.value);
        let scored = ledger.scored.contains(&no);
        // What stands behind the field's name, and what a step found by it: "change the number to 79".
        let named = filled.named && !scored || self.is_announced(slot, &filled.words);
        let answers = slot.asked && (open.slot.is_words || slot.is_free() || self.is_all(&filled.words));
        // What the field does not take is refused with its reason.
        if filled.words.is_empty() || said_again || named || answers || !takes(self.scene, slot, &filled.value) {
            return;
        }
        let is_it = |candidate: &Candidate| match &candidate.value {
            Some(value) => *value == filled.value,
            None => self.analysis.raw(&candidate.tokens) == filled.raw,
        };
        // Which reading of the words is right, and where a text begins and ends, is not for weights to say.
        let reread = |other: &Candidate| overlap(&self.analysis.words_of(&other.tokens), &filled.words);
        let likely = open.candidates.iter().zip(open.choices.likely.iter().skip(1));
        let likely = likely.filter(|((candidate, _), _)| is_it(candidate) || !open.slot.is_words && reread(candidate));
        let likely: f32 = likely.map(|(_, likely)| *likely).sum();
        // Nor is the answer to a question replaced. Weights know little of what a step alone proposes.
        let asked = open.slot.asked;
        let mut found = open.candidates.iter().map(|(candidate, _)| candidate).filter(|candidate| is_it(candidate));
        let by_steps_alone = found.any(|candidate| candidate.source == Source::Rule);
        let limit = match (asked, scored && !filled.named && !is_alone(open)) {
            (true, _) => DOUBTED_ANSWER,
            (_, true) => CHOSEN,
            _ => DOUBTED,
        };
        let other = open.picked(pick).filter(|(other, likely)| *likely >= CHOSEN && !is_it(other) && !reread(other));
        match other.filter(|_| !asked) {
            Some((other, likely)) => {
                if let Some(value) = self.value(ledger, open, other, likely) {
                    ledger.fills.retain(|filled| filled.slot != no);
                    self.fill(ledger, open, value);
                }
            }
            None if scored && !asked && likely < DROPPED => ledger.fills.retain(|filled| filled.slot != no),
            None if asked && by_steps_alone => {}
            None if likely < limit => ledger.doubted.push(no),
            None => {}
        }
    }

    /// The value that a candidate gives its slot, where that is likely enough and nothing speaks against it.
    fn value(&self, ledger: &Ledger, open: &Open<'_>, candidate: &Candidate, likely: f32) -> Option<Valued> {
        let slot = self.board.slots.get(open.slot.no)?;
        // An answer that stands is changed where that is said: it is named, or something is put right.
        let stands = slot.value.is_some() && !open.slot.asked;
        let untold = stands && !self.is_named(slot) && !(self.analysis.corrects && open.slot.peers == 1);
        let refused = ledger.refused.iter().any(|(refused, ..)| *refused == open.slot.no);
        let found = self.found(slot, candidate);
        let words = self.reader.words_of(&found.span);
        // A word that is like one of an option says less than its label.
        let least = if candidate.likeness.is_some() && !open.slot.asked { CHOSEN } else { ASKED };
        if likely < self.enough(ledger, open, slot, &words).max(least) || untold || refused {
            return None;
        }
        // "A street lamp" starts the form of street lamps; "ring me on my phone" was put aside as told in passing.
        let of_form = !open.slot.asked && words.clone().all(|no| self.reader.is_of_form(no) || self.reader.is_idle(no));
        let mut passing = self.board.passing.iter();
        let in_passing = passing.any(|cand| cand.value == found.value && overlap(&cand.words, &words));
        if of_form && candidate.value.is_none() || in_passing && candidate.likeness.is_some() {
            return None;
        }
        let used = candidate.source.uses_words() && ledger.fills.iter().any(|filled| overlap(&filled.words, &words));
        let named = open.slot.asked || !needs_a_name(open.slot.class) || self.is_named(slot);
        // "Extra large" is not an option "large".
        let loosely = open.slot.asked && (open.slot.is_words || candidate.likeness.is_some());
        let is_sure = likely >= TAKEN && named && candidate.aside.is_none() && !loosely;
        (!used && takes(self.scene, slot, &found.value)).then_some(Valued { found, is_sure })
    }

    /// How likely a value has to be. Which of several fields is meant, and which of two things that were said, weights may
    /// tell; what answers a question, and which of two that were left open ("Saturday, maybe Sunday"), only the person. Words that answer a question for words the steps before should have seen.
    fn enough(&self, ledger: &Ledger, open: &Open<'_>, slot: &Slot<'_>, words: &Range<usize>) -> f32 {
        let of_slot = |(_, command): &(String, Command)| command.filled() == Some(&slot.path);
        let quote = |(_, command): &(String, Command)| match command {
            Command::Fill { quote, .. } => quote.clone(),
            _ => None,
        };
        let mut choices = ledger.unsure.iter().map(|(_, unsure)| &unsure.readings);
        let Some(readings) = choices.find(|readings| readings.iter().all(of_slot)) else {
            return if open.slot.asked && open.slot.is_words { CHOSEN } else { ASKED };
        };
        let one_quote = readings.windows(2).all(|two| quote(&two[0]) == quote(&two[1]));
        let open_still = || !self.board.alternatives(self.reader, open.slot.no, words).is_empty();
        match one_quote {
            _ if open.slot.asked => f32::INFINITY,
            true => TAKEN,
            false if open_still() => f32::INFINITY,
            false => CHOSEN,
        }
    }

    /// Fills a slot; the person is asked about it where it is not nearly sure.
    fn fill(&self, ledger: &mut Ledger, open: &Open<'_>, value: Valued) {
        let no = open.slot.no;
        let Some(slot) = self.board.slots.get(no) else { return };
        if !ledger.fill(self.reader, no, value.found, true) {
            return;
        }
        let of_slot = |(_, command): &(String, Command)| command.filled() == Some(&slot.path);
        ledger.unsure.retain(|(_, unsure)| !unsure.readings.iter().any(of_slot));
        if !value.is_sure {
            ledger.doubted.push(no);
        }
    }

    /// Whether words are all that a message tells.
    fn is_all(&self, words: &Range<usize>) -> bool {
        let tokens = self.analysis.tokens_of_words(words);
        let mut rest = self.analysis.tokens.iter().enumerate().filter(|(no, _)| !tokens.contains(no));
        rest.all(|(_, token)| token.function || token.kind.is_mark())
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

/// Whether no other slot takes such values, and no other such value is said.
fn is_alone(open: &Open<'_>) -> bool {
    let typed = open.candidates.iter().filter(|(candidate, _)| candidate.source == Source::Typed);
    let mut places = typed.map(|(candidate, _)| &candidate.tokens);
    let first = places.next();
    open.slot.peers == 1 && first.is_some() && places.all(|place| Some(place) == first)
}
