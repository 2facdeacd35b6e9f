//! Words that are markup, mentions or links somewhere, as names of forms, questions, options, rows of tools, people, and as
//! answers: they are read as they were written, nobody is pinged, and nothing is marked up.

use formwright_chat::conformance::HOSTILE;
use serde_json::{Value, json};

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

/// The two halves of the words: of options and rows only so many are seen at once on every platform.
fn halves() -> [Vec<&'static str>; 2] {
    let mut first = words();
    let second = first.split_off(first.len() / 2);
    [first, second]
}

/// A form whose every text is such words: all of them names of options and of a tool's rows too.
fn form() -> String {
    let words = words();
    let [first, second] = halves();
    let options = |labels: &[&str], details: &[&str]| -> Vec<Value> {
        let option = |(no, (label, detail))| json!({"id": format!("o{no}"), "label": label, "detail": detail});
        labels.iter().zip(details).enumerate().map(option).collect()
    };
    let rows = |names: &[&str]| -> Vec<Value> {
        names.iter().enumerate().map(|(no, name)| json!({"id": format!("r{no}"), "name": name})).collect()
    };
    let all = words.join("\n");
    let picked = |id: &str, label: &str, options: Vec<Value>| {
        json!({"id": id, "kind": "choice", "fill": "asked", "label": label, "options": options,
            "ask": format!("Which one of {id}?\n{all}")})
    };
    let line = |id: &str, label: &str| {
        json!({"id": id, "kind": "choice", "fill": "asked", "label": label, "ask": format!("Which row of {id}?\n{all}"),
            "options_from": {"tool": format!("rows_of_{id}"), "id": "id", "label": "name"}})
    };
    let tool = |id: &str, rows: Vec<Value>| json!({"id": format!("rows_of_{id}"), "kind": "data", "description": all, "message": all, "rows": rows});
    let form = json!({
        "id": "odd", "title": words[0], "description": all, "start_examples": ["odd"], "greeting": all,
        "messages": {"submitted": "It is done."},
        "field": [
            {"id": "said", "kind": "long_text", "label": words[1], "ask": format!("What do you say?\n{all}"), "help": all},
            picked("a", words[2], options(&first, &second)), picked("b", words[3], options(&second, &first)),
            line("c", words[4]), line("d", words[5]),
        ],
        "tool": [tool("c", rows(&first)), tool("d", rows(&second))],
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
    let [first, second] = halves();
    let kept = kept();
    let mut missing = |where_: &str, read: &str, wanted: &[&str]| {
        let gone = wanted.iter().filter(|words| !read.contains(&plain(words)));
        lost.extend(gone.map(|words| format!("{where_}: “{words}” in {read}")));
    };
    person.opens("odd").await;
    missing("a question", &reads(person, "What do you say?").await, &words);
    person.writes(&kept.join("\n")).await;
    for (asked, wanted) in [
        ("Which one of a?", &first),
        ("Which one of b?", &second),
        ("Which row of c?", &first),
        ("Which row of d?", &second),
    ] {
        missing(asked, &reads(person, asked).await, wanted);
        person.writes("the first one").await;
    }
    let review = reads(person, "Is everything right?").await;
    let (_, review) = review.rsplit_once("Which row of d?").unwrap_or(("", &review));
    missing("a review", review, &kept);
    person.presses("Confirm").await;
    reads(person, "It is done.").await;
    lost
}

#[tokio::test(flavor = "multi_thread")]
async fn no_words_are_markup_or_a_mention_anywhere() {
    let stage = Stage::serving(Plan { forms: vec![form()], ..Plan::default() }).await;
    let [first, second, third] = stage.in_private(NAME);
    let terminal = stage.terminal();
    let people: [Anybody; 5] = [first, second, third, stage.page().await, terminal.clone()];
    let lost = super::all(people.iter().map(|person| fills_in(person.as_ref())).collect()).await;
    assert_eq!(lost.concat(), Vec::<String>::new());

    let mut submitted = stage.submissions("odd", 4).await;
    submitted.extend(terminal.submitted("odd"));
    assert_eq!(submitted.len(), 5);
    for answers in &submitted {
        let said = plain(answers["said"].as_str().unwrap());
        assert!(kept().iter().all(|words| said.contains(&plain(words))), "{said}");
        assert_eq!([&answers["a"], &answers["b"], &answers["c"], &answers["d"]], ["o0", "o0", "r0", "r0"]);
    }
    let pings = [stage.telegram.pings(), stage.slack.pings(), stage.discord.pings()].concat();
    assert_eq!(pings, Vec::<String>::new());
    stage.assert_nothing_was_refused();
}
