//! Which everyday thing a yes/no field is about: "kids" of "good for kids".

use formwright_lexicon as language;
use formwright_lexicon::Language;
use formwright_text::Said;

use crate::{Field, Kind};

/// The names of the features that a field's label or id is about, else its help; none where its name is turned round
/// ("not shared") other than by saying that something is not there, which [`super::absent`] tells.
pub(super) fn of(home: &str, field: &Field) -> Vec<&'static str> {
    if !matches!(field.kind, Kind::YesNo(_)) {
        return Vec::new();
    }
    let language = |tag: &str| language::language(if tag.is_empty() { home } else { tag });
    let id = Said::new(&field.id.as_str().replace(['_', '-'], " "));
    let labels = field.label.by_lang.iter().map(|(tag, label)| (language(tag), Said::new(label)));
    let names: Vec<(&'static Language, Said)> = std::iter::once((language::english(), id)).chain(labels).collect();
    let negates = |(lang, said): &(&'static Language, Said)| {
        (0..said.words.len()).any(|no| lang.yes_no.negation.starts(said, no))
    };
    if super::absent::of(home, field).is_none() && names.iter().any(negates) {
        return Vec::new();
    }
    let mut found: Vec<&'static str> = names.iter().flat_map(|(lang, said)| named(lang, said)).collect();
    if found.is_empty() {
        let help = field.help.iter().flat_map(|help| &help.by_lang);
        found = help.flat_map(|(tag, help)| named(language(tag), &Said::new(help))).collect();
    }
    found.sort_unstable();
    found.dedup();
    found
}

fn named(lang: &'static Language, said: &Said) -> Vec<&'static str> {
    let mut found = Vec::new();
    let mut no = 0;
    while no < said.words.len() {
        // "Smoke" of "smoke-free".
        let inside = || {
            let thing = super::absent::told_in_one(lang, said.plain(no))?;
            lang.everyday.feature.named.word(thing).map(|key| (1, key))
        };
        let at = lang.everyday.feature.named.at(said, no).or_else(inside);
        found.extend(at.map(|(_, key)| &**key));
        no += at.map_or(1, |(len, _)| len);
    }
    found
}
