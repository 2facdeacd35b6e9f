//! JSON as models write it when they do not write JSON: with ends that are missing, commas too many, and the literals of
//! Python.

/// The first object of a text as JSON: its brackets closed, no comma before a closing one, `None`, `True` and `False` and
/// strings in single quotes as JSON has them. None where it ends inside a string, which nobody can complete. What it gives may
/// still be no JSON.
pub(crate) fn mended(text: &str) -> Option<String> {
    let mut out = String::new();
    let mut open = Vec::new();
    let mut rest = text.get(text.find('{')?..)?;
    while let Some(c) = rest.chars().next() {
        let taken = match c {
            '"' | '\'' => string(rest, c, &mut out)?,
            '{' | '[' => {
                open.push(if c == '{' { '}' } else { ']' });
                out.push(c);
                1
            }
            '}' | ']' => {
                drop_comma(&mut out);
                // A bracket that was forgotten before this one.
                let at = open.iter().rposition(|end| *end == c)?;
                out.extend(open.drain(at..).rev());
                if open.is_empty() {
                    return Some(out);
                }
                1
            }
            _ => word(rest, &mut out).unwrap_or_else(|| {
                out.push(c);
                c.len_utf8()
            }),
        };
        rest = rest.get(taken..)?;
    }
    drop_comma(&mut out);
    out.extend(open.drain(..).rev());
    Some(out)
}

/// Copies a string with its quotes; gives the bytes it took, none where it does not end.
fn string(text: &str, quote: char, out: &mut String) -> Option<usize> {
    out.push('"');
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            _ if c == quote => {
                out.push('"');
                return Some(at + 1);
            }
            '\\' => {
                let (_, escaped) = chars.next()?;
                // JSON has no escape for a single quote.
                if escaped != '\'' {
                    out.push('\\');
                }
                out.push(escaped);
            }
            '"' => out.push_str("\\\""),
            _ => out.push(c),
        }
    }
    None
}

/// A literal of Python in JSON's words; gives the bytes it took.
fn word(text: &str, out: &mut String) -> Option<usize> {
    let ends = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    let (python, json) = [("None", "null"), ("True", "true"), ("False", "false")]
        .into_iter()
        .find(|(python, _)| text.strip_prefix(python).is_some_and(ends))?;
    out.push_str(json);
    Some(python.len())
}

fn drop_comma(out: &mut String) {
    let kept = out.trim_end();
    let kept = kept.strip_suffix(',').unwrap_or(kept).len();
    out.truncate(kept);
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::model::reply::mend;

    #[rstest]
    #[case::whole(r#"{"a": [1, {"b": "}"}]} and more"#, r#"{"a": [1, {"b": "}"}]}"#)]
    #[case::no_end(r#"Well: {"a": [{"b": "c"}"#, r#"{"a": [{"b": "c"}]}"#)]
    #[case::one_bracket_forgotten(r#"{"a": [{"b": "c"}}"#, r#"{"a": [{"b": "c"}]}"#)]
    #[case::commas(r#"{"a": [1, 2, ], }"#, r#"{"a": [1, 2]}"#)]
    #[case::python(
        r#"{'a': 'it\'s "so"', 'b': None, 'c': [True, False], 'd': 'None'}"#,
        r#"{"a": "it's \"so\"", "b": null, "c": [true, false], "d": "None"}"#
    )]
    #[case::names_stay(r#"{"a": "Nonetta", "b": "True"}"#, r#"{"a": "Nonetta", "b": "True"}"#)]
    #[case::escapes_stay(r#"{"a": "\"\\"}"#, r#"{"a": "\"\\"}"#)]
    fn json_comes_of_what_is_nearly_json(#[case] text: &str, #[case] json: &str) {
        assert_eq!(mend::mended(text).as_deref(), Some(json));
        assert!(serde_json::from_str::<serde_json::Value>(json).is_ok());
    }

    #[rstest]
    #[case("no object")]
    #[case(r#"{"intent":"fill","updates":[{"field":"a","quo"#)]
    #[case(r#"{"a": ]"#)]
    fn what_ends_in_a_string_or_not_at_all_is_left(#[case] text: &str) {
        assert_eq!(mend::mended(text), None);
    }
}
