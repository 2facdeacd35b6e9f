//! Turns with a model: what its reply leads to, and what it was told.

use rstest::rstest;

use crate::model::testing::Chat;
use formwright_nlu::Pending;

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

#[test]
fn what_a_model_read_is_told_from_what_code_read() {
    let form = REPORT.replace("judge = \"what it is for\"\n", "");
    let (first, purpose) = form.split_at(form.find("[[field]]").unwrap());
    let (purpose, seats) = purpose.split_at(purpose.rfind("[[field]]").unwrap());
    let mut chat = Chat::about(&[first, seats, purpose].concat(), "en");
    let update = r#"{"field":"purpose","quote":"a tea party","value":"a tea party"}"#;
    let reply = chat.say("4, we are having a tea party", &format!(r#"{{"intent":"fill","updates":[{update}]}}"#));
    assert_eq!(chat.answer("purpose").as_deref(), Some("a tea party"), "{reply}");
    assert_eq!([chat.is_by_model("seats"), chat.is_by_model("purpose")], [Some(false), Some(true)]);
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
fn what_is_said_to_the_question_for_more_sensitive_items_is_hidden_whatever_comes_of_it() {
    const CODES: &str = r#"
schema = 1
id = "codes"
title = "Codes"
[[field]]
id = "codes"
kind = "list"
of = "text"
item = "code"
label = "Codes"
ask = "Which code?"
sensitive = true
[[field]]
id = "name"
kind = "text"
label = "Name"
"#;
    let mut chat = Chat::about(CODES, "en");
    for words in ["ABC111", "yes", "ABC222", "what are they for? ABC333 is private", "no"] {
        chat.say(words, "");
    }
    assert_eq!(chat.remembered(), ["[hidden]"; 5]);
}

const VAULT: &str = r#"
schema = 1
id = "vault"
title = "Vault"
[[field]]
id = "name"
kind = "text"
label = "Name"
[[field]]
id = "word"
kind = "text"
label = "Secret word"
sensitive = true
[[field]]
id = "note"
kind = "long_text"
label = "Note"
"#;

#[test]
fn a_secret_goes_into_the_sensitive_field_that_it_names_and_nowhere_else() {
    let mut chat = Chat::about(VAULT, "en");
    chat.say("Ada", "");
    let told = chat.say("my secret word is Sunshine77", "");
    assert_eq!(chat.answer("word").as_deref(), Some("Sunshine77"), "asked: {told}");

    let mut chat = Chat::about(VAULT, "en");
    let told = chat.say("my secret word is Sunshine77", "");
    assert_eq!((chat.answer("word").as_deref(), chat.answer("name")), (Some("Sunshine77"), None), "named: {told}");
    assert!(!told.contains("Sunshine77"), "{told}");
    assert_eq!(chat.remembered(), ["[hidden]"]);

    for token in ["ghp_0123456789abcdefABCDEF0123456789abcd", "my password is Sunshine77"] {
        let mut chat = Chat::about(VAULT, "en");
        let told = chat.say(token, "");
        assert!(chat.answer("name").is_none() && told.contains("password"), "{token}: {told}");
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

const ORDER: &str = r#"
schema = 1
id = "order"
title = "Order"
[[field]]
id = "guest"
kind = "text"
subtype = "person"
label = "Name"
ask = "What is your name?"
[[field]]
id = "seats"
kind = "integer"
label = "Seats"
ask = "How many seats?"
[[field]]
id = "colour"
kind = "choice"
label = "Colour"
ask = "Which colour?"
options = ["red", "blue", "green"]
[[field]]
id = "note"
kind = "long_text"
label = "Note"
ask = "Anything else?"
[[faq]]
question = "Can guests leave their car in the yard?"
answer = "Yes, free of charge."
"#;

fn proposes(field: &str, quote: &str, value: &str) -> String {
    proposes_all(&[(field, quote, value)])
}

fn proposes_all(updates: &[(&str, &str, &str)]) -> String {
    let update = |(field, quote, value): &(&str, &str, &str)| serde_json::json!({"field": field, "quote": quote, "value": value});
    let updates: Vec<_> = updates.iter().map(update).collect();
    serde_json::json!({"intent": "fill", "updates": updates}).to_string()
}

#[rstest]
#[case("en", "oh well, anything but the red zam", "red")]
#[case("en", "well I hate red zam", "red")]
#[case("en", "nobody likes red here zam", "red")]
#[case("de", "nun ja rot mag hier niemand", "rot")]
#[case("es", "a nadie le gusta el rojo zam", "rojo")]
#[case("it", "beh il mio gatto odia il rosso zam", "rosso")]
#[case("fr", "bof personne n'aime le rouge zam", "rouge")]
#[case("ar", "لا أحد يحب الأحمر هنا", "الأحمر")]
fn what_the_person_denies_is_dropped(#[case] lang: &str, #[case] message: &str, #[case] quote: &str) {
    let mut chat = Chat::about(ORDER, lang);
    chat.say("Ann Lee", "");
    chat.say("4", "");
    let reply = chat.say(message, &proposes("colour", quote, "red"));
    assert_eq!(chat.answer("colour"), None, "{reply}");
    assert!(!chat.sees_a_proposal(), "{reply}");
}

#[rstest]
#[case("de", "wir sind nicht vier sondern fünf", "vier")]
#[case("de", "wir sind keine vier", "vier")]
#[case("es", "no somos cuatro", "cuatro")]
#[case("ar", "لسنا أربعة بل خمسة", "أربعة")]
fn a_denied_number_is_dropped(#[case] lang: &str, #[case] message: &str, #[case] quote: &str) {
    let mut chat = Chat::about(ORDER, lang);
    chat.say("Ann Lee", "");
    let reply = chat.say(message, &proposes("seats", quote, "4"));
    assert_ne!(chat.answer("seats").as_deref(), Some("Integer(4)"), "{reply}");
    assert!(!chat.sees_a_proposal() || !reply.contains('4'), "{reply}");
}

const PARTY: &str = r#"
schema = 1
id = "party"
title = "Party"
[[field]]
id = "hall"
kind = "choice"
label = "Hall"
ask = "Which hall?"
options = ["garden", "cellar"]
[[field]]
id = "seats"
kind = "integer"
label = "Seats"
ask = "How many seats?"
[[field]]
id = "day"
kind = "date"
label = "Day"
ask = "Which day?"
[[field]]
id = "colour"
kind = "choice"
label = "Colour"
ask = "Which colour?"
options = ["red", "blue", "green"]
[[field]]
id = "email"
kind = "email"
label = "E-mail"
ask = "Your e-mail?"
[[field]]
id = "motto"
kind = "text"
label = "Motto"
ask = "Which motto?"
"#;

#[rstest]
#[case("seats", "zam: well, 5 or 7 of them zum", "5", "5")]
#[case("seats", "zam: well, 5 or 7 of them zum", "7", "7")]
#[case("seats", "zam: well, 5 or 7 of them zum", "5 or 7", "5")]
#[case("day", "zam: well, Monday or Tuesday zum", "Monday", "Monday")]
#[case("colour", "zam: well, red or blue zum", "red", "red")]
#[case("motto", "zam: well, peace or freedom zum", "peace", "peace")]
#[case("seats", "zam: last year 70 of them came", "70", "70")]
#[case("email", "zam, my boss ann@x.org must not know", "ann@x.org", "ann@x.org")]
#[case("email", "zam, my boss sits at ann@x.org", "ann@x.org", "ann@x.org")]
fn what_may_not_be_meant_is_asked_and_not_stored(
    #[case] field: &str,
    #[case] message: &str,
    #[case] quote: &str,
    #[case] value: &str,
) {
    let mut chat = Chat::about(PARTY, "en");
    let reply = chat.say(message, &proposes(field, quote, value));
    assert!(chat.asked.is_some(), "{reply}");
    assert_eq!(chat.answer(field), None, "{reply}");
    assert!(chat.is_asked_about(), "{message}: {reply}");
}

const ROOMS: &str = r#"
schema = 1
id = "rooms"
title = "Rooms"
[[field]]
id = "guests"
kind = "integer"
label = "Guests"
ask = "How many guests?"
[[field]]
id = "beds"
kind = "integer"
label = "Beds"
ask = "How many beds?"
[[field]]
id = "garden"
kind = "yes_no"
label = "Garden"
ask = "With a garden?"
"#;

const NOTHING: &str = r#"{"intent":"fill","updates":[]}"#;

#[test]
fn what_is_said_while_a_model_thinks_answers_what_the_person_saw() {
    let mut chat = Chat::about(ROOMS, "en");
    let reply = chat.say_both("4, zam zum", NOTHING, "5");
    assert_eq!((chat.answer("guests").as_deref(), chat.answer("beds")), (Some("Integer(4)"), None), "{reply}");
    assert!(chat.sees_a_proposal() && reply.contains("5 instead of 4"), "{reply}");
    let reply = chat.say("yes", "");
    assert_eq!((chat.answer("guests").as_deref(), chat.answer("beds")), (Some("Integer(5)"), None), "{reply}");
    assert!(reply.contains("Beds?"), "{reply}");
    chat.say("3", "");
    assert_eq!(chat.answer("beds").as_deref(), Some("Integer(3)"), "what is said after the question answers it");
}

#[test]
fn what_is_named_while_a_model_thinks_counts() {
    let mut chat = Chat::about(ROOMS, "en");
    let reply = chat.say_both("4, zam zum", NOTHING, "3 beds");
    assert_eq!(chat.answer("beds").as_deref(), Some("Integer(3)"), "{reply}");
    assert!(!chat.is_asked_about() && reply.contains("With a garden?"), "{reply}");
}

#[test]
fn where_no_clock_moves_every_question_was_seen() {
    let mut chat = Chat::about(ROOMS, "en");
    chat.meanwhile = jiff::SignedDuration::ZERO;
    let reply = chat.say_both("4, zam zum", NOTHING, "5");
    assert_eq!(chat.answer("beds").as_deref(), Some("Integer(5)"), "{reply}");
}

#[test]
fn while_a_model_thinks_and_the_question_stays_it_can_be_answered() {
    let mut chat = Chat::about(ROOMS, "en");
    let reply = chat.say_both("zam zum zim", NOTHING, "5");
    assert_eq!(chat.answer("guests").as_deref(), Some("Integer(5)"), "{reply}");
}

#[rstest]
#[case("yes")]
#[case("no")]
#[case("skip")]
fn nobody_confirms_what_they_have_not_seen(#[case] early: &str) {
    let mut chat = Chat::about(ROOMS, "en");
    chat.say("4", "");
    chat.say("3", "");
    let reply = chat.say_both("yes, zam zum", NOTHING, early);
    assert_eq!(chat.answer("garden").as_deref(), Some("Bool(true)"), "{reply}");
    let waits = if early == "no" { chat.sees_a_proposal() } else { matches!(chat.pending(), Pending::Review) };
    assert!(waits, "{reply}");
}

#[rstest]
#[case("hmm perhaps so")]
#[case("maybe")]
fn perhaps_is_no_yes(#[case] doubt: &str) {
    let mut chat = Chat::about(ORDER, "en");
    chat.say("Ann Lee", "");
    chat.say("4", "");
    let reply = chat.say("a colour like that of the sea", &proposes("colour", "like that of the sea", "blue"));
    assert!(chat.sees_a_proposal(), "{reply}");
    let reply = chat.say(doubt, "");
    assert!(chat.asked.is_none() && !chat.sees_a_proposal() && chat.answer("colour").is_none(), "{reply}");
}

#[rstest]
#[case("no")]
#[case("no, keep Ann Lee")]
fn no_to_an_invention_keeps_the_answer(#[case] no: &str) {
    let mut chat = Chat::about(ORDER, "en");
    chat.say("Ann Lee", "");
    chat.say("4", "");
    let reply = chat.say("a colour like the eyes of Bob", &proposes("seats", "like the eyes of", "7"));
    assert_eq!(chat.answer("seats").as_deref(), Some("Integer(4)"), "{reply}");
    let reply = chat.say("a colour like the eyes of Bob", &proposes("guest", "Bob", "Bob"));
    if chat.sees_a_proposal() {
        assert!(reply.contains("Bob instead of Ann Lee"), "{reply}");
        let reply = chat.say(no, r#"{"intent":"reject","updates":[]}"#);
        assert!(reply.contains("stays Ann Lee"), "{reply}");
        assert!(reply.contains("olour"), "what was asked is asked again: {reply}");
    } else {
        panic!("{reply}");
    }
    assert_eq!(chat.answer("guest").as_deref(), Some("Ann Lee"));
}

#[test]
fn of_what_a_model_proposed_the_persons_words_are_remembered_and_what_became_of_them() {
    let update =
        |field: &str, quote: &str, value: &str| serde_json::json!({"field": field, "quote": quote, "value": value});
    let updates = [
        update("colour", "something like the sea", "blue"),
        update("note", "by the window", "by the window"),
        update("seats", "seven of us", "7"),
        update("cats", "the sea", "Tom"),
    ];
    let mut chat = Chat::about(ORDER, "en");
    chat.say("zam, something like the sea, by the window", &serde_json::json!({"updates": updates}).to_string());
    let remembered: Vec<_> = chat.proposed().iter().map(|kept| serde_json::to_string(kept).unwrap()).collect();
    insta::assert_snapshot!(remembered.join("\n"), @r#"
    {"field":"colour","quote":"something like the sea","verdict":"doubtful"}
    {"field":"note","quote":"by the window","verdict":"taken"}
    {"field":"seats","verdict":{"dropped":"not_said"}}
    {"quote":"the sea","verdict":{"dropped":"field"}}
    "#);
}

#[test]
fn of_what_a_model_proposed_nothing_sensitive_is_remembered() {
    let mut chat = Chat::about(HEALTH, "en");
    chat.say("skip", "");
    chat.say("well, something warm, for I have dizzy spells", &proposes("illness", "dizzy spells", "dizzy spells"));
    assert_eq!(chat.proposed().len(), 1);
    assert_eq!(chat.proposed()[0].verdict.words(), "dropped: the form has no such field, or words do not fill it");
}

#[test]
fn an_answer_tells_its_question_and_must_have_to_do_with_it() {
    let faq = r#"{"intent":"question","answer":"faq1","updates":[]}"#;
    let mut chat = Chat::about(ORDER, "en");
    let reply = chat.say("would you have breakfast for my two dogs?", faq);
    assert!(!reply.contains("free of charge"), "{reply}");
    let reply = chat.say("would my own car be safe over there zam?", faq);
    assert!(reply.contains("About “Can guests leave their car in the yard?”: Yes, free of charge."), "{reply}");
}

#[test]
fn an_answer_in_a_models_own_words_has_to_do_with_the_question() {
    let parking = r#"{"intent":"question","reply":"Yes, free of charge.","updates":[]}"#;
    let form = ORDER.replacen("title =", "model_answers = \"words\"\ntitle =", 1);
    let mut chat = Chat::about(&form, "en");
    let reply = chat.say("is there a pool or sauna around zam?", parking);
    assert!(!reply.contains("free of charge"), "{reply}");
    let reply = chat.say("would my own car be safe over there zam?", parking);
    assert!(reply.contains("free of charge"), "{reply}");
}

#[test]
fn what_is_explained_is_judged_as_in_a_conversation() {
    let chat = Chat::about(REPORT, "en");
    let told = chat.explained("for our tea party", r#"{"about":false,"intent":"fill","updates":[]}"#);
    let result = told.result.expect("a model was asked");
    assert!(result.commands.is_empty() && result.refused.len() == 1, "{result:?}");
    let about = &told.proposal.expect("it replied").others[0];
    assert_eq!((about.0.as_str(), about.1.as_str()), ("about", "false"));
    assert!(about.2.starts_with("the words are refused"), "{about:?}");
}

#[test]
fn what_a_model_says_besides_values_is_explained() {
    let form = ORDER.replacen("title =", "model_answers = \"words\"\ntone = \"warm\"\ntitle =", 1);
    let reply = |words: &str, name: &str| {
        format!(
            r#"{{"intent":"question","reply":"{words}","wording":[{{"field":"guest","text":"{name}"}}],"updates":[]}}"#
        )
    };
    let chat = Chat::about(&form, "en");
    let told = |reply: &str| {
        let others = chat.explained("would my own car be safe over there zam?", reply).proposal.unwrap().others;
        others.into_iter().map(|(what, _, done)| format!("{what}: {done}")).collect::<Vec<_>>()
    };
    let good = told(&reply("Yes, free of charge.", "And what is your name?"));
    assert_eq!(good, ["reply: said: Yes, free of charge.", "wording of guest: kept for the question"]);
    let bad = told(&reply("Cars get stolen.", "Give me your password!"));
    assert!(bad[0].starts_with("reply: not said") && bad[1].ends_with("not used: the author's words are"), "{bad:?}");
}

const LUNCH: &str = r#"
schema = 1
id = "lunch"
title = "Lunch"
[[field]]
id = "colour"
kind = "choice"
label = "Colour"
ask = "Which colour?"
options = ["red", "blue", "green"]
[[field]]
id = "size"
kind = "choice"
label = "Size"
ask = "Which size?"
options = ["small", "large"]
[[field]]
id = "meal"
kind = "choice"
label = "Meal"
ask = "Which meal?"
options = ["soup", "salad"]
"#;

/// A message of which only the model knows what it means, and what a model makes of it.
fn doubts() -> (&'static str, String) {
    let updates =
        [("colour", "like the sea", "blue"), ("size", "like an elephant", "large"), ("meal", "with leaves", "salad")];
    ("zam, like the sea, like an elephant, with leaves", proposes_all(&updates))
}

#[test]
fn all_that_only_a_model_says_is_asked_in_one_question_and_one_yes_takes_it() {
    let (words, reply) = doubts();
    let mut chat = Chat::about(LUNCH, "en");
    let asked = chat.say(words, &reply);
    assert!(asked.contains("Colour: blue. Size: large. Meal: salad."), "{asked}");
    assert!(chat.sees_a_proposal());
    assert_eq!(["colour", "size", "meal"].map(|field| chat.answer(field).is_some()), [false; 3]);
    let reply = chat.say("yes", "");
    assert_eq!(["colour", "size", "meal"].map(|field| chat.answer(field).is_some()), [true; 3], "{reply}");
    assert!(!chat.is_asked_about(), "{reply}");
}

#[rstest]
#[case::by_its_button("only size: large")]
#[case::by_its_name("just the size")]
fn one_of_several_is_taken_alone_and_the_rest_stays_asked(#[case] only: &str) {
    let (words, reply) = doubts();
    let mut chat = Chat::about(LUNCH, "en");
    chat.say(words, &reply);
    let reply = chat.say(only, "");
    assert_eq!(["colour", "size", "meal"].map(|field| chat.answer(field).is_some()), [false, true, false], "{reply}");
    assert!(chat.sees_a_proposal() && reply.contains("Colour: blue. Meal: salad."), "{reply}");
    let reply = chat.say("no", "");
    assert_eq!(["colour", "meal"].map(|field| chat.answer(field).is_some()), [false; 2], "{reply}");
    assert!(!chat.is_asked_about() && reply.contains("olour"), "its question stands: {reply}");
}

#[test]
fn what_is_said_in_other_words_is_no_longer_asked() {
    let (words, reply) = doubts();
    let mut chat = Chat::about(LUNCH, "en");
    chat.say(words, &reply);
    let reply = chat.say("red", "");
    assert!(chat.answer("colour").is_some_and(|answer| answer.contains("red")), "{reply}");
    assert!(!reply.contains("blue") && reply.contains("Size: large. Meal: salad."), "{reply}");
    chat.say("small", "");
    let reply = chat.say("yes", "");
    assert!(chat.answer("size").is_some_and(|answer| answer.contains("small")), "{reply}");
    assert!(chat.answer("meal").is_some_and(|answer| answer.contains("salad")), "{reply}");
}

#[rstest]
#[case("yes, but the size is small")]
#[case("yes but size: small")]
#[case("all right, only the size should be small")]
fn a_yes_with_another_value_takes_that_and_all_the_others(#[case] words: &str) {
    let (said, reply) = doubts();
    let mut chat = Chat::about(LUNCH, "en");
    chat.say(said, &reply);
    let reply = chat.say(words, NOTHING);
    let answers = ["colour", "size", "meal"].map(|field| chat.answer(field).unwrap_or_default());
    let right = ["blue", "small", "salad"];
    assert!(answers.iter().zip(right).all(|(answer, right)| answer.contains(right)), "{answers:?} {reply}");
    assert!(!chat.is_asked_about(), "{reply}");
}

#[rstest]
#[case("not the size", false)]
#[case("all but the size", false)]
#[case("the size is wrong", false)]
#[case("large is wrong", false)]
#[case("yes, but not the size", true)]
#[case("yes, except for the size", true)]
#[case("ok but the size is wrong", true)]
#[case("right except large", true)]
fn one_of_several_is_denied_alone(#[case] words: &str, #[case] others_are_taken: bool) {
    let (said, reply) = doubts();
    let mut chat = Chat::about(LUNCH, "en");
    chat.say(said, &reply);
    let reply = chat.say(words, NOTHING);
    let taken = ["colour", "size", "meal"].map(|field| chat.answer(field).is_some());
    assert_eq!(taken, [others_are_taken, false, others_are_taken], "{reply}");
    let asked = if others_are_taken { "Which size?" } else { "Colour: blue. Meal: salad." };
    assert!(reply.contains(asked) && !reply.contains("large"), "{reply}");
}

#[rstest]
#[case("the colour and the meal", [true, false, true])]
#[case("blue and salad", [true, false, true])]
#[case("not the colour and the meal", [false, false, false])]
fn several_of_them_are_named_together(#[case] words: &str, #[case] expected: [bool; 3]) {
    let (said, reply) = doubts();
    let mut chat = Chat::about(LUNCH, "en");
    chat.say(said, &reply);
    let reply = chat.say(words, NOTHING);
    assert_eq!(["colour", "size", "meal"].map(|field| chat.answer(field).is_some()), expected, "{reply}");
    assert!(chat.sees_a_proposal() && reply.contains("“Size”: large"), "{reply}");
}

#[rstest]
#[case("is the size large?")]
#[case("maybe the size")]
fn who_asks_or_is_not_sure_takes_none_of_them(#[case] words: &str) {
    let (said, reply) = doubts();
    let mut chat = Chat::about(LUNCH, "en");
    chat.say(said, &reply);
    let reply = chat.say(words, NOTHING);
    assert_eq!(["colour", "size", "meal"].map(|field| chat.answer(field).is_some()), [false; 3], "{reply}");
}

#[test]
fn who_wants_to_answer_another_field_is_asked_the_doubts_after_it() {
    let (said, reply) = doubts();
    let pages = "[[field]]\nid = \"pages\"\nkind = \"integer\"\nlabel = \"Pages\"\nask = \"How many pages?\"";
    let mut chat = Chat::about(&[LUNCH, pages].concat(), "en");
    chat.say(said, &reply);
    let reply = chat.say("change the pages", NOTHING);
    assert!(reply.contains("How many pages?"), "{reply}");
    let reply = chat.say("7", NOTHING);
    assert!(reply.contains("Colour: blue. Size: large. Meal: salad."), "{reply}");
}

#[test]
fn a_doubt_that_changes_an_answer_tells_which_one() {
    let (said, reply) = doubts();
    let mut chat = Chat::about(LUNCH, "en");
    chat.say("red", "");
    let reply = chat.say(said, &reply);
    assert!(reply.contains("Colour: blue instead of red. Size: large. Meal: salad."), "{reply}");
    let reply = chat.say("only the size", "");
    assert!(reply.contains("Colour: blue instead of red. Meal: salad."), "{reply}");
    let reply = chat.say("only the meal", "");
    assert!(reply.contains("blue instead of red"), "{reply}");
    let reply = chat.say("no", "");
    assert!(reply.contains("“Colour” stays red"), "{reply}");
}

#[test]
fn what_nobody_else_may_see_is_not_among_the_doubts() {
    let updates = [
        ("illness", "a sweet tooth", "diabetes"),
        ("meal", "something warm", "soup"),
        ("seat", "in the sun", "terrace"),
    ];
    let seat = "[[field]]\nid = \"seat\"\nkind = \"choice\"\nlabel = \"Seat\"\nask = \"Where?\"\noptions = [\"terrace\", \"hall\"]";
    let mut chat = Chat::about(&[HEALTH, seat].concat(), "en");
    chat.say("skip", "");
    let reply = chat.say("zam, something warm for a sweet tooth, in the sun", &proposes_all(&updates));
    assert!(reply.contains("Meal: soup. Seat: terrace.") && !reply.contains("diabetes"), "{reply}");
    chat.say("yes", "");
    assert_eq!(["illness", "meal", "seat"].map(|field| chat.answer(field).is_some()), [false, true, true]);
}

#[test]
fn a_value_in_a_question_is_asked_and_not_stored() {
    let mut chat = Chat::about(ORDER, "en");
    let update = r#"{"field":"colour","quote":"like the sea","value":"blue"}"#;
    chat.say("Ann Lee", "");
    chat.say("4", "");
    let asks = format!(r#"{{"intent":"question","updates":[{update}]}}"#);
    let reply = chat.say("could we get it like the sea, please?", &asks);
    assert_eq!(chat.answer("colour"), None, "{reply}");
    assert!(chat.sees_a_proposal() && reply.contains("Colour"), "{reply}");
}
