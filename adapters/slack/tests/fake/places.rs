//! Where forms start and go on: mentions, threads, direct messages, commands, shortcuts, App Home.

use chat::words::{Word, say};
use chat::{Action, HostError};
use formwright_chat as chat;
use rstest::rstest;

use crate::{By, Live, buttons, place, pressed, screen, words};

#[rstest]
#[tokio::test]
async fn a_mention_starts_a_thread_that_is_its_own_session(#[values(By::Socket, By::Http)] by: By) {
    let live = Live::start_with(by, |fake| drop(fake.channel("general"))).await;
    let ada = live.fake.person("Ada").in_channel("general");
    ada.writes("nobody is asked").await;
    ada.writes("@formwright two pizzas").await;
    let event = live.heard(1).await.remove(0);
    assert_eq!(event.action, Action::Say { text: "two pizzas".to_owned() });
    let ada = ada.in_thread_of("two pizzas").await;
    assert_eq!(event.place, place(&ada));
    live.says(&ada, "r1", screen(1, buttons(3))).await;
    // In the thread no mention is needed; another person is not heard there.
    live.fake.person("Ben").in_channel("general").in_thread_of("two pizzas").await.writes("me too").await;
    ada.writes("option 2").await;
    let event = live.heard(2).await.remove(1);
    assert_eq!((event.user.id.as_str(), event.place), ("UADA", place(&ada)));
    live.ends_well().await;
}

#[tokio::test]
async fn files_come_by_reference_and_edits_name_their_message() {
    let live = Live::start(By::Socket).await;
    let ada = live.fake.person("Ada").in_private();
    ada.writes("I fell").await;
    ada.edits("I fell", "I fell badly").await;
    ada.sends_file("scar.jpg", "image/jpeg", &[0; 4242]).await;
    let events = live.heard(3).await;
    let message = events[0].terms.message.clone().unwrap();
    assert_eq!(events[1].action, Action::Edit { message, text: "I fell badly".to_owned() });
    let Action::Attach { files, .. } = &events[2].action else { panic!("{events:?}") };
    assert_eq!(
        (files[0].name.as_str(), files[0].media_type.as_str(), files[0].bytes),
        ("scar.jpg", "image/jpeg", Some(4242))
    );
    live.ends_well().await;
}

#[rstest]
#[tokio::test]
async fn a_command_opens_a_form_that_only_its_sender_sees(#[values(By::Socket, By::Http)] by: By) {
    let live = Live::start_with(by, |fake| drop(fake.channel_without_bot("elsewhere"))).await;
    let ada = live.fake.person("Ada").in_channel("elsewhere");
    let ben = live.fake.person("Ben").in_channel("elsewhere");
    ada.commands("/formwright pizza-order").await;
    let event = live.heard(1).await.remove(0);
    assert_eq!(event.action, Action::Open { form: Some("pizza-order".to_owned()) });
    assert_eq!(event.place, place(&ada));
    live.says(&ada, "r1", screen(1, buttons(3))).await;
    ada.sees("(only you)").await;
    assert!(!ben.can_see("Option 1"));
    ada.presses("Option 1").await;
    live.heard(2).await;
    live.says(&ada, "r2", words("Next.")).await;
    ada.sees("✓ Option 1").await;
    live.host.refuse(vec![HostError::Busy { retry_after: 3 }]);
    ada.commands("/formwright").await;
    ada.sees(say(Word::SlowDown, "en")).await;
    let refusals = live.fake.refusals();
    assert!(refusals.iter().all(|refusal| refusal == "chat.postEphemeral: not_in_channel"), "{refusals:?}");
}

#[rstest]
#[tokio::test]
async fn app_home_starts_a_form(#[values(By::Socket, By::Http)] by: By) {
    let live = Live::start(by).await;
    let ada = live.fake.person("Ada");
    ada.opens_home().await;
    ada.sees_home("The pizza-order form").await;
    ada.presses_home_beside("pizza-order", "Start").await;
    let event = live.heard(1).await.remove(0);
    assert_eq!((event.action, event.place), (Action::Open { form: Some("pizza-order".to_owned()) }, place(&ada)));
    ada.opens_home().await;
    live.fake.wait_for_calls("views.publish", 2).await;
    live.ends_well().await;
}

fn draft(form: &str) -> chat::SessionView {
    chat::SessionView {
        form: Some(form.to_owned()),
        state: "Incomplete".to_owned(),
        answers: Vec::new(),
        asked: None,
        parked: Vec::new(),
        last: Vec::new(),
        debug: serde_json::Value::Null,
    }
}

#[tokio::test]
async fn app_home_lists_what_was_begun_anywhere_and_follows_it() {
    let live = Live::start_with(By::Socket, |fake| drop(fake.channel("general"))).await;
    let ada = live.fake.person("Ada");
    let there = ada.in_channel("general");
    there.writes("@formwright pizza").await;
    let thread = there.in_thread_of("pizza").await;
    let of_form = |no, form: &str| chat::Reply { form: Some(form.to_owned()), ..screen(no, buttons(3)) };
    live.host.show_at(thread.channel_id(), thread.thread_ts(), Some(draft("pizza-order")));
    live.says(&thread, "r1", of_form(1, "pizza-order")).await;
    ada.opens_home().await;
    ada.sees_home("The pizza-order form\nin a thread of #general").await;
    ada.sees_home("[Go there]").await;
    // What is begun and ended in the direct message comes and goes without a look.
    let direct = ada.in_private();
    live.host.show_at(direct.channel_id(), None, Some(draft("injury-report")));
    live.says(&direct, "r2", of_form(2, "injury-report")).await;
    ada.sees_home("The injury-report form\nin our direct messages").await;
    live.host.show_at(thread.channel_id(), thread.thread_ts(), None);
    live.says(&thread, "r3", words("Thank you.")).await;
    let gone = async {
        while ada.home().contains("in a thread of") {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(10), gone).await.expect("it is no draft any more");
    ada.presses_home_beside("injury-report", "Go on").await;
    let event = live.heard(2).await.remove(1);
    assert_eq!((event.action, event.place), (Action::Open { form: Some("injury-report".to_owned()) }, place(&direct)));
    live.ends_well().await;
}

#[tokio::test]
async fn a_command_for_a_form_that_is_not_there_offers_those_that_are() {
    let live = Live::start_with(By::Socket, |fake| drop(fake.channel("general"))).await;
    let ada = live.fake.person("Ada").in_channel("general");
    let ben = live.fake.person("Ben").in_channel("general");
    live.says(&ada, "r1", screen(1, buttons(3))).await;
    ada.commands("/formwright nope").await;
    ada.sees("There is no form “nope”. You can start one of these:").await;
    assert!(!ben.can_see("nope"), "{}", ben.screen());
    ada.presses_beside("The injury-report form", "Start").await;
    let event = live.heard(1).await.remove(0);
    assert_eq!((event.action, event.place), (Action::Open { form: Some("injury-report".to_owned()) }, place(&ada)));
    ada.commands("/formwright pizza").await;
    assert_eq!(live.heard(2).await[1].action, Action::Open { form: Some("pizza-order".to_owned()) });
    ada.commands("/formwright form").await;
    ada.sees("You can start one of these:").await;
    live.ends_well().await;
}

#[tokio::test]
async fn shortcuts_offer_the_forms() {
    let live = Live::start_with(By::Socket, |fake| drop(fake.channel("general"))).await;
    let ada = live.fake.person("Ada").in_channel("general");
    ada.uses_shortcut("start").await;
    ada.fills_modal(&[("Choose", "The injury-report form")]).await;
    ada.sees_no_modal().await;
    let event = live.heard(1).await.remove(0);
    assert_eq!(
        (event.action, event.place),
        (Action::Open { form: Some("injury-report".to_owned()) }, place(&ada.in_private()))
    );
    ada.writes("somebody fell").await;
    ada.uses_shortcut_on("somebody fell", "form:injury-report").await;
    let event = live.heard(2).await.remove(1);
    assert_eq!(event.place, place(&ada.in_thread_of("somebody fell").await));
    live.ends_well().await;
}

#[tokio::test]
async fn words_to_another_person_are_no_answer() {
    let live = Live::start_with(By::Socket, |fake| drop(fake.channel("general"))).await;
    let ada = live.fake.person("Ada").in_channel("general");
    let ben = live.fake.person("Ben").in_channel("general");
    ada.writes("@formwright pizza").await;
    let ada = ada.in_thread_of("pizza").await;
    live.says(&ada, "r1", screen(1, chat::conformance::asking(chat::Input::Email))).await;
    for words in ["@Ben can you look?", "hey @Ben, it asks for my address", "is that right, @Ben?"] {
        ada.writes(words).await;
    }
    ben.in_thread_of("pizza").await.writes("@Ada yes it is").await;
    ada.writes("ada@example.org").await;
    let heard = live.heard(2).await;
    assert_eq!(pressed(&heard[1]), "Say { text: \"ada@example.org\" }");
    // A person's name is an answer where a person is asked for.
    live.says(&ada, "r2", screen(2, chat::conformance::asking(chat::Input::Person))).await;
    ada.writes("@Ben").await;
    live.heard(3).await;
    live.ends_well().await;
}

#[tokio::test]
async fn persons_and_channels_are_known_by_their_names() {
    let live = Live::start_with(By::Socket, |fake| drop(fake.channel("general"))).await;
    let ada = live.fake.person("Ada").in_private();
    live.fake.person("Ben");
    let text = || chat::Input::Text { long: false, max_chars: None, example: None, secret: false };
    live.says(&ada, "r1", screen(1, chat::conformance::asking(chat::Input::Person))).await;
    ada.writes("it is @Ben, see #general").await;
    live.heard(1).await;
    live.says(&ada, "r2", screen(2, chat::conformance::asking(text()))).await;
    ada.writes("ask @Ben in #general, x@example.org or https://x.example/?a=1&b=2").await;
    live.heard(2).await;
    live.says(&ada, "r3", screen(3, chat::conformance::asking(chat::Input::Channel))).await;
    ada.picks_in("channels_select", "general").await;
    live.says(&ada, "r4", words("Next.")).await;
    ada.sees("✓ general").await;
    let said: Vec<String> = live.heard(3).await.iter().map(pressed).collect();
    let wanted = [
        "Say { text: \"it is <@UBEN|Ben>, see <#CGENERAL|general>\" }",
        "Say { text: \"ask @Ben in #general, x@example.org or https://x.example/?a=1&b=2\" }",
        "0=\"<#CGENERAL|general>\"",
    ];
    assert_eq!(said, wanted);
    live.ends_well().await;
}

#[tokio::test]
async fn a_name_that_slack_does_not_tell_is_an_id_in_words() {
    let live = Live::start_with(By::Socket, |fake| {
        fake.channel("general");
        fake.withdraws("users:read");
        fake.withdraws("channels:read");
    })
    .await;
    let ada = live.fake.person("Ada").in_private();
    live.fake.person("Ben");
    let text = chat::Input::Text { long: false, max_chars: None, example: None, secret: false };
    live.says(&ada, "r1", screen(1, chat::conformance::asking(text))).await;
    ada.writes("ask @Ben in #general").await;
    assert_eq!(pressed(&live.heard(1).await[0]), "Say { text: \"ask person UBEN in channel CGENERAL\" }");
    let refusals = live.fake.refusals();
    assert!(refusals.iter().all(|refusal| refusal.contains("missing_scope")), "{refusals:?}");
}

#[tokio::test]
async fn two_persons_in_one_channel_do_not_see_each_others_questions() {
    let live = Live::start_with(By::Socket, |fake| drop(fake.channel("general"))).await;
    let ada = live.fake.person("Ada").in_channel("general");
    let ben = live.fake.person("Ben").in_channel("general");
    ada.commands("/formwright pizza-order").await;
    ben.commands("/formwright pizza-order").await;
    live.says(&ada, "r1", screen(1, buttons(3))).await;
    live.says(&ben, "r2", screen(2, buttons(4))).await;
    ben.presses("Option 4").await;
    ada.presses("Option 3").await;
    let events = live.heard(4).await;
    let of = |user: &str| events.iter().filter(|event| event.user.id.as_str() == user).map(pressed).collect::<Vec<_>>();
    assert_eq!((of("UADA")[1].as_str(), of("UBEN")[1].as_str()), ("0=[2]", "0=[3]"));
    assert!(!ada.can_see("Option 4"), "{}", ada.screen());
    live.ends_well().await;
}

#[tokio::test]
async fn a_form_begun_by_a_command_is_deaf_to_its_channel() {
    let live = Live::start_with(By::Socket, |fake| drop(fake.channel("general"))).await;
    let ada = live.fake.person("Ada").in_channel("general");
    let text = || chat::Input::Text { long: false, max_chars: None, example: None, secret: false };
    live.says(&ada, "r1", screen(1, chat::conformance::asking(text()))).await;
    ada.sees("What is field 0?").await;
    ada.writes("my desk phone is 555 1234").await;
    ada.writes("@formwright Via Roma 1").await;
    let heard = live.heard(1).await;
    assert_eq!(pressed(&heard[0]), "Say { text: \"Via Roma 1\" }", "only what is said to the bot is an answer");
    ada.presses(chat::words::say(chat::words::Word::TypeAnswer, "en")).await;
    ada.fills_modal(&[("What is field 0?", "Via Roma 2")]).await;
    live.heard(2).await;
    live.ends_well().await;
}
