//! Conditions of schemas as expressions: `if`, and the choices of an object that go by one of its properties.

use formwright_form::logic::quoted;

use super::id_of;
use crate::node::{Data, Entry, Node};

/// What must hold, with the fields that it speaks of and the keywords that say it.
#[derive(Default)]
pub(super) struct Condition<'n> {
    pub(super) code: String,
    pub(super) fields: Vec<String>,
    pub(super) said: Vec<&'n Entry>,
}

impl Condition<'_> {
    /// The opposite, which holds as well where there is no answer.
    pub(super) fn denied(&self) -> String {
        let mut parts: Vec<String> = self.fields.iter().map(|field| format!("!answered({field})")).collect();
        parts.push(format!("!({})", self.code));
        parts.join(" || ")
    }

    /// Several at once; none where they say nothing.
    pub(super) fn joined(parts: Vec<Self>, mark: &str) -> Option<Self> {
        let mut all = Self::default();
        let several = parts.len() > 1;
        for part in parts {
            let code = if several && (part.code.contains("||") || part.code.contains("&&")) {
                format!("({})", part.code)
            } else {
                part.code
            };
            all.code = if all.code.is_empty() { code } else { format!("{} {mark} {code}", all.code) };
            all.fields.extend(part.fields.into_iter().filter(|field| !all.fields.contains(field)).collect::<Vec<_>>());
            all.said.extend(part.said);
        }
        Some(all).filter(|all| !all.code.is_empty())
    }

    /// That both hold.
    pub(super) fn and(outer: Option<&str>, inner: &str) -> String {
        let within = |code: &str| if code.contains("||") { format!("({code})") } else { code.to_owned() };
        outer.map_or_else(|| inner.to_owned(), |outer| format!("{} && {}", within(outer), within(inner)))
    }
}

/// When an object is as the schema says; none where that cannot be said here. `above` is what its properties' names follow.
pub(super) fn of_object<'n>(schema: &'n Node, above: &str) -> Option<Condition<'n>> {
    let properties = schema.at("properties").map(Node::entries).unwrap_or_default();
    let mut parts = Vec::new();
    for entry in schema.entries() {
        let mut some = match entry.key.as_str() {
            "properties" => {
                let each: Option<Vec<Condition<'_>>> =
                    properties.iter().map(|property| of_property(property, above)).collect();
                Condition::joined(each?, "&&")?
            }
            "required" => {
                let names = entry.node.items().iter().filter_map(Node::text);
                // What must be something is there.
                let names = names.filter(|name| !properties.iter().any(|property| property.key == *name));
                let parts = names.map(|name| {
                    let field = format!("{above}{}", id_of(name));
                    Condition { code: format!("answered({field})"), ..Condition::default() }
                });
                Condition::joined(parts.collect(), "&&").unwrap_or_default()
            }
            "allOf" | "anyOf" => {
                let mark = if entry.key == "allOf" { "&&" } else { "||" };
                let each: Option<Vec<Condition<'_>>> =
                    entry.node.items().iter().map(|one| of_object(one, above)).collect();
                Condition::joined(each?, mark)?
            }
            "not" => {
                let inner = of_object(&entry.node, above)?;
                Condition { code: inner.denied(), ..inner }
            }
            "type" if entry.node.text() == Some("object") => Condition::default(),
            _ => return None,
        };
        some.said.push(entry);
        parts.push(some);
    }
    let (said, parts): (Vec<_>, Vec<_>) = parts.into_iter().partition(|part| part.code.is_empty());
    let mut all = Condition::joined(parts, "&&")?;
    all.said.extend(said.into_iter().flat_map(|part| part.said));
    Some(all)
}

/// When a property is as its schema says.
pub(super) fn of_property<'n>(property: &'n Entry, above: &str) -> Option<Condition<'n>> {
    let field = format!("{above}{}", id_of(&property.key));
    let mut all = of_value(&property.node, &field)?;
    all.said.push(property);
    Some(all)
}

fn of_value<'n>(schema: &'n Node, field: &str) -> Option<Condition<'n>> {
    let mut parts: Vec<Condition<'_>> = Vec::new();
    for entry in schema.entries() {
        let number = || match &entry.node.data {
            Data::Number(digits) => Some(digits.as_str()),
            _ => None,
        };
        let mut fields = vec![field.to_owned()];
        let mut said = vec![entry];
        let code = match entry.key.as_str() {
            "const" => is(field, &entry.node)?,
            "enum" => match entry.node.items() {
                [only] => is(field, only)?,
                several => {
                    let all: Option<Vec<String>> = several.iter().map(literal).collect();
                    format!("{field} in [{}]", all?.join(", "))
                }
            },
            "minimum" => format!("{field} >= {}", number()?),
            "maximum" => format!("{field} <= {}", number()?),
            "exclusiveMinimum" => format!("{field} > {}", number()?),
            "exclusiveMaximum" => format!("{field} < {}", number()?),
            "minLength" | "minItems" => format!("size({field}) >= {}", number()?),
            "maxLength" | "maxItems" => format!("size({field}) <= {}", number()?),
            "pattern" => format!("{field}.matches({})", quoted(entry.node.text()?)),
            "contains" => {
                said.extend(entry.node.entries());
                format!("{} in {field}", literal(entry.node.at("const")?)?)
            }
            "not" => {
                let inner = of_value(&entry.node, field)?;
                let code = inner.denied();
                said.extend(inner.said);
                code
            }
            "properties" => {
                let inner = of_object(schema, &format!("{field}."))?;
                said.extend(inner.said);
                fields = inner.fields;
                inner.code
            }
            "type" | "title" | "required" => String::new(),
            // What is said to people and programs beside it is no condition.
            "description" | "default" | "examples" | "$comment" | "readOnly" => {
                said.clear();
                String::new()
            }
            _ => return None,
        };
        parts.push(Condition { code, fields, said });
    }
    let (silent, parts): (Vec<_>, Vec<_>) = parts.into_iter().partition(|part| part.code.is_empty());
    let mut all = Condition::joined(parts, "&&")?;
    all.said.extend(silent.into_iter().flat_map(|part| part.said));
    Some(all)
}

/// That a field has this answer.
fn is(field: &str, value: &Node) -> Option<String> {
    Some(match &value.data {
        Data::Bool(true) => field.to_owned(),
        Data::Bool(false) => format!("!{field}"),
        Data::Null => format!("!answered({field})"),
        _ => format!("{field} == {}", literal(value)?),
    })
}

/// A value as it is written in expressions.
pub(super) fn literal(value: &Node) -> Option<String> {
    match &value.data {
        Data::Text(text) => Some(quoted(text)),
        Data::Number(digits) => Some(digits.clone()),
        Data::Bool(truth) => Some(truth.to_string()),
        Data::Null | Data::Moment(_) | Data::List(_) | Data::Map(_) => None,
    }
}
