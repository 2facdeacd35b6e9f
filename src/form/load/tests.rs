mod arrivals;
pub(crate) mod counting;
mod ends;
mod imports;
mod lookups;
mod outputs;

use super::*;
use formwright_form::problem::{Look, render};

#[track_caller]
fn good(name: &str, text: &str) -> Form {
    let loaded = load(text, Syntax::of(name).unwrap());
    assert!(loaded.problems.is_empty(), "{}", render(name, text, &loaded.problems, Look::Drawn));
    loaded.form.unwrap()
}

#[rstest::rstest]
#[case("pizza-order.toml", include_str!("../../../forms/pizza-order.toml"), 7)]
#[case("injury-report.toml", include_str!("../../../forms/injury-report.toml"), 21)]
#[case("leave-request.yaml", include_str!("../../../forms/leave-request.yaml"), 9)]
#[case("expense-claim.toml", include_str!("../../../forms/expense-claim.toml"), 11)]
#[case("event-signup.json", include_str!("../../../forms/event-signup.json"), 11)]
#[case("support-ticket.toml", include_str!("../../../forms/support-ticket.toml"), 14)]
fn a_sample_form_loads_without_a_warning(#[case] name: &str, #[case] text: &str, #[case] fields: usize) {
    let form = good(name, text);
    assert_eq!(form.fields.len(), fields);
    assert_eq!(form.id.as_str(), name.split('.').next().unwrap());
}

#[test]
fn a_hook_of_the_last_phase_is_the_end_of_the_form() {
    let form = |more: &str| {
        let fields = "id = \"order\"\ntitle = \"Order\"\n";
        let tool = "[[tool]]\nid = \"send\"\nkind = \"function\"\n[[hook]]\nphase = \"submit\"\ntool = \"send\"\n";
        let text = format!(
            "{fields}{more}[[field]]\nid = \"what\"\nkind = \"text\"\nlabel = \"What\"\nask = \"What?\"\n{tool}"
        );
        load(&text, Syntax::Toml)
    };
    let loaded = form("");
    assert!(loaded.problems.is_empty(), "{:?}", loaded.problems);
    assert_eq!(loaded.form.and_then(|form| form.run).as_ref().map(ToString::to_string).as_deref(), Some("send"));
    assert_eq!(form("run = \"send\"\n").problems.first().map(|problem| problem.code), Some("form::two_sources"));
}
