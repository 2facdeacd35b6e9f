//! Forms that one person fills in among others: alone, in direct messages, in a thread; and where the bot may not write.

use std::time::Duration;

use formwright_chat::words::{Word, say};
use formwright_chat::{FormCard, Input, Reply, Shown, conformance};
use formwright_discord::DiscordSettings;
use formwright_fakes::discord::{DiscordFake, Options};

use crate::{Stage, options, said, texts, unlimited};

/// A reply about a form.
fn of(form: &str, reply: Reply) -> Reply {
    Reply { form: Some(form.to_owned()), title: Some("Pizza order".to_owned()), ..reply }
}

fn question() -> Reply {
    of("pizza-order", conformance::one_of(3))
}

async fn stage(servers: Shown) -> Stage {
    Stage::with_settings(DiscordFake::start_with(unlimited()).await, |settings| settings.servers = servers).await
}

#[test]
fn forms_of_one_person_are_private_unless_the_operator_says_otherwise() {
    assert_eq!(DiscordSettings::default().servers, Shown::Private);
}

#[tokio::test]
async fn a_form_begun_by_a_command_is_seen_by_nobody_else() {
    let stage = stage(Shown::Private).await;
    let ada = stage.fake.person("Ada").in_channel("lunch");
    let ben = stage.fake.person("Ben").in_channel("lunch");
    ada.runs("/pizza-order").await;
    stage.reply(&stage.event(1).await, 'a', &question()).await.unwrap();
    ada.sees_alone("What is field 0?").await;
    ada.presses("Option 2").await;
    ada.sees("✓ Option 2").await;
    stage.reply(&stage.event(2).await, 'b', &of("pizza-order", conformance::asking(Input::Email))).await.unwrap();
    ada.presses(say(Word::TypeAnswer, "en")).await;
    ada.fills_modal(&[("Field 0", "ada@example.com")]).await;
    assert_eq!(texts(&stage.event(3).await), ["ada@example.com"]);
    assert_eq!(ben.messages(), []);
    let requests = stage.fake.requests();
    assert!(!requests.iter().any(|line| line.contains("/channels/")), "{requests:?}");
    stage.fine();
}

#[tokio::test]
async fn what_is_said_to_colleagues_is_no_answer_to_a_private_form() {
    let stage = stage(Shown::Private).await;
    let ada = stage.fake.person("Ada").in_channel("lunch");
    ada.runs("/pizza-order").await;
    stage.reply(&stage.event(1).await, 'a', &of("pizza-order", conformance::asking(Input::Email))).await.unwrap();
    ada.sees_alone("What is field 0?").await;
    ada.writes("my desk phone is 1234").await;
    ada.writes("@Formwright ada@example.com").await;
    assert_eq!(said(&stage.event(2).await), "ada@example.com");
    stage.fine();
}

#[tokio::test]
async fn a_form_begun_in_words_waits_behind_a_button_of_its_own() {
    let stage = stage(Shown::Private).await;
    let ada = stage.fake.person("Ada").in_channel("lunch");
    let ben = stage.fake.person("Ben").in_channel("lunch");
    ada.writes("@Formwright a pizza").await;
    stage.reply(&stage.event(1).await, 'a', &question()).await.unwrap();
    ben.sees("🔒 @Ada").await;
    ben.presses(say(Word::InPrivate, "en")).await;
    ben.sees_alone(say(Word::NotYours, "en")).await;
    ada.presses(say(Word::InPrivate, "en")).await;
    ada.sees_alone("What is field 0?").await;
    ada.presses("Option 3").await;
    ada.sees_alone("✓ Option 3").await;
    assert_eq!(options(&stage.event(2).await), [2]);
    stage.reply(&stage.event(2).await, 'b', &of("pizza-order", conformance::review(2))).await.unwrap();
    ada.sees_alone("Is everything right?").await;
    ben.sees_no_more("🔒 @Ada").await;
    assert!(!ben.ever_saw("Option 3") && !ben.ever_saw("field 0") && !ben.ever_saw("everything"));
    stage.fine();
}

#[tokio::test]
async fn a_form_that_says_where_is_shown_there() {
    let card = |id: &str, shown| FormCard { shown, ..crate::form(id, id) };
    let fake = DiscordFake::start_with(unlimited()).await;
    let forms = vec![
        card("pizza-order", Some(Shown::Here)),
        card("injury-report", None),
        FormCard { shared: true, ..card("lunch", None) },
    ];
    let stage = Stage::with_forms(fake, forms, |settings| settings.servers = Shown::Private).await;
    let ada = stage.fake.person("Ada").in_channel("lunch");
    let ben = stage.fake.person("Ben").in_channel("lunch");
    for (no, form, open) in [(1, "pizza-order", true), (2, "injury-report", false), (3, "lunch", true)] {
        ada.runs(&format!("/{form}")).await;
        let reply = Reply { say: vec![format!("words of {form}")], shared: form == "lunch", ..Reply::default() };
        let id = char::from_digit(no, 10).unwrap();
        stage.reply(&stage.event(no as usize).await, id, &of(form, reply)).await.unwrap();
        ada.sees(&format!("words of {form}")).await;
        assert_eq!(ben.ever_saw(&format!("words of {form}")), open, "{form}");
    }
    stage.fine();
}

#[tokio::test]
async fn a_form_goes_on_in_direct_messages_where_that_is_asked_for() {
    let stage = stage(Shown::Dm).await;
    let ada = stage.fake.person("Ada").in_channel("lunch");
    ada.runs("/pizza-order").await;
    let opened = stage.event(1).await;
    stage.reply(&opened, 'a', &question()).await.unwrap();
    ada.sees_alone(say(Word::SeePrivate, "en")).await;
    ada.in_private().sees("What is field 0?").await;
    ada.writes("my desk phone is 1234").await;
    ada.in_private().writes("the second").await;
    let answer = stage.event(2).await;
    assert_eq!((said(&answer).as_str(), answer.place), ("the second", opened.place.clone()));
    ada.blocks_the_bot();
    stage.reply(&opened, 'b', &of("pizza-order", conformance::review(2))).await.unwrap();
    ada.sees_alone("Is everything right?").await;
    assert!(stage.fake.take_refusals().iter().all(|line| line.contains("50007")));
    stage.fine();
}

#[tokio::test]
async fn a_form_has_a_thread_of_its_own_where_that_is_asked_for() {
    let stage = stage(Shown::Thread).await;
    let ada = stage.fake.person("Ada").in_channel("lunch");
    let ben = stage.fake.person("Ben");
    ada.writes("@Formwright a pizza").await;
    let begun = stage.event(1).await;
    stage.reply(&begun, 'a', &question()).await.unwrap();
    let thread = ada.in_own_thread().await;
    thread.sees("What is field 0?").await;
    ada.writes("my desk phone is 1234").await;
    thread.writes("the second").await;
    let answer = stage.event(2).await;
    assert_eq!((said(&answer).as_str(), &answer.place), ("the second", &begun.place));
    assert!(!answer.terms.overheard, "nobody else is there");
    stage.reply(&answer, 'b', &of("pizza-order", conformance::review(2))).await.unwrap();
    thread.presses("Confirm").await;
    assert_eq!(stage.event(3).await.place, begun.place);
    assert!(!ben.in_channel("lunch").ever_saw("field 0"));
    // What is written there while nobody listens is of the same form.
    let missed = async |fake: &DiscordFake| {
        fake.forgets_sessions();
        thread.writes("one more").await;
    };
    let stage = stage.restarts(missed).await;
    let missed = stage.event(4).await;
    assert_eq!((said(&missed).as_str(), &missed.place), ("one more", &begun.place));
    let threads = stage.fake.requests().iter().filter(|line| line.ends_with("/threads")).count();
    assert_eq!(threads, 1, "the second reply goes where the first is");
    stage.fine();
    // Where the bot may make none, the form is private all the same.
    stage.fake.forbids_threads_in("office");
    let ben = ben.in_channel("office");
    ben.runs("/pizza-order").await;
    stage.reply(&stage.event(5).await, 'c', &question()).await.unwrap();
    ben.sees_alone("What is field 0?").await;
    assert!(stage.fake.take_refusals().iter().all(|line| line.contains("50013")));
}

#[tokio::test]
async fn where_the_bot_is_not_the_form_goes_on_in_answers_to_what_the_person_does() {
    let fake = DiscordFake::start_with(Options { for_accounts: true, ..unlimited() }).await;
    let stage = Stage::with_settings(fake, |settings| settings.servers = Shown::Here).await;
    stage.fake.is_not_in("elsewhere");
    let (mut events, mut aside) = (0, 0);
    for ada in [stage.fake.person("Ada").in_channel("elsewhere"), stage.fake.person("Ada").in_group("friends")] {
        ada.runs("/pizza-order").await;
        events += 1;
        stage.reply(&stage.event(events).await, 'a', &question()).await.unwrap();
        ada.sees("What is field 0?").await;
        for (id, option) in [('b', "Option 1"), ('c', "Option 2"), ('d', "Option 3")] {
            ada.presses(option).await;
            ada.sees(&format!("✓ {option}")).await;
            events += 1;
            let event = stage.event(events).await;
            stage.reply(&event, id, &question()).await.unwrap();
        }
        assert_eq!(ada.in_private().messages().len(), aside);
        // Where it is with the account alone, five messages may follow a press. The next goes another way.
        let event = stage.event(events).await;
        for id in ['e', 'f', 'g', 'h', 'i'] {
            let words = Reply { say: vec![format!("words {id}")], ..Reply::default() };
            stage.reply(&event, id, &words).await.unwrap();
        }
        ada.sees("words h").await;
        ada.in_private().sees("words i").await;
        aside += 1;
        let refusals = stage.fake.take_refusals();
        assert!(refusals.len() == 1 && refusals[0].contains("40094"), "{refusals:?}");
        stage.host.forget_notes();
    }
    stage.fine();
}

#[tokio::test]
async fn a_form_goes_on_by_the_newest_press_in_a_channel_that_takes_nothing() {
    let stage = stage(Shown::Here).await;
    let ada = stage.fake.person("Ada").in_channel("lunch");
    ada.runs("/pizza-order").await;
    stage.reply(&stage.event(1).await, 'a', &question()).await.unwrap();
    ada.sees("What is field 0?").await;
    stage.fake.mutes_in("lunch");
    ada.presses("Option 1").await;
    stage.reply(&stage.event(2).await, 'b', &question()).await.unwrap();
    ada.presses("Option 2").await;
    assert_eq!(options(&stage.event(3).await), [1]);
    stage.fine();
}

/// Thirty people in one channel, each of whom runs the command and answers four questions: a channel takes one message of
/// the bot's a second, so that by these alone the last would wait for half a minute a question.
#[tokio::test]
async fn thirty_people_in_one_channel_are_all_answered_within_a_breath() {
    for servers in [Shown::Private, Shown::Here] {
        let limits = Options {
            channel_rate: (5, Duration::from_secs(5)),
            hook_rate: (5, Duration::from_secs(2)),
            ..unlimited()
        };
        let stage =
            Stage::with_settings(DiscordFake::start_with(limits).await, |settings| settings.servers = servers).await;
        let people: Vec<_> = (0..30).map(|no| stage.fake.person(&format!("P{no}")).in_channel("lunch")).collect();
        let mut events = 0;
        for round in 0..5 {
            for person in &people {
                if round == 0 {
                    person.runs("/pizza-order").await;
                } else {
                    let other = format!("Question {} of P", round - 1);
                    let own = format!("{other}{}.", person.id());
                    person.presses_under(&own, "Option 2").await;
                }
            }
            let all = stage.host.wait_for_events(events + people.len()).await;
            let replies = all[events..].iter().enumerate().map(|(no, event)| {
                let mut reply = question();
                reply.say = vec![format!("Question {round} of P{}.", event.user.id)];
                let nonce = format!("{round:02}{no:020}");
                let known = reply.nonce().unwrap().as_str().to_owned();
                let text = serde_json::to_string(&reply).unwrap().replace(&known, &nonce);
                let mut delivery = crate::delivery(event, 'x', &serde_json::from_str::<Reply>(&text).unwrap());
                delivery.reply = serde_json::from_str(&text).unwrap();
                delivery.id = formwright_chat::ReplyId::new(format!("reply/{nonce}"));
                delivery
            });
            let sent = replies.map(|delivery| {
                let adapter = std::sync::Arc::clone(&stage.adapter);
                tokio::spawn(async move { formwright_chat::Adapter::deliver(&*adapter, &delivery).await })
            });
            for sent in sent.collect::<Vec<_>>() {
                sent.await.unwrap().unwrap();
            }
            for person in &people {
                person.sees(&format!("Question {round} of P{}.", person.id())).await;
            }
            events += people.len();
        }
        let posts = stage.fake.requests().iter().filter(|line| line.starts_with("POST /channels/")).count();
        assert_eq!(posts, 0, "the channel's own limit is not touched");
        stage.fine();
    }
}
