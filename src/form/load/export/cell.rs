//! A value as a cell of a table: as people write it where that is read as the same value, as JSON in code otherwise.

use super::json::exact;
use crate::markdown::cell_node;
use crate::node::{Data, Node};
use crate::shape::Shape;

/// The cell of a value. None where no cell is read as it.
pub(super) fn cell(node: &Node, shape: &Shape) -> Option<String> {
    let wanted = plain_one(exact(node));
    let json = || serde_json::to_string(&exact(node)).unwrap_or_default();
    // Where several texts may stand, a list of one is read as the text it holds.
    let one = node.text().map(|text| code(&serde_json::json!([text]).to_string()));
    let candidates = [words(node, shape), Some(code(&json())), one];
    candidates
        .into_iter()
        .flatten()
        .find(|written| cell_node(written, shape).is_some_and(|again| plain_one(exact(&again)) == wanted))
}

/// A list of one text is the text.
fn plain_one(value: serde_json::Value) -> serde_json::Value {
    match value {
        serde_json::Value::Array(mut items) if items.len() == 1 && items.iter().all(serde_json::Value::is_string) => {
            items.pop().unwrap_or_default()
        }
        other => other,
    }
}

/// As people write it.
#[expect(clippy::wildcard_enum_match_arm, reason = "values of other sorts are written as JSON")]
fn words(node: &Node, shape: &Shape) -> Option<String> {
    let coded = matches!(
        shape,
        Shape::Expr | Shape::Name | Shape::FieldName | Shape::OptionName | Shape::ExprOrTable(_) | Shape::Regex
    );
    match &node.data {
        Data::Bool(truth) if matches!(shape, Shape::Truth | Shape::TruthOrText) => {
            Some(if *truth { "Yes" } else { "No" }.to_owned())
        }
        Data::Bool(truth) => Some(code(&truth.to_string())),
        Data::Number(digits) => Some(if matches!(shape, Shape::Any) { code(digits) } else { digits.clone() }),
        Data::Text(text) | Data::Moment(text) if coded => Some(code(text)),
        // A dash alone stands for nothing.
        Data::Text(text) if matches!(text.as_str(), "-" | "–" | "—") => Some(code(text)),
        // Words without quotes are read as the field's kind has them.
        Data::Text(text) if matches!(shape, Shape::Any) && !is_plain(text) => None,
        Data::Text(text) | Data::Moment(text) => Some(escape(text)),
        Data::List(items) => {
            let items: Option<Vec<String>> = items.iter().map(|item| item.text().map(escape)).collect();
            let items = items?;
            let short = !matches!(shape, Shape::Texts) && items.iter().all(|item| !item.contains([',', ';', '<']));
            Some(items.join(if short { ", " } else { "<br>" }))
        }
        Data::Map(entries) => match shape {
            Shape::LineOrTable(_) => {
                let tool = entries.iter().find(|entry| entry.key == "tool")?.node.text()?;
                let rest = entries.iter().filter(|entry| entry.key != "tool");
                let rest: Option<Vec<String>> =
                    rest.map(|entry| Some(format!(", {} = {}", entry.key, escape(entry.node.text()?)))).collect();
                Some(format!("{}{}", escape(tool), rest?.concat()))
            }
            Shape::Exprs => {
                let lines: Option<Vec<String>> = entries
                    .iter()
                    .map(|entry| Some(code(&format!("{} = {}", entry.key, entry.node.text()?))))
                    .collect();
                lines.map(|lines| lines.join("<br>"))
            }
            _ => None,
        },
        Data::Null => None,
    }
}

/// Whether words stand for themselves, whatever the kind of the field that they are a value of.
fn is_plain(text: &str) -> bool {
    text.starts_with(char::is_alphabetic)
        && text.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_' | '.'))
        && !matches!(text.to_lowercase().as_str(), "yes" | "no" | "true" | "false" | "on" | "off" | "y" | "n")
}

/// Words with the marks of Markdown made harmless.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::new();
    let chars: Vec<char> = text.chars().collect();
    for (at, c) in chars.iter().enumerate() {
        let inside = |at: Option<usize>| at.and_then(|at| chars.get(at)).is_some_and(|c| c.is_alphanumeric());
        match c {
            '\n' => out.push_str("<br>"),
            '_' if inside(at.checked_sub(1)) && inside(Some(at + 1)) => out.push('_'),
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '&' | '|' | '~' => {
                out.push('\\');
                out.push(*c);
            }
            c => out.push(*c),
        }
    }
    out
}

/// A piece of code.
pub(super) fn code(text: &str) -> String {
    let mut fence = "`".to_owned();
    while text.contains(&fence) {
        fence.push('`');
    }
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{}{pad}{fence}", text.replace('|', "\\|"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::json;

    #[rstest::rstest]
    #[case(r#""Two * three | four_five `six` <br> & [x](y)""#, Shape::Text)]
    #[case("\"—\"", Shape::Text)]
    #[case("\" led by a space \"", Shape::Text)]
    #[case(r#""one\ntwo""#, Shape::Texts)]
    #[case(r#""\"quoted\" words""#, Shape::Any)]
    #[case(r#""one\ntwo""#, Shape::Text)]
    #[case(r#"["When?", "On which day, then?"]"#, Shape::Texts)]
    #[case(r#"["one\ntwo", "three"]"#, Shape::Texts)]
    #[case(r#"["a, b"]"#, Shape::Words)]
    #[case(r#""a || b && c.matches('^[\\p{L}|x]$')""#, Shape::Expr)]
    #[case("true", Shape::Truth)]
    #[case("true", Shape::Any)]
    #[case("\"true\"", Shape::Any)]
    #[case("[1, 2]", Shape::Any)]
    #[case("2097152", Shape::Whole(1, i64::MAX))]
    #[case("0.5", Shape::Decimal)]
    #[case(r#"{"a": "x == 1", "b": "y"}"#, Shape::Exprs)]
    fn a_cell_is_read_as_the_value_it_was_written_from(#[case] value: &str, #[case] shape: Shape) {
        let node = json::read(value, &mut Vec::new());
        let written = cell(&node, &shape).unwrap_or_else(|| panic!("{value} has no cell"));
        let again = cell_node(&written, &shape).unwrap();
        assert_eq!(plain_one(exact(&again)), plain_one(exact(&node)), "{written}");
    }
}
