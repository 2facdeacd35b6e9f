//! Forms that come with a request: read like a file, named by their content, and without any say over where answers go or
//! who is asked to look at them.

use formwright_form::problem::{Look, render};
use formwright_form::{Form, FormId, Scope, SinkId, ToolRun};
use formwright_load::{Syntax, load};

/// What every such form's id begins with, so that it never takes the place of one of the server's own.
const PREFIX: &str = "inline-";

/// Makes a form of a text in a request.
///
/// # Errors
/// What is wrong with it, in words for its sender.
pub(crate) fn form_of(text: &str) -> Result<Form, String> {
    let (source, syntax) = syntax_of(text);
    let loaded = load(source, syntax);
    let Some(form) = loaded.form else {
        let problems = render("form_context_md", source, &loaded.problems, Look::Line);
        return Err(format!("the form in the request cannot be used:\n{problems}"));
    };
    let id = format!("{PREFIX}{}-{}", form.id, form.version.as_str().get(..12).unwrap_or_default());
    let of_server = |run: &ToolRun| matches!(run, ToolRun::Function | ToolRun::Http(_) | ToolRun::Command { .. });
    if form.tools.values().any(|tool| of_server(&tool.run)) {
        let why = "a form in a request cannot use tools that the server runs: `function`, `http` and `command`";
        return Err(why.to_owned());
    }
    if form.context.documents.iter().any(|document| document.file.is_some()) {
        return Err("a form in a request cannot name files in `context`: write the document as its `text`".to_owned());
    }
    if form.desks().next().is_some() {
        let why = "a form in a request cannot name a desk: `review` and `handoff` are for the server's own forms";
        return Err(why.to_owned());
    }
    Ok(harmless(form, FormId::new(id)))
}

/// Whether a form came with a request.
pub(crate) fn is_inline(id: &FormId) -> bool {
    id.as_str().starts_with(PREFIX)
}

/// The form without sinks and listeners of its own, out of the list that people start forms from, and for the one who sent it.
fn harmless(form: Form, id: FormId) -> Form {
    let (sinks, submit) = (std::collections::BTreeMap::new(), vec![SinkId::new("log")]);
    Form { id, listed: false, sinks, submit, listen: Vec::new(), scope: Scope::User, ..form }
}

/// The form's text and syntax, seen by how it begins: JSON, a Markdown document, TOML or YAML.
fn syntax_of(text: &str) -> (&str, Syntax) {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let line = |begins: &[&str]| text.lines().any(|line| begins.iter().any(|head| line.starts_with(head)));
    if text.starts_with('{') {
        return (text, Syntax::Json);
    }
    let front = text.strip_prefix("---").is_some_and(|rest| rest.lines().skip(1).any(|line| line.trim_end() == "---"));
    // A line that begins with `#` is a comment in TOML and YAML.
    if front || text.starts_with("# ") && line(&["|", "## ", "### "]) {
        return (text, Syntax::Markdown);
    }
    (text, if line(&["[[", "id ="]) { Syntax::Toml } else { Syntax::Yaml })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_syntax_is_seen_by_how_the_text_begins() {
        assert_eq!(syntax_of(" {\"id\": 1}").1, Syntax::Json);
        assert_eq!(syntax_of("schema = 1\nid = \"a\"\n[[field]]\n").1, Syntax::Toml);
        assert_eq!(syntax_of("id: a\n").1, Syntax::Yaml);
        assert_eq!(syntax_of("---\nid: a\n---\n# Title\n").1, Syntax::Markdown);
        assert_eq!(syntax_of("---\r\nid: a\r\n---\r\n").1, Syntax::Markdown);
        assert_eq!(syntax_of("---\nid: a\n").1, Syntax::Yaml);
        assert_eq!(syntax_of("# Title\n\n| Property | Value |\n").1, Syntax::Markdown);
        assert_eq!(syntax_of("# A comment\nid: a\n").1, Syntax::Yaml);
        assert_eq!(syntax_of("# A comment\nid = \"a\"\n[[field]]\n").1, Syntax::Toml);
    }
}
