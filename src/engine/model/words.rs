//! Words of a prompt: one line, one value, and how many tokens.

/// Longest text of an author that is told, in characters; a longer one is left out whole.
const LONGEST_TEXT: usize = 600;

/// Longest value that is told, in characters; of a longer one, that there is one.
const LONGEST_VALUE: usize = 200;

/// About how many tokens a text has: a token is rarely less than three and a half letters.
pub(crate) fn tokens(text: &str) -> usize {
    text.chars().count() * 2 / 7 + 1
}

/// An author's text on one line; nothing of one that is too long to be told, for a part of it may say something else.
pub(crate) fn line(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.chars().count() <= LONGEST_TEXT { text } else { String::new() }
}

/// A person's words on one line, or that there are many of them.
pub(crate) fn value(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let length = text.chars().count();
    if length <= LONGEST_VALUE { text } else { format!("({length} characters)") }
}
