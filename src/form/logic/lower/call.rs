//! Calls: operators, functions and loops.

use std::ops::Range;

use cel::common::ast::{CallExpr, Expr as Cel, IdedExpr, LiteralValue, operators};

use super::{Lowering, Meaning, Use};
use crate::logic::datum::Datum;
use crate::logic::eval::functions;
use crate::logic::eval::functions::Function;
use crate::logic::fault::{Fault, FaultKind, nearest};
use crate::logic::node::{Binary, Loop, LoopKind, Op};
use crate::logic::scope::Shape;
use crate::patterns::{NoPattern, Patterns};

/// Greatest depth of loops in loops.
const MAX_LOOPS: usize = 4;

impl Lowering<'_> {
    pub(super) fn call(&mut self, call: &CallExpr, span: &Range<usize>, used: Use) -> (Op, Meaning) {
        let name = call.func_name.as_str();
        if let Some(target) = &call.target {
            if let Some(kind) = loop_kind(name, call.args.len()) {
                return self.comprehension(kind, target, call, used);
            }
        } else if let [left, right] = call.args.as_slice() {
            if let Some(binary) = binary(name) {
                return (Op::Binary(binary, self.boxed(left), self.boxed(right)), Meaning::Any);
            }
            match name {
                operators::LOGICAL_AND => return (Op::And(self.boxed(left), self.boxed(right)), Meaning::Any),
                operators::LOGICAL_OR => return (Op::Or(self.boxed(left), self.boxed(right)), Meaning::Any),
                operators::INDEX => {
                    let (list, meaning) = self.lower(left, Use::Part);
                    let item = match meaning {
                        Meaning::Field(no) | Meaning::Like(no) if self.scope.names.shape(no) == Shape::List => {
                            self.scope.names.plain_item(no).map_or(Meaning::ItemOf(no), Meaning::Like)
                        }
                        Meaning::Any | Meaning::Field(_) | Meaning::Like(_) | Meaning::ItemOf(_) => {
                            self.read_whole(meaning);
                            Meaning::Any
                        }
                    };
                    if let Meaning::Like(no) = item {
                        self.reads.insert(no);
                    }
                    return (Op::Index(Box::new(list), self.boxed(right)), item);
                }
                _ => {}
            }
        }
        let args: Vec<&IdedExpr> = call.target.as_deref().into_iter().chain(&call.args).collect();
        let op = match (name, args.as_slice()) {
            (operators::LOGICAL_NOT, [one]) => Op::Not(self.boxed(one)),
            (operators::NEGATE, [one]) => Op::Negate(self.boxed(one)),
            (operators::CONDITIONAL, [condition, yes, no]) => {
                Op::If(self.boxed(condition), self.boxed(yes), self.boxed(no))
            }
            ("has" | "answered", [one]) => Op::Answered(Box::new(self.whole_group(one))),
            ("size", [one]) => Op::Call(Function::Size, vec![self.whole_group(one)]),
            ("currency", [one]) => self.currency(one, span),
            ("matches", [text, pattern]) => self.matches(text, pattern),
            _ => self.function(name, &args, span),
        };
        (op, Meaning::Any)
    }

    fn currency(&mut self, of: &IdedExpr, span: &Range<usize>) -> Op {
        let of = self.value(of);
        if matches!(of.op, Op::Read(_)) {
            return Op::Currency(Box::new(of));
        }
        self.fault(Fault::new(FaultKind::Arguments, "`currency` takes the name of a money field", span.clone()))
    }

    fn matches(&mut self, text: &IdedExpr, pattern: &IdedExpr) -> Op {
        let span = self.places.span(pattern.id);
        let Cel::Literal(LiteralValue::String(source)) = &pattern.expr else {
            let fault = Fault::new(FaultKind::Unsupported, "`matches` takes a pattern written out in quotes", span);
            return self.fault(fault);
        };
        let own = Patterns::default();
        match self.scope.patterns.unwrap_or(&own).get(source.inner()) {
            Ok(regex) => Op::Matches(self.boxed(text), regex),
            Err(many @ NoPattern::TooMany) => {
                self.fault(Fault::new(FaultKind::TooLarge, many.to_string(), span).help("make several forms of it"))
            }
            Err(NoPattern::Broken(error)) => {
                let reason = error.to_string();
                let reason = reason.lines().last().unwrap_or("").trim().trim_start_matches("error: ");
                self.fault(Fault::new(FaultKind::Syntax, format!("not a valid pattern: {reason}"), span))
            }
        }
    }

    fn function(&mut self, name: &str, args: &[&IdedExpr], span: &Range<usize>) -> Op {
        let Some(function) = functions::by_name(name) else {
            for arg in args {
                self.value(arg);
            }
            let message = format!("there is no function `{name}`");
            let span = self.call_span(name, span);
            let fault = Fault::new(FaultKind::UnknownName, message, span);
            let fault = match name {
                "today" | "now" => fault.help(format!("write `{name}` without brackets")),
                "len" | "length" | "count" => fault.help("write `size(…)`"),
                "isset" | "is_set" | "exists" | "defined" | "filled" => fault.help("write `answered(field)`"),
                "includes" | "has_item" => fault.help("write `'x' in list`, or `text.contains('x')`"),
                "toLowerCase" | "lowercase" | "lowerAscii" => fault.help("write `lower(text)`"),
                _ => match nearest(name, functions::names()) {
                    Some(near) => fault.help(format!("did you mean `{near}`?")),
                    None => fault.help("forms/README.md lists the functions"),
                },
            };
            return self.fault(fault);
        };
        let nodes = args.iter().map(|arg| self.value(arg)).collect();
        if !function.arity().contains(&args.len()) {
            let message = format!("`{name}` does not take {}", count(args.len()));
            let span = self.call_span(name, span);
            return self.fault(Fault::new(FaultKind::Arguments, message, span).help(function.usage()));
        }
        Op::Call(function, nodes)
    }

    /// The parser gives the bracket's place; the function's name stands before.
    pub(super) fn call_span(&self, name: &str, bracket: &Range<usize>) -> Range<usize> {
        let before = self.places.source.get(..bracket.start).unwrap_or("");
        before.rfind(name).map_or_else(|| bracket.clone(), |at| at..at + name.len())
    }

    fn comprehension(&mut self, what: LoopKind, range: &IdedExpr, call: &CallExpr, used: Use) -> (Op, Meaning) {
        let (range_node, meaning) = self.lower(range, Use::Part);
        let item = match meaning {
            Meaning::Field(no) | Meaning::Like(no) if self.scope.names.shape(no) == Shape::List => {
                self.scope.names.plain_item(no).map_or(Meaning::ItemOf(no), |item| {
                    self.reads.insert(item);
                    Meaning::Like(item)
                })
            }
            Meaning::Any | Meaning::Field(_) | Meaning::Like(_) | Meaning::ItemOf(_) => {
                self.read_whole(meaning);
                Meaning::Any
            }
        };
        let [variable, rest @ ..] = call.args.as_slice() else { return (Op::Literal(Datum::Null), Meaning::Any) };
        let Cel::Ident(variable) = &variable.expr else {
            let span = self.places.span(variable.id);
            let message = format!("`{}` takes the name of a variable first", call.func_name);
            let fault = Fault::new(FaultKind::Arguments, message, span).help("for example `items.map(i, i.amount)`");
            return (self.fault(fault), Meaning::Any);
        };
        if self.locals.len() >= MAX_LOOPS {
            let fault = Fault::new(FaultKind::TooLarge, "loops are nested too deeply", self.places.span(range.id));
            return (self.fault(fault.help("split it into computed fields")), Meaning::Any);
        }
        self.locals.push((variable.clone(), item));
        let mut parts = rest.iter().map(|part| self.value(part)).collect::<Vec<_>>().into_iter();
        self.locals.pop();
        let (first, second) = (parts.next(), parts.next());
        let (keep, body) = match (first, second) {
            (Some(keep), Some(body)) => (Some(keep), body),
            (Some(body), None) => (None, body),
            (None, _) => return (Op::Literal(Datum::Null), Meaning::Any),
        };
        let kept = if what == LoopKind::Filter { meaning } else { Meaning::Any };
        if used == Use::Whole {
            self.read_whole(kept);
        }
        (Op::Loop(Box::new(Loop { what, range: range_node, body, keep })), kept)
    }
}

fn count(arguments: usize) -> String {
    match arguments {
        0 => "no argument".to_owned(),
        1 => "one argument".to_owned(),
        n => format!("{n} arguments"),
    }
}

fn loop_kind(name: &str, args: usize) -> Option<LoopKind> {
    match (name, args) {
        ("all", 2) => Some(LoopKind::All),
        ("exists", 2) => Some(LoopKind::Exists),
        ("exists_one" | "existsOne", 2) => Some(LoopKind::ExistsOne),
        ("filter", 2) => Some(LoopKind::Filter),
        ("map", 2 | 3) => Some(LoopKind::Map),
        _ => None,
    }
}

fn binary(name: &str) -> Option<Binary> {
    Some(match name {
        operators::ADD => Binary::Add,
        operators::SUBSTRACT => Binary::Subtract,
        operators::MULTIPLY => Binary::Multiply,
        operators::DIVIDE => Binary::Divide,
        operators::MODULO => Binary::Modulo,
        operators::EQUALS => Binary::Equal,
        operators::NOT_EQUALS => Binary::NotEqual,
        operators::LESS => Binary::Less,
        operators::LESS_EQUALS => Binary::LessEqual,
        operators::GREATER => Binary::Greater,
        operators::GREATER_EQUALS => Binary::GreaterEqual,
        operators::IN => Binary::In,
        _ => return None,
    })
}
