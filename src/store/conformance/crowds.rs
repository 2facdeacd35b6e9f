//! Every store: many turns at once.

use std::collections::BTreeSet;

use formwright_chat as chat;

use super::{Bench, at, commit, event, key, outgoing, packed, send, session as session_of};
use crate::{Accepted, Committed, Delivery, Store};

const SESSIONS: usize = 4;
const WRITERS: usize = 16;
const TURNS: usize = 10;

/// Adds a turn's name to the session's language until it is in, as the runtime does with conflicts.
async fn add(store: &impl Store, session: &str, turn: &str) {
    loop {
        let stored = store.load(&key(session)).await.unwrap();
        let mut next = commit(session, stored.version, turn);
        let written = stored.session.and_then(|session| session.lang.clone()).unwrap_or_default();
        next.session = Some(packed(session_of(session, &format!("{written} {turn}"))));
        next.outbox = vec![outgoing(turn, session, session, 0)];
        next.event = Some(chat::EventId::new(turn));
        match store.commit(&next).await.unwrap() {
            Committed::Done => return,
            Committed::AlreadyMine => panic!("{turn} was written twice"),
            Committed::Conflict | Committed::Stale => tokio::task::yield_now().await,
        }
    }
}

pub(crate) async fn writers_of_the_same_sessions_lose_nothing<B: Bench>() {
    let bench = B::new();
    let writer = async |writer: usize| {
        for no in 0..TURNS {
            let session = format!("s{}", (writer + no) % SESSIONS);
            add(bench.store(), &session, &format!("w{writer}t{no}")).await;
        }
    };
    join((0..WRITERS).map(writer)).await;
    let mut written = Vec::new();
    for session in 0..SESSIONS {
        let stored = bench.store().load(&key(&format!("s{session}"))).await.unwrap();
        let turns = stored.session.and_then(|session| session.lang.clone()).unwrap_or_default();
        written.extend(turns.split_whitespace().map(str::to_owned));
    }
    assert_eq!(written.len(), WRITERS * TURNS, "each once");
    assert_eq!(written.iter().collect::<BTreeSet<_>>().len(), WRITERS * TURNS, "and no two the same");
}

/// Nobody is forgotten to make room for others.
pub(crate) async fn a_thousand_sessions_are_all_there<B: Bench>() {
    const PEOPLE: usize = 1_000;
    let bench = B::new();
    let writer = async |no: usize| add(bench.store(), &format!("p{no}"), &format!("t{no}")).await;
    join((0..PEOPLE).map(writer)).await;
    let bench = bench.reopen();
    for no in 0..PEOPLE {
        let stored = bench.store().load(&key(&format!("p{no}"))).await.unwrap();
        let written = stored.session.and_then(|session| session.lang.clone());
        assert_eq!(written, Some(format!(" t{no}")), "p{no}");
    }
}

pub(crate) async fn workers_of_the_same_outbox_take_each_entry_once<B: Bench>() {
    let bench = B::new();
    let entries = (0..60).map(|no| outgoing(&format!("{no:02}"), &format!("lane {}", no % 6), "ann", 0)).collect();
    send(bench.store(), "t", entries).await;
    let worker = async |_| {
        let mut taken = Vec::new();
        loop {
            let due = bench.store().due(at(1), at(1_000), 3).await.unwrap();
            if due.is_empty() {
                return taken;
            }
            for entry in due {
                bench.store().mark(&entry.id, Delivery::Done, at(1)).await.unwrap();
                taken.push(entry.id);
            }
        }
    };
    let mut taken: Vec<String> = join((0..4).map(worker)).await.into_iter().flatten().collect();
    // A worker may find every lane held by others and go home early; what is left is for the next.
    taken.extend(worker(4).await);
    assert_eq!(taken.len(), 60, "each once");
    assert_eq!(taken.into_iter().collect::<BTreeSet<_>>().len(), 60, "and no two the same");
}

pub(crate) async fn an_event_delivered_many_times_at_once_is_new_once<B: Bench>() {
    let bench = B::new();
    let deliver = async |_| bench.store().accept(&key("ann"), &event("e1", "ann")).await.unwrap();
    let accepted = join((0..WRITERS).map(deliver)).await;
    assert_eq!(accepted.iter().filter(|accepted| **accepted == Accepted::New).count(), 1);
}

/// Runs futures side by side on this task.
pub(crate) async fn join<F: Future>(futures: impl Iterator<Item = F>) -> Vec<F::Output> {
    let mut running: Vec<_> = futures.map(|future| (Box::pin(future), None)).collect();
    std::future::poll_fn(|cx| {
        for (future, output) in &mut running {
            if output.is_none()
                && let std::task::Poll::Ready(ready) = future.as_mut().poll(cx)
            {
                *output = Some(ready);
            }
        }
        let all = running.iter().all(|(_, output)| output.is_some());
        if all { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    })
    .await;
    running.into_iter().filter_map(|(_, output)| output).collect()
}
