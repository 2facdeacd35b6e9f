//! Every word that a language's file has anywhere. A word that it has not, in a message typed in small letters throughout, is
//! likely a name: "luci" in "a table for luci horsfield".

use std::collections::BTreeSet;
use std::sync::OnceLock;

use formwright_text::{Class, Said, stem};

use super::by_word::ByWord;

/// The words of a language file, gathered when they are first asked for.
#[derive(Debug)]
pub(crate) struct Known {
    text: &'static str,
    words: OnceLock<ByWord<()>>,
}

impl Known {
    pub(crate) fn of(text: &'static str) -> Self {
        Self { text, words: OnceLock::new() }
    }

    /// Whether the file has a word, as [`Said::plain`] has it, or one that it is made of: "find" of "finding".
    pub(crate) fn has(&self, plain: &str) -> bool {
        const ENDINGS: [&str; 2] = ["ing", "ed"];
        let words = self.words.get_or_init(|| gathered(self.text));
        let known = |word: &str| words.get(word).is_some();
        let made_of = |root: &str| {
            let doubled = root.char_indices().next_back().and_then(|(at, _)| root.get(..at));
            known(root) || doubled.is_some_and(known) || known(&format!("{root}e"))
        };
        known(plain) || known(stem(plain)) || ENDINGS.iter().filter_map(|end| plain.strip_suffix(end)).any(made_of)
    }
}

/// The words of all texts in a file, and those that its tables are of; not the names of what the tables are for, nor comments.
fn gathered(text: &str) -> ByWord<()> {
    let file: toml::Value = toml::from_str(text).unwrap_or_else(|e| panic!("a language's file: {e}"));
    let mut words = BTreeSet::new();
    gather(&file, &mut words);
    ByWord::new(words.into_iter().map(|word| (Box::from(word.as_str()), ())))
}

fn gather(value: &toml::Value, words: &mut BTreeSet<String>) {
    match value {
        toml::Value::String(text) => words.extend(letters(text)),
        toml::Value::Array(all) => all.iter().for_each(|value| gather(value, words)),
        toml::Value::Table(table) => {
            // Names of people and towns stand for letters: "Oscar", "Milano".
            // What is named by a sense may be a name as well: "Rossi", "Rose".
            for (key, value) in table.iter().filter(|(key, _)| !["alphabet", "sense"].contains(&key.as_str())) {
                // "one = 1", "fortnight = …": the key is the word.
                let is_word = !matches!(value, toml::Value::Array(_) | toml::Value::Table(_) | toml::Value::Boolean(_));
                if is_word && !key.contains('_') {
                    words.extend(letters(key));
                }
                gather(value, words);
            }
        }
        _ => {}
    }
}

/// The words of a text that are made of letters.
fn letters(text: &str) -> Vec<String> {
    let said = Said::new(text);
    let letters = |no: &usize| said.words.get(*no).is_some_and(|word| word.class == Class::Letters);
    (0..said.words.len()).filter(letters).map(|no| said.plain(no).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::language;

    #[rstest]
    #[case("en", "dinner")]
    #[case("en", "finding")]
    #[case("en", "dinners")]
    #[case("de", "morgen")]
    #[case("fr", "demain")]
    #[case("ar", "غدا")]
    fn words_of_the_file_are_known_and_names_are_not(#[case] tag: &str, #[case] known: &str) {
        assert!(language(tag).knows(known), "{known}");
        assert!(!language(tag).knows("horsfield"));
    }
}
