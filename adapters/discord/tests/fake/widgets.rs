//! Buttons, lists, pages, searches, days, windows.

use formwright_chat::{Fault, Input, Pressed, Reply, conformance};
use formwright_fakes::discord::Person;
use rstest::rstest;

use crate::{Stage, options, pressed, texts};

/// Ada writes to the bot, and is asked.
async fn asked(stage: &Stage, reply: &Reply) -> Person {
    let ada = stage.fake.person("Ada").in_channel("lunch");
    ada.writes("@Formwright two pizzas").await;
    stage.reply(&stage.event(1).await, 'a', reply).await.unwrap();
    ada
}

/// A question with so many buttons.
fn buttons(count: u16) -> Reply {
    let mut reply = conformance::one_of(count);
    if let Input::Options { options, .. } = &mut reply.questions[0].input {
        options.iter_mut().for_each(|option| option.detail = None);
    }
    reply
}

#[tokio::test]
async fn a_pressed_button_is_the_answer_and_the_question_shows_it() {
    let stage = Stage::set().await;
    let ada = asked(&stage, &buttons(3)).await;
    ada.sees("[Option 1] [Option 2] [Option 3]").await;
    ada.presses("Option 2").await;
    assert_eq!(options(&stage.event(2).await), [1]);
    ada.sees("✓ Option 2").await;
    ada.sees_no_more("[Option 1]").await;
    stage.fine();
}

#[tokio::test]
async fn a_typed_answer_is_shown_where_it_was_asked() {
    let stage = Stage::set().await;
    let ada = asked(&stage, &buttons(3)).await;
    ada.writes("@formwright the second").await;
    let heard = stage.event(2).await;
    let mut next = buttons(2);
    let (field, label, value) = ("field0".to_owned(), "Field".to_owned(), "Option *2*".to_owned());
    next.answered = vec![formwright_chat::Answered { field, label, value }];
    stage.reply(&heard, 'b', &next).await.unwrap();
    ada.sees("✓ Option *2*").await;
    ada.sees_no_more("[Option 3]").await;
    stage.fine();
}

#[tokio::test]
async fn a_button_pressed_many_times_at_once_is_answered_each_time_and_kept() {
    let stage = Stage::set().await;
    let ada = asked(&stage, &buttons(3)).await;
    ada.presses_times("Option 2", 5).await;
    ada.sees("✓ Option 2").await;
    let picked = stage.host.events().into_iter().skip(1).map(|event| options(&event));
    assert!(picked.into_iter().all(|picked| picked == [1]));
    stage.fine();
}

#[tokio::test]
async fn an_old_button_says_so_to_the_one_who_pressed_and_changes_nothing() {
    let stage = Stage::set().await;
    let ada = asked(&stage, &buttons(3)).await;
    ada.presses("Option 2").await;
    stage.reply(&stage.event(2).await, 'b', &buttons(2)).await.unwrap();
    ada.presses_old("Option 3").await;
    ada.sees_alone("already answered").await;
    let ben = stage.fake.person("Ben").in_channel("lunch");
    assert!(!ben.ever_saw("already answered"));
    assert_eq!(stage.host.events().len(), 2);
    stage.fine();
}

#[tokio::test]
async fn another_persons_button_says_so_to_the_one_who_pressed_and_changes_nothing() {
    let stage = Stage::set().await;
    let ada = asked(&stage, &buttons(3)).await;
    let ben = stage.fake.person("Ben").in_channel("lunch").speaking("de");
    ben.presses_of(&ada, "Option 2").await;
    ben.sees_alone("gehört jemand anderem").await;
    assert!(!ada.ever_saw("gehört"));
    ada.sees("[Option 2]").await;
    assert_eq!(stage.host.events().len(), 1);
    stage.fine();
}

#[tokio::test]
async fn a_widget_of_a_store_that_was_lost_is_over() {
    let stage = Stage::set().await;
    let ada = asked(&stage, &buttons(3)).await;
    stage.host.forget_notes();
    ada.presses("Option 2").await;
    ada.sees_alone("already answered").await;
    assert_eq!(stage.host.events().len(), 1);
    stage.fine();
}

#[rstest]
#[case::one(6, &["Option 4"], &[3])]
#[case::the_last(25, &["Option 25"], &[24])]
#[tokio::test]
async fn one_is_picked_from_a_list(#[case] count: u16, #[case] labels: &[&str], #[case] picked: &[u16]) {
    let stage = Stage::set().await;
    let ada = asked(&stage, &conformance::one_of(count)).await;
    ada.picks(labels).await;
    assert_eq!(options(&stage.event(2).await), picked);
    ada.sees(&format!("✓ {}", labels[0])).await;
    stage.fine();
}

#[tokio::test]
async fn several_are_picked_from_a_list() {
    let stage = Stage::set().await;
    let ada = asked(&stage, &conformance::several(12)).await;
    ada.picks(&["Option 2", "Option 11"]).await;
    assert_eq!(options(&stage.event(2).await), [1, 10]);
    ada.sees("✓ Option 2, Option 11").await;
    stage.fine();
}

#[tokio::test]
async fn a_long_list_is_turned_and_searched() {
    let stage = Stage::set().await;
    let ada = asked(&stage, &conformance::one_of(60)).await;
    ada.presses("Next").await;
    ada.sees("Option 26 ").await;
    ada.presses("Next").await;
    ada.sees("Option 60").await;
    ada.presses("Previous").await;
    ada.sees("Option 26 ").await;
    ada.presses("Search").await;
    ada.fills_modal(&[("Search", "nothing like that")]).await;
    ada.sees_alone("Nothing").await;
    ada.presses("Search").await;
    ada.fills_modal(&[("Search", "option 47")]).await;
    ada.picks(&["Option 47"]).await;
    assert_eq!(options(&stage.event(2).await), [46]);
    stage.fine();
}

#[tokio::test]
async fn ticks_last_over_the_pages_of_a_long_list() {
    let stage = Stage::set().await;
    let ada = asked(&stage, &conformance::several(60)).await;
    ada.presses("Done").await;
    ada.sees_alone("Tick at least one").await;
    ada.picks(&["Option 3", "Option 20"]).await;
    ada.presses("Next").await;
    ada.picks(&["Option 30"]).await;
    ada.presses("Previous").await;
    ada.sees("✓Option 3").await;
    ada.picks(&["Option 20"]).await;
    ada.presses("Done").await;
    assert_eq!(options(&stage.event(2).await), [19, 29]);
    stage.fine();
}

#[tokio::test]
async fn two_people_tick_their_own_lists() {
    let stage = Stage::set().await;
    let (ada, ben) = (stage.fake.person("Ada").in_channel("a"), stage.fake.person("Ben").in_channel("b"));
    ada.writes("@Formwright hi").await;
    stage.reply(&stage.event(1).await, 'a', &conformance::several(60)).await.unwrap();
    ben.writes("@Formwright hi").await;
    stage.reply(&stage.event(2).await, 'b', &conformance::several(60)).await.unwrap();
    tokio::join!(ada.picks(&["Option 1"]), ben.picks(&["Option 2"]));
    tokio::join!(ada.presses("Done"), ben.presses("Done"));
    let events = stage.host.wait_for_events(4).await;
    for event in &events[2..] {
        assert_eq!(options(event), [u16::from(event.user.id.as_str() == ben.id())]);
    }
    stage.fine();
}

#[rstest]
#[case::stars(Input::Rating { min: 1, max: 5 }, &["★★★"], &["3"])]
#[case::points(Input::Rating { min: 0, max: 10 }, &["7"], &["7"])]
#[case::time(Input::Time { min: None, max: None }, &["14:00 – 14:59", "14:30"], &["14:30"])]
#[case::evening(Input::Time { min: Some("18:30".to_owned()), max: Some("22:00".to_owned()) }, &["22:00 – 22:59", "22:00"], &["22:00"])]
#[tokio::test]
async fn points_and_times_are_picked(#[case] input: Input, #[case] labels: &[&str], #[case] words: &[&str]) {
    let stage = Stage::set().await;
    let ada = asked(&stage, &conformance::asking(input)).await;
    for label in labels {
        ada.presses(label).await;
    }
    assert_eq!(texts(&stage.event(2).await), words);
    stage.fine();
}

#[tokio::test]
async fn tomorrow_is_picked_from_the_days() {
    let stage = Stage::set().await;
    let ada = asked(&stage, &conformance::asking(Input::Date { min: None, max: None })).await;
    let drawn = ada.screen();
    let label = drawn.split(['·', ':', '›']).map(str::trim).find(|label| label.starts_with("Tomorrow")).unwrap();
    ada.presses(label).await;
    let picked = texts(&stage.event(2).await);
    assert!(picked[0].len() == 10 && picked[0].starts_with("20"), "{picked:?}");
    stage.fine();
}

#[tokio::test]
async fn a_person_is_picked_by_name() {
    let stage = Stage::set().await;
    stage.fake.person("Grace Hopper");
    let ada = asked(&stage, &conformance::asking(Input::Person)).await;
    ada.picks(&["Grace Hopper"]).await;
    assert!(texts(&stage.event(2).await)[0].contains("Grace Hopper"));
    ada.sees("✓ @Grace Hopper").await;
    stage.fine();
}

#[tokio::test]
async fn files_are_sent_through_a_window() {
    let stage = Stage::set().await;
    let input = Input::File { accept: Vec::new(), max_bytes: None, max_files: 3 };
    let ada = asked(&stage, &conformance::asking(input)).await;
    ada.presses("Send the file here.").await;
    ada.fills_modal(&[("Field 0", "wound.jpg, plan.pdf")]).await;
    let Pressed::Files { files } = &pressed(&stage.event(2).await)[0].value else { panic!("no files") };
    let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["wound.jpg", "plan.pdf"]);
    stage.fine();
}

#[tokio::test]
async fn an_answer_is_typed_into_a_window_and_its_fault_is_shown() {
    let stage = Stage::set().await;
    let reply = conformance::asking(Input::Email);
    let ada = asked(&stage, &reply).await;
    let token = reply.questions[0].token.clone();
    stage.host.find_fault(vec![Fault { token, problem: "This is no e-mail address.".to_owned() }]);
    ada.presses("Type an answer").await;
    ada.fills_modal(&[("Field 0", "ada@")]).await;
    ada.sees_alone("This is no e-mail address.").await;
    stage.host.find_fault(Vec::new());
    ada.presses("Correct it and send again").await;
    ada.sees_modal("ada@").await;
    ada.closes_modal();
    ada.presses("Correct it and send again").await;
    ada.fills_modal(&[("Field 0", "ada@example.com")]).await;
    assert_eq!(texts(&stage.event(2).await), ["ada@example.com"]);
    stage.fine();
}

#[tokio::test]
async fn an_edit_is_started_from_the_review_card() {
    let stage = Stage::set().await;
    let ada = asked(&stage, &conformance::review(5)).await;
    ada.sees("Answer 4").await;
    ada.presses("Change: Field 0").await;
    let presses = pressed(&stage.event(2).await);
    assert_eq!(presses[0].value, Pressed::Button);
    stage.fine();
}

#[rstest]
#[case(0)]
#[case(1)]
#[case(3)]
#[case(4)]
#[case(11)]
#[tokio::test]
async fn hostile_words_are_shown_as_they_are_and_ping_nobody(#[case] no: usize) {
    let stage = Stage::set().await;
    let words = conformance::HOSTILE[no];
    let ada = asked(&stage, &conformance::with_words(words)).await;
    ada.sees(words.lines().next().unwrap_or_default()).await;
    stage.fine();
}
