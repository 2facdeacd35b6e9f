//! What an element of `SurveyJS` is made of: options, and the fields of panels and matrices.

use super::super::draft::{Draft, Pick, is_plain};
use super::super::{Names, Scope};
use super::{element, elements};
use crate::json_schema::words;
use crate::lost::cited;
use crate::node::{Data, Node};

/// The options of a choice.
pub(super) fn options(draft: &Draft<'_>) -> Option<Node> {
    let element = draft.element;
    let (build, marks) = (draft.build, &draft.build.marks);
    let key = if element.at("rateValues").is_some() { "rateValues" } else { "choices" };
    let list = element.at(key).filter(|list| matches!(list.data, Data::List(_)));
    let mut picks = list.map(|list| values(draft, list)).unwrap_or_default();
    if list.is_some() {
        marks.take(element, key);
    }
    let span = list.map_or(element.span.clone(), |list| list.span.clone());
    let bound = |key: &str| element.at(key).and_then(Node::number::<i64>);
    if let (Some(least), Some(most)) = (bound("choicesMin"), bound("choicesMax")) {
        let step = bound("choicesStep").unwrap_or(1);
        if step > 0 && least <= most && most.saturating_sub(least) / step < 2_000 {
            marks.take_all(element, &["choicesMin", "choicesMax", "choicesStep"]);
            let numbers =
                std::iter::successors(Some(least), |last| last.checked_add(step)).take_while(|no| *no <= most);
            picks.extend(numbers.map(|no| Pick { value: words(&no.to_string(), &span), label: None }));
        }
    }
    let none = ["showNoneItem", "hasNone"].iter().fold(false, |some, key| build.is(element, key) | some);
    if none {
        let label = draft.text(element, "noneText").unwrap_or_else(|| words("None", &span));
        picks.push(Pick { value: words("none", &span), label: Some(label) });
        if draft.kind == "choices" {
            draft.lose("that \"none\" rules out the others", &span);
        }
    }
    draft.options(&picks, &span)
}

/// The values of a list, each a word, a number, or one of these with a text.
fn values(draft: &Draft<'_>, list: &Node) -> Vec<Pick> {
    let mut picks = Vec::new();
    for item in list.items() {
        let value = match &item.data {
            Data::Map(_) => item.at("value").or_else(|| item.at("name")),
            _ => Some(item),
        };
        let Some(value) = value.filter(|value| is_plain(value)) else {
            draft.lose(format!("a choice that has no value: {}", cited(&item.json().to_string())), &super::whole(item));
            draft.build.marks.mark_all(item);
            continue;
        };
        draft.build.marks.take_all(item, &["value", "name"]);
        picks.push(Pick { value: value.clone(), label: draft.text(item, "text") });
    }
    picks
}

/// The fields that lie in a panel or matrix.
pub(super) fn members(draft: &Draft<'_>, sort: &str) -> Vec<Node> {
    let (build, element) = (draft.build, draft.element);
    let mut names = Names::default();
    match sort {
        "panel" => elements(build, element, &mut names, &Scope { prefix: draft.prefix.clone(), ..draft.scope("") }),
        "paneldynamic" => {
            let scope = draft.scope(&format!("{}[].", draft.name));
            let found = build.tables(element, "templateElements");
            found.into_iter().filter_map(|found| super::element(build, found, None, &mut names, &scope)).collect()
        }
        "multipletext" => {
            let scope = draft.scope(&format!("{}.", draft.name));
            let found = build.tables(element, "items");
            found
                .into_iter()
                .filter_map(|found| super::element(build, found, Some("text"), &mut names, &scope))
                .collect()
        }
        "matrixdynamic" => columns(draft, &draft.scope(&format!("{}[].", draft.name))),
        "matrix" | "matrixdropdown" => rows(draft, sort),
        _ => Vec::new(),
    }
}

/// The fields of the columns of a matrix; those that do not say otherwise are choices of what the matrix offers.
fn columns(draft: &Draft<'_>, scope: &Scope) -> Vec<Node> {
    let (build, matrix) = (draft.build, draft.element);
    let sort = matrix.at("cellType").and_then(Node::text).filter(|sort| *sort != "default").unwrap_or("dropdown");
    let common = matrix.at("choices").filter(|list| !list.items().is_empty());
    let mut names = Names::default();
    let mut out = Vec::new();
    for column in build.tables(matrix, "columns") {
        let own = column.at("cellType").and_then(Node::text).filter(|sort| *sort != "default").unwrap_or(sort);
        let lacks = column.at("choices").is_none() && matches!(own, "dropdown" | "checkbox" | "radiogroup" | "tagbox");
        let mut column = column.clone();
        if let (Some(common), Data::Map(entries), true) = (common, &mut column.data, lacks) {
            build.marks.take(matrix, "choices");
            let found = matrix.entries().iter().find(|entry| entry.key == "choices");
            entries.extend(found.map(|entry| crate::node::Entry { node: common.clone(), ..entry.clone() }));
        }
        out.extend(element(build, &column, Some(sort), &mut names, scope));
    }
    out
}

/// The fields of the rows of a matrix: a choice of its columns each, or a group of them.
fn rows(draft: &Draft<'_>, sort: &str) -> Vec<Node> {
    let (build, matrix) = (draft.build, draft.element);
    let Some(list) = matrix.at("rows").filter(|list| matches!(list.data, Data::List(_))) else { return Vec::new() };
    let rows = values(draft, list);
    build.marks.take(matrix, "rows");
    let needed = ["isAllRowRequired", "eachRowRequired"].iter().fold(false, |some, key| build.is(matrix, key) | some);
    let scope = draft.scope(&format!("{}.", draft.name));
    let answers = matrix.at("columns").filter(|list| sort == "matrix" && matches!(list.data, Data::List(_)));
    let picks = answers.map(|list| values(draft, list));
    if answers.is_some() {
        build.marks.take(matrix, "columns");
    }
    let mut names = Names::default();
    let mut out = Vec::new();
    for (Pick { value, label }, row) in rows.iter().zip(list.items()) {
        if !build.has_room() {
            break;
        }
        let name = match &value.data {
            Data::Number(digits) => digits.as_str(),
            _ => value.text().unwrap_or_default(),
        };
        let mut field = build.draft(row, (name, name), &mut names, &scope);
        field.put("label", label.clone().unwrap_or_else(|| words(name, &value.span)));
        if let Some(picks) = &picks {
            let Some(options) = draft.options(picks, &matrix.span) else { break };
            field.is("choice");
            field.put("options", options);
            if !needed {
                field.flag("required", false);
            }
        } else {
            field.is("group");
            let inner = columns(draft, &field.scope(&format!("{}{name}.", scope.prefix)));
            if inner.is_empty() {
                break;
            }
            field.put("fields", Node { span: matrix.span.clone(), data: Data::List(inner) });
        }
        out.push(field.done());
    }
    out
}
