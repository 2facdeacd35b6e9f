//! Reading CEL: limits first, then the `cel` crate's parser, its complaints reworded for authors of forms.

use std::ops::Range;
use std::sync::LazyLock;

use cel::common::ast::{IdedExpr, SourceInfo};

use super::fault::{Fault, FaultKind};

/// Greatest length of an expression in bytes.
pub const MAX_SOURCE: usize = 4096;
/// Greatest depth of brackets.
const MAX_BRACKETS: usize = 32;

// Without the standard macros, `items.map(i, i.amount)` arrives as the call that it is written as.
static ENV: LazyLock<cel::Env> = LazyLock::new(|| cel::Env::default().with_optional_support(false));

/// A parsed expression with where its parts stand.
pub(super) struct Parsed<'a> {
    pub(super) root: IdedExpr,
    pub(super) places: Places<'a>,
}

/// Where the parts of an expression stand.
pub(super) struct Places<'a> {
    pub(super) source: &'a str,
    info: SourceInfo,
}

impl Places<'_> {
    /// Byte range of a part; the operator's of an operation.
    pub(super) fn span(&self, id: u64) -> Range<usize> {
        let (start, stop) = self.info.offset_for(id).unwrap_or((0, 0));
        let at = |n: u32| char_start(self.source, n as usize);
        let (start, stop) = (at(start), at(stop));
        if start <= stop { start..char_end(self.source, stop) } else { start..char_end(self.source, start) }
    }
}

/// Parses an expression.
///
/// # Errors
/// What is wrong with it: the first complaint, as the others follow from it.
pub(super) fn parse(source: &str) -> Result<Parsed<'_>, Fault> {
    check_size(source)?;
    match ENV.parser().parse_with_source_info(source) {
        Ok((root, info)) => Ok(Parsed { root, places: Places { source, info } }),
        Err(errors) => {
            let (pos, message) = match errors.errors.first() {
                Some(error) => (error.pos, error.msg.as_str()),
                None => ((1, 1), ""),
            };
            Err(reworded(source, position(source, pos), message))
        }
    }
}

fn check_size(source: &str) -> Result<(), Fault> {
    if source.len() > MAX_SOURCE {
        let message = format!("the expression is longer than {MAX_SOURCE} bytes");
        let fault = Fault::new(FaultKind::TooLarge, message, 0..char_end(source, 0));
        return Err(fault.help("split it into computed fields"));
    }
    let mut depth = 0_usize;
    for (at, c) in source.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_BRACKETS {
            let message = format!("brackets are nested more than {MAX_BRACKETS} deep");
            return Err(Fault::new(FaultKind::TooLarge, message, at..at + 1).help("split it into computed fields"));
        }
    }
    Ok(())
}

fn char_start(source: &str, at: usize) -> usize {
    (0..=at.min(source.len())).rev().find(|at| source.is_char_boundary(*at)).unwrap_or(0)
}

fn char_end(source: &str, start: usize) -> usize {
    source.get(start..).and_then(|rest| rest.chars().next()).map_or(source.len(), |c| start + c.len_utf8())
}

/// Byte offset of a line and column, both from 1, columns in characters.
fn position(source: &str, (line, column): (isize, isize)) -> usize {
    let nth = |n: isize| usize::try_from(n - 1).unwrap_or(0);
    let mut start = 0;
    for line in source.split_inclusive('\n').take(nth(line)) {
        start += line.len();
    }
    let rest = source.get(start..).unwrap_or("");
    start + rest.char_indices().nth(nth(column)).map_or(rest.len(), |(at, _)| at)
}

fn reworded(source: &str, at: usize, message: &str) -> Fault {
    // The parser stumbles over what follows a `not`; the word itself is what is wrong.
    let before = source.get(..at).unwrap_or("").trim_end();
    let not = before.len().checked_sub(3).filter(|not| {
        let apart = !source.get(..*not).unwrap_or("").ends_with(|c: char| c.is_alphanumeric() || c == '_');
        apart && source.get(*not..before.len()).is_some_and(|word| word.eq_ignore_ascii_case("not"))
    });
    let at = not.unwrap_or(at);
    let token = token_at(source, at);
    let text = source.get(token.clone()).unwrap_or("");
    if source.trim().is_empty() {
        return Fault::new(FaultKind::Syntax, "the expression is empty", 0..source.len())
            .help("write a condition, or leave the key out");
    }
    let fault = |message: String| Fault::new(FaultKind::Syntax, message, token.clone());
    if message.contains("Recursion limit") {
        return Fault { kind: FaultKind::TooLarge, ..fault("the expression is nested too deeply".to_owned()) }
            .help("split it into computed fields");
    }
    if let Some(word) = message.strip_prefix("reserved identifier: ") {
        return fault(format!("`{word}` is a reserved word")).help("give the field another id");
    }
    if message.starts_with("invalid string literal") {
        return fault("this text in quotes has an escape that is not valid".to_owned())
            .help("write \\\\ for a backslash");
    }
    if message.starts_with("invalid ") {
        return fault("this number is too large or not a number".to_owned()).help("write it with digits only: `1000`");
    }
    if let Some(help) = habit(source, at, text) {
        return fault(format!("`{text}` is not expected here")).help(help);
    }
    if message.contains("token recognition") && text.starts_with(['\'', '"']) {
        return fault("this text in quotes does not end, or has an escape that is not valid".to_owned())
            .help("close it with the quote it began with; write \\\\ for a backslash");
    }
    if text.is_empty() {
        return fault("the expression ends too early".to_owned())
            .help("something is missing at the end: a value, or a closing bracket");
    }
    fault(format!("`{text}` is not expected here"))
}

/// Habits of other languages.
fn habit(source: &str, at: usize, text: &str) -> Option<&'static str> {
    let before = source.get(..at).unwrap_or("").trim_end();
    let after = source.get(at..).unwrap_or("");
    match text {
        "and" | "AND" | "And" => Some("write `&&` for and"),
        "or" | "OR" | "Or" => Some("write `||` for or"),
        "not" | "NOT" | "Not" if after.get(3..).is_some_and(|rest| rest.trim_start().starts_with("in ")) => {
            Some("write `!(a in b)` for not in")
        }
        "not" | "NOT" | "Not" => Some("write `!` for not"),
        "is" | "IS" => Some("write `==` to compare, `!=` for not equal"),
        "=" if after.starts_with("=~") => Some("write `text.matches('pattern')`"),
        "," if source.contains("in (") || source.contains("in(") => {
            Some("write the list in square brackets: `['a', 'b']`")
        }
        "=" if before.ends_with("==") || before.ends_with("!=") => Some("write `==` to compare, `!=` for not equal"),
        "=" if !after.starts_with("==") => Some("write `==` to compare"),
        "&" => Some("write `&&` for and"),
        "|" => Some("write `||` for or"),
        _ if before.ends_with("not") || before.ends_with("NOT") => Some("write `!` for not"),
        "{" | "}" | "%" if source.contains("{{") || source.contains("{%") => {
            Some("expressions have no braces: write only what stands in them")
        }
        "contains" | "CONTAINS" | "like" | "LIKE" => Some("write `a.contains('b')`"),
        _ if before.ends_with("<>") || text == "<>" || before.ends_with('<') && text == ">" => {
            Some("write `!=` for not equal")
        }
        _ => None,
    }
}

/// The word or mark at a place.
fn token_at(source: &str, at: usize) -> Range<usize> {
    let rest = source.get(at..).unwrap_or("");
    let word = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
    at..if word > 0 { at + word } else { char_end(source, at) }
}
