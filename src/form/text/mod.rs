//! Texts in forms: by language, with minijinja templates in them.
//!
//! A template shows answers: `Thanks, {{ name }}! One {{ pizza }} to {{ address.street }}.` It may choose and repeat
//! (`{% if … %}`, `{% for item in items %}`), and change the look of a value ([`FILTERS`]); it cannot calculate, define
//! or call anything: numbers come from computed fields. Values are data: what a person wrote is never read as a template.

mod guard;
mod place;
mod template;

use std::collections::BTreeMap;

pub use formwright_text::capitalised;
pub use guard::{FILTERS, MAX_TEMPLATE};
pub use place::{MAX_VALUE, Place, clean};

use formwright_chat::words::primary;

use super::logic::Fault;

/// What a missing answer shows as.
pub const MISSING: &str = "…";

/// An author's text for a fact of a refusal or a schema: in the language wanted, else in the form's first.
pub(crate) fn plain_text(text: &Text, lang: &str) -> String {
    let by_lang = &text.by_lang;
    by_lang.get(lang).or_else(|| by_lang.get("")).or_else(|| by_lang.values().next()).cloned().unwrap_or_default()
}

/// A text as the author wrote it, in one or several languages.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Text {
    /// By language tag; `""` is the form's own language where the author wrote one text only.
    pub by_lang: BTreeMap<String, String>,
}

impl Text {
    /// A text in the form's own language.
    pub fn one(text: impl Into<String>) -> Self {
        Self { by_lang: BTreeMap::from([(String::new(), text.into())]) }
    }

    /// A text in several languages, by tag.
    pub fn by_lang<T: Into<String>>(texts: impl IntoIterator<Item = (T, T)>) -> Self {
        Self { by_lang: texts.into_iter().map(|(lang, text)| (lang.into(), text.into())).collect() }
    }

    /// Whether there are no words in any language.
    pub fn is_empty(&self) -> bool {
        self.by_lang.values().all(|text| text.trim().is_empty())
    }

    /// The author's words in the best language, templates as written. `langs` are BCP 47 tags, preferred first, the form's
    /// own languages last: the exact tag, else the same primary language, else the form's own, else any.
    pub fn pick(&self, langs: &[&str]) -> &str {
        let exact = |tag: &str| self.by_lang.iter().find(|(lang, _)| lang.eq_ignore_ascii_case(tag));
        let related =
            |tag: &str| self.by_lang.iter().find(|(lang, _)| primary(lang).eq_ignore_ascii_case(primary(tag)));
        let best = langs.iter().find_map(|tag| exact(tag).or_else(|| related(tag)));
        let own = || self.by_lang.get_key_value("");
        best.or_else(own).or_else(|| self.by_lang.iter().next()).map_or("", |(_, text)| text)
    }

    /// The words in every other language than the one [`Self::pick`] gives: synonyms of a label.
    pub fn others<'a>(&'a self, langs: &[&str]) -> impl Iterator<Item = &'a str> {
        let picked = self.pick(langs);
        self.by_lang.values().map(String::as_str).filter(move |text| *text != picked)
    }

    /// Renders the text for people. A missing answer shows as [`MISSING`]; any text gives a result, of at most 16 KB.
    pub fn render(&self, langs: &[&str], vars: &dyn Vars) -> String {
        self.render_in(Place::Words, langs, vars)
    }

    /// Renders the text for a place where other characters are harmful.
    pub fn render_in(&self, place: Place, langs: &[&str], vars: &dyn Vars) -> String {
        let text = self.pick(langs);
        if text.contains('{') { template::render(text, place, vars) } else { text.to_owned() }
    }

    /// Everything wrong with the templates: faults with the language and the place in that language's text. `names` are
    /// the variables there will be.
    pub fn check(&self, names: &[&str]) -> Vec<(String, Fault)> {
        let check = |(lang, text): (&String, &String)| {
            guard::check(text, names).into_iter().map(|fault| (lang.clone(), fault)).collect::<Vec<_>>()
        };
        self.by_lang.iter().flat_map(check).collect()
    }

    /// Names of variables the text uses, in any language.
    pub fn variables(&self) -> Vec<String> {
        let mut names: Vec<String> = self.by_lang.values().flat_map(|text| template::variables(text)).collect();
        names.sort();
        names.dedup();
        names
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self::one(text)
    }
}

/// A value as a person reads it: what templates see.
#[derive(Clone, Debug, PartialEq)]
pub enum Shown {
    /// Words.
    Text(String),
    /// Items.
    List(Vec<Shown>),
    /// Members by name.
    Group(BTreeMap<String, Shown>),
}

impl From<&str> for Shown {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Shown {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

/// What templates may name. Asked only for the names that a text uses.
pub trait Vars {
    /// The value of a name as a person reads it; none while it is missing.
    fn get(&self, name: &str) -> Option<Shown>;
}

/// No variables.
impl Vars for () {
    fn get(&self, _: &str) -> Option<Shown> {
        None
    }
}

impl Vars for BTreeMap<String, Shown> {
    fn get(&self, name: &str) -> Option<Shown> {
        BTreeMap::get(self, name).cloned()
    }
}

impl Vars for BTreeMap<&str, Shown> {
    fn get(&self, name: &str) -> Option<Shown> {
        BTreeMap::get(self, name).cloned()
    }
}

#[cfg(test)]
mod tests;
