//! How much of what was understood is right.
//!
//! A field is right when its value, as compared, equals the expected one or one that is accepted too. *Wrong* is another
//! value, *missed* none, *spurious* a value of a field that nothing was said of. A message is exact when each expected
//! field is right and nothing is spurious. To say again what is filled already is neither right nor wrong.

use std::collections::BTreeMap;

use serde_json::Value as Json;
use unicode_normalization::UnicodeNormalization as _;

use super::case::{Case, Field, Given};

/// What was counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Count {
    messages: u32,
    exact: u32,
    right: u32,
    wrong: u32,
    missed: u32,
    spurious: u32,
    confirmed: u32,
    denied: u32,
}

impl Count {
    fn add(&mut self, other: Self) {
        self.messages += other.messages;
        self.exact += other.exact;
        self.right += other.right;
        self.wrong += other.wrong;
        self.missed += other.missed;
        self.spurious += other.spurious;
        self.confirmed += other.confirmed;
        self.denied += other.denied;
    }

    fn precision(self) -> f64 {
        share(self.right, self.right + self.wrong + self.spurious)
    }

    fn recall(self) -> f64 {
        share(self.right, self.right + self.wrong + self.missed)
    }

    fn f1(self) -> f64 {
        share(2 * self.right, 2 * self.right + 2 * self.wrong + self.spurious + self.missed)
    }
}

/// A share in percent; of nothing all.
fn share(of: u32, all: u32) -> f64 {
    if all == 0 { 100.0 } else { 100.0 * f64::from(of) / f64::from(all) }
}

/// Whether a message was understood as a whole.
pub(super) fn is_exact(case: &Case, given: &Given) -> bool {
    count(case, given).exact == 1
}

/// Exact messages, and wrong and spurious values of those given, in percent.
pub(super) fn shares(pairs: &[(Case, Given)]) -> (f64, f64) {
    let mut all = Count::default();
    pairs.iter().for_each(|(case, given)| all.add(count(case, given)));
    let bad = all.wrong + all.spurious;
    (share(all.exact, all.messages), if bad == 0 { 0.0 } else { share(bad, all.right + bad) })
}

/// The figures of all cases, and by stratum.
pub(super) fn table(name: &str, pairs: &[(Case, Given)]) -> String {
    let mut all = Count::default();
    let mut strata: BTreeMap<&str, Count> = BTreeMap::new();
    for (case, given) in pairs {
        let one = count(case, given);
        all.add(one);
        strata.entry(case.stratum.as_deref().unwrap_or("-")).or_default().add(one);
    }
    let row = |name: &str, count: Count| {
        let figures = [share(count.exact, count.messages), count.precision(), count.recall(), count.f1()];
        let bad = count.wrong + count.spurious;
        std::iter::once(name.to_owned())
            .chain([count.messages.to_string()])
            .chain(figures.map(|figure| format!("{figure:.1}")))
            .chain([count.right, count.wrong, count.missed, count.spurious].map(|figure| figure.to_string()))
            .chain([format!("{:.1}", if bad == 0 { 0.0 } else { share(bad, count.right + bad) })])
            .chain([count.confirmed, count.denied].map(|figure| figure.to_string()))
            .collect::<Vec<_>>()
    };
    let mut rows = vec![row(name, all)];
    rows.extend(strata.into_iter().map(|(name, count)| row(&format!("  {name}"), count)));
    let head = [
        "cases",
        "messages",
        "exact %",
        "P",
        "R",
        "F1",
        "right",
        "wrong",
        "missed",
        "spurious",
        "wrong + spurious %",
        "asked: right",
        "asked: not",
    ];
    super::super::table(&head, &rows)
}

fn count(case: &Case, given: &Given) -> Count {
    let mut count = Count { messages: 1, ..Count::default() };
    for field in &case.form.fields {
        if let Some(asked) = given.asked.get(&field.id).filter(|_| !case.ignore.contains(&field.id)) {
            let right = is_right(case, field, asked);
            count.confirmed += u32::from(right);
            count.denied += u32::from(!right);
        }
        let got = given.values.get(&field.id).filter(|value| !value.is_null() && !case.ignore.contains(&field.id));
        match (case.expect.get(&field.id), got) {
            (None, None) => {}
            (None, Some(got)) => {
                let again = case.filled.get(&field.id).is_some_and(|old| is_same(field, old, got));
                count.spurious += u32::from(!again);
            }
            (Some(_), None) => count.missed += 1,
            (Some(_), Some(got)) => {
                let right = is_right(case, field, got);
                count.right += u32::from(right);
                count.wrong += u32::from(!right);
            }
        }
    }
    count.exact = u32::from(count.wrong + count.missed + count.spurious == 0);
    count
}

/// Whether a value is the expected one of a field, or one that is accepted too.
pub(super) fn is_right(case: &Case, field: &Field, got: &Json) -> bool {
    let all = case.expect.get(&field.id).into_iter().chain(case.accept.get(&field.id).into_iter().flatten());
    all.into_iter().any(|wanted| is_same(field, wanted, got))
}

/// Whether a value is the wanted one, as far as it matters.
pub(super) fn is_same(field: &Field, wanted: &Json, got: &Json) -> bool {
    let (want, have) = (words(wanted), words(got));
    match (field.kind.as_str(), field.subtype.as_deref()) {
        ("date", _) => start(&want, 10) == start(&have, 10),
        ("time", _) => start(&want, 5) == start(&have, 5),
        ("datetime", _) => start(&want, 16) == start(&have, 16),
        ("integer" | "number", _) => is_close(number(wanted), number(got)),
        ("money", _) => is_same_amount(wanted, got),
        ("boolean" | "enum", _) => wanted == got,
        ("phone", _) => is_same_number(&field.label, &want, &have),
        ("email", _) => want.to_lowercase() == have.to_lowercase(),
        ("url", _) => address(&want) == address(&have),
        (_, Some("code")) => code(&want) == code(&have),
        _ => text(&want) == text(&have),
    }
}

fn words(value: &Json) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn start(text: &str, chars: usize) -> &str {
    text.char_indices().nth(chars).map_or(text, |(end, _)| &text[..end])
}

fn number(value: &Json) -> Option<f64> {
    if value.is_boolean() { None } else { words(value).replace(',', "").parse().ok() }
}

fn is_close(a: Option<f64>, b: Option<f64>) -> bool {
    a.zip(b).is_some_and(|(a, b)| (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0))
}

fn is_same_amount(wanted: &Json, got: &Json) -> bool {
    let amount = |value: &Json| number(value.get("amount").unwrap_or(value));
    let currency = |value: &Json| value.get("currency").filter(|code| !code.is_null()).cloned();
    let other = currency(wanted).zip(currency(got)).is_some_and(|(a, b)| a != b);
    !other && is_close(amount(wanted), amount(got))
}

/// Whether digits are the same number: a country's prefix may be missing, but not where all of it is asked for.
fn is_same_number(label: &str, wanted: &str, got: &str) -> bool {
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    let (a, b) = (digits(wanted), digits(got));
    if a == b || wanted.starts_with('+') && label == "phone number" {
        return a == b;
    }
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let bare = short.trim_start_matches('0');
    short.len() >= 7 && long.ends_with(bare) && long.len() - bare.len() <= 4
}

fn address(text: &str) -> String {
    let text = text.trim().to_lowercase();
    let bare = text.split_once("://").filter(|(scheme, _)| scheme.chars().all(|c| c.is_ascii_lowercase()));
    bare.map_or(text.as_str(), |(_, rest)| rest).trim_end_matches('/').to_owned()
}

fn code(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn text(text: &str) -> String {
    let text: String = text.nfkc().flat_map(char::to_lowercase).filter(|c| !matches!(c, '\'' | '’')).collect();
    let spaced: String = text.chars().map(|c| if c.is_alphanumeric() || c == '_' { c } else { ' ' }).collect();
    let mut words: Vec<&str> = spaced.split_whitespace().collect();
    if words.len() > 1 && matches!(words.first(), Some(&("the" | "a" | "an"))) {
        words.remove(0);
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    fn case(field: &Json, expect: &Json) -> Case {
        let case = json!({
            "id": "1", "form": { "fields": [field] }, "message": "", "now": "2026-11-21T10:00:00Z", "expect": expect,
        });
        serde_json::from_value(case).unwrap()
    }

    fn given(values: &Json) -> Given {
        Given { values: serde_json::from_value(values.clone()).unwrap(), ..Given::default() }
    }

    #[rstest]
    #[case::an_article("text", "", json!("The Thee Oh-Sees"), json!("thee oh sees"), true)]
    #[case::another_word("text", "", json!("Oh Sees"), json!("thee oh sees"), false)]
    #[case::a_code("text", "code", json!("k 53 f 81"), json!("K53F81"), true)]
    #[case::to_the_minute("time", "", json!("08:00:20"), json!("08:00"), true)]
    #[case::another_minute("time", "", json!("08:01"), json!("08:00"), false)]
    #[case::a_currency_nobody_said("money", "", json!({"amount": 5, "currency": null}), json!({"amount": "5.00", "currency": "USD"}), true)]
    #[case::another_currency("money", "", json!({"amount": 5, "currency": "EUR"}), json!({"amount": "5.00", "currency": "USD"}), false)]
    #[case::a_prefix_left_out("phone", "", json!("0620702220"), json!("+33620702220"), true)]
    #[case::another_number("phone", "", json!("0620702221"), json!("+33620702220"), false)]
    #[case::a_scheme("url", "", json!("http://example.com/"), json!("example.com"), true)]
    #[case::yes_is_no_word("boolean", "", json!(true), json!("true"), false)]
    fn values_are_compared_as_far_as_it_matters(
        #[case] kind: &str,
        #[case] subtype: &str,
        #[case] wanted: Json,
        #[case] got: Json,
        #[case] right: bool,
    ) {
        let field = json!({ "id": "it", "type": kind, "label": "it", "subtype": subtype });
        let case = case(&field, &json!({ "it": wanted }));
        assert_eq!(is_exact(&case, &given(&json!({ "it": got }))), right);
    }

    #[rstest]
    #[case::found(json!({"n": 4}), json!({}), json!({"n": 4}), (1, 0, 0, 0))]
    #[case::another(json!({"n": 4}), json!({}), json!({"n": 5}), (0, 1, 0, 0))]
    #[case::nothing(json!({"n": 4}), json!({}), json!({}), (0, 0, 1, 0))]
    #[case::too_much(json!({}), json!({}), json!({"n": 4}), (0, 0, 0, 1))]
    #[case::said_again(json!({}), json!({"n": 4}), json!({"n": 4}), (0, 0, 0, 0))]
    #[case::changed_for_nothing(json!({}), json!({"n": 4}), json!({"n": 5}), (0, 0, 0, 1))]
    fn what_is_found_is_right_wrong_missed_or_spurious(
        #[case] expect: Json,
        #[case] filled: Json,
        #[case] got: Json,
        #[case] counts: (u32, u32, u32, u32),
    ) {
        let mut case = case(&json!({ "id": "n", "type": "integer", "label": "n" }), &expect);
        case.filled = serde_json::from_value(filled).unwrap();
        let count = count(&case, &given(&got));
        assert_eq!((count.right, count.wrong, count.missed, count.spurious), counts);
    }
}
