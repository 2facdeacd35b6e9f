//! What one of several replicas does, where the others are a double.

use std::sync::atomic::AtomicBool;

use super::*;
use formwright_store::Replicas;
use formwright_store::replicas::Partition;

/// Another replica that has all sessions and never runs a turn.
#[derive(Default)]
pub(super) struct Other {
    /// It renews its leases.
    lives: AtomicBool,
}

#[async_trait]
impl Replicas for Other {
    fn partition(&self, _: &SessionKey) -> Partition {
        Partition(0)
    }
    fn owns(&self, _: &SessionKey) -> bool {
        false
    }
    async fn is_tended(&self, _: &SessionKey) -> Result<bool, StoreError> {
        Ok(self.lives.load(Ordering::Relaxed))
    }
    fn held(&self) -> usize {
        0
    }
    async fn renew(&self) -> Result<Vec<Partition>, StoreError> {
        Ok(Vec::new())
    }
    fn retire(&self) -> Vec<Partition> {
        Vec::new()
    }
    async fn give_back(&self, _: &[Partition]) -> Result<(), StoreError> {
        Ok(())
    }
    async fn arrivals(&self) -> Result<Vec<chat::Event>, StoreError> {
        std::future::pending().await
    }
    async fn tell(&self, _: &SessionKey, _: &chat::EventId) -> Result<(), StoreError> {
        Ok(())
    }
    async fn wait_for(
        &self,
        _: &SessionKey,
        _: &chat::EventId,
        patience: Duration,
    ) -> Result<Option<Vec<chat::Reply>>, StoreError> {
        tokio::time::sleep(patience).await;
        Ok(None)
    }
    async fn compare(&self, _: &str) -> Result<Vec<String>, StoreError> {
        Ok(Vec::new())
    }
    async fn hold(&self, _: &str) -> Result<bool, StoreError> {
        Ok(false)
    }
    async fn let_go(&self, _: &str) -> Result<(), StoreError> {
        Ok(())
    }
}

/// A stage whose sessions are all another replica's.
fn beside(lives: bool) -> Stage {
    let stage = Stage::new();
    assert!(stage.store.other.set(Other { lives: lives.into() }).is_ok());
    stage
}

#[rstest]
#[case::that_hangs(false, 4..=8)]
#[case::that_is_at_work(true, 25..=25)]
#[tokio::test(start_paused = true)]
async fn who_waits_for_another_replica_gets_an_honest_no_in_time(
    #[case] lives: bool,
    #[case] seconds: std::ops::RangeInclusive<u64>,
) {
    let stage = beside(lives);
    let since = tokio::time::Instant::now();
    assert!(matches!(stage.says("e1", "hello").await, Err(HostError::Unavailable(_))));
    assert!(seconds.contains(&since.elapsed().as_secs()), "{:?}", since.elapsed());
    assert_eq!(stage.store.open_events(10).await.unwrap().len(), 1, "it stays accepted");
}

#[tokio::test]
async fn where_there_are_several_a_receipt_does_not_say_whose_file_a_submission_is_in() {
    for (others, told) in [(false, false), (true, true)] {
        let stage = Stage::with(Arc::new(Engine::new(catalog(r#"["log"]"#))));
        let opens = chat::Action::Open { form: Some("pizza".to_owned()) };
        stage.host.converse(chat::Event { action: opens, ..event("web", "e1", "") }).await.unwrap();
        for (id, text) in [("e2", "30"), ("e3", "yes")] {
            stage.says(id, text).await.unwrap();
        }
        stage.settle().await;
        if others {
            assert!(stage.store.other.set(Other::default()).is_ok());
        }
        let catalog = stage.runtime.catalog();
        let opener = Opener::new(stage.directory.path().to_owned()).unwrap();
        let records = crate::records::forget::Records {
            store: &*stage.store,
            catalog: &catalog,
            sinks: &BTreeMap::new(),
            opener: &opener,
            desks: &std::collections::BTreeSet::new(),
        };
        let web = [chat::Platform::new("web")];
        let receipt = records.forget(&web, &chat::UserId::new("ann"), None, Timestamp::UNIX_EPOCH).await.unwrap();
        let place = &receipt.delivered[0].to[0].place;
        assert!(place.contains("pizza.jsonl"), "{place}");
        assert_eq!(place.ends_with("in the data folder of another replica"), told, "{place}");
    }
}
