//! The expressions of XLSForms: the part of XPath that OpenRosa forms use, read into a tree.

/// Longest expression in bytes, and deepest brackets.
const LONGEST: usize = 4096;
const DEEPEST: u32 = 48;

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Expr {
    /// A numeral.
    Number(String),
    /// A text in quotes.
    Text(String),
    /// Another question by its name: `${name}`.
    Field(String),
    /// Another question by where it stands: so many steps up, `../name`, or from the top, `/form/group/name`.
    Path(Option<usize>, Vec<String>),
    /// A name as it stands: a column of the choices.
    Column(String),
    /// The question itself: `.`
    This,
    /// A function.
    Call(String, Vec<Expr>),
    /// An operation.
    Two(Op, Box<Expr>, Box<Expr>),
    /// A number with its sign turned.
    Minus(Box<Expr>),
}

/// What two parts are joined by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Op {
    Or,
    And,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Plus,
    Minus,
    Times,
    Divide,
    Modulo,
}

impl Op {
    /// How strongly it binds, from 1, and how it is written.
    pub(crate) fn written(self) -> (u8, &'static str) {
        match self {
            Self::Or => (1, "or"),
            Self::And => (2, "and"),
            Self::Equal => (3, "="),
            Self::NotEqual => (3, "!="),
            Self::Less => (4, "<"),
            Self::LessEqual => (4, "<="),
            Self::Greater => (4, ">"),
            Self::GreaterEqual => (4, ">="),
            Self::Plus => (5, "+"),
            Self::Minus => (5, "-"),
            Self::Times => (6, "*"),
            Self::Divide => (6, "div"),
            Self::Modulo => (6, "mod"),
        }
    }

    const ALL: [Self; 13] = [
        Self::Or,
        Self::And,
        Self::Equal,
        Self::NotEqual,
        Self::Less,
        Self::LessEqual,
        Self::Greater,
        Self::GreaterEqual,
        Self::Plus,
        Self::Minus,
        Self::Times,
        Self::Divide,
        Self::Modulo,
    ];
}

/// Reads an expression; none where it is none, or uses what forms here have nothing for.
pub(crate) fn parse(source: &str) -> Option<Expr> {
    if source.len() > LONGEST {
        return None;
    }
    let mut parser = Parser { tokens: tokens(source)?, at: 0, depth: 0 };
    let expr = parser.binary(1)?;
    (parser.at == parser.tokens.len()).then_some(expr)
}

/// Whether a text is a function with its arguments: `today()`. `Other (specify)` is not.
pub(crate) fn is_call(text: &str) -> bool {
    let name = text.strip_suffix(')').and_then(|rest| Some(rest.split_once('(')?.0)).unwrap_or_default();
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || "-:.".contains(c))
}

/// The only question that an expression speaks of, where that does not hold without its answer: comparisons and picks.
pub(crate) fn only_question(expr: &Expr) -> Option<&Expr> {
    fn each<'e>(expr: &'e Expr, found: &mut Vec<&'e Expr>) -> bool {
        match expr {
            Expr::Field(_) | Expr::Path(..) => {
                found.push(expr);
                true
            }
            Expr::Text(words) => !words.is_empty(),
            Expr::Number(_) => true,
            Expr::This | Expr::Column(_) | Expr::Two(Op::NotEqual, ..) => false,
            Expr::Minus(inner) => each(inner, found),
            Expr::Call(name, args) => name == "selected" && args.iter().all(|arg| each(arg, found)),
            Expr::Two(_, left, right) => each(left, found) && each(right, found),
        }
    }
    let mut found = Vec::new();
    let plain = each(expr, &mut found);
    let first = found.first().copied().filter(|_| plain)?;
    found.iter().all(|other| *other == first).then_some(first)
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Number(String),
    Text(String),
    Field(String),
    Name(String),
    Mark(&'static str),
}

/// Marks, the longer first.
const MARKS: [&str; 17] = ["!=", "<=", ">=", "..", "(", ")", ",", "=", "<", ">", "+", "-", "*", "/", ".", "[", "]"];

fn tokens(source: &str) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut rest = source.trim_start();
    while let Some(first) = rest.chars().next() {
        let token;
        if let Some(inner) = rest.strip_prefix("${") {
            let (name, tail) = inner.split_once('}')?;
            token = Token::Field(name.trim().to_owned());
            rest = tail;
        } else if matches!(first, '\'' | '"' | '‘' | '’' | '“' | '”') {
            // Spreadsheets turn quotes into typographic ones.
            let inner = rest.get(first.len_utf8()..)?;
            let ends = |c: char| match first {
                '\'' | '‘' | '’' => matches!(c, '\'' | '’' | '‘'),
                _ => matches!(c, '"' | '”' | '“'),
            };
            let end = inner.find(ends)?;
            token = Token::Text(inner.get(..end)?.to_owned());
            rest = inner.get(end..)?.get(inner.get(end..)?.chars().next()?.len_utf8()..)?;
        } else if first.is_ascii_digit() {
            let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
            token = Token::Number(rest.get(..end)?.to_owned());
            rest = rest.get(end..)?;
        } else if first.is_alphabetic() || first == '_' {
            let end =
                rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':'))).unwrap_or(rest.len());
            token = Token::Name(rest.get(..end)?.to_owned());
            rest = rest.get(end..)?;
        } else {
            let mark = MARKS.iter().find(|mark| rest.starts_with(**mark))?;
            token = Token::Mark(mark);
            rest = rest.get(mark.len()..)?;
        }
        tokens.push(token);
        rest = rest.trim_start();
    }
    Some(tokens)
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    depth: u32,
}

impl Parser {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn eat(&mut self, mark: &str) -> bool {
        let is = matches!(self.peek(), Some(Token::Mark(found)) if *found == mark);
        self.at += usize::from(is);
        is
    }

    /// The operator that comes next, where it binds as strongly.
    fn operator(&self, level: u8) -> Option<Op> {
        let word = match self.peek()? {
            Token::Mark(mark) => *mark,
            Token::Name(name) if matches!(name.as_str(), "or" | "and" | "div" | "mod") => name.as_str(),
            Token::Name(_) | Token::Number(_) | Token::Text(_) | Token::Field(_) => return None,
        };
        Op::ALL.into_iter().find(|op| op.written() == (level, word))
    }

    fn binary(&mut self, level: u8) -> Option<Expr> {
        if level > 6 {
            return self.unary();
        }
        let mut left = self.binary(level + 1)?;
        while let Some(op) = self.operator(level) {
            self.at += 1;
            let right = self.binary(level + 1)?;
            left = Expr::Two(op, Box::new(left), Box::new(right));
        }
        Some(left)
    }

    fn unary(&mut self) -> Option<Expr> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let expr = if self.eat("-") { Some(Expr::Minus(Box::new(self.unary()?))) } else { self.primary() };
        self.depth -= 1;
        expr
    }

    fn primary(&mut self) -> Option<Expr> {
        if self.eat("(") {
            let inner = self.binary(1)?;
            return self.eat(")").then_some(inner);
        }
        if matches!(self.peek(), Some(Token::Mark(".." | "/"))) {
            return self.path();
        }
        if self.eat(".") {
            return Some(Expr::This);
        }
        let token = self.peek()?.clone();
        self.at += 1;
        match token {
            Token::Number(digits) => Some(Expr::Number(digits)),
            Token::Text(text) => Some(Expr::Text(text)),
            Token::Field(name) => Some(Expr::Field(name)),
            Token::Name(name) if self.eat("(") => {
                let mut args = Vec::new();
                while !self.eat(")") {
                    if !args.is_empty() && !self.eat(",") {
                        return None;
                    }
                    args.push(self.binary(1)?);
                }
                Some(Expr::Call(name, args))
            }
            Token::Name(name) => Some(Expr::Column(name)),
            Token::Mark(_) => None,
        }
    }

    /// A path to a question.
    fn path(&mut self) -> Option<Expr> {
        let mut up = 0;
        while self.eat("..") {
            up += 1;
            if !matches!(self.peek(), Some(Token::Mark("/"))) {
                return None;
            }
            let before_up = matches!(self.tokens.get(self.at + 1), Some(Token::Mark("..")));
            self.at += usize::from(before_up);
        }
        let mut names = Vec::new();
        while self.eat("/") {
            let Some(Token::Name(name)) = self.tokens.get(self.at).cloned() else { return None };
            self.at += 1;
            if matches!(self.peek(), Some(Token::Mark("(" | "["))) {
                return None;
            }
            names.push(name);
        }
        Some(Expr::Path((up > 0).then_some(up), names))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(expr: &Expr) -> String {
        match expr {
            Expr::Number(digits) => digits.clone(),
            Expr::Text(text) => format!("'{text}'"),
            Expr::Field(name) => format!("${name}"),
            Expr::Path(up, names) => format!("{}/{}", "^".repeat(up.unwrap_or(0)), names.join("/")),
            Expr::Column(name) => name.clone(),
            Expr::This => ".".to_owned(),
            Expr::Call(name, args) => format!("{name}({})", args.iter().map(shown).collect::<Vec<_>>().join(", ")),
            Expr::Two(op, left, right) => format!("({} {} {})", shown(left), op.written().1, shown(right)),
            Expr::Minus(inner) => format!("-{}", shown(inner)),
        }
    }

    #[rstest::rstest]
    #[case("${a}='x' or ${b} > 3 and ${c} != ''", "(($a = 'x') or (($b > 3) and ($c != '')))")]
    #[case(". >= 0 and . <= 1.5", "((. >= 0) and (. <= 1.5))")]
    #[case("${a} - ${b} - 2 * -3", "(($a - $b) - (2 * -3))")]
    #[case("selected( ${tools}, 'saw-blade')", "selected($tools, 'saw-blade')")]
    #[case("../amount div 2 mod 3", "((^/amount div 2) mod 3)")]
    #[case("/data/group/age > 18", "(/data/group/age > 18)")]
    #[case("../../home/age > 18", "(^^/home/age > 18)")]
    #[case("string-length(.) < 9", "(string-length(.) < 9)")]
    #[case("state=${state}", "(state = $state)")]
    #[case("${a} = ‘yes’", "($a = 'yes')")]
    #[case("if(true(), today(), \"it's\")", "if(true(), today(), 'it's')")]
    fn an_expression_is_read(#[case] source: &str, #[case] tree: &str) {
        assert_eq!(parse(source).as_ref().map(shown).as_deref(), Some(tree));
    }

    #[rstest::rstest]
    #[case("")]
    #[case("${a")]
    #[case("(1")]
    #[case("1 2")]
    #[case("instance('x')/root/item[name = 1]/label")]
    #[case("'open")]
    #[case("f(1 2)")]
    #[case("a | b")]
    #[case("..")]
    #[case("../..")]
    #[case("//age")]
    fn what_is_no_expression_is_none(#[case] source: &str) {
        assert_eq!(parse(source), None);
    }

    #[test]
    fn brackets_without_end_do_not_run_away() {
        assert_eq!(parse(&"(".repeat(4000)), None);
        assert_eq!(parse(&format!("{}1{}", "(".repeat(1000), ")".repeat(1000))), None);
    }
}
