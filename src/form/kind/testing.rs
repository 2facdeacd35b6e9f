//! What tests of kinds share.

use std::sync::LazyLock;

use super::{Context, Offered, Reading};
use crate::form::language::language;
use crate::form::{OptionId, Value};

static NOW: LazyLock<jiff::Zoned> = LazyLock::new(|| "2026-11-21T10:00:00+01:00[Europe/Rome]".parse().unwrap());

/// A context in a language, nothing offered. `it-IT` gives the region too.
pub(crate) fn cx(tag: &'static str) -> Context<'static> {
    let region = tag.split_once('-').map(|(_, region)| region);
    Context { now: &NOW, lang: language(tag), region, options: &[], other: false }
}

/// Options written `id=Label|synonym|synonym`, or a label alone (its id in lower case with dashes).
pub(crate) fn offered(options: &[&str]) -> Vec<Offered> {
    let option = |text: &&str| {
        let (id, texts) = text.split_once('=').map_or_else(
            || (text.split('|').next().unwrap_or_default().to_lowercase().replace(' ', "-"), *text),
            |(id, texts)| (id.to_owned(), texts),
        );
        let mut texts = texts.split('|').map(str::to_owned);
        Offered { id: OptionId::new(id), label: texts.next().unwrap(), synonyms: texts.collect(), detail: None }
    };
    options.iter().map(option).collect()
}

/// The words of a reading that gave words.
pub(crate) fn text(reading: Reading) -> Option<String> {
    match reading {
        Reading::Value(found) => match found.value {
            Value::Text(text) => Some(text),
            other => panic!("{other:?} is not words"),
        },
        Reading::Ambiguous(_) | Reading::Refused(..) | Reading::Nothing => None,
    }
}
