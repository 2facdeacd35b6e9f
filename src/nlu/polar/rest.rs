//! What is said of the rest beside what was not understood: "I smoke, the rest no".

use std::ops::Range;

use super::super::reader::Reader;

/// Whether words that were not understood may say what is no part of the rest: they stand right before what is said of it
/// in the same sentence, or begin with yes or no.
pub(in super::super) fn is_unclear(reader: &Reader<'_>, leftover: &[Range<usize>]) -> bool {
    let says_rest = |words: Range<usize>| {
        let end = words.end;
        let rest = |no: usize| {
            reader.len(|lang| &lang.control.rest, no, end).max(reader.len(|lang| &lang.option.all, no, end)) > 0
        };
        words.into_iter().any(rest)
    };
    let Some(rest) = reader.clauses.iter().position(|clause| says_rest(clause.words.clone())) else { return false };
    leftover.iter().any(|span| {
        let no = reader.clause_of(reader.words_of(span).start);
        let Some(clause) = reader.clauses.get(no) else { return false };
        let firm = reader.len(|lang| &lang.yes_no.firm, clause.words.start, clause.words.end) > 0;
        let joined = no <= rest && reader.clauses.get(no..rest).is_some_and(|between| between.iter().all(|c| !c.stop));
        no < rest && joined || no != rest && firm
    })
}
