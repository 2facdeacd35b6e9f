//! What stands between a value and the name of a field, and whether it keeps the two apart.

use std::ops::Range;

use super::reader::Reader;
use super::score::{is_number, is_telling};
use super::spans::{Board, Cand, Slot};
use formwright_form::Kind;
use formwright_form::cues::Mention;
use formwright_form::kind::{Said, Strength};
use formwright_lexicon as language;
use formwright_lexicon::sentence::Announced;
use formwright_lexicon::{Language, Phrases};
use formwright_text::stem;

/// Whether a name belongs to the number right before it: "2 seats" in "2 seats and 3 bags".
pub(super) fn is_counted(board: &Board<'_>, name: usize, cand: &Cand) -> bool {
    let number = |other: &Cand| board.kind_of(other).is_some_and(is_number);
    board.cands.iter().any(|other| {
        (other.words.end == name || other.words.contains(&name)) && other.words != cand.words && number(other)
    })
}

/// Whether another value stands between a name and a value, so that the name belongs to that one.
pub(super) fn barred(board: &Board<'_>, slot: &Slot<'_>, between: &Range<usize>, cand: &Cand) -> bool {
    board.cands.iter().any(|other| {
        let inside = between.start <= other.words.start && other.words.end <= between.end && !other.words.is_empty();
        inside
            && !counts_its_own(board, slot, other)
            && other.strength > Strength::Weak
            && (other.alike == cand.alike || is_barrier(board, other))
    })
}

/// Whether a number is followed by the name or unit of a field.
pub(super) fn counts(board: &Board<'_>, slot: &Slot<'_>, cand: &Cand) -> bool {
    board.mentions_of(slot).any(|mention| mention.words.start == cand.words.end)
}

/// Whether a number is followed by the name of another number: "four star" in "one four star room".
pub(super) fn counts_its_own(board: &Board<'_>, slot: &Slot<'_>, cand: &Cand) -> bool {
    let number = |no: usize| board.slots.get(no).is_some_and(|slot| is_number(&slot.field.kind));
    is_number(&slot.field.kind)
        && board.mentions.iter().any(|mention| {
            let other = mention.field != slot.field.no && board.slot_of(mention.field).is_some_and(number);
            other && mention.words.start == cand.words.end
        })
}

fn is_barrier(board: &Board<'_>, cand: &Cand) -> bool {
    board.kind_of(cand).is_some_and(is_telling)
}

/// Whether a value follows right after, which the name before it then belongs to.
pub(super) fn leads_on(reader: &Reader<'_>, board: &Board<'_>, no: usize) -> bool {
    board.cands.iter().any(|other| {
        let after = other.words.start >= no && other.strength > Strength::Weak;
        after && (no..other.words.start).all(|no| reader.is_idle(no) && !reader.is_mark(no))
    })
}

/// The words that stand between a name and a value; an option is none of them ("three economy class tickets"), nor another
/// number with its name ("one four star room"), nor what a number's field is explained with ("2 hotel rooms").
pub(super) fn meaningful(reader: &Reader<'_>, board: &Board<'_>, slot: &Slot<'_>, words: Range<usize>) -> u8 {
    let option = |no: usize| {
        board.cands.iter().any(|cand| {
            let choice = matches!(board.kind_of(cand), Some(Kind::Choice(_)));
            choice && cand.strength == Strength::Exact && cand.words.contains(&no)
        })
    };
    let other = |no: usize| {
        let own = |cand: &&Cand| words.contains(&cand.words.start) && counts_its_own(board, slot, cand);
        board.cands.iter().filter(own).any(|cand| cand.words.contains(&no) || cand.words.end == no)
    };
    let explained = |no: usize| {
        let other =
            |mention: &Mention| mention.field != slot.field.no && mention.words.contains(&no) && mention.weight > 0.0;
        let number = is_number(&slot.field.kind) && board.explained.contains(stem(reader.said.plain(no)));
        number && !board.mentions.iter().any(other)
    };
    u8::try_from(
        words.clone().filter(|no| !reader.is_idle(*no) && !option(*no) && !other(*no) && !explained(*no)).count(),
    )
    .unwrap_or(u8::MAX)
}

/// Whether a field's name has a word of some sort, in any language.
pub(super) fn is_labelled(slot: &Slot<'_>, sort: impl Fn(&Language, &str) -> bool) -> bool {
    slot.labels
        .iter()
        .any(|label| (0..label.words.len()).any(|no| language::all().any(|lang| sort(lang, label.plain(no)))))
}

/// Whether a name has a word of a table, in any language.
pub(super) fn is_called(name: &Said, table: fn(&Language) -> &Phrases<()>) -> bool {
    (0..name.words.len()).any(|no| language::all().any(|lang| table(lang).word_at(name, no).is_some()))
}

/// Whether the name of a number stands behind the number itself, so that what follows is another: "3 pizzas: two …".
pub(super) fn names_counted(reader: &Reader<'_>, slot: &Slot<'_>, name: &Mention) -> bool {
    let before = name.words.start.checked_sub(1);
    is_number(&slot.field.kind) && before.is_some_and(|no| reader.is_of_number(no) && !reader.is_idle(no))
}

/// Whether the words right before announce a value of such a kind.
pub(super) fn announced(reader: &Reader<'_>, kind: &Kind, cand: &Cand) -> bool {
    let what = match kind {
        Kind::Phone(_) => Announced::Phone,
        Kind::Email(_) => Announced::Email,
        Kind::Url(_) => Announced::Url,
        Kind::Money(_) => Announced::Money,
        Kind::Date(_) | Kind::DateRange(_) => Announced::Date,
        Kind::Time(_) => Announced::Time,
        Kind::Duration(_) => Announced::Duration,
        Kind::Integer(_) => Announced::Count,
        _ => return false,
    };
    let from = cand.words.start.saturating_sub(4);
    (from..cand.words.start).any(|no| {
        let len = reader.announces(what, no, cand.words.start);
        len > 0 && (no + len..cand.words.start).all(|no| reader.is_idle(no))
    })
}
