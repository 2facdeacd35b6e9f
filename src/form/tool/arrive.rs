//! What a tool that takes submissions is called with.

use serde_json::{Map, Value as Json};

use super::Tool;

/// Arguments of a tool for a finished form: each param is the answer of the field that it names, null where there is none. A
/// tool without params is given all answers.
pub fn args_of_answers(tool: &Tool, answers: &Json) -> Json {
    if tool.params.is_empty() {
        return answers.clone();
    }
    let answer = |path: &str| path.split('.').try_fold(answers, |at, id| at.get(id.trim())).cloned();
    let args = tool.params.iter().map(|(name, expr)| (name.clone(), answer(&expr.source).unwrap_or_default()));
    Json::Object(args.collect::<Map<_, _>>())
}

/// Whether an expression is the name of a field and nothing more: all that can be said of a finished form.
pub fn names_a_field(source: &str) -> bool {
    let plain = |id: &str| !id.is_empty() && id.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    source.split('.').all(|id| plain(id.trim()))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;
    use crate::load::{Syntax, load};
    use crate::{Sink, SinkId, ToolId};

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
        let text = FORM.replace("tool.register", sink).replace("kind = \"function\"\n        PARAMS", tool);
        let loaded = load(&text, Syntax::Toml);
        assert!(loaded.problems.iter().any(|problem| problem.code == code), "{:#?}", loaded.problems);
    }
}
