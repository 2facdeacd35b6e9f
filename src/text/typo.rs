//! How far a word is from the word that was meant.

/// The number of typing mistakes between a word and the word meant; none where there are too many for its length.
pub fn distance(word: &str, meant: &str) -> Option<usize> {
    let (word_len, meant_len) = (word.chars().count(), meant.chars().count());
    let most = most_mistakes(word_len, meant_len)?;
    let digits = |s: &str| s.bytes().any(|b| b.is_ascii_digit());
    if digits(word) || digits(meant) {
        return None;
    }
    // "Inexpensive" is no "expensive".
    if word_len.abs_diff(meant_len) > 1 && (word.ends_with(meant) || meant.ends_with(word)) {
        return None;
    }
    // Each mistake changes at most two letters of the set of letters.
    if (letters(word) ^ letters(meant)).count_ones() > 2 * u32::try_from(most).unwrap_or(3) {
        return None;
    }
    let off = strsim::osa_distance(word, meant);
    let same_start = word.chars().next() == meant.chars().next();
    let near = off <= most && (off < 2 || same_start || word_len.min(meant_len) >= 8);
    near.then_some(off.max(1))
}

/// The greatest number of typing mistakes between words of so many letters; none where they are too short or too different
/// in length.
pub fn most_mistakes(word: usize, meant: usize) -> Option<usize> {
    let most = match word.min(meant) {
        0..=3 => return None,
        4 | 5 => 1,
        6..=11 => 2,
        _ => 3,
    };
    (word.abs_diff(meant) <= most).then_some(most)
}

/// Whether a word with so many typing mistakes may as well be another word: it begins otherwise, or much of it is wrong.
pub fn is_doubtful(word: &str, meant: &str, off: usize) -> bool {
    let starts = word.chars().next() == meant.chars().next();
    let letters = meant.chars().count().min(word.chars().count());
    off > 0 && (!starts || letters < 4 + 2 * off)
}

/// The set of letters in a word, as bits.
fn letters(word: &str) -> u32 {
    word.chars().fold(0, |bits, c| bits | 1 << (u32::from(c) % 32))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("margarita", "margherita", Some(2))]
    #[case("shuld", "should", Some(1))]
    #[case("grafic", "graphic", Some(2))]
    #[case("recongnition", "recognition", Some(1))]
    #[case("alpahabetical", "alphabetical", Some(1))]
    #[case("responsability", "responsibility", Some(1))]
    #[case("cat", "car", None)]
    #[case("smell", "small", Some(1))]
    #[case("house", "mouth", None)]
    #[case("preferrable", "availability", None)]
    #[case("type2", "type3", None)]
    #[case("inexpensive", "expensive", None)]
    #[case("complete", "incomplete", None)]
    fn mistakes_are_forgiven_by_length(#[case] word: &str, #[case] meant: &str, #[case] want: Option<usize>) {
        assert_eq!(distance(word, meant), want);
    }

    #[rstest]
    #[case("megan", "vegan", true)]
    #[case("celia", "celiac", true)]
    #[case("vegitarian", "vegetarian", false)]
    #[case("margarita", "margherita", false)]
    #[case("yelow", "yellow", true)]
    #[case("turquiose", "turquoise", false)]
    fn a_short_word_or_another_beginning_is_doubtful(#[case] word: &str, #[case] meant: &str, #[case] want: bool) {
        let off = distance(word, meant).unwrap();
        assert_eq!(is_doubtful(word, meant, off), want, "{word}");
    }
}
