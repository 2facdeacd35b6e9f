//! What Telegram finds in the words that people write: commands, mentions, addresses.

use serde_json::{Value, json};

use super::html::units;

/// Words that begin with `@` and are spelled like names, with where they begin (in bytes).
pub(super) fn mentions(text: &str) -> Vec<(usize, &str)> {
    let spelled = |word: &&(usize, &str)| {
        let name = &word.1[1..];
        (3..=32).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    };
    marked(text, '@').iter().filter(spelled).copied().collect()
}

/// What begins with a mark at the beginning of a word, as far as names go.
fn marked(text: &str, mark: char) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        if c == mark && !before.is_alphanumeric() && before != '/' && before != '@' {
            let rest = &text[at + c.len_utf8()..];
            let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '@')).unwrap_or(rest.len());
            found.push((at, &text[at..at + c.len_utf8() + end]));
        }
        before = c;
    }
    found
}

/// The entities of a text as Telegram finds them.
pub(super) fn entities(text: &str) -> Vec<Value> {
    let mut all: Vec<(usize, &str, &str)> = Vec::new();
    all.extend(
        marked(text, '/').into_iter().filter(|(_, word)| command(word)).map(|(at, word)| (at, word, "bot_command")),
    );
    all.extend(mentions(text).into_iter().map(|(at, word)| (at, word, "mention")));
    let mut at = 0;
    for word in text.split(char::is_whitespace) {
        let kind = match word {
            word if word.starts_with("http://") || word.starts_with("https://") => Some("url"),
            word if word.split_once('@').is_some_and(|(name, host)| !name.is_empty() && host.contains('.')) => {
                Some("email")
            }
            _ => None,
        };
        all.extend(kind.map(|kind| (at, word, kind)));
        at += word.len() + text[at + word.len()..].chars().next().map_or(0, char::len_utf8);
    }
    all.sort_unstable();
    let entity = |(at, word, kind): (usize, &str, &str)| json!({"type": kind, "offset": units(&text[..at]), "length": units(word)});
    all.into_iter().map(entity).collect()
}

fn command(word: &str) -> bool {
    let name = word[1..].split('@').next().unwrap_or_default();
    (1..=64).contains(&name.len())
}
