use std::sync::Arc;

use proptest::prelude::*;
use tokio::task::JoinHandle;

use super::*;

const SECOND: Duration = Duration::from_secs(1);
const LONG: Duration = Duration::from_secs(600);

/// Makes calls at once; gives when each was made, in seconds from now.
async fn made(pace: &Arc<Pace>, calls: Vec<Vec<Lane>>) -> Vec<f64> {
    let start = Instant::now();
    let mut made = Vec::new();
    for lanes in calls {
        let pace = Arc::clone(pace);
        made.push(tokio::spawn(async move { pace.turn(&lanes, LONG).await.map(|()| start.elapsed().as_secs_f64()) }));
        tokio::task::yield_now().await;
    }
    let mut times = Vec::new();
    for call in made {
        times.push(call.await.unwrap().unwrap());
    }
    times
}

fn limited(name: &str, count: u32) -> Lane {
    Lane::limited(name, Rate::new(count, SECOND))
}

#[tokio::test(start_paused = true)]
async fn no_window_has_more_calls_than_the_limit() {
    let pace = Arc::default();
    assert_eq!(made(&pace, vec![vec![limited("chat", 2)]; 5]).await, [0.0, 0.0, 1.0, 1.0, 2.0]);
}

#[tokio::test(start_paused = true)]
async fn no_window_has_more_arrivals_than_the_limit_however_long_their_way() {
    let (pace, start) = (Arc::<Pace>::default(), Instant::now());
    // The way takes between 10 and 190 ms, each time another.
    let way = |no: u64| Duration::from_millis(10 + no * 71 % 181);
    let mut calls = tokio::task::JoinSet::new();
    for no in 0..40 {
        let pace = Arc::clone(&pace);
        calls.spawn(async move {
            let call = async {
                tokio::time::sleep(way(no)).await;
                start.elapsed()
            };
            pace.call(&[limited("chat", 4)], LONG, call).await.unwrap()
        });
    }
    let mut arrived = calls.join_all().await;
    arrived.sort_unstable();
    assert!(arrived.windows(5).all(|window| window[0] + SECOND <= window[4]), "{arrived:?}");
    // Nothing but the way adds up from window to window.
    assert!(arrived[39] < Duration::from_millis(9_000 + 10 * 190), "{arrived:?}");
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_never_answered_holds_nobody_back() {
    let (pace, start) = (Pace::default(), Instant::now());
    let lane = [limited("chat", 1)];
    let gone = pace.call(&lane, LONG, std::future::pending::<()>());
    assert!(tokio::time::timeout(SECOND / 2, gone).await.is_err());
    pace.call(&lane, LONG, async { tokio::time::sleep(30 * SECOND).await }).await.unwrap();
    assert_eq!(start.elapsed(), 31 * SECOND);
    assert_eq!(pace.turn(&lane, Duration::ZERO).await, Ok(()), "a long answer is no long way");
}

#[tokio::test(start_paused = true)]
async fn the_slowest_lane_decides() {
    let pace = Arc::default();
    let call = |chat| vec![limited(chat, 1), limited("all", 30)];
    assert_eq!(made(&pace, vec![call("a"), call("a"), call("b")]).await, [0.0, 1.0, 0.0]);
    pace.hold("b", 7 * SECOND);
    assert_eq!(made(&pace, vec![call("b"), call("a"), call("b")]).await, [7.0, 1.0, 8.0]);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_would_wait_too_long_takes_no_place() {
    let pace = Pace::default();
    let lane = [limited("chat", 1)];
    assert_eq!(pace.turn(&lane, SECOND).await, Ok(()));
    for _ in 0..1000 {
        assert_eq!(pace.turn(&lane, Duration::ZERO).await, Err(SECOND));
    }
    assert_eq!(pace.turn(&lane, SECOND).await, Ok(()));
}

#[tokio::test(start_paused = true)]
async fn work_that_was_put_off_is_before_whoever_came_later() {
    let pace = Pace::default();
    let lane = [limited("chat", 1)];
    let start = Instant::now();
    let put_off = |work: &'static str| trying(work, pace.turn(&lane, Duration::ZERO));
    assert_eq!(pace.turn(&lane, Duration::ZERO).await, Ok(()));
    assert_eq!((put_off("first").await, put_off("second").await), (Err(SECOND), Err(2 * SECOND)));
    assert_eq!(put_off("first").await, Err(SECOND), "the place is kept once");
    let later = async { (pace.turn(&lane, LONG).await, start.elapsed()) };
    let again = async {
        tokio::time::sleep(SECOND).await;
        assert_eq!(put_off("first").await, Ok(()));
        tokio::time::sleep(SECOND).await;
        assert_eq!(put_off("second").await, Ok(()));
    };
    assert_eq!(tokio::join!(later, again).0, (Ok(()), 3 * SECOND));
}

#[tokio::test(start_paused = true)]
async fn who_comes_back_a_little_late_is_not_put_off_again() {
    let pace: Arc<Pace> = Arc::default();
    let start = Instant::now();
    let replies: Vec<_> = (0..7_u32)
        .map(|no| {
            let pace = Arc::clone(&pace);
            tokio::spawn(async move {
                let lane = [Lane::limited("chat", Rate::new(2, 10 * SECOND)), limited("all", 30)];
                let mut tries = 0;
                while let Err(after) = trying(&no.to_string(), pace.turn(&lane, SECOND)).await {
                    tries += 1;
                    tokio::time::sleep(after + Duration::from_millis(u64::from(100 + 37 * no))).await;
                }
                (tries, start.elapsed().as_secs())
            })
        })
        .collect();
    let mut all = Vec::new();
    for reply in replies {
        all.push(reply.await.unwrap());
    }
    assert_eq!(all, [(0, 0), (0, 0), (1, 10), (1, 10), (1, 20), (1, 20), (1, 30)]);
}

#[tokio::test(start_paused = true)]
async fn a_place_that_nobody_comes_for_is_given_back() {
    let pace = Pace::default();
    let lane = [Lane::limited("chat", Rate::new(1, 60 * SECOND))];
    assert_eq!(pace.turn(&lane, Duration::ZERO).await, Ok(()));
    assert_eq!(trying("gone", pace.turn(&lane, Duration::ZERO)).await, Err(60 * SECOND));
    assert_eq!(pace.turn(&lane, Duration::ZERO).await, Err(120 * SECOND));
    tokio::time::sleep(60 * SECOND + KEPT_FOR).await;
    assert_eq!(pace.turn(&lane, Duration::ZERO).await, Ok(()));
    assert!(pace.lock().kept.is_empty());
    for work in 0..2 * KEPT {
        let put_off = trying(&work.to_string(), pace.turn(&lane, Duration::ZERO)).await;
        assert!(put_off.is_err());
    }
    assert_eq!(pace.lock().kept.len(), KEPT);
}

#[tokio::test(start_paused = true)]
async fn a_call_given_up_by_a_timeout_leaves_its_place_to_others() {
    let pace = Pace::default();
    let lane = [limited("chat", 1)];
    let start = Instant::now();
    assert_eq!(pace.turn(&lane, LONG).await, Ok(()));
    for _ in 0..100 {
        assert!(tokio::time::timeout(Duration::from_micros(1), pace.turn(&lane, LONG)).await.is_err());
    }
    assert_eq!((pace.turn(&lane, LONG).await, start.elapsed()), (Ok(()), SECOND));
}

#[tokio::test(start_paused = true)]
async fn what_waits_for_its_turn_waits_longer_when_its_lane_is_closed() {
    let pace: Arc<Pace> = Arc::default();
    let calls = {
        let pace = Arc::clone(&pace);
        tokio::spawn(async move { made(&pace, vec![vec![limited("chat", 1)]; 3]).await })
    };
    tokio::time::sleep(SECOND / 2).await;
    pace.hold("chat", 5 * SECOND);
    assert_eq!(calls.await.unwrap(), [0.0, 5.5, 6.5]);
}

#[tokio::test(start_paused = true)]
async fn a_promised_rate_holds_nothing_back_until_a_call_is_refused() {
    let pace = Arc::default();
    let lane = || vec![Lane::at_least("chat.update", Rate::new(60, 60 * SECOND))];
    assert_eq!(made(&pace, vec![lane(); 200]).await, [0.0; 200]);
    pace.refused(&lane(), 3 * SECOND);
    assert_eq!(made(&pace, vec![lane(); 4]).await, [3.0, 4.0, 5.0, 6.0]);
    tokio::time::sleep(CALM).await;
    assert_eq!(made(&pace, vec![lane(); 200]).await, [0.0; 200]);
}

#[tokio::test(start_paused = true)]
async fn two_refused_chats_close_the_lane_of_all_chats() {
    let pace: Arc<Pace> = Arc::default();
    let call = |chat| vec![limited(chat, 1), limited("all", 30)];
    pace.refused(&call("a"), 4 * SECOND);
    pace.refused(&call("a"), 4 * SECOND);
    assert_eq!(made(&pace, vec![call("c")]).await, [0.0]);
    pace.refused(&call("b"), 4 * SECOND);
    assert_eq!(made(&pace, vec![call("d")]).await, [4.0]);
}

#[tokio::test(start_paused = true)]
async fn lanes_that_are_free_are_forgotten() {
    let pace = Pace::default();
    for chat in 0..10 * LANES {
        assert_eq!(pace.turn(&[limited(&format!("chat/{chat}"), 1)], Duration::ZERO).await, Ok(()));
        tokio::time::sleep(SECOND / 100).await;
    }
    let kept = pace.lock().by_name.len();
    assert!(kept <= LANES + 1, "{kept}");
}

#[derive(Clone, Debug)]
enum Step {
    /// A call that waits at most so many milliseconds, in one chat.
    Call {
        chat: usize,
        patience: u64,
    },
    /// The same, given up by a timeout.
    Timed {
        chat: usize,
        time: u64,
    },
    Cancel(usize),
    Refuse {
        chat: usize,
        after: u64,
    },
    Pass(u64),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        4 => (0..3_usize, 0..20_000_u64).prop_map(|(chat, patience)| Step::Call { chat, patience }),
        4 => (0..3_usize, 0..5_000_u64).prop_map(|(chat, time)| Step::Timed { chat, time }),
        3 => any::<usize>().prop_map(Step::Cancel),
        1 => (0..3_usize, 0..5_000_u64).prop_map(|(chat, after)| Step::Refuse { chat, after }),
        2 => (0..3_000_u64).prop_map(Step::Pass),
    ];
    prop::collection::vec(step, 1..120)
}

/// A call's lanes: its chat with a limit of 2 in a second, and 3 in a second over all.
fn lanes(chat: usize) -> Vec<Lane> {
    vec![limited(&format!("chat/{chat}"), 2), limited("all", 3)]
}

async fn walk(steps: Vec<Step>) {
    let (pace, sent) = (Arc::<Pace>::default(), Arc::<Mutex<Vec<(usize, Instant)>>>::default());
    let call = |chat: usize, patience: u64, time: u64| -> JoinHandle<()> {
        let (pace, sent) = (Arc::clone(&pace), Arc::clone(&sent));
        tokio::spawn(async move {
            let lanes = lanes(chat);
            let turn = pace.turn(&lanes, Duration::from_millis(patience));
            if let Ok(Ok(())) = tokio::time::timeout(Duration::from_millis(time), turn).await {
                sent.lock().unwrap().push((chat, Instant::now()));
            }
        })
    };
    let mut calls = Vec::new();
    for step in steps {
        match step {
            Step::Call { chat, patience } => calls.push(call(chat, patience, u64::MAX / 1_000_000)),
            Step::Timed { chat, time } => calls.push(call(chat, 60_000, time)),
            Step::Cancel(which) if !calls.is_empty() => calls[which % calls.len()].abort(),
            Step::Cancel(_) => {}
            Step::Refuse { chat, after } => pace.refused(&lanes(chat), Duration::from_millis(after)),
            Step::Pass(millis) => tokio::time::sleep(Duration::from_millis(millis)).await,
        }
        tokio::task::yield_now().await;
        tokio::task::yield_now().await;
        let waiting = calls.iter().filter(|call| !call.is_finished()).count();
        for (name, track) in &pace.lock().by_name {
            let booked = track.places.iter().filter(|(at, _)| *at > Instant::now()).count();
            assert!(booked <= waiting, "{name}: {booked} places for {waiting} calls");
        }
    }
    for call in calls {
        drop(call.await);
    }
    let sent = sent.lock().unwrap().clone();
    for (lane, most) in [(None, 3), (Some(0), 2), (Some(1), 2), (Some(2), 2)] {
        let in_lane = sent.iter().filter(|(chat, _)| lane.is_none_or(|lane| lane == *chat));
        let times: Vec<Instant> = in_lane.map(|(_, at)| *at).collect();
        let close = times.windows(most + 1).find(|window| window[most] - window[0] < SECOND);
        assert!(close.is_none(), "{lane:?}: {close:?}");
    }
    // With the window and every hold behind, each lane is as good as new.
    tokio::time::sleep(6 * SECOND).await;
    for chat in 0..3 {
        assert_eq!(pace.turn(&lanes(chat), Duration::ZERO).await, Ok(()));
    }
}

proptest! {
    #[test]
    fn no_sequence_of_calls_makes_a_lane_grow(steps in steps()) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        runtime.block_on(walk(steps));
    }
}
