//! Writes TOML as people write it: short tables on one line, fields as `[[field]]`.

use std::fmt::Write as _;

use super::notes::Notes;
use crate::keys::{FIELD, FORM, named};
use crate::node::{Data, Entry, Node};
use crate::shape::{Shape, Spec};

/// Longest line of a list, in characters.
const WIDE: usize = 110;

/// The form as TOML, with notes on its tables.
pub(super) fn write(root: &Node, mut notes: Notes) -> String {
    let mut out = String::new();
    table(&mut out, &named(root, &FORM, false), &FORM, "", &mut notes);
    format!("{}{}", notes.rest("# "), out.trim_start())
}

/// A table: its keys, then the tables in it. `path` is what its header is called.
fn table(out: &mut String, node: &Node, spec: &Spec, path: &str, notes: &mut Notes) {
    let is_tables = |entry: &&Entry| inner(entry, spec).is_some();
    for entry in node.entries().iter().filter(|entry| !is_tables(entry)) {
        // TOML has no word for nothing.
        if !matches!(entry.node.data, Data::Null) {
            let _ = writeln!(out, "{} = {}", key(&entry.key), value(&entry.node));
        }
    }
    for entry in node.entries().iter().filter(is_tables) {
        let Some(spec) = inner(entry, spec) else { continue };
        let path = if path.is_empty() { entry.key.clone() } else { format!("{path}.{}", entry.key) };
        for item in entry.node.items() {
            let _ = writeln!(out, "\n{}[[{path}]]", notes.on(item, "# "));
            table(out, item, spec, &path, notes);
        }
    }
}

/// The keys of the tables in a list that gets headers: the parts of a form, and fields in fields.
fn inner(entry: &Entry, spec: &Spec) -> Option<&'static Spec> {
    let key = spec.all_keys().find(|key| key.is_named(&entry.key))?;
    let Shape::Tables(inner) = key.shape else { return None };
    let headed = spec.name == FORM.name || inner.name == FIELD.name;
    (headed && !entry.node.items().is_empty()).then_some(inner)
}

fn key(name: &str) -> String {
    let bare = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
    if bare { name.to_owned() } else { text(name) }
}

fn text(words: &str) -> String {
    ::toml::Value::String(words.to_owned()).to_string()
}

fn value(node: &Node) -> String {
    let line = flat(node);
    match &node.data {
        Data::List(items) if line.chars().count() > WIDE && items.len() > 1 => {
            let items: String = items.iter().map(|item| format!("  {},\n", flat(item))).collect();
            format!("[\n{items}]")
        }
        _ => line,
    }
}

/// A value on one line.
fn flat(node: &Node) -> String {
    match &node.data {
        Data::Null => "\"\"".to_owned(),
        Data::Bool(truth) => truth.to_string(),
        Data::Number(digits) => {
            // What TOML's numbers cannot hold is read as the same number from a text.
            let fits = digits.parse::<i64>().is_ok() || digits.contains(['.', 'e', 'E']);
            let plain = fits && ::toml::from_str::<::toml::Table>(&format!("n = {digits}")).is_ok();
            if plain { digits.clone() } else { text(digits) }
        }
        Data::Text(words) => one_line(words),
        Data::Moment(moment) => moment.clone(),
        Data::List(items) => format!("[{}]", items.iter().map(flat).collect::<Vec<_>>().join(", ")),
        Data::Map(entries) if entries.is_empty() => "{}".to_owned(),
        Data::Map(entries) => {
            let entries = entries.iter().filter(|entry| !matches!(entry.node.data, Data::Null));
            let entries = entries.map(|entry| format!("{} = {}", key(&entry.key), flat(&entry.node)));
            format!("{{ {} }}", entries.collect::<Vec<_>>().join(", "))
        }
    }
}

/// A text on one line, with its line ends written out.
fn one_line(words: &str) -> String {
    if !words.contains(['\n', '\r']) {
        return text(words);
    }
    let mut out = String::from("\"");
    for c in words.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => out.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
