//! Words that say no elsewhere and "number" behind a noun: "phone no 647 982 7923".

use super::reader::Reader;

/// Their numbers, from left to right.
pub(super) fn words(reader: &Reader<'_>) -> Vec<usize> {
    let count = reader.said.words.len();
    let is_short = |no: &usize| {
        let says_no = reader.len(|lang| &lang.yes_no.no, *no, no + 1) > 0;
        says_no && reader.len(|lang| &lang.option.number, *no, no + 1) > 0
    };
    let is_behind_noun =
        |no: usize| no.checked_sub(1).is_some_and(|before| reader.len(|lang| &lang.sentence.numbered, before, no) > 0);
    let leads_to_digits = |no: usize| {
        let next = no + 1 + reader.len(|lang| &lang.sentence.is, no + 1, count);
        reader.is_digits(next + usize::from(matches!(reader.said.word(next), ":" | "#" | "+" | ".")))
    };
    (0..count).filter(is_short).filter(|no| is_behind_noun(*no) && leads_to_digits(*no)).collect()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::Stage;

    const ORDER: &str = r#"
id = "order"
title = "Order"

[[field]]
id = "phone"
kind = "phone"
label = "Phone"

[[field]]
id = "smoking"
kind = "yes_no"
label = "Smoking"

[[field]]
id = "people"
kind = "integer"
label = "People"
"#;

    #[rstest]
    #[case("phone no 647 982 7923", "phone=6479827923")]
    #[case("my contact no is 647 982 7923", "phone=6479827923")]
    #[case("smoking no, 5 people", "people=5; smoking=false")]
    #[case("no, 5 people", "people=5")]
    fn no_is_number_behind_what_has_one(#[case] said: &str, #[case] expected: &str) {
        assert_eq!(Stage::new(ORDER, "").fills(said), expected, "{said}");
    }
}
