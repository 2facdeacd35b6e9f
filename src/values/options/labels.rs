//! Everything the options of a choice are called: labels, parts of labels, synonyms and ids.

use std::ops::Range;

use formwright_text::Tokens;

use crate::reading::Context;

/// Everything options are called.
pub(crate) struct Phrases {
    pub(crate) tokens: Tokens,
    pub(crate) list: Vec<Phrase>,
}

pub(crate) struct Phrase {
    pub(crate) option: usize,
    pub(crate) tokens: Range<usize>,
    /// It is a label or part of one, of which a telling word may stand for the whole; of a synonym none does.
    pub(crate) is_label: bool,
}

impl Phrases {
    pub(crate) fn new(cx: &Context<'_>) -> Self {
        let mut phrases = Self { tokens: Tokens::new(cx.lang.code), list: Vec::new() };
        for (no, option) in cx.options.iter().enumerate() {
            phrases.add(no, &option.label, true);
            for part in parts(&option.label) {
                phrases.add(no, part, true);
            }
            for synonym in &option.synonyms {
                phrases.add(no, synonym, false);
            }
            // An id without letters is a number from some table; people do not know it, and it would be mistaken for the
            // option's place.
            if option.id.as_str().contains(|c: char| c.is_alphabetic()) {
                phrases.add(no, &option.id.as_str().replace('_', " "), false);
            }
        }
        phrases
    }

    fn add(&mut self, option: usize, phrase: &str, is_label: bool) {
        let tokens = self.tokens.push_label(phrase);
        let of_option = self.list.iter().rev().take_while(|known| known.option == option);
        // An id is often its label once more.
        let known = of_option.into_iter().any(|known| self.tokens.are_alike(&known.tokens, &tokens));
        if !tokens.is_empty() && !known {
            self.list.push(Phrase { option, tokens, is_label });
        }
    }
}

/// The parts of a label that name the option by themselves: "Large" of "Large (40 cm)", both of "Road / طريق".
fn parts(label: &str) -> impl Iterator<Item = &str> {
    const MARKS: [&str; 7] = [" / ", " | ", " - ", " – ", " — ", ": ", "("];
    let plain = label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b' ');
    let has_parts = !plain && label.len() < 200 && MARKS.iter().any(|mark| label.contains(mark));
    let mut rest = if has_parts { label } else { "" };
    std::iter::from_fn(move || {
        while !rest.is_empty() {
            let cut = MARKS.iter().filter_map(|mark| Some((rest.find(mark)?, mark.len()))).min();
            let (part, after) = cut.map_or((rest, ""), |(at, len)| (&rest[..at], &rest[at + len..]));
            rest = after;
            let part = part.trim_matches(|c: char| c.is_whitespace() || c == '(' || c == ')');
            if part.contains(char::is_alphabetic) {
                return Some(part);
            }
        }
        None
    })
}
