//! Secrets that people write where they do not belong: payment cards, passwords, PINs. They are refused, not kept, and
//! never said back.

use std::ops::Range;

use super::said::Class;
use super::{Said, cards};
use crate::form::language::{self, Phrases, secret::SecretWords};

/// Secrets in a message, as bytes of it, left to right, without overlaps: card numbers, and what is announced as a
/// password, PIN or security code in any of the languages.
pub fn secrets(said: &Said) -> Vec<Range<usize>> {
    let mut found = card_numbers(said);
    found.extend(announced(said));
    found.sort_by_key(|range| (range.start, std::cmp::Reverse(range.end)));
    found.dedup_by(|b, a| {
        let overlap = b.start < a.end;
        if overlap {
            a.end = a.end.max(b.end);
        }
        overlap
    });
    found
}

/// Card numbers, in one run or in groups with spaces, dots or dashes.
fn card_numbers(said: &Said) -> Vec<Range<usize>> {
    const LONGEST: usize = 19;
    let is_digits = |no: usize| said.words.get(no).is_some_and(|word| word.class == Class::Digits);
    let mut found = Vec::new();
    let mut from = 0;
    while from < said.words.len() {
        if !is_digits(from) || from > 0 && said.word(from - 1) == "+" {
            from += 1;
            continue;
        }
        let mut digits = String::new();
        let mut to = from;
        let mut end = None;
        while is_digits(to) && digits.len() <= LONGEST {
            digits.push_str(said.word(to));
            to += 1;
            if cards::is_card(&digits) {
                end = Some(to);
            }
            if matches!(said.word(to), "-" | "." | "/" | "_") && is_digits(to + 1) {
                to += 1;
            }
        }
        match end {
            Some(end) => {
                found.push(said.raw_words(from..end));
                from = end;
            }
            None => from += 1,
        }
    }
    found
}

/// A phrase of every language's table at a word.
fn at(said: &Said, no: usize, table: fn(&SecretWords) -> &Phrases<()>) -> Option<usize> {
    language::all().filter_map(|lang| table(&lang.secret).at(said, no)).map(|(words, ())| words).max()
}

/// What follows "my password is", "PIN:", "CVV".
fn announced(said: &Said) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for no in 0..said.words.len() {
        let (word, digits) = (at(said, no, |words| &words.word), at(said, no, |words| &words.digits));
        let digits_only = digits >= word;
        let Some(len) = word.max(digits) else { continue };
        let mut start = no + len;
        let mut linked = false;
        while let Some(len) = at(said, start, |words| &words.is) {
            start += len;
            linked = true;
        }
        while matches!(said.word(start), "\"" | "'" | ":") {
            start += 1;
        }
        let Some(first) = said.words.get(start) else { continue };
        let is_digits = first.class == Class::Digits;
        let fits = if digits_only {
            is_digits && (3..=8).contains(&said.word(start).len())
        } else {
            linked && at(said, start, |words| &words.not_secret).is_none() && first.class != Class::Mark
                || linked && is_odd(said, start)
        };
        if fits {
            let mut end = start + 1;
            while end < said.words.len() && said.is_glued(end) {
                end += 1;
            }
            found.push(said.raw_words(start..end));
        }
    }
    found
}

/// Whether a mark begins a run that goes on without a space, as passwords do: `$ecret`.
fn is_odd(said: &Said, no: usize) -> bool {
    said.words.get(no).is_some_and(|word| word.class == Class::Mark)
        && said.words.len() > no + 1
        && said.is_glued(no + 1)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn quotes(said: &str) -> Vec<String> {
        let said = Said::new(said);
        secrets(&said).into_iter().map(|range| said.raw.get(range).unwrap().to_owned()).collect()
    }

    #[rstest]
    #[case("4111 1111 1111 1111", &["4111 1111 1111 1111"])]
    #[case("my card is 4111-1111-1111-1111, ok?", &["4111-1111-1111-1111"])]
    #[case("5555555555554444 exp 12/28 cvv 123", &["5555555555554444", "123"])]
    #[case("amex 378282246310005", &["378282246310005"])]
    #[case("٤١١١ ١١١١ ١١١١ ١١١١", &["٤١١١ ١١١١ ١١١١ ١١١١"])]
    #[case("password: hunter2", &["hunter2"])]
    #[case("My password is S3cr3t!x and I live here", &["S3cr3t!x"])]
    #[case("pwd=abc123", &["abc123"])]
    #[case("my pin is 1234", &["1234"])]
    #[case("la mia password è Pippo99", &["Pippo99"])]
    #[case("mi contraseña es gato123", &["gato123"])]
    #[case("mein Passwort ist Geheim1", &["Geheim1"])]
    #[case("mon mot de passe est chat123", &["chat123"])]
    #[case("كلمة السر هي abc123", &["abc123"])]
    #[case("password is $ecret", &["$ecret"])]
    fn secrets_are_found(#[case] said: &str, #[case] want: &[&str]) {
        assert_eq!(quotes(said), want, "{said}");
    }

    #[rstest]
    #[case("I forgot my password")]
    #[case("my password is not working")]
    #[case("the password is expired")]
    #[case("please reset my password: it was lost")]
    #[case("call me on +39 347 123 4567")]
    #[case("order 1234567890123456")]
    #[case("0039 347 1234567 10 pizzas")]
    #[case("a pin for the map")]
    #[case("4111 1111 1111 1112")]
    fn other_messages_hold_none(#[case] said: &str) {
        assert_eq!(quotes(said), Vec::<String>::new(), "{said}");
    }
}
