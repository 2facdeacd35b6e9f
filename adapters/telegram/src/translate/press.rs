//! What a pressed button means on the screen it stands on.

use formwright_chat::{Input, Press, Pressed, Question, Screen, Token, Wire};
use jiff::civil::Date;

use crate::render::{View, list, names, quick_word};

/// What is to be done with a press.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Turn {
    /// It is an answer, or a control: for the product.
    Take(Press),
    /// The widget shows something else now.
    Show(View),
    /// An option is ticked, or no longer.
    Tick(Token, View),
    /// The button only looks like one.
    Idle,
    /// Nothing is ticked, though something must be.
    TickFirst,
    /// No more may be ticked.
    TickedEnough,
    /// No widget of this screen.
    Unknown,
}

/// Reads a press. Only what the screen shows counts.
pub(crate) fn read(screen: &Screen, wire: &Wire) -> Turn {
    let Some(op) = &wire.op else { return plain(screen, &wire.token) };
    if screen.reply.nonce() != Some(&wire.token.nonce) {
        return Turn::Unknown;
    }
    let view = View { slot: wire.token.slot, op: op.clone() };
    match (op.chars().next(), screen.reply.question(&wire.token)) {
        (Some('n'), _) if op == "n" => Turn::Idle,
        (Some('c' | 'b'), _) if op[1..].bytes().all(|b| b.is_ascii_digit()) => Turn::Show(view),
        (_, Some(question)) => widget(screen, question, &wire.token, view),
        _ => Turn::Unknown,
    }
}

/// A button, an edit, or an option of a list to pick one of.
fn plain(screen: &Screen, token: &Token) -> Turn {
    if screen.label(token).is_none() {
        return Turn::Unknown;
    }
    match screen.reply.question(token) {
        Some(question) => {
            let value = Pressed::Options { tokens: vec![token.clone()] };
            Turn::Take(Press { token: question.token.clone(), value })
        }
        None => Turn::Take(Press { token: token.clone(), value: Pressed::Button }),
    }
}

fn widget(screen: &Screen, question: &Question, token: &Token, view: View) -> Turn {
    let take = |text: &str| {
        let value = Pressed::Text { text: text.to_owned() };
        Turn::Take(Press { token: question.token.clone(), value })
    };
    let (head, rest) = view.op.split_at_checked(1).unwrap_or_default();
    match &question.input {
        Input::Options { multiple, min, max, .. } => match head {
            "p" => Turn::Show(view),
            "t" if *multiple && screen.label(token).is_some() => {
                let ticked = screen.ticked_of(token);
                let adds = token.option.is_some_and(|no| !ticked.contains(&no));
                let full = max.is_some_and(|max| ticked.len() >= usize::try_from(max).unwrap_or(usize::MAX));
                if adds && full { Turn::TickedEnough } else { Turn::Tick(token.clone(), view) }
            }
            "d" if *multiple => {
                let none = screen.ticked_of(token).is_empty();
                if none && *min > 0 && question.required {
                    Turn::TickFirst
                } else {
                    Turn::Take(screen.send_ticked(token))
                }
            }
            _ => Turn::Unknown,
        },
        Input::Date { .. } => match head {
            "d" if is_day(rest) => take(rest),
            "q" => quick_word(&view.op, &screen.reply.lang).map_or(Turn::Unknown, take),
            "m" | "y" | "Y" => Turn::Show(view),
            _ => Turn::Unknown,
        },
        Input::DateTime { .. } => match head {
            "t" if rest.split_once('T').is_some_and(|(day, time)| is_day(day) && is_time(time)) => take(rest),
            "m" | "y" | "Y" | "d" | "h" => Turn::Show(view),
            _ => Turn::Unknown,
        },
        Input::DateRange { .. } => match (head, rest.split_once('.')) {
            ("e", Some((first, last))) if is_day(first) && is_day(last) => take(&format!("{first}/{last}")),
            ("m" | "y" | "Y" | "d" | "s", _) => Turn::Show(view),
            _ => Turn::Unknown,
        },
        Input::Time { .. } => match head {
            "t" if is_time(rest) => take(rest),
            "h" | "k" => Turn::Show(view),
            _ => Turn::Unknown,
        },
        Input::Rating { .. } | Input::Number { .. } => {
            let known = |number: &i64| head == "v" && number.to_string() == rest;
            if list::values(question).iter().any(known) { take(rest) } else { Turn::Unknown }
        }
        _ => Turn::Unknown,
    }
}

fn is_day(text: &str) -> bool {
    text.parse::<Date>().is_ok_and(|day| day.to_string() == text)
}

fn is_time(text: &str) -> bool {
    text.len() == 5 && text.parse::<jiff::civil::Time>().is_ok()
}

/// What was pressed, in words for the person; none where nobody shall read it.
pub(crate) fn words(screen: &Screen, press: &Press) -> Option<String> {
    let question = screen.reply.question(&press.token);
    let secret = question.is_some_and(|question| matches!(question.input, Input::Text { secret: true, .. }));
    if secret || (screen.reply.private && question.is_some()) {
        return None;
    }
    let words = screen.words(std::slice::from_ref(press)).filter(|words| !words.trim().is_empty())?;
    let Pressed::Text { text } = &press.value else { return Some(words) };
    let lang = &screen.reply.lang;
    let day = |text: &str| text.parse::<Date>().ok().map(|day| names::day(lang, day));
    Some(match question.map(|question| &question.input) {
        Some(Input::Date { .. }) => day(text).unwrap_or(words),
        Some(Input::DateTime { .. }) => match text.split_once('T').and_then(|(at, time)| Some((day(at)?, time))) {
            Some((day, time)) => format!("{day}, {time}"),
            None => words,
        },
        Some(Input::DateRange { .. }) => match text.split_once('/').and_then(|(a, b)| Some((day(a)?, day(b)?))) {
            Some((first, last)) => format!("{first} – {last}"),
            None => words,
        },
        _ => words,
    })
}

/// The button whose words were written, where its screen has them as words only.
pub(crate) fn named(screen: &Screen, text: &str) -> Option<Press> {
    let text = text.trim();
    let same = |label: &str| !text.is_empty() && label.trim().to_lowercase() == text.to_lowercase();
    let shown = |label: &str| same(label) || same(&crate::render::label(label));
    let button = screen.reply.buttons.iter().find(|button| shown(&button.label))?;
    Some(Press { token: button.token.clone(), value: Pressed::Button })
}
