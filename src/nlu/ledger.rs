//! What has been understood of a message so far, and which words that explains.

use std::ops::Range;

use super::reader::Reader;
use super::spans::{Board, Slot, read, with_context};
use super::{Scene, Unsure, elsewhere, halves};
use crate::command::Command;
use formwright_form::kind::{Found, Reading, Refusal};
use formwright_form::{Path, Value};

/// What has been understood so far.
pub(super) struct Ledger {
    /// For each word: it belongs to something understood.
    pub(super) claimed: Vec<bool>,
    /// For each word: it holds no values (a question, control words).
    pub(super) closed: Vec<bool>,
    /// For each word: it stands around the values of an item.
    around: Vec<bool>,
    pub(super) fills: Vec<Filled>,
    /// Slots that got their value by its score among all values, and by nothing that was said of it in particular.
    pub(super) scored: Vec<usize>,
    /// Slots whose value is likely but not sure: the person is asked whether it is meant.
    pub(super) doubted: Vec<usize>,
    pub(super) unsure: Vec<(usize, Unsure)>,
    pub(super) refused: Vec<(usize, Range<usize>, Refusal)>,
    /// Fields that take words only when asked, of which something was said.
    pub(super) later: Vec<Path>,
}

/// A value that found its field.
#[derive(Clone, Debug)]
pub(super) struct Filled {
    pub(super) slot: usize,
    pub(super) value: Value,
    pub(super) raw: Range<usize>,
    pub(super) words: Range<usize>,
    /// The field was named, or the words can mean nothing else.
    pub(super) sure: bool,
    /// The field was named or announced.
    pub(super) named: bool,
    /// So many items further on in its list.
    pub(super) shift: u32,
    /// The value is all there is, whatever was picked before.
    pub(super) replaces: bool,
}

impl Ledger {
    pub(super) fn new(reader: &Reader<'_>) -> Self {
        let count = reader.said.words.len();
        Self {
            claimed: vec![false; count],
            closed: vec![false; count],
            around: vec![false; count],
            fills: Vec::new(),
            scored: Vec::new(),
            doubted: Vec::new(),
            unsure: Vec::new(),
            refused: Vec::new(),
            later: Vec::new(),
        }
    }

    /// Whether none of the words is claimed or closed.
    pub(super) fn is_free(&self, words: Range<usize>) -> bool {
        let taken = |list: &[bool]| list.get(words.clone()).is_some_and(|part| part.contains(&true));
        !taken(&self.claimed) && !taken(&self.closed) && !taken(&self.around)
    }

    pub(super) fn claim(&mut self, words: Range<usize>) {
        mark(&mut self.claimed, words);
    }

    pub(super) fn close(&mut self, words: Range<usize>) {
        mark(&mut self.closed, words);
    }

    /// Keeps a word around the values of an item from other fields; it is not explained by that.
    pub(super) fn set_apart(&mut self, no: usize) {
        mark(&mut self.around, no..no + 1);
    }

    /// Whether a slot has its value, or the person will be asked about it.
    pub(super) fn has(&self, slot: usize) -> bool {
        let unsure = self.unsure.iter().any(|(no, _)| *no == slot);
        unsure || self.fills.iter().any(|filled| filled.slot == slot) || self.refused.iter().any(|(no, ..)| *no == slot)
    }

    /// The values that a field has so far, each with its slot.
    pub(super) fn fills_of<'a, 'b>(
        &'a self,
        board: &'a Board<'b>,
        path: &'a Path,
    ) -> impl Iterator<Item = (&'a Filled, &'a Slot<'b>)> {
        let with_slot = |filled: &'a Filled| Some((filled, board.slots.get(filled.slot)?));
        self.fills.iter().filter_map(with_slot).filter(|(_, slot)| slot.path == *path)
    }

    /// Notes what a slot's parser made of some words; `false` where it found nothing.
    pub(super) fn note(
        &mut self,
        scene: &Scene<'_>,
        reader: &Reader<'_>,
        board: &Board<'_>,
        slot: usize,
        reading: Reading,
    ) -> bool {
        let Some(of) = board.slots.get(slot) else { return false };
        let age = |found: &Found| elsewhere::is_age(reader, board, of, &reader.words_of(&found.span));
        let ages = match &reading {
            Reading::Value(found) => age(found),
            Reading::Ambiguous(all) => all.iter().any(age),
            Reading::Refused(..) | Reading::Nothing => false,
        };
        if ages {
            return false;
        }
        match board.with_alternatives(reader, slot, reading) {
            Reading::Value(found) => self.fill(reader, slot, found, true),
            Reading::Ambiguous(all) => {
                let span = all.first().map(|found| found.span.clone()).unwrap_or_default();
                let same = all.iter().all(|found| found.span == span);
                let mut all = match same.then(|| possible(scene, reader, board, of, &all, |found| &found.value)) {
                    None => all,
                    Some(Ok(taken)) => taken,
                    Some(Err(why)) => return self.note(scene, reader, board, slot, Reading::Refused(span, why)),
                };
                if all.len() == 1
                    && let Some(only) = all.pop()
                {
                    return self.fill(reader, slot, only, true);
                }
                let readings: Vec<(String, Command)> = all
                    .into_iter()
                    .filter_map(|found| {
                        let quote = quote(reader, &found.span)?;
                        self.claim(reader.words_of(&found.span));
                        Some((shown(scene, of, &found.value), fill_command(of, found.value, quote)))
                    })
                    .collect();
                if readings.len() > 1 {
                    self.unsure.push((slot, Unsure { readings }));
                    return true;
                }
                false
            }
            Reading::Refused(span, why) => {
                self.claim(reader.words_of(&span));
                self.refused.push((slot, span, why));
                true
            }
            Reading::Nothing => false,
        }
    }

    /// Fills a slot with a value found; `false` where the words are not quotable.
    pub(super) fn fill(&mut self, reader: &Reader<'_>, slot: usize, found: Found, sure: bool) -> bool {
        if quote(reader, &found.span).is_none() {
            return false;
        }
        let words = reader.words_of(&found.span);
        self.claim(words.clone());
        self.fills.push(Filled {
            slot,
            value: found.value,
            raw: found.span,
            words,
            sure,
            named: false,
            shift: 0,
            replaces: false,
        });
        true
    }

    /// As [`Self::fill`], of a value that is sure and was named or announced.
    pub(super) fn fill_named(&mut self, reader: &Reader<'_>, slot: usize, found: Found) -> bool {
        let filled = self.fill(reader, slot, found, true);
        if filled {
            self.last_was_named();
        }
        filled
    }

    /// Fills a slot with the value that its field reads some words as, named or announced; `false` where they are none.
    pub(super) fn take(
        &mut self,
        scene: &Scene<'_>,
        reader: &Reader<'_>,
        board: &Board<'_>,
        slot: usize,
        words: Range<usize>,
    ) -> bool {
        match board.slots.get(slot).map(|of| read(scene, reader, of, words)) {
            Some(Reading::Value(found)) => self.fill_named(reader, slot, found),
            _ => false,
        }
    }

    /// Notes that the value filled last was named or announced.
    pub(super) fn last_was_named(&mut self) {
        if let Some(filled) = self.fills.last_mut() {
            filled.named = true;
        }
    }

    /// Whether a word is explained: claimed, closed, or without a meaning of its own.
    pub(super) fn explains(&self, reader: &Reader<'_>, no: usize) -> bool {
        let is = |list: &[bool]| list.get(no).copied().unwrap_or(true);
        reader.is_idle(no) || is(&self.claimed) || is(&self.closed)
    }

    /// Ranges of meaningful words that nothing explains.
    pub(super) fn leftover(&self, reader: &Reader<'_>) -> Vec<Range<usize>> {
        let mut left: Vec<Range<usize>> = Vec::new();
        for no in (0..reader.said.words.len()).filter(|no| !self.explains(reader, *no)) {
            match left.last_mut() {
                Some(last) if (last.end..no).all(|no| reader.is_idle(no) && !reader.is_mark(no)) => last.end = no + 1,
                _ => left.push(no..no + 1),
            }
        }
        left.into_iter().map(|words| reader.raw_range(words)).collect()
    }
}

/// The person's words for a span; `None` where it is empty.
pub(super) fn quote(reader: &Reader<'_>, span: &Range<usize>) -> Option<String> {
    let quote = reader.said.raw.get(span.clone())?;
    (!quote.trim().is_empty()).then(|| quote.to_owned())
}

/// Words on one line, with single spaces.
pub(super) fn in_a_line(reader: &Reader<'_>, words: Range<usize>) -> String {
    reader.raw_text(words).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The command that fills a slot.
pub(super) fn fill_command(slot: &Slot<'_>, value: Value, quote: String) -> Command {
    Command::Fill { path: slot.path.clone(), value, quote: Some(quote) }
}

/// A value as the person reads it.
pub(super) fn shown(scene: &Scene<'_>, slot: &Slot<'_>, value: &Value) -> String {
    with_context(scene, &slot.path, slot.field, |cx| slot.field.kind.behaviour().show(value, cx))
}

/// Of several readings of the same words those that the field takes; why not, where it takes none.
pub(super) fn possible<T: Clone>(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    slot: &Slot<'_>,
    all: &[T],
    value: impl Fn(&T) -> &Value,
) -> Result<Vec<T>, Refusal> {
    let kind = slot.field.kind.behaviour();
    let check = |one: &T| with_context(scene, &slot.path, slot.field, |cx| kind.check(value(one), cx));
    let mut taken: Vec<T> = all.iter().filter(|one| check(one).is_ok()).cloned().collect();
    halves::keep_one(scene, reader, board, slot, &mut taken, &value);
    match all.first().filter(|_| taken.is_empty()).map(check) {
        Some(Err(why)) => Err(why),
        _ => Ok(taken),
    }
}

fn mark(list: &mut [bool], words: Range<usize>) {
    if let Some(part) = list.get_mut(words) {
        part.fill(true);
    }
}
