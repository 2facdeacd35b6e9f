//! What a tool brings, read as the outputs that its form declares.

use std::collections::BTreeMap;

use formwright_form::Form;
use formwright_form::tool::output::{is_complete, outputs, refusal};
use formwright_lexicon as language;
use formwright_values::{Context, ToolId, Value};
use rstest::rstest;
use serde_json::{Value as Json, json};

use crate::{Syntax, load};

fn form(output: &str) -> Form {
    let text = format!(
        r#"
        id = "parcel"
        title = "Parcel"
        [[field]]
        id = "number"
        kind = "text"
        [[field]]
        id = "found"
        kind = "hidden"
        default_from = {{ tool = "find", output = "it" }}
        [[tool]]
        id = "find"
        kind = "function"
        params = {{ number = "number" }}
        refusal = "error.message"
        is_complete = "it != 'unknown'"
        output = [{output}]
        "#
    );
    let loaded = load(&text, Syntax::Toml);
    loaded.form.unwrap_or_else(|| panic!("{:?}", loaded.problems))
}

#[rstest]
#[case::by_name(r#"{ id = "it" }"#, json!({"it": "here", "more": 1}), Ok(json!("here")))]
#[case::by_path(r#"{ id = "it", at = "data.rows.1.state" }"#, json!({"data": {"rows": [{}, {"state": "x"}]}}), Ok(json!("x")))]
#[case::of_the_first_row(r#"{ id = "it", at = "rows.state" }"#, json!({"rows": [{"state": "x"}, {"state": "y"}]}), Ok(json!("x")))]
#[case::number_as_text(r#"{ id = "it" }"#, json!({"it": 7}), Ok(json!("7")))]
#[case::text_as_number(r#"{ id = "it", kind = "integer" }"#, json!({"it": " 7 "}), Ok(json!(7)))]
#[case::text_as_truth(r#"{ id = "it", kind = "yes_no" }"#, json!({"it": "true"}), Ok(json!(true)))]
#[case::day(r#"{ id = "it", kind = "date" }"#, json!({"it": "2026-03-01"}), Ok(json!("2026-03-01")))]
#[case::option(r#"{ id = "it", kind = "choice" }"#, json!({"it": "red"}), Ok(json!("red")))]
#[case::missing(r#"{ id = "it" }"#, json!({"other": 1}), Err("its output `it` is missing at `it`"))]
#[case::null(r#"{ id = "it", at = "a.b" }"#, json!({"a": {"b": null}}), Err("its output `it` is missing at `a.b`"))]
#[case::no_number(r#"{ id = "it", kind = "integer" }"#, json!({"it": "as many"}), Err("its output `it` is no value of kind `integer`"))]
#[case::no_day(r#"{ id = "it", kind = "date" }"#, json!({"it": "2026-02-30"}), Err("its output `it` is no value of kind `date`"))]
#[case::a_table(r#"{ id = "it" }"#, json!({"it": {"a": 1}}), Err("its output `it` is no value of kind `text`"))]
fn outputs_are_read_by_path_and_kind(#[case] output: &str, #[case] result: Json, #[case] expected: Result<Json, &str>) {
    let form = form(output);
    let tool = form.tools.get(&ToolId::new("find")).unwrap();
    let now = jiff::Zoned::default();
    let cx = Context { now: &now, lang: language::english(), region: None, options: &[], other: true, held: None };
    let kind = tool.outputs[0].kind.behaviour();
    let read = outputs(tool, &result, &cx).map(|read| kind.json(&read["it"]));
    assert_eq!(read, expected.map_err(str::to_owned));
}

#[test]
fn an_output_that_is_not_needed_may_be_missing() {
    let form = form(r#"{ id = "it", required = false }"#);
    let tool = form.tools.get(&ToolId::new("find")).unwrap();
    let now = jiff::Zoned::default();
    let cx = Context { now: &now, lang: language::english(), region: None, options: &[], other: true, held: None };
    assert_eq!(outputs(tool, &json!({}), &cx), Ok(BTreeMap::new()));
    // What is not known is not what was asked for.
    assert!(!is_complete(tool, &json!({"number": "7"}), &BTreeMap::new(), &now));
    let with = |text: &str| BTreeMap::from([("it".to_owned(), Value::Text(text.to_owned()))]);
    assert!(is_complete(tool, &json!({}), &with("on its way"), &now));
    assert!(!is_complete(tool, &json!({}), &with("unknown"), &now));
}

#[rstest]
#[case(json!({"error": {"message": "No\nsuch  parcel.\u{7}"}}), Some("No such parcel."))]
#[case(json!({"error": "No such parcel."}), None)]
#[case(json!({"error": {"message": ""}}), None)]
fn words_for_the_person_are_one_line(#[case] result: Json, #[case] words: Option<&str>) {
    let form = form(r#"{ id = "it" }"#);
    assert_eq!(refusal(form.tools.get(&ToolId::new("find")).unwrap(), &result).as_deref(), words);
}
