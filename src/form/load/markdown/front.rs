//! The YAML at the head of a document, between two lines of `---`: our keys, or FormPilot's.

use std::ops::Range;

use super::gather::{Draft, Said, Told, Value};
use crate::node::{Entry, Node};

/// Where the YAML stands, and where the document after it begins. None where the file does not begin with `---`, or the
/// second line of it is missing.
pub(super) fn split(text: &str) -> Option<(Range<usize>, usize)> {
    let first = text.find('\n').map_or(text.len(), |at| at + 1);
    if text.get(..first)?.trim_end() != "---" {
        return None;
    }
    let mut at = first;
    for line in text.get(first..)?.split_inclusive('\n') {
        if line.trim_end() == "---" {
            return Some((first..at, at + line.len()));
        }
        at += line.len();
    }
    None
}

/// Takes the keys of a front matter: fields, tools and steps apart, so that what the document says of them can be added.
/// Gives the other entries back.
pub(super) fn take(head: Node, draft: &mut Draft) -> Vec<Entry> {
    let mut rest = Vec::new();
    for entry in head.entries().iter().cloned() {
        match entry.key.as_str() {
            "field" | "fields" => draft.front = tables(&entry.node, &["id", "field_id"]),
            "tool" | "tools" => {
                let tools = tables(&entry.node, &["id", "name"]);
                draft.tools.splice(0..0, tools);
            }
            "page" | "pages" => {
                for page in tables(&entry.node, &["id"]) {
                    draft.front_pages.push(page);
                }
            }
            _ => rest.push(entry),
        }
    }
    rest
}

/// A property of the form.
pub(super) fn said(entry: Entry) -> Said {
    Said { name: entry.key, at: entry.span, value: Value::Node(entry.node) }
}

fn tables(list: &Node, names: &[&str]) -> Vec<Told> {
    let one = |table: &Node| {
        let id = names.iter().find_map(|name| table.at(name));
        let id = id.and_then(|id| Some((id.text()?.to_owned(), id.span.clone())));
        let others = table.entries().iter().filter(|entry| !names.contains(&entry.key.as_str()) || id.is_none());
        let others: Vec<Said> = others.cloned().map(said).collect();
        Told { id, said: others, span: table.span.clone(), ..Told::default() }
    };
    list.items().iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    #[rstest::rstest]
    #[case("---\nid: a\n---\n# T\n", Some(("id: a\n", "# T\n")))]
    #[case("---\r\nid: a\r\n---\r\n# T\n", Some(("id: a\r\n", "# T\n")))]
    #[case("---\n---", Some(("", "")))]
    #[case("---\na: '---'\n---\n", Some(("a: '---'\n", "")))]
    #[case("# T\n---\n", None)]
    #[case("---\nid: a\n", None)]
    #[case("", None)]
    fn the_head_stands_between_two_lines(#[case] text: &str, #[case] parts: Option<(&str, &str)>) {
        let found = super::split(text).map(|(head, rest)| (&text[head], &text[rest..]));
        assert_eq!(found, parts);
    }
}
