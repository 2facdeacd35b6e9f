//! Forms of the Google Forms API: items, sections between page breaks, and answers that lead to a section.
//!
//! Deliberately absent: pictures, videos and points of a quiz; these are told as lost.

use std::collections::BTreeMap;

use super::draft::{Draft, Pick, base_of, is_number, is_some};
use super::jumps::{Jump, Met, When, met};
use super::{Build, Names, Parts, Scope, whole};
use crate::json_schema::{entry, words};
use crate::lost::{Lost, cited};
use crate::node::{Data, Node};
use crate::xls::expression::xpath::{Expr, Op};
use crate::xls::known::Questions;

/// Texts there show no answers.
pub(super) fn shown(text: &str, _: &Questions, _: &[String]) -> String {
    text.to_owned()
}

/// A section: the page break that it begins with, and its fields.
#[derive(Default)]
struct Section<'n> {
    begins: Option<&'n Node>,
    fields: Vec<Node>,
    /// Where its answers lead: by each question that says so.
    leads: Leads<'n>,
}

/// Where an answer leads.
struct Lead<'n> {
    option: &'n Node,
    answer: String,
}

/// The form that a document is.
pub(super) fn form<'n>(build: &Build, document: &'n Node) -> Parts {
    let mut parts = Parts::default();
    if let Some(info) = build.inside(document, "info") {
        let title = build.texts(info, "title", &[]).or_else(|| build.texts(info, "documentTitle", &[]));
        parts.keys.extend(title.map(|title| entry("title", title)));
        parts.keys.extend(build.texts(info, "description", &[]).map(|about| entry("description", about)));
    }
    let mut names = Names::default();
    let mut sections: Vec<Section<'n>> = vec![Section::default()];
    let mut by_id: BTreeMap<&str, usize> = BTreeMap::new();
    for item in build.tables(document, "items") {
        if item.at("pageBreakItem").is_some() {
            by_id.extend(item.at("itemId").and_then(Node::text).map(|id| (id, sections.len())));
            sections.push(Section { begins: Some(item), ..Section::default() });
        } else if let Some(section) = sections.last_mut() {
            section.fields.extend(self::item(build, item, &mut names, &mut section.leads));
        }
    }
    let jumps: Vec<Vec<Jump>> =
        sections.iter().enumerate().map(|(no, section)| leads(build, section, (no, sections.len()), &by_id)).collect();
    let met = met(&jumps);
    let paged = sections.len() > 1;
    let mut pages = Names::default();
    for (section, met) in sections.into_iter().zip(met) {
        if paged {
            page(build, section, &met, (&mut names, &mut pages), &mut parts);
        } else {
            parts.fields.extend(section.fields);
        }
    }
    parts
}

/// A section as a page.
fn page(build: &Build, section: Section<'_>, met: &Met, (names, pages): (&mut Names, &mut Names), parts: &mut Parts) {
    let title = section.begins.and_then(|item| build.texts(item, "title", &[]));
    let name = title.as_ref().and_then(Node::text).unwrap_or("page").to_owned();
    let id = pages.free(&crate::json_schema::id_of(&base_of(&name)));
    let mut fields = Vec::new();
    let mut keys = vec![entry("id", words(&id, &(0..0)))];
    keys.extend(title.map(|title| entry("title", title)));
    if let Some(item) = section.begins {
        let about = build.texts(item, "description", &[]);
        if let Some(about) = about {
            let span = about.span.clone();
            let mut draft = build.draft(item, (&id, &format!("{id}_note")), names, &Scope::default());
            draft.is("note");
            draft.put("ask", about);
            fields.push(Node { span, ..draft.done() });
        }
        build.owners.borrow_mut().insert(item.span.start, (format!("page `{id}`"), whole(item)));
        build.inside(item, "pageBreakItem");
    }
    let owner = section.begins.map_or(0..0, whole);
    let code = match met {
        Met::If(expr) => build.condition(expr, &[]),
        Met::Always | Met::Unknown => None,
    };
    let unsaid = *met != Met::Always && code.is_none();
    if unsaid {
        let lost = Lost::new(format!("page `{id}`"), "which answers lead past it");
        build.lost.borrow_mut().push(lost.of(&owner));
    }
    keys.extend(code.map(|code| entry("show_when", words(&code, &owner))));
    fields.extend(section.fields);
    for field in &mut fields {
        let kind = field.at("kind").and_then(Node::text).unwrap_or_default().to_owned();
        let may = unsaid && !matches!(kind.as_str(), "note" | "group") && field.at("required").is_none();
        if let Data::Map(entries) = &mut field.data {
            // What may not be meant for everyone may be left out.
            if may {
                entries.push(entry("required", Node { span: 0..0, data: Data::Bool(false) }));
            }
            entries.push(entry("page", words(&id, &(0..0))));
        }
    }
    if fields.is_empty() {
        let lost = Lost::new(format!("page `{id}`"), "all of it: there is nothing in it");
        return build.lost.borrow_mut().push(lost.from(&owner));
    }
    parts.pages.push(Node { span: owner, data: Data::Map(keys) });
    parts.fields.append(&mut fields);
}

/// Where the answers of a section lead. Only one question of a section can say so here.
fn leads(build: &Build, section: &Section<'_>, (no, many): (usize, usize), by_id: &BTreeMap<&str, usize>) -> Vec<Jump> {
    let mut out = Vec::new();
    let last = section.leads.len().saturating_sub(1);
    for (at, (name, leads)) in section.leads.iter().enumerate() {
        for Lead { option, answer } in leads {
            let action = option.at("goToAction").and_then(Node::text);
            let to = match (action, option.at("goToSectionId").and_then(Node::text)) {
                (Some("NEXT_SECTION"), None) => Some(no + 1),
                (Some("SUBMIT_FORM"), None) => Some(many),
                (None, Some(id)) => by_id.get(id).copied().filter(|to| *to > no),
                _ => None,
            };
            // What is not said here is told as the keyword that it is; only the last question decides there.
            let Some(to) = to.filter(|_| at == last) else { continue };
            build.marks.take_all(option, &["goToAction", "goToSectionId"]);
            let is = Expr::Two(Op::Equal, Box::new(Expr::Field(name.clone())), Box::new(Expr::Text(answer.clone())));
            out.push(Jump { when: When::If(is), to });
        }
    }
    // What leads to the next section leads past none.
    out.retain(|jump| jump.to > no + 1);
    out
}

/// By the question, its answers that lead somewhere.
type Leads<'n> = Vec<(String, Vec<Lead<'n>>)>;

/// The field of an item.
fn item<'n>(build: &Build, item: &'n Node, names: &mut Names, leads: &mut Leads<'n>) -> Option<Node> {
    if !build.has_room() {
        return None;
    }
    let title = item.at("title").and_then(Node::text).filter(|title| !title.trim().is_empty()).unwrap_or("question");
    let mut draft = build.draft(item, (title, &base_of(title)), names, &Scope::default());
    draft.name = draft.path.join(".");
    known_by(&draft, item, "itemId");
    if let Some(group) = build.inside(item, "questionGroupItem") {
        draft.is("group");
        let members = rows(&draft, group);
        if members.is_empty() {
            draft.lose_all("there is nothing in it to answer");
            return None;
        }
        draft.put("fields", Node { span: item.span.clone(), data: Data::List(members) });
    } else if let Some(question) = build.inside(item, "questionItem").and_then(|inner| build.inside(inner, "question"))
    {
        self::question(&mut draft, question, leads);
    } else {
        draft.is("note");
        for sort in ["textItem", "imageItem", "videoItem"] {
            build.inside(item, sort);
        }
        match (draft.text(item, "title"), draft.text(item, "description")) {
            (Some(title), Some(more)) => {
                let both = [&title, &more].map(|text| text.text().unwrap_or_default()).join("\n");
                draft.put("ask", words(&both, &title.span));
            }
            (Some(text), None) | (None, Some(text)) => draft.put("ask", text),
            (None, None) => {
                draft.lose_all("it has no text");
                return None;
            }
        }
        return Some(draft.done());
    }
    if let Some(title) = draft.text(item, "title") {
        draft.title(title);
    }
    draft.copy_text(item, "description", "help");
    Some(draft.done())
}

/// Tells the id that Google knows it by.
fn known_by(draft: &Draft<'_>, table: &Node, key: &str) {
    if let Some(id) = table.at(key).and_then(Node::text) {
        let span = table.at(key).map_or(0..0, |node| node.span.clone());
        draft.build.marks.take(table, key);
        draft.lose(format!("its `{key}` {id}: it is `{}` here", draft.id()), &span);
    }
}

/// What a question asks for.
fn question<'n>(draft: &mut Draft<'_>, question: &'n Node, leads: &mut Leads<'n>) {
    let build = draft.build;
    known_by(draft, question, "questionId");
    if !build.is(question, "required") {
        draft.flag("required", false);
    }
    let sort = question.entries().iter().find(|entry| entry.key.ends_with("Question"));
    let Some((sort, of)) = sort.map(|entry| (entry.key.as_str(), &entry.node)) else {
        return draft.lose("its type, which is none", &whole(question));
    };
    if !matches!(of.data, Data::Map(_)) {
        return;
    }
    let number = |no: i64| Node { span: 0..0, data: Data::Number(no.to_string()) };
    match sort {
        "textQuestion" => draft.is(if build.is(of, "paragraph") { "long_text" } else { "text" }),
        "scaleQuestion" => {
            draft.is("rating");
            draft.copy(of, "low", "min", is_number);
            draft.copy(of, "high", "max", is_number);
            // A number that is not written is nought there.
            if !draft.has("min") {
                draft.put("min", number(0));
            }
        }
        "ratingQuestion" => {
            draft.is("rating");
            draft.copy(of, "ratingScaleLevel", "max", is_some);
        }
        "dateQuestion" => {
            draft.is(if build.is(of, "includeTime") { "datetime" } else { "date" });
            if !build.is(of, "includeYear") {
                draft.lose("that it asks for no year", &whole(question));
            }
        }
        "timeQuestion" => draft.is(if build.is(of, "duration") { "duration" } else { "time" }),
        "fileUploadQuestion" => {
            draft.is("file");
            draft.copy(of, "maxFiles", "max_files", is_some);
            let most = of.at("maxFileSize").and_then(Node::number::<u64>).filter(|most| *most > 0);
            if let Some(most) = most {
                let span = of.at("maxFileSize").map_or(0..0, |node| node.span.clone());
                build.marks.take(of, "maxFileSize");
                draft.put("max_bytes", Node { span, data: Data::Number(most.to_string()) });
            }
        }
        "choiceQuestion" => choice(draft, of, leads),
        _ => return draft.lose(format!("its type (`{sort}`)"), &whole(question)),
    }
    build.marks.take(question, sort);
}

/// A choice, and where its answers lead.
fn choice<'n>(draft: &mut Draft<'_>, of: &'n Node, leads: &mut Leads<'n>) {
    let build = draft.build;
    let several = build.text(of, "type") == Some("CHECKBOX");
    draft.is(if several { "choices" } else { "choice" });
    if let Some(odd) = of.at("type").filter(|sort| !matches!(sort.text(), Some("CHECKBOX" | "RADIO" | "DROP_DOWN"))) {
        draft.lose(format!("its type of choice, {}", cited(&odd.json().to_string())), &odd.span);
    }
    let (options, own) = offered(draft, of);
    let Some(options) = options else {
        draft.lose("its options: there are none that can be read", &whole(of));
        return draft.is("text");
    };
    draft.put("options", options);
    if own {
        draft.flag("other", true);
    }
    let list = of.at("options").map(Node::items).unwrap_or_default();
    let leading =
        list.iter().filter(|option| option.at("goToAction").is_some() || option.at("goToSectionId").is_some());
    let found: Vec<Lead<'n>> =
        leading.filter_map(|option| Some(Lead { option, answer: option.at("value")?.text()?.to_owned() })).collect();
    if !several && !found.is_empty() {
        leads.push((draft.name.clone(), found));
    }
}

/// The options of a choice, and whether words of one's own are one.
fn offered(draft: &Draft<'_>, of: &Node) -> (Option<Node>, bool) {
    let build = draft.build;
    let mut own = false;
    let mut picks = Vec::new();
    for option in build.tables(of, "options") {
        if build.is(option, "isOther") {
            own = true;
        } else if let Some(value) = option.at("value").filter(|value| value.text().is_some()) {
            build.marks.take(option, "value");
            picks.push(Pick { value: value.clone(), label: None });
        }
    }
    let span = of.at("options").map_or(0..0, |list| list.span.clone());
    (draft.options(&picks, &span), own)
}

/// The fields of the rows of a grid: each is a choice of its columns.
fn rows(draft: &Draft<'_>, group: &Node) -> Vec<Node> {
    let build = draft.build;
    let Some(columns) = build.inside(group, "grid").and_then(|grid| build.inside(grid, "columns")) else {
        return Vec::new();
    };
    let sort = columns.at("type").and_then(Node::text).filter(|sort| matches!(*sort, "RADIO" | "CHECKBOX"));
    if sort.is_some() {
        build.marks.take(columns, "type");
    }
    let scope = draft.scope("");
    let mut names = Names::default();
    let mut out = Vec::new();
    for row in build.tables(group, "questions") {
        let (Some(options), _) = offered(draft, columns) else { break };
        if !build.has_room() {
            break;
        }
        let inner = build.inside(row, "rowQuestion");
        let title = inner.and_then(|inner| inner.at("title")).and_then(Node::text).unwrap_or("row");
        let mut field = build.draft(row, (title, &base_of(title)), &mut names, &scope);
        field.name = field.path.join(".");
        field.is(if sort == Some("CHECKBOX") { "choices" } else { "choice" });
        known_by(&field, row, "questionId");
        if let Some(inner) = inner {
            field.copy_text(inner, "title", "label");
        }
        field.put("options", options);
        if !build.is(row, "required") {
            field.flag("required", false);
        }
        out.push(field.done());
    }
    out
}
