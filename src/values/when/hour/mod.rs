//! Times of day, and days with a time.

pub mod bare;
pub mod clock;
pub mod distance;
mod minutes;
pub mod modal;
pub mod moment;
pub mod unreal;
pub mod zoned;
