//! What a tool is called with, and what a tool of rows in the form file gives. Pure: calls to the outside are the
//! runtime's.

use serde_json::Value as Json;

use super::logic::{Answers, Datum, Extra, Outcome};
use super::{Path, Tool, ToolRun, Value};

/// Arguments of a tool by name, for a field at `at`; none while one of them is unknown or fails.
pub fn args(tool: &Tool, at: &Path, answers: &dyn Answers, now: &jiff::Zoned) -> Option<Json> {
    let extra = Extra::none();
    let arg = |(name, expr): &(String, super::logic::Expr)| match expr.eval(at, answers, &extra, now) {
        Outcome::Known(value) => Some((name.clone(), value)),
        Outcome::Unknown | Outcome::Failed(_) => None,
    };
    tool.params.iter().map(arg).collect::<Option<serde_json::Map<_, _>>>().map(Json::Object)
}

/// Rows of a `data` tool, or fallback rows of a `client` tool, where `keep` holds. `keep` sees `row` and the arguments;
/// a row for which it is unknown is left out. Empty for other tools.
pub fn data_rows(tool: &Tool, args: &Json, now: &jiff::Zoned) -> Vec<Json> {
    let (ToolRun::Data { rows, keep } | ToolRun::Client { fallback: rows, keep }) = &tool.run else {
        return Vec::new();
    };
    let Some(keep) = keep else { return rows.clone() };
    let mut extra = Extra::none();
    for (name, arg) in args.as_object().into_iter().flatten() {
        extra = extra.with(name, arg);
    }
    let mut kept = Vec::new();
    for row in rows {
        extra = extra.with("row", Datum::from(row));
        if keep.holds(&Path::default(), &Nothing, &extra, now) == Some(true) {
            kept.push(row.clone());
        }
    }
    kept
}

/// No answers: what a tool knows of them came as arguments.
struct Nothing;

impl Answers for Nothing {
    fn value(&self, _: &Path) -> Option<&Value> {
        None
    }

    fn list_len(&self, _: &Path) -> Option<u32> {
        None
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use rstest::rstest;
    use serde_json::json;

    use super::*;
    use crate::form::logic::{Expr, Names, Scope, Shape};
    use crate::form::{FieldId, OptionId, ToolId};

    #[derive(Default)]
    struct Given(BTreeMap<Path, Value>);

    impl Answers for Given {
        fn value(&self, path: &Path) -> Option<&Value> {
            self.0.get(path)
        }

        fn list_len(&self, _: &Path) -> Option<u32> {
            None
        }
    }

    fn tool(keep: Option<&str>) -> Tool {
        let names = Names::new([(None, FieldId::new("kind"), Shape::Leaf)]);
        let compile = |source: &str, extra: &[&str]| Expr::compile(source, &Scope::form(&names).with(extra)).unwrap();
        let rows = vec![json!({"id": "a", "of": "road"}), json!({"id": "b", "of": "work"}), json!("plain")];
        Tool {
            id: ToolId::new("reasons"),
            description: "Reasons".into(),
            message: None,
            params: vec![("of".to_owned(), compile("kind", &[])), ("most".to_owned(), compile("2", &[]))],
            run: ToolRun::Data { rows, keep: keep.map(|keep| compile(keep, &["row", "of", "most"])) },
        }
    }

    fn now() -> jiff::Zoned {
        jiff::Zoned::default()
    }

    #[test]
    fn a_tool_waits_for_its_arguments() {
        let kind: Path = "kind".parse().unwrap();
        assert_eq!(args(&tool(None), &kind, &Given::default(), &now()), None);
        let given = Given(BTreeMap::from([(kind.clone(), Value::Option(OptionId::new("road")))]));
        assert_eq!(args(&tool(None), &kind, &given, &now()), Some(json!({"of": "road", "most": 2})));
    }

    #[rstest]
    #[case::all(None, json!(["a", "b", "plain"]))]
    #[case::by_argument(Some("row.of == of"), json!(["a"]))]
    #[case::missing_key(Some("row.nothing == of"), json!([]))]
    #[case::wrong_type(Some("row"), json!([]))]
    fn rows_are_kept_where_the_condition_holds(#[case] keep: Option<&str>, #[case] ids: Json) {
        let rows = data_rows(&tool(keep), &json!({"of": "road", "most": 2}), &now());
        let found: Vec<Json> = rows.iter().map(|row| row.get("id").unwrap_or(row).clone()).collect();
        assert_eq!(Json::Array(found), ids);
    }
}
