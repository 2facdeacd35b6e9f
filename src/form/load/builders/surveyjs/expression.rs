//! Expressions of `SurveyJS`: `{age} >= 18 and {pets} contains 'cat'`. They are read into the tree that those of XLSForms are
//! read into, and go on from there.

use crate::xls::expression::xpath::{Expr, Op};
use crate::xls::known::{Holds, Questions};

/// Longest expression in bytes, and deepest brackets.
const LONGEST: usize = 4096;
const DEEPEST: u32 = 48;

/// A sign, a word or a value.
#[derive(Clone, Debug, PartialEq)]
enum Token {
    Field(String),
    Text(String),
    Number(String),
    Word(String),
    Sign(&'static str),
}

const SIGNS: &[&str] = &[
    "===", "!==", "==", "!=", "<>", ">=", "<=", "&&", "||", "=", ">", "<", "!", "(", ")", "[", "]", ",", "+", "-", "*",
    "/", "%",
];

/// Reads an expression. `within` is what the names follow of the questions in the same panel or row.
pub(super) fn parse(source: &str, questions: &Questions, within: &str) -> Option<Expr> {
    let tokens = tokens(source).filter(|_| source.len() <= LONGEST)?;
    let mut reader = Reader { tokens: &tokens, questions, within, depth: 0 };
    let expr = reader.or()?;
    reader.tokens.is_empty().then(|| reader.truth(expr))
}

fn tokens(source: &str) -> Option<Vec<Token>> {
    let mut out = Vec::new();
    let mut rest = source.trim_start();
    while let Some(first) = rest.chars().next() {
        let run = |of: fn(char) -> bool| rest.find(|c: char| !of(c)).unwrap_or(rest.len());
        let (token, len) = match first {
            '{' => {
                let name = rest.get(1..rest.find('}')?)?;
                (Token::Field(name.trim().to_owned()), name.len() + 2)
            }
            '\'' | '"' => {
                let words = rest.get(1..)?.split(first).next().filter(|words| words.len() + 1 < rest.len())?;
                (Token::Text(words.to_owned()), words.len() + 2)
            }
            '0'..='9' => {
                let len = run(|c| c.is_ascii_alphanumeric() || c == '.');
                (Token::Number(rest.get(..len).filter(|digits| digits.parse::<f64>().is_ok())?.to_owned()), len)
            }
            c if c.is_alphabetic() => {
                let len = run(|c| c.is_alphanumeric() || matches!(c, '_' | '-'));
                (Token::Word(rest.get(..len)?.to_owned()), len)
            }
            _ => {
                let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign))?;
                (Token::Sign(sign), sign.len())
            }
        };
        out.push(token);
        rest = rest.get(len..)?.trim_start();
    }
    Some(out)
}

struct Reader<'t> {
    tokens: &'t [Token],
    questions: &'t Questions,
    within: &'t str,
    depth: u32,
}

fn two(op: Op, left: Expr, right: Expr) -> Expr {
    Expr::Two(op, Box::new(left), Box::new(right))
}

fn call(name: &str, args: Vec<Expr>) -> Expr {
    Expr::Call(name.to_owned(), args)
}

impl Reader<'_> {
    fn next(&mut self) -> Option<Token> {
        let (first, rest) = self.tokens.split_first()?;
        self.tokens = rest;
        Some(first.clone())
    }

    /// Takes one of these signs or words.
    fn take(&mut self, of: &[&'static str]) -> Option<&'static str> {
        let found = match self.tokens.first()? {
            Token::Sign(sign) => of.iter().find(|known| *known == sign),
            Token::Word(word) => of.iter().find(|known| word.eq_ignore_ascii_case(known)),
            Token::Field(_) | Token::Text(_) | Token::Number(_) => None,
        }?;
        self.next();
        Some(found)
    }

    fn or(&mut self) -> Option<Expr> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let mut left = self.and()?;
        while self.take(&["or", "||"]).is_some() {
            left = two(Op::Or, self.truth(left), self.and().map(|right| self.truth(right))?);
        }
        self.depth -= 1;
        Some(left)
    }

    fn and(&mut self) -> Option<Expr> {
        let mut left = self.compared()?;
        while self.take(&["and", "&&"]).is_some() {
            left = two(Op::And, self.truth(left), self.compared().map(|right| self.truth(right))?);
        }
        Some(left)
    }

    /// A question that is answered with yes or no, as a condition.
    fn truth(&self, expr: Expr) -> Expr {
        if self.holds(&expr) == Some(Holds::YesNo) {
            return two(Op::Equal, expr, Expr::Text("yes".to_owned()));
        }
        expr
    }

    fn holds(&self, expr: &Expr) -> Option<Holds> {
        let Expr::Field(name) = expr else { return None };
        self.questions.named(name).map(|question| question.holds)
    }

    fn compared(&mut self) -> Option<Expr> {
        const MARKS: &[&str] = &[
            "=",
            "==",
            "===",
            "!=",
            "!==",
            "<>",
            "<",
            "<=",
            ">",
            ">=",
            "empty",
            "notempty",
            "contains",
            "contain",
            "notcontains",
            "notcontain",
            "anyof",
            "allof",
            "noneof",
            "equal",
            "notequal",
            "less",
            "greater",
            "lessorequal",
            "greaterorequal",
        ];
        let left = self.sum()?;
        let Some(mark) = self.take(MARKS) else { return Some(left) };
        let nothing = || Expr::Text(String::new());
        Some(match mark {
            "empty" => two(Op::Equal, left, nothing()),
            "notempty" => two(Op::NotEqual, left, nothing()),
            "contains" | "contain" | "notcontains" | "notcontain" => {
                let right = if self.tokens.first() == Some(&Token::Sign("[")) {
                    let list = self.list()?;
                    self.picked(&left, list, Op::And)?
                } else {
                    let right = self.sum()?;
                    self.contains(&left, self.said(right, &left)?)
                };
                if mark.starts_with("not") { call("not", vec![right]) } else { right }
            }
            "anyof" | "allof" | "noneof" => {
                let list = self.list()?;
                let picked = self.picked(&left, list, if mark == "allof" { Op::And } else { Op::Or })?;
                if mark == "noneof" { call("not", vec![picked]) } else { picked }
            }
            _ => {
                let op = match mark {
                    "=" | "==" | "===" | "equal" => Op::Equal,
                    "<" | "less" => Op::Less,
                    "<=" | "lessorequal" => Op::LessEqual,
                    ">" | "greater" => Op::Greater,
                    ">=" | "greaterorequal" => Op::GreaterEqual,
                    _ => Op::NotEqual,
                };
                let right = self.sum()?;
                let one = self.said(left.clone(), &right)?;
                two(op, one, self.said(right, &left)?)
            }
        })
    }

    /// A value beside a question. True and false are its yes and no; beside anything else they are nothing here, and neither
    /// is the answer `other`, in whose place are the person's own words.
    fn said(&self, value: Expr, beside: &Expr) -> Option<Expr> {
        match &value {
            Expr::Call(name, args) if args.is_empty() && matches!(name.as_str(), "true" | "false") => {
                let word = if name == "true" { "yes" } else { "no" };
                (self.holds(beside) == Some(Holds::YesNo)).then(|| Expr::Text(word.to_owned()))
            }
            Expr::Text(word)
                if word == "other" && matches!(self.holds(beside), Some(Holds::Choice | Holds::Choices)) =>
            {
                None
            }
            _ => Some(value),
        }
    }

    fn contains(&self, of: &Expr, part: Expr) -> Expr {
        match (self.holds(of), part) {
            (Some(Holds::Choices), Expr::Number(digits)) => call("selected", vec![of.clone(), Expr::Text(digits)]),
            (Some(Holds::Choices), part) => call("selected", vec![of.clone(), part]),
            (_, part) => call("contains", vec![of.clone(), part]),
        }
    }

    /// That some or all of a list are picked.
    fn picked(&self, of: &Expr, list: Vec<Expr>, op: Op) -> Option<Expr> {
        let is_list = self.holds(of) == Some(Holds::Choices);
        let one = |part: Expr| if is_list { self.contains(of, part) } else { two(Op::Equal, of.clone(), part) };
        list.into_iter().map(one).reduce(|left, right| two(op, left, right))
    }

    /// The values between brackets.
    fn list(&mut self) -> Option<Vec<Expr>> {
        self.take(&["["])?;
        let mut list = Vec::new();
        while self.take(&["]"]).is_none() {
            list.push(self.primary().filter(|one| *one != Expr::Text("other".to_owned()))?);
            self.take(&[","]);
        }
        Some(list)
    }

    fn sum(&mut self) -> Option<Expr> {
        let mut left = self.product()?;
        while let Some(sign) = self.take(&["+", "-"]) {
            left = two(if sign == "+" { Op::Plus } else { Op::Minus }, left, self.product()?);
        }
        Some(left)
    }

    fn product(&mut self) -> Option<Expr> {
        let mut left = self.primary()?;
        while let Some(sign) = self.take(&["*", "/", "%"]) {
            let op = match sign {
                "*" => Op::Times,
                "/" => Op::Divide,
                _ => Op::Modulo,
            };
            left = two(op, left, self.primary()?);
        }
        Some(left)
    }

    fn primary(&mut self) -> Option<Expr> {
        if self.take(&["!", "not"]).is_some() {
            self.depth += 1;
            let inner = if self.depth > DEEPEST { None } else { self.primary() }?;
            self.depth -= 1;
            return Some(call("not", vec![self.truth(inner)]));
        }
        if self.take(&["-"]).is_some() {
            let Token::Number(digits) = self.next()? else { return None };
            return Some(Expr::Minus(Box::new(Expr::Number(digits))));
        }
        if self.take(&["("]).is_some() {
            let inner = self.or()?;
            self.take(&[")"])?;
            return Some(inner);
        }
        Some(match self.next()? {
            Token::Field(name) => Expr::Field(self.named(&name)),
            Token::Text(words) => Expr::Text(words),
            Token::Number(digits) => Expr::Number(digits),
            Token::Word(word) if self.take(&["("]).is_some() => {
                let mut args = Vec::new();
                while self.take(&[")"]).is_none() {
                    args.push(self.or()?);
                    self.take(&[","]);
                }
                function(&word, args)?
            }
            Token::Word(word) if matches!(word.as_str(), "true" | "false") => call(&word, Vec::new()),
            // A word without quotes is a text there.
            Token::Word(word) => Expr::Text(word),
            Token::Sign(_) => return None,
        })
    }

    /// The name that a question is known by.
    fn named(&self, name: &str) -> String {
        match name.strip_prefix("panel.").or_else(|| name.strip_prefix("row.")) {
            Some(rest) if !self.within.is_empty() => format!("{}{rest}", self.within),
            _ => name.to_owned(),
        }
    }
}

/// Functions that mean the same here.
fn function(name: &str, mut args: Vec<Expr>) -> Option<Expr> {
    Some(match (name, args.len()) {
        ("iif", 3) => call("if", args),
        ("today", 0) | ("min" | "max", 2..) | ("round", 1 | 2) => call(name, args),
        ("age", 1) => {
            let days = two(Op::Minus, call("today", Vec::new()), args.pop()?);
            call("int", vec![two(Op::Divide, days, Expr::Number("365.25".to_owned()))])
        }
        _ => return None,
    })
}

/// A text with the answers that it shows, `{name}`, as forms show them.
pub(in super::super) fn shown(text: &str, questions: &Questions, at: &[String]) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        // No name is longer, and a text may have many brackets that are never closed.
        let end = after.char_indices().take(100).find(|(_, c)| matches!(c, '}' | '{')).map(|(end, _)| end);
        let name = end
            .and_then(|end| after.get(..end))
            .filter(|name| after.get(name.len()..).is_some_and(|rest| rest.starts_with('}')));
        let seen = name.and_then(|name| questions.named(name.trim())).and_then(|found| Questions::seen_from(found, at));
        match (seen, name) {
            (Some(seen), Some(name)) => {
                out.push_str(&format!("{{{{ {seen} }}}}"));
                rest = after.get(name.len() + 1..).unwrap_or_default();
            }
            _ => {
                out.push('{');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}
