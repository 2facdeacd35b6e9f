//! Countries, and the states and provinces that people write behind a town.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::phrases::Phrases;

/// What the name of a land is one of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Land {
    /// A country.
    Country,
    /// A state or a province.
    State,
    /// The letters that stand for a state: "TX".
    Code,
    /// A state where a town stands before it, else a town: "New York".
    Behind,
    /// A town as well as a state or a country: "Singapore".
    Unsure,
}

/// The lands that a language names, states and their letters among them; none for a language that the file has not.
pub fn lands(lang: &str) -> Option<&'static Phrases<Land>> {
    LANDS.get(lang)
}

static LANDS: LazyLock<BTreeMap<String, Phrases<Land>>> = LazyLock::new(|| {
    // The file is part of the program and a test reads it.
    let file: File = toml::from_str(include_str!("lands.toml")).unwrap_or_else(|e| panic!("lands.toml: {e}"));
    let common = [
        (&file.unsure, Land::Unsure),
        (&file.behind, Land::Behind),
        (&file.states, Land::State),
        (&file.codes, Land::Code),
    ];
    let table = |countries: &Vec<String>| {
        let all = common.iter().flat_map(|(names, land)| names.iter().map(|name| (name.clone(), *land)));
        Phrases::new(all.chain(countries.iter().map(|name| (name.clone(), Land::Country))))
    };
    file.countries.iter().map(|(lang, names)| (lang.clone(), table(names))).collect()
});

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    states: Vec<String>,
    behind: Vec<String>,
    codes: Vec<String>,
    unsure: Vec<String>,
    countries: BTreeMap<String, Vec<String>>,
}

#[cfg(test)]
mod tests {
    use formwright_text::Said;
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("en", "Sri Lanka", Some((2, Land::Country)))]
    #[case("en", "new hampshire", Some((2, Land::State)))]
    #[case("en", "TX", Some((1, Land::Code)))]
    #[case("en", "New York", Some((2, Land::Behind)))]
    #[case("en", "Singapore", Some((1, Land::Unsure)))]
    #[case("it", "Stati Uniti", Some((2, Land::Country)))]
    #[case("es", "Granada", Some((1, Land::Unsure)))]
    #[case("de", "Österreich", Some((1, Land::Country)))]
    #[case("fr", "Pays-Bas", Some((1, Land::Country)))]
    #[case("ar", "ألمانيا", Some((1, Land::Country)))]
    #[case("en", "Oslo", None)]
    fn lands_are_known_by_name(#[case] lang: &str, #[case] said: &str, #[case] expected: Option<(usize, Land)>) {
        let found = lands(lang).and_then(|lands| lands.at(&Said::new(said), 0));
        assert_eq!(found.map(|(len, land)| (len, *land)), expected, "{lang} {said}");
    }
}
