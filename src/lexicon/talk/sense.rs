//! `[sense]`: what words are about, by senses that every language has. A word of a label and a word of a message that have a
//! sense in common speak of the same, in whatever language each is.

use std::collections::BTreeMap;

use formwright_text::{Said, root};
use serde::{Deserialize, Deserializer};

/// What a word is about: the number of a sense among those of every language, in the order of their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sense(pub u16);

/// Words and phrases by sense.
#[derive(Debug)]
pub struct Senses {
    names: Vec<String>,
    exact: Table,
    by_root: Table,
}

/// By the first word: the other words, and the sense; the longest first.
type Table = BTreeMap<Box<str>, Vec<(Box<[Box<str>]>, Sense)>>;

impl<'de> Deserialize<'de> for Senses {
    fn deserialize<D: Deserializer<'de>>(data: D) -> Result<Self, D::Error> {
        Ok(Self::new(BTreeMap::deserialize(data)?))
    }
}

impl Senses {
    fn new(lists: BTreeMap<String, Vec<String>>) -> Self {
        let (mut exact, mut by_root) = (Table::new(), Table::new());
        for (no, phrases) in lists.values().enumerate() {
            let sense = Sense(u16::try_from(no).unwrap_or(u16::MAX));
            for phrase in phrases {
                let said = Said::new(phrase);
                let words: Vec<&str> = (0..said.words.len()).map(|no| said.plain(no)).collect();
                add(&mut exact, words.iter().copied(), sense);
                add(&mut by_root, words.iter().map(|word| root(word)), sense);
            }
        }
        for list in exact.values_mut().chain(by_root.values_mut()) {
            list.sort_by_key(|(rest, sense)| (std::cmp::Reverse(rest.len()), *sense));
            list.dedup();
        }
        Self { names: lists.into_keys().collect(), exact, by_root }
    }

    /// Every sense, in order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The name of a sense.
    pub fn name(&self, sense: Sense) -> &str {
        self.names.get(usize::from(sense.0)).map_or("", String::as_str)
    }

    /// The sense of a name.
    pub fn named(&self, name: &str) -> Option<Sense> {
        let no = self.names.iter().position(|known| known == name)?;
        u16::try_from(no).ok().map(Sense)
    }

    /// The senses of the longest phrase that starts with the first of some words, and how many words it has. Words in the very
    /// form of the table go before others with the same root.
    pub fn at(&self, words: &[&str]) -> Vec<(usize, Sense)> {
        let exact = longest(&self.exact, words);
        if !exact.is_empty() {
            return exact;
        }
        let Some(first) = words.first() else { return Vec::new() };
        if !self.by_root.contains_key(root(first)) {
            return Vec::new();
        }
        let roots: Vec<&str> = words.iter().take(LONGEST).map(|word| root(word)).collect();
        longest(&self.by_root, &roots)
    }
}

/// Most words of a phrase.
const LONGEST: usize = 4;

fn add<'a>(table: &mut Table, mut words: impl Iterator<Item = &'a str>, sense: Sense) {
    if let Some(first) = words.next() {
        table.entry(Box::from(first)).or_default().push((words.map(Box::from).collect(), sense));
    }
}

fn longest(table: &Table, words: &[&str]) -> Vec<(usize, Sense)> {
    let Some((first, rest)) = words.split_first() else { return Vec::new() };
    let list = table.get(*first).map_or(&[][..], Vec::as_slice);
    let fits = |of: &&(Box<[Box<str>]>, Sense)| {
        of.0.len() <= rest.len() && of.0.iter().zip(rest).all(|(one, other)| **one == **other)
    };
    let most = list.iter().find(fits).map(|(rest, _)| rest.len());
    list.iter()
        .filter(fits)
        .filter(|(rest, _)| Some(rest.len()) == most)
        .map(|(rest, sense)| (rest.len() + 1, *sense))
        .collect()
}

#[cfg(test)]
mod tests {
    use crate::{all, english};

    #[test]
    fn every_language_has_every_sense() {
        for language in all() {
            assert_eq!(language.sense.names(), english().sense.names(), "{}", language.code);
        }
    }

    #[test]
    fn the_longest_phrase_counts_and_the_very_word_before_its_root() {
        let senses = &english().sense;
        let found = |words: &[&str]| {
            senses.at(words).iter().map(|(len, sense)| format!("{len} {}", senses.name(*sense))).collect::<Vec<_>>()
        };
        assert_eq!(found(&["once", "a", "week", "please"]), ["3 weekly"]);
        assert_eq!(found(&["suitcases"]), ["1 luggage"]);
        assert!(found(&["xylophonist"]).is_empty());
    }
}
