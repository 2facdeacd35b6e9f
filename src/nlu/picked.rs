//! The words around the name of a thing that somebody chooses: "let's watch …", "… sounds good", "… then, please".

use std::ops::Range;

use super::named_sort::{Sort, sort, sort_of};
use super::reader::{Clause, Reader};
use super::spans::Board;
use formwright_form::kind::{Said, Strength};
use formwright_lexicon::{Language, Phrases};

/// Most words of one thing that is said behind a name.
const MOST_TAIL: usize = 4;

/// Whether a message chooses the thing that was asked for by its name, so that it is no wish of another sort: "I want the
/// Roxy in Leeds".
pub(super) fn is_picked(reader: &Reader<'_>, labels: &[Said]) -> bool {
    let Some(words) = reader.telling().first().map(|clause| clause.words.clone()) else { return false };
    let picked = || {
        let start = lead(reader, words.clone())?;
        let name = start + reader.len(|lang| &lang.sentence.articles, start, words.end);
        (name < words.end && !is_no_name(reader, start, words.end)).then_some(name)
    };
    picked().is_some_and(|no| reader.is_capital(no) || reader.is_strange(no))
        && labels.iter().any(|label| sort_of(reader, label).is_some_and(|sort| sort != Sort::Thing))
}

/// Whether words of a message choose the thing that was asked for by its name.
pub(super) fn is_picked_of(reader: &Reader<'_>, board: &Board<'_>, words: &Range<usize>) -> bool {
    let Some(slot) = board.asked.and_then(|no| board.slots.get(no)) else { return false };
    if reader.telling().first().is_none_or(|clause| clause.words != *words) {
        return false;
    }
    let value = || {
        let behind = lead(reader, words.clone()).unwrap_or(words.start)..words.end;
        board.cands.iter().any(|cand| cand.strength > Strength::Weak && behind.contains(&cand.words.start))
    };
    sort(reader, slot).is_some() && is_picked(reader, slot.labels) && !value()
}

/// Where a name starts behind words that choose it, "let's watch": `None` where there are none.
pub(super) fn lead(reader: &Reader<'_>, words: Range<usize>) -> Option<usize> {
    let end = words.end;
    let picks = |no: usize| {
        let picks = reader.len(|lang| &lang.naming.picks, no, end).max(reader.len(|lang| &lang.naming.leads, no, end));
        let next = no + picks;
        let deed =
            reader.len(|lang| &lang.naming.visits, next, end).max(reader.len(|lang| &lang.naming.starts, next, end));
        // "See How They Run" is a title.
        let title = picks + deed == 1 && reader.is_capital(no) && reader.is_capital(no + 1);
        let title = title || (no + 1..next + deed).any(|no| reader.is_capital(no) && !is_speaker(reader, no));
        // "See no evil" may be one.
        let only = picks == 0 && (reader.is_idle(next + deed) || reader.is_negation(next + deed, end));
        if title || only { 0 } else { picks + deed }
    };
    let first = words.start;
    let filler = reader.past_filler(words);
    // "Ok The Revenant".
    if !reader.is_capital(first) && filler > first && filler < end && reader.is_capital(filler) && picks(filler) == 0 {
        return Some(filler);
    }
    let start = [first, filler].into_iter().find(|no| picks(*no) > 0)?;
    let past = start + picks(start);
    (past < end).then_some(past)
}

fn is_speaker(reader: &Reader<'_>, no: usize) -> bool {
    reader.is_idle(no) && reader.said.word(no).starts_with('i')
}

/// Where a title starts behind words for going to see it: "4 tickets to Nightfall".
pub(super) fn visit(reader: &Reader<'_>, words: Range<usize>) -> Option<usize> {
    let end = words.end;
    let visits = |no: usize| Some(reader.len(|lang| &lang.naming.visits, no, end)).filter(|len| *len > 1);
    let before = words.take_while(|no| !reader.is_capital(*no) || is_speaker(reader, *no));
    let start = before.into_iter().find_map(|no| visits(no).map(|len| no + len)).filter(|start| *start < end)?;
    (!is_no_name(reader, start, end)).then_some(start)
}

/// Where the name of a house starts behind words for going there: "book the Roxy", "yes, the Roxy".
pub(super) fn booking(reader: &Reader<'_>, words: Range<usize>) -> Option<usize> {
    let end = words.end;
    let lead = |no: usize| {
        let len = |table: fn(&Language) -> &Phrases<()>| reader.len(table, no, end);
        let lead =
            len(|lang| &lang.naming.wants).max(len(|lang| &lang.naming.sought)).max(len(|lang| &lang.naming.spends));
        lead.max(reader.agrees(no, end))
    };
    let from = [words.start, reader.past_filler(words)].into_iter().find(|no| lead(*no) > 0)?;
    let start = from + lead(from);
    (start < end
        && (!reader.is_capital(start - 1) || from == 0 && !reader.is_capital(start))
        && !is_no_name(reader, start, end))
    .then_some(start)
}

/// Whether what follows words that choose something names nothing: "to know", "you", "a table".
pub(super) fn is_no_name(reader: &Reader<'_>, start: usize, end: usize) -> bool {
    let article = reader.len(|lang| &lang.sentence.articles, start, end);
    let len = |table: fn(&Language) -> &Phrases<()>| reader.len(table, start, end);
    let verb = len(|lang| &lang.option.doing).max(len(|lang| &lang.option.object)) > 0;
    let noun = reader.len(|lang| &lang.naming.general, start + article, end) > 0;
    !reader.is_capital(start) && (verb || noun || article == 0 && reader.is_of_number(start))
}

/// The words from one on that say that something pleases, "sounds pretty good": where they end.
pub(super) fn pleases(reader: &Reader<'_>, no: usize, end: usize) -> Option<usize> {
    if reader.is_capital(no) {
        return None;
    }
    let whole = reader.len(|lang| &lang.naming.pleases, no, end);
    if whole > 0 {
        return Some(no + whole);
    }
    let seems = reader.len(|lang| &lang.naming.seems, no, end);
    let is = if seems == 0 && reader.is_copula(no, end) { reader.len(|lang| &lang.sentence.is, no, end) } else { 0 };
    let mut at = no + seems.max(is);
    while at < end && at > no {
        let len = |table: fn(&Language) -> &Phrases<()>| reader.len(table, at, end);
        let praise = len(|lang| &lang.sentence.praise).max(len(|lang| &lang.sentence.granted));
        let degree = len(|lang| &lang.option.degree)
            .max(len(|lang| &lang.sentence.articles))
            .max(len(|lang| &lang.naming.likens));
        let next = at + praise;
        // "Is a good choice": a praise alone may end a title, "life is beautiful".
        let choice = reader.len(|lang| &lang.option.one, next, end);
        let last = seems > 0 && (next == end || reader.is_mark(next) || reader.is_idle(next));
        match (praise, degree) {
            (len, _) if len > 0 && choice > 0 => return Some(next + choice),
            (len, _) if len > 0 && last => return Some(next),
            (_, len) if len > 0 => at += len,
            _ => return None,
        }
    }
    None
}

/// Where words end without thanks and the like behind them.
pub(super) fn without_tail(reader: &Reader<'_>, words: Range<usize>) -> usize {
    let Range { start, mut end } = words;
    let tail = |no: usize, end: usize| {
        let len = |table: fn(&Language) -> &Phrases<()>| reader.len(table, no, end);
        let len =
            len(|lang| &lang.frame.tail).max(len(|lang| &lang.sentence.courtesy)).max(len(|lang| &lang.naming.closes));
        let len = if reader.is_capital(no) { 0 } else { len };
        len > 0 && no + len == end
    };
    while end > start {
        match (end.saturating_sub(MOST_TAIL).max(start + 1)..end).find(|no| tail(*no, end)) {
            Some(no) => end = no,
            None if reader.is_mark(end - 1) => end -= 1,
            None => break,
        }
    }
    end
}

/// Whether a clause says something in a sentence, and is no name: "I'm not sure", "it depends".
pub(super) fn talks(reader: &Reader<'_>, clause: &Clause) -> bool {
    let words = clause.words.clone();
    let first = reader.past_filler(words.clone());
    let article = reader.len(|lang| &lang.sentence.articles, first, words.end) > 0;
    let begins = |table: fn(&Language) -> &Phrases<()>| reader.begins(table, words.clone());
    let subject = !article && begins(|lang| &lang.brief.subject) || begins(|lang| &lang.sentence.speaker);
    let denies = words.clone().any(|no| reader.is_negation(no, words.end) && !reader.is_capital(no));
    clause.question
        || subject
        || denies
        || begins(|lang| &lang.option.open)
        || begins(|lang| &lang.option.vague)
        || begins(|lang| &lang.sentence.request)
        || begins(|lang| &lang.sentence.courtesy)
}
