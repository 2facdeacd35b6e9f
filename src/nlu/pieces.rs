//! A message taken apart: control words, wishes about named fields, questions, and what may hold values.

use std::ops::Range;

use super::ledger::Ledger;
use super::named::{self, Named};
use super::reader::Reader;
use super::spans::asked_path;
use super::steer::{self, Wish};
use super::{Scene, listed, pick, place, polar, rows};
use crate::command::Command;
use crate::so_far::Pending;
use formwright_form::Kind;
use formwright_form::cues::Mention;
use formwright_lexicon::control::Control;

/// A part of a message.
pub(super) struct Piece {
    /// Its words.
    pub(super) words: Range<usize>,
    /// Its words with the marks that end it.
    pub(super) whole: Range<usize>,
    pub(super) sort: Sort,
}

/// What a part of a message is.
pub(super) enum Sort {
    /// Control words.
    Wishes(Vec<Wish>),
    /// It wants something of a field, item or list that it names.
    Named(Named),
    /// It says yes or no of fields that it names, or of all that is left.
    Polar(Vec<Command>),
    /// It asks something.
    Question,
    /// It may hold values.
    Content,
}

impl Piece {
    pub(super) fn is_content(&self) -> bool {
        matches!(self.sort, Sort::Content)
    }

    pub(super) fn is_polar(&self) -> bool {
        matches!(self.sort, Sort::Polar(_))
    }

    pub(super) fn is_question(&self) -> bool {
        matches!(self.sort, Sort::Question)
    }
}

/// Takes a message apart.
pub(super) fn pieces(scene: &Scene<'_>, reader: &Reader<'_>, mentions: &[Mention]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    // One of the form's own questions is a question without its mark too.
    let known = reader.clauses.len() == 1 && pick::is_one_of(&scene.form.cues().questions, reader);
    let (told, commands) = rows::said(scene, reader, mentions).unwrap_or_default();
    if let Some((first, last)) = reader.clauses.get(told.start).zip(reader.clauses[told.clone()].last()) {
        let (words, whole) = (first.words.start..last.words.end, first.whole.start..last.whole.end);
        pieces.push(Piece { words, whole, sort: Sort::Named(Named::Each(commands)) });
    }
    let clauses = reader.clauses.iter().zip(polar::said(scene, reader, mentions)).enumerate();
    for (_, (clause, polar)) in clauses.filter(|(no, _)| !told.contains(no)) {
        if let Some(commands) = polar {
            let (words, whole) = (clause.words.clone(), clause.whole.clone());
            pieces.push(Piece { words, whole, sort: Sort::Polar(commands) });
            continue;
        }
        let wish = known || clause.tentative && asks_for_words(scene);
        let sort = sort(scene, reader, mentions, clause.words.clone(), clause.question || wish);
        if let (Sort::Content | Sort::Question, Some((rest, wish))) =
            (&sort, split(scene, reader, mentions, clause.words.clone()))
        {
            let question = reader.asks(rest..clause.words.end, clause.tentative);
            let head = clause.words.start..rest;
            pieces.push(Piece { words: head.clone(), whole: head, sort: Sort::Wishes(vec![wish]) });
            let sort = self::sort(scene, reader, mentions, rest..clause.words.end, question);
            pieces.push(Piece { words: rest..clause.words.end, whole: rest..clause.whole.end, sort });
            continue;
        }
        pieces.push(Piece { words: clause.words.clone(), whole: clause.whole.clone(), sort });
    }
    pieces
}

fn sort(scene: &Scene<'_>, reader: &Reader<'_>, mentions: &[Mention], words: Range<usize>, question: bool) -> Sort {
    if words.is_empty() {
        return Sort::Wishes(Vec::new());
    }
    // "Perhaps" is no yes.
    if matches!(scene.draft.pending, Pending::Sure { .. }) && steer::only_doubts(reader, words.clone()) {
        return Sort::Wishes(vec![Wish::No]);
    }
    let unknown = || matches!(scene.draft.pending, Pending::Field { .. }) && steer::is_unknown(reader, words.clone());
    let without = is_without(scene, reader, mentions, &words).then(|| vec![Wish::Do(Control::Nothing)]);
    let wishes = without.or_else(|| steer::wishes(reader, words.clone()));
    // Spanish "sin seguro" denies the insurance, though "seguro" says yes as well.
    let wishes = wishes.filter(|_| !denies_a_thing(scene, reader, mentions, &words));
    if let Some(wishes) = wishes.or_else(|| unknown().then(|| vec![Wish::Do(Control::Unknown)])) {
        let answers = |wish: &Wish| matches!(wish, Wish::Yes | Wish::No);
        let answered = polar::asks_yes_or_no(scene) && wishes.iter().all(answers);
        // "Edit summary" names the field, though "summary" alone asks for what has been said so far.
        if let [Wish::Do(Control::Edit | Control::Add), Wish::Do(_), ..] = wishes[..]
            && let Some(named) = named::directed(scene, reader, mentions, words.clone())
        {
            return Sort::Named(named);
        }
        return if answered { Sort::Content } else { Sort::Wishes(wishes) };
    }
    if let Some(named) = named::directed(scene, reader, mentions, words.clone()) {
        return Sort::Named(named);
    }
    if !question && let Some(path) = place::missing(scene, reader, mentions, words.clone()) {
        return Sort::Named(Named::One(Command::Edit { path: Some(path) }));
    }
    if !question && let Some(commands) = listed::said_of_items(scene, reader, mentions, words) {
        return Sort::Named(Named::Each(commands));
    }
    if question { Sort::Question } else { Sort::Content }
}

/// Whether words say that there is none of what was asked for: "no memo" where a memo is.
fn is_without(scene: &Scene<'_>, reader: &Reader<'_>, mentions: &[Mention], words: &Range<usize>) -> bool {
    let Pending::Field { path, .. } = scene.draft.pending else { return false };
    let Some(field) = scene.form.field_at(path).filter(|field| matches!(field.kind, Kind::Text(_) | Kind::LongText(_)))
    else {
        return false;
    };
    let name = words.start + reader.len(|lang| &lang.yes_no.negation, words.start, words.end)..words.end;
    let named = |mention: &Mention| mention.field == field.no && mention.weight >= 1.0 && mention.words == name;
    name.start > words.start && mentions.iter().any(named)
}

/// Whether words deny what a yes/no field is called by, in more than a plain no: "sin seguro".
fn denies_a_thing(scene: &Scene<'_>, reader: &Reader<'_>, mentions: &[Mention], words: &Range<usize>) -> bool {
    let name = words.start + reader.len(|lang| &lang.yes_no.negation, words.start, words.end)..words.end;
    let yes = reader.agrees(name.start, name.end) > 0;
    let yes_no = |mention: &Mention| {
        let field = scene.form.field(mention.field);
        let ends = (mention.words.end..name.end).all(|no| reader.is_idle(no));
        mention.words.start == name.start && ends && field.is_some_and(|field| matches!(field.kind, Kind::YesNo(_)))
    };
    yes && name.start > words.start && mentions.iter().any(yes_no)
}

/// Whether the asked field takes a line of any words: a question is none of them.
fn asks_for_words(scene: &Scene<'_>) -> bool {
    let Pending::Field { path, .. } = scene.draft.pending else { return false };
    scene.form.field_at(path).is_some_and(|field| matches!(field.kind, Kind::Text(_) | Kind::Address(_)))
}

/// Yes or no said before something else without a comma: "yes and are there fees", "no make it large".
fn split(scene: &Scene<'_>, reader: &Reader<'_>, mentions: &[Mention], words: Range<usize>) -> Option<(usize, Wish)> {
    if let Some(path) = asked_path(scene)
        && let Some(field) = scene.form.field_at(&path)
        && matches!(scene.draft.pending, Pending::Field { .. })
        && matches!(field.kind, Kind::YesNo(_) | Kind::Text(_) | Kind::LongText(_))
    {
        return None;
    }
    let (rest, wish) = steer::leading(reader, words.clone())?;
    let end = words.end;
    let goes_on = reader.filler(rest, end) > 0
        || reader.len(|lang| &lang.sentence.correct, rest, end) > 0
        || reader.len(|lang| &lang.sentence.join, rest, end) > 0
        || reader.asks(rest..end, false)
        || reader.len(|lang| &lang.sentence.request, rest, end) > 0
        || reader.len(|lang| &lang.control.edit, rest, end) > 0
        || named::directed(scene, reader, mentions, rest..end).is_some();
    (wish == Wish::Yes || goes_on).then_some((rest, wish))
}

/// Whether a part that ends with a question mark holds nothing that was understood: then it asks something.
pub(super) fn is_open_question(reader: &Reader<'_>, ledger: &Ledger, piece: &Piece) -> bool {
    let tentative = reader.clause(piece.words.start).is_some_and(|clause| clause.tentative);
    tentative && ledger.is_free(piece.words.clone()) && piece.words.clone().any(|no| !reader.is_idle(no))
}

/// Whether control words refuse or cancel something.
pub(super) fn refuse(pieces: &[Piece]) -> bool {
    pieces.iter().any(|piece| match &piece.sort {
        Sort::Wishes(wishes) => wishes
            .iter()
            .any(|wish| matches!(wish, Wish::No | Wish::Do(Control::Cancel | Control::Edit | Control::Back))),
        _ => false,
    })
}
