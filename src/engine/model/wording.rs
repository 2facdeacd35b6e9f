//! Whether a model's own words say nothing that the author's texts do not.
//!
//! Words are compared, not meanings. A word with a meaning must be the author's, and what denies or limits must stay what
//! it is: so nothing can be asked for, promised or taken back that the author did not write. Where words fail that, the
//! author's own sentence is said.

use std::collections::BTreeSet;

use formwright_form::kind::Said;
use formwright_lexicon as language;
use formwright_lexicon::Language;
use formwright_text::Class;

/// Longest text of a model that is said, in characters.
const LONGEST: usize = 500;

/// Marks that belong to any text.
const MARKS: &str = ".,;:!?'\"-()…¿¡،؛؟";

/// Marks that end a sentence.
const ENDS: [char; 7] = ['.', '!', '?', '…', '؟', ';', '؛'];

/// What a question may be made of.
pub(crate) struct Question<'a> {
    /// The author's words for it.
    pub(crate) ask: &'a str,
    /// The name of the field, its options, the title of the form.
    pub(crate) names: Vec<&'a str>,
    /// What the author says about the field.
    pub(crate) help: &'a str,
}

/// Whether a text asks what an author's question asks, and nothing else.
///
/// Its questions are made of the author's words and keep every word with a meaning and every person in the author's order:
/// "How much did you pay the seller?" has the words of "How much did the seller pay you?". What else it says is a sentence
/// of the author's. Nothing is denied that the author does not deny, nor the other way round.
pub(crate) fn asks_the_same(text: &str, of: &Question<'_>, lang: &Language) -> bool {
    let names = of.names.join("\n");
    let source = [of.ask, &names, of.help].join("\n");
    if !is_plain(text, &source) || !asks_for_no_secret(text, of) {
        return false;
    }
    let (asked, told) = split(of.ask);
    let (asks, tells) = split(text);
    let (asked, asks) = (Words::of(&asked.join(" "), lang, true), Words::of(&asks.join(" "), lang, true));
    let names = Words::of(&names, lang, true);
    let names_it = !asked.content.is_empty() || asks.content.iter().any(|word| names.has(word, lang));
    let known = |word: &String| asked.has(word, lang) || names.has(word, lang);
    let mut said = told;
    said.extend(sentences(of.help));
    names_it && asks.content.iter().all(known)
        // "What is your manager's number?" without its manager asks for another number.
        && asks.orders_as(&asked, lang)
        && asks.turns == asked.turns
        && tells.into_iter().all(|sentence| {
            let words = Words::of(sentence, lang, true);
            words.says_nothing() || said.iter().any(|known| words.says_the_same(&Words::of(known, lang, true), lang))
        })
}

/// What may be said of a model's answer to a question: sentence by sentence what the author's texts say.
///
/// A sentence is said as the model puts it where all of an author's sentence is in it, in its order; where only part of
/// it is, the author's sentence is said instead. A yes or no alone says nothing that can be looked up: it is left out.
/// `None` where anything else is in the answer, or nothing.
pub(crate) fn drawn_from(text: &str, texts: &[String], lang: &Language) -> Option<String> {
    if !is_plain(text, &texts.join("\n")) {
        return None;
    }
    let sources: Vec<(&str, Words)> =
        texts.iter().flat_map(|text| sentences(text)).map(|text| (text, Words::of(text, lang, false))).collect();
    let mut said: Vec<&str> = Vec::new();
    for sentence in sentences(text) {
        let rest = without_yes_or_no(sentence, lang);
        let words = Words::of(rest, lang, false);
        if words.is_empty() {
            continue;
        }
        let whole = rest == sentence && sources.iter().any(|(_, source)| words.says_the_same(source, lang));
        let part = || {
            let parts = sources.iter().filter(|(_, source)| words.is_part_of(source, lang));
            parts.min_by_key(|(_, source)| source.content.len()).map(|(text, _)| *text)
        };
        let next = if whole { sentence } else { part()? };
        if !said.contains(&next) {
            said.push(next);
        }
    }
    (!said.is_empty()).then(|| said.join(" "))
}

/// The words of a text that have a meaning, and those that turn it.
#[derive(Debug, Default)]
struct Words {
    /// In the order they are said.
    content: Vec<String>,
    /// The same, and the persons among them: "you", "our".
    said: Vec<String>,
    /// Sorted; each as often as it is said.
    turns: Vec<String>,
}

impl Words {
    fn of(text: &str, lang: &Language, asks: bool) -> Self {
        let said = Said::new(text);
        let speech = &lang.speech;
        let mut words = Self::default();
        let mut no = 0;
        while no < said.words.len() {
            let turn = speech.turn.at(&said, no).map_or(0, |(len, ())| len);
            let small = speech.small.at(&said, no).map_or(0, |(len, ())| len);
            let asking = speech.asking.at(&said, no).filter(|_| asks).map_or(0, |(len, ())| len);
            let person = speech.person.at(&said, no).map_or(0, |(len, ())| len);
            let len = turn.max(small).max(asking);
            if person >= len.max(1) && (small > 0 || asking > 0) {
                words.said.push(said.plain(no).to_owned());
            } else if len > 0 && turn == len {
                words.turns.push((no..no + len).map(|no| said.plain(no)).collect::<Vec<_>>().join(" "));
            } else if len == 0 && said.words.get(no).is_some_and(|word| word.class != Class::Mark) {
                words.add(said.word(no), lang, asks);
            }
            no += len.max(1);
        }
        words.turns.sort();
        words
    }

    /// Adds a word by its parts: "l'heure", "voulez-vous", "don't".
    fn add(&mut self, word: &str, lang: &Language, asks: bool) {
        if word.ends_with("n't") || word == "cannot" {
            self.turns.push("not".to_owned());
            return;
        }
        let speech = &lang.speech;
        for part in word.split(['\'', '-']).filter(|part| !part.is_empty()) {
            let said = Said::new(part);
            if speech.turn.starts(&said, 0) {
                self.turns.push(said.plain(0).to_owned());
            } else if !(speech.small.starts(&said, 0) || asks && speech.asking.starts(&said, 0)) {
                self.content.push(part.to_owned());
                self.said.push(part.to_owned());
            } else if speech.person.starts(&said, 0) {
                self.said.push(part.to_owned());
            }
        }
    }

    fn is_empty(&self) -> bool {
        self.content.is_empty() && self.turns.is_empty()
    }

    /// Whether it names nothing and nobody.
    fn says_nothing(&self) -> bool {
        self.said.is_empty() && self.turns.is_empty()
    }

    fn has(&self, word: &str, lang: &Language) -> bool {
        self.content.iter().any(|own| lang.speech.is_same(own, word))
    }

    /// Whether all of the other's words are said in their order, and no others.
    fn says_the_same(&self, other: &Self, lang: &Language) -> bool {
        self.turns == other.turns
            && self.said.len() == other.said.len()
            && self.said.iter().zip(&other.said).all(|(a, b)| lang.speech.is_same(a, b))
    }

    /// Whether the words of a question and the persons in it are said in its order, each as often as there, whatever names
    /// stand between them. What a question is the same without does not count.
    fn orders_as(&self, question: &Self, lang: &Language) -> bool {
        let speech = &lang.speech;
        let counts = |word: &&String| !speech.light.starts(&Said::new(word), 0);
        let of_question = |word: &&String| {
            speech.person.starts(&Said::new(word), 0) || question.said.iter().any(|own| speech.is_same(own, word))
        };
        let own: Vec<&String> = self.said.iter().filter(counts).filter(of_question).collect();
        let its: Vec<&String> = question.said.iter().filter(counts).collect();
        own.len() == its.len() && own.iter().zip(&its).all(|(a, b)| speech.is_same(a, b))
    }

    /// Whether all words are the other's, at least two of them or all there are.
    fn is_part_of(&self, other: &Self, lang: &Language) -> bool {
        let enough = self.content.len() >= other.content.len().min(2);
        enough && self.turns == other.turns && self.content.iter().all(|word| other.has(word, lang))
    }
}

/// Whether a question asks about something that an author's text is about: some word with a meaning is in both.
pub(crate) fn has_to_do_with(question: &str, texts: &[&str], lang: &Language) -> bool {
    let telling = |text: &str| -> Vec<String> {
        let words = Words::of(text, lang, true).content;
        let small = |word: &String| lang.and_english().any(|lang| lang.sentence.stop.word(word).is_some());
        let own: Vec<String> = words.iter().filter(|word| !small(word)).cloned().collect();
        if own.is_empty() { words } else { own }
    };
    let asked = telling(question);
    texts.iter().flat_map(|text| telling(text)).any(|word| asked.iter().any(|own| lang.speech.is_same(own, &word)))
}

/// Sentences that ask, and those that do not; without a question mark all of them ask.
fn split(text: &str) -> (Vec<&str>, Vec<&str>) {
    let all = sentences(text);
    let asks = |text: &&str| text.ends_with(['?', '؟']);
    if all.iter().any(asks) { all.into_iter().partition(asks) } else { (all, Vec::new()) }
}

/// The sentences of a text: up to a mark that ends one, before a space, or to the end of a line.
fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let last = chars.peek().is_none_or(|(_, next)| next.is_whitespace());
        if c == '\n' || ENDS.contains(&c) && last {
            let end = at + c.len_utf8();
            found.extend(text.get(start..end));
            start = end;
        }
    }
    found.extend(text.get(start..));
    found.into_iter().map(str::trim).filter(|text| text.contains(char::is_alphanumeric)).collect()
}

/// A sentence without the yes or no that it begins with.
fn without_yes_or_no<'a>(sentence: &'a str, lang: &Language) -> &'a str {
    let said = Said::new(sentence);
    let table = [&lang.yes_no.yes, &lang.yes_no.no];
    let Some(len) = table.into_iter().filter_map(|words| words.at(&said, 0)).map(|(len, ())| len).max() else {
        return sentence;
    };
    let last = said.words.iter().skip(len).all(|word| word.class == Class::Mark);
    if !last && said.word(len) != "," {
        return sentence;
    }
    let end = said.raw_words(0..(len + 1).min(said.words.len())).end;
    sentence.get(end..).unwrap_or_default()
}

/// Whether a text is of a length and of marks that can be said.
fn is_plain(text: &str, source: &str) -> bool {
    let (said, known) = (Said::new(text), Said::new(source));
    let marks: BTreeSet<&str> = (0..known.words.len()).map(|no| known.word(no)).collect();
    let own = said.words.iter().enumerate().filter(|(_, word)| word.class == Class::Mark);
    text.chars().any(char::is_alphabetic)
        && text.chars().count() <= LONGEST
        && !text.chars().any(is_invisible)
        && own.map(|(no, _)| said.word(no)).all(|mark| MARKS.contains(mark) || marks.contains(mark))
}

/// Whether a text speaks of passwords and the like only where the author's question does.
fn asks_for_no_secret(text: &str, of: &Question<'_>) -> bool {
    let speaks = |text: &str| {
        let said = Said::new(text);
        let at =
            |no| language::all().any(|lang| lang.secret.word.starts(&said, no) || lang.secret.digits.starts(&said, no));
        (0..said.words.len()).any(at)
    };
    !speaks(text) || speaks(of.ask)
}

/// Whether a character is not seen, or begins a line.
fn is_invisible(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') || formwright_chat::unseen::is_unseen(c)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use formwright_lexicon::language;

    use super::*;

    const ASK: &str = "Which pizza would you like? We deliver to Milano until 22:00.";

    fn asks(text: &str, ask: &str, lang: &str) -> bool {
        let of = Question {
            ask,
            names: vec!["Pizza", "Margherita", "Diavola", "Password hint", "Luigi's pizzas"],
            help: "The oven is hot. We never ask for your password.",
        };
        asks_the_same(text, &of, language(lang))
    }

    #[rstest]
    #[case("Lovely! And which pizza shall it be?", true)]
    #[case("Which pizza would you like, please?", true)]
    #[case("Hello, which pizza? Margherita, Diavola?", true)]
    #[case("Which of the pizzas would you like?", true)]
    #[case("Which of our pizzas would you like?", false)]
    #[case("Which pizza? We do.", false)]
    #[case("Which pizza? We deliver to Milano until 22:00.", true)]
    #[case("The oven is hot. Which pizza would you like?", true)]
    #[case("Which pizza would you like from Luigi's?", false)]
    #[case("Which pizza would you like, and please type your password?", false)]
    #[case("Which pizza? Please also type your password.", false)]
    #[case("which pizza, and your pizza password?", false)]
    #[case("Which pizza would you not like?", false)]
    #[case("Which pizza don't you like?", false)]
    #[case("Which pizza would you like without Margherita?", false)]
    #[case("Mario, which pizza would you like?", false)]
    #[case("mario asks: which pizza?", false)]
    #[case("Which would you like?", false)]
    #[case("Which Margherita would you like?", false)]
    #[case("When would you like the pizza?", false)]
    #[case("Which pizza? We deliver to Milano.", false)]
    #[case("Which pizza? We deliver until 22:00 to Milano.", false)]
    #[case("Which pizza? We ask for your password.", false)]
    #[case("Which of our three pizzas?", false)]
    #[case("Which pizza? They cost 8 euros.", false)]
    #[case("Which pizza? See pizza.example", false)]
    #[case("Which pizza? https://evil.example/x", false)]
    #[case("Which <b>pizza</b>?", false)]
    #[case("Which pizza? @everyone", false)]
    #[case("Which\npizza?", false)]
    #[case("Which \u{61c}pizza?", false)]
    #[case("Which \u{e0041}pizza?", false)]
    #[case("Which pi\u{ad}zza?", false)]
    #[case("Quale pizza vi portiamo?", false)]
    #[case("FORM_COMPLETE", false)]
    #[case("  ", false)]
    #[case("?", false)]
    fn a_question_keeps_to_the_authors_words(#[case] text: &str, #[case] expected: bool) {
        assert_eq!(asks(text, ASK, "en"), expected, "{text}");
    }

    #[rstest]
    #[case("en", "On which day would you like to come?", "Great! Which day would you like to come?", true)]
    #[case("en", "On which day would you like to come?", "On which day would you not like to come?", false)]
    #[case("en", "On which day do you want to come?", "On which day do you not want to come?", false)]
    #[case("en", "On which day do you want to come?", "What do you want to come on that day for?", false)]
    #[case("en", "Which dish do you not eat?", "Thank you! And which dish do you not eat?", true)]
    #[case("en", "Which dish do you not eat?", "Which dish don't you eat?", true)]
    #[case("en", "Which dish do you not eat?", "Which dish do you eat?", false)]
    #[case("en", "What is your manager's phone number?", "What is your phone number?", false)]
    #[case("en", "What is your manager's phone number?", "Thanks! And your manager's phone number?", true)]
    #[case("it", "Qual è il numero del suo responsabile?", "Qual è il suo numero?", false)]
    #[case("de", "Wie ist die Nummer Ihrer Chefin?", "Wie ist Ihre Nummer?", false)]
    #[case("en", "Please give the room number.", "The room number, please.", true)]
    #[case("en", "Please give the room number.", "Please give the card number.", false)]
    #[case("en", "How much did you pay the seller?", "How much did the seller pay you?", false)]
    #[case("en", "How much did you pay the seller?", "Great! And how much did you pay the seller?", true)]
    #[case("en", "What did the doctor tell your mother?", "What did your mother tell the doctor?", false)]
    #[case("en", "Which allergies does your child have?", "Which child does your allergies have?", false)]
    #[case("en", "What is your name?", "What is our name?", false)]
    #[case("en", "What is your name?", "And what is your name, please?", true)]
    #[case("en", "What is your mother's name?", "What is my mother's name?", false)]
    #[case("en", "Is your address still via Roma?", "Is our address still via Roma?", false)]
    #[case("en", "Who may pick up your child?", "May your child pick up who?", false)]
    #[case("en", "Which day before Friday suits you?", "Which Friday before day suits you?", false)]
    #[case("en", "Give the departure and the arrival time.", "Give the time, departure and arrival.", false)]
    #[case("it", "Quanto ha pagato lei al venditore?", "Quanto ha pagato il venditore a lei?", false)]
    #[case("es", "¿Cuánto pagó usted al vendedor?", "¿Cuánto pagó el vendedor a usted?", false)]
    #[case("es", "¿Cuál es su nombre?", "¿Cuál es nuestro nombre?", false)]
    #[case("de", "Wie heißt Ihre Mutter?", "Wie heißt unsere Mutter?", false)]
    #[case("fr", "Quel est votre nom ?", "Quel est notre nom ?", false)]
    #[case("fr", "Quel est votre nom ?", "Bonjour ! Quel est votre nom ?", true)]
    #[case("ar", "ماذا قلت أنت للطبيب؟", "ماذا قلت للطبيب أنت؟", false)]
    #[case("it", "In quale giorno vuole venire?", "Perfetto! Quale giorno vuole venire?", true)]
    #[case("it", "In quale giorno vuole venire?", "In quale giorno non vuole venire?", false)]
    #[case("it", "In quale giorno vuole venire?", "In quale giorno vuole venire senza cane?", false)]
    #[case("it", "Quali pizze desidera?", "Grazie! Quale pizza desidera?", true)]
    #[case("it", "Quale casa?", "Quale caso?", false)]
    #[case("es", "¿Qué día quiere venir?", "¡Genial! ¿Qué día quiere venir?", true)]
    #[case("es", "¿Qué día quiere venir?", "¿Qué día no quiere venir?", false)]
    #[case("es", "¿Qué día quiere venir?", "¿Qué contraseña quiere venir, y qué día?", false)]
    #[case("de", "An welchem Tag möchten Sie kommen?", "Prima! Welchen Tag möchten Sie denn kommen?", true)]
    #[case("de", "An welchem Tag möchten Sie kommen?", "An welchem Tag möchten Sie nicht kommen?", false)]
    #[case("de", "An welchem Tag möchten Sie kommen?", "An keinem Tag kommen?", false)]
    #[case("de", "Welche große Karte?", "Und welche großen Karten?", true)]
    #[case("fr", "Quel jour voulez-vous venir ?", "Parfait ! Quel jour souhaitez-vous venir ?", true)]
    #[case("fr", "Quel jour voulez-vous venir ?", "Quel jour ne voulez-vous pas venir ?", false)]
    #[case("fr", "À quelle heure ?", "L'heure, s'il vous plaît ?", true)]
    #[case("ar", "ما هو اليوم المناسب؟", "شكرا! ما اليوم المناسب؟", true)]
    #[case("ar", "ما هو اليوم المناسب؟", "ما هو اليوم غير المناسب؟", false)]
    #[case("ar", "ما هو اليوم المناسب؟", "ما هي كلمة السر؟", false)]
    fn in_every_language(#[case] lang: &str, #[case] ask: &str, #[case] text: &str, #[case] expected: bool) {
        let of = Question { ask, names: vec!["x"], help: "" };
        assert_eq!(asks_the_same(text, &of, language(lang)), expected, "{text}");
    }

    const TEXTS: &str = "The hall is free for children. Dogs are welcome in the garden, on a lead. Cats are not allowed. \
        Members pay nothing; everybody else pays 12.50 euros. We deliver to Milano until 22:00, or call 02 1234. \
        Children under 6 eat for free. After that we keep half of the fee.";

    #[rstest]
    #[case("The hall is free for children.", Some("The hall is free for children."))]
    #[case("Lovely! Our hall is free for children.", Some("The hall is free for children."))]
    #[case("After that you keep half of our fee.", Some("After that we keep half of the fee."))]
    #[case("free for children", Some("The hall is free for children."))]
    #[case("Yes. The hall is free for children.", Some("The hall is free for children."))]
    #[case("Yes, the hall is free for children.", Some("The hall is free for children."))]
    #[case("Dogs are welcome.", Some("Dogs are welcome in the garden, on a lead."))]
    #[case("Children eat for free.", Some("Children under 6 eat for free."))]
    #[case("No, cats are not allowed.", Some("Cats are not allowed."))]
    #[case("Cats aren't allowed.", Some("Cats aren't allowed."))]
    #[case("Until 22:00, to Milano.", Some("We deliver to Milano until 22:00, or call 02 1234."))]
    #[case("The hall is free for children and dogs.", None)]
    #[case("The hall is free for dogs.", None)]
    #[case("Dogs and cats are welcome.", None)]
    #[case("Dogs are not welcome.", None)]
    #[case("Dogs are only welcome in the garden.", None)]
    #[case("Cats are allowed.", None)]
    #[case("Yes, cats are allowed.", None)]
    #[case("Members pay 12.50 euros.", None)]
    #[case("The hall is free for children. It costs nothing.", None)]
    #[case("We deliver until 23:00.", None)]
    #[case("We deliver to Mario.", None)]
    #[case("Yes.", None)]
    #[case("No", None)]
    #[case("Yes, of course!", None)]
    #[case("Not.", None)]
    #[case("Free.", None)]
    #[case("The hall <b>is</b> free for children.", None)]
    #[case("See https://evil.example", None)]
    #[case("", None)]
    fn an_answer_is_the_authors(#[case] text: &str, #[case] expected: Option<&str>) {
        let texts = [TEXTS.to_owned()];
        assert_eq!(drawn_from(text, &texts, language("en")).as_deref(), expected, "{text}");
    }

    #[rstest]
    #[case("it", "I cani non possono entrare.", "I cani possono entrare.", None)]
    #[case("it", "I cani non possono entrare.", "No, i cani non possono entrare.", Some("I cani non possono entrare."))]
    #[case("es", "Los niños pagan solo la mitad.", "Los niños pagan la mitad.", None)]
    #[case("de", "Hunde sind nur im Garten erlaubt.", "Hunde sind im Garten erlaubt.", None)]
    #[case("de", "Hunde sind im Garten erlaubt.", "Ja, Hunde sind erlaubt.", Some("Hunde sind im Garten erlaubt."))]
    #[case("fr", "Les chiens n'entrent pas.", "Les chiens entrent.", None)]
    #[case("fr", "Les chiens n'entrent pas.", "Nos chiens n'entrent pas !", Some("Les chiens n'entrent pas."))]
    #[case("ar", "الكلاب غير مسموح بها.", "الكلاب مسموح بها.", None)]
    fn an_answer_in_every_language(
        #[case] lang: &str,
        #[case] source: &str,
        #[case] text: &str,
        #[case] expected: Option<&str>,
    ) {
        assert_eq!(drawn_from(text, &[source.to_owned()], language(lang)).as_deref(), expected, "{text}");
    }

    #[rstest]
    #[case("en", "may my car stay there?", &["Is there parking?", "Where can I leave my car?"], true)]
    #[case("en", "are the cars safe?", &["Where can I leave my car?"], false)]
    #[case("en", "is breakfast free?", &["Is there parking?"], false)]
    #[case("en", "is there a pool?", &["Is there parking?"], false)]
    #[case("it", "la pizza costa molto?", &["Quanto costa una pizza?"], true)]
    #[case("de", "gibt es ein Schwimmbad?", &["Gibt es Parkplätze?"], false)]
    fn an_answer_is_to_the_question(
        #[case] lang: &str,
        #[case] asked: &str,
        #[case] texts: &[&str],
        #[case] expected: bool,
    ) {
        assert_eq!(has_to_do_with(asked, texts, language(lang)), expected, "{asked}");
    }

    #[test]
    fn what_is_too_long_is_not_said() {
        assert!(!asks(&format!("Which pizza{}?", " pizza".repeat(LONGEST)), ASK, "en"));
    }
}
