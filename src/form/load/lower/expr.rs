//! Expressions and templates.

use std::ops::Range;

use formwright_form::Text;
use formwright_form::field::FieldNo;
use formwright_form::logic::{Expr, Fault, FaultKind, Names, Scope};
use formwright_form::messages::FACTS;
use formwright_form::problem::Problem;
use formwright_values::FieldId;

use super::flat::Flat;
use super::lowering::Lower;
use crate::node::{Data, Node};

impl Lower<'_> {
    /// A condition at a field.
    pub(super) fn condition(&mut self, node: Option<&Node>, flat: &Flat<'_>) -> Option<Expr> {
        self.expr(node?, Some(flat.no), &[])
    }

    /// A condition on a field's answer.
    pub(super) fn check_condition(&mut self, node: Option<&Node>, flat: &Flat<'_>) -> Option<Expr> {
        self.expr(node?, Some(flat.no), &["value"])
    }

    /// A value worked out at a field.
    pub(super) fn worked_out(&mut self, node: Option<&Node>, flat: &Flat<'_>) -> Option<Expr> {
        self.expr(node?, Some(flat.no), &[])
    }

    /// An expression at the top of the form, with further variables.
    pub(super) fn top(&mut self, node: Option<&Node>, extra: &[&str]) -> Option<Expr> {
        self.expr(node?, None, extra)
    }

    /// A condition on a tool's row, which sees the row and the tool's parameters but no field: fields come as parameters.
    pub(super) fn row_condition(&mut self, node: Option<&Node>, given: &[&str]) -> Option<Expr> {
        let fields = std::mem::take(&mut self.names);
        let expr = node.and_then(|node| self.expr(node, None, given));
        self.names = fields;
        expr
    }

    fn expr(&mut self, node: &Node, at: Option<FieldNo>, extra: &[&str]) -> Option<Expr> {
        let source = match &node.data {
            Data::Text(text) | Data::Number(text) => text.clone(),
            Data::Bool(truth) => truth.to_string(),
            Data::Null | Data::Moment(_) | Data::List(_) | Data::Map(_) => return None,
        };
        let scope = scope(&self.names, at).with(extra).counting(&self.patterns);
        match Expr::compile(&source, &scope) {
            Ok(expr) => Some(expr),
            Err(faults) => {
                for fault in faults {
                    self.fault(node, fault, logic_code);
                }
                None
            }
        }
    }

    /// Reports what is wrong with the templates of a text. `parts` are its languages with where each stands.
    pub(super) fn template(&mut self, text: &Text, parts: &[(String, &Node)]) {
        if !text.by_lang.values().any(|text| text.contains('{')) {
            return;
        }
        let names = scope(&self.names, self.at).visible();
        let facts = if self.at.is_none() { FACTS } else { &[] };
        let shown = std::mem::take(&mut self.shown);
        let names: Vec<&str> =
            names.into_iter().chain(facts.iter().copied()).chain(shown.iter().map(String::as_str)).collect();
        let single: Vec<(&Node, Range<usize>)> =
            parts.iter().filter_map(|(_, node)| Some((*node, single_braces(node.text()?, &names)?))).collect();
        let faults = text.check(&names);
        for (node, place) in single {
            let span = self.inside(node, &place);
            let name = node.text().and_then(|text| text.get(place)).unwrap_or_default();
            let message = format!("`{name}` is shown as it stands here");
            let help = format!("write `{{{name}}}` to show the answer");
            self.warn(&span, "text::single_braces", message, "not replaced", &help);
        }
        for (language, fault) in faults {
            if let Some((_, node)) = parts.iter().find(|(of, _)| *of == language) {
                self.fault(node, fault, text_code);
            }
        }
    }

    /// Warns of answers in a text that stands for one of the program's own: it is told facts, and no answers.
    pub(super) fn warn_of_answers(&mut self, node: &Node, text: &Text) {
        let visible = scope(&self.names, None).visible();
        let unseen = text.variables().into_iter().filter(|name| !FACTS.contains(&name.as_str()));
        let unseen: Vec<String> = unseen.filter(|name| visible.contains(&name.as_str())).collect();
        for name in unseen {
            let message = format!("`{{{{ {name} }}}}` shows as \"…\" here: messages know no answers");
            let help =
                "take it out, or say it in a text of the form (`greeting`, `ask`, `help`) or of a tool (`answer`)";
            self.warn(&node.span, "text::no_answer", message, "in this message", help);
        }
    }

    /// Reports a fault of an expression or template where it stands in the file.
    pub(super) fn fault(&mut self, node: &Node, fault: Fault, code: fn(FaultKind) -> &'static str) {
        let span = self.inside(node, &fault.span);
        let code = code(fault.kind);
        let problem = Problem::error(code, fault.message).at(span, "here");
        self.problems.push(problem.help(fault.help.unwrap_or_else(|| advice(code).to_owned())));
    }

    /// Where a part of a text stands in the file; the whole text where it is written with escapes.
    pub(super) fn inside(&self, node: &Node, part: &Range<usize>) -> Range<usize> {
        let raw = self.source.get(node.span.clone()).unwrap_or_default();
        match node.text().and_then(|text| raw.find(text)) {
            Some(at) => node.span.start + at + part.start..node.span.start + at + part.end,
            None => node.span.clone(),
        }
    }
}

/// Where a text has a known name in braces that are not doubled, and so is not replaced: `{name}`.
fn single_braces(text: &str, names: &[&str]) -> Option<Range<usize>> {
    text.match_indices('{').find_map(|(open, _)| {
        let inner = text.get(open + 1..)?.split_once('}')?.0;
        let range = open..open + inner.len() + 2;
        let doubled = text.get(..open)?.ends_with('{') || text.get(range.end..)?.starts_with('}');
        (!doubled && names.contains(&inner.trim())).then_some(range)
    })
}

/// What to change where the fault itself does not say.
fn advice(code: &str) -> &'static str {
    match code {
        "logic::unknown_name" => {
            "write the id of a field of this form; text to compare with stands in quotes: `'large'`"
        }
        "logic::result" => "conditions compare (`size > 3`); worked-out values have the field's own kind",
        "logic::type" => "compare a value with its like: text with `'text'`, numbers with `3`, yes or no with `true`",
        "text::unsupported" => "put the value into a computed field and show that",
        "text::unknown_name" => "write the id of a field of this form; forms/README.md lists the filters",
        "text::too_large" => "make it shorter, or leave out the braces",
        _ if code.starts_with("text::") => {
            "texts show answers as `{{ name }}`, and close `{% if name %}` with `{% endif %}`"
        }
        _ => "conditions look like `size > 3 && coming`; forms/README.md lists the functions",
    }
}

fn scope(names: &Names, at: Option<FieldNo>) -> Scope<'_> {
    let scope = Scope::form(names);
    match at {
        Some(field) => scope.at(field),
        None => scope,
    }
}

/// The fields' names, for expressions.
pub(super) fn names(flats: &[Flat<'_>]) -> Names {
    use formwright_form::logic::Shape;
    let shape = |kind| match kind {
        Some("group") => Shape::Group,
        Some("list") => Shape::List,
        _ => Shape::Leaf,
    };
    Names::new(flats.iter().map(|flat| (flat.parent, FieldId::new(flat.id), shape(flat.kind))))
}

pub(super) fn logic_code(kind: FaultKind) -> &'static str {
    match kind {
        FaultKind::Syntax => "logic::syntax",
        FaultKind::TooLarge => "logic::too_large",
        FaultKind::UnknownName => "logic::unknown_name",
        FaultKind::Arguments => "logic::arguments",
        FaultKind::Unsupported => "logic::unsupported",
        FaultKind::Type => "logic::type",
        FaultKind::Result => "logic::result",
    }
}

fn text_code(kind: FaultKind) -> &'static str {
    match kind {
        FaultKind::Syntax | FaultKind::Arguments | FaultKind::Type | FaultKind::Result => "text::syntax",
        FaultKind::TooLarge => "text::too_large",
        FaultKind::UnknownName => "text::unknown_name",
        FaultKind::Unsupported => "text::unsupported",
    }
}
