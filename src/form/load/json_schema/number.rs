//! Numbers of a JSON Schema: their bounds, and those that are to be chosen from.

use super::{entry, words};
use crate::node::{Data, Entry, Node};

/// Numbers to choose from, as the numbers that they are.
pub(super) fn to_choose(schema: &Node) -> Option<(&'static str, Vec<Entry>, &'static [&'static str])> {
    let list = schema.at("enum")?;
    let written: Option<Vec<&str>> = list
        .items()
        .iter()
        .filter(|item| !matches!(item.data, Data::Null))
        .map(|item| if let Data::Number(digits) = &item.data { Some(digits.as_str()) } else { None })
        .collect();
    let written = written.filter(|written| !written.is_empty())?;
    let whole = written.iter().all(|digits| digits.parse::<i64>().is_ok());
    let map = vec![
        entry("that", words(&format!("value in [{}]", written.join(", ")), &list.span)),
        entry("else", words(&written.join(", "), &list.span)),
    ];
    let check = Node { span: list.span.clone(), data: Data::Map(map) };
    let checks = entry("check", Node { span: list.span.clone(), data: Data::List(vec![check]) });
    Some((if whole { "integer" } else { "number" }, vec![checks], &["minimum", "maximum"]))
}

/// The bounds of whole numbers, and the keywords that they are made of: next to a number that is left out stands the last one.
pub(super) fn bounds(schema: &Node) -> (Vec<Entry>, &'static [&'static str]) {
    let sides = [("min", "minimum", "exclusiveMinimum", 1_i64), ("max", "maximum", "exclusiveMaximum", -1)];
    let last = |node: &Node, step: i64| {
        let digits = node.number::<i64>()?.checked_add(step)?.to_string();
        Some(Node { span: node.span.clone(), data: Data::Number(digits) })
    };
    let mut read: &'static [&'static str] = &["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];
    let mut out = Vec::new();
    for (ours, theirs, left_out, step) in sides {
        let beside = schema.at(left_out).map(|node| last(node, step));
        if matches!(beside, Some(None)) {
            read = &["minimum", "maximum"];
        }
        let bounds = schema.at(theirs).cloned().into_iter().chain(beside.flatten());
        let closest = bounds.max_by_key(|node| node.number::<i64>().map(|bound| bound.saturating_mul(step)));
        out.extend(closest.map(|node| entry(ours, node)));
    }
    (out, read)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::json;

    #[rstest::rstest]
    #[case(r#"{"exclusiveMaximum": 10}"#, &["max 9"], 4)]
    #[case(r#"{"exclusiveMinimum": 0, "maximum": 5}"#, &["min 1", "max 5"], 4)]
    #[case(r#"{"minimum": 3, "exclusiveMinimum": 1, "maximum": 9, "exclusiveMaximum": 9}"#, &["min 3", "max 8"], 4)]
    #[case(r#"{"exclusiveMaximum": true, "maximum": 9}"#, &["max 9"], 2)]
    fn a_number_that_is_left_out_bounds_by_the_one_beside_it(
        #[case] schema: &str,
        #[case] wanted: &[&str],
        #[case] read: usize,
    ) {
        let (keys, known) = bounds(&json::read(schema, &mut Vec::new()));
        let keys: Vec<String> = keys.iter().map(|key| format!("{} {}", key.key, key.node.json())).collect();
        assert_eq!((keys, known.len()), (wanted.iter().map(|&key| key.to_owned()).collect(), read));
    }
}
