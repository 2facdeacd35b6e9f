//! What the API says when it refuses: `{"error": {"code", "message"}}`, the message telling what to do.

use std::borrow::Cow;

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use formwright_chat::{HostError, TurnedAway};
use serde_json::json;

use crate::limits;

/// A refusal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ApiError {
    /// HTTP status.
    pub(crate) status: StatusCode,
    /// For programs: stable.
    pub(crate) code: &'static str,
    /// For people: what is wrong and what to do.
    pub(crate) message: Cow<'static, str>,
    /// Seconds to wait before trying again.
    pub(crate) retry_after: Option<u32>,
    /// The host has refused it, and has counted that.
    by_host: bool,
}

impl ApiError {
    /// A refusal with a status, a code and a sentence.
    pub(crate) fn new(status: StatusCode, code: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        Self { status, code, message: message.into(), retry_after: None, by_host: false }
    }

    /// 400: the request is wrong.
    pub(crate) fn bad(code: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code, message)
    }

    /// 413: something is too big.
    pub(crate) fn too_big(code: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, code, message)
    }

    /// 429: too much in too little time.
    pub(crate) fn busy(retry_after: u32, message: impl Into<Cow<'static, str>>) -> Self {
        Self { retry_after: Some(retry_after), ..Self::new(StatusCode::TOO_MANY_REQUESTS, "too_many", message) }
    }

    /// Why a message was turned away before the host was asked; none where it was asked, or it was no message of anybody
    /// who may send one.
    pub(crate) fn turned_away(&self) -> Option<TurnedAway> {
        match self.status {
            _ if self.by_host => None,
            StatusCode::TOO_MANY_REQUESTS => Some(TurnedAway::Rate),
            StatusCode::PAYLOAD_TOO_LARGE => Some(TurnedAway::Size),
            StatusCode::BAD_REQUEST | StatusCode::UNSUPPORTED_MEDIA_TYPE => Some(TurnedAway::Unreadable),
            _ => None,
        }
    }

    /// 404, the same bytes whatever is missing: whoever asks learns nothing about what belongs to others.
    pub(crate) fn not_found() -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            "not_found",
            "There is nothing here. GET /api/schemas lists the forms; a conversation belongs to the cookie or key \
             that started it, and a new one starts by leaving out conversation_id.",
        )
    }
}

impl From<HostError> for ApiError {
    fn from(error: HostError) -> Self {
        let refusal = match error {
            HostError::Unavailable(reason) => {
                tracing::warn!(%reason, "the host is unavailable");
                Self {
                    retry_after: Some(limits::RETRY_AFTER),
                    ..Self::new(
                        StatusCode::SERVICE_UNAVAILABLE,
                        "unavailable",
                        "One moment: this cannot be stored right now. Send it again with the same event_id; \
                         nothing is lost and nothing happens twice.",
                    )
                }
            }
            HostError::Busy { retry_after } => {
                Self::busy(retry_after, "Too many messages. Wait a little, then send it again with the same event_id.")
            }
            HostError::Refused(words) => Self::new(StatusCode::UNPROCESSABLE_ENTITY, "refused", words),
            HostError::Reused => Self::new(
                StatusCode::CONFLICT,
                "event_id_used",
                "Another message came under this event_id before, and counts. Send this one with an event_id of its own.",
            ),
        };
        Self { by_host: true, ..refusal }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let body = Json(json!({ "error": { "code": self.code, "message": self.message } }));
        let mut response = (self.status, body).into_response();
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if self.status == StatusCode::UNAUTHORIZED {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}
