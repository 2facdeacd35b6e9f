//! What operators see of a running server: its log, and its traces.

mod traces;

use formwright::cli::Failure;
use formwright::runtime::trace::TARGET;
use formwright::settings::{LogFormat, Settings};
use tracing_subscriber::filter::{FilterExt as _, LevelFilter, filter_fn};
use tracing_subscriber::layer::{Layer as _, SubscriberExt as _};
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{EnvFilter, Registry, reload};

pub(crate) use traces::Exporting;

/// Parts that would write what people say, or tokens, into the log: the client of the model, what reads telephone numbers,
/// and what speaks with the platforms. What speaks with Redis tells of each try to reach it. They are silent whatever the level; what matters of them the adapters tell.
const INDISCREET: [&str; 9] = [
    "async_openai",
    "redis",
    "rlibphonenumber",
    "slack_morphism",
    "teloxide_core",
    "tungstenite",
    "tokio_tungstenite",
    "twilight_gateway",
    "h2",
];

/// What is logged, to be changed while the program runs.
#[derive(Clone)]
pub(crate) struct Level(reload::Handle<EnvFilter, Registry>);

impl Level {
    /// Logs by another level or filter from now on.
    ///
    /// # Errors
    /// [`Failure::Settings`] where it is none: nothing is changed.
    pub(crate) fn set(&self, level: &str) -> Result<(), Failure> {
        self.0.reload(filter(level)?).map_err(Failure::undone)
    }
}

/// Begins the log, on standard error, and the traces where there is a collector.
///
/// # Errors
/// [`Failure::Settings`] where the level is none.
pub(crate) fn begin(settings: &Settings, coloured: bool, traces: Option<&Exporting>) -> Result<Level, Failure> {
    let (filter, handle) = reload::Layer::new(filter(&settings.log.level)?);
    let discreet = filter_fn(|about| is_discreet(about.target()));
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
    Ok(Level(handle))
}

/// Whether what a part tells may be in the log.
fn is_discreet(target: &str) -> bool {
    !INDISCREET.iter().any(|name| target.starts_with(name))
}

/// Whether a level or filter is one.
///
/// # Errors
/// [`Failure::Settings`] where it is none.
pub(crate) fn check(level: &str) -> Result<(), Failure> {
    filter(level).map(drop)
}

/// What is logged. A lone word that is no level would be taken for the name of a part, and all else would be silent.
fn filter(level: &str) -> Result<tracing_subscriber::EnvFilter, Failure> {
    const EXPECTED: &str =
        "expected `error`, `warn`, `info`, `debug`, `trace`, or a filter like `info,formwright=debug`";
    let is_level = |word: &str| word.parse::<LevelFilter>().is_ok();
    let is_part = |word: &str| word.starts_with("formwright") || word.contains(['=', '[', ':']) && !word.ends_with('=');
    let unknown = level.split(',').map(str::trim).find(|word| !word.is_empty() && !is_level(word) && !is_part(word));
    if let Some(word) = unknown {
        return Err(Failure::Settings(format!("log.level: `{word}` is no level: {EXPECTED}")));
    }
    tracing_subscriber::EnvFilter::try_new(level).map_err(|error| Failure::Settings(format!("log.level: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_speaks_with_redis_and_platforms_tells_nothing_and_we_do() {
        for target in
            ["redis::cluster_async", "redis::aio::connection_manager", "slack_morphism::hyper_tokio", "h2::codec"]
        {
            assert!(!is_discreet(target), "{target}");
        }
        for target in
            ["formwright_store::redis::safety::watch", "formwright_discord::receive::gateway", "formwright::turn"]
        {
            assert!(is_discreet(target), "{target}");
        }
    }

    #[test]
    fn a_word_that_is_no_level_is_refused_and_does_not_switch_the_log_off() {
        for good in ["info", "WARN", "off", "info,formwright::turn=debug", "formwright=trace"] {
            assert!(filter(good).is_ok(), "{good}");
        }
        for bad in ["loud", "infos", "info,verbose", "formwright=loud", "verbose=,,", "info,verbose="] {
            let Err(Failure::Settings(words)) = filter(bad) else { panic!("{bad} is taken") };
            assert!(words.starts_with("log.level: "), "{words}");
        }
    }
}
