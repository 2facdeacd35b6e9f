//! Fields that depend on others: their answers go with the others', and their options may lie in a row that another picked.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::keys::FIELD;
use crate::markdown::entries::{keyed, words as text};
use crate::markdown::field::{Draft, Making};
use crate::markdown::outline::Cell;
use crate::markdown::words::{self, Meaning, plain};
use crate::node::{Data, Node};

use super::condition::Known;

/// Shortest label that is looked for in a sentence.
const LEAST: usize = 3;

impl Making<'_> {
    /// Has the answer go with those of the fields that words name.
    pub(super) fn goes_with(&mut self, words: &str, span: &Range<usize>) {
        let names: Vec<Node> = self.named(words).into_iter().map(|name| text(name, span.clone())).collect();
        if !names.is_empty() {
            self.out.put_default("reset_with", Node { span: span.clone(), data: Data::List(names) });
        }
    }

    /// Other fields that words name: by their names, else by their labels.
    fn named(&self, words: &str) -> Vec<String> {
        let others = || self.around.known.iter().filter(|known| known.id != self.known.id);
        let word = |id: &str| words.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == id);
        let by_id: Vec<String> = others().filter(|known| word(&known.id)).map(|known| known.id.clone()).collect();
        if !by_id.is_empty() {
            return by_id;
        }
        let all = plain(words);
        let labelled = |label: &str| plain(label).len() >= LEAST && all.contains(&plain(label));
        others().filter(|known| labelled(&known.label)).map(|known| known.id.clone()).collect()
    }

    /// Takes the options from the row that another field has picked: where the field depends on that one and both have the
    /// same tool, and where it is said to be "nested inside the selected" one.
    pub(in super::super) fn nested(&mut self, draft: &Draft, sources: &BTreeMap<String, String>) {
        if !matches!(self.known.kind.as_str(), "choice" | "choices") || !self.known.options.is_empty() {
            return;
        }
        let of = |meaning: &Meaning| -> Vec<Cell> {
            let said = draft.told.iter().flat_map(|told| &told.said);
            said.filter(|said| words::property(&said.name, &FIELD) == *meaning).filter_map(|s| s.value.cell()).collect()
        };
        let (told, needs) = (of(&Meaning::Source), of(&Meaning::DependsOn));
        let inside = told.iter().find_map(|cell| self.picker(&cell.text(), sources));
        let own = self.out.at("options_from").and_then(Node::text).map(str::to_owned);
        let depends = || {
            let named = needs.iter().flat_map(|cell| self.named(&cell.text()));
            named.into_iter().find(|name| sources.get(name).is_some_and(|tool| own.as_ref() == Some(tool)))
        };
        let Some(picker) = inside.or_else(depends) else { return };
        let Some(tool) = sources.get(&picker) else { return };
        let codes = told.iter().flat_map(|cell| &cell.codes);
        let at = codes.into_iter().find(|(code, _)| !self.around.tools.contains(code) && *code != picker);
        let span = told.first().map_or_else(Range::default, |cell| cell.span.clone());
        let mut entries =
            vec![keyed("tool", text(tool.clone(), span.clone())), keyed("row", text(&*picker, span.clone()))];
        entries.extend(at.map(|(path, span)| keyed("at", text(path.clone(), span.clone()))));
        self.goes_with(&picker, &span);
        self.out.replace("options_from", Node { span, data: Data::Map(entries) });
    }

    /// The field with a tool of its own that "nested inside the selected …" speaks of.
    fn picker(&self, words: &str, sources: &BTreeMap<String, String>) -> Option<String> {
        let small = words.to_lowercase();
        let (_, rest) = small.split_once("inside the ").or_else(|| small.split_once("within the "))?;
        let rest = rest.trim_start_matches("selected ").trim_start_matches("chosen ");
        let name = plain(rest.split(['—', '–', ',', '.', '(']).next()?.split(" from ").next()?);
        let is_meant = |known: &&Known| {
            let heard = plain(&known.id).contains(&name) || plain(&known.label).contains(&name);
            known.id != self.known.id && heard && sources.contains_key(&known.id)
        };
        let found = self.around.known.iter().find(is_meant).filter(|_| name.len() >= LEAST);
        found.map(|known| known.id.clone())
    }
}
