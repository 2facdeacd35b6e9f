//! `[tongue]`: how people ask for a language, and which one a message is written in.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use formwright_text::{Class, Said};
use serde::Deserialize;

use crate::phrases::{Phrases, list};
use crate::{Language, NAMED, all};

/// Longest message that only asks for a language, in words.
const LONGEST_WISH: usize = 12;
/// Fewest small words of a language that tell it, and how many words there may be to two of them.
const FEWEST: usize = 2;
const WORDS_TO_TWO: usize = 5;

/// How people ask for a language.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TongueWords {
    /// The names of languages, by their tags; the first is the one to write.
    pub name: BTreeMap<String, Vec<String>>,
    /// Asks for a language where its name follows: "speak".
    #[serde(deserialize_with = "list")]
    pub ask: Phrases<()>,
    /// Those of them that also say of somebody which language they speak: "parla".
    #[serde(deserialize_with = "list")]
    pub tells: Phrases<()>,
    /// Stands beside a language's name, and elsewhere: "in".
    #[serde(deserialize_with = "list")]
    pub beside: Phrases<()>,
}

/// A language that a message asks for, and nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Its tag: one of those here, or of [`NAMED`].
    pub tag: &'static str,
    /// No answer is said like this: "speak Italian". "Italian, please" may be one.
    pub plain: bool,
    /// The language of the words that ask; none where nothing but names of languages and small words was said.
    pub asked_in: Option<&'static str>,
    /// Said in a conversation in their own language, the words may as well tell what somebody speaks: "parla inglese".
    pub tells: bool,
}

/// The names of languages in each language.
static NAMES: LazyLock<Phrases<&'static str>> = LazyLock::new(|| {
    let other = |tag: &String| NAMED.into_iter().map(|(_, named)| named).find(|named| named == tag);
    let of = |tag: &String| all().map(|lang| lang.code).find(|code| code == tag).or_else(|| other(tag));
    let own = all().flat_map(|lang| &lang.tongue.name).filter_map(|(tag, names)| Some((of(tag)?, names)));
    let own = own.flat_map(|(code, names)| names.iter().map(move |name| (name.as_str(), code)));
    let others = NAMED.into_iter().filter(|(_, tag)| all().all(|lang| lang.code != *tag));
    Phrases::new(own.chain(others))
});

/// The language that a message asks for by name, where it says nothing else.
pub fn asked_for(said: &Said) -> Option<Wanted> {
    // Most messages name none.
    if said.words.len() > LONGEST_WISH || !(0..said.words.len()).any(|no| NAMES.starts(said, no)) {
        return None;
    }
    all().find_map(|lang| asked_in(said, lang))
}

fn asked_in(said: &Said, lang: &'static Language) -> Option<Wanted> {
    let len = |table: &Phrases<()>, no| table.at(said, no).map_or(0, |(len, ())| len);
    let (mut no, mut wanted, mut plain, mut tells, mut polite) = (0, None, false, false, said.raw.contains(['?', '؟']));
    while let Some(word) = said.words.get(no) {
        let asks = len(&lang.tongue.ask, no);
        let small = [&lang.tongue.beside, &lang.speech.small, &lang.sentence.courtesy].map(|table| len(table, no));
        let small = small.into_iter().max().unwrap_or(0).max(usize::from(word.class == Class::Mark));
        match NAMES.at(said, no) {
            Some((len, tag)) if wanted.is_none_or(|known| known == *tag) => {
                wanted = Some(*tag);
                no += len;
            }
            Some(_) => return None,
            None if asks.max(small) == 0 => return None,
            None => {
                plain |= asks >= small;
                tells |= asks >= small && len(&lang.tongue.tells, no) == asks;
                polite |= len(&lang.sentence.courtesy, no).max(len(&lang.frame.tail, no)) > 0;
                no += asks.max(small);
            }
        }
    }
    wanted.map(|tag| Wanted { tag, plain, asked_in: plain.then_some(lang.code), tells: tells && !polite })
}

/// The language that a message is plainly written in, where it is another than this one: by its script, or by small words
/// that this one does not have, and none of its own.
pub fn written_in(said: &Said, spoken: &Language) -> Option<&'static Language> {
    if in_another_script(said) {
        return all().find(|lang| lang.rtl && !spoken.rtl);
    }
    let words: BTreeSet<&str> = (0..said.words.len())
        .flat_map(|no| said.plain(no).split('\''))
        .filter(|word| word.chars().any(char::is_alphabetic))
        .collect();
    // "Mi chiamo" tells a language as its small words do.
    let introduces = |lang: &Language, word: &str| {
        let at = |no: usize| {
            lang.name.is.at(said, no).is_some_and(|(len, ())| (no..no + len).any(|no| said.plain(no) == word))
        };
        (0..said.words.len()).any(at)
    };
    let of = |lang: &Language, other: &Language| {
        let tells = |word: &str| is_small(lang, word) || introduces(lang, word);
        words.iter().filter(|word| tells(word) && !is_small(other, word)).count()
    };
    let counts = |lang: &&Language| lang.code != spoken.code && of(spoken, lang) == 0;
    let mut counted: Vec<_> = all().filter(counts).map(|lang| (of(lang, spoken), lang)).collect();
    counted.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    let (count, lang) = *counted.first()?;
    let next = counted.get(1).map_or(0, |(count, _)| *count);
    let own =
        |word: &&&str| is_small(lang, word) && all().all(|other| other.code == lang.code || !is_small(other, word));
    let tells = count >= FEWEST && count > next && words.iter().any(|word| own(&word));
    (tells && words.len() * 2 <= count * WORDS_TO_TWO).then_some(lang)
}

/// Whether most letters of a message are Arabic ones.
fn in_another_script(said: &Said) -> bool {
    let letters = said.norm.chars().filter(|c| c.is_alphabetic());
    let (arabic, others): (Vec<char>, Vec<char>) = letters.partition(|c| ('\u{0600}'..='\u{06ff}').contains(c));
    arabic.len() > 1 && arabic.len() > others.len()
}

/// Whether a word is a small one of a language.
fn is_small(lang: &Language, word: &str) -> bool {
    let tables = [
        &lang.sentence.stop,
        &lang.sentence.articles,
        &lang.sentence.question,
        &lang.sentence.inverted,
        &lang.speech.small,
        &lang.speech.turn,
        &lang.speech.person,
        &lang.speech.asking,
    ];
    tables.into_iter().any(|table| table.word(word).is_some())
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::language;

    #[rstest]
    #[case("speak Italian", "it", true)]
    #[case("Can you speak French, please?", "fr", true)]
    #[case("parla italiano per favore", "it", true)]
    #[case("parli inglese?", "en", true)]
    #[case("¿hablas español?", "es", true)]
    #[case("Sprechen Sie Deutsch?", "de", true)]
    #[case("auf Deutsch bitte", "de", false)]
    #[case("parlez-vous français ?", "fr", true)]
    #[case("بالعربية من فضلك", "ar", false)]
    #[case("تكلم بالعربية", "ar", true)]
    #[case("in italiano", "it", false)]
    #[case("Italian", "it", false)]
    #[case("do you speak Dutch?", "nl", true)]
    fn a_language_is_asked_for_by_its_name(#[case] said: &str, #[case] tag: &'static str, #[case] plain: bool) {
        let wanted = asked_for(&Said::new(said)).map(|wanted| (wanted.tag, wanted.plain));
        assert_eq!(wanted, Some((tag, plain)));
    }

    #[rstest]
    #[case("parla inglese", Some("it"), true)]
    #[case("parla inglese, per favore", Some("it"), false)]
    #[case("parla inglese?", Some("it"), false)]
    #[case("habla francés", Some("es"), true)]
    #[case("parle allemand", Some("fr"), true)]
    #[case("speak French", Some("en"), false)]
    #[case("français", None, false)]
    fn words_may_tell_what_somebody_speaks(#[case] said: &str, #[case] asked_in: Option<&str>, #[case] tells: bool) {
        let wanted = asked_for(&Said::new(said)).map(|wanted| (wanted.asked_in, wanted.tells));
        assert_eq!(wanted, Some((asked_in, tells)));
    }

    #[rstest]
    #[case("parli portoghese?", "pt")]
    #[case("¿habláis neerlandés?", "nl")]
    #[case("Sprechen Sie Polnisch?", "pl")]
    #[case("parlez-vous russe ?", "ru")]
    #[case("هل تتحدث التركية", "tr")]
    #[case("in giapponese, per favore", "ja")]
    fn languages_that_are_not_spoken_have_names_too(#[case] said: &str, #[case] tag: &str) {
        assert_eq!(asked_for(&Said::new(said)).map(|wanted| wanted.tag), Some(tag));
    }

    #[rstest]
    #[case("I speak to my Italian aunt")]
    #[case("Italian or German")]
    #[case("a parcel to Italy")]
    #[case("speak to a person")]
    #[case("the menu in French")]
    #[case("")]
    fn other_wishes_are_none_for_a_language(#[case] said: &str) {
        assert_eq!(asked_for(&Said::new(said)), None);
    }

    #[rstest]
    #[case("ho perso il pacco", "en", "it")]
    #[case("siete aperti la domenica?", "en", "it")]
    #[case("dove trovo il numero del pacco?", "en", "it")]
    #[case("I have lost my parcel", "it", "en")]
    #[case("quisiera hacer un pedido para mañana", "en", "es")]
    #[case("ich möchte ein Paket melden", "en", "de")]
    #[case("j'ai perdu mon colis", "en", "fr")]
    #[case("طردي مفقود", "en", "ar")]
    #[case("نعم", "it", "ar")]
    #[case("ciao, mi chiamo Marco Rossi, vengo solo sabato", "en", "it")]
    #[case("hola, me llamo Ana Ruiz y vengo solo el sábado", "en", "es")]
    #[case("hallo, ich heiße Eva Kurz und komme nur am Samstag", "en", "de")]
    fn a_message_tells_its_language(#[case] said: &str, #[case] spoken: &str, #[case] tag: &str) {
        assert_eq!(written_in(&Said::new(said), language(spoken)).map(|lang| lang.code), Some(tag));
    }

    #[rstest]
    #[case("I have lost my parcel", "en")]
    #[case("ho perso il pacco", "it")]
    #[case("no", "en")]
    #[case("die", "en")]
    #[case("Via Roma 12", "en")]
    #[case("quattro formaggi e prosciutto di Parma", "en")]
    #[case("café au lait", "en")]
    #[case("ok, grazie", "en")]
    #[case("the pizza di Napoli, con la mozzarella", "en")]
    #[case("2 pizze", "en")]
    #[case("🙂 12:30", "en")]
    fn what_may_be_the_language_spoken_tells_no_other(#[case] said: &str, #[case] spoken: &str) {
        assert_eq!(written_in(&Said::new(said), language(spoken)).map(|lang| lang.code), None);
    }

    #[test]
    fn every_language_names_every_language() {
        for lang in all() {
            let tags = all().map(|named| named.code).chain(NAMED.into_iter().map(|(_, tag)| tag));
            for tag in tags.filter(|tag| lang.code != "en" || all().any(|named| named.code == *tag)) {
                assert!(lang.tongue.name.contains_key(tag), "{} has no name for {tag}", lang.code);
            }
        }
    }
}
