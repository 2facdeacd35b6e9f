//! What the parts of a form are made with, and how they report what is wrong.

use std::ops::Range;

use formwright_form::field::FieldNo;
use formwright_form::logic::Names;
use formwright_form::patterns::Patterns;
use formwright_form::problem::{Problem, Problems};

use crate::moment;
use crate::node::Node;

/// What the parts of a form are made with.
pub(super) struct Lower<'a> {
    /// The file.
    pub(super) source: &'a str,
    /// What was found wrong.
    pub(super) problems: Problems,
    /// Names of the fields.
    pub(super) names: Names,
    /// The regular expressions that came up.
    pub(super) patterns: Patterns,
    /// The field whose texts are read; none at the top of the form.
    pub(super) at: Option<FieldNo>,
    /// What the text that is read may show beside answers.
    pub(super) shown: Vec<String>,
    /// Languages of texts, in the order in which they came up.
    pub(super) languages: Vec<String>,
    /// Texts given by language, and where, to find the languages they lack.
    pub(super) translated: Vec<(Range<usize>, Vec<String>)>,
    /// Texts given in one language, and a word on each.
    pub(super) plain: Vec<(Range<usize>, &'static str)>,
}

impl<'a> Lower<'a> {
    /// Nothing made yet of a file.
    pub(super) fn new(source: &'a str) -> Self {
        Self {
            source,
            problems: Vec::new(),
            names: Names::default(),
            patterns: Patterns::default(),
            at: None,
            shown: Vec::new(),
            languages: Vec::new(),
            translated: Vec::new(),
            plain: Vec::new(),
        }
    }
}

impl Lower<'_> {
    /// How long something is kept, in seconds.
    pub(super) fn kept(&mut self, length: Option<&Node>) -> Option<u64> {
        let seconds = seconds(length);
        if let (Some(0), Some(node)) = (seconds, length) {
            let message = "what is kept for no time is gone before it is used".to_owned();
            self.error(&node.span, "form::bad_length", message, "no time", "write how long, `1h` or `7d`");
        }
        seconds
    }

    pub(super) fn error(&mut self, span: &Range<usize>, code: &'static str, message: String, label: &str, help: &str) {
        self.problems.push(Problem::error(code, message).at(span.clone(), label).help(help));
    }

    pub(super) fn warn(&mut self, span: &Range<usize>, code: &'static str, message: String, label: &str, help: &str) {
        self.problems.push(Problem::warning(code, message).at(span.clone(), label).help(help));
    }

    /// Reports two things given where only one may be.
    pub(super) fn either(&mut self, message: String, second: &Range<usize>, first: &Range<usize>) {
        let problem = Problem::error("form::two_sources", message).at(second.clone(), "this one too");
        self.problems.push(problem.at(first.clone(), "this one").help("take one of the two out"));
    }

    /// Reports a name given again.
    pub(super) fn twice(
        &mut self,
        code: &'static str,
        message: String,
        again: &Range<usize>,
        first: &Range<usize>,
        help: &str,
    ) {
        let problem = Problem::error(code, message).at(again.clone(), "again here").at(first.clone(), "first here");
        self.problems.push(problem.help(help));
    }
}

/// A length of time in seconds.
pub(super) fn seconds(length: Option<&Node>) -> Option<u64> {
    length.and_then(Node::text).and_then(moment::length).and_then(|length| u64::try_from(length).ok())
}
