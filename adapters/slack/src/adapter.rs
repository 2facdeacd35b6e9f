//! The adapter: which account it connects as, and how events come in.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use async_trait::async_trait;
use chat::{Adapter, AdapterError, Delivery, DeliveryError, Host, Place, Platform, Shutdown, User};
use formwright_chat as chat;
use serde_json::json;

use crate::api::scopes;
use crate::api::{Api, ApiError, SOCKET};
use crate::bot::Bot;
use crate::receive::{serve, socket};
use crate::settings::PLATFORM;
use crate::settings::{Settings, Transport};

/// The first and the longest pause while Slack cannot be reached at the start.
const PAUSES: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(60));

/// The adapter.
pub struct Slack {
    settings: Settings,
    bot: RwLock<Option<Arc<Bot>>>,
    /// The Web API under the app-level token.
    app: RwLock<Option<Arc<Api>>>,
}

impl Slack {
    /// An adapter with these settings; it does nothing before it is run.
    pub fn new(settings: Settings) -> Self {
        Self { settings, bot: RwLock::default(), app: RwLock::default() }
    }

    /// The adapter while it runs.
    pub(crate) fn bot(&self) -> Option<Arc<Bot>> {
        self.bot.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Who the token is; tries until Slack answers.
    async fn connect(&self, api: &Api, host: &dyn Host) -> Result<(String, String, Option<String>), AdapterError> {
        let mut pause = PAUSES.0;
        loop {
            let error = match api.auth().await {
                Ok((answer, scopes)) => {
                    let text = |key: &str| answer[key].as_str().unwrap_or_default().to_owned();
                    let whom = format!("{} in {}", text("user"), text("team"));
                    return Ok((text("user_id"), whom, scopes));
                }
                Err(ApiError::Refused(code)) => {
                    let words = format!(
                        "Slack refuses the bot token ({code}): copy the “Bot User OAuth Token” (xoxb-…) from \
                         api.slack.com/apps, “OAuth & Permissions”"
                    );
                    return Err(AdapterError::refused(words, ApiError::Refused(code)));
                }
                Err(error) => error,
            };
            if pause == PAUSES.0 {
                host.announce(&format!("Slack: not connected yet, trying again: {}: {error}", self.settings.api_url));
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(PAUSES.1);
        }
    }

    async fn serve(&self, bot: Arc<Bot>, whom: &str, lacks: &str, shutdown: Shutdown) -> Result<(), AdapterError> {
        match &self.settings.transport {
            Transport::Socket { app_token } => {
                let api = Arc::new(Api::new(&self.settings.api_url, app_token, "slack.app_token"));
                check_app_token(&api).await?;
                bot.host.announce(&format!("Slack: connected as {whom}, by socket{lacks}"));
                *self.app.write().unwrap_or_else(PoisonError::into_inner) = Some(api.clone());
                socket::serve(bot, api, shutdown).await;
                Ok(())
            }
            Transport::Http { signing_secret, listen } => {
                let listener = serve::bind(*listen)?;
                let at = listener.local_addr().map_or_else(|_| listen.to_string(), |at| at.to_string());
                let line = format!("Slack: connected as {whom}, listening on {at} for requests to /slack{lacks}");
                bot.host.announce(&line);
                serve::serve(bot, signing_secret.clone(), listener, shutdown).await;
                Ok(())
            }
        }
    }
}

#[async_trait]
impl Adapter for Slack {
    fn platform(&self) -> Platform {
        Platform::new(PLATFORM)
    }

    fn draws_pages(&self) -> bool {
        true
    }

    fn shares_places(&self) -> bool {
        true
    }

    fn trouble(&self) -> Option<String> {
        let app = self.app.read().unwrap_or_else(PoisonError::into_inner).clone();
        let of_app = || app.and_then(|app| app.credentials.trouble());
        self.bot().and_then(|bot| bot.api.credentials.trouble()).or_else(of_app)
    }

    async fn reach(&self, place: &Place) -> Result<(), DeliveryError> {
        match self.bot() {
            Some(bot) => bot.reach(place).await,
            None => Err(unconnected()),
        }
    }

    async fn introduce(&self, user: User) -> User {
        match self.bot() {
            Some(bot) => bot.person(user.id.as_str()).await.user(user.id.as_str()),
            None => user,
        }
    }

    async fn run(self: Arc<Self>, host: Arc<dyn Host>, mut shutdown: Shutdown) -> Result<(), AdapterError> {
        if matches!(&self.settings.transport, Transport::Http { signing_secret, .. } if signing_secret.is_empty()) {
            return Err(AdapterError::settings(
                "Slack: the signing secret is empty; copy it from api.slack.com/apps, “Basic Information”",
            ));
        }
        let api = Api::new(&self.settings.api_url, &self.settings.bot_token, "slack.token");
        let connected = tokio::select! {
            connected = self.connect(&api, host.as_ref()) => connected,
            () = &mut shutdown => return Ok(()),
        };
        let (me, whom, scopes) = connected?;
        let missing = scopes.as_deref().and_then(scopes::missing);
        if let Some(missing) = missing.as_ref().filter(|missing| missing.vital) {
            return Err(AdapterError::lacking(format!("Slack: {}", missing.words)));
        }
        let lacks = missing.map(|missing| format!("; {}", missing.words)).unwrap_or_default();
        let bot = Arc::new(Bot::new(api, host, self.settings.access.clone(), me));
        *self.bot.write().unwrap_or_else(PoisonError::into_inner) = Some(bot.clone());
        tokio::select! {
            served = self.serve(bot.clone(), &whom, &lacks, shutdown) => served,
            () = bot.api.try_credentials() => Ok(()),
        }
    }

    async fn deliver(&self, delivery: &Delivery) -> Result<(), DeliveryError> {
        match self.bot() {
            Some(bot) => {
                bot.send(delivery).await?;
                bot.refresh_home(delivery);
                Ok(())
            }
            None => Err(unconnected()),
        }
    }
}

fn unconnected() -> DeliveryError {
    DeliveryError::Later { why: "slack is not connected yet".to_owned(), after: Some(PAUSES.0) }
}

/// Tries the app-level token once, so that a wrong one is told at the start and not tried for ever.
async fn check_app_token(api: &Api) -> Result<(), AdapterError> {
    match api.post(SOCKET, &json!({})).await {
        Err(ApiError::Refused(code)) => {
            let words = format!(
                "Slack refuses the app-level token ({code}): make one (xapp-…) with the scope connections:write at \
                 api.slack.com/apps, “Basic Information”, and turn on Socket Mode"
            );
            Err(AdapterError::refused(words, ApiError::Refused(code)))
        }
        // Slack's trouble passes; the socket tries again by itself.
        _ => Ok(()),
    }
}
