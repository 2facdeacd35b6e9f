//! Pages of fields and sensitive answers: modals, with problems at their fields.

use chat::conformance::{asking, options, page};
use chat::words::{Word, say};
use chat::{Fault, HostError, Input, Nonce, Reply, Token};
use formwright_chat as chat;
use rstest::rstest;

use crate::{By, Live, pressed, screen, words};

fn form() -> Reply {
    let text = Input::Text { long: false, max_chars: Some(40), example: None, secret: false };
    let number = Input::Number { integer: true, min: Some("1".to_owned()), max: Some("10".to_owned()), unit: None };
    let file = Input::File { accept: vec![".pdf".to_owned()], max_bytes: None, max_files: 2 };
    page(vec![
        text,
        number,
        options(0, 3, false),
        options(0, 12, true),
        Input::Date { min: None, max: None },
        Input::Email,
        file,
        options(0, 150, false),
    ])
}

const FILLED: [(&str, &str); 8] = [
    ("What is field 0?", "Via Roma 1"),
    ("What is field 10?", "3"),
    ("What is field 11?", "Option 2"),
    ("What is field 12?", "Option 1; Option 12"),
    ("What is field 13?", "2026-05-03"),
    ("What is field 14?", "ada@example.org"),
    ("What is field 15?", "bill.pdf"),
    ("What is field 16?", "Option 150"),
];

#[rstest]
#[tokio::test]
async fn a_page_is_filled_in_as_a_form_and_problems_stand_at_their_fields(#[values(By::Socket, By::Http)] by: By) {
    let live = Live::start(by).await;
    let ada = live.fake.person("Ada").in_private();
    ada.has_file("bill.pdf", "application/pdf", 1000);
    live.says(&ada, "r1", screen(1, form())).await;
    ada.presses(say(Word::OpenForm, "en")).await;
    let token = Token::new(&Nonce::new(1), 10);
    live.host.find_fault(vec![Fault { token, problem: "We have only two left.".to_owned() }]);
    ada.fills_modal(&FILLED).await;
    ada.sees_modal("What is field 10?*: {3}\n· A word of help.\n!! We have only two left.").await;
    assert!(live.host.events().is_empty());
    live.host.find_fault(Vec::new());
    ada.fills_modal(&[("What is field 10?", "2")]).await;
    ada.sees_no_modal().await;
    let event = live.heard(1).await.remove(0);
    let held = pressed(&event);
    assert!(
        held.starts_with("0=\"Via Roma 1\" 10=\"2\" 11=[1] 12=[0,11] 13=\"2026-05-03\" 14=\"ada@example.org\" 15="),
        "{held}"
    );
    assert!(held.contains("bill.pdf") && held.ends_with("16=[149]"), "{held}");
    live.says(&ada, "r2", words("Next.")).await;
    ada.sees_no_more(say(Word::OpenForm, "en")).await;
    live.ends_well().await;
}

#[tokio::test]
async fn what_must_be_ticked_cannot_be_sent_empty() {
    let live = Live::start(By::Socket).await;
    let ada = live.fake.person("Ada").in_private();
    let mut reply = page(vec![Input::Email, options(0, 5, true)]);
    reply.title = Some("Report of an injury at work".to_owned());
    if let Input::Options { other, .. } = &mut reply.page[0].input {
        // Words of one's own beside the list: Slack itself then lets both be empty.
        *other = true;
    }
    live.says(&ada, "r1", screen(1, reply)).await;
    ada.presses(say(Word::OpenForm, "en")).await;
    ada.sees_modal("Report of an injury at…").await;
    ada.fills_modal(&[("What is field 0?", "ada@example.org")]).await;
    ada.sees_modal(&format!("!! {}", say(Word::TickSomething, "en"))).await;
    assert!(live.host.events().is_empty());
    ada.fills_modal(&[("What is field 10?", "Option 2; Option 4")]).await;
    ada.sees_no_modal().await;
    assert_eq!(pressed(&live.heard(1).await[0]), "0=\"ada@example.org\" 10=[1,3]");
    live.ends_well().await;
}

#[tokio::test]
async fn a_question_for_files_says_which_are_taken() {
    let live = Live::start(By::Socket).await;
    let ada = live.fake.person("Ada").in_private();
    let accept = vec![".pdf".to_owned(), "image/*".to_owned()];
    live.says(&ada, "r1", screen(1, asking(Input::File { accept, max_bytes: Some(5_000_000), max_files: 3 }))).await;
    let words = "PDF, pictures; at most 5 MB each; up to 3 files";
    ada.sees(words).await;
    ada.presses(say(Word::TypeAnswer, "en")).await;
    ada.sees_modal(words).await;
    live.ends_well().await;
}

#[tokio::test]
async fn a_form_of_a_question_that_is_over_says_so_at_once() {
    let live = Live::start(By::Socket).await;
    let ada = live.fake.person("Ada").in_private();
    ada.has_file("bill.pdf", "application/pdf", 1000);
    live.says(&ada, "r1", screen(1, form())).await;
    ada.presses(say(Word::OpenForm, "en")).await;
    ada.sees_modal("What is field 0?").await;
    live.says(&ada, "r2", words("Answered by text meanwhile.")).await;
    ada.sees_modal("already answered").await;
    ada.closes_modal().await;
    assert!(live.host.events().is_empty());
    live.ends_well().await;
}

#[tokio::test]
async fn what_the_product_refuses_is_said_in_the_form() {
    let live = Live::start(By::Socket).await;
    let ada = live.fake.person("Ada").in_private();
    live.says(&ada, "r1", screen(1, asking(Input::Email))).await;
    ada.presses(say(Word::TypeAnswer, "en")).await;
    live.host.refuse(vec![HostError::Refused("The kitchen is closed.".to_owned())]);
    ada.fills_modal(&[("What is field 0?", "ada@example.org")]).await;
    ada.sees_modal("!! The kitchen is closed.").await;
    ada.submits().await;
    ada.sees_no_modal().await;
    assert_eq!(pressed(&live.heard(1).await[0]), "0=\"ada@example.org\"");
    live.ends_well().await;
}

#[tokio::test]
async fn a_store_that_is_away_leaves_the_form_open_to_send_again() {
    let live = Live::start(By::Http).await;
    let ada = live.fake.person("Ada").in_private();
    live.says(&ada, "r1", screen(1, asking(Input::Email))).await;
    ada.presses(say(Word::TypeAnswer, "en")).await;
    live.host.refuse(vec![HostError::Unavailable("disk".to_owned())]);
    ada.fills_modal(&[("What is field 0?", "ada@example.org")]).await;
    ada.sees_modal("We had some trouble connecting").await;
    ada.submits().await;
    ada.sees_no_modal().await;
    live.heard(1).await;
    live.ends_well().await;
}

#[tokio::test]
async fn a_sensitive_answer_is_seen_by_nobody_else() {
    let live = Live::start_with(By::Socket, |fake| drop(fake.channel("general"))).await;
    let ada = live.fake.person("Ada").in_channel("general");
    ada.writes("@formwright pizza").await;
    let ada = ada.in_thread_of("pizza").await;
    let ben = live.fake.person("Ben").in_channel("general").in_thread_of("pizza").await;
    let mut secret = asking(Input::Text { long: false, max_chars: None, example: None, secret: true });
    secret.private = true;
    live.says(&ada, "r1", screen(1, secret)).await;
    ada.sees("What is field 0?").await;
    ada.presses(say(Word::TypeAnswer, "en")).await;
    ada.fills_modal(&[("What is field 0?", "hunter2")]).await;
    ada.sees_no_modal().await;
    assert_eq!(pressed(&live.heard(2).await[1]), "0=\"hunter2\"");
    live.says(&ada, "r2", words("Next.")).await;
    ben.sees("Next.").await;
    assert!(!ben.can_see("What is field 0?") && !ben.can_see("hunter2"), "{}", ben.screen());
    assert!(!ada.can_see("hunter2"), "{}", ada.screen());
    live.ends_well().await;
}

fn of_form(title: &str, reply: Reply) -> Reply {
    Reply { form: Some("pizza-order".to_owned()), title: Some(title.to_owned()), ..reply }
}

#[rstest]
#[tokio::test]
async fn fields_that_an_answer_opens_are_asked_in_the_same_modal(#[values(By::Socket, By::Http)] by: By) {
    let live = Live::start(by).await;
    let ada = live.fake.person("Ada").in_private();
    live.says(&ada, "r1", screen(1, of_form("Delivery", page(vec![Input::Email, Input::Url])))).await;
    ada.presses(say(Word::OpenForm, "en")).await;
    let fields = [("What is field 0?", "ada@example.org"), ("What is field 10?", "https://x.example/")];
    let answers = async {
        live.heard(1).await;
        let mut more = of_form("Delivery", asking(Input::Email));
        more.questions[0].ask = "Whom shall we ask?".to_owned();
        live.says(&ada, "r2", screen(2, more)).await;
    };
    tokio::join!(ada.fills_modal(&fields), answers);
    ada.sees_modal("Whom shall we ask?").await;
    let ends = async {
        live.heard(2).await;
        live.says(&ada, "r3", screen(3, of_form("Delivery", chat::conformance::review(2)))).await;
    };
    tokio::join!(ada.fills_modal(&[("Whom shall we ask?", "ben@example.org")]), ends);
    ada.sees_no_modal().await;
    let heard: Vec<String> = live.heard(2).await.iter().map(pressed).collect();
    assert_eq!(heard, ["0=\"ada@example.org\" 10=\"https://x.example/\"", "0=\"ben@example.org\""]);
    live.ends_well().await;
}

#[tokio::test]
async fn an_open_modal_follows_the_form_and_leaves_alone_what_was_closed() {
    let live = Live::start(By::Socket).await;
    let ada = live.fake.person("Ada").in_private();
    let asked = |no: u128, ask: &str| {
        let mut reply = page(vec![Input::Email, Input::Url]);
        reply.questions[0].ask = ask.to_owned();
        screen(no, of_form("Delivery", reply))
    };
    live.says(&ada, "r1", asked(1, "First?")).await;
    ada.presses(say(Word::OpenForm, "en")).await;
    ada.sees_modal("First?").await;
    live.says(&ada, "r2", asked(2, "Second?")).await;
    ada.sees_modal("Second?").await;
    ada.closes_modal().await;
    live.says(&ada, "r3", asked(3, "Third?")).await;
    ada.sees_no_modal().await;
    live.ends_well().await;
}
