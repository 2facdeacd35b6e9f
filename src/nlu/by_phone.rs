//! The words of an option that only say how somebody is spoken to: "call me on my phone" picks no phone from a list of things.
//! Where a form asks how to reach somebody, they are the answer.

use super::between::is_called;
use super::reader::Reader;
use super::spans::{Board, Cand};
use formwright_form::kind::Said;

/// Longest of such phrases.
const LONGEST: usize = 5;

/// Whether an option is only the means of speaking to somebody, in a field that does not ask for that.
pub(super) fn is_means(reader: &Reader<'_>, board: &Board<'_>, cand: &Cand) -> bool {
    let count = reader.said.words.len();
    let mut starts = cand.words.start.saturating_sub(LONGEST)..=cand.words.start;
    let spoken = starts.any(|no| {
        let len = reader.len(|lang| &lang.option.spoken, no, count);
        len > cand.words.len() && no + len >= cand.words.end
    });
    let takers = || board.takers(cand).iter().filter_map(|no| board.slots.get(*no));
    let reaching = |name: &Said| is_called(name, |lang| &lang.option.reaching);
    spoken && !takers().any(|slot| slot.labels.iter().chain(slot.helps).any(reaching))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::Stage;

    const HELP: &str = r#"
id = "help"
title = "Help"

[[field]]
id = "product"
kind = "choice"
label = "Product"
options = ["phone", "modem"]
"#;

    const BACK: &str = r#"
id = "back"
title = "Back"

[[field]]
id = "by"
kind = "choice"
label = "How should we contact you"
options = ["phone", "letter"]
"#;

    #[rstest]
    #[case(HELP, "please give me a phone call", "")]
    #[case(HELP, "you can ring me on my phone", "")]
    #[case(HELP, "my phone is broken", "product=phone")]
    #[case(BACK, "please give me a phone call", "by=phone")]
    fn how_somebody_is_called_is_no_thing(#[case] form: &str, #[case] said: &str, #[case] expected: &str) {
        assert_eq!(Stage::new(form, "").fills(said), expected, "{said}");
    }
}
