//! A model that is not to be trusted: whatever it replies, nothing is stored that the person did not say, nothing is
//! sent, cancelled or started, and nothing it writes is said. The engine alone, without a network.
//!
//! And addresses that are not what they seem: of servers that are called, and of forms.

mod addresses;
mod attacks;
mod counters;
mod fuzz;
mod injection;
mod invented;
mod masks;
mod sight;
mod sizes;
mod stage;
mod traversal;
