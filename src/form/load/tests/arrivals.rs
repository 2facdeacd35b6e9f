//! What a tool that takes submissions is called with, and which tools can take them.

use formwright_form::Sink;
use formwright_form::tool::arrive::args_of_answers;
use formwright_values::{SinkId, ToolId};
use rstest::rstest;
use serde_json::{Value as Json, json};

use crate::{Syntax, load};

const FORM: &str = r#"
    id = "f"
    title = "F"
    submit = ["log", "tool.register"]
    [[field]]
    id = "a"
    kind = "text"
    [[field]]
    id = "g"
    kind = "group"
    [[field.field]]
    id = "b"
    kind = "text"
    [[tool]]
    id = "register"
    kind = "function"
    PARAMS
"#;

fn loaded_problems(text: &str) -> Vec<&'static str> {
    load(text, Syntax::Toml).problems.into_iter().map(|problem| problem.code).collect()
}

#[rstest]
#[case::all("", json!({"a": "x", "g": {"b": "y"}}))]
#[case::some("params = { name = \"a\", within = \"g.b\" }", json!({"name": "x", "within": "y"}))]
fn a_submission_is_given_as_answers(#[case] params: &str, #[case] expected: Json) {
    let loaded = load(&FORM.replace("PARAMS", params), Syntax::Toml);
    let form = loaded.form.unwrap_or_else(|| panic!("{:#?}", loaded.problems));
    assert_eq!(form.sinks[&SinkId::new("tool.register")], Sink::Tool { tool: "register".to_owned() });
    assert_eq!(loaded_problems(&FORM.replace("PARAMS", params)), [""; 0]);
    let answers = json!({"a": "x", "g": {"b": "y"}});
    assert_eq!(args_of_answers(&form.tools[&ToolId::new("register")], &answers), expected);
}

#[rstest]
#[case::no_tool("tool.registr", "kind = \"function\"", "form::unknown_tool")]
#[case::worked_out("tool.register", "kind = \"function\"\nparams = { name = \"a + a\" }", "form::sink_tool")]
#[case::rows("tool.register", "rows = [\"x\"]", "form::sink_tool")]
#[case::the_clients("tool.register", "kind = \"client\"", "form::sink_tool")]
fn what_cannot_take_a_submission_is_told(#[case] sink: &str, #[case] tool: &str, #[case] code: &str) {
    let text = FORM.replace("tool.register", sink).replace("kind = \"function\"\n    PARAMS", tool);
    let loaded = load(&text, Syntax::Toml);
    assert!(loaded.problems.iter().any(|problem| problem.code == code), "{:#?}", loaded.problems);
}
