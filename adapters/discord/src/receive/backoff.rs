//! Pauses between tries.

use std::time::Duration;

/// How long to wait before another try: from a second up to a minute, with a third of it at random.
pub(crate) fn backoff(tries: u32) -> Duration {
    let whole = Duration::from_millis(500 * (1 << tries.min(7)));
    let mut byte = [0];
    // Without randomness the waits are merely even.
    let _ = getrandom::fill(&mut byte);
    whole.mul_f32(1.0 - f32::from(byte[0]) / 256.0 / 3.0)
}
