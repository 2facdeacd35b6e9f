//! The webhook: Telegram brings updates. It is told that one was received once that one is stored.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use serde_json::{Value, json};
use subtle::ConstantTimeEq as _;

use crate::api::ApiError;
use crate::core::Core;
use crate::receive::poll;
use crate::{limits, translate};

/// The header with the secret.
const SECRET: &str = "x-telegram-bot-api-secret-token";
/// How long a body may take to arrive.
const BODY_TIME: Duration = Duration::from_secs(10);

/// The route that Telegram calls.
pub(crate) fn router(core: Arc<Core>, path: &str) -> Router {
    Router::new().route(path, post(receive)).with_state(core)
}

async fn receive(State(core): State<Arc<Core>>, headers: HeaderMap, body: Body) -> StatusCode {
    if !is_telegram(&headers, &core.settings.webhook.secret) {
        return StatusCode::UNAUTHORIZED;
    }
    let Ok(body) = tokio::time::timeout(BODY_TIME, to_bytes(body, limits::UPDATE_BYTES)).await else {
        return StatusCode::REQUEST_TIMEOUT;
    };
    let Ok(body) = body else { return StatusCode::PAYLOAD_TOO_LARGE };
    let Ok(update) = serde_json::from_slice::<Value>(&body) else { return StatusCode::BAD_REQUEST };
    // Telegram opens several connections: those of one person are worked on in the order in which they came.
    let lock = translate::sender(&update).map(|sender| core.lock(&format!("from/{sender}")));
    let _in_order = match &lock {
        Some(lock) => Some(lock.lock().await),
        None => None,
    };
    match core.take(&update).await {
        Ok(()) => StatusCode::OK,
        Err(error) => {
            tracing::warn!(error = %error.0, "an update could not be stored; Telegram brings it again");
            core.tell_away(&update);
            StatusCode::SERVICE_UNAVAILABLE
        }
    }
}

/// Whether the request has the secret, exactly once. How long the comparison takes tells nothing of the secret.
fn is_telegram(headers: &HeaderMap, secret: &str) -> bool {
    let mut given = headers.get_all(SECRET).iter();
    match (given.next(), given.next()) {
        (Some(given), None) => !secret.is_empty() && bool::from(given.as_bytes().ct_eq(secret.as_bytes())),
        _ => false,
    }
}

impl Core {
    /// Tells Telegram where to bring updates.
    pub(crate) async fn set_webhook(&self) -> Result<(), ApiError> {
        let webhook = &self.settings.webhook;
        let body = json!({
            "url": webhook.public_url, "secret_token": webhook.secret, "max_connections": limits::CONNECTIONS,
            "allowed_updates": poll::UPDATES,
        });
        self.api.call("setWebhook", &body).await.map(drop)
    }

    /// Makes polling possible where a webhook was set before. What waits for it is kept.
    pub(crate) async fn clear_webhook(&self) -> Result<(), ApiError> {
        let hook = self.api.call("getWebhookInfo", &json!({})).await?;
        if hook["url"].as_str().is_none_or(str::is_empty) {
            return Ok(());
        }
        self.api.call("deleteWebhook", &json!({"drop_pending_updates": false})).await.map(drop)
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(&["right-secret-right"], true)]
    #[case(&[], false)]
    #[case(&[""], false)]
    #[case(&["right-secret-righ"], false)]
    #[case(&["right-secret-right "], false)]
    #[case(&["Right-secret-right"], false)]
    #[case(&["right-secret-right", "right-secret-right"], false)]
    #[case(&["wrong", "right-secret-right"], false)]
    fn only_the_secret_once_is_telegrams(#[case] given: &[&str], #[case] counts: bool) {
        let mut headers = HeaderMap::new();
        for given in given {
            headers.append(SECRET, HeaderValue::from_str(given).unwrap());
        }
        assert_eq!(is_telegram(&headers, "right-secret-right"), counts);
    }

    #[test]
    fn an_empty_secret_is_nobodys() {
        let mut headers = HeaderMap::new();
        headers.append(SECRET, HeaderValue::from_static(""));
        assert!(!is_telegram(&headers, ""));
    }
}
