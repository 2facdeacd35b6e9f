//! A tool: what it is called with, how it runs, and what it gives. Pure: calls to the outside are the runtime's.

pub mod arrive;
mod lookup;
pub mod output;
mod request;

use std::ops::Range;

use formwright_values::{FieldId, FormId, Path, ToolId, Value};
use serde_json::Value as Json;

use super::logic::{Answers, Datum, Expr, Extra, Outcome};
use super::{Kind, Text};
pub use output::{MOST_KEPT, is_complete, kept, outputs, refusal};

pub use arrive::{args_of_answers, names_a_field};
pub use request::{Request, Unfit, request};

/// A named call whose result gives options, defaults or checks, or that does something when a step is confirmed.
#[derive(Clone, Debug)]
pub struct Tool {
    /// Permanent name.
    pub id: ToolId,
    /// What it does.
    pub description: Text,
    /// Said while it runs.
    pub message: Option<Text>,
    /// Arguments by name: expressions over the answers. The tool is called once all are known, and again when one changes.
    pub params: Vec<(String, Expr)>,
    /// How it runs.
    pub run: ToolRun,
    /// What is read out of its result; nothing else of it is kept, but for the rows that options are made of.
    pub outputs: Vec<Output>,
    /// Over outputs and params: where it does not hold, the call counts as failed.
    pub complete: Option<Expr>,
    /// Path in a refusal or an incomplete result to words for the person; empty where there are none.
    pub refusal: Vec<String>,
    /// How often it is tried again after a failure that may pass.
    pub retries: u8,
    /// Seconds after which a result is asked for again; none for the draft's life.
    pub fresh: Option<u64>,
    /// One result serves everybody.
    pub shared: bool,
    /// Said when it has run; sees outputs and params by their names.
    pub answer: Option<Text>,
    /// The form that goes on with what it gave.
    pub then: Option<Next>,
}

impl Tool {
    /// A tool without outputs, with everything at its default.
    pub fn new(id: ToolId, run: ToolRun) -> Self {
        Self {
            id,
            description: Text::default(),
            message: None,
            params: Vec::new(),
            run,
            outputs: Vec::new(),
            complete: None,
            refusal: Vec::new(),
            retries: RETRIES,
            fresh: None,
            shared: false,
            answer: None,
            then: None,
        }
    }
}

/// How often a tool is tried again where its form does not say.
pub const RETRIES: u8 = 1;

/// How a tool runs.
#[derive(Clone, Debug)]
pub enum ToolRun {
    /// Rows in the form file, kept where `keep` holds (`row` and the params are its variables).
    Data {
        /// The rows.
        rows: Vec<serde_json::Value>,
        /// Which rows; none keeps all.
        keep: Option<Expr>,
    },
    /// The API client runs it (`TOOL_CALL`). Where the platform has no client that runs tools, `fallback` rows serve.
    Client {
        /// Rows used where there is no such client.
        fallback: Vec<serde_json::Value>,
        /// Which fallback rows.
        keep: Option<Expr>,
    },
    /// A function registered in Rust.
    Function,
    /// A request to a server that the operator allows.
    Http(Http),
    /// A program that the operator names.
    Command {
        /// Its name in the settings.
        name: String,
    },
}

/// A request as a form writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Http {
    /// How it is sent.
    pub method: Method,
    /// Where to. Scheme and host have no holes.
    pub url: String,
    /// Where arguments are put in: byte range of `{name}` in `url`, and the param's name.
    pub holes: Vec<(Range<usize>, String)>,
}

/// How a request is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Params that have no hole make the query.
    Get,
    /// Params that have no hole make the body.
    Post,
    /// As `Post`.
    Put,
}

/// A value that is read out of a tool's result.
#[derive(Clone, Debug)]
pub struct Output {
    /// What fields, texts and `is_complete` call it.
    pub name: String,
    /// Path to it; of a list, a number picks a row, and a name is looked up in the first.
    pub at: Vec<String>,
    /// What it must be.
    pub kind: Kind,
    /// Without it the call has failed.
    pub required: bool,
}

/// The form that goes on where another one, or its tool, has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Next {
    /// Which.
    pub form: FormId,
    /// Which of its fields are filled, each with the name of an answer; of a tool, of an output or param.
    pub with: Vec<(FieldId, String)>,
    /// Where the file says so.
    pub place: super::problem::Place,
}

/// Arguments of a tool by name, for a field at `at`; none while one of them is unknown or fails.
pub fn args(tool: &Tool, at: &Path, answers: &dyn Answers, now: &jiff::Zoned) -> Option<Json> {
    let extra = Extra::none();
    let arg = |(name, expr): &(String, super::logic::Expr)| match expr.eval(at, answers, &extra, now) {
        Outcome::Known(value) => Some((name.clone(), value)),
        Outcome::Unknown | Outcome::Failed(_) => None,
    };
    tool.params.iter().map(arg).collect::<Option<serde_json::Map<_, _>>>().map(Json::Object)
}

/// Arguments of a tool by name, `null` for what has no answer or fails: for what is done whatever was left out.
pub fn args_or_null(tool: &Tool, at: &Path, answers: &dyn Answers, now: &jiff::Zoned) -> Json {
    let extra = Extra::none();
    let arg = |(name, expr): &(String, Expr)| match expr.eval(at, answers, &extra, now) {
        Outcome::Known(value) => (name.clone(), value),
        Outcome::Unknown | Outcome::Failed(_) => (name.clone(), Json::Null),
    };
    Json::Object(tool.params.iter().map(arg).collect())
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

    use formwright_values::OptionId;
    use rstest::rstest;
    use serde_json::json;

    use super::*;
    use crate::logic::{Names, Scope, Shape};

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
        let run = ToolRun::Data { rows, keep: keep.map(|keep| compile(keep, &["row", "of", "most"])) };
        let params = vec![("of".to_owned(), compile("kind", &[])), ("most".to_owned(), compile("2", &[]))];
        Tool { params, ..Tool::new(ToolId::new("reasons"), run) }
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
