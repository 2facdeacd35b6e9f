//! The tables of all languages say the same things, and the words they tell people to say are understood.

use std::collections::BTreeSet;

use crate::prompt::testing::{self, CODES};
use crate::prompt::{self};
use formwright_form::kind::Said;
use formwright_lexicon::control::Control;
use formwright_lexicon::{Language, language};

#[test]
fn every_language_has_every_message_with_the_same_facts() {
    let english = testing::messages("en");
    let mut wrong = Vec::new();
    for code in CODES {
        let theirs = testing::messages(code);
        for (name, wordings) in &english {
            let Some(translated) = theirs.get(name) else {
                wrong.push(format!("{code} lacks {name}"));
                continue;
            };
            if translated.len() < wordings.len() {
                wrong.push(format!("{code}: {name} has too few wordings"));
            }
            let named: BTreeSet<String> = wordings.iter().flat_map(|wording| testing::facts(wording)).collect();
            let unknown: Vec<_> = translated
                .iter()
                .flat_map(|wording| testing::facts(wording))
                .filter(|fact| !named.contains(fact))
                .collect();
            if !unknown.is_empty() {
                wrong.push(format!("{code}: {name} names {unknown:?}"));
            }
            let turns: BTreeSet<&String> = translated.iter().collect();
            if turns.len() < translated.len() {
                wrong.push(format!("{code}: {name} says the same twice"));
            }
        }
        let unsaid = theirs.keys().filter(|name| !english.contains_key(*name));
        wrong.extend(unsaid.map(|name| format!("{code} has {name}, which nothing says")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_language_is_a_copy_of_english() {
    let english = testing::messages("en");
    for code in CODES.into_iter().skip(1) {
        let theirs = testing::messages(code);
        let same: Vec<_> = english
            .iter()
            .filter(|(name, wordings)| {
                let words = wordings
                    .iter()
                    .any(|wording| prompt::fill_in(wording, &[]).chars().filter(|c| c.is_alphabetic()).count() > 8);
                words && theirs.get(*name) == Some(*wordings)
            })
            .map(|(name, _)| name)
            .collect();
        assert!(same.is_empty(), "{code} has in English: {same:?}");
    }
}

#[test]
fn the_words_that_messages_tell_people_to_say_are_understood_in_their_language() {
    let english = testing::messages("en");
    let mut wrong = Vec::new();
    for code in CODES {
        let theirs = testing::messages(code);
        for (name, wordings) in &english {
            let wanted = wanted(wordings, language("en"));
            let told = wanted_by(&theirs[name], language(code));
            match told {
                Err(word) => wrong.push(format!("{code}: {name} tells people to say “{word}”")),
                Ok(told) if told != wanted => wrong.push(format!("{code}: {name} tells of {told:?}, not {wanted:?}")),
                Ok(_) => {}
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What the quoted words of a message do.
fn wanted(wordings: &[String], lang: &Language) -> BTreeSet<Control> {
    wanted_by(wordings, lang).unwrap()
}

fn wanted_by(wordings: &[String], lang: &Language) -> Result<BTreeSet<Control>, String> {
    let mut found = BTreeSet::new();
    for word in wordings.iter().flat_map(|wording| quoted(wording)).filter(|word| !word.contains('{')) {
        let said = Said::new(word);
        match lang.control.whole.at(&said, 0) {
            Some((words, control)) if words == said.words.len() => found.insert(*control),
            _ => return Err(word.to_owned()),
        };
    }
    Ok(found)
}

/// What stands in quotation marks.
fn quoted(text: &str) -> Vec<&str> {
    const MARKS: [(char, char); 3] = [('“', '”'), ('„', '“'), ('«', '»')];
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((at, open)) = rest.char_indices().find(|(_, c)| MARKS.iter().any(|(open, _)| open == c)) {
        rest = &rest[at + open.len_utf8()..];
        let close = MARKS.iter().find(|(mark, _)| *mark == open).map(|(_, close)| *close).unwrap();
        let Some(end) = rest.find(close) else { break };
        found.push(rest[..end].trim_matches(['\u{a0}', '\u{202f}', ' ']));
        rest = &rest[end + close.len_utf8()..];
    }
    found
}

#[test]
fn facts_are_data() {
    assert_eq!(prompt::fill_in("{a} and {b}!", &[("a", "{b}"), ("b", "x")]), "{b} and x!");
    assert_eq!(prompt::fill_in("{missing", &[]), "{missing");
}
