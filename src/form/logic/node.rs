//! The compiled form of an expression.

use std::sync::Arc;

use formwright_values::{FieldId, Path, Seg};

use super::datum::Datum;
use super::eval::functions::Function;

/// A compiled part of an expression.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) op: Op,
    /// Byte range in the source.
    pub(super) span: (u32, u32),
}

#[derive(Clone, Debug)]
pub(super) enum Op {
    Literal(Datum),
    Read(Box<Read>),
    /// A variable given at evaluation.
    Extra(Box<str>),
    /// A variable of a loop, by its depth.
    Local(usize),
    Today,
    Now,
    Select(Box<Node>, Box<str>),
    Index(Box<Node>, Box<Node>),
    List(Vec<Node>),
    Map(Vec<(Node, Node)>),
    Not(Box<Node>),
    Negate(Box<Node>),
    And(Box<Node>, Box<Node>),
    Or(Box<Node>, Box<Node>),
    If(Box<Node>, Box<Node>, Box<Node>),
    Binary(Binary, Box<Node>, Box<Node>),
    Answered(Box<Node>),
    /// Currency of a money field.
    Currency(Box<Node>),
    Matches(Box<Node>, Arc<regex::Regex>),
    Call(Function, Vec<Node>),
    Loop(Box<Loop>),
}

/// Two-sided operators that need both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    In,
}

impl Binary {
    pub(super) fn sign(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Modulo => "%",
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Greater => ">",
            Self::GreaterEqual => ">=",
            Self::In => "in",
        }
    }
}

/// `range.map(x, body)` and its siblings. The variable is the local at depth `slot`.
#[derive(Clone, Debug)]
pub(super) struct Loop {
    pub(super) what: LoopKind,
    pub(super) range: Node,
    /// The condition, or what is made of each item.
    pub(super) body: Node,
    /// For `map` with a condition: the condition.
    pub(super) keep: Option<Node>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LoopKind {
    All,
    Exists,
    ExistsOne,
    Filter,
    Map,
}

/// A field read from where the expression stands.
#[derive(Clone, Debug)]
pub(super) struct Read {
    pub(super) path: ReadPath,
    pub(super) tree: Arc<ReadTree>,
}

#[derive(Clone, Debug)]
pub(super) enum ReadPath {
    /// The same everywhere.
    Fixed(Path),
    /// Inside a list: items are those in which the expression stands.
    Near(Vec<Step>),
}

#[derive(Clone, Debug)]
pub(super) enum Step {
    Field(FieldId),
    /// The same item as the step at this place of the path at which the expression stands.
    SameItem(usize),
}

/// What lies below a field that is read.
#[derive(Clone, Debug)]
pub(super) enum ReadTree {
    Leaf,
    Group(Vec<(FieldId, ReadTree)>),
    List(Box<ReadTree>),
}

impl Read {
    /// The path, for an expression that stands at `at`; none where `at` is not in such a list.
    pub(super) fn path(&self, at: &Path) -> Option<std::borrow::Cow<'_, Path>> {
        match &self.path {
            ReadPath::Fixed(path) => Some(std::borrow::Cow::Borrowed(path)),
            ReadPath::Near(steps) => {
                let segs = steps.iter().map(|step| match step {
                    Step::Field(id) => Some(Seg::Field(id.clone())),
                    Step::SameItem(depth) => match at.segs().get(*depth) {
                        Some(Seg::Item(no)) => Some(Seg::Item(*no)),
                        Some(Seg::Field(_)) | None => None,
                    },
                });
                Some(std::borrow::Cow::Owned(Path::from_segs(segs.collect::<Option<_>>()?)))
            }
        }
    }
}

impl Node {
    /// Shows every part to `look`, the whole before its parts.
    pub(super) fn visit<'n>(&'n self, look: &mut impl FnMut(&'n Node)) {
        look(self);
        match &self.op {
            Op::Literal(_) | Op::Read(_) | Op::Extra(_) | Op::Local(_) | Op::Today | Op::Now => {}
            Op::Select(one, _) | Op::Not(one) | Op::Negate(one) | Op::Answered(one) | Op::Currency(one) => {
                one.visit(look);
            }
            Op::Matches(one, _) => one.visit(look),
            Op::Index(left, right) | Op::And(left, right) | Op::Or(left, right) | Op::Binary(_, left, right) => {
                left.visit(look);
                right.visit(look);
            }
            Op::If(condition, yes, no) => {
                condition.visit(look);
                yes.visit(look);
                no.visit(look);
            }
            Op::List(items) | Op::Call(_, items) => items.iter().for_each(|item| item.visit(look)),
            Op::Map(entries) => entries.iter().for_each(|(key, value)| {
                key.visit(look);
                value.visit(look);
            }),
            Op::Loop(each) => {
                each.range.visit(look);
                each.keep.iter().for_each(|keep| keep.visit(look));
                each.body.visit(look);
            }
        }
    }
}
