use super::*;
use crate::form::problem::{Look, render};

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
