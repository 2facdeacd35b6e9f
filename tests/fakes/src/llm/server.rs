//! `POST /v1/chat/completions` and `GET /v1/models`.

use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{Html, IntoResponse as _, Response};
use axum::routing::any;
use futures_util::{StreamExt as _, stream};
use serde_json::{Value, json};

use super::check::{self, Refusal};
use super::{Call, Inner, Mode, Prompt, RETRY_AFTERS, lock, reply};
use crate::record::record;

/// Longest request that is read.
const LONGEST: usize = 4 * 1024 * 1024;

pub(super) fn router(inner: Arc<Inner>) -> Router {
    Router::new()
        .route("/v1/chat/completions", any(complete))
        .route("/v1/models", any(models))
        .fallback(async |request: Request| {
            let words = format!("Invalid URL ({} {})", request.method(), request.uri().path());
            Refusal::new(StatusCode::NOT_FOUND, words).response()
        })
        .with_state(inner)
}

async fn models(State(inner): State<Arc<Inner>>, request: Request) -> Response {
    if request.method() != Method::GET {
        return refused(&inner, &not_allowed(&request));
    }
    if let Err(refusal) = check::authorized(request.headers(), &inner.settings) {
        return refused(&inner, &refusal);
    }
    let model = json!({"id": inner.settings.model, "object": "model", "created": 1_700_000_000, "owned_by": "fake"});
    axum::Json(json!({"object": "list", "data": [model]})).into_response()
}

async fn complete(State(inner): State<Arc<Inner>>, request: Request) -> Response {
    if request.method() != Method::POST {
        return refused(&inner, &not_allowed(&request));
    }
    let headers = request.headers().clone();
    let body = to_bytes(request.into_body(), LONGEST).await.unwrap_or_default();
    let body: Value = serde_json::from_slice(&body).unwrap_or_default();
    let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    let told: Vec<_> = headers.iter().map(|(name, value)| (name.as_str().to_owned(), text(value))).collect();
    record("model", "POST", "/v1/chat/completions", &told, &body);
    let prompt = Prompt::of(&body);
    let call = Call { body: body.clone(), is_probe: prompt.said.is_none(), at: Instant::now() };
    lock(&inner.calls).push(call);
    if let Err(refusal) = check::head(&headers, &inner.settings).and_then(|()| check::body(&body, &inner.settings)) {
        return refused(&inner, &refusal);
    }
    let mode = *lock(&inner.mode);
    let no = inner.turn();
    if let Some(failure) = failure(&inner, mode, &headers, no).await {
        return failure;
    }
    if let Err(refusal) = check::taken(&body, mode) {
        return refusal.response();
    }
    let reader = Arc::clone(&lock(&inner.reader));
    let text = reply::body(&body, &prompt, &reader(&prompt), mode, no).to_string();
    match mode {
        Mode::Drip => dripping(&inner, text),
        Mode::Broken => broken(&text),
        _ => ([(header::CONTENT_TYPE, "application/json")], text).into_response(),
    }
}

fn not_allowed(request: &Request) -> Refusal {
    let words = format!("Not allowed to {} on {} (HINT: Perhaps you meant to POST?)", request.method(), request.uri());
    Refusal::new(StatusCode::METHOD_NOT_ALLOWED, words)
}

fn refused(inner: &Inner, refusal: &Refusal) -> Response {
    lock(&inner.refusals).push(format!("{} {}", refusal.status.as_u16(), refusal.message));
    refusal.response()
}

/// What comes in place of a reply.
async fn failure(inner: &Inner, mode: Mode, headers: &HeaderMap, no: usize) -> Option<Response> {
    match mode {
        Mode::TooMany => {
            let words = "Rate limit reached. Please slow down.";
            let mut response = Refusal::new(StatusCode::TOO_MANY_REQUESTS, words).response();
            let after = RETRY_AFTERS[no % RETRY_AFTERS.len()];
            if !after.is_empty() {
                response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static(after));
            }
            Some(response)
        }
        Mode::ServerErrors => {
            const KINDS: [StatusCode; 3] =
                [StatusCode::INTERNAL_SERVER_ERROR, StatusCode::BAD_GATEWAY, StatusCode::SERVICE_UNAVAILABLE];
            let status = KINDS[no % KINDS.len()];
            // A proxy answers in HTML.
            let page = || (status, Html("<html><body>upstream</body></html>")).into_response();
            let own = || Refusal::new(status, "The server had an error while processing your request.").response();
            Some(if no.is_multiple_of(2) { own() } else { page() })
        }
        Mode::Hang => {
            inner.stopped().await;
            Some(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "stopped").response())
        }
        Mode::WrongKey => {
            let given = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok()).unwrap_or_default();
            Some(check::wrong_key(given).response())
        }
        Mode::Html => {
            Some(Html("<!doctype html><html><body><h1>Sign in to the network</h1></body></html>").into_response())
        }
        _ => None,
    }
}

/// A body that comes byte by byte.
fn dripping(inner: &Arc<Inner>, text: String) -> Response {
    let (inner, every) = (Arc::clone(inner), inner.settings.drip);
    let bytes = stream::iter(text.into_bytes()).then(move |byte| {
        let inner = Arc::clone(&inner);
        async move {
            tokio::select! {
                () = tokio::time::sleep(every) => Ok(Bytes::from(vec![byte])),
                () = inner.stopped() => Err(std::io::Error::other("stopped by the test")),
            }
        }
    });
    Response::new(Body::from_stream(bytes))
}

/// A body that breaks off in the middle: the connection is lost.
fn broken(text: &str) -> Response {
    let half: String = text.chars().take(text.chars().count() / 2).collect();
    let parts = [Ok(Bytes::from(half)), Err(std::io::Error::other("dropped by the test"))];
    Response::new(Body::from_stream(stream::iter(parts)))
}
