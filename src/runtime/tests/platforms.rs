//! People who take no messages, and platforms that refuse the token or do not answer.

use super::*;

async fn outbox(stage: &Stage, state: OutboxState) -> Vec<u32> {
    stage.store.outbox(state, 10).await.unwrap().into_iter().map(|entry| entry.attempts).collect()
}

#[tokio::test]
async fn who_has_blocked_the_bot_is_no_dead_letter() {
    let stage = Stage::new();
    stage.slack.blocked.store(true, Ordering::Relaxed);
    stage.host.accept(event("slack", "e1", "one")).await.unwrap();
    assert_eq!(stage.settle().await, [""; 0]);
    assert_eq!(outbox(&stage, OutboxState::Dead).await, [0; 0]);
    stage.slack.blocked.store(false, Ordering::Relaxed);
    stage.pass(3600);
    stage.host.accept(event("slack", "e2", "two")).await.unwrap();
    assert_eq!(stage.settle().await, ["ann: 1: two"], "what nobody wanted does not come later");
}

#[tokio::test]
async fn nothing_is_tried_while_a_platform_refuses_the_token() {
    let stage = Stage::new();
    let why = || Some("the platform refuses slack.token".to_owned());
    *stage.slack.trouble.lock().unwrap() = why();
    stage.host.accept(event("slack", "e1", "one")).await.unwrap();
    for _ in 0..20 {
        assert_eq!(stage.settle().await, [""; 0]);
        stage.pass(600);
    }
    assert_eq!(outbox(&stage, OutboxState::Waiting).await, [0], "hours count as no try");
    assert_eq!(stage.host.platforms().get("slack"), Some(&why()));
    *stage.slack.trouble.lock().unwrap() = None;
    assert_eq!(stage.settle().await, ["ann: 0: one"]);
    assert_eq!(stage.host.platforms().get("slack"), Some(&None));
}

#[tokio::test]
async fn what_waits_for_a_token_for_a_day_is_given_up() {
    let stage = Stage::new();
    *stage.slack.trouble.lock().unwrap() = Some("no".to_owned());
    stage.host.accept(event("slack", "e1", "one")).await.unwrap();
    stage.settle().await;
    for _ in 0..8 {
        stage.pass(25 * 3600);
        stage.settle().await;
    }
    assert_eq!(outbox(&stage, OutboxState::Dead).await.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_platform_that_never_answers_delays_no_other() {
    const MANY: usize = 700;
    let stage = Stage::new();
    stage.slack.hangs.store(true, Ordering::Relaxed);
    for no in 0..MANY {
        let user = chat::User { id: chat::UserId::new(no.to_string()), name: None, locale: None, zone: None };
        stage.host.accept(chat::Event { user, ..event("slack", &format!("e{no}"), "whole") }).await.unwrap();
    }
    stage.runtime.mailboxes.settle(Duration::from_secs(10)).await;
    let delivering = tokio::spawn(Arc::clone(&stage.runtime).deliver_until(std::future::pending()));
    for no in 0..3 {
        stage.host.accept(event("telegram", &format!("t{no}"), "whole")).await.unwrap();
        let answered = async {
            while stage.telegram.said.lock().unwrap().len() <= no {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(2), answered).await.expect("an answer though Slack is silent");
        tokio::time::sleep(Duration::from_secs(20)).await;
    }
    delivering.abort();
    assert_eq!(stage.store.outbox(OutboxState::Waiting, 1000).await.unwrap().len(), MANY, "nothing is lost");
    stage.slack.hangs.store(false, Ordering::Relaxed);
    stage.pass(60);
    while !stage.store.outbox(OutboxState::Waiting, 1000).await.unwrap().is_empty() {
        stage.settle().await;
        stage.pass(60);
    }
    assert_eq!(stage.slack.said.lock().unwrap().len(), MANY);
}
