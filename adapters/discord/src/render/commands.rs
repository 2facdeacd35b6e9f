//! The commands that people see after typing `/`: one to pick a form, and one for each form whose id can be a name.

use std::collections::BTreeSet;

use chat::FormCard;
use chat::words::{Word, say};
use formwright_chat as chat;
use serde_json::{Map, Value, json};

use super::text;
use crate::limits;

/// The command that takes any form.
pub(crate) const ANY: &str = "form";

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
    let command = |form: &FormCard| {
        let name = name(&form.id).filter(|name| names.insert(name.clone()))?;
        let description = [&form.description, &form.title, &form.id].into_iter().find(|words| !words.trim().is_empty());
        let description = text::line(description.map_or("", String::as_str), limits::COMMAND_DESCRIPTION);
        Some(json!({"name": name, "type": 1, "description": description, "contexts": [0, 1]}))
    };
    let own = forms.iter().filter_map(command).take(limits::COMMANDS - 1);
    Value::Array(std::iter::once(any.clone()).chain(own).collect())
}

/// The form that a command opens; none where it names none.
pub(crate) fn form<'a>(command: &str, forms: &'a [FormCard]) -> Option<&'a FormCard> {
    forms.iter().find(|form| name(&form.id).as_deref() == Some(command))
}

/// Forms that fit what was typed so far, as choices of an autocomplete.
pub(crate) fn choices(forms: &[FormCard], typed: &str) -> Value {
    let typed = typed.to_lowercase();
    let fits = |form: &&FormCard| {
        let words = format!("{} {} {}", form.id, form.title, form.description).to_lowercase();
        form.id.chars().count() <= limits::OPTION_TEXT && typed.split_whitespace().all(|word| words.contains(word))
    };
    let choice = |form: &FormCard| json!({"name": text::line(&form.title, limits::OPTION_TEXT), "value": form.id});
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
        assert_eq!(choices(&forms, "LONG")[0]["value"], long.as_str());
        assert_eq!(choices(&forms, "").as_array().unwrap().len(), 4);
    }
}
