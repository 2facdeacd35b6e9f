//! What a field counts, said of one: "camera" of "Camere", "habitación" of "Habitaciones", "Bett" of "Betten".
//!
//! English and French tell several by an "s", which [`formwright_text::stem`] takes off.

use formwright_lexicon::Language;
use formwright_text::Said;

/// The names of a field that counts, each with its words for several of a thing put for one; none where that changes nothing.
/// Where an article means one, too, only a name of one word is so put: "un mazzo di rose" counts no "Numero di mazzi".
pub(super) fn of(lang: &Language, name: &Said) -> Vec<Said> {
    let article = lang.sentence.articles.first_words().any(|word| lang.number.atoms.word(word).is_some());
    if article && name.words.len() > 1 {
        return Vec::new();
    }
    let words: Vec<&str> = (0..name.words.len()).map(|no| name.plain(no)).collect();
    let put = |no: usize, one: &str| {
        let words = words.iter().enumerate().map(|(at, word)| if at == no { one } else { word });
        Said::new(&words.collect::<Vec<_>>().join(" "))
    };
    let ones = |no: usize| singulars(lang, words[no]).into_iter().map(move |one| (no, one));
    (0..words.len()).flat_map(ones).map(|(no, one)| put(no, &one)).collect()
}

/// What a word for several may be of one, as [`Said::plain`] has it.
fn singulars(lang: &Language, word: &str) -> Vec<String> {
    /// Least letters that are left.
    const LEAST: usize = 4;
    if let Some(one) = lang.number.one_of.get(word) {
        return vec![one.clone()];
    }
    let endings: &[(&str, &[&str])] = match lang.code {
        "it" => &[("e", &["a"]), ("i", &["o", "e"])],
        "es" => &[("ces", &["z"]), ("nes", &["n"]), ("res", &["r"]), ("les", &["l"]), ("des", &["d"])],
        "de" => &[("en", &["", "e"]), ("er", &[""]), ("e", &[""])],
        _ => &[],
    };
    let Some((root, ones)) = endings.iter().find_map(|(many, ones)| Some((word.strip_suffix(many)?, ones))) else {
        return Vec::new();
    };
    let long = root.chars().count() >= LEAST;
    ones.iter().filter(|_| long).map(|one| format!("{root}{one}")).collect()
}

#[cfg(test)]
mod tests {
    use formwright_lexicon::language;
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("it", "Camere", &["camera"])]
    #[case("it", "Numero di camere", &[])]
    #[case("it", "Biglietti", &["biglietto", "bigliette"])]
    #[case("es", "Habitaciones", &["habitacion"])]
    #[case("de", "Betten", &["bett", "bette"])]
    #[case("fr", "Chambres", &[])]
    #[case("en", "Rooms", &[])]
    #[case("ar", "عدد الغرف", &["عدد غرفه"])]
    fn one_of_what_is_counted(#[case] lang: &str, #[case] name: &str, #[case] expected: &[&str]) {
        let found = of(language(lang), &Said::new(name));
        let found: Vec<&str> = found.iter().map(|name| name.raw.as_str()).collect();
        assert_eq!(found, expected);
    }
}
