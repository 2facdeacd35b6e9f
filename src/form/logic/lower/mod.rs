//! From the syntax tree to the compiled form: names become fields, calls become functions.

mod call;

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use cel::common::ast::{EntryExpr, Expr as Cel, IdedExpr, LiteralValue, SelectExpr};
use formwright_values::{Path, Seg};
use rust_decimal::Decimal;
use rust_decimal::prelude::FromPrimitive as _;

use super::datum::Datum;
use super::fault::{Fault, FaultKind, nearest};
use super::node::{Node, Op, Read, ReadPath, ReadTree, Step};
use super::parse::Places;
use super::scope::{Scope, Shape};
use crate::field_no::FieldNo;

/// Greatest depth of an expression: a stack of this depth fits everywhere.
const MAX_DEPTH: usize = 64;

/// Compiles a syntax tree; all faults are collected in `faults`.
pub(super) struct Lowering<'a> {
    pub(super) scope: Scope<'a>,
    pub(super) places: Places<'a>,
    pub(super) faults: Vec<Fault>,
    pub(super) reads: BTreeSet<FieldNo>,
    locals: Vec<(String, Meaning)>,
    depth: usize,
}

/// What is known of a part before it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    /// Nothing.
    Any,
    /// A field where it stands.
    Field(FieldNo),
    /// A value of that field's type: a member of an item.
    Like(FieldNo),
    /// An item of this list.
    ItemOf(FieldNo),
}

/// Whether a whole group or list is looked at, or only a part that the caller names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    Whole,
    Part,
}

impl<'a> Lowering<'a> {
    pub(super) fn new(scope: Scope<'a>, places: Places<'a>) -> Self {
        Self { scope, places, faults: Vec::new(), reads: BTreeSet::new(), locals: Vec::new(), depth: 0 }
    }

    /// Compiles the whole expression.
    pub(super) fn whole(&mut self, expr: &IdedExpr) -> Node {
        self.lower(expr, Use::Whole).0
    }

    fn value(&mut self, expr: &IdedExpr) -> Node {
        self.lower(expr, Use::Whole).0
    }

    fn boxed(&mut self, expr: &IdedExpr) -> Box<Node> {
        Box::new(self.value(expr))
    }

    fn lower(&mut self, expr: &IdedExpr, used: Use) -> (Node, Meaning) {
        let span = self.places.span(expr.id);
        if self.depth >= MAX_DEPTH {
            if !self.faults.iter().any(|fault| fault.kind == FaultKind::TooLarge) {
                let fault = Fault::new(FaultKind::TooLarge, "the expression is nested too deeply", span.clone());
                self.faults.push(fault.help("split it into computed fields"));
            }
            return (node(Op::Literal(Datum::Null), &span), Meaning::Any);
        }
        self.depth += 1;
        let (op, meaning) = match &expr.expr {
            Cel::Literal(literal) => (self.literal(literal, &span), Meaning::Any),
            Cel::Ident(name) => self.name(name, &span),
            Cel::Select(select) => self.select(select, &span),
            Cel::Call(call) => self.call(call, &span, used),
            Cel::List(list) => {
                (Op::List(list.elements.iter().map(|element| self.value(element)).collect()), Meaning::Any)
            }
            Cel::Map(map) => {
                let mut entries = Vec::new();
                for entry in &map.entries {
                    if let EntryExpr::MapEntry(entry) = &entry.expr {
                        entries.push((self.value(&entry.key), self.value(&entry.value)));
                    }
                }
                (Op::Map(entries), Meaning::Any)
            }
            Cel::Struct(_) => (self.unsupported("objects with a type", &span), Meaning::Any),
            Cel::Comprehension(_) | Cel::Unspecified => (self.unsupported("this", &span), Meaning::Any),
        };
        self.depth -= 1;
        if used == Use::Whole {
            self.read_whole(meaning);
        }
        let span = match &expr.expr {
            Cel::Call(call) if !call.func_name.contains(['_', '@']) => self.call_span(&call.func_name, &span),
            _ => span,
        };
        (node(op, &span), meaning)
    }

    /// For what is asked of a list by its number of items, and of a group by its members.
    fn whole_group(&mut self, expr: &IdedExpr) -> Node {
        let (node, meaning) = self.lower(expr, Use::Part);
        match meaning {
            Meaning::Field(no) | Meaning::Like(no) if self.scope.names.shape(no) == Shape::Group => {
                self.read_whole(meaning);
            }
            Meaning::ItemOf(_) => self.read_whole(meaning),
            Meaning::Field(_) | Meaning::Like(_) | Meaning::Any => {}
        }
        node
    }

    fn read_whole(&mut self, meaning: Meaning) {
        let whole = match meaning {
            Meaning::Field(no) | Meaning::Like(no) if self.scope.names.shape(no) != Shape::Leaf => no,
            Meaning::ItemOf(list) => list,
            Meaning::Any | Meaning::Field(_) | Meaning::Like(_) => return,
        };
        let mut within = Vec::new();
        self.scope.names.within(whole, &mut within);
        self.reads.extend(within);
    }

    fn fault(&mut self, fault: Fault) -> Op {
        self.faults.push(fault);
        Op::Literal(Datum::Null)
    }

    fn unsupported(&mut self, what: &str, span: &Range<usize>) -> Op {
        self.fault(Fault::new(FaultKind::Unsupported, format!("forms do not have {what}"), span.clone()))
    }

    fn literal(&mut self, literal: &LiteralValue, span: &Range<usize>) -> Op {
        Op::Literal(match literal {
            LiteralValue::Boolean(b) => Datum::Bool(*b.inner()),
            LiteralValue::Int(n) => Datum::Int(*n.inner()),
            LiteralValue::UInt(n) => match i64::try_from(*n.inner()) {
                Ok(n) => Datum::Int(n),
                Err(_) => return self.too_large(span),
            },
            LiteralValue::Double(n) => match Decimal::from_f64(*n.inner()) {
                Some(n) => Datum::Number(n),
                None => return self.too_large(span),
            },
            LiteralValue::String(text) => Datum::text(text.inner()),
            LiteralValue::Null => Datum::Null,
            LiteralValue::Bytes(_) => return self.unsupported("bytes", span),
        })
    }

    fn too_large(&mut self, span: &Range<usize>) -> Op {
        self.fault(
            Fault::new(FaultKind::Unsupported, "this number is too large", span.clone()).help("write a smaller one"),
        )
    }

    fn name(&mut self, name: &str, span: &Range<usize>) -> (Op, Meaning) {
        let bare = name.strip_prefix('.').unwrap_or(name);
        if let Some(slot) = self.locals.iter().rposition(|(local, _)| local == bare) {
            let meaning = self.locals.get(slot).map_or(Meaning::Any, |(_, meaning)| *meaning);
            return (Op::Local(slot), meaning);
        }
        if self.scope.extra.contains(&bare) {
            return (Op::Extra(bare.into()), Meaning::Any);
        }
        if let Some(no) = self.scope.field(bare) {
            if Some(no) == self.scope.at && self.scope.extra.contains(&"value") {
                return (Op::Extra("value".into()), Meaning::Any);
            }
            return (self.read(no), Meaning::Field(no));
        }
        match bare {
            "today" => return (Op::Today, Meaning::Any),
            "now" => return (Op::Now, Meaning::Any),
            _ => {}
        }
        let fault = Fault::new(FaultKind::UnknownName, format!("there is no field `{bare}` here"), span.clone());
        let fault = match self.scope.elsewhere(bare) {
            Some(help) => fault.help(help),
            None => match (bare, nearest(bare, self.scope.visible().into_iter())) {
                ("True" | "TRUE" | "yes" | "Yes", _) => fault.help("write `true`"),
                ("False" | "FALSE" | "no" | "No", _) => fault.help("write `false`"),
                ("None" | "nil" | "undefined" | "NULL" | "Null", _) => {
                    fault.help("write `!answered(field)` for an answer that is missing")
                }
                (_, Some(near)) => fault.help(format!("did you mean `{near}`?")),
                _ => fault.help(format!("if it is text to compare with, write it in quotes: `'{bare}'`")),
            },
        };
        (self.fault(fault), Meaning::Any)
    }

    /// Reads a field that lies beside the expression or further out, or in a group there.
    fn read(&mut self, no: FieldNo) -> Op {
        let names = self.scope.names;
        // Of a group, only the members that are named are read.
        if names.shape(no) != Shape::Group {
            self.reads.insert(no);
        }
        let mut chain = vec![no];
        while let Some(parent) = chain.last().and_then(|no| names.parent(*no)) {
            chain.push(parent);
        }
        let mut steps = Vec::new();
        let mut in_list: Option<FieldNo> = None;
        for no in chain.into_iter().rev() {
            let plain = in_list.is_some_and(|list| {
                steps.push(Step::SameItem(steps.len()));
                names.plain_item(list) == Some(no)
            });
            if let Some(id) = names.id(no).filter(|_| !plain) {
                steps.push(Step::Field(id.clone()));
            }
            in_list = (names.shape(no) == Shape::List).then_some(no);
        }
        let fixed: Option<Vec<Seg>> = steps
            .iter()
            .map(|step| match step {
                Step::Field(id) => Some(Seg::Field(id.clone())),
                Step::SameItem(_) => None,
            })
            .collect();
        let path = fixed.map_or(ReadPath::Near(steps), |segs| ReadPath::Fixed(Path::from_segs(segs)));
        Op::Read(Box::new(Read { path, tree: Arc::new(self.tree(no)) }))
    }

    fn tree(&self, no: FieldNo) -> ReadTree {
        let names = self.scope.names;
        let members = |no| {
            let members = names.members(Some(no)).iter();
            ReadTree::Group(members.filter_map(|no| Some((names.id(*no)?.clone(), self.tree(*no)))).collect())
        };
        match names.shape(no) {
            Shape::Leaf => ReadTree::Leaf,
            Shape::Group => members(no),
            Shape::List => ReadTree::List(Box::new(match names.plain_item(no) {
                Some(item) => self.tree(item),
                None => members(no),
            })),
        }
    }

    fn select(&mut self, select: &SelectExpr, span: &Range<usize>) -> (Op, Meaning) {
        let (operand, meaning) = self.lower(&select.operand, Use::Part);
        let span = self.member_span(span, &select.field);
        let names = self.scope.names;
        let owner = match meaning {
            Meaning::ItemOf(list) if names.plain_item(list).is_none() => list,
            Meaning::Field(no) | Meaning::Like(no) if names.shape(no) == Shape::Group => no,
            Meaning::Field(no) | Meaning::Like(no) if names.shape(no) == Shape::List => {
                let list = names.id(no).map_or("", |id| id.as_str());
                let fault =
                    Fault::new(FaultKind::Type, format!("`{list}` is a list, which has no members"), span).help(
                        format!("write `{list}.map(x, x.{0})`, `{list}.exists(x, …)` or `{list}[0].{0}`", select.field),
                    );
                return (self.fault(fault), Meaning::Any);
            }
            Meaning::ItemOf(_) | Meaning::Field(_) | Meaning::Like(_) | Meaning::Any => {
                return (Op::Select(Box::new(operand), select.field.as_str().into()), Meaning::Any);
            }
        };
        let Some(member) = names.member(Some(owner), &select.field) else {
            let owner_id = names.id(owner).map_or("", |id| id.as_str());
            let message = format!("`{owner_id}` has no field `{}`", select.field);
            let fault = Fault::new(FaultKind::UnknownName, message, span);
            let fault = fault.did_you_mean(&select.field, names.member_ids(Some(owner)));
            return (self.fault(fault), Meaning::Any);
        };
        if matches!(meaning, Meaning::Field(_)) {
            return (self.read(member), Meaning::Field(member));
        }
        self.reads.insert(member);
        (Op::Select(Box::new(operand), select.field.as_str().into()), Meaning::Like(member))
    }

    /// The parser gives the dot's place; the member's name follows.
    fn member_span(&self, dot: &Range<usize>, field: &str) -> Range<usize> {
        let rest = self.places.source.get(dot.start..).unwrap_or("");
        rest.find(field).map_or_else(|| dot.clone(), |at| dot.start + at..dot.start + at + field.len())
    }
}

fn node(op: Op, span: &Range<usize>) -> Node {
    let at = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    Node { op, span: (at(span.start), at(span.end)) }
}
