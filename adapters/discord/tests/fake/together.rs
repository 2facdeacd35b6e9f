//! Forms that several fill together, languages, fields left empty, and lists beyond all limits.

use formwright_chat::words::{Word, say};
use formwright_chat::{Access, AccessRule, Action, Input, Pressed, Reply, conformance};

use crate::{Stage, options, pressed, said};

fn shared(reply: Reply) -> Reply {
    Reply { shared: true, ..reply }
}

fn text(secret: bool) -> Input {
    Input::Text { long: false, max_chars: None, example: None, secret }
}

#[tokio::test]
async fn in_a_channel_everybody_answers_what_all_share() {
    let stage = Stage::set().await;
    let ada = stage.fake.person("Ada").in_channel("lunch");
    let ben = stage.fake.person("Ben").in_channel("lunch");
    ada.writes("@Formwright team lunch").await;
    let first = stage.event(1).await;
    stage.reply(&first, 'a', &shared(conformance::several(3))).await.unwrap();
    ben.picks(&["Option 2"]).await;
    let second = stage.event(2).await;
    assert_eq!((second.user.id.as_str(), options(&second)), (ben.id().as_str(), vec![1]));
    ada.sees("✓ Option 2").await;
    stage.reply(&second, 'b', &shared(conformance::asking(Input::Email))).await.unwrap();
    ada.writes("see you there").await;
    ben.writes("@Formwright ben@example.com").await;
    assert!(stage.event(3).await.terms.overheard);
    let fourth = stage.event(4).await;
    assert_eq!((said(&fourth).as_str(), fourth.terms.overheard), ("ben@example.com", false));
    stage.fine();
}

#[tokio::test]
async fn words_to_another_person_are_no_answer() {
    let stage = Stage::set().await;
    let ada = stage.fake.person("Ada").in_channel("lunch");
    let ben = stage.fake.person("Ben").in_channel("lunch");
    ada.writes("@Formwright pizza").await;
    stage.reply(&stage.event(1).await, 'a', &conformance::asking(Input::Email)).await.unwrap();
    ada.writes(&format!("<@{}> can you look?", ben.id())).await;
    ben.writes("what is it?").await;
    ada.replies_to("what is it?", "it asks for my address").await;
    ada.writes("ada@example.com").await;
    assert_eq!(said(&stage.event(2).await), "ada@example.com");
    stage.fine();
}

#[tokio::test]
async fn a_sensitive_question_of_all_is_one_persons_own() {
    let stage = Stage::set().await;
    let ada = stage.fake.person("Ada").in_channel("lunch");
    let ben = stage.fake.person("Ben").in_channel("lunch");
    ada.runs_with("/form", &[("form", "injury-report")]).await;
    let secret = Reply { private: true, ..shared(conformance::asking(text(true))) };
    stage.reply(&stage.event(1).await, 'a', &secret).await.unwrap();
    ada.sees_alone("What is field 0?").await;
    assert!(!ben.ever_saw("What is field 0?"));
    ben.writes("what now?").await;
    ada.writes("my desk phone is 1234").await;
    ada.writes("@Formwright hunter2").await;
    let second = stage.event(2).await;
    assert_eq!((said(&second).as_str(), second.user.id.as_str()), ("hunter2", ada.id().as_str()));
    stage.fine();
}

#[tokio::test]
async fn what_a_message_does_not_tell_the_last_command_did() {
    let stage = Stage::set().await;
    let ada = stage.fake.person("Ada").speaking("it").in_channel("lunch");
    ada.writes("@Formwright ciao").await;
    assert_eq!(stage.event(1).await.user.locale, None);
    ada.runs_with("/form", &[("form", "pizza-order")]).await;
    assert_eq!(stage.event(2).await.user.locale.as_deref(), Some("it"));
    ada.writes("@Formwright due").await;
    assert_eq!(stage.event(3).await.user.locale.as_deref(), Some("it"));
    let stage = stage.restarts(async |_| {}).await;
    ada.writes("@Formwright tre").await;
    assert_eq!(stage.event(4).await.user.locale.as_deref(), Some("it"));
}

#[tokio::test]
async fn the_forms_a_person_may_use_come_with_what_they_do() {
    let rule =
        |form: &str, users: Vec<String>| AccessRule { forms: vec![form.to_owned()], users, ..AccessRule::default() };
    let access = Access { rules: vec![rule("pizza-order", Vec::new()), rule("injury-report", vec!["0".to_owned()])] };
    let stage = Stage::limited(access).await;
    let ada = stage.fake.person("Ada").in_channel("lunch");
    ada.writes("@Formwright I hurt my arm").await;
    let event = stage.event(1).await;
    assert_eq!(event.terms.forms, Some(vec!["pizza-order".to_owned()]));
    ada.runs_with("/form", &[("form", "injury-report")]).await;
    ada.sees_alone(say(Word::NotAllowed, "en")).await;
    ada.sees_alone("• Pizza order: /pizza-order").await;
    stage.reply(&event, 'a', &conformance::several(3)).await.unwrap();
    ada.picks(&["Option 1"]).await;
    assert_eq!(stage.event(2).await.terms.forms, Some(vec!["pizza-order".to_owned()]));
    stage.fine();
}

#[tokio::test]
async fn a_form_of_another_server_is_no_command_here_and_an_unknown_one_is_answered() {
    let rule = |form: &str, servers: Vec<String>| AccessRule {
        forms: vec![form.to_owned()],
        workspaces: servers,
        ..AccessRule::default()
    };
    let fake = formwright_fakes::discord::DiscordFake::start_with(crate::unlimited()).await;
    let here = fake.person("Ada").in_channel("lunch").guild_id();
    let access = Access { rules: vec![rule("pizza-order", vec![here]), rule("injury-report", Vec::new())] };
    let stage = Stage::over(fake, access).await;
    let ada = stage.fake.person("Ada");
    assert_eq!(stage.fake.commands(), ["form", "injury-report", "forget"], "everybody's");
    ada.in_channel("lunch").runs("/pizza-order").await;
    assert_eq!(stage.event(1).await.action, Action::Open { form: Some("pizza-order".to_owned()) });
    assert_eq!(ada.types_into("/form", "form", "").await, ["Injury report"]);
    ada.runs_with("/form", &[("form", "nope")]).await;
    ada.sees_alone("There is no form “nope”.").await;
    ada.sees_alone("• Injury report: /injury-report").await;
    ada.runs_with("/form", &[("form", "pizza-order")]).await;
    ada.sees_alone(say(Word::NotAllowed, "en")).await;
    // A sentence may ask for a form as well.
    ada.runs_with("/form", &[("form", "I hurt my arm")]).await;
    assert_eq!(said(&stage.event(2).await), "I hurt my arm");
    assert_eq!(stage.host.events().len(), 2);
    assert_eq!(stage.fake.refusals(), Vec::<String>::new());
}

#[tokio::test]
async fn what_must_be_ticked_cannot_be_sent_empty_and_a_window_has_its_forms_title() {
    let stage = Stage::set().await;
    let ada = stage.fake.person("Ada").in_channel("lunch");
    ada.writes("@Formwright hello").await;
    let mut inputs = vec![text(false), conformance::options(0, 4, true)];
    inputs.extend((0..5).map(|_| text(false)));
    let mut page = conformance::page(inputs);
    page.title = Some("Report of an injury at work, to be sent within two days".to_owned());
    page.page.iter_mut().for_each(|question| question.required = false);
    page.page[0].required = true;
    stage.reply(&stage.event(1).await, 'a', &page).await.unwrap();
    ada.presses(say(Word::OpenForm, "en")).await;
    ada.sees_modal("Report of an injury at work, to be sen… (1/2)").await;
    // Discord itself keeps the window open; a program that is none of Discord's sends it all the same.
    ada.sends_modal_unchecked(&[("Field 0", "Via Roma 1")]).await;
    ada.sees_alone(&format!("Field 10: {}", say(Word::TickSomething, "en"))).await;
    assert_eq!(stage.host.events().len(), 1);
    ada.presses(say(Word::FixAndSend, "en")).await;
    ada.sees_modal("Via Roma 1").await;
    ada.fills_modal(&[("Field 10", "Option 2")]).await;
    let presses = pressed(&stage.event(2).await);
    assert_eq!(presses.len(), 5, "the others come with the next reply");
    assert!(matches!(&presses[1].value, Pressed::Options { tokens } if tokens.len() == 1));
    stage.fine();
}

#[tokio::test]
async fn a_field_left_empty_is_told_with_the_others() {
    let stage = Stage::set().await;
    let ada = stage.fake.person("Ada").in_channel("lunch");
    ada.writes("@Formwright two pizzas").await;
    let mut page = conformance::page(vec![text(false), text(false), conformance::options(0, 4, false)]);
    page.page.iter_mut().for_each(|question| question.required = false);
    stage.reply(&stage.event(1).await, 'a', &page).await.unwrap();
    ada.presses(say(Word::OpenForm, "en")).await;
    ada.fills_modal(&[("Field 0", "Via Roma 1")]).await;
    let event = stage.event(2).await;
    let empty: Vec<u16> = pressed(&event)
        .into_iter()
        .filter(|press| press.value == Pressed::Empty)
        .map(|press| press.token.slot)
        .collect();
    assert_eq!(empty, [10, 11]);
    let Action::Press { presses } = event.action else { panic!("no press") };
    assert_eq!(presses.len(), 3);
    ada.sees("✓ Via Roma 1").await;
    stage.fine();
}

#[tokio::test]
async fn hundreds_of_options_with_long_and_equal_names_are_picked() {
    let stage = Stage::set().await;
    let ada = stage.fake.person("Ada").in_channel("lunch");
    ada.writes("@Formwright hello").await;
    let mut reply = conformance::several(300);
    if let Input::Options { options, .. } = &mut reply.questions[0].input {
        options[0].label = format!("{}first", "long ".repeat(38));
        options[1].label = format!("{}second", "long ".repeat(38));
        options[2].label = "🍕".to_owned();
        options[3].label = "Option 300".to_owned();
    }
    stage.reply(&stage.event(1).await, 'a', &reply).await.unwrap();
    ada.sees("long second").await;
    ada.picks(&["🍕"]).await;
    ada.presses("Next").await;
    ada.sees("Option 26").await;
    ada.picks(&["Option 30"]).await;
    ada.presses("Search").await;
    ada.fills_modal(&[("Search", "option 299")]).await;
    ada.sees("Option 299").await;
    ada.picks(&["Option 299"]).await;
    ada.presses(say(Word::Done, "en")).await;
    assert_eq!(options(&stage.event(2).await), [2, 29, 298]);
    stage.fine();
}
