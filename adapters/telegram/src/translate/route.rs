//! What a message means where it was written: an answer, a command, or nothing that concerns the bot.

use formwright_chat::words::say;
use formwright_chat::{Action, FormCard, Input, Press, Pressed, Question, Screen};

use super::{Contact, Said, press};
use crate::commands::{self, Command};

/// Where a message was written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setting<'a> {
    /// Others read along.
    pub(crate) group: bool,
    /// What the person was asked last and has not answered.
    pub(crate) live: Option<&'a Screen>,
    /// Its buttons can only be written: it hangs on the input line.
    pub(crate) worded: bool,
    /// The bot's name.
    pub(crate) bot: &'a str,
    /// The forms that can be started.
    pub(crate) forms: &'a [FormCard],
    /// The person's language.
    pub(crate) lang: &'a str,
}

/// What is to be done with a message.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Doing {
    /// For the product.
    Act(Action),
    /// The person opened the chat with what a link brought along.
    Start(String),
    /// A command that is no form's: its name.
    NoSuchForm(String),
    /// It does not concern the bot.
    Nothing,
}

/// Reads a message. In a group, only commands, mentions, answers to the bot and what a person says who is being asked
/// something count.
pub(crate) fn route(said: &Said, at: &Setting<'_>) -> Doing {
    let command = commands::read(&said.text, at.bot, at.forms);
    // Other bots have commands too.
    let command = command.filter(|command| !at.group || said.text.contains('@') || *command != Command::Unknown);
    let asked = at.live.is_some() && !said.aim().is_for_others(at.live) && !said.text.starts_with('/');
    if at.group && !said.to_us && !asked && command.is_none() {
        return Doing::Nothing;
    }
    let question = at.live.and_then(|screen| screen.reply.questions.first());
    match command {
        Some(Command::Start(with)) => return Doing::Start(with),
        Some(Command::Form(form)) => return Doing::Act(Action::Open { form: Some(form) }),
        Some(Command::Words(word)) => {
            let lang = at.live.map_or(at.lang, |screen| screen.reply.lang.as_str());
            return Doing::Act(Action::Say { text: say(word, lang).to_owned() });
        }
        // Where words are asked for, an answer may begin like a command.
        Some(Command::Unknown) if !question.is_some_and(|asked| matches!(asked.input, Input::Text { .. })) => {
            let name = said.text.split(char::is_whitespace).next().unwrap_or_default();
            return Doing::NoSuchForm(name.split('@').next().unwrap_or_default().to_owned());
        }
        Some(Command::Unknown) | None => {}
    }
    if let Some(contact) = &said.contact {
        return self::contact(contact, question);
    }
    if let Some(location) = &said.location {
        return Doing::Act(Action::Share { location: location.clone() });
    }
    if let Some(person) = &said.person {
        let asked = question.filter(|question| matches!(question.input, Input::Person));
        return Doing::Act(asked.map_or_else(|| words(person), |question| fill(question, person)));
    }
    if !said.files.is_empty() {
        return Doing::Act(Action::Attach { files: said.files.clone(), text: said.text.clone() });
    }
    if said.text.trim().is_empty() {
        return Doing::Act(Action::Open { form: None });
    }
    if let Some(press) = at.live.filter(|_| at.worded).and_then(|screen| press::named(screen, &said.text)) {
        return Doing::Act(Action::Press { presses: vec![press] });
    }
    Doing::Act(words(&said.text))
}

/// A shared contact: the number where a number is asked for. Whose it may be is for the form to say.
fn contact(contact: &Contact, question: Option<&Question>) -> Doing {
    let phone = question.filter(|question| matches!(question.input, Input::Phone { .. }));
    match phone {
        Some(question) => Doing::Act(fill(question, &contact.phone)),
        None if question.is_some_and(|question| matches!(question.input, Input::Person)) => {
            Doing::Act(words(&contact.name))
        }
        None => Doing::Act(words(&contact.phone)),
    }
}

fn fill(question: &Question, text: &str) -> Action {
    let press = Press { token: question.token.clone(), value: Pressed::Text { text: text.to_owned() } };
    Action::Press { presses: vec![press] }
}

fn words(text: &str) -> Action {
    Action::Say { text: text.to_owned() }
}
