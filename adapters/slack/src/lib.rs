//! Formwright in Slack: Socket Mode or the Events API in, Block Kit out.
//!
//! What comes in is read raw (`translate`), stored by the product, and only then acknowledged (`intake`);
//! replies are drawn (`render`) and sent (`send`) by way of the outbox. Files are taken by reference; none is downloaded.
//!
//! Deliberately absent: what a form is, what an answer means, and any state of a conversation but which message shows
//! which screen.

mod adapter;
mod api;
mod bot;
mod intake;
pub mod limits;
mod preview;
mod receive;
mod render;
mod send;
mod settings;
mod text;
mod translate;

#[cfg(test)]
mod tests;

pub use adapter::Slack;
pub use preview::preview;
pub use settings::{Settings, Transport};
