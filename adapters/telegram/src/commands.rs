//! The bot's commands: one for each form, and a few of its own.

pub(crate) mod menus;
pub(crate) mod scope;

use std::collections::BTreeSet;

use formwright_chat::FormCard;
use formwright_chat::words::{Word, say};
use serde_json::{Value, json};

use crate::limits;
use crate::render::html::shorten;

/// Languages that get a menu of their own; the first is also everybody else's.
const LANGUAGES: [&str; 6] = ["en", "it", "es", "de", "fr", "ar"];

/// What a command asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    /// Opens the chat, with what a link brought along.
    Start(String),
    /// Opens a form.
    Form(String),
    /// Says a word of the person's language, as if it was written.
    Words(Word),
    /// Nothing that is known.
    Unknown,
}

/// The bot's own commands, with their description and the word each stands for.
const OWN: [(&str, Word, Option<Word>); 6] = [
    ("start", Word::MenuStart, None),
    ("forms", Word::Forms, Some(Word::SayForms)),
    ("review", Word::MenuReview, Some(Word::SayReview)),
    ("help", Word::MenuHelp, Some(Word::SayHelp)),
    ("cancel", Word::MenuCancel, Some(Word::SayCancel)),
    ("forget", Word::MenuForget, Some(Word::SayForget)),
];

/// The command of each form: its id as Telegram can spell it.
pub(crate) fn names(forms: &[FormCard]) -> Vec<(String, &FormCard)> {
    let mut taken: BTreeSet<String> = OWN.iter().map(|(name, ..)| (*name).to_owned()).collect();
    let mut named = Vec::new();
    for form in forms {
        let spelled = spell(&form.id);
        let numbered = (2..1000).map(|no| {
            let no = format!("_{no}");
            format!("{}{no}", &spelled[..spelled.len().min(limits::COMMAND - no.len())])
        });
        let free = std::iter::once(spelled.clone()).chain(numbered).find(|name| !taken.contains(name));
        if let Some(name) = free {
            taken.insert(name.clone());
            named.push((name, form));
        }
    }
    named
}

fn spell(id: &str) -> String {
    let letter = |c: char| match c.to_ascii_lowercase() {
        c @ ('a'..='z' | '0'..='9' | '_') => c,
        _ => '_',
    };
    let spelled: String = id.chars().map(letter).take(limits::COMMAND).collect();
    if spelled.bytes().all(|b| b == b'_') { "form".to_owned() } else { spelled }
}

/// Reads a command: `/pizza`, `/pizza@bot`, `/start pizza`. None where the text is none, such as the path `/etc/hosts`, or
/// one for another bot.
pub(crate) fn read(text: &str, bot: &str, forms: &[FormCard]) -> Option<Command> {
    let rest = text.strip_prefix('/')?;
    let (name, args) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let (name, to) = name.split_once('@').unwrap_or((name, bot));
    if !to.eq_ignore_ascii_case(bot) || name.is_empty() {
        return None;
    }
    let name = name.to_ascii_lowercase();
    if name == "start" {
        return Some(Command::Start(args.trim().to_owned()));
    }
    if let Some((_, _, Some(word))) = OWN.iter().find(|(own, ..)| *own == name) {
        return Some(Command::Words(*word));
    }
    let form = names(forms).into_iter().find(|(known, _)| *known == name).map(|(_, form)| form.id.clone());
    let spelled = name.len() <= limits::COMMAND && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    match form {
        Some(form) => Some(Command::Form(form)),
        None => spelled.then_some(Command::Unknown),
    }
}

/// The languages that get a menu of their own; none stands for everybody else's.
pub(crate) fn languages() -> impl Iterator<Item = Option<&'static str>> {
    std::iter::once(None).chain(LANGUAGES.iter().skip(1).copied().map(Some))
}

/// The menu in a language, with those of the forms that may be used, all where there is no list of them.
pub(crate) fn menu(forms: &[FormCard], allowed: Option<&[String]>, lang: &str) -> Vec<Value> {
    let own = OWN.iter().map(|(name, about, _)| ((*name).to_owned(), say(*about, lang).to_owned()));
    let named = names(forms).into_iter().filter(|(_, form)| allowed.is_none_or(|allowed| allowed.contains(&form.id)));
    let forms = named.map(|(name, form)| (name, title(form, lang)));
    let (first, rest): (Vec<_>, Vec<_>) = own.partition(|(name, _)| name == "start");
    let room = limits::COMMANDS - OWN.len();
    let all = first.into_iter().chain(forms.take(room)).chain(rest);
    all.map(|(command, about)| json!({"command": command, "description": shorten(&about, limits::DESCRIPTION)}))
        .collect()
}

/// What a form is called in a language.
fn title(form: &FormCard, lang: &str) -> String {
    let title = form.words_in(lang).title;
    if title.trim().is_empty() { form.id.clone() } else { title }
}

/// The forms that may be used, a line each, with the command that opens it.
pub(crate) fn listed(forms: &[FormCard], may: impl Fn(&FormCard) -> bool, lang: &str) -> Vec<String> {
    let named = names(forms).into_iter().filter(|(_, form)| may(form));
    named.map(|(name, form)| format!("/{name} — {}", title(form, lang))).collect()
}

/// A link that opens a private chat with the bot and brings something along.
pub(crate) fn link(bot: &str, start: &str) -> Option<String> {
    let fits = (1..=limits::START).contains(&start.len());
    let spelled = start.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
    (fits && spelled && !bot.is_empty()).then(|| format!("https://t.me/{bot}?start={start}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forms() -> Vec<FormCard> {
        let form = |id: &str| FormCard {
            id: id.to_owned(),
            title: "T".to_owned(),
            description: String::new(),
            fields: 1,
            ..FormCard::default()
        };
        ["pizza-order", "Pizza_Order", "help", "заявка", &"a".repeat(40)].map(form).into()
    }

    #[test]
    fn each_form_has_a_command_of_its_own() {
        let forms = forms();
        let names: Vec<String> = names(&forms).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["pizza_order", "pizza_order_2", "help_2", "form", &"a".repeat(32)]);
    }

    #[rstest::rstest]
    #[case("/start", Some(Command::Start(String::new())))]
    #[case("/start pizza-order", Some(Command::Start("pizza-order".to_owned())))]
    #[case("/pizza_order@FormBot now", Some(Command::Form("pizza-order".to_owned())))]
    #[case("/PIZZA_ORDER", Some(Command::Form("pizza-order".to_owned())))]
    #[case("/cancel", Some(Command::Words(Word::SayCancel)))]
    #[case("/forget", Some(Command::Words(Word::SayForget)))]
    #[case("/nothing", Some(Command::Unknown))]
    #[case("/cancel@otherbot", None)]
    #[case("cancel", None)]
    #[case("/etc/hosts", None)]
    #[case("/", None)]
    fn commands_are_read(#[case] text: &str, #[case] command: Option<Command>) {
        assert_eq!(read(text, "formbot", &forms()), command);
    }

    #[test]
    fn the_menu_keeps_telegrams_limits_whatever_the_forms() {
        let mut forms = forms();
        forms.extend((0..150).map(|no| FormCard {
            id: format!("f{no}"),
            title: "x".repeat(400),
            description: String::new(),
            fields: 1,
            ..FormCard::default()
        }));
        assert_eq!(languages().count(), 6);
        for language in languages() {
            let commands = menu(&forms, None, language.unwrap_or_default());
            assert!(commands.len() <= limits::COMMANDS);
            assert!(commands.iter().any(|command| command["command"] == "cancel"));
            for command in &commands {
                let name = command["command"].as_str().unwrap();
                assert!((1..=32).contains(&name.len()));
                assert!(name.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'_')), "{name}");
                assert!((1..=256).contains(&command["description"].as_str().unwrap().chars().count()));
            }
        }
    }
}
