//! The section on logic: rows of a condition with what follows, and sentences that say both. What turns into code is; what
//! does not is told.

use std::collections::BTreeMap;
use std::ops::Range;

use super::condition::{self, Known};
use super::outline::Cell;
use super::words::plain;
use crate::form::problem::Problem;

/// What a row or sentence says of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sentence {
    /// The condition as code, if it is a phrase.
    pub(super) code: Option<String>,
    /// Whether the field is shown by it; otherwise it is needed by it.
    pub(super) shows: bool,
    /// Pieces of code in it.
    pub(super) quotes: Vec<String>,
    /// Its words.
    pub(super) words: String,
    /// Where it stands.
    pub(super) span: Range<usize>,
}

/// What the logic says, by field.
pub(super) fn read(logic: &[(Option<Cell>, Cell)], fields: &[Known]) -> BTreeMap<String, Vec<Sentence>> {
    let mut all: BTreeMap<String, Vec<Sentence>> = BTreeMap::new();
    for (when, then) in logic {
        let (condition, effects) = match when {
            Some(when) => (when.text(), then.text()),
            None => match parted(&then.text()) {
                Some(parts) => parts,
                None => continue,
            },
        };
        let cells = || when.iter().chain(std::iter::once(then));
        let quotes: Vec<String> = cells().flat_map(|cell| &cell.codes).map(|(code, _)| code.clone()).collect();
        let code = condition::condition(&condition, fields);
        let span = when.as_ref().unwrap_or(then).span.clone();
        for effect in effects.split(';') {
            let small = effect.to_lowercase();
            let hides = ["hide", "skip", "do not ask", "don't ask"].iter().any(|verb| small.contains(verb));
            let shows = hides || ["show", "ask", "display", "visible"].iter().any(|verb| small.contains(verb));
            let needs = ["require", "mandatory", "needed", "must be answered"].iter().any(|verb| small.contains(verb));
            if !shows && !needs {
                continue;
            }
            for field in mentioned(effect, fields) {
                let code = code.clone().map(|code| if hides { format!("!({code})") } else { code });
                let words = match when {
                    Some(when) => format!("{}: {}", when.text(), effect.trim()),
                    None => then.text(),
                };
                let sentence = Sentence { code, shows, quotes: quotes.clone(), words, span: span.clone() };
                all.entry(field.id.clone()).or_default().push(sentence);
            }
        }
    }
    all
}

/// A sentence as its condition and what follows: `Ask for the reason if end is after start`.
fn parted(sentence: &str) -> Option<(String, String)> {
    let small = sentence.to_lowercase();
    if small.len() != sentence.len() {
        return None;
    }
    for lead in ["if ", "when "] {
        if small.starts_with(lead) {
            let (condition, effect) = sentence.split_once(", ")?;
            return Some((condition.get(lead.len()..)?.to_owned(), effect.to_owned()));
        }
    }
    for middle in [" only if ", " only when ", " if ", " when "] {
        if let Some(at) = small.find(middle) {
            return Some((sentence.get(at + middle.len()..)?.to_owned(), sentence.get(..at)?.to_owned()));
        }
    }
    None
}

/// The fields that words name: by their names, or by labels of several words or in quotes.
fn mentioned<'k>(words: &str, fields: &'k [Known]) -> Vec<&'k Known> {
    let tokens: Vec<&str> = words.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let small = words.to_lowercase();
    let named = |field: &&Known| {
        let label = field.label.to_lowercase();
        let quoted = !label.is_empty() && small.contains(&format!("\"{label}\""));
        let several = label.contains(' ') && plain(&small).contains(&plain(&label));
        tokens.contains(&field.id.as_str()) || quoted || several
    };
    fields.iter().filter(named).collect()
}

/// The problem of a sentence that is no code, with what code of it could look like.
pub(super) fn problem(span: &Range<usize>, message: String, sentence: &str, fields: &[Known]) -> Problem {
    let field = mentioned(sentence, fields).into_iter().next().or(fields.first());
    let near = field.map_or_else(
        || "size == 'large'".to_owned(),
        |field| {
            let id = &field.id;
            match (field.kind.as_str(), field.options.first()) {
                ("choice", Some((option, _))) => format!("{id} == {}", condition::text(option)),
                ("choices", Some((option, _))) => format!("{} in {id}", condition::text(option)),
                ("date" | "datetime", _) => format!("{id} >= today"),
                ("yes_no", _) => id.clone(),
                ("integer" | "number" | "money" | "percent" | "rating", _) => format!("{id} > 1"),
                _ => format!("answered({id})"),
            }
        },
    );
    let help = format!("write an expression as code in `Visible when`, `Required when` or `Check`, such as `{near}`");
    Problem::warning("form::prose_logic", message).at(span.clone(), "words decide nothing").help(help)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields() -> Vec<Known> {
        let field = |id: &str, label: &str, kind: &str| Known {
            id: id.to_owned(),
            label: label.to_owned(),
            kind: kind.to_owned(),
            options: Vec::new(),
        };
        vec![
            field("start", "First day", "date"),
            field("end", "Last day", "date"),
            field("delayReason", "Reason for the delay", "text"),
            field("note", "Note", "text"),
        ]
    }

    #[rstest::rstest]
    #[case(Some("end - start >= 7 days"), "Ask for and require \"Reason for the delay\"", &["delayReason shown days(end, start) >= 7"])]
    #[case(Some("end is after start"), "Hide the reason for the delay; show note", &["delayReason shown !(end > start)", "note shown end > start"])]
    #[case(Some("end is after start"), "`note` is required", &["note needed end > start"])]
    #[case(None, "Ask for the reason for the delay only if end is after start", &["delayReason shown end > start"])]
    #[case(None, "If end is after start, ask for delayReason", &["delayReason shown end > start"])]
    #[case(Some("the moon is full"), "Show \"Note\"", &["note shown ?"])]
    #[case(Some("end is after start"), "Fetch the documents", &[])]
    #[case(None, "Be kind", &[])]
    fn rows_and_sentences_are_about_fields(#[case] when: Option<&str>, #[case] then: &str, #[case] wanted: &[&str]) {
        let when = when.map(|when| Cell::of(when, 0..1));
        let read = read(&[(when, Cell::of(then, 1..2))], &fields());
        let told: Vec<String> = read
            .iter()
            .flat_map(|(id, all)| all.iter().map(move |one| (id, one)))
            .map(|(id, one)| {
                let verb = if one.shows { "shown" } else { "needed" };
                format!("{id} {verb} {}", one.code.as_deref().unwrap_or("?"))
            })
            .collect();
        assert_eq!(told, wanted);
    }
}
