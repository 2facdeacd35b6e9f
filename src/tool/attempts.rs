//! Trying again: only what may pass, and never longer than a person waits.

use std::time::Duration;

use serde_json::Value;
use tokio::time::Instant;

use super::failure::Failure;
use formwright_engine::CallError;

/// Pauses before the second, third and later tries.
const PAUSES: [Duration; 3] = [Duration::from_millis(200), Duration::from_secs(1), Duration::from_secs(3)];
/// Least time for a try to be worth it.
const LEAST: Duration = Duration::from_millis(100);

/// Tries until there is a result, a failure that will not pass, or no more tries or time. `once` is told how much time is
/// left.
pub(super) async fn repeated<R>(retries: u8, within: Duration, once: impl Fn(Duration) -> R) -> Result<Value, CallError>
where
    R: Future<Output = Result<Value, Failure>>,
{
    let ends = Instant::now() + within;
    let mut tried: u8 = 0;
    loop {
        let failure = match once(ends.saturating_duration_since(Instant::now())).await {
            Ok(result) => return Ok(result),
            Err(failure) => failure,
        };
        let pause = PAUSES.get(usize::from(tried)).or(PAUSES.last()).copied().unwrap_or_default();
        let pause = pause.max(failure.after.unwrap_or_default());
        let left = ends.saturating_duration_since(Instant::now());
        if !failure.error.retry || tried >= retries || pause + LEAST > left {
            return Err(failure.error);
        }
        tried += 1;
        tracing::debug!(why = %failure.error.for_log, tried, "a tool is tried again");
        tokio::time::sleep(pause).await;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use rstest::rstest;

    use super::*;

    /// Fails this often with this failure; gives what came of it and how often it was tried.
    async fn tried(retries: u8, fails: usize, failure: fn() -> Failure, within: u64) -> (bool, usize) {
        let count = AtomicUsize::new(0);
        let once = |_left| async {
            let no = count.fetch_add(1, Ordering::Relaxed);
            if no < fails { Err(failure()) } else { Ok(Value::Null) }
        };
        let result = repeated(retries, Duration::from_millis(within), once).await;
        (result.is_ok(), count.load(Ordering::Relaxed))
    }

    fn passing() -> Failure {
        Failure::broken("503", true)
    }

    fn lasting() -> Failure {
        Failure::broken("no JSON", false)
    }

    fn busy() -> Failure {
        Failure { after: Some(Duration::from_secs(60)), ..passing() }
    }

    #[rstest]
    #[case::at_once(1, 0, passing, 10_000, (true, 1))]
    #[case::the_second_time(1, 1, passing, 10_000, (true, 2))]
    #[case::once_too_often(1, 2, passing, 10_000, (false, 2))]
    #[case::never(0, 1, passing, 10_000, (false, 1))]
    #[case::what_stays(5, 1, lasting, 10_000, (false, 1))]
    #[case::no_time_left(5, 9, passing, 250, (false, 1))]
    #[case::asked_to_wait_longer_than_there_is(5, 1, busy, 10_000, (false, 1))]
    #[tokio::test]
    async fn what_may_pass_is_tried_again_while_there_is_time(
        #[case] retries: u8,
        #[case] fails: usize,
        #[case] failure: fn() -> Failure,
        #[case] within: u64,
        #[case] expected: (bool, usize),
    ) {
        assert_eq!(tried(retries, fails, failure, within).await, expected);
    }
}
