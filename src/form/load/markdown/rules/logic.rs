//! The section on logic: rows of a condition with what follows, and sentences that say both. What turns into code is; what
//! does not is told.

use std::collections::BTreeMap;
use std::ops::Range;

use formwright_form::logic;
use formwright_form::problem::{Problem, Problems};

use super::condition::{self, Known, without};
use crate::markdown::outline::Cell;
use crate::markdown::words::plain;

/// What a row or sentence says of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sentence {
    /// The condition as code, if it is a phrase.
    pub(crate) code: Option<String>,
    /// Whether the field is shown by it; otherwise it is needed by it.
    pub(crate) shows: bool,
    /// Pieces of code in it.
    pub(crate) quotes: Vec<String>,
    /// Its words.
    pub(crate) words: String,
    /// Where it stands.
    pub(crate) span: Range<usize>,
}

/// What becomes of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verb {
    Shows,
    Hides,
    Needs,
}

/// Orders that stand before the fields they are about, the longer first.
const ORDERS: &[(&str, Verb)] = &[
    ("do not ask for", Verb::Hides),
    ("don't ask for", Verb::Hides),
    ("never ask for", Verb::Hides),
    ("do not ask", Verb::Hides),
    ("don't ask", Verb::Hides),
    ("never ask", Verb::Hides),
    ("do not show", Verb::Hides),
    ("don't show", Verb::Hides),
    ("never show", Verb::Hides),
    ("do not display", Verb::Hides),
    ("don't display", Verb::Hides),
    ("hide", Verb::Hides),
    ("skip", Verb::Hides),
    ("ask for", Verb::Shows),
    ("ask about", Verb::Shows),
    ("ask", Verb::Shows),
    ("show", Verb::Shows),
    ("display", Verb::Shows),
    ("require", Verb::Needs),
];

/// Words between a field and what becomes of it, the longer first.
const LINKS: &[&str] =
    &["must be", "has to be", "have to be", "should be", "will be", "becomes", "become", "is", "are"];

/// What becomes of the fields before, the longer first.
const STATES: &[(&str, Verb)] = &[
    ("not asked for", Verb::Hides),
    ("not asked", Verb::Hides),
    ("never asked", Verb::Hides),
    ("not shown", Verb::Hides),
    ("never shown", Verb::Hides),
    ("not visible", Verb::Hides),
    ("not displayed", Verb::Hides),
    ("hidden", Verb::Hides),
    ("skipped", Verb::Hides),
    ("asked for", Verb::Shows),
    ("asked", Verb::Shows),
    ("shown", Verb::Shows),
    ("visible", Verb::Shows),
    ("displayed", Verb::Shows),
    ("required", Verb::Needs),
    ("mandatory", Verb::Needs),
    ("needed", Verb::Needs),
];

/// Words that change nothing.
const NOISE: &[&str] = &["and", "the", "a", "an", "field", "fields", "question", "questions", "also", "both", ",", ";"];

/// Words for what becomes of a step or field.
const OUTCOMES: &[&str] = &[
    "show",
    "shown",
    "hide",
    "hidden",
    "ask",
    "asked",
    "skip",
    "skipped",
    "visible",
    "display",
    "displayed",
    "required",
    "mandatory",
    "needed",
];

/// What the logic says, by field. What is no code, and of which field cannot be told, is reported.
pub(crate) fn read(
    logic: &[(Option<Cell>, Cell)],
    fields: &[Known],
    problems: &mut Problems,
) -> BTreeMap<String, Vec<Sentence>> {
    let mut all: BTreeMap<String, Vec<Sentence>> = BTreeMap::new();
    for (when, then) in logic {
        let span = when.as_ref().unwrap_or(then).span.clone();
        let codes = when.iter().chain(std::iter::once(then)).flat_map(|cell| &cell.codes);
        let quotes: Vec<String> = codes.map(|(code, _)| code.clone()).collect();
        let (condition, words) = (when.as_ref().map(Cell::text), then.text());
        let parts: Vec<&str> = match condition {
            Some(_) => words.split(';').collect(),
            None => words.split(". ").flat_map(|line| line.split('\n')).collect(),
        };
        for part in parts.into_iter().map(|part| part.trim().trim_end_matches('.')).filter(|part| !part.is_empty()) {
            let understood = match &condition {
                Some(when) => effects(part, fields).map(|effects| (condition::condition(when, fields), effects)),
                None => parted(part, fields),
            };
            let words = condition.as_ref().map_or(part.to_owned(), |when| format!("{when}: {part}"));
            let Some((code, effects)) = understood else {
                if condition.is_some() || is_logic(part, fields) {
                    problems.push(problem(&span, "this is not code: it decides nothing".to_owned(), &words, fields));
                }
                continue;
            };
            for (verb, field) in effects {
                let hides = verb == Verb::Hides;
                let said = all.entry(field.id.clone()).or_default();
                if code.is_none() && said.last().is_some_and(|last| last.code.is_none() && last.span == span) {
                    continue;
                }
                said.push(Sentence {
                    code: code.clone().map(|code| if hides { not(&code) } else { code }),
                    shows: verb != Verb::Needs,
                    quotes: if hides { Vec::new() } else { quotes.clone() },
                    words: words.clone(),
                    span: span.clone(),
                });
            }
        }
    }
    all.values_mut().for_each(either);
    all
}

/// Conditions of each of which the field is needed become one.
fn either(said: &mut Vec<Sentence>) {
    let needs = |sentence: &Sentence| !sentence.shows && sentence.code.is_some();
    let mut codes: Vec<String> = Vec::new();
    for code in said.iter().filter(|sentence| needs(sentence)).filter_map(|sentence| sentence.code.clone()) {
        if !codes.contains(&code) {
            codes.push(code);
        }
    }
    if codes.len() < 2 {
        return;
    }
    let all = codes.iter().map(|code| format!("({code})")).collect::<Vec<_>>().join(" || ");
    let mut first = true;
    said.retain_mut(|sentence| {
        if !needs(sentence) {
            return true;
        }
        sentence.code = Some(all.clone());
        std::mem::take(&mut first)
    });
}

/// Whether a sentence of the section decides something, for all one knows: not where it introduces others, or has two words.
fn is_logic(sentence: &str, fields: &[Known]) -> bool {
    let several = sentence.split_whitespace().count() > 2;
    !mentioned(sentence, fields).is_empty() || several && !sentence.ends_with(':')
}

/// Sentences of prose that say when something is shown, asked or needed, with where they stand.
pub(crate) fn rules(cell: &Cell) -> Vec<(String, Range<usize>)> {
    let is_rule = |sentence: &&str| {
        let small = sentence.to_lowercase();
        let any = |known: &[&str]| small.split(|c: char| !c.is_alphanumeric()).any(|word| known.contains(&word));
        any(OUTCOMES) && (any(&["if", "when", "unless", "only", "never", "except"]) || small.contains("must not"))
    };
    let told = |(line, span): &(String, Range<usize>)| {
        let sentences = line.split(". ").filter(is_rule).map(|sentence| (sentence.trim().to_owned(), span.clone()));
        sentences.collect::<Vec<_>>()
    };
    cell.lines.iter().flat_map(told).collect()
}

/// What follows from a condition: verbs with their fields. None where a single word is not understood.
fn effects<'k>(words: &str, fields: &'k [Known]) -> Option<Vec<(Verb, &'k Known)>> {
    let words = words.replace('’', "'");
    let mut rest = without(words.trim(), "only").unwrap_or(words.trim());
    let (mut verbs, mut named): (Vec<Verb>, Vec<&Known>) = (Vec::new(), Vec::new());
    // Whether the verbs stand behind their fields.
    let mut behind = false;
    let mut all = Vec::new();
    let mut flush = |verbs: &mut Vec<Verb>, named: &mut Vec<&'k Known>| {
        all.extend(verbs.iter().flat_map(|verb| named.iter().map(|field| (*verb, *field))));
        verbs.clear();
        named.clear();
    };
    while !rest.is_empty() {
        if let Some((field, tail)) = condition::mention(rest, fields) {
            if behind {
                flush(&mut verbs, &mut named);
                behind = false;
            }
            named.push(field);
            rest = tail;
        } else if let Some((verb, tail)) = said(ORDERS, rest) {
            if !named.is_empty() && verbs.is_empty() {
                return None;
            }
            if !named.is_empty() {
                flush(&mut verbs, &mut named);
            }
            behind = false;
            verbs.push(verb);
            rest = tail;
        } else if let Some((verb, tail)) = state(rest).filter(|_| !named.is_empty() && (behind || verbs.is_empty())) {
            behind = true;
            verbs.push(verb);
            rest = tail;
        } else {
            rest = NOISE.iter().find_map(|noise| without(rest, noise))?;
        }
    }
    if verbs.is_empty() || named.is_empty() {
        return None;
    }
    flush(&mut verbs, &mut named);
    Some(all)
}

/// What becomes of the fields before: `is required`, `are not shown`.
fn state(words: &str) -> Option<(Verb, &str)> {
    let rest = LINKS.iter().find_map(|link| without(words, link)).unwrap_or(words);
    said(STATES, rest)
}

fn said<'w>(verbs: &[(&str, Verb)], words: &'w str) -> Option<(Verb, &'w str)> {
    verbs.iter().find_map(|(said, verb)| Some((*verb, without(words, said)?)))
}

/// The opposite of a condition.
fn not(code: &str) -> String {
    let inner = code.strip_prefix("!(").and_then(|rest| rest.strip_suffix(')')).filter(|inner| !inner.contains(')'));
    inner.map_or_else(|| format!("!({code})"), str::to_owned)
}

/// The code of a condition, where there is one, and what it does to which fields.
type Rule<'k> = (Option<String>, Vec<(Verb, &'k Known)>);

/// A sentence as the code of its condition and what follows: `Ask for the reason if end is after start`. A word such as
/// `if` and a comma part it where both sides are understood.
fn parted<'k>(sentence: &str, fields: &'k [Known]) -> Option<Rule<'k>> {
    let mut splits: Vec<(&str, &str, &str)> = Vec::new();
    for lead in ["only if", "only when", "if", "when", "unless"] {
        let Some(rest) = without(sentence, lead) else { continue };
        let ends = [", then ", ", ", " then ", ": "].into_iter().flat_map(|mark| rest.match_indices(mark));
        splits.extend(ends.filter_map(|(at, mark)| Some((lead, rest.get(..at)?, rest.get(at + mark.len()..)?))));
        break;
    }
    for middle in [" only if ", " only when ", " if ", " when ", " unless "] {
        let found = sentence.match_indices(middle);
        splits.extend(
            found.filter_map(|(at, _)| Some((middle.trim(), sentence.get(at + middle.len()..)?, sentence.get(..at)?))),
        );
    }
    let mut best = None;
    for (word, condition, effect) in splits {
        let Some(effects) = effects(effect, fields) else { continue };
        let Some(code) = condition::condition(condition, fields) else {
            best.get_or_insert((None, effects));
            continue;
        };
        return Some((Some(if word == "unless" { not(&code) } else { code }), effects));
    }
    best
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
pub(crate) fn problem(span: &Range<usize>, message: String, sentence: &str, fields: &[Known]) -> Problem {
    let field = mentioned(sentence, fields).into_iter().next().or(fields.first());
    let near = field.map_or_else(
        || "size == 'large'".to_owned(),
        |field| {
            let id = &field.id;
            match (field.kind.as_str(), field.options.first()) {
                ("choice", Some((option, _))) => format!("{id} == {}", logic::quoted(option)),
                ("choices", Some((option, _))) => format!("{} in {id}", logic::quoted(option)),
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
    #[case(Some("end - start >= 7 days"), "Ask for and require \"Reason for the delay\"",
        &["delayReason shown days(end, start) >= 7", "delayReason needed days(end, start) >= 7"])]
    #[case(Some("end is after start"), "Hide the reason for the delay; show note", &["delayReason shown !(end > start)", "note shown end > start"])]
    #[case(Some("end is after start"), "`note` is required", &["note needed end > start"])]
    #[case(None, "Ask for the reason for the delay only if end is after start", &["delayReason shown end > start"])]
    #[case(None, "If end is after start, ask for delayReason", &["delayReason shown end > start"])]
    #[case(Some("end is after start"), "Show Note and hide delayReason", &["delayReason shown !(end > start)", "note shown end > start"])]
    #[case(Some("end is after start"), "Note and delayReason are required", &["delayReason needed end > start", "note needed end > start"])]
    #[case(None, "Do not show `note` if end is after start", &["note shown !(end > start)"])]
    #[case(None, "The note is never asked when end is after start", &["note shown !(end > start)"])]
    #[case(None, "Hide note unless end is after start", &["note shown end > start"])]
    #[case(None, "Show Note if end is after start. Be kind.", &["note shown end > start"])]
    #[case(None, "If start is given, and end is after start, ask for note", &["note shown answered(start) && end > start"])]
    #[case(None, "`note` is not required when end is after start", &["?"])]
    #[case(None, "The note is never asked for short stays", &["?"])]
    #[case(None, "Show note first if end is after start", &["?"])]
    #[case(None, "Show note if end is after start and hide delayReason", &["note shown ?"])]
    #[case(None, "If end is after start, show note; otherwise hide it", &["?"])]
    #[case(Some("the moon is full"), "Show \"Note\"", &["note shown ?"])]
    #[case(Some("the moon is full"), "Ask for and require the note", &["note shown ?"])]
    #[case(Some("end is after start"), "Fetch the documents", &["?"])]
    #[case(None, "Require note if end is after start. Require note if start is given", &["note needed (end > start) || (answered(start))"])]
    #[case(None, "Age must be at least 18. Age cannot be negative. Do not allow people under 18", &["?", "?", "?"])]
    #[case(None, "Be kind", &[])]
    #[case(None, "Fields are shown only as follows:", &[])]
    fn rows_and_sentences_are_about_fields(#[case] when: Option<&str>, #[case] then: &str, #[case] wanted: &[&str]) {
        let when = when.map(|when| Cell::of(when, 0..1));
        let mut problems = Problems::new();
        let read = read(&[(when, Cell::of(then, 1..2))], &fields(), &mut problems);
        let mut told: Vec<String> = read
            .iter()
            .flat_map(|(id, all)| all.iter().map(move |one| (id, one)))
            .map(|(id, one)| {
                let verb = if one.shows { "shown" } else { "needed" };
                format!("{id} {verb} {}", one.code.as_deref().unwrap_or("?"))
            })
            .collect();
        told.extend(problems.iter().map(|_| "?".to_owned()));
        assert_eq!(told, wanted);
    }
}
