//! Checks a file against the table of keys: unknown, misplaced, missing and repeated keys, and values of the wrong type.

#![expect(clippy::wildcard_enum_match_arm, reason = "a shape or value that is not named here needs no more")]

use std::collections::BTreeSet;

use super::node::{Data, Entry, Node};
use super::shape::{Key, Shape, Spec};
use super::{advice, moment, names, numbers};
use formwright_form::kind::NAMES;
use formwright_form::messages;
use formwright_form::problem::{Problem, Problems, nearest};

/// Kinds a computed field can have as its result, and a list as its items.
pub(super) use formwright_form::kind::ASKED as VALUE_KINDS;

/// Checks a table and everything in it.
pub(super) fn table(node: &Node, spec: &'static Spec, problems: &mut Problems) {
    if !matches!(node.data, Data::Map(_)) {
        let problem = Problem::error("form::wrong_type", format!("{} is a table, not {}", spec.noun(), node.noun()));
        let needed = spec.all_keys().filter(|key| key.required && key.kinds.is_empty());
        let needed = needed.map(|key| format!("`{}`", key.name)).collect::<Vec<_>>().join(", ");
        let help = format!("write it as a table of keys and values; it needs {needed}");
        problems.push(problem.at(node.span.clone(), format!("this is {}", node.noun())).help(help));
        return;
    }
    let kinds = kinds(node, spec);
    let mut seen: Vec<(&str, &std::ops::Range<usize>)> = Vec::new();
    // Keys that stand there under another name: they were told about and do not lack as well.
    let mut meant: Vec<&str> = Vec::new();
    for entry in node.entries() {
        let named: Vec<&'static Key> = spec.all_keys().filter(|key| key.is_named(&entry.key)).collect();
        let Some(first) = named.first() else {
            let (problem, key) = unknown_key(entry, node, spec, &kinds);
            meant.extend(key);
            problems.push(problem.at(entry.span.clone(), "not a key of this table"));
            continue;
        };
        if let Some((_, span)) = seen.iter().find(|(name, _)| *name == first.name) {
            let problem = Problem::error("form::duplicate_key", format!("`{}` is given twice", entry.key))
                .at(entry.span.clone(), "again here")
                .at((*span).clone(), "first here");
            problems.push(problem.help("keep one of the two"));
            continue;
        }
        seen.push((first.name, &entry.span));
        match kinds.iter().find_map(|kind| named.iter().find(|key| key.is_of(*kind))) {
            Some(key) => {
                value(&entry.node, &key.shape, &entry.key, problems);
                empty_list(entry, key, problems);
            }
            None => problems.push(misplaced(&entry.key, &named, &kinds).at(entry.span.clone(), "does not belong here")),
        }
    }
    let kind = kinds.first().copied().flatten();
    for key in spec.all_keys().filter(|key| key.required && (key.kinds.is_empty() || kind.is_some() && key.is_of(kind)))
    {
        if !meant.contains(&key.name) && !seen.iter().any(|(name, _)| *name == key.name) {
            let what = name_of(node, spec);
            let problem = Problem::error("form::missing_key", format!("{what} has no `{}`", key.name));
            problems.push(problem.at(node.span.clone(), "in this").help(format!("add `{}`: {}", key.name, key.doc)));
        }
    }
}

/// Warns of a list in which nothing is. Options and fields must be there and are looked at with their field; `submit = []`
/// says that submissions are only stored.
fn empty_list(entry: &Entry, key: &Key, problems: &mut Problems) {
    let empty = matches!(&entry.node.data, Data::List(items) if items.is_empty());
    if !empty || matches!(key.name, "options" | "field" | "submit") {
        return;
    }
    let help = match key.name {
        "rows" | "fallback" => {
            "nobody can choose anything then: write at least one, such as `{ id = \"a\", label = \"A\" }`"
        }
        _ => "write at least one, or take the key out",
    };
    let problem = Problem::warning("form::empty_list", format!("`{}` has nothing in it", entry.key));
    problems.push(problem.at(entry.node.span.clone(), "empty").help(help));
}

/// The kind whose keys a table takes, then the kind of its result or items; one `None` where that cannot be told.
fn kinds<'a>(node: &'a Node, spec: &Spec) -> Vec<Option<&'a str>> {
    let Some(kinds) = &spec.kinds else { return vec![None] };
    let known = |name: &&str| kinds.all.iter().any(|(kind, _)| kind == name);
    // A misspelt kind was reported; what is meant by it decides about the other keys.
    let meant = |name: &'a str| if spec.name == "field" { advice::meant_kind(name) } else { Some(name) };
    let kind = match node.at("kind").or_else(|| node.at("type")) {
        Some(kind) => kind.text().and_then(meant).filter(known),
        None => kinds.default,
    };
    let inner = match kind {
        Some("computed") => Some(node.at("result").and_then(Node::text).unwrap_or("text")),
        Some("list") => node.at("of").and_then(Node::text),
        _ => None,
    };
    std::iter::once(kind).chain(inner.map(Some)).collect()
}

/// A key that there is not, and the one that is meant by it, if that can be told.
fn unknown_key(entry: &Entry, node: &Node, spec: &Spec, kinds: &[Option<&str>]) -> (Problem, Option<&'static str>) {
    let key = entry.key.as_str();
    let mut known: Vec<&'static str> =
        spec.all_keys().filter(|key| kinds.iter().any(|kind| key.is_of(*kind))).map(|key| key.name).collect();
    let mut seen = BTreeSet::new();
    known.retain(|key| seen.insert(*key));
    let problem = Problem::error("form::unknown_key", format!("{} has no key `{key}`", spec.noun()));
    if spec.name == "field" && matches!(entry.node.data, Data::Map(_)) && entry.node.at("kind").is_some() {
        let help = format!("give the name of the field as a key beside its kind: `id = \"{key}\"`");
        return (problem.help(help), None);
    }
    if matches!(key, "optional" | "mandatory") && known.contains(&"required") {
        return (problem.help(format!("write `required = {}`", key == "mandatory")), None);
    }
    let ours = advice::key(key, node.at("id").is_some(), &known);
    if let Some(meant) = ours.or_else(|| nearest(key, known.iter().copied())) {
        return (problem.help(format!("did you mean `{meant}`?")), Some(meant));
    }
    let (most, more) =
        if known.len() > 30 { (22, " and those of its kind, which forms/README.md lists") } else { (30, "") };
    let known: Vec<String> = known.iter().take(most).map(|key| format!("`{key}`")).collect();
    (problem.help(format!("its keys are {}{more}", known.join(", "))), None)
}

fn misplaced(key: &str, named: &[&'static Key], kinds: &[Option<&str>]) -> Problem {
    let kind = kinds.first().copied().flatten().unwrap_or_default();
    let mut takers: Vec<String> = named.iter().flat_map(|key| key.kinds).map(|kind| format!("`{kind}`")).collect();
    takers.dedup();
    Problem::error("form::misplaced_key", format!("kind `{kind}` takes no `{key}`"))
        .help(format!("`{key}` belongs to {}", takers.join(", ")))
}

fn name_of(node: &Node, spec: &Spec) -> String {
    match node.at("id").and_then(Node::text) {
        Some(id) => format!("{} `{id}`", spec.name),
        None => format!("this {}", spec.name),
    }
}

/// Checks one value.
fn value(node: &Node, shape: &Shape, key: &str, problems: &mut Problems) {
    match shape {
        Shape::Text => by_language(node, shape, key, problems, |node| node.text().is_some()),
        Shape::Texts | Shape::Words => by_language(node, shape, key, problems, is_texts),
        Shape::LineOrTable(spec) | Shape::ExprOrTable(spec) => match node.data {
            Data::Map(_) => table(node, spec, problems),
            _ => simple(node, shape, key, problems),
        },
        Shape::Table(spec) => match node.data {
            Data::Map(_) => table(node, spec, problems),
            _ => wrong(node, shape, key, problems),
        },
        Shape::Tables(spec) => match &node.data {
            Data::List(items) => items.iter().for_each(|item| table(item, spec, problems)),
            _ => wrong(node, shape, key, problems),
        },
        Shape::LinesOrTables(spec) => match &node.data {
            Data::List(items) => {
                for item in items {
                    match item.data {
                        Data::Map(_) => table(item, spec, problems),
                        Data::Text(_) | Data::Number(_) => {}
                        _ => wrong(item, shape, key, problems),
                    }
                }
            }
            _ => wrong(node, shape, key, problems),
        },
        Shape::Exprs => match &node.data {
            Data::Map(entries) => {
                for entry in entries {
                    names::check(&entry.key, names::Rule::Identifier, &entry.span, problems);
                    simple(&entry.node, &Shape::Expr, &entry.key, problems);
                }
            }
            _ => wrong(node, shape, key, problems),
        },
        Shape::Names => match &node.data {
            Data::Map(entries) => {
                for entry in entries {
                    names::check(&entry.key, names::Rule::Field, &entry.span, problems);
                    simple(&entry.node, &Shape::FieldName, &entry.key, problems);
                }
            }
            _ => wrong(node, shape, key, problems),
        },
        Shape::TruthOrText => match &node.data {
            Data::Bool(_) => {}
            Data::Text(text) if advice::is_truth(text) => wrong(node, &Shape::Truth, key, problems),
            _ => by_language(node, shape, key, problems, |node| node.text().is_some()),
        },
        Shape::Messages => messages(node, key, problems),
        Shape::Rows => match &node.data {
            Data::List(items) => {
                items.iter().filter(|item| !matches!(item.data, Data::Map(_))).for_each(|item| {
                    wrong(item, shape, key, problems);
                });
            }
            _ => wrong(node, shape, key, problems),
        },
        Shape::Lines | Shape::Languages | Shape::Currencies | Shape::SomeOf(_) => {
            for item in node.one_or_more() {
                simple(item, shape, key, problems);
            }
        }
        _ => simple(node, shape, key, problems),
    }
}

fn messages(node: &Node, key: &str, problems: &mut Problems) {
    if !matches!(node.data, Data::Map(_)) {
        wrong(node, &Shape::Messages, key, problems);
    }
    for entry in node.entries() {
        if messages::NAMES.contains(&entry.key.as_str()) {
            value(&entry.node, &Shape::Text, &entry.key, problems);
            continue;
        }
        let problem = Problem::error("form::unknown_message", format!("there is no message `{}`", entry.key))
            .at(entry.span.clone(), "not the name of a message");
        let known = messages::NAMES.iter().copied();
        problems.push(problem.did_you_mean(&entry.key, known, "forms/README.md lists the names of messages"));
    }
}

fn is_texts(node: &Node) -> bool {
    match &node.data {
        Data::List(items) => items.iter().all(|item| item.text().is_some()),
        _ => node.text().is_some(),
    }
}

/// Checks a text or its variants, where given by language each of them.
fn by_language(node: &Node, shape: &Shape, key: &str, problems: &mut Problems, good: fn(&Node) -> bool) {
    let one = |node: &Node, problems: &mut Problems| {
        if !good(node) {
            let culprit = node.items().iter().find(|item| item.text().is_none()).unwrap_or(node);
            wrong(culprit, shape, key, problems);
        } else if node.one_or_more().iter().any(|text| text.text().is_some_and(|text| text.trim().is_empty())) {
            let problem = Problem::error("form::empty_text", format!("`{key}` is empty"));
            problems.push(problem.at(node.span.clone(), "no words").help("write a text, or leave the key out"));
        }
    };
    if !matches!(node.data, Data::Map(_)) {
        return one(node, problems);
    }
    for entry in node.entries() {
        if !names::is_language(&entry.key) {
            let problem = Problem::error("form::bad_language", format!("`{}` is not a language tag", entry.key))
                .at(entry.span.clone(), "a language is wanted here")
                .help("texts by language look like `{ en = \"Hello\", it = \"Ciao\" }`");
            problems.push(problem);
        }
        one(&entry.node, problems);
    }
}

/// Checks a value that holds no others.
fn simple(node: &Node, shape: &Shape, key: &str, problems: &mut Problems) {
    let text = node.text();
    let fits = match shape {
        Shape::Any => true,
        Shape::Truth => node.truth().is_some(),
        Shape::Whole(min, max) => return whole(node, (*min, *max), shape, key, problems),
        Shape::Decimal => node.number::<rust_decimal::Decimal>().is_some(),
        Shape::Expr | Shape::ExprOrTable(_) => matches!(node.data, Data::Text(_) | Data::Bool(_) | Data::Number(_)),
        Shape::Line | Shape::Lines | Shape::LineOrTable(_) => text.is_some_and(|text| !text.is_empty()),
        _ => text.is_some(),
    };
    let Some(text) = text.filter(|_| fits) else {
        if !fits {
            wrong(node, shape, key, problems);
        }
        return;
    };
    match shape {
        Shape::Name => names::check(text, names::Rule::Name, &node.span, problems),
        Shape::OptionName => names::check(text, names::Rule::Option, &node.span, problems),
        Shape::FieldName => names::check(text, names::Rule::Field, &node.span, problems),
        Shape::OneOf(words) | Shape::SomeOf(words) => {
            word(node, text, key, &words.iter().map(|(word, _)| *word).collect::<Vec<_>>(), problems);
        }
        Shape::ValueKind if NAMES.contains(&text) && !VALUE_KINDS.contains(&text) => {
            let problem = Problem::error("form::unknown_word", format!("`{key}` cannot be `{text}`"))
                .at(node.span.clone(), "holds no single value")
                .help(format!("it can be {}", quoted(VALUE_KINDS)));
            problems.push(problem);
        }
        Shape::ValueKind => word(node, text, key, VALUE_KINDS, problems),
        Shape::Languages if !names::is_language(text) => bad(node, "form::bad_language", shape, text, problems),
        Shape::Length if moment::length(text).is_none() => bad(node, "form::bad_length", shape, text, problems),
        Shape::Day if moment::day(text).is_none() => bad(node, "form::bad_date", shape, text, problems),
        Shape::Clock if moment::clock(text).is_none() => bad(node, "form::bad_time", shape, text, problems),
        Shape::Currency | Shape::Currencies if !names::is_code(text, 3) => {
            bad(node, "form::bad_currency", shape, text, problems);
        }
        Shape::Country if !names::is_code(text, 2) => bad(node, "form::bad_country", shape, text, problems),
        _ => {}
    }
}

fn whole(node: &Node, (min, max): (i64, i64), shape: &Shape, key: &str, problems: &mut Problems) {
    match node.number::<i64>() {
        Some(number) if (min..=max).contains(&number) => {}
        Some(number) => {
            let wanted = shape.noun();
            let problem = Problem::error("form::out_of_range", format!("`{key}` cannot be {number}"));
            problems.push(problem.at(node.span.clone(), "too small or too big").help(format!("it is {wanted}")));
        }
        None => wrong(node, shape, key, problems),
    }
}

fn word(node: &Node, text: &str, key: &str, words: &[&'static str], problems: &mut Problems) {
    if words.contains(&text) {
        return;
    }
    let problem = Problem::error("form::unknown_word", format!("`{key}` cannot be `{text}`"));
    let or_else = format!("it can be {}", quoted(words));
    problems.push(problem.at(node.span.clone(), "not one of the words known here").did_you_mean(
        advice::kind(text),
        words.iter().copied(),
        or_else,
    ));
}

fn quoted(words: &[&str]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

fn wrong(node: &Node, shape: &Shape, key: &str, problems: &mut Problems) {
    if let Some(problem) = numbers::beyond(node, shape, key) {
        problems.push(problem);
        return;
    }
    let wanted = shape.noun();
    let problem = Problem::error("form::wrong_type", format!("`{key}` is {wanted}, not {}", node.noun()));
    let problem = problem.at(node.span.clone(), format!("this is {}", node.noun()));
    problems.push(problem.help(advice::wrong_type(node, shape, key)));
}

fn bad(node: &Node, code: &'static str, shape: &Shape, text: &str, problems: &mut Problems) {
    let wanted = shape.item_noun();
    let problem = Problem::error(code, format!("`{text}` cannot be read as {wanted}"));
    let help = match text.to_lowercase().as_str() {
        "tomorrow" if matches!(shape, Shape::Day) => "write `today+1d`".to_owned(),
        "yesterday" if matches!(shape, Shape::Day) => "write `today-1d`".to_owned(),
        "now" if matches!(shape, Shape::Day) => "write `today`".to_owned(),
        _ => format!("write {wanted}"),
    };
    problems.push(problem.at(node.span.clone(), "not understood").help(help));
}
