//! Numbers of anything, where a form asks for a number and for nothing else, and says nothing of what it counts: "50 cars are
//! stored", "a 1/4 inch gap", "it is -10C".

use super::reader::Reader;
use super::spans::{Board, Cand};
use formwright_lexicon::number::Role;

/// Whether a number of some thing or unit is the only one that is asked for. Days, times, streets and names have numbers that
/// count nothing.
pub(super) fn is(reader: &Reader<'_>, board: &Board<'_>, cand: &Cand) -> bool {
    const LONGEST: usize = 3;
    let (start, end) = (cand.words.start, cand.words.end);
    let counts = |role: &Role| matches!(role, Role::Unit | Role::Unsure);
    let behind = reader.at(|lang| &lang.number.after, end, reader.said.words.len());
    let mut before = (start.saturating_sub(LONGEST)..start).filter_map(|no| {
        let (len, role) = reader.at(|lang| &lang.number.before, no, start)?;
        (no + len == start).then_some(role)
    });
    // "555-1234", "1.1.30" and "12-10" are no counts.
    let digits = |mark: usize, no: usize| {
        matches!(reader.said.word(mark), "-" | "/" | ":" | ".") && reader.is_digits(no) && reader.said.is_glued(mark)
    };
    let joined = start >= 2 && digits(start - 1, start - 2) && reader.said.is_glued(start)
        || digits(end, end + 1) && reader.said.is_glued(end + 1);
    let doubtful = reader.len(|lang| &lang.number.doubtful, start, end) == end - start;
    let ordinal = super::counted::is_ordinal(reader, cand);
    board.anything
        && !joined
        && !doubtful
        && !ordinal
        && behind.is_none_or(|(_, role)| counts(role))
        && before.all(counts)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::Stage;

    const ONE: &str = r#"
id = "one"
title = "Number"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "figure"
kind = "number"
label = { en = "Number", it = "Numero", es = "Número", de = "Zahl", fr = "Nombre", ar = "الرقم" }
"#;

    #[rstest]
    #[case("en", "In this pit, 50 cars are stored", "figure=50")]
    #[case("en", "a mouse gets through a 1/4 inch gap", "~=figure=0.25")]
    #[case("en", "roughly 4,500 tpd", "figure=4500")]
    #[case("en", "SeVentY THREE days of SUMMER!!!", "figure=73")]
    #[case("en", "it is -10C outside", "figure=-10")]
    #[case("en", "he will be 30 by the end of the year", "figure=30")]
    #[case("en", "we meet at 5 pm", "")]
    #[case("en", "it is in room 12", "")]
    #[case("en", "on 3 May", "")]
    #[case("en", "between 40 and 50 cars", "?(figure=40 | figure=50)")]
    #[case("it", "ho contato 50 macchine", "figure=50")]
    #[case("es", "caben 50 coches", "figure=50")]
    #[case("de", "dort stehen 50 Autos", "figure=50")]
    #[case("fr", "on a compté 50 voitures", "figure=50")]
    #[case("ar", "هناك 50 سيارة", "figure=50")]
    fn a_number_of_anything_is_meant(#[case] lang: &'static str, #[case] said: &str, #[case] expected: &str) {
        assert_eq!(Stage::new(ONE, "").speaking(lang).fills(said), expected, "{said}");
    }

    #[rstest]
    #[case("50 cars are stored")]
    #[case("73 days of summer")]
    fn a_number_of_something_else_is_not(#[case] said: &str) {
        let form = ONE.replace("en = \"Number\"", "en = \"Bottles of wine\"");
        assert_eq!(Stage::new(&form, "").takes(said), "", "{said}");
    }
}
