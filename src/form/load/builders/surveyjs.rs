//! Surveys of `SurveyJS`: pages, panels and their elements.
//!
//! Deliberately absent: how a survey looks, its scores, and triggers; these are told as lost.

mod checks;
mod expression;
mod parts;
mod values;

use std::ops::Range;

pub(super) use self::expression::shown;
use super::draft::{Draft, untagged, without_tags};
use super::{Build, Names, Parts, Scope, whole};
use crate::json_schema::{entry, id_of, words};
use crate::lost::{Lost, cited};
use crate::names;
use crate::node::{Data, Node};
use crate::xls::expression::to_cel;
use crate::xls::expression::xpath::Expr;
use crate::xls::known::Holds;

/// Lists of elements; a survey without pages has them itself.
const ELEMENTS: [&str; 2] = ["elements", "questions"];

/// The form that a survey is.
pub(super) fn form(build: &Build, survey: &Node) -> Parts {
    let mut parts = Parts::default();
    if let Some(locale) = survey.at("locale").and_then(Node::text).filter(|locale| names::is_language(locale)) {
        build.marks.take(survey, "locale");
        *build.langs.borrow_mut() = vec![locale.to_owned()];
    }
    for key in ["title", "description"] {
        parts.keys.extend(build.texts(survey, key, &[]).map(|text| entry(key, text)));
    }
    let mut names = Names::default();
    let mut page_names = Names::default();
    for page in build.tables(survey, "pages") {
        self::page(build, page, (&mut names, &mut page_names), &mut parts);
    }
    parts.fields.extend(elements(build, survey, &mut names, &Scope::default()));
    if let Some(html) = build.text(survey, "completedHtml") {
        let span = survey.at("completedHtml").map_or(0..0, |node| node.span.clone());
        let (plain, some) = without_tags(html);
        if some {
            build.lost.borrow_mut().push(Lost::new("the form", untagged("completedHtml", html)).from(&span));
        }
        if !plain.is_empty() {
            let said = vec![entry(
                "submitted",
                build.message("completedHtml", words(&shown(&plain, &build.known, &[]), &span)),
            )];
            parts.keys.push(entry("messages", Node { span, data: Data::Map(said) }));
        }
    }
    let langs = build.langs.borrow();
    if langs.len() > 1 || langs.iter().any(|lang| lang != "en") {
        let list = langs.iter().map(|lang| words(lang, &(0..0))).collect();
        parts.keys.push(entry("languages", Node { span: 0..0, data: Data::List(list) }));
    }
    parts
}

/// A page with its fields.
fn page(build: &Build, page: &Node, (names, page_names): (&mut Names, &mut Names), parts: &mut Parts) {
    let name = build.text(page, "name").unwrap_or("page");
    let id = page_names.free(&id_of(name));
    let place = format!("page `{name}`");
    build.owners.borrow_mut().insert(page.span.start, (place.clone(), whole(page)));
    let lose = |what: String, span: &Range<usize>| {
        build.lost.borrow_mut().push(Lost::new(place.clone(), what).from(span).of(&whole(page)));
    };
    if id != name {
        lose(format!("its name, which becomes `{id}`"), &page.at("name").map_or(0..0, |name| name.span.clone()));
    }
    let mut keys = vec![entry("id", words(&id, &page.span))];
    keys.extend(build.texts(page, "title", &[]).map(|title| entry("title", title)));
    let mut unsaid = false;
    if let Some(source) = build.text(page, "visibleIf") {
        let span = page.at("visibleIf").map_or(0..0, |node| node.span.clone());
        let expr = expression::parse(source, &build.known, "");
        match expr.and_then(|expr| build.condition(&expr, &[])) {
            Some(code) => keys.push(entry("show_when", words(&code, &span))),
            None => {
                unsaid = true;
                lose(format!("`visibleIf` (`{}`) has no counterpart", cited(source)), &span);
            }
        }
    }
    let mut fields = Vec::new();
    if let Some(about) = build.texts(page, "description", &[]) {
        let span = about.span.clone();
        let mut draft = build.draft(page, (name, &format!("{id}_note")), names, &Scope::default());
        draft.is("note");
        draft.put("ask", about);
        build.owners.borrow_mut().insert(page.span.start, (place.clone(), whole(page)));
        fields.push(Node { span, ..draft.done() });
    }
    fields.extend(elements(build, page, names, &Scope::default()));
    for field in &mut fields {
        if let Data::Map(entries) = &mut field.data {
            let has = |key: &str| entries.iter().any(|entry| entry.key == key);
            let is_note = entries.iter().any(|entry| {
                entry.key == "kind" && matches!(entry.node.text(), Some("note" | "group" | "computed" | "hidden"))
            });
            // What may not be meant for everyone may be left out.
            if unsaid && !is_note && !has("required") && !has("required_when") {
                entries.push(entry("required", Node { span: 0..0, data: Data::Bool(false) }));
            }
            entries.push(entry("page", words(&id, &(0..0))));
        }
    }
    if fields.is_empty() {
        lose("all of it: there is nothing in it".to_owned(), &whole(page));
        return build.marks.mark_all(page);
    }
    parts.pages.push(Node { span: whole(page), data: Data::Map(keys) });
    parts.fields.append(&mut fields);
}

/// The fields of the elements in a page, panel or survey.
fn elements(build: &Build, table: &Node, names: &mut Names, scope: &Scope) -> Vec<Node> {
    let found = ELEMENTS.into_iter().flat_map(|key| build.tables(table, key));
    found.filter_map(|found| element(build, found, None, names, scope)).collect()
}

/// The kind of an element, and what of its type has no place here.
fn kind_of(sort: &str, element: &Node) -> (&'static str, Option<&'static str>) {
    match sort {
        "text" => input(element),
        "comment" => ("long_text", None),
        "radiogroup" | "dropdown" | "buttongroup" => ("choice", None),
        "imagepicker" if element.at("multiSelect").and_then(Node::truth) == Some(true) => ("choices", None),
        "imagepicker" => ("choice", None),
        "checkbox" | "tagbox" => ("choices", None),
        "ranking" => ("choices", Some("the order of the picks")),
        "boolean" => ("yes_no", None),
        "rating" if element.at("rateValues").is_some_and(|list| !list.items().is_empty()) => ("choice", None),
        "rating" => ("rating", None),
        "file" => ("file", None),
        "signaturepad" => ("file", Some("that it is drawn: it is sent as a picture")),
        "html" => ("note", None),
        "image" => ("note", Some("the picture")),
        "expression" => ("computed", None),
        "paneldynamic" | "matrixdynamic" => ("list", None),
        "panel" | "matrix" | "matrixdropdown" | "multipletext" => ("group", None),
        _ => ("text", Some("its type")),
    }
}

/// The kind of a line of text.
fn input(element: &Node) -> (&'static str, Option<&'static str>) {
    match element.at("inputType").and_then(Node::text).unwrap_or("text") {
        "text" | "password" => ("text", None),
        "number" | "range" => ("number", None),
        "email" => ("email", None),
        "tel" => ("phone", None),
        "url" => ("url", None),
        "date" => ("date", None),
        "time" => ("time", None),
        "datetime" | "datetime-local" => ("datetime", None),
        _ => ("text", Some("its input type")),
    }
}

/// The field of an element; `sort` is its type where it does not say one.
fn element(build: &Build, element: &Node, sort: Option<&str>, names: &mut Names, scope: &Scope) -> Option<Node> {
    if !build.has_room() {
        return None;
    }
    let name = build.text(element, "name").unwrap_or("question");
    let mut draft = build.draft(element, (name, name), names, scope);
    if draft.id() != name {
        draft.lose(
            format!("its name, which becomes `{}`", draft.id()),
            &element.at("name").map_or(element.span.clone(), |name| name.span.clone()),
        );
    }
    let key = if element.at("cellType").is_some() { "cellType" } else { "type" };
    let said = build.text(element, key).filter(|said| *said != "default");
    let (sort, at) = (said.or(sort).unwrap_or("text"), element.at(key).map_or(&element.span, |node| &node.span));
    let (kind, told) = kind_of(sort, element);
    if sort == "text" {
        build.text(element, "inputType");
    }
    draft.is(kind);
    if let Some(told) = told {
        let input = element.at("inputType").and_then(Node::text).filter(|_| sort == "text");
        draft.lose(format!("{told} (`{}`)", input.unwrap_or(sort)), at);
    }
    if kind == "choice" || kind == "choices" {
        match parts::options(&draft) {
            Some(options) => {
                draft.put("options", options);
                if sort == "imagepicker" {
                    build.is(element, "multiSelect");
                }
                if ["showOtherItem", "hasOther"].iter().fold(false, |some, key| build.is(element, key) | some) {
                    draft.flag("other", true);
                }
            }
            None => {
                draft.is("text");
                draft.lose(format!("its options (`{sort}`): there are none that can be read"), at);
            }
        }
    }
    if matches!(kind, "group" | "list") {
        let members = parts::members(&draft, sort);
        if members.is_empty() {
            draft.lose_all("there is nothing in it to answer");
            return None;
        }
        draft.put("fields", Node { span: element.span.clone(), data: Data::List(members) });
    }
    if kind == "computed" && !computed(&mut draft) {
        return None;
    }
    texts(&mut draft, sort);
    if kind == "note" && !draft.has("ask") {
        draft.lose_all("it has no text");
        return None;
    }
    values::bounds(&mut draft, sort);
    checks::put(&mut draft);
    conditions(&mut draft);
    values::given(&mut draft);
    Some(draft.done())
}

fn texts(draft: &mut Draft<'_>, sort: &str) {
    let element = draft.element;
    if sort == "html" {
        if let Some(html) = draft.text(element, "html") {
            let first = html.first_text().unwrap_or_default().to_owned();
            let (plain, some) = without_tags(&first);
            if some {
                draft.lose(untagged("html", &first), &html.span);
            }
            if !plain.is_empty() {
                draft.put("ask", tagless(&html));
            }
        }
        return;
    }
    if let Some(title) = draft.text(element, "title") {
        draft.title(title);
    }
    if !matches!(draft.kind, "note" | "computed" | "hidden") {
        draft.copy_text(element, "description", "help");
    }
    if matches!(draft.kind, "text" | "long_text" | "number" | "email" | "phone" | "url" | "choice") {
        for key in ["placeholder", "placeHolder"] {
            draft.copy_text(element, key, "examples");
        }
    }
    if draft.kind == "yes_no" {
        draft.copy_text(element, "labelTrue", "yes");
        draft.copy_text(element, "labelFalse", "no");
    }
}

/// A text, or texts by language, without tags.
fn tagless(text: &Node) -> Node {
    let data = match &text.data {
        Data::Map(entries) => Data::Map(
            entries.iter().map(|inner| crate::node::Entry { node: tagless(&inner.node), ..inner.clone() }).collect(),
        ),
        _ => Data::Text(without_tags(text.text().unwrap_or_default()).0),
    };
    Node { span: text.span.clone(), data }
}

fn expression(draft: &Draft<'_>, source: &str) -> Option<Expr> {
    expression::parse(source, &draft.build.known, &draft.prefix)
}

fn computed(draft: &mut Draft<'_>) -> bool {
    let source = draft.build.text(draft.element, "expression").unwrap_or_default().to_owned();
    let span = draft.element.at("expression").map_or(0..0, |node| node.span.clone());
    let expr = expression(draft, &source);
    let place = draft.build.place(&draft.path, Holds::Nothing);
    let code = expr.as_ref().and_then(|expr| to_cel::code_of(expr, place));
    match code {
        Some(code) => {
            let numeric = expr.is_some_and(|expr| to_cel::gives_number(&expr, place));
            draft.put("value", words(&code, &span));
            if numeric {
                draft.put("result", words("number", &(0..0)));
            }
            true
        }
        None => {
            draft.lose_all(&format!("`{}` has no counterpart", cited(&source)));
            false
        }
    }
}

/// When it is shown, and when it is needed.
fn conditions(draft: &mut Draft<'_>) {
    let element = draft.element;
    let put = |draft: &mut Draft<'_>, theirs: &str, ours: &str| {
        let Some(source) = draft.build.text(element, theirs) else { return true };
        let span = element.at(theirs).map_or(0..0, |node| node.span.clone());
        let expr = expression(draft, source);
        draft.condition(ours, expr.as_ref(), (&format!("`{theirs}` (`{}`)", cited(source)), &span))
    };
    if draft.kind == "group" && element.at("requiredIf").is_none() {
        put(draft, "visibleIf", "show_when");
        return;
    }
    let unsaid = !put(draft, "visibleIf", "show_when");
    if matches!(draft.kind, "note" | "computed" | "group") {
        return;
    }
    let needed = draft.build.is(element, "isRequired");
    if !needed {
        put(draft, "requiredIf", "required_when");
    }
    // What is not said to be required may be left out there, and what may not be meant for everyone here.
    if (!needed || unsaid) && !draft.has("required_when") {
        draft.flag("required", false);
    }
}
