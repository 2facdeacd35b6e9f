//! The real program against all chat platforms at once: people fill in forms by sentences, by widgets and by both, and the
//! same answers give the same submission wherever they were given.

mod complete;
mod desks;
mod doubts;
mod forged;
mod hostile;
mod interleaved;
mod languages;
mod load;
pub(crate) mod lunch;
pub(crate) mod person;
mod scripts;
pub(crate) mod stage;
mod together;
mod zones;

/// Waits for all of them at once.
pub(crate) async fn all<T>(deeds: Vec<impl Future<Output = T>>) -> Vec<T> {
    let mut deeds: Vec<_> = deeds.into_iter().map(|deed| (Box::pin(deed), None)).collect();
    std::future::poll_fn(|context| {
        for (deed, done) in deeds.iter_mut().filter(|(_, done)| done.is_none()) {
            if let std::task::Poll::Ready(result) = deed.as_mut().poll(context) {
                *done = Some(result);
            }
        }
        if deeds.iter().all(|(_, done)| done.is_some()) { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    })
    .await;
    deeds.into_iter().filter_map(|(_, done)| done).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_operator_reads_one_line_a_platform_however_little_is_logged() {
    let settings = vec![("FORMWRIGHT__LOG__LEVEL", "error".to_owned())];
    let plan = stage::Plan { forms: vec![lunch::LUNCH.to_owned()], settings, ..stage::Plan::default() };
    let stage = stage::Stage::set(plan).await;
    stage.slack.withdraws("users:read");
    stage.start(None).await;
    for line in ["Slack: connected as formwright in Fake", "Discord: connected as ", "Telegram: connected as @"] {
        let printed = stage.printed(line).await;
        assert_eq!(printed.matches(line).count(), 1, "{printed}");
    }
    let printed = stage.printed("users:read").await;
    assert!(printed.contains("by socket; missing scopes: users:read (names, languages and time zones)"), "{printed}");
    assert!(!stage.log().contains("connected as"), "{}", stage.log());
}
