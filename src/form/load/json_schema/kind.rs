//! The kind of field that a schema describes.

use std::ops::Range;

use super::ui::HIDDEN;
use super::{Reading, check, entry, number, words};
use crate::names;
use crate::node::{Data, Entry, Node};

/// Texts that may be longer get room for several lines.
const LINE: u64 = 200;

/// Formats that are shapes of words here, each with its shape and what people are told of it.
const SHAPES: &[(&str, &str, &str)] = &[
    (
        "uuid",
        "[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}",
        "a UUID, such as 123e4567-e89b-12d3-a456-426614174000",
    ),
    (
        "ipv4",
        "(?:(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])[.]){3}(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])",
        "an IPv4 address, such as 192.0.2.1",
    ),
    ("ipv6", "[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*", "an IPv6 address, such as 2001:db8::1"),
    ("hostname", "[0-9A-Za-z-]+(?:[.][0-9A-Za-z-]+)*", "a host name, such as www.example.org"),
];

impl Reading<'_> {
    /// The kind of field that a schema describes, with its keys.
    pub(super) fn kind(&mut self, schema: &Node, depth: usize, place: &str) -> (&'static str, Vec<Entry>) {
        let types: Vec<&str> =
            schema.at("type").map(Node::one_or_more).unwrap_or_default().iter().filter_map(Node::text).collect();
        let some: Vec<&str> = types.iter().copied().filter(|name| *name != "null").collect();
        if some.len() < 2 {
            self.schemas.take(schema, "type");
        }
        if schema.at(HIDDEN).is_some() {
            return ("hidden", Vec::new());
        }
        if let Some((key, truth)) = only_truth(schema) {
            self.schemas.take(schema, key);
            return ("yes_no", vec![agreed(truth, schema)]);
        }
        if let Some((kind, keys, read)) = number::to_choose(schema) {
            self.schemas.take(schema, "enum");
            self.schemas.take_all(schema, read);
            return (kind, keys);
        }
        if let Some(options) = self.options(schema, place) {
            return ("choice", vec![entry("options", options)]);
        }
        match some.first().copied().or_else(|| schema.at("const").and_then(type_of)) {
            Some("boolean") => {
                if schema.at("enum").is_some_and(|list| list.items().iter().all(|one| one.truth().is_some())) {
                    self.schemas.take(schema, "enum");
                }
                ("yes_no", self.truths(schema))
            }
            Some("integer") => {
                let (mut keys, read) = number::bounds(schema);
                self.schemas.take_all(schema, read);
                keys.extend(self.steps(schema, true));
                ("integer", keys)
            }
            Some("number") => {
                let mut keys = self.copied(schema, &[("minimum", "min"), ("maximum", "max")]);
                keys.extend(self.steps(schema, false));
                ("number", keys)
            }
            Some("array") => self.array(schema, depth, place),
            Some("object") => self.object(schema, depth, place),
            _ if self.schemas.is_object(schema, 0) => self.object(schema, depth, place),
            _ => self.text(schema, place),
        }
    }

    /// The words for yes and no, where a schema has titles for them.
    fn truths(&self, schema: &Node) -> Vec<Entry> {
        let choice = ["oneOf", "anyOf"].into_iter().find_map(|key| Some((key, schema.at(key)?.items())));
        let Some((key, [one, other])) = choice else { return Vec::new() };
        let word = |item: &Node| Some((item.at("const")?.truth()?, item.at("title")?.clone()));
        let Some(((first, one_word), (second, other_word))) = word(one).zip(word(other)) else { return Vec::new() };
        if first == second {
            return Vec::new();
        }
        self.schemas.take(schema, key);
        [one, other].iter().for_each(|item| self.schemas.take_all(item, &["const", "title"]));
        let name = |truth: bool| if truth { "yes" } else { "no" };
        vec![entry(name(first), one_word), entry(name(second), other_word)]
    }

    /// Keywords that are keys here.
    fn copied(&self, schema: &Node, pairs: &[(&str, &str)]) -> Vec<Entry> {
        pairs
            .iter()
            .filter_map(|(theirs, ours)| Some(entry(ours, self.schemas.take(schema, theirs)?.clone())))
            .collect()
    }

    fn object(&mut self, schema: &Node, depth: usize, place: &str) -> (&'static str, Vec<Entry>) {
        if let Some(kind) = shape_of(schema) {
            for key in ["properties", "required", "additionalProperties"] {
                if let Some(value) = self.schemas.take(schema, key) {
                    self.schemas.mark_all(value);
                }
            }
            return (kind, of_shape(kind, schema));
        }
        let fields = self.fields(schema, place, depth + 1);
        ("group", vec![entry("fields", Node { span: schema.span.clone(), data: Data::List(fields) })])
    }

    /// Bounds that are left out, and steps, as checks.
    fn steps(&self, schema: &Node, whole: bool) -> Vec<Entry> {
        let mut keys = Vec::new();
        let mut checks = Vec::new();
        let digits = |key: &str| match schema.at(key).map(|node| (&node.data, &node.span)) {
            Some((Data::Number(digits), span)) => Some((digits.as_str(), span)),
            _ => None,
        };
        if let Some((step, span)) = digits("multipleOf") {
            let places = step
                .strip_prefix("0.")
                .and_then(|rest| rest.strip_suffix('1'))
                .filter(|rest| !rest.contains(|c| c != '0'));
            match (step, places) {
                ("1", _) if whole => self.schemas.take_all(schema, &["multipleOf"]),
                ("1", _) | (_, Some(_)) if !whole => {
                    self.schemas.take(schema, "multipleOf");
                    let places = places.map_or(0, |zeros| zeros.len() + 1).to_string();
                    keys.push(entry("decimals", Node { span: span.clone(), data: Data::Number(places) }));
                }
                _ if whole && step.parse::<i64>().is_ok() => {
                    self.schemas.take(schema, "multipleOf");
                    checks.push(check(
                        &format!("value % {step} == 0"),
                        &format!("A multiple of {step}, please."),
                        span,
                    ));
                }
                _ => {}
            }
        }
        for (key, mark, word) in [("exclusiveMinimum", ">", "More"), ("exclusiveMaximum", "<", "Less")] {
            if let Some((bound, span)) = digits(key).filter(|_| !whole) {
                self.schemas.take(schema, key);
                checks.push(check(&format!("value {mark} {bound}"), &format!("{word} than {bound}, please."), span));
            }
        }
        if !checks.is_empty() {
            keys.push(entry("check", Node { span: schema.span.clone(), data: Data::List(checks) }));
        }
        keys
    }

    fn text(&mut self, schema: &Node, place: &str) -> (&'static str, Vec<Entry>) {
        let word = |key: &str| schema.at(key).and_then(Node::text).unwrap_or_default();
        let (format, pattern) = (word("format"), word("pattern"));
        let span = &schema.span;
        let by_format = match format {
            "date" => Some("date"),
            "time" => Some("time"),
            "date-time" => Some("datetime"),
            "duration" => Some("duration"),
            "email" | "idn-email" => Some("email"),
            "uri" | "url" | "iri" => Some("url"),
            "phone" | "tel" => Some("phone"),
            "data-url" | "binary" => Some("file"),
            _ => None,
        };
        let by_pattern = match pattern {
            pattern if pattern.starts_with("^\\+[1-9]") || pattern.starts_with("^(\\+[1-9]") => Some("phone"),
            pattern if pattern.starts_with("^([01][0-9]|2[0-3]):") => Some("time"),
            pattern if pattern.starts_with("^[0-9]{4}-[0-9]{2}-[0-9]{2}T") => Some("datetime"),
            _ => None,
        };
        if let Some(kind) = by_format {
            let of =
                schema.entries().iter().find(|entry| entry.key == "format").map_or(0..0, |entry| entry.span.clone());
            self.schemas.take(schema, "format");
            match kind {
                "time" | "datetime" => {
                    let what = format!("the zone of `{format}`: what is answered is the person's own time");
                    self.lose(place, what, &of);
                }
                "file" => self.lose(place, format!("`format`: \"{format}\": a file is sent by its address"), &of),
                _ => {}
            }
            return (kind, Vec::new());
        }
        if let Some(kind) = by_pattern {
            self.schemas.take(schema, "pattern");
            return (kind, Vec::new());
        }
        let shape = SHAPES.iter().find(|(name, ..)| *name == format);
        if !pattern.is_empty() {
            self.schemas.take(schema, "pattern");
            let regex = pattern.strip_prefix("^(?:").and_then(|rest| rest.strip_suffix(")$")).unwrap_or(pattern);
            return ("pattern", vec![entry("regex", words(regex, span))]);
        }
        if let Some((_, regex, told)) = shape {
            self.schemas.take(schema, "format");
            return ("pattern", vec![entry("regex", words(regex, span)), entry("shape", words(told, span))]);
        }
        let mut keys = self.copied(schema, &[("minLength", "min_chars"), ("maxLength", "max_chars")]);
        keys.retain(|key| key.node.number::<u64>() != Some(0));
        let long = schema.at("maxLength").and_then(Node::number::<u64>).is_some_and(|most| most > LINE);
        match format {
            "password" => {
                self.schemas.take(schema, "format");
                keys.push(entry("sensitive", Node { span: span.clone(), data: Data::Bool(true) }));
            }
            "textarea" | "multiline" => {
                self.schemas.take(schema, "format");
                return ("long_text", keys);
            }
            _ => {}
        }
        (if long { "long_text" } else { "text" }, keys)
    }

    fn array(&mut self, schema: &Node, depth: usize, place: &str) -> (&'static str, Vec<Entry>) {
        let span = schema.span.clone();
        let items = schema.at("items").filter(|items| matches!(items.data, Data::Map(_)));
        let Some(items) = items.map(|items| self.schemas.resolved(items)) else {
            let mut keys = self.copied(schema, &[("minItems", "min"), ("maxItems", "max")]);
            keys.push(entry("of", words("text", &span)));
            return ("list", keys);
        };
        self.schemas.take(schema, "items");
        if let Some(options) = self.options(&items, place) {
            self.schemas.take(&items, "type");
            // Nothing is picked twice.
            self.schemas.take(schema, "uniqueItems");
            let mut keys = self.copied(schema, &[("minItems", "min"), ("maxItems", "max")]);
            keys.push(entry("options", options));
            return ("choices", keys);
        }
        let is_file = shape_of(&items) == Some("file");
        let bounds = if is_file { ["min_files", "max_files"] } else { ["min", "max"] };
        let mut out = self.copied(schema, &[("minItems", bounds[0]), ("maxItems", bounds[1])]);
        let (kind, keys) = self.kind(&items, depth + 1, place);
        if is_file {
            out.retain(|key| key.node.number::<u64>() != Some(0));
            return ("file", out);
        }
        out.extend(self.schemas.take(&items, "title").map(|title| entry("item", title.clone())));
        match kind {
            "group" => out.extend(keys),
            // An item that is a list itself has no place here, which is told when the form is read.
            "list" | "choice" | "choices" => {}
            kind => {
                out.push(entry("of", words(kind, &span)));
                let unique = schema.at("uniqueItems").and_then(Node::truth);
                if unique.is_some() {
                    self.schemas.take(schema, "uniqueItems");
                }
                self.of_items(keys, unique == Some(true), place, &mut out);
            }
        }
        ("list", out)
    }

    /// The keys of a list's plain items. Bounds and checks of a list are those of all its items together.
    fn of_items(&mut self, keys: Vec<Entry>, unique: bool, place: &str, out: &mut Vec<Entry>) {
        let mut checks = Vec::new();
        let mut each = |that: &str, otherwise: &str, span: &Range<usize>| {
            checks.push(check(&format!("value.all(i, {that})"), otherwise, span));
        };
        if unique {
            each("value.exists_one(j, j == i)", "No two of them may be the same.", &(0..0));
        }
        for key in keys {
            let span = &key.node.span.clone();
            match (key.key.as_str(), &key.node.data) {
                ("min", Data::Number(least)) => {
                    each(&format!("i >= {least}"), &format!("Each must be {least} or more."), span);
                }
                ("max", Data::Number(most)) => {
                    each(&format!("i <= {most}"), &format!("Each must be {most} or less."), span);
                }
                ("check", _) => {
                    for inner in key.node.items() {
                        let said = |key: &str| inner.at(key).and_then(Node::text).unwrap_or_default();
                        each(&said("that").replacen("value", "i", 1), said("else"), span);
                    }
                }
                ("min" | "max", _) => self.lose(place, format!("`{}` of each item", key.key), span),
                _ => out.push(key),
            }
        }
        if !checks.is_empty() {
            out.push(entry("check", Node { span: 0..0, data: Data::List(checks) }));
        }
    }

    /// The options of a schema: its words, or constants with titles. Each is stored and sent as it is written there.
    fn options(&mut self, schema: &Node, place: &str) -> Option<Node> {
        let (key, list) = ["enum", "oneOf", "anyOf"].into_iter().find_map(|key| Some((key, schema.at(key)?)))?;
        let values = |item: &Node| {
            let value = if key == "enum" { Some(item.clone()) } else { item.at("const").cloned() };
            value.map(|value| (value, item.at("title").and_then(Node::text).map(str::to_owned)))
        };
        let some = list.items().iter().filter(|item| !super::merge::is_nothing(item));
        let given: Option<Vec<(Node, Option<String>)>> = some.map(values).collect();
        let plain = |(value, _): &(Node, Option<String>)| matches!(value.data, Data::Text(_) | Data::Number(_));
        let given = given.filter(|given| !given.is_empty() && given.iter().all(plain))?;
        self.schemas.take(schema, key);
        for entry in list
            .items()
            .iter()
            .flat_map(Node::entries)
            .filter(|entry| matches!(&*entry.key, "const" | "title" | "type"))
        {
            self.schemas.mark(entry);
        }
        let mut options = Vec::new();
        for (value, title) in given {
            let (id, number) = match &value.data {
                Data::Number(digits) => (digits.clone(), true),
                _ => (value.text().unwrap_or_default().to_owned(), false),
            };
            if !names::is_option(&id) {
                self.lose(place, format!("the value {id:?}: no option is stored as that"), &value.span);
                continue;
            }
            if number {
                self.lose(place, format!("`{id}` as a number: it is sent as \"{id}\""), &value.span);
            }
            let label = title.unwrap_or_else(|| id.clone());
            options.push(names::option(&id, &words(&label, &value.span)));
        }
        (!options.is_empty()).then(|| Node { span: list.span.clone(), data: Data::List(options) })
    }
}

/// The one truth that is taken: nobody has said it before they are asked.
fn only_truth(schema: &Node) -> Option<(&'static str, bool)> {
    let of_enum = || match schema.at("enum")?.items() {
        [only] => Some(("enum", only.truth()?)),
        _ => None,
    };
    schema.at("const").and_then(Node::truth).map(|truth| ("const", truth)).or_else(of_enum)
}

fn agreed(truth: bool, schema: &Node) -> Entry {
    let span = &schema.span;
    let (that, otherwise) = if truth { ("value", "This needs a yes.") } else { ("!value", "This needs a no.") };
    let one = check(that, otherwise, span);
    entry("check", Node { span: span.clone(), data: Data::List(vec![one]) })
}

/// The name of a constant's type.
fn type_of(value: &Node) -> Option<&'static str> {
    match &value.data {
        Data::Bool(_) => Some("boolean"),
        Data::Number(digits) => Some(if digits.parse::<i64>().is_ok() { "integer" } else { "number" }),
        Data::Null | Data::Text(_) | Data::Moment(_) | Data::List(_) | Data::Map(_) => None,
    }
}

/// The kind that an object of these properties is.
fn shape_of(schema: &Node) -> Option<&'static str> {
    let properties = schema.at("properties")?;
    let has = |names: &[&str]| names.iter().all(|name| properties.at(name).is_some());
    let count = properties.entries().len();
    match () {
        () if count == 2 && has(&["amount", "currency"]) && currencies(schema).is_some() => Some("money"),
        () if count == 2 && has(&["start", "end"]) => Some("date_range"),
        () if has(&["lat", "lng"]) => Some("location"),
        () if has(&["id", "name", "url"]) || has(&["id", "name", "size"]) => Some("file"),
        () => None,
    }
}

fn currencies(schema: &Node) -> Option<&Node> {
    schema.at("properties")?.at("currency")?.at("enum").filter(|list| !list.items().is_empty())
}

fn of_shape(kind: &str, schema: &Node) -> Vec<Entry> {
    let Some(list) = currencies(schema).filter(|_| kind == "money") else { return Vec::new() };
    let mut keys: Vec<Entry> = list.items().first().map(|first| entry("currency", first.clone())).into_iter().collect();
    if list.items().len() > 1 {
        keys.push(entry("currencies", list.clone()));
    }
    keys
}
