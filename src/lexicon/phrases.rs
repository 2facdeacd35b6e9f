//! Tables of words and phrases, looked up at a word of a message.

use std::collections::BTreeMap;

use formwright_text::Said;
use serde::{Deserialize, Deserializer};

use super::by_word::ByWord;

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
    /// The [`name`] of the second word; that of the empty word where there is none.
    next: u64,
    rest: Box<[Box<str>]>,
    meaning: T,
}

impl Phrases<()> {
    /// The phrases of both tables.
    pub(crate) fn with(&self, other: &Self) -> Self {
        let mut by_first: BTreeMap<Box<str>, Vec<Phrase<()>>> = BTreeMap::new();
        for (first, list) in self.by_first.entries().iter().chain(other.by_first.entries()) {
            by_first.entry(first.clone()).or_default().extend(list.iter().cloned());
        }
        Self::sorted(by_first)
    }
}

impl<T> Phrases<T> {
    /// Builds the table. A phrase given twice keeps its first meaning; one without words is left out. One with an apostrophe is
    /// known without it too, as people type in haste, unless it is given so with another meaning.
    pub fn new<S: AsRef<str>>(phrases: impl IntoIterator<Item = (S, T)>) -> Self
    where
        T: Clone,
    {
        let phrases: Vec<(S, T)> = phrases.into_iter().collect();
        let in_haste: Vec<(String, T)> = phrases
            .iter()
            .filter_map(|(phrase, meaning)| Some((without_apostrophes(phrase.as_ref())?, meaning.clone())))
            .collect();
        let given = phrases.iter().map(|(phrase, meaning)| (phrase.as_ref(), meaning));
        let mut by_first: BTreeMap<Box<str>, Vec<Phrase<T>>> = BTreeMap::new();
        for (phrase, meaning) in given.chain(in_haste.iter().map(|(phrase, meaning)| (phrase.as_str(), meaning))) {
            let exact = phrase.strip_prefix('!').filter(|rest| !rest.is_empty());
            let said = Said::new(exact.unwrap_or(phrase));
            let written = exact.map(|_| Box::from(said.word(0)));
            let mut words = (0..said.words.len()).map(|no| Box::from(said.plain(no)));
            let Some(first) = words.next() else { continue };
            let phrase = Phrase { written, next: said.plain_name(1), rest: words.collect(), meaning: meaning.clone() };
            by_first.entry(first).or_default().push(phrase);
        }
        Self::sorted(by_first)
    }

    fn sorted(mut by_first: BTreeMap<Box<str>, Vec<Phrase<T>>>) -> Self {
        for list in by_first.values_mut() {
            list.sort_by_key(|phrase| std::cmp::Reverse(phrase.rest.len()));
            // Most words start one phrase, for which a list has room for four.
            list.shrink_to_fit();
        }
        Self { by_first: ByWord::new(by_first) }
    }

    /// Whether a phrase may start at a word; most words that none starts at are told at once.
    #[inline]
    pub fn may_start(&self, said: &Said, no: usize) -> bool {
        self.by_first.may_have(said.plain_name(no))
    }

    /// The longest phrase that starts at a word: how many words it has, and what it means.
    #[inline]
    pub fn at(&self, said: &Said, no: usize) -> Option<(usize, &T)> {
        if self.may_start(said, no) { self.longest_at(said, no) } else { None }
    }

    fn longest_at(&self, said: &Said, no: usize) -> Option<(usize, &T)> {
        let list = self.by_first.find(said.plain_name(no), said.plain(no))?;
        let next = said.plain_name(no + 1);
        let fits = |phrase: &&Phrase<T>| {
            // Hardly one phrase goes on as the message does, which the second word alone tells.
            let mut rest = (no + 1..).zip(&phrase.rest);
            phrase.rest.is_empty() || phrase.next == next && rest.all(|(no, word)| said.plain(no) == &**word)
        };
        let exact = |phrase: &&Phrase<T>| phrase.written.as_deref().is_none_or(|written| said.word(no) == written);
        let phrase = list.iter().find(|phrase| fits(phrase) && exact(phrase))?;
        Some((1 + phrase.rest.len(), &phrase.meaning))
    }

    /// The longest phrase of two tables, which may be one, that starts at a word and ends before `end`.
    pub fn longer_of<'a>(&'a self, other: &'a Self, said: &Said, no: usize, end: usize) -> Option<(usize, &'a T)> {
        let fits = |(words, _): &(usize, &T)| no + words <= end;
        let own = self.at(said, no).filter(fits);
        if std::ptr::eq(self, other) {
            return own;
        }
        match (own, other.at(said, no).filter(fits)) {
            (Some(own), Some(others)) => Some(if own.0 > others.0 { own } else { others }),
            (own, others) => own.or(others),
        }
    }

    /// The longest phrase that begins with a word given and goes on in a message from a word on: how many of its words those are.
    pub fn led_by(&self, first: &str, said: &Said, no: usize) -> Option<(usize, &T)> {
        let goes_on = |phrase: &&Phrase<T>| {
            phrase.written.is_none() && (no..).zip(&phrase.rest).all(|(no, word)| said.plain(no) == &**word)
        };
        let phrase = self.by_first.get(first)?.iter().find(goes_on)?;
        Some((phrase.rest.len(), &phrase.meaning))
    }

    /// What a single plain word (see [`Said::plain`]) means.
    pub fn word(&self, plain: &str) -> Option<&T> {
        Self::alone(self.by_first.get(plain)?)
    }

    /// What a word of a message means by itself.
    #[inline]
    pub fn word_at(&self, said: &Said, no: usize) -> Option<&T> {
        Self::alone(self.by_first.get_named(said.plain_name(no), said.plain(no))?)
    }

    fn alone(list: &[Phrase<T>]) -> Option<&T> {
        // The longest stand first.
        let alone = |phrase: &&Phrase<T>| phrase.rest.is_empty() && phrase.written.is_none();
        list.iter().find(alone).map(|phrase| &phrase.meaning)
    }

    /// Whether a phrase starts at a word.
    pub fn starts(&self, said: &Said, no: usize) -> bool {
        self.at(said, no).is_some()
    }

    /// The words that phrases begin with.
    pub fn first_words(&self) -> impl Iterator<Item = &str> {
        self.by_first.entries().iter().map(|(word, _)| &**word)
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

/// Words as [`Said::plain`] has them.
pub fn plain(words: Vec<String>) -> Vec<String> {
    words.into_iter().map(|word| Said::new(&word).plain(0).to_owned()).collect()
}

/// Reads a list of phrases: `["yes", "of course"]`.
///
/// # Errors
/// The data is not a list of strings.
pub fn list<'de, D: Deserializer<'de>>(data: D) -> Result<Phrases<()>, D::Error> {
    Ok(Phrases::new(Vec::<String>::deserialize(data)?.into_iter().map(|phrase| (phrase, ()))))
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
    let pairs = lists.iter().flat_map(|(meaning, list)| list.iter().map(move |phrase| (phrase, meaning.clone())));
    Ok(Phrases::new(pairs))
}

/// A phrase as people type it who leave apostrophes out: "i cant remember", "wont". Not where a word alone is another one
/// without it ("we'll", "it's"), nor "we're".
fn without_apostrophes(phrase: &str) -> Option<String> {
    const SHORT_OF_IS: [&str; 6] = ["that", "there", "what", "where", "who", "let"];
    let phrase = phrase.replace('’', "'");
    let several = phrase.contains(' ');
    let bare = |word: &str| {
        let (stem, tail) = word.split_once('\'')?;
        let alone = tail == "t" && stem.ends_with('n') || tail == "s" && SHORT_OF_IS.contains(&stem);
        (alone || several && tail != "re").then(|| format!("{stem}{tail}"))
    };
    let words: Vec<String> = phrase.split(' ').map(|word| bare(word).unwrap_or_else(|| word.to_owned())).collect();
    Some(words.join(" ")).filter(|typed| *typed != phrase)
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let phrases =
            Phrases::new([("i can't remember", 1), ("don't", 2), ("we're off", 3), ("we'll", 4), ("that won’t be", 5)]);
        let meaning = |said: &str| phrases.at(&Said::new(said), 0).map(|(_, meaning)| *meaning);
        assert_eq!((meaning("I cant remember"), meaning("I can't remember")), (Some(1), Some(1)));
        assert_eq!((meaning("dont"), meaning("that wont be"), meaning("that won't be")), (Some(2), Some(5), Some(5)));
        assert_eq!((meaning("were off"), meaning("well")), (None, None));
    }
}
