//! Which tools of a form only look something up.

use formwright_values::ToolId;
use rstest::rstest;

use crate::{Syntax, load};

#[rstest]
#[case::looks_up("open", true)]
#[case::knows_a_secret("secret", false)]
#[case::rows_cost_nothing("rows", false)]
#[case::the_clients("client", false)]
#[case::ends_a_page("page", false)]
#[case::ends_the_form("end", false)]
#[case::takes_submissions("sink", false)]
fn only_lookups_are_kept(#[case] tool: &str, #[case] kept: bool) {
    let text = r#"
        id = "f"
        title = "F"
        run = "end"
        submit = ["tool.sink"]
        [[page]]
        id = "p"
        review = true
        submit = "page"
        [[field]]
        id = "a"
        kind = "text"
        [[field]]
        id = "b"
        kind = "text"
        sensitive = true
        [[tool]]
        id = "open"
        kind = "function"
        params = { a = "a" }
        [[tool]]
        id = "secret"
        kind = "function"
        params = { a = "a", b = "b" }
        [[tool]]
        id = "rows"
        rows = [{ id = "x" }]
        [[tool]]
        id = "client"
        kind = "client"
        [[tool]]
        id = "page"
        kind = "function"
        [[tool]]
        id = "end"
        kind = "function"
        [[tool]]
        id = "sink"
        kind = "function"
    "#;
    let loaded = load(text, Syntax::Toml);
    let form = loaded.form.unwrap_or_else(|| panic!("{:#?}", loaded.problems));
    assert_eq!(form.may_keep(&form.tools[&ToolId::new(tool)]), kept);
}
