//! Words that are no answer, whatever they resemble: control words of a language that is not spoken here, the
//! words that the form itself is started with, and a number that is said once more.

use std::ops::Range;

use super::ledger::Ledger;
use super::reader::Reader;
use super::spans::{Board, Cand, Slot};
use super::steer::{Wish, wishes};
use super::{Scene, Understood, pick};
use formwright_form::Kind;
use formwright_form::kind::{Said, Strength};
use formwright_lexicon as language;
use formwright_lexicon::Language;
use formwright_lexicon::control::Control;

/// A short message of control words in another language that names nothing for sure: it is left to be understood in that
/// language, and resembles no option.
#[expect(clippy::single_range_in_vec_init, reason = "all of the message is left over, in one piece")]
pub(super) fn foreign(reader: &Reader<'_>, board: &Board<'_>) -> Option<Understood> {
    const MOST_WORDS: usize = 5;
    let said = reader.said;
    let asked = board.asked.and_then(|no| board.slots.get(no));
    let sure = board.cands.iter().any(|cand| cand.strength > Strength::Weak);
    let long = said.words.len() > MOST_WORDS;
    if long || sure || asked.is_some_and(Slot::takes_any_words) || steers(reader) {
        return None;
    }
    let elsewhere = language::all().any(|lang| may_steer(said, lang) && steers(&Reader::new(said, lang)));
    elsewhere.then(|| Understood { leftover: vec![0..said.raw.len()], ..Understood::default() })
}

/// Whether a message has words that want such a way, or doubt its yes: most have none, and are not read in every
/// language.
fn may_steer(said: &Said, lang: &Language) -> bool {
    let doubts = said.words.len() > 1;
    let starts = |lang: &Language, no: usize| {
        lang.control.whole.at(said, no).is_some_and(|(_, control)| is_way(*control))
            || doubts && (lang.yes_no.unsure.starts(said, no) || lang.yes_no.negation.starts(said, no))
    };
    (0..said.words.len()).any(|no| lang.and_english().any(|lang| starts(lang, no)))
}

/// Whether a message only wants a way about the form, or out of it.
fn steers(reader: &Reader<'_>) -> bool {
    let way = |wish: &Wish| matches!(wish, Wish::Do(control) if is_way(*control));
    wishes(reader, 0..reader.said.words.len()).is_some_and(|wishes| wishes.iter().any(way))
}

fn is_way(control: Control) -> bool {
    matches!(
        control,
        Control::Cancel
            | Control::Help
            | Control::Back
            | Control::Undo
            | Control::Redo
            | Control::Review
            | Control::Repeat
    )
}

/// Explains the words of a start example of the form that is said beside answers, or alone.
pub(super) fn explain_start(scene: &Scene<'_>, reader: &Reader<'_>, ledger: &mut Ledger) {
    let starts = &scene.form.cues().starts;
    if ledger.fills.is_empty() && !pick::says_only(starts, reader) {
        return;
    }
    for no in pick::words_of(starts, reader) {
        ledger.close(no..no + 1);
    }
}

/// Whether a number alone says another number once more, and the asked option is named beside it: "2 diavola, no, 3".
pub(super) fn is_count_again(reader: &Reader<'_>, board: &Board<'_>, slot: usize, words: &Range<usize>) -> bool {
    let beside = |cand: &Cand| cand.words.end <= words.start || words.end <= cand.words.start;
    let option = |cand: &Cand| cand.strength == Strength::Exact && !cand.negated && board.takers(cand).contains(&slot);
    let number = |cand: &Cand| matches!(board.kind_of(cand), Some(Kind::Integer(_) | Kind::Number(_)));
    let choice = board.slots.get(slot).is_some_and(|slot| matches!(slot.field.kind, Kind::Choice(_)));
    choice
        && words.clone().all(|no| reader.is_idle(no) || reader.is_digits(no))
        && board.cands.iter().any(|cand| beside(cand) && option(cand))
        && board.cands.iter().any(|cand| beside(cand) && number(cand))
}
