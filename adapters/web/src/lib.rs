//! The web page and its HTTP API: a platform of one page.
//!
//! [`WebAdapter`] serves the page, the nine-action chat API and the forms' schemas, and keeps replies that answer no
//! request until the page fetches them. `receive` and `intake` hold input and output; `translate` and `render` are pure.
//! Deliberately absent: sessions, forms and files. Those are the [`Host`](formwright_chat::Host)'s.

mod actions;
mod adapter;
mod assets;
mod error;
mod intake;
pub mod limits;
mod openapi;
mod ops;
mod preview;
mod receive;
mod render;
mod send;
mod settings;
mod translate;

#[cfg(test)]
mod tests;

pub use actions::{Ask, AskOptions, ChatResponse, ClientAction, ConversationResponse};
pub use adapter::WebAdapter;
pub use ops::Ops;
pub use preview::preview;
pub use receive::auth::ApiKey;
pub use settings::{PLATFORM, WebSettings};
