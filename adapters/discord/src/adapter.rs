//! The adapter: which account it connects as, with which commands, and what it lacks.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use async_trait::async_trait;
use chat::{Adapter, AdapterError, Delivery, DeliveryError, Host, Place, Platform, Shutdown};
use formwright_chat as chat;
use formwright_listen::{Limits, nobody};
use jiff::Timestamp;
use serde_json::Value;
use tokio::sync::watch;

use crate::api::{Call, Rest, RestError};
use crate::intake::{Intake, Me};
use crate::render::commands::{commands, in_one_language};

use crate::receive::backoff::backoff;
use crate::receive::live::Live;
use crate::receive::serve::PATH;
use crate::receive::{gateway, serve};
use crate::settings::{DiscordSettings, PLATFORM, Transport};
use crate::{limits, send, translate};

/// What the bot needs to be allowed in a server: see channels, send messages there and in threads, read history, and
/// delete secrets that were written in the open.
const PERMISSIONS: u64 = 1 << 10 | 1 << 11 | 1 << 13 | 1 << 16 | 1 << 38;

/// Discord.
pub struct DiscordAdapter {
    settings: DiscordSettings,
    rest: Arc<Rest>,
    live: OnceLock<Arc<Live>>,
    address: watch::Sender<Option<std::net::SocketAddr>>,
}

impl DiscordAdapter {
    /// Checks the settings. Nothing is sent before [`Adapter::run`].
    ///
    /// # Errors
    /// A sentence for the operator that says which setting to change.
    pub fn new(settings: DiscordSettings) -> Result<Self, String> {
        if settings.token.expose().trim().is_empty() {
            return Err("discord.token: the bot's token is missing".to_owned());
        }
        if !settings.public_key.trim().is_empty() {
            serve::verifier(&settings.public_key)?;
        }
        let rest = Arc::new(Rest::new(&settings.token, &settings.api_url)?);
        Ok(Self { settings, rest, live: OnceLock::new(), address: watch::Sender::new(None) })
    }

    /// The address that interactions over HTTP are taken at, once there is one.
    pub async fn listening(&self) -> Option<std::net::SocketAddr> {
        let mut address = self.address.subscribe();
        address.wait_for(Option::is_some).await.ok().and_then(|address| *address)
    }

    /// The address to invite a bot with, with the permissions it needs.
    pub fn invitation(application: &str) -> String {
        format!(
            "https://discord.com/oauth2/authorize?client_id={application}&scope=bot+applications.commands&permissions={PERMISSIONS}"
        )
    }

    /// Asks Discord who the bot is, until it answers. None at the stop.
    async fn meet(
        &self,
        host: &dyn Host,
        stop: &mut watch::Receiver<bool>,
    ) -> Result<Option<(Me, Value)>, AdapterError> {
        let mut tries = 0;
        loop {
            let tell = |error: &RestError| {
                if tries == 0 {
                    let at = &self.settings.api_url;
                    host.announce(&format!("Discord: not connected yet, trying again: {at}: {error}"));
                }
            };
            let met = async {
                let me = self.rest.call(Call::me(), None).await?;
                Ok::<_, RestError>((me, self.rest.call(Call::application(), None).await))
            };
            match met.await {
                Ok((_, Err(error @ (RestError::Down(_) | RestError::Limited { .. })))) => tell(&error),
                Ok((me, application)) => return Ok(Some(known(&me, application.unwrap_or(Value::Null)))),
                Err(error @ RestError::Refused { status: 401 | 403, .. }) => {
                    return Err(AdapterError::refused(
                        "discord: the token is not valid: reset it in the developer portal under “Bot” and set \
                         discord.token",
                        error,
                    ));
                }
                Err(error) => tell(&error),
            }
            tries += 1;
            tokio::select! {
                () = tokio::time::sleep(backoff(tries)) => {}
                _ = stop.changed() => return Ok(None),
            }
        }
    }

    async fn register(&self, live: &Live) {
        if !self.settings.register_commands {
            return;
        }
        let commands = commands(&live.intake.host.forms(), &self.settings.access, &live.intake.me.installs);
        let application = live.intake.me.application.as_str();
        if let Err(error) = self.set_commands(|| Call::commands(application), &commands.everywhere).await {
            tracing::warn!(%error, "discord: the commands are not registered; those of the last start stay");
        }
        // Servers that had commands of their own and have none any more lose them.
        let before = live.intake.notes.servers().await.unwrap_or_default();
        let now: BTreeSet<String> = commands.of_servers.keys().cloned().collect();
        if before != now
            && let Err(error) = live.intake.notes.keep_servers(&now).await
        {
            tracing::debug!(%error, "discord: which servers have commands of their own was not noted");
        }
        for server in before.union(&now) {
            let none = Value::Array(Vec::new());
            let own = commands.of_servers.get(server).unwrap_or(&none);
            if let Err(error) = self.set_commands(|| Call::commands_of(application, server), own).await {
                tracing::warn!(%error, server, "discord: the commands of a server are not registered");
            }
        }
    }

    /// Sets commands; without their translations where Discord refuses those, as it does with languages it does not know.
    async fn set_commands(
        &self,
        call: impl Fn() -> Result<Call, RestError>,
        commands: &Value,
    ) -> Result<(), RestError> {
        match self.rest.call(call()?, Some(commands)).await {
            Err(error @ RestError::Refused { status: 400, .. }) => {
                tracing::warn!(%error, "discord: commands were refused; they are registered without translations");
                self.rest.call(call()?, Some(&in_one_language(commands))).await.map(drop)
            }
            set => set.map(drop),
        }
    }

    async fn serve(&self, live: Arc<Live>, key: &str, mut stop: watch::Receiver<bool>) -> Result<(), AdapterError> {
        let verifier = serve::verifier(key).map_err(AdapterError::settings)?;
        let listen = self.settings.listen;
        let listener = formwright_listen::bind(listen)
            .map_err(|error| AdapterError::listen(format!("discord.listen: {listen}: {error}"), error))?;
        self.address.send_replace(listener.local_addr().ok());
        if self.settings.transport == Transport::Http {
            live.announce();
        }
        let stopped = async move { drop(stop.wait_for(|stop| *stop).await) };
        formwright_listen::serve(listener, serve::router(live, verifier), Limits::default(), nobody(), stopped).await;
        Ok(())
    }
}

#[async_trait]
impl Adapter for DiscordAdapter {
    fn platform(&self) -> Platform {
        Platform::new(PLATFORM)
    }

    fn draws_pages(&self) -> bool {
        true
    }

    fn knows_zones(&self) -> bool {
        false
    }

    fn shares_places(&self) -> bool {
        true
    }

    async fn run(self: Arc<Self>, host: Arc<dyn Host>, shutdown: Shutdown) -> Result<(), AdapterError> {
        let (stopping, mut stop) = watch::channel(false);
        let watching = tokio::spawn(async move {
            shutdown.await;
            stopping.send_replace(true);
            // Held until everything has ended, or a wait for a change would end at once.
            stopping.closed().await;
        });
        let Some((me, application)) = self.meet(host.as_ref(), &mut stop).await? else { return Ok(()) };
        let line = greeting(&self.settings, &me, &application);
        let intake = Intake::new(self.settings.clone(), host, me);
        let live = Arc::new(Live::new(intake, Arc::clone(&self.rest), Some(line)));
        let live = Arc::clone(self.live.get_or_init(|| live));
        self.register(&live).await;
        let key = Some(self.settings.public_key.clone()).filter(|key| !key.trim().is_empty());
        let key = key.or_else(|| translate::text(&application["verify_key"])).unwrap_or_default();
        let over_http = async {
            match self.settings.transport {
                Transport::Gateway => Ok(()),
                Transport::Http | Transport::Both => self.serve(Arc::clone(&live), &key, stop.clone()).await,
            }
        };
        let over_gateway = async {
            match self.settings.transport {
                Transport::Http => Ok(()),
                Transport::Gateway | Transport::Both => gateway::serve(Arc::clone(&live), stop.clone()).await,
            }
        };
        let looking = async {
            loop {
                tokio::time::sleep(limits::TOKEN_LOOK).await;
                live.rest.look_again().await;
            }
        };
        let served = tokio::select! {
            served = async { tokio::try_join!(over_http, over_gateway).map(|_| ()) } => served,
            () = looking => Ok(()),
        };
        watching.abort();
        served
    }

    fn trouble(&self) -> Option<String> {
        self.rest.trouble()
    }

    async fn reach(&self, place: &Place) -> Result<(), DeliveryError> {
        self.rest.reach(place).await
    }

    async fn deliver(&self, delivery: &Delivery) -> Result<(), DeliveryError> {
        let Some(live) = self.live.get() else { return Err(DeliveryError::later("discord is not connected yet")) };
        send::Sender { intake: &live.intake, rest: &live.rest }.deliver(delivery, Timestamp::now()).await
    }
}

fn known(me: &Value, application: Value) -> (Me, Value) {
    let user = translate::text(&me["id"]).unwrap_or_default();
    let flags = application["flags"].as_u64();
    let known = Me {
        // Applications of today share their bot's id.
        application: translate::text(&application["id"]).unwrap_or_else(|| user.clone()),
        name: translate::text(&me["username"]).unwrap_or_else(|| user.clone()),
        reads: flags.is_some_and(|flags| flags & limits::FLAGS_MESSAGE_CONTENT != 0),
        installs: application["integration_types_config"]
            .as_object()
            .map(|ways| ways.keys().filter_map(|way| way.parse().ok()).collect())
            .unwrap_or_default(),
        user,
    };
    (known, application)
}

/// One honest line: who we are, and what we cannot do.
fn greeting(settings: &DiscordSettings, me: &Me, application: &Value) -> String {
    let mut lacks = Vec::new();
    if !me.reads && settings.transport != Transport::Http {
        lacks.push(format!(
            "in servers it reads only messages that mention it: switch on “Message Content Intent” at \
             https://discord.com/developers/applications/{}/bot and start again",
            me.application
        ));
    }
    let endpoint = translate::text(&application["interactions_endpoint_url"]);
    match (settings.transport, endpoint) {
        (Transport::Gateway, Some(url)) => lacks.push(format!(
            "commands and buttons go to {url}: clear “Interactions Endpoint URL” in the developer portal, or set \
             discord.transport to “both”"
        )),
        (Transport::Http | Transport::Both, None) => lacks.push(format!(
            "commands and buttons do not arrive over HTTP yet: set “Interactions Endpoint URL” in the developer portal \
             to the public address of {PATH}"
        )),
        _ => {}
    }
    if settings.transport == Transport::Http {
        lacks.push("written messages do not arrive with discord.transport “http”".to_owned());
    }
    let invite = DiscordAdapter::invitation(&me.application);
    let but = if lacks.is_empty() { String::new() } else { format!(", but {}", lacks.join("; ")) };
    format!("Discord: connected as {} ({}){but}; invite it with {invite}", me.name, me.application)
}
