//! The regular expressions of a form: bounded one by one and together, and each made once however often it is written.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use regex::{Regex, RegexBuilder};

/// Most different expressions in one form, a large one counting as [`WEIGHT`]: a short one can compile to a hundred thousand
/// times its length.
const MOST: usize = 64;
/// Greatest size of one in a condition, compiled, in bytes; beyond it one is large.
const SMALL: usize = 256 * 1024;
/// Greatest size of one that a whole answer must have: forty letters of any script take two megabytes.
const LARGE: usize = 4 * 1024 * 1024;
const WEIGHT: usize = 4;
/// What one may keep beside, from one text to the next, in bytes.
const BESIDE: usize = 128 * 1024;
/// Greatest depth of brackets in brackets.
const DEPTH: u32 = 64;

/// What became of an expression.
type Made = Result<Arc<Regex>, regex::Error>;

/// The expressions of one form, as they come up.
#[derive(Debug, Default)]
pub struct Patterns {
    made: RefCell<BTreeMap<String, Made>>,
    large: Cell<usize>,
}

/// Why there is no expression.
#[derive(Debug, thiserror::Error)]
pub enum NoPattern {
    /// It is not written as it should be, or is too large.
    #[error(transparent)]
    Broken(regex::Error),
    /// The form has too many others.
    #[error("a form has at most {MOST} different patterns; a large one counts as {WEIGHT}")]
    TooMany,
}

impl Patterns {
    /// The expression of a condition.
    pub(crate) fn get(&self, source: &str) -> Result<Arc<Regex>, NoPattern> {
        self.once(source, || build(source, SMALL))
    }

    /// The expression that a whole answer must have, anchored at both ends.
    pub(crate) fn whole(&self, source: &str) -> Result<Arc<Regex>, NoPattern> {
        let whole = format!("^(?:{source})$");
        self.once(&whole, || {
            // By itself first: with brackets around, `a)(b` would be one, and a fault would stand elsewhere.
            if let Err(error) = build(source, SMALL) {
                if !matches!(error, regex::Error::CompiledTooBig(_)) {
                    return Err(error);
                }
                self.large.update(|large| large + 1);
            }
            build(&whole, LARGE)
        })
    }

    fn once(&self, source: &str, make: impl FnOnce() -> Result<Regex, regex::Error>) -> Result<Arc<Regex>, NoPattern> {
        let mut known = self.made.borrow_mut();
        let weight = known.len() + self.large.get() * (WEIGHT - 1);
        let made = match known.entry(source.to_owned()) {
            Entry::Vacant(_) if weight >= MOST => return Err(NoPattern::TooMany),
            Entry::Vacant(room) => room.insert(make().map(Arc::new)),
            Entry::Occupied(made) => made.into_mut(),
        };
        made.clone().map_err(NoPattern::Broken)
    }
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
            assert!(patterns.get(&format!("a{{{no}}}")).is_ok());
        }
        assert!(matches!(patterns.get("one more"), Err(NoPattern::TooMany)));
        assert!(patterns.get(r"\d+").is_ok(), "what is there stays");
    }

    #[test]
    fn of_large_ones_a_form_has_fewer() {
        let patterns = Patterns::default();
        for no in 1..=MOST / WEIGHT {
            assert!(patterns.whole(&format!(r"\w{{{no},20}}")).is_ok(), "{no}");
        }
        assert!(matches!(patterns.whole("one more"), Err(NoPattern::TooMany)));
    }

    #[test]
    fn a_usual_shape_of_an_answer_is_not_too_large() {
        let patterns = Patterns::default();
        for usual in [r"\w{3,20}", r"[A-Z]{2}\d{4}", r"[\p{L}' -]{1,40}", r"(\d{4}-){3}\d{4}"] {
            assert!(patterns.whole(usual).is_ok(), "{usual}");
        }
        for broken in [r"\w{1,500}", "a)(b"] {
            assert!(matches!(patterns.whole(broken), Err(NoPattern::Broken(_))), "{broken}");
        }
    }
}
