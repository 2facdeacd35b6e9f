//! What became of the values that messages say, by stratum and kind: right, another value, given to another field, or
//! nothing; and values of fields that nothing was said of.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::case::{Case, Field, Given};
use super::score::{is_right, is_same};

/// What became of the values of a kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Fate {
    right: u32,
    other: u32,
    elsewhere: u32,
    nothing: u32,
    spurious: u32,
}

/// The table of all cases.
pub(super) fn table(pairs: &[(Case, Given)]) -> String {
    let mut fates: BTreeMap<(&str, String), Fate> = BTreeMap::new();
    for (case, Given { values, .. }) in pairs {
        for field in &case.form.fields {
            let fate = fate(case, field, values);
            if fate != Fate::default() {
                let known = fates.entry((case.stratum.as_deref().unwrap_or("-"), kind(field))).or_default();
                known.right += fate.right;
                known.other += fate.other;
                known.elsewhere += fate.elsewhere;
                known.nothing += fate.nothing;
                known.spurious += fate.spurious;
            }
        }
    }
    let row = |((stratum, kind), fate): (&(&str, String), &Fate)| {
        let figures = [fate.right, fate.other, fate.elsewhere, fate.nothing, fate.spurious];
        [(*stratum).to_owned(), kind.clone()].into_iter().chain(figures.map(|figure| figure.to_string())).collect()
    };
    let rows: Vec<Vec<String>> = fates.iter().map(row).collect();
    super::super::table(&["stratum", "kind", "right", "other value", "other field", "nothing", "spurious"], &rows)
}

fn kind(field: &Field) -> String {
    field.subtype.as_deref().map_or_else(|| field.kind.clone(), |subtype| format!("{} ({subtype})", field.kind))
}

fn fate(case: &Case, field: &Field, values: &BTreeMap<String, Json>) -> Fate {
    let ignored = |id: &str| case.ignore.iter().any(|ignored| ignored == id);
    let got = values.get(&field.id).filter(|value| !value.is_null() && !ignored(&field.id));
    let mut fate = Fate::default();
    match (case.expect.get(&field.id), got) {
        (None, None) => {}
        (None, Some(got)) => {
            let again = case.filled.get(&field.id).is_some_and(|old| is_same(field, old, got));
            fate.spurious = u32::from(!again);
        }
        (Some(_), Some(got)) if is_right(case, field, got) => fate.right = 1,
        (Some(wanted), got) => {
            let strayed = |(id, value): (&String, &Json)| *id != field.id && is_same(field, wanted, value);
            match got {
                _ if values.iter().any(strayed) => fate.elsewhere = 1,
                Some(_) => fate.other = 1,
                None => fate.nothing = 1,
            }
        }
    }
    fate
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    #[rstest]
    #[case::right(json!({"from": "Oslo"}), Fate { right: 1, ..Fate::default() })]
    #[case::another_value(json!({"from": "Rome"}), Fate { other: 1, ..Fate::default() })]
    #[case::another_field(json!({"to": "Oslo"}), Fate { elsewhere: 1, ..Fate::default() })]
    #[case::nothing(json!({}), Fate { nothing: 1, ..Fate::default() })]
    fn a_value_is_found_missed_or_given_to_another_field(#[case] got: Json, #[case] expected: Fate) {
        let case = json!({
            "id": "1", "message": "", "now": "2026-11-21T10:00:00Z", "expect": {"from": "Oslo"},
            "form": { "fields": [
                { "id": "from", "type": "text", "label": "from" },
                { "id": "to", "type": "text", "label": "to" },
            ] },
        });
        let case: Case = serde_json::from_value(case).unwrap();
        assert_eq!(fate(&case, &case.form.fields[0], &serde_json::from_value(got).unwrap()), expected);
    }
}
