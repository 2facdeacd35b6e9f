//! Values that are right for their fields and that nobody said: none is stored.

use super::stage::{engine, place, turn};

/// Fields with values that each of them would take.
const VALUES: [(&str, &[&str]); 17] = [
    ("room", &["single", "double", "suite", "Garden suite"]),
    ("guests", &["1", "2", "four", "6"]),
    ("arrival", &["2026-12-24", "24 December 2026", "tomorrow", "next Friday"]),
    ("stay", &["2026-12-01/2026-12-05", "from 3 to 7 May"]),
    ("eta", &["18:30", "6 pm", "half past nine"]),
    ("budget", &["400", "400 EUR", "12,50 €", "four hundred euros"]),
    ("height", &["1.85", "2", "two"]),
    ("discount", &["15 %", "15", "fifteen percent"]),
    ("stars", &["1", "5", "five"]),
    ("breakfast", &["true", "false"]),
    ("extras", &["crib", "pillow", "crib, pillow", "Baby crib"]),
    ("view", &["sea", "hill", "Sea side", "attic window"]),
    ("email", &["ada@example.com", "bob.smith@mail.example"]),
    ("phone", &["347 123 4567", "+39 06 555 0123"]),
    ("site", &["https://example.com", "example.com/a"]),
    ("code", &["AB1234", "xy9876"]),
    ("wish", &["a room with a bath", "a dog", "no feathers"]),
];

/// What was said instead, about something else.
const SAID: [&str; 10] = [
    "I am so worn out from the trip",
    "the sun is shining over here",
    "hm, let me think about that for a moment",
    "my aunt liked the food last summer",
    "something with flowers outside",
    "it is hard to say in advance",
    "that depends on the weather, really",
    "we talked about it among ourselves",
    "sorry, the kettle is boiling over",
    "your hotel looks lovely on the pictures",
];

#[test]
fn no_invented_value_is_stored() {
    let engine = engine();
    let session = place(&engine, "begun");
    let values: Vec<(&str, &str)> =
        VALUES.iter().flat_map(|(field, values)| values.iter().map(move |value| (*field, *value))).collect();
    let (mut invented, mut stored, mut asked) = (0, Vec::new(), 0);
    let mut round = 0;
    while invented < 10_000 {
        let said = SAID[round % SAID.len()];
        let words: Vec<&str> = said.split([' ', ',']).filter(|word| !word.is_empty()).collect();
        // Ten inventions in each reply: their quotes are the value itself, words of the message, or words of the form.
        let updates: Vec<serde_json::Value> = (0..10)
            .map(|no| {
                let (field, value) = values[(round * 10 + no) % values.len()];
                let quote = match (round / values.len() + no) % 3 {
                    0 => value,
                    1 => words[(round + no) % words.len()],
                    _ => "Which room would you like?",
                };
                // Words that were said may be a wish: that is no invention.
                let quote = if field == "wish" { value } else { quote };
                serde_json::json!({"field": field, "quote": quote, "value": value})
            })
            .collect();
        invented += updates.len();
        let reply = serde_json::json!({"intent": "fill", "updates": updates}).to_string();
        let turn = turn(&engine, &session, said, Some(&reply));
        assert_eq!(turn.calls.len(), 1, "{said}");
        assert_eq!(turn.broken(&engine, said), Vec::<String>::new(), "{said} {reply}");
        stored
            .extend(turn.answers().into_iter().map(|(path, answer)| format!("{path} = {:?} of {said}", answer.value)));
        asked += usize::from(turn.after.draft != turn.before.draft && super::stage::asks(&turn.after));
        round += 1;
    }
    assert_eq!(stored, Vec::<String>::new(), "of {invented} invented values");
    println!(
        "of {invented} invented values 0 are stored; in {round} turns {asked} times the person is asked whether one is meant"
    );
}

#[test]
fn alone_no_invented_value_is_stored_either() {
    let engine = engine();
    let session = place(&engine, "begun");
    for (field, values) in VALUES.iter().filter(|(field, _)| *field != "wish") {
        for value in *values {
            for said in SAID {
                let word = said.split(' ').nth(2).unwrap();
                let reply =
                    serde_json::json!({"intent": "fill", "updates": [{"field": field, "quote": word, "value": value}]});
                let turn = turn(&engine, &session, said, Some(&reply.to_string()));
                assert!(turn.answers().is_empty(), "{said}: {field} = {value} by “{word}”: {:?}", turn.answers());
            }
        }
    }
}
