//! minijinja, with only what [`super::guard`] admits.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use minijinja::value::{Rest, Value, ValueKind};
use minijinja::{Environment, Error, ErrorKind, UndefinedBehavior};

use super::place::{Place, escape};
use super::{MISSING, Shown, Vars, guard};
use crate::logic::{Fault, FaultKind};

/// Most instructions a template may run.
const FUEL: u64 = 20_000;
/// Most items of a list that are shown.
const MAX_ITEMS: usize = 1000;
/// Longest rendered text in bytes.
const MAX_OUTPUT: usize = 16 * 1024;

static ENV: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut env = Environment::empty();
    env.set_undefined_behavior(UndefinedBehavior::Chainable);
    env.set_fuel(Some(FUEL));
    env.set_debug(true);
    env.set_formatter(|out, _, value| out.write_str(&in_words(value, 0)).map_err(Error::from));
    env.add_filter("upper", |text: String| text.to_uppercase());
    env.add_filter("lower", |text: String| text.to_lowercase());
    env.add_filter("capitalize", |text: String| formwright_text::capitalised(&text));
    env.add_filter("trim", |text: String| text.trim().to_owned());
    env.add_filter("default", |value: Value, other: Option<Value>| {
        if value.is_undefined() || value.is_none() { other.unwrap_or_else(|| Value::from("")) } else { value }
    });
    env.add_filter("length", |value: Value| value.len().unwrap_or(0));
    env.add_filter("first", |value: Value| {
        value.try_iter().ok().and_then(|mut items| items.next()).unwrap_or_default()
    });
    env.add_filter("last", |value: Value| value.try_iter().ok().and_then(Iterator::last).unwrap_or_default());
    env.add_filter("join", join);
    env.add_test("defined", |value: Value| !value.is_undefined());
    env.add_test("undefined", |value: Value| value.is_undefined());
    env
});

/// A value as words: the parts of a list or group with commas between.
fn in_words(value: &Value, depth: usize) -> String {
    let parts: Option<Vec<Value>> = match value.kind() {
        ValueKind::Undefined | ValueKind::None => return MISSING.to_owned(),
        ValueKind::Seq | ValueKind::Iterable => value.try_iter().ok().map(Iterator::collect),
        ValueKind::Map => value.try_iter().ok().map(|keys| keys.filter_map(|key| value.get_item(&key).ok()).collect()),
        _ => None,
    };
    match parts.filter(|_| depth < 4) {
        Some(parts) => parts.iter().map(|part| in_words(part, depth + 1)).collect::<Vec<_>>().join(", "),
        None => value.to_string(),
    }
}

fn join(items: Value, between: Rest<String>) -> Result<String, Error> {
    let between = between.first().map_or(", ", String::as_str);
    let mut joined = String::new();
    // A text is shown as it is rather than letter by letter.
    if items.as_str().is_some() {
        return Ok(items.to_string());
    }
    for (no, item) in items.try_iter()?.enumerate() {
        if no > 0 {
            joined.push_str(between);
        }
        joined.push_str(&in_words(&item, 0));
        if joined.len() > MAX_OUTPUT {
            return Err(Error::new(ErrorKind::InvalidOperation, "the text grows too long"));
        }
    }
    Ok(joined)
}

/// What is wrong with the syntax of a template.
pub(super) fn syntax(text: &str) -> Option<Fault> {
    let error = ENV.template_from_str(text).err()?;
    let span = error.range().filter(|span| text.get(span.clone()).is_some());
    let message = error.detail().unwrap_or("the template cannot be read").to_owned();
    Some(Fault::new(FaultKind::Syntax, message, span.unwrap_or(0..0)))
}

/// Names of variables a template uses, in alphabetic order; none where it cannot be read.
pub(super) fn variables(text: &str) -> Vec<String> {
    if !text.contains('{') || guard::admit(text).is_err() {
        return Vec::new();
    }
    let Ok(template) = ENV.template_from_str(text) else { return Vec::new() };
    let mut names: Vec<String> = template.undeclared_variables(false).into_iter().collect();
    names.sort();
    names
}

/// Renders a template; what cannot be rendered shows as [`MISSING`] in place of its tags.
pub(super) fn render(text: &str, place: Place, vars: &dyn Vars) -> String {
    try_render(text, place, vars).unwrap_or_else(|| guard::without_tags(text))
}

fn try_render(text: &str, place: Place, vars: &dyn Vars) -> Option<String> {
    guard::admit(text).ok()?;
    let template = ENV.template_from_str(text).ok()?;
    // Cheaper than asking the template for its variables, which reads it a second time.
    let found = guard::names(text).into_iter().filter_map(|name| Some((name, value(vars.get(name)?, place))));
    let vars: BTreeMap<&str, Value> = found.collect();
    let mut output = Limited(Vec::new());
    template.render_captured_to(Value::from(vars), &mut output).ok()?;
    String::from_utf8(output.0).ok()
}

fn value(shown: Shown, place: Place) -> Value {
    match shown {
        Shown::Text(text) => Value::from(escape(&text, place)),
        Shown::List(items) => items.into_iter().take(MAX_ITEMS).map(|item| value(item, place)).collect(),
        Shown::Group(members) => {
            members.into_iter().map(|(name, member)| (name, value(member, place))).collect::<BTreeMap<_, _>>().into()
        }
    }
}

/// Output that ends in an error when it grows too long.
struct Limited(Vec<u8>);

impl std::io::Write for Limited {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.0.len() + bytes.len() > MAX_OUTPUT {
            return Err(std::io::ErrorKind::OutOfMemory.into());
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
