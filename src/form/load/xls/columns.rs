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
        // Older workbooks have one colon before a language.
        let parts =
            heading.split_once("::").or_else(|| heading.split_once(':').filter(|(name, _)| is_text(&plain(name))));
        let Some((name, lang)) = parts else {
            let name = match plain(heading).as_str() {
                "caption" => "label".to_owned(),
                "constraint_msg" | "jr:constraintmsg" | "constraining_message" => "constraint_message".to_owned(),
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
            "command" => "type",
            "tag" => "name",
            "relevance" => "relevant",
            "read_only" => "readonly",
            "calculate" => "calculation",
            "count" | "jr:count" => "repeat_count",
            other => other,
        };
        Self { name: name.to_owned(), ..column }
    }

    /// The language of a column of texts, where it has no tag here.
    fn unread(&self) -> Option<&str> {
        self.name.split_once("::").filter(|(name, _)| is_text(name)).map(|(_, lang)| lang)
    }
}

/// The columns of a sheet, by their numbers.
pub(super) struct Heads(Vec<Column>);

impl Heads {
    /// The columns of a sheet. Those in the language `unread` count as plain ones.
    pub(super) fn of(sheet: &Sheet, column: fn(&str) -> Column, unread: Option<&str>) -> Self {
        let plain = |found: Column| match found.unread().filter(|lang| Some(*lang) == unread) {
            Some(lang) => Column { name: found.name.replace(&format!("::{lang}"), ""), lang: None },
            None => found,
        };
        Self(sheet.columns.iter().map(|heading| plain(column(heading))).collect())
    }

    /// The cells of a row with their columns.
    pub(super) fn named<'a>(&'a self, row: &'a Row) -> impl Iterator<Item = (&'a Column, &'a Cell)> {
        row.cells.iter().filter_map(|(no, cell)| Some((self.0.get(*no)?, cell)))
    }

    /// The first cell of a row in the column of this name.
    pub(super) fn cell<'a>(&'a self, row: &'a Row, name: &str) -> Option<&'a Cell> {
        self.named(row).find(|(column, _)| column.name == name).map(|(_, cell)| cell)
    }

    /// The names of all columns.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|column| column.name.as_str())
    }
}

/// The language of the first column of labels, where no label is in one that is known here.
pub(super) fn only_unread(sheet: &Sheet) -> Option<String> {
    let columns: Vec<Column> = sheet.columns.iter().map(|heading| Column::of_survey(heading)).collect();
    if columns.iter().any(|column| column.name == "label") {
        return None;
    }
    columns.iter().filter(|column| column.name.starts_with("label")).find_map(Column::unread).map(str::to_owned)
}

/// Columns that are said in languages.
fn is_text(name: &str) -> bool {
    matches!(name, "label" | "hint" | "guidance_hint" | "constraint_message" | "required_message")
}

/// Languages as headings name them, beside those that the program speaks.
const OTHERS: &[(&str, &str)] = &[
    ("afrikaans", "af"),
    ("amharic", "am"),
    ("bahasa indonesia", "id"),
    ("bangla", "bn"),
    ("bengali", "bn"),
    ("burmese", "my"),
    ("chichewa", "ny"),
    ("dari", "fa"),
    ("deutsch", "de"),
    ("español", "es"),
    ("farsi", "fa"),
    ("filipino", "tl"),
    ("français", "fr"),
    ("georgian", "ka"),
    ("greek", "el"),
    ("haitian creole", "ht"),
    ("hausa", "ha"),
    ("hebrew", "he"),
    ("igbo", "ig"),
    ("indonesian", "id"),
    ("italiano", "it"),
    ("khmer", "km"),
    ("kinyarwanda", "rw"),
    ("kirundi", "rn"),
    ("kiswahili", "sw"),
    ("korean", "ko"),
    ("kurdish", "ku"),
    ("lao", "lo"),
    ("lingala", "ln"),
    ("luganda", "lg"),
    ("malagasy", "mg"),
    ("malay", "ms"),
    ("mongolian", "mn"),
    ("nepali", "ne"),
    ("oromo", "om"),
    ("pashto", "ps"),
    ("persian", "fa"),
    ("português", "pt"),
    ("romanian", "ro"),
    ("shona", "sn"),
    ("sinhala", "si"),
    ("somali", "so"),
    ("swahili", "sw"),
    ("swedish", "sv"),
    ("tagalog", "tl"),
    ("tamil", "ta"),
    ("thai", "th"),
    ("tigrinya", "ti"),
    ("ukrainian", "uk"),
    ("uzbek", "uz"),
    ("vietnamese", "vi"),
    ("wolof", "wo"),
    ("xhosa", "xh"),
    ("yoruba", "yo"),
    ("zulu", "zu"),
    ("русский", "ru"),
    ("українська", "uk"),
    ("العربية", "ar"),
    ("中文", "zh"),
];

/// The tag of a language as it is written: `it`, `Italiano (it)`, `English (EN)`, `Kiswahili`.
pub(super) fn tag(written: &str) -> Option<String> {
    let written = written.trim();
    let named = |name: &str| {
        let small = name.trim().to_lowercase();
        NAMED.iter().chain(OTHERS).find(|(name, _)| *name == small).map(|(_, tag)| (*tag).to_owned())
    };
    let tagged = |tag: &str| {
        let (first, rest) = tag.split_at(tag.find('-').unwrap_or(tag.len()));
        Some(format!("{}{rest}", first.to_ascii_lowercase())).filter(|tag| is_language(tag))
    };
    match written.rsplit_once('(').and_then(|(name, rest)| Some((name, rest.strip_suffix(')')?.trim()))) {
        Some((name, inner)) => tagged(inner).or_else(|| named(inner)).or_else(|| named(name)),
        None => tagged(written).or_else(|| named(written)),
    }
}

/// A text of a row, in all its languages; `plain` is the language of columns that name none.
pub(super) fn text(heads: &Heads, row: &Row, name: &str, plain: &str, put: &dyn Fn(&str) -> String) -> Option<Node> {
    let mut found: Vec<(&str, &Cell)> = Vec::new();
    for (column, cell) in heads.named(row).filter(|(column, _)| column.name == name) {
        let lang = column.lang.as_deref().unwrap_or(plain);
        if !found.iter().any(|(known, _)| *known == lang) {
            found.push((lang, cell));
        }
    }
    // The language of plain texts comes first.
    found.sort_by_key(|(lang, _)| *lang != plain);
    let words = |cell: &Cell| Node { span: cell.span.clone(), data: Data::Text(put(&cell.text)) };
    match found.as_slice() {
        [] => None,
        [(lang, only)] if *lang == plain => Some(words(only)),
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
    #[case("label::English (EN)", "label", Some("en"))]
    #[case("label::Kiswahili", "label", Some("sw"))]
    #[case("label:Français (fr-CA)", "label", Some("fr-CA"))]
    #[case("jr:count", "jr:count", None)]
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
