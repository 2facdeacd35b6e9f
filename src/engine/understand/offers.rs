//! Questions that ask for what the form is about: "do you have a table for four at eight?" wants one, and so its values
//! count; "do you have parking?" is answered.

use super::pieces::{Piece, Sort};
use super::reader::Reader;
use super::score::is_telling;
use super::spans::{Board, Cand};
use crate::form::Kind;
use crate::form::kind::Strength;
use crate::form::language::sentence::Announced;

/// Takes questions whether something is to be had as wishes for it, where they tell for when, how many or where.
pub(super) fn take(reader: &Reader<'_>, board: &Board<'_>, pieces: &mut [Piece]) {
    for piece in pieces.iter_mut().filter(|piece| piece.is_question()) {
        let words = piece.words.clone();
        let start = reader.past_filler(words.clone());
        let offered = |no: usize| reader.len(|lang| &lang.sentence.offered, no, words.end);
        let begins = [words.start, start].into_iter().map(offered).max().unwrap_or(0);
        // "Will booking be possible for ten?"
        let possible = words.clone().any(|no| reader.len(|lang| &lang.sentence.possible, no, words.end) > 0);
        if begins == 0 && !possible {
            continue;
        }
        let inside = |cand: &&Cand| words.start <= cand.words.start && cand.words.end <= words.end;
        let tells = |cand: &Cand| {
            let kind = board.kind_of(cand);
            let counts = matches!(kind, Some(Kind::Integer(_))) && cand.strength == Strength::Exact;
            let yes_no = matches!(kind, Some(Kind::YesNo(_) | Kind::Choice(_) | Kind::Choices(_)));
            counts || cand.strength > Strength::Weak && !yes_no && kind.is_some_and(is_telling)
        };
        let value = board.cands.iter().filter(inside).any(tells);
        let place = || {
            words.clone().any(|no| {
                let len = reader.announces(Announced::Place, no, words.end);
                len > 0 && no + len < words.end && reader.is_capital(no + len)
            })
        };
        if value || place() {
            piece.sort = Sort::Content;
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::engine::understand::testing::Stage;

    const TABLE: &str = r#"
id = "table"
title = "Table"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "people"
kind = "integer"
label = "People"
unit = ["people", "persone", "personas", "Personen", "personnes", "أشخاص"]

[[field]]
id = "day"
kind = "date"
label = "Day"

[[field]]
id = "parking"
kind = "yes_no"
label = "Parking"
"#;

    #[rstest]
    #[case("en", "do you have availability for 8 people in 18 days?", "people=8; day=2026-12-09")]
    #[case("en", "would a booking be possible for 8 people?", "people=8")]
    #[case("en", "have you got something for tomorrow?", "day=2026-11-22")]
    #[case("it", "avete posto per 8 persone domani?", "people=8; day=2026-11-22")]
    #[case("es", "¿tienen sitio para 8 personas mañana?", "people=8; day=2026-11-22")]
    #[case("de", "haben Sie morgen Platz für 8 Personen?", "day=2026-11-22; people=8")]
    #[case("fr", "avez-vous de la place pour 8 personnes demain ?", "people=8; day=2026-11-22")]
    #[case("ar", "هل لديكم مكان غدا؟", "day=2026-11-22")]
    fn a_question_for_what_is_to_be_had_gives_its_values(
        #[case] lang: &'static str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        assert_eq!(Stage::new(TABLE, "").speaking(lang).fills(said), expected, "{said}");
    }

    #[rstest]
    #[case("do you have parking?")]
    #[case("are you open on Sunday?")]
    #[case("what time do you open tomorrow?")]
    fn other_questions_set_nothing(#[case] said: &str) {
        let line = Stage::new(TABLE, "").line(said);
        assert!(!line.contains('='), "{said}: {line}");
    }
}
