//! What every handler needs: the host, the body, and who asks.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;

use axum::body::{Body, HttpBody as _};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use formwright_chat::{Host, Place, Platform, User, UserId};

use crate::error::ApiError;
use crate::limits;
use crate::receive::auth::{self, Principal};
use crate::receive::shared::Patience;
use crate::receive::shared::Shared;
use crate::translate::{self};

/// What a handler works with.
#[derive(Clone)]
pub(crate) struct Context {
    pub(crate) host: Arc<dyn Host>,
    pub(crate) shared: Arc<Shared>,
}

/// Reads a body of JSON: the right type, not too long, not too slow. What is refused is read on, up to a bound, unless the
/// client waits to be told to go on.
pub(crate) async fn read(
    patience: Patience,
    headers: &HeaderMap,
    mut body: Body,
    most: usize,
) -> Result<Vec<u8>, ApiError> {
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let media_type = text(header::CONTENT_TYPE).and_then(|value| value.split(';').next()).unwrap_or_default().trim();
    let announced = text(header::CONTENT_LENGTH).and_then(|value| value.parse::<usize>().ok());
    let mut refusal = None;
    if !media_type.eq_ignore_ascii_case("application/json") {
        let words = "Send JSON, with the header Content-Type: application/json.";
        refusal = Some(ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "not_json", words));
    } else if announced.is_some_and(|bytes| bytes > most) {
        refusal = Some(too_big(most));
    }
    if headers.contains_key(header::EXPECT)
        && let Some(refusal) = refusal
    {
        return Err(refusal);
    }
    let reading = async {
        let (mut bytes, mut taken) = (Vec::new(), 0_usize);
        while let Some(frame) = poll_fn(|cx| Pin::new(&mut body).poll_frame(cx)).await {
            let Ok(frame) = frame else { return Err(refusal.unwrap_or_else(cut_off)) };
            let Ok(chunk) = frame.into_data() else { continue };
            taken = taken.saturating_add(chunk.len());
            if taken > most && refusal.is_none() {
                refusal = Some(too_big(most));
            }
            match &refusal {
                None => bytes.extend_from_slice(&chunk),
                Some(_) if taken > limits::DRAINED_BYTES => break,
                Some(_) => {}
            }
        }
        refusal.map_or(Ok(bytes), Err)
    };
    tokio::time::timeout(patience.body, reading).await.unwrap_or_else(|_| {
        let words = "The body took too long to arrive. Send it again, with the same event_id.";
        Err(ApiError::new(StatusCode::REQUEST_TIMEOUT, "too_slow", words))
    })
}

fn too_big(most: usize) -> ApiError {
    let words = format!("The body is larger than {most} bytes. Send less at once.");
    ApiError::too_big("body_too_big", words)
}

fn cut_off() -> ApiError {
    ApiError::bad("cut_off", "The body ended before all of it had arrived. Send it again, with the same event_id.")
}

pub(crate) fn who(context: &Context, headers: &HeaderMap) -> Result<Option<Principal>, ApiError> {
    auth::principal(headers, &context.shared.keys, context.shared.cookie)
}

pub(crate) fn newcomer(context: &Context) -> Result<(Principal, HeaderValue), ApiError> {
    let secret = random::<32>()?;
    let cookie = auth::set_cookie(context.shared.cookie, &secret, context.shared.secure);
    let cookie = HeaderValue::from_str(&cookie).map_err(|_| no_randomness())?;
    Ok((Principal::of_cookie(&secret), cookie))
}

pub(crate) fn with_cookie(mut response: Response, cookie: HeaderValue) -> Response {
    response.headers_mut().append(header::SET_COOKIE, cookie);
    response
}

pub(crate) fn place(conversation_id: &str) -> Place {
    Place {
        platform: Platform::new(crate::PLATFORM),
        workspace: String::new(),
        channel: conversation_id.to_owned(),
        thread: None,
    }
}

pub(crate) fn user(id: UserId, locale: Option<String>, zone: Option<String>, headers: &HeaderMap) -> User {
    User { id, name: None, locale: locale.or_else(|| language_of(headers)), zone }
}

pub(crate) fn language_of(headers: &HeaderMap) -> Option<String> {
    translate::first_language(headers.get(header::ACCEPT_LANGUAGE)?.to_str().ok()?)
}

/// Refuses a time zone that the database does not have: times would be read in another zone than meant. Where this
/// machine has no database there is nothing to look it up in.
pub(crate) fn check_zone(zone: Option<&str>) -> Result<(), ApiError> {
    let database = jiff::tz::db();
    match zone {
        Some(zone) if !database.is_definitively_empty() && database.get(zone).is_err() => Err(ApiError::bad(
            "unknown_zone",
            format!("zone {zone} is no time zone known here. Send an IANA name, such as Europe/Rome, or leave it out."),
        )),
        _ => Ok(()),
    }
}

pub(crate) fn random<const N: usize>() -> Result<[u8; N], ApiError> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|_| no_randomness())?;
    Ok(bytes)
}

fn no_randomness() -> ApiError {
    ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", "The server has no randomness yet. Try again.")
}
