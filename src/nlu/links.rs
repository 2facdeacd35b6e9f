//! Addresses of the net in a message: their parts are no answers. Nor are those of a bank account's number.

use std::ops::Range;

use super::reader::Reader;
use super::spans::{Board, Cand};
use formwright_form::Kind;
use formwright_form::kind::{Said, iban, overlap};

/// Where links stand in a text, in bytes: a scheme, `://`, and what follows to the next white space, without the marks
/// at its end.
fn links(raw: &str) -> impl Iterator<Item = Range<usize>> {
    let links = raw.match_indices("://").map(|(at, _)| {
        let start = raw[..at]
            .rfind(|c: char| !c.is_ascii_alphanumeric())
            .map_or(0, |no| no + raw[no..].chars().next().map_or(1, char::len_utf8));
        let ends = |c: char| c.is_whitespace() || matches!(c, '،' | '؛' | '؟');
        let end = raw[at..].find(ends).map_or(raw.len(), |len| at + len);
        let len = raw[start..end].trim_end_matches(['.', ',', ';', ':', '!', '?', ')', '"', '>']).len();
        (start < at).then_some(start..start + len)
    });
    links.flatten()
}

/// A message with a mark in the place of each link, and every other word where it was; none where it has no link.
pub(super) fn without_links(said: &Said) -> Option<Said> {
    if !said.raw.contains("://") {
        return None;
    }
    let mut veiled = said.raw.clone();
    for link in links(&said.raw).filter(|link| !link.is_empty()) {
        let mark = format!(";{}", " ".repeat(link.len() - 1));
        if veiled.get(link.clone()).is_some() {
            veiled.replace_range(link, &mark);
        }
    }
    (veiled != said.raw).then(|| Said::new(&veiled))
}

/// The words that e-mail addresses are made of: the "k" of "k.lee@example.com" says no yes.
pub(super) fn words_of_mail(said: &Said) -> Vec<usize> {
    if !said.raw.contains('@') {
        return Vec::new();
    }
    let ats = (0..said.words.len()).filter(|no| said.word(*no) == "@");
    let words = ats.flat_map(|at| {
        let start = (1..=at).rev().find(|no| !said.is_glued(*no)).unwrap_or(0);
        let end = (at + 1..said.words.len()).find(|no| !said.is_glued(*no)).unwrap_or(said.words.len());
        start..end
    });
    words.collect()
}

/// Whether what a kind reads never lies inside a link.
pub(super) fn is_apart(kind: &Kind) -> bool {
    matches!(
        kind,
        Kind::Choice(_)
            | Kind::Choices(_)
            | Kind::YesNo(_)
            | Kind::Integer(_)
            | Kind::Number(_)
            | Kind::Rating(_)
            | Kind::Money(_)
            | Kind::Percent(_)
            | Kind::Duration(_)
            | Kind::Date(_)
            | Kind::DateRange(_)
            | Kind::Time(_)
            | Kind::Datetime(_)
            | Kind::Phone(_)
    )
}

impl Board<'_> {
    /// Drops what was found in a part of a bank account's number: its groups are no telephone number.
    pub(super) fn keep_accounts_whole(&mut self, reader: &Reader<'_>) {
        let accounts = iban::shaped(&reader.said.raw);
        let cuts = |cand: &Cand, account: &Range<usize>| {
            overlap(&cand.raw, account) && !(cand.raw.start <= account.start && account.end <= cand.raw.end)
        };
        self.cands.retain(|cand| !accounts.iter().any(|account| cuts(cand, account)));
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::testing::Stage;

    #[rstest]
    #[case("k.lee@example.com. Oh and yes please to the dogs", "mail=k.lee@example.com; dogs=true")]
    #[case("no-reply@example.com", "mail=no-reply@example.com")]
    #[case("yes-man@no.example", "mail=yes-man@no.example")]
    fn what_an_address_is_made_of_says_no_yes_and_no_no(#[case] said: &str, #[case] expected: &str) {
        const DOGS: &str = r#"
id = "dogs"
title = "Dogs"

[[field]]
id = "mail"
kind = "email"
label = "Email"

[[field]]
id = "dogs"
kind = "yes_no"
label = "Dogs"
"#;
        assert_eq!(Stage::new(DOGS, "mail").fills(said), expected, "{said}");
    }

    #[rstest]
    #[case("see https://a.example/x?y=1, at 10", Some("see ;                      , at 10"))]
    #[case("(http://b.example)", Some("(;               )"))]
    #[case("a://", Some(";   "))]
    #[case("://", None)]
    #[case("è https://é è", Some("è ;          è"))]
    #[case("è://é", None)]
    #[case("no link", None)]
    fn links_give_way_to_a_mark(#[case] raw: &str, #[case] want: Option<&str>) {
        assert_eq!(without_links(&Said::new(raw)).map(|said| said.raw).as_deref(), want);
    }
}
