//! How long a platform takes to answer.

use std::time::Duration;

/// The time that a call takes on the platform's side: some time between two, spread evenly over the calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Latency {
    /// The shortest.
    pub least: Duration,
    /// The longest.
    pub most: Duration,
}

impl Latency {
    /// Between so many milliseconds.
    pub const fn millis(least: u64, most: u64) -> Self {
        Self { least: Duration::from_millis(least), most: Duration::from_millis(most) }
    }

    /// Waits as long as the call of this number takes.
    pub(crate) async fn pass(self, no: usize) {
        if !self.most.is_zero() {
            tokio::time::sleep(self.least + self.most.saturating_sub(self.least).mul_f64(spread(no))).await;
        }
    }
}

/// Numbers from 0 to 1 that fill the range evenly, however many are taken: multiples of the golden ratio.
#[expect(clippy::cast_precision_loss, reason = "no more calls are counted than a double can tell apart")]
pub(crate) fn spread(no: usize) -> f64 {
    (no as f64 * 0.618_033_988_749_894_9).fract()
}
