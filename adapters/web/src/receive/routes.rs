//! The routes: read, look up who asks, ask the host, render.

use axum::extract::{RawQuery, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::{Json, Router, routing};
use formwright_chat::{Place, UserId};
use serde_json::{Value, json};

use crate::error::ApiError;
use crate::intake::context::{Context, newcomer, place, read, who, with_cookie};
use crate::intake::{converse, fill, pilot};
use crate::receive::auth::Principal;
use crate::translate::{self, ResetRequest};
use crate::{limits, openapi, ops, render};

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
    let router = router.fallback(async || ApiError::not_found()).method_not_allowed_fallback(async || {
        ApiError::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "wrong_method",
            "This address takes another method. See /api/openapi.json.",
        )
    });
    if context.shared.settings.formpilot {
        router.layer(from_fn_with_state(context.clone(), pilot::door)).with_state(context)
    } else {
        router.with_state(context)
    }
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

/// None where the asker is known already.
fn who_or_new(context: &Context, headers: &HeaderMap) -> Result<Option<(Principal, HeaderValue)>, ApiError> {
    if who(context, headers)?.is_some() { Ok(None) } else { newcomer(context).map(Some) }
}

/// The asker and the place of a conversation of theirs; else exactly what a missing one gives.
fn owned(context: &Context, headers: &HeaderMap, id: &str) -> Result<(Principal, UserId, Place), ApiError> {
    let principal = who(context, headers)?.ok_or_else(ApiError::not_found)?;
    let conversation = principal.find(id).ok_or_else(ApiError::not_found)?;
    let (user, place) = (principal.user(&conversation), place(&conversation));
    Ok((principal, user, place))
}
