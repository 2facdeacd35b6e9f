//! A table by words in which the many words that it does not have cost next to nothing.

use formwright_text::name;

/// Values by words: plain ones (see [`Said::plain`](formwright_text::Said::plain)), or names of fields.
///
/// Every word of a message is looked up in every table, and hardly one is in it: a bit for each name tells that first, and then
/// the name tells the place.
#[derive(Clone, Debug)]
pub struct ByWord<V> {
    /// A bit for each name, at a place that the name tells; names may share one. Most words need no further look.
    few: [u64; FEW],
    /// Where a word is in `entries`, in the place that its name tells or behind it. A power of two of places, half of them free.
    places: Box<[Place]>,
    /// The words and their values.
    entries: Box<[(Box<str>, V)]>,
}

/// A place of a word.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    /// The lower half of the word's name.
    tag: u32,
    /// Where the word is in the entries, counted from 1; 0 where the place is free.
    no: u32,
}

/// Words of bits at hand. A power of two.
const FEW: usize = 8;

impl<V> ByWord<V> {
    /// Builds the table of words that differ.
    pub fn new(entries: impl IntoIterator<Item = (Box<str>, V)>) -> Self {
        let mut entries: Vec<(Box<str>, V)> = entries.into_iter().collect();
        entries.sort_by_cached_key(|(word, _)| name(word));
        let mut few = [0; FEW];
        for (word, _) in &entries {
            set(&mut few, name(word));
        }
        let places = places(entries.iter().map(|(word, _)| name(word)));
        Self { few, places, entries: entries.into() }
    }

    /// The value of a word.
    pub fn get(&self, word: &str) -> Option<&V> {
        self.get_named(name(word), word)
    }

    /// Whether a word of this [`name`] may be in the table; most words that are not are told at once.
    #[inline]
    pub(crate) fn may_have(&self, name: u64) -> bool {
        is_set(&self.few, name)
    }

    /// The value of a word whose [`name`] is known.
    #[inline]
    pub(crate) fn get_named(&self, name: u64, word: &str) -> Option<&V> {
        if self.may_have(name) { self.find(name, word) } else { None }
    }

    /// The same of a word that the table [may have](Self::may_have).
    pub(crate) fn find(&self, name: u64, word: &str) -> Option<&V> {
        let mut at = first_place(name, self.places.len());
        loop {
            let place = self.places.get(at)?;
            let no = usize::try_from(place.no).ok()?.checked_sub(1)?;
            if place.tag == tag(name)
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
        Self { few: [0; FEW], places: Box::default(), entries: Box::default() }
    }
}

/// The places of words by their names.
fn places(names: impl ExactSizeIterator<Item = u64>) -> Box<[Place]> {
    let count = if names.len() == 0 { 0 } else { (names.len() * 2).next_power_of_two() };
    let mut places = vec![Place::default(); count].into_boxed_slice();
    for (no, name) in (1..).zip(names) {
        let mut at = first_place(name, count);
        while places.get(at).is_some_and(|taken| taken.no > 0) {
            at = (at + 1) & (count - 1);
        }
        if let Some(place) = places.get_mut(at) {
            *place = Place { tag: tag(name), no };
        }
    }
    places
}

/// Where a word is looked for first, among so many places.
fn first_place(name: u64, count: usize) -> usize {
    usize::try_from(name >> 32).unwrap_or(0) & count.wrapping_sub(1)
}

/// The half of a name that does not tell its first place.
fn tag(name: u64) -> u32 {
    u32::try_from(name & u64::from(u32::MAX)).unwrap_or(0)
}

/// Whether the bit of a name is set.
#[inline]
fn is_set(few: &[u64; FEW], name: u64) -> bool {
    let (at, bit) = place(name);
    few[at] & bit != 0
}

/// Sets the bit of a name.
fn set(few: &mut [u64; FEW], name: u64) {
    let (at, bit) = place(name);
    few[at] |= bit;
}

/// Where the bit of a name is: which of the words, and the bit in it.
#[inline]
fn place(name: u64) -> (usize, u64) {
    let at = usize::try_from((name >> 52) % FEW as u64).unwrap_or(0);
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
