//! The asked field: its own parser on the whole message, on what is left, and words taken as they are.

use std::ops::Range;

use super::counted::{counts_another_thing, is_how_many_come};
use super::for_people::tells_for_people;
use super::ledger::Ledger;
use super::pieces::{Piece, Sort};
use super::reader::Reader;
use super::score::is_telling;
use super::spans::{Board, Slot, asked_path, read, with_context};
use super::steer::{self, Wish};
use super::{Scene, Understood, amend, outside, parts, passing, pick, sentence, texts, unmeant};
use crate::command::Command;
use crate::so_far::Pending;
use formwright_form::Kind;
use formwright_form::field::Required;
use formwright_form::kind::text::Subtype;
use formwright_form::kind::{Found, Reading, Said, Strength};
use formwright_lexicon::control::Control;
use formwright_text::stem;

/// Most meaningful words of an answer that is no free text.
pub(super) const MOST_TELLING: usize = 8;

impl Slot<'_> {
    /// Whether its parser takes nearly any words.
    pub(super) fn takes_any_words(&self) -> bool {
        self.is_free() || matches!(self.field.kind, Kind::Address(_) | Kind::Person(_) | Kind::Channel(_))
    }
}

/// Reads all that may hold values as the asked field's answer; taken where no meaningful word is left beside it.
pub(super) fn read_whole(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    ledger: &mut Ledger,
    pieces: &[Piece],
) {
    let Some(no) = board.asked.filter(|no| !ledger.has(*no)) else { return };
    let Some(slot) = board.slots.get(no) else { return };
    for words in runs(ledger, pieces) {
        let small = words.clone().all(|no| reader.is_idle(no)) && !matches!(slot.field.kind, Kind::YesNo(_));
        if small && !ledger.fills.is_empty() {
            continue;
        }
        // A sentence is no answer as a whole.
        if words.clone().filter(|no| !reader.is_idle(*no)).count() > MOST_TELLING {
            continue;
        }
        if outside::is_count_again(reader, board, no, &words) {
            continue;
        }
        let reading = meant(scene, reader, board, slot, read(scene, reader, slot, words.clone()));
        // Words are no file; they may be the answer to another question.
        if matches!((&reading, &slot.field.kind), (Reading::Refused(..), Kind::File(_) | Kind::Location(_))) {
            continue;
        }
        let (covered, weak) = match &reading {
            Reading::Ambiguous(all)
                if all.iter().any(|found| all.first().is_some_and(|first| first.span != found.span)) =>
            {
                (false, true)
            }
            Reading::Value(found) => {
                (covers(reader, &reader.words_of(&found.span), words.clone()), found.strength == Strength::Weak)
            }
            Reading::Ambiguous(all) => {
                let spans = all.iter().map(|found| reader.words_of(&found.span));
                let spans = spans.reduce(|a, b| a.start.min(b.start)..a.end.max(b.end)).unwrap_or(0..0);
                (covers(reader, &spans, words.clone()), true)
            }
            // A day without its time is part of the answer, whatever else wants days.
            Reading::Refused(span, _) => (
                covers(reader, &reader.words_of(span), words.clone()),
                !matches!(slot.field.kind, Kind::Datetime(_) | Kind::DateRange(_)),
            ),
            Reading::Nothing => (false, true),
        };
        let other = || {
            board.cands.iter().any(|cand| {
                let own =
                    board.takers(cand).iter().filter_map(|no| board.slots.get(*no)).any(|taker| taker.is_like(slot));
                let inside = words.start <= cand.words.start && cand.words.end <= words.end;
                let telling = cand.strength == Strength::Exact || board.kind_of(cand).is_some_and(is_telling);
                inside && !own && cand.strength > Strength::Weak && telling
            })
        };
        if covered && !(weak && other()) && ledger.note(scene, reader, board, no, reading) {
            return;
        }
    }
}

/// A reading without values that are turned round, replaced, or of something else: "3, no wait, 4", "a room for 2".
pub(super) fn meant(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    slot: &Slot<'_>,
    reading: Reading,
) -> Reading {
    // "We are 8" is no time.
    let moment =
        matches!(slot.field.kind, Kind::Time(_) | Kind::Date(_)) && board.slots.iter().any(Slot::counts_people);
    let spoiled = |found: &Found| {
        let words = reader.words_of(&found.span);
        tells_for_people(reader, board, slot, &words)
            || moment && is_how_many_come(reader, &words)
            || counts_another_thing(reader, board, slot, &words)
            || passing::is_not_meant(scene, reader, board, &words)
    };
    match reading {
        Reading::Value(found) if spoiled(&found) => Reading::Nothing,
        Reading::Ambiguous(mut all) => {
            all.retain(|found| !spoiled(found));
            if all.len() > 1 { Reading::Ambiguous(all) } else { all.pop().map_or(Reading::Nothing, Reading::Value) }
        }
        reading => reading,
    }
}

/// Reads what nothing else explains as the asked field's answer.
pub(super) fn read_rest(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    ledger: &mut Ledger,
    pieces: &[Piece],
) {
    let Some(no) = board.asked.filter(|no| !ledger.has(*no)) else { return };
    let Some(slot) = board.slots.get(no) else { return };
    let others = !ledger.fills.is_empty();
    for words in runs(ledger, pieces) {
        let yes_no = super::polar::asks_yes_or_no(scene);
        if others && !yes_no && words.clone().all(|no| reader.is_idle(no)) {
            continue;
        }
        let reading = meant(scene, reader, board, slot, read(scene, reader, slot, words.clone()));
        let good = match &reading {
            Reading::Value(found) => {
                let whole = covers(reader, &reader.words_of(&found.span), words.clone());
                found.strength > Strength::Weak || whole
            }
            Reading::Ambiguous(_) => true,
            Reading::Refused(..) => !others || !matches!(slot.field.kind, Kind::File(_) | Kind::Location(_)),
            Reading::Nothing => false,
        };
        if good && ledger.note(scene, reader, board, no, reading) {
            return;
        }
    }
}

/// Whether control words are to be taken as the asked field's answer: "no" and "none" where words are needed.
pub(super) fn is_answered_by_controls(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    pieces: &[Piece],
    slot: usize,
) -> bool {
    let Some(slot) = board.slots.get(slot) else { return false };
    let Pending::Field { path, editing: false } = scene.draft.pending else { return false };
    // "None" is a name; "none" is not.
    let named_so = slot.subtype() == Some(Subtype::Person) && reader.said.words.len() == 1 && reader.is_capital(0);
    if !matches!(slot.field.required, Required::Yes)
        || !slot.is_free()
        || (slot.subtype().is_some() && !named_so)
        || slot.is_item()
        || scene.draft.offered.contains_key(path)
    {
        return false;
    }
    let nothing = |piece: &Piece| match &piece.sort {
        Sort::Wishes(wishes) => wishes.iter().all(|wish| match wish {
            Wish::Do(Control::Nothing) => true,
            wish => *wish == Wish::No && !named_so,
        }),
        _ => false,
    };
    !pieces.is_empty() && reader.said.words.len() <= 3 && pieces.iter().all(nothing)
}

/// Fills the asked text with the whole message; tells whether it did.
pub(super) fn take_all(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    ledger: &mut Ledger,
    slot: usize,
) -> bool {
    let reading = board.slots.get(slot).map(|of| read(scene, reader, of, 0..reader.said.words.len()));
    reading.is_some_and(|reading| ledger.note(scene, reader, board, slot, reading))
}

/// Decides between the asked text and values that other fields found in its words; gives what a long text has taken.
pub(super) fn free_text(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    ledger: &mut Ledger,
    pieces: &[Piece],
    slot: usize,
) -> Range<usize> {
    let Some(of) = board.slots.get(slot) else { return 0..0 };
    if ledger.has(slot) {
        return 0..0;
    }
    let controls = |piece: &Piece| matches!(&piece.sort, Sort::Wishes(_) | Sort::Named(_) | Sort::Polar(_));
    let questions = &scene.form.cues().questions;
    let note = unmeant::takes_back(scene, reader, board, of, ledger);
    let long = of.is_long();
    let content = |piece: &Piece| piece.is_content() || (long && piece.is_question());
    let asks = |piece: &Piece| piece.is_question() || controls(piece);
    if pieces.iter().all(asks) && pieces.iter().any(Piece::is_question) && pick::likeness(questions, reader) >= 0.6 {
        return 0..0;
    }
    if pieces.iter().all(controls) || !pieces.iter().any(content) {
        let about_form = || pick::likeness(questions, reader) >= 0.6;
        if !(long && pieces.iter().any(Piece::is_question)) || about_form() {
            return 0..0;
        }
    }
    // What the form is about is an answer where a clause says nothing else: "a party, and my e-mail is …".
    let of_form = |words: Range<usize>| ledger.is_free(words.clone()) && words.clone().any(|no| reader.is_of_form(no));
    let about = |piece: &Piece| piece.is_content() && of_form(piece.words.clone());
    let open = (0..reader.said.words.len()).any(|no| !ledger.explains(reader, no)) || pieces.iter().any(about);
    if !open && !ledger.fills.is_empty() && ledger.fills.iter().all(|filled| filled.sure) {
        return 0..0;
    }
    if amend::corrected(scene, reader, board, ledger) || amend::renamed(scene, reader, board, ledger) {
        return 0..0;
    }
    let person = of.subtype() == Some(Subtype::Person) || matches!(of.field.kind, Kind::Person(_));
    let letters = |no: &usize| !reader.is_mark(*no) && !reader.is_idle(*no);
    let proper = (0..reader.said.words.len()).filter(letters).all(|no| reader.is_capital(no));
    // Values that were not named are part of the text; of a name none is.
    let mut kept = Vec::new();
    for filled in std::mem::take(&mut ledger.fills) {
        let named = filled.named || (person && !proper) || unmeant::is_apart(reader, board, of, &filled);
        if named && filled.sure {
            kept.push(filled);
        } else if let Some(part) = ledger.claimed.get_mut(filled.words.clone()) {
            part.fill(false);
        }
    }
    // What could be several things is part of the text too.
    if kept.is_empty() && !ledger.unsure.is_empty() {
        ledger.claimed.fill(false);
    }
    ledger.fills = kept;
    ledger.unsure.clear();
    let words = if note || long && ledger.fills.is_empty() {
        long_text(reader, pieces)
    } else if long {
        0..reader.said.words.len()
    } else {
        longest_run(reader, board, ledger, pieces)
    };
    let own = |words| texts::answering(reader, board, of, unmeant::meant(scene, reader, board, of, words));
    let words = if note { words } else { own(words) };
    // "No plate, thanks": thanks alone are no value beside other words.
    if words.len() < reader.said.words.len() && unmeant::is_polite(reader, &words) {
        return 0..0;
    }
    // "No idea, honestly", "Hello, why?": nothing is said beside the control words or the question.
    if words.is_empty() || pieces.iter().any(asks) && words.clone().all(|no| reader.is_idle(no)) {
        return 0..0;
    }
    // Words of the form in small letters are no name: "newsletter please".
    let known = |no: usize| !reader.is_capital(no) && scene.form.cues().knows(stem(reader.said.plain(no)));
    if person && words.clone().filter(letters).any(known) {
        return 0..0;
    }
    if sentence::take_introduction(scene, reader, ledger, slot, of, &words) {
        return 0..0;
    }
    if (of.is_item() || is_only_member(scene, of)) && !long {
        parts::plain(scene, reader, board, ledger, slot, &words);
        return 0..0;
    }
    let reading = unmeant::read_either(scene, reader, of, words.clone());
    if !ledger.note(scene, reader, board, slot, reading) {
        return 0..0;
    }
    ledger.claim(words.clone());
    if long { words } else { 0..0 }
}

/// Whether items of a list have this one text and nothing else.
fn is_only_member(scene: &Scene<'_>, slot: &Slot<'_>) -> bool {
    let list = steer::list_of(scene, &slot.path).and_then(|list| scene.form.field_at(&list));
    list.is_some_and(|list| matches!(scene.form.members(list.no), [only] if *only == slot.field.no))
}

/// A message too long to search: a pending text takes it.
#[expect(clippy::single_range_in_vec_init, reason = "all of the message is left over, in one piece")]
pub(super) fn long(scene: &Scene<'_>, said: &Said) -> Understood {
    let left = Understood { leftover: vec![0..said.raw.len()], ..Understood::default() };
    let Some(path) = asked_path(scene) else { return left };
    let Some(field) = scene.form.field_at(&path) else { return left };
    if !matches!(field.kind, Kind::Text(_) | Kind::LongText(_) | Kind::Address(_)) {
        return left;
    }
    let kind = field.kind.behaviour();
    match with_context(scene, &path, field, |cx| kind.read(said, cx)) {
        Reading::Value(Found { span, value, .. }) => {
            let Some(quote) = said.raw.get(span).filter(|quote| !quote.trim().is_empty()) else { return left };
            let fill = Command::Fill { path, value, quote: Some(quote.to_owned()) };
            Understood { commands: vec![fill], ..Understood::default() }
        }
        Reading::Refused(span, why) => Understood { refused: vec![(path, span, why)], ..Understood::default() },
        Reading::Ambiguous(_) | Reading::Nothing => left,
    }
}

/// Whether every meaningful word of a range lies in a span.
pub(super) fn covers(reader: &Reader<'_>, span: &Range<usize>, words: Range<usize>) -> bool {
    !span.is_empty() && words.into_iter().all(|no| reader.is_idle(no) || span.contains(&no))
}

/// Stretches of words that may hold values and are not yet understood, the longest first.
fn runs(ledger: &Ledger, pieces: &[Piece]) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for piece in pieces.iter().filter(|piece| piece.is_content()) {
        for no in piece.whole.clone() {
            if !ledger.is_free(no..no + 1) {
                continue;
            }
            match runs.last_mut() {
                Some(last) if last.end == no => last.end = no + 1,
                _ => runs.push(no..no + 1),
            }
        }
    }
    runs.sort_by_key(|words| std::cmp::Reverse(words.len()));
    runs
}

/// The longest stretch that is neither claimed nor control words, with values inside that others did not name.
fn longest_run(reader: &Reader<'_>, board: &Board<'_>, ledger: &Ledger, pieces: &[Piece]) -> Range<usize> {
    let named = |no: usize| {
        ledger.fills.iter().any(|filled| {
            board.slots.get(filled.slot).is_some_and(|slot| {
                let clause = reader.clause_of(filled.words.start);
                board.mentions_of(slot).any(|mention| mention.words.contains(&no) && reader.clause_of(no) == clause)
            })
        })
    };
    let tells = |no: &usize| !reader.is_idle(*no) && !reader.is_digits(*no);
    // "If the weather is good" answers nothing where something else does.
    let depends = |no: usize| reader.len(|lang| &lang.denial.condition, no, reader.clause_end(no)) > 0;
    let telling = |words: &Range<usize>| if depends(words.start) { 0 } else { words.clone().filter(tells).count() };
    let mut best = 0..0;
    let mut run: Option<Range<usize>> = None;
    let mut consider = |run: &mut Option<Range<usize>>| {
        if let Some(words) = run.take()
            && (telling(&words), words.len()) > (telling(&best), best.len())
        {
            best = words;
        }
    };
    for piece in pieces {
        for no in piece.whole.clone() {
            let taken = !piece.is_content() || !ledger.is_free(no..no + 1) || named(no);
            match (&mut run, taken) {
                (_, true) => consider(&mut run),
                (Some(words), false) => words.end = no + 1,
                (None, false) => run = Some(no..no + 1),
            }
        }
    }
    consider(&mut run);
    if ledger.fills.is_empty() { best } else { texts::without_small_words(reader, best) }
}

/// A long text: everything but control words before it.
fn long_text(reader: &Reader<'_>, pieces: &[Piece]) -> Range<usize> {
    let start = pieces.iter().find(|piece| !matches!(&piece.sort, Sort::Wishes(wishes) if wishes.iter().all(|wish| matches!(wish, Wish::No)) && pieces.len() > 1));
    start.map_or(0, |piece| piece.words.start)..reader.said.words.len()
}
