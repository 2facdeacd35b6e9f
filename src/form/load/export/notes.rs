//! What was lost, as comments in the file that is written: at the field that it belonged to, or at the top.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::keys::tables;
use crate::lost::{Lost, cited};
use crate::node::Node;

/// Comments by where the tables stand in the source that they belong to.
pub(super) struct Notes(BTreeMap<usize, Vec<String>>);

/// Most notes at the top of a file.
const MOST: usize = 500;
/// Notes that belong to no table.
const TOP: usize = usize::MAX;

impl Notes {
    pub(super) fn of(lost: &[Lost]) -> Self {
        let mut notes: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for lost in lost {
            notes.entry(lost.owner.unwrap_or(TOP)).or_default().push(cited(&format!("lost: {lost}")));
        }
        Self(notes)
    }

    /// The notes on a table, a line each behind a mark. They are not given again.
    pub(super) fn on(&mut self, table: &Node, mark: &str) -> String {
        let found = self.0.remove(&table.span.start).filter(|_| !table.span.is_empty());
        found.map_or(String::new(), |notes| lines(&notes, mark))
    }

    /// One note in place of so many.
    pub(super) fn counted(many: usize) -> Self {
        let note = format!("lost: {many} things, which `formwright convert --report` lists");
        Self(BTreeMap::from([(TOP, vec![note])]))
    }

    /// The notes on tables that there are not, and on the form; of very many the first.
    pub(super) fn rest(self, mark: &str) -> String {
        let mut rest: Vec<String> = self.0.into_values().flatten().collect();
        let more = rest.len().saturating_sub(MOST);
        if more > 0 {
            rest.truncate(MOST);
            rest.push(format!("lost: {more} things more, which `formwright convert --report` lists"));
        }
        let mut out = lines(&rest, mark);
        if !out.is_empty() {
            out.push('\n');
        }
        out
    }

    /// A form in YAML with its notes.
    pub(super) fn in_yaml(mut self, root: &Node, written: &str) -> String {
        let mut fields = Vec::new();
        in_order(root, &mut fields);
        let mut fields = fields.into_iter().peekable();
        let mut out = String::with_capacity(written.len());
        for line in written.split_inclusive('\n') {
            let begins = line.trim_start().strip_prefix("- id: ").map(|id| id.trim().trim_matches(['"', '\'']));
            if begins.is_some() && begins == fields.peek().and_then(|field| field.at("id")?.text()) {
                let indent: String = line.chars().take_while(|c| *c == ' ').collect();
                out.extend(fields.next().map(|field| self.on(field, &format!("{indent}# "))));
            }
            out.push_str(line);
        }
        format!("{}{out}", self.rest("# "))
    }

    /// A form in Markdown with its notes, all below its title.
    pub(super) fn in_markdown(self, written: &str) -> String {
        let rest = self.rest("> ");
        match written.find("\n# ").map(|at| at + 1).or_else(|| written.starts_with("# ").then_some(0)) {
            Some(at) if !rest.is_empty() => {
                let (front, document) = written.split_at(at);
                let (title, document) = document.split_once('\n').unwrap_or((document, ""));
                format!("{front}{title}\n\n{rest}{}", document.trim_start_matches('\n'))
            }
            _ => written.to_owned(),
        }
    }
}

/// Fields before those that lie in them, as they are written.
fn in_order<'n>(node: &'n Node, out: &mut Vec<&'n Node>) {
    for field in tables(node, "field") {
        out.push(field);
        in_order(field, out);
    }
}

fn lines(notes: &[String], mark: &str) -> String {
    notes.iter().fold(String::new(), |mut out, note| {
        let _ = writeln!(out, "{mark}{note}");
        out
    })
}

/// Says of everything lost on which lines of a file it stood.
pub(super) fn number_lines(text: &str, lost: &mut [Lost]) {
    let starts: Vec<usize> = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let no = |at: usize| starts.partition_point(|start| *start <= at);
    let lines = |span: &std::ops::Range<usize>| match (no(span.start), no(span.end.saturating_sub(1))) {
        (first, last) if first == last => format!("line {first}"),
        (first, last) => format!("lines {first}-{last}"),
    };
    for lost in lost {
        lost.at = lost.spans.iter().map(lines).collect();
    }
}
