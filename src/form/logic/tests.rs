//! Expressions over a small form of every shape.

use std::collections::BTreeMap;

use jiff::civil::date;
use rstest::rstest;
use rust_decimal::Decimal;
use serde_json::json;

use formwright_values::{FieldId, OptionId, Path, Value};

use super::*;
use crate::choices::{Choices, OptionDef};
use crate::field_no::FieldNo;
use crate::{AnswerSource, Check, Condition, Field, Fill, Kind, Page, Required, kind};

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
    left_out: Vec<Path>,
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

    fn is_left_out(&self, path: &Path) -> bool {
        self.left_out.contains(path)
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
#[case("agreed ? 1 : 2", Outcome::Unknown, Outcome::Known(json!(2)))]
#[case("!agreed", Outcome::Unknown, Outcome::Known(json!(true)))]
#[case("agreed || pizza == 'diavola'", Outcome::Known(json!(true)), Outcome::Known(json!(true)))]
#[case("agreed && pizza == 'diavola'", Outcome::Unknown, Outcome::Known(json!(false)))]
#[case("agreed", Outcome::Unknown, Outcome::Unknown)]
fn a_condition_left_out_for_good_does_not_hold(
    #[case] source: &str,
    #[case] missing: Outcome,
    #[case] left_out: Outcome,
) {
    assert_eq!(run(source, "", &given()), missing);
    let given = Given { left_out: vec!["agreed".parse().unwrap()], ..given() };
    assert_eq!(run(source, "", &given), left_out);
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

/// Kind, the place in quotes, message and help of each fault.
fn said(source: &str, faults: &[Fault]) -> String {
    let line = |fault: &Fault| {
        let help = fault.help.as_ref().map_or_else(String::new, |help| format!(" ({help})"));
        format!("{:?} at {:?}: {}{help}", fault.kind, source.get(fault.span.clone()).unwrap(), fault.message)
    };
    faults.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn wrong(source: &str) -> String {
    let names = names();
    match Expr::compile(source, &Scope::form(&names)) {
        Ok(_) => "nothing".to_owned(),
        Err(faults) => said(source, &faults),
    }
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let sources = [
        "piza == 'x'",
        "address.stret == ''",
        "items.map(i, i.amout)",
        "amount > 1",
        "street == ''",
        "items.amount > 1",
        "tags.exists(t, x == 1)",
        "wens(pizza)",
        "today()",
        "size(pizza, 1)",
        "pizza = 'x'",
        "pizza == 'x' and size == 1",
        "not agreed",
        "pizza == 'x",
        "pizza ==",
        "",
        "   ",
        "é == 1",
        "'ü' + piza",
        "price > 10 €",
        "for == 1",
        "1 == 99999999999999999999",
        "1e300 > 1",
        "b'x' == b'y'",
        "Foo{a: 1}",
        "pizza.matches('(')",
        "pizza.matches(size)",
        "currency(1)",
        "items.map(1, 2)",
        "a.b.c + d",
        "'\\ud800' == ''",
        "pizza <> 'x'",
    ];
    let report: Vec<String> = sources.iter().map(|source| format!("{source}\n    {}", wrong(source))).collect();
    insta::assert_snapshot!(report.join("\n"));
}

#[test]
fn only_what_is_named_is_read() {
    let names = names();
    let reads = |source: &str| {
        let expr = Expr::compile(source, &Scope::form(&names)).unwrap();
        expr.reads.iter().map(|no| no.0).collect::<Vec<_>>()
    };
    assert_eq!(reads("pizza == 'x' && size == pizza"), [0, 1]);
    assert_eq!(reads("sum(items.map(i, i.amount))"), [9, 11]);
    assert_eq!(reads("items.filter(i, i.amount > 1).map(j, j.name)"), [9, 10, 11]);
    assert_eq!(reads("size(items) + size(items.filter(i, i.amount > 1))"), [9, 11]);
    assert_eq!(reads("items == []"), [9, 10, 11, 12]);
    assert_eq!(reads("items.map(i, i)"), [9, 10, 11, 12]);
    assert_eq!(reads("items[0].name"), [9, 10]);
    assert_eq!(reads("address.zip"), [8]);
    assert_eq!(reads("answered(address)"), [6, 7, 8]);
    assert_eq!(reads("answered(items)"), [9]);
    assert_eq!(reads("tags.exists(t, t == 'a')"), [13, 14]);
}

#[rstest]
#[case::doubled(format!("['xxxxxxxxxxxxxxxx']{}", ".map(s, s + s)".repeat(200)))]
#[case::tree(format!("[1]{}", ".map(a, [a, a])".repeat(200)))]
#[case::tree_compared(format!("[1]{0} == [1]{0}", ".map(a, [a, a])".repeat(100)))]
#[case::loops({
    let list = format!("[{}]", vec!["1"; 200].join(","));
    format!("{list}.all(a, {list}.all(b, {list}.all(c, {list}.all(d, a + b + c + d > 0))))")
})]
#[case::absorbed({
    let list = format!("[{}]", vec!["1"; 200].join(","));
    format!("{list}.exists(a, {list}.exists(b, {list}.exists(c, {list}.exists(d, a / 0 == 1 || false))))")
})]
#[case::powers(vec!["9223372036854775807.0"; 60].join(" * "))]
#[case::joined(format!("'x'{}", ".upper()".repeat(60)))]
#[case::regex("'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!'.matches('^(a+)+$')".to_owned())]
fn a_bomb_ends_small_and_soon(#[case] source: String) {
    let names = names();
    let began = std::time::Instant::now();
    if let Ok(expr) = Expr::compile(&source, &Scope::form(&names)) {
        let _ = expr.eval(&Path::default(), &given(), &Extra::none(), &now());
    }
    // Without a limit it takes hours; with one, far below a second on an idle machine.
    assert!(began.elapsed().as_secs() < 10, "{:?}", began.elapsed());
}

#[rstest]
#[case::sum(vec!["1"; 2000].join("+"))]
#[case::dots(format!("pizza{}", ".a".repeat(2000)))]
#[case::not(format!("{}agreed", "! ".repeat(2000)))]
#[case::minus(format!("{}1", "- ".repeat(2000)))]
#[case::brackets(format!("{}1{}", "(".repeat(2000), ")".repeat(2000)))]
#[case::brackets_open("[".repeat(4000))]
#[case::conditions(format!("{}1", "agreed?1:".repeat(400)))]
#[case::calls(format!("pizza{}", ".lower()".repeat(450)))]
#[case::index(format!("items{}", "[0]".repeat(1300)))]
#[case::compared(vec!["1"; 1300].join("<"))]
#[case::or(vec!["agreed"; 450].join("||"))]
#[case::braces("{1:".repeat(30))]
#[case::long("x".repeat(5_000_000))]
fn deep_sources_do_not_exhaust_a_small_stack(#[case] source: String) {
    let work = move || {
        let names = names();
        let expr = Expr::compile(&source, &Scope::form(&names));
        let _ = expr.map(|expr| expr.eval(&Path::default(), &given(), &Extra::none(), &now()));
    };
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(work).unwrap();
    assert!(thread.join().is_ok());
}

fn tokens() -> impl proptest::strategy::Strategy<Value = String> {
    let tokens = [
        "pizza",
        "size",
        "items",
        "i",
        "i.amount",
        "address",
        ".street",
        "tags",
        "today",
        "now",
        "1",
        "0",
        "2.5",
        "'x'",
        "\"y\"",
        "true",
        "null",
        "+",
        "-",
        "*",
        "/",
        "%",
        "==",
        "!=",
        "<",
        ">=",
        "in",
        "&&",
        "||",
        "!",
        "?",
        ":",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ",",
        ".",
        ".map(",
        ".all(",
        "has(",
        "size(",
        "sum(",
        "days(",
        "duration('1h')",
        "b'1'",
        "r'\\'",
        "1u",
        "`a`",
        "\u{e9}",
        "\u{1f355}",
        "\n",
        "//",
        "=",
        "'",
        "@",
        "\\",
        "T{",
        "9223372036854775807",
        "0x",
        "1e9",
    ];
    let one = proptest::sample::select(tokens.to_vec());
    proptest::strategy::Strategy::prop_map(proptest::collection::vec(one, 0..30), |parts| parts.join(" "))
}

proptest::proptest! {
    #[test]
    fn any_source_compiles_or_is_refused(source in "\\PC{0,60}") {
        try_all(&source);
    }

    #[test]
    fn any_tokens_compile_or_are_refused(source in tokens()) {
        try_all(&source);
    }

    /// What the crate's own interpreter makes of an expression without answers is what we make of it.
    #[test]
    fn plain_expressions_give_what_the_crate_gives(source in plain()) {
        let theirs = cel::Program::compile(&source).ok().and_then(|program| program.execute(&cel::Context::default()).ok());
        let ours = Expr::compile(&source, &Scope::form(&Names::default())).map(|expr| {
            expr.eval(&Path::default(), &Given::default(), &Extra::none(), &now())
        });
        let expected = match theirs {
            Some(cel::Value::Int(n)) => Some(json!(n)),
            Some(cel::Value::Bool(b)) => Some(json!(b)),
            Some(cel::Value::String(s)) => Some(json!(s.as_str())),
            _ => None,
        };
        if let Some(expected) = expected {
            proptest::prop_assert_eq!(ours.unwrap(), Outcome::Known(expected));
        }
    }
}

fn try_all(source: &str) {
    let names = names();
    for scope in [Scope::form(&names), Scope::form(&names).at(FieldNo(12)).with(&["value", "row"])] {
        match Expr::compile(source, &scope) {
            Ok(expr) => {
                for at in ["items[0].total", "pizza"] {
                    let _ = expr.eval(&at.parse().unwrap(), &given(), &Extra::none(), &now());
                }
            }
            Err(faults) => {
                assert!(!faults.is_empty());
                for fault in faults {
                    assert!(source.get(fault.span.clone()).is_some(), "{source:?} {fault:?}");
                }
            }
        }
    }
}

/// Expressions over whole numbers, texts and truths, where the standard has one answer.
fn plain() -> impl proptest::strategy::Strategy<Value = String> {
    use proptest::prelude::*;
    let number = prop_oneof![(-20..20_i64).prop_map(|n| format!("({n})")), Just("size('abc')".to_owned())]
        .prop_recursive(4, 24, 3, |n| {
            prop_oneof![
                (n.clone(), proptest::sample::select(vec!["+", "-", "*", "/", "%"]), n.clone())
                    .prop_map(|(a, sign, b)| format!("({a} {sign} {b})")),
                n.clone().prop_map(|a| format!("(-{a})")),
                (n.clone(), n.clone()).prop_map(|(a, b)| format!("[{a}, {b}].map(x, x + 1)[0]")),
                n.prop_map(|a| format!("size([{a}].filter(x, x > 0))")),
            ]
        });
    let truth = (number.clone(), proptest::sample::select(vec!["==", "!=", "<", "<=", ">", ">="]), number.clone())
        .prop_map(|(a, sign, b)| format!("({a} {sign} {b})"));
    let truth = truth.prop_recursive(4, 24, 3, |t| {
        prop_oneof![
            (t.clone(), proptest::sample::select(vec!["&&", "||", "=="]), t.clone())
                .prop_map(|(a, sign, b)| format!("({a} {sign} {b})")),
            t.clone().prop_map(|a| format!("(!{a})")),
            t.clone().prop_map(|a| format!("[true, {a}].all(x, x)")),
            t.prop_map(|a| format!("[{a}, false].exists(x, x)")),
        ]
    });
    prop_oneof![
        number.clone(),
        truth.clone(),
        (truth, number.clone(), number).prop_map(|(c, a, b)| format!("{c} ? {a} : {b}")),
        Just("'ab' + 'c' + \"d\"".to_owned()),
        Just("'abc'.startsWith('ab') && 'abc'.endsWith('bc') && 'abc'.contains('b')".to_owned()),
    ]
}

/// A field with nothing set.
fn field(no: u16, parent: Option<u16>, id: &str, kind: Kind) -> Field {
    Field {
        no: FieldNo(no),
        parent: parent.map(FieldNo),
        id: FieldId::new(id),
        kind,
        label: id.into(),
        ask: Vec::new(),
        help: None,
        why: None,
        examples: Vec::new(),
        cues: Vec::new(),
        required: Required::Yes,
        show_when: None,
        reset_with: Vec::new(),
        checks: Vec::new(),
        fill: Fill::Any,
        from_link: false,
        source: AnswerSource::Person,
        sensitive: false,
        guidance: None,
        judge: None,
        verify: None,
        choices: None,
        form: None,
        page: 0,
    }
}

/// Fields a to f of integers; group g with x and y; computed c.
fn numbers() -> Vec<Field> {
    let integer = || Kind::Integer(kind::integer::Integer::default());
    let mut fields: Vec<Field> =
        (0..).zip(["a", "b", "c", "d"]).map(|(no, id)| field(no, None, id, integer())).collect();
    fields.push(field(4, None, "g", Kind::Group(kind::group::Group::default())));
    fields.push(field(5, Some(4), "x", integer()));
    fields.push(field(6, Some(4), "y", integer()));
    fields
}

enum Set {
    Show(u16, &'static str),
    Computed(u16, &'static str),
    Check(u16, &'static str),
    Required(u16, &'static str),
}

fn set(fields: &mut [Field], sets: &[Set]) {
    let names = Names::of(fields);
    let compile = |no: u16, source: &str| Expr::compile(source, &Scope::form(&names).at(FieldNo(no))).unwrap();
    for one in sets {
        match *one {
            Set::Show(no, source) => fields[usize::from(no)].show_when = Some(compile(no, source)),
            Set::Computed(no, source) => fields[usize::from(no)].source = AnswerSource::Computed(compile(no, source)),
            Set::Required(no, source) => fields[usize::from(no)].required = Required::When(compile(no, source)),
            Set::Check(no, source) => {
                let that = Condition::Expr(compile(no, source));
                fields[usize::from(no)].checks.push(Check { that, or_else: "no".into() });
            }
        }
    }
}

#[rstest]
#[case::none(&[Set::Show(1, "a > 0"), Set::Show(2, "b > 0")], "")]
#[case::two(&[Set::Show(0, "b > 0"), Set::Show(1, "a > 0")], "a b")]
#[case::three(&[Set::Show(0, "c > 0"), Set::Computed(2, "b"), Set::Show(1, "a > 0")], "a c b")]
#[case::itself(&[Set::Show(0, "a > 0")], "a")]
#[case::checks(&[Set::Check(0, "a > b"), Set::Check(1, "b > a"), Set::Required(2, "d > 0"), Set::Required(3, "c > 0")], "")]
#[case::group(&[Set::Show(4, "g.x > 0")], "g x")]
#[case::siblings(&[Set::Show(5, "y > 0")], "")]
fn cycles_are_found(#[case] sets: &[Set], #[case] cycles: &str) {
    let mut fields = numbers();
    set(&mut fields, sets);
    let (_, found) = Graph::build(&fields, &[], &BTreeMap::new());
    let id = |no: &FieldNo| fields[no.index()].id.to_string();
    let found: Vec<String> = found.iter().map(|cycle| cycle.0.iter().map(id).collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(found.join(", "), cycles);
}

#[test]
fn dependents_come_after_what_they_read() {
    let mut fields = numbers();
    set(
        &mut fields,
        &[Set::Computed(3, "a + 1"), Set::Computed(1, "d + a"), Set::Show(2, "b > 0"), Set::Check(5, "y > c")],
    );
    let names = Names::of(&fields);
    let show_when = Some(Expr::compile("d > 0", &Scope::form(&names)).unwrap());
    let page = Page { id: String::new(), title: None, review: false, submit: None, show_when };
    let (graph, _) = Graph::build(&fields, &[page], &BTreeMap::new());
    let dependents = |no: usize| graph.dependents[no].iter().map(|no| no.0).collect::<Vec<_>>();
    assert_eq!(dependents(0), [3, 1, 2]);
    assert_eq!(dependents(3), [1, 2]);
    assert_eq!(dependents(2), [5], "a shown field does not pass its own changes on");
    assert_eq!(dependents(5), [] as [u16; 0]);
    assert_eq!((graph.pages[0].as_slice(), graph.pages[2].as_slice()), (&[0_u16][..], &[][..]));
}

/// A form of kinds: age, born, agreed, pizza (choice), items with amount, total.
fn kinds() -> Vec<Field> {
    let mut fields = vec![
        field(0, None, "age", Kind::Integer(kind::integer::Integer::default())),
        field(1, None, "born", Kind::Date(kind::date::Date::default())),
        field(2, None, "agreed", Kind::YesNo(kind::yes_no::YesNo::default())),
        field(3, None, "pizza", Kind::Choice(kind::choice::Choice::default())),
        field(4, None, "items", Kind::List(kind::list::List::default())),
        field(5, Some(4), "amount", Kind::Number(kind::number::Number::default())),
        field(6, None, "total", Kind::Number(kind::number::Number::default())),
        field(7, None, "note", Kind::Text(kind::text::Text::default())),
    ];
    let option = |id: &str, label: &str| OptionDef {
        id: OptionId::new(id),
        label: label.into(),
        synonyms: Vec::new(),
        detail: None,
    };
    let options = vec![option("margherita", "Margherita"), option("diavola", "Spicy One")];
    fields[3].choices = Some(Choices { options, from: None, other: false });
    fields
}

#[rstest]
#[case::fine("age >= 18 && born < today && (agreed || pizza == 'diavola')", 0, "")]
#[case::fine_sum("sum(items.map(i, i.amount)) > 10", 0, "")]
#[case::fine_zero("10 / age > 1", 0, "")]
#[case::text_with_number("note > 3", 0, "Type at \">\": `>` does not go with a text and a whole number")]
#[case::never_equal("age == '18'", 0, "Type at \"==\": `==` does not go with a whole number and a text")]
#[case::right_side("agreed || note > 3", 0, "Type at \">\": `>` does not go with a text and a whole number")]
#[case::date_with_text("born < '2020-01-01'", 0, "Type at \"<\": `<` does not go with a date and a text")]
#[case::no_condition(
    "age + 1",
    0,
    "Result at \"age + 1\": the result must be true or false, and this is a whole number"
)]
#[case::truth("!age", 0, "Type at \"age\": yes or no is needed here, not a whole number")]
#[case::option(
    "pizza == 'diavol'",
    0,
    "UnknownName at \"'diavol'\": `pizza` has no option `diavol` (did you mean `diavola`?)"
)]
#[case::option_label(
    "'Spicy One' == pizza",
    0,
    "UnknownName at \"'Spicy One'\": `pizza` has no option `Spicy One` (did you mean `diavola`?)"
)]
#[case::option_list(
    "pizza in ['margherita', 'x']",
    0,
    "UnknownName at \"'x'\": `pizza` has no option `x` (its options are `margherita`, `diavola`)"
)]
#[case::option_own(
    "value != 'x'",
    3,
    "UnknownName at \"'x'\": `pizza` has no option `x` (its options are `margherita`, `diavola`)"
)]
#[case::own_value(
    "age.startsWith('1')",
    0,
    "Type at \"startsWith\": `startsWith` does not go with a whole number and a text"
)]
#[case::functions("days(age, born) > 1", 1, "Type at \"days\": `days` does not go with a whole number")]
#[case::item(
    "items.all(i, i.amount.startsWith('x'))",
    0,
    "Type at \"startsWith\": `startsWith` does not go with a number and a text"
)]
fn types_are_checked_on_samples(#[case] source: &str, #[case] at: u16, #[case] expected: &str) {
    let fields = kinds();
    let names = Names::of(&fields);
    let expr = Expr::compile(source, &Scope::form(&names).at(FieldNo(at)).with(&["value"])).unwrap();
    let faults = Samples::new(&fields).check(&expr, Some(FieldNo(at)), Want::Condition);
    assert_eq!(said(source, &faults), expected);
}

#[rstest]
#[case::sum("sum(items.map(i, i.amount))", "")]
#[case::text("note", "Result at \"note\": a text cannot be the value of a number field")]
fn a_computed_value_fits_its_field(#[case] source: &str, #[case] expected: &str) {
    let fields = kinds();
    let names = Names::of(&fields);
    let expr = Expr::compile(source, &Scope::form(&names).at(FieldNo(6))).unwrap();
    let want = Want::ValueOf(&fields[6], &fields[6].kind);
    assert_eq!(said(source, &Samples::new(&fields).check(&expr, Some(FieldNo(6)), want)), expected);
}
