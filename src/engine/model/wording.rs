//! Whether a model's own words say nothing that the author's texts do not: no number, name, link or sign of their own.

use std::collections::BTreeSet;

use crate::form::kind::Said;
use crate::form::kind::numeral::{self, Shape};
use crate::form::kind::said::Class;
use crate::form::language::Language;

/// Longest text of a model that is said, in characters.
const LONGEST: usize = 500;
/// Marks that belong to any text.
const MARKS: &str = ".,;:!?'\"-()…¿¡،؛؟";

/// Whether a text may be said in place of, or out of, these sources.
///
/// Words are the model's own; facts are not. Numbers, links and signs must stand in a source, and so must every word
/// that is written like a name. The first word of a sentence has a capital anyway and is not looked at, unless a second
/// one follows it.
pub(super) fn adds_no_facts(text: &str, sources: &[&str], lang: &Language) -> bool {
    let source = sources.join("\n");
    let (said, known) = (Said::new(text), Said::new(&source));
    let words: BTreeSet<&str> = (0..known.words.len()).map(|no| known.word(no)).collect();
    let letters = text.chars().any(char::is_alphabetic);
    letters
        && text.chars().count() <= LONGEST
        && !text.chars().any(is_invisible)
        && marks_are_known(&said, &words)
        && numbers_are_known(&said, &known, lang)
        && names_are_known(text, &source, &words, lang)
}

/// Whether the first word of every sentence is one of these sources, or means nothing by itself: it has a capital anyway,
/// and may be a name.
pub(super) fn begins_with_no_name(text: &str, sources: &[&str], lang: &Language) -> bool {
    let known = Said::new(&sources.join("\n"));
    let known: BTreeSet<&str> = (0..known.words.len()).map(|no| known.word(no)).collect();
    let first = |sentence: &str| sentence.split_whitespace().next().map(str::to_lowercase).unwrap_or_default();
    text.split_inclusive(['.', '!', '?', ':', '…', '؟']).map(first).all(|word| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        word.is_empty()
            || known.contains(word)
            || lang.sentence.stop.word(word).is_some()
            || lang.yes_no.yes.word(word).is_some()
            || lang.yes_no.no.word(word).is_some()
    })
}

/// Whether a character is not seen, or turns the direction of others.
fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180b}'..='\u{180e}' | '\u{fe00}'..='\u{fe0f}')
        || matches!(c, '\u{fff9}'..='\u{fffb}' | '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{e0000}'..='\u{e0fff}')
}

fn marks_are_known(said: &Said, words: &BTreeSet<&str>) -> bool {
    let marks = said.words.iter().enumerate().filter(|(_, word)| word.class == Class::Mark);
    marks.map(|(no, _)| said.word(no)).all(|mark| MARKS.contains(mark) || words.contains(mark))
}

fn numbers_are_known(said: &Said, known: &Said, lang: &Language) -> bool {
    let numbers = |said: &Said| -> Vec<_> {
        let found = (0..said.words.len()).filter_map(|no| numeral::at(said, no, lang, None));
        found.filter(|number| number.shape != Shape::Doubtful).map(|number| number.value).collect()
    };
    let allowed = numbers(known);
    numbers(said).iter().all(|number| allowed.contains(number))
}

fn names_are_known(text: &str, source: &str, words: &BTreeSet<&str>, lang: &Language) -> bool {
    let bare = |token: &str| token.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    let tokens: BTreeSet<String> = source.split_whitespace().map(bare).collect();
    let mut begins = true;
    let mut article = false;
    for token in text.split_whitespace() {
        let word = bare(token);
        let lower = word.to_lowercase();
        let known =
            tokens.contains(&word) || words.contains(lower.as_str()) || lang.sentence.stop.word(&lower).is_some();
        let capitals = word.chars().filter(|c| c.is_uppercase()).count();
        // Nouns have capitals in German: with an article before it, a word is one.
        let noun = lang.code == "de" && article && capitals == 1;
        let link = word.contains(['.', '@', '/', ':', '_']);
        let name = capitals > 1 || capitals == 1 && !begins && !noun;
        if !known && (link || name) {
            return false;
        }
        article = lang.sentence.articles.word(&lower).is_some();
        begins = token.ends_with(['.', '!', '?', ':', '…', '؟']);
    }
    true
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::form::language::language;

    const ASK: &str =
        "Which pizza would you like? We deliver to Milano until 22:00, call 02 1234 or see luigi.example.";

    #[rstest]
    #[case("Lovely! And which pizza shall it be?", true)]
    #[case("Quale pizza vi portiamo, fino alle 22:00?", true)]
    #[case("Which pizza, for delivery to Milano?", true)]
    #[case("Which of our three pizzas?", false)]
    #[case("Which pizza? They cost 8 euros.", false)]
    #[case("Which pizza shall Mario bake?", false)]
    #[case("Which pizza? See pizza.example", false)]
    #[case("Which pizza? See luigi.example", true)]
    #[case("Which pizza? https://evil.example/x", false)]
    #[case("Which <b>pizza</b>?", false)]
    #[case("Which pizza? @everyone", false)]
    #[case("FORM_COMPLETE", false)]
    #[case("Which\npizza?", false)]
    #[case("Which \u{61c}pizza?", false)]
    #[case("Which \u{e0041}pizza?", false)]
    #[case("Which pi\u{ad}zza?", false)]
    #[case("  ", false)]
    #[case("?", false)]
    fn facts_must_stand_in_the_source(#[case] text: &str, #[case] expected: bool) {
        assert_eq!(adds_no_facts(text, &[ASK], language("en")), expected, "{text}");
    }

    #[rstest]
    #[case("Welche Pizza darf es sein?", true)]
    #[case("Und was ist die Lieferung?", true)]
    #[case("Welche Pizza soll Mario backen?", false)]
    fn german_nouns_come_with_an_article(#[case] text: &str, #[case] expected: bool) {
        assert_eq!(adds_no_facts(text, &["Welche Pizza möchten Sie?"], language("de")), expected, "{text}");
    }

    #[rstest]
    #[case("In Milano, until 22:00.", true)]
    #[case("Yes. We deliver until 22:00.", true)]
    #[case("Mario bakes it.", false)]
    #[case("We deliver. Mario does.", false)]
    fn an_answer_begins_with_no_name(#[case] text: &str, #[case] expected: bool) {
        assert_eq!(begins_with_no_name(text, &[ASK], language("en")), expected, "{text}");
    }

    #[test]
    fn what_is_too_long_is_not_said() {
        assert!(!adds_no_facts(&"pizza ".repeat(LONGEST), &[ASK], language("en")));
    }
}
