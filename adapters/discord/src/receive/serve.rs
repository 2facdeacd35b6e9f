//! Interactions over HTTP. The signature is checked over the raw body before anything is read from it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::State;
use axum::http::{HeaderMap, Request, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use jiff::Timestamp;
use serde_json::Value;
use serenity::interactions_endpoint::Verifier;

use crate::limits;
use crate::receive::live::Live;
use crate::translate;

/// Where Discord sends interactions to.
pub const PATH: &str = "/discord/interactions";

/// How long a body may take to arrive.
const BODY_IN: Duration = Duration::from_secs(5);

/// What requests share.
struct Door {
    live: Arc<Live>,
    verifier: Verifier,
    /// Interactions of the last minutes: one that comes again is not Discord's.
    seen: Mutex<BTreeMap<String, Timestamp>>,
}

/// The route of interactions.
pub(crate) fn router(live: Arc<Live>, verifier: Verifier) -> Router {
    let door = Arc::new(Door { live, verifier, seen: Mutex::default() });
    Router::new().route(PATH, post(interaction)).with_state(door)
}

/// Reads a public key as the developer portal shows it.
///
/// # Errors
/// A sentence for the operator.
pub(crate) fn verifier(key: &str) -> Result<Verifier, String> {
    let wrong = || "discord.public_key: 64 hexadecimal digits, from “General Information” in the developer portal";
    let key = key.trim();
    let digits = key.len() == 64 && key.bytes().all(|byte| byte.is_ascii_hexdigit());
    let byte = |no: usize| key.get(2 * no..2 * no + 2).and_then(|two| u8::from_str_radix(two, 16).ok());
    let bytes: Option<Vec<u8>> = (0..32).map(byte).collect();
    let bytes: Option<[u8; 32]> = bytes.filter(|_| digits).and_then(|bytes| bytes.try_into().ok());
    Verifier::try_new(bytes.ok_or_else(wrong)?).map_err(|_| wrong().to_owned())
}

async fn interaction(State(door): State<Arc<Door>>, request: Request<Body>) -> Response {
    let now = Timestamp::now();
    let (parts, body) = request.into_parts();
    // A request that cannot be Discord's is turned away unread.
    let Some(seal) = seal(&parts.headers, now) else { return StatusCode::UNAUTHORIZED.into_response() };
    let body = match tokio::time::timeout(BODY_IN, to_bytes(body, limits::BODY)).await {
        Ok(Ok(body)) => body,
        Ok(Err(_)) => return StatusCode::PAYLOAD_TOO_LARGE.into_response(),
        Err(_) => return StatusCode::REQUEST_TIMEOUT.into_response(),
    };
    if door.verifier.verify(seal.0, seal.1, &body).is_err() {
        return StatusCode::UNAUTHORIZED.into_response();
    }
    let Ok(raw) = serde_json::from_slice::<Value>(&body) else { return StatusCode::BAD_REQUEST.into_response() };
    if !door.is_new(&raw, now) {
        return StatusCode::UNAUTHORIZED.into_response();
    }
    let Some(answer) = door.live.intake.interaction(&raw, now).await else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    // The answer is on its way with this very response.
    if let Some(token) = translate::text(&raw["token"]) {
        door.live.intake.memory.has_answered(&token);
    }
    if let Some(message) = &answer.draws {
        crate::send::pressed(&door.live.intake, &door.live.rest, message, true);
    }
    ([(header::CONTENT_TYPE, "application/json")], answer.body.to_string()).into_response()
}

/// The signature and the time that the headers give, once each; none where one is malformed, or not of these minutes.
fn seal(headers: &HeaderMap, now: Timestamp) -> Option<(&str, &str)> {
    let one = |name: &str| {
        let mut values = headers.get_all(name).iter();
        let value = values.next().and_then(|value| value.to_str().ok());
        value.filter(|_| values.next().is_none())
    };
    let (signature, at) = (one("x-signature-ed25519")?, one("x-signature-timestamp")?);
    let plain = at.bytes().all(|byte| byte.is_ascii_digit());
    let sent = at.parse().ok().filter(|_| plain).and_then(|at| Timestamp::from_second(at).ok())?;
    let fresh = now.duration_since(sent).abs() <= limits::SIGNATURE_AGE;
    let digits = signature.len() == 128 && signature.bytes().all(|byte| byte.is_ascii_hexdigit());
    (fresh && digits).then_some((signature, at))
}

impl Door {
    /// Whether an interaction was not seen before; a ping may come as often as it likes.
    fn is_new(&self, raw: &Value, now: Timestamp) -> bool {
        let Some(id) = translate::text(&raw["id"]).filter(|_| raw["type"].as_u64() != Some(1)) else { return true };
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.retain(|_, at| now.duration_since(*at) <= limits::SIGNATURE_AGE * 2);
        seen.insert(id, now).is_none()
    }
}
