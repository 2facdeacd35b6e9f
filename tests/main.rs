//! The one integration binary. Each module says what it shows.

mod browser;
mod docs;
mod forms;
mod kill;
mod support;
mod tidy;
mod transcripts;
