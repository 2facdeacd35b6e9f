//! Sentences where a name or words of one's own were asked for: they tell something, and are no answer as they stand.

use std::ops::Range;

use super::ledger::Ledger;
use super::reader::Reader;
use super::spans::{Board, Slot, asked_path, with_context};
use super::{Scene, Understood};
use crate::engine::command::Command;
use crate::form::kind::text::{Subtype, Text};
use crate::form::kind::{FieldKind as _, Reading, Said, Strength};
use crate::form::language::Language;
use crate::form::language::sentence::Announced;
use crate::form::{Field, Kind, Value};

/// Fewest words of a sentence.
const FEWEST: usize = 4;

/// Whether a text names somebody: by its kind of words, or by what it is called.
pub(super) fn names_somebody(field: &Field, lang: &Language) -> bool {
    let Kind::Text(text) = &field.kind else { return false };
    let called = || {
        let label = Said::new(field.label.pick(&[lang.code]));
        lang.and_english().any(|lang| {
            let names = lang.sentence.cue.get(&Announced::Name);
            let at = |no: usize| names.and_then(|names| names.at(&label, no)).map_or(0, |(len, ())| no + len);
            let article = |no: usize| lang.sentence.stop.word(label.plain(no)).is_some();
            !label.words.is_empty()
                && (0..label.words.len())
                    .find(|no| !article(*no) || at(*no) > *no)
                    .is_some_and(|no| at(no) == label.words.len())
        })
    };
    match text.subtype {
        Some(subtype) => subtype == Subtype::Person,
        None => called(),
    }
}

/// The name in a message by which somebody is introduced, with what else is told: "I am Ann Lee and I need …", "folks call
/// me Bob". Fills the asked text with it and tells whether it did.
pub(super) fn take_introduction(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    ledger: &mut Ledger,
    slot: usize,
    of: &Slot<'_>,
    words: &Range<usize>,
) -> bool {
    if !names_somebody(of.field, scene.lang) {
        return false;
    }
    let least = if speaks(reader, words.clone()) { Strength::Typed } else { Strength::Exact };
    let person = Text { subtype: Some(Subtype::Person), ..Text::default() };
    let found = with_context(scene, &of.path, of.field, |cx| person.find(reader.said, cx));
    let first = found.into_iter().find(|found| {
        let at = reader.words_of(&found.span);
        found.strength >= least && words.start <= at.start && at.end <= words.end
    });
    first.is_some_and(|found| ledger.fill(reader, slot, found, true))
}

/// Whether a command fills what was asked with a sentence that may be none of it: the person is asked whether it is meant.
pub(super) fn is_swallowed(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    ledger: &Ledger,
    command: &Command,
) -> bool {
    let Command::Fill { path, value, quote: Some(quote) } = command else { return false };
    if asked_path(scene).as_ref() != Some(path) || !is_of_words(value) {
        return false;
    }
    let named = |filled: &super::ledger::Filled| {
        filled.named && board.slots.get(filled.slot).is_some_and(|slot| slot.path == *path)
    };
    let Some(field) = scene.form.field_at(path).filter(|_| !ledger.fills.iter().any(named)) else { return false };
    let own = matches!(field.kind, Kind::Choice(_) | Kind::Choices(_));
    let name = !own && names_somebody(field, scene.lang);
    if !own && !name {
        return false;
    }
    let said = Said::new(quote);
    let part = Reader::new(&said, scene.lang);
    let all = 0..said.words.len();
    let unlike = || {
        let person = Text { subtype: Some(Subtype::Person), ..Text::default() };
        let like = with_context(scene, path, field, |cx| person.read(&said, cx));
        let digits = all.clone().any(|no| part.is_digits(no));
        all.clone().filter(|no| !part.is_mark(*no)).count() >= FEWEST && !digits && matches!(like, Reading::Nothing)
    };
    let whole = reader.said.raw.trim().trim_end_matches(['.', '!']) == quote.trim().trim_end_matches(['.', '!']);
    let count = all.clone().filter(|no| !part.is_mark(*no)).count();
    let spoken = || own && count >= FEWEST && is_announced_by_speaker(reader, quote);
    speaks(&part, all.clone()) || spoken() || (name && whole && unlike())
}

/// Whether a speaker stands before words in their part of the message: "I have" in "I have a question about my bill".
fn is_announced_by_speaker(reader: &Reader<'_>, quote: &str) -> bool {
    let Some(at) = reader.said.raw.find(quote) else { return false };
    let start = reader.words_of(&(at..at + quote.len())).start;
    let clause = reader.clauses.get(reader.clause_of(start)).map_or(0, |clause| clause.words.start);
    (clause..start).any(|no| reader.len(|lang| &lang.sentence.speaker, no, start) > 0)
}

/// Whether a value is words of the person's own.
pub(super) fn is_of_words(value: &Value) -> bool {
    matches!(value, Value::Text(_) | Value::Options { other: Some(_), .. })
}

/// Takes sentences that nobody has confirmed out of what was understood, and leaves their words over: a model may know
/// better what they say.
pub(super) fn set_aside(said: &Said, code: &mut Understood) -> Vec<Command> {
    let swallowed = |command: &Command| matches!(command, Command::Fill { value, .. } if is_of_words(value));
    let (held, rough): (Vec<_>, Vec<_>) = std::mem::take(&mut code.rough).into_iter().partition(swallowed);
    code.rough = rough;
    for command in &held {
        let Command::Fill { quote: Some(quote), .. } = command else { continue };
        code.leftover.extend(said.raw.find(quote.as_str()).map(|at| at..at + quote.len()));
    }
    held
}

/// Whether words are a sentence in which somebody tells something: several, and one of them speaks of the speaker or says
/// what is.
fn speaks(reader: &Reader<'_>, words: Range<usize>) -> bool {
    let count = words.clone().filter(|no| !reader.is_mark(*no)).count();
    let tells = |no: usize| {
        let is = reader.len(|lang| &lang.sentence.is, no, words.end) > 0 && !reader.is_mark(no);
        reader.len(|lang| &lang.sentence.speaker, no, words.end) > 0 || (is && no > words.start)
    };
    count >= FEWEST && words.clone().any(tells)
}
