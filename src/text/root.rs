//! The part of a word that its forms share.

use super::stem;

/// The part of a word that its forms share: "reserv" of "reserving", "reserved" and "reservation". Two words with the same
/// root mean the same more often than not; that is all it promises.
pub fn root(word: &str) -> &str {
    const LONGEST: usize = 6;
    const SHORTEST: usize = 3;
    let word = word.strip_prefix("ال").filter(|rest| rest.chars().count() > 1).unwrap_or(word);
    let word = possessed(word).unwrap_or(word);
    let word = stem(word);
    let cut = |ending: &str| word.strip_suffix(ending).filter(|rest| rest.chars().count() >= SHORTEST);
    let word = ["ing", "ies", "es", "ed"].into_iter().find_map(cut).unwrap_or(word);
    let end = word.char_indices().nth(LONGEST).map_or(word.len(), |(at, _)| at);
    let word = word.get(..end).unwrap_or(word);
    if word.chars().count() > SHORTEST { word.trim_end_matches(['e', 'o', 'a', 'i']) } else { word }
}

/// An Arabic word without the pronoun written with it: "زوجت" of "زوجتي".
fn possessed(word: &str) -> Option<&str> {
    const SHORTEST: usize = 3;
    let arabic = word.chars().next().is_some_and(|first| matches!(first, '\u{600}'..='\u{6ff}'));
    let mut endings = ["ها", "نا", "كم", "ي", "ك", "ه"].into_iter().filter(|_| arabic);
    endings.find_map(|ending| word.strip_suffix(ending).filter(|rest| rest.chars().count() >= SHORTEST))
}

#[cfg(test)]
mod tests {
    use super::root;

    #[test]
    fn forms_of_a_word_share_a_root() {
        for (one, other) in
            [("reserving", "reservation"), ("parcels", "parcel"), ("bambini", "bambino"), ("الفندق", "فندق")]
        {
            assert_eq!(root(one), root(other), "{one}, {other}");
        }
        assert_ne!(root("night"), root("day"));
    }
}
