//! What must not change what is understood of a message: politeness around it, and the order of its clauses.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value as Json, json};

use super::case::{Case, Given, Reader};
use super::services::{SERVICES, Service};
use super::{all_understood, score};

/// What people put before and behind what they say, by language.
const POLITE: &[(&str, &[&str], &[&str])] = &[
    (
        "en",
        &["Hi, ", "Hello! ", "Good evening, ", "OK, ", "Please, ", "please ", "Happy Monday! ", "Dear team, "],
        &[
            ", please",
            " please",
            ", thanks",
            " thank you",
            ". Thanks!",
            ", thanks a million",
            ". Many thanks in advance.",
        ],
    ),
    (
        "it",
        &["Ciao, ", "per favore ", "Buongiorno, ", "Salve! ", "Ok, ", "Buongiorno, spero che stiate bene. "],
        &[", per favore", ", grazie", " grazie mille", ", mille grazie"],
    ),
    (
        "es",
        &["Hola, ", "por favor ", "Buenos días, ", "¡Buenas! ", "Hola, espero que estén bien. "],
        &[", por favor", ", gracias", " muchas gracias", ", mil gracias"],
    ),
    (
        "de",
        &["Hallo, ", "bitte ", "Guten Tag, ", "Servus! ", "Ok, ", "Hallo, ich hoffe, es geht Ihnen gut. "],
        &[", bitte", ", danke", " vielen Dank", ", tausend Dank"],
    ),
    (
        "fr",
        &["Bonjour, ", "s'il vous plaît ", "Bonsoir, ", "Salut ! ", "Bonjour, j'espère que vous allez bien. "],
        &[", s'il vous plaît", ", merci", " merci beaucoup", ", merci mille fois"],
    ),
    (
        "ar",
        &["مرحبا، ", "السلام عليكم، ", "أهلا، ", "مرحبا، أرجو أن تكونوا بخير. "],
        &["، من فضلك", "، شكرا", " شكرا جزيلا", "، ألف شكر"],
    ),
];

fn own_messages() -> Vec<(Case, Given)> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/extraction/messages.jsonl");
    all_understood(&file).unwrap_or_else(|failure| panic!("{failure:?}"))
}

#[test]
fn politeness_changes_no_value() {
    let mut reader = Reader::default();
    let mut changed = Vec::new();
    for (case, given) in own_messages().into_iter().filter(|(case, given)| score::is_exact(case, given)) {
        let lang = case.lang.as_deref().unwrap_or("en");
        let Some((_, before, after)) = POLITE.iter().find(|(tag, ..)| *tag == lang) else {
            panic!("no words for {lang}")
        };
        let message = case.message.trim_end_matches(['.', '!']);
        let framed = before.iter().map(|words| format!("{words}{}", case.message));
        let behind = |words: &&str| {
            let question = message.ends_with('?');
            let words = if question { words.trim_start_matches([',', '.', ' ', '،']) } else { words };
            format!("{message}{}{words}", if question { " " } else { "" })
        };
        for message in framed.chain(after.iter().map(behind)) {
            let mut polite = case.clone();
            polite.message = message;
            let again = reader.given(&polite).unwrap().values;
            if again != given.values {
                changed.push(format!("{}: {}", polite.message, json!(again)));
            }
        }
    }
    assert!(changed.is_empty(), "{}\n{} changed", changed.join("\n"), changed.len());
}

/// Some clauses of a service in every order that matters: each two of them, and all of them turned round and backwards.
fn orders(service: &Service) -> Vec<Vec<(String, usize)>> {
    let clauses = &service.clauses;
    let pair = |one: &(String, usize), two: &(String, usize)| vec![one.clone(), two.clone()];
    let others = |one: &(String, usize)| {
        let others = clauses.iter().filter(|two| two.0 != one.0);
        others.map(|two| pair(one, two)).collect::<Vec<_>>()
    };
    let pairs = clauses.iter().flat_map(others);
    let turned = (0..clauses.len()).map(|at| [&clauses[at..], &clauses[..at]].concat());
    let backwards = turned.clone().map(|mut clauses| {
        clauses.reverse();
        clauses
    });
    pairs.chain(turned).chain(backwards).collect()
}

/// All that a message tells, whether it was taken or is asked about.
fn told(given: Given) -> BTreeMap<String, Json> {
    given.asked.into_iter().chain(given.values).collect()
}

fn values(reader: &mut Reader, service: &Service, message: &str) -> BTreeMap<String, Json> {
    told(reader.given(&service.case(message)).unwrap())
}

#[test]
fn every_clause_tells_its_values() {
    let mut reader = Reader::default();
    let mut silent = Vec::new();
    for service in SERVICES.iter() {
        for (clause, count) in &service.clauses {
            let told = values(&mut reader, service, clause);
            if told.len() != *count {
                silent.push(format!("{clause}: {}", json!(told)));
            }
        }
    }
    assert!(silent.is_empty(), "{}", silent.join("\n"));
}

#[test]
fn the_order_of_clauses_changes_no_value() {
    let mut reader = Reader::default();
    let mut changed = Vec::new();
    for service in SERVICES.iter() {
        for clauses in orders(service) {
            let mut alone = BTreeMap::new();
            for (clause, _) in &clauses {
                alone.extend(values(&mut reader, service, clause));
            }
            let message = service.joined(&clauses);
            let together = values(&mut reader, service, &message);
            if together != alone {
                changed.push(format!("{message}: {}", json!(together)));
            }
        }
    }
    assert!(changed.is_empty(), "{}\n{} changed", changed.join("\n"), changed.len());
}

#[test]
fn politeness_around_clauses_changes_no_value() {
    let mut reader = Reader::default();
    let mut changed = Vec::new();
    for service in SERVICES.iter() {
        let polite = POLITE.iter().find(|(tag, ..)| *tag == service.lang);
        let (_, before, after) = polite.unwrap_or_else(|| panic!("no words for {}", service.lang));
        let words = before.iter().cycle().zip(after.iter().cycle());
        for (clauses, (before, after)) in orders(service).iter().zip(words) {
            let message = service.joined(clauses);
            let plain = values(&mut reader, service, &message);
            for polite in [format!("{before}{message}"), format!("{message}{after}")] {
                let again = values(&mut reader, service, &polite);
                if again != plain {
                    changed.push(format!("{polite}: {}", json!(again)));
                }
            }
        }
    }
    assert!(changed.is_empty(), "{}\n{} changed", changed.join("\n"), changed.len());
}
