//! A cell as the value that its key holds. What does not read as one stays text, so that the checks say what is wrong.

use std::ops::Range;

use super::outline::Cell;
use crate::node::{Data, Entry, Node};
use crate::shape::Shape;
use crate::syntax::json;

/// The value of a cell for a key of this shape.
#[expect(clippy::wildcard_enum_match_arm, reason = "most shapes are words")]
pub(super) fn node(cell: &Cell, shape: &Shape) -> Node {
    match shape {
        Shape::Texts => lines(cell, &[]),
        Shape::Words | Shape::Lines | Shape::Languages | Shape::Currencies | Shape::SomeOf(_) => lines(cell, &[',']),
        Shape::LinesOrTables(_) => listed(lines(cell, &[',', ';'])),
        Shape::Truth => truth(cell).unwrap_or_else(|| text(cell)),
        Shape::Whole(..) | Shape::Decimal => number(cell).unwrap_or_else(|| text(cell)),
        Shape::Any => written(cell).unwrap_or_else(|| text(cell)),
        Shape::LineOrTable(_) => structured(cell).or_else(|| named(cell)).unwrap_or_else(|| text(cell)),
        Shape::Exprs => structured(cell).or_else(|| exprs(cell)).unwrap_or_else(|| text(cell)),
        Shape::Text | Shape::Line => only(cell).unwrap_or_else(|| text(cell)),
        _ => structured(cell).unwrap_or_else(|| text(cell)),
    }
}

/// The words of a cell.
pub(super) fn text(cell: &Cell) -> Node {
    let span = cell.code().map_or_else(|| words_span(cell), |(_, span)| span.clone());
    Node { span, data: Data::Text(cell.text()) }
}

/// Where the words of a cell stand, without the white space around.
fn words_span(cell: &Cell) -> Range<usize> {
    match (cell.lines.first(), cell.lines.last()) {
        (Some((_, first)), Some((_, last))) => first.start..last.end.max(first.start),
        _ => cell.span.clone(),
    }
}

/// Whether words mean yes or no.
pub(super) fn truth_of(words: &str) -> Option<bool> {
    match words.trim().to_lowercase().as_str() {
        "yes" | "true" | "on" | "y" | "✓" | "✔" => Some(true),
        "no" | "false" | "off" | "n" | "✗" | "✘" => Some(false),
        _ => None,
    }
}

fn truth(cell: &Cell) -> Option<Node> {
    Some(Node { data: Data::Bool(truth_of(&cell.text())?), ..text(cell) })
}

fn number(cell: &Cell) -> Option<Node> {
    let digits: String = cell.text().chars().filter(|c| !matches!(c, '_' | '\u{a0}' | '\u{202f}')).collect();
    let is_number = digits.parse::<rust_decimal::Decimal>().is_ok();
    is_number.then(|| Node { data: Data::Number(digits), ..text(cell) })
}

/// What is written as code, as JSON: `["a", "b"]`, `true`, `3`.
pub(super) fn written(cell: &Cell) -> Option<Node> {
    let (code, span) = cell.code()?;
    let mut problems = Vec::new();
    let mut node = json::read(code, &mut problems);
    if !problems.is_empty() {
        return None;
    }
    stand(&mut node, span);
    Some(node)
}

/// Gives a value and all it holds one place: marks and escapes of code leave no telling where a part of it stands.
pub(super) fn stand(node: &mut Node, span: &Range<usize>) {
    node.span = span.clone();
    match &mut node.data {
        Data::List(items) => items.iter_mut().for_each(|item| stand(item, span)),
        Data::Map(entries) => {
            for entry in entries {
                entry.span = span.clone();
                stand(&mut entry.node, span);
            }
        }
        Data::Null | Data::Bool(_) | Data::Number(_) | Data::Text(_) | Data::Moment(_) => {}
    }
}

/// A list or table written as code.
fn structured(cell: &Cell) -> Option<Node> {
    written(cell).filter(|node| matches!(node.data, Data::List(_) | Data::Map(_)))
}

/// The text of a list of one, written as code: so a text may begin or end with a space.
fn only(cell: &Cell) -> Option<Node> {
    match structured(cell)?.data {
        Data::List(items) => items.into_iter().next().filter(|item| item.text().is_some()),
        Data::Null | Data::Bool(_) | Data::Number(_) | Data::Text(_) | Data::Moment(_) | Data::Map(_) => None,
    }
}

/// Each line, or where there is one line, each part between the marks; a text alone stays one.
fn lines(cell: &Cell, marks: &[char]) -> Node {
    if let Some(node) = structured(cell) {
        return node;
    }
    let item =
        |words: &str, span: &Range<usize>| Node { span: span.clone(), data: Data::Text(words.trim().to_owned()) };
    let mut items: Vec<Node> = match cell.lines.as_slice() {
        [(line, span)] if line.contains(marks) && !marks.is_empty() => {
            apart(line, marks).into_iter().map(|part| item(part, span)).collect()
        }
        lines => lines.iter().map(|(line, span)| item(line, span)).collect(),
    };
    items.retain(|item| item.text().is_some_and(|text| !text.is_empty()));
    match items.len() {
        0 | 1 => text(cell),
        _ => Node { span: words_span(cell), data: Data::List(items) },
    }
}

/// The parts of a line between marks. What stands in brackets stays together: `Large (up to 3.5 t, 20 m³)`.
fn apart<'l>(line: &'l str, marks: &[char]) -> Vec<&'l str> {
    let is_open = |at: usize, c: char| c == '(' && line.get(at..).is_some_and(|rest| rest.contains(')'));
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0_usize);
    for (at, c) in line.char_indices() {
        match c {
            _ if is_open(at, c) => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ if depth == 0 && marks.contains(&c) => {
                parts.extend(line.get(start..at));
                start = at + c.len_utf8();
            }
            _ => {}
        }
    }
    parts.extend(line.get(start..));
    parts
}

/// A list, also where there is only one.
fn listed(node: Node) -> Node {
    if matches!(node.data, Data::List(_)) {
        return node;
    }
    Node { span: node.span.clone(), data: Data::List(vec![node]) }
}

/// A name with further keys: `get_types, id = code, label = name`.
fn named(cell: &Cell) -> Option<Node> {
    let words = cell.text();
    let (name, rest) = words.split_once(',')?;
    let span = words_span(cell);
    let entry = |key: &str, value: &str| Entry {
        key: key.trim().to_owned(),
        span: span.clone(),
        node: Node { span: span.clone(), data: Data::Text(value.trim().to_owned()) },
    };
    let mut entries = vec![entry("tool", name)];
    for part in rest.split(',') {
        let (key, value) = part.split_once('=')?;
        entries.push(entry(key, value));
    }
    Some(Node { span: span.clone(), data: Data::Map(entries) })
}

/// Expressions by name, a line each: `type = selectedType`; a name alone is a field of that name.
fn exprs(cell: &Cell) -> Option<Node> {
    let parts: Vec<(String, Range<usize>)> = match cell.lines.as_slice() {
        [(line, span)] if !line.contains('=') => line.split(',').map(|part| (part.to_owned(), span.clone())).collect(),
        lines => lines.to_vec(),
    };
    let mut entries = Vec::new();
    for (line, span) in parts.iter().filter(|(line, _)| !line.trim().is_empty()) {
        // `==` belongs to an expression, `name =` comes before it.
        let (name, expr) = match line.split_once('=') {
            Some((name, expr)) if !expr.starts_with('=') => (name.trim(), expr.trim()),
            Some(_) => return None,
            None => (line.trim(), line.trim()),
        };
        let node = Node { span: span.clone(), data: Data::Text(expr.to_owned()) };
        entries.push(Entry { key: name.to_owned(), span: span.clone(), node });
    }
    (!entries.is_empty()).then(|| Node { span: words_span(cell), data: Data::Map(entries) })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::keys::OPTIONS_FROM;
    use crate::markdown::outline::{Block, outline};

    fn read(written: &str, shape: &Shape) -> serde_json::Value {
        let text = format!("| a |\n|---|\n| {written} |\n");
        let sections = outline(&text, 0);
        let [Block::Table(table)] = sections[0].blocks.as_slice() else { panic!("{sections:?}") };
        node(&table.rows[0][0], shape).json()
    }

    #[rstest::rstest]
    #[case("When?", Shape::Texts, json!("When?"))]
    #[case("When, then?<br>On which day?", Shape::Texts, json!(["When, then?", "On which day?"]))]
    #[case(r#"`["a\nb", "c"]`"#, Shape::Texts, json!(["a\nb", "c"]))]
    #[case("One<br>line", Shape::Text, json!("One\nline"))]
    #[case("latin, arabic", Shape::Lines, json!(["latin", "arabic"]))]
    #[case("to go, please<br>with us", Shape::Words, json!(["to go, please", "with us"]))]
    #[case("Fire, Accident", Shape::LinesOrTables(&OPTIONS_FROM), json!(["Fire", "Accident"]))]
    #[case("Small, Large (up to 3.5 t, 20 m³)", Shape::LinesOrTables(&OPTIONS_FROM), json!(["Small", "Large (up to 3.5 t, 20 m³)"]))]
    #[case("Fire", Shape::LinesOrTables(&OPTIONS_FROM), json!(["Fire"]))]
    #[case("Yes", Shape::Truth, json!(true))]
    #[case("maybe", Shape::Truth, json!("maybe"))]
    #[case("2_097_152", Shape::Whole(1, i64::MAX), json!(2_097_152))]
    #[case("many", Shape::Whole(1, 3), json!("many"))]
    #[case(r"`a \|\| b`", Shape::Expr, json!("a || b"))]
    #[case("`true`", Shape::Any, json!(true))]
    #[case("`[1, 2]`", Shape::Any, json!([1, 2]))]
    #[case("true", Shape::Any, json!("true"))]
    #[case("get_types", Shape::LineOrTable(&OPTIONS_FROM), json!("get_types"))]
    #[case("`get_types`, id = code", Shape::LineOrTable(&OPTIONS_FROM), json!({ "tool": "get_types", "id": "code" }))]
    #[case("type = kind", Shape::Exprs, json!({ "type": "kind" }))]
    #[case("kind, size", Shape::Exprs, json!({ "kind": "kind", "size": "size" }))]
    #[case("`a = x == 1`<br>b = y", Shape::Exprs, json!({ "a": "x == 1", "b": "y" }))]
    fn a_cell_is_read_as_its_key_wants(#[case] written: &str, #[case] shape: Shape, #[case] wanted: serde_json::Value) {
        assert_eq!(read(written, &shape), wanted);
    }
}
