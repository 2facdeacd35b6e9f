//! Which everyday thing a yes/no field is about: "kids" of "good for kids".

use crate::form::kind::Said;
use crate::form::language::{self, Language};
use crate::form::{Field, Form, Kind};

/// The names of the features that a field's label or id is about, else its help; none where its name is turned round
/// ("no pets").
pub(super) fn of(form: &Form, field: &Field) -> Vec<&'static str> {
    if !matches!(field.kind, Kind::YesNo(_)) {
        return Vec::new();
    }
    // A text without a language is in the form's own.
    let home = form.languages.first().map_or("", String::as_str);
    let language = |tag: &str| language::language(if tag.is_empty() { home } else { tag });
    let id = Said::new(&field.id.as_str().replace(['_', '-'], " "));
    let labels = field.label.by_lang.iter().map(|(tag, label)| (language(tag), Said::new(label)));
    let names: Vec<(&'static Language, Said)> = std::iter::once((language::english(), id)).chain(labels).collect();
    let negates = |(lang, said): &(&'static Language, Said)| {
        (0..said.words.len()).any(|no| lang.yes_no.negation.starts(said, no) || says_no(lang, said, no))
    };
    if names.iter().any(negates) {
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
        let at = lang.everyday.feature.named.at(said, no);
        found.extend(at.map(|(_, key)| &**key));
        no += at.map_or(1, |(len, _)| len);
    }
    found
}

/// Whether words say by themselves that something is not there: "unfurnished".
fn says_no(lang: &Language, said: &Said, no: usize) -> bool {
    use crate::form::language::everyday::Sense;
    let meanings = lang.everyday.feature.said.at(said, no);
    meanings.is_some_and(|(_, meanings)| meanings.iter().any(|(_, sense)| *sense == Sense::Lacking))
}
