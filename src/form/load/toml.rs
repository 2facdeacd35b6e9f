//! Reads TOML into a [`Node`].

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::node::{Data, Entry, Node};
use crate::form::problem::{Problem, Problems};

pub(super) fn read(text: &str, problems: &mut Problems) -> Node {
    let (table, errors) = DeTable::parse_recoverable(text);
    let root = Node { span: table.span(), data: map(table.into_inner()) };
    for error in errors {
        let span = error.span().unwrap_or(0..0);
        let problem = match error.message() {
            "duplicate key" => duplicate(text, &root, span),
            message => Problem::error("form::syntax", format!("not valid TOML: {message}")).at(span, "here"),
        };
        problems.push(problem);
    }
    root
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
