//! The web page and its HTTP API: a platform of one page.
//!
//! [`WebAdapter`] serves the page, the nine-action chat API and the forms' schemas, and keeps replies that answer no
//! request until the page fetches them. This file and `serve` hold all input and output; `translate` and `render` are
//! pure. Deliberately absent: sessions, forms and files. Those are the [`Host`]'s.

mod actions;
mod allowance;
mod api;
mod assets;
mod auth;
mod converse;
mod crowd;
mod error;
mod fill;
mod guard;
pub mod limits;
mod notices;
mod openapi;
mod ops;
mod peer;
mod render;
mod same;
mod translate;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use axum::Router;
use axum::middleware::from_fn_with_state;
use formwright_chat::{
    Adapter, AdapterError, Delivery, DeliveryError, Host, Platform, Preview, Reply, Shutdown, fallback,
};
use formwright_listen::Limits;
use serde::{Deserialize, Serialize};
use tokio::net::TcpListener;

pub use actions::{Ask, AskOptions, ChatResponse, ClientAction, ConversationResponse};
pub use auth::ApiKey;
pub use ops::Ops;

/// The platform's name, as in [`formwright_chat::Place::platform`].
pub const PLATFORM: &str = "web";

/// A reply as the API answers it and the page draws it, for looking at offline.
pub fn preview(reply: &Reply) -> Vec<Preview> {
    let answer = render::response("preview".to_owned(), vec![reply.clone()], &[], None);
    let payload = serde_json::to_value(answer).unwrap_or_default();
    vec![Preview { what: "page".to_owned(), payload, picture: fallback::text(reply), losses: Vec::new() }]
}

/// Settings of the web page and its API: the `[web]` table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WebSettings {
    /// Address and port to listen on; loopback unless set, port 0 takes a free one.
    pub bind: SocketAddr,
    /// Address people use, such as `https://forms.example`: needed behind a proxy. With https the cookie is `Secure`.
    pub public_url: Option<String>,
    /// Further host names to answer to while bound to loopback, where others are refused.
    pub hosts: Vec<String>,
    /// Exact origins whose pages may call the API, such as `https://app.example`; none by default.
    pub origins: Vec<String>,
    /// Keys of API clients.
    pub keys: Vec<ApiKey>,
    /// Takes forms written out in requests (`form_context_md`).
    pub allow_inline_forms: bool,
    /// Fills in forms that clients keep themselves (`POST /api/fill`).
    pub fill: bool,
    /// Conversations that one cookie may start in an hour.
    pub conversations_per_hour: u32,
    /// Conversations that one address may start in an hour, with whatever cookies; none: as many as one cookie.
    pub conversations_per_address: Option<u32>,
    /// Connections that one address may hold at once, and requests that it may have under way through a proxy.
    pub connections_per_address: u32,
    /// Requests waiting for notices that one address may have at once.
    pub polls_per_address: u32,
    /// Requests waiting for notices that one cookie may have at once.
    pub polls_per_visitor: u32,
    /// Addresses of proxies that tell in `X-Forwarded-For` for whom they ask. With a `public_url` while bound to
    /// loopback, this machine is one.
    pub trusted_proxies: Vec<(IpAddr, u8)>,
    /// JavaScript served to the page, which registers client tools in `window.formwright.tools`.
    pub tools_script: String,
}

impl Default for WebSettings {
    fn default() -> Self {
        Self {
            bind: SocketAddr::from((Ipv4Addr::LOCALHOST, 8080)),
            public_url: None,
            hosts: Vec::new(),
            origins: Vec::new(),
            keys: Vec::new(),
            allow_inline_forms: false,
            fill: true,
            conversations_per_hour: 120,
            conversations_per_address: None,
            connections_per_address: 160,
            polls_per_address: 120,
            polls_per_visitor: 16,
            trusted_proxies: Vec::new(),
            tools_script: String::new(),
        }
    }
}

/// The web platform.
#[derive(Clone)]
pub struct WebAdapter {
    shared: Arc<Shared>,
}

/// What requests share.
pub(crate) struct Shared {
    pub(crate) settings: WebSettings,
    pub(crate) rules: Arc<guard::Rules>,
    pub(crate) keys: Vec<auth::KnownKey>,
    pub(crate) cookie: &'static str,
    pub(crate) secure: bool,
    pub(crate) assets: Vec<assets::Asset>,
    pub(crate) notices: notices::Notices,
    pub(crate) allowance: allowance::Allowance,
    pub(crate) crowd: crowd::Crowd,
    pub(crate) proxies: peer::Proxies,
    pub(crate) patience: Patience,
    pub(crate) under_way: same::UnderWay,
}

/// How long the server waits for a client.
#[derive(Clone, Copy)]
pub(crate) struct Patience {
    /// For a body to arrive.
    pub(crate) body: Duration,
}

impl WebAdapter {
    /// Checks the settings.
    ///
    /// # Errors
    /// A sentence for the operator that says which setting to change.
    pub fn new(settings: WebSettings) -> Result<Self, String> {
        Self::with_patience(settings, Patience { body: limits::BODY_TIME })
    }

    fn with_patience(settings: WebSettings, patience: Patience) -> Result<Self, String> {
        let parse = |key: &str, text: &str| text.parse::<auth::Origin>().map_err(|error| format!("web.{key}: {error}"));
        let own = settings.public_url.as_deref().map(|url| parse("public_url", url.trim_end_matches('/')));
        let own = own.transpose()?;
        let origins: Result<Vec<_>, String> = settings.origins.iter().map(|origin| parse("origins", origin)).collect();
        let keys: Result<Vec<_>, String> = settings.keys.iter().map(auth::KnownKey::try_from).collect();
        let mut hosts = settings.hosts.clone();
        hosts.extend(own.as_ref().map(|own| own.authority().to_owned()));
        if settings.bind.ip().is_loopback() {
            hosts.push("localhost".to_owned());
        } else {
            hosts.clear();
        }
        let behind_proxy = own.is_some() && settings.bind.ip().is_loopback();
        let per_cookie = settings.conversations_per_hour;
        let per_address = settings.conversations_per_address.unwrap_or(per_cookie);
        let secure = own.as_ref().is_some_and(auth::Origin::secure);
        let shared = Shared {
            rules: Arc::new(guard::Rules { origins: origins?, own, hosts }),
            keys: keys?,
            cookie: auth::cookie_name(secure),
            secure,
            assets: assets::assets(&settings.tools_script),
            notices: notices::Notices::default(),
            allowance: allowance::Allowance::new(per_cookie, per_address),
            crowd: crowd::Crowd::new(
                settings.connections_per_address,
                settings.polls_per_address,
                settings.polls_per_visitor,
            ),
            proxies: peer::Proxies::new(&settings.trusted_proxies, behind_proxy),
            patience,
            under_way: same::UnderWay::default(),
            settings,
        };
        Ok(Self { shared: Arc::new(shared) })
    }

    /// The page and the API as one router, for a server of the caller's.
    pub fn router(&self, host: Arc<dyn Host>) -> Router {
        let context = api::Context { host, shared: Arc::clone(&self.shared) };
        api::routes(context)
            .layer(from_fn_with_state(Arc::clone(&self.shared), crowd::limit))
            .layer(from_fn_with_state(Arc::clone(&self.shared.rules), guard::guard))
    }

    /// Serves the page and the API on a bound listener until `shutdown` fires.
    pub async fn serve(&self, listener: TcpListener, host: Arc<dyn Host>, shutdown: Shutdown) {
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let (shared, proxies) = (Arc::clone(&self.shared), Arc::clone(&self.shared));
        let per_address = usize::try_from(shared.settings.connections_per_address).unwrap_or(usize::MAX);
        let speaks = Arc::new(move |address| proxies.proxies.trusts(address));
        let limits = Limits::new(limits::CONNECTIONS, per_address);
        let shutdown = async move {
            shutdown.await;
            shared.notices.close();
            drop(stop);
        };
        let grace = async move {
            let _ = stopped.await;
            tokio::time::sleep(limits::SHUTDOWN_GRACE).await;
        };
        tokio::select! {
            () = formwright_listen::serve(listener, self.router(host), limits, speaks, shutdown) => {}
            () = grace => {}
        }
    }
}

#[async_trait]
impl Adapter for WebAdapter {
    fn platform(&self) -> Platform {
        Platform::new(PLATFORM)
    }

    async fn run(self: Arc<Self>, host: Arc<dyn Host>, shutdown: Shutdown) -> Result<(), AdapterError> {
        let bind = self.shared.settings.bind;
        let listener = formwright_listen::bind(bind).map_err(|error| {
            let other = "set web.listen to another address or port, such as 127.0.0.1:0";
            AdapterError::listen(format!("cannot listen on {bind}: {error}; {other}"), error)
        })?;
        let address = listener.local_addr().unwrap_or(bind);
        announce(&self.shared.settings.public_url.clone().unwrap_or_else(|| format!("http://{address}/")));
        self.serve(listener, host, shutdown).await;
        Ok(())
    }

    async fn deliver(&self, delivery: &Delivery) -> Result<(), DeliveryError> {
        api::deliver(&self.shared, &delivery.place, &delivery.reply);
        Ok(())
    }
}

/// Tells where the page is. Whoever starts the program asks for just that, so it is no matter of the log.
fn announce(page: &str) {
    use std::io::Write as _;
    // Nobody may be reading.
    let _ = writeln!(std::io::stdout().lock(), "the page is at {page}");
}

#[cfg(test)]
mod tests;
