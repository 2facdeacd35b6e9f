//! Forms that come with a request: read like a file, named by their content, and without any say over where answers go.

use formwright_chat::HostError;

use super::Runtime;
use crate::form::load::{Syntax, load};
use crate::form::problem::{Look, render};
use crate::form::{Form, FormId, Scope, SinkId, ToolRun};

/// Most forms taken from requests at a time; the server refuses more until it is started again.
const MOST: usize = 200;
/// What every such form's id begins with, so that it never takes the place of one of the server's own.
const PREFIX: &str = "inline-";

impl Runtime {
    /// Takes a form out of a request and gives the id to open it by; the same text gives the same id.
    pub(super) fn take_inline(&self, text: &str) -> Result<String, HostError> {
        let (source, syntax) = syntax_of(text);
        let loaded = load(source, syntax);
        let Some(form) = loaded.form else {
            let problems = render("form_context_md", source, &loaded.problems, Look::Line);
            return Err(HostError::Refused(format!("the form in the request cannot be used:\n{problems}")));
        };
        let id = format!("{PREFIX}{}-{}", form.id, form.version.as_str().get(..12).unwrap_or_default());
        if form.tools.values().any(|tool| matches!(tool.run, ToolRun::Function)) {
            return Err(HostError::Refused("a form in a request cannot use functions of the server".to_owned()));
        }
        let id = FormId::new(id);
        if self.conversation().catalog().form(&id).is_some() {
            return Ok(id.to_string());
        }
        let mut taken = false;
        self.change_forms(|before| {
            let mut after = before.clone();
            taken = before.forms().filter(|form| is_inline(&form.id)).count() < MOST;
            if taken {
                after.insert(harmless(form, id.clone()));
            }
            after
        });
        if taken {
            Ok(id.to_string())
        } else {
            Err(HostError::Refused("this server has taken as many forms from requests as it may".to_owned()))
        }
    }
}

/// Whether a form came with a request.
pub(super) fn is_inline(id: &FormId) -> bool {
    id.as_str().starts_with(PREFIX)
}

/// The form without sinks of its own, out of the list that people start forms from, and for the one who sent it.
fn harmless(form: Form, id: FormId) -> Form {
    let (sinks, submit) = (std::collections::BTreeMap::new(), vec![SinkId::new("log")]);
    Form { id, listed: false, sinks, submit, scope: Scope::User, ..form }
}

/// The form's text and syntax: JSON, TOML, YAML, or the YAML at the head of a Markdown document.
fn syntax_of(text: &str) -> (&str, Syntax) {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if text.starts_with('{') {
        return (text, Syntax::Json);
    }
    if let Some(front) = text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---")) {
        return (front.0, Syntax::Yaml);
    }
    let is_toml = text.lines().any(|line| line.starts_with("[[") || line.starts_with("id ="));
    (text, if is_toml { Syntax::Toml } else { Syntax::Yaml })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_syntax_is_seen_by_how_the_text_begins() {
        assert_eq!(syntax_of(" {\"id\": 1}").1, Syntax::Json);
        assert_eq!(syntax_of("schema = 1\nid = \"a\"\n[[field]]\n").1, Syntax::Toml);
        assert_eq!(syntax_of("id: a\n").1, Syntax::Yaml);
        assert_eq!(syntax_of("---\nid: a\n---\n# Title\n"), ("id: a", Syntax::Yaml));
    }
}
