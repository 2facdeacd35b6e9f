//! The language model of the settings: a server, recordings of one, or both.

use std::sync::Arc;
use std::time::Duration;

use formwright::cli::{Failure, Recordings};
use formwright::llm::openai::{OpenAi, OpenAiSettings, UnfitError};
use formwright::llm::recorded::Recorded;
use formwright::runtime::Model;
use formwright::secret::Secret;
use formwright::settings::model as settings;

/// How long a server that could not be probed is left alone, the first time and at most.
const PROBE_AGAIN: (Duration, Duration) = (Duration::from_secs(60), Duration::from_secs(900));

/// The model, by what it is made of.
#[derive(Default)]
pub(crate) struct Models {
    server: Option<Arc<OpenAi>>,
    recorded: Option<Arc<Recorded>>,
}

impl Models {
    /// What the settings name. Where recordings are replayed, no server is reached for.
    ///
    /// # Errors
    /// [`Failure::Settings`] names the setting that cannot be.
    pub(crate) fn of(model: &settings::Model) -> Result<Self, Failure> {
        let wrong = |words: &str| Err(Failure::Settings(words.to_owned()));
        if !model.enabled {
            return Ok(Self::default());
        }
        let recorded = |recorded: Recorded| Some(Arc::new(recorded));
        match (&model.recordings, model.record) {
            (None, true) => wrong("model.record is set and model.recordings is not: name a folder for the recordings"),
            (None, false) => Ok(Self { server: server(model)?, recorded: None }),
            (Some(dir), false) => Ok(Self { server: None, recorded: recorded(Recorded::replay(dir)) }),
            (Some(dir), true) => {
                let Some(server) = server(model)? else {
                    return wrong("there is no model to record: set model.base_url or model.key");
                };
                let port: Arc<dyn Model> = Arc::<OpenAi>::clone(&server);
                Ok(Self { server: Some(server), recorded: recorded(Recorded::record(dir, port)) })
            }
        }
    }

    /// What is asked, where there is anything.
    pub(crate) fn port(&self) -> Option<Arc<dyn Model>> {
        let recorded = self.recorded.clone().map(|recorded| -> Arc<dyn Model> { recorded });
        recorded.or_else(|| self.server.clone().map(|server| -> Arc<dyn Model> { server }))
    }

    /// Finds out in the background what the server honours, and tells a line when it is known and when it changes.
    pub(crate) fn probe(&self, tell: impl Fn(&str) + Send + 'static) {
        let Some(server) = self.server.clone() else { return };
        tokio::spawn(async move {
            let (mut wait, mut told) = (PROBE_AGAIN.0, String::new());
            loop {
                let found = server.probe().await;
                if found.line != told {
                    tell(&found.line);
                    told = found.line;
                }
                if found.up {
                    return;
                }
                tokio::time::sleep(wait).await;
                wait = (wait * 2).min(PROBE_AGAIN.1);
            }
        });
    }

    /// What the model has cost, in a line, or that its key is not accepted; none where it was not asked.
    pub(crate) fn cost(&self) -> Option<String> {
        let spent = self.port()?.health();
        if spent.state == formwright_chat::ModelState::Refused {
            let what = "the model's key is not accepted: set model.key or the variable it comes from";
            return Some(what.to_owned());
        }
        (spent.calls > 0).then(|| {
            let (calls, failures) = (spent.calls, spent.failures);
            let tokens = format!("{} tokens in, {} out", spent.prompt_tokens, spent.reply_tokens);
            format!("the model was asked {}, {failures} gave nothing; {tokens}", times(calls))
        })
    }

    /// Whether everything that was asked had been recorded.
    ///
    /// # Errors
    /// [`Failure::Asked`] where recordings were missing: what was played is not what was recorded.
    pub(crate) fn verdict(&self) -> Result<(), Failure> {
        match self.recorded.as_ref().map_or(0, |recorded| recorded.missing()) {
            0 => Ok(()),
            missing => Err(Failure::Asked(format!(
                "the model was asked {} what is not in the recordings; nobody was called. `--record` makes them",
                times(missing)
            ))),
        }
    }
}

/// Recordings that the command line names go before those of the settings.
pub(crate) fn choose(model: &mut settings::Model, recordings: Recordings) {
    let record = recordings.record.is_some();
    if let Some(dir) = recordings.record.or(recordings.replay) {
        model.enabled = true;
        model.record = record;
        model.recordings = Some(dir);
    }
}

fn server(model: &settings::Model) -> Result<Option<Arc<OpenAi>>, Failure> {
    let Some(reach) = model.reach(|name| std::env::var(name).ok()) else { return Ok(None) };
    let key = Secret::given(reach.key.as_deref().unwrap_or_default());
    let key = key.map_err(|error| Failure::Settings(format!("model.key: {error}")))?;
    let made = OpenAi::new(OpenAiSettings {
        base_url: reach.base_url,
        key,
        model: reach.name,
        deadline: Duration::from_secs(model.timeout.max(1)),
        per_minute: (model.per_person, model.per_minute),
    });
    made.map(|model| Some(Arc::new(model))).map_err(|error| match error {
        UnfitError::Address | UnfitError::Key => Failure::Settings(error.to_string()),
        UnfitError::Http(error) => Failure::Undone(error.to_string()),
    })
}

fn times(count: u64) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}
