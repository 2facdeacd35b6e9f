//! Names with a question mark that the same person answers: "Wifi? Yes. Parking? No."

use super::super::reader::{Clause, Reader};
use super::names::Names;
use super::{Token, tokens};

/// Whether a clause names a field with a question mark, and the next one begins with what is said of it.
pub(super) fn is_answered(reader: &Reader<'_>, names: &Names<'_, '_>, no: usize) -> bool {
    let [Some(clause), Some(next)] = [no, no + 1].map(|no| reader.clauses.get(no)) else { return false };
    let named = || {
        let tokens = tokens(reader, names, clause);
        tokens.is_some_and(|tokens| {
            let before = tokens.split_last().map(|(_, before)| before);
            matches!(tokens.last(), Some(Token::Name(_))) && matches!(before, Some([] | [Token::Says(_)]))
        })
    };
    let says = || match tokens(reader, names, next) {
        Some(tokens) => matches!(tokens.first(), Some(Token::Says(_))),
        None => answer(reader, next).is_some(),
    };
    clause.tentative && named() && says()
}

/// What a clause says where it is an answer and nothing else: "none", "not really".
pub(super) fn answer(reader: &Reader<'_>, clause: &Clause) -> Option<bool> {
    let end = clause.words.end;
    let start = reader.past_filler(clause.words.clone());
    let no = reader.len(|lang| &lang.yes_no.no, start, end);
    let nobody = reader.len(|lang| &lang.yes_no.nobody, start, end);
    let yes = reader.agrees(start, end);
    let len = no.max(yes).max(nobody);
    let alone = len > 0 && (start + len..end).all(|no| reader.is_idle(no));
    let unsure = reader.len(|lang| &lang.yes_no.unsure, start, end) >= len;
    (alone && !unsure).then_some(yes > no.max(nobody))
}
