//! Words that are markup, mentions or links somewhere, as names of forms, questions, options, rows of tools, people, and as
//! answers: they are read as they were written, nobody is pinged, and nothing is marked up.

use formwright_chat::conformance::HOSTILE;
use serde_json::json;

use unicode_normalization::UnicodeNormalization as _;

use super::person::{Anybody, Person};
use super::stage::{PATIENCE, Plan, Stage};

/// What a person is called.
const NAME: &str = "<b>Ann</b> & @everyone <!channel> *bold* `x`";

/// The words that a form file may hold.
fn words() -> Vec<&'static str> {
    HOSTILE.into_iter().filter(|words| !words.trim().is_empty() && !words.contains('\0')).collect()
}

/// The words that are taken as an answer: what turns the direction of the rest is asked for again.
fn kept() -> Vec<&'static str> {
    words().into_iter().filter(|words| !words.contains('\u{202e}')).collect()
}

/// A form whose every text is such words: of options and rows only so many as are seen at once on every platform.
fn form() -> String {
    let words = words();
    let (first, second) = words.split_at(words.len() / 2);
    let options = first.iter().zip(second).enumerate();
    let options: Vec<_> = options
        .map(|(no, (label, detail))| json!({"id": format!("o{no}"), "label": label, "detail": detail}))
        .collect();
    let rows: Vec<_> =
        second.iter().enumerate().map(|(no, name)| json!({"id": format!("r{no}"), "name": name})).collect();
    let all = words.join("\n");
    let form = json!({
        "id": "odd", "title": words[0], "description": all, "start_examples": ["odd"], "greeting": all,
        "messages": {"submitted": "It is done."},
        "field": [
            {"id": "said", "kind": "long_text", "label": words[1], "ask": format!("What do you say?\n{all}"), "help": all},
            {"id": "picked", "kind": "choice", "fill": "asked", "label": words[2], "ask": format!("Which one?\n{all}"), "options": options},
            {"id": "line", "kind": "choice", "fill": "asked", "label": words[3], "ask": format!("Which row?\n{all}"),
                "options_from": {"tool": "rows", "id": "id", "label": "name"}},
        ],
        "tool": [{"id": "rows", "kind": "data", "description": all, "message": all, "rows": rows}],
    });
    form.to_string()
}

/// Words as every platform may show them: blanks are blanks, and what turns the direction is left out.
fn plain(words: &str) -> String {
    // Telegram's mentions are broken by a word joiner.
    let unwanted = |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2060}');
    let kept: String = words.nfc().filter(|c| !unwanted(*c)).collect();
    // Slack reads these three everywhere.
    let read = kept.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    read.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Waits for a message with these words; gives all that is to be read then.
async fn reads(person: &dyn Person, words: &str) -> String {
    let read = async {
        loop {
            let read = person.read().iter().map(|message| plain(message)).collect::<Vec<_>>().join(" ");
            if read.contains(words) {
                return read;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    };
    let read = tokio::time::timeout(PATIENCE, read).await;
    read.unwrap_or_else(|_| panic!("no “{words}”: {:#?}", person.read()))
}

/// Fills in the form; gives what of it is not to be read as it was written.
async fn fills_in(person: &dyn Person) -> Vec<String> {
    let (words, mut lost) = (words(), Vec::new());
    let half = words.len() / 2;
    let kept = kept();
    let mut missing = |where_: &str, read: &str, wanted: &[&str]| {
        let gone = wanted.iter().filter(|words| !read.contains(&plain(words)));
        lost.extend(gone.map(|words| format!("{where_}: “{words}” in {read}")));
    };
    person.opens("odd").await;
    missing("a question", &reads(person, "What do you say?").await, &words);
    person.writes(&kept.join("\n")).await;
    missing("a list", &reads(person, "Which one?").await, &words[..half]);
    person.writes("1").await;
    missing("rows of a tool", &reads(person, "Which row?").await, &words[half..]);
    person.writes("1").await;
    let review = reads(person, "Is everything right?").await;
    let (_, review) = review.rsplit_once("Which row?").unwrap_or(("", &review));
    missing("a review", review, &kept);
    person.presses("Confirm").await;
    reads(person, "It is done.").await;
    lost
}

#[tokio::test(flavor = "multi_thread")]
async fn no_words_are_markup_or_a_mention_anywhere() {
    let stage = Stage::serving(Plan { forms: vec![form()], ..Plan::default() }).await;
    let people: [Anybody; 3] = stage.in_private(NAME);
    let [first, second, third] = people.each_ref().map(|person| fills_in(person.as_ref()));
    let (first, second, third) = tokio::join!(first, second, third);
    assert_eq!([first, second, third].concat(), Vec::<String>::new());

    let submitted = stage.submissions("odd", 3).await;
    for answers in &submitted {
        let said = plain(answers["said"].as_str().unwrap());
        assert!(kept().iter().all(|words| said.contains(&plain(words))), "{said}");
        assert_eq!(answers["picked"], "o0");
        assert!(answers["line"].as_str().is_some_and(|id| id.starts_with('r')), "{answers}");
    }
    let pings = [stage.telegram.pings(), stage.slack.pings(), stage.discord.pings()].concat();
    assert_eq!(pings, Vec::<String>::new());
    stage.assert_nothing_was_refused();
}
