//! What tests of kinds share.

use std::sync::LazyLock;

use formwright_lexicon::language;
use formwright_text::Said;
use formwright_values::{Context, Found, Offered, OptionId, Reading, Value};

use super::behaviour::FieldKind;

static NOW: LazyLock<jiff::Zoned> = LazyLock::new(|| "2026-11-21T10:00:00+01:00[Europe/Rome]".parse().unwrap());

/// A context in a language, nothing offered. `it-IT` gives the region too.
pub(crate) fn cx(tag: &'static str) -> Context<'static> {
    let region = tag.split_once('-').map(|(_, region)| region);
    Context { now: &NOW, lang: language(tag), region, options: &[], other: false, held: None }
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

/// Everything a kind finds in a message, each as `quote=value strength`, the value as its JSON.
pub(crate) fn finds(kind: &dyn FieldKind, text: &str, cx: &Context<'_>) -> Vec<String> {
    let said = Said::new(text);
    kind.find(&said, cx).iter().map(|found| told(kind, &said, found)).collect()
}

/// What a kind reads a message as: `quote=value strength`, several with ` | ` between, `?` and a code for a refusal.
pub(crate) fn reads(kind: &dyn FieldKind, text: &str, cx: &Context<'_>) -> String {
    let said = Said::new(text);
    match kind.read(&said, cx) {
        Reading::Value(found) => told(kind, &said, &found),
        Reading::Ambiguous(all) => all.iter().map(|found| told(kind, &said, found)).collect::<Vec<_>>().join(" | "),
        Reading::Refused(span, refusal) => format!("{}?{}", said.raw.get(span).unwrap(), refusal.code),
        Reading::Nothing => String::new(),
    }
}

fn told(kind: &dyn FieldKind, said: &Said, found: &Found) -> String {
    let quote = said.raw.get(found.span.clone()).unwrap();
    format!("{quote}={} {:?}", kind.json(&found.value), found.strength).replace('"', "")
}
