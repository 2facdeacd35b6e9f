//! Expressions over a small form of every shape.

use std::collections::BTreeMap;

use jiff::civil::date;
use rstest::rstest;
use rust_decimal::Decimal;
use serde_json::json;

use super::*;
use crate::form::field::FieldNo;
use crate::form::{FieldId, OptionId};

/// A small form: pizza, size, injury, informed, price, allergies, address{street, zip}, items[{name, amount, total}],
/// tags[plain], total.
pub(super) fn names() -> Names {
    use Shape::{Group, Leaf, List};
    let rows = [
        (None, "pizza", Leaf),
        (None, "size", Leaf),
        (None, "injury", Leaf),
        (None, "informed", Leaf),
        (None, "price", Leaf),
        (None, "allergies", Leaf),
        (None, "address", Group),
        (Some(6), "street", Leaf),
        (Some(6), "zip", Leaf),
        (None, "items", List),
        (Some(9), "name", Leaf),
        (Some(9), "amount", Leaf),
        (Some(9), "total", Leaf),
        (None, "tags", List),
        (Some(13), "item", Leaf),
        (None, "total", Leaf),
        (None, "agreed", Leaf),
    ];
    Names::new(rows.map(|(parent, id, shape)| (parent.map(FieldNo), FieldId::new(id), shape)))
}

#[derive(Default)]
pub(super) struct Given {
    values: BTreeMap<Path, Value>,
    lists: BTreeMap<Path, u32>,
}

impl Given {
    fn with(mut self, path: &str, value: Value) -> Self {
        self.values.insert(path.parse().unwrap(), value);
        self
    }

    fn list(mut self, path: &str, len: u32) -> Self {
        self.lists.insert(path.parse().unwrap(), len);
        self
    }
}

impl Answers for Given {
    fn value(&self, path: &Path) -> Option<&Value> {
        self.values.get(path)
    }

    fn list_len(&self, path: &Path) -> Option<u32> {
        self.lists.get(path).copied()
    }
}

fn given() -> Given {
    let text = |text: &str| Value::Text(text.to_owned());
    let amount = |n: i64, scale| Value::Money { amount: Decimal::new(n, scale), currency: "EUR".to_owned() };
    Given::default()
        .with("pizza", Value::Option(OptionId::new("diavola")))
        .with("injury", Value::Date(date(2026, 11, 1)))
        .with("informed", Value::Date(date(2026, 11, 8)))
        .with("price", amount(1050, 2))
        .with("allergies", Value::Options { picked: vec![OptionId::new("nuts")], other: Some("kiwi".to_owned()) })
        .with("address.street", text("via Roma 12"))
        .with("items[0].name", text("Train"))
        .with("items[0].amount", amount(1, 1))
        .with("items[1].name", text("Taxi"))
        .with("items[1].amount", amount(2, 1))
        .with("tags[0]", text("a"))
        .with("tags[1]", text("b"))
        .list("items", 2)
        .list("tags", 2)
}

fn now() -> jiff::Zoned {
    date(2026, 11, 20).at(15, 0, 0, 0).in_tz("Europe/Rome").unwrap()
}

fn run(source: &str, at: &str, given: &Given) -> Outcome {
    let names = names();
    let scope = Scope::form(&names);
    let scope = match at {
        "" => scope,
        at if at.starts_with("items") => scope.at(FieldNo(12)),
        _ => scope.at(FieldNo(14)),
    };
    let path = if at.is_empty() { Path::default() } else { at.parse().unwrap() };
    let expr = Expr::compile(source, &scope.with(&["value"])).unwrap();
    expr.eval(&path, given, &Extra::value(&Value::Integer(7)), &now())
}

#[rstest]
#[case::choice("pizza == 'diavola'", json!(true))]
#[case::choices("'nuts' in allergies && 'kiwi' in allergies && !('milk' in allergies)", json!(true))]
#[case::group("address.street.startsWith('via')", json!(true))]
#[case::whole_group("address", json!({"street": "via Roma 12"}))]
#[case::days("days(informed, injury) >= 7", json!(true))]
#[case::dates("informed - injury >= duration('168h') && informed < today && informed > injury", json!(true))]
#[case::later("injury + duration('7d')", json!("2026-11-08"))]
#[case::date("date('2026-11-08') == informed", json!(true))]
#[case::now("now > informed && string(now) == '2026-11-20T15:00:00'", json!(true))]
#[case::age("years(today, date('2008-11-21'))", json!(17))]
#[case::exact("sum(items.map(i, i.amount)) == 0.3", json!(true))]
#[case::sum("sum(items.map(i, i.amount))", json!(0.3))]
#[case::mixed("1 + 1.5", json!(2.5))]
#[case::mixed_compare("1 == 1.0 && price > 10 && price * 2 == 21", json!(true))]
#[case::whole("7 / 2", json!(3))]
#[case::double("7 / 2.0", json!(3.5))]
#[case::rounded("round(price / 3, 2)", json!(3.5))]
#[case::currency("currency(price)", json!("EUR"))]
#[case::size("size(items) + size(tags) + tags.size()", json!(6))]
#[case::plain_items("tags.exists(t, t == 'b') && join(tags, '-') == 'a-b'", json!(true))]
#[case::filter("items.filter(i, i.amount > 0.1).map(i, i.name)", json!(["Taxi"]))]
#[case::map_if("items.map(i, i.amount > 0.1, i.name)", json!(["Taxi"]))]
#[case::one("items.exists_one(i, i.name == 'Taxi') && items.all(i, i.amount > 0)", json!(true))]
#[case::index("items[1].name + tags[0]", json!("Taxia"))]
#[case::or_absorbs("pizza == 'diavola' || size == 'large'", json!(true))]
#[case::or_absorbs_left("size == 'large' || pizza == 'diavola'", json!(true))]
#[case::and_absorbs("size == 'large' && pizza == 'margherita'", json!(false))]
#[case::error_absorbs("1 / 0 == 1 || true", json!(true))]
#[case::answered("answered(pizza) && !answered(size) && has(address.street) && !has(address.zip)", json!(true))]
#[case::answered_list("answered(items) && items.all(i, answered(i.amount)) && !items.exists(i, answered(i.total))", json!(true))]
#[case::value("value == 7", json!(true))]
#[case::condition("pizza == 'diavola' ? 'hot' : 'mild'", json!("hot"))]
#[case::methods("'Ab'.lower() + upper('b') + 'x'.upper()", json!("abBX"))]
#[case::pattern("'AB-12'.matches('^[A-Z]{2}-[0-9]+$')", json!(true))]
#[case::extremes("min(3, 1.5) + max([1, 2])", json!(3.5))]
#[case::month("informed.getMonth() + informed.getDate() + informed.getFullYear()", json!(2044))]
#[case::map("{'a': 1}.a + {'b': [2]}.b[0]", json!(3))]
#[case::unicode("'ünï' + 'x' == 'ünïx'", json!(true))]
fn an_expression_gives(#[case] source: &str, #[case] result: serde_json::Value) {
    assert_eq!(run(source, "", &given()), Outcome::Known(result));
}

#[rstest]
#[case("size == 'large'")]
#[case("size == 'large' || pizza == 'margherita'")]
#[case("size == 'large' && pizza == 'diavola'")]
#[case("!agreed")]
#[case("sum(items.map(i, i.total))")]
#[case("items[7].name")]
#[case("items.exists(i, i.total > 1)")]
#[case("address.zip == '1'")]
#[case("agreed ? 1 : 2")]
fn a_missing_answer_makes_it_unknown(#[case] source: &str) {
    assert_eq!(run(source, "", &given()), Outcome::Unknown);
}

#[test]
fn inside_an_item_its_siblings_come_first() {
    assert_eq!(run("name", "items[1].total", &given()), Outcome::Known(json!("Taxi")));
    assert_eq!(run("name", "items[0].total", &given()), Outcome::Known(json!("Train")));
    assert_eq!(run("pizza + name", "items[1].total", &given()), Outcome::Known(json!("diavolaTaxi")));
    assert_eq!(run("sum(items.map(i, i.amount)) + amount", "items[1].total", &given()), Outcome::Known(json!(0.5)));
    assert_eq!(run("total", "items[1].total", &given()), Outcome::Known(json!(7)), "its own name is the value checked");
}
