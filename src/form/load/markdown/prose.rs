//! Words below a field: a question among them, and advice for a language model, cut to a length that prompts can hold.

use std::collections::BTreeSet;
use std::ops::Range;

use super::entries::words as text;
use super::outline::Cell;
use crate::node::Node;
use formwright_form::problem::{Problem, Problems};

/// Longest advice that is made of prose, in characters.
const MOST: usize = 500;

/// Words by which FormPilot's prompts speak to a model that runs the form. Here code does that.
const COMMANDS: &[&str] = &["TOOL_CALL", "FORM_COMPLETE", "ASK_", "set_field_value", "validate_step", "JSON"];

/// What an answer is that no rule can tell from nonsense.
const GENUINE: &[&str] = &[
    "genuine",
    "real",
    "meaningful",
    "relevant",
    "serious",
    "sensible",
    "plausible",
    "proper",
    "truthful",
    "reasonable",
];

/// The question in an instruction such as `Ask: "When did it happen?"`.
pub(super) fn question(cell: &Cell) -> Option<String> {
    let words = cell.text();
    let head = words.get(..3)?;
    let (before, rest) = words.split_once(['"', '“'])?;
    let (question, _) = rest.split_once(['"', '”'])?;
    let asks = head.eq_ignore_ascii_case("ask") && before.trim_end().ends_with(':');
    (asks && !question.trim().is_empty()).then(|| question.trim().to_owned())
}

/// What a good answer tells, where a sentence asks for that: "must be a genuine reason, not gibberish" for a genuine reason,
/// "should explain why" for why. It follows "Please tell me".
pub(super) fn judged(words: &str) -> Option<String> {
    words.split(['.', ';', '\n']).find_map(|sentence| {
        let small = sentence.to_lowercase();
        let at =
            ["must ", "should ", "has to "].iter().filter_map(|word| Some(small.find(word)? + word.len())).min()?;
        let rest = sentence.get(at..)?.trim();
        let who = small.get(..at)?.split_whitespace().rev().nth(1).unwrap_or_default();
        if matches!(who, "you" | "ai" | "agent" | "assistant" | "bot" | "we") {
            return None;
        }
        let (verb, told) = rest.split_once(' ')?;
        let good = |word: &str| GENUINE.contains(&word.trim_end_matches(','));
        let told = match verb.to_ascii_lowercase().as_str() {
            "be" => told.split(' ').nth(1).filter(|word| good(word)).map(|_| told)?,
            "describe" | "explain" | "tell" | "say" => told,
            _ => return None,
        };
        let end = [",", " and not ", " not ", " rather than "].iter().filter_map(|mark| told.find(mark)).min();
        Some(told.get(..end.unwrap_or(told.len()))?.trim().to_owned()).filter(|told| !told.is_empty())
    })
}

/// Whether words are advice for who words a question, and not a heading of what follows or a command to run a tool.
pub(super) fn is_advice(cell: &Cell, tools: &BTreeSet<String>) -> bool {
    let words = cell.text();
    !words.is_empty()
        && !words.ends_with(':')
        && !COMMANDS.iter().any(|command| words.contains(command))
        && !tools.iter().any(|tool| words.contains(tool.as_str()))
}

/// Pieces of advice as one text.
pub(super) fn advice(pieces: &[(String, Range<usize>)], problems: &mut Problems) -> Option<Node> {
    let (_, span) = pieces.first()?;
    let mut all: Vec<String> = Vec::new();
    for (piece, _) in pieces {
        let mut piece = piece.replace('\n', " ").replace("{{", "{ {").replace("{%", "{ %").replace("{#", "{ #");
        if piece.ends_with(char::is_alphanumeric) {
            piece.push('.');
        }
        if !all.contains(&piece) {
            all.push(piece);
        }
    }
    let whole = all.join(" ");
    if whole.chars().count() <= MOST {
        return Some(text(whole, span.clone()));
    }
    let problem =
        Problem::warning("form::long_prose", format!("a language model gets {MOST} characters of this prose"))
            .at(span.clone(), "longer than that from here on");
    problems.push(problem.help("write what matters most as `Guidance`"));
    let cut: String = whole.chars().take(MOST).collect();
    let end = cut.rfind(['.', '!', '?']).map_or_else(|| cut.rfind(' ').unwrap_or(cut.len()), |at| at + 1);
    Some(text(cut.get(..end).unwrap_or(&cut).trim(), span.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[rstest::rstest]
    #[case("Ask: \"When did it happen?\"", Some("When did it happen?"))]
    #[case("Ask the person: “Why?” (optional)", Some("Why?"))]
    #[case("If late, ask: \"Why?\"", None)]
    #[case("Ask for the day", None)]
    fn a_question_stands_in_quotes(#[case] words: &str, #[case] asked: Option<&str>) {
        assert_eq!(question(&Cell::of(words, 0..words.len())).as_deref(), asked);
    }

    #[rstest::rstest]
    #[case("Free text. The answer must be a genuine reason, not gibberish.", Some("a genuine reason"))]
    #[case("Should explain why it took so long", Some("why it took so long"))]
    #[case("You must tell the person the deadline", None)]
    #[case("Must be a valid date", None)]
    #[case("Must be on or after start_date", None)]
    #[case("Be kind.", None)]
    fn what_a_good_answer_tells_may_be_said(#[case] words: &str, #[case] told: Option<&str>) {
        assert_eq!(judged(words).as_deref(), told);
    }

    #[test]
    fn advice_is_cut_at_a_sentence_and_holds_no_template() {
        let mut problems = Problems::new();
        let long = format!("{} Cut here. {}", "Short words. ".repeat(30), "x".repeat(400));
        let node = advice(&[(long, 0..4)], &mut problems).unwrap();
        assert!(node.text().unwrap().ends_with("Cut here."));
        assert_eq!(problems.len(), 1);
        let node = advice(&[("Say {{ name }}".into(), 0..4)], &mut Problems::new()).unwrap();
        assert_eq!(node.text(), Some("Say { { name }}"));
        let node = advice(&[("Be kind".into(), 0..4), ("Be short.".into(), 4..8)], &mut Problems::new()).unwrap();
        assert_eq!(node.text(), Some("Be kind. Be short."));
    }
}
