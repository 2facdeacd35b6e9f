//! Named points of a turn at which a test may end the process, to see what survives.
//!
//! Inert unless armed. `main` arms them from the environment variable `FORMWRIGHT_FAULT`, as `point:kill` or
//! `point:kill:n` for the n-th time the point is reached.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// The points, in the order of a turn.
pub const POINTS: [&str; 8] = [
    "received",
    "stored",
    "loaded",
    "tool-called",
    "before-commit",
    "committed-unseen",
    "posted-webhook",
    "marked-done",
];

static ARMED: OnceLock<Fault> = OnceLock::new();

#[derive(Debug, PartialEq)]
struct Fault {
    point: String,
    nth: u32,
}

/// Arms a fault, once for the process.
///
/// # Errors
/// A sentence that says how a fault is written.
pub fn arm(spec: &str) -> Result<(), String> {
    let fault = parse(spec)?;
    tracing::warn!(point = %fault.point, nth = fault.nth, "this process will kill itself: a fault is armed");
    ARMED.set(fault).map_err(|_| "a fault is armed already".to_owned())
}

/// Tells that a turn is at a point.
pub(super) fn reached(point: &str) {
    static TIMES: AtomicU32 = AtomicU32::new(0);
    let Some(fault) = ARMED.get() else { return };
    if fault.point == point && TIMES.fetch_add(1, Ordering::Relaxed) + 1 == fault.nth {
        // As sudden as kill -9: nothing is flushed, nothing is dropped.
        std::process::abort();
    }
}

fn parse(spec: &str) -> Result<Fault, String> {
    let wrong =
        || format!("`{spec}` is no fault: write `point:kill` or `point:kill:n`, a point of {}", POINTS.join(", "));
    let mut parts = spec.splitn(3, ':');
    let point = parts.next().filter(|point| POINTS.contains(point)).ok_or_else(wrong)?;
    if parts.next() != Some("kill") {
        return Err(wrong());
    }
    let nth = parts.next().map_or(Ok(1), |nth| nth.parse().map_err(|_| wrong()))?;
    Ok(Fault { point: point.to_owned(), nth })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_a_point_and_a_count() {
        assert_eq!(parse("loaded:kill"), Ok(Fault { point: "loaded".to_owned(), nth: 1 }));
        assert_eq!(parse("marked-done:kill:3"), Ok(Fault { point: "marked-done".to_owned(), nth: 3 }));
        for wrong in ["", "loaded", "loaded:burn", "lunch:kill", "loaded:kill:x", "loaded:kill:1:2"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
