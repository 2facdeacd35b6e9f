//! Words for the same thing in questions and documents, as data: `alike.toml`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::words::{is_same, parts, words};
use formwright_form::kind::Said;
use formwright_lexicon::{Language, Phrases};

/// Longest word that is met in no other form of it.
const SHORT: usize = 4;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    little: Vec<String>,
    same: Vec<Vec<String>>,
}

struct Words {
    little: Vec<String>,
    /// The single words of each row.
    rows: Vec<Vec<String>>,
    /// Which row a word or phrase is in.
    phrases: Phrases<usize>,
}

static WORDS: LazyLock<BTreeMap<String, Words>> = LazyLock::new(|| {
    // The file is part of the program, and a test reads it.
    let files: BTreeMap<String, File> = toml::from_str(include_str!("alike.toml")).unwrap_or_default();
    files.into_iter().map(|(lang, file)| (lang, Words::new(&file))).collect()
});

impl Words {
    fn new(file: &File) -> Self {
        let single = |row: &Vec<String>| {
            row.iter().map(|phrase| words(phrase)).filter(|words| words.len() == 1).flatten().collect()
        };
        let phrases = file.same.iter().enumerate().flat_map(|(no, row)| row.iter().map(move |phrase| (phrase, no)));
        Self {
            little: file.little.iter().flat_map(|word| words(word)).collect(),
            rows: file.same.iter().map(single).collect(),
            phrases: Phrases::new(phrases),
        }
    }
}

/// How many words from here on are a word or phrase of a row, and the words for it: the one that was said first.
pub(super) fn at(lang: &Language, said: &Said, no: usize) -> Option<(usize, Vec<String>)> {
    let words = WORDS.get(lang.code)?;
    let own = parts(said.plain(no)).pop()?;
    let (len, row) = match words.phrases.at(said, no) {
        Some((len, row)) => (len, *row),
        None if own.chars().count() <= SHORT => return None,
        None => (1, words.rows.iter().position(|row| row.iter().any(|word| is_same(word, &own)))?),
    };
    let row = words.rows.get(row)?;
    let own = Some(own).filter(|_| len == 1);
    let others = row.iter().filter(|word| own.as_ref() != Some(*word));
    Some((len, own.iter().chain(others).cloned().collect()))
}

/// Whether a word of a question says next to nothing.
pub(super) fn is_little(lang: &Language, word: &str) -> bool {
    WORDS.get(lang.code).is_some_and(|words| words.little.iter().any(|little| little == word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use formwright_lexicon as language;

    #[test]
    fn every_language_has_rows_of_words_that_stand_once() {
        for lang in language::all() {
            let words = WORDS.get(lang.code).unwrap();
            assert!(words.rows.iter().all(|row| !row.is_empty()), "{}", lang.code);
            let mut all: Vec<&String> = words.rows.iter().flatten().collect();
            let count = all.len();
            all.sort();
            all.dedup();
            assert_eq!(all.len(), count, "{}", lang.code);
        }
    }

    #[test]
    fn a_word_is_met_in_all_its_forms_and_phrases_as_a_whole() {
        let found = |text: &str| at(language::english(), &Said::new(text), 0);
        assert_eq!(
            found("compensated at once").map(|(len, words)| (len, words[0].clone())),
            Some((1, "compensated".to_owned()))
        );
        assert_eq!(found("money back").map(|(len, words)| (len, words[0].clone())), Some((2, "refund".to_owned())));
        assert_eq!(found("money"), None);
    }
}
