//! What is found, what is not, and that nothing that people write is taken as a query.

use std::collections::BTreeMap;

use super::*;
use formwright_form::context::Document;
use formwright_form::problem::Place;
use formwright_load::{Syntax, load};

const GUIDE: &str = include_str!("tests/guide.md");
const SERVICE: &str = include_str!("tests/service.md");
const SERVIZIO: &str = include_str!("tests/servizio.md");
const POLICY: &str = include_str!("../../forms/documents/expense-policy.md");
const OTHERS: &str = include_str!("tests/others.txt");
const QUESTIONS: &str = include_str!("tests/questions.txt");

fn document(text: &str, langs: &[&str]) -> Document {
    let langs = langs.iter().map(|lang| (*lang).to_owned()).collect();
    Document { title: None, langs, file: None, text: text.to_owned(), place: Place::default() }
}

fn shelf(documents: Vec<Document>) -> Shelf {
    let shelf = Shelf::default();
    shelf.share(Context::new(documents));
    shelf
}

fn all() -> Shelf {
    let mut documents = vec![document(GUIDE, &["en"]), document(POLICY, &["en"])];
    documents.extend(OTHERS.split("\n%\n").map(|part| {
        let (lang, text) = part.split_once('\n').unwrap();
        document(text, &[lang])
    }));
    shelf(documents)
}

fn found(shelf: &Shelf, question: &str) -> Option<(String, String)> {
    shelf.find(None, question, "en").map(|passage| (passage.source, passage.text))
}

#[test]
fn questions_are_answered_by_the_passage_that_is_about_them_and_others_by_none() {
    let shelf = all();
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    let mut wrong = Vec::new();
    for line in QUESTIONS.lines().filter(|line| !line.starts_with('#')) {
        let [lang, wanted, question] = line.splitn(3, '|').map(str::trim).collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let passage = shelf.find(None, question, lang);
        let heading = passage.as_ref().and_then(|passage| passage.source.rsplit(" › ").next()).unwrap_or("-");
        let outcome = match (wanted, heading) {
            (wanted, heading) if wanted == heading => {
                if wanted == "-" {
                    "rightly none"
                } else {
                    "right"
                }
            }
            (_, "-") => "missed",
            ("-", _) => "needless",
            _ => "another",
        };
        *counts.entry(outcome).or_default() += 1;
        if !outcome.starts_with("right") {
            wrong.push(format!("{outcome}: {question} → {heading}"));
        }
    }
    let count = |outcome: &str| f64::from(counts.get(outcome).copied().unwrap_or(0));
    let answered = count("right") + count("another") + count("needless");
    let precision = count("right") / answered;
    let recall = count("right") / (count("right") + count("another") + count("missed"));
    let told = format!("precision {precision:.2}, recall {recall:.2}\n{counts:?}\n{}", wrong.join("\n"));
    assert!(precision >= 1.0 && recall >= 0.95, "{told}");
}

/// How people ask, with other words than the document's.
#[rstest::rstest]
#[case("en", "how long does delivery to France take?", "Delivery times")]
#[case("en", "what happens if nobody picks up the parcel?", "Nobody at home")]
#[case("en", "how long do you keep it", "Nobody at home")]
#[case("en", "when do I get my money back?", "Refunds")]
#[case("en", "would a damaged parcel be insured?", "What is insured")]
#[case("en", "how much is insured?", "What is insured")]
#[case("en", "what is not insured?", "What is NOT insured")]
#[case("en", "are jewels insured?", "What is NOT insured")]
#[case("en", "is late delivery compensated?", "Delays")]
#[case("en", "return policy?", "Returns")]
#[case("en", "opening hours", "Opening hours")]
#[case("en", "when do you close?", "Opening hours")]
#[case("it", "quanto dura la giacenza?", "Giacenza")]
#[case("it", "quando ricevo il rimborso?", "Rimborsi")]
#[case("it", "quando riavrò i soldi indietro?", "Rimborsi")]
#[case("it", "a che ora chiude lo sportello?", "Orari di apertura")]
#[case("en", "do you sell stamps?", "-")]
#[case("en", "when was the company founded?", "-")]
#[case("en", "what colour is the courier's phone?", "-")]
#[case("it", "quanto costa il parcheggio?", "-")]
fn a_passage_is_found_by_other_words_for_the_same(#[case] lang: &str, #[case] question: &str, #[case] heading: &str) {
    let shelf = shelf(vec![document(SERVICE, &["en"]), document(SERVIZIO, &["it"])]);
    let found = shelf.find(None, question, lang);
    assert_eq!(found.as_ref().and_then(|found| found.source.rsplit(" › ").next()).unwrap_or("-"), heading);
}

/// Of a question none of whose words says something by itself, the heading has to be asked.
#[rstest::rstest]
#[case("how long does it take?", "How long it takes")]
#[case("How long will it take, please?", "How long it takes")]
#[case("how does it work?", "How it works")]
#[case("how are you?", "-")]
#[case("does it work?", "-")]
#[case("what is it?", "-")]
fn a_heading_of_small_words_is_asked_in_them(#[case] question: &str, #[case] heading: &str) {
    let text =
        "# Permit\n\n## How long it takes\n\nTwo weeks.\n\n## How it works\n\nYou send it in.\n\n## What\n\nA paper.\n";
    let found = shelf(vec![document(text, &["en"])]).find(None, question, "en");
    assert_eq!(found.as_ref().and_then(|found| found.source.rsplit(" › ").next()).unwrap_or("-"), heading);
}

#[test]
fn the_name_of_a_heading_alone_is_told_from_a_question() {
    let shelf = shelf(vec![document(SERVICE, &["en"])]);
    let named = |text: &str| shelf.find(None, text, "en").is_some_and(|found| found.named);
    assert!(named("opening hours") && named("Refunds"));
    assert!(!named("a parcel for the opening of the shop, at the usual hours") && !named("Saturday from 9 to 12"));
}

#[test]
fn tables_and_lists_are_quoted_as_lines_to_read() {
    let shelf = shelf(vec![document(SERVICE, &["en"])]);
    let text = |question: &str| shelf.find(None, question, "en").unwrap().text;
    assert!(
        text("how long does delivery to France take?")
            .contains("\nFrance, Germany — Working days: 3 to 4, Saturday: no\n")
    );
    assert!(text("is cash not insured?").starts_with("Cash and cheques\nJewels, watches and works of art\n"));
}

#[test]
fn documents_in_another_language_are_asked_in_their_own_words_and_answer_last() {
    const FORM: &str = "id = \"f\"\ntitle = \"F\"\n\n[[field]]\nid = \"a\"\nkind = \"text\"\n";
    let shelf = shelf(vec![document(SERVIZIO, &["it"])]);
    let found = shelf.find(None, "quanto dura la giacenza?", "en").unwrap();
    assert_eq!((found.source.as_str(), found.own), ("Servizio pacchi › Giacenza", false));
    let mut form = load(FORM, Syntax::Toml).form.unwrap();
    form.context = Context::new(vec![document("# Refunds\n\nRefunds refunds: refunds.", &["it"])]);
    shelf.share(Context::new(vec![document(SERVICE, &["en"])]));
    assert!(shelf.find(Some(&form), "refunds?", "en").unwrap().own);
}

#[test]
fn many_documents_in_other_languages_hide_none_in_the_own_one() {
    let mut documents: Vec<Document> = (0..60).map(|_| document("# Refunds\n\nRefunds refunds.", &["it"])).collect();
    documents.push(document(
        "# Service\n\nWhat is long and has many words to say about much else says that refunds are rare. Refunds take time.",
        &["en"],
    ));
    assert_eq!(shelf(documents).find(None, "refunds?", "en").map(|found| found.own), Some(true));
}

#[test]
fn a_passage_is_quoted_with_where_it_stands() {
    let shelf = all();
    let (source, text) = found(&shelf, "Can I choose the day of delivery?").unwrap();
    assert_eq!(source, "Parcel guide › Delivery › Delivery on a wished day");
    assert_eq!(text, "For 2 euros you may choose the day. It can be changed until the evening before.");
    let (_, rows) = found(&shelf, "how much may a hotel in London cost?").unwrap();
    assert!(rows.contains("\nLondon, Zurich — At most: 190 euros\n"), "{rows}");
}

#[test]
fn documents_in_the_language_spoken_go_first() {
    let shelf = shelf(vec![
        document("# Info\n\nThe Rimborso takes ten days.", &["en"]),
        document("# Info\n\nIl rimborso arriva in dieci giorni.", &["it"]),
    ]);
    let said = |lang: &str| shelf.find(None, "rimborso?", lang).unwrap().text;
    assert_eq!(said("it-IT"), "Il rimborso arriva in dieci giorni.");
    assert_eq!(said("en"), "The Rimborso takes ten days.");
    assert_eq!(said("fr"), "The Rimborso takes ten days.", "better than nothing");
}

#[rstest::rstest]
#[case("\"parcel number")]
#[case("parcel number\"")]
#[case("parcel* OR heading:number")]
#[case("NEAR(parcel number, 2)")]
#[case("{heading body} : parcel AND number NOT x")]
#[case("'; DROP TABLE passage; -- parcel number")]
#[case("parcel^ + number - (((")]
#[case("parcel\0number")]
fn what_people_write_is_no_query(#[case] question: &str) {
    let shelf = all();
    let _ = found(&shelf, question);
    assert!(found(&shelf, "What is a parcel number?").is_some(), "nothing was changed");
}

#[test]
fn any_question_is_answered_or_not_and_the_same_way_twice() {
    let shelf = all();
    for question in ["", "?", "\u{202e}?", "AND", "OR NOT", "a", "0", "🙂", "ب"] {
        assert_eq!(found(&shelf, question), None, "{question}");
    }
    let long = "parcel ".repeat(10_000);
    assert_eq!(found(&shelf, &long), found(&all(), &long));
}

#[test]
fn other_documents_give_other_answers() {
    let shelf = shelf(vec![document("# Shop\n\nWe open at eight.", &[])]);
    assert_eq!(found(&shelf, "When do you open?").unwrap().1, "We open at eight.");
    shelf.share(Context::new(vec![document("# Shop\n\nWe open at nine.", &[])]));
    assert_eq!(found(&shelf, "When do you open?").unwrap().1, "We open at nine.");
    shelf.share(Context::default());
    assert_eq!(found(&shelf, "When do you open?"), None);
}

#[test]
fn text_without_headings_is_named_by_its_file() {
    let notes = Document {
        file: Some("docs/opening_hours.txt".to_owned()),
        ..document("We open\nat eight.\n\nWe close at six.", &[])
    };
    let shelf = shelf(vec![notes]);
    assert_eq!(
        found(&shelf, "When do you open?").unwrap(),
        ("Opening hours".to_owned(), "We open at eight.\nWe close at six.".to_owned())
    );
}

/// Which heading names the document and is no subject of its own, and which one is.
#[rstest::rstest]
#[case::one_heading(None, "# Carry-over\n\nUp to five days go into the next year.", "Carry-over")]
#[case::with_a_title(Some("Leave"), "# Carry-over\n\nUp to five days go into the next year.", "Leave › Carry-over")]
#[case::titled_alike(Some("Carry-over"), "# Carry-over\n\nUp to five days go into the next year.", "-")]
#[case::the_first_of_many(
    Some("Leave"),
    "## Carry-over\n\nUp to five days go into the next year.\n\n## Sick days\n\nTell your lead.",
    "Leave › Carry-over"
)]
#[case::below_a_name(None, "# Leave\n\n## Carry-over\n\nUp to five days go into the next year.", "Leave › Carry-over")]
fn a_heading_with_none_below_it_is_asked_about(
    #[case] title: Option<&str>,
    #[case] text: &str,
    #[case] source: &str,
    #[values("what is carry-over?", "carry-over")] question: &str,
) {
    let document = Document { title: title.map(str::to_owned), ..document(text, &["en"]) };
    let found = shelf(vec![document]).find(None, question, "en");
    assert_eq!(found.as_ref().map_or("-", |found| found.source.as_str()), source);
    assert_eq!(found.is_some_and(|found| found.named), source != "-");
}
