//! The commands that people see after typing `/`: one to pick a form, and one for each form whose id can be a name.

use std::collections::BTreeSet;

use chat::words::{Word, primary, say};
use chat::{FormCard, FormWords};
use formwright_chat as chat;
use serde_json::{Map, Value, json};

use super::text;
use crate::limits;

/// The command that takes any form.
pub(crate) const ANY: &str = "form";

/// Discord's languages, as its `AvailableLocalesEnum` lists them.
const ALL_LOCALES: [&str; 34] = [
    "ar", "bg", "cs", "da", "de", "el", "en-GB", "en-US", "es-419", "es-ES", "fi", "fr", "he", "hi", "hr", "hu", "id",
    "it", "ja", "ko", "lt", "nl", "no", "pl", "pt-BR", "ro", "ru", "sv-SE", "th", "tr", "uk", "vi", "zh-CN", "zh-TW",
];

/// Discord's names of the languages that words are known in.
const LOCALES: [&str; 8] = ["en-US", "en-GB", "it", "es-ES", "es-419", "de", "fr", "ar"];

/// All commands of the application: what is not among them goes away.
pub(crate) fn commands(forms: &[FormCard]) -> Value {
    let describe = |word| (say(word, "en"), localized(word));
    let (start, starts) = describe(Word::Start);
    let (list, lists) = describe(Word::Forms);
    let any = json!({
        "name": ANY,
        "type": 1,
        "description": start,
        "description_localizations": starts,
        "contexts": [0, 1],
        "options": [{
            "type": 3, "name": ANY, "description": list, "description_localizations": lists,
            "required": false, "autocomplete": true,
        }],
    });
    let mut names: BTreeSet<String> = BTreeSet::from([ANY.to_owned()]);
    let own = forms.iter().filter_map(|form| Some((name(&form.id).filter(|name| names.insert(name.clone()))?, form)));
    let own: Vec<(String, &FormCard)> = own.take(limits::COMMANDS - 1).collect();
    // No two commands may go by the same name in any language.
    let mut taken: BTreeSet<(&str, String)> =
        ALL_LOCALES.iter().flat_map(|locale| names.iter().map(|name| (*locale, name.clone()))).collect();
    let mut command = |(name, form): (String, &FormCard)| {
        let mut command = json!({"name": name, "type": 1, "contexts": [0, 1],
            "description": described(&form.description, &form.title, &form.id)});
        for (locale, words) in locales(form) {
            let named = spelled(&words.title).filter(|named| taken.insert((locale, named.clone())));
            if let Some(named) = named {
                command["name_localizations"][locale] = named.into();
            }
            command["description_localizations"][locale] = described(&words.description, &words.title, &form.id).into();
        }
        command
    };
    Value::Array(std::iter::once(any.clone()).chain(own.into_iter().map(&mut command)).collect())
}

/// What a command says it is for.
fn described(description: &str, title: &str, id: &str) -> String {
    let words = [description, title, id].into_iter().find(|words| !words.trim().is_empty());
    text::line(words.unwrap_or_default(), limits::COMMAND_DESCRIPTION)
}

/// The words of a form in Discord's languages: of each that the form has, besides its first.
fn locales(form: &FormCard) -> Vec<(&'static str, &FormWords)> {
    let find = |locale: &&'static str| {
        let exact = form.words.iter().find(|(tag, _)| tag.eq_ignore_ascii_case(locale));
        let near = || form.words.iter().find(|(tag, _)| primary(tag).eq_ignore_ascii_case(primary(locale)));
        exact.or_else(near).map(|(_, words)| (*locale, words))
    };
    ALL_LOCALES.iter().filter_map(find).collect()
}

/// A title as a command's name: `Ordine di pizza` as `ordine-di-pizza`. None where nothing is left of it.
fn spelled(title: &str) -> Option<String> {
    let words = title.to_lowercase();
    let words = words.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let mut name = String::new();
    for word in words {
        let dash = usize::from(!name.is_empty());
        if name.chars().count() + dash + word.chars().count() > limits::COMMAND_NAME {
            break;
        }
        name.push_str(if dash == 1 { "-" } else { "" });
        name.push_str(word);
    }
    self::name(&name)
}

/// The form that a command opens; none where it names none.
pub(crate) fn form<'a>(command: &str, forms: &'a [FormCard]) -> Option<&'a FormCard> {
    forms.iter().find(|form| name(&form.id).as_deref() == Some(command))
}

/// Forms that fit what was typed so far, as choices of an autocomplete.
pub(crate) fn choices(forms: &[FormCard], typed: &str, lang: &str) -> Value {
    let typed = typed.to_lowercase();
    let fits = |form: &&FormCard| {
        let theirs = form.words_in(lang);
        let words = [&form.id, &form.title, &form.description, &theirs.title, &theirs.description];
        let words = words.map(|words| words.to_lowercase()).join(" ");
        form.id.chars().count() <= limits::OPTION_TEXT && typed.split_whitespace().all(|word| words.contains(word))
    };
    let choice = |form: &FormCard| json!({"name": text::line(&form.words_in(lang).title, limits::OPTION_TEXT), "value": form.id});
    forms.iter().filter(fits).take(limits::CHOICES).map(choice).collect()
}

fn localized(word: Word) -> Value {
    let pair = |locale: &&str| ((*locale).to_owned(), Value::from(say(word, locale)));
    Value::Object(LOCALES.iter().map(pair).collect::<Map<_, _>>())
}

/// A form's id as a command's name: Discord takes small letters, digits, `-` and `_`, 32 of them.
fn name(id: &str) -> Option<String> {
    let name = id.to_lowercase();
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    let short = (1..=limits::COMMAND_NAME).contains(&name.chars().count());
    (short && name.chars().all(fits)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(id: &str, title: &str) -> FormCard {
        FormCard {
            id: id.to_owned(),
            title: title.to_owned(),
            description: String::new(),
            fields: 3,
            ..FormCard::default()
        }
    }

    #[test]
    fn each_form_whose_id_fits_has_a_command_and_all_are_choices() {
        let long = "a".repeat(33);
        let forms = [form("pizza-order", "Pizza"), form("Pizza-Order", "Twin"), form(&long, "Long"), form("form", "F")];
        let commands = commands(&forms);
        let names: Vec<&str> = commands.as_array().unwrap().iter().filter_map(|one| one["name"].as_str()).collect();
        assert_eq!(names, ["form", "pizza-order"]);
        assert_eq!(super::form("pizza-order", &forms).unwrap().title, "Pizza");
        assert_eq!(choices(&forms, "LONG", "en")[0]["value"], long.as_str());
        assert_eq!(choices(&forms, "", "en").as_array().unwrap().len(), 4);
    }

    #[test]
    fn commands_speak_the_languages_of_their_forms() {
        let words = |title: &str, description: &str| chat::FormWords {
            title: title.to_owned(),
            description: description.to_owned(),
        };
        let mut pizza = form("pizza-order", "Pizza order");
        pizza.words.insert("it".to_owned(), words("Ordine di pizza!", "Ordina una pizza"));
        pizza.words.insert("es".to_owned(), words("Pedido", &"largo ".repeat(40)));
        pizza.words.insert("ar".to_owned(), words("طلب بيتزا", ""));
        let mut other = form("other", "Other");
        other.words.insert("it".to_owned(), words("ordine di pizza", "Un altro"));
        other.words.insert("es-419".to_owned(), words("🍕🍕", "Otro"));
        other.words.insert("tlh".to_owned(), words("chab", "chab"));
        let commands = commands(&[pizza, other, form("pedido", "P")]);
        let named = |no: usize, locale: &str| commands[no]["name_localizations"][locale].as_str().map(str::to_owned);
        let described = |no: usize, locale: &str| commands[no]["description_localizations"][locale].clone();
        assert_eq!(named(1, "it").as_deref(), Some("ordine-di-pizza"));
        assert_eq!(described(1, "it"), "Ordina una pizza");
        assert_eq!(named(1, "ar").as_deref(), Some("طلب-بيتزا"));
        assert_eq!(described(1, "ar"), "طلب بيتزا");
        assert_eq!(named(1, "es-ES"), None, "that is another form's own name");
        assert!(described(1, "es-419").as_str().unwrap().chars().count() <= limits::COMMAND_DESCRIPTION);
        assert_eq!(named(2, "it"), None, "and so is that");
        assert_eq!((named(2, "es-419"), described(2, "es-ES")), (None, "Otro".into()), "nothing is left of it");
        assert!(commands[2]["description_localizations"].get("tlh").is_none());
        assert_eq!(choices(&[form("a", "A")], "", "it")[0]["name"], "A");
    }
}
