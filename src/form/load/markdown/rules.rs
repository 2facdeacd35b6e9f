//! When a field is shown and needed, and what must hold of its answer: code as it stands, words where they are a phrase.

pub(super) mod condition;
mod depends;
pub(super) mod limits;
pub(super) mod logic;

use std::ops::Range;

use self::condition::Known;
use self::limits::Limit;
use self::logic::Sentence;
use super::cells;
use super::entries::{Entries, words as text};
use super::field::{Making, Needed};
use super::gather::{Said, Value};
use super::outline::Cell;
use crate::lower::label_of;
use crate::node::{Data, Node};

impl Making<'_> {
    pub(super) fn visible(&mut self, said: &Said) {
        let Some(cell) = said.value.cell() else {
            if let Value::Node(node) = &said.value {
                let code = condition::listed(node, self.around.known);
                self.show(code, &node.span, "these conditions");
            }
            return;
        };
        if cell.text().to_lowercase().starts_with("always") {
            return;
        }
        let code = self.code(&cell, said);
        self.show(code.map(|(code, _)| code), &cells::text(&cell).span, &cell.text());
    }

    pub(super) fn show(&mut self, code: Option<String>, span: &Range<usize>, sentence: &str) {
        match code {
            Some(code) => self.shown = Some(text(code, span.clone())),
            None => {
                let id = &self.known.id;
                self.prose_logic(span, format!("this is not code: `{id}` does not follow it"), sentence);
            }
        }
    }

    /// A condition as code, and whether it was written as such.
    pub(super) fn code(&self, cell: &Cell, said: &Said) -> Option<(String, bool)> {
        let words = cell.text();
        let translated = condition::condition(&words, self.around.known);
        let ours = matches!(said.value, Value::Node(_)) && matches!(said.name.as_str(), "show_when" | "required_when");
        match cell.code() {
            // Code stands as it is, but for days counted as FormPilot does, which are no code anywhere.
            Some((code, _)) if !code.ends_with(" days") => Some((code.clone(), true)),
            None if ours => Some((words, true)),
            _ => translated.map(|code| (code, false)),
        }
    }

    pub(super) fn needed(&mut self, told: &Said) {
        let Some(cell) = told.value.cell() else { return };
        let (words, small) = (cell.text(), cell.text().to_lowercase());
        let said: Vec<&str> = small.split(|c: char| !c.is_alphanumeric() && !matches!(c, '✓' | '✔')).collect();
        let says = |all: &[&str]| said.iter().skip(1).any(|word| all.contains(word));
        let sometimes = |word: &&str| {
            matches!(*word, "only" | "if" | "when" | "unless" | "except" | "but") || word.starts_with("conditional")
        };
        let sometimes = said.iter().any(sometimes);
        let span = cells::text(&cell).span;
        match said.first().copied().unwrap_or_default() {
            no @ ("no" | "false" | "optional") => {
                self.needed = Needed::Said(false, span.clone());
                // What is behind it says when it is needed after all, or when it is shown at all.
                let rest = words.get(no.len()..).unwrap_or_default();
                let rest = rest.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '`');
                let needs = says(&["required", "mandatory", "needed"]);
                match (sometimes, needs, says(&["shown", "asked", "visible"])) {
                    (false, ..) => {}
                    (true, true, false) => self.needed = Needed::Sometimes(Cell::of(rest, span)),
                    (true, false, true) => self.show(condition::condition(rest, self.around.known), &span, &words),
                    (true, ..) => {
                        let message = format!("this is not code: `{}` is never needed", self.known.id);
                        self.prose_logic(&span, message, &words);
                    }
                }
            }
            _ if sometimes => self.needed = Needed::Sometimes(cell),
            "yes" | "true" | "required" | "mandatory" | "✓" | "✔" => self.needed = Needed::Said(true, span),
            _ => self.put("required", None, told.at.clone(), cells::text(&cell)),
        }
    }

    pub(super) fn needed_when(&mut self, said: &Said) {
        let Some(cell) = said.value.cell() else { return };
        let span = cells::text(&cell).span;
        match self.code(&cell, said) {
            Some((code, _)) => self.needed = Needed::When(text(code, span)),
            None => {
                let message = format!("this is not code: `{}` is always needed", self.known.id);
                self.prose_logic(&span, message, &cell.text());
            }
        }
    }

    /// The field that must be answered before goes without saying; a condition does not.
    pub(super) fn depends_on(&mut self, said: &Said) {
        let Some(cell) = said.value.cell() else { return };
        let (words, known) = (cell.text(), self.around.known);
        let names_one = condition::mention(&words, known).is_some_and(|(_, rest)| rest.trim().is_empty());
        if !names_one && condition::condition(&words, known).is_some() {
            let message = format!("this is not code: `{}` does not follow it", self.known.id);
            self.prose_logic(&cells::text(&cell).span, message, &words);
        }
        self.goes_with(&words, &cells::text(&cell).span);
    }

    pub(super) fn constraints(&mut self, said: &Said) {
        let Some(cell) = said.value.cell() else { return };
        for (sentence, limit) in limits::limits(&cell.text(), &self.known, self.around.known) {
            self.limit(&sentence, limit, &cells::text(&cell).span);
        }
    }

    pub(super) fn limit(&mut self, sentence: &str, limit: Option<Limit>, span: &Range<usize>) {
        let sentence = sentence.trim();
        match limit {
            Some(Limit::Key(key, value)) => self.out.put_default(key, text(value, span.clone())),
            Some(Limit::Letters(scripts)) => {
                let scripts = scripts.into_iter().map(|script| text(script, span.clone())).collect();
                self.out.put_default("letters", Node { span: span.clone(), data: Data::List(scripts) });
            }
            Some(Limit::Check(code)) => {
                let mut check = Entries::default();
                check.put_default("that", text(code, span.clone()));
                let told = with_labels(sentence.trim_end_matches('.'), self.around.known);
                check.put_default("else", text(format!("{told}."), span.clone()));
                self.checks.push(check);
            }
            None if self.judged(sentence, span) => {}
            None => self.prose_logic(span, format!("this is not code: nothing checks \"{sentence}\""), sentence),
        }
    }

    pub(super) fn check(&mut self, said: &Said) {
        let cell = match &said.value {
            Value::Cell(cell) => cell,
            Value::Node(node) => return self.put("check", None, said.at.clone(), node.clone()),
        };
        let span = cells::text(cell).span;
        let mut check = Entries::default();
        match cell.code() {
            Some((code, _)) if self.around.tools.contains(code) => check.put_default("tool", text(code.clone(), span)),
            Some((code, _)) => check.put_default("that", text(code.clone(), span)),
            None => {
                for (sentence, limit) in limits::limits(&cell.text(), &self.known, self.around.known) {
                    match limit {
                        Some(Limit::Check(code)) => check.put_default("that", text(code, span.clone())),
                        other => self.limit(&sentence, other, &span),
                    }
                }
            }
        }
        self.checks.push(check);
    }

    pub(super) fn otherwise(&mut self, language: Option<String>, said: &Said) {
        let Value::Cell(cell) = &said.value else { return self.unknown(said) };
        match self.checks.last_mut() {
            Some(check) => check.put("else", language, said.at.clone(), cells::text(cell), self.problems),
            None => self.unknown(said),
        }
    }

    pub(super) fn prose_logic(&mut self, span: &Range<usize>, message: String, sentence: &str) {
        self.problems.push(self::logic::problem(span, message, sentence, self.around.known));
        self.advice.push((sentence.to_owned(), span.clone()));
    }

    /// What the section on logic says of this field.
    pub(super) fn logic(&mut self, sentence: &Sentence) {
        let own = self.shown.as_ref().and_then(Node::text);
        let id = &self.known.id;
        let message = match (&sentence.code, own) {
            (Some(code), _) if !sentence.shows => match &self.needed {
                // It is needed whenever it is shown.
                Needed::Said(true, _) if own == Some(code) => return,
                // A sentence does not loosen what the field itself says.
                Needed::Said(true, _) => format!("`{id}` is always needed, and this says only if `{code}`"),
                Needed::When(node) => match node.text() {
                    Some(needed) if needed != code && !sentence.quotes.iter().any(|quote| quote == needed) => {
                        format!("`{id}` is needed when `{needed}`, and this says `{code}`")
                    }
                    _ => return,
                },
                Needed::Unsaid | Needed::Said(false, _) | Needed::Sometimes(_) => {
                    self.needed = Needed::When(text(code.clone(), sentence.span.clone()));
                    return;
                }
            },
            (Some(code), Some(own)) if code == own => return,
            // It says in words what stands in code beside it.
            (_, Some(own)) if sentence.quotes.iter().any(|quote| quote == own) => return,
            (Some(code), None) => {
                self.shown = Some(text(code.clone(), sentence.span.clone()));
                return;
            }
            (Some(code), Some(own)) => format!("`{id}` follows `{own}`, and this says `{code}`"),
            (None, _) => format!("this is not code: `{id}` does not follow it"),
        };
        self.prose_logic(&sentence.span, message, &sentence.words);
    }

    pub(super) fn required(&mut self) {
        let shown = self.shown.as_ref().and_then(Node::text).map(str::to_owned);
        match std::mem::replace(&mut self.needed, Needed::Unsaid) {
            Needed::Unsaid => {}
            Needed::Said(truth, span) => {
                self.out.put_default("required", Node { span, data: Data::Bool(truth) });
            }
            Needed::When(node) if node.text() == shown.as_deref() => {}
            Needed::When(node) => self.out.put_default("required_when", node),
            Needed::Sometimes(cell) => {
                let span = cells::text(&cell).span;
                let code = condition::condition(&cell.text(), self.around.known);
                match code {
                    Some(code) if Some(code.as_str()) == shown.as_deref() => {}
                    Some(code) => self.out.put_default("required_when", text(code, span)),
                    // Needed whenever it is shown.
                    None if shown.is_some() => {}
                    None => {
                        let message = format!("this is not code: `{}` is never needed", self.known.id);
                        self.prose_logic(&span, message, &cell.text());
                        self.out.put_default("required", Node { span, data: Data::Bool(false) });
                    }
                }
            }
        }
    }
}

/// A sentence for people: names of fields that are no words are given by their labels.
fn with_labels(sentence: &str, known: &[Known]) -> String {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut told = String::new();
    let mut rest = sentence;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c| is_name(c) != is_name(first)).unwrap_or(rest.len());
        let (part, after) = rest.split_at(end);
        let is_code = part.contains('_') || part.chars().skip(1).any(char::is_uppercase);
        match known.iter().find(|field| is_code && field.id == part) {
            Some(field) if field.label.is_empty() => told.push_str(&format!("“{}”", label_of(&field.id))),
            Some(field) => told.push_str(&format!("“{}”", field.label)),
            None => told.push_str(part),
        }
        rest = after;
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_names_fields_as_people_do() {
        let field = |id: &str, label: &str| Known {
            id: id.to_owned(),
            label: label.to_owned(),
            kind: "date".to_owned(),
            options: Vec::new(),
        };
        let known = [
            field("sick_day", "First day ill"),
            field("damageDate", "Day of damage"),
            field("start", "Start"),
            field("first_day", ""),
        ];
        let told = |sentence| with_labels(sentence, &known);
        assert_eq!(told("Min date: sick_day"), "Min date: “First day ill”");
        assert_eq!(told("not before the damageDate, or start"), "not before the “Day of damage”, or start");
        assert_eq!(told("after sick_days"), "after sick_days");
        assert_eq!(told("on or after first_day"), "on or after “First day”", "no label was written");
    }
}
