//! Every store: deliveries wait, are leased, and end.

use super::{Bench, at, commit, due, outgoing, send};
use crate::{Commit, Delivery, OutboxState, Outgoing, Parcel, Store as _};

fn retry(second: i64) -> Delivery {
    Delivery::Retry { at: at(second), error: "503".to_owned() }
}

fn dead() -> Delivery {
    Delivery::Dead { error: "410".to_owned() }
}

pub(crate) async fn nothing_is_due_before_its_time<B: Bench>() {
    let bench = B::new();
    send(bench.store(), "t", vec![outgoing("a", "1", "ann", 5)]).await;
    assert_eq!(due(bench.store(), 4).await, [""; 0]);
    assert_eq!(due(bench.store(), 5).await, ["a"]);
}

pub(crate) async fn what_is_due_comes_whole_and_earliest_first<B: Bench>() {
    let bench = B::new();
    let (late, early) = (outgoing("late", "1", "ann", 5), outgoing("early", "2", "ann", 3));
    send(bench.store(), "t", vec![late.clone(), early.clone()]).await;
    assert_eq!(bench.store().due(at(9), at(19), 10).await.unwrap(), [early, late]);
}

pub(crate) async fn a_leased_entry_is_not_given_again_until_the_lease_ends<B: Bench>() {
    let bench = B::new();
    send(bench.store(), "t", vec![outgoing("a", "1", "ann", 0)]).await;
    assert_eq!(due(bench.store(), 1).await, ["a"]);
    assert_eq!(due(bench.store(), 10).await, [""; 0]);
    assert_eq!(due(bench.store(), 11).await, ["a"]);
}

pub(crate) async fn a_lane_gives_its_head_only<B: Bench>() {
    let bench = B::new();
    send(bench.store(), "t", vec![outgoing("a", "1", "ann", 0), outgoing("b", "1", "ann", 0)]).await;
    assert_eq!(due(bench.store(), 1).await, ["a"]);
    assert_eq!(due(bench.store(), 2).await, [""; 0]);
    bench.store().mark("a", Delivery::Done, at(2)).await.unwrap();
    assert_eq!(due(bench.store(), 3).await, ["b"]);
}

pub(crate) async fn a_waiting_head_holds_its_lane_though_later_entries_are_due<B: Bench>() {
    let bench = B::new();
    send(bench.store(), "t", vec![outgoing("a", "1", "ann", 0), outgoing("b", "1", "ann", 0)]).await;
    due(bench.store(), 1).await;
    bench.store().mark("a", retry(50), at(2)).await.unwrap();
    assert_eq!(due(bench.store(), 49).await, [""; 0]);
    assert_eq!(due(bench.store(), 50).await, ["a"]);
}

pub(crate) async fn other_lanes_go_on<B: Bench>() {
    let bench = B::new();
    let entries = vec![outgoing("a", "1", "ann", 99), outgoing("b", "1", "ann", 0), outgoing("c", "2", "ann", 0)];
    send(bench.store(), "t", entries).await;
    assert_eq!(due(bench.store(), 1).await, ["c"]);
}

pub(crate) async fn a_dead_head_frees_its_lane<B: Bench>() {
    let bench = B::new();
    send(bench.store(), "t", vec![outgoing("a", "1", "ann", 0), outgoing("b", "1", "ann", 0)]).await;
    due(bench.store(), 1).await;
    bench.store().mark("a", dead(), at(2)).await.unwrap();
    assert_eq!(due(bench.store(), 3).await, ["b"]);
}

pub(crate) async fn a_limit_is_kept<B: Bench>() {
    let bench = B::new();
    let entries = ["a", "b", "c"].map(|id| outgoing(id, id, "ann", 0)).to_vec();
    send(bench.store(), "t", entries).await;
    assert_eq!(bench.store().due(at(1), at(11), 2).await.unwrap().len(), 2);
    assert_eq!(due(bench.store(), 1).await.len(), 1);
}

pub(crate) async fn a_delivered_entry_keeps_its_id_and_loses_its_body<B: Bench>() {
    let bench = B::new();
    let entry = outgoing("a", "1", "ann", 0);
    send(bench.store(), "t", vec![entry.clone()]).await;
    due(bench.store(), 1).await;
    bench.store().mark("a", Delivery::Done, at(2)).await.unwrap();
    let delivered = bench.store().outbox(OutboxState::Delivered, 10).await.unwrap();
    assert_eq!(delivered, [Outgoing { parcel: Parcel::Erased, ..entry }]);
    assert_eq!(due(bench.store(), 1_000).await, [""; 0]);
    assert_eq!(bench.store().outbox(OutboxState::Waiting, 10).await.unwrap(), []);
}

pub(crate) async fn a_delivered_entry_is_never_put_in_again<B: Bench>() {
    let bench = B::new();
    send(bench.store(), "t1", vec![outgoing("a", "1", "ann", 0)]).await;
    bench.store().mark("a", Delivery::Done, at(2)).await.unwrap();
    send(bench.store(), "t2", vec![outgoing("a", "1", "ann", 0)]).await;
    assert_eq!(due(bench.store(), 9).await, [""; 0]);
}

pub(crate) async fn a_delivered_entry_stays_so_whatever_a_slow_worker_says<B: Bench>() {
    let bench = B::new();
    send(bench.store(), "t", vec![outgoing("a", "1", "ann", 0)]).await;
    bench.store().mark("a", Delivery::Done, at(2)).await.unwrap();
    for late in [retry(3), dead()] {
        bench.store().mark("a", late, at(3)).await.unwrap();
    }
    assert_eq!(bench.store().outbox(OutboxState::Delivered, 10).await.unwrap().len(), 1);
    bench.store().mark("unknown", Delivery::Done, at(3)).await.unwrap();
}

pub(crate) async fn a_retry_waits_counts_and_keeps_its_reason<B: Bench>() {
    let bench = B::new();
    let entry = outgoing("a", "1", "ann", 0);
    send(bench.store(), "t", vec![entry.clone()]).await;
    due(bench.store(), 1).await;
    bench.store().mark("a", retry(60), at(2)).await.unwrap();
    assert_eq!(due(bench.store(), 59).await, [""; 0]);
    let again = bench.store().due(at(60), at(70), 10).await.unwrap();
    let expected = Outgoing { due: at(60), attempts: 1, last_error: Some("503".to_owned()), ..entry };
    assert_eq!(again, [expected]);
}

pub(crate) async fn what_is_held_back_counts_as_no_attempt<B: Bench>() {
    let bench = B::new();
    let entry = outgoing("a", "1", "ann", 0);
    send(bench.store(), "t", vec![entry.clone()]).await;
    due(bench.store(), 1).await;
    bench.store().mark("a", Delivery::Hold { at: at(3), why: "not yet".to_owned() }, at(2)).await.unwrap();
    assert_eq!(due(bench.store(), 2).await, [""; 0]);
    let again = bench.store().due(at(3), at(13), 10).await.unwrap();
    assert_eq!(again, [Outgoing { due: at(3), attempts: 0, last_error: Some("not yet".to_owned()), ..entry }]);
}

pub(crate) async fn a_dead_letter_is_kept_with_its_reason<B: Bench>() {
    let bench = B::new();
    let entry = outgoing("a", "1", "ann", 0);
    send(bench.store(), "t", vec![entry.clone()]).await;
    bench.store().mark("a", dead(), at(2)).await.unwrap();
    let expected = Outgoing { attempts: 1, last_error: Some("410".to_owned()), ..entry };
    assert_eq!(bench.store().outbox(OutboxState::Dead, 10).await.unwrap(), [expected]);
    assert_eq!(due(bench.store(), 1_000).await, [""; 0]);
}

pub(crate) async fn a_dead_letter_is_replayed<B: Bench>() {
    let bench = B::new();
    send(bench.store(), "t", vec![outgoing("a", "1", "ann", 0)]).await;
    due(bench.store(), 1).await;
    bench.store().mark("a", dead(), at(2)).await.unwrap();
    assert!(bench.store().replay("a", at(3)).await.unwrap());
    let again = bench.store().due(at(3), at(13), 10).await.unwrap();
    assert_eq!(again.len(), 1);
    assert_eq!((again[0].attempts, again[0].due), (0, at(3)));
}

pub(crate) async fn only_a_dead_letter_is_replayed<B: Bench>() {
    let bench = B::new();
    send(bench.store(), "t", vec![outgoing("a", "1", "ann", 0), outgoing("b", "2", "ann", 0)]).await;
    bench.store().mark("b", Delivery::Done, at(2)).await.unwrap();
    for id in ["a", "b", "unknown"] {
        assert!(!bench.store().replay(id, at(3)).await.unwrap(), "{id}");
    }
}

pub(crate) async fn a_lease_outlives_a_restart<B: Bench>() {
    let bench = B::new();
    let turn = Commit { outbox: vec![outgoing("a", "1", "ann", 0)], ..commit("ann", 0, "t") };
    bench.store().commit(&turn).await.unwrap();
    assert_eq!(due(bench.store(), 1).await, ["a"]);
    let bench = bench.reopen();
    assert_eq!(due(bench.store(), 10).await, [""; 0]);
    assert_eq!(due(bench.store(), 11).await, ["a"]);
}

pub(crate) async fn a_dead_letter_put_in_again_is_due_again<B: Bench>() {
    let bench = B::new();
    send(bench.store(), "t1", vec![outgoing("a", "1", "ann", 0)]).await;
    due(bench.store(), 1).await;
    bench.store().mark("a", dead(), at(2)).await.unwrap();
    send(bench.store(), "t2", vec![outgoing("a", "1", "ann", 5)]).await;
    assert_eq!(bench.store().outbox(OutboxState::Dead, 10).await.unwrap(), []);
    let again = bench.store().due(at(5), at(15), 10).await.unwrap();
    assert_eq!((again[0].id.as_str(), again[0].attempts), ("a", 0));
}

pub(crate) async fn released_leases_are_given_again_at_once<B: Bench>() {
    let bench = B::new();
    send(bench.store(), "t", vec![outgoing("a", "1", "ann", 0)]).await;
    due(bench.store(), 1).await;
    let bench = bench.reopen();
    assert_eq!(bench.store().release().await.unwrap(), 1);
    assert_eq!(due(bench.store(), 2).await, ["a"]);
}

pub(crate) async fn what_waits_behind_an_entry_is_seen_in_order<B: Bench>() {
    let bench = B::new();
    let entries = [("a", "1"), ("b", "1"), ("c", "2"), ("d", "1")].map(|(id, lane)| outgoing(id, lane, "ann", 0));
    bench.store().commit(&Commit { outbox: entries.to_vec(), ..commit("ann", 0, "t1") }).await.unwrap();
    let behind = |id: &'static str| {
        let bench = &bench;
        async move {
            let entries = bench.store().behind("1", id).await.unwrap();
            entries.into_iter().map(|entry| entry.id).collect::<Vec<_>>()
        }
    };
    assert_eq!(behind("a").await, ["b", "d"]);
    bench.store().mark("b", Delivery::Done, at(1)).await.unwrap();
    assert_eq!(behind("a").await, ["d"]);
    assert_eq!(behind("d").await, Vec::<String>::new());
}
