//! Conditions in words, turned into code where they are one of a few phrases. What is not sure is none.

use crate::node::{Data, Node};

use formwright_form::logic;

use crate::markdown::cells::truth_of;
use crate::markdown::words::plain;

/// A field that conditions may speak of.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    /// Its name in expressions.
    pub(crate) id: String,
    /// What people call it.
    pub(crate) label: String,
    /// Its kind.
    pub(crate) kind: String,
    /// Names and labels of its options.
    pub(crate) options: Vec<(String, String)>,
}

/// Words before a condition that say no more than that it is one.
const LEADS: &[&str] = &[
    "yes,",
    "yes",
    "conditional",
    "asked",
    "shown",
    "visible",
    "required",
    "only",
    "if",
    "when",
    "while",
    "where",
    "the",
    "feature flag",
    "an",
    "a",
    "—",
    "–",
    "-",
    ":",
    ",",
    "(",
];

/// Comparisons as they are said, the longer first.
const COMPARED: &[(&str, &str)] = &[
    ("is not equal to", "!="),
    ("does not equal", "!="),
    ("is on or after", ">="),
    ("is on or before", "<="),
    ("is at least", ">="),
    ("is at most", "<="),
    ("is not before", ">="),
    ("is not after", "<="),
    ("is equal to", "=="),
    ("is more than", ">"),
    ("is less than", "<"),
    ("on or after", ">="),
    ("on or before", "<="),
    ("is not", "!="),
    ("is after", ">"),
    ("is before", "<"),
    ("is above", ">"),
    ("is below", "<"),
    ("at least", ">="),
    ("at most", "<="),
    ("more than", ">"),
    ("less than", "<"),
    ("equals", "=="),
    ("after", ">"),
    ("before", "<"),
    ("above", ">"),
    ("below", "<"),
    ("is", "=="),
    (">=", ">="),
    ("<=", "<="),
    ("==", "=="),
    ("!=", "!="),
    ("≥", ">="),
    ("≤", "<="),
    (">", ">"),
    ("<", "<"),
    ("=", "=="),
];

/// Words after a field that say it is answered.
const ANSWERED: &[&str] = &[
    "exists",
    "is set",
    "is given",
    "is answered",
    "is selected",
    "is chosen",
    "is filled",
    "is filled in",
    "set",
    "given",
    "answered",
    "selected",
    "chosen",
    "has an answer",
    "is not empty",
];

/// Words after a field that say it is not answered.
const MISSING: &[&str] = &["does not exist", "is not set", "is not given", "is not answered", "is empty", "is missing"];

/// The expression that words mean: `delivery is yes and end_date is after start_date`.
pub(crate) fn condition(words: &str, fields: &[Known]) -> Option<String> {
    let words = words.trim().trim_end_matches('.').trim();
    let clauses: Option<Vec<String>> = clauses(words).map(|clause| one(clause, fields)).collect();
    clauses.filter(|clauses| !clauses.is_empty()).map(|clauses| clauses.join(" && "))
}

fn clauses(words: &str) -> impl Iterator<Item = &str> {
    let parts = words.split(" and ").flat_map(|part| part.split(" && ")).flat_map(|part| part.split(" AND "));
    parts.map(|part| part.trim_end_matches(','))
}

/// One comparison.
fn one(words: &str, fields: &[Known]) -> Option<String> {
    let mut words = words.trim().trim_end_matches(')').trim();
    if let Some((field, rest)) = mention(words, fields)
        && let Some(code) = said_of(field, rest, fields)
    {
        return Some(code);
    }
    while let Some(rest) = LEADS.iter().find_map(|lead| without(words, lead)) {
        words = rest;
        if let Some(code) = mention(words, fields).and_then(|(field, rest)| said_of(field, rest, fields)) {
            return Some(code);
        }
    }
    // "After the type is selected" waits for an answer; "after" and a field alone compares.
    let mut words = without(words, "after")?;
    while let Some(rest) = ["the", "a", "an"].iter().find_map(|article| without(words, article)) {
        words = rest;
    }
    let (field, rest) = mention(words, fields)?;
    ANSWERED.contains(&rest.trim().to_lowercase().as_str()).then(|| format!("answered({})", field.id))
}

/// The rest behind a word, whatever its case.
pub(crate) fn without<'w>(words: &'w str, lead: &str) -> Option<&'w str> {
    let head = words.get(..lead.len())?;
    let rest = words.get(lead.len()..)?;
    let whole = !lead.ends_with(char::is_alphanumeric) || !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    (head.eq_ignore_ascii_case(lead) && whole).then(|| rest.trim_start())
}

/// The field that words begin with, by its name or label, and what follows. None where two fields have that label.
pub(crate) fn mention<'k, 'w>(words: &'w str, fields: &'k [Known]) -> Option<(&'k Known, &'w str)> {
    let bare = words.trim_start().trim_start_matches(['`', '"', '\'', '“']);
    let begins = |name: &str| -> Option<&'w str> {
        let rest = without(bare, name).filter(|_| !name.is_empty())?;
        Some(rest.trim_start_matches(['`', '"', '\'', '”']).trim_start())
    };
    let by_id = fields.iter().filter_map(|field| Some((field, begins(&field.id)?)));
    let by_label: Vec<_> = fields.iter().filter_map(|field| Some((field, begins(&field.label)?))).collect();
    // The longest name is the one that is meant.
    let label = by_label.iter().min_by_key(|(_, rest)| rest.len()).copied();
    let only = label.filter(|(_, rest)| by_label.iter().filter(|(_, other)| other.len() == rest.len()).count() == 1);
    by_id.chain(only).min_by_key(|(_, rest)| rest.len())
}

/// What is said of a field, as an expression.
fn said_of(field: &Known, rest: &str, fields: &[Known]) -> Option<String> {
    let rest = rest.trim();
    let small = rest.to_lowercase();
    let id = &field.id;
    if small.is_empty() {
        return (field.kind == "yes_no").then(|| id.clone());
    }
    // Of a question that is answered with yes or no, "selected" and "set" may mean the answer yes.
    let clear = field.kind != "yes_no" || !["select", "chosen", "set"].iter().any(|word| small.contains(word));
    if ANSWERED.contains(&small.as_str()) {
        return clear.then(|| format!("answered({id})"));
    }
    if MISSING.contains(&small.as_str()) {
        return clear.then(|| format!("!answered({id})"));
    }
    if let Some(code) = distance(field, rest, fields) {
        return Some(code);
    }
    let (op, value) = COMPARED.iter().find_map(|(said, op)| Some((*op, without(rest, said)?)))?;
    if let Some((other, "")) = mention(value, fields).map(|(other, rest)| (other, rest.trim())) {
        return Some(format!("{id} {op} {}", other.id));
    }
    compared(field, op, value)
}

/// `end - start >= 7 days`, `at least 7 days after start`, `7 or more days after start`.
fn distance(field: &Known, rest: &str, fields: &[Known]) -> Option<String> {
    let days = |words: &str| -> Option<u32> {
        let (number, unit) = words.trim().trim_end_matches('`').split_once(' ')?;
        let number = number.parse().ok()?;
        matches!(unit.trim(), "day" | "days").then_some(number)
    };
    if let Some(minus) = rest.strip_prefix(['-', '−']) {
        let (other, rest) = mention(minus.trim_start(), fields)?;
        let (op, value) = COMPARED.iter().find_map(|(said, op)| Some((*op, without(rest, said)?)))?;
        return Some(format!("days({}, {}) {op} {}", field.id, other.id, days(value)?));
    }
    let rest = without(rest, "is").unwrap_or(rest);
    let (op, rest) = [("at least", ">="), ("more than", ">"), ("at most", "<="), ("less than", "<")]
        .iter()
        .find_map(|(said, op)| Some((*op, without(rest, said)?)))
        .or_else(|| rest.contains("or more").then_some((">=", rest)))?;
    let (span, other) = rest.split_once(" after ")?;
    let (other, "") = mention(other, fields)? else { return None };
    Some(format!("days({}, {}) {op} {}", field.id, other.id, days(&span.replace("or more ", ""))?))
}

/// A comparison with a value, as the field's kind writes it.
fn compared(field: &Known, op: &str, value: &str) -> Option<String> {
    let value = value.trim();
    let (bare, quoted) = unquoted(value)?;
    let id = &field.id;
    let equal = matches!(op, "==" | "!=");
    match field.kind.as_str() {
        "yes_no" if equal => {
            let holds = truth_of(bare)? == (op == "==");
            Some(if holds { id.clone() } else { format!("!{id}") })
        }
        "choice" | "choices" if equal => {
            let option =
                option(field, bare).or_else(|| (quoted && field.options.is_empty()).then(|| bare.to_owned()))?;
            Some(match (field.kind.as_str(), op) {
                ("choices", "==") => format!("{} in {id}", logic::quoted(&option)),
                ("choices", _) => format!("!({} in {id})", logic::quoted(&option)),
                _ => format!("{id} {op} {}", logic::quoted(&option)),
            })
        }
        "integer" | "number" | "money" | "percent" | "rating" => {
            let digits = bare.trim_end_matches('%').trim();
            digits.parse::<rust_decimal::Decimal>().is_ok().then(|| format!("{id} {op} {digits}"))
        }
        "date" | "datetime" if bare.eq_ignore_ascii_case("today") => Some(format!("{id} {op} today")),
        "date" | "datetime" => bare.parse::<jiff::civil::Date>().ok().map(|day| format!("{id} {op} date('{day}')")),
        "text" | "long_text" | "hidden" | "pattern" | "email" | "phone" | "url" if equal && quoted => {
            Some(format!("{id} {op} {}", logic::quoted(bare)))
        }
        _ => None,
    }
}

/// A value without the quotes around it, and whether there were any. `'Milan' or 'Rome'` is no value.
fn unquoted(value: &str) -> Option<(&str, bool)> {
    let open = value.chars().next().filter(|open| matches!(open, '`' | '"' | '\'' | '“'));
    let Some(open) = open else { return Some((value, false)) };
    let close = if open == '“' { '”' } else { open };
    let inner = value.get(open.len_utf8()..)?.strip_suffix(close)?;
    (!inner.contains(close)).then_some((inner, true))
}

/// The name of the option that words mean: the one that is written so, else the only one of these letters.
fn option(field: &Known, words: &str) -> Option<String> {
    let only = |means: &dyn Fn(&str) -> bool| {
        let mut found = field.options.iter().filter(|(id, label)| means(id) || means(label));
        found.next().filter(|_| found.next().is_none()).map(|(id, _)| id.clone())
    };
    only(&|name| name == words).or_else(|| only(&|name| !plain(words).is_empty() && plain(name) == plain(words)))
}

/// FormPilot's list of conditions, all of which must hold: `[{ field, operator, value }]`, or `value_field` in place of
/// `value`.
pub(crate) fn listed(conditions: &Node, fields: &[Known]) -> Option<String> {
    let all = conditions.at("all").unwrap_or(conditions);
    let Data::List(items) = &all.data else { return None };
    let one = |item: &Node| -> Option<String> {
        let word = |key: &str| item.at(key).and_then(Node::text);
        let field = fields.iter().find(|field| Some(field.id.as_str()) == word("field"))?;
        let op = match word("operator")?.to_uppercase().as_str() {
            "EXISTS" => return Some(format!("answered({})", field.id)),
            "EQUALS" => "==",
            "NOT_EQUALS" => "!=",
            "AFTER" => ">",
            "BEFORE" => "<",
            "ON_OR_AFTER" => ">=",
            "ON_OR_BEFORE" => "<=",
            _ => return None,
        };
        if let Some(other) = word("value_field") {
            let other = fields.iter().find(|field| field.id == other)?;
            return Some(format!("{} {op} {}", field.id, other.id));
        }
        let value = item.at("value")?;
        match &value.data {
            Data::Text(words) | Data::Moment(words) => compared(field, op, &format!("\"{words}\"")),
            Data::Number(digits) => compared(field, op, digits),
            Data::Bool(truth) => compared(field, op, if *truth { "yes" } else { "no" }),
            Data::Null | Data::List(_) | Data::Map(_) => None,
        }
    };
    let all: Option<Vec<String>> = items.iter().map(one).collect();
    all.filter(|all| !all.is_empty()).map(|all| all.join(" && "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known() -> Vec<Known> {
        let field = |id: &str, label: &str, kind: &str, options: &[(&str, &str)]| Known {
            id: id.to_owned(),
            label: label.to_owned(),
            kind: kind.to_owned(),
            options: options.iter().map(|(id, label)| ((*id).to_owned(), (*label).to_owned())).collect(),
        };
        vec![
            field("start", "First day", "date", &[]),
            field("end", "Last day", "date", &[]),
            field("leave_type", "Type of leave", "choice", &[("annual", "Annual"), ("sick", "Sick leave")]),
            field("extras", "Extras", "choices", &[("cheese", "Cheese")]),
            field("urgent", "Urgent", "yes_no", &[]),
            field("total", "Total", "money", &[]),
            field("town", "Town", "text", &[]),
            field("flag", "Flag", "hidden", &[]),
            field("country", "Country", "choice", &[]),
            field("scale", "Scale", "choice", &[("1", "1"), ("-1", "-1")]),
            field("one", "Twin", "yes_no", &[]),
            field("other", "Twin", "yes_no", &[]),
        ]
    }

    #[rstest::rstest]
    #[case("start exists", Some("answered(start)"))]
    #[case("Only after a type of leave is selected", Some("answered(leave_type)"))]
    #[case("`start` is not set", Some("!answered(start)"))]
    #[case("leave_type equals Sick leave", Some("leave_type == 'sick'"))]
    #[case("leave_type == Sick", Some("leave_type == 'sick'"))]
    #[case("leave_type == Unpaid", None)]
    #[case("leave_type == \"sick\"", Some("leave_type == 'sick'"))]
    #[case("Only when type of leave is not annual.", Some("leave_type != 'annual'"))]
    #[case("extras is cheese", Some("'cheese' in extras"))]
    #[case("urgent is yes and end is after start", Some("urgent && end > start"))]
    #[case("if urgent is no", Some("!urgent"))]
    #[case("urgent", Some("urgent"))]
    #[case("end is on or after start", Some("end >= start"))]
    #[case("end on or before 2026-05-01", Some("end <= date('2026-05-01')"))]
    #[case("end is at least 7 days after start", Some("days(end, start) >= 7"))]
    #[case("Yes, ONLY IF `end - start >= 7 days`", Some("days(end, start) >= 7"))]
    #[case("last day - first day > 3 days", Some("days(end, start) > 3"))]
    #[case("total is more than 500", Some("total > 500"))]
    #[case("town is 'Milan'", Some("town == 'Milan'"))]
    #[case("town is Milan", None)]
    #[case("town is 'Milan' or 'Rome'", None)]
    #[case("country is 'IT' or 'FR'", None)]
    #[case("town is “Milan”", Some("town == 'Milan'"))]
    #[case("town is \"O'Hara\"", Some("town == 'O\\'Hara'"))]
    #[case("urgent is selected", None)]
    #[case("urgent is not set", None)]
    #[case("urgent is answered", Some("answered(urgent)"))]
    #[case("Only after urgent is selected", Some("answered(urgent)"))]
    #[case("start is set, and end is after start", Some("answered(start) && end > start"))]
    #[case("No, when urgent", None)]
    #[case("end is after start and after end", None)]
    #[case("scale is -1", Some("scale == '-1'"))]
    #[case("scale is 1", Some("scale == '1'"))]
    #[case("twin is yes", None)]
    #[case("feature flag `flag` is \"on\"", Some("flag == 'on'"))]
    #[case("feature flag `flag` is ON", None)]
    #[case("country is 'IT'", Some("country == 'IT'"))]
    #[case("the 7-day condition is met", None)]
    #[case("end is after the moon landing", None)]
    #[case("", None)]
    fn words_become_code_where_they_are_a_phrase(#[case] words: &str, #[case] code: Option<&str>) {
        assert_eq!(condition(words, &known()).as_deref(), code);
    }

    #[rstest::rstest]
    #[case(r#"[{"field": "start", "operator": "EXISTS"}]"#, Some("answered(start)"))]
    #[case(
        r#"{"all": [{"field": "leave_type", "operator": "EQUALS", "value": "Sick leave"}]}"#,
        Some("leave_type == 'sick'")
    )]
    #[case(r#"[{"field": "leave_type", "operator": "not_equals", "value": "annual"}]"#, Some("leave_type != 'annual'"))]
    #[case(r#"[{"field": "end", "operator": "AFTER", "value_field": "start"}]"#, Some("end > start"))]
    #[case(r#"[{"field": "end", "operator": "BEFORE", "value": "2026-05-01"}]"#, Some("end < date('2026-05-01')"))]
    #[case(r#"[{"field": "end", "operator": "ON_OR_AFTER", "value_field": "start"}, {"field": "urgent", "operator": "EQUALS", "value": true}]"#, Some("end >= start && urgent"))]
    #[case(r#"[{"field": "end", "operator": "ON_OR_BEFORE", "value_field": "start"}]"#, Some("end <= start"))]
    #[case(r#"[{"field": "nobody", "operator": "EXISTS"}]"#, None)]
    #[case("[]", None)]
    fn the_seven_operators_become_code(#[case] written: &str, #[case] code: Option<&str>) {
        let node = crate::syntax::json::read(written, &mut Vec::new());
        assert_eq!(listed(&node, &known()).as_deref(), code);
    }
}
