//! The commands that people see after typing `/`: one to pick a form, and one for each form whose id can be a name.

use std::collections::{BTreeMap, BTreeSet};

use chat::words::{Word, primary, say};
use chat::{Access, AccessRule, FormCard, FormWords};
use formwright_chat as chat;
use serde_json::{Map, Value, json};

use super::text;
use crate::limits;

/// The command that takes any form.
pub(crate) const ANY: &str = "form";
/// The command of a person who wants to be forgotten.
pub(crate) const FORGET: &str = "forget";

/// Discord's languages, as its `AvailableLocalesEnum` lists them.
const ALL_LOCALES: [&str; 34] = [
    "ar", "bg", "cs", "da", "de", "el", "en-GB", "en-US", "es-419", "es-ES", "fi", "fr", "he", "hi", "hr", "hu", "id",
    "it", "ja", "ko", "lt", "nl", "no", "pl", "pt-BR", "ro", "ru", "sv-SE", "th", "tr", "uk", "vi", "zh-CN", "zh-TW",
];

/// Discord's names of the languages that words are known in.
const LOCALES: [&str; 8] = ["en-US", "en-GB", "it", "es-ES", "es-419", "de", "fr", "ar"];

/// The commands of the application, and those of single servers: forms that the rules give to these alone.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Commands {
    /// Seen everywhere: what is not among them goes away.
    pub(crate) everywhere: Value,
    /// By the server's id.
    pub(crate) of_servers: BTreeMap<String, Value>,
}

/// How an application is installed: in a server.
const IN_SERVER: u64 = 0;
/// How an application is installed: with somebody's account, so that it is at hand wherever they are.
const WITH_ACCOUNT: u64 = 1;

/// All commands, as far as the rules let a server see them. Who may not use a form there is told so by its command.
/// `installs` are the ways in which the application may be installed.
pub(crate) fn commands(forms: &[FormCard], access: &Access, installs: &[u64]) -> Commands {
    // Where a command is at hand: in servers, in the bot's direct messages, and in conversations among people.
    let place = |command: &mut Value, shared: bool| {
        let own = installs.contains(&WITH_ACCOUNT) && !shared;
        let types: Vec<u64> = installs.iter().copied().filter(|kind| *kind == IN_SERVER || own).collect();
        // What all fill in needs the bot to be there.
        command["integration_types"] = if types.is_empty() { json!([IN_SERVER]) } else { json!(types) };
        command["contexts"] = if own { json!([0, 1, 2]) } else { json!([0, 1]) };
    };
    let describe = |word| (say(word, "en"), localized(word));
    let (start, starts) = describe(Word::Start);
    let (list, lists) = describe(Word::Forms);
    let mut any = json!({
        "name": ANY,
        "type": 1,
        "description": start,
        "description_localizations": starts,
        "options": [{
            "type": 3, "name": ANY, "description": list, "description_localizations": lists,
            "required": false, "autocomplete": true,
        }],
    });
    let (forget, forgets) = describe(Word::MenuForget);
    let mut forget = json!({
        "name": FORGET,
        "type": 1,
        "description": forget,
        "description_localizations": forgets,
    });
    place(&mut any, false);
    place(&mut forget, false);
    let mut everywhere = vec![any];
    let mut of_servers: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for (form, mut command) in own(forms) {
        match servers(access, &form.id) {
            // One more comes after them.
            None if everywhere.len() + 1 < limits::COMMANDS => {
                place(&mut command, form.shared);
                everywhere.push(command);
            }
            None => {}
            Some(servers) => {
                for server in servers {
                    let all = of_servers.entry(server.to_owned()).or_default();
                    if all.len() < limits::COMMANDS {
                        all.push(command.clone());
                    }
                }
            }
        }
    }
    everywhere.push(forget);
    let of_servers = of_servers.into_iter().map(|(server, commands)| (server, Value::Array(commands))).collect();
    Commands { everywhere: Value::Array(everywhere), of_servers }
}

/// The same commands in one language.
pub(crate) fn in_one_language(commands: &Value) -> Value {
    match commands {
        Value::Array(parts) => parts.iter().map(in_one_language).collect(),
        Value::Object(keys) => {
            let kept = keys.iter().filter(|(key, _)| !key.ends_with("_localizations"));
            Value::Object(kept.map(|(key, value)| (key.clone(), in_one_language(value))).collect())
        }
        plain => plain.clone(),
    }
}

/// The servers that alone may see a form; none where no rule ties it to servers.
fn servers<'a>(access: &'a Access, form: &str) -> Option<BTreeSet<&'a str>> {
    let fits = |rule: &&AccessRule| rule.forms.is_empty() || rule.forms.iter().any(|allowed| allowed == form);
    let rules: Vec<&AccessRule> = access.rules.iter().filter(fits).collect();
    if access.rules.is_empty() || rules.iter().any(|rule| rule.workspaces.is_empty()) {
        return None;
    }
    Some(rules.iter().flat_map(|rule| rule.workspaces.iter().map(String::as_str)).collect())
}

/// The command of each form that can have one.
fn own(forms: &[FormCard]) -> Vec<(&FormCard, Value)> {
    let mut names: BTreeSet<String> = BTreeSet::from([ANY.to_owned(), FORGET.to_owned()]);
    let own = forms.iter().filter_map(|form| Some((name(&form.id).filter(|name| names.insert(name.clone()))?, form)));
    let own: Vec<(String, &FormCard)> = own.collect();
    // No two commands may go by the same name in any language.
    let mut taken: BTreeSet<(&str, String)> =
        ALL_LOCALES.iter().flat_map(|locale| names.iter().map(|name| (*locale, name.clone()))).collect();
    let mut command = |(name, form): (String, &FormCard)| {
        let mut command =
            json!({"name": name, "type": 1, "description": described(&form.description, &form.title, &form.id)});
        for (locale, words) in locales(form) {
            let named = spelled(&words.title).filter(|named| taken.insert((locale, named.clone())));
            if let Some(named) = named {
                command["name_localizations"][locale] = named.into();
            }
            command["description_localizations"][locale] = described(&words.description, &words.title, &form.id).into();
        }
        command
    };
    own.into_iter().map(|(name, form)| (form, command((name, form)))).collect()
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

/// A form in a list of those that may be started: its title, and how.
pub(crate) fn listed(form: &FormCard, lang: &str) -> String {
    let title = form.words_in(lang).title;
    let title = if title.trim().is_empty() { form.id.clone() } else { title };
    match name(&form.id) {
        Some(name) => format!("• {title}: /{name}"),
        None => format!("• {title}"),
    }
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
        let commands = commands(&forms, &Access::default(), &[0]).everywhere;
        let names: Vec<&str> = commands.as_array().unwrap().iter().filter_map(|one| one["name"].as_str()).collect();
        assert_eq!(names, ["form", "pizza-order", "forget"]);
        assert_eq!(super::form("pizza-order", &forms).unwrap().title, "Pizza");
        assert_eq!(choices(&forms, "LONG", "en")[0]["value"], long.as_str());
        assert_eq!(choices(&forms, "", "en").as_array().unwrap().len(), 4);
    }

    #[test]
    fn a_form_that_rules_tie_to_servers_is_a_command_of_these() {
        let list = |ids: &[&str]| ids.iter().map(|id| (*id).to_owned()).collect();
        let rule = |forms: &[&str], workspaces: &[&str]| AccessRule {
            forms: list(forms),
            workspaces: list(workspaces),
            ..AccessRule::default()
        };
        let access = Access { rules: vec![rule(&["visit", "injury"], &["7", "8"]), rule(&["injury"], &[])] };
        let forms = [form("injury", "I"), form("secret", "S"), form("visit", "V")];
        let commands = commands(&forms, &access, &[0]);
        let names = |all: &Value| all.as_array().unwrap().iter().map(|one| one["name"].to_string()).collect::<String>();
        assert_eq!(names(&commands.everywhere), "\"form\"\"injury\"\"forget\"");
        let servers: Vec<_> = commands.of_servers.iter().map(|(id, all)| (id.as_str(), names(all))).collect();
        assert_eq!(servers, [("7", "\"visit\"".to_owned()), ("8", "\"visit\"".to_owned())]);
    }

    #[test]
    fn commands_are_at_hand_where_the_application_may_be_installed() {
        let forms = [form("leave", "Leave"), FormCard { shared: true, ..form("lunch", "Lunch") }];
        let told = |installs: &[u64]| {
            let all = commands(&forms, &Access::default(), installs).everywhere;
            let one = |command: &Value| {
                format!("{} {} {}", command["name"], command["integration_types"], command["contexts"])
            };
            all.as_array().unwrap().iter().map(one).collect::<Vec<_>>().join("\n").replace('"', "")
        };
        assert_eq!(told(&[]), "form [0] [0,1]\nleave [0] [0,1]\nlunch [0] [0,1]\nforget [0] [0,1]");
        assert_eq!(told(&[0, 1]), "form [0,1] [0,1,2]\nleave [0,1] [0,1,2]\nlunch [0] [0,1]\nforget [0,1] [0,1,2]");
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
        let commands = commands(&[pizza, other, form("pedido", "P")], &Access::default(), &[0]).everywhere;
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
