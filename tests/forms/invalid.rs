//! Every broken form is explained: a snapshot of what its author reads.

use std::collections::BTreeSet;

use formwright::form::load::{CODES, check_all};
use formwright::form::problem::{Look, has_errors, render};

use proptest::strategy::Strategy as _;

use super::{files, load_file, name};

#[test]
fn every_broken_form_is_explained() {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_snapshot_path("invalid/snapshots");
    settings.set_omit_expression(true);
    for file in files("tests/forms/invalid") {
        let (text, loaded) = load_file(&file);
        let drawn = render(&name(&file), &text, &loaded.problems, Look::Drawn);
        settings.bind(|| insta::assert_snapshot!(name(&file), drawn));
        assert!(!loaded.problems.is_empty(), "{}", name(&file));
        assert_eq!(loaded.form.is_none(), has_errors(&loaded.problems), "{}", name(&file));
        for problem in &loaded.problems {
            assert!(!problem.spans.is_empty(), "{}: {problem:?}", name(&file));
            assert!(problem.help.as_ref().is_some_and(|help| !help.is_empty()), "{}: {problem:?}", name(&file));
        }
    }
}

#[test]
fn every_code_is_documented_and_has_a_broken_form() {
    let documented: BTreeSet<&str> = CODES.iter().map(|(code, _)| *code).collect();
    let mut shown = BTreeSet::from([
        "form::duplicate_form",
        "form::form_cycle",
        "form::not_utf8",
        "form::sub_form_review",
        "form::too_deep",
        "form::too_large",
        "form::too_many",
        "form::unknown_form",
        "form::unreadable",
    ]);
    for file in files("tests/forms/invalid") {
        shown.extend(load_file(&file).1.problems.iter().map(|problem| problem.code));
    }
    assert_eq!(shown, documented);
}

#[test]
fn two_files_with_the_same_form_are_found() {
    let text = "id = \"twin\"\ntitle = \"Twin\"\n[[field]]\nid = \"a\"\nkind = \"text\"\n";
    let load = || formwright::form::load::load(text, formwright::form::load::Syntax::Toml);
    let (mut first, mut second) = (load(), load());
    check_all([("a.toml", &mut first), ("b.toml", &mut second)]);
    assert!(first.form.is_some() && first.problems.is_empty());
    assert!(second.form.is_none());
    insta::assert_snapshot!(render("b.toml", text, &second.problems, Look::Line), @"b.toml:1:6: error[form::duplicate_form]: `a.toml` has a form `twin` too (give one of the two forms another id)
");
}

#[test]
fn too_much_is_refused() {
    use formwright::form::load::{MAX_BYTES, Syntax, load};
    let codes = |text: &str| load(text, Syntax::Toml).problems.iter().map(|problem| problem.code).collect::<Vec<_>>();
    assert_eq!(codes(&" ".repeat(MAX_BYTES + 1)), ["form::too_large"]);
    let head = "id = \"a\"\ntitle = \"A\"\n";
    let many: String = (0..2_001).map(|no| format!("[[field]]\nid = \"f{no}\"\nkind = \"text\"\n")).collect();
    assert_eq!(codes(&format!("{head}{many}")), ["form::too_many"]);
    let options: Vec<String> = (0..2_001).map(|no| format!("\"o{no}\"")).collect();
    let options = format!("[[field]]\nid = \"a\"\nkind = \"choice\"\noptions = [{}]\n", options.join(","));
    assert_eq!(codes(&format!("{head}{options}")), ["form::too_many"]);
}

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config { failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_text_gives_a_result(text in "(\\PC|[\\[\\]{}=\":\\n#-]|id|title|field|kind|text|true|1){0,80}") {
        use formwright::form::load::{Syntax, load};
        for syntax in [Syntax::Toml, Syntax::Yaml, Syntax::Json, Syntax::Markdown] {
            let loaded = load(&text, syntax);
            let _ = render("x", &text, &loaded.problems, Look::Drawn);
        }
    }

    #[test]
    fn any_document_gives_a_result(parts in proptest::collection::vec(part(), 0..14)) {
        use formwright::form::load::{Syntax, load};
        let text = parts.concat();
        let loaded = load(&text, Syntax::Markdown);
        let _ = render("x", &text, &loaded.problems, Look::Drawn);
    }
}

/// A line or two of a document, or of what could be one.
fn part() -> impl proptest::strategy::Strategy<Value = String> {
    let lines = [
        "---\n",
        "# Form\n\n",
        "## Step 2: é\n\n",
        "### Feld 1 (REQUIRED)\n\n",
        "#### Inner\n\n",
        "## Tools\n\n",
        "## Conditional Logic\n\n",
        "## Agent Instructions\n\n",
        "## Questions and answers\n\n",
        "| Property | Value | ar |\n|---|---|---|\n",
        "| Field ID | `a` + `b` |\n",
        "| Field ID | `é c` | x |\n",
        "| Type | list |\n",
        "| Type | dropdown |\n",
        "| Type | date |\n",
        "| Default | ``[\"é\", 1]`` |\n",
        "| Options | Static: `[\"é\"]` |\n",
        "| Visible when | only if `a` is at least 7 days after b |\n",
        "| Check | `value > ` |\n",
        "| Otherwise | é |\n",
        "| Constraints | Max: ؟. Min date: 9 years ago |\n",
        "| Required | Yes, only if é |\n",
        "| Data Source | `get_é` |\n",
        "| # | Field ID | Required | Ask User |\n|---|---|---|---|\n",
        "| 1 | a | maybe | \"é?\" options: [\"x |\n",
        "| Key | English | Arabic |\n|---|---|---|\n",
        "| `x` | é | ع |\n",
        "| Tool | Args |\n|---|---|\n",
        "| `t(a, é)` | a = é |\n",
        "### `t`\n\n",
        "> é\n\n",
        "- item é\n  ```json\n  [{\"a\": \"é\"},\n  ]\n  ```\n",
        "```json\n[é\n```\n",
        "1. Ask: \"é?\"\n",
        "\n",
        "fields:\n  - id: a\n    type: text\n    visible_if: [{field: a, operator: EXISTS}]\n",
        "if é, show `a`\n\n",
        "{{ é }}<br>\n",
    ];
    proptest::prop_oneof![9 => proptest::sample::select(lines.to_vec()).prop_map(str::to_owned), 1 => "\\PC{0,12}"]
}
