//! Names by what stands around them: "put Ann Lee down for it", "ms ann lee".

use std::ops::Range;

use super::said::Class;
use super::{Context, Said, Strength, free};
use crate::form::language::given::is_given;

/// Most words of such a name.
const MOST: usize = 4;

/// Names that somebody is noted or addressed by, left to right.
pub(super) fn names(said: &Said, cx: &Context<'_>) -> Vec<(Range<usize>, Strength)> {
    let mut found = Vec::new();
    let small = said.is_small();
    let mut no = 0;
    while no < said.words.len() {
        match noted(said, cx, no).or_else(|| if small { addressed(said, cx, no) } else { None }) {
            Some((name, strength)) => {
                no = name.end;
                found.push((name, strength));
            }
            None => no += 1,
        }
    }
    found
}

/// "Put Ann Lee down": what stands between the two words.
fn noted(said: &Said, cx: &Context<'_>, no: usize) -> Option<(Range<usize>, Strength)> {
    let start = no + free::at(said, cx, no, |lang| &lang.name.puts)?;
    let start = start + free::at(said, cx, start, |lang| &lang.filler.around).unwrap_or(0);
    let down = |no: usize| free::at(said, cx, no, |lang| &lang.name.down).is_some();
    let end = (start + 1..=start + MOST).find(|no| down(*no))?;
    let name = start..end;
    // "Put Tuesday down", "put Mum down".
    let known = |no: usize| {
        let plain = said.plain(no);
        !is_given(plain) && cx.lang.and_english().any(|lang| lang.knows(plain))
    };
    let named = name.clone().all(|no| may_name(said, cx, no)) && !name.clone().all(known);
    named.then_some((name, Strength::Exact))
}

/// "Ms ann lee", in a message without capitals.
fn addressed(said: &Said, cx: &Context<'_>, no: usize) -> Option<(Range<usize>, Strength)> {
    let len = free::at(said, cx, no, |lang| &lang.naming.address)?;
    // "12 elm dr" is no doctor.
    let street = said.words.iter().take(no).any(|word| word.class == Class::Digits);
    let start = no + len + usize::from(said.word(no + len) == ".");
    let name = start..start + (start..start + MOST).take_while(|no| may_name(said, cx, *no)).count();
    (!street && !name.is_empty()).then_some((name, Strength::Typed))
}

/// Whether a word may be part of a name: one that the languages have not, a given name, or with a capital.
fn may_name(said: &Said, cx: &Context<'_>, no: usize) -> bool {
    let plain = said.plain(no);
    let known = || cx.lang.and_english().any(|lang| lang.knows(plain));
    let letters = said.words.get(no).is_some_and(|word| word.class == Class::Letters);
    letters && plain.chars().count() > 1 && (is_given(plain) || !known() || said.is_capital(no))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::form::kind::testing::cx;

    #[rstest]
    #[case("en", "put Aino Korhonen down for it", "Aino Korhonen")]
    #[case("en", "please put aino korhonen down", "aino korhonen")]
    #[case("en", "put it down to bad luck", "")]
    #[case("en", "put Tuesday down", "")]
    #[case("en", "the passenger is ms aino korhonen please", "aino korhonen")]
    #[case("en", "12 elm dr topeka", "")]
    #[case("de", "tragen Sie Anna Bruni ein", "Anna Bruni")]
    fn a_name_is_told_by_what_is_around_it(#[case] lang: &'static str, #[case] said: &str, #[case] expected: &str) {
        let said = Said::new(said);
        let found = names(&said, &cx(lang)).into_iter();
        let found: Vec<&str> =
            found.map(|(words, _)| said.raw.get(said.raw_words(words)).unwrap_or_default()).collect();
        assert_eq!(found.join("; "), expected);
    }
}
