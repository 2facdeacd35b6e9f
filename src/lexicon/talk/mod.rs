//! Words that people put around values: what they want, deny, ask for and correct.

pub mod brief;
pub mod class;
pub mod control;
pub mod denial;
pub mod desk;
pub mod filler;
pub mod frame;
pub mod going;
pub mod naming;
pub mod sense;
pub mod sentence;
pub mod speech;
pub mod tongue;
