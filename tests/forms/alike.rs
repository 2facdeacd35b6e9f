//! One form in two syntaxes is one form: the injury report in Markdown holds every conversation that it holds in TOML.

use formwright::form::load::Syntax;
use formwright::form::problem::{Look, render};

use super::{load_file, root};

fn document() -> String {
    std::fs::read_to_string(root().join("tests/forms/alike/injury-report.md")).unwrap()
}

#[test]
fn the_injury_report_in_markdown_is_the_one_in_toml() {
    let file = root().join("tests/forms/alike/injury-report.md");
    let (text, loaded) = load_file(&file);
    assert!(loaded.problems.is_empty(), "{}", render("injury-report.md", &text, &loaded.problems, Look::Drawn));
    let told = super::converted::told(&loaded.form.unwrap());
    let sample = load_file(&root().join("forms/injury-report.toml")).1.form.unwrap();
    assert_eq!(told, super::converted::told(&sample));
}

#[rstest::rstest]
#[case("injury.md")]
#[case("languages.md")]
#[case("asking-back.md")]
fn it_gives_the_same_conversations(#[case] name: &str) {
    let written = std::fs::read_to_string(root().join("tests/transcripts").join(name)).unwrap();
    assert_eq!(crate::transcripts::play(&written, Some((document(), Syntax::Markdown))), written);
}
