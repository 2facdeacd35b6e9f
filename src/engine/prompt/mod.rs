//! What the bot says: standard messages as data, one file per language, replaced by the form's own where it has them.

pub(crate) mod refusal;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::world::World;
use formwright_form::Form;
use formwright_form::text::{Shown, Vars};

/// A message's wordings, used in turn.
#[derive(Debug, Deserialize)]
#[serde(from = "Raw")]
struct Wordings(Vec<String>);

struct Raw(Vec<String>);

impl From<Raw> for Wordings {
    fn from(raw: Raw) -> Self {
        Self(raw.0)
    }
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OneOrMany;
        impl<'de> serde::de::Visitor<'de> for OneOrMany {
            type Value = Raw;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a wording or a list of wordings")
            }

            fn visit_str<E>(self, text: &str) -> Result<Raw, E> {
                Ok(Raw(vec![text.to_owned()]))
            }

            fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut seq: A) -> Result<Raw, A::Error> {
                let mut texts = Vec::new();
                while let Some(text) = seq.next_element()? {
                    texts.push(text);
                }
                Ok(Raw(texts))
            }
        }
        deserializer.deserialize_any(OneOrMany)
    }
}

fn table(source: &str) -> BTreeMap<String, Wordings> {
    // The tables are part of the program; a test loads each of them.
    toml::from_str(source).unwrap_or_default()
}

static TABLES: LazyLock<BTreeMap<&'static str, BTreeMap<String, Wordings>>> = LazyLock::new(|| {
    [
        ("en", table(include_str!("en.toml"))),
        ("it", table(include_str!("it.toml"))),
        ("es", table(include_str!("es.toml"))),
        ("de", table(include_str!("de.toml"))),
        ("fr", table(include_str!("fr.toml"))),
        ("ar", table(include_str!("ar.toml"))),
    ]
    .into_iter()
    .collect()
});

/// Names of all standard messages, in order: what a form's `messages` may replace.
pub fn names() -> impl Iterator<Item = &'static str> {
    TABLES.get("en").into_iter().flat_map(|table| table.keys().map(String::as_str))
}

/// Facts that fill the braces of a message.
pub(crate) type Facts<'a> = [(&'a str, &'a str)];

/// The bot's voice in one step: language, and the form whose messages come first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Voice<'a> {
    pub(crate) world: &'a World,
    pub(crate) form: Option<&'a Form>,
}

impl Voice<'_> {
    /// A message in its first wording.
    pub(crate) fn say(&self, name: &str, facts: &Facts<'_>) -> String {
        self.say_turn(name, 0, facts)
    }

    /// A message in the wording of its turn, counted from 0; the last wording serves when they run out.
    pub(crate) fn say_turn(&self, name: &str, turn: usize, facts: &Facts<'_>) -> String {
        if let Some(text) = self.form.and_then(|form| form.messages.get(name)) {
            return text.render(&self.world.tags(), &FactVars(facts));
        }
        let wordings = self.wordings(name);
        let Some(template) = wordings.get(turn).or_else(|| wordings.last()) else {
            debug_assert!(false, "message {name} has no wording");
            return String::new();
        };
        fill_in(template, facts)
    }

    /// Whether there are all facts that a message names.
    fn can_say(&self, name: &str, facts: &Facts<'_>) -> bool {
        let known = |fact: &str| facts.iter().any(|(known, _)| *known == fact);
        self.form.is_some_and(|form| form.messages.contains_key(name))
            || self.wordings(name).iter().all(|wording| braces(wording).all(known))
    }

    /// Number of wordings of a message.
    pub(crate) fn turns(&self, name: &str) -> usize {
        if self.form.is_some_and(|form| form.messages.contains_key(name)) { 1 } else { self.wordings(name).len() }
    }

    fn wordings(&self, name: &str) -> &'static [String] {
        let find = |code: &str| TABLES.get(code).and_then(|table| table.get(name));
        find(self.world.speaks.code).or_else(|| find("en")).map_or(&[], |wordings| wordings.0.as_slice())
    }

    /// A list of words: "a, b and c".
    pub(crate) fn list(&self, words: &[String]) -> String {
        match words {
            [] => String::new(),
            [only] => only.clone(),
            [first @ .., last] => {
                format!("{}{}{last}", first.join(&self.say("list_comma", &[])), self.say("list_and", &[]))
            }
        }
    }
}

/// Facts as a form's own messages see them.
struct FactVars<'a>(&'a Facts<'a>);

impl Vars for FactVars<'_> {
    fn get(&self, name: &str) -> Option<Shown> {
        self.0.iter().find(|(fact, _)| *fact == name).map(|(_, value)| Shown::from(*value))
    }
}

/// Fills the braces of a standard message. Facts are data: braces in them stay.
pub(crate) fn fill_in(template: &str, facts: &Facts<'_>) -> String {
    let mut out = String::with_capacity(template.len() + 32);
    let mut rest = template;
    while let Some(open) = rest.find('{') {
        let (before, after) = rest.split_at(open);
        out.push_str(before);
        let Some(close) = after.find('}') else { break };
        let name = &after[1..close];
        match facts.iter().find(|(fact, _)| *fact == name) {
            Some((_, value)) => out.push_str(value),
            None => out.push('…'),
        }
        rest = &after[close + 1..];
    }
    out.push_str(rest);
    out
}

/// Names of the facts that a standard message is filled with.
fn braces(template: &str) -> impl Iterator<Item = &str> {
    template.split('{').skip(1).filter_map(|part| Some(part.split_once('}')?.0))
}
