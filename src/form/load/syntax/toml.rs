//! Reads TOML into a [`Node`].

use std::ops::Range;

use formwright_form::problem::{Problem, Problems};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::node::{Data, Entry, Node};

pub(crate) fn read(text: &str, problems: &mut Problems) -> Node {
    let (table, errors) = DeTable::parse_recoverable(text);
    let root = Node { span: table.span(), data: map(table.into_inner()) };
    for error in errors {
        let span = error.span().unwrap_or(0..0);
        let problem = match error.message() {
            "duplicate key" => duplicate(text, &root, span),
            message => {
                let help = advice(message, text, &span);
                Problem::error("form::syntax", format!("not valid TOML: {message}")).at(span, "here").help(help)
            }
        };
        problems.push(problem);
    }
    root
}

/// What to change, by where it stands and what the parser says.
fn advice(message: &str, text: &str, span: &Range<usize>) -> &'static str {
    let before = text.get(..span.start).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default().trim();
    let rest = text.get(span.start..).unwrap_or_default().lines().next().unwrap_or_default();
    if line.is_empty() && !rest.contains(['=', '[']) || line.ends_with(':') || message.contains("expected `=`") {
        return "TOML has lines such as `key = \"text\"`, and `[[field]]` before each field";
    }
    if message.contains("string") || message.contains("quote") || line.matches('"').count() % 2 == 1 {
        return "a text begins and ends with `\"` on one line; longer ones are written between `\"\"\"`";
    }
    if line.starts_with('[') && message.contains(']') {
        return "close the brackets: `[[field]]`";
    }
    if line.contains('=') {
        return "texts stand in quotes: `\"text\"`; numbers, `true` and `false` do not; lists look like `[\"a\", \"b\"]`";
    }
    "TOML has lines such as `key = \"text\"`, and `[[field]]` before each field"
}

fn duplicate(text: &str, root: &Node, span: Range<usize>) -> Problem {
    let key = text.get(span.clone()).unwrap_or_default();
    let problem = Problem::error("form::duplicate_key", format!("`{key}` is given twice"));
    let mut first = None;
    root.each_entry(&mut |entry| {
        if entry.key == key && entry.span.start < span.start {
            first = Some(entry.span.clone());
        }
    });
    let problem = problem.at(span, "again here").help("keep one of the two");
    match first {
        Some(first) => problem.at(first, "first here"),
        None => problem,
    }
}

fn map(table: DeTable<'_>) -> Data {
    let entry = |(key, value): (Spanned<std::borrow::Cow<'_, str>>, Spanned<DeValue<'_>>)| Entry {
        span: key.span(),
        key: key.into_inner().into_owned(),
        node: node(value),
    };
    Data::Map(table.into_iter().map(entry).collect())
}

fn node(value: Spanned<DeValue<'_>>) -> Node {
    let span = value.span();
    let data = match value.into_inner() {
        DeValue::String(text) => Data::Text(text.into_owned()),
        DeValue::Integer(whole) => {
            let number = i128::from_str_radix(whole.as_str(), whole.radix());
            Data::Number(number.map_or_else(|_| whole.to_string(), |number| number.to_string()))
        }
        DeValue::Float(float) => Data::Number(float.as_str().to_owned()),
        DeValue::Boolean(truth) => Data::Bool(truth),
        DeValue::Datetime(moment) => Data::Moment(moment.to_string()),
        DeValue::Array(items) => Data::List(items.into_iter().map(node).collect()),
        DeValue::Table(table) => map(table),
    };
    Node { span, data }
}
