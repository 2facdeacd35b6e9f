//! Languages as data: words for yes and no, controls, numbers, dates. A language is one TOML file beside this one.
//!
//! Deliberately absent: texts the product says (they are with the engine) and grammar. Parsers bring the grammar and
//! take the words from here.

#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]

pub mod by_word;
mod days;
mod known;
pub mod phrases;
mod talk;
mod things;

use std::sync::LazyLock;

pub use days::{dates, holiday, modal, past};
pub use phrases::Phrases;
pub use talk::{brief, class, control, denial, desk, filler, frame, going, naming, sense, sentence, speech, tongue};
pub use things::{everyday, given, lands, makes, measure, name, number, option, secret, spoken, street, yes_no};

/// Languages by their English names, as data and documents of others have them, with their tags.
pub const NAMED: [(&str, &str); 15] = [
    ("english", "en"),
    ("arabic", "ar"),
    ("italian", "it"),
    ("spanish", "es"),
    ("german", "de"),
    ("french", "fr"),
    ("portuguese", "pt"),
    ("dutch", "nl"),
    ("turkish", "tr"),
    ("polish", "pl"),
    ("russian", "ru"),
    ("chinese", "zh"),
    ("japanese", "ja"),
    ("hindi", "hi"),
    ("urdu", "ur"),
];

/// Everything a language brings. Built once from its file.
#[derive(Debug)]
pub struct Language {
    /// BCP 47 primary tag: `en`.
    pub code: &'static str,
    /// Written right to left.
    pub rtl: bool,
    /// Every word of its file.
    known: known::Known,
    /// How numbers are written and said.
    pub number: number::NumberWords,
    /// Words for yes and no.
    pub yes_no: yes_no::YesNoWords,
    /// Words that say that what stands beside them is not meant.
    pub denial: denial::DenialWords,
    /// Words that steer the conversation.
    pub control: control::ControlWords,
    /// What people at a desk write about a case.
    pub desk: desk::DeskWords,
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
    /// Words that a model may put around an author's words.
    pub speech: speech::SpeechWords,
    /// How people ask for a language.
    pub tongue: tongue::TongueWords,
    /// What is to be had everywhere, and scales.
    pub everyday: everyday::EverydayWords,
    /// How sentences name casts, events, and things that get a name.
    pub naming: naming::NamingWords,
    /// Short texts, and what is no answer where they are asked for.
    pub brief: brief::BriefWords,
    /// Where one is, and where one has to be.
    pub going: going::GoingWords,
    /// Small words by what they do in a sentence.
    pub class: class::ClassWords,
    /// What words are about.
    pub sense: sense::Senses,
}

impl Language {
    /// Whether the language's file has a word anywhere (see [`Said::plain`](formwright_text::Said::plain)). What it has not
    /// is likely a name.
    pub fn knows(&self, plain: &str) -> bool {
        self.known.has(plain)
    }

    /// Whether a word names a day, month or time by itself: "today", "March". One or two letters may be anything.
    pub fn tells_time(&self, plain: &str) -> bool {
        const SHORTEST: usize = 3;
        let alone = || self.date.beginning(plain).iter().any(|phrase| phrase.rest.is_empty());
        plain.chars().count() >= SHORTEST && alone()
    }

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

/// The codes of every language there is, English first. None of them is read for that.
pub fn codes() -> [&'static str; 6] {
    TAGS
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
    denial: denial::DenialWords,
    control: control::ControlWords,
    desk: desk::DeskWords,
    date: dates::DateWords,
    filler: filler::FillerWords,
    sentence: sentence::SentenceWords,
    spoken: spoken::SpokenWords,
    option: option::OptionWords,
    name: name::NameWords,
    frame: frame::FrameWords,
    street: street::StreetWords,
    secret: secret::SecretWords,
    speech: speech::SpeechWords,
    tongue: tongue::TongueWords,
    everyday: everyday::EverydayWords,
    naming: naming::NamingWords,
    brief: brief::BriefWords,
    going: going::GoingWords,
    class: class::ClassWords,
    sense: sense::Senses,
}

fn load(code: &'static str, text: &'static str) -> Language {
    // The files are part of the program and a test reads each of them.
    let mut file: File = toml::from_str(text).unwrap_or_else(|e| panic!("{code}.toml: {e}"));
    // Where a form does not tell otherwise, what is collected is brought back later.
    file.sentence.first = file.sentence.first.with(&file.sentence.fetch);
    file.sentence.second = file.sentence.second.with(&file.sentence.bring);
    Language {
        code,
        rtl: file.rtl,
        known: known::Known::of(text),
        number: file.number,
        yes_no: file.yes_no,
        denial: file.denial,
        control: file.control,
        desk: file.desk,
        date: file.date,
        // Greetings and thanks mean nothing around an answer.
        filler: filler::FillerWords { around: file.filler.around.with(&file.sentence.courtesy) },
        sentence: file.sentence,
        spoken: file.spoken,
        option: file.option,
        name: file.name,
        frame: file.frame,
        street: file.street,
        secret: file.secret,
        speech: file.speech,
        tongue: file.tongue,
        everyday: file.everyday,
        naming: file.naming,
        brief: file.brief,
        going: file.going,
        class: file.class,
        sense: file.sense,
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
}
