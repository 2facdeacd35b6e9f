//! A reply as text alone: every widget becomes numbered lines, and a number becomes a press again. The last step down for
//! any adapter, and the whole of a plain terminal.

use std::fmt::Write as _;

use crate::text::words::{Word, say};
use crate::{Card, Input, Press, Pressed, Question, Reply};

/// Most options written out; more are found by typing their name.
pub const MAX_LISTED: usize = 30;

/// The reply as text. What is numbered in it is what [`pick`] takes.
pub fn text(reply: &Reply) -> String {
    let mut out = reply.say.join("\n");
    if let Some(card) = &reply.card {
        out.push('\n');
        out.push_str(&card_text(card));
    }
    for question in &reply.questions {
        if let Some(hint) = hint(&question.input, &reply.lang) {
            let _ = write!(out, "\n({hint})");
        }
    }
    for (no, label) in numbered(reply).into_iter().enumerate() {
        let _ = write!(out, "\n  {}. {label}", no + 1);
    }
    if let Some(more) = unlisted(reply) {
        let _ = write!(out, "\n  … +{more}");
    }
    if let Some(progress) = reply.progress.filter(|progress| progress.total > 1) {
        let _ = write!(out, "\n[{}/{}]", progress.answered, progress.total);
    }
    out
}

/// The answers of a card, a line each.
pub fn card_text(card: &Card) -> String {
    let rows = card.rows.iter().map(|row| format!("  {}: {}", row.label, row.value));
    std::iter::once(card.title.clone()).chain(rows).collect::<Vec<_>>().join("\n")
}

/// The press that a number, or several with commas between, stands for; `None` where it is no number of the list.
pub fn pick(reply: &Reply, text: &str) -> Option<Press> {
    let numbers: Vec<usize> = text
        .split([',', ' '])
        .filter(|part| !part.is_empty())
        .map(|part| part.trim_end_matches('.').parse().ok())
        .collect::<Option<_>>()?;
    let options = listed(reply);
    if let (Some((question, options)), false) = (&options, numbers.is_empty())
        && numbers.iter().all(|no| (1..=options.len()).contains(no))
    {
        let Input::Options { multiple, .. } = &question.input else { return None };
        let tokens: Vec<_> =
            numbers.iter().filter_map(|no| options.get(no - 1)).map(|option| option.token.clone()).collect();
        return (*multiple || tokens.len() == 1)
            .then(|| Press { token: question.token.clone(), value: Pressed::Options { tokens } });
    }
    // A number that the question itself takes is an answer, not a button.
    let wants_number = reply.questions.iter().any(|question| takes_numbers(&question.input));
    let [no] = numbers.as_slice() else { return None };
    let button = reply.buttons.get(no.checked_sub(1 + options.map_or(0, |(_, options)| options.len()))?)?;
    (!wants_number).then(|| Press { token: button.token.clone(), value: Pressed::Button })
}

fn numbered(reply: &Reply) -> Vec<String> {
    let options = listed(reply).map(|(_, options)| options).unwrap_or_default();
    let options = options.iter().map(|option| match &option.detail {
        Some(detail) => format!("{} — {detail}", option.label),
        None => option.label.clone(),
    });
    let wants_number = reply.questions.iter().any(|question| takes_numbers(&question.input));
    let buttons = reply.buttons.iter().filter(|_| !wants_number).map(|button| format!("[{}]", button.label));
    options.chain(buttons).collect()
}

fn listed(reply: &Reply) -> Option<(&Question, &[crate::Choice])> {
    reply.questions.iter().find_map(|question| match &question.input {
        Input::Options { options, .. } => Some((question, options.get(..options.len().min(MAX_LISTED))?)),
        _ => None,
    })
}

/// How many options are not written out.
fn unlisted(reply: &Reply) -> Option<usize> {
    let count = reply.questions.iter().find_map(|question| match &question.input {
        Input::Options { options, .. } => Some(options.len()),
        _ => None,
    });
    count?.checked_sub(MAX_LISTED).filter(|more| *more > 0)
}

/// Whether a bare number is an answer to the question.
fn takes_numbers(input: &Input) -> bool {
    !matches!(input, Input::Options { .. } | Input::File { .. } | Input::Location | Input::Person | Input::Channel)
}

/// How an answer is written, where that is not plain.
fn hint(input: &Input, lang: &str) -> Option<String> {
    let between = |word, min: &str, max: &str| say(word, lang).replace("{min}", min).replace("{max}", max);
    let word = match input {
        Input::Number { min: Some(min), max: Some(max), .. } => return Some(between(Word::HintNumber, min, max)),
        Input::Rating { min, max } => return Some(between(Word::HintScale, &min.to_string(), &max.to_string())),
        Input::Date { .. } => Word::HintDay,
        Input::DateRange { .. } => Word::HintDays,
        Input::Time { min: Some(min), max: Some(max) } => return Some(between(Word::HintTimes, min, max)),
        Input::Time { .. } => Word::HintTime,
        Input::DateTime { .. } => Word::HintMoment,
        Input::Duration => Word::HintLength,
        Input::File { .. } => Word::HintLink,
        Input::Location => Word::HintPlace,
        Input::Options { multiple: true, .. } => Word::HintNumbers,
        _ => return None,
    };
    Some(say(word, lang).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Button, ButtonRole, Choice, Nonce, Token};

    fn reply(input: Input) -> Reply {
        let token = Token::new(&Nonce::new(1), 0);
        let question = Question {
            field: "f".to_owned(),
            token,
            label: "F".to_owned(),
            ask: "F?".to_owned(),
            help: None,
            required: true,
            problem: None,
            prefill: None,
            input,
        };
        let button = Button { token: Token::new(&Nonce::new(1), 1), label: "Skip".to_owned(), role: ButtonRole::Plain };
        Reply { say: vec!["F?".to_owned()], questions: vec![question], buttons: vec![button], ..Reply::default() }
    }

    fn options(multiple: bool) -> Input {
        let token = Token::new(&Nonce::new(1), 0);
        let option = |no: u16, label: &str| Choice {
            token: token.option(no),
            label: label.to_owned(),
            detail: None,
            picked: false,
        };
        Input::Options { options: vec![option(0, "A"), option(1, "B")], multiple, min: 1, max: None, other: false }
    }

    #[test]
    fn options_and_buttons_are_numbered_in_one_list() {
        let reply = reply(options(false));
        assert_eq!(text(&reply), "F?\n  1. A\n  2. B\n  3. [Skip]");
        assert_eq!(
            pick(&reply, "2").unwrap().value,
            Pressed::Options { tokens: vec![Token::new(&Nonce::new(1), 0).option(1)] }
        );
        assert_eq!(pick(&reply, "3").unwrap().value, Pressed::Button);
        for none in ["4", "0", "", "x", "1, 2", "1 x"] {
            assert_eq!(pick(&reply, none), None, "{none}");
        }
    }

    #[test]
    fn several_options_may_be_picked_where_the_question_takes_several() {
        let press = pick(&reply(options(true)), "1, 2").unwrap();
        assert!(matches!(press.value, Pressed::Options { tokens } if tokens.len() == 2));
    }

    #[test]
    fn a_hint_is_in_the_language_of_the_reply() {
        let mut reply = reply(Input::Rating { min: 1, max: 5 });
        for (lang, hint) in [("en-GB", "(1 to 5)"), ("it", "(da 1 a 5)"), ("ar", "(من 1 إلى 5)"), ("xx", "(1 to 5)")]
        {
            lang.clone_into(&mut reply.lang);
            assert!(text(&reply).contains(hint), "{lang}: {}", text(&reply));
        }
    }

    #[test]
    fn a_number_that_answers_the_question_presses_no_button() {
        let reply = reply(Input::Number { integer: true, min: None, max: None, unit: None });
        assert_eq!(pick(&reply, "1"), None);
        assert!(!text(&reply).contains("[Skip]"));
    }
}
