//! Forms by the names that people type after a command.

use crate::FormCard;
use crate::text::words::{Word, say};

/// What a name stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Named<'a> {
    /// One form: its id or title, or the only one with such a word in them.
    One(&'a FormCard),
    /// Several forms have such a word in their names.
    Several(Vec<&'a FormCard>),
    /// No form is called so, and nobody would say it in a form either: it is one word, and none that steers.
    Nothing,
    /// Words that may mean a form, an answer, or a command.
    Words,
}

/// The forms that a name stands for.
pub fn named<'a>(name: &str, forms: &'a [FormCard]) -> Named<'a> {
    let name = name.trim().to_lowercase();
    let titles = |form: &FormCard| -> Vec<String> {
        let words = form.words.values().map(|words| words.title.to_lowercase());
        std::iter::once(form.title.to_lowercase()).chain(words).collect()
    };
    let spelled = name.replace('_', "-");
    let whole = forms.iter().find(|form| form.id.to_lowercase() == spelled || titles(form).contains(&name));
    if let Some(form) = whole {
        return Named::One(form);
    }
    if name.is_empty() || name.contains(char::is_whitespace) {
        return Named::Words;
    }
    let parts = |text: &str| text.split(|c: char| !c.is_alphanumeric()).any(|part| part == name);
    let mut found =
        forms.iter().filter(|form| parts(&form.id.to_lowercase()) || titles(form).iter().any(|title| parts(title)));
    match (found.next(), found.collect::<Vec<_>>()) {
        (Some(one), others) if others.is_empty() => Named::One(one),
        (Some(first), others) => Named::Several(std::iter::once(first).chain(others).collect()),
        (None, _) if is_steering(&name) => Named::Words,
        (None, _) => Named::Nothing,
    }
}

/// Tells that no form is called so, for the line above a list of the forms that there are.
pub fn no_such_form(name: &str, lang: &str) -> String {
    let name: String = name.chars().take(60).collect();
    format!("{} {}", say(Word::NoSuchForm, lang).replace("{name}", &name), say(Word::WhichForm, lang))
}

/// Whether somebody asks in so many words, in any language, that what is kept of them be deleted. An adapter takes that
/// from people who may use no form, too: the right to be forgotten is nobody's to take away.
pub fn asks_to_be_forgotten(text: &str) -> bool {
    let words = text.trim().trim_end_matches(['.', '!']).to_lowercase();
    is_one_of(&[Word::SayForget], &words)
}

/// Whether a word is one of those that steer a conversation, in any language.
fn is_steering(word: &str) -> bool {
    is_one_of(&[Word::SayHelp, Word::SayCancel, Word::SayReview, Word::SayForms, Word::SayForget], word)
}

/// Whether words in small letters are one of these, in any language.
fn is_one_of(meant: &[Word], words: &str) -> bool {
    let langs = ["en", "it", "es", "de", "fr", "ar"];
    meant.iter().any(|word| langs.iter().any(|lang| say(*word, lang).to_lowercase() == words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_is_found_by_id_title_or_a_word_of_its_own() {
        let card =
            |id: &str, title: &str| FormCard { id: id.to_owned(), title: title.to_owned(), ..FormCard::default() };
        let forms =
            [card("pizza-order", "Order a pizza"), card("injury", "Injury at work"), card("leave", "Days off work")];
        let ids = |name: &str| match named(name, &forms) {
            Named::One(form) => form.id.clone(),
            Named::Several(forms) => forms.iter().map(|form| form.id.as_str()).collect::<Vec<_>>().join(" or "),
            Named::Nothing => "nothing".to_owned(),
            Named::Words => "words".to_owned(),
        };
        let cases = [
            ("pizza_order", "pizza-order"),
            ("order a PIZZA", "pizza-order"),
            ("Pizza", "pizza-order"),
            ("work", "injury or leave"),
            ("nope", "nothing"),
            ("annulla", "words"),
            ("two pizzas please", "words"),
            ("", "words"),
        ];
        for (name, wanted) in cases {
            assert_eq!(ids(name), wanted, "{name}");
        }
        for (text, asks) in [("Forget me!", true), ("vergiss mich", true), ("forget me not", false), ("", false)] {
            assert_eq!(asks_to_be_forgotten(text), asks, "{text}");
        }
        assert_eq!(no_such_form("nope", "en"), "There is no form “nope”. You can start one of these:");
    }
}
