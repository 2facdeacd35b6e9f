//! What the runtime says by itself, where there is no conversation to say it.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use formwright_chat as chat;

/// By message, then by language.
static WORDS: LazyLock<BTreeMap<String, BTreeMap<String, String>>> =
    // The table is part of the program; a test reads it.
    LazyLock::new(|| toml::from_str(include_str!("words.toml")).unwrap_or_default());

/// A message in a language, by its BCP 47 tag; in English where there is none, or the language is not known.
pub(super) fn words(message: &str, lang: Option<&str>) -> &'static str {
    let Some(texts) = WORDS.get(message) else {
        debug_assert!(false, "there is no message {message}");
        return "";
    };
    let primary = lang.and_then(|lang| lang.split(['-', '_']).next()).map(str::to_lowercase);
    let text = primary.and_then(|primary| texts.get(&primary));
    text.or_else(|| texts.get("en")).map_or("", String::as_str)
}

/// A reply that says a message and nothing else.
pub(super) fn reply(message: &str, lang: Option<&str>) -> chat::Reply {
    let lang = lang.unwrap_or("en");
    chat::Reply { say: vec![words(message, Some(lang)).to_owned()], lang: lang.to_owned(), ..chat::Reply::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_message_is_there_in_every_language() {
        assert_eq!(WORDS.len(), 9);
        for (message, texts) in &*WORDS {
            assert_eq!(texts.keys().collect::<Vec<_>>(), ["ar", "de", "en", "es", "fr", "it"], "{message}");
        }
        assert_eq!(words("trouble", Some("de-AT")), words("trouble", Some("de")));
        assert_eq!(words("trouble", Some("fi")), words("trouble", None));
    }
}
