use proptest::prelude::*;

use super::*;
use crate::form::kind::when::testing::{is_total, words};

proptest! {
    #[test]
    fn any_words_give_a_result(text in words()) {
        is_total(&Time::default(), &text);
    }

    #[test]
    fn any_text_gives_a_result(text in "\\PC{0,40}") {
        is_total(&Time::default(), &text);
    }
}
