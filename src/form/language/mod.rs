//! Languages as data: words for yes and no, controls, numbers, dates. A language is one TOML file beside this one.
//!
//! Deliberately absent: texts the product says (they are with the engine) and grammar. Parsers bring the grammar and
//! take the words from here.

pub mod control;
pub mod dates;
pub mod filler;
pub mod frame;
pub mod name;
pub mod number;
pub mod option;
pub mod phrases;
pub mod secret;
pub mod sentence;
pub mod spoken;
pub mod street;
pub mod yes_no;

use std::sync::LazyLock;

pub use phrases::Phrases;

/// Everything a language brings. Built once from its file.
#[derive(Debug)]
pub struct Language {
    /// BCP 47 primary tag: `en`.
    pub code: &'static str,
    /// Written right to left.
    pub rtl: bool,
    /// How numbers are written and said.
    pub number: number::NumberWords,
    /// Words for yes and no.
    pub yes_no: yes_no::YesNoWords,
    /// Words that steer the conversation.
    pub control: control::ControlWords,
    /// How days, times and lengths of time are said.
    pub date: dates::DateWords,
    /// Words that mean nothing around an answer.
    pub filler: filler::FillerWords,
    /// How the parts of a sentence belong together.
    pub sentence: sentence::SentenceWords,
    /// How the marks of addresses are said.
    pub spoken: spoken::SpokenWords,
    /// Words around the options of a choice.
    pub option: option::OptionWords,
    /// How people say who they are.
    pub name: name::NameWords,
    /// What people put around an answer in free words.
    pub frame: frame::FrameWords,
    /// Words of postal addresses.
    pub street: street::StreetWords,
    /// Words that announce what must not be taken down.
    pub secret: secret::SecretWords,
}

impl Language {
    /// This language, then English where this is another: people mix the two.
    pub fn and_english(&self) -> impl Iterator<Item = &Self> {
        std::iter::once(self).chain((self.code != "en").then(english))
    }
}

/// The language for a BCP 47 tag (`it-IT` gives Italian); English where it is not known.
pub fn language(tag: &str) -> &'static Language {
    let primary = tag.split(['-', '_']).next().unwrap_or_default();
    TAGS.iter().position(|code| code.eq_ignore_ascii_case(primary)).map_or_else(english, |no| &FILES[no])
}

/// Every language there is, English first.
pub fn all() -> impl Iterator<Item = &'static Language> {
    FILES.iter().map(|file| &**file)
}

/// The fallback of every other language.
pub fn english() -> &'static Language {
    &FILES[0]
}

/// Tags in the order of [`FILES`].
const TAGS: [&str; 6] = ["en", "it", "es", "de", "fr", "ar"];

static FILES: [LazyLock<Language>; 6] = [
    LazyLock::new(|| load("en", include_str!("en.toml"))),
    LazyLock::new(|| load("it", include_str!("it.toml"))),
    LazyLock::new(|| load("es", include_str!("es.toml"))),
    LazyLock::new(|| load("de", include_str!("de.toml"))),
    LazyLock::new(|| load("fr", include_str!("fr.toml"))),
    LazyLock::new(|| load("ar", include_str!("ar.toml"))),
];

/// A language file.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    rtl: bool,
    number: number::NumberWords,
    yes_no: yes_no::YesNoWords,
    control: control::ControlWords,
    date: dates::DateWords,
    filler: filler::FillerWords,
    sentence: sentence::SentenceWords,
    spoken: spoken::SpokenWords,
    option: option::OptionWords,
    name: name::NameWords,
    frame: frame::FrameWords,
    street: street::StreetWords,
    secret: secret::SecretWords,
}

fn load(code: &'static str, text: &str) -> Language {
    // The files are part of the program and a test reads each of them.
    let file: File = toml::from_str(text).unwrap_or_else(|e| panic!("{code}.toml: {e}"));
    Language {
        code,
        rtl: file.rtl,
        number: file.number,
        yes_no: file.yes_no,
        control: file.control,
        date: file.date,
        filler: file.filler,
        sentence: file.sentence,
        spoken: file.spoken,
        option: file.option,
        name: file.name,
        frame: file.frame,
        street: file.street,
        secret: file.secret,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_loads_in_the_order_of_the_tags() {
        assert!(all().map(|language| language.code).eq(TAGS));
    }

    #[test]
    fn a_language_is_found_by_its_primary_tag_and_english_is_the_fallback() {
        for (tag, code) in [
            ("it", "it"),
            ("it-IT", "it"),
            ("DE_at", "de"),
            ("fr-Latn-CA", "fr"),
            ("ar", "ar"),
            ("xx", "en"),
            ("", "en"),
        ] {
            assert_eq!(language(tag).code, code, "{tag}");
        }
    }

    #[test]
    fn other_languages_are_read_together_with_english() {
        let codes = |tag| language(tag).and_english().map(|language| language.code).collect::<Vec<_>>();
        assert_eq!(codes("es"), ["es", "en"]);
        assert_eq!(codes("en"), ["en"]);
    }

    /// Sections that only English has filled so far.
    const ENGLISH_ONLY: [&str; 3] = ["control", "sentence", "date"];

    #[test]
    fn every_language_has_every_section_filled() {
        let texts = [
            include_str!("en.toml"),
            include_str!("it.toml"),
            include_str!("es.toml"),
            include_str!("de.toml"),
            include_str!("fr.toml"),
            include_str!("ar.toml"),
        ];
        for (code, text) in TAGS.into_iter().zip(texts) {
            let file: toml::Table = toml::from_str(text).unwrap();
            let sections = file.iter().filter_map(|(name, value)| Some((name.as_str(), value.as_table()?)));
            for (name, section) in sections.filter(|(name, _)| code == "en" || !ENGLISH_ONLY.contains(name)) {
                assert!(!section.is_empty(), "{code}.toml: [{name}] is empty");
            }
        }
    }

    #[test]
    fn every_language_has_words_for_what_kinds_look_up() {
        for language in all() {
            let (number, yes_no) = (&language.number, &language.yes_no);
            for (name, empty) in [
                ("number.percent", number.percent.is_empty()),
                ("number.currencies", number.currencies.is_empty()),
                ("number.cents", number.cents.is_empty()),
                ("number.out_of", number.out_of.is_empty()),
                ("number.points", number.points.is_empty()),
                ("number.range", number.range.is_empty()),
                ("number.after", number.after.is_empty()),
                ("number.before", number.before.is_empty()),
                ("yes_no.yes", yes_no.yes.is_empty()),
                ("yes_no.no", yes_no.no.is_empty()),
                ("yes_no.negation", yes_no.negation.is_empty()),
                ("yes_no.unsure", yes_no.unsure.is_empty()),
                ("yes_no.firm", yes_no.firm.is_empty()),
                ("yes_no.with", yes_no.with.is_empty()),
                ("yes_no.show_yes", yes_no.show_yes.is_empty()),
                ("filler.around", language.filler.around.is_empty()),
            ] {
                assert!(!empty, "{}.toml: {name} is empty", language.code);
            }
        }
    }

    #[test]
    fn numbers_to_a_hundred_have_names_in_every_language() {
        let sample = [0, 1, 2, 3, 5, 8, 11, 12, 16, 20, 30, 50, 70, 80, 90, 100, 1000];
        for language in all() {
            let words = |value: i64| {
                let value = rust_decimal::Decimal::from(value);
                language.number.atoms.meanings().any(|(_, atom)| {
                    matches!(atom, number::Atom::Value(named) | number::Atom::Scale(named) if *named == value)
                })
            };
            // French makes seventy and ninety of smaller numbers in most of its regions, and has names for them in others.
            let missing: Vec<i64> = sample.into_iter().filter(|&value| !words(value)).collect();
            assert!(missing.is_empty(), "{}.toml: {missing:?}", language.code);
        }
    }
}
