//! How much goes over a platform, and in which order.

pub(crate) mod credentials;
pub(crate) mod one_by_one;
pub mod pace;
pub(crate) mod seldom;
