//! The reference of form files in Markdown: made from the table of keys.

use std::fmt::Write as _;

use super::CODES;
use super::keys::{CHECK, FAQ, FIELD, FORM, KINDS, OPTION, OPTIONS_FROM, PAGE, SINK, TOOL};
use super::lower::BUILT_IN_SINKS;
use super::shape::{Key, Spec};
use crate::form::{logic, messages, text};

/// The reference of form files in Markdown, from headings of the second level on.
#[must_use]
pub fn reference() -> String {
    let mut out = String::new();
    heading(&mut out, "The file", "Keys at the top of a form file.");
    table(&mut out, FORM.all_keys());
    heading(&mut out, "Fields", "Keys of `[[field]]`. Groups and lists hold fields too: `[[field.field]]`.");
    table(&mut out, FIELD.all_keys().filter(|key| !is_setting(key)));
    heading(&mut out, "Field kinds", "Each kind with the keys that not every kind takes.");
    for (kind, doc) in KINDS {
        let _ = write!(out, "### `{kind}`\n\nHolds {doc}.\n\n");
        let own: Vec<&Key> = FIELD.all_keys().filter(|key| is_setting(key) && key.is_of(Some(kind))).collect();
        if !own.is_empty() {
            table(&mut out, own.into_iter());
        }
    }
    let parts: [(&str, &str, &Spec); 7] = [
        ("Options", "An option is a text, or a table with these keys.", &OPTION),
        ("Options from a tool", "`options_from` is a tool's name, or a table with these keys.", &OPTIONS_FROM),
        ("Checks", "Keys of a table in `check`.", &CHECK),
        ("Pages", "Keys of `[[page]]`.", &PAGE),
        ("Questions and answers", "Keys of `[[faq]]`.", &FAQ),
        ("Tools", "Keys of `[[tool]]`.", &TOOL),
        ("Sinks", "Keys of `[[sink]]`.", &SINK),
    ];
    for (title, doc, spec) in parts {
        heading(&mut out, title, doc);
        table(&mut out, spec.all_keys());
        for (kind, doc) in spec.kinds.iter().flat_map(|kinds| kinds.all) {
            let _ = writeln!(out, "- `{kind}`: {doc}");
        }
        if spec.kinds.is_some() {
            out.push('\n');
        }
    }
    let built_in = BUILT_IN_SINKS.iter().map(|sink| format!("`{sink}`")).collect::<Vec<_>>().join(" and ");
    let _ = write!(out, "The sinks {built_in} are always there.\n\n");
    language(&mut out);
    problems(&mut out);
    out
}

fn language(out: &mut String) {
    let doc =
        "Expressions are CEL. Beside the operators there are these functions; `today` and `now` are the person's.";
    heading(out, "Expressions", doc);
    out.push_str("| written | gives |\n|---|---|\n");
    for (_, usage, doc) in logic::REFERENCE {
        let _ = writeln!(out, "| `{}` | {} |", cell(usage), cell(doc));
    }
    out.push('\n');
    let doc = "Texts may show answers: `{{ name }}`, with `{% if … %}` and `{% for … %}`, and these filters.";
    heading(out, "Texts", doc);
    out.push_str("| filter | shows |\n|---|---|\n");
    for (name, doc) in text::FILTERS {
        let _ = writeln!(out, "| `{name}` | {} |", cell(doc));
    }
    out.push('\n');
    heading(out, "Messages", "Names that `[messages]` takes.");
    let names = messages::NAMES.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>();
    for line in names.chunks(8) {
        let _ = writeln!(out, "{}", line.join(" "));
    }
    out.push('\n');
    let facts = messages::FACTS.iter().map(|fact| format!("`{fact}`")).collect::<Vec<_>>().join(" ");
    let _ = write!(out, "Facts that they may show, where the message has them: {facts}.\n\n");
}

/// What `formwright check` may find.
fn problems(out: &mut String) {
    heading(out, "Problems", "What `formwright check` may find, by its code.");
    out.push_str("| code | means |\n|---|---|\n");
    for (code, doc) in CODES {
        let _ = writeln!(out, "| `{code}` | {doc} |");
    }
}

/// Whether a key belongs to a few kinds only.
fn is_setting(key: &Key) -> bool {
    !key.kinds.is_empty() && key.kinds.len() <= 3 && key.name != "judge"
}

fn heading(out: &mut String, title: &str, doc: &str) {
    let _ = write!(out, "## {title}\n\n{doc}\n\n");
}

fn table<'k>(out: &mut String, keys: impl Iterator<Item = &'k Key>) {
    out.push_str("| key | holds | what it does |\n|---|---|---|\n");
    for key in keys {
        let name = match key.alias {
            Some(alias) => format!("`{}` or `{alias}`", key.name),
            None => format!("`{}`", key.name),
        };
        let needed = if key.required { " **Needed.**" } else { "" };
        let _ = writeln!(out, "| {name} | {} | {}{needed} |", cell(&key.shape.noun()), cell(key.doc));
    }
    out.push('\n');
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}
