//! Several items of a list in one message: "lunch 12 euro and taxi 30 euro".

use std::collections::BTreeSet;
use std::ops::Range;

use super::Scene;
use super::counted::has_another_noun;
use super::ledger::{Filled, Ledger};
use super::prepare::corrects;
use super::reader::Reader;
use super::score::is_telling;
use super::spans::{Board, Cand, Slot, read};
use super::steer::list_of;
use crate::so_far::Pending;
use formwright_form::kind::{Reading, Strength, overlap};
use formwright_form::{Kind, Path, Seg, Value};

/// Fills an item for each part of the message that tells one, where a value of the list's telling field says that it does.
pub(super) fn fill(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) {
    let segments = segments(reader, board);
    let Some((list, key, keys)) = keys(scene, reader, board, ledger, &segments) else { return };
    let told = Told { board, key, list: &list, keys: &keys };
    let segments = told.split(ledger, segments);
    let parts = told.parts(reader, ledger, &segments);
    let count = u32::try_from(parts.len()).unwrap_or(u32::MAX);
    let shared = told.shared(reader, ledger, &parts);
    for (part, shift) in parts.iter().zip(0_u32..) {
        for (no, slot) in told.slots() {
            let of_all = || shared.filter(|cand| board.takers(cand).contains(&no));
            let best = told.best(ledger, no, part).or_else(of_all);
            if let Some(cand) = best {
                ledger.claim(cand.words.clone());
                ledger.fills.push(filled(no, cand.value.clone(), cand.raw.clone(), cand.words.clone(), shift));
            } else if slot.is_free() {
                text(scene, reader, board, ledger, no, part.clone(), shift);
            }
        }
    }
    // What stands around the values of an item is no answer to anything else; a telling part of it is still named.
    let asked_inside = board.asked.and_then(|no| board.slots.get(no)).is_some_and(|slot| slot.path.is_within(&list));
    let tells = |segment: &&Range<usize>| told.cands(segment).next().is_some();
    for segment in segments.iter().filter(tells).filter(|_| !asked_inside || count > 1) {
        let others = |cand: &&Cand| cand.strength > Strength::Weak && !told.is_of_list(cand);
        let value = |no: &usize| board.cands.iter().filter(others).any(|cand| cand.words.contains(no));
        segment.clone().filter(|no| !value(no)).for_each(|no| ledger.set_apart(no));
    }
}

pub(super) fn filled(slot: usize, value: Value, raw: Range<usize>, words: Range<usize>, shift: u32) -> Filled {
    Filled { slot, value, raw, words, sure: true, named: true, shift, replaces: false }
}

/// What a message tells of the items of a list.
struct Told<'b, 'a> {
    board: &'b Board<'a>,
    /// The slot that tells items apart.
    key: usize,
    list: &'b Path,
    /// Where its values stand.
    keys: &'b [Range<usize>],
}

impl<'b, 'a> Told<'b, 'a> {
    fn slots(&self) -> impl Iterator<Item = (usize, &'b Slot<'a>)> {
        self.board.slots.iter().enumerate().filter(|(_, slot)| slot.path.is_within(self.list))
    }

    /// Values in some words that may be of an item. A number without its unit is one where it tells the item apart.
    fn cands(&self, part: &Range<usize>) -> impl Iterator<Item = &'b Cand> {
        self.board.cands.iter().filter(move |cand| {
            let inside = part.start <= cand.words.start && cand.words.end <= part.end;
            let counts = || self.board.takers(cand) == [self.key] && self.keys.contains(&cand.words);
            inside
                && !cand.negated
                && !cand.old
                && self.is_of_list(cand)
                && (cand.strength > Strength::Weak || counts())
        })
    }

    fn is_of_list(&self, cand: &Cand) -> bool {
        let mut takers = self.board.takers(cand).iter().filter_map(|no| self.board.slots.get(*no));
        takers.any(|slot| slot.path.is_within(self.list))
    }

    fn best(&self, ledger: &Ledger, slot: usize, part: &Range<usize>) -> Option<&'b Cand> {
        let own = self.cands(part).filter(|cand| self.board.takers(cand).contains(&slot));
        let free = own.filter(|cand| ledger.is_free(cand.words.clone()));
        free.max_by_key(|cand| (cand.strength, cand.words.len(), std::cmp::Reverse(cand.words.start)))
    }

    /// Cuts what tells several items without a word between them: "taxi 20 euros lunch 15 euros".
    fn split(&self, ledger: &Ledger, segments: Vec<Range<usize>>) -> Vec<Range<usize>> {
        let several = |words: &Range<usize>| {
            self.keys.iter().filter(|key| words.start <= key.start && key.end <= words.end).count() > 1
        };
        let mut cut: Vec<Range<usize>> = Vec::new();
        for segment in segments {
            let mut start = segment.start;
            for cand in self.cands(&segment).filter(|cand| several(&segment) && ledger.is_free(cand.words.clone())) {
                let before = start..cand.words.start;
                if self.is_of_another(cand, &before) {
                    cut.push(before);
                    start = cand.words.start;
                }
            }
            cut.push(start..segment.end);
        }
        cut
    }

    /// Whether a value would take the place of another one in some words.
    fn is_of_another(&self, cand: &Cand, words: &Range<usize>) -> bool {
        let mut others = self.cands(words).filter(|other| other.alike == cand.alike);
        others.any(|other| other.value != cand.value || self.board.takers(cand) == [self.key])
    }

    /// The parts of the message that tell an item each: a further one begins where a value would take the place of
    /// another.
    fn parts(&self, reader: &Reader<'_>, ledger: &Ledger, segments: &[Range<usize>]) -> Vec<Range<usize>> {
        let free_text = self.slots().any(|(_, slot)| slot.is_free());
        let has_key =
            |words: &Range<usize>| self.keys.iter().any(|key| words.start <= key.start && key.end <= words.end);
        let mut parts: Vec<Range<usize>> = Vec::new();
        for segment in segments {
            let Some(last) = parts.last_mut() else {
                parts.push(segment.clone());
                continue;
            };
            let mut free = self.cands(segment).filter(|cand| ledger.is_free(cand.words.clone()));
            let conflict = free.any(|cand| self.is_of_another(cand, last));
            let tells = (segment.clone()).any(|no| !reader.is_idle(no)) && self.cands(segment).next().is_none();
            if conflict || (free_text && tells && has_key(last)) {
                parts.push(segment.clone());
            } else {
                last.end = segment.end;
            }
        }
        // Words that belong to no item of their own go with the one before.
        let mut merged: Vec<Range<usize>> = Vec::new();
        for part in parts {
            match merged.last_mut() {
                Some(last) if self.cands(&part).next().is_none() => last.end = part.end,
                _ => merged.push(part),
            }
        }
        merged
    }

    /// A day said once for every item: before all of them ("yesterday I paid …"), or one said of all ("all on
    /// Monday").
    fn shared(&self, reader: &Reader<'_>, ledger: &Ledger, parts: &[Range<usize>]) -> Option<&'b Cand> {
        let (first, last) = (parts.first()?, parts.last()?);
        let all = first.start..last.end;
        let days = self.cands(&all).filter(|cand| matches!(self.board.kind_of(cand), Some(Kind::Date(_))));
        let mut days = days.filter(|cand| ledger.is_free(cand.words.clone()));
        let (Some(day), None) = (days.next(), days.next()) else { return None };
        let leads = self.cands(&all).all(|cand| day.words.start <= cand.words.start);
        let of_all = (day.words.start.saturating_sub(3)..day.words.end + 2).any(|no| {
            let len = reader.len(|lang| &lang.option.all, no, reader.said.words.len());
            let clear = no + len <= day.words.start || no >= day.words.end;
            len > 0 && clear && reader.clause_of(no) == reader.clause_of(day.words.start)
        });
        (parts.len() > 1 && (leads || of_all)).then_some(day)
    }
}

/// The list whose items a message tells, its slot that tells them apart, and the places of that slot's values.
fn keys(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    ledger: &Ledger,
    segments: &[Range<usize>],
) -> Option<(Path, usize, Vec<Range<usize>>)> {
    for (no, slot) in board.slots.iter().enumerate() {
        let telling = is_telling(&slot.field.kind) && !matches!(slot.field.kind, Kind::Date(_) | Kind::Time(_));
        let Some(list) = list_of(scene, &slot.path).filter(|_| telling && is_of_groups(slot)) else { continue };
        let fits = |cand: &&Cand| {
            let taken = board.takers(cand) == [no];
            taken && !cand.negated && !cand.old && ledger.is_free(cand.words.clone())
        };
        let picks = |words: &Range<usize>| {
            board.cands.iter().any(|cand| {
                let inside = words.start <= cand.words.start && cand.words.end <= words.end;
                let takers = board.takers(cand).iter().filter_map(|no| board.slots.get(*no));
                let mut choices = takers.filter(|slot| slot.path.is_within(&list));
                let choice = choices.any(|slot| matches!(slot.field.kind, Kind::Choice(_)));
                inside && choice && cand.strength == Strength::Exact && !cand.negated
            })
        };
        let mut keys: Vec<Range<usize>> = Vec::new();
        let mut paired = false;
        // "A taxi for 12" in a list whose one amount is money.
        let mut priced = matches!(slot.field.kind, Kind::Money(_)) && slot.value.is_none();
        // What was picked waits for the amount that follows.
        let mut awaits = false;
        for (at, segment) in segments.iter().enumerate() {
            let inside =
                |cand: &&Cand| segment.start <= cand.words.start && cand.words.end <= segment.end && fits(cand);
            let strong = |cand: &&Cand| cand.strength > Strength::Weak;
            // "Two nights at a hotel, 90 euros each": the amount follows, with nothing else to belong to.
            let further = segments.iter().skip(at + 1);
            let mut further = further.filter(|next| (*next).clone().any(|no| !reader.is_idle(no)));
            let follows = further.next().is_some_and(|next| {
                let within = |cand: &&Cand| next.start <= cand.words.start && cand.words.end <= next.end;
                !picks(next) && board.cands.iter().filter(within).any(|cand| fits(&cand) && strong(&cand))
            });
            let bare = |cand: &&Cand| {
                !board.cands.iter().any(|other| {
                    let over = overlap(&other.words, &cand.words);
                    over && other.strength > Strength::Weak
                })
            };
            let here: Vec<&Cand> = board.cands.iter().filter(inside).filter(strong).collect();
            paired |= !here.is_empty() && (picks(segment) || awaits);
            awaits = here.is_empty() && follows && picks(segment) || awaits && here.is_empty();
            // "12 for parking" beside "30 euros for a taxi".
            let leads = |cand: &Cand| {
                let from = reader.past_filler(segment.clone());
                let on = cand.words.end;
                paired && cand.words.start == from && on < segment.end && reader.is_idle(on) && !reader.is_mark(on)
            };
            if here.is_empty() {
                let mut weak = board.cands.iter().filter(inside).filter(bare);
                if let (Some(one), None) = (weak.next(), weak.next())
                    && (picks(segment) || leads(one))
                    && !follows
                    && !has_another_noun(reader, board, one, false)
                {
                    priced &= picks(segment);
                    keys.push(one.words.clone());
                }
                continue;
            }
            for cand in here {
                if keys.last().is_none_or(|last: &Range<usize>| last.end <= cand.words.start) {
                    keys.push(cand.words.clone());
                }
            }
        }
        let strong = |words: &Range<usize>| {
            board.cands.iter().any(|cand| fits(&cand) && cand.words == *words && cand.strength > Strength::Weak)
        };
        let or = |from: usize, to: usize| (from..to).any(|no| reader.len(|lang| &lang.sentence.or, no, to) > 0);
        let apart = keys.first().zip(keys.last()).is_some_and(|(first, last)| !or(first.end, last.start));
        let elsewhere =
            board.asked.and_then(|no| board.slots.get(no)).is_some_and(|asked| !asked.path.is_within(&list));
        priced &= !keys.iter().any(strong);
        let enough = keys.len() > 1 || priced || (paired && elsewhere);
        if enough && apart && !keys.is_empty() && (priced || keys.iter().any(strong)) {
            return Some((list, no, keys));
        }
    }
    None
}

fn is_of_groups(slot: &Slot<'_>) -> bool {
    matches!(slot.path.segs().last(), Some(Seg::Field(_)))
}

/// The message cut before every word or mark that joins, outside of values.
fn segments(reader: &Reader<'_>, board: &Board<'_>) -> Vec<Range<usize>> {
    let count = reader.said.words.len();
    let inside = |no: usize| {
        let over = |cand: &&Cand| cand.words.start < no && no < cand.words.end;
        board.cands.iter().filter(over).any(|cand| cand.strength > Strength::Weak)
    };
    let joins = |no: usize| {
        let word = reader.len(|lang| &lang.sentence.join, no, count) > 0;
        let mark = matches!(reader.said.word(no), "," | ";" | "+" | "&" | "،" | "؛");
        word || mark || reader.clause_of(no) != reader.clause_of(no - 1) || reader.line_starts(no)
    };
    let mut segments: Vec<Range<usize>> = Vec::new();
    let mut start = 0;
    for no in 1..count {
        if joins(no) && !inside(no) {
            segments.push(start..no);
            start = no;
        }
    }
    segments.push(start..count);
    segments
}

/// The list whose next item a message goes on to though something of an item is still asked: "and a lunch for 24 euro"
/// while the receipt of a taxi is. It tells only what the present item has already, and corrects nothing; what is asked may be
/// told of the next one too.
pub(super) fn gone_on_to(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>) -> Option<Path> {
    let Pending::Field { path, editing: false } = scene.draft.pending else { return None };
    let list = list_of(scene, path).filter(|_| matches!(path.segs().last(), Some(Seg::Field(_))))?;
    let whole = 0..reader.said.words.len();
    let clear = |cand: &&Cand| cand.strength > Strength::Weak;
    let asked = board.asked.and_then(|no| board.slots.get(no));
    if corrects(reader, whole.clone()) || asked.is_some_and(Slot::takes_any_words) {
        return None;
    }
    let takers = board.cands.iter().filter(clear).flat_map(|cand| board.takers(cand).iter().map(move |no| (*no, cand)));
    let mut told = BTreeSet::new();
    let mut news = false;
    for (no, cand) in takers.filter(|(no, _)| Some(*no) != board.asked) {
        let Some(slot) = board.slots.get(no).filter(|slot| slot.path.is_within(&list)) else { continue };
        news |= *slot.value? != cand.value;
        told.insert(no);
    }
    let joins =
        (0..=reader.past_filler(whole.clone())).any(|no| reader.len(|lang| &lang.sentence.join, no, whole.end) > 0);
    (news && (told.len() > 1 || joins)).then_some(list)
}

/// The words of a part that no value explains, for its text field.
fn text(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    ledger: &mut Ledger,
    no: usize,
    part: Range<usize>,
    shift: u32,
) {
    let Some(slot) = board.slots.get(no) else { return };
    let telling = |no: &usize| !ledger.explains(reader, *no);
    let Some(start) = part.clone().find(telling) else { return };
    let end = (start..part.end)
        .find(|no| ledger.claimed.get(*no).copied().unwrap_or(true) || reader.is_mark(*no))
        .unwrap_or(part.end);
    let end = (start..end).rev().find(telling).map_or(end, |last| last + 1);
    if let Reading::Value(found) = read(scene, reader, slot, start..end) {
        let words = reader.words_of(&found.span);
        ledger.claim(words.clone());
        ledger.fills.push(filled(no, found.value, found.span, words, shift));
    }
}

/// A slot's path, so many items further on.
pub(super) fn shifted(scene: &Scene<'_>, slot: &Slot<'_>, shift: u32) -> Path {
    let Some(list) = list_of(scene, &slot.path).filter(|_| shift > 0) else { return slot.path.clone() };
    let at = list.segs().len();
    let segs = slot.path.segs().iter().enumerate().map(|(no, seg)| match seg {
        Seg::Item(item) if no == at => Seg::Item(item.saturating_add(shift)),
        seg => seg.clone(),
    });
    Path::from_segs(segs.collect())
}
