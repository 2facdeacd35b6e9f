//! Formwright in Discord.
