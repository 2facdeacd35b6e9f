use std::time::{Duration, Instant};

use proptest::prelude::*;
use serde_json::{Value as Json, json};

use crate::tests::counting::unaccounted;
use crate::{Builder, Source, Syntax, Target, convert};

const DOCUMENTS: &[(Builder, &str)] = &[
    (Builder::SurveyJs, include_str!("../tests/imports/b_surveyjs.json")),
    (Builder::Typeform, include_str!("../tests/imports/b_typeform.json")),
    (Builder::GoogleForms, include_str!("../tests/imports/b_google.json")),
];

/// A form of a document, and what is told as lost.
#[track_caller]
fn read(builder: Builder, document: &Json) -> (String, String) {
    let text = serde_json::to_string_pretty(document).unwrap();
    let written = convert(&text, Source::Built(builder), Target::Form(Syntax::Toml), "form")
        .unwrap_or_else(|problems| panic!("{problems:?}"));
    let lost: Vec<String> = written.lost.iter().map(ToString::to_string).collect();
    let form = String::from_utf8(written.bytes).unwrap();
    let again = crate::load(&form, Syntax::Toml);
    assert!(again.form.is_some(), "{form}{:?}", again.problems);
    (form, lost.join("\n"))
}

/// Documents changed by chance, with a word or number of its own in each place that is changed.
struct Chance<'c> {
    chances: std::iter::Cycle<std::iter::Copied<std::slice::Iter<'c, u8>>>,
    made: u32,
}

impl Chance<'_> {
    fn one_of(&mut self, many: u8) -> u8 {
        self.made += 1;
        // The same chances twice are not the same changes.
        self.chances.next().unwrap_or_default().wrapping_add(u8::try_from(self.made % 251).unwrap_or_default()) % many
    }

    fn word(&mut self) -> Json {
        self.made += 1;
        json!(format!("t{}x", 1000 + self.made))
    }

    fn change(&mut self, value: &mut Json) {
        match value {
            Json::String(_) if self.one_of(4) == 0 => *value = self.word(),
            Json::Number(_) if self.one_of(2) == 0 => *value = json!(1000 + 3 * self.made),
            Json::Bool(_) if self.one_of(9) == 0 => *value = self.word(),
            Json::Array(_) | Json::Object(_) if self.one_of(40) == 0 => *value = self.word(),
            Json::Array(items) => {
                items.iter_mut().for_each(|item| self.change(item));
                match self.one_of(12) {
                    0 => items.push(self.word()),
                    1 => items.push(json!({ "odd": self.word() })),
                    2 => drop(items.pop()),
                    _ => {}
                }
            }
            Json::Object(entries) => {
                entries.values_mut().for_each(|inner| self.change(inner));
                if self.one_of(6) == 0 {
                    entries.insert("odd".to_owned(), json!([self.word(), { "odder": self.word() }]));
                }
                let away = entries.keys().next().cloned().filter(|_| self.one_of(12) == 0);
                away.map(|key| entries.remove(&key));
            }
            _ => {}
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_keyword_is_in_the_form_or_told(chances in prop::collection::vec(any::<u8>(), 1..200)) {
        for (builder, text) in DOCUMENTS.iter().copied() {
            let mut document: Json = serde_json::from_str(text).unwrap();
            let mut chance = Chance { chances: chances.iter().copied().cycle(), made: 0 };
            document.as_object_mut().unwrap().values_mut().for_each(|value| chance.change(value));
            let document = serde_json::to_string_pretty(&document).unwrap();
            match unaccounted(&document, Source::Built(builder)) {
                Err(why) if why.contains("no questions in this document") => {}
                found => prop_assert_eq!(found, Ok(Vec::<String>::new()), "{}", document),
            }
        }
    }
}

/// What is wrong with a document, in good time.
#[track_caller]
fn refused(builder: Builder, text: &str) -> String {
    let start = Instant::now();
    let problems = convert(text, Source::Built(builder), Target::Form(Syntax::Toml), "form").unwrap_err();
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    let problem = problems.first().unwrap();
    assert!(!problem.spans.is_empty(), "{problem:?}");
    format!("{}: {}", problem.code, problem.message)
}

#[rstest::rstest]
#[case::nothing("{}", "form::missing_key: there are no questions")]
#[case::no_object("[1, 2]", "form::missing_key: there are no questions")]
#[case::wrong_types(
    r#"{ "pages": 5, "elements": { "a": 1 }, "questions": "x" }"#,
    "form::missing_key: there are no questions"
)]
#[case::wrong_items(r#"{ "elements": [5, null, "x", []] }"#, "form::missing_key: there are no questions")]
#[case::no_json(r#"{ "elements": ["#, "form::syntax: ")]
fn a_survey_without_questions_is_an_error_with_its_place(#[case] text: &str, #[case] why: &str) {
    assert!(refused(Builder::SurveyJs, text).starts_with(why));
}

#[rstest::rstest]
#[case(r#"{ "fields": [{ "ref": "a", "type": 5, "properties": [], "validations": "x", "title": {} }], "logic": { "a": [] } }"#, "")]
#[case(r#"{ "fields": [5, null] }"#, "form::missing_key: there are no questions")]
fn a_typeform_of_wrong_types_never_panics(#[case] text: &str, #[case] why: &str) {
    match convert(text, Source::Built(Builder::Typeform), Target::Form(Syntax::Toml), "form") {
        Ok(written) => assert!(why.is_empty() && written.lost.len() >= 5, "{:?}", written.lost),
        Err(_) => assert!(refused(Builder::Typeform, text).starts_with(why)),
    }
}

#[test]
fn a_typeform_of_many_jumps_is_read_in_good_time() {
    let fields: Vec<Json> = (0..1_900).map(|no| json!({ "ref": format!("q{no}"), "type": "yes_no" })).collect();
    let jump = |no: u32| {
        let when = json!({ "op": "is", "vars": [{ "type": "field", "value": format!("q{no}") }, { "type": "constant", "value": true }] });
        let to = json!({ "to": { "type": "field", "value": "q1899" } });
        json!({ "type": "field", "ref": format!("q{no}"), "actions": [{ "action": "jump", "details": to, "condition": when }] })
    };
    let start = Instant::now();
    let text = json!({ "fields": fields, "logic": (0..1_800).map(jump).collect::<Vec<Json>>() }).to_string();
    let written = convert(&text, Source::Built(Builder::Typeform), Target::Form(Syntax::Toml), "form").unwrap();
    assert!(written.lost.iter().any(|lost| lost.what == "which jumps lead past it"));
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

#[rstest::rstest]
#[case(r#"{ "info": 5, "items": [{ "itemId": {}, "title": 1, "questionItem": { "question": { "textQuestion": 7, "required": "x" } } }] }"#, "")]
#[case(
    r#"{ "info": {}, "items": [{ "questionGroupItem": { "grid": [], "questions": {} } }, { "pageBreakItem": 1 }] }"#,
    "form::missing_key: there are no questions"
)]
fn a_google_form_of_wrong_types_never_panics(#[case] text: &str, #[case] why: &str) {
    match convert(text, Source::Built(Builder::GoogleForms), Target::Form(Syntax::Toml), "form") {
        Ok(written) => assert!(why.is_empty() && written.lost.len() >= 4, "{:?}", written.lost),
        Err(_) => assert!(refused(Builder::GoogleForms, text).starts_with(why)),
    }
}

#[test]
fn a_huge_survey_is_an_error_in_good_time() {
    let deep = format!("{}{}{}", r#"{"elements":["#.repeat(300), r#"{"type":"text","name":"a"}"#, "]}".repeat(300));
    assert!(refused(Builder::SurveyJs, &deep).contains("deeper than 32"));
    let many = json!({ "elements": vec![json!({ "type": "text", "name": "a" }); 30_000] });
    assert!(refused(Builder::SurveyJs, &many.to_string()).contains("at most 2000 fields"));
    let list: Vec<String> = (0..30_000).map(|no| format!("r{no}")).collect();
    let columns: Vec<Json> = list.iter().map(|name| json!({ "name": name, "cellType": "text" })).collect();
    let matrix = json!({ "elements": [{ "type": "matrixdropdown", "name": "m", "rows": list, "columns": columns }] });
    assert!(refused(Builder::SurveyJs, &matrix.to_string()).contains("at most 2000 fields"));
}

#[rstest::rstest]
#[case::curly(json!({ "type": "text", "title": "{".repeat(200_000) }))]
#[case::round(json!({ "type": "text", "visibleIf": "(".repeat(200_000) }))]
#[case::angled(json!({ "type": "html", "html": "<a ".repeat(200_000) }))]
#[case::options(json!({ "type": "radiogroup", "choices": (0..50_000).collect::<Vec<u32>>() }))]
fn a_huge_value_is_read_in_good_time(#[case] element: Json) {
    let start = Instant::now();
    let text = json!({ "elements": [element, { "type": "text", "name": "last" }] }).to_string();
    let written = convert(&text, Source::Built(Builder::SurveyJs), Target::Form(Syntax::Toml), "form");
    assert!(written.is_ok(), "{written:?}");
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

#[rstest::rstest]
#[case("{a} = 'x' and {n} > 3", "a == 'x' && n > 3")]
#[case("{a} <> 'x' or !({n} <= 3)", "!answered(a) || a != 'x' || !answered(n) || !(n <= 3)")]
#[case("{yes}", "yes")]
#[case("{yes} = false && {a} notempty", "!yes && answered(a)")]
#[case("{many} allof ['x', \"y\"]", "'x' in many && 'y' in many")]
#[case("{many} notcontains 'x'", "!answered(many) || !('x' in many)")]
#[case("{day} >= today()", "day >= today")]
#[case("age({day}) >= 18", "floor(years(today, day)) >= 18")]
fn a_condition_is_translated(#[case] theirs: &str, #[case] ours: &str) {
    let (form, lost) = read(Builder::SurveyJs, &asked(theirs));
    let said = form.contains(&format!("show_when = \"{ours}\"")) && lost.is_empty();
    let without = ours.replace("floor(", "").replacen("))", ")", 1);
    assert!(said || form.contains(&format!("show_when = \"{without}\"")), "{form}\n{lost}");
}

#[rstest::rstest]
#[case("{a} = 'other'")]
#[case("{nobody} = 'x'")]
#[case("{a} = ")]
#[case("isContainerReady('x')")]
#[case("{many} = ['x']")]
#[case("{a} = 'x")]
fn a_condition_without_counterpart_is_told(#[case] theirs: &str) {
    let (form, lost) = read(Builder::SurveyJs, &asked(theirs));
    assert!(!form.contains("show_when") && form.contains("required = false"), "{form}");
    assert!(lost.starts_with("question `shown`: `visibleIf` (`"), "{lost}");
}

/// A survey with a question that is shown under a condition.
fn asked(when: &str) -> Json {
    let question = |sort: &str, name: &str, more: Json| {
        let mut all = json!({ "type": sort, "name": name, "isRequired": true });
        all.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap_or_default());
        all
    };
    json!({ "elements": [
        question("radiogroup", "a", json!({ "choices": ["x", "y"] })), question("text", "n", json!({ "inputType": "number" })),
        question("boolean", "yes", json!({})), question("tagbox", "many", json!({ "choices": ["x", "y"] })),
        question("text", "day", json!({ "inputType": "date" })), question("text", "shown", json!({ "visibleIf": when })) ] })
}
