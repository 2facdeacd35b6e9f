//! Numbers of bank accounts (IBAN), wherever they stand in a text.

use std::ops::Range;

/// Fewest letters and digits of an IBAN.
const SHORTEST: usize = 15;
/// Most letters and digits of an IBAN.
const LONGEST: usize = 34;

/// Bank account numbers in a text whose check digits hold, as bytes of it; single spaces and dashes may stand in them.
pub fn find(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut before = None;
    for (at, c) in text.char_indices() {
        let begins = c.is_ascii_alphabetic() && !before.is_some_and(char::is_alphanumeric);
        before = Some(c);
        if begins && found.last().is_none_or(|last| last.end <= at) {
            found.extend(ends_at(text.get(at..).unwrap_or_default()).map(|len| at..at + len));
        }
    }
    found
}

/// How many bytes the IBAN has that a text begins with; the longest.
fn ends_at(text: &str) -> Option<usize> {
    // Most words are told by this alone.
    let [first, second, third, ..] = text.as_bytes() else { return None };
    if !first.is_ascii_alphabetic() || !second.is_ascii_alphabetic() || third.is_ascii_alphabetic() {
        return None;
    }
    let mut bare = String::new();
    let mut end = None;
    let mut gap = false;
    for (at, c) in text.char_indices() {
        if matches!(c, ' ' | '-' | '\u{a0}') && !gap {
            gap = true;
            continue;
        }
        let fits = match bare.len() {
            0 | 1 => c.is_ascii_alphabetic() && !gap,
            2 | 3 => c.is_ascii_digit(),
            LONGEST.. => false,
            _ => c.is_ascii_alphanumeric(),
        };
        if !fits {
            break;
        }
        gap = false;
        bare.push(c.to_ascii_uppercase());
        let next = text.get(at + 1..).and_then(|rest| rest.chars().next());
        let stops = !next.is_some_and(char::is_alphanumeric);
        if stops && bare.len() >= SHORTEST && checks(&bare) {
            end = Some(at + c.len_utf8());
        }
    }
    end
}

/// What is written like a bank account number, right or not, as bytes of a text: in groups of four, or in one.
pub fn shaped(text: &str) -> Vec<Range<usize>> {
    let mut spans = find(text);
    let mut before = None;
    for (at, c) in text.char_indices() {
        let begins = c.is_ascii_alphabetic() && !before.is_some_and(char::is_alphanumeric);
        before = Some(c);
        if begins && !spans.iter().any(|span| span.contains(&at)) {
            spans.extend(shape_ends_at(text.get(at..).unwrap_or_default()).map(|len| at..at + len));
        }
    }
    spans.sort_by_key(|span| span.start);
    spans
}

/// How many bytes of what a text begins with is written like an IBAN.
fn shape_ends_at(text: &str) -> Option<usize> {
    const GROUP: usize = 4;
    let is_head = matches!(text.as_bytes(), [a, b, c, d, ..]
        if a.is_ascii_alphabetic() && b.is_ascii_alphabetic() && c.is_ascii_digit() && d.is_ascii_digit());
    if !is_head {
        return None;
    }
    let mut len = 0;
    let mut count = 0;
    let mut next = 0;
    for (no, part) in text.split_inclusive([' ', '-', '\u{a0}']).enumerate() {
        let start = next;
        next += part.len();
        let group = part.trim_end_matches([' ', '-', '\u{a0}']);
        let own = group.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(group.len());
        let bytes = group.as_bytes().get(..own).unwrap_or_default();
        let digits = bytes.iter().any(u8::is_ascii_digit);
        let fits = match no {
            0 => own == GROUP || own >= SHORTEST,
            // The second group may be the bank's letters.
            1 => own == GROUP,
            _ => digits && own <= GROUP,
        };
        if !fits || own == 0 || count + own > LONGEST {
            break;
        }
        len = start + own;
        count += own;
        if own != GROUP || own < group.len() {
            break;
        }
    }
    (count >= SHORTEST).then_some(len)
}

/// ISO 7064: the number with its first four characters at the end, letters as 10 to 35, leaves 1 when divided by 97.
fn checks(bare: &str) -> bool {
    let (head, rest) = bare.split_at(4);
    let rest = rest.chars().chain(head.chars()).filter_map(|c| c.to_digit(36));
    rest.fold(0, |sum, value| (sum * if value > 9 { 100 } else { 10 } + value) % 97) == 1
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("GB82 WEST 1234 5698 7654 33", &["GB82 WEST 1234 5698 7654 33"])]
    #[case("it is DE88 3704 0044 0532 0130 00, call 0170 1234567", &["DE88 3704 0044 0532 0130 00"])]
    #[case("DE88370400440532013000 or so", &["DE88370400440532013000"])]
    #[case("ES91 2100 0418 4502 0005 1332 0170 1234567", &["ES91 2100 0418 4502 0005 1332"])]
    #[case("AB12 room 1234", &[])]
    #[case("we are 12 from 1234 Rome", &[])]
    fn what_is_written_like_one_is_found(#[case] text: &str, #[case] want: &[&str]) {
        let found: Vec<&str> = shaped(text).into_iter().map(|range| text.get(range).unwrap()).collect();
        assert_eq!(found, want, "{text}");
    }

    #[rstest]
    #[case("IT60X0542811101000000123456", &["IT60X0542811101000000123456"])]
    #[case("pay to DE89 3704 0044 0532 0130 00, please", &["DE89 3704 0044 0532 0130 00"])]
    #[case("gb82-west-1234-5698-7654-32 is mine", &["gb82-west-1234-5698-7654-32"])]
    #[case("DE89370400440532013000 and IT60X0542811101000000123456", &["DE89370400440532013000", "IT60X0542811101000000123456"])]
    #[case("DE88 3704 0044 0532 0130 00", &[])]
    #[case("AB12 or so", &[])]
    #[case("order XDE89370400440532013000", &[])]
    #[case("è IT60X0542811101000000123456ü", &[])]
    #[case("", &[])]
    fn account_numbers_are_found(#[case] text: &str, #[case] want: &[&str]) {
        let found: Vec<&str> = find(text).into_iter().map(|range| text.get(range).unwrap()).collect();
        assert_eq!(found, want, "{text}");
    }
}
