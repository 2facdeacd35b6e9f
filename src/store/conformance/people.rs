//! Every store: all that there is of a person is found and erased.

use std::cell::Cell;

use formwright_chat as chat;

use super::crowds::join;
use super::{Bench, at, commit, due, event, key, outgoing, packed, place, reply, session, submission, told, user};
use crate::{Accepted, Commit, Committed, Delivery, Erased, OutboxState, Outgoing, Parcel, SessionKey, Store as _};
use formwright_form::FormId;

/// One of everything of a person: session, seen and open event, waiting, delivered and dead entries and one for a listener,
/// submission, note,
/// kept answer.
async fn fill<B: Bench>(bench: &B, name: &str) {
    let id = |what: &str| format!("{what} of {name}");
    let turn = Commit {
        event: Some(chat::EventId::new("seen")),
        replies: vec![reply(name)],
        outbox: ["waiting", "delivered", "dead"]
            .map(|what| outgoing(&id(what), &id(what), name, 0))
            .into_iter()
            .chain([Outgoing { parcel: told(name), ..outgoing(&id("told"), &id("told"), name, 0) }])
            .collect(),
        submissions: vec![submission(&id("submission"), 1, "pizza", name)],
        ..commit(name, 0, name)
    };
    bench.store().commit(&turn).await.unwrap();
    bench.store().accept(&key(name), &event("open", name)).await.unwrap();
    bench.store().mark(&id("delivered"), Delivery::Done, at(1)).await.unwrap();
    bench.store().mark(&id("dead"), Delivery::Dead { error: "410".to_owned() }, at(1)).await.unwrap();
    let (platform, owner, value) = (place().platform, Some(user(name)), Some(serde_json::json!(name)));
    let note = chat::Note { platform, key: id("note"), owner, value };
    bench.store().set_note(&note, at(0)).await.unwrap();
    let asked = (&key(name), &chat::EventId::new("open"));
    bench.store().keep_answer(asked, "read", name, at(0)).await.unwrap();
}

async fn records<B: Bench>(bench: &B) -> usize {
    let mut n = bench.store().open_events(100).await.unwrap().len();
    for state in [OutboxState::Waiting, OutboxState::Delivered, OutboxState::Dead] {
        n += bench.store().outbox(state, 100).await.unwrap().len();
    }
    n += bench.store().submissions(None, 100).await.unwrap().len();
    n + usize::try_from(bench.store().session_count().await.unwrap()).unwrap()
}

pub(crate) async fn erasing_leaves_nothing_of_the_person<B: Bench>() {
    let bench = B::new();
    fill(&bench, "ann").await;
    assert_eq!(records(&bench).await, 7);
    let erased = bench.store().erase(&place().platform, &user("ann"), None).await.unwrap().counts;
    let one = Erased { sessions: 1, events: 2, outbox: 3, dead_letters: 1, submissions: 1, notes: 1, answers: 1 };
    assert_eq!((erased, erased.total()), (one, 10));
    assert_eq!(records(&bench).await, 0);
    assert_eq!(bench.store().note(&place().platform, "note of ann").await.unwrap(), None);
    let asked = (&key("ann"), &chat::EventId::new("open"));
    assert_eq!(bench.store().kept_answer(asked, "read").await.unwrap(), None);
    assert_eq!(bench.store().seen(&key("ann"), &chat::EventId::new("seen")).await.unwrap(), None);
}

pub(crate) async fn erasing_leaves_others_alone<B: Bench>() {
    let bench = B::new();
    fill(&bench, "ann").await;
    fill(&bench, "ben").await;
    bench.store().erase(&chat::Platform::new("slack"), &user("ben"), None).await.unwrap();
    bench.store().erase(&place().platform, &user("ann"), None).await.unwrap();
    assert_eq!(records(&bench).await, 7);
    let seen = bench.store().seen(&key("ben"), &chat::EventId::new("seen")).await.unwrap();
    assert_eq!(seen, Some(Accepted::Done(vec![reply("ben")])));
}

pub(crate) async fn erasing_nobody_removes_nothing<B: Bench>() {
    let bench = B::new();
    assert_eq!(bench.store().erase(&place().platform, &user("ann"), None).await.unwrap().counts, Erased::default());
}

/// A request at a desk is the person's whose it is, not of those who decide about it.
pub(crate) async fn erasing_takes_a_person_s_requests_at_desks<B: Bench>() {
    let bench = B::new();
    let open = async |name: &str, code: &str| {
        let code: chat::CaseCode = code.parse().unwrap();
        let mut json = serde_json::to_value(session(name, "m")).unwrap();
        let person = serde_json::json!({ "id": name });
        json["case"] = serde_json::json!({
            "code": code, "by": name, "opened": at(0), "wake": at(9),
            "affair": {
                "about": "review", "needs": 2, "stage": { "type": "open" },
                "approved": [{ "user": { "id": "carla" }, "at": at(0) }],
            },
            "request": {
                "submission": "F-1", "desk": "leads", "title": "Leave", "lang": "en", "place": place(),
                "person": person, "rows": [], "round": 1, "needs": 2,
            },
        });
        let case = SessionKey::of_case(&place(), &code);
        let session = Some(packed(serde_json::from_value(json).unwrap()));
        let write = Commit { key: case.clone(), session, ..commit(name, 0, code.as_str()) };
        bench.store().commit(&write).await.unwrap();
        case
    };
    let (anns, bens) = (open("ann", "7KQ2ABCD").await, open("ben", "7KQ2ABCE").await);
    for name in ["carla", "ann"] {
        bench.store().erase(&place().platform, &user(name), None).await.unwrap();
    }
    assert_eq!(bench.store().load(&anns).await.unwrap().session, None);
    assert!(bench.store().load(&bens).await.unwrap().session.is_some_and(|session| session.case.is_some()));
}

/// Whoever a client of the API spoke for: in a session, in a submission that is left of one, in an event, at a desk.
pub(crate) async fn erasing_a_client_takes_everybody_it_spoke_for<B: Bench>() {
    let bench = B::new();
    let people = ["key:shop:1", "key:shop:2", "key:shop:3", "key:shopping:1", "key:sho:1", "web:key:shop:4", "ann"];
    for name in people {
        fill(&bench, name).await;
    }
    bench.store().delete(&key("key:shop:2")).await.unwrap();
    let erased = bench.store().erase(&place().platform, &user("key:shop"), None).await.unwrap();
    assert_eq!(erased.counts.total(), 3 * 10 - 1);
    let ids: Vec<&str> = erased.submissions.iter().map(|of| of.id.as_str()).collect();
    let all = ["submission of key:shop:1", "submission of key:shop:2", "submission of key:shop:3"];
    assert!(ids.len() == 3 && all.iter().all(|id| ids.contains(id)), "{ids:?}");
    let again = bench.store().erase(&place().platform, &user("key:shop"), None).await.unwrap();
    assert_eq!(again.counts.total(), 0);
    let desk = bench.store().erase(&place().platform, &user("web:key:shop"), None).await.unwrap();
    assert_eq!(desk.counts.total(), 10);
    for name in ["key:shopping:1", "key:sho:1", "ann"] {
        let erased = bench.store().erase(&place().platform, &user(name), None).await.unwrap();
        assert_eq!(erased.counts.total(), 10, "{name}");
    }
    assert_eq!(records(&bench).await, 0);
}

/// One of those that a client spoke for is erased alone, and the client no longer has them.
pub(crate) async fn erasing_one_leaves_the_others_of_a_client<B: Bench>() {
    let bench = B::new();
    for name in ["key:shop:1", "key:shop:2"] {
        fill(&bench, name).await;
    }
    let one = bench.store().erase(&place().platform, &user("key:shop:1"), None).await.unwrap();
    assert_eq!(one.counts.total(), 10);
    let rest = bench.store().erase(&place().platform, &user("key:shop"), None).await.unwrap();
    assert_eq!((rest.counts.total(), rest.submissions.len()), (10, 1));
}

/// Which submissions went is told, and what of the outbox had not arrived.
pub(crate) async fn erasing_tells_what_went_and_what_had_not_arrived<B: Bench>() {
    let bench = B::new();
    fill(&bench, "ann").await;
    let erased = bench.store().erase(&place().platform, &user("ann"), None).await.unwrap();
    let gone = crate::ErasedSubmission::from(submission("submission of ann", 1, "pizza", "ann"));
    assert_eq!(erased.submissions, [gone]);
    let undelivered: Vec<String> = erased.undelivered.into_iter().collect();
    assert_eq!(undelivered, ["dead of ann", "told of ann", "waiting of ann"]);
}

/// The session in which somebody asks for it goes last, with its events.
pub(crate) async fn a_session_that_is_spared_stays_with_its_events<B: Bench>() {
    let bench = B::new();
    fill(&bench, "ann").await;
    let elsewhere = chat::Place { channel: "c2".to_owned(), ..place() };
    let other = SessionKey::new(&elsewhere, &user("ann"));
    let away = Commit { key: other.clone(), ..commit("ann", 0, "t2") };
    bench.store().commit(&away).await.unwrap();
    let erased = bench.store().erase(&place().platform, &user("ann"), Some(&key("ann"))).await.unwrap();
    assert_eq!((erased.counts.sessions, erased.counts.events, erased.counts.submissions), (1, 0, 1));
    assert_eq!(bench.store().load(&other).await.unwrap().session, None);
    assert!(bench.store().load(&key("ann")).await.unwrap().session.is_some());
    assert_eq!(bench.store().open_events(10).await.unwrap(), [event("open", "ann")]);
    let rest = bench.store().erase(&place().platform, &user("ann"), None).await.unwrap();
    assert_eq!((rest.counts.sessions, rest.counts.events, rest.counts.answers), (1, 2, 1));
    assert_eq!(records(&bench).await, 0);
}

/// A client with many conversations is erased in pieces: others write in between, and what is cut off goes on.
pub(crate) async fn erasing_many_lets_others_write_and_goes_on_where_it_was_cut_off<B: Bench>() {
    const MANY: u32 = 600;
    let bench = B::new();
    let write = |no: u32| {
        let name = format!("key:shop:{no}");
        let turn = Commit { event: Some(chat::EventId::new("e")), ..commit(&name, 0, &name) };
        async move { turn }
    };
    let turns = join((0..MANY).map(write)).await;
    for some in turns.chunks(20) {
        for done in join(some.iter().map(|turn| bench.store().commit(turn))).await {
            assert_eq!(done.unwrap(), Committed::Done);
        }
    }
    let (platform, shop) = (place().platform, user("key:shop"));
    let count = async || bench.store().session_count().await.unwrap();
    // Cut off as soon as some are gone, while somebody else goes on.
    let some_are_gone = async {
        for no in 0.. {
            let version = bench.store().load(&key("ben")).await.unwrap().version;
            bench.store().commit(&commit("ben", version, &format!("b{no}"))).await.unwrap();
            if count().await <= u64::from(MANY) {
                break;
            }
            tokio::task::yield_now().await;
        }
    };
    tokio::select! {
        biased;
        () = some_are_gone => {}
        gone = bench.store().erase(&platform, &shop, None) => panic!("nobody came in between: {gone:?}"),
    }
    assert!(count().await > 1);
    // Both are polled all the time: who waits for a connection and is not polled holds up those who wait behind.
    let ended = Cell::new(false);
    let erasing = async {
        bench.store().erase(&platform, &shop, None).await.unwrap();
        ended.set(true);
    };
    let writing = async {
        let mut written = 0;
        while !ended.get() {
            let version = bench.store().load(&key("ann")).await.unwrap().version;
            let turn = commit("ann", version, &format!("t{written}"));
            assert_eq!(bench.store().commit(&turn).await.unwrap(), Committed::Done);
            written += 1;
            tokio::task::yield_now().await;
        }
        written
    };
    let ((), written) = tokio::join!(erasing, writing);
    assert!(written >= 2, "{written}");
    assert_eq!(count().await, 2);
    let again = bench.store().erase(&platform, &shop, None).await.unwrap();
    assert_eq!(again.counts.total(), 0);
}

/// What a person did in the session that a channel shares.
pub(crate) async fn erasing_takes_what_a_person_did_with_others<B: Bench>() {
    let bench = B::new();
    let shared = SessionKey::of_place(&place());
    let said = chat::Event { terms: chat::Terms { shared: true, ..chat::Terms::default() }, ..event("said", "ann") };
    bench.store().accept(&shared, &said).await.unwrap();
    let together = Commit { key: shared.clone(), event: Some(said.id.clone()), ..commit("ann", 0, "t1") };
    bench.store().commit(&together).await.unwrap();
    let erased = bench.store().erase(&place().platform, &user("ann"), None).await.unwrap().counts;
    assert_eq!(erased.sessions, 1);
    assert_eq!(bench.store().load(&shared).await.unwrap().session, None);
}

pub(crate) async fn erasing_takes_the_submissions_a_person_gave_answers_in<B: Bench>() {
    let bench = B::new();
    let together: formwright_engine::Submission = {
        let mut json = serde_json::to_value(submission("together", 1, "pizza", "ben")).unwrap();
        json["provenance"] = serde_json::json!([{
            "field": "size", "source": "said", "quote": null, "at": at(0), "by": "ann",
        }]);
        serde_json::from_value(json).unwrap()
    };
    let theirs = submission("theirs", 1, "pizza", "ben");
    let submissions = vec![submission("mine", 1, "pizza", "ann"), together, theirs.clone()];
    bench.store().commit(&Commit { submissions, ..commit("ann", 0, "t1") }).await.unwrap();
    let erased = bench.store().erase(&place().platform, &user("ann"), None).await.unwrap();
    let mut ids: Vec<&str> = erased.submissions.iter().map(|of| of.id.as_str()).collect();
    ids.sort_unstable();
    assert_eq!(ids, ["mine", "together"]);
    assert_eq!(bench.store().submissions(None, 10).await.unwrap(), [theirs]);
}

pub(crate) async fn old_submissions_of_a_form_are_forgotten_with_their_dead_letters<B: Bench>() {
    let bench = B::new();
    let old = submission("old", 1, "pizza", "ann");
    let new = formwright_engine::Submission { at: at(100), ..submission("new", 1, "pizza", "ann") };
    let other = submission("other", 1, "leave", "ann");
    let about = |id: &str, form: &str, created| crate::Outgoing {
        parcel: Parcel::Submission {
            sink: formwright_form::Sink::Jsonl { file: None },
            name: "log".to_owned(),
            submission: Box::new(submission(id, 1, form, "ann")),
        },
        created: at(created),
        ..outgoing(id, id, "ann", 0)
    };
    let outbox = vec![about("dead", "pizza", 0), about("late", "pizza", 100), about("leave", "leave", 0)];
    let waiting = about("waiting", "pizza", 0);
    let turn = Commit {
        submissions: vec![old, new.clone(), other.clone()],
        outbox: outbox.iter().cloned().chain([waiting]).collect(),
        ..commit("ann", 0, "t1")
    };
    bench.store().commit(&turn).await.unwrap();
    for entry in &outbox {
        bench.store().mark(&entry.id, Delivery::Dead { error: "410".to_owned() }, at(1)).await.unwrap();
    }
    let pizza = FormId::new("pizza");
    assert_eq!(bench.store().forget_submissions(&pizza, at(0)).await.unwrap(), 0);
    assert_eq!(bench.store().forget_submissions(&pizza, at(50)).await.unwrap(), 2);
    assert_eq!(bench.store().submissions(None, 10).await.unwrap(), [new, other]);
    let ids = async |state| -> Vec<String> {
        let entries = bench.store().outbox(state, 10).await.unwrap();
        entries.into_iter().map(|entry| entry.id).collect()
    };
    assert_eq!(ids(OutboxState::Dead).await, ["late", "leave"]);
    assert_eq!(ids(OutboxState::Waiting).await, ["waiting"]);
    assert_eq!(bench.store().session_count().await.unwrap(), 1);
}

pub(crate) async fn deleting_tells_whether_there_was_a_session<B: Bench>() {
    let bench = B::new();
    bench.store().commit(&commit("ann", 0, "t1")).await.unwrap();
    assert!(bench.store().delete(&key("ann")).await.unwrap());
    assert!(!bench.store().delete(&key("ann")).await.unwrap());
    assert_eq!(bench.store().load(&key("ann")).await.unwrap().session, None);
}

pub(crate) async fn sessions_are_counted<B: Bench>() {
    let bench = B::new();
    assert_eq!(bench.store().session_count().await.unwrap(), 0);
    for name in ["ann", "ben"] {
        bench.store().commit(&commit(name, 0, name)).await.unwrap();
    }
    assert_eq!(bench.store().session_count().await.unwrap(), 2);
}

pub(crate) async fn expired_sessions_are_found_and_no_others<B: Bench>() {
    let bench = B::new();
    for (name, expires) in [("ann", 10), ("ben", 20), ("cem", 30)] {
        bench.store().commit(&Commit { expires: at(expires), ..commit(name, 0, name) }).await.unwrap();
    }
    assert_eq!(bench.store().expired(at(9), 10).await.unwrap(), []);
    assert_eq!(bench.store().expired(at(20), 10).await.unwrap(), [key("ann"), key("ben")]);
    assert_eq!(bench.store().expired(at(99), 2).await.unwrap().len(), 2);
}

pub(crate) async fn a_touched_session_expires_later<B: Bench>() {
    let bench = B::new();
    bench.store().commit(&Commit { expires: at(10), ..commit("ann", 0, "t1") }).await.unwrap();
    let version = bench.store().load(&key("ann")).await.unwrap().version;
    bench.store().commit(&Commit { expires: at(50), ..commit("ann", version, "t2") }).await.unwrap();
    assert_eq!(bench.store().expired(at(49), 10).await.unwrap(), []);
}

pub(crate) async fn sweeping_forgets_old_seen_events_and_deliveries<B: Bench>() {
    let bench = B::new();
    let entry = outgoing("a", "1", "ann", 0);
    let turn = |name: &str, id: &str, now| Commit {
        event: Some(chat::EventId::new(id)),
        outbox: vec![entry.clone()],
        now: at(now),
        ..commit(name, 0, name)
    };
    bench.store().commit(&turn("ann", "old", 0)).await.unwrap();
    bench.store().commit(&turn("ben", "new", 100)).await.unwrap();
    bench.store().mark("a", Delivery::Done, at(1)).await.unwrap();
    assert_eq!(bench.store().sweep(at(50)).await.unwrap(), 2);
    assert_eq!(bench.store().seen(&key("ann"), &chat::EventId::new("old")).await.unwrap(), None);
    assert!(bench.store().seen(&key("ben"), &chat::EventId::new("new")).await.unwrap().is_some());
    assert_eq!(bench.store().outbox(OutboxState::Delivered, 10).await.unwrap(), []);
}

pub(crate) async fn sweeping_keeps_what_is_not_finished<B: Bench>() {
    let bench = B::new();
    fill(&bench, "ann").await;
    bench.store().mark("waiting of ann", Delivery::Retry { at: at(5), error: "503".to_owned() }, at(1)).await.unwrap();
    // The seen event and the delivered entry go; session, open event, waiting and dead entry and submission stay.
    assert_eq!(bench.store().sweep(at(1_000)).await.unwrap(), 2);
    assert_eq!(records(&bench).await, 6);
    assert_eq!(due(bench.store(), 5).await, ["told of ann", "waiting of ann"]);
}
