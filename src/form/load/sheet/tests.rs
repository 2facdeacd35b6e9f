use rstest::rstest;

use super::*;
use formwright_form::Kind;

fn sent(id: &str, kind: chat::SheetKind, options: &[(&str, &str)]) -> chat::SheetField {
    let option = |(key, label): &(&str, &str)| chat::SheetOption {
        key: (*key).to_owned(),
        label: (*label).to_owned(),
        synonyms: Vec::new(),
    };
    chat::SheetField {
        id: id.to_owned(),
        label: String::new(),
        kind,
        required: true,
        secret: false,
        options: options.iter().map(option).collect(),
        help: None,
        min: None,
        max: None,
        max_chars: None,
        value: Json::Null,
    }
}

fn sheet(fields: Vec<chat::SheetField>) -> chat::Sheet {
    chat::Sheet { fields, ..chat::Sheet::default() }
}

#[rstest]
#[case::as_it_is("owner_name", "owner_name")]
#[case::words("Owner Name", "f_owner_name_")]
#[case::dashes("parcel-number", "f_parcel_number_")]
#[case::a_number("17", "f_17_")]
#[case::reserved("in", "f_in_")]
#[case::arabic("الاسم", "f_")]
#[case::injected("a'] + x", "f_a_x_")]
fn a_client_may_call_its_fields_as_it_likes(#[case] id: &str, #[case] name: &str) {
    let given = name_of(id);
    assert!(given.as_str().starts_with(name), "{given}");
    assert_eq!(given, name_of(id));
    let form = form_of(&sheet(vec![sent(id, chat::SheetKind::Line, &[])])).unwrap();
    assert_eq!(form.fields[0].id, given);
}

#[test]
fn names_that_look_alike_are_not_the_same() {
    let ids = ["a b", "a-b", "a.b", "A B", "f_a_b", "ä"];
    let names: BTreeSet<String> = ids.iter().map(|id| name_of(id).to_string()).collect();
    assert_eq!(names.len(), ids.len());
    let fields = ids.iter().map(|id| sent(id, chat::SheetKind::Line, &[])).collect();
    assert_eq!(form_of(&sheet(fields)).unwrap().fields.len(), ids.len());
}

#[test]
fn keys_are_stored_as_they_are_and_doubles_are_told_apart() {
    let options = [("", "Choose…"), ("0: x", "Red"), ("B", ""), ("0: x", "Red again"), ("c", "red")];
    let form = form_of(&sheet(vec![sent("colour", chat::SheetKind::One, &options)])).unwrap();
    let choices = form.fields[0].choices.as_ref().unwrap();
    let shown: Vec<(&str, &str)> =
        choices.options.iter().map(|option| (option.id.as_str(), option.label.pick(&[]))).collect();
    assert_eq!(shown, [("0: x", "Red"), ("B", "B"), ("c", "red (c)")]);
}

#[rstest]
#[case("{{ 7 * 7 }}", "{ { 7 * 7 }}")]
#[case("{% for %}", "{ % for %}")]
#[case("{{{#}", "{ { { #}")]
#[case("a {plain} one", "a {plain} one")]
fn braces_are_only_braces(#[case] label: &str, #[case] shown: &str) {
    let mut field = sent("a", chat::SheetKind::Line, &[]);
    (field.label, field.help) = (label.to_owned(), Some(label.to_owned()));
    let form = form_of(&sheet(vec![field])).unwrap();
    assert_eq!(form.fields[0].label.pick(&[]), label, "a label is said as it is");
    assert_eq!(form.fields[0].help.as_ref().unwrap().pick(&[]), shown);
}

#[test]
fn every_kind_of_field_is_there_and_wrong_bounds_are_left_out() {
    use chat::SheetKind::{Date, Email, Integer, Line, Long, Number, One, Phone, Several, Tick, Url};
    let kinds = [Line, Long, One, Several, Tick, Integer, Number, Date, Email, Phone, Url];
    let fields = kinds.iter().enumerate().map(|(no, kind)| {
        let (min, max) = if no % 2 == 0 { ("9", "1") } else { ("2026-01-01", "2026-12-31") };
        let options: &[(&str, &str)] = if *kind == One { &[] } else { &[("a", "A"), ("b", "B")] };
        chat::SheetField {
            min: Some(min.to_owned()),
            max: Some(max.to_owned()),
            max_chars: Some(0),
            ..sent(&format!("field_{no}"), *kind, options)
        }
    });
    let form = form_of(&sheet(fields.collect())).unwrap();
    assert_eq!(form.fields.len(), kinds.len());
    assert!(matches!(form.fields[2].kind, Kind::Text(_)), "nothing to choose from: words");
    assert!(form.stays && !form.listed && form.submit.is_empty() && form.sinks.is_empty());
    assert_eq!(form.languages[0], "en");
}

#[test]
fn the_same_fields_are_the_same_form_whatever_they_hold() {
    let mut one = sheet(vec![sent("a", chat::SheetKind::Line, &[])]);
    let id = id_of(&one);
    one.fields[0].value = json!("Ada");
    one.filled.push(chat::Given { id: "a".to_owned(), value: json!("Bob"), told: false });
    assert_eq!(id_of(&one), id);
    assert_eq!(form_of(&one).unwrap().id, id);
    assert_eq!(id_of(&one.blank()), id);
    one.fields[0].required = false;
    assert_ne!(id_of(&one), id);
}

#[test]
fn a_form_of_hundreds_of_fields_is_taken_and_one_of_none_is_not() {
    let many = (0..316).map(|no| sent(&format!("Field {no}"), chat::SheetKind::One, &[("1", "One"), ("2", "Two")]));
    assert_eq!(form_of(&sheet(many.collect())).unwrap().fields.len(), 316);
    assert!(form_of(&sheet(Vec::new())).unwrap_err().contains("no form can be made"));
}
