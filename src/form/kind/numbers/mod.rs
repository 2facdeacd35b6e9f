//! Kinds that hold numbers, and yes or no.

pub mod integer;
pub mod money;
pub mod number;
pub mod percent;
pub mod rating;
#[cfg(test)]
mod tests;
pub mod yes_no;
