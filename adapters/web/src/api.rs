//! The routes: read, look up who asks, ask the host, render.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Instant;

use axum::body::{Body, HttpBody as _};
use axum::extract::{RawQuery, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router, routing};
use formwright_chat::{Action, Brought, Event, EventId, Host, Place, Platform, Prefill, Reply, Terms, User, UserId};
use serde_json::{Value, json};

use crate::auth::{self, Principal};
use crate::error::ApiError;
use crate::translate::{self, ChatRequest, ResetRequest};
use crate::{Patience, Shared, fill, limits, openapi, ops, render};

/// What a handler works with.
#[derive(Clone)]
pub(crate) struct Context {
    pub(crate) host: Arc<dyn Host>,
    pub(crate) shared: Arc<Shared>,
}

/// All routes, without what stands before them.
pub(crate) fn routes(context: Context) -> Router {
    let mut router = Router::new()
        .route("/api/chat", routing::post(chat))
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

async fn chat(State(context): State<Context>, request: Request) -> Result<Response, ApiError> {
    let answer = converse(&context, request).await;
    if let Some(why) = answer.as_ref().err().and_then(ApiError::turned_away) {
        context.host.turned_away(why);
    }
    answer
}

async fn converse(context: &Context, request: Request) -> Result<Response, ApiError> {
    let (parts, body) = request.into_parts();
    let body = read(context.shared.patience, &parts.headers, body, limits::BODY_BYTES).await?;
    let mut request = translate::chat_request(&body)?;
    let shared = &context.shared;
    let (principal, cookie) = match who(context, &parts.headers)? {
        Some(principal) => (principal, None),
        None if request.conversation_id.is_some() => return Err(ApiError::not_found()),
        None => {
            let (principal, cookie) = newcomer(context)?;
            (principal, Some(cookie))
        }
    };
    let (form, brought) = form_of(context, &mut request, &parts.headers)?;
    let prefill = translate::prefill(request.values.take().unwrap_or_default())?;
    if form.is_none() && !prefill.is_empty() {
        let words = "values are for the form that a request starts. Send form or form_context_md with them.";
        return Err(ApiError::bad("values_without_form", words));
    }
    let event_id = request.event_id.clone();
    let called = request.conversation_id.take();
    let (conversation_id, new) = match (&called, &event_id) {
        (Some(id), _) => {
            let found = named(&principal, id)?;
            // A client that calls its conversations by names of its own cannot tell which of them have begun.
            let new = found != *id && form.is_some() && !has_form(context, &principal, &found).await?;
            (found, new)
        }
        (None, Some(event_id)) if principal.cookie || event_id.len() >= limits::UNIQUE_ID => {
            (principal.conversation_of_event(event_id, &body), true)
        }
        (None, _) => (principal.conversation(&random()?), true),
    };
    check_zone(request.zone.as_deref())?;
    let user = user(principal.user(&conversation_id), request.locale.take(), request.zone.take(), &parts.headers);
    let action = translate::action(request, form.clone())?;
    let address = shared.proxies.client(&parts);
    if principal.cookie
        && let Err(seconds) = shared.allowance.take(user.id.as_str(), address, &conversation_id, Instant::now())
    {
        return Err(ApiError::busy(seconds, "Too many conversations were started here. Go on with one, or wait."));
    }
    let place = place(&conversation_id);
    let event_id = match event_id {
        Some(id) => id,
        None => principal.conversation(&random()?),
    };
    let event = |suffix: &str, action: Action| Event {
        id: EventId::new(format!("{conversation_id}:{event_id}{suffix}")),
        place: place.clone(),
        user: user.clone(),
        at: jiff::Timestamp::now(),
        terms: Terms {
            brought: brought.clone(),
            prefill: if matches!(action, Action::Open { .. }) { prefill.clone() } else { Prefill::default() },
            ..Terms::default()
        },
        action,
    };
    if new && form.is_some() && !matches!(action, Action::Open { .. }) {
        // Who speaks first needs no greeting, only the form.
        context.host.converse(event(":open", Action::Open { form })).await?;
    }
    let turn = context.host.converse(event("", action)).await?;
    let (last, standing) = match turn.standing {
        Some(standing) if !turn.replies.is_empty() => (Vec::new(), Some(standing)),
        _ => match context.host.view(&place, &user.id).await? {
            Some(mut view) => (std::mem::take(&mut view.last), Some(view.into())),
            None => (Vec::new(), None),
        },
    };
    let called = called.unwrap_or(conversation_id);
    let response = Json(render::response(called, turn.replies, &last, standing)).into_response();
    Ok(match cookie {
        Some(cookie) => with_cookie(response, cookie),
        None => response,
    })
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
    let (user, place) = owned(&context, &parts.headers, &request.conversation_id)?;
    let reset = context.host.reset(&place, &user).await?;
    Ok(Json(json!({ "reset": reset })))
}

async fn conversation(State(context): State<Context>, uri: Uri, headers: HeaderMap) -> Result<Response, ApiError> {
    let id = uri.path().strip_prefix("/api/conversation/").unwrap_or_default();
    let (user, place) = owned(&context, &headers, id)?;
    // Before the session is looked at: what comes from then on is heard.
    let notices = context.shared.notices.newest(id);
    let view = context.host.view(&place, &user).await?.ok_or_else(ApiError::not_found)?;
    Ok(Json(render::conversation(id.to_owned(), view, notices)).into_response())
}

async fn events(
    State(context): State<Context>,
    uri: Uri,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Json<Value>, ApiError> {
    let path = uri.path().strip_prefix("/api/conversation/").unwrap_or_default();
    let id = path.strip_suffix("/events").unwrap_or_default();
    let (_, place) = owned(&context, &headers, id)?;
    let after = match query.as_deref() {
        None | Some("") => 0,
        Some(query) => query.strip_prefix("after=").and_then(|no| no.parse().ok()).ok_or_else(|| {
            ApiError::bad("bad_after", "Send after=NUMBER with the number of the last notice you have, or nothing.")
        })?,
    };
    let events = context.shared.notices.after(&place.channel, after).await;
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

/// Looks up the form that a request names or brings along; and what it brings.
fn form_of(
    context: &Context,
    request: &mut ChatRequest,
    headers: &HeaderMap,
) -> Result<(Option<String>, Option<Box<Brought>>), ApiError> {
    let inline = request.form_context_md.take().filter(|markdown| !markdown.trim().is_empty());
    match (request.form.take(), inline) {
        (Some(_), Some(_)) => Err(ApiError::bad("two_forms", "Send form or form_context_md, not both.")),
        (None, Some(_)) if !context.shared.settings.allow_inline_forms => Err(ApiError::new(
            StatusCode::FORBIDDEN,
            "no_inline_forms",
            "This server takes no forms in requests. Name one of its own in form (GET /api/schemas lists them), or have \
             its operator set web.inline_forms.",
        )),
        (None, Some(markdown)) => {
            let form = context.host.form_from_text(&markdown)?;
            Ok((Some(form), Some(Box::new(Brought::Text { text: markdown }))))
        }
        (Some(form), None) if context.host.forms().iter().any(|card| card.id == form) => Ok((Some(form), None)),
        (Some(form), None) => {
            let lang = request.locale.clone().or_else(|| language_of(headers));
            let off = context.host.when_off(&form, lang.as_deref());
            Err(off.map_or_else(ApiError::not_found, |words| ApiError::new(StatusCode::CONFLICT, "form_off", words)))
        }
        (None, None) => Ok((None, None)),
    }
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
fn owned(context: &Context, headers: &HeaderMap, id: &str) -> Result<(UserId, Place), ApiError> {
    let principal = who(context, headers)?.ok_or_else(ApiError::not_found)?;
    let conversation = principal.find(id).ok_or_else(ApiError::not_found)?;
    Ok((principal.user(&conversation), place(&conversation)))
}

/// The conversation that a message names. A client with a key is told what may be a name; whoever else, and who names one
/// that was handed out to others, is told what a missing one gives.
fn named(principal: &Principal, id: &str) -> Result<String, ApiError> {
    let refusal = || {
        let is_theirs_to_name = !principal.cookie && !Principal::is_conversation(id);
        if is_theirs_to_name {
            translate::bad_name("bad_conversation_id", "conversation_id")
        } else {
            ApiError::not_found()
        }
    };
    principal.find(id).ok_or_else(refusal)
}

/// Whether a form is being filled in in a conversation, or was last.
async fn has_form(context: &Context, principal: &Principal, conversation: &str) -> Result<bool, ApiError> {
    let view = context.host.view(&place(conversation), &principal.user(conversation)).await?;
    Ok(view.is_some_and(|view| view.form.is_some()))
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

fn language_of(headers: &HeaderMap) -> Option<String> {
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
