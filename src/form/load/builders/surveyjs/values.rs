//! Bounds of answers, and answers that are there before anything is said.

use super::super::draft::{Draft, is_number, is_plain, is_some};
use super::expression;
use crate::json_schema::words;
use crate::lost::cited;
use crate::node::{Data, Node};
use crate::xls::expression::to_cel;
use crate::xls::known::Holds;

/// Least and most: of numbers, letters, picks, items and files.
pub(super) fn bounds(draft: &mut Draft<'_>, sort: &str) {
    let element = draft.element;
    match draft.kind {
        "text" | "long_text" => {
            draft.copy(element, "maxLength", "max_chars", is_some);
            if draft.kind == "text" && element.at("inputType").and_then(Node::text) == Some("password") {
                draft.flag("sensitive", true);
            }
        }
        "number" => {
            draft.copy(element, "min", "min", is_number);
            draft.copy(element, "max", "max", is_number);
        }
        "date" | "time" | "datetime" => {
            draft.copy(element, "min", "min", |value| value.text().is_some());
            draft.copy(element, "max", "max", |value| value.text().is_some());
            for (theirs, ours) in [("minValueExpression", "min"), ("maxValueExpression", "max")] {
                draft.copy(element, theirs, ours, |value| value.text() == Some("today()"));
            }
            today(draft);
        }
        "rating" => {
            draft.copy(element, "rateMin", "min", is_number);
            draft.copy(element, "rateMax", "max", is_number);
            draft.copy(element, "rateCount", "max", is_number);
        }
        "choices" => {
            draft.copy(element, "minSelectedChoices", "min", is_some);
            draft.copy(element, "maxSelectedChoices", "max", is_some);
        }
        "list" => {
            let [least, most] = if sort == "paneldynamic" {
                ["minPanelCount", "maxPanelCount"]
            } else {
                ["minRowCount", "maxRowCount"]
            };
            draft.copy(element, least, "min", is_some);
            draft.copy(element, most, "max", is_some);
        }
        "file" => {
            draft.copy(element, "maxSize", "max_bytes", is_some);
            draft.copy(element, "maxFiles", "max_files", is_some);
            if draft.build.is(element, "allowMultiple") && !draft.has("max_files") {
                draft.put("max_files", Node { span: 0..0, data: Data::Number("100".to_owned()) });
            }
            if let Some(types) = draft.build.text(element, "acceptedTypes") {
                let span = element.at("acceptedTypes").map_or(0..0, |node| node.span.clone());
                let list = types.split(',').map(|one| words(one.trim(), &span)).collect();
                draft.put("accept", Node { span, data: Data::List(list) });
            } else if sort == "signaturepad" {
                draft.put("accept", words("image/*", &(0..0)));
            }
        }
        _ => {}
    }
}

/// `today()` as forms write it.
fn today(draft: &mut Draft<'_>) {
    for entry in draft.entries.iter_mut().filter(|entry| entry.node.text() == Some("today()")) {
        entry.node.data = Data::Text("today".to_owned());
    }
}

/// Values that are there before anything is said.
pub(super) fn given(draft: &mut Draft<'_>) {
    let element = draft.element;
    match draft.kind {
        "choices" => draft.copy(element, "defaultValue", "default", |value| {
            matches!(value.data, Data::List(_)) && value.items().iter().all(|item| item.text().is_some())
        }),
        "yes_no" => {
            draft.copy(element, "defaultValue", "default", |value| value.truth().is_some());
            for (word, truth) in [("true", true), ("false", false)] {
                if element.at("defaultValue").and_then(Node::text) == Some(word) {
                    draft.build.marks.take(element, "defaultValue");
                    draft.flag("default", truth);
                }
            }
        }
        "choice" => {
            let value = element.at("defaultValue").filter(|value| is_plain(value));
            let digits = value.map(|value| match &value.data {
                Data::Number(digits) => words(digits, &value.span),
                _ => value.clone(),
            });
            if let Some(value) = digits {
                draft.build.marks.take(element, "defaultValue");
                draft.put("default", value);
            }
        }
        "group" | "list" | "note" | "computed" | "file" => {}
        _ => draft.copy(element, "defaultValue", "default", is_plain),
    }
    if let Some(source) = draft.build.text(element, "defaultValueExpression") {
        let span = element.at("defaultValueExpression").map_or(0..0, |node| node.span.clone());
        let place = draft.build.place(&draft.path, Holds::Nothing);
        match expression(draft, source).and_then(|expr| to_cel::code_of(&expr, place)) {
            Some(code) if !matches!(draft.kind, "group" | "list" | "note" | "computed") => {
                draft.put("default_from", words(&code, &span));
            }
            _ => draft.lose(format!("`defaultValueExpression` (`{}`) has no counterpart", cited(source)), &span),
        }
    }
}
