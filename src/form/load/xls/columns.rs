//! The columns of XLSForms, and texts in several languages: `label`, `label::Italiano (it)`, `hint::fr`.

use std::ops::Range;

use formwright_lexicon::NAMED;

use super::tables::{Cell, Row, Sheet};
use crate::names::is_language;
use crate::node::{Data, Entry, Node};

/// A column: what it holds, and of which language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Column {
    /// `label`, `hint`, `constraint_message`, in small letters and without blanks.
    pub(super) name: String,
    /// The tag of its language; none where it is not said.
    pub(super) lang: Option<String>,
}

impl Column {
    /// A column by its heading.
    pub(super) fn of(heading: &str) -> Self {
        let plain = |name: &str| name.trim().to_lowercase().replace([' ', '-'], "_");
        let heading = heading.trim();
        let Some((name, lang)) = heading.split_once("::") else {
            let name = match plain(heading).as_str() {
                "caption" => "label".to_owned(),
                "constraint_msg" => "constraint_message".to_owned(),
                name => name.to_owned(),
            };
            return Self { name, lang: None };
        };
        let name = plain(name);
        match tag(lang) {
            Some(lang) if is_text(&name) => Self { name, lang: Some(lang) },
            _ => Self { name: format!("{name}::{}", plain(lang)), lang: None },
        }
    }

    /// A column of the survey, under whichever of its names. In the choices these are columns of the author's own.
    pub(super) fn of_survey(heading: &str) -> Self {
        let column = Self::of(heading);
        let name = match column.name.as_str() {
            "relevance" => "relevant",
            "read_only" => "readonly",
            "calculate" => "calculation",
            "count" | "jr:count" => "repeat_count",
            other => other,
        };
        Self { name: name.to_owned(), ..column }
    }
}

/// Columns that are said in languages.
fn is_text(name: &str) -> bool {
    matches!(name, "label" | "hint" | "guidance_hint" | "constraint_message" | "required_message")
}

/// The tag of a language as it is written: `it`, `Italiano (it)`, `English`.
pub(super) fn tag(written: &str) -> Option<String> {
    let written = written.trim();
    let inner = written.rsplit_once('(').and_then(|(_, rest)| rest.strip_suffix(')')).map(str::trim);
    let found = inner.unwrap_or(written);
    if is_language(found) {
        return Some(found.to_owned());
    }
    let small = found.to_lowercase();
    NAMED.iter().find(|(name, _)| *name == small).map(|(_, tag)| (*tag).to_owned())
}

/// A text of a row, in all its languages; `plain` is the language of columns that name none.
pub(super) fn text(sheet: &Sheet, row: &Row, column: &str, plain: &str, put: &dyn Fn(&str) -> String) -> Option<Node> {
    let mut found: Vec<(String, &Cell)> = Vec::new();
    for (heading, cell) in sheet.named(row) {
        let heading = Column::of(heading);
        let lang = heading.lang.unwrap_or_else(|| plain.to_owned());
        if heading.name == column && !found.iter().any(|(known, _)| *known == lang) {
            found.push((lang, cell));
        }
    }
    // The language of plain texts comes first.
    found.sort_by_key(|(lang, _)| lang != plain);
    let words = |cell: &Cell| Node { span: cell.span.clone(), data: Data::Text(put(&cell.text)) };
    match found.as_slice() {
        [] => None,
        [(lang, only)] if lang == plain => Some(words(only)),
        several => {
            let entries = several.iter().map(|(lang, cell)| entry(lang, words(cell))).collect();
            Some(Node { span: several.first().map(|(_, cell)| cell.span.clone())?, data: Data::Map(entries) })
        }
    }
}

pub(super) fn entry(key: &str, node: Node) -> Entry {
    Entry { key: key.to_owned(), span: node.span.clone(), node }
}

pub(super) fn words(text: impl Into<String>, span: &Range<usize>) -> Node {
    Node { span: span.clone(), data: Data::Text(text.into()) }
}

pub(super) fn list(items: Vec<Node>, span: &Range<usize>) -> Node {
    Node { span: span.clone(), data: Data::List(items) }
}

pub(super) fn table(entries: Vec<Entry>, span: &Range<usize>) -> Node {
    Node { span: span.clone(), data: Data::Map(entries) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[rstest::rstest]
    #[case("label", "label", None)]
    #[case("Label::Italiano (it)", "label", Some("it"))]
    #[case("hint::English", "hint", Some("en"))]
    #[case("constraint message", "constraint_message", None)]
    #[case("caption", "label", None)]
    #[case("media::image", "media::image", None)]
    #[case("label::Klingon", "label::klingon", None)]
    fn a_heading_says_what_is_below_it(#[case] heading: &str, #[case] name: &str, #[case] lang: Option<&str>) {
        let column = Column::of(heading);
        assert_eq!((column.name.as_str(), column.lang.as_deref()), (name, lang));
    }

    #[test]
    fn older_names_are_those_of_the_survey_alone() {
        for (older, name) in [("relevance", "relevant"), ("count", "repeat_count"), ("label::it", "label")] {
            assert_eq!(Column::of_survey(older).name, name);
        }
        assert_eq!(Column::of("count").name, "count");
    }
}
