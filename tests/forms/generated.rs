//! Files made from the code are up to date.

use formwright::form::load;

use super::root;

/// Compares a file with what it should hold; writes it where `UPDATE` is set.
#[track_caller]
fn check(file: &str, wanted: &str) {
    let path = root().join(file);
    let present = std::fs::read_to_string(&path).unwrap_or_default();
    if present == wanted {
        return;
    }
    assert!(
        std::env::var_os("UPDATE").is_some(),
        "{file} is out of date; run `UPDATE=1 cargo test --test main generated`"
    );
    std::fs::write(path, wanted).unwrap();
}

#[test]
fn the_schema_in_the_folder_is_the_one_in_the_code() {
    let schema = serde_json::to_string_pretty(&load::json_schema()).unwrap();
    check("forms/schema.json", &format!("{schema}\n"));
}

#[test]
fn the_reference_in_the_readme_is_the_one_in_the_code() {
    const BEGIN: &str = "<!-- reference: begin (generated) -->\n";
    const END: &str = "<!-- reference: end -->\n";
    let readme = std::fs::read_to_string(root().join("forms/README.md")).unwrap();
    let (before, rest) = readme.split_once(BEGIN).unwrap();
    let (_, after) = rest.split_once(END).unwrap();
    check("forms/README.md", &format!("{before}{BEGIN}\n{}\n{END}{after}", load::reference()));
}
