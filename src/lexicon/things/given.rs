//! Given names: evidence that a word which nothing announces names somebody. Never needed for it: most names are not here.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use formwright_text::Said;

use crate::by_word::ByWord;

/// Whether a word (see [`Said::plain`]) is a common given name.
pub fn is_given(plain: &str) -> bool {
    NAMES.get(plain).is_some()
}

static NAMES: LazyLock<ByWord<()>> = LazyLock::new(|| {
    // The file is part of the program and a test reads it.
    let file: BTreeMap<String, Vec<String>> =
        toml::from_str(include_str!("given.toml")).unwrap_or_else(|e| panic!("given.toml: {e}"));
    let names: BTreeSet<Box<str>> = file.into_values().flatten().map(|name| Said::new(&name).plain(0).into()).collect();
    ByWord::new(names.into_iter().map(|name| (name, ())))
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn given_names_are_no_words() {
        for name in ["samantha", "jose", "Jürgen", "giulia", "fatima", "priya", "محمد"] {
            assert!(is_given(Said::new(name).plain(0)), "{name}");
        }
        for word in
            ["will", "mark", "may", "rose", "hope", "art", "faith", "grant", "paris", "austin", "mercedes", "mia"]
        {
            assert!(!is_given(word), "{word}");
        }
    }

    #[test]
    fn no_given_name_is_a_month_a_number_or_a_small_word() {
        for lang in crate::all() {
            for (name, ()) in NAMES.entries() {
                assert!(lang.sentence.stop.word(name).is_none(), "{name} ({})", lang.code);
                assert!(lang.number.atoms.word(name).is_none(), "{name} ({})", lang.code);
                assert!(!lang.tells_time(name), "{name} ({})", lang.code);
            }
        }
    }
}
