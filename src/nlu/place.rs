//! Where in its lists a message is: the item that it names, the pending one, or the next; and further items said by
//! themselves.

use std::ops::Range;

use super::named::{self, Named, item, ordinal};
use super::pieces::{Piece, Sort};
use super::prepare::corrects;
use super::reader::Reader;
use super::spans::with_context;
use super::steer::{Wish, list_at_hand, list_spoken_of, next_item};
use super::{Scene, held, listed};
use crate::command::Command;
use crate::so_far::Pending;
use formwright_form::cues::Mention;
use formwright_form::kind::Strength;
use formwright_form::{Field, Kind, Path, Seg};
use formwright_lexicon::control::Control;

/// From where fields of lists are seen: the item that the message names ("the second one is 15"), the pending item, or
/// the next one; and the words that name it.
pub(super) fn place(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    mentions: &[Mention],
    pieces: &[Piece],
) -> (Path, Option<Range<usize>>) {
    let whole = 0..reader.said.words.len();
    if let Some(list) = list_spoken_of(scene, mentions, &whole) {
        // "The amount of the second expense is 15" speaks of a field inside and of the list.
        let names = |no: usize| {
            mentions.iter().filter(|mention| mention.words.contains(&no)).any(|mention| {
                let of = scene.form.list_of(mention.field).or(Some(mention.field));
                of.and_then(|of| scene.form.path_near(of, &list)).is_some_and(|of| of == list)
            })
        };
        for piece in pieces.iter().filter(|piece| piece.is_content()) {
            let Some((at, len, which)) = counted(scene, reader, mentions, piece.words.clone()) else { continue };
            let leads = (piece.words.start..at).all(|no| reader.is_idle(no) || names(no) || corrects(reader, no..at));
            let digits = reader.is_digits(at);
            // "Expense 2" of plain values is their number.
            let plain = reader.is_digits(at + len - 1) && !is_of_groups(scene, &list);
            let goes_on = reader.is_idle(at + len) || names(at + len) || reader.said.word(at + len).is_empty();
            if leads
                && !digits
                && !plain
                && goes_on
                && let Some(item) = item(scene, &list, which)
            {
                // "One" of "the second one" is no number.
                let one = reader.is_idle(at + len) && !reader.is_mark(at + len) && at + len < piece.words.end;
                return (item, Some(at..at + len + usize::from(one)));
            }
        }
    }
    if let Some(list) = list_at_hand(scene)
        && let Some(found) = told(scene, reader, pieces, &list)
    {
        return found;
    }
    if let Some(only) = only_item(scene, reader, mentions, pieces) {
        return (only, None);
    }
    let adds = pieces.iter().any(|piece| match &piece.sort {
        Sort::Wishes(wishes) => wishes.contains(&Wish::Do(Control::Add)) || is_yes(wishes),
        Sort::Named(Named::One(Command::AddItem { .. })) => true,
        _ => false,
    });
    let corrected = pieces.iter().any(|piece| piece.is_content() && corrects(reader, piece.words.clone()));
    match scene.draft.pending {
        Pending::MoreItems { list } if adds || !corrected => (list.clone(), None),
        Pending::Field { .. } if adds => (list_at_hand(scene).unwrap_or_default(), None),
        _ => (named::near(scene), None),
    }
}

/// The first place in a list that words say: where, how many words, and which it is. "Second", "number 2", and "expense 2"
/// of a list of expenses.
pub(super) fn counted(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    mentions: &[Mention],
    words: Range<usize>,
) -> Option<(usize, usize, i64)> {
    let mut lists: Vec<&Mention> = mentions
        .iter()
        .filter(|mention| scene.form.field(mention.field).is_some_and(|field| matches!(field.kind, Kind::List(_))))
        .filter(|mention| words.start <= mention.words.start && mention.words.end < words.end)
        .collect();
    lists.sort_by_key(|mention| mention.words.start);
    let numbered = lists.into_iter().find_map(|mention| {
        let no = mention.words.end;
        let which: i64 = reader.said.word(no).parse().ok().filter(|_| reader.is_digits(no))?;
        (which > 0).then_some((mention.words.start, no + 1 - mention.words.start, which))
    });
    ordinal(reader, words).or(numbered)
}

/// An item of a list of groups that words name, among others, and the words that name it: "the amount of expense 2".
pub(super) fn item_inside(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    mentions: &[Mention],
    words: Range<usize>,
) -> Option<(Path, Range<usize>)> {
    let list = list_spoken_of(scene, mentions, &words).filter(|list| is_of_groups(scene, list))?;
    let (at, len, which) = counted(scene, reader, mentions, words)?;
    Some((item(scene, &list, which)?, at..at + len))
}

/// An item that a clause speaks of though the list at hand has none such: "expense 3 was 4 euros" where there are two.
pub(super) fn missing(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    mentions: &[Mention],
    words: Range<usize>,
) -> Option<Path> {
    let list = list_spoken_of(scene, mentions, &words).filter(|list| is_of_groups(scene, list))?;
    let (at, len, which) = counted(scene, reader, mentions, words.clone())?;
    let end = words.end;
    let start = reader.past_filler(words.clone());
    let wishes = corrects(reader, words) || reader.len(|lang| &lang.control.clear, start, end) > 0;
    let is = reader.len(|lang| &lang.sentence.is, at + len, end) > 0;
    let of_list = |no: usize| {
        let mut here = mentions.iter().filter(|mention| mention.words.contains(&no));
        here.any(|mention| scene.form.path_near(mention.field, &list).is_some_and(|path| path == list))
    };
    let named = (at..=at + len).any(of_list);
    let no = u32::try_from(which - 1).ok()?;
    let have = scene.draft.lists.get(&list).map_or(0, |state| state.len);
    ((wishes || is) && named && no >= have && have > 0).then(|| list.item(no))
}

/// Whether a list holds groups of fields rather than plain values.
fn is_of_groups(scene: &Scene<'_>, list: &Path) -> bool {
    scene.form.field_at(list).is_some_and(|field| scene.form.plain_item(field.no).is_none())
}

/// The only item of a list, where a review is open and a clause says what a field of it is: "the amount is 25".
fn only_item(scene: &Scene<'_>, reader: &Reader<'_>, mentions: &[Mention], pieces: &[Piece]) -> Option<Path> {
    if !matches!(scene.draft.pending, Pending::Review | Pending::PageReview { .. } | Pending::WhatToChange) {
        return None;
    }
    let list = list_at_hand(scene).filter(|list| is_of_groups(scene, list))?;
    let only = scene.draft.lists.get(&list).is_some_and(|state| state.len == 1);
    let mut content = pieces.iter();
    let (piece, None) = (content.next().filter(|piece| only && piece.is_content())?, content.next()) else {
        return None;
    };
    let Range { start, end } = piece.words;
    let inside = |mention: &&Mention| {
        let within = start <= mention.words.start && mention.words.end <= end && !mention.unit && !mention.cue;
        let of = scene.form.list_of(mention.field).and_then(|of| scene.form.path_near(of, &Path::default()));
        within && mention.weight >= 1.0 && of.as_ref() == Some(&list)
    };
    let name = mentions.iter().filter(inside).min_by_key(|mention| mention.words.start)?;
    let from = reader.past_filler(piece.words.clone());
    let edit = reader.len(|lang| &lang.control.edit, from, end);
    let leads = (from + edit..name.words.start).all(|no| reader.is_idle(no));
    let says = edit > 0 || reader.len(|lang| &lang.sentence.is, name.words.end, end) > 0;
    (leads && says).then(|| list.item(0))
}

/// The only item with an option that a correction names: the taxi in "the taxi was 22 euros" and "make lunch 18".
fn told(scene: &Scene<'_>, reader: &Reader<'_>, pieces: &[Piece], list: &Path) -> Option<(Path, Option<Range<usize>>)> {
    let piece = pieces.iter().find(|piece| piece.is_content())?;
    let end = piece.words.end;
    let start = piece.words.start;
    let mut found: Vec<(Path, Range<usize>)> = Vec::new();
    for (path, answer) in scene.draft.answers.iter().filter(|(path, _)| path.is_within(list)) {
        let Some(field) = scene.form.field_at(path).filter(|field| matches!(field.kind, Kind::Choice(_))) else {
            continue;
        };
        let kind = field.kind.behaviour();
        let named = with_context(scene, path, field, |cx| kind.find(reader.said, cx)).into_iter().find(|said| {
            let words = reader.words_of(&said.span);
            said.value == answer.value && said.strength == Strength::Exact && words.start >= start && words.end <= end
        });
        let Some(named) = named else { continue };
        let Some(Seg::Item(no)) = path.segs().get(list.segs().len()) else { continue };
        found.push((list.item(*no), reader.words_of(&named.span)));
    }
    // Of two, the one whose person said these very words is meant.
    if found.len() > 1
        && let Some((_, words)) = found.first()
    {
        let said = held::items(scene, reader, words.clone());
        found.retain(|(item, _)| said.contains(item));
    }
    let (item, words) = found.pop().filter(|_| found.is_empty())?;
    let is = reader.len(|lang| &lang.sentence.is, words.end, end);
    let corrected = corrects(reader, start..end) || (is > 0 && words.end + is < end);
    let leads = (start..words.start).all(|no| reader.is_idle(no) || corrects(reader, no..words.start));
    let tells = (words.end + is..end).any(|no| reader.is_digits(no));
    (corrected && leads && tells).then_some((item, Some(words)))
}

/// Further items of the list that the person was asked about, where the message is nothing else.
pub(super) fn further_items(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    pieces: &[Piece],
) -> Option<(Range<usize>, Vec<Command>)> {
    let agrees =
        |piece: &Piece| matches!(&piece.sort, Sort::Wishes(wishes) if wishes.iter().all(|wish| *wish == Wish::Yes));
    let mut content = pieces.iter().filter(|piece| piece.is_content());
    let (first, last) = (content.next()?, content.next_back());
    let words = first.words.start..last.unwrap_or(first).words.end;
    let only = pieces.iter().all(|piece| piece.is_content() || agrees(piece) && piece.words.end <= words.start);
    let commands = listed::bare(scene, reader, words.clone()).filter(|_| only)?;
    Some((words, commands))
}

fn is_yes(wishes: &[Wish]) -> bool {
    wishes.contains(&Wish::Yes)
}

/// Of a list of plain values that is asked as a whole: its next item.
pub(super) fn plain(scene: &Scene<'_>, path: &Path) -> Path {
    let Some(field) = scene.form.field_at(path) else { return path.clone() };
    if matches!(path.segs().last(), Some(Seg::Field(_))) && scene.form.plain_item(field.no).is_some() {
        return path.item(next_item(scene, path));
    }
    path.clone()
}

/// A field's path as seen from where the conversation stands; in a list not yet gone into, its next item: the last one
/// where nothing is in it yet.
pub(super) fn path_for(scene: &Scene<'_>, field: &Field, at: &Path) -> Option<Path> {
    if let Some(path) = scene.form.path_near(field.no, at) {
        return Some(path);
    }
    let list = scene.form.path_near(scene.form.list_of(field.no)?, at)?;
    scene.form.path_near(field.no, &list.item(next_item(scene, &list)))
}
