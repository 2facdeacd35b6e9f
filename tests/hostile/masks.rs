//! What no prompt holds: values of sensitive fields wherever they were typed, secrets, and with `redact` what reaches a
//! person. And that what comes first is the same while answers change.

use std::collections::BTreeSet;

use formwright::engine::session::Pending;
use formwright::engine::{Engine, ModelCall, ModelUse, Session};
use formwright::form::Catalog;
use rstest::rstest;

use super::stage::{chat, form, path, turn};

/// A form with sensitive fields between others that take any words.
const CLINIC: &str = r#"
id = "clinic"
title = "A visit"
start_examples = ["see a doctor"]
model_answers = "words"
tone = "warm"
help = "Dear {{ who }}, we are open until 18:00."

[[faq]]
question = "Is my illness told to anybody?"
answer = "No, {{ who }}: {{ illness }} is known to your doctor only."

[[field]]
id = "who"
kind = "text"
label = "Name"
ask = "What is your name?"

[[field]]
id = "note"
kind = "long_text"
label = "Note"
ask = "What shall we know, {{ who }}?"
help = "We read it, {{ who }}."

[[field]]
id = "illness"
kind = "text"
label = "Illness"
ask = "Which illness is it?"
sensitive = true

[[field]]
id = "born"
kind = "date"
label = "Birthday"
ask = "When were you born?"
sensitive = true

[[field]]
id = "mobile"
kind = "phone"
label = "Private mobile"
ask = "Which number is yours alone?"
sensitive = true

[[field]]
id = "nurse"
kind = "text"
label = "Nurse"
ask = "Who looks after you, {{ who }}?"

[[field]]
id = "more"
kind = "text"
label = "More"
ask = "And about {{ illness }} and {{ note }}?"
"#;

/// Reaches people, without a field for that.
const CLUB: &str = r#"
id = "club"
title = "The club"
start_examples = ["join the club"]

[[field]]
id = "wish"
kind = "long_text"
label = "Wish"
ask = "What do you wish for?"

[[field]]
id = "day"
kind = "date"
label = "Day"
ask = "Which day?"
"#;

/// Takes what reaches people.
const DESK: &str = r#"
id = "desk"
title = "The desk"
start_examples = ["call the desk"]

[[field]]
id = "mail"
kind = "email"
label = "E-mail"
ask = "Which address?"

[[field]]
id = "phone"
kind = "phone"
label = "Phone"
ask = "Which number?"
"#;

/// What is asked last in each of them.
const MOOD: &str = r#"
[[field]]
id = "mood"
kind = "rating"
label = "Mood"
ask = "How are you?"
"#;

const UNCLEAR: &str = "hm, let me think about that for a moment";

fn engine(redact: bool) -> Engine {
    let mut catalog = Catalog::default();
    for text in [CLINIC, CLUB, DESK] {
        let mut form = form(&format!("{text}{MOOD}"));
        // The stage lets people use these names.
        form.id = formwright::form::FormId::new(match form.id.as_str() {
            "clinic" => "of10",
            "club" => "of50",
            _ => "of60",
        });
        catalog.insert(form);
    }
    Engine::new(catalog).with_model(Some(ModelUse { redact, ..ModelUse::default() }))
}

/// What a model is asked about a message, in a form when it has just asked for the mood.
fn calls(engine: &Engine, session: &Session, said: &str) -> Vec<ModelCall> {
    let mut session = session.clone();
    if let Some(draft) = &mut session.draft {
        draft.pending = Pending::Field { path: path("mood"), editing: false };
    }
    turn(engine, &session, said, None).calls
}

/// All that a model is told about a message.
fn told(engine: &Engine, session: &Session, said: &str) -> String {
    let calls = calls(engine, session, said);
    assert!(!calls.is_empty(), "no model is asked about {said}");
    calls.into_iter().map(|call| format!("{}\n{}\n{}\n", call.system, call.message, call.schema)).collect()
}

fn holds(text: &str, words: &str) -> bool {
    text.to_lowercase().contains(&words.to_lowercase())
}

const ILL: [&str; 6] = ["(open of10)", "Ada", "the note", "dizzy spells", "3 May 1990", "+39 347 123 4567"];

#[rstest]
#[case::in_a_later_message(&ILL, "hm, those dizzy spells of mine, you see", &["dizzy spells"], "of mine")]
#[case::in_other_letters(&ILL, "hm, my DIZZY-SPELLS again, you see", &["dizzy"], "you see")]
#[case::a_number_in_other_groups(&ILL, "hm, is 3471 2345 67 still right for me?", &["3471", "2345 67"], "still right")]
#[case::a_day_in_other_words(&ILL, "hm, what about 3/5/1990 as my day?", &["1990"], "hm, what about")]
#[case::in_an_answer_before(
    &["(open of10)", "Ada", "I have dizzy spells, call +39 347 123 4567", "dizzy spells", "3 May 1990", "+39 347 123 4567"],
    UNCLEAR, &["dizzy spells", "347 123", "347123"], "I have [hidden], call [hidden]"
)]
#[case::in_an_answer_after(
    &["(open of10)", "Ada", "the note", "dizzy spells", "3 May 1990", "+39 347 123 4567", "Grace; dizzy spells is what I have"],
    UNCLEAR, &["dizzy spells", "347"], "Grace; [hidden] is what I have"
)]
#[case::a_short_word(
    &["(open of10)", "Ada", "the note", "HIV positive", "3 May 1990", "+39 347 123 4567"],
    "hm, those tests say HIV again, you see", &["hiv"], "you see"
)]
#[case::of_one_stem(
    &["(open of10)", "Ada", "the note", "diabetes", "3 May 1990", "+39 347 123 4567"],
    "hm, my diabetic foot again, you see", &["diabetic"], "you see"
)]
#[case::in_a_question(&ILL, UNCLEAR, &["dizzy spells", "1990"], "And about")]
#[case::by_its_name(&["(open of10)", "Ada"], "my aunt liked it there. My illness is a rare fever", &["rare fever"], "my aunt liked it")]
#[case::by_its_looks(&["(open of10)", "Ada", "the note", "skip"], "hm, born 4/5/1991, was I", &["1991"], "was I")]
fn values_of_sensitive_fields_are_in_no_prompt(
    #[case] lines: &[&str],
    #[case] said: &str,
    #[case] hidden: &[&str],
    #[case] kept: &str,
) {
    let engine = engine(false);
    let text = told(&engine, &chat(&engine, lines).session, said);
    for words in hidden {
        assert!(!holds(&text, words), "{words} is told:\n{text}");
    }
    assert!(holds(&text, kept), "{kept} is not told:\n{text}");
}

#[test]
fn what_was_given_in_a_form_that_was_put_aside_is_hidden_in_the_next() {
    let engine = engine(false);
    let mut person = chat(&engine, &ILL);
    person.line("(open of50)");
    let draft = person.session.draft.as_ref().unwrap();
    assert_eq!((draft.form.as_str(), person.session.parked.len()), ("of50", 1));
    let text = told(&engine, &person.session, "hm, my dizzy spells would like to know");
    assert!(!holds(&text, "dizzy") && holds(&text, "would like to know"), "{text}");
}

#[rstest]
#[case::an_answer_in_free_words(
    &["(open of50)", "Write to ada@example.com or ring 050 123 4567, thanks"],
    UNCLEAR, &["ada@example.com", "050 123"], "thanks"
)]
#[case::answers(&["(open of60)", "ada@example.com", "+39 347 123 4567"], UNCLEAR, &["ada@", "347", "4567"], "- phone:")]
#[case::once_more(&["(open of60)", "ada@example.com", "+39 347 123 4567"], "hm, 347.123.4567 is what my aunt liked", &["347", "4567"], "my aunt liked")]
#[case::the_message(
    &["(open of50)", "a garden"],
    "hm, reach me at ada.b@mail.example, 00393471234567, (555) 123-4567, or pay DE89 3704 0044 0532 0130 00 well",
    &["ada.b", "3471234567", "123-4567", "0044", "0130"], "or pay"
)]
#[case::an_account_with_a_slip(&["(open of50)", "a garden"], "hm, IT61X0542811101000000123456 my aunt liked", &["0542811101"], "my aunt liked")]
fn what_reaches_a_person_is_redacted(
    #[case] lines: &[&str],
    #[case] said: &str,
    #[case] hidden: &[&str],
    #[case] kept: &str,
) {
    let text = |redact| {
        let engine = engine(redact);
        told(&engine, &chat(&engine, lines).session, said)
    };
    let (open, redacted) = (text(false), text(true));
    for words in hidden {
        assert!(!holds(&redacted, words), "{words} is told:\n{redacted}");
    }
    assert!(hidden.iter().any(|words| holds(&open, words)), "nothing was to be hidden:\n{open}");
    assert!(holds(&redacted, kept), "{kept} is not told:\n{redacted}");
}

#[rstest]
#[case("on 3 December 2026 at 18:30, my aunt liked it")]
#[case("from 2026-12-03 10:00 to 2026-12-04, my aunt liked it")]
#[case("something for 12 people and 1500 euros, my aunt liked it")]
#[case("03.12.2026 - 05.12.2026, my aunt liked it")]
fn days_and_amounts_are_not_redacted(#[case] said: &str) {
    let engine = engine(true);
    let session = chat(&engine, &["(open of50)", "a garden", "4 December 2026"]).session;
    let calls = calls(&engine, &session, said);
    assert!(calls.iter().all(|call| !call.message.contains("[hidden]")), "{calls:?}");
    assert!(calls.iter().any(|call| call.message.contains(said)), "{calls:?}");
}

#[rstest]
#[case("something is up, my illness: a rare fever", &["rare fever"])]
#[case("something is up, I was born on 3/5/1990 they say", &["1990"])]
#[case("something is up with ada@example.com over here", &["ada@"])]
#[case("something is up with 050 123 4567 over here", &["4567"])]
#[case("something is up with IT60X0542811101000000123456 here", &["0542811101"])]
fn without_a_form_nothing_of_that_is_told(#[case] said: &str, #[case] hidden: &[&str]) {
    let engine = engine(true);
    let text = told(&engine, &super::stage::place(&engine, "idle"), said);
    for words in hidden {
        assert!(!holds(&text, words), "{words} is told:\n{text}");
    }
    assert!(holds(&text, "something is up"), "{text}");
}

#[rstest]
#[case("something is up, pwd hunter2x")]
#[case("something is up with ghp_16C7e42F292c6912E7710c838347Ae178B4a")]
#[case("something is up, ssn 123-45-6789")]
fn secrets_are_told_to_no_model(#[case] said: &str) {
    let engine = engine(false);
    for session in [super::stage::place(&engine, "idle"), chat(&engine, &["(open of50)"]).session] {
        let turn = turn(&engine, &session, said, None);
        assert_eq!(turn.calls, [], "{said}");
        let kept = serde_json::to_string(&turn.after).unwrap();
        assert!(!["hunter2x", "16C7e42F", "123-45"].iter().any(|secret| kept.contains(secret)), "{said}: {kept}");
    }
}

#[test]
fn what_comes_first_is_the_same_while_answers_change() {
    let engine = engine(true);
    let mut person = chat(&engine, &["(open of10)"]);
    let mut first = BTreeSet::new();
    let lines =
        ["Ada Lovelace", "the note", "dizzy spells", "3 May 1990", "+39 347 123 4567", "Grace Hopper", "nothing"];
    for line in lines {
        first.extend(calls(&engine, &person.session, UNCLEAR).into_iter().map(|call| call.system));
        person.line(line);
    }
    first.extend(calls(&engine, &person.session, UNCLEAR).into_iter().map(|call| call.system));
    assert_eq!(first.len(), 1, "{first:#?}");
    let first = first.pop_first().unwrap();
    assert!(first.contains("Dear {{ who }}") && !first.contains("Ada"), "{first}");
}
