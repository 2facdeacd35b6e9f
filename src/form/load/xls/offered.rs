//! What a choice offers: options at the question, or the rows of a tool.

use super::columns::{entry, table, words};
use super::expression::to_cel;
use super::expression::to_cel::Place;
use super::known::{Holds, Questions};
use super::read::Branch;
use super::row::{Survey, list_of};
use crate::lost::Lost;
use crate::names;
use crate::node::{Data, Entry, Node};

/// Most options of all questions together: each has those of its list for itself.
pub(crate) const MOST_OPTIONS: usize = 20_000;
/// Most options of a question that stand at it; more are given by a tool.
const MOST_AT_ONE: usize = 2_000;

impl Survey<'_> {
    /// What a choice offers: options, or a tool that gives them.
    pub(super) fn options(&self, branch: &Branch<'_>, keys: &mut Vec<Entry>) {
        let (name, span) = (list_of(branch), &branch.kind.span);
        self.ledger.asks_from(name, branch.row);
        if branch.other {
            keys.push(entry("other", Node { span: span.clone(), data: Data::Bool(true) }));
        }
        if let Some(filter) = self.cell(branch, "choice_filter") {
            let place = Place { questions: &self.params, at: &[], holds: Holds::Nothing, columns: &self.lists.columns };
            let keep = to_cel::condition(&filter.text, place);
            if let Some(keep) = keep {
                let mut parts = Vec::new();
                let params = self.params(&filter.text);
                if !params.is_empty() {
                    parts.push(entry("params", table(params, &filter.span)));
                }
                parts.push(entry("keep", words(keep, &filter.span)));
                keys.push(entry("options_from", words(self.tool(branch, parts), span)));
                return;
            }
            self.lose(branch, format!("`choice_filter`: `{}` has no counterpart", filter.text), &filter.span);
        }
        if self.lists.len(name) > MOST_AT_ONE {
            let known = self.shared.borrow().get(name).cloned();
            let tool = known.unwrap_or_else(|| self.tool(branch, Vec::new()));
            self.shared.borrow_mut().insert(name.to_owned(), tool.clone());
            keys.push(entry("options_from", words(tool, span)));
            return;
        }
        let mut lost = Vec::new();
        keys.extend(self.lists.options(name, self.ledger, &mut lost).map(|options| entry("options", options)));
        for told in lost {
            let place = format!("question `{}`", branch.name);
            self.lost.borrow_mut().push(Lost { place, ..told }.of(&branch.row.span));
        }
    }

    /// Whether the form has room for the options of a question, which it then has.
    pub(super) fn has_room(&self, branch: &Branch<'_>) -> bool {
        let list = list_of(branch);
        if self.cell(branch, "choice_filter").is_none() && self.shared.borrow().contains_key(list) {
            return true;
        }
        let left = self.left.get().checked_sub(self.lists.len(list));
        left.is_some_and(|left| {
            self.left.set(left);
            true
        })
    }

    /// Adds a tool that gives the options of a question's list, and gives its name.
    fn tool(&self, branch: &Branch<'_>, more: Vec<Entry>) -> String {
        let span = &branch.kind.span;
        let name = self.tool_name(list_of(branch), branch);
        let mut parts = vec![entry("id", words(name.clone(), span)), entry("kind", words("data", span))];
        let columns = if more.is_empty() { &[][..] } else { &self.lists.columns };
        parts.extend(more);
        parts.extend(self.lists.data(list_of(branch), columns).map(|rows| entry("rows", rows)));
        self.tools.borrow_mut().push(table(parts, span));
        name
    }

    /// The list's own name, where no other question has taken it.
    fn tool_name(&self, list: &str, branch: &Branch<'_>) -> String {
        let taken =
            |name: &str| self.tools.borrow().iter().any(|tool| tool.at("id").and_then(Node::text) == Some(name));
        if names::is_name(list) && !taken(list) {
            return list.to_owned();
        }
        let base = format!("{}-options", branch.id.replace('_', "-"));
        let more = (2..1_000).map(|no| format!("{base}-{no}"));
        std::iter::once(base.clone()).chain(more).find(|name| !taken(name)).unwrap_or(base)
    }

    /// The questions that a filter speaks of, as arguments of the tool that keeps the rows.
    fn params(&self, filter: &str) -> Vec<Entry> {
        let mut params: Vec<Entry> = Vec::new();
        for part in filter.split("${").skip(1) {
            let Some((name, _)) = part.split_once('}') else { continue };
            let Some(question) = self.questions.named(name.trim()) else { continue };
            let (Some(path), Some(id)) = (Questions::seen_from(question, &[]), question.path.last()) else { continue };
            if !params.iter().any(|known| known.key == *id) {
                params.push(entry(id, words(path, &(0..0))));
            }
        }
        params
    }
}
