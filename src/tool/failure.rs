//! Why a call gave nothing, and what of it the person hears.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::Value;

use formwright_engine::{CallError, Failing};

/// Longest text of a server or program that a person is shown, in characters.
const LONGEST: usize = 300;

/// A call that gave nothing, and how long the other side asks to be left alone.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) error: CallError,
    pub(super) after: Option<Duration>,
}

impl From<CallError> for Failure {
    fn from(error: CallError) -> Self {
        Self { error, after: None }
    }
}

impl Failure {
    /// Something does not work; trying again may help where `retry`.
    pub(super) fn broken(for_log: impl Into<String>, retry: bool) -> Self {
        Self::from(CallError { for_person: None, for_log: for_log.into(), retry, failing: Failing::Broken })
    }

    /// The other side does not accept who we are.
    pub(super) fn denied(for_log: impl Into<String>) -> Self {
        Self::from(CallError { for_person: None, for_log: for_log.into(), retry: false, failing: Failing::Denied })
    }

    /// The other side has understood and says no. Words for the person stand at `path` of what it answered: a text, or an
    /// object with a text for each param.
    pub(super) fn refused(for_log: impl Into<String>, answer: &Value, path: &[String]) -> Self {
        let found = path.iter().try_fold(answer, |at, key| match at {
            Value::Array(rows) => rows.get(key.parse::<usize>().ok()?),
            _ => at.get(key),
        });
        let found = found.filter(|_| !path.is_empty());
        let for_person = found.and_then(Value::as_str).and_then(words);
        let fields: BTreeMap<String, String> = found
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
            .filter_map(|(param, text)| Some((param.clone(), words(text.as_str()?)?)))
            .collect();
        let failing = Failing::Refused { fields };
        Self::from(CallError { for_person, for_log: for_log.into(), retry: false, failing })
    }
}

/// A text of somebody else as it may be shown: one line, not long, without control characters. None where nothing is left.
fn words(text: &str) -> Option<String> {
    let clean = text.split_whitespace().map(|word| word.chars().filter(|c| !hidden(*c)).collect::<String>());
    let clean = clean.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    let mut short: String = clean.chars().take(LONGEST).collect();
    if short.len() < clean.len() {
        short.push('…');
    }
    (!short.is_empty()).then_some(short)
}

/// Characters that are not seen, or that turn the text around.
fn hidden(c: char) -> bool {
    c.is_control() || formwright_chat::unseen::is_unseen(c)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    #[rstest]
    #[case::text("error.message", json!({"error": {"message": " No such\r\nparcel.\u{202e} "}}), Some("No such parcel."), &[])]
    #[case::of_a_list("errors.0", json!({"errors": ["Too late"]}), Some("Too late"), &[])]
    #[case::by_param("errors", json!({"errors": {"number": "Unknown", "x": 1}}), None, &[("number", "Unknown")])]
    #[case::nothing_there("error", json!({"message": "secret"}), None, &[])]
    #[case::no_text("error", json!({"error": 7}), None, &[])]
    #[case::blank("error", json!({"error": " \u{200b} "}), None, &[])]
    #[case::no_path("", json!("secret"), None, &[])]
    fn a_person_is_told_what_the_form_points_at_and_no_more(
        #[case] path: &str,
        #[case] answer: Value,
        #[case] for_person: Option<&str>,
        #[case] of_params: &[(&str, &str)],
    ) {
        let path: Vec<String> = path.split('.').filter(|part| !part.is_empty()).map(str::to_owned).collect();
        let error = Failure::refused("422", &answer, &path).error;
        let fields = of_params.iter().map(|(param, text)| ((*param).to_owned(), (*text).to_owned())).collect();
        assert_eq!((error.for_person.as_deref(), error.failing), (for_person, Failing::Refused { fields }));
    }

    #[test]
    fn a_long_text_is_cut() {
        let error = Failure::refused("422", &json!({"e": "é".repeat(500)}), &["e".to_owned()]).error;
        assert_eq!(error.for_person.unwrap().chars().count(), LONGEST + 1);
    }
}
