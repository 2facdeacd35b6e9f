//! A field of what is told of it: a row of the summary, a heading with a table, an entry of the front matter.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use formwright_form::problem::{Problem, Problems};

use super::entries::{Entries, keyed, words as text};
use super::gather::{Said, Told, Value};
use super::outline::Cell;
use super::rules::condition::Known;
use super::rules::limits::Limit;
use super::rules::logic::Sentence;
use super::rules::{limits, logic};
use super::words::{self, Meaning};
use super::{cells, options, prose};
use crate::keys::FIELD;
use crate::lower::label_of;
use crate::node::{Data, Node};
use crate::shape::{Key, Shape};

/// A field with every place that tells of it, the one that counts most last.
#[derive(Debug, Default)]
pub(super) struct Draft {
    /// Its name.
    pub(super) id: String,
    /// Places that tell of it.
    pub(super) told: Vec<Told>,
    /// Fields of a group or list.
    pub(super) members: Vec<Draft>,
}

/// What is known of the whole form while its fields are made.
pub(super) struct Around<'a> {
    /// All fields.
    pub(super) known: &'a [Known],
    /// Names of the tools.
    pub(super) tools: &'a BTreeSet<String>,
    /// Tools with what each of them brings.
    pub(super) brings: &'a BTreeSet<(String, String)>,
    /// The language of plain texts.
    pub(super) first: &'a str,
    /// What the section on logic says, by field.
    pub(super) logic: &'a BTreeMap<String, Vec<Sentence>>,
    /// Names of the steps.
    pub(super) pages: &'a [String],
    /// The tools that give fields their options, by field.
    pub(super) sources: &'a BTreeMap<String, String>,
}

/// A field in the making.
pub(super) struct Making<'a> {
    pub(super) around: &'a Around<'a>,
    pub(super) known: Known,
    pub(super) out: Entries,
    /// Conditions under which it is shown, and needed.
    pub(super) shown: Option<Node>,
    pub(super) needed: Needed,
    pub(super) checks: Vec<Entries>,
    /// Words for a language model.
    pub(super) advice: Vec<(String, Range<usize>)>,
    pub(super) problems: &'a mut Problems,
}

/// Whether an answer is needed.
pub(super) enum Needed {
    Unsaid,
    Said(bool, Range<usize>),
    /// Sometimes; the words of when, if there are any.
    Sometimes(Cell),
    When(Node),
}

/// What is known of a field before it is made: its kind and options.
pub(super) fn known(draft: &Draft) -> Known {
    let label = draft.told.iter().rev().find_map(|told| {
        let title = told.title.as_ref().map(|title| words::label(&title.text()));
        told.of("label").map(|cell| cell.text()).or(title)
    });
    let options = draft.told.iter().rev().find_map(options::of).map(|node| options::names(&node)).unwrap_or_default();
    let kind = draft.told.iter().rev().find_map(|told| told.of("kind")).map(|cell| cell.text()).unwrap_or_default();
    let kind = match words::kind(&kind).as_str() {
        // A box to tick, or several of them.
        "yes_no" if kind.to_lowercase().contains("checkbox") && !options.is_empty() => "choices".to_owned(),
        other => other.to_owned(),
    };
    Known { id: draft.id.clone(), label: label.unwrap_or_default(), kind, options }
}

/// Makes a field.
pub(super) fn make(draft: &Draft, around: &Around<'_>, problems: &mut Problems) -> Node {
    made(draft, around, true, problems)
}

fn made(draft: &Draft, around: &Around<'_>, top: bool, problems: &mut Problems) -> Node {
    let known = known(draft);
    let span = draft.told.last().map_or(0..0, |told| told.span.clone());
    let (out, advice) = (Entries::default(), Vec::new());
    let (shown, needed, checks) = (None, Needed::Unsaid, Vec::new());
    let mut making = Making { around, known, out, shown, needed, checks, advice, problems };
    if let Some((id, at)) = draft.told.iter().rev().find_map(|told| told.id.clone()) {
        let id = if draft.id.is_empty() { id } else { draft.id.clone() };
        making.put("id", None, at.clone(), text(id, at));
    }
    for told in &draft.told {
        making.told(told);
    }
    making.finish(draft, top);
    let (mut out, first) = (making.out, around.first);
    let members: Vec<Node> = draft.members.iter().map(|member| made(member, around, false, problems)).collect();
    if !members.is_empty() {
        out.put_default("field", Node { span: span.clone(), data: Data::List(members) });
    }
    out.node(span, first)
}

impl Making<'_> {
    pub(super) fn put(&mut self, key: &str, language: Option<String>, at: Range<usize>, node: Node) {
        self.out.put(key, language, at, node, self.problems);
    }

    fn told(&mut self, told: &Told) {
        for said in &told.said {
            match words::property(&said.name, &FIELD) {
                Meaning::Key("id", _) | Meaning::Nothing | Meaning::Step => {}
                Meaning::DependsOn => self.depends_on(said),
                Meaning::Key(name, language) => self.key(name, language, said),
                Meaning::Visible => self.visible(said),
                Meaning::NeededWhen => self.needed_when(said),
                Meaning::Needed => self.needed(said),
                Meaning::Source => self.source(said),
                Meaning::Constraints => self.constraints(said),
                Meaning::Check => self.check(said),
                Meaning::Otherwise(language) => self.otherwise(language, said),
                Meaning::Args | Meaning::Unknown => self.unknown(said),
            }
        }
        if let Some(title) = told.title.as_ref().filter(|title| !title.is_empty()) {
            let label = words::label(&title.text());
            // A label that is made of the name anyway may stand in the heading where the form gives none.
            if label != label_of(&self.known.id) || self.out.has("label") {
                self.out.put_default("label", text(label, title.span.clone()));
            }
        }
        if let Some(node) = options::of(told).filter(|_| !told.tables.is_empty()) {
            let labels = |node: &Node| options::names(node).into_iter().map(|(_, label)| label).collect::<Vec<_>>();
            // A table of the options that were listed before says more of each.
            if self.out.at("options").is_some_and(|before| labels(before) == labels(&node)) {
                self.out.replace("options", node);
            } else {
                self.put("options", None, node.span.clone(), node);
            }
        }
        options::further(told, self.problems);
        for cell in &told.prose {
            if let Some(question) = prose::question(cell) {
                self.out.put_default("ask", text(question, cell.span.clone()));
                continue;
            }
            self.judged(&cell.text(), &cell.span);
            for (sentence, span) in logic::rules(cell) {
                let message = format!("this is not code: `{}` does not follow it", self.known.id);
                self.problems.push(logic::problem(&span, message, &sentence, self.around.known));
            }
            if prose::is_advice(cell, self.around.tools) {
                self.advice.push((cell.text(), cell.span.clone()));
            }
        }
    }

    /// Has a model judge the answer where a sentence says what it must tell; gives whether one does.
    pub(super) fn judged(&mut self, words: &str, span: &Range<usize>) -> bool {
        let told = prose::judged(words).filter(|_| matches!(self.known.kind.as_str(), "text" | "long_text"));
        let found = told.is_some();
        if let Some(told) = told {
            self.out.put_default("judge", text(told, span.clone()));
        }
        found
    }

    /// A key of the table of keys.
    fn key(&mut self, name: &'static str, language: Option<String>, said: &Said) {
        let key = self.spec(name);
        let node = match (&said.value, name) {
            (Value::Cell(cell), "kind") => text(words::kind(&cell.text()), cells::text(cell).span),
            (Value::Node(node), "kind") => text(words::kind(node.text().unwrap_or_default()), node.span.clone()),
            (Value::Cell(cell), "default" | "fixed") => self.value(cell),
            (Value::Node(node), "default" | "fixed") => match said.value.cell() {
                Some(cell) if node.text().is_some() => self.value(&cell),
                _ => node.clone(),
            },
            (Value::Cell(cell), "options") => options::written(cell),
            (Value::Cell(cell), "country") => text(country(cell), cell.span.clone()),
            (Value::Cell(cell), _) => cells::node(cell, key.map_or(&Shape::Text, |key| &key.shape)),
            (Value::Node(node), _) => node.clone(),
        };
        let node = match (name, node.text(), self.known.kind.as_str()) {
            // A box to tick becomes several where there are options.
            ("kind", Some("yes_no"), "choices") => text("choices", node.span),
            // Of a question that is answered with yes or no, these are no options.
            ("options", _, "yes_no")
                if options::names(&node).iter().all(|(_, label)| cells::truth_of(label).is_some()) =>
            {
                return;
            }
            _ => node,
        };
        self.put(name, language, said.at.clone(), node);
    }

    /// The key as the field's kind has it.
    pub(super) fn spec(&self, name: &str) -> Option<&'static Key> {
        let keys: Vec<&'static Key> = FIELD.all_keys().filter(|key| key.is_named(name)).collect();
        keys.iter().find(|key| key.is_of(Some(&self.known.kind))).or(keys.first()).copied()
    }

    /// A value as the field's kind has it.
    fn value(&self, cell: &Cell) -> Node {
        if let Some(node) = cells::written(cell) {
            return node;
        }
        let node = cells::text(cell);
        let words = cell.text();
        let bare = words.trim_matches(['"', '“', '”']).to_owned();
        let data = match self.known.kind.as_str() {
            "yes_no" => cells::truth_of(&bare).map(Data::Bool),
            "integer" | "number" | "percent" | "rating" => {
                bare.parse::<rust_decimal::Decimal>().is_ok().then(|| Data::Number(bare.clone()))
            }
            _ => None,
        };
        let option = self.known.options.iter().find(|(_, label)| label.eq_ignore_ascii_case(&bare));
        let data = data.or_else(|| option.map(|(id, _)| Data::Text(id.clone()))).unwrap_or(Data::Text(bare));
        Node { data, ..node }
    }

    /// A tool that gives the options, in whatever words it is named.
    fn source(&mut self, said: &Said) {
        let Some(cell) = said.value.cell() else { return };
        let words = cell.text();
        let named = |name: &&String| words.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == *name);
        let Some(tool) = self.around.tools.iter().find(named) else {
            if matches!(said.value, Value::Node(_)) {
                self.put("options_from", None, said.at.clone(), cells::text(&cell));
            } else if let Some((_, rest)) = words.split_once(['—', '–'])
                && let Some(Limit::Check(code)) =
                    limits::limits(rest, &self.known, self.around.known).pop().and_then(|(_, l)| l)
            {
                self.limit(rest, Some(Limit::Check(code)), &cell.span);
            }
            return;
        };
        let span = cells::text(&cell).span;
        match self.known.kind.as_str() {
            "choice" | "choices" => {
                if self.known.options.is_empty() {
                    self.out.put_default("options_from", text(tool.clone(), span));
                }
            }
            _ if self.around.brings.contains(&(tool.clone(), self.known.id.clone())) => {
                let from = Node { span: span.clone(), data: Data::Map(vec![keyed("tool", text(tool.clone(), span))]) };
                self.out.put_default("default_from", from);
                // Where no client shows the map, ours does: such a place is not typed.
                if self.known.kind == "location" {
                    self.out.put_default("fill", text("widget", said.at.clone()));
                }
            }
            kind => {
                let problem = Problem::warning("form::prose_key", format!("kind `{kind}` takes nothing from a tool"))
                    .at(said.at.clone(), "has no effect");
                self.problems
                    .push(problem.help("give the tool an output of the field's name, or make the field a `choice`"));
            }
        }
    }

    /// A property that a field does not have becomes advice.
    pub(super) fn unknown(&mut self, said: &Said) {
        let Some(cell) = said.value.cell() else {
            // What the front matter writes as a table or list stands as it is, so that the checks tell of it.
            if let Value::Node(node) = &said.value {
                self.put(&said.name, None, said.at.clone(), node.clone());
            }
            return;
        };
        let known = FIELD.all_keys().map(|key| key.name);
        let problem = Problem::warning("form::prose_key", format!("`{}` is no key of a field", said.name))
            .at(said.at.clone(), "advice for a language model's wording, and nothing else");
        let help = "write `Guidance` where that is meant; forms/README.md lists the keys";
        self.problems.push(problem.did_you_mean(&said.name, known, help));
        if prose::is_advice(&cell, self.around.tools) {
            self.advice.push((cell.text(), cell.span.clone()));
        }
    }

    /// What only shows when everything is told.
    fn finish(&mut self, draft: &Draft, top: bool) {
        for sentence in self.around.logic.get(&self.known.id).into_iter().flatten() {
            self.logic(sentence);
        }
        self.required();
        self.nested(draft, self.around.sources);
        if let Some(shown) = self.shown.take() {
            self.out.put_default("show_when", shown);
        }
        let checks: Vec<Node> = std::mem::take(&mut self.checks)
            .into_iter()
            .map(|check| {
                let span = check.at("that").or_else(|| check.at("tool")).map_or(0..0, |node| node.span.clone());
                check.node(span, self.around.first)
            })
            .filter(|check| !check.entries().is_empty())
            .collect();
        if let Some(first) = checks.first() {
            self.out.put_default("check", Node { span: first.span.clone(), data: Data::List(checks) });
        }
        let takes_advice = self.spec("guidance").is_some_and(|key| key.is_of(Some(&self.known.kind)));
        if takes_advice
            && !self.out.has("guidance")
            && let Some(node) = prose::advice(&self.advice, self.problems)
        {
            self.out.put_default("guidance", node);
        }
        let page = draft.told.iter().rev().find_map(|told| told.page).and_then(|no| self.around.pages.get(no));
        if let Some(page) = page.filter(|_| top) {
            let span = draft.told.last().map_or(0..0, |told| told.span.clone());
            self.out.put_default("page", text(page.clone(), span));
        }
    }
}

/// The code of a country in words: two letters among the pieces of code, or the words themselves.
fn country(cell: &Cell) -> String {
    let two = cell.codes.iter().find(|(code, _)| code.len() == 2 && code.chars().all(|c| c.is_ascii_alphabetic()));
    two.map_or_else(|| cell.text(), |(code, _)| code.to_uppercase())
}

/// A list of tables made of entries.
pub(super) fn list(nodes: Vec<Node>) -> Option<Node> {
    let span = nodes.first()?.span.clone();
    Some(Node { span, data: Data::List(nodes) })
}
