//! What every adapter is tried with: each kind of widget, lists of awkward lengths, words that platforms trip over, and
//! the rules that whatever is drawn must keep. Adapters call it from their tests. What people do with what is drawn is in
//! [`people`].

pub mod people;

use std::collections::BTreeSet;

use crate::{
    Button, ButtonRole, Card, CardRow, Choice, Input, Nonce, Place, Platform, Progress, Question, Reply, Source, Token,
};

/// Words that are markup, mentions or links somewhere, too long, or of another direction.
pub const HOSTILE: [&str; 14] = [
    "<b>bold</b> & <script>alert(1)</script>",
    "*bold* _it_ ~s~ `code` ```block```",
    "<!channel> <!here> <@U123> <#C123|x>",
    "@everyone @here <@123> <@&456> <#789> </cmd:1>",
    "[text](https://evil.example) <https://evil.example|text>",
    "||spoiler|| # heading\n> quote\n- list",
    "\u{202e}reversed\u{202c} \u{2066}isolated\u{2069}",
    "العربية مع English و 123",
    "👩‍👩‍👧‍👦🏳️‍🌈 e\u{301}",
    "&amp; &lt; &#x41;",
    "tg://user?id=1 @username /command #hashtag",
    "\\*escaped\\* \\",
    "",
    "a\u{0}b\u{7}c",
];

/// A place on a platform.
pub fn place(platform: &str) -> Place {
    Place { platform: Platform::new(platform), workspace: "w1".to_owned(), channel: "c1".to_owned(), thread: None }
}

fn nonce() -> Nonce {
    Nonce::new(0x0123_4567_89ab_cdef_0011_2233_4455_6677)
}

/// A question with this widget.
pub fn question(slot: u16, input: Input) -> Question {
    Question {
        field: format!("field{slot}"),
        token: Token::new(&nonce(), slot),
        label: format!("Field {slot}"),
        ask: format!("What is field {slot}?"),
        help: Some("A word of help.".to_owned()),
        required: true,
        problem: None,
        prefill: None,
        input,
    }
}

/// A list of so many options for the widget in a slot.
pub fn options(slot: u16, count: u16, multiple: bool) -> Input {
    let token = Token::new(&nonce(), slot);
    let option = |no: u16| Choice {
        token: token.option(no),
        label: format!("Option {}", no + 1),
        detail: no.is_multiple_of(3).then(|| format!("Detail of option {}", no + 1)),
        picked: false,
    };
    Input::Options { options: (0..count).map(option).collect(), multiple, min: 1, max: None, other: false }
}

/// A reply that asks one question, with the buttons that usually stand below.
pub fn asking(input: Input) -> Reply {
    let question = question(0, input);
    let button =
        |slot: u16, label: &str, role| Button { token: Token::new(&nonce(), slot), label: label.to_owned(), role };
    Reply {
        say: vec!["Thank you.".to_owned(), question.ask.clone()],
        lang: "en".to_owned(),
        questions: vec![question],
        buttons: vec![button(1, "Skip", ButtonRole::Plain), button(2, "Back", ButtonRole::Plain)],
        progress: Some(Progress { answered: 1, total: 5 }),
        ..Reply::default()
    }
}

/// A reply that asks to pick one of so many.
pub fn one_of(count: u16) -> Reply {
    asking(options(0, count, false))
}

/// A reply that asks to pick several of so many.
pub fn several(count: u16) -> Reply {
    asking(options(0, count, true))
}

/// A review card of so many answers, each with its edit button, and the buttons of a review.
pub fn review(rows: u16) -> Reply {
    let row = |no: u16| CardRow {
        field: format!("field{no}"),
        label: format!("Field {no}"),
        value: format!("Answer {no}"),
        source: Source::Said,
        edit: Some(Token::new(&nonce(), 10 + no)),
    };
    let button =
        |slot: u16, label: &str, role| Button { token: Token::new(&nonce(), slot), label: label.to_owned(), role };
    Reply {
        say: vec!["Is everything right?".to_owned()],
        lang: "en".to_owned(),
        card: Some(Card { title: "Pizza order".to_owned(), rows: (0..rows).map(row).collect() }),
        buttons: vec![
            button(0, "Confirm", ButtonRole::Primary),
            button(1, "Change something", ButtonRole::Plain),
            button(2, "Cancel", ButtonRole::Danger),
        ],
        ..Reply::default()
    }
}

/// A page of fields: the first is asked, all may be drawn as one form.
pub fn page(inputs: Vec<Input>) -> Reply {
    let mut inputs = inputs.into_iter();
    let mut reply = asking(inputs.next().unwrap_or(Input::Duration));
    reply.page = (10..).zip(inputs).map(|(slot, input)| question(slot, moved(input, slot))).collect();
    reply
}

/// Options wear the token of their own question.
fn moved(mut input: Input, slot: u16) -> Input {
    if let Input::Options { options, .. } = &mut input {
        options.iter_mut().for_each(|option| option.token.slot = slot);
    }
    input
}

/// Every kind of widget once, with its usual settings.
pub fn inputs() -> Vec<Input> {
    let text = |long, secret| Input::Text { long, max_chars: None, example: Some("like this".to_owned()), secret };
    let day = |day: &str| Some(day.to_owned());
    vec![
        text(false, false),
        text(true, false),
        text(false, true),
        Input::Number { integer: true, min: day("1"), max: day("10"), unit: None },
        Input::Number { integer: false, min: None, max: None, unit: Some("EUR".to_owned()) },
        Input::Rating { min: 1, max: 5 },
        Input::Rating { min: 0, max: 10 },
        options(0, 2, false),
        options(0, 5, true),
        Input::Date { min: day("2026-01-01"), max: day("2026-12-31") },
        Input::Time { min: None, max: None },
        Input::Time { min: day("18:00"), max: day("01:30") },
        Input::DateTime { min: None, max: None },
        Input::DateRange { min: None, max: None },
        Input::Duration,
        Input::Phone { country: Some("IT".to_owned()) },
        Input::Email,
        Input::Url,
        Input::Person,
        Input::Channel,
        Input::File { accept: vec!["image/*".to_owned()], max_bytes: Some(5_000_000), max_files: 3 },
        Input::Location,
    ]
}

/// Replies that an adapter must be able to draw: with a name each, for the message of a failing test.
pub fn replies() -> Vec<(String, Reply)> {
    let mut all: Vec<(String, Reply)> = Vec::new();
    for input in inputs() {
        all.push((format!("{input:?}"), asking(input)));
    }
    for count in [1, 2, 5, 6, 8, 10, 11, 25, 26, 40, 50, 99, 100, 101, 250, 300] {
        all.push((format!("one of {count}"), one_of(count)));
        all.push((format!("several of {count}"), several(count)));
    }
    for rows in [1, 5, 17, 25, 40, 60] {
        all.push((format!("a review of {rows}"), review(rows)));
    }
    all.push(("a page of everything".to_owned(), page(inputs())));
    for words in HOSTILE {
        all.push((format!("hostile words {words:?}"), with_words(words)));
    }
    for length in [76, 101, 151, 301, 1025, 2001, 3001, 4097, 20_000] {
        all.push((format!("words of {length} characters"), with_words(&"ä".repeat(length))));
    }
    all.push(("words only".to_owned(), Reply { say: vec!["Hello.".to_owned()], ..Reply::default() }));
    all.push(("nothing".to_owned(), Reply::default()));
    let mut secret = asking(Input::Text { long: false, max_chars: None, example: None, secret: true });
    secret.private = true;
    all.push(("a private question".to_owned(), secret));
    let mut wrong = asking(Input::Email);
    wrong.questions[0].problem = Some("This is no e-mail address.".to_owned());
    wrong.questions[0].prefill = Some("ada@".to_owned());
    all.push(("a question with a problem".to_owned(), wrong));
    all
}

/// A list, a card and buttons whose every text is these words.
pub fn with_words(words: &str) -> Reply {
    let mut reply = several(3);
    reply.say = vec![words.to_owned()];
    words.clone_into(&mut reply.questions[0].label);
    words.clone_into(&mut reply.questions[0].ask);
    reply.questions[0].help = Some(words.to_owned());
    if let Input::Options { options, .. } = &mut reply.questions[0].input {
        for option in options {
            words.clone_into(&mut option.label);
            option.detail = Some(words.to_owned());
        }
    }
    reply.buttons.iter_mut().for_each(|button| words.clone_into(&mut button.label));
    let mut card = review(2).card;
    card.iter_mut().for_each(|card| words.clone_into(&mut card.title));
    for row in card.iter_mut().flat_map(|card| &mut card.rows) {
        // A field without a name is asked for nowhere.
        if !words.is_empty() {
            words.clone_into(&mut row.label);
        }
        words.clone_into(&mut row.value);
    }
    reply.card = card;
    reply
}

/// What an adapter drew, as the suite looks at it.
#[derive(Clone, Debug, Default)]
pub struct Drawn {
    /// All words that the person sees, widgets included.
    pub seen: String,
    /// Tokens that can be pressed or filled, on this screen or on one that its widgets lead to (further pages of a list,
    /// an opened form).
    pub reachable: BTreeSet<Token>,
    /// What buttons and options say, to the eye or to a screen reader, where the platform has them.
    pub labels: Vec<(Token, String)>,
    /// What breaks a limit of the platform.
    pub broken: Vec<String>,
}

/// Tries an adapter with every reply of [`replies`]; gives what is wrong, one sentence each.
///
/// Rules: no limit of the platform is broken; all that is said, all labels of questions and all values of a card are
/// seen, at least in their first characters; each button, each edit and each option can be reached, or is named in the
/// text so that it can be written; a button of the review says which answer it changes.
pub fn faults(draw: impl Fn(&Reply) -> Drawn) -> Vec<String> {
    let all = replies();
    all.iter().flat_map(|(name, reply)| judge(name, reply, &draw(reply))).collect()
}

/// What is wrong with one drawn reply, by the rules of [`faults`].
pub fn judge(name: &str, reply: &Reply, drawn: &Drawn) -> Vec<String> {
    let mut faults: Vec<String> = drawn.broken.iter().map(|broken| format!("{name}: {broken}")).collect();
    let mut reach = |token: &Token, label: &str| {
        let named = !label.is_empty() && drawn.seen.contains(label);
        if !drawn.reachable.contains(token) && !named {
            faults.push(format!("{name}: “{}” can be neither pressed nor read", start(label)));
        }
    };
    reply.buttons.iter().for_each(|button| reach(&button.token, &button.label));
    for question in &reply.questions {
        if let Input::Options { options, .. } = &question.input {
            options.iter().for_each(|option| reach(&option.token, &option.label));
        }
    }
    for row in reply.card.iter().flat_map(|card| &card.rows) {
        row.edit.iter().for_each(|token| reach(token, &row.label));
    }
    let is_plain = |words: &String| words.bytes().all(|b| b.is_ascii_alphanumeric() || b == b' ');
    for row in reply.card.iter().flat_map(|card| &card.rows).filter(|row| is_plain(&row.label)) {
        let says =
            |(token, said): &&(Token, String)| row.edit.as_ref() == Some(token) && !said.contains(start(&row.label));
        if let Some((_, said)) = drawn.labels.iter().find(says) {
            faults.push(format!("{name}: “{said}” does not say that it changes “{}”", start(&row.label)));
        }
    }
    let plain = reply.say.iter().filter(|say| is_plain(say));
    for say in plain.filter(|say| !drawn.seen.contains(start(say))) {
        faults.push(format!("{name}: “{}” is not seen", start(say)));
    }
    faults
}

fn start(words: &str) -> &str {
    words.char_indices().nth(30).map_or(words, |(at, _)| &words[..at])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::fallback;

    #[test]
    fn what_draws_nothing_fails_and_the_plain_text_of_short_lists_passes() {
        assert!(faults(|_| Drawn::default()).len() > 100);
        let plain = |reply: &Reply| Drawn { seen: fallback::text(reply), ..Drawn::default() };
        let faults: Vec<String> = faults(plain).into_iter().filter(|fault| fault.starts_with("one of 5:")).collect();
        assert!(faults.is_empty(), "{faults:?}");
    }
}
