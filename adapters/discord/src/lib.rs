//! Formwright in Discord: commands, buttons, selects and windows, in servers, threads and direct messages.
//!
//! [`DiscordAdapter`] takes interactions over the gateway or over HTTP, and messages over the gateway. Input and output
//! are in `receive` (the gateway, interactions over HTTP), `send` (replies) and `api` (requests); `translate` and `render`
//! are pure. Deliberately absent: sessions, forms and files. Those are the [`Host`](formwright_chat::Host)'s.

mod adapter;
mod api;
mod intake;
pub mod limits;
mod preview;
mod receive;
pub mod render;
mod send;
mod settings;
#[cfg(test)]
mod tests;
mod translate;
mod wire_op;

pub use adapter::DiscordAdapter;
pub use preview::preview;
pub use receive::serve::PATH;
pub use settings::{DiscordSettings, PLATFORM, Secret, Transport};
