//! The sheet `settings`: what the form is called, and its languages.

use super::columns::{Column, entry, list, tag, words};
use super::ledger::Ledger;
use super::options::plain;
use super::tables::Sheet;
use crate::lost::Lost;
use crate::names;
use crate::node::Entry;

/// The sheets that are read.
pub(super) const SHEETS: [&str; 3] = ["survey", "choices", "settings"];

/// What the sheet `settings` says.
pub(super) struct Settings {
    /// All languages, that of plain texts first.
    pub(super) langs: Vec<String>,
    pub(super) entries: Vec<Entry>,
}

impl Settings {
    pub(super) fn of(sheets: &[Sheet], name: &str, ledger: &Ledger, lost: &mut Vec<Lost>) -> Self {
        let sheet = sheets.iter().find(|sheet| sheet.name == "settings");
        let row = sheet.and_then(|sheet| Some((sheet, sheet.rows.first()?)));
        let said = |keys: [&str; 3]| {
            let (sheet, row) = row?;
            keys.into_iter().find_map(|key| sheet.cell(row, key))
        };
        // A language that is not told by its tag, but used in headings without one, is the first.
        let default =
            said(["default_language", "default language", ""]).and_then(|cell| Some((cell, tag(&cell.text)?)));
        if let Some((cell, _)) = &default {
            ledger.takes(cell);
        }
        let lang = default.map_or_else(|| first_language(sheets), |(_, lang)| lang);
        let id = said(["form_id", "id_string", "set form id"]);
        let title = said(["form_title", "title", "set form title"]);
        let wanted = id.map_or(name, |cell| cell.text.as_str());
        let slug = names::slug(wanted);
        let good = slug.starts_with(|c: char| c.is_ascii_alphabetic()) && slug.is_ascii();
        let slug = if good { slug } else { "form".to_owned() };
        if let Some(cell) = id.filter(|cell| cell.text != slug && !names::is_name(&cell.text)) {
            let what = format!("its name `{wanted}`, which becomes `{slug}`");
            lost.push(Lost::new("the form", what).from(&cell.span));
        }
        let written = id.filter(|cell| names::is_name(&cell.text)).map_or(slug, |cell| cell.text.clone());
        let span = id.map_or(0..0, |cell| cell.span.clone());
        let titled = title.map_or_else(|| words(plain(name), &(0..0)), |cell| words(plain(&cell.text), &cell.span));
        let mut entries = vec![entry("id", words(written, &span)), entry("title", titled)];
        let mut langs = vec![lang];
        for heading in
            sheets.iter().filter(|sheet| SHEETS.contains(&sheet.name.as_str())).flat_map(|sheet| &sheet.columns)
        {
            langs.extend(Column::of(heading).lang.filter(|lang| !langs.contains(lang)));
        }
        // English alone goes without saying.
        if langs != ["en"] {
            let all = langs.iter().map(|lang| words(lang.clone(), &(0..0))).collect();
            entries.push(entry("languages", list(all, &(0..0))));
        }
        Self { langs, entries }
    }

    /// The language of plain texts.
    pub(super) fn lang(&self) -> &str {
        self.langs.first().map_or("en", String::as_str)
    }
}

/// The language of the first heading that names one, where no heading of texts names none.
fn first_language(sheets: &[Sheet]) -> String {
    let questions = sheets.iter().filter(|sheet| SHEETS.contains(&sheet.name.as_str()));
    let columns: Vec<Column> = questions.flat_map(|sheet| &sheet.columns).map(|heading| Column::of(heading)).collect();
    if columns.iter().any(|column| column.name == "label" && column.lang.is_none()) {
        return "en".to_owned();
    }
    columns.into_iter().find_map(|column| column.lang).unwrap_or_else(|| "en".to_owned())
}
