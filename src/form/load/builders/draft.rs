//! A field that is made of an element of a document.

use std::ops::Range;

use super::{Build, Names, Scope, whole};
use crate::export::unshown;
use crate::json_schema::{entry, id_of, words};
use crate::lost::{Lost, cited};
use crate::names;
use crate::node::{Data, Entry, Node};
use crate::xls::expression::xpath::Expr;
use crate::xls::known::{Holds, Question, Questions};

/// A title of this length is a name for its question; a longer one is asked as it stands.
const SHORT: usize = 30;
/// Most options of a question.
const MOST_AT_ONE: usize = 2_000;

/// A text with what it shows of other answers as forms write that.
pub(super) type Shown = fn(&str, &Questions, &[String]) -> String;

/// A field in the making.
pub(super) struct Draft<'b> {
    pub(super) build: &'b Build,
    pub(super) element: &'b Node,
    /// Ids from the top of the form down to it.
    pub(super) path: Vec<String>,
    pub(super) kind: &'static str,
    /// What it is called in conditions, and what that follows.
    pub(super) name: String,
    pub(super) prefix: String,
    list: usize,
    place: String,
    pub(super) entries: Vec<Entry>,
}

/// An option: what is stored, and what people read.
pub(super) struct Pick {
    pub(super) value: Node,
    pub(super) label: Option<Node>,
}

impl Build {
    /// A field of an element. `name` is what conditions and messages call it, `base` what its id is made of.
    pub(super) fn draft<'b>(
        &'b self,
        element: &'b Node,
        (name, base): (&str, &str),
        names: &mut Names,
        scope: &Scope,
    ) -> Draft<'b> {
        let id = names.free(&id_of(base));
        let place = format!("question `{}`", if name == base { base } else { &id });
        self.owners.borrow_mut().insert(element.span.start, (place.clone(), whole(element)));
        let path = [&scope.path[..], &[id]].concat();
        let name = format!("{}{name}", scope.prefix);
        let (prefix, list) = (scope.prefix.clone(), scope.list);
        Draft { build: self, element, path, kind: "text", name, prefix, list, place, entries: Vec::new() }
    }
}

impl Draft<'_> {
    /// Its id.
    pub(super) fn id(&self) -> &str {
        self.path.last().map_or("", String::as_str)
    }

    /// Where the fields lie that are in it.
    pub(super) fn scope(&self, prefix: &str) -> Scope {
        let list = if self.kind == "list" { self.path.len() } else { self.list };
        Scope { path: self.path.clone(), list, prefix: prefix.to_owned() }
    }

    /// Says what kind it is.
    pub(super) fn is(&mut self, kind: &'static str) {
        self.kind = kind;
    }

    pub(super) fn put(&mut self, key: &str, node: Node) {
        self.entries.push(entry(key, node));
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.entries.iter().any(|entry| entry.key == key)
    }

    pub(super) fn flag(&mut self, key: &str, truth: bool) {
        self.put(key, Node { span: 0..0, data: Data::Bool(truth) });
    }

    pub(super) fn lose(&self, what: impl Into<String>, span: &Range<usize>) {
        let lost = Lost::new(self.place.clone(), what).from(span).of(&whole(self.element));
        self.build.lost.borrow_mut().push(lost);
    }

    /// Tells what stands in several places.
    pub(super) fn lose_at<'n>(&self, what: impl Into<String>, spans: impl Iterator<Item = &'n Range<usize>>) {
        let lost = Lost::new(self.place.clone(), what).of(&whole(self.element));
        self.build.lost.borrow_mut().push(spans.fold(lost, Lost::from));
    }

    /// Tells that there is no such field; all it says is told by that.
    pub(super) fn lose_all(&self, why: &str) {
        self.lose(format!("all of it: {why}"), &whole(self.element));
        self.build.marks.mark_all(self.element);
    }

    /// Copies a keyword of a table, of a sort of value that the key takes.
    pub(super) fn copy(&mut self, table: &Node, theirs: &str, ours: &str, takes: fn(&Node) -> bool) {
        let Some(value) = table.at(theirs).filter(|value| takes(value)).filter(|_| !self.has(ours)) else { return };
        self.build.marks.take(table, theirs);
        self.put(ours, value.clone());
    }

    /// Copies texts.
    pub(super) fn copy_text(&mut self, table: &Node, theirs: &str, ours: &str) {
        if let Some(text) = self.text(table, theirs).filter(|_| !self.has(ours)) {
            self.put(ours, text);
        }
    }

    /// A text, or texts by language.
    pub(super) fn text(&self, table: &Node, key: &str) -> Option<Node> {
        self.build.texts(table, key, &self.path)
    }

    /// Puts what people read of it: a question, or a name.
    pub(super) fn title(&mut self, title: Node) {
        let first = title.first_text().unwrap_or_default();
        let asks = first.chars().count() > SHORT || first.contains(['?', '؟', '{', '\n']);
        let asked = !matches!(self.kind, "group" | "list" | "computed" | "hidden");
        if self.kind == "note" || asks && asked { self.put("ask", title) } else { self.put("label", title) }
    }

    /// Puts a condition; tells whether it could be said.
    pub(super) fn condition(&mut self, key: &str, expr: Option<&Expr>, told: (&str, &Range<usize>)) -> bool {
        let code = expr.and_then(|expr| self.build.condition(expr, &self.path));
        match code {
            Some(code) => self.put(key, words(&code, told.1)),
            None => self.lose(format!("{} has no counterpart", told.0), told.1),
        }
        self.has(key)
    }

    /// Its options; none where it has none, or too many.
    pub(super) fn options(&self, picks: &[Pick], span: &Range<usize>) -> Option<Node> {
        let left = self.build.options.get().checked_sub(picks.len()).filter(|_| picks.len() <= MOST_AT_ONE);
        let Some(left) = left else {
            let why = format!("its {} options: a question has at most {MOST_AT_ONE}, a form 20,000", picks.len());
            self.lose(why, span);
            return None;
        };
        self.build.options.set(left);
        let mut options = Vec::new();
        for Pick { value, label } in picks {
            let (id, is_number) = match &value.data {
                Data::Number(digits) => (digits.as_str(), true),
                _ => (value.text().unwrap_or_default(), false),
            };
            if !names::is_option(id) {
                self.lose(format!("the option {id:?}: no option is stored as that"), &value.span);
                continue;
            }
            if is_number {
                self.lose(format!("`{id}` as a number: it is sent as \"{id}\""), &value.span);
            }
            let label = label.clone().unwrap_or_else(|| words(id, &value.span));
            options.push(names::option(id, &label));
        }
        (!options.is_empty()).then(|| Node { span: span.clone(), data: Data::List(options) })
    }

    /// The field.
    pub(super) fn done(self) -> Node {
        let span = &self.element.span;
        let mut entries = vec![entry("id", words(self.id(), span)), entry("kind", words(self.kind, span))];
        self.build.found.borrow_mut().add(Question {
            name: self.name,
            path: self.path,
            holds: Holds::of(self.kind),
            list: self.list,
        });
        entries.extend(self.entries);
        Node { span: whole(self.element), data: Data::Map(entries) }
    }
}

impl Build {
    /// A message, which knows no answers: what it shows of them is told.
    pub(super) fn message(&self, key: &str, text: Node) -> Node {
        let said = text.text().unwrap_or_default();
        let plain = unshown(said, |_| false);
        if plain != said {
            let what = format!("what `{key}` shows of answers: {}", cited(said));
            self.lost.borrow_mut().push(Lost::new("the form", what).from(&text.span));
        }
        words(&plain, &text.span)
    }

    /// A text, or texts by language: `default` is that of plain texts. None where it is neither, or says nothing.
    pub(super) fn texts(&self, table: &Node, key: &str, at: &[String]) -> Option<Node> {
        let value = table.at(key)?;
        let shown = |text: &str, span: &Range<usize>| words(&(self.shown)(text, &self.known, at), span);
        if let Some(text) = value.text() {
            self.marks.take(table, key);
            return (!text.trim().is_empty()).then(|| shown(text, &value.span));
        }
        let first = self.langs.borrow().first().cloned().unwrap_or_default();
        let mut by_lang: Vec<Entry> = Vec::new();
        for entry in value.entries() {
            let lang = if entry.key == "default" { &first } else { &entry.key };
            let known = by_lang.iter().any(|known| known.key == *lang);
            let text = entry.node.text().filter(|_| names::is_language(lang) && !known);
            let Some(text) = text else { continue };
            self.marks.mark(entry);
            if !self.langs.borrow().contains(lang) {
                self.langs.borrow_mut().push(lang.clone());
            }
            by_lang.push(Entry { key: lang.clone(), span: entry.span.clone(), node: shown(text, &entry.node.span) });
        }
        if by_lang.is_empty() {
            return None;
        }
        self.marks.take(table, key);
        by_lang.sort_by_key(|entry| entry.key != first);
        match by_lang.as_slice() {
            [only] if only.key == first => Some(only.node.clone()),
            _ => Some(Node { span: value.span.clone(), data: Data::Map(by_lang) }),
        }
    }
}

/// What the id of a question is made of that has only a title: its first words.
pub(super) fn base_of(title: &str) -> String {
    const LONGEST: usize = 40;
    let slug = names::slug(title).replace('-', "_");
    match slug.char_indices().nth(LONGEST).and_then(|(end, _)| slug.get(..end)) {
        Some(first) => first.rsplit_once('_').map_or(first, |(words, _)| words).to_owned(),
        None => slug,
    }
}

/// Whether a value is a number of JSON.
pub(super) fn is_number(value: &Node) -> bool {
    matches!(value.data, Data::Number(_))
}

/// Whether it is a number above nought.
pub(super) fn is_some(value: &Node) -> bool {
    is_number(value) && value.number::<u64>() != Some(0)
}

/// Whether it is a word or number.
pub(super) fn is_plain(value: &Node) -> bool {
    matches!(value.data, Data::Number(_) | Data::Text(_))
}

/// A text without the tags of HTML; tells whether it had some.
pub(super) fn without_tags(html: &str) -> (String, bool) {
    let (mut out, mut rest, mut some) = (String::new(), html, false);
    let last = html.rfind('>').map_or(usize::MAX, |at| html.len() - at);
    while let Some((before, after)) = rest.split_once('<') {
        out.push_str(before);
        let is_tag = after.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!'));
        let tag = if is_tag && after.len() >= last { after.split_once('>') } else { None };
        match tag {
            Some((tag, after)) => {
                some = true;
                let name = tag.trim_matches('/').split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
                if matches!(name, "br" | "p" | "div" | "li" | "tr" | "h1" | "h2" | "h3" | "h4") && !out.ends_with('\n')
                {
                    out.push('\n');
                }
                rest = after;
            }
            None => {
                out.push('<');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    for (coded, plain) in
        [("&nbsp;", " "), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
    {
        out = out.replace(coded, plain);
    }
    (out.trim().to_owned(), some)
}

/// Why a text lost its tags.
pub(super) fn untagged(key: &str, html: &str) -> String {
    format!("the tags of `{key}`: {}", cited(html))
}
