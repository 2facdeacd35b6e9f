//! What must not change what is understood of a message: politeness around it, and the order of its clauses.

use std::collections::BTreeMap;
use std::path::Path;

use proptest::prelude::*;
use serde_json::{Value as Json, json};

use super::case::{Case, Reader};
use super::{score, understood};

/// What people put before and behind what they say, by language.
const POLITE: &[(&str, &[&str], &[&str])] = &[
    (
        "en",
        &["Hi, ", "Hello! ", "Good evening, ", "OK, ", "Please, "],
        &[", please", ", thanks", " thank you", ". Thanks!"],
    ),
    ("it", &["Ciao, ", "Buongiorno, ", "Salve! ", "Ok, "], &[", per favore", ", grazie", " grazie mille"]),
    ("es", &["Hola, ", "Buenos días, ", "¡Buenas! "], &[", por favor", ", gracias", " muchas gracias"]),
    ("de", &["Hallo, ", "Guten Tag, ", "Servus! ", "Ok, "], &[", bitte", ", danke", " vielen Dank"]),
    ("fr", &["Bonjour, ", "Bonsoir, ", "Salut ! "], &[", s'il vous plaît", ", merci", " merci beaucoup"]),
    ("ar", &["مرحبا، ", "السلام عليكم، ", "أهلا، "], &["، من فضلك", "، شكرا", " شكرا جزيلا"]),
];

/// A booking, said in clauses that may stand in any order, by language.
const CLAUSES: &[(&str, &[&str])] = &[
    ("en", &["a table for four", "on 3 December", "at 8 pm", "my name is Rosa Klein", "my number is 347 123 4567"]),
    (
        "it",
        &["un tavolo per quattro", "il 3 dicembre", "alle 20", "mi chiamo Rosa Klein", "il mio numero è 347 123 4567"],
    ),
    (
        "es",
        &["una mesa para cuatro", "el 3 de diciembre", "a las 20", "me llamo Rosa Klein", "mi número es 347 123 4567"],
    ),
    (
        "de",
        &["ein Tisch für vier", "am 3. Dezember", "um 20 Uhr", "ich heiße Rosa Klein", "meine Nummer ist 347 123 4567"],
    ),
    (
        "fr",
        &[
            "une table pour quatre",
            "le 3 décembre",
            "à 20 heures",
            "je m'appelle Rosa Klein",
            "mon numéro est 347 123 4567",
        ],
    ),
    ("ar", &["طاولة لأربعة أشخاص", "يوم 3 ديسمبر", "الساعة 20:00", "اسمي روزا كلاين", "رقمي 347 123 4567"]),
];

fn own_messages() -> Vec<(Case, BTreeMap<String, Json>)> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/extraction/messages.jsonl");
    understood(&file).unwrap_or_else(|failure| panic!("{failure:?}"))
}

#[test]
fn politeness_changes_no_value() {
    let mut reader = Reader::default();
    let mut changed = Vec::new();
    for (case, values) in own_messages().into_iter().filter(|(case, values)| score::is_exact(case, values)) {
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
            let again = reader.values(&polite).unwrap();
            if again != values {
                changed.push(format!("{}: {}", polite.message, json!(again)));
            }
        }
    }
    assert!(changed.is_empty(), "{}\n{} changed", changed.join("\n"), changed.len());
}

fn booking(lang: &str, message: &str) -> Case {
    let fields = json!([
        { "id": "people", "type": "integer", "label": "people", "min": 1, "max": 20 },
        { "id": "day", "type": "date", "label": "day" },
        { "id": "time", "type": "time", "label": "time" },
        { "id": "name", "type": "text", "label": "name", "subtype": "person" },
        { "id": "phone", "type": "phone", "label": "phone" },
    ]);
    let case = json!({
        "id": "1", "form": { "fields": fields }, "message": message, "now": "2026-11-21T10:00:00", "lang": lang,
        "expect": {},
    });
    serde_json::from_value(case).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn the_order_of_clauses_changes_no_value(
        (lang, clauses) in prop::sample::select(CLAUSES).prop_flat_map(|(lang, clauses)| {
            (Just(lang), prop::sample::subsequence(clauses, 1..=clauses.len()).prop_shuffle())
        }),
    ) {
        let mut reader = Reader::default();
        let mark = if lang == "ar" { "، " } else { ", " };
        let values = reader.values(&booking(lang, &clauses.join(mark))).unwrap();
        let mut alone = BTreeMap::new();
        for clause in &clauses {
            alone.extend(reader.values(&booking(lang, clause)).unwrap());
        }
        prop_assert_eq!(values.len(), clauses.len(), "{:?}: {:?}", clauses, values);
        prop_assert_eq!(values, alone, "{:?}", clauses);
    }
}
