//! What machines ask: whether the process lives, whether it is ready, and what it has measured.
//!
//! The first two are on the page's own address too. [`Ops`] serves all three on an address of their own, which people do
//! not reach and which answers until the process has ended.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::{Json, Router, routing};
use formwright_chat::{Host, HostError};
use formwright_listen::{Limits, nobody, serve};
use serde_json::json;
use tokio::net::TcpListener;

use crate::limits;

/// The media type of what was measured.
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Whether what people say now would be kept, how many sessions and forms there are, and the language model.
pub(crate) async fn health(host: &dyn Host) -> Response {
    let forms = host.forms().len();
    let told = match host.health().await {
        Ok(()) => host.session_count().await,
        Err(error) => Err(error),
    };
    let error = match told {
        Ok(sessions) => {
            // A model that is away makes nothing unhealthy: forms go on without it.
            let model = host.model().map_or_else(|| json!({ "state": "none" }), |model| json!(model));
            // Nor does a platform that refuses its token: people on the others are served.
            let platforms = host.platforms().into_iter().map(|(name, trouble)| {
                let state =
                    trouble.map_or_else(|| json!({ "state": "up" }), |why| json!({ "state": "down", "why": why }));
                (name, state)
            });
            let platforms: BTreeMap<_, _> = platforms.collect();
            let mut body = json!({
                "status": "ok", "sessions": sessions, "forms": forms, "model": model, "platforms": platforms,
            });
            let notices = host.notices();
            if !notices.is_empty() {
                body["notices"] = json!(notices);
            }
            return Json(body).into_response();
        }
        Err(error) => error,
    };
    tracing::warn!(%error, "the health check failed");
    let why = match error {
        HostError::Unavailable(why) => why,
        other => other.to_string(),
    };
    let message = format!("{why}. Nothing new is taken until the store can be written again.");
    let body = json!({ "status": "unavailable", "error": { "code": "unavailable", "message": message } });
    let retry_after = [(header::RETRY_AFTER, HeaderValue::from(limits::RETRY_AFTER))];
    (StatusCode::SERVICE_UNAVAILABLE, retry_after, Json(body)).into_response()
}

/// A bound listener for operations.
#[derive(Debug)]
pub struct Ops {
    listener: TcpListener,
    address: SocketAddr,
}

impl Ops {
    /// Listens; nothing is answered before [`Self::serve`].
    ///
    /// # Errors
    /// A sentence for the operator.
    pub async fn bind(address: SocketAddr) -> Result<Self, String> {
        let refused = |error| format!("cannot listen on {address}: {error}; set ops.listen to another address or port");
        let listener = TcpListener::bind(address).await.map_err(refused)?;
        let address = listener.local_addr().unwrap_or(address);
        Ok(Self { listener, address })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers until it is dropped.
    pub async fn serve(self, host: Arc<dyn Host>) {
        let limits = Limits::new(limits::OPS_CONNECTIONS, limits::OPS_CONNECTIONS_PER_ADDRESS);
        serve(self.listener, router(host), limits, nobody(), std::future::pending()).await;
    }
}

/// The three addresses.
pub(crate) fn router(host: Arc<dyn Host>) -> Router {
    Router::new()
        .route("/health/live", routing::get(live))
        .route("/health/ready", routing::get(async |State(host): State<Arc<dyn Host>>| ready(&*host).await))
        .route("/metrics", routing::get(metrics))
        .with_state(host)
}

/// Answers as long as the process does.
pub(crate) async fn live() -> &'static str {
    "live\n"
}

/// Tells whether what people say would be taken now; 503 with the reasons where it would not.
pub(crate) async fn ready(host: &dyn Host) -> Response {
    let reasons = host.unready().await;
    let (status, word) =
        if reasons.is_empty() { (StatusCode::OK, "ready") } else { (StatusCode::SERVICE_UNAVAILABLE, "unready") };
    let fresh = [(header::CACHE_CONTROL, HeaderValue::from_static("no-store"))];
    (status, fresh, Json(json!({ "status": word, "reasons": reasons }))).into_response()
}

async fn metrics(State(host): State<Arc<dyn Host>>) -> Response {
    ([(header::CONTENT_TYPE, HeaderValue::from_static(OPEN_METRICS))], host.metrics().await).into_response()
}
