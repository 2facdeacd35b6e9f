//! How updates come in: the bot asks for them, or Telegram brings them.

pub(crate) mod backoff;
pub(crate) mod poll;
pub(crate) mod webhook;
