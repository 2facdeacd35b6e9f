//! What was translated and does not load: expressions that compare what forms here do not compare, defaults that their
//! fields would not take. Each is taken out and told, so that the rest of the form is there.

use formwright_form::problem::{Problem, Severity};

use crate::lost::Lost;
use crate::node::{Data, Node};

/// Keys that a form loads without.
const SPARED: &[&str] = &["show_when", "required_when", "default_from", "default", "check", "min", "max", "regex"];

/// How often one thing is taken out and the rest read again: what is wrong with others may have come of that one.
const ONE_BY_ONE: usize = 8;
/// How often in all; then what is still wrong is told as the workbook's mistake.
const MOST_TIMES: usize = 12;

/// Takes out what the problems of reading for the `time`th time point at: the first few times the first thing alone, then all
/// at once. Nothing where they point at what the form needs, or it was read often enough.
pub(in super::super) fn take_out(root: &mut Node, problems: &[Problem], time: usize) -> Vec<Lost> {
    let errors = problems.iter().filter(|problem| problem.severity == Severity::Error);
    let places = errors.filter_map(|problem| Some((problem.spans.first()?.0.start, &problem.message)));
    let out = places.filter_map(|(at, why)| {
        let place = taken(root, at)?;
        Some(Lost { place: place.0, what: format!("{}: {why}", place.1) })
    });
    let most = match time {
        ..ONE_BY_ONE => 1,
        ONE_BY_ONE..MOST_TIMES => usize::MAX,
        MOST_TIMES.. => 0,
    };
    out.take(most).collect()
}

/// Where it stood, and what it was.
fn taken(node: &mut Node, at: usize) -> Option<(String, String)> {
    let id = node.at("id").and_then(Node::text).map(|id| format!("question `{id}`"));
    match &mut node.data {
        Data::List(items) => {
            // A computed field is nothing without its value.
            let spoilt =
                |item: &Node| item.at("value").is_some_and(|value| !value.span.is_empty() && value.span.contains(&at));
            if let Some(no) = items.iter().position(spoilt) {
                let gone = items.remove(no);
                let name = gone.at("id").and_then(Node::text).unwrap_or_default().to_owned();
                return Some((format!("question `{name}`"), "all of it".to_owned()));
            }
            items.iter_mut().find_map(|item| taken(item, at))
        }
        Data::Map(entries) => {
            let hit = entries.iter().position(|entry| {
                SPARED.contains(&entry.key.as_str()) && !entry.node.span.is_empty() && entry.node.span.contains(&at)
            });
            if let Some(no) = hit {
                let gone = entries.remove(no);
                return Some((id.unwrap_or_else(|| "the form".to_owned()), format!("`{}`", gone.key)));
            }
            entries.iter_mut().find_map(|entry| taken(&mut entry.node, at))
        }
        Data::Null | Data::Bool(_) | Data::Number(_) | Data::Text(_) | Data::Moment(_) => None,
    }
}
