//! The name of a thing that was asked for, among other words: "let's watch Nightfall", "Nightfall sounds good", "the movie
//! Nightfall", "nightfall tomorrow at the roxy 12", "the Nightfall one". What is wanted without a name ("the cheaper one")
//! is none.

use std::ops::Range;

use super::Scene;
use super::ledger::Ledger;
use super::reader::{Clause, Reader};
use super::spans::{Board, Cand, Slot, read};
use super::texts::trim;
use super::titles::{has, kin};
use crate::form::Kind;
use crate::form::cues::stem;
use crate::form::kind::text::Subtype;
use crate::form::kind::{Reading, Said, Strength};
use crate::form::language::sentence::Announced;
use crate::form::language::{Language, Phrases};

/// Most words of a lead that small words lengthen, and of those before a value.
const MOST_SMALL: usize = 2;

/// What sort of thing has the name that was asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    /// What is seen, heard or read: "movie".
    Work,
    /// Where one goes: "restaurant".
    House,
    /// What one eats or drinks: "pizza".
    Dish,
    /// "Company".
    Thing,
}

/// The name in a message that says more, and what the message says where it names a house besides.
struct Cut {
    lead: Range<usize>,
    name: Range<usize>,
    house: Option<(usize, Range<usize>)>,
}

/// Fills the asked name of a thing from a message that says more than the name.
pub(super) fn fill(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) {
    let Some(no) = board.asked.filter(|no| !ledger.has(*no)) else { return };
    let Some(slot) = board.slots.get(no) else { return };
    let Some(sort) = sort(reader, slot) else { return };
    let cut = told(reader).map(|name| Cut { lead: 0..0, name, house: None });
    let cut = cut.or_else(|| if sort == Sort::Thing { None } else { cut_out(scene, reader, board, ledger, (slot, sort)) });
    let Some(Cut { lead, name, house }) = cut.filter(|cut| ledger.is_free(cut.name.clone())) else { return };
    if let Reading::Value(found) = read(scene, reader, slot, name.clone())
        && ledger.fill(reader, no, found, true)
    {
        ledger.last_was_named();
        let clause = reader.clause_words(name.start);
        let end = pleases(reader, name.end, clause.end).map_or(name.end, |_| clause.end);
        ledger.claim(lead);
        ledger.claim(name.end..end);
    }
    if let Some((other, words)) = house.filter(|(other, words)| !ledger.has(*other) && ledger.is_free(words.clone()))
        && let Some(slot) = board.slots.get(other)
        && let Reading::Value(found) = read(scene, reader, slot, words)
        && ledger.fill(reader, other, found, true)
    {
        ledger.last_was_named();
    }
}

/// Whether a message wants the thing that was asked for and does not name it: "the cheaper one", "that sounds good", "I'd
/// like a pizza".
pub(super) fn is_unnamed(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>) -> bool {
    let Some(slot) = board.asked.and_then(|no| board.slots.get(no)) else { return false };
    let [clause] = reader.clauses.as_slice() else { return false };
    let words = clause.words.clone();
    let Some(sort) = sort(reader, slot).filter(|sort| *sort != Sort::Thing) else { return false };
    let capitals = words.clone().skip(1).any(|no| reader.is_capital(no) && !reader.is_idle(no));
    if words.is_empty() || capitals {
        return false;
    }
    let own = own_words(scene, reader, slot);
    let is_own = |no: usize| own.iter().any(|word| word == stem(reader.said.plain(no)));
    let start = lead(reader, words.clone()).unwrap_or(reader.past_filler(words.clone()));
    let pleased = (start + 1..words.end).find(|no| pleases(reader, *no, words.end).is_some());
    // "The one in Leeds", "any cinema near me".
    let where_to =
        (start + 1..words.end).find(|no| sort == Sort::House && reader.announces(Announced::Place, *no, words.end) > 0);
    let stop = pleased.into_iter().chain(where_to).min().unwrap_or(words.end);
    let stop = without_tail(reader, start..stop);
    let option = |no: usize| {
        let choice = |cand: &Cand| matches!(board.kind_of(cand), Some(Kind::Choice(_) | Kind::Choices(_)));
        board.cands.iter().any(|cand| cand.words.contains(&no) && cand.strength == Strength::Exact && choice(cand))
    };
    let is = |no: usize, table: fn(&Language) -> &Phrases<()>| reader.len(table, no, stop) > 0;
    let chosen = |no: usize| is(no, |lang| &lang.sentence.praise) || is(no, |lang| &lang.naming.selects);
    let general = |no: usize| is(no, |lang| &lang.naming.general) || is(no, |lang| &lang.option.one);
    let vague = |no: usize| {
        reader.is_idle(no)
            || is_own(no)
            || option(no)
            || chosen(no)
            || general(no)
            || is(no, |lang| &lang.option.quality)
            || is(no, |lang| &lang.naming.pointing)
            || reader.at(|lang| &lang.everyday.scale.said, no, stop).is_some()
    };
    let last = stop.saturating_sub(1);
    let the = is(start, |lang| &lang.naming.the);
    let article = reader.len(|lang| &lang.sentence.articles, start, stop);
    let noun = is_own(last) || is(last, |lang| &lang.option.one);
    // "A gluten free restaurant", "vegan restaurants", "the new pirate film": which one is open.
    let sorted = || {
        let any = sort == Sort::House && !the || sort == Sort::Work && article > 0 && !the;
        start < last && is_own(last) && any || sort != Sort::Dish && noun && article > 0 && chosen(start + article)
    };
    // "Something funny", "whatever is on".
    let open = || article == 0 && (is(start, |lang| &lang.option.vague) || general(start));
    // "The one with the best rating", "the last one you mentioned".
    let pointed = || {
        let one = (start + article..stop).find(|no| !chosen(*no) && !reader.is_of_number(*no));
        the && one.is_some_and(|no| is(no, |lang| &lang.option.one))
    };
    // "I don't want either of those", "somewhere that serves brunch", "find somewhere else", "looks good".
    let speaks = reader.begins(|lang| &lang.sentence.speaker, words.clone());
    let refuses = speaks && words.clone().any(|no| reader.is_negation(no, words.end));
    let names = |no: usize| reader.is_strange(no) || reader.len(|lang| &lang.naming.calls, no, words.end) > 0;
    let seeks = reader.begins(|lang| &lang.naming.seeks, words.clone());
    let somewhere = |no: usize| sort == Sort::House && reader.len(|lang| &lang.going.vague, no, words.end) > 0;
    let nowhere = somewhere(start) || seeks && words.clone().any(somewhere) && !words.clone().any(names);
    if refuses || nowhere || pleases(reader, words.start, words.end).is_some() || pointed() {
        return true;
    }
    let wants = start > words.start || pleased.is_some() || where_to.is_some() || noun;
    start < stop && (wants && ((start..stop).all(vague) || sorted()) || stop > start + 1 && open())
}

/// Whether words say how something is and do not name it: "fine" of "any film is fine".
pub(super) fn is_praise(reader: &Reader<'_>, slot: &Slot<'_>, words: &Range<usize>) -> bool {
    let praise = |no: usize| {
        let is = |table: fn(&Language) -> &Phrases<()>| reader.len(table, no, words.end) > 0;
        !reader.is_capital(no)
            && (reader.is_idle(no) || is(|lang| &lang.sentence.praise) || is(|lang| &lang.sentence.granted))
    };
    !words.is_empty() && words.clone().all(praise) && sort(reader, slot).is_some()
}

/// Whether a message chooses the thing that was asked for by its name, so that it is no wish of another sort: "I want the
/// Roxy in Leeds".
pub(super) fn is_picked(reader: &Reader<'_>, labels: &[Said]) -> bool {
    let Some(words) = reader.clauses.first().map(|clause| clause.words.clone()) else { return false };
    let picked = || {
        let start = lead(reader, words.clone())?;
        let name = start + reader.len(|lang| &lang.sentence.articles, start, words.end);
        (name < words.end && !is_no_name(reader, start, words.end)).then_some(name)
    };
    picked().is_some_and(|no| reader.is_capital(no) || reader.is_strange(no))
        && labels.iter().any(|label| sort_of(reader, label).is_some_and(|sort| sort != Sort::Thing))
}

/// Fills the field for a dish that was not asked, from "I'd like a large pepper pizza".
pub(super) fn served(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) {
    let dish = |no: &usize| {
        let slot = board.slots.get(*no);
        slot.is_some_and(|slot| slot.value.is_none() && !slot.asked && sort(reader, slot) == Some(Sort::Dish))
    };
    let mut all = (0..board.slots.len()).filter(dish);
    let (Some(no), None) = (all.next(), all.next()) else { return };
    let Some(slot) = board.slots.get(no).filter(|_| !ledger.has(no)) else { return };
    let own = own_words(scene, reader, slot);
    for clause in &reader.clauses {
        let words = clause.words.clone();
        let negated = |no: usize| reader.len(|lang| &lang.yes_no.negation, no, words.end) > 0;
        let wants = |no: usize| {
            reader.len(|lang| &lang.naming.wants, no, words.end).max(reader.len(
                |lang| &lang.naming.picks,
                no,
                words.end,
            ))
        };
        let Some(lead) = words.clone().find(|no| wants(*no) > 0).filter(|_| !words.clone().any(negated)) else {
            continue;
        };
        let is_own =
            |no: &usize| !reader.is_capital(*no) && own.iter().any(|word| word == stem(reader.said.plain(*no)));
        let from = lead + wants(lead);
        let Some(noun) = (from..words.end).find(is_own) else { continue };
        let option = |no: usize| {
            let choice = |cand: &Cand| matches!(board.kind_of(cand), Some(Kind::Choice(_) | Kind::Choices(_)));
            board.cands.iter().any(|cand| cand.words.contains(&no) && cand.strength > Strength::Weak && choice(cand))
        };
        let says = |no: usize, table: fn(&Language) -> &Phrases<()>| reader.len(table, no, noun) > 0;
        let tells = |no: &usize| {
            !reader.is_idle(*no)
                && !reader.is_of_number(*no)
                && !option(*no)
                && !says(*no, |lang| &lang.naming.selects)
                && !says(*no, |lang| &lang.sentence.praise)
                && !says(*no, |lang| &lang.naming.general)
                && !says(*no, |lang| &lang.naming.wants)
        };
        let Some(start) = (from..noun).rev().take_while(tells).last() else { continue };
        let led = (from..start).all(|no| reader.is_idle(no) || reader.is_of_number(no) || option(no));
        if led
            && noun - start <= MOST_SMALL + 1
            && ledger.is_free(start..noun)
            && let Reading::Value(found) = read(scene, reader, slot, start..noun)
            && ledger.fill(reader, no, found, true)
        {
            ledger.last_was_named();
            ledger.claim(noun..noun + 1);
            return;
        }
    }
}

/// Whether words behind the name of such a field belong to the noun and are no name: "movie tickets", "a restaurant serving
/// lunch".
pub(super) fn is_compound(reader: &Reader<'_>, slot: &Slot<'_>, after: usize, end: usize) -> bool {
    let Some(sort) = sort(reader, slot).filter(|_| !reader.is_capital(after)) else { return false };
    let general = reader.len(|lang| &lang.naming.general, after, end) > 0;
    let calls = reader.len(|lang| &lang.naming.calls, after, end) > 0;
    sort != Sort::Thing && (general || !slot.asked && !calls && !reader.is_unknown(after) && !reader.is_digits(after))
}

/// Words behind the name of such a field, up to what is said of others: "Astoria" of "hotel Astoria in Vienna".
pub(super) fn within(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    slot: &Slot<'_>,
    words: Range<usize>,
) -> Range<usize> {
    let Some(sort) = sort(reader, slot).filter(|sort| *sort != Sort::Thing) else { return words };
    let end = value_behind(scene, reader, board, slot, words.clone()).unwrap_or(words.end);
    let (end, _) = before_house(reader, board, slot, sort, words.start..end);
    words.start..end
}

/// What sort of thing a text field is for the name of, by its own name; `None` of other fields.
fn sort(reader: &Reader<'_>, slot: &Slot<'_>) -> Option<Sort> {
    if !slot.is_free() || slot.is_long() || slot.is_item() || slot.subtype().is_some() {
        return None;
    }
    slot.labels.iter().find_map(|label| sort_of(reader, label))
}

/// The same of a label: of words for such a thing, and for its name, and no others.
fn sort_of(reader: &Reader<'_>, label: &Said) -> Option<Sort> {
    let of = |word: &str| {
        let is = |table: fn(&Language) -> &Phrases<()>| has(reader, table, word);
        // "Event", "concert".
        let event = |list: &&Vec<String>| list.iter().any(|word| has(reader, |lang| &lang.naming.entry, word));
        let kin = || reader.langs().into_iter().flat_map(|lang| lang.naming.kin.iter().filter(event).flatten());
        let event = || kin().any(|kin| kin == stem(word));
        match () {
            () if is(|lang| &lang.naming.dish) => Some(Sort::Dish),
            () if is(|lang| &lang.naming.venue) => Some(Sort::House),
            () if is(|lang| &lang.naming.work) || event() => Some(Sort::Work),
            () if is(|lang| &lang.naming.thing) => Some(Sort::Thing),
            () => None,
        }
    };
    let small =
        |word: &str| has(reader, |lang| &lang.sentence.stop, word) || has(reader, |lang| &lang.naming.title, word);
    let mut found = None;
    for no in 0..label.words.len() {
        let word = label.plain(no);
        match of(word) {
            Some(sort) => found = found.or(Some(sort)),
            None if word.is_empty() || small(word) => {}
            None => return None,
        }
    }
    found
}

/// Words for the sort of thing that a field is for, by stem.
fn own_words(scene: &Scene<'_>, reader: &Reader<'_>, slot: &Slot<'_>) -> Vec<String> {
    let small =
        |word: &str| has(reader, |lang| &lang.sentence.stop, word) || has(reader, |lang| &lang.naming.title, word);
    let words = slot.labels.iter().flat_map(|label| (0..label.words.len()).map(|no| label.plain(no)));
    let own: Vec<String> = words.filter(|word| !small(word)).map(|word| stem(word).to_owned()).collect();
    kin(scene, &own)
}

/// "It's a small firm, the name is Nightfall": what the name is said to be.
fn told(reader: &Reader<'_>) -> Option<Range<usize>> {
    reader.clauses.iter().find_map(|clause| {
        let Range { start, end } = clause.words;
        let from = reader.past_filler(start..end);
        let article = reader.len(|lang| &lang.naming.the, from, end);
        let title = from + article;
        let is = reader.len(|lang| &lang.sentence.is, title + 1, end);
        let named = article > 0 && has(reader, |lang| &lang.naming.title, reader.said.plain(title)) && is > 0;
        let name = trim(reader, title + 1 + is..end);
        let fits = reader.is_capital(name.start) || reader.is_unknown(name.start);
        (named && fits && !name.is_empty()).then_some(name)
    })
}

/// Where a name starts behind words that choose it, "let's watch": `None` where there are none.
fn lead(reader: &Reader<'_>, words: Range<usize>) -> Option<usize> {
    let end = words.end;
    let picks = |no: usize| {
        let picks = reader.len(|lang| &lang.naming.picks, no, end).max(reader.len(|lang| &lang.naming.leads, no, end));
        let next = no + picks;
        let deed =
            reader.len(|lang| &lang.naming.visits, next, end).max(reader.len(|lang| &lang.naming.starts, next, end));
        // "See How They Run" is a title.
        let title = picks + deed == 1 && reader.is_capital(no) && reader.is_capital(no + 1);
        let title = title || (no + 1..next + deed).any(|no| reader.is_capital(no) && !is_speaker(reader, no));
        if title { 0 } else { picks + deed }
    };
    let start = [words.start, reader.past_filler(words)].into_iter().find(|no| picks(*no) > 0)?;
    let past = start + picks(start);
    (past < end).then_some(past)
}

fn is_speaker(reader: &Reader<'_>, no: usize) -> bool {
    reader.is_idle(no) && reader.said.word(no).starts_with('i')
}

/// The words from one on that say that something pleases, "sounds pretty good": where they end.
fn pleases(reader: &Reader<'_>, no: usize, end: usize) -> Option<usize> {
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
        let degree = len(|lang| &lang.option.degree).max(len(|lang| &lang.sentence.articles)).max(len(|lang| &lang.naming.likens));
        let next = at + praise;
        // "Is a good choice": a praise alone may end a title, "life is beautiful".
        let choice = reader.len(|lang| &lang.option.one, next, end);
        let last = seems > 0 && (next == end || reader.is_mark(next) || reader.is_idle(next));
        match (praise, degree) {
            (len, _) if len > 0 && choice > 0 => return Some(next + choice),
            (len, _) if len > 0 && last => return Some(next),
            (0, len) | (_, len) if len > 0 => at += len,
            _ => return None,
        }
    }
    None
}

/// Where words end without thanks and the like behind them.
fn without_tail(reader: &Reader<'_>, words: Range<usize>) -> usize {
    let Range { start, mut end } = words;
    let tail = |no: usize, end: usize| {
        let len = |table: fn(&Language) -> &Phrases<()>| reader.len(table, no, end);
        let len =
            len(|lang| &lang.frame.tail).max(len(|lang| &lang.sentence.courtesy)).max(len(|lang| &lang.naming.closes));
        let len = if reader.is_capital(no) { 0 } else { len };
        len > 0 && no + len == end
    };
    while end > start {
        match (start + 1..end).rev().take(MOST_SMALL + 2).find(|no| tail(*no, end)) {
            Some(no) => end = no,
            None if reader.is_mark(end - 1) => end -= 1,
            None => break,
        }
    }
    end
}

/// The name without what leads to it and what follows it; `None` where nothing of the kind is there.
fn cut_out(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    ledger: &Ledger,
    (slot, sort): (&Slot<'_>, Sort),
) -> Option<Cut> {
    // "Sure. I'd like …"
    let says_nothing = |words: &Range<usize>| {
        words.is_empty() || !ledger.is_free(words.clone()) || reader.past_filler(words.clone()) >= words.end
    };
    let at = reader.clauses.iter().position(|clause| !says_nothing(&clause.words))?;
    let clause = reader.clauses.get(at)?;
    let words = clause.words.clone();
    let own = own_words(scene, reader, slot);
    let is_own = |no: usize| !reader.is_capital(no) && own.iter().any(|word| word == stem(reader.said.plain(no)));
    let led = lead(reader, words.clone()).filter(|start| !is_no_name(reader, *start, words.end));
    let led = led.or_else(|| if sort == Sort::Work { visit(reader, words.clone()) } else { None });
    // "A restaurant called Nopiro."
    let called = |no: usize| reader.len(|lang| &lang.naming.calls, no, words.end);
    let called = (words.start + 1..words.end).find(|no| called(*no) > 0 && is_own(no - 1)).map(|no| no + called(no));
    let led = called.filter(|start| *start < words.end).or(led);
    let led = led.or_else(|| if sort == Sort::House { booking(reader, words.clone()) } else { None });
    if led.is_none() && talks(reader, clause) {
        return None;
    }
    let mut start = led.unwrap_or(words.start);
    let mut changed = led.is_some();
    let mut end = words.end;
    if let Some(no) = (start + 1..end).find(|no| pleases(reader, *no, end).is_some()) {
        (end, changed) = (no, true);
    }
    if let Some(no) = value_behind(scene, reader, board, slot, start..end) {
        (end, changed) = (no, true);
    }
    let (stop, house) = before_house(reader, board, slot, sort, start..end);
    if stop < end {
        (end, changed) = (stop, true);
    }
    if end == words.end && !goes_apart(reader, board, at) {
        return None;
    }
    changed |= end == words.end && reader.clauses.len() > at + 1;
    let tail = without_tail(reader, start..end);
    changed |= (tail..end).any(|no| !reader.is_mark(no));
    let end = tail;
    // "At the Roxy", where a house was asked for.
    if sort == Sort::House && led.is_none() {
        let at = reader.len(|lang| &lang.naming.at, start, end);
        if at > 0 && !reader.is_capital(start + at - 1) | (start == 0) {
            (start, changed) = (start + at, true);
        }
    }
    let article = if reader.is_capital(start) && start > words.start {
        0
    } else {
        reader.len(|lang| &lang.sentence.articles, start, end)
    };
    let the = article > 0 && reader.len(|lang| &lang.naming.the, start, end) > 0;
    // "The Nightfall one".
    let one = end.checked_sub(1).filter(|last| {
        the && *last > start + article
            && !reader.is_capital(*last)
            && reader.len(|lang| &lang.option.one, *last, end) == 1
    });
    let mut name = start..end;
    if let Some(last) = one {
        (name, changed) = (start + article..last, true);
    } else if article > 0 || led.is_some() || start == words.start {
        // "The movie Nightfall", "the movie called Nightfall".
        let noun = start + article;
        let calls = |no: usize| no + reader.len(|lang| &lang.naming.calls, no, end);
        let past = calls(noun + 1);
        let named = noun + 1 < end
            && is_own(noun)
            && past < end
            && !reader.is_idle(past)
            && !(past..end).all(|no| reader.is_digits(no));
        // "A buffalo pizza" of a dish is a buffalo pizza, "inferno the movie" Inferno.
        if named && !is_own(past) && (article == 0 || the) {
            (name, changed) = (past..end, true);
        }
    }
    if sort == Sort::Dish {
        let first = name.start + reader.len(|lang| &lang.sentence.articles, name.start, name.end);
        let last = name.end.checked_sub(1).filter(|last| is_own(*last) && *last > first);
        let until = last.unwrap_or(name.end);
        let first = past_options(reader, board, first..until);
        if first < until && (last.is_some() && name.start < first || changed || led.is_some()) {
            (name, changed) = (first..until, true);
        }
    }
    let name = attached(reader, trim(reader, name));
    let tells = |no: usize| !reader.is_mark(no) && (!reader.is_idle(no) || reader.is_capital(no));
    let fits = changed && name.clone().any(tells) && (name != (0..reader.said.words.len()));
    let lead = words.start..led.unwrap_or(words.start);
    fits.then_some(Cut { lead, name, house })
}

/// Where a title starts behind words for going to see it: "4 tickets to Nightfall".
fn visit(reader: &Reader<'_>, words: Range<usize>) -> Option<usize> {
    let end = words.end;
    let visits = |no: usize| Some(reader.len(|lang| &lang.naming.visits, no, end)).filter(|len| *len > 1);
    let before = words.take_while(|no| !reader.is_capital(*no) || is_speaker(reader, *no));
    let start = before.into_iter().find_map(|no| visits(no).map(|len| no + len)).filter(|start| *start < end)?;
    (!is_no_name(reader, start, end)).then_some(start)
}

/// Where the name of a house starts behind words for going there: "book the Roxy", "yes, the Roxy".
fn booking(reader: &Reader<'_>, words: Range<usize>) -> Option<usize> {
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
        && !reader.is_capital(start - 1) | (from == 0 && !reader.is_capital(start))
        && !is_no_name(reader, start, end))
    .then_some(start)
}

/// Whether a clause says something in a sentence, and is no name: "I'm not sure", "it depends".
fn talks(reader: &Reader<'_>, clause: &Clause) -> bool {
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

/// Whether what follows words that choose something names nothing: "to know", "you", "a table".
fn is_no_name(reader: &Reader<'_>, start: usize, end: usize) -> bool {
    let article = reader.len(|lang| &lang.sentence.articles, start, end);
    let len = |table: fn(&Language) -> &Phrases<()>| reader.len(table, start, end);
    let verb = len(|lang| &lang.option.doing).max(len(|lang| &lang.option.object)) > 0;
    let noun = reader.len(|lang| &lang.naming.general, start + article, end) > 0;
    !reader.is_capital(start) && (verb || noun || article == 0 && reader.is_of_number(start))
}

/// Whether the clause behind one is said of something else: nothing follows, a new sentence of the speaker does, or a value.
fn goes_apart(reader: &Reader<'_>, board: &Board<'_>, at: usize) -> bool {
    let (Some(clause), next) = (reader.clauses.get(at), reader.clauses.get(at + 1)) else { return false };
    let Some(next) = next else { return true };
    let words = next.words.clone();
    let value = || board.cands.iter().any(|cand| cand.strength > Strength::Weak && words.contains(&cand.words.start));
    let talks = || {
        let begins = |table| reader.begins(table, words.clone());
        begins(|lang| &lang.sentence.speaker)
            || begins(|lang| &lang.sentence.courtesy)
            || begins(|lang| &lang.sentence.request)
    };
    let small = || {
        let subject = reader.len(|lang| &lang.brief.subject, words.start, words.end) > 0;
        subject || reader.is_idle(words.start) && !words.clone().skip(1).any(|no| reader.is_capital(no))
    };
    value() || talks() || clause.stop && small()
}

/// Where a value of another field begins behind the name, with the small words before it: a day or time that is announced or
/// near ("tomorrow"), what reaches somebody, or a number of what the field counts. A capital behind a capital is part of a
/// name: "Almost Christmas".
fn value_behind(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    slot: &Slot<'_>,
    words: Range<usize>,
) -> Option<usize> {
    let small = |no: usize| reader.is_idle(no) && !reader.is_capital(no);
    let cuts = |cand: &Cand| {
        let Range { start, end } = cand.words;
        let Some(kind) = board.kind_of(cand) else { return false };
        let takers = board.takers(cand);
        let others =
            !takers.is_empty() && takers.iter().all(|no| board.slots.get(*no).is_some_and(|of| of.path != slot.path));
        let led = small(start - 1) || small(start) && end - start > 1;
        let counted = || {
            let unit = |no: &usize| {
                let slot = board.slots.get(*no);
                slot.is_some_and(|slot| board.mentions_of(slot).any(|mention| mention.words.start == end))
            };
            let people = |no: &usize| board.slots.get(*no).is_some_and(|slot| slot.people || slot.crowd.is_some());
            let clause = reader.clause_end(start);
            // "For 4."
            let bare = small(start - 1) && (end >= clause || reader.is_idle(end)) && takers.iter().any(people);
            takers.iter().any(unit) || reader.len(|lang| &lang.number.people, end, clause) > 0 || bare
        };
        let near = || match cand.value {
            crate::form::Value::Date(day) => (0..=1).contains(&days_from(scene, day)),
            _ => false,
        };
        others
            && match kind {
                Kind::Date(_) | Kind::Datetime(_) | Kind::DateRange(_) => led || near() && !reader.is_capital(start),
                Kind::Time(_) => led || (start..end).any(|no| reader.is_digits(no)) && end - start > 1,
                Kind::Email(_) | Kind::Phone(_) | Kind::Url(_) => true,
                Kind::Integer(_) => counted(),
                // "Nopiro for dinner".
                Kind::Choice(_) => {
                    let last = end >= words.end
                        || reader.is_idle(end)
                        || board.cands.iter().any(|next| next.words.start == end);
                    small(start - 1) && last && sort(reader, slot) == Some(Sort::House)
                }
                _ => false,
            }
    };
    let behind = |cand: &&Cand| {
        cand.strength > Strength::Weak && words.start < cand.words.start && cand.words.start < words.end && cuts(cand)
    };
    let first = board.cands.iter().filter(behind).map(|cand| cand.words.start).min()?;
    let back = (words.start + 1..first).rev().take(MOST_SMALL).take_while(|no| small(*no)).last();
    Some(back.unwrap_or(first))
}

/// How many days a day lies behind the one on which something is said.
fn days_from(scene: &Scene<'_>, day: jiff::civil::Date) -> i32 {
    day.since(scene.now.date()).map_or(i32::MAX, |span| span.get_days())
}

/// Where the name ends before a house that is named behind it, and the house: "nightfall at roxy 12", "Hotel Astoria in
/// Vienna".
fn before_house(
    reader: &Reader<'_>,
    board: &Board<'_>,
    slot: &Slot<'_>,
    sort: Sort,
    words: Range<usize>,
) -> (usize, Option<(usize, Range<usize>)>) {
    let Range { start, end } = words;
    let open = |other: &Slot<'_>| other.path != slot.path && other.value.is_none();
    if sort == Sort::House {
        // A town behind it.
        let town = board.slots.iter().any(|other| open(other) && other.subtype() == Some(Subtype::Place));
        let led = |no: &usize| {
            let len = reader.announces(Announced::Place, *no, end);
            let at = reader.len(|lang| &lang.naming.at, *no, end);
            let proper = reader.is_proper(*no + len) || reader.len(|lang| &lang.naming.town, *no + len, end) > 0;
            len > 0 && at == 0 && !reader.is_capital(*no) && proper && *no + len < end
        };
        let stop = (start + 1..end).find(led).filter(|_| town);
        return (stop.unwrap_or(end), None);
    }
    let house = |other: &&Slot<'_>| open(other) && is_house_field(reader, other);
    let Some(other) = board.slots.iter().position(|slot| house(&slot)) else { return (end, None) };
    let at = |no: &usize| reader.len(|lang| &lang.naming.at, *no, end) > 0 && !reader.is_capital(*no);
    let led = |no: usize| {
        let from = no + reader.len(|lang| &lang.naming.at, no, end);
        from + reader.len(|lang| &lang.sentence.articles, from, end)..end
    };
    let found = (start + 1..end).filter(at).find(|no| is_house(reader, &led(*no)));
    found.map_or((end, None), |no| (no, Some((other, led(no)))))
}

/// Whether a field is for the name of a house.
pub(super) fn is_house_field(reader: &Reader<'_>, slot: &Slot<'_>) -> bool {
    sort(reader, slot) == Some(Sort::House)
}

/// Whether a field is for the title of what is seen, heard or read.
pub(super) fn is_work_field(reader: &Reader<'_>, slot: &Slot<'_>) -> bool {
    sort(reader, slot) == Some(Sort::Work)
}

/// Whether words name a house by their end: "roxy 12", "century 20 great mall". One word names none: "the museum".
pub(super) fn is_house(reader: &Reader<'_>, words: &Range<usize>) -> bool {
    let Range { start, end } = *words;
    let building = |no: usize| reader.len(|lang| &lang.naming.building, no, no + 1) > 0 || reader.is_digits(no);
    let small =
        |no: usize| reader.is_idle(no) && !reader.is_capital(no) && reader.len(|lang| &lang.naming.at, no, end) == 0;
    words.len() > 1
        && building(end - 1)
        && !small(start)
        && !reader.is_digits(start)
        && !(start..end).any(|no| reader.is_mark(no))
}

/// Past options that stand before a name: "large" of "large pepperoni".
fn past_options(reader: &Reader<'_>, board: &Board<'_>, words: Range<usize>) -> usize {
    let option = |no: usize| {
        let fits = |cand: &&Cand| cand.words.start == no && cand.strength > Strength::Weak;
        let choice = |cand: &&Cand| matches!(board.kind_of(cand), Some(Kind::Choice(_) | Kind::Choices(_)));
        board.cands.iter().filter(fits).find(choice).map(|cand| cand.words.end)
    };
    let mut start = words.start;
    while start < words.end {
        match option(start) {
            Some(end) if end < words.end && end > start => start = end,
            _ if reader.is_of_number(start) && start + 1 < words.end => start += 1,
            _ => break,
        }
    }
    start
}

/// Words with a mark that is written together with the first of them: ".ink".
fn attached(reader: &Reader<'_>, words: Range<usize>) -> Range<usize> {
    let Some(before) = words.start.checked_sub(1).filter(|no| matches!(reader.said.word(*no), "." | "#")) else {
        return words;
    };
    let together = reader.raw_range(before..before + 1).end == reader.raw_range(words.clone()).start;
    let apart = before == 0 || reader.raw_range(before - 1..before).end < reader.raw_range(before..before + 1).start;
    if together && apart { before..words.end } else { words }
}
