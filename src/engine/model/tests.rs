//! Turns with a model: what its reply leads to, and what it was told.

use super::testing::Chat;

const REPORT: &str = r#"
schema = 1
id = "report"
title = "Report"
[[field]]
id = "purpose"
kind = "long_text"
label = "Purpose"
ask = "What is it for?"
judge = "what it is for"
[[field]]
id = "seats"
kind = "integer"
label = "Seats"
ask = "How many seats?"
"#;

#[test]
fn after_two_refusals_by_a_model_the_persons_words_are_taken() {
    let no = r#"{"about":false,"intent":"fill","updates":[]}"#;
    let mut chat = Chat::about(REPORT, "en");
    for words in ["for our tea party", "for the tea party in May"] {
        let reply = chat.say(words, no);
        assert!(reply.contains("does not seem to be an answer"), "{reply}");
        assert_eq!(chat.answer("purpose"), None);
    }
    let reply = chat.say("a party with tea", no);
    assert_eq!(chat.answer("purpose").as_deref(), Some("a party with tea"), "{reply}");
    assert!(!reply.contains("answer about"), "{reply}");
    assert!(chat.asked.is_none(), "what nobody judges needs no call");
}

#[test]
fn what_only_the_model_found_is_judged_as_well() {
    let proposes = |about: bool| {
        let update = r#"{"field":"purpose","quote":"asdf","value":"asdf"}"#;
        format!(r#"{{"about":{about},"intent":"fill","updates":[{update}]}}"#)
    };
    let (first, purpose) = REPORT.split_at(REPORT.find("[[field]]").unwrap());
    let (purpose, seats) = purpose.split_at(purpose.rfind("[[field]]").unwrap());
    let mut chat = Chat::about(&[first, seats, purpose].concat(), "en");
    let reply = chat.say("4 and asdf", &proposes(false));
    assert_eq!(chat.answer("purpose"), None, "{reply}");
    assert_eq!(chat.answer("seats").as_deref(), Some("Integer(4)"), "{reply}");
    assert!(reply.contains("does not seem to be an answer"), "{reply}");
}

const HEALTH: &str = r#"
schema = 1
id = "health"
title = "Health"
[[field]]
id = "illness"
kind = "long_text"
label = "Illness"
ask = "Which illness do you have?"
sensitive = true
required = false
[[field]]
id = "meal"
kind = "choice"
label = "Meal"
ask = "Which meal?"
options = ["soup", "salad"]
"#;

#[test]
fn what_is_said_to_a_sensitive_question_is_hidden_whatever_comes_of_it() {
    for words in ["skip, my HIV is private", "skip", "what is that good for? HIV is private", "it is HIV", "HIV? never"]
    {
        let mut chat = Chat::about(HEALTH, "en");
        chat.say(words, "");
        assert_eq!(chat.remembered(), ["[hidden]"], "{words}");
        chat.say("something warm, nice and zam", r#"{"intent":"fill","updates":[]}"#);
        let call = chat.asked.as_ref().map(|call| call.message.clone()).unwrap_or_default();
        assert!(!call.contains("HIV"), "{words}: {call}");
    }
}

#[test]
fn words_of_a_sensitive_text_are_hidden_one_by_one() {
    let mut chat = Chat::about(HEALTH, "en");
    chat.say("I take insulin for my diabetes", "");
    assert!(chat.answer("illness").is_some());
    chat.say("something warm that goes well with DIABETES and Insulin", r#"{"intent":"fill","updates":[]}"#);
    let call = chat.asked.as_ref().expect("the model was asked").message.to_lowercase();
    assert!(!call.contains("diabetes") && !call.contains("insulin"), "{call}");
    assert!(call.contains("something warm that goes well with [hidden] and [hidden]"), "{call}");
}
