//! The keys that seal what is kept: which there are, and how those of before are taken out of use.

pub(crate) mod marks;
pub(crate) mod reseal;
