//! What waits in all partitions. It is counted by the server, and nothing is opened for it.

use jiff::Timestamp;

use crate::redis::RedisStore;
use crate::redis::keys::all;
use crate::redis::wire::link::try_all;
use crate::redis::wire::scripts;
use crate::replicas::Partition;
use crate::{Backlog, StoreError};

pub(crate) async fn backlog(store: &RedisStore) -> Result<Backlog, StoreError> {
    let count = async |partition: Partition| {
        let counted: (u64, String, u64, String, u64) =
            store.link.run(&store.call(&scripts::BACKLOG, partition)).await?;
        Ok(counted)
    };
    let mut sum = Backlog { unreadable: store.seal.unreadable(), ..Backlog::default() };
    for (events, first, waiting, oldest, dead) in try_all(all().map(count)).await? {
        sum.events += events;
        sum.waiting += waiting;
        sum.dead += dead;
        // The id of an event in its stream begins with milliseconds, the number of an entry is microseconds.
        sum.oldest_event = earlier(sum.oldest_event, millis(first.split('-').next()));
        sum.oldest_waiting = earlier(sum.oldest_waiting, micros(&oldest));
    }
    Ok(sum)
}

fn earlier(one: Option<Timestamp>, other: Option<Timestamp>) -> Option<Timestamp> {
    one.into_iter().chain(other).min()
}

fn millis(text: Option<&str>) -> Option<Timestamp> {
    Timestamp::from_millisecond(text?.parse().ok()?).ok()
}

fn micros(text: &str) -> Option<Timestamp> {
    Timestamp::from_microsecond(text.parse().ok()?).ok()
}
