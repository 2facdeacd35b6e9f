//! Several programs at one Redis: whoever is asked, one of them answers, and any of them may go.

use std::time::{Duration, Instant};

use super::server::{Server, at_hand};
use super::{Answer, Person, Stage, holds, things, up};

/// How long a takeover may take.
const TAKEOVER: Duration = Duration::from_secs(15);

#[tokio::test(flavor = "multi_thread")]
async fn a_conversation_goes_on_at_whichever_replica_it_is_heard() {
    if !at_hand() {
        return;
    }
    let (stage, server) = (Stage::new().await, Server::start(&[]));
    let bots = ["one", "two"].map(|name| stage.bot(name, &server.url(), &[]));
    for bot in &bots {
        up(bot).await;
    }
    let people: Vec<String> = (0..8).map(|no| format!("p{no}")).collect();
    let filling = people.iter().map(|name| async {
        let mut turn = 0;
        let mut either = || {
            turn += 1;
            bots[turn % 2].address.clone()
        };
        Person::new(&stage, name).fills(&mut either, 6).await;
    });
    futures_util::future::join_all(filling).await;
    stage.delivered(people.len()).await;
    for name in &people {
        assert_eq!(stage.effects()[name], [things(6)]);
    }
    // What people say is nowhere in clear.
    let dir: Vec<String> = server.ask(redis::cmd("CONFIG").arg("GET").arg("dir").to_owned()).unwrap();
    let log = std::path::Path::new(&dir[1]).join("appendonlydir");
    assert!(holds(&log, "XADD") && !holds(&log, "thing1"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_that_came_along_with_a_request_goes_on_at_another_replica() {
    if !at_hand() {
        return;
    }
    let (stage, server) = (Stage::new().await, Server::start(&[]));
    let bots = ["one", "two"].map(|name| stage.bot(name, &server.url(), &[("FORMWRIGHT__WEB__INLINE_FORMS", "true")]));
    for bot in &bots {
        up(bot).await;
    }
    let form = "id: picnic\ntitle: Picnic\nfields:\n  - { id: dish, kind: text, ask: Which dish? }\n  \
                - { id: guests, kind: integer, ask: How many guests? }\n";
    let mut cookie = None;
    let mut conversation = serde_json::Value::Null;
    let mut last = serde_json::Value::Null;
    for (no, said) in ["", "Soup", "7", "yes"].into_iter().enumerate() {
        let mut body =
            serde_json::json!({"user_message": said, "event_id": format!("picnic-{no}-of-the-one-who-brings-it")});
        if no == 0 {
            body["form_context_md"] = form.into();
        } else {
            body["conversation_id"] = conversation.clone();
        }
        let told = async {
            loop {
                if let Answer::Said(told) = stage.ask(&bots[no % 2].address, &mut cookie, &body).await {
                    return told;
                }
                tokio::time::sleep(Duration::from_millis(200)).await;
            }
        };
        last = tokio::time::timeout(TAKEOVER, told).await.expect("a replica answers");
        conversation = last["conversation_id"].clone();
    }
    assert_eq!(last["action"]["action"], "FORM_COMPLETE", "{last}");
    assert_eq!(last["action"]["data"], serde_json::json!({"dish": "Soup", "guests": 7}));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replica_that_is_killed_is_followed_by_another_within_fifteen_seconds() {
    if !at_hand() {
        return;
    }
    let (stage, server) = (Stage::new().await, Server::start(&[]));
    let [mut one, two] = ["one", "two"].map(|name| stage.bot(name, &server.url(), &[]));
    up(&one).await;
    up(&two).await;
    let mut people: Vec<Person<'_>> = (0..6).map(|no| Person::new(&stage, &format!("p{no}"))).collect();
    for person in &mut people {
        person.says(&mut || one.address.clone(), None).await;
    }
    one.child.kill().await.unwrap();
    let killed = Instant::now();
    let names: Vec<String> = people.iter().map(|person| person.name.clone()).collect();
    let going_on = people.iter_mut().zip(&names).map(|(person, name)| async {
        person.says(&mut || two.address.clone(), Some(name)).await;
    });
    futures_util::future::join_all(going_on).await;
    assert!(killed.elapsed() < TAKEOVER, "{:?}", killed.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
async fn who_asks_while_the_replica_that_has_their_session_hangs_gets_an_honest_no_in_time() {
    if !at_hand() {
        return;
    }
    let (stage, server) = (Stage::new().await, Server::start(&[]));
    let [one, two] = ["one", "two"].map(|name| stage.bot(name, &server.url(), &[]));
    up(&one).await;
    up(&two).await;
    let mut people: Vec<Person<'_>> = (0..6).map(|no| Person::new(&stage, &format!("p{no}"))).collect();
    for person in &mut people {
        person.says(&mut || two.address.clone(), None).await;
    }
    one.signal("-STOP");
    let names: Vec<String> = people.iter().map(|person| person.name.clone()).collect();
    let going_on = people.iter_mut().zip(&names).map(|(person, name)| async {
        let (body, since) = (person.next(Some(name)), Instant::now());
        let answer = person.tries(&two.address, &body).await;
        assert!(since.elapsed() < Duration::from_secs(9), "{:?} for {answer:?}", since.elapsed());
        while !matches!(person.tries(&two.address, &body).await, Answer::Said(_)) {}
        person.says(&mut || two.address.clone(), Some("thing1")).await;
    });
    futures_util::future::join_all(going_on).await;
    one.signal("-CONT");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replica_that_is_stopped_hands_over_at_once() {
    if !at_hand() {
        return;
    }
    let (stage, server) = (Stage::new().await, Server::start(&[]));
    let [mut one, two] = ["one", "two"].map(|name| stage.bot(name, &server.url(), &[]));
    up(&one).await;
    up(&two).await;
    let mut ann = Person::new(&stage, "ann");
    ann.says(&mut || one.address.clone(), None).await;
    one.signal("-TERM");
    assert!(tokio::time::timeout(TAKEOVER, one.child.wait()).await.unwrap().unwrap().success(), "{}", one.log());
    let ended = Instant::now();
    for no in 0..6 {
        let mut person = Person::new(&stage, &format!("p{no}"));
        person.says(&mut || two.address.clone(), None).await;
    }
    ann.says(&mut || two.address.clone(), Some("ann")).await;
    // Far less than a lease.
    assert!(ended.elapsed() < Duration::from_secs(6), "{:?}", ended.elapsed());
}
