//! Forms that several fill together, and what a person may use where.

use chat::words::{Word, say};
use chat::{Action, Input, Pressed, Reply};
use formwright_chat as chat;
use formwright_fakes::slack::Person;

use crate::{By, Live, buttons, pressed, screen, words};

fn shared(reply: Reply) -> Reply {
    Reply { shared: true, ..reply }
}

fn secret() -> Reply {
    let input = Input::Text { long: false, max_chars: None, example: None, secret: true };
    Reply { private: true, ..chat::conformance::asking(input) }
}

/// Ada has begun a form in a thread of a channel, and Ben is there too.
async fn lunch() -> (Live, Person, Person) {
    let live = Live::start_with(By::Socket, |fake| drop(fake.channel("general"))).await;
    let ada = live.fake.person("Ada").in_channel("general");
    ada.writes("@formwright team lunch").await;
    live.heard(1).await;
    let ada = ada.in_thread_of("team lunch").await;
    let ben = live.fake.person("Ben").in_channel("general").in_thread_of("team lunch").await;
    (live, ada, ben)
}

#[tokio::test]
async fn in_a_thread_everybody_answers_what_all_share() {
    let (live, ada, ben) = lunch().await;
    live.says(&ada, "r1", screen(1, shared(buttons(3)))).await;
    ben.presses("Option 2").await;
    let event = live.heard(2).await.remove(1);
    assert_eq!((event.user.id.as_str(), pressed(&event).as_str()), ("UBEN", "0=[1]"));
    live.says(&ben, "r2", screen(2, shared(words_asked()))).await;
    ada.sees("✓ Option 2").await;
    ada.writes("see you there").await;
    ben.writes("@formwright at Luini").await;
    let events = live.heard(4).await;
    assert_eq!((events[2].terms.overheard, events[3].terms.overheard), (true, false));
    // Each press and each word to the bot shows that it works; talk among people does not.
    assert_eq!(live.fake.statuses().len(), 3, "{:?}", live.fake.statuses());
    live.ends_well().await;
}

fn words_asked() -> Reply {
    chat::conformance::asking(Input::Text { long: false, max_chars: None, example: None, secret: false })
}

#[tokio::test]
async fn a_sensitive_question_of_all_is_one_persons_own() {
    let (live, ada, ben) = lunch().await;
    live.says(&ada, "r1", screen(1, shared(secret()))).await;
    ada.sees(say(Word::TypeAnswer, "en")).await;
    assert!(!ben.can_see(say(Word::TypeAnswer, "en")));
    ben.writes("what now?").await;
    // What she writes there is read by all: only the window is hers.
    ada.writes("mine begins with IT").await;
    ada.presses(say(Word::TypeAnswer, "en")).await;
    ada.fills_modal(&[("What is field 0?", "IT1234")]).await;
    let event = live.heard(2).await.remove(1);
    assert_eq!((event.user.id.as_str(), pressed(&event).as_str()), ("UADA", "0=\"IT1234\""));
    live.ends_well().await;
}

#[tokio::test]
async fn a_field_left_empty_is_told_with_the_others() {
    let live = Live::start(By::Socket).await;
    let ada = live.fake.person("Ada").in_private();
    let text = || Input::Text { long: false, max_chars: Some(40), example: None, secret: false };
    let mut page = chat::conformance::page(vec![text(), text(), Input::Email]);
    page.page.iter_mut().for_each(|question| question.required = false);
    live.says(&ada, "r1", screen(1, page)).await;
    ada.presses(say(Word::OpenForm, "en")).await;
    ada.fills_modal(&[("What is field 0?", "Via Roma 1"), ("What is field 11?", "ada@example.org")]).await;
    let event = live.heard(1).await.remove(0);
    let Action::Press { presses } = &event.action else { panic!("{event:?}") };
    let empty: Vec<u16> = presses.iter().filter(|p| p.value == Pressed::Empty).map(|p| p.token.slot).collect();
    assert_eq!((presses.len(), empty), (3, vec![10]));
    live.says(&ada, "r2", words("Next.")).await;
    ada.sees("Via Roma 1").await;
    assert!(!ada.can_see("Field 10:"), "what was left empty is not shown as an answer");
    live.ends_well().await;
}

#[tokio::test]
async fn hundreds_of_options_with_long_and_equal_names_are_picked() {
    let live = Live::start(By::Socket).await;
    let ada = live.fake.person("Ada").in_private();
    let mut reply = screen(1, chat::conformance::several(300));
    if let Input::Options { options, .. } = &mut reply.questions[0].input {
        options[0].label = format!("{}first", "long ".repeat(39));
        options[1].label = format!("{}second", "long ".repeat(39));
        options[2].label = "🍕".to_owned();
        options[3].label = "Option 300".to_owned();
    }
    live.says(&ada, "r1", reply).await;
    ada.sees("long second").await;
    assert_eq!(ada.searches("option 300").await, ["Option 300", "Option 300"], "both are offered");
    ada.picks(&["🍕", "Option 299"]).await;
    ada.presses(say(Word::Done, "en")).await;
    assert_eq!(pressed(&live.heard(1).await[0]), "0=[2,298]");
    live.ends_well().await;
}
