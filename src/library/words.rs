//! Words as they are compared: without case and accents, whatever ending they have.

use super::alike;
use formwright_form::kind::Said;
use formwright_lexicon as language;
use formwright_lexicon::{Language, language};
use formwright_text::Class;

/// Most words of a question that count.
const MOST: usize = 24;
/// What a word weighs that says little by itself, such as "number".
const LITTLE: f64 = 0.3;

/// A word of a question.
#[derive(Debug, PartialEq)]
pub(super) struct Term {
    /// The word, then others for the same thing.
    pub(super) words: Vec<String>,
    /// How much it says, from 0 to 1.
    pub(super) weight: f64,
}

impl Term {
    /// Whether a word is this one, or another for the same thing.
    pub(super) fn is(&self, word: &str) -> bool {
        self.words.iter().any(|own| is_same(own, word))
    }

    /// Whether some of these words are.
    pub(super) fn is_in(&self, words: &[String]) -> bool {
        words.iter().any(|word| self.is(word))
    }
}

/// The words of a text, in order.
pub(super) fn words(text: &str) -> Vec<String> {
    let said = Said::new(text);
    let words = said.words.iter().enumerate().filter(|(_, word)| word.class != Class::Mark);
    let parts = words.flat_map(|(no, _)| parts(said.plain(no)));
    parts.collect()
}

/// A word by its parts, which apostrophes and hyphens join, without an Arabic article.
pub(super) fn parts(word: &str) -> Vec<String> {
    let parts = word.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty());
    parts.map(|part| without_article(part).to_owned()).collect()
}

fn without_article(word: &str) -> &str {
    const ARTICLES: [&str; 6] = ["وال", "بال", "كال", "فال", "لل", "ال"];
    let stem = ARTICLES.into_iter().find_map(|article| word.strip_prefix(article));
    stem.filter(|stem| stem.chars().count() >= 3).unwrap_or(word)
}

/// The words of a question that say what it is about, each once.
pub(super) fn terms(question: &str, lang: &str) -> Vec<Term> {
    let lang = language(lang);
    let said = Said::new(question);
    let mut terms: Vec<Term> = Vec::new();
    let mut no = 0;
    while no < said.words.len() && terms.len() < MOST {
        let empty = empty_words(lang, &said, no);
        if let Some((len, words)) = lang.and_english().find_map(|lang| alike::at(lang, &said, no))
            && len >= empty
        {
            if terms.iter().all(|term| !words.first().is_some_and(|word| term.words.contains(word))) {
                terms.push(Term { words, weight: 1.0 });
            }
            no += len;
            continue;
        }
        if empty == 0 && said.words.get(no).is_some_and(|word| word.class != Class::Mark) {
            for word in parts(said.plain(no)) {
                let alone = Said::new(&word);
                // "l'adresse", "what's": a part by itself may say nothing.
                let telling = empty_words(lang, &alone, 0) == 0
                    && (word.chars().count() > 1 || word.contains(char::is_numeric))
                    && terms.iter().all(|term| term.words.first() != Some(&word));
                if telling {
                    let stop = lang.and_english().any(|lang| lang.sentence.stop.starts(&alone, 0));
                    let little = stop || lang.and_english().any(|lang| alike::is_little(lang, &word));
                    terms.push(Term { words: vec![word], weight: if little { LITTLE } else { 1.0 } });
                }
            }
        }
        no += empty.max(1);
    }
    terms
}

/// Whether a text denies something: "not", "never".
pub(super) fn denies(text: &str) -> bool {
    let said = Said::new(text);
    let negation = |no: usize| language::all().any(|lang| lang.yes_no.negation.starts(&said, no));
    (0..said.words.len()).any(negation)
}

/// How many words from here on say nothing of what a question is about.
fn empty_words(lang: &Language, said: &Said, no: usize) -> usize {
    let len = |lang: &Language| {
        let (speech, sentence) = (&lang.speech, &lang.sentence);
        let tables = [
            &speech.small,
            &speech.person,
            &speech.asking,
            &speech.light,
            &speech.turn,
            &sentence.articles,
            &sentence.question,
            &sentence.inverted,
            &sentence.request,
            &sentence.courtesy,
            &sentence.join,
            &sentence.or,
        ];
        tables.into_iter().filter_map(|table| table.at(said, no)).map(|(len, ())| len).max().unwrap_or(0)
    };
    let function = |lang: &Language| {
        let word = said.plain(no);
        let short = word.chars().count() <= 4 && lang.sentence.stop.word(word).is_some();
        usize::from(short)
    };
    lang.and_english().map(|lang| len(lang).max(function(lang))).max().unwrap_or(0)
}

/// Endings that words of the languages here take.
const ENDINGS: &[&str] = &[
    "", "s", "es", "d", "ed", "y", "ies", "ing", "er", "ers", "e", "en", "n", "ern", "em", "i", "a", "o", "as", "os",
    "x", "aux", "al", "le", "it", "t", "te", "st", "are", "ate", "ato", "ata", "ati", "iamo", "ano", "ere", "ete",
    "ire", "ite", "ar", "ir", "an", "amos", "ado", "ada", "ons", "ez", "ent", "ات", "ه", "ها", "ين", "ون", "ي", "ك",
    "كم", "نا",
];

/// Whether one word is the other with another ending.
pub(super) fn is_same(a: &str, b: &str) -> bool {
    if a == b {
        return true;
    }
    let common = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    // What differs may begin before the ending does: "delivery" and "deliveries".
    let rest = |word: &str| word.chars().skip(common).collect::<String>();
    let (one, other) = (rest(a), rest(b));
    let (short, long) =
        (one.chars().count().min(other.chars().count()), one.chars().count().max(other.chars().count()));
    let ends = ENDINGS.contains(&one.as_str()) && ENDINGS.contains(&other.as_str());
    let letters = !a.contains(char::is_numeric) && !b.contains(char::is_numeric);
    let enough = match (short, long) {
        (0, 1) => 3,
        (_, 1) => 4,
        (0, _) => 4,
        _ => 5,
    };
    letters && ends && common >= enough
}

/// What a word begins with in all its forms.
pub(super) fn beginning(word: &str) -> String {
    let length = word.chars().count();
    let kept = match length {
        0..=4 => length,
        5 => 4,
        6..=8 => 5,
        9..=12 => length - 4,
        _ => 8,
    };
    let kept = if word.contains(char::is_numeric) { length } else { kept };
    word.chars().take(kept).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[rstest::rstest]
    #[case("parcel", "parcels", true)]
    #[case("delivery", "deliveries", true)]
    #[case("deliver", "delivered", true)]
    #[case("paket", "paketen", true)]
    #[case("pacco", "pacchi", false)]
    #[case("conto", "conti", true)]
    #[case("consegnate", "consegniamo", true)]
    #[case("number", "numbing", false)]
    #[case("receipt", "receive", false)]
    #[case("car", "cars", true)]
    #[case("25", "250", false)]
    #[case("a4", "a5", false)]
    fn words_are_the_same_in_all_their_endings(#[case] a: &str, #[case] b: &str, #[case] same: bool) {
        assert_eq!(is_same(a, b), same);
        assert_eq!(is_same(b, a), same);
        assert!(!same || a.starts_with(&beginning(b)) || b.starts_with(&beginning(a)), "FTS finds what is the same");
    }

    #[test]
    fn what_a_question_is_about() {
        let of = |text: &str, lang: &str| {
            terms(text, lang).into_iter().filter_map(|term| term.words.into_iter().next()).collect::<Vec<_>>()
        };
        assert_eq!(of("What is a parcel number?", "en"), ["parcel", "number"]);
        assert_eq!(of("Could you tell me how much a parcel costs, please?", "en"), ["parcel", "costs"]);
        assert_eq!(of("Cos'è il numero del pacco?", "it"), ["numero", "pacco"]);
        assert_eq!(of("Où est l'adresse du dépôt ?", "fr"), ["adresse", "depot"]);
        assert_eq!(of("ما هو رقم الطرد؟", "ar"), ["طرد"]);
        assert!(of("How are you?", "en").is_empty());
    }
}
