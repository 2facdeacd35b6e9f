//! The adapter: the page and the API as one server.

use std::sync::Arc;

use async_trait::async_trait;
use axum::Router;
use axum::middleware::from_fn_with_state;
use formwright_chat::{Adapter, AdapterError, Delivery, DeliveryError, Host, Platform, Shutdown};
use formwright_listen::Limits;
use tokio::net::TcpListener;

use crate::intake::context::Context;
use crate::receive::limit::limit;
use crate::receive::shared::{Patience, Shared};
use crate::receive::{allowance, auth, crowd, guard, peer, routes, same};
use crate::send::notices;
use crate::settings::{PLATFORM, WebSettings};
use crate::{assets, limits};

/// The web platform.
#[derive(Clone)]
pub struct WebAdapter {
    shared: Arc<Shared>,
}

impl WebAdapter {
    /// Checks the settings.
    ///
    /// # Errors
    /// A sentence for the operator that says which setting to change.
    pub fn new(settings: WebSettings) -> Result<Self, String> {
        Self::with_patience(settings, Patience { body: limits::BODY_TIME })
    }

    pub(crate) fn with_patience(settings: WebSettings, patience: Patience) -> Result<Self, String> {
        let parse = |key: &str, text: &str| text.parse::<auth::Origin>().map_err(|error| format!("web.{key}: {error}"));
        let own = settings.public_url.as_deref().map(|url| parse("public_url", url.trim_end_matches('/')));
        let own = own.transpose()?;
        let (any, named): (Vec<_>, Vec<_>) = settings.origins.iter().partition(|origin| *origin == "*");
        let anyone = !any.is_empty();
        if anyone && !settings.formpilot {
            return Err(
                "web.origins: \"*\" is for web.formpilot = true alone; name the origins, such as https://app.example"
                    .to_owned(),
            );
        }
        let origins: Result<Vec<_>, String> = named.into_iter().map(|origin| parse("origins", origin)).collect();
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
            rules: Arc::new(guard::Rules { origins: origins?, anyone, own, hosts }),
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
        let context = Context { host, shared: Arc::clone(&self.shared) };
        routes::routes(context)
            .layer(from_fn_with_state(Arc::clone(&self.shared), limit))
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
        self.shared.notices.post(&delivery.place.channel, delivery.reply.clone());
        Ok(())
    }
}

/// Tells where the page is. Whoever starts the program asks for just that, so it is no matter of the log.
fn announce(page: &str) {
    use std::io::Write as _;
    // Nobody may be reading.
    let _ = writeln!(std::io::stdout().lock(), "the page is at {page}");
}
