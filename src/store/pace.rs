//! Pauses between the pieces of long work, so that the work of others comes in between.

use std::time::{Duration, Instant};

const SHORTEST: Duration = Duration::from_millis(1);
const LONGEST: Duration = Duration::from_millis(100);

/// Pauses twice as long as the piece took that began then: a store that is busy gets longer pauses.
pub(super) async fn rest(began: Instant) {
    tokio::time::sleep((began.elapsed() * 2).clamp(SHORTEST, LONGEST)).await;
}
