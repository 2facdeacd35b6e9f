//! Events that are to be worked on here, in the order of their acceptance.

use std::time::{Duration, Instant};

use formwright_chat as chat;

use super::post::Post;
use super::reader::Reader;
use crate::StoreError;
use crate::redis::RedisStore;
use crate::redis::intake::{Kept, after};
use crate::redis::wire::link::try_all;
use crate::replicas::Partition;

/// How often every partition is looked at though nobody told of news.
const LOOK: Duration = Duration::from_secs(1);
/// Most events at once, about.
const AT_ONCE: usize = 1000;
/// Pause after an error.
const PAUSE: Duration = Duration::from_millis(250);

/// News that are being read, and are news again should the reading end early.
struct Reading<'a> {
    post: &'a Post,
    partitions: Vec<Partition>,
}

impl Drop for Reading<'_> {
    fn drop(&mut self) {
        for partition in &self.partitions {
            self.post.news_of(*partition);
        }
    }
}

/// Waits for events and gives them.
pub(crate) async fn next(store: &RedisStore) -> Result<Vec<chat::Event>, StoreError> {
    let mut reader = store.reader.lock().await;
    loop {
        match look(store, &mut reader).await {
            Ok(events) if events.is_empty() => {}
            Ok(events) => return Ok(events),
            Err(error) => {
                tokio::time::sleep(PAUSE).await;
                return Err(error);
            }
        }
        let rest = reader.looked.map_or(Duration::ZERO, |looked| LOOK.saturating_sub(looked.elapsed()));
        tokio::select! {
            () = store.post.rings() => {}
            () = tokio::time::sleep(rest) => {}
        }
    }
}

async fn look(store: &RedisStore, reader: &mut Reader) -> Result<Vec<chat::Event>, StoreError> {
    let working = store.leases.working();
    reader.read.retain(|partition, (fence, _)| working.iter().any(|(p, f)| p == partition && f == fence));
    let all = reader.looked.is_none_or(|looked| looked.elapsed() >= LOOK);
    let asked: Vec<(Partition, String)> = {
        let mut news = store.post.news();
        let has_news = |(partition, _): &(Partition, String)| {
            let told = news.remove(partition);
            all || told || !reader.read.contains_key(partition)
        };
        working.into_iter().filter(has_news).collect()
    };
    let mut reading =
        Reading { post: &store.post, partitions: asked.iter().map(|(partition, _)| *partition).collect() };
    let count = (AT_ONCE / asked.len().max(1)).max(16);
    let from = |partition: &Partition| reader.read.get(partition).and_then(|(_, id)| *id);
    let found = try_all(asked.iter().map(|(partition, _)| after(store, *partition, from(partition), count))).await?;
    // From here to the return nothing waits: what is noted as read is given.
    reading.partitions.clear();
    let began = Instant::now();
    let mut events: Vec<Kept> = Vec::new();
    for ((partition, fence), kept) in asked.into_iter().zip(found) {
        // Another owner has it by now, or will: it is read again by whom it belongs to.
        if store.leases.fence(partition).as_ref() != Some(&fence) {
            continue;
        }
        if kept.len() == count {
            reading.partitions.push(partition);
        }
        let before = reader.read.get(&partition).and_then(|(_, id)| *id);
        reader.read.insert(partition, (fence, kept.last().map(|kept| kept.id).or(before)));
        events.extend(kept);
    }
    if all {
        reader.looked = Some(began);
    }
    events.sort_by_key(|kept| kept.id);
    Ok(events.into_iter().filter_map(|kept| kept.open(store)).collect())
}
