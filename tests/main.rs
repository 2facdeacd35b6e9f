//! The one integration binary. Each module says what it shows.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on fails where it stands")]

mod api;
mod browser;
mod clients;
mod deploy;
mod docs;
mod fill;
mod forms;
mod hostile;
mod kill;
mod model;
mod moving;
mod outgoing;
mod phases;
mod platforms;
mod program;
mod properties;
mod redis;
mod screens;
mod seeds;
mod supply;
mod support;
mod tidy;
mod transcripts;
mod watch;
