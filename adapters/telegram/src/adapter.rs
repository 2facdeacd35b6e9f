//! The adapter: connected as whom, and by which way updates come in.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use formwright_chat::{Adapter, AdapterError, Delivery, DeliveryError, Host, Place, Platform, Shutdown};
use formwright_listen::{Limits, nobody, serve};
use serde_json::json;

use crate::api::{Api, ApiError};
use crate::core::{Core, held};
use crate::limits;
use crate::receive::backoff::backoff;
use crate::receive::webhook;
use crate::settings::{PLATFORM, TelegramSettings, Transport};
use crate::translate::Me;

/// How long what is under way may take once the process is asked to stop.
const GRACE: Duration = Duration::from_secs(5);

/// The Telegram platform.
pub struct TelegramAdapter {
    settings: TelegramSettings,
    pub(crate) api: Api,
    core: Mutex<Option<Arc<Core>>>,
}

impl TelegramAdapter {
    /// Checks the settings.
    ///
    /// # Errors
    /// A sentence for the operator that says which setting to change.
    pub fn new(settings: TelegramSettings) -> Result<Self, String> {
        settings.check()?;
        let api = Api::new(&settings.token, &settings.api_url)?;
        Ok(Self { settings, api, core: Mutex::default() })
    }

    /// Asks Telegram who the bot is, until it answers.
    async fn introduce(&self, host: &dyn Host) -> Result<Me, AdapterError> {
        let mut failures = 0;
        loop {
            match self.api.call("getMe", &json!({})).await {
                Ok(me) => {
                    return Me::read(&me)
                        .ok_or_else(|| AdapterError::settings("telegram: the API at api_url is not Telegram's"));
                }
                Err(error) if error.is_unauthorized() => {
                    return Err(AdapterError::refused(
                        "telegram: Telegram does not know the token in telegram.token; @BotFather shows the valid one \
                         (/mybots)",
                        error,
                    ));
                }
                Err(error) => {
                    if failures == 0 {
                        let at = &self.settings.api_url;
                        host.announce(&format!("Telegram: not connected yet, trying again: {at}: {error}"));
                    }
                    failures += 1;
                    let asked = if let ApiError::Wait(after) = error { Some(after) } else { None };
                    tokio::time::sleep(asked.unwrap_or_else(|| backoff(failures))).await;
                }
            }
        }
    }

    /// Asks now and then whether Telegram takes the token again that it refused.
    async fn watch_token(&self) -> ! {
        let mut failures = 0;
        loop {
            tokio::time::sleep(limits::TOKEN_LOOK.max(backoff(failures))).await;
            let refused = self.api.token.are_refused() && !self.api.is_known().await;
            failures = if refused { failures + 1 } else { 0 };
        }
    }

    async fn connect(&self, host: Arc<dyn Host>) -> Result<Arc<Core>, AdapterError> {
        let me = self.introduce(host.as_ref()).await?;
        let mut failures = 0;
        let core = loop {
            let core = Core::new(self.settings.clone(), self.api.clone(), Arc::clone(&host), me.clone()).await;
            match core {
                Ok(core) => break Arc::new(core),
                Err(error) => {
                    tracing::warn!(%error, "telegram: the notes cannot be read; trying again");
                    failures += 1;
                    tokio::time::sleep(backoff(failures)).await;
                }
            }
        };
        *held(&self.core) = Some(Arc::clone(&core));
        if let Err(error) = core.close_albums().await {
            tracing::warn!(%error, "telegram: files that were sent together could not be looked for");
        }
        Ok(core)
    }

    async fn serve(&self, host: Arc<dyn Host>) -> Result<(), AdapterError> {
        let core = self.connect(host).await?;
        let menus = Arc::clone(&core);
        core.spawn(async move { menus.set_menus().await });
        match self.settings.transport {
            // Telegram gives updates to one who asks at a time.
            Transport::Polling => loop {
                let lost = core.host.lead(&format!("telegram {}", core.me.id)).await;
                core.until_done("the webhook could not be taken away", || core.clear_webhook()).await;
                core.host.announce(&core.greeting("long polling"));
                tokio::select! {
                    never = core.poll() => never,
                    () = lost => core.poll_while_away().await,
                }
            },
            Transport::Webhook => {
                let listen = self.settings.webhook.listen;
                let listener = formwright_listen::bind(listen).map_err(|error| {
                    let words = format!("telegram.webhook.listen: {listen} cannot be bound: {error}");
                    AdapterError::listen(words, error)
                })?;
                let path = self.settings.path().unwrap_or_else(|| "/".to_owned());
                let router = webhook::router(Arc::clone(&core), &path);
                let announce = async {
                    core.until_done("the webhook could not be set", || core.set_webhook()).await;
                    let webhook = format!("webhook at {}", self.settings.webhook.public_url);
                    core.host.announce(&core.greeting(&webhook));
                    std::future::pending::<()>().await;
                };
                tokio::select! {
                    () = serve(listener, router, Limits::default(), nobody(), std::future::pending()) => Ok(()),
                    () = announce => Ok(()),
                }
            }
        }
    }
}

impl Core {
    /// Tries until Telegram does it.
    async fn until_done<F>(&self, what: &str, call: impl Fn() -> F)
    where
        F: Future<Output = Result<(), ApiError>>,
    {
        let mut failures = 0;
        while let Err(error) = call().await {
            tracing::error!(%error, "telegram: {what}; trying again");
            failures += 1;
            let asked = if let ApiError::Wait(after) = error { Some(after) } else { None };
            tokio::time::sleep(asked.unwrap_or_else(|| backoff(failures))).await;
        }
    }

    /// One line for the operator: connected as whom, and what is missing.
    fn greeting(&self, how: &str) -> String {
        let mut line = format!("Telegram: connected as @{} by {how}", self.me.username);
        if !self.me.joins_groups {
            line.push_str("; it cannot be added to groups (@BotFather, /setjoingroups)");
        } else if !self.me.reads_groups {
            line.push_str("; in groups it reads only commands, mentions and answers to it (@BotFather, /setprivacy)");
        }
        line
    }
}

#[async_trait]
impl Adapter for TelegramAdapter {
    fn platform(&self) -> Platform {
        Platform::new(PLATFORM)
    }

    fn knows_zones(&self) -> bool {
        false
    }

    fn shares_places(&self) -> bool {
        true
    }

    fn trouble(&self) -> Option<String> {
        self.api.token.trouble()
    }

    async fn reach(&self, place: &Place) -> Result<(), DeliveryError> {
        let core = held(&self.core).clone();
        match core {
            Some(core) => core.reach(place).await,
            None => Err(unconnected()),
        }
    }

    async fn run(self: Arc<Self>, host: Arc<dyn Host>, shutdown: Shutdown) -> Result<(), AdapterError> {
        let result = tokio::select! {
            served = self.serve(host) => served,
            never = self.watch_token() => never,
            () = shutdown => Ok(()),
        };
        let core = held(&self.core).clone();
        if let Some(core) = core {
            core.settle(GRACE).await;
        }
        result
    }

    async fn deliver(&self, delivery: &Delivery) -> Result<(), DeliveryError> {
        let core = held(&self.core).clone();
        match core {
            Some(core) => core.deliver(delivery).await,
            None => Err(unconnected()),
        }
    }
}

fn unconnected() -> DeliveryError {
    DeliveryError::later("Telegram is not connected yet")
}
