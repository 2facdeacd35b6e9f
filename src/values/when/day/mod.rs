//! Days, weeks, months, years, and stretches of them.

pub mod calendar;
pub mod month;
pub mod numeric;
pub mod past;
pub mod period;
pub mod reckon;
pub mod week;
pub mod year;
