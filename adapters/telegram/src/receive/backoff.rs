//! Pauses between tries.

use std::time::Duration;

/// A pause that grows, with a little chance in it so that many bots do not come back at once.
pub(crate) fn backoff(failures: u32) -> Duration {
    let mut chance = [0_u8];
    // Without chance the pause is only less spread.
    let _ = getrandom::fill(&mut chance);
    let whole = Duration::from_millis(500) * 2_u32.pow(failures.clamp(1, 7) - 1);
    whole / 2 + whole / 2 * u32::from(chance[0]) / 255
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_and_end() {
        for (failures, most) in [(1, 500), (2, 1000), (5, 8000), (50, 32_000)] {
            let pause = backoff(failures);
            assert!(pause <= Duration::from_millis(most) && pause >= Duration::from_millis(most / 2), "{pause:?}");
        }
    }
}
