//! Buttons, lists, menus and pickers in messages; old and foreign presses; and that Slack takes whatever is drawn.

use std::sync::Arc;

use chat::Adapter as _;
use chat::conformance::{asking, one_of, replies, review, several};
use chat::words::{Word, say};
use chat::{Input, Press, Pressed};
use formwright_chat as chat;
use rstest::rstest;
use tokio::task::JoinSet;

use crate::{By, Live, buttons, pressed, screen, words};

#[rstest]
#[tokio::test]
async fn a_press_is_taken_once_and_the_question_shows_its_answer(#[values(By::Socket, By::Http)] by: By) {
    let live = Live::start(by).await;
    let ada = live.fake.person_from("Ada", "it-IT", "Europe/Rome").in_private();
    live.says(&ada, "r1", screen(1, buttons(3))).await;
    ada.sees("[Option 1] [Option 2] [Option 3]").await;
    ada.presses("Option 2").await;
    let event = live.heard(1).await.remove(0);
    assert_eq!(pressed(&event), "0=[1]");
    let user = live.slack.introduce(event.user).await;
    assert_eq!((user.locale.as_deref(), user.zone.as_deref()), (Some("it-IT"), Some("Europe/Rome")));
    live.says(&ada, "r2", words("Next.")).await;
    ada.sees("✓ Option 2").await;
    ada.sees_no_more("[Option 2]").await;
    ada.presses_old("Option 1").await;
    ada.sees(say(Word::Over, "it-IT")).await;
    live.heard(1).await;
    live.ends_well().await;
}

#[rstest]
#[tokio::test]
async fn a_typed_answer_takes_the_widget_away(#[values(By::Socket, By::Http)] by: By) {
    let live = Live::start(by).await;
    let ada = live.fake.person("Ada").in_private();
    live.says(&ada, "r1", screen(1, buttons(3))).await;
    ada.writes("the second & <best>").await;
    assert_eq!(pressed(&live.heard(1).await[0]), "Say { text: \"the second & <best>\" }");
    live.says(&ada, "r2", words("Next.")).await;
    ada.sees_no_more("[Option 1]").await;
    assert!(!ada.can_see("✓"), "{}", ada.screen());
    live.ends_well().await;
}

#[rstest]
#[tokio::test]
async fn a_typed_answer_is_shown_where_it_was_asked(#[values(By::Socket, By::Http)] by: By) {
    let live = Live::start(by).await;
    let ada = live.fake.person("Ada").in_private();
    let text = || Input::Text { long: false, max_chars: None, example: None, secret: false };
    let asked = |no: u128, buttons: bool| {
        let mut reply = screen(no, asking(text()));
        reply.buttons.retain(|_| buttons);
        reply.questions[0].ask = format!("Question {no}?");
        reply.say = vec![format!("Question {no}?")];
        reply
    };
    let answer = |value: &str, reply| {
        let answered =
            chat::Answered { field: "field0".to_owned(), label: "Field".to_owned(), value: value.to_owned() };
        chat::Reply { answered: vec![answered], ..reply }
    };
    live.says(&ada, "r1", asked(1, true)).await;
    ada.writes("tomorrow").await;
    live.heard(1).await;
    live.says(&ada, "r2", answer("24 December <2027>", asked(2, false))).await;
    ada.sees("✓ 24 December <2027>").await;
    ada.writes("and words").await;
    live.heard(2).await;
    live.says(&ada, "r3", answer("and words", words("Next."))).await;
    ada.sees("✓ and words").await;
    live.ends_well().await;
}

#[tokio::test]
async fn another_persons_button_changes_nothing_and_only_they_are_told() {
    let live = Live::start_with(By::Socket, |fake| drop(fake.channel("general"))).await;
    let ada = live.fake.person("Ada").in_channel("general");
    ada.writes("@formwright pizza").await;
    let ada = ada.in_thread_of("pizza").await;
    live.heard(1).await;
    let ben = live.fake.person("Ben").in_channel("general");
    live.says(&ada, "r1", screen(1, buttons(3))).await;
    ben.presses_of(&ada, "Option 1").await;
    let ben = ben.in_thread_of("pizza").await;
    ben.sees(say(Word::NotYours, "en")).await;
    assert!(!ada.can_see(say(Word::NotYours, "en")) && ada.can_see("[Option 1]"), "{}", ada.screen());
    live.heard(1).await;
    live.ends_well().await;
}

#[rstest]
#[tokio::test]
async fn several_are_ticked_and_then_done(#[values(By::Socket, By::Http)] by: By) {
    let live = Live::start(by).await;
    let ada = live.fake.person("Ada").in_private();
    live.says(&ada, "r1", screen(1, several(5))).await;
    ada.presses("Done").await;
    ada.sees(say(Word::TickSomething, "en")).await;
    ada.picks(&["Option 2", "Option 5"]).await;
    ada.sees("[x] Option 2").await;
    ada.presses("Done").await;
    assert_eq!(pressed(&live.heard(1).await[0]), "0=[1,4]");
    live.says(&ada, "r2", words("Next.")).await;
    ada.sees("✓ Option 2, Option 5").await;
    live.ends_well().await;
}

#[rstest]
#[case::radio(8, "Option 7", "0=[6]")]
#[case::menu(60, "Option 42", "0=[41]")]
#[case::search(250, "Option 199", "0=[198]")]
#[tokio::test]
async fn one_of_a_list_is_picked(#[case] count: u16, #[case] label: &str, #[case] event: &str) {
    let live = Live::start(By::Socket).await;
    let ada = live.fake.person("Ada").in_private();
    live.says(&ada, "r1", screen(1, one_of(count))).await;
    ada.chooses(label).await;
    assert_eq!(pressed(&live.heard(1).await[0]), event);
    live.ends_well().await;
}

#[rstest]
#[tokio::test]
async fn a_long_list_is_searched_while_typing(#[values(By::Socket, By::Http)] by: By) {
    let live = Live::start(by).await;
    let ada = live.fake.person("Ada").in_private();
    live.says(&ada, "r1", screen(1, one_of(250))).await;
    assert_eq!(ada.searches("").await.len(), 100);
    assert_eq!(ada.searches("24").await[0], "Option 24");
    assert_eq!(ada.searches("no such thing").await, Vec::<String>::new());
    live.ends_well().await;
}

#[tokio::test]
async fn days_times_and_persons_are_picked() {
    let live = Live::start(By::Socket).await;
    let ada = live.fake.person_from("Ada", "en-GB", "Europe/Rome").in_private();
    live.fake.person("Ben");
    live.says(&ada, "r1", screen(1, asking(Input::Date { min: None, max: None }))).await;
    ada.picks_day("2026-05-03").await;
    live.says(&ada, "r2", screen(2, asking(Input::Time { min: None, max: None }))).await;
    ada.picks_in("timepicker", "12:30").await;
    live.says(&ada, "r3", screen(3, asking(Input::Person))).await;
    ada.picks_in("users_select", "Ben").await;
    live.says(&ada, "r4", screen(4, asking(Input::DateRange { min: None, max: None }))).await;
    ada.picks_days("2026-05-03", "2026-05-07").await;
    ada.presses("Done").await;
    live.says(&ada, "r5", screen(5, asking(Input::DateTime { min: None, max: None }))).await;
    ada.picks_in("datetimepicker", "2026-05-03T10:30").await;
    ada.presses("Done").await;
    let heard: Vec<String> = live.heard(5).await.iter().map(pressed).collect();
    let wanted = [
        "0=\"2026-05-03\"",
        "0=\"12:30\"",
        "0=\"<@UBEN|Ben>\"",
        "0=\"2026-05-03/2026-05-07\"",
        "0=\"2026-05-03T12:30+02:00\"",
    ];
    assert_eq!(heard, wanted);
    live.ends_well().await;
}

#[tokio::test]
async fn an_answer_is_edited_from_the_review() {
    let live = Live::start(By::Socket).await;
    let ada = live.fake.person("Ada").in_private();
    live.says(&ada, "r1", screen(1, review(5))).await;
    ada.presses_beside("Field 3", "Change").await;
    let event = live.heard(1).await.remove(0);
    let chat::Action::Press { presses } = &event.action else { panic!("{event:?}") };
    assert_eq!(presses.as_slice(), [Press { token: presses[0].token.clone(), value: Pressed::Button }]);
    assert_eq!(presses[0].token.slot, 13);
    live.says(&ada, "r2", screen(2, review(60))).await;
    ada.chooses("Field 50").await;
    assert_eq!(pressed(&live.heard(2).await[1]), "60=Button");
    live.ends_well().await;
}

#[tokio::test]
async fn slack_takes_whatever_is_drawn_and_nobody_is_pinged() {
    let live = Arc::new(Live::start_with(By::Socket, |fake| drop(fake.channel("general"))).await);
    let mut under_way = JoinSet::new();
    // The longest takes a dozen messages, one a second.
    let all = replies().into_iter().filter(|(name, _)| !name.starts_with("words of 20000"));
    for (no, (_, reply)) in (1..).zip(all) {
        // A person each, so that no channel's pace makes another wait.
        let person = live.fake.person(&format!("Person{no}"));
        let place = if no % 3 == 0 { person.in_channel("general") } else { person.in_private() };
        let live = live.clone();
        under_way.spawn(async move {
            live.says(&place, &format!("r{no}"), screen(no, reply)).await;
            if no % 2 == 0 {
                live.says(&place, &format!("over{no}"), words("Next.")).await;
            }
        });
    }
    under_way.join_all().await;
    Arc::into_inner(live).unwrap().ends_well().await;
}
