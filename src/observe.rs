//! What operators see of a running server: its log, and its traces.

mod traces;

use formwright::cli::Failure;
use formwright::runtime::trace::TARGET;
use formwright::settings::{LogFormat, Settings};
use tracing_subscriber::filter::{FilterExt as _, LevelFilter, filter_fn};
use tracing_subscriber::layer::{Layer as _, SubscriberExt as _};
use tracing_subscriber::util::SubscriberInitExt as _;

pub(crate) use traces::Exporting;

/// Parts that would write what people say, or tokens, into the log: the client of the model, what reads telephone numbers,
/// and what speaks with the platforms. They are silent whatever the level; what matters of them the adapters tell.
const INDISCREET: [&str; 9] = [
    "async_openai",
    "rlibphonenumber",
    "serenity",
    "slack_morphism",
    "teloxide",
    "tungstenite",
    "tokio_tungstenite",
    "twilight_gateway",
    "h2",
];

/// Begins the log, on standard error, and the traces where there is a collector.
///
/// # Errors
/// [`Failure::Settings`] where the level is none.
pub(crate) fn begin(settings: &Settings, coloured: bool, traces: Option<&Exporting>) -> Result<(), Failure> {
    let filter = tracing_subscriber::EnvFilter::try_new(&settings.log.level);
    let filter = filter.map_err(|error| Failure::Settings(format!("log.level: {error}")))?;
    let discreet = filter_fn(|about| !INDISCREET.iter().any(|name| about.target().starts_with(name)));
    let log = tracing_subscriber::fmt::layer().with_writer(std::io::stderr).with_ansi(coloured);
    let log = match settings.log.format {
        LogFormat::Text => log.boxed(),
        LogFormat::Json => log.json().boxed(),
    };
    // Spans alone: what the log says inside of them is not sent anywhere.
    let spans = filter_fn(|about| about.is_span() && about.target() == TARGET).with_max_level_hint(LevelFilter::DEBUG);
    let traces = traces.map(|traces| {
        let layer = tracing_opentelemetry::layer().with_tracer(traces.tracer());
        let bare = layer.with_location(false).with_threads(false).with_target(false).with_level(false);
        bare.with_tracked_inactivity(false).with_filter(spans)
    });
    tracing_subscriber::registry().with(log.with_filter(filter.and(discreet))).with(traces).init();
    Ok(())
}
