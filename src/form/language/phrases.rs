//! Tables of words and phrases, looked up at a word of a message.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer};

use super::by_word::ByWord;
use crate::form::kind::Said;

/// Phrases of one or more words, each with what it means. Case, accents, kinds of quotes and of dashes do not matter; behind
/// "!" the accents of the first word do, where it is another word without them: Italian "!né", which is no "ne".
#[derive(Debug)]
pub struct Phrases<T> {
    /// By first word; the longest first.
    by_first: ByWord<Vec<Phrase<T>>>,
}

#[derive(Clone, Debug)]
struct Phrase<T> {
    /// The first word as it has to be written, where its accents matter.
    written: Option<Box<str>>,
    rest: Box<[Box<str>]>,
    meaning: T,
}

impl Phrases<()> {
    /// The phrases of both tables.
    pub(super) fn with(&self, other: &Self) -> Self {
        let mut by_first: BTreeMap<Box<str>, Vec<Phrase<()>>> = BTreeMap::new();
        for (first, list) in self.by_first.entries().iter().chain(other.by_first.entries()) {
            by_first.entry(first.clone()).or_default().extend(list.iter().cloned());
        }
        Self::sorted(by_first)
    }
}

impl<T> Phrases<T> {
    /// Builds the table. A phrase given twice keeps its first meaning; one without words is left out. One with a contraction
    /// ("won't") is known without its apostrophe too.
    pub fn new<S: AsRef<str>>(phrases: impl IntoIterator<Item = (S, T)>) -> Self
    where
        T: Clone,
    {
        let mut by_first: BTreeMap<Box<str>, Vec<Phrase<T>>> = BTreeMap::new();
        for (phrase, meaning) in phrases {
            let exact = phrase.as_ref().strip_prefix('!').filter(|rest| !rest.is_empty());
            let said = Said::new(exact.unwrap_or(phrase.as_ref()));
            let accents = exact.map(|_| Box::from(said.word(0)));
            let contracted = (0..said.words.len()).any(|no| contraction(said.plain(no)).is_some());
            for apart in if contracted { &[true, false][..] } else { &[true] } {
                let written = |no: usize| if *apart { None } else { contraction(said.plain(no)) };
                let mut words =
                    (0..said.words.len()).map(|no| written(no).unwrap_or_else(|| Box::from(said.plain(no))));
                let Some(first) = words.next() else { continue };
                let phrase = Phrase { written: accents.clone(), rest: words.collect(), meaning: meaning.clone() };
                by_first.entry(first).or_default().push(phrase);
            }
        }
        Self::sorted(by_first)
    }

    fn sorted(mut by_first: BTreeMap<Box<str>, Vec<Phrase<T>>>) -> Self {
        for list in by_first.values_mut() {
            list.sort_by_key(|phrase| std::cmp::Reverse(phrase.rest.len()));
        }
        Self { by_first: ByWord::new(by_first) }
    }

    /// The longest phrase that starts at a word: how many words it has, and what it means.
    pub fn at(&self, said: &Said, no: usize) -> Option<(usize, &T)> {
        let list = self.by_first.get_named(said.plain_name(no), said.plain(no))?;
        let fits = |phrase: &&Phrase<T>| {
            let follows = |(i, word)| no + 1 + i < said.words.len() && said.plain(no + 1 + i) == word;
            let exact = phrase.written.as_deref().is_none_or(|written| said.word(no) == written);
            exact && phrase.rest.iter().map(AsRef::as_ref).enumerate().all(follows)
        };
        let phrase = list.iter().find(fits)?;
        Some((1 + phrase.rest.len(), &phrase.meaning))
    }

    /// What a single plain word (see [`Said::plain`]) means.
    pub fn word(&self, plain: &str) -> Option<&T> {
        // The longest stand first.
        let alone = |phrase: &&Phrase<T>| phrase.rest.is_empty() && phrase.written.is_none();
        self.by_first.get(plain)?.iter().find(alone).map(|phrase| &phrase.meaning)
    }

    /// Whether a phrase starts at a word.
    pub fn starts(&self, said: &Said, no: usize) -> bool {
        self.at(said, no).is_some()
    }

    /// Whether there are no phrases.
    pub fn is_empty(&self) -> bool {
        self.by_first.is_empty()
    }
}

impl<T> Default for Phrases<T> {
    fn default() -> Self {
        Self { by_first: ByWord::default() }
    }
}

/// A contraction as people write it in haste: "wont". Not where it is another word: "we'll", "it's".
fn contraction(word: &str) -> Option<Box<str>> {
    const FIRST: [&str; 6] = ["that", "there", "what", "where", "who", "let"];
    let (stem, tail) = word.split_once('\'')?;
    let negated = tail == "t" && stem.ends_with('n');
    (negated || tail == "s" && FIRST.contains(&stem)).then(|| format!("{stem}{tail}").into())
}

/// Words as [`Said::plain`] has them.
pub fn plain(words: Vec<String>) -> Vec<String> {
    words.into_iter().map(|word| Said::new(&word).plain(0).to_owned()).collect()
}

/// Reads a list of phrases: `["yes", "of course"]`.
///
/// # Errors
/// The data is not a list of strings.
pub fn list<'de, D: Deserializer<'de>>(data: D) -> Result<Phrases<()>, D::Error> {
    let list = Vec::<String>::deserialize(data)?;
    let typed: Vec<String> = list.iter().filter_map(|phrase| without_apostrophes(phrase)).collect();
    Ok(Phrases::new(list.into_iter().chain(typed).map(|phrase| (phrase, ()))))
}

/// Reads meanings by phrase: `{ "twenty" = 20, "a dozen" = 12 }`.
///
/// # Errors
/// The data is not a table of such meanings.
pub fn table<'de, T: Deserialize<'de> + Clone, D: Deserializer<'de>>(data: D) -> Result<Phrases<T>, D::Error> {
    Ok(Phrases::new(BTreeMap::<String, T>::deserialize(data)?))
}

/// Reads lists of phrases by meaning: `{ confirm = ["yes", "go ahead"], deny = ["no"] }`.
///
/// # Errors
/// The data is not a table of lists, or its keys are not such meanings.
pub fn by_meaning<'de, T: Deserialize<'de> + Ord + Clone, D: Deserializer<'de>>(
    data: D,
) -> Result<Phrases<T>, D::Error> {
    let lists = BTreeMap::<T, Vec<String>>::deserialize(data)?;
    let pairs = || lists.iter().flat_map(|(meaning, list)| list.iter().map(move |phrase| (phrase, meaning)));
    let typed = pairs().filter_map(|(phrase, meaning)| Some((without_apostrophes(phrase)?, meaning.clone())));
    Ok(Phrases::new(pairs().map(|(phrase, meaning)| (phrase.clone(), meaning.clone())).chain(typed)))
}

/// A phrase of several words as people type it who leave apostrophes out: "i cant remember". What is another word without
/// its apostrophe ("we're") is left out.
fn without_apostrophes(phrase: &str) -> Option<String> {
    let several = phrase.contains('\'') && phrase.contains(' ') && !phrase.contains("'re");
    several.then(|| phrase.replace('\'', ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contraction_is_known_without_its_apostrophe() {
        let phrases = Phrases::new([("that won't be", 1), ("we'll", 2)]);
        assert_eq!(phrases.at(&Said::new("that wont be"), 0), Some((3, &1)));
        assert_eq!(phrases.at(&Said::new("that won’t be"), 0), Some((3, &1)));
        assert_eq!(phrases.at(&Said::new("well"), 0), None);
    }

    #[test]
    fn accents_matter_where_they_make_another_word() {
        let phrases = Phrases::new([("!né", 1), ("ne ho", 2)]);
        assert_eq!(phrases.at(&Said::new("né l'uno"), 0), Some((1, &1)));
        assert_eq!(phrases.at(&Said::new("ne vorrei"), 0), None);
        assert_eq!(phrases.at(&Said::new("ne ho"), 0), Some((2, &2)));
        assert_eq!(phrases.word("ne"), None);
    }

    #[test]
    fn the_longest_phrase_wins_and_accents_do_not_matter() {
        let phrases = Phrases::new([("that's", 1), ("that’s right", 2), ("sì", 3), ("", 4), ("نعم", 5)]);
        let said = Said::new("That's RIGHT, si Sì نَعَم that's");
        assert_eq!(phrases.at(&said, 0), Some((2, &2)));
        assert_eq!(phrases.at(&said, 3), Some((1, &3)));
        assert_eq!(phrases.at(&said, 4), Some((1, &3)));
        assert_eq!(phrases.at(&said, 5), Some((1, &5)));
        assert_eq!(phrases.at(&said, 6), Some((1, &1)));
        assert_eq!(phrases.at(&said, 7), None);
    }

    #[test]
    fn people_leave_apostrophes_out() {
        #[derive(serde::Deserialize)]
        struct Words {
            #[serde(deserialize_with = "list")]
            unknown: Phrases<()>,
        }
        let words: Words = toml::from_str(r#"unknown = ["i can't remember", "don't", "we're off"]"#).unwrap();
        let starts = |said: &str| words.unknown.starts(&Said::new(said), 0);
        assert!(starts("I cant remember") && starts("I can't remember"));
        assert!(!starts("were off"));
    }
}
