//! Forms go into other syntaxes and back, and stay the same forms.

use formwright::form::Form;
use formwright::form::load::{Source, Syntax, Target, convert, load, workbook};
use formwright::form::problem::{Look, render};
use proptest::test_runner::{Config, TestRunner};

use super::{files, load_file, name};

const SYNTAXES: [Syntax; 4] = [Syntax::Toml, Syntax::Yaml, Syntax::Json, Syntax::Markdown];

/// All of a form but its version, which is made of the file's letters.
pub(super) fn told(form: &Form) -> String {
    let told = format!("{form:#?}");
    let at = told.find("    version:").unwrap();
    let end = at + told[at..].find("    title:").unwrap();
    format!("{}{}", &told[..at], &told[end..])
}

#[track_caller]
fn written(name: &str, text: &str, from: Syntax, to: Target) -> (String, Vec<String>) {
    let written = convert(text, Source::Form(from), to, "form")
        .unwrap_or_else(|problems| panic!("{}", render(name, text, &problems, Look::Drawn)));
    let lost = written.lost.iter().map(ToString::to_string).collect();
    (String::from_utf8(written.bytes).unwrap(), lost)
}

#[track_caller]
fn read(text: &str, syntax: Syntax) -> Form {
    let loaded = load(text, syntax);
    assert!(loaded.problems.is_empty(), "{}{text}", render("written", text, &loaded.problems, Look::Drawn));
    loaded.form.unwrap()
}

#[test]
fn a_sample_stays_itself_in_every_syntax_and_back() {
    for file in files("forms") {
        let (text, loaded) = load_file(&file);
        let (name, form) = (name(&file), told(&loaded.form.unwrap()));
        let syntax = Syntax::of(&name).unwrap();
        for to in SYNTAXES {
            let (there, lost) = written(&name, &text, syntax, Target::Form(to));
            assert!(lost.iter().all(|lost| lost == "the file: comments"), "{name} {to:?}: {lost:?}");
            assert_eq!(told(&read(&there, to)), form, "{name} {to:?}\n{there}");
            let (back, _) = written(&name, &there, to, Target::Form(syntax));
            assert_eq!(told(&read(&back, syntax)), form, "{name} {to:?} and back");
        }
    }
}

/// Forms with every kind of field and awkward words.
#[test]
fn a_form_made_at_random_stays_itself_in_every_syntax() {
    let mut runner = TestRunner::new(Config { cases: 48, ..Config::default() });
    runner
        .run(&crate::screens::random_form(), |form| {
            let text = form.to_string();
            let first = load(&text, Syntax::Json).form.unwrap();
            for to in SYNTAXES {
                // Documents have no letter for nothing at all.
                if to == Syntax::Markdown && text.contains("\\u0000") {
                    continue;
                }
                let (there, lost) = written("made", &text, Syntax::Json, Target::Form(to));
                assert_eq!(lost, [""; 0], "{to:?}");
                let again = load(&there, to);
                let problems = render("written", &there, &again.problems, Look::Line);
                let again = again.form.unwrap_or_else(|| panic!("{to:?}: {problems}\n{there}"));
                assert_eq!(told(&again), told(&first), "{to:?}\n{there}");
            }
            Ok(())
        })
        .unwrap();
}

/// A workbook has no place for much of a form. What it has is a form again, and goes there and back unchanged from then on.
#[test]
fn any_form_goes_into_a_workbook_that_is_read_again() {
    let there_and_back = |what: &str, text: &str, syntax: Syntax| {
        let shown = |problems: Vec<_>| panic!("{what}: {}", render(what, text, &problems, Look::Line));
        let book = convert(text, Source::Form(syntax), Target::XlsForm, "form").unwrap_or_else(shown);
        let book = workbook(&book.bytes).unwrap();
        let shown = |problems: Vec<_>| panic!("{what}: {}", render(what, &book, &problems, Look::Drawn));
        let back = convert(&book, Source::XlsForm, Target::Form(Syntax::Toml), "form").unwrap_or_else(shown);
        // What is lost stands there as comments, the first time.
        let form = String::from_utf8(back.bytes).unwrap();
        form.split_inclusive('\n').filter(|line| !line.starts_with('#')).collect::<String>().trim_start().to_owned()
    };
    for file in files("forms") {
        let (text, _) = load_file(&file);
        let name = name(&file);
        let once = there_and_back(&name, &text, Syntax::of(&name).unwrap());
        assert!(load(&once, Syntax::Toml).form.is_some(), "{name}\n{once}");
        assert_eq!(there_and_back(&name, &once, Syntax::Toml), once, "{name}");
    }
    let mut runner = TestRunner::new(Config { cases: 48, ..Config::default() });
    runner
        .run(&crate::screens::random_form(), |form| {
            let once = there_and_back("made", &form.to_string(), Syntax::Json);
            assert!(load(&once, Syntax::Toml).form.is_some(), "{once}");
            Ok(())
        })
        .unwrap();
}

#[test]
fn a_form_reads_well_in_every_syntax() {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_snapshot_path("converted");
    settings.set_omit_expression(true);
    let (text, _) = load_file(&super::root().join("forms/expense-claim.toml"));
    for (to, ending) in
        [(Syntax::Toml, "toml"), (Syntax::Yaml, "yaml"), (Syntax::Json, "json"), (Syntax::Markdown, "md")]
    {
        let (there, _) = written("expense-claim.toml", &text, Syntax::Toml, Target::Form(to));
        settings.bind(|| insta::assert_snapshot!(format!("expense-claim.{ending}"), there));
    }
}

#[test]
fn a_schema_says_what_is_collected_and_the_rest_is_told_as_lost() {
    let (text, loaded) = load_file(&super::root().join("forms/expense-claim.toml"));
    let (schema, lost) = written("expense-claim.toml", &text, Syntax::Toml, Target::JsonSchema);
    assert!(loaded.form.is_some());
    let value: serde_json::Value = serde_json::from_str(&schema).unwrap();
    assert!(jsonschema::validator_for(&value).is_ok());
    insta::assert_snapshot!(lost.join("\n"));
    let again = convert(&schema, Source::JsonSchema, Target::Form(Syntax::Toml), "expense-claim").unwrap();
    insta::assert_snapshot!(String::from_utf8(again.bytes).unwrap());
}

const SCHEMA: &str = r##"{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "Visitor",
  "description": "Who visits us",
  "type": "object",
  "required": ["full-name", "arrives", "badge"],
  "$defs": { "mail": { "type": "string", "format": "email" } },
  "properties": {
    "full-name": { "type": "string", "title": "Full name", "minLength": 2, "maxLength": 80 },
    "arrives": { "type": "string", "format": "date", "description": "On which day do you arrive?" },
    "mail": { "$ref": "#/$defs/mail" },
    "badge": { "enum": ["Blue", "dark red", null] },
    "floor": { "enum": [1, 2, 5] },
    "level": { "oneOf": [{ "const": 1, "title": "Low" }, { "const": 2, "title": "High" }] },
    "version": { "const": 3 },
    "agreed": { "const": true },
    "leaves": { "type": "string", "format": "date-time" },
    "either": { "anyOf": [{ "type": "integer" }, { "type": "string" }] },
    "marks": { "type": "array", "items": { "enum": ["a b", "c"] } },
    "size": { "oneOf": [{ "const": "s", "title": "Small" }, { "const": "l", "title": "Large" }] },
    "guests": { "type": "integer", "minimum": 0, "maximum": 5, "default": 0, "multipleOf": 1 },
    "parking": { "anyOf": [{ "type": "boolean" }, { "type": "null" }] },
    "topics": { "type": "array", "items": { "enum": ["a", "b", "c"] }, "minItems": 1 },
    "code": { "type": "string", "pattern": "[A-Z]{2}[0-9]{4}" },
    "about": { "type": "string", "maxLength": 2000 },
    "cars": { "type": "array", "items": { "type": "object", "required": ["plate"],
      "properties": { "plate": { "type": "string" }, "length": { "type": "number" } } } },
    "contact": { "type": "object", "properties": { "phone": { "type": "string", "format": "phone" } } }
  },
  "if": { "properties": { "parking": { "const": true } } }
}"##;

#[test]
fn any_schema_becomes_a_form() {
    let written = convert(SCHEMA, Source::JsonSchema, Target::Form(Syntax::Toml), "visitor").unwrap();
    let lost: Vec<String> = written.lost.iter().map(ToString::to_string).collect();
    let text = String::from_utf8(written.bytes).unwrap();
    read(&text, Syntax::Toml);
    insta::assert_snapshot!(format!("{text}\n{}", lost.join("\n")));
}

#[test]
fn what_a_form_of_a_schema_collects_is_what_the_schema_takes() {
    let written = convert(SCHEMA, Source::JsonSchema, Target::Form(Syntax::Toml), "visitor").unwrap();
    let form = read(&String::from_utf8(written.bytes).unwrap(), Syntax::Toml);
    let ids = |name: &str| {
        let field = form.fields.iter().find(|field| field.id.as_str() == name).unwrap();
        let options = field.choices.as_ref().map(|choices| choices.options.as_slice()).unwrap_or_default();
        options.iter().map(|option| option.id.as_str().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!((ids("badge"), ids("marks")), (vec!["Blue".into(), "dark red".into()], vec!["a b".into(), "c".into()]));
    assert_eq!(ids("floor"), [""; 0], "numbers are numbers");
}

#[test]
fn a_schema_that_multiplies_by_its_references_is_refused() {
    let four = |to: usize| {
        let one = |no: usize| format!(r##""p{no}": {{ "$ref": "#/$defs/d{to}" }}"##);
        format!(r#"{{ "type": "object", "properties": {{ {} }} }}"#, (0..4).map(one).collect::<Vec<_>>().join(", "))
    };
    let all_of = |to: usize| {
        let one = format!(r##"{{ "$ref": "#/$defs/d{to}" }}"##);
        format!(r#"{{ "type": "object", "allOf": [{}] }}"#, vec![one; 8].join(", "))
    };
    let bomb = |part: &dyn Fn(usize) -> String| {
        let defs: Vec<String> = (0..29).map(|no| format!(r#""d{no}": {}"#, part(no + 1))).collect();
        format!(r##"{{ "$defs": {{ {} }}, "properties": {{ "a": {{ "$ref": "#/$defs/d0" }} }} }}"##, defs.join(", "))
    };
    for schema in [bomb(&four), bomb(&all_of)] {
        let problems = convert(&schema, Source::JsonSchema, Target::Form(Syntax::Toml), "bomb").unwrap_err();
        assert!(problems.iter().any(|problem| problem.code == "form::too_large"), "{problems:?}");
    }
}

#[test]
fn params_of_tools_that_are_asked_for_are_there_in_every_syntax() {
    let text = r#"{ "id": "parcel", "title": "Parcel", "run": "find",
        "tool": [{ "id": "find", "kind": "http", "url": "https://parcels.example/{pin}",
                   "param": [{ "id": "pin", "ask": "Which PIN?", "enum": ["A 1", "B"] }] }] }"#;
    let first = told(&read(text, Syntax::Json));
    for to in [Syntax::Toml, Syntax::Yaml, Syntax::Json] {
        let (there, lost) = written("parcel", text, Syntax::Json, Target::Form(to));
        assert_eq!((lost, told(&read(&there, to))), (vec![], first.clone()), "{there}");
    }
    let (schema, _) = written("parcel", text, Syntax::Json, Target::JsonSchema);
    assert!(schema.contains("\"pin\"") && schema.contains("A 1"), "{schema}");
}

#[rstest::rstest]
#[case("{", "form::syntax")]
#[case("{}", "form::missing_key")]
#[case("{\"properties\": {\"a\": {\"$ref\": \"#/properties/a\"}}}", "")]
#[case("{\"properties\": {\"a\": {\"type\": \"object\"}}}", "form::empty")]
#[case("[1]", "form::missing_key")]
fn what_is_no_schema_of_an_object_is_told(#[case] text: &str, #[case] code: &str) {
    let problems = convert(text, Source::JsonSchema, Target::Form(Syntax::Toml), "x").err().unwrap_or_default();
    assert_eq!(problems.first().map_or("", |problem| problem.code), code);
}
