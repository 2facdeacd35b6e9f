//! The sheet `choices`: lists of options, and what may be asked of their rows.

use std::collections::{BTreeMap, BTreeSet};

use formwright_lexicon::language;

use super::columns::{Column, Heads, entry, list, table, text, words};
use super::ledger::Ledger;
use super::tables::{Cell, Row, Sheet};
use crate::lost::Lost;
use crate::names;
use crate::node::{Data, Node};

/// All lists by their names.
pub(super) struct Lists<'s> {
    heads: Heads,
    rows: BTreeMap<String, Vec<&'s Row>>,
    lang: String,
    /// Columns beside names and labels, which filters speak of.
    pub(super) columns: Vec<String>,
}

impl<'s> Lists<'s> {
    /// The lists of a sheet; `lang` is the language of plain texts, and `unread` the one that counts as plain.
    pub(super) fn of(sheet: Option<&'s Sheet>, lang: &str, unread: Option<&str>) -> Self {
        let heads = Heads::of(sheet.unwrap_or(&Sheet::default()), Column::of, unread);
        let mut rows: BTreeMap<String, Vec<&Row>> = BTreeMap::new();
        for row in sheet.map(|sheet| sheet.rows.as_slice()).unwrap_or_default() {
            if let Some(name) = heads.cell(row, "list_name") {
                rows.entry(name.text.clone()).or_default().push(row);
            }
        }
        let own = |name: &&str| !matches!(*name, "list_name" | "name" | "label") && names::is_free(name);
        let columns = heads.names().filter(own).map(str::to_owned).collect();
        Self { heads, rows, lang: lang.to_owned(), columns }
    }

    /// How many options a list has.
    pub(super) fn len(&self, name: &str) -> usize {
        self.rows.get(name).map_or(0, Vec::len)
    }

    fn list(&self, name: &str) -> &[&'s Row] {
        self.rows.get(name).map(Vec::as_slice).unwrap_or_default()
    }

    fn id<'a>(&'a self, row: &'a Row) -> Option<&'a Cell> {
        self.heads.cell(row, "name").or_else(|| self.heads.cell(row, "value"))
    }

    fn labels<'a>(&'a self, row: &'a Row) -> impl Iterator<Item = (&'a str, &'a Cell)> {
        let labels = self.heads.named(row).filter(|(column, _)| column.name == "label");
        labels.map(|(column, cell)| (column.lang.as_deref().unwrap_or(&self.lang), cell))
    }

    /// Whether a list is yes and no, and says no more than that.
    pub(super) fn is_yes_no(&self, name: &str) -> bool {
        let plain = |row: &&Row, yes: bool| {
            self.labels(row).all(|(lang, cell)| {
                let shown = &language(lang).yes_no;
                let shown = if yes { &shown.show_yes } else { &shown.show_no };
                cell.text.to_lowercase() == shown.to_lowercase()
            })
        };
        let of = |row: &&Row, name: &str| self.id(row).is_some_and(|id| id.text == name);
        match self.list(name) {
            [one, other] => {
                let (yes, no) = if of(one, "yes") { (one, other) } else { (other, one) };
                of(yes, "yes") && of(no, "no") && plain(yes, true) && plain(no, false)
            }
            _ => false,
        }
    }

    /// Notes that a question of yes and no says what the list says.
    pub(super) fn take_yes_no(&self, name: &str, ledger: &Ledger) {
        for row in self.list(name) {
            let own = [self.heads.cell(row, "list_name"), self.id(row)].into_iter().flatten();
            own.chain(self.labels(row).map(|(_, cell)| cell)).for_each(|cell| ledger.takes(cell));
        }
    }

    /// A list as options; none where there is none of this name. What labels show of other answers is told as lost.
    pub(super) fn options(&self, name: &str, ledger: &Ledger, lost: &mut Vec<Lost>) -> Option<Node> {
        let (mut ids, mut seen) = (BTreeSet::new(), BTreeSet::new());
        let mut options = Vec::new();
        for row in self.list(name) {
            let Some(id) = self.id(row).filter(|id| ids.insert(id.text.clone())) else { continue };
            // A name may go without saying beside its label.
            ledger.takes(id);
            options.push(self.option(row, id, &mut seen, lost));
        }
        (!options.is_empty()).then(|| list(options, &(0..0)))
    }

    fn option(&self, row: &Row, id: &Cell, seen: &mut BTreeSet<String>, lost: &mut Vec<Lost>) -> Node {
        let mut label = self.label(row, id);
        if let Some((_, cell)) = self.labels(row).find(|(_, cell)| cell.text.contains("${")) {
            let told = Lost::new("", format!("what the label of its option `{}` shows: {}", id.text, cell.text));
            lost.push(told.from(&cell.span));
        }
        let small = |node: &Node| node.text().unwrap_or_default().to_lowercase();
        let all: Vec<String> = match &label.data {
            Data::Map(languages) => languages.iter().map(|language| small(&language.node)).collect(),
            _ => vec![small(&label)],
        };
        // People can tell options apart by their labels alone.
        if all.iter().any(|label| seen.contains(label)) {
            apart(&mut label, &id.text);
        }
        seen.extend(all);
        if label.text().is_some_and(|label| names::slug(label) == id.text) {
            return label;
        }
        table(vec![entry("id", words(id.text.clone(), &id.span)), entry("label", label)], &row.span)
    }

    /// The label of an option, or its name where the label is nothing but another answer.
    fn label(&self, row: &Row, id: &Cell) -> Node {
        let only_shows = self.labels(row).any(|(_, cell)| hidden(&cell.text).trim() == "…");
        let label = text(&self.heads, row, "label", &self.lang, &hidden).filter(|_| !only_shows);
        label.unwrap_or_else(|| words(plain(&id.text), &id.span))
    }

    /// A list as the rows of a tool; with every column where its options depend on other answers.
    pub(super) fn data(&self, name: &str, columns: &[String]) -> Option<Node> {
        let row = |row: &&Row| {
            let id = self.id(row)?;
            let mut entries = vec![entry("id", words(id.text.clone(), &id.span)), entry("label", self.label(row, id))];
            for (column, cell) in self.heads.named(row) {
                if columns.contains(&column.name) && !entries.iter().any(|known| known.key == column.name) {
                    entries.push(entry(&column.name, words(cell.text.clone(), &cell.span)));
                }
            }
            Some(Node { span: row.span.clone(), data: Data::Map(entries) })
        };
        let rows: Vec<Node> = self.rows.get(name)?.iter().filter_map(row).collect();
        Some(list(rows, &(0..0)))
    }
}

/// A label with a mark for what it shows of other answers.
fn hidden(label: &str) -> String {
    let mut parts = label.split("${");
    let mut out = plain(parts.next().unwrap_or_default());
    for part in parts {
        out.push('…');
        out.push_str(&plain(part.split_once('}').map_or("", |(_, rest)| rest)));
    }
    out
}

/// Words in which no braces open a template.
pub(super) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '{' | '%' | '#') && out.ends_with('{') {
            out.push(' ');
        }
        out.push(c);
    }
    out
}

fn apart(label: &mut Node, id: &str) {
    match &mut label.data {
        Data::Text(label) => *label = format!("{label} ({id})"),
        Data::Map(languages) => languages.iter_mut().for_each(|language| apart(&mut language.node, id)),
        Data::Null | Data::Bool(_) | Data::Number(_) | Data::Moment(_) | Data::List(_) => {}
    }
}
