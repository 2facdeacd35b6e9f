//! What a field is called.

use std::collections::BTreeSet;

use formwright_text::{Said, stem};

use crate::Text;

/// The names of a field: its label in every language, and the words of its id.
pub(super) fn of(id: &str, label: &Text) -> Vec<Said> {
    let mut spaced = String::with_capacity(id.len() + 4);
    let mut lower = false;
    for c in id.chars() {
        if lower && c.is_uppercase() {
            spaced.push(' ');
        }
        lower = c.is_lowercase();
        spaced.push(if c == '_' || c == '-' { ' ' } else { c });
    }
    std::iter::once(Said::new(&spaced)).chain(label.by_lang.values().map(|label| Said::new(label))).collect()
}

/// Adds the stems of a text's words.
pub(super) fn add_stems(stems: &mut BTreeSet<String>, text: &str) {
    let said = Said::new(text);
    stems.extend((0..said.words.len()).map(|no| stem(said.plain(no)).to_owned()));
}
