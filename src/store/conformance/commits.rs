//! Every store: a turn is written whole or not at all.

use formwright_chat as chat;

use super::{Bench, at, commit, due, event, key, outgoing, place, reply, session, submission, user};
use crate::{Accepted, Commit, Committed, Store as _, Stored};

/// A turn with something of everything.
fn full(name: &str, version: u64, turn: &str) -> Commit {
    Commit {
        event: Some(chat::EventId::new(format!("event of {turn}"))),
        replies: vec![reply("saved")],
        outbox: vec![outgoing(&format!("out of {turn}"), "lane", name, 0)],
        submissions: vec![submission(&format!("sub of {turn}"), 1, "pizza", name)],
        ..commit(name, version, turn)
    }
}

pub(crate) async fn a_new_session_has_version_zero<B: Bench>() {
    let bench = B::new();
    assert_eq!(bench.store().load(&key("ann")).await.unwrap(), Stored::default());
}

pub(crate) async fn a_session_reads_back_as_it_was_written<B: Bench>() {
    let bench = B::new();
    bench.store().commit(&commit("ann", 0, "t1")).await.unwrap();
    let stored = bench.store().load(&key("ann")).await.unwrap();
    assert_eq!(stored.session, Some(session("ann", "t1").into()));
    assert!(stored.version > 0);
}

pub(crate) async fn each_commit_raises_the_version<B: Bench>() {
    let bench = B::new();
    let mut version = 0;
    for turn in ["t1", "t2", "t3"] {
        assert_eq!(bench.store().commit(&commit("ann", version, turn)).await.unwrap(), Committed::Done);
        let stored = bench.store().load(&key("ann")).await.unwrap();
        assert!(stored.version > version);
        assert_eq!(stored.session, Some(session("ann", turn).into()));
        version = stored.version;
    }
}

pub(crate) async fn a_commit_on_an_old_version_conflicts_and_changes_nothing<B: Bench>() {
    let bench = B::new();
    bench.store().commit(&commit("ann", 0, "t1")).await.unwrap();
    let before = bench.store().load(&key("ann")).await.unwrap();
    for version in [0, before.version + 1] {
        assert_eq!(bench.store().commit(&full("ann", version, "t2")).await.unwrap(), Committed::Conflict);
    }
    assert_eq!(bench.store().load(&key("ann")).await.unwrap(), before);
    assert_eq!(due(bench.store(), 100).await, [""; 0]);
    assert_eq!(bench.store().submissions(None, 10).await.unwrap(), []);
    assert_eq!(bench.store().seen(&key("ann"), &chat::EventId::new("event of t2")).await.unwrap(), None);
}

pub(crate) async fn two_first_commits_conflict<B: Bench>() {
    let bench = B::new();
    assert_eq!(bench.store().commit(&commit("ann", 0, "t1")).await.unwrap(), Committed::Done);
    assert_eq!(bench.store().commit(&commit("ann", 0, "t2")).await.unwrap(), Committed::Conflict);
}

pub(crate) async fn the_same_turn_again_is_recognised<B: Bench>() {
    let bench = B::new();
    assert_eq!(bench.store().commit(&full("ann", 0, "t1")).await.unwrap(), Committed::Done);
    let once = bench.store().load(&key("ann")).await.unwrap();
    assert_eq!(bench.store().commit(&full("ann", 0, "t1")).await.unwrap(), Committed::AlreadyMine);
    assert_eq!(bench.store().load(&key("ann")).await.unwrap(), once);
    assert_eq!(due(bench.store(), 100).await, ["out of t1"]);
}

pub(crate) async fn the_same_turn_is_recognised_after_later_turns<B: Bench>() {
    let bench = B::new();
    bench.store().commit(&full("ann", 0, "t1")).await.unwrap();
    let version = bench.store().load(&key("ann")).await.unwrap().version;
    bench.store().commit(&full("ann", version, "t2")).await.unwrap();
    assert_eq!(bench.store().commit(&full("ann", 0, "t1")).await.unwrap(), Committed::AlreadyMine);
    assert_eq!(bench.store().load(&key("ann")).await.unwrap().session, Some(session("ann", "t2").into()));
}

pub(crate) async fn an_event_worked_on_by_another_turn_conflicts<B: Bench>() {
    let bench = B::new();
    let turn = |turn: &str, version| Commit { event: Some(chat::EventId::new("e1")), ..full("ann", version, turn) };
    bench.store().commit(&turn("t1", 0)).await.unwrap();
    let stored = bench.store().load(&key("ann")).await.unwrap();
    assert_eq!(bench.store().commit(&turn("t2", stored.version)).await.unwrap(), Committed::Conflict);
    assert_eq!(bench.store().load(&key("ann")).await.unwrap(), stored);
}

pub(crate) async fn a_turn_without_an_event_is_recognised<B: Bench>() {
    let bench = B::new();
    bench.store().commit(&commit("ann", 0, "t1")).await.unwrap();
    assert_eq!(bench.store().commit(&commit("ann", 0, "t1")).await.unwrap(), Committed::AlreadyMine);
}

pub(crate) async fn a_commit_without_a_session_deletes_it<B: Bench>() {
    let bench = B::new();
    bench.store().commit(&commit("ann", 0, "t1")).await.unwrap();
    let version = bench.store().load(&key("ann")).await.unwrap().version;
    let end = Commit { session: None, ..full("ann", version, "t2") };
    assert_eq!(bench.store().commit(&end).await.unwrap(), Committed::Done);
    assert_eq!(bench.store().load(&key("ann")).await.unwrap(), Stored::default());
    assert_eq!(due(bench.store(), 100).await, ["out of t2"]);
}

pub(crate) async fn a_session_made_anew_never_has_an_old_version<B: Bench>() {
    let bench = B::new();
    bench.store().commit(&commit("ann", 0, "t1")).await.unwrap();
    let old = bench.store().load(&key("ann")).await.unwrap().version;
    bench.store().delete(&key("ann")).await.unwrap();
    bench.store().commit(&commit("ann", 0, "t2")).await.unwrap();
    assert_eq!(bench.store().commit(&commit("ann", old, "t3")).await.unwrap(), Committed::Conflict);
}

pub(crate) async fn a_turn_is_written_whole<B: Bench>() {
    let bench = B::new();
    bench.store().accept(&key("ann"), &event("event of t1", "ann")).await.unwrap();
    bench.store().commit(&full("ann", 0, "t1")).await.unwrap();
    written_whole(&bench).await;
}

pub(crate) async fn a_turn_survives_whole<B: Bench>() {
    let bench = B::new();
    bench.store().commit(&full("ann", 0, "t1")).await.unwrap();
    written_whole(&bench.reopen()).await;
}

async fn written_whole<B: Bench>(bench: &B) {
    assert_eq!(bench.store().load(&key("ann")).await.unwrap().session, Some(session("ann", "t1").into()));
    let seen = bench.store().seen(&key("ann"), &chat::EventId::new("event of t1")).await.unwrap();
    assert_eq!(seen, Some(Accepted::Done(vec![reply("saved")])));
    let due = bench.store().due(at(1), at(10), 10).await.unwrap();
    assert_eq!(due, [outgoing("out of t1", "lane", "ann", 0)]);
    let submissions = bench.store().submissions(None, 10).await.unwrap();
    assert_eq!(submissions, [submission("sub of t1", 1, "pizza", "ann")]);
    assert_eq!(bench.store().open_events(10).await.unwrap(), []);
}

pub(crate) async fn a_submission_is_kept_once_by_id_and_revision<B: Bench>() {
    let bench = B::new();
    for (name, revision) in [("t1", 1), ("t2", 1), ("t3", 2)] {
        let version = bench.store().load(&key("ann")).await.unwrap().version;
        let submissions = vec![submission("s1", revision, "pizza", "ann")];
        let turn = Commit { submissions, ..commit("ann", version, name) };
        assert_eq!(bench.store().commit(&turn).await.unwrap(), Committed::Done);
    }
    let revisions: Vec<u32> = bench.store().submissions(None, 10).await.unwrap().iter().map(|s| s.revision).collect();
    assert_eq!(revisions, [1, 2]);
}

pub(crate) async fn submissions_are_listed_by_form_oldest_first<B: Bench>() {
    let bench = B::new();
    for (id, form) in [("z", "pizza"), ("m", "leave"), ("a", "pizza")] {
        let turn = Commit { submissions: vec![submission(id, 1, form, "ann")], ..commit(id, 0, id) };
        bench.store().commit(&turn).await.unwrap();
    }
    let ids = async |form: Option<&str>, limit| -> Vec<String> {
        let found = bench.store().submissions(form, limit).await.unwrap();
        found.into_iter().map(|submission| submission.id).collect()
    };
    assert_eq!(ids(None, 10).await, ["z", "m", "a"]);
    assert_eq!(ids(Some("pizza"), 10).await, ["z", "a"]);
    assert_eq!(ids(None, 1).await, ["z"]);
    assert_eq!(ids(Some("other"), 10).await, [""; 0]);
}

pub(crate) async fn a_models_answer_is_kept_until_its_turn_is_committed<B: Bench>() {
    let bench = B::new();
    let (ann, ben, event) = (key("ann"), key("ben"), chat::EventId::new("e1"));
    let kept = async |key, call| bench.store().kept_answer((key, &event), call).await.unwrap();
    bench.store().keep_answer((&ann, &event), "read", "{\"a\":1}", at(0)).await.unwrap();
    bench.store().keep_answer((&ann, &event), "again", "two", at(0)).await.unwrap();
    assert_eq!(kept(&ann, "read").await.as_deref(), Some("{\"a\":1}"));
    assert_eq!(kept(&ann, "again").await.as_deref(), Some("two"));
    assert_eq!(kept(&ben, "read").await, None);
    let turn = Commit { event: Some(event.clone()), ..commit("ann", 0, "t1") };
    assert_eq!(bench.store().commit(&turn).await.unwrap(), Committed::Done);
    assert_eq!(kept(&ann, "read").await, None);
}

pub(crate) async fn a_models_answer_goes_with_its_person<B: Bench>() {
    let bench = B::new();
    let event = chat::EventId::new("e1");
    for name in ["ann", "ben"] {
        bench.store().keep_answer((&key(name), &event), "read", name, at(0)).await.unwrap();
    }
    bench.store().erase(&place().platform, &user("ann"), None).await.unwrap();
    assert_eq!(bench.store().kept_answer((&key("ann"), &event), "read").await.unwrap(), None);
    assert!(bench.store().kept_answer((&key("ben"), &event), "read").await.unwrap().is_some());
}
