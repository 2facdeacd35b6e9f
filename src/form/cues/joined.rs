//! Names that are written in one word or in two: "user name" of a username, "zipcode" of a zip code.

use formwright_text::{Said, stem};

use super::Mention;
use crate::field_no::FieldNo;

/// Least letters of each of the two.
const LEAST: usize = 3;

/// A name as one word.
#[derive(Clone, Debug)]
pub(super) struct Joined {
    word: String,
    field: FieldNo,
    /// The field has it in two words.
    apart: bool,
}

/// The name of a field in one word, by the stems of its words.
pub(super) fn of(stems: &[String], field: FieldNo) -> Option<Joined> {
    let long = stems.iter().all(|word| word.is_ascii() && word.len() >= LEAST);
    let apart = stems.len() == 2;
    let word = stems.concat();
    (long && (apart || stems.len() == 1 && word.len() >= 2 * LEAST)).then_some(Joined { word, field, apart })
}

/// The names that start at a word, each in the other way of writing it.
pub(super) fn at<'a>(all: &'a [Joined], said: &'a Said, no: usize) -> impl Iterator<Item = Mention> + 'a {
    let plain = said.plain(no);
    all.iter().filter_map(move |name| {
        let len = if name.apart {
            usize::from(stem(plain) == name.word)
        } else {
            let rest = name.word.strip_prefix(plain).filter(|rest| rest.len() >= LEAST && plain.len() >= LEAST);
            if rest.is_some_and(|rest| rest == stem(said.plain(no + 1))) { 2 } else { 0 }
        };
        let words = no..no + len;
        (len > 0).then_some(Mention { field: name.field, words, weight: 1.0, cue: false, unit: false })
    })
}
