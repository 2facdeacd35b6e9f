//! Small files that came out wrong once, each with what is right about it.

use crate::{Builder, Source, Syntax, Target, convert, load, workbook};

#[rstest::rstest]
#[case("js_allof.json", include_bytes!("imports/js_allof.json"))]
#[case("js_cond.json", include_bytes!("imports/js_cond.json"))]
#[case("js_dep.json", include_bytes!("imports/js_dep.json"))]
#[case("js_fmt.json", include_bytes!("imports/js_fmt.json"))]
#[case("js_items.json", include_bytes!("imports/js_items.json"))]
#[case("js_ref.json", include_bytes!("imports/js_ref.json"))]
#[case("x_calcnone.xlsx", include_bytes!("imports/x_calcnone.xlsx"))]
#[case("x_calcref.xlsx", include_bytes!("imports/x_calcref.xlsx"))]
#[case("x_lang2.xlsx", include_bytes!("imports/x_lang2.xlsx"))]
#[case("x_mixed.xlsx", include_bytes!("imports/x_mixed.xlsx"))]
#[case("x_nested.xlsx", include_bytes!("imports/x_nested.xlsx"))]
#[case("x_optref.xlsx", include_bytes!("imports/x_optref.xlsx"))]
#[case("x_selectall.xlsx", include_bytes!("imports/x_selectall.xlsx"))]
#[case("x_slow500.xlsx", include_bytes!("imports/x_slow500.xlsx"))]
#[case("x_yesno.xlsx", include_bytes!("imports/x_yesno.xlsx"))]
fn a_file_is_the_form_that_it_means(#[case] name: &str, #[case] bytes: &[u8]) {
    let (text, from) = if bytes.starts_with(b"PK") {
        (workbook(bytes).unwrap(), Source::XlsForm)
    } else {
        (std::str::from_utf8(bytes).unwrap().to_owned(), Source::JsonSchema)
    };
    // Of many rows alike the first are enough.
    told(name, &text, from, 40);
}

/// Holds a form of a file, and what is told as lost, against what is right: so many lines of each.
fn told(name: &str, text: &str, from: Source, most: usize) {
    let written = convert(text, from, Target::Form(Syntax::Toml), "form").unwrap_or_else(|p| panic!("{p:?}"));
    let form = String::from_utf8(written.bytes).unwrap();
    assert!(load(&form, Syntax::Toml).form.is_some(), "{form}");
    let lost: Vec<String> = written.lost.iter().map(|lost| format!("# {lost} ({})\n", lost.at.join(", "))).collect();
    let few = |text: &str| text.lines().take(most).map(|line| format!("{line}\n")).collect::<String>();
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_snapshot_path("imports");
    settings.set_omit_expression(true);
    let told = format!("{}\n# lost: {}\n{}", few(&form), lost.len(), few(&lost.concat()));
    settings.bind(|| insta::assert_snapshot!(name, told));
}

/// Documents of form builders with every kind of element.
#[rstest::rstest]
#[case("b_surveyjs.json", Builder::SurveyJs, include_str!("imports/b_surveyjs.json"))]
#[case("b_typeform.json", Builder::Typeform, include_str!("imports/b_typeform.json"))]
#[case("b_google.json", Builder::GoogleForms, include_str!("imports/b_google.json"))]
fn a_document_of_a_form_builder_is_the_form_that_it_means(
    #[case] name: &str,
    #[case] builder: Builder,
    #[case] text: &str,
) {
    assert_eq!(Builder::of(&serde_json::from_str(text).unwrap()), Some(builder));
    told(name, text, Source::Built(builder), usize::MAX);
}
