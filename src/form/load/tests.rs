use super::*;
use crate::form::problem::{Look, render};

#[track_caller]
fn good(name: &str, text: &str) -> Form {
    let loaded = load(text, Syntax::of(name).unwrap());
    assert!(loaded.problems.is_empty(), "{}", render(name, text, &loaded.problems, Look::Drawn));
    loaded.form.unwrap()
}

#[test]
fn the_pizza_order_loads() {
    let form = good("pizza-order.toml", include_str!("../../../forms/pizza-order.toml"));
    assert_eq!(form.languages, ["en", "it"]);
    let ids: Vec<&str> = form.fields.iter().map(|field| field.id.as_str()).collect();
    assert_eq!(ids, ["pizza", "count", "address", "phone", "delivery_time", "chili", "notes"]);
}
