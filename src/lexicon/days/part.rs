//! The parts of a day.

use serde::Deserialize;

/// A part of the day, which decides between morning and afternoon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// Before noon.
    Morning,
    /// About noon.
    Noon,
    /// After noon.
    Afternoon,
    /// Towards the end of the day.
    Evening,
    /// From dusk to dawn.
    Night,
}
