//! Items of a list of plain values, spoken of by their place or by what they hold: "the second one is Janet",
//! "change Bob to Robert", "remove Bob", "add Zoe and Max".

use std::ops::Range;

use super::Scene;
use super::ledger::Ledger;
use super::named::{ordinal, trim_end};
use super::parts::{self, parted};
use super::reader::Reader;
use super::region::region_end;
use super::spans::{Board, with_context};
use super::steer::{list_at_hand, list_of, list_spoken_of, next_item};
use super::texts::trim;
use crate::command::Command;
use crate::so_far::Pending;
use formwright_form::cues::Mention;
use formwright_form::kind::{Reading, Said, overlap};
use formwright_form::{Kind, Path};

/// Most words of an item that is said by itself where another is offered.
const MOST_WORDS: usize = 5;

/// What a clause does to the items of the list at hand; `None` where it does nothing to them.
pub(super) fn said_of_items(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    mentions: &[Mention],
    words: Range<usize>,
) -> Option<Vec<Command>> {
    let list = plain(scene, list_spoken_of(scene, mentions, &words))?;
    let about = About { scene, reader, mentions, list };
    let words = reader.past_filler(words.clone())..trim_end(reader, words);
    if !about.is_open() && !words.clone().any(|no| about.names_list(no)) {
        return None;
    }
    about.placed(words.clone()).or_else(|| about.taken_out(words.clone())).or_else(|| about.added(words))
}

/// Fills a list of words from an enumeration after its name: "guests: Bob and Carla".
pub(super) fn named(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) {
    for mention in board.mentions.iter().filter(|mention| mention.weight >= 0.75) {
        let item = scene.form.plain_item(mention.field).and_then(|item| board.slot_of(item));
        let Some(no) = item.filter(|no| !ledger.has(*no)) else { continue };
        let Some(slot) = board.slots.get(no).filter(|slot| slot.is_free()) else { continue };
        let start = mention.words.end + 1;
        if reader.said.word(mention.words.end) != ":" || start >= reader.said.words.len() {
            continue;
        }
        let region = trim(reader, start..region_end(reader, board, slot, start, true));
        if !region.is_empty() && ledger.is_free(region.clone()) {
            parts::plain(scene, reader, board, ledger, no, &region);
            // "2 guests: …" tells how many besides.
            let name = mention.words.clone();
            let counted = board.cands.iter().any(|cand| overlap(&cand.words, &name));
            if !counted {
                ledger.claim(name);
            }
        }
    }
}

/// Further items said by themselves where the person was asked whether there is another.
pub(super) fn bare(scene: &Scene<'_>, reader: &Reader<'_>, words: Range<usize>) -> Option<Vec<Command>> {
    let Pending::MoreItems { list } = scene.draft.pending else { return None };
    let list = plain(scene, list_at_hand(scene)).filter(|at_hand| at_hand == list)?;
    let about = About { scene, reader, mentions: &[], list };
    let words = words.start..trim_end(reader, words);
    let item = |part: &Range<usize>| {
        let telling = part.clone().any(|no| !reader.is_idle(no));
        telling && part.len() <= MOST_WORDS && !about.steers(part.clone())
    };
    let parts = parted(reader, &words);
    (!parts.is_empty() && parts.iter().all(item)).then(|| about.add(&parts)).flatten()
}

/// A list, where its items are plain values.
fn plain(scene: &Scene<'_>, list: Option<Path>) -> Option<Path> {
    list.filter(|list| {
        let field = scene.form.field_at(list);
        field.is_some_and(|field| scene.form.plain_item(field.no).is_some() && !scene.draft.is_hidden(list))
    })
}

struct About<'a, 's> {
    scene: &'a Scene<'s>,
    reader: &'a Reader<'a>,
    mentions: &'a [Mention],
    list: Path,
}

impl About<'_, '_> {
    fn len(&self) -> u32 {
        self.scene.draft.lists.get(&self.list).map_or(0, |state| state.len)
    }

    /// Whether the conversation stands at the list, or nowhere else.
    fn is_open(&self) -> bool {
        match self.scene.draft.pending {
            Pending::Field { path, .. } => list_of(self.scene, path).as_ref() == Some(&self.list) || *path == self.list,
            Pending::MoreItems { list } => *list == self.list,
            Pending::Review | Pending::PageReview { .. } | Pending::WhatToChange => true,
            _ => false,
        }
    }

    fn names_list(&self, no: usize) -> bool {
        self.mentions.iter().any(|mention| {
            let field = self.scene.form.field(mention.field);
            mention.words.contains(&no) && field.is_some_and(|field| matches!(field.kind, Kind::List(_)))
        })
    }

    fn is_small(&self, no: usize) -> bool {
        self.reader.is_idle(no) || self.names_list(no)
    }

    /// Whether words begin like a wish rather than like a value.
    fn steers(&self, words: Range<usize>) -> bool {
        let (reader, start, end) = (self.reader, words.start, words.end);
        let at = reader.past_filler(words);
        [start, at].into_iter().any(|no| {
            let wish = [
                reader.len(|lang| &lang.control.clear, no, end),
                reader.len(|lang| &lang.control.edit, no, end),
                reader.len(|lang| &lang.control.start, no, end),
                reader.len(|lang| &lang.sentence.request, no, end),
                reader.len(|lang| &lang.sentence.question, no, end),
                reader.len(|lang| &lang.yes_no.negation, no, end),
            ];
            wish.into_iter().any(|len| len > 0)
        }) || super::steer::wishes(reader, start..end).is_some()
    }

    /// "The second one is Janet", "change the last to Erik", "change Bob to Robert".
    fn placed(&self, words: Range<usize>) -> Option<Vec<Command>> {
        let reader = self.reader;
        let end = words.end;
        let edit = reader.len(|lang| &lang.control.edit, words.start, end);
        let correct = reader.len(|lang| &lang.sentence.correct, words.start, end);
        let from = words.start + edit.max(correct);
        let (which, after) = self.place(from..end)?;
        let links = |no: usize| {
            let is = reader.len(|lang| &lang.sentence.is, no, end);
            let into = reader.len(|lang| &lang.sentence.into, no, end);
            let with = reader.len(|lang| &lang.sentence.with, no, end);
            let colon = usize::from(matches!(reader.said.word(no), ":" | "="));
            is.max(colon).max(if edit > 0 { into.max(with) } else { 0 })
        };
        let mut at = after;
        while at < end && links(at) == 0 && self.is_small(at) {
            at += 1;
        }
        let value = at + links(at)..end;
        if value.start == at || value.is_empty() {
            return None;
        }
        let fill = self.fill(&self.list.item(which), value)?;
        match which.cmp(&self.len()) {
            std::cmp::Ordering::Less => Some(vec![fill]),
            std::cmp::Ordering::Equal => Some(vec![Command::AddItem { list: self.list.clone() }, fill]),
            std::cmp::Ordering::Greater => Some(vec![Command::Edit { path: Some(self.list.item(which)) }]),
        }
    }

    /// The item that words begin with, by its place or its value, and where they go on.
    fn place(&self, words: Range<usize>) -> Option<(u32, usize)> {
        let end = words.end;
        for no in words.clone() {
            let placed = ordinal(self.reader, no..end).filter(|(at, ..)| *at == no);
            let numbered = || {
                let named = no > words.start && self.names_list(no - 1) && self.reader.is_digits(no);
                self.reader.said.word(no).parse().ok().filter(|_| named).map(|which: i64| (no, 1, which))
            };
            if let Some((at, len, which)) = placed.or_else(numbered) {
                let which = if which < 0 { i64::from(self.len()) + which } else { which - 1 };
                return Some((u32::try_from(which).ok()?, at + len));
            }
            if !self.is_small(no) {
                break;
            }
        }
        let ends = (words.start + 1..end).filter(|no| {
            let into = self.reader.len(|lang| &lang.sentence.into, *no, end);
            into.max(self.reader.len(|lang| &lang.sentence.with, *no, end)) > 0
        });
        ends.into_iter().find_map(|at| Some((self.holding(words.start..at)?, at)))
    }

    /// The item that holds what words say.
    fn holding(&self, words: Range<usize>) -> Option<u32> {
        let start = words.clone().find(|no| !self.is_small(*no)).unwrap_or(words.start);
        let texts = [self.reader.raw_text(words.clone()), self.reader.raw_text(start..words.end)];
        (0..self.len()).find(|no| {
            let path = self.list.item(*no);
            let held = self.scene.draft.answers.get(&path).and_then(|answer| {
                let field = self.scene.form.field_at(&path)?;
                let shown = with_context(self.scene, &path, field, |cx| field.kind.behaviour().show(&answer.value, cx));
                Some(Said::new(&shown).norm)
            });
            held.is_some_and(|held| texts.iter().any(|text| Said::new(text).norm.trim() == held.trim()))
        })
    }

    /// "Remove Bob".
    fn taken_out(&self, words: Range<usize>) -> Option<Vec<Command>> {
        let clear = self.reader.len(|lang| &lang.control.clear, words.start, words.end);
        let rest = words.start + clear..words.end;
        if clear == 0 || rest.clone().all(|no| self.is_small(no)) {
            return None;
        }
        let offered = matches!(self.scene.draft.pending, Pending::MoreItems { .. });
        let no = match self.holding(rest.clone()) {
            Some(no) => no,
            // It is said that there is no such item.
            None if offered && rest.len() <= 3 && ordinal(self.reader, rest).is_none() => self.len(),
            None => return None,
        };
        Some(vec![Command::RemoveItem { item: self.list.item(no) }])
    }

    /// "Add Zoe".
    fn added(&self, words: Range<usize>) -> Option<Vec<Command>> {
        let add = self.reader.len(|lang| &lang.control.add, words.start, words.end);
        let rest = words.start + add..words.end;
        let reviewing =
            matches!(self.scene.draft.pending, Pending::Review | Pending::PageReview { .. } | Pending::WhatToChange);
        // "Guest" of "add guest Dan" is no part of the name.
        let named = rest.clone().find(|no| !self.reader.is_idle(*no)).is_some_and(|no| self.names_list(no));
        let start = rest.clone().find(|no| !self.is_small(*no)).filter(|_| named).unwrap_or(rest.start);
        if add == 0 || (reviewing && !named) || !self.is_open() || rest.clone().all(|no| self.is_small(no)) {
            return None;
        }
        self.add(&parted(self.reader, &(start..rest.end)))
    }

    fn add(&self, parts: &[Range<usize>]) -> Option<Vec<Command>> {
        let mut commands = Vec::new();
        let mut no = next_item(self.scene, &self.list);
        for part in parts {
            if no >= self.len() {
                commands.push(Command::AddItem { list: self.list.clone() });
            }
            commands.push(self.fill(&self.list.item(no), part.clone())?);
            no = no.saturating_add(1);
        }
        Some(commands)
    }

    fn fill(&self, path: &Path, words: Range<usize>) -> Option<Command> {
        let field = self.scene.form.field_at(path)?;
        let text = self.reader.raw_text(words);
        let part = Said::new(text);
        let kind = field.kind.behaviour();
        let Reading::Value(found) = with_context(self.scene, path, field, |cx| kind.read(&part, cx)) else {
            return None;
        };
        let quote = text.get(found.span).filter(|quote| !quote.trim().is_empty())?.to_owned();
        Some(Command::Fill { path: path.clone(), value: found.value, quote: Some(quote) })
    }
}
