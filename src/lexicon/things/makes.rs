//! Who makes cars and appliances, by names that are the same in every language.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::phrases::Phrases;

/// What a name is, where it is that of a maker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Make {
    /// Nothing else is called so.
    Sure,
    /// It is a word, a town or a name of people as well: "Lincoln", "Seat".
    Shy,
}

/// Makers by their names.
#[derive(Debug)]
pub struct Makes {
    /// By the words of a message.
    pub names: Phrases<Make>,
    /// Those of one word that nothing else is called, as [`Said::plain`](formwright_text::Said::plain) has them.
    pub words: Vec<String>,
}

/// The makers there are.
pub fn makes() -> &'static Makes {
    &MAKES
}

static MAKES: LazyLock<Makes> = LazyLock::new(|| {
    // The file is part of the program and a test reads it.
    let file: File = toml::from_str(include_str!("makes.toml")).unwrap_or_else(|e| panic!("makes.toml: {e}"));
    let sure: Vec<String> = file.cars.into_iter().chain(file.things).collect();
    let words = crate::phrases::plain(sure.iter().filter(|name| !name.contains([' ', '-'])).cloned().collect());
    let all = sure.iter().map(|name| (name, Make::Sure)).chain(file.shy.iter().map(|name| (name, Make::Shy)));
    Makes { names: Phrases::new(all), words }
});

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    cars: Vec<String>,
    things: Vec<String>,
    shy: Vec<String>,
}

#[cfg(test)]
mod tests {
    use formwright_text::Said;
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("Citroën", Some((1, Make::Sure)))]
    #[case("land rover", Some((2, Make::Sure)))]
    #[case("Škoda", Some((1, Make::Sure)))]
    #[case("seat", Some((1, Make::Shy)))]
    #[case("table", None)]
    fn makers_are_known_by_name(#[case] said: &str, #[case] expected: Option<(usize, Make)>) {
        assert_eq!(makes().names.at(&Said::new(said), 0).map(|(len, make)| (len, *make)), expected, "{said}");
    }
}
