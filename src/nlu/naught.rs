//! None of what is counted: "none at all" and "no kids" are 0 where it is asked how many there are; and "none" behind a value,
//! which takes it back.

use std::ops::Range;

use rust_decimal::Decimal;

use super::ledger::Ledger;
use super::pieces::{Piece, Sort};
use super::reader::Reader;
use super::spans::{Board, asked_path, with_context};
use super::steer::{self, Wish};
use super::{Scene, Understood};
use crate::command::Command;
use crate::so_far::Pending;
use formwright_form::cues::Mention;
use formwright_form::kind::Said;
use formwright_form::{Field, Kind, Text, Value};
use formwright_lexicon::Language;
use formwright_lexicon::control::Control;

/// The answer to a question for a count, where the message says that there are none and nothing else.
pub(super) fn counted(scene: &Scene<'_>, reader: &Reader<'_>, mentions: &[Mention]) -> Option<Understood> {
    let Pending::Field { .. } = scene.draft.pending else { return None };
    let path = asked_path(scene)?;
    let field = scene.form.field_at(&path)?;
    let value = match field.kind {
        Kind::Integer(_) => Value::Integer(0),
        Kind::Number(_) => Value::Number(Decimal::ZERO),
        _ => return None,
    };
    if !counts(scene, field) || !says_none(scene, reader, mentions, field) {
        return None;
    }
    let kind = field.kind.behaviour();
    with_context(scene, &path, field, |cx| kind.check(&value, cx)).ok()?;
    let quote = Some(reader.said.raw.trim().to_owned());
    Some(Understood { commands: vec![Command::Fill { path, value, quote }], ..Understood::default() })
}

/// Whether a field is for how many there are of something.
fn counts(scene: &Scene<'_>, field: &Field) -> bool {
    let units = match &field.kind {
        Kind::Integer(kind) => !kind.unit.is_empty() || kind.min == Some(0),
        Kind::Number(kind) => !kind.unit.is_empty(),
        _ => false,
    };
    let people = scene.form.cues().people.get(field.no.index()).copied().unwrap_or(false);
    let asks = |text: &Text| has(scene, text, |lang, said, no| lang.number.counting.starts(said, no));
    units || people || asks(&field.label) || field.ask.iter().any(asks)
}

/// Whether a text has such words, in the person's language or English.
fn has(scene: &Scene<'_>, text: &Text, are: fn(&Language, &Said, usize) -> bool) -> bool {
    let texts = text.by_lang.values().map(|text| Said::new(text));
    texts
        .into_iter()
        .any(|said| (0..said.words.len()).any(|no| scene.lang.and_english().any(|lang| are(lang, &said, no))))
}

/// Whether a message says "none" and nothing else: "none at all", "no kids", "I don't have any". A plain "no" may say something
/// else.
fn says_none(scene: &Scene<'_>, reader: &Reader<'_>, mentions: &[Mention], field: &Field) -> bool {
    let end = reader.said.words.len();
    let of_people = has(scene, &field.label, |lang, said, no| lang.number.people.starts(said, no));
    let name = |no: usize| {
        let own = mentions.iter().filter(|mention| mention.field == field.no && mention.words.start == no);
        let people = if of_people { reader.len(|lang| &lang.number.people, no, end) } else { 0 };
        own.map(|mention| mention.words.len()).max().unwrap_or(0).max(people)
    };
    let (mut no, mut none) = (0, false);
    while no < end {
        let nothing = reader.at(|lang| &lang.control.whole, no, end);
        let nothing = nothing.filter(|(_, control)| **control == Control::Nothing).map_or(0, |(len, _)| len);
        let firm = reader.len(|lang| &lang.yes_no.firm, no, end);
        let nothing = nothing.max(reader.len(|lang| &lang.option.none, no, end));
        let negation = reader.len(|lang| &lang.yes_no.negation, no, end);
        let named = (no + negation..end).find(|no| !reader.is_idle(*no)).is_some_and(|no| name(no) > 0);
        let says = if nothing > firm { nothing } else { 0 }.max(if named { negation } else { 0 });
        none |= says > 0;
        match says.max(name(no)).max(usize::from(reader.is_idle(no))) {
            0 => return false,
            len => no += len,
        }
    }
    none
}

/// Whether the asked field is not answered and may be left out.
fn may_be_left_out(scene: &Scene<'_>, board: &Board<'_>, ledger: &Ledger) -> bool {
    let slot = board.asked.filter(|no| !ledger.has(*no)).and_then(|no| board.slots.get(no));
    slot.is_some_and(|slot| steer::is_optional(scene, &slot.path))
}

/// Where "none" is said behind a value, and takes it back in the same breath: "ham, none".
pub(super) fn beside(scene: &Scene<'_>, board: &Board<'_>, ledger: &Ledger, pieces: &[Piece]) -> Vec<Range<usize>> {
    let optional = may_be_left_out(scene, board, ledger);
    let filled_before = |piece: &Piece| ledger.fills.iter().any(|filled| filled.words.end <= piece.words.start);
    let nothing =
        |piece: &Piece| matches!(&piece.sort, Sort::Wishes(wishes) if *wishes == [Wish::Do(Control::Nothing)]);
    let taken = pieces.iter().filter(|piece| nothing(piece) && !optional && filled_before(piece));
    taken.map(|piece| piece.words.clone()).collect()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::Stage;

    const STAY: &str = r#"
id = "stay"
title = "Stay"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "kids"
kind = "integer"
label = { en = "Children", it = "Bambini", es = "Niños", de = "Kinder", fr = "Enfants", ar = "الأطفال" }
min = 0

[[field]]
id = "bags"
kind = "integer"
label = "Bags"
ask = "How many bags?"
min = 1

[[field]]
id = "floor"
kind = "integer"
label = "Floor"
"#;

    #[rstest]
    #[case("en", "kids", "none at all", "kids=0")]
    #[case("en", "kids", "none", "kids=0")]
    #[case("en", "kids", "no kids", "kids=0")]
    #[case("en", "kids", "no children at all", "kids=0")]
    #[case("it", "kids", "nessuno", "kids=0")]
    #[case("it", "kids", "nessun bambino", "kids=0")]
    #[case("es", "kids", "ninguno", "kids=0")]
    #[case("de", "kids", "keine Kinder", "kids=0")]
    #[case("fr", "kids", "aucun enfant", "kids=0")]
    #[case("en", "kids", "none of your business", "")]
    #[case("en", "bags", "none", "")]
    #[case("en", "floor", "none", "")]
    fn none_of_what_is_counted_is_nought(
        #[case] lang: &'static str,
        #[case] asked: &str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        let line = Stage::new(STAY, asked).speaking(lang).line(said);
        let fills = line.split("; ").filter(|part| part.contains('=')).collect::<Vec<_>>().join("; ");
        assert_eq!(fills, expected, "{said}: {line}");
    }
}
