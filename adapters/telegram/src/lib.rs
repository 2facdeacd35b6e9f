//! Formwright in Telegram.
