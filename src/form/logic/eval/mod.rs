//! Running a compiled expression: bounded in steps and in the size of what it builds.

pub(super) mod functions;
mod ops;

use std::collections::BTreeMap;
use std::sync::Arc;

use formwright_values::{Path, Value};

use super::datum::Datum;
use super::node::{Loop, LoopKind, Node, Op, Read, ReadTree};
use super::{Answers, Extra};

/// Most parts an evaluation may look at, items of lists and 64-byte blocks of text included.
const FUEL: u32 = 100_000;
/// Longest text an expression may build, in bytes.
pub(super) const MAX_TEXT: usize = 16 * 1024;
/// Longest list an expression may build.
const MAX_LIST: usize = 10_000;

/// Why an evaluation has no value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Stop {
    /// An answer is missing.
    Unknown,
    /// It failed.
    Failed(Failure),
}

/// A failed evaluation.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Failure {
    pub(super) message: String,
    /// The values' types do not go together, whatever the values: a mistake in the form.
    pub(super) by_type: bool,
    /// Byte range in the source.
    pub(super) span: (u32, u32),
}

pub(super) type Result<T = Datum> = std::result::Result<T, Stop>;

/// One evaluation.
pub(super) struct Machine<'a> {
    pub(super) at: &'a Path,
    pub(super) answers: &'a dyn Answers,
    pub(super) extra: &'a Extra<'a>,
    pub(super) now: &'a jiff::Zoned,
    /// Comparing values of different types is a failure, not false: for the check at load.
    pub(super) strict: bool,
    pub(super) fuel: u32,
    pub(super) locals: Vec<Datum>,
}

impl<'a> Machine<'a> {
    pub(super) fn new(at: &'a Path, answers: &'a dyn Answers, extra: &'a Extra<'a>, now: &'a jiff::Zoned) -> Self {
        Self { at, answers, extra, now, strict: false, fuel: FUEL, locals: Vec::new() }
    }

    pub(super) fn eval(&mut self, node: &Node) -> Result {
        self.spend(1, node)?;
        match &node.op {
            Op::Literal(value) => Ok(value.clone()),
            Op::Read(read) => self.read(read, node),
            Op::Extra(name) => self.extra.get(name).cloned().ok_or(Stop::Unknown),
            Op::Local(slot) => self.locals.get(*slot).cloned().ok_or(Stop::Unknown),
            Op::Today => Ok(Datum::Date(self.now.date())),
            Op::Now => Ok(Datum::DateTime(self.now.datetime())),
            Op::Select(of, name) => match self.eval(of)? {
                Datum::Map(entries) => entries.get(&**name).cloned().ok_or(Stop::Unknown),
                other => {
                    let size = if &**name == "length" { "; how long it is tells `size(…)`" } else { "" };
                    Err(by_type(node, format!("a {} has no member `{name}`{size}", other.type_name())))
                }
            },
            Op::Index(of, key) => {
                let (of, key) = (self.eval(of)?, self.eval(key)?);
                index(&of, &key, node)
            }
            Op::List(items) => {
                let items: Vec<Datum> = items.iter().map(|item| self.eval(item)).collect::<Result<_>>()?;
                Ok(Datum::List(items.into()))
            }
            Op::Map(entries) => self.map(entries),
            Op::Not(of) => Ok(Datum::Bool(!self.truth(of)?)),
            Op::Negate(of) => {
                let value = self.eval(of)?;
                ops::negate(&value, node)
            }
            Op::And(left, right) => self.absorb(left, right, false),
            Op::Or(left, right) => self.absorb(left, right, true),
            Op::If(condition, yes, no) => {
                let branch = if self.truth(condition)? { yes } else { no };
                self.eval(branch)
            }
            Op::Binary(binary, left, right) => {
                let (left, right) = (self.eval(left)?, self.eval(right)?);
                ops::binary(self, *binary, &left, &right, node)
            }
            Op::Answered(of) => match self.eval(of) {
                Ok(_) => Ok(Datum::Bool(true)),
                Err(Stop::Unknown) => Ok(Datum::Bool(false)),
                Err(failed) => Err(failed),
            },
            Op::Currency(of) => self.currency(of, node),
            Op::Matches(text, regex) => match self.eval(text)? {
                Datum::Text(text) => {
                    self.spend_text(text.len() * 16, node)?;
                    Ok(Datum::Bool(regex.is_match(&text)))
                }
                other => Err(by_type(node, format!("`matches` needs a text, not a {}", other.type_name()))),
            },
            Op::Call(function, args) => {
                let args: Vec<Datum> = args.iter().map(|arg| self.eval(arg)).collect::<Result<_>>()?;
                functions::call(self, *function, &args, node)
            }
            Op::Loop(each) => self.run_loop(each, node),
        }
    }

    /// Uses up a part of what an evaluation may do.
    pub(super) fn spend(&mut self, parts: u32, node: &Node) -> Result<()> {
        match self.fuel.checked_sub(parts) {
            Some(left) => {
                self.fuel = left;
                Ok(())
            }
            None => {
                self.fuel = 0;
                Err(failed(node, "it takes too many steps"))
            }
        }
    }

    pub(super) fn spend_text(&mut self, bytes: usize, node: &Node) -> Result<()> {
        self.spend(u32::try_from(bytes / 64).unwrap_or(u32::MAX), node)
    }

    fn truth(&mut self, node: &Node) -> Result<bool> {
        let value = match self.eval(node) {
            Err(Stop::Unknown) if self.is_left_out(node) => return Ok(false),
            value => value?,
        };
        match value {
            Datum::Bool(truth) => Ok(truth),
            other => Err(by_type(node, format!("yes or no is needed here, not a {}", other.type_name()))),
        }
    }

    /// Whether a part is the answer of a field that has none for good.
    fn is_left_out(&self, node: &Node) -> bool {
        let Op::Read(read) = &node.op else { return false };
        read.path(self.at).is_some_and(|path| self.answers.is_left_out(&path))
    }

    /// `||` where `decisive` is true, `&&` where it is false: one decisive side settles it, whatever the other is.
    fn absorb(&mut self, left: &Node, right: &Node, decisive: bool) -> Result {
        let left = self.truth(left);
        // At load both sides are tried, so that a mistake on the right is found.
        if left == Ok(decisive) && !self.strict {
            return Ok(Datum::Bool(decisive));
        }
        let right = self.truth(right);
        if self.strict {
            for side in [&left, &right] {
                if let Err(Stop::Failed(failure)) = side {
                    return Err(Stop::Failed(failure.clone()));
                }
            }
        }
        match (left, right) {
            (Ok(truth), _) | (_, Ok(truth)) if truth == decisive => Ok(Datum::Bool(decisive)),
            (Ok(_), Ok(_)) => Ok(Datum::Bool(!decisive)),
            (Err(Stop::Unknown), _) | (_, Err(Stop::Unknown)) => Err(Stop::Unknown),
            (Err(failed), _) | (_, Err(failed)) => Err(failed),
        }
    }

    fn read(&mut self, read: &Read, node: &Node) -> Result {
        let path = read.path(self.at).ok_or(Stop::Unknown)?;
        self.tree(&read.tree, &path, node)?.ok_or(Stop::Unknown)
    }

    fn tree(&mut self, tree: &ReadTree, path: &Path, node: &Node) -> Result<Option<Datum>> {
        self.spend(1, node)?;
        if let Some(value) = self.answers.value(path) {
            return Ok(Some(Datum::from(value)));
        }
        match tree {
            ReadTree::Leaf => Ok(None),
            ReadTree::Group(members) => {
                let mut found = BTreeMap::new();
                for (id, member) in members {
                    if let Some(value) = self.tree(member, &path.child(id), node)? {
                        found.insert(Arc::from(id.as_str()), value);
                    }
                }
                Ok((!found.is_empty()).then(|| Datum::Map(Arc::new(found))))
            }
            ReadTree::List(item) => {
                let Some(len) = self.answers.list_len(path) else { return Ok(None) };
                let mut items = Vec::new();
                for no in 0..len {
                    let value = self.tree(item, &path.item(no), node)?;
                    match (value, &**item) {
                        (Some(value), _) => items.push(value),
                        // An item just begun is an item already, with nothing in it.
                        (None, ReadTree::Group(_)) => items.push(Datum::map([])),
                        (None, ReadTree::Leaf | ReadTree::List(_)) => {}
                    }
                }
                Ok(Some(Datum::List(items.into())))
            }
        }
    }

    fn map(&mut self, entries: &[(Node, Node)]) -> Result {
        let mut map = BTreeMap::new();
        for (key, value) in entries {
            let Datum::Text(name) = self.eval(key)? else { return Err(by_type(key, "a key must be a text")) };
            map.insert(name, self.eval(value)?);
        }
        Ok(Datum::Map(Arc::new(map)))
    }

    fn currency(&mut self, of: &Node, node: &Node) -> Result {
        let Op::Read(read) = &of.op else { return Err(Stop::Unknown) };
        let path = read.path(self.at).ok_or(Stop::Unknown)?;
        match self.answers.value(&path).ok_or(Stop::Unknown)? {
            Value::Money { currency, .. } => Ok(Datum::text(currency)),
            other => {
                let message = format!("`currency` needs a money field, not a {}", Datum::from(other).type_name());
                Err(by_type(node, message))
            }
        }
    }

    fn run_loop(&mut self, each: &Loop, node: &Node) -> Result {
        let items = match self.eval(&each.range)? {
            Datum::List(items) => items,
            Datum::Map(entries) => entries.keys().map(|key| Datum::Text(Arc::clone(key))).collect(),
            other => {
                let message = format!("a list is needed here, not a {}", other.type_name());
                return Err(by_type(&each.range, message));
            }
        };
        let slot = self.locals.len();
        self.locals.push(Datum::Null);
        let result = self.run_items(each, &items, slot, node);
        self.locals.truncate(slot);
        result
    }

    fn run_items(&mut self, each: &Loop, items: &[Datum], slot: usize, node: &Node) -> Result {
        let decisive = match each.what {
            LoopKind::All => Some(false),
            LoopKind::Exists => Some(true),
            LoopKind::ExistsOne | LoopKind::Filter | LoopKind::Map => None,
        };
        let mut made = Vec::new();
        let mut held = 0_u32;
        let mut doubt: Option<Stop> = None;
        for item in items {
            if let Some(local) = self.locals.get_mut(slot) {
                *local = item.clone();
            }
            if let Some(keep) = &each.keep
                && !self.truth(keep)?
            {
                continue;
            }
            match (each.what, decisive) {
                (LoopKind::Map, _) => made.push(self.eval(&each.body)?),
                (LoopKind::Filter, _) => {
                    if self.truth(&each.body)? {
                        made.push(item.clone());
                    }
                }
                (LoopKind::ExistsOne, _) => held += u32::from(self.truth(&each.body)?),
                (LoopKind::All | LoopKind::Exists, decisive) => match self.truth(&each.body) {
                    Ok(truth) if Some(truth) == decisive => return Ok(Datum::Bool(truth)),
                    Ok(_) => {}
                    Err(Stop::Failed(failure)) if self.fuel == 0 || self.strict => return Err(Stop::Failed(failure)),
                    Err(stop) if doubt.is_none() || stop == Stop::Unknown => doubt = Some(stop),
                    Err(_) => {}
                },
            }
            if made.len() > MAX_LIST {
                return Err(failed(node, "the list grows too long"));
            }
        }
        match (each.what, decisive, doubt) {
            (LoopKind::Map | LoopKind::Filter, ..) => Ok(Datum::List(made.into())),
            (LoopKind::ExistsOne, ..) => Ok(Datum::Bool(held == 1)),
            (_, _, Some(stop)) => Err(stop),
            (_, decisive, None) => Ok(Datum::Bool(decisive == Some(false))),
        }
    }
}

/// A failure of these values.
pub(super) fn failed(node: &Node, message: impl Into<String>) -> Stop {
    Stop::Failed(Failure { message: message.into(), by_type: false, span: node.span })
}

/// A failure of any values of these types.
pub(super) fn by_type(node: &Node, message: impl Into<String>) -> Stop {
    Stop::Failed(Failure { message: message.into(), by_type: true, span: node.span })
}

fn index(of: &Datum, key: &Datum, node: &Node) -> Result {
    match (of, key) {
        // An item or member that is not there yet is a missing answer.
        (Datum::List(items), Datum::Int(no)) => {
            usize::try_from(*no).ok().and_then(|no| items.get(no)).cloned().ok_or(Stop::Unknown)
        }
        (Datum::Map(entries), Datum::Text(name)) => entries.get(name).cloned().ok_or(Stop::Unknown),
        (of, key) => {
            let message = format!("a {} cannot be looked into by a {}", of.type_name(), key.type_name());
            Err(by_type(node, message))
        }
    }
}
