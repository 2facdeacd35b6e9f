//! The reference of form files in Markdown: made from the table of keys.

use std::fmt::Write as _;

use formwright_form::{logic, messages, text};

use crate::CODES;
use crate::keys::{
    CHECK, CONTEXT, DEFAULT_FROM, FAQ, FIELD, FORM, HOOK, KEEP, KINDS, LISTEN, OPTION, OPTIONS_FROM, OUTPUT, PAGE,
    PARAM, REVIEW, SINK, SUB_FORM, THEN, TOOL,
};
use crate::lower::BUILT_IN_SINKS;
use crate::shape::{Key, Shape, Spec};

/// The reference of form files in Markdown, from headings of the second level on.
#[must_use]
pub fn reference() -> String {
    let mut out = String::new();
    let doc = "Keys at the top of a form file. A list of tables is written `[[field]]` in TOML, once for each; in YAML and \
               JSON it is a list: `fields:` with `- id: …`, `\"fields\": [{ \"id\": … }]`.";
    heading(&mut out, "The file", doc);
    table(&mut out, FORM.all_keys());
    heading(&mut out, "Fields", "Keys of `[[field]]`. Groups and lists hold fields too: `[[field.field]]`.");
    table(&mut out, FIELD.all_keys().filter(|key| !is_setting(key)));
    heading(&mut out, "Field kinds", "What each kind holds, with the keys that it takes beside those above.");
    for (kind, doc) in KINDS {
        let _ = write!(out, "### `{kind}`\n\nHolds {doc}.\n\n");
        let own: Vec<&Key> = FIELD.all_keys().filter(|key| is_setting(key) && key.is_of(Some(kind))).collect();
        if !own.is_empty() {
            table(&mut out, own.into_iter());
        }
    }
    let parts: [(&str, &str, &Spec); 17] = [
        ("Options", "An option is a text, or a table with these keys.", &OPTION),
        ("Options from a tool", "`options_from` is a tool's name, or a table with these keys.", &OPTIONS_FROM),
        ("Defaults from a tool", "`default_from` is an expression, or a table with these keys.", &DEFAULT_FROM),
        ("Checks", "Keys of a table in `check`.", &CHECK),
        ("Keeping", "Keys of `keep`: lengths of time.", &KEEP),
        ("Approval", "Keys of `review`.", &REVIEW),
        ("Pages", "Keys of `[[page]]`.", &PAGE),
        ("Questions and answers", "Keys of `[[faq]]`.", &FAQ),
        ("Documents", "Keys of `[[context]]`.", &CONTEXT),
        ("Tools", "Keys of `[[tool]]`.", &TOOL),
        ("Params", "Keys of a table in `param`, beside those of a field.", &PARAM),
        ("Outputs", "Keys of a table in `output`.", &OUTPUT),
        ("What comes next", "Keys of `then`, of the form or of a tool.", &THEN),
        ("Forms for a field", "`form` of a field is the id of a form, or a table with these keys.", &SUB_FORM),
        ("Hooks", "Keys of `[[hook]]`.", &HOOK),
        ("Sinks", "Keys of `[[sink]]`.", &SINK),
        ("Listeners", "Keys of `[[listen]]`.", &LISTEN),
    ];
    for (title, doc, spec) in parts {
        heading(&mut out, title, doc);
        // Those of a field stand above.
        let own = if spec.name == PARAM.name { 1 } else { spec.keys.len() };
        table(&mut out, spec.keys.iter().copied().take(own).flatten());
        for (kind, doc) in spec.kinds.iter().flat_map(|kinds| kinds.all) {
            let _ = writeln!(out, "- `{kind}`: {doc}");
        }
        if spec.kinds.is_some() {
            out.push('\n');
        }
    }
    let built_in = BUILT_IN_SINKS.iter().map(|sink| format!("`{sink}`")).collect::<Vec<_>>().join(" and ");
    let _ = write!(
        out,
        "The sinks {built_in} are always there: both write `submissions/FORM.jsonl` in the data directory, one submission a \
         line. `settings.NAME` is a sink of the operator's settings.\n\n"
    );
    language(&mut out);
    problems(&mut out);
    out
}

fn language(out: &mut String) {
    let doc = "Expressions are CEL: `size == 'large'`, `guests > 3 && coming`, `!coming`, `meal in ['fish', 'pasta']`. Fields go by \
         their ids, choices by the ids of their options. `today` and `now` are the person's. There are these functions.";
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
    let doc = "Names that `[messages]` takes. What the program says otherwise stands, by the same names, in \
               [src/engine/prompt](../src/engine/prompt); `{name}` there is `{{ name }}` in a form.";
    heading(out, "Messages", doc);
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
        let noun = if key.name == "kind" { "one of the kinds below".to_owned() } else { key.shape.noun() };
        let _ = writeln!(out, "| {name} | {} | {}{}{needed} |", cell(&noun), cell(key.doc), cell(&words(key)));
    }
    out.push('\n');
}

/// What each of the words means that a key takes. Kinds have headings of their own.
fn words(key: &Key) -> String {
    let (Shape::OneOf(words) | Shape::SomeOf(words)) = key.shape else { return String::new() };
    if key.name == "kind" {
        return String::new();
    }
    words.iter().fold(String::new(), |all, (word, means)| format!("{all} `{word}`: {means}."))
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}
