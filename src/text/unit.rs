//! What a form's author calls the things that a number counts, as it stands in a message.

use unicode_normalization::UnicodeNormalization as _;

use crate::said::Said;

/// How many words of an author's phrase start at a word; none where it does not stand there.
pub fn phrase_at(said: &Said, no: usize, phrase: &str) -> Option<usize> {
    let mut count = 0;
    for part in phrase.split_whitespace() {
        if !is_same(said.plain(no + count), part) {
            return None;
        }
        count += 1;
    }
    (count > 0).then_some(count)
}

/// Whether a plain word is a unit's word, in the singular or plural of the languages that put an s.
pub fn is_same(plain: &str, unit: &str) -> bool {
    let same = |a: &str, b: &str| {
        if b.is_ascii() {
            a.eq_ignore_ascii_case(b)
        } else {
            let folded = b.nfd().filter(|&c| !unicode_normalization::char::is_combining_mark(c));
            a.chars().eq(folded.flat_map(char::to_lowercase))
        }
    };
    let cut = |word: &str, end: &str| word.len() > end.len() + 1 && word.to_ascii_lowercase().ends_with(end);
    same(plain, unit)
        || ["s", "es"].into_iter().any(|end| {
            (cut(plain, end) && same(&plain[..plain.len() - end.len()], unit))
                || (cut(unit, end) && same(plain, &unit[..unit.len() - end.len()]))
        })
}
