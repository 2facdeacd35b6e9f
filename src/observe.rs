//! What operators see of a running server: its log.

use formwright::cli::Failure;
use formwright::settings::{LogFormat, Settings};
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

/// Parts that would write messages of people into the log, whatever its level: the client of the model, and what reads
/// telephone numbers.
const INDISCREET: [&str; 2] = ["async_openai", "rlibphonenumber"];

/// Begins the log, on standard error.
///
/// # Errors
/// [`Failure::Settings`] where the level is none.
pub(crate) fn log(settings: &Settings, coloured: bool) -> Result<(), Failure> {
    let filter = tracing_subscriber::EnvFilter::try_new(&settings.log.level);
    let filter = filter.map_err(|error| Failure::Settings(format!("log.level: {error}")))?;
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_ansi(coloured);
    let discreet = filter_fn(|about| !INDISCREET.iter().any(|name| about.target().starts_with(name)));
    match settings.log.format {
        LogFormat::Text => log.finish().with(discreet).init(),
        LogFormat::Json => log.json().finish().with(discreet).init(),
    }
    Ok(())
}
