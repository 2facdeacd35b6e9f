//! Pickers of a real terminal. Each offers a way to say something else, so that a question can be asked at any time.

use formwright_chat::{Action, AdapterError, Button, Choice, Input, Press, Pressed, Question, Reply};
use inquire::{DateSelect, InquireError, MultiSelect, Password, PasswordDisplayMode, Select, Text};

use super::Done;

/// Something to pick.
enum Item {
    Option(Choice),
    Button(Button),
    Words,
}

impl std::fmt::Display for Item {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Option(Choice { label, detail: Some(detail), .. }) => write!(f, "{label} — {detail}"),
            Self::Option(choice) => f.write_str(&choice.label),
            Self::Button(button) => write!(f, "[{}]", button.label),
            Self::Words => f.write_str("… (type something)"),
        }
    }
}

/// Asks with the picker that fits.
pub(super) fn ask(reply: &Reply) -> Result<Done, AdapterError> {
    let asked = match reply.questions.first() {
        Some(question) => by_question(question, reply),
        None if reply.buttons.is_empty() => words("", None),
        None => select(Vec::new(), None, reply),
    };
    match asked {
        Ok(action) => Ok(Done::Act(action)),
        Err(InquireError::OperationCanceled | InquireError::OperationInterrupted) => Ok(Done::Left),
        Err(error) => Err(super::broken(error)),
    }
}

fn by_question(question: &Question, reply: &Reply) -> Result<Action, InquireError> {
    match &question.input {
        Input::Options { options, multiple: true, .. } => several(question, options),
        Input::Options { options, .. } => select(options.clone(), Some(question), reply),
        Input::Date { .. } => date(question),
        Input::Text { secret: true, .. } => hidden(question),
        Input::File { .. } => file(question),
        _ => words(question.help.as_deref().unwrap_or_default(), question.prefill.as_deref()),
    }
}

fn select(options: Vec<Choice>, question: Option<&Question>, reply: &Reply) -> Result<Action, InquireError> {
    let options = options.into_iter().map(Item::Option);
    let buttons = reply.buttons.iter().cloned().map(Item::Button);
    let items: Vec<Item> = options.chain(buttons).chain([Item::Words]).collect();
    match Select::new(">", items).with_page_size(12).prompt()? {
        Item::Option(choice) => {
            let token = question.map_or_else(|| choice.token.clone(), |question| question.token.clone());
            Ok(press(Press { token, value: Pressed::Options { tokens: vec![choice.token] } }))
        }
        Item::Button(button) => Ok(press(Press { token: button.token, value: Pressed::Button })),
        Item::Words => words("", None),
    }
}

fn several(question: &Question, options: &[Choice]) -> Result<Action, InquireError> {
    let items = options.iter().cloned().map(Item::Option).collect();
    let picked: Vec<usize> = options.iter().enumerate().filter(|(_, option)| option.picked).map(|(i, _)| i).collect();
    let Some(chosen) = MultiSelect::new(">", items).with_default(&picked).prompt_skippable()? else {
        return words("", None);
    };
    let tokens = chosen.into_iter().filter_map(|item| match item {
        Item::Option(choice) => Some(choice.token),
        Item::Button(_) | Item::Words => None,
    });
    Ok(press(Press { token: question.token.clone(), value: Pressed::Options { tokens: tokens.collect() } }))
}

fn date(question: &Question) -> Result<Action, InquireError> {
    let picker = DateSelect::new(">").with_help_message("Escape to type it instead");
    match picker.prompt_skippable()? {
        Some(day) => {
            let text = day.format("%Y-%m-%d").to_string();
            Ok(press(Press { token: question.token.clone(), value: Pressed::Text { text } }))
        }
        None => words("", question.prefill.as_deref()),
    }
}

/// Words that are shown as stars while they are typed.
fn hidden(question: &Question) -> Result<Action, InquireError> {
    let mut prompt = Password::new(">").without_confirmation().with_display_mode(PasswordDisplayMode::Masked);
    if let Some(help) = question.help.as_deref() {
        prompt = prompt.with_help_message(help);
    }
    Ok(Action::Say { text: prompt.prompt()? })
}

/// A file of this computer by its path, or words: a link, or something else to say.
fn file(question: &Question) -> Result<Action, InquireError> {
    let help = question.help.as_deref().unwrap_or("the path of a file, or a link");
    let typed = Text::new(">").with_help_message(help).prompt()?;
    Ok(super::file_at(&typed).map_or(Action::Say { text: typed }, |file| {
        press(Press { token: question.token.clone(), value: Pressed::Files { files: vec![file] } })
    }))
}

fn words(help: &str, held: Option<&str>) -> Result<Action, InquireError> {
    let mut prompt = Text::new(">");
    if !help.is_empty() {
        prompt = prompt.with_help_message(help);
    }
    if let Some(held) = held {
        prompt = prompt.with_initial_value(held);
    }
    Ok(Action::Say { text: prompt.prompt()? })
}

fn press(press: Press) -> Action {
    Action::Press { presses: vec![press] }
}
