//! How far a yes or no reaches over names that are enumerated: "no smoking and wifi", "no pets, smoking or parties".

use std::ops::Range;

use super::super::reader::Reader;
use super::names::Names;

/// Whether a clause begins with a plain no right before a name: "no smoking", not "no to smoking".
pub(super) fn is_bare(reader: &Reader<'_>, names: &Names<'_, '_>, words: &Range<usize>) -> bool {
    let start = reader.past_filler(words.clone());
    let no = reader.len(|lang| &lang.yes_no.no, start, words.end);
    let there = reader.at(|lang| &lang.control.there, start, words.end).filter(|(_, yes)| !**yes);
    let len = no.max(there.map_or(0, |(len, _)| len));
    len > 0 && names.at(start + len, words.end).is_some()
}

/// Whether a clause says by itself that what it names is wanted: "with wifi", "just wifi", "wifi please".
pub(super) fn wants(reader: &Reader<'_>, words: &Range<usize>) -> bool {
    words.clone().any(|no| {
        let wished = reader.len(|lang| &lang.sentence.wished, no, words.end);
        wished > 0 && no + wished == words.end || wishes_at(reader, no, words.end) > 0
    })
}

/// The words at a word that say that what follows is wanted: "with", "need", "only".
pub(super) fn wishes_at(reader: &Reader<'_>, no: usize, end: usize) -> usize {
    let with = reader.len(|lang| &lang.sentence.with, no, end).max(reader.len(|lang| &lang.everyday.has, no, end));
    with.max(reader.len(|lang| &lang.sentence.only, no, end))
}

/// Whether "or" joins what a clause, or one that goes on in the same sentence, names: "no pets, smoking or parties".
pub(super) fn ends_in_or(reader: &Reader<'_>, no: usize) -> bool {
    for clause in reader.clauses.iter().skip(no) {
        if joins_by_or(reader, &clause.words) {
            return true;
        }
        if clause.stop {
            break;
        }
    }
    false
}

pub(super) fn joins_by_or(reader: &Reader<'_>, words: &Range<usize>) -> bool {
    let or = |no: usize| {
        let or = reader.len(|lang| &lang.sentence.or, no, words.end);
        or.max(reader.len(|lang| &lang.option.or, no, words.end)) > 0
    };
    words.clone().any(or)
}
