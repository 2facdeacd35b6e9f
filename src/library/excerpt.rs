//! What is quoted of a passage.

use super::words::{is_same, words};

/// Longest quote, in characters, but for a first sentence that is longer.
const LONGEST: usize = 420;
/// Marks that end a sentence, before a space.
const ENDS: [char; 5] = ['.', '!', '?', '…', '؟'];

/// As much of a passage as can be quoted: from the sentence, line or row that a question is about, to the end of one. What
/// is left out is told by dots.
pub(super) fn excerpt(text: &str, terms: &[&str]) -> String {
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    let units = units(text);
    let hits = |unit: &str| {
        let words = words(unit);
        terms.iter().filter(|term| words.iter().any(|word| is_same(word, term))).count()
    };
    let most = units.iter().map(|unit| hits(unit)).max().unwrap_or(0);
    let mut start = units.iter().position(|unit| hits(unit) == most).unwrap_or(0);
    let length = |range: std::ops::Range<usize>| {
        units.get(range).unwrap_or_default().iter().map(|unit| unit.chars().count()).sum::<usize>()
    };
    // What comes before a sentence often says what it speaks of.
    if length(0..start + 1) <= LONGEST {
        start = 0;
    }
    let mut end = start + 1;
    while end < units.len() && length(start..end + 1) <= LONGEST {
        end += 1;
    }
    let told = units.get(start..end).unwrap_or_default().concat();
    let before = if start > 0 { "… " } else { "" };
    let after = if end < units.len() { " …" } else { "" };
    format!("{before}{}{after}", told.trim())
}

/// The sentences of a text, each with the space behind it; a line is one at least.
fn units(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut chars = text.char_indices().peekable();
    let mut ended = false;
    while let Some((at, c)) = chars.next() {
        if ended && !c.is_whitespace() {
            found.extend(text.get(start..at));
            (start, ended) = (at, false);
        }
        let next = chars.peek().map(|(_, next)| *next);
        ended |= c == '\n' || ENDS.contains(&c) && next.is_none_or(char::is_whitespace);
    }
    found.extend(text.get(start..).filter(|rest| !rest.is_empty()));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_passage_is_cut_between_sentences_around_what_is_asked() {
        let filler =
            "Nothing of this has to do with what was asked, though it is long enough to fill a line. ".repeat(6);
        let text = format!("{filler}A pallet weighs 800 kilograms at most. {filler}");
        let quote = excerpt(text.trim(), &["pallet"]);
        assert!(quote.starts_with("… A pallet weighs 800 kilograms at most."), "{quote}");
        assert!(quote.ends_with("fill a line. …") && quote.chars().count() <= LONGEST + 4, "{quote}");
        assert_eq!(excerpt("Short. And whole.", &["whole"]), "Short. And whole.");
    }

    #[test]
    fn rows_are_not_parted() {
        let row = "- Box: up to twenty kilograms and one metre, from Monday to Friday only\n";
        let text = format!("{}- Pallet: 800 kg\n{}", row.repeat(7), row.repeat(7));
        let quote = excerpt(text.trim(), &["pallet"]);
        assert!(quote.starts_with("… - Pallet: 800 kg\n- Box") && quote.ends_with("only …"), "{quote}");
    }
}
