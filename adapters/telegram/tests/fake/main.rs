//! The adapter over the fake Telegram: what people do and see, with a scripted product behind it.
#![expect(clippy::unwrap_used, reason = "a bench that cannot be set up fails its test")]

mod bench;
mod groups;
mod together;
mod trouble;
mod webhook;
mod widgets;
