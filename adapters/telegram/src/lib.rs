//! Formwright in Telegram.
//!
//! [`TelegramAdapter`] takes updates by long polling or by a webhook, and draws replies with inline keyboards, a calendar
//! and a clock, keyboards that share a number or a position, and plain words. `translate`, `render` and `commands` are
//! pure; input and output are in `api`, `receive`, `intake` and `send`. Deliberately absent: teloxide's
//! dispatcher, which confirms updates before anything is stored, and its types of updates, which lose what they do not
//! know.
//!
//! What is noted in the product's store: `offset`, how far updates are taken; `moved`, new ids of groups; `albums`,
//! files that were sent together; `menus`, whose commands were set; and for each session `sent`, how far a delivery has come, `heard`, the message that
//! is answered in a group, and `aside`, the question that a group's session asks in private.

mod adapter;
mod api;
mod commands;
mod core;
mod intake;
pub mod limits;
mod preview;
mod receive;
pub mod render;
mod send;
mod settings;
mod translate;

#[cfg(test)]
mod tests;

pub use adapter::TelegramAdapter;
pub use preview::preview;
pub use settings::{Groups, PLATFORM, TelegramSettings, Transport, Webhook};
