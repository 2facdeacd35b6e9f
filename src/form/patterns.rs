//! The regular expressions of a form: bounded one by one and together, and each made once however often it is written.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use regex::{Regex, RegexBuilder};

/// Most different expressions in one form: a short one can compile to a hundred thousand times its length.
pub(crate) const MOST: usize = 64;
/// Greatest size of one in a condition, compiled, in bytes; and of one that a whole answer must have.
const IN_A_CONDITION: usize = 256 * 1024;
const OF_AN_ANSWER: usize = 1024 * 1024;
/// What one may keep beside, from one text to the next, in bytes.
const BESIDE: usize = 128 * 1024;
/// Greatest depth of brackets in brackets.
const DEPTH: u32 = 64;

/// What became of an expression.
type Made = Result<Arc<Regex>, regex::Error>;

/// The expressions of one form, as they come up; those of whole answers are only counted.
#[derive(Debug, Default)]
pub(crate) struct Patterns(RefCell<BTreeMap<String, Option<Made>>>);

/// Why there is no expression.
#[derive(Debug)]
pub(crate) enum NoPattern {
    /// It is not written as it should be, or is too large.
    Broken(regex::Error),
    /// The form has [`MOST`] others.
    TooMany,
}

impl Patterns {
    /// The expression of a condition.
    pub(crate) fn get(&self, source: &str) -> Result<Arc<Regex>, NoPattern> {
        if !self.admits(source) {
            return Err(NoPattern::TooMany);
        }
        let mut known = self.0.borrow_mut();
        let made = known.entry(source.to_owned()).or_default();
        let made = made.get_or_insert_with(|| build(source, IN_A_CONDITION).map(Arc::new));
        made.clone().map_err(NoPattern::Broken)
    }

    /// Counts an expression; false where it is one too many.
    pub(crate) fn admits(&self, source: &str) -> bool {
        let mut known = self.0.borrow_mut();
        let room = known.len() < MOST || known.contains_key(source);
        if room {
            known.entry(source.to_owned()).or_default();
        }
        room
    }
}

/// The expression that a whole answer must have, anchored at both ends.
///
/// # Errors
/// It is not a regular expression, or too large.
pub(crate) fn whole(source: &str) -> Result<Regex, regex::Error> {
    // By itself first: with brackets around, `a)(b` would be one, and a fault would stand elsewhere.
    build(source, OF_AN_ANSWER)?;
    build(&format!("^(?:{source})$"), OF_AN_ANSWER)
}

fn build(source: &str, most: usize) -> Result<Regex, regex::Error> {
    RegexBuilder::new(source).size_limit(most).dfa_size_limit(BESIDE).nest_limit(DEPTH).build()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expression_is_made_once_and_a_form_has_so_many() {
        let patterns = Patterns::default();
        let first = patterns.get(r"\d+").unwrap();
        assert!(Arc::ptr_eq(&first, &patterns.get(r"\d+").unwrap()));
        for no in 1..MOST {
            assert!(patterns.admits(&format!("a{{{no}}}")));
        }
        assert!(matches!(patterns.get("one more"), Err(NoPattern::TooMany)));
        assert!(patterns.get(r"\d+").is_ok(), "what is there stays");
    }

    #[test]
    fn a_usual_shape_of_an_answer_is_no_large_one() {
        for usual in [r"\w{3,20}", r"[A-Z]{2}\d{4}", r"[\p{L}' -]{1,40}", r"(\d{4}-){3}\d{4}"] {
            assert!(whole(usual).is_ok(), "{usual}");
        }
        assert!(whole(r"\w{1,500}").is_err());
        assert!(whole("a)(b").is_err());
    }
}
