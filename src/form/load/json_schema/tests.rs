use proptest::prelude::*;
use serde_json::{Map, Value as Json, json};

use crate::tests::counting::unaccounted;
use crate::{Source, Syntax, Target, convert, convert_with};

/// A form of a schema, and what is told as lost.
#[track_caller]
fn read(schema: &str) -> (String, String) {
    let written = convert(schema, Source::JsonSchema, Target::Form(Syntax::Toml), "form")
        .unwrap_or_else(|problems| panic!("{problems:?}"));
    let lost: Vec<String> = written.lost.iter().map(ToString::to_string).collect();
    let form = String::from_utf8(written.bytes).unwrap();
    let again = crate::load(&form, Syntax::Toml);
    assert!(again.form.is_some(), "{form}{:?}", again.problems);
    (form, lost.join("\n"))
}

/// A schema of a question that is answered with yes or no in words, and more.
fn asked(more: &str) -> String {
    format!(
        r#"{{ "type": "object", "properties": {{ "pet": {{ "enum": ["No", "Yes"] }} }}, "required": ["pet"], {more} }}"#
    )
}

#[rstest::rstest]
#[case::if_then(r#""if": {"properties": {"pet": {"const": "Yes"}}}, "then": {"properties": {"age": {"type": "integer"}}, "required": ["age"]}"#, "show_when = \"pet == 'Yes'\"\n", "")]
#[case::otherwise(r#""if": {"properties": {"pet": {"const": "Yes"}}}, "else": {"properties": {"age": {"type": "integer"}}, "required": ["age"]}"#, "show_when = \"!answered(pet) || !(pet == 'Yes')\"\n", "")]
#[case::not_known(r#""if": {"properties": {"pet": {"odd": 3}}}, "then": {"properties": {"age": {"type": "integer"}}, "required": ["age"]}"#, "kind = \"integer\"\nrequired = false", "the form: `if`: {\"properties\":{\"pet\":{\"odd\":3}}}\nthe form: that \"age\" is required where a condition holds")]
#[case::dependent(
    r#""dependentSchemas": {"pet": {"properties": {"age": {"type": "integer"}}}}"#,
    "show_when = \"answered(pet)\"\nrequired = false",
    ""
)]
#[case::required_by(r#""dependentRequired": {"age": ["size"]}, "allOf": [{"properties": {"age": {"type": "integer"}, "size": {"type": "integer"}}}]"#, "required_when = \"answered(age)\"", "")]
#[case::one_of(r#""dependencies": {"pet": {"oneOf": [{"properties": {"pet": {"enum": ["No"]}}}, {"properties": {"pet": {"enum": ["Yes"]}, "age": {"type": "integer"}}, "required": ["age"]}]}}"#, "show_when = \"pet == 'Yes'\"\n", "")]
#[case::within_all_of(r#""allOf": [{"if": {"properties": {"pet": {"const": "Yes"}}, "required": ["pet"]}, "then": {"properties": {"age": {"type": "integer"}}, "required": ["age"]}}]"#, "show_when = \"pet == 'Yes'\"\n", "")]
#[case::told_apart(r#""oneOf": [{"properties": {"by": {"const": "post"}, "street": {"type": "string"}}, "required": ["by", "street"]}, {"properties": {"by": {"const": "mail"}, "address": {"type": "string"}}, "required": ["by"]}]"#, "id = \"address\"\nkind = \"text\"\nshow_when = \"by == 'mail'\"\nrequired = false", "")]
#[case::consent(
    r#""allOf": [{"properties": {"agreed": {"const": true}}, "required": ["agreed"]}]"#,
    "kind = \"yes_no\"\ncheck = [{ that = \"value\", else = \"This needs a yes.\" }]",
    ""
)]
#[case::items(r#""allOf": [{"properties": {"marks": {"type": "array", "items": {"type": "integer", "minimum": 1}, "maxItems": 9}}}]"#, "max = 9\nof = \"integer\"\ncheck = [{ that = \"value.all(i, i >= 1)\"", "")]
#[case::required_and_not_there(
    r#""allOf": [{"required": ["nobody"]}]"#,
    "id = \"pet\"",
    "the form: that \"nobody\" is required and is no property"
)]
#[case::one_of_others(
    r#""allOf": [{"if": {"properties": {"pet": {"const": "Yes"}}}, "then": {"properties": {"food": {"enum": ["meat", "fish"]}}, "required": ["food"]}}, {"if": {"properties": {"pet": {"const": "No"}}}, "then": {"properties": {"food": {"enum": ["fish", "tea"]}}, "required": ["food"]}}]"#,
    "options = [\"meat\", \"fish\", \"tea\"]\ncheck = [\n  { that = \"!(pet == 'Yes') || value in ['meat', 'fish']\", else = \"One of these, please: meat, fish\" },",
    ""
)]
#[case::bounds_of_both(
    r#""allOf": [{"if": {"properties": {"pet": {"const": "Yes"}}}, "then": {"properties": {"age": {"type": "integer", "minimum": 3}}}}, {"if": {"properties": {"pet": {"const": "No"}}}, "then": {"properties": {"age": {"type": "integer", "minimum": 5}}}}]"#,
    "id = \"age\"\nkind = \"integer\"\nshow_when = \"(pet == 'Yes') || (pet == 'No')\"\nrequired = false",
    "property `age`: `minimum`: 3\nproperty `age`: `minimum`: 5"
)]
#[case::words_for_yes(
    r#""allOf": [{"properties": {"in_it": {"type": "boolean", "oneOf": [{"const": true, "title": "Count me in"}, {"const": false, "title": "Not me"}]}}}]"#,
    "yes = \"Count me in\"\nno = \"Not me\"",
    ""
)]
#[case::bad_default(
    r#""allOf": [{"properties": {"age": {"type": "integer", "default": "many"}}}]"#,
    "id = \"age\"\nkind = \"integer\"",
    "question `age`: `default` (`many`): "
)]
#[case::bad_property(
    r#""allOf": [{"properties": {"odd": {"type": "object"}}}]"#,
    "id = \"pet\"",
    "question `odd`: all of it: "
)]
#[case::no_name(
    r#""allOf": [{"properties": {"in": {"type": "string"}}}]"#,
    "id = \"in_\"",
    "property `in`: its name, which becomes `in_`"
)]
fn a_form_asks_what_a_schema_asks(#[case] more: &str, #[case] wanted: &str, #[case] told: &str) {
    let (form, lost) = read(&asked(more));
    assert!(form.contains(wanted), "{form}\n{lost}");
    assert!(lost.starts_with(told) && lost.is_empty() == told.is_empty(), "{lost}");
}

/// Schemas made of chance, with a word or number of its own in each place.
struct Chance<'c> {
    chances: std::iter::Copied<std::slice::Iter<'c, u8>>,
    made: u32,
}

impl Chance<'_> {
    fn one_of(&mut self, many: u8) -> u8 {
        self.chances.next().unwrap_or_default() % many
    }

    fn word(&mut self) -> Json {
        self.made += 1;
        json!(format!("t{}x", 1000 + self.made))
    }

    fn number(&mut self) -> Json {
        self.made += 1;
        json!(1000 + 3 * self.made)
    }

    /// Some of these keywords, those that end with `#` with numbers.
    fn some(&mut self, into: &mut Json, keys: &[&str]) {
        for key in keys {
            if self.one_of(3) == 0 {
                let plain = key.trim_end_matches('#');
                into[plain] = if plain == *key { self.word() } else { self.number() };
            }
        }
    }

    fn value(&mut self, depth: u8) -> Json {
        let mut out = json!({});
        match self.one_of(if depth == 0 { 8 } else { 11 }) {
            0 => {
                out["type"] = json!("string");
                self.some(&mut out, &["minLength#", "maxLength#", "format", "default", "contentEncoding"]);
            }
            1 => {
                out = json!({ "type": "string", "examples": [self.word(), self.word()], "pattern": self.word() });
                out["format"] = json!(["date", "email", "uuid", "password", "data-url"][usize::from(self.one_of(5))]);
            }
            2 => {
                out["type"] = json!(["integer", "number"][usize::from(self.one_of(2))]);
                self.some(&mut out, &["minimum#", "exclusiveMaximum#", "multipleOf#", "default#", "odd"]);
            }
            3 => out = json!({ "enum": [self.word(), self.word()], "default": self.word() }),
            4 => {
                out = json!({ "oneOf": [{ "const": self.word(), "title": self.word() }, { "const": self.word(), "odd": self.word() }] });
            }
            5 => out = json!({ "type": "boolean", "const": true, "title": self.word(), "odd": self.word() }),
            6 => out = json!({ "const": self.word() }),
            7 => {
                let to = ["#/$defs/named", "#/$defs/nowhere", "elsewhere.json"][usize::from(self.one_of(3))];
                out = json!({ "$ref": to, "title": self.word() });
            }
            8 => {
                out = json!({ "type": "array", "items": self.value(depth - 1) });
                self.some(&mut out, &["minItems#", "maxItems#", "contains"]);
            }
            9 => {
                out = json!({ "anyOf": [{ "type": "null" }, self.value(depth - 1)], "allOf": [{ "deprecated": self.word() }] });
            }
            _ => out = self.object(depth - 1),
        }
        self.some(&mut out, &["description"]);
        out
    }

    fn properties(&mut self, depth: u8) -> Json {
        let many = 1 + self.one_of(3);
        Json::Object(
            (0..many).map(|_| (self.word().as_str().unwrap().to_owned(), self.value(depth))).collect::<Map<_, _>>(),
        )
    }

    fn object(&mut self, depth: u8) -> Json {
        let properties = self.properties(depth);
        let first = properties.as_object().unwrap().keys().next().unwrap().clone();
        let mut out = json!({ "type": "object", "properties": properties });
        let more = |chance: &mut Self| json!({ "properties": chance.properties(0), "required": [chance.word()] });
        match self.one_of(8) {
            0 => {
                out["if"] = json!({ "properties": { first: { "const": self.word() } } });
                out["then"] = more(self);
                out["else"] = more(self);
            }
            1 => {
                out["if"] = json!({ "properties": { first: { "odd": self.word() } } });
                out["then"] = more(self);
            }
            2 => out["dependencies"] = json!({ first: more(self) }),
            3 => out["dependentRequired"] = json!({ first: [self.word()] }),
            4 => out["allOf"] = json!([more(self), { "minProperties": self.number() }]),
            5 => {
                out["oneOf"] = json!([{ "properties": { "by": { "const": self.word() } } }, { "properties": { "by": { "const": self.word() } } }]);
            }
            6 => out["anyOf"] = json!([more(self), more(self)]),
            _ => out["patternProperties"] = json!({ "^x": { "type": self.word() } }),
        }
        out
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_keyword_is_in_the_form_or_told(chances in prop::collection::vec(any::<u8>(), 0..80)) {
        let mut chance = Chance { chances: chances.iter().copied(), made: 0 };
        let mut schema = chance.object(2);
        schema["properties"]["first"] = json!({ "$ref": "#/$defs/named" });
        schema["$defs"] = json!({ "named": chance.value(0), "unused": { "title": chance.word() } });
        let schema = serde_json::to_string_pretty(&schema).unwrap();
        prop_assert_eq!(unaccounted(&schema, Source::JsonSchema), Ok(Vec::<String>::new()), "{}", schema);
    }
}

const WITH_UI: &str = r#"{ "type": "object", "properties": {
    "about": { "type": "string" }, "size": { "enum": ["s", "l"] }, "key": { "type": "string", "default": "k" },
    "pet": { "type": "boolean" }, "kinds": { "type": "array", "items": { "type": "object", "properties": { "name": { "type": "string" } } } } } }"#;

/// A form of a schema with a UI schema, and what is told as lost.
#[track_caller]
fn read_with(ui: &str) -> (String, Vec<String>) {
    let written = convert_with(WITH_UI, Some(ui), Source::JsonSchema, Target::Form(Syntax::Toml), "form")
        .unwrap_or_else(|problems| panic!("{problems:?}"));
    let lost = written.lost.iter().map(ToString::to_string).collect();
    (String::from_utf8(written.bytes).unwrap(), lost)
}

#[test]
fn a_ui_schema_says_how_things_are_called_and_in_which_order() {
    let (form, lost) = read_with(
        r#"{ "ui:order": ["pet", "*"], "about": { "ui:title": "About you", "ui:widget": "textarea", "ui:help": "Briefly.", "ui:autofocus": true },
             "size": { "ui:enumNames": ["Small", "Large"], "ui:widget": "radio" }, "key": { "ui:widget": "hidden" },
             "kinds": { "items": { "name": { "ui:title": "Its name" } } }, "nobody": { "ui:title": "Nobody" } }"#,
    );
    assert_eq!(
        lost,
        [
            "property `about`: `ui:autofocus` of the UI schema: true",
            "property `size`: `ui:widget` of the UI schema: \"radio\"",
            "the form: `nobody` of the UI schema: {\"ui:title\":\"Nobody\"}",
        ]
    );
    assert!(form.find("id = \"pet\"") < form.find("id = \"about\""), "{form}");
    for wanted in [
        "kind = \"long_text\"\nlabel = \"About you\"\nhelp = \"Briefly.\"",
        "options = [{ id = \"s\", label = \"Small\" }, { id = \"l\", label = \"Large\" }]",
        "id = \"key\"\nkind = \"hidden\"\ndefault = \"k\"",
        "label = \"Its name\"",
    ] {
        assert!(form.contains(wanted), "{wanted}: {form}");
    }
}

#[test]
fn a_control_of_json_forms_is_shown_when_its_rule_says_so() {
    let (form, lost) = read_with(
        r##"{ "type": "VerticalLayout", "elements": [
            { "type": "Control", "scope": "#/properties/pet", "label": "A pet?" },
            { "type": "Control", "scope": "#/properties/kinds", "rule": { "effect": "SHOW", "condition": { "scope": "#/properties/pet", "schema": { "const": true } } } },
            { "type": "Control", "scope": "#/properties/about", "options": { "multi": true, "trim": true },
              "rule": { "effect": "DISABLE", "condition": { "scope": "#/properties/pet", "schema": { "const": true } } } } ] }"##,
    );
    assert!(form.contains("label = \"A pet?\"") && form.contains("show_when = \"pet\""), "{form}");
    assert!(form.contains("id = \"about\"\nkind = \"long_text\""), "{form}");
    assert_eq!(lost.len(), 3, "{lost:?}");
    assert!(lost[0].starts_with("the form: `type` of the UI schema") && lost[1].contains("`trim`"), "{lost:?}");
    assert!(lost[2].contains("`rule` of the UI schema: {\"effect\""), "{lost:?}");
}
