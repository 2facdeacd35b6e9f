//! Events, interactions and commands over HTTP. Nothing is parsed before its signature was checked over the raw body,
//! and no more of a body is read than [`limits::REQUEST_BYTES`].

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::to_bytes;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use chat::AdapterError;
use formwright_chat as chat;
use formwright_listen::{Limits, nobody};
use jiff::Timestamp;
use serde_json::Value;

use crate::bot::Bot;
use crate::intake::ack::Ack;
use crate::limits;
use crate::receive::signature::Signature;
use crate::translate::{self, Incoming};

/// How long a body may take to arrive.
const BODY_IN: Duration = Duration::from_secs(5);

struct Served {
    bot: Arc<Bot>,
    secret: String,
}

/// Serves Slack over HTTP until `shutdown`.
pub(crate) async fn serve(bot: Arc<Bot>, secret: String, listener: tokio::net::TcpListener, shutdown: chat::Shutdown) {
    formwright_listen::serve(listener, router(bot, secret), Limits::default(), nobody(), shutdown).await;
}

/// Binds the address.
pub(crate) fn bind(listen: SocketAddr) -> Result<tokio::net::TcpListener, AdapterError> {
    formwright_listen::bind(listen)
        .map_err(|error| AdapterError::listen(format!("Slack: cannot listen on {listen}: {error}"), error))
}

/// The one route; Slack may be given the same address for everything, or one each.
fn router(bot: Arc<Bot>, secret: String) -> Router {
    let served = Arc::new(Served { bot, secret });
    let mut router = Router::new();
    for path in ["/slack", "/slack/events", "/slack/interactions", "/slack/options", "/slack/commands"] {
        router = router.route(path, post(take));
    }
    router.with_state(served)
}

async fn take(State(served): State<Arc<Served>>, request: Request) -> Response {
    answer(&served.bot, &served.secret, request).await
}

/// Answers one request.
pub(crate) async fn answer(bot: &Arc<Bot>, secret: &str, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    // A request that cannot be Slack's is turned away unread.
    let Some(signature) = Signature::of(&parts.headers, Timestamp::now()) else {
        return StatusCode::UNAUTHORIZED.into_response();
    };
    if length(&parts.headers).is_some_and(|length| length > limits::REQUEST_BYTES) {
        return StatusCode::PAYLOAD_TOO_LARGE.into_response();
    }
    let body = match tokio::time::timeout(BODY_IN, to_bytes(body, limits::REQUEST_BYTES)).await {
        Ok(Ok(body)) => body,
        Ok(Err(_)) => return StatusCode::PAYLOAD_TOO_LARGE.into_response(),
        Err(_) => return StatusCode::REQUEST_TIMEOUT.into_response(),
    };
    if !signature.signs(&body, secret) {
        return StatusCode::UNAUTHORIZED.into_response();
    }
    if let Some(again) = parts.headers.get("x-slack-retry-num") {
        let reason = parts.headers.get("x-slack-retry-reason");
        tracing::debug!(?again, ?reason, "slack sends an event again");
    }
    let Some(incoming) = incoming(&parts.headers, &body, &bot.me) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    match bot.receive(incoming).await {
        Ack::Empty => StatusCode::OK.into_response(),
        Ack::With(answer) => axum::Json(answer).into_response(),
        // Slack retries events; a command or modal tells its person that it did not work.
        Ack::Never => StatusCode::SERVICE_UNAVAILABLE.into_response(),
    }
}

fn length(headers: &HeaderMap) -> Option<usize> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// Reads a signed body: JSON for events, a form with a `payload` for interactions, a plain form for commands.
fn incoming(headers: &HeaderMap, body: &[u8], me: &str) -> Option<Incoming> {
    let body = std::str::from_utf8(body).ok()?;
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if !kind.starts_with("application/x-www-form-urlencoded") {
        let payload: Value = serde_json::from_str(body).ok()?;
        return Some(translate::event(&payload, me));
    }
    let form = translate::form::decode(body);
    match form.get("payload").and_then(Value::as_str) {
        Some(payload) => Some(translate::interaction(&serde_json::from_str(payload).ok()?)),
        // Slack now and then asks with `ssl_check` whether the address is there; that is no command.
        None => Some(translate::command(&Value::Object(form))),
    }
}
