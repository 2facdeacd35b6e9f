//! The routes: read, look up who asks, ask the host, render.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;

use axum::body::{Body, HttpBody as _};
use axum::extract::{RawQuery, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router, routing};
use formwright_chat::{Host, Place, Platform, Reply, User, UserId};
use serde_json::{Value, json};

use crate::auth::{self, Principal};
use crate::error::ApiError;
use crate::translate::{self, ResetRequest};
use crate::{Patience, Shared, converse, fill, limits, openapi, ops, render};

/// What a handler works with.
#[derive(Clone)]
pub(crate) struct Context {
    pub(crate) host: Arc<dyn Host>,
    pub(crate) shared: Arc<Shared>,
}

/// All routes, without what stands before them.
pub(crate) fn routes(context: Context) -> Router {
    let mut router = Router::new()
        .route("/api/chat", routing::post(converse::chat))
        .route("/api/fill", routing::post(fill::fill))
        .route("/api/fill/schema.json", routing::get(fill::published))
        .route("/api/schemas", routing::get(schemas))
        .route("/api/schemas/{*name}", routing::get(schema))
        .route("/api/sessions/reset", routing::post(reset))
        .route("/api/health", routing::get(async |State(context): State<Context>| ops::health(&*context.host).await))
        .route("/api/openapi.json", routing::get(async || Json(openapi::description())))
        .route("/api/conversation/{id}", routing::get(conversation))
        .route("/api/conversation/{id}/events", routing::get(events))
        .route("/health/live", routing::get(ops::live))
        .route("/health/ready", routing::get(async |State(context): State<Context>| ops::ready(&*context.host).await));
    for (no, asset) in context.shared.assets.iter().enumerate() {
        let serve = async move |State(context): State<Context>, headers: HeaderMap| page(&context, &headers, no);
        router = router.route(asset.path, routing::get(serve));
    }
    router
        .fallback(async || ApiError::not_found())
        .method_not_allowed_fallback(async || {
            ApiError::new(
                StatusCode::METHOD_NOT_ALLOWED,
                "wrong_method",
                "This address takes another method. See /api/openapi.json.",
            )
        })
        .with_state(context)
}

fn page(context: &Context, headers: &HeaderMap, no: usize) -> Result<Response, ApiError> {
    let asset = context.shared.assets.get(no).ok_or_else(ApiError::not_found)?;
    let response = asset.response(headers);
    if asset.path != "/" {
        return Ok(response);
    }
    let Some((_, cookie)) = who_or_new(context, headers)? else { return Ok(response) };
    Ok(with_cookie(response, cookie))
}

async fn schemas(State(context): State<Context>) -> Json<Value> {
    Json(json!({ "schemas": context.host.forms() }))
}

/// The name is compared with the names of the forms as it came, undecoded: it is never part of a path.
async fn schema(State(context): State<Context>, uri: Uri) -> Result<Json<Value>, ApiError> {
    let name = uri.path().strip_prefix("/api/schemas/").unwrap_or_default();
    let card = context.host.forms().into_iter().find(|card| card.id == name).ok_or_else(ApiError::not_found)?;
    let schema = context.host.form_schema(&card.id).ok_or_else(ApiError::not_found)?;
    Ok(Json(json!({
        "id": card.id, "title": card.title, "description": card.description, "fields": card.fields, "schema": schema,
    })))
}

async fn reset(State(context): State<Context>, request: Request) -> Result<Json<Value>, ApiError> {
    let (parts, body) = request.into_parts();
    let request: ResetRequest =
        translate::parse(&read(context.shared.patience, &parts.headers, body, limits::BODY_BYTES).await?)?;
    let (_, user, place) = owned(&context, &parts.headers, &request.conversation_id)?;
    let reset = context.host.reset(&place, &user).await?;
    Ok(Json(json!({ "reset": reset })))
}

async fn conversation(State(context): State<Context>, uri: Uri, headers: HeaderMap) -> Result<Response, ApiError> {
    let id = uri.path().strip_prefix("/api/conversation/").unwrap_or_default();
    let (_, user, place) = owned(&context, &headers, id)?;
    // Before the session is looked at: what comes from then on is heard.
    let notices = context.shared.notices.newest(id);
    let view = context.host.view(&place, &user).await?.ok_or_else(ApiError::not_found)?;
    Ok(Json(render::conversation(id.to_owned(), view, notices)).into_response())
}

async fn events(
    State(context): State<Context>,
    uri: Uri,
    RawQuery(query): RawQuery,
    request: Request,
) -> Result<Json<Value>, ApiError> {
    let headers = request.headers();
    let path = uri.path().strip_prefix("/api/conversation/").unwrap_or_default();
    let id = path.strip_suffix("/events").unwrap_or_default();
    let (principal, user, place) = owned(&context, headers, id)?;
    let after = match query.as_deref() {
        None | Some("") => 0,
        Some(query) => query.strip_prefix("after=").and_then(|no| no.parse().ok()).ok_or_else(|| {
            ApiError::bad("bad_after", "Send after=NUMBER with the number of the last notice you have, or nothing.")
        })?,
    };
    let address = context.shared.proxies.client(request.extensions(), headers).filter(|_| principal.cookie);
    let notices = &context.shared.notices;
    let events = match context.shared.crowd.wait(user.as_str(), address) {
        Ok(_waiting) => notices.after(&place.channel, after).await,
        // Who may not wait still gets what is there, and so misses nothing by asking now and then.
        Err(too_much) => {
            let there = notices.there(&place.channel, after);
            if there.is_empty() {
                return Err(too_much);
            }
            there
        }
    };
    let last = events.last().map_or(after, |notice| notice.no);
    Ok(Json(json!({ "events": events, "last": last })))
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

/// None where the asker is known already.
fn who_or_new(context: &Context, headers: &HeaderMap) -> Result<Option<(Principal, HeaderValue)>, ApiError> {
    if who(context, headers)?.is_some() { Ok(None) } else { newcomer(context).map(Some) }
}

pub(crate) fn newcomer(context: &Context) -> Result<(Principal, HeaderValue), ApiError> {
    let secret = random::<32>()?;
    let cookie = auth::set_cookie(context.shared.cookie, &secret, context.shared.secure);
    let cookie = HeaderValue::from_str(&cookie).map_err(|_| no_randomness())?;
    Ok((Principal::of_cookie(&secret), cookie))
}

/// The asker and the place of a conversation of theirs; else exactly what a missing one gives.
fn owned(context: &Context, headers: &HeaderMap, id: &str) -> Result<(Principal, UserId, Place), ApiError> {
    let principal = who(context, headers)?.ok_or_else(ApiError::not_found)?;
    let conversation = principal.find(id).ok_or_else(ApiError::not_found)?;
    let (user, place) = (principal.user(&conversation), place(&conversation));
    Ok((principal, user, place))
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

/// Where a delivered reply goes: the conversation's mailbox.
pub(crate) fn deliver(shared: &Shared, place: &Place, reply: &Reply) {
    shared.notices.post(&place.channel, reply.clone());
}
