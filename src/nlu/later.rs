//! What is said of fields that take words only when they are asked (`fill = "asked"`): the value is not taken, and the
//! person is told that the question comes, or is asked it again where it has come.

use std::ops::Range;

use super::Scene;
use super::ledger::Ledger;
use super::named::is_hidden;
use super::pieces::Piece;
use super::reader::Reader;
use super::spans::{Board, takes_words, with_context};
use super::texts::trim;
use crate::command::Command;
use formwright_form::cues::Mention;
use formwright_form::field::Fill;
use formwright_form::kind::{Reading, Said, Strength, overlap};
use formwright_form::{Field, Kind, Path};

/// Sets values aside that were said with the name of such a field, or that look like nothing else.
pub(super) fn set_aside(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) {
    for (field, path) in fields(scene, board) {
        let named = board.mentions.iter().filter(|mention| mention.field == field.no && mention.weight >= 0.75);
        let value = named.filter_map(|mention| said_of(scene, reader, field, &path, mention));
        let value =
            value.chain(telling(scene, reader, board, field, &path)).find(|words| ledger.is_free(words.clone()));
        if let Some(words) = value {
            // "My" of "my IBAN is …".
            let clause = reader.clause_start(words.start);
            let lead = (clause..words.start).rev().take_while(|no| reader.is_idle(*no)).count();
            ledger.close(words.start - lead..words.end);
            ledger.later.push(path);
        }
    }
}

/// Notes yes/no fields that were named and that nothing else explains: "and the newsletter please".
pub(super) fn named(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger, pieces: &[Piece]) {
    for (field, path) in fields(scene, board).filter(|(field, _)| matches!(field.kind, Kind::YesNo(_))) {
        let inside = |mention: &&Mention| {
            let content = |piece: &Piece| {
                piece.is_content() && piece.words.start <= mention.words.start && mention.words.end <= piece.words.end
            };
            pieces.iter().any(content) && mention.words.clone().any(|no| !reader.is_idle(no))
        };
        let mut mentions = board.mentions.iter().filter(|mention| mention.field == field.no && mention.weight >= 1.0);
        if let Some(mention) = mentions.find(|mention| inside(mention) && ledger.is_free(mention.words.clone())) {
            ledger.close(mention.words.clone());
            ledger.later.push(path);
        }
    }
}

/// What is still to be asked of what was said; what has its answer is asked once more, rather than changed in passing.
pub(super) fn open(scene: &Scene<'_>, ledger: &mut Ledger, directed: &mut Vec<Command>) -> Vec<Path> {
    let (known, open): (Vec<Path>, Vec<Path>) =
        std::mem::take(&mut ledger.later).into_iter().partition(|path| scene.draft.answers.contains_key(path));
    directed.extend(known.into_iter().map(|path| Command::Edit { path: Some(path) }));
    open
}

/// The fields that take words only when asked and are not asked now.
fn fields<'a>(scene: &Scene<'a>, board: &Board<'_>) -> impl Iterator<Item = (&'a Field, Path)> {
    let form = scene.form;
    let shown = |field: &&Field| {
        let words = takes_words(field, true) && !matches!(field.kind, Kind::File(_));
        field.fill != Fill::Any && words && form.list_of(field.no).is_none()
    };
    let open = form.fields.iter().filter(shown).filter(|field| board.slot_of(field.no).is_none());
    let placed = open.filter_map(|field| Some((field, form.path_near(field.no, &Path::default())?)));
    placed.filter(|(_, path)| !is_hidden(scene, path)).collect::<Vec<_>>().into_iter()
}

/// The words of a name with the value said after it: "my IBAN is …", "IBAN: …".
fn said_of(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    field: &Field,
    path: &Path,
    mention: &Mention,
) -> Option<Range<usize>> {
    let after = mention.words.end;
    let end = reader.clause_end(after.saturating_sub(1));
    let is = reader.len(|lang| &lang.sentence.is, after, end);
    let colon = usize::from(matches!(reader.said.word(after), ":" | "="));
    let region = trim(reader, after + is.max(colon)..end);
    if region.is_empty() {
        return None;
    }
    let any_words = matches!(field.kind, Kind::Text(_) | Kind::LongText(_) | Kind::Address(_) | Kind::Person(_));
    let part = Said::new(reader.raw_text(region.clone()));
    let kind = field.kind.behaviour();
    let told = match with_context(scene, path, field, |cx| kind.read(&part, cx)) {
        Reading::Value(found) => !any_words && found.strength > Strength::Weak || is.max(colon) > 0,
        Reading::Ambiguous(_) => true,
        Reading::Refused(..) => is.max(colon) > 0,
        Reading::Nothing => false,
    };
    told.then_some(mention.words.start..region.end)
}

/// Values that look like this field's and that no other field finds.
fn telling(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    field: &Field,
    path: &Path,
) -> Option<Range<usize>> {
    let looks = matches!(field.kind, Kind::Pattern(_) | Kind::Email(_) | Kind::Phone(_) | Kind::Url(_));
    if !looks {
        return None;
    }
    let kind = field.kind.behaviour();
    let found = with_context(scene, path, field, |cx| kind.find(reader.said, cx));
    let words =
        found.into_iter().filter(|found| found.strength > Strength::Weak).map(|found| reader.words_of(&found.span));
    let elsewhere = |words: &Range<usize>| {
        board.cands.iter().any(|cand| cand.strength > Strength::Weak && overlap(&cand.words, words))
    };
    words.into_iter().find(|words| !elsewhere(words))
}
