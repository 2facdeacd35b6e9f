//! Items of a list spoken of by what they hold: "remove the taxi", "make lunch 18".

use std::ops::Range;

use super::named::Named;
use super::reader::Reader;
use super::spans::with_context;
use super::steer::list_at_hand;
use super::{Scene, Unsure};
use crate::command::Command;
use formwright_form::kind::{Said, Strength};
use formwright_form::{Kind, Path, Seg};

/// The items of the list at hand that hold what words say, and say nothing else. Items whose person said these very words
/// go before those with an option of that name.
pub(super) fn items(scene: &Scene<'_>, reader: &Reader<'_>, words: Range<usize>) -> Vec<Path> {
    let Some(list) = list_at_hand(scene).filter(|list| !scene.draft.is_hidden(list)) else { return Vec::new() };
    let telling: Vec<usize> = words.clone().filter(|no| !reader.is_idle(*no)).collect();
    if telling.is_empty() {
        return Vec::new();
    }
    let says = |text: &str| {
        let said = Said::new(text);
        let known: Vec<&str> = (0..said.words.len()).map(|no| said.plain(no)).collect();
        telling.iter().all(|no| known.contains(&reader.said.plain(*no)))
    };
    let (mut said, mut named) = (Vec::new(), Vec::new());
    for (path, answer) in scene.draft.answers.iter().filter(|(path, _)| path.is_within(&list)) {
        let Some(field) = scene.form.field_at(path).filter(|field| !field.sensitive) else { continue };
        let Some(Seg::Item(no)) = path.segs().get(list.segs().len()) else { continue };
        let (item, kind) = (list.item(*no), field.kind.behaviour());
        let shown = || with_context(scene, path, field, |cx| kind.show(&answer.value, cx));
        // Read by themselves: "remove" before them would turn them round.
        let words_of_choice = || {
            let part = Said::new(reader.raw_text(words.clone()));
            let found = with_context(scene, path, field, |cx| kind.find(&part, cx));
            found.into_iter().any(|found| {
                let whole = part.raw.get(found.span).is_some_and(says);
                found.value == answer.value && found.strength == Strength::Exact && whole
            })
        };
        let by_words = matches!(field.kind, Kind::Choice(_) | Kind::Text(_) | Kind::LongText(_) | Kind::Person(_));
        if by_words && (answer.quote.as_deref().is_some_and(says) || says(&shown())) {
            said.push(item);
        } else if matches!(field.kind, Kind::Choice(_)) && words_of_choice() {
            named.push(item);
        }
    }
    let mut items = if said.is_empty() { named } else { said };
    items.dedup();
    items
}

/// Takes out the item that words name by what it holds; where several do, which of them is asked.
pub(super) fn removed(scene: &Scene<'_>, reader: &Reader<'_>, words: Range<usize>) -> Option<Named> {
    const MOST: usize = 8;
    let mut items = items(scene, reader, words);
    match items.len() {
        1 => items.pop().map(|item| Named::One(Command::RemoveItem { item })),
        2..=MOST => {
            let told = items.into_iter().map(|item| (told(scene, &item), Command::RemoveItem { item }));
            Some(Named::Several(Unsure { readings: told.collect() }))
        }
        _ => None,
    }
}

/// What an item holds, in a line: "Travel, Friday 20 November 2026, €30.00".
fn told(scene: &Scene<'_>, item: &Path) -> String {
    let inside = scene.draft.answers.iter().filter(|(path, _)| path.is_within(item));
    let mut shown: Vec<_> = inside
        .filter_map(|(path, answer)| {
            let field = scene.form.field_at(path).filter(|field| !field.sensitive)?;
            Some((field.no, with_context(scene, path, field, |cx| field.kind.behaviour().show(&answer.value, cx))))
        })
        .collect();
    shown.sort();
    shown.into_iter().map(|(_, text)| text).collect::<Vec<_>>().join(", ")
}
