//! Expressions of XLSForms as expressions of form files. What has no counterpart is none: it is told, never guessed.

use formwright_form::logic::quoted;

use super::pattern;
use super::xpath::{Expr, Op, only_question, parse};
use crate::xls::known::{Holds, Question, Questions};

/// Where an expression stands.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    /// All questions.
    pub(crate) questions: &'a Questions,
    /// Ids from the top down to the question that it is of.
    pub(crate) at: &'a [String],
    /// What that question holds.
    pub(crate) holds: Holds,
    /// Names of columns that stand for a row of the choices.
    pub(crate) columns: &'a [String],
}

/// What an expression gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Gives {
    Truth,
    Is(Holds),
}

/// A piece of code.
struct Code {
    text: String,
    /// How strongly it binds: 1 `?:`, 2 `||`, 3 `&&`, 4 comparisons, 5 sums, 6 products, 7 signs, 8 all else.
    binds: u8,
    gives: Gives,
}

const WHOLE: u8 = 8;

/// The expression as CEL.
pub(crate) fn code(source: &str, place: Place<'_>) -> Option<String> {
    code_of(&parse(source)?, place)
}

/// As [`code`], of one that is read already.
pub(crate) fn code_of(expr: &Expr, place: Place<'_>) -> Option<String> {
    place.code(expr).map(|code| code.text)
}

/// A condition as CEL: always true or false.
pub(crate) fn condition(source: &str, place: Place<'_>) -> Option<String> {
    condition_of(&parse(source)?, place)
}

/// As [`condition`], of one that is read already.
pub(crate) fn condition_of(expr: &Expr, place: Place<'_>) -> Option<String> {
    place.truth(expr).map(|code| code.text)
}

/// Whether an expression is made of numbers.
pub(crate) fn is_number(source: &str, place: Place<'_>) -> bool {
    parse(source).is_some_and(|expr| gives_number(&expr, place))
}

/// As [`is_number`], of one that is read already.
pub(crate) fn gives_number(expr: &Expr, place: Place<'_>) -> bool {
    place.code(expr).is_some_and(|code| code.holds(Holds::Number))
}

impl Code {
    fn new(text: impl Into<String>, gives: Gives) -> Self {
        Self { text: text.into(), binds: WHOLE, gives }
    }

    fn truth(text: impl Into<String>) -> Self {
        Self::new(text, Gives::Truth)
    }

    fn binding(self, binds: u8) -> Self {
        Self { binds, ..self }
    }

    /// In brackets where it binds less strongly than what stands around it.
    fn within(&self, binds: u8) -> String {
        if self.binds < binds { format!("({})", self.text) } else { self.text.clone() }
    }

    fn holds(&self, holds: Holds) -> bool {
        self.gives == Gives::Is(holds)
    }
}

impl Place<'_> {
    fn code(&self, expr: &Expr) -> Option<Code> {
        let bare = self.bare(expr)?;
        let Some(of) = self.denied(expr) else { return Some(bare) };
        // What is denied of a question holds there as long as it has no answer.
        let of = self.code(of)?.text;
        Some(Code::truth(format!("!answered({of}) || {}", bare.within(3))).binding(2))
    }

    /// The question that something is denied of: `${a} != 'x'`, `not(${a} > 3)`.
    fn denied<'e>(&self, expr: &'e Expr) -> Option<&'e Expr> {
        let of = match expr {
            Expr::Two(Op::NotEqual, of, value) if constant(value).is_some_and(|value| !value.is_empty()) => of.as_ref(),
            Expr::Call(name, args) if name == "not" => only_question(args.first()?)?,
            _ => return None,
        };
        let question = self.question(of)?;
        let seen = Questions::seen_from(question, self.at).is_some() && question.holds != Holds::List;
        seen.then_some(of)
    }

    fn bare(&self, expr: &Expr) -> Option<Code> {
        Some(match expr {
            Expr::Number(digits) => {
                digits.parse::<rust_decimal::Decimal>().ok()?;
                Code::new(digits.clone(), Gives::Is(Holds::Number))
            }
            Expr::Text(words) => Code::new(quoted(words), Gives::Is(Holds::Text)),
            Expr::This if self.holds == Holds::Nothing => return None,
            Expr::This => Code::new("value", Gives::Is(self.holds)),
            Expr::Field(_) | Expr::Path(..) => {
                let question = self.question(expr)?;
                Code::new(Questions::seen_from(question, self.at)?, Gives::Is(question.holds))
            }
            Expr::Column(name) => {
                self.columns.contains(name).then(|| Code::new(format!("row.{name}"), Gives::Is(Holds::Text)))?
            }
            Expr::Minus(inner) => {
                let inner = self.code(inner)?;
                Code::new(format!("-{}", inner.within(7)), Gives::Is(Holds::Number)).binding(7)
            }
            Expr::Call(name, args) => self.call(name, args)?,
            Expr::Two(op, left, right) => self.two(*op, left, right)?,
        })
    }

    /// What must be true or false.
    fn truth(&self, expr: &Expr) -> Option<Code> {
        self.code(expr).filter(|code| code.gives == Gives::Truth)
    }

    fn question(&self, expr: &Expr) -> Option<&Question> {
        match expr {
            Expr::Field(name) => self.questions.named(name),
            Expr::Path(up, names) => self.questions.along(*up, names, self.at),
            Expr::This | Expr::Number(_) | Expr::Text(_) | Expr::Column(_) => None,
            Expr::Call(..) | Expr::Two(..) | Expr::Minus(_) => None,
        }
    }

    fn two(&self, op: Op, left: &Expr, right: &Expr) -> Option<Code> {
        match op {
            // An answer that is denied to be something, and is there.
            Op::And if matches!(left, Expr::Two(Op::NotEqual, of, none) if **none == Expr::Text(String::new()) && self.denied(right) == Some(&**of)) => {
                self.bare(right)
            }
            Op::Or | Op::And => {
                let (binds, mark) = if op == Op::Or { (2, "||") } else { (3, "&&") };
                let (left, right) = (self.truth(left)?, self.truth(right)?);
                Some(Code::truth(format!("{} {mark} {}", left.within(binds), right.within(binds))).binding(binds))
            }
            Op::Equal | Op::NotEqual => self.equal(left, right, op == Op::Equal),
            Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual => {
                let (one, other) = self.alike(left, right)?;
                let text = format!("{} {} {}", one.within(5), op.written().1, other.within(5));
                Some(Code::truth(text).binding(4))
            }
            Op::Minus if self.days_apart(left, right).is_some() => self.days_apart(left, right),
            Op::Plus | Op::Minus => {
                let (one, mut other) = (self.code(left)?, self.code(right)?);
                if one.holds(Holds::Day) || one.holds(Holds::Moment) {
                    let Expr::Number(days) = right else { return None };
                    let days: u32 = days.parse().ok()?;
                    other = Code::new(format!("duration('{days}d')"), Gives::Is(Holds::Number));
                }
                let gives = if one.holds(Holds::Text) { return None } else { one.gives };
                let text = format!("{} {} {}", one.within(5), op.written().1, other.within(6));
                Some(Code::new(text, gives).binding(5))
            }
            Op::Times | Op::Divide | Op::Modulo => {
                let mark = match op {
                    Op::Times => "*",
                    Op::Divide => "/",
                    _ => "%",
                };
                let (mut one, mut other) = (self.number(left)?, self.number(right)?);
                // Whole numbers divide without decimals here, and with them there.
                match right {
                    Expr::Number(digits) if op == Op::Divide && !digits.contains('.') => other.text.push_str(".0"),
                    Expr::Number(_) => {}
                    _ if matches!(left, Expr::Two(Op::Times, _, by) if matches!(by.as_ref(), Expr::Number(digits) if digits.contains('.'))) =>
                        {}
                    _ if op == Op::Divide => {
                        one = Code::new(format!("{} * 1.0", one.within(6)), one.gives).binding(6);
                    }
                    _ => {}
                }
                let text = format!("{} {mark} {}", one.within(6), other.within(7));
                Some(Code::new(text, Gives::Is(Holds::Number)).binding(6))
            }
        }
    }

    fn number(&self, expr: &Expr) -> Option<Code> {
        self.code(expr).filter(|code| code.holds(Holds::Number) || code.holds(Holds::Other))
    }

    fn equal(&self, left: &Expr, right: &Expr, holds: bool) -> Option<Code> {
        let not = if holds { "" } else { "!" };
        // An answer that is no text is no answer.
        if let Expr::Text(words) = right
            && words.is_empty()
        {
            let one = self.code(left)?;
            let not = if holds { "!" } else { "" };
            return Some(Code::truth(format!("{not}answered({})", one.text)).binding(7));
        }
        if let Some(named) = constant(right) {
            let one = self.code(left)?;
            if one.holds(Holds::YesNo) {
                let yes = match named.as_str() {
                    "yes" => holds,
                    "no" => !holds,
                    _ => return None,
                };
                return Some(Code::truth(format!("{}{}", if yes { "" } else { "!" }, one.within(7))).binding(7));
            }
            if one.holds(Holds::Choice) || one.holds(Holds::Text) {
                let text = format!("{} {not}{} {}", one.within(5), if holds { "==" } else { "=" }, quoted(&named));
                return Some(Code::truth(text).binding(4));
            }
            if one.holds(Holds::Choices) {
                return None;
            }
        }
        let (one, other) = self.alike(left, right)?;
        let mark = if holds { "==" } else { "!=" };
        Some(Code::truth(format!("{} {mark} {}", one.within(5), other.within(5))).binding(4))
    }

    /// Two values to be compared: a text beside a number or day is read as one.
    fn alike(&self, left: &Expr, right: &Expr) -> Option<(Code, Code)> {
        let (mut one, mut other) = (self.code(left)?, self.code(right)?);
        let read = |words: &str, beside: Gives| match beside {
            Gives::Is(Holds::Number) => {
                words.parse::<rust_decimal::Decimal>().ok().map(|_| Some(Code::new(words, beside)))
            }
            Gives::Is(Holds::Day) => Some(Some(Code::new(format!("date({})", quoted(words)), beside))),
            Gives::Is(Holds::Moment) => Some(Some(Code::new(format!("timestamp({})", quoted(words)), beside))),
            _ => Some(None),
        };
        match (left, right) {
            (_, Expr::Text(words)) => other = read(words, one.gives)?.unwrap_or(other),
            (Expr::Text(words), _) => one = read(words, other.gives)?.unwrap_or(one),
            _ => {}
        }
        // A cell of the choices is a text, which is never the same as a number or a day.
        let apart = |cell: &Expr, other: &Code| {
            matches!(cell, Expr::Column(_)) && !other.holds(Holds::Text) && !other.holds(Holds::Choice)
        };
        if apart(left, &other) || apart(right, &one) {
            return None;
        }
        Some((one, other))
    }

    /// Days from one day to another: `${end} - ${start}`.
    fn days_apart(&self, left: &Expr, right: &Expr) -> Option<Code> {
        fn bare(expr: &Expr) -> &Expr {
            match expr {
                Expr::Call(name, args) if matches!(name.as_str(), "decimal-date-time" | "date") => {
                    args.first().filter(|arg| !matches!(arg, Expr::Text(_))).map_or(expr, bare)
                }
                _ => expr,
            }
        }
        let (one, other) = (self.code(bare(left))?, self.code(bare(right))?);
        let is_day = |code: &Code| code.holds(Holds::Day) || code.holds(Holds::Moment);
        (is_day(&one) && is_day(&other))
            .then(|| Code::new(format!("days({}, {})", one.text, other.text), Gives::Is(Holds::Number)))
    }

    fn call(&self, name: &str, args: &[Expr]) -> Option<Code> {
        let number = |text: String| Some(Code::new(text, Gives::Is(Holds::Number)));
        let one = || self.code(args.first().filter(|_| args.len() == 1)?);
        match (name, args) {
            ("true", []) => Some(Code::truth("true")),
            ("false", []) => Some(Code::truth("false")),
            ("today", []) => Some(Code::new("today", Gives::Is(Holds::Day))),
            ("now", []) => Some(Code::new("now", Gives::Is(Holds::Moment))),
            ("not", [inner]) => {
                let inner = self.truth(inner)?;
                Some(Code::truth(format!("!{}", inner.within(7))).binding(7))
            }
            ("selected", [list, picked]) => {
                let (found, Expr::Text(picked)) = (self.code(list)?, picked) else { return None };
                match found.gives {
                    Gives::Is(Holds::Choices) => {
                        Some(Code::truth(format!("{} in {}", quoted(picked), found.within(5))).binding(4))
                    }
                    Gives::Is(Holds::Choice | Holds::YesNo) => self.equal(list, &Expr::Text(picked.clone()), true),
                    _ => None,
                }
            }
            ("count-selected" | "string-length", [_]) => number(format!("size({})", one()?.text)),
            ("count", [only]) => {
                let question = self.question(only)?;
                let list = if question.holds == Holds::List {
                    question.path.as_slice()
                } else {
                    question.path.get(..question.list)?
                };
                number(format!("size({})", Questions::seen_from(self.questions.at(list)?, self.at)?))
            }
            ("sum" | "min" | "max", [only]) if self.question(only).is_some_and(|question| question.list > 0) => {
                let question = self.question(only)?;
                number(format!("{name}({})", self.questions.over_items(question, self.at)?))
            }
            ("min" | "max", _) if args.len() > 1 => {
                let args: Option<Vec<String>> = args.iter().map(|arg| Some(self.number(arg)?.text)).collect();
                number(format!("{name}({})", args?.join(", ")))
            }
            ("int" | "floor", [inner]) => match self.years(inner) {
                Some(years) => number(years),
                None => number(format!("floor({})", one()?.text)),
            },
            ("ceiling", [_]) => number(format!("ceil({})", one()?.text)),
            ("abs", [_]) => number(format!("abs({})", one()?.text)),
            ("round", [what, Expr::Number(places)]) => number(format!("round({}, {places})", self.number(what)?.text)),
            ("round", [_]) => number(format!("round({})", one()?.text)),
            ("number", [inner]) => self.number(inner),
            ("string", [inner]) => self.code(inner).filter(|code| code.holds(Holds::Text)),
            ("date", [Expr::Text(day)]) => Some(Code::new(format!("date({})", quoted(day)), Gives::Is(Holds::Day))),
            ("date", [_]) => one().map(|code| Code::new(format!("date({})", code.text), Gives::Is(Holds::Day))),
            ("once", [inner]) => self.code(inner),
            ("if", [condition, yes, no]) => {
                let (condition, yes, no) = (self.truth(condition)?, self.code(yes)?, self.code(no)?);
                let text = format!("{} ? {} : {}", condition.within(2), yes.within(2), no.within(1));
                Some(Code::new(text, yes.gives).binding(1))
            }
            ("coalesce", [first, other]) => {
                let (first, other) = (self.code(first)?, self.code(other)?);
                let text = format!("answered({0}) ? {0} : {1}", first.text, other.within(1));
                Some(Code::new(text, first.gives).binding(1))
            }
            ("concat", _) => {
                let parts: Option<Vec<String>> = args.iter().map(|arg| self.in_words(arg)).collect();
                Some(Code::new(parts?.join(" + "), Gives::Is(Holds::Text)).binding(5))
            }
            ("contains" | "starts-with" | "ends-with", [of, part]) => {
                let name = match name {
                    "contains" => "contains",
                    "starts-with" => "startsWith",
                    _ => "endsWith",
                };
                Some(Code::truth(format!("{}.{name}({})", self.code(of)?.within(WHOLE), self.code(part)?.text)))
            }
            ("regex", [of, Expr::Text(pattern)]) => {
                let of = self.code(of)?;
                Some(Code::truth(format!("{}.matches({})", of.within(WHOLE), quoted(&pattern::whole(pattern)))))
            }
            _ => None,
        }
    }
}

impl Place<'_> {
    /// A value as the words that it is written with.
    fn in_words(&self, expr: &Expr) -> Option<String> {
        let code = self.code(expr)?;
        match code.gives {
            Gives::Is(Holds::Text | Holds::Choice) => Some(code.within(6)),
            Gives::Is(Holds::Number | Holds::Day | Holds::Moment | Holds::Other) => {
                Some(format!("string({})", code.text))
            }
            // Others are written in other words there than here.
            Gives::Is(Holds::Choices | Holds::YesNo | Holds::List | Holds::Nothing) | Gives::Truth => None,
        }
    }

    /// An age: the days between two days, divided by those of a year.
    fn years(&self, expr: &Expr) -> Option<String> {
        let Expr::Two(Op::Divide, days, year) = expr else { return None };
        let (Expr::Two(Op::Minus, later, earlier), Expr::Number(year)) = (days.as_ref(), year.as_ref()) else {
            return None;
        };
        let days = self.days_apart(later, earlier)?.text;
        let is_year = matches!(year.as_str(), "365" | "365.25" | "365.2425");
        is_year.then(|| days.replacen("days(", "years(", 1))
    }
}

/// A text or numeral as it is written.
fn constant(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Text(words) | Expr::Number(words) => Some(words.clone()),
        _ => None,
    }
}
