//! Expressions of form files as expressions of XLSForms. What has no counterpart is none: it is told as lost.

use std::collections::BTreeMap;

use cel::common::ast::{CallExpr, Expr as Cel, IdedExpr, LiteralValue, operators};
use formwright_form::logic;

use super::pattern;
use super::xpath::{self, Expr, Op, only_question};
use crate::xls::known::{Holds, Questions};

/// Where an expression stands.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    /// All questions, by id.
    pub(crate) questions: &'a Questions,
    /// The question that it is of, which is `.` in its own constraint.
    pub(crate) own: Option<&'a str>,
    /// What that question holds.
    pub(crate) holds: Holds,
    /// Names that stand for questions: the arguments of a tool that keeps rows.
    pub(crate) params: &'a BTreeMap<String, String>,
}

/// A piece of an expression.
struct Code {
    text: String,
    /// How strongly it binds: 1 `or`, 2 `and`, 3 `=`, 4 `<`, 5 `+`, 6 `*`, 7 all else.
    binds: u8,
    holds: Option<Holds>,
}

/// The expression as XPath.
pub(crate) fn code(source: &str, place: Place<'_>) -> Option<String> {
    let root = logic::syntax(source)?;
    place.truth_or_value(&root, 0).map(|code| code.text)
}

impl Code {
    fn new(text: impl Into<String>, holds: Option<Holds>) -> Self {
        Self { text: text.into(), binds: 7, holds }
    }

    fn within(&self, binds: u8) -> String {
        if self.binds < binds { format!("({})", self.text) } else { self.text.clone() }
    }
}

/// Deepest expression.
const DEEPEST: u32 = 48;

/// A text in quotes; none where it has both sorts, which XPath cannot write.
pub(crate) fn quoted(words: &str) -> Option<String> {
    match (words.contains('\''), words.contains('"')) {
        (false, _) => Some(format!("'{words}'")),
        (true, false) => Some(format!("\"{words}\"")),
        (true, true) => None,
    }
}

impl Place<'_> {
    /// An answer of yes or no is a condition in form files, and an option in XLSForms.
    fn truth_or_value(&self, expr: &IdedExpr, depth: u32) -> Option<Code> {
        let code = self.code(expr, depth)?;
        Some(if code.holds == Some(Holds::YesNo) {
            Code { text: format!("{} = 'yes'", code.text), binds: 3, holds: None }
        } else {
            code
        })
    }

    fn code(&self, expr: &IdedExpr, depth: u32) -> Option<Code> {
        if depth > DEEPEST {
            return None;
        }
        match &expr.expr {
            Cel::Ident(name) if name == "value" => Some(Code::new(".", Some(self.holds))),
            Cel::Ident(name) if name == "today" => Some(Code::new("today()", Some(Holds::Day))),
            Cel::Ident(name) if name == "now" => Some(Code::new("now()", Some(Holds::Moment))),
            Cel::Ident(name) if self.own == Some(name) => Some(Code::new(".", Some(self.holds))),
            Cel::Ident(name) => self.question(name),
            // A member of a group has a name of its own.
            Cel::Select(select) if matches!(&select.operand.expr, Cel::Ident(row) if row == "row") => {
                Some(Code::new(select.field.clone(), Some(Holds::Text)))
            }
            Cel::Select(select) => {
                let inner = self.code(&select.operand, depth + 1)?;
                (inner.text.starts_with("${") && inner.holds == Some(Holds::Other))
                    .then(|| self.question(&select.field))?
            }
            Cel::Literal(LiteralValue::Boolean(truth)) => {
                Some(Code::new(if *truth.inner() { "true()" } else { "false()" }, None))
            }
            Cel::Literal(LiteralValue::Int(number)) => Some(Code::new(number.inner().to_string(), Some(Holds::Number))),
            Cel::Literal(LiteralValue::Double(number)) => {
                Some(Code::new(format!("{:?}", number.inner()), Some(Holds::Number)))
            }
            Cel::Literal(LiteralValue::String(words)) => Some(Code::new(quoted(words.inner())?, Some(Holds::Text))),
            Cel::Literal(LiteralValue::UInt(_) | LiteralValue::Null | LiteralValue::Bytes(_)) => None,
            Cel::Call(call) => self.call(call, depth + 1),
            Cel::List(_) | Cel::Map(_) | Cel::Struct(_) | Cel::Comprehension(_) | Cel::Unspecified => None,
        }
    }

    fn question(&self, name: &str) -> Option<Code> {
        let name = self.params.get(name).map_or(name, String::as_str);
        let question = self.questions.named(name)?;
        Some(Code::new(format!("${{{name}}}"), Some(question.holds)))
    }

    fn call(&self, call: &CallExpr, depth: u32) -> Option<Code> {
        let args: Vec<&IdedExpr> = call.target.as_deref().into_iter().chain(&call.args).collect();
        let name = call.func_name.as_str();
        if let [left, right] = args.as_slice()
            && let Some((binds, mark)) = operator(name)
        {
            return self.two(binds, mark, left, right, depth);
        }
        let value = |at: usize| self.code(args.get(at)?, depth);
        let number = |text: String| Some(Code::new(text, Some(Holds::Number)));
        let truth = |text: String| Some(Code::new(text, None));
        match (name, args.as_slice()) {
            (operators::LOGICAL_NOT, [one]) => self.not(one, depth),
            (operators::NEGATE, [_]) => number(format!("-{}", value(0)?.within(7))),
            (operators::CONDITIONAL, [condition, yes, no]) => {
                let condition = self.truth_or_value(condition, depth)?;
                let (yes, no) = (self.code(yes, depth)?, self.code(no, depth)?);
                Some(Code::new(format!("if({}, {}, {})", condition.text, yes.text, no.text), yes.holds))
            }
            (operators::IN, [one, list]) => self.is_in(one, list, depth),
            ("has" | "answered", [_]) => {
                let of = value(0)?;
                (of.holds != Some(Holds::List)).then(|| Code {
                    text: format!("{} != ''", of.text),
                    binds: 3,
                    holds: None,
                })
            }
            ("size", [_]) => {
                let of = value(0)?;
                let name = match of.holds? {
                    Holds::Choices => "count-selected",
                    Holds::List => "count",
                    Holds::Text => "string-length",
                    _ => return None,
                };
                number(format!("{name}({})", of.text))
            }
            ("sum" | "min" | "max", [only]) => {
                let Cel::Call(mapped) = &only.expr else { return None };
                let (Some(_), "map", [variable, body]) =
                    (&mapped.target, mapped.func_name.as_str(), mapped.args.as_slice())
                else {
                    return None;
                };
                let Cel::Select(select) = &body.expr else { return None };
                let same = matches!((&variable.expr, &select.operand.expr), (Cel::Ident(one), Cel::Ident(other)) if one == other);
                let of = self.question(&select.field).filter(|_| same)?;
                number(format!("{name}({})", of.text))
            }
            ("min" | "max", _) => {
                let parts: Option<Vec<String>> = args.iter().map(|arg| Some(self.code(arg, depth)?.text)).collect();
                number(format!("{name}({})", parts?.join(", ")))
            }
            ("round", [_]) => number(format!("round({}, 0)", value(0)?.text)),
            ("round", [_, _]) => number(format!("round({}, {})", value(0)?.text, value(1)?.text)),
            ("floor", [_]) => number(format!("int({})", value(0)?.text)),
            ("abs", [_]) => number(format!("abs({})", value(0)?.text)),
            ("date", [_]) => Some(Code::new(format!("date({})", value(0)?.text), Some(Holds::Day))),
            ("timestamp", [_]) => Some(Code::new(format!("date-time({})", value(0)?.text), Some(Holds::Moment))),
            ("days", [_, _]) => {
                let (later, earlier) = (value(0)?, value(1)?);
                let text = format!("decimal-date-time({}) - decimal-date-time({})", later.text, earlier.text);
                Some(Code { text, binds: 5, holds: Some(Holds::Number) })
            }
            ("startsWith", [_, _]) => truth(format!("starts-with({}, {})", value(0)?.text, value(1)?.text)),
            ("endsWith", [_, _]) => truth(format!("ends-with({}, {})", value(0)?.text, value(1)?.text)),
            ("contains", [of, part]) => match self.code(of, depth)?.holds {
                Some(Holds::Text) => truth(format!("contains({}, {})", value(0)?.text, value(1)?.text)),
                _ => self.is_in(part, of, depth),
            },
            ("matches", [_, pattern]) => {
                let Cel::Literal(LiteralValue::String(pattern)) = &pattern.expr else { return None };
                truth(format!("regex({}, {})", value(0)?.text, quoted(&pattern::found_anywhere(pattern.inner()))?))
            }
            _ => None,
        }
    }

    fn not(&self, inner: &IdedExpr, depth: u32) -> Option<Code> {
        if let Cel::Call(call) = &inner.expr
            && matches!(call.func_name.as_str(), "has" | "answered")
        {
            let of = self.code(call.target.as_deref().or_else(|| call.args.first())?, depth)?;
            return (of.holds != Some(Holds::List)).then(|| Code {
                text: format!("{} = ''", of.text),
                binds: 3,
                holds: None,
            });
        }
        let code = self.code(inner, depth)?;
        Some(if code.holds == Some(Holds::YesNo) {
            Code { text: format!("{} = 'no'", code.text), binds: 3, holds: None }
        } else {
            let not = format!("not({})", code.text);
            let asked = xpath::parse(&code.text);
            match asked.as_ref().and_then(only_question) {
                Some(Expr::Field(of)) if self.questions.named(of)?.holds != Holds::List => {
                    guarded(&format!("${{{of}}}"), &not)
                }
                _ => Code::new(not, None),
            }
        })
    }

    fn two(&self, binds: u8, mark: &str, left: &IdedExpr, right: &IdedExpr, depth: u32) -> Option<Code> {
        if binds <= 2 {
            let (one, other) = (self.truth_or_value(left, depth)?, self.truth_or_value(right, depth)?);
            if mark == "or"
                && let Some(denied) = denied(&one.text, &other.text, self.questions)
            {
                return Some(denied);
            }
            let text = format!("{} {mark} {}", one.within(binds), other.within(binds));
            return Some(Code { text, binds, holds: None });
        }
        let (one, other) = (self.code(left, depth)?, self.code(right, depth)?);
        // `coming == true`
        if binds == 3
            && one.holds == Some(Holds::YesNo)
            && let Cel::Literal(LiteralValue::Boolean(truth)) = &right.expr
        {
            let yes = *truth.inner() == (mark == "=");
            return Some(Code {
                text: format!("{} = '{}'", one.text, if yes { "yes" } else { "no" }),
                binds,
                holds: None,
            });
        }
        // Whole numbers divide without decimals here, and with them there.
        if mark == "div" && !is_decimal(left) && !is_decimal(right) {
            return None;
        }
        // A list of picks compared as a whole, and texts put together, are written otherwise there.
        if one.holds == Some(Holds::Choices) || one.holds == Some(Holds::YesNo) {
            return None;
        }
        if mark == "+" && (one.holds == Some(Holds::Text) || other.holds == Some(Holds::Text)) {
            let so_far = one.text.strip_prefix("concat(").and_then(|rest| rest.strip_suffix(')'));
            let text = format!("concat({}, {})", so_far.unwrap_or(&one.text), other.text);
            return Some(Code::new(text, Some(Holds::Text)));
        }
        let right_binds = if binds >= 5 { binds + 1 } else { 5 };
        let text = format!("{} {mark} {}", one.within(binds.max(5)), other.within(right_binds));
        let is_question = one.binds == 7 && one.text.starts_with("${");
        if mark == "!=" && is_question && matches!(right.expr, Cel::Literal(_)) && other.text != "''" {
            return Some(guarded(&one.text, &text));
        }
        let holds = (binds >= 5).then_some(one.holds.unwrap_or(Holds::Number));
        Some(Code { text, binds, holds })
    }

    /// `'a' in picks`, and `pick in ['a', 'b']`.
    fn is_in(&self, one: &IdedExpr, list: &IdedExpr, depth: u32) -> Option<Code> {
        if let Cel::List(list) = &list.expr {
            let one = self.code(one, depth)?;
            let each = |item: &IdedExpr| Some(format!("{} = {}", one.text, self.code(item, depth)?.text));
            let each: Option<Vec<String>> = list.elements.iter().map(each).collect();
            let each = each.filter(|each| !each.is_empty())?;
            let binds = if each.len() > 1 { 1 } else { 3 };
            return Some(Code { text: each.join(" or "), binds, holds: None });
        }
        let (one, list) = (self.code(one, depth)?, self.code(list, depth)?);
        (list.holds == Some(Holds::Choices)).then(|| Code::new(format!("selected({}, {})", list.text, one.text), None))
    }
}

/// Whether a number surely has decimals: `2.0`, or what is multiplied by one.
fn is_decimal(expr: &IdedExpr) -> bool {
    match &expr.expr {
        Cel::Literal(LiteralValue::Double(_)) => true,
        Cel::Call(call) if call.func_name == operators::MULTIPLY => call.args.iter().any(is_decimal),
        _ => false,
    }
}

/// What is denied of a question, as it holds here: only where that is answered. In brackets beside whatever else.
fn guarded(of: &str, text: &str) -> Code {
    Code { text: format!("{of} != '' and {text}"), binds: 1, holds: None }
}

/// `!answered(a) || a != 'x'`, which is all that `a != 'x'` says there; of yes and no, `a == 'no'`.
fn denied(missing: &str, other: &str, questions: &Questions) -> Option<Code> {
    let of = missing.strip_suffix(" = ''").filter(|of| !of.contains(' '))?;
    let question = questions.named(of.strip_prefix("${")?.strip_suffix('}')?)?;
    for (said, opposite) in [("yes", "no"), ("no", "yes")] {
        if question.holds == Holds::YesNo && other == format!("{of} = '{said}'") {
            return Some(Code { text: format!("{of} != '{opposite}'"), binds: 3, holds: None });
        }
    }
    let rest = other.strip_prefix(of)?.strip_prefix(" != '' and ")?;
    match xpath::parse(rest)? {
        Expr::Two(Op::NotEqual, ..) => Some(Code { text: rest.to_owned(), binds: 3, holds: None }),
        Expr::Call(..) => Some(Code::new(rest, None)),
        _ => None,
    }
}

/// How an operator of form files is written, and how strongly it binds.
fn operator(name: &str) -> Option<(u8, &'static str)> {
    Some(match name {
        operators::LOGICAL_OR => (1, "or"),
        operators::LOGICAL_AND => (2, "and"),
        operators::EQUALS => (3, "="),
        operators::NOT_EQUALS => (3, "!="),
        operators::LESS => (4, "<"),
        operators::LESS_EQUALS => (4, "<="),
        operators::GREATER => (4, ">"),
        operators::GREATER_EQUALS => (4, ">="),
        operators::ADD => (5, "+"),
        operators::SUBSTRACT => (5, "-"),
        operators::MULTIPLY => (6, "*"),
        operators::DIVIDE => (6, "div"),
        operators::MODULO => (6, "mod"),
        _ => return None,
    })
}
