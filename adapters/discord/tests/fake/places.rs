//! Servers, threads, private messages: who is heard where, and who sees what.

use formwright_chat::{Action, Input, conformance};
use formwright_discord::Transport;
use formwright_fakes::discord::Options;

use crate::{Stage, said, texts, unlimited};

#[tokio::test]
async fn in_a_channel_only_what_is_meant_for_the_bot_is_heard() {
    let stage = Stage::set().await;
    let ada = stage.fake.person("Ada").in_channel("lunch");
    let ben = stage.fake.person("Ben").in_channel("lunch");
    ben.writes("what a day").await;
    ada.writes("@Formwright order a pizza").await;
    let first = stage.event(1).await;
    assert_eq!((said(&first).as_str(), first.place.channel.as_str()), ("order a pizza", ada.channel_id().as_str()));
    assert_eq!(first.place.workspace, ada.guild_id());
    stage.reply(&first, 'a', &conformance::one_of(3)).await.unwrap();
    ben.writes("indeed").await;
    ada.writes("Margherita").await;
    assert_eq!(said(&stage.event(2).await), "Margherita");
    ben.replies_to("What is field 0?", "me too").await;
    let third = stage.event(3).await;
    assert_eq!((said(&third).as_str(), third.user.id.as_str()), ("me too", ben.id().as_str()));
    stage.fine();
}

#[tokio::test]
async fn a_thread_is_a_place_of_its_own() {
    let stage = Stage::set().await;
    let ada = stage.fake.person("Ada").in_thread("lunch", "today");
    ada.writes("@Formwright hi").await;
    let first = stage.event(1).await;
    assert_eq!(first.place.channel, ada.channel_id());
    stage.reply(&first, 'a', &conformance::one_of(3)).await.unwrap();
    ada.sees("What is field 0?").await;
    assert_eq!(ada.in_channel("lunch").screen(), "");
    ada.in_channel("lunch").writes("not meant").await;
    ada.presses("Option 1").await;
    assert_eq!(stage.event(2).await.place, first.place);
    stage.fine();
}

#[tokio::test]
async fn without_the_intent_mentions_and_private_messages_are_heard() {
    let stage = Stage::with(Options { reads: false, ..unlimited() }, Transport::Gateway).await;
    let ada = stage.fake.person("Ada").in_channel("lunch");
    ada.writes("@Formwright hi").await;
    stage.reply(&stage.event(1).await, 'a', &conformance::asking(Input::Email)).await.unwrap();
    ada.presses("Type an answer").await;
    ada.fills_modal(&[("Field 0", "ada@example.com")]).await;
    assert_eq!(texts(&stage.event(2).await), ["ada@example.com"]);
    ada.in_private().writes("in private").await;
    assert_eq!(said(&stage.event(3).await), "in private");
    stage.fine();
}

#[tokio::test]
async fn files_come_with_their_words() {
    let stage = Stage::set().await;
    let ada = stage.fake.person("Ada");
    ada.writes("one").await;
    ada.sends_files("here", &[("plan.pdf", "application/pdf", 1024)]).await;
    let Action::Attach { files, text } = stage.event(2).await.action else { panic!("no file") };
    assert_eq!((files[0].name.as_str(), files[0].bytes, text.as_str()), ("plan.pdf", Some(1024), "here"));
    assert_eq!(said(&stage.event(1).await), "one");
    stage.fine();
}

#[tokio::test]
async fn a_secret_is_asked_alone_and_what_is_written_in_the_open_is_deleted() {
    let stage = Stage::set().await;
    let ada = stage.fake.person("Ada").in_channel("lunch");
    let ben = stage.fake.person("Ben").in_channel("lunch");
    ada.runs_with("/form", &[("form", "injury-report")]).await;
    let mut secret = conformance::asking(Input::Text { long: false, max_chars: None, example: None, secret: true });
    secret.private = true;
    stage.reply(&stage.event(1).await, 'a', &secret).await.unwrap();
    ada.sees_alone("What is field 0?").await;
    assert!(!ben.ever_saw("What is field 0?"));
    ada.writes("@Formwright hunter2").await;
    assert_eq!(said(&stage.event(2).await), "hunter2");
    let gone = async {
        while ben.screen().contains("hunter2") {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(10), gone).await.expect("the secret is deleted");
    stage.fine();
}

#[tokio::test]
async fn a_secret_that_cannot_be_shown_alone_waits_behind_a_button() {
    let stage = Stage::set().await;
    let ada = stage.fake.person("Ada").in_channel("lunch");
    let ben = stage.fake.person("Ben").in_channel("lunch");
    ada.blocks_the_bot();
    ada.writes("@Formwright hi").await;
    let mut secret = conformance::asking(Input::Text { long: false, max_chars: None, example: None, secret: true });
    secret.private = true;
    stage.reply(&stage.event(1).await, 'a', &secret).await.unwrap();
    assert!(stage.fake.take_refusals().iter().all(|line| line.contains("50007")));
    assert!(!ada.ever_saw("What is field 0?"));
    ben.presses_of(&ada, "Answer in private").await;
    ben.sees_alone("somebody else").await;
    ada.presses("Answer in private").await;
    ada.sees_alone("What is field 0?").await;
    ada.presses("Type an answer").await;
    ada.fills_modal(&[("Field 0", "hunter2")]).await;
    assert_eq!(texts(&stage.event(2).await), ["hunter2"]);
    assert!(!ben.ever_saw("hunter2") && !ben.ever_saw("What is field 0?") && !ada.ever_saw("hunter2"));
    stage.fine();
}

#[tokio::test]
async fn a_command_is_answered_at_once_and_in_its_language() {
    let stage = Stage::set().await;
    let ada = stage.fake.person("Ada").in_channel("lunch").speaking("it").called("Countess");
    ada.runs("/pizza-order").await;
    let first = stage.event(1).await;
    assert_eq!(first.action, Action::Open { form: Some("pizza-order".to_owned()) });
    assert_eq!((first.user.locale.as_deref(), first.user.name.as_deref()), (Some("it"), Some("Countess")));
    ada.sees("is thinking").await;
    stage.reply(&first, 'a', &conformance::one_of(3)).await.unwrap();
    ada.sees_no_more("is thinking").await;
    ada.sees("What is field 0?").await;
    assert_eq!(ada.types_into("/form", "form", "inj").await, ["Injury report"]);
    ada.runs_with("/form", &[("form", "Injury report")]).await;
    assert_eq!(stage.event(2).await.action, Action::Open { form: Some("injury-report".to_owned()) });
    ada.in_private().runs("/form").await;
    assert_eq!(stage.event(3).await.action, Action::Open { form: None });
    stage.fine();
}

#[tokio::test]
async fn the_bot_is_seen_writing() {
    let stage = Stage::set().await;
    stage.fake.person("Ada").writes("hello").await;
    stage.event(1).await;
    let typing = async {
        while stage.fake.typed() == 0 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(10), typing).await.expect("it is writing");
    stage.fine();
}
