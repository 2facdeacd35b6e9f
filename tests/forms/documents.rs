//! Forms written as documents: FormPilot's load as they are, and what they say in words is told where it decides nothing.

use formwright::form::Condition;
use formwright::form::problem::{Look, render};

use super::{files, load_file, name};

/// Every document loads; what of it is only words is in the snapshot.
#[test]
fn forms_written_for_formpilot_load() {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_snapshot_path("formpilot/snapshots");
    settings.set_omit_expression(true);
    for file in files("tests/forms/formpilot") {
        let (text, loaded) = load_file(&file);
        let drawn = render(&name(&file), &text, &loaded.problems, Look::Line);
        let form = loaded.form.unwrap_or_else(|| panic!("{drawn}"));
        let mut out = format!("{} {:?} {:?}\n{}\n", form.id, form.languages, form.title.by_lang, drawn);
        for field in &form.fields {
            let required = format!("{:?}", field.required);
            let required = required.split(['(', '{', ' ']).next().unwrap_or_default();
            let ask: Vec<_> = field.ask.iter().flat_map(|ask| ask.by_lang.values()).collect();
            let options = field.choices.iter().flat_map(|choices| &choices.options);
            let options: Vec<_> = options.map(|option| format!("{} {:?}", option.id, option.label.by_lang)).collect();
            let from =
                field.choices.as_ref().and_then(|choices| choices.from.as_ref()).map(|from| from.tool.to_string());
            out.push_str(&format!(
                "{} {} page {} {required} {:?} {ask:?}",
                field.id,
                field.kind.name(),
                field.page,
                field.label.by_lang
            ));
            for (what, said) in [
                ("shown", field.show_when.as_ref().map(|expr| expr.source.clone())),
                ("from", from),
                ("options", (!options.is_empty()).then(|| options.join(", "))),
                (
                    "checks",
                    field.checks.first().map(|check| match &check.that {
                        Condition::Expr(expr) => expr.source.clone(),
                        Condition::Tool(tool) => tool.to_string(),
                    }),
                ),
                ("advice", field.guidance.as_ref().map(|text| format!("{:?}", text.by_lang))),
            ] {
                if let Some(said) = said {
                    out.push_str(&format!("\n    {what}: {said}"));
                }
            }
            out.push('\n');
        }
        for tool in form.tools.values() {
            let params: Vec<_> = tool.params.iter().map(|(name, expr)| format!("{name} = {}", expr.source)).collect();
            out.push_str(&format!("tool {} {params:?}\n", tool.id));
        }
        settings.bind(|| insta::assert_snapshot!(name(&file), out));
    }
}

/// The document in the README is a form without a warning.
#[test]
fn the_document_of_the_readme_is_a_form() {
    let readme = std::fs::read_to_string(super::root().join("forms/README.md")).unwrap();
    let (_, rest) = readme.split_once("~~~markdown\n").unwrap();
    let (text, _) = rest.split_once("~~~").unwrap();
    let loaded = formwright::form::load::load(text, formwright::form::load::Syntax::Markdown);
    let told = render("parcel.md", text, &loaded.problems, Look::Line);
    // It is in two languages only where that shows how.
    assert!(
        told.lines().all(|line| line.contains("form::untranslated") || line.contains("form::missing_language")),
        "{told}"
    );
    let form = loaded.form.unwrap();
    assert_eq!(form.fields.len(), 3);
    assert!(form.pages.iter().all(|page| page.review));
}
