//! Discord's own payloads → what was done, by whom and where. Pure.
//!
//! Payloads are read as raw JSON: the SDK's types drop the answers of windows made of labels, and a field that is new or
//! missing must not cost an event.

mod interaction;
mod json;
mod message;
mod press;
mod who;
mod widget;
mod window;

pub(crate) use interaction::{Done, Interaction, interaction};
pub(crate) use json::text;
pub(crate) use message::{Heard, edit, message};
pub(crate) use press::{Act, act};
pub(crate) use who::{APART, Who};
pub(crate) use widget::Widget;
pub(crate) use window::{Filled, presses};
