//! Forms of Typeform: fields, groups of them, screens, and logic that jumps.
//!
//! Deliberately absent: themes, scores and payments; these are told as lost.

mod logic;

use std::collections::BTreeMap;

use super::draft::{Draft, Pick, base_of, is_number, is_some};
use super::{Build, Names, Parts, Scope};
use crate::json_schema::{entry, words};
use crate::lost::Lost;
use crate::names;
use crate::node::{Data, Node};
use crate::xls::known::Questions;

/// The form that a document is.
pub(super) fn form(build: &Build, document: &Node) -> Parts {
    let mut parts = Parts::default();
    let settings = build.inside(document, "settings");
    let lang = settings.and_then(|settings| settings.at("language")?.text()).filter(|lang| names::is_language(lang));
    if let (Some(settings), Some(lang)) = (settings, lang) {
        build.marks.take(settings, "language");
        parts.keys.push(entry("languages", words(lang, &(0..0))));
    }
    parts.keys.extend(build.texts(document, "title", &[]).map(|title| entry("title", title)));
    if let Some(screen) = build.tables(document, "welcome_screens").first() {
        parts.keys.extend(said(build, screen, "title").map(|text| entry("greeting", text)));
    }
    if let Some(screen) = build.tables(document, "thankyou_screens").first()
        && let Some(text) = said(build, screen, "title")
    {
        let said = build.message("title", text);
        let span = said.span.clone();
        parts.keys.push(entry("messages", Node { span, data: Data::Map(vec![entry("submitted", said)]) }));
    }
    let mut names = Names::default();
    let mut hidden = Vec::new();
    if let Some(list) = document
        .at("hidden")
        .filter(|list| matches!(list.data, Data::List(_)) && list.items().iter().all(|name| name.text().is_some()))
    {
        build.marks.take(document, "hidden");
        for name in list.items().iter().take_while(|_| build.has_room()) {
            let text = name.text().unwrap_or_default();
            let mut draft = build.draft(name, (text, text), &mut names, &Scope::default());
            draft.is("hidden");
            draft.flag("from_link", true);
            if draft.id() != text {
                draft.lose(format!("its name, which becomes `{}`", draft.id()), &name.span);
            }
            hidden.push(draft.done());
        }
    }
    let mut choices = BTreeMap::new();
    let found = build.tables(document, "fields");
    let fields: Vec<(&Node, Option<Node>)> = found
        .iter()
        .map(|field| (*field, self::field(build, field, &mut names, &Scope::default(), &mut choices)))
        .collect();
    parts.fields = hidden;
    parts.fields.extend(logic::put(build, document, fields, &choices));
    parts
}

/// The title of a screen or statement, with its description.
fn said(build: &Build, table: &Node, key: &str) -> Option<Node> {
    let title = build.texts(table, key, &[])?;
    let properties = build.inside(table, "properties");
    let more = properties.and_then(|properties| build.texts(properties, "description", &[]));
    let both = more.map(|more| format!("{}\n{}", title.text().unwrap_or_default(), more.text().unwrap_or_default()));
    Some(both.map_or(title.clone(), |both| words(&both, &title.span)))
}

/// The kind of a field, and what of its type has no place here.
fn kind_of(sort: &str, properties: &Node) -> (&'static str, Option<&'static str>) {
    let several = properties.at("allow_multiple_selection").and_then(Node::truth) == Some(true);
    let has_fields = properties.at("fields").is_some_and(|fields| !fields.items().is_empty());
    match sort {
        "short_text" => ("text", None),
        "long_text" => ("long_text", None),
        "multiple_choice" | "picture_choice" if several => ("choices", None),
        "multiple_choice" | "picture_choice" | "dropdown" => ("choice", None),
        "ranking" => ("choices", Some("the order of the picks")),
        "yes_no" | "legal" => ("yes_no", None),
        "email" => ("email", None),
        "phone_number" => ("phone", None),
        "number" => ("number", None),
        "date" => ("date", None),
        "website" => ("url", None),
        "rating" | "opinion_scale" | "nps" => ("rating", None),
        "file_upload" => ("file", None),
        "statement" => ("note", None),
        "group" | "inline_group" | "matrix" | "contact_info" => ("group", None),
        "address" if has_fields => ("group", None),
        "address" => ("address", None),
        _ => ("text", Some("its type")),
    }
}

/// The answers that the choices of logic stand for, by the `ref` of the field and of the choice.
type Choices = BTreeMap<(String, String), String>;

fn field(build: &Build, field: &Node, names: &mut Names, scope: &Scope, choices: &mut Choices) -> Option<Node> {
    if !build.has_room() {
        return None;
    }
    let known = field.at("ref").or_else(|| field.at("id")).and_then(Node::text).unwrap_or_default();
    let title = field.at("title").and_then(Node::text).unwrap_or("question");
    let own = !known.is_empty() && !is_made_up(known);
    let base = if own { known.to_owned() } else { base_of(title.split("{{").next().unwrap_or(title)) };
    let mut draft = build.draft(field, (known, &base), names, scope);
    ids(&draft, known);
    let sort = build.text(field, "type").unwrap_or("short_text");
    let none = Node { span: 0..0, data: Data::Map(Vec::new()) };
    let (properties, validations) = (build.inside(field, "properties"), build.inside(field, "validations"));
    let (properties, validations) = (properties.unwrap_or(&none), validations.unwrap_or(&none));
    let (kind, told) = kind_of(sort, properties);
    draft.is(kind);
    let at = field.at("type").map_or(field.span.clone(), |node| node.span.clone());
    if let Some(told) = told {
        draft.lose(format!("{told} (`{sort}`)"), &at);
    }
    match kind {
        "choice" | "choices" => {
            build.is(properties, "allow_multiple_selection");
            match options(&draft, properties, known, choices) {
                Some(options) => {
                    draft.put("options", options);
                    if build.is(properties, "allow_other_choice") {
                        draft.flag("other", true);
                    }
                }
                None => {
                    draft.is("text");
                    draft.lose(format!("its options (`{sort}`): there are none that can be read"), &at);
                }
            }
        }
        "group" => {
            let (scope, mut names) = (draft.scope(""), Names::default());
            let inner = build.tables(properties, "fields");
            let members: Vec<Node> =
                inner.into_iter().filter_map(|inner| self::field(build, inner, &mut names, &scope, choices)).collect();
            if members.is_empty() {
                draft.lose_all("there is nothing in it to answer");
                return None;
            }
            draft.put("fields", Node { span: field.span.clone(), data: Data::List(members) });
        }
        _ => {}
    }
    if kind == "note" {
        match said(build, field, "title") {
            Some(text) => draft.put("ask", text),
            None => {
                draft.lose_all("it has no text");
                return None;
            }
        }
    } else {
        if let Some(title) = draft.text(field, "title") {
            draft.title(title);
        }
        draft.copy_text(properties, "description", "help");
    }
    bounds(&mut draft, sort, properties, validations);
    if !matches!(kind, "note" | "group") && !build.is(validations, "required") {
        draft.flag("required", false);
    }
    Some(draft.done())
}

/// Tells the ids that Typeform knows a field by, where they are not its id here.
fn ids(draft: &Draft<'_>, known: &str) {
    let found: Vec<&Node> = ["id", "ref"].iter().filter_map(|key| draft.element.at(key)).collect();
    draft.build.marks.take_all(draft.element, &["id", "ref"]);
    if known != draft.id() || found.len() > 1 {
        let other = found.iter().filter(|node| node.text() != Some(draft.id()));
        let told = other.clone().map(|node| node.json().to_string()).collect::<Vec<_>>().join(", ");
        draft.lose_at(
            format!("what Typeform knows it by, {told}: it is `{}` here", draft.id()),
            other.map(|node| &node.span),
        );
    }
}

/// Whether a name was made by a machine, as a UUID is.
fn is_made_up(name: &str) -> bool {
    let hex = |c: char| c.is_ascii_hexdigit() || c == '-';
    name.len() > 40 || name.len() == 36 && name.chars().all(hex) || name.len() == 26 && !name.contains(['-', '_'])
}

/// The options of a field: each is stored as its label, as Typeform sends it.
fn options(draft: &Draft<'_>, properties: &Node, known: &str, choices: &mut Choices) -> Option<Node> {
    let build = draft.build;
    let list = properties.at("choices")?;
    let mut picks = Vec::new();
    let mut told = Vec::new();
    for choice in build.tables(properties, "choices") {
        let Some(label) = choice.at("label").filter(|label| label.text().is_some_and(|text| !text.trim().is_empty()))
        else {
            continue;
        };
        build.marks.take_all(choice, &["label", "id", "ref"]);
        for name in ["ref", "id"].iter().filter_map(|key| choice.at(key)) {
            told.push(name);
            choices.insert(
                (known.to_owned(), name.text().unwrap_or_default().to_owned()),
                label.text().unwrap_or_default().to_owned(),
            );
        }
        picks.push(Pick { value: label.clone(), label: None });
    }
    if !told.is_empty() {
        draft
            .lose_at("the ids of its options, which are sent as their labels", told.into_iter().map(|node| &node.span));
    }
    draft.options(&picks, &list.span)
}

fn bounds(draft: &mut Draft<'_>, sort: &str, properties: &Node, validations: &Node) {
    let number = |no: i64| Node { span: 0..0, data: Data::Number(no.to_string()) };
    match draft.kind {
        "text" | "long_text" => draft.copy(validations, "max_length", "max_chars", is_some),
        "number" => {
            draft.copy(validations, "min_value", "min", is_number);
            draft.copy(validations, "max_value", "max", is_number);
        }
        "choices" => {
            draft.copy(validations, "min_selection", "min", is_some);
            draft.copy(validations, "max_selection", "max", is_some);
        }
        "phone" => {
            let country = properties.at("default_country_code").and_then(Node::text).map(str::to_uppercase);
            if let Some(country) = country.filter(|country| names::is_code(country, 2)) {
                let span = build_span(properties, "default_country_code");
                draft.build.marks.take(properties, "default_country_code");
                draft.put("country", words(&country, &span));
            }
        }
        "rating" => {
            let steps = properties.at("steps").filter(|steps| is_number(steps)).and_then(Node::number::<i64>);
            let steps = steps.filter(|steps| (1..=100).contains(steps));
            if steps.is_some() {
                draft.build.marks.take(properties, "steps");
            }
            let from_one = draft.build.is(properties, "start_at_one") || sort == "rating";
            let steps = steps.unwrap_or(if sort == "rating" { 5 } else { 11 });
            draft.put("min", number(i64::from(from_one)));
            draft.put("max", number(if from_one { steps } else { steps - 1 }));
        }
        _ => {}
    }
}

fn build_span(table: &Node, key: &str) -> std::ops::Range<usize> {
    table.at(key).map_or(0..0, |node| node.span.clone())
}

/// A text with the answers that it shows, `{{field:ref}}`, as forms show them.
pub(super) fn shown(text: &str, questions: &Questions, at: &[String]) -> String {
    let mut parts = text.split("{{");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let name = part.split_once("}}").and_then(|(name, rest)| Some((name.split_once(':')?.1.trim(), rest)));
        let seen = name.and_then(|(name, rest)| Some((Questions::seen_from(questions.named(name)?, at)?, rest)));
        match seen {
            Some((seen, rest)) => out.push_str(&format!("{{{{ {seen} }}}}{rest}")),
            None => out.push_str(&format!("{{{{{part}")),
        }
    }
    out
}

/// Tells a part of the document as lost, at the field that it belongs to.
fn lose(build: &Build, (place, owner): (&str, &Node), what: String, from: &Node) {
    let lost = Lost::new(place, what).from(&super::whole(from)).of(&super::whole(owner));
    build.lost.borrow_mut().push(lost);
    build.marks.mark_all(from);
}
