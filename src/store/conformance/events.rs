//! Every store: events come in once, and stay until they are worked on.

use formwright_chat as chat;

use super::{Bench, commit, event, key, reply};
use crate::{Accepted, Commit, Committed, Store as _};

pub(crate) async fn a_new_event_is_stored<B: Bench>() {
    let bench = B::new();
    assert_eq!(bench.store().accept(&key("ann"), &event("e1", "ann")).await.unwrap(), Accepted::New);
    assert_eq!(bench.store().open_events(10).await.unwrap(), [event("e1", "ann")]);
}

pub(crate) async fn an_event_without_a_turn_stays_open<B: Bench>() {
    let bench = B::new();
    bench.store().accept(&key("ann"), &event("e1", "ann")).await.unwrap();
    assert_eq!(bench.store().accept(&key("ann"), &event("e1", "ann")).await.unwrap(), Accepted::Open);
    let seen = bench.store().seen(&key("ann"), &chat::EventId::new("e1")).await.unwrap();
    assert_eq!(seen, Some(Accepted::Open));
}

pub(crate) async fn an_event_whose_turn_was_written_gives_the_same_replies<B: Bench>() {
    let bench = B::new();
    bench.store().accept(&key("ann"), &event("e1", "ann")).await.unwrap();
    let replies = vec![reply("first"), reply("second")];
    let turn = Commit { event: Some(chat::EventId::new("e1")), replies: replies.clone(), ..commit("ann", 0, "t1") };
    assert_eq!(bench.store().commit(&turn).await.unwrap(), Committed::Done);
    assert_eq!(bench.store().accept(&key("ann"), &event("e1", "ann")).await.unwrap(), Accepted::Done(replies));
    assert_eq!(bench.store().open_events(10).await.unwrap(), []);
}

pub(crate) async fn an_event_never_accepted_is_marked_by_its_commit<B: Bench>() {
    let bench = B::new();
    let turn =
        Commit { event: Some(chat::EventId::new("e1")), replies: vec![reply("hello")], ..commit("ann", 0, "t1") };
    bench.store().commit(&turn).await.unwrap();
    let seen = bench.store().seen(&key("ann"), &chat::EventId::new("e1")).await.unwrap();
    assert_eq!(seen, Some(Accepted::Done(vec![reply("hello")])));
}

pub(crate) async fn the_same_id_in_another_session_is_another_event<B: Bench>() {
    let bench = B::new();
    assert_eq!(bench.store().accept(&key("ann"), &event("e1", "ann")).await.unwrap(), Accepted::New);
    assert_eq!(bench.store().accept(&key("ben"), &event("e1", "ben")).await.unwrap(), Accepted::New);
    let turn = Commit { event: Some(chat::EventId::new("e1")), ..commit("ann", 0, "t1") };
    bench.store().commit(&turn).await.unwrap();
    assert_eq!(bench.store().open_events(10).await.unwrap(), [event("e1", "ben")]);
}

pub(crate) async fn an_unknown_event_was_not_seen<B: Bench>() {
    let bench = B::new();
    assert_eq!(bench.store().seen(&key("ann"), &chat::EventId::new("e1")).await.unwrap(), None);
}

pub(crate) async fn seen_does_not_store<B: Bench>() {
    let bench = B::new();
    bench.store().seen(&key("ann"), &chat::EventId::new("e1")).await.unwrap();
    assert_eq!(bench.store().accept(&key("ann"), &event("e1", "ann")).await.unwrap(), Accepted::New);
}

pub(crate) async fn open_events_come_oldest_first_and_at_most_so_many<B: Bench>() {
    let bench = B::new();
    for id in ["z", "a", "m"] {
        bench.store().accept(&key("ann"), &event(id, "ann")).await.unwrap();
    }
    assert_eq!(bench.store().open_events(2).await.unwrap(), [event("z", "ann"), event("a", "ann")]);
}

pub(crate) async fn an_accepted_event_survives_whole<B: Bench>() {
    let bench = B::new();
    bench.store().accept(&key("ann"), &event("e1", "ann")).await.unwrap();
    let bench = bench.reopen();
    assert_eq!(bench.store().open_events(10).await.unwrap(), [event("e1", "ann")]);
}

pub(crate) async fn events_read_together_are_done_together<B: Bench>() {
    let bench = B::new();
    for id in ["e1", "e2", "e3"] {
        bench.store().accept(&key("ann"), &event(id, "ann")).await.unwrap();
    }
    let (last, merged) = (Some(chat::EventId::new("e2")), vec![chat::EventId::new("e1")]);
    let turn = Commit { event: last, merged, replies: vec![reply("hello")], ..commit("ann", 0, "t1") };
    bench.store().commit(&turn).await.unwrap();
    let bench = bench.reopen();
    let seen = |id: &'static str| {
        let bench = &bench;
        async move { bench.store().seen(&key("ann"), &chat::EventId::new(id)).await.unwrap() }
    };
    assert_eq!(seen("e1").await, Some(Accepted::Done(Vec::new())));
    assert_eq!(seen("e2").await, Some(Accepted::Done(vec![reply("hello")])));
    assert_eq!(seen("e3").await, Some(Accepted::Open));
}
