//! A table by words in which the many words that it does not have cost next to nothing.

use crate::form::kind::said::name;

/// Values by plain words (see [`Said::plain`](crate::form::kind::Said::plain)).
///
/// Every word of a message is looked up in every table, and hardly one is in it: a bit for each name tells that first, and then
/// the name tells the place.
#[derive(Debug)]
pub(crate) struct ByWord<V> {
    /// A bit for each name, as in `bits`, but few and at hand: most words need no further look.
    few: [u64; FEW],
    /// A bit for each name, at a place that the name tells; names may share one. A power of two of words.
    bits: Box<[u64]>,
    /// Where a word is in `entries`, counted from 1, in the place that its name tells or behind it; 0 where there is none. A power
    /// of two of places, half of them free.
    places: Box<[u32]>,
    /// The names of the words, in the order of `entries`.
    names: Box<[u64]>,
    /// The words and their values.
    entries: Box<[(Box<str>, V)]>,
}

/// Bits for each word of a table: of words that it does not have, one in so many passes for one that it may have.
const SPARSE: usize = 16;

/// Words of bits at hand. A power of two.
const FEW: usize = 4;

impl<V> ByWord<V> {
    /// Builds the table of words that differ.
    pub(crate) fn new(entries: impl IntoIterator<Item = (Box<str>, V)>) -> Self {
        let mut entries: Vec<(Box<str>, V)> = entries.into_iter().collect();
        entries.sort_by_cached_key(|(word, _)| name(word));
        let names: Box<[u64]> = entries.iter().map(|(word, _)| name(word)).collect();
        let words = if names.is_empty() { 0 } else { (names.len() * SPARSE).div_ceil(64).next_power_of_two() };
        let mut bits = vec![0_u64; words].into_boxed_slice();
        let mut few = [0; FEW];
        for name in &names {
            set(&mut bits, *name);
            set(&mut few, *name);
        }
        let places = places(&names);
        Self { few, bits, places, names, entries: entries.into() }
    }

    /// The value of a word.
    pub(crate) fn get(&self, word: &str) -> Option<&V> {
        self.get_named(name(word), word)
    }

    /// Whether a word of this [`name`] may be in the table; most words that are not are told at once.
    #[inline]
    pub(crate) fn may_have(&self, name: u64) -> bool {
        is_set(&self.few, name)
    }

    /// The value of a word whose [`name`] is known.
    pub(crate) fn get_named(&self, name: u64, word: &str) -> Option<&V> {
        if !self.may_have(name) || !is_set(&self.bits, name) {
            return None;
        }
        let mut at = first_place(name, self.places.len());
        loop {
            let no = usize::try_from(*self.places.get(at)?).ok()?.checked_sub(1)?;
            if self.names.get(no) == Some(&name)
                && let Some((_, value)) = self.entries.get(no).filter(|(known, _)| **known == *word)
            {
                return Some(value);
            }
            at = (at + 1) & (self.places.len() - 1);
        }
    }

    /// All words and their values.
    pub(crate) fn entries(&self) -> &[(Box<str>, V)] {
        &self.entries
    }

    /// Whether the table has no words.
    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

impl<V> Default for ByWord<V> {
    fn default() -> Self {
        Self {
            few: [0; FEW],
            bits: Box::default(),
            places: Box::default(),
            names: Box::default(),
            entries: Box::default(),
        }
    }
}

/// The places of words by their names.
fn places(names: &[u64]) -> Box<[u32]> {
    let count = if names.is_empty() { 0 } else { (names.len() * 2).next_power_of_two() };
    let mut places = vec![0_u32; count].into_boxed_slice();
    for (no, name) in (1..).zip(names) {
        let mut at = first_place(*name, count);
        while places.get(at).is_some_and(|taken| *taken > 0) {
            at = (at + 1) & (count - 1);
        }
        if let Some(place) = places.get_mut(at) {
            *place = no;
        }
    }
    places
}

/// Where a word is looked for first, among so many places.
fn first_place(name: u64, count: usize) -> usize {
    usize::try_from(name >> 32).unwrap_or(0) & count.wrapping_sub(1)
}

/// Whether the bit of a name is set.
#[inline]
fn is_set(bits: &[u64], name: u64) -> bool {
    let (at, bit) = place(name, bits.len());
    bits.get(at).is_some_and(|bits| bits & bit != 0)
}

/// Sets the bit of a name.
fn set(bits: &mut [u64], name: u64) {
    let (at, bit) = place(name, bits.len());
    if let Some(word) = bits.get_mut(at) {
        *word |= bit;
    }
}

/// Where the bit of a name is: which of so many words, a power of two or none, and the bit in it.
#[inline]
fn place(name: u64, words: usize) -> (usize, u64) {
    // The upper half of the name tells the bit, the lower one the word: they must not go together.
    let at = usize::try_from(name & u64::from(u32::MAX)).unwrap_or(0) & words.wrapping_sub(1);
    (at, 1 << (name >> 58))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_has_its_value_and_others_have_none() {
        let word = |no: usize| format!("word{no}");
        let table = ByWord::new((0..500).map(|no| (word(no).into(), no)));
        for no in 0..500 {
            assert_eq!(table.get(&word(no)), Some(&no));
            assert_eq!(table.get(&word(no + 500)), None);
        }
        // Of words that share a name each has its own value.
        assert_eq!(table.get_named(name("word7"), "word8"), None);
        assert!(ByWord::<()>::default().get("word").is_none());
    }
}
