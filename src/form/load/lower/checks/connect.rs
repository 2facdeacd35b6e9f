//! What follows from what: cycles, and expressions tried on sample answers.

use formwright_form::field::{AnswerSource, Field, Required};
use formwright_form::logic::{Cycle, Expr, Graph, Samples, Want};
use formwright_form::problem::{Problem, has_errors};
use formwright_form::{Form, Kind};
use formwright_values::Path;

use crate::lower::expr::logic_code;
use crate::lower::flat::Flat;
use crate::lower::lowering::Lower;
use crate::node::Node;

/// An expression with where it stands and what it must give.
type Tried<'f, 'n> = (&'n Node, &'f Expr, Option<&'f Field>, Want<'f>);

impl Lower<'_> {
    /// Finds which field follows from which, and reports cycles and expressions that go wrong on sample answers.
    pub(crate) fn connect(&mut self, root: &Node, form: &mut Form, flats: &[Flat<'_>]) {
        let (graph, cycles) = Graph::build(&form.fields, &form.pages, &form.tools);
        form.graph = graph;
        for cycle in &cycles {
            self.cycle(cycle, form, flats);
        }
        let mut tried: Vec<Tried<'_, '_>> = Vec::new();
        for (field, flat) in form.fields.iter().zip(flats) {
            of_field(field, flat, &mut tried);
        }
        let pages = root.at("page").or_else(|| root.at("pages")).map(Node::items).unwrap_or_default();
        for (page, node) in form.pages.iter().zip(pages) {
            tried.extend(page.show_when.iter().zip(node.at("show_when")).map(|(e, n)| (n, e, None, Want::Condition)));
        }
        for node in root.at("tool").or_else(|| root.at("tools")).map(Node::items).unwrap_or_default() {
            let id = node.at("id").and_then(Node::text).unwrap_or_default();
            let tool = form.tools.iter().find(|(tool, _)| tool.as_str() == id).map(|(_, tool)| tool);
            for (name, expr) in tool.into_iter().flat_map(|tool| &tool.params) {
                tried.extend(
                    node.at("params").and_then(|params| params.at(name)).map(|n| (n, expr, None, Want::Anything)),
                );
            }
        }
        let (samples, all) = (Samples::new(&form.fields), Samples::whole(&form.fields));
        for (node, expr, field, want) in tried {
            let faults = samples.check(expr, field.map(|field| field.no), want);
            if faults.is_empty() {
                self.constant(node, expr, want, &all);
            }
            for fault in faults {
                self.fault(node, fault, logic_code);
            }
        }
    }

    /// Warns of values that nobody works out where an optional answer is left out.
    pub(crate) fn unguarded(&mut self, form: &Form, flats: &[Flat<'_>]) {
        if has_errors(&self.problems) {
            return;
        }
        let samples = Samples::new(&form.fields);
        let may_lack = |field: &&Field| {
            let asked = !matches!(field.kind, Kind::Note(_) | Kind::Hidden(_) | Kind::List(_) | Kind::Group(_));
            let optional = !matches!(field.required, Required::Yes) || field.show_when.is_some();
            asked && optional && matches!(field.source, AnswerSource::Person)
        };
        let optional: Vec<_> = form.fields.iter().filter(may_lack).map(|field| field.no).collect();
        for (field, flat) in form.fields.iter().zip(flats).filter(|(field, _)| field.show_when.is_none()) {
            let (AnswerSource::Computed(expr), Some(node)) = (&field.source, flat.at("value")) else { continue };
            let Some(needed) = samples.needs(expr, field.no, &optional).and_then(|no| form.field(no)) else { continue };
            let message = format!("`{}` stays empty where `{}` has no answer", field.id, needed.id);
            let help = format!("say what it is then: `answered({0}) ? … {0} … : 0`", needed.id);
            self.warn(&node.span, "logic::may_be_missing", message, "reads an answer that may be left out", &help);
        }
    }

    fn cycle(&mut self, cycle: &Cycle, form: &Form, flats: &[Flat<'_>]) {
        let id_of = |no: &formwright_form::field::FieldNo| form.field(*no).map_or("", |field| field.id.as_str());
        let mut names: Vec<String> = cycle.0.iter().map(|no| format!("`{}`", id_of(no))).collect();
        names.extend(names.first().cloned());
        let message = match cycle.0.as_slice() {
            [only] => format!("field `{}` waits for itself", id_of(only)),
            _ => format!("these fields wait for each other: {}", names.join(" → ")),
        };
        let problem = Problem::error("logic::cycle", message);
        let problem = cycle.0.iter().filter_map(|no| flats.get(no.index())).fold(problem, |problem, flat| {
            let keys = ["show_when", "value", "default_from", "options_from"];
            let node = keys.into_iter().find_map(|key| flat.at(key));
            problem.at(node.map_or_else(|| flat.id_span(), |node| node.span.clone()), format!("of `{}`", flat.id))
        });
        self.problems.push(problem.help("let one of them read something else"));
    }

    /// Warns of a condition that gives the same whatever people answer.
    fn constant(&mut self, node: &Node, expr: &Expr, want: Want<'_>, all: &Samples<'_>) {
        let clock = ["today", "now", "value"].iter().any(|word| expr.source.contains(word));
        if !matches!(want, Want::Condition) || clock {
            return;
        }
        match all.always(expr) {
            Some(false) => {
                let help = "take the condition out, or what it belongs to";
                self.warn(&node.span, "form::never", "this never holds".to_owned(), "always false", help);
            }
            Some(true) => {
                let help = "take the condition out: it changes nothing";
                self.warn(&node.span, "form::always", "this always holds".to_owned(), "always true", help);
            }
            None => {}
        }
    }
}

/// No answers.
pub(crate) struct Nothing;

impl formwright_form::logic::Answers for Nothing {
    fn value(&self, _: &Path) -> Option<&formwright_values::Value> {
        None
    }

    fn list_len(&self, _: &Path) -> Option<u32> {
        None
    }
}

fn of_field<'f, 'n>(field: &'f Field, flat: &Flat<'n>, tried: &mut Vec<Tried<'f, 'n>>) {
    let mut add = |key: &str, expr: Option<&'f Expr>, want: Want<'f>| {
        tried.extend(flat.at(key).zip(expr).map(|(node, expr)| (node, expr, Some(field), want)));
    };
    add("show_when", field.show_when.as_ref(), Want::Condition);
    if let Required::When(expr) = &field.required {
        add("required_when", Some(expr), Want::Condition);
    }
    match &field.source {
        AnswerSource::DefaultFrom(expr) => add("default_from", Some(expr), Want::ValueOf(field, &field.kind)),
        AnswerSource::Computed(expr) => {
            let kind = if let Kind::Computed(computed) = &field.kind { &*computed.result } else { &field.kind };
            add("value", Some(expr), Want::ValueOf(field, kind));
        }
        AnswerSource::Person | AnswerSource::Default(_) | AnswerSource::FromTool { .. } | AnswerSource::Fixed(_) => {}
    }
    for that in flat.at("check").or_else(|| flat.at("checks")).map(Node::items).unwrap_or_default() {
        let Some(that) = that.at("that") else { continue };
        let mut exprs = field.checks.iter().filter_map(|check| check.that.expr());
        let expr = exprs.find(|expr| that.text() == Some(expr.source.as_str()));
        tried.extend(expr.map(|expr| (that, expr, Some(field), Want::Condition)));
    }
}
