//! Params of tools that the person is asked for: each becomes a field of the form, and the tool reads it. What is wrong
//! with such a field is then found where all fields are checked, at its own place in the file.

use super::node::{Data, Entry, Node};
use super::{advice, names};

/// Turns the params of all tools into fields. What is no param is left where it stands, for the checks to report.
pub(super) fn params(root: &mut Node) {
    let Data::Map(top) = &mut root.data else { return };
    let mut asked: Vec<(String, Node)> = Vec::new();
    let known: Vec<String> = list(top, &["field", "fields"]).iter().filter_map(name).collect();
    let submit = top.iter().find(|entry| entry.key == "submit").map(|entry| entry.node.one_or_more());
    let sinks = submit.unwrap_or_default().iter().filter_map(|sink| sink.text()?.strip_prefix("tool."));
    // What takes a finished form is told answers as they are.
    let sinks: Vec<String> = sinks.map(str::to_owned).collect();
    let tools = top.iter_mut().filter(|entry| matches!(entry.key.as_str(), "tool" | "tools"));
    for tool in tools.flat_map(|entry| items_mut(&mut entry.node)) {
        let Some(id) = name(tool) else { continue };
        let Data::Map(keys) = &mut tool.data else { continue };
        let Some(at) = keys.iter().position(|entry| matches!(entry.key.as_str(), "param" | "slots")) else { continue };
        let (span, key_span) = match keys.get(at) {
            Some(entry) => (entry.node.span.clone(), entry.span.clone()),
            None => continue,
        };
        let Some(Data::List(given)) = keys.get_mut(at).map(|entry| &mut entry.node.data) else { continue };
        let (good, bad): (Vec<Node>, Vec<Node>) =
            std::mem::take(given).into_iter().partition(|param| name(param).is_some());
        if bad.is_empty() {
            keys.remove(at);
        } else {
            *given = bad;
        }
        let mut args = Vec::new();
        for param in good {
            let Some(own) = name(&param) else { continue };
            let there = known.contains(&own) || asked.iter().any(|(_, field)| name(field).as_ref() == Some(&own));
            let expr = param.at("value").cloned().or_else(|| param.at("fixed").and_then(literal));
            let read = match of_numbers(&param).filter(|_| !there && !takes_several(&param) && !sinks.contains(&id)) {
                Some(number) => format!("{number}({own})"),
                None => own.clone(),
            };
            let reads = Node { span: param.span.clone(), data: Data::Text(read) };
            args.push(Entry { key: own, span: param.span.clone(), node: expr.clone().unwrap_or(reads) });
            if expr.is_none() && !there {
                asked.push((id.clone(), field(param)));
            }
        }
        match keys.iter_mut().find(|entry| entry.key == "params").map(|entry| &mut entry.node.data) {
            Some(Data::Map(params)) => {
                args.retain(|arg| !params.iter().any(|param| param.key == arg.key));
                params.extend(args);
            }
            Some(_) => {}
            None => keys.push(Entry {
                key: "params".to_owned(),
                span: key_span,
                node: Node { span, data: Data::Map(args) },
            }),
        }
    }
    put_in(top, asked, &root.span);
}

/// Puts fields before the first one that reads their tool, else at the end.
fn put_in(top: &mut Vec<Entry>, asked: Vec<(String, Node)>, whole: &std::ops::Range<usize>) {
    if asked.is_empty() {
        return;
    }
    if !top.iter().any(|entry| matches!(entry.key.as_str(), "field" | "fields")) {
        let node = Node { span: whole.clone(), data: Data::List(Vec::new()) };
        top.push(Entry { key: "field".to_owned(), span: whole.clone(), node });
    }
    let fields = top.iter_mut().find(|entry| matches!(entry.key.as_str(), "field" | "fields"));
    let Some(Data::List(fields)) = fields.map(|entry| &mut entry.node.data) else { return };
    for (tool, field) in asked {
        let at = fields.iter().position(|other| reads(other, &tool)).unwrap_or(fields.len());
        fields.insert(at, field);
    }
}

/// Whether a field, or one in it, asks a tool.
fn reads(field: &Node, tool: &str) -> bool {
    let is_it = |node: Option<&Node>| node.and_then(Node::text) == Some(tool);
    let named = |key: &str| field.at(key).is_some_and(|node| is_it(Some(node)) || is_it(node.at("tool")));
    let checks = ["check", "checks"].iter().filter_map(|key| field.at(key)).flat_map(Node::items);
    let inner = ["field", "fields"].iter().filter_map(|key| field.at(key)).flat_map(Node::items);
    named("options_from")
        || field.at("default_from").is_some_and(|node| is_it(node.at("tool")))
        || checks.into_iter().any(|check| is_it(check.at("tool")))
        || inner.into_iter().any(|field| reads(field, tool))
}

/// A param as a field: its own words for a field's keys are put into ours.
fn field(param: Node) -> Node {
    let span = param.span.clone();
    let numbers = of_numbers(&param).is_some();
    let Data::Map(entries) = param.data else { return param };
    let mut keys: Vec<Entry> = Vec::new();
    let offers = entries.iter().any(|entry| matches!(entry.key.as_str(), "enum" | "options" | "options_from"));
    for mut entry in entries {
        if matches!(entry.key.as_str(), "enum" | "options") {
            as_written(&mut entry.node);
        }
        match entry.key.as_str() {
            "type" => "kind".clone_into(&mut entry.key),
            "name" => "id".clone_into(&mut entry.key),
            "prompt" => "ask".clone_into(&mut entry.key),
            "description" => "help".clone_into(&mut entry.key),
            "enum" => "options".clone_into(&mut entry.key),
            "items" => {
                let inside = matches!(entry.node.data, Data::List(_));
                (if inside { "field" } else { "of" }).clone_into(&mut entry.key);
                if let Data::List(params) = &mut entry.node.data {
                    *params = std::mem::take(params).into_iter().map(field).collect();
                }
                if let Some(kind) = entry.node.at("type").or_else(|| entry.node.at("kind")).cloned() {
                    entry.node = kind;
                }
                if let Some(kind) = entry.node.text().and_then(advice::meant_kind) {
                    entry.node.data = Data::Text(kind.to_owned());
                }
            }
            "verified" if entry.node.truth() == Some(true) => continue,
            "verified" if entry.node.truth() == Some(false) => {
                "verify".clone_into(&mut entry.key);
                entry.node.data = Data::Bool(true);
            }
            _ => {}
        }
        keys.push(entry);
    }
    let mut of = None;
    match keys.iter_mut().find(|entry| entry.key == "kind") {
        Some(kind) => {
            let written = kind.node.text().unwrap_or_default().to_owned();
            let inner = written.strip_prefix("list[").and_then(|rest| rest.strip_suffix(']'));
            of = inner.and_then(advice::meant_kind).map(|of| (of, kind.span.clone()));
            let meant = if inner.is_some() { Some("list") } else { advice::meant_kind(&written) };
            let meant = meant.map(|meant| match meant {
                "text" if offers => "choice",
                "integer" | "number" if numbers => "choice",
                meant => meant,
            });
            if let Some(meant) = meant {
                kind.node.data = Data::Text(meant.to_owned());
            }
        }
        None => {
            let kind = if offers { "choice" } else { "text" };
            let node = Node { span: span.clone(), data: Data::Text(kind.to_owned()) };
            keys.push(Entry { key: "kind".to_owned(), span: span.clone(), node });
        }
    }
    if let Some((of, at)) = of.filter(|_| !keys.iter().any(|entry| entry.key == "of")) {
        let node = Node { span: at.clone(), data: Data::Text(of.to_owned()) };
        keys.push(Entry { key: "of".to_owned(), span: at, node });
    }
    Node { span, data: Data::Map(keys) }
}

/// Options without an id of their own are given to the tool as they are written.
fn as_written(options: &mut Node) {
    let Data::List(items) = &mut options.data else { return };
    for item in items {
        let written = match &item.data {
            Data::Text(text) => text.clone(),
            Data::Number(digits) => digits.clone(),
            Data::Null | Data::Bool(_) | Data::Moment(_) | Data::List(_) | Data::Map(_) => continue,
        };
        if names::is_option(&written) {
            let label = Node { span: item.span.clone(), data: Data::Text(written.clone()) };
            *item = names::option(&written, &label);
        }
    }
}

/// Whether a param takes several of its options.
fn takes_several(param: &Node) -> bool {
    let kind = param.at("kind").or_else(|| param.at("type")).and_then(Node::text).unwrap_or_default();
    kind == "choices" || kind.starts_with("list") || kind == "array"
}

/// Whether all that there is to choose from are numbers: then the tool is given a number.
fn of_numbers(param: &Node) -> Option<&'static str> {
    let items = ["enum", "options"].iter().find_map(|key| param.at(key)).map(Node::items)?;
    let digits = |item: &Node| if let Data::Number(digits) = &item.data { Some(digits.clone()) } else { None };
    let all: Vec<String> = items.iter().map(digits).collect::<Option<_>>().filter(|all: &Vec<_>| !all.is_empty())?;
    Some(if all.iter().all(|digits| digits.parse::<i64>().is_ok()) { "int" } else { "double" })
}

/// A fixed value as an expression; none for what is no single value.
fn literal(node: &Node) -> Option<Node> {
    let data = match &node.data {
        Data::Text(text) => Data::Text(serde_json::to_string(text).ok()?),
        Data::Bool(_) | Data::Number(_) => node.data.clone(),
        Data::Null | Data::Moment(_) | Data::List(_) | Data::Map(_) => return None,
    };
    Some(Node { span: node.span.clone(), data })
}

fn name(node: &Node) -> Option<String> {
    node.at("id").or_else(|| node.at("name")).and_then(Node::text).map(str::to_owned)
}

fn list<'n>(top: &'n [Entry], keys: &[&str]) -> &'n [Node] {
    top.iter().find(|entry| keys.contains(&entry.key.as_str())).map(|entry| entry.node.items()).unwrap_or_default()
}

fn items_mut(node: &mut Node) -> &mut [Node] {
    if let Data::List(items) = &mut node.data { items } else { &mut [] }
}

#[cfg(test)]
mod tests {
    use formwright_form::Form;
    use formwright_form::field::Required;
    use formwright_values::ToolId;

    use crate::{Syntax, load};

    fn loaded(tool: &str) -> (Option<Form>, Vec<&'static str>) {
        let text = format!(
            r#"{{ "id": "sum", "title": "Sum", "run": "add",
                 "field": [{{ "id": "note", "kind": "text", "required": false }}],
                 "tool": [{{ "id": "add", "kind": "function", {tool} }}] }}"#
        );
        let loaded = load(&text, Syntax::Json);
        (loaded.form, loaded.problems.iter().map(|problem| problem.code).collect())
    }

    #[rstest::rstest]
    #[case::plain(r#""param": [{ "id": "a" }]"#, "note:text a:text", "a=a")]
    #[case::typed(r#""param": [{ "id": "a", "kind": "integer", "ask": "How many?" }]"#, "note:text a:integer", "a=a")]
    #[case::words_of_others(
        r#""slots": [{ "name": "a", "type": "int", "prompt": "How many?", "description": "A number.", "verified": false }]"#,
        "note:text a:integer!", "a=a"
    )]
    #[case::choices(
        r#""slots": [{ "name": "a", "type": "str", "enum": ["red", "blue"] }]"#,
        "note:text a:choice",
        "a=a"
    )]
    #[case::choice_of_numbers(
        r#""slots": [{ "name": "a", "type": "int", "enum": [1, 2] }]"#,
        "note:text a:choice",
        "a=int(a)"
    )]
    #[case::choice_of_decimals(r#""slots": [{ "name": "a", "enum": [0.5, 2] }]"#, "note:text a:choice", "a=double(a)")]
    #[case::list(r#""slots": [{ "name": "a", "type": "list[str]" }]"#, "note:text a:list item:text", "a=a")]
    #[case::items(
        r#""slots": [{ "name": "a", "type": "list", "items": { "type": "int" } }]"#,
        "note:text a:list item:integer",
        "a=a"
    )]
    #[case::params_of_their_own(
        r#""slots": [{ "name": "a", "type": "list", "items": [{ "name": "b", "type": "int", "prompt": "How many?" }, { "id": "c" }] }]"#,
        "note:text a:list item:integer item:text",
        "a=a"
    )]
    #[case::worked_out(r#""param": [{ "id": "a", "value": "note + '!'" }]"#, "note:text", "a=note + '!'")]
    #[case::fixed(
        r#""param": [{ "id": "a", "fixed": "x\"y" }, { "id": "b", "fixed": 3 }]"#,
        "note:text",
        r#"a="x\"y" b=3"#
    )]
    #[case::a_field_that_is_there(r#""param": [{ "id": "note" }]"#, "note:text", "note=note")]
    #[case::both(r#""params": { "x": "1" }, "param": [{ "id": "a" }]"#, "note:text a:text", "x=1 a=a")]
    fn params_become_fields(#[case] tool: &str, #[case] fields: &str, #[case] params: &str) {
        let (form, problems) = loaded(tool);
        let form = form.unwrap_or_else(|| panic!("{problems:?}"));
        let told = |field: &formwright_form::Field| {
            let mark = if field.verify.is_some() { "!" } else { "" };
            let id = if field.parent.is_some() { "item" } else { field.id.as_str() };
            format!("{id}:{}{mark}", field.kind.name())
        };
        assert_eq!(form.fields.iter().map(told).collect::<Vec<_>>().join(" "), fields);
        let tool = &form.tools[&ToolId::new("add")];
        let given: Vec<String> = tool.params.iter().map(|(name, expr)| format!("{name}={}", expr.source)).collect();
        assert_eq!(given.join(" "), params);
        assert!(
            form.fields
                .iter()
                .filter(|field| field.id.as_str() == "a")
                .all(|field| matches!(field.required, Required::Yes))
        );
    }

    #[rstest::rstest]
    #[case::words(r#"["Ann", "dark red", "blue"]"#, "Ann|dark red|blue")]
    #[case::numbers("[1, 2.5]", "1|2.5")]
    #[case::with_ids(r#"[{ "id": "a", "label": "Ann" }, { "label": "Bob B" }]"#, "a|bob-b")]
    fn options_of_a_param_are_given_as_they_are_written(#[case] options: &str, #[case] ids: &str) {
        for key in ["enum", "options"] {
            let (form, problems) = loaded(&format!(r#""param": [{{ "id": "a", "{key}": {options} }}]"#));
            let form = form.unwrap_or_else(|| panic!("{problems:?}"));
            let choices = form.fields.iter().find_map(|field| field.choices.as_ref()).unwrap();
            let found: Vec<&str> = choices.options.iter().map(|option| option.id.as_str()).collect();
            assert_eq!(found.join("|"), ids, "{key}");
        }
    }

    #[rstest::rstest]
    #[case::no_name(r#""param": [{ "kind": "text" }]"#, "form::missing_key")]
    #[case::no_list(r#""param": "a""#, "form::wrong_type")]
    #[case::key_of_another_kind(
        r#""param": [{ "id": "a", "kind": "text", "currency": "EUR" }]"#,
        "form::misplaced_key"
    )]
    #[case::unknown_key(r#""param": [{ "id": "a", "colour": "red" }]"#, "form::unknown_key")]
    fn what_is_wrong_with_a_param_is_found(#[case] tool: &str, #[case] code: &str) {
        let (_, problems) = loaded(tool);
        assert!(problems.contains(&code), "{problems:?}");
    }
}
