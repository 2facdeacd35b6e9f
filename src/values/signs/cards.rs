//! Payment card numbers, which must never be taken for anything else.

/// Whether digits are the number of a payment card: its length and beginning are an issuer's and its check digit holds.
pub(crate) fn is_card(digits: &str) -> bool {
    (13..=19).contains(&digits.len())
        && digits.bytes().all(|b| b.is_ascii_digit())
        && has_issuer(digits)
        && checks(digits)
}

/// Whether groups of digits are as long as those on a card, whatever they are: a card's number may be mistyped.
pub(crate) fn is_grouped(lens: &[usize]) -> bool {
    lens.windows(4).any(|four| four == [4, 4, 4, 4]) || lens == [4, 6, 5]
}

fn has_issuer(digits: &str) -> bool {
    let first = |len: usize| digits.get(..len).and_then(|first| first.parse::<u32>().ok()).unwrap_or_default();
    match digits.len() {
        13 | 19 if first(1) == 4 => true,
        14 => matches!(first(3), 300..=305 | 309) || matches!(first(2), 36 | 38 | 39),
        15 => matches!(first(2), 34 | 37),
        16..=19 => {
            first(1) == 4 && digits.len() == 16
                || matches!(first(2), 51..=55 | 62 | 65 | 50 | 56..=61 | 63 | 64 | 66..=69 | 35)
                || (222_100..=272_099).contains(&first(6))
                || matches!(first(4), 2200..=2204)
        }
        _ => false,
    }
}

/// The Luhn check.
fn checks(digits: &str) -> bool {
    let sum: u32 = digits
        .bytes()
        .rev()
        .enumerate()
        .map(|(place, byte)| {
            let digit = u32::from(byte - b'0');
            match (place % 2, digit * 2) {
                (0, _) => digit,
                (_, double) if double > 9 => double - 9,
                (_, double) => double,
            }
        })
        .sum();
    sum.is_multiple_of(10)
}
