//! A form with one question of every kind.

use formwright_chat::{Choice, Input, Nonce, Token};

/// Texts that would run, were they ever markup.
pub(super) const HOSTILE: &str = "<img src=x onerror=\"window.pwned=1\">";

/// One of each input, in the order of asking.
pub(super) fn gallery() -> Vec<(&'static str, Input)> {
    let text = |long, secret| Input::Text { long, max_chars: Some(200), example: Some("Ada".to_owned()), secret };
    let options = |count: u16, multiple, other| Input::Options {
        options: labels(count).into_iter().map(|label| choice(&label)).collect(),
        multiple,
        min: u32::from(multiple),
        max: multiple.then_some(3),
        other,
    };
    let day = || Some("2026-11-01".to_owned());
    vec![
        ("name", text(false, false)),
        ("size", options(3, false, false)),
        ("topping", options(8, false, true)),
        ("country", options(30, false, false)),
        ("extras", options(5, true, false)),
        ("many", options(14, true, false)),
        ("stars", Input::Rating { min: 1, max: 5 }),
        ("scale", Input::Rating { min: 0, max: 10 }),
        ("price", Input::Number { integer: false, min: Some("0".into()), max: None, unit: Some("€".into()) }),
        ("day", Input::Date { min: day(), max: None }),
        ("hour", Input::Time { min: None, max: None }),
        ("moment", Input::DateTime { min: None, max: None }),
        ("stay", Input::DateRange { min: day(), max: None }),
        ("length", Input::Duration),
        ("phone", Input::Phone { country: Some("IT".into()) }),
        ("mail", Input::Email),
        ("site", Input::Url),
        ("story", text(true, false)),
        ("pin", text(false, true)),
        ("boss", Input::Person),
        ("room", Input::Channel),
        ("papers", Input::File { accept: vec![".pdf".into()], max_bytes: Some(1_000_000), max_files: 2 }),
        ("place", Input::Location),
        ("dishes", options(5, true, true)),
        ("town", options(30, false, true)),
    ]
}

fn labels(count: u16) -> Vec<String> {
    (1..=count).map(|no| if no == 3 { format!("Option {no} {HOSTILE}") } else { format!("Option {no}") }).collect()
}

fn choice(label: &str) -> Choice {
    let token = Token::new(&Nonce::new(0), 0);
    let detail = label.starts_with("Option 2").then(|| "A second line".to_owned());
    Choice { token, label: label.to_owned(), detail, picked: false }
}
